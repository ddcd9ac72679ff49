import { type Editor, findParentNode } from '@tiptap/core';
import { NodeSelection } from '@tiptap/pm/state';
import { CellSelection, selectionCell } from '@tiptap/pm/tables';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Select } from '../../ui/select.tsx';
import { CALLOUTS } from './markdown/callouts.ts';
import { Popup } from './popup.tsx';
import { useEditorState } from './use-editor-state.ts';

interface ContextBarProps {
  editor: Editor;
  /** Opens the library to replace the selected picture. */
  onPicture: () => void;
}

const LABELS: Record<string, string> = {
  table: 'Table',
  codeBlock: 'Code block',
  callout: 'Callout',
  image: 'Picture',
};

/** Shows the controls of the table, code block, callout or picture at the selection, above it. */
export function ContextBar({ editor, onPicture }: ContextBarProps) {
  const context = useEditorState(editor, contextOf);
  if (!context) return null;
  const { kind, from, to, attrs } = context;
  const setAttributes = (changes: Record<string, unknown>) => editor.commands.updateAttributes(kind, changes);
  return (
    <Popup
      editor={editor}
      from={from}
      to={to}
      isAbove
      role="region"
      aria-label={LABELS[kind]}
      // Covers no text while the focus is elsewhere.
      className="pointer-events-none flex flex-wrap items-end gap-3 p-2 opacity-0 group-focus-within/editor:pointer-events-auto group-focus-within/editor:opacity-100"
    >
      {kind === 'table' && (
        <TableControls editor={editor} align={String(attrs['align'] ?? '')} hasHeader={attrs['hasHeader'] === true} />
      )}
      {kind === 'codeBlock' && (
        <TextControl
          label="Language"
          value={attrs['language']}
          onChange={(language) => setAttributes({ language: language || null })}
        />
      )}
      {kind === 'callout' && (
        <Field label="Kind" className={INLINE_CLASS}>
          <Select value={String(attrs['kind'])} onChange={(event) => setAttributes({ kind: event.target.value })}>
            {CALLOUTS.map((callout) => (
              <option key={callout} value={callout}>
                {callout[0]?.toUpperCase() + callout.slice(1)}
              </option>
            ))}
          </Select>
        </Field>
      )}
      {kind === 'image' && <PictureControls editor={editor} attrs={attrs} onPicture={onPicture} />}
    </Popup>
  );
}

/** Label to the left of its control, so that the bar covers little text. */
const INLINE_CLASS = 'shrink-0 grid-flow-col items-center';

interface Context {
  kind: string;
  from: number;
  to: number;
  attrs: Record<string, unknown>;
}

function contextOf({ state: { selection } }: Editor): Context | null {
  if (selection instanceof NodeSelection && selection.node.type.name === 'image')
    return { kind: 'image', from: selection.from, to: selection.to, attrs: { ...selection.node.attrs } };
  const block = findParentNode(({ type }) => type.name in LABELS)(selection);
  if (!block) return null;
  const { node, pos: from, depth } = block;
  const position = { kind: node.type.name, from, to: from + node.nodeSize };
  if (position.kind !== 'table') return { ...position, attrs: { ...node.attrs } };
  const hasHeader = node.firstChild?.firstChild?.type.name === 'tableHeader';
  return { ...position, attrs: { hasHeader, align: selection.$from.node(depth + 2).attrs['align'] } };
}

interface PictureControlsProps extends ContextBarProps {
  attrs: Context['attrs'];
}

function PictureControls({ editor, attrs, onPicture }: PictureControlsProps) {
  // Keeps the picture selected, unlike updateAttributes.
  const setAttribute = (name: string, value: unknown) =>
    editor.view.dispatch(editor.state.tr.setNodeAttribute(editor.state.selection.from, name, value));
  return (
    <>
      <TextControl
        label="Description"
        help="For people who cannot see it."
        value={attrs['alt']}
        onChange={(alt) => setAttribute('alt', alt)}
      />
      <TextControl
        label="Caption"
        help="Shown below the picture."
        value={attrs['title']}
        onChange={(title) => setAttribute('title', title || null)}
      />
      <div className="flex gap-2 self-center">
        <Button size="sm" variant="secondary" onClick={onPicture}>
          Replace
        </Button>
        <Button size="sm" variant="ghost" onClick={() => editor.chain().focus().deleteSelection().run()}>
          Remove
        </Button>
      </div>
    </>
  );
}

interface TableControlsProps {
  editor: Editor;
  align: string;
  hasHeader: boolean;
}

function TableControls({ editor, align, hasHeader }: TableControlsProps) {
  const actions = [
    ['Add row above', () => editor.chain().focus().addRowBefore().run()],
    ['Add row below', () => editor.chain().focus().addRowAfter().run()],
    ['Delete row', () => editor.chain().focus().deleteRow().run()],
    ['Add column before', () => editor.chain().focus().addColumnBefore().run()],
    ['Add column after', () => editor.chain().focus().addColumnAfter().run()],
    ['Delete column', () => editor.chain().focus().deleteColumn().run()],
    [hasHeader ? 'Remove header' : 'Add header', () => editor.chain().focus().toggleHeaderRow().run()],
    ['Delete table', () => editor.chain().focus().deleteTable().run()],
  ] as const;
  return (
    <div className="flex min-w-0 gap-1.5 overflow-x-auto sm:flex-wrap sm:items-center">
      <Field label="Alignment" className={INLINE_CLASS}>
        <Select value={align} onChange={(event) => alignColumn(editor, event.target.value || null)}>
          <option value="">Automatic</option>
          <option value="left">Left</option>
          <option value="center">Centre</option>
          <option value="right">Right</option>
        </Select>
      </Field>
      {actions.map(([label, run]) => (
        <Button key={label} size="sm" variant="secondary" onClick={run} className="shrink-0">
          {label}
        </Button>
      ))}
    </div>
  );
}

/** Sets the alignment of all cells of the column at the selection. */
function alignColumn({ state, view }: Editor, align: string | null): void {
  const { tr } = state;
  CellSelection.colSelection(selectionCell(state)).forEachCell((_cell, position) =>
    tr.setNodeAttribute(position, 'align', align),
  );
  view.dispatch(tr);
}

interface TextControlProps {
  label: string;
  help?: string;
  value: unknown;
  onChange: (value: string) => void;
}

function TextControl({ label, help, value, onChange }: TextControlProps) {
  return (
    <Field label={label} help={help} className="min-w-40 flex-1">
      <Input
        type="text"
        autoComplete="off"
        value={String(value ?? '')}
        onChange={(event) => onChange(event.target.value)}
        // Enter would submit the form.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
    </Field>
  );
}

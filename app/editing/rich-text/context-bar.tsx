import type { Editor } from '@tiptap/core';
import { NodeSelection } from '@tiptap/pm/state';
import { CellSelection, selectionCell } from '@tiptap/pm/tables';
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Select } from '../../ui/select.tsx';
import { CALLOUTS } from './markdown/callouts.ts';
import { useEditorState } from './use-editor-state.ts';

interface ContextBarProps {
  editor: Editor;
  /** Opens the library to replace the selected picture. */
  onPicture: () => void;
}

/** Shows the controls of the table, code block, callout or picture at the selection. */
export function ContextBar({ editor, onPicture }: ContextBarProps) {
  const context = useEditorState(editor, contextOf);
  if (!context) return null;
  const { kind, attrs } = context;
  const setAttributes = (changes: Record<string, unknown>) => editor.commands.updateAttributes(kind, changes);
  // Keeps the picture selected, unlike updateAttributes.
  const setPictureAttribute = (name: string, value: unknown) =>
    editor.view.dispatch(editor.state.tr.setNodeAttribute(editor.state.selection.from, name, value));
  switch (kind) {
    case 'table':
      return <TableBar editor={editor} align={String(attrs['align'] ?? '')} hasHeader={attrs['hasHeader'] === true} />;
    case 'codeBlock':
      return (
        <Bar label="Code block">
          <TextControl
            label="Language"
            value={attrs['language']}
            onChange={(language) => setAttributes({ language: language || null })}
          />
        </Bar>
      );
    case 'callout':
      return (
        <Bar label="Callout">
          <Field label="Kind" className="w-40">
            <Select value={String(attrs['kind'])} onChange={(event) => setAttributes({ kind: event.target.value })}>
              {CALLOUTS.map((callout) => (
                <option key={callout} value={callout}>
                  {callout[0]?.toUpperCase() + callout.slice(1)}
                </option>
              ))}
            </Select>
          </Field>
        </Bar>
      );
    default:
      return (
        <Bar label="Picture">
          <TextControl
            label="Description"
            help="For people who cannot see it."
            value={attrs['alt']}
            onChange={(alt) => setPictureAttribute('alt', alt)}
          />
          <TextControl
            label="Caption"
            help="Shown below the picture."
            value={attrs['title']}
            onChange={(title) => setPictureAttribute('title', title || null)}
          />
          <div className="flex gap-2 self-center">
            <Button size="sm" variant="secondary" onClick={onPicture}>
              Replace
            </Button>
            <Button size="sm" variant="ghost" onClick={() => editor.chain().focus().deleteSelection().run()}>
              Remove
            </Button>
          </div>
        </Bar>
      );
  }
}

function contextOf(editor: Editor): { kind: string; attrs: Record<string, unknown> } | null {
  const { selection } = editor.state;
  if (selection instanceof NodeSelection && selection.node.type.name === 'image')
    return { kind: 'image', attrs: { ...selection.node.attrs } };
  for (let { depth } = selection.$from; depth > 0; depth--) {
    const node = selection.$from.node(depth);
    const { name } = node.type;
    if (name === 'codeBlock' || name === 'callout') return { kind: name, attrs: { ...node.attrs } };
    if (name !== 'table') continue;
    const hasHeader = node.firstChild?.firstChild?.type.name === 'tableHeader';
    return { kind: name, attrs: { hasHeader, align: selection.$from.node(depth + 2).attrs['align'] } };
  }
  return null;
}

interface TableBarProps {
  editor: Editor;
  align: string;
  hasHeader: boolean;
}

function TableBar({ editor, align, hasHeader }: TableBarProps) {
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
    <Bar label="Table">
      <Field label="Alignment" className="w-36">
        <Select value={align} onChange={(event) => alignColumn(editor, event.target.value || null)}>
          <option value="">Automatic</option>
          <option value="left">Left</option>
          <option value="center">Centre</option>
          <option value="right">Right</option>
        </Select>
      </Field>
      <div className="flex max-w-full gap-1.5 overflow-x-auto sm:flex-wrap">
        {actions.map(([label, run]) => (
          <Button key={label} size="sm" variant="secondary" onClick={run} className="shrink-0">
            {label}
          </Button>
        ))}
      </div>
    </Bar>
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

function Bar({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section aria-label={label} className="flex flex-wrap items-end gap-3 border-t border-line bg-sunken px-3 py-2.5">
      {children}
    </section>
  );
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

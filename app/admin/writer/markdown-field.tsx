import { clsx } from 'clsx';
import { type KeyboardEvent, useRef, useState } from 'react';
import { type FieldValues, useFormContext, useWatch } from 'react-hook-form';
import { CONTROL_CLASS } from '../../ui/control-class.ts';
import { Field, useFieldProps } from '../../ui/field.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { Tab, TabList, TabPanel, Tabs } from '../../ui/tabs.tsx';
import { fieldLabel } from '../form/field-label.ts';
import type { FieldOptions } from '../form/field-options.ts';
import { useFieldError } from '../form/use-field-error.ts';
import { continueList, type Edit, insertBlock, linkPasted, type Passage } from './markdown-edits.ts';
import { performEdit } from './perform-edit.ts';
import { usePictureUpload } from './use-picture-upload.ts';
import { useRichPaste } from './use-rich-paste.ts';
import { commandOfKey } from './writer-commands.ts';
import { WriterToolbar } from './writer-toolbar.tsx';

/**
 * A long text in plain Markdown: a text area with toolbar and shortcuts, pictures by paste, drop or button, and a
 * preview drawn by the component that draws the public page.
 */
export function MarkdownField<Values extends FieldValues = never>({ name, label, help }: FieldOptions<Values>) {
  const { register } = useFormContext();
  const area = useRef<HTMLTextAreaElement>(null);
  const [tab, setTab] = useState('write');

  const perform = (makeEdit: (passage: Passage) => Edit | null): boolean => {
    if (!area.current) return false;
    const { value, selectionStart, selectionEnd } = area.current;
    const edit = makeEdit({ text: value, start: selectionStart, end: selectionEnd });
    if (edit) performEdit(area.current, edit);
    return edit !== null;
  };
  const pictures = usePictureUpload((markdown) => {
    setTab('write');
    perform((passage) => insertBlock(passage, markdown));
  });

  const [message, setMessage] = useState('');
  const richPaste = useRichPaste(area, { tell: setMessage, onPictures: () => undefined });

  const onKeyDown = (event: KeyboardEvent) => {
    richPaste.onKeyDown(event);
    if (event.nativeEvent.isComposing) return;
    const command = commandOfKey(event);
    const plainEnter = event.key === 'Enter' && !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (command) perform(command.edit);
    else if (!plainEnter || !perform(continueList)) return;
    event.preventDefault();
  };

  const { ref, ...registration } = register(name);
  return (
    <Field label={label ?? fieldLabel(name)} help={help} error={useFieldError(name)}>
      <Tabs value={tab} onValueChange={setTab} className="gap-0! rounded-md border border-line-strong bg-surface">
        <div className="flex flex-wrap items-center justify-between gap-x-4 border-b border-line px-1.5">
          <TabList className="border-b-0">
            <Tab value="write">Write</Tab>
            <Tab value="preview">Preview</Tab>
          </TabList>
          {tab === 'write' && (
            <WriterToolbar onCommand={(command) => perform(command.edit)} onPictures={pictures.upload} />
          )}
        </div>
        <TabPanel value="write" forceMount className="data-[state=inactive]:hidden">
          <WriterArea
            {...registration}
            onKeyDown={onKeyDown}
            onFocus={richPaste.prepare}
            onPaste={(event) => {
              const pasted = event.clipboardData.getData('text/plain');
              const isTaken =
                perform((passage) => linkPasted(passage, pasted)) ||
                richPaste.take(event) ||
                pictures.take(event.clipboardData);
              if (isTaken) event.preventDefault();
            }}
            onDrop={(event) => pictures.take(event.dataTransfer) && event.preventDefault()}
            ref={(element) => {
              ref(element);
              area.current = element;
            }}
          />
          <p role="status" className="px-3.5 pb-2 text-sm text-muted empty:hidden">
            {pictures.uploading > 0 ? `Uploading ${pictures.uploading === 1 ? 'picture' : 'pictures'}...` : message}
          </p>
        </TabPanel>
        <TabPanel value="preview" className="min-h-80 px-4 py-5 sm:px-6">
          <Preview name={name} />
        </TabPanel>
      </Tabs>
    </Field>
  );
}

/** Of a fixed height: a text area that grows would measure a long text again with every key. */
function WriterArea(props: React.ComponentProps<'textarea'>) {
  return (
    <textarea
      {...useFieldProps()}
      {...props}
      rows={16}
      className={clsx(CONTROL_CLASS, 'block resize-y border-0 py-3 leading-relaxed shadow-none')}
    />
  );
}

function Preview({ name }: { name: string }) {
  const text: string = useWatch({ name });
  return text.trim() ? <Markdown text={text} /> : <p className="text-muted">Nothing to preview yet.</p>;
}

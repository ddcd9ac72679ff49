import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from 'react';
import {
  continueList,
  type Edit,
  type LinkDraft,
  linkAt,
  linkPasted,
  type Passage,
  withoutRange,
  writeLink,
} from './markdown-edits.ts';
import type { Box } from './measure-text.ts';
import { performEdit } from './perform-edit.ts';
import { useRichPaste } from './use-rich-paste.ts';
import { useSlashMenu } from './use-slash-menu.ts';
import { useWriterPictures } from './use-writer-pictures.ts';
import { commandOfKey, isFindKey, type WriterCommand } from './writer-commands.ts';

/** State of the editor, shared by its parts. */
export type WriterTools = ReturnType<typeof useWriter>;

/** @param showText called before a picture is inserted while the text is hidden */
export function useWriter(showText: () => void) {
  const area = useRef<HTMLTextAreaElement>(null);
  const fileInput = useRef<HTMLInputElement>(null);
  const [message, setMessage] = useState('');
  const finding = useFinding();
  const [link, setLink] = useState<LinkDraft | null>(null);

  const perform = (makeEdit: (passage: Passage) => Edit | null): boolean => {
    if (!area.current) return false;
    const edit = makeEdit(passageOf(area.current));
    if (edit) performEdit(area.current, edit);
    return edit !== null;
  };
  const pictures = useWriterPictures(area, (makeEdit) => {
    showText();
    perform(makeEdit);
  });
  const richPaste = useRichPaste(area, { tell: setMessage, onPictures: pictures.list });
  const run = ({ does }: WriterCommand) => {
    if (does === 'picture') fileInput.current?.click();
    else if (does === 'link') setLink(area.current && linkAt(passageOf(area.current)));
    else perform(does);
  };
  const slashMenu = useSlashMenu(area, {
    onPick: (command, { from, to }) => {
      const { does } = command;
      if (typeof does === 'function') {
        perform(({ text }) => withoutRange(does(withoutTypedText(text, from, to)), from, to));
        return;
      }
      perform(() => ({ from, to, insert: '', selectFrom: from, selectTo: from }));
      run(command);
    },
  });
  const backToText = () => requestAnimationFrame(() => area.current?.focus());

  return {
    area,
    fileInput,
    pictures,
    slashMenu,
    run,
    backToText,
    message,
    ...finding,
    link,
    endLink: (written?: LinkDraft) => {
      setLink(null);
      if (written) perform(() => writeLink(written));
      else backToText();
    },
    showMore: () => {
      area.current?.focus();
      slashMenu.show();
    },
    prepare: richPaste.prepare,
    onInput: (typed: string | null) => {
      if (finding.found.length > 0) finding.setFound([]);
      if (message) setMessage('');
      slashMenu.onInput(typed);
    },
    onPaste: (event: ClipboardEvent<HTMLTextAreaElement>) => {
      const isTaken =
        perform((passage) => linkPasted(passage, event.clipboardData.getData('text/plain'))) ||
        richPaste.take(event) ||
        pictures.take(event.clipboardData);
      if (isTaken) event.preventDefault();
    },
    onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => {
      richPaste.onKeyDown(event);
      if (event.nativeEvent.isComposing || slashMenu.onKeyDown(event)) return;
      const command = commandOfKey(event);
      if (command) run(command);
      else if (isFindKey(event)) finding.find();
      else if (!isPlainEnter(event) || !perform(continueList)) return;
      event.preventDefault();
    },
  };
}

/** State of the find bar and the position of the current match. */
function useFinding() {
  const [isFinding, setFinding] = useState(false);
  const [found, setFound] = useState<readonly Box[]>([]);
  return {
    isFinding,
    found,
    setFound,
    find: () => setFinding(true),
    endFinding: () => {
      setFinding(false);
      setFound([]);
    },
  };
}

/** Removes a typed range and places the caret there. */
function withoutTypedText(text: string, from: number, to: number): Passage {
  return { text: text.slice(0, from) + text.slice(to), start: from, end: from };
}

function isPlainEnter({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key === 'Enter' && !shiftKey && !ctrlKey && !metaKey && !altKey;
}

function passageOf({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): Passage {
  return { text: value, start: selectionStart, end: selectionEnd };
}

import { ArrowDown, ArrowUp, CaseSensitive, X } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useMemo, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { findText, type Match, matchAfter, replaceMatches } from './find-text.ts';
import { type Box, measureText } from './measure-text.ts';
import { performEditElsewhere } from './perform-edit.ts';
import { useSettledText } from './use-settled-text.ts';

interface FindBarProps {
  name: string;
  area: RefObject<HTMLTextAreaElement | null>;
  /** Highlights the match. An unfocused text area does not show its selection. */
  onShow: (boxes: readonly Box[]) => void;
  onClose: () => void;
}

/** Find and replace in the text. Starts with the selected words. */
export default function FindBar({ name, area, onShow, onClose }: FindBarProps) {
  const found = useFind({ name, area, onShow });
  const close = () => {
    onClose();
    area.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.nativeEvent.isComposing) return;
    const isInInput = event.target instanceof HTMLInputElement;
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && isInInput) {
      if (event.target instanceof HTMLInputElement && event.target.dataset['replaces']) found.replaceOne();
      else found.step(event.shiftKey ? -1 : 1);
    } else return;
    // Enter would submit the form, and Escape would leave full screen.
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <search
      aria-label="Find and replace"
      onKeyDown={onKeyDown}
      className="grid gap-2 border-t border-line bg-sunken px-3 py-2.5 sm:grid-cols-[1fr_1fr]"
    >
      <div className="flex items-end gap-1.5">
        <Field label="Find" className="min-w-0 flex-1">
          <Input
            type="text"
            autoComplete="off"
            autoFocus
            onFocus={(event) => event.target.select()}
            value={found.words}
            onChange={(event) => found.look(event.target.value)}
          />
        </Field>
        <Button
          variant={found.isCaseKept ? 'secondary' : 'ghost'}
          size="icon"
          aria-label="Match case"
          aria-pressed={found.isCaseKept}
          onClick={() => found.setCaseKept(!found.isCaseKept)}
        >
          <CaseSensitive aria-hidden="true" />
        </Button>
        <Button variant="ghost" size="icon" aria-label="Previous match" onClick={() => found.step(-1)}>
          <ArrowUp aria-hidden="true" />
        </Button>
        <Button variant="ghost" size="icon" aria-label="Next match" onClick={() => found.step(1)}>
          <ArrowDown aria-hidden="true" />
        </Button>
      </div>
      <div className="flex items-end gap-1.5">
        <Field label="Replace with" className="min-w-0 flex-1">
          <Input
            type="text"
            autoComplete="off"
            data-replaces="true"
            value={found.replacement}
            onChange={(event) => found.setReplacement(event.target.value)}
          />
        </Field>
        <Button variant="ghost" size="icon" aria-label="Close find and replace" onClick={close}>
          <X aria-hidden="true" />
        </Button>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-2 sm:col-span-2">
        <p role="status" className="text-sm text-muted">
          {countSentence(found)}
        </p>
        <ReplaceButtons {...found} />
      </div>
    </search>
  );
}

function ReplaceButtons({ count, replaceOne, replaceAll }: ReturnType<typeof useFind>) {
  return (
    <div className="flex gap-2">
      <Button variant="secondary" size="sm" aria-disabled={count === 0} onClick={replaceOne}>
        Replace
      </Button>
      <Button variant="secondary" size="sm" aria-disabled={count === 0} onClick={replaceAll}>
        Replace all
      </Button>
    </div>
  );
}

type FindParts = Pick<FindBarProps, 'name' | 'area' | 'onShow'>;

/** State of the search and replacement of matches. */
function useFind({ name, area, onShow }: FindParts) {
  const [words, setWords] = useState(() => selectedWords(area.current));
  const [replacement, setReplacement] = useState('');
  const [isCaseKept, setCaseKept] = useState(false);
  const text = useSettledText(name);
  const matches = useMemo(() => findText(text, words, isCaseKept), [text, words, isCaseKept]);
  /** Start of the current match. */
  const [place, setPlace] = useState(() => area.current?.selectionStart ?? 0);
  const [wasReplaced, setReplaced] = useState(0);
  const current = words === '' ? -1 : matches.findIndex(({ from }) => from === place);

  const fresh = () => findText(area.current?.value ?? '', words, isCaseKept);
  const showMatch = (match: Match | undefined) => {
    const element = area.current;
    setReplaced(0);
    if (!element || !match) return onShow([]);
    setPlace(match.from);
    element.setSelectionRange(match.from, match.to);
    const boxes = measureText(element, match.from, match.to);
    const top = boxes[0]?.top ?? 0;
    const isInSight = top >= element.scrollTop && top < element.scrollTop + element.clientHeight - 40;
    if (!isInSight) element.scrollTop = top - element.clientHeight / 3;
    onShow(boxes);
  };
  const step = (by: 1 | -1) => {
    const found = fresh();
    const at = found.findIndex(({ from }) => from === place);
    const next = at === -1 ? matchAfter(found, place) : (at + by + found.length) % found.length;
    showMatch(found[next]);
  };
  const replaceOne = () => {
    const found = fresh();
    const match = found.find(({ from }) => from === place);
    if (!match || !area.current) return step(1);
    const edit = replaceMatches(area.current.value, [match], replacement);
    if (edit) performEditElsewhere(area.current, edit);
    const left = fresh();
    showMatch(left[matchAfter(left, match.from + replacement.length)]);
  };
  const replaceAll = () => {
    const found = fresh();
    const edit = area.current && replaceMatches(area.current.value, found, replacement);
    if (!edit || !area.current) return;
    performEditElsewhere(area.current, edit);
    onShow([]);
    setReplaced(found.length);
  };
  return {
    words,
    count: matches.length,
    current,
    wasReplaced,
    replacement,
    setReplacement,
    isCaseKept,
    setCaseKept,
    step,
    replaceOne,
    replaceAll,
    look: (typed: string) => {
      setWords(typed);
      onShow([]);
      setReplaced(0);
    },
  };
}

interface Found {
  words: string;
  count: number;
  current: number;
  wasReplaced: number;
}

function countSentence({ words, count, current, wasReplaced }: Found): string {
  if (wasReplaced > 0) return `${wasReplaced} replaced. Undo reverts all of them.`;
  if (words === '') return 'Enter a search term.';
  if (count === 0) return 'No matches.';
  if (current === -1) return count === 1 ? '1 match' : `${count} matches`;
  return `${current + 1} of ${count}`;
}

/** Returns the selected text if it is short. */
function selectedWords(area: HTMLTextAreaElement | null): string {
  if (!area) return '';
  const selected = area.value.slice(area.selectionStart, area.selectionEnd);
  return selected.length > 100 || selected.includes('\n') ? '' : selected;
}

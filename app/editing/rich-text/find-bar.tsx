import type { Editor } from '@tiptap/core';
import type { Command } from '@tiptap/pm/state';
import { ArrowDown, ArrowUp, CaseSensitive, X } from 'lucide-react';
import { findNext, findPrev, getMatchHighlights, SearchQuery, setSearchState } from 'prosemirror-search';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { useEditorState } from './use-editor-state.ts';

interface Match {
  from: number;
  to: number;
}

interface FindBarProps {
  editor: Editor;
  onClose: () => void;
}

/** Finds and replaces text. The search starts with the selected text. */
export function FindBar({ editor, onClose }: FindBarProps) {
  const find = useFind(editor);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.nativeEvent.isComposing) return;
    const isInInput = event.target instanceof HTMLInputElement;
    if (event.key === 'Escape') onClose();
    else if (event.key === 'Enter' && isInInput) {
      if (event.target instanceof HTMLInputElement && event.target.dataset['replaces']) find.replaceOne();
      else find.run(event.shiftKey ? findPrev : findNext);
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
            value={find.query}
            onChange={(event) => find.searchFor(event.target.value)}
          />
        </Field>
        <Button
          variant={find.matchesCase ? 'secondary' : 'ghost'}
          size="icon"
          aria-label="Match case"
          aria-pressed={find.matchesCase}
          onClick={() => find.setMatchesCase(!find.matchesCase)}
        >
          <CaseSensitive aria-hidden="true" />
        </Button>
        <Button variant="ghost" size="icon" aria-label="Previous match" onClick={() => find.run(findPrev)}>
          <ArrowUp aria-hidden="true" />
        </Button>
        <Button variant="ghost" size="icon" aria-label="Next match" onClick={() => find.run(findNext)}>
          <ArrowDown aria-hidden="true" />
        </Button>
      </div>
      <div className="flex items-end gap-1.5">
        <Field label="Replace with" className="min-w-0 flex-1">
          <Input
            type="text"
            autoComplete="off"
            data-replaces="true"
            value={find.replacement}
            onChange={(event) => find.setReplacement(event.target.value)}
          />
        </Field>
        <Button variant="ghost" size="icon" aria-label="Close find and replace" onClick={onClose}>
          <X aria-hidden="true" />
        </Button>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-2 sm:col-span-2">
        <p role="status" className="text-sm text-muted">
          {statusText(find)}
        </p>
        <ReplaceButtons {...find} />
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

/** Manages the search and the replacement of its matches. */
function useFind(editor: Editor) {
  const [query, setQuery] = useState(() => selectedText(editor));
  const [replacement, setReplacement] = useState('');
  const [matchesCase, setMatchesCase] = useState(false);
  const [replacedCount, setReplacedCount] = useState(0);
  const { count, current } = useEditorState(editor, countOf);
  useEffect(() => {
    searchFor(editor, new SearchQuery({ search: query, caseSensitive: matchesCase, literal: true }));
    return () => searchFor(editor, new SearchQuery({ search: '' }));
  }, [editor, query, matchesCase]);
  const run = (command: Command) => {
    setReplacedCount(0);
    command(editor.state, editor.view.dispatch);
    // ProseMirror does not scroll to the selection while the input has the focus.
    editor.view.dom.querySelector('.ProseMirror-active-search-match')?.scrollIntoView({ block: 'center' });
  };
  // The library's commands would remove links and interpret dollar signs.
  const replace = (matches: readonly Match[]) => {
    const { tr } = editor.state;
    for (const { from, to } of matches.toReversed()) {
      const marks = tr.doc.resolve(from + 1).marks();
      if (replacement) tr.replaceWith(from, to, editor.schema.text(replacement, marks));
      else tr.delete(from, to);
    }
    editor.view.dispatch(tr);
  };
  return {
    query,
    count,
    current,
    replacedCount,
    replacement,
    setReplacement,
    matchesCase,
    setMatchesCase,
    run,
    replaceOne: () => {
      const match = matchesIn(editor)[current];
      if (match) replace([match]);
      run(findNext);
    },
    replaceAll: () => {
      replace(matchesIn(editor));
      setReplacedCount(count);
    },
    searchFor: (newQuery: string) => {
      setQuery(newQuery);
      setReplacedCount(0);
    },
  };
}

function searchFor(editor: Editor, query: SearchQuery): void {
  if (!editor.isDestroyed) editor.view.dispatch(setSearchState(editor.state.tr, query));
}

function matchesIn({ state }: Editor): Match[] {
  return getMatchHighlights(state).find();
}

function countOf(editor: Editor) {
  const { from, to } = editor.state.selection;
  const matches = matchesIn(editor);
  return { count: matches.length, current: matches.findIndex((match) => match.from === from && match.to === to) };
}

function statusText({ query, count, current, replacedCount }: ReturnType<typeof useFind>): string {
  if (replacedCount > 0) return `${replacedCount} replaced. Undo reverts all of them.`;
  if (query === '') return 'Enter a search term.';
  if (count === 0) return 'No matches.';
  if (current === -1) return count === 1 ? '1 match' : `${count} matches`;
  return `${current + 1} of ${count}`;
}

/** Returns the selected text if it is short. */
function selectedText({ state: { doc, selection } }: Editor): string {
  const selected = doc.textBetween(selection.from, selection.to, '\n', '');
  return selected.length > 100 || selected.includes('\n') ? '' : selected;
}

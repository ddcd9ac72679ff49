import { Extension } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { type EditorState, Plugin, PluginKey } from '@tiptap/pm/state';
import { Decoration, DecorationSet } from '@tiptap/pm/view';

export interface Match {
  from: number;
  to: number;
}

interface FindState {
  query: string;
  isCaseKept: boolean;
  matches: readonly Match[];
  /** Index of the current match, or -1. */
  current: number;
}

const NOTHING: FindState = { query: '', isCaseKept: false, matches: [], current: -1 };
const KEY = new PluginKey<FindState>('find');

/** Highlights the matches of a search. */
export const Find = Extension.create({
  name: 'find',
  addProseMirrorPlugins: () => [
    new Plugin<FindState>({
      key: KEY,
      state: {
        init: () => NOTHING,
        apply: (tr, previous) => {
          const changes: Partial<FindState> = tr.getMeta(KEY) ?? {};
          const next = { ...previous, ...changes };
          if (next.query === '' || (!tr.docChanged && changes.query === undefined)) return next;
          return { ...next, matches: findText(tr.doc, next.query, next.isCaseKept) };
        },
      },
      props: {
        decorations: (state) => {
          const { matches, current } = findState(state);
          const marks = matches.map(({ from, to }, index) =>
            Decoration.inline(from, to, { class: index === current ? 'rich-match rich-current' : 'rich-match' }),
          );
          return DecorationSet.create(state.doc, marks);
        },
      },
    }),
  ],
});

export function findState(state: EditorState): FindState {
  return KEY.getState(state) ?? NOTHING;
}

/** Changes the search. `query` is required to search again. */
export function search(state: EditorState, changes: Partial<FindState>) {
  return state.tr.setMeta(KEY, changes).setMeta('addToHistory', false);
}

/** Finds all occurrences within blocks. */
export function findText(doc: Node, query: string, isCaseKept: boolean): Match[] {
  if (query === '') return [];
  const pattern = new RegExp(query.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), isCaseKept ? 'gu' : 'giu');
  const matches: Match[] = [];
  doc.descendants((node, start) => {
    if (!node.isTextblock) return;
    // Other inline nodes count as one character, like in ProseMirror positions.
    const text = node.textBetween(0, node.content.size, undefined, '\ufffc');
    for (const { index, 0: match } of text.matchAll(pattern))
      matches.push({ from: start + 1 + index, to: start + 1 + index + match.length });
  });
  return matches;
}

/** Wording of the built-in assistant: links, quotes and lists in Markdown. */
import { keywords } from './search.ts';

/** The longest quote, in characters. */
const MAX_QUOTE = 320;

/** Text of the site that must not act as Markdown. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\`*_[\]<>!#|~]/g, '\\$&')
    .replace(/\s+/g, ' ')
    .trim();
}

export function link(label: string, path: string): string {
  return `[${escapeMarkdown(label)}](${path})`;
}

export function list(lines: string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}

/** A sentence of so many characters completes the one before it: "Ours is forty." */
const MAX_ADDED = 40;

/** Returns the sentences in a row, at most MAX_QUOTE characters, that have the most words of a question. */
export function bestSentences(text: string, question: string): string {
  const asked = new Set(keywords(question));
  const sentences = sentencesOf(text);
  const shared = sentences.map((sentence) => keywords(sentence).filter((term) => asked.has(term)));
  const runs = sentences.flatMap((_sentence, from) =>
    [1, 2, 3].flatMap((length) => {
      const run = sentences.slice(from, from + length).join(' ');
      const words = new Set(shared.slice(from, from + length).flat()).size;
      return length === 1 || run.length <= MAX_QUOTE ? [{ from, length, words, run }] : [];
    }),
  );
  const [best] = runs.sort((a, b) => b.words - a.words || a.length - b.length || a.from - b.from);
  if (!best) return '';
  const next = sentences[best.from + best.length] ?? '';
  return shorten(next && next.length <= MAX_ADDED ? `${best.run} ${next}` : best.run, MAX_QUOTE);
}

/** The sentences of a plain text. */
export function sentencesOf(text: string): string[] {
  return text.match(/[^.!?]+(?:[.!?]+(?=\s|$)|$)|[^.!?]+[.!?]+/g)?.map((part) => part.trim()) ?? [];
}

/** Cuts at a word. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length).replace(/\s+\S*$/, '')}…`;
}

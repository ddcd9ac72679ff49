/** Helpers of the built-in assistant for Markdown: links, quotes and lists. */
import { keywords } from './search.ts';

/** Maximum characters of a quote. */
const MAX_QUOTE = 320;

/** Escapes a text of the site, so that it is not parsed as Markdown. */
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

/** A sentence of at most this length is added to the one before it: "Ours is forty." */
const MAX_ADDED = 40;

/** Returns consecutive sentences, at most MAX_QUOTE characters, with the most words of a question. */
export function bestSentences(text: string, question: string): string {
  const subjects = new Set(keywords(question));
  const sentences = sentencesOf(text);
  const shared = sentences.map((sentence) => keywords(sentence).filter((term) => subjects.has(term)));
  const excerpts = sentences.flatMap((_, from) =>
    [1, 2, 3].flatMap((length) => {
      const excerpt = sentences.slice(from, from + length).join(' ');
      const words = new Set(shared.slice(from, from + length).flat()).size;
      return length === 1 || excerpt.length <= MAX_QUOTE ? [{ from, length, words, run: excerpt }] : [];
    }),
  );
  const [best] = excerpts.sort((a, b) => b.words - a.words || a.length - b.length || a.from - b.from);
  if (!best) return '';
  const next = sentences[best.from + best.length] ?? '';
  return shorten(next && next.length <= MAX_ADDED ? `${best.run} ${next}` : best.run, MAX_QUOTE);
}

/** Splits a plain text into sentences. */
export function sentencesOf(text: string): string[] {
  return text.match(/[^.!?]+(?:[.!?]+(?=\s|$)|$)|[^.!?]+[.!?]+/g)?.map((part) => part.trim()) ?? [];
}

/** Truncates a text between two words. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length).replace(/\s+\S*$/, '')}…`;
}

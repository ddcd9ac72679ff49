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

/** The one or two sentences that share the most words with the question, or the first one. */
export function bestSentences(text: string, question: string): string {
  const asked = new Set(keywords(question));
  const ranked = sentencesOf(text)
    .map((sentence, position) => ({
      sentence,
      position,
      shared: keywords(sentence).filter((term) => asked.has(term)).length,
    }))
    .filter(({ sentence }) => sentence.length > 20)
    .sort((a, b) => b.shared - a.shared || a.position - b.position)
    .slice(0, 2)
    .sort((a, b) => a.position - b.position);
  return shorten(ranked.map(({ sentence }) => sentence).join(' '), MAX_QUOTE);
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

import type { Token, Tokens } from 'marked';
import { type AnyToken, asKnownToken, parseCallout, readMarkdown } from './markdown.ts';

/**
 * Returns the plain text of Markdown on one line. Footnotes are at the end, and videos are omitted. Entities are not decoded,
 * because callers treat the result as HTML.
 */
export function markdownText(markdown: string): string {
  const { tokens, notes } = readMarkdown(markdown);
  return [tokens, ...notes.map((note) => note.tokens)].map(plainText).join(' ').replace(/\s+/g, ' ').trim();
}

export function plainText(tokens: readonly Token[]): string {
  return tokens.map((token) => ` ${plainTextOfToken(asKnownToken(token))}`.slice(isInline(token) ? 1 : 0)).join('');
}

function plainTextOfToken(token: AnyToken): string {
  if (token.type === 'list') return plainText(token.items);
  if (token.type === 'table') return listCells(token).map(plainText).join(' ');
  if (token.type === 'br') return ' ';
  if (token.type === 'note') return '';
  if (token.type === 'noteMark') return token.number === null ? token.raw : '';
  if (token.type === 'blockquote') return plainText(parseCallout(token)?.tokens ?? token.tokens);
  if ('tokens' in token && token.tokens) return plainText(token.tokens);
  return 'text' in token ? token.text : '';
}

function listCells({ header, rows }: Tokens.Table): Token[][] {
  return [header, ...rows].flat().map(({ tokens }) => tokens);
}

/** Blocks are separated by a space, inline elements are not. */
function isInline({ type }: Token): boolean {
  return ['text', 'strong', 'em', 'del', 'codespan', 'link', 'image', 'escape', 'html', 'noteMark'].includes(type);
}

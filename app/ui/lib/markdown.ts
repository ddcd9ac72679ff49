/**
 * Parses Markdown to tokens of the marked library. Supports GitHub's flavour, footnotes, callouts, and videos by URL.
 * The limits below bound the parsing time for any input.
 */
import { Marked, type MarkedToken, type Token, type TokenizerAndRendererExtension, type Tokens } from 'marked';
import { parseVideoUrl, type Video } from './video-url.ts';

/** URL on its own line. */
export interface VideoToken {
  type: 'video';
  raw: string;
  url: string;
  video: Video;
}

/** Footnote reference. Rendered as text if there is no matching note. */
export interface NoteMarkToken {
  type: 'noteMark';
  raw: string;
  label: string;
  /** Number of the note, from 1, or null. */
  number: number | null;
  /** Index among the references to the note, from 1. */
  occurrence: number;
}

interface NoteToken {
  type: 'note';
  raw: string;
  label: string;
  tokens: Token[];
}

export type AnyToken = MarkedToken | VideoToken | NoteMarkToken | NoteToken;

/** Footnote with at least one reference. */
export interface Note {
  number: number;
  /** Number of references. */
  marks: number;
  tokens: Token[];
}

export interface MarkdownDocument {
  tokens: Token[];
  /** In order of their first reference. */
  notes: Note[];
}

/** Maximum nesting. Deeper parts are shown as source. */
const MAX_DEPTH = 30;
/** Paragraphs with more emphasis marks are treated as plain text, because matching the marks takes quadratic time. */
const MAX_MARKS = 2000;
/** Finding URLs in a long word takes quadratic time, so long words become plain text. */
const LONG_WORD = /^\S{2000,}/;
const CHUNK_LENGTH = 1000;
const MAX_COLUMNS = 100;
/** Maximum offset in a paragraph at which a video or note without a preceding empty line is recognised. */
const MAX_LOOK_AHEAD = 4000;

/** Parses a text. Never throws, because text that cannot be parsed becomes one plain paragraph. */
export function readMarkdown(text: string): MarkdownDocument {
  try {
    const tokens = parser.lexer(text);
    flatten(tokens, 0);
    return { tokens, notes: numberNotes(tokens) };
  } catch {
    // Stack overflow from deep nesting.
    return { tokens: [plainParagraph(text)], notes: [] };
  }
}

/** Narrows a token of readMarkdown(). */
export function asKnownToken(token: Token): AnyToken {
  return token as AnyToken;
}

/** Yields all tokens in document order. */
export function* everyToken(tokens: readonly Token[]): Generator<AnyToken> {
  for (const token of tokens) {
    yield asKnownToken(token);
    for (const part of childLists(token)) yield* everyToken(part);
  }
}

/** Child token lists of a token. */
function childLists(token: Token): Token[][] {
  const { type, tokens, items, header, rows }: Tokens.Generic = token;
  if (type === 'list') return [items];
  if (type === 'table') return [header, ...rows].flat().map((cell: Tokens.TableCell) => cell.tokens);
  return tokens ? [tokens] : [];
}

const CALLOUTS = ['note', 'tip', 'important', 'warning', 'caution'] as const;
export type Callout = (typeof CALLOUTS)[number];

/** Parses a quote that begins with [!NOTE] or similar, as on GitHub. Null for other quotes. */
export function parseCallout({ tokens }: Tokens.Blockquote): { kind: Callout; tokens: Token[] } | null {
  const [first, ...otherTokens] = tokens;
  if (first?.type !== 'paragraph') return null;
  const [mark, name] = /^\[!(\w+)\][ \t]*(?:\n|$)/.exec(first['text']) ?? [];
  const kind = CALLOUTS.find((callout) => callout === name?.toLowerCase());
  const [opening, ...inlineTokens] = first.tokens ?? [];
  if (!mark || !kind || opening?.type !== 'text' || !opening.raw.startsWith(mark.trimEnd())) return null;
  const remainingText = opening.raw.slice(mark.trimEnd().length).trimStart();
  const inline = [...(remainingText ? [{ ...opening, raw: remainingText, text: remainingText }] : []), ...inlineTokens];
  if (!remainingText && inlineTokens[0]?.type === 'br') inline.shift();
  return { kind, tokens: inline.length > 0 ? [{ ...first, tokens: inline }, ...otherTokens] : otherTokens };
}

const video: TokenizerAndRendererExtension = {
  name: 'video',
  level: 'block',
  start: (src) =>
    findLine(src, ['://', '/storage/'], /\n {0,3}(\S+)[ \t]*(?=\n|$)/g, (line) => parseVideoLine(line) !== null),
  tokenizer(src) {
    const [raw, line] = /^ {0,3}(\S{1,500})[ \t]*(?:\n+|$)/.exec(src) ?? [];
    const match = line ? parseVideoLine(line) : null;
    return raw && line && match ? { type: 'video', raw, url: stripAngleBrackets(line), video: match } : undefined;
  },
};

function parseVideoLine(line: string): Video | null {
  return /^<?(?:http|\/)/i.test(line) ? parseVideoUrl(stripAngleBrackets(line)) : null;
}

function stripAngleBrackets(line: string): string {
  return line.startsWith('<') && line.endsWith('>') ? line.slice(1, -1) : line;
}

const NOTE_START = /^ {0,3}\[\^([^\]\s]{1,100})\]:[ \t]*/;
/** Matches the first paragraph of a footnote, and the following paragraphs that are indented by four spaces. */
const NOTE_TEXT = /[^\n]*(?:\n(?![ \t]*(?:\n|$)| {0,3}(?:\[\^|#))[^\n]*|\n(?:[ \t]*\n)*(?: {4}|\t)[^\n]*)*\n*/y;

const note: TokenizerAndRendererExtension = {
  name: 'note',
  level: 'block',
  start: (src) => findLine(src, ['[^'], /\n {0,3}(\[\^[^\]\s]{1,100}\]:)/g, () => true),
  tokenizer(src) {
    const [start, label] = NOTE_START.exec(src) ?? [];
    if (start === undefined || label === undefined) return undefined;
    NOTE_TEXT.lastIndex = start.length;
    const text = NOTE_TEXT.exec(src)?.[0] ?? '';
    const tokens = this.lexer.blockTokens(text.replace(/^(?: {4}|\t)/gm, '').trimEnd(), []);
    return { type: 'note', raw: start + text, label, tokens };
  },
};

const noteMark: TokenizerAndRendererExtension = {
  name: 'noteMark',
  level: 'inline',
  start: (src) => src.indexOf('[^'),
  tokenizer(src) {
    const [raw, label] = /^\[\^([^\]\s]{1,100})\]/.exec(src) ?? [];
    return raw && label ? { type: 'noteMark', raw, label, number: null, occurrence: 1 } : undefined;
  },
};

/** Returns the start index of the first matching line in a paragraph, or undefined. */
function findLine(
  src: string,
  markers: readonly string[],
  pattern: RegExp,
  matchesLine: (line: string) => boolean,
): number | undefined {
  const lookahead = src.slice(0, MAX_LOOK_AHEAD);
  if (!markers.some((marker) => lookahead.includes(marker))) return undefined;
  const end = lookahead.indexOf('\n\n');
  const paragraph = end < 0 ? lookahead : lookahead.slice(0, end);
  for (const match of paragraph.matchAll(pattern)) if (matchesLine(match[1] ?? '')) return match.index + 1;
  return undefined;
}

/** True if a paragraph has too many emphasis marks. Caches the last result, because it is called for each mark. */
const hasTooManyMarks = (() => {
  let last = '';
  let isOverLimit = false;
  return (paragraph: string) => {
    if (paragraph !== last) {
      last = paragraph;
      isOverLimit = paragraph.length > MAX_MARKS && (paragraph.match(/[*_~]+/g)?.length ?? 0) > MAX_MARKS;
    }
    return isOverLimit;
  };
})();

/** Tokenizers return false to delegate to the library, and undefined for no match. */
const parser = new Marked({
  extensions: [video, note, noteMark],
  tokenizer: {
    emStrong: (_src, masked) => (hasTooManyMarks(masked) ? undefined : false),
    del: (_src, masked) => (hasTooManyMarks(masked) ? undefined : false),
    inlineText: (src) => {
      if (!LONG_WORD.test(src)) return false;
      const raw = src.slice(0, CHUNK_LENGTH);
      return { type: 'text', raw, text: raw, escaped: false };
    },
    table: (src) => {
      const [, rule = ''] = src.split('\n', 2);
      return rule.split('|').length > MAX_COLUMNS ? undefined : false;
    },
  },
});

/** Replaces parts that are nested too deeply with their source. */
function flatten(tokens: Token[], depth: number): void {
  for (const [index, token] of tokens.entries()) {
    if (depth > MAX_DEPTH && token.type !== 'list_item')
      tokens[index] = { type: 'escape', raw: token.raw, text: token.raw };
    else for (const part of childLists(token)) flatten(part, depth + 1);
  }
}

function plainParagraph(text: string): Tokens.Paragraph {
  return { type: 'paragraph', raw: text, text, tokens: [{ type: 'escape', raw: text, text }] };
}

/** Numbers all references and moves notes out of the text. */
function numberNotes(tokens: Token[]): Note[] {
  const notesByLabel = new Map<string, NoteToken>();
  for (const token of everyToken(tokens)) if (token.type === 'note') notesByLabel.set(token.label.toLowerCase(), token);
  if (notesByLabel.size === 0) return [];
  const notes: Note[] = [];
  const numbers = new Map<NoteToken, number>();
  const visit = (part: readonly Token[]): void => {
    for (const mark of part.map(asKnownToken)) {
      if (mark.type === 'note') continue;
      if (mark.type !== 'noteMark') for (const inner of childLists(mark)) visit(inner);
      else {
        const target = notesByLabel.get(mark.label.toLowerCase());
        if (!target) continue;
        const number = numbers.get(target) ?? numbers.size + 1;
        numbers.set(target, number);
        const entry = notes[number - 1] ?? { number, marks: 0, tokens: target.tokens };
        notes[number - 1] = entry;
        entry.marks += 1;
        mark.number = number;
        mark.occurrence = entry.marks;
      }
    }
  };
  visit(tokens);
  // Notes may refer to other notes, which are appended during the loop.
  for (const note of notes) visit(note.tokens);
  return notes;
}

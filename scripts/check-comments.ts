/**
 * Rejects comments and headings of decisions that start with a question word, such as What or Whether, because such
 * sentences are hard to read. A function's comment starts with a verb, a type's with a noun, and a decision with its
 * subject. Part of `npm run check`.
 */
import { globSync, readFileSync } from 'node:fs';

/** Block comments at the start of a line, including JSX, and runs of line comments. */
const COMMENT = /^[ \t]*(?:\{?\/\*+(?<block>[\s\S]*?)\*\/|\/\/(?<lines>.*(?:\r?\n[ \t]*\/\/.*)*))/gm;

const QUESTION_WORD = /^[\s*]*(?<word>Wh(?:at|en|ere|ich|o|om|ose|ether|y)(?:ever)?|How(?:ever)?)(?![\p{L}\p{N}_])/u;

/** Lists the comments that start with a question word. `path` is relative to the project. */
export function questionsInComments(path: string, source: string): string[] {
  return [...source.matchAll(COMMENT)].flatMap(({ index, groups }) => {
    const word = QUESTION_WORD.exec(groups?.['block'] ?? groups?.['lines'] ?? '')?.groups?.['word'];
    const line = source.slice(0, index).split('\n').length;
    return word ? [`${path}:${line}: start the comment with a verb or noun instead of ${word}`] : [];
  });
}

/** Lists the headings that start with a question word. */
export function questionsInHeadings(path: string, text: string): string[] {
  return [...text.matchAll(/^#{1,6} (?<heading>.*)$/gm)].flatMap(({ index, groups }) => {
    const word = QUESTION_WORD.exec(groups?.['heading'] ?? '')?.groups?.['word'];
    const line = text.slice(0, index).split('\n').length;
    return word ? [`${path}:${line}: name the subject in the heading instead of starting with ${word}`] : [];
  });
}

if (import.meta.main) {
  const files = globSync('{app,packages,server,scripts,supabase/functions,tests,bench}/**/*.{ts,tsx,mjs,css}', {
    exclude: ['**/*.gen.ts'],
  });
  const decisions = globSync('docs/decisions/*.md');
  const found = [
    ...files.flatMap((file) => questionsInComments(file, readFileSync(file, 'utf8'))),
    ...decisions.flatMap((file) => questionsInHeadings(file, readFileSync(file, 'utf8'))),
  ];
  for (const question of found) console.error(question);
  process.exit(found.length > 0 ? 1 : 0);
}

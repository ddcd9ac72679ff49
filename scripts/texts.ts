/** `npm run texts`: lists the texts that people can read on screens, in mails and in messages, in the order of the files. */
import { globSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'vite';

/** Matches a sentence or a label of several words, but not a key, a class name or an identifier. */
const TEXT = /^["“]?\p{Lu}.* /su;

/** Messages and mails of SQL functions. A doubled quote is part of the text. */
const SQL_STRING = /'((?:[^']|'')*)'/g;

interface Text {
  start: number;
  text: string;
}

/** Lists the texts of a file as `path:line: text`. `path` is relative to the project. */
export function listTexts(path: string, source: string): string[] {
  return (path.endsWith('.sql') ? listSqlTexts(source) : listScriptTexts(path, source))
    .map(({ start, text }) => ({ start, text: text.replaceAll(/\s+/g, ' ').trim() }))
    .filter(({ text }) => TEXT.test(text))
    .map(({ start, text }) => `${path}:${source.slice(0, start).split('\n').length}: ${text}`);
}

function listSqlTexts(source: string): Text[] {
  // Comments keep their length, so positions stay the same.
  const code = source.replaceAll(/--.*/g, (comment) => ' '.repeat(comment.length));
  return [...code.matchAll(SQL_STRING)].map(({ index, 1: text = '' }) => ({
    start: index,
    text: text.replaceAll("''", "'"),
  }));
}

function listScriptTexts(path: string, source: string): Text[] {
  const texts: Text[] = [];
  new Visitor({
    JSXText: ({ start, value }) => texts.push({ start, text: value }),
    Literal: ({ start, value }) => typeof value === 'string' && texts.push({ start, text: value }),
    TemplateLiteral: ({ start, quasis }) =>
      texts.push({ start, text: quasis.map(({ value }) => value.raw).join('...') }),
  }).visit(parseSync(path, source).program);
  return texts;
}

if (import.meta.main) {
  const files = globSync(
    [
      '{app,server,supabase/functions,packages/backend/src,scripts}/**/*.{ts,tsx,mjs}',
      'supabase/{schemas/**/*,seed}.sql',
    ],
    { exclude: ['**/*.gen.ts', '**/*.test.*', '**/node_modules/**'] },
  ).sort();
  for (const file of files) for (const text of listTexts(file, readFileSync(file, 'utf8'))) console.log(text);
}

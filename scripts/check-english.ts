/**
 * Rejects phrases that make a sentence hard to read, in code, comments, test titles and docs, and suggests a replacement.
 * Comments, except in SQL, and headings in docs/decisions/ may not start with a question word. The terms of the project
 * are in docs/glossary.md. Part of `npm run check`.
 */
import { globSync, readFileSync } from 'node:fs';

/** A phrase, and the wording that replaces it. */
const PATTERNS: readonly { phrase: RegExp; instead: string }[] = [
  { phrase: /\bwh(?:at|o|om|ich)ever\b/i, instead: 'name the person or thing, such as "anyone with the link"' },
  { phrase: /\b(?:some|any)body\b/i, instead: 'name the role: a visitor, an editor, the caller, "anyone"' },
  { phrase: /\bnobody\b(?!@)/i, instead: 'turn the sentence around ("Only admins can ...") or write "no one"' },
  { phrase: /\b(?:about|at|by|for|from|in|of|on|to|under|with) whom\b/i, instead: 'name the person' },
  { phrase: /\b(?:of|to|by|for|after|before|without) which\b/i, instead: 'start a new sentence' },
  { phrase: /\b(?:is|are|was|were|be|has|have|had) none\b/i, instead: 'write null, empty, missing or "no ..."' },
  { phrase: /\bnone of (?:it|its|them|these|those|which)\b/i, instead: 'name what is missing or unknown' },
  { phrase: /\btold\b/i, instead: 'write notified, reported, returned or shown' },
  { phrase: /\bstands?\b(?! for\b)/i, instead: 'write is, is shown, is listed or remains' },
  { phrase: /\bgoes\b/i, instead: 'write is sent, is deleted, expires, moves or returns' },
  { phrase: /\bbrings?\b/i, instead: 'write imports, returns, restores or opens' },
  {
    phrase: /\b(?:it|he|she|page|server|answer|screen|button|form|message|which|that|who) knows\b/i,
    instead: 'write supports, stores or accepts',
  },
  { phrase: /(?<!public\.)\bleads to\b/i, instead: 'write links to, opens or causes' },
  { phrase: /\bsays so\b/i, instead: 'name the message or the state that is shown' },
  // "what is wrong" and questions are idiomatic.
  {
    phrase: /\bwhat (?:is(?! wrong)|are|was|were|it(?! shows)|they|waits|stands)\b(?![^.]*\?)/,
    instead: 'use the noun',
  },
  { phrase: /\bisOf[A-Z]/, instead: 'name the state that the predicate checks, such as isItemPath' },
  { phrase: /\b(?:by then|that is there|such that|who asks|once more|for ever|anew)\b/i, instead: 'use plain words' },
];

/** Files, or texts in them, in which these phrases are allowed, with the reason. */
const EXCEPTIONS: readonly { files: string; text?: string; reason: string }[] = [
  { files: 'app/content/', reason: 'Marketing copy of the starter content.' },
  { files: 'supabase/seed.sql', reason: 'Marketing copy of the starter content.' },
  { files: 'supabase/functions/ai-chat/built-in/intents.ts', reason: "Visitors' questions." },
  { files: 'supabase/functions/ai-chat/built-in/dictionary.ts', reason: "Visitors' words." },
  { files: 'supabase/functions/ai-chat/guard/', reason: 'Phrases that make the guard reject a reply.' },
  { files: 'supabase/functions/ai-chat/built-in-assistant.test.ts', reason: "Visitors' questions." },
  { files: 'supabase/functions/ai-chat/search.test.ts', reason: "Visitors' questions." },
  { files: 'supabase/functions/campaign-events/same-text.test.ts', text: 'whoever at', reason: 'Sample email.' },
  { files: 'tests/assistant/', reason: "Visitors' questions and replies of models." },
  { files: 'tests/attacks/upstream-guard-attempts.ts', reason: 'Replies of models.' },
  { files: 'tests/attacks/saml-signature-wrapping.ts', text: 'Be Whoever You Want to Be', reason: 'Title of a paper.' },
  { files: 'tests/e2e/admin-layout.spec.ts', text: 'outbound brings', reason: 'Title of a certain length.' },
  { files: 'tests/', text: 'Can I talk to somebody?', reason: "A visitor's question." },
  { files: 'packages/backend/', text: 'None of these media types', reason: 'Message of PostgREST.' },
  { files: 'docs/decisions/built-in-database.md', text: '`nobody`', reason: 'Name of a Unix account.' },
];

/** Lists the rejected phrases in a file, with their lines. `path` is relative to the project. */
export function findPhrases(path: string, source: string): string[] {
  const exceptions = EXCEPTIONS.filter(({ files }) => path.startsWith(files));
  if (exceptions.some(({ text }) => text === undefined)) return [];
  return source.split('\n').flatMap((line, index) => {
    const checkedText = exceptions.reduce((rest, { text = '' }) => rest.replaceAll(text, ''), line);
    return PATTERNS.flatMap(({ phrase, instead }) => {
      const match = phrase.exec(checkedText);
      return match ? [`${path}:${index + 1}: "${match[0]}": ${instead}`] : [];
    });
  });
}

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

const EXCLUDED_FILES = [
  // Generated files and packages.
  '**/*.gen.ts',
  '**/node_modules/**',
  // Frozen, because they have been applied to databases.
  '**/bootstrap/**',
  'supabase/migrations/**',
  // Exports of other programs, and the results that tests expect.
  '**/fixtures/**',
  // Contain the rejected phrases.
  'scripts/check-english*',
];

if (import.meta.main) {
  const files = globSync(
    ['{app,packages,server,scripts,supabase,tests,bench}/**/*.{ts,tsx,mjs,css,sql,md}', 'docs/**/*.md', '*.md'],
    { exclude: EXCLUDED_FILES },
  ).sort();
  const problems = files.flatMap((file) => {
    const source = readFileSync(file, 'utf8');
    const questions = file.startsWith('docs/decisions/')
      ? questionsInHeadings
      : /\.(?:md|sql)$/.test(file)
        ? () => []
        : questionsInComments;
    return [...findPhrases(file, source), ...questions(file, source)];
  });
  for (const problem of problems) console.error(problem);
  process.exit(problems.length > 0 ? 1 : 0);
}

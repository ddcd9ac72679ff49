/**
 * Finds regular expressions of the server with superlinear backtracking, which a single request could use to block all
 * others. The analysis is static, so the speed of the machine is irrelevant. The chat and the report summaries are
 * excluded. A conversation has at most 24,000 characters (prompt.ts), and analysing their word lists takes gigabytes of
 * memory.
 */
import { globSync, readFileSync } from 'node:fs';
import { isSafe } from 'redos-detector';
import { expect, test } from 'vitest';
import { EMAIL_PATTERN } from '../../packages/backend/src/http/email-pattern.ts';

/** A literal, at a position where a value and not a division can follow. */
const LITERAL =
  /(?<=(?:[=(,:!&|?[{>]|\breturn)\s{0,20})\/(?<source>(?![*/])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/(?<flags>[dgimsuvy]*)(?=[\s.,;)\]:?]|$)/gm;

const LIMITS = { maxScore: 200, maxSteps: 20_000, timeout: Number.POSITIVE_INFINITY };

/** Files whose expressions only match texts of the owner, the database or this repository. */
const TRUSTED_TEXT_FILES = [
  'packages/backend/src/auth/admin/users.ts',
  'packages/backend/src/auth/redirects.ts',
  'packages/backend/src/auth/saml/self-signed-certificate.ts',
  'packages/backend/src/auth/saml/service-provider.ts',
  'packages/backend/src/config.ts',
  'packages/backend/src/provider-settings.ts',
  'packages/backend/src/database/exchange.ts',
  'packages/backend/src/database/text-array.ts',
  // Templates and their output contain visitors' texts only without "<".
  'server/mails/templates.ts',
  'packages/backend/src/export-import/load-rows.ts',
  'packages/backend/src/point-in-time/backup-store.ts',
  'packages/backend/src/point-in-time/chains.ts',
  'packages/backend/src/point-in-time/copy-folder.ts',
  'packages/backend/src/postgres/binaries.ts',
  'packages/backend/src/postgres/built-in-server.ts',
  'packages/backend/src/postgres/data-folder.ts',
  'packages/backend/src/postgres/postgres-process.ts',
  'packages/backend/src/rest/respond/openapi.ts',
  'packages/backend/src/storage/bytes/check-bucket.ts',
  'server/security-headers.ts',
];

/** Expressions that the analysis reports although they are linear or their text is short, with the reason. */
const LINEAR_PATTERNS: Record<string, string> = {
  [String.raw`(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])`]:
    'the lookbehind lets only one match begin in a run of backslashes',
  [String.raw`(?:^|;\s*)sb-browser=([A-Za-z0-9_-]{43})(?:;|$)`]: 'an attempt ends at the next semicolon',
  [String.raw`^(localhost|127\.0\.0\.1|(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,})(?::\d{1,5})?$`]:
    'labels have at most 63 characters and end in a dot',
  [String.raw`\(.*$`]: 'the first parenthesis matches to the end',
  '[/?#].*$': 'the first character matches to the end',
  [String.raw`:\d*$`]: 'an attempt ends at the next colon',
  [String.raw`\{[^{}]*\}`]: 'sticky: one attempt',
  [String.raw`"((?:[^"\\]|\\.)*)"`]: 'sticky: one attempt',
  [String.raw`<!--[\s\S]*?(?:-->|$)|<\?[\s\S]*?(?:\?>|$)`]: 'matches to the end in any case, so no text is read twice',
  [String.raw`^\s*(?:<!DOCTYPE\s+svg\b[^>[]*(?:\[[^\]]*\])?[^>]*>)?\s*<(?:\w+:)?svg[\s>/]`]:
    'anchored: the parts exclude each other',
  [String.raw`<(?:!DOCTYPE\s+html|html|head|body|script|iframe|object|embed|form|style|meta|link|img|svg|title|table|div|p|a|h\d|br)[\s>/]`]:
    'an attempt ends at the next "<"',
  [EMAIL_PATTERN.source]: 'anchored: the parts exclude each other',
  [String.raw`(?:^|; *)preview=([\w-]{1,100})(?:;|$)`]: 'an attempt ends at the next semicolon',
  [String.raw`^[^?#]*\/\/|^[^?#]+\/(?:[?#]|$)`]: 'anchored: two attempts',
  [String.raw`:\d+$`]: 'an attempt ends at the next colon',
  [String.raw`<!ENTITY\s+([A-Za-z_][\w.-]{0,60})\s+(["'])([^"'<>&%]{0,100})\2\s*>`]: 'an attempt ends at the next "<"',
  [String.raw`\bclass\s*=\s*["']?[^"'>]{0,100}\b(?:gmail_quote|gmail_signature|signature|moz-cite-prefix|yahoo_quoted)\b`]:
    'an attempt reads at most a hundred characters',
  [String.raw`(?:^|\s)(?:wrote|writes|schrieb|skrev|skriver|schreef|a écrit|écrit|escribió|escreveu|ha scritto|scrisse|kirjoitti|napisał(?:\(a\))?)(?=[\s:,(]|$)`]:
    'an attempt reads one word',
  [String.raw`<([^<>]+)>\s*$`]: 'an attempt ends at the next "<"',
  [String.raw`\{\{([^{}]*)\}\}|\{([^{}]*)\}|%([a-z][a-z0-9_]{1,40})%|\[\[([^[\]]*)\]\]`]:
    'an attempt ends at the next bracket of its kind',
  [String.raw`([^{}]+)\{([^{}]*)\}`]: 'style sheets in pictures of admins',
  [String.raw`url\(\s*['"]?\s*#([^'")\s]+)`]: 'style sheets in pictures of admins',
  [String.raw`[\\<]|expression|javascript|-moz-binding|behaviou?r\s*:`]: 'style sheets in pictures of admins',
};

interface Pattern {
  file: string;
  source: string;
  flags: string;
}

function findPatterns(file: string, code: string): Pattern[] {
  return [...code.matchAll(LITERAL)].map(({ groups }) => ({
    file,
    source: groups?.['source'] ?? '',
    flags: groups?.['flags'] ?? '',
  }));
}

function isSlow({ source, flags }: Pattern): boolean {
  // The analysis supports neither named groups nor "i" with "u". Neither affects the backtracking.
  const unnamed = source.replaceAll(/\(\?<\w+>/g, '(');
  return !isSafe(new RegExp(unnamed, flags.includes('u') ? flags.replace('i', '') : flags), LIMITS).safe;
}

const files = globSync('{packages/backend/src,server,supabase/functions}/**/*.ts').filter(
  (file) => !/\.test\.|\/(ai-chat|report-summary)\//.test(file),
);
const patterns = files.toSorted().flatMap((file) => findPatterns(file, readFileSync(file, 'utf8')));

test('Regular expressions that match texts of visitors are linear', () => {
  expect(patterns.length).toBeGreaterThan(200);
  const slow = patterns
    .filter(({ file, source }) => !TRUSTED_TEXT_FILES.includes(file) && !(source in LINEAR_PATTERNS))
    .filter(isSlow);
  expect(slow).toEqual([]);
});

test('Every exception is still needed', () => {
  const sources = new Set(patterns.map(({ source }) => source));
  expect(Object.keys(LINEAR_PATTERNS).filter((source) => !sources.has(source))).toEqual([]);
  expect(TRUSTED_TEXT_FILES.filter((file) => !files.includes(file))).toEqual([]);
});

test('Samples of slow expressions are reported', () => {
  const samples = [
    String.raw`const quoted = /^[ \t]*(?:on|am) [^\n]{6,120}(?:wrote|skrev)[^\n]{0,80}:?[ \t]*$/im;`,
    String.raw`return text.replace(/\s+$/, '');`,
    String.raw`if (/^(?:\w+\s?)+$/.test(text)) return;`,
    'match(/(?<user>[^@]+)@(?<host>[^@]+)$/iu)',
  ];
  for (const code of samples) expect(findPatterns('planted.ts', code).filter(isSlow), code).toHaveLength(1);
  expect(findPatterns('planted.ts', String.raw`text.replace(/\s+/g, ' ') / 2 / x`).filter(isSlow)).toEqual([]);
});

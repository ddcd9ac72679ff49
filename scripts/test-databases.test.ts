import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EMBEDDED_ONLY, excludedFrom, NATIVE_ONLY, SERVER_IS_ENOUGH } from './test-databases.ts';

const ROOT = join(import.meta.dirname, '..');

const filesOf = (patterns: readonly string[]) => globSync([...patterns], { cwd: ROOT }).toSorted();

const RUN = filesOf(['tests/{api,policies,attacks}/**/*.test.ts']);

/** Lists the modules that a test imports, itself and by the helpers beside it. */
function importsOf(file: string, seen = new Set<string>()): Set<string> {
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+\.ts)'/g)) {
    const imported = join(file, '..', path);
    if (seen.has(imported)) continue;
    seen.add(imported);
    if (imported.includes('/tests/support/')) importsOf(imported, seen);
  }
  return seen;
}

const touchesDatabase = (file: string) =>
  [...importsOf(join(ROOT, file))].some((path) =>
    /tests\/support\/(test-database|native-postgres|site)\.ts$/.test(path),
  );

test('Each name in the lists is a test, which no other list has', () => {
  const lists = [EMBEDDED_ONLY, SERVER_IS_ENOUGH, NATIVE_ONLY];
  const named = lists.flatMap((list) => list.flatMap(namesOf)).filter((name) => !name.endsWith('**'));
  expect(named.filter((name) => !RUN.includes(name))).toEqual([]);
  expect(lists.map(filesOf).reduce((sum, files) => sum + files.length, 0)).toBe(filesOf(lists.flat()).length);
});

test('Every test of the API, the policies and the attacks runs on one of the databases at least', () => {
  const [onServer, onPglite] = ['postgres', 'embedded'].map((database) => filesOf(excludedFrom(database)));
  expect(RUN.filter((file) => onServer?.includes(file) && onPglite?.includes(file))).toEqual([]);
});

test('What opens no database runs once', () => {
  const without = RUN.filter((file) => !touchesDatabase(file));
  expect(without).toContain('tests/api/stored-zip.test.ts');
  const once = filesOf([...EMBEDDED_ONLY, ...SERVER_IS_ENOUGH, ...NATIVE_ONLY]);
  expect(without.filter((file) => !once.includes(file))).toEqual([]);
});

test('The table API, sessions, files and their consistency, readiness and old databases run on both', () => {
  const excluded = new Set(['postgres', 'embedded'].flatMap((database) => filesOf(excludedFrom(database))));
  const both = filesOf([
    'tests/api/rest-{aggregates,computed,embed,errors,openapi,read,rpc,schemas,transactions,write}.test.ts',
    'tests/api/{auth-sessions,old-databases,one-connection,readiness,storage-consistency,storage-files}.test.ts',
    'tests/attacks/{database,rest-bodies,rest-bytes,statement-timeout}.test.ts',
  ]);
  expect(both).toHaveLength(20);
  expect(both.filter((file) => excluded.has(file))).toEqual([]);
});

/** Returns the names that braces stand for. */
function namesOf(pattern: string): string[] {
  const [all, before = '', choices = '', after = ''] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(pattern) ?? [];
  return all === undefined ? [pattern] : choices.split(',').flatMap((choice) => namesOf(before + choice + after));
}

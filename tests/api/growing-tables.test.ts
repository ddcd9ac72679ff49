import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestDatabase } from '../support/test-database.ts';

async function readSection(): Promise<string> {
  const page = await readFile(join(import.meta.dirname, '../../docs/operating.md'), 'utf8');
  return /## Table growth\n([\s\S]*)$/.exec(page)?.[1] ?? '';
}

test('docs/operating.md lists every table exactly once', async () => {
  const section = await readSection();
  const database = await openTestDatabase();
  const { rows } = await database.query<{ name: string }>(
    `select case when schemaname = 'public' then tablename else schemaname || '.' || tablename end as name
     from pg_tables where schemaname in ('public', 'private', 'auth', 'storage', 'backend')`,
  );
  await database.close();
  const tables = rows.map(({ name }) => name);
  const settings = ['chat_retention_days', 'npm run backup'];
  const listedTables = [...section.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  expect(tables.filter((name) => !listedTables.includes(name))).toEqual([]);
  expect(listedTables.filter((name) => !tables.includes(name) && !settings.includes(name))).toEqual([]);
  expect(listedTables.filter((name, index) => tables.includes(name) && listedTables.indexOf(name) !== index)).toEqual(
    [],
  );
});

test('Each row of the growth table has a size and a deletion rule', async () => {
  const lines = (await readSection()).split('\n').filter((line) => line.startsWith('| '));
  const [heading, ...rows] = lines.map((line) => line.slice(2, -2).split(' | '));
  expect(heading).toEqual(['Data', 'Tables', 'Size', 'Deleted']);
  const isComplete = ([, , size = '', deletionRule = '']: string[]) =>
    /\d[\d.,]* (kB|MB|GB)|like the item/.test(size) && deletionRule.length > 0;
  expect(rows.filter((row) => row.length !== 4 || !isComplete(row))).toEqual([]);
});

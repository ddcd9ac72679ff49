import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestDatabase } from '../../packages/backend/tests/support/test-database.ts';

async function readSection(): Promise<string> {
  const page = await readFile(join(import.meta.dirname, '../../docs/operating.md'), 'utf8');
  return /## What grows\n([\s\S]*?)\n## /.exec(page)?.[1] ?? '';
}

test('The page for operators names every table, and no other', async () => {
  const section = await readSection();
  const database = await openTestDatabase();
  const { rows } = await database.query<{ name: string }>(
    `select case when schemaname = 'public' then tablename else schemaname || '.' || tablename end as name
     from pg_tables where schemaname in ('public', 'private', 'auth', 'storage', 'backend')`,
  );
  await database.close();
  const tables = rows.map(({ name }) => name);
  const settings = ['chat_retention_days', 'npm run backup'];
  const named = [...section.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  expect(tables.filter((name) => !named.includes(name))).toEqual([]);
  expect(named.filter((name) => !tables.includes(name) && !settings.includes(name))).toEqual([]);
  expect(named.filter((name, index) => tables.includes(name) && named.indexOf(name) !== index)).toEqual([]);
});

test('Of what grows it says how fast, in figures, and when it goes', async () => {
  const lines = (await readSection()).split('\n').filter((line) => line.startsWith('| '));
  const [heading, ...rows] = lines.map((line) => line.slice(2, -2).split(' | '));
  expect(heading).toEqual(['Grows with', 'Tables', 'How fast', 'Goes']);
  const isTold = ([, , fast = '', goes = '']: string[]) =>
    /\d[\d.,]* (kB|MB|GB)|a row a|as the item/.test(fast) && goes.length > 0;
  expect(rows.filter((row) => row.length !== 4 || !isTold(row))).toEqual([]);
});

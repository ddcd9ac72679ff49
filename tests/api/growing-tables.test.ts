import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestDatabase } from '../support/test-database.ts';

test('The page for operators names every table, and no other, and says who cleans it', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/operating.md'), 'utf8');
  const [, section = ''] = /## What grows\n([\s\S]*?)\n## /.exec(page) ?? [];
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

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_NOTES } from '../../app/admin/shell/project-notes.ts';
import { ADMIN_SCREENS } from '../support/screens.ts';

/** Rows that no screen offers: commands, variables of the server, and limits that nobody sees. */
const WITHOUT_SCREEN = [
  'Fair queue for database connections',
  'Point-in-time recovery (`BACKUP_URL`)',
  '`npm run doctor`',
  '`npm run admin`, `npm run keys -- api`',
];

async function readRows(): Promise<[part: string, there: string][]> {
  const page = await readFile(join(import.meta.dirname, '../../docs/hosted.md'), 'utf8');
  const [, table = ''] = /## Features\n\n([\s\S]*?)\n\n/.exec(page) ?? [];
  return table
    .split('\n')
    .slice(2)
    .map((line): [string, string] => {
      const [part = '', there = ''] = line.slice(2).split(' | ');
      return [part, there];
    });
}

test('What a project lacks or wants a step for is said on a screen, and nothing that works there the same', async () => {
  const rows = await readRows();
  const lacking = rows.filter(([, there]) => there !== 'same').map(([part]) => part);
  const told = new Set(PROJECT_NOTES.map(({ part }) => part));
  expect([...told, ...WITHOUT_SCREEN].sort()).toEqual(lacking.sort());
});

test('Each note stands on a screen of the admin area', () => {
  expect(PROJECT_NOTES.map(({ path }) => path).filter((path) => !ADMIN_SCREENS.includes(path))).toEqual([]);
});

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_NOTES } from '../../app/admin/shell/project-notes.ts';
import { ADMIN_SCREENS } from '../support/screens.ts';

/** Features without a screen in the admin area. */
const WITHOUT_SCREEN = [
  'Fair queue for database connections',
  'Point-in-time recovery (`BACKUP_URL`)',
  '`npm run doctor`',
  '`npm run admin`, `npm run keys -- api`',
];

/** Returns the features in the table in docs/hosted.md. */
async function readFeatures(): Promise<string[]> {
  const page = await readFile(join(import.meta.dirname, '../../docs/hosted.md'), 'utf8');
  const [, table = ''] = /## Differences\n\n([\s\S]*?)\n\n/.exec(page) ?? [];
  return table
    .split('\n')
    .slice(2)
    .map((line) => line.slice(2).split(' | ')[0] ?? '');
}

test('The admin area has a note for each feature that differs on Supabase', async () => {
  const partsWithNote = new Set(PROJECT_NOTES.map(({ docsRow }) => docsRow));
  expect([...partsWithNote, ...WITHOUT_SCREEN].sort()).toEqual((await readFeatures()).sort());
});

test('Each note belongs to an existing screen of the admin area', () => {
  expect(PROJECT_NOTES.map(({ path }) => path).filter((path) => !ADMIN_SCREENS.includes(path))).toEqual([]);
});

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { VARIABLE_NAMES } from '@signalfjord/backend/commands';
import { expect, test } from 'vitest';
import { configurationPage, DOCUMENTED_VARIABLES } from './configuration-page.ts';

test('Every setting is described once', () => {
  expect(DOCUMENTED_VARIABLES.toSorted()).toEqual(VARIABLE_NAMES.toSorted());
});

test('docs/configuration.md is up to date', async () => {
  const page = await readFile(join(import.meta.dirname, '../docs/configuration.md'), 'utf8');
  expect(page).toBe(configurationPage());
  expect(page).toContain('| `PORT` | Port to listen on. | a port number from 0 to 65535 | `3000` |');
});

/**
 * `npm run import -- FILE [--replace]`, and `npm run restore -- FILE`, which replaces: fills the home that the settings name
 * from an archive, all or nothing. See docs/moving.md.
 */

import { Refusal } from '../backend/database/refusal.ts';
import { openTarget } from '../backend/moving/homes.ts';
import { importArchive } from '../backend/moving/import-archive.ts';
import { MIGRATIONS_FOLDER, movedInWords, programVersion } from './moving.ts';
import { report } from './run-command.ts';

const words = process.argv.slice(2);
const replace = words.includes('--replace');
const [path = '', ...more] = words.filter((word) => word !== '--replace');

await report(async () => {
  if (!path || path.startsWith('-') || more.length > 0) {
    throw new Refusal('Usage: npm run import -- FILE [--replace]   (--replace loses what is there)');
  }
  return async (config) => {
    const home = await openTarget(config);
    let isDone = false;
    try {
      const target = { ...home, migrationsFolder: MIGRATIONS_FOLDER, version: await programVersion(), replace };
      const moved = await importArchive(target, path);
      isDone = true;
      return [
        `${movedInWords(moved)} came from ${path}, and are equal.`,
        ...moved.leftOut.map((what) => `Left out, because the project has no place for it: ${what}.`),
        'If the site runs on it, start it again, every copy of it.',
      ].join('\n');
    } finally {
      await home.close(isDone);
    }
  };
});

/**
 * Playwright's global setup. Builds the site if its sources have changed, and prepares the data folders (with and
 * without starter content) that the test servers copy.
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quickHash } from '../../packages/backend/tests/support/quick-hash.ts';
import { prepareTemplate, queryFolder, removeFolder, TEMPLATES_VARIABLE } from './site.ts';

/** The first admin of every template. */
export const ADMIN = { email: 'admin@example.com', password: 'Admin-password-1' };

export default async function setup(): Promise<() => Promise<void>> {
  const build = spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
  if (build.status !== 0) throw new Error('The site could not be built.');
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-templates-'));
  await Promise.all([prepare(join(folder, 'starter'), 'on'), prepare(join(folder, 'empty'), 'off')]);
  process.env[TEMPLATES_VARIABLE] = folder;
  return () => removeFolder(folder);
}

async function prepare(folder: string, starterContent: 'on' | 'off'): Promise<void> {
  const admin = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password };
  await prepareTemplate(folder, { STARTER_CONTENT: starterContent, ...admin });
  // Half of the tests sign in as this admin, so use a hash that is quick to verify.
  const hash = quickHash(ADMIN.password);
  await queryFolder(folder, 'update auth.users set encrypted_password = $1 where email = $2', [hash, ADMIN.email]);
}

import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FolderLockedError, lockFolder } from './folder-lock.ts';

test('A folder lock is a socket that only its owner can access, and a folder cannot be locked twice', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sf-lock-'));
  const release = await lockFolder(folder);
  expect((await stat(join(folder, 'lock.sock'))).mode & 0o777).toBe(0o600);
  await expect(lockFolder(folder)).rejects.toBeInstanceOf(FolderLockedError);
  await release();
  await (await lockFolder(folder))();
  await rm(folder, { recursive: true });
});

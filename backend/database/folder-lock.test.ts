import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FolderLockedError, lockFolder } from './folder-lock.ts';

test('The lock of a folder is a socket of its owner alone, whatever the length of its name, and keeps a second one out', async () => {
  const root = await mkdtemp(join(tmpdir(), 'signalfjord-lock-'));
  try {
    for (const name of ['short', 'long'.repeat(40)]) {
      const folder = join(root, name);
      await mkdir(folder);
      const release = await lockFolder(folder);
      expect((await stat(join(folder, 'lock.sock'))).mode & 0o777).toBe(0o600);
      await expect(lockFolder(folder)).rejects.toBeInstanceOf(FolderLockedError);
      await release();
      await (await lockFolder(folder))();
    }
  } finally {
    await rm(root, { recursive: true });
  }
});

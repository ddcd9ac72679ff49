import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { prepareTemplate, removeFolder, startSite } from '../support/site.ts';
import { must, statusOf, writeSetting } from './asking.ts';

/** The disk fills up under the running site and is emptied again. Needs root, for a small disk in memory. */
export async function fillDisk(): Promise<string> {
  if (process.getuid?.() !== 0) return 'not tried: only root can mount a small disk';
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-faults-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=300m', 'tmpfs', folder]);
  try {
    const { secretKey } = await prepareTemplate(folder, { STARTER_CONTENT: 'off' });
    const site = await startSite(folder);
    const client = createClient(site.url, secretKey, { auth: { persistSession: false } });
    const acknowledged: string[] = [];
    const write = async (key: string, value = 'kept') => {
      const status = await writeSetting(site, secretKey, key, value);
      if (status === 201) acknowledged.push(key);
      return status;
    };
    must((await write('before')) === 201 && (await statusOf(site.url)) === 200, 'the site answers');

    const filler = join(folder, 'filler');
    const { bavail, bsize } = await statfs(folder);
    await writeFile(filler, Buffer.alloc(bavail * bsize)).catch(() => undefined);
    const statuses = new Set<number>();
    // Postgres has room for a while in files that it keeps for its log.
    for (let n = 0; n < 3000 && !statuses.has(500) && !statuses.has(503); n++) {
      statuses.add(await write(`during-${n}`, randomBytes(1500).toString('hex')));
    }
    must(
      [...statuses].some((status) => status >= 500),
      `the disk is full: ${[...statuses]}`,
    );
    must((await statusOf(site.url)) === 200, 'kept pages are shown on a full disk');
    const upload = await client.storage.createBucket('faults');

    await rm(filler);
    must((await write('after')) === 201, 'writes go on once there is room');
    must((await client.storage.createBucket('room')).error === null, 'files do as well');
    await site.stop();
    const again = await startSite(folder);
    const { data } = await createClient(again.url, secretKey).from('site_settings').select('setting_key').limit(1000);
    const there = new Set(data?.map(({ setting_key }) => setting_key));
    must(
      acknowledged.every((key) => there.has(key)),
      'what was acknowledged is there after a restart',
    );
    await again.stop();
    return `full: answers ${[...statuses].join(' and ')} (a bucket: ${upload.error?.message ?? 'made'}), pages shown; with room again all went on, none of ${acknowledged.length} acknowledged rows missing`;
  } finally {
    execFileSync('umount', ['-l', folder]);
    await removeFolder(folder);
  }
}

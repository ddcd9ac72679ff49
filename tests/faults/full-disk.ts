import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, open, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { UNREACHABLE } from '../../packages/backend/src/database/database.ts';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { copyFolder } from '../support/copy-folder.ts';
import { newDataFolder, removeFolder, type SiteProcess, startSite } from '../support/site.ts';
import { assertTrue, fetchStatus, waitUntil } from './checks.ts';

const MB = 1024 * 1024;
const DISK_MB = 600;
const MAX_FREE_MB = 64;

/** Free space below which the database rejects writes. */
const REJECTS_BELOW_MB = 48;
/** Free space above which the database accepts writes again. */
const WRITES_ABOVE_MB = 96;

const ACCOUNT = { email: 'ada@example.com', password: 'Faults-need-1-password' };

/** Number of posts of 12 kB to write at each step, until one is rejected. */
const POSTS_PER_STEP = 40;

/**
 * Fills the disk under the running site, in steps from 64 MB free to zero, and frees space after each step. Needs root
 * to mount a small memory disk, for example with `unshare -Urm`.
 */
export async function fillDisk({ steps }: { steps: number }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-faults-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', folder]);
  let site: SiteProcess | undefined;
  try {
    const template = await newDataFolder('on');
    await copyFolder(template.folder, folder);
    await removeFolder(template.folder);
    const writer = new Writer(template.secretKey);
    site = await startSite(folder);
    const account = writer.asService({ ...ACCOUNT, email_confirm: true });
    assertTrue((await fetchStatus(`${site.url}/auth/v1/admin/users`, account)) === 200, 'an account is created');
    let rejectedCount = 0;
    for (let step = 0; step < steps; step++) {
      const freeMb = steps === 1 ? 0 : MAX_FREE_MB * (1 - step / (steps - 1));
      rejectedCount += await fillOnce(site, writer, freeMb);
    }
    rejectedCount += await writeMoreThanFits(site, writer);
    await site.stop();

    // The server starts even on a nearly full disk, because starting writes only the process's own files.
    await fillDiskExcept(folder, 8);
    site = await startSite(folder);
    await expectReads(site, writer);
    await freeSpace(folder);
    await expectWrites(site, writer);
    await expectReads(site, writer);
    assertTrue(site.output().split('nearly full').length === 2, 'the log has one line about the disk filling up');
    return `${steps} steps: ${rejectedCount} writes were rejected with 53100, pages were shown and tables were readable. Everything recovered with free space, and none of ${writer.acknowledged.length} acknowledged rows is missing.`;
  } finally {
    await site?.stop();
    execFileSync('umount', ['-l', folder]);
    await removeFolder(folder);
  }
}

/** Fills the disk, writes until a write is rejected, and frees space. @returns the number of rejected writes */
async function fillOnce(site: SiteProcess, writer: Writer, freeMb: number): Promise<number> {
  await expectWrites(site, writer);
  await fillDiskExcept(site.dataFolder, freeMb);
  let rejectedCount = 0;
  for (let n = 0; n < POSTS_PER_STEP && rejectedCount === 0; n++) rejectedCount += (await writer.post(site)) ? 0 : 1;
  if (freeMb < REJECTS_BELOW_MB - 1) assertTrue(rejectedCount === 1, `with ${freeMb} MB free, writing fails`);
  await expectReads(site, writer);
  const { status, message } = await signIn(site);
  assertTrue(
    status === 200 || (status === 503 && (message.includes('disk') || message === UNREACHABLE)),
    `a sign-in fails only because of the disk: ${status} ${message}`,
  );
  if (freeMb < REJECTS_BELOW_MB - 1) assertTrue(status === 503, `with ${freeMb} MB free, signing in fails`);
  await freeSpace(site.dataFolder);
  return rejectedCount;
}

/** Writes more in one statement than fits on a disk that another program fills at the same time. */
async function writeMoreThanFits(site: SiteProcess, writer: Writer): Promise<number> {
  await expectWrites(site, writer);
  const url = `${site.url}/rest/v1/page_content`;
  const rows = Array.from({ length: 200 }, (_, n) => ({ page_slug: `large-${n}`, section_name: 'text' }));
  assertTrue((await fetchStatus(url, writer.asService(rows))) === 201, 'small rows fit on the disk');
  await fillDiskExcept(site.dataFolder, REJECTS_BELOW_MB + 4);
  const large = { content: randomBytes(360_000).toString('base64') };
  await expectDiskFull(await fetch(`${url}?page_slug=like.large-*`, { ...writer.asService(large), method: 'PATCH' }));
  await fillDiskExcept(site.dataFolder, 0);
  await expectCachedPages(site, writer);
  assertTrue(!(await writer.write(site, 'after-writeMoreThanFits')), 'no row is written without free space');
  await freeSpace(site.dataFolder);
  await expectWrites(site, writer);
  return 2;
}

class Writer {
  readonly acknowledged: string[] = [];
  readonly #secretKey: string;
  #next = 0;

  constructor(secretKey: string) {
    this.#secretKey = secretKey;
  }

  post(site: SiteProcess): Promise<boolean> {
    return this.write(site, `row-${this.#next++}`, randomBytes(6_000).toString('hex'));
  }

  /** @returns false if the disk is full, or Postgres restarts because of it */
  async write(site: SiteProcess, key: string, value = 'kept'): Promise<boolean> {
    const init = this.asService({ setting_key: key, setting_value: value });
    const response = await fetch(`${site.url}/rest/v1/site_settings`, init);
    if (response.status === 201) this.acknowledged.push(key);
    else await expectDiskFull(response, { mayRestart: true });
    return response.status === 201;
  }

  asService(body: object): RequestInit {
    const headers = { apikey: this.#secretKey, 'content-type': 'application/json' };
    return { method: 'POST', headers, body: JSON.stringify(body) };
  }

  async readKeys(site: SiteProcess): Promise<Set<string>> {
    const client = createClient(site.url, this.#secretKey, { auth: { persistSession: false } });
    const keys = new Set<string>();
    for (let size = -1; size !== keys.size; ) {
      size = keys.size;
      const { data, error } = await client
        .from('site_settings')
        .select('setting_key')
        .order('setting_key')
        .range(size, size + 999);
      assertTrue(error === null, `tables can be read: ${error?.message}`);
      for (const { setting_key } of data ?? []) keys.add(setting_key);
    }
    return keys;
  }
}

/** @param mayRestart true if Postgres may be restarting because its log did not fit */
async function expectDiskFull(response: Response, { mayRestart = false } = {}): Promise<void> {
  const { code, message } = (await response.json()) as { code: string; message: string };
  const isDiskFull = response.status === 503 && code === '53100' && message.includes('disk');
  const isRestart = mayRestart && response.status === 503 && message === UNREACHABLE;
  assertTrue(isDiskFull || isRestart, `a write is rejected because of the disk: ${response.status} ${code} ${message}`);
  assertTrue(response.headers.get('retry-after') !== null, 'the response has a Retry-After header');
}

/** Expects tables, a cached page and an uncached page to be readable, with all acknowledged rows. */
async function expectReads(site: SiteProcess, writer: Writer): Promise<void> {
  const { headers } = writer.asService({});
  const row = `${site.url}/rest/v1/site_settings?limit=1`;
  await waitUntil(async () => (await fetchStatus(row, { headers: headers ?? {} })) === 200, 'tables can be read');
  const keys = await writer.readKeys(site);
  const missing = writer.acknowledged.filter((key) => !keys.has(key));
  assertTrue(missing.length === 0, `all acknowledged rows exist, but these are missing: ${missing}`);
  for (const path of ['/', '/news', `/news?q=${crypto.randomUUID()}`]) {
    const status = await fetchStatus(site.url + path);
    assertTrue(status === 200, `${path} is shown, but its status is ${status}`);
  }
}

/** Expects cached pages to be shown on a full disk, and other requests to fail with the reason. */
async function expectCachedPages(site: SiteProcess, writer: Writer): Promise<void> {
  for (const path of ['/', '/news']) {
    const status = await fetchStatus(site.url + path);
    assertTrue(status === 200, `${path} is shown, but its status is ${status}`);
  }
  const { headers } = writer.asService({});
  const response = await fetch(`${site.url}/rest/v1/posts?select=id&limit=1`, { headers: headers ?? {} });
  if (response.status !== 200) await expectDiskFull(response, { mayRestart: true });
}

async function expectWrites(site: SiteProcess, writer: Writer): Promise<void> {
  // The database may still be opening, and it checks the disk ten times a second.
  await waitUntil(() => writer.post(site), 'writes succeed when space is available');
}

async function signIn(site: SiteProcess): Promise<{ status: number; message: string }> {
  const client = createClient(site.url, PUBLISHABLE_KEY, { auth: { persistSession: false } });
  const { error } = await client.auth.signInWithPassword(ACCOUNT);
  return { status: error ? (error.status ?? 0) : 200, message: error?.message ?? '' };
}

async function freeSpace(folder: string): Promise<void> {
  await rm(join(folder, 'filler'), { force: true });
  const { bavail, bsize } = await statfs(folder);
  assertTrue(bavail * bsize > WRITES_ABOVE_MB * MB, 'the small disk is large enough for this test');
}

/** Fills the disk as another program would, and leaves `freeMb` free. */
export async function fillDiskExcept(folder: string, freeMb: number): Promise<void> {
  const filler = await open(join(folder, 'filler'), 'a');
  try {
    for (;;) {
      const { bavail, bsize } = await statfs(folder);
      const excess = Math.floor((bavail * bsize - freeMb * MB) / bsize) * bsize;
      if (excess <= 0) return;
      await filler.write(Buffer.alloc(Math.min(excess, MB)));
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    await filler.close();
  }
}

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgresDatabase } from '../../packages/backend/src/database/postgres-database.ts';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { startNativePostgres } from '../../packages/backend/tests/support/native-postgres.ts';
import { runCommand } from '../support/command.ts';
import { removeFolder, startSite } from '../support/site.ts';
import { assertTrue, fetchStatus, waitUntil } from './checks.ts';
import { fillDiskExcept } from './full-disk.ts';

const DISK_MB = 700;
/** Megabytes that another program leaves free on the disk, step by step. */
const FREE_MB = [24, 8, 0];
const MAX_WRITES = 200;

/**
 * Fills the disk of an external Postgres server under the running site. First, rows no longer fit. Then the write-ahead
 * log no longer fits, and Postgres stops. Pages are shown throughout. When space is free again and Postgres is
 * restarted, everything works. Needs root to mount a small memory disk.
 */
export async function fillPostgresDisk(): Promise<string> {
  const disk = await mkdtemp(join(tmpdir(), 'signalfjord-faults-'));
  const data = await mkdtemp(join(tmpdir(), 'signalfjord-faults-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=1777`, 'tmpfs', disk]);
  const postgres = await startNativePostgres('postgres', { parent: disk, keepsCommits: true });
  const environment = { DATABASE_URL: postgres.url };
  const site = await startSite(data, environment);
  try {
    const secretKey = await readSecretKey(postgres.url);
    const acknowledged: string[] = [];
    const results: string[] = [];
    const read = () => fetchStatus(`${site.url}/rest/v1/posts?select=slug`, { headers: { apikey: PUBLISHABLE_KEY } });
    const write = async (key: string) => {
      const row = { page_slug: key, section_name: 'text', content: randomBytes(360_000).toString('base64') };
      const status = await fetchStatus(`${site.url}/rest/v1/page_content`, {
        method: 'POST',
        headers: { apikey: secretKey, 'content-type': 'application/json' },
        body: JSON.stringify(row),
      });
      if (status === 201) acknowledged.push(key);
      return status;
    };
    assertTrue((await fetchStatus(site.url)) === 200 && (await read()) === 200, 'the site responds');
    for (const freeMb of FREE_MB) {
      await fillDiskExcept(disk, freeMb);
      let status = 201;
      for (let n = 0; n < MAX_WRITES && status === 201; n += 1) status = await write(`row-${freeMb}-${n}`);
      assertTrue(status === 503, `with ${freeMb} MB free a write is rejected with 503, not ${status}`);
      assertTrue((await fetchStatus(site.url)) === 200, 'cached pages are shown');
      const readStatus = await read();
      assertTrue(
        readStatus === 200 || readStatus === 503,
        `tables are read, or the database is reported as unavailable: ${readStatus}`,
      );
      if (results.length === 0) {
        const report = await askDoctor({ ...environment, DATA_DIR: data });
        assertTrue(
          /^error (Database|Database disk): .*free disk space/m.test(report),
          `the doctor reports the full disk: ${report}`,
        );
      }
      await rm(join(disk, 'filler'));
      if ((await read()) !== 200) await postgres.halt().then(() => postgres.resume());
      await waitUntil(async () => (await write(`after-${freeMb}`)) === 201, 'writes succeed when space is available');
      results.push(`${freeMb} MB: reading tables returned ${readStatus}`);
    }
    const database = openPostgresDatabase(postgres.url, 1);
    const { rows } = await database.query<{ key: string }>('select page_slug as key from public.page_content');
    await database.close();
    const missing = acknowledged.filter((key) => !rows.some((row) => row.key === key));
    assertTrue(missing.length === 0, `all acknowledged rows exist, but these are missing: ${missing.join(', ')}`);
    return `${results.join('; ')}; pages were shown throughout, everything recovered with free space, and none of ${acknowledged.length} acknowledged rows is missing`;
  } finally {
    await site.stop('SIGKILL');
    await postgres.stop();
    execFileSync('umount', ['-l', disk]);
    await Promise.all([removeFolder(disk), removeFolder(data)]);
  }
}

async function askDoctor(environment: Record<string, string>): Promise<string> {
  const { stdout, stderr } = await runCommand(['scripts/doctor.ts'], environment);
  return stdout + stderr;
}

async function readSecretKey(url: string): Promise<string> {
  const database = openPostgresDatabase(url, 1);
  const { rows } = await database.query<{ value: string }>(
    `select value from backend.secrets where name = 'secret_key'`,
  );
  await database.close();
  return rows[0]?.value ?? '';
}

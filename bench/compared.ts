/**
 * Compares pages with a constant body, and table requests with a loop of the same SQL and with json-server. json-server
 * serves a JSON file from memory, without accounts or access rules. Each is measured separately with 10 connections on the
 * same machine. Ratios mean more than absolute figures.
 *
 *     node bench/compared.ts [seconds, 5 by default]
 */
import { execFile, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import autocannon from 'autocannon';
import type { Statement } from '../packages/backend/src/database/database.ts';
import { assumeRole } from '../packages/backend/src/database/request-role.ts';
import { PUBLISHABLE_KEY } from '../packages/backend/src/http/keys.ts';
import { openFolder } from '../tests/support/site.ts';
import { withSite } from './site.ts';

const TABLE = '/rest/v1/posts?select=*&order=published_date.desc&limit=20';
const JSON_SERVER = 'json-server@0.17.4';
const headers = { apikey: PUBLISHABLE_KEY, 'accept-encoding': 'identity' };
const seconds = Number(process.argv[2] ?? 5);

interface Row {
  name: string;
  perSecond: number;
  p99: number;
}
const rows: Row[] = [];

const folder = await mkdtemp(join(tmpdir(), 'signalfjord-compared-'));
let posts: unknown[] = [];
await withSite(async (site, data) => {
  await load('A cached page', site.url);
  const page = await bodyOf(site.url);
  await withConstantBody(page, (url) => load('The same body, constant', url));
  await load('Tables: 20 posts under their policies', site.url + TABLE);
  const rowsBody = await bodyOf(site.url + TABLE);
  posts = JSON.parse(rowsBody.toString()) as unknown[];
  await withConstantBody(rowsBody, (url) => load('The same rows, constant', url));
  await site.stop();
  await loopSql(data);
});
await compareWithJsonServer();
await rm(folder, { recursive: true });

const perSecondOf = (prefix: string) => rows.find(({ name }) => name.startsWith(prefix))?.perSecond ?? Number.NaN;
const percentageOf = (perSecond: number, whole: number) =>
  Number.isNaN(whole) ? '' : `${Math.round((100 * perSecond) / whole)}%`;
console.log(`| ${'request'.padEnd(40)} | per second | p99 ms | of a constant body | of the bare SQL |`);
console.log('|---|---|---|---|---|');
for (const { name, perSecond, p99 } of rows) {
  const isPage = name.startsWith('A cached') || name.startsWith('The same body');
  const cells = [
    name.padEnd(40),
    String(Math.round(perSecond)),
    Number.isNaN(p99) ? '' : String(p99),
    name.includes('bare') ? '' : percentageOf(perSecond, perSecondOf(isPage ? 'The same body' : 'The same rows')),
    isPage || name.includes('constant') ? '' : percentageOf(perSecond, perSecondOf('The same SQL')),
  ];
  console.log(`| ${cells.join(' | ')} |`);
}

async function load(name: string, url: string): Promise<void> {
  await autocannon({ url, headers, connections: 10, duration: 1, workers: 1 });
  const { requests, latency, non2xx, errors } = await autocannon({
    url,
    headers,
    connections: 10,
    duration: seconds,
    workers: 1,
  });
  if (non2xx + errors > 0) throw new Error(`${name}: ${non2xx} rejected, ${errors} failed`);
  rows.push({ name, perSecond: requests.average, p99: latency.p99 });
}

async function bodyOf(url: string): Promise<Buffer> {
  return Buffer.from(await (await fetch(url, { headers })).arrayBuffer());
}

async function withConstantBody(body: Buffer, measure: (url: string) => Promise<void>): Promise<void> {
  const file = join(folder, 'body');
  await writeFile(file, body);
  const child = fork(new URL('./constant-body.ts', import.meta.url), [file, 'identity']);
  const [port] = await once(child, 'message');
  await measure(`http://127.0.0.1:${port}`);
  child.kill();
}

/** Runs the SQL of the table request in a loop, without HTTP. */
async function loopSql(data: string): Promise<void> {
  const { database, close } = await openFolder(data);
  const identity = { role: 'anon', claims: { role: 'anon' }, headers: {}, method: 'GET', path: '/posts', address: '' };
  const statements: Statement[] = [
    assumeRole(identity as unknown as Parameters<typeof assumeRole>[0], { isReadOnly: true }),
    {
      text: `select coalesce(json_agg(page), '[]')::text from (
        select * from public.posts order by published_date desc limit 20) as page`,
    },
  ];
  for (let n = 0; n < 200; n++) await database.batch(statements);
  const end = performance.now() + seconds * 1000;
  let count = 0;
  for (; performance.now() < end; count++) await database.batch(statements);
  rows.push({ name: 'The same SQL in a bare loop', perSecond: count / seconds, p99: Number.NaN });
  await close();
}

async function compareWithJsonServer(): Promise<void> {
  const install = ['install', '--prefix', folder, '--no-save', '--silent', JSON_SERVER];
  const isInstalled = await promisify(execFile)('npm', install, { timeout: 120_000 }).then(
    () => true,
    () => false,
  );
  if (!isInstalled) {
    console.log(`${JSON_SERVER} could not be installed, so it is not compared.`);
    return;
  }
  const file = join(folder, 'db.json');
  const pages = Array.from({ length: 10 }, (_, n) =>
    posts.map((post, m) => ({ ...(post as object), id: `${n}-${m}` })),
  );
  await writeFile(file, JSON.stringify({ posts: pages.flat() }));
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const bin = join(folder, 'node_modules/json-server/lib/cli/bin.js');
  const child = spawn(process.execPath, [bin, '--quiet', '--port', String(port), '--host', '127.0.0.1', file]);
  const url = `http://127.0.0.1:${port}/posts?_limit=20&_sort=published_date&_order=desc`;
  for (let n = 0; n < 100; n++) {
    if (
      await fetch(url).then(
        (response) => response.ok,
        () => false,
      )
    )
      break;
    await wait(100);
  }
  await load('json-server: 20 of as many rows', url);
  child.kill();
}

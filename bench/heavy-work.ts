/**
 * Measures the latency of table reads and sign-ins during heavy load on the database. The load consists of statements
 * that time out, imports of a year of campaign figures, a release of 200 texts, and a vacuum. Each of ten visitors reads
 * once a second. Latency is measured from the scheduled time of the request.
 *
 *     node bench/heavy-work.ts [seconds per load, default 25]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Database } from '../packages/backend/src/database/database.ts';
import { PUBLISHABLE_KEY } from '../packages/backend/src/http/keys.ts';
import { openFolder, type SiteProcess, startSite } from '../tests/support/site.ts';
import { report, withSite } from './site.ts';

const SECONDS = Number(process.argv[2] ?? 25);
const ADMIN = { email: 'admin@example.com', password: 'Admin-password-1' };
const VISITORS = 10;
const LEADS = 50_000;
const TEXTS = 200;
const CAMPAIGNS = 10;
const DAYS = 330;

/** Simulates a slow statement that the limits of the table API do not reject. */
const ENDLESS_FUNCTION = `create function public.never_ends() returns bigint language sql stable as
  $$ select count(*) from (select generate_series(1, 1000000000000)) n $$;
  grant execute on function public.never_ends to anon`;

const rowsSchema = z.array(z.looseObject({ id: z.string() }));
const tokenSchema = z.object({ access_token: z.string() });

type SendRequest = (path: string, address: string, options?: { token?: string; body?: object }) => Promise<Response>;

await withSite(
  async (first, folder) => {
    await first.stop();
    await withDatabase(folder, async (database) => {
      await database.script(ENDLESS_FUNCTION);
      await database.query(
        `insert into public.leads (source, name, email, message, status)
         select 'contact', 'Person ' || n, 'person' || n || '@example.com', repeat('Please write to me. ', 20), 'new'
         from generate_series(1, $1::integer) as n`,
        [LEADS],
      );
    });
    const site = await startSite(folder, { TRUSTED_PROXIES: '127.0.0.1' });
    try {
      await measure(site, folder);
    } finally {
      await site.stop();
    }
  },
  { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password },
);

async function measure(site: SiteProcess, folder: string): Promise<void> {
  const send = createSender(site);
  const { access_token: token } = tokenSchema.parse(await (await signIn(send)).json());
  const rpc = async (name: string, body: object) => {
    const response = await send(`/rest/v1/rpc/${name}`, '203.0.113.9', { token, body });
    if (!response.ok) throw new Error(`${name} returned ${response.status}: ${await response.text()}`);
    return response;
  };
  const create = async (table: string, body: object) =>
    rowsSchema.parse(await (await send(`/rest/v1/${table}?select=*`, '203.0.113.9', { token, body })).json());

  await measureDuring('no load', send, () => sleep(SECONDS * 1000));
  await measureDuring('four endless statements', send, async () => {
    const end = performance.now() + SECONDS * 1000;
    const attack = async (n: number) => {
      while (performance.now() < end) await (await send('/rest/v1/rpc/never_ends', `203.0.${n}.5`)).text();
    };
    await Promise.all([1, 2, 3, 4].map(attack));
  });
  await measureDuring(`three imports of ${CAMPAIGNS * DAYS * 6} figures`, send, async () => {
    for (let n = 0; n < 3; n++) {
      const [client] = await create('clients', { name: `Imports ${n}` });
      const campaigns = await create(
        'campaigns',
        Array.from({ length: CAMPAIGNS }, (_, n) => ({ client_id: client?.id, name: `C ${n}`, channel: 'email' })),
      );
      await rpc('import_figures', buildImport(client?.id, campaigns));
      await sleep(1000);
    }
  });
  await measureDuring(`a release of ${TEXTS} texts`, send, async () => {
    const texts = Array.from({ length: TEXTS }, (_, n) => ({
      title: `Text ${n}`,
      slug: `text-${n}`,
      status: 'published',
      content: 'By the sea. '.repeat(200),
    }));
    let release: unknown;
    for (const base of await create('posts', texts)) {
      const change = { _kind: 'posts', _item_id: base.id, _action: 'update', _base: base };
      const data = { _data: { content: 'By the quayside. '.repeat(150) } };
      const target = release === undefined ? { _name: 'Spring' } : { _release_id: release };
      release = await (await rpc('save_to_release', { ...change, ...data, ...target })).json();
    }
    await rpc('publish_release', { _id: release });
  });
  await measureDuring('a vacuum of the large tables', send, () =>
    withDatabase(folder, async (database) => {
      await database.query(`update public.leads set message = message || '.'`);
      const end = performance.now() + SECONDS * 1000;
      while (performance.now() < end) {
        for (const table of ['leads', 'campaign_figures', 'content_versions', 'posts'])
          await database.query(`vacuum (analyze) public.${table}`);
      }
    }),
  );
}

function buildImport(client: string | undefined, campaigns: readonly { id: string }[]): object {
  const days = Array.from({ length: DAYS }, (_, n) => new Date(Date.UTC(2026, 0, 1 - n)).toISOString().slice(0, 10));
  const values = { sent: 100, delivered: 95, bounced: 5, replies: 9, positive_replies: 4, meetings: 2 };
  const rows = days.flatMap((day) => campaigns.map(({ id }) => ({ campaign: id, day, values })));
  return {
    _client_id: client,
    _file: { name: 'year.csv', hash: 'a'.repeat(64), period: 'day', column_map: {}, refused: 0 },
    _rows: rows.map((row, index) => ({ ...row, line: index + 2 })),
    _is_dry_run: false,
  };
}

/** Sends reads and sign-ins until `work` ends, and reports their latencies. */
async function measureDuring(label: string, send: SendRequest, work: () => Promise<unknown>): Promise<void> {
  let isOver = false;
  const repeat = async (offset: number, request: () => Promise<Response>) => {
    const latencies: number[] = [];
    for (let due = performance.now() + offset; !isOver; due += 1000) {
      await sleep(Math.max(0, due - performance.now()));
      const response = await request();
      await response.arrayBuffer();
      latencies.push(performance.now() - due);
      if (!response.ok) throw new Error(`${response.url} returned ${response.status} during ${label}`);
    }
    return latencies;
  };
  const read = (n: number) =>
    send('/rest/v1/posts?select=id,title&order=published_date.desc&limit=20', `198.51.${n}.7`);
  const visitors = Array.from({ length: VISITORS }, (_, n) => repeat((n * 1000) / VISITORS, () => read(n)));
  const signIns = repeat(500, () => signIn(send));
  await work();
  isOver = true;
  const reads = (await Promise.all(visitors)).flat();
  report(`Table reads during ${label}: p50, p99`, percentiles(reads), 'target p99 50 ms');
  report(`Sign-ins during ${label}: p50, p99`, percentiles(await signIns), 'target p99 300 ms');
}

function percentiles(latencies: readonly number[]): string {
  const sorted = latencies.toSorted((a, b) => a - b);
  const percentile = (share: number) => `${Math.round(sorted[Math.floor(share * sorted.length)] ?? Number.NaN)} ms`;
  return `${percentile(0.5)}, ${percentile(0.99)}`;
}

function createSender({ url }: SiteProcess): SendRequest {
  return (path, address, { token = PUBLISHABLE_KEY, body } = {}) =>
    fetch(url + path, {
      method: body ? 'POST' : 'GET',
      headers: {
        apikey: PUBLISHABLE_KEY,
        authorization: `Bearer ${token}`,
        'x-forwarded-for': address,
        'content-type': 'application/json',
        prefer: 'return=representation',
      },
      ...(body && { body: JSON.stringify(body) }),
    });
}

function signIn(send: SendRequest): Promise<Response> {
  return send('/auth/v1/token?grant_type=password', '192.0.2.77', { body: ADMIN });
}

async function withDatabase(folder: string, work: (database: Database) => Promise<unknown>): Promise<void> {
  const { database, close } = await openFolder(folder);
  try {
    await work(database);
  } finally {
    await close();
  }
}

/**
 * Compares two portals. One has 200 clients, each with 20 campaigns and two years of daily figures. The other has one
 * client with one campaign. Measures the database time of each call of the client screens and the team screens, and of an
 * import of 1,040 rows.
 *
 *     node bench/clients.ts [clients] [--postgres]      default: 200 clients on the built-in database; with --postgres on a Postgres server
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { z } from 'zod';
import type { Database, Statement } from '../packages/backend/src/database/database.ts';
import { migrate } from '../packages/backend/src/database/migrate.ts';
import { openPostgresDatabase } from '../packages/backend/src/database/postgres-database.ts';
import { openTemporaryDatabase } from '../packages/backend/src/postgres/temporary-database.ts';
import { startNativePostgres } from '../packages/backend/tests/support/native-postgres.ts';
import { serveInstance } from '../scripts/attack/fresh-instance.ts';
import { type Send, sender } from '../scripts/attack/instance.ts';
import { createPeople } from '../scripts/attack/people.ts';
import { report } from './site.ts';

const CLIENTS = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? 200);
const CAMPAIGNS = 20;
const DAYS = 730;
const ROUNDS = 15;
const MEASURED_CLIENT = 'be4c0000-0000-4000-8000-000000000001';
const MIGRATIONS = new URL('../supabase/migrations', import.meta.url).pathname;

const planSchema = z.array(z.looseObject({ 'Planning Time': z.number(), 'Execution Time': z.number() })).length(1);

const server = process.argv.includes('--postgres') ? await startNativePostgres() : null;
const folder = await mkdtemp(join(tmpdir(), 'signalfjord-bench-'));
const small = await measureWith('few', 1, 1);
const large = await measureWith('many', CLIENTS, CAMPAIGNS);
await server?.stop();
await rm(folder, { recursive: true });

const heading = `${CLIENTS} clients, ${CLIENTS * CAMPAIGNS} campaigns`;
console.log(
  `\n${'waiting time, median (minimum) of 15; execution time, ms'.padEnd(44)} ${'one campaign'.padStart(20)}  ${heading}  times`,
);
for (const [name, smallTimes] of small.calls) {
  const largeTimes = large.calls.get(name) ?? smallTimes;
  const times = (largeTimes.execution / smallTimes.execution).toFixed(1);
  console.log(
    `${name.padEnd(44)} ${formatTimes(smallTimes).padStart(20)} ${formatTimes(largeTimes).padStart(heading.length + 1)} ${times.padStart(6)}`,
  );
}
report('client screens, database time in ms', large.execution.toFixed(1), '50');
report('client screens, ratio to one campaign', (large.execution / small.execution).toFixed(1), '2');
report('client screens, waiting time for the database in ms', large.screen.toFixed(1), '');
report('import of 1,040 rows with 7 figures each, one client, s', (small.importing / 1000).toFixed(2), '2');
report('import of 1,040 rows, all clients, s', (large.importing / 1000).toFixed(2), '2');
if (large.execution > 50 || large.execution > 2 * small.execution || large.importing > 2000) process.exitCode = 1;

/**
 * Durations of a call in ms: waiting time for the database including queueing and network, and planning plus execution.
 */
interface CallTimes {
  median: number;
  least: number;
  /** Median of EXPLAIN ANALYZE. */
  execution: number;
}

function formatTimes({ median, least, execution }: CallTimes): string {
  return `${median.toFixed(1)} (${least.toFixed(1)}); ${execution.toFixed(1)}`;
}

async function measureWith(name: string, clients: number, campaigns: number) {
  const database = measureWaits(await open(name));
  await migrate(database, MIGRATIONS);
  await fill(database, clients, campaigns);
  const instance = await serveInstance(database);
  try {
    return await measure(sender(instance), instance.secretKey, database);
  } finally {
    await instance.close();
    await database.close();
  }
}

async function open(name: string): Promise<Database> {
  if (!server) return openTemporaryDatabase();
  const admin = openPostgresDatabase(server.url, 1);
  await admin.script(`create database clients_${name}`);
  await admin.close();
  return openPostgresDatabase(server.url.replace(/\w+$/, `clients_${name}`));
}

interface TimedDatabase extends Database {
  /** Milliseconds spent waiting for the database since the last reading. */
  takeWaitingTime(): number;
  /** Statements of the last single-round-trip transaction: the role, then the query. */
  last(): readonly Statement[];
}

/** Sums the time that all callers wait for the database. */
function measureWaits(database: Database): TimedDatabase {
  let sum = 0;
  let last: readonly Statement[] = [];
  const time = async <Result>(work: Promise<Result>): Promise<Result> => {
    const startedAt = performance.now();
    try {
      return await work;
    } finally {
      sum += performance.now() - startedAt;
    }
  };
  return {
    script: (sql) => database.script(sql),
    runExclusively: (work) => database.runExclusively(work),
    listen: (...parameters) => database.listen(...parameters),
    discardPreparedStatements: () => database.discardPreparedStatements(),
    close: () => database.close(),
    query: (...parameters) => time(database.query(...parameters)),
    batch(statements, ...parameters) {
      last = statements;
      return time(database.batch(statements, ...parameters));
    },
    transaction: (...parameters) => time(database.transaction(...parameters)),
    takeWaitingTime() {
      const waitingTime = sum;
      sum = 0;
      return waitingTime;
    },
    last: () => last,
  };
}

/**
 * Daily figures of four metrics. Each client has forty approvals with two versions, 100 meetings and 500 blocklist
 * entries.
 */
async function fill(database: Database, clients: number, campaigns: number): Promise<void> {
  await database.script('alter table public.campaign_figures disable trigger user');
  await database.query(
    `insert into public.clients (id, name)
     select case n when 1 then $2::uuid else gen_random_uuid() end, 'Client ' || n from generate_series(1, $1::integer) as n`,
    [clients, MEASURED_CLIENT],
  );
  await database.query(
    `insert into public.campaigns (client_id, name, channel, phase, next_step)
     select id, 'Campaign ' || n, 'email', 'running', 'Go on' from public.clients, generate_series(1, $1::integer) as n`,
    [campaigns],
  );
  await database.script(`
    insert into public.import_batches (client_id, file_name, file_hash, column_map, new_count, changed_count, same_count, refused_count)
      select id, 'two-years.csv', repeat('0', 64), '{}', 1, 0, 0, 0 from public.clients;
    with asked as (
      insert into public.approvals (client_id, title) select id, 'Text ' || n from public.clients, generate_series(1, 40) as n
      returning client_id, id
    ), versions as (
      insert into public.approval_versions (client_id, approval_id, number, text)
      select client_id, id, n, repeat('Words of a mail. ', 60) || n from asked, generate_series(1, 2) as n
    )
    insert into public.approval_decisions (client_id, approval_id, number, verdict) select client_id, id, 2, 'yes' from asked
      where id::text < 'e';
    insert into public.client_meetings (client_id, starts_at, met_with, outcome, answer_until, answer)
      select id, now() - n * interval '3 days', 'Person ' || n, 'held', now() + interval '1 day', case when n > 4 then 'accepted' end
      from public.clients, generate_series(1, 100) as n;
    insert into public.do_not_contact (client_id, kind, value, hint)
      select id, 'domain', 'customer-' || n || '.example', 'customer-' || n || '.example'
      from public.clients, generate_series(1, 500) as n;
  `);
  const { rows } = await database.query<{ id: string }>('select id from public.clients');
  for (const { id } of rows) {
    await database.query(
      `insert into public.campaign_figures (client_id, batch_id, campaign_id, metric, first_day, last_day, value)
       select batch.client_id, batch.id, campaign.id, metric, current_date - n, current_date - n, n % 40
       from public.import_batches as batch join public.campaigns as campaign on campaign.client_id = batch.client_id,
         generate_series(1, $2::integer) as n, unnest(array['sent', 'delivered', 'replies', 'meetings']) as metric
       where batch.client_id = $1`,
      [id, DAYS],
    );
  }
  await database.script('alter table public.campaign_figures enable trigger user');
  // In production, autovacuum does this.
  await database.query('vacuum (analyze)');
}

async function measure(send: Send, secretKey: string, database: TimedDatabase) {
  const people = await createPeople(send, secretKey, MEASURED_CLIENT);
  const token = (role: string) => people.find((person) => person.role === role)?.token ?? null;
  const day = (before: number) => new Date(Date.now() - before * 86_400_000).toISOString().slice(0, 10);
  const client = `_client_id=${MEASURED_CLIENT}`;
  const page = `${client}&_limit=24&_offset=0`;
  const screen = [
    [
      'clients with their campaigns',
      `clients?select=*,campaigns(*)&id=eq.${MEASURED_CLIENT}&campaigns.deleted_at=is.null`,
    ],
    ['client_home', `rpc/client_home?${client}`],
    ['client_changes', `rpc/client_changes?${client}&_from=${day(14)}&_until=${day(0)}`],
    [
      'figure_sums of twelve weeks',
      `rpc/figure_sums?${client}&_from=${day(91)}&_until=${day(0)}&_metrics={meetings,replies,delivered}`,
    ],
    ['list_client_meetings', `rpc/list_client_meetings?${page}`],
    ['list_approvals', `rpc/list_approvals?${page}`],
    ['files', `client_files?select=id,name&client_id=eq.${MEASURED_CLIENT}&limit=24`],
    ['reports', `client_reports?select=id,span&client_id=eq.${MEASURED_CLIENT}&limit=24`],
    ['list_do_not_contact', `rpc/list_do_not_contact?${page}`],
  ] as const;
  const team = [
    ['team_overview, of an admin', 'rpc/team_overview', 'admin'],
    ['figure_totals of a month, of an admin', `rpc/figure_totals?_from=${day(31)}&_until=${day(0)}`, 'admin'],
    ['team_overview, of a team member', 'rpc/team_overview', 'worker'],
    ['projects, of an admin', 'campaigns?select=id,name,phase,due_on,clients(name)&phase=neq.done&limit=500', 'admin'],
  ] as const;
  const calls = new Map<string, CallTimes>();
  const measureCall = async (name: string, path: string, role: string) => {
    const waitingTimes: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      database.takeWaitingTime();
      const { status, text } = await send(token(role), 'GET', `/rest/v1/${path}`);
      waitingTimes.push(database.takeWaitingTime());
      if (status !== 200) throw new Error(`${name} returned ${status}: ${text.slice(0, 300)}`);
    }
    const statements = database.last();
    const executionTimes: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) executionTimes.push(await measureExecution(database, statements));
    calls.set(name, {
      median: medianOf(waitingTimes),
      least: Math.min(...waitingTimes),
      execution: medianOf(executionTimes),
    });
  };
  for (const [name, path] of screen) await measureCall(name, path, 'member');
  for (const [name, path, role] of team) await measureCall(name, path, role);
  const sum = (field: keyof CallTimes) => screen.reduce((total, [name]) => total + (calls.get(name)?.[field] ?? 0), 0);
  const importing = await importWeeks(send, token('admin'));
  return { calls, screen: sum('median'), execution: sum('execution'), importing };
}

function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
}

/** Runs EXPLAIN ANALYZE with the role that the first statement sets. @returns planning and execution time in ms */
async function measureExecution(database: Database, [role, ...statements]: readonly Statement[]): Promise<number> {
  if (!role) throw new Error('No statement was recorded');
  const explained = statements.map(({ text, ...rest }) => ({
    ...rest,
    text: `explain (analyze, timing off, summary on, format json) ${text}`,
  }));
  const [, ...plans] = await database.batch([role, ...explained]);
  const steps = plans.flatMap(({ rows }) => planSchema.parse(rows[0]?.['QUERY PLAN']));
  return steps.reduce((sum, step) => sum + step['Planning Time'] + step['Execution Time'], 0);
}

/** Imports 52 weeks of 20 campaigns of a new client. @returns the duration in ms */
async function importWeeks(send: Send, token: string | null): Promise<number> {
  const returnRows = { prefer: 'return=representation' };
  const created = await send(token, 'POST', '/rest/v1/clients?select=id', { ...returnRows, body: { name: 'Imports' } });
  const client = idsIn(created.json)[0];
  const names = Array.from({ length: CAMPAIGNS }, (_, n) => ({
    client_id: client,
    name: `Weeks ${n}`,
    channel: 'email',
  }));
  const { json } = await send(token, 'POST', '/rest/v1/campaigns?select=id', { ...returnRows, body: names });
  const weeks = Array.from({ length: 52 }, (_, n) => new Date(Date.UTC(2025, 0, 6 + 7 * n)).toISOString().slice(0, 10));
  const values = { sent: 100, delivered: 95, bounced: 5, replies: 9, positive_replies: 4, meetings: 2, pipeline: 1000 };
  const rows = weeks.flatMap((day) => idsIn(json).map((campaign) => ({ campaign, day, values })));
  const startedAt = performance.now();
  const { status, text } = await send(token, 'POST', '/rest/v1/rpc/import_figures', {
    body: {
      _client_id: client,
      _file: { name: 'weeks.csv', hash: 'a'.repeat(64), period: 'week', column_map: {}, refused: 0 },
      _rows: rows.map((row, index) => ({ ...row, line: index + 2 })),
      _is_dry_run: false,
    },
  });
  if (status !== 200) console.log(`The import returned ${status}: ${text.slice(0, 300)}`);
  return performance.now() - startedAt;
}

function idsIn(rows: unknown): string[] {
  return Array.isArray(rows) ? rows.map(({ id }: { id: string }) => id) : [];
}

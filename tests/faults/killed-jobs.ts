import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../packages/backend/src/database/database.ts';
import { openPostgresDatabase } from '../../packages/backend/src/database/postgres-database.ts';
import { enqueueMail } from '../../packages/backend/src/mail/mail-queue.ts';
import { startNativePostgres } from '../../packages/backend/tests/support/native-postgres.ts';
import { removeFolder, type SiteProcess, startSite } from '../support/site.ts';
import { type SmtpServer, startSmtpServer } from '../support/smtp-server.ts';
import { assertTrue, waitUntil } from './checks.ts';

/**
 * Stages of sending an email at which the process is killed. The last one is after the text and before its response.
 */
export const STAGES = ['EHLO', 'MAIL', 'RCPT', 'DATA', '.'];
const POST_COUNT = 20;
const OLD_DAY_COUNT = 1000;

/** The fixtures of a test that kills an instance and starts another one to take over. */
interface Fixtures {
  database: Database;
  smtp: SmtpServer;
  startInstance: () => Promise<SiteProcess>;
}

/**
 * Kills an instance with SIGKILL at each of these stages of sending an email, during a scheduled release and during a
 * daily job.
 */
export async function killDuringJobs({ stages }: { stages: readonly string[] }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-faults-'));
  const [postgres, smtp] = await Promise.all([startNativePostgres(), startSmtpServer()]);
  const instances: SiteProcess[] = [];
  const startInstance = async () => {
    const instance = await startSite(folder, { DATABASE_URL: postgres.url, SMTP_URL: smtp.url });
    instances.push(instance);
    return instance;
  };
  const database = openPostgresDatabase(postgres.url, 3);
  try {
    const fixtures = { database, smtp, startInstance };
    let instance = await startInstance();
    for (const stage of stages) instance = await killWhileSending(fixtures, instance, stage);
    await instance.stop();
    await killDuringReleaseAndCleanup(fixtures);
    return `An email was sent once after a kill at each of ${stages.length - 1} stages, and twice with one Message-ID after a kill between text and response. A release and a daily job were rolled back or kept in complete steps, and the next instance finished them.`;
  } finally {
    for (const instance of instances) await instance.stop('SIGKILL');
    await database.close();
    await smtp.close();
    await postgres.stop();
    await removeFolder(folder);
  }
}

/** @returns the instance that took over and sent the email */
async function killWhileSending(
  { database, smtp, startInstance }: Fixtures,
  instance: SiteProcess,
  stage: string,
): Promise<SiteProcess> {
  smtp.silentPrefix = stage;
  smtp.silentLineCount = 0;
  smtp.received.length = 0;
  await enqueueMail(database, 'ada@example.com', 'registration_approved', { Email: 'ada@example.com' });
  await waitUntil(() => smtp.silentLineCount > 0, `an email is being sent, up to ${stage}`);
  await instance.stop('SIGKILL');
  smtp.silentPrefix = undefined;
  const { rows } = await database.query<{ claimed: boolean }>(
    'select next_attempt_at > now() as claimed from private.mail_queue',
  );
  assertTrue(rows.length === 1 && rows[0]?.claimed === true, 'the email is kept, and its claim has not expired');
  // Lets the claim expire.
  await database.query('update private.mail_queue set next_attempt_at = now()');
  const nextInstance = await startInstance();
  await waitUntil(
    async () => (await countRows(database, 'private.mail_queue')) === 0,
    'the next instance sends the email',
  );
  const ids = smtp.received.map((mail) => /^Message-ID: \S+/m.exec(mail)?.[0]);
  assertTrue(
    ids.length === (stage === '.' ? 2 : 1),
    `the mail server received the email once, or twice after a kill at the end of the text (${stage}): ${ids.length} times`,
  );
  assertTrue(ids[0] !== undefined && new Set(ids).size === 1, 'the email has one Message-ID');
  return nextInstance;
}

/** Kills an instance in the middle of both jobs and expects the next instance to complete them. */
async function killDuringReleaseAndCleanup({ database, startInstance }: Fixtures): Promise<void> {
  const visitRows = `public.visit_counts where name = '/killed'`;
  await database.script(`
    insert into public.posts (title, slug) select 'Before', 'post-' || n from generate_series(1, ${POST_COUNT}) as n;
    insert into public.releases (name) values ('Spring');
    insert into public.release_changes (release_id, kind, item_id, action, data, base)
      select releases.id, 'posts', posts.id::text, 'update', '{"title": "After"}', to_jsonb(posts)
      from public.posts, public.releases where posts.slug ~ '^post-';
    update public.releases set publish_at = now();
    insert into public.visit_counts (day, kind, name, count)
      select current_date - 1000 - n, 'page', '/killed', 1 from generate_series(1, ${OLD_DAY_COUNT}) as n
      union all select current_date, 'page', '/killed', 1;`);
  const countPublishedPosts = () => countRows(database, `public.posts where title = 'After'`);
  const isPublished = async () => (await countRows(database, 'public.releases where published_at is not null')) === 1;
  await database.query(`update private.jobs set next_run_at = now() where name = 'delete old visit counts'`);
  // The oldest days are deleted first, 200 at a time, so the newest day is in the last step.
  await killDuringWork({ database, startInstance }, [
    { row: `public.posts where slug = 'post-${POST_COUNT}'`, work: 'publish_next_due_release' },
    { row: `${visitRows} and day = current_date - 1001`, work: 'run_due_job' },
  ]);
  assertTrue((await countPublishedPosts()) === 0 && !(await isPublished()), 'no part of the release is published');
  assertTrue(
    (await countRows(database, visitRows)) === 201,
    'complete steps of the daily job are kept, and the last step is rolled back',
  );
  const nextInstance = await startInstance();
  await waitUntil(isPublished, 'the next instance publishes the release');
  assertTrue((await countPublishedPosts()) === POST_COUNT, 'the whole release is published');
  const versions = await countRows(
    database,
    `public.content_versions where kind = 'posts' and data->>'title' = 'After'`,
  );
  assertTrue(versions === POST_COUNT, `each item has one new version: ${versions}`);
  await waitUntil(
    async () => (await countRows(database, visitRows)) === 1,
    'the next instance finishes the daily job, and newer rows remain',
  );
  await nextInstance.stop();
}

/**
 * Locks a row that each job needs, and kills the instance when all jobs wait for their locks. Also ends the instance's
 * database sessions, as a network does when a machine fails.
 */
async function killDuringWork(
  { database, startInstance }: Pick<Fixtures, 'database' | 'startInstance'>,
  locks: readonly { row: string; work: string }[],
): Promise<void> {
  const waitingQueries = (work: string) => `pg_stat_activity where wait_event_type = 'Lock' and query like '%${work}%'`;
  await database.transaction(async (tx) => {
    for (const { row } of locks) await tx.query(`select from ${row} for update`);
    const instance = await startInstance();
    for (const { work } of locks) {
      await waitUntil(async () => (await countRows(database, waitingQueries(work))) > 0, `${work} is running`);
    }
    await instance.stop('SIGKILL');
    for (const { work } of locks) {
      await database.query(`select pg_terminate_backend(pid) from ${waitingQueries(work)}`);
      await waitUntil(async () => (await countRows(database, waitingQueries(work))) === 0, 'its session ends');
    }
  });
}

async function countRows(database: Database, from: string): Promise<number> {
  const { rows } = await database.query<{ count: number }>(`select count(*)::integer as count from ${from}`);
  return rows[0]?.count ?? 0;
}

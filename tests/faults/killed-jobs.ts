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
 * Stages of sending an email at which the process is killed: at the greeting, the sender, the recipient, before the
 * text, and between the text and its response.
 */
export const STAGES = ['EHLO', 'MAIL', 'RCPT', 'DATA', '.'];
const POSTS = 20;
const OLD_DAYS = 1000;

/** The fixtures of a test that kills a copy and starts another one to take over. */
interface Fixtures {
  database: Database;
  smtp: SmtpServer;
  startCopy: () => Promise<SiteProcess>;
}

/**
 * Kills a copy with SIGKILL at each of these stages of sending an email, and during a scheduled release and a daily job.
 */
export async function killDuringJobs({ stages }: { stages: readonly string[] }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-faults-'));
  const [postgres, smtp] = await Promise.all([startNativePostgres(), startSmtpServer()]);
  const copies: SiteProcess[] = [];
  const startCopy = async () => {
    const copy = await startSite(folder, { DATABASE_URL: postgres.url, SMTP_URL: smtp.url });
    copies.push(copy);
    return copy;
  };
  const database = openPostgresDatabase(postgres.url, 3);
  try {
    const fixtures = { database, smtp, startCopy };
    let copy = await startCopy();
    for (const stage of stages) copy = await killWhileSending(fixtures, copy, stage);
    await copy.stop();
    await killDuringReleaseAndCleanup(fixtures);
    return `an email was sent once after a kill at each of ${stages.length - 1} stages, and twice with one Message-ID after a kill between text and response; a release and a daily job were rolled back or kept in complete steps, and finished by the next copy`;
  } finally {
    for (const copy of copies) await copy.stop('SIGKILL');
    await database.close();
    await smtp.close();
    await postgres.stop();
    await removeFolder(folder);
  }
}

/** @returns the copy that took over */
async function killWhileSending(
  { database, smtp, startCopy }: Fixtures,
  copy: SiteProcess,
  stage: string,
): Promise<SiteProcess> {
  smtp.silentPrefix = stage;
  smtp.silentLineCount = 0;
  smtp.received.length = 0;
  await enqueueMail(database, 'ada@example.com', 'registration_approved', { Email: 'ada@example.com' });
  await waitUntil(() => smtp.silentLineCount > 0, `an email is being sent, up to ${stage}`);
  await copy.stop('SIGKILL');
  smtp.silentPrefix = undefined;
  const { rows } = await database.query<{ claimed: boolean }>(
    'select next_attempt_at > now() as claimed from private.mail_queue',
  );
  assertTrue(rows.length === 1 && rows[0]?.claimed === true, 'the email is kept, and its claim has not expired');
  // Lets the claim expire.
  await database.query('update private.mail_queue set next_attempt_at = now()');
  const nextCopy = await startCopy();
  await waitUntil(async () => (await countOf(database, 'private.mail_queue')) === 0, 'the next copy sends the email');
  const ids = smtp.received.map((mail) => /^Message-ID: \S+/m.exec(mail)?.[0]);
  assertTrue(
    ids.length === (stage === '.' ? 2 : 1),
    `the mail server received the email once, or twice after a kill at the end of the text (${stage}): ${ids.length} times`,
  );
  assertTrue(ids[0] !== undefined && new Set(ids).size === 1, 'the email has one Message-ID');
  return nextCopy;
}

/** Kills a copy in the middle of both jobs and expects the next copy to complete them. */
async function killDuringReleaseAndCleanup({ database, startCopy }: Fixtures): Promise<void> {
  const days = `public.visit_counts where name = '/killed'`;
  await database.script(`
    insert into public.posts (title, slug) select 'Before', 'post-' || n from generate_series(1, ${POSTS}) as n;
    insert into public.releases (name) values ('Spring');
    insert into public.release_changes (release_id, kind, item_id, action, data, base)
      select releases.id, 'posts', posts.id::text, 'update', '{"title": "After"}', to_jsonb(posts)
      from public.posts, public.releases where posts.slug ~ '^post-';
    update public.releases set publish_at = now();
    insert into public.visit_counts (day, kind, name, count)
      select current_date - 1000 - n, 'page', '/killed', 1 from generate_series(1, ${OLD_DAYS}) as n
      union all select current_date, 'page', '/killed', 1;`);
  const published = () => countOf(database, `public.posts where title = 'After'`);
  const isPublished = async () => (await countOf(database, 'public.releases where published_at is not null')) === 1;
  await database.query(`update private.jobs set next_run_at = now() where name = 'delete old visit counts'`);
  // The oldest days are deleted first, 200 at a time, so the newest day is in the last step.
  await killDuringWork({ database, startCopy }, [
    { row: `public.posts where slug = 'post-${POSTS}'`, work: 'publish_next_due_release' },
    { row: `${days} and day = current_date - 1001`, work: 'run_due_job' },
  ]);
  assertTrue((await published()) === 0 && !(await isPublished()), 'no part of the release is published');
  assertTrue(
    (await countOf(database, days)) === 201,
    'complete steps of the daily job are kept, and the last step is rolled back',
  );
  const nextCopy = await startCopy();
  await waitUntil(isPublished, 'the next copy publishes the release');
  assertTrue((await published()) === POSTS, 'the whole release is published');
  const versions = await countOf(database, `public.content_versions where kind = 'posts' and data->>'title' = 'After'`);
  assertTrue(versions === POSTS, `each item has one new version: ${versions}`);
  await waitUntil(
    async () => (await countOf(database, days)) === 1,
    'the next copy finishes the daily job, and newer rows remain',
  );
  await nextCopy.stop();
}

/**
 * Locks a row that each job needs, and kills the copy when all jobs wait for their locks. Also ends the database
 * sessions of the copy, because a network also closes the connections of a failed machine.
 */
async function killDuringWork(
  { database, startCopy }: Pick<Fixtures, 'database' | 'startCopy'>,
  locks: readonly { row: string; work: string }[],
): Promise<void> {
  const waitingQueries = (work: string) => `pg_stat_activity where wait_event_type = 'Lock' and query like '%${work}%'`;
  await database.transaction(async (tx) => {
    for (const { row } of locks) await tx.query(`select from ${row} for update`);
    const copy = await startCopy();
    for (const { work } of locks) {
      await waitUntil(async () => (await countOf(database, waitingQueries(work))) > 0, `${work} is running`);
    }
    await copy.stop('SIGKILL');
    for (const { work } of locks) {
      await database.query(`select pg_terminate_backend(pid) from ${waitingQueries(work)}`);
      await waitUntil(async () => (await countOf(database, waitingQueries(work))) === 0, 'its session ends');
    }
  });
}

async function countOf(database: Database, from: string): Promise<number> {
  const { rows } = await database.query<{ count: number }>(`select count(*)::integer as count from ${from}`);
  return rows[0]?.count ?? 0;
}

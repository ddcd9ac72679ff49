import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../packages/backend/src/database/database.ts';
import { openPostgresDatabase } from '../../packages/backend/src/database/postgres-database.ts';
import { enqueueMail } from '../../packages/backend/src/mail/mail-queue.ts';
import { startNativePostgres } from '../../packages/backend/tests/support/native-postgres.ts';
import { removeFolder, type SiteProcess, startSite } from '../support/site.ts';
import { type SmtpServer, startSmtpServer } from '../support/smtp-server.ts';
import { becomes, must } from './asking.ts';

/** Moments of sending: greeting, sender, recipient, before the text, and when the text is taken and nothing said yet. */
export const MOMENTS = ['EHLO', 'MAIL', 'RCPT', 'DATA', '.'];
const POSTS = 20;
const OLD_DAYS = 1000;

/** Parts of a drill in which a copy is killed and another one takes over. */
interface Scene {
  database: Database;
  smtp: SmtpServer;
  startCopy: () => Promise<SiteProcess>;
}

/** Kills a copy (SIGKILL) at each of these moments of sending a mail, and within a planned release and a daily job. */
export async function killAtWork({ moments }: { moments: readonly string[] }): Promise<string> {
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
    const scene = { database, smtp, startCopy };
    let copy = await startCopy();
    for (const moment of moments) copy = await killWhileItSends(scene, copy, moment);
    await copy.stop();
    await killWhileItPublishesAndCleansUp(scene);
    return `a mail was sent once after a kill at each of ${moments.length - 1} moments, and twice with one Message-ID when the kill came between text and answer; a release and a daily job stopped in their middle were undone or kept in whole steps, and done by the next copy`;
  } finally {
    for (const copy of copies) await copy.stop('SIGKILL');
    await database.close();
    await smtp.close();
    await postgres.stop();
    await removeFolder(folder);
  }
}

/** @returns the copy that took over */
async function killWhileItSends(
  { database, smtp, startCopy }: Scene,
  copy: SiteProcess,
  moment: string,
): Promise<SiteProcess> {
  smtp.silentAt = moment;
  smtp.silences = 0;
  smtp.received.length = 0;
  await enqueueMail(database, 'ada@example.com', 'registration_approved', { Email: 'ada@example.com' });
  await becomes(() => smtp.silences > 0, `a mail is under way, up to ${moment}`);
  await copy.stop('SIGKILL');
  smtp.silentAt = undefined;
  const { rows } = await database.query<{ claimed: boolean }>(
    'select next_attempt_at > now() as claimed from private.mail_queue',
  );
  must(rows.length === 1 && rows[0]?.claimed === true, 'the mail is kept, and is claimed for a while');
  // The claim runs out.
  await database.query('update private.mail_queue set next_attempt_at = now()');
  const next = await startCopy();
  await becomes(async () => (await countOf(database, 'private.mail_queue')) === 0, 'the next copy sends it');
  const ids = smtp.received.map((mail) => /^Message-ID: \S+/m.exec(mail)?.[0]);
  must(ids.length === (moment === '.' ? 2 : 1), `it came once, killed at ${moment}: ${ids.length} times`);
  must(ids[0] !== undefined && new Set(ids).size === 1, 'it has one Message-ID');
  return next;
}

/** A copy is in the middle of both when it is killed, and the next one does both. */
async function killWhileItPublishesAndCleansUp({ database, startCopy }: Scene): Promise<void> {
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
  // Days are deleted from the oldest on, 200 at a time: the newest is in the last step.
  await killInTheMiddle({ database, startCopy }, [
    { row: `public.posts where slug = 'post-${POSTS}'`, work: 'publish_next_due_release' },
    { row: `${days} and day = current_date - 1001`, work: 'run_due_job' },
  ]);
  must((await published()) === 0 && !(await isPublished()), 'nothing is half published');
  must((await countOf(database, days)) === 201, 'whole steps are done, and the last not at all');
  const next = await startCopy();
  await becomes(isPublished, 'the next copy publishes the release');
  must((await published()) === POSTS, 'all of it is published');
  const versions = await countOf(database, `public.content_versions where kind = 'posts' and data->>'title' = 'After'`);
  must(versions === POSTS, `each item has one version of it: ${versions}`);
  await becomes(async () => (await countOf(database, days)) === 1, 'the next copy goes on; what is to stay stays');
  await next.stop();
}

/**
 * Holds a row that each job will need, kills the copy when all wait for theirs, and its sessions with it, as the network
 * of a machine that died does.
 */
async function killInTheMiddle(
  { database, startCopy }: Pick<Scene, 'database' | 'startCopy'>,
  held: readonly { row: string; work: string }[],
): Promise<void> {
  const waits = (work: string) => `pg_stat_activity where wait_event_type = 'Lock' and query like '%${work}%'`;
  await database.transaction(async (tx) => {
    for (const { row } of held) await tx.query(`select from ${row} for update`);
    const copy = await startCopy();
    for (const { work } of held) {
      await becomes(async () => (await countOf(database, waits(work))) > 0, `${work} is under way`);
    }
    await copy.stop('SIGKILL');
    for (const { work } of held) {
      await database.query(`select pg_terminate_backend(pid) from ${waits(work)}`);
      await becomes(async () => (await countOf(database, waits(work))) === 0, 'its session ends');
    }
  });
}

async function countOf(database: Database, what: string): Promise<number> {
  const { rows } = await database.query<{ count: number }>(`select count(*)::integer as count from ${what}`);
  return rows[0]?.count ?? 0;
}

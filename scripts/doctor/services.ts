/**
 * Checks the services that the server talks to: mail, the assistant's upstream, the object store, a Supabase project.
 */
import { type Config, createProjectReadiness, errorCode } from '@signalfjord/backend';
import { beginningOf, newestChain, openBackupStore, requireByteStore } from '@signalfjord/backend/commands';
import { createTransport } from 'nodemailer';
import { PROJECT_PROBE } from '../../server/health.ts';
import { clockFinding } from './clock.ts';
import { certificateAdvice, type Finding, note, ok, reasonOf, wrong } from './finding.ts';

const TIMEOUT_MS = 10_000;

/** Milliseconds from which on an object store is slow: it takes a few requests of a small object. */
const SLOW_STORE_MS = 3_000;

export async function checkServices(config: Config, slowStoreMs = SLOW_STORE_MS): Promise<Finding[]> {
  const checkStore = (given: Config) => checkObjectStore(given, slowStoreMs);
  const checks = [checkMail, checkUpstream, checkStore, checkKeptLog, checkProject];
  const found = await Promise.all(checks.map((check) => check(config)));
  return found.flat();
}

/** Connects, greets and signs in, and sends nothing. */
async function checkMail({ SMTP_URL, SUPABASE_URL }: Config): Promise<Finding[]> {
  if (SUPABASE_URL) return [];
  if (!SMTP_URL)
    return [note('Mail', 'SMTP_URL is not set: mails are written into DATA_DIR/outbox, and nobody gets them.')];
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };
  const { host } = new URL(SMTP_URL);
  // A URL takes no further options beside it.
  const transport = createTransport({ url: SMTP_URL, disableFileAccess: true, disableUrlAccess: true, ...timeouts });
  try {
    await transport.verify();
    return [ok('Mail', `${host} takes the connection.`)];
  } catch (error) {
    const advice =
      errorCode(error) === 'EAUTH'
        ? 'see the user and password in SMTP_URL'
        : (certificateAdvice(error) ?? 'see the host and port in SMTP_URL, and the firewall');
    return [wrong('Mail', `${host} cannot be used (${reasonOf(error)}): ${advice}.`)];
  } finally {
    transport.close();
  }
}

/** Lists the models, which costs nothing; servers that have no such list answer 404. */
async function checkUpstream({ AI_BASE_URL, AI_API_KEY, AI_MODEL, SUPABASE_URL }: Config): Promise<Finding[]> {
  if (!AI_BASE_URL || SUPABASE_URL) return [];
  const subject = 'Assistant';
  const asked = await ask(`${AI_BASE_URL}/models`, AI_API_KEY ? { authorization: `Bearer ${AI_API_KEY}` } : {});
  if (asked instanceof Error) {
    const advice = certificateAdvice(asked.cause) ?? 'see AI_BASE_URL, and the firewall';
    return [wrong(subject, `${AI_BASE_URL} cannot be reached (${reasonOf(asked)}): ${advice}.`)];
  }
  const { status, text, clock } = asked;
  if (status === 401 || status === 403)
    return [wrong(subject, `${AI_BASE_URL} refuses AI_API_KEY (${status}): set a key of it.`), ...clock];
  if (status >= 500)
    return [
      wrong(
        subject,
        `${AI_BASE_URL} answers ${status}: visitors are told that the assistant cannot be reached until it is back.`,
      ),
      ...clock,
    ];
  const isListed = status === 200 && text.includes('"id"');
  if (isListed && AI_MODEL && !text.includes(JSON.stringify(AI_MODEL))) {
    return [note(subject, `${AI_BASE_URL} does not list the model ${AI_MODEL}: see AI_MODEL.`), ...clock];
  }
  return [ok(subject, `${AI_BASE_URL} answers${isListed ? `, and has ${AI_MODEL}` : ''}.`), ...clock];
}

/** Reads what the server keeps at BACKUP_URL. */
async function checkKeptLog({ BACKUP_URL }: Config): Promise<Finding[]> {
  if (!BACKUP_URL) return [];
  const subject = 'Kept log';
  try {
    const chain = await newestChain(openBackupStore(BACKUP_URL), new Date());
    const last = chain?.pieces.at(-1);
    const since = chain && beginningOf(chain);
    if (!since || !last) return [note(subject, 'BACKUP_URL holds no moment yet: start the server with it.')];
    return [
      ok(subject, `since ${since.toISOString()} at least; the last change was kept at ${last.at.toISOString()}.`),
    ];
  } catch (error) {
    return [wrong(subject, `BACKUP_URL cannot be read (${reasonOf(error)}): see its path or keys.`)];
  }
}

/** Writes, reads and deletes one small object, as each start does. */
async function checkObjectStore(config: Config, slowMs: number): Promise<Finding[]> {
  const { S3_ENDPOINT, S3_BUCKET, SUPABASE_URL } = config;
  if (!S3_ENDPOINT || SUPABASE_URL) return [];
  const asked = await ask(S3_ENDPOINT);
  const clock = asked instanceof Error ? [] : asked.clock;
  const start = performance.now();
  try {
    await requireByteStore(config);
    const took = performance.now() - start;
    if (took >= slowMs) {
      const words = `a small file took ${(took / 1000).toFixed(1)} s to be written to ${S3_BUCKET}, read and deleted: visitors wait as long for pictures that are not kept. Ask who runs the store, and see the network between.`;
      return [note('Object store', words), ...clock];
    }
    return [ok('Object store', `a file could be written to ${S3_BUCKET}, read and deleted.`), ...clock];
  } catch (error) {
    return [wrong('Object store', reasonOf(error)), ...clock];
  }
}

async function checkProject(config: Config): Promise<Finding[]> {
  const { SUPABASE_URL, SUPABASE_SECRET_KEY } = config;
  if (!SUPABASE_URL) return [];
  const { project } = await createProjectReadiness(config, PROJECT_PROBE)();
  const subject = 'Project';
  if (project !== 'ok') {
    const words = `${SUPABASE_URL} ${project === 'cannot be reached' ? project : `${project} to a read of site_settings`}`;
    return [wrong(subject, `${words}: see SUPABASE_URL and SUPABASE_PUBLISHABLE_KEY, and run supabase db push.`)];
  }
  const findings = [ok(subject, `${SUPABASE_URL} answers.`)];
  if (!SUPABASE_SECRET_KEY) return findings;
  const headers = { apikey: SUPABASE_SECRET_KEY, authorization: `Bearer ${SUPABASE_SECRET_KEY}` };
  const asked = await ask(`${SUPABASE_URL}/auth/v1/admin/users?per_page=1`, headers);
  const isTaken = !(asked instanceof Error) && asked.status === 200;
  findings.push(
    isTaken
      ? ok(subject, 'SUPABASE_SECRET_KEY is taken.')
      : wrong(subject, 'SUPABASE_SECRET_KEY is not a secret key of it: copy it from the API keys of the project.'),
  );
  return findings;
}

async function ask(
  url: string,
  headers: Record<string, string> = {},
): Promise<Error | { status: number; text: string; clock: Finding[] }> {
  const before = Date.now();
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const after = Date.now();
    const date = Date.parse(response.headers.get('date') ?? '');
    // The header has whole seconds.
    const clock = Number.isNaN(date) ? [] : [clockFinding(new URL(url).host, new Date(date), before - 1000, after)];
    return { status: response.status, text: (await response.text()).slice(0, 1_000_000), clock };
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

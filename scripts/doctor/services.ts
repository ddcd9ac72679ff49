/** Checks external services: mail server, language model, object store and Supabase project. */
import { type Config, createProjectReadiness, errorCode } from '@signalfjord/backend';
import { earliestTime, newestChain, openBackupStore, requireByteStore } from '@signalfjord/backend/commands';
import { createTransport } from 'nodemailer';
import { PROJECT_PROBE } from '../../server/health.ts';
import { clockFinding } from './clock.ts';
import { certificateAdvice, type Finding, failure, ok, reasonOf, warning } from './finding.ts';

const TIMEOUT_MS = 10_000;

/** Threshold in ms for a slow object store. The check makes a few small requests. */
const SLOW_STORE_MS = 3_000;

export async function checkServices(config: Config, slowStoreMs = SLOW_STORE_MS): Promise<Finding[]> {
  const checkStore = (current: Config) => checkObjectStore(current, slowStoreMs);
  const checks = [checkMail, checkUpstream, checkStore, checkBackups, checkProject];
  const findings = await Promise.all(checks.map((check) => check(config)));
  return findings.flat();
}

/** Connects and authenticates without sending an email. */
async function checkMail({ SMTP_URL, SUPABASE_URL }: Config): Promise<Finding[]> {
  if (SUPABASE_URL) return [];
  if (!SMTP_URL)
    return [warning('Mail', 'SMTP_URL is not set, so emails are written to DATA_DIR/outbox and not sent.')];
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };
  const { host } = new URL(SMTP_URL);
  // nodemailer ignores other options next to a connection string.
  const transport = createTransport({ url: SMTP_URL, disableFileAccess: true, disableUrlAccess: true, ...timeouts });
  try {
    await transport.verify();
    return [ok('Mail', `${host} accepts the connection.`)];
  } catch (error) {
    const advice =
      errorCode(error) === 'EAUTH'
        ? 'check the user and password in SMTP_URL'
        : (certificateAdvice(error) ?? 'check the host and port in SMTP_URL, and the firewall');
    return [failure('Mail', `${host} cannot be used (${reasonOf(error)}): ${advice}.`)];
  } finally {
    transport.close();
  }
}

/** Requests the list of models, which is free. Servers without the endpoint return 404. */
async function checkUpstream({ AI_BASE_URL, AI_API_KEY, AI_MODEL, SUPABASE_URL }: Config): Promise<Finding[]> {
  if (!AI_BASE_URL || SUPABASE_URL) return [];
  const subject = 'Assistant';
  const response = await request(`${AI_BASE_URL}/models`, AI_API_KEY ? { authorization: `Bearer ${AI_API_KEY}` } : {});
  if (response instanceof Error) {
    const advice = certificateAdvice(response.cause) ?? 'check AI_BASE_URL and the firewall';
    return [failure(subject, `${AI_BASE_URL} cannot be reached (${reasonOf(response)}): ${advice}.`)];
  }
  const { status, text, clock } = response;
  if (status === 401 || status === 403)
    return [failure(subject, `${AI_BASE_URL} rejects AI_API_KEY (${status}). Set a valid key.`), ...clock];
  if (status >= 500)
    return [
      failure(
        subject,
        `${AI_BASE_URL} responds with status ${status}. Visitors see that the assistant cannot be reached.`,
      ),
      ...clock,
    ];
  const isListed = status === 200 && text.includes('"id"');
  if (isListed && AI_MODEL && !text.includes(JSON.stringify(AI_MODEL))) {
    return [warning(subject, `${AI_BASE_URL} does not list the model ${AI_MODEL}. Check AI_MODEL.`), ...clock];
  }
  return [ok(subject, `${AI_BASE_URL} responds${isListed ? ` and lists ${AI_MODEL}` : ''}.`), ...clock];
}

/** Reads the backups at BACKUP_URL. */
async function checkBackups({ BACKUP_URL }: Config): Promise<Finding[]> {
  if (!BACKUP_URL) return [];
  const subject = 'Point-in-time recovery';
  try {
    const chain = await newestChain(openBackupStore(BACKUP_URL), new Date());
    const last = chain?.segments.at(-1);
    const firstMoment = chain && earliestTime(chain);
    if (!firstMoment || !last) return [warning(subject, 'BACKUP_URL holds no backup yet. Start the server with it.')];
    return [ok(subject, `can restore any time from ${firstMoment.toISOString()} to ${last.at.toISOString()}.`)];
  } catch (error) {
    return [failure(subject, `BACKUP_URL cannot be read (${reasonOf(error)}). Check its path or keys.`)];
  }
}

/** Writes, reads and deletes a small object, as at each start. */
async function checkObjectStore(config: Config, slowMs: number): Promise<Finding[]> {
  const { S3_ENDPOINT, S3_BUCKET, SUPABASE_URL } = config;
  if (!S3_ENDPOINT || SUPABASE_URL) return [];
  const response = await request(S3_ENDPOINT);
  const clock = response instanceof Error ? [] : response.clock;
  const start = performance.now();
  try {
    await requireByteStore(config);
    const duration = performance.now() - start;
    if (duration >= slowMs) {
      const message = `writing, reading and deleting a small file in ${S3_BUCKET} took ${(duration / 1000).toFixed(1)} s. Uncached pictures load as slowly for visitors. Check the network, or ask the operator of the store.`;
      return [warning('Object store', message), ...clock];
    }
    return [ok('Object store', `a test file in ${S3_BUCKET} could be written, read and deleted.`), ...clock];
  } catch (error) {
    return [failure('Object store', reasonOf(error)), ...clock];
  }
}

async function checkProject(config: Config): Promise<Finding[]> {
  const { SUPABASE_URL, SUPABASE_SECRET_KEY } = config;
  if (!SUPABASE_URL) return [];
  const { project } = await createProjectReadiness(config, PROJECT_PROBE)();
  const subject = 'Project';
  if (project !== 'ok') {
    const message = `${SUPABASE_URL} ${project === 'cannot be reached' ? project : `responded with "${project}" to a read of site_settings`}`;
    return [failure(subject, `${message}. Check SUPABASE_URL and SUPABASE_PUBLISHABLE_KEY, and run supabase db push.`)];
  }
  const findings = [ok(subject, `${SUPABASE_URL} responds.`)];
  if (!SUPABASE_SECRET_KEY) return findings;
  const headers = { apikey: SUPABASE_SECRET_KEY, authorization: `Bearer ${SUPABASE_SECRET_KEY}` };
  const response = await request(`${SUPABASE_URL}/auth/v1/admin/users?per_page=1`, headers);
  const isAccepted = !(response instanceof Error) && response.status === 200;
  findings.push(
    isAccepted
      ? ok(subject, 'SUPABASE_SECRET_KEY is accepted.')
      : failure(
          subject,
          'SUPABASE_SECRET_KEY is not a secret key of this project. Copy it from the API keys of the project.',
        ),
  );
  return findings;
}

async function request(
  url: string,
  headers: Record<string, string> = {},
): Promise<Error | { status: number; text: string; clock: Finding[] }> {
  const before = Date.now();
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const after = Date.now();
    const date = Date.parse(response.headers.get('date') ?? '');
    // The Date header has a resolution of one second.
    const clock = Number.isNaN(date) ? [] : [clockFinding(new URL(url).host, new Date(date), before - 1000, after)];
    return { status: response.status, text: (await response.text()).slice(0, 1_000_000), clock };
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

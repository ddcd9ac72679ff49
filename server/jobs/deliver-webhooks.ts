/**
 * Delivers new leads of the agency to its webhook (public.lead_webhook_deliveries), and new or changed leads of clients
 * to the clients' webhooks (public.client_webhook_deliveries). Payloads are signed as described at standardwebhooks.com,
 * so receivers can verify them with a library.
 */

import { createHmac } from 'node:crypto';
import {
  type Database,
  type ExternalFetch,
  errorCode,
  type Job,
  POLL_INTERVAL_MS,
  PrivateAddressError,
  publicFetch,
  type SiteOrigin,
} from '@signalfjord/backend';
import type { Logger } from 'pino';

const MAX_ATTEMPTS = 8;

/** Seconds until a claimed delivery can be claimed again, in case the process crashed. */
const CLAIM_SECONDS = 60;

/** Maximum number of characters of a client's response in the delivery log. */
const MAX_LOGGED = 2000;

interface Delivery {
  id: number;
  attempts: number;
  /** Null if no webhook is configured. */
  url: string | null;
  secret: string;
  /** Null for a test delivery. */
  lead: object | null;
}

interface ClientDelivery {
  id: number;
  attempts: number;
  url: string;
  secret: string;
  /** Id of the client. */
  client: string;
  /** Id of the lead. Null for a test delivery. */
  lead: string | null;
  event: 'lead.created' | 'lead.changed' | 'test';
  payload: { lead?: object };
}

/** Creates the job for the agency's webhook. The default `fetch` rejects private networks and follows no redirects. */
export function webhookJob(
  database: Database,
  origin: SiteOrigin,
  log: Logger,
  fetch: ExternalFetch = publicFetch,
): Job {
  return {
    name: 'deliver webhooks',
    channels: ['webhook_queued'],
    async run() {
      const delivery = await claimNext(database);
      if (!delivery) return POLL_INTERVAL_MS;
      const outcome = await send(delivery, String(origin), fetch);
      if (outcome.error) log.warn({ delivery: delivery.id, attempts: delivery.attempts, ...outcome }, 'webhook failed');
      await recordOutcome(database, delivery, outcome);
      return 0;
    },
  };
}

/**
 * Creates the job for the clients' webhooks. After a failure, the webhook of that client is paused for a minute, so that
 * an unresponsive server delays other deliveries at most once a minute.
 */
export function clientWebhookJob(
  database: Database,
  origin: SiteOrigin,
  log: Logger,
  fetch: ExternalFetch = publicFetch,
): Job {
  return {
    name: 'deliver webhooks of clients',
    channels: ['webhook_queued'],
    async run() {
      const { rows } = await database.query<{ delivery: ClientDelivery | null }>(
        'select private.claim_client_webhook($1) as delivery',
        [CLAIM_SECONDS],
      );
      const delivery = rows[0]?.delivery;
      if (!delivery) return POLL_INTERVAL_MS;
      const outcome = await sendToClient(delivery, String(origin), fetch);
      const { id, client, attempts } = delivery;
      if (outcome.error)
        log.warn({ client, delivery: id, attempts, error: outcome.error }, 'webhook of a client failed');
      await recordClientOutcome(database, delivery, outcome);
      return 0;
    },
  };
}

async function claimNext(database: Database): Promise<Delivery | undefined> {
  const { rows } = await database.query<Delivery>(
    `update public.lead_webhook_deliveries as delivery
     set attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => $1::int)
     where id = (
       select id from public.lead_webhook_deliveries where status = 'waiting' and next_attempt_at <= now()
       order by id limit 1 for update skip locked
     )
     returning id, attempts, private.lead_webhook_url() as url,
       private.lead_webhook_secret() as secret,
       (select to_jsonb(lead) - 'note' - 'owner_id' from public.leads as lead where lead.id = delivery.lead_id) as lead`,
    [CLAIM_SECONDS],
  );
  return rows[0];
}

interface Outcome {
  /** Response status, if there was a response. */
  status?: number;
  /** Beginning of the response, if there was one. */
  response?: string;
  /** Error message for the log. */
  error?: string;
  /** True if a retry cannot succeed. */
  isFinal?: boolean;
}

async function send({ id, url, secret, lead }: Delivery, siteUrl: string, fetch: ExternalFetch): Promise<Outcome> {
  if (url === null) return { error: 'The webhook URL was removed.', isFinal: true };
  return post(fetch, url, secret, `lead-delivery-${id}`, {
    type: lead ? 'lead.created' : 'test',
    data: lead ? { ...lead, url: `${siteUrl}/admin/leads/${'id' in lead ? lead.id : ''}` } : {},
  });
}

function sendToClient(delivery: ClientDelivery, siteUrl: string, fetch: ExternalFetch): Promise<Outcome> {
  const { id, url, secret, client, lead, event, payload } = delivery;
  const link = `${siteUrl}/client-dashboard?client=${client}#lead-${lead}`;
  const data = lead === null ? payload : { ...payload, lead: { ...payload.lead, url: link } };
  return post(fetch, url, secret, `client-lead-delivery-${id}`, { type: event, data });
}

/** Sends a signed message. @param id the same for each attempt, so that the receiver can ignore repeated messages */
async function post(
  fetch: ExternalFetch,
  url: string,
  secret: string,
  id: string,
  message: { type: string; data: object },
): Promise<Outcome> {
  const now = new Date();
  const { type, data } = message;
  const body = JSON.stringify({ type, timestamp: now.toISOString(), data });
  const seconds = Math.trunc(now.getTime() / 1000);
  try {
    const reply = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Signalfjord-Webhook',
        'webhook-id': id,
        'webhook-timestamp': String(seconds),
        'webhook-signature': `v1,${sign(secret, `${id}.${seconds}.${body}`)}`,
      },
      body,
    });
    const { status } = reply;
    // Postgres cannot store NUL characters.
    const response = (await reply.text()).replaceAll('\0', '').slice(0, MAX_LOGGED);
    if (status >= 200 && status < 300) return { status, response };
    if (status >= 300 && status < 400)
      return { status, response, error: `The server returned status ${status}. Redirects are not followed.` };
    return { status, response, error: `The server returned status ${status}.`, isFinal: status === 410 };
  } catch (error) {
    return explain(error);
  }
}

/** Signs a text. `secret` is 'whsec_' followed by the key in base64. @returns base64 of the HMAC-SHA256 */
function sign(secret: string, text: string): string {
  return createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
    .update(text)
    .digest('base64');
}

function explain(error: unknown): Outcome {
  if (error instanceof PrivateAddressError) {
    return { error: 'The URL is not https or points to a private network.', isFinal: true };
  }
  if (error instanceof TypeError) return { error: 'The webhook URL is not valid.', isFinal: true };
  if (error instanceof Error && error.name === 'TimeoutError') return { error: 'No response within 10 seconds.' };
  const code = errorCode(error);
  return { error: `The server could not be reached${code && ` (${code})`}.` };
}

/** Stores the result of the agency's webhook. */
async function recordOutcome(database: Database, { id, attempts }: Delivery, outcome: Outcome): Promise<void> {
  await database.query(
    `update public.lead_webhook_deliveries set status = $2, response_status = $3::int, last_error = $4,
       ended_at = case when $2 = 'waiting' then null else now() end,
       next_attempt_at = now() + make_interval(mins => $5::int)
     where id = $1`,
    [id, nextStatus(attempts, outcome), outcome.status ?? null, outcome.error ?? null, retryMinutes(attempts)],
  );
}

async function recordClientOutcome(database: Database, delivery: ClientDelivery, outcome: Outcome): Promise<void> {
  const { id, client, attempts } = delivery;
  const { status = null, response = '', error = null } = outcome;
  await database.query(
    `with recorded as (
       update public.client_webhook_deliveries set status = $2, response_status = $3::int, response = $4, last_error = $5,
         ended_at = case when $2 = 'waiting' then null else now() end,
         next_attempt_at = now() + make_interval(mins => $6::int)
       -- The webhook may have been removed during the request, which ends its deliveries.
       where id = $1 and status = 'waiting'
     )
     update private.client_webhooks set paused_until = case when $5::text is not null then now() + interval '1 minute' end
     where client_id = $7`,
    [id, nextStatus(attempts, outcome), status, response, error, retryMinutes(attempts), client],
  );
}

function nextStatus(attempts: number, { error, isFinal }: Outcome): 'delivered' | 'failed' | 'waiting' {
  if (!error) return 'delivered';
  return isFinal === true || attempts >= MAX_ATTEMPTS ? 'failed' : 'waiting';
}

/** Minutes until the next attempt: 1, 2, 4 ... */
function retryMinutes(attempts: number): number {
  return 2 ** (attempts - 1);
}

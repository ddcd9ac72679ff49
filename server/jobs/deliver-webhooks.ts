/**
 * Sends each new lead to the configured webhook, from public.lead_webhook_deliveries. Bodies are signed as described at
 * standardwebhooks.com, so receivers can verify them with a library.
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

interface Delivery {
  id: number;
  attempts: number;
  /** Null if no webhook is configured. */
  url: string | null;
  secret: string;
  /** Null for a test delivery. */
  lead: object | null;
}

/** Creates the webhook job. The default `fetch` rejects private networks and follows no redirects. */
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
  /** Error message for admins. */
  error?: string;
  /** True if a retry cannot succeed. */
  isFinal?: boolean;
}

async function send({ id, url, secret, lead }: Delivery, siteUrl: string, fetch: ExternalFetch): Promise<Outcome> {
  if (url === null) return { error: 'The webhook URL was removed.', isFinal: true };
  const timestamp = new Date();
  const body = JSON.stringify({
    type: lead ? 'lead.created' : 'test',
    timestamp: timestamp.toISOString(),
    data: lead ? { ...lead, url: `${siteUrl}/admin/leads/${'id' in lead ? lead.id : ''}` } : {},
  });
  const seconds = Math.trunc(timestamp.getTime() / 1000);
  try {
    const { status } = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Signalfjord-Webhook',
        'webhook-id': `lead-delivery-${id}`,
        'webhook-timestamp': String(seconds),
        'webhook-signature': `v1,${sign(secret, `lead-delivery-${id}.${seconds}.${body}`)}`,
      },
      body,
    });
    if (status >= 200 && status < 300) return { status };
    if (status >= 300 && status < 400)
      return { status, error: `The server returned status ${status}. Redirects are not followed.` };
    return { status, error: `The server returned status ${status}.`, isFinal: status === 410 };
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
  if (error instanceof Error && error.name === 'TimeoutError') return { error: 'No answer within 10 seconds.' };
  const code = errorCode(error);
  return { error: `The server could not be reached${code && ` (${code})`}.` };
}

/** Stores the result. The delay before a retry doubles: 1, 2, 4 ... minutes. */
async function recordOutcome(
  database: Database,
  { id, attempts }: Delivery,
  { status, error, isFinal }: Outcome,
): Promise<void> {
  const isOver = !error || isFinal === true || attempts >= MAX_ATTEMPTS;
  await database.query(
    `update public.lead_webhook_deliveries set status = $2, response_status = $3::int, last_error = $4,
       ended_at = case when $2 = 'waiting' then null else now() end,
       next_attempt_at = now() + make_interval(mins => $5::int)
     where id = $1`,
    [id, !error ? 'delivered' : isOver ? 'failed' : 'waiting', status ?? null, error ?? null, 2 ** (attempts - 1)],
  );
}

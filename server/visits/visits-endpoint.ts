/**
 * POST /visits: reports sent by navigator.sendBeacon when a page is left. All requests get the same immediate response.
 * Bots and browsers with Do Not Track are not counted.
 */

import type { IncomingMessage, RequestListener } from 'node:http';
import { type Config, createAddressLimit } from '@signalfjord/backend';
import { isbot } from 'isbot';
import type { Logger } from 'pino';
import { createClientAddressReader } from '../client-address.ts';
import { readSmallBody } from '../small-body.ts';
import { MAX_BYTES, readVisit } from './read-visit.ts';
import type { VisitCount } from './visit-counts.ts';
import { VisitWriter } from './visit-writer.ts';

export const VISITS_PATH = '/visits';

const VISITS_PER_MINUTE = 60;

/** Supabase API with the secret key for visit counts. */
export interface CountsApi {
  url: string;
  secretKey: string;
  fetch: (request: Request) => Response | Promise<Response>;
}

export interface VisitsEndpointDependencies {
  config: Pick<Config, 'SITE_URL' | 'TRUSTED_PROXIES' | 'RATE_LIMITS'>;
  api: CountsApi;
  pages: readonly string[];
  log: Pick<Logger, 'error'>;
}

export interface VisitsEndpoint {
  listener: RequestListener;
  /** Flushes pending counts. */
  close(): Promise<void>;
}

export function createVisitsEndpoint({ config, api, pages, log }: VisitsEndpointDependencies): VisitsEndpoint {
  const writer = new VisitWriter(
    (counts) => addVisitCounts(api, counts),
    (error) => log.error(error, 'Visits could not be saved'),
  );
  const publicPages = new Set(pages);
  const clientAddressOf = createClientAddressReader(config);
  const secondsToWait = config.RATE_LIMITS ? createAddressLimit({ attempts: VISITS_PER_MINUTE, seconds: 60 }) : () => 0;

  async function count(request: IncomingMessage): Promise<void> {
    if (!isCounted(request) || secondsToWait(clientAddressOf(request)) > 0) return;
    const body = await readSmallBody(request, MAX_BYTES);
    if (body === null) return;
    const host = config.SITE_URL ? new URL(config.SITE_URL).host : (request.headers.host ?? '');
    const visit = readVisit(body, { pages: publicPages, host });
    if (visit) writer.add(visit);
  }

  return {
    listener: (request, response) => {
      const respond = () => {
        // The rest of an unread body is ignored.
        const isRead = request.complete;
        response.writeHead(204, { 'cache-control': 'no-store', ...(isRead ? {} : { connection: 'close' }) }).end();
      };
      count(request).then(respond, respond);
    },
    close: () => writer.close(),
  };
}

/** Checks whether a visit counts. Cross-site requests, bots and Do Not Track are excluded. */
function isCounted({ headers }: IncomingMessage): boolean {
  const hasOptedOut = headers['dnt'] === '1' || headers['sec-gpc'] === '1';
  const site = headers['sec-fetch-site'];
  const agent = headers['user-agent'];
  return !hasOptedOut && (site === undefined || site === 'same-origin') && Boolean(agent) && !isbot(agent);
}

/** Calls add_visit_counts. @throws Error if the API rejects it */
async function addVisitCounts({ url, secretKey, fetch }: CountsApi, counts: VisitCount[]): Promise<void> {
  const request = new Request(`${url}/rest/v1/rpc/add_visit_counts`, {
    method: 'POST',
    headers: { apikey: secretKey, authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ _counts: counts }),
    signal: AbortSignal.timeout(10_000),
  });
  const response = await fetch(request);
  const body = await response.text();
  if (!response.ok)
    throw new Error(`The visit counts were rejected with status ${response.status}: ${body.slice(0, 300)}`);
}

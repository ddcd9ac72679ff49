/**
 * POST /domain-check {domain}: checks the email DNS records of a domain for visitors while the setting domain_check is
 * on. It queries only DNS resolvers, and shares its capacity fairly between networks. Results are cached for three
 * minutes.
 */

import type { IncomingMessage, RequestListener } from 'node:http';
import { type Config, createAddressLimit, FairQueue, networkPath } from '@signalfjord/backend';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { DomainCheck } from '../../app/site/domain-check/domain-check-result.ts';
import { createClientAddressReader } from '../client-address.ts';
import { commonHeaders } from '../security-headers.ts';
import { readSmallBody } from '../small-body.ts';
import { checkDomain } from './check-domain.ts';
import { DnsUnavailableError } from './dns-reader.ts';
import { readDomain } from './domain-name.ts';

export const DOMAIN_CHECK_PATH = '/domain-check';

const CHECKS_PER_MINUTE = 10;

/** Maximum concurrent checks. Each makes about thirty lookups. */
const MAX_CONCURRENT_CHECKS = 16;
const MAX_WAITING = 100;
const MAX_WAIT_MS = 6000;

/** Cache lifetime: long enough for repeated views, short enough for a visitor who has just fixed a record. */
const CACHE_MS = 3 * 60 * 1000;
const MAX_CACHED = 1000;

const MAX_BODY_BYTES = 2000;
const body = z.object({ domain: z.string() });

export interface DomainCheckDependencies {
  config: Config;
  /** Reads the setting domain_check. */
  isEnabled: () => Promise<boolean>;
  log: Pick<Logger, 'error'>;
}

/** Error with a message for the visitor. */
class Rejection extends Error {
  readonly status: number;
  /** Value of the Retry-After header, in seconds. */
  readonly retryAfter: number | undefined;

  constructor(status: number, message: string, retryAfter?: number) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** Creates the listener. The cache and the queue are per process. */
export function createDomainCheck({ config, isEnabled, log }: DomainCheckDependencies): RequestListener {
  const common = commonHeaders(config);
  const clientAddressOf = createClientAddressReader(config);
  const secondsToWait = config.RATE_LIMITS ? createAddressLimit({ attempts: CHECKS_PER_MINUTE, seconds: 60 }) : () => 0;
  const queue = new FairQueue({
    maxConcurrent: MAX_CONCURRENT_CHECKS,
    maxQueued: MAX_WAITING,
    maxWaitMs: MAX_WAIT_MS,
    createError: () => new Rejection(503, 'Many domains are being checked right now. Please try again in a moment.', 5),
  });
  const cache = new LRUCache<string, { result: DomainCheck | null }>({ max: MAX_CACHED, ttl: CACHE_MS });

  /** Returns a cached result or checks the domain. Failures are not cached. */
  async function check(domain: string, address: string): Promise<DomainCheck | null> {
    const cached = cache.get(domain);
    if (cached) return cached.result;
    return queue.run(networkPath(address), async () => {
      // Another request may have filled the cache during the wait.
      const latest = cache.get(domain);
      if (latest) return latest.result;
      const result = await checkDomain(domain, config.DNS_SERVERS);
      cache.set(domain, { result });
      return result;
    });
  }

  async function handle(request: IncomingMessage): Promise<DomainCheck> {
    const address = clientAddressOf(request);
    const wait = secondsToWait(address);
    if (wait > 0) throw new Rejection(429, 'Too many requests. Try again in a minute.', wait);
    // Reject cross-site requests, so that other sites cannot use up the rate limits of their visitors.
    const fetchSite = request.headers['sec-fetch-site'];
    const isSameOrigin = fetchSite === undefined || fetchSite === 'same-origin';
    if (!isSameOrigin || !(await isEnabled())) throw new Rejection(404, 'The domain check is not available.');
    const input = readDomain(await readInput(request));
    if ('rejection' in input) throw new Rejection(422, input.rejection);
    const result = await check(input.domain, address);
    if (!result) throw new Rejection(422, `The domain ${input.domain} does not exist. Please check the spelling.`);
    return result;
  }

  function toRejection(error: unknown): Rejection {
    if (error instanceof Rejection) return error;
    if (error instanceof DnsUnavailableError) {
      return new Rejection(503, 'The DNS servers of this domain are not responding. Please try again in a minute.', 60);
    }
    log.error(error, 'The domain check failed');
    return new Rejection(503, 'Domains cannot be checked right now. Please try again in a minute.', 60);
  }

  return (request, response) => {
    const send = (status: number, body: DomainCheck | { error: string }, headers: Record<string, string> = {}) => {
      const connection = request.complete ? {} : { connection: 'close' };
      response
        .writeHead(status, {
          'content-type': 'application/json',
          'cache-control': 'no-store',
          ...common,
          ...connection,
          ...headers,
        })
        .end(JSON.stringify(body));
    };
    handle(request).then(
      (result) => send(200, result),
      (error: unknown) => {
        const { status, message, retryAfter } = toRejection(error);
        send(status, { error: message }, retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) });
      },
    );
  };
}

/** Reads the domain from the request body. @throws Rejection for an invalid body */
async function readInput(request: IncomingMessage): Promise<string> {
  try {
    return body.parse(JSON.parse((await readSmallBody(request, MAX_BODY_BYTES)) ?? '')).domain;
  } catch {
    throw new Rejection(400, 'Send a domain as {"domain": "example.com"}.');
  }
}

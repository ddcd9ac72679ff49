/** Purges a CDN (CDN_PURGE_URL) when content changes. */

import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '@signalfjord/backend';
import type { Logger } from 'pino';

const TIMEOUT_MS = 10_000;

/** Maximum number of attempts. After that, the cached pages will soon expire. */
const MAX_TRIES = 3;

/** Delays in ms. Changes within `batch` share one request. A failed request is retried after `retry`. */
const DELAYS = { batch: 1000, retry: 5000 };

/**
 * Returns a function to call on each change. At most one request is running at a time, and a request always follows the
 * last change. Errors are logged.
 */
export function createCdnPurge(config: Pick<Config, 'CDN_PURGE_URL'>, log: Logger, delays = DELAYS): () => void {
  if (!config.CDN_PURGE_URL) return () => undefined;
  // fetch() rejects URLs with credentials.
  const url = new URL(config.CDN_PURGE_URL);
  const token = decodeURIComponent(url.username);
  url.username = '';
  let isDirty = false;
  let isRunning = false;
  const run = async () => {
    isRunning = true;
    while (isDirty) {
      await wait(delays.batch, undefined, { ref: false });
      isDirty = false;
      for (let tries = 1; tries <= MAX_TRIES; tries++) {
        const problem = await purge(url, token);
        if (!problem) break;
        log.warn({ tries }, `The CDN could not be purged: ${problem}`);
        await wait(delays.retry, undefined, { ref: false });
      }
    }
    isRunning = false;
  };
  return () => {
    isDirty = true;
    if (!isRunning) void run();
  };
}

/** Sends the purge request in Cloudflare's format. Other CDNs ignore the body. @returns the error, or null */
async function purge(url: URL, token: string): Promise<string | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: '{"purge_everything":true}',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.ok ? null : `it responded with status ${response.status}`;
  } catch (error) {
    return `it could not be reached (${error instanceof Error ? error.name : 'unknown reason'})`;
  }
}

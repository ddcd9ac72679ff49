/** Empties a CDN that keeps pages (CDN_PURGE_URL) when content changed. */

import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '@signalfjord/backend';
import type { Logger } from 'pino';

const DEADLINE_MS = 10_000;

/** After so many the pages there are about to end by themselves. */
const TRIES = 3;

/** Pauses in milliseconds: changes within `together` are one request, and a refused one is sent again after `again`. */
const PAUSES = { together: 1000, again: 5000 };

/**
 * @returns to be called with each change. The last one always has a request after it, of which one is under way at a time;
 * what is refused is logged.
 */
export function createCdnPurge(config: Pick<Config, 'CDN_PURGE_URL'>, log: Logger, pauses = PAUSES): () => void {
  if (!config.CDN_PURGE_URL) return () => undefined;
  // fetch() rejects an address with a user.
  const url = new URL(config.CDN_PURGE_URL);
  const token = decodeURIComponent(url.username);
  url.username = '';
  let isWanted = false;
  let isAtWork = false;
  const work = async () => {
    isAtWork = true;
    while (isWanted) {
      await wait(pauses.together, undefined, { ref: false });
      isWanted = false;
      for (let tries = 1; tries <= TRIES; tries++) {
        const problem = await purge(url, token);
        if (!problem) break;
        log.warn({ tries }, `The CDN could not be purged: ${problem}`);
        await wait(pauses.again, undefined, { ref: false });
      }
    }
    isAtWork = false;
  };
  return () => {
    isWanted = true;
    if (!isAtWork) void work();
  };
}

/** @returns what is wrong, or null. The body is that of Cloudflare; others look at the address alone. */
async function purge(url: URL, token: string): Promise<string | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: '{"purge_everything":true}',
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    await response.body?.cancel();
    return response.ok ? null : `it responded with status ${response.status}`;
  } catch (error) {
    return `it could not be reached (${error instanceof Error ? error.name : 'unknown reason'})`;
  }
}

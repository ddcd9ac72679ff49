import { setTimeout as wait } from 'node:timers/promises';
import type { SiteProcess } from '../support/site.ts';

/** Returns the status of a response that was read completely, or 0 if the request failed. */
export async function fetchStatus(url: string, init: RequestInit = {}): Promise<number> {
  try {
    const response = await fetch(url, init);
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}

/** Writes one setting. @returns the status */
export function writeSetting(
  site: Pick<SiteProcess, 'url'>,
  secretKey: string,
  key: string,
  value = 'kept',
): Promise<number> {
  return fetchStatus(`${site.url}/rest/v1/site_settings`, {
    method: 'POST',
    headers: { apikey: secretKey, 'content-type': 'application/json' },
    body: JSON.stringify({ setting_key: key, setting_value: value }),
  });
}

/** @throws Error if the condition is false */
export function assertTrue(condition: boolean, expectation: string): void {
  if (!condition) throw new Error(`Expectation failed: ${expectation}`);
}

/** Waits up to a minute until the condition is true. @throws Error on timeout */
export async function waitUntil(condition: () => boolean | Promise<boolean>, expectation: string): Promise<void> {
  for (const end = performance.now() + 60_000; performance.now() < end; await wait(100)) if (await condition()) return;
  assertTrue(false, expectation);
}

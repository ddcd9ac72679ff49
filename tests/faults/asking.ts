import { setTimeout as wait } from 'node:timers/promises';
import type { SiteProcess } from '../support/site.ts';

/** Returns the status of an answer that was read to its end; 0 when there was none. */
export async function statusOf(address: string, init: RequestInit = {}): Promise<number> {
  try {
    const response = await fetch(address, init);
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}

/** Writes one setting. @returns its status */
export function writeSetting(
  site: Pick<SiteProcess, 'url'>,
  secretKey: string,
  key: string,
  value = 'kept',
): Promise<number> {
  return statusOf(`${site.url}/rest/v1/site_settings`, {
    method: 'POST',
    headers: { apikey: secretKey, 'content-type': 'application/json' },
    body: JSON.stringify({ setting_key: key, setting_value: value }),
  });
}

/** @throws Error unless it holds */
export function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(`Did not hold: ${what}`);
}

/** Waits until something holds: a minute at most, which is far more than anything here takes. @throws Error */
export async function becomes(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const end = performance.now() + 60_000; performance.now() < end; await wait(100)) if (await holds()) return;
  must(false, what);
}

/**
 * Compares the backend requests of each screen of a new site with a list. Additional requests slow a screen down, so a
 * test fails until they are listed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';

const LIST = join(import.meta.dirname, '../e2e/api-calls.json');

/** The requests of each screen. */
export type Calls = Record<string, string[]>;

/**
 * Starts recording the page's requests to the backend. @returns a function that stops recording and returns each
 * method and path once
 */
export function recordCalls(page: Page): () => string[] {
  const recordedCalls = new Set<string>();
  const record = (request: { method(): string; url(): string }) => {
    const { pathname } = new URL(request.url());
    if (/^\/(auth|rest|storage|functions)\/v1\//.test(pathname) && !pathname.includes('/object/public/')) {
      recordedCalls.add(`${request.method()} ${pathname}`);
    }
  };
  page.on('request', record);
  return () => {
    page.off('request', record);
    return [...recordedCalls].sort();
  };
}

/** Replaces the IDs and tokens in a path with placeholders. */
export function replaceIds(path: string): string {
  return path.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/, ':id').replace(/[0-9a-f]{64}/, ':token');
}

/** Opens each screen and records its requests to the backend. */
export async function recordScreens(page: Page, paths: readonly string[]): Promise<Calls> {
  const calls: Calls = {};
  for (const path of paths) {
    // Requests of the previous screen must not be recorded for this one.
    await page.goto('about:blank');
    const stopRecording = recordCalls(page);
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeAttached();
    await expect(page.getByText(/^Loading/)).toHaveCount(0);
    await page.waitForLoadState('networkidle');
    calls[replaceIds(path)] = stopRecording();
  }
  return calls;
}

/** Expects the requests of each role to be in the list. If WRITE_CALLS is set, adds them to the list instead. */
export function expectListed(calls: Record<string, Calls>): void {
  const list = JSON.parse(readFileSync(LIST, 'utf8')) as Record<string, Calls>;
  if (process.env['WRITE_CALLS']) {
    for (const [role, screens] of Object.entries(calls)) list[role] = { ...list[role], ...screens };
    writeFileSync(LIST, `${JSON.stringify(list, null, 2)}\n`);
    return;
  }
  const unlisted = Object.entries(calls).flatMap(([role, screens]) =>
    Object.entries(screens).flatMap(([path, requests]) => {
      const allowed = list[role]?.[path];
      if (!allowed) return [`${role} ${path} is not on the list`];
      return requests.filter((call) => !allowed.includes(call)).map((call) => `${role} ${path}: ${call}`);
    }),
  );
  expect(unlisted).toEqual([]);
}

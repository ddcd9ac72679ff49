import type { Page } from '@playwright/test';
import type { Site } from './e2e.ts';
import { ADMIN } from './site-template.ts';

interface Credentials {
  email: string;
  password: string;
}

/** Signs a person in without the sign-in form: a session from the API, kept where the Supabase client looks for it. */
export async function signIn(page: Page, site: Site, { email, password }: Credentials): Promise<void> {
  const response = await page.request.post(`${site.url}/auth/v1/token?grant_type=password`, {
    data: { email, password },
    // A connection of the test before, which the server may be ending just now: it has been idle for 5 s.
    maxRetries: 1,
  });
  const session = await response.text();
  await page.goto('/robots.txt');
  const key = `sb-${new URL(site.url).hostname.split('.')[0]}-auth-token`;
  await page.evaluate(([name, value]) => localStorage.setItem(name, value), [key, session] as const);
}

/** Opens a page of the admin area as the first admin. */
export async function openAdmin(page: Page, site: Site, path: string): Promise<void> {
  await signIn(page, site, ADMIN);
  await page.goto(path);
}

import type { Page } from '@playwright/test';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import type { Site } from './e2e.ts';
import { ADMIN } from './site-template.ts';

interface Credentials {
  email: string;
  password: string;
}

/** Signs a user in without the sign-in form, by storing a session from the API where the Supabase client reads it. */
export async function signIn(page: Page, site: Site, { email, password }: Credentials): Promise<void> {
  const response = await page.request.post(`${site.url}/auth/v1/token?grant_type=password`, {
    data: { email, password },
    // The server closes idle connections after 5 s, possibly while a request reuses one of the previous test's.
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

/** Returns a Supabase client with the session of the user. */
export async function signedInClient(site: Site, { email, password }: Credentials): Promise<SupabaseClient> {
  const client = createClient(site.url, PUBLISHABLE_KEY, { auth: { persistSession: false } });
  const { error } = await client.auth.signInWithPassword({ email, password });
  if (error) throw error;
  return client;
}

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { newDataFolder, removeFolder, startSite } from '../support/site.ts';
import { assertTrue, fetchStatus } from './checks.ts';

const MINUTE = 60_000;
const ACCOUNT = { email: 'clock@example.com', password: 'Right-password-1' };

/** Shifts the clock of the server and its threads by the offset in a file. */
const SHIFTED_CLOCK = `
import { readFileSync } from 'node:fs';
const now = Date.now.bind(Date);
const shift = () => { try { return Number(readFileSync(process.env.CLOCK_FILE, 'utf8')); } catch { return 0; } };
const Real = Date;
globalThis.Date = class extends Real {
  constructor(...args) { args.length ? super(...args) : super(now() + shift()); }
  static now() { return now() + shift(); }
};
`;

/**
 * Sets the clock ten minutes ahead, ten minutes behind, a day ahead and an hour behind, with the right time in between.
 * Users must be able to sign in throughout.
 */
export async function shiftClock(): Promise<string> {
  const { folder } = await newDataFolder('on');
  const [clockFile, shim] = [join(folder, 'clock'), join(folder, 'clock.mjs')];
  await writeFile(shim, SHIFTED_CLOCK);
  await writeFile(clockFile, '0');
  const site = await startSite(folder, { NODE_OPTIONS: `--import=${shim}`, CLOCK_FILE: clockFile });
  try {
    const client = () => createClient(site.url, PUBLISHABLE_KEY, { auth: { persistSession: false } });
    const first = await client().auth.signUp(ACCOUNT);
    assertTrue(first.error === null, 'a user can sign up');
    const jumps = [10 * MINUTE, -10 * MINUTE, 24 * 60 * MINUTE, 0, -60 * MINUTE, 0];
    for (const jump of jumps) {
      await writeFile(clockFile, String(jump));
      assertTrue((await fetchStatus(site.url)) === 200, 'pages are shown');
      assertTrue(
        (await fetchStatus(`${site.url}/rest/v1/posts?select=slug`, { headers: { apikey: PUBLISHABLE_KEY } })) === 200,
        'tables are read',
      );
      const { data, error } = await client().auth.signInWithPassword(ACCOUNT);
      assertTrue(error === null, `a user can sign in with the clock ${jump / MINUTE} minutes off: ${error?.message}`);
      const status = await fetchStatus(`${site.url}/auth/v1/user`, {
        headers: { apikey: PUBLISHABLE_KEY, authorization: `Bearer ${data.session?.access_token}` },
      });
      assertTrue(status === 200, 'a new session is valid');
    }
    const refreshed = await client().auth.refreshSession({ refresh_token: first.data.session?.refresh_token ?? '' });
    assertTrue(refreshed.error === null, 'a session from before the clock jumps is valid');
    return 'ten minutes ahead and behind, a day ahead, back, an hour into the past, back: pages, tables, sign-ins and an old session worked';
  } finally {
    await site.stop();
    await removeFolder(folder);
  }
}

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { newDataFolder, removeFolder, startSite } from '../support/site.ts';
import { must, statusOf } from './asking.ts';

const MINUTE = 60_000;
const ACCOUNT = { email: 'clock@example.com', password: 'Right-password-1' };

/** Clock of the server and its threads, which is set forward or back by what stands in a file. */
const SHIFTED_CLOCK = `
import { readFileSync } from 'node:fs';
const now = Date.now.bind(Date);
const shift = () => { try { return Number(readFileSync(process.env.CLOCK_FILE, 'utf8')); } catch { return 0; } };
const Real = Date;
globalThis.Date = class extends Real {
  constructor(...given) { given.length ? super(...given) : super(now() + shift()); }
  static now() { return now() + shift(); }
};
`;

/**
 * Lets the clock of the machine be ten minutes ahead and behind, jump a day ahead, back again, and an hour into the past:
 * nobody is locked out for good.
 */
export async function jumpClock(): Promise<string> {
  const { folder } = await newDataFolder('on');
  const [clockFile, shim] = [join(folder, 'clock'), join(folder, 'clock.mjs')];
  await writeFile(shim, SHIFTED_CLOCK);
  await writeFile(clockFile, '0');
  const site = await startSite(folder, { NODE_OPTIONS: `--import=${shim}`, CLOCK_FILE: clockFile });
  try {
    const client = () => createClient(site.url, PUBLISHABLE_KEY, { auth: { persistSession: false } });
    const first = await client().auth.signUp(ACCOUNT);
    must(first.error === null, 'somebody signs up');
    const jumps = [10 * MINUTE, -10 * MINUTE, 24 * 60 * MINUTE, 0, -60 * MINUTE, 0];
    for (const jump of jumps) {
      await writeFile(clockFile, String(jump));
      must((await statusOf(site.url)) === 200, 'pages are shown');
      must(
        (await statusOf(`${site.url}/rest/v1/posts?select=slug`, { headers: { apikey: PUBLISHABLE_KEY } })) === 200,
        'tables are read',
      );
      const { data, error } = await client().auth.signInWithPassword(ACCOUNT);
      must(error === null, `somebody signs in, ${jump / MINUTE} minutes off: ${error?.message}`);
      const answer = await statusOf(`${site.url}/auth/v1/user`, {
        headers: { apikey: PUBLISHABLE_KEY, authorization: `Bearer ${data.session?.access_token}` },
      });
      must(answer === 200, 'who is signed in now is known');
    }
    const renewed = await client().auth.refreshSession({ refresh_token: first.data.session?.refresh_token ?? '' });
    must(renewed.error === null, 'a session of before the jumps goes on');
    return 'ten minutes ahead and behind, a day ahead, back, an hour into the past, back: pages, tables, sign-ins and an old session went on';
  } finally {
    await site.stop();
    await removeFolder(folder);
  }
}

/**
 * Measures the latency of a cached page and a table request, with and without 200 campaign events a second. Checks
 * that each event is counted.
 *
 *     node bench/events.ts [--postgres]      on the built-in database, or with --postgres on a Postgres server
 */
import { performance } from 'node:perf_hooks';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { PUBLISHABLE_KEY } from '../packages/backend/src/http/keys.ts';
import { startNativePostgres } from '../packages/backend/tests/support/native-postgres.ts';
import { load, report, withSite } from './site.ts';

const ADMIN = { email: 'bench@example.com', password: 'Right-password-1' };
const EVENTS_PER_SECOND = 200;
/** Number of campaigns that send events at the same time. */
const SOURCES = 10;
const SECONDS = 15;

/** Visitor requests per second of each kind. */
const VISITORS_PER_SECOND = 50;

const server = process.argv.includes('--postgres') ? await startNativePostgres() : null;
await withSite(
  async (site) => {
    const admin = createClient(site.url, PUBLISHABLE_KEY, { auth: { persistSession: false } });
    await admin.auth.signInWithPassword(ADMIN);
    const { data: client } = await admin.from('clients').insert({ name: 'Bench' }).select('id').single().throwOnError();
    const tokens = await Promise.all(
      Array.from({ length: SOURCES }, (_, index) => createSource(admin, client.id, index)),
    );
    const withoutEvents = await measureVisitors(site.url);
    const sending = sendEvents(site.url, tokens);
    const withEvents = await measureVisitors(site.url);
    const { sent, rejected, slowest } = await sending.stop();
    const { data: sums } = await admin
      .from('campaign_figures')
      .select('value')
      .eq('client_id', client.id)
      .throwOnError();
    const countedEvents = sums.reduce((sum, { value }) => sum + value, 0);
    report('accepted events per second', (sent / withEvents.seconds).toFixed(0), String(EVENTS_PER_SECOND));
    report('rejected events, accepted events that were not counted', `${rejected}, ${sent - countedEvents}`, '0, 0');
    report('slowest event, ms', slowest.toFixed(0), '');
    report('cached page: p99 in ms without and with events', `${withoutEvents.page}, ${withEvents.page}`, '50');
    report('table request: p99 in ms without and with events', `${withoutEvents.table}, ${withEvents.table}`, '50');
  },
  {
    RATE_LIMITS: 'off',
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    ...(server && { DATABASE_URL: server.url }),
  },
).finally(() => server?.stop());

/** Adds a campaign with a source. @returns the token of its URL */
async function createSource(admin: SupabaseClient, client_id: string, index: number): Promise<string> {
  const campaign = { client_id, name: `Campaign ${index}`, channel: 'email' };
  const { data } = await admin.from('campaigns').insert(campaign).select('id').single().throwOnError();
  const source = { _client_id: client_id, _campaign_id: data.id, _provider: 'json', _metrics: ['sent'] };
  return (await admin.rpc('add_campaign_source', source).throwOnError()).data;
}

/** Sends events at a constant rate until it is stopped. */
function sendEvents(url: string, tokens: readonly string[]) {
  const tally = { sent: 0, rejected: 0, slowest: 0 };
  const pendingRequests: Promise<void>[] = [];
  let number = 0;
  const send = async () => {
    number += 1;
    const event = {
      id: String(number),
      kind: 'sent',
      at: new Date().toISOString(),
      to: `person-${number}@example.com`,
    };
    const sentAt = performance.now();
    const response = await fetch(`${url}/functions/v1/campaign-events/${tokens[number % tokens.length]}`, {
      method: 'POST',
      body: JSON.stringify({ ...event, step: 1, text: 'Hello, we are in Oslo for a week. '.repeat(20) }),
    });
    await response.body?.cancel();
    tally.slowest = Math.max(tally.slowest, performance.now() - sentAt);
    if (response.status === 200) tally.sent += 1;
    else tally.rejected += 1;
  };
  const startedAt = performance.now();
  // If the timer is late, send all events that are due.
  const timer = setInterval(() => {
    while (number < ((performance.now() - startedAt) / 1000) * EVENTS_PER_SECOND) pendingRequests.push(send());
  }, 50);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(pendingRequests);
      return tally;
    },
  };
}

async function measureVisitors(url: string) {
  const startedAt = performance.now();
  const options = { connections: 4, overallRate: VISITORS_PER_SECOND, seconds: SECONDS };
  const [page, table] = await Promise.all([
    load({ ...options, url: `${url}/` }),
    load({
      ...options,
      url: `${url}/rest/v1/posts?select=title&limit=20`,
      headers: { apikey: PUBLISHABLE_KEY },
    }),
  ]);
  return { page: page.p99, table: table.p99, seconds: (performance.now() - startedAt) / 1000 };
}

/** Webhooks of clients. Tests who can manage them, and how new and changed leads are sent. */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { SupabaseClient } from '@supabase/supabase-js';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseConfig } from '../../packages/backend/src/config.ts';
import type { Database } from '../../packages/backend/src/database/database.ts';
import { externalFetch } from '../../packages/backend/src/http/external-fetch.ts';
import { type RunningJobs, startJobs } from '../../packages/backend/src/jobs/jobs.ts';
import { SiteOrigin } from '../../packages/backend/src/site-origin.ts';
import { clientWebhookJob } from '../../server/jobs/deliver-webhooks.ts';
import { newClient, type TestClient } from '../support/clients.ts';
import { capitalizedRoles } from '../support/role-labels.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';
import { openTestDatabase } from '../support/test-database.ts';

const OUTSIDERS = ['visitor', 'stranger', 'pending', 'client', 'team'] as const;
/** A host that does not exist, so that no request leaves the machine. */
const UNREACHABLE_URL = 'https://hooks.invalid/leads';

describe('The webhook of a client', () => {
  let site: TestBackend;
  let admin: SupabaseClient;
  let fjell: TestClient;
  let havn: TestClient;
  let viewer: Awaited<ReturnType<TestBackend['signedIn']>>;

  beforeAll(async () => {
    site = await startTestBackend();
    admin = (await site.signedIn('admin')).client;
    fjell = await newClient(site, admin, 'Fjell AS');
    havn = await newClient(site, admin, 'Havn AS');
    viewer = await site.signedIn('client');
    const membership = { client_id: fjell.id, user_id: viewer.id, kind: 'viewer' };
    await site.service.from('client_members').insert(membership).throwOnError();
  });
  afterAll(() => site.close());

  const saveUrl = (client: SupabaseClient, _url: string, { id } = fjell) =>
    client.rpc('save_client_webhook', { _client_id: id, _url });
  const readWebhook = (client: SupabaseClient, { id } = fjell) => client.rpc('client_webhook', { _client_id: id });

  async function readWebhooks() {
    const { rows } = await site.backend.database.query('select client_id, url, secret from private.client_webhooks');
    return rows;
  }

  /** Expects that `client` cannot read, change or test the webhook of Fjell AS, or read its log. */
  async function expectNoAccess(client: SupabaseClient) {
    await saveUrl(fjell.member.client, UNREACHABLE_URL).throwOnError();
    const test = { client_id: fjell.id, event: 'test', payload: {}, status: 'delivered' };
    await site.service.from('client_webhook_deliveries').insert(test).throwOnError();
    const before = await readWebhooks();
    expect((await readWebhook(client)).error?.code).toBe('42501');
    expect((await saveUrl(client, 'https://evil.invalid')).error?.code).toBe('42501');
    expect((await saveUrl(client, '')).error?.code).toBe('42501');
    for (const name of ['renew_client_webhook_secret', 'send_test_client_webhook'])
      expect((await client.rpc(name, { _client_id: fjell.id })).error?.code).toBe('42501');
    expect((await client.from('client_webhook_deliveries').select()).data ?? []).toEqual([]);
    await client.from('client_webhook_deliveries').delete().eq('client_id', fjell.id);
    const forged = { client_id: fjell.id, event: 'test', payload: {} };
    expect((await client.from('client_webhook_deliveries').insert(forged)).error).not.toBeNull();
    expect(await readWebhooks()).toEqual(before);
  }

  test.each(capitalizedRoles(OUTSIDERS))('%s without a client has no access to it', async (_label, role) => {
    await expectNoAccess(role === 'visitor' ? site.visitor : (await site.signedIn(role)).client);
  });

  test('is not accessible to people of another client, viewers and removed members', async () => {
    await expectNoAccess(havn.member.client);
    await expectNoAccess(havn.worker.client);
    await expectNoAccess(viewer.client);
    const removed = await site.signedIn('client');
    await site.service.from('client_members').insert({ client_id: fjell.id, user_id: removed.id }).throwOnError();
    expect((await readWebhook(removed.client)).error).toBeNull();
    await site.service.from('client_members').delete().eq('user_id', removed.id).throwOnError();
    await expectNoAccess(removed.client);
  });

  test('can be managed by approvers, the assigned team and admins', async () => {
    for (const client of [fjell.member.client, fjell.worker.client, admin]) {
      await saveUrl(client, '').throwOnError();
      expect((await readWebhook(client).throwOnError()).data).toBeNull();
      const sendTest = () => client.rpc('send_test_client_webhook', { _client_id: fjell.id });
      expect((await sendTest()).error?.message).toBe('Save the webhook URL first.');
      await saveUrl(client, ` ${UNREACHABLE_URL} `).throwOnError();
      const { data: first } = await readWebhook(client).throwOnError();
      expect(first).toEqual({ url: UNREACHABLE_URL, secret: expect.stringMatching(/^whsec_.{44}$/) });
      await saveUrl(client, `${UNREACHABLE_URL}/2`).throwOnError();
      expect((await readWebhook(client)).data).toEqual({ ...first, url: `${UNREACHABLE_URL}/2` });
      await client.rpc('renew_client_webhook_secret', { _client_id: fjell.id }).throwOnError();
      expect((await readWebhook(client)).data.secret).not.toBe(first.secret);
      await sendTest().throwOnError();
      const log = client.from('client_webhook_deliveries').select('event, payload').order('id', { ascending: false });
      expect((await log.limit(1).throwOnError()).data).toEqual([
        { event: 'test', payload: { client: { id: fjell.id, name: 'Fjell AS' } } },
      ]);
    }
  });

  test.each([
    'http://hooks.invalid',
    'https://a b',
    `https://hooks.invalid/${'x'.repeat(2000)}`,
    'ftp://hooks.invalid',
  ])('cannot have the URL %s', async (url) => {
    expect((await saveUrl(fjell.member.client, url)).error?.message).toBe('The webhook URL must start with https://');
  });

  test.each(['https://127.0.0.1/hook', 'https://localhost/hook', 'https://169.254.169.254/latest/meta-data'])(
    'does not call the private address %s',
    async (url) => {
      await saveUrl(havn.member.client, url, havn).throwOnError();
      await havn.member.client.rpc('send_test_client_webhook', { _client_id: havn.id }).throwOnError();
      const last = havn.member.client
        .from('client_webhook_deliveries')
        .select()
        .order('id', { ascending: false })
        .limit(1);
      await expect
        .poll(async () => (await last.throwOnError()).data)
        .toMatchObject([{ status: 'failed', last_error: 'The URL is not https or points to a private network.' }]);
      await site.backend.database.query('update private.client_webhooks set paused_until = null');
    },
  );

  test('can be tested 20 times an hour', async () => {
    const { id, member } = await newClient(site, admin, 'Vik AS');
    await saveUrl(member.client, UNREACHABLE_URL, { ...fjell, id }).throwOnError();
    const results = [];
    for (let count = 0; count < 21; count++)
      results.push((await member.client.rpc('send_test_client_webhook', { _client_id: id })).error?.message ?? '');
    expect(results.slice(0, 20)).toEqual(Array(20).fill(''));
    expect(results[20]).toBe('Too many test requests. Try again in an hour.');
  });
});

describe('The server of a client', () => {
  let database: Database;
  let receiver: Server;
  let jobs: RunningJobs;
  type Reply = { status: number; body?: string };
  let reply: (path: string) => Reply | Promise<Reply>;
  let received: { path: string; headers: IncomingHttpHeaders; body: string }[];

  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    reply = () => ({ status: 200, body: 'Thank you' });
    received = [];
    receiver = createServer((request, response) => {
      let body = '';
      request.on('data', (piece) => {
        body += piece;
      });
      request.on('end', async () => {
        received.push({ path: request.url ?? '', headers: request.headers, body });
        const { status, body: answer } = await reply(request.url ?? '');
        response.writeHead(status).end(answer);
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const address = receiver.address();
    const receiverUrl = `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`;
    await database.query('delete from public.clients');
    const log = pino({ level: 'silent' });
    jobs = await startJobs(database, log, [
      clientWebhookJob(
        database,
        new SiteOrigin(parseConfig({ SITE_URL: 'https://fjord.example' })),
        log,
        // Redirects the public host name to a server on loopback.
        (url, init) => externalFetch(url.replace('https://hooks.example.invalid', receiverUrl), init),
      ),
    ]);
  });
  afterEach(async () => {
    await jobs.stop();
    await new Promise((resolve) => receiver.close(resolve));
  });

  async function newClientWithWebhook(name: string, isSample = false): Promise<string> {
    const { rows } = await database.query<{ id: string }>(
      'insert into public.clients (name, is_sample) values ($1, $2) returning id',
      [name, isSample],
    );
    const id = rows[0]?.id ?? '';
    await database.query('insert into private.client_webhooks (client_id, url) values ($1, $2)', [
      id,
      `https://hooks.example.invalid/${encodeURIComponent(name)}`,
    ]);
    return id;
  }

  async function newLead(clientId: string, name = 'Kari Moe'): Promise<string> {
    const { rows } = await database.query<{ id: string }>(
      `insert into public.client_leads (client_id, name, email, words, received_at, origin)
       values ($1, $2, 'kari@kunde.example', 'Yes, call me.', '2026-05-04T10:00:00Z', 'reply') returning id`,
      [clientId, name],
    );
    return rows[0]?.id ?? '';
  }

  const changeStatus = (id: string, status: string) =>
    database.query(`update public.client_leads set status = $2, taken_at = now() where id = $1`, [id, status]);

  async function readLog() {
    const { rows } = await database.query(
      `select event, status, attempts, response_status, response, last_error from public.client_webhook_deliveries
       order by id`,
    );
    return rows;
  }

  const readMessages = () => received.map(({ body }) => JSON.parse(body));

  /** Makes all waiting deliveries due, and wakes the job. */
  async function retryNow() {
    await database.query('update private.client_webhooks set paused_until = null');
    await database.query('update public.client_webhook_deliveries set next_attempt_at = now()');
    await database.query(`select pg_notify('webhook_queued', '')`);
  }

  test('gets each new lead once, signed and with a link, and its response is logged', async () => {
    const clientId = await newClientWithWebhook('fjell');
    const id = await newLead(clientId);
    await expect.poll(readLog).toEqual([
      {
        ...{ event: 'lead.created', status: 'delivered', attempts: 1 },
        ...{ response_status: 200, response: 'Thank you', last_error: null },
      },
    ]);
    const [{ path, headers, body }] = received as [(typeof received)[0]];
    expect(received).toHaveLength(1);
    expect(path).toBe('/fjell');
    const message = JSON.parse(body);
    expect(message).toEqual({
      type: 'lead.created',
      timestamp: expect.any(String),
      data: {
        client: { id: clientId, name: 'fjell' },
        lead: {
          ...{ id, name: 'Kari Moe', email: 'kari@kunde.example', company: '', title: '', words: 'Yes, call me.' },
          ...{ campaign: null, status: 'new', reason: '', received_at: '2026-05-04T10:00:00+00:00' },
          url: `https://fjord.example/client-dashboard?client=${clientId}#lead-${id}`,
        },
      },
    });
    const { rows } = await database.query<{ secret: Buffer }>('select secret from private.client_webhooks');
    const signedText = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const signature = createHmac('sha256', rows[0]?.secret ?? '')
      .update(signedText)
      .digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${signature}`);
    expect(Number(headers['webhook-timestamp'])).toBe(Math.trunc(Date.parse(message.timestamp) / 1000));
  });

  test('gets the changes to a lead in order, each after the attempts to send earlier changes', async () => {
    reply = () => ({ status: 500, body: 'x'.repeat(3000) });
    const id = await newLead(await newClientWithWebhook('fjell'));
    await expect.poll(readLog).toMatchObject([{ status: 'waiting', attempts: 1, response: 'x'.repeat(2000) }]);
    await changeStatus(id, 'taken');
    // The first change has not been sent yet, so both changes are sent in one message.
    await changeStatus(id, 'meeting');
    reply = () => ({ status: 204 });
    await retryNow();
    await expect.poll(readLog).toMatchObject([
      { event: 'lead.created', status: 'delivered', attempts: 2 },
      { event: 'lead.changed', status: 'delivered', attempts: 1 },
    ]);
    expect(readMessages().map(({ type, data }) => [type, data.lead.status])).toEqual([
      ['lead.created', 'new'],
      ['lead.created', 'new'],
      ['lead.changed', 'meeting'],
    ]);
    const ids = received.map(({ headers }) => headers['webhook-id']);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  test('that fails does not delay other clients, and is called again after a minute', async () => {
    reply = (path) => ({ status: path === '/down' ? 503 : 204 });
    const down = await newClientWithWebhook('down');
    for (const name of ['A', 'B', 'C']) await newLead(down, name);
    await expect.poll(readLog).toMatchObject([{ attempts: 1 }, { attempts: 0 }, { attempts: 0 }]);
    await newLead(await newClientWithWebhook('up'));
    await expect.poll(async () => (await readLog()).at(-1)).toMatchObject({ status: 'delivered' });
    expect(received.map(({ path }) => path)).toEqual(['/down', '/up']);
    const { rows } = await database.query<{ seconds: number }>(
      `select ceil(extract(epoch from paused_until - now()))::int as seconds from private.client_webhooks
       where client_id = $1`,
      [down],
    );
    expect(rows[0]?.seconds).toBeGreaterThan(0);
    expect(rows[0]?.seconds).toBeLessThanOrEqual(60);
  });

  test('is served in turn with the servers of other clients', async () => {
    await jobs.stop();
    const [many, one] = [await newClientWithWebhook('many'), await newClientWithWebhook('one')];
    for (let count = 0; count < 5; count++) await newLead(many, `Lead ${count}`);
    await newLead(one);
    const claimed: string[] = [];
    for (let count = 0; count < 3; count++) {
      const { rows } = await database.query<{ delivery: { client: string } }>(
        'select private.claim_client_webhook(60) as delivery',
      );
      claimed.push(rows[0]?.delivery.client ?? '');
    }
    expect(claimed).toEqual([many, one, many]);
  });

  test('gets no leads of a sample client, no deleted leads, and no leads after the webhook was removed', async () => {
    await newLead(await newClientWithWebhook('sample', true));
    expect(await readLog()).toEqual([]);
    reply = () => ({ status: 500 });
    const clientId = await newClientWithWebhook('fjell');
    const id = await newLead(clientId);
    await expect.poll(readLog).toMatchObject([{ attempts: 1 }]);
    await database.query('delete from public.client_leads where id = $1', [id]);
    expect(await readLog()).toEqual([]);
    await database.query('delete from private.client_webhooks where client_id = $1', [clientId]);
    await newLead(clientId);
    expect(await readLog()).toEqual([]);
    expect(received).toHaveLength(1);
  });

  test('gets no further request if the webhook is removed during a request', async () => {
    const clientId = await newClientWithWebhook('fjell');
    reply = async () => {
      await database.query('delete from private.client_webhooks where client_id = $1', [clientId]);
      await database.query(`update public.client_webhook_deliveries set status = 'failed', last_error = 'Removed'`);
      return { status: 500 };
    };
    await newLead(clientId);
    await expect.poll(() => received.length).toBe(1);
    await jobs.stop();
    expect(await readLog()).toMatchObject([{ status: 'failed', last_error: 'Removed' }]);
  });

  test('gets a change only if a part of the message changed', async () => {
    const id = await newLead(await newClientWithWebhook('fjell'));
    await expect.poll(readLog).toMatchObject([{ status: 'delivered' }]);
    await database.query('update public.client_leads set reminded_at = now() where id = $1', [id]);
    expect(await readLog()).toHaveLength(1);
    await database.query(`update public.client_leads set words = 'Call me on Monday.' where id = $1`, [id]);
    await expect
      .poll(readMessages)
      .toMatchObject([{}, { type: 'lead.changed', data: { lead: { words: 'Call me on Monday.' } } }]);
  });
});

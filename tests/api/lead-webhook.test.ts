/** The webhook for new leads, and the email about a lead. Tests signatures, retries and private addresses. */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseConfig } from '../../packages/backend/src/config.ts';
import type { Database } from '../../packages/backend/src/database/database.ts';
import { externalFetch } from '../../packages/backend/src/http/external-fetch.ts';
import { type RunningJobs, startJobs } from '../../packages/backend/src/jobs/jobs.ts';
import { SiteOrigin } from '../../packages/backend/src/site-origin.ts';
import { webhookJob } from '../../server/jobs/deliver-webhooks.ts';
import { readNewestMail } from '../support/outbox.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';
import { openTestDatabase } from '../support/test-database.ts';

let site: TestBackend;
beforeAll(async () => {
  site = await startTestBackend({ SITE_URL: 'https://fjord.example' });
});
afterAll(() => site.close());

async function save(setting_key: string, setting_value: string): Promise<void> {
  await site.service
    .from('site_settings')
    .upsert({ setting_key, setting_value }, { onConflict: 'setting_key' })
    .throwOnError();
}

async function newLead(values: object = {}): Promise<string> {
  const row = { source: 'contact', name: 'Kari', email: 'kari@example.com', message: 'Hello', ...values };
  const { data } = await site.service.from('leads').insert(row).select('id').single().throwOnError();
  return data.id;
}

async function readDeliveries(): Promise<Record<string, unknown>[]> {
  const { data } = await site.service.from('lead_webhook_deliveries').select().order('id').throwOnError();
  return data;
}

describe('A private address', () => {
  beforeEach(() => site.service.from('leads').delete().neq('email', '').throwOnError());

  test.each([
    'https://127.0.0.1/hook',
    'https://[::1]/hook',
    'https://[::ffff:10.0.0.1]/hook',
    'https://2130706433/hook',
    'https://0x7f.1/hook',
    'https://169.254.169.254/latest/meta-data',
    'https://user:password@192.168.1.1/',
    // DNS resolves this name to a loopback address.
    'https://localhost/hook',
    'https://localhost:5432/hook',
  ])('%s is never called', async (url) => {
    await save('lead_webhook_url', url);
    await newLead();
    await expect
      .poll(readDeliveries)
      .toMatchObject([
        { status: 'failed', attempts: 1, last_error: 'The URL is not https or points to a private network.' },
      ]);
    await save('lead_webhook_url', '');
  });
});

describe('A public server', () => {
  let database: Database;
  let receiver: Server;
  let jobs: RunningJobs;
  let reply: { status: number; headers?: Record<string, string> };
  let receivedRequests: { path: string; headers: IncomingHttpHeaders; body: string }[];

  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    reply = { status: 204 };
    receivedRequests = [];
    receiver = createServer((request, response) => {
      let body = '';
      request.on('data', (piece) => {
        body += piece;
      });
      request.on('end', () => {
        receivedRequests.push({ path: request.url ?? '', headers: request.headers, body });
        response.writeHead(reply.status, reply.headers).end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const address = receiver.address();
    const receiverUrl = `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`;
    await database.query(
      `insert into public.site_settings (setting_key, setting_value)
       values ('lead_webhook_url', 'https://hooks.example.invalid/leads')
       on conflict (setting_key) do update set setting_value = excluded.setting_value`,
    );
    await database.query('delete from public.leads');
    await database.query('delete from public.lead_webhook_deliveries');
    const log = pino({ level: 'silent' });
    jobs = await startJobs(database, log, [
      webhookJob(
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

  async function insertLead(): Promise<string> {
    const { rows } = await database.query<{ id: string }>(
      `insert into public.leads (source, name, email, message, note)
       values ('contact', 'Kari', 'kari@example.com', 'Hello', 'Ours alone') returning id`,
    );
    return rows[0]?.id ?? '';
  }

  async function readEntries(): Promise<Record<string, unknown>[]> {
    const { rows } = await database.query<Record<string, unknown>>(
      `select lead_id, status, attempts, response_status, last_error,
         ceil(extract(epoch from next_attempt_at - now()) / 60)::int as minutes
       from public.lead_webhook_deliveries order by id`,
    );
    return rows;
  }

  test('gets each lead once, signed with the current time, and without internal notes', async () => {
    const id = await insertLead();
    await expect.poll(readEntries).toMatchObject([{ status: 'delivered', attempts: 1, response_status: 204 }]);
    expect(receivedRequests).toHaveLength(1);
    const [{ path, headers, body }] = receivedRequests as [(typeof receivedRequests)[0]];
    expect(path).toBe('/leads');
    const payload = JSON.parse(body);
    expect(payload).toMatchObject({
      type: 'lead.created',
      data: { id, email: 'kari@example.com', message: 'Hello', url: `https://fjord.example/admin/leads/${id}` },
    });
    expect(body).not.toContain('Ours alone');
    const { rows } = await database.query<{ secret: string }>('select private.lead_webhook_secret() as secret');
    const key = Buffer.from(rows[0]?.secret.slice('whsec_'.length) ?? '', 'base64');
    expect(key).toHaveLength(32);
    const signedText = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signedText).digest('base64')}`);
    expect(Number(headers['webhook-timestamp'])).toBe(Math.trunc(Date.parse(payload.timestamp) / 1000));
  });

  test('that fails is retried after 1, 2, 4 ... minutes with the same id, eight times in total', async () => {
    reply = { status: 500 };
    await insertLead();
    for (let attempt = 1; attempt < 8; attempt++) {
      await expect
        .poll(readEntries)
        .toMatchObject([{ status: 'waiting', attempts: attempt, response_status: 500, minutes: 2 ** (attempt - 1) }]);
      await database.query('update public.lead_webhook_deliveries set next_attempt_at = now()');
      await database.query(`select pg_notify('webhook_queued', '')`);
    }
    await expect
      .poll(readEntries)
      .toMatchObject([{ status: 'failed', attempts: 8, last_error: 'The server returned status 500.' }]);
    expect(new Set(receivedRequests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(receivedRequests).toHaveLength(8);
  });

  test('that redirects is not followed, whether to a public or a private address', async () => {
    reply = { status: 307, headers: { location: '/elsewhere' } };
    await insertLead();
    await expect
      .poll(readEntries)
      .toMatchObject([
        { status: 'waiting', last_error: 'The server returned status 307. Redirects are not followed.' },
      ]);
    expect(receivedRequests.map(({ path }) => path)).toEqual(['/leads']);
  });

  test('that responds with 410 is not called again', async () => {
    reply = { status: 410 };
    await insertLead();
    await expect.poll(readEntries).toMatchObject([{ status: 'failed', attempts: 1 }]);
  });

  test('gets no lead after it was deleted or after the URL was removed', async () => {
    reply = { status: 500 };
    const deletedLead = await insertLead();
    await expect.poll(readEntries).toMatchObject([{ attempts: 1, last_error: 'The server returned status 500.' }]);
    await database.query('delete from public.leads where id = $1', [deletedLead]);
    expect(await readEntries()).toEqual([]);
    await insertLead();
    await expect.poll(readEntries).toMatchObject([{ attempts: 1, last_error: 'The server returned status 500.' }]);
    await database.query(`update public.site_settings set setting_value = '' where setting_key = 'lead_webhook_url'`);
    await database.query('update public.lead_webhook_deliveries set next_attempt_at = now()');
    await database.query(`select pg_notify('webhook_queued', '')`);
    await expect.poll(readEntries).toMatchObject([{ status: 'failed', last_error: 'The webhook URL was removed.' }]);
    expect(receivedRequests).toHaveLength(2);
    await insertLead();
    expect(await readEntries()).toHaveLength(1);
  });
});

describe('The email about a lead', () => {
  test("is sent to the contact address with the lead as Reply-To, and the lead's text cannot add headers", async () => {
    await save('contact_email', 'owner@fjord.example');
    const id = await newLead({ name: 'Ola Bcc: all@example.com', message: 'One\r\nBcc: all@example.com\n<b>Two</b>' });
    const mail = await readNewestMail(site.dataFolder, 'owner@fjord.example', /New lead/);
    const [head = ''] = mail.split('\r\n\r\n');
    expect(head).toContain('To: owner@fjord.example');
    expect(head).toContain('Reply-To: kari@example.com');
    expect(head).toContain('Subject: New lead from Ola Bcc: all@example.com');
    expect(head).not.toMatch(/^Bcc:/m);
    expect(mail).toContain(`https://fjord.example/admin/leads/${id}`);
    expect(mail).toContain('&lt;b&gt;Two');
  });

  test('is not sent without a contact address, or when an admin creates a lead from a transcript', async () => {
    const readQueue = () => site.backend.database.query(`select from private.mail_queue where template = 'new_lead'`);
    await expect.poll(async () => (await readQueue()).rows).toEqual([]);
    const { rows } = await site.backend.database.transaction(async (tx) => {
      await tx.query(`insert into public.leads (source, email) values ('transcript', 'ola@example.com')`);
      await tx.query(
        `update public.site_settings set setting_value = 'no address' where setting_key = 'contact_email'`,
      );
      await tx.query(`insert into public.leads (source, email) values ('contact', 'ola@example.com')`);
      return tx.query(`select from private.mail_queue where template = 'new_lead'`);
    });
    expect(rows).toEqual([]);
  });

  test('is sent for at most 60 leads an hour', async () => {
    await save('contact_email', 'owner@fjord.example');
    const { rows } = await site.backend.database.transaction(async (tx) => {
      await tx.query('delete from private.rate_limit_counters');
      await tx.query(
        `insert into public.leads (source, email) select 'contact', 'n' || n || '@example.com' from generate_series(1, 70) n`,
      );
      return tx.query(`select from private.mail_queue where template = 'new_lead'`);
    });
    expect(rows).toHaveLength(60);
  });
});

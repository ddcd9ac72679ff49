/** Attacks on the portal. Tests HTML, header and formula injection, oversized uploads, and access after removal. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeTable } from '../../app/clients/reports/archive.ts';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { nextMail } from '../../packages/backend/tests/support/received-mails.ts';
import { newClient, type TestClient } from '../support/clients.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const HTML = '<img src=x onerror=alert(1)><a href="https://attack.invalid">Click</a>';

let site: TestBackend;
let admin: SupabaseClient;
let fjell: TestClient;

beforeAll(async () => {
  site = await startTestBackend();
  admin = (await site.signedIn('admin')).client;
  fjell = await newClient(site, admin, `Fjell ${HTML}`);
});
afterAll(() => site.close());

test('HTML in client names and titles is escaped in emails, and line breaks in titles are rejected', async () => {
  const request = { _client_id: fjell.id, _title: `First mail ${HTML}`, _text: HTML };
  const { data: id } = await fjell.worker.client.rpc('ask_for_approval', request).throwOnError();
  const requestMail = await nextMail(site.dataFolder, fjell.member.email);
  const decision = { _client_id: fjell.id, _approval_id: id, _number: 1, _verdict: 'no', _comment: HTML };
  await fjell.member.client.rpc('decide_approval', decision).throwOnError();
  const decisionMail = await nextMail(site.dataFolder, fjell.worker.email);
  for (const mail of [requestMail, decisionMail]) {
    expect(mail.html).not.toMatch(/<img src=x|<a href="https:\/\/attack/);
    expect(mail.html).toContain('&lt;img src=x');
    expect(mail.subject).not.toMatch(/[\r\n]/);
  }
  const title = { ...request, _title: 'A title\r\nBcc: everybody@attack.invalid' };
  expect((await fjell.worker.client.rpc('ask_for_approval', title)).error?.code).toBe('23514');
});

test('Text that starts like a formula is escaped in the archive, and its quotes do not end a cell', () => {
  const cells = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', 'a","=1', ' =1'];
  const file = writeTable(
    ['cell'],
    cells.map((cell) => ({ cell })),
  );
  for (const line of file.split('\r\n').slice(1)) expect(line).not.toMatch(/^"?[\t\r]?[=+@-]/);
  expect(file).toContain(`"a"",""'=1"`);
});

test('A 100 MB upload is rejected before it is completely sent, and a small file is accepted', async () => {
  const _file = { name: 'a.csv', hash: 'a'.repeat(64), period: 'day', column_map: {}, refused: 0 };
  const call = (body: BodyInit) =>
    fetch(`${site.url}/rest/v1/rpc/import_figures`, {
      method: 'POST',
      headers: {
        ...{ apikey: PUBLISHABLE_KEY, authorization: `Bearer ${fjell.worker.token}` },
        'content-type': 'application/json',
      },
      body,
      // Node requires `duplex` for a stream body.
      ...{ duplex: 'half' },
    });
  let sentMegabytes = 0;
  const piece = new Uint8Array(1024 * 1024).fill(0x20);
  const hugeBody = new ReadableStream({
    pull(controller) {
      if (sentMegabytes === 100) return controller.close();
      sentMegabytes += 1;
      controller.enqueue(piece);
    },
  });
  const status = await call(hugeBody).then(
    (response) => response.status,
    // The connection is closed while the body is still being sent.
    () => 413,
  );
  expect(status).toBe(413);
  expect(sentMegabytes).toBeLessThan(60);
  const _rows = [{ line: 2, campaign: fjell.campaign, day: '2026-01-05', values: { sent: 1 } }];
  const small = JSON.stringify({ _client_id: fjell.id, _file, _rows, _is_dry_run: true });
  expect((await call(small)).status).toBe(200);
});

test('A removed member loses read and write access from the next request on', async () => {
  const havn = await newClient(site, admin, 'Havn AS');
  const { client, id } = havn.member;
  const readHome = () => client.rpc('client_home', { _client_id: havn.id });
  expect((await readHome()).error).toBeNull();
  await admin.from('client_members').delete().eq('user_id', id).throwOnError();
  expect((await readHome()).error?.code).toBe('42501');
  for (const table of ['clients', 'campaigns', 'approvals', 'client_meetings', 'client_reports', 'client_files']) {
    expect([table, (await client.from(table).select()).data]).toEqual([table, []]);
  }
  const entry = { _client_id: havn.id, _lines: [{ line: 1, text: 'a.example' }], _is_dry_run: false };
  expect((await client.rpc('add_do_not_contact', entry)).error?.code).toBe('42501');
  expect((await client.storage.from('client-files').list(havn.id)).data).toEqual([]);
});

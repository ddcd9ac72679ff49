/**
 * Floods from many IP addresses that use up global limits. Rate limits are enabled, and one real customer uses the
 * site.
 */
import { PostgrestClient } from '@supabase/postgrest-js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { findFreeTimes, saveAvailability } from '../support/booking.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const OWNER = 'owner@example.com';

let site: TestBackend;
beforeAll(async () => {
  site = await startTestBackend({ RATE_LIMITS: 'on' });
  const settings = {
    keep_contact_messages: 'on',
    leads_from_chat: 'on',
    newsletter_signup: 'on',
    contact_email: OWNER,
  };
  const rows = Object.entries(settings).map(([setting_key, setting_value]) => ({ setting_key, setting_value }));
  await site.service.from('site_settings').upsert(rows).throwOnError();
  // Keep the queued emails, so that tests can count them.
  await site.backend.database.script(`
    create table private.queued (id bigint generated always as identity, recipient text, template text, variables jsonb);
    create function private.note_queued() returns trigger language plpgsql security definer set search_path = ''
      as $$ begin
        insert into private.queued (recipient, template, variables)
          values (new.recipient, new.template, new.variables);
        return null;
      end $$;
    create trigger note_queued after insert on private.mail_queue for each row execute function private.note_queued();`);
});
afterAll(() => site.close());
beforeEach(async () => {
  await site.backend.database.script(`
    delete from public.bookings; delete from public.leads; delete from private.held_bookings;
    delete from private.held_leads; delete from private.rate_limit_counters; delete from private.mail_queue;
    delete from private.queued;`);
  await saveAvailability(site.service);
});

/** Creates a client for a visitor with that IP address. */
function createClientFrom(address: string) {
  return new PostgrestClient(`${site.url}/rest/v1`, {
    headers: { apikey: PUBLISHABLE_KEY, 'x-forwarded-for': address },
  });
}

/** Creates a client for one of many attackers, each in a different network. */
const createAttacker = (host: number) => createClientFrom(`10.${Math.trunc(host / 200)}.${host % 200}.7`);
const CUSTOMER = '203.0.113.9';

const call = (starts_at: string, name: string) => ({
  _starts_at: starts_at,
  _name: name,
  _email: `${name}@example.com`,
});

async function readQueuedMails(template: string): Promise<{ recipient: string; variables: Record<string, string> }[]> {
  const { rows } = await site.backend.database.query<{ recipient: string; variables: Record<string, string> }>(
    'select recipient, variables from private.queued where template = $1 order by id',
    [template],
  );
  return rows;
}

/** Returns the token of the last link that was emailed to that address. */
async function readToken(recipient: string, template: 'booking_proof' | 'lead_proof'): Promise<string> {
  const mails = (await readQueuedMails(template)).filter((mail) => mail.recipient === recipient);
  return mails.at(-1)?.variables['Token'] ?? '';
}

describe('Sixty IP addresses that book the maximum number of calls', () => {
  beforeEach(async () => {
    const times = await findFreeTimes(site.visitor);
    for (let host = 0; host < 60; host++) {
      for (let index = 0; index < 5; index++) {
        const response = await createAttacker(host).rpc(
          'book',
          call(times[host * 5 + index] ?? '', `s${host}-${index}`),
        );
        if (response.error) expect(response.error).toMatchObject({ code: 'PT428' });
      }
    }
  });

  test('get half of the times of a day, and a customer who confirms an email can book one call', async () => {
    const { count } = await site.service.from('bookings').select('id', { count: 'exact', head: true }).throwOnError();
    expect(count).toBe(150);
    const [time = '', otherTime = ''] = await findFreeTimes(site.visitor, 2);
    const customer = createClientFrom(CUSTOMER);
    const response = await customer.rpc('book', call(time, 'kari'));
    expect([response.status, response.error?.message]).toEqual([
      428,
      'Many calls are being booked right now. Please confirm your address with the link that we email you.',
    ]);
    const hold = await customer.rpc('hold_booking', call(time, 'kari')).throwOnError();
    expect(Object.keys(hold.data)).toEqual(['ends_at', 'starts_at', 'expires_at']);
    expect(Date.parse(hold.data.expires_at) - Date.now()).toBeLessThanOrEqual(15 * 60_000);
    // For visitors who have not confirmed an email, the held time counts as taken.
    expect(await findFreeTimes(site.visitor, 1)).toEqual([otherTime]);

    const _token = await readToken('kari@example.com', 'booking_proof');
    // Link scanners of mail clients send GET requests and click nothing.
    expect((await customer.rpc('read_booking', { _token })).data).toMatchObject({ starts_at: time, state: 'held' });
    expect((await fetch(`${site.url}/rest/v1/rpc/confirm_booking?_token=${_token}&apikey=${PUBLISHABLE_KEY}`)).ok).toBe(
      false,
    );
    expect((await site.service.from('bookings').select().eq('name', 'kari')).data).toEqual([]);

    const first = await customer.rpc('confirm_booking', { _token }).throwOnError();
    expect(first.data).toMatchObject({ starts_at: time, state: 'booked', token: _token });
    expect((await customer.rpc('confirm_booking', { _token })).data).toEqual(first.data);
    expect((await site.service.from('bookings').select('is_verified').eq('name', 'kari')).data).toEqual([
      { is_verified: true },
    ]);
    expect((await customer.rpc('cancel_booking', { _token })).data).toMatchObject({ state: 'cancelled' });
  });

  test('cannot block a time by holding it, because the first visitor to confirm gets the call', async () => {
    const [time = '', otherTime = ''] = await findFreeTimes(site.visitor, 2);
    await createAttacker(1).rpc('hold_booking', call(time, 'stranger')).throwOnError();
    await createClientFrom(CUSTOMER).rpc('hold_booking', call(time, 'kari')).throwOnError();
    const _token = await readToken('kari@example.com', 'booking_proof');
    expect((await createClientFrom(CUSTOMER).rpc('confirm_booking', { _token })).data).toMatchObject({
      starts_at: time,
    });

    const expiredToken = { _token: await readToken('stranger@example.com', 'booking_proof') };
    expect((await createAttacker(1).rpc('read_booking', expiredToken)).data).toMatchObject({ state: 'taken' });
    expect((await createAttacker(1).rpc('confirm_booking', expiredToken)).error?.code).toBe('PT409');
    // The confirmation is still valid for another time.
    const response = await createAttacker(1).rpc('confirm_booking', { ...expiredToken, _starts_at: otherTime });
    expect(response.data).toMatchObject({ starts_at: otherTime, state: 'booked' });
  });

  test('can hold only a few slots per network, and never all slots', async () => {
    const times = await findFreeTimes(site.visitor);
    const hold = (address: string, host: number) =>
      createClientFrom(address).rpc('hold_booking', call(times[host] ?? '', `h${host}`));
    const sameNetwork = await Promise.all([0, 1, 2, 3].map((host) => hold('192.0.2.1', host)));
    expect(sameNetwork.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429]);
    const neighbours: number[] = [];
    for (let host = 4; host < 16; host++) neighbours.push((await hold(`192.0.2.${host}`, host)).status);
    expect(neighbours.filter((status) => status === 200)).toHaveLength(9);
    const ipv6: number[] = [];
    for (let host = 16; host < 32; host++) ipv6.push((await hold(`2001:db8:0:${host}::1`, host)).status);
    expect(ipv6.filter((status) => status === 200)).toHaveLength(12);
    expect((await hold(CUSTOMER, 40)).status).toBe(200);
    await site.backend.database.query(
      `insert into private.held_bookings (token_hash, slot, call)
       select encode(sha256(convert_to(time.starts_at::text, 'UTF8')), 'hex'), tstzrange(time.starts_at, time.ends_at), '{}'
       from private.bookable_times(now(), now() + interval '30 days', now()) as time`,
    );
    expect((await findFreeTimes(site.visitor)).length).toBeGreaterThan(100);
  });
});

test('A link to a held call expires after 15 minutes, and is valid for that call only', async () => {
  const [time = ''] = await findFreeTimes(site.visitor, 1);
  await createClientFrom(CUSTOMER).rpc('hold_booking', call(time, 'kari')).throwOnError();
  const _token = await readToken('kari@example.com', 'booking_proof');
  const response = await createClientFrom(CUSTOMER).rpc('confirm_booking', { _token: '0'.repeat(64) });
  expect([response.status, response.error?.message]).toEqual([404, expect.stringContaining('Booking not found')]);
  await site.backend.database.query(`update private.held_bookings set expires_at = now() - interval '1 second'`);
  for (const name of ['read_booking', 'confirm_booking']) {
    const { status, error } = await createClientFrom(CUSTOMER).rpc(name, { _token });
    expect([status, error?.message]).toEqual([404, 'This link expired after 15 minutes. Please choose a time again.']);
  }
  expect(await findFreeTimes(site.visitor, 1)).toEqual([time]);
});

test('Unconfirmed bookings fill half of a short list, and a confirmed booking still gets a time', async () => {
  const hours = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, starts_at: '09:00', ends_at: '10:00' }));
  await saveAvailability(site.service, { _hours: hours, _days_ahead: 7 });
  const times = await findFreeTimes(site.visitor);
  const statuses: number[] = [];
  for (const [host, time] of times.slice(0, 8).entries()) {
    statuses.push((await createAttacker(host).rpc('book', call(time, `s${host}`))).status);
  }
  expect(statuses).toEqual([...Array(7).fill(200), 428]);
  await createClientFrom(CUSTOMER)
    .rpc('hold_booking', call(times[7] ?? '', 'kari'))
    .throwOnError();
  const _token = await readToken('kari@example.com', 'booking_proof');
  expect((await createClientFrom(CUSTOMER).rpc('confirm_booking', { _token })).status).toBe(200);
});

test('The owner gets twenty emails and one summary about five calls that are moved as often as possible', async () => {
  const times = await findFreeTimes(site.visitor, 15);
  for (const [host, time] of times.slice(0, 5).entries()) {
    const { data } = await createClientFrom('192.0.2.1')
      .rpc('book', call(time, `spam-${host}`))
      .throwOnError();
    const moves: number[] = [];
    for (let move = 0; move < 10; move++) {
      const _starts_at = times[5 + host * 2 + (move < 5 ? move % 2 : 1)];
      moves.push((await createClientFrom('192.0.2.1').rpc('move_booking', { _token: data.token, _starts_at })).status);
    }
    expect(moves).toEqual([...Array(5).fill(200), ...Array(5).fill(429)]);
  }
  expect(await readQueuedMails('booking_notice')).toHaveLength(20);
  const { rows } = await site.backend.database.query<{ recipient: string; Change: string; minutes: number }>(
    `select recipient, variables ->> 'Change' as "Change",
       (extract(epoch from next_attempt_at - now()) / 60)::integer as minutes
     from private.mail_queue where template = 'booking_summary'`,
  );
  expect(rows).toEqual([{ recipient: OWNER, Change: '10 more booking changes', minutes: expect.any(Number) }]);
  expect(rows[0]?.minutes).toBeGreaterThan(30);
  const summary = await site.backend.database.query<{ lines: string }>(
    `select variables ->> 'Message' as lines from private.mail_queue where template = 'booking_summary'`,
  );
  expect(summary.rows[0]?.lines.split('\n')).toHaveLength(10);
  expect(summary.rows[0]?.lines).not.toContain('spam');
  // The owner is notified of another customer at once.
  await createClientFrom(CUSTOMER)
    .rpc('book', call((await findFreeTimes(site.visitor))[40] ?? '', 'kari'))
    .throwOnError();
  expect((await readQueuedMails('booking_notice')).map(({ variables }) => variables['Email']).at(-1)).toBe(
    'kari@example.com',
  );
  // After a summary is sent, a new one starts. After an hour, the owner is notified immediately again.
  await site.backend.database.query('delete from private.mail_queue');
  await site.backend.database.query(`update private.rate_limit_counters set expires_at = now() - interval '1 second'`);
  await createClientFrom('192.0.2.9')
    .rpc('book', call((await findFreeTimes(site.visitor))[60] ?? '', 'later'))
    .throwOnError();
  expect(await readQueuedMails('booking_notice')).toHaveLength(22);
});

test('A visitor gets ten emails an hour, and later changes are combined into one email for each call', async () => {
  const times = await findFreeTimes(site.visitor, 9);
  for (const host of [0, 1, 2]) {
    const { data } = await createClientFrom('192.0.2.1')
      .rpc('book', { ...call(times[host] ?? '', 'ada') })
      .throwOnError();
    for (let move = 0; move < 5; move++) {
      const _starts_at = times[3 + host * 2 + (move % 2)];
      await createClientFrom('192.0.2.1').rpc('move_booking', { _token: data.token, _starts_at }).throwOnError();
    }
  }
  const { rows } = await site.backend.database.query<{ uid: string; sequence: number }>(
    `select variables -> 'Calendar' ->> 'uid' as uid, (variables -> 'Calendar' ->> 'sequence')::integer as sequence
     from private.mail_queue where recipient = 'ada@example.com' and template = 'booking_moved'
       and next_attempt_at > now() and attempts = 0 order by id`,
  );
  expect(rows.map(({ sequence }) => sequence)).toEqual([5, 5]);
  expect(new Set(rows.map(({ uid }) => uid)).size).toBe(2);
});

describe('Messages', () => {
  const message = (name: string) => ({
    _source: 'contact',
    _email: `${name}@example.com`,
    _name: name,
    _message: 'Hello',
  });

  test('from a hundred IP addresses do not block a customer who confirms an email', async () => {
    const statuses: number[] = [];
    for (let host = 0; host < 102; host++) {
      for (let index = 0; index < 5; index++) {
        statuses.push((await createAttacker(host).rpc('submit_lead', message(`s${host}-${index}`))).status);
      }
    }
    expect(statuses.filter((status) => status === 204)).toHaveLength(500);
    expect(new Set(statuses.slice(500))).toEqual(new Set([428]));
    const customer = createClientFrom(CUSTOMER);
    expect((await customer.rpc('submit_lead', message('kari'))).error?.code).toBe('PT428');
    expect((await customer.rpc('hold_lead', message('kari'))).status).toBe(204);
    const _token = await readToken('kari@example.com', 'lead_proof');
    const readLeads = async () => (await site.service.from('leads').select('email, message').eq('name', 'kari')).data;
    expect(await readLeads()).toEqual([]);
    expect((await customer.rpc('confirm_lead', { _token: '0'.repeat(64) })).data).toBe(false);
    expect((await customer.rpc('confirm_lead', { _token })).data).toBe(true);
    expect((await customer.rpc('confirm_lead', { _token })).data).toBe(false);
    expect(await readLeads()).toEqual([{ email: 'kari@example.com', message: 'Hello' }]);
  });

  test('are deleted after 15 minutes unless confirmed, and messages of bots are not stored', async () => {
    await createClientFrom(CUSTOMER).rpc('hold_lead', message('kari')).throwOnError();
    await createClientFrom(CUSTOMER)
      .rpc('hold_lead', { ...message('robot'), _website: 'x' })
      .throwOnError();
    expect(await readQueuedMails('lead_proof')).toHaveLength(1);
    await site.backend.database.query(`update private.held_leads set expires_at = now() - interval '1 second'`);
    const _token = await readToken('kari@example.com', 'lead_proof');
    expect((await createClientFrom(CUSTOMER).rpc('confirm_lead', { _token })).data).toBe(false);
    await createClientFrom('192.0.2.4').rpc('hold_lead', message('ada')).throwOnError();
    const { rows } = await site.backend.database.query('select from private.held_leads');
    expect(rows).toHaveLength(1);
  });

  test('are not held if they are disabled', async () => {
    await site.service
      .from('site_settings')
      .update({ setting_value: 'off' })
      .eq('setting_key', 'keep_contact_messages')
      .throwOnError();
    expect((await createClientFrom(CUSTOMER).rpc('hold_lead', message('kari'))).error?.message).toMatch(/is disabled/);
    await site.service
      .from('site_settings')
      .update({ setting_value: 'on' })
      .eq('setting_key', 'keep_contact_messages')
      .throwOnError();
    expect((await createClientFrom(CUSTOMER).rpc('hold_lead', message('kari'))).error).toBeNull();
  });

  test('are held for confirmation up to a limit of one thousand, which keeps the newest', async () => {
    await site.backend.database.query(
      `insert into private.held_leads (token_hash, lead, expires_at)
       select encode(sha256(convert_to(n::text, 'UTF8')), 'hex'), '{}', now() + interval '10 minutes'
       from generate_series(1, 1000) as n`,
    );
    await createClientFrom(CUSTOMER).rpc('hold_lead', message('kari')).throwOnError();
    const { rows } = await site.backend.database.query('select from private.held_leads');
    expect(rows).toHaveLength(1000);
    const _token = await readToken('kari@example.com', 'lead_proof');
    expect((await createClientFrom(CUSTOMER).rpc('confirm_lead', { _token })).data).toBe(true);
  });
});

test('Forty IP addresses that request as many newsletter subscriptions as allowed do not block others', async () => {
  const subscribe = (client: PostgrestClient, email: string) =>
    client.rpc('subscribe_to_newsletter', { _email: email });
  const statuses: number[] = [];
  for (let host = 0; host < 40; host++) {
    // All attackers are in two networks, like rented servers.
    const attacker = createClientFrom(`198.51.${host % 2 === 0 ? 100 : 101}.${host + 1}`);
    for (let n = 0; n < 5; n++) statuses.push((await subscribe(attacker, `n${host}-${n}@example.com`)).status);
  }
  expect(statuses.filter((status) => status === 204)).toHaveLength(108);
  expect((await subscribe(createClientFrom(CUSTOMER), 'kari@example.com')).status).toBe(204);
  expect(
    (await readQueuedMails('newsletter_confirm')).filter(({ recipient }) => recipient === 'kari@example.com'),
  ).toHaveLength(1);
  expect((await subscribe(createClientFrom(CUSTOMER), 'kari2@example.com')).status).toBe(429);
});

test('A mailbox gets at most five confirmation emails a day', async () => {
  const times = await findFreeTimes(site.visitor, 6);
  const statuses: number[] = [];
  for (const [host, time] of times.entries()) {
    statuses.push((await createAttacker(host).rpc('hold_booking', call(time, 'victim'))).status);
  }
  expect(statuses).toEqual([...Array(5).fill(200), 429]);
});

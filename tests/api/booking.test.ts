/** Booking calls with the official client. Tests the free times, and the rights of visitors to their bookings. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SqlValue } from '../../packages/backend/src/database/database.ts';
import { mailsTo } from '../../packages/backend/tests/support/received-mails.ts';
import { type AvailabilityChanges, findFreeTimes, saveAvailability } from '../support/booking.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
let admin: SupabaseClient;
beforeAll(async () => {
  site = await startTestBackend();
  admin = (await site.signedIn('admin')).client;
  // A queued email is sent and deleted immediately, so keep a copy of each.
  await site.backend.database.script(`
    create table private.queued_mails (like private.mail_queue including defaults);
    create function private.note_mail() returns trigger language plpgsql security definer set search_path = ''
      as $$ begin insert into private.queued_mails select new.*; return null; end $$;
    create trigger note_mail after insert on private.mail_queue for each row execute function private.note_mail();
  `);
});
afterAll(() => site.close());
beforeEach(async () => {
  await site.backend.database.script(
    'delete from public.bookings; delete from public.booking_exceptions; delete from private.mail_queue; delete from private.queued_mails; delete from public.booking_calendars',
  );
});

const query = <Row extends object>(sql: string, values: SqlValue[] = []) =>
  site.backend.database.query<Row>(sql, values).then(({ rows }) => rows);

const saveHours = (changes?: AvailabilityChanges) => saveAvailability(admin, changes);

async function book(starts_at: string, changes: object = {}, client = site.visitor) {
  const call = { _starts_at: starts_at, _name: 'Ada', _email: 'ada@example.com', ...changes };
  return client.rpc('book', call);
}

/** Lists the times between `from` and `to` that can be booked at `now`, in the local time of `zone`. */
async function listBookableTimes(zone: string, from: string, to: string, now = '2026-12-01 00:00Z'): Promise<string[]> {
  const rows = await query<{ at: string }>(
    `select to_char(starts_at at time zone $4, 'MM-DD HH24:MI') as at
     from private.bookable_times($1::text::timestamptz, $2::text::timestamptz, $3::text::timestamptz)`,
    [from, to, now, zone],
  );
  return rows.map(({ at }) => at);
}

const sundayHours = (starts_at: string, ends_at: string) => [{ weekday: 7, starts_at, ends_at }];

describe('Free times', () => {
  test('are not offered until hours are saved, which turns the setting on', async () => {
    await saveHours({ _hours: [] });
    const bookingSetting = async () =>
      (await site.visitor.from('site_settings').select('setting_value').eq('setting_key', 'booking').throwOnError())
        .data[0]?.setting_value;
    expect(await bookingSetting()).toBe('off');
    expect(await findFreeTimes(site.visitor)).toEqual([]);
    await saveHours();
    expect(await bookingSetting()).toBe('on');
    expect((await findFreeTimes(site.visitor)).length).toBeGreaterThan(20);
    // Admins cannot change the setting directly.
    await admin.from('site_settings').update({ setting_value: 'off' }).eq('setting_key', 'booking').throwOnError();
    expect(await bookingSetting()).toBe('on');
  });

  test('are replaced by a scheduling page if its https URL is saved, but not by any other text', async () => {
    const [time = ''] = await findFreeTimes(site.visitor, 1);
    const setSchedulingPage = (calendlyPlaceholder: string) =>
      admin
        .from('page_content')
        .upsert(
          {
            page_slug: 'home',
            section_name: 'booking',
            content: JSON.stringify({ calendlyPlaceholder }),
            content_type: 'json',
          },
          { onConflict: 'page_slug,section_name' },
        )
        .throwOnError();
    await setSchedulingPage(' https://calendar.example/us');
    expect(await findFreeTimes(site.visitor)).toEqual([]);
    expect((await book(time)).error?.message).toBe('Calls cannot be booked here at the moment.');
    await setSchedulingPage('Soon');
    expect(await findFreeTimes(site.visitor, 1)).toEqual([time]);
    expect((await book(time)).error).toBeNull();
  });

  // On these days the clocks change in Oslo and New York. Kiritimati is a day ahead of most of the world.
  test.each([
    ['Europe/Oslo', '2027-03-28', ['00:00', '00:30', '01:00', '01:30', '03:00', '03:30']],
    [
      'Europe/Oslo',
      '2027-10-31',
      ['00:00', '00:30', '01:00', '01:30', '02:00', '02:30', '02:00', '02:30', '03:00', '03:30'],
    ],
    ['America/New_York', '2027-03-14', ['00:00', '00:30', '01:00', '01:30', '03:00', '03:30']],
    [
      'America/New_York',
      '2027-11-07',
      ['00:00', '00:30', '01:00', '01:30', '01:00', '01:30', '02:00', '02:30', '03:00', '03:30'],
    ],
    ['Pacific/Kiritimati', '2027-03-28', ['00:00', '00:30', '01:00', '01:30', '02:00', '02:30', '03:00', '03:30']],
  ])('in %s on %s the bookable times follow the clock change', async (zone, day, expected) => {
    await saveHours({ _hours: sundayHours('00:00', '04:00'), _time_zone: zone, _days_ahead: 365 });
    const todayTimes = await listBookableTimes(zone, `${day} 00:00Z`, `${day} 23:00Z`, `${day} 00:00Z`);
    const monthTimes = await listBookableTimes(
      zone,
      `${day.slice(0, 8)}01 00:00Z`,
      `${day} 23:00Z`,
      `${day.slice(0, 8)}01 00:00Z`,
    );
    const onTheDay = monthTimes.filter((time) => time.startsWith(day.slice(5))).map((time) => time.slice(6));
    expect(onTheDay).toEqual(expected);
    expect(new Set(todayTimes).size).toBeLessThanOrEqual(expected.length);
  });

  test.each([
    ['Europe/Oslo', '2027-03-26', '2027-03-29'],
    ['America/New_York', '2027-03-12', '2027-03-15'],
  ])("in %s the first time is nine o'clock before and after the clocks change", async (zone, friday, monday) => {
    const hours = [1, 5].map((weekday) => ({ weekday, starts_at: '09:00', ends_at: '09:30' }));
    await saveHours({ _hours: hours, _time_zone: zone, _days_ahead: 365 });
    const rows = await query<{ utc: string }>(
      `select to_char(starts_at at time zone 'UTC', 'MM-DD HH24:MI') as utc from private.bookable_times($1::text::timestamptz, $2::text::timestamptz, $1::text::timestamptz)`,
      [`${friday} 00:00Z`, `${monday} 23:00Z`],
    );
    const [before, after] = rows.map(({ utc }) => Number(utc.slice(6, 8)));
    expect(rows).toHaveLength(2);
    expect((before ?? 0) - (after ?? 0)).toBe(1);
    expect(await listBookableTimes(zone, `${friday} 00:00Z`, `${monday} 23:00Z`, `${friday} 00:00Z`)).toEqual(
      [friday, monday].map((day) => `${day.slice(5)} 09:00`),
    );
  });

  test('hours that end in the skipped hour end at the clock change, and the next hours begin there', async () => {
    const hours = [...sundayHours('01:00', '02:30'), ...sundayHours('02:30', '04:00')];
    await saveHours({ _hours: hours, _time_zone: 'Europe/Oslo', _days_ahead: 365 });
    const times = await listBookableTimes('UTC', '2027-03-28 00:00Z', '2027-03-28 12:00Z', '2027-03-01 00:00Z');
    // 01:00 in Oslo is 00:00 UTC. The skipped 02:30 is 01:30 UTC. 04:00 is 02:00 UTC.
    expect(times.map((time) => time.slice(6))).toEqual(['00:00', '00:30', '01:00', '01:30']);
  });

  test('respect the notice period, the days ahead, the length and the days off', async () => {
    const hours = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, starts_at: '10:00', ends_at: '12:00' }));
    await saveHours({ _hours: hours, _time_zone: 'UTC', _notice_minutes: 90, _days_ahead: 2, _length_minutes: 45 });
    const now = '2027-01-04 09:00Z';
    const listAllTimes = () => listBookableTimes('UTC', '2026-01-01 00:00Z', '2028-01-01 00:00Z', now);
    expect(await listAllTimes()).toEqual(['01-04 10:45', '01-05 10:00', '01-05 10:45']);
    await admin
      .from('booking_exceptions')
      .insert({ first_day: '2027-01-05', last_day: '2027-01-05', ends_at: '10:30' })
      .throwOnError();
    expect(await listAllTimes()).toEqual(['01-04 10:45', '01-05 10:45']);
    await admin.from('booking_exceptions').insert({ first_day: '2027-01-04', last_day: '2027-01-06' }).throwOnError();
    expect(await listAllTimes()).toEqual([]);
  });

  test('are rejected with a message for an empty, infinite or too long range', async () => {
    const readError = async (_from: string, _to: string) =>
      (await site.visitor.rpc('free_slots', { _from, _to })).error?.message;
    expect(await readError('2027-01-02', '2027-01-01')).toBe('The end of the period must be after its start.');
    expect(await readError('-infinity', 'infinity')).toBe('The end of the period must be after its start.');
    expect(await readError('2027-01-01', '2027-06-01')).toBe('A request can cover at most 62 days.');
    expect(await readError("2027-01-01'; drop table public.bookings; --", '2027-01-02')).toMatch(
      /invalid input syntax/,
    );
    expect(await readError('2027-01-01', '2027-01-31')).toBeUndefined();
  });
});

describe('A booking', () => {
  beforeAll(async () => {
    await site.service
      .from('site_settings')
      .upsert({ setting_key: 'contact_email', setting_value: 'owner@example.com' }, { onConflict: 'setting_key' })
      .throwOnError();
    await site.service
      .from('services')
      .insert({ title: 'AI Chatbots', slug: 'ai-chatbots', status: 'published' })
      .throwOnError();
  });
  beforeEach(() => saveHours({ _place: 'We call you' }));

  const readMails = () =>
    query<{ recipient: string; template: string; variables: Record<string, unknown>; waits: boolean }>(
      'select recipient, template, variables, next_attempt_at > now() as waits from private.queued_mails order by id',
    );

  test('reserves the time, emails both sides, and queues a reminder for 24 hours before', async () => {
    const [, time = ''] = await findFreeTimes(site.visitor, 3);
    const { data, error } = await book(time, {
      _phone: '+47 1',
      _message: 'Two\nlines',
      _service: 'Chatbots',
      _time_zone: 'America/New_York',
    });
    expect(error).toBeNull();
    expect(data).toMatchObject({ state: 'booked', place: 'We call you', time_zone: 'America/New_York' });
    expect(data.token).toMatch(/^[0-9a-f]{64}$/);
    expect(await findFreeTimes(site.visitor, 3)).not.toContain(time);
    const queued = await readMails();
    expect(queued.map(({ recipient, template, waits }) => [recipient, template, waits])).toEqual([
      ['ada@example.com', 'booking_confirmed', false],
      ['owner@example.com', 'booking_notice', false],
      ['ada@example.com', 'booking_reminder', true],
    ]);
    expect(queued[0]?.variables['When']).toContain('(America/New_York)');
    expect(queued[1]?.variables).toMatchObject({ Name: 'Ada', Message: 'Two\nlines', Service: 'Chatbots' });
    // Emails to the visitor repeat only a plain name from the form, because the address may be someone else's.
    expect(JSON.stringify([queued[0], queued[2]])).not.toMatch(/Two|Chatbots|"Ada"/);
    expect(queued[0]?.variables).toMatchObject({ Greeting: 'Hello Ada,', Topic: '', Place: 'We call you' });
    const [storedBooking] = await query<{ text: string }>(
      'select to_jsonb(bookings)::text as text from public.bookings',
    );
    expect(storedBooking?.text).not.toContain(data.token);
  });

  test.for([
    ['Åse O’Hara-Ødegård', 'AI Chatbots', 'Hello Åse O’Hara-Ødegård,', 'About AI Chatbots.'],
    ['Win now at evil.example', 'AI Chatbots', 'Hello,', 'About AI Chatbots.'],
    ['Call 555 0100', 'Free money', 'Hello,', ''],
    ['one two three four', '', 'Hello,', ''],
  ])('by “%s” about “%s” has the greeting “%s” in its emails', async ([_name, _service, Greeting, Topic]) => {
    const [time = ''] = await findFreeTimes(site.visitor, 1);
    const { error } = await book(time, { _name, _service, _email: `${crypto.randomUUID()}@example.com` });
    expect(error).toBeNull();
    const queued = (await readMails()).filter(({ template }) => template === 'booking_reminder');
    expect(queued.at(-1)?.variables).toMatchObject({ Greeting, Topic });
  });

  test('is in the calendar attachment of the email, with its link', async () => {
    const [time = ''] = await findFreeTimes(site.visitor, 1);
    const { data } = await book(time, { _email: 'file@example.com' });
    const mail = await vi.waitFor(async () => {
      const folder = join(site.dataFolder, 'outbox');
      const [file] = (await readdir(folder)).filter(
        (name) => name.includes('file@example.com') && name.endsWith('.eml'),
      );
      return readFile(join(folder, file ?? ''), 'utf8');
    }, 120_000);
    const [, encoded = ''] =
      /text\/calendar; charset=utf-8; method=REQUEST[\s\S]*?\r\n\r\n([\s\S]*?)\r\n--/.exec(mail) ?? [];
    const isBase64 = !encoded.includes('BEGIN:VCALENDAR');
    const file = (isBase64 ? Buffer.from(encoded, 'base64').toString() : encoded).replaceAll(/\r?\n[ \t]|=\r\n/g, '');
    expect(file).toContain('METHOD:REQUEST');
    expect(file).toContain(`/booking/${data.token}`);
    expect(file).toContain(`DTSTART:${new Date(time).toISOString().replaceAll(/[-:]|\.\d+/g, '')}`);
    expect(mail.replaceAll(/=\r\n/g, '')).toContain(`/booking/${data.token}`);
  });

  test('can be read, moved and cancelled only with its token, and moved only to a free time', async () => {
    const [first = '', second = '', third = ''] = await findFreeTimes(site.visitor, 3);
    const { data: booked } = await book(first);
    const { data: otherBooking } = await book(second, { _email: 'grace@example.com' });
    const readBooking = async (_token: string) => (await site.visitor.rpc('read_booking', { _token })).data;
    expect(Date.parse((await readBooking(booked.token)).starts_at)).toBe(Date.parse(first));
    expect(await readBooking(booked.token)).not.toHaveProperty('email');
    for (const invalidToken of ['', '%', booked.token.slice(1), booked.token.replace(/./, 'g'), crypto.randomUUID()]) {
      for (const [name, call] of [
        ['read_booking', { _token: invalidToken }],
        ['cancel_booking', { _token: invalidToken }],
        ['move_booking', { _token: invalidToken, _starts_at: third }],
      ] as const) {
        const { status, error } = await site.visitor.rpc(name, call);
        expect([status, error?.message]).toEqual([
          404,
          expect.stringMatching(/^(This booking no longer exists|Booking not found)/),
        ]);
      }
    }
    const conflicting = await site.visitor.rpc('move_booking', { _token: booked.token, _starts_at: second });
    expect(conflicting.error?.message).toBe('This time was just taken. Please choose another.');
    expect(conflicting.status).toBe(409);
    const response = await site.visitor.rpc('move_booking', { _token: booked.token, _starts_at: third });
    expect(Date.parse(response.data.starts_at)).toBe(Date.parse(third));
    expect(await findFreeTimes(site.visitor, 3)).toContain(first);
    expect((await site.visitor.rpc('cancel_booking', { _token: booked.token })).data.state).toBe('cancelled');
    expect((await site.visitor.rpc('cancel_booking', { _token: booked.token })).error?.message).toBe(
      'This call has already been cancelled.',
    );
    expect((await readBooking(otherBooking.token)).state).toBe('booked');
    expect(await findFreeTimes(site.visitor, 3)).toContain(third);
    const templates = (await readMails()).filter(
      ({ variables }) => variables['Email'] === 'ada@example.com' && variables['Calendar'],
    );
    expect(templates.map(({ template }) => template)).toEqual([
      'booking_confirmed',
      'booking_moved',
      'booking_cancelled',
    ]);
    const calendars = templates.map(({ variables }) => variables['Calendar'] as Record<string, unknown>);
    expect(calendars.map(({ method, sequence }) => [method, sequence])).toEqual([
      ['REQUEST', 0],
      ['REQUEST', 1],
      ['CANCEL', 2],
    ]);
    expect(new Set(calendars.map(({ uid }) => uid)).size).toBe(1);
  });

  test('cannot be moved or cancelled with GET', async () => {
    const [time = '', next = ''] = await findFreeTimes(site.visitor, 2);
    const { data } = await book(time);
    const get = (name: string, args: object) => site.visitor.rpc(name, args, { get: true });
    expect((await get('read_booking', { _token: data.token })).data.state).toBe('booked');
    expect((await get('cancel_booking', { _token: data.token })).error).not.toBeNull();
    expect((await get('move_booking', { _token: data.token, _starts_at: next })).error).not.toBeNull();
    expect((await get('book', { _starts_at: next, _name: 'Eve', _email: 'eve@example.com' })).error).not.toBeNull();
    expect(await query('select starts_at, state, sequence from public.bookings')).toEqual([
      { starts_at: new Date(time), state: 'booked', sequence: 0 },
    ]);
  });

  test.each([
    ['a time in the past', () => new Date(Date.now() - 86_400_000).toISOString(), /has passed/],
    ['the minimum timestamp', () => '-infinity', /choose a time/],
    ['a time within the notice period', () => new Date(Date.now() + 60_000).toISOString(), /too soon/],
    [
      'a time beyond the days ahead',
      () => new Date(Date.now() + 40 * 86_400_000).toISOString(),
      /at most 30 days ahead/,
    ],
  ])('for %s is rejected with a message', async (_label, time, message) => {
    await saveHours({ _notice_minutes: 60 });
    expect((await book(time())).error?.message).toMatch(message);
    expect(await query('select from public.bookings')).toEqual([]);
  });

  test('is rejected for a time off the grid or on a day off, and accepted for a time on the grid', async () => {
    const [time = ''] = await findFreeTimes(site.visitor, 1);
    const offGrid = new Date(Date.parse(time) + 60_000).toISOString();
    expect((await book(offGrid)).error?.message).toMatch(/^No call can start at this time/);
    const day = new Date(Date.parse(time) - 86_400_000).toISOString().slice(0, 10);
    const dayAfter = new Date(Date.parse(time) + 86_400_000).toISOString().slice(0, 10);
    const { data } = await admin
      .from('booking_exceptions')
      .insert({ first_day: day, last_day: dayAfter })
      .select('id')
      .single()
      .throwOnError();
    expect((await book(time)).error?.message).toMatch(/just taken/);
    await admin.from('booking_exceptions').delete().eq('id', data.id).throwOnError();
    expect((await book(time)).error).toBeNull();
  });

  test.each([
    [{ _name: ' ' }, 'Name is required'],
    [{ _name: 'x'.repeat(101) }, 'Name must be less than 100 characters'],
    [{ _name: 'Ada\r\nBcc: eve@example.com' }, 'Name must be one line of text'],
    [{ _email: 'unknown' }, 'Invalid email address'],
    [{ _email: 'a@b.no, c@d.no' }, 'Invalid email address'],
    [{ _email: 'a@b.no\nc@d.no' }, 'Email must be one line of text'],
    [{ _email: `${'x'.repeat(250)}@example.com` }, 'Email must be less than 255 characters'],
    [{ _message: 'x'.repeat(1001) }, 'Message must be less than 1000 characters'],
    [{ _phone: 'call me' }, 'Enter a valid phone number, such as +47 22 00 00 00.'],
  ])('with %j is refused: %s', async (changes, message) => {
    const [time = ''] = await findFreeTimes(site.visitor, 1);
    expect((await book(time, changes)).error?.message).toBe(message);
    expect(await query('select from public.bookings')).toEqual([]);
  });

  test.each([
    "Europe/Oslo'; drop table public.bookings; --",
    'EST5EDT4,M3.2.0,M11.1.0',
    '<+99>-99',
    '../../etc/passwd',
    'x'.repeat(10_000),
  ])("with the invalid time zone %j shows the times in the site's own time zone", async (zone) => {
    const [time = ''] = await findFreeTimes(site.visitor, 1);
    const { data, error } = await book(time, { _time_zone: zone });
    expect(error).toBeNull();
    expect(data.time_zone).toBe('Europe/Oslo');
    expect((await admin.rpc('save_availability', createAvailability(zone))).error?.message).toMatch(
      /^Unknown time zone/,
    );
  });

  const createAvailability = (zone: string) => ({
    _hours: [],
    _time_zone: zone,
    _notice_minutes: 0,
    _days_ahead: 1,
    _length_minutes: 30,
    _place: '',
  });

  test('gets one reminder when it is due', async () => {
    await book((await findFreeTimes(site.visitor)).at(-1) ?? '', { _email: 'soon@example.com' });
    await query(`update private.mail_queue set next_attempt_at = now() where template = 'booking_reminder'`);
    // Simulates two server processes that check at the same moment.
    await Promise.all([1, 2].map(() => query(`select pg_notify('mail_queued', '')`)));
    await vi.waitFor(
      async () =>
        expect(await query(`select from private.mail_queue where recipient = 'soon@example.com'`)).toEqual([]),
      120_000,
    );
    const subjects = (await mailsTo(site.dataFolder, 'soon@example.com')).map(({ subject }) => subject);
    expect(subjects.toSorted()).toEqual(['Your call is booked', 'Your call is in 24 hours']);
  });

  test('notifies the visitor and loses its reminder when the owner cancels it', async () => {
    const listBookableTimes = await findFreeTimes(site.visitor);
    // Notices are limited per visitor, and the visitor of the other tests has used up the limit.
    await book(listBookableTimes.at(-1) ?? '', { _email: 'cancelled@example.com' });
    const [{ id } = { id: '' }] = await query<{ id: string }>('select id from public.bookings');
    await admin.rpc('cancel_booking_of_visitor', { _booking_id: id }).throwOnError();
    expect((await readMails()).map(({ template }) => template)).toEqual([
      'booking_confirmed',
      'booking_notice',
      'booking_reminder',
      'booking_cancelled',
      'booking_notice',
    ]);
    expect(await query(`select from private.mail_queue where template = 'booking_reminder'`)).toEqual([]);
    expect(await query('select state, cancelled_by from public.bookings')).toEqual([
      { state: 'cancelled', cancelled_by: 'owner' },
    ]);
  });

  test('cannot be moved or cancelled after it has started', async () => {
    const [time = '', next = ''] = await findFreeTimes(site.visitor, 2);
    const { data } = await book(time);
    await query(
      `update public.bookings set slot = tstzrange(now() - interval '1 minute', now() + interval '29 minutes')`,
    );
    for (const [name, call] of [
      ['cancel_booking', { _token: data.token }],
      ['move_booking', { _token: data.token, _starts_at: next }],
    ] as const) {
      expect((await site.visitor.rpc(name, call)).error?.message).toBe('This call has already started.');
    }
  });

  test('is deleted after the retention period of chats', async () => {
    const [time = ''] = await findFreeTimes(site.visitor, 1);
    await book(time);
    await query(
      `update public.bookings set slot = tstzrange(now() - interval '366 days', now() - interval '365.5 days')`,
    );
    expect(await query('select private.delete_expired_bookings() as deleted')).toEqual([{ deleted: 1 }]);
    await book(time);
    expect(await query('select private.delete_expired_bookings() as deleted')).toEqual([{ deleted: 0 }]);
  });

  test('is deleted with one lookup of the retention period for all bookings', async () => {
    await query(
      `insert into public.bookings (slot, name, email, time_zone, token_hash)
       select tstzrange(start, start + interval '20 minutes'), 'Person', 'p' || n || '@example.com', 'Europe/Oslo',
         encode(sha256(n::text::bytea), 'hex')
       from generate_series(1, 50) as n, lateral (select now() - n * interval '1 day' as start) as at`,
    );
    const { rows } = await site.backend.database.transaction(async (tx) => {
      await tx.query(`set local track_functions = 'all'`);
      await tx.query('select private.delete_expired_bookings(200)');
      return tx.query<{ calls: number }>(
        `select pg_stat_get_xact_function_calls('private.retention_cutoff'::regproc)::integer as calls`,
      );
    });
    expect(rows).toEqual([{ calls: 1 }]);
  });
});

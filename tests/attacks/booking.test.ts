/** Attacks on bookable calls, each with an allowed counterpart. */
import { PostgrestClient } from '@supabase/postgrest-js';
import type { SupabaseClient } from '@supabase/supabase-js';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { publicFetch } from '../../packages/backend/src/http/external-fetch.ts';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { readCalendar } from '../../server/jobs/read-calendars.ts';
import { findFreeTimes, saveAvailability } from '../support/booking.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
let admin: SupabaseClient;
beforeAll(async () => {
  site = await startTestBackend({ RATE_LIMITS: 'on' });
  admin = (await site.signedIn('admin')).client;
});
afterAll(() => site.close());
beforeEach(async () => {
  await site.backend.database.script(`
    delete from public.bookings; delete from private.rate_limit_counters; delete from private.mail_queue;
    delete from public.booking_calendars;`);
  await saveAvailability(admin);
});

const readBookings = async () =>
  (await site.service.from('bookings').select('starts_at, name, state').order('name').throwOnError()).data;

/** Creates a client for a visitor with that IP address. */
function createClientFrom(address: string) {
  return new PostgrestClient(`${site.url}/rest/v1`, {
    headers: { apikey: PUBLISHABLE_KEY, 'x-forwarded-for': address },
  });
}

const call = (starts_at: string, name: string, email = `${name}@example.com`) => ({
  _starts_at: starts_at,
  _name: name,
  _email: email,
});

test('If 200 visitors book the same time concurrently, one succeeds and other times remain available', async () => {
  const [time = ''] = await findFreeTimes(site.visitor, 1);
  const responses = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const visitor = createClientFrom(`198.51.${index % 2 === 0 ? 100 : 101}.${index}`);
      return visitor.rpc('book', call(time, `visitor-${index}`));
    }),
  );
  expect(responses.filter(({ error }) => error === null)).toHaveLength(1);
  const messages = new Set(responses.flatMap(({ error }) => error?.message ?? []));
  expect([...messages]).toEqual(['This time was just taken. Please choose another.']);
  expect(await readBookings()).toHaveLength(1);
  const remaining = await findFreeTimes(site.visitor);
  expect(remaining).not.toContain(time);
  expect(remaining.length).toBeGreaterThan(100);
});

test('The table rejects overlapping calls for every role', async () => {
  const row = (slot: string, hash: string) => ({
    slot,
    name: 'A',
    email: 'a@b.no',
    time_zone: 'UTC',
    token_hash: hash.repeat(64),
  });
  const first = await site.service.from('bookings').insert(row('[2027-01-01 10:00Z,2027-01-01 10:30Z)', 'a'));
  expect(first.error).toBeNull();
  const second = await site.service.from('bookings').insert(row('[2027-01-01 10:15Z,2027-01-01 10:45Z)', 'b'));
  expect(second.error?.code).toBe('23P01');
  const adjacent = await site.service.from('bookings').insert(row('[2027-01-01 10:30Z,2027-01-01 11:00Z)', 'c'));
  expect(adjacent.error).toBeNull();
  for (const slot of ['empty', '(,)', '[2027-01-02,infinity)', '(2027-01-02 10:00Z,2027-01-02 10:30Z]', 'nonsense']) {
    expect((await site.service.from('bookings').insert(row(slot, 'd'))).error).not.toBeNull();
  }
});

test('An IP address can book five calls an hour, and a neighbouring address can still book', async () => {
  const times = await findFreeTimes(site.visitor, 7);
  const messages: (string | undefined)[] = [];
  for (const [index, time] of times.slice(0, 6).entries()) {
    const { error } = await createClientFrom('192.0.2.1').rpc('book', call(time, `spam-${index}`));
    messages.push(error?.message);
  }
  expect(messages).toEqual([...Array(5).fill(undefined), expect.stringContaining('Try again in an hour')]);
  // X-Forwarded-For is trusted only from our own proxy, and names one client.
  const response = await createClientFrom('192.0.2.2').rpc('book', call(times[6] ?? '', 'neighbour'));
  expect(response.error).toBeNull();
});

test('An email address can have three upcoming calls, and can book six calls a day', async () => {
  const times = await findFreeTimes(site.visitor, 10);
  const book = (index: number) =>
    createClientFrom(`192.0.2.${index}`).rpc(
      'book',
      call(times[index] ?? '', 'Ada', index % 2 ? 'ada@example.com' : 'ADA@example.com'),
    );
  const tokens: string[] = [];
  for (let index = 0; index < 3; index++) tokens.push((await book(index)).data.token);
  expect((await book(3)).error?.message).toMatch(/^This address already has three booked calls/);
  for (let index = 3; index < 6; index++) {
    await site.visitor.rpc('cancel_booking', { _token: tokens.shift() }).throwOnError();
    tokens.push((await book(index)).data.token);
  }
  await site.visitor.rpc('cancel_booking', { _token: tokens[0] }).throwOnError();
  const seventh = await book(7);
  expect([seventh.status, seventh.error?.message]).toEqual([
    429,
    expect.stringContaining('Too many calls were booked'),
  ]);
});

test('A call can be moved at most five times', async () => {
  const [first = '', second = ''] = await findFreeTimes(site.visitor, 2);
  const { data } = await site.visitor.rpc('book', call(first, 'Ada')).throwOnError();
  const move = (index: number) =>
    site.visitor.rpc('move_booking', { _token: data.token, _starts_at: index % 2 === 0 ? second : first });
  for (let index = 0; index < 5; index++) expect((await move(index)).error).toBeNull();
  expect((await move(5)).error?.message).toMatch(/^This call has been moved five times/);
});

test('An address that others book with gets at most 20 emails a day', async () => {
  const times = await findFreeTimes(site.visitor, 4);
  await site.backend.database.script(`
    create table private.queued (recipient text);
    create function private.note_queued() returns trigger language plpgsql security definer set search_path = ''
      as $$ begin insert into private.queued values (new.recipient); return null; end $$;
    create trigger note_queued after insert on private.mail_queue
      for each row when (new.template in ('booking_confirmed', 'booking_moved', 'booking_cancelled')) execute function private.note_queued();`);
  for (const time of [...times.slice(0, 2), ...times.slice(0, 2)]) {
    const { data } = await site.visitor.rpc('book', call(time, 'Victim')).throwOnError();
    for (let index = 0; index < 5; index++) {
      const _starts_at = index % 2 === 0 ? times[3] : time;
      await site.visitor.rpc('move_booking', { _token: data.token, _starts_at }).throwOnError();
    }
    await site.visitor.rpc('cancel_booking', { _token: data.token }).throwOnError();
  }
  const { rows } = await site.backend.database.query('select recipient from private.queued');
  expect(rows).toEqual(Array(20).fill({ recipient: 'Victim@example.com' }));
});

describe('The feed URL', () => {
  const readFeed = (secret: string) => fetch(`${site.url}/functions/v1/booking-calendar?secret=${secret}`);

  test('shows the calls until a new URL is created, and a guessed URL shows nothing', async () => {
    const [time = ''] = await findFreeTimes(site.visitor, 1);
    const { data: booking } = await site.visitor.rpc('book', call(time, 'Ada')).throwOnError();
    const { data: first } = await admin.rpc('make_booking_feed').throwOnError();
    const feed = await readFeed(first);
    expect(feed.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(feed.headers.get('cache-control')).toBe('private, no-store');
    expect(await feed.text()).toMatch(/SUMMARY:Call: Ada\r\n[\s\S]*Ada@example\.com/);
    const page = await (await readFeed(booking.token)).text();
    expect(page).toContain('BEGIN:VEVENT');
    expect(page).not.toContain('Ada');
    const { data: second } = await admin.rpc('make_booking_feed').throwOnError();
    const guesses = [first, '', '%', second.slice(1), second.replace(/.$/, 'g'), second.toUpperCase(), '0'.repeat(64)];
    for (const guess of guesses.filter((secret) => secret !== second)) expect((await readFeed(guess)).status).toBe(404);
    expect((await readFeed(second)).status).toBe(200);
    await admin.rpc('end_booking_feed').throwOnError();
    expect((await readFeed(second)).status).toBe(404);
  });

  test('is protected by a rate limit against guesses', async () => {
    const guess = (address: string) =>
      fetch(`${site.url}/functions/v1/booking-calendar?secret=${'0'.repeat(64)}`, {
        headers: { 'x-forwarded-for': address },
      }).then(({ status }) => status);
    const statuses = await Promise.all(Array.from({ length: 21 }, () => guess('203.0.113.9')));
    expect(statuses.toSorted()).toEqual([...Array(20).fill(404), 429]);
    expect(await guess('203.0.113.10')).toBe(404);
  });
});

describe('An imported calendar', () => {
  const hour = (uid: string, starts: string, properties = '') =>
    `BEGIN:VEVENT\r\nUID:${uid}\r\nDTSTART:${starts}\r\nDURATION:PT1H\r\n${properties}END:VEVENT\r\n`;
  const calendar = (...events: string[]) => `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${events.join('')}END:VCALENDAR\r\n`;
  const stamp = (time: string) => new Date(time).toISOString().replaceAll(/[-:]|\.\d+/g, '');

  /** Imports a calendar and returns the stored failure. The background job ignores the calendar, because it is due later. */
  async function importCalendar(calendarUrl: string, fetch: typeof publicFetch) {
    await site.service.from('booking_calendars').delete().eq('address', calendarUrl).throwOnError();
    const row = { label: 'Mine', address: calendarUrl, next_read_at: '2999-01-01' };
    const { data } = await site.service.from('booking_calendars').insert(row).select('id').single().throwOnError();
    await readCalendar(site.backend.database, pino({ level: 'silent' }), { id: data.id, address: calendarUrl }, fetch);
    const calendars = site.service.from('booking_calendars').select('failure').eq('id', data.id);
    return (await calendars.single().throwOnError()).data['failure'];
  }

  const serve = (text: string) => async () => new Response(text);

  test.each([
    'https://127.0.0.1/busy.ics',
    'https://[::1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://10.0.0.1/',
    'https://localhost/',
    'https://0x7f000001/',
    'https://[::ffff:10.0.0.1]/',
  ])('at %s is not fetched', async (calendarUrl) => {
    expect(await importCalendar(calendarUrl, publicFetch)).toBe('The calendar URL is not a public https address.');
  });

  test('is not fetched from a private network after a redirect, and a public redirect is followed', async () => {
    const [time = ''] = await findFreeTimes(site.visitor, 1);
    const createRedirect = (target: string): typeof publicFetch => {
      return async (calendarUrl, ...options) => {
        if (calendarUrl === 'https://calendar.example/a')
          return new Response(null, { status: 302, headers: { location: target } });
        if (calendarUrl === 'https://calendar.example/b') return new Response(calendar(hour('x', stamp(time))));
        return publicFetch(calendarUrl, ...options);
      };
    };
    for (const target of ['http://calendar.example/b', 'https://127.0.0.1/', '//10.0.0.1/', 'file:///etc/passwd']) {
      expect(await importCalendar('https://calendar.example/a', createRedirect(target))).toBe(
        'The calendar URL is not a public https address.',
      );
    }
    expect(await findFreeTimes(site.visitor)).toContain(time);
    expect(await importCalendar('https://calendar.example/a', createRedirect('https://calendar.example/a'))).toMatch(
      /too many redirects/,
    );
    expect(await importCalendar('https://calendar.example/a', createRedirect('/b'))).toBeNull();
    expect(await findFreeTimes(site.visitor)).not.toContain(time);
  });

  test('blocks the times of busy events until they are removed, but not of free, cancelled, past or booked events', async () => {
    const times = await findFreeTimes(site.visitor, 8);
    const { data: booking } = await site.visitor.rpc('book', call(times[6] ?? '', 'Ada')).throwOnError();
    const { data: page } = await site.service.from('bookings').select('id').single().throwOnError();
    const text = calendar(
      hour('busy', stamp(times[0] ?? '')),
      hour('free', stamp(times[2] ?? ''), 'TRANSP:TRANSPARENT\r\n'),
      hour('cancelled', stamp(times[2] ?? ''), 'STATUS:CANCELLED\r\n'),
      hour('past', '20200101T090000Z'),
      hour(page?.['id'], stamp(times[6] ?? '')),
    );
    expect(await importCalendar('https://calendar.example/', serve(text))).toBeNull();
    expect(await findFreeTimes(site.visitor, 4)).toEqual(times.slice(2, 6));
    // The invitation to a call does not block moving that call.
    const move = { _token: booking.token, _starts_at: times[7] };
    expect((await site.visitor.rpc('move_booking', move)).error).toBeNull();
    expect(await importCalendar('https://calendar.example/', serve(calendar()))).toBeNull();
    expect(await findFreeTimes(site.visitor, 1)).toEqual(times.slice(0, 1));
  });

  describe('with ambiguous events', () => {
    const calendarUrl = 'https://calendar.example/';
    const hourAfter = (time: string) => stamp(new Date(Date.parse(time) + 60 * 60 * 1000).toISOString());
    /** Returns the free slots among the next eight half hours. */
    async function listFreeHours(events: (hours: string[]) => string[]) {
      expect(await importCalendar(calendarUrl, serve(calendar()))).toBeNull();
      const times = await findFreeTimes(site.visitor, 8);
      const hours = times.filter((_, index) => index % 2 === 0).map(stamp);
      const failure = await importCalendar(calendarUrl, serve(calendar(...events(hours))));
      const free = await findFreeTimes(site.visitor, 8);
      return {
        failure,
        hours: times.flatMap((time, index) => (index % 2 === 0 && free.includes(time) ? [index / 2] : [])),
      };
    }

    test('blocks the times of two events with or without the same UID', async () => {
      const nameless = (starts = '') => hour('', starts).replace('UID:\r\n', '');
      const events = ([a, b, c, d]: string[]) => [nameless(a), nameless(b), hour('x', c ?? ''), hour('x', d ?? '')];
      expect(await listFreeHours(events)).toEqual({ failure: null, hours: [] });
    });

    test('blocks the first day and each other day of RDATE, with and without a duration', async () => {
      const events = ([a = '', b, c = '']: string[]) => [
        hour('x', a, `RDATE:${b}\r\nRDATE;VALUE=PERIOD:${c}/PT60M\r\n`),
      ];
      expect(await listFreeHours(events)).toEqual({ failure: null, hours: [3] });
      const excluded = ([a = '', b]: string[]) => [hour('x', a, `RDATE:${b}\r\nEXDATE:${a}\r\n`)];
      expect(await listFreeHours(excluded)).toEqual({ failure: null, hours: [0, 2, 3] });
    });

    test('blocks the busy periods of VFREEBUSY, but not the free ones', async () => {
      const events = ([a = '', b = '', c = '']: string[]) => [
        `BEGIN:VFREEBUSY\r\nUID:f\r\nFREEBUSY:${a}/PT1H,${b}/PT1H\r\nFREEBUSY;FBTYPE=FREE:${c}/PT1H\r\nEND:VFREEBUSY\r\n`,
      ];
      expect(await listFreeHours(events)).toEqual({ failure: null, hours: [2, 3] });
    });

    test('blocks the new time of a moved event, but not the old one', async () => {
      const movedEvent = (uid: string, from = '', to = '') => hour(uid, to, `RECURRENCE-ID:${from}\r\n`);
      const events = ([a = '', b]: string[]) => [
        hour('x', a, 'RRULE:FREQ=DAILY;COUNT=1\r\n'),
        hour('y', a, 'RRULE:FREQ=DAILY;COUNT=1\r\n'),
        movedEvent('y', a, b),
      ];
      expect(await listFreeHours(events)).toEqual({ failure: null, hours: [2, 3] });
      const overrideOnly = ([a = '', b]: string[]) => events([a, b ?? '']).slice(1);
      expect(await listFreeHours(overrideOnly)).toEqual({ failure: null, hours: [0, 2, 3] });
    });

    test('skips invalid events and reports their number', async () => {
      const events = ([a = '', b = '']: string[]) => [
        hour('x', a),
        'BEGIN:VEVENT\r\nUID:y\r\nDURATION:PT1H\r\nEND:VEVENT\r\n',
        hour('z', 'tomorrow'),
        hour('w', b, 'no property\r\n'),
        hour('x', '20261390T990000Z'),
        `${hour('v', b, `RECURRENCE-ID:${b}\r\n`).replace(/DTSTART.*\r\n/, '')}`,
        hour('v', b, 'RRULE:FREQ=DAILY;COUNT=2\r\n'),
      ];
      const { failure, hours } = await listFreeHours(events);
      expect(failure).toBe('4 calendar entries could not be read and were skipped.');
      expect(hours).toEqual([2, 3]);
    });

    test('blocks the times of a second VCALENDAR, but only if the file is complete', async () => {
      const second = ([a = '', b = '']: string[]) => [
        hour('x', a),
        'END:VCALENDAR\r\n',
        calendar(hour('y', b)).slice(0, -15),
      ];
      expect(await listFreeHours(second)).toEqual({ failure: null, hours: [2, 3] });
      const [time = ''] = await findFreeTimes(site.visitor, 1);
      const truncated = calendar(hour('x', stamp(time)), hour('y', hourAfter(time))).slice(0, -30);
      expect(await importCalendar(calendarUrl, serve(truncated))).toBe(
        'The calendar URL did not return a valid iCalendar file.',
      );
    });
  });

  test('keeps its last times if reading fails, and reports the reason', async () => {
    const [time = ''] = await findFreeTimes(site.visitor, 1);
    await importCalendar('https://calendar.example/', serve(calendar(hour('x', stamp(time)))));
    const { data } = await site.service.from('booking_calendars').select('id, address').single().throwOnError();
    const response = async (fetch: typeof publicFetch) => {
      await readCalendar(site.backend.database, pino({ level: 'silent' }), data as never, fetch);
      return (await site.service.from('booking_calendars').select('failure').single().throwOnError()).data['failure'];
    };
    const status = async () => new Response('', { status: 500 });
    const fail = async () => Promise.reject(new Error('connect ECONNREFUSED'));
    expect(await response(status)).toBe('The calendar server responded with status 500.');
    expect(await response(fail)).toBe('The calendar server did not respond.');
    expect(await response(serve('<html>Sign in</html>'))).toBe(
      'The calendar URL did not return a valid iCalendar file.',
    );
    expect(await response(serve(`BEGIN:VCALENDAR\r\n${'BEGIN:VEVENT\r\n'.repeat(20_000)}`))).toMatch(/valid iCalendar/);
    expect(await findFreeTimes(site.visitor)).not.toContain(time);
    expect(await response(serve(calendar()))).toBeNull();
  });

  test('with an endless rule times out', async () => {
    const rule = 'RRULE:FREQ=SECONDLY;INTERVAL=1\r\n';
    const endless = Array.from({ length: 50 }, (_, index) => hour(`e${index}`, '19000101T000000Z', rule));
    const failure = await importCalendar('https://calendar.example/', serve(calendar(...endless)));
    expect(failure).toBe('The calendar took too long to read.');
  }, 30_000);
});

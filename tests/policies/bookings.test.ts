/** Access to bookings, availability and calendars. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFreeTimes, saveAvailability } from '../support/booking.ts';
import { capitalizedRoles } from '../support/role-labels.ts';
import { type Person, startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
let admin: SupabaseClient;
let slots: string[];
const nextSlot = () => slots.shift() ?? '';
beforeAll(async () => {
  site = await startTestBackend();
  admin = (await site.signedIn('admin')).client;
  await saveAvailability(admin);
  slots = await findFreeTimes(site.visitor);
  await site.visitor.rpc('book', { _starts_at: nextSlot(), _name: 'Ada', _email: 'ada@example.com' }).throwOnError();
  const rows: Record<string, object> = {
    booking_exceptions: { first_day: '2030-01-01', last_day: '2030-01-01' },
    booking_calendars: { label: 'Mine', address: 'https://calendar.example/secret', next_read_at: '2999-01-01' },
  };
  for (const [table, row] of Object.entries(rows)) await site.service.from(table).insert(row).throwOnError();
});
afterAll(() => site.close());

const TABLES = ['availability', 'booking_rules', 'booking_exceptions', 'bookings', 'booking_calendars', 'booking_busy'];

const ROWS: Record<string, object> = {
  availability: { weekday: 1, starts_at: '01:00', ends_at: '02:00' },
  booking_rules: { id: true, time_zone: 'UTC' },
  booking_exceptions: { first_day: '2031-01-01', last_day: '2031-01-01' },
  bookings: {
    slot: '[2031-01-01 10:00Z,2031-01-01 10:30Z)',
    name: 'Eve',
    email: 'eve@example.com',
    time_zone: 'UTC',
    token_hash: 'a'.repeat(64),
  },
  booking_calendars: { label: 'Evil', address: 'https://evil.example/' },
  booking_busy: { calendar_id: crypto.randomUUID(), during: '[2031-01-01,2031-01-02)' },
};

const ADMIN_FUNCTIONS: [string, object][] = [
  [
    'save_availability',
    {
      _hours: [],
      _time_zone: 'UTC',
      _notice_minutes: 0,
      _days_ahead: 1,
      _length_minutes: 30,
      _place: '',
    },
  ],
  ['cancel_booking_of_visitor', { _booking_id: crypto.randomUUID() }],
  ['make_booking_feed', {}],
  ['end_booking_feed', {}],
  ['booking_feed_created_at', {}],
  ['calendar_events', { _secret: 'a'.repeat(64) }],
];

async function readAllRows() {
  const rows = TABLES.map(async (table) => [table, (await site.service.from(table).select().throwOnError()).data]);
  return Object.fromEntries(await Promise.all(rows));
}

describe.each(capitalizedRoles(['visitor', 'stranger', 'pending', 'client', 'team']))('%s', (_label, role) => {
  let client: SupabaseClient;
  beforeAll(async () => {
    client = role === 'visitor' ? site.visitor : (await site.signedIn(role)).client;
  });

  test.each(TABLES)('cannot read or change %s', async (table) => {
    const before = await readAllRows();
    const response = await client.from(table).select(table === 'bookings' ? 'id, name, email' : '*');
    expect(response.data ?? []).toEqual([]);
    expect((await client.from(table).insert(ROWS[table] ?? {})).error?.code).toBe('42501');
    const column = Object.keys(ROWS[table] ?? {})[0] ?? '';
    await client
      .from(table)
      .update({ [column]: Object.values(ROWS[table] ?? {})[0] })
      .not(column, 'is', null);
    await client.from(table).delete().not(column, 'is', null);
    expect(await readAllRows()).toEqual(before);
  });

  test.each(ADMIN_FUNCTIONS)('cannot call %s', async (name, parameters) => {
    const before = await readAllRows();
    expect((await client.rpc(name, parameters)).error?.code).toBe('42501');
    expect(await readAllRows()).toEqual(before);
  });

  test('can book, read, move and cancel their own call', async () => {
    const { data } = await client
      .rpc('book', { _starts_at: nextSlot(), _name: role, _email: `${role}@example.com` })
      .throwOnError();
    await client.rpc('move_booking', { _token: data.token, _starts_at: nextSlot() }).throwOnError();
    expect((await client.rpc('read_booking', { _token: data.token })).data.state).toBe('booked');
    expect((await client.rpc('cancel_booking', { _token: data.token })).data.state).toBe('cancelled');
  });
});

describe('An admin', () => {
  test('can read all columns except the hashes of tokens', async () => {
    const { data } = await admin.from('bookings').select('id, name, email, phone, message, state').throwOnError();
    expect(data).toContainEqual(expect.objectContaining({ name: 'Ada' }));
    expect((await admin.from('bookings').select('token_hash')).error?.code).toBe('42501');
    expect((await admin.from('availability').select()).data).toHaveLength(7);
    expect((await admin.from('booking_calendars').select()).data).toHaveLength(1);
  });

  test('cannot write bookings, busy times, availability or rules without the functions', async () => {
    for (const table of ['bookings', 'booking_busy', 'availability', 'booking_rules']) {
      expect((await admin.from(table).insert(ROWS[table] ?? {})).error?.code).toBe('42501');
    }
  });

  test('can add and remove days off and calendars, and calendars require an https address', async () => {
    for (const table of ['booking_exceptions', 'booking_calendars']) {
      await admin
        .from(table)
        .insert(ROWS[table] ?? {})
        .throwOnError();
      const [column = '', value = ''] = Object.entries(ROWS[table] ?? {})[0] ?? [];
      expect((await admin.from(table).delete({ count: 'exact' }).eq(column, value)).count).toBe(1);
    }
    for (const address of ['http://calendar.example/', 'webcal://calendar.example/', 'file:///etc/passwd']) {
      expect((await admin.from('booking_calendars').insert({ label: 'x', address })).error?.code).toBe('23514');
    }
  });

  test('cannot save overlapping hours, and the saved hours remain', async () => {
    const before = await readAllRows();
    const hours = ['09:00', '10:00'].map((starts_at) => ({ weekday: 1, starts_at, ends_at: '11:00' }));
    await expect(saveAvailability(admin, { _hours: hours })).rejects.toThrow(
      'Two of the hours on the same day overlap.',
    );
    await expect(
      saveAvailability(admin, { _hours: [{ weekday: 8, starts_at: '09:00', ends_at: '10:00' }] }),
    ).rejects.toThrow();
    expect(await readAllRows()).toEqual(before);
  });
});

describe.each(capitalizedRoles(['visitor', 'stranger', 'pending', 'client', 'team', 'admin', 'service role']))(
  '%s',
  (_label, role) => {
    let client: SupabaseClient;
    beforeAll(async () => {
      if (role === 'visitor' || role === 'service role') client = role === 'visitor' ? site.visitor : site.service;
      else client = (await site.signedIn(role)).client;
    });

    test('can hold a call, and gets the confirmation token only by mail', async () => {
      const email = `${role.replace(' ', '-')}-holds@example.com`;
      const { data } = await client
        .rpc('hold_booking', { _starts_at: nextSlot(), _name: role, _email: email })
        .throwOnError();
      expect(Object.keys(data).sort()).toEqual(['ends_at', 'expires_at', 'starts_at']);
      for (const table of ['held_bookings', 'held_leads']) {
        expect((await client.from(table).select()).error?.code).toBe('PGRST205');
        expect((await client.schema('private').from(table).select()).error?.code).toBe('PGRST106');
      }
    });

    test('has no privileges on the tables with held bookings and leads', async () => {
      const databaseRole = { visitor: 'anon', 'service role': 'service_role' }[role as string] ?? 'authenticated';
      const { rows } = await site.backend.database.query<{ allowed: boolean }>(
        `select has_table_privilege($1, name, 'select, insert, update, delete, truncate') as allowed
       from unnest(array['private.held_bookings', 'private.held_leads']) as name`,
        [databaseRole],
      );
      expect(rows).toEqual([{ allowed: false }, { allowed: false }]);
    });
  },
);

test('A booking creates a lead unless there is already an open lead with the same address', async () => {
  const book = () =>
    site.visitor.rpc('book', { _starts_at: nextSlot(), _name: 'Liv', _email: 'liv@example.com', _phone: '+47 22' });
  await book().throwOnError();
  await book().throwOnError();
  const { data } = await admin
    .from('leads')
    .select('source, name, phone')
    .eq('email', 'liv@example.com')
    .throwOnError();
  expect(data).toEqual([{ source: 'booking', name: 'Liv', phone: '+47 22' }]);
});

describe('The stored data of a user', () => {
  const addSignInMethod = ({ token }: { token: string }, method: string) =>
    site.backend.database.query(
      `insert into auth.mfa_amr_claims (id, session_id, authentication_method, created_at, updated_at)
       values (gen_random_uuid(), $1, $2, now(), now())`,
      [String(decodeJwt(token)['session_id']), method],
    );
  const readBookings = async (email: string) =>
    (await site.service.from('bookings').select('id').ilike('email', email).throwOnError()).data;

  async function addUserWithCall(role: Person, method: string) {
    const owner = await site.signedIn(role);
    await addSignInMethod(owner, method);
    await site.visitor
      .rpc('book', { _starts_at: nextSlot(), _name: 'Kari', _email: owner.email.toUpperCase() })
      .throwOnError();
    return owner;
  }

  test('contains their bookings only for a user with a verified address and for admins', async () => {
    const verifiedUser = await addUserWithCall('client', 'magiclink');
    const { data } = await verifiedUser.client.rpc('my_data').throwOnError();
    expect(data.bookings).toEqual([expect.objectContaining({ name: 'Kari', state: 'booked' })]);
    expect(data).toHaveProperty('account');
    expect(data).toHaveProperty('passkeys');
    const unverified = await addUserWithCall('client', 'password');
    expect((await unverified.client.rpc('my_data').throwOnError()).data.bookings).toBeNull();
    const exported = await admin.rpc('export_person', { _user_id: unverified.id }).throwOnError();
    expect(exported.data.bookings).toHaveLength(1);
  });

  test('is deleted with the account if the address is verified or if an admin deletes the account', async () => {
    const verifiedUser = await addUserWithCall('client', 'magiclink');
    await verifiedUser.client.rpc('delete_my_account').throwOnError();
    expect(await readBookings(verifiedUser.email)).toEqual([]);
    const unverified = await addUserWithCall('client', 'password');
    await unverified.client.rpc('delete_my_account').throwOnError();
    expect(await readBookings(unverified.email)).toHaveLength(1);
    const deletedByAdmin = await addUserWithCall('client', 'password');
    await admin.rpc('delete_person', { _user_id: deletedByAdmin.id }).throwOnError();
    expect(await readBookings(deletedByAdmin.email)).toEqual([]);
    expect(await readBookings('ada@example.com')).toHaveLength(1);
  });
});

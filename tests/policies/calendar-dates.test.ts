/** Dates that users enter. Every column rejects dates outside the supported years. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { plainMessage } from '../../app/ui/lib/plain-error.ts';
import { newClient, type TestClient } from '../support/clients.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const OUT_OF_RANGE_DATES = ['infinity', '-infinity', '1899-12-31', '3000-01-02', '294276-01-01', '0044-03-15 BC'];

let site: TestBackend;
let admin: Awaited<ReturnType<TestBackend['signedIn']>>;
let fjell: TestClient;

beforeAll(async () => {
  site = await startTestBackend();
  admin = await site.signedIn('admin');
  fjell = await newClient(site, admin.client, 'Fjell AS');
});
afterAll(() => site.close());

test('Every date and timestamp column of the public tables has a check', async () => {
  const { rows } = await site.backend.database.query<{ column: string }>(
    `select relname || '.' || attname as column
     from pg_attribute join pg_class on pg_class.oid = attrelid
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attnum > 0 and not attisdropped
       and attgenerated = '' and atttypid in ('date'::regtype, 'timestamp'::regtype, 'timestamptz'::regtype)
       and not exists (
         select from pg_constraint
         where conrelid = attrelid and contype = 'c' and conkey = array[attnum] and conname ~ '_calendar$'
       )
     order by 1`,
  );
  expect(rows.map(({ column }) => `Add the check ${column.replace('.', '_')}_calendar (docs/extending.md)`)).toEqual(
    [],
  );
});

describe.each(OUT_OF_RANGE_DATES)('%s', (date) => {
  test('is rejected with a readable error in campaigns, meetings, approvals, posts, releases and booking exceptions', async () => {
    const { client } = fjell.worker;
    const approval = { _client_id: fjell.id, _title: 'Text', _text: 'Hello.', _due_on: date };
    const meeting = { _client_id: fjell.id, _starts_at: date, _met_with: 'Kari', _outcome: 'booked' };
    const post = { title: 'Date', slug: `date-${crypto.randomUUID()}`, published_date: date };
    const responses = await Promise.all([
      client.from('campaigns').update({ due_on: date }).eq('id', fjell.campaign),
      client.rpc('save_client_meeting', meeting),
      client.rpc('ask_for_approval', approval),
      admin.client.from('posts').insert(post),
      admin.client.from('releases').insert({ name: 'Release', publish_at: date }),
      admin.client.from('booking_exceptions').insert({ first_day: date, last_day: date }),
    ]);
    for (const { error } of responses) {
      const message = error?.message ?? '';
      expect(message).not.toBe('');
      expect(plainMessage(message) ?? message).toMatch(/^A date must be between|^A date is outside|^[A-Z][^"]*\.$/);
    }
  });
});

test.each(['1900-01-01', '2026-11-27', '2999-12-31'])('%s is accepted', async (date) => {
  const response = await fjell.worker.client.from('campaigns').update({ due_on: date }).eq('id', fjell.campaign);
  expect(response.error).toBeNull();
  const post = { title: 'Date', slug: `date-${date}`, published_date: date };
  expect((await admin.client.from('posts').insert(post)).error).toBeNull();
});

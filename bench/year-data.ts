/** Data of a year of use, for benchmarks. */
import type { Database } from '../packages/backend/src/database/database.ts';

/**
 * Name of the rows, their number, and the statement that inserts a range of them (first and last number as parameters).
 */
type Step = readonly [name: string, rows: number, sql: string];

/** Client whose screens are opened, and the account of a member. */
export const CLIENT = 'be4c0000-0000-4000-8000-000000000001';
const MEMBER = 'be4c0000-0000-4000-8000-000000000002';
export const MEMBER_EMAIL = 'member@example.com';

const SITE: readonly Step[] = [
  [
    'accounts',
    100_000,
    `insert into auth.users (id, aud, role, email, email_confirmed_at, raw_app_meta_data, raw_user_meta_data, created_at, updated_at, last_sign_in_at)
     select gen_random_uuid(), 'authenticated', 'authenticated', 'person' || n || '@example.com', now(), '{"provider":"email"}',
       jsonb_build_object('full_name', 'Person ' || n), now() - n * interval '5 minutes', now(), now() - n * interval '4 minutes'
     from generate_series($1::integer, $2::integer) as n`,
  ],
  [
    'posts',
    5_000,
    `insert into public.posts (title, slug, excerpt, content, category, status, published_date, created_at)
     select 'Post ' || n, 'post-' || n, 'An excerpt of post ' || n,
       repeat('Words of article ' || n || case when n % 10 = 0 then ' at the harbour. ' else ' by the sea. ' end, 60),
       'Category ' || n % 10, case when n % 20 = 0 then 'draft' else 'published' end,
       now() - n * interval '100 minutes', now() - n * interval '100 minutes'
     from generate_series($1::integer, $2::integer) as n`,
  ],
  [
    'versions',
    250_000,
    `insert into public.content_versions (kind, item_id, data, action, changes, created_at)
     select 'posts', id::text, to_jsonb(posts), 'changed', '{content}', now() - (49 - n % 50) * interval '3 days'
     from generate_series($1::integer, $2::integer) as n join public.posts on slug = 'post-' || n / 50 + 1`,
  ],
  [
    'conversations',
    10_000,
    `insert into public.conversations (id, created_at, last_message_at)
     select md5('chat ' || n)::uuid, now() - n * interval '48 minutes', now() - n * interval '48 minutes'
     from generate_series($1::integer, $2::integer) as n`,
  ],
  [
    'messages',
    200_000,
    `insert into public.chat_messages (conversation_id, role, content, created_at)
     select md5('chat ' || n / 20 + 1)::uuid, case n % 2 when 0 then 'user' else 'assistant' end,
       'Message ' || n || repeat(' and the conversation', 8), now() - (n / 20) * interval '48 minutes' + (n % 20) * interval '1 minute'
     from generate_series($1::integer, least($2::integer, 199999)) as n`,
  ],
  [
    'leads',
    50_000,
    `insert into public.leads (source, name, email, message, status, created_at, updated_at)
     select 'contact', 'Person ' || n, 'person' || n || '@example.com', 'Please write to me about number ' || n,
       (array['new', 'contacted', 'won', 'lost'])[n % 4 + 1], now() - n * interval '10 minutes', now() - n * interval '10 minutes'
     from generate_series($1::integer, $2::integer) as n`,
  ],
  [
    'bookings',
    20_000,
    `insert into public.bookings (slot, name, email, time_zone, token_hash, created_at)
     select tstzrange(start, start + interval '20 minutes'), 'Person ' || n, 'person' || n || '@example.com', 'Europe/Oslo',
       encode(sha256(n::text::bytea), 'hex'), start - interval '3 days'
     from generate_series($1::integer, $2::integer) as n,
       lateral (select date_trunc('hour', now()) + interval '7 days' - n * interval '25 minutes' as start) as at`,
  ],
  [
    'visits',
    180_000,
    `insert into public.visit_counts (day, kind, name, count, reads, read_seconds)
     select (now() - (n / 500) * interval '1 day')::date, case when n % 5 = 0 then 'referrer' else 'page' end,
       '/news/post-' || n % 500, 28, 10, 600
     from generate_series($1::integer, $2::integer) as n on conflict do nothing`,
  ],
  [
    'files',
    30_000,
    `insert into storage.objects (bucket_id, name, metadata, user_metadata, created_at)
     select 'content-media', 'f' || n || '.jpg',
       jsonb_build_object('mimetype', 'image/jpeg', 'size', 250000, 'width', 1600, 'height', 900),
       jsonb_build_object('original_name', 'Ferry ' || n || '.jpg', 'alt', 'The ferry, number ' || n, 'folder', 'Folder ' || n % 20),
       now() - n * interval '15 minutes'
     from generate_series($1::integer, $2::integer) as n`,
  ],
  [
    'releases',
    400,
    `insert into public.releases (name, published_at, created_at)
     select 'Release ' || n, now() - n * interval '20 hours', now() - n * interval '21 hours'
     from generate_series($1::integer, $2::integer) as n`,
  ],
];

const PORTAL: readonly Step[] = [
  [
    'clients',
    20,
    `insert into public.clients (id, name)
     select case n when 1 then '${CLIENT}'::uuid else gen_random_uuid() end, 'Client ' || n
     from generate_series($1::integer, $2::integer) as n`,
  ],
  [
    'campaigns',
    200,
    `insert into public.campaigns (client_id, name, channel, phase, next_step)
     select id, 'Campaign ' || n, 'email', 'running', 'Go on'
     from generate_series($1::integer, $2::integer) as n join public.clients on name = 'Client ' || n % 20 + 1`,
  ],
  [
    'imports',
    1_040,
    `insert into public.import_batches
       (client_id, file_name, file_hash, column_map, new_count, changed_count, same_count, refused_count, created_at)
     select id, 'week-' || n / 20 || '.csv', repeat('0', 64), '{}', 280, 0, 0, 0, now() - n / 20 * interval '7 days'
     from generate_series($1::integer, $2::integer) as n join public.clients on name = 'Client ' || n % 20 + 1`,
  ],
  [
    'days of figures',
    365,
    `insert into public.campaign_figures (client_id, batch_id, campaign_id, metric, first_day, last_day, value)
     select batch.client_id, batch.id, campaign.id, metric, current_date - n, current_date - n, n % 40
     from generate_series($1::integer, $2::integer) as n
       join public.import_batches as batch on batch.file_name = 'week-' || n / 8 || '.csv'
       join public.campaigns as campaign on campaign.client_id = batch.client_id,
       unnest(array['sent', 'delivered', 'replies', 'meetings']) as metric`,
  ],
  [
    'approvals',
    800,
    `with asked as (
       insert into public.approvals (client_id, title, created_at) select id, 'Text ' || n, now() - n * interval '10 hours'
       from generate_series($1::integer, $2::integer) as n join public.clients on name = 'Client ' || n % 20 + 1
       returning client_id, id, created_at
     ), versions as (
       insert into public.approval_versions (client_id, approval_id, number, text)
       select client_id, id, n, repeat('Words of a mail. ', 60) || n from asked, generate_series(1, 2) as n
     )
     insert into public.approval_decisions (client_id, approval_id, number, verdict)
     select client_id, id, 2, 'yes' from asked where created_at < now() - interval '7 days'`,
  ],
  [
    'comments',
    8_000,
    `insert into public.approval_comments (client_id, approval_id, number, text)
     select client_id, id, 1, 'A word on it, number ' || n
     from generate_series($1::integer, $2::integer) as n join public.approvals on title = 'Text ' || n % 800 + 1`,
  ],
  [
    'meetings',
    2_000,
    `insert into public.client_meetings (client_id, starts_at, met_with, outcome, answer_until, answer)
     select id, now() - n * interval '4 hours', 'Person ' || n, 'held', now() + interval '1 day', case when n > 80 then 'accepted' end
     from generate_series($1::integer, $2::integer) as n join public.clients on name = 'Client ' || n % 20 + 1`,
  ],
  [
    'blocklist entries',
    40_000,
    `insert into public.do_not_contact (client_id, kind, value, hint)
     select id, 'domain', 'customer-' || n || '.example', 'customer-' || n || '.example'
     from generate_series($1::integer, $2::integer) as n join public.clients on name = 'Client ' || n % 20 + 1`,
  ],
  [
    'files of clients',
    4_000,
    `insert into public.client_files (client_id, id, object_name, name, mimetype, size, created_at)
     select id, md5('file ' || n)::uuid, id || '/' || n, 'Offer ' || n || '.pdf', 'application/pdf', 90000, now() - n * interval '2 hours'
     from generate_series($1::integer, $2::integer) as n join public.clients on name = 'Client ' || n % 20 + 1`,
  ],
  [
    'notes',
    4_000,
    `insert into public.client_notes (client_id, text, created_at)
     select id, 'They asked for number ' || n, now() - n * interval '2 hours'
     from generate_series($1::integer, $2::integer) as n join public.clients on name = 'Client ' || n % 20 + 1`,
  ],
  [
    'reports',
    1_040,
    `insert into public.client_reports (client_id, span, first_day, last_day, figures)
     select id, 'week', date_trunc('week', now())::date - 7 * (n / 20 + 1), date_trunc('week', now())::date - 7 * (n / 20 + 1) + 6, '{}'
     from generate_series($1::integer, $2::integer) as n join public.clients on name = 'Client ' || n % 20 + 1`,
  ],
];

/** Rows per statement for inserts that exceed the statement timeout with 10,000 rows. */
const BATCH_SIZES = new Map([
  ['posts', 500],
  ['bookings', 500],
  ['days of figures', 15],
]);

/** Inserts the data of a busy year. Content triggers stay enabled, so that indexes and counts are correct. */
export async function fillYear(database: Database): Promise<void> {
  for (const [name, rows, sql] of [...SITE, ...PORTAL]) {
    const start = performance.now();
    const batchSize = BATCH_SIZES.get(name) ?? 10_000;
    for (let from = 1; from <= rows; from += batchSize) {
      await database.query(sql, [from, Math.min(from + batchSize - 1, rows)]);
    }
    console.log(`${rows} ${name} in ${Math.round((performance.now() - start) / 1000)} s`);
  }
  await addMember(database);
  await database.query('analyze');
}

/** Adds a member of CLIENT with the password of the first admin. */
async function addMember(database: Database): Promise<void> {
  await database.script(`
    insert into auth.users (id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data,
        created_at, updated_at)
      select '${MEMBER}', aud, role, '${MEMBER_EMAIL}', encrypted_password, now(), raw_app_meta_data, '{}', now(), now()
      from auth.users where encrypted_password <> '';
    insert into private.verified_addresses (user_id, address) values ('${MEMBER}', '${MEMBER_EMAIL}');
    insert into public.user_roles (user_id, role, approved) values ('${MEMBER}', 'client', true);
    insert into public.client_members (client_id, user_id) values ('${CLIENT}', '${MEMBER}');
  `);
}

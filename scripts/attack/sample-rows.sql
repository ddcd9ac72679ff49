-- Sample rows for every table with restricted read access, so that each policy can be tested. `npm run attack -- --write`
-- and the tests add them to a fresh instance after the starter content. Never run this on a live site.

insert into public.posts (title, slug, status, published_date) values
  ('Attack draft', 'attack-draft', 'draft', now()), ('Planned', 'attack-planned', 'published', now() + interval '1 year');
insert into public.projects (title, slug, status) values ('Attack draft', 'attack-draft', 'draft');
insert into public.services (title, slug, status) values ('Attack draft', 'attack-draft', 'draft');
insert into public.reviews (author_name, quote, status) values ('Attack draft', 'q', 'draft');
insert into public.team_members (name, status) values ('Attack draft', 'draft');
insert into public.faq (question, answer, status) values ('Open?', 'Yes', 'published'), ('Attack draft?', 'Yes', 'draft');
insert into public.page_content (page_slug, section_name, content) values ('home', 'hero', '{}');
insert into public.site_settings (setting_key, setting_value)
  select key, case when key in ('booking', 'newsletter_signup', 'leads_from_chat', 'count_visits') then 'on' else '' end
  from unnest('{site_name,site_tagline,contact_email,contact_phone,social_links,seo_description,seo_keywords,chat_retention_days,
    brand_accent,brand_logo,keep_contact_messages,answer_time,newsletter_signup,leads_from_chat,booking,faq_on_contact,count_visits,domain_check,
    chat_allowed_origins,lead_notify_email,ai_prompt}'::text[]) as key
  on conflict (setting_key) do nothing;
insert into public.slug_aliases (kind, slug, item_id) select 'posts', 'attack-earlier', id from public.posts limit 1;

insert into public.conversations (id) values ('a77ac000-0000-4000-8000-000000000001');
insert into public.chat_messages (conversation_id, role, content)
  values ('a77ac000-0000-4000-8000-000000000001', 'user', 'Hello'), ('a77ac000-0000-4000-8000-000000000001', 'assistant', 'Hi');
insert into public.chat_usage (day, replies) values ('2026-01-01', 1);
insert into public.unanswered_questions (conversation_id, question_hash, reason)
  values ('a77ac000-0000-4000-8000-000000000001', repeat('0', 64), 'nothing found');
insert into public.assistant_checks (question, must_name) values ('What do you do?', '{sales}');

insert into public.leads (id, source, name, email) values
  ('a77ac000-0000-4000-8000-000000000002', 'contact', 'A person', 'person@attack.invalid'),
  ('a77ac000-0000-4000-8000-000000000003', 'transcript', 'A person', 'other@attack.invalid');
-- A pending delivery would be sent during the attack, so the sample is already delivered.
insert into public.lead_webhook_deliveries (lead_id, status, ended_at)
  values ('a77ac000-0000-4000-8000-000000000002', 'delivered', now());
insert into public.newsletter_subscribers (email, confirmed_at) values ('reader@attack.invalid', now());
insert into public.availability (weekday, starts_at, ends_at) select day, '09:00', '16:00' from generate_series(1, 7) as day;
-- The next read is far in the future, so the calendar is never fetched.
insert into public.booking_calendars (id, label, address, next_read_at)
  values ('a77ac000-0000-4000-8000-000000000004', 'Own', 'https://calendar.invalid/own.ics', '2200-01-01');
insert into public.booking_busy (calendar_id, during)
  values ('a77ac000-0000-4000-8000-000000000004', tstzrange('2026-01-01', '2026-01-02'));
insert into public.booking_exceptions (first_day, last_day, starts_at, ends_at) values ('2026-01-01', '2026-01-02', '00:00', '23:00');
insert into public.bookings (slot, name, email, time_zone, token_hash)
  values (tstzrange('2026-01-05 09:00+00', '2026-01-05 09:30+00'), 'A person', 'guest@attack.invalid', 'Europe/Oslo', repeat('1', 64));
insert into public.visit_counts (day, kind, name, count) values ('2026-01-01', 'page', '/', 1);

insert into public.releases (id, name) values ('a77ac000-0000-4000-8000-000000000005', 'A release');
insert into public.release_changes (release_id, kind, item_id, action, data)
  values ('a77ac000-0000-4000-8000-000000000005', 'faq', 'a77ac000-0000-4000-8000-000000000006', 'create', '{"question":"New?"}');
insert into public.preview_links (token_hash, expires_at) values (repeat('2', 64), now() + interval '1 day');
insert into public.deleted_content (kind, item_id, title, data)
  values ('faq', 'a77ac000-0000-4000-8000-000000000007', 'Deleted', '{}');
insert into public.registration_decisions (email, approved) values ('declined@attack.invalid', false);
insert into public.people_log (action) values ('invited');
insert into public.clients (id, name) values ('a77ac000-0000-4000-8000-000000000008', 'A client');
insert into public.campaigns (client_id, id, name, channel)
  values ('a77ac000-0000-4000-8000-000000000008', 'a77ac000-0000-4000-8000-000000000009', 'A campaign', 'email');
insert into public.import_batches (client_id, id, file_name, file_hash, column_map, new_count, changed_count, same_count, refused_count)
  values ('a77ac000-0000-4000-8000-000000000008', 'a77ac000-0000-4000-8000-000000000010', 'a.csv', repeat('3', 64), '{}', 1, 0, 0, 0);
insert into public.campaign_figures (client_id, batch_id, campaign_id, metric, first_day, last_day, value)
  values ('a77ac000-0000-4000-8000-000000000008', 'a77ac000-0000-4000-8000-000000000010',
    'a77ac000-0000-4000-8000-000000000009', 'sent', '2026-01-01', '2026-01-01', 1);
insert into public.do_not_contact (client_id, kind, value, hint)
  values ('a77ac000-0000-4000-8000-000000000008', 'domain', 'attack.invalid', 'attack.invalid');
insert into public.approvals (client_id, id, title)
  values ('a77ac000-0000-4000-8000-000000000008', 'a77ac000-0000-4000-8000-000000000011', 'A first mail');
insert into public.approval_versions (client_id, approval_id, number, text)
  values ('a77ac000-0000-4000-8000-000000000008', 'a77ac000-0000-4000-8000-000000000011', 1, 'Hello.');
insert into public.approval_decisions (client_id, approval_id, number, verdict)
  values ('a77ac000-0000-4000-8000-000000000008', 'a77ac000-0000-4000-8000-000000000011', 1, 'yes');
insert into auth.users (id, aud, role, email, email_confirmed_at, created_at, updated_at)
  values ('a77ac000-0000-4000-8000-000000000013', 'authenticated', 'authenticated', 'invited@sample.invalid', now(), now(), now());
insert into public.user_roles (user_id, role, approved) values ('a77ac000-0000-4000-8000-000000000013', 'client', true);
-- Only confirmed accounts can be members.
insert into private.verified_addresses (user_id, address)
  values ('a77ac000-0000-4000-8000-000000000013', 'invited@sample.invalid');
insert into public.client_invitations (client_id, user_id, address, kind)
  values ('a77ac000-0000-4000-8000-000000000008', 'a77ac000-0000-4000-8000-000000000013', 'invited@sample.invalid', 'approver');
insert into storage.objects (bucket_id, name, version, metadata)
  values ('client-files', 'a77ac000-0000-4000-8000-000000000008/a.txt', 'attack-client-file', '{"mimetype": "text/plain", "size": 1}');
insert into public.approval_comments (client_id, approval_id, number, text)
  values ('a77ac000-0000-4000-8000-000000000008', 'a77ac000-0000-4000-8000-000000000011', 1, 'Well.');
insert into public.library_texts (title, body) values ('A text', 'Hello.');
insert into public.client_notes (client_id, text) values ('a77ac000-0000-4000-8000-000000000008', 'A note.');
insert into public.approval_rows (client_id, approval_id, number, line, domain)
  values ('a77ac000-0000-4000-8000-000000000008', 'a77ac000-0000-4000-8000-000000000011', 1, 2, 'attack.invalid');
insert into public.approval_vetoes (client_id, approval_id, number, line)
  values ('a77ac000-0000-4000-8000-000000000008', 'a77ac000-0000-4000-8000-000000000011', 1, 2);
insert into public.client_members (client_id, user_id)
  values ('a77ac000-0000-4000-8000-000000000008', 'a77ac000-0000-4000-8000-000000000013');
insert into public.client_reads (client_id, user_id, kind, item_id)
  values ('a77ac000-0000-4000-8000-000000000008', 'a77ac000-0000-4000-8000-000000000013', 'approval', 'a77ac000-0000-4000-8000-000000000011');
insert into public.client_meetings (client_id, starts_at, met_with, outcome)
  values ('a77ac000-0000-4000-8000-000000000008', '2026-01-02 09:00+00', 'A person', 'booked');
insert into public.campaign_sources (client_id, id, campaign_id, provider, token_hash, metrics, counts_from)
  values ('a77ac000-0000-4000-8000-000000000008', 'a77ac000-0000-4000-8000-000000000016',
    'a77ac000-0000-4000-8000-000000000009', 'json', repeat('4', 64), '{sent}', '2026-01-02');
insert into public.inbound_events (client_id, source_id, event_key, kind, metric, state, day, happened_at, recipient, raw)
  values ('a77ac000-0000-4000-8000-000000000008', 'a77ac000-0000-4000-8000-000000000016', 'one', 'sent', 'sent', 'counted',
    '2026-01-02', '2026-01-02 09:00+00', 'person@attack.invalid', '{}');
insert into public.source_totals (client_id, source_id, metric, first_day, last_day, value, file_name)
  values ('a77ac000-0000-4000-8000-000000000008', 'a77ac000-0000-4000-8000-000000000016', 'sent', '2026-01-02', '2026-01-02', 1, 'a.csv');
insert into public.campaign_texts (client_id, campaign_id, approval_id)
  values ('a77ac000-0000-4000-8000-000000000008', 'a77ac000-0000-4000-8000-000000000009', 'a77ac000-0000-4000-8000-000000000011');
insert into public.campaign_lists (client_id, campaign_id, approval_id)
  values ('a77ac000-0000-4000-8000-000000000008', 'a77ac000-0000-4000-8000-000000000009', 'a77ac000-0000-4000-8000-000000000011');
insert into public.client_alarms (client_id, kind, subject, text)
  values ('a77ac000-0000-4000-8000-000000000008', 'difference', 'one', 'An alarm');
insert into public.client_leads (client_id, id, campaign_id, email, name, words, received_at, origin)
  values ('a77ac000-0000-4000-8000-000000000008', 'a77ac000-0000-4000-8000-000000000024', 'a77ac000-0000-4000-8000-000000000009',
    'lead@attack.invalid', 'A lead', 'Yes.', '2026-01-02 09:00+00', 'reply');
-- A pending delivery would be sent during the attack, so the sample is already delivered.
insert into private.client_webhooks (client_id, url) values ('a77ac000-0000-4000-8000-000000000008', 'https://crm.invalid/leads');
insert into public.client_webhook_deliveries (client_id, event, payload, status, ended_at)
  values ('a77ac000-0000-4000-8000-000000000008', 'test', '{}', 'delivered', now());
insert into public.client_meeting_changes (client_id, meeting_id, number, status)
  select client_id, id, 2, 'held' from public.client_meetings where client_id = 'a77ac000-0000-4000-8000-000000000008';
insert into public.client_meeting_results (client_id, meeting_id, number, status, amount)
  select client_id, id, 1, 'won', 1000 from public.client_meetings where client_id = 'a77ac000-0000-4000-8000-000000000008';
insert into public.client_fees (client_id, number, first_month, amount)
  values ('a77ac000-0000-4000-8000-000000000008', 1, '2026-01-01', 1000);
insert into public.client_meeting_months (client_id, first_day, time_zone, sheet, hash)
  values ('a77ac000-0000-4000-8000-000000000008', '2025-12-01', 'Europe/Oslo', '{"count": 0, "meetings": []}', repeat('4', 64));
insert into public.client_lead_changes (client_id, lead_id, number, status)
  values ('a77ac000-0000-4000-8000-000000000008', 'a77ac000-0000-4000-8000-000000000024', 1, 'new');
insert into public.client_reports (client_id, id, span, first_day, last_day, figures, hash, sent_at)
  values ('a77ac000-0000-4000-8000-000000000008', 'a77ac000-0000-4000-8000-000000000021', 'week', '2026-01-05', '2026-01-11', '{}',
    repeat('4', 64), '2026-01-12 09:00+00');
insert into public.figure_quotes (client_id, project_id, metric, first_day, last_day)
  values ('a77ac000-0000-4000-8000-000000000008', 'a77ac000-0000-4000-8000-000000000022', 'sent', '2026-01-01', '2026-01-31');

-- Copies all rows of the client above for a second client. The copies have the same ids, which composite keys allow, and
-- other hashes, because hash columns may have a unique constraint. Tables are copied after the tables that they reference.
insert into public.clients (id, name) values ('a77ac000-0000-4000-8000-000000000012', 'Another client');
do $$
declare
  _table regclass;
  _columns text;
  _values text;
begin
  for _table in
    with recursive referring (class, depth) as (
      select attrelid, 0 from pg_attribute join pg_class on pg_class.oid = attrelid
      where relnamespace = 'public'::regnamespace and relkind = 'r' and attname = 'client_id'
      union
      select conrelid, depth + 1 from referring join pg_constraint on confrelid = class and contype = 'f'
          and conrelid not in (class, 'public.clients'::regclass)
      where depth < 20
    )
    select class from referring group by class having min(depth) = 0 order by max(depth)
  loop
    select string_agg(quote_ident(attname), ', '), string_agg(format(
      case when attname like '%\_hash' then 'translate(copied.%I, ''0123456789'', ''1234567890'')' else 'copied.%I' end, attname
    ), ', ') into _columns, _values
    from pg_attribute
    where attrelid = _table and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = '';
    execute format(
      'insert into %1$s (%2$s)
        select %3$s from %1$s as original,
          jsonb_populate_record(original, replace(to_jsonb(original)::text, $1, $2)::jsonb) as copied
        where original.client_id = $1::uuid
        on conflict do nothing', _table, _columns, _values)
    using 'a77ac000-0000-4000-8000-000000000008', 'a77ac000-0000-4000-8000-000000000012';
  end loop;
end
$$;
-- The server would send the mail about the lead at some time during the attack.
delete from private.mail_queue;

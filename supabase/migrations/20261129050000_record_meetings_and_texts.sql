-- Links and webhooks for leads, criteria and leads of meetings, the library of texts, and the times of lists and texts of
-- campaigns.
-- The table of approval links becomes the table of all mailed links.
alter table private.approval_links rename to mailed_links;
alter table private.mailed_links rename constraint approval_links_pkey to mailed_links_pkey;
alter table private.mailed_links rename constraint approval_links_token_hash_check to mailed_links_token_hash_check;
alter table private.mailed_links rename constraint approval_links_holder_hash_check to mailed_links_holder_hash_check;
alter table private.mailed_links rename constraint approval_links_address_hash_check to mailed_links_address_hash_check;
alter table private.mailed_links rename constraint approval_links_user_id_fkey to mailed_links_user_id_fkey;
alter table private.mailed_links rename constraint approval_links_client_id_user_id_fkey to mailed_links_client_id_user_id_fkey;
alter table private.mailed_links rename constraint approval_links_client_id_approval_id_number_fkey to mailed_links_client_id_approval_id_number_fkey;
alter index private.approval_links_version_idx rename to mailed_links_version_idx;
alter index private.approval_links_user_idx rename to mailed_links_user_idx;
alter index private.approval_links_expires_idx rename to mailed_links_expires_idx;
update private.personal_data set table_name = 'mailed_links' where schema_name = 'private' and table_name = 'approval_links';
update private.jobs set name = 'delete old mailed links', function_name = 'delete_old_mailed_links'
where name = 'delete old approval links';

drop function public.save_client_meeting(_client_id uuid, _starts_at timestamp with time zone, _met_with text, _outcome text, _evidence text, _id uuid, _campaign_id uuid, _booked_on date);

drop function public.answer_client_meeting(_client_id uuid, _id uuid, _outcome text, _answer text, _reason text);

drop function private.is_approval_link_live(_link private.mailed_links);

drop function private.delete_old_approval_links(_at_most integer);

drop function private.approval_link_of(_token text, _holder text, OUT link private.mailed_links, OUT refusal text);

create table private.client_webhooks (
  client_id uuid primary key references public.clients (id) on delete cascade,
  url text not null check (url ~ '^https://[^[:space:][:cntrl:]]+$' and length(url) <= 2000),
  secret bytea not null default private.new_secret(),
  changed_by uuid references auth.users (id) on delete set null,
  changed_at timestamptz not null default now(),
  -- When a delivery was last sent. The job serves the client that has waited longest.
  served_at timestamptz,
  -- After a failure, the whole webhook pauses, so that a server that is down does not delay other clients.
  paused_until timestamptz
);
revoke all on table private.client_webhooks from anon, authenticated, service_role;

create table private.result_requests (
  client_id uuid not null,
  meeting_id uuid not null,
  step integer not null,
  user_id uuid not null references auth.users (id) on delete cascade,
  asked_at timestamptz not null default now()
    constraint result_requests_asked_at_calendar check (asked_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, meeting_id, step, user_id),
  foreign key (client_id, meeting_id) references public.client_meetings (client_id, id) on delete cascade
);
revoke all on table private.result_requests from anon, authenticated, service_role;

create table public.client_meeting_changes (
  client_id uuid not null,
  meeting_id uuid not null,
  number integer not null check (number between 1 and 200),
  status text not null check (status in ('booked', 'held', 'no_show', 'accepted', 'disputed')),
  reason text not null default '' check (length(reason) <= 2000),
  criterion text check (criterion in ('role', 'size', 'country', 'customer', 'minutes', 'other')),
  changed_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
    constraint client_meeting_changes_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, meeting_id, number),
  foreign key (client_id, meeting_id) references public.client_meetings (client_id, id) on delete cascade
);
revoke all on table public.client_meeting_changes from anon, authenticated, service_role;

create table public.client_meeting_months (
  client_id uuid not null references public.clients (id) on delete cascade,
  first_day date not null check (date_trunc('month', first_day::timestamp) = first_day)
    constraint client_meeting_months_first_day_calendar check (first_day between '1900-01-01' and '2999-12-31'),
  -- The client's time zone when the month was closed.
  time_zone text not null,
  -- Text of a JSON document, in the canonical form of jsonb.
  sheet text not null,
  -- SHA-256 of the sheet.
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  closed_by uuid references auth.users (id) on delete set null,
  closed_at timestamptz not null default now()
    constraint client_meeting_months_closed_at_calendar check (closed_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, first_day)
);
revoke all on table public.client_meeting_months from anon, authenticated, service_role;

create table public.client_meeting_results (
  client_id uuid not null,
  meeting_id uuid not null,
  number integer not null check (number between 1 and 200),
  status text not null check (status in ('nothing_yet', 'opportunity', 'won', 'lost')),
  -- Value of the deal in the client's currency. Hidden from viewers.
  amount numeric(15, 2) check (amount between 0 and 1000000000000),
  -- Why the deal was lost.
  reason text not null default '' check (length(reason) <= 2000),
  reported_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
    constraint client_meeting_results_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, meeting_id, number),
  foreign key (client_id, meeting_id) references public.client_meetings (client_id, id) on delete cascade,
  constraint client_meeting_results_amount_check1 check (
    case status when 'won' then amount is not null when 'opportunity' then true else amount is null end
  ),
  constraint client_meeting_results_reason_check1 check ((status = 'lost') = (reason ~ '\S'))
);
revoke all on table public.client_meeting_results from anon, authenticated, service_role;

create table public.client_webhook_deliveries (
  id bigint primary key generated always as identity,
  client_id uuid not null references public.clients (id) on delete cascade,
  -- Null for a test.
  lead_id uuid,
  event text not null check (event in ('lead.created', 'lead.changed', 'test')),
  payload jsonb not null,
  status text not null default 'waiting' check (status in ('waiting', 'delivered', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now()
    constraint client_webhook_deliveries_next_attempt_at_calendar check (next_attempt_at between '1900-01-01' and '2999-12-31'),
  response_status integer,
  -- The beginning of the last response.
  response text not null default '' check (length(response) <= 2000),
  last_error text,
  created_at timestamptz not null default now()
    constraint client_webhook_deliveries_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  ended_at timestamptz
    constraint client_webhook_deliveries_ended_at_calendar check (ended_at between '1900-01-01' and '2999-12-31'),
  foreign key (client_id, lead_id) references public.client_leads (client_id, id) on delete cascade
);
revoke all on table public.client_webhook_deliveries from anon, authenticated, service_role;

create table public.library_texts (
  id uuid primary key default gen_random_uuid(),
  title text not null check (length(trim(title)) between 1 and 200 and title !~ '[[:cntrl:]]'),
  subject text not null default '' check (length(subject) <= 200 and subject !~ '[[:cntrl:]]'),
  body text not null check (length(body) <= 20000 and body ~ '\S'),
  -- When to use the text.
  note text not null default '' check (length(note) <= 1000),
  -- Client whose text it was. Not readable, because it would name the client.
  origin_id uuid references public.clients (id) on delete set null,
  created_by uuid references auth.users (id) on delete set null,
  changed_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
    constraint library_texts_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  changed_at timestamptz not null default now()
    constraint library_texts_changed_at_calendar check (changed_at between '1900-01-01' and '2999-12-31')
);
revoke all on table public.library_texts from anon, authenticated, service_role;

alter table private.mailed_links alter column approval_id drop not null;

alter table private.mailed_links alter column number drop not null;

alter table private.mailed_links add column lead_id uuid;

alter table public.campaign_lists alter column created_at set default clock_timestamp();

alter table public.campaign_lists add column replaced_at timestamptz
    constraint campaign_lists_replaced_at_calendar check (replaced_at between '1900-01-01' and '2999-12-31');

alter table public.campaign_texts alter column created_at set default clock_timestamp();

alter table public.campaign_texts add column replaced_at timestamptz
    constraint campaign_texts_replaced_at_calendar check (replaced_at between '1900-01-01' and '2999-12-31');

alter table public.client_meetings add column role text not null default '' check (length(role) <= 200 and role !~ '[[:cntrl:]]');

alter table public.client_meetings add column company_size integer check (company_size between 1 and 10000000);

alter table public.client_meetings add column country text not null default '' check (country ~ '^([A-Z]{2})?$');

alter table public.client_meetings add column is_customer boolean;

alter table public.client_meetings add column minutes integer check (minutes between 1 and 1440);

alter table public.client_meetings add column criterion text check (criterion in ('role', 'size', 'country', 'customer', 'minutes', 'other'));

alter table public.client_meetings add column lead_id uuid;

insert into private.personal_data (schema_name, table_name, ids, ids_from, addresses, needs_proof, section, given, sorted_by, given_by, on_deletion, emptied, hashes) values ('public', 'client_webhook_deliveries', '{}', NULL, '{payload.lead.email}', 'true', NULL, NULL, NULL, NULL, 'delete', NULL, '{}');

insert into private.personal_data (schema_name, table_name, ids, ids_from, addresses, needs_proof, section, given, sorted_by, given_by, on_deletion, emptied, hashes) values ('public', 'client_meeting_changes', '{changed_by}', NULL, '{}', 'false', 'changes_of_meetings', '{"at": "created_at", "client": "client_id", "reason": "reason", "status": "status", "meeting": "meeting_id"}', 'created_at', NULL, 'follow', NULL, '{}');

insert into private.personal_data (schema_name, table_name, ids, ids_from, addresses, needs_proof, section, given, sorted_by, given_by, on_deletion, emptied, hashes) values ('public', 'client_meeting_results', '{reported_by}', NULL, '{}', 'false', 'results_of_meetings', '{"at": "created_at", "amount": "amount", "client": "client_id", "reason": "reason", "status": "status", "meeting": "meeting_id"}', 'created_at', NULL, 'follow', NULL, '{}');

insert into private.personal_data (schema_name, table_name, ids, ids_from, addresses, needs_proof, section, given, sorted_by, given_by, on_deletion, emptied, hashes) values ('public', 'client_meeting_months', '{closed_by}', NULL, '{}', 'false', 'closed_months', '{"at": "closed_at", "month": "first_day", "client": "client_id"}', 'closed_at', NULL, 'follow', NULL, '{}');

insert into private.personal_data (schema_name, table_name, ids, ids_from, addresses, needs_proof, section, given, sorted_by, given_by, on_deletion, emptied, hashes) values ('public', 'library_texts', '{created_by,changed_by}', NULL, '{}', 'false', 'texts_of_the_library', '{"at": "created_at", "note": "note", "title": "title"}', 'created_at', NULL, 'follow', NULL, '{}');

insert into private.personal_data (schema_name, table_name, ids, ids_from, addresses, needs_proof, section, given, sorted_by, given_by, on_deletion, emptied, hashes) values ('private', 'client_webhooks', '{changed_by}', NULL, '{}', 'false', NULL, NULL, NULL, NULL, 'follow', NULL, '{}');

insert into private.personal_data (schema_name, table_name, ids, ids_from, addresses, needs_proof, section, given, sorted_by, given_by, on_deletion, emptied, hashes) values ('private', 'result_requests', '{user_id}', NULL, '{}', 'false', NULL, NULL, NULL, NULL, 'follow', NULL, '{}');

create function private.approved_versions(_client_id uuid, _approval_id uuid) returns table (
  number integer, decided_at timestamptz, decided_by text, starts_at timestamptz, ends_at timestamptz
) language sql stable security definer set search_path = '' as $$
  with approved as materialized (
    select * from public.approval_decisions
    where client_id = _client_id and approval_id = _approval_id and verdict = 'yes'
  ), first as (
    select min(created_at) - interval '10 minutes' as starts_at from approved
  )
  select null::integer, null::timestamptz, null::text, '-infinity'::timestamptz, starts_at from first
  union all
  select number, created_at, coalesce(nullif(decided_by_name, ''), nullif(decided_by_address, ''), 'the client'),
    case when row_number() over by_number = 1 then first.starts_at else created_at end, lead(created_at) over by_number
  from approved, first
  window by_number as (order by number)
$$;
revoke all on function private.approved_versions(_client_id uuid, _approval_id uuid) from public, anon, authenticated, service_role;

create function private.change_lead(
  _client_id uuid, _id uuid, _former_status text, _status text, _reason text, _user_id uuid
) returns void language plpgsql security definer set search_path = '' as $$
declare
  _lead public.client_leads;
  _said constant text := btrim(coalesce(_reason, ''), E' \t\r\n');
  _number integer;
begin
  select * into _lead from public.client_leads where client_id = _client_id and id = _id for update;
  if not found then
    raise exception 'This lead no longer exists.' using errcode = 'P0001';
  elsif _lead.status is distinct from _former_status then
    raise exception using errcode = 'P0001', message = case
      when _lead.status = 'taken' and _status = 'taken' then 'Someone else has already taken this lead.'
      else 'This lead has changed. Reload the page to read it again.'
    end;
  elsif _status = 'not_fit' and _said = '' then
    raise exception 'Please say why this lead does not fit.' using errcode = 'P0001';
  end if;
  select coalesce(max(number), 0) + 1 into _number from public.client_lead_changes where client_id = _client_id and lead_id = _id;
  if _number > 200 then
    raise exception 'A lead can change at most 200 times.' using errcode = 'P0001';
  end if;
  update public.client_leads set
    status = coalesce(_status, ''), reason = _said, changed_at = now(),
    taken_by = case when _status <> 'new' then case when taken_at is null then _user_id else taken_by end end,
    taken_at = case when _status <> 'new' then coalesce(taken_at, now()) end,
    -- A lead that is new again waits from now on.
    reminded_at = case when _status <> 'new' then reminded_at end
  where client_id = _client_id and id = _id;
  insert into public.client_lead_changes (client_id, lead_id, number, status, reason, changed_by)
  values (_client_id, _id, _number, _status, _said, _user_id);
end
$$;
revoke all on function private.change_lead(_client_id uuid, _id uuid, _former_status text, _status text, _reason text, _user_id uuid) from public, anon, authenticated, service_role;

create function private.check_disputed_criterion(_meeting public.client_meetings, _criterion text) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  _judgement constant jsonb := private.judge_meeting(_meeting);
begin
  if _criterion is null and _judgement is not null then
    raise exception 'Please choose the criterion that is not met, or “Other”.' using errcode = 'P0001';
  elsif _criterion <> 'other' and not coalesce(
    _judgement -> 'results' @> jsonb_build_array(jsonb_build_object('key', _criterion)), false
  ) then
    raise exception 'This criterion is not in force for this meeting. Reload the page.' using errcode = 'P0001';
  end if;
end
$$;
revoke all on function private.check_disputed_criterion(_meeting client_meetings, _criterion text) from public, anon, authenticated, service_role;

create function private.claim_client_webhook(_claim_seconds integer) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  _delivery public.client_webhook_deliveries;
begin
  select delivery.* into _delivery
  from private.client_webhooks as webhook cross join lateral (
    select waiting.id from public.client_webhook_deliveries as waiting
    where waiting.client_id = webhook.client_id and waiting.status = 'waiting' and waiting.next_attempt_at <= now()
      and not exists (
        select from public.client_webhook_deliveries as earlier
        where earlier.client_id = waiting.client_id and earlier.lead_id = waiting.lead_id and earlier.status = 'waiting'
          and earlier.id < waiting.id
      )
    order by waiting.id limit 1
  ) as next join public.client_webhook_deliveries as delivery using (id)
  where coalesce(webhook.paused_until <= now(), true)
  order by webhook.served_at nulls first, delivery.id limit 1
  for update of webhook, delivery skip locked;
  if not found then
    return null;
  end if;
  update private.client_webhooks set served_at = clock_timestamp() where client_id = _delivery.client_id;
  update public.client_webhook_deliveries set
    attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => _claim_seconds)
  where id = _delivery.id;
  return (
    select jsonb_build_object(
      'id', _delivery.id, 'client', _delivery.client_id, 'lead', _delivery.lead_id, 'event', _delivery.event,
      'payload', _delivery.payload, 'attempts', _delivery.attempts + 1, 'url', webhook.url,
      'secret', 'whsec_' || encode(webhook.secret, 'base64')
    )
    from private.client_webhooks as webhook where webhook.client_id = _delivery.client_id
  );
end
$$;
revoke all on function private.claim_client_webhook(_claim_seconds integer) from public, anon, authenticated, service_role;

create function private.clients_read_by_approver() returns setof uuid language sql stable security definer set search_path = '' as $$
  select private.clients_of_approver()
  union all
  select member.client_id from private.impersonated_member() as impersonated
  join public.client_members as member using (client_id, user_id) where member.kind = 'approver'
$$;
revoke all on function private.clients_read_by_approver() from public, anon, authenticated, service_role;

create function private.criteria_at(_client_id uuid, _at timestamptz) returns public.approval_versions
language sql stable security definer set search_path = '' as $$
  select version
  from public.approvals as approval
    join public.approval_decisions as decision on decision.client_id = approval.client_id and decision.approval_id = approval.id
    join public.approval_versions as version on version.client_id = decision.client_id
      and version.approval_id = decision.approval_id and version.number = decision.number
  where approval.client_id = _client_id and approval.kind = 'criteria' and decision.verdict = 'yes' and decision.created_at <= _at
  order by decision.created_at desc, approval.id, version.number desc limit 1
$$;
revoke all on function private.criteria_at(_client_id uuid, _at timestamp with time zone) from public, anon, authenticated, service_role;

create function private.delete_old_client_webhooks(_at_most integer default null) returns integer
language sql security definer set search_path = '' as $$
  with deleted as (
    delete from public.client_webhook_deliveries where id in (
      select id from public.client_webhook_deliveries
      where status <> 'waiting' and created_at < now() - interval '30 days' limit _at_most
    ) returning 1
  )
  select count(*)::integer from deleted
$$;
revoke all on function private.delete_old_client_webhooks(_at_most integer) from public, anon, authenticated, service_role;

create function private.delete_old_mailed_links(_at_most integer default null) returns integer
language sql security definer set search_path = '' as $$
  with deleted as (
    delete from private.mailed_links where token_hash in (
      select token_hash from private.mailed_links
      where expires_at < now() - interval '30 days' order by expires_at limit _at_most
    ) returning 1
  )
  select count(*)::integer from deleted
$$;
revoke all on function private.delete_old_mailed_links(_at_most integer) from public, anon, authenticated, service_role;

create or replace function private.end_sessions_of(_user_id uuid, _but_session uuid default null) returns void
language sql security definer set search_path = '' as $$
  delete from auth.sessions where user_id = _user_id and id is distinct from _but_session;
  delete from auth.refresh_tokens where user_id = _user_id::text and session_id is distinct from _but_session;
  delete from private.mailed_links where user_id = _user_id;
$$;

create function private.first_lines(_text text) returns text language sql immutable set search_path = '' as $$
  select coalesce(string_agg(
    case when length(line) > 200 then trim(left(line, 199)) || '…' else line end, E'\n' order by place
  ), '')
  from (
    select private.one_line(given, 20000) as line, place
    from regexp_split_to_table(_text, E'\r\n?|\n') with ordinality as lines (given, place)
    where private.one_line(given, 20000) <> '' order by place limit 3
  ) as first
$$;
revoke all on function private.first_lines(_text text) from public, anon, authenticated, service_role;

create function private.fold_role(_role text) returns text language sql immutable set search_path = '' as $$
  select lower(regexp_replace(trim(_role), '\s+', ' ', 'g'))
$$;
revoke all on function private.fold_role(_role text) from public, anon, authenticated, service_role;

create function private.is_mailed_link_live(_link private.mailed_links) returns boolean
language sql stable security definer set search_path = '' as $$
  select _link.expires_at >= now() and exists (
    select from public.client_members as member
      join public.user_roles as roles on roles.user_id = member.user_id
      join auth.users as person on person.id = member.user_id
    where member.client_id = _link.client_id and member.user_id = _link.user_id and member.kind = 'approver'
      and roles.role = 'client' and roles.approved
      and coalesce(person.banned_until <= now(), true)
      and private.hash_of_link(_link.token_hash || lower(person.email)) = _link.address_hash
  )
$$;
revoke all on function private.is_mailed_link_live(_link private.mailed_links) from public, anon, authenticated, service_role;

create function private.is_meeting_closed(_client_id uuid, _starts_at timestamptz) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.client_meeting_months
    where client_id = _client_id and first_day = date_trunc('month', _starts_at at time zone time_zone)::date
  )
$$;
revoke all on function private.is_meeting_closed(_client_id uuid, _starts_at timestamp with time zone) from public, anon, authenticated, service_role;

create function private.judge_meeting(_meeting public.client_meetings) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('approval_id', version.approval_id, 'number', version.number, 'text', version.text, 'results', (
    select jsonb_agg(jsonb_build_object(
      'key', key, 'state', case when is_met then 'met' when not is_met then 'not_met' else 'unknown' end
    ) order by position)
    from (values
      (1, 'role', criteria -> 'roles' <> '[]', case when _meeting.role <> '' then private.fold_role(_meeting.role) in (
        select private.fold_role(role) from jsonb_array_elements_text(criteria -> 'roles') as role
      ) end),
      (2, 'size', coalesce(criteria ->> 'minimum_size', criteria ->> 'maximum_size') is not null,
        _meeting.company_size >= coalesce((criteria ->> 'minimum_size')::integer, 1)
          and _meeting.company_size <= coalesce((criteria ->> 'maximum_size')::integer, 10000000)),
      (3, 'country', criteria -> 'countries' <> '[]', case when _meeting.country <> '' then
        criteria -> 'countries' @> to_jsonb(_meeting.country)
      end),
      (4, 'customer', (criteria ->> 'excludes_customers')::boolean, not _meeting.is_customer),
      (5, 'minutes', criteria ->> 'minimum_minutes' is not null,
        _meeting.minutes >= (criteria ->> 'minimum_minutes')::integer)
    ) as judged (position, key, is_set, is_met)
    where is_set
  ))
  from private.criteria_at(_meeting.client_id, _meeting.starts_at) as version, lateral (select version.text::jsonb) as document (criteria)
  where version.number is not null
$$;
revoke all on function private.judge_meeting(_meeting client_meetings) from public, anon, authenticated, service_role;

create function private.keep_closed_meeting() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if private.is_meeting_closed(old.client_id, old.starts_at) or private.is_meeting_closed(new.client_id, new.starts_at) then
    -- Deleting a client deletes its meetings.
    if tg_op = 'DELETE' and not exists (select from public.clients where id = old.client_id) then
      return old;
    end if;
    raise exception 'This month is closed, so its meetings can no longer change.' using errcode = 'P0001';
  end if;
  return coalesce(new, old);
end
$$;
revoke all on function private.keep_closed_meeting() from public, anon, authenticated, service_role;

create function private.keep_closed_month() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'DELETE' then
    if not exists (select from public.clients where id = old.client_id) then
      return old;
    end if;
  elsif to_jsonb(new) - 'closed_by' = to_jsonb(old) - 'closed_by' and (new.closed_by is null or new.closed_by = old.closed_by) then
    return new;
  end if;
  raise exception 'A closed month cannot be changed.' using errcode = 'P0001';
end
$$;
revoke all on function private.keep_closed_month() from public, anon, authenticated, service_role;

create function private.lead_with_history(_client_id uuid, _id uuid, _works_for boolean) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select jsonb_build_object(
      'id', lead.id, 'name', lead.name, 'email', lead.email, 'company', lead.company, 'title', lead.title,
      'words', lead.words, 'campaign_id', lead.campaign_id, 'campaign', campaigns.name, 'step', lead.step, 'approval_id', lead.approval_id,
      'text', approvals.title, 'received_at', lead.received_at, 'origin', lead.origin, 'status', lead.status,
      'reason', lead.reason, 'taken_by', coalesce(private.shown_name(lead.taken_by, _works_for), ''), 'taken_at', lead.taken_at,
      'added_by', coalesce(private.shown_name(lead.added_by, _works_for), ''),
      'meetings', coalesce((
        select jsonb_agg(jsonb_build_object(
          'id', meeting.id, 'starts_at', meeting.starts_at, 'outcome', meeting.outcome
        ) order by meeting.starts_at desc, meeting.id)
        from public.client_meetings as meeting where meeting.client_id = lead.client_id and meeting.lead_id = lead.id
      ), '[]'),
      'changes', coalesce((
        select jsonb_agg(jsonb_build_object(
          'number', number, 'status', change.status, 'reason', change.reason, 'at', change.created_at,
          'by', coalesce(private.shown_name(change.changed_by, _works_for), '')
        ) order by number desc)
        from public.client_lead_changes as change where change.client_id = lead.client_id and change.lead_id = lead.id
      ), '[]')
    )
    from public.client_leads as lead
      left join public.campaigns on campaigns.client_id = lead.client_id and campaigns.id = lead.campaign_id
      left join public.approvals on approvals.client_id = lead.client_id and approvals.id = lead.approval_id
    where lead.client_id = _client_id and lead.id = _id
  );
end
$$;
revoke all on function private.lead_with_history(_client_id uuid, _id uuid, _works_for boolean) from public, anon, authenticated, service_role;

drop function private.lists_of_campaign(_client_id uuid, _campaign_id uuid);
create function private.lists_of_campaign(_client_id uuid, _campaign_id uuid) returns table (
  approval_id uuid, number integer, decided_at timestamptz, starts_at timestamptz, ends_at timestamptz, label text
) language sql stable security definer set search_path = '' as $$
  select used.approval_id, approved.number, approved.decided_at, period.starts_at, period.ends_at, case
      when approved.number is null then '“' || approval.title || '”, not approved yet'
      else 'version ' || approved.number || ' of “' || approval.title || '”, approved by ' || approved.decided_by
        || ' on ' || to_char(approved.decided_at at time zone clients.time_zone, 'FMDD FMMonth YYYY')
    end
  from public.campaign_lists as used
    join public.clients on clients.id = used.client_id
    join public.approvals as approval on approval.client_id = used.client_id and approval.id = used.approval_id
    cross join lateral private.approved_versions(used.client_id, used.approval_id) as approved
    cross join lateral (
      select greatest(used.created_at - interval '10 minutes', approved.starts_at), coalesce(least(used.replaced_at, approved.ends_at), 'infinity')
    ) as period (starts_at, ends_at)
  where used.client_id = _client_id and used.campaign_id = _campaign_id and period.starts_at < period.ends_at
$$;
revoke all on function private.lists_of_campaign(_client_id uuid, _campaign_id uuid) from public, anon, authenticated, service_role;

create or replace function private.mail_client_about_lead() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Materialized, because the planner could otherwise call count_for_subject() for other people's addresses.
  with people as materialized (
    select member.user_id, member.email, membership.kind = 'approver' as is_approver, clients.name as client, (
      select campaigns.name from public.campaigns where campaigns.client_id = new.client_id and campaigns.id = new.campaign_id
    ) as campaign
    from private.members_to_mail(new.client_id, 'lead') as member
      join public.client_members as membership
        on membership.client_id = new.client_id and membership.user_id = member.user_id
      join auth.users on users.id = member.user_id and coalesce(users.banned_until <= now(), true)
      join public.clients on clients.id = new.client_id
  ), mailed as materialized (
    select *, private.new_link_token() as token, '/client-dashboard?client=' || new.client_id as portal, case
      when private.count_for_subject('lead mail', lower(email), 20, interval '1 day') then 'client_lead'
      when private.count_for_subject('lead mail', lower(email), 21, interval '1 day') then 'more_leads'
    end as template
    from people
  ), linked as (
    insert into private.mailed_links (token_hash, client_id, lead_id, user_id, address_hash)
    select hash, new.client_id, new.id, user_id, private.hash_of_link(hash || lower(email))
    from mailed, private.hash_of_link(token) as hash where template = 'client_lead' and is_approver
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, template, jsonb_build_object('Email', email, 'Client', client) || case
    when template = 'more_leads' then jsonb_build_object('Path', portal || '&tab=leads')
    else jsonb_build_object(
      'Title', private.name_of_lead(new),
      'What', case when campaign is null then 'A new lead for ' || client || '.'
        else 'They answered the campaign “' || campaign || '” of ' || client || '.' end,
      'Message', case when new.words = '' then '' else '“' || left(new.words, 1500) || case when length(new.words) > 1500 then '…' else '' end || '”' end
    ) || case
      when is_approver then jsonb_build_object(
        'Path', '/lead/' || token, 'Action', 'I will take it',
        'Items', jsonb_build_array(
          jsonb_build_object('text', 'Not a fit', 'path', '/lead/' || token || '?answer=not_fit'),
          jsonb_build_object('text', 'Open it in your dashboard', 'path', portal || '#lead-' || new.id)
        ),
        'Access', 'The button and “Not a fit” open a page where you confirm your answer. They work without a password for 14 days, in the first browser that answers. Do not forward this email.'
      )
      else jsonb_build_object(
        'Path', portal || '#lead-' || new.id, 'Action', 'Open the lead', 'Access', 'The button opens your dashboard.'
      )
    end
  end
  from mailed where template is not null;
  return null;
end
$$;

create function private.mail_next_meeting_results() returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  _user_id constant uuid := (select user_id from private.result_requests_due order by due_at limit 1);
begin
  if _user_id is null then
    return false;
  end if;
  -- Serialises the processes, so that the next statement sees the mail of another one.
  perform from public.user_roles where user_id = _user_id for update;
  with due as materialized (
    select *, row_number() over (order by starts_at desc, client_id, meeting_id) as place
    from private.result_requests_due where user_id = _user_id
  ), noted as (
    insert into private.result_requests (client_id, meeting_id, step, user_id)
    select client_id, meeting_id, step, user_id from due
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'meeting_results', jsonb_build_object('Email', email, 'Items', jsonb_agg(case
    when place > 20 then jsonb_build_object('text', 'And ' || count - 20 || ' more', 'path', '/client-dashboard')
    else jsonb_build_object(
      'text', client || ': ' || met_with || ', ' || to_char(starts_at at time zone time_zone, 'FMDD FMMonth YYYY'),
      'path', '/client-dashboard?client=' || client_id || '#meeting-' || meeting_id
    )
  end order by place))
  from due cross join (select count(*) from due) as counted
  where place <= 21
  group by email;
  return true;
end
$$;
revoke all on function private.mail_next_meeting_results() from public, anon, authenticated, service_role;

create function private.mailed_link_of(
  _token text, _holder text, _subject text, out link private.mailed_links, out refusal text
) returns record language plpgsql security definer set search_path = '' as $$
begin
  if not private.count_for_address(_subject || ' link', private.client_address(), 60, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'Too many attempts from your network. Try again in an hour, or sign in.';
  elsif coalesce(length(_holder), 0) not between 32 and 100 then
    raise exception 'The browser secret must have between 32 and 100 characters.' using errcode = '22023';
  end if;
  select found.* into link from private.mailed_links as found
  where found.token_hash = private.hash_of_link(left(_token, 200)) and (found.lead_id is not null) = (_subject = 'lead')
  for update;
  if link.token_hash is null or not private.is_mailed_link_live(link) then
    refusal := case _subject
      when 'lead' then 'This link has expired, or the lead was deleted. Sign in to see your leads.'
      else 'This link has expired. Sign in to see your open approvals.'
    end;
  elsif link.holder_hash <> private.hash_of_link(_holder) then
    refusal := 'This link was opened in another browser. Use that one, or sign in.';
  end if;
end
$$;
revoke all on function private.mailed_link_of(_token text, _holder text, _subject text, OUT link private.mailed_links, OUT refusal text) from public, anon, authenticated, service_role;

create function private.month_of_meeting(_client_id uuid, _starts_at timestamptz) returns date
language sql stable security definer set search_path = '' as $$
  select date_trunc('month', _starts_at at time zone time_zone)::date from public.clients where id = _client_id
$$;
revoke all on function private.month_of_meeting(_client_id uuid, _starts_at timestamp with time zone) from public, anon, authenticated, service_role;

create function private.new_link_token() returns text
language sql volatile set search_path = '' as $$ select replace(gen_random_uuid()::text || gen_random_uuid(), '-', '') $$;
revoke all on function private.new_link_token() from public, anon, authenticated, service_role;

create function private.note_meeting_change() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _number constant integer := 1 + (
    select count(*) from public.client_meeting_changes where client_id = new.client_id and meeting_id = new.id
  );
begin
  if _number > 200 then
    raise exception 'A meeting can change at most 200 times.' using errcode = 'P0001';
  end if;
  insert into public.client_meeting_changes (client_id, meeting_id, number, status, reason, criterion, changed_by)
  values (
    new.client_id, new.id, _number, coalesce(new.answer, new.outcome), new.reason, new.criterion, private.user_id()
  );
  return null;
end
$$;
revoke all on function private.note_meeting_change() from public, anon, authenticated, service_role;

create function private.queue_client_webhook() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _payload jsonb;
begin
  if not exists (select from private.client_webhooks where client_id = new.client_id) then
    return null;
  end if;
  select jsonb_build_object(
    'client', jsonb_build_object('id', clients.id, 'name', clients.name),
    'lead', jsonb_build_object(
      'id', new.id, 'name', new.name, 'email', new.email, 'company', new.company, 'title', new.title, 'words', new.words,
      'campaign', campaigns.name, 'status', new.status, 'reason', new.reason, 'received_at', new.received_at
    )
  ) into _payload
  from public.clients left join public.campaigns on campaigns.client_id = clients.id and campaigns.id = new.campaign_id
  where clients.id = new.client_id and not clients.is_sample;
  if not found then
    return null;
  end if;
  update public.client_webhook_deliveries set payload = _payload
  where client_id = new.client_id and lead_id = new.id and status = 'waiting' and attempts = 0;
  if not found then
    insert into public.client_webhook_deliveries (client_id, lead_id, event, payload)
    values (new.client_id, new.id, case tg_op when 'INSERT' then 'lead.created' else 'lead.changed' end, _payload);
  end if;
  return null;
end
$$;
revoke all on function private.queue_client_webhook() from public, anon, authenticated, service_role;

create or replace function private.raise_list_alarm(_source public.campaign_sources, _new private.taken_event[]) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _campaign constant text := (
    select name from public.campaigns where client_id = _source.client_id and id = _source.campaign_id
  );
  _found record;
  _text text;
  _mailed text;
  _others integer := -1;
begin
  for _found in select * from private.unlisted_recipients(_source, _new) order by person_hash loop
    _text := 'The campaign “' || _campaign || '” wrote to ' || _found.hint || case
      when _found.line is null then ', who is not on its approved lists: ' || _found.lists
      else '. The client removed this person (line ' || _found.line || ') from ' || _found.label
    end || '.';
    if private.raise_alarm(
      _source.client_id, 'not_listed', _source.campaign_id || ' ' || _found.person_hash, _text, _found.times
    ) then
      _mailed := coalesce(_mailed, _text);
      _others := _others + 1;
    end if;
  end loop;
  if _mailed is not null then
    perform private.mail_team_about_alarm(
      _source.client_id, _mailed || case when _others > 0 then ' Other people concerned: ' || _others || '.' else '' end
    );
  end if;
end
$$;

create function private.read_meeting_criteria(_criteria jsonb) returns jsonb
language plpgsql immutable set search_path = '' as $$
declare
  _roles constant text[] := array(
    select distinct private.one_line(role, 200) from jsonb_array_elements_text(_criteria -> 'roles') as role
    where role ~ '\S' order by 1
  );
  _countries constant text[] := array(
    select distinct country from jsonb_array_elements_text(_criteria -> 'countries') as country order by 1
  );
  _minimum_size constant integer := _criteria ->> 'minimum_size';
  _maximum_size constant integer := _criteria ->> 'maximum_size';
  _minimum_minutes constant integer := _criteria ->> 'minimum_minutes';
  _excludes_customers constant boolean := coalesce((_criteria ->> 'excludes_customers')::boolean, false);
begin
  if cardinality(_roles) > 50 then
    raise exception 'Criteria can name at most 50 roles.' using errcode = 'P0001';
  elsif exists (select from unnest(_countries) as country where country !~ '^[A-Z]{2}$') then
    raise exception 'A country must be a code of two capital letters.' using errcode = 'P0001';
  elsif _minimum_size not between 1 and 10000000 or _maximum_size not between 1 and 10000000 then
    raise exception 'A company size must be between 1 and 10,000,000.' using errcode = 'P0001';
  elsif _minimum_size > _maximum_size then
    raise exception 'The minimum company size must not exceed the maximum.' using errcode = 'P0001';
  elsif _minimum_minutes not between 1 and 1440 then
    raise exception 'A duration must be between 1 and 1,440 minutes.' using errcode = 'P0001';
  elsif cardinality(_roles) = 0 and cardinality(_countries) = 0 and not _excludes_customers
    and coalesce(_minimum_size, _maximum_size, _minimum_minutes) is null then
    raise exception 'Set at least one criterion.' using errcode = 'P0001';
  end if;
  return jsonb_build_object(
    'roles', _roles, 'minimum_size', _minimum_size, 'maximum_size', _maximum_size, 'countries', _countries,
    'excludes_customers', _excludes_customers, 'minimum_minutes', _minimum_minutes
  );
end
$$;
revoke all on function private.read_meeting_criteria(_criteria jsonb) from public, anon, authenticated, service_role;

create function private.recipient_of_link(_link private.mailed_links) returns text
language sql stable security definer set search_path = '' as $$
  select coalesce(nullif(private.name_of(raw_user_meta_data), ''), email::text) from auth.users where id = _link.user_id
$$;
revoke all on function private.recipient_of_link(_link private.mailed_links) from public, anon, authenticated, service_role;

create function private.require_no_client_name(_client_id uuid, _title text, _subject text, _body text, _note text) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  _name constant text := (select name from public.clients where id = _client_id);
  _words constant text := private.words_of(_name);
  _short constant text := regexp_replace(
    _words, '( (as|asa|ab|aps|a s|gmbh|mbh|ag|kg|co|se|ug|ltd|limited|llp|inc|llc|plc|corp|bv|b v|nv|oy|oyj|sa|sas|sarl|srl|spa|group))+$', ''
  );
  _fields constant text := (
    select string_agg(field, ' and the ' order by place)
    from (values (1, 'title', _title), (2, 'subject', _subject), (3, 'text', _body), (4, 'note', _note)) as part (place, field, content)
    where position(
      ' ' || _short || case when length(_short) < 4 then ' ' else '' end in ' ' || private.words_of(content) || ' '
    ) > 0
  );
begin
  if _short <> '' and _fields is not null then
    raise exception 'Remove the client’s name (%) from the %. Texts in the library do not name clients.', _name, _fields
      using errcode = 'P0001';
  end if;
end
$$;
revoke all on function private.require_no_client_name(_client_id uuid, _title text, _subject text, _body text, _note text) from public, anon, authenticated, service_role;

create function private.require_webhook_manager(_client_id uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.reject_oauth_applications();
  if not private.works_for_client(_client_id) and _client_id not in (select private.clients_of_approver()) then
    raise exception 'Only approvers can manage the webhook.' using errcode = '42501';
  end if;
end
$$;
revoke all on function private.require_webhook_manager(_client_id uuid) from public, anon, authenticated, service_role;

CREATE OR REPLACE PROCEDURE private.run_due_jobs()
 LANGUAGE plpgsql
AS $procedure$
declare
  _name text;
begin
  loop
    select job.name into _name from private.run_due_job() as job;
    exit when _name is null;
    commit;
  end loop;
  while private.publish_next_due_release() loop
    commit;
  end loop;
  while private.make_next_due_report() loop
    commit;
  end loop;
  while private.mail_next_waiting_lead() loop
    commit;
  end loop;
  while private.mail_next_meeting_results() loop
    commit;
  end loop;
  perform private.send_monday_list();
end
$procedure$;

create function private.save_meeting_facts(_client_id uuid, _id uuid, _facts jsonb) returns void
language sql security definer set search_path = '' as $$
  update public.client_meetings set
    role = trim(coalesce(_facts ->> 'role', '')), company_size = (_facts ->> 'company_size')::integer,
    country = coalesce(_facts ->> 'country', ''), is_customer = (_facts ->> 'is_customer')::boolean,
    minutes = (_facts ->> 'minutes')::integer
  where client_id = _client_id and id = _id and _facts is not null
$$;
revoke all on function private.save_meeting_facts(_client_id uuid, _id uuid, _facts jsonb) from public, anon, authenticated, service_role;

create function private.sees_amounts(_client_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select private.is_admin() or _client_id in (select private.clients_of_team_member())
    or _client_id in (select private.clients_read_by_approver())
$$;
revoke all on function private.sees_amounts(_client_id uuid) from public, anon, authenticated, service_role;

create function private.set_lead_of_meeting(_client_id uuid, _meeting_id uuid, _lead_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _lead public.client_leads;
begin
  if _lead_id is null then
    return;
  end if;
  select * into _lead from public.client_leads where client_id = _client_id and id = _lead_id for update;
  if not found then
    raise exception 'This lead no longer exists.' using errcode = 'P0001';
  end if;
  update public.client_meetings set lead_id = _lead_id where client_id = _client_id and id = _meeting_id;
  if _lead.status not in ('meeting', 'won') then
    perform private.change_lead(_client_id, _lead_id, _lead.status, 'meeting', '', private.user_id());
  end if;
end
$$;
revoke all on function private.set_lead_of_meeting(_client_id uuid, _meeting_id uuid, _lead_id uuid) from public, anon, authenticated, service_role;

drop function private.unlisted_recipients(_source campaign_sources, _new private.taken_event[]);
create function private.unlisted_recipients(_source public.campaign_sources, _new private.taken_event[]) returns table (
  person_hash text, hint text, times integer, line integer, label text, lists text
) language sql stable security definer set search_path = '' as $$
  with list as materialized (
    select * from private.lists_of_campaign(_source.client_id, _source.campaign_id)
  ), message as materialized (
    select event_key, person_hash, recipient, happened_at, (
      select string_agg(list.label, '; ' order by list.label) from list
      where event.happened_at >= list.starts_at and event.happened_at < list.ends_at
    ) as lists
    from unnest(_new) as event
    where metric = 'sent' and state in ('counted', 'noted') and recipient like '%@%'
  )
  select distinct on (message.person_hash) message.person_hash,
    left(recipient, 1) || '***@' || left(split_part(recipient, '@', 2), 250),
    count(*) over (partition by message.person_hash)::integer, found.line, found.label, message.lists
  from message left join lateral (
    select item.line, list.label, exists (
      select from public.approval_vetoes as veto
      where veto.client_id = item.client_id and veto.approval_id = item.approval_id and veto.number = item.number
        and veto.line = item.line
      -- offset 0 stops the planner from hashing the removals of all clients.
      offset 0
    ) as is_removed
    from (
      (
        -- offset 0 stops the planner from adding other conditions, so that the index on fingerprint is used.
        select client_id, approval_id, number, line, null::integer as domain_length from public.approval_rows
        where fingerprint = message.person_hash offset 0
      )
      union all
      select company.* from (select string_to_array(regexp_replace(recipient, '^.*@', ''), '.')) as parts (labels)
        cross join lateral generate_subscripts(labels, 1) as n
        cross join lateral (select array_to_string(labels[n:], '.')) as spelled (value)
        cross join lateral (
          select client_id, approval_id, number, line, length(domain) from public.approval_rows
          where domain = spelled.value and fingerprint is null offset 0
        ) as company
    ) as item
      join list on list.approval_id = item.approval_id and list.number = item.number
        and message.happened_at >= list.starts_at and message.happened_at < list.ends_at
    where item.client_id = _source.client_id
    order by item.domain_length is null desc, list.decided_at desc, item.domain_length desc, is_removed
    limit 1
  ) as found on true
  where message.lists is not null and (found.line is null or found.is_removed)
  order by message.person_hash, message.happened_at desc, message.event_key
$$;
revoke all on function private.unlisted_recipients(_source campaign_sources, _new private.taken_event[]) from public, anon, authenticated, service_role;

create function private.words_of(_text text) returns text language sql immutable set search_path = '' as $$
  select trim(regexp_replace(lower(normalize(coalesce(_text, ''), nfkc)), '[^[:alnum:]]+', ' ', 'g'))
$$;
revoke all on function private.words_of(_text text) from public, anon, authenticated, service_role;

create function public.add_library_text(
  _client_id uuid, _approval_id uuid, _title text, _subject text, _body text, _note text
) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  _added uuid;
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only admins and assigned team members can save a text of this client' using errcode = '42501';
  elsif not exists (
    select from public.approvals as approval
      join public.approval_decisions as decision on decision.client_id = approval.client_id and decision.approval_id = approval.id
    where approval.client_id = _client_id and approval.id = _approval_id and approval.kind = 'text' and decision.verdict = 'yes'
  ) then
    raise exception 'Only texts that the client approved can be saved to the library.' using errcode = 'P0001';
  end if;
  perform private.require_no_client_name(_client_id, _title, _subject, _body, _note);
  -- Locks the table, so that concurrent calls cannot exceed the limit.
  lock table public.library_texts in share row exclusive mode;
  if (select count(*) from public.library_texts) >= 1000 then
    raise exception 'The library can have at most 1,000 texts. Delete some that you no longer use.' using errcode = 'P0001';
  end if;
  insert into public.library_texts (title, subject, body, note, origin_id, created_by, changed_by)
  values (trim(_title), trim(_subject), _body, trim(_note), _client_id, private.user_id(), private.user_id())
  returning id into _added;
  return _added;
end
$$;
revoke all on function public.add_library_text(_client_id uuid, _approval_id uuid, _title text, _subject text, _body text, _note text) from public, anon, authenticated, service_role;

create or replace function public.add_sample_client() returns uuid language plpgsql security definer set search_path = '' as $$
declare
  _person constant uuid := private.user_id();
  _monday constant date := date_trunc('week', now() at time zone 'Europe/Oslo')::date;
  _client uuid;
  _first constant uuid := gen_random_uuid();
  _second constant uuid := gen_random_uuid();
  _batch constant uuid := gen_random_uuid();
  _declined constant uuid := gen_random_uuid();
  _approved constant uuid := gen_random_uuid();
  _list constant uuid := gen_random_uuid();
  _report public.client_reports;
begin
  if not private.is_admin() then
    raise exception 'Only admins can add the sample client.' using errcode = '42501';
  end if;
  insert into public.clients (name, domain, meetings_goal, replies_goal, delivered_goal, is_sample)
  values ('Nordlys Energy', 'nordlys.example', 20, 120, 2000, true)
  on conflict do nothing returning id into _client;
  if _client is null then
    select id into _client from public.clients where is_sample;
    return _client;
  end if;
  insert into public.campaigns (client_id, id, name, channel, phase, next_step, due_on) values
    (_client, _first, 'Heads of facilities, Oslo', 'email', 'running', 'Try a shorter second mail', _monday + 9),
    (_client, _second, 'Founders of bakeries', 'linkedin', 'running', 'Add forty companies from Bergen', _monday + 16),
    (_client, gen_random_uuid(), 'Hotels on the coast', 'email', 'planned', 'Choose the first hundred hotels', _monday + 23);

  insert into public.import_batches (
    client_id, id, file_name, file_hash, column_map, new_count, changed_count, same_count, refused_count, imported_by
  ) values (_client, _batch, 'twelve-weeks.csv', repeat('0', 64), '{}', 120, 0, 0, 0, _person);
  insert into public.campaign_figures (client_id, batch_id, campaign_id, metric, first_day, last_day, value)
  select _client, _batch, campaign, metric, _monday - 7 * weeks_ago, _monday - 7 * weeks_ago + 6, value
  from generate_series(1, 12) as week (weeks_ago),
    lateral (values (_first, 260 - 9 * weeks_ago), (_second, 110 - 3 * weeks_ago)) as share (campaign, sent),
    lateral (values
      ('sent', sent), ('delivered', sent - 4 - weeks_ago % 3), ('replies', sent / 16 + weeks_ago % 4),
      ('positive_replies', sent / 40 + weeks_ago % 2), ('meetings', sent / 90 + (12 - weeks_ago) % 2)
    ) as counted (metric, value);

  -- The figures already include these meetings. They were held and accepted.
  update public.client_meetings as meeting set origin = 'completed', kept_by = _person, starts_at = planned.at,
    met_with = names[1 + number % 8] || ', ' || companies[1 + number / 8 % 6],
    outcome = 'held', answer_until = planned.at + interval '14 days', answer = 'accepted', answered_at = planned.at + interval '1 day'
  from (
    select id, row_number() over (order by booked_on, id)::integer as number,
      (booked_on + 3 + time '10:00') at time zone 'Europe/Oslo' as at
    from public.client_meetings where client_id = _client
  ) as planned, (values (
    array['Anne Vik', 'Bjørn Aas', 'Camilla Ruud', 'David Holt', 'Eva Lien', 'Frode Bakk', 'Grete Sand', 'Henrik Moen'],
    array['Torget Offices', 'Solsiden Bakery', 'Parken Facilities', 'Elva Bread', 'Bryn Properties', 'Havna Ovens']
  )) as made_up (names, companies)
  where meeting.client_id = _client and meeting.id = planned.id;
  insert into public.client_meeting_results (client_id, meeting_id, number, status, amount, reason)
  select _client, meeting.id, 1, reported.status, reported.amount, reported.reason
  from (
    select id, row_number() over (order by booked_on, id) % 6 as turn
    from public.client_meetings where client_id = _client and booked_on < _monday - 30
  ) as meeting join (values
    (1, 'won', 180000, ''), (2, 'opportunity', 250000, ''), (3, 'nothing_yet', null, ''), (4, 'lost', null, 'They chose a supplier nearby.')
  ) as reported (turn, status, amount, reason) using (turn);

  insert into public.approvals (client_id, id, title) values
    (_client, _declined, 'First mail to hotels'), (_client, _approved, 'Second mail to heads of facilities');
  insert into public.approval_versions (client_id, approval_id, number, text, due_on, asked_by, created_at) values
    (_client, _declined, 1, E'Hello {{first_name}},\n\nwe noticed that {{company}} heats with oil. Do you have time for a call?\n\nKari',
      _monday + 2, _person, now() - interval '4 days'),
    (_client, _declined, 2, E'Hello {{first_name}},\n\n{{company}} has forty rooms by the sea and an oven from 1987. Three hotels near you pay '
      'a third less since they changed theirs. Should I send you how they did it?\n\nKari',
      _monday + 9, _person, now() - interval '1 day'),
    (_client, _approved, 1, E'Hello {{first_name}},\n\nshort again: may I send the figures of the building next door?\n\nKari',
      _monday - 4, _person, now() - interval '9 days');
  insert into public.approval_decisions (client_id, approval_id, number, verdict, comment, created_at, decided_by_name) values
    (_client, _declined, 1, 'no', 'Say something about the hotel first.', now() - interval '3 days', 'Ingrid Berg'),
    (_client, _approved, 1, 'yes', '', now() - interval '8 days', 'Ingrid Berg');

  insert into public.client_meetings (
    client_id, booked_on, starts_at, met_with, outcome, evidence, answer_until, answer, reason, answered_at, kept_by
  ) values
    (_client, _monday - 3, now() + interval '3 days', 'Ingrid Berg, Havn Hotel', 'booked', 'Accepted the invitation.', null, null, '', null, _person),
    (_client, _monday - 5, now() - interval '2 days', 'Jonas Lie, Brygga Bakery', 'held', 'Recorded, 28 minutes.', now() + interval '12 days',
      null, '', null, _person),
    (_client, _monday - 10, now() - interval '6 days', 'Siri Moe, Fjordbygg', 'no_show', 'Waited ten minutes; a new time is asked for.',
      now() + interval '8 days', 'disputed', 'We had agreed on another day.', now() - interval '5 days', _person),
    (_client, _monday - 12, now() - interval '9 days', 'Per Dahl, Sentrum Offices', 'held', 'Recorded, 41 minutes.', now() + interval '5 days',
      'accepted', '', now() - interval '8 days', _person);

  insert into public.client_leads (
    client_id, campaign_id, email, name, company, title, words, step, received_at, origin, status, taken_by, taken_at
  ) values
    (_client, _first, 'nina@kaia.example', 'Nina Strand', 'Kaia Offices', 'Head of facilities',
      'Yes, send me the figures of the building next door. We decide in January.', 2, now() - interval '3 hours', 'reply',
      'new', null, null),
    (_client, _second, 'lars@morgen.example', 'Lars Vik', 'Morgen Bakery', 'Founder', 'Call me on Thursday after ten.', 1,
      now() - interval '2 days', 'reply', 'taken', _person, now() - interval '1 day');

  insert into public.do_not_contact (client_id, kind, value, hint, added_by)
  select _client, 'domain', domain, domain, _person
  from unnest(array['customer.example', 'partner.example', 'rival.example']) as domain;
  insert into public.approvals (client_id, id, title, kind) values (_client, _list, 'Hotels on the coast', 'list');
  insert into public.approval_versions (client_id, approval_id, number, text, due_on, asked_by, created_at) values
    (_client, _list, 1, 'Hotels with 30 rooms and more between Stavanger and Bodø that heat with oil.', _monday + 10, _person,
      now() - interval '1 day');
  insert into public.approval_rows (client_id, approval_id, number, line, company, domain, person)
  select _client, _list, 1, line, company, domain, person
  from (values
    (2, 'Havn Hotel', 'havn-hotel.example', 'Ingrid Berg, Owner'), (3, 'Havn Hotel', 'havn-hotel.example', 'Tor Ness, Operations'),
    (4, 'Skjær Hotel', 'skjaer.example', 'Lise Holm, Director'), (5, 'Fyret Hotel', 'fyret.example', 'Odd Strand, Owner'),
    (6, 'Vik Hotel', 'vik.example', 'Nora Sund, Director'), (7, 'Brygga Rooms', 'brygga.example', 'Jan Eide, Operations')
  ) as listed (line, company, domain, person);
  insert into public.approval_vetoes (client_id, approval_id, number, line) values (_client, _list, 1, 5);

  insert into public.client_reports (client_id, span, first_day, last_day, figures, summary)
  select _client, 'week', _monday - 7, _monday - 1, private.report_figures(clients, 'week', _monday - 7, _monday - 1),
    'Facilities answer more since the second mail became shorter. The hotel campaign starts when you approve the list.'
  from public.clients where id = _client
  returning * into _report;
  _report.approved_by := _person;
  _report.sent_at := now() - interval '1 hour';
  _report.hash := private.report_hash(_report);
  update public.client_reports set approved_by = _report.approved_by, sent_at = _report.sent_at, hash = _report.hash
  where client_id = _client and id = _report.id;
  return _client;
end
$$;

create function public.answer_client_meeting(
  _client_id uuid, _id uuid, _outcome text, _answer text, _reason text default '', _criterion text default null
) returns void language plpgsql security definer set search_path = '' as $$
declare
  _meeting public.client_meetings;
begin
  perform private.require_approver(_client_id);
  select * into _meeting from public.client_meetings where client_id = _client_id and id = _id for update;
  if not found then
    raise exception 'This meeting no longer exists.' using errcode = 'P0001';
  elsif _meeting.outcome is distinct from _outcome or _outcome = 'booked' then
    raise exception 'This meeting has changed. Reload the page to read it again.' using errcode = 'P0001';
  elsif _meeting.answer = 'accepted' then
    raise exception 'A colleague has already accepted this meeting.' using errcode = 'P0001';
  elsif _meeting.answer_until < now() then
    raise exception 'The time limit for an answer has passed. Please write to us.' using errcode = 'P0001';
  elsif _answer = 'disputed' and coalesce(_reason, '') !~ '\S' then
    raise exception 'Please describe what is wrong.' using errcode = 'P0001';
  elsif _answer = 'disputed' then
    perform private.check_disputed_criterion(_meeting, _criterion);
  end if;
  update public.client_meetings set
    criterion = case when _answer = 'disputed' then _criterion end,
    answer = coalesce(_answer, ''), reason = btrim(coalesce(_reason, ''), E' \t\r\n'), answered_by = private.user_id(), answered_at = now()
  where client_id = _client_id and id = _id;
  -- Materialized, because the planner could otherwise call count_for_subject() for other people's addresses.
  if _answer = 'disputed' then
    with keeper as materialized (
      select users.id, users.email, clients.name as client
      from public.user_roles join auth.users on users.id = user_roles.user_id, public.clients
      where user_roles.user_id = _meeting.kept_by and user_roles.role in ('team', 'admin') and approved
        and clients.id = _client_id and users.email <> ''
    )
    insert into private.mail_queue (recipient, template, variables)
    select email, 'meeting_disputed', jsonb_build_object(
      'Email', email, 'Client', client, 'Title', _meeting.met_with, 'Message', _reason,
      'Path', private.team_path(keeper.id, _client_id, 'meeting-' || _id)
    )
    from keeper where private.count_for_subject('dispute mail', lower(email), 50, interval '1 day');
  end if;
end
$$;
revoke all on function public.answer_client_meeting(_client_id uuid, _id uuid, _outcome text, _answer text, _reason text, _criterion text) from public, anon, authenticated, service_role;

create function public.ask_for_criteria_approval(
  _client_id uuid, _title text, _criteria jsonb, _due_on date default null, _approval_id uuid default null
) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  _version public.approval_versions;
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only admins and assigned team members can ask for approval' using errcode = '42501';
  end if;
  _version := private.add_approval_version(
    _client_id, 'criteria', _title, private.read_meeting_criteria(_criteria)::text, _due_on, _approval_id
  );
  if exists (
    select from public.approval_versions as former
    where former.client_id = _client_id and former.approval_id = _version.approval_id
      and former.number = _version.number - 1 and former.text = _version.text
  ) then
    raise exception 'The criteria are the same as before.' using errcode = 'P0001';
  end if;
  perform private.mail_client_about_approval(_version);
  return _version.approval_id;
end
$$;
revoke all on function public.ask_for_criteria_approval(_client_id uuid, _title text, _criteria jsonb, _due_on date, _approval_id uuid) from public, anon, authenticated, service_role;

create or replace function public.change_client_lead(
  _client_id uuid, _id uuid, _former_status text, _status text, _reason text default ''
) returns void language plpgsql security definer set search_path = '' as $$
begin
  if not private.works_for_client(_client_id) and _client_id not in (select private.clients_of_approver()) then
    raise exception 'You can read this, but only approvers can change leads.' using errcode = '42501';
  end if;
  perform private.change_lead(_client_id, _id, _former_status, _status, _reason, private.user_id());
end
$$;

create function public.change_lead_by_link(
  _token text, _holder text, _former_status text, _status text, _reason text default ''
) returns text language plpgsql security definer set search_path = '' as $$
declare
  _found constant record := private.mailed_link_of(_token, _holder, 'lead');
  _link constant private.mailed_links := _found.link;
begin
  if _found.refusal is not null then
    return _found.refusal;
  end if;
  perform private.change_lead(_link.client_id, _link.lead_id, _former_status, _status, _reason, _link.user_id);
  update private.mailed_links set holder_hash = private.hash_of_link(_holder)
  where token_hash = _link.token_hash and holder_hash is null;
  return null;
end
$$;
revoke all on function public.change_lead_by_link(_token text, _holder text, _former_status text, _status text, _reason text) from public, anon, authenticated, service_role;

create or replace function public.client_archive(_client_id uuid, _part text, _offset integer default 0) returns setof jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  _works_for constant boolean := private.works_for_client(_client_id);
  _from constant integer := greatest(_offset, 0);
begin
  case _part
    when 'campaigns' then return query
      select jsonb_build_object('name', name, 'channel', channel, 'phase', phase, 'next_step', next_step, 'due_on', due_on,
        'added_at', created_at, 'changed_at', updated_at, 'id', id)
      from public.campaigns where client_id = _client_id and deleted_at is null order by name, id limit 1000 offset _from;
    when 'figures' then return query
      select jsonb_build_object('campaign', campaigns.name, 'metric', metric, 'first_day', first_day, 'last_day', last_day,
        'value', value, 'import', batch_id)
      from private.counted_figures as figures
        left join public.campaigns on campaigns.client_id = figures.client_id and campaigns.id = figures.campaign_id
      where figures.client_id = _client_id
      order by campaign_id, metric, first_day, batch_id limit 5000 offset _from;
    when 'imports' then return query
      select jsonb_build_object('id', batch.id, 'file', file_name, 'sha256', file_hash, 'new', new_count, 'changed', changed_count,
        'same', same_count, 'refused', refused_count, 'by', private.shown_name(imported_by, _works_for), 'at', batch.created_at,
        'undone_at', undone_at)
      from public.import_batches as batch where client_id = _client_id
      order by batch.created_at, batch.id limit 1000 offset _from;
    when 'approvals' then return query
      select jsonb_build_object('title', version.title, 'version', version.number, 'text', text, 'due_on', due_on,
        'asked_by', private.shown_name(asked_by, _works_for), 'asked_at', version.created_at, 'decision', verdict,
        'comment', comment, 'decided_by', coalesce(
          nullif(decision.decided_by_name, ''), case when _works_for then nullif(decision.decided_by_address, '') end,
          private.shown_name(decided_by, _works_for)
        ), 'decided_at', decision.created_at,
        'approval', version.approval_id, 'sha256', private.approval_version_hash(version, decision.file_sha256))
      from public.approval_versions as version
        join public.approvals on approvals.client_id = version.client_id and approvals.id = version.approval_id
        left join public.approval_decisions as decision on decision.client_id = version.client_id
          and decision.approval_id = version.approval_id and decision.number = version.number
      where version.client_id = _client_id
      order by approvals.created_at, version.approval_id, version.number limit 200 offset _from;
    when 'meetings' then return query
      select jsonb_build_object('booked_on', booked_on, 'starts_at', starts_at, 'with', met_with, 'campaign', campaigns.name, 'outcome', outcome, 'evidence', evidence,
        'answer', answer, 'reason', reason, 'answered_by', private.shown_name(answered_by, _works_for),
        'answered_at', answered_at, 'answer_until', answer_until, 'role', role, 'company_size', company_size, 'country', country,
        'is_customer', case is_customer when true then 'yes' when false then 'no' end, 'minutes', minutes,
        'criterion', criterion, 'lead', lead_id, 'meeting', meeting.id)
      from public.client_meetings as meeting
        left join public.campaigns on campaigns.client_id = meeting.client_id and campaigns.id = meeting.campaign_id
      where meeting.client_id = _client_id order by booked_on, meeting.id limit 1000 offset _from;
    when 'meeting_changes' then return query
      select jsonb_build_object('meeting', meeting_id, 'at', created_at, 'status', status, 'reason', reason, 'criterion', criterion,
        'by', private.shown_name(changed_by, _works_for))
      from public.client_meeting_changes where client_id = _client_id order by meeting_id, number limit 1000 offset _from;
    when 'meeting_results' then return query
      select jsonb_build_object('meeting', meeting_id, 'at', created_at, 'status', status,
        'amount', case when private.sees_amounts(_client_id) then amount end, 'reason', reason,
        'by', private.shown_name(reported_by, _works_for))
      from public.client_meeting_results where client_id = _client_id order by meeting_id, number limit 1000 offset _from;
    when 'meeting_months' then return query
      select jsonb_build_object('name', to_char(first_day, 'YYYY-MM'), 'hash', hash, 'closed_at', closed_at,
        'closed_by', private.shown_name(closed_by, _works_for), 'document', sheet)
      from public.client_meeting_months where client_id = _client_id order by first_day limit 100 offset _from;
    when 'leads' then return query
      select jsonb_build_object('received_at', received_at, 'name', lead.name, 'email', email, 'company', company, 'title', lead.title,
        'campaign', campaigns.name, 'step', step, 'text', approvals.title, 'words', words, 'status', status, 'reason', reason,
        'taken_by', private.shown_name(taken_by, _works_for), 'taken_at', taken_at, 'lead', lead.id)
      from public.client_leads as lead
        left join public.campaigns on campaigns.client_id = lead.client_id and campaigns.id = lead.campaign_id
        left join public.approvals on approvals.client_id = lead.client_id and approvals.id = lead.approval_id
      where lead.client_id = _client_id order by received_at, lead.id limit 200 offset _from;
    when 'lead_changes' then return query
      select jsonb_build_object('lead', lead_id, 'at', created_at, 'status', status, 'reason', reason,
        'by', private.shown_name(changed_by, _works_for))
      from public.client_lead_changes where client_id = _client_id order by lead_id, number limit 1000 offset _from;
    when 'leave_alone' then return query
      select jsonb_build_object('kind', kind, 'entry', hint, 'added_at', created_at)
      from public.do_not_contact where client_id = _client_id order by created_at, id limit 1000 offset _from;
    when 'figures_on_the_site' then return query
      select jsonb_build_object('figure', private.format_figure_quote(quote), 'page', coalesce(projects.title, 'a page that was deleted'),
        'asked_by', private.shown_name(asked_by, _works_for), 'asked_at', asked_at, 'answer', answer,
        'answered_by', private.shown_name(answered_by, _works_for), 'answered_at', answered_at,
        'withdrawn_by', private.shown_name(withdrawn_by, _works_for), 'withdrawn_at', withdrawn_at, 'ended_at', ended_at,
        'quote', quote.id)
      from public.figure_quotes as quote left join public.projects on projects.id = quote.project_id
      where quote.client_id = _client_id order by quote.asked_at, quote.id limit 200 offset _from;
    when 'reports' then return query
      select jsonb_build_object('name', first_day || '-' || span || case when corrects is null then '' else '-correction' end,
        'hash', hash, 'sent_at', sent_at, 'document', private.report_document(client_reports), 'id', id)
      from public.client_reports where client_id = _client_id and sent_at is not null order by sent_at, id
      limit 100 offset _from;
    else raise exception 'This part of the archive does not exist.' using errcode = '22023';
  end case;
end
$$;

create or replace function public.client_home(_client_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.works_for_client(_client_id);
  return (
    with texts as (
      select approval.id, approval.title, version.number, version.due_on, version.created_at
      from public.approvals as approval
        join lateral (
          select * from public.approval_versions as any_version
          where any_version.client_id = _client_id and any_version.approval_id = approval.id
          order by any_version.number desc limit 1
        ) as version on true
      where approval.client_id = _client_id and not exists (
        select from public.approval_decisions as decision
        where decision.client_id = _client_id and decision.approval_id = approval.id and decision.number = version.number
      )
    ), meetings as (
      select meeting.id, meeting.met_with, (meeting.answer_until at time zone clients.time_zone)::date as due_on, meeting.starts_at
      from public.client_meetings as meeting join public.clients on clients.id = meeting.client_id
      where meeting.client_id = _client_id and meeting.answer is null and meeting.answer_until > now()
    ), quotes as (
      select quote.id, private.format_figure_quote(quote) as words, quote.asked_at
      from public.figure_quotes as quote join public.projects on projects.id = quote.project_id
      where quote.client_id = _client_id and quote.answer is null and quote.ended_at is null
    ), fresh as (
      select lead.id, private.name_of_lead(lead) as words, lead.received_at
      from public.client_leads as lead where lead.client_id = _client_id and lead.status = 'new'
    ), results as (
      select meeting_id, met_with, due_at from private.awaited_results where client_id = _client_id
    ), waiting (place, due_on, since, line) as (
      (select 1, due_on, created_at, jsonb_build_object(
        'kind', 'approval', 'id', id, 'title', title, 'number', number, 'due_on', due_on
      ) from texts order by due_on nulls last, created_at, id limit 24)
      union all
      (select 2, due_on, starts_at, jsonb_build_object('kind', 'meeting', 'id', id, 'title', met_with, 'due_on', due_on)
      from meetings order by starts_at desc, id limit 24)
      union all
      (select 3, null, asked_at, jsonb_build_object('kind', 'quote', 'id', id, 'title', coalesce(words, 'A figure'), 'due_on', null)
      from quotes order by asked_at, id limit 24)
      union all
      (select 4, null, received_at, jsonb_build_object('kind', 'lead', 'id', id, 'title', words, 'due_on', null)
      from fresh order by received_at, id limit 24)
      union all
      (select 5, null, due_at, jsonb_build_object('kind', 'result', 'id', meeting_id, 'title', met_with, 'due_on', null)
      from results order by due_at, meeting_id limit 24)
    )
    select jsonb_build_object(
      'waiting', coalesce((select jsonb_agg(line order by due_on nulls last, place, since) from waiting), '[]'),
      'waiting_count', (select count(*) from texts) + (select count(*) from meetings) + (select count(*) from quotes)
        + (select count(*) from fresh) + (select count(*) from results),
      'next_call', (
        select min(booking.starts_at) from public.bookings as booking
        where booking.state = 'booked' and booking.ends_at > now() and lower(booking.email) in (
          select proven.address from private.proven_addresses as proven join auth.users on users.id = proven.user_id
          where proven.user_id = private.reader_id() and proven.address = users.email
        )
      )
    )
  );
end
$$;

create or replace function public.client_lead(_client_id uuid, _id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.lead_with_history(_client_id, _id, private.works_for_client(_client_id));
end
$$;

create function public.client_webhook(_client_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.reject_oauth_applications();
  if not private.works_for_client(_client_id) and _client_id not in (select private.clients_read_by_approver()) then
    raise exception 'Only approvers can manage the webhook.' using errcode = '42501';
  end if;
  return (
    select jsonb_build_object('url', url, 'secret', 'whsec_' || encode(secret, 'base64'))
    from private.client_webhooks where client_id = _client_id
  );
end
$$;
revoke all on function public.client_webhook(_client_id uuid) from public, anon, authenticated, service_role;

create function public.close_meeting_month(_client_id uuid, _first_day date) returns text
language plpgsql security definer set search_path = '' as $$
declare
  _client public.clients;
  _open record;
  _sheet text;
begin
  _client := private.lock_assigned_client(_client_id);
  if _first_day is null or date_trunc('month', _first_day::timestamp) <> _first_day then
    raise exception 'A month is named by its first day.' using errcode = '22023';
  elsif (now() at time zone _client.time_zone)::date < _first_day + interval '1 month' then
    raise exception 'This month has not ended yet.' using errcode = 'P0001';
  elsif exists (select from public.client_meeting_months where client_id = _client_id and first_day = _first_day) then
    raise exception 'This month is already closed.' using errcode = 'P0001';
  end if;
  -- Waits for changes of its meetings, so that the next statement sees them.
  perform from public.client_meetings
  where client_id = _client_id and private.month_of_meeting(client_id, starts_at) = _first_day for update;
  select bool_or(answer = 'disputed') as disputed, bool_or(outcome = 'booked') as booked,
    max(answer_until) filter (where answer is null and answer_until > now()) as until
  into _open
  from public.client_meetings where client_id = _client_id and private.month_of_meeting(client_id, starts_at) = _first_day;
  if _open.disputed then
    raise exception 'A meeting of this month is disputed. Settle the dispute first.' using errcode = 'P0001';
  elsif _open.booked then
    raise exception 'A meeting of this month has no outcome yet. Record how it went first.' using errcode = 'P0001';
  elsif _open.until is not null then
    raise exception using errcode = 'P0001', message = 'The client can still dispute a meeting of this month until '
      || to_char(_open.until at time zone _client.time_zone, 'FMDD FMMonth YYYY') || ', or accept it before.';
  end if;
  _sheet := private.meeting_sheet(_client, _first_day)::text;
  insert into public.client_meeting_months (client_id, first_day, time_zone, sheet, hash, closed_by)
  values (_client_id, _first_day, _client.time_zone, _sheet, encode(sha256(convert_to(_sheet, 'UTF8')), 'hex'), private.user_id());
  return encode(sha256(convert_to(_sheet, 'UTF8')), 'hex');
end
$$;
revoke all on function public.close_meeting_month(_client_id uuid, _first_day date) from public, anon, authenticated, service_role;

create or replace function public.decide_by_link(
  _token text, _holder text, _verdict text, _comment text default '', _wording text default null
) returns text language plpgsql security definer set search_path = '' as $$
declare
  _found record;
  _link private.mailed_links;
begin
  _found := private.mailed_link_of(_token, _holder, 'approval');
  _link := _found.link;
  if _found.refusal is not null then
    return _found.refusal;
  elsif _link.holder_hash is null then
    return 'Please read this version before you decide.';
  elsif _link.used_at is not null then
    return 'This link has already been used. Sign in to see your decision.';
  end if;
  perform private.decide_approval(
    _link.client_id, _link.approval_id, _link.number, _verdict, _comment, _wording, _link.user_id
  );
  update private.mailed_links set used_at = now() where token_hash = _link.token_hash;
  return null;
end
$$;

create or replace function public.list_campaign_lists(_client_id uuid, _campaign_id uuid) returns table (
  id uuid, title text, number integer, row_count integer, is_used boolean
) language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only admins and assigned team members can do this' using errcode = '42501';
  end if;
  return query
    select approval.id, approval.title, approved.number, (
        select count(*)::integer from public.approval_rows as item
        where item.client_id = _client_id and item.approval_id = approval.id and item.number = approved.number
      ) - (
        select count(*)::integer from public.approval_vetoes as veto
        where veto.client_id = _client_id and veto.approval_id = approval.id and veto.number = approved.number
      ), used.approval_id is not null
    from public.approvals as approval
      left join public.campaign_lists as used on used.client_id = _client_id and used.campaign_id = _campaign_id
        and used.approval_id = approval.id and used.replaced_at is null
      left join lateral (
        select max(decision.number) as number from public.approval_decisions as decision
        where decision.client_id = _client_id and decision.approval_id = approval.id and decision.verdict = 'yes'
      ) as approved on true
    where approval.client_id = _client_id and approval.kind = 'list'
    order by used.approval_id is null, approval.created_at desc, approval.id limit 200;
end
$$;

create or replace function public.list_campaign_texts(_client_id uuid, _campaign_id uuid) returns table (
  id uuid, title text, is_approved boolean, is_sent boolean, step integer
) language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only admins and assigned team members can do this' using errcode = '42501';
  end if;
  return query
    select approval.id, approval.title, exists (
        select from public.approval_decisions as decision
        where decision.client_id = _client_id and decision.approval_id = approval.id and decision.verdict = 'yes'
      ), sent.approval_id is not null, sent.step
    from public.approvals as approval
      left join public.campaign_texts as sent on sent.client_id = _client_id and sent.campaign_id = _campaign_id
        and sent.approval_id = approval.id and sent.replaced_at is null
    where approval.client_id = _client_id and (approval.kind = 'text' or sent.approval_id is not null)
    order by sent.approval_id is null, sent.step nulls last, approval.created_at desc, approval.id limit 200;
end
$$;

drop function public.list_client_meetings(_client_id uuid, _limit integer, _offset integer);
create function public.list_client_meetings(
  _client_id uuid, _limit integer default 24, _offset integer default 0
) returns table (
  id uuid, starts_at timestamptz, met_with text, outcome text, evidence text, answer_until timestamptz, answer text,
  reason text, answered_by text, answered_at timestamptz, is_open boolean, waiting integer, total integer, campaign_id uuid,
  campaign text, booked_on date, origin text, details jsonb
) language plpgsql stable security definer set search_path = '' as $$
declare
  _works_for constant boolean := private.works_for_client(_client_id);
begin
  return query
    select meeting.id, meeting.starts_at, meeting.met_with, meeting.outcome, meeting.evidence, meeting.answer_until,
      meeting.answer, meeting.reason,
      coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), case when _works_for then users.email end, '')::text,
      meeting.answered_at, meeting.is_open, meeting.waiting, meeting.total, meeting.campaign_id, campaigns.name,
      meeting.booked_on, meeting.origin, private.meeting_details(_client_id, meeting.id, _works_for)
    from (
      select *, count(*) over ()::integer as total,
        count(*) filter (where any_meeting.is_open and any_meeting.answer is null) over ()::integer as waiting
      from (
        select *, coalesce(client_meetings.answer_until > now(), false) and client_meetings.answer is distinct from 'accepted' as is_open,
          client_meetings.id in (select meeting_id from private.awaited_results where awaited_results.client_id = _client_id) as is_awaited
        from public.client_meetings where client_id = _client_id
      ) as any_meeting
      order by (any_meeting.is_open and any_meeting.answer is null) desc, any_meeting.is_awaited desc,
        coalesce(any_meeting.starts_at, any_meeting.booked_on) desc, any_meeting.id
      limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0)
    ) as meeting left join auth.users on users.id = meeting.answered_by
      left join public.campaigns on campaigns.client_id = _client_id and campaigns.id = meeting.campaign_id
    order by (meeting.is_open and meeting.answer is null) desc, meeting.is_awaited desc,
      coalesce(meeting.starts_at, meeting.booked_on) desc, meeting.id;
end
$$;
revoke all on function public.list_client_meetings(_client_id uuid, _limit integer, _offset integer) from public, anon, authenticated, service_role;

create function public.list_library_texts(_search text default '', _limit integer default 24, _offset integer default 0)
returns table (
  id uuid, title text, subject text, body text, note text, changed_by text, changed_at timestamptz, total integer
) language plpgsql stable security definer set search_path = '' as $$
begin
  if not (private.is_admin() or private.is_team()) then
    raise exception 'Only approved team members and admins can read the library' using errcode = '42501';
  end if;
  return query
    select found.id, found.title, found.subject, found.body, found.note,
      coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), users.email, '')::text, found.changed_at, found.total
    from (
      select *, count(*) over ()::integer as total from public.library_texts as item
      where position(
        lower(trim(left(_search, 200))) in lower(concat_ws(' ', item.title, item.subject, item.body, item.note))
      ) > 0
      order by item.changed_at desc, item.id limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0)
    ) as found left join auth.users on users.id = found.changed_by
    order by found.changed_at desc, found.id;
end
$$;
revoke all on function public.list_library_texts(_search text, _limit integer, _offset integer) from public, anon, authenticated, service_role;

create function public.list_meeting_months(_client_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  _works_for constant boolean := private.works_for_client(_client_id);
begin
  return jsonb_build_object(
    'closed', coalesce((
      select jsonb_agg(jsonb_build_object(
        'first_day', first_day, 'count', sheet::jsonb -> 'count', 'hash', hash, 'closed_at', closed_at,
        'closed_by', coalesce(private.shown_name(closed_by, _works_for), '')
      ) order by first_day desc)
      from public.client_meeting_months where client_id = _client_id
    ), '[]'),
    'open', coalesce((
      select jsonb_agg(first_day order by first_day desc)
      from (
        select distinct private.month_of_meeting(client_id, starts_at) as first_day
        from public.client_meetings where client_id = _client_id
      ) as months
      where _works_for and first_day + interval '1 month' <= (
        select (now() at time zone time_zone)::date from public.clients where id = _client_id
      ) and not exists (
        select from public.client_meeting_months as month
        where month.client_id = _client_id and month.first_day = months.first_day
      )
    ), '[]')
  );
end
$$;
revoke all on function public.list_meeting_months(_client_id uuid) from public, anon, authenticated, service_role;

create or replace function public.open_approval_link(_token text, _holder text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  _found record;
  _link private.mailed_links;
  _newest integer;
begin
  _found := private.mailed_link_of(_token, _holder, 'approval');
  _link := _found.link;
  if _found.refusal is not null then
    return jsonb_build_object('refusal', _found.refusal);
  end if;
  update private.mailed_links set holder_hash = private.hash_of_link(_holder)
  where token_hash = _link.token_hash and holder_hash is null;
  select max(number) into _newest from public.approval_versions
  where client_id = _link.client_id and approval_id = _link.approval_id;
  return (
    select jsonb_build_object(
      'state', case
        when decision.verdict is not null then 'decided'
        when _link.used_at is not null then 'used'
        when _newest > _link.number then 'newer'
        else 'open'
      end,
      'kind', approvals.kind, 'title', approvals.title, 'client', clients.name, 'number', version.number, 'text', version.text,
      'former_text', case when approvals.kind = 'text' then former.text end, 'due_on', version.due_on, 'verdict', decision.verdict,
      'file', (
        select jsonb_build_object('object_name', object_name, 'name', name, 'mimetype', mimetype, 'size', size)
        from public.client_files where client_id = version.client_id and id = version.file_id
      ),
      'person', private.recipient_of_link(_link)
    )
    from public.approval_versions as version
      join public.approvals on approvals.client_id = version.client_id and approvals.id = version.approval_id
      join public.clients on clients.id = version.client_id
      left join public.approval_versions as former on former.client_id = version.client_id
        and former.approval_id = version.approval_id and former.number = version.number - 1
      left join public.approval_decisions as decision on decision.client_id = version.client_id
        and decision.approval_id = version.approval_id and decision.number = version.number
    where version.client_id = _link.client_id and version.approval_id = _link.approval_id and version.number = _link.number
  );
end
$$;

create or replace function public.open_campaign_source(_token_hash text, _secret_hash text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('provider', (opened.source).provider, 'is_allowed', opened.is_allowed,
    'is_deleted', private.is_deleted_campaign((opened.source).client_id, (opened.source).campaign_id), 'texts', coalesce((
    select jsonb_agg(jsonb_build_object(
      'id', approvals.id, 'title', approvals.title, 'step', step, 'number', approved.number, 'text', version.text,
      'starts_at', period.starts_at, 'ends_at', period.ends_at
    ) order by step, sent.created_at, approved.number)
    from public.campaign_texts as sent
      join public.approvals on approvals.client_id = sent.client_id and approvals.id = sent.approval_id
      cross join lateral private.approved_versions(sent.client_id, sent.approval_id) as approved
      cross join lateral (
        select greatest(sent.created_at - interval '10 minutes', approved.starts_at), least(sent.replaced_at, approved.ends_at)
      ) as period (starts_at, ends_at)
      left join public.approval_versions as version on version.client_id = sent.client_id
        and version.approval_id = sent.approval_id and version.number = approved.number
    where period.starts_at < coalesce(period.ends_at, 'infinity') and opened.is_allowed and sent.client_id = (opened.source).client_id and sent.campaign_id = (opened.source).campaign_id
  ), '[]'))
  from private.open_source(_token_hash, _secret_hash) as opened
  where (opened.source).id is not null
$$;

create function public.open_lead_link(_token text, _holder text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  _found constant record := private.mailed_link_of(_token, _holder, 'lead');
  _link constant private.mailed_links := _found.link;
begin
  if _found.refusal is not null then
    return jsonb_build_object('refusal', _found.refusal);
  end if;
  return jsonb_build_object(
    'client', (select name from public.clients where id = _link.client_id),
    'person', private.recipient_of_link(_link),
    'lead', private.lead_with_history(_link.client_id, _link.lead_id, false)
  );
end
$$;
revoke all on function public.open_lead_link(_token text, _holder text) from public, anon, authenticated, service_role;

create function public.renew_client_webhook_secret(_client_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_webhook_manager(_client_id);
  update private.client_webhooks set secret = private.new_secret(), changed_by = private.user_id(), changed_at = now()
  where client_id = _client_id;
end
$$;
revoke all on function public.renew_client_webhook_secret(_client_id uuid) from public, anon, authenticated, service_role;

create function public.report_meeting_result(
  _client_id uuid, _meeting_id uuid, _former_number integer, _status text, _amount numeric default null, _reason text default ''
) returns void language plpgsql security definer set search_path = '' as $$
declare
  _meeting public.client_meetings;
  _lead public.client_leads;
  _number integer;
  _said constant text := case _status when 'lost' then btrim(coalesce(_reason, ''), E' \t\r\n') else '' end;
begin
  if not private.works_for_client(_client_id) and _client_id not in (select private.clients_of_approver()) then
    raise exception 'You can read this, but only approvers can report results.' using errcode = '42501';
  end if;
  select * into _meeting from public.client_meetings where client_id = _client_id and id = _meeting_id for update;
  if not found then
    raise exception 'This meeting no longer exists.' using errcode = 'P0001';
  elsif _meeting.outcome <> 'held' then
    raise exception 'Only a meeting that was held has a result.' using errcode = 'P0001';
  elsif _meeting.answer = 'disputed' then
    raise exception 'This meeting is disputed. Settle the dispute first.' using errcode = 'P0001';
  end if;
  select coalesce(max(number), 0) into _number from public.client_meeting_results
  where client_id = _client_id and meeting_id = _meeting_id;
  if _number is distinct from _former_number then
    raise exception 'Someone else has already reported a result of this meeting. Reload the page to read it.' using errcode = 'P0001';
  elsif _number >= 200 then
    raise exception 'A meeting can have at most 200 reported results.' using errcode = 'P0001';
  elsif _status = 'won' and _amount is null then
    raise exception 'Please enter the amount of the deal.' using errcode = 'P0001';
  elsif _status in ('won', 'opportunity') and not coalesce(_amount between 0 and 1000000000000, true) then
    raise exception 'An amount must be between 0 and 1,000,000,000,000.' using errcode = 'P0001';
  elsif _status = 'lost' and _said = '' then
    raise exception 'Please say why the deal was lost.' using errcode = 'P0001';
  end if;
  insert into public.client_meeting_results (client_id, meeting_id, number, status, amount, reason, reported_by)
  values (
    _client_id, _meeting_id, _number + 1, _status, case when _status in ('won', 'opportunity') then _amount end, _said,
    private.user_id()
  );
  if _status in ('won', 'lost') then
    select * into _lead from public.client_leads where client_id = _client_id and id = _meeting.lead_id for update;
    if found and _lead.status <> _status then
      perform private.change_lead(_client_id, _lead.id, _lead.status, _status, _said, private.user_id());
    end if;
  end if;
end
$$;
revoke all on function public.report_meeting_result(_client_id uuid, _meeting_id uuid, _former_number integer, _status text, _amount numeric, _reason text) from public, anon, authenticated, service_role;

create function public.save_client_meeting(
  _client_id uuid, _starts_at timestamptz, _met_with text, _outcome text, _evidence text default '', _id uuid default null,
  _campaign_id uuid default null, _booked_on date default null, _facts jsonb default null, _lead_id uuid default null
) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  _old public.client_meetings;
  _zone constant text := (select time_zone from public.clients where id = _client_id);
  _today constant date := (now() at time zone _zone)::date;
  _until constant timestamptz := case when _outcome <> 'booked' then now() + interval '14 days' end;
  _saved uuid;
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only admins and assigned team members can record meetings' using errcode = '42501';
  elsif _outcome <> 'booked' and _starts_at > now() then
    raise exception 'This meeting is in the future. Its outcome must be “booked”.' using errcode = 'P0001';
  elsif _booked_on > _today then
    raise exception 'The booking date cannot be in the future.' using errcode = 'P0001';
  end if;
  if _id is null then
    -- Locks the client, so that concurrent calls cannot exceed the limit.
    perform from public.clients where id = _client_id for no key update;
    _booked_on := coalesce(_booked_on, least(_today, (_starts_at at time zone _zone)::date));
    -- If a figure already counts a meeting of this campaign on that day or in that week, its row is completed instead.
    select meeting.id into _id from public.client_meetings as meeting
      left join public.campaign_figures as figure on figure.client_id = _client_id and figure.campaign_id = _campaign_id
        and metric = 'meetings' and replaced_by is null and meeting.booked_on between first_day and last_day
    where meeting.client_id = _client_id and meeting.campaign_id = _campaign_id and origin = 'figure'
      and _booked_on between coalesce(first_day, booked_on) and coalesce(last_day, booked_on)
    order by meeting.booked_on, meeting.created_at, meeting.id limit 1;
  end if;
  if _id is null then
    if (select count(*) from public.client_meetings where client_id = _client_id) >= 10000 then
      raise exception 'A client can have at most 10,000 meetings.' using errcode = 'P0001';
    end if;
    insert into public.client_meetings (
      client_id, starts_at, met_with, outcome, evidence, answer_until, kept_by, campaign_id, booked_on
    ) values (_client_id, _starts_at, trim(_met_with), _outcome, _evidence, _until, private.user_id(), _campaign_id, _booked_on)
    returning id into _saved;
    perform private.save_meeting_facts(_client_id, _saved, _facts);
    perform private.set_lead_of_meeting(_client_id, _saved, _lead_id);
    return _saved;
  end if;
  select * into _old from public.client_meetings where client_id = _client_id and id = _id for update;
  if not found then
    raise exception 'This meeting no longer exists.' using errcode = 'P0001';
  elsif _old.answer = 'accepted' then
    raise exception 'The client has accepted this meeting, so it cannot be changed.' using errcode = 'P0001';
  end if;
  update public.client_meetings set
    starts_at = _starts_at, met_with = trim(_met_with), outcome = _outcome, evidence = _evidence, kept_by = private.user_id(),
    campaign_id = _campaign_id,
    -- Keeps the day of a meeting that a figure added, so that the figure still matches it.
    booked_on = case origin when 'person' then coalesce(_booked_on, booked_on) else booked_on end,
    origin = case origin when 'figure' then 'completed' else origin end,
    answer_until = case when outcome = _outcome then answer_until else _until end,
    answer = case when outcome = _outcome then answer end,
    reason = case when outcome = _outcome then reason else '' end,
    answered_by = case when outcome = _outcome then answered_by end,
    answered_at = case when outcome = _outcome then answered_at end,
    criterion = case when outcome = _outcome then criterion end
  where client_id = _client_id and id = _id;
  perform private.save_meeting_facts(_client_id, _id, _facts);
  perform private.set_lead_of_meeting(_client_id, _id, _lead_id);
  return _id;
end
$$;
revoke all on function public.save_client_meeting(_client_id uuid, _starts_at timestamp with time zone, _met_with text, _outcome text, _evidence text, _id uuid, _campaign_id uuid, _booked_on date, _facts jsonb, _lead_id uuid) from public, anon, authenticated, service_role;

create function public.save_client_webhook(_client_id uuid, _url text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _address constant text := trim(coalesce(_url, ''));
begin
  perform private.require_webhook_manager(_client_id);
  if _address = '' then
    delete from private.client_webhooks where client_id = _client_id;
    update public.client_webhook_deliveries set status = 'failed', last_error = 'The webhook was removed.', ended_at = now()
    where client_id = _client_id and status = 'waiting';
    return;
  elsif _address !~ '^https://[^[:space:][:cntrl:]]+$' or length(_address) > 2000 then
    raise exception 'The webhook URL must start with https://' using errcode = '23514';
  end if;
  insert into private.client_webhooks (client_id, url, changed_by) values (_client_id, _address, private.user_id())
  on conflict (client_id) do update set
    url = excluded.url, changed_by = excluded.changed_by, changed_at = now(), paused_until = null;
end
$$;
revoke all on function public.save_client_webhook(_client_id uuid, _url text) from public, anon, authenticated, service_role;

create function public.save_library_text(
  _id uuid, _read_at timestamptz, _title text, _subject text, _body text, _note text
) returns void language plpgsql security definer set search_path = '' as $$
declare
  _text public.library_texts;
begin
  if not (private.is_admin() or private.is_team()) then
    raise exception 'Only approved team members and admins can save texts to the library' using errcode = '42501';
  end if;
  select * into _text from public.library_texts where id = _id for update;
  if not found then
    raise exception 'This text is no longer in the library.' using errcode = 'P0001';
  elsif _text.changed_at is distinct from _read_at then
    raise exception 'Someone else has changed this text. Close the form and open it again to see the changes.' using errcode = 'P0001';
  end if;
  perform private.require_no_client_name(_text.origin_id, _title, _subject, _body, _note);
  update public.library_texts set title = trim(_title), subject = trim(_subject), body = _body, note = trim(_note),
    changed_by = private.user_id(), changed_at = clock_timestamp()
  where id = _id;
end
$$;
revoke all on function public.save_library_text(_id uuid, _read_at timestamp with time zone, _title text, _subject text, _body text, _note text) from public, anon, authenticated, service_role;

create function public.send_test_client_webhook(_client_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_webhook_manager(_client_id);
  if not exists (select from private.client_webhooks where client_id = _client_id) then
    raise exception 'Save the webhook URL first.' using errcode = 'P0001';
  elsif not private.count_for_subject('test webhook', _client_id::text, 20, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'Too many test requests. Try again in an hour.';
  end if;
  insert into public.client_webhook_deliveries (client_id, event, payload)
  select id, 'test', jsonb_build_object('client', jsonb_build_object('id', id, 'name', name))
  from public.clients where id = _client_id;
end
$$;
revoke all on function public.send_test_client_webhook(_client_id uuid) from public, anon, authenticated, service_role;

create or replace function public.set_campaign_list(
  _client_id uuid, _campaign_id uuid, _approval_id uuid, _is_used boolean
) returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.lock_assigned_client(_client_id);
  if not _is_used then
    update public.campaign_lists set replaced_at = clock_timestamp()
    where client_id = _client_id and campaign_id = _campaign_id and approval_id = _approval_id and replaced_at is null;
  elsif exists (select from public.approvals where client_id = _client_id and id = _approval_id and kind = 'list') then
    insert into public.campaign_lists (client_id, campaign_id, approval_id, added_by)
    values (_client_id, _campaign_id, _approval_id, private.user_id())
    on conflict do nothing;
  else
    raise exception 'This list no longer exists.' using errcode = 'P0001';
  end if;
end
$$;

create or replace function public.set_campaign_text(
  _client_id uuid, _campaign_id uuid, _approval_id uuid, _is_sent boolean, _step integer default null
) returns void language plpgsql security definer set search_path = '' as $$
declare
  _now timestamptz;
begin
  perform private.lock_assigned_client(_client_id);
  -- Read after the lock, so that the new row begins after the former one.
  _now := clock_timestamp();
  update public.campaign_texts set replaced_at = _now
  where client_id = _client_id and campaign_id = _campaign_id and approval_id = _approval_id and replaced_at is null
    and not (_is_sent and step is not distinct from _step);
  if _is_sent then
    insert into public.campaign_texts (client_id, campaign_id, approval_id, step, added_by, created_at)
    values (_client_id, _campaign_id, _approval_id, _step, private.user_id(), _now)
    on conflict (client_id, campaign_id, approval_id) where replaced_at is null do nothing;
  end if;
end
$$;

create or replace function public.veto_by_link(
  _token text, _holder text, _lines integer[] default '{}'::integer[], _domain text default null, _is_back boolean default false
) returns integer language plpgsql security definer set search_path = '' as $$
declare
  _link constant private.mailed_links := private.held_approval_link(_token, _holder);
begin
  if _link.token_hash is null or _link.used_at is not null then
    raise exception 'This link has expired. Sign in to see your open approvals.' using errcode = 'P0001';
  end if;
  return private.veto_rows(
    _link.client_id, _link.approval_id, _link.number, _lines, _domain, _is_back, _link.user_id
  );
end
$$;

create view private.awaited_results with (security_invoker = true) as
select meeting.client_id, meeting.id as meeting_id, meeting.met_with, meeting.starts_at, current_step.step, current_step.due_at
from public.client_meetings as meeting
  join public.clients on clients.id = meeting.client_id and not clients.is_sample
  cross join lateral (
    select steps.step, steps.due_at
    from (
      select step, ((meeting.starts_at at time zone clients.time_zone)::date + step + time '08:00') at time zone clients.time_zone
      from unnest(array[30, 60, 90]) as step
    ) as steps (step, due_at)
    where steps.due_at <= now() order by steps.step desc limit 1
  ) as current_step
  left join lateral (
    select result.status, result.created_at from public.client_meeting_results as result
    where result.client_id = meeting.client_id and result.meeting_id = meeting.id order by result.number desc limit 1
  ) as latest on true
where meeting.outcome = 'held' and meeting.starts_at between now() - interval '120 days' and now() - interval '29 days'
  and (meeting.answer = 'accepted' or meeting.answer is null and meeting.answer_until <= now())
  and (latest.status is null or latest.status in ('nothing_yet', 'opportunity') and latest.created_at < current_step.due_at);

create view private.result_requests_due with (security_invoker = true) as
select users.id as user_id, users.email::text as email, clients.name as client, clients.time_zone, awaited.*
from private.awaited_results as awaited
  join public.clients on clients.id = awaited.client_id
  cross join lateral private.members_to_mail(awaited.client_id, 'waiting') as member
  join auth.users on users.id = member.user_id and coalesce(users.banned_until <= now(), true)
where not exists (
    select from private.result_requests as request
    where (request.client_id, request.meeting_id, request.step, request.user_id)
      = (awaited.client_id, awaited.meeting_id, awaited.step, users.id)
  )
  and not exists (
    select from private.result_requests as request where request.user_id = users.id and request.asked_at > now() - interval '1 day'
  );

alter table public.approvals drop constraint approvals_kind_check;
alter table public.approvals add constraint approvals_kind_check CHECK ((kind = ANY (ARRAY['text'::text, 'list'::text, 'file'::text, 'criteria'::text])));

alter table public.campaign_lists drop constraint campaign_lists_pkey;
alter table public.campaign_lists add constraint campaign_lists_pkey PRIMARY KEY (client_id, campaign_id, approval_id, created_at);

alter table public.campaign_texts drop constraint campaign_texts_pkey;
alter table public.campaign_texts add constraint campaign_texts_pkey PRIMARY KEY (client_id, campaign_id, approval_id, created_at);

alter table public.client_meetings add constraint client_meetings_client_id_lead_id_fkey FOREIGN KEY (client_id, lead_id) REFERENCES client_leads(client_id, id) ON DELETE SET NULL (lead_id);

alter table private.mailed_links add constraint mailed_links_client_id_lead_id_fkey FOREIGN KEY (client_id, lead_id) REFERENCES client_leads(client_id, id) ON DELETE CASCADE;

alter table private.mailed_links add constraint mailed_links_subject_check CHECK (((num_nonnulls(approval_id, lead_id) = 1) AND ((approval_id IS NULL) = (number IS NULL))));

create index client_webhooks_changed_by_idx on private.client_webhooks (changed_by);

create index mailed_links_lead_idx on private.mailed_links (client_id, lead_id);

create index result_requests_user_idx on private.result_requests (user_id, asked_at);

create unique index campaign_lists_current_idx on public.campaign_lists (client_id, campaign_id, approval_id) where replaced_at is null;

create unique index campaign_texts_current_idx on public.campaign_texts (client_id, campaign_id, approval_id) where replaced_at is null;

create index client_meeting_changes_changed_by_idx on public.client_meeting_changes (changed_by);

create index client_meeting_months_closed_by_idx on public.client_meeting_months (closed_by);

create index client_meeting_results_reported_by_idx on public.client_meeting_results (reported_by);

create index client_meetings_held_idx on public.client_meetings (starts_at) where outcome = 'held';

create index client_meetings_lead_idx on public.client_meetings (client_id, lead_id);

create index client_webhook_deliveries_latest_idx on public.client_webhook_deliveries (client_id, id);

create index client_webhook_deliveries_lead_idx on public.client_webhook_deliveries (client_id, lead_id);

create index client_webhook_deliveries_next_idx on public.client_webhook_deliveries (client_id, id) where status = 'waiting';

create index library_texts_changed_by_idx on public.library_texts (changed_by);

create index library_texts_created_by_idx on public.library_texts (created_by);

create index library_texts_origin_idx on public.library_texts (origin_id);

create trigger keep_closed before update or delete on public.client_meeting_months
  for each row execute function private.keep_closed_month();

create trigger keep_closed_added before insert on public.client_meetings
  for each row when (new.starts_at is not null) execute function private.keep_closed_meeting();

create trigger keep_closed_changed before update of starts_at, met_with, outcome, evidence, answer, reason, role, company_size,
  country, is_customer, minutes, criterion on public.client_meetings
  for each row execute function private.keep_closed_meeting();

create trigger keep_closed_deleted before delete on public.client_meetings
  for each row when (old.starts_at is not null) execute function private.keep_closed_meeting();

create trigger note_added after insert on public.client_meetings
  for each row when (new.origin = 'person') execute function private.note_meeting_change();

create trigger note_changed after update of outcome, answer, reason, criterion on public.client_meetings
  for each row when ((old.outcome, old.answer, old.reason, old.criterion) is distinct from (new.outcome, new.answer, new.reason, new.criterion))
  execute function private.note_meeting_change();

create trigger notify_webhook_queued after insert on public.client_webhook_deliveries
  for each statement execute function private.notify_webhook_queued();

create trigger queue_client_webhook after insert on public.client_leads
  for each row execute function private.queue_client_webhook();

create trigger queue_client_webhook_change after update on public.client_leads for each row when (
  (old.name, old.email, old.company, old.title, old.words, old.status, old.reason)
  is distinct from (new.name, new.email, new.company, new.title, new.words, new.status, new.reason)
) execute function private.queue_client_webhook();

create trigger reject_impersonated_writes before insert or update or delete on private.client_webhooks
  for each statement execute function private.reject_impersonated_writes();

create trigger reject_impersonated_writes before insert or update or delete on public.client_meeting_results
  for each statement execute function private.reject_impersonated_writes();

create trigger reject_impersonated_writes before insert or update or delete on public.library_texts
  for each statement execute function private.reject_impersonated_writes();

alter table private.result_requests enable row level security;

alter table public.client_meeting_changes enable row level security;

alter table public.client_meeting_months enable row level security;

alter table public.client_meeting_results enable row level security;

alter table public.client_webhook_deliveries enable row level security;

alter table public.library_texts enable row level security;

create policy "Admins read all closed months" on public.client_meeting_months for select to authenticated
  using ((select private.is_admin()));

create policy "Admins read the history of all meetings" on public.client_meeting_changes for select to authenticated
  using ((select private.is_admin()));

create policy "Admins read the results of all meetings" on public.client_meeting_results for select to authenticated
  using ((select private.is_admin()));

create policy "Admins read the webhook deliveries of all clients" on public.client_webhook_deliveries as permissive for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Approvers read the webhook deliveries of their clients" on public.client_webhook_deliveries as permissive for select to authenticated
  using ((client_id IN ( SELECT private.clients_read_by_approver() AS clients_read_by_approver)));

create policy "Members read the closed months of their clients" on public.client_meeting_months for select to authenticated
  using (client_id in (select private.clients_of_member()));

create policy "Members read the history of their clients' meetings" on public.client_meeting_changes for select to authenticated
  using (client_id in (select private.clients_of_member()));

create policy "Members read the results of their clients' meetings" on public.client_meeting_results for select to authenticated
  using (client_id in (select private.clients_of_member()));

create policy "Team members and admins delete texts of the library" on public.library_texts for delete to authenticated
  using ((select private.is_admin()) or (select private.is_team()));

create policy "Team members and admins read the library" on public.library_texts for select to authenticated
  using ((select private.is_admin()) or (select private.is_team()));

create policy "Team members read the closed months of their clients" on public.client_meeting_months for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

create policy "Team members read the history of their clients' meetings" on public.client_meeting_changes as permissive for select to authenticated
  using ((client_id IN ( SELECT private.clients_of_team_member() AS clients_of_team_member)));

create policy "Team members read the results of their clients' meetings" on public.client_meeting_results as permissive for select to authenticated
  using ((client_id IN ( SELECT private.clients_of_team_member() AS clients_of_team_member)));

create policy "Team members read the webhook deliveries of their clients" on public.client_webhook_deliveries as permissive for select to authenticated
  using ((client_id IN ( SELECT private.clients_of_team_member() AS clients_of_team_member)));

grant execute on function private.clients_read_by_approver() to anon;

grant execute on function private.clients_read_by_approver() to authenticated;

grant execute on function private.clients_read_by_approver() to service_role;

grant execute on function public.add_library_text(_client_id uuid, _approval_id uuid, _title text, _subject text, _body text, _note text) to authenticated;

grant execute on function public.add_library_text(_client_id uuid, _approval_id uuid, _title text, _subject text, _body text, _note text) to service_role;

grant execute on function public.answer_client_meeting(_client_id uuid, _id uuid, _outcome text, _answer text, _reason text, _criterion text) to authenticated;

grant execute on function public.answer_client_meeting(_client_id uuid, _id uuid, _outcome text, _answer text, _reason text, _criterion text) to service_role;

grant execute on function public.ask_for_criteria_approval(_client_id uuid, _title text, _criteria jsonb, _due_on date, _approval_id uuid) to authenticated;

grant execute on function public.ask_for_criteria_approval(_client_id uuid, _title text, _criteria jsonb, _due_on date, _approval_id uuid) to service_role;

grant execute on function public.change_lead_by_link(_token text, _holder text, _former_status text, _status text, _reason text) to anon;

grant execute on function public.change_lead_by_link(_token text, _holder text, _former_status text, _status text, _reason text) to authenticated;

grant execute on function public.change_lead_by_link(_token text, _holder text, _former_status text, _status text, _reason text) to service_role;

grant execute on function public.client_webhook(_client_id uuid) to authenticated;

grant execute on function public.client_webhook(_client_id uuid) to service_role;

grant execute on function public.close_meeting_month(_client_id uuid, _first_day date) to authenticated;

grant execute on function public.close_meeting_month(_client_id uuid, _first_day date) to service_role;

grant execute on function public.list_library_texts(_search text, _limit integer, _offset integer) to authenticated;

grant execute on function public.list_library_texts(_search text, _limit integer, _offset integer) to service_role;

grant execute on function public.list_meeting_months(_client_id uuid) to authenticated;

grant execute on function public.list_meeting_months(_client_id uuid) to service_role;

grant execute on function public.open_lead_link(_token text, _holder text) to anon;

grant execute on function public.open_lead_link(_token text, _holder text) to authenticated;

grant execute on function public.open_lead_link(_token text, _holder text) to service_role;

grant execute on function public.renew_client_webhook_secret(_client_id uuid) to authenticated;

grant execute on function public.renew_client_webhook_secret(_client_id uuid) to service_role;

grant execute on function public.report_meeting_result(_client_id uuid, _meeting_id uuid, _former_number integer, _status text, _amount numeric, _reason text) to authenticated;

grant execute on function public.report_meeting_result(_client_id uuid, _meeting_id uuid, _former_number integer, _status text, _amount numeric, _reason text) to service_role;

grant execute on function public.save_client_meeting(_client_id uuid, _starts_at timestamp with time zone, _met_with text, _outcome text, _evidence text, _id uuid, _campaign_id uuid, _booked_on date, _facts jsonb, _lead_id uuid) to authenticated;

grant execute on function public.save_client_meeting(_client_id uuid, _starts_at timestamp with time zone, _met_with text, _outcome text, _evidence text, _id uuid, _campaign_id uuid, _booked_on date, _facts jsonb, _lead_id uuid) to service_role;

grant execute on function public.save_client_webhook(_client_id uuid, _url text) to authenticated;

grant execute on function public.save_client_webhook(_client_id uuid, _url text) to service_role;

grant execute on function public.save_library_text(_id uuid, _read_at timestamp with time zone, _title text, _subject text, _body text, _note text) to authenticated;

grant execute on function public.save_library_text(_id uuid, _read_at timestamp with time zone, _title text, _subject text, _body text, _note text) to service_role;

grant execute on function public.send_test_client_webhook(_client_id uuid) to authenticated;

grant execute on function public.send_test_client_webhook(_client_id uuid) to service_role;

grant select (client_id, meeting_id, number, status, reason, reported_by, created_at) on table public.client_meeting_results to authenticated;

grant select (id, title, subject, body, note, created_by, changed_by, created_at, changed_at) on table public.library_texts to authenticated;

grant select on table private.awaited_results to authenticated;

grant select on table private.awaited_results to service_role;

grant select on table public.client_meeting_changes to authenticated;

grant all on table public.client_meeting_changes to service_role;

grant select on table public.client_meeting_months to authenticated;

grant all on table public.client_meeting_months to service_role;

grant all on table public.client_meeting_results to service_role;

grant select on table public.client_webhook_deliveries to authenticated;

grant all on table public.client_webhook_deliveries to service_role;

grant delete on table public.library_texts to authenticated;

grant all on table public.library_texts to service_role;

comment on table private.mailed_links is 'Email links that open one approval version or one lead for one approver.';

create or replace function private.held_approval_link(_token text, _holder text) returns private.mailed_links
language sql stable security definer set search_path = '' as $$
  select link from private.mailed_links as link
  where link.token_hash = private.hash_of_link(left(_token, 200)) and link.approval_id is not null
    and link.holder_hash = private.hash_of_link(left(_holder, 200)) and private.is_mailed_link_live(link)
$$;

create or replace function private.mail_client_about_approval(_version public.approval_versions) returns void
language sql security definer set search_path = '' as $$
  -- Materialized, because the planner could otherwise call count_for_subject() for other people's addresses.
  with people as materialized (
    select user_id, email, clients.name as client, approvals.title, approvals.kind
    from private.members_to_mail(_version.client_id, 'waiting'), public.clients
      join public.approvals on approvals.client_id = clients.id and approvals.id = _version.approval_id
    where clients.id = _version.client_id
  ), mailed as materialized (
    select *, private.new_link_token() as token, case
      when private.count_for_subject('approval mail', lower(email), 19, interval '1 day') then ''
      when private.count_for_subject('approval mail', lower(email), 20, interval '1 day')
        then 'This is the last approval email today. See your dashboard for further approvals.'
    end as more
    from people
  ), linked as (
    insert into private.mailed_links (token_hash, client_id, approval_id, number, user_id, address_hash)
    select hash, _version.client_id, _version.approval_id, _version.number, user_id,
      private.hash_of_link(hash || lower(email))
    from mailed, private.hash_of_link(token) as hash where more is not null
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'approval_asked', jsonb_build_object(
    'Email', email, 'Title', title, 'Client', client, 'More', more,
    'Message', case when kind = 'text' then private.first_lines(_version.text) else '' end,
    'Path', '/approve/' || token,
    'Access', 'The button works without a password for 14 days, in the first browser that opens it. Do not forward this email.',
    'What', case kind
      when 'text' then 'We wrote a text' when 'list' then 'We prepared a list'
      when 'criteria' then 'We wrote criteria for meetings' else 'We prepared a file'
    end,
    'Version', case
      when _version.number = 1 then ''
      when kind = 'text' then 'This is version ' || _version.number || ', with the changes marked.'
      else 'This is version ' || _version.number || '.'
    end,
    'Due', case
      when _version.due_on is null then ''
      else 'Please answer by ' || to_char(_version.due_on, 'FMDD FMMonth YYYY') || '.'
    end
  )
  from mailed where more is not null
$$;

create function private.meeting_sheet(_client public.clients, _first_day date) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'client', _client.name, 'client_id', _client.id, 'month', to_char(_first_day, 'YYYY-MM'), 'time_zone', _client.time_zone,
    'count', count(*), 'meetings', coalesce(jsonb_agg(jsonb_build_object(
      'id', meeting.id, 'starts_at', to_char(starts_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'met_with', met_with,
      'campaign', campaigns.name, 'answer', answer, 'role', role, 'company_size', company_size, 'country', country,
      'is_customer', is_customer, 'minutes', minutes,
      'criteria', judgement - 'text' || jsonb_build_object('sha256', private.hash_of_link(judgement ->> 'text'))
    ) order by starts_at, meeting.id), '[]')
  )
  from public.client_meetings as meeting
    cross join lateral private.judge_meeting(meeting) as judgement
    left join public.campaigns on campaigns.client_id = meeting.client_id and campaigns.id = meeting.campaign_id
  where meeting.client_id = _client.id and private.month_of_meeting(meeting.client_id, starts_at) = _first_day
    -- After a change of the time zone, a meeting could otherwise count in two months.
    and not private.is_meeting_closed(meeting.client_id, starts_at)
    and outcome = 'held' and (answer = 'accepted' or not coalesce(judgement -> 'results' @> '[{"state": "not_met"}]', false))
$$;
revoke all on function private.meeting_sheet(_client clients, _first_day date) from public, anon, authenticated, service_role;

create or replace function private.pending_client_tasks(_client_id uuid) returns text
language sql stable security definer set search_path = '' as $$
  with texts as (
    select '“' || approval.title || '”' || case
      when version.due_on is null then ''
      else ', by ' || to_char(version.due_on, 'FMDD FMMonth YYYY')
    end as line, version.due_on, version.created_at
    from public.approvals as approval
      join lateral (
        select * from public.approval_versions as any_version
        where any_version.client_id = _client_id and any_version.approval_id = approval.id
        order by any_version.number desc limit 1
      ) as version on true
    where approval.client_id = _client_id and not exists (
      select from public.approval_decisions as decision
      where decision.client_id = _client_id and decision.approval_id = approval.id and decision.number = version.number
    )
  ), meetings as (
    select count(*) as waiting from public.client_meetings
    where client_id = _client_id and answer is null and answer_until > now()
  ), lines (place, line) as (
    (select 1, 'To approve: ' || line from texts order by due_on nulls last, created_at limit 5)
    union all
    select 2, 'And ' || count(*) - 5 || ' more to approve' from texts having count(*) > 5
    union all
    select 3, case waiting when 1 then 'A meeting' else waiting || ' meetings' end || ' to confirm' from meetings where waiting > 0
    union all
    select 4, case count(*) when 1 then 'A new lead' else count(*) || ' new leads' end
    from public.client_leads where client_id = _client_id and status = 'new' having count(*) > 0
    union all
    select 5, case count(*) when 1 then 'A report' else count(*) || ' reports' end || ' to read'
    from public.client_reports where client_id = _client_id and sent_at is not null having count(*) > 0
    union all
    select 6, case count(*) when 1 then 'The result of a meeting' else 'The results of ' || count(*) || ' meetings' end || ' to report'
    from private.awaited_results where client_id = _client_id having count(*) > 0
  )
  select coalesce(string_agg(line, E'\n' order by place), '') from lines
$$;

create function private.results_of_meeting(_client_id uuid, _meeting_id uuid, _works_for boolean) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'is_awaited', exists (
      select from private.awaited_results as awaited where awaited.client_id = _client_id and awaited.meeting_id = _meeting_id
    ),
    'reports', coalesce((
      select jsonb_agg(jsonb_build_object(
        'number', number, 'status', status, 'amount', case when private.sees_amounts(_client_id) then amount end,
        'reason', result.reason, 'at', created_at, 'by', coalesce(private.shown_name(reported_by, _works_for), '')
      ) order by number desc)
      from public.client_meeting_results as result where client_id = _client_id and meeting_id = _meeting_id
    ), '[]')
  )
$$;
revoke all on function private.results_of_meeting(_client_id uuid, _meeting_id uuid, _works_for boolean) from public, anon, authenticated, service_role;

create or replace function public.team_overview() returns jsonb language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', clients.id, 'name', clients.name, 'domain', clients.domain, 'time_zone', clients.time_zone,
    'first_weekday', clients.first_weekday,
    'is_running', exists (select from public.campaigns where client_id = clients.id and phase = 'running'),
    'latest', (
      select max(last_day) from public.campaign_figures
      where client_id = clients.id and replaced_by is null and first_day >= (
        select max(first_day) - 6 from public.campaign_figures where client_id = clients.id and replaced_by is null
      )
    ),
    'waits_for_client', texts.open + meetings.open + quotes.open + leads.fresh + results.awaited, 'due_on', texts.due_on,
    'waits_for_us', texts.refused + meetings.disputed, 'unread', texts.unread,
    'read_at', (select max(last_at) from public.client_reads where client_id = clients.id and what = 'rooms')
  ) order by clients.name, clients.id), '[]')
  from public.clients
    cross join lateral (
      select count(*) filter (where decision.number is null) as open,
        count(*) filter (where decision.verdict in ('no', 'changes')) as refused,
        min(version.due_on) filter (where decision.number is null) as due_on,
        count(*) filter (
          where decision.number is null and version.created_at < now() - interval '7 days'
            and exists (select from public.client_members where client_id = clients.id)
            and not exists (
              select from public.client_reads as noted
              where noted.client_id = clients.id and noted.what = 'approval' and noted.item_id = approval.id
                and noted.last_at >= version.created_at
            )
        ) as unread
      from public.approvals as approval
        join lateral (
          select * from public.approval_versions as any_version
          where any_version.client_id = clients.id and any_version.approval_id = approval.id
          order by any_version.number desc limit 1
        ) as version on true
        left join public.approval_decisions as decision
          on decision.client_id = clients.id and decision.approval_id = approval.id and decision.number = version.number
      where approval.client_id = clients.id
    ) as texts
    cross join lateral (
      select count(*) filter (where answer is null and answer_until > now()) as open,
        count(*) filter (where answer = 'disputed') as disputed
      from public.client_meetings where client_id = clients.id
    ) as meetings
    cross join lateral (
      select count(*) as open from public.figure_quotes as quote join public.projects on projects.id = quote.project_id
      where quote.client_id = clients.id and quote.answer is null and quote.ended_at is null
    ) as quotes
    cross join lateral (
      select count(*) filter (where status = 'new') as fresh from public.client_leads where client_id = clients.id
    ) as leads
    cross join lateral (
      select count(*) as awaited from private.awaited_results where client_id = clients.id
    ) as results
  where (select private.is_admin()) or clients.id in (select private.clients_of_team_member())
$$;

grant execute on function public.list_client_meetings(_client_id uuid, _limit integer, _offset integer) to authenticated;

grant execute on function public.list_client_meetings(_client_id uuid, _limit integer, _offset integer) to service_role;

create function private.meeting_details(_client_id uuid, _id uuid, _works_for boolean) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'role', role, 'company_size', company_size, 'country', country, 'is_customer', is_customer, 'minutes', minutes,
    'criterion', criterion, 'judgement', private.judge_meeting(meeting), 'lead', (
      select jsonb_build_object('id', lead.id, 'name', coalesce(nullif(lead.name, ''), nullif(lead.email, ''), lead.company))
      from public.client_leads as lead where lead.client_id = _client_id and lead.id = meeting.lead_id
    ), 'is_closed', private.is_meeting_closed(_client_id, starts_at), 'result', private.results_of_meeting(_client_id, _id, _works_for),
    'changes', coalesce((
      select jsonb_agg(jsonb_build_object(
        'number', number, 'status', status, 'reason', change.reason, 'criterion', change.criterion, 'at', change.created_at,
        'by', coalesce(private.shown_name(changed_by, _works_for), '')
      ) order by number desc)
      from public.client_meeting_changes as change where change.client_id = _client_id and change.meeting_id = _id
    ), '[]')
  )
  from public.client_meetings as meeting where client_id = _client_id and id = _id
$$;
revoke all on function private.meeting_details(_client_id uuid, _id uuid, _works_for boolean) from public, anon, authenticated, service_role;

-- The history of existing meetings begins with their present state.
insert into public.client_meeting_changes (client_id, meeting_id, number, status, reason, changed_by, created_at)
select client_id, id, 1, coalesce(answer, outcome), reason, case when answer is null then kept_by else answered_by end,
  coalesce(answered_at, created_at)
from public.client_meetings where origin <> 'figure';

insert into private.jobs (name, function_name, rows_per_step)
values ('delete old client webhooks', 'delete_old_client_webhooks', 200);

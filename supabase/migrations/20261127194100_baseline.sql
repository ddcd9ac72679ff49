-- Replaces the migrations up to 20270209230300, the last of version 0.2.
set check_function_bodies = off;

-- schemas/privileges.sql

-- Nothing is accessible by default: each file grants what its callers need. Supabase projects created before May 2026
-- grant the API roles everything on each new table and function.
alter default privileges revoke execute on functions from public;
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;

-- Helpers that the API does not expose. Policies call them with the caller's rights.
create schema if not exists private;
grant usage on schema private to anon, authenticated, service_role;

-- schemas/api/requests.sql

-- Keys of the header `idempotency-key` (64 random hexadecimal digits): a browser without an answer sends the form again.
create table private.request_keys (
  key_hash text primary key check (key_hash ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null default now()
);
create index request_keys_created_idx on private.request_keys (created_at);

-- Returns false if the request was carried out within the last day. Deletes a few expired keys.
create function private.claim_request(_purpose text) returns boolean language plpgsql security definer set search_path = '' as $$
declare
  _key constant text := private.token_of_request(_purpose);
begin
  if _key is null then
    return true;
  end if;
  delete from private.request_keys where key_hash in (
    select key_hash from private.request_keys where created_at < now() - interval '1 day'
    order by created_at limit 10 for update skip locked
  );
  insert into private.request_keys (key_hash) values (_key) on conflict do nothing;
  return found;
end
$$;

-- Derives 64 hexadecimal digits from the key of the request and the purpose; null without a valid key.
create function private.token_of_request(_purpose text) returns text language sql stable set search_path = '' as $$
  select encode(sha256(convert_to(_purpose || ' ' || key, 'UTF8')), 'hex')
  from (select nullif(current_setting('request.headers', true), '')::json ->> 'idempotency-key') as headers (key)
  where key ~ '^[0-9a-f]{64}$'
$$;

-- Returns the user whose own rows of a client the request reads.
create function private.reader_id() returns uuid language sql stable security definer set search_path = '' as $$
  select coalesce(private.user_id(), (select user_id from private.looked_at()))
$$;
grant execute on function private.reader_id to anon, authenticated, service_role;

-- Returns the client's address. The built-in backend sets `request.address`, which requests cannot set ('none' if no limit
-- applies). On a hosted project the proxy of the platform writes the headers.
create function private.client_address() returns text language sql stable set search_path = '' as $$
  select coalesce(
    nullif(current_setting('request.address', true), ''),
    headers ->> 'cf-connecting-ip',
    case when headers is not null then 'unknown' end
  )
  from (select nullif(current_setting('request.headers', true), '')::json) as request (headers)
$$;

create function private.has_admin_rights(_user_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.user_roles where user_id = _user_id and role = 'admin' and approved
  ) and (
    private.has_second_factor() or not exists (
      select from public.site_settings where setting_key = 'require_second_factor' and setting_value = 'on'
    )
  )
$$;

-- Lists what the table API exposes to any role, for `npm run attack`. The API's own description omits what the secret key
-- cannot use.
create function public.list_exposed_objects() returns jsonb language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'tables', (
      select coalesce(jsonb_object_agg(c.relname, (
        select jsonb_agg(jsonb_build_object(
          'name', a.attname,
          'isRequired', a.attnotnull,
          'isKey', exists (
            select from pg_catalog.pg_index i where i.indrelid = c.oid and i.indisprimary and a.attnum = any (i.indkey)
          )
        ) order by a.attnum)
        from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      )), '{}')
      from pg_catalog.pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'm', 'f', 'p')
    ),
    'functions', (
      select coalesce(jsonb_object_agg(p.proname, (
        select coalesce(jsonb_object_agg(argument.name, pg_catalog.format_type(argument.type, null)), '{}')
        from unnest(p.proargnames[1:p.pronargs], p.proargtypes::oid[]) as argument (name, type)
        where argument.name <> ''
      )), '{}')
      from pg_catalog.pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
        and p.prorettype not in ('pg_catalog.trigger'::regtype, 'pg_catalog.event_trigger'::regtype)
    )
  )
$$;
grant execute on function public.list_exposed_objects to service_role;

-- schemas/api/text.sql

-- Returns the name that the person entered, or that the provider sent.
create function private.name_of(_metadata jsonb) returns text
language sql immutable set search_path = '' as $$ select coalesce(nullif(_metadata ->> 'name', ''), _metadata ->> 'full_name', '') $$;

-- Returns a text as one line, cut to a length.
create function private.one_line(text, integer) returns text language sql immutable set search_path = '' as $$
  select left(trim(regexp_replace(coalesce($1, ''), '[[:cntrl:]]+', ' ', 'g')), $2)
$$;

-- Returns a subquery with the site's own addresses in `text`: of Markdown links and images, and alone on a line. A function
-- would take ten times as long. Splits texts first, because a regular expression on many long texts takes seconds.
create function private.addresses_in_text() returns text language sql immutable set search_path = '' as $$
  select $query$
    select split_part(split_part(split_part(split_part(split_part(
      ltrim(piece, E' \n<'), ')', 1), ' ', 1), '>', 1), '"', 1), E'\n', 1) as address
    from string_to_table(text, '](') with ordinality as pieces (piece, place)
    where place > 1 and ltrim(piece, E' \n<') like '/%'
    union all
    select substring(piece from '^[ \t]*<?(/[^\s>"]*)')
    from string_to_table(text, ']:') with ordinality as pieces (piece, place)
    where place > 1 and ltrim(piece, E' \t<') like '/%'
    union all
    select trim(line, E' \t\r<>') from string_to_table(text, E'\n') as line
    where line like '%/storage/%' and trim(line, E' \t\r<>') ~ '^/storage/\S+$'
  $query$
$$;
grant execute on function private.addresses_in_text to authenticated, service_role;

create function private.touch_updated_at() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  new.updated_at := clock_timestamp();
  return new;
end
$$;

create function private.retention_cutoff() returns timestamptz
language sql stable security definer set search_path = '' as $$ select now() - make_interval(days => greatest(1, private.number_setting('chat_retention_days', 365))) $$;

-- Returns a setting as an integer, or the fallback if it is missing or invalid.
create function private.number_setting(key text, fallback integer) returns integer
language sql stable security definer set search_path = '' as $$
  select coalesce(
    (select setting_value::integer from public.site_settings where setting_key = key and setting_value ~ '^\d{1,7}$'),
    fallback
  )
$$;

-- Whether an on/off setting is on. The default is off.
create function private.is_on(key text) returns boolean language sql stable security definer set search_path = '' as $$
  select exists (select from public.site_settings where setting_key = key and setting_value = 'on')
$$;

-- Whether Postgres knows the name from the time zone database. Other spellings, such as POSIX rules, are refused.
create function private.is_time_zone(_name text) returns boolean language plpgsql stable set search_path = '' as $$
begin
  if _name is null or length(_name) > 64 or _name !~ '^(UTC|[A-Za-z_]+(/[A-Za-z0-9_+-]+)+)$' then
    return false;
  end if;
  perform now() at time zone _name;
  return true;
exception when invalid_parameter_value then
  return false;
end
$$;

-- Returns a time as mails show it: Tuesday 24 November 2026, 10:00 to 10:30 (Europe/Oslo)
create function private.time_in_words(_slot tstzrange, _zone text) returns text language sql stable set search_path = '' as $$
  select to_char(lower(_slot) at time zone _zone, 'FMDay FMDD FMMonth YYYY, HH24:MI') || ' to '
    || to_char(upper(_slot) at time zone _zone, 'HH24:MI') || ' (' || _zone || ')'
$$;

-- Returns SQL for a column, or a JSON field, of rows with the alias `item`.
create function private.column_in_sql(_column text) returns text language sql immutable set search_path = '' as $$
  select case split_part(_column, '.', 2)
    when '' then format('item.%I', _column)
    else format('item.%I ->> %L', split_part(_column, '.', 1), split_part(_column, '.', 2))
  end
$$;

-- schemas/api/rate-limits.sql

-- Rate limit counters, under a hash of the subject.
create table private.chat_counts (
  subject text primary key,
  count integer not null,
  expires_at timestamptz not null
);
create index chat_counts_expiry_idx on private.chat_counts (expires_at);
alter table private.chat_counts enable row level security;

-- Returns when the window of a counter ends.
create function private.count_ends_at(kind text, subject_name text) returns timestamptz
language sql stable security definer set search_path = '' as $$
  select coalesce((
    select expires_at from private.chat_counts, private.chat_salt
    where subject = encode(sha256(convert_to(salt || kind || ' of ' || subject_name, 'UTF8')), 'hex')
  ), now())
$$;

-- Counts one `kind` for an address, at most `allowed` within `period`. Returns false if the limit is reached; true without
-- an address.
create function private.count_for_address(kind text, address text, allowed integer, period interval) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  one record;
begin
  for one in select * from private.networks_of(address) loop
    insert into private.chat_counts as counted (subject, count, expires_at)
      select encode(sha256(convert_to(salt || kind || one.network, 'UTF8')), 'hex'), 1, now() + period
      from private.chat_salt
      on conflict (subject) do update set
        count = case when counted.expires_at <= now() then 1 else counted.count + 1 end,
        expires_at = case when counted.expires_at <= now() then excluded.expires_at else counted.expires_at end
      where counted.expires_at <= now() or counted.count < allowed * one.allowances;
    if not found then
      return false;
    end if;
  end loop;
  return true;
end
$$;

-- Counts for the address and for the network around it, which has four times the limit. Returns false if a limit is
-- reached; true without an address.
create function private.count_for_networks(kind text, address text, allowed integer, period interval) returns boolean
language sql security definer set search_path = '' as $$
  select private.count_for_address(kind, address, allowed, period) and (
    private.wide_network_of(address) is null
    or private.count_for_subject(kind || ' around', private.wide_network_of(address), allowed * 4, period)
  )
$$;

-- Like private.count_for_address(), for another subject: an email address, or '' for the whole site.
create function private.count_for_subject(kind text, subject_name text, allowed integer, period interval) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.chat_counts as counted (subject, count, expires_at)
    select encode(sha256(convert_to(salt || kind || ' of ' || subject_name, 'UTF8')), 'hex'), 1, now() + period
    from private.chat_salt
    on conflict (subject) do update set
      count = case when counted.expires_at <= now() then 1 else counted.count + 1 end,
      expires_at = case when counted.expires_at <= now() then excluded.expires_at else counted.expires_at end
    where counted.expires_at <= now() or counted.count < allowed;
  return found;
end
$$;

-- Returns the networks that an address is counted as, with their multiple of the limit. A customer gets a /64 of IPv6, and
-- a /48 holds 65,536 of them. No rows for an invalid address.
create function private.networks_of(address text) returns table (network text, allowances integer)
language plpgsql immutable set search_path = '' as $$
declare
  parsed inet;
begin
  if address = 'unknown' then
    return query select address, 20;
    return;
  end if;
  begin
    parsed := trim(address)::inet;
  exception when others then
    return;
  end;
  if parsed is null then
    return;
  elsif family(parsed) = 4 then
    return query select host(parsed), 1;
  else
    return query select network(set_masklen(parsed, 64))::text, 1
      union all select network(set_masklen(parsed, 48))::text, 4;
  end if;
end
$$;

-- Returns the network that one customer may own whole: /24 of IPv4, /48 of IPv6. Null if the address is not counted.
create function private.wide_network_of(address text) returns text language plpgsql immutable set search_path = '' as $$
declare
  parsed inet;
begin
  begin
    parsed := trim(address)::inet;
  exception when others then
    return null;
  end;
  return network(set_masklen(parsed, case family(parsed) when 4 then 24 else 48 end))::text;
end
$$;

-- schemas/mail/queue.sql

-- Queued mails, written in the transaction that causes them. The backend sends and deletes them. Only the owner can read
-- them, because they contain sign-in links. On a hosted project a database webhook passes them to an edge function
-- (docs/accounts.md).
create table private.mail_queue (
  id bigint primary key generated always as identity,
  recipient text not null check (length(recipient) between 3 and 255 and recipient !~ '[[:cntrl:]]'),
  template text not null check (length(template) between 1 and 100),
  variables jsonb not null default '{}' check (jsonb_typeof(variables) = 'object'),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  last_error text,
  created_at timestamptz not null default now(),
  failed_at timestamptz
);
create index mail_queue_next_idx on private.mail_queue (next_attempt_at);
grant select, insert, update, delete on private.mail_queue to service_role;
alter table private.mail_queue enable row level security;
comment on column private.mail_queue.failed_at is 'Set when the mail was given up; it is not due any more then.';

create function private.notify_mail_queued() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform pg_notify('mail_queued', '');
  return null;
end
$$;

-- Lists failed mails, latest first, at most 100. Without their content, which has links and codes.
create function public.list_failed_mails() returns table (
  id bigint, recipient text, template text, reason text, failed_at timestamptz
) language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.is_admin() then
    raise exception 'Only admins see mails that could not be sent' using errcode = '42501';
  end if;
  return query
    select mail.id, mail.recipient, mail.template, coalesce(mail.last_error, ''), mail.failed_at
    from private.mail_queue as mail
    where mail.failed_at is not null
    order by mail.failed_at desc, mail.id desc limit 100;
end
$$;
grant execute on function public.list_failed_mails to authenticated, service_role;

-- Deletes a failed mail.
create function public.dismiss_failed_mail(_id bigint) returns void language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_admin() then
    raise exception 'Only admins dismiss mails' using errcode = '42501';
  end if;
  delete from private.mail_queue where id = _id and failed_at is not null;
end
$$;
grant execute on function public.dismiss_failed_mail to authenticated, service_role;

-- Retries a failed mail, unless it was sent or dismissed.
create function public.send_failed_mail(_id bigint) returns void language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_admin() then
    raise exception 'Only admins send mails again' using errcode = '42501';
  end if;
  update private.mail_queue set failed_at = null, attempts = 0, next_attempt_at = now()
  where id = _id and failed_at is not null;
  if found then
    perform pg_notify('mail_queued', '');
  end if;
end
$$;
grant execute on function public.send_failed_mail to authenticated, service_role;

-- Whether mail can be sent to the text, which must be one line. The owner of the domain decides about the local part.
create function private.is_email(text) returns boolean language sql immutable set search_path = '' as $$
  select length($1) between 3 and 255
    and $1 ~ '^[^][[:space:][:cntrl:]<>",;:()@\\]+@[^][[:space:][:cntrl:]<>",;:()@\\]+\.[^][[:space:][:cntrl:]<>",;:()@\\.]+$'
$$;

-- Whether the domain is a mail provider's. It names no company: blocking it would block unrelated people.
create function private.is_mail_provider(_domain text) returns boolean language sql immutable set search_path = '' as $$
  select coalesce(_domain = any (array[
    'gmail.com', 'googlemail.com', 'outlook.com', 'hotmail.com', 'hotmail.no', 'hotmail.co.uk', 'hotmail.fr', 'hotmail.de',
    'live.com', 'live.no', 'msn.com', 'yahoo.com', 'yahoo.no', 'yahoo.co.uk', 'yahoo.fr', 'yahoo.de', 'ymail.com', 'icloud.com',
    'me.com', 'mac.com', 'aol.com', 'proton.me', 'protonmail.com', 'pm.me', 'gmx.com', 'gmx.de', 'gmx.net', 'web.de', 't-online.de',
    'mail.com', 'mail.ru', 'yandex.ru', 'yandex.com', 'zoho.com', 'fastmail.com', 'hey.com', 'tutanota.com', 'tuta.com',
    'online.no', 'broadpark.no', 'frisurf.no', 'orange.fr', 'free.fr', 'laposte.net', 'libero.it', 'comcast.net', 'btinternet.com',
    'qq.com', '163.com', '126.com', 'foxmail.com', 'naver.com'
  ]), false)
$$;

-- Counts one link for the caller, the mailbox and the site. Links are valid for 15 minutes, so this also limits what is
-- held at once.
create function private.limit_proof_mails(_email text) returns void language plpgsql security definer set search_path = '' as $$
begin
  if not private.count_for_networks('proof', private.client_address(), 3, interval '15 minutes') then
    raise sqlstate 'PT429' using
      message = 'We have sent several links already. Please open one of them, or try again in 15 minutes.';
  end if;
  if not private.count_for_subject('proof to', lower(_email), 5, interval '1 day') then
    raise sqlstate 'PT429' using
      message = 'Several links were sent to this address today. Please open the last of them, or write to us.';
  end if;
  if not private.count_for_subject('proof', '', 1000, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'Too many people are writing at the moment. Please write an e-mail.';
  end if;
end
$$;

create trigger notify_mail_queued after insert on private.mail_queue
  for each statement execute function private.notify_mail_queued();

-- schemas/accounts/roles.sql

-- User roles. Policies read them on every request instead of the token, so that a decision takes effect at once.
create table public.user_roles (
  user_id uuid primary key references auth.users (id) on delete cascade,
  role text not null check (role in ('client', 'team', 'admin')),
  approved boolean not null default false,
  created_at timestamptz not null default now()
    constraint user_roles_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31')
);
create index user_roles_pending_idx on public.user_roles (created_at) where role = 'team' and not approved;
grant select on public.user_roles to authenticated;
grant all on public.user_roles to service_role;
alter table public.user_roles enable row level security;

-- Returns the signed-in user; null during impersonation, so that an impersonating account has no rights of its own.
create function private.user_id() returns uuid language sql stable security definer set search_path = '' as $$
  select case when not private.is_looking() then private.session_user_id() end
$$;
grant execute on function private.user_id to anon, authenticated, service_role;

-- Returns the user of the session. An access token outlives a sign-out and a deleted account by up to an hour; its session
-- does not, so never use auth.uid() alone. Null for OAuth applications, whose tokens have a client_id.
create function private.session_user_id() returns uuid language sql stable security definer set search_path = '' as $$
  select session.user_id
  from auth.sessions as session
  where session.id = ((select auth.jwt()) ->> 'session_id')::uuid
    and session.user_id = (select auth.uid())
    and (session.not_after is null or session.not_after > now())
    and (select auth.jwt()) ->> 'client_id' is null
$$;

-- Security definer, because the policies of user_roles call it.
create function private.is_admin() returns boolean
language sql stable security definer set search_path = '' as $$ select private.has_admin_rights((select private.user_id())) $$;
grant execute on function private.is_admin to anon, authenticated, service_role;

-- Whether the caller is an approved team member.
create function private.is_team() returns boolean language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.user_roles
    where user_id = (select private.user_id()) and role = 'team' and approved
  )
$$;
grant execute on function private.is_team to anon, authenticated, service_role;

create function private.require_admin() returns void language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.is_admin() and (select auth.role()) is distinct from 'service_role' then
    raise exception 'Only admins may do this' using errcode = '42501';
  end if;
end
$$;
grant execute on function private.require_admin to authenticated, service_role;

create function private.role_of_person(_user_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$ select to_jsonb(roles) - 'user_id' from public.user_roles as roles where user_id = _user_id $$;

-- Serialises changes of admins: if two admins remove each other at the same time, one remains.
create function private.lock_admins() returns void language sql security definer set search_path = '' as $$
  select from public.user_roles where role = 'admin' order by user_id for update
$$;

create function private.refuse_applications() returns void language plpgsql stable security definer set search_path = '' as $$
begin
  if (select auth.jwt()) ->> 'client_id' is not null then
    raise exception 'Applications change nothing about accounts.' using errcode = '42501';
  end if;
end
$$;

create function private.acts_on_others_of(_user_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('at', at, 'action', action, 'role', role) order by at), '[]')
  from public.people_log where actor_id = _user_id and person_id is distinct from _user_id
$$;

create function public.make_admin(_user_id uuid) returns void language plpgsql security definer set search_path = '' as $$
declare
  _role text;
begin
  perform private.begin_act_on(_user_id);
  select role into _role from public.user_roles where user_id = _user_id and approved for update;
  if not found then
    raise exception 'Only clients and approved team members can become admins.';
  elsif _role = 'admin' then
    raise exception 'This person is an admin already.';
  elsif not private.has_proven_address(_user_id) then
    raise exception 'This person has not confirmed their address. Only people with a confirmed address can become admins.';
  end if;
  update public.user_roles set role = 'admin' where user_id = _user_id;
  -- Admins work for every client, so they cannot decide as one of its people.
  delete from public.client_members where user_id = _user_id;
  delete from public.client_invitations where user_id = _user_id;
  perform private.note_act('made_admin', _user_id, 'admin');
  insert into private.mail_queue (recipient, template, variables)
  select told.email, 'admin_added', jsonb_build_object(
    'Email', told.email, 'Name', added.email, 'Inviter', coalesce(private.shown_name(private.user_id(), true), 'The owner'),
    'UserId', _user_id
  )
  from auth.users as added, public.user_roles as roles join auth.users as told on told.id = roles.user_id
  where added.id = _user_id and roles.role = 'admin' and roles.approved and told.email <> '';
end
$$;
grant execute on function public.make_admin to authenticated;

-- Makes any other account a client.
create function public.make_client(_user_id uuid) returns void language plpgsql security definer set search_path = '' as $$
declare
  _email constant text := (select email from auth.users where id = _user_id);
begin
  perform private.begin_act_on(_user_id);
  insert into public.user_roles as roles (user_id, role, approved) values (_user_id, 'client', true)
  on conflict (user_id) do update set role = 'client', approved = true where roles.role <> 'client' or not roles.approved;
  if not found then
    raise exception 'This person is a client already.';
  end if;
  -- A no that still stood is taken back, with the mail about it.
  update public.registration_decisions set withdrawn_at = now(), withdrawn_by = private.user_id()
  where user_id = _user_id and not approved and withdrawn_at is null;
  delete from private.mail_queue where recipient = _email and template = 'registration_declined';
  perform private.note_act('made_client', _user_id, 'client');
end
$$;
grant execute on function public.make_client to authenticated;

create policy "People read their own role" on public.user_roles for select to authenticated
  using (user_id = (select private.user_id()));
create policy "Admins read all roles" on public.user_roles for select to authenticated using ((select private.is_admin()));

-- schemas/accounts/sessions.sql

-- Sessions of the signed-in user. Deleting the row in auth.sessions ends a session.
create function public.my_sessions() returns table (
  id uuid, created_at timestamptz, last_active_at timestamptz, user_agent text, ip_address text, is_current boolean
) language sql stable security definer set search_path = '' as $$
  select session.id, session.created_at,
    coalesce(session.refreshed_at at time zone 'utc', session.created_at),
    coalesce(session.user_agent, ''), coalesce(host(session.ip), ''),
    session.id::text = (select auth.jwt()) ->> 'session_id'
  from auth.sessions as session
  where session.user_id = (select private.user_id())
  order by 3 desc
$$;
grant execute on function public.my_sessions to authenticated;

create function public.end_my_session(_session_id uuid) returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.refuse_applications();
  delete from auth.sessions where id = _session_id and user_id = (select private.user_id());
  if not found then
    raise exception 'This session has ended already.';
  end if;
end
$$;
grant execute on function public.end_my_session to authenticated;

-- Signs the caller out on all other devices.
create function public.end_my_other_sessions() returns void language plpgsql security definer set search_path = '' as $$
begin
  if private.user_id() is null then
    raise exception 'Please sign in first.' using errcode = '42501';
  end if;
  perform private.refuse_applications();
  perform private.end_sessions_of(private.user_id(), ((select auth.jwt()) ->> 'session_id')::uuid);
end
$$;
grant execute on function public.end_my_other_sessions to authenticated;

create function private.sessions_of(_user_id uuid) returns setof uuid
language sql stable security definer set search_path = '' as $$ select id from auth.sessions where user_id = _user_id and (not_after is null or not_after > now()) $$;

-- Signs an account out on all devices.
create function private.end_sessions_of(_user_id uuid, _but_session uuid default null) returns void
language sql security definer set search_path = '' as $$
  delete from auth.sessions where user_id = _user_id and id is distinct from _but_session;
  delete from auth.refresh_tokens where user_id = _user_id::text and session_id is distinct from _but_session;
  delete from private.approval_links where user_id = _user_id;
$$;

create function public.end_person_sessions(_user_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.begin_act_on(_user_id);
  perform private.end_sessions_of(_user_id);
  perform private.note_act('ended_sessions', _user_id);
end
$$;
grant execute on function public.end_person_sessions to authenticated;

-- Deletes all credentials except the address, and the data from sign-up. `app_metadata` records what was deleted.
create function private.drop_ways_in(_user_id uuid, _address text, _but_session uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _dropped text[] := '{}';
  _table text;
  _count integer;
begin
  update auth.users set encrypted_password = '' where id = _user_id and encrypted_password <> '';
  if found then _dropped := _dropped || 'password'::text; end if;
  update auth.users set email = null, email_confirmed_at = null
    where id = _user_id and email <> '' and email is distinct from _address;
  if found then _dropped := _dropped || 'email'::text; end if;
  update auth.users set phone = null, phone_confirmed_at = null
    where id = _user_id and phone <> '' and phone is distinct from _address;
  if found then _dropped := _dropped || 'phone'::text; end if;
  delete from auth.identities as identity using auth.users as person
    where person.id = _user_id and identity.user_id = _user_id
      and not (identity.provider = 'email' and person.email is not null)
      and not (identity.provider = 'phone' and person.phone is not null);
  get diagnostics _count = row_count;
  if _count > 0 and not _dropped && array['email', 'phone'] then _dropped := _dropped || 'identities'::text; end if;
  delete from auth.mfa_factors where user_id = _user_id;
  if found then _dropped := _dropped || 'factors'::text; end if;
  -- Not every version of the authentication service has these.
  foreach _table in array array['webauthn_credentials', 'oauth_consents', 'webauthn_challenges', 'oauth_authorizations'] loop
    continue when to_regclass('auth.' || _table) is null;
    execute format('delete from auth.%I where user_id = $1', _table) using _user_id;
    get diagnostics _count = row_count;
    if _count > 0 then
      _dropped := _dropped || case _table
        when 'webauthn_credentials' then array['passkeys'] when 'oauth_consents' then array['applications'] else '{}' end;
    end if;
  end loop;
  delete from auth.one_time_tokens where user_id = _user_id;
  -- Codes that wait to be exchanged for a session.
  delete from auth.flow_state where user_id = _user_id and auth_code_issued_at is not null;
  delete from auth.sessions where user_id = _user_id and id is distinct from _but_session;
  if found then _dropped := _dropped || 'sessions'::text; end if;
  update auth.users as person set
    email_change = '', email_change_confirm_status = 0, phone_change = '', is_anonymous = false,
    raw_user_meta_data = jsonb_strip_nulls(jsonb_build_object(
      'sub', id, 'email', email, 'phone', phone, 'email_verified', email is not null, 'phone_verified', phone is not null
    )),
    raw_app_meta_data = coalesce(raw_app_meta_data, '{}') - 'provider' - 'providers'
      || coalesce((
        select jsonb_build_object('provider', min(provider), 'providers', jsonb_agg(distinct provider))
        from auth.identities where user_id = person.id having count(*) > 0
      ), '{}')
      || case when _dropped = '{}' then '{}'
        else jsonb_build_object('setup_dropped', jsonb_build_object('at', now(), 'what', to_jsonb(_dropped))) end,
    updated_at = now()
  where id = _user_id;
end
$$;

-- schemas/accounts/addresses.sql

-- Email addresses and phone numbers that their account holder has proven. `email_confirmed_at` is no proof: it is also set
-- for unconfirmed sign-ups if confirmation mails are off. Nothing permanent is added to an account with an unproven address
-- (docs/decisions/identities.md).
create table private.proven_addresses (
  user_id uuid not null references auth.users (id) on delete cascade,
  -- In the spelling of auth.users: an email address, or a phone number as E.164 without the plus sign. Another address of
  -- the same account needs its own proof.
  address text not null check (address <> ''),
  proven_at timestamptz not null default now(),
  primary key (user_id, address)
);
alter table private.proven_addresses enable row level security;

-- Whether all addresses of the account are proven. An account without an address is proven by its credential, such as a
-- wallet; an anonymous account is not. A Supabase project records proofs only in confirm_my_address(), so a confirmed
-- message and a provider's verified email count as well.
create function private.has_proven_address(_user_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from auth.users as person
    where person.id = _user_id and not person.is_anonymous and (
      person.is_sso_user or not exists (
        select from (values
          (person.email::text, person.email_confirmed_at), (person.phone::text, person.phone_confirmed_at)
        ) as given (address, confirmed_at)
        where given.address <> ''
          and not exists (
            select from private.proven_addresses as proven
            where proven.user_id = person.id and proven.address = given.address
          )
          -- Confirmed by a message: without one nothing was sent before.
          and not coalesce(given.confirmed_at > person.confirmation_sent_at, false)
          -- Made by a provider that vouches for the address, and never opened by a password.
          and not exists (
            select from auth.identities as identity
            where identity.user_id = person.id and identity.email = given.address
              and identity.identity_data @> '{"email_verified": true}'
              and not exists (
                select from auth.identities as own
                where own.user_id = person.id and own.provider in ('email', 'phone')
              )
          )
      )
    )
  )
$$;
grant execute on function private.has_proven_address to service_role;

-- Whether this session began with a mail to the account's present address. A password or a phone code does not count:
-- without confirmation mails, anyone can sign up with any address.
create function private.has_proven_mailbox() returns boolean language sql stable security definer set search_path = '' as $$
  select exists (
    select from auth.users as person join auth.mfa_amr_claims as claim
      on claim.session_id = ((select auth.jwt()) ->> 'session_id')::uuid
    where person.id = (select private.user_id()) and person.email <> '' and person.email_confirmed_at is not null
      and (
        claim.authentication_method in ('magiclink', 'recovery', 'invite', 'email/signup')
        or (claim.authentication_method = 'otp' and coalesce(person.phone, '') = '')
      )
      -- The address was not changed since.
      and not exists (
        select from auth.identities
        where user_id = person.id and provider = 'email' and updated_at > claim.updated_at
      )
  )
$$;

-- Checks the token's `aal` besides the session's: a token stolen before the session was raised has not seen the factor.
create function private.has_just_proven_identity() returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from auth.sessions as session join auth.mfa_amr_claims as claim on claim.session_id = session.id
    where session.id = ((select auth.jwt()) ->> 'session_id')::uuid and session.user_id = (select private.user_id())
      and claim.authentication_method <> 'token_refresh'
      and claim.updated_at > now() - interval '5 minutes'
      and (
        (session.aal::text = 'aal2' and (select auth.jwt()) ->> 'aal' = 'aal2')
        or not exists (select from auth.mfa_factors where user_id = session.user_id and status = 'verified')
      )
  )
$$;

-- Records that the caller has proven their address and accepts their pending invitations.
create function public.confirm_my_address() returns boolean language plpgsql security definer set search_path = '' as $$
declare
  _id constant uuid := private.user_id();
  _email constant text := (select email from auth.users where id = _id);
begin
  if _id is null then
    raise exception 'Please sign in first.' using errcode = '42501';
  end if;
  perform private.refuse_applications();
  if not private.has_proven_address(_id) and private.has_proven_mailbox() then
    perform private.drop_ways_in(_id, _email, ((select auth.jwt()) ->> 'session_id')::uuid);
    insert into private.proven_addresses (user_id, address) values (_id, _email) on conflict do nothing;
  elsif private.has_proven_address(_id) and exists (select from public.client_invitations where user_id = _id) then
    -- The insert fires the trigger that turns invitations into memberships.
    insert into private.proven_addresses (user_id, address)
    select _id, _email where _email <> '' on conflict do nothing;
  end if;
  return private.has_proven_address(_id);
end
$$;
grant execute on function public.confirm_my_address to authenticated;

-- Lists pending team registrations with an unproven address.
create function public.unproven_registrations() returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.is_admin() then
    raise exception 'Only admins see registrations.' using errcode = '42501';
  end if;
  return query
    select roles.user_id from public.user_roles as roles
    where roles.role = 'team' and not roles.approved and not private.has_proven_address(roles.user_id);
end
$$;
grant execute on function public.unproven_registrations to authenticated;

-- schemas/accounts/second-factor.sql

-- While the setting require_second_factor is on, private.is_admin() is false for admins without a second factor.

-- Checks the token and its session: removing the factor lowers the session at once.
create function private.has_second_factor() returns boolean language sql stable security definer set search_path = '' as $$
  select coalesce((select auth.jwt()) ->> 'aal' = 'aal2', false) and exists (
    select from auth.sessions as session
    where session.id = ((select auth.jwt()) ->> 'session_id')::uuid
      and session.user_id = (select auth.uid()) and session.aal = 'aal2'
  )
$$;
grant execute on function private.has_second_factor to anon, authenticated, service_role;

-- Only an admin with a second factor can require it, so that at least one admin can still sign in.
create function private.guard_second_factor_setting() returns trigger language plpgsql set search_path = '' as $$
begin
  if new.setting_value not in ('on', 'off') then
    raise exception 'The setting require_second_factor is on or off.' using errcode = '23514';
  end if;
  if new.setting_value = 'on' and (select auth.role()) in ('anon', 'authenticated') and not private.has_second_factor() then
    raise exception 'Set up a second factor on your account page and sign in with it first, so that you do not lock yourself out.'
      using errcode = '42501';
  end if;
  return new;
end
$$;

-- Whether the caller is an admin who must still present or enrol a second factor.
create function public.admin_needs_second_factor() returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.user_roles
    where user_id = (select private.user_id()) and role = 'admin' and approved
  ) and not private.is_admin()
$$;
grant execute on function public.admin_needs_second_factor to authenticated, service_role;

-- Deletes a person's factors, recovery codes and passkeys, and the sessions that they opened.
create function public.reset_person_factors(_user_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.begin_act_on(_user_id);
  delete from auth.mfa_factors where user_id = _user_id;
  -- Not every version of the authentication service has passkeys.
  if to_regclass('auth.webauthn_credentials') is not null then
    execute 'delete from auth.webauthn_credentials where user_id = $1' using _user_id;
  end if;
  perform private.end_sessions_of(_user_id);
  perform private.note_act('reset_factors', _user_id);
end
$$;
grant execute on function public.reset_person_factors to authenticated;

-- schemas/accounts/registration.sql

-- Decisions about registrations. Users choose a role once; team members wait for an admin.
create table public.registration_decisions (
  id uuid primary key default gen_random_uuid(),
  -- Kept when the account of the person or of the admin is deleted.
  user_id uuid references auth.users (id) on delete set null,
  email text not null default '',
  approved boolean not null,
  decided_by uuid references auth.users (id) on delete set null,
  decided_at timestamptz not null default now()
    constraint registration_decisions_decided_at_calendar check (decided_at between '1900-01-01' and '2999-12-31'),
  -- When the person registered. Restoring the registration also restores its place in the list.
  registered_at timestamptz
    constraint registration_decisions_registered_at_calendar check (registered_at between '1900-01-01' and '2999-12-31'),
  withdrawn_by uuid references auth.users (id) on delete set null,
  withdrawn_at timestamptz
    constraint registration_decisions_withdrawn_at_calendar check (withdrawn_at between '1900-01-01' and '2999-12-31'),
  -- The role after a refusal is withdrawn.
  role text not null default 'team' check (role in ('client', 'team')),
  -- Whether an existing role was revoked, rather than a registration declined.
  revoked boolean not null default false
);
create index registration_decisions_user_idx on public.registration_decisions (user_id, decided_at desc);
create index registration_decisions_admin_idx on public.registration_decisions (decided_by);
create index registration_decisions_withdrawer_idx on public.registration_decisions (withdrawn_by);
create index registration_decisions_time_idx on public.registration_decisions (decided_at desc);
grant select on public.registration_decisions to authenticated;
grant all on public.registration_decisions to service_role;
alter table public.registration_decisions enable row level security;
create policy "Admins read all decisions" on public.registration_decisions for select to authenticated
  using ((select private.is_admin()));

-- Registers the caller with a role, and mails the admins about a new team member.
create function public.register_with_role(_user_id uuid, _role text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if private.user_id() is null or _user_id is distinct from private.user_id() then
    raise exception 'You can only register yourself.' using errcode = '42501';
  end if;
  if _role is null or _role not in ('client', 'team') then
    raise exception 'You can register as a client or as a team member.' using errcode = '42501';
  end if;
  if private.is_declined(_user_id) then
    raise exception 'Your registration was declined.' using errcode = '42501';
  end if;
  insert into public.user_roles (user_id, role, approved) values (_user_id, _role, _role = 'client')
  on conflict (user_id) do nothing;
  if not found then
    raise exception 'You have registered already.' using errcode = '23505';
  end if;
  if _role = 'team' then
    perform private.tell_admins_about_registration((select email from auth.users where id = _user_id));
  end if;
end
$$;
grant execute on function public.register_with_role to authenticated;

-- Whether the signed-in person was refused as a team member.
create function public.registration_declined() returns boolean language sql stable security definer set search_path = '' as $$
  select private.is_declined((select private.user_id()))
    and not exists (select from public.user_roles where user_id = (select private.user_id()))
$$;
grant execute on function public.registration_declined to authenticated;

-- Whether the last decision about this person is a refusal in force.
create function private.is_declined(_user_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce((
    select not approved and withdrawn_at is null from public.registration_decisions
    where user_id = _user_id order by decided_at desc limit 1
  ), false)
$$;

-- Approves or declines a registration, and mails the person.
create function public.approve_team_member(_user_id uuid, _approved boolean) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _email text := (select email from auth.users where id = _user_id);
  _registered_at timestamptz;
begin
  if not private.is_admin() then
    raise exception 'Only admins decide about registrations.' using errcode = '42501';
  end if;
  if _approved is null then
    raise exception 'A decision is yes or no.' using errcode = '22004';
  end if;
  -- Of two admins who decide at once, the second waits here for the first and then finds nothing that waits.
  perform from public.user_roles where user_id = _user_id for update;
  if _approved then
    update public.user_roles set approved = true where user_id = _user_id and role = 'team' and not approved
    returning created_at into _registered_at;
  else
    delete from public.user_roles where user_id = _user_id and role = 'team' and not approved
    returning created_at into _registered_at;
  end if;
  if not found then
    if exists (select from public.registration_decisions where user_id = _user_id) then
      raise exception 'Somebody has decided about this registration already.';
    end if;
    raise exception 'This person is not waiting for approval.';
  end if;
  insert into public.registration_decisions (user_id, email, approved, decided_by, registered_at)
  values (_user_id, coalesce(_email, ''), _approved, private.user_id(), _registered_at);
  perform private.note_act(case when _approved then 'approved' else 'declined' end, _user_id, 'team');
  if _approved then
    perform private.mail_about_registration(_email, 'registration_approved');
  else
    perform private.mail_about_registration(_email, 'registration_declined', interval '10 seconds');
  end if;
end
$$;
grant execute on function public.approve_team_member to authenticated;

-- Withdraws a refusal: a team member is pending again, a client is approved again. Returns true if the mail about the
-- refusal had not been sent yet.
create function public.restore_team_member(_user_id uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  _decision public.registration_decisions;
  _untold boolean;
begin
  if not private.is_admin() then
    raise exception 'Only admins decide about registrations.' using errcode = '42501';
  end if;
  -- Of two admins who restore at once, the second waits here for the first and then finds nothing to withdraw.
  update public.registration_decisions set withdrawn_at = now(), withdrawn_by = private.user_id()
  where not approved and withdrawn_at is null and id = (
    select id from public.registration_decisions where user_id = _user_id order by decided_at desc limit 1
  )
  returning * into _decision;
  if not found then
    raise exception 'This person is not declined.';
  end if;
  insert into public.user_roles (user_id, role, approved, created_at)
  values (_user_id, _decision.role, _decision.role = 'client', coalesce(_decision.registered_at, now()))
  on conflict (user_id) do nothing;
  if not found then
    raise exception 'This person has a role already.';
  end if;
  perform private.note_act('restored', _user_id, _decision.role);
  with withdrawn as (
    delete from private.mail_queue where recipient = _decision.email and template = 'registration_declined'
    returning attempts
  )
  -- A mail that was tried may have arrived; of a role that was revoked there is none.
  select coalesce(bool_and(attempts = 0), false) into _untold from withdrawn;
  return _untold;
end
$$;
grant execute on function public.restore_team_member to authenticated;

create function private.mail_about_registration(_email text, _template text, _after interval default '00:00:00') returns void
language sql security definer set search_path = '' as $$
  insert into private.mail_queue (recipient, template, variables, next_attempt_at)
  select _email, _template, jsonb_build_object('Email', _email), now() + _after where _email <> ''
$$;

create function private.tell_admins_about_registration(_email text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if not private.count_for_subject('registration mail', '', 60, interval '1 hour') then
    return;
  end if;
  insert into private.mail_queue (recipient, template, variables)
  select users.email, 'registration_pending', jsonb_build_object('Email', coalesce(nullif(_email, ''), 'Unknown'))
  from public.user_roles as roles join auth.users on users.id = roles.user_id
  where roles.role = 'admin' and roles.approved and users.email <> ''
  order by roles.created_at limit 10;
end
$$;

-- schemas/accounts/people.sql

-- Log of what admins do to accounts. Rows hold ids only, so that they can outlive an account.
create table public.people_log (
  id bigint primary key generated always as identity,
  at timestamptz not null default clock_timestamp()
    constraint people_log_at_calendar check (at between '1900-01-01' and '2999-12-31'),
  -- No foreign keys: both accounts may be deleted. Null for the service role.
  actor_id uuid,
  person_id uuid,
  action text not null
    check (
      action in ( 'invited', 'approved', 'declined', 'restored', 'made_client', 'made_admin', 'revoked', 'ended_sessions',
        'reset_factors', 'downloaded_data', 'deleted', 'deleted_own_account' )
    ),
  -- The role before or after the action, if it changes one.
  role text check (role in ('client', 'team', 'admin'))
);
create index people_log_person_idx on public.people_log (person_id, at desc);
create index people_log_time_idx on public.people_log (at desc);
grant select on public.people_log to authenticated, service_role;
alter table public.people_log enable row level security;
create policy "Admins read what was done to accounts" on public.people_log for select to authenticated
  using ((select private.is_admin()));

-- Logs an action. Refuses OAuth applications, whose tokens have a `client_id`: every action on an account is logged here.
create function private.note_act(_action text, _person_id uuid, _role text default null) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.refuse_applications();
  insert into public.people_log (actor_id, person_id, action, role)
  values (private.user_id(), _person_id, _action, _role);
end
$$;

-- Starts every action of an admin on another account. Admins cannot act on their own account, and the lock keeps the caller
-- an admin until the transaction ends, so the last admin cannot be removed.
create function private.begin_act_on(_user_id uuid) returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  perform private.lock_admins();
  -- Somebody else may have been faster.
  perform private.require_admin();
  if _user_id = private.user_id() then
    raise exception 'This is your own account. You manage it on your account page.';
  end if;
  if not exists (select from auth.users where id = _user_id) then
    raise exception 'There is no such account any more.';
  end if;
end
$$;

-- Returns the first five accounts with the text in their name, address or number, or else those with similar ones.
create function private.people_named(_query text) returns table (id uuid, told text)
language plpgsql stable security definer set search_path = '' as $$
declare
  _typed constant text := lower(trim(left(_query, 200)));
  _people constant text := $people$
    select person.id, told from auth.users as person cross join lateral (select left(concat_ws(' ',
      nullif(private.name_of(person.raw_user_meta_data), ''), nullif(person.email, ''), nullif(person.phone, '')
    ), 300)) as names (told)
    where person.deleted_at is null and %s order by told, person.id limit 5
  $people$;
begin
  return query execute format(_people, 'position($1 in lower(told)) > 0') using _typed;
  if not found and private.trigram_schema() is not null then
    return query execute format(
      _people, format('%I.word_similarity($1, lower(told)) >= 0.5', private.trigram_schema())
    ) using _typed;
  end if;
end
$$;

-- Joins, sorts and counts only what the filter needs: otherwise the first page would read every account.
create function public.list_people(
  _search text default '', _standing text default '', _limit integer default 24, _offset integer default 0
) returns table (
  id uuid, email text, name text, standing text, created_at timestamptz, last_sign_in_at timestamptz, invited boolean,
  factors integer, sessions integer, total integer
) language plpgsql stable security definer set search_path = '' as $$
declare
  _found text := concat_ws(' and ',
    'select person.id, person.created_at from auth.users as person
       left join public.user_roles as place on place.user_id = person.id
     where person.deleted_at is null',
    case when trim(_search) <> '' then 'position($1 in lower(
      concat_ws('' '', person.email, person.phone, person.raw_user_meta_data ->> ''name'',
        case when coalesce(person.raw_user_meta_data ->> ''name'', '''') = '''' then person.raw_user_meta_data ->> ''full_name'' end)
    )) > 0' end,
    case _standing
      when '' then null
      when 'invited' then 'person.invited_at is not null and person.last_sign_in_at is null'
      when 'declined' then 'place.role is null and person.id in (select user_id from declined)'
      when 'none' then 'place.role is null and person.id not in (select user_id from declined)'
      else '$2 = case when place.approved then place.role else ''pending'' end and place.role is not null'
    end);
  _ids uuid[];
  _total integer;
  _first constant integer := greatest(_offset, 0);
  _length constant integer := least(greatest(_limit, 1), 200);
begin
  perform private.require_admin();
  if trim(_search) = '' and _standing = '' then
    select count(*) into _total from auth.users as person where person.deleted_at is null;
    if _first > _total - _first then
      _ids := array(
        select person.id from auth.users as person where person.deleted_at is null
        order by person.created_at nulls first, person.id desc
        limit least(_length, greatest(_total - _first, 0)) offset greatest(_total - _first - _length, 0)
      );
    else
      _ids := array(
        select person.id from auth.users as person where person.deleted_at is null
        order by person.created_at desc nulls last, person.id limit _length offset _first
      );
    end if;
  else
    execute format(
      'with declined as materialized (
         select last.user_id from (
           select distinct on (decision.user_id) decision.user_id, decision.approved, decision.withdrawn_at
           from public.registration_decisions as decision order by decision.user_id, decision.decided_at desc
         ) as last
         where not last.approved and last.withdrawn_at is null
       ), found as materialized (%s)
       select (select count(*) from found), array(
         select id from found order by created_at desc nulls last, id limit $3 offset $4
       )', _found
    ) into _total, _ids using lower(trim(_search)), _standing, _length, _first;
  end if;
  return query
    select person.id, coalesce(nullif(person.email, ''), person.phone, '')::text,
      private.name_of(person.raw_user_meta_data), private.standing(person.id), person.created_at, person.last_sign_in_at,
      person.invited_at is not null and person.last_sign_in_at is null,
      (
        select count(*)::integer from auth.mfa_factors
        where user_id = person.id and status = 'verified' and factor_type::text <> 'recovery_code'
      ),
      (select count(*)::integer from private.sessions_of(person.id)),
      _total
    from auth.users as person where person.id = any (_ids)
    order by person.created_at desc nulls last, person.id;
end
$$;
grant execute on function public.list_people to authenticated;

-- Returns null if the account does not exist.
create function public.read_person(_user_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return private.account_of(_user_id);
end
$$;
grant execute on function public.read_person to authenticated;

create function public.user_emails(_user_ids uuid[]) returns table (user_id uuid, email text)
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.is_admin() then
    raise exception 'Only admins look up addresses.' using errcode = '42501';
  end if;
  return query
    select users.id, users.email::text from auth.users as users
    where users.id = any(_user_ids) and users.email <> '';
end
$$;
grant execute on function public.user_emails to authenticated;

-- Removes the role of a client or an approved team member. They cannot register for it again.
create function public.revoke_access(_user_id uuid) returns void language plpgsql security definer set search_path = '' as $$
declare
  _role text;
  _registered_at timestamptz;
begin
  perform private.begin_act_on(_user_id);
  delete from public.user_roles where user_id = _user_id and role in ('client', 'team') and approved
  returning role, created_at into _role, _registered_at;
  if not found then
    raise exception 'Only the access of clients and approved team members can be revoked.';
  end if;
  insert into public.registration_decisions (user_id, email, approved, revoked, role, decided_by, registered_at)
  select id, coalesce(email, ''), false, true, _role, private.user_id(), _registered_at
  from auth.users where id = _user_id;
  perform private.note_act('revoked', _user_id, _role);
end
$$;
grant execute on function public.revoke_access to authenticated;

create function public.delete_person(_user_id uuid) returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.begin_act_on(_user_id);
  perform private.note_act('deleted', _user_id, (select role from public.user_roles where user_id = _user_id));
  perform private.forget_person(_user_id, true);
end
$$;
grant execute on function public.delete_person to authenticated;

create function public.export_person(_user_id uuid) returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  _data jsonb;
begin
  perform private.require_admin();
  _data := private.data_of(_user_id, true);
  if _data is null then
    raise exception 'There is no such account any more.';
  end if;
  perform private.note_act('downloaded_data', _user_id);
  return _data;
end
$$;
grant execute on function public.export_person to authenticated;

-- Returns the role of an account, or the reason why it has none.
create function private.standing(_user_id uuid) returns text language sql stable security definer set search_path = '' as $$
  select coalesce(
    (select case when approved then role else 'pending' end from public.user_roles where user_id = _user_id),
    case when private.is_declined(_user_id) then 'declined' else 'none' end
  )
$$;

-- schemas/accounts/invitations.sql

-- An invitation creates the account with its role and without a password: only a mail to its address opens it, and nobody
-- can sign up with the address meanwhile.

-- Returns false if the authentication service must send the link.
create function public.invite_person(_email text, _role text) returns boolean
language sql security definer set search_path = '' as $$
  select private.mail_invitation(private.create_invited_account(_email, _role), _role)
$$;
grant execute on function public.invite_person to authenticated;

-- Queues the mail about access to a client, or about an account without one. Returns false if the authentication service
-- must send the link.
create function private.mail_invitation(
  _user_id uuid, _role text, _client_id uuid default null, _kind text default null
) returns boolean language plpgsql security definer set search_path = '' as $$
declare
  _email constant text := (select email from auth.users where id = _user_id);
  _client constant text := (select name from public.clients where id = _client_id);
  _is_proven constant boolean := private.has_proven_address(_user_id);
  _link text;
  _code text;
begin
  if coalesce(_email, '') = '' then
    return true;
  elsif not private.count_for_subject('invitation mail', lower(_email), 20, interval '1 day') then
    raise exception 'This address got 20 invitations today. Try again tomorrow.' using errcode = 'P0001';
  end if;
  if not _is_proven then
    select made.link, made.code into _link, _code from private.new_sign_in_link(_user_id, lower(_email)) as made;
    if _link is null then
      return false;
    end if;
  end if;
  insert into private.mail_queue (recipient, template, variables)
  values (_email, case when _is_proven then 'client_added' else 'invitation' end, jsonb_build_object(
    'Email', _email,
    'Inviter', coalesce(nullif(private.shown_name(private.user_id(), true), ''), 'Our team'),
    'Place', case when _client is not null then 'the client portal of ' || _client
      when _role = 'team' then 'the team' else 'the client portal' end,
    'Reason', case
      when _kind = 'approver'
        then 'You can see how your campaigns are doing, approve texts and lists before we use them, and confirm meetings.'
      when _kind = 'viewer' then 'You can see how your campaigns are doing, and read reports and everything else that we share.'
      when _role = 'team' then 'You get the team dashboard, with the clients that an admin assigns to you.'
      else 'You get an account with its own dashboard.'
    end,
    'Message', case when _client_id is null then '' else private.waiting_at_client(_client_id) end,
    'RedirectTo', case
      when _client_id is not null then '/client-dashboard?client=' || _client_id
      when _role = 'team' then '/team-dashboard' else '/client-dashboard'
    end
  ) || case when _link is null then '{}' else jsonb_build_object('TokenHash', _link, 'Token', _code) end);
  return true;
end
$$;

-- Creates the account of an invited person, or returns it until the person signs in.
create function private.create_invited_account(_email text, _role text) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  _address constant text := lower(trim(_email));
  _id uuid := gen_random_uuid();
  _claims constant jsonb := jsonb_build_object(
    'sub', _id, 'email', _address, 'email_verified', true, 'phone_verified', false
  );
begin
  perform private.require_admin();
  if _role is null or _role not in ('client', 'team') then
    raise exception 'People are invited as clients or as team members.' using errcode = '22023';
  end if;
  if _address is null or _address !~ '^[^@[:space:][:cntrl:]]+@[^@[:space:][:cntrl:]]+$' or length(_address) > 255 then
    raise exception 'Invalid email address' using errcode = '22023';
  end if;
  insert into auth.users (
    instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, invited_at,
    confirmation_token, recovery_token, email_change_token_new, email_change,
    raw_app_meta_data, raw_user_meta_data, created_at, updated_at
  ) values (
    '00000000-0000-0000-0000-000000000000', _id, 'authenticated', 'authenticated', _address, '', now(), now(),
    '', '', '', '', '{"provider": "email", "providers": ["email"]}', _claims, now(), now()
  ) on conflict (email) where is_sso_user = false do nothing;
  if found then
    insert into auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
    values (_id::text, _id, _claims, 'email', now(), now());
  else
    select id into _id from auth.users
    where email = _address and not is_sso_user and invited_at is not null and last_sign_in_at is null;
    if not found then
      raise exception 'This address has an account already. Find it in the list and change its role there.'
        using errcode = '23505';
    end if;
  end if;
  -- Never lowers an admin who has not come yet.
  insert into public.user_roles as roles (user_id, role, approved) values (_id, _role, true)
  on conflict (user_id) do update set role = excluded.role, approved = true where roles.role <> 'admin';
  perform private.note_act('invited', _id, _role);
  return _id;
end
$$;

-- Stores a link and a code that sign in for seven days. Returns null on a Supabase project, which sends its own links.
create function private.new_sign_in_link(_user_id uuid, _address text, out link text, out code text) returns record
language plpgsql security definer set search_path = '' as $$
declare
  _id constant uuid := gen_random_uuid();
begin
  if to_regclass('backend.mailed_tokens') is null then
    return;
  end if;
  link := replace(gen_random_uuid()::text || gen_random_uuid(), '-', '');
  -- The first 32 bits of a version 4 UUID are random.
  code := lpad((('x' || left(gen_random_uuid()::text, 8))::bit(32)::bigint % 1000000)::text, 6, '0');
  execute $sql$
    insert into backend.mailed_tokens (id, user_id, token_type, recipient, link_hash, code_hash, expires_at)
    values ($1, $2, 'confirmation_token', $3, $4, $5, now() + interval '7 days')
  $sql$ using _id, _user_id, _address, encode(sha256(convert_to(link, 'UTF8')), 'hex'),
    encode(sha256(convert_to(_id || code, 'UTF8')), 'hex');
end
$$;

-- schemas/accounts/personal-data.sql

-- Registry of personal data: the columns that name a person, what the person gets of the rows in an export, and what
-- happens to the rows when the account is deleted. private.data_of and private.forget_person use it. A test requires a row
-- for each such column (docs/extending.md).
create table private.personal_data (
  -- Order of deletion.
  number integer primary key generated by default as identity,
  schema_name name not null default 'public',
  -- Missing tables are skipped: versions of the authentication service differ.
  table_name name not null,
  -- Columns with the person's id, or with an id that the function `ids_from` returns for the person.
  ids name[] not null default '{}',
  ids_from name,
  -- Columns with an email address. `variables.Email` is a field of a JSON column.
  addresses text[] not null default '{}',
  -- Whether only the address links the rows to the person. Such rows are for callers with a proven address, and for admins.
  needs_proof boolean not null default false,
  -- Name of the rows in an export; null if they are not exported. `given` maps names to columns or JSON fields; the
  -- function `given_by` returns the rows instead.
  section text unique,
  given jsonb check (jsonb_typeof(given) = 'object'),
  sorted_by name,
  given_by name,
  -- `follow`: a foreign key deletes or empties the rows together with the account.
  on_deletion text not null check (on_deletion in ('delete', 'empty', 'follow', 'keep')),
  emptied name[],
  -- Columns with private.hash_of_address() of the person's address.
  hashes name[] not null default '{}',
  constraint personal_data_check1 check (section is null or (given is null) <> (given_by is null)),
  constraint personal_data_check2 check ((given is null) = (sorted_by is null)),
  constraint personal_data_check3 check ((on_deletion = 'empty') = (emptied is not null)),
  check (ids <> '{}' or addresses <> '{}' or hashes <> '{}')
);
alter table private.personal_data enable row level security;

-- Lists the sources whose tables exist.
create function private.personal_data_sources() returns setof private.personal_data
language sql stable security definer set search_path = '' as $$
  select * from private.personal_data
  where to_regclass(format('%I.%I', schema_name, table_name)) is not null order by number
$$;

-- Returns all data that names a person, by section; null for an unknown account. Sections that need a proof are null unless
-- `_with_chats`. Actions of other people are included without their names.
create function private.data_of(_user_id uuid, _with_chats boolean) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  _email constant text := (select coalesce(lower(email), '') from auth.users where id = _user_id);
  _source private.personal_data;
  _rows jsonb;
  _data jsonb := '{}';
begin
  if _email is null then
    return null;
  end if;
  for _source in select * from private.personal_data_sources() where section is not null loop
    if _source.needs_proof and not _with_chats then
      _rows := null;
    elsif _source.given_by is not null then
      execute format('select private.%I($1)', _source.given_by) into _rows using _user_id;
    else
      execute format(
        'select coalesce(jsonb_agg(jsonb_build_object(%s) order by item.%I), ''[]'') from %I.%I as item where %s',
        (select string_agg(format('%L, %s', key, private.column_in_sql(value)), ', ') from jsonb_each_text(_source.given)),
        _source.sorted_by, _source.schema_name, _source.table_name, private.naming_in_sql(_source)
      ) into _rows using _user_id, _email;
    end if;
    _data := _data || jsonb_build_object(_source.section, _rows);
  end loop;
  return _data;
end
$$;

-- Deletes an account and the data that names the person. Rows that need a proof are deleted only if `_with_chats`.
create function private.forget_person(_user_id uuid, _with_chats boolean) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _email constant text := coalesce((select lower(email) from auth.users where id = _user_id), '');
  _source private.personal_data;
begin
  for _source in select * from private.personal_data_sources() where _with_chats or not needs_proof loop
    if _source.on_deletion = 'delete' then
      execute format(
        'delete from %I.%I as item where %s', _source.schema_name, _source.table_name, private.naming_in_sql(_source)
      ) using _user_id, _email;
    elsif _source.on_deletion = 'empty' then
      execute format(
        'update %I.%I as item set %s where %s', _source.schema_name, _source.table_name,
        (select string_agg(format('%I = default', name), ', ') from unnest(_source.emptied) as emptied (name)),
        private.naming_in_sql(_source)
      ) using _user_id, _email;
    end if;
  end loop;
  delete from auth.users where id = _user_id;
end
$$;

-- Returns the account without secrets.
create function private.account_of(_user_id uuid) returns jsonb language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', person.id,
    'email', coalesce(person.email, ''),
    'phone', coalesce(person.phone, ''),
    'name', private.name_of(person.raw_user_meta_data),
    'standing', private.standing(person.id),
    'created_at', person.created_at,
    'invited', person.invited_at is not null and person.last_sign_in_at is null,
    'email_confirmed_at', person.email_confirmed_at,
    'last_sign_in_at', person.last_sign_in_at,
    'banned_until', person.banned_until,
    'sessions', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', session.id, 'created_at', session.created_at,
        'last_active_at', coalesce(session.refreshed_at at time zone 'utc', session.created_at),
        'user_agent', coalesce(session.user_agent, ''), 'ip_address', coalesce(host(session.ip), '')
      ) order by coalesce(session.refreshed_at at time zone 'utc', session.created_at) desc)
      from auth.sessions as session where session.id in (select private.sessions_of(person.id))
    ), '[]'),
    'factors', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', factor.id, 'name', coalesce(factor.friendly_name, ''), 'type', factor.factor_type,
        'status', factor.status, 'created_at', factor.created_at
      ) order by factor.created_at)
      from auth.mfa_factors as factor where factor.user_id = person.id
    ), '[]'),
    'identities', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', identity.id, 'provider', identity.provider, 'email', coalesce(identity.email, ''),
        'created_at', identity.created_at, 'last_sign_in_at', identity.last_sign_in_at
      ) order by identity.created_at)
      from auth.identities as identity where identity.user_id = person.id
    ), '[]')
  )
  from auth.users as person where person.id = _user_id
$$;

create function private.account_with_metadata_of(_user_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.account_of(id) || jsonb_build_object('user_metadata', raw_user_meta_data, 'app_metadata', raw_app_meta_data)
  from auth.users where id = _user_id
$$;

-- plpgsql, because it parses SQL when it runs: a project may have no tables for OAuth applications.
create function private.applications_of(_user_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'name', client.client_name, 'scopes', consent.scopes, 'granted_at', consent.granted_at,
      'revoked_at', consent.revoked_at
    ) order by consent.granted_at), '[]')
    from auth.oauth_consents as consent join auth.oauth_clients as client on client.id = consent.client_id
    where consent.user_id = _user_id
  );
end
$$;

-- Lists the entries of the authentication log about an account.
create function private.audit_entries_of(_user_id uuid) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select entry.id from auth.audit_log_entries as entry, auth.users as person
  where person.id = _user_id and (
    entry.payload ->> 'actor_id' = person.id::text
    or entry.payload -> 'traits' ->> 'user_id' = person.id::text
    or (person.email <> '' and lower(person.email) in (
      lower(entry.payload ->> 'actor_username'), lower(entry.payload -> 'traits' ->> 'user_email')
    ))
  )
$$;

-- Returns the caller's own data. Chats are found by address and contain what other people wrote, so they need a session
-- that proves the address.
create function public.my_data() returns jsonb language plpgsql security definer set search_path = '' as $$
begin
  if private.user_id() is null then
    raise exception 'Please sign in first.' using errcode = '42501';
  end if;
  perform private.refuse_applications();
  if not private.count_for_address('my data', private.client_address(), 30, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'That was a lot at once. Please wait an hour.';
  end if;
  return private.data_of(private.user_id(), private.has_proven_mailbox());
end
$$;
grant execute on function public.my_data to authenticated;

-- Needs a recent sign-in, because the session may be stolen. Refreshing does not count.
create function public.delete_my_account() returns void language plpgsql security definer set search_path = '' as $$
declare
  _id constant uuid := private.user_id();
  _role text;
begin
  if _id is null then
    raise exception 'Please sign in first.' using errcode = '42501';
  end if;
  if not private.has_just_proven_identity() then
    raise exception 'Please show that it is you: sign in again, then delete the account within five minutes.';
  end if;
  perform private.lock_admins();
  select role into _role from public.user_roles where user_id = _id and approved;
  if _role = 'admin'
    and not exists (select from public.user_roles where role = 'admin' and approved and user_id <> _id) then
    raise exception 'You are the last admin. Make somebody else an admin first.';
  end if;
  perform private.note_act('deleted_own_account', _id, _role);
  perform private.forget_person(_id, private.has_proven_mailbox());
end
$$;
grant execute on function public.delete_my_account to authenticated;

-- Returns an SQL condition for rows of the source that name the person with the id $1 and the address $2.
create function private.naming_in_sql(_source private.personal_data) returns text language sql stable set search_path = '' as $$
  select string_agg(condition, ' or ') from (
    select case
      when _source.ids_from is null then format('item.%I = $1::pg_catalog.%I', attname, typname)
      else format('item.%I in (select private.%I($1))', attname, _source.ids_from)
    end
    from pg_catalog.pg_attribute join pg_catalog.pg_type on pg_type.oid = atttypid
    where attrelid = format('%I.%I', _source.schema_name, _source.table_name)::regclass and attname = any (_source.ids)
    union all
    select format('($2 <> '''' and lower(%s) = $2)', private.column_in_sql(address)) from unnest(_source.addresses) as address
    union all
    select format('($2 <> '''' and item.%I = (select private.hash_of_address($2)))', hash) from unnest(_source.hashes) as hash
  ) as conditions (condition)
$$;

-- schemas/accounts/impersonation.sql

-- Those who work for a client can view its portal as a member, with the header x-as-member: client id, slash, member id.
-- Such a request reads what the member reads, has no account of its own, and changes nothing.
create function private.is_looking() returns boolean language sql stable set search_path = '' as $$
  select nullif(current_setting('request.headers', true), '')::json ->> 'x-as-member' is not null
$$;

-- Returns the client and member that an impersonation request reads as. No row for other requests, and without the right to
-- it.
create function private.looked_at() returns table (client_id uuid, user_id uuid)
language sql stable security definer set search_path = '' as $$
  with asked as materialized (
    select split_part(header, '/', 1)::uuid as client_id, nullif(split_part(header, '/', 2), '')::uuid as user_id
    from (select nullif(current_setting('request.headers', true), '')::json ->> 'x-as-member') as request (header)
    where header ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})?$'
  ), looker as materialized (
    select private.session_user_id() as id where exists (select from asked)
  )
  select asked.client_id, asked.user_id
  from asked, looker
  where (
      private.has_admin_rights(looker.id) or exists (
        select from public.client_assignments as assignment
          join public.user_roles as roles on roles.user_id = assignment.user_id and roles.role = 'team' and roles.approved
        where assignment.client_id = asked.client_id and assignment.user_id = looker.id
      )
    )
    and (asked.user_id is null or exists (
      select from public.client_members as member
        join public.user_roles as roles on roles.user_id = member.user_id and roles.role = 'client' and roles.approved
      where member.client_id = asked.client_id and member.user_id = asked.user_id
    ))
$$;

create function private.refuse_lookers() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if private.is_looking() then
    raise exception 'You look at these rooms as somebody else sees them. Nothing is changed.' using errcode = '42501';
  end if;
  return null;
end
$$;

-- schemas/content/kinds.sql

-- Kinds of content. Sorting, file usage, search and the assistant go through all of them. A test requires a row for each
-- content table.
create table private.content_kinds (
  -- In the schema public, with the columns id and status ('draft' or 'published').
  table_name name primary key,
  title_column name not null,
  -- Sort order of lists. Items are sorted by hand if it begins with display_order.
  list_order text not null check (list_order ~ '^[a-z_]+( desc)?(, [a-z_]+( desc)?)*$'),
  -- Public path of an item, with {slug}; null if the assistant does not search this kind.
  public_path text check (public_path like '/%'),
  -- Columns that the assistant searches besides the title, of type text or text[].
  text_columns name[] not null default '{}',
  -- Order of the kinds.
  number integer generated always as identity unique
);
alter table private.content_kinds enable row level security;

-- Kinds of documents, which editors open, save and schedule: items of content kinds, page sections and settings. Locks,
-- versions, releases, previews and the trash read their differences here. Rows for content kinds are added by a trigger of
-- private.content_kinds.
create table private.documents (
  -- Table in the schema public.
  kind name primary key,
  -- Key columns. Their values, joined by slashes, are the key in addresses.
  key_columns name[] not null check (key_columns <> '{}'),
  -- Null if the key is the title.
  title_column name,
  -- An item is a draft or published, and has a trash; a text always exists.
  is_item boolean not null,
  -- Keys that take effect at once and cannot be part of a release.
  keys_outside_releases text[] not null default '{}',
  -- Order of the kinds, items first.
  number integer generated always as identity unique
);
alter table private.documents enable row level security;

-- For security invoker functions.
create function private.list_content_kinds() returns setof private.content_kinds
language sql stable security definer set search_path = '' as $$
  select * from private.content_kinds order by number
$$;
grant execute on function private.list_content_kinds to anon, authenticated, service_role;

-- Returns the key of a row; null if a part is missing.
create function private.document_key(_kind text, _row jsonb) returns text
language sql stable security definer set search_path = '' as $$
  select case when bool_and(_row ? name::text and _row ->> name is not null)
    then string_agg(_row ->> name, '/' order by place) end
  from private.documents, unnest(key_columns) with ordinality as keys (name, place)
  where kind = _kind
$$;

-- Returns SQL for the key of rows with the alias `item`.
create function private.document_key_in_sql(_kind text) returns text
language sql stable security definer set search_path = '' as $$
  select string_agg(format('item.%I::text', name), ' || ''/'' || ' order by place)
  from private.documents, unnest(key_columns) with ordinality as keys (name, place)
  where kind = _kind
$$;

-- Returns an SQL condition that the row with the alias `item` has the key $1. Uses the index if the key is one column.
create function private.is_document_in_sql(_kind text) returns text
language sql stable security definer set search_path = '' as $$
  select case when cardinality(key_columns) = 1 then (
    select format('item.%I = $1::pg_catalog.%I', attname, typname)
    from pg_catalog.pg_attribute join pg_catalog.pg_type on pg_type.oid = atttypid
    where attrelid = format('public.%I', kind)::regclass and attname = key_columns[1]
  ) else private.document_key_in_sql(kind) || ' = $1' end
  from private.documents where kind = _kind
$$;

-- Whether the kind has an editor.
create function private.is_editable_kind(_kind text) returns boolean
language sql stable security definer set search_path = '' as $$ select exists (select from private.documents where kind = _kind) $$;

create function private.keep_kind_as_document() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op <> 'INSERT' then
    delete from private.documents where kind = old.table_name;
  end if;
  if tg_op <> 'DELETE' then
    insert into private.documents (kind, key_columns, title_column, is_item)
      values (new.table_name, '{id}', new.title_column, true);
  end if;
  return null;
end
$$;

-- Notifies the server, which clears cached pages.
create function private.notify_content_changed() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform pg_notify('content_changed', tg_table_name);
  return null;
end
$$;

-- Sorts the given items in this order, on the positions they occupy.
create function public.reorder_items(_table text, _ids uuid[]) returns void language plpgsql set search_path = '' as $$
declare
  _order text;
  _ranked text;
  _free boolean;
begin
  if not private.is_admin() then
    raise exception 'Only admins put content in order' using errcode = '42501';
  end if;
  select list_order into _order from private.list_content_kinds()
  where table_name = _table and list_order like 'display\_order%';
  if _order is null then
    raise exception 'There is no order of display in %', coalesce(_table, 'null') using errcode = '22023';
  end if;

  -- What was deleted meanwhile has no place.
  execute format(
    'select coalesce(array_agg(item.id order by item.place), ''{}'')
     from unnest($1) with ordinality as item (id, place) join public.%1$I using (id)', _table
  ) into _ids using _ids;

  -- No two items share a place: the named ones swap theirs and nothing else changes.
  execute format(
    'select count(*) = count(distinct display_order) from public.%1$I
     where display_order in (select display_order from public.%1$I where id = any ($1))', _table
  ) into _free using _ids;
  if _free then
    _ranked := format('select id, display_order as place from public.%I', _table);
  else
    -- Otherwise the whole list is numbered, as the site shows it.
    _ranked := format(
      'select id, row_number() over (order by %s, id)::integer as place from public.%I', _order, _table
    );
  end if;

  execute format(
    'with ranked as (%2$s),
       slots as (select place, row_number() over (order by place) as number from ranked where id = any ($1)),
       target as (
         select ranked.id, coalesce(slots.place, ranked.place) as place
         from ranked left join slots on slots.number = array_position($1, ranked.id)
       )
     update public.%1$I as item set display_order = target.place
     from target where target.id = item.id and item.display_order <> target.place', _table, _ranked
  ) using _ids;
end
$$;
grant execute on function public.reorder_items to authenticated, service_role;

create trigger keep_kind_as_document after insert or update of table_name, title_column or delete on private.content_kinds
  for each row execute function private.keep_kind_as_document();

-- schemas/content/posts.sql

-- Posts. Drafts are for admins, published ones are public.
create table public.posts (
  id uuid primary key default gen_random_uuid(),
  title text not null check (length(title) between 1 and 300),
  slug text not null unique check (length(slug) between 1 and 300),
  excerpt text not null default '' check (length(excerpt) <= 2000),
  content text not null default '' check (length(content) <= 200000),
  category text not null default '' check (length(category) <= 100),
  status text not null default 'draft' check (status in ('draft', 'published')),
  featured_image text check (length(featured_image) <= 2000),
  published_date timestamptz not null default now()
    constraint posts_published_date_calendar check (published_date between '1900-01-01' and '2999-12-31'),
  created_at timestamptz not null default now()
    constraint posts_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  updated_at timestamptz not null default now()
    constraint posts_updated_at_calendar check (updated_at between '1900-01-01' and '2999-12-31')
);
create index posts_newest_idx on public.posts (status, published_date desc, created_at desc);
create index posts_category_idx on public.posts (category);
create index posts_changed_idx on public.posts (updated_at desc);
create index posts_news_idx on public.posts (category, published_date desc, created_at desc) where status = 'published';
-- For the admin list and the parts of the sitemap. Without the id that ends each sort order: with it, a planner without
-- statistics would use these to find single posts.
create index posts_listed_idx on public.posts (published_date desc, created_at desc);
create index posts_created_idx on public.posts (created_at desc);
create index posts_title_idx on public.posts (title);
create index posts_sitemap_idx on public.posts (created_at) where status = 'published';
grant select on public.posts to anon;
grant select, insert, update, delete on public.posts to authenticated;
grant all on public.posts to service_role;
alter table public.posts enable row level security;
create policy "Visitors read published posts that are due" on public.posts for select to anon, authenticated
  using (status = 'published' and published_date <= now());
create policy "Admins read all posts" on public.posts for select to authenticated using ((select private.is_admin()));
create policy "Admins create posts" on public.posts for insert to authenticated with check ((select private.is_admin()));
create policy "Admins change posts" on public.posts for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "Admins delete posts" on public.posts for delete to authenticated using ((select private.is_admin()));

create trigger touch_updated_at before update on public.posts for each row execute function private.touch_updated_at();
create trigger notify_content_changed after insert or update or delete or truncate on public.posts
  for each statement execute function private.notify_content_changed();

-- Lists the categories of a kind, for the filter of its list; empty for kinds without a category.
create function public.list_categories(_kind text) returns setof text
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return query select counts.category from private.content_counts as counts
    where kind = _kind and counts.category <> '' group by counts.category having sum(items) > 0
    order by counts.category limit 200;
end
$$;
grant execute on function public.list_categories to authenticated;

-- Counts published posts by category. Scheduled posts are included in the counts and subtracted; they are few and found by
-- an index.
create function public.news_categories() returns table (category text, posts integer)
language sql stable security definer set search_path = '' as $$
  with counted as (
    select counts.category, counts.items from private.content_counts as counts
    where kind = 'posts' and status = 'published'
    union all
    select later.category, -1 from public.posts as later where later.status = 'published' and later.published_date > now()
  ), summed as (
    select counted.category, sum(items)::integer as posts from counted group by grouping sets ((counted.category), ())
  )
  select summed.category, coalesce(summed.posts, 0) from summed where summed.posts > 0 or summed.category is null
  order by summed.category is null desc, summed.posts desc, summed.category limit 201
$$;
grant execute on function public.news_categories to anon, authenticated, service_role;

-- schemas/content/projects.sql

-- Projects. Drafts are for admins, published ones are public.
create table public.projects (
  id uuid primary key default gen_random_uuid(),
  title text not null check (length(title) between 1 and 300),
  slug text not null unique check (length(slug) between 1 and 300),
  company text not null default '' check (length(company) <= 300),
  metric text not null default '' check (length(metric) <= 300),
  description text not null default '' check (length(description) <= 5000),
  full_content text not null default '' check (length(full_content) <= 200000),
  featured_image text check (length(featured_image) <= 2000),
  gallery_images jsonb not null default '[]' check (jsonb_typeof(gallery_images) = 'array'),
  status text not null default 'draft' check (status in ('draft', 'published')),
  display_order integer not null default 0,
  created_at timestamptz not null default now()
    constraint projects_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  updated_at timestamptz not null default now()
    constraint projects_updated_at_calendar check (updated_at between '1900-01-01' and '2999-12-31')
);
create index projects_order_idx on public.projects (status, display_order);
grant select on public.projects to anon;
grant select, insert, update, delete on public.projects to authenticated;
grant all on public.projects to service_role;
alter table public.projects enable row level security;
create policy "Visitors read published projects" on public.projects for select to anon, authenticated
  using (status = 'published');
create policy "Admins read all projects" on public.projects for select to authenticated using ((select private.is_admin()));
create policy "Admins create projects" on public.projects for insert to authenticated with check ((select private.is_admin()));
create policy "Admins change projects" on public.projects for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "Admins delete projects" on public.projects for delete to authenticated using ((select private.is_admin()));

create trigger touch_updated_at before update on public.projects for each row execute function private.touch_updated_at();
create trigger notify_content_changed after insert or update or delete or truncate on public.projects
  for each statement execute function private.notify_content_changed();

-- schemas/content/services.sql

-- Services. Drafts are for admins, published ones are public.
create table public.services (
  id uuid primary key default gen_random_uuid(),
  title text not null check (length(title) between 1 and 300),
  slug text not null unique check (length(slug) between 1 and 300),
  icon_name text check (length(icon_name) <= 100),
  short_description text not null default '' check (length(short_description) <= 5000),
  long_description text not null default '' check (length(long_description) <= 200000),
  timeline text not null default '' check (length(timeline) <= 300),
  pricing text not null default '' check (length(pricing) <= 300),
  deliverables text[] not null default '{}',
  status text not null default 'published' check (status in ('draft', 'published')),
  display_order integer not null default 0,
  created_at timestamptz not null default now()
    constraint services_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  updated_at timestamptz not null default now()
    constraint services_updated_at_calendar check (updated_at between '1900-01-01' and '2999-12-31')
);
create index services_order_idx on public.services (status, display_order);
grant select on public.services to anon;
grant select, insert, update, delete on public.services to authenticated;
grant all on public.services to service_role;
alter table public.services enable row level security;
create policy "Visitors read published services" on public.services for select to anon, authenticated
  using (status = 'published');
create policy "Admins read all services" on public.services for select to authenticated using ((select private.is_admin()));
create policy "Admins create services" on public.services for insert to authenticated with check ((select private.is_admin()));
create policy "Admins change services" on public.services for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "Admins delete services" on public.services for delete to authenticated using ((select private.is_admin()));

create trigger touch_updated_at before update on public.services for each row execute function private.touch_updated_at();
create trigger notify_content_changed after insert or update or delete or truncate on public.services
  for each statement execute function private.notify_content_changed();

-- schemas/content/reviews.sql

-- Reviews. Drafts are for admins, published ones are public.
create table public.reviews (
  id uuid primary key default gen_random_uuid(),
  author_name text not null check (length(author_name) between 1 and 300),
  author_role text not null default '' check (length(author_role) <= 300),
  company text not null default '' check (length(company) <= 300),
  rating smallint not null default 5 check (rating between 1 and 5),
  quote text not null default '' check (length(quote) <= 5000),
  avatar_url text check (length(avatar_url) <= 2000),
  status text not null default 'published' check (status in ('draft', 'published')),
  display_order integer not null default 0,
  created_at timestamptz not null default now()
    constraint reviews_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  updated_at timestamptz not null default now()
    constraint reviews_updated_at_calendar check (updated_at between '1900-01-01' and '2999-12-31')
);
create index reviews_order_idx on public.reviews (status, display_order);
grant select on public.reviews to anon;
grant select, insert, update, delete on public.reviews to authenticated;
grant all on public.reviews to service_role;
alter table public.reviews enable row level security;
create policy "Visitors read published reviews" on public.reviews for select to anon, authenticated
  using (status = 'published');
create policy "Admins read all reviews" on public.reviews for select to authenticated using ((select private.is_admin()));
create policy "Admins create reviews" on public.reviews for insert to authenticated with check ((select private.is_admin()));
create policy "Admins change reviews" on public.reviews for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "Admins delete reviews" on public.reviews for delete to authenticated using ((select private.is_admin()));

create trigger touch_updated_at before update on public.reviews for each row execute function private.touch_updated_at();
create trigger notify_content_changed after insert or update or delete or truncate on public.reviews
  for each statement execute function private.notify_content_changed();

-- schemas/content/team-members.sql

-- Team members. Drafts are for admins, published ones are public.
create table public.team_members (
  id uuid primary key default gen_random_uuid(),
  name text not null check (length(name) between 1 and 300),
  position text not null default '' check (length("position") <= 300),
  bio text not null default '' check (length(bio) <= 5000),
  avatar_url text check (length(avatar_url) <= 2000),
  social_links jsonb not null default '{}' check (jsonb_typeof(social_links) = 'object'),
  status text not null default 'published' check (status in ('draft', 'published')),
  display_order integer not null default 0,
  created_at timestamptz not null default now()
    constraint team_members_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  updated_at timestamptz not null default now()
    constraint team_members_updated_at_calendar check (updated_at between '1900-01-01' and '2999-12-31')
);
create index team_members_order_idx on public.team_members (status, display_order);
grant select on public.team_members to anon;
grant select, insert, update, delete on public.team_members to authenticated;
grant all on public.team_members to service_role;
alter table public.team_members enable row level security;
create policy "Visitors read published team members" on public.team_members for select to anon, authenticated
  using (status = 'published');
create policy "Admins read all team members" on public.team_members for select to authenticated
  using ((select private.is_admin()));
create policy "Admins create team members" on public.team_members for insert to authenticated
  with check ((select private.is_admin()));
create policy "Admins change team members" on public.team_members for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "Admins delete team members" on public.team_members for delete to authenticated
  using ((select private.is_admin()));

create trigger touch_updated_at before update on public.team_members for each row execute function private.touch_updated_at();
create trigger notify_content_changed after insert or update or delete or truncate on public.team_members
  for each statement execute function private.notify_content_changed();

-- schemas/content/faq.sql

-- Questions and answers. Drafts are for admins, published ones are public. The assistant prefers them.
create table public.faq (
  id uuid primary key default gen_random_uuid(),
  question text not null check (length(question) between 1 and 300),
  answer text not null default '' check (length(answer) <= 20000),
  status text not null default 'draft' check (status in ('draft', 'published')),
  display_order integer not null default 0,
  created_at timestamptz not null default now()
    constraint faq_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  updated_at timestamptz not null default now()
    constraint faq_updated_at_calendar check (updated_at between '1900-01-01' and '2999-12-31')
);
create index faq_order_idx on public.faq (status, display_order);
grant select on public.faq to anon;
grant select, insert, update, delete on public.faq to authenticated;
grant all on public.faq to service_role;
alter table public.faq enable row level security;
create policy "Visitors read published questions" on public.faq for select to anon, authenticated using (status = 'published');
create policy "Admins read all questions" on public.faq for select to authenticated using ((select private.is_admin()));
create policy "Admins create questions" on public.faq for insert to authenticated with check ((select private.is_admin()));
create policy "Admins change questions" on public.faq for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "Admins delete questions" on public.faq for delete to authenticated using ((select private.is_admin()));

create trigger touch_updated_at before update on public.faq for each row execute function private.touch_updated_at();
create trigger notify_content_changed after insert or update or delete or truncate on public.faq
  for each statement execute function private.notify_content_changed();

-- schemas/content/pages.sql

-- Texts of page sections, one JSON document per page and section.
create table public.page_content (
  id uuid primary key default gen_random_uuid(),
  page_slug text not null check (length(page_slug) between 1 and 100),
  section_name text not null check (length(section_name) between 1 and 100),
  -- Text, not jsonb: the application uses its defaults for invalid JSON.
  content text not null default '' check (length(content) <= 500000),
  content_type text not null default 'json' check (content_type in ('json')),
  created_at timestamptz not null default now()
    constraint page_content_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  updated_at timestamptz not null default now()
    constraint page_content_updated_at_calendar check (updated_at between '1900-01-01' and '2999-12-31'),
  unique (page_slug, section_name)
);
grant select on public.page_content to anon;
grant select, insert, update, delete on public.page_content to authenticated;
grant all on public.page_content to service_role;
alter table public.page_content enable row level security;
create policy "Visitors read page content" on public.page_content for select to anon, authenticated using (true);
create policy "Admins read all page content" on public.page_content for select to authenticated
  using ((select private.is_admin()));
create policy "Admins create page content" on public.page_content for insert to authenticated
  with check ((select private.is_admin()));
create policy "Admins change page content" on public.page_content for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "Admins delete page content" on public.page_content for delete to authenticated
  using ((select private.is_admin()));

create trigger touch_updated_at before update on public.page_content for each row execute function private.touch_updated_at();
create trigger notify_content_changed after insert or update or delete or truncate on public.page_content
  for each statement execute function private.notify_content_changed();

-- schemas/content/published.sql

-- What the assistant reads: the first 100 published items of each kind, under the caller's policies. Long texts are cut,
-- because 100 articles of 200,000 characters exceed one response of the table API.
create function public.published_content() returns table (
  kind text, title text, public_path text, text_columns text[], item jsonb
) language plpgsql stable set search_path = '' as $$
declare
  _kind private.content_kinds;
  _cut text;
begin
  for _kind in select * from private.list_content_kinds() loop
    select coalesce(string_agg(format('%1$L, left(item.%1$I, 12000)', attname), ', '), '') into _cut
    from pg_catalog.pg_attribute
    where attrelid = format('public.%I', _kind.table_name)::regclass and attname = any (_kind.text_columns)
      and atttypid = 'text'::regtype;
    return query execute format(
      'select %1$L::text, item.%2$I::text, %3$L::text, $1, to_jsonb(item) || jsonb_build_object(%5$s)
       from public.%1$I as item where status = ''published'' order by %4$s, id limit 100',
      _kind.table_name, _kind.title_column, _kind.public_path, _kind.list_order, _cut
    ) using _kind.text_columns::text[];
  end loop;
end
$$;
grant execute on function public.published_content to anon, authenticated, service_role;

-- Returns the number of sitemap parts of 1,000 items for each kind with published items.
create function public.sitemap_parts() returns table (kind text, parts integer)
language sql stable security definer set search_path = '' as $$
  select counts.kind, ceil(sum(items) / 1000.0)::integer from private.content_counts as counts
  where status = 'published' group by counts.kind having sum(items) > 0 order by counts.kind
$$;
grant execute on function public.sitemap_parts to anon, authenticated, service_role;

-- Returns a text as one trimmed line. Throws a sentence with the field's label.
create function private.line_of(_label text, _text text, _most integer) returns text
language plpgsql immutable set search_path = '' as $$
begin
  if length(trim(_text)) > _most then
    raise exception '% must be less than % characters', _label, _most using errcode = '22023';
  end if;
  if _text ~ '[[:cntrl:]]' then
    raise exception '% must be one line of text', _label using errcode = '22023';
  end if;
  return coalesce(trim(_text), '');
end
$$;

-- Returns SQL for what visitors may read of a table.
create function private.visitors_read(_table text) returns text language sql stable security definer set search_path = '' as $$
  select coalesce(string_agg(format('(%s)', qual), ' or '), 'false') from pg_catalog.pg_policies
  where schemaname = 'public' and tablename = _table and permissive = 'PERMISSIVE' and cmd in ('SELECT', 'ALL')
    and roles && '{anon,public}'
$$;

-- schemas/content/counts.sql

-- Number of items by kind, status and category. Counting 100,000 posts would take longer than the rest of a list.
create table private.content_counts (
  kind text not null,
  status text not null,
  category text not null,
  items integer not null
);
create index content_counts_idx on private.content_counts (kind);
alter table private.content_counts enable row level security;

-- Counts the items of a kind, drafts included, or those of a status and category; for lists of the admin area.
create function public.count_content(_kind text, _status text default '', _category text default '') returns integer
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return coalesce((
    select sum(items) from private.content_counts
    where kind = _kind and (_status = '' or status = _status) and (_category = '' or category = _category)
  ), 0);
end
$$;
grant execute on function public.count_content to authenticated;

create function private.count_items() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _changes jsonb[] := '{}';
begin
  if private.tries_release() then
    return null;
  end if;
  if tg_op = 'TRUNCATE' then
    delete from private.content_counts where kind = tg_table_name::text;
    return null;
  end if;
  -- Only the columns that count, and one entry for all items that are alike.
  if tg_op in ('INSERT', 'UPDATE') then
    select array_agg(entry) into _changes from (
      select jsonb_build_object('status', item ->> 'status', 'category', item ->> 'category', 'items', count(*))
      from (select to_jsonb(added.*) from added) as items (item) group by item ->> 'status', item ->> 'category'
    ) as entries (entry);
  end if;
  if tg_op in ('DELETE', 'UPDATE') then
    _changes := _changes || (select array_agg(entry) from (
      select jsonb_build_object('status', item ->> 'status', 'category', item ->> 'category', 'items', -count(*))
      from (select to_jsonb(gone.*) from gone) as items (item) group by item ->> 'status', item ->> 'category'
    ) as entries (entry));
  end if;
  perform private.count_changes(tg_table_name::text, _changes);
  return null;
end
$$;

-- Recounts a kind, after items were loaded without triggers.
create function private.recount_content(_table text) returns void language plpgsql set search_path = '' as $$
begin
  delete from private.content_counts where kind = _table;
  execute format(
    'insert into private.content_counts (kind, status, category, items)
     select %1$L, item ->> ''status'', coalesce(item ->> ''category'', ''''), count(*)
     from (select to_jsonb(kept.*) from public.%1$I as kept) as items (item) group by 2, 3', _table
  );
end
$$;

create function private.make_countable(_table text) returns void language plpgsql set search_path = '' as $$
begin
  execute format('create trigger count_inserted after insert on public.%I referencing new table as added
    for each statement execute function private.count_items()', _table);
  execute format('create trigger count_updated after update on public.%I referencing old table as gone new table as added
    for each statement execute function private.count_items()', _table);
  execute format('create trigger count_deleted after delete on public.%I referencing old table as gone
    for each statement execute function private.count_items()', _table);
  execute format('create trigger count_truncated after truncate on public.%I
    for each statement execute function private.count_items()', _table);
  perform private.recount_content(_table);
end
$$;

create function private.make_kind_countable() returns trigger language plpgsql set search_path = '' as $$
begin
  perform private.make_countable(new.table_name);
  return null;
end
$$;

create trigger make_kind_countable after insert on private.content_kinds
  for each row execute function private.make_kind_countable();

-- Adds a statement's changes to the counts. Merges the rows of a kind if no other transaction does: nobody waits, and a
-- count is the sum of its rows.
create function private.count_changes(_kind text, _changes jsonb[]) returns void language sql set search_path = '' as $$
  with changes as (
    select item ->> 'status' as status, coalesce(item ->> 'category', '') as category, sum((item ->> 'items')::integer) as items
    from unnest(_changes) as item group by 1, 2 having sum((item ->> 'items')::integer) <> 0
  ), merged as (
    delete from private.content_counts where exists (select from changes) and ctid = any (array(
      select ctid from private.content_counts where kind = _kind for update skip locked
    )) returning status, category, items
  )
  insert into private.content_counts (kind, status, category, items)
  select _kind, status, category, sum(items) from (
    select * from changes union all select * from merged
  ) as counted (status, category, items)
  group by status, category having sum(items) <> 0
$$;

-- schemas/content/links.sql

-- Addresses in content: former slugs, broken links, and other hosts that pages may load from.

-- Former public addresses of items that were renamed, unpublished or deleted. The site redirects to the present address, or
-- answers 410.
create table public.slug_aliases (
  kind text not null check (kind in ('posts', 'projects')),
  slug text not null,
  -- The last item with this slug. No foreign key: a deleted item keeps its addresses.
  item_id uuid not null,
  created_at timestamptz not null default now()
    constraint slug_aliases_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  primary key (kind, slug)
);
grant select on public.slug_aliases to anon, authenticated;
grant all on public.slug_aliases to service_role;
alter table public.slug_aliases enable row level security;
create policy "Everybody reads addresses that were public" on public.slug_aliases for select to anon, authenticated
  using (true);

-- Other hosts that an item refers to, for the content security policy. Searching 100,000 articles after each change would
-- exceed a visitor's statement timeout. Only items with such hosts have a row.
create table private.item_origins (
  kind text not null,
  item_id uuid not null,
  origins text[] not null,
  primary key (kind, item_id)
);
alter table private.item_origins enable row level security;

create function private.remember_slug() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  due_at timestamptz := to_jsonb(old) ->> 'published_date';
  is_still_public boolean := tg_op = 'UPDATE' and new.slug = old.slug and new.status = 'published';
begin
  if private.tries_release() then
    return null;
  end if;
  if old.status = 'published' and coalesce(due_at <= now(), true) and not is_still_public then
    insert into public.slug_aliases (kind, slug, item_id) values (tg_table_name, old.slug, old.id)
    on conflict (kind, slug) do update set item_id = excluded.item_id, created_at = now();
  end if;
  return null;
end
$$;

create function public.content_origins() returns table (used_for text, origin text)
language plpgsql stable set search_path = '' as $$
declare
  _kind record;
begin
  for _kind in select table_name from private.list_content_kinds() loop
    return query execute format(
      'select distinct ''picture'', named.origin
       from private.list_item_origins(%1$L) as kept join public.%1$I as item on item.id = kept.item_id
         cross join unnest(kept.origins) as named (origin)
       where item.status = ''published''', _kind.table_name
    );
  end loop;
  -- Sections of pages are JSON, or what somebody saved in its place.
  return query
    select distinct place.used_for, lower(hit[1])
    from public.page_content,
      (values ('picture', '(?:image|src)\w*'), ('frame', 'calendlyPlaceholder')) as place (used_for, key),
      regexp_matches(content, place.key || '"\s*:\s*"\s*(https://[^]/?#\\")>\s]+)', 'gi') as hit;
end
$$;
grant execute on function public.content_origins to anon, authenticated, service_role;

-- `_origins`: prefixes of this site's and its files' addresses, without trailing slash. `_pages`: LIKE patterns of existing
-- pages. `fault`: file (not in the media library), page (unknown page), missing, deleted, draft, scheduled or moved (of an
-- item; then with `target_id` if it exists). Returns at most 500 rows; `total` is the number of all.
create function public.dead_links(_origins text[], _pages text[]) returns table (
  kind text, item_id text, title text, status text, address text, fault text, target_kind text, target_id uuid, total bigint
) language plpgsql stable set search_path = '' as $$
declare
  _text text := 'text';
  _origin text;
begin
  perform private.require_admin();
  if cardinality(_origins) > 5 or cardinality(_pages) > 500 then
    raise exception 'Too many origins or pages' using errcode = '22023';
  end if;
  foreach _origin in array _origins loop
    _text := format('replace(%s, %L, ''/'')', _text, _origin || '/');
  end loop;
  return query execute format(
    'with link as materialized (
       select distinct place.kind, place.item_id, place.title, place.status, found.address,
         rtrim(split_part(split_part(found.address, ''#'', 1), ''?'', 1), ''/'') as path
       from (select kind, item_id, title, status, %2$s as text from (%1$s) as written offset 0) as place,
         lateral (%4$s) as found
       where found.address not like ''//%%''
     ),
     item as materialized (%3$s),
     prefix as (
       select table_name::text as kind, split_part(public_path, ''{slug}'', 1) as start
       from private.list_content_kinds() where public_path like ''%%{slug}%%''
     ),
     checked as (
       select link.*, prefix.kind as target_kind, coalesce(item.id, alias.item_id) as target_id,
         case
           when link.path like ''/storage/%%'' then
             case when link.path ~ ''/public/content-media/.'' and not exists (
               select from storage.objects where bucket_id = ''content-media''
                 and name = replace(substring(link.path from ''/public/content-media/(.*)$''), ''%%20'', '' '')
             ) then ''file'' end
           when prefix.kind is null then
             case when not exists (select from unnest($1) as page where coalesce(nullif(link.path, ''''), ''/'') like page)
               then ''page'' end
           when item.id is null then
             case
               when alias.item_id is null then ''missing''
               when renamed.id is null then ''deleted''
               else ''moved''
             end
           when item.status <> ''published'' then ''draft''
           when not item.due then ''scheduled''
         end as fault
       from link
       left join prefix on link.address like prefix.start || ''_%%'' and link.path <> prefix.start
       left join item on item.kind = prefix.kind
         and item.address = prefix.start || split_part(split_part(split_part(split_part(
           substr(link.address, length(prefix.start) + 1), ''#'', 1), ''?'', 1), ''&'', 1), ''/'', 1)
       left join public.slug_aliases as alias on item.id is null and alias.kind = prefix.kind
         and alias.slug = split_part(split_part(split_part(split_part(
           substr(link.address, length(prefix.start) + 1), ''#'', 1), ''?'', 1), ''&'', 1), ''/'', 1)
       left join item as renamed on renamed.kind = alias.kind and renamed.id = alias.item_id
     )
     select checked.kind, checked.item_id, checked.title, checked.status, checked.address, checked.fault,
       checked.target_kind, checked.target_id, count(*) over ()
     from checked where checked.fault is not null
     order by checked.kind, checked.title, checked.item_id, checked.address
     limit 500',
    private.places_of_links(), _text, private.addresses_of_items(), private.addresses_in_text()
  ) using _pages;
end
$$;
grant execute on function public.dead_links to authenticated, service_role;

-- Returns a query for items with an address: kind, id, address, status and due (public by time).
create function private.addresses_of_items() returns text language sql stable set search_path = '' as $$
  select coalesce(string_agg(format(
    'select %1$L::text as kind, id, replace(%2$L, ''{slug}'', slug) as address, status::text as status,
       coalesce((to_jsonb(item) ->> ''published_date'')::timestamptz <= now(), true) as due
     from public.%1$I as item', table_name, public_path
  ), ' union all '), 'select null::text, null::uuid, null::text, null::text, null::boolean where false')
  from private.list_content_kinds() where public_path like '%{slug}%'
$$;
grant execute on function private.addresses_of_items to authenticated, service_role;

-- For content_origins(), which applies the caller's policies to the items.
create function private.list_item_origins(_kind text) returns table (item_id uuid, origins text[])
language sql stable security definer rows 10 set search_path = '' as $$
  select kept.item_id, kept.origins from private.item_origins as kept where kept.kind = _kind
$$;
grant execute on function private.list_item_origins to anon, authenticated, service_role;

create function private.make_origins_known(_table text) returns void language plpgsql set search_path = '' as $$
begin
  execute format('create trigger origins_inserted after insert on public.%I referencing new table as added
    for each statement execute function private.note_origins()', _table);
  execute format('create trigger origins_updated after update on public.%I referencing new table as added
    for each statement execute function private.note_origins()', _table);
  execute format('create trigger origins_deleted after delete on public.%I referencing old table as gone
    for each statement execute function private.note_origins()', _table);
  execute format('create trigger origins_truncated after truncate on public.%I
    for each statement execute function private.note_origins()', _table);
  execute format(
    'insert into private.item_origins (kind, item_id, origins)
     select %1$L, id, origins from public.%1$I as item cross join lateral private.origins_of(to_jsonb(item.*)) as origins
     where origins <> ''{}''', _table
  );
end
$$;

create function private.make_origins_of_kind_known() returns trigger language plpgsql set search_path = '' as $$
begin
  perform private.make_origins_known(new.table_name);
  return null;
end
$$;

create function private.note_origins() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if private.tries_release() then
    return null;
  end if;
  if tg_op = 'TRUNCATE' then
    delete from private.item_origins where kind = tg_table_name::text;
  elsif tg_op = 'DELETE' then
    delete from private.item_origins using gone where kind = tg_table_name::text and item_id = gone.id;
  else
    with found as materialized (
      select added.id, private.origins_of(to_jsonb(added.*)) as origins from added
    ), forgotten as (
      delete from private.item_origins using found
      where kind = tg_table_name::text and item_id = found.id and found.origins = '{}'
    )
    insert into private.item_origins as kept (kind, item_id, origins)
    select tg_table_name::text, id, origins from found where origins <> '{}'
    on conflict (kind, item_id) do update set origins = excluded.origins where kept.origins <> excluded.origins;
  end if;
  return null;
end
$$;

-- Finds hosts of image fields, and of images in other texts, which may be Markdown.
create function private.origins_of(_item jsonb) returns text[] language sql immutable set search_path = '' as $$
  select coalesce(array_agg(distinct lower(origin)), '{}') from (
    select substring(value from '(?i)^\s*(https://[^]/?#\\")>\s]+)') as origin
    from jsonb_each_text(_item) where key ~ '(image|avatar|src)'
    union all
    select hit.origin from jsonb_each_text(_item), lateral (
      select substring(piece from '(?i)^[^]]*\]\(\s*<?(https://[^]/?#\\")>\s]+)')
      from string_to_table(value, '![') with ordinality as pieces (piece, place) where place > 1
      union all
      select substring(piece from '(?i)^\s*<?(https://[^]/?#\\")>\s]+)') from string_to_table(value, ']:') as piece
    ) as hit (origin)
    where key !~ '(image|avatar|src)' and value like '%![%'
  ) as found where origin is not null
$$;

-- Returns a query for all texts with links: kind, item_id, title, status and text (Markdown). In JSON, line breaks and
-- quotes are unescaped, and values that are addresses become Markdown links.
create function private.places_of_links() returns text language sql stable set search_path = '' as $$
  select string_agg(format(
    'select %1$L::text as kind, id::text as item_id, %2$I::text as title, status::text as status, concat_ws(E''\n'', %3$s) as text
     from public.%1$I', kind.table_name, kind.title_column, columns.names
  ), ' union all ' order by kind.number) || $places$
    union all
    select 'page_content', page_slug || '/' || section_name, page_slug || '/' || section_name, 'published',
      regexp_replace(replace(replace(content, '\n', E'\n'), '\"', '"'), '"\s*:\s*"\s*((?:https?:/)?/[^"\s]+)"', '](\1)', 'g')
    from public.page_content
    union all
    select 'site_settings', setting_key, setting_key, 'published',
      regexp_replace(setting_value, '"\s*:\s*"\s*((?:https?:/)?/[^"\s]+)"', '](\1)', 'g')
    from public.site_settings
  $places$
  from private.list_content_kinds() as kind
  cross join lateral (
    select string_agg(format('%I', attname), ', ' order by attnum) as names from pg_catalog.pg_attribute
    where attrelid = format('public.%I', kind.table_name)::regclass and atttypid = 'text'::regtype
      and attname not in ('status', 'slug', kind.title_column) and not attisdropped
  ) as columns
$$;
grant execute on function private.places_of_links to authenticated, service_role;

create trigger remember_slug after update of slug, status or delete on public.posts
  for each row execute function private.remember_slug();

create trigger remember_slug after update of slug, status or delete on public.projects
  for each row execute function private.remember_slug();

create trigger make_origins_known after insert on private.content_kinds
  for each row execute function private.make_origins_of_kind_known();

-- schemas/content/search.sql

-- Search of items and news: an index of the words of all kinds, and a list of words that corrects typing errors. A frequent
-- word is ranked among 1,000 matches, because ranking 100,000 posts took 750 ms.

-- Available on hosted projects and most servers. Without it the search does not tolerate typing errors.
do $$
begin
  create extension if not exists pg_trgm with schema extensions;
exception when others then
  raise notice 'Searching without pg_trgm: %', sqlerrm;
end
$$;

create table private.content_words (
  kind name not null,
  item_id uuid not null,
  title_words tsvector not null,
  words tsvector not null,
  primary key (kind, item_id)
);
-- No pending list (fastupdate): every search would read it until vacuum.
create index content_words_idx on private.content_words using gin (words) with (fastupdate = off);
create index content_title_words_idx on private.content_words using gin (title_words) with (fastupdate = off);
alter table private.content_words enable row level security;

-- Not unique, so that concurrent saves do not wait for each other.
create table private.known_words (
  word text not null
);
create index known_words_idx on private.known_words (word text_pattern_ops);
alter table private.known_words enable row level security;

-- Returns the schema of pg_trgm; null if it is not installed.
create function private.trigram_schema() returns name language sql stable security definer set search_path = '' as $$
  select namespace.nspname from pg_catalog.pg_extension as extension
    join pg_catalog.pg_namespace as namespace on namespace.oid = extension.extnamespace
  where extension.extname = 'pg_trgm'
$$;
do $$
begin
  if private.trigram_schema() is not null then
    execute format(
      'create index known_words_similar_idx on private.known_words using gin (word %I.gin_trgm_ops) with (fastupdate = off)',
      private.trigram_schema()
    );
  end if;
end
$$;

-- Lists a page of a kind's items that contain the words: best match first, or sorted by changed, newest or title. Returns
-- the named columns, the place of a match outside the title, and the words to mark. enable_seqscan is off, because a
-- planner without statistics would read all words of all items.
create function public.search_content(
  _kind text, _query text, _columns text[], _status text default '', _category text default '', _sort text default '',
  _limit integer default 24, _offset integer default 0
) returns table (
  item jsonb, excerpt text, words text[], total integer
) language plpgsql stable security definer set search_path = '' set enable_seqscan = off set enable_sort = off as $$
declare
  _known private.content_kinds;
  _found record;
  _columns_of_order text;
  _order text;
  _filter text := 'true';
  _most integer := 1000;
begin
  perform private.require_admin();
  select * into _known from private.content_kinds where table_name = _kind;
  if _known is null then
    raise exception 'There is no kind of content named %', coalesce(_kind, 'null') using errcode = '22023';
  end if;
  select * into _found from private.search_for(_query);
  select string_agg(format('item.%I as order_%s', split_part(part, ' ', 1), place), ', ' order by place),
    string_agg(format('order_%s%s', place, case when part like '% desc' then ' desc' end), ', ' order by place)
  into _columns_of_order, _order
  from unnest(string_to_array(
    case _sort
      when 'changed' then 'updated_at desc'
      when 'newest' then 'created_at desc'
      when 'title' then _known.title_column
      else _known.list_order
    end, ', '
  )) with ordinality as parts (part, place);
  if _sort not in ('changed', 'newest', 'title') then
    -- Ranking reads all words of an item, which is worth it where there are few.
    _order := 'is_title desc, in_title desc, case when total <= 300 then (
        select ts_rank(found.words, $1) from private.content_words as found where found.kind = $9 and found.item_id = matches.id
      ) end desc nulls last, ' || _order;
  end if;
  if coalesce(_status, '') <> '' or coalesce(_category, '') <> '' then
    _most := 10000;
    _filter := '($4 = '''' or item.status = $4) and ($5 = '''' or to_jsonb(item) ->> ''category'' = $5)';
  end if;
  return query execute format(
    'with titled as materialized (
       select found.kind, found.item_id from private.content_words as found where found.title_words @@ $1 limit %7$s
     ), hits as materialized (
       select found.kind, found.item_id from private.content_words as found where found.words @@ $1 limit %7$s
     ), newest as materialized (
       select item.id, coalesce(found.title_words @@ $1, false) as in_title, %5$s as is_match from public.%1$I as item
         join private.content_words as found on found.kind = $9 and found.item_id = item.id
       where (select count(*) from hits) in (0, %7$s) order by item.updated_at desc limit %8$s
     ), candidates as materialized (
       select either.id, bool_or(either.in_title) as in_title from (
         select item_id as id, true as in_title from titled where kind = $9
         union all select item_id, false from hits where kind = $9
         union all select id, in_title from newest where is_match
       ) as either group by either.id
     ), matches as materialized (
       select item.id, candidates.in_title, lower(item.%2$I) = lower($2) as is_title, %3$s
       from candidates join public.%1$I as item using (id)
       where %6$s
     ), counted as materialized (
       select least(count(*), %7$s)::integer as total from matches
     ), page as (
       select id, total, row_number() over (order by %4$s, id) as place
       from matches cross join counted
       order by place limit least(greatest($6, 1), 200) offset greatest($7, 0)
     )
     select (
         select jsonb_object_agg(key, value) from jsonb_each(to_jsonb(item)) where key = any ($8)
       ),
       private.excerpt_of(private.searchable_text(to_jsonb(item) - ''slug'', %2$L), $3), $3, page.total
     from page join public.%1$I as item using (id) order by page.place',
    _known.table_name, _known.title_column, _columns_of_order, _order,
    case when _found.query is null then format('position(lower($2) in lower(item.%I)) > 0', _known.title_column)
      else 'found.words @@ $1' end,
    -- Without a word, such as a sign alone, titles are gone through one after the other.
    _filter, _most, case when _found.query is null then 10000 else 300 end
  ) using _found.query, trim(_query), _found.words, coalesce(_status, ''), coalesce(_category, ''), _limit, _offset, _columns,
    _known.table_name;
end
$$;
grant execute on function public.search_content to authenticated;

-- Returns the best matches of every kind, and people by name or address (kind 'people'), for the command palette.
create function public.search_everywhere(_query text) returns table (kind text, id uuid, title text)
language plpgsql stable security definer set search_path = '' set enable_seqscan = off set enable_sort = off as $$
declare
  _known private.content_kinds;
  _found record;
  _hits record;
begin
  perform private.require_admin();
  select * into _found from private.search_for(_query);
  if _found.query is null then
    return;
  end if;
  -- The ids of each kind, looked for once for all of them, as few as those of the kind that are looked at in any case.
  with titled as materialized (
    select found.kind, found.item_id from private.content_words as found where found.title_words @@ _found.query limit 300
  ), hits as materialized (
    select found.kind, found.item_id from private.content_words as found where found.words @@ _found.query limit 300
  )
  select (select count(*) from hits) = 300 as are_many, (
    select jsonb_object_agg(found.kind, found.ids) from (
      select titled.kind, jsonb_agg(titled.item_id) as ids from titled group by titled.kind
    ) as found
  ) as titled, (
    select jsonb_object_agg(found.kind, found.ids) from (
      select hits.kind, jsonb_agg(hits.item_id) as ids from hits group by hits.kind
    ) as found
  ) as anywhere into _hits;
  for _known in select * from private.content_kinds order by number loop
    return query execute format(
      'with newest as materialized (
         select item.id, found.title_words @@ $1 as in_title, found.words @@ $1 as is_match from public.%1$I as item
           join private.content_words as found on found.kind = %1$L and found.item_id = item.id
         where $5 order by item.updated_at desc limit 300
       ), candidates as materialized (
         select either.id, bool_or(either.in_title) as in_title from (
           select hits.id::uuid, true as in_title from jsonb_array_elements_text($3) as hits (id)
           union all select hits.id::uuid, false from jsonb_array_elements_text($4) as hits (id)
           union all select id, in_title from newest where is_match
         ) as either group by either.id
       )
       select %1$L::text, item.id, item.%2$I::text from candidates join public.%1$I as item using (id)
       order by lower(item.%2$I) = lower($2) desc, candidates.in_title desc, item.updated_at desc, item.id limit 5',
      _known.table_name, _known.title_column
    ) using _found.query, trim(_query), coalesce(_hits.titled -> _known.table_name::text, '[]'),
      coalesce(_hits.anywhere -> _known.table_name::text, '[]'), _hits.are_many;
  end loop;
  return query select 'people'::text, people.id, people.told from private.people_named(_query) as people;
end
$$;
grant execute on function public.search_everywhere to authenticated;

-- Lists a page of published posts that contain all words: matches in the title first, then the newest. `total` is at most
-- 240. Frequent words are searched in 1,000 posts and in the newest 300, so that the cost does not grow with the number of
-- posts. Each step is materialized, because a planner without statistics would probe the word index for each post. Security
-- definer, because the index covers drafts and all kinds; only published posts are returned.
create function public.search_news(
  _query text, _category text default '', _limit integer default 24, _offset integer default 0
) returns table (
  id uuid, total integer
) language plpgsql stable security definer set search_path = '' set enable_seqscan = off set enable_sort = off as $$
declare
  _asked constant tsquery := private.typed_words(_query);
begin
  return query
  with titled as materialized (
    select found.item_id from private.content_words as found
    -- As a text, for which there is no index: that of kinds would be read whole beside that of words.
    where found.kind::text = 'posts' and found.title_words @@ _asked limit 1000
  ), hits as materialized (
    select found.item_id from private.content_words as found
    where found.kind::text = 'posts' and found.words @@ _asked limit 1000
  ), newest as materialized (
    select posts.id from public.posts
    where posts.status = 'published' and posts.published_date <= now() and (select count(*) from hits) = 1000
    order by posts.published_date desc, posts.created_at desc limit 300
  ), newest_hits as materialized (
    select found.item_id, found.title_words @@ _asked as in_title, found.words @@ _asked as is_match
    from newest join private.content_words as found on found.kind = 'posts' and found.item_id = newest.id
  ), candidates as materialized (
    select either.item_id, bool_or(either.in_title) as in_title from (
      select titled.item_id, true as in_title from titled
      union all select hits.item_id, false from hits
      union all select newest_hits.item_id, newest_hits.in_title from newest_hits where newest_hits.is_match
    ) as either group by either.item_id
  ), found_posts as materialized (
    -- Without a condition, for which the planner would rather read all published posts.
    select posts.id, posts.status, posts.category, posts.published_date, posts.created_at, candidates.in_title
    from candidates join public.posts on posts.id = candidates.item_id
  ), matches as materialized (
    select found_posts.id, row_number() over (
      order by found_posts.in_title desc, found_posts.published_date desc, found_posts.created_at desc, found_posts.id
    ) as place
    from found_posts
    where found_posts.status = 'published' and found_posts.published_date <= now()
      and (coalesce(_category, '') = '' or found_posts.category = _category)
  )
  select matches.id, least((select count(*) from matches), 240)::integer from matches
  where matches.place > greatest(_offset, 0) and matches.place <= least(greatest(_offset, 0) + least(greatest(_limit, 0), 100), 240)
  order by matches.place;
end
$$;
grant execute on function public.search_news to anon, authenticated, service_role;

-- Returns the columns of published_content for at most 8 posts, best first. Long texts are cut.
create function public.search_posts(_words text[]) returns table (
  kind text, title text, public_path text, text_columns text[], item jsonb
) language sql stable set search_path = '' as $$
  select kinds.table_name::text, posts.title, kinds.public_path, kinds.text_columns::text[],
    to_jsonb(posts) || jsonb_build_object('content', left(posts.content, 20000))
  from private.posts_with_words(_words) with ordinality as found (id, place)
    join public.posts using (id)
    cross join (select * from private.list_content_kinds() where table_name = 'posts') as kinds
  order by found.place limit 8
$$;
grant execute on function public.search_posts to anon, authenticated, service_role;

-- Returns an excerpt around the first of the words; null without a match.
create function private.excerpt_of(_text text, _words text[]) returns text language sql immutable set search_path = '' as $$
  select case when min(place) > 0 then substr(_text, greatest(1, min(place) - 60), 240) end
  from (select position(word in lower(_text)) as place from unnest(_words) as word) as places
  where place > 0
$$;

-- Reads the text of a changed item once.
create function private.index_content() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _title name;
  _ids uuid[];
  _titles text[];
  _bodies text[];
begin
  if private.tries_release() then
    return null;
  elsif tg_op = 'TRUNCATE' then
    delete from private.content_words where kind = tg_table_name::text;
    return null;
  elsif tg_op = 'DELETE' then
    delete from private.content_words using gone where kind = tg_table_name::text and item_id = gone.id;
    return null;
  end if;
  select title_column into _title from private.content_kinds where table_name = tg_table_name;
  if tg_op = 'INSERT' then
    select array_agg(id), array_agg(to_jsonb(added) ->> _title), array_agg(private.searchable_text(to_jsonb(added), _title))
    into _ids, _titles, _bodies from added;
  else
    with texts as materialized (
      select added.id, to_jsonb(added) ->> _title as title, private.searchable_text(to_jsonb(added), _title) as body,
        to_jsonb(gone) as former
      from added left join gone using (id)
    )
    select array_agg(id), array_agg(title), array_agg(body) into _ids, _titles, _bodies from texts
    where title is distinct from former ->> _title or body is distinct from private.searchable_text(former, _title);
  end if;
  with texts as materialized (
    select id, to_tsvector('pg_catalog.simple'::regconfig, title) as title, to_tsvector('pg_catalog.simple'::regconfig, body) as body
    from unnest(_ids, _titles, _bodies) as changed (id, title, body)
  ), indexed as (
    insert into private.content_words as kept (kind, item_id, title_words, words)
    select tg_table_name, id, title, setweight(title, 'A') || body from texts
    on conflict (kind, item_id) do update set title_words = excluded.title_words, words = excluded.words
    where kept.words <> excluded.words
    returning kept.words
  )
  insert into private.known_words (word)
  select distinct lexeme from indexed cross join unnest(tsvector_to_array(indexed.words)) as lexeme
  where length(lexeme) between 3 and 40
    and not exists (select from private.known_words as known where known.word = lexeme);
  return null;
end
$$;

create function private.make_kind_searchable() returns trigger language plpgsql set search_path = '' as $$
begin
  perform private.make_searchable(new.table_name);
  return null;
end
$$;

create function private.make_searchable(_table text) returns void language plpgsql set search_path = '' as $$
begin
  execute format('create trigger index_inserted after insert on public.%I referencing new table as added
    for each statement execute function private.index_content()', _table);
  execute format('create trigger index_updated after update on public.%I referencing old table as gone new table as added
    for each statement execute function private.index_content()', _table);
  execute format('create trigger index_deleted after delete on public.%I referencing old table as gone
    for each statement execute function private.index_content()', _table);
  execute format('create trigger index_truncated after truncate on public.%I
    for each statement execute function private.index_content()', _table);
  -- What is there already.
  execute format(
    'insert into private.content_words (kind, item_id, title_words, words)
     select kinds.table_name, item.id, texts.title, setweight(texts.title, ''A'')
       || to_tsvector(''pg_catalog.simple''::regconfig, private.searchable_text(to_jsonb(item), kinds.title_column))
     from public.%1$I as item join private.content_kinds as kinds on kinds.table_name = %1$L
       cross join lateral (
         select to_tsvector(''pg_catalog.simple''::regconfig, to_jsonb(item) ->> kinds.title_column)
       ) as texts (title)', _table
  );
  insert into private.known_words (word)
  select distinct lexeme from private.content_words cross join unnest(tsvector_to_array(words)) as lexeme
  where kind = _table and length(lexeme) between 3 and 40
    and not exists (select from private.known_words as known where known.word = lexeme);
end
$$;

-- Returns the words that a typed word may mean, besides those that begin with it: words that contain it, or, if it seems
-- mistyped, similar ones by trigrams or with the same letters in another order.
create function private.meant_words(_typed text) returns text[]
language plpgsql stable security definer set search_path = '' as $$
declare
  _pattern text := replace(replace(replace(_typed, '\', '\\'), '%', '\%'), '_', '\_');
  _words text[];
begin
  if length(_typed) < 3 or length(_typed) > 40 then
    return '{}';
  end if;
  select array_agg(word) into _words from (
    select distinct word from private.known_words where word like '%' || _pattern || '%' limit 30
  ) as containing;
  if _words is not null or private.trigram_schema() is null then
    return coalesce(_words, '{}');
  end if;
  perform set_config('pg_trgm.similarity_threshold', '0.2', true);
  execute format(
    'select array_agg(word) from (
       select word from private.known_words
       where word operator(%1$I.%%) $1 and (%1$I.similarity(word, $1) >= 0.4 or (
         length(word) = length($1)
         and array(select unnest(string_to_array(word, null)) order by 1) = array(select unnest(string_to_array($1, null)) order by 1)
       ))
       group by word order by %1$I.similarity(word, $1) desc limit 8
     ) as similar_words', private.trigram_schema()
  ) into _words using _typed;
  return coalesce(_words, '{}');
end
$$;

-- Both searches of posts share one index of words, because indexing a text twice cost a fifth of each save.
create function private.posts_with_words(_words text[]) returns setof uuid
language sql stable security definer set search_path = '' set enable_seqscan = off set enable_indexscan = off as $$
  with asked as (
    -- Quoted, so that it is one word of the query whatever is in it; long ones stand for their other endings too.
    select distinct to_tsquery('pg_catalog.simple'::regconfig,
      '''' || replace(replace(lower(word), '\', '\\'), '''', '''''') || case when length(word) > 3 then ''':*' else '''' end
    ) as query
    from unnest(_words[1:12]) as word where length(word) between 2 and 60
  ),
  hits as (
    select query, item_id as id, count(*) over (partition by query) as posts
    from asked cross join lateral (
      select item_id from private.content_words where kind = 'posts' and words @@ asked.query limit 2000
    ) as hit
  ),
  -- Whether they are published is asked of the best alone: of all it took longer than the search.
  best as materialized (
    select id, sum(1 / sqrt(posts)) as rank from hits group by id order by rank desc, id limit 1000
  )
  select best.id from best join public.posts using (id) where status = 'published' order by rank desc, best.id limit 20
$$;
grant execute on function private.posts_with_words to anon, authenticated, service_role;

-- Returns the search query: each typed word as a prefix, or what it may have meant. Null without a word.
create function private.search_for(_typed text, out query tsquery, out words text[]) returns record
language plpgsql stable security definer set search_path = '' as $$
declare
  _word text;
  _meant text[];
  _either tsquery;
begin
  words := '{}';
  for _word in
    select lexeme from unnest(to_tsvector('pg_catalog.simple'::regconfig, left(_typed, 200))) order by positions[1] limit 8
  loop
    _meant := private.meant_words(_word);
    _either := to_tsquery('pg_catalog.simple'::regconfig,
      '''' || replace(replace(_word, '\', '\\'), '''', '''''') || ''':*');
    select coalesce(_either || to_tsquery('pg_catalog.simple'::regconfig, string_agg(
      '''' || replace(replace(meant, '\', '\\'), '''', '''''') || '''', ' | '
    )), _either) into _either from unnest(_meant) as meant;
    query := coalesce(query && _either, _either);
    words := words || _word || _meant;
  end loop;
end
$$;

-- Returns all texts of an item but its title, without addresses of images and times.
create function private.searchable_text(_item jsonb, _title name) returns text language sql immutable set search_path = '' as $$
  select left(coalesce(string_agg(
    case jsonb_typeof(value)
      when 'array' then (select string_agg(entry, ' ') from jsonb_array_elements_text(value) as entry)
      else value #>> '{}'
    end, E'\n' order by length(value::text)
  ), ''), 200000)
  from jsonb_each(_item)
  where key <> _title and key not in ('id', 'status', 'icon_name') and jsonb_typeof(value) in ('string', 'array')
    and key !~ '_(at|date|image|images|url|links|id|by)$'
$$;

-- Returns a query of all typed words as prefixes; null without a word.
create function private.typed_words(_typed text) returns tsquery language sql immutable set search_path = '' as $$
  select to_tsquery('pg_catalog.simple'::regconfig, string_agg(
    '''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || case when length(lexeme) > 2 then ''':*' else '''' end, ' & '
  ))
  from (
    select lexeme from unnest(to_tsvector('pg_catalog.simple'::regconfig, left(_typed, 100))) order by positions[1] limit 8
  ) as words
$$;

create trigger make_kind_searchable after insert on private.content_kinds
  for each row execute function private.make_kind_searchable();

-- schemas/settings/settings.sql

-- Settings by key. Visitors read only the keys in the policies below.
create table public.site_settings (
  id uuid primary key default gen_random_uuid(),
  setting_key text not null unique check (length(setting_key) between 1 and 100),
  setting_value text not null default '' check (length(setting_value) <= 100000),
  created_at timestamptz not null default now()
    constraint site_settings_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  updated_at timestamptz not null default now()
    constraint site_settings_updated_at_calendar check (updated_at between '1900-01-01' and '2999-12-31')
);
grant select on public.site_settings to anon;
grant select, insert, update, delete on public.site_settings to authenticated;
grant all on public.site_settings to service_role;
alter table public.site_settings enable row level security;
create policy "Visitors read public settings" on public.site_settings
  for select to anon, authenticated using (setting_key in (
    'site_name', 'site_tagline', 'contact_email', 'contact_phone', 'social_links', 'seo_description', 'seo_keywords'
  ));
create policy "Admins read all settings" on public.site_settings for select to authenticated
  using ((select private.is_admin()));
create policy "Admins create settings" on public.site_settings for insert to authenticated
  with check ((select private.is_admin()));
create policy "Admins change settings" on public.site_settings for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "Admins delete settings" on public.site_settings for delete to authenticated using ((select private.is_admin()));
create policy "Visitors read which sites may embed the chat" on public.site_settings for select to anon, authenticated
  using (setting_key = 'chat_allowed_origins');

-- Off until the first question is published, then on until an admin switches it off. A missing setting saves the page a
-- query.
create policy "Visitors read whether the contact page has questions" on public.site_settings for select to anon, authenticated
  using (setting_key = 'faq_on_contact');

-- Pages read these to show their forms; take_lead() checks them again.
create policy "Visitors read what they may leave" on public.site_settings for select to anon, authenticated
  using (setting_key in ('keep_contact_messages', 'newsletter_signup', 'leads_from_chat'));

-- Public, so that pages need no other call. It follows the weekly hours.
create policy "Visitors read whether calls can be booked" on public.site_settings for select to anon, authenticated
  using (setting_key = 'booking');
create policy "Visitors read whether visits are counted" on public.site_settings for select to anon, authenticated
  using (setting_key = 'count_visits');
create policy "Visitors read how long things are kept" on public.site_settings for select to anon, authenticated
  using (setting_key = 'chat_retention_days');
create policy "Visitors read the brand" on public.site_settings for select to anon, authenticated
  using (setting_key in ('brand_accent', 'brand_logo'));
create policy "Visitors read that the chat is switched off" on public.site_settings for select to anon, authenticated
  using (setting_key = 'chat_daily_cap' and setting_value ~ '^0{1,7}$');
create policy "Visitors read whether domains can be checked" on public.site_settings for select to anon, authenticated
  using (setting_key = 'domain_check');
create policy "Visitors read when somebody answers" on public.site_settings for select to anon, authenticated
  using (setting_key = 'answer_time');
create policy "Visitors read the time zone of the site" on public.site_settings for select to anon, authenticated
  using (setting_key = 'site_time_zone');

create trigger touch_updated_at before update on public.site_settings for each row execute function private.touch_updated_at();
create trigger notify_content_changed after insert or update or delete or truncate on public.site_settings
  for each statement execute function private.notify_content_changed();
create trigger guard_second_factor before insert or update on public.site_settings
  for each row when (new.setting_key = 'require_second_factor') execute function private.guard_second_factor_setting();

-- schemas/settings/brand.sql

-- The owner's accent colour and logo, shown in all pages, mails and sharing images. Unreadable values are refused.

-- As in app/brand/accent.ts: contrast of 4.5 to 1 on the darkest background of the light theme.
create function private.guard_brand_accent() returns trigger language plpgsql set search_path = '' as $$
begin
  if new.setting_value = '' then
    return new;
  end if;
  if new.setting_value !~ '^#[0-9a-f]{6}$' then
    raise exception 'The accent colour is written as #rrggbb' using errcode = '23514';
  end if;
  if (private.luminance('#f0ece4') + 0.05) / (private.luminance(new.setting_value) + 0.05) < 4.5 then
    raise exception 'The accent colour is too light: text needs a contrast of 4.5 to 1' using errcode = '23514';
  end if;
  return new;
end
$$;

create function private.guard_brand_logo() returns trigger language plpgsql set search_path = '' as $$
declare
  _logo jsonb;
begin
  if new.setting_value = '' then
    return new;
  end if;
  begin
    _logo := new.setting_value::jsonb;
  exception when others then
    _logo := null;
  end;
  if length(new.setting_value) > 2000 or not private.is_brand_picture(_logo -> 'light')
     or (coalesce(jsonb_typeof(_logo -> 'dark'), 'null') <> 'null' and not private.is_brand_picture(_logo -> 'dark')) then
    raise exception 'The logo is a picture that was uploaded to this site' using errcode = '23514';
  end if;
  return new;
end
$$;

-- Relative luminance of a colour, #rrggbb, by WCAG 2.
create function private.luminance(_colour text) returns double precision language sql immutable set search_path = '' as $$
  select sum(weight * case when share <= 0.04045 then share / 12.92 else power((share + 0.055) / 1.055, 2.4) end)
  from (
    select weight, get_byte(decode(substr(_colour, at, 2), 'hex'), 0) / 255.0::double precision as share
    from (values (0.2126::double precision, 2), (0.7152, 4), (0.0722, 6)) as channel (weight, at)
  ) as channels
$$;
grant execute on function private.luminance to authenticated, service_role;

-- A logo must be an uploaded file, so that SVGs are sanitised.
create function private.is_brand_picture(_picture jsonb) returns boolean language sql immutable set search_path = '' as $$
  select coalesce(
    jsonb_typeof(_picture) = 'object'
    and _picture ->> 'address' ~ '^(https?://[A-Za-z0-9.:-]+)?/storage/v1/object/public/content-media/[A-Za-z0-9_./%-]+$'
    and _picture ->> 'address' !~ '\.\.'
    and jsonb_typeof(_picture -> 'width') = 'number' and jsonb_typeof(_picture -> 'height') = 'number',
    false
  )
$$;
grant execute on function private.is_brand_picture to authenticated, service_role;

create trigger guard_brand_accent before insert or update on public.site_settings
  for each row when (new.setting_key = 'brand_accent') execute function private.guard_brand_accent();
create trigger guard_brand_logo before insert or update on public.site_settings
  for each row when (new.setting_key = 'brand_logo') execute function private.guard_brand_logo();

-- schemas/editing/presence.sql

-- Open forms, shown to other admins. Nothing is locked. A form reports itself every few seconds and expires after two
-- minutes.
create table public.editing (
  -- A content table, page_content or site_settings.
  kind text not null check (length(kind) between 1 and 63),
  -- The id of an item, page/section, or the key of a setting.
  item_id text not null check (length(item_id) between 1 and 200),
  user_id uuid not null references auth.users (id) on delete cascade,
  seen_at timestamptz not null default now()
    constraint editing_seen_at_calendar check (seen_at between '1900-01-01' and '2999-12-31'),
  primary key (user_id, kind, item_id)
);
grant all on public.editing to service_role;
alter table public.editing enable row level security;

-- Returns display names of editors: name or address.
create function public.editor_names(_user_ids uuid[]) returns table (user_id uuid, name text)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return query
    select person.id, coalesce(nullif(private.name_of(person.raw_user_meta_data), ''), nullif(person.email, ''), person.phone, '')::text
    from auth.users as person where person.id = any (_user_ids);
end
$$;
grant execute on function public.editor_names to authenticated;

-- Lists who else has items of a kind open. Empty for former admins, who learn about it when they save.
create function public.list_editing(_kind text) returns table (item_id text, name text)
language sql stable security definer set search_path = '' as $$
  select others.item_id, others.name from private.others_editing(_kind) as others where private.is_admin()
$$;
grant execute on function public.list_editing to authenticated;

-- Reports that the caller closed a form.
create function public.stop_editing(_kind text, _item_id text) returns void
language sql security definer set search_path = '' as $$
  delete from public.editing where user_id = (select private.user_id()) and kind = _kind and item_id = _item_id
$$;
grant execute on function public.stop_editing to authenticated;

-- Reports that the caller has a form open, and returns who else has. At most 20 forms per person.
create function public.tell_editing(_kind text, _item_id text) returns table (name text)
language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_admin() then
    return;
  end if;
  if not private.is_editable_kind(_kind) or coalesce(length(_item_id), 0) not between 1 and 200 then
    raise exception 'There is no such form' using errcode = '22023';
  end if;
  insert into public.editing (kind, item_id, user_id) values (_kind, _item_id, auth.uid())
    on conflict (user_id, kind, item_id) do update set seen_at = excluded.seen_at;
  delete from public.editing where ctid in (
    select kept.ctid from public.editing as kept
    where kept.seen_at < now() - interval '2 minutes' or (kept.user_id = auth.uid() and (kept.kind, kept.item_id) in (
      select mine.kind, mine.item_id from public.editing as mine
      where mine.user_id = auth.uid() order by mine.seen_at desc, mine.kind, mine.item_id offset 20
    ))
    -- Two who tidy up at once leave each other's rows alone.
    for update skip locked
  );
  return query
    select others.name from private.others_editing(_kind) as others where others.item_id = _item_id;
end
$$;
grant execute on function public.tell_editing to authenticated;

-- Lists other editors who reported within the last minute.
create function private.others_editing(_kind text) returns table (item_id text, name text)
language sql stable security definer set search_path = '' as $$
  select editing.item_id, left(coalesce(
    nullif(private.name_of(person.raw_user_meta_data), ''), nullif(person.email, ''), nullif(person.phone, ''), 'Somebody'
  ), 200)
  from public.editing join auth.users as person on person.id = editing.user_id
  where editing.kind = _kind and editing.user_id <> (select auth.uid())
    and editing.seen_at > now() - interval '1 minute'
  order by editing.seen_at, editing.user_id limit 200
$$;

-- schemas/editing/history.sql

-- History of items, page sections and settings: the state after each change, with its author. Only the trigger
-- keep_versions writes; admins read.
create table public.content_versions (
  id bigint primary key generated always as identity,
  -- The table. The key is the id of an item, 'home/hero' for a page section, or the key of a setting: a section that is
  -- reset and saved again keeps its history.
  kind text not null,
  item_id text not null,
  -- The row after the change; the last state of a deleted one.
  data jsonb not null,
  -- 'before': the state before the first recorded change.
  action text not null check (action in ('before', 'created', 'changed', 'deleted', 'restored')),
  -- Changed columns.
  changes text[] not null default '{}',
  -- Null for scripts, and after the account is deleted.
  author_id uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default clock_timestamp()
    constraint content_versions_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31')
);
create index content_versions_author_idx on public.content_versions (author_id) where author_id is not null;
create index content_versions_age_idx on public.content_versions (created_at) include (kind, item_id, id);
create index content_versions_item_idx on public.content_versions (kind, item_id, id desc) include (created_at);
grant select on public.content_versions to authenticated, service_role;
alter table public.content_versions enable row level security;
create policy "Admins read the history of content" on public.content_versions for select to authenticated
  using ((select private.is_admin()));

-- Looks only at the next version: if an item was changed 50 times, none of the versions is old enough.
create function private.delete_old_versions(_at_most integer default null) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  _deleted integer;
begin
  delete from public.content_versions where id in (
    select version.id from public.content_versions as version
    where version.created_at < now() - interval '90 days' and (
      select newer.created_at from public.content_versions as newer
      where newer.kind = version.kind and newer.item_id = version.item_id and newer.id > version.id
      order by newer.id limit 1
    ) < now() - interval '90 days'
    order by version.created_at limit _at_most
  );
  get diagnostics _deleted = row_count;
  return _deleted;
end
$$;

-- Lists the fields in which two rows of a kind differ, in column order, without those that the database writes.
create function private.differing_fields(_kind text, _one jsonb, _other jsonb) returns text[]
language sql stable set search_path = '' as $$
  select coalesce(array_agg(attname::text order by attnum), '{}')
  from pg_catalog.pg_attribute,
    private.typed_row(_kind, _one) as one (fields), private.typed_row(_kind, _other) as other (fields)
  where attrelid = format('public.%I', _kind)::regclass and attnum > 0 and not attisdropped
    and attgenerated = '' and attidentity = '' and attname not in ('id', 'created_at', 'updated_at')
    and one.fields -> attname::text is distinct from other.fields -> attname::text
$$;

create function private.keep_version(
  _kind text, _item_id text, _data jsonb, _action text, _changes text[], _author_id uuid
) returns void language sql security definer set search_path = '' as $$
  insert into public.content_versions (kind, item_id, data, action, changes, author_id)
    values (_kind, _item_id, _data, _action, _changes, _author_id);
  -- The newest 50 stay.
  delete from public.content_versions where kind = _kind and item_id = _item_id and id <= (
    select id from public.content_versions where kind = _kind and item_id = _item_id order by id desc offset 50 limit 1
  );
$$;

create function private.keep_versions() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _kind constant text := tg_table_name;
  _old jsonb;
  _data jsonb;
  _item_id text;
  _of private.documents;
  _author_id uuid;
  _action text := case tg_op when 'INSERT' then 'created' when 'UPDATE' then 'changed' else 'deleted' end;
  _changes text[] := '{}';
begin
  if private.tries_release() then
    return null;
  end if;
  _old := private.written_columns(to_jsonb(old), tg_relid);
  _data := coalesce(private.written_columns(to_jsonb(new), tg_relid), _old);
  _item_id := private.document_key(_kind, _data);
  _author_id := private.user_id();
  select * into _of from private.documents where kind = _kind;
  if tg_op = 'UPDATE' then
    select coalesce(array_agg(key order by key), '{}') into _changes from jsonb_each(_data)
    where value is distinct from _old -> key and key <> 'updated_at';
    -- Being moved among the others is no change of an item.
    if _changes <@ array['display_order'] then
      return null;
    end if;
    if not exists (select from public.content_versions where kind = _kind and item_id = _item_id) then
      perform private.keep_version(_kind, _item_id, _old, 'before', '{}', null);
    end if;
  end if;
  if _of.is_item then
    if tg_op = 'DELETE' then
      insert into public.deleted_content as kept (kind, item_id, title, data, deleted_by)
        values (_kind, _item_id::uuid, coalesce(_data ->> _of.title_column, ''), _data, _author_id)
        on conflict (kind, item_id) do update set
          title = excluded.title, data = excluded.data, deleted_by = excluded.deleted_by, deleted_at = excluded.deleted_at;
    elsif tg_op = 'INSERT' then
      -- However an item comes back, it is not deleted any more.
      delete from public.deleted_content where kind = _kind and item_id = _item_id::uuid;
      if found then
        _action := 'restored';
      end if;
    end if;
  end if;
  perform private.keep_version(_kind, _item_id, _data, _action, _changes, _author_id);
  return null;
end
$$;

create function private.keep_versions_of_kind() returns trigger language plpgsql set search_path = '' as $$
begin
  execute format(
    'create trigger keep_versions after insert or update or delete on public.%I
       for each row execute function private.keep_versions()', new.table_name
  );
  return null;
end
$$;

-- Refuses a save whose header x-opened-version (updated_at of its base, or 'none') is not current, so that the editor can
-- merge. A save without the header overwrites.
create function private.refuse_stale_text() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _opened text := nullif(current_setting('request.headers', true), '')::json ->> 'x-opened-version';
  _is_stale boolean := false;
begin
  -- Nobody else may learn from the answer what is saved; the policies refuse them.
  if not private.is_admin() then
    _opened := null;
  end if;
  if _opened <> 'none' and tg_op = 'INSERT' then
    -- An upsert comes here before it finds the row, which then answers for itself.
    execute format(
      'select not exists (select from public.%I as item where %s)', tg_table_name, private.is_document_in_sql(tg_table_name)
    ) into _is_stale using private.document_key(tg_table_name, to_jsonb(new));
  elsif _opened is not null and tg_op <> 'INSERT' then
    _is_stale := _opened = 'none' or _opened::timestamptz <> old.updated_at;
  end if;
  if _is_stale then
    raise sqlstate 'PT412' using message = 'Somebody else changed this after you opened it. Nothing was overwritten.';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end
$$;

-- Generated columns are not content.
create function private.written_columns(_row jsonb, _table oid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select _row - coalesce(
    (select array_agg(attname::text) from pg_catalog.pg_attribute where attrelid = _table and attnum > 0 and attgenerated <> ''),
    '{}'
  )
$$;

create trigger keep_versions after insert or update or delete on public.page_content
  for each row execute function private.keep_versions();

create trigger keep_versions after insert or update or delete on public.site_settings
  for each row execute function private.keep_versions();

create trigger keep_versions_of_kind after insert on private.content_kinds
  for each row execute function private.keep_versions_of_kind();

create trigger refuse_stale_text before insert or update or delete on public.page_content
  for each row execute function private.refuse_stale_text();

create trigger refuse_stale_text before insert or update or delete on public.site_settings
  for each row execute function private.refuse_stale_text();

-- schemas/editing/trash.sql

-- Trash: deleted items for 30 days. Only admins can restore or delete them for good. The trigger keep_versions fills it on
-- every delete.
create table public.deleted_content (
  kind text not null,
  item_id uuid not null,
  title text not null,
  data jsonb not null,
  deleted_by uuid references auth.users (id) on delete set null,
  deleted_at timestamptz not null default clock_timestamp()
    constraint deleted_content_deleted_at_calendar check (deleted_at between '1900-01-01' and '2999-12-31'),
  primary key (kind, item_id)
);
create index deleted_content_newest_idx on public.deleted_content (kind, deleted_at desc);
create index deleted_content_age_idx on public.deleted_content (deleted_at);
create index deleted_content_person_idx on public.deleted_content (deleted_by) where deleted_by is not null;
grant select on public.deleted_content to authenticated, service_role;
alter table public.deleted_content enable row level security;
create policy "Admins read deleted content" on public.deleted_content for select to authenticated
  using ((select private.is_admin()));

-- Returns the number of deleted items.
create function public.delete_for_ever(_kind text, _item_ids uuid[]) returns integer
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return private.forget_items(_kind, _item_ids);
end
$$;
grant execute on function public.delete_for_ever to authenticated, service_role;

-- Restores a deleted item with its id. A second caller gets an error. Returns the new slug if another item has the old one,
-- else null.
create function public.restore_item(_kind text, _item_id uuid) returns text
language plpgsql security definer set search_path = '' as $$
declare
  _data jsonb;
  _slug text;
  _number integer := 1;
  _is_taken boolean;
begin
  perform private.require_admin();
  if not exists (select from private.documents where kind = _kind and is_item) then
    raise exception 'There is no kind of content named %', coalesce(_kind, 'null') using errcode = '22023';
  end if;
  select data into _data from public.deleted_content where kind = _kind and item_id = _item_id for update;
  if not found then
    raise exception 'It is not among the deleted items any more. Somebody restored it, or deleted it for ever.';
  end if;
  if _data ? 'slug' then
    loop
      _slug := case _number when 1 then _data ->> 'slug' else left(_data ->> 'slug', 290) || '-' || _number end;
      execute format('select exists (select from public.%I where slug = $1)', _kind) into _is_taken using _slug;
      exit when not _is_taken;
      _number := _number + 1;
    end loop;
    _data := _data || jsonb_build_object('slug', _slug);
  end if;
  -- Since the item was deleted, columns may have come, which get their default, and gone.
  perform private.insert_item(_kind, _data, null);
  return case when _number > 1 then _slug end;
end
$$;
grant execute on function public.restore_item to authenticated, service_role;

-- Run daily. Returns the number of deleted items.
create function private.delete_old_trash(_at_most integer default null) returns integer
language sql security definer set search_path = '' as $$
  select coalesce(sum(private.forget_items(kind, item_ids)), 0)::integer
  from (
    select kind, array_agg(item_id) from (
      select kind, item_id from public.deleted_content
      where deleted_at < now() - interval '30 days' order by deleted_at limit _at_most
    ) as due group by kind
  ) as old (kind, item_ids)
$$;

-- Deletes the history too. Returns the number of deleted items.
create function private.forget_items(_kind text, _item_ids uuid[]) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  _deleted integer;
begin
  with gone as (
    delete from public.deleted_content where kind = _kind and item_id = any (_item_ids) returning kind, item_id::text as item_id
  ), versions as (
    delete from public.content_versions as version using gone
    where version.kind = gone.kind and version.item_id = gone.item_id
  )
  select count(*) into _deleted from gone;
  return _deleted;
end
$$;

-- schemas/editing/releases.sql

-- Releases: changes of content that are published together. A change holds the whole row as it will be (data) and as it was
-- when it was edited (base), both as to_jsonb(); publishing writes the difference.
create table public.releases (
  id uuid primary key default gen_random_uuid(),
  name text not null check (length(trim(name)) between 1 and 120),
  -- When it is published automatically; null for by hand.
  publish_at timestamptz constraint releases_publish_at_calendar check (publish_at between '1900-01-01' and '2999-12-31'),
  scheduled_by uuid references auth.users (id) on delete set null,
  published_at timestamptz constraint releases_published_at_calendar check (published_at between '1900-01-01' and '2999-12-31'),
  -- Who published or scheduled it; null after the account is deleted.
  published_by uuid references auth.users (id) on delete set null,
  -- Why the scheduled publication failed, for editors, and when.
  failure text check (length(failure) <= 4000),
  failed_at timestamptz constraint releases_failed_at_calendar check (failed_at between '1900-01-01' and '2999-12-31'),
  created_by uuid default private.user_id() references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
    constraint releases_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  updated_at timestamptz not null default now()
    constraint releases_updated_at_calendar check (updated_at between '1900-01-01' and '2999-12-31')
);
create index releases_due_idx on public.releases (publish_at) where published_at is null and publish_at is not null;
create index releases_newest_idx on public.releases (created_at desc);
create index releases_created_by_idx on public.releases (created_by);
create index releases_scheduled_by_idx on public.releases (scheduled_by);
create index releases_published_by_idx on public.releases (published_by);
grant select, delete on public.releases to authenticated;
grant all on public.releases to service_role;
grant insert (id, name, publish_at), update (name, publish_at) on public.releases to authenticated;
alter table public.releases enable row level security;
create policy "Admins read releases" on public.releases for select to authenticated using ((select private.is_admin()));
create policy "Admins create releases" on public.releases for insert to authenticated with check ((select private.is_admin()));
create policy "Admins change releases" on public.releases for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "Admins delete releases" on public.releases for delete to authenticated using ((select private.is_admin()));

create trigger touch_updated_at before update on public.releases for each row execute function private.touch_updated_at();

create table public.release_changes (
  id uuid primary key default gen_random_uuid(),
  release_id uuid not null references public.releases (id) on delete cascade,
  -- A content table, page_content or site_settings.
  kind text not null,
  -- The id of an item; 'home/hero' for a page section or the key of a setting, which may not exist yet.
  item_id text not null check (length(item_id) between 1 and 250),
  action text not null check (action in ('create', 'update', 'delete')),
  data jsonb check (jsonb_typeof(data) = 'object' and octet_length(data::text) <= 2000000),
  base jsonb check (jsonb_typeof(base) = 'object' and octet_length(base::text) <= 2000000),
  -- The row before and after publishing.
  before jsonb,
  after jsonb,
  changed_by uuid references auth.users (id) on delete set null,
  changed_at timestamptz not null default now()
    constraint release_changes_changed_at_calendar check (changed_at between '1900-01-01' and '2999-12-31'),
  unique (release_id, kind, item_id),
  check ((action = 'delete') = (data is null)),
  constraint release_changes_check1 check ((action = 'create') = (base is null))
);
create index release_changes_item_idx on public.release_changes (kind, item_id);
create index release_changes_changed_by_idx on public.release_changes (changed_by);
grant select, delete on public.release_changes to authenticated;
grant all on public.release_changes to service_role;
grant
  insert (id, release_id, kind, item_id, action, data, base), update (action, data, base)
  on public.release_changes to authenticated;
alter table public.release_changes enable row level security;
create policy "Admins read what waits in releases" on public.release_changes for select to authenticated
  using ((select private.is_admin()));
create policy "Admins add to releases" on public.release_changes for insert to authenticated
  with check ((select private.is_admin()));
create policy "Admins change what waits in releases" on public.release_changes for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "Admins remove from releases" on public.release_changes for delete to authenticated
  using ((select private.is_admin()));

-- Adds a change to a release, or to a new release of that name. Policies of both tables apply. `_seen` is the changed_at of
-- the change that it replaces. Returns the release.
create function public.save_to_release(
  _kind text, _item_id text, _action text, _data jsonb default null, _base jsonb default null, _release_id uuid default null,
  _name text default null, _seen timestamptz default null
) returns uuid language plpgsql set search_path = '' as $$
declare
  _there public.release_changes;
begin
  if _release_id is null then
    insert into public.releases (name) values (_name) returning id into _release_id;
  end if;
  select * into _there from public.release_changes
  where release_id = _release_id and kind = _kind and item_id = _item_id for update;
  if _there.changed_at is distinct from _seen then
    raise exception 'Somebody changed this in the release meanwhile. Nothing was overwritten.' using errcode = 'PT409';
  end if;
  if _there.id is null then
    insert into public.release_changes (release_id, kind, item_id, action, data, base)
    values (_release_id, _kind, _item_id, _action, _data, _base);
  else
    update public.release_changes set action = _action, data = _data, base = _base where id = _there.id;
  end if;
  return _release_id;
end
$$;
grant execute on function public.save_to_release to authenticated, service_role;

-- Resolves a conflict: keeps the release's version of the fields, or the site's. `_seen` is the updated_at of the item that
-- was shown; null if it was deleted.
create function public.settle_release_change(_change_id uuid, _keep text, _seen timestamptz default null) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _change public.release_changes;
  _live jsonb;
  _mine text[];
begin
  perform private.require_admin();
  if _keep not in ('release', 'site') then
    raise exception 'Keep what stands in the release or on the site.' using errcode = '22023';
  end if;
  select * into _change from public.release_changes where id = _change_id for update;
  if not found then
    raise exception 'This change is not in the release any more.' using errcode = 'PT404';
  end if;
  _live := private.lock_item(_change.kind, _change.item_id);
  if (_live ->> 'updated_at')::timestamptz is distinct from _seen then
    raise exception 'It was changed on the site once more. Please look at it again.' using errcode = 'PT409';
  end if;
  _mine := private.differing_fields(_change.kind, _change.data, coalesce(_change.base, '{}'));
  if _keep = 'site' and _live is not null and _change.action = 'update' then
    _mine := array(
      select field from unnest(_mine) as field
      where field <> all (private.differing_fields(_change.kind, _live, _change.base))
    );
  elsif _keep = 'site' or (_live is null and _change.action = 'delete') then
    _mine := '{}';
  end if;

  if _change.action = 'delete' and _keep = 'release' and _live is not null then
    update public.release_changes set base = _live where id = _change_id;
  elsif _change.action = 'delete' or cardinality(_mine) = 0 then
    delete from public.release_changes where id = _change_id;
  elsif _live is null then
    update public.release_changes set action = 'create', base = null, data = _change.data where id = _change_id;
  else
    update public.release_changes set action = 'update', base = _live, data = _live || (
      select jsonb_object_agg(field, _change.data -> field) from unnest(_mine) as field
    ) where id = _change_id;
  end if;
end
$$;
grant execute on function public.settle_release_change to authenticated, service_role;

-- A published release cannot be edited, only deleted. The lock serialises edits and publication.
create function private.require_open_release(_release_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _release public.releases;
begin
  select * into _release from public.releases where id = _release_id for share;
  if _release.published_at is not null then
    raise exception 'The release “%” was published already and no longer changes.', _release.name using errcode = 'PT409';
  end if;
end
$$;

create function private.releases_of(_user_id uuid) returns jsonb language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'name', name, 'created', created_by = _user_id, 'created_at', created_at,
    'planned', scheduled_by = _user_id, 'published', published_by = _user_id, 'published_at', published_at
  ) order by created_at), '[]')
  from public.releases where _user_id in (created_by, scheduled_by, published_by)
$$;

-- Returns how sentences name an item: by title, 'home/hero' or the key of a setting.
create function private.title_of_change(_change public.release_changes) returns text
language sql stable set search_path = '' as $$
  select left(coalesce(
    (select coalesce(_change.data, _change.base) ->> title_column::text from private.documents where kind = _change.kind),
    _change.item_id
  ), 100)
$$;

-- Validates a new change at once: tries it after the rest of the release and rolls back. Stores the resulting whole row.
create function private.guard_release_change() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _of private.documents;
  _result record;
  _with_all boolean;
begin
  -- A release that takes another back is made of rows that the database had, and is tried as a whole.
  if current_setting('releases.is_undoing', true) = 'yes' then
    new.changed_by := private.user_id();
    new.changed_at := clock_timestamp();
    return new;
  end if;
  perform private.require_open_release(new.release_id);
  select * into _of from private.documents where kind = new.kind;
  if not found then
    raise exception 'There is no kind of content %.', new.kind using errcode = '22023';
  end if;
  if new.item_id = any (_of.keys_outside_releases) then
    raise exception 'This setting counts at once and cannot wait in a release.' using errcode = '22023';
  end if;
  if tg_op = 'INSERT' and (
    select count(*) from public.release_changes where release_id = new.release_id
  ) >= 200 then
    raise exception 'A release holds at most 200 changes.' using errcode = '54000';
  end if;
  new.changed_by := private.user_id();
  new.changed_at := clock_timestamp();
  if _of.is_item and new.action <> 'delete' then
    new.data := new.data || jsonb_build_object('id', new.item_id::uuid);
  end if;
  if new.action = 'update' then
    new.data := new.base || new.data;
  end if;
  new.base := case when new.base is not null then private.typed_row(new.kind, new.base) end;
  if private.document_key(new.kind, coalesce(new.data, new.base)) is distinct from new.item_id then
    raise exception 'The change is about another item than it says.' using errcode = '22023';
  end if;
  -- With those that it may meet, or, where one of them needs others in its turn, with all of the release.
  foreach _with_all in array '{false,true}'::boolean[] loop
    begin
      perform set_config('releases.is_tried', 'yes', true);
      perform private.apply_changes(array(
        select other.id from public.release_changes as other
        where other.release_id = new.release_id and other.id <> new.id and (_with_all or private.may_meet_change(other, new))
      ));
      _result := private.apply_change(new);
      if _result.problem = 'schema' then
        raise exception '%', private.problem_sentence(new, _result.problem, _result.fields, null) using errcode = '42703';
      end if;
      raise exception 'undo' using errcode = 'RB001';
    exception
      when sqlstate 'RB001' then
        exit;
      when unique_violation then
        if _with_all then
          raise;
        end if;
    end;
  end loop;
  if new.action = 'create' then
    new.data := coalesce(_result.after, new.data);
  elsif new.action = 'update' then
    new.data := private.typed_row(new.kind, new.data);
  end if;
  return new;
end
$$;

create function private.guard_removed_change() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  -- A release that is gone takes its changes along.
  perform private.require_open_release(old.release_id);
  return old;
end
$$;

create function private.keep_published_release() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_open_release(old.id);
  return new;
end
$$;

-- The scheduler gets a mail on failure. A new schedule clears the last failure.
create function private.note_planned_release() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if new.publish_at is not null then
    new.scheduled_by := private.user_id();
    new.failure := null;
    new.failed_at := null;
    perform pg_notify('release_planned', '');
  end if;
  return new;
end
$$;

create function private.forget_release_mentions() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from private.media_mentions where kind = 'release_changes'
    and item_id in (select id::text from public.release_changes where release_id = new.id);
  return null;
end
$$;

-- Tracks what a release will write. What it has written is tracked by the items.
create function private.track_release_mentions() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'DELETE' then
    delete from private.media_mentions where kind = 'release_changes' and item_id = old.id::text;
  elsif exists (select from public.releases where id = new.release_id and published_at is null) then
    perform private.note_mentions('release_changes', new.id::text, coalesce(new.data::text, ''));
  end if;
  return null;
end
$$;

create trigger keep_published before update of name, publish_at on public.releases
  for each row execute function private.keep_published_release();

create trigger guard_removed before delete on public.release_changes
  for each row execute function private.guard_removed_change();
create trigger guard_change before insert or update of action, data, base on public.release_changes
  for each row execute function private.guard_release_change();

create trigger note_planned before insert or update of publish_at on public.releases
  for each row execute function private.note_planned_release();

create trigger track_media_mentions after insert or update or delete on public.release_changes
  for each row execute function private.track_release_mentions();

create trigger forget_media_mentions after update of published_at on public.releases
  for each row when (new.published_at is not null) execute function private.forget_release_mentions();

-- schemas/editing/publishing.sql

-- A release is published as a whole or not at all, by ordinary inserts, updates and deletes, so that triggers run. A change
-- writes the fields in which data differs from base. Edits by others are kept, unless they are of the same field: then an
-- editor decides.

-- Lists what blocks publishing now: tries everything and rolls back. Empty for a published release, so that an open screen
-- does not fail.
create function public.check_release(_id uuid) returns table (
  change_id uuid, problem text, sentence text, fields text[], live jsonb
) language plpgsql security definer set search_path = '' as $$
declare
  _problems jsonb;
begin
  perform private.require_admin();
  begin
    -- Waits for a publication under way.
    perform from public.releases where id = _id and published_at is null for share;
    if not found then
      return;
    end if;
    perform set_config('releases.is_tried', 'yes', true);
    _problems := private.apply_release(_id);
    raise exception 'undo' using errcode = 'RB001';
  exception when sqlstate 'RB001' then
    null;
  end;
  return query
    select found.change_id, found.problem, found.sentence, found.fields, found.live
    from jsonb_to_recordset(_problems)
      as found (change_id uuid, problem text, sentence text, fields text[], live jsonb);
end
$$;
grant execute on function public.check_release to authenticated, service_role;

-- Publishes everything in the release, or nothing with a reason.
create function public.publish_release(_id uuid) returns void language plpgsql security definer set search_path = '' as $$
declare
  _problems jsonb;
begin
  perform private.require_admin();
  _problems := private.publish_taken(_id, private.user_id());
  if jsonb_array_length(_problems) > 0 then
    raise exception 'Nothing was published. %', private.sentences_of(_problems) using errcode = 'PT409';
  end if;
end
$$;
grant execute on function public.publish_release to authenticated, service_role;

-- Creates a release that reverts a published one, to review and publish like any other. Later changes by others are
-- conflicts. Returns the new release.
create function public.undo_release(_id uuid) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  _release public.releases;
  _undoing uuid;
begin
  perform private.require_admin();
  select * into _release from public.releases where id = _id and published_at is not null;
  if not found then
    raise exception 'Only a release that was published can be taken back.' using errcode = 'PT404';
  end if;
  if not exists (
    select from public.release_changes where release_id = _id and before is distinct from after
  ) then
    raise exception 'This release changed nothing that could be taken back.' using errcode = 'PT409';
  end if;
  insert into public.releases (name, created_by) values (left('Undo: ' || _release.name, 120), private.user_id())
    returning id into _undoing;
  perform set_config('releases.is_undoing', 'yes', true);
  insert into public.release_changes (release_id, kind, item_id, action, data, base)
    select _undoing, kind, item_id,
      case when after is null then 'create' when before is null then 'delete' else 'update' end, before, after
    from public.release_changes where release_id = _id and before is distinct from after;
  perform set_config('releases.is_undoing', '', true);
  return _undoing;
end
$$;
grant execute on function public.undo_release to authenticated, service_role;

-- Writes one change to the site, or returns the problem: conflict (others changed the same fields), edited (others changed
-- the item that the release would publish), gone (deleted), schema (it has a dropped field).
create function private.apply_change(
  _change public.release_changes, out problem text, out fields text[], out live jsonb, out after jsonb
) returns record language plpgsql set search_path = '' as $$
declare
  _kind constant text := _change.kind;
  _mine text[];
  _theirs text[];
begin
  if to_regclass(format('public.%I', _kind)) is null then
    problem := 'schema';
    fields := array[_kind];
    return;
  end if;
  live := private.lock_item(_kind, _change.item_id);
  select array_agg(key) into fields from jsonb_object_keys(_change.data) as key
  where _change.data -> key is distinct from coalesce(_change.base -> key, 'null')
    and _change.data -> key not in ('null', '""', '[]', '{}') and not exists (
    select from pg_catalog.pg_attribute
    where attrelid = format('public.%I', _kind)::regclass and attname = key and attnum > 0 and not attisdropped
  );
  if fields is not null then
    problem := 'schema';
  elsif live is null then
    if _change.action = 'create' then
      after := private.insert_item(_kind, _change.data);
    elsif _change.action = 'update' then
      problem := 'gone';
    end if;
  elsif _change.action = 'delete' then
    fields := private.differing_fields(_kind, live, _change.base);
    if cardinality(fields) > 0 then
      problem := 'conflict';
    else
      execute format('delete from public.%I where id = $1::uuid', _kind) using live ->> 'id';
    end if;
  else
    _mine := private.differing_fields(_kind, _change.data, coalesce(_change.base, '{}'));
    _theirs := private.differing_fields(_kind, live, coalesce(_change.base, '{}'));
    fields := array(
      select field from unnest(private.differing_fields(_kind, _change.data, live)) as field where field = any (_mine)
    );
    if fields && _theirs then
      fields := array(select field from unnest(fields) as field where field = any (_theirs));
      problem := 'conflict';
    elsif 'status' = any (fields) and _change.data ->> 'status' = 'published'
      and cardinality(array_remove(_theirs, 'display_order')) > 0 then
      fields := array_remove(_theirs, 'display_order');
      problem := 'edited';
    elsif cardinality(fields) > 0 then
      after := private.update_item(_kind, live ->> 'id', _change.data, fields);
    else
      after := live;
    end if;
  end if;
end
$$;

create function private.apply_changes(_ids uuid[]) returns jsonb language plpgsql set search_path = '' as $$
declare
  _group record;
  _change public.release_changes;
  _result record;
  _problems jsonb := '[]';
  _postponed jsonb;
  _done uuid[] := '{}';
  _waiting uuid[];
  _before integer;
begin
  -- One at a time, and rows in one order: nobody waits in a circle.
  perform pg_advisory_xact_lock(7462205);
  begin
    for _group in
      select kind, action from public.release_changes as change join private.documents using (kind)
      where change.id = any (_ids) and is_item and to_regclass(format('public.%I', kind)) is not null
      group by kind, action order by array_position('{delete,update,create}'::text[], action), kind
    loop
      _done := _done || private.apply_ready_changes(_group.kind, _group.action, _ids);
    end loop;
  exception when others then
    -- The machine's faults, such as a deadlock or a full disk, are not the editor's.
    if left(sqlstate, 2) in ('40', '53', '54', '55', '57', '58', 'XX') then
      raise;
    end if;
    _done := '{}';
  end;
  for _change in
    select * from public.release_changes where id = any (_ids) and id <> all (_done) order by kind, item_id
  loop
    _waiting := _waiting || _change.id;
    perform private.lock_item(_change.kind, _change.item_id);
  end loop;
  -- A slug may be free only once another item of the release has given it up: what it stands in the way of comes again.
  loop
    _before := cardinality(_waiting);
    _postponed := '[]';
    for _change in
      select * from public.release_changes where id = any (_waiting)
      order by array_position('{delete,update,create}'::text[], action), kind, item_id
    loop
      begin
        _result := private.apply_change(_change);
        if _result.problem is null then
          update public.release_changes set before = _result.live, after = _result.after
          where id = _change.id and not private.tries_release();
        else
          _problems := _problems || jsonb_build_object(
            'change_id', _change.id, 'problem', _result.problem, 'fields', _result.fields, 'live', _result.live,
            'sentence', private.problem_sentence(_change, _result.problem, _result.fields, null)
          );
        end if;
        _waiting := array_remove(_waiting, _change.id);
      exception
        when unique_violation then
          _postponed := _postponed || jsonb_build_object(
            'change_id', _change.id, 'problem', 'taken',
            'sentence', private.problem_sentence(_change, 'taken', null, sqlerrm)
          );
        when others then
          if left(sqlstate, 2) in ('40', '53', '54', '55', '57', '58', 'XX') then
            raise;
          end if;
          _problems := _problems || jsonb_build_object(
            'change_id', _change.id, 'problem', 'refused',
            'sentence', private.problem_sentence(_change, 'refused', null, sqlerrm)
          );
          _waiting := array_remove(_waiting, _change.id);
      end;
    end loop;
    exit when coalesce(cardinality(_waiting), 0) = 0 or cardinality(_waiting) = _before;
  end loop;
  return _problems || _postponed;
end
$$;

-- Writes changes of a kind whose items are unchanged since, with one action, and returns them.
create function private.apply_ready_changes(_kind name, _action text, _ids uuid[]) returns uuid[]
language plpgsql set search_path = '' as $$
declare
  _known text[];
  -- Those that a release does not write: they differ, or the database fills them in.
  _left text[];
  _names text;
  _ready text;
  _written text;
  _done uuid[];
begin
  select array_agg(attname::text),
    array_agg(attname::text) filter (
      where attname in ('id', 'created_at', 'updated_at') or attgenerated <> '' or attidentity <> ''
    )
  into _known, _left
  from pg_catalog.pg_attribute where attrelid = format('public.%I', _kind)::regclass and attnum > 0 and not attisdropped;
  select string_agg(format(case _action when 'update' then '%1$I = changed.%1$I' else '%I' end, attname), ', ') into _names
  from pg_catalog.pg_attribute
  where attrelid = format('public.%I', _kind)::regclass and attnum > 0 and not attisdropped and attgenerated = ''
    and attidentity = '' and attname <> 'updated_at' and (_action = 'create' or attname <> all (_left));
  _ready := case _action when 'create' then format(
    'select change.id, null::jsonb as live, change.data, change.item_id::uuid as item_id
     from public.release_changes as change
     where change.id = any ($1) and change.action = $2 and change.data - $3 = ''{}'' and change.data ?& $3
       and not exists (select from public.%1$I as item where item.id = change.item_id::uuid)', _kind
  ) else format(
    'select change.id, to_jsonb(item) as live, change.data, item.id as item_id
     from public.release_changes as change join public.%1$I as item on item.id = change.item_id::uuid
     where change.id = any ($1) and change.action = $2 and coalesce(change.data, change.base) - $3 = ''{}''
       and to_jsonb(item) - $4 = to_jsonb(jsonb_populate_record(null::public.%1$I, change.base)) - $4
       and (change.data is null
         or to_jsonb(item) - $4 <> to_jsonb(jsonb_populate_record(null::public.%1$I, change.data)) - $4)
     order by item.id for update of item', _kind
  ) end;
  _written := format(case _action
    when 'delete' then 'delete from public.%1$I as item using ready where item.id = ready.item_id
      returning ready.id, ready.live, null::jsonb as after'
    when 'update' then 'update public.%1$I as item set %2$s
      from ready, jsonb_populate_record(null::public.%1$I, ready.data) as changed where item.id = ready.item_id
      returning ready.id, ready.live, to_jsonb(item) as after'
    else 'insert into public.%1$I as item (%2$s)
      select %2$s from (select changed.* from ready, jsonb_populate_record(null::public.%1$I, ready.data) as changed) as new
      returning (select ready.id from ready where ready.item_id = item.id) as id, null::jsonb as live, to_jsonb(item) as after'
  end, _kind, _names);
  execute format('with ready as materialized (%s), written as (%s), noted as (
    update public.release_changes as change set before = written.live, after = written.after from written
    where change.id = written.id and not private.tries_release()
  ) select array_agg(id) from written', _ready, _written) into _done using _ids, _action, _known, _left;
  return coalesce(_done, '{}');
end
$$;

-- Writes the changes of a release and records the rows before and after. Returns problems as a list of {change_id, problem,
-- sentence, fields, live}; the caller then rolls back.
create function private.apply_release(_release_id uuid) returns jsonb language sql set search_path = '' as $$
  select private.apply_changes(array(select id from public.release_changes where release_id = _release_id))
$$;

-- Returns a table with the changes of releases applied, as a common table expression `changed (it)`.
create function private.changed_rows(_kind text) returns text language sql stable security definer set search_path = '' as $$
  select format(
    'patches as materialized (select * from private.preview_patches(%1$L, $1)),
     changed as (
       select item as it from public.%1$I as item
       where not exists (select from patches where patches.item_id = %2$s)
       union all
       select jsonb_populate_record(item, patch) from patches left join public.%1$I as item on %2$s = patches.item_id
       where not is_deleted and (item.id is not null or is_new)
     )', _kind, private.document_key_in_sql(_kind)
  )
$$;

create function private.insert_item(_kind text, _row jsonb, _but name default 'updated_at') returns jsonb
language plpgsql set search_path = '' as $$
declare
  _after jsonb;
begin
  execute format(
    'insert into public.%1$I as item (%2$s) select %2$s from jsonb_populate_record(null::public.%1$I, $1)
     returning to_jsonb(item)', _kind,
    (select string_agg(format('%I', attname), ', ') from pg_catalog.pg_attribute
     where attrelid = format('public.%I', _kind)::regclass and attnum > 0 and not attisdropped
       and attgenerated = '' and attidentity = '' and attname is distinct from _but and _row ? attname::text)
  ) into _after using _row;
  return _after;
end
$$;

-- Returns the item on the site, locked until the transaction ends; null if there is none.
create function private.lock_item(_kind text, _item_id text) returns jsonb language plpgsql set search_path = '' as $$
declare
  _live jsonb;
begin
  if to_regclass(format('public.%I', _kind)) is null then
    return null;
  end if;
  execute format(
    'select to_jsonb(item) from public.%I as item where %s for update', _kind, private.is_document_in_sql(_kind)
  ) into _live using _item_id;
  return _live;
end
$$;

create function private.update_item(_kind text, _id text, _row jsonb, _fields text[]) returns jsonb
language plpgsql set search_path = '' as $$
declare
  _after jsonb;
begin
  execute format(
    'update public.%1$I as item set %2$s from jsonb_populate_record(null::public.%1$I, $1) as changed
     where item.id = $2::uuid returning to_jsonb(item)', _kind,
    (select string_agg(format('%1$I = changed.%1$I', field), ', ') from unnest(_fields) as field)
  ) into _after using _row, _id;
  return _after;
end
$$;

-- Whether one change may affect whether the database accepts the other: by a unique value, or by a setting.
create function private.may_meet_change(_one public.release_changes, _other public.release_changes) returns boolean
language sql stable set search_path = '' as $$
  select _one.kind = 'site_settings' or _one.kind = _other.kind and exists (
    select from pg_catalog.pg_index join pg_catalog.pg_attribute on attrelid = indrelid and attnum = any (indkey)
    where indrelid = to_regclass(format('public.%I', _one.kind)) and indisunique and not indisprimary
      and _other.data -> attname::text in (_one.data -> attname::text, _one.base -> attname::text)
  )
$$;

-- Returns the sentence for an editor about a change that cannot be published.
create function private.problem_sentence(
  _change public.release_changes, _problem text, _fields text[], _error text
) returns text language sql stable set search_path = '' as $$
  select format('“%s” ', private.title_of_change(_change)) || case
    when _problem = 'conflict' and _change.action = 'delete' then
      'is to be deleted, but was changed on the site since then (' || named.fields || ').'
    when _problem = 'conflict' and _change.action = 'create' then
      'is on the site already, and differs there (' || named.fields || ').'
    when _problem = 'conflict' then 'was changed on the site in the same place since then (' || named.fields || ').'
    when _problem = 'edited' then
      'is to be published, but was changed on the site since then (' || named.fields || ').'
    when _problem = 'gone' then 'was deleted on the site.'
    when _problem = 'schema' then 'has what the database does not know any more (' || named.fields || ').'
    when _problem = 'taken' and _error like '%slug%' then
      format('needs the slug “%s”, which another item has.', _change.data ->> 'slug')
    when _problem = 'taken' then 'clashes with another item that has the same value in a field that must be unique.'
    else 'is not accepted by the database: ' || _error
  end
  from (select replace(array_to_string(_fields, ', '), '_', ' ')) as named (fields)
$$;

-- For pg_cron on a hosted project. The built-in backend publishes one after the other.
create function private.publish_due_releases() returns void language plpgsql security definer set search_path = '' as $$
begin
  while private.publish_next_due_release() loop
  end loop;
end
$$;

-- Publishes the next release that is due. On a problem nothing is published: the release is unscheduled with the reason,
-- and the person who scheduled it gets a mail. Returns false if none is due.
create function private.publish_next_due_release() returns boolean language plpgsql security definer set search_path = '' as $$
declare
  _release public.releases;
  _problems jsonb;
  _to text;
begin
  select * into _release from public.releases where published_at is null and publish_at <= now()
  order by publish_at, id limit 1 for update skip locked;
  if not found then
    return false;
  end if;
  begin
    _problems := private.publish_taken(_release.id, _release.scheduled_by);
    if jsonb_array_length(_problems) = 0 then
      return true;
    end if;
    raise exception 'undo' using errcode = 'RB001';
  exception when sqlstate 'RB001' then
    null;
  end;
  update public.releases set publish_at = null, failed_at = clock_timestamp(), failure = private.sentences_of(_problems)
  where id = _release.id;
  _to := coalesce(
    (select email from auth.users where id = _release.scheduled_by and email <> ''),
    (select email from auth.users where id = _release.created_by and email <> ''),
    (select trim(setting_value) from public.site_settings where setting_key = 'contact_email')
  );
  if private.is_email(_to) then
    insert into private.mail_queue (recipient, template, variables) values (_to, 'release_failed', jsonb_build_object(
      'Email', _to, 'Name', _release.name, 'Message', private.sentences_of(_problems), 'ReleaseId', _release.id,
      'PlannedTime', to_char(_release.publish_at at time zone 'utc', 'FMDD FMMonth YYYY, HH24:MI "UTC"')
    ));
  end if;
  return true;
end
$$;

-- Claims the release, so that it is published once, and writes it. Returns the problems.
create function private.publish_taken(_release_id uuid, _by uuid) returns jsonb language plpgsql set search_path = '' as $$
begin
  update public.releases
  set published_at = clock_timestamp(), published_by = _by, failure = null, failed_at = null
  where id = _release_id and published_at is null;
  if not found then
    raise exception 'This release was published already, or deleted.' using errcode = 'PT409';
  end if;
  if not exists (select from public.release_changes where release_id = _release_id) then
    return jsonb_build_array(jsonb_build_object('problem', 'empty', 'sentence', 'There is nothing in this release.'));
  end if;
  return private.apply_release(_release_id);
end
$$;

create function private.sentences_of(_problems jsonb) returns text language sql immutable set search_path = '' as $$
  select left(string_agg(problem ->> 'sentence', ' ' order by place), 2000)
  from jsonb_array_elements(_problems) with ordinality as list (problem, place)
$$;

-- Whether the current subtransaction tries a release and is rolled back.
create function private.tries_release() returns boolean language sql stable set search_path = '' as $$
  select coalesce(current_setting('releases.is_tried', true), '') = 'yes'
$$;

-- Casts each value to the type of its column, so that differently written times are equal.
create function private.typed_row(_kind text, _row jsonb) returns jsonb language plpgsql stable set search_path = '' as $$
declare
  _typed jsonb;
begin
  execute format('select to_jsonb(jsonb_populate_record(null::public.%I, $1))', _kind) into _typed using _row;
  return _typed;
end
$$;

-- schemas/editing/previews.sql

-- Previews show drafts and releases over the rows that visitors read. They are functions instead of views or more policies,
-- so that tables and their columns can change without regard to previews.

-- Key that signs preview links. A token is the link's id with a signature, so that admins can copy a link again; the row
-- holds only a hash.
create table private.preview_key (
  is_only boolean primary key default true check (is_only),
  key bytea not null check (length(key) = 32)
);
alter table private.preview_key enable row level security;

create table public.preview_links (
  id uuid primary key default gen_random_uuid(),
  token_hash text not null unique check (token_hash ~ '^[0-9a-f]{64}$'),
  -- One item: its table and its id. Null for the whole site.
  kind text,
  item_id text check (length(item_id) <= 250),
  -- All drafts; without as_of also scheduled items.
  shows_drafts boolean not null default false,
  -- The site at this time; null for now.
  as_of timestamptz constraint preview_links_as_of_calendar check (as_of between '1900-01-01' and '2999-12-31'),
  -- A link of a former admin shows nothing.
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
    constraint preview_links_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  expires_at timestamptz not null
    constraint preview_links_expires_at_calendar check (expires_at between '1900-01-01' and '2999-12-31'),
  revoked_at timestamptz constraint preview_links_revoked_at_calendar check (revoked_at between '1900-01-01' and '2999-12-31'),
  -- The site with this release. Deleting the release deletes the link.
  release_id uuid references public.releases (id) on delete cascade,
  check ((kind is null) = (item_id is null)),
  constraint preview_links_check1 check (expires_at between created_at + interval '1 hour' and created_at + interval '14 days')
);
create index preview_links_created_by_idx on public.preview_links (created_by);
create index preview_links_expires_at_idx on public.preview_links (expires_at);
create index preview_links_release_id_idx on public.preview_links (release_id);
grant select on public.preview_links to authenticated;
grant all on public.preview_links to service_role;
alter table public.preview_links enable row level security;
create policy "Admins read preview links" on public.preview_links for select to authenticated
  using ((select private.is_admin()));

-- Creates a link to an item, or to the whole site. Returns id, token and expiry. Throws 42501 for non-admins, 22023 if it
-- cannot be previewed, PT429 for too many links.
create function public.create_preview_link(
  _kind text default null, _item_id text default null, _shows_drafts boolean default false, _as_of timestamptz default null,
  _hours integer default 24, _release_id uuid default null
) returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  _id constant uuid := gen_random_uuid();
  _token text;
  _link public.preview_links;
begin
  perform private.require_admin();
  perform private.refuse_applications();
  if _hours is null or _hours not between 1 and 336 then
    raise exception 'A preview link is valid for an hour to 14 days.' using errcode = '22023';
  end if;
  if not isfinite(_as_of) or _as_of < now() - interval '1 day' or _as_of > now() + interval '5 years' then
    raise exception 'Please choose a date from today on, within five years.' using errcode = '22023';
  end if;
  if (_kind is null) <> (_item_id is null) or (_kind is not null and private.previewed_item(_kind, _item_id) is null) then
    raise exception 'There is no such item.' using errcode = '22023';
  end if;
  if _release_id is not null and not exists (
    select from public.releases where id = _release_id and published_at is null
  ) then
    raise exception 'There is no such release, or it was published already.' using errcode = '22023';
  end if;
  if _kind is null and _as_of is null and _release_id is null and not coalesce(_shows_drafts, false) then
    raise exception 'Please choose what the preview shows.' using errcode = '22023';
  end if;
  perform pg_advisory_xact_lock(hashtext('public.preview_links'));
  delete from public.preview_links where expires_at < now() - interval '30 days';
  if (select count(*) >= 100 from public.preview_links where revoked_at is null and expires_at > now()) then
    raise sqlstate 'PT429' using message = 'There are 100 preview links already. Please revoke some of them first.';
  end if;
  if (
    select count(*) >= 60 from public.preview_links
    where created_by = private.user_id() and created_at > now() - interval '1 hour'
  ) then
    raise sqlstate 'PT429' using message = 'You made many preview links. Please wait an hour.';
  end if;
  _token := private.preview_token(_id);
  insert into public.preview_links (id, token_hash, kind, item_id, shows_drafts, as_of, release_id, created_by, expires_at)
  values (
    _id, encode(sha256(convert_to(_token, 'UTF8')), 'hex'), _kind, _item_id,
    coalesce(_shows_drafts, false) and _kind is null, _as_of, _release_id, private.user_id(),
    now() + make_interval(hours => _hours)
  ) returning * into _link;
  return jsonb_build_object('id', _link.id, 'token', _token, 'expires_at', _link.expires_at);
end
$$;
grant execute on function public.create_preview_link to authenticated;

-- Lists live links, newest first, each with its token.
create function public.list_preview_links() returns table (
  id uuid, token text, kind text, item_id text, title text, release text, shows_drafts boolean, as_of timestamptz,
  created_by_email text, created_at timestamptz, expires_at timestamptz
) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  perform private.refuse_applications();
  return query
    select link.id, private.preview_token(link.id), link.kind, link.item_id,
      private.previewed_item(link.kind, link.item_id) ->> 'title', releases.name, link.shows_drafts, link.as_of,
      person.email::text, link.created_at, link.expires_at
    from public.preview_links as link join auth.users as person on person.id = link.created_by
      left join public.releases on releases.id = link.release_id
    where link.expires_at > now() and link.revoked_at is null and private.is_live(link)
    order by link.created_at desc, link.id;
end
$$;
grant execute on function public.list_preview_links to authenticated;

-- Opens a link for anyone. Counts wrong tokens: 30 an hour per network address, then PT429.
create function public.open_preview(_token text) returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  _told constant jsonb := private.preview_as_told(_token);
begin
  if _told ->> 'state' = 'unknown'
    and not private.count_for_address('preview', private.client_address(), 30, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'That were many links that lead nowhere. Please wait an hour.';
  end if;
  return _told;
end
$$;
grant execute on function public.open_preview to anon, authenticated, service_role;

-- Page sections and settings have no drafts, but releases change them. Visitors see only public ones.
create function public.preview_page_content() returns setof public.page_content
language plpgsql stable security definer rows 20 set search_path = '' as $$
begin
  return query execute private.preview_query('page_content') using private.shown_preview();
end
$$;
grant execute on function public.preview_page_content to anon, authenticated, service_role;

create function public.preview_site_settings() returns setof public.site_settings
language plpgsql stable security definer rows 20 set search_path = '' as $$
begin
  return query execute private.preview_query('site_settings') using private.shown_preview();
end
$$;
grant execute on function public.preview_site_settings to anon, authenticated, service_role;

-- Returns private.preview_as_told() of the token in the header, for each page of a preview.
create function public.preview_state() returns jsonb
language sql stable security definer set search_path = '' as $$ select private.preview_as_told(private.request_preview_token()) $$;
grant execute on function public.preview_state to anon, authenticated, service_role;

-- Revokes a link. Succeeds also if it has expired.
create function public.revoke_preview_link(_id uuid) returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  perform private.refuse_applications();
  update public.preview_links set revoked_at = now() where id = _id and revoked_at is null;
end
$$;
grant execute on function public.revoke_preview_link to authenticated;

-- Creates public.preview_<table>(), which returns the table as the request's preview shows it. Throws PT404, PT410.
create function private.create_preview_reader() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  execute format(
    'create or replace function public.%1$I() returns setof public.%2$I
     language plpgsql stable security definer set search_path = '''' rows 100
     as $body$
     begin
       return query execute private.preview_query(%2$L) using private.shown_preview();
     end
     $body$', 'preview_' || new.table_name, new.table_name
  );
  execute format('revoke all on function public.%I() from public, anon, authenticated', 'preview_' || new.table_name);
  execute format('grant execute on function public.%I() to anon, authenticated, service_role', 'preview_' || new.table_name);
  return null;
end
$$;

-- Whether a link shows something now.
create function private.is_live(_link public.preview_links) returns boolean
language sql stable security definer set search_path = '' as $$
  select _link.revoked_at is null and _link.expires_at > now() and exists (
    select from public.user_roles where user_id = _link.created_by and role = 'admin' and approved
  )
$$;

-- Returns what the holder of a token sees of the link. `state` is open, ended or unknown; the other fields exist while it
-- is open.
create function private.preview_as_told(_token text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  _link public.preview_links;
begin
  select * into _link from private.preview_link_of(_token);
  if _link.id is null then
    return jsonb_build_object('state', 'unknown');
  end if;
  if not private.is_live(_link) then
    return jsonb_build_object('state', 'ended');
  end if;
  return jsonb_build_object(
    'state', 'open', 'id', _link.id, 'expires_at', _link.expires_at, 'shows_drafts', _link.shows_drafts,
    'as_of', _link.as_of, 'kind', _link.kind, 'item', private.previewed_item(_link.kind, _link.item_id),
    'release', (select name from public.releases where id = _link.release_id),
    -- The tables that public.preview_<table>() is read for.
    'tables', (
      select jsonb_agg(kind order by is_item desc, number) from private.documents
      where is_item or private.shows_releases(_link)
    )
  );
end
$$;

-- Finds the link of a token, live or not. Looked up by hash, so that the duration reveals nothing.
create function private.preview_link_of(_token text) returns setof public.preview_links
language sql stable security definer set search_path = '' as $$
  select * from public.preview_links
  where length(_token) = 43 and token_hash = encode(sha256(convert_to(_token, 'UTF8')), 'hex')
$$;

-- Lists what the link's releases change in a table, one row per item; the last release wins.
create function private.preview_patches(_table text, _link public.preview_links) returns table (
  item_id text, patch jsonb, is_new boolean, is_deleted boolean
) language plpgsql stable security definer set search_path = '' as $$
declare
  _change public.release_changes;
  _items jsonb := '{}';
  _item jsonb;
begin
  if not private.shows_releases(_link) then
    return;
  end if;
  for _change in
    select change.* from public.release_changes as change join public.releases as release on release.id = release_id
    where change.kind = _table and release.published_at is null
      and (release.id = _link.release_id or release.publish_at <= _link.as_of)
    order by release.publish_at nulls last, release.created_at, change.changed_at
  loop
    _item := coalesce(_items -> _change.item_id, '{"patch": {}, "is_new": false, "is_deleted": false}');
    _item := case
      when _change.action = 'delete' then _item || '{"is_deleted": true}'
      else _item || jsonb_build_object(
        'is_deleted', false, 'is_new', (_item ->> 'is_new')::boolean or _change.action = 'create',
        'patch', (_item -> 'patch') || case
          when _change.action = 'create' then _change.data
          else coalesce((
            select jsonb_object_agg(field, _change.data -> field)
            from unnest(private.differing_fields(_table, _change.data, coalesce(_change.base, '{}'))) as field
          ), '{}')
        end
      )
    end;
    _items := jsonb_set(_items, array[_change.item_id], _item);
  end loop;
  return query
    select key, value -> 'patch', (value ->> 'is_new')::boolean, (value ->> 'is_deleted')::boolean
    from jsonb_each(_items);
end
$$;

-- Returns SQL for the rows of a table as the preview $1 shows them.
create function private.preview_query(_table text) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  _is_public text := '(it).status = ''published''';
begin
  if not (select is_item from private.documents where kind = _table) then
    return format(
      'with %2$s select %1$I.* from (select (it).* from changed) as %1$I where %3$s',
      _table, private.changed_rows(_table), private.visitors_read(_table)
    );
  end if;
  if exists (
    select from pg_catalog.pg_attribute
    where attrelid = format('public.%I', _table)::regclass and attname = 'published_date' and not attisdropped
  ) then
    _is_public := _is_public || ' and (it).published_date <= greatest(now(), ($1).as_of)';
  end if;
  return format(
    'with %3$s
     select (it).* from (
       select case when %2$s then it else jsonb_populate_record(it, ''{"status": "published"}'') end as it from changed
       where (%2$s) or (($1).kind = %1$L and ($1).item_id = (it).id::text)
         or (($1).shows_drafts and ((it).status = ''draft'' or ($1).as_of is null))
       -- Computes each row once, and not once for each of its columns.
       offset 0
     ) as shown', _table, _is_public, private.changed_rows(_table)
  );
end
$$;

-- 43 characters of base64url for 32 bytes. Signed twice, so that tokens reveal nothing about each other.
create function private.preview_token(_id uuid) returns text language sql stable security definer set search_path = '' as $$
  select translate(encode(sha256(key || sha256(key || uuid_send(_id))), 'base64'), '+/=', '-_') from private.preview_key
$$;

-- Returns the title of an item, and its slug if it has one; null if it is deleted.
create function private.previewed_item(_kind text, _item_id text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  _of private.content_kinds;
  _item jsonb;
begin
  select * into _of from private.content_kinds where table_name = _kind;
  if _of.table_name is null then
    return null;
  end if;
  execute format('select to_jsonb(item) from public.%I as item where item.id::text = $1', _of.table_name)
    into _item using _item_id;
  return case when _item is not null then jsonb_build_object(
    'title', _item ->> _of.title_column, 'slug', _item ->> 'slug', 'path', coalesce(_of.public_path, '/')
  ) end;
end
$$;

-- Reads the header x-preview-token.
create function private.request_preview_token() returns text language sql stable set search_path = '' as $$
  select nullif(current_setting('request.headers', true), '')::json ->> 'x-preview-token'
$$;

-- Returns the link of the request's token. Throws PT404 if unknown, PT410 if expired.
create function private.shown_preview() returns public.preview_links
language plpgsql stable security definer set search_path = '' as $$
declare
  _link public.preview_links;
begin
  select * into _link from private.preview_link_of(private.request_preview_token());
  if _link.id is null then
    raise sqlstate 'PT404' using message = 'There is no such preview.';
  end if;
  if not private.is_live(_link) then
    raise sqlstate 'PT410' using message = 'This preview has ended.';
  end if;
  return _link;
end
$$;

-- Whether the preview differs in more than single items.
create function private.shows_releases(_link public.preview_links) returns boolean
language sql immutable set search_path = '' as $$ select _link.as_of is not null or _link.release_id is not null $$;

create trigger create_preview_reader after insert on private.content_kinds
  for each row execute function private.create_preview_reader();

-- schemas/media/files.sql

-- Searchable index of the media library, one row per file, so that 20,000 files are as fast as 100. A trigger derives it
-- from storage.objects. What admins enter (alt text, folder, focal point) is in user_metadata and moves with the file.
create table private.media_files (
  name text primary key,
  object_id uuid not null,
  original_name text not null,
  mimetype text not null,
  kind text not null check (kind in ('image', 'video', 'audio', 'document')),
  size bigint,
  width integer,
  height integer,
  alt text not null,
  -- Empty for no folder.
  folder text not null,
  -- Focal point from left and top, 0 to 1; null for the centre.
  focal_x real,
  focal_y real,
  -- Hash of the original file, hexadecimal; null if the storage reports none, as on a hosted project.
  sha256 text,
  -- See media_key().
  mention_key text not null,
  -- Number of items, page sections, settings and pending changes that use the file.
  uses integer not null default 0,
  -- Lower case.
  search_text text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index media_files_newest_idx on private.media_files (created_at desc, name);
create index media_files_kind_idx on private.media_files (kind, created_at desc, name);
create index media_files_folder_idx on private.media_files (folder, created_at desc, name);
create index media_files_unused_idx on private.media_files (created_at desc, name) where uses = 0;
create index media_files_sha256_idx on private.media_files (sha256) where sha256 is not null;
create index media_files_mention_key_idx on private.media_files (mention_key);
alter table private.media_files enable row level security;

-- Returns the number of files. The backend deletes the bytes when it is notified.
create function public.delete_media_for_ever(_ids uuid[]) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  _deleted integer := 0;
begin
  if public.keeps_deleted_media() then
    execute 'update backend.deleted_objects set purge_at = now() where id = any ($1) and purge_at > now()' using _ids;
    get diagnostics _deleted = row_count;
    perform pg_notify('media_deleted_for_ever', '');
  end if;
  return _deleted;
end
$$;
grant execute on function public.delete_media_for_ever to authenticated, service_role;

-- Lists a page of deleted files, latest first, with the total.
create function public.deleted_media(
  _search text default '', _limit integer default 24, _offset integer default 0
) returns table (
  id uuid, name text, original_name text, mimetype text, size bigint, deleted_by uuid, deleted_at timestamptz, total bigint
) language plpgsql stable security definer set search_path = '' as $$
begin
  if not public.keeps_deleted_media() then
    return;
  end if;
  return query execute
    'select id, name, coalesce(user_metadata ->> ''original_name'', ''''), metadata ->> ''mimetype'',
       (metadata ->> ''size'')::bigint, deleted_by, deleted_at, count(*) over ()
     from backend.deleted_objects
     where purge_at > now()
       and position(lower($1) in lower(concat_ws('' '', name, user_metadata ->> ''original_name'', user_metadata ->> ''alt''))) > 0
     order by deleted_at desc, id limit $2 offset $3'
    using _search, least(greatest(_limit, 1), 200), greatest(_offset, 0);
end
$$;
grant execute on function public.deleted_media to authenticated, service_role;

-- Finds the file with the same bytes; the oldest if there are several.
create function public.find_media(_sha256 text) returns table (
  name text, original_name text, mimetype text, folder text, created_at timestamptz
) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return query
    select files.name, files.original_name, files.mimetype, files.folder, files.created_at
    from private.media_files as files where files.sha256 = lower(_sha256) order by files.created_at, files.name limit 1;
end
$$;
grant execute on function public.find_media to authenticated, service_role;

create function public.keeps_deleted_media() returns boolean language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return to_regclass('backend.deleted_objects') is not null;
end
$$;
grant execute on function public.keeps_deleted_media to authenticated, service_role;

-- Lists folders by name. Jumps through the index instead of reading every file.
create function public.media_folders() returns setof text language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return query
    with recursive folders (folder) as (
      select min(files.folder) from private.media_files as files where files.folder <> ''
      union all
      select (select min(files.folder) from private.media_files as files where files.folder > folders.folder)
      from folders where folders.folder is not null
    )
    select folders.folder from folders where folders.folder is not null order by lower(folders.folder), 1 limit 1000;
end
$$;
grant execute on function public.media_folders to authenticated, service_role;

-- Pages near the end are read backwards, because an offset costs what it skips.
create function public.media_library(
  _search text default '', _kind text default '', _limit integer default 24, _offset integer default 0, _folder text default '',
  _unused boolean default false
) returns table (
  id uuid, name text, original_name text, mimetype text, size bigint, width integer, height integer, alt text, folder text,
  focal_x real, focal_y real, is_used boolean, created_at timestamptz, updated_at timestamptz, total bigint
) language plpgsql stable security definer set search_path = '' as $$
declare
  _where text := concat_ws(' and ', 'true',
    -- A pattern rather than position(), so that an index of three-letter parts serves it where there is one.
    case when _search <> '' then format('search_text like %L',
      '%' || regexp_replace(lower(_search), '([\\%_])', '\\\1', 'g') || '%') end,
    case when _kind <> '' then format('kind = %L', _kind) end,
    case _folder when '' then null when '-' then 'folder = ''''' else format('folder = %L', _folder) end,
    case when _unused then 'uses = 0' end);
  _total bigint;
  _first constant integer := greatest(_offset, 0);
  _length integer := least(greatest(_limit, 1), 200);
  _is_from_end boolean;
begin
  perform private.require_admin();
  execute 'select count(*) from private.media_files where ' || _where into _total;
  _is_from_end := _first > _total - _first;
  -- Fewer than a page are left at the end.
  _length := case when _is_from_end then least(_length, greatest(_total - _first, 0)) else _length end;
  return query execute format(
    'with page as materialized (
       select name from private.media_files where %s order by %s limit $2 offset $3
     )
     select object_id, name, original_name, mimetype, size, width, height, alt, folder, focal_x, focal_y, uses > 0,
       created_at, updated_at, $1
     from page join private.media_files using (name) order by created_at desc, name', _where,
    case when _is_from_end then 'created_at, name desc' else 'created_at desc, name' end
  ) using _total, _length, case when _is_from_end then greatest(_total - _first - _length, 0) else _first end;
end
$$;
grant execute on function public.media_library to authenticated, service_role;

-- Returns the original of a picture, for admins only because it contains location and camera data. No row without one.
create function public.media_original(_name text) returns table (name text, size bigint)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return query
    select original.name, (original.metadata ->> 'size')::bigint
    from storage.objects as file join storage.objects as original
      on original.bucket_id = 'media-originals' and original.name = file.id::text
    where file.bucket_id = 'content-media' and file.name = _name;
end
$$;
grant execute on function public.media_original to authenticated, service_role;

-- Moves files into a folder, or out of all with an empty name. URLs do not change. Returns how many.
create function public.move_media(_names text[], _folder text) returns integer language plpgsql set search_path = '' as $$
declare
  _moved integer;
begin
  perform private.require_admin();
  _folder := regexp_replace(trim(_folder), '\s+', ' ', 'g');
  if length(_folder) > 100 or _folder = '-' then
    raise exception 'The name of a folder has at most 100 characters, and is not “-”.' using errcode = '22023';
  end if;
  if cardinality(_names) > 1000 then
    raise exception 'At most 1,000 files can be moved at once.' using errcode = '22023';
  end if;
  update storage.objects
  set user_metadata = case _folder
    when '' then coalesce(user_metadata, '{}') - 'folder'
    else coalesce(user_metadata, '{}') || jsonb_build_object('folder', _folder)
  end
  where bucket_id = 'content-media' and name = any (_names);
  get diagnostics _moved = row_count;
  return _moved;
end
$$;
grant execute on function public.move_media to authenticated, service_role;

-- Returns what a page needs to render public pictures, by name.
create function public.picture_facts(_names text[]) returns table (
  name text, width integer, height integer, alt text, focal_x real, focal_y real
) language sql stable security definer set search_path = '' as $$
  select files.name, files.width, files.height, files.alt, files.focal_x, files.focal_y
  from private.media_files as files where files.name = any (_names[1:200]) and files.kind = 'image'
$$;
grant execute on function public.picture_facts to anon, authenticated, service_role;

-- Replaces a file in all places. The new file takes over the folder, and the alt text and focal point unless it has its
-- own. The old file stays in the library. Returns the number of places.
create function public.replace_media(_name text, _by text) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  _old private.media_files;
  _new private.media_files;
  _table text;
  _places integer := 0;
  _changed integer;
begin
  perform private.require_admin();
  -- Both in the same order everywhere, so that two who replace at once wait for each other and not for ever.
  perform from private.media_files where name in (_name, _by) order by name for update;
  select * into _old from private.media_files where name = _name;
  select * into _new from private.media_files where name = _by;
  if _old.name is null or _new.name is null then
    raise exception 'There is no file of that name';
  end if;
  if _name = _by then
    raise exception 'A file cannot be replaced by itself.' using errcode = '22023';
  end if;
  if _old.kind <> _new.kind then
    raise exception 'A file can only be replaced by one of its kind: this one is %, the other %.',
      case _old.kind when 'image' then 'a picture' when 'document' then 'a document' when 'video' then 'a video' else 'a sound' end,
      case _new.kind when 'image' then 'a picture' when 'document' then 'a document' when 'video' then 'a video' else 'a sound' end
      using errcode = '22023';
  end if;
  if _by !~ '^[A-Za-z0-9_./-]+$' then
    raise exception 'The new file has signs in its name that addresses write in more than one way. Upload it under another name.'
      using errcode = '22023';
  end if;

  for _table in select kind from private.documents loop
    execute format(
      'update public.%1$I as item set %2$s
       where id in (select item_id::uuid from private.media_mentions where kind = %1$L and mention_key = $3)
         and private.mentions_media(item::text, $1)', _table, private.readdressed_columns(_table)
    ) using _name, _by, _old.mention_key;
    get diagnostics _changed = row_count;
    _places := _places + _changed;
  end loop;
  update public.release_changes as change
  set data = private.readdress_media(data::text, _name, _by)::jsonb,
    base = private.readdress_media(base::text, _name, _by)::jsonb
  from public.releases
  where releases.id = release_id and published_at is null
    and private.mentions_media(concat(data::text, base::text), _name);
  get diagnostics _changed = row_count;

  update storage.objects
  set user_metadata = jsonb_strip_nulls(jsonb_build_object(
      'alt', nullif(_old.alt, ''), 'folder', nullif(_old.folder, ''),
      'focal_x', round(_old.focal_x::numeric, 3), 'focal_y', round(_old.focal_y::numeric, 3)
    )) || coalesce(user_metadata, '{}')
  where bucket_id = 'content-media' and name = _by;
  return _places + _changed;
end
$$;
grant execute on function public.replace_media to authenticated, service_role;

-- Restores a file at its URL, with its metadata. Returns its name.
create function public.restore_media(_id uuid) returns text language plpgsql security definer set search_path = '' as $$
declare
  _file jsonb;
begin
  if public.keeps_deleted_media() then
    execute 'select to_jsonb(file) from backend.deleted_objects as file where id = $1 and purge_at > now() for update'
      into _file using _id;
  end if;
  if _file is null then
    raise exception 'It is not among the deleted files any more. Somebody restored it, or deleted it for ever.';
  end if;
  if exists (
    select from storage.objects where bucket_id = _file ->> 'bucket_id' and name = _file ->> 'name'
  ) then
    raise exception 'Another file has this address now. Delete that one first.';
  end if;
  insert into storage.objects
    (id, bucket_id, name, version, metadata, user_metadata, created_at, updated_at, owner, owner_id)
  select id, bucket_id, name, version, metadata, user_metadata, created_at, updated_at, owner_id::uuid, owner_id
  from jsonb_populate_record(null::storage.objects, _file);
  -- Pages are drawn with what is said of a picture.
  perform pg_notify('content_changed', 'media');
  return _file ->> 'name';
end
$$;
grant execute on function public.restore_media to authenticated, service_role;

create function public.set_media_alt(_name text, _alt text) returns void language plpgsql set search_path = '' as $$
begin
  perform private.require_admin();
  if length(_alt) > 1000 then
    raise exception 'The alternative text must be less than 1000 characters' using errcode = '22001';
  end if;
  update storage.objects
  set user_metadata = coalesce(user_metadata, '{}') || jsonb_build_object('alt', trim(_alt))
  where bucket_id = 'content-media' and name = _name;
  if not found then
    raise exception 'There is no file of that name';
  end if;
end
$$;
grant execute on function public.set_media_alt to authenticated, service_role;

-- Sets the focal point. Null for both is the centre.
create function public.set_media_focus(_name text, _x real, _y real) returns void language plpgsql set search_path = '' as $$
begin
  perform private.require_admin();
  if (_x is null) <> (_y is null) or _x not between 0 and 1 or _y not between 0 and 1 then
    raise exception 'The focal point must be within the picture: from 0 to 1 both ways.' using errcode = '22023';
  end if;
  update storage.objects
  set user_metadata = coalesce(user_metadata, '{}') - array['focal_x', 'focal_y']
    || case when _x is null then '{}' else jsonb_build_object('focal_x', round(_x::numeric, 3), 'focal_y', round(_y::numeric, 3)) end
  where bucket_id = 'content-media' and name = _name and metadata ->> 'mimetype' like 'image/%';
  if not found then
    raise exception 'There is no picture of that name';
  end if;
end
$$;
grant execute on function public.set_media_focus to authenticated, service_role;

create function private.media_file_of(_object storage.objects) returns private.media_files
language plpgsql stable set search_path = '' as $$
declare
  _file private.media_files;
  _said constant jsonb := coalesce(_object.user_metadata, '{}');
begin
  _file.name := _object.name;
  _file.object_id := _object.id;
  _file.original_name := left(coalesce(_said ->> 'original_name', ''), 500);
  _file.mimetype := _object.metadata ->> 'mimetype';
  _file.kind := case when _file.mimetype ~ '^(image|video|audio)/' then split_part(_file.mimetype, '/', 1) else 'document' end;
  _file.size := (_object.metadata ->> 'size')::bigint;
  _file.width := private.pixels_of(_object.metadata -> 'width');
  _file.height := private.pixels_of(_object.metadata -> 'height');
  _file.alt := left(coalesce(_said ->> 'alt', ''), 1000);
  _file.folder := left(trim(coalesce(_said ->> 'folder', '')), 100);
  _file.focal_x := private.share_of(_said -> 'focal_x');
  _file.focal_y := private.share_of(_said -> 'focal_y');
  -- Where the storage does not say it, the screen that uploaded the file has.
  _file.sha256 := substring(lower(coalesce(_object.metadata ->> 'sha256', _said ->> 'sha256')) from '^[0-9a-f]{64}$');
  _file.mention_key := private.media_key(_object.name);
  _file.uses := 0;
  _file.search_text := lower(concat_ws(' ', _file.name, _file.original_name, _file.alt, _file.folder));
  _file.created_at := coalesce(_object.created_at, now());
  _file.updated_at := coalesce(_object.updated_at, now());
  return _file;
end
$$;

-- Returns the key by which texts and files match: the start of a name up to the first character with several spellings in a
-- URL. mentions_media() then decides. A full stop may end the sentence.
create function private.media_key(_name text) returns text language sql immutable set search_path = '' as $$
  select rtrim(substring(_name from '^[A-Za-z0-9_./-]*'), '.')
$$;

create function private.pixels_of(_value jsonb) returns integer language sql immutable set search_path = '' as $$
  select case when jsonb_typeof(_value) = 'number' and _value::numeric between 1 and 1000000 then _value::numeric::integer end
$$;

-- Accepts any JSON that clients may have written.
create function private.share_of(_value jsonb) returns real language sql immutable set search_path = '' as $$
  select case when jsonb_typeof(_value) = 'number' then least(greatest(_value::numeric, 0), 1)::real end
$$;

create function private.track_media_file() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _before private.media_files;
  _file private.media_files;
begin
  if tg_op <> 'INSERT' and old.bucket_id = 'content-media' then
    select * into _before from private.media_files where name = old.name;
    if tg_op = 'DELETE' or new.bucket_id <> 'content-media' or new.name <> old.name then
      delete from private.media_files where name = old.name;
    end if;
  end if;
  if tg_op <> 'DELETE' and new.bucket_id = 'content-media' and new.metadata ? 'mimetype' then
    _file := private.media_file_of(new);
    select count(*) into _file.uses from private.media_mentions where mention_key = _file.mention_key;
    insert into private.media_files select _file.*
    on conflict (name) do update set
      object_id = excluded.object_id, original_name = excluded.original_name, mimetype = excluded.mimetype,
      kind = excluded.kind, size = excluded.size, width = excluded.width, height = excluded.height, alt = excluded.alt,
      folder = excluded.folder, focal_x = excluded.focal_x, focal_y = excluded.focal_y, sha256 = excluded.sha256,
      search_text = excluded.search_text, created_at = excluded.created_at, updated_at = excluded.updated_at;
    -- Pages are drawn with these.
    if (_before.alt, _before.focal_x, _before.focal_y, _before.width, _before.height)
      is distinct from (_file.alt, _file.focal_x, _file.focal_y, _file.width, _file.height) and _before.name is not null then
      perform pg_notify('content_changed', 'media');
    end if;
  end if;
  return null;
end
$$;

-- Replaces one file name by another in a text. The new one contains no special characters of URLs.
create function private.readdress_media(_text text, _name text, _by text) returns text
language sql immutable set search_path = '' as $$
  select case when position('content-media/' in _text) = 0 then _text else regexp_replace(_text,
    'content-media/('
    || regexp_replace(_name, '([^A-Za-z0-9_/ -])', '\\\1', 'g')
    || '|'
    || regexp_replace(replace(_name, ' ', '%20'), '([^A-Za-z0-9_/ -])', '\\\1', 'g')
    || ')(?![A-Za-z0-9_~%/-]|\.[A-Za-z0-9])',
    'content-media/' || _by, 'g') end
$$;

-- Returns SQL that updates each text column of a table.
create function private.readdressed_columns(_table text) returns text language sql stable set search_path = '' as $$
  select string_agg(
    format('%1$I = private.readdress_media(%1$I::text, $1, $2)::%2$s', attname, format_type(atttypid, atttypmod)), ', '
  )
  from pg_catalog.pg_attribute
  where attrelid = format('public.%I', _table)::regclass and attnum > 0 and not attisdropped and attgenerated = ''
    and atttypid = any ('{text,varchar,json,jsonb,text[]}'::regtype[])
$$;

create policy "Admins see the content media bucket" on storage.buckets for select to authenticated
  using (id = 'content-media' and (select private.is_admin()));

create policy "Admins list content media" on storage.objects for select to authenticated
  using (bucket_id = 'content-media' and (select private.is_admin()));
create policy "Admins upload content media" on storage.objects for insert to authenticated
  with check (bucket_id = 'content-media' and (select private.is_admin()));
create policy "Admins change content media" on storage.objects for update to authenticated
  using (bucket_id = 'content-media' and (select private.is_admin()))
  with check (bucket_id = 'content-media' and (select private.is_admin()));
create policy "Admins delete content media" on storage.objects for delete to authenticated
  using (bucket_id = 'content-media' and (select private.is_admin()));

create policy "Admins see the bucket of originals" on storage.buckets for select to authenticated
  using (id = 'media-originals' and (select private.is_admin()));

create policy "Admins read originals" on storage.objects for select to authenticated
  using (bucket_id = 'media-originals' and (select private.is_admin()));
create policy "Admins keep originals" on storage.objects for insert to authenticated
  with check (bucket_id = 'media-originals' and (select private.is_admin()));
create policy "Admins replace originals" on storage.objects for update to authenticated
  using (bucket_id = 'media-originals' and (select private.is_admin()))
  with check (bucket_id = 'media-originals' and (select private.is_admin()));
create policy "Admins delete originals" on storage.objects for delete to authenticated
  using (bucket_id = 'media-originals' and (select private.is_admin()));

create trigger track_media_file after insert or update or delete on storage.objects
  for each row execute function private.track_media_file();

-- schemas/media/mentions.sql

-- File usage, tracked by triggers, so that a query is as fast with 20,000 files and 10,000 articles as with ten.

-- File keys that each item, page section, setting and change of a release mentions.
create table private.media_mentions (
  kind text not null,
  item_id text not null,
  mention_key text not null,
  primary key (kind, item_id, mention_key)
);
create index media_mentions_key_idx on private.media_mentions (mention_key);
alter table private.media_mentions enable row level security;

-- Lists usages: items in the order of kinds, page sections, settings, then releases.
create function public.media_usage(_name text) returns table (kind text, id uuid, title text)
language plpgsql stable security definer set search_path = '' as $$
declare
  _of private.documents;
  _key constant text := private.media_key(_name);
begin
  perform private.require_admin();
  for _of in select * from private.documents order by is_item desc, number loop
    return query execute format(
      'select %1$L::text, item.id, %2$s
       from private.media_mentions as mention join public.%1$I as item on item.id = mention.item_id::uuid
       where mention.kind = %1$L and mention.mention_key = $2 and private.mentions_media(item::text, $1)
       order by item.ctid', _of.kind,
      case when _of.is_item then format('item.%I::text', _of.title_column) else private.document_key_in_sql(_of.kind) end
    ) using _name, _key;
  end loop;
  return query
    select distinct 'releases', releases.id, releases.name
      from private.media_mentions as mention
        join public.release_changes as change on change.id = mention.item_id::uuid
        join public.releases on releases.id = change.release_id
      where mention.kind = 'release_changes' and mention.mention_key = _key
        and private.mentions_media(change.data::text, _name);
end
$$;
grant execute on function public.media_usage to authenticated, service_role;

-- Relative updates, so that concurrent transactions both count.
create function private.count_mention() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    update private.media_files set uses = uses + 1 where mention_key = new.mention_key;
  else
    update private.media_files set uses = uses - 1 where mention_key = old.mention_key;
  end if;
  return null;
end
$$;

create function private.media_keys(_text text) returns setof text language sql immutable set search_path = '' as $$
  select distinct private.media_key(hit[1]) from regexp_matches(_text, 'content-media/([A-Za-z0-9_./-]*)', 'g') as hit
  where position('content-media/' in _text) > 0
$$;

-- Whether a text contains the URL of a file: its name, plain or with escaped spaces, and not as part of a longer name.
create function private.mentions_media(_text text, _name text) returns boolean language sql immutable set search_path = '' as $$
  select position('content-media/' in _text) > 0 and _text ~ (
    'content-media/('
    || regexp_replace(_name, '([^A-Za-z0-9_/ -])', '\\\1', 'g')
    || '|'
    || regexp_replace(replace(_name, ' ', '%20'), '([^A-Za-z0-9_/ -])', '\\\1', 'g')
    || ')(?![A-Za-z0-9_~%/-]|\.[A-Za-z0-9])'
  )
$$;
grant execute on function private.mentions_media to authenticated, service_role;

create function private.note_mentions(_kind text, _item_id text, _text text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  -- What files are found by is only counted where there are such addresses, or were.
  if position('content-media/' in _text) = 0 then
    delete from private.media_mentions where kind = _kind and item_id = _item_id;
    return;
  end if;
  delete from private.media_mentions where kind = _kind and item_id = _item_id
    and mention_key not in (select private.media_keys(_text));
  insert into private.media_mentions (kind, item_id, mention_key)
    select _kind, _item_id, key from private.media_keys(_text) as key
    on conflict do nothing;
end
$$;

-- Tracks all rows of a table.
create function private.note_table_mentions(_table text) returns void language plpgsql set search_path = '' as $$
begin
  execute format(
    'insert into private.media_mentions (kind, item_id, mention_key)
     select %1$L, item.id::text, key from public.%1$I as item, private.media_keys(item::text) as key', _table
  );
end
$$;

create function private.track_media_mentions() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if private.tries_release() then
    return null;
  end if;
  if tg_op = 'DELETE' then
    delete from private.media_mentions where kind = tg_table_name::text and item_id = old.id::text;
  -- A row as text doubles quotes and backslashes, which no name of a file has, and changes nothing else.
  elsif tg_op = 'INSERT' or new::text <> old::text then
    perform private.note_mentions(tg_table_name, new.id::text, new::text);
  end if;
  return null;
end
$$;

create function private.track_media_of_kind(_table text) returns void language plpgsql set search_path = '' as $$
begin
  execute format(
    'create trigger track_media_mentions after insert or update or delete on public.%I
       for each row execute function private.track_media_mentions()', _table
  );
  perform private.note_table_mentions(_table);
end
$$;

create function private.track_media_of_new_kind() returns trigger language plpgsql set search_path = '' as $$
begin
  perform private.track_media_of_kind(new.table_name);
  return null;
end
$$;

create trigger count_mention after insert or delete on private.media_mentions
  for each row execute function private.count_mention();

create trigger track_media_mentions after insert or update or delete on public.page_content
  for each row execute function private.track_media_mentions();

create trigger track_media_mentions after insert or update or delete on public.site_settings
  for each row execute function private.track_media_mentions();

create trigger track_media_of_new_kind after insert on private.content_kinds
  for each row execute function private.track_media_of_new_kind();

-- schemas/media/alt-texts.sql

-- With the setting require_alt_text, items with an image without alt text cannot be published. Published ones can still be
-- edited.

-- Lists images of an item without alt text: the column and the file name, which is null for an image in a text. Portraits
-- (avatar) are described by the name beside them.
create function private.pictures_without_alt(_table text, _row jsonb) returns table (column_name text, title text)
language sql stable security definer set search_path = '' as $$
  with texts as (
    select attname::text as name, attname ~ '(image|src)' as is_picture, _row ->> attname as value
    from pg_catalog.pg_attribute
    where attrelid = format('public.%I', _table)::regclass and attnum > 0 and not attisdropped and attgenerated = ''
      and atttypid = any ('{text,jsonb,text[]}'::regtype[]) and _row ->> attname is not null
  )
  select texts.name, coalesce(nullif(files.original_name, ''), files.name)
  from texts
    cross join lateral private.media_keys(texts.value) as key
    join private.media_files as files on files.mention_key = key
  where texts.is_picture and files.kind = 'image' and trim(files.alt) = '' and private.mentions_media(texts.value, files.name)
  union
  select texts.name, null from texts where not texts.is_picture and texts.value ~ '!\[\s*\]\('
$$;

create function private.require_alt_texts() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _missing record;
  _title text;
begin
  if to_jsonb(new) ->> 'status' <> 'published' or not exists (
    select from public.site_settings where setting_key = 'require_alt_text' and trim(setting_value) = 'on'
  ) then
    return new;
  end if;
  select * into _missing from (
    select column_name, title from private.pictures_without_alt(tg_table_name, to_jsonb(new))
    except
    select column_name, title from private.pictures_without_alt(tg_table_name, to_jsonb(old))
    where tg_op = 'UPDATE' and to_jsonb(old) ->> 'status' = 'published'
  ) as missing order by column_name, title limit 1;
  if not found then
    return new;
  end if;
  select to_jsonb(new) ->> title_column into _title from private.content_kinds where table_name = tg_table_name;
  raise sqlstate 'PT422' using
    message = case when _missing.title is null
      then format('“%s” was not published: a picture in its text has no alt text. Write it between the brackets: ![what it shows](address).', _title)
      else format('“%s” was not published: the picture “%s” has no alt text. Describe it in the media library first.', _title, _missing.title)
    end,
    detail = _missing.column_name;
end
$$;

create function private.require_alt_texts_of_kind() returns trigger language plpgsql set search_path = '' as $$
begin
  execute format(
    'create trigger require_alt_texts before insert or update on public.%I
       for each row execute function private.require_alt_texts()', new.table_name
  );
  return null;
end
$$;

create trigger require_alt_texts_of_kind after insert on private.content_kinds
  for each row execute function private.require_alt_texts_of_kind();

-- schemas/chat/conversations.sql

-- Chat conversations. The id is the secret of its visitor, sent in the header `x-conversation-id`; visitors and signed-in
-- users see only that row. Admins read and delete all.
create table public.conversations (
  id uuid primary key default gen_random_uuid(),
  created_at timestamptz not null default now()
    constraint conversations_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  last_message_at timestamptz not null default now()
    constraint conversations_last_message_at_calendar check (last_message_at between '1900-01-01' and '2999-12-31'),
  message_count integer not null default 0,
  content_bytes integer not null default 0
);
create index conversations_newest_idx on public.conversations (last_message_at desc);
grant select on public.conversations to anon;
grant select, delete on public.conversations to authenticated;
grant all on public.conversations to service_role;
grant update (last_message_at), insert (last_message_at) on public.conversations to anon;
grant insert (last_message_at), update (last_message_at) on public.conversations to authenticated;
alter table public.conversations enable row level security;
create policy "Anybody starts a conversation" on public.conversations for insert to anon, authenticated with check (true);
create policy "Admins read all conversations" on public.conversations for select to authenticated
  using ((select private.is_admin()));
create policy "Admins delete conversations" on public.conversations for delete to authenticated
  using ((select private.is_admin()));

-- Messages of a conversation, for holders of its id. Append-only.
create table public.chat_messages (
  id uuid primary key default gen_random_uuid(),
  conversation_id uuid not null references public.conversations (id) on delete cascade,
  role text not null check (role in ('user', 'assistant')),
  content text not null,
  -- clock_timestamp() keeps the order of messages within one transaction.
  created_at timestamptz not null default clock_timestamp()
    constraint chat_messages_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  check (length(content) between 1 and case role when 'user' then 4000 else 16000 end)
);
create index chat_messages_conversation_idx on public.chat_messages (conversation_id, created_at);
create index chat_messages_asked_idx on public.chat_messages (created_at desc) where role = 'user';
grant select on public.chat_messages to anon, authenticated;
grant all on public.chat_messages to service_role;
grant insert (conversation_id, role, content) on public.chat_messages to anon, authenticated;
alter table public.chat_messages enable row level security;
create policy "Admins read all chat messages" on public.chat_messages for select to authenticated
  using ((select private.is_admin()));

create function public.find_conversations(_search text, _limit integer default 24, _offset integer default 0) returns table (
  id uuid, created_at timestamptz, last_message_at timestamptz, message_count integer, excerpt text, total integer
) language sql stable set search_path = '' as $$
  with asked as materialized (
    select '%' || regexp_replace(_search, '([\\%_])', '\\\1', 'g') || '%' as pattern, octet_length(_search) = length(_search) as is_ascii
  ), said as materialized (
    -- Letters of ASCII are the same in every collation, and compared in half the time in this one.
    select distinct message.conversation_id as id from public.chat_messages as message cross join asked
    where case when is_ascii then message.content collate "C" ilike pattern else message.content ilike pattern end
  ), found as materialized (
    select conversation.id, conversation.created_at, conversation.last_message_at, conversation.message_count
    from said join public.conversations as conversation using (id) where conversation.message_count > 0
  )
  select page.id, page.created_at, page.last_message_at, page.message_count,
    (
      select message.content from public.chat_messages as message
      where message.conversation_id = page.id and message.content ilike pattern order by message.created_at limit 1
    ),
    (select count(*)::integer from found)
  from (
    select * from found order by last_message_at desc, id limit least(greatest(_limit, 1), 100) offset greatest(_offset, 0)
  ) as page cross join asked
  order by page.last_message_at desc, page.id
$$;
grant execute on function public.find_conversations to authenticated, service_role;

-- The API cannot set this setting, and it ends with the transaction.
create function private.start_conversation() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(current_setting('chat.new_conversation', true), '') <> '' then
    raise exception 'One conversation can be started at a time';
  end if;
  perform set_config('chat.new_conversation', new.id::text, true);
  new.last_message_at := now();
  return new;
end
$$;

-- Server time: the visitor's clock may be wrong.
create function private.touch_last_message_at() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  new.last_message_at := now();
  return new;
end
$$;

-- The client updates last_message_at once more for each message.
create function private.limit_touches() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if not private.count_for_address('touch', private.client_address(), 60, interval '1 minute') then
    raise sqlstate 'PT429' using
      message = 'That was a lot at once. Please wait a minute, or book a meeting to talk to a person.';
  end if;
  return new;
end
$$;

-- Returns the conversation that this transaction may access: the one it created, so that the insert can return the id, or
-- the one in the request's header. Null for an invalid id.
create function private.held_conversation() returns uuid language plpgsql stable security definer set search_path = '' as $$
declare
  held text := coalesce(
    nullif(current_setting('chat.new_conversation', true), ''),
    nullif(current_setting('request.headers', true), '')::json ->> 'x-conversation-id'
  );
begin
  if held ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
    return held::uuid;
  end if;
  return null;
end
$$;
grant execute on function private.held_conversation to anon, authenticated, service_role;

-- After the insert, when policies have run: a full conversation must look like a foreign one.
create function private.count_chat_message() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  added constant integer := octet_length(new.content);
  total integer;
begin
  update public.conversations
    set message_count = message_count + 1, content_bytes = content_bytes + added, last_message_at = now()
    where id = new.conversation_id and message_count < 500 and content_bytes + added <= 200000
    returning content_bytes into total;
  if not found then
    raise exception 'This conversation is full. Please start a new one.';
  end if;
  -- Adding everything up takes a moment, so it is done at every 20 kB of a conversation.
  if total / 20000 > (total - added) / 20000 then
    perform private.make_room_for_chat();
  end if;
  return null;
end
$$;

create function private.chats_of(_user_id uuid) returns setof uuid
language sql stable security definer set search_path = '' as $$ select private.chats_naming(email) from auth.users where id = _user_id $$;

-- Lists conversations that mention the address. Skips messages without any address first: searching 200 MB takes seconds.
create function private.chats_naming(_email text) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select distinct conversation_id from public.chat_messages
  where _email <> '' and content like '%@%' and position(lower(_email) in lower(content)) > 0 and lower(content) ~ (
    '(?<![[:alnum:]_%+-])(?<![[:alnum:]][.])'
    || regexp_replace(lower(_email), '([!$()*+.:<=>?[\\\]^{|}-])', '\\\1', 'g')
    || '(?![[:alnum:]]|[.-][[:alnum:]])'
  )
$$;

create function private.chats_with_messages_of(_user_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', chat.id, 'created_at', chat.created_at, 'messages', (
      select jsonb_agg(jsonb_build_object('role', role, 'content', content, 'created_at', created_at) order by created_at)
      from public.chat_messages where conversation_id = chat.id
    )
  ) order by chat.created_at), '[]')
  from public.conversations as chat where chat.id in (select private.chats_of(_user_id))
$$;

-- Counts the chats that are deleted with an account.
create function public.count_chats_naming(_user_id uuid) returns integer
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (select count(*) from auth.users, private.chats_naming(users.email) where users.id = _user_id);
end
$$;
grant execute on function public.count_chats_naming to authenticated;

-- Run daily. Returns the number of deleted conversations.
create function private.delete_expired_conversations(_at_most integer default null) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  _before constant timestamptz := private.retention_cutoff();
  _deleted integer;
  _sum integer := 0;
begin
  delete from public.conversations where id in (
    select id from public.conversations
    where last_message_at < _before or (message_count = 0 and created_at < now() - interval '1 day')
    limit _at_most
  );
  get diagnostics _deleted = row_count;
  _sum := _sum + _deleted;
  delete from public.leads where id in (select id from public.leads where updated_at < _before limit _at_most);
  get diagnostics _deleted = row_count;
  _sum := _sum + _deleted;
  -- Who never confirmed.
  delete from public.newsletter_subscribers where id in (
    select id from public.newsletter_subscribers
    where confirmed_at is null and requested_at < now() - interval '7 days' limit _at_most
  );
  get diagnostics _deleted = row_count;
  _sum := _sum + _deleted;
  delete from public.lead_webhook_deliveries where id in (
    select id from public.lead_webhook_deliveries
    where status <> 'waiting' and created_at < now() - interval '30 days' limit _at_most
  );
  get diagnostics _deleted = row_count;
  _sum := _sum + _deleted;
  -- A row a day.
  delete from public.chat_usage where day < (now() at time zone 'utc')::date - 400;
  return _sum;
end
$$;

create policy "People read the conversation whose id they hold" on public.conversations for select to anon, authenticated
  using (id = (select private.held_conversation()));
create policy "People touch the conversation whose id they hold" on public.conversations for update to anon, authenticated
  using (id = (select private.held_conversation())) with check (id = (select private.held_conversation()));

create policy "People read the messages of the conversation whose id they hold" on public.chat_messages
  for select to anon, authenticated using (conversation_id = (select private.held_conversation()));
create policy "People write to the conversation whose id they hold" on public.chat_messages for insert to anon, authenticated
  with check (conversation_id = (select private.held_conversation()));

create trigger start_conversation before insert on public.conversations
  for each row when (current_user in ('anon', 'authenticated')) execute function private.start_conversation();
create trigger touch_last_message_at before update on public.conversations
  for each row when (current_user in ('anon', 'authenticated')) execute function private.touch_last_message_at();

create trigger count_chat_message after insert on public.chat_messages
  for each row execute function private.count_chat_message();

create trigger limit_touches before update on public.conversations
  for each row when (current_user in ('anon', 'authenticated')) execute function private.limit_touches();

-- schemas/chat/limits.sql

-- Visitors write without signing in, so the database limits writes per network address, per conversation and for the site,
-- across all server processes.
create table public.chat_usage (
  day date primary key constraint chat_usage_day_calendar check (day between '1900-01-01' and '2999-12-31'),
  replies integer not null default 0
);
grant select on public.chat_usage to authenticated;
grant all on public.chat_usage to service_role;
alter table public.chat_usage enable row level security;
create policy "Admins read how much the chat is used" on public.chat_usage for select to authenticated
  using ((select private.is_admin()));

-- Runs before anything is stored. Only holders of the id learn that a conversation is full.
create function private.limit_chat_messages() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(current_setting('chat.new_message', true), '') <> '' then
    raise exception 'One message can be written at a time';
  end if;
  perform set_config('chat.new_message', 'written', true);
  if exists (
    select from public.conversations
    where id = new.conversation_id and id = private.held_conversation()
      and (message_count >= 500 or content_bytes + octet_length(new.content) > 200000)
  ) then
    raise exception 'This conversation is full. Please start a new one.';
  end if;
  if not private.count_for_address('message', private.client_address(), 60, interval '1 minute') then
    raise sqlstate 'PT429' using
      message = 'That was a lot at once. Please wait a minute, or book a meeting to talk to a person.';
  end if;
  return new;
end
$$;

create function private.limit_conversations() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if not private.count_for_address('conversation', private.client_address(), 10, interval '1 hour') then
    raise sqlstate 'PT429' using
      message = 'You have started many conversations. Please wait an hour, or book a meeting to talk to a person.';
  end if;
  perform private.make_room_for_chat();
  return new;
end
$$;

-- Keeps the site below 10,000 conversations and 200 MB: beyond, it deletes 1%, at most 100 at once, because the visitor's
-- message waits for it.
create function private.make_room_for_chat() returns void language plpgsql security definer set search_path = '' as $$
declare
  _items bigint;
  _bytes bigint;
begin
  delete from private.chat_counts where subject in (
    select subject from private.chat_counts where expires_at <= now() limit 1000 for update skip locked
  );
  select count(*), coalesce(sum(content_bytes), 0) into _items, _bytes from public.conversations;
  if (_items <= 10000 and _bytes <= 200000000)
    -- Somebody else is at it.
    or not pg_try_advisory_xact_lock(hashtext('private.make_room_for_chat')) then
    return;
  end if;
  with held as materialized (
    select private.held_conversation() as id
  ), empty as (
    select conversation.id, content_bytes, last_message_at from public.conversations as conversation, held
    where message_count = 0 and created_at <= now() - interval '1 hour' and conversation.id is distinct from held.id
    order by last_message_at, conversation.id desc limit 100
  ), said as (
    select conversation.id, content_bytes, last_message_at from public.conversations as conversation, held
    where (message_count > 0 or created_at > now() - interval '1 hour') and conversation.id is distinct from held.id
    order by last_message_at, conversation.id desc limit 100
  ), tail as (
    select id, row_number() over oldest_first - 1 as items, sum(content_bytes) over oldest_first - content_bytes as bytes
    from (select true as is_empty, * from empty union all select false, * from said) as candidate
    window oldest_first as (order by is_empty desc, last_message_at, id desc rows unbounded preceding)
    limit 100
  )
  delete from public.conversations where id in (
    select id from tail where _items - items > 9900 or _bytes - bytes > 198000000
  );
end
$$;

-- The name sorts after start_conversation, which refuses several rows at once.
create trigger start_conversation_limit before insert on public.conversations
  for each row when (current_user in ('anon', 'authenticated')) execute function private.limit_conversations();

create trigger limit_chat_messages before insert on public.chat_messages
  for each row when (current_user in ('anon', 'authenticated')) execute function private.limit_chat_messages();

-- schemas/chat/replies.sql

-- Salt of address hashes, so that they cannot be reversed by trying all addresses.
create table private.chat_salt (
  salt text not null
);
alter table private.chat_salt enable row level security;

-- Hashes of replies that the chat function gave. The visitor's browser stores the replies and could forge one; transcripts
-- mark replies without a hash.
create table private.reply_hashes (
  conversation_id uuid not null references public.conversations (id) on delete cascade,
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  noted_at timestamptz not null default clock_timestamp(),
  primary key (conversation_id, hash)
);
alter table private.reply_hashes enable row level security;

create function private.reply_hash(content text) returns text
language sql immutable set search_path = '' as $$ select encode(sha256(convert_to(content, 'UTF8')), 'hex') $$;

-- Claims one of today's model replies before the model is called; return_chat_reply() returns it on failure. An address may
-- use a tenth. Returns 'claimed', 'site' if today's limit (UTC) is reached, or 'address'.
create function public.claim_chat_reply(_address text) returns text language plpgsql security definer set search_path = '' as $$
declare
  cap constant integer := private.number_setting('chat_daily_cap', 1000);
  today constant date := (now() at time zone 'utc')::date;
begin
  if cap <= 0 then
    return 'site';
  end if;
  insert into public.chat_usage as usage (day, replies) values (today, 1)
    on conflict (day) do update set replies = usage.replies + 1 where usage.replies < cap;
  if not found then
    return 'site';
  end if;
  if private.count_for_address('reply of ' || today, _address, greatest(1, cap / 10), interval '1 day') then
    return 'claimed';
  end if;
  update public.chat_usage set replies = replies - 1 where day = today;
  return 'address';
end
$$;
grant execute on function public.claim_chat_reply to service_role;

create function public.return_chat_reply(_address text) returns void language plpgsql security definer set search_path = '' as $$
declare
  today constant date := (now() at time zone 'utc')::date;
begin
  update public.chat_usage set replies = replies - 1 where day = today and replies > 0;
  update private.chat_counts set count = count - 1
    where count > 0 and subject in (
      select encode(sha256(convert_to(salt || 'reply of ' || today || network, 'UTF8')), 'hex')
      from private.chat_salt, private.networks_of(_address)
    );
end
$$;
grant execute on function public.return_chat_reply to service_role;

-- A stopped reply has a hash for each point at which it may have ended. Keeps the newest 2,000 per conversation.
create function public.note_chat_reply(_conversation_id uuid, _hashes text[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.reply_hashes (conversation_id, hash)
    select id, noted.hash from public.conversations, unnest(_hashes) as noted (hash) where id = _conversation_id
    on conflict do nothing;
  delete from private.reply_hashes where conversation_id = _conversation_id and hash in (
    select hash from private.reply_hashes where conversation_id = _conversation_id
    order by noted_at desc offset 2000
  );
end
$$;
grant execute on function public.note_chat_reply to service_role;

-- Lists messages that claim to be the assistant's without a hash. Empty for non-admins.
create function public.forged_chat_replies(_conversation_id uuid) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select id from public.chat_messages as message
  where conversation_id = _conversation_id and role = 'assistant' and (select private.is_admin())
    and not exists (
      select from private.reply_hashes as noted
      where noted.conversation_id = message.conversation_id and noted.hash = private.reply_hash(message.content)
    )
$$;
grant execute on function public.forged_chat_replies to authenticated, service_role;

-- schemas/chat/questions.sql

-- Questions without an answer. Stores a hash; the text is in the conversation's messages and is deleted with them. Written
-- by the chat function, read by admins.
create table public.unanswered_questions (
  id uuid primary key default gen_random_uuid(),
  conversation_id uuid not null references public.conversations (id) on delete cascade,
  -- private.reply_hash() of the message.
  question_hash text not null check (question_hash ~ '^[0-9a-f]{64}$'),
  -- Nothing published fits, or the guard withheld the model's reply.
  reason text not null check (reason in ('nothing found', 'kept back')),
  noted_at timestamptz not null default clock_timestamp()
    constraint unanswered_questions_noted_at_calendar check (noted_at between '1900-01-01' and '2999-12-31'),
  dismissed_at timestamptz
    constraint unanswered_questions_dismissed_at_calendar check (dismissed_at between '1900-01-01' and '2999-12-31'),
  unique (conversation_id, question_hash)
);
create index unanswered_questions_newest_idx on public.unanswered_questions (noted_at desc);
grant select on public.unanswered_questions to authenticated;
grant all on public.unanswered_questions to service_role;
alter table public.unanswered_questions enable row level security;
create policy "Admins read unanswered questions" on public.unanswered_questions for select to authenticated
  using ((select private.is_admin()));

-- Counts questions whose reply links a page and that are not recorded as unanswered. Links alone are not enough: a refusal
-- may link related pages.
create function public.count_asked_questions(
  _days integer default 30, out asked integer, out answered integer, out unanswered integer
) returns record language sql stable set search_path = '' as $$
  select count(*)::integer,
    (count(*) filter (where noted.id is null and cardinality(source.urls) > 0))::integer,
    (count(*) filter (where noted.id is not null))::integer
  from public.chat_messages as question
  left join lateral (
    select next.role, next.content from public.chat_messages as next
    where next.conversation_id = question.conversation_id and next.created_at > question.created_at
    order by next.created_at limit 1
  ) as reply on reply.role = 'assistant'
  left join public.unanswered_questions as noted on noted.conversation_id = question.conversation_id
    and noted.question_hash = encode(sha256(convert_to(question.content, 'UTF8')), 'hex')
  cross join lateral private.sources_in(coalesce(reply.content, '')) as source
  where question.role = 'user' and question.created_at > now() - make_interval(days => least(greatest(_days, 1), 366))
$$;
grant execute on function public.count_asked_questions to authenticated, service_role;

-- Lists a page of questions with their replies, newest first; the next page begins before the last one. `reason` is null
-- for an answered question.
create function public.list_asked_questions(
  _search text default '', _before timestamptz default null, _limit integer default 24
) returns table (
  id uuid, conversation_id uuid, question text, asked_at timestamptz, reason text, source_titles text[], source_urls text[]
) language sql stable set search_path = '' as $$
  select asked.id, asked.conversation_id, asked.content, asked.created_at, noted.reason, source.titles, source.urls
  from (
    select * from public.chat_messages
    where role = 'user' and (_before is null or created_at < _before)
      and (coalesce(_search, '') = '' or position(lower(_search) in lower(content)) > 0)
    order by created_at desc limit least(greatest(_limit, 1), 100)
  ) as asked
  left join lateral (
    select next.role, next.content from public.chat_messages as next
    where next.conversation_id = asked.conversation_id and next.created_at > asked.created_at
    order by next.created_at limit 1
  ) as reply on reply.role = 'assistant'
  left join public.unanswered_questions as noted on noted.conversation_id = asked.conversation_id
    and noted.question_hash = encode(sha256(convert_to(asked.content, 'UTF8')), 'hex')
  cross join lateral private.sources_in(coalesce(reply.content, '')) as source
  order by asked.created_at desc
$$;
grant execute on function public.list_asked_questions to authenticated, service_role;

-- Lists the newest 1,000 open questions with their text. Empty for non-admins.
create function public.list_unanswered_questions() returns table (
  id uuid, conversation_id uuid, question text, reason text, asked_at timestamptz
) language sql stable security definer set search_path = '' as $$
  select noted.id, noted.conversation_id, asked.content, noted.reason, asked.created_at
  from (
    select * from public.unanswered_questions
    where dismissed_at is null and (select private.is_admin())
    order by noted_at desc limit 1000
  ) as noted,
  lateral (
    select content, created_at from public.chat_messages as message
    where message.conversation_id = noted.conversation_id and role = 'user'
      and private.reply_hash(content) = noted.question_hash
    order by created_at desc limit 1
  ) as asked
  order by asked.created_at desc
$$;
grant execute on function public.list_unanswered_questions to authenticated, service_role;

-- Dismisses questions, or restores them.
create function public.dismiss_unanswered_questions(_ids uuid[], _dismissed boolean) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  update public.unanswered_questions set dismissed_at = case when _dismissed then now() end where id = any (_ids);
end
$$;
grant execute on function public.dismiss_unanswered_questions to authenticated, service_role;

-- Keeps at most 20 per conversation and the newest 5,000 in total.
create function public.note_unanswered_question(_conversation_id uuid, _hash text, _reason text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.unanswered_questions (conversation_id, question_hash, reason)
    select id, _hash, _reason from public.conversations
    where id = _conversation_id
      and (select count(*) from public.unanswered_questions where conversation_id = _conversation_id) < 20
    on conflict do nothing;
  delete from public.unanswered_questions where id in (
    select id from public.unanswered_questions order by noted_at desc offset 5000
  );
end
$$;
grant execute on function public.note_unanswered_question to service_role;

create function private.show_first_question() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.site_settings (setting_key, setting_value) values ('faq_on_contact', 'on')
    on conflict (setting_key) do nothing;
  return null;
end
$$;

-- Returns the pages that a reply links, in order. Contact links, which most refusals have, are left out.
create function private.sources_in(_reply text, out titles text[], out urls text[]) returns record
language sql immutable set search_path = '' as $$
  select coalesce(array_agg(title order by place), '{}'), coalesce(array_agg(url order by place), '{}')
  from (
    select regexp_replace(found[1], '\\(.)', '\1', 'g') as title, found[2] as url, min(place) as place
    from regexp_matches(_reply, '\[((?:[^\]\\]|\\.)+)\]\((/[^)\s]*)\)', 'g') with ordinality as link (found, place)
    where found[2] !~ '^/(#booking|contact\y)' group by 1, 2
  ) as links
$$;
grant execute on function private.sources_in to authenticated, service_role;

create trigger show_first_question after insert or update on public.faq
  for each row when (new.status = 'published') execute function private.show_first_question();

-- schemas/chat/checks.sql

-- Test questions for the assistant, with what the answer must contain and the last result. For admins only. Changes do not
-- notify the server: a test run writes here and must not trigger the next one.
create table public.assistant_checks (
  id uuid primary key default gen_random_uuid(),
  question text not null check (length(question) between 1 and 1000),
  must_name text[] not null default '{}',
  must_not_name text[] not null default '{}',
  -- Null before the first run.
  passed boolean,
  answer text not null default '' check (length(answer) <= 100000),
  ran_at timestamptz constraint assistant_checks_ran_at_calendar check (ran_at between '1900-01-01' and '2999-12-31'),
  created_at timestamptz not null default now()
    constraint assistant_checks_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  updated_at timestamptz not null default now()
    constraint assistant_checks_updated_at_calendar check (updated_at between '1900-01-01' and '2999-12-31'),
  changed_by uuid references auth.users (id) on delete set null,
  check (cardinality(must_name) between 0 and 20 and cardinality(must_not_name) between 0 and 20),
  constraint assistant_checks_check1 check (cardinality(must_name) + cardinality(must_not_name) > 0),
  constraint assistant_checks_check2 check (length(must_name::text) + length(must_not_name::text) <= 10000)
);
create index assistant_checks_changed_by_idx on public.assistant_checks (changed_by);
grant select, delete on public.assistant_checks to authenticated;
grant all on public.assistant_checks to service_role;
grant
  insert (question, must_name, must_not_name), update (question, must_name, must_not_name)
  on public.assistant_checks to authenticated;
alter table public.assistant_checks enable row level security;
create policy "Admins read checks" on public.assistant_checks for select to authenticated using ((select private.is_admin()));
create policy "Admins create checks" on public.assistant_checks for insert to authenticated
  with check ((select private.is_admin()));
create policy "Admins change checks" on public.assistant_checks for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "Admins delete checks" on public.assistant_checks for delete to authenticated using ((select private.is_admin()));

-- Stores results for checks that have not changed since the run: [{id, updated_at, passed, answer}].
create function public.note_check_results(_results jsonb) returns void language sql security definer set search_path = '' as $$
  update public.assistant_checks as kept
  set passed = result.passed, answer = result.answer, ran_at = clock_timestamp()
  from jsonb_to_recordset(_results) as result (id uuid, updated_at timestamptz, passed boolean, answer text)
  where kept.id = result.id and kept.updated_at = result.updated_at
$$;
grant execute on function public.note_check_results to service_role;

-- An edited question has no result.
create function private.reset_check() returns trigger language plpgsql set search_path = '' as $$
begin
  new.updated_at := clock_timestamp();
  new.passed := null;
  new.answer := '';
  new.ran_at := null;
  return new;
end
$$;

create trigger reset_check before update on public.assistant_checks
  for each row when (
    (old.question, old.must_name, old.must_not_name) is distinct from (new.question, new.must_name, new.must_not_name)
  ) execute function private.reset_check();

-- schemas/leads/leads.sql

-- Leads: potential clients. Visitors leave an address through take_lead() while the setting for it is on. Admins manage all
-- leads; team members read them and change status, note and owner.
create table public.leads (
  id uuid primary key default gen_random_uuid(),
  source text not null check (source in ('assistant', 'contact', 'booking', 'newsletter', 'transcript')),
  -- Single lines, because mails contain them.
  name text not null default '' check (length(name) <= 100 and name !~ '[[:cntrl:]]'),
  email text not null default '' check (length(email) <= 255 and email !~ '[[:cntrl:][:space:]]'),
  phone text not null default '' check (length(phone) <= 40 and phone ~ '^[0-9+()./ -]*$'),
  -- When they want to be called, in their words.
  call_time text not null default '' check (length(call_time) <= 100 and call_time !~ '[[:cntrl:]]'),
  message text not null default '' check (length(message) <= 4000),
  -- The page with the form.
  page text not null default '' check (length(page) <= 500 and page !~ '[[:cntrl:]]'),
  service text not null default '' check (length(service) <= 200 and service !~ '[[:cntrl:]]'),
  -- Deleting the chat keeps the lead without its transcript.
  conversation_id uuid references public.conversations (id) on delete set null,
  status text not null default 'new' check (status in ('new', 'contacted', 'won', 'lost')),
  note text not null default '' check (length(note) <= 4000),
  owner_id uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
    constraint leads_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  updated_at timestamptz not null default now()
    constraint leads_updated_at_calendar check (updated_at between '1900-01-01' and '2999-12-31'),
  changed_by uuid references auth.users (id) on delete set null,
  search_text text generated always as (lower(translate(
    name || ' ' || email || ' ' || phone || ' ' || message || ' ' || note,
    'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞ', 'àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþ'
  ))) stored,
  check (email <> '' or phone <> '')
);
create index leads_email_idx on public.leads (lower(email));
create index leads_owner_idx on public.leads (owner_id);
create index leads_conversation_idx on public.leads (conversation_id);
-- One lead per conversation, also if two requests race.
create unique index leads_one_per_chat_idx on public.leads (conversation_id) where source = 'assistant';
create index leads_changed_by_idx on public.leads (changed_by);
create index leads_newest_idx on public.leads (created_at desc, id);
create index leads_status_idx on public.leads (status, created_at desc, id);
grant select, delete on public.leads to authenticated;
grant all on public.leads to service_role;
grant
  insert (source, name, email, phone, call_time, message, page, service, conversation_id, status, note, owner_id),
  update (status, note, owner_id) on public.leads to authenticated;
alter table public.leads enable row level security;
create policy "Admins read all leads" on public.leads for select to authenticated using ((select private.is_admin()));
create policy "Team members read all leads" on public.leads for select to authenticated using ((select private.is_team()));
create policy "Admins make leads from transcripts" on public.leads for insert to authenticated
  with check ((select private.is_admin()) and source = 'transcript');
create policy "Admins and team members follow leads up" on public.leads for update to authenticated
  using ((select private.is_admin()) or (select private.is_team()))
  with check ((select private.is_admin()) or (select private.is_team()));
create policy "Admins delete leads" on public.leads for delete to authenticated using ((select private.is_admin()));

create trigger touch_updated_at before update on public.leads for each row execute function private.touch_updated_at();

-- The site accepts 500 messages a day without a proven address. Beyond, a message is held for 15 minutes until its writer
-- opens the link in a mail, at most 10,000 a day.
create table private.held_leads (
  token_hash text primary key check (token_hash ~ '^[0-9a-f]{64}$'),
  -- The future row of public.leads.
  lead jsonb not null check (jsonb_typeof(lead) = 'object'),
  expires_at timestamptz not null default (now() + '00:15:00')
);
create index held_leads_expiry_idx on private.held_leads (expires_at);
alter table private.held_leads enable row level security;

-- Takes a lead from the contact form ('contact'), or once for the conversation whose id the caller holds ('assistant').
-- `_website` is a honeypot field: if it is filled in, nothing is stored and the answer is the same. Limits: 5 an hour per
-- network address, 1,000 a day in total.
create function public.take_lead(
  _source text, _email text, _name text default '', _phone text default '', _call_time text default '',
  _message text default '', _page text default '', _service text default '', _website text default ''
) returns void language plpgsql security definer set search_path = '' as $$
declare
  _lead constant public.leads :=
    private.new_lead(_source, _email, _name, _phone, _call_time, _message, _page, _service, _website);
begin
  if _lead.source is null then
    return;
  end if;
  if not private.claim_request('take_lead') then
    return;
  end if;
  if not private.count_for_subject('lead', '', 500, interval '1 day') then
    if not private.use_captcha_proof() then
      raise sqlstate 'PT428' using
        message = 'Many people are writing at the moment. Please confirm your address with a link by mail.',
        hint = 'Call hold_lead with the same values: it sends the link. Or send the proof of a captcha in x-captcha-proof.';
    end if;
    if not private.count_for_subject('proven lead', '', 10000, interval '1 day') then
      raise sqlstate 'PT429' using message = 'Too many people are writing at the moment. Please write an e-mail.';
    end if;
  end if;
  perform private.save_lead(_lead);
end
$$;
grant execute on function public.take_lead to anon, authenticated, service_role;

-- Holds a message for 15 minutes and mails the link that submits it.
create function public.hold_lead(
  _source text, _email text, _name text default '', _phone text default '', _call_time text default '',
  _message text default '', _page text default '', _service text default '', _website text default ''
) returns void language plpgsql security definer set search_path = '' as $$
declare
  _token constant text := private.new_booking_token();
  _lead constant public.leads :=
    private.new_lead(_source, _email, _name, _phone, _call_time, _message, _page, _service, _website);
begin
  if _lead.source is null then
    return;
  end if;
  if not private.claim_request('hold_lead') then
    return;
  end if;
  perform private.limit_proof_mails(_lead.email);
  insert into private.held_leads (token_hash, lead)
    values (private.booking_token_hash(_token), jsonb_strip_nulls(to_jsonb(_lead)));
  -- Keeps the newest 1,000.
  delete from private.held_leads where expires_at <= now() or token_hash in (
    select token_hash from private.held_leads order by expires_at desc, token_hash offset 1000
  );
  insert into private.mail_queue (recipient, template, variables) values (
    _lead.email, 'lead_proof', jsonb_build_object('Email', _lead.email, 'Token', _token)
  );
end
$$;
grant execute on function public.hold_lead to anon, authenticated, service_role;

-- Submits a held message. Returns whether the link was valid; it works once.
create function public.confirm_lead(_token text) returns boolean language plpgsql security definer set search_path = '' as $$
declare
  _held private.held_leads;
begin
  delete from private.held_leads
    where token_hash = private.booking_token_hash(coalesce(_token, '')) and expires_at > now()
    returning * into _held;
  if not found then
    return false;
  end if;
  if not private.count_for_subject('proven lead', '', 10000, interval '1 day') then
    raise sqlstate 'PT429' using message = 'Too many people are writing at the moment. Please write an e-mail.';
  end if;
  perform private.save_lead(jsonb_populate_record(null::public.leads, _held.lead));
  return true;
end
$$;
grant execute on function public.confirm_lead to anon, authenticated, service_role;

-- Returns the lead to store. No row if the honeypot field is filled in.
create function private.new_lead(
  _source text, _email text, _name text, _phone text, _call_time text, _message text, _page text, _service text, _website text
) returns public.leads language plpgsql security definer set search_path = '' as $$
declare
  _lead public.leads;
  _said text;
begin
  if _source is null or _source not in ('contact', 'assistant') or not private.is_on(
    case _source when 'contact' then 'keep_contact_messages' else 'leads_from_chat' end
  ) then
    raise exception 'Messages are not taken here. Please write an e-mail.';
  end if;
  if not private.count_for_address('lead', private.client_address(), 5, interval '1 hour') then
    raise sqlstate 'PT429' using
      message = 'You have sent several messages already. Please wait an hour, or write an e-mail.';
  end if;
  if coalesce(_website, '') <> '' then
    return null;
  end if;
  if not coalesce(private.is_email(trim(_email)), false) then
    raise exception 'Invalid email address';
  end if;
  if _source = 'contact' and (coalesce(trim(_name), '') = '' or coalesce(trim(_message), '') = '') then
    raise exception 'Name and message are required';
  end if;
  if length(_message) > 1000 then
    raise exception 'Message must be less than 1000 characters';
  end if;
  if trim(_phone) !~ '^[0-9+()./ -]{0,40}$' then
    raise exception 'Enter a phone number with digits, such as +47 22 00 00 00.';
  end if;
  if _source = 'assistant' then
    select id into _lead.conversation_id from public.conversations
    where id = private.held_conversation() and message_count > 0;
    if not found then
      raise exception 'This conversation is gone. Please write an e-mail.';
    end if;
    select left(content, 1000) into _said from public.chat_messages
    where conversation_id = _lead.conversation_id and role = 'user' order by created_at desc limit 1;
  end if;
  _lead.source := _source;
  _lead.name := private.one_line(_name, 100);
  _lead.email := trim(_email);
  _lead.phone := coalesce(trim(_phone), '');
  _lead.call_time := private.one_line(_call_time, 100);
  _lead.message := coalesce(nullif(trim(_message), ''), _said, '');
  _lead.page := private.one_line(_page, 500);
  _lead.service := private.one_line(_service, 200);
  return _lead;
end
$$;

create function private.save_lead(_lead public.leads) returns void language sql security definer set search_path = '' as $$
  insert into public.leads (source, name, email, phone, call_time, message, page, service, conversation_id)
  values (
    _lead.source, _lead.name, _lead.email, _lead.phone, _lead.call_time, _lead.message, _lead.page, _lead.service,
    -- Deleted meanwhile, perhaps.
    (select id from public.conversations where id = _lead.conversation_id)
  )
  on conflict (conversation_id) where source = 'assistant' do nothing
$$;

-- Lists possible owners of a lead. Team members cannot read each other's names otherwise.
create function public.lead_owners() returns table (id uuid, name text)
language plpgsql stable security definer set search_path = '' as $$
begin
  if not (private.is_admin() or private.is_team()) then
    raise exception 'Only admins and team members may do this' using errcode = '42501';
  end if;
  return query
    select users.id, coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), users.email::text, 'Unknown')
    from public.user_roles join auth.users on users.id = user_roles.user_id
    where user_roles.role in ('admin', 'team') and user_roles.approved
    order by 2;
end
$$;
grant execute on function public.lead_owners to authenticated, service_role;

-- Counts the leads that are deleted with an account.
create function public.count_leads_of(_user_id uuid) returns integer
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (select count(*) from auth.users, private.leads_of(users.email) where users.id = _user_id);
end
$$;
grant execute on function public.count_leads_of to authenticated;

-- Whether the conversation whose id the caller holds has a lead, so that the chat asks once.
create function public.has_left_address() returns boolean language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.leads where conversation_id = private.held_conversation() and source = 'assistant'
  )
$$;
grant execute on function public.has_left_address to anon, authenticated, service_role;

create function private.check_lead_owner() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if not exists (
    select from public.user_roles where user_id = new.owner_id and role in ('admin', 'team') and approved
  ) then
    raise exception 'Only admins and team members can own a lead.' using errcode = '23514';
  end if;
  return new;
end
$$;

create function private.leads_of(_email text) returns setof public.leads
language sql stable security definer set search_path = '' as $$
  select * from public.leads where _email <> '' and lower(email) = lower(_email)
$$;

create function private.make_lead_of_booking() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.leads (source, name, email, phone, call_time, message, page, service)
    select 'booking', new.name, new.email, new.phone,
      left(private.time_in_words(new.slot, (select time_zone from public.booking_rules)), 100), new.message, '/#booking',
      new.service
    where not exists (
      select from public.leads where lower(email) = lower(new.email) and status in ('new', 'contacted')
    );
  return null;
end
$$;

create trigger check_owner before insert or update of owner_id on public.leads
  for each row when (new.owner_id is not null) execute function private.check_lead_owner();

-- schemas/leads/webhook.sql

-- A new lead is mailed to the contact address and sent to one webhook. Both are queued in its transaction. A hosted project
-- has database webhooks instead.

-- Webhook deliveries, pending and done. The body is built when it is sent, so that no deleted lead is queued. A delivery
-- without a lead is a test.
create table public.lead_webhook_deliveries (
  id bigint primary key generated always as identity,
  lead_id uuid references public.leads (id) on delete cascade,
  status text not null default 'waiting' check (status in ('waiting', 'delivered', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now()
    constraint lead_webhook_deliveries_next_attempt_at_calendar check (next_attempt_at between '1900-01-01' and '2999-12-31'),
  response_status integer,
  last_error text,
  created_at timestamptz not null default now()
    constraint lead_webhook_deliveries_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  ended_at timestamptz
    constraint lead_webhook_deliveries_ended_at_calendar check (ended_at between '1900-01-01' and '2999-12-31')
);
create index lead_webhook_deliveries_next_idx on public.lead_webhook_deliveries (next_attempt_at) where status = 'waiting';
create index lead_webhook_deliveries_lead_idx on public.lead_webhook_deliveries (lead_id);
grant select on public.lead_webhook_deliveries to authenticated;
grant all on public.lead_webhook_deliveries to service_role;
alter table public.lead_webhook_deliveries enable row level security;
create policy "Admins read what the webhook was told" on public.lead_webhook_deliveries for select to authenticated
  using ((select private.is_admin()));

-- Signing secret: 'whsec_' and base64, as in standardwebhooks.com. One row.
create table private.lead_webhook_secret (
  is_only boolean primary key default true check (is_only),
  secret text not null
);
grant select on private.lead_webhook_secret to service_role;
alter table private.lead_webhook_secret enable row level security;

create function public.lead_webhook_secret() returns text language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  perform private.refuse_applications();
  return (select secret from private.lead_webhook_secret);
end
$$;
grant execute on function public.lead_webhook_secret to authenticated, service_role;

-- Revokes the old secret and returns a new one.
create function public.renew_lead_webhook_secret() returns text language plpgsql security definer set search_path = '' as $$
declare
  _secret text;
begin
  perform private.require_admin();
  perform private.refuse_applications();
  update private.lead_webhook_secret set secret = private.new_webhook_secret() where true returning secret into _secret;
  return _secret;
end
$$;
grant execute on function public.renew_lead_webhook_secret to authenticated, service_role;

create function public.send_test_webhook() returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  if private.lead_webhook_url() is null then
    raise exception 'Save the address of the webhook first.';
  end if;
  if not private.count_for_subject('test webhook', '', 20, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'That were many tests. Please wait an hour.';
  end if;
  insert into public.lead_webhook_deliveries default values;
end
$$;
grant execute on function public.send_test_webhook to authenticated, service_role;

create function private.guard_lead_webhook_url() returns trigger language plpgsql set search_path = '' as $$
begin
  if trim(new.setting_value) !~ '^(https://[^[:space:][:cntrl:]]+)?$' or length(new.setting_value) > 2000 then
    raise exception 'The address of a webhook begins with https://' using errcode = '23514';
  end if;
  return new;
end
$$;

-- Returns the webhook URL; null if none is set.
create function private.lead_webhook_url() returns text language sql stable security definer set search_path = '' as $$
  select nullif(trim(setting_value), '') from public.site_settings where setting_key = 'lead_webhook_url'
$$;

create function private.new_webhook_secret() returns text language sql set search_path = '' as $$
  select 'whsec_' || encode(sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')), 'base64')
$$;

create function private.notify_webhook_queued() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform pg_notify('webhook_queued', '');
  return null;
end
$$;

-- Queues the webhook and the mail about a lead. The lead of a booking has no mail, because the mail about the booking
-- contains more.
create function private.tell_about_lead() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _to constant text := trim((select setting_value from public.site_settings where setting_key = 'contact_email'));
begin
  -- Who makes a lead of a transcript knows of it. Past 60 an hour the list is read, not the mailbox.
  if new.source not in ('transcript', 'booking') and private.is_email(_to)
    and private.count_for_subject('lead mail', '', 60, interval '1 hour') then
    insert into private.mail_queue (recipient, template, variables) values (_to, 'new_lead', jsonb_build_object(
      'Email', new.email, 'ReplyTo', new.email, 'Name', coalesce(nullif(new.name, ''), nullif(new.email, ''), new.phone),
      'Phone', coalesce(nullif(new.phone, ''), '-'), 'CallTime', coalesce(nullif(new.call_time, ''), '-'),
      'Message', new.message, 'LeadId', new.id
    ));
  end if;
  if private.lead_webhook_url() is not null then
    insert into public.lead_webhook_deliveries (lead_id) values (new.id);
  end if;
  return null;
end
$$;

create trigger notify_webhook_queued after insert on public.lead_webhook_deliveries
  for each statement execute function private.notify_webhook_queued();

create trigger guard_lead_webhook_url before insert or update on public.site_settings
  for each row when (new.setting_key = 'lead_webhook_url') execute function private.guard_lead_webhook_url();

create trigger tell_about_lead after insert on public.leads for each row execute function private.tell_about_lead();

-- schemas/leads/newsletter.sql

-- Signs unsubscribe links, which are not stored.
create table private.newsletter_key (
  key text not null
);
alter table private.newsletter_key enable row level security;

-- Newsletter subscribers, with double opt-in and one-click unsubscribe. Another program sends the newsletter, from a CSV
-- export with unsubscribe links. Answers do not reveal whether an address is known.
create table public.newsletter_subscribers (
  id uuid primary key default gen_random_uuid(),
  email text not null check (length(email) between 3 and 255 and email !~ '[[:cntrl:][:space:]]'),
  -- Null until confirmed.
  confirmed_at timestamptz
    constraint newsletter_subscribers_confirmed_at_calendar check (confirmed_at between '1900-01-01' and '2999-12-31'),
  -- Hash of the latest link's token. Null after use.
  confirm_token_hash text,
  created_at timestamptz not null default now()
    constraint newsletter_subscribers_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  requested_at timestamptz not null default now()
    constraint newsletter_subscribers_requested_at_calendar check (requested_at between '1900-01-01' and '2999-12-31')
);
create unique index newsletter_subscribers_email_idx on public.newsletter_subscribers (lower(email));
create index newsletter_subscribers_token_idx on public.newsletter_subscribers (confirm_token_hash);
create index newsletter_subscribers_newest_idx on public.newsletter_subscribers (created_at desc);
grant delete on public.newsletter_subscribers to authenticated;
grant all on public.newsletter_subscribers to service_role;
grant select (id, email, confirmed_at, created_at) on public.newsletter_subscribers to authenticated;
alter table public.newsletter_subscribers enable row level security;
create policy "Admins read who subscribed" on public.newsletter_subscribers for select to authenticated
  using ((select private.is_admin()));
create policy "Admins delete subscribers" on public.newsletter_subscribers for delete to authenticated
  using ((select private.is_admin()));

-- Whether the link just confirmed a subscription. Valid for a week, once.
create function public.confirm_newsletter(_token text) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  _confirmed public.newsletter_subscribers;
begin
  perform private.limit_newsletter_links();
  update public.newsletter_subscribers set confirmed_at = now(), confirm_token_hash = null
  where confirm_token_hash = encode(sha256(convert_to(_token, 'UTF8')), 'hex')
    and confirmed_at is null and requested_at > now() - interval '7 days'
  returning * into _confirmed;
  if _confirmed.id is null then
    return false;
  end if;
  insert into private.mail_queue (recipient, template, variables) values (
    _confirmed.email, 'newsletter_welcome', jsonb_build_object(
      'Email', _confirmed.email, 'UnsubscribeToken', private.unsubscribe_token(_confirmed.id)
    )
  );
  return true;
end
$$;
grant execute on function public.confirm_newsletter to anon, authenticated, service_role;

-- Exports confirmed subscribers.
create function public.export_newsletter() returns table (email text, confirmed_at timestamptz, unsubscribe_token text)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return query
    select known.email, known.confirmed_at, private.unsubscribe_token(known.id)
    from public.newsletter_subscribers as known where known.confirmed_at is not null
    order by known.confirmed_at, known.id;
end
$$;
grant execute on function public.export_newsletter to authenticated, service_role;

-- Mails a confirmation link to an address that is not subscribed: three a day per address, 200 an hour for the site. For
-- other addresses a mail without recipient is queued, so that the duration is the same.
create function public.subscribe_to_newsletter(_email text, _website text default '') returns void
language plpgsql security definer set search_path = '' as $$
declare
  _address constant text := trim(_email);
  _token constant text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  _id uuid;
begin
  if not private.is_on('newsletter_signup') then
    raise exception 'There is no newsletter at the moment.';
  end if;
  if not private.claim_request('newsletter') then
    return;
  end if;
  if not private.count_for_address('newsletter', private.client_address(), 5, interval '1 hour') or not (
    private.count_for_subject('newsletter', '', 100, interval '1 hour') or (
      private.count_for_networks('newsletter in a crowd', private.client_address(), 1, interval '1 hour')
      and private.count_for_subject('newsletter in a crowd', '', 1900, interval '1 hour')
    )
  ) then
    raise sqlstate 'PT429' using message = 'That was a lot at once. Please wait an hour.';
  end if;
  if coalesce(_website, '') <> '' then
    return;
  end if;
  if not coalesce(private.is_email(_address), false) then
    raise exception 'Invalid email address';
  end if;
  if private.count_for_subject('newsletter to', lower(_address), 3, interval '1 day') then
    insert into public.newsletter_subscribers as known (email, confirm_token_hash)
      values (_address, encode(sha256(convert_to(_token, 'UTF8')), 'hex'))
      on conflict (lower(email)) do update
        set confirm_token_hash = excluded.confirm_token_hash, requested_at = now()
        where known.confirmed_at is null
      returning id into _id;
  end if;
  insert into private.mail_queue (recipient, template, variables) values (
    case when _id is null then 'nobody@signalfjord.invalid' else _address end, 'newsletter_confirm',
    jsonb_build_object(
      'Email', _address, 'Token', _token,
      'UnsubscribeToken', private.unsubscribe_token(coalesce(_id, gen_random_uuid()))
    )
  );
end
$$;
grant execute on function public.subscribe_to_newsletter to anon, authenticated, service_role;

-- Gives the same answer without a subscription, so that the link can be used again.
create function public.unsubscribe_from_newsletter(_token text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.limit_newsletter_links();
  if _token !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}[.][0-9a-f]{64}$' then
    return;
  end if;
  -- Compared by their hashes, so that the time tells nothing about the token.
  delete from public.newsletter_subscribers
  where id = split_part(_token, '.', 1)::uuid
    and sha256(convert_to(private.unsubscribe_token(id), 'UTF8')) = sha256(convert_to(_token, 'UTF8'));
end
$$;
grant execute on function public.unsubscribe_from_newsletter to anon, authenticated, service_role;

create function private.limit_newsletter_links() returns void language plpgsql security definer set search_path = '' as $$
begin
  if not private.count_for_address('newsletter link', private.client_address(), 60, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'That was a lot at once. Please wait an hour.';
  end if;
end
$$;

-- Returns the id with a digest made with the key. Constant for the life of the subscription.
create function private.unsubscribe_token(_id uuid) returns text language sql stable security definer set search_path = '' as $$
  select _id || '.' || encode(sha256(convert_to(
    key || encode(sha256(convert_to(key || _id, 'UTF8')), 'hex'), 'UTF8'
  )), 'hex')
  from private.newsletter_key
$$;

-- schemas/captcha/proofs.sql

-- Tokens for solved captchas. Near the site's limits a captcha replaces the link by mail: the function captcha-proof
-- verifies it and creates a token, which the visitor sends with the repeated call.
create table private.captcha_proofs (
  token_hash text primary key check (token_hash ~ '^[0-9a-f]{64}$'),
  expires_at timestamptz not null default (now() + '00:15:00')
);
create index captcha_proofs_expiry_idx on private.captcha_proofs (expires_at);
alter table private.captcha_proofs enable row level security;
comment on table private.captcha_proofs is
  'Captchas that were solved and not used yet. Written with the secret key only, after the provider confirmed them.';

-- Creates a token for a verified captcha. It is valid once, for 15 minutes.
create function public.make_captcha_proof() returns text language plpgsql security definer set search_path = '' as $$
declare
  _token constant text := private.new_booking_token();
begin
  insert into private.captcha_proofs (token_hash) values (private.booking_token_hash(_token));
  -- Keeps the newest 10,000.
  delete from private.captcha_proofs where expires_at <= now() or token_hash in (
    select token_hash from private.captcha_proofs order by expires_at desc, token_hash offset 10000
  );
  return _token;
end
$$;
grant execute on function public.make_captcha_proof to service_role;

-- Consumes the token in the header `x-captcha-proof`; rolls back with the transaction. Returns whether there was a valid
-- one.
create function private.use_captcha_proof() returns boolean language plpgsql security definer set search_path = '' as $$
declare
  _token constant text := nullif(current_setting('request.headers', true), '')::json ->> 'x-captcha-proof';
begin
  delete from private.captcha_proofs
    where token_hash = private.booking_token_hash(coalesce(_token, '')) and expires_at > now();
  return found;
end
$$;

-- schemas/bookings/availability.sql

-- Booking is off until an admin saves weekly hours, and while the booking section links a scheduling page of another
-- provider.

-- Weekly hours for calls, in the time zone of booking_rules.
create table public.availability (
  id uuid primary key default gen_random_uuid(),
  -- ISO 8601: 1 is Monday, 7 is Sunday.
  weekday smallint not null check (weekday between 1 and 7),
  starts_at time without time zone not null,
  -- Up to 24:00.
  ends_at time without time zone not null,
  check (ends_at > starts_at)
);
grant select on public.availability to authenticated;
grant all on public.availability to service_role;
alter table public.availability enable row level security;
create policy "Admins read the hours for calls" on public.availability for select to authenticated
  using ((select private.is_admin()));

-- One row: hours in several time zones could not be shown as one week.
create table public.booking_rules (
  id boolean primary key default true check (id),
  time_zone text not null default 'Europe/Oslo' check (length(time_zone) between 1 and 64),
  -- Minimum time between booking and call.
  notice_minutes integer not null default 720 check (notice_minutes between 0 and 43200),
  days_ahead integer not null default 30 check (days_ahead between 1 and 365),
  length_minutes integer not null default 30 check (length_minutes between 10 and 480),
  -- Where the call takes place, as visitors read it: 'We call you', or the URL of a video room.
  place text not null default '' check (length(place) <= 300),
  updated_at timestamptz not null default now()
    constraint booking_rules_updated_at_calendar check (updated_at between '1900-01-01' and '2999-12-31')
);
grant select on public.booking_rules to authenticated;
grant all on public.booking_rules to service_role;
alter table public.booking_rules enable row level security;
create policy "Admins read the rules for calls" on public.booking_rules for select to authenticated
  using ((select private.is_admin()));

-- Days, or hours of days, without calls; in the zone of booking_rules.
create table public.booking_exceptions (
  id uuid primary key default gen_random_uuid(),
  first_day date not null
    constraint booking_exceptions_first_day_calendar check (first_day between '1900-01-01' and '2999-12-31'),
  last_day date not null constraint booking_exceptions_last_day_calendar check (last_day between '1900-01-01' and '2999-12-31'),
  -- Default: the whole day.
  starts_at time without time zone not null default '00:00:00'::time without time zone,
  ends_at time without time zone not null default '24:00:00'::time without time zone,
  note text not null default '' check (length(note) <= 200),
  check (last_day + ends_at > first_day + starts_at)
);
grant select, insert, delete on public.booking_exceptions to authenticated;
grant all on public.booking_exceptions to service_role;
alter table public.booking_exceptions enable row level security;
create policy "Admins read days without calls" on public.booking_exceptions for select to authenticated
  using ((select private.is_admin()));
create policy "Admins add days without calls" on public.booking_exceptions for insert to authenticated
  with check ((select private.is_admin()));
create policy "Admins remove days without calls" on public.booking_exceptions for delete to authenticated
  using ((select private.is_admin()));

-- Replaces the weekly hours and rules. `_hours`: [{"weekday": 1, "starts_at": "09:00", "ends_at": "16:00"}]. Without hours,
-- booking is off; existing bookings stay.
create function public.save_availability(
  _hours jsonb, _time_zone text, _notice_minutes integer, _days_ahead integer, _length_minutes integer, _place text
) returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  if jsonb_typeof(_hours) is distinct from 'array' or jsonb_array_length(_hours) > 100 then
    raise exception 'The hours are a list of at most 100 entries.' using errcode = '22023';
  end if;
  if not private.is_time_zone(_time_zone) then
    raise exception 'This time zone is not known: %', left(_time_zone, 64) using errcode = '22023';
  end if;
  if _notice_minutes is null or _notice_minutes not between 0 and 43200 then
    raise exception 'The notice is 0 minutes to 30 days.' using errcode = '22023';
  end if;
  if _days_ahead is null or _days_ahead not between 1 and 365 then
    raise exception 'Calls are booked 1 to 365 days ahead.' using errcode = '22023';
  end if;
  if _length_minutes is null or _length_minutes not between 10 and 480 then
    raise exception 'A call takes 10 minutes to 8 hours.' using errcode = '22023';
  end if;
  if length(_place) > 300 then
    raise exception 'The place has at most 300 characters.' using errcode = '22023';
  end if;
  update public.booking_rules set time_zone = _time_zone, notice_minutes = _notice_minutes, days_ahead = _days_ahead,
    length_minutes = _length_minutes, place = coalesce(trim(_place), ''), updated_at = now()
    where true;
  delete from public.availability where true;
  insert into public.availability (weekday, starts_at, ends_at)
    select weekday, starts_at, ends_at
    from jsonb_to_recordset(_hours) as hours (weekday smallint, starts_at time, ends_at time);
  if exists (
    select from public.availability as one join public.availability as other
      on one.id <> other.id and one.weekday = other.weekday
      and one.starts_at < other.ends_at and other.starts_at < one.ends_at
  ) then
    raise exception 'Two of the hours of a day overlap.' using errcode = '22023';
  end if;
end
$$;
grant execute on function public.save_availability to authenticated, service_role;

create function private.switch_booking() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.site_settings (setting_key) values ('booking')
    on conflict (setting_key) do update set setting_value = excluded.setting_value
    where site_settings.setting_value <> excluded.setting_value;
  return null;
end
$$;

create function private.publish_booking_zone() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.site_settings (setting_key) values ('site_time_zone')
    on conflict (setting_key) do update set setting_value = excluded.setting_value
    where site_settings.setting_value <> excluded.setting_value;
  return null;
end
$$;

create function private.state_booking_zone() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  new.setting_value := coalesce((select time_zone from public.booking_rules limit 1), 'Europe/Oslo');
  return new;
end
$$;

create function private.state_whether_booking_is_on() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.setting_value := case
    when exists (select from public.availability) and not private.has_scheduling_page() then 'on' else 'off'
  end;
  return new;
end
$$;

create function private.has_scheduling_page() returns boolean language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.page_content
    where page_slug = 'home' and section_name = 'booking' and content ~* 'calendlyPlaceholder"\s*:\s*"\s*https://'
  )
$$;

create trigger state_whether_booking_is_on before insert or update on public.site_settings
  for each row when (new.setting_key = 'booking') execute function private.state_whether_booking_is_on();

create trigger switch_booking after insert or update or delete or truncate on public.availability
  for each statement execute function private.switch_booking();

create trigger switch_booking after insert or update or delete or truncate on public.page_content
  for each statement execute function private.switch_booking();

create trigger state_booking_zone before insert or update on public.site_settings
  for each row when (new.setting_key = 'site_time_zone') execute function private.state_booking_zone();

create trigger publish_booking_zone after insert or delete or update of time_zone on public.booking_rules
  for each row execute function private.publish_booking_zone();

-- schemas/bookings/calendars.sql

-- External calendars whose busy times are not offered. The server reads them; a hosted project has no such server
-- (docs/booking.md).
create table public.booking_calendars (
  id uuid primary key default gen_random_uuid(),
  label text not null check (length(label) between 1 and 100),
  -- Secret of the calendar's owner.
  address text not null unique check (address ~ '^https://[^[:space:][:cntrl:]]+$' and length(address) <= 2000),
  next_read_at timestamptz not null default now()
    constraint booking_calendars_next_read_at_calendar check (next_read_at between '1900-01-01' and '2999-12-31'),
  read_at timestamptz constraint booking_calendars_read_at_calendar check (read_at between '1900-01-01' and '2999-12-31'),
  -- Error of the last reading. Busy times read before still count.
  failure text,
  created_at timestamptz not null default now()
    constraint booking_calendars_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31')
);
grant select, delete on public.booking_calendars to authenticated;
grant all on public.booking_calendars to service_role;
grant insert (label, address) on public.booking_calendars to authenticated;
alter table public.booking_calendars enable row level security;
create policy "Admins read calendars" on public.booking_calendars for select to authenticated
  using ((select private.is_admin()));
create policy "Admins add calendars" on public.booking_calendars for insert to authenticated
  with check ((select private.is_admin()));
create policy "Admins remove calendars" on public.booking_calendars for delete to authenticated
  using ((select private.is_admin()));

-- Busy times only; no other data of a calendar is stored.
create table public.booking_busy (
  calendar_id uuid not null references public.booking_calendars (id) on delete cascade,
  during tstzrange not null
);
create index booking_busy_during_idx on public.booking_busy using gist (during);
create index booking_busy_calendar_idx on public.booking_busy (calendar_id);
grant all on public.booking_busy to service_role;
alter table public.booking_busy enable row level security;

-- Feed of bookings for calendar programs, which cannot send headers: the URL contains a secret. It is shown once and stored
-- as a hash.
create table private.booking_feed (
  id boolean primary key default true check (id),
  key_hash text not null check (key_hash ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null default now()
);
alter table private.booking_feed enable row level security;

-- Returns when the feed's URL was created; null without a feed.
create function public.booking_feed_made_at() returns timestamptz
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (select created_at from private.booking_feed);
end
$$;
grant execute on function public.booking_feed_made_at to authenticated;

-- Returns the events for the function booking-calendar: those of the feed's secret, or the one of a booking token. Null for
-- another text.
create function public.calendar_events(_secret text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select case
    when exists (select from private.booking_feed where key_hash = private.booking_token_hash(_secret)) then coalesce((
      select jsonb_agg(private.calendar_event(booking, 'PUBLISH') || jsonb_build_object(
        'name', name, 'phone', phone, 'message', message, 'service', service, 'state', state
      ) order by starts_at)
      from public.bookings as booking
      where starts_at > now() - interval '90 days' and (state = 'booked' or updated_at > now() - interval '30 days')
    ), '[]')
    else (
      select jsonb_agg(private.calendar_event(booking, 'PUBLISH') || jsonb_build_object('state', state))
      from public.bookings as booking where token_hash = private.booking_token_hash(_secret)
    )
  end
$$;
grant execute on function public.calendar_events to service_role;

create function public.end_booking_feed() returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  delete from private.booking_feed where true;
end
$$;
grant execute on function public.end_booking_feed to authenticated;

-- Creates a new secret, which revokes the old URL, and returns it.
create function public.make_booking_feed() returns text language plpgsql security definer set search_path = '' as $$
declare
  _key constant text := private.new_booking_token();
begin
  perform private.require_admin();
  insert into private.booking_feed (key_hash) values (private.booking_token_hash(_key))
    on conflict (id) do update set key_hash = excluded.key_hash, created_at = now();
  return _key;
end
$$;
grant execute on function public.make_booking_feed to authenticated;

-- A local time in an unknown time zone counts as busy in every zone.
create function private.keep_busy_times(_calendar_id uuid, _events jsonb) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _own_zone constant text := (select time_zone from public.booking_rules);
begin
  update public.booking_calendars set read_at = now(), failure = null where id = _calendar_id;
  if not found then
    return;
  end if;
  delete from public.booking_busy where calendar_id = _calendar_id;
  insert into public.booking_busy (calendar_id, during)
    select _calendar_id, tstzrange(starts_at, ends_at)
    from jsonb_to_recordset(_events) as event (uid text, starts text, ends text, zone text),
      lateral (
        select case
          when zone = '' then _own_zone when private.is_time_zone(zone) then zone else 'UTC'
        end, case
          when zone <> '' and not private.is_time_zone(zone) then interval '14 hours' else interval '0'
        end
      ) as known (zone_name, doubt),
      lateral (
        select case when zone is null then starts::timestamptz else starts::timestamp at time zone zone_name - doubt end,
          case when zone is null then ends::timestamptz else ends::timestamp at time zone zone_name + doubt end
      ) as times (starts_at, ends_at)
    where ends_at > starts_at and not exists (select from public.bookings where id::text = uid)
    limit 5000;
end
$$;

create function private.limit_calendars() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if (select count(*) from public.booking_calendars) >= 20 then
    raise exception 'At most 20 calendars are read.';
  end if;
  return new;
end
$$;

create function private.notify_calendar_added() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform pg_notify('booking_calendars', '');
  return null;
end
$$;

create trigger limit_calendars before insert on public.booking_calendars
  for each row execute function private.limit_calendars();
create trigger notify_calendar_added after insert on public.booking_calendars
  for each statement execute function private.notify_calendar_added();

-- schemas/bookings/slots.sql

-- Times lie on a grid of elapsed time from the start of each row of hours: on the day of a clock change there are as many
-- calls as hours.

-- Public. At most 62 days per call.
create function public.free_slots(_from timestamptz, _to timestamptz) returns table (starts_at timestamptz, ends_at timestamptz)
language plpgsql stable security definer set search_path = '' as $$
declare
  _held constant tstzrange[] := array(select private.held_slots());
begin
  if _from is null or _to is null or not isfinite(_from) or not isfinite(_to) or _to <= _from then
    raise exception 'Please ask for the time between two moments.' using errcode = '22023';
  end if;
  if _to - _from > interval '62 days' then
    raise exception 'Please ask for at most 62 days at once.' using errcode = '22023';
  end if;
  return query
    select time.starts_at, time.ends_at from private.bookable_times(_from, _to, now()) as time
    where not tstzrange(time.starts_at, time.ends_at) && any (_held);
end
$$;
grant execute on function public.free_slots to anon, authenticated, service_role;

-- Lists the times in [_from, _to) that can be booked at `_now`.
create function private.bookable_times(
  _from timestamptz, _to timestamptz, _now timestamptz, _but uuid default null
) returns table (
  starts_at timestamptz, ends_at timestamptz
) language sql stable security definer set search_path = '' as $$
  select time.starts_at, time.ends_at
  from public.booking_rules, lateral private.offered_times(
    greatest(_from, _now + make_interval(mins => notice_minutes)),
    least(_to, _now + make_interval(days => days_ahead))
  ) as time
  where private.is_on('booking') and private.is_free(tstzrange(time.starts_at, time.ends_at), _but)
  order by 1
$$;

-- Estimates the number of offered times from the weekly hours, ignoring days off.
create function private.count_offered_times() returns integer language sql stable security definer set search_path = '' as $$
  select coalesce(floor(
    extract(epoch from sum(ends_at - starts_at)) / 60 / min(length_minutes) * min(days_ahead) / 7
  ), 0)::integer
  from public.availability, public.booking_rules
$$;

-- Lists the times of the weekly hours that begin in [_from, _to), free or not.
create function private.offered_times(_from timestamptz, _to timestamptz) returns table (
  starts_at timestamptz, ends_at timestamptz
) language sql stable security definer set search_path = '' as $$
  select distinct time.starts_at, time.starts_at + length
  from public.booking_rules as rules
    cross join lateral (select make_interval(mins => length_minutes)) as call (length)
    cross join lateral generate_series(
      ((_from at time zone time_zone)::date - 1)::timestamp, (_to at time zone time_zone)::date::timestamp, '1 day'
    ) as days (day)
    join public.availability as hours on hours.weekday = extract(isodow from day)
    cross join lateral generate_series(
      (day::date + hours.starts_at) at time zone time_zone,
      (day::date + hours.ends_at) at time zone time_zone - length,
      length
    ) as time (starts_at)
  where time.starts_at >= _from and time.starts_at < _to
$$;

-- Whether the time has no other call than `_but`, no day off and no busy calendar.
create function private.is_free(_slot tstzrange, _but uuid default null) returns boolean
language sql stable security definer set search_path = '' as $$
  select not exists (
    select from public.bookings where slot && _slot and state = 'booked' and id is distinct from _but
  ) and not exists (
    select from public.booking_busy where during && _slot
  ) and not exists (
    select from public.booking_exceptions, public.booking_rules
    where tstzrange(
      (first_day + starts_at) at time zone time_zone,
      -- A day may begin later than it ends where clocks change.
      greatest((first_day + starts_at) at time zone time_zone, (last_day + ends_at) at time zone time_zone)
    ) && _slot
  )
$$;

-- Checks that a time can be booked. Throws like book().
create function private.refuse_time(_starts_at timestamptz, _but uuid default null) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  _rules public.booking_rules := (select rules from public.booking_rules as rules);
  _slot tstzrange;
begin
  if not private.is_on('booking') then
    raise exception 'Calls cannot be booked here at the moment.' using errcode = '22023';
  end if;
  if _starts_at is null or not isfinite(_starts_at) then
    raise exception 'Please choose a time.' using errcode = '22023';
  end if;
  if _starts_at <= now() then
    raise exception 'This time has passed. Please choose another.' using errcode = '22023';
  end if;
  if _starts_at < now() + make_interval(mins => _rules.notice_minutes) then
    raise exception 'This time is too soon. Please choose a later one.' using errcode = '22023';
  end if;
  if _starts_at >= now() + make_interval(days => _rules.days_ahead) then
    raise exception 'This time is too far ahead. Calls are booked at most % days ahead.', _rules.days_ahead
      using errcode = '22023';
  end if;
  _slot := (
    select tstzrange(starts_at, ends_at)
    from private.offered_times(_starts_at, _starts_at + interval '1 microsecond')
  );
  if _slot is null then
    raise exception 'No call begins at this time. Please choose one of the free times.' using errcode = '22023';
  end if;
  if not private.is_free(_slot, _but) then
    raise sqlstate 'PT409' using message = 'This time was just taken. Please choose another.';
  end if;
end
$$;

-- Lists held times that are not offered: the oldest, up to a quarter of all times, so that holds alone cannot empty the
-- list.
create function private.held_slots() returns setof tstzrange language sql stable security definer set search_path = '' as $$
  select slot from private.held_bookings where expires_at > now()
  order by expires_at limit private.count_offered_times() / 4
$$;

-- schemas/bookings/bookings.sql

-- Visitors use these functions and cannot read the table. Each change queues its mails in the same transaction. Unproven
-- calls fill at most half of the offered times, and 150 a day; then a link by mail is required. A hold does not block a
-- visitor with a proven address.
create table public.bookings (
  id uuid primary key default gen_random_uuid(),
  slot tstzrange not null check (lower_inc(slot) and not upper_inc(slot) and isfinite(lower(slot)) and isfinite(upper(slot))),
  starts_at timestamptz generated always as (lower(slot)) stored not null,
  ends_at timestamptz generated always as (upper(slot)) stored not null,
  name text not null check (length(name) between 1 and 100),
  email text not null check (length(email) between 3 and 255),
  phone text not null default '' check (phone ~ '^[0-9+()./ -]{0,40}$'),
  message text not null default '' check (length(message) <= 1000),
  -- Title of the service that the visitor chose.
  service text not null default '' check (length(service) <= 200),
  -- The visitor's time zone, for mails.
  time_zone text not null check (length(time_zone) between 1 and 64),
  state text not null default 'booked' check (state in ('booked', 'cancelled')),
  cancelled_by text check (cancelled_by in ('visitor', 'owner')),
  -- SHA-256 of the token that moves and cancels the booking. Only the visitor's mails contain the token.
  token_hash text not null unique check (token_hash ~ '^[0-9a-f]{64}$'),
  -- Number of changes (SEQUENCE of iCalendar).
  sequence integer not null default 0,
  -- The reminder in private.mail_queue for the day before.
  reminder_mail_id bigint,
  created_at timestamptz not null default now()
    constraint bookings_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  updated_at timestamptz not null default now()
    constraint bookings_updated_at_calendar check (updated_at between '1900-01-01' and '2999-12-31'),
  is_proven boolean not null default false,
  constraint bookings_do_not_overlap exclude using gist (slot with &&) where (state = 'booked'),
  check ((state = 'cancelled') = (cancelled_by is not null))
);
create index bookings_time_idx on public.bookings (starts_at);
create index bookings_email_idx on public.bookings (lower(email), created_at);
create index bookings_created_idx on public.bookings (created_at);
grant all on public.bookings to service_role;
grant
  select (id, starts_at, ends_at, name, email, phone, message, service, time_zone, state, cancelled_by, sequence, created_at,
  updated_at) on public.bookings to authenticated;
alter table public.bookings enable row level security;
comment on column public.bookings.is_proven is 'Whether the visitor opened a link in a mail to book.';

create policy "Admins read bookings" on public.bookings for select to authenticated using ((select private.is_admin()));
create policy "Team members read the calls of their leads" on public.bookings for select to authenticated
  using (
    (select private.is_team())
    and lower(email) in (
      select lower(lead.email) from public.leads as lead
      where lead.owner_id = (select private.user_id()) and lead.email <> ''
    )
  );

create trigger make_lead_of_booking after insert on public.bookings
  for each row execute function private.make_lead_of_booking();

create table private.held_bookings (
  token_hash text primary key check (token_hash ~ '^[0-9a-f]{64}$'),
  slot tstzrange not null,
  -- The future row of public.bookings.
  call jsonb not null check (jsonb_typeof(call) = 'object'),
  expires_at timestamptz not null default (now() + '00:15:00')
);
create index held_bookings_expiry_idx on private.held_bookings (expires_at);
alter table private.held_bookings enable row level security;

-- Books a call for a visitor. An unknown `_time_zone` becomes the site's. Returns booking_as_told() and the token. Throws
-- PT409 if the time is taken, PT429 at a limit, 22023 for invalid input, each with a sentence for the visitor.
create function public.book(
  _starts_at timestamptz, _name text, _email text, _phone text default '', _message text default '', _service text default '',
  _time_zone text default ''
) returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  _token text := private.token_of_request('booking');
  _known public.bookings;
  _call public.bookings;
  _wants_proof boolean;
begin
  if _token is not null then
    perform private.lock_bookings();
    select * into _known from public.bookings where token_hash = private.booking_token_hash(_token);
    if _known.state = 'booked' and lower(_known.slot) = _starts_at then
      return private.booking_as_told(_known) || jsonb_build_object('token', _token);
    end if;
  end if;
  _call := private.new_booking(_starts_at, _name, _email, _phone, _message, _service, _time_zone);
  _wants_proof := private.are_bookings_crowded() or _call.slot && any (array(select private.held_slots()));
  if _wants_proof and not private.use_captcha_proof() then
    raise sqlstate 'PT428' using
      message = 'Many calls are being booked at the moment. Please confirm your address with a link by mail.',
      hint = 'Call hold_booking with the same values: it sends the link. Or send the proof of a captcha in x-captcha-proof.';
  end if;
  perform private.limit_bookings(_call.email);
  return private.save_booking(
    _call, case when _token is null or _known.id is not null then private.new_booking_token() else _token end, _wants_proof
  );
end
$$;
grant execute on function public.book to anon, authenticated, service_role;

-- Holds a time for 15 minutes and mails the link that books it.
create function public.hold_booking(
  _starts_at timestamptz, _name text, _email text, _phone text default '', _message text default '', _service text default '',
  _time_zone text default ''
) returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  _token constant text := private.new_booking_token();
  _call constant public.bookings :=
    private.new_booking(_starts_at, _name, _email, _phone, _message, _service, _time_zone);
  _held private.held_bookings;
begin
  perform private.limit_proof_mails(_call.email);
  perform private.limit_bookings_of(_call.email);
  insert into private.held_bookings (token_hash, slot, call)
    values (private.booking_token_hash(_token), _call.slot, jsonb_strip_nulls(to_jsonb(_call)))
    returning * into _held;
  -- Keeps the newest 1,000. An hour after its end a link no longer says that it has expired.
  delete from private.held_bookings where expires_at < now() - interval '1 hour' or token_hash in (
    select token_hash from private.held_bookings order by expires_at desc, token_hash offset 1000
  );
  insert into private.mail_queue (recipient, template, variables) values (_call.email, 'booking_proof', jsonb_build_object(
    'Email', _call.email, 'Token', _token, 'When', private.time_in_words(_call.slot, _call.time_zone)
  ));
  return jsonb_build_object(
    'starts_at', lower(_call.slot), 'ends_at', upper(_call.slot), 'expires_at', _held.expires_at
  );
end
$$;
grant execute on function public.hold_booking to anon, authenticated, service_role;

-- Books a held call, at another time if its own was taken. Repeating it returns the booked call.
create function public.confirm_booking(_token text, _starts_at timestamptz default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  _held private.held_bookings;
  _call public.bookings;
  _start timestamptz;
begin
  perform private.lock_bookings();
  _held := private.held_booking_of(_token);
  if _held.token_hash is null then
    return private.booking_as_told(private.booking_of(_token)) || jsonb_build_object('token', _token);
  end if;
  _call := jsonb_populate_record(null::public.bookings, _held.call);
  _start := coalesce(_starts_at, lower(_held.slot));
  perform private.refuse_time(_start);
  perform private.limit_bookings_of(_call.email);
  _call.slot := (select tstzrange(_start, _start + make_interval(mins => length_minutes)) from public.booking_rules);
  -- Also what they asked for again because the mail took its time.
  delete from private.held_bookings where token_hash = _held.token_hash
    or (slot = _held.slot and lower(call ->> 'email') = lower(_call.email));
  return private.save_booking(_call, _token, true);
end
$$;
grant execute on function public.confirm_booking to anon, authenticated, service_role;

create function public.read_booking(_token text) returns jsonb language sql stable security definer set search_path = '' as $$
  select coalesce(
    private.held_booking_as_told(private.held_booking_of(_token)), private.booking_as_told(private.booking_of(_token))
  )
$$;
grant execute on function public.read_booking to anon, authenticated, service_role;

-- Returns booking_as_told(). Throws like book().
create function public.move_booking(_token text, _starts_at timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  _booking public.bookings := private.open_booking(_token);
begin
  if _starts_at = _booking.starts_at then
    raise exception 'Your call is at this time already.' using errcode = '22023';
  end if;
  if _booking.sequence >= 5 then
    raise sqlstate 'PT429' using
      message = 'This call was moved five times. Please write to us, and we find a time together.';
  end if;
  perform private.refuse_time(_starts_at, _booking.id);
  begin
    update public.bookings
      set slot = tstzrange(_starts_at, _starts_at + (
          select make_interval(mins => length_minutes) from public.booking_rules
        )), sequence = sequence + 1, updated_at = now()
      where id = _booking.id returning * into _booking;
  exception when exclusion_violation then
    raise sqlstate 'PT409' using message = 'This time was just taken. Please choose another.';
  end;
  perform private.tell_about_booking(_booking, 'moved', _token);
  return private.booking_as_told(_booking);
end
$$;
grant execute on function public.move_booking to anon, authenticated, service_role;

create function public.cancel_booking(_token text) returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  _booking public.bookings := private.open_booking(_token);
begin
  return private.booking_as_told(private.cancel(_booking.id, 'visitor'));
end
$$;
grant execute on function public.cancel_booking to anon, authenticated, service_role;

-- Cancels a call as an admin and mails the visitor.
create function public.cancel_booking_of_visitor(_booking_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  perform private.lock_bookings();
  if not exists (select from public.bookings where id = _booking_id) then
    raise sqlstate 'PT404' using message = 'There is no such booking any more.';
  end if;
  perform private.cancel(_booking_id, 'owner');
end
$$;
grant execute on function public.cancel_booking_of_visitor to authenticated, service_role;

-- Lists the caller's upcoming calls, booked with an address that they have proven, next first. The token is not included.
create function public.my_calls() returns table (id uuid, starts_at timestamptz, ends_at timestamptz, service text)
language sql stable security definer set search_path = '' as $$
  select booking.id, booking.starts_at, booking.ends_at, booking.service
  from public.bookings as booking
  where booking.state = 'booked' and booking.ends_at > now() and lower(booking.email) in (
    select proven.address from private.proven_addresses as proven join auth.users on users.id = proven.user_id
    where proven.user_id = (select private.user_id()) and proven.address = users.email
  )
  order by booking.starts_at limit 20
$$;
grant execute on function public.my_calls to authenticated;

create function private.are_bookings_crowded() returns boolean language sql stable security definer set search_path = '' as $$
  select count(*) >= greatest(1, least(150, private.count_offered_times() / 2))
  from public.bookings
  where not is_proven and (created_at > now() - interval '1 day' or (state = 'booked' and ends_at > now()))
$$;

-- Returns what the holder of the token sees.
create function private.booking_as_told(_booking public.bookings) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'starts_at', lower(_booking.slot), 'ends_at', upper(_booking.slot), 'state', _booking.state,
    'time_zone', _booking.time_zone, 'service', _booking.service, 'place', (select place from public.booking_rules)
  )
$$;

-- Returns the booking of a token. Throws if the token is unknown.
create function private.booking_of(_token text) returns public.bookings
language plpgsql stable security definer set search_path = '' as $$
declare
  _booking public.bookings;
begin
  select * into _booking from public.bookings where token_hash = private.booking_token_hash(coalesce(_token, ''));
  if not found then
    raise sqlstate 'PT404' using message = 'There is no such booking. It may have been deleted.';
  end if;
  return _booking;
end
$$;

create function private.booking_token_hash(_token text) returns text
language sql immutable set search_path = '' as $$ select encode(sha256(convert_to(_token, 'UTF8')), 'hex') $$;

create function private.cancel(_booking_id uuid, _by text) returns public.bookings
language plpgsql security definer set search_path = '' as $$
declare
  _booking public.bookings;
begin
  update public.bookings set state = 'cancelled', cancelled_by = _by, sequence = sequence + 1, updated_at = now()
    where id = _booking_id and state = 'booked' returning * into _booking;
  if not found then
    raise exception 'This call is cancelled already.' using errcode = '22023';
  end if;
  perform private.tell_about_booking(_booking, 'cancelled');
  return _booking;
end
$$;

-- Reads the retention setting once, and finds candidates by index: a call that is over has begun.
create function private.delete_expired_bookings(_at_most integer default null) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  _before constant timestamptz := private.retention_cutoff();
  _deleted integer;
begin
  delete from private.held_bookings where expires_at < now() - interval '1 hour';
  delete from public.bookings where id in (
    select id from public.bookings where starts_at < _before and ends_at < _before order by starts_at limit _at_most
  );
  get diagnostics _deleted = row_count;
  return _deleted;
end
$$;

-- Returns what the page behind the link shows of a held call; null for an unknown token.
create function private.held_booking_as_told(_held private.held_bookings) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'starts_at', lower(_held.slot), 'ends_at', upper(_held.slot), 'time_zone', _held.call ->> 'time_zone',
    'service', _held.call ->> 'service', 'place', (select place from public.booking_rules),
    'state', case when private.is_free(_held.slot) then 'held' else 'taken' end
  )
  where _held.token_hash is not null
$$;

-- Returns the held call of a token; no row if unknown. Throws PT404 if it has expired.
create function private.held_booking_of(_token text) returns private.held_bookings
language plpgsql stable security definer set search_path = '' as $$
declare
  _held private.held_bookings;
begin
  select * into _held from private.held_bookings where token_hash = private.booking_token_hash(coalesce(_token, ''));
  if _held.expires_at <= now() then
    raise sqlstate 'PT404' using
      message = 'This link was good for 15 minutes, which are over. Please choose your time again.';
  end if;
  return _held;
end
$$;

-- Limits of unproven bookings: 5 an hour for a network address, 3 upcoming calls and 6 a day for an email address, 300 a
-- day for the site. Each booking sends mails to an address that may not be the visitor's.
create function private.limit_bookings(_email text) returns void language plpgsql security definer set search_path = '' as $$
begin
  if not private.count_for_address('booking', private.client_address(), 5, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'You have booked several calls. Please wait an hour, or write to us.';
  end if;
  perform private.limit_bookings_of(_email);
end
$$;

-- Limits of an email address, with or without proof.
create function private.limit_bookings_of(_email text) returns void language plpgsql security definer set search_path = '' as $$
begin
  if (
    select count(*) >= 3 from public.bookings
    where lower(email) = lower(_email) and state = 'booked' and ends_at > now()
  ) then
    raise sqlstate 'PT429' using
      message = 'Three calls are booked with this address already. Move or cancel one of them with the link in its mail.';
  end if;
  if (
    select count(*) >= 6 from public.bookings
    where lower(email) = lower(_email) and created_at > now() - interval '1 day'
  ) then
    raise sqlstate 'PT429' using
      message = 'Many calls were booked with this address today. Please try again tomorrow, or write to us.';
  end if;
end
$$;

-- Serialises bookings: concurrent ones for one time would wait for each other in the exclusion constraint, which Postgres
-- ends as a deadlock.
create function private.lock_bookings() returns void
language sql set search_path = '' as $$ select pg_advisory_xact_lock(hashtext('private.bookings')) $$;

-- Returns the call to book, after all checks that need no count. Takes the booking lock.
create function private.new_booking(
  _starts_at timestamptz, _name text, _email text, _phone text, _message text, _service text, _time_zone text
) returns public.bookings language plpgsql security definer set search_path = '' as $$
declare
  _rules public.booking_rules := (select rules from public.booking_rules as rules);
  _booking public.bookings;
begin
  _booking.name := private.line_of('Name', _name, 100);
  _booking.email := private.line_of('Email', _email, 255);
  if _booking.name = '' then
    raise exception 'Name is required' using errcode = '22023';
  end if;
  if not private.is_email(_booking.email) then
    raise exception 'Invalid email address' using errcode = '22023';
  end if;
  if length(_message) > 1000 then
    raise exception 'Message must be less than 1000 characters' using errcode = '22023';
  end if;
  if trim(_phone) !~ '^[0-9+()./ -]{0,40}$' then
    raise exception 'Enter a phone number with digits, such as +47 22 00 00 00.' using errcode = '22023';
  end if;
  if not exists (select from public.availability) then
    raise exception 'Calls cannot be booked here at the moment.' using errcode = '22023';
  end if;
  perform private.lock_bookings();
  perform private.refuse_time(_starts_at);
  _booking.slot := tstzrange(_starts_at, _starts_at + make_interval(mins => _rules.length_minutes));
  _booking.phone := coalesce(trim(_phone), '');
  _booking.message := coalesce(trim(_message), '');
  _booking.service := private.line_of('Service', _service, 200);
  _booking.time_zone := case when private.is_time_zone(_time_zone) then _time_zone else _rules.time_zone end;
  return _booking;
end
$$;

-- Two UUIDs have 244 random bits.
create function private.new_booking_token() returns text
language sql set search_path = '' as $$ select replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '') $$;

-- Returns a call that can be moved or cancelled, locked until the transaction ends.
create function private.open_booking(_token text) returns public.bookings
language plpgsql security definer set search_path = '' as $$
declare
  _booking public.bookings;
begin
  perform private.lock_bookings();
  _booking := private.booking_of(_token);
  if _booking.state = 'cancelled' then
    raise exception 'This call is cancelled already.' using errcode = '22023';
  end if;
  if _booking.starts_at <= now() then
    raise exception 'This call has begun already.' using errcode = '22023';
  end if;
  return _booking;
end
$$;

-- Books the call and mails both sides. Returns what the visitor sees, with the token.
create function private.save_booking(_call public.bookings, _token text, _is_proven boolean) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  _booking public.bookings;
begin
  begin
    insert into public.bookings (slot, name, email, phone, message, service, time_zone, token_hash, is_proven) values (
      _call.slot, _call.name, _call.email, _call.phone, _call.message, _call.service, _call.time_zone,
      private.booking_token_hash(_token), _is_proven
    ) returning * into _booking;
  exception when exclusion_violation then
    raise sqlstate 'PT409' using message = 'This time was just taken. Please choose another.';
  end;
  perform private.tell_about_booking(_booking, 'confirmed', _token);
  return private.booking_as_told(_booking) || jsonb_build_object('token', _token);
end
$$;

-- Mails the visitor and the owner. The visitor's own text is left out of the visitor's mail, because the address may belong
-- to somebody else. Without `_token` the mail has no link.
create function private.tell_about_booking(_booking public.bookings, _change text, _token text default null) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _variables constant jsonb := jsonb_build_object(
    'Email', _booking.email, 'Token', _token, 'When', private.time_in_words(_booking.slot, _booking.time_zone),
    'Place', (select place from public.booking_rules),
    -- Strangers type the name and the address: a name of words without numbers and links greets, and nothing else of theirs.
    'Greeting', case
      when _booking.name ~ '^[^[:space:][:cntrl:]0-9!-&(-,./:-@\[-`{-~]{1,20}( [^[:space:][:cntrl:]0-9!-&(-,./:-@\[-`{-~]{1,20}){0,2}$'
      then 'Hello ' || _booking.name || ',' else 'Hello,'
    end,
    'Topic', coalesce((
      select 'About ' || title || '.' from public.services where title = _booking.service and status = 'published' limit 1
    ), '')
  );
  _is_late boolean;
begin
  if private.count_for_subject('booking mail', lower(_booking.email), 20, interval '1 day') then
    _is_late := not private.count_for_subject('hourly booking mail', lower(_booking.email), 10, interval '1 hour');
    if _is_late then
      delete from private.mail_queue
        where template in ('booking_confirmed', 'booking_moved', 'booking_cancelled') and next_attempt_at > now()
          and attempts = 0 and variables -> 'Calendar' ->> 'uid' = _booking.id::text;
    end if;
    insert into private.mail_queue (recipient, template, variables, next_attempt_at) values (
      _booking.email, 'booking_' || _change, _variables || jsonb_build_object(
        'Calendar', private.calendar_event(_booking, case when _change = 'cancelled' then 'CANCEL' else 'REQUEST' end)
      ),
      case when _is_late then private.count_ends_at('hourly booking mail', lower(_booking.email)) else now() end
    );
  end if;
  perform private.tell_owner_about_booking(_booking, _change);
  delete from private.mail_queue where id = _booking.reminder_mail_id;
  -- The queue keeps it until its time, so that it is sent once, whatever restarts meanwhile.
  if _change <> 'cancelled' and lower(_booking.slot) - interval '24 hours' > now() then
    with reminder as (
      insert into private.mail_queue (recipient, template, variables, next_attempt_at)
      values (_booking.email, 'booking_reminder', _variables, lower(_booking.slot) - interval '24 hours')
      returning id
    )
    update public.bookings set reminder_mail_id = (select id from reminder) where id = _booking.id;
  end if;
end
$$;

-- Mails to the owner are limited per customer, so that frequent changes of one customer do not delay the mail about
-- another.
create function private.tell_owner_about_booking(_booking public.bookings, _change text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _owner constant text := (
    select setting_value from public.site_settings
    where setting_key = 'contact_email' and private.is_email(setting_value)
  );
  _when constant text := private.time_in_words(_booking.slot, (select time_zone from public.booking_rules));
  _what constant text := case _change
    when 'confirmed' then 'A call was booked' when 'moved' then 'A call was moved' else 'A call was cancelled'
  end;
  _waiting bigint;
  _number integer;
begin
  if _owner is null then
    return;
  end if;
  -- The first notice about a customer is always sent at once, whatever others did before.
  if private.count_for_subject('first booking notice', lower(_booking.email), 1, interval '1 hour') or (
    private.count_for_subject('booking notice about', lower(_booking.email), 3, interval '1 hour')
    and private.count_for_subject('booking notice', lower(_owner), 20, interval '1 hour')
  ) then
    insert into private.mail_queue (recipient, template, variables) values (
      _owner, 'booking_notice', jsonb_build_object(
        'Email', _booking.email, 'ReplyTo', _booking.email, 'Name', _booking.name, 'Phone', _booking.phone,
        'Message', _booking.message, 'Service', _booking.service, 'When', _when, 'Change', _what
      )
    );
    return;
  end if;
  select id, coalesce((variables ->> 'Count')::integer, 0) into _waiting, _number from private.mail_queue
    where template = 'booking_summary' and recipient = _owner and attempts = 0
    order by id desc limit 1 for update skip locked;
  _number := coalesce(_number, 0) + 1;
  if _waiting is null then
    insert into private.mail_queue (recipient, template, next_attempt_at)
      values (_owner, 'booking_summary', private.count_ends_at('booking notice', lower(_owner)))
      returning id into _waiting;
  end if;
  -- The first twenty are named, or a flood would make a long mail.
  update private.mail_queue set variables = variables || jsonb_build_object(
    'Email', _owner, 'Count', _number,
    'Change', case _number when 1 then 'one further change' else _number || ' further changes' end
  ) || case when _number <= 20 then jsonb_build_object(
    'Message', concat_ws(E'\n', variables ->> 'Message', _what || ': ' || _when)
  ) else '{}' end
  where id = _waiting;
end
$$;

-- Returns the event for calendar programs; `_method` is REQUEST or CANCEL (RFC 5546). The backend writes the file.
create function private.calendar_event(_booking public.bookings, _method text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'method', _method, 'uid', _booking.id, 'sequence', _booking.sequence, 'starts_at', lower(_booking.slot),
    'ends_at', upper(_booking.slot), 'place', (select place from public.booking_rules), 'attendee', _booking.email,
    'organizer', (select setting_value from public.site_settings where setting_key = 'contact_email')
  )
$$;

-- schemas/visits/visits.sql

-- Daily sums (UTC) of page views, by page, referrer and device. A row never combines two facts, so that no row describes a
-- person. Off until the setting count_visits is on.
create table public.visit_counts (
  day date not null constraint visit_counts_day_calendar check (day between '1900-01-01' and '2999-12-31'),
  kind text not null check (kind in ('page', 'referrer', 'device', 'chat')),
  -- Path of a page; referring host, '' for none, or 'other'; phone, tablet or desktop; '' for chats.
  name text not null check (length(name) <= 310),
  count bigint not null check (count > 0),
  -- Of articles: how many views reported a reading time, and their sum.
  reads bigint not null default 0,
  read_seconds bigint not null default 0,
  primary key (day, kind, name),
  check (reads between 0 and count),
  constraint visit_counts_check1 check (read_seconds between 0 and reads * 1800)
);
grant select on public.visit_counts to authenticated, service_role;
alter table public.visit_counts enable row level security;
create policy "Admins read how often the site is visited" on public.visit_counts for select to authenticated
  using ((select private.is_admin()));

-- Adds the server's counts: a JSON list of {kind, name, count, reads, seconds}. The only writer of the table. Returns
-- false, and adds nothing, while the setting count_visits is off.
create function public.add_visit_counts(_counts jsonb) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  _today constant date := (now() at time zone 'utc')::date;
  _hosts_a_day constant integer := 200;
begin
  if not exists (
    select from public.site_settings where setting_key = 'count_visits' and setting_value = 'on'
  ) then
    return false;
  end if;
  if jsonb_typeof(_counts) is distinct from 'array' or jsonb_array_length(_counts) > 5000 then
    raise exception 'Visits are counted in lists of at most 5000 entries' using errcode = '22023';
  end if;
  -- Copies of the server write one after the other, so that none exceeds the hosts of a day and none waits in a circle.
  lock table public.visit_counts in share row exclusive mode;
  insert into public.visit_counts as kept (day, kind, name, count, reads, read_seconds)
    with entry as (
      select given.kind, given.name, least(given.count, 1000000) as count,
        greatest(0, least(given.reads, given.count, 1000000)) as reads, given.seconds,
        given.kind = 'referrer' and given.name not in ('', 'other') and not exists (
          select from public.visit_counts as before
          where before.day = _today and before.kind = 'referrer' and before.name = given.name
        ) as is_new_host
      from jsonb_to_recordset(_counts) as given (kind text, name text, count bigint, reads bigint, seconds bigint)
      where given.count > 0 and case given.kind
        -- The server knows its pages; which articles there are is known here. A draft is none.
        when 'page' then given.name !~ '^/news/.' or exists (
          select from public.posts
          where slug = substr(given.name, length('/news/') + 1) and status = 'published' and published_date <= now()
        )
        when 'referrer' then given.name ~ '^[a-z0-9.-]{0,100}$'
        when 'device' then given.name in ('phone', 'tablet', 'desktop')
        when 'chat' then given.name = ''
        else false
      end
    ), placed as (
      select *, row_number() over (partition by is_new_host order by count desc, name) as place from entry
    ), named as (
      select kind, count, reads, seconds, case
        when is_new_host and place > _hosts_a_day - (
          select count(*) from public.visit_counts where day = _today and kind = 'referrer' and name not in ('', 'other')
        ) then 'other'
        else name
      end as name
      from placed
    )
    select _today, kind, name, sum(count), coalesce(sum(reads), 0),
      greatest(0, least(coalesce(sum(seconds), 0), coalesce(sum(reads), 0) * 1800))
    from named group by kind, name
    on conflict (day, kind, name) do update set
      count = kept.count + excluded.count,
      reads = kept.reads + excluded.reads,
      read_seconds = kept.read_seconds + excluded.read_seconds;
  return true;
end
$$;
grant execute on function public.add_visit_counts to service_role;

create function public.report_visits() returns jsonb language plpgsql stable security definer set search_path = '' as $$
declare
  _since constant date := (now() at time zone 'utc')::date - 29;
begin
  perform private.require_admin();
  return jsonb_build_object(
    'is_counting', exists (
      select from public.site_settings where setting_key = 'count_visits' and setting_value = 'on'
    ),
    'days', (
      select jsonb_agg(
        jsonb_build_object(
          'day', day,
          'views', coalesce(views.count, 0),
          'chats', coalesce(chats.count, 0),
          'leads', coalesce(leads.count, 0),
          'bookings', coalesce(bookings.count, 0)
        ) order by day
      )
      from (select _since + ago as day from generate_series(0, 29) as ago) as days
      left join (
        select day, sum(count) as count from public.visit_counts where kind = 'page' and day >= _since group by day
      ) as views using (day)
      left join (
        select day, sum(count) as count from public.visit_counts where kind = 'chat' and day >= _since group by day
      ) as chats using (day)
      left join (
        select (created_at at time zone 'utc')::date as day, count(*) as count from public.leads
        where created_at >= _since::timestamp at time zone 'utc' group by 1
      ) as leads using (day)
      left join (
        select (created_at at time zone 'utc')::date as day, count(*) as count from public.bookings
        where created_at >= _since::timestamp at time zone 'utc' group by 1
      ) as bookings using (day)
    ),
    'pages', (
      select coalesce(jsonb_agg(top order by top.views desc, top.path), '[]')
      from (
        select name as path, sum(count) as views, sum(reads) as reads, sum(read_seconds) as seconds
        from public.visit_counts where kind = 'page' and day >= _since
        group by name order by sum(count) desc, name limit 10
      ) as top
    ),
    'referrers', (
      select coalesce(jsonb_agg(top order by top.visits desc, top.host), '[]')
      from (
        select name as host, sum(count) as visits
        from public.visit_counts where kind = 'referrer' and day >= _since
        group by name order by sum(count) desc, name limit 10
      ) as top
    ),
    'devices', (
      select coalesce(jsonb_agg(device order by device.views desc, device.name), '[]')
      from (
        select name, sum(count) as views
        from public.visit_counts where kind = 'device' and day >= _since group by name
      ) as device
    ),
    'publications', (
      select coalesce(jsonb_agg(post order by post.day, post.title), '[]')
      from (
        select (published_date at time zone 'utc')::date as day, title, slug
        from public.posts
        where status = 'published' and published_date <= now()
          and published_date >= _since::timestamp at time zone 'utc'
        order by published_date desc limit 100
      ) as post
    )
  );
end
$$;
grant execute on function public.report_visits to authenticated, service_role;

-- Run daily. Returns the number of deleted rows.
create function private.delete_old_visit_counts(_at_most integer default null) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  _deleted integer;
begin
  delete from public.visit_counts where (day, kind, name) in (
    select day, kind, name from public.visit_counts
    where day < ((now() at time zone 'utc') - interval '25 months')::date order by day limit _at_most
  );
  get diagnostics _deleted = row_count;
  return _deleted;
end
$$;

-- schemas/clients/clients.sql

-- Clients. Members read their own clients, assigned team members read and edit theirs, admins all. private.user_id() is
-- null for OAuth applications, so they see nothing.
create table public.clients (
  id uuid primary key default gen_random_uuid(),
  name text not null check (length(trim(name)) between 1 and 200 and name !~ '[[:cntrl:]]'),
  domain text not null default '' check (length(domain) <= 253 and domain ~ '^[a-z0-9.-]*$'),
  created_at timestamptz not null default now()
    constraint clients_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  updated_at timestamptz not null default now()
    constraint clients_updated_at_calendar check (updated_at between '1900-01-01' and '2999-12-31'),
  time_zone text not null default 'Europe/Oslo',
  -- 1 is Monday, 7 is Sunday.
  first_weekday integer not null default 1 check (first_weekday between 1 and 7),
  currency text not null default 'NOK' check (currency ~ '^[A-Z]{3}$'),
  meetings_goal integer check (meetings_goal between 1 and 1000000000),
  replies_goal integer check (replies_goal between 1 and 1000000000),
  delivered_goal integer check (delivered_goal between 1 and 1000000000),
  is_sample boolean not null default false,
  changed_by uuid references auth.users (id) on delete set null,
  -- Weekday of reports, 1 for Monday to 7 for Sunday; null for none.
  report_weekday integer check (report_weekday between 1 and 7),
  -- Hour of that day, in the client's time zone.
  report_hour integer not null default 8 check (report_hour between 0 and 23),
  logo text
);
create unique index clients_one_sample_idx on public.clients (is_sample) where is_sample;
create index clients_changed_by_idx on public.clients (changed_by);
create index clients_logo_idx on public.clients (id, logo) where logo is not null;
grant select, delete on public.clients to authenticated;
grant all on public.clients to service_role;
grant
  insert (name, domain, time_zone, first_weekday, currency, meetings_goal, replies_goal, delivered_goal, report_weekday,
  report_hour), update (name, domain, time_zone, first_weekday, currency, meetings_goal, replies_goal, delivered_goal,
  report_weekday, report_hour) on public.clients to authenticated;
alter table public.clients enable row level security;
create policy "Admins read all clients" on public.clients for select to authenticated using ((select private.is_admin()));
create policy "Admins add clients" on public.clients for insert to authenticated with check ((select private.is_admin()));
create policy "Admins change clients" on public.clients for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "Admins delete clients" on public.clients for delete to authenticated using ((select private.is_admin()));

create trigger touch_updated_at before update on public.clients for each row execute function private.touch_updated_at();

create function private.check_client_time_zone() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_time_zone(new.time_zone) then
    raise exception 'This time zone is not known: %', left(new.time_zone, 64) using errcode = '22023';
  end if;
  return null;
end
$$;

create function private.note_changer() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  new.changed_by := private.user_id();
  return new;
end
$$;

-- Lists what changed for a client within a range of days, latest first, for its members and those who work for it.
create function public.client_changes(_client_id uuid, _from date, _until date) returns table (
  kind text, name text, detail text, day date
) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.works_for_client(_client_id);
  return query
    select changes.kind, changes.name, changes.detail, (changes.at at time zone clients.time_zone)::date
    from public.clients cross join lateral private.changes_of_client(clients, _from, _until) as changes
    where clients.id = _client_id order by changes.at desc, changes.name limit 200;
end
$$;
grant execute on function public.client_changes to authenticated, service_role;

-- Lists what changed for a client within a range of days, in its time zone: new, ended and changed campaigns (state at the
-- end against the state before), and decisions. `detail` is the phase or the verdict.
create function private.changes_of_client(_client public.clients, _first_day date, _last_day date) returns table (
  rank integer, kind text, name text, detail text, at timestamptz
) language sql stable set search_path = '' as $$
  with days as (
    select _first_day::timestamp at time zone _client.time_zone as begins,
      (_last_day + 1)::timestamp at time zone _client.time_zone as ends
  )
  select 1, case
    when campaign.created_at >= days.begins then 'added' when latest.action = 'deleted' then 'ended' else 'phase'
  end, campaign.name, coalesce(latest.campaign ->> 'phase', campaign.phase), coalesce((
    select max(created_at) from (
      select version.created_at, version.action, version.campaign ->> 'phase' as phase,
        lag(version.campaign ->> 'phase') over (order by version.number) as phase_before
      from public.campaign_versions as version
      where version.client_id = campaign.client_id and version.campaign_id = campaign.id
    ) as steps
    where created_at >= days.begins and created_at < days.ends
      and (action = 'deleted' or action <> 'before' and phase is distinct from phase_before)
  ), campaign.created_at)
  from days join public.campaigns as campaign on campaign.client_id = _client.id and campaign.created_at < days.ends
    left join lateral (
      select * from public.campaign_versions as version
      where version.client_id = campaign.client_id and version.campaign_id = campaign.id and version.created_at < days.ends
      order by number desc limit 1
    ) as latest on true
    left join lateral (
      select * from public.campaign_versions as version
      where version.client_id = campaign.client_id and version.campaign_id = campaign.id
        and (version.created_at < days.begins or version.action = 'before')
      order by number desc limit 1
    ) as former on true
  where campaign.created_at >= days.begins or latest.campaign ->> 'phase' <> former.campaign ->> 'phase'
    or latest.action = 'deleted' and former.action <> 'deleted'
  union all
  select 2, 'text', approvals.title, verdict, decision.created_at
  from public.approval_decisions as decision join public.approvals
    on approvals.client_id = decision.client_id and approvals.id = decision.approval_id, days
  where decision.client_id = _client.id and decision.created_at >= days.begins and decision.created_at < days.ends
    and verdict <> 'no'
$$;

-- Returns a client's first screen: {"waiting": [{"kind": "approval", "id", "title", "number", "due_on"}, {"kind":
-- "meeting", "id", "title", "due_on"}, {"kind": "quote", "id", "title", "due_on": null}], "waiting_count", "next_call"}, by
-- due date, at most 24 of each kind. `next_call` is the time of a call that the caller booked with a proven address.
create function public.client_home(_client_id uuid) returns jsonb
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
      select quote.id, private.quote_in_words(quote) as words, quote.asked_at
      from public.figure_quotes as quote join public.projects on projects.id = quote.project_id
      where quote.client_id = _client_id and quote.answer is null and quote.ended_at is null
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
    )
    select jsonb_build_object(
      'waiting', coalesce((select jsonb_agg(line order by due_on nulls last, place, since) from waiting), '[]'),
      'waiting_count', (select count(*) from texts) + (select count(*) from meetings) + (select count(*) from quotes),
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
grant execute on function public.client_home to authenticated, service_role;

-- Summarises each client for those who work for it: [{"id", "name", "domain", "time_zone", "first_weekday", "is_running",
-- "latest": day of the latest figure, "waits_for_client", "due_on": first due date, "waits_for_us": declined texts and
-- disputed meetings, "unread": texts that were not opened for a week, "read_at"}].
create function public.team_overview() returns jsonb language sql stable set search_path = '' as $$
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
    'waits_for_client', texts.open + meetings.open + quotes.open, 'due_on', texts.due_on,
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
  where (select private.is_admin()) or clients.id in (select private.clients_of_team_member())
$$;
grant execute on function public.team_overview to authenticated, service_role;

-- Lists what is pending in a client's portal, one per line; '' if nothing is.
create function private.waiting_at_client(_client_id uuid) returns text
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
    select 4, case count(*) when 1 then 'A report' else count(*) || ' reports' end || ' to read'
    from public.client_reports where client_id = _client_id and sent_at is not null having count(*) > 0
  )
  select coalesce(string_agg(line, E'\n' order by place), '') from lines
$$;

-- Creates the sample client with twelve weeks of figures, texts, meetings, a list and a report. At most one; deleting it
-- deletes everything. Its meetings match its figures, with invented names.
create function public.add_sample_client() returns uuid language plpgsql security definer set search_path = '' as $$
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
    raise exception 'Only admins add the sample client.' using errcode = '42501';
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

  -- The figures have counted these meetings. They were held and accepted.
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
  insert into public.approval_decisions (client_id, approval_id, number, verdict, comment, created_at) values
    (_client, _declined, 1, 'no', 'Say something about the hotel first.', now() - interval '3 days'),
    (_client, _approved, 1, 'yes', '', now() - interval '8 days');

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
    'Facilities answer more since the second mail became shorter. Hotels wait for your yes to the list.'
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
grant execute on function public.add_sample_client to authenticated, service_role;

-- Sets one of the client's pictures as its logo, or removes it.
create function public.set_client_logo(_client_id uuid, _file_id uuid default null) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _object_name text;
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only those who work for this client may choose its logo' using errcode = '42501';
  end if;
  if _file_id is not null then
    select object_name into _object_name from public.client_files
    where client_id = _client_id and id = _file_id and mimetype like 'image/%';
    if not found then
      raise exception 'A logo is one of the pictures of this client.' using errcode = 'P0001';
    end if;
  end if;
  update public.clients set logo = _object_name where id = _client_id;
end
$$;
grant execute on function public.set_client_logo to authenticated, service_role;

-- Throws unless the caller works for the client. Serialises imports of one client.
create function private.lock_client_of_worker(_client_id uuid) returns public.clients
language plpgsql security definer set search_path = '' as $$
declare
  _client public.clients;
begin
  if not (private.is_admin() or _client_id in (select private.clients_of_team_member())) then
    raise exception 'Only those who work for this client may do this' using errcode = '42501';
  end if;
  select * into _client from public.clients where id = _client_id for no key update;
  if not found then
    raise exception 'There is no such client.' using errcode = 'P0001';
  end if;
  return _client;
end
$$;

create function private.team_path(_user_id uuid, _client_id uuid, _item text) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when exists (select from public.user_roles where user_id = _user_id and role = 'admin') then '/admin/clients/'
    else '/team-dashboard/clients/'
  end || _client_id || '#' || _item
$$;

-- Runs after policies.
create trigger check_time_zone after insert or update of time_zone on public.clients
  for each row execute function private.check_client_time_zone();

-- Only columns that people edit: deleting an account also empties changed_by.
create trigger note_changer before update of name, domain, time_zone, first_weekday, currency, meetings_goal, replies_goal,
  delivered_goal on public.clients
  for each row execute function private.note_changer();

create trigger note_changer before update of status, note on public.leads for each row execute function private.note_changer();

create trigger note_changer before update of question, must_name, must_not_name on public.assistant_checks
  for each row execute function private.note_changer();

-- schemas/clients/people.sql

-- Members of a client. A person may belong to several. Losing the role removes the membership for good.
create table public.client_members (
  client_id uuid not null references public.clients (id) on delete cascade,
  user_id uuid not null references public.user_roles (user_id) on delete cascade,
  created_at timestamptz not null default now()
    constraint client_members_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  kind text not null default 'approver' check (kind in ('viewer', 'approver')),
  -- Mails that the member gets. Only approvers are mailed about pending approvals.
  told_of text[] not null default '{waiting,report}' check (told_of <@ '{waiting,report}'::text[]),
  primary key (client_id, user_id)
);
create index client_members_user_idx on public.client_members (user_id);
grant select, delete on public.client_members to authenticated;
grant all on public.client_members to service_role;
grant update (kind) on public.client_members to authenticated;
alter table public.client_members enable row level security;
create policy "Admins read all members" on public.client_members for select to authenticated
  using ((select private.is_admin()));
create policy "Admins remove members" on public.client_members for delete to authenticated using ((select private.is_admin()));
create policy "Admins change what members may do" on public.client_members for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));

create trigger refuse_lookers before insert or update or delete on public.client_members
  for each statement execute function private.refuse_lookers();

-- Team members assigned to a client.
create table public.client_assignments (
  client_id uuid not null references public.clients (id) on delete cascade,
  user_id uuid not null references public.user_roles (user_id) on delete cascade,
  created_at timestamptz not null default now()
    constraint client_assignments_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, user_id)
);
create index client_assignments_user_idx on public.client_assignments (user_id);
grant select, delete on public.client_assignments to authenticated;
grant all on public.client_assignments to service_role;
grant insert (client_id, user_id) on public.client_assignments to authenticated;
alter table public.client_assignments enable row level security;
create policy "Admins read all assignments" on public.client_assignments for select to authenticated
  using ((select private.is_admin()));
create policy "Admins assign team members" on public.client_assignments for insert to authenticated
  with check ((select private.is_admin()));
create policy "Admins end assignments" on public.client_assignments for delete to authenticated
  using ((select private.is_admin()));

-- Invitations that wait for the proof of an address. They are deleted with the account's role.
create table public.client_invitations (
  client_id uuid not null references public.clients (id) on delete cascade,
  user_id uuid not null references public.user_roles (user_id) on delete cascade,
  -- Lower case. The invitation does not follow the account to another address.
  address text not null check (address <> '' and length(address) <= 255),
  kind text not null check (kind in ('viewer', 'approver')),
  created_at timestamptz not null default now()
    constraint client_invitations_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, user_id)
);
create index client_invitations_user_idx on public.client_invitations (user_id);
grant select, delete on public.client_invitations to authenticated;
grant all on public.client_invitations to service_role;
grant update (kind) on public.client_invitations to authenticated;
alter table public.client_invitations enable row level security;
create policy "Admins read all invitations of clients" on public.client_invitations for select to authenticated
  using ((select private.is_admin()));
create policy "Admins change what invited people may do" on public.client_invitations for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "Admins withdraw invitations of clients" on public.client_invitations for delete to authenticated
  using ((select private.is_admin()));

-- Lists the caller's clients. Read on every request, so that removing a member takes effect at once.
create function private.clients_of_member() returns setof uuid language sql stable security definer set search_path = '' as $$
  select client_id from public.client_members
  join public.user_roles on user_roles.user_id = client_members.user_id and role = 'client' and approved
  where client_members.user_id = (select private.user_id())
  union all
  select client_id from private.looked_at()
$$;
grant execute on function private.clients_of_member to anon, authenticated, service_role;

-- Lists the clients that the caller, a team member, is assigned to.
create function private.clients_of_team_member() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select client_id from public.client_assignments
  join public.user_roles on user_roles.user_id = client_assignments.user_id and role = 'team' and approved
  where client_assignments.user_id = (select private.user_id())
$$;
grant execute on function private.clients_of_team_member to anon, authenticated, service_role;

-- Lists the clients whose approver the caller is.
create function private.clients_of_approver() returns setof uuid language sql stable security definer set search_path = '' as $$
  select client_id from public.client_members
  where user_id = (select private.user_id()) and kind = 'approver' and client_id in (select private.clients_of_member())
$$;
grant execute on function private.clients_of_approver to anon, authenticated, service_role;

-- Returns whether the caller works for the client. Throws unless they do or belong to it.
create function private.works_for_client(_client_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.is_admin() or _client_id in (select private.clients_of_team_member()) then
    return true;
  elsif _client_id in (select private.clients_of_member()) then
    return false;
  end if;
  raise exception 'Only the people of this client may do this' using errcode = '42501';
end
$$;

-- Throws unless the caller is an approver of the client.
create function private.require_approver(_client_id uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.works_for_client(_client_id) then
    raise exception 'Only the people of the client decide' using errcode = '42501';
  elsif _client_id not in (select private.clients_of_approver()) then
    raise exception 'You may read this. Approvers of the client decide.' using errcode = '42501';
  end if;
end
$$;

-- Returns 'added' if the person sees the client at once, 'invited' if they must prove their address first, and 'unlinked'
-- if the authentication service must send the link.
create function public.add_client_member(_client_id uuid, _email text, _kind text default 'approver') returns text
language plpgsql security definer set search_path = '' as $$
declare
  _address constant text := lower(trim(_email));
  _person uuid;
begin
  perform private.require_admin();
  select id into _person from auth.users where lower(email) = _address and not is_sso_user;
  if not found then
    _person := private.create_invited_account(_address, 'client');
  end if;
  if not exists (select from public.user_roles where user_id = _person and role = 'client' and approved) then
    raise exception 'Only people with the role of a client can belong to one.' using errcode = '23514';
  elsif exists (select from public.client_members where client_id = _client_id and user_id = _person) then
    return 'added';
  end if;
  if private.has_proven_address(_person) then
    insert into public.client_members (client_id, user_id, kind) values (_client_id, _person, _kind) on conflict do nothing;
    if found then
      perform private.mail_invitation(_person, 'client', _client_id, _kind);
    end if;
    return 'added';
  end if;
  insert into public.client_invitations (client_id, user_id, address, kind)
  values (_client_id, _person, _address, _kind) on conflict do nothing;
  return case when private.mail_invitation(_person, 'client', _client_id, _kind) then 'invited' else 'unlinked' end;
end
$$;
grant execute on function public.add_client_member to authenticated, service_role;

-- Lists members and assigned team members of a client by name, for those who work for it.
create function public.client_people(_client_id uuid) returns table (
  id uuid, name text, email text, is_team boolean, kind text, is_waiting boolean, read_at timestamptz
) language plpgsql stable security definer set search_path = '' as $$
begin
  if not (private.is_admin() or _client_id in (select private.clients_of_team_member())) then
    raise exception 'Only those who work for this client may do this' using errcode = '42501';
  end if;
  return query
    select users.id, private.name_of(users.raw_user_meta_data), coalesce(users.email::text, 'Unknown'),
      places.kind is null, places.kind, places.of_invited, (
        select last_at from public.client_reads as noted
        where noted.client_id = _client_id and noted.user_id = places.user_id and noted.what = 'rooms'
      )
    from (
      select user_id, member.kind, false from public.client_members as member where client_id = _client_id
      union all
      select user_id, invitation.kind, true from public.client_invitations as invitation where client_id = _client_id
      union all
      select user_id, null, false from public.client_assignments where client_id = _client_id
    ) as places (user_id, kind, of_invited)
    join auth.users on users.id = places.user_id
    order by places.kind is null, places.of_invited, users.email;
end
$$;
grant execute on function public.client_people to authenticated, service_role;

-- Only people with the right role and a proven address can be added: an admin means the owner of the address. Runs after
-- policies, so that others learn nothing about accounts.
create function private.check_client_place() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if not exists (
    select from public.user_roles where user_id = new.user_id and role = any (tg_argv) and approved
  ) then
    raise exception using errcode = '23514', message = case tg_table_name
      when 'client_members' then 'Only people with the role of a client can belong to one.'
      else 'Only admins and approved team members can be assigned to a client.'
    end;
  end if;
  if not private.has_proven_address(new.user_id) then
    raise exception 'Nobody has shown yet that this address is theirs. They can do so on their account page.'
      using errcode = '23514';
  end if;
  return null;
end
$$;

-- Also set for pending invitations: the dashboard then asks for the proof.
create function private.note_client_place() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _user_id constant uuid := case tg_op when 'DELETE' then old.user_id else new.user_id end;
begin
  update auth.users set raw_app_meta_data = coalesce(raw_app_meta_data, '{}') - 'has_client' || case
    when exists (select from public.client_members where user_id = _user_id)
      or exists (select from public.client_invitations where user_id = _user_id)
      or exists (select from public.client_assignments where user_id = _user_id) then '{"has_client": true}'::jsonb
    else '{}'
  end
  where id = _user_id;
  return null;
end
$$;

-- Turns pending invitations into memberships.
create function private.take_client_places() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  with taken as (
    delete from public.client_invitations as invitation
    using auth.users as person, public.user_roles as roles
    where invitation.user_id = new.user_id and person.id = new.user_id and lower(person.email) = invitation.address
      and roles.user_id = new.user_id and roles.role = 'client' and roles.approved
      and private.has_proven_address(new.user_id)
    returning invitation.client_id, invitation.user_id, invitation.kind
  )
  insert into public.client_members (client_id, user_id, kind)
  select client_id, user_id, kind from taken on conflict do nothing;
  return null;
end
$$;

-- Sets which mails a member gets about a client.
create function public.set_my_client_mails(_client_id uuid, _told_of text[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if _client_id not in (select private.clients_of_member()) then
    raise exception 'Only the people of this client may do this' using errcode = '42501';
  end if;
  update public.client_members set told_of = _told_of where client_id = _client_id and user_id = private.user_id();
end
$$;
grant execute on function public.set_my_client_mails to authenticated, service_role;

-- Lists the members of a client to mail about a kind of event ('waiting', 'report').
create function private.members_to_tell(_client_id uuid, _of text) returns table (user_id uuid, email text)
language sql stable security definer set search_path = '' as $$
  select users.id, users.email::text
  from public.client_members as member
    join public.user_roles as roles on roles.user_id = member.user_id and roles.role = 'client' and roles.approved
    join auth.users on users.id = member.user_id
  where member.client_id = _client_id and _of = any (member.told_of) and (member.kind = 'approver' or _of <> 'waiting')
    and users.email <> ''
$$;

create policy "Members read their clients" on public.clients for select to authenticated
  using (id in (select private.clients_of_member()));
create policy "Team members read the clients they are assigned to" on public.clients for select to authenticated
  using (id in (select private.clients_of_team_member()));

create policy "Team members read the members of their clients" on public.client_members for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

create policy "Team members read who works for their clients" on public.client_assignments for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

create policy "Team members read the invitations of their clients" on public.client_invitations for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

create policy "Members read where they belong" on public.client_members for select to authenticated
  using (user_id = (select private.reader_id()) and client_id in (select private.clients_of_member()));

create trigger check_place after insert or update on public.client_assignments
  for each row execute function private.check_client_place('team', 'admin');

create trigger note_place after insert or delete on public.client_members
  for each row execute function private.note_client_place();

create trigger note_place after insert or delete on public.client_assignments
  for each row execute function private.note_client_place();

create trigger check_place after insert or update of client_id, user_id on public.client_members
  for each row execute function private.check_client_place('client');

create trigger note_place after insert or delete on public.client_invitations
  for each row execute function private.note_client_place();

create trigger take_places after insert on private.proven_addresses for each row execute function private.take_client_places();

-- schemas/clients/campaigns.sql

-- The key begins with the client, so that a reference cannot name another client's campaign.
create table public.campaigns (
  client_id uuid not null references public.clients (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  name text not null check (length(trim(name)) between 1 and 200 and name !~ '[[:cntrl:]]'),
  channel text not null check (channel in ('email', 'linkedin', 'phone', 'other')),
  phase text not null default 'planned' check (phase in ('planned', 'building', 'running', 'paused', 'done')),
  next_step text not null default '' check (length(next_step) <= 500 and next_step !~ '[[:cntrl:]]'),
  -- Due date of the next step.
  due_on date constraint campaigns_due_on_calendar check (due_on between '1900-01-01' and '2999-12-31'),
  created_at timestamptz not null default now()
    constraint campaigns_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  updated_at timestamptz not null default now()
    constraint campaigns_updated_at_calendar check (updated_at between '1900-01-01' and '2999-12-31'),
  deleted_at timestamptz constraint campaigns_deleted_at_calendar check (deleted_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, id)
);
create index campaigns_deleted_idx on public.campaigns (deleted_at) where deleted_at is not null;
grant select on public.campaigns to authenticated;
grant all on public.campaigns to service_role;
grant
  insert (client_id, name, channel, phase, next_step, due_on), update (name, channel, phase, next_step, due_on)
  on public.campaigns to authenticated;
alter table public.campaigns enable row level security;
create policy "Admins read all campaigns" on public.campaigns for select to authenticated using ((select private.is_admin()));
create policy "Members read the campaigns of their clients" on public.campaigns for select to authenticated
  using (deleted_at is null and client_id in (select private.clients_of_member()));
create policy "Team members read the campaigns of their clients" on public.campaigns for select to authenticated
  using (client_id in (select private.clients_of_team_member()));
create policy "Admins and assigned team members add campaigns" on public.campaigns for insert to authenticated
  with check ((select private.is_admin()) or client_id in (select private.clients_of_team_member()));
create policy "Admins and assigned team members change campaigns" on public.campaigns for update to authenticated
  using (deleted_at is null and ((select private.is_admin()) or client_id in (select private.clients_of_team_member())))
  with check ((select private.is_admin()) or client_id in (select private.clients_of_team_member()));

create trigger touch_updated_at before update on public.campaigns for each row execute function private.touch_updated_at();

create table public.campaign_versions (
  client_id uuid not null,
  campaign_id uuid not null,
  number integer not null check (number > 0),
  action text not null check (action in ('before', 'created', 'changed', 'deleted', 'restored')),
  -- The campaign after the change.
  campaign jsonb not null,
  changed_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default clock_timestamp()
    constraint campaign_versions_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, campaign_id, number),
  foreign key (client_id, campaign_id) references public.campaigns (client_id, id) on delete cascade
);
create index campaign_versions_changed_by_idx on public.campaign_versions (changed_by);
grant select on public.campaign_versions to authenticated;
grant all on public.campaign_versions to service_role;
alter table public.campaign_versions enable row level security;
comment on table public.campaign_versions is 'Each state of a campaign, for those who work for its client.';

create policy "Admins read the versions of all campaigns" on public.campaign_versions for select to authenticated
  using ((select private.is_admin()));
create policy "Team members read the versions of their clients' campaigns" on public.campaign_versions
  for select to authenticated using (client_id in (select private.clients_of_team_member()));

-- A deleted campaign is not running, whatever its phase.
create function public.delete_campaign(_client_id uuid, _campaign_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only those who work for this client delete its campaigns' using errcode = '42501';
  end if;
  update public.campaigns set deleted_at = now(), phase = 'done'
  where client_id = _client_id and id = _campaign_id and deleted_at is null;
end
$$;
grant execute on function public.delete_campaign to authenticated, service_role;

create function public.restore_campaign(_client_id uuid, _campaign_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only those who work for this client restore its campaigns' using errcode = '42501';
  end if;
  update public.campaigns set deleted_at = null, phase = coalesce((
    select campaign ->> 'phase' from public.campaign_versions
    where client_id = _client_id and campaign_id = _campaign_id and action <> 'deleted' order by number desc limit 1
  ), phase)
  where client_id = _client_id and id = _campaign_id and deleted_at > now() - interval '30 days';
  if not found then
    raise exception 'This campaign is not under Deleted any more.' using errcode = 'P0001';
  end if;
end
$$;
grant execute on function public.restore_campaign to authenticated, service_role;

create function public.list_campaign_versions(_client_id uuid, _campaign_id uuid) returns table (
  number integer, action text, campaign jsonb, changed_by text, created_at timestamptz
) language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only those who work for this client see what its campaigns were' using errcode = '42501';
  end if;
  return query
    select version.number, version.action, version.campaign,
      coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), users.email::text, ''), version.created_at
    from public.campaign_versions as version left join auth.users on users.id = version.changed_by
    where version.client_id = _client_id and version.campaign_id = _campaign_id
    order by version.number desc;
end
$$;
grant execute on function public.list_campaign_versions to authenticated, service_role;

-- Campaigns with figures are kept for them, and only leave the trash.
create function private.delete_old_campaigns(_at_most integer default null) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  _deleted integer;
begin
  delete from public.campaigns where (client_id, id) in (
    select client_id, id from public.campaigns as resting
    where deleted_at < now() - interval '30 days'
      and not exists (
        select from public.campaign_figures where client_id = resting.client_id and campaign_id = resting.id
      )
    order by deleted_at limit _at_most for update skip locked
  );
  get diagnostics _deleted = row_count;
  return _deleted;
end
$$;

create function private.is_deleted_campaign(_client_id uuid, _campaign_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.campaigns where client_id = _client_id and id = _campaign_id and deleted_at is not null)
$$;

create function private.keep_campaign_version() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _newest integer;
  _action constant text := case
    when tg_op = 'INSERT' then 'created'
    when (new.deleted_at is null) = (old.deleted_at is null) then 'changed'
    when new.deleted_at is null then 'restored'
    else 'deleted'
  end;
begin
  if _action = 'changed' and private.state_of_campaign(old) = private.state_of_campaign(new) then
    return null;
  end if;
  select max(number) into _newest from public.campaign_versions where client_id = new.client_id and campaign_id = new.id;
  -- A campaign from before this table shows what it was.
  if tg_op = 'UPDATE' and _newest is null then
    insert into public.campaign_versions (client_id, campaign_id, number, action, campaign, created_at)
    values (new.client_id, new.id, 1, 'before', private.state_of_campaign(old), old.updated_at);
    _newest := 1;
  end if;
  insert into public.campaign_versions (client_id, campaign_id, number, action, campaign, changed_by)
  values (new.client_id, new.id, coalesce(_newest, 0) + 1, _action, private.state_of_campaign(new), private.user_id());
  delete from public.campaign_versions
  where client_id = new.client_id and campaign_id = new.id and number <= coalesce(_newest, 0) + 1 - 50;
  return null;
end
$$;

create function private.state_of_campaign(_campaign public.campaigns) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object('name', _campaign.name, 'channel', _campaign.channel, 'phase', _campaign.phase,
    'next_step', _campaign.next_step, 'due_on', _campaign.due_on)
$$;

create trigger keep_version after insert or update on public.campaigns
  for each row execute function private.keep_campaign_version();

-- schemas/clients/reads.sql

-- When members opened pending items in the portal. No tracking pixels, and impersonation does not count. The person who
-- asked is reminded once if a text was not opened for a week.
create table public.client_reads (
  client_id uuid not null,
  user_id uuid not null,
  what text not null check (what in ('rooms', 'approval', 'report')),
  -- The approval, or the client for its portal.
  item_id uuid not null,
  first_at timestamptz not null default now()
    constraint client_reads_first_at_calendar check (first_at between '1900-01-01' and '2999-12-31'),
  last_at timestamptz not null default now()
    constraint client_reads_last_at_calendar check (last_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, user_id, what, item_id),
  foreign key (client_id, user_id) references public.client_members (client_id, user_id) on delete cascade
);
create index client_reads_latest_idx on public.client_reads (client_id, what, last_at desc);
grant select on public.client_reads to authenticated;
grant all on public.client_reads to service_role;
alter table public.client_reads enable row level security;
create policy "Admins read what clients opened" on public.client_reads for select to authenticated
  using ((select private.is_admin()));
create policy "Team members read what their clients opened" on public.client_reads for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

create trigger refuse_lookers before insert or update or delete on public.client_reads
  for each statement execute function private.refuse_lookers();

-- Last version for which an "unread" reminder was sent.
create table private.told_unread (
  client_id uuid not null,
  approval_id uuid not null,
  number integer not null,
  primary key (client_id, approval_id, number)
);
alter table private.told_unread enable row level security;

-- Records that a member opened a client's portal, and the texts shown there.
create function public.note_client_read(
  _client_id uuid, _approval_ids uuid[] default '{}'::uuid[], _report_ids uuid[] default '{}'::uuid[]
) returns void language plpgsql security definer set search_path = '' as $$
begin
  if _client_id not in (select private.clients_of_member()) then
    raise exception 'Only the people of this client read as its people' using errcode = '42501';
  end if;
  insert into public.client_reads as noted (client_id, user_id, what, item_id)
  select _client_id, private.user_id(), 'rooms', _client_id
  union all
  select _client_id, private.user_id(), 'approval', id
  from public.approvals where client_id = _client_id and id = any (_approval_ids)
  union all
  select _client_id, private.user_id(), 'report', id
  from public.client_reports where client_id = _client_id and id = any (_report_ids) and sent_at is not null
  on conflict (client_id, user_id, what, item_id) do update set last_at = now();
end
$$;
grant execute on function public.note_client_read to authenticated, service_role;

-- Lists pending texts that no member has opened for a week, with who asked.
create function private.unread_approvals() returns table (
  client_id uuid, approval_id uuid, number integer, title text, asked_by uuid
) language sql stable security definer set search_path = '' as $$
  select approval.client_id, approval.id, version.number, approval.title, version.asked_by
  from public.approvals as approval
    join lateral (
      select * from public.approval_versions as any_version
      where any_version.client_id = approval.client_id and any_version.approval_id = approval.id
      order by any_version.number desc limit 1
    ) as version on version.created_at < now() - interval '7 days'
  where not exists (
      select from public.approval_decisions as decision
      where decision.client_id = approval.client_id and decision.approval_id = approval.id and decision.number = version.number
    )
    and not exists (
      select from public.client_reads as noted
      where noted.client_id = approval.client_id and noted.what = 'approval' and noted.item_id = approval.id
        and noted.last_at >= version.created_at
    )
    and exists (select from public.client_members as member where member.client_id = approval.client_id)
$$;

-- Mails reminders about unread texts, one per person and client. Returns how many texts. The server passes `_at_most` to
-- work in steps; a scheduled job calls it without.
create function private.tell_unread_approvals(_at_most integer default null) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  _told integer;
begin
  with news as (
    insert into private.told_unread (client_id, approval_id, number)
    select unread.client_id, unread.approval_id, unread.number
    from private.unread_approvals() as unread
    where not exists (
      select from private.told_unread as told
      where (told.client_id, told.approval_id, told.number) = (unread.client_id, unread.approval_id, unread.number)
    )
    limit _at_most
    on conflict do nothing
    returning *
  ), mails as (
    insert into private.mail_queue (recipient, template, variables)
    select users.email, 'approval_unread', jsonb_build_object(
      'Email', users.email, 'Client', clients.name, 'Items', jsonb_agg(jsonb_build_object(
        'text', unread.title, 'path', private.team_path(users.id, clients.id, 'approval-' || unread.approval_id)
      ) order by unread.title)
    )
    from news join private.unread_approvals() as unread using (client_id, approval_id, number)
      join public.clients on clients.id = unread.client_id
      join public.user_roles as roles on roles.user_id = unread.asked_by and roles.role in ('team', 'admin') and roles.approved
      join auth.users on users.id = unread.asked_by
    where users.email <> ''
    group by users.id, users.email, clients.id, clients.name
    returning id
  )
  select count(*) into _told from news;
  return _told;
end
$$;

-- schemas/clients/notes.sql

-- Internal notes about a client. A separate table without a policy for members: internal data is never a flag beside data
-- that members read.
create table public.client_notes (
  client_id uuid not null references public.clients (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  text text not null check (text ~ '\S' and length(text) <= 5000),
  written_by uuid default private.user_id() references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
    constraint client_notes_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, id)
);
create index client_notes_latest_idx on public.client_notes (client_id, created_at desc, id);
create index client_notes_written_by_idx on public.client_notes (written_by);
grant select, delete on public.client_notes to authenticated;
grant all on public.client_notes to service_role;
grant insert (client_id, text) on public.client_notes to authenticated;
alter table public.client_notes enable row level security;
create policy "Admins read all notes" on public.client_notes for select to authenticated using ((select private.is_admin()));
create policy "Team members read the notes on their clients" on public.client_notes for select to authenticated
  using (client_id in (select private.clients_of_team_member()));
create policy "Admins and assigned team members write notes" on public.client_notes for insert to authenticated
  with check ((select private.is_admin()) or client_id in (select private.clients_of_team_member()));
create policy "Admins delete all notes" on public.client_notes for delete to authenticated using ((select private.is_admin()));
create policy "Team members delete their own notes" on public.client_notes for delete to authenticated
  using (written_by = (select private.user_id()) and client_id in (select private.clients_of_team_member()));

-- Lists the notes about a client, newest first, with their authors and the total.
create function public.list_client_notes(_client_id uuid, _limit integer default 24, _offset integer default 0) returns table (
  id uuid, text text, written_by text, created_at timestamptz, may_delete boolean, total integer
) language plpgsql stable security definer set search_path = '' as $$
declare
  _is_admin constant boolean := private.is_admin();
begin
  if not (_is_admin or _client_id in (select private.clients_of_team_member())) then
    raise exception 'Only those who work for this client may do this' using errcode = '42501';
  end if;
  return query
    select note.id, note.text, coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), users.email, '')::text,
      note.created_at, _is_admin or coalesce(note.written_by = private.user_id(), false), note.total
    from (
      select *, count(*) over ()::integer as total from public.client_notes
      where client_id = _client_id order by client_notes.created_at desc, client_notes.id
      limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0)
    ) as note left join auth.users on users.id = note.written_by
    order by note.created_at desc, note.id;
end
$$;
grant execute on function public.list_client_notes to authenticated, service_role;

-- schemas/clients/do-not-contact.sql

-- Block list of a client: domains, and addresses as hashes, so that the list is no address book. Members and those who work
-- for the client read and add entries. Those who work for it, or the person who added an entry, can remove it. Only
-- add_do_not_contact() inserts, so that entries are normalised and hashed in one way.
create table public.do_not_contact (
  client_id uuid not null references public.clients (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  kind text not null check (kind in ('domain', 'address')),
  -- The domain, or private.hash_of_address() of an address.
  value text not null,
  -- The domain, or a masked address: a***@example.com.
  hint text not null check (length(hint) <= 260),
  added_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
    constraint do_not_contact_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, id),
  unique (client_id, value),
  check (
    case kind when 'address' then length(value) = 64 and value ~ '^[0-9a-f]+$' else length(value) <= 253 and value ~
      '^[a-z0-9.-]+$' end
  )
);
create index do_not_contact_latest_idx on public.do_not_contact (client_id, created_at desc, id);
create index do_not_contact_added_by_idx on public.do_not_contact (added_by);
grant select, delete on public.do_not_contact to authenticated;
grant all on public.do_not_contact to service_role;
alter table public.do_not_contact enable row level security;
create policy "Admins read all lists of whom to leave alone" on public.do_not_contact for select to authenticated
  using ((select private.is_admin()));
create policy "Members read whom their clients leave alone" on public.do_not_contact for select to authenticated
  using (client_id in (select private.clients_of_member()));
create policy "Team members read whom their clients leave alone" on public.do_not_contact for select to authenticated
  using (client_id in (select private.clients_of_team_member()));
create policy "Admins and assigned team members take entries off" on public.do_not_contact for delete to authenticated
  using ((select private.is_admin()) or client_id in (select private.clients_of_team_member()));
create policy "Members take off what they added" on public.do_not_contact for delete to authenticated
  using (added_by = (select private.user_id()) and client_id in (select private.clients_of_member()));

create trigger refuse_lookers before insert or update or delete on public.do_not_contact
  for each statement execute function private.refuse_lookers();

-- The two padded keys of HMAC (RFC 2104): each hash then costs two digests and no padding.
create table private.address_key (
  is_only boolean primary key default true check (is_only),
  inner_key bytea not null check (length(inner_key) = 64),
  outer_key bytea not null check (length(outer_key) = 64)
);
alter table private.address_key enable row level security;
comment on table private.address_key is 'Key of the hashes of email addresses.';

-- Adds entries to a client's list, or reports with `_is_trial` what it would do: {"new", "known", "refused", "examples":
-- [{"line", "state", "text", "reason"}]}, with the first hundred examples of each state. Addresses are shown as hints.
create function public.add_do_not_contact(_client_id uuid, _lines jsonb, _is_trial boolean) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  _most constant integer := 20000;
  _person constant uuid := private.user_id();
  _before integer;
  _answer jsonb;
begin
  perform private.works_for_client(_client_id);
  if jsonb_typeof(_lines) is distinct from 'array' or jsonb_array_length(_lines) > 5000 then
    raise exception 'Add at most 5,000 lines at a time.' using errcode = '22023';
  end if;
  -- Two who add at the same time wait for each other, so that the list stays under its limit.
  perform from public.clients where id = _client_id for no key update;
  select count(*) into _before from public.do_not_contact where client_id = _client_id;
  with judged as materialized (
    select *, row_number() over (partition by state order by line) as number
    from private.read_do_not_contact(_client_id, _lines)
  ), added as (
    insert into public.do_not_contact (client_id, kind, value, hint, added_by)
    select _client_id, kind, value, hint, _person from judged where state = 'new' and not _is_trial order by line
  )
  select jsonb_build_object(
    'new', count(*) filter (where state = 'new'), 'known', count(*) filter (where state = 'known'),
    'refused', count(*) filter (where state = 'refused'),
    'examples', coalesce(jsonb_agg(jsonb_build_object(
      'line', line, 'state', state, 'text', left(hint, 100), 'reason', reason
    ) order by line) filter (where number <= 100), '[]')
  ) into _answer from judged;
  if (_answer ->> 'new')::integer > 0 and _before + (_answer ->> 'new')::integer > _most then
    raise exception 'A list has at most 20,000 entries. Name domains instead of their addresses.' using errcode = 'P0001';
  end if;
  return _answer;
end
$$;
grant execute on function public.add_do_not_contact to authenticated, service_role;

-- Finds the entry that blocks an address or domain: itself, its domain, or a parent domain. Policies apply.
create function public.find_do_not_contact(_client_id uuid, _text text) returns table (
  id uuid, kind text, hint text, created_at timestamptz
) language sql stable set search_path = '' as $$
  select id, kind, hint, created_at from public.do_not_contact
  where client_id = _client_id and (
    kind = 'address' and value = private.hash_of_address(private.plain_entry(_text))
    or kind = 'domain' and value in (
      select array_to_string(labels[n:], '.')
      from (select string_to_array(regexp_replace(private.plain_entry(_text), '^.*@', ''), '.')) as parts (labels),
        generate_subscripts(labels, 1) as n
    )
  )
  order by kind, length(value) desc
$$;
grant execute on function public.find_do_not_contact to authenticated, service_role;

-- Lists a client's entries, newest first, with who added them and the total. Members do not see addresses of people.
create function public.list_do_not_contact(
  _client_id uuid, _limit integer default 24, _offset integer default 0
) returns table (
  id uuid, kind text, hint text, added_by text, created_at timestamptz, may_remove boolean, total integer
) language plpgsql stable security definer set search_path = '' as $$
declare
  _works_for constant boolean := private.works_for_client(_client_id);
begin
  return query
    select entry.id, entry.kind, entry.hint,
      coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), case when _works_for then users.email end, '')::text,
      entry.created_at, _works_for or coalesce(entry.added_by = private.user_id(), false),
      (select count(*)::integer from public.do_not_contact where client_id = _client_id)
    from (
      select * from public.do_not_contact where client_id = _client_id
      order by do_not_contact.created_at desc, do_not_contact.id
      limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0)
    ) as entry left join auth.users on users.id = entry.added_by
    order by entry.created_at desc, entry.id;
end
$$;
grant execute on function public.list_do_not_contact to authenticated, service_role;

-- Checks lines as entries: each is new, known or refused, with a reason. _lines: [{"line": 2, "text": "a@example.com"}].
-- Joins are written for any number of lines, which the planner cannot estimate.
create function private.read_do_not_contact(_client_id uuid, _lines jsonb) returns table (
  line integer, kind text, value text, hint text, state text, reason text
) language sql stable security definer set search_path = '' set enable_nestloop = off as $$
  with given as materialized (
    select (item ->> 'line')::integer as line, private.plain_entry(item ->> 'text') as text
    from jsonb_array_elements(_lines) as item
  ), sorted as (
    -- No counted repetitions: they make these expressions slower by the factor of the count.
    select line, text, case
      when length(text) > 320 or text ~ '^[=+@-]' or domain !~ '^([a-z0-9]([a-z0-9-]*[a-z0-9])?[.])+[a-z][a-z0-9-]*[a-z0-9]$'
        or length(domain) > 253 then null
      when text = domain then case when not private.is_mail_provider(text) then 'domain' end
      when length(text) - length(domain) <= 65 and text ~ '^[a-z0-9.!#$%&''+/=?^_`{|}~-]+@[^@]+$' then 'address'
    end as kind
    from given, lateral (select regexp_replace(text, '^[^@]*@', '')) as part (domain)
  ), read as (
    select line, text, kind, case kind when 'address' then private.hash_of_address(text) else text end as value,
      case kind when 'address' then left(text, 1) || '***@' || split_part(text, '@', 2) else left(text, 253) end as hint,
      min(line) over (partition by kind, text) as first_line
    from sorted
  )
  select read.line, read.kind, read.value, read.hint, case
      when read.kind is null then 'refused'
      when entry.id is not null or read.line > first_line then 'known'
      else 'new'
    end, case
      when read.kind is null and text ~ '^[=+@-]' then 'This begins like a formula.'
      when read.kind is null and text ~ '[*]' then 'Write the whole address, or the domain: * cannot replace a part of them.'
      when private.is_mail_provider(text) then 'Many people have their mail there. Name their addresses.'
      when read.kind is null and text ~ '@' then 'This is no email address.'
      when read.kind is null then 'This is neither an email address nor a domain such as example.com.'
      when entry.id is not null then 'On the list already.'
      when read.line > first_line then 'As on line ' || first_line || '.'
    end
  from read left join public.do_not_contact as entry
    on entry.client_id = _client_id and entry.value = read.value
$$;

-- Adds rows of a list to the block list: the company of `_domain`, and the people on `_lines`, whose addresses must be
-- known.
create function private.leave_alone(
  _client_id uuid, _approval_id uuid, _number integer, _lines integer[], _domain text
) returns void language plpgsql security definer set search_path = '' as $$
begin
  if exists (
    select from public.approval_rows
    where client_id = _client_id and approval_id = _approval_id and number = _number and line = any (_lines)
      and fingerprint is null
  ) then
    raise exception 'No address is known of this row. Take off its company to leave it alone.' using errcode = 'P0001';
  end if;
  -- As in add_do_not_contact(): under its lock the list stays under its limit.
  perform from public.clients where id = _client_id for no key update;
  insert into public.do_not_contact (client_id, kind, value, hint, added_by)
  select distinct on (entry.value) _client_id, entry.kind, entry.value, entry.hint, private.user_id()
  from public.approval_rows as item, lateral (
    select 'domain', item.domain, item.domain where item.domain = _domain and item.domain <> ''
    union all
    select 'address', item.fingerprint, item.hint where item.line = any (_lines) and item.fingerprint is not null
  ) as entry (kind, value, hint)
  where item.client_id = _client_id and item.approval_id = _approval_id and item.number = _number
  on conflict do nothing;
  if (select count(*) from public.do_not_contact where client_id = _client_id) > 20000 then
    raise exception 'A list has at most 20,000 entries. Name domains instead of their addresses.' using errcode = 'P0001';
  end if;
end
$$;

-- Normalises an entry: 'kari@rival.no' for 'Kari <Kari@rival.no>' and 'mailto:kari@rival.no?subject=x'; 'rival.no' for
-- '*@rival.no', '@rival.no', '*.rival.no', 'https://www.rival.no:443/x', '"rival.no"' and 'rival.no.'. A domain includes
-- its subdomains.
create function private.plain_entry(_text text) returns text language plpgsql immutable set search_path = '' as $$
declare
  _entry text := lower(btrim(left(_text, 400), E' \t\r\n'));
begin
  _entry := btrim(coalesce(substring(_entry from '<([^<>]*)>$'), _entry), E' \t\r\n"\'„“”‘’«»,;');
  if _entry ~ '^mailto:' then
    _entry := regexp_replace(_entry, '^mailto:|[?].*$', '', 'g');
  elsif _entry ~ '^[a-z][a-z0-9+.-]*://' then
    _entry := regexp_replace(regexp_replace(_entry, '^[^:]*://', ''), '^[^/?#@]*@|[/?#].*$', '', 'g');
  end if;
  if _entry !~ '@' or _entry ~ '^[*]?@' then
    _entry := regexp_replace(regexp_replace(_entry, '[/?#:].*$', ''), '^([*]?@)?([*]?[.])*', '');
    -- Not www.no, which is a domain itself.
    if _entry ~ '^www[.][^.]+[.]' then
      _entry := right(_entry, -4);
    end if;
  end if;
  return rtrim(_entry, '.');
end
$$;
grant execute on function private.plain_entry to authenticated, service_role;

-- Returns the stored hash of an address.
create function private.hash_of_address(_address text) returns text
language sql stable security definer set search_path = '' as $$
  select private.keyed_address_hash(encode(sha256(convert_to(lower(trim(_address)), 'UTF8')), 'hex'))
$$;
grant execute on function private.hash_of_address to authenticated, service_role;

-- HMAC-SHA256 of an SHA-256 hash. Without a key, an address could be guessed from its hash and hint. Hashes of before the
-- key were converted by it.
create function private.keyed_address_hash(_hash text) returns text
language sql stable security definer set search_path = '' as $$
  select encode(sha256(outer_key || sha256(inner_key || convert_to(_hash, 'UTF8'))), 'hex') from private.address_key
$$;

-- Blocks a person when a provider reports that they unsubscribed. The size limit of the list does not apply to objections.
create function private.add_do_not_contact_by_event() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.do_not_contact (client_id, kind, value, hint)
  values (new.client_id, 'address', new.person_hash, new.hint)
  on conflict do nothing;
  return null;
end
$$;

-- schemas/clients/files.sql

-- Files in the bucket client-files, in a folder per client. They are immutable, so that a decision about a file is about
-- its bytes. A trigger keeps the rows.
create table public.client_files (
  client_id uuid not null,
  -- Id of the storage object.
  id uuid not null,
  object_name text not null unique,
  -- Original name.
  name text not null check (length(name) between 1 and 200 and name !~ '[[:cntrl:]]'),
  mimetype text not null,
  -- In bytes.
  size bigint not null check (size >= 0),
  added_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
    constraint client_files_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  -- Hexadecimal; null if the storage reports no hash, as on a hosted project.
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  primary key (client_id, id),
  unique (client_id, object_name),
  check (object_name like client_id::text || '/%')
);
create index client_files_latest_idx on public.client_files (client_id, created_at desc, id);
create index client_files_added_by_idx on public.client_files (added_by);
grant select on public.client_files to authenticated;
grant all on public.client_files to service_role;
alter table public.client_files enable row level security;

alter table public.clients
  add foreign key (id, logo) references public.client_files (client_id, object_name) on delete set null (logo);

create policy "Admins read what files all clients have" on public.client_files for select to authenticated
  using ((select private.is_admin()));
create policy "Members read what files their clients have" on public.client_files for select to authenticated
  using (client_id in (select private.clients_of_member()));
create policy "Team members read what files their clients have" on public.client_files for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

-- Deletes a client's file, unless a version of an approval uses it.
create function public.delete_client_file(_client_id uuid, _file_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only those who work for this client may delete its files' using errcode = '42501';
  elsif exists (select from public.approval_versions where client_id = _client_id and file_id = _file_id) then
    raise exception 'The client was asked to approve this file. It stays with the approval.' using errcode = 'P0001';
  end if;
  delete from public.client_files where client_id = _client_id and id = _file_id;
end
$$;
grant execute on function public.delete_client_file to authenticated, service_role;

-- Deletes the bytes of a file whose row is deleted, also with its client.
create function private.drop_client_file() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  -- The storage of a hosted project refuses deletions past its API without this word.
  perform set_config('storage.allow_delete_query', 'true', true);
  delete from storage.objects where bucket_id = 'client-files' and name = old.object_name;
  return null;
end
$$;

-- Keeps the row of a file, at most 2,000 per client. Policies check that the client exists.
create function private.track_client_file() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _client uuid;
begin
  if tg_op = 'DELETE' then
    delete from public.client_files where object_name = old.name;
    return null;
  end if;
  select id into _client from public.clients where id::text = split_part(new.name, '/', 1) for no key update;
  if not found then
    return null;
  elsif (select count(*) from public.client_files where client_id = _client) >= 2000 then
    raise exception 'A client has at most 2,000 files. Delete some that no approval names.' using errcode = '42501';
  end if;
  insert into public.client_files (client_id, id, object_name, name, mimetype, size, sha256, added_by, created_at)
  values (
    _client, new.id, new.name,
    coalesce(nullif(private.one_line(new.user_metadata ->> 'name', 200), ''), right(split_part(new.name, '/', 2), 200)),
    coalesce(new.metadata ->> 'mimetype', ''), coalesce((new.metadata ->> 'size')::bigint, 0), new.metadata ->> 'sha256',
    (select id from auth.users where id::text = coalesce(new.owner_id, new.owner::text)), new.created_at
  )
  on conflict (client_id, id) do update set
    mimetype = excluded.mimetype, size = excluded.size, sha256 = excluded.sha256;
  return null;
end
$$;

-- Rejects changes of a stored file. A row without a size is an unfinished upload.
create function private.reject_changed_client_file() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  raise exception 'Files of clients cannot be changed. Upload the new file under another name.' using errcode = '42501';
end
$$;

create function private.keep_hash_of_client_file() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  select file.sha256 into new.file_sha256
  from public.approval_versions as version
    join public.client_files as file on file.client_id = version.client_id and file.id = version.file_id
  where version.client_id = new.client_id and version.approval_id = new.approval_id and version.number = new.number;
  return new;
end
$$;

create policy "Admins read all files of clients" on storage.objects for select to authenticated
  using (bucket_id = 'client-files' and (select private.is_admin()));
create policy "Members read the files of their clients" on storage.objects for select to authenticated
  using (bucket_id = 'client-files' and split_part(name, '/', 1) in (select id::text from private.clients_of_member() as id));
create policy "Team members read the files of their clients" on storage.objects
  for select to authenticated using (
    bucket_id = 'client-files' and split_part(name, '/', 1) in (select id::text from private.clients_of_team_member() as id)
  );
create policy "Admins and assigned team members bring files to clients" on storage.objects
  for insert to authenticated with check (
    bucket_id = 'client-files' and name ~ '^[^/]+/[^/]+$' and (
      (select private.is_admin()) and split_part(name, '/', 1) in (select id::text from public.clients)
      or split_part(name, '/', 1) in (select id::text from private.clients_of_team_member() as id)
    )
  );

create trigger track_client_file after insert or update of name, metadata on storage.objects
  for each row when (new.bucket_id = 'client-files') execute function private.track_client_file();
create trigger forget_client_file after delete on storage.objects
  for each row when (old.bucket_id = 'client-files') execute function private.track_client_file();

create trigger drop_client_file after delete on public.client_files for each row execute function private.drop_client_file();

create trigger reject_changed_client_file before update of bucket_id, name, version, metadata on storage.objects
  for each row
  when (
    (old.bucket_id = 'client-files' or new.bucket_id = 'client-files')
    and (old.metadata ->> 'size' is not null or old.bucket_id <> new.bucket_id or old.name <> new.name)
  )
  execute function private.reject_changed_client_file();

-- schemas/clients/approvals.sql

-- Texts, lists and files that wait for a client's approval. Versions are immutable, and a decision names the version that
-- the client read. Members decide; those who work for the client ask. Only the functions below write rows; they lock the
-- approval, so that nobody decides on a replaced version.
create table public.approvals (
  client_id uuid not null references public.clients (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  title text not null check (length(trim(title)) between 1 and 200 and title !~ '[[:cntrl:]]'),
  created_at timestamptz not null default now()
    constraint approvals_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  kind text not null default 'text' check (kind in ('text', 'list', 'file')),
  primary key (client_id, id)
);
grant select on public.approvals to authenticated;
grant all on public.approvals to service_role;
alter table public.approvals enable row level security;
create policy "Admins read all approvals" on public.approvals for select to authenticated using ((select private.is_admin()));
create policy "Members read what their clients are asked to approve" on public.approvals for select to authenticated
  using (client_id in (select private.clients_of_member()));
create policy "Team members read the approvals of their clients" on public.approvals for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

-- Foreign keys cascade in the order of their creation. A client's approvals are deleted before the files that they refer to.
alter table public.client_files add foreign key (client_id) references public.clients (id) on delete cascade;

create table public.approval_versions (
  client_id uuid not null,
  approval_id uuid not null,
  number integer not null check (number between 1 and 100),
  text text not null check (length(text) <= 20000 and text ~ '\S'),
  -- Date until which an answer is needed.
  due_on date constraint approval_versions_due_on_calendar check (due_on between '1900-01-01' and '2999-12-31'),
  asked_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
    constraint approval_versions_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  is_wording boolean not null default false,
  file_id uuid,
  primary key (client_id, approval_id, number),
  foreign key (client_id, approval_id) references public.approvals (client_id, id) on delete cascade,
  foreign key (client_id, file_id) references public.client_files (client_id, id)
);
create index approval_versions_asked_by_idx on public.approval_versions (asked_by);
create index approval_versions_file_idx on public.approval_versions (client_id, file_id);
grant select on public.approval_versions to authenticated;
grant all on public.approval_versions to service_role;
alter table public.approval_versions enable row level security;
comment on column public.approval_versions.is_wording is
  'Written by the person of the client who said yes to it at once; asked_by names them.';

alter table private.told_unread
  add foreign key (client_id, approval_id, number) references public.approval_versions (client_id, approval_id, number) on delete cascade;

create policy "Admins read all versions" on public.approval_versions for select to authenticated
  using ((select private.is_admin()));
create policy "Members read the versions that their clients are asked for" on public.approval_versions
  for select to authenticated using (client_id in (select private.clients_of_member()));
create policy "Team members read the versions of their clients" on public.approval_versions for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

create table public.approval_decisions (
  client_id uuid not null,
  approval_id uuid not null,
  number integer not null,
  verdict text not null check (verdict in ('yes', 'changes', 'no')),
  comment text not null default '' check (length(comment) <= 2000),
  decided_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
    constraint approval_decisions_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  -- Hash of the file as it was decided; null for texts and lists.
  file_sha256 text check (file_sha256 ~ '^[0-9a-f]{64}$'),
  primary key (client_id, approval_id, number),
  foreign key (client_id, approval_id, number)
    references public.approval_versions (client_id, approval_id, number) on delete cascade,
  check (verdict = 'yes' or comment ~ '\S')
);
create index approval_decisions_decided_by_idx on public.approval_decisions (decided_by);
grant select on public.approval_decisions to authenticated;
grant all on public.approval_decisions to service_role;
alter table public.approval_decisions enable row level security;
create policy "Admins read all decisions" on public.approval_decisions for select to authenticated
  using ((select private.is_admin()));
create policy "Members read the decisions of their clients" on public.approval_decisions for select to authenticated
  using (client_id in (select private.clients_of_member()));
create policy "Team members read the decisions of their clients" on public.approval_decisions for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

create trigger keep_hash_of_client_file before insert on public.approval_decisions
  for each row execute function private.keep_hash_of_client_file();

-- Comments of both sides on a version, or on a passage of its text. They decide nothing and are immutable. Internal notes
-- are in a table of their own.
create table public.approval_comments (
  client_id uuid not null,
  id uuid not null default gen_random_uuid(),
  approval_id uuid not null,
  number integer not null,
  -- The passage in the version; empty for the whole version.
  quote text not null default '' check (length(quote) <= 2000),
  text text not null check (text ~ '\S' and length(text) <= 2000),
  written_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
    constraint approval_comments_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, id),
  foreign key (client_id, approval_id, number)
    references public.approval_versions (client_id, approval_id, number) on delete cascade
);
create index approval_comments_version_idx on public.approval_comments (client_id, approval_id, number, created_at);
create index approval_comments_written_by_idx on public.approval_comments (written_by);
grant select on public.approval_comments to authenticated;
grant all on public.approval_comments to service_role;
alter table public.approval_comments enable row level security;
create policy "Admins read all comments" on public.approval_comments for select to authenticated
  using ((select private.is_admin()));
create policy "Members read the comments on what their clients approve" on public.approval_comments for select to authenticated
  using (client_id in (select private.clients_of_member()));
create policy "Team members read the comments of their clients" on public.approval_comments for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

-- Impersonation is read-only. Other writes need an account or the place of an approver, which an impersonated request
-- lacks.
create trigger refuse_lookers before insert or update or delete on public.approval_comments
  for each statement execute function private.refuse_lookers();

-- Asks a client to approve a text: a new one, or with `_approval_id` the next version. Returns the approval.
create function public.ask_for_approval(
  _client_id uuid, _title text, _text text, _due_on date default null, _approval_id uuid default null
) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  _version public.approval_versions;
begin
  _version := private.add_approval_version(_client_id, 'text', _title, _text, _due_on, _approval_id);
  if exists (
    select from public.approval_versions as former
    where former.client_id = _client_id and former.approval_id = _version.approval_id
      and former.number = _version.number - 1 and former.text = _text
  ) then
    raise exception 'The text is the same as before.' using errcode = 'P0001';
  end if;
  perform private.tell_client_of_approval(_version);
  return _version.approval_id;
end
$$;
grant execute on function public.ask_for_approval to authenticated, service_role;

-- Asks a client to approve one of its files: a new one, or with `_approval_id` the next version. Returns the approval.
create function public.ask_for_file_approval(
  _client_id uuid, _title text, _text text, _file_id uuid, _due_on date default null, _approval_id uuid default null
) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  _version public.approval_versions;
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only those who work for this client may ask' using errcode = '42501';
  elsif not exists (select from public.client_files where client_id = _client_id and id = _file_id) then
    raise exception 'There is no such file any more.' using errcode = 'P0001';
  end if;
  _version := private.add_approval_version(_client_id, 'file', _title, _text, _due_on, _approval_id, _file_id);
  perform private.tell_client_of_approval(_version);
  return _version.approval_id;
end
$$;
grant execute on function public.ask_for_file_approval to authenticated, service_role;

-- Decides on the version that a member read. Throws if there is a newer one or a decision. With `_wording`, that text
-- becomes the next version and is approved. Checks no rights: the caller has.
create function private.decide_approval(
  _client_id uuid, _approval_id uuid, _number integer, _verdict text, _comment text, _wording text, _person uuid
) returns void language plpgsql security definer set search_path = '' as $$
declare
  _said constant text := btrim(coalesce(_comment, ''), E' \t\r\n');
  _version public.approval_versions;
  _newest integer;
  _is_decided boolean;
  _decision public.approval_decisions;
begin
  select number, is_decided into _newest, _is_decided from private.lock_approval(_client_id, _approval_id);
  if _number is distinct from _newest then
    raise exception 'There is a newer version. Please read it first.' using errcode = 'P0001';
  elsif _is_decided then
    raise exception 'A colleague has decided this already.' using errcode = 'P0001';
  elsif _wording is not null and _verdict is distinct from 'changes' then
    raise exception 'Only a yes with changes has another wording.' using errcode = '22023';
  elsif _wording is null and _verdict in ('no', 'changes') and _said = '' then
    raise exception 'Please write what should be different.' using errcode = 'P0001';
  end if;
  if _wording is not null then
    select * into _version from public.approval_versions
    where client_id = _client_id and approval_id = _approval_id and number = _newest;
    if _wording = _version.text then
      raise exception 'The text is the same as before.' using errcode = 'P0001';
    elsif _newest >= 100 then
      raise exception 'A text has at most 100 versions. Write what should be different instead.' using errcode = 'P0001';
    end if;
    insert into public.approval_versions (client_id, approval_id, number, text, asked_by, is_wording)
    values (_client_id, _approval_id, _newest + 1, _wording, _person, true);
  end if;
  insert into public.approval_decisions (client_id, approval_id, number, verdict, comment, decided_by)
  values (
    _client_id, _approval_id, case when _wording is null then _newest else _newest + 1 end,
    case when _wording is null then _verdict else 'yes' end, _said, _person
  )
  returning * into _decision;
  perform private.tell_asker_of_decision(_decision);
end
$$;

-- Decides on the version that the caller read, see private.decide_approval().
create function public.decide_approval(
  _client_id uuid, _approval_id uuid, _number integer, _verdict text, _comment text default '', _wording text default null
) returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_approver(_client_id);
  perform private.decide_approval(_client_id, _approval_id, _number, _verdict, _comment, _wording, private.user_id());
end
$$;
grant execute on function public.decide_approval to authenticated, service_role;

-- Withdraws an approval, unless a version has been decided.
create function public.withdraw_approval(_client_id uuid, _approval_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only those who work for this client may withdraw' using errcode = '42501';
  end if;
  perform private.lock_approval(_client_id, _approval_id);
  if exists (select from public.approval_decisions where client_id = _client_id and approval_id = _approval_id) then
    raise exception 'The client has decided on this. Decisions stay.' using errcode = 'P0001';
  end if;
  delete from public.approvals where client_id = _client_id and id = _approval_id;
end
$$;
grant execute on function public.withdraw_approval to authenticated, service_role;

-- Lists a client's approvals with their newest and previous version: pending ones by due date, then decided ones, latest
-- first. Members do not see addresses of people.
create function public.list_approvals(_client_id uuid, _limit integer default 24, _offset integer default 0) returns table (
  id uuid, kind text, title text, number integer, text text, former_text text, is_wording boolean, row_count integer,
  veto_count integer, file jsonb, comment_count integer, due_on date, asked_by text, asked_at timestamptz, verdict text,
  comment text, decided_by text, decided_at timestamptz, may_withdraw boolean, waiting integer, total integer
) language plpgsql stable security definer set search_path = '' as $$
declare
  _works_for constant boolean := private.works_for_client(_client_id);
begin
  return query
    with newest as (
      select approval.id, approval.kind, approval.title, version.number, version.text, version.is_wording, version.file_id, version.due_on, version.asked_by,
        version.created_at as asked_at, decision.verdict, decision.comment, decision.decided_by,
        decision.created_at as decided_at
      from public.approvals as approval
        join lateral (
          select * from public.approval_versions as any_version
          where any_version.client_id = _client_id and any_version.approval_id = approval.id
          order by any_version.number desc limit 1
        ) as version on true
        left join public.approval_decisions as decision
          on decision.client_id = _client_id and decision.approval_id = approval.id and decision.number = version.number
      where approval.client_id = _client_id
    ), shown as (
      select *, count(*) over ()::integer as total, count(*) filter (where newest.verdict is null) over ()::integer as waiting
      from newest
      order by newest.verdict is not null, newest.decided_at desc, newest.due_on nulls last, newest.asked_at, newest.id
      limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0)
    )
    select shown.id, shown.kind, shown.title, shown.number, shown.text, former.text, shown.is_wording,
      (
        select count(*)::integer from public.approval_rows as item
        where item.client_id = _client_id and item.approval_id = shown.id and item.number = shown.number
      ),
      (
        select count(*)::integer from public.approval_vetoes as veto
        where veto.client_id = _client_id and veto.approval_id = shown.id and veto.number = shown.number
      ),
      (
        select jsonb_build_object('object_name', file.object_name, 'name', file.name, 'mimetype', file.mimetype, 'size', file.size)
        from public.client_files as file where file.client_id = _client_id and file.id = shown.file_id
      ),
      (
        select count(*)::integer from public.approval_comments as comment
        where comment.client_id = _client_id and comment.approval_id = shown.id
      ),
      shown.due_on,
      coalesce(nullif(private.name_of(asker.raw_user_meta_data), ''), case when _works_for then asker.email end, '')::text,
      shown.asked_at, shown.verdict, shown.comment,
      coalesce(nullif(private.name_of(decider.raw_user_meta_data), ''), case when _works_for then decider.email end, '')::text,
      shown.decided_at,
      _works_for and not exists (
        select from public.approval_decisions as any_decision
        where any_decision.client_id = _client_id and any_decision.approval_id = shown.id
      ),
      shown.waiting, shown.total
    from shown
      left join public.approval_versions as former
        on former.client_id = _client_id and former.approval_id = shown.id and former.number = shown.number - 1
      left join auth.users as asker on asker.id = shown.asked_by
      left join auth.users as decider on decider.id = shown.decided_by
    order by shown.verdict is not null, shown.decided_at desc, shown.due_on nulls last, shown.asked_at, shown.id;
end
$$;
grant execute on function public.list_approvals to authenticated, service_role;

-- Comments on a version, or with `_quote` on a passage. Open to viewers and those who work for the client. Returns the
-- comment.
create function public.comment_on_version(
  _client_id uuid, _approval_id uuid, _number integer, _text text, _quote text default ''
) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  _id uuid;
begin
  perform private.works_for_client(_client_id);
  perform private.lock_approval(_client_id, _approval_id);
  if _quote <> '' and not exists (
    select from public.approval_versions
    where client_id = _client_id and approval_id = _approval_id and number = _number and position(_quote in text) > 0
  ) then
    raise exception 'This passage is not in that version. Please read it again.' using errcode = 'P0001';
  elsif (select count(*) from public.approval_comments where client_id = _client_id and approval_id = _approval_id) >= 500 then
    raise exception 'There are 500 comments. Please talk to each other.' using errcode = 'P0001';
  end if;
  insert into public.approval_comments (client_id, approval_id, number, quote, text, written_by)
  values (_client_id, _approval_id, _number, coalesce(_quote, ''), btrim(_text, E' \t\r\n'), private.user_id()) returning id into _id;
  return _id;
end
$$;
grant execute on function public.comment_on_version to authenticated, service_role;

-- Lists the comments on all versions of an approval, oldest first. Members do not see addresses of people.
create function public.list_comments(_client_id uuid, _approval_id uuid) returns table (
  id uuid, number integer, quote text, text text, written_by text, is_team boolean, created_at timestamptz
) language plpgsql stable security definer set search_path = '' as $$
declare
  _works_for constant boolean := private.works_for_client(_client_id);
begin
  return query
    select comment.id, comment.number, comment.quote, comment.text,
      coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), case when _works_for then users.email end, '')::text,
      coalesce(roles.role in ('team', 'admin'), false), comment.created_at
    from public.approval_comments as comment
      left join auth.users on users.id = comment.written_by
      left join public.user_roles as roles on roles.user_id = comment.written_by
    where comment.client_id = _client_id and comment.approval_id = _approval_id
    order by comment.created_at, comment.id;
end
$$;
grant execute on function public.list_comments to authenticated, service_role;

-- Adds a pending version to a new approval or to the given one. Throws unless the caller works for the client. Sends no
-- mail.
create function private.add_approval_version(
  _client_id uuid, _kind text, _title text, _text text, _due_on date, _approval_id uuid, _file_id uuid default null
) returns public.approval_versions language plpgsql security definer set search_path = '' as $$
declare
  _id uuid := _approval_id;
  _newest integer := 0;
  _version public.approval_versions;
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only those who work for this client may ask' using errcode = '42501';
  end if;
  if _id is null then
    -- Two who ask at the same time wait for each other, so that the number stays under its limit.
    perform from public.clients where id = _client_id for no key update;
    if (select count(*) from public.approvals where client_id = _client_id) >= 2000 then
      raise exception 'A client has at most 2,000 approvals. Withdraw some that nobody decided.' using errcode = 'P0001';
    end if;
    insert into public.approvals (client_id, title, kind) values (_client_id, trim(_title), _kind) returning id into _id;
  else
    select number into _newest from private.lock_approval(_client_id, _id);
    if not exists (select from public.approvals where client_id = _client_id and id = _id and kind = _kind) then
      raise exception 'The next version is of the same kind.' using errcode = '22023';
    elsif _newest >= 100 then
      raise exception 'There are at most 100 versions. Ask for something new.' using errcode = 'P0001';
    end if;
    update public.approvals set title = trim(_title) where client_id = _client_id and id = _id and title <> trim(_title);
  end if;
  insert into public.approval_versions (client_id, approval_id, number, text, file_id, due_on, asked_by)
  values (_client_id, _id, _newest + 1, _text, _file_id, _due_on, private.user_id()) returning * into _version;
  return _version;
end
$$;

-- A text that a member words differently becomes the next version, which their decision approves. Lists are changed by
-- rejecting rows instead.
create function private.check_wording() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from public.approvals where client_id = new.client_id and id = new.approval_id and kind = 'text') then
    raise exception 'Only a text is worded anew. Please write what should be different.' using errcode = 'P0001';
  end if;
  return null;
end
$$;

-- Locks an approval until the transaction ends. Returns its newest version and whether that is decided.
create function private.lock_approval(
  _client_id uuid, _approval_id uuid, out number integer, out is_decided boolean
) returns record language plpgsql security definer set search_path = '' as $$
begin
  perform from public.approvals where client_id = _client_id and id = _approval_id for update;
  if not found then
    raise exception 'There is no such approval any more.' using errcode = 'P0001';
  end if;
  select version.number, decision.number is not null into lock_approval.number, lock_approval.is_decided
  from public.approval_versions as version
    left join public.approval_decisions as decision using (client_id, approval_id, number)
  where version.client_id = _client_id and version.approval_id = _approval_id
  order by version.number desc limit 1;
end
$$;

-- Mails the approvers about a version, each with a link for their present address.
create function private.tell_client_of_approval(_version public.approval_versions) returns void
language sql security definer set search_path = '' as $$
  -- Found first, or the planner could count for addresses of others.
  with people as materialized (
    select user_id, email, clients.name as client, approvals.title, approvals.kind
    from private.members_to_tell(_version.client_id, 'waiting'), public.clients
      join public.approvals on approvals.client_id = clients.id and approvals.id = _version.approval_id
    where clients.id = _version.client_id
  ), mailed as materialized (
    select *, replace(gen_random_uuid()::text || gen_random_uuid(), '-', '') as token, case
      when private.count_for_subject('approval mail', lower(email), 19, interval '1 day') then ''
      when private.count_for_subject('approval mail', lower(email), 20, interval '1 day')
        then 'This is the last of these mails today. Whatever else waits for you stands on your dashboard.'
    end as more
    from people
  ), linked as (
    insert into private.approval_links (token_hash, client_id, approval_id, number, user_id, address_hash)
    select hash, _version.client_id, _version.approval_id, _version.number, user_id,
      private.hash_of_link(hash || lower(email))
    from mailed, private.hash_of_link(token) as hash where more is not null
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'approval_asked', jsonb_build_object(
    'Email', email, 'Title', title, 'Client', client, 'More', more,
    'Path', '/approve/' || token,
    'Access', 'The button needs no password for 14 days, in the browser that shows it first: do not forward this mail.',
    'What', case kind when 'text' then 'We wrote a text' when 'list' then 'We made a list' else 'We have a file' end,
    'Version', case
      when _version.number = 1 then ''
      when kind = 'text' then 'This is version ' || _version.number || ', with what changed marked.'
      else 'This is version ' || _version.number || '.'
    end,
    'Due', case
      when _version.due_on is null then ''
      else 'We need your answer by ' || to_char(_version.due_on, 'FMDD FMMonth YYYY') || '.'
    end
  )
  from mailed where more is not null
$$;

-- Mails the decision to the person who asked last. At most 100 mails a day.
create function private.tell_asker_of_decision(_decision public.approval_decisions) returns void
language sql security definer set search_path = '' as $$
  with asker as materialized (
    select users.id, users.email, approvals.title, clients.name as client, decided.is_wording
    from public.approval_versions as decided
      join public.approvals on approvals.client_id = decided.client_id and approvals.id = decided.approval_id
      join public.clients on clients.id = decided.client_id
      join lateral (
        select asked_by from public.approval_versions as version
        where version.client_id = decided.client_id and version.approval_id = decided.approval_id
          and version.number <= decided.number and not version.is_wording
        order by version.number desc limit 1
      ) as asked on true
      join public.user_roles on user_roles.user_id = asked.asked_by and role in ('team', 'admin') and approved
      join auth.users on users.id = asked.asked_by
    where decided.client_id = _decision.client_id and decided.approval_id = _decision.approval_id
      and decided.number = _decision.number and users.email <> ''
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'approval_decided', jsonb_build_object(
    'Email', email, 'Title', title, 'Client', client, 'Message', _decision.comment,
    'Path', private.team_path(id, _decision.client_id, 'approval-' || _decision.approval_id),
    'Verdict', case
      when is_wording then 'Approved with changes'
      when _decision.verdict = 'yes' then 'Approved'
      when _decision.verdict = 'changes' then 'Asked for changes'
      else 'Declined'
    end
  )
  from asker where private.count_for_subject('decision mail', lower(email), 100, interval '1 day')
$$;

create function private.approval_version_hash(_version public.approval_versions, _file_sha256 text) returns text
language sql immutable set search_path = '' as $$
  select case when _version.file_id is null then encode(sha256(convert_to(_version.text, 'UTF8')), 'hex') else _file_sha256 end
$$;

create trigger check_wording after insert on public.approval_versions
  for each row when (new.is_wording) execute function private.check_wording();

-- schemas/clients/approval-lists.sql

-- Lists of people and companies for approval. The rows of a version are immutable; its text describes the list. Members can
-- reject rows and companies, and block them from all campaigns. Of an address only a hash and a hint are stored, as in
-- do_not_contact.
create table public.approval_rows (
  client_id uuid not null,
  approval_id uuid not null,
  number integer not null,
  -- Line in the imported file.
  line integer not null check (line between 1 and 1000000),
  company text not null default '' check (length(company) <= 200),
  domain text not null default '' check (length(domain) <= 253 and domain ~ '^[a-z0-9.-]*$'),
  -- Name and position.
  person text not null default '' check (length(person) <= 400),
  -- private.hash_of_address() of the address.
  fingerprint text check (fingerprint ~ '^[0-9a-f]{64}$'),
  hint text not null default '' check (length(hint) <= 260),
  note text not null default '' check (length(note) <= 500),
  primary key (client_id, approval_id, number, line),
  foreign key (client_id, approval_id, number)
    references public.approval_versions (client_id, approval_id, number) on delete cascade
);
grant select on public.approval_rows to authenticated;
grant all on public.approval_rows to service_role;
alter table public.approval_rows enable row level security;
create policy "Admins read the rows of all lists" on public.approval_rows for select to authenticated
  using ((select private.is_admin()));
create policy "Members read the rows that their clients are asked for" on public.approval_rows for select to authenticated
  using (client_id in (select private.clients_of_member()));
create policy "Team members read the rows of their clients" on public.approval_rows for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

-- Rows that the client rejected. They can be restored until the decision.
create table public.approval_vetoes (
  client_id uuid not null,
  approval_id uuid not null,
  number integer not null,
  line integer not null,
  vetoed_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
    constraint approval_vetoes_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, approval_id, number, line),
  foreign key (client_id, approval_id, number, line)
    references public.approval_rows (client_id, approval_id, number, line) on delete cascade
);
create index approval_vetoes_vetoed_by_idx on public.approval_vetoes (vetoed_by);
grant select on public.approval_vetoes to authenticated;
grant all on public.approval_vetoes to service_role;
alter table public.approval_vetoes enable row level security;
create policy "Admins read what all clients took off" on public.approval_vetoes for select to authenticated
  using ((select private.is_admin()));
create policy "Members read what their clients took off" on public.approval_vetoes for select to authenticated
  using (client_id in (select private.clients_of_member()));
create policy "Team members read what their clients took off" on public.approval_vetoes for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

-- Asks a client to approve a list, or reports with `_is_trial` what it would do: {"id", "new", "refused", "companies",
-- "examples": [{"line", "state", "text", "reason"}]}, with the first hundred examples of each state. Addresses are shown as
-- hints.
create function public.ask_for_list_approval(
  _client_id uuid, _title text, _text text, _rows jsonb, _is_trial boolean, _due_on date default null,
  _approval_id uuid default null
) returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  _version public.approval_versions;
  _answer jsonb;
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only those who work for this client may ask' using errcode = '42501';
  elsif jsonb_typeof(_rows) is distinct from 'array' or jsonb_array_length(_rows) > 5000 then
    raise exception 'A list has at most 5,000 rows. Ask for it in parts.' using errcode = '22023';
  end if;
  if not _is_trial then
    _version := private.add_approval_version(_client_id, 'list', _title, _text, _due_on, _approval_id);
  end if;
  with judged as materialized (
    select *, row_number() over (partition by state order by line) as place
    from private.read_list_rows(_client_id, _approval_id, _rows)
  ), added as (
    insert into public.approval_rows (client_id, approval_id, number, line, company, domain, person, note, fingerprint, hint)
    select _client_id, _version.approval_id, _version.number, line, company, domain, person, coalesce(note, ''), fingerprint, hint
    from judged
      left join (
        select (item ->> 'line')::integer as line, private.one_line(item ->> 'note', 500) as note
        from jsonb_array_elements(_rows) as item
      ) as given using (line)
    where state = 'new' and not _is_trial
  )
  select jsonb_build_object(
    'id', _version.approval_id, 'new', count(*) filter (where state = 'new'),
    'refused', count(*) filter (where state = 'refused'),
    'companies', count(distinct nullif(domain, '')) filter (where state = 'new'),
    'examples', coalesce(jsonb_agg(jsonb_build_object(
      'line', line, 'state', state, 'reason', reason,
      'text', left(coalesce(nullif(concat_ws(', ', nullif(person, ''), nullif(company, ''), nullif(hint, '')), ''), domain), 200)
    ) order by line) filter (where place <= 100), '[]')
  ) into _answer from judged;
  if not _is_trial then
    if (_answer ->> 'new')::integer = 0 then
      raise exception 'No row of this list can be asked for.' using errcode = 'P0001';
    end if;
    perform private.tell_client_of_approval(_version);
  end if;
  return _answer;
end
$$;
grant execute on function public.ask_for_list_approval to authenticated, service_role;

create function private.list_approval_rows(
  _client_id uuid, _approval_id uuid, _number integer, _search text, _only_vetoed boolean, _limit integer, _offset integer
) returns table (
  line integer, company text, domain text, person text, note text, hint text, is_vetoed boolean, of_company integer,
  total integer
) language sql stable security definer set search_path = '' as $$
  with all_rows as materialized (
    select item.line, item.company, item.domain, item.person, item.note, item.hint, veto.line is not null as is_vetoed,
      case when item.domain = '' then 1 else count(*) over (partition by item.domain) end::integer as of_company
    from public.approval_rows as item
      left join public.approval_vetoes as veto
        on veto.client_id = _client_id and veto.approval_id = _approval_id and veto.number = _number
          and veto.line = item.line
    where item.client_id = _client_id and item.approval_id = _approval_id and item.number = _number
  )
  select all_rows.*, count(*) over ()::integer
  from all_rows
  where (not _only_vetoed or all_rows.is_vetoed)
    and position(lower(trim(left(_search, 200))) in lower(concat_ws(' ', all_rows.company, all_rows.domain, all_rows.person, all_rows.note, all_rows.hint))) > 0
  order by all_rows.line
  limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0)
$$;

-- Lists rows of a version by line, optionally matching `_search` or only rejected ones. Includes the number of rows of each
-- company, of all rows, and of rejected rows.
create function public.list_approval_rows(
  _client_id uuid, _approval_id uuid, _number integer, _search text default '', _only_vetoed boolean default false,
  _limit integer default 24, _offset integer default 0
) returns table (
  line integer, company text, domain text, person text, note text, hint text, is_vetoed boolean, of_company integer,
  total integer
) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.works_for_client(_client_id);
  return query
    select * from private.list_approval_rows(_client_id, _approval_id, _number, _search, _only_vetoed, _limit, _offset);
end
$$;
grant execute on function public.list_approval_rows to authenticated, service_role;

-- Rejects rows of a pending list: those on `_lines`, or all of a company with `_domain`. `_and_leave_alone` also blocks
-- them from the client's campaigns, companies by domain and people by address. Returns how many. `_is_back` restores rows,
-- but does not unblock.
create function public.veto_rows(
  _client_id uuid, _approval_id uuid, _number integer, _lines integer[] default '{}'::integer[], _domain text default null,
  _and_leave_alone boolean default false, _is_back boolean default false
) returns integer language plpgsql security definer set search_path = '' as $$
declare
  _count integer;
begin
  perform private.require_approver(_client_id);
  _count := private.veto_rows(_client_id, _approval_id, _number, _lines, _domain, _is_back, private.user_id());
  if _and_leave_alone and not _is_back then
    perform private.leave_alone(_client_id, _approval_id, _number, _lines, _domain);
  end if;
  return _count;
end
$$;
grant execute on function public.veto_rows to authenticated, service_role;

-- Rejects or restores rows of a pending list. The caller has checked the rights of `_person`.
create function private.veto_rows(
  _client_id uuid, _approval_id uuid, _number integer, _lines integer[], _domain text, _is_back boolean, _person uuid
) returns integer language plpgsql security definer set search_path = '' as $$
declare
  _newest integer;
  _is_decided boolean;
  _count integer;
begin
  if cardinality(_lines) > 5000 then
    raise exception 'A list has at most 5,000 rows.' using errcode = '22023';
  end if;
  select number, is_decided into _newest, _is_decided from private.lock_approval(_client_id, _approval_id);
  if _number is distinct from _newest then
    raise exception 'There is a newer version. Please read it first.' using errcode = 'P0001';
  elsif _is_decided then
    raise exception 'A colleague has decided this already.' using errcode = 'P0001';
  end if;
  if _is_back then
    delete from public.approval_vetoes as veto using public.approval_rows as item
    where veto.client_id = _client_id and veto.approval_id = _approval_id and veto.number = _number
      and item.client_id = _client_id and item.approval_id = _approval_id and item.number = _number
      and item.line = veto.line and (item.line = any (_lines) or item.domain = nullif(_domain, ''));
    get diagnostics _count = row_count;
    return _count;
  end if;
  insert into public.approval_vetoes (client_id, approval_id, number, line, vetoed_by)
  select _client_id, _approval_id, _number, line, _person from public.approval_rows
  where client_id = _client_id and approval_id = _approval_id and number = _number
    and (line = any (_lines) or domain = nullif(_domain, ''))
  on conflict do nothing;
  get diagnostics _count = row_count;
  return _count;
end
$$;

-- Checks lines of a list: each is new, or refused with a reason. _rows: [{"line": 2, "company": "Acme", "domain":
-- "acme.no", "person": "Kari Moe, CEO", "address": "kari@acme.no"}]. Joins are written for any number of lines, which the
-- planner cannot estimate.
create function private.read_list_rows(_client_id uuid, _approval_id uuid, _rows jsonb) returns table (
  line integer, company text, domain text, person text, fingerprint text, hint text, state text, reason text
) language sql stable security definer set search_path = '' set enable_nestloop = off as $$
  with given as materialized (
    select (item ->> 'line')::integer as line, private.one_line(item ->> 'company', 200) as company,
      private.one_line(item ->> 'person', 400) as person,
      coalesce(item ->> 'address', '') as address,
      case when private.is_mail_provider(lower(trim(item ->> 'domain'))) then '' else coalesce(item ->> 'domain', '') end as domain
    from jsonb_array_elements(_rows) as item
  ), read_address as (
    select line, kind, value, hint, reason from private.read_do_not_contact(_client_id, (
      select jsonb_agg(jsonb_build_object('line', line, 'text', address)) from given where address <> ''
    ))
  ), read_domain as (
    select line, kind, value, reason from private.read_do_not_contact(_client_id, (
      select jsonb_agg(jsonb_build_object('line', line, 'text', domain)) from given where domain <> ''
    ))
  ), read as materialized (
    select given.line, given.company, given.person,
      case when read_address.kind = 'address' then read_address.value end as fingerprint,
      case when read_address.kind = 'address' then read_address.hint else '' end as hint,
      coalesce(
        case when read_domain.kind = 'domain' then read_domain.value end,
        case
          when read_address.kind = 'address' and not private.is_mail_provider(split_part(read_address.hint, '@', 2))
            then split_part(read_address.hint, '@', 2)
        end, ''
      ) as domain,
      case
        when address = '' and given.domain = '' then 'There is neither an email address nor a domain.'
        when address <> '' and read_address.kind is distinct from 'address' then
          case when address ~ '^\s*[=+@-]' then 'This begins like a formula.' else 'This is no email address.' end
        when given.domain <> '' and read_domain.kind is distinct from 'domain' then
          'This is no domain such as example.com.'
      end as fault
    from given left join read_address using (line) left join read_domain using (line)
  ), kept_off as (
    -- Each domain with those above it: an entry counts for all that is below.
    select named.line, min(entry.hint) as hint
    from (
      select line, array_to_string((string_to_array(name, '.'))[n:], '.') as value
      from (
        select line, domain as name from read where domain <> ''
        union select line, split_part(hint, '@', 2) from read where hint <> ''
      ) as names, lateral generate_subscripts(string_to_array(name, '.'), 1) as n
      union all
      select line, fingerprint from read where fingerprint is not null
    ) as named
      join public.do_not_contact as entry on entry.client_id = _client_id and entry.value = named.value
    group by named.line
  ), vetoed as (
    select coalesce(item.fingerprint, item.domain || ' ' || lower(item.person)) as who, max(item.number) as number
    from public.approval_rows as item
      join public.approval_vetoes as veto using (client_id, approval_id, number, line)
    where item.client_id = _client_id and item.approval_id = _approval_id
    group by 1
  ), judged as (
    select read.*, min(read.line) over (partition by coalesce(fingerprint, domain || ' ' || lower(person)), fault) as first_line,
      kept_off.hint as kept_off_by, vetoed.number as vetoed_in
    from read
      left join kept_off using (line)
      left join vetoed on vetoed.who = coalesce(fingerprint, domain || ' ' || lower(person))
  )
  select line, company, domain, person, fingerprint, hint,
    case when fault is null and kept_off_by is null and vetoed_in is null and line = first_line then 'new' else 'refused' end,
    case
      when fault is not null then fault
      when kept_off_by is not null then 'Not to be contacted: ' || kept_off_by || '.'
      when vetoed_in is not null then 'The client took this off version ' || vetoed_in || '.'
      when line > first_line then 'As on line ' || first_line || '.'
    end
  from judged
$$;

-- schemas/clients/approval-links.sql

-- Links in mails with which an approver decides on one version without signing in, once.
create table private.approval_links (
  -- SHA-256 of the token, which only the mail contains.
  token_hash text primary key check (token_hash ~ '^[0-9a-f]{64}$'),
  client_id uuid not null,
  approval_id uuid not null,
  number integer not null,
  user_id uuid not null references auth.users (id) on delete cascade,
  -- SHA-256 of a secret in the browser that opened the link first: a forwarded link shows nothing.
  holder_hash text check (holder_hash ~ '^[0-9a-f]{64}$'),
  used_at timestamptz,
  expires_at timestamptz not null default (now() + '14 days'),
  address_hash text not null check (address_hash ~ '^[0-9a-f]{64}$'),
  foreign key (client_id, approval_id, number)
    references public.approval_versions (client_id, approval_id, number) on delete cascade,
  foreign key (client_id, user_id) references public.client_members (client_id, user_id) on delete cascade
);
create index approval_links_version_idx on private.approval_links (client_id, approval_id, number);
create index approval_links_user_idx on private.approval_links (user_id, client_id);
create index approval_links_expires_idx on private.approval_links (expires_at);
alter table private.approval_links enable row level security;
comment on table private.approval_links is 'Links in mails that open one version for one approver.';

-- Opens the link for one browser, after a click of its reader. Other browsers cannot open it afterwards.
create function public.open_approval_link(_token text, _holder text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  _found record;
  _link private.approval_links;
  _newest integer;
begin
  _found := private.approval_link_of(_token, _holder);
  _link := _found.link;
  if _found.refusal is not null then
    return jsonb_build_object('refusal', _found.refusal);
  end if;
  update private.approval_links set holder_hash = private.hash_of_link(_holder)
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
      'person', coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), users.email::text)
    )
    from public.approval_versions as version
      join public.approvals on approvals.client_id = version.client_id and approvals.id = version.approval_id
      join public.clients on clients.id = version.client_id
      join auth.users on users.id = _link.user_id
      left join public.approval_versions as former on former.client_id = version.client_id
        and former.approval_id = version.approval_id and former.number = version.number - 1
      left join public.approval_decisions as decision on decision.client_id = version.client_id
        and decision.approval_id = version.approval_id and decision.number = version.number
    where version.client_id = _link.client_id and version.approval_id = _link.approval_id and version.number = _link.number
  );
end
$$;
grant execute on function public.open_approval_link to anon, authenticated, service_role;

-- Decides on the linked version as the link's recipient. Returns the reason if it cannot, else null.
create function public.decide_by_link(
  _token text, _holder text, _verdict text, _comment text default '', _wording text default null
) returns text language plpgsql security definer set search_path = '' as $$
declare
  _found record;
  _link private.approval_links;
begin
  _found := private.approval_link_of(_token, _holder);
  _link := _found.link;
  if _found.refusal is not null then
    return _found.refusal;
  elsif _link.holder_hash is null then
    return 'Please read it first.';
  elsif _link.used_at is not null then
    return 'This link was used already. Sign in to see what you decided.';
  end if;
  perform private.decide_approval(
    _link.client_id, _link.approval_id, _link.number, _verdict, _comment, _wording, _link.user_id
  );
  update private.approval_links set used_at = now() where token_hash = _link.token_hash;
  return null;
end
$$;
grant execute on function public.decide_by_link to anon, authenticated, service_role;

-- Lists a page of the linked version's rows, for the browser that opened the link.
create function public.list_rows_by_link(
  _token text, _holder text, _search text default '', _only_vetoed boolean default false, _limit integer default 24,
  _offset integer default 0
) returns table (
  line integer, company text, domain text, person text, note text, hint text, is_vetoed boolean, of_company integer,
  total integer
) language sql stable security definer set search_path = '' as $$
  select page.* from private.held_approval_link(_token, _holder) as link,
    lateral private.list_approval_rows(
      link.client_id, link.approval_id, link.number, _search, _only_vetoed, _limit, _offset
    ) as page
$$;
grant execute on function public.list_rows_by_link to anon, authenticated, service_role;

-- Rejects rows of the linked list as the link's recipient, until the link has decided. Returns how many.
create function public.veto_by_link(
  _token text, _holder text, _lines integer[] default '{}'::integer[], _domain text default null, _is_back boolean default false
) returns integer language plpgsql security definer set search_path = '' as $$
declare
  _link constant private.approval_links := private.held_approval_link(_token, _holder);
begin
  if _link.token_hash is null or _link.used_at is not null then
    raise exception 'This link has ended. Sign in to see what waits for you.' using errcode = 'P0001';
  end if;
  return private.veto_rows(
    _link.client_id, _link.approval_id, _link.number, _lines, _domain, _is_back, _link.user_id
  );
end
$$;
grant execute on function public.veto_by_link to anon, authenticated, service_role;

-- Finds and locks the link for the browser that holds it. Recipients who lost the right to decide have no link. Returns the
-- refusal instead of raising it: an exception would undo the count of attempts.
create function private.approval_link_of(
  _token text, _holder text, out link private.approval_links, out refusal text
) returns record language plpgsql security definer set search_path = '' as $$
begin
  if not private.count_for_address('approval link', private.client_address(), 60, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'Too many tries from your network. Please wait an hour, or sign in.';
  elsif coalesce(length(_holder), 0) not between 32 and 100 then
    raise exception 'A browser holds between 32 and 100 characters.' using errcode = '22023';
  end if;
  select found.* into link from private.approval_links as found
  where found.token_hash = private.hash_of_link(left(_token, 200)) for update;
  if link.token_hash is null or not private.is_approval_link_live(link) then
    refusal := 'This link has ended. Sign in to see what waits for you.';
  elsif link.holder_hash <> private.hash_of_link(_holder) then
    refusal := 'This link was opened in another browser. Use that one, or sign in.';
  end if;
end
$$;

-- Finds the link that this browser opened. Counts no attempts: without the holder's secret a link shows nothing.
create function private.held_approval_link(_token text, _holder text) returns private.approval_links
language sql stable security definer set search_path = '' as $$
  select link from private.approval_links as link
  where link.token_hash = private.hash_of_link(left(_token, 200))
    and link.holder_hash = private.hash_of_link(left(_holder, 200)) and private.is_approval_link_live(link)
$$;

-- Whether the recipient may still use the link.
create function private.is_approval_link_live(_link private.approval_links) returns boolean
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

-- Returns the file of the link in the request's header (token, slash, holder's secret); null for other requests.
create function private.file_by_link() returns text language sql stable security definer set search_path = '' as $$
  select file.object_name
  from (select nullif(current_setting('request.headers', true), '')::json ->> 'x-approval-link') as request (header),
    lateral private.held_approval_link(split_part(header, '/', 1), split_part(header, '/', 2)) as link
    join public.approval_versions as version on version.client_id = link.client_id
      and version.approval_id = link.approval_id and version.number = link.number
    join public.client_files as file on file.client_id = version.client_id and file.id = version.file_id
  where header is not null
$$;
grant execute on function private.file_by_link to anon;

create function private.hash_of_link(_secret text) returns text
language sql immutable set search_path = '' as $$ select encode(sha256(convert_to(_secret, 'UTF8')), 'hex') $$;

-- An expired link explains itself for a month.
create function private.delete_old_approval_links(_at_most integer default null) returns integer
language sql security definer set search_path = '' as $$
  with deleted as (
    delete from private.approval_links where token_hash in (
      select token_hash from private.approval_links
      where expires_at < now() - interval '30 days' order by expires_at limit _at_most
    ) returning 1
  )
  select count(*)::integer from deleted
$$;

create policy "Holders of a link see the file that it is to" on storage.objects for select to anon
  using (bucket_id = 'client-files' and name = (select private.file_by_link()));

-- schemas/clients/meetings.sql

-- Ledger of meetings from campaigns. Those who work for the client keep it. After a meeting was held or missed, members
-- have 14 days to accept or dispute that. Only the functions below write rows; deleting is a policy.
create table public.client_meetings (
  client_id uuid not null references public.clients (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  starts_at timestamptz constraint client_meetings_starts_at_calendar check (starts_at between '1900-01-01' and '2999-12-31'),
  -- Name and company of the person.
  met_with text not null,
  outcome text not null check (outcome in ('booked', 'held', 'no_show')),
  -- How the meeting is known: the invitation, a recording, a reply.
  evidence text not null default '' check (length(evidence) <= 2000),
  -- Deadline of the client's answer; null while the meeting is booked.
  answer_until timestamptz
    constraint client_meetings_answer_until_calendar check (answer_until between '1900-01-01' and '2999-12-31'),
  answer text check (answer in ('accepted', 'disputed')),
  reason text not null default '' check (length(reason) <= 2000),
  answered_by uuid references auth.users (id) on delete set null,
  answered_at timestamptz
    constraint client_meetings_answered_at_calendar check (answered_at between '1900-01-01' and '2999-12-31'),
  kept_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
    constraint client_meetings_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  campaign_id uuid,
  booked_on date not null default CURRENT_DATE
    constraint client_meetings_booked_on_calendar check (booked_on between '1900-01-01' and '2999-12-31'),
  -- 'figure': added for an import or event; 'completed': a person has added the details since.
  origin text not null default 'person' check (origin in ('person', 'figure', 'completed')),
  -- The import or source whose figure added it.
  batch_id uuid,
  primary key (client_id, id),
  check ((outcome = 'booked') = (answer_until is null)),
  constraint client_meetings_check1 check (answer is null or outcome <> 'booked'),
  constraint client_meetings_check2 check (answer is distinct from 'disputed' or reason ~ '\S'),
  constraint client_meetings_met_with_check check (
    (met_with ~ '\S' or origin = 'figure') and length(met_with) <= 200 and met_with !~ '[[:cntrl:]]'
  ),
  constraint client_meetings_time_check check (starts_at is not null or origin = 'figure' and outcome = 'booked')
);
create index client_meetings_latest_idx on public.client_meetings (client_id, starts_at desc, id);
create index client_meetings_answered_by_idx on public.client_meetings (answered_by);
create index client_meetings_kept_by_idx on public.client_meetings (kept_by);
create index client_meetings_campaign_idx on public.client_meetings (client_id, campaign_id);
create index client_meetings_booked_idx on public.client_meetings (client_id, booked_on) include (campaign_id, batch_id);
create index client_meetings_batch_idx on public.client_meetings (client_id, batch_id);
grant select, delete on public.client_meetings to authenticated;
grant all on public.client_meetings to service_role;
alter table public.client_meetings enable row level security;
create policy "Admins read all meetings of clients" on public.client_meetings for select to authenticated
  using ((select private.is_admin()));
create policy "Members read the meetings of their clients" on public.client_meetings for select to authenticated
  using (client_id in (select private.clients_of_member()));
create policy "Team members read the meetings of their clients" on public.client_meetings for select to authenticated
  using (client_id in (select private.clients_of_team_member()));
create policy "Admins and assigned team members delete what nobody answered" on public.client_meetings
  for delete to authenticated using (
    answer is null and ((select private.is_admin()) or client_id in (select private.clients_of_team_member()))
  );

-- Accepts or disputes a meeting, as an approver.
create function public.answer_client_meeting(
  _client_id uuid, _id uuid, _outcome text, _answer text, _reason text default ''
) returns void language plpgsql security definer set search_path = '' as $$
declare
  _meeting public.client_meetings;
begin
  perform private.require_approver(_client_id);
  select * into _meeting from public.client_meetings where client_id = _client_id and id = _id for update;
  if not found then
    raise exception 'There is no such meeting any more.' using errcode = 'P0001';
  elsif _meeting.outcome is distinct from _outcome or _outcome = 'booked' then
    raise exception 'This meeting has changed. Please read it again.' using errcode = 'P0001';
  elsif _meeting.answer = 'accepted' then
    raise exception 'A colleague has accepted this meeting already.' using errcode = 'P0001';
  elsif _meeting.answer_until < now() then
    raise exception 'The time to answer is over. Please write to us.' using errcode = 'P0001';
  elsif _answer = 'disputed' and coalesce(_reason, '') !~ '\S' then
    raise exception 'Please write what is wrong.' using errcode = 'P0001';
  end if;
  update public.client_meetings set
    answer = coalesce(_answer, ''), reason = btrim(coalesce(_reason, ''), E' \t\r\n'), answered_by = private.user_id(), answered_at = now()
  where client_id = _client_id and id = _id;
  -- Found first, or the planner could count for addresses of others.
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
grant execute on function public.answer_client_meeting to authenticated, service_role;

-- Lists a client's meetings: those that wait for an answer first, then the latest, with the number of each. Members do not
-- see addresses of people.
create function public.list_client_meetings(
  _client_id uuid, _limit integer default 24, _offset integer default 0
) returns table (
  id uuid, starts_at timestamptz, met_with text, outcome text, evidence text, answer_until timestamptz, answer text,
  reason text, answered_by text, answered_at timestamptz, is_open boolean, waiting integer, total integer, campaign_id uuid,
  campaign text, booked_on date, origin text
) language plpgsql stable security definer set search_path = '' as $$
declare
  _works_for constant boolean := private.works_for_client(_client_id);
begin
  return query
    select meeting.id, meeting.starts_at, meeting.met_with, meeting.outcome, meeting.evidence, meeting.answer_until,
      meeting.answer, meeting.reason,
      coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), case when _works_for then users.email end, '')::text,
      meeting.answered_at, meeting.is_open, meeting.waiting, meeting.total, meeting.campaign_id, campaigns.name,
      meeting.booked_on, meeting.origin
    from (
      select *, count(*) over ()::integer as total,
        count(*) filter (where any_meeting.is_open and any_meeting.answer is null) over ()::integer as waiting
      from (
        select *, coalesce(client_meetings.answer_until > now(), false) and client_meetings.answer is distinct from 'accepted' as is_open
        from public.client_meetings where client_id = _client_id
      ) as any_meeting
      order by (any_meeting.is_open and any_meeting.answer is null) desc, coalesce(any_meeting.starts_at, any_meeting.booked_on) desc, any_meeting.id
      limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0)
    ) as meeting left join auth.users on users.id = meeting.answered_by
      left join public.campaigns on campaigns.client_id = _client_id and campaigns.id = meeting.campaign_id
    order by (meeting.is_open and meeting.answer is null) desc, coalesce(meeting.starts_at, meeting.booked_on) desc, meeting.id;
end
$$;
grant execute on function public.list_client_meetings to authenticated, service_role;

-- Adds a meeting, or edits the one with `_id`. A new outcome restarts the client's deadline; an accepted meeting cannot be
-- changed.
create function public.save_client_meeting(
  _client_id uuid, _starts_at timestamptz, _met_with text, _outcome text, _evidence text default '', _id uuid default null,
  _campaign_id uuid default null, _booked_on date default null
) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  _old public.client_meetings;
  _zone constant text := (select time_zone from public.clients where id = _client_id);
  _today constant date := (now() at time zone _zone)::date;
  _until constant timestamptz := case when _outcome <> 'booked' then now() + interval '14 days' end;
  _saved uuid;
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only those who work for this client keep its meetings' using errcode = '42501';
  elsif _outcome <> 'booked' and _starts_at > now() then
    raise exception 'This meeting is still to come: it is booked.' using errcode = 'P0001';
  elsif _booked_on > _today then
    raise exception 'A meeting was booked today or before.' using errcode = 'P0001';
  end if;
  if _id is null then
    -- Two who add at the same time wait for each other, so that the ledger stays under its limit.
    perform from public.clients where id = _client_id for no key update;
    _booked_on := coalesce(_booked_on, least(_today, (_starts_at at time zone _zone)::date));
    -- A meeting that an import or an event has counted for the campaign and that day, or its week, is completed instead.
    select meeting.id into _id from public.client_meetings as meeting
      left join public.campaign_figures as figure on figure.client_id = _client_id and figure.campaign_id = _campaign_id
        and metric = 'meetings' and replaced_by is null and meeting.booked_on between first_day and last_day
    where meeting.client_id = _client_id and meeting.campaign_id = _campaign_id and origin = 'figure'
      and _booked_on between coalesce(first_day, booked_on) and coalesce(last_day, booked_on)
    order by meeting.booked_on, meeting.created_at, meeting.id limit 1;
  end if;
  if _id is null then
    if (select count(*) from public.client_meetings where client_id = _client_id) >= 10000 then
      raise exception 'A client has at most 10,000 meetings.' using errcode = 'P0001';
    end if;
    insert into public.client_meetings (
      client_id, starts_at, met_with, outcome, evidence, answer_until, kept_by, campaign_id, booked_on
    ) values (_client_id, _starts_at, trim(_met_with), _outcome, _evidence, _until, private.user_id(), _campaign_id, _booked_on)
    returning id into _saved;
    return _saved;
  end if;
  select * into _old from public.client_meetings where client_id = _client_id and id = _id for update;
  if not found then
    raise exception 'There is no such meeting any more.' using errcode = 'P0001';
  elsif _old.answer = 'accepted' then
    raise exception 'The client has accepted this meeting. It stays as it is.' using errcode = 'P0001';
  end if;
  update public.client_meetings set
    starts_at = _starts_at, met_with = trim(_met_with), outcome = _outcome, evidence = _evidence, kept_by = private.user_id(),
    campaign_id = _campaign_id,
    -- The day of one that a figure has counted stays, so that the figure finds it again.
    booked_on = case origin when 'person' then coalesce(_booked_on, booked_on) else booked_on end,
    origin = case origin when 'figure' then 'completed' else origin end,
    answer_until = case when outcome = _outcome then answer_until else _until end,
    answer = case when outcome = _outcome then answer end,
    reason = case when outcome = _outcome then reason else '' end,
    answered_by = case when outcome = _outcome then answered_by end,
    answered_at = case when outcome = _outcome then answered_at end
  where client_id = _client_id and id = _id;
  return _id;
end
$$;
grant execute on function public.save_client_meeting to authenticated, service_role;

-- Matches the ledger, the one truth about meetings, to an imported figure: one row per meeting of a campaign and day. Rows
-- that people added count; rows without a campaign get this one. Never fails, because events must be stored. Set-based: one
-- statement per day exceeded the deadline for a year's figures.
create function private.match_meetings() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _figure record;
  _missing integer;
  _changed integer;
begin
  for _figure in
    with touched as materialized (
      select touched.*, least(coalesce(figure.value, 0), 1000) as value, figure.batch_id, batch.source_id, ledger.*
      from (select distinct client_id, campaign_id, first_day, last_day from changed where metric = 'meetings') as touched
        left join public.campaign_figures as figure on figure.client_id = touched.client_id
          and figure.campaign_id = touched.campaign_id and figure.metric = 'meetings' and figure.first_day = touched.first_day
          and figure.last_day = touched.last_day and figure.replaced_by is null
        left join public.import_batches as batch on batch.client_id = figure.client_id and batch.id = figure.batch_id
        cross join lateral (
          select count(*) filter (where meeting.campaign_id = touched.campaign_id) as count,
            coalesce(bool_or(meeting.campaign_id = touched.campaign_id and origin = 'figure'
              and meeting.batch_id is distinct from figure.batch_id), false) as is_of_former,
            coalesce(bool_or(meeting.campaign_id is null), false) as has_nameless
          from public.client_meetings as meeting
          where meeting.client_id = touched.client_id and booked_on between touched.first_day and touched.last_day
        ) as ledger
      -- A row that gives way to another has a follower, which is matched when it is added.
      where figure.value is not null or not exists (
        select from public.campaign_figures as replaced
        where replaced.client_id = touched.client_id and replaced.campaign_id = touched.campaign_id
          and replaced.metric = 'meetings' and replaced.first_day = touched.first_day and replaced.replaced_by is not null
      )
    ), room as materialized (
      select client_id, 10000 - (
        select count(*) from public.client_meetings as meeting where meeting.client_id = clients.client_id
      ) as room
      from (select distinct client_id from touched) as clients
    ), missing as (
      select touched.*, row_number() over (partition by client_id order by campaign_id, first_day, number) as place
      from touched, generate_series(1, value - count) as number
      where not has_nameless
    ), added as (
      insert into public.client_meetings (client_id, campaign_id, batch_id, booked_on, met_with, outcome, origin)
      select client_id, campaign_id, batch_id, first_day, '', 'booked', 'figure'
      from missing join room using (client_id)
      where place <= room
    )
    select * from touched
    where value < count or has_nameless and value > count or is_of_former or source_id is not null
    order by client_id, campaign_id, first_day
  loop
    _missing := _figure.value - _figure.count;
    if _missing > 0 and _figure.has_nameless then
      update public.client_meetings set campaign_id = _figure.campaign_id
      where client_id = _figure.client_id and id in (
        select id from public.client_meetings
        where client_id = _figure.client_id and campaign_id is null
          and booked_on between _figure.first_day and _figure.last_day
        order by booked_on, created_at, id limit _missing
      );
      get diagnostics _changed = row_count;
      insert into public.client_meetings (client_id, campaign_id, batch_id, booked_on, met_with, outcome, origin)
      select _figure.client_id, _figure.campaign_id, _figure.batch_id, _figure.first_day, '', 'booked', 'figure'
      from generate_series(1, least(
        _missing - _changed,
        10000 - (select count(*) from public.client_meetings where client_id = _figure.client_id)
      ));
    elsif _missing < 0 then
      delete from public.client_meetings where client_id = _figure.client_id and id in (
        select id from public.client_meetings
        where client_id = _figure.client_id and campaign_id = _figure.campaign_id and origin = 'figure'
          and booked_on between _figure.first_day and _figure.last_day
        order by met_with <> '', created_at desc, id limit - _missing
      );
    end if;
    if _figure.is_of_former then
      update public.client_meetings set batch_id = _figure.batch_id
      where client_id = _figure.client_id and campaign_id = _figure.campaign_id and origin = 'figure'
        and booked_on between _figure.first_day and _figure.last_day and batch_id is distinct from _figure.batch_id;
    end if;
    if _figure.source_id is not null then
      perform private.name_meetings_of_events(_figure.client_id, _figure.campaign_id, _figure.source_id, _figure.first_day);
    end if;
  end loop;
  return null;
end
$$;

-- Names rows that events added with a masked address: 'k***@example.com'.
create function private.name_meetings_of_events(_client_id uuid, _campaign_id uuid, _source_id uuid, _day date) returns void
language sql security definer set search_path = '' as $$
  with hints as (
    select hint, row_number() over (order by min(happened_at), hint) as number from (
      select left(regexp_replace(event.hint, '[[:cntrl:]]', '', 'g'), 200) as hint, happened_at
      from public.inbound_events as event
      where event.client_id = _client_id and event.source_id = _source_id and event.metric = 'meetings'
        and event.state = 'counted' and event.day = _day
    ) as told
    where hint ~ '\S' and not exists (
      select from public.client_meetings
      where client_id = _client_id and campaign_id = _campaign_id and booked_on = _day and met_with = told.hint
    )
    group by hint
  ), nameless as (
    select id, row_number() over (order by created_at, id) as number from public.client_meetings
    where client_id = _client_id and campaign_id = _campaign_id and booked_on = _day and origin = 'figure' and met_with = ''
  )
  update public.client_meetings as meeting set met_with = hint
  from nameless join hints using (number)
  where meeting.client_id = _client_id and meeting.id = nameless.id
$$;

-- schemas/clients/figures.sql

-- Figures, one row per import. A row that a later import replaced is kept until that import is undone, and no policy shows
-- it.
create table public.campaign_figures (
  client_id uuid not null,
  batch_id uuid not null,
  campaign_id uuid not null,
  metric text not null check (metric in ('sent', 'delivered', 'bounced', 'replies', 'positive_replies', 'meetings', 'pipeline')),
  first_day date not null constraint campaign_figures_first_day_calendar check (first_day between '1900-01-01' and '2999-12-31'),
  -- The first day, or six days later: a weekly figure is stored as it was imported.
  last_day date not null constraint campaign_figures_last_day_calendar check (last_day between '1900-01-01' and '2999-12-31'),
  value bigint not null check (value between 0 and 1000000000000),
  replaced_by uuid,
  primary key (client_id, batch_id, campaign_id, metric, first_day),
  foreign key (client_id, campaign_id) references public.campaigns (client_id, id) on delete cascade,
  check (last_day in (first_day, first_day + 6))
);
create unique index campaign_figures_current_idx
  on public.campaign_figures (client_id, campaign_id, metric, first_day) include (last_day, value, batch_id)
  where replaced_by is null;
create index campaign_figures_replaced_by_idx on public.campaign_figures (client_id, replaced_by);
create index campaign_figures_days_idx on public.campaign_figures (client_id, first_day)
  include (campaign_id, metric, last_day, value) where replaced_by is null;
grant select on public.campaign_figures to authenticated;
grant all on public.campaign_figures to service_role;
alter table public.campaign_figures enable row level security;

-- After that of campaign_figures, whose triggers find meetings by their campaign: foreign keys cascade in the order of their
-- creation.
alter table public.client_meetings add foreign key (client_id, campaign_id)
  references public.campaigns (client_id, id) on delete set null (campaign_id);

-- Excludes replaced rows, so that sums do not count them.
create policy "Admins read all figures that count" on public.campaign_figures for select to authenticated
  using (replaced_by is null and (select private.is_admin()));
create policy "Members read the figures of their clients" on public.campaign_figures for select to authenticated
  using (replaced_by is null and client_id in (select private.clients_of_member()));
create policy "Team members read the figures of their clients" on public.campaign_figures for select to authenticated
  using (replaced_by is null and client_id in (select private.clients_of_team_member()));

create trigger match_meetings_deleted after delete on public.campaign_figures referencing old table as changed
  for each statement execute function private.match_meetings();
create trigger match_meetings_inserted after insert on public.campaign_figures referencing new table as changed
  for each statement execute function private.match_meetings();
create trigger match_meetings_updated after update on public.campaign_figures referencing new table as changed
  for each statement execute function private.match_meetings();

-- Figures that count: of imports and events, with delivered as sent minus bounced if it is not reported, and the meetings
-- of the ledger.
create view private.counted_figures with (security_invoker = true) as
select client_id, campaign_id, batch_id, metric, first_day, last_day, value
from public.campaign_figures
where replaced_by is null and metric <> 'meetings'
union all
select sent.client_id, sent.campaign_id, sent.batch_id, 'delivered', sent.first_day, sent.last_day, greatest(sent.value - bounced.value, 0)
from public.campaign_figures as sent
  join public.campaign_figures as bounced on bounced.client_id = sent.client_id and bounced.campaign_id = sent.campaign_id
    and bounced.metric = 'bounced' and bounced.first_day = sent.first_day and bounced.last_day = sent.last_day
    and bounced.replaced_by is null
where sent.metric = 'sent' and sent.replaced_by is null and not exists (
  select from public.campaign_figures as told
  where told.client_id = sent.client_id and told.campaign_id = sent.campaign_id and told.metric = 'delivered'
    and told.first_day between sent.first_day - 6 and sent.last_day and told.last_day >= sent.first_day
    and told.replaced_by is null
)
union all
select client_id, campaign_id, batch_id, 'meetings', booked_on, booked_on, count(*)
from public.client_meetings
group by client_id, campaign_id, batch_id, booked_on;
grant select on private.counted_figures to authenticated, service_role;

create function public.figure_sums(_client_id uuid, _from date, _until date, _metrics text[] default null) returns table (
  metric text, first_day date, last_day date, value bigint
) language sql stable set search_path = '' as $$
  -- Added up before they are ordered: otherwise Postgres sorts every row by metric and day to group them, which took as long as the rest.
  with sums as materialized (
    select metric, first_day, last_day, sum(value)::bigint as value from private.counted_figures
    where client_id = _client_id and first_day between _from and _until
      and (_metrics is null or metric = any (_metrics))
    group by metric, first_day, last_day
  )
  select metric, first_day, last_day, value from sums order by metric, first_day
$$;
grant execute on function public.figure_sums to authenticated, service_role;

-- Sums the figures of all clients that the caller may see, by campaign, with the meetings held according to the ledger.
create function public.figure_totals(_from date, _until date) returns jsonb language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', clients.id, 'name', clients.name, 'time_zone', clients.time_zone, 'first_weekday', clients.first_weekday,
    'is_running', exists (select from public.campaigns where client_id = clients.id and phase = 'running'),
    'latest', (
      select max(last_day) from public.campaign_figures
      where client_id = clients.id and replaced_by is null and first_day >= (
        select max(first_day) - 6 from public.campaign_figures where client_id = clients.id and replaced_by is null
      )
    ),
    'campaigns', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', coalesce(campaigns.id::text, ''), 'name', coalesce(campaigns.name, 'No campaign'),
        'channel', coalesce(campaigns.channel, 'other'), 'figures', figures, 'held', held
      ) order by campaigns.name, campaigns.id)
      from (
        select campaign_id, jsonb_object_agg(metric, value), (
          select count(*) from public.client_meetings as meeting
          where meeting.client_id = clients.id and meeting.campaign_id is not distinct from sums.campaign_id
            and outcome = 'held' and booked_on between _from and _until
        )
        from (
          select campaign_id, metric, sum(value) from private.counted_figures
          where client_id = clients.id and first_day between _from and _until
          group by campaign_id, metric
        ) as sums (campaign_id, metric, value)
        group by campaign_id
      ) as totals (campaign_id, figures, held)
      left join public.campaigns on client_id = clients.id and id = totals.campaign_id
    ), '[]')
  ) order by clients.name, clients.id), '[]')
  from public.clients
$$;
grant execute on function public.figure_totals to authenticated, service_role;

-- Includes whether an import belongs to a source: its rows then link to events.
create function public.figures_behind(_client_id uuid, _metric text, _from date, _until date) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  _works_for constant boolean := private.is_admin() or _client_id in (select private.clients_of_team_member());
begin
  if not (_works_for or _client_id in (select private.clients_of_member())) then
    raise exception 'Only the people of this client may do this' using errcode = '42501';
  end if;
  return (
    with figures as (
      select * from private.counted_figures
      where client_id = _client_id and metric = _metric and first_day between _from and _until
    )
    select jsonb_build_object('campaigns', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', coalesce(campaigns.id::text, ''), 'name', coalesce(campaigns.name, 'No campaign'), 'rows', rows
      ) order by campaigns.name)
      from (
        select campaign_id, jsonb_agg(jsonb_build_object(
          'first_day', first_day, 'last_day', last_day, 'value', value, 'batch', batch_id
        ) order by first_day, batch_id) from figures group by campaign_id
      ) as grouped (campaign_id, rows)
      left join public.campaigns on campaigns.client_id = _client_id and campaigns.id = grouped.campaign_id
    ), '[]'), 'imports', coalesce((
      select jsonb_agg(jsonb_build_object('id', batches.id, 'file_name', file_name, 'created_at', batches.created_at,
        'is_source', source_id is not null,
        'imported_by', coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), case when _works_for then users.email end, '')))
      from public.import_batches as batches left join auth.users on users.id = batches.imported_by
      where batches.client_id = _client_id and batches.id in (select batch_id from figures)
    ), '[]'))
  );
end
$$;
grant execute on function public.figures_behind to authenticated, service_role;

-- Computed field of projects: the quoted figure while the client consents, else the typed metric. Its unnamed parameter
-- keeps it from being called as a function of the API.
create function public.key_metric(public.projects) returns text language sql stable security definer set search_path = '' as $$
  select coalesce((
    select private.quote_in_words(quote) from public.figure_quotes as quote
    where quote.project_id = $1.id and answer = 'yes' and withdrawn_at is null and ended_at is null
    order by asked_at desc limit 1
  ), $1.metric)
$$;
grant execute on function public.key_metric to anon, authenticated, service_role;

-- Checks only the days around the change: events change one day at a time.
create function private.refuse_days_twice() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _touched record;
begin
  for _touched in
    select client_id, array_agg(distinct campaign_id) as campaigns, min(first_day) - 6 as first, max(last_day) as last
    from changed group by client_id order by client_id
  loop
    perform from public.clients where id = _touched.client_id for no key update;
    if exists (
      select from (
        select first_day, lag(last_day) over (partition by campaign_id, metric order by first_day)
        from public.campaign_figures
        where replaced_by is null and client_id = _touched.client_id and campaign_id = any (_touched.campaigns)
          and first_day between _touched.first and _touched.last
      ) as figures (first_day, end_of_former)
      where end_of_former >= first_day
    ) then
      raise exception 'A week and one of its days cannot both have a figure.' using errcode = '23P01';
    end if;
  end loop;
  return null;
end
$$;

create trigger refuse_days_twice_inserted after insert on public.campaign_figures referencing new table as changed
  for each statement execute function private.refuse_days_twice();
create trigger refuse_days_twice_updated after update on public.campaign_figures referencing new table as changed
  for each statement execute function private.refuse_days_twice();

-- schemas/clients/imports.sql

-- Imports of figures from files. Queries are set-based: per-row plans took time quadratic in the size of the file.
create type private.judged_figure as (
  line integer, campaign_id uuid, metric text, first_day date, last_day date, value bigint,
  -- The current value; null for none.
  before bigint,
  -- Why the row is refused; null if it is not.
  reason text
);

-- Imports of figures, which are counts per day or week. Members read those of their clients. Only import_figures() and
-- undo_import() write, so that every figure has a source.
create table public.import_batches (
  client_id uuid not null references public.clients (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  file_name text not null check (length(file_name) between 1 and 255 and file_name !~ '[[:cntrl:]]'),
  -- SHA-256, hexadecimal.
  file_hash text check (file_hash ~ '^[0-9a-f]{64}$'),
  -- Column mapping, reused for files with the same columns.
  column_map jsonb not null check (jsonb_typeof(column_map) = 'object' and length(column_map::text) <= 20000),
  new_count integer not null,
  changed_count integer not null,
  same_count integer not null,
  refused_count integer not null,
  imported_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
    constraint import_batches_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  undone_by uuid references auth.users (id) on delete set null,
  undone_at timestamptz constraint import_batches_undone_at_calendar check (undone_at between '1900-01-01' and '2999-12-31'),
  -- The source, for the one import that holds the figures of its events.
  source_id uuid,
  primary key (client_id, id)
);
create index import_batches_latest_idx on public.import_batches (client_id, created_at desc);
create index import_batches_imported_by_idx on public.import_batches (imported_by);
create index import_batches_undone_by_idx on public.import_batches (undone_by);
create unique index import_batches_of_source_idx on public.import_batches (client_id, source_id) where source_id is not null;
grant select on public.import_batches to authenticated;
grant all on public.import_batches to service_role;
alter table public.import_batches enable row level security;

alter table public.campaign_figures
  add foreign key (client_id, batch_id) references public.import_batches (client_id, id) on delete cascade;
alter table public.campaign_figures add foreign key (client_id, replaced_by) references public.import_batches (client_id, id);
alter table public.client_meetings
  add foreign key (client_id, batch_id) references public.import_batches (client_id, id) on delete set null (batch_id);

create policy "Admins read all imports" on public.import_batches for select to authenticated
  using ((select private.is_admin()));
create policy "Members read the imports of their clients" on public.import_batches for select to authenticated
  using (client_id in (select private.clients_of_member()));
create policy "Team members read the imports of their clients" on public.import_batches for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

-- Lists a client's imports, without those of sources.
create function public.client_imports(_client_id uuid) returns table (
  id uuid, file_name text, file_hash text, column_map jsonb, new_count integer, changed_count integer, same_count integer,
  refused_count integer, imported_by text, created_at timestamptz, undone_at timestamptz
) language plpgsql stable security definer set search_path = '' as $$
declare
  _works_for constant boolean := private.is_admin() or _client_id in (select private.clients_of_team_member());
begin
  if not (_works_for or _client_id in (select private.clients_of_member())) then
    raise exception 'Only the people of this client may do this' using errcode = '42501';
  end if;
  return query
    select batches.id, batches.file_name, batches.file_hash, batches.column_map, batches.new_count, batches.changed_count,
      batches.same_count, batches.refused_count,
      coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), case when _works_for then users.email end, '')::text,
      batches.created_at, batches.undone_at
    from public.import_batches as batches left join auth.users on users.id = batches.imported_by
    where batches.client_id = _client_id and source_id is null order by batches.created_at desc, batches.id limit 50;
end
$$;
grant execute on function public.client_imports to authenticated, service_role;

-- Imports figures. Creates missing campaigns if the caller asked for it. A trial creates them too, so that rows are judged
-- alike, and rolls them back.
create function public.import_figures(_client_id uuid, _file jsonb, _rows jsonb, _is_trial boolean) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  _client constant public.clients := private.lock_client_of_worker(_client_id);
  _batch_id constant uuid := gen_random_uuid();
  _judged private.judged_figure[];
  _answer jsonb;
begin
  if jsonb_typeof(_rows) is distinct from 'array' or jsonb_array_length(_rows) > 20000 then
    raise exception 'A file has at most 20,000 lines.' using errcode = '22023';
  end if;
  if _file ->> 'period' is null or _file ->> 'period' not in ('day', 'week') then
    raise exception 'The figures of a file are those of days or of weeks.' using errcode = '22023';
  end if;
  if jsonb_typeof(_file -> 'campaigns') = 'array' and jsonb_array_length(_file -> 'campaigns') > 50 then
    raise exception 'An import creates at most 50 campaigns.' using errcode = '22023';
  end if;
  begin
    insert into public.campaigns (client_id, id, name, channel, phase)
    select _client_id, id, trim(name), channel, 'running'
    from jsonb_to_recordset(coalesce(_file -> 'campaigns', '[]')) as created (id uuid, name text, channel text);
    _judged := array(
      select judged from private.judge_figures(_client, case _file ->> 'period' when 'week' then 6 else 0 end, _rows) as judged
    );
    _answer := private.sum_up_judgement(_judged);
    if 10000 < (select count(*) from public.client_meetings where client_id = _client_id) + (
      select coalesce(sum(value - coalesce(before, 0)), 0) from unnest(_judged)
      where reason is null and metric = 'meetings' and value > coalesce(before, 0)
    ) then
      raise exception 'A client has at most 10,000 meetings.' using errcode = 'P0001';
    end if;
    if _is_trial or (_answer ->> 'new')::integer + (_answer ->> 'changed')::integer = 0 then
      -- Takes the new campaigns back. Variables keep their values.
      raise exception using errcode = 'SF001';
    end if;
  exception when sqlstate 'SF001' then
    null;
  end;
  if not _is_trial then
    perform private.keep_totals(_client_id, _file ->> 'name', _judged);
  end if;
  if _is_trial or (_answer ->> 'new')::integer + (_answer ->> 'changed')::integer = 0 then
    return _answer;
  end if;
  insert into public.import_batches (
    client_id, id, file_name, file_hash, column_map, new_count, changed_count, same_count, refused_count, imported_by
  ) values (
    _client_id, _batch_id, _file ->> 'name', _file ->> 'hash', _file -> 'column_map', (_answer ->> 'new')::integer,
    (_answer ->> 'changed')::integer, (_answer ->> 'same')::integer,
    (_answer ->> 'refused')::integer + coalesce((_file ->> 'refused')::integer, 0), private.user_id()
  );
  update public.campaign_figures as former set replaced_by = _batch_id
  from unnest(_judged) as judged
  where judged.reason is null and judged.before <> judged.value and former.replaced_by is null
    and former.client_id = _client_id and former.campaign_id = judged.campaign_id and former.metric = judged.metric
    and former.first_day = judged.first_day;
  insert into public.campaign_figures (client_id, batch_id, campaign_id, metric, first_day, last_day, value)
  select _client_id, _batch_id, campaign_id, metric, first_day, last_day, value
  from unnest(_judged) where reason is null and before is distinct from value;
  return _answer || jsonb_build_object('batch', _batch_id);
end
$$;
grant execute on function public.import_figures to authenticated, service_role;

-- Undoes an import: the figures it replaced count again. Figures that a later import replaced are reported: their number,
-- and the first hundred.
create function public.undo_import(_client_id uuid, _batch_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  _kept jsonb;
  _brought integer;
  _restored integer;
begin
  perform private.lock_client_of_worker(_client_id);
  update public.import_batches set undone_at = now(), undone_by = private.user_id()
  where client_id = _client_id and id = _batch_id and undone_at is null;
  if not found then
    raise exception 'This import is undone already, or there is none.' using errcode = 'P0001';
  end if;
  select jsonb_build_object('count', count(*), 'examples', coalesce(jsonb_agg(jsonb_build_object(
    'campaign', campaigns.name, 'metric', later.metric, 'day', later.first_day, 'value', later.value, 'file', file_name
  ) order by campaigns.name, later.metric, later.first_day) filter (where number <= 100), '[]')) into _kept
  from (
    select *, row_number() over (order by campaign_id, metric, first_day) as number from public.campaign_figures
    where client_id = _client_id and batch_id = _batch_id and replaced_by is not null
  ) as mine
  join public.campaign_figures as later using (client_id, campaign_id, metric, first_day)
  join public.campaigns on campaigns.client_id = later.client_id and campaigns.id = later.campaign_id
  join public.import_batches on import_batches.client_id = later.client_id and import_batches.id = later.batch_id
  where later.replaced_by is null;
  -- Each row that this import had replaced is replaced by what came after this import, or by nothing.
  with gone as (
    delete from public.campaign_figures where client_id = _client_id and batch_id = _batch_id returning *
  ), former as (
    update public.campaign_figures as former set replaced_by = gone.replaced_by
    from gone
    where former.client_id = _client_id and former.replaced_by = _batch_id and former.campaign_id = gone.campaign_id
      and former.metric = gone.metric and former.first_day = gone.first_day
    returning former.replaced_by
  )
  select (select count(*) from gone where replaced_by is null), (select count(*) from former where replaced_by is null)
    into _brought, _restored;
  return jsonb_build_object('removed', _brought - _restored, 'restored', _restored, 'kept', _kept);
end
$$;
grant execute on function public.undo_import to authenticated, service_role;

-- Judges rows. Refuses what the ledger of meetings cannot hold.
create function private.judge_figures(_client public.clients, _length integer, _rows jsonb) returns setof private.judged_figure
language sql stable security definer set search_path = '' set enable_nestloop = off as $$
  with given as materialized (
    select line, campaign_id, metric, first_day, value,
      count(*) over (partition by campaign_id, metric, first_day) as times
    from (
      select (item ->> 'line')::integer, (item ->> 'campaign')::uuid, figure.key, (item ->> 'day')::date,
        figure.value::bigint
      from jsonb_array_elements(_rows) as item, jsonb_each_text(item -> 'values') as figure
    ) as figures (line, campaign_id, metric, first_day, value)
  ), present as materialized (
    select campaign_id, metric, first_day, last_day, value from public.campaign_figures
    where client_id = _client.id and replaced_by is null
      and first_day between (select min(first_day) from given) - 6 and (select max(first_day) from given) + _length
  ), crossed as (
    -- The first days of periods that would overlap a figure without being of the same period.
    select distinct campaign_id, metric, day::date as first_day
    from present, generate_series((first_day - _length)::timestamp, last_day::timestamp, '1 day') as day
    where day::date <> first_day or last_day <> first_day + _length
  ), counted as (
    -- The first days of periods of which events count a day, or every day.
    select given.campaign_id, given.metric, given.first_day,
      bool_or(given.first_day >= counts_from and given.first_day + _length <= coalesce(ends_on, 'infinity')) as is_whole
    from given join public.campaign_sources as source on source.client_id = _client.id
      and source.campaign_id = given.campaign_id and given.metric = any (source.metrics)
      and given.first_day + _length >= counts_from and given.first_day <= coalesce(ends_on, 'infinity')
    group by given.campaign_id, given.metric, given.first_day
  )
  select given.line, given.campaign_id, given.metric, given.first_day, given.first_day + _length, given.value,
    present.value, case
      when campaigns.id is null then 'There is no such campaign.'
      when campaigns.deleted_at is not null then 'This campaign was deleted. Restore it first.'
      when given.first_day > (now() at time zone _client.time_zone)::date then 'This day has not come yet.'
      when given.first_day < '2000-01-01' then 'This day is too long ago.'
      when _length = 6 and extract(isodow from given.first_day) <> _client.first_weekday
        then 'Weeks of this client begin on ' || trim(to_char('2024-01-01'::date + _client.first_weekday - 1, 'Day')) || '.'
      when given.metric = 'meetings' and given.value > 1000 then 'A day or a week has at most 1,000 meetings.'
      when given.times > 1 then 'Another line has a figure for the same campaign and time.'
      when counted.is_whole then 'Events count this. Your figure is kept and compared with theirs.'
      when counted.first_day is not null then 'Events count some days of this week.'
      when crossed.first_day is not null and _length = 6 then 'Some days of this week have figures of their own.'
      when crossed.first_day is not null then 'The week of this day has a figure as a whole.'
    end
  from given
  left join public.campaigns on campaigns.client_id = _client.id and campaigns.id = given.campaign_id
  left join counted on counted.campaign_id = given.campaign_id and counted.metric = given.metric
    and counted.first_day = given.first_day
  left join present on present.campaign_id = given.campaign_id and present.metric = given.metric
    and present.first_day = given.first_day and present.last_day = given.first_day + _length
  left join crossed on crossed.campaign_id = given.campaign_id and crossed.metric = given.metric
    and crossed.first_day = given.first_day
$$;

-- Summarises an import: how many figures are new, changed, the same and refused, and the first hundred of each by line,
-- except unchanged ones.
create function private.sum_up_judgement(_judged private.judged_figure[]) returns jsonb
language sql stable set search_path = '' as $$
  with figures as (
    select line, campaign_id, metric, first_day, value, before, reason, case
      when reason is not null then 'refused' when before is null then 'new' when before <> value then 'changed' else 'same'
    end as state
    from unnest(_judged)
  ), numbered as (
    select *, row_number() over (partition by state order by line, metric) as number from figures
  )
  select jsonb_build_object(
    'new', count(*) filter (where state = 'new'), 'changed', count(*) filter (where state = 'changed'),
    'same', count(*) filter (where state = 'same'), 'refused', count(*) filter (where state = 'refused'),
    'examples', coalesce(jsonb_agg(jsonb_build_object(
      'state', state, 'line', line, 'campaign', campaign_id, 'metric', metric, 'day', first_day, 'value', value,
      'before', before, 'reason', reason
    ) order by line, metric) filter (where number <= 100 and state <> 'same'), '[]')
  ) from numbered
$$;

-- schemas/clients/quotes.sql

-- Figures of clients that case studies quote. The page refers to a figure, counts it when it is read, and shows it only
-- while the client consents. The reference is not part of the project: visitors who read projects learn no client, and
-- restoring an old version restores no consent.
create table public.figure_quotes (
  client_id uuid not null references public.clients (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  -- No foreign key: a project in the trash keeps its quote.
  project_id uuid not null,
  metric text not null check (metric in ('sent', 'delivered', 'bounced', 'replies', 'positive_replies', 'meetings', 'pipeline')),
  -- Whole months. A weekly figure counts in the month in which it begins.
  first_day date not null check (extract(day from first_day) = 1)
    constraint figure_quotes_first_day_calendar check (first_day between '1900-01-01' and '2999-12-31'),
  last_day date not null constraint figure_quotes_last_day_calendar check (last_day between '1900-01-01' and '2999-12-31'),
  asked_by uuid references auth.users (id) on delete set null,
  asked_at timestamptz not null default now()
    constraint figure_quotes_asked_at_calendar check (asked_at between '1900-01-01' and '2999-12-31'),
  answer text check (answer in ('yes', 'no')),
  answered_by uuid references auth.users (id) on delete set null,
  answered_at timestamptz
    constraint figure_quotes_answered_at_calendar check (answered_at between '1900-01-01' and '2999-12-31'),
  -- When a member withdrew the consent.
  withdrawn_by uuid references auth.users (id) on delete set null,
  withdrawn_at timestamptz
    constraint figure_quotes_withdrawn_at_calendar check (withdrawn_at between '1900-01-01' and '2999-12-31'),
  -- When we removed it from the page, or asked for another.
  ended_at timestamptz constraint figure_quotes_ended_at_calendar check (ended_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, id),
  check (last_day > first_day and extract(day from last_day + 1) = 1),
  constraint figure_quotes_check1 check ((answer is null) = (answered_at is null)),
  constraint figure_quotes_check2 check (withdrawn_at is null or answer = 'yes')
);
create index figure_quotes_project_idx on public.figure_quotes (project_id) where ended_at is null;
create index figure_quotes_shown_idx on public.figure_quotes (client_id, metric)
  where answer = 'yes' and withdrawn_at is null and ended_at is null;
create index figure_quotes_asked_by_idx on public.figure_quotes (asked_by);
create index figure_quotes_answered_by_idx on public.figure_quotes (answered_by);
create index figure_quotes_withdrawn_by_idx on public.figure_quotes (withdrawn_by);
grant select on public.figure_quotes to authenticated;
grant all on public.figure_quotes to service_role;
alter table public.figure_quotes enable row level security;
comment on table public.figure_quotes is 'Figures of clients on case studies, with what the client said to each.';

create policy "Admins read all quotes" on public.figure_quotes for select to authenticated using ((select private.is_admin()));
create policy "Members read the quotes of their clients" on public.figure_quotes for select to authenticated
  using (client_id in (select private.clients_of_member()));
create policy "Team members read the quotes of their clients" on public.figure_quotes for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

-- Clears cached pages on every answer and withdrawal, and when a quoted figure changes.
create trigger notify_content_changed after insert or update or delete or truncate on public.figure_quotes
  for each statement execute function private.notify_content_changed();

-- Answers for the client. Consent is for the figure as it was read, `_value`.
create function public.answer_figure_quote(_client_id uuid, _id uuid, _answer text, _value bigint) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _quote public.figure_quotes;
begin
  perform private.require_approver(_client_id);
  select * into _quote from public.figure_quotes where client_id = _client_id and id = _id and ended_at is null for update;
  if not found then
    raise exception 'This question was taken back.' using errcode = 'P0001';
  elsif _quote.answer is not null then
    raise exception 'A colleague has answered this already.' using errcode = 'P0001';
  elsif _answer = 'yes' and private.value_of_quote(_quote) is distinct from _value then
    raise exception 'This figure has changed. Please read it again.' using errcode = 'P0001';
  end if;
  update public.figure_quotes set answer = coalesce(_answer, ''), answered_by = private.user_id(), answered_at = now()
  where client_id = _client_id and id = _id;
  perform private.tell_asker_of_quote(_quote, case _answer when 'yes' then 'Agreed' else 'Declined' end);
end
$$;
grant execute on function public.answer_figure_quote to authenticated, service_role;

-- Asks a client for consent to quote a figure of past whole months in a case study. Returns the quote.
create function public.ask_to_quote_figure(
  _project_id uuid, _client_id uuid, _metric text, _first_day date, _last_day date
) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  _client public.clients;
  _quote public.figure_quotes;
begin
  perform private.require_admin();
  _client := private.lock_client_of_worker(_client_id);
  -- Two who ask for one page at the same time wait for each other.
  perform from public.projects where id = _project_id for update;
  if not found then
    raise exception 'There is no such project any more.' using errcode = 'P0001';
  elsif _client.is_sample then
    raise exception 'The figures of the sample client are made up. No page quotes them.' using errcode = 'P0001';
  elsif _last_day >= (now() at time zone _client.time_zone)::date then
    raise exception 'A page quotes months that are over.' using errcode = 'P0001';
  elsif exists (
    select from public.figure_quotes
    where project_id = _project_id and ended_at is null and withdrawn_at is null and answer is distinct from 'no'
  ) then
    raise exception 'This page quotes a figure, or waits for a yes to one. Take it off first.' using errcode = 'P0001';
  end if;
  update public.figure_quotes set ended_at = now() where project_id = _project_id and ended_at is null;
  insert into public.figure_quotes (client_id, project_id, metric, first_day, last_day, asked_by)
  values (_client_id, _project_id, _metric, _first_day, _last_day, private.user_id()) returning * into _quote;
  if private.value_of_quote(_quote) is null then
    raise exception 'There is no such figure of this time.' using errcode = 'P0001';
  end if;
  perform private.tell_client_of_quote(_quote);
  return _quote.id;
end
$$;
grant execute on function public.ask_to_quote_figure to authenticated, service_role;

-- Removes the quote of a project from its page, or cancels the question.
create function public.end_figure_quote(_project_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  update public.figure_quotes set ended_at = now() where project_id = _project_id and ended_at is null;
end
$$;
grant execute on function public.end_figure_quote to authenticated, service_role;

-- Lists a client's current quotes: pending ones first, then the latest. `words` is null without a figure; `path` is set if
-- the page is public.
create function public.list_figure_quotes(_client_id uuid) returns table (
  id uuid, words text, value bigint, title text, path text, asked_at timestamptz, answer text, answered_by text,
  answered_at timestamptz, withdrawn_at timestamptz
) language plpgsql stable security definer set search_path = '' as $$
declare
  _works_for constant boolean := private.works_for_client(_client_id);
begin
  return query
    select quote.id, private.quote_in_words(quote), private.value_of_quote(quote), coalesce(projects.title, 'a page that was deleted'),
      case when projects.status = 'published' then '/projects?case=' || projects.slug end, quote.asked_at, quote.answer,
      coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), case when _works_for then users.email end, '')::text,
      quote.answered_at, quote.withdrawn_at
    from public.figure_quotes as quote left join public.projects on projects.id = quote.project_id
      left join auth.users on users.id = coalesce(quote.withdrawn_by, quote.answered_by)
    where quote.client_id = _client_id and quote.ended_at is null and (quote.answer is not null or projects.id is not null)
    order by quote.answer is not null, quote.asked_at desc, quote.id limit 200;
end
$$;
grant execute on function public.list_figure_quotes to authenticated, service_role;

-- Returns the quote of a project for its editor: {"client", "words", "answer", "answered_at", "withdrawn_at", "asked_at"},
-- or null.
create function public.quote_of_project(_project_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (
    select jsonb_build_object('client', clients.name, 'words', private.quote_in_words(quote), 'answer', quote.answer,
      'answered_at', quote.answered_at, 'withdrawn_at', quote.withdrawn_at, 'asked_at', quote.asked_at)
    from public.figure_quotes as quote join public.clients on clients.id = quote.client_id
    where quote.project_id = _project_id and quote.ended_at is null order by quote.asked_at desc limit 1
  );
end
$$;
grant execute on function public.quote_of_project to authenticated, service_role;

-- Withdraws the consent at any time. The page no longer shows the figure.
create function public.withdraw_figure_quote(_client_id uuid, _id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _quote public.figure_quotes;
begin
  perform private.require_approver(_client_id);
  update public.figure_quotes set withdrawn_by = private.user_id(), withdrawn_at = now()
  where client_id = _client_id and id = _id and answer = 'yes' and withdrawn_at is null returning * into _quote;
  if not found then
    raise exception 'This yes was withdrawn already.' using errcode = 'P0001';
  end if;
  perform private.tell_asker_of_quote(_quote, 'Withdrawn');
end
$$;
grant execute on function public.withdraw_figure_quote to authenticated, service_role;

create function private.notify_quoted_figures() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if exists (
    select from public.figure_quotes as quote join changed
      on changed.client_id = quote.client_id and changed.metric = quote.metric
      and changed.first_day between quote.first_day and quote.last_day
    where answer = 'yes' and withdrawn_at is null and ended_at is null
  ) then
    perform pg_notify('content_changed', 'figure_quotes');
  end if;
  return null;
end
$$;

-- Clears the pages that quote meetings of the changed days.
create function private.notify_quoted_meetings() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if exists (
    select from public.figure_quotes as quote join changed
      on changed.client_id = quote.client_id and changed.booked_on between quote.first_day and quote.last_day
    where quote.metric = 'meetings' and quote.answer = 'yes' and withdrawn_at is null and ended_at is null
  ) then
    perform pg_notify('content_changed', 'figure_quotes');
  end if;
  return null;
end
$$;

-- Returns what a page shows: '41 meetings booked, August–October 2026'; null without a figure.
create function private.quote_in_words(_quote public.figure_quotes) returns text language sql stable set search_path = '' as $$
  select to_char(value, 'FM999,999,999,999,999') || ' ' || case _quote.metric
    when 'sent' then 'message' || more || ' sent'
    when 'delivered' then 'message' || more || ' delivered'
    when 'bounced' then 'message' || more || ' returned'
    when 'replies' then case value when 1 then 'reply' else 'replies' end
    when 'positive_replies' then case value when 1 then 'reply' else 'replies' end || ' with interest'
    when 'meetings' then 'meeting' || more || ' booked'
    else (select currency from public.clients where id = _quote.client_id) || ' in pipeline'
  end || ', ' || case
    when _quote.last_day < _quote.first_day + 31 then ''
    when extract(year from _quote.first_day) = extract(year from _quote.last_day) then to_char(_quote.first_day, 'FMMonth') || '–'
    else to_char(_quote.first_day, 'FMMonth YYYY') || '–'
  end || to_char(_quote.last_day, 'FMMonth YYYY')
  from (select private.value_of_quote(_quote)) as counted (value), lateral (select case value when 1 then '' else 's' end) as plural (more)
$$;

-- Mails the client's answer to the person who asked. At most 100 mails a day.
create function private.tell_asker_of_quote(_quote public.figure_quotes, _verdict text) returns void
language sql security definer set search_path = '' as $$
  -- Found first, or the planner could count for addresses of others.
  with asker as materialized (
    select users.email, clients.name as client, private.quote_in_words(_quote) as words
    from public.user_roles join auth.users on users.id = user_roles.user_id, public.clients
    where user_roles.user_id = _quote.asked_by and user_roles.role = 'admin' and approved and clients.id = _quote.client_id and users.email <> ''
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'approval_decided', jsonb_build_object(
    'Email', email, 'Client', client, 'Verdict', _verdict, 'Title', coalesce(words, 'A figure'), 'Message', case _verdict
      when 'Agreed' then 'The page shows the figure from now on.' else 'The page shows nothing of it.'
    end
  )
  from asker where private.count_for_subject('decision mail', lower(email), 100, interval '1 day')
$$;

-- Mails the approvers of a client about the question. At most 20 mails a day per address.
create function private.tell_client_of_quote(_quote public.figure_quotes) returns void
language sql security definer set search_path = '' as $$
  with people as materialized (
    select email, clients.name as client, private.quote_in_words(_quote) as words, projects.title
    from private.members_to_tell(_quote.client_id, 'waiting'), public.clients, public.projects
    where clients.id = _quote.client_id and projects.id = _quote.project_id
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'quote_asked', jsonb_build_object('Email', email, 'Client', client, 'Figure', words, 'Title', title)
  from people where private.count_for_subject('approval mail', lower(email), 20, interval '1 day')
$$;

-- Returns the current value of a quoted figure; null for none.
create function private.value_of_quote(_quote public.figure_quotes) returns bigint language sql stable set search_path = '' as $$
  select sum(value)::bigint from private.counted_figures
  where client_id = _quote.client_id and metric = _quote.metric
    and first_day between _quote.first_day and _quote.last_day
$$;

create trigger notify_quoted_inserted after insert on public.campaign_figures referencing new table as changed
  for each statement execute function private.notify_quoted_figures();
create trigger notify_quoted_updated after update on public.campaign_figures referencing new table as changed
  for each statement execute function private.notify_quoted_figures();
create trigger notify_quoted_deleted after delete on public.campaign_figures referencing old table as changed
  for each statement execute function private.notify_quoted_figures();

create trigger notify_quoted_added after insert on public.client_meetings referencing new table as changed
  for each statement execute function private.notify_quoted_meetings();
create trigger notify_quoted_changed after update on public.client_meetings referencing new table as changed
  for each statement execute function private.notify_quoted_meetings();
create trigger notify_quoted_moved after update on public.client_meetings referencing old table as changed
  for each statement execute function private.notify_quoted_meetings();
create trigger notify_quoted_removed after delete on public.client_meetings referencing old table as changed
  for each statement execute function private.notify_quoted_meetings();

-- schemas/clients/sources.sql

-- Sources of events: URLs to which a campaign provider reports what was sent, answered and booked. Original events are kept
-- for thirty days, and counted by day into the campaign's figures. Those who work for the client manage sources; only
-- take_campaign_events() stores events. Members list the events behind their figures with events_behind(), without message
-- texts.
create table public.campaign_sources (
  client_id uuid not null,
  id uuid not null default gen_random_uuid(),
  campaign_id uuid not null,
  provider text not null check (provider in ('smartlead', 'instantly', 'lemlist', 'json')),
  -- The provider's name of the campaign. Events of other campaigns are listed and not counted; '' accepts all.
  external_id text not null default '' check (length(external_id) <= 200 and external_id !~ '[[:cntrl:]]'),
  -- SHA-256 of the secret part of the URL, and of the secret that the provider sends, if any.
  token_hash text not null unique check (token_hash ~ '^[0-9a-f]{64}$'),
  secret_hash text check (secret_hash ~ '^[0-9a-f]{64}$'),
  metrics text[] not null
    check (metrics <> '{}' and metrics <@ '{sent,delivered,bounced,replies,positive_replies,meetings}'::text[]),
  -- Metrics that are counted from events instead of imports, from this day to the last one; null for no end.
  counts_from date not null
    constraint campaign_sources_counts_from_calendar check (counts_from between '1900-01-01' and '2999-12-31'),
  ends_on date constraint campaign_sources_ends_on_calendar check (ends_on between '1900-01-01' and '2999-12-31'),
  added_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
    constraint campaign_sources_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  signing_secret text check (length(signing_secret) <= 500),
  stored_on date constraint campaign_sources_stored_on_calendar check (stored_on between '1900-01-01' and '2999-12-31'),
  stored_bytes bigint not null default 0 check (stored_bytes >= 0),
  primary key (client_id, id),
  foreign key (client_id, campaign_id) references public.campaigns (client_id, id) on delete cascade
);
create unique index campaign_sources_one_idx on public.campaign_sources (client_id, campaign_id) where ends_on is null;
create index campaign_sources_campaign_idx on public.campaign_sources (client_id, campaign_id);
create index campaign_sources_added_by_idx on public.campaign_sources (added_by);
grant all on public.campaign_sources to service_role;
grant
  select (client_id, id, campaign_id, provider, external_id, metrics, counts_from, ends_on, added_by, created_at)
  on public.campaign_sources to authenticated;
alter table public.campaign_sources enable row level security;

alter table public.import_batches
  add foreign key (client_id, source_id) references public.campaign_sources (client_id, id) on delete cascade;

create policy "Admins read all sources" on public.campaign_sources for select to authenticated
  using ((select private.is_admin()));
create policy "Team members read the sources of their clients" on public.campaign_sources for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

-- Texts that a campaign sends, by step. The function campaign-events compares messages with the approved texts; a message
-- that matches none raises an alarm.
create table public.campaign_texts (
  client_id uuid not null,
  campaign_id uuid not null,
  approval_id uuid not null,
  -- Null for any step.
  step integer check (step between 1 and 100),
  added_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
    constraint campaign_texts_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, campaign_id, approval_id),
  foreign key (client_id, campaign_id) references public.campaigns (client_id, id) on delete cascade,
  foreign key (client_id, approval_id) references public.approvals (client_id, id) on delete cascade
);
create index campaign_texts_approval_idx on public.campaign_texts (client_id, approval_id);
create index campaign_texts_added_by_idx on public.campaign_texts (added_by);
grant select on public.campaign_texts to authenticated;
grant all on public.campaign_texts to service_role;
alter table public.campaign_texts enable row level security;
create policy "Admins read all texts of campaigns" on public.campaign_texts for select to authenticated
  using ((select private.is_admin()));
create policy "Team members read the texts of their clients' campaigns" on public.campaign_texts for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

-- Imported figures for days that events count. They are compared, never added.
create table public.source_totals (
  client_id uuid not null,
  source_id uuid not null,
  metric text not null,
  first_day date not null constraint source_totals_first_day_calendar check (first_day between '1900-01-01' and '2999-12-31'),
  last_day date not null constraint source_totals_last_day_calendar check (last_day between '1900-01-01' and '2999-12-31'),
  value bigint not null check (value between 0 and 1000000000000),
  file_name text not null check (length(file_name) between 1 and 255 and file_name !~ '[[:cntrl:]]'),
  added_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
    constraint source_totals_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, source_id, metric, first_day, last_day),
  foreign key (client_id, source_id) references public.campaign_sources (client_id, id) on delete cascade,
  check (last_day in (first_day, first_day + 6))
);
create index source_totals_added_by_idx on public.source_totals (added_by);
grant select on public.source_totals to authenticated;
grant all on public.source_totals to service_role;
alter table public.source_totals enable row level security;
create policy "Admins read all totals to compare with" on public.source_totals for select to authenticated
  using ((select private.is_admin()));
create policy "Team members read the totals of their clients" on public.source_totals for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

-- Adds a source to a campaign that has none. It counts from today, or from the first day without figures. Returns the
-- secret part of its URL, once.
create function public.add_campaign_source(
  _client_id uuid, _campaign_id uuid, _provider text, _metrics text[], _external_id text default '', _secret text default ''
) returns text language plpgsql security definer set search_path = '' as $$
declare
  _client constant public.clients := private.lock_client_of_worker(_client_id);
  _token text;
  _hash text;
  _id uuid;
begin
  if not exists (select from public.campaigns where client_id = _client_id and id = _campaign_id) then
    raise exception 'There is no such campaign any more.' using errcode = 'P0001';
  elsif private.is_deleted_campaign(_client_id, _campaign_id) then
    raise exception 'This campaign was deleted. Restore it first.' using errcode = 'P0001';
  elsif exists (
    select from public.campaign_sources where client_id = _client_id and campaign_id = _campaign_id and ends_on is null
  ) then
    raise exception 'This campaign has a source already. End it first.' using errcode = 'P0001';
  end if;
  select * into _token, _hash from private.new_source_token();
  insert into public.campaign_sources (
    client_id, campaign_id, provider, external_id, token_hash, secret_hash, signing_secret, metrics, counts_from, added_by
  )
  select _client_id, _campaign_id, _provider, trim(_external_id), _hash, private.hash_of_secret(_secret),
    case _provider when 'smartlead' then nullif(trim(_secret), '') end, _metrics, greatest(
    (now() at time zone _client.time_zone)::date,
    (
      select max(last_day) + 1 from public.campaign_figures
      where client_id = _client_id and campaign_id = _campaign_id and metric = any (_metrics)
    ),
    (
      select max(ends_on) + 1 from public.campaign_sources
      where client_id = _client_id and campaign_id = _campaign_id and metrics && _metrics
    )
  ), private.user_id()
  returning id into _id;
  insert into public.import_batches (
    client_id, file_name, file_hash, column_map, new_count, changed_count, same_count, refused_count, imported_by, source_id
  ) values (_client_id, 'Events of ' || case _provider
    when 'smartlead' then 'Smartlead' when 'instantly' then 'Instantly' when 'lemlist' then 'lemlist' else 'our own'
  end, null, '{}', 0, 0, 0, 0, private.user_id(), _id);
  return _token;
end
$$;
grant execute on function public.add_campaign_source to authenticated, service_role;

-- Ends a source: it accepts no more events, and imports count again from tomorrow. Its figures stay.
create function public.end_campaign_source(_client_id uuid, _id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _client constant public.clients := private.lock_client_of_worker(_client_id);
begin
  update public.campaign_sources set ends_on = (now() at time zone _client.time_zone)::date
  where client_id = _client_id and id = _id and ends_on is null;
end
$$;
grant execute on function public.end_campaign_source to authenticated, service_role;

-- Returns what the function campaign-events needs to parse events: null for an unknown source, else {"provider",
-- "is_allowed", "is_deleted", "texts"}. Texts are in their last approved version: {"title", "step", "number", "text"}; the
-- latter two are null before the first approval.
create function public.open_campaign_source(_token_hash text, _secret_hash text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('provider', (opened.source).provider, 'is_allowed', opened.is_allowed,
    'is_deleted', private.is_deleted_campaign((opened.source).client_id, (opened.source).campaign_id), 'texts', coalesce((
    select jsonb_agg(jsonb_build_object('title', title, 'step', step, 'number', approved.number, 'text', approved.text) order by step)
    from public.campaign_texts as sent
      join public.approvals on approvals.client_id = sent.client_id and approvals.id = sent.approval_id
      left join lateral (
        select version.number, version.text from public.approval_versions as version
          join public.approval_decisions as decision using (client_id, approval_id, number)
        where version.client_id = sent.client_id and version.approval_id = sent.approval_id and verdict = 'yes'
        order by version.number desc limit 1
      ) as approved on true
    where opened.is_allowed and sent.client_id = (opened.source).client_id and sent.campaign_id = (opened.source).campaign_id
  ), '[]'))
  from private.open_source(_token_hash, _secret_hash) as opened
  where (opened.source).id is not null
$$;
grant execute on function public.open_campaign_source to service_role;

-- Replaces the URL of a source, and its secret. Returns the secret part of the URL.
create function public.rotate_campaign_source(_client_id uuid, _id uuid, _secret text default '') returns text
language plpgsql security definer set search_path = '' as $$
declare
  _token text;
  _hash text;
begin
  perform private.lock_client_of_worker(_client_id);
  select * into _token, _hash from private.new_source_token();
  update public.campaign_sources set token_hash = _hash, secret_hash = private.hash_of_secret(_secret),
    signing_secret = case provider when 'smartlead' then nullif(trim(_secret), '') end
  where client_id = _client_id and id = _id and ends_on is null;
  if not found then
    raise exception 'This source has ended.' using errcode = 'P0001';
  end if;
  return _token;
end
$$;
grant execute on function public.rotate_campaign_source to authenticated, service_role;

-- Lists a client's sources, ended ones last, with their latest event and what could not be counted: {"kind", "state",
-- "count", "latest"}.
create function public.list_campaign_sources(_client_id uuid) returns table (
  id uuid, campaign_id uuid, campaign text, provider text, external_id text, has_secret boolean, metrics text[],
  counts_from date, ends_on date, created_at timestamptz, latest_at timestamptz, not_counted jsonb
) language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only those who work for this client may do this' using errcode = '42501';
  end if;
  return query
    select source.id, source.campaign_id, campaigns.name, source.provider, source.external_id, source.secret_hash is not null,
      source.metrics, source.counts_from, source.ends_on, source.created_at, (
        select max(event.received_at) from public.inbound_events as event
        where event.client_id = _client_id and event.source_id = source.id
      ), (
        select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'state', state, 'count', count, 'latest', latest)
          order by latest desc, kind), '[]')
        from (
          select event.kind, event.state, count(*), max(event.received_at) from public.inbound_events as event
          where event.client_id = _client_id and event.source_id = source.id
            and event.state in ('unknown', 'elsewhere', 'untimely')
          group by event.kind, event.state order by max(event.received_at) desc limit 50
        ) as kinds (kind, state, count, latest)
      )
    from public.campaign_sources as source
      join public.campaigns on campaigns.client_id = _client_id and campaigns.id = source.campaign_id
    where source.client_id = _client_id
    order by source.ends_on is not null, source.created_at desc, source.id limit 200;
end
$$;
grant execute on function public.list_campaign_sources to authenticated, service_role;

-- Lists the latest two hundred texts of a client, those of the campaign first, and whether any version was approved.
create function public.list_campaign_texts(_client_id uuid, _campaign_id uuid) returns table (
  id uuid, title text, is_approved boolean, is_sent boolean, step integer
) language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only those who work for this client may do this' using errcode = '42501';
  end if;
  return query
    select approval.id, approval.title, exists (
        select from public.approval_decisions as decision
        where decision.client_id = _client_id and decision.approval_id = approval.id and decision.verdict = 'yes'
      ), sent.approval_id is not null, sent.step
    from public.approvals as approval
      left join public.campaign_texts as sent on sent.client_id = _client_id and sent.campaign_id = _campaign_id
        and sent.approval_id = approval.id
    where approval.client_id = _client_id
    order by sent.approval_id is null, sent.step nulls last, approval.created_at desc, approval.id limit 200;
end
$$;
grant execute on function public.list_campaign_texts to authenticated, service_role;

-- Sets whether a campaign sends a text, at a step or at any.
create function public.set_campaign_text(
  _client_id uuid, _campaign_id uuid, _approval_id uuid, _is_sent boolean, _step integer default null
) returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.lock_client_of_worker(_client_id);
  if _is_sent then
    insert into public.campaign_texts (client_id, campaign_id, approval_id, step, added_by)
    values (_client_id, _campaign_id, _approval_id, _step, private.user_id())
    on conflict (client_id, campaign_id, approval_id) do update set step = excluded.step;
  else
    delete from public.campaign_texts
    where client_id = _client_id and campaign_id = _campaign_id and approval_id = _approval_id;
  end if;
end
$$;
grant execute on function public.set_campaign_text to authenticated, service_role;

-- Returns the secret that signs a source's events; null without one, or for an unknown source.
create function public.signing_secret_of_source(_token_hash text) returns text
language sql stable security definer set search_path = '' as $$
  select signing_secret from public.campaign_sources where token_hash = _token_hash and ends_on is null
$$;
grant execute on function public.signing_secret_of_source to service_role;

create function private.hash_of_secret(_secret text) returns text
language sql immutable set search_path = '' as $$ select encode(sha256(convert_to(nullif(trim(_secret), ''), 'UTF8')), 'hex') $$;

-- Creates the secret part of a source's URL, and returns it with its hash.
create function private.new_source_token(out token text, out hash text) returns record language sql set search_path = '' as $$
  select made, encode(sha256(convert_to(made, 'UTF8')), 'hex')
  from (select replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')) as tokens (made)
$$;

-- Returns the source of a URL that accepts events. Hashes are salted before they are compared, so that the duration does
-- not reveal how much of a guess is right.
create function private.open_source(
  _token_hash text, _secret_hash text, out source public.campaign_sources, out is_allowed boolean
) returns record language plpgsql stable security definer set search_path = '' as $$
declare
  _salt constant text := gen_random_uuid()::text;
begin
  select * into source from public.campaign_sources where token_hash = _token_hash and ends_on is null;
  is_allowed := source.id is not null and (source.secret_hash is null
    or sha256(convert_to(_salt || source.secret_hash, 'UTF8')) = sha256(convert_to(_salt || coalesce(_secret_hash, ''), 'UTF8')))
    and not private.is_deleted_campaign(source.client_id, source.campaign_id);
end
$$;

create function private.tell_of_full_source(_source public.campaign_sources, _times integer) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _text constant text := 'The source of the campaign “' || (
    select name from public.campaigns where client_id = _source.client_id and id = _source.campaign_id
  ) || '” has sent more events today than can be stored. Further events are not counted until tomorrow (UTC). Providers send'
    || ' them again. Rotate the address of the source if they are not yours.';
begin
  if private.raise_alarm(_source.client_id, 'incomplete', _source.campaign_id || ' full', _text, _times) then
    perform private.tell_workers_of_alarm(_source.client_id, _text);
  end if;
end
$$;

-- Compares imported figures with counted events, for periods that have ended. A difference is an alarm until both agree; a
-- settled one stays settled while both figures stay. Returns how many differ.
create function private.compare_source_totals() returns integer language plpgsql security definer set search_path = '' as $$
declare
  _differ integer;
begin
  with compared as materialized (
    select total.client_id, concat_ws(' ', total.source_id, total.metric, total.first_day, total.last_day) as subject,
      total.value as imported, coalesce(sum(figure.value), 0) as counted, format(
        'Of the campaign “%s”, events count %s as %s for %s, and %s says %s.', campaigns.name, coalesce(sum(figure.value), 0),
        replace(total.metric, '_', ' '), case when total.first_day = total.last_day then '' else to_char(total.first_day, 'FMDD FMMonth') || ' to ' end
        || to_char(total.last_day, 'FMDD FMMonth YYYY'), total.file_name, total.value
      ) as text
    from public.source_totals as total
      join public.clients on clients.id = total.client_id
      join public.campaign_sources as source on source.client_id = total.client_id and source.id = total.source_id
      join public.campaigns on campaigns.client_id = total.client_id and campaigns.id = source.campaign_id
      join public.import_batches as batch on batch.client_id = total.client_id and batch.source_id = total.source_id
      left join public.campaign_figures as figure on figure.client_id = total.client_id and figure.batch_id = batch.id
        and figure.campaign_id = source.campaign_id and figure.metric = total.metric
        and figure.first_day between total.first_day and total.last_day
    where total.last_day < (now() at time zone clients.time_zone)::date - 1
    group by total.client_id, total.source_id, total.metric, total.first_day, total.last_day, campaigns.name
  ), agreed as (
    delete from public.client_alarms as alarm using compared
    where alarm.client_id = compared.client_id and alarm.kind = 'difference' and alarm.subject = compared.subject
      and imported = counted
  ), told as (
    insert into public.client_alarms as former (client_id, kind, subject, text)
    select client_id, 'difference', subject, text from compared where imported <> counted
    on conflict (client_id, kind, subject) do update set
      text = excluded.text, latest_at = now(), settled_at = null, settled_by = null
    where former.text <> excluded.text
  )
  select count(*) into _differ from compared where imported <> counted;
  return _differ;
end
$$;

-- Stores imported figures of periods that events count completely; the latest import wins.
create function private.keep_totals(_client_id uuid, _file_name text, _judged private.judged_figure[]) returns void
language sql security definer set search_path = '' as $$
  insert into public.source_totals as former (client_id, source_id, metric, first_day, last_day, value, file_name, added_by)
  select _client_id, source.id, metric, first_day, last_day, value, _file_name, private.user_id()
  from unnest(_judged) join public.campaign_sources as source on source.client_id = _client_id
    and source.campaign_id = unnest.campaign_id and metric = any (source.metrics)
    and first_day >= counts_from and last_day <= coalesce(ends_on, 'infinity')
  where reason like 'Events count this.%'
  on conflict (client_id, source_id, metric, first_day, last_day) do update set
    value = excluded.value, file_name = excluded.file_name, added_by = excluded.added_by, created_at = now()
  where former.value <> excluded.value
$$;

-- schemas/clients/events.sql

-- Events from campaign providers. An event counts once, in whatever order and however often it arrives: its key decides.
create type private.taken_event as (
  event_key text, metric text, state text, day date, happened_at timestamptz, step integer, person_hash text, recipient text
);

create table public.inbound_events (
  client_id uuid not null,
  source_id uuid not null,
  -- The provider's id, or a hash of kind, recipient, step and time.
  event_key text not null check (length(event_key) between 1 and 200),
  -- The provider's name of it.
  kind text not null check (length(kind) <= 100),
  metric text check (metric in ('sent', 'delivered', 'bounced', 'replies', 'positive_replies', 'meetings')),
  -- `noted` events are known but not counted, such as an opened mail, or one from before the source counts.
  state text not null check (state in ('counted', 'noted', 'unknown', 'elsewhere', 'untimely')),
  -- In the client's time zone.
  day date not null constraint inbound_events_day_calendar check (day between '1900-01-01' and '2999-12-31'),
  happened_at timestamptz not null
    constraint inbound_events_happened_at_calendar check (happened_at between '1900-01-01' and '2999-12-31'),
  step integer check (step between 1 and 1000),
  -- Hash and hint, as in do_not_contact.
  person_hash text check (person_hash ~ '^[0-9a-f]{64}$'),
  hint text not null default '' check (length(hint) <= 260),
  -- The address and the original event; both are emptied after thirty days.
  recipient text check (length(recipient) <= 320),
  raw jsonb check (length(raw::text) <= 400000),
  received_at timestamptz not null default now()
    constraint inbound_events_received_at_calendar check (received_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, source_id, event_key),
  foreign key (client_id, source_id) references public.campaign_sources (client_id, id) on delete cascade
);
create index inbound_events_behind_idx on public.inbound_events (client_id, source_id, metric, day) where state = 'counted';
create index inbound_events_latest_idx on public.inbound_events (client_id, source_id, received_at);
create index inbound_events_not_counted_idx on public.inbound_events (client_id, source_id, state, kind)
  where state in ('unknown', 'elsewhere', 'untimely');
create index inbound_events_raw_idx on public.inbound_events (received_at) where raw is not null;
create index inbound_events_recipient_idx on public.inbound_events (lower(recipient)) where recipient is not null;
-- Finds the events of a person by address alone, and filters by source afterwards. Without statistics (analyze), the
-- planner considers any index on client and source as good, and would read all events of the source for each of a batch.
create index inbound_events_address_idx on public.inbound_events (person_hash, metric) where metric in ('sent', 'bounced');
grant all on public.inbound_events to service_role;
grant
  select (client_id, source_id, event_key, kind, metric, state, day, happened_at, step, hint, recipient, raw, received_at)
  on public.inbound_events to authenticated;
alter table public.inbound_events enable row level security;
create policy "Admins read all events" on public.inbound_events for select to authenticated using ((select private.is_admin()));
create policy "Team members read the events of their clients" on public.inbound_events for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

create trigger add_do_not_contact_by_event after insert on public.inbound_events
  for each row
  when (
    new.person_hash is not null and new.hint <> '' and new.state <> 'elsewhere' and replace(lower(new.kind), '_', '') in (
      'unsubscribed', 'leadunsubscribed', 'emailunsubscribed', 'emailsunsubscribed'
    )
  )
  execute function private.add_do_not_contact_by_event();

-- Lists the events behind a figure of a source and day, with the total: time, the provider's name of the event, and a hint
-- of the person.
create function public.events_behind(
  _client_id uuid, _batch_id uuid, _metric text, _day date, _limit integer default 50, _offset integer default 0
) returns table (
  happened_at timestamptz, kind text, hint text, total integer
) language plpgsql stable security definer set search_path = '' as $$
declare
  _source public.campaign_sources;
begin
  perform private.works_for_client(_client_id);
  select source.* into _source from public.import_batches as batch
    join public.campaign_sources as source on source.client_id = batch.client_id and source.id = batch.source_id
  where batch.client_id = _client_id and batch.id = _batch_id;
  return query
    select event.happened_at, event.kind, event.hint, count(*) over ()::integer
    from public.inbound_events as event
    where event.client_id = _client_id and event.source_id = _source.id and event.state = 'counted' and event.day = _day
      and event.metric = case when _metric = 'delivered' and _source.provider <> 'json' then 'sent' else _metric end
      and (_metric <> 'delivered' or _source.provider = 'json' or not exists (
        select from (
          select client_id, source_id from public.inbound_events
          where person_hash = event.person_hash and metric = 'bounced' offset 0
        ) as bounce
        where bounce.client_id = _client_id and bounce.source_id = _source.id
      ))
    order by event.happened_at, event.event_key
    limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0);
end
$$;
grant execute on function public.events_behind to authenticated, service_role;

-- Stores events that the function campaign-events has parsed, and counts new ones: [{"key", "kind", "metric", "is_known",
-- "at", "campaign", "step", "recipient", "raw", "deviation"}]. Returns how many are new; null if the token or secret is no
-- longer valid.
create function public.take_campaign_events(_token_hash text, _secret_hash text, _events jsonb) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  _opened record;
  _source public.campaign_sources;
  _client public.clients;
  _new private.taken_event[];
  _today constant date := (now() at time zone 'UTC')::date;
  _stored bigint;
  _added bigint;
begin
  select * into _opened from private.open_source(_token_hash, _secret_hash);
  if not _opened.is_allowed then
    return null;
  end if;
  _source := _opened.source;
  select * into _client from public.clients where id = _source.client_id for no key update;
  select case when stored_on = _today then stored_bytes else 0 end into _stored from public.campaign_sources
  where client_id = _source.client_id and id = _source.id for no key update;
  if _stored >= 256 * 1024 * 1024 then
    perform private.tell_of_full_source(_source, jsonb_array_length(_events));
    return -1;
  end if;
  with given as (
    select distinct on (key) key, kind, metric, is_known, coalesce(at, now()) as happened_at, campaign, step,
      lower(trim(recipient)) as recipient, raw
    from jsonb_to_recordset(_events) as given (
      key text, kind text, metric text, is_known boolean, at timestamptz, campaign text, step integer, recipient text, raw jsonb
    )
    order by key
  ), placed as (
    select *, (happened_at at time zone _client.time_zone)::date as day,
      _stored + sum(500 + octet_length(raw::text)) over (order by key) <= 32 * 1024 * 1024 as keeps_raw
    from given
  ), taken as (
    insert into public.inbound_events (
      client_id, source_id, event_key, kind, metric, state, day, happened_at, step, person_hash, hint, recipient, raw
    )
    select _client.id, _source.id, key, kind, metric, case
        when not is_known then 'unknown'
        when _source.external_id <> '' and campaign <> '' and campaign <> _source.external_id then 'elsewhere'
        when happened_at > now() + interval '10 minutes' then 'untimely'
        when metric is not null and day >= _source.counts_from then 'counted'
        else 'noted'
      end, day, happened_at, step, case when recipient <> '' then private.hash_of_address(recipient) end,
      case when recipient like '%@%' then left(recipient, 1) || '***@' || left(split_part(recipient, '@', 2), 250) else '' end,
      nullif(recipient, ''), case when keeps_raw then raw end
    from placed
    on conflict do nothing
    returning event_key, metric, state, day, happened_at, step, person_hash, recipient,
      500 + coalesce(octet_length(raw::text), 0) as size
  )
  select array_agg((event_key, metric, state, day, happened_at, step, person_hash, recipient)::private.taken_event), sum(size)
  into _new, _added from taken where true;
  update public.campaign_sources set stored_on = _today, stored_bytes = _stored + _added
  where client_id = _source.client_id and id = _source.id and _added > 0;
  perform private.count_events(_source, _new);
  perform private.tell_of_left_alone(_client, _source, array(
    select event from unnest(_new) as event where event.metric = 'sent' and event.state in ('counted', 'noted')
  ));
  perform private.tell_of_deviations(_source, _new, _events);
  return coalesce(array_length(_new, 1), 0);
end
$$;
grant execute on function public.take_campaign_events to service_role;

-- Adds new events to the figures of their days. Smartlead, Instantly and lemlist report bounces but no deliveries: a
-- message counts as delivered unless its address bounced, in any order.
create function private.count_events(_source public.campaign_sources, _new private.taken_event[]) returns void
language sql security definer set search_path = '' as $$
  with changes as materialized (
    select metric, day, sum(value)::bigint as value from (
      select metric, day, 1 from unnest(_new) where state = 'counted'
      union all
      select 'delivered', fresh.day, 1 from unnest(_new) as fresh
      where _source.provider <> 'json' and fresh.metric = 'sent' and fresh.state = 'counted' and not exists (
        select from (
          -- No other condition may get into the search for an address, which offset keeps out.
          select client_id, source_id from public.inbound_events
          where person_hash = fresh.person_hash and metric = 'bounced' offset 0
        ) as bounce
        where bounce.client_id = _source.client_id and bounce.source_id = _source.id
      )
      union all
      select 'delivered', message.day, -1
      from (select distinct person_hash from unnest(_new) where metric = 'bounced') as bounced
        cross join lateral (
          select client_id, source_id, event_key, state, day from public.inbound_events
          where person_hash = bounced.person_hash and metric = 'sent' offset 0
        ) as message
      where _source.provider <> 'json'
        and message.client_id = _source.client_id and message.source_id = _source.id and message.state = 'counted'
        and not exists (select from unnest(_new) as fresh where fresh.event_key = message.event_key)
        and not exists (
          select from (
            select client_id, source_id, event_key from public.inbound_events
            where person_hash = bounced.person_hash and metric = 'bounced' offset 0
          ) as former
          where former.client_id = _source.client_id and former.source_id = _source.id
            and not exists (select from unnest(_new) as fresh where fresh.event_key = former.event_key)
        )
    ) as changes (metric, day, value)
    where metric = any (_source.metrics)
    group by metric, day having sum(value) <> 0
  ), batch as (
    select id from public.import_batches where client_id = _source.client_id and source_id = _source.id
  ), added as (
    update public.campaign_figures as figure set value = figure.value + changes.value
    from changes, batch
    where figure.client_id = _source.client_id and figure.batch_id = batch.id and figure.campaign_id = _source.campaign_id
      and figure.metric = changes.metric and figure.first_day = changes.day
    returning figure.metric, figure.first_day
  )
  insert into public.campaign_figures (client_id, batch_id, campaign_id, metric, first_day, last_day, value)
  select _source.client_id, batch.id, _source.campaign_id, metric, day, day, value from changes, batch
  where not exists (select from added where added.metric = changes.metric and added.first_day = changes.day)
$$;

-- Empties events after thirty days, at most `_at_most`, and returns how many.
create function private.empty_old_events(_at_most integer default null) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  _emptied integer;
begin
  update public.inbound_events set raw = null, recipient = null
  where (client_id, source_id, event_key) in (
    select client_id, source_id, event_key from public.inbound_events
    where raw is not null and received_at < now() - interval '30 days' limit _at_most
  );
  get diagnostics _emptied = row_count;
  return _emptied;
end
$$;

create function private.keep_figures_of_events() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  raise exception 'Figures of events cannot be undone. End the source instead.' using errcode = 'P0001';
end
$$;

-- Raises an alarm for messages to people who were on the client's list: themselves, their domain, or a parent domain.
create function private.tell_of_left_alone(
  _client public.clients, _source public.campaign_sources, _new private.taken_event[]
) returns void language plpgsql security definer set search_path = '' as $$
declare
  _campaign constant text := (
    select name from public.campaigns where client_id = _source.client_id and id = _source.campaign_id
  );
  _found record;
  _text text;
begin
  for _found in
    select id, entry_hint, count(*)::integer as times, max(happened_at) as latest from (
      select distinct on (event.event_key) entry.id, entry.hint as entry_hint, event.happened_at
      from unnest(_new) as event
        cross join lateral (
          select event.person_hash
          union all
          select array_to_string(labels[n:], '.')
          from (select string_to_array(regexp_replace(event.recipient, '^.*@', ''), '.')) as parts (labels),
            generate_subscripts(labels, 1) as n
        ) as spelled (value)
        join public.do_not_contact as entry on entry.client_id = _client.id and entry.value = spelled.value
      where event.metric = 'sent' and entry.created_at < event.happened_at
      order by event.event_key, length(entry.hint) desc
    ) as found group by id, entry_hint
  loop
    _text := 'The campaign “' || _campaign || '” wrote to ' || _found.entry_hint || ', which is on the list of whom to leave alone, on '
      || to_char(_found.latest at time zone _client.time_zone, 'FMDD FMMonth YYYY') || '.';
    if private.raise_alarm(_client.id, 'left_alone', _source.campaign_id || ' ' || _found.id, _text, _found.times) then
      perform private.tell_workers_of_alarm(_client.id, _text);
    end if;
  end loop;
end
$$;

-- Raises an alarm for new messages that match no approved text; the function campaign-events compares them. `deviation` of
-- an event: {"subject", "text"}.
create function private.tell_of_deviations(
  _source public.campaign_sources, _new private.taken_event[], _events jsonb
) returns void language plpgsql security definer set search_path = '' as $$
declare
  _campaign constant text := (
    select name from public.campaigns where client_id = _source.client_id and id = _source.campaign_id
  );
  _found record;
begin
  for _found in
    select deviation ->> 'kind' as kind, deviation ->> 'subject' as subject, min(deviation ->> 'text') as text,
      count(*)::integer as times
    from (
      select distinct on (key) deviation from jsonb_to_recordset(_events) as given (key text, deviation jsonb)
      where jsonb_typeof(deviation) = 'object' and exists (
        select from unnest(_new) as fresh
        where fresh.event_key = given.key and fresh.state in ('counted', 'noted')
      )
      order by key
    ) as found
    group by 1, 2 order by 1, 2
  loop
    perform private.raise_alarm(
      _source.client_id, _found.kind, _source.campaign_id || ' ' || _found.subject,
      'The campaign “' || _campaign || '”: ' || _found.text, _found.times
    );
  end loop;
end
$$;

create trigger keep_figures_of_events before update on public.import_batches
  for each row when (old.source_id is not null and new.undone_at is not null) execute function private.keep_figures_of_events();

-- schemas/clients/alarms.sql

-- Alarms about a client, for those who work for it. Members do not see them.
create table public.client_alarms (
  client_id uuid not null references public.clients (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  kind text not null check (kind in ('not_approved', 'left_alone', 'difference', 'incomplete')),
  -- Alarms with the same subject are one row with a count.
  subject text not null check (length(subject) <= 400),
  text text not null check (length(text) <= 2000),
  times integer not null default 1,
  created_at timestamptz not null default now()
    constraint client_alarms_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  latest_at timestamptz not null default now()
    constraint client_alarms_latest_at_calendar check (latest_at between '1900-01-01' and '2999-12-31'),
  settled_by uuid references auth.users (id) on delete set null,
  settled_at timestamptz constraint client_alarms_settled_at_calendar check (settled_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, id),
  unique (client_id, kind, subject)
);
create index client_alarms_open_idx on public.client_alarms (client_id, kind) where settled_at is null;
create index client_alarms_settled_by_idx on public.client_alarms (settled_by);
grant select on public.client_alarms to authenticated;
grant all on public.client_alarms to service_role;
alter table public.client_alarms enable row level security;
create policy "Admins read all alarms" on public.client_alarms for select to authenticated using ((select private.is_admin()));
create policy "Team members read the alarms of their clients" on public.client_alarms for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

-- Raises an alarm, or counts it again and reopens it. Beyond 200 open alarms of a kind, one row stands for the rest.
-- Returns whether it is new.
create function private.raise_alarm(_client_id uuid, _kind text, _subject text, _text text, _times integer) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  _was_open constant boolean := exists (
    select from public.client_alarms
    where client_id = _client_id and kind = _kind and subject = _subject and settled_at is null
  );
begin
  if not _was_open and 200 <= (
    select count(*) from public.client_alarms where client_id = _client_id and kind = _kind and settled_at is null
  ) then
    _subject := 'more';
    _text := 'More of these than are listed. Settle some to see others.';
  end if;
  insert into public.client_alarms as former (client_id, kind, subject, text, times)
  values (_client_id, _kind, left(_subject, 400), left(_text, 2000), _times)
  on conflict (client_id, kind, subject) do update set
    times = former.times + excluded.times, text = excluded.text, latest_at = now(), settled_at = null, settled_by = null;
  return not _was_open and _subject <> 'more';
end
$$;

-- Settles an alarm.
create function public.settle_client_alarm(_client_id uuid, _id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only those who work for this client may do this' using errcode = '42501';
  end if;
  update public.client_alarms set settled_at = now(), settled_by = private.user_id()
  where client_id = _client_id and id = _id and settled_at is null;
end
$$;
grant execute on function public.settle_client_alarm to authenticated, service_role;

-- Mails an alarm to the team members assigned to the client, or to the admins if there are none. At most 20 mails a day per
-- address.
create function private.tell_workers_of_alarm(_client_id uuid, _text text) returns void
language sql security definer set search_path = '' as $$
  with assigned as (
    select user_id from public.client_assignments
      join public.user_roles using (user_id)
    where client_id = _client_id and role in ('team', 'admin') and approved
  ), people as materialized (
    -- Found first, or the planner could count for addresses of others.
    select users.id, users.email, clients.name as client
    from auth.users join public.user_roles on user_roles.user_id = users.id, public.clients
    where clients.id = _client_id and users.email <> '' and (
      users.id in (select user_id from assigned)
      or not exists (select from assigned) and user_roles.role = 'admin' and user_roles.approved
    )
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'client_alarm', jsonb_build_object('Email', email, 'Client', client, 'Message', _text,
    'Path', private.team_path(id, _client_id, 'alarms'))
  from people where private.count_for_subject('alarm mail', lower(email), 20, interval '1 day')
$$;

-- schemas/clients/reports.sql

-- Reports to clients: drafts on schedule or by hand, for a week or a month. A person writes the summary and approves. Then
-- the row is immutable, and a correction is a new report. The mail contains the SHA-256 of the report, including decisions
-- since the last one: a hash stored only beside the figures could be rewritten together with them.
create table public.client_reports (
  client_id uuid not null references public.clients (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  span text not null check (span in ('week', 'month')),
  first_day date not null constraint client_reports_first_day_calendar check (first_day between '1900-01-01' and '2999-12-31'),
  last_day date not null constraint client_reports_last_day_calendar check (last_day between '1900-01-01' and '2999-12-31'),
  -- Content of the report, with its imports: private.report_figures().
  figures jsonb not null,
  summary text not null default '' check (length(summary) <= 5000),
  -- The report that this one corrects.
  corrects uuid,
  created_at timestamptz not null default now()
    constraint client_reports_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  -- When the draft was discarded, so that it is not created again.
  discarded_at timestamptz
    constraint client_reports_discarded_at_calendar check (discarded_at between '1900-01-01' and '2999-12-31'),
  -- SHA-256 of private.report_document(). The row is immutable once it is set.
  hash text check (hash ~ '^[0-9a-f]{64}$'),
  -- Hash of the previous report, which this hash includes.
  previous_hash text check (previous_hash ~ '^[0-9a-f]{64}$'),
  approved_by uuid references auth.users (id) on delete set null,
  sent_at timestamptz constraint client_reports_sent_at_calendar check (sent_at between '1900-01-01' and '2999-12-31'),
  decisions jsonb,
  primary key (client_id, id),
  foreign key (client_id, corrects) references public.client_reports (client_id, id),
  check (last_day > first_day),
  constraint client_reports_check1 check ((hash is null) = (sent_at is null)),
  constraint client_reports_check2 check (sent_at is null or discarded_at is null)
);
create unique index client_reports_once_idx on public.client_reports (client_id, span, first_day) where corrects is null;
create unique index client_reports_corrects_idx on public.client_reports (client_id, corrects);
-- Mails refer to a report by its id only.
create index client_reports_id_idx on public.client_reports (id);
create index client_reports_sent_idx on public.client_reports (client_id, sent_at);
create index client_reports_approved_by_idx on public.client_reports (approved_by);
grant select on public.client_reports to authenticated;
grant all on public.client_reports to service_role;
alter table public.client_reports enable row level security;
create policy "Admins read all reports" on public.client_reports for select to authenticated
  using ((select private.is_admin()));
create policy "Members read the reports that their clients were sent" on public.client_reports for select to authenticated
  using (sent_at is not null and client_id in (select private.clients_of_member()));
create policy "Team members read the reports of their clients" on public.client_reports for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

-- Summaries of scheduled drafts, requested from the language model if there is one. The draft does not wait for it. The row
-- shows the state until a person saves a summary.
create table private.asked_summaries (
  client_id uuid not null,
  report_id uuid not null,
  -- 'empty': the report supports nothing that the model wrote.
  state text not null default 'wanted' check (state in ('wanted', 'filled', 'empty', 'away')),
  left_out integer not null default 0,
  tries integer not null default 0,
  next_try_at timestamptz not null default now(),
  primary key (client_id, report_id),
  foreign key (client_id, report_id) references public.client_reports (client_id, id) on delete cascade
);
alter table private.asked_summaries enable row level security;

-- Mondays whose list was sent.
create table private.monday_lists (
  monday date primary key
);
alter table private.monday_lists enable row level security;

-- Approves a draft as it was read: `_seal` is from client_report(). The report becomes immutable, and members are mailed.
-- Returns its hash.
create function public.approve_client_report(_client_id uuid, _id uuid, _seal text) returns text
language plpgsql security definer set search_path = '' as $$
declare
  _draft constant public.client_reports := private.lock_report_draft(_client_id, _id);
  _report public.client_reports := private.with_current_figures(_draft);
begin
  if _report.discarded_at is not null then
    raise exception 'This draft was set aside.' using errcode = 'P0001';
  elsif private.report_hash(_report) is distinct from _seal then
    raise exception 'The report has changed meanwhile. Please read it again.' using errcode = 'P0001';
  elsif _report.summary <> '' and _report.figures <> _draft.figures then
    raise exception 'The figures changed after the summary was saved. Check the summary and save it again.'
      using errcode = 'P0001';
  end if;
  _report.approved_by := private.user_id();
  -- After the lock on the client, so that reports have one order.
  _report.sent_at := clock_timestamp();
  _report.previous_hash := (
    select hash from public.client_reports where client_id = _client_id and sent_at is not null order by sent_at desc limit 1
  );
  _report.decisions := private.unreported_decisions(_client_id);
  _report.hash := private.report_hash(_report);
  update public.client_reports set
    figures = _report.figures, approved_by = _report.approved_by, sent_at = _report.sent_at,
    previous_hash = _report.previous_hash, decisions = _report.decisions, hash = _report.hash
  where client_id = _client_id and id = _id;
  perform private.tell_client_of_report(_report);
  return _report.hash;
end
$$;
grant execute on function public.approve_client_report to authenticated, service_role;

-- Verifies a client's sent reports by their hashes. Returns those that were changed, and those whose predecessor is
-- missing.
create function public.check_client_reports(_client_id uuid) returns table (id uuid, first_day date, problem text)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.works_for_client(_client_id);
  return query
    select report.id, report.first_day, case
      when report.hash <> report.now_hash then 'This report is not what was sent: its hash is another.'
      else 'The report that was sent before this one is missing, or another.'
    end
    from (
      select any_report.id, any_report.first_day, any_report.hash, any_report.previous_hash, any_report.sent_at,
        private.report_hash(any_report) as now_hash, lag(any_report.hash) over (order by any_report.sent_at) as former
      from public.client_reports as any_report where any_report.client_id = _client_id and any_report.hash is not null
    ) as report
    where report.hash <> report.now_hash or report.previous_hash is distinct from report.former
    order by report.sent_at;
end
$$;
grant execute on function public.check_client_reports to authenticated, service_role;

-- Exports the figures that count, and the day and campaign of meetings.
create function public.client_archive(_client_id uuid, _part text, _offset integer default 0) returns setof jsonb
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
      select jsonb_build_object('title', title, 'version', version.number, 'text', text, 'due_on', due_on,
        'asked_by', private.shown_name(asked_by, _works_for), 'asked_at', version.created_at, 'decision', verdict,
        'comment', comment, 'decided_by', private.shown_name(decided_by, _works_for), 'decided_at', decision.created_at,
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
        'answered_at', answered_at, 'answer_until', answer_until)
      from public.client_meetings as meeting
        left join public.campaigns on campaigns.client_id = meeting.client_id and campaigns.id = meeting.campaign_id
      where meeting.client_id = _client_id order by booked_on, meeting.id limit 1000 offset _from;
    when 'leave_alone' then return query
      select jsonb_build_object('kind', kind, 'entry', hint, 'added_at', created_at)
      from public.do_not_contact where client_id = _client_id order by created_at, id limit 1000 offset _from;
    when 'figures_on_the_site' then return query
      select jsonb_build_object('figure', private.quote_in_words(quote), 'page', coalesce(projects.title, 'a page that was deleted'),
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
    else raise exception 'There is no such part of the archive.' using errcode = '22023';
  end case;
end
$$;
grant execute on function public.client_archive to authenticated, service_role;

-- Returns a report: {"client_id", "client", "span", "first_day", "last_day", "figures", "summary", "corrects",
-- "corrected_by", "hash", "is_genuine", "sent_at", "approved_by"}; for those who work for the client also "may_change",
-- "seal" and "is_current" (whether a draft has the present figures). Members do not see addresses of people. Null if the
-- report is missing or not visible to the caller.
create function public.client_report(_id uuid) returns jsonb language plpgsql stable security definer set search_path = '' as $$
declare
  _report public.client_reports;
  _stored jsonb;
  _client public.clients;
  _works_for boolean;
begin
  select * into _report from public.client_reports
  where id = _id and (
    private.is_admin() or client_id in (select private.clients_of_team_member())
    or sent_at is not null and client_id in (select private.clients_of_member())
  );
  if not found then
    return null;
  end if;
  _works_for := private.is_admin() or _report.client_id in (select private.clients_of_team_member());
  _stored := _report.figures;
  _report := private.with_current_figures(_report);
  select * into _client from public.clients where id = _report.client_id;
  return jsonb_build_object(
    'client_id', _client.id, 'time_zone', _client.time_zone, 'logo', _client.logo, 'client', _report.figures -> 'client' ->> 'name', 'span', _report.span,
    'first_day', _report.first_day, 'last_day', _report.last_day, 'figures', _report.figures, 'summary', _report.summary,
    'corrects', _report.corrects, 'hash', _report.hash, 'sent_at', _report.sent_at,
    'is_genuine', _report.hash = private.report_hash(_report),
    'corrected_by', (
      select id from public.client_reports
      where client_id = _client.id and corrects = _report.id and (_works_for or sent_at is not null)
    ),
    'approved_by', (
      select coalesce(nullif(private.name_of(raw_user_meta_data), ''), case when _works_for then email end, '')
      from auth.users where id = _report.approved_by
    ),
    'may_change', _works_for and _report.sent_at is null,
    'by_model', case when _works_for and _report.sent_at is null then (
      select jsonb_build_object('state', asked.state, 'left_out', asked.left_out) from private.asked_summaries as asked
      where asked.client_id = _client.id and asked.report_id = _report.id
    ) end,
    'seal', case when _works_for then private.report_hash(_report) end,
    'is_summary_current', _report.summary = '' or _report.figures = _stored
  );
end
$$;
grant execute on function public.client_report to authenticated, service_role;

-- Creates a correction of a sent report, or returns its draft. Returns the id.
create function public.correct_client_report(_client_id uuid, _id uuid) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  _client constant public.clients := private.lock_client_of_worker(_client_id);
  _report public.client_reports;
  _new uuid;
begin
  select * into _report from public.client_reports where client_id = _client_id and id = _id;
  if _report.hash is null then
    raise exception 'This report was not sent. Change it instead.' using errcode = 'P0001';
  end if;
  insert into public.client_reports (client_id, span, first_day, last_day, figures, summary, corrects)
  values (_client_id, _report.span, _report.first_day, _report.last_day,
    private.report_figures(_client, _report.span, _report.first_day, _report.last_day), _report.summary, _id)
  on conflict do nothing returning id into _new;
  return coalesce(_new, (select id from public.client_reports where client_id = _client_id and corrects = _id));
end
$$;
grant execute on function public.correct_client_report to authenticated, service_role;

-- Discards a draft, so that it is not created again. A correction is deleted.
create function public.discard_client_report(_client_id uuid, _id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if (private.lock_report_draft(_client_id, _id)).corrects is null then
    update public.client_reports set discarded_at = now() where client_id = _client_id and id = _id;
  else
    delete from public.client_reports where client_id = _client_id and id = _id;
  end if;
end
$$;
grant execute on function public.discard_client_report to authenticated, service_role;

-- Saves a draft's summary, unless it differs from `_former` by now.
create function public.save_report_summary(_client_id uuid, _id uuid, _summary text, _former text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _draft constant public.client_reports := private.lock_report_draft(_client_id, _id);
begin
  if _draft.summary is distinct from _former then
    raise exception 'A colleague has changed the summary meanwhile. Please read it first.' using errcode = 'P0001';
  end if;
  update public.client_reports set
    summary = btrim(_summary, E' \t\r\n'), figures = (private.with_current_figures(_draft)).figures
  where client_id = _client_id and id = _id;
  -- From now on it is this person's.
  delete from private.asked_summaries where client_id = _client_id and report_id = _id;
end
$$;
grant execute on function public.save_report_summary to authenticated, service_role;

-- Creates a report of a past week or month, or returns its draft. Returns the id.
create function public.start_client_report(_client_id uuid, _span text, _first_day date) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  _client constant public.clients := private.lock_client_of_worker(_client_id);
  _last_day constant date := case _span when 'week' then _first_day + 6 else (_first_day + interval '1 month - 1 day')::date end;
  _report public.client_reports;
begin
  if _span = 'week' and extract(isodow from _first_day) <> _client.first_weekday
    or _span = 'month' and extract(day from _first_day) <> 1 then
    raise exception 'This is not how a week or a month of this client begins.' using errcode = '22023';
  elsif _last_day >= (now() at time zone _client.time_zone)::date then
    raise exception 'A report is of a time that is over.' using errcode = 'P0001';
  end if;
  select * into _report from public.client_reports
  where client_id = _client_id and span = _span and first_day = _first_day and corrects is null for update;
  if _report.hash is not null then
    raise exception 'There is a report of this time. Open it and correct it.' using errcode = 'P0001';
  elsif found then
    if _report.discarded_at is not null then
      update public.client_reports set discarded_at = null, summary = '',
        figures = private.report_figures(_client, _span, _first_day, _last_day)
      where client_id = _client_id and id = _report.id;
    end if;
    return _report.id;
  end if;
  insert into public.client_reports (client_id, span, first_day, last_day, figures)
  values (_client_id, _span, _first_day, _last_day, private.report_figures(_client, _span, _first_day, _last_day))
  returning id into _report.id;
  return _report.id;
end
$$;
grant execute on function public.start_client_report to authenticated, service_role;

-- Returns the first day of the week that the latest report is due for. The due time is in the client's time zone, whatever
-- daylight saving time does.
create function private.due_report_week(_client public.clients, _now timestamptz default now()) returns date
language sql stable set search_path = '' as $$
  select day - (extract(isodow from day)::integer - _client.first_weekday + 7) % 7 - 7
  from (select (_now at time zone _client.time_zone)::date) as now_there (today),
    lateral (select today - (extract(isodow from today)::integer - _client.report_weekday + 7) % 7) as latest (weekday),
    lateral (
      select case
        when (weekday + make_interval(hours => _client.report_hour)) at time zone _client.time_zone <= _now then weekday
        else weekday - 7
      end
    ) as due (day)
$$;

-- Stores a requested summary, unless the draft has changed. Null means that the model was unavailable.
create function private.fill_asked_summary(_client_id uuid, _id uuid, _seal text, _summary text, _left_out integer) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if _summary <> '' then
    update public.client_reports as draft set summary = _summary, figures = (private.with_current_figures(draft)).figures
    where draft.client_id = _client_id and draft.id = _id and draft.sent_at is null and draft.discarded_at is null
      and draft.summary = '' and private.report_hash(private.with_current_figures(draft)) = _seal;
    if not found then
      return;
    end if;
  end if;
  update private.asked_summaries set left_out = _left_out,
    state = case when _summary is null then 'away' when _summary = '' then 'empty' else 'filled' end
  where client_id = _client_id and report_id = _id;
end
$$;

-- Makes sent reports immutable, also for the secret key. Deleting an account only empties `approved_by`; deleting a client
-- deletes its reports.
create function private.keep_sent_report() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if old.hash is null then
    return coalesce(new, old);
  elsif tg_op = 'DELETE' then
    if not exists (select from public.clients where id = old.client_id) then
      return old;
    end if;
  elsif to_jsonb(new) - 'approved_by' = to_jsonb(old) - 'approved_by'
    and (new.approved_by is null or new.approved_by = old.approved_by) then
    return new;
  end if;
  raise exception 'A report that was sent stays as it is. Correct it with a new one.' using errcode = 'P0001';
end
$$;

-- Locks a draft of a client that the caller works for. Throws P0001 if it was sent or deleted.
create function private.lock_report_draft(_client_id uuid, _id uuid) returns public.client_reports
language plpgsql security definer set search_path = '' as $$
declare
  _report public.client_reports;
begin
  perform private.lock_client_of_worker(_client_id);
  select * into _report from public.client_reports where client_id = _client_id and id = _id for update;
  if not found then
    raise exception 'There is no such report any more.' using errcode = 'P0001';
  elsif _report.hash is not null then
    raise exception 'This report was sent. It stays as it is.' using errcode = 'P0001';
  end if;
  return _report;
end
$$;

-- Creates drafts and queues the Monday list. A Supabase project schedules this one job.
create function private.make_due_reports() returns void language plpgsql security definer set search_path = '' as $$
begin
  while private.make_next_due_report() loop
  end loop;
  perform private.send_monday_list();
end
$$;

-- A client created after the week has no draft of it, unless figures of that week were imported.
create function private.make_next_due_report() returns boolean language plpgsql security definer set search_path = '' as $$
declare
  _client public.clients;
  _week date;
  _id uuid;
begin
  select clients.* into _client
  from public.clients cross join lateral (select private.due_report_week(clients)) as due (week)
  where clients.report_weekday is not null
    and exists (select from public.campaigns where campaigns.client_id = clients.id and deleted_at is null)
    and not exists (
      select from public.client_reports as report
      where report.client_id = clients.id and report.span = 'week' and report.first_day = due.week and report.corrects is null
    )
    and (
      clients.created_at < (due.week + 7)::timestamp at time zone clients.time_zone
      or exists (
        select from public.campaign_figures as figure
        where figure.client_id = clients.id and figure.replaced_by is null
          and figure.first_day between due.week and due.week + 6
      )
    )
  order by clients.id limit 1 for no key update of clients skip locked;
  if not found then
    return false;
  end if;
  _week := private.due_report_week(_client);
  insert into public.client_reports (client_id, span, first_day, last_day, figures)
  values (_client.id, 'week', _week, _week + 6, private.report_figures(_client, 'week', _week, _week + 6))
  on conflict do nothing returning id into _id;
  if _id is not null then
    insert into private.asked_summaries (client_id, report_id) values (_client.id, _id);
    perform pg_notify('report_drafted', '');
  end if;
  return true;
end
$$;

-- Takes the next draft whose summary the language model should write: at most three times, ten minutes apart, so that a
-- crashed process does not lose it. Returns the draft and the hash of what was read; null if none is pending.
create function private.next_asked_summary() returns jsonb language sql security definer set search_path = '' as $$
  with next as (
    select asked.client_id, asked.report_id
    from private.asked_summaries as asked join public.client_reports as report
      on report.client_id = asked.client_id and report.id = asked.report_id
    where asked.state in ('wanted', 'away') and asked.tries < 3 and asked.next_try_at <= now()
      and report.sent_at is null and report.discarded_at is null and report.summary = ''
    order by asked.next_try_at limit 1 for update of asked skip locked
  ), taken as (
    update private.asked_summaries as asked set tries = asked.tries + 1, next_try_at = now() + interval '10 minutes'
    from next where (asked.client_id, asked.report_id) = (next.client_id, next.report_id)
    returning asked.client_id, asked.report_id
  )
  select jsonb_build_object(
    'client_id', report.client_id, 'id', report.id, 'client', report.figures -> 'client' ->> 'name', 'span', report.span,
    'first_day', report.first_day, 'last_day', report.last_day, 'figures', report.figures, 'may_change', true,
    'seal', private.report_hash(report)
  )
  from taken join public.client_reports as draft on draft.client_id = taken.client_id and draft.id = taken.report_id,
    lateral private.with_current_figures(draft) as report
$$;

-- Returns the text that a report's hash covers: everything but `approved_by`, which is emptied with the account.
create function private.report_document(_report public.client_reports) returns text
language sql stable set search_path = '' as $$
  select jsonb_pretty(jsonb_build_object(
    'report', _report.id, 'client', _report.client_id, 'span', _report.span, 'first_day', _report.first_day,
    'last_day', _report.last_day, 'figures', _report.figures, 'summary', _report.summary, 'corrects', _report.corrects,
    'previous', _report.previous_hash,
    'approved_at', to_char(_report.sent_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
  ) || case when _report.decisions is null then '{}' else jsonb_build_object('decisions', _report.decisions) end)
$$;

-- Returns the content of a report: {"client": {"name", "currency"}, "result": [{"metric", "value", "before"}], "campaigns":
-- [{"name", "channel", "figures"}], "meetings": {"held", "no_show", "booked", "disputed"}, "goals": [{"metric", "goal",
-- "value"}], "changes": [{"kind", "name", "detail"}], "next": [{"campaign", "step", "due_on"}], "wishes": [{"kind", "name",
-- "due_on"}], "imports": [{"id", "file", "hash", "at"}]}. A weekly figure counts where it begins; a missing figure is null.
create function private.report_figures(_client public.clients, _span text, _first_day date, _last_day date) returns jsonb
language sql stable security definer set search_path = '' as $$
  with days as (
    select case _span when 'week' then _first_day - 7 else (_first_day - interval '1 month')::date end as before,
      date_trunc('month', _first_day)::date as month
  ), counted as (
    select campaign_id, batch_id, metric, value, first_day between _first_day and _last_day as is_now,
      first_day between days.before and _first_day - 1 as is_before,
      first_day between days.month and (days.month + interval '1 month - 1 day')::date as is_month
    from private.counted_figures, days
    where client_id = _client.id
      and first_day between least(days.before, days.month) and greatest(_last_day, (days.month + interval '1 month')::date)
  ), wishes as (
    select 1 as rank, 'text' as kind, approvals.title as name, version.due_on
    from public.approvals join lateral (
      select * from public.approval_versions as any_version
      where any_version.client_id = approvals.client_id and any_version.approval_id = approvals.id
      order by number desc limit 1
    ) as version on true
    where approvals.client_id = _client.id and not exists (
      select from public.approval_decisions as decision
      where decision.client_id = approvals.client_id and decision.approval_id = approvals.id and decision.number = version.number
    )
    union all
    select 2, 'meetings', count(*)::text, null from public.client_meetings
    where client_id = _client.id and answer is null and answer_until > now() having count(*) > 0
    union all
    select 3, 'goals', '', null where num_nonnulls(_client.meetings_goal, _client.replies_goal, _client.delivered_goal) = 0
    union all
    select 4, 'leave_alone', '', null where not exists (select from public.do_not_contact where client_id = _client.id)
  )
  select jsonb_build_object(
    'client', jsonb_build_object('name', _client.name, 'currency', _client.currency),
    'result', (
      select jsonb_agg(jsonb_build_object(
        'metric', shown.metric,
        'value', (select case when shown.metric = 'meetings' and count(*) > 0 then coalesce(sum(value) filter (where metric = 'meetings'), 0)
          else sum(value) filter (where counted.metric = shown.metric) end from counted where is_now),
        'before', (select case when shown.metric = 'meetings' and count(*) > 0 then coalesce(sum(value) filter (where metric = 'meetings'), 0)
          else sum(value) filter (where counted.metric = shown.metric) end from counted where is_before)
      ) order by shown.at)
      from unnest(array['sent', 'delivered', 'replies', 'positive_replies', 'meetings']) with ordinality as shown (metric, at)
      where shown.metric = 'meetings' or exists (select from counted where counted.metric = shown.metric)
    ),
    'campaigns', coalesce((
      select jsonb_agg(jsonb_build_object(
        'name', coalesce(name, 'No campaign'), 'channel', coalesce(channel, 'other'), 'figures', figures
      ) order by name, id)
      from (
        select campaign_id, jsonb_object_agg(metric, value) from (
          select campaign_id, metric, sum(value) from counted where is_now group by campaign_id, metric
        ) as sums (campaign_id, metric, value) group by campaign_id
      ) as totals (campaign_id, figures) left join public.campaigns on client_id = _client.id and id = campaign_id
    ), '[]'),
    'meetings', (
      select jsonb_build_object(
        'held', count(*) filter (where outcome = 'held'), 'no_show', count(*) filter (where outcome = 'no_show'),
        'booked', count(*) filter (where outcome = 'booked'), 'disputed', count(*) filter (where answer = 'disputed'))
      from public.client_meetings where client_id = _client.id and booked_on between _first_day and _last_day
    ),
    'goals', coalesce((
      select jsonb_agg(jsonb_build_object('metric', goal.metric, 'goal', goal.value, 'value',
        coalesce((select sum(value) from counted where counted.metric = goal.metric and is_month), 0)) order by goal.at)
      from (values (1, 'meetings', _client.meetings_goal), (2, 'replies', _client.replies_goal),
        (3, 'delivered', _client.delivered_goal)) as goal (at, metric, value)
      where goal.value is not null
    ), '[]'),
    'changes', coalesce((
      select jsonb_agg(jsonb_build_object('kind', kind, 'name', name, 'detail', detail) order by rank, name)
      from private.changes_of_client(_client, _first_day, _last_day)
    ), '[]'),
    'next', coalesce((
      select jsonb_agg(jsonb_build_object('campaign', name, 'step', next_step, 'due_on', due_on) order by due_on nulls last, name)
      from public.campaigns where client_id = _client.id and deleted_at is null and phase <> 'done' and next_step <> ''
    ), '[]'),
    'wishes', coalesce((
      select jsonb_agg(jsonb_build_object('kind', kind, 'name', name, 'due_on', due_on) order by rank, due_on nulls last, name)
      from wishes
    ), '[]'),
    'imports', coalesce((
      select jsonb_agg(jsonb_build_object('id', id, 'file', file_name, 'hash', file_hash, 'at', created_at) order by created_at, id)
      from public.import_batches where client_id = _client.id and id in (select batch_id from counted where is_now)
    ), '[]')
  )
$$;

-- Returns the SHA-256 of a report's present content.
create function private.report_hash(_report public.client_reports) returns text language sql stable set search_path = '' as $$
  select encode(sha256(convert_to(private.report_document(_report), 'UTF8')), 'hex')
$$;

-- Sends the list once, from Monday 9:00 to the end of Tuesday in the site's time zone. Returns whether it was due.
create function private.send_monday_list(_now timestamptz default now()) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  _there constant timestamp := _now at time zone coalesce(
    (select time_zone from public.booking_rules limit 1), 'Europe/Oslo'
  );
  _monday constant date := date_trunc('week', _there)::date;
begin
  if _there < _monday + interval '9 hours' or _there >= _monday + interval '2 days' then
    return false;
  end if;
  insert into private.monday_lists (monday) values (_monday) on conflict do nothing;
  if not found then
    return false;
  end if;
  insert into private.mail_queue (recipient, template, variables)
  select users.email, 'monday_list', jsonb_build_object(
    'Email', users.email,
    'Count', case count(*) when 1 then '1 task' else count(*) || ' tasks' end,
    'Items', jsonb_agg(jsonb_build_object('text', task.words, 'path', case task.kind
      when 'report' then '/reports/' || task.item_id
      when 'alarm' then private.team_path(users.id, task.client_id, 'alarms')
      else private.team_path(users.id, task.client_id, task.kind || '-' || task.item_id)
    end) order by task.kind <> 'report', task.words)
  )
  from private.team_tasks() as task
    join public.user_roles as roles on roles.approved and (
      roles.role = 'admin'
      or roles.role = 'team' and exists (
        select from public.client_assignments as assignment
        where assignment.client_id = task.client_id and assignment.user_id = roles.user_id
      )
    )
    join auth.users on users.id = roles.user_id
  where users.email <> ''
  group by users.id, users.email;
  return true;
end
$$;

-- Returns a person's name for exports, with the address only for those who work for the client.
create function private.shown_name(_person uuid, _with_address boolean) returns text
language sql stable security definer set search_path = '' as $$
  select coalesce(nullif(private.name_of(raw_user_meta_data), ''), case when _with_address then email end, '')
  from auth.users where id = _person
$$;

-- Lists what waits for those who work for a client: report drafts, refused approvals, disputed meetings and open alarms.
create function private.team_tasks() returns table (client_id uuid, kind text, item_id uuid, words text)
language sql stable security definer set search_path = '' as $$
  with tasks (client_id, kind, item_id, words) as (
    select report.client_id, 'report', report.id, 'draft report, ' || case report.span
      when 'month' then to_char(report.first_day, 'FMMonth YYYY')
      else to_char(report.first_day, 'FMDD FMMonth') || ' to ' || to_char(report.last_day, 'FMDD FMMonth YYYY') end
    from public.client_reports as report where report.sent_at is null and report.discarded_at is null
    union all
    select approval.client_id, 'approval', approval.id,
      '“' || approval.title || '”, ' || case decision.verdict when 'no' then 'declined' else 'changes asked for' end
    from public.approvals as approval
      join lateral (
        select any_version.number from public.approval_versions as any_version
        where any_version.client_id = approval.client_id and any_version.approval_id = approval.id
        order by any_version.number desc limit 1
      ) as version on true
      join public.approval_decisions as decision on decision.client_id = approval.client_id
        and decision.approval_id = approval.id and decision.number = version.number and decision.verdict in ('no', 'changes')
    union all
    select meeting.client_id, 'meeting', meeting.id, 'meeting with ' || meeting.met_with || ', disputed'
    from public.client_meetings as meeting where meeting.answer = 'disputed'
    union all
    select alarm.client_id, 'alarm', alarm.id, alarm.text from public.client_alarms as alarm where alarm.settled_at is null
  )
  select tasks.client_id, tasks.kind, tasks.item_id, clients.name || ': ' || tasks.words
  from tasks join public.clients on clients.id = tasks.client_id where not clients.is_sample
$$;

-- Mails the members who want reports, with the report's hash. At most 20 mails a day per address.
create function private.tell_client_of_report(_report public.client_reports) returns void
language sql security definer set search_path = '' as $$
  -- Found first, or the planner could count for addresses of others.
  with people as materialized (
    select member.email, clients.name as client
    from private.members_to_tell(_report.client_id, 'report') as member join public.clients on clients.id = _report.client_id
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'client_report', jsonb_build_object(
    'Email', email, 'Client', client, 'ReportId', _report.id, 'Hash', _report.hash, 'Message', _report.summary,
    'Period', case _report.span when 'month' then to_char(_report.first_day, 'FMMonth YYYY')
      else to_char(_report.first_day, 'FMDD FMMonth') || ' to ' || to_char(_report.last_day, 'FMDD FMMonth YYYY') end,
    'Correction', case when _report.corrects is null then '' else 'It corrects the report that we sent before.' end
  )
  from people where private.count_for_subject('report mail', lower(email), 20, interval '1 day')
$$;

-- Wakes the server when a report day is set.
create function private.tell_of_report_day() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform pg_notify('report_planned', '');
  return null;
end
$$;

-- Compares by id, not by time: a decision may be committed after a report with a later time.
create function private.unreported_decisions(_client_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'approval', version.approval_id, 'version', version.number, 'decision', decision.verdict,
    'decided_at', to_char(decision.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    'sha256', private.approval_version_hash(version, decision.file_sha256)
  ) order by decision.created_at, version.approval_id, version.number), '[]')
  from public.approval_decisions as decision join public.approval_versions as version
    on version.client_id = decision.client_id and version.approval_id = decision.approval_id and version.number = decision.number
  where decision.client_id = _client_id and not exists (
    select from public.client_reports as report
    where report.client_id = _client_id and report.sent_at is not null
      and report.decisions @> jsonb_build_array(jsonb_build_object('approval', version.approval_id, 'version', version.number))
  )
$$;

create function private.with_current_figures(_report public.client_reports) returns public.client_reports
language plpgsql stable security definer set search_path = '' as $$
begin
  if _report.sent_at is null then
    _report.figures := (
      select private.report_figures(clients, _report.span, _report.first_day, _report.last_day)
      from public.clients where clients.id = _report.client_id
    );
  end if;
  return _report;
end
$$;

create trigger keep_sent before update or delete on public.client_reports
  for each row execute function private.keep_sent_report();

create trigger tell_of_report_day after insert or update of report_weekday, report_hour, time_zone on public.clients
  for each statement execute function private.tell_of_report_day();

-- schemas/admin/dashboard.sql

-- Counts the badges of the admin sidebar in one call. Policies apply: rows that the caller cannot read are not counted.
-- Questions are only reported as present or not, because similar ones are grouped elsewhere.
create function public.count_waiting(
  _from timestamptz, _to timestamptz, out leads integer, out calls integer, out releases integer, out checks integer,
  out registrations integer, out has_questions boolean
) returns record language sql stable set search_path = '' as $$
  select
    (select count(*)::integer from public.leads where status = 'new'),
    (select count(*)::integer from public.bookings where state = 'booked' and starts_at < _to and ends_at > greatest(_from, now())),
    (select count(*)::integer from public.releases
      where published_at is null and (failure is not null or publish_at < _to)),
    (select count(*)::integer from public.assistant_checks where not passed),
    (select count(*)::integer from public.user_roles where role = 'team' and not approved),
    exists (select from public.unanswered_questions where dismissed_at is null)
$$;
grant execute on function public.count_waiting to authenticated, service_role;
comment on function public.count_waiting is
  'Counts new leads, calls that are not over, releases that failed or are due, failed checks of the assistant, and people who ask to join the team.';

-- schemas/rows.sql

-- Rows that the application needs on every database. They are in the baseline. Comparing schemas does not find rows, so a
-- change of them is written into a migration by hand, and here.

-- Each row creates what depends on its kind: its row in private.documents, triggers for history, search, counts, links and
-- media, and the function preview_<table>().
insert into private.content_kinds (table_name, title_column, list_order, public_path, text_columns) values
  ('posts', 'title', 'published_date desc, created_at desc', '/news/{slug}', '{category,excerpt,content}'),
  ('projects', 'title', 'display_order, created_at desc', '/projects?case={slug}', '{company,metric,description,full_content}'),
  ('services', 'title', 'display_order, created_at', '/services', '{short_description,long_description,deliverables}'),
  ('reviews', 'author_name', 'display_order, created_at', null, '{}'),
  ('team_members', 'name', 'display_order, created_at', '/about', '{position,bio}'),
  ('faq', 'question', 'display_order, created_at', '/contact#questions', '{answer}');
insert into private.documents (kind, key_columns, is_item, keys_outside_releases) values
  ('page_content', '{page_slug, section_name}', false, '{}'),
  -- A trigger checks the second factor of the admin who switches it on. A planned release has no caller.
  ('site_settings', '{setting_key}', false, '{require_second_factor}');

-- The triggers of booking_rules publish its time zone as a setting.
insert into public.booking_rules default values;

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
  ('content-media', 'content-media', true, 52428800, array[
    'image/*', 'video/*', 'audio/*', 'application/pdf', 'application/msword',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
  ]),
  ('media-originals', 'media-originals', false, 52428800, array['image/*']),
  ('client-files', 'client-files', false, 26214400, array['image/*', 'application/pdf', 'text/csv', 'text/plain'])
on conflict (id) do update set
  public = excluded.public, file_size_limit = excluded.file_size_limit, allowed_mime_types = excluded.allowed_mime_types;

-- Secrets of this database.
insert into private.chat_salt values (gen_random_uuid()::text || gen_random_uuid()::text);
insert into private.newsletter_key values (gen_random_uuid()::text || gen_random_uuid()::text);
insert into private.lead_webhook_secret (secret) values (private.new_webhook_secret());
insert into private.preview_key (key)
  select sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
-- The two keys of HMAC-SHA256, made of one.
insert into private.address_key (inner_key, outer_key)
with secret as materialized (
  select uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
    || uuid_send(gen_random_uuid()) as key
)
select
  string_agg(decode(lpad(to_hex(get_byte(key, byte) # 54), 2, '0'), 'hex'), ''::bytea order by byte),
  string_agg(decode(lpad(to_hex(get_byte(key, byte) # 92), 2, '0'), 'hex'), ''::bytea order by byte)
from secret, generate_series(0, 63) as byte;

-- What a person is given of each table that refers to them, and what happens to the rows when the account is deleted. The
-- order is that of the sections in the export.
insert into private.personal_data (table_name, addresses, needs_proof, section, given, sorted_by, on_deletion) values
  ('bookings', '{email}', true, 'bookings', '{"starts_at": "starts_at", "ends_at": "ends_at", "state": "state",
    "name": "name", "email": "email", "phone": "phone", "message": "message", "service": "service",
    "time_zone": "time_zone", "created_at": "created_at"}', 'starts_at', 'delete'),
  ('leads', '{email}', true, 'leads', '{"source": "source", "name": "name", "email": "email", "phone": "phone",
    "call_time": "call_time", "message": "message", "page": "page", "service": "service", "status": "status",
    "note": "note", "created_at": "created_at", "updated_at": "updated_at"}', 'created_at', 'delete'),
  ('newsletter_subscribers', '{email}', true, 'newsletter', '{"email": "email", "created_at": "created_at",
    "confirmed_at": "confirmed_at"}', 'created_at', 'delete');
insert into private.personal_data (schema_name, table_name, addresses, needs_proof, on_deletion) values
  ('private', 'held_bookings', '{call.email}', true, 'delete'),
  ('private', 'held_leads', '{lead.email}', true, 'delete'),
  ('private', 'mail_queue', '{variables.Email, variables.NewEmail}', false, 'delete');
insert into private.personal_data (schema_name, table_name, addresses, section, given, sorted_by, on_deletion) values
  ('private', 'mail_queue', '{recipient}', 'mails_waiting', '{"template": "template", "created_at": "created_at"}',
    'created_at', 'delete');
-- A lead is deleted with the chat that it came from.
insert into private.personal_data (table_name, ids, ids_from, needs_proof, section, given_by, on_deletion) values
  ('leads', '{conversation_id}', 'chats_of', true, null, null, 'delete'),
  ('conversations', '{id}', 'chats_of', true, 'chats', 'chats_with_messages_of', 'delete');
insert into private.personal_data (table_name, ids, section, given, sorted_by, on_deletion) values
  ('registration_decisions', '{user_id}', 'decisions', '{"approved": "approved", "revoked": "revoked", "role": "role",
    "decided_at": "decided_at", "registered_at": "registered_at", "withdrawn_at": "withdrawn_at"}', 'decided_at', 'follow'),
  -- The log keeps who deleted whom, by id.
  ('people_log', '{person_id}', 'acts_on_the_account', '{"at": "at", "action": "action", "role": "role"}', 'at', 'keep'),
  -- The content of a change belongs to the site.
  ('content_versions', '{author_id}', 'changes_of_content', '{"at": "created_at", "kind": "kind", "item": "item_id",
    "action": "action"}', 'created_at', 'follow'),
  ('release_changes', '{changed_by}', 'changes_in_releases', '{"kind": "kind", "item": "item_id", "action": "action",
    "at": "changed_at"}', 'changed_at', 'follow'),
  ('preview_links', '{created_by}', 'preview_links', '{"at": "created_at", "until": "expires_at",
    "revoked_at": "revoked_at"}', 'created_at', 'follow');
insert into private.personal_data (table_name, ids, section, given_by, on_deletion) values
  ('user_roles', '{user_id}', 'role', 'role_of_person', 'follow'),
  ('people_log', '{actor_id}', 'acts_on_other_accounts', 'acts_on_others_of', 'keep'),
  ('releases', '{created_by, scheduled_by, published_by}', 'releases', 'releases_of', 'follow'),
  ('registration_decisions', '{decided_by, withdrawn_by}', null, null, 'follow'),
  ('deleted_content', '{deleted_by}', null, null, 'follow'),
  ('editing', '{user_id}', null, null, 'follow'),
  ('leads', '{owner_id}', null, null, 'follow');
insert into private.personal_data (table_name, ids, addresses, on_deletion, emptied) values
  ('registration_decisions', '{user_id}', '{email}', 'empty', '{email}');
insert into private.personal_data (schema_name, table_name, ids, addresses, on_deletion) values
  ('private', 'proven_addresses', '{user_id}', '{address}', 'follow');
-- Files stay, because pages show them.
insert into private.personal_data (schema_name, table_name, ids, section, given, sorted_by, on_deletion, emptied) values
  ('storage', 'objects', '{owner, owner_id}', 'files', '{"bucket": "bucket_id", "name": "name", "metadata": "metadata",
    "user_metadata": "user_metadata", "created_at": "created_at"}', 'created_at', 'empty', '{owner, owner_id}');
insert into private.personal_data (schema_name, table_name, ids, ids_from, section, given, sorted_by, on_deletion) values
  ('auth', 'audit_log_entries', '{id}', 'audit_entries_of', 'log_of_the_authentication_service',
    '{"at": "created_at", "action": "payload.action", "ip_address": "ip_address"}', 'created_at', 'delete'),
  ('auth', 'webauthn_credentials', '{user_id}', null, 'passkeys', '{"name": "friendly_name", "created_at": "created_at",
    "last_used_at": "last_used_at"}', 'created_at', 'follow');
insert into private.personal_data (schema_name, table_name, ids, section, given_by, on_deletion) values
  ('auth', 'users', '{id}', 'account', 'account_with_metadata_of', 'follow'),
  ('auth', 'oauth_consents', '{user_id}', 'applications', 'applications_of', 'follow'),
  ('auth', 'flow_state', '{user_id}', null, null, 'delete'),
  ('auth', 'sessions', '{user_id}', null, null, 'delete'),
  ('auth', 'refresh_tokens', '{user_id}', null, null, 'delete');
insert into private.personal_data (table_name, ids, section, given, sorted_by, on_deletion) values
  ('client_members', '{user_id}', 'clients',
    '{"client": "client_id", "since": "created_at", "kind": "kind", "told_of": "told_of"}', 'created_at', 'delete'),
  ('client_assignments', '{user_id}', 'works_for', '{"client": "client_id", "since": "created_at"}', 'created_at', 'delete'),
  ('import_batches', '{imported_by}', 'imports_of_figures', '{"at": "created_at", "client": "client_id",
    "file": "file_name", "undone_at": "undone_at"}', 'created_at', 'follow');
insert into private.personal_data (table_name, ids, section, given_by, on_deletion) values
  ('import_batches', '{undone_by}', null, null, 'follow');
insert into private.personal_data (table_name, ids, section, given, sorted_by, on_deletion) values
  ('do_not_contact', '{added_by}', 'left_alone', '{"at": "created_at", "client": "client_id", "entry": "hint"}',
    'created_at', 'follow'),
  ('approval_versions', '{asked_by}', 'asked_approvals',
    '{"at": "created_at", "client": "client_id", "version": "number", "text": "text"}', 'created_at', 'follow'),
  ('approval_decisions', '{decided_by}', 'decided_approvals',
    '{"at": "created_at", "client": "client_id", "version": "number", "verdict": "verdict", "comment": "comment"}',
    'created_at', 'follow'),
  ('client_meetings', '{answered_by,kept_by}', 'client_meetings',
    '{"at": "starts_at", "client": "client_id", "outcome": "outcome", "answer": "answer", "reason": "reason"}',
    'created_at', 'follow');
insert into private.personal_data (table_name, ids, addresses, section, given, sorted_by, on_deletion) values
  ('client_invitations', '{user_id}', '{address}', 'client_invitations', '{"since": "created_at"}', 'created_at', 'delete');
insert into private.personal_data (table_name, ids, section, given, sorted_by, on_deletion) values
  ('client_reads', '{user_id}', 'client_reads', '{"client": "client_id", "what": "what", "first": "first_at", "last": "last_at"}',
    'last_at', 'delete'),
  ('client_files', '{added_by}', 'brought_files', '{"at": "created_at", "client": "client_id", "name": "name"}', 'created_at', 'follow'),
  ('approval_vetoes', '{vetoed_by}', 'rows_taken_off', '{"at": "created_at", "client": "client_id", "version": "number", "line": "line"}',
    'created_at', 'follow'),
  ('approval_comments', '{written_by}', 'approval_comments',
    '{"at": "created_at", "client": "client_id", "version": "number", "text": "text"}', 'created_at', 'follow'),
  ('client_notes', '{written_by}', 'client_notes', '{"at": "created_at", "client": "client_id", "text": "text"}', 'created_at', 'follow'),
  ('campaign_sources', '{added_by}', 'sources_of_events', '{"at": "created_at", "client": "client_id", "provider": "provider"}',
    'created_at', 'follow'),
  ('source_totals', '{added_by}', 'totals_of_sources', '{"at": "created_at", "client": "client_id", "file": "file_name"}',
    'created_at', 'follow');
-- Recipients of campaigns, while the address is stored.
insert into private.personal_data (table_name, addresses, needs_proof, section, given, sorted_by, on_deletion, emptied) values
  ('inbound_events', '{recipient}', true, 'campaign_messages', '{"at": "happened_at", "kind": "kind"}', 'happened_at',
    'empty', '{recipient,raw}');
insert into private.personal_data (table_name, ids, section, given, sorted_by, on_deletion) values
  ('client_alarms', '{settled_by}', 'settled_alarms', '{"at": "settled_at", "client": "client_id", "kind": "kind"}',
    'settled_at', 'follow'),
  ('campaign_texts', '{added_by}', 'texts_of_campaigns', '{"at": "created_at", "client": "client_id"}', 'created_at', 'follow');
insert into private.personal_data (table_name, ids, section, given_by, on_deletion) values
  ('clients', '{changed_by}', null, null, 'follow'),
  ('leads', '{changed_by}', null, null, 'follow'),
  ('assistant_checks', '{changed_by}', null, null, 'follow');
insert into private.personal_data (table_name, ids, section, given, sorted_by, on_deletion) values
  ('campaign_versions', '{changed_by}', 'changes_of_campaigns', '{"at": "created_at", "client": "client_id",
    "campaign": "campaign_id", "action": "action"}', 'created_at', 'follow');
insert into private.personal_data (schema_name, table_name, ids, on_deletion) values
  ('private', 'approval_links', '{user_id}', 'follow');
insert into private.personal_data (table_name, ids, section, given, sorted_by, on_deletion) values
  ('client_reports', '{approved_by}', 'approved_reports',
    '{"at": "sent_at", "client": "client_id", "first_day": "first_day", "hash": "hash"}', 'sent_at', 'follow'),
  ('figure_quotes', '{asked_by,answered_by,withdrawn_by}', 'quotes_of_figures',
    '{"at": "asked_at", "client": "client_id", "metric": "metric", "answer": "answer"}', 'asked_at', 'follow');
insert into private.personal_data (table_name, addresses, hashes, section, given, sorted_by, on_deletion) values
  ('approval_rows', '{person}', '{fingerprint}', 'listed_by_clients',
    '{"client": "client_id", "company": "company", "domain": "domain", "person": "person"}', 'line', 'follow'),
  ('client_meetings', '{met_with}', '{}', 'meetings_with_clients',
    '{"at": "starts_at", "client": "client_id", "with": "met_with", "outcome": "outcome"}', 'starts_at', 'follow');

reset check_function_bodies;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.count_waiting(_from timestamp with time zone, _to timestamp with time zone, OUT leads integer, OUT calls integer, OUT releases integer, OUT checks integer, OUT registrations integer, OUT has_questions boolean)
 RETURNS record
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select
    (select count(*)::integer from public.leads where status = 'new'),
    (select count(*)::integer from public.bookings where state = 'booked' and starts_at < _to and ends_at > greatest(_from, now())),
    (select count(*)::integer from public.releases
      where published_at is null and (failure is not null or publish_at < _to)),
    (select count(*)::integer from public.assistant_checks where not passed),
    (select count(*)::integer from public.user_roles where role = 'team' and not approved),
    exists (select from public.unanswered_questions where dismissed_at is null)
$function$;

-- Called by service_role.
CREATE OR REPLACE FUNCTION public.list_exposed_objects()
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION private.addresses_in_text()
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.claim_request(_purpose text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.client_address()
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(
    nullif(current_setting('request.address', true), ''),
    headers ->> 'cf-connecting-ip',
    case when headers is not null then 'unknown' end
  )
  from (select nullif(current_setting('request.headers', true), '')::json) as request (headers)
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.count_ends_at(kind text, subject_name text)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce((
    select expires_at from private.chat_counts, private.chat_salt
    where subject = encode(sha256(convert_to(salt || kind || ' of ' || subject_name, 'UTF8')), 'hex')
  ), now())
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.count_for_address(kind text, address text, allowed integer, period interval)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.count_for_networks(kind text, address text, allowed integer, period interval)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.count_for_address(kind, address, allowed, period) and (
    private.wide_network_of(address) is null
    or private.count_for_subject(kind || ' around', private.wide_network_of(address), allowed * 4, period)
  )
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.count_for_subject(kind text, subject_name text, allowed integer, period interval)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.has_admin_rights(_user_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (
    select from public.user_roles where user_id = _user_id and role = 'admin' and approved
  ) and (
    private.has_second_factor() or not exists (
      select from public.site_settings where setting_key = 'require_second_factor' and setting_value = 'on'
    )
  )
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.is_looking()
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select nullif(current_setting('request.headers', true), '')::json ->> 'x-as-member' is not null
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.looked_at()
 RETURNS TABLE(client_id uuid, user_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.name_of(_metadata jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$ select coalesce(nullif(_metadata ->> 'name', ''), _metadata ->> 'full_name', '') $function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.networks_of(address text)
 RETURNS TABLE(network text, allowances integer)
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.one_line(text, integer)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select left(trim(regexp_replace(coalesce($1, ''), '[[:cntrl:]]+', ' ', 'g')), $2)
$function$;

-- Called by anon, authenticated, service_role.
CREATE OR REPLACE FUNCTION private.reader_id()
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(private.user_id(), (select user_id from private.looked_at()))
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.refuse_lookers()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if private.is_looking() then
    raise exception 'You look at these rooms as somebody else sees them. Nothing is changed.' using errcode = '42501';
  end if;
  return null;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.retention_cutoff()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$ select now() - make_interval(days => greatest(1, private.number_setting('chat_retention_days', 365))) $function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.token_of_request(_purpose text)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select encode(sha256(convert_to(_purpose || ' ' || key, 'UTF8')), 'hex')
  from (select nullif(current_setting('request.headers', true), '')::json ->> 'idempotency-key') as headers (key)
  where key ~ '^[0-9a-f]{64}$'
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.touch_updated_at()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  new.updated_at := clock_timestamp();
  return new;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.wide_network_of(address text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
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
$function$;

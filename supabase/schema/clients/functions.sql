-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.add_client_member(_client_id uuid, _email text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _person uuid;
begin
  perform private.require_admin();
  select id into _person from auth.users where lower(email) = lower(trim(_email)) and not is_sso_user;
  if not found then
    raise exception 'Nobody has an account with this address. Invite them under People first.' using errcode = 'P0001';
  end if;
  insert into public.client_members (client_id, user_id) values (_client_id, _person) on conflict do nothing;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.add_do_not_contact(_client_id uuid, _lines jsonb, _is_trial boolean)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.client_people(_client_id uuid)
 RETURNS TABLE(id uuid, name text, email text, is_team boolean)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not (private.is_admin() or _client_id in (select private.clients_of_team_member())) then
    raise exception 'Only those who work for this client may do this' using errcode = '42501';
  end if;
  return query
    select users.id, private.name_of(users.raw_user_meta_data), coalesce(users.email::text, 'Unknown'), places.of_team
    from (
      select user_id, false from public.client_members where client_id = _client_id
      union all
      select user_id, true from public.client_assignments where client_id = _client_id
    ) as places (user_id, of_team)
    join auth.users on users.id = places.user_id
    order by places.of_team, users.email;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.find_do_not_contact(_client_id uuid, _text text)
 RETURNS TABLE(id uuid, kind text, hint text, created_at timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select id, kind, hint, created_at from public.do_not_contact
  where client_id = _client_id and (
    kind = 'address' and value = private.hash_of_address(_text)
    or kind = 'domain' and value in (
      select array_to_string(labels[n:], '.')
      from (select string_to_array(regexp_replace(lower(trim(left(_text, 320))), '^.*@', ''), '.')) as parts (labels),
        generate_subscripts(labels, 1) as n
    )
  )
  order by kind, length(value) desc
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.list_do_not_contact(_client_id uuid, _limit integer DEFAULT 24, _offset integer DEFAULT 0)
 RETURNS TABLE(id uuid, kind text, hint text, added_by text, created_at timestamp with time zone, may_remove boolean, total integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.check_client_place()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.check_client_time_zone()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.is_time_zone(new.time_zone) then
    raise exception 'This time zone is not known: %', left(new.time_zone, 64) using errcode = '22023';
  end if;
  return null;
end
$function$;

-- Called by anon, authenticated, service_role.
CREATE OR REPLACE FUNCTION private.clients_of_member()
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select client_id from public.client_members
  join public.user_roles on user_roles.user_id = client_members.user_id and role = 'client' and approved
  where client_members.user_id = (select private.user_id())
$function$;

-- Called by anon, authenticated, service_role.
CREATE OR REPLACE FUNCTION private.clients_of_team_member()
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select client_id from public.client_assignments
  join public.user_roles on user_roles.user_id = client_assignments.user_id and role = 'team' and approved
  where client_assignments.user_id = (select private.user_id())
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION private.hash_of_address(_address text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select encode(sha256(convert_to(lower(trim(_address)), 'UTF8')), 'hex')
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.lock_client_of_worker(_client_id uuid)
 RETURNS clients
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.note_client_place()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _user_id constant uuid := case tg_op when 'DELETE' then old.user_id else new.user_id end;
begin
  update auth.users set raw_app_meta_data = coalesce(raw_app_meta_data, '{}') - 'has_client' || case
    when exists (select from public.client_members where user_id = _user_id)
      or exists (select from public.client_assignments where user_id = _user_id) then '{"has_client": true}'::jsonb
    else '{}'
  end
  where id = _user_id;
  return null;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.read_do_not_contact(_client_id uuid, _lines jsonb)
 RETURNS TABLE(line integer, kind text, value text, hint text, state text, reason text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_nestloop TO 'off'
AS $function$
  with given as (
    select (item ->> 'line')::integer as line, lower(trim(item ->> 'text')) as text
    from jsonb_array_elements(_lines) as item
  ), sorted as (
    -- No counted repetitions: they make these expressions slower by the factor of the count.
    select line, text, case
      when length(text) > 320 or text ~ '^[=+@-]' or domain !~ '^([a-z0-9]([a-z0-9-]*[a-z0-9])?[.])+[a-z][a-z0-9-]*[a-z0-9]$'
        or length(domain) > 253 then null
      when text = domain then 'domain'
      when length(text) - length(domain) <= 65 and text ~ '^[a-z0-9.!#$%&''*+/=?^_`{|}~-]+@[^@]+$' then 'address'
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
      when read.kind is null and text ~ '@' then 'This is no email address.'
      when read.kind is null then 'This is neither an email address nor a domain such as example.com.'
      when entry.id is not null then 'On the list already.'
      when read.line > first_line then 'As on line ' || first_line || '.'
    end
  from read left join public.do_not_contact as entry
    on entry.client_id = _client_id and entry.value = read.value
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.works_for_client(_client_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if private.is_admin() or _client_id in (select private.clients_of_team_member()) then
    return true;
  elsif _client_id in (select private.clients_of_member()) then
    return false;
  end if;
  raise exception 'Only the people of this client may do this' using errcode = '42501';
end
$function$;

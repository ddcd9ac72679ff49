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

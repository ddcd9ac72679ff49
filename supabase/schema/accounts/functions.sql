-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.admin_needs_second_factor()
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (
    select from public.user_roles
    where user_id = (select private.user_id()) and role = 'admin' and approved
  ) and not private.is_admin()
$function$;

-- Called by authenticated.
CREATE OR REPLACE FUNCTION public.confirm_my_address()
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by authenticated.
CREATE OR REPLACE FUNCTION public.delete_my_account()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by authenticated.
CREATE OR REPLACE FUNCTION public.end_my_other_sessions()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if private.user_id() is null then
    raise exception 'Please sign in first.' using errcode = '42501';
  end if;
  perform private.refuse_applications();
  perform private.end_sessions_of(private.user_id(), ((select auth.jwt()) ->> 'session_id')::uuid);
end
$function$;

-- Called by authenticated.
CREATE OR REPLACE FUNCTION public.end_my_session(_session_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.refuse_applications();
  delete from auth.sessions where id = _session_id and user_id = (select private.user_id());
  if not found then
    raise exception 'This session has ended already.';
  end if;
end
$function$;

-- Called by authenticated.
CREATE OR REPLACE FUNCTION public.my_data()
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by authenticated.
CREATE OR REPLACE FUNCTION public.my_sessions()
 RETURNS TABLE(id uuid, created_at timestamp with time zone, last_active_at timestamp with time zone, user_agent text, ip_address text, is_current boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select session.id, session.created_at,
    coalesce(session.refreshed_at at time zone 'utc', session.created_at),
    coalesce(session.user_agent, ''), coalesce(host(session.ip), ''),
    session.id::text = (select auth.jwt()) ->> 'session_id'
  from auth.sessions as session
  where session.user_id = (select private.user_id())
  order by 3 desc
$function$;

-- Called by authenticated.
CREATE OR REPLACE FUNCTION public.reset_person_factors(_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by authenticated.
CREATE OR REPLACE FUNCTION public.unproven_registrations()
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.is_admin() then
    raise exception 'Only admins see registrations.' using errcode = '42501';
  end if;
  return query
    select roles.user_id from public.user_roles as roles
    where roles.role = 'team' and not roles.approved and not private.has_proven_address(roles.user_id);
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.account_of(_user_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.account_with_metadata_of(_user_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.account_of(id) || jsonb_build_object('user_metadata', raw_user_meta_data, 'app_metadata', raw_app_meta_data)
  from auth.users where id = _user_id
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.applications_of(_user_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.audit_entries_of(_user_id uuid)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select entry.id from auth.audit_log_entries as entry, auth.users as person
  where person.id = _user_id and (
    entry.payload ->> 'actor_id' = person.id::text
    or entry.payload -> 'traits' ->> 'user_id' = person.id::text
    or (person.email <> '' and lower(person.email) in (
      lower(entry.payload ->> 'actor_username'), lower(entry.payload -> 'traits' ->> 'user_email')
    ))
  )
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.column_in_sql(_column text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select case split_part(_column, '.', 2)
    when '' then format('item.%I', _column)
    else format('item.%I ->> %L', split_part(_column, '.', 1), split_part(_column, '.', 2))
  end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.create_invited_account(_email text, _role text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.data_of(_user_id uuid, _with_chats boolean)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.drop_ways_in(_user_id uuid, _address text, _but_session uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.end_sessions_of(_user_id uuid, _but_session uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  delete from auth.sessions where user_id = _user_id and id is distinct from _but_session;
  delete from auth.refresh_tokens where user_id = _user_id::text and session_id is distinct from _but_session;
  delete from private.approval_links where user_id = _user_id;
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.forget_person(_user_id uuid, _with_chats boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.guard_second_factor_setting()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.has_just_proven_identity()
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by service_role.
CREATE OR REPLACE FUNCTION private.has_proven_address(_user_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.has_proven_mailbox()
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by anon, authenticated, service_role.
CREATE OR REPLACE FUNCTION private.has_second_factor()
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce((select auth.jwt()) ->> 'aal' = 'aal2', false) and exists (
    select from auth.sessions as session
    where session.id = ((select auth.jwt()) ->> 'session_id')::uuid
      and session.user_id = (select auth.uid()) and session.aal = 'aal2'
  )
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.naming_in_sql(_source private.personal_data)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.personal_data_sources()
 RETURNS SETOF private.personal_data
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select * from private.personal_data
  where to_regclass(format('%I.%I', schema_name, table_name)) is not null order by number
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.refuse_applications()
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if (select auth.jwt()) ->> 'client_id' is not null then
    raise exception 'Applications change nothing about accounts.' using errcode = '42501';
  end if;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.session_user_id()
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select session.user_id
  from auth.sessions as session
  where session.id = ((select auth.jwt()) ->> 'session_id')::uuid
    and session.user_id = (select auth.uid())
    and (session.not_after is null or session.not_after > now())
    and (select auth.jwt()) ->> 'client_id' is null
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.sessions_of(_user_id uuid)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$ select id from auth.sessions where user_id = _user_id and (not_after is null or not_after > now()) $function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.standing(_user_id uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(
    (select case when approved then role else 'pending' end from public.user_roles where user_id = _user_id),
    case when private.is_declined(_user_id) then 'declined' else 'none' end
  )
$function$;

-- Called by anon, authenticated, service_role.
CREATE OR REPLACE FUNCTION private.user_id()
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select case when not private.is_looking() then private.session_user_id() end
$function$;

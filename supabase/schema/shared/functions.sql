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
CREATE OR REPLACE FUNCTION private.approval_waits(_user_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (select from public.user_roles where user_id = _user_id and role = 'team' and not approved)
    and coalesce((
      select approved from public.registration_decisions where user_id = _user_id order by decided_at desc limit 1
    ), false)
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
CREATE OR REPLACE FUNCTION private.let_approval_count()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if private.approval_waits(new.user_id) and private.has_proven_address(new.user_id) then
    update public.user_roles set approved = true where user_id = new.user_id and role = 'team';
    perform private.mail_about_registration(
      (select email from auth.users where id = new.user_id), 'registration_approved'
    );
  end if;
  return null;
end
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

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
  perform private.reject_oauth_applications();
  delete from auth.sessions where id = _session_id and user_id = (select private.user_id());
  if not found then
    raise exception 'This session has already ended.';
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
  perform private.reject_oauth_applications();
  perform private.end_sessions_of(private.user_id(), ((select auth.jwt()) ->> 'session_id')::uuid);
end
$$;
grant execute on function public.end_my_other_sessions to authenticated;

create function private.sessions_of(_user_id uuid) returns setof uuid
language sql stable security definer set search_path = '' as $$ select id from auth.sessions where user_id = _user_id and (not_after is null or not_after > now()) $$;

-- Signs an account out on all devices.
create function private.end_sessions_of(_user_id uuid, _except_session uuid default null) returns void
language sql security definer set search_path = '' as $$
  delete from auth.sessions where user_id = _user_id and id is distinct from _except_session;
  delete from auth.refresh_tokens where user_id = _user_id::text and session_id is distinct from _except_session;
  delete from private.mailed_links where user_id = _user_id;
$$;

create function public.end_person_sessions(_user_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.begin_account_action(_user_id);
  perform private.end_sessions_of(_user_id);
  perform private.log_account_action('ended_sessions', _user_id);
end
$$;
grant execute on function public.end_person_sessions to authenticated;

-- Deletes all credentials except the address, and the data from sign-up. `app_metadata` lists the deleted credentials.
create function private.delete_credentials(_user_id uuid, _address text, _except_session uuid) returns void
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
  -- Authorization codes that have not been exchanged for a session.
  delete from auth.flow_state where user_id = _user_id and auth_code_issued_at is not null;
  delete from auth.sessions where user_id = _user_id and id is distinct from _except_session;
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

-- While the setting require_second_factor is on, private.is_admin() is false for admins without a second factor.

-- Checks the token and its session, because removing the factor lowers the level of the session immediately.
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
    raise exception 'The setting require_second_factor must be on or off.' using errcode = '23514';
  end if;
  if new.setting_value = 'on' and (select auth.role()) in ('anon', 'authenticated') and not private.has_second_factor() then
    raise exception 'Set up a second factor on your account page and sign in with it first. Otherwise you would lock yourself out.'
      using errcode = '42501';
  end if;
  return new;
end
$$;

-- Returns true if the caller is an admin who must still present or enrol a second factor.
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
  perform private.begin_account_action(_user_id);
  delete from auth.mfa_factors where user_id = _user_id;
  -- Not every version of the authentication service has passkeys.
  if to_regclass('auth.webauthn_credentials') is not null then
    execute 'delete from auth.webauthn_credentials where user_id = $1' using _user_id;
  end if;
  perform private.end_sessions_of(_user_id);
  perform private.log_account_action('reset_factors', _user_id);
end
$$;
grant execute on function public.reset_person_factors to authenticated;

-- Owners may ask everybody who works in the admin area for a second factor: the setting require_second_factor. While it is
-- on, an admin without one is nobody to the policies, which all ask private.is_admin().

-- The token must say so, and its session must still say so: one whose factor was removed since goes back at once.
create function private.has_second_factor() returns boolean
language sql stable security definer set search_path = ''
as $$
  select coalesce((select auth.jwt()) ->> 'aal' = 'aal2', false) and exists (
    select from auth.sessions as session
    where session.id = ((select auth.jwt()) ->> 'session_id')::uuid
      and session.user_id = (select auth.uid()) and session.aal = 'aal2'
  )
$$;
revoke all on function private.has_second_factor() from public;
grant execute on function private.has_second_factor() to anon, authenticated, service_role;

create or replace function private.is_admin() returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.user_roles
    where user_id = (select private.user_id()) and role = 'admin' and approved
  ) and (
    private.has_second_factor() or not exists (
      select from public.site_settings where setting_key = 'require_second_factor' and setting_value = 'on'
    )
  )
$$;

-- Whether who asks would be an admin with a second factor: then the site asks them for it, or to enrol one.
create function public.admin_needs_second_factor() returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.user_roles
    where user_id = (select private.user_id()) and role = 'admin' and approved
  ) and not private.is_admin()
$$;
revoke all on function public.admin_needs_second_factor() from public, anon;
grant execute on function public.admin_needs_second_factor() to authenticated, service_role;

-- Whoever switches it on has just shown that they can meet it, so that at least one admin is left who can.
create function private.guard_second_factor_setting() returns trigger
language plpgsql set search_path = ''
as $$
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
revoke all on function private.guard_second_factor_setting() from public;

create trigger guard_second_factor before insert or update on public.site_settings
  for each row when (new.setting_key = 'require_second_factor')
  execute function private.guard_second_factor_setting();

-- Who is what. Policies ask this table on every request, never the token, so that a decision counts at once.

create table public.user_roles (
  user_id uuid primary key references auth.users (id) on delete cascade,
  role text not null check (role in ('client', 'team', 'admin')),
  approved boolean not null default false,
  created_at timestamptz not null default now()
);
create index user_roles_pending_idx on public.user_roles (created_at) where role = 'team' and not approved;

revoke all on table public.user_roles from anon, authenticated;
grant select on table public.user_roles to authenticated;
grant all on table public.user_roles to service_role;
alter table public.user_roles enable row level security;

create schema if not exists private;
revoke all on schema private from public;
grant usage on schema private to anon, authenticated, service_role;

-- Who asks. An access token outlives a sign-out and a deleted account by up to an hour; its session does not. So policies
-- ask this function and never auth.uid() alone: whoever has signed out is nobody.
create function private.user_id() returns uuid
language sql stable security definer set search_path = ''
as $$
  select session.user_id
  from auth.sessions as session
  where session.id = ((select auth.jwt()) ->> 'session_id')::uuid
    and session.user_id = (select auth.uid())
    and (session.not_after is null or session.not_after > now())
$$;
revoke all on function private.user_id() from public;
grant execute on function private.user_id() to anon, authenticated, service_role;

-- Security definer, because the policies of user_roles itself ask it.
create function private.is_admin() returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.user_roles
    where user_id = (select private.user_id()) and role = 'admin' and approved
  )
$$;
revoke all on function private.is_admin() from public;
grant execute on function private.is_admin() to anon, authenticated, service_role;

create policy "People read their own role" on public.user_roles
  for select to authenticated using (user_id = (select private.user_id()));
create policy "Admins read all roles" on public.user_roles
  for select to authenticated using ((select private.is_admin()));

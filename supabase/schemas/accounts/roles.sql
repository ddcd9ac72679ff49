-- User roles. Policies read them on every request instead of the token, so that a decision takes effect immediately.
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

-- Returns the signed-in user. Null during impersonation, so that an impersonating account has no rights of its own.
create function private.user_id() returns uuid language sql stable security definer set search_path = '' as $$
  select case when not private.is_impersonating() then private.session_user_id() end
$$;
grant execute on function private.user_id to anon, authenticated, service_role;

-- Returns the user of the session. An access token outlives a sign-out or a deleted account by up to an hour. Its
-- session does not, so never use auth.uid() alone. Null for OAuth applications, whose tokens have a client_id.
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

-- Returns true if the caller is an approved team member.
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
    raise exception 'Only admins can do this' using errcode = '42501';
  end if;
end
$$;
grant execute on function private.require_admin to authenticated, service_role;

create function private.role_of_person(_user_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$ select to_jsonb(roles) - 'user_id' from public.user_roles as roles where user_id = _user_id $$;

-- Serialises changes of admins, so that one admin remains if two of them remove each other at the same time.
create function private.lock_admins() returns void language sql security definer set search_path = '' as $$
  select from public.user_roles where role = 'admin' order by user_id for update
$$;

create function private.reject_oauth_applications() returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if (select auth.jwt()) ->> 'client_id' is not null then
    raise exception 'Connected applications cannot change accounts.' using errcode = '42501';
  end if;
end
$$;

create function private.actions_on_others(_user_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('at', at, 'action', action, 'role', role) order by at), '[]')
  from public.people_log where actor_id = _user_id and person_id is distinct from _user_id
$$;

create function public.make_admin(_user_id uuid) returns void language plpgsql security definer set search_path = '' as $$
declare
  _role text;
begin
  perform private.begin_account_action(_user_id);
  select role into _role from public.user_roles where user_id = _user_id and approved for update;
  if not found then
    raise exception 'Only clients and approved team members can become admins.';
  elsif _role = 'admin' then
    raise exception 'This person is already an admin.';
  elsif not private.has_verified_address(_user_id) then
    raise exception 'This person has not confirmed their email address. Only people with a confirmed address can become admins.';
  end if;
  update public.user_roles set role = 'admin' where user_id = _user_id;
  -- Admins work for every client, so they cannot decide as one of its people.
  delete from public.client_members where user_id = _user_id;
  delete from public.client_invitations where user_id = _user_id;
  perform private.log_account_action('made_admin', _user_id, 'admin');
  insert into private.mail_queue (recipient, template, variables)
  select recipient.email, 'admin_added', jsonb_build_object(
    'Email', recipient.email, 'Name', added.email, 'Inviter', coalesce(private.display_name(private.user_id(), true), 'The owner'),
    'UserId', _user_id
  )
  from auth.users as added, public.user_roles as roles join auth.users as recipient on recipient.id = roles.user_id
  where added.id = _user_id and roles.role = 'admin' and roles.approved and recipient.email <> '';
end
$$;
grant execute on function public.make_admin to authenticated;

-- Gives another account the role client.
create function public.make_client(_user_id uuid) returns void language plpgsql security definer set search_path = '' as $$
declare
  _email constant text := (select email from auth.users where id = _user_id);
begin
  perform private.begin_account_action(_user_id);
  insert into public.user_roles as roles (user_id, role, approved) values (_user_id, 'client', true)
  on conflict (user_id) do update set role = 'client', approved = true where roles.role <> 'client' or not roles.approved;
  if not found then
    raise exception 'This person is already a client.';
  end if;
  -- Withdraws an earlier rejection and its unsent mail.
  update public.registration_decisions set withdrawn_at = now(), withdrawn_by = private.user_id()
  where user_id = _user_id and not approved and withdrawn_at is null;
  delete from private.mail_queue where recipient = _email and template = 'registration_declined';
  perform private.log_account_action('made_client', _user_id, 'client');
end
$$;
grant execute on function public.make_client to authenticated;

create policy "People read their own role" on public.user_roles for select to authenticated
  using (user_id = (select private.user_id()));
create policy "Admins read all roles" on public.user_roles for select to authenticated using ((select private.is_admin()));

-- Members of a client. A person may belong to several. Losing the role permanently removes the membership.
create table public.client_members (
  client_id uuid not null references public.clients (id) on delete cascade,
  user_id uuid not null references public.user_roles (user_id) on delete cascade,
  created_at timestamptz not null default now()
    constraint client_members_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  kind text not null default 'approver' check (kind in ('viewer', 'approver')),
  -- Mails that the member gets. Only approvers get mails about pending approvals.
  notifications text[] not null default '{waiting,report,lead}' check (notifications <@ '{waiting,report,lead}'::text[]),
  primary key (client_id, user_id)
);
create index client_members_user_idx on public.client_members (user_id);
grant select, delete on public.client_members to authenticated;
grant all on public.client_members to service_role;
grant update (kind) on public.client_members to authenticated;
alter table public.client_members enable row level security;
create policy "Admins read all members" on public.client_members for select to authenticated
  using ((select private.is_admin()));
create policy "Admins remove members" on public.client_members for delete to authenticated using ((select private.is_admin()));
create policy "Admins change the rights of members" on public.client_members for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));

create trigger reject_impersonated_writes before insert or update or delete on public.client_members
  for each statement execute function private.reject_impersonated_writes();

-- Team members assigned to a client.
create table public.client_assignments (
  client_id uuid not null references public.clients (id) on delete cascade,
  user_id uuid not null references public.user_roles (user_id) on delete cascade,
  created_at timestamptz not null default now()
    constraint client_assignments_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, user_id)
);
create index client_assignments_user_idx on public.client_assignments (user_id);
grant select, delete on public.client_assignments to authenticated;
grant all on public.client_assignments to service_role;
grant insert (client_id, user_id) on public.client_assignments to authenticated;
alter table public.client_assignments enable row level security;
create policy "Admins read all assignments" on public.client_assignments for select to authenticated
  using ((select private.is_admin()));
create policy "Admins assign team members" on public.client_assignments for insert to authenticated
  with check ((select private.is_admin()));
create policy "Admins delete assignments" on public.client_assignments for delete to authenticated
  using ((select private.is_admin()));

-- Invitations that are pending until an address is verified. They are deleted with the account's role.
create table public.client_invitations (
  client_id uuid not null references public.clients (id) on delete cascade,
  user_id uuid not null references public.user_roles (user_id) on delete cascade,
  -- Lower case. The invitation does not follow the account to another address.
  address text not null check (address <> '' and length(address) <= 255),
  kind text not null check (kind in ('viewer', 'approver')),
  created_at timestamptz not null default now()
    constraint client_invitations_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, user_id)
);
create index client_invitations_user_idx on public.client_invitations (user_id);
grant select, delete on public.client_invitations to authenticated;
grant all on public.client_invitations to service_role;
grant update (kind) on public.client_invitations to authenticated;
alter table public.client_invitations enable row level security;
create policy "Admins read all invitations of clients" on public.client_invitations for select to authenticated
  using ((select private.is_admin()));
create policy "Admins change the rights of invited people" on public.client_invitations for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "Admins withdraw invitations of clients" on public.client_invitations for delete to authenticated
  using ((select private.is_admin()));

-- Lists the caller's clients. Read on every request, so that removing a member takes effect immediately.
create function private.clients_of_member() returns setof uuid language sql stable security definer set search_path = '' as $$
  select client_id from public.client_members
  join public.user_roles on user_roles.user_id = client_members.user_id and role = 'client' and approved
  where client_members.user_id = (select private.user_id())
  union all
  select client_id from private.impersonated_member()
$$;
grant execute on function private.clients_of_member to anon, authenticated, service_role;

-- Lists the clients that the caller, a team member, is assigned to.
create function private.clients_of_team_member() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select client_id from public.client_assignments
  join public.user_roles on user_roles.user_id = client_assignments.user_id and role = 'team' and approved
  where client_assignments.user_id = (select private.user_id())
$$;
grant execute on function private.clients_of_team_member to anon, authenticated, service_role;

-- Lists the clients that the caller is an approver of.
create function private.clients_of_approver() returns setof uuid language sql stable security definer set search_path = '' as $$
  select client_id from public.client_members
  where user_id = (select private.user_id()) and kind = 'approver' and client_id in (select private.clients_of_member())
$$;
grant execute on function private.clients_of_approver to anon, authenticated, service_role;

-- Lists the clients whose data for approvers the caller may read, also as an impersonated approver.
create function private.clients_read_by_approver() returns setof uuid language sql stable security definer set search_path = '' as $$
  select private.clients_of_approver()
  union all
  select member.client_id from private.impersonated_member() as impersonated
  join public.client_members as member using (client_id, user_id) where member.kind = 'approver'
$$;
grant execute on function private.clients_read_by_approver to anon, authenticated, service_role;

-- Returns true for the client's team and false for its members. Throws for everyone else.
create function private.works_for_client(_client_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.is_admin() or _client_id in (select private.clients_of_team_member()) then
    return true;
  elsif _client_id in (select private.clients_of_member()) then
    return false;
  end if;
  raise exception 'Only this client''s own people can do this' using errcode = '42501';
end
$$;

-- Throws unless the caller is an approver of the client.
create function private.require_approver(_client_id uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.works_for_client(_client_id) then
    raise exception 'Only this client''s approvers can decide' using errcode = '42501';
  elsif _client_id not in (select private.clients_of_approver()) then
    raise exception 'You can read this, but only approvers can decide.' using errcode = '42501';
  end if;
end
$$;

-- Adds a person by email address. Returns 'added' if they see the client immediately, 'invited' if they must verify
-- their address first, and 'unlinked' if the authentication service must send the link.
create function public.add_client_member(_client_id uuid, _email text, _kind text default 'approver') returns text
language plpgsql security definer set search_path = '' as $$
declare
  _address constant text := lower(trim(_email));
  _person uuid;
begin
  perform private.require_admin();
  select id into _person from auth.users where lower(email) = _address and not is_sso_user;
  if not found then
    _person := private.create_invited_account(_address, 'client');
  end if;
  if not exists (select from public.user_roles where user_id = _person and role = 'client' and approved) then
    raise exception 'Only people with the client role can be members of a client.' using errcode = '23514';
  elsif exists (select from public.client_members where client_id = _client_id and user_id = _person) then
    return 'added';
  end if;
  if private.has_verified_address(_person) then
    insert into public.client_members (client_id, user_id, kind) values (_client_id, _person, _kind) on conflict do nothing;
    if found then
      perform private.mail_invitation(_person, 'client', _client_id, _kind);
    end if;
    return 'added';
  end if;
  insert into public.client_invitations (client_id, user_id, address, kind)
  values (_client_id, _person, _address, _kind) on conflict do nothing;
  return case when private.mail_invitation(_person, 'client', _client_id, _kind) then 'invited' else 'unlinked' end;
end
$$;
grant execute on function public.add_client_member to authenticated, service_role;

-- Lists members and assigned team members of a client by name, for its team.
create function public.client_people(_client_id uuid) returns table (
  id uuid, name text, email text, is_team boolean, kind text, is_waiting boolean, read_at timestamptz
) language plpgsql stable security definer set search_path = '' as $$
begin
  if not (private.is_admin() or _client_id in (select private.clients_of_team_member())) then
    raise exception 'Only admins and assigned team members can do this' using errcode = '42501';
  end if;
  return query
    select users.id, private.name_of(users.raw_user_meta_data), coalesce(users.email::text, 'Unknown'),
      places.kind is null, places.kind, places.of_invited, (
        select last_at from public.client_reads as noted
        where noted.client_id = _client_id and noted.user_id = places.user_id and noted.kind = 'portal'
      )
    from (
      select user_id, member.kind, false from public.client_members as member where client_id = _client_id
      union all
      select user_id, invitation.kind, true from public.client_invitations as invitation where client_id = _client_id
      union all
      select user_id, null, false from public.client_assignments where client_id = _client_id
    ) as places (user_id, kind, of_invited)
    join auth.users on users.id = places.user_id
    order by places.kind is null, places.of_invited, users.email;
end
$$;
grant execute on function public.client_people to authenticated, service_role;

-- Requires the right role and a verified address, because an admin adds people by address and an unverified one may
-- belong to someone else. Runs after policies, so that other callers learn nothing about accounts.
create function private.check_client_role() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if not exists (
    select from public.user_roles where user_id = new.user_id and role = any (tg_argv) and approved
  ) then
    raise exception using errcode = '23514', message = case tg_table_name
      when 'client_members' then 'Only people with the client role can be members of a client.'
      else 'Only admins and approved team members can be assigned to a client.'
    end;
  end if;
  if not private.has_verified_address(new.user_id) then
    raise exception 'This person has not confirmed their email address. They can confirm it on their account page.'
      using errcode = '23514';
  end if;
  return null;
end
$$;

-- Updates `has_client`. It is also set for pending invitations, so that the dashboard asks the person to verify their
-- address.
create function private.update_has_client() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _user_id constant uuid := case tg_op when 'DELETE' then old.user_id else new.user_id end;
begin
  update auth.users set raw_app_meta_data = coalesce(raw_app_meta_data, '{}') - 'has_client' || case
    when exists (select from public.client_members where user_id = _user_id)
      or exists (select from public.client_invitations where user_id = _user_id)
      or exists (select from public.client_assignments where user_id = _user_id) then '{"has_client": true}'::jsonb
    else '{}'
  end
  where id = _user_id;
  return null;
end
$$;

-- Turns pending invitations into memberships.
create function private.accept_client_invitations() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  with taken as (
    delete from public.client_invitations as invitation
    using auth.users as person, public.user_roles as roles
    where invitation.user_id = new.user_id and person.id = new.user_id and lower(person.email) = invitation.address
      and roles.user_id = new.user_id and roles.role = 'client' and roles.approved
      and private.has_verified_address(new.user_id)
    returning invitation.client_id, invitation.user_id, invitation.kind
  )
  insert into public.client_members (client_id, user_id, kind)
  select client_id, user_id, kind from taken on conflict do nothing;
  return null;
end
$$;

-- Sets which mails a member gets about a client.
create function public.set_my_client_mails(_client_id uuid, _notifications text[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if _client_id not in (select private.clients_of_member()) then
    raise exception 'Only this client''s own people can do this' using errcode = '42501';
  end if;
  update public.client_members set notifications = _notifications where client_id = _client_id and user_id = private.user_id();
end
$$;
grant execute on function public.set_my_client_mails to authenticated, service_role;

-- Lists the members of a client to mail about a kind of event ('waiting', 'report', 'lead').
create function private.members_to_mail(_client_id uuid, _of text) returns table (user_id uuid, email text)
language sql stable security definer set search_path = '' as $$
  select users.id, users.email::text
  from public.client_members as member
    join public.user_roles as roles on roles.user_id = member.user_id and roles.role = 'client' and roles.approved
    join auth.users on users.id = member.user_id
  where member.client_id = _client_id and _of = any (member.notifications) and (member.kind = 'approver' or _of <> 'waiting')
    and users.email <> ''
$$;

-- Returns the variables of a queued mail that its recipient may still read. A mail about one client has a ClientId, and
-- a mail about several has items with a client_id. Leaves out the items of clients that the recipient has lost access
-- to, by removal, a ban or a change of address. Returns null if nothing is left.
create function private.readable_mail(_recipient text, _variables jsonb) returns jsonb
language sql stable security definer set search_path = '' as $$
  with named as (
    select _variables ->> 'ClientId' as client_id
    union
    select item ->> 'client_id' from jsonb_array_elements(_variables -> 'Items') as item
  ), kept as (
    select client_id from named where client_id is not null and exists (
      select from auth.users as person join public.user_roles as roles on roles.user_id = person.id and roles.approved
      where lower(person.email) = lower(_recipient) and coalesce(person.banned_until <= now(), true) and (
        roles.role = 'admin'
        or roles.role = 'client' and exists (
          select from public.client_members as member
          where member.user_id = person.id and member.client_id = named.client_id::uuid
        )
        or roles.role = 'team' and exists (
          select from public.client_assignments as assignment
          where assignment.user_id = person.id and assignment.client_id = named.client_id::uuid
        )
      )
    )
  )
  select case
    when not exists (select from named where client_id is not null) then _variables
    when not exists (select from kept) then null
    when _variables ? 'Items' then _variables || jsonb_build_object('Items', (
      select coalesce(jsonb_agg(item order by place), '[]')
      from jsonb_array_elements(_variables -> 'Items') with ordinality as listed (item, place)
      where item ->> 'client_id' is null or item ->> 'client_id' in (select client_id from kept)
    ))
    else _variables
  end
$$;

create policy "Members read their clients" on public.clients for select to authenticated
  using (id in (select private.clients_of_member()));
create policy "Team members read the clients they are assigned to" on public.clients for select to authenticated
  using (id in (select private.clients_of_team_member()));

create policy "Team members read the members of their clients" on public.client_members for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

create policy "Team members read the assignments of their clients" on public.client_assignments for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

create policy "Team members read the invitations of their clients" on public.client_invitations for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

create policy "Members read their own memberships" on public.client_members for select to authenticated
  using (user_id = (select private.effective_user_id()) and client_id in (select private.clients_of_member()));

create trigger check_client_role after insert or update on public.client_assignments
  for each row execute function private.check_client_role('team', 'admin');

create trigger update_has_client after insert or delete on public.client_members
  for each row execute function private.update_has_client();

create trigger update_has_client after insert or delete on public.client_assignments
  for each row execute function private.update_has_client();

create trigger check_client_role after insert or update of client_id, user_id on public.client_members
  for each row execute function private.check_client_role('client');

create trigger update_has_client after insert or delete on public.client_invitations
  for each row execute function private.update_has_client();

create trigger accept_client_invitations after insert on private.verified_addresses
  for each row execute function private.accept_client_invitations();

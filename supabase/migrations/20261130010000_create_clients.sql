-- Clients: for whom we work, which people belong to them, who of us works for them, and their campaigns. Members read their
-- own clients, assigned team members read and change theirs, admins all; for everybody else there is none. private.user_id()
-- tells nobody for the token of an application, so applications see nothing of it.

create table public.clients (
  id uuid primary key default gen_random_uuid(),
  name text not null check (length(trim(name)) between 1 and 200 and name !~ '[[:cntrl:]]'),
  domain text not null default '' check (length(domain) <= 253 and domain ~ '^[a-z0-9.-]*$'),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- The people of a client. One person may belong to several. Who loses their role loses the place, also when they register
-- again.
create table public.client_members (
  client_id uuid not null references public.clients (id) on delete cascade,
  user_id uuid not null references public.user_roles (user_id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (client_id, user_id)
);
create index client_members_user_idx on public.client_members (user_id);

-- Who of us works for a client.
create table public.client_assignments (
  client_id uuid not null references public.clients (id) on delete cascade,
  user_id uuid not null references public.user_roles (user_id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (client_id, user_id)
);
create index client_assignments_user_idx on public.client_assignments (user_id);

-- The key begins with the client, so that what refers to a campaign cannot name one of another client.
create table public.campaigns (
  client_id uuid not null references public.clients (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  name text not null check (length(trim(name)) between 1 and 200 and name !~ '[[:cntrl:]]'),
  channel text not null check (channel in ('email', 'linkedin', 'phone', 'other')),
  phase text not null default 'planned' check (phase in ('planned', 'building', 'running', 'paused', 'done')),
  next_step text not null default '' check (length(next_step) <= 500 and next_step !~ '[[:cntrl:]]'),
  -- The day on which the next step is due.
  due_on date,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (client_id, id)
);

create trigger touch_updated_at before update on public.clients
  for each row execute function private.touch_updated_at();
create trigger touch_updated_at before update on public.campaigns
  for each row execute function private.touch_updated_at();

-- Lists the clients that who asks belongs to. Read on every request: a person who was removed sees nothing at once.
create function private.clients_of_member() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select client_id from public.client_members
  join public.user_roles on user_roles.user_id = client_members.user_id and role = 'client' and approved
  where client_members.user_id = (select private.user_id())
$$;

-- Lists the clients that who asks, a team member, is assigned to.
create function private.clients_of_team_member() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select client_id from public.client_assignments
  join public.user_roles on user_roles.user_id = client_assignments.user_id and role = 'team' and approved
  where client_assignments.user_id = (select private.user_id())
$$;
revoke all on function private.clients_of_member(), private.clients_of_team_member() from public;
grant execute on function private.clients_of_member(), private.clients_of_team_member()
  to anon, authenticated, service_role;

revoke all on table public.clients, public.client_members, public.client_assignments, public.campaigns
  from anon, authenticated;
grant select, delete, insert (name, domain), update (name, domain) on table public.clients to authenticated;
-- Members are added by their address: add_client_member().
grant select, delete on table public.client_members to authenticated;
grant select, delete, insert (client_id, user_id) on table public.client_assignments to authenticated;
grant select, delete, insert (client_id, name, channel, phase, next_step, due_on),
  update (name, channel, phase, next_step, due_on) on table public.campaigns to authenticated;
grant all on table public.clients, public.client_members, public.client_assignments, public.campaigns to service_role;
alter table public.clients enable row level security;
alter table public.client_members enable row level security;
alter table public.client_assignments enable row level security;
alter table public.campaigns enable row level security;

create policy "Admins read all clients" on public.clients
  for select to authenticated using ((select private.is_admin()));
create policy "Members read their clients" on public.clients
  for select to authenticated using (id in (select private.clients_of_member()));
create policy "Team members read the clients they are assigned to" on public.clients
  for select to authenticated using (id in (select private.clients_of_team_member()));
create policy "Admins add clients" on public.clients
  for insert to authenticated with check ((select private.is_admin()));
create policy "Admins change clients" on public.clients
  for update to authenticated using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "Admins delete clients" on public.clients
  for delete to authenticated using ((select private.is_admin()));

create policy "Admins read all members" on public.client_members
  for select to authenticated using ((select private.is_admin()));
create policy "Members read where they belong" on public.client_members
  for select to authenticated using (
    user_id = (select private.user_id()) and client_id in (select private.clients_of_member())
  );
create policy "Team members read the members of their clients" on public.client_members
  for select to authenticated using (client_id in (select private.clients_of_team_member()));
create policy "Admins remove members" on public.client_members
  for delete to authenticated using ((select private.is_admin()));

create policy "Admins read all assignments" on public.client_assignments
  for select to authenticated using ((select private.is_admin()));
create policy "Team members read who works for their clients" on public.client_assignments
  for select to authenticated using (client_id in (select private.clients_of_team_member()));
create policy "Admins assign team members" on public.client_assignments
  for insert to authenticated with check ((select private.is_admin()));
create policy "Admins end assignments" on public.client_assignments
  for delete to authenticated using ((select private.is_admin()));

create policy "Admins read all campaigns" on public.campaigns
  for select to authenticated using ((select private.is_admin()));
create policy "Members read the campaigns of their clients" on public.campaigns
  for select to authenticated using (client_id in (select private.clients_of_member()));
create policy "Team members read the campaigns of their clients" on public.campaigns
  for select to authenticated using (client_id in (select private.clients_of_team_member()));
create policy "Admins and assigned team members add campaigns" on public.campaigns
  for insert to authenticated
  with check ((select private.is_admin()) or client_id in (select private.clients_of_team_member()));
create policy "Admins and assigned team members change campaigns" on public.campaigns
  for update to authenticated
  using ((select private.is_admin()) or client_id in (select private.clients_of_team_member()))
  with check ((select private.is_admin()) or client_id in (select private.clients_of_team_member()));
create policy "Admins and assigned team members delete campaigns" on public.campaigns
  for delete to authenticated
  using ((select private.is_admin()) or client_id in (select private.clients_of_team_member()));

-- Only a person whose role fits and whose address is proven can take the place: an admin means the owner of the address. The
-- policies ask for the role again on every request. After the policies have spoken: others learn nothing about people here.
create function private.check_client_place() returns trigger
language plpgsql security definer set search_path = ''
as $$
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
$$;
revoke all on function private.check_client_place() from public;
create trigger check_place after insert or update on public.client_members
  for each row execute function private.check_client_place('client');
create trigger check_place after insert or update on public.client_assignments
  for each row execute function private.check_client_place('team', 'admin');

-- Notes in the account that its portal has something to show, so that the pages of everybody else ask nothing: the session
-- brings the note along. Nothing is allowed by it.
create function private.note_client_place() returns trigger
language plpgsql security definer set search_path = ''
as $$
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
$$;
revoke all on function private.note_client_place() from public;
create trigger note_place after insert or delete on public.client_members
  for each row execute function private.note_client_place();
create trigger note_place after insert or delete on public.client_assignments
  for each row execute function private.note_client_place();

-- Adds the person with that address to a client. Adding them again changes nothing.
create function public.add_client_member(_client_id uuid, _email text) returns void
language plpgsql security definer set search_path = ''
as $$
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
$$;
revoke all on function public.add_client_member(uuid, text) from public, anon, authenticated;
grant execute on function public.add_client_member(uuid, text) to authenticated, service_role;

-- Lists the people of a client and who of us works for it, by name, for those who work for it.
create function public.client_people(_client_id uuid) returns table (id uuid, name text, email text, is_team boolean)
language plpgsql stable security definer set search_path = ''
as $$
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
$$;
revoke all on function public.client_people(uuid) from public, anon, authenticated;
grant execute on function public.client_people(uuid) to authenticated, service_role;

insert into private.personal_data (table_name, ids, section, given, sorted_by, on_deletion) values
  ('client_members', '{user_id}', 'clients', '{"client": "client_id", "since": "created_at"}', 'created_at', 'delete'),
  ('client_assignments', '{user_id}', 'works_for', '{"client": "client_id", "since": "created_at"}', 'created_at', 'delete');

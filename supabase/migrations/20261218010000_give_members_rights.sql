-- Members of a client are approvers or viewers: only approvers decide and answer. An admin adds them by their address, also
-- where nobody has an account or has proven the address; the place waits until then. Each member switches their own mails.

alter table public.client_members
  add column kind text not null default 'approver' check (kind in ('viewer', 'approver')),
  -- Of what the person is told by mail. Only approvers are told of what waits.
  add column told_of text[] not null default '{waiting,report}' check (told_of <@ '{waiting,report}'::text[]);
grant update (kind) on table public.client_members to authenticated;
create policy "Admins change what members may do" on public.client_members
  for update to authenticated using ((select private.is_admin())) with check ((select private.is_admin()));

-- Only a place that is new needs the role and the proof: with neither, mails can still be switched off.
drop trigger check_place on public.client_members;
create trigger check_place after insert or update of client_id, user_id on public.client_members
  for each row execute function private.check_client_place('client');

-- Places that wait until somebody proves the address that an admin meant, whoever made the account. They end with its role.
create table public.client_invitations (
  client_id uuid not null references public.clients (id) on delete cascade,
  user_id uuid not null references public.user_roles (user_id) on delete cascade,
  -- In lower case. An account that takes another address is not the one that was meant.
  address text not null check (address <> '' and length(address) <= 255),
  kind text not null check (kind in ('viewer', 'approver')),
  created_at timestamptz not null default now(),
  primary key (client_id, user_id)
);
create index client_invitations_user_idx on public.client_invitations (user_id);
revoke all on table public.client_invitations from anon, authenticated;
grant select, delete, update (kind) on table public.client_invitations to authenticated;
grant all on table public.client_invitations to service_role;
alter table public.client_invitations enable row level security;

create policy "Admins read all invitations of clients" on public.client_invitations
  for select to authenticated using ((select private.is_admin()));
create policy "Team members read the invitations of their clients" on public.client_invitations
  for select to authenticated using (client_id in (select private.clients_of_team_member()));
create policy "Admins change what invited people may do" on public.client_invitations
  for update to authenticated using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "Admins withdraw invitations of clients" on public.client_invitations
  for delete to authenticated using ((select private.is_admin()));

-- The account is noted while a place waits, too: its dashboard then asks for the proof.
create or replace function private.note_client_place() returns trigger
language plpgsql security definer set search_path = ''
as $$
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
create trigger note_place after insert or delete on public.client_invitations
  for each row execute function private.note_client_place();

-- Gives a person the places that waited for the proof of their address.
create function private.take_client_places() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  with taken as (
    delete from public.client_invitations as invitation
    using auth.users as person, public.user_roles as roles
    where invitation.user_id = new.user_id and person.id = new.user_id and lower(person.email) = invitation.address
      and roles.user_id = new.user_id and roles.role = 'client' and roles.approved
      and private.has_proven_address(new.user_id)
    returning invitation.client_id, invitation.user_id, invitation.kind
  )
  insert into public.client_members (client_id, user_id, kind)
  select client_id, user_id, kind from taken on conflict do nothing;
  return null;
end
$$;
revoke all on function private.take_client_places() from public;
create trigger take_places after insert on private.proven_addresses
  for each row execute function private.take_client_places();

-- As before, and a place that waits needs the proof to be noted, too.
create or replace function public.confirm_my_address() returns table (is_proven boolean, approval_waits boolean)
language plpgsql security definer set search_path = ''
as $$
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
  elsif private.has_proven_address(_id) and (
    private.approval_waits(_id) or exists (select from public.client_invitations where user_id = _id)
  ) then
    insert into private.proven_addresses (user_id, address)
    select _id, _email where _email <> '' on conflict do nothing;
  end if;
  return query select private.has_proven_address(_id), private.approval_waits(_id);
end
$$;

-- Adds the person with that address to a client, and makes the account where there is none. Returns whether they belong to it
-- at once: otherwise the place waits for the proof of the address, and whoever calls asks for a sign-in mail to it. Adding
-- somebody again changes nothing.
drop function public.add_client_member(uuid, text);
create function public.add_client_member(_client_id uuid, _email text, _kind text default 'approver') returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  _address constant text := lower(trim(_email));
  _person uuid;
begin
  perform private.require_admin();
  select id into _person from auth.users where lower(email) = _address and not is_sso_user;
  if not found then
    perform public.invite_person(_address, 'client');
    select id into strict _person from auth.users where lower(email) = _address and not is_sso_user;
  end if;
  if not exists (select from public.user_roles where user_id = _person and role = 'client' and approved) then
    raise exception 'Only people with the role of a client can belong to one.' using errcode = '23514';
  end if;
  if private.has_proven_address(_person) then
    insert into public.client_members (client_id, user_id, kind) values (_client_id, _person, _kind) on conflict do nothing;
    return true;
  end if;
  insert into public.client_invitations (client_id, user_id, address, kind)
  select _client_id, _person, _address, _kind
  where not exists (select from public.client_members where client_id = _client_id and user_id = _person)
  on conflict do nothing;
  return false;
end
$$;
revoke all on function public.add_client_member(uuid, text, text) from public, anon, authenticated;
grant execute on function public.add_client_member(uuid, text, text) to authenticated, service_role;

-- Switches the mails that a member gets about a client.
create function public.set_my_client_mails(_client_id uuid, _told_of text[]) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if _client_id not in (select private.clients_of_member()) then
    raise exception 'Only the people of this client may do this' using errcode = '42501';
  end if;
  update public.client_members set told_of = _told_of where client_id = _client_id and user_id = private.user_id();
end
$$;
revoke all on function public.set_my_client_mails(uuid, text[]) from public, anon, authenticated;
grant execute on function public.set_my_client_mails(uuid, text[]) to authenticated, service_role;

-- Lists the clients for which who asks may decide and answer. Read on every request, as clients_of_member() is.
create function private.clients_of_approver() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select client_id from public.client_members
  where user_id = (select private.user_id()) and kind = 'approver' and client_id in (select private.clients_of_member())
$$;
revoke all on function private.clients_of_approver() from public;
grant execute on function private.clients_of_approver() to anon, authenticated, service_role;

-- Refuses everybody but the approvers of a client: also its viewers, and those who work for it.
create function private.require_approver(_client_id uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if private.works_for_client(_client_id) then
    raise exception 'Only the people of the client decide' using errcode = '42501';
  elsif _client_id not in (select private.clients_of_approver()) then
    raise exception 'You may read this. Approvers of the client decide.' using errcode = '42501';
  end if;
end
$$;
revoke all on function private.require_approver(uuid) from public;

-- Lists whom of a client to mail about one kind of thing ('waiting', 'report').
create function private.members_to_tell(_client_id uuid, _of text) returns table (user_id uuid, email text)
language sql stable security definer set search_path = ''
as $$
  select users.id, users.email::text
  from public.client_members as member
    join public.user_roles as roles on roles.user_id = member.user_id and roles.role = 'client' and roles.approved
    join auth.users on users.id = member.user_id
  where member.client_id = _client_id and _of = any (member.told_of) and (member.kind = 'approver' or _of <> 'waiting')
    and users.email <> ''
$$;
revoke all on function private.members_to_tell(uuid, text) from public;

-- As before, for approvers alone.
create or replace function public.answer_client_meeting(
  _client_id uuid, _id uuid, _outcome text, _answer text, _reason text default ''
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  _meeting public.client_meetings;
begin
  perform private.require_approver(_client_id);
  select * into _meeting from public.client_meetings where client_id = _client_id and id = _id for update;
  if not found then
    raise exception 'There is no such meeting any more.' using errcode = 'P0001';
  elsif _meeting.outcome is distinct from _outcome or _outcome = 'booked' then
    raise exception 'This meeting has changed. Please read it again.' using errcode = 'P0001';
  elsif _meeting.answer = 'accepted' then
    raise exception 'A colleague has accepted this meeting already.' using errcode = 'P0001';
  elsif _meeting.answer_until < now() then
    raise exception 'The time to answer is over. Please write to us.' using errcode = 'P0001';
  elsif _answer = 'disputed' and coalesce(_reason, '') !~ '\S' then
    raise exception 'Please write what is wrong.' using errcode = 'P0001';
  end if;
  update public.client_meetings set
    answer = coalesce(_answer, ''), reason = btrim(coalesce(_reason, ''), E' \t\r\n'), answered_by = private.user_id(), answered_at = now()
  where client_id = _client_id and id = _id;
  -- Found first, or the planner could count for addresses of others.
  if _answer = 'disputed' then
    with keeper as materialized (
      select users.email, clients.name as client
      from public.user_roles join auth.users on users.id = user_roles.user_id, public.clients
      where user_roles.user_id = _meeting.kept_by and user_roles.role in ('team', 'admin') and approved
        and clients.id = _client_id and users.email <> ''
    )
    insert into private.mail_queue (recipient, template, variables)
    select email, 'meeting_disputed', jsonb_build_object(
      'Email', email, 'Client', client, 'Title', _meeting.met_with, 'Message', _reason
    )
    from keeper where private.count_for_subject('dispute mail', lower(email), 50, interval '1 day');
  end if;
end
$$;

update private.personal_data
set given = '{"client": "client_id", "since": "created_at", "kind": "kind", "told_of": "told_of"}'
where table_name = 'client_members';
insert into private.personal_data (table_name, ids, addresses, section, given, sorted_by, on_deletion) values
  ('client_invitations', '{user_id}', '{address}', 'client_invitations', '{"since": "created_at"}', 'created_at', 'delete');

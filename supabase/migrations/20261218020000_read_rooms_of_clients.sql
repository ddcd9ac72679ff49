-- Whether the people of a client read what waits for them: noted when they open it in the portal, never by a pixel, and not when
-- those who work for the client look at its rooms. A text that nobody opened for a week is told to who asked, once.

create table public.client_reads (
  client_id uuid not null,
  user_id uuid not null,
  what text not null check (what in ('rooms', 'approval')),
  -- The approval; the client for its rooms.
  item_id uuid not null,
  first_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  primary key (client_id, user_id, what, item_id),
  foreign key (client_id, user_id) references public.client_members (client_id, user_id) on delete cascade
);
create index client_reads_latest_idx on public.client_reads (client_id, what, last_at desc);
revoke all on table public.client_reads from anon, authenticated;
grant select on table public.client_reads to authenticated;
grant all on table public.client_reads to service_role;
alter table public.client_reads enable row level security;

create policy "Admins read what clients opened" on public.client_reads
  for select to authenticated using ((select private.is_admin()));
create policy "Team members read what their clients opened" on public.client_reads
  for select to authenticated using (client_id in (select private.clients_of_team_member()));

-- Notes that a member opened the rooms of a client, and those of its texts that they have seen there.
create function public.note_client_read(_client_id uuid, _approval_ids uuid[] default '{}') returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if _client_id not in (select private.clients_of_member()) then
    raise exception 'Only the people of this client read as its people' using errcode = '42501';
  end if;
  insert into public.client_reads as noted (client_id, user_id, what, item_id)
  select _client_id, private.user_id(), 'rooms', _client_id
  union all
  select _client_id, private.user_id(), 'approval', id
  from public.approvals where client_id = _client_id and id = any (_approval_ids)
  on conflict (client_id, user_id, what, item_id) do update set last_at = now();
end
$$;
revoke all on function public.note_client_read(uuid, uuid[]) from public, anon, authenticated;
grant execute on function public.note_client_read(uuid, uuid[]) to authenticated, service_role;

-- Lists the texts that wait for the people of clients and that nobody of them has opened for a week, with who asked.
create function private.unread_approvals()
returns table (client_id uuid, approval_id uuid, number integer, title text, asked_by uuid)
language sql stable security definer set search_path = ''
as $$
  select approval.client_id, approval.id, version.number, approval.title, version.asked_by
  from public.approvals as approval
    join lateral (
      select * from public.approval_versions as any_version
      where any_version.client_id = approval.client_id and any_version.approval_id = approval.id
      order by any_version.number desc limit 1
    ) as version on version.created_at < now() - interval '7 days'
  where not exists (
      select from public.approval_decisions as decision
      where decision.client_id = approval.client_id and decision.approval_id = approval.id and decision.number = version.number
    )
    and not exists (
      select from public.client_reads as noted
      where noted.client_id = approval.client_id and noted.what = 'approval' and noted.item_id = approval.id
        and noted.last_at >= version.created_at
    )
    and exists (select from public.client_members as member where member.client_id = approval.client_id)
$$;
revoke all on function private.unread_approvals() from public;

-- Of which version it was told that nobody opens it.
create table private.told_unread (
  client_id uuid not null,
  approval_id uuid not null,
  number integer not null,
  primary key (client_id, approval_id, number),
  foreign key (client_id, approval_id, number)
    references public.approval_versions (client_id, approval_id, number) on delete cascade
);
revoke all on table private.told_unread from anon, authenticated, service_role;
alter table private.told_unread enable row level security;

-- Mails who asked which texts nobody opens: one mail for each person and client. Returns how many texts are told of now.
-- Called with _at_most as what deletes in steps is, and without it by a scheduled job.
create function private.tell_unread_approvals(_at_most integer default null) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  _told integer;
begin
  with news as (
    insert into private.told_unread (client_id, approval_id, number)
    select unread.client_id, unread.approval_id, unread.number
    from private.unread_approvals() as unread
    where not exists (
      select from private.told_unread as told
      where (told.client_id, told.approval_id, told.number) = (unread.client_id, unread.approval_id, unread.number)
    )
    limit _at_most
    on conflict do nothing
    returning *
  ), mails as (
    insert into private.mail_queue (recipient, template, variables)
    select users.email, 'approval_unread', jsonb_build_object(
      'Email', users.email, 'Client', clients.name, 'Message', string_agg(unread.title, E'\n' order by unread.title)
    )
    from news join private.unread_approvals() as unread using (client_id, approval_id, number)
      join public.clients on clients.id = unread.client_id
      join public.user_roles as roles on roles.user_id = unread.asked_by and roles.role in ('team', 'admin') and roles.approved
      join auth.users on users.id = unread.asked_by
    where users.email <> ''
    group by users.id, users.email, clients.id, clients.name
    returning id
  )
  select count(*) into _told from news;
  return _told;
end
$$;
revoke all on function private.tell_unread_approvals(integer) from public;

-- What a client's first screen asks for: {"waiting": [{"kind": "approval", "id", "title", "number", "due_on"}, {"kind": "meeting",
-- "id", "title", "due_on"}], "waiting_count", "next_call"}, by the day on which it is due, at most 24 of each kind. The call is
-- one that whoever asks has booked with an address that they have proven, and only its time is told.
create function public.client_home(_client_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.works_for_client(_client_id);
  return (
    with texts as (
      select approval.id, approval.title, version.number, version.due_on, version.created_at
      from public.approvals as approval
        join lateral (
          select * from public.approval_versions as any_version
          where any_version.client_id = _client_id and any_version.approval_id = approval.id
          order by any_version.number desc limit 1
        ) as version on true
      where approval.client_id = _client_id and not exists (
        select from public.approval_decisions as decision
        where decision.client_id = _client_id and decision.approval_id = approval.id and decision.number = version.number
      )
    ), meetings as (
      select meeting.id, meeting.met_with, (meeting.answer_until at time zone clients.time_zone)::date as due_on, meeting.starts_at
      from public.client_meetings as meeting join public.clients on clients.id = meeting.client_id
      where meeting.client_id = _client_id and meeting.answer is null and meeting.answer_until > now()
    ), waiting (place, due_on, since, line) as (
      (select 1, due_on, created_at, jsonb_build_object(
        'kind', 'approval', 'id', id, 'title', title, 'number', number, 'due_on', due_on
      ) from texts order by due_on nulls last, created_at, id limit 24)
      union all
      (select 2, due_on, starts_at, jsonb_build_object('kind', 'meeting', 'id', id, 'title', met_with, 'due_on', due_on)
      from meetings order by starts_at desc, id limit 24)
    )
    select jsonb_build_object(
      'waiting', coalesce((select jsonb_agg(line order by due_on nulls last, place, since) from waiting), '[]'),
      'waiting_count', (select count(*) from texts) + (select count(*) from meetings),
      'next_call', (
        select min(booking.starts_at) from public.bookings as booking
        where booking.state = 'booked' and booking.ends_at > now() and lower(booking.email) in (
          select proven.address from private.proven_addresses as proven join auth.users on users.id = proven.user_id
          where proven.user_id = private.user_id() and proven.address = users.email
        )
      )
    )
  );
end
$$;
revoke all on function public.client_home(uuid) from public, anon, authenticated;
grant execute on function public.client_home(uuid) to authenticated, service_role;

-- Lists the people of a client, those who are invited, and who of us works for it, by name, for those who work for it. kind is
-- null for the last, read_at is when a member last opened the rooms.
drop function public.client_people(uuid);
create function public.client_people(_client_id uuid)
returns table (id uuid, name text, email text, is_team boolean, kind text, is_waiting boolean, read_at timestamptz)
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not (private.is_admin() or _client_id in (select private.clients_of_team_member())) then
    raise exception 'Only those who work for this client may do this' using errcode = '42501';
  end if;
  return query
    select users.id, private.name_of(users.raw_user_meta_data), coalesce(users.email::text, 'Unknown'),
      places.kind is null, places.kind, places.of_invited, (
        select last_at from public.client_reads as noted
        where noted.client_id = _client_id and noted.user_id = places.user_id and noted.what = 'rooms'
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
revoke all on function public.client_people(uuid) from public, anon, authenticated;
grant execute on function public.client_people(uuid) to authenticated, service_role;

-- How each client stands, for those who work for it: [{"id", "name", "domain", "time_zone", "first_weekday", "is_running", "latest":
-- the last day of which there is a figure, "waits_for_client", "due_on": the first day on which an answer is due, "waits_for_us":
-- texts declined or to be changed, and disputed meetings, "unread": texts that nobody opened for a week, "read_at"}].
create function public.team_overview() returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', clients.id, 'name', clients.name, 'domain', clients.domain, 'time_zone', clients.time_zone,
    'first_weekday', clients.first_weekday,
    'is_running', exists (select from public.campaigns where client_id = clients.id and phase = 'running'),
    'latest', (
      select max(last_day) from public.campaign_figures
      where client_id = clients.id and replaced_by is null and first_day >= (
        select max(first_day) - 6 from public.campaign_figures where client_id = clients.id and replaced_by is null
      )
    ),
    'waits_for_client', texts.open + meetings.open, 'due_on', texts.due_on,
    'waits_for_us', texts.refused + meetings.disputed, 'unread', texts.unread,
    'read_at', (select max(last_at) from public.client_reads where client_id = clients.id and what = 'rooms')
  ) order by clients.name, clients.id), '[]')
  from public.clients
    cross join lateral (
      select count(*) filter (where decision.number is null) as open,
        count(*) filter (where decision.verdict in ('no', 'changes')) as refused,
        min(version.due_on) filter (where decision.number is null) as due_on,
        count(*) filter (
          where decision.number is null and version.created_at < now() - interval '7 days'
            and exists (select from public.client_members where client_id = clients.id)
            and not exists (
              select from public.client_reads as noted
              where noted.client_id = clients.id and noted.what = 'approval' and noted.item_id = approval.id
                and noted.last_at >= version.created_at
            )
        ) as unread
      from public.approvals as approval
        join lateral (
          select * from public.approval_versions as any_version
          where any_version.client_id = clients.id and any_version.approval_id = approval.id
          order by any_version.number desc limit 1
        ) as version on true
        left join public.approval_decisions as decision
          on decision.client_id = clients.id and decision.approval_id = approval.id and decision.number = version.number
      where approval.client_id = clients.id
    ) as texts
    cross join lateral (
      select count(*) filter (where answer is null and answer_until > now()) as open,
        count(*) filter (where answer = 'disputed') as disputed
      from public.client_meetings where client_id = clients.id
    ) as meetings
  where (select private.is_admin()) or clients.id in (select private.clients_of_team_member())
$$;
revoke all on function public.team_overview() from public, anon, authenticated;
grant execute on function public.team_overview() to authenticated, service_role;

insert into private.personal_data (table_name, ids, section, given, sorted_by, on_deletion) values
  ('client_reads', '{user_id}', 'client_reads', '{"client": "client_id", "what": "what", "first": "first_at", "last": "last_at"}',
    'last_at', 'delete');

-- Alarms about a client, shown only to admins and assigned team members.
create table public.client_alarms (
  client_id uuid not null references public.clients (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  kind text not null check (kind in ('not_approved', 'do_not_contact', 'difference', 'incomplete', 'not_listed')),
  -- Alarms with the same subject are one row with a count.
  subject text not null check (length(subject) <= 400),
  text text not null check (length(text) <= 2000),
  times integer not null default 1,
  created_at timestamptz not null default now()
    constraint client_alarms_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  latest_at timestamptz not null default now()
    constraint client_alarms_latest_at_calendar check (latest_at between '1900-01-01' and '2999-12-31'),
  resolved_by uuid references auth.users (id) on delete set null,
  resolved_at timestamptz constraint client_alarms_resolved_at_calendar check (resolved_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, id),
  unique (client_id, kind, subject)
);
create index client_alarms_open_idx on public.client_alarms (client_id, kind) where resolved_at is null;
create index client_alarms_resolved_by_idx on public.client_alarms (resolved_by);
grant select on public.client_alarms to authenticated;
grant all on public.client_alarms to service_role;
alter table public.client_alarms enable row level security;
create policy "Admins read all alarms" on public.client_alarms for select to authenticated using ((select private.is_admin()));
create policy "Team members read the alarms of their clients" on public.client_alarms for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

-- Creates an alarm, or increments its count and reopens it. Beyond 200 open alarms of a kind, one row represents the
-- rest. Returns true for a new or reopened alarm, but not for that row.
create function private.raise_alarm(_client_id uuid, _kind text, _subject text, _text text, _times integer) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  _was_open constant boolean := exists (
    select from public.client_alarms
    where client_id = _client_id and kind = _kind and subject = _subject and resolved_at is null
  );
begin
  if not _was_open and 200 <= (
    select count(*) from public.client_alarms where client_id = _client_id and kind = _kind and resolved_at is null
  ) then
    _subject := 'more';
    _text := 'There are more alarms of this kind than are listed. Dismiss some to see the others.';
  end if;
  insert into public.client_alarms as former (client_id, kind, subject, text, times)
  values (_client_id, _kind, left(_subject, 400), left(_text, 2000), _times)
  on conflict (client_id, kind, subject) do update set
    times = former.times + excluded.times, text = excluded.text, latest_at = now(), resolved_at = null, resolved_by = null;
  return not _was_open and _subject <> 'more';
end
$$;

create function public.resolve_client_alarm(_client_id uuid, _id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only admins and assigned team members can do this' using errcode = '42501';
  end if;
  update public.client_alarms set resolved_at = now(), resolved_by = private.user_id()
  where client_id = _client_id and id = _id and resolved_at is null;
end
$$;
grant execute on function public.resolve_client_alarm to authenticated, service_role;

-- Mails an alarm to the team members assigned to the client, or to the admins if no one is assigned. At most 20 mails a
-- day per address.
create function private.mail_team_about_alarm(_client_id uuid, _text text) returns void
language sql security definer set search_path = '' as $$
  with assigned as (
    select user_id from public.client_assignments
      join public.user_roles using (user_id)
    where client_id = _client_id and role in ('team', 'admin') and approved
  ), people as materialized (
    -- Materialized, because the planner could otherwise call count_for_subject() for other people's addresses.
    select users.id, users.email, clients.name as client
    from auth.users join public.user_roles on user_roles.user_id = users.id, public.clients
    where clients.id = _client_id and users.email <> '' and (
      users.id in (select user_id from assigned)
      or not exists (select from assigned) and user_roles.role = 'admin' and user_roles.approved
    )
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'client_alarm', jsonb_build_object(
    'Email', email, 'ClientId', _client_id, 'Client', client, 'Message', _text, 'Path', private.team_path(id, _client_id, 'alarms')
  )
  from people where private.count_for_subject('alarm mail', lower(email), 20, interval '1 day')
$$;

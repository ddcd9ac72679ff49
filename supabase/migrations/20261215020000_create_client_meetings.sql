-- The ledger of meetings that campaigns of a client brought. Those who work for the client keep it; once a meeting was held or
-- nobody came, the people of the client have 14 days to accept or dispute that. Rows come by the functions below alone, but
-- for deletion.

create table public.client_meetings (
  client_id uuid not null references public.clients (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  starts_at timestamptz not null,
  -- Whom the client met, as a name and a company.
  met_with text not null check (met_with ~ '\S' and length(met_with) <= 200 and met_with !~ '[[:cntrl:]]'),
  outcome text not null check (outcome in ('booked', 'held', 'no_show')),
  -- From where that is known: the invitation, a recording, a reply.
  evidence text not null default '' check (length(evidence) <= 2000),
  -- The end of the time in which the client answers; none while the meeting is booked.
  answer_until timestamptz,
  answer text check (answer in ('accepted', 'disputed')),
  reason text not null default '' check (length(reason) <= 2000),
  answered_by uuid references auth.users (id) on delete set null,
  answered_at timestamptz,
  kept_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  primary key (client_id, id),
  check ((outcome = 'booked') = (answer_until is null)),
  check (answer is null or outcome <> 'booked'),
  check (answer is distinct from 'disputed' or reason ~ '\S')
);
create index client_meetings_latest_idx on public.client_meetings (client_id, starts_at desc, id);
create index client_meetings_answered_by_idx on public.client_meetings (answered_by);
create index client_meetings_kept_by_idx on public.client_meetings (kept_by);

revoke all on table public.client_meetings from anon, authenticated;
grant select, delete on table public.client_meetings to authenticated;
grant all on table public.client_meetings to service_role;
alter table public.client_meetings enable row level security;

create policy "Admins read all meetings of clients" on public.client_meetings
  for select to authenticated using ((select private.is_admin()));
create policy "Members read the meetings of their clients" on public.client_meetings
  for select to authenticated using (client_id in (select private.clients_of_member()));
create policy "Team members read the meetings of their clients" on public.client_meetings
  for select to authenticated using (client_id in (select private.clients_of_team_member()));
create policy "Admins and assigned team members delete what nobody answered" on public.client_meetings
  for delete to authenticated using (
    answer is null and ((select private.is_admin()) or client_id in (select private.clients_of_team_member()))
  );

-- Adds a meeting, or with _id changes one. With another outcome the client's time to answer begins anew; what the client
-- accepted stays as it is.
create function public.save_client_meeting(
  _client_id uuid, _starts_at timestamptz, _met_with text, _outcome text, _evidence text default '', _id uuid default null
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  _old public.client_meetings;
  _until constant timestamptz := case when _outcome <> 'booked' then now() + interval '14 days' end;
  _saved uuid;
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only those who work for this client keep its meetings' using errcode = '42501';
  elsif _outcome <> 'booked' and _starts_at > now() then
    raise exception 'This meeting is still to come: it is booked.' using errcode = 'P0001';
  end if;
  if _id is null then
    -- Two who add at the same time wait for each other, so that the ledger stays under its limit.
    perform from public.clients where id = _client_id for no key update;
    if (select count(*) from public.client_meetings where client_id = _client_id) >= 10000 then
      raise exception 'A client has at most 10,000 meetings.' using errcode = 'P0001';
    end if;
    insert into public.client_meetings (client_id, starts_at, met_with, outcome, evidence, answer_until, kept_by)
    values (_client_id, _starts_at, trim(_met_with), _outcome, _evidence, _until, private.user_id())
    returning id into _saved;
    return _saved;
  end if;
  select * into _old from public.client_meetings where client_id = _client_id and id = _id for update;
  if not found then
    raise exception 'There is no such meeting any more.' using errcode = 'P0001';
  elsif _old.answer = 'accepted' then
    raise exception 'The client has accepted this meeting. It stays as it is.' using errcode = 'P0001';
  end if;
  update public.client_meetings set
    starts_at = _starts_at, met_with = trim(_met_with), outcome = _outcome, evidence = _evidence, kept_by = private.user_id(),
    answer_until = case when outcome = _outcome then answer_until else _until end,
    answer = case when outcome = _outcome then answer end,
    reason = case when outcome = _outcome then reason else '' end,
    answered_by = case when outcome = _outcome then answered_by end,
    answered_at = case when outcome = _outcome then answered_at end
  where client_id = _client_id and id = _id;
  return _id;
end
$$;
revoke all on function public.save_client_meeting(uuid, timestamptz, text, text, text, uuid) from public, anon, authenticated;
grant execute on function public.save_client_meeting(uuid, timestamptz, text, text, text, uuid) to authenticated, service_role;

-- Accepts or disputes what the client read of a meeting: its _outcome then. A dispute may become a yes, not the other way.
create function public.answer_client_meeting(
  _client_id uuid, _id uuid, _outcome text, _answer text, _reason text default ''
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  _meeting public.client_meetings;
begin
  if private.works_for_client(_client_id) then
    raise exception 'Only the people of the client answer' using errcode = '42501';
  end if;
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
revoke all on function public.answer_client_meeting(uuid, uuid, text, text, text) from public, anon, authenticated;
grant execute on function public.answer_client_meeting(uuid, uuid, text, text, text) to authenticated, service_role;

-- Lists the meetings of a client, first those that wait for the client's answer, then the latest, with the numbers of those
-- and of all. To the client no address of a person is told.
create function public.list_client_meetings(_client_id uuid, _limit integer default 24, _offset integer default 0)
returns table (
  id uuid, starts_at timestamptz, met_with text, outcome text, evidence text, answer_until timestamptz, answer text,
  reason text, answered_by text, answered_at timestamptz, is_open boolean, waiting integer, total integer
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  _works_for constant boolean := private.works_for_client(_client_id);
begin
  return query
    select meeting.id, meeting.starts_at, meeting.met_with, meeting.outcome, meeting.evidence, meeting.answer_until,
      meeting.answer, meeting.reason,
      coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), case when _works_for then users.email end, '')::text,
      meeting.answered_at, meeting.is_open, meeting.waiting, meeting.total
    from (
      select *, count(*) over ()::integer as total,
        count(*) filter (where any_meeting.is_open and any_meeting.answer is null) over ()::integer as waiting
      from (
        select *, coalesce(client_meetings.answer_until > now(), false) and client_meetings.answer is distinct from 'accepted' as is_open
        from public.client_meetings where client_id = _client_id
      ) as any_meeting
      order by (any_meeting.is_open and any_meeting.answer is null) desc, any_meeting.starts_at desc, any_meeting.id
      limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0)
    ) as meeting left join auth.users on users.id = meeting.answered_by
    order by (meeting.is_open and meeting.answer is null) desc, meeting.starts_at desc, meeting.id;
end
$$;
revoke all on function public.list_client_meetings(uuid, integer, integer) from public, anon, authenticated;
grant execute on function public.list_client_meetings(uuid, integer, integer) to authenticated, service_role;

insert into private.personal_data (table_name, ids, section, given, sorted_by, on_deletion) values
  ('client_meetings', '{answered_by,kept_by}', 'client_meetings',
    '{"at": "starts_at", "client": "client_id", "outcome": "outcome", "answer": "answer", "reason": "reason"}',
    'created_at', 'follow');

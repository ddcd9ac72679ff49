-- Ledger of meetings from campaigns. The client's team maintains it. After a meeting was held or missed, approvers have
-- 14 days to accept or dispute this outcome. Only the functions below insert and update rows. A policy allows the team
-- to delete unanswered meetings.
create table public.client_meetings (
  client_id uuid not null references public.clients (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  starts_at timestamptz constraint client_meetings_starts_at_calendar check (starts_at between '1900-01-01' and '2999-12-31'),
  -- Name and company of the person.
  met_with text not null,
  outcome text not null check (outcome in ('booked', 'held', 'no_show')),
  -- Evidence of the meeting: the invitation, a recording, a reply.
  evidence text not null default '' check (length(evidence) <= 2000),
  -- Deadline of the client's answer. Null while the meeting is booked.
  answer_until timestamptz
    constraint client_meetings_answer_until_calendar check (answer_until between '1900-01-01' and '2999-12-31'),
  answer text check (answer in ('accepted', 'disputed')),
  reason text not null default '' check (length(reason) <= 2000),
  answered_by uuid references auth.users (id) on delete set null,
  answered_at timestamptz
    constraint client_meetings_answered_at_calendar check (answered_at between '1900-01-01' and '2999-12-31'),
  recorded_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
    constraint client_meetings_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  campaign_id uuid,
  booked_on date not null default CURRENT_DATE
    constraint client_meetings_booked_on_calendar check (booked_on between '1900-01-01' and '2999-12-31'),
  -- 'figure': added for an import or event; 'completed': a person has added the details since.
  origin text not null default 'person' check (origin in ('person', 'figure', 'completed')),
  -- The import or source whose figure added it.
  batch_id uuid,
  -- Facts that are checked against the agreed criteria. Empty or null if not recorded.
  role text not null default '' check (length(role) <= 200 and role !~ '[[:cntrl:]]'),
  company_size integer check (company_size between 1 and 10000000),
  country text not null default '' check (country ~ '^([A-Z]{2})?$'),
  is_customer boolean,
  minutes integer check (minutes between 1 and 1440),
  -- The criterion that a dispute names.
  criterion text check (criterion in ('role', 'size', 'country', 'customer', 'minutes', 'other')),
  -- The lead who agreed to meet.
  lead_id uuid,
  primary key (client_id, id),
  check ((outcome = 'booked') = (answer_until is null)),
  constraint client_meetings_check1 check (answer is null or outcome <> 'booked'),
  constraint client_meetings_check2 check (answer is distinct from 'disputed' or reason ~ '\S'),
  constraint client_meetings_met_with_check check (
    (met_with ~ '\S' or origin = 'figure') and length(met_with) <= 200 and met_with !~ '[[:cntrl:]]'
  ),
  constraint client_meetings_time_check check (starts_at is not null or origin = 'figure' and outcome = 'booked')
);
create index client_meetings_latest_idx on public.client_meetings (client_id, starts_at desc, id);
create index client_meetings_answered_by_idx on public.client_meetings (answered_by);
create index client_meetings_recorded_by_idx on public.client_meetings (recorded_by);
create index client_meetings_campaign_idx on public.client_meetings (client_id, campaign_id);
create index client_meetings_booked_idx on public.client_meetings (client_id, booked_on) include (campaign_id, batch_id);
create index client_meetings_batch_idx on public.client_meetings (client_id, batch_id);
create index client_meetings_lead_idx on public.client_meetings (client_id, lead_id);
grant select, delete on public.client_meetings to authenticated;
grant all on public.client_meetings to service_role;
alter table public.client_meetings enable row level security;
create policy "Admins read all meetings of clients" on public.client_meetings for select to authenticated
  using ((select private.is_admin()));
create policy "Members read the meetings of their clients" on public.client_meetings for select to authenticated
  using (client_id in (select private.clients_of_member()));
create policy "Team members read the meetings of their clients" on public.client_meetings for select to authenticated
  using (client_id in (select private.clients_of_team_member()));
create policy "Admins and assigned team members delete unanswered meetings" on public.client_meetings
  for delete to authenticated using (
    answer is null and ((select private.is_admin()) or client_id in (select private.clients_of_team_member()))
  );

-- Accepts or disputes a meeting, as an approver.
create function public.answer_client_meeting(
  _client_id uuid, _id uuid, _outcome text, _answer text, _reason text default '', _criterion text default null
) returns void language plpgsql security definer set search_path = '' as $$
declare
  _meeting public.client_meetings;
begin
  perform private.require_approver(_client_id);
  select * into _meeting from public.client_meetings where client_id = _client_id and id = _id for update;
  if not found then
    raise exception 'This meeting no longer exists.' using errcode = 'P0001';
  elsif _meeting.outcome is distinct from _outcome or _outcome = 'booked' then
    raise exception 'This meeting has changed. Reload the page to read it again.' using errcode = 'P0001';
  elsif _meeting.answer = 'accepted' then
    raise exception 'A colleague has already accepted this meeting.' using errcode = 'P0001';
  elsif _meeting.answer_until < now() then
    raise exception 'The time limit for an answer has passed. Please write to us.' using errcode = 'P0001';
  elsif _answer = 'disputed' and coalesce(_reason, '') !~ '\S' then
    raise exception 'Please describe what is wrong.' using errcode = 'P0001';
  elsif _answer = 'disputed' then
    perform private.check_disputed_criterion(_meeting, _criterion);
  end if;
  update public.client_meetings set
    criterion = case when _answer = 'disputed' then _criterion end,
    answer = coalesce(_answer, ''), reason = btrim(coalesce(_reason, ''), E' \t\r\n'), answered_by = private.user_id(), answered_at = now()
  where client_id = _client_id and id = _id;
  -- Materialized, because the planner could otherwise call count_for_subject() for other people's addresses.
  if _answer = 'disputed' then
    with keeper as materialized (
      select users.id, users.email, clients.name as client
      from public.user_roles join auth.users on users.id = user_roles.user_id, public.clients
      where user_roles.user_id = _meeting.recorded_by and user_roles.role in ('team', 'admin') and approved
        and clients.id = _client_id and users.email <> ''
    )
    insert into private.mail_queue (recipient, template, variables)
    select email, 'meeting_disputed', jsonb_build_object(
      'Email', email, 'ClientId', _client_id, 'Client', client, 'Title', _meeting.met_with, 'Message', _reason,
      'Path', private.team_path(keeper.id, _client_id, 'meeting-' || _id)
    )
    from keeper where private.count_for_subject('dispute mail', lower(email), 50, interval '1 day');
  end if;
end
$$;
grant execute on function public.answer_client_meeting to authenticated, service_role;

-- Lists a client's meetings: unanswered ones first, then disputed ones, then those whose result is awaited, then the
-- latest, with the number of unanswered ones and of all. `_id` limits the list to one meeting. Members do not see
-- addresses of people.
create function public.list_client_meetings(
  _client_id uuid, _limit integer default 24, _offset integer default 0, _id uuid default null
) returns table (
  id uuid, starts_at timestamptz, met_with text, outcome text, evidence text, answer_until timestamptz, answer text,
  reason text, answered_by text, answered_at timestamptz, is_open boolean, waiting integer, total integer, campaign_id uuid,
  campaign text, booked_on date, origin text, details jsonb
) language plpgsql stable security definer set search_path = '' as $$
declare
  _is_team constant boolean := private.works_for_client(_client_id);
begin
  return query
    select meeting.id, meeting.starts_at, meeting.met_with, meeting.outcome, meeting.evidence, meeting.answer_until,
      meeting.answer, meeting.reason,
      coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), case when _is_team then users.email end, '')::text,
      meeting.answered_at, meeting.is_open, meeting.waiting, meeting.total, meeting.campaign_id, campaigns.name,
      meeting.booked_on, meeting.origin, private.meeting_details(_client_id, meeting.id, _is_team)
    from (
      select *, count(*) over ()::integer as total,
        count(*) filter (where any_meeting.is_open and any_meeting.answer is null) over ()::integer as waiting
      from (
        select *, coalesce(client_meetings.answer_until > now(), false) and client_meetings.answer is distinct from 'accepted' as is_open,
          client_meetings.id in (select meeting_id from private.awaited_results where awaited_results.client_id = _client_id) as is_awaited
        from public.client_meetings where client_id = _client_id and (_id is null or client_meetings.id = _id)
      ) as any_meeting
      order by (any_meeting.is_open and any_meeting.answer is null) desc, coalesce(any_meeting.answer = 'disputed', false) desc,
        any_meeting.is_awaited desc, coalesce(any_meeting.starts_at, any_meeting.booked_on) desc, any_meeting.id
      limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0)
    ) as meeting left join auth.users on users.id = meeting.answered_by
      left join public.campaigns on campaigns.client_id = _client_id and campaigns.id = meeting.campaign_id
    order by (meeting.is_open and meeting.answer is null) desc, coalesce(meeting.answer = 'disputed', false) desc,
      meeting.is_awaited desc, coalesce(meeting.starts_at, meeting.booked_on) desc, meeting.id;
end
$$;
grant execute on function public.list_client_meetings to authenticated, service_role;

-- Adds a meeting, or edits the one with `_id`. A new outcome restarts the client's deadline. An accepted meeting cannot
-- be changed. With `_lead_id`, the meeting is one with this lead.
create function public.save_client_meeting(
  _client_id uuid, _starts_at timestamptz, _met_with text, _outcome text, _evidence text default '', _id uuid default null,
  _campaign_id uuid default null, _booked_on date default null, _facts jsonb default null, _lead_id uuid default null
) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  _old public.client_meetings;
  _zone constant text := (select time_zone from public.clients where id = _client_id);
  _today constant date := (now() at time zone _zone)::date;
  _until constant timestamptz := case when _outcome <> 'booked' then now() + interval '14 days' end;
  _saved uuid;
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only admins and assigned team members can record meetings' using errcode = '42501';
  elsif _outcome <> 'booked' and _starts_at > now() then
    raise exception 'This meeting is in the future. Its outcome must be “booked”.' using errcode = 'P0001';
  elsif _booked_on > _today then
    raise exception 'The booking date cannot be in the future.' using errcode = 'P0001';
  end if;
  if _id is null then
    -- Locks the client, so that concurrent calls cannot exceed the limit.
    perform from public.clients where id = _client_id for no key update;
    _booked_on := coalesce(_booked_on, least(_today, (_starts_at at time zone _zone)::date));
    -- If a figure already counts a meeting of this campaign on that day or in that week, its row is completed instead.
    select meeting.id into _id from public.client_meetings as meeting
      left join public.campaign_figures as figure on figure.client_id = _client_id and figure.campaign_id = _campaign_id
        and metric = 'meetings' and replaced_by is null and meeting.booked_on between first_day and last_day
    where meeting.client_id = _client_id and meeting.campaign_id = _campaign_id and origin = 'figure'
      and _booked_on between coalesce(first_day, booked_on) and coalesce(last_day, booked_on)
    order by meeting.booked_on, meeting.created_at, meeting.id limit 1;
  end if;
  if _id is null then
    if (select count(*) from public.client_meetings where client_id = _client_id) >= 10000 then
      raise exception 'A client can have at most 10,000 meetings.' using errcode = 'P0001';
    end if;
    insert into public.client_meetings (
      client_id, starts_at, met_with, outcome, evidence, answer_until, recorded_by, campaign_id, booked_on
    ) values (_client_id, _starts_at, trim(_met_with), _outcome, _evidence, _until, private.user_id(), _campaign_id, _booked_on)
    returning id into _saved;
    perform private.save_meeting_facts(_client_id, _saved, _facts);
    perform private.set_lead_of_meeting(_client_id, _saved, _lead_id);
    return _saved;
  end if;
  select * into _old from public.client_meetings where client_id = _client_id and id = _id for update;
  if not found then
    raise exception 'This meeting no longer exists.' using errcode = 'P0001';
  elsif _old.answer = 'accepted' then
    raise exception 'The client has accepted this meeting, so it cannot be changed.' using errcode = 'P0001';
  end if;
  update public.client_meetings set
    starts_at = _starts_at, met_with = trim(_met_with), outcome = _outcome, evidence = _evidence, recorded_by = private.user_id(),
    campaign_id = _campaign_id,
    -- Keeps the day of a meeting that a figure added, so that the figure still matches it.
    booked_on = case origin when 'person' then coalesce(_booked_on, booked_on) else booked_on end,
    origin = case origin when 'figure' then 'completed' else origin end,
    answer_until = case when outcome = _outcome then answer_until else _until end,
    answer = case when outcome = _outcome then answer end,
    reason = case when outcome = _outcome then reason else '' end,
    answered_by = case when outcome = _outcome then answered_by end,
    answered_at = case when outcome = _outcome then answered_at end,
    criterion = case when outcome = _outcome then criterion end
  where client_id = _client_id and id = _id;
  perform private.save_meeting_facts(_client_id, _id, _facts);
  perform private.set_lead_of_meeting(_client_id, _id, _lead_id);
  return _id;
end
$$;
grant execute on function public.save_client_meeting to authenticated, service_role;

-- Adjusts the ledger, the authoritative record of meetings, to an imported figure, with one row per meeting of a
-- campaign and day. Rows that people added count, and rows without a campaign are assigned to this one. Never fails,
-- because events must be stored. Set-based, because one statement per day exceeded the statement timeout for a year's
-- figures.
create function private.match_meetings() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _figure record;
  _missing integer;
  _changed integer;
begin
  for _figure in
    with touched as materialized (
      select touched.*, least(coalesce(figure.value, 0), 1000) as value, figure.batch_id, batch.source_id, ledger.*
      from (select distinct client_id, campaign_id, first_day, last_day from changed where metric = 'meetings') as touched
        left join public.campaign_figures as figure on figure.client_id = touched.client_id
          and figure.campaign_id = touched.campaign_id and figure.metric = 'meetings' and figure.first_day = touched.first_day
          and figure.last_day = touched.last_day and figure.replaced_by is null
        left join public.import_batches as batch on batch.client_id = figure.client_id and batch.id = figure.batch_id
        cross join lateral (
          select count(*) filter (where meeting.campaign_id = touched.campaign_id) as count,
            coalesce(bool_or(meeting.campaign_id = touched.campaign_id and origin = 'figure'
              and meeting.batch_id is distinct from figure.batch_id), false) as is_of_former,
            coalesce(bool_or(meeting.campaign_id is null), false) as has_nameless
          from public.client_meetings as meeting
          where meeting.client_id = touched.client_id and booked_on between touched.first_day and touched.last_day
        ) as ledger
      -- A replaced figure is skipped. Its replacement is matched when it is inserted.
      where figure.value is not null or not exists (
        select from public.campaign_figures as replaced
        where replaced.client_id = touched.client_id and replaced.campaign_id = touched.campaign_id
          and replaced.metric = 'meetings' and replaced.first_day = touched.first_day and replaced.replaced_by is not null
      )
    ), room as materialized (
      select client_id, 10000 - (
        select count(*) from public.client_meetings as meeting where meeting.client_id = clients.client_id
      ) as room
      from (select distinct client_id from touched) as clients
    ), missing as (
      select touched.*, row_number() over (partition by client_id order by campaign_id, first_day, number) as place
      from touched, generate_series(1, value - count) as number
      where not has_nameless
    ), added as (
      insert into public.client_meetings (client_id, campaign_id, batch_id, booked_on, met_with, outcome, origin)
      select client_id, campaign_id, batch_id, first_day, '', 'booked', 'figure'
      from missing join room using (client_id)
      where place <= room
    )
    select * from touched
    where value < count or has_nameless and value > count or is_of_former or source_id is not null
    order by client_id, campaign_id, first_day
  loop
    _missing := _figure.value - _figure.count;
    if _missing > 0 and _figure.has_nameless then
      update public.client_meetings set campaign_id = _figure.campaign_id
      where client_id = _figure.client_id and id in (
        select id from public.client_meetings
        where client_id = _figure.client_id and campaign_id is null
          and booked_on between _figure.first_day and _figure.last_day
        order by booked_on, created_at, id limit _missing
      );
      get diagnostics _changed = row_count;
      insert into public.client_meetings (client_id, campaign_id, batch_id, booked_on, met_with, outcome, origin)
      select _figure.client_id, _figure.campaign_id, _figure.batch_id, _figure.first_day, '', 'booked', 'figure'
      from generate_series(1, least(
        _missing - _changed,
        10000 - (select count(*) from public.client_meetings where client_id = _figure.client_id)
      ));
    elsif _missing < 0 then
      delete from public.client_meetings where client_id = _figure.client_id and id in (
        select id from public.client_meetings
        where client_id = _figure.client_id and campaign_id = _figure.campaign_id and origin = 'figure'
          and booked_on between _figure.first_day and _figure.last_day
        order by met_with <> '', created_at desc, id limit - _missing
      );
    end if;
    if _figure.is_of_former then
      update public.client_meetings set batch_id = _figure.batch_id
      where client_id = _figure.client_id and campaign_id = _figure.campaign_id and origin = 'figure'
        and booked_on between _figure.first_day and _figure.last_day and batch_id is distinct from _figure.batch_id;
    end if;
    if _figure.source_id is not null then
      perform private.label_event_meetings(_figure.client_id, _figure.campaign_id, _figure.source_id, _figure.first_day);
    end if;
  end loop;
  return null;
end
$$;

-- Labels rows that events added with a masked address: 'k***@example.com'.
create function private.label_event_meetings(_client_id uuid, _campaign_id uuid, _source_id uuid, _day date) returns void
language sql security definer set search_path = '' as $$
  with hints as (
    select hint, row_number() over (order by min(happened_at), hint) as number from (
      select left(regexp_replace(event.hint, '[[:cntrl:]]', '', 'g'), 200) as hint, happened_at
      from public.inbound_events as event
      where event.client_id = _client_id and event.source_id = _source_id and event.metric = 'meetings'
        and event.state = 'counted' and event.day = _day
    ) as events
    where hint ~ '\S' and not exists (
      select from public.client_meetings
      where client_id = _client_id and campaign_id = _campaign_id and booked_on = _day and met_with = events.hint
    )
    group by hint
  ), nameless as (
    select id, row_number() over (order by created_at, id) as number from public.client_meetings
    where client_id = _client_id and campaign_id = _campaign_id and booked_on = _day and origin = 'figure' and met_with = ''
  )
  update public.client_meetings as meeting set met_with = hint
  from nameless join hints using (number)
  where meeting.client_id = _client_id and meeting.id = nameless.id
$$;

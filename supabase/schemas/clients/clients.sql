-- Clients. Members read their own clients, assigned team members read and edit theirs, admins all. private.user_id() is
-- null for OAuth applications, so they see nothing.
create table public.clients (
  id uuid primary key default gen_random_uuid(),
  name text not null check (length(trim(name)) between 1 and 200 and name !~ '[[:cntrl:]]'),
  domain text not null default '' check (length(domain) <= 253 and domain ~ '^[a-z0-9.-]*$'),
  created_at timestamptz not null default now()
    constraint clients_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  updated_at timestamptz not null default now()
    constraint clients_updated_at_calendar check (updated_at between '1900-01-01' and '2999-12-31'),
  time_zone text not null default 'Europe/Oslo',
  -- 1 is Monday, 7 is Sunday.
  first_weekday integer not null default 1 check (first_weekday between 1 and 7),
  currency text not null default 'NOK' check (currency ~ '^[A-Z]{3}$'),
  meetings_goal integer check (meetings_goal between 1 and 1000000000),
  replies_goal integer check (replies_goal between 1 and 1000000000),
  delivered_goal integer check (delivered_goal between 1 and 1000000000),
  is_sample boolean not null default false,
  changed_by uuid references auth.users (id) on delete set null,
  -- Weekday of reports, 1 for Monday to 7 for Sunday. Null for no reports.
  report_weekday integer check (report_weekday between 1 and 7),
  -- Hour of that day, in the client's time zone.
  report_hour integer not null default 8 check (report_hour between 0 and 23),
  logo text,
  -- Months that leads are kept after their last change.
  lead_months integer not null default 12 check (lead_months between 1 and 60)
);
create unique index clients_one_sample_idx on public.clients (is_sample) where is_sample;
create index clients_changed_by_idx on public.clients (changed_by);
create index clients_logo_idx on public.clients (id, logo) where logo is not null;
grant select, delete on public.clients to authenticated;
grant all on public.clients to service_role;
grant
  insert (name, domain, time_zone, first_weekday, currency, meetings_goal, replies_goal, delivered_goal, report_weekday,
  report_hour, lead_months), update (name, domain, time_zone, first_weekday, currency, meetings_goal, replies_goal,
  delivered_goal, report_weekday, report_hour, lead_months) on public.clients to authenticated;
alter table public.clients enable row level security;
create policy "Admins read all clients" on public.clients for select to authenticated using ((select private.is_admin()));
create policy "Admins add clients" on public.clients for insert to authenticated with check ((select private.is_admin()));
create policy "Admins change clients" on public.clients for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "Admins delete clients" on public.clients for delete to authenticated using ((select private.is_admin()));

create trigger touch_updated_at before update on public.clients for each row execute function private.touch_updated_at();

create function private.check_client_time_zone() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_time_zone(new.time_zone) then
    raise exception 'Unknown time zone: %', left(new.time_zone, 64) using errcode = '22023';
  end if;
  return null;
end
$$;

create function private.set_changed_by() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  new.changed_by := private.user_id();
  return new;
end
$$;

-- Lists what changed for a client within a range of days, latest first, for its members and its team.
create function public.client_changes(_client_id uuid, _from date, _until date) returns table (
  kind text, name text, detail text, day date
) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.works_for_client(_client_id);
  return query
    select changes.kind, changes.name, changes.detail, (changes.at at time zone clients.time_zone)::date
    from public.clients cross join lateral private.changes_of_client(clients, _from, _until) as changes
    where clients.id = _client_id order by changes.at desc, changes.name limit 200;
end
$$;
grant execute on function public.client_changes to authenticated, service_role;

-- Lists what changed for a client within a range of days, in its time zone: new, ended and changed campaigns (state at
-- the end against the state before), and decisions. `detail` is the phase or the verdict.
create function private.changes_of_client(_client public.clients, _first_day date, _last_day date) returns table (
  rank integer, kind text, name text, detail text, at timestamptz
) language sql stable set search_path = '' as $$
  with days as (
    select _first_day::timestamp at time zone _client.time_zone as begins,
      (_last_day + 1)::timestamp at time zone _client.time_zone as ends
  )
  select 1, case
    when campaign.created_at >= days.begins then 'added' when latest.action = 'deleted' then 'ended' else 'phase'
  end, campaign.name, coalesce(latest.campaign ->> 'phase', campaign.phase), coalesce((
    select max(created_at) from (
      select version.created_at, version.action, version.campaign ->> 'phase' as phase,
        lag(version.campaign ->> 'phase') over (order by version.number) as phase_before
      from public.campaign_versions as version
      where version.client_id = campaign.client_id and version.campaign_id = campaign.id
    ) as steps
    where created_at >= days.begins and created_at < days.ends
      and (action = 'deleted' or action <> 'before' and phase is distinct from phase_before)
  ), campaign.created_at)
  from days join public.campaigns as campaign on campaign.client_id = _client.id and campaign.created_at < days.ends
    left join lateral (
      select * from public.campaign_versions as version
      where version.client_id = campaign.client_id and version.campaign_id = campaign.id and version.created_at < days.ends
      order by number desc limit 1
    ) as latest on true
    left join lateral (
      select * from public.campaign_versions as version
      where version.client_id = campaign.client_id and version.campaign_id = campaign.id
        and (version.created_at < days.begins or version.action = 'before')
      order by number desc limit 1
    ) as former on true
  where campaign.created_at >= days.begins or latest.campaign ->> 'phase' <> former.campaign ->> 'phase'
    or latest.action = 'deleted' and former.action <> 'deleted'
  union all
  select 2, 'text', approvals.title, verdict, decision.created_at
  from public.approval_decisions as decision join public.approvals
    on approvals.client_id = decision.client_id and approvals.id = decision.approval_id, days
  where decision.client_id = _client.id and decision.created_at >= days.begins and decision.created_at < days.ends
    and verdict <> 'no'
$$;

-- Returns the data of a client's start screen: {"waiting": [{"kind": "approval", "id", "title", "number", "due_on"},
-- {"kind": "meeting", "id", "title", "due_on"}, {"kind": "quote", "lead" or "result" (of a meeting), "id", "title",
-- "due_on": null}], "waiting_count", "next_call"}. Items are sorted by due date, at most 24 of each kind. `next_call`
-- is the time of a call that the caller booked with a verified address.
create function public.client_home(_client_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
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
    ), quotes as (
      select quote.id, private.format_figure_quote(quote) as words, quote.asked_at
      from public.figure_quotes as quote join public.projects on projects.id = quote.project_id
      where quote.client_id = _client_id and quote.answer is null and quote.ended_at is null
    ), fresh as (
      select lead.id, private.name_of_lead(lead) as words, lead.received_at
      from public.client_leads as lead where lead.client_id = _client_id and lead.status = 'new'
    ), results as (
      select meeting_id, met_with, due_at from private.awaited_results where client_id = _client_id
    ), waiting (place, due_on, since, line) as (
      (select 1, due_on, created_at, jsonb_build_object(
        'kind', 'approval', 'id', id, 'title', title, 'number', number, 'due_on', due_on
      ) from texts order by due_on nulls last, created_at, id limit 24)
      union all
      (select 2, due_on, starts_at, jsonb_build_object('kind', 'meeting', 'id', id, 'title', met_with, 'due_on', due_on)
      from meetings order by starts_at desc, id limit 24)
      union all
      (select 3, null, asked_at, jsonb_build_object('kind', 'quote', 'id', id, 'title', coalesce(words, 'A figure'), 'due_on', null)
      from quotes order by asked_at, id limit 24)
      union all
      (select 4, null, received_at, jsonb_build_object('kind', 'lead', 'id', id, 'title', words, 'due_on', null)
      from fresh order by received_at, id limit 24)
      union all
      (select 5, null, due_at, jsonb_build_object('kind', 'result', 'id', meeting_id, 'title', met_with, 'due_on', null)
      from results order by due_at, meeting_id limit 24)
    )
    select jsonb_build_object(
      'waiting', coalesce((select jsonb_agg(line order by due_on nulls last, place, since) from waiting), '[]'),
      'waiting_count', (select count(*) from texts) + (select count(*) from meetings) + (select count(*) from quotes)
        + (select count(*) from fresh) + (select count(*) from results),
      'next_call', (
        select min(booking.starts_at) from public.bookings as booking
        where booking.state = 'booked' and booking.ends_at > now() and lower(booking.email) in (
          select verified.address from private.verified_addresses as verified join auth.users on users.id = verified.user_id
          where verified.user_id = private.effective_user_id() and verified.address = users.email
        )
      )
    )
  );
end
$$;
grant execute on function public.client_home to authenticated, service_role;

-- Summarises each client for its team: [{"id", "name", "domain", "time_zone", "first_weekday", "is_running",
-- "latest": day of the latest figure, "waits_for_client", "due_on": first due date, "waits_for_us": declined texts and
-- disputed meetings, "unread": texts that were not opened for a week, "read_at"}].
create function public.team_overview() returns jsonb language sql stable set search_path = '' as $$
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
    'waits_for_client', texts.open + meetings.open + quotes.open + leads.fresh + results.awaited, 'due_on', texts.due_on,
    'waits_for_us', texts.refused + meetings.disputed, 'unread', texts.unread,
    'read_at', (select max(last_at) from public.client_reads where client_id = clients.id and kind = 'portal')
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
              where noted.client_id = clients.id and noted.kind = 'approval' and noted.item_id = approval.id
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
    cross join lateral (
      select count(*) as open from public.figure_quotes as quote join public.projects on projects.id = quote.project_id
      where quote.client_id = clients.id and quote.answer is null and quote.ended_at is null
    ) as quotes
    cross join lateral (
      select count(*) filter (where status = 'new') as fresh from public.client_leads where client_id = clients.id
    ) as leads
    cross join lateral (
      select count(*) as awaited from private.awaited_results where client_id = clients.id
    ) as results
  where (select private.is_admin()) or clients.id in (select private.clients_of_team_member())
$$;
grant execute on function public.team_overview to authenticated, service_role;

-- Lists pending items of a client's portal, one per line. '' if nothing is pending.
create function private.pending_client_tasks(_client_id uuid) returns text
language sql stable security definer set search_path = '' as $$
  with texts as (
    select '“' || approval.title || '”' || case
      when version.due_on is null then ''
      else ', by ' || to_char(version.due_on, 'FMDD FMMonth YYYY')
    end as line, version.due_on, version.created_at
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
    select count(*) as waiting from public.client_meetings
    where client_id = _client_id and answer is null and answer_until > now()
  ), lines (place, line) as (
    (select 1, 'To approve: ' || line from texts order by due_on nulls last, created_at limit 5)
    union all
    select 2, 'And ' || count(*) - 5 || ' more to approve' from texts having count(*) > 5
    union all
    select 3, case waiting when 1 then 'A meeting' else waiting || ' meetings' end || ' to confirm' from meetings where waiting > 0
    union all
    select 4, case count(*) when 1 then 'A new lead' else count(*) || ' new leads' end
    from public.client_leads where client_id = _client_id and status = 'new' having count(*) > 0
    union all
    select 5, case count(*) when 1 then 'A report' else count(*) || ' reports' end || ' to read'
    from public.client_reports where client_id = _client_id and sent_at is not null having count(*) > 0
    union all
    select 6, case count(*) when 1 then 'The result of a meeting' else 'The results of ' || count(*) || ' meetings' end || ' to report'
    from private.awaited_results where client_id = _client_id having count(*) > 0
  )
  select coalesce(string_agg(line, E'\n' order by place), '') from lines
$$;

-- Creates the sample client with twelve weeks of figures, texts, meetings with criteria and a closed month, a list and
-- a report. Only one can exist. Deleting it deletes all of its data. Its meetings match its figures and have invented
-- names.
create function public.add_sample_client() returns uuid language plpgsql security definer set search_path = '' as $$
declare
  _person constant uuid := private.user_id();
  _monday constant date := date_trunc('week', now() at time zone 'Europe/Oslo')::date;
  _ten constant timestamptz := (_monday + time '10:00') at time zone 'Europe/Oslo';
  _client uuid;
  _first constant uuid := gen_random_uuid();
  _second constant uuid := gen_random_uuid();
  _batch constant uuid := gen_random_uuid();
  _declined constant uuid := gen_random_uuid();
  _approved constant uuid := gen_random_uuid();
  _list constant uuid := gen_random_uuid();
  _criteria constant uuid := gen_random_uuid();
  _report public.client_reports;
begin
  if not private.is_admin() then
    raise exception 'Only admins can add the sample client.' using errcode = '42501';
  end if;
  insert into public.clients (name, domain, meetings_goal, replies_goal, delivered_goal, is_sample)
  values ('Nordlys Energy', 'nordlys.example', 20, 120, 2000, true)
  on conflict do nothing returning id into _client;
  if _client is null then
    select id into _client from public.clients where is_sample;
    return _client;
  end if;
  insert into public.campaigns (client_id, id, name, channel, phase, next_step, due_on) values
    (_client, _first, 'Heads of facilities, Oslo', 'email', 'running', 'Try a shorter second mail', _monday + 9),
    (_client, _second, 'Founders of bakeries', 'linkedin', 'running', 'Add forty companies from Bergen', _monday + 16),
    (_client, gen_random_uuid(), 'Hotels on the coast', 'email', 'planned', 'Choose the first hundred hotels', _monday + 23);

  insert into public.import_batches (
    client_id, id, file_name, file_hash, column_map, new_count, changed_count, same_count, refused_count, imported_by
  ) values (_client, _batch, 'twelve-weeks.csv', repeat('0', 64), '{}', 120, 0, 0, 0, _person);
  insert into public.campaign_figures (client_id, batch_id, campaign_id, metric, first_day, last_day, value)
  select _client, _batch, campaign, metric, _monday - 7 * weeks_ago, _monday - 7 * weeks_ago + 6, value
  from generate_series(1, 12) as week (weeks_ago),
    lateral (values (_first, 260 - 9 * weeks_ago), (_second, 110 - 3 * weeks_ago)) as share (campaign, sent),
    lateral (values
      ('sent', sent), ('delivered', sent - 4 - weeks_ago % 3), ('replies', sent / 16 + weeks_ago % 4),
      ('positive_replies', sent / 40 + weeks_ago % 2), ('meetings', sent / 90 + (12 - weeks_ago) % 2)
    ) as counted (metric, value);

  -- The figures already include these meetings. They were held and accepted.
  update public.client_meetings as meeting set origin = 'completed', recorded_by = _person, starts_at = planned.at,
    met_with = names[1 + number % 8] || ', ' || companies[1 + number / 8 % 6],
    outcome = 'held', answer_until = planned.at + interval '14 days', answer = 'accepted', answered_at = planned.at + interval '1 day',
    role = (array['Head of facilities', 'Founder', 'Director'])[1 + number % 3], country = 'NO', minutes = 22 + number % 25
  from (
    select id, row_number() over (order by booked_on, id)::integer as number,
      (booked_on + 3 + time '10:00') at time zone 'Europe/Oslo' as at
    from public.client_meetings where client_id = _client
  ) as planned, (values (
    array['Anne Vik', 'Bjørn Aas', 'Camilla Ruud', 'David Holt', 'Eva Lien', 'Frode Bakk', 'Grete Sand', 'Henrik Moen'],
    array['Torget Offices', 'Solsiden Bakery', 'Parken Facilities', 'Elva Bread', 'Bryn Properties', 'Havna Ovens']
  )) as made_up (names, companies)
  where meeting.client_id = _client and meeting.id = planned.id;
  insert into public.client_meeting_results (client_id, meeting_id, number, status, amount, reason)
  select _client, meeting.id, 1, reported.status, reported.amount, reported.reason
  from (
    select id, row_number() over (order by booked_on, id) % 6 as turn
    from public.client_meetings where client_id = _client and booked_on < _monday - 30
  ) as meeting join (values
    (1, 'won', 180000, ''), (2, 'opportunity', 250000, ''), (3, 'nothing_yet', null, ''), (4, 'lost', null, 'They chose a supplier nearby.')
  ) as reported (turn, status, amount, reason) using (turn);

  -- The criteria were in force before the first meeting.
  insert into public.approvals (client_id, id, title, kind) values (_client, _criteria, 'Meetings that count', 'criteria');
  insert into public.approval_versions (client_id, approval_id, number, text, asked_by, created_at) values (
    _client, _criteria, 1, private.read_meeting_criteria(
      '{"roles": ["Head of facilities", "Founder", "Director"], "countries": ["NO"], "minimum_minutes": 20}'
    )::text, _person, now() - interval '15 weeks'
  );
  insert into public.approval_decisions (client_id, approval_id, number, verdict, comment, created_at, decided_by_name)
  values (_client, _criteria, 1, 'yes', '', now() - interval '14 weeks', 'Ingrid Berg');
  perform public.close_meeting_month(_client, (date_trunc('month', now() at time zone 'Europe/Oslo') - interval '2 months')::date);

  insert into public.approvals (client_id, id, title) values
    (_client, _declined, 'First mail to hotels'), (_client, _approved, 'Second mail to heads of facilities');
  insert into public.approval_versions (client_id, approval_id, number, text, due_on, asked_by, created_at) values
    (_client, _declined, 1, E'Hello {{first_name}},\n\nwe noticed that {{company}} heats with oil. Do you have time for a call?\n\nKari',
      _monday + 2, _person, now() - interval '4 days'),
    (_client, _declined, 2, E'Hello {{first_name}},\n\n{{company}} has forty rooms by the sea and an oven from 1987. Three hotels near you pay '
      'a third less since they changed theirs. Should I send you how they did it?\n\nKari',
      _monday + 9, _person, now() - interval '1 day'),
    (_client, _approved, 1, E'Hello {{first_name}},\n\nshort again: may I send the figures of the building next door?\n\nKari',
      _monday - 4, _person, now() - interval '9 days');
  insert into public.approval_decisions (client_id, approval_id, number, verdict, comment, created_at, decided_by_name) values
    (_client, _declined, 1, 'no', 'Say something about the hotel first.', now() - interval '3 days', 'Ingrid Berg'),
    (_client, _approved, 1, 'yes', '', now() - interval '8 days', 'Ingrid Berg');

  insert into public.client_meetings (
    client_id, booked_on, starts_at, met_with, outcome, evidence, answer_until, answer, reason, answered_at, recorded_by
  ) values
    (_client, _monday - 3, _ten + interval '8 days', 'Ingrid Berg, Havn Hotel', 'booked', 'Accepted the invitation.', null, null, '', null, _person),
    (_client, _monday - 5, _ten - interval '4 days', 'Jonas Lie, Brygga Bakery', 'held', 'Recorded, 28 minutes.', _ten + interval '10 days',
      null, '', null, _person),
    (_client, _monday - 10, _ten - interval '6 days', 'Siri Moe, Fjordbygg', 'no_show', 'Waited ten minutes; a new time is asked for.',
      _ten + interval '8 days', 'disputed', 'We had agreed on another day.', _ten - interval '5 days', _person),
    (_client, _monday - 12, _ten - interval '11 days', 'Per Dahl, Sentrum Offices', 'held', 'Recorded, 41 minutes.', _ten + interval '3 days',
      'accepted', '', _ten - interval '10 days', _person);

  -- Each meeting has a lead, with the same id.
  insert into public.client_leads (
    client_id, id, campaign_id, email, name, company, words, step, received_at, origin, status, taken_by, taken_at, changed_at
  )
  select _client, meeting.id, coalesce(meeting.campaign_id, _first),
    translate(lower(replace(replace(meeting.met_with, ', ', '@'), ' ', '-')), 'åæø', 'aao') || '.example',
    split_part(meeting.met_with, ', ', 1), split_part(meeting.met_with, ', ', 2),
    (array['Yes, let us talk.', 'What does it cost?', 'Call me after ten, please.', 'Can we meet in your office?'])[1 + meeting.number % 4],
    1 + meeting.number % 3, meeting.replied_at, 'reply', coalesce(deal.status, 'meeting'), _person,
    meeting.replied_at + interval '1 hour', meeting.replied_at + interval '1 hour'
  from (
    select *, row_number() over (order by booked_on, id)::integer as number,
      (booked_on + time '08:30') at time zone 'Europe/Oslo' as replied_at
    from public.client_meetings where client_id = _client
  ) as meeting
    left join public.client_meeting_results as deal
      on deal.client_id = _client and deal.meeting_id = meeting.id and deal.status in ('won', 'lost');
  update public.client_meetings set lead_id = id where client_id = _client;
  insert into public.client_leads (
    client_id, campaign_id, email, name, company, title, words, step, received_at, origin, status, taken_by, taken_at
  ) values
    (_client, _first, 'nina@kaia.example', 'Nina Strand', 'Kaia Offices', 'Head of facilities',
      'Yes, send me the figures of the building next door. We decide in January.', 2, now() - interval '3 hours', 'reply',
      'new', null, null),
    (_client, _second, 'lars@morgen.example', 'Lars Vik', 'Morgen Bakery', 'Founder', 'Call me on Thursday after ten.', 1,
      now() - interval '2 days', 'reply', 'taken', _person, now() - interval '1 day');

  insert into public.do_not_contact (client_id, kind, value, hint, added_by)
  select _client, 'domain', domain, domain, _person
  from unnest(array['customer.example', 'partner.example', 'rival.example']) as domain;
  insert into public.approvals (client_id, id, title, kind) values (_client, _list, 'Hotels on the coast', 'list');
  insert into public.approval_versions (client_id, approval_id, number, text, due_on, asked_by, created_at) values
    (_client, _list, 1, 'Hotels with 30 rooms and more between Stavanger and Bodø that heat with oil.', _monday + 10, _person,
      now() - interval '1 day');
  insert into public.approval_rows (client_id, approval_id, number, line, company, domain, person)
  select _client, _list, 1, line, company, domain, person
  from (values
    (2, 'Havn Hotel', 'havn-hotel.example', 'Ingrid Berg, Owner'), (3, 'Havn Hotel', 'havn-hotel.example', 'Tor Ness, Operations'),
    (4, 'Skjær Hotel', 'skjaer.example', 'Lise Holm, Director'), (5, 'Fyret Hotel', 'fyret.example', 'Odd Strand, Owner'),
    (6, 'Vik Hotel', 'vik.example', 'Nora Sund, Director'), (7, 'Brygga Rooms', 'brygga.example', 'Jan Eide, Operations')
  ) as listed (line, company, domain, person);
  insert into public.approval_vetoes (client_id, approval_id, number, line) values (_client, _list, 1, 5);

  insert into public.client_reports (client_id, span, first_day, last_day, figures, summary)
  select _client, 'week', _monday - 7, _monday - 1, private.report_figures(clients, 'week', _monday - 7, _monday - 1),
    'Facilities answer more since the second mail became shorter. The hotel campaign starts when you approve the list.'
  from public.clients where id = _client
  returning * into _report;
  _report.approved_by := _person;
  _report.sent_at := now() - interval '1 hour';
  _report.hash := private.report_hash(_report);
  update public.client_reports set approved_by = _report.approved_by, sent_at = _report.sent_at, hash = _report.hash
  where client_id = _client and id = _report.id;
  return _client;
end
$$;
grant execute on function public.add_sample_client to authenticated, service_role;

-- Sets one of the client's pictures as its logo, or removes it.
create function public.set_client_logo(_client_id uuid, _file_id uuid default null) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _object_name text;
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only admins and assigned team members can choose the logo' using errcode = '42501';
  end if;
  if _file_id is not null then
    select object_name into _object_name from public.client_files
    where client_id = _client_id and id = _file_id and mimetype like 'image/%';
    if not found then
      raise exception 'The logo must be one of this client''s pictures.' using errcode = 'P0001';
    end if;
  end if;
  update public.clients set logo = _object_name where id = _client_id;
end
$$;
grant execute on function public.set_client_logo to authenticated, service_role;

-- Locks a client, so that its imports run one after another. Throws unless the caller works for the client.
create function private.lock_assigned_client(_client_id uuid) returns public.clients
language plpgsql security definer set search_path = '' as $$
declare
  _client public.clients;
begin
  if not (private.is_admin() or _client_id in (select private.clients_of_team_member())) then
    raise exception 'Only admins and assigned team members can do this' using errcode = '42501';
  end if;
  select * into _client from public.clients where id = _client_id for no key update;
  if not found then
    raise exception 'Client not found.' using errcode = 'P0001';
  end if;
  return _client;
end
$$;

create function private.team_path(_user_id uuid, _client_id uuid, _item text) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when exists (select from public.user_roles where user_id = _user_id and role = 'admin') then '/admin/clients/'
    else '/team-dashboard/clients/'
  end || _client_id || '#' || _item
$$;

-- Runs after policies have accepted the row.
create trigger check_time_zone after insert or update of time_zone on public.clients
  for each row execute function private.check_client_time_zone();

-- Covers only columns that people edit, because deleting an account clears changed_by.
create trigger set_changed_by before update of name, domain, time_zone, first_weekday, currency, meetings_goal, replies_goal,
  delivered_goal on public.clients
  for each row execute function private.set_changed_by();

create trigger set_changed_by before update of status, note on public.leads for each row execute function private.set_changed_by();

create trigger set_changed_by before update of question, must_name, must_not_name on public.assistant_checks
  for each row execute function private.set_changed_by();

create or replace function public.add_sample_client() returns uuid language plpgsql security definer set search_path = '' as $$
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

create or replace function public.list_client_meetings(
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

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.add_client_member(_client_id uuid, _email text, _kind text DEFAULT 'approver'::text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
    raise exception 'Only people with the role of a client can belong to one.' using errcode = '23514';
  elsif exists (select from public.client_members where client_id = _client_id and user_id = _person) then
    return 'added';
  end if;
  if private.has_proven_address(_person) then
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
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.add_do_not_contact(_client_id uuid, _lines jsonb, _is_trial boolean)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _most constant integer := 20000;
  _person constant uuid := private.user_id();
  _before integer;
  _answer jsonb;
begin
  perform private.works_for_client(_client_id);
  if jsonb_typeof(_lines) is distinct from 'array' or jsonb_array_length(_lines) > 5000 then
    raise exception 'Add at most 5,000 lines at a time.' using errcode = '22023';
  end if;
  -- Two who add at the same time wait for each other, so that the list stays under its limit.
  perform from public.clients where id = _client_id for no key update;
  select count(*) into _before from public.do_not_contact where client_id = _client_id;
  with judged as materialized (
    select *, row_number() over (partition by state order by line) as number
    from private.read_do_not_contact(_client_id, _lines)
  ), added as (
    insert into public.do_not_contact (client_id, kind, value, hint, added_by)
    select _client_id, kind, value, hint, _person from judged where state = 'new' and not _is_trial order by line
  )
  select jsonb_build_object(
    'new', count(*) filter (where state = 'new'), 'known', count(*) filter (where state = 'known'),
    'refused', count(*) filter (where state = 'refused'),
    'examples', coalesce(jsonb_agg(jsonb_build_object(
      'line', line, 'state', state, 'text', left(hint, 100), 'reason', reason
    ) order by line) filter (where number <= 100), '[]')
  ) into _answer from judged;
  if (_answer ->> 'new')::integer > 0 and _before + (_answer ->> 'new')::integer > _most then
    raise exception 'A list has at most 20,000 entries. Name domains instead of their addresses.' using errcode = 'P0001';
  end if;
  return _answer;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.add_sample_client()
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _person constant uuid := private.user_id();
  _monday constant date := date_trunc('week', now() at time zone 'Europe/Oslo')::date;
  _client uuid;
  _first constant uuid := gen_random_uuid();
  _second constant uuid := gen_random_uuid();
  _batch constant uuid := gen_random_uuid();
  _declined constant uuid := gen_random_uuid();
  _approved constant uuid := gen_random_uuid();
  _list constant uuid := gen_random_uuid();
  _report public.client_reports;
begin
  if not private.is_admin() then
    raise exception 'Only admins add the sample client.' using errcode = '42501';
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

  -- The figures have counted these meetings. They were held and accepted.
  update public.client_meetings as meeting set origin = 'completed', kept_by = _person, starts_at = planned.at,
    met_with = names[1 + number % 8] || ', ' || companies[1 + number / 8 % 6],
    outcome = 'held', answer_until = planned.at + interval '14 days', answer = 'accepted', answered_at = planned.at + interval '1 day'
  from (
    select id, row_number() over (order by booked_on, id)::integer as number,
      (booked_on + 3 + time '10:00') at time zone 'Europe/Oslo' as at
    from public.client_meetings where client_id = _client
  ) as planned, (values (
    array['Anne Vik', 'Bjørn Aas', 'Camilla Ruud', 'David Holt', 'Eva Lien', 'Frode Bakk', 'Grete Sand', 'Henrik Moen'],
    array['Torget Offices', 'Solsiden Bakery', 'Parken Facilities', 'Elva Bread', 'Bryn Properties', 'Havna Ovens']
  )) as made_up (names, companies)
  where meeting.client_id = _client and meeting.id = planned.id;

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
  insert into public.approval_decisions (client_id, approval_id, number, verdict, comment, created_at) values
    (_client, _declined, 1, 'no', 'Say something about the hotel first.', now() - interval '3 days'),
    (_client, _approved, 1, 'yes', '', now() - interval '8 days');

  insert into public.client_meetings (
    client_id, booked_on, starts_at, met_with, outcome, evidence, answer_until, answer, reason, answered_at, kept_by
  ) values
    (_client, _monday - 3, now() + interval '3 days', 'Ingrid Berg, Havn Hotel', 'booked', 'Accepted the invitation.', null, null, '', null, _person),
    (_client, _monday - 5, now() - interval '2 days', 'Jonas Lie, Brygga Bakery', 'held', 'Recorded, 28 minutes.', now() + interval '12 days',
      null, '', null, _person),
    (_client, _monday - 10, now() - interval '6 days', 'Siri Moe, Fjordbygg', 'no_show', 'Waited ten minutes; a new time is asked for.',
      now() + interval '8 days', 'disputed', 'We had agreed on another day.', now() - interval '5 days', _person),
    (_client, _monday - 12, now() - interval '9 days', 'Per Dahl, Sentrum Offices', 'held', 'Recorded, 41 minutes.', now() + interval '5 days',
      'accepted', '', now() - interval '8 days', _person);

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
    'Facilities answer more since the second mail became shorter. Hotels wait for your yes to the list.'
  from public.clients where id = _client
  returning * into _report;
  _report.approved_by := _person;
  _report.sent_at := now() - interval '1 hour';
  _report.hash := private.report_hash(_report);
  update public.client_reports set approved_by = _report.approved_by, sent_at = _report.sent_at, hash = _report.hash
  where client_id = _client and id = _report.id;
  return _client;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.answer_client_meeting(_client_id uuid, _id uuid, _outcome text, _answer text, _reason text DEFAULT ''::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
      select users.id, users.email, clients.name as client
      from public.user_roles join auth.users on users.id = user_roles.user_id, public.clients
      where user_roles.user_id = _meeting.kept_by and user_roles.role in ('team', 'admin') and approved
        and clients.id = _client_id and users.email <> ''
    )
    insert into private.mail_queue (recipient, template, variables)
    select email, 'meeting_disputed', jsonb_build_object(
      'Email', email, 'Client', client, 'Title', _meeting.met_with, 'Message', _reason,
      'Path', private.team_path(keeper.id, _client_id, 'meeting-' || _id)
    )
    from keeper where private.count_for_subject('dispute mail', lower(email), 50, interval '1 day');
  end if;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.ask_for_approval(_client_id uuid, _title text, _text text, _due_on date DEFAULT NULL::date, _approval_id uuid DEFAULT NULL::uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _version public.approval_versions;
begin
  _version := private.add_approval_version(_client_id, 'text', _title, _text, _due_on, _approval_id);
  if exists (
    select from public.approval_versions as former
    where former.client_id = _client_id and former.approval_id = _version.approval_id
      and former.number = _version.number - 1 and former.text = _text
  ) then
    raise exception 'The text is the same as before.' using errcode = 'P0001';
  end if;
  perform private.tell_client_of_approval(_version);
  return _version.approval_id;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.ask_for_file_approval(_client_id uuid, _title text, _text text, _file_id uuid, _due_on date DEFAULT NULL::date, _approval_id uuid DEFAULT NULL::uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _version public.approval_versions;
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only those who work for this client may ask' using errcode = '42501';
  elsif not exists (select from public.client_files where client_id = _client_id and id = _file_id) then
    raise exception 'There is no such file any more.' using errcode = 'P0001';
  end if;
  _version := private.add_approval_version(_client_id, 'file', _title, _text, _due_on, _approval_id, _file_id);
  perform private.tell_client_of_approval(_version);
  return _version.approval_id;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.ask_for_list_approval(_client_id uuid, _title text, _text text, _rows jsonb, _is_trial boolean, _due_on date DEFAULT NULL::date, _approval_id uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _version public.approval_versions;
  _answer jsonb;
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only those who work for this client may ask' using errcode = '42501';
  elsif jsonb_typeof(_rows) is distinct from 'array' or jsonb_array_length(_rows) > 5000 then
    raise exception 'A list has at most 5,000 rows. Ask for it in parts.' using errcode = '22023';
  end if;
  if not _is_trial then
    _version := private.add_approval_version(_client_id, 'list', _title, _text, _due_on, _approval_id);
  end if;
  with judged as materialized (
    select *, row_number() over (partition by state order by line) as place
    from private.read_list_rows(_client_id, _approval_id, _rows)
  ), added as (
    insert into public.approval_rows (client_id, approval_id, number, line, company, domain, person, note, fingerprint, hint)
    select _client_id, _version.approval_id, _version.number, line, company, domain, person, coalesce(note, ''), fingerprint, hint
    from judged
      left join (
        select (item ->> 'line')::integer as line, private.one_line(item ->> 'note', 500) as note
        from jsonb_array_elements(_rows) as item
      ) as given using (line)
    where state = 'new' and not _is_trial
  )
  select jsonb_build_object(
    'id', _version.approval_id, 'new', count(*) filter (where state = 'new'),
    'refused', count(*) filter (where state = 'refused'),
    'companies', count(distinct nullif(domain, '')) filter (where state = 'new'),
    'examples', coalesce(jsonb_agg(jsonb_build_object(
      'line', line, 'state', state, 'reason', reason,
      'text', left(coalesce(nullif(concat_ws(', ', nullif(person, ''), nullif(company, ''), nullif(hint, '')), ''), domain), 200)
    ) order by line) filter (where place <= 100), '[]')
  ) into _answer from judged;
  if not _is_trial then
    if (_answer ->> 'new')::integer = 0 then
      raise exception 'No row of this list can be asked for.' using errcode = 'P0001';
    end if;
    perform private.tell_client_of_approval(_version);
  end if;
  return _answer;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.client_changes(_client_id uuid, _from date, _until date)
 RETURNS TABLE(kind text, name text, detail text, day date)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.works_for_client(_client_id);
  return query
    select changes.kind, changes.name, changes.detail, (changes.at at time zone clients.time_zone)::date
    from public.clients cross join lateral private.changes_of_client(clients, _from, _until) as changes
    where clients.id = _client_id order by changes.at desc, changes.name limit 200;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.client_home(_client_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
      select quote.id, private.quote_in_words(quote) as words, quote.asked_at
      from public.figure_quotes as quote join public.projects on projects.id = quote.project_id
      where quote.client_id = _client_id and quote.answer is null and quote.ended_at is null
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
    )
    select jsonb_build_object(
      'waiting', coalesce((select jsonb_agg(line order by due_on nulls last, place, since) from waiting), '[]'),
      'waiting_count', (select count(*) from texts) + (select count(*) from meetings) + (select count(*) from quotes),
      'next_call', (
        select min(booking.starts_at) from public.bookings as booking
        where booking.state = 'booked' and booking.ends_at > now() and lower(booking.email) in (
          select proven.address from private.proven_addresses as proven join auth.users on users.id = proven.user_id
          where proven.user_id = private.reader_id() and proven.address = users.email
        )
      )
    )
  );
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.client_people(_client_id uuid)
 RETURNS TABLE(id uuid, name text, email text, is_team boolean, kind text, is_waiting boolean, read_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.comment_on_version(_client_id uuid, _approval_id uuid, _number integer, _text text, _quote text DEFAULT ''::text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _id uuid;
begin
  perform private.works_for_client(_client_id);
  perform private.lock_approval(_client_id, _approval_id);
  if _quote <> '' and not exists (
    select from public.approval_versions
    where client_id = _client_id and approval_id = _approval_id and number = _number and position(_quote in text) > 0
  ) then
    raise exception 'This passage is not in that version. Please read it again.' using errcode = 'P0001';
  elsif (select count(*) from public.approval_comments where client_id = _client_id and approval_id = _approval_id) >= 500 then
    raise exception 'There are 500 comments. Please talk to each other.' using errcode = 'P0001';
  end if;
  insert into public.approval_comments (client_id, approval_id, number, quote, text, written_by)
  values (_client_id, _approval_id, _number, coalesce(_quote, ''), btrim(_text, E' \t\r\n'), private.user_id()) returning id into _id;
  return _id;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.decide_approval(_client_id uuid, _approval_id uuid, _number integer, _verdict text, _comment text DEFAULT ''::text, _wording text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_approver(_client_id);
  perform private.decide_approval(_client_id, _approval_id, _number, _verdict, _comment, _wording, private.user_id());
end
$function$;

-- Called by anon, authenticated, service_role.
CREATE OR REPLACE FUNCTION public.decide_by_link(_token text, _holder text, _verdict text, _comment text DEFAULT ''::text, _wording text DEFAULT NULL::text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _found record;
  _link private.approval_links;
begin
  _found := private.approval_link_of(_token, _holder);
  _link := _found.link;
  if _found.refusal is not null then
    return _found.refusal;
  elsif _link.holder_hash is null then
    return 'Please read it first.';
  elsif _link.used_at is not null then
    return 'This link was used already. Sign in to see what you decided.';
  end if;
  perform private.decide_approval(
    _link.client_id, _link.approval_id, _link.number, _verdict, _comment, _wording, _link.user_id
  );
  update private.approval_links set used_at = now() where token_hash = _link.token_hash;
  return null;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.delete_campaign(_client_id uuid, _campaign_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only those who work for this client delete its campaigns' using errcode = '42501';
  end if;
  update public.campaigns set deleted_at = now(), phase = 'done'
  where client_id = _client_id and id = _campaign_id and deleted_at is null;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.delete_client_file(_client_id uuid, _file_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only those who work for this client may delete its files' using errcode = '42501';
  elsif exists (select from public.approval_versions where client_id = _client_id and file_id = _file_id) then
    raise exception 'The client was asked to approve this file. It stays with the approval.' using errcode = 'P0001';
  end if;
  delete from public.client_files where client_id = _client_id and id = _file_id;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.find_do_not_contact(_client_id uuid, _text text)
 RETURNS TABLE(id uuid, kind text, hint text, created_at timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select id, kind, hint, created_at from public.do_not_contact
  where client_id = _client_id and (
    kind = 'address' and value = private.hash_of_address(private.plain_entry(_text))
    or kind = 'domain' and value in (
      select array_to_string(labels[n:], '.')
      from (select string_to_array(regexp_replace(private.plain_entry(_text), '^.*@', ''), '.')) as parts (labels),
        generate_subscripts(labels, 1) as n
    )
  )
  order by kind, length(value) desc
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.list_approval_rows(_client_id uuid, _approval_id uuid, _number integer, _search text DEFAULT ''::text, _only_vetoed boolean DEFAULT false, _limit integer DEFAULT 24, _offset integer DEFAULT 0)
 RETURNS TABLE(line integer, company text, domain text, person text, note text, hint text, is_vetoed boolean, of_company integer, total integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.works_for_client(_client_id);
  return query
    select * from private.list_approval_rows(_client_id, _approval_id, _number, _search, _only_vetoed, _limit, _offset);
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.list_approvals(_client_id uuid, _limit integer DEFAULT 24, _offset integer DEFAULT 0)
 RETURNS TABLE(id uuid, kind text, title text, number integer, text text, former_text text, is_wording boolean, row_count integer, veto_count integer, file jsonb, comment_count integer, due_on date, asked_by text, asked_at timestamp with time zone, verdict text, comment text, decided_by text, decided_at timestamp with time zone, may_withdraw boolean, waiting integer, total integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _works_for constant boolean := private.works_for_client(_client_id);
begin
  return query
    with newest as (
      select approval.id, approval.kind, approval.title, version.number, version.text, version.is_wording, version.file_id, version.due_on, version.asked_by,
        version.created_at as asked_at, decision.verdict, decision.comment, decision.decided_by,
        decision.created_at as decided_at
      from public.approvals as approval
        join lateral (
          select * from public.approval_versions as any_version
          where any_version.client_id = _client_id and any_version.approval_id = approval.id
          order by any_version.number desc limit 1
        ) as version on true
        left join public.approval_decisions as decision
          on decision.client_id = _client_id and decision.approval_id = approval.id and decision.number = version.number
      where approval.client_id = _client_id
    ), shown as (
      select *, count(*) over ()::integer as total, count(*) filter (where newest.verdict is null) over ()::integer as waiting
      from newest
      order by newest.verdict is not null, newest.decided_at desc, newest.due_on nulls last, newest.asked_at, newest.id
      limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0)
    )
    select shown.id, shown.kind, shown.title, shown.number, shown.text, former.text, shown.is_wording,
      (
        select count(*)::integer from public.approval_rows as item
        where item.client_id = _client_id and item.approval_id = shown.id and item.number = shown.number
      ),
      (
        select count(*)::integer from public.approval_vetoes as veto
        where veto.client_id = _client_id and veto.approval_id = shown.id and veto.number = shown.number
      ),
      (
        select jsonb_build_object('object_name', file.object_name, 'name', file.name, 'mimetype', file.mimetype, 'size', file.size)
        from public.client_files as file where file.client_id = _client_id and file.id = shown.file_id
      ),
      (
        select count(*)::integer from public.approval_comments as comment
        where comment.client_id = _client_id and comment.approval_id = shown.id
      ),
      shown.due_on,
      coalesce(nullif(private.name_of(asker.raw_user_meta_data), ''), case when _works_for then asker.email end, '')::text,
      shown.asked_at, shown.verdict, shown.comment,
      coalesce(nullif(private.name_of(decider.raw_user_meta_data), ''), case when _works_for then decider.email end, '')::text,
      shown.decided_at,
      _works_for and not exists (
        select from public.approval_decisions as any_decision
        where any_decision.client_id = _client_id and any_decision.approval_id = shown.id
      ),
      shown.waiting, shown.total
    from shown
      left join public.approval_versions as former
        on former.client_id = _client_id and former.approval_id = shown.id and former.number = shown.number - 1
      left join auth.users as asker on asker.id = shown.asked_by
      left join auth.users as decider on decider.id = shown.decided_by
    order by shown.verdict is not null, shown.decided_at desc, shown.due_on nulls last, shown.asked_at, shown.id;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.list_campaign_versions(_client_id uuid, _campaign_id uuid)
 RETURNS TABLE(number integer, action text, campaign jsonb, changed_by text, created_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only those who work for this client see what its campaigns were' using errcode = '42501';
  end if;
  return query
    select version.number, version.action, version.campaign,
      coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), users.email::text, ''), version.created_at
    from public.campaign_versions as version left join auth.users on users.id = version.changed_by
    where version.client_id = _client_id and version.campaign_id = _campaign_id
    order by version.number desc;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.list_client_meetings(_client_id uuid, _limit integer DEFAULT 24, _offset integer DEFAULT 0)
 RETURNS TABLE(id uuid, starts_at timestamp with time zone, met_with text, outcome text, evidence text, answer_until timestamp with time zone, answer text, reason text, answered_by text, answered_at timestamp with time zone, is_open boolean, waiting integer, total integer, campaign_id uuid, campaign text, booked_on date, origin text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _works_for constant boolean := private.works_for_client(_client_id);
begin
  return query
    select meeting.id, meeting.starts_at, meeting.met_with, meeting.outcome, meeting.evidence, meeting.answer_until,
      meeting.answer, meeting.reason,
      coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), case when _works_for then users.email end, '')::text,
      meeting.answered_at, meeting.is_open, meeting.waiting, meeting.total, meeting.campaign_id, campaigns.name,
      meeting.booked_on, meeting.origin
    from (
      select *, count(*) over ()::integer as total,
        count(*) filter (where any_meeting.is_open and any_meeting.answer is null) over ()::integer as waiting
      from (
        select *, coalesce(client_meetings.answer_until > now(), false) and client_meetings.answer is distinct from 'accepted' as is_open
        from public.client_meetings where client_id = _client_id
      ) as any_meeting
      order by (any_meeting.is_open and any_meeting.answer is null) desc, coalesce(any_meeting.starts_at, any_meeting.booked_on) desc, any_meeting.id
      limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0)
    ) as meeting left join auth.users on users.id = meeting.answered_by
      left join public.campaigns on campaigns.client_id = _client_id and campaigns.id = meeting.campaign_id
    order by (meeting.is_open and meeting.answer is null) desc, coalesce(meeting.starts_at, meeting.booked_on) desc, meeting.id;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.list_client_notes(_client_id uuid, _limit integer DEFAULT 24, _offset integer DEFAULT 0)
 RETURNS TABLE(id uuid, text text, written_by text, created_at timestamp with time zone, may_delete boolean, total integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _is_admin constant boolean := private.is_admin();
begin
  if not (_is_admin or _client_id in (select private.clients_of_team_member())) then
    raise exception 'Only those who work for this client may do this' using errcode = '42501';
  end if;
  return query
    select note.id, note.text, coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), users.email, '')::text,
      note.created_at, _is_admin or coalesce(note.written_by = private.user_id(), false), note.total
    from (
      select *, count(*) over ()::integer as total from public.client_notes
      where client_id = _client_id order by client_notes.created_at desc, client_notes.id
      limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0)
    ) as note left join auth.users on users.id = note.written_by
    order by note.created_at desc, note.id;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.list_comments(_client_id uuid, _approval_id uuid)
 RETURNS TABLE(id uuid, number integer, quote text, text text, written_by text, is_team boolean, created_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _works_for constant boolean := private.works_for_client(_client_id);
begin
  return query
    select comment.id, comment.number, comment.quote, comment.text,
      coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), case when _works_for then users.email end, '')::text,
      coalesce(roles.role in ('team', 'admin'), false), comment.created_at
    from public.approval_comments as comment
      left join auth.users on users.id = comment.written_by
      left join public.user_roles as roles on roles.user_id = comment.written_by
    where comment.client_id = _client_id and comment.approval_id = _approval_id
    order by comment.created_at, comment.id;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.list_do_not_contact(_client_id uuid, _limit integer DEFAULT 24, _offset integer DEFAULT 0)
 RETURNS TABLE(id uuid, kind text, hint text, added_by text, created_at timestamp with time zone, may_remove boolean, total integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _works_for constant boolean := private.works_for_client(_client_id);
begin
  return query
    select entry.id, entry.kind, entry.hint,
      coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), case when _works_for then users.email end, '')::text,
      entry.created_at, _works_for or coalesce(entry.added_by = private.user_id(), false),
      (select count(*)::integer from public.do_not_contact where client_id = _client_id)
    from (
      select * from public.do_not_contact where client_id = _client_id
      order by do_not_contact.created_at desc, do_not_contact.id
      limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0)
    ) as entry left join auth.users on users.id = entry.added_by
    order by entry.created_at desc, entry.id;
end
$function$;

-- Called by anon, authenticated, service_role.
CREATE OR REPLACE FUNCTION public.list_rows_by_link(_token text, _holder text, _search text DEFAULT ''::text, _only_vetoed boolean DEFAULT false, _limit integer DEFAULT 24, _offset integer DEFAULT 0)
 RETURNS TABLE(line integer, company text, domain text, person text, note text, hint text, is_vetoed boolean, of_company integer, total integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select page.* from private.held_approval_link(_token, _holder) as link,
    lateral private.list_approval_rows(
      link.client_id, link.approval_id, link.number, _search, _only_vetoed, _limit, _offset
    ) as page
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.note_client_read(_client_id uuid, _approval_ids uuid[] DEFAULT '{}'::uuid[], _report_ids uuid[] DEFAULT '{}'::uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if _client_id not in (select private.clients_of_member()) then
    raise exception 'Only the people of this client read as its people' using errcode = '42501';
  end if;
  insert into public.client_reads as noted (client_id, user_id, what, item_id)
  select _client_id, private.user_id(), 'rooms', _client_id
  union all
  select _client_id, private.user_id(), 'approval', id
  from public.approvals where client_id = _client_id and id = any (_approval_ids)
  union all
  select _client_id, private.user_id(), 'report', id
  from public.client_reports where client_id = _client_id and id = any (_report_ids) and sent_at is not null
  on conflict (client_id, user_id, what, item_id) do update set last_at = now();
end
$function$;

-- Called by anon, authenticated, service_role.
CREATE OR REPLACE FUNCTION public.open_approval_link(_token text, _holder text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _found record;
  _link private.approval_links;
  _newest integer;
begin
  _found := private.approval_link_of(_token, _holder);
  _link := _found.link;
  if _found.refusal is not null then
    return jsonb_build_object('refusal', _found.refusal);
  end if;
  update private.approval_links set holder_hash = private.hash_of_link(_holder)
  where token_hash = _link.token_hash and holder_hash is null;
  select max(number) into _newest from public.approval_versions
  where client_id = _link.client_id and approval_id = _link.approval_id;
  return (
    select jsonb_build_object(
      'state', case
        when decision.verdict is not null then 'decided'
        when _link.used_at is not null then 'used'
        when _newest > _link.number then 'newer'
        else 'open'
      end,
      'kind', approvals.kind, 'title', approvals.title, 'client', clients.name, 'number', version.number, 'text', version.text,
      'former_text', case when approvals.kind = 'text' then former.text end, 'due_on', version.due_on, 'verdict', decision.verdict,
      'file', (
        select jsonb_build_object('object_name', object_name, 'name', name, 'mimetype', mimetype, 'size', size)
        from public.client_files where client_id = version.client_id and id = version.file_id
      ),
      'person', coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), users.email::text)
    )
    from public.approval_versions as version
      join public.approvals on approvals.client_id = version.client_id and approvals.id = version.approval_id
      join public.clients on clients.id = version.client_id
      join auth.users on users.id = _link.user_id
      left join public.approval_versions as former on former.client_id = version.client_id
        and former.approval_id = version.approval_id and former.number = version.number - 1
      left join public.approval_decisions as decision on decision.client_id = version.client_id
        and decision.approval_id = version.approval_id and decision.number = version.number
    where version.client_id = _link.client_id and version.approval_id = _link.approval_id and version.number = _link.number
  );
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.restore_campaign(_client_id uuid, _campaign_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only those who work for this client restore its campaigns' using errcode = '42501';
  end if;
  update public.campaigns set deleted_at = null, phase = coalesce((
    select campaign ->> 'phase' from public.campaign_versions
    where client_id = _client_id and campaign_id = _campaign_id and action <> 'deleted' order by number desc limit 1
  ), phase)
  where client_id = _client_id and id = _campaign_id and deleted_at > now() - interval '30 days';
  if not found then
    raise exception 'This campaign is not under Deleted any more.' using errcode = 'P0001';
  end if;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.save_client_meeting(_client_id uuid, _starts_at timestamp with time zone, _met_with text, _outcome text, _evidence text DEFAULT ''::text, _id uuid DEFAULT NULL::uuid, _campaign_id uuid DEFAULT NULL::uuid, _booked_on date DEFAULT NULL::date)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _old public.client_meetings;
  _zone constant text := (select time_zone from public.clients where id = _client_id);
  _today constant date := (now() at time zone _zone)::date;
  _until constant timestamptz := case when _outcome <> 'booked' then now() + interval '14 days' end;
  _saved uuid;
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only those who work for this client keep its meetings' using errcode = '42501';
  elsif _outcome <> 'booked' and _starts_at > now() then
    raise exception 'This meeting is still to come: it is booked.' using errcode = 'P0001';
  elsif _booked_on > _today then
    raise exception 'A meeting was booked today or before.' using errcode = 'P0001';
  end if;
  if _id is null then
    -- Two who add at the same time wait for each other, so that the ledger stays under its limit.
    perform from public.clients where id = _client_id for no key update;
    _booked_on := coalesce(_booked_on, least(_today, (_starts_at at time zone _zone)::date));
    -- A meeting that an import or an event has counted for the campaign and that day, or its week, is completed instead.
    select meeting.id into _id from public.client_meetings as meeting
      left join public.campaign_figures as figure on figure.client_id = _client_id and figure.campaign_id = _campaign_id
        and metric = 'meetings' and replaced_by is null and meeting.booked_on between first_day and last_day
    where meeting.client_id = _client_id and meeting.campaign_id = _campaign_id and origin = 'figure'
      and _booked_on between coalesce(first_day, booked_on) and coalesce(last_day, booked_on)
    order by meeting.booked_on, meeting.created_at, meeting.id limit 1;
  end if;
  if _id is null then
    if (select count(*) from public.client_meetings where client_id = _client_id) >= 10000 then
      raise exception 'A client has at most 10,000 meetings.' using errcode = 'P0001';
    end if;
    insert into public.client_meetings (
      client_id, starts_at, met_with, outcome, evidence, answer_until, kept_by, campaign_id, booked_on
    ) values (_client_id, _starts_at, trim(_met_with), _outcome, _evidence, _until, private.user_id(), _campaign_id, _booked_on)
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
    campaign_id = _campaign_id,
    -- The day of one that a figure has counted stays, so that the figure finds it again.
    booked_on = case origin when 'person' then coalesce(_booked_on, booked_on) else booked_on end,
    origin = case origin when 'figure' then 'completed' else origin end,
    answer_until = case when outcome = _outcome then answer_until else _until end,
    answer = case when outcome = _outcome then answer end,
    reason = case when outcome = _outcome then reason else '' end,
    answered_by = case when outcome = _outcome then answered_by end,
    answered_at = case when outcome = _outcome then answered_at end
  where client_id = _client_id and id = _id;
  return _id;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.set_client_logo(_client_id uuid, _file_id uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _object_name text;
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only those who work for this client may choose its logo' using errcode = '42501';
  end if;
  if _file_id is not null then
    select object_name into _object_name from public.client_files
    where client_id = _client_id and id = _file_id and mimetype like 'image/%';
    if not found then
      raise exception 'A logo is one of the pictures of this client.' using errcode = 'P0001';
    end if;
  end if;
  update public.clients set logo = _object_name where id = _client_id;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.set_my_client_mails(_client_id uuid, _told_of text[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if _client_id not in (select private.clients_of_member()) then
    raise exception 'Only the people of this client may do this' using errcode = '42501';
  end if;
  update public.client_members set told_of = _told_of where client_id = _client_id and user_id = private.user_id();
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.team_overview()
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
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
    'waits_for_client', texts.open + meetings.open + quotes.open, 'due_on', texts.due_on,
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
    cross join lateral (
      select count(*) as open from public.figure_quotes as quote join public.projects on projects.id = quote.project_id
      where quote.client_id = clients.id and quote.answer is null and quote.ended_at is null
    ) as quotes
  where (select private.is_admin()) or clients.id in (select private.clients_of_team_member())
$function$;

-- Called by anon, authenticated, service_role.
CREATE OR REPLACE FUNCTION public.veto_by_link(_token text, _holder text, _lines integer[] DEFAULT '{}'::integer[], _domain text DEFAULT NULL::text, _is_back boolean DEFAULT false)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _link constant private.approval_links := private.held_approval_link(_token, _holder);
begin
  if _link.token_hash is null or _link.used_at is not null then
    raise exception 'This link has ended. Sign in to see what waits for you.' using errcode = 'P0001';
  end if;
  return private.veto_rows(
    _link.client_id, _link.approval_id, _link.number, _lines, _domain, _is_back, _link.user_id
  );
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.veto_rows(_client_id uuid, _approval_id uuid, _number integer, _lines integer[] DEFAULT '{}'::integer[], _domain text DEFAULT NULL::text, _and_leave_alone boolean DEFAULT false, _is_back boolean DEFAULT false)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _count integer;
begin
  perform private.require_approver(_client_id);
  _count := private.veto_rows(_client_id, _approval_id, _number, _lines, _domain, _is_back, private.user_id());
  if _and_leave_alone and not _is_back then
    perform private.leave_alone(_client_id, _approval_id, _number, _lines, _domain);
  end if;
  return _count;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.withdraw_approval(_client_id uuid, _approval_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only those who work for this client may withdraw' using errcode = '42501';
  end if;
  perform private.lock_approval(_client_id, _approval_id);
  if exists (select from public.approval_decisions where client_id = _client_id and approval_id = _approval_id) then
    raise exception 'The client has decided on this. Decisions stay.' using errcode = 'P0001';
  end if;
  delete from public.approvals where client_id = _client_id and id = _approval_id;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.add_approval_version(_client_id uuid, _kind text, _title text, _text text, _due_on date, _approval_id uuid, _file_id uuid DEFAULT NULL::uuid)
 RETURNS approval_versions
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _id uuid := _approval_id;
  _newest integer := 0;
  _version public.approval_versions;
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only those who work for this client may ask' using errcode = '42501';
  end if;
  if _id is null then
    -- Two who ask at the same time wait for each other, so that the number stays under its limit.
    perform from public.clients where id = _client_id for no key update;
    if (select count(*) from public.approvals where client_id = _client_id) >= 2000 then
      raise exception 'A client has at most 2,000 approvals. Withdraw some that nobody decided.' using errcode = 'P0001';
    end if;
    insert into public.approvals (client_id, title, kind) values (_client_id, trim(_title), _kind) returning id into _id;
  else
    select number into _newest from private.lock_approval(_client_id, _id);
    if not exists (select from public.approvals where client_id = _client_id and id = _id and kind = _kind) then
      raise exception 'The next version is of the same kind.' using errcode = '22023';
    elsif _newest >= 100 then
      raise exception 'There are at most 100 versions. Ask for something new.' using errcode = 'P0001';
    end if;
    update public.approvals set title = trim(_title) where client_id = _client_id and id = _id and title <> trim(_title);
  end if;
  insert into public.approval_versions (client_id, approval_id, number, text, file_id, due_on, asked_by)
  values (_client_id, _id, _newest + 1, _text, _file_id, _due_on, private.user_id()) returning * into _version;
  return _version;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.add_do_not_contact_by_event()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.do_not_contact (client_id, kind, value, hint)
  values (new.client_id, 'address', new.person_hash, new.hint)
  on conflict do nothing;
  return null;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.approval_link_of(_token text, _holder text, OUT link private.approval_links, OUT refusal text)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.count_for_address('approval link', private.client_address(), 60, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'Too many tries from your network. Please wait an hour, or sign in.';
  elsif coalesce(length(_holder), 0) not between 32 and 100 then
    raise exception 'A browser holds between 32 and 100 characters.' using errcode = '22023';
  end if;
  select found.* into link from private.approval_links as found
  where found.token_hash = private.hash_of_link(left(_token, 200)) for update;
  if link.token_hash is null or not private.is_approval_link_live(link) then
    refusal := 'This link has ended. Sign in to see what waits for you.';
  elsif link.holder_hash <> private.hash_of_link(_holder) then
    refusal := 'This link was opened in another browser. Use that one, or sign in.';
  end if;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.changes_of_client(_client clients, _first_day date, _last_day date)
 RETURNS TABLE(rank integer, kind text, name text, detail text, at timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.check_client_place()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.check_client_time_zone()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.is_time_zone(new.time_zone) then
    raise exception 'This time zone is not known: %', left(new.time_zone, 64) using errcode = '22023';
  end if;
  return null;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.check_wording()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not exists (select from public.approvals where client_id = new.client_id and id = new.approval_id and kind = 'text') then
    raise exception 'Only a text is worded anew. Please write what should be different.' using errcode = 'P0001';
  end if;
  return null;
end
$function$;

-- Called by anon, authenticated, service_role.
CREATE OR REPLACE FUNCTION private.clients_of_approver()
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select client_id from public.client_members
  where user_id = (select private.user_id()) and kind = 'approver' and client_id in (select private.clients_of_member())
$function$;

-- Called by anon, authenticated, service_role.
CREATE OR REPLACE FUNCTION private.clients_of_member()
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select client_id from public.client_members
  join public.user_roles on user_roles.user_id = client_members.user_id and role = 'client' and approved
  where client_members.user_id = (select private.user_id())
  union all
  select client_id from private.looked_at()
$function$;

-- Called by anon, authenticated, service_role.
CREATE OR REPLACE FUNCTION private.clients_of_team_member()
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select client_id from public.client_assignments
  join public.user_roles on user_roles.user_id = client_assignments.user_id and role = 'team' and approved
  where client_assignments.user_id = (select private.user_id())
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.decide_approval(_client_id uuid, _approval_id uuid, _number integer, _verdict text, _comment text, _wording text, _person uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _said constant text := btrim(coalesce(_comment, ''), E' \t\r\n');
  _version public.approval_versions;
  _newest integer;
  _is_decided boolean;
  _decision public.approval_decisions;
begin
  select number, is_decided into _newest, _is_decided from private.lock_approval(_client_id, _approval_id);
  if _number is distinct from _newest then
    raise exception 'There is a newer version. Please read it first.' using errcode = 'P0001';
  elsif _is_decided then
    raise exception 'A colleague has decided this already.' using errcode = 'P0001';
  elsif _wording is not null and _verdict is distinct from 'changes' then
    raise exception 'Only a yes with changes has another wording.' using errcode = '22023';
  elsif _wording is null and _verdict in ('no', 'changes') and _said = '' then
    raise exception 'Please write what should be different.' using errcode = 'P0001';
  end if;
  if _wording is not null then
    select * into _version from public.approval_versions
    where client_id = _client_id and approval_id = _approval_id and number = _newest;
    if _wording = _version.text then
      raise exception 'The text is the same as before.' using errcode = 'P0001';
    elsif _newest >= 100 then
      raise exception 'A text has at most 100 versions. Write what should be different instead.' using errcode = 'P0001';
    end if;
    insert into public.approval_versions (client_id, approval_id, number, text, asked_by, is_wording)
    values (_client_id, _approval_id, _newest + 1, _wording, _person, true);
  end if;
  insert into public.approval_decisions (client_id, approval_id, number, verdict, comment, decided_by)
  values (
    _client_id, _approval_id, case when _wording is null then _newest else _newest + 1 end,
    case when _wording is null then _verdict else 'yes' end, _said, _person
  )
  returning * into _decision;
  perform private.tell_asker_of_decision(_decision);
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.delete_old_approval_links(_at_most integer DEFAULT NULL::integer)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with deleted as (
    delete from private.approval_links where token_hash in (
      select token_hash from private.approval_links
      where expires_at < now() - interval '30 days' order by expires_at limit _at_most
    ) returning 1
  )
  select count(*)::integer from deleted
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.delete_old_campaigns(_at_most integer DEFAULT NULL::integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _deleted integer;
begin
  delete from public.campaigns where (client_id, id) in (
    select client_id, id from public.campaigns as resting
    where deleted_at < now() - interval '30 days'
      and not exists (
        select from public.campaign_figures where client_id = resting.client_id and campaign_id = resting.id
      )
    order by deleted_at limit _at_most for update skip locked
  );
  get diagnostics _deleted = row_count;
  return _deleted;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.drop_client_file()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- The storage of a hosted project refuses deletions past its API without this word.
  perform set_config('storage.allow_delete_query', 'true', true);
  delete from storage.objects where bucket_id = 'client-files' and name = old.object_name;
  return null;
end
$function$;

-- Called by anon.
CREATE OR REPLACE FUNCTION private.file_by_link()
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select file.object_name
  from (select nullif(current_setting('request.headers', true), '')::json ->> 'x-approval-link') as request (header),
    lateral private.held_approval_link(split_part(header, '/', 1), split_part(header, '/', 2)) as link
    join public.approval_versions as version on version.client_id = link.client_id
      and version.approval_id = link.approval_id and version.number = link.number
    join public.client_files as file on file.client_id = version.client_id and file.id = version.file_id
  where header is not null
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION private.hash_of_address(_address text)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.keyed_address_hash(encode(sha256(convert_to(lower(trim(_address)), 'UTF8')), 'hex'))
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.hash_of_link(_secret text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$ select encode(sha256(convert_to(_secret, 'UTF8')), 'hex') $function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.held_approval_link(_token text, _holder text)
 RETURNS private.approval_links
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select link from private.approval_links as link
  where link.token_hash = private.hash_of_link(left(_token, 200))
    and link.holder_hash = private.hash_of_link(left(_holder, 200)) and private.is_approval_link_live(link)
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.is_approval_link_live(_link private.approval_links)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select _link.expires_at >= now() and exists (
    select from public.client_members as member
      join public.user_roles as roles on roles.user_id = member.user_id
      join auth.users as person on person.id = member.user_id
    where member.client_id = _link.client_id and member.user_id = _link.user_id and member.kind = 'approver'
      and roles.role = 'client' and roles.approved
      and coalesce(person.banned_until <= now(), true)
      and private.hash_of_link(_link.token_hash || lower(person.email)) = _link.address_hash
  )
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.is_deleted_campaign(_client_id uuid, _campaign_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (select from public.campaigns where client_id = _client_id and id = _campaign_id and deleted_at is not null)
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.keep_campaign_version()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _newest integer;
  _action constant text := case
    when tg_op = 'INSERT' then 'created'
    when (new.deleted_at is null) = (old.deleted_at is null) then 'changed'
    when new.deleted_at is null then 'restored'
    else 'deleted'
  end;
begin
  if _action = 'changed' and private.state_of_campaign(old) = private.state_of_campaign(new) then
    return null;
  end if;
  select max(number) into _newest from public.campaign_versions where client_id = new.client_id and campaign_id = new.id;
  -- A campaign from before this table shows what it was.
  if tg_op = 'UPDATE' and _newest is null then
    insert into public.campaign_versions (client_id, campaign_id, number, action, campaign, created_at)
    values (new.client_id, new.id, 1, 'before', private.state_of_campaign(old), old.updated_at);
    _newest := 1;
  end if;
  insert into public.campaign_versions (client_id, campaign_id, number, action, campaign, changed_by)
  values (new.client_id, new.id, coalesce(_newest, 0) + 1, _action, private.state_of_campaign(new), private.user_id());
  delete from public.campaign_versions
  where client_id = new.client_id and campaign_id = new.id and number <= coalesce(_newest, 0) + 1 - 50;
  return null;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.keep_hash_of_client_file()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  select file.sha256 into new.file_sha256
  from public.approval_versions as version
    join public.client_files as file on file.client_id = version.client_id and file.id = version.file_id
  where version.client_id = new.client_id and version.approval_id = new.approval_id and version.number = new.number;
  return new;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.keyed_address_hash(_hash text)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select encode(sha256(outer_key || sha256(inner_key || convert_to(_hash, 'UTF8'))), 'hex') from private.address_key
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.leave_alone(_client_id uuid, _approval_id uuid, _number integer, _lines integer[], _domain text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if exists (
    select from public.approval_rows
    where client_id = _client_id and approval_id = _approval_id and number = _number and line = any (_lines)
      and fingerprint is null
  ) then
    raise exception 'No address is known of this row. Take off its company to leave it alone.' using errcode = 'P0001';
  end if;
  -- As in add_do_not_contact(): under its lock the list stays under its limit.
  perform from public.clients where id = _client_id for no key update;
  insert into public.do_not_contact (client_id, kind, value, hint, added_by)
  select distinct on (entry.value) _client_id, entry.kind, entry.value, entry.hint, private.user_id()
  from public.approval_rows as item, lateral (
    select 'domain', item.domain, item.domain where item.domain = _domain and item.domain <> ''
    union all
    select 'address', item.fingerprint, item.hint where item.line = any (_lines) and item.fingerprint is not null
  ) as entry (kind, value, hint)
  where item.client_id = _client_id and item.approval_id = _approval_id and item.number = _number
  on conflict do nothing;
  if (select count(*) from public.do_not_contact where client_id = _client_id) > 20000 then
    raise exception 'A list has at most 20,000 entries. Name domains instead of their addresses.' using errcode = 'P0001';
  end if;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.list_approval_rows(_client_id uuid, _approval_id uuid, _number integer, _search text, _only_vetoed boolean, _limit integer, _offset integer)
 RETURNS TABLE(line integer, company text, domain text, person text, note text, hint text, is_vetoed boolean, of_company integer, total integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with all_rows as materialized (
    select item.line, item.company, item.domain, item.person, item.note, item.hint, veto.line is not null as is_vetoed,
      case when item.domain = '' then 1 else count(*) over (partition by item.domain) end::integer as of_company
    from public.approval_rows as item
      left join public.approval_vetoes as veto
        on veto.client_id = _client_id and veto.approval_id = _approval_id and veto.number = _number
          and veto.line = item.line
    where item.client_id = _client_id and item.approval_id = _approval_id and item.number = _number
  )
  select all_rows.*, count(*) over ()::integer
  from all_rows
  where (not _only_vetoed or all_rows.is_vetoed)
    and position(lower(trim(left(_search, 200))) in lower(concat_ws(' ', all_rows.company, all_rows.domain, all_rows.person, all_rows.note, all_rows.hint))) > 0
  order by all_rows.line
  limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0)
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.lock_approval(_client_id uuid, _approval_id uuid, OUT number integer, OUT is_decided boolean)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform from public.approvals where client_id = _client_id and id = _approval_id for update;
  if not found then
    raise exception 'There is no such approval any more.' using errcode = 'P0001';
  end if;
  select version.number, decision.number is not null into lock_approval.number, lock_approval.is_decided
  from public.approval_versions as version
    left join public.approval_decisions as decision using (client_id, approval_id, number)
  where version.client_id = _client_id and version.approval_id = _approval_id
  order by version.number desc limit 1;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.lock_client_of_worker(_client_id uuid)
 RETURNS clients
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _client public.clients;
begin
  if not (private.is_admin() or _client_id in (select private.clients_of_team_member())) then
    raise exception 'Only those who work for this client may do this' using errcode = '42501';
  end if;
  select * into _client from public.clients where id = _client_id for no key update;
  if not found then
    raise exception 'There is no such client.' using errcode = 'P0001';
  end if;
  return _client;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.members_to_tell(_client_id uuid, _of text)
 RETURNS TABLE(user_id uuid, email text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select users.id, users.email::text
  from public.client_members as member
    join public.user_roles as roles on roles.user_id = member.user_id and roles.role = 'client' and roles.approved
    join auth.users on users.id = member.user_id
  where member.client_id = _client_id and _of = any (member.told_of) and (member.kind = 'approver' or _of <> 'waiting')
    and users.email <> ''
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.note_changer()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  new.changed_by := private.user_id();
  return new;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.note_client_place()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION private.plain_entry(_text text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  _entry text := lower(btrim(left(_text, 400), E' \t\r\n'));
begin
  _entry := btrim(coalesce(substring(_entry from '<([^<>]*)>$'), _entry), E' \t\r\n"\'„“”‘’«»,;');
  if _entry ~ '^mailto:' then
    _entry := regexp_replace(_entry, '^mailto:|[?].*$', '', 'g');
  elsif _entry ~ '^[a-z][a-z0-9+.-]*://' then
    _entry := regexp_replace(regexp_replace(_entry, '^[^:]*://', ''), '^[^/?#@]*@|[/?#].*$', '', 'g');
  end if;
  if _entry !~ '@' or _entry ~ '^[*]?@' then
    _entry := regexp_replace(regexp_replace(_entry, '[/?#:].*$', ''), '^([*]?@)?([*]?[.])*', '');
    -- Not www.no, which is a domain itself.
    if _entry ~ '^www[.][^.]+[.]' then
      _entry := right(_entry, -4);
    end if;
  end if;
  return rtrim(_entry, '.');
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.read_do_not_contact(_client_id uuid, _lines jsonb)
 RETURNS TABLE(line integer, kind text, value text, hint text, state text, reason text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_nestloop TO 'off'
AS $function$
  with given as materialized (
    select (item ->> 'line')::integer as line, private.plain_entry(item ->> 'text') as text
    from jsonb_array_elements(_lines) as item
  ), sorted as (
    -- No counted repetitions: they make these expressions slower by the factor of the count.
    select line, text, case
      when length(text) > 320 or text ~ '^[=+@-]' or domain !~ '^([a-z0-9]([a-z0-9-]*[a-z0-9])?[.])+[a-z][a-z0-9-]*[a-z0-9]$'
        or length(domain) > 253 then null
      when text = domain then case when not private.is_mail_provider(text) then 'domain' end
      when length(text) - length(domain) <= 65 and text ~ '^[a-z0-9.!#$%&''+/=?^_`{|}~-]+@[^@]+$' then 'address'
    end as kind
    from given, lateral (select regexp_replace(text, '^[^@]*@', '')) as part (domain)
  ), read as (
    select line, text, kind, case kind when 'address' then private.hash_of_address(text) else text end as value,
      case kind when 'address' then left(text, 1) || '***@' || split_part(text, '@', 2) else left(text, 253) end as hint,
      min(line) over (partition by kind, text) as first_line
    from sorted
  )
  select read.line, read.kind, read.value, read.hint, case
      when read.kind is null then 'refused'
      when entry.id is not null or read.line > first_line then 'known'
      else 'new'
    end, case
      when read.kind is null and text ~ '^[=+@-]' then 'This begins like a formula.'
      when read.kind is null and text ~ '[*]' then 'Write the whole address, or the domain: * cannot replace a part of them.'
      when private.is_mail_provider(text) then 'Many people have their mail there. Name their addresses.'
      when read.kind is null and text ~ '@' then 'This is no email address.'
      when read.kind is null then 'This is neither an email address nor a domain such as example.com.'
      when entry.id is not null then 'On the list already.'
      when read.line > first_line then 'As on line ' || first_line || '.'
    end
  from read left join public.do_not_contact as entry
    on entry.client_id = _client_id and entry.value = read.value
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.read_list_rows(_client_id uuid, _approval_id uuid, _rows jsonb)
 RETURNS TABLE(line integer, company text, domain text, person text, fingerprint text, hint text, state text, reason text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_nestloop TO 'off'
AS $function$
  with given as materialized (
    select (item ->> 'line')::integer as line, private.one_line(item ->> 'company', 200) as company,
      private.one_line(item ->> 'person', 400) as person,
      coalesce(item ->> 'address', '') as address,
      case when private.is_mail_provider(lower(trim(item ->> 'domain'))) then '' else coalesce(item ->> 'domain', '') end as domain
    from jsonb_array_elements(_rows) as item
  ), read_address as (
    select line, kind, value, hint, reason from private.read_do_not_contact(_client_id, (
      select jsonb_agg(jsonb_build_object('line', line, 'text', address)) from given where address <> ''
    ))
  ), read_domain as (
    select line, kind, value, reason from private.read_do_not_contact(_client_id, (
      select jsonb_agg(jsonb_build_object('line', line, 'text', domain)) from given where domain <> ''
    ))
  ), read as materialized (
    select given.line, given.company, given.person,
      case when read_address.kind = 'address' then read_address.value end as fingerprint,
      case when read_address.kind = 'address' then read_address.hint else '' end as hint,
      coalesce(
        case when read_domain.kind = 'domain' then read_domain.value end,
        case
          when read_address.kind = 'address' and not private.is_mail_provider(split_part(read_address.hint, '@', 2))
            then split_part(read_address.hint, '@', 2)
        end, ''
      ) as domain,
      case
        when address = '' and given.domain = '' then 'There is neither an email address nor a domain.'
        when address <> '' and read_address.kind is distinct from 'address' then
          case when address ~ '^\s*[=+@-]' then 'This begins like a formula.' else 'This is no email address.' end
        when given.domain <> '' and read_domain.kind is distinct from 'domain' then
          'This is no domain such as example.com.'
      end as fault
    from given left join read_address using (line) left join read_domain using (line)
  ), kept_off as (
    -- Each domain with those above it: an entry counts for all that is below.
    select named.line, min(entry.hint) as hint
    from (
      select line, array_to_string((string_to_array(name, '.'))[n:], '.') as value
      from (
        select line, domain as name from read where domain <> ''
        union select line, split_part(hint, '@', 2) from read where hint <> ''
      ) as names, lateral generate_subscripts(string_to_array(name, '.'), 1) as n
      union all
      select line, fingerprint from read where fingerprint is not null
    ) as named
      join public.do_not_contact as entry on entry.client_id = _client_id and entry.value = named.value
    group by named.line
  ), vetoed as (
    select coalesce(item.fingerprint, item.domain || ' ' || lower(item.person)) as who, max(item.number) as number
    from public.approval_rows as item
      join public.approval_vetoes as veto using (client_id, approval_id, number, line)
    where item.client_id = _client_id and item.approval_id = _approval_id
    group by 1
  ), judged as (
    select read.*, min(read.line) over (partition by coalesce(fingerprint, domain || ' ' || lower(person)), fault) as first_line,
      kept_off.hint as kept_off_by, vetoed.number as vetoed_in
    from read
      left join kept_off using (line)
      left join vetoed on vetoed.who = coalesce(fingerprint, domain || ' ' || lower(person))
  )
  select line, company, domain, person, fingerprint, hint,
    case when fault is null and kept_off_by is null and vetoed_in is null and line = first_line then 'new' else 'refused' end,
    case
      when fault is not null then fault
      when kept_off_by is not null then 'Not to be contacted: ' || kept_off_by || '.'
      when vetoed_in is not null then 'The client took this off version ' || vetoed_in || '.'
      when line > first_line then 'As on line ' || first_line || '.'
    end
  from judged
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.reject_changed_client_file()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  raise exception 'Files of clients cannot be changed. Upload the new file under another name.' using errcode = '42501';
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.require_approver(_client_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if private.works_for_client(_client_id) then
    raise exception 'Only the people of the client decide' using errcode = '42501';
  elsif _client_id not in (select private.clients_of_approver()) then
    raise exception 'You may read this. Approvers of the client decide.' using errcode = '42501';
  end if;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.state_of_campaign(_campaign campaigns)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object('name', _campaign.name, 'channel', _campaign.channel, 'phase', _campaign.phase,
    'next_step', _campaign.next_step, 'due_on', _campaign.due_on)
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.take_client_places()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.team_path(_user_id uuid, _client_id uuid, _item text)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select case
    when exists (select from public.user_roles where user_id = _user_id and role = 'admin') then '/admin/clients/'
    else '/team-dashboard/clients/'
  end || _client_id || '#' || _item
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.tell_asker_of_decision(_decision approval_decisions)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with asker as materialized (
    select users.id, users.email, approvals.title, clients.name as client, decided.is_wording
    from public.approval_versions as decided
      join public.approvals on approvals.client_id = decided.client_id and approvals.id = decided.approval_id
      join public.clients on clients.id = decided.client_id
      join lateral (
        select asked_by from public.approval_versions as version
        where version.client_id = decided.client_id and version.approval_id = decided.approval_id
          and version.number <= decided.number and not version.is_wording
        order by version.number desc limit 1
      ) as asked on true
      join public.user_roles on user_roles.user_id = asked.asked_by and role in ('team', 'admin') and approved
      join auth.users on users.id = asked.asked_by
    where decided.client_id = _decision.client_id and decided.approval_id = _decision.approval_id
      and decided.number = _decision.number and users.email <> ''
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'approval_decided', jsonb_build_object(
    'Email', email, 'Title', title, 'Client', client, 'Message', _decision.comment,
    'Path', private.team_path(id, _decision.client_id, 'approval-' || _decision.approval_id),
    'Verdict', case
      when is_wording then 'Approved with changes'
      when _decision.verdict = 'yes' then 'Approved'
      when _decision.verdict = 'changes' then 'Asked for changes'
      else 'Declined'
    end
  )
  from asker where private.count_for_subject('decision mail', lower(email), 100, interval '1 day')
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.tell_client_of_approval(_version approval_versions)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  -- Found first, or the planner could count for addresses of others.
  with people as materialized (
    select user_id, email, clients.name as client, approvals.title, approvals.kind
    from private.members_to_tell(_version.client_id, 'waiting'), public.clients
      join public.approvals on approvals.client_id = clients.id and approvals.id = _version.approval_id
    where clients.id = _version.client_id
  ), mailed as materialized (
    select *, replace(gen_random_uuid()::text || gen_random_uuid(), '-', '') as token, case
      when private.count_for_subject('approval mail', lower(email), 19, interval '1 day') then ''
      when private.count_for_subject('approval mail', lower(email), 20, interval '1 day')
        then 'This is the last of these mails today. Whatever else waits for you stands on your dashboard.'
    end as more
    from people
  ), linked as (
    insert into private.approval_links (token_hash, client_id, approval_id, number, user_id, address_hash)
    select hash, _version.client_id, _version.approval_id, _version.number, user_id,
      private.hash_of_link(hash || lower(email))
    from mailed, private.hash_of_link(token) as hash where more is not null
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'approval_asked', jsonb_build_object(
    'Email', email, 'Title', title, 'Client', client, 'More', more,
    'Path', '/approve/' || token,
    'Access', 'The button needs no password for 14 days, in the browser that shows it first: do not forward this mail.',
    'What', case kind when 'text' then 'We wrote a text' when 'list' then 'We made a list' else 'We have a file' end,
    'Version', case
      when _version.number = 1 then ''
      when kind = 'text' then 'This is version ' || _version.number || ', with what changed marked.'
      else 'This is version ' || _version.number || '.'
    end,
    'Due', case
      when _version.due_on is null then ''
      else 'We need your answer by ' || to_char(_version.due_on, 'FMDD FMMonth YYYY') || '.'
    end
  )
  from mailed where more is not null
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.tell_unread_approvals(_at_most integer DEFAULT NULL::integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
      'Email', users.email, 'Client', clients.name, 'Items', jsonb_agg(jsonb_build_object(
        'text', unread.title, 'path', private.team_path(users.id, clients.id, 'approval-' || unread.approval_id)
      ) order by unread.title)
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.track_client_file()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _client uuid;
begin
  if tg_op = 'DELETE' then
    delete from public.client_files where object_name = old.name;
    return null;
  end if;
  select id into _client from public.clients where id::text = split_part(new.name, '/', 1) for no key update;
  if not found then
    return null;
  elsif (select count(*) from public.client_files where client_id = _client) >= 2000 then
    raise exception 'A client has at most 2,000 files. Delete some that no approval names.' using errcode = '42501';
  end if;
  insert into public.client_files (client_id, id, object_name, name, mimetype, size, sha256, added_by, created_at)
  values (
    _client, new.id, new.name,
    coalesce(nullif(private.one_line(new.user_metadata ->> 'name', 200), ''), right(split_part(new.name, '/', 2), 200)),
    coalesce(new.metadata ->> 'mimetype', ''), coalesce((new.metadata ->> 'size')::bigint, 0), new.metadata ->> 'sha256',
    (select id from auth.users where id::text = coalesce(new.owner_id, new.owner::text)), new.created_at
  )
  on conflict (client_id, id) do update set
    mimetype = excluded.mimetype, size = excluded.size, sha256 = excluded.sha256;
  return null;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.unread_approvals()
 RETURNS TABLE(client_id uuid, approval_id uuid, number integer, title text, asked_by uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.veto_rows(_client_id uuid, _approval_id uuid, _number integer, _lines integer[], _domain text, _is_back boolean, _person uuid)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _newest integer;
  _is_decided boolean;
  _count integer;
begin
  if cardinality(_lines) > 5000 then
    raise exception 'A list has at most 5,000 rows.' using errcode = '22023';
  end if;
  select number, is_decided into _newest, _is_decided from private.lock_approval(_client_id, _approval_id);
  if _number is distinct from _newest then
    raise exception 'There is a newer version. Please read it first.' using errcode = 'P0001';
  elsif _is_decided then
    raise exception 'A colleague has decided this already.' using errcode = 'P0001';
  end if;
  if _is_back then
    delete from public.approval_vetoes as veto using public.approval_rows as item
    where veto.client_id = _client_id and veto.approval_id = _approval_id and veto.number = _number
      and item.client_id = _client_id and item.approval_id = _approval_id and item.number = _number
      and item.line = veto.line and (item.line = any (_lines) or item.domain = nullif(_domain, ''));
    get diagnostics _count = row_count;
    return _count;
  end if;
  insert into public.approval_vetoes (client_id, approval_id, number, line, vetoed_by)
  select _client_id, _approval_id, _number, line, _person from public.approval_rows
  where client_id = _client_id and approval_id = _approval_id and number = _number
    and (line = any (_lines) or domain = nullif(_domain, ''))
  on conflict do nothing;
  get diagnostics _count = row_count;
  return _count;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.waiting_at_client(_client_id uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
    select 4, case count(*) when 1 then 'A report' else count(*) || ' reports' end || ' to read'
    from public.client_reports where client_id = _client_id and sent_at is not null having count(*) > 0
  )
  select coalesce(string_agg(line, E'\n' order by place), '') from lines
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.works_for_client(_client_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if private.is_admin() or _client_id in (select private.clients_of_team_member()) then
    return true;
  elsif _client_id in (select private.clients_of_member()) then
    return false;
  end if;
  raise exception 'Only the people of this client may do this' using errcode = '42501';
end
$function$;

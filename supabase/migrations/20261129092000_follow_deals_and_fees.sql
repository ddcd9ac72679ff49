alter table private.mailed_links drop constraint mailed_links_subject_check;

drop function public.list_client_meetings(_client_id uuid, _limit integer, _offset integer);

create table public.client_fees (
  client_id uuid not null references public.clients (id) on delete cascade,
  number integer not null check (number between 1 and 200),
  first_month date not null check (date_trunc('month', first_month::timestamp) = first_month)
    constraint client_fees_first_month_calendar check (first_month between '1900-01-01' and '2999-12-31'),
  amount numeric(15, 2) not null check (amount between 0 and 1000000000000),
  set_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
    constraint client_fees_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, number)
);
revoke all on table public.client_fees from anon, authenticated, service_role;

alter table private.mailed_links add column meeting_id uuid;

insert into private.personal_data (schema_name, table_name, ids, ids_from, addresses, needs_proof, section, given, sorted_by, given_by, on_deletion, emptied, hashes) values ('public', 'client_fees', '{set_by}', NULL, '{}', 'false', 'changes_of_fees', '{"at": "created_at", "month": "first_month", "amount": "amount", "client": "client_id"}', 'created_at', NULL, 'follow', NULL, '{}');

create or replace function private.add_leads_of_events(
  _source public.campaign_sources, _new private.taken_event[], _events jsonb
) returns void language plpgsql security definer set search_path = '' as $$
begin
  update public.inbound_events as event set reply = given.reply
  from jsonb_to_recordset(_events) as given (key text, reply jsonb)
  where event.client_id = _source.client_id and event.source_id = _source.id and event.event_key = given.key
    and jsonb_typeof(given.reply) = 'object' and event.raw is not null
    and exists (select from unnest(_new) as fresh where fresh.event_key = given.key);
  with people as materialized (
    select lower(fresh.recipient) as email, bool_or(fresh.metric = 'positive_replies') as is_interested
    from unnest(_new) as fresh
    where fresh.state = 'counted' and fresh.recipient <> '' and fresh.recipient !~ '[[:cntrl:]]'
      and fresh.metric in ('sent', 'replies', 'positive_replies')
    group by lower(fresh.recipient)
  ), wanted as materialized (
    select email from people
    where exists (
      select from public.client_leads as lead
      where lead.client_id = _source.client_id and lead.campaign_id = _source.campaign_id and lead.email = people.email
    ) or is_interested and 10000 > (select count(*) from public.client_leads where client_id = _source.client_id)
  ), read as (
    select interest.email, interest.received_at,
      (array_agg(seen.reply ->> 'name' order by seen.rank, seen.distance, seen.event_key)
        filter (where seen.reply ->> 'name' <> ''))[1] as name,
      (array_agg(seen.reply ->> 'company' order by seen.rank, seen.distance, seen.event_key)
        filter (where seen.reply ->> 'company' <> ''))[1] as company,
      (array_agg(seen.reply ->> 'title' order by seen.rank, seen.distance, seen.event_key)
        filter (where seen.reply ->> 'title' <> ''))[1] as title,
      (array_agg(seen.reply ->> 'text' order by seen.rank, seen.distance, seen.event_key)
        filter (where seen.reply ->> 'text' <> ''))[1] as words,
      (array_agg(seen.step order by seen.rank, seen.distance, seen.event_key)
        filter (where seen.step is not null and (seen.rank < 3 or seen.happened_at <= interest.received_at)))[1] as step,
      (array_agg(seen.approval_id order by seen.distance, seen.event_key)
        filter (where seen.approval_id is not null and seen.happened_at <= interest.received_at))[1] as approval_id
    -- Read once per person, not once per event of the person.
    from (
      select wanted.email, min(event.happened_at) as received_at
      from wanted cross join lateral (
        -- offset 0 stops the planner from adding other conditions, so that the index on the address is used.
        select * from public.inbound_events where lower(recipient) = wanted.email and recipient is not null offset 0
      ) as event
      where event.client_id = _source.client_id and event.source_id = _source.id
        and event.state = 'counted' and event.metric = 'positive_replies'
      group by wanted.email
    ) as interest cross join lateral (
      select event.event_key, event.reply, event.step, event.approval_id, event.happened_at,
        case event.metric when 'positive_replies' then 1 when 'replies' then 2 else 3 end as rank,
        abs(extract(epoch from event.happened_at - interest.received_at)) as distance
      from (
        select * from public.inbound_events where lower(recipient) = interest.email and recipient is not null offset 0
      ) as event
      where event.client_id = _source.client_id and event.source_id = _source.id and event.state = 'counted'
        and event.metric in ('sent', 'replies', 'positive_replies')
    ) as seen
    group by interest.email, interest.received_at
  )
  insert into public.client_leads as lead (
    client_id, campaign_id, email, name, company, title, words, step, approval_id, received_at, origin
  )
  select _source.client_id, _source.campaign_id, email, coalesce(name, ''), coalesce(company, ''), coalesce(title, ''),
    coalesce(words, ''), step, approval_id, received_at, 'reply'
  from read order by received_at, email
  on conflict (client_id, campaign_id, email) where email <> '' do update set
    -- What a person wrote stays. An event without a part keeps the former value.
    name = case when lead.origin = 'person' and lead.name <> '' or excluded.name = '' then lead.name else excluded.name end,
    company = case
      when lead.origin = 'person' and lead.company <> '' or excluded.company = '' then lead.company else excluded.company
    end,
    title = case when lead.origin = 'person' and lead.title <> '' or excluded.title = '' then lead.title else excluded.title end,
    words = case when lead.origin = 'person' and lead.words <> '' or excluded.words = '' then lead.words else excluded.words end,
    step = case when lead.origin = 'person' then coalesce(lead.step, excluded.step) else coalesce(excluded.step, lead.step) end,
    approval_id = case
      when lead.origin = 'person' then coalesce(lead.approval_id, excluded.approval_id)
      else coalesce(excluded.approval_id, lead.approval_id)
    end,
    received_at = least(lead.received_at, excluded.received_at);
end
$$;

create function private.add_meeting_result(
  _client_id uuid, _meeting_id uuid, _former_number integer, _status text, _amount numeric, _reason text, _user_id uuid
) returns integer language plpgsql security definer set search_path = '' as $$
declare
  _meeting public.client_meetings;
  _number integer;
  _said constant text := case _status when 'lost' then btrim(coalesce(_reason, ''), E' \t\r\n') else '' end;
begin
  select * into _meeting from public.client_meetings where client_id = _client_id and id = _meeting_id for update;
  if not found then
    raise exception 'This meeting no longer exists.' using errcode = 'P0001';
  elsif _meeting.outcome <> 'held' then
    raise exception 'Only a meeting that was held has a result.' using errcode = 'P0001';
  elsif _meeting.answer = 'disputed' then
    raise exception 'This meeting is disputed. Settle the dispute first.' using errcode = 'P0001';
  end if;
  select coalesce(max(number), 0) into _number from public.client_meeting_results
  where client_id = _client_id and meeting_id = _meeting_id;
  if _number is distinct from _former_number then
    raise exception 'Someone else has already reported a result of this meeting. Reload the page to read it.' using errcode = 'P0001';
  elsif _number >= 200 then
    raise exception 'A meeting can have at most 200 reported results.' using errcode = 'P0001';
  elsif _status = 'won' and _amount is null then
    raise exception 'Please enter the amount of the deal.' using errcode = 'P0001';
  elsif _status in ('won', 'opportunity') and not coalesce(_amount between 0 and 1000000000000, true) then
    raise exception 'An amount must be between 0 and 1,000,000,000,000.' using errcode = 'P0001';
  elsif _status = 'lost' and _said = '' then
    raise exception 'Please say why the deal was lost.' using errcode = 'P0001';
  end if;
  insert into public.client_meeting_results (client_id, meeting_id, number, status, amount, reason, reported_by)
  values (
    _client_id, _meeting_id, _number + 1, _status, case when _status in ('won', 'opportunity') then _amount end, _said,
    _user_id
  );
  perform private.set_lead_of_result(_meeting, _number + 1, _user_id);
  return _number + 1;
end
$$;
revoke all on function private.add_meeting_result(_client_id uuid, _meeting_id uuid, _former_number integer, _status text, _amount numeric, _reason text, _user_id uuid) from public, anon, authenticated, service_role;

create function private.fee_of_period(_client_id uuid, _from date, _until date, out fee numeric, out since date)
language sql stable security definer set search_path = '' as $$
  select
    round(sum(
      latest.amount * (least(_until, month.last_day) - greatest(_from, month.first_day) + 1)
        / (month.last_day - month.first_day + 1)
    ), 2),
    min(greatest(_from, month.first_day))
  from (
      select day::date as first_day, (day + interval '1 month - 1 day')::date as last_day
      from generate_series(date_trunc('month', _from::timestamp), _until::timestamp, interval '1 month') as day
    ) as month
    cross join lateral (
      select amount from public.client_fees
      where client_id = _client_id and first_month <= month.first_day order by first_month desc, number desc limit 1
    ) as latest
  where latest.amount > 0
$$;
revoke all on function private.fee_of_period(_client_id uuid, _from date, _until date, OUT fee numeric, OUT since date) from public, anon, authenticated, service_role;

create function private.funnel_items(_client public.clients, _from date, _until date) returns table (
  id uuid, steps text[], name text, at timestamptz, day date, status text, result text, amount numeric, lead_id uuid
) language sql stable security definer set search_path = '' as $$
  select lead.id, array['interested'], private.name_of_lead(lead), lead.received_at,
    (lead.received_at at time zone _client.time_zone)::date, lead.status, null, null::numeric, null::uuid
  from public.client_leads as lead
  where lead.client_id = _client.id and lead.received_at >= _from::timestamp at time zone _client.time_zone
    and lead.received_at < (_until + 1)::timestamp at time zone _client.time_zone
  union all
  select meeting.id,
    array['booked'] || case when meeting.state <> 'held' then '{}'::text[] else array['held'] || case
      when latest.status is null then array['not_reported']
      when latest.status = 'opportunity' then array['opportunities']
      when latest.status = 'won' then array['won']
      else '{}'
    end end,
    meeting.met_with, meeting.starts_at, meeting.booked_on, meeting.state,
    case when meeting.state = 'held' then latest.status end, case when meeting.state = 'held' then latest.amount end,
    meeting.lead_id
  from (
      select *, case when client_meetings.answer = 'disputed' then 'disputed' else client_meetings.outcome end as state
      from public.client_meetings
    ) as meeting
    left join lateral (
      select result.status, result.amount from public.client_meeting_results as result
      where result.client_id = meeting.client_id and result.meeting_id = meeting.id order by result.number desc limit 1
    ) as latest on true
  where meeting.client_id = _client.id and meeting.booked_on between _from and _until
$$;
revoke all on function private.funnel_items(_client clients, _from date, _until date) from public, anon, authenticated, service_role;

create function private.funnel_of_period(_client public.clients, _from date, _until date) returns jsonb
language sql stable security definer set search_path = '' as $$
  with items as materialized (
    select steps from private.funnel_items(_client, _from, _until)
  )
  select jsonb_build_object('first_day', _from, 'last_day', _until)
    || (
      select jsonb_object_agg(figure.metric, (
        select sum(counted.value) from private.counted_figures as counted
        where counted.client_id = _client.id and counted.metric = figure.metric and counted.first_day between _from and _until
      ))
      from unnest(array['delivered', 'replies']) as figure (metric)
    )
    || (
      select jsonb_object_agg(step, (select count(*) from items where step = any (items.steps)))
      from unnest(array['interested', 'booked', 'held', 'opportunities', 'won', 'not_reported']) as step
    )
$$;
revoke all on function private.funnel_of_period(_client clients, _from date, _until date) from public, anon, authenticated, service_role;

create or replace function private.is_mailed_link_live(_link private.mailed_links) returns boolean
language sql stable security definer set search_path = '' as $$
  select _link.expires_at >= now() and exists (
    select from public.client_members as member
      join public.user_roles as roles on roles.user_id = member.user_id
      join auth.users as person on person.id = member.user_id
    where member.client_id = _link.client_id and member.user_id = _link.user_id and member.kind = 'approver'
      and roles.role = 'client' and roles.approved
      and coalesce(person.banned_until <= now(), true)
      and private.hash_of_link(_link.token_hash || lower(person.email)) = _link.address_hash
  ) and (_link.meeting_id is null or exists (
    select from public.client_meetings as meeting
    where meeting.client_id = _link.client_id and meeting.id = _link.meeting_id and meeting.outcome = 'held'
      and meeting.answer is distinct from 'disputed' and _link.number = (
        select coalesce(max(result.number), 0) from public.client_meeting_results as result
        where result.client_id = meeting.client_id and result.meeting_id = meeting.id
      )
  ))
$$;

create or replace function private.lead_with_history(_client_id uuid, _id uuid, _works_for boolean) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select jsonb_build_object(
      'id', lead.id, 'name', lead.name, 'email', lead.email, 'company', lead.company, 'title', lead.title,
      'words', lead.words, 'campaign_id', lead.campaign_id, 'campaign', campaigns.name, 'step', lead.step, 'approval_id', lead.approval_id,
      'text', approvals.title, 'received_at', lead.received_at, 'origin', lead.origin, 'status', lead.status,
      'reason', lead.reason, 'taken_by', coalesce(private.shown_name(lead.taken_by, _works_for), ''), 'taken_at', lead.taken_at,
      'added_by', coalesce(private.shown_name(lead.added_by, _works_for), ''),
      'list_row', private.list_row_of_lead(lead),
      'meetings', coalesce((
        select jsonb_agg(jsonb_build_object(
          'id', meeting.id, 'starts_at', meeting.starts_at, 'outcome', meeting.outcome
        ) order by meeting.starts_at desc, meeting.id)
        from public.client_meetings as meeting where meeting.client_id = lead.client_id and meeting.lead_id = lead.id
      ), '[]'),
      'changes', coalesce((
        select jsonb_agg(jsonb_build_object(
          'number', number, 'status', change.status, 'reason', change.reason, 'at', change.created_at,
          'by', coalesce(private.shown_name(change.changed_by, _works_for), '')
        ) order by number desc)
        from public.client_lead_changes as change where change.client_id = lead.client_id and change.lead_id = lead.id
      ), '[]')
    )
    from public.client_leads as lead
      left join public.campaigns on campaigns.client_id = lead.client_id and campaigns.id = lead.campaign_id
      left join public.approvals on approvals.client_id = lead.client_id and approvals.id = lead.approval_id
    where lead.client_id = _client_id and lead.id = _id
  );
end
$$;

create function private.list_row_of_lead(_lead public.client_leads) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'approval_id', item.approval_id, 'title', version.title, 'number', item.number, 'decided_at', list.decided_at,
    'line', item.line, 'company', item.company, 'domain', item.domain, 'person', item.person, 'hint', item.hint
  )
  from (
      -- offset 0 stops the planner from adding other conditions, so that the indexes on fingerprint and domain are used.
      (
        select any_row.*, null::integer as domain_length from public.approval_rows as any_row
        where fingerprint = private.hash_of_address(_lead.email) offset 0
      )
      union all
      select company.* from (select string_to_array(regexp_replace(_lead.email, '^.*@', ''), '.')) as parts (labels)
        cross join lateral generate_subscripts(labels, 1) as n
        cross join lateral (
          select any_row.*, length(domain) from public.approval_rows as any_row
          where domain = array_to_string(labels[n:], '.') and fingerprint is null offset 0
        ) as company
    ) as item
    join private.lists_of_campaign(_lead.client_id, _lead.campaign_id) as list
      on list.approval_id = item.approval_id and list.number = item.number and list.starts_at <= _lead.received_at
    join public.approval_versions as version
      on version.client_id = item.client_id and version.approval_id = item.approval_id and version.number = item.number
  where _lead.email like '%@%' and item.client_id = _lead.client_id and not exists (
    select from public.approval_vetoes as veto
    where veto.client_id = item.client_id and veto.approval_id = item.approval_id and veto.number = item.number
      and veto.line = item.line
  )
  order by item.domain_length is null desc, list.decided_at desc, item.domain_length desc, item.line limit 1
$$;
revoke all on function private.list_row_of_lead(_lead client_leads) from public, anon, authenticated, service_role;

create or replace function private.mail_client_about_approval(_version public.approval_versions) returns void
language sql security definer set search_path = '' as $$
  -- Materialized, because the planner could otherwise call count_for_subject() for other people's addresses.
  with people as materialized (
    select user_id, email, clients.name as client, approvals.title, approvals.kind
    from private.members_to_mail(_version.client_id, 'waiting'), public.clients
      join public.approvals on approvals.client_id = clients.id and approvals.id = _version.approval_id
    where clients.id = _version.client_id
  ), mailed as materialized (
    select *, private.new_link_token() as token, case
      when private.count_for_subject('approval mail', lower(email), 19, interval '1 day') then ''
      when private.count_for_subject('approval mail', lower(email), 20, interval '1 day')
        then 'This is the last approval email today. See your dashboard for further approvals.'
    end as more
    from people
  ), linked as (
    insert into private.mailed_links (token_hash, client_id, approval_id, number, user_id, address_hash)
    select hash, _version.client_id, _version.approval_id, _version.number, user_id,
      private.hash_of_link(hash || lower(email))
    from mailed, private.hash_of_link(token) as hash where more is not null
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'approval_asked', jsonb_build_object(
    'Email', email, 'ClientId', _version.client_id, 'Title', title, 'Client', client, 'More', more,
    'Message', case when kind = 'text' then private.first_lines(_version.text) else '' end,
    'Path', '/approve/' || token,
    'Access', 'The button works without a password for 14 days, in the first browser that opens it. Do not forward this email.',
    'What', case kind
      when 'text' then 'We wrote a text' when 'list' then 'We prepared a list'
      when 'criteria' then 'We wrote criteria for meetings' else 'We prepared a file'
    end,
    'Version', case
      when _version.number = 1 then ''
      when kind = 'text' then 'This is version ' || _version.number || ', with the changes marked.'
      else 'This is version ' || _version.number || '.'
    end,
    'Due', case
      when _version.due_on is null then ''
      else 'Please answer by ' || to_char(_version.due_on, 'FMDD FMMonth YYYY') || '.'
    end
  )
  from mailed where more is not null
$$;

create or replace function private.mail_client_about_lead() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Materialized, because the planner could otherwise call count_for_subject() for other people's addresses.
  with people as materialized (
    select member.user_id, member.email, membership.kind = 'approver' as is_approver, clients.name as client, (
      select campaigns.name from public.campaigns where campaigns.client_id = new.client_id and campaigns.id = new.campaign_id
    ) as campaign
    from private.members_to_mail(new.client_id, 'lead') as member
      join public.client_members as membership
        on membership.client_id = new.client_id and membership.user_id = member.user_id
      join auth.users on users.id = member.user_id and coalesce(users.banned_until <= now(), true)
      join public.clients on clients.id = new.client_id
  ), mailed as materialized (
    select *, private.new_link_token() as token, '/client-dashboard?client=' || new.client_id as portal, case
      when private.count_for_subject('lead mail', lower(email), 20, interval '1 day') then 'client_lead'
      when private.count_for_subject('lead mail', lower(email), 21, interval '1 day') then 'more_leads'
    end as template
    from people
  ), linked as (
    insert into private.mailed_links (token_hash, client_id, lead_id, user_id, address_hash)
    select hash, new.client_id, new.id, user_id, private.hash_of_link(hash || lower(email))
    from mailed, private.hash_of_link(token) as hash where template = 'client_lead' and is_approver
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, template, jsonb_build_object('Email', email, 'ClientId', new.client_id, 'Client', client) || case
    when template = 'more_leads' then jsonb_build_object('Path', portal || '&tab=leads')
    else jsonb_build_object(
      'Title', private.name_of_lead(new),
      'What', case when campaign is null then 'A new lead for ' || client || '.'
        else 'They answered the campaign “' || campaign || '” of ' || client || '.' end,
      'Message', case when new.words = '' then '' else '“' || left(new.words, 1500) || case when length(new.words) > 1500 then '…' else '' end || '”' end
    ) || case
      when is_approver then jsonb_build_object(
        'Path', '/lead/' || token, 'Action', 'I will take it',
        'Items', jsonb_build_array(
          jsonb_build_object('text', 'Not a fit', 'path', '/lead/' || token || '?answer=not_fit'),
          jsonb_build_object('text', 'Open it in your dashboard', 'path', portal || '#lead-' || new.id)
        ),
        'Access', 'The button and “Not a fit” open a page where you confirm your answer. They work without a password for 14 days, in the first browser that answers. Do not forward this email.'
      )
      else jsonb_build_object(
        'Path', portal || '#lead-' || new.id, 'Action', 'Open the lead', 'Access', 'The button opens your dashboard.'
      )
    end
  end
  from mailed where template is not null;
  return null;
end
$$;

create or replace function private.mail_client_about_quote(_quote public.figure_quotes) returns void
language sql security definer set search_path = '' as $$
  with people as materialized (
    select email, clients.name as client, private.format_figure_quote(_quote) as words, projects.title
    from private.members_to_mail(_quote.client_id, 'waiting'), public.clients, public.projects
    where clients.id = _quote.client_id and projects.id = _quote.project_id
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'quote_asked', jsonb_build_object(
    'Email', email, 'ClientId', _quote.client_id, 'Client', client, 'Figure', words, 'Title', title
  )
  from people where private.count_for_subject('approval mail', lower(email), 20, interval '1 day')
$$;

create or replace function private.mail_client_about_report(_report public.client_reports) returns void
language sql security definer set search_path = '' as $$
  -- Materialized, because the planner could otherwise call count_for_subject() for other people's addresses.
  with people as materialized (
    select member.email, clients.name as client
    from private.members_to_mail(_report.client_id, 'report') as member join public.clients on clients.id = _report.client_id
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'client_report', jsonb_build_object(
    'Email', email, 'ClientId', _report.client_id, 'Client', client, 'ReportId', _report.id, 'Hash', _report.hash, 'Message', _report.summary,
    'Period', case _report.span when 'month' then to_char(_report.first_day, 'FMMonth YYYY')
      else to_char(_report.first_day, 'FMDD FMMonth') || ' to ' || to_char(_report.last_day, 'FMDD FMMonth YYYY') end,
    'Correction', case when _report.corrects is null then '' else 'It replaces the report that we sent before.' end
  ) || private.mailed_figures(_report)
  from people where private.count_for_subject('report mail', lower(email), 20, interval '1 day')
$$;

create or replace function private.mail_next_meeting_results() returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  _user_id constant uuid := (select user_id from private.result_requests_due order by due_at limit 1);
begin
  if _user_id is null then
    return false;
  end if;
  -- Serialises the processes, so that the next statement sees the mail of another one.
  perform from public.user_roles where user_id = _user_id for update;
  with due as materialized (
    select *, row_number() over (order by starts_at desc, client_id, meeting_id) as place, private.new_link_token() as token
    from private.result_requests_due where user_id = _user_id
  ), noted as (
    insert into private.result_requests (client_id, meeting_id, step, user_id)
    select client_id, meeting_id, step, user_id from due
  ), linked as (
    insert into private.mailed_links (token_hash, client_id, meeting_id, number, user_id, address_hash)
    select hash, client_id, meeting_id, (
      select coalesce(max(result.number), 0) from public.client_meeting_results as result
      where result.client_id = due.client_id and result.meeting_id = due.meeting_id
    ), user_id, private.hash_of_link(hash || lower(email))
    from due, private.hash_of_link(token) as hash where place <= 20
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'meeting_results', jsonb_build_object('Email', email, 'Items', jsonb_agg(case
    when place > 20 then jsonb_build_object('text', 'And ' || count - 20 || ' more', 'path', '/client-dashboard')
    else jsonb_build_object(
      'text', client || ': ' || met_with || ', ' || to_char(starts_at at time zone time_zone, 'FMDD FMMonth YYYY'),
      'path', '/result/' || token, 'client_id', client_id
    )
  end order by place))
  from due cross join (select count(*) from due) as counted
  where place <= 21
  group by email;
  return true;
end
$$;

create or replace function private.mail_next_waiting_lead(_now timestamptz default now()) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  _lead public.client_leads;
begin
  select lead.* into _lead from public.client_leads as lead join public.clients on clients.id = lead.client_id
  where lead.status = 'new' and lead.reminded_at is null and lead.changed_at <= _now - interval '20 hours'
    and not clients.is_sample and private.end_of_working_day(lead.changed_at, clients.time_zone) <= _now
  order by lead.changed_at limit 1 for update of lead skip locked;
  if not found then
    return false;
  end if;
  update public.client_leads set reminded_at = now() where client_id = _lead.client_id and id = _lead.id;
  with assigned as (
    select user_id from public.client_assignments
      join public.user_roles using (user_id)
      join auth.users on users.id = user_id and coalesce(users.banned_until <= now(), true)
    where client_id = _lead.client_id and user_roles.role in ('team', 'admin') and approved
  ), people as materialized (
    select users.id, users.email, clients.name as client
    from auth.users join public.user_roles on user_roles.user_id = users.id, public.clients
    where clients.id = _lead.client_id and users.email <> '' and coalesce(users.banned_until <= now(), true) and (
      users.id in (select user_id from assigned)
      or not exists (select from assigned) and user_roles.role = 'admin' and user_roles.approved
    )
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'lead_waiting', jsonb_build_object(
    'Email', email, 'ClientId', _lead.client_id, 'Client', client, 'Title', private.name_of_lead(_lead),
    'Path', private.team_path(id, _lead.client_id, 'lead-' || _lead.id)
  )
  from people where private.count_for_subject('waiting lead mail', lower(email), 20, interval '1 day');
  return true;
end
$$;

create or replace function private.mail_requester_about_decision(_decision public.approval_decisions) returns void
language sql security definer set search_path = '' as $$
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
    'Email', email, 'ClientId', _decision.client_id, 'Title', title, 'Client', client, 'Message', _decision.comment,
    'Path', private.team_path(id, _decision.client_id, 'approval-' || _decision.approval_id),
    'Verdict', case
      when is_wording then 'Approved with changes'
      when _decision.verdict = 'yes' then 'Approved'
      when _decision.verdict = 'changes' then 'Changes requested'
      else 'Declined'
    end
  )
  from asker where private.count_for_subject('decision mail', lower(email), 100, interval '1 day')
$$;

create or replace function private.mail_requester_about_quote(_quote public.figure_quotes, _verdict text) returns void
language sql security definer set search_path = '' as $$
  -- Materialized, because the planner could otherwise call count_for_subject() for other people's addresses.
  with asker as materialized (
    select users.email, clients.name as client, private.format_figure_quote(_quote) as words
    from public.user_roles join auth.users on users.id = user_roles.user_id, public.clients
    where user_roles.user_id = _quote.asked_by and user_roles.role = 'admin' and approved and clients.id = _quote.client_id and users.email <> ''
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'approval_decided', jsonb_build_object(
    'Email', email, 'ClientId', _quote.client_id, 'Client', client, 'Verdict', _verdict, 'Title', coalesce(words, 'A figure'), 'Message', case _verdict
      when 'Agreed' then 'The page now shows the figure.' else 'The page does not show the figure.'
    end
  )
  from asker where private.count_for_subject('decision mail', lower(email), 100, interval '1 day')
$$;

create or replace function private.mail_team_about_alarm(_client_id uuid, _text text) returns void
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

create or replace function private.mail_unread_reminders(_at_most integer default null) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  _told integer;
begin
  with news as (
    insert into private.unread_reminders (client_id, approval_id, number)
    select unread.client_id, unread.approval_id, unread.number
    from private.unread_approvals() as unread
    where not exists (
      select from private.unread_reminders as reminder
      where (reminder.client_id, reminder.approval_id, reminder.number) = (unread.client_id, unread.approval_id, unread.number)
    )
    limit _at_most
    on conflict do nothing
    returning *
  ), mails as (
    insert into private.mail_queue (recipient, template, variables)
    select users.email, 'approval_unread', jsonb_build_object(
      'Email', users.email, 'ClientId', clients.id, 'Client', clients.name, 'Items', jsonb_agg(jsonb_build_object(
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
$$;

create or replace function private.mailed_link_of(
  _token text, _holder text, _subject text, out link private.mailed_links, out refusal text
) returns record language plpgsql security definer set search_path = '' as $$
begin
  if not private.count_for_address(_subject || ' link', private.client_address(), 60, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'Too many attempts from your network. Try again in an hour, or sign in.';
  elsif coalesce(length(_holder), 0) not between 32 and 100 then
    raise exception 'The browser secret must have between 32 and 100 characters.' using errcode = '22023';
  end if;
  select found.* into link from private.mailed_links as found
  where found.token_hash = private.hash_of_link(left(_token, 200))
    and case _subject when 'lead' then found.lead_id when 'result' then found.meeting_id else found.approval_id end is not null
  for update;
  if link.token_hash is null or not private.is_mailed_link_live(link) then
    refusal := case _subject
      when 'lead' then 'This link has expired, or the lead was deleted. Sign in to see your leads.'
      when 'result' then 'This link has expired, or the result was reported in the meantime. Sign in to see your meetings.'
      else 'This link has expired. Sign in to see your open approvals.'
    end;
  elsif link.holder_hash <> private.hash_of_link(_holder) then
    refusal := 'This link was opened in another browser. Use that one, or sign in.';
  end if;
end
$$;

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
revoke all on function private.readable_mail(_recipient text, _variables jsonb) from public, anon, authenticated, service_role;

create or replace function private.report_figures(_client public.clients, _span text, _first_day date, _last_day date) returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.report_figures_of_period(_client, _span, _first_day, _last_day)
    || jsonb_build_object(
      'weeks', private.report_weeks(_client, _last_day), 'funnel', private.funnel_of_period(_client, _last_day - 89, _last_day)
    )
$$;

create or replace function private.send_monday_list(_now timestamptz default now()) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  _there constant timestamp := _now at time zone coalesce(
    (select time_zone from public.booking_rules limit 1), 'Europe/Oslo'
  );
  _monday constant date := date_trunc('week', _there)::date;
begin
  if _there < _monday + interval '9 hours' or _there >= _monday + interval '2 days' then
    return false;
  end if;
  insert into private.monday_lists (monday) values (_monday) on conflict do nothing;
  if not found then
    return false;
  end if;
  insert into private.mail_queue (recipient, template, variables)
  select users.email, 'monday_list', jsonb_build_object(
    'Email', users.email,
    'Count', case count(*) when 1 then '1 task' else count(*) || ' tasks' end,
    'Items', jsonb_agg(jsonb_build_object('text', task.words, 'client_id', task.client_id, 'path', case task.kind
      when 'report' then '/reports/' || task.item_id
      when 'alarm' then private.team_path(users.id, task.client_id, 'alarms')
      else private.team_path(users.id, task.client_id, task.kind || '-' || task.item_id)
    end) order by task.kind <> 'report', task.words)
  )
  from private.team_tasks() as task
    join public.user_roles as roles on roles.approved and (
      roles.role = 'admin'
      or roles.role = 'team' and exists (
        select from public.client_assignments as assignment
        where assignment.client_id = task.client_id and assignment.user_id = roles.user_id
      )
    )
    join auth.users on users.id = roles.user_id
  where users.email <> ''
  group by users.id, users.email;
  return true;
end
$$;

create function private.set_lead_of_result(_meeting public.client_meetings, _number integer, _user_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _lead public.client_leads;
  _report public.client_meeting_results;
  _former text;
  -- Time of the first of the former reports in a row with the same status. A lead that it set was changed at this time.
  _since timestamptz;
  _status text;
begin
  select * into _lead from public.client_leads where client_id = _meeting.client_id and id = _meeting.lead_id for update;
  if not found then
    return;
  end if;
  select * into _report from public.client_meeting_results
  where client_id = _meeting.client_id and meeting_id = _meeting.id and number = _number;
  select status into _former from public.client_meeting_results
  where client_id = _meeting.client_id and meeting_id = _meeting.id and number = _number - 1;
  select min(created_at) into _since from public.client_meeting_results
  where client_id = _meeting.client_id and meeting_id = _meeting.id and number < _number and number > (
    select coalesce(max(number), 0) from public.client_meeting_results
    where client_id = _meeting.client_id and meeting_id = _meeting.id and number < _number and status <> _former
  );
  if _report.status in ('won', 'lost') then
    _status := case when _former = 'won' and _lead.changed_at > _since then _lead.status else _report.status end;
  elsif _former in ('won', 'lost') and _lead.status = _former and _lead.changed_at = _since and not exists (
    select from public.client_meetings as other
    where other.client_id = _meeting.client_id and other.lead_id = _lead.id and other.id <> _meeting.id and _former = (
      select status from public.client_meeting_results
      where client_id = other.client_id and meeting_id = other.id order by number desc limit 1
    )
  ) then
    _status := 'meeting';
  end if;
  if _status <> _lead.status then
    perform private.change_lead(_meeting.client_id, _lead.id, _lead.status, _status, _report.reason, _user_id);
  end if;
end
$$;
revoke all on function private.set_lead_of_result(_meeting client_meetings, _number integer, _user_id uuid) from public, anon, authenticated, service_role;

create or replace function public.add_sample_client() returns uuid language plpgsql security definer set search_path = '' as $$
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
  update public.client_meetings as meeting set origin = 'completed', kept_by = _person, starts_at = planned.at,
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
    client_id, booked_on, starts_at, met_with, outcome, evidence, answer_until, answer, reason, answered_at, kept_by
  ) values
    (_client, _monday - 3, now() + interval '3 days', 'Ingrid Berg, Havn Hotel', 'booked', 'Accepted the invitation.', null, null, '', null, _person),
    (_client, _monday - 5, now() - interval '2 days', 'Jonas Lie, Brygga Bakery', 'held', 'Recorded, 28 minutes.', now() + interval '12 days',
      null, '', null, _person),
    (_client, _monday - 10, now() - interval '6 days', 'Siri Moe, Fjordbygg', 'no_show', 'Waited ten minutes; a new time is asked for.',
      now() + interval '8 days', 'disputed', 'We had agreed on another day.', now() - interval '5 days', _person),
    (_client, _monday - 12, now() - interval '9 days', 'Per Dahl, Sentrum Offices', 'held', 'Recorded, 41 minutes.', now() + interval '5 days',
      'accepted', '', now() - interval '8 days', _person);

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

create or replace function public.answer_client_meeting(
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
      where user_roles.user_id = _meeting.kept_by and user_roles.role in ('team', 'admin') and approved
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

create or replace function public.client_archive(_client_id uuid, _part text, _offset integer default 0) returns setof jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  _works_for constant boolean := private.works_for_client(_client_id);
  _from constant integer := greatest(_offset, 0);
begin
  case _part
    when 'campaigns' then return query
      select jsonb_build_object('name', name, 'channel', channel, 'phase', phase, 'next_step', next_step, 'due_on', due_on,
        'added_at', created_at, 'changed_at', updated_at, 'id', id)
      from public.campaigns where client_id = _client_id and deleted_at is null order by name, id limit 1000 offset _from;
    when 'figures' then return query
      select jsonb_build_object('campaign', campaigns.name, 'metric', metric, 'first_day', first_day, 'last_day', last_day,
        'value', value, 'import', batch_id)
      from private.counted_figures as figures
        left join public.campaigns on campaigns.client_id = figures.client_id and campaigns.id = figures.campaign_id
      where figures.client_id = _client_id
      order by campaign_id, metric, first_day, batch_id limit 5000 offset _from;
    when 'imports' then return query
      select jsonb_build_object('id', batch.id, 'file', file_name, 'sha256', file_hash, 'new', new_count, 'changed', changed_count,
        'same', same_count, 'refused', refused_count, 'by', private.shown_name(imported_by, _works_for), 'at', batch.created_at,
        'undone_at', undone_at)
      from public.import_batches as batch where client_id = _client_id
      order by batch.created_at, batch.id limit 1000 offset _from;
    when 'approvals' then return query
      select jsonb_build_object('title', version.title, 'version', version.number, 'text', text, 'due_on', due_on,
        'asked_by', private.shown_name(asked_by, _works_for), 'asked_at', version.created_at, 'decision', verdict,
        'comment', comment, 'decided_by', coalesce(
          nullif(decision.decided_by_name, ''), case when _works_for then nullif(decision.decided_by_address, '') end,
          private.shown_name(decided_by, _works_for)
        ), 'decided_at', decision.created_at,
        'approval', version.approval_id, 'sha256', private.approval_version_hash(version, decision.file_sha256))
      from public.approval_versions as version
        join public.approvals on approvals.client_id = version.client_id and approvals.id = version.approval_id
        left join public.approval_decisions as decision on decision.client_id = version.client_id
          and decision.approval_id = version.approval_id and decision.number = version.number
      where version.client_id = _client_id
      order by approvals.created_at, version.approval_id, version.number limit 200 offset _from;
    when 'meetings' then return query
      select jsonb_build_object('booked_on', booked_on, 'starts_at', starts_at, 'with', met_with, 'campaign', campaigns.name, 'outcome', outcome, 'evidence', evidence,
        'answer', answer, 'reason', reason, 'answered_by', private.shown_name(answered_by, _works_for),
        'answered_at', answered_at, 'answer_until', answer_until, 'role', role, 'company_size', company_size, 'country', country,
        'is_customer', case is_customer when true then 'yes' when false then 'no' end, 'minutes', minutes,
        'criterion', criterion, 'lead', lead_id, 'meeting', meeting.id)
      from public.client_meetings as meeting
        left join public.campaigns on campaigns.client_id = meeting.client_id and campaigns.id = meeting.campaign_id
      where meeting.client_id = _client_id order by booked_on, meeting.id limit 1000 offset _from;
    when 'meeting_changes' then return query
      select jsonb_build_object('meeting', meeting_id, 'at', created_at, 'status', status, 'reason', reason, 'criterion', criterion,
        'by', private.shown_name(changed_by, _works_for))
      from public.client_meeting_changes where client_id = _client_id order by meeting_id, number limit 1000 offset _from;
    when 'meeting_results' then return query
      select jsonb_build_object('meeting', meeting_id, 'at', created_at, 'status', status,
        'amount', case when private.sees_amounts(_client_id) then amount end, 'reason', reason,
        'by', private.shown_name(reported_by, _works_for))
      from public.client_meeting_results where client_id = _client_id order by meeting_id, number limit 1000 offset _from;
    when 'fees' then
      if private.sees_amounts(_client_id) then
        return query
          select jsonb_build_object('number', number, 'from', first_month, 'amount', amount,
            'by', private.shown_name(set_by, _works_for), 'at', created_at)
          from public.client_fees where client_id = _client_id order by number limit 1000 offset _from;
      end if;
    when 'meeting_months' then return query
      select jsonb_build_object('name', to_char(first_day, 'YYYY-MM'), 'hash', hash, 'closed_at', closed_at,
        'closed_by', private.shown_name(closed_by, _works_for), 'document', sheet)
      from public.client_meeting_months where client_id = _client_id order by first_day limit 100 offset _from;
    when 'leads' then return query
      select jsonb_build_object('received_at', received_at, 'name', lead.name, 'email', email, 'company', company, 'title', lead.title,
        'campaign', campaigns.name, 'step', step, 'text', approvals.title, 'words', words, 'status', status, 'reason', reason,
        'taken_by', private.shown_name(taken_by, _works_for), 'taken_at', taken_at, 'lead', lead.id)
      from public.client_leads as lead
        left join public.campaigns on campaigns.client_id = lead.client_id and campaigns.id = lead.campaign_id
        left join public.approvals on approvals.client_id = lead.client_id and approvals.id = lead.approval_id
      where lead.client_id = _client_id order by received_at, lead.id limit 200 offset _from;
    when 'lead_changes' then return query
      select jsonb_build_object('lead', lead_id, 'at', created_at, 'status', status, 'reason', reason,
        'by', private.shown_name(changed_by, _works_for))
      from public.client_lead_changes where client_id = _client_id order by lead_id, number limit 1000 offset _from;
    when 'leave_alone' then return query
      select jsonb_build_object('kind', kind, 'entry', hint, 'added_at', created_at)
      from public.do_not_contact where client_id = _client_id order by created_at, id limit 1000 offset _from;
    when 'figures_on_the_site' then return query
      select jsonb_build_object('figure', private.format_figure_quote(quote), 'page', coalesce(projects.title, 'a page that was deleted'),
        'asked_by', private.shown_name(asked_by, _works_for), 'asked_at', asked_at, 'answer', answer,
        'answered_by', private.shown_name(answered_by, _works_for), 'answered_at', answered_at,
        'withdrawn_by', private.shown_name(withdrawn_by, _works_for), 'withdrawn_at', withdrawn_at, 'ended_at', ended_at,
        'quote', quote.id)
      from public.figure_quotes as quote left join public.projects on projects.id = quote.project_id
      where quote.client_id = _client_id order by quote.asked_at, quote.id limit 200 offset _from;
    when 'reports' then return query
      select jsonb_build_object('name', first_day || '-' || span || case when corrects is null then '' else '-correction' end,
        'hash', hash, 'sent_at', sent_at, 'document', private.report_document(client_reports), 'id', id)
      from public.client_reports where client_id = _client_id and sent_at is not null order by sent_at, id
      limit 100 offset _from;
    else raise exception 'This part of the archive does not exist.' using errcode = '22023';
  end case;
end
$$;

create function public.client_funnel(_client_id uuid, _from date, _until date) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  _client public.clients;
  _funnel jsonb;
  _fee numeric;
  _since date;
begin
  perform private.works_for_client(_client_id);
  if not coalesce(_until - _from between 0 and 3660, false) then
    raise exception 'A period can have at most ten years.' using errcode = '22023';
  end if;
  select * into _client from public.clients where id = _client_id;
  _funnel := private.funnel_of_period(_client, _from, _until);
  if private.sees_amounts(_client_id) then
    select fee, since into _fee, _since from private.fee_of_period(_client_id, _from, _until);
  end if;
  return _funnel || jsonb_build_object('cost', case when _fee is not null then jsonb_build_object(
    'fee', _fee, 'since', nullif(_since, _from),
    'per_held', round(_fee / nullif((_funnel ->> 'held')::numeric, 0), 2),
    'per_won', round(_fee / nullif((_funnel ->> 'won')::numeric, 0), 2)
  ) end);
end
$$;
revoke all on function public.client_funnel(_client_id uuid, _from date, _until date) from public, anon, authenticated, service_role;

create or replace function public.import_posts(_posts jsonb) returns table (post_id uuid, post_slug text)
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return query
    with source as (
      select * from jsonb_to_recordset(_posts) as item (
        id uuid, title text, slug text, excerpt text, content text, category text, status text, featured_image text,
        published_date timestamptz, aliases text[]
      )
    ), created as (
      insert into public.posts (id, title, slug, excerpt, content, category, status, featured_image, published_date)
      select coalesce(id, gen_random_uuid()), title, slug, excerpt, content, category, status, featured_image,
        published_date
      from source
      on conflict do nothing
      returning id, slug
    ), redirects as (
      insert into public.slug_aliases (kind, slug, item_id)
      select distinct on (alias) 'posts', alias, created.id
      from created join source using (slug), unnest(source.aliases) as alias
      on conflict (kind, slug) do update set item_id = excluded.item_id, created_at = now()
      where not exists (select from public.posts where posts.id = slug_aliases.item_id)
    )
    select created.id, created.slug from created;
end
$$;

create function public.list_client_fees(_client_id uuid) returns table (
  number integer, first_month date, amount numeric, set_by text, created_at timestamptz
) language plpgsql stable security definer set search_path = '' as $$
declare
  _works_for constant boolean := private.works_for_client(_client_id);
begin
  if not private.sees_amounts(_client_id) then
    raise exception 'Only approvers can read the fee.' using errcode = '42501';
  end if;
  return query
    select fee.number, fee.first_month, fee.amount, coalesce(private.shown_name(fee.set_by, _works_for), '')::text, fee.created_at
    from public.client_fees as fee where fee.client_id = _client_id order by fee.number desc;
end
$$;
revoke all on function public.list_client_fees(_client_id uuid) from public, anon, authenticated, service_role;

create function public.list_client_meetings(
  _client_id uuid, _limit integer default 24, _offset integer default 0, _id uuid default null
) returns table (
  id uuid, starts_at timestamptz, met_with text, outcome text, evidence text, answer_until timestamptz, answer text,
  reason text, answered_by text, answered_at timestamptz, is_open boolean, waiting integer, total integer, campaign_id uuid,
  campaign text, booked_on date, origin text, details jsonb
) language plpgsql stable security definer set search_path = '' as $$
declare
  _works_for constant boolean := private.works_for_client(_client_id);
begin
  return query
    select meeting.id, meeting.starts_at, meeting.met_with, meeting.outcome, meeting.evidence, meeting.answer_until,
      meeting.answer, meeting.reason,
      coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), case when _works_for then users.email end, '')::text,
      meeting.answered_at, meeting.is_open, meeting.waiting, meeting.total, meeting.campaign_id, campaigns.name,
      meeting.booked_on, meeting.origin, private.meeting_details(_client_id, meeting.id, _works_for)
    from (
      select *, count(*) over ()::integer as total,
        count(*) filter (where any_meeting.is_open and any_meeting.answer is null) over ()::integer as waiting
      from (
        select *, coalesce(client_meetings.answer_until > now(), false) and client_meetings.answer is distinct from 'accepted' as is_open,
          client_meetings.id in (select meeting_id from private.awaited_results where awaited_results.client_id = _client_id) as is_awaited
        from public.client_meetings where client_id = _client_id and (_id is null or client_meetings.id = _id)
      ) as any_meeting
      order by (any_meeting.is_open and any_meeting.answer is null) desc, any_meeting.is_awaited desc,
        coalesce(any_meeting.starts_at, any_meeting.booked_on) desc, any_meeting.id
      limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0)
    ) as meeting left join auth.users on users.id = meeting.answered_by
      left join public.campaigns on campaigns.client_id = _client_id and campaigns.id = meeting.campaign_id
    order by (meeting.is_open and meeting.answer is null) desc, meeting.is_awaited desc,
      coalesce(meeting.starts_at, meeting.booked_on) desc, meeting.id;
end
$$;
revoke all on function public.list_client_meetings(_client_id uuid, _limit integer, _offset integer, _id uuid) from public, anon, authenticated, service_role;

create function public.list_funnel_items(
  _client_id uuid, _from date, _until date, _step text, _limit integer default 24, _offset integer default 0
) returns table (
  id uuid, name text, at timestamptz, day date, status text, result text, amount numeric, lead_id uuid, lead text, total integer
) language plpgsql stable security definer set search_path = '' as $$
declare
  _sees_amounts boolean;
begin
  perform private.works_for_client(_client_id);
  _sees_amounts := private.sees_amounts(_client_id);
  return query
    select item.id, item.name, item.at, item.day, item.status, item.result, case when _sees_amounts then item.amount end,
      item.lead_id, private.name_of_lead(client_leads), item.total
    from (
      select found.*, count(*) over ()::integer as total
      from public.clients cross join lateral private.funnel_items(clients, _from, _until) as found
      where clients.id = _client_id and _step = any (found.steps)
      order by found.day desc, found.at desc nulls last, found.id
      limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0)
    ) as item
      left join public.client_leads on client_leads.client_id = _client_id and client_leads.id = item.lead_id
    order by item.day desc, item.at desc nulls last, item.id;
end
$$;
revoke all on function public.list_funnel_items(_client_id uuid, _from date, _until date, _step text, _limit integer, _offset integer) from public, anon, authenticated, service_role;

create function public.open_result_link(_token text, _holder text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  _found constant record := private.mailed_link_of(_token, _holder, 'result');
  _link constant private.mailed_links := _found.link;
begin
  if _found.refusal is not null then
    return jsonb_build_object('refusal', _found.refusal);
  end if;
  return (
    select jsonb_build_object(
      'client', clients.name, 'currency', clients.currency,
      'person', private.recipient_of_link(_link), 'met_with', meeting.met_with, 'starts_at', meeting.starts_at,
      'report', (
        select jsonb_build_object(
          'number', number, 'status', status, 'amount', amount, 'reason', reason, 'at', created_at,
          'by', coalesce(private.shown_name(reported_by, false), '')
        )
        from public.client_meeting_results as result
        where result.client_id = meeting.client_id and result.meeting_id = meeting.id and result.number = _link.number
      )
    )
    from public.client_meetings as meeting join public.clients on clients.id = meeting.client_id
    where meeting.client_id = _link.client_id and meeting.id = _link.meeting_id
  );
end
$$;
revoke all on function public.open_result_link(_token text, _holder text) from public, anon, authenticated, service_role;

create or replace function public.report_meeting_result(
  _client_id uuid, _meeting_id uuid, _former_number integer, _status text, _amount numeric default null, _reason text default ''
) returns void language plpgsql security definer set search_path = '' as $$
begin
  if not private.works_for_client(_client_id) and _client_id not in (select private.clients_of_approver()) then
    raise exception 'You can read this, but only approvers can report results.' using errcode = '42501';
  end if;
  perform private.add_meeting_result(_client_id, _meeting_id, _former_number, _status, _amount, _reason, private.user_id());
end
$$;

create function public.report_result_by_link(
  _token text, _holder text, _former_number integer, _status text, _amount numeric default null, _reason text default ''
) returns text language plpgsql security definer set search_path = '' as $$
declare
  _found constant record := private.mailed_link_of(_token, _holder, 'result');
  _link constant private.mailed_links := _found.link;
  _number integer;
begin
  if _found.refusal is not null then
    return _found.refusal;
  end if;
  _number := private.add_meeting_result(
    _link.client_id, _link.meeting_id, _former_number, _status, _amount, _reason, _link.user_id
  );
  update private.mailed_links set holder_hash = private.hash_of_link(_holder), number = _number
  where token_hash = _link.token_hash;
  return null;
end
$$;
revoke all on function public.report_result_by_link(_token text, _holder text, _former_number integer, _status text, _amount numeric, _reason text) from public, anon, authenticated, service_role;

create function public.set_client_fee(_client_id uuid, _first_month date, _amount numeric, _former_number integer) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _number integer;
begin
  perform private.lock_assigned_client(_client_id);
  select coalesce(max(number), 0) into _number from public.client_fees where client_id = _client_id;
  if _number is distinct from _former_number then
    raise exception 'Someone else has changed the fee. Reload the page to read it.' using errcode = 'P0001';
  elsif _number >= 200 then
    raise exception 'The fee of a client can change at most 200 times.' using errcode = 'P0001';
  elsif _first_month is null or date_trunc('month', _first_month::timestamp) <> _first_month then
    raise exception 'A month is named by its first day.' using errcode = '22023';
  elsif _amount is null or _amount not between 0 and 1000000000000 then
    raise exception 'An amount must be between 0 and 1,000,000,000,000.' using errcode = 'P0001';
  end if;
  insert into public.client_fees (client_id, number, first_month, amount, set_by)
  values (_client_id, _number + 1, _first_month, _amount, private.user_id());
end
$$;
revoke all on function public.set_client_fee(_client_id uuid, _first_month date, _amount numeric, _former_number integer) from public, anon, authenticated, service_role;

alter table private.mailed_links add constraint mailed_links_client_id_meeting_id_fkey FOREIGN KEY (client_id, meeting_id) REFERENCES client_meetings(client_id, id) ON DELETE CASCADE;

alter table private.mailed_links add constraint mailed_links_subject_check1 CHECK (((num_nonnulls(approval_id, lead_id, meeting_id) = 1) AND ((lead_id IS NULL) = (number IS NOT NULL))));

create index mailed_links_meeting_idx on private.mailed_links (client_id, meeting_id);

create index client_fees_set_by_idx on public.client_fees (set_by);

create trigger reject_impersonated_writes before insert or update or delete on public.client_fees
  for each statement execute function private.reject_impersonated_writes();

alter table public.client_fees enable row level security;

create policy "Admins read all fees" on public.client_fees for select to authenticated using ((select private.is_admin()));

create policy "Approvers read the fees of their clients" on public.client_fees for select to authenticated
  using (client_id in (select private.clients_read_by_approver()));

create policy "Team members read the fees of their clients" on public.client_fees for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

grant execute on function public.client_funnel(_client_id uuid, _from date, _until date) to authenticated;

grant execute on function public.client_funnel(_client_id uuid, _from date, _until date) to service_role;

grant execute on function public.list_client_fees(_client_id uuid) to authenticated;

grant execute on function public.list_client_fees(_client_id uuid) to service_role;

grant execute on function public.list_client_meetings(_client_id uuid, _limit integer, _offset integer, _id uuid) to authenticated;

grant execute on function public.list_client_meetings(_client_id uuid, _limit integer, _offset integer, _id uuid) to service_role;

grant execute on function public.list_funnel_items(_client_id uuid, _from date, _until date, _step text, _limit integer, _offset integer) to authenticated;

grant execute on function public.list_funnel_items(_client_id uuid, _from date, _until date, _step text, _limit integer, _offset integer) to service_role;

grant execute on function public.open_result_link(_token text, _holder text) to anon;

grant execute on function public.open_result_link(_token text, _holder text) to authenticated;

grant execute on function public.open_result_link(_token text, _holder text) to service_role;

grant execute on function public.report_result_by_link(_token text, _holder text, _former_number integer, _status text, _amount numeric, _reason text) to anon;

grant execute on function public.report_result_by_link(_token text, _holder text, _former_number integer, _status text, _amount numeric, _reason text) to authenticated;

grant execute on function public.report_result_by_link(_token text, _holder text, _former_number integer, _status text, _amount numeric, _reason text) to service_role;

grant execute on function public.set_client_fee(_client_id uuid, _first_month date, _amount numeric, _former_number integer) to authenticated;

grant execute on function public.set_client_fee(_client_id uuid, _first_month date, _amount numeric, _former_number integer) to service_role;

grant select on table public.client_fees to authenticated;

grant all on table public.client_fees to service_role;

comment on table private.mailed_links is 'Email links that open one approval version, one lead or one meeting for one approver.';

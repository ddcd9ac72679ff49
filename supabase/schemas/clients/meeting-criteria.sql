-- Criteria of a meeting, which a client and its team agree on as an approval of the kind 'criteria'. The text of a
-- version is a JSON document in the form of read_meeting_criteria(), so its hash covers the criteria.

-- History of a meeting's outcome and answer. A trigger writes it, so that a dispute remains recorded when the meeting
-- changes.
create table public.client_meeting_changes (
  client_id uuid not null,
  meeting_id uuid not null,
  number integer not null check (number between 1 and 200),
  status text not null check (status in ('booked', 'held', 'no_show', 'accepted', 'disputed')),
  reason text not null default '' check (length(reason) <= 2000),
  criterion text check (criterion in ('role', 'size', 'country', 'customer', 'minutes', 'other')),
  changed_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
    constraint client_meeting_changes_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, meeting_id, number),
  foreign key (client_id, meeting_id) references public.client_meetings (client_id, id) on delete cascade
);
create index client_meeting_changes_changed_by_idx on public.client_meeting_changes (changed_by);
grant select on public.client_meeting_changes to authenticated;
grant all on public.client_meeting_changes to service_role;
alter table public.client_meeting_changes enable row level security;
create policy "Admins read the history of all meetings" on public.client_meeting_changes for select to authenticated
  using ((select private.is_admin()));
create policy "Members read the history of their clients' meetings" on public.client_meeting_changes for select to authenticated
  using (client_id in (select private.clients_of_member()));
create policy "Team members read the history of their clients' meetings" on public.client_meeting_changes
  for select to authenticated using (client_id in (select private.clients_of_team_member()));

-- Closed months, the basis of invoices. Each stores a copy of the meetings that counted, see close_meeting_month().
create table public.client_meeting_months (
  client_id uuid not null references public.clients (id) on delete cascade,
  first_day date not null check (date_trunc('month', first_day::timestamp) = first_day)
    constraint client_meeting_months_first_day_calendar check (first_day between '1900-01-01' and '2999-12-31'),
  -- The client's time zone when the month was closed.
  time_zone text not null,
  -- Text of a JSON document, in the canonical form of jsonb.
  sheet text not null,
  -- SHA-256 of the sheet.
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  closed_by uuid references auth.users (id) on delete set null,
  closed_at timestamptz not null default now()
    constraint client_meeting_months_closed_at_calendar check (closed_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, first_day)
);
create index client_meeting_months_closed_by_idx on public.client_meeting_months (closed_by);
grant select on public.client_meeting_months to authenticated;
grant all on public.client_meeting_months to service_role;
alter table public.client_meeting_months enable row level security;
create policy "Admins read all closed months" on public.client_meeting_months for select to authenticated
  using ((select private.is_admin()));
create policy "Members read the closed months of their clients" on public.client_meeting_months for select to authenticated
  using (client_id in (select private.clients_of_member()));
create policy "Team members read the closed months of their clients" on public.client_meeting_months for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

-- Closes a month that has ended in the client's time zone, as the client's team. Held meetings count if the client
-- accepted them, or if no recorded fact breaks a criterion. Throws while the client can still dispute a meeting,
-- because a closed month does not change. Returns the hash.
create function public.close_meeting_month(_client_id uuid, _first_day date) returns text
language plpgsql security definer set search_path = '' as $$
declare
  _client public.clients;
  _open record;
  _sheet text;
begin
  _client := private.lock_assigned_client(_client_id);
  if _first_day is null or date_trunc('month', _first_day::timestamp) <> _first_day then
    raise exception 'A month is named by its first day.' using errcode = '22023';
  elsif (now() at time zone _client.time_zone)::date < _first_day + interval '1 month' then
    raise exception 'This month has not ended yet.' using errcode = 'P0001';
  elsif exists (select from public.client_meeting_months where client_id = _client_id and first_day = _first_day) then
    raise exception 'This month is already closed.' using errcode = 'P0001';
  end if;
  -- Waits for changes of its meetings, so that the next statement sees them.
  perform from public.client_meetings
  where client_id = _client_id and private.month_of_meeting(client_id, starts_at) = _first_day for update;
  select bool_or(answer = 'disputed') as disputed, bool_or(outcome = 'booked') as booked,
    max(answer_until) filter (where answer is null and answer_until > now()) as until
  into _open
  from public.client_meetings where client_id = _client_id and private.month_of_meeting(client_id, starts_at) = _first_day;
  if _open.disputed then
    raise exception 'A meeting of this month is disputed. Settle the dispute first.' using errcode = 'P0001';
  elsif _open.booked then
    raise exception 'A meeting of this month has no outcome yet. Record how it went first.' using errcode = 'P0001';
  elsif _open.until is not null then
    raise exception using errcode = 'P0001', message = 'The client can still dispute a meeting of this month until '
      || to_char(_open.until at time zone _client.time_zone, 'FMDD FMMonth YYYY') || ', or accept it before.';
  end if;
  _sheet := private.meeting_sheet(_client, _first_day)::text;
  insert into public.client_meeting_months (client_id, first_day, time_zone, sheet, hash, closed_by)
  values (_client_id, _first_day, _client.time_zone, _sheet, encode(sha256(convert_to(_sheet, 'UTF8')), 'hex'), private.user_id());
  return encode(sha256(convert_to(_sheet, 'UTF8')), 'hex');
end
$$;
grant execute on function public.close_meeting_month to authenticated, service_role;

-- Lists months, latest first: {"closed": [{"first_day", "count", "hash", "closed_by", "closed_at"}], "open": the first
-- days of months that the caller may close, because they have ended and have meetings}. Members do not see addresses.
create function public.list_meeting_months(_client_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  _is_team constant boolean := private.works_for_client(_client_id);
begin
  return jsonb_build_object(
    'closed', coalesce((
      select jsonb_agg(jsonb_build_object(
        'first_day', first_day, 'count', sheet::jsonb -> 'count', 'hash', hash, 'closed_at', closed_at,
        'closed_by', coalesce(private.display_name(closed_by, _is_team), '')
      ) order by first_day desc)
      from public.client_meeting_months where client_id = _client_id
    ), '[]'),
    'open', coalesce((
      select jsonb_agg(first_day order by first_day desc)
      from (
        select distinct private.month_of_meeting(client_id, starts_at) as first_day
        from public.client_meetings where client_id = _client_id
      ) as months
      where _is_team and first_day + interval '1 month' <= (
        select (now() at time zone time_zone)::date from public.clients where id = _client_id
      ) and not exists (
        select from public.client_meeting_months as month
        where month.client_id = _client_id and month.first_day = months.first_day
      )
    ), '[]')
  );
end
$$;
grant execute on function public.list_meeting_months to authenticated, service_role;

-- Returns the meetings of a month that count, with the result of each criterion and the hash of the criteria.
create function private.meeting_sheet(_client public.clients, _first_day date) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'client', _client.name, 'client_id', _client.id, 'month', to_char(_first_day, 'YYYY-MM'), 'time_zone', _client.time_zone,
    'count', count(*), 'meetings', coalesce(jsonb_agg(jsonb_build_object(
      'id', meeting.id, 'starts_at', to_char(starts_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'met_with', met_with,
      'campaign', campaigns.name, 'answer', answer, 'role', role, 'company_size', company_size, 'country', country,
      'is_customer', is_customer, 'minutes', minutes,
      'criteria', judgement - 'text' || jsonb_build_object('sha256', private.hash_of_link(judgement ->> 'text'))
    ) order by starts_at, meeting.id), '[]')
  )
  from public.client_meetings as meeting
    cross join lateral private.check_meeting_criteria(meeting) as judgement
    left join public.campaigns on campaigns.client_id = meeting.client_id and campaigns.id = meeting.campaign_id
  where meeting.client_id = _client.id and private.month_of_meeting(meeting.client_id, starts_at) = _first_day
    -- After a change of the time zone, a meeting could otherwise count in two months.
    and not private.is_meeting_closed(meeting.client_id, starts_at)
    and outcome = 'held' and (answer = 'accepted' or not coalesce(judgement -> 'results' @> '[{"state": "not_met"}]', false))
$$;

-- Returns the first day of a meeting's month in the client's time zone.
create function private.month_of_meeting(_client_id uuid, _starts_at timestamptz) returns date
language sql stable security definer set search_path = '' as $$
  select date_trunc('month', _starts_at at time zone time_zone)::date from public.clients where id = _client_id
$$;

-- Returns true if a meeting at that time belongs to a closed month.
create function private.is_meeting_closed(_client_id uuid, _starts_at timestamptz) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.client_meeting_months
    where client_id = _client_id and first_day = date_trunc('month', _starts_at at time zone time_zone)::date
  )
$$;

-- Makes closed months immutable, even for the secret key. Deleting an account only clears `closed_by`. Deleting a
-- client deletes its months.
create function private.guard_closed_month() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'DELETE' then
    if not exists (select from public.clients where id = old.client_id) then
      return old;
    end if;
  elsif to_jsonb(new) - 'closed_by' = to_jsonb(old) - 'closed_by' and (new.closed_by is null or new.closed_by = old.closed_by) then
    return new;
  end if;
  raise exception 'A closed month cannot be changed.' using errcode = 'P0001';
end
$$;
create trigger guard_closed before update or delete on public.client_meeting_months
  for each row execute function private.guard_closed_month();

-- Rejects changes to the meetings of a closed month, and meetings that are added to one. Campaigns, figures and
-- accounts can still change.
create function private.guard_closed_meeting() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if private.is_meeting_closed(old.client_id, old.starts_at) or private.is_meeting_closed(new.client_id, new.starts_at) then
    -- Deleting a client deletes its meetings.
    if tg_op = 'DELETE' and not exists (select from public.clients where id = old.client_id) then
      return old;
    end if;
    raise exception 'This month is closed, so its meetings can no longer change.' using errcode = 'P0001';
  end if;
  return coalesce(new, old);
end
$$;
create trigger guard_closed_added before insert on public.client_meetings
  for each row when (new.starts_at is not null) execute function private.guard_closed_meeting();
create trigger guard_closed_changed before update of starts_at, met_with, outcome, evidence, answer, reason, role, company_size,
  country, is_customer, minutes, criterion on public.client_meetings
  for each row execute function private.guard_closed_meeting();
create trigger guard_closed_deleted before delete on public.client_meetings
  for each row when (old.starts_at is not null) execute function private.guard_closed_meeting();

-- Asks a client to approve criteria for meetings: new ones, or with `_approval_id` the next version. Returns the
-- approval.
create function public.ask_for_criteria_approval(
  _client_id uuid, _title text, _criteria jsonb, _due_on date default null, _approval_id uuid default null
) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  _version public.approval_versions;
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only admins and assigned team members can ask for approval' using errcode = '42501';
  end if;
  _version := private.add_approval_version(
    _client_id, 'criteria', _title, private.read_meeting_criteria(_criteria)::text, _due_on, _approval_id
  );
  if exists (
    select from public.approval_versions as former
    where former.client_id = _client_id and former.approval_id = _version.approval_id
      and former.number = _version.number - 1 and former.text = _version.text
  ) then
    raise exception 'The criteria are the same as before.' using errcode = 'P0001';
  end if;
  perform private.mail_client_about_approval(_version);
  return _version.approval_id;
end
$$;
grant execute on function public.ask_for_criteria_approval to authenticated, service_role;

-- Returns criteria with all keys and sorted lists, so that equal criteria have equal texts: {"roles": [],
-- "minimum_size", "maximum_size", "countries": [] of ISO 3166 codes, "excludes_customers", "minimum_minutes"}. A
-- criterion is not set if its list is empty or its value is null. Throws P0001 if a value is invalid or no criterion is
-- set.
create function private.read_meeting_criteria(_criteria jsonb) returns jsonb
language plpgsql immutable set search_path = '' as $$
declare
  _roles constant text[] := array(
    select distinct private.one_line(role, 200) from jsonb_array_elements_text(_criteria -> 'roles') as role
    where role ~ '\S' order by 1
  );
  _countries constant text[] := array(
    select distinct country from jsonb_array_elements_text(_criteria -> 'countries') as country order by 1
  );
  _minimum_size constant integer := _criteria ->> 'minimum_size';
  _maximum_size constant integer := _criteria ->> 'maximum_size';
  _minimum_minutes constant integer := _criteria ->> 'minimum_minutes';
  _excludes_customers constant boolean := coalesce((_criteria ->> 'excludes_customers')::boolean, false);
begin
  if cardinality(_roles) > 50 then
    raise exception 'Criteria can name at most 50 roles.' using errcode = 'P0001';
  elsif exists (select from unnest(_countries) as country where country !~ '^[A-Z]{2}$') then
    raise exception 'A country must be a code of two capital letters.' using errcode = 'P0001';
  elsif _minimum_size not between 1 and 10000000 or _maximum_size not between 1 and 10000000 then
    raise exception 'A company size must be between 1 and 10,000,000.' using errcode = 'P0001';
  elsif _minimum_size > _maximum_size then
    raise exception 'The minimum company size must not exceed the maximum.' using errcode = 'P0001';
  elsif _minimum_minutes not between 1 and 1440 then
    raise exception 'A duration must be between 1 and 1,440 minutes.' using errcode = 'P0001';
  elsif cardinality(_roles) = 0 and cardinality(_countries) = 0 and not _excludes_customers
    and coalesce(_minimum_size, _maximum_size, _minimum_minutes) is null then
    raise exception 'Set at least one criterion.' using errcode = 'P0001';
  end if;
  return jsonb_build_object(
    'roles', _roles, 'minimum_size', _minimum_size, 'maximum_size', _maximum_size, 'countries', _countries,
    'excludes_customers', _excludes_customers, 'minimum_minutes', _minimum_minutes
  );
end
$$;

-- Returns the criteria in force at a time: the version that was approved last before it. Null if no version was
-- approved.
create function private.criteria_at(_client_id uuid, _at timestamptz) returns public.approval_versions
language sql stable security definer set search_path = '' as $$
  select version
  from public.approvals as approval
    join public.approval_decisions as decision on decision.client_id = approval.client_id and decision.approval_id = approval.id
    join public.approval_versions as version on version.client_id = decision.client_id
      and version.approval_id = decision.approval_id and version.number = decision.number
  where approval.client_id = _client_id and approval.kind = 'criteria' and decision.verdict = 'yes' and decision.created_at <= _at
  order by decision.created_at desc, approval.id, version.number desc limit 1
$$;

-- Checks a meeting against the criteria in force at its time: {"approval_id", "number", "text", "results": [{"key",
-- "state": "met", "not_met" or "unknown"}]}. Null if no criteria were in force. A role matches if it is one of the
-- agreed roles, regardless of case and spaces.
create function private.check_meeting_criteria(_meeting public.client_meetings) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('approval_id', version.approval_id, 'number', version.number, 'text', version.text, 'results', (
    select jsonb_agg(jsonb_build_object(
      'key', key, 'state', case when is_met then 'met' when not is_met then 'not_met' else 'unknown' end
    ) order by position)
    from (values
      (1, 'role', criteria -> 'roles' <> '[]', case when _meeting.role <> '' then private.normalise_role(_meeting.role) in (
        select private.normalise_role(role) from jsonb_array_elements_text(criteria -> 'roles') as role
      ) end),
      (2, 'size', coalesce(criteria ->> 'minimum_size', criteria ->> 'maximum_size') is not null,
        _meeting.company_size >= coalesce((criteria ->> 'minimum_size')::integer, 1)
          and _meeting.company_size <= coalesce((criteria ->> 'maximum_size')::integer, 10000000)),
      (3, 'country', criteria -> 'countries' <> '[]', case when _meeting.country <> '' then
        criteria -> 'countries' @> to_jsonb(_meeting.country)
      end),
      (4, 'customer', (criteria ->> 'excludes_customers')::boolean, not _meeting.is_customer),
      (5, 'minutes', criteria ->> 'minimum_minutes' is not null,
        _meeting.minutes >= (criteria ->> 'minimum_minutes')::integer)
    ) as judged (position, key, is_set, is_met)
    where is_set
  ))
  from private.criteria_at(_meeting.client_id, _meeting.starts_at) as version, lateral (select version.text::jsonb) as document (criteria)
  where version.number is not null
$$;

create function private.normalise_role(_role text) returns text language sql immutable set search_path = '' as $$
  select lower(regexp_replace(trim(_role), '\s+', ' ', 'g'))
$$;

-- Returns the facts, criteria, history and results of a meeting for list_client_meetings().
create function private.meeting_details(_client_id uuid, _id uuid, _is_team boolean) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'role', role, 'company_size', company_size, 'country', country, 'is_customer', is_customer, 'minutes', minutes,
    'criterion', criterion, 'judgement', private.check_meeting_criteria(meeting), 'lead', (
      select jsonb_build_object('id', lead.id, 'name', coalesce(nullif(lead.name, ''), nullif(lead.email, ''), lead.company))
      from public.client_leads as lead where lead.client_id = _client_id and lead.id = meeting.lead_id
    ), 'is_closed', private.is_meeting_closed(_client_id, starts_at), 'result', private.results_of_meeting(_client_id, _id, _is_team),
    'changes', coalesce((
      select jsonb_agg(jsonb_build_object(
        'number', number, 'status', status, 'reason', change.reason, 'criterion', change.criterion, 'at', change.created_at,
        'by', coalesce(private.display_name(changed_by, _is_team), '')
      ) order by number desc)
      from public.client_meeting_changes as change where change.client_id = _client_id and change.meeting_id = _id
    ), '[]')
  )
  from public.client_meetings as meeting where client_id = _client_id and id = _id
$$;

-- Stores the facts of a meeting: {"role", "company_size", "country", "is_customer", "minutes"}. Null keeps the stored
-- facts. Does not check rights, because the caller has already done so.
create function private.save_meeting_facts(_client_id uuid, _id uuid, _facts jsonb) returns void
language sql security definer set search_path = '' as $$
  update public.client_meetings set
    role = trim(coalesce(_facts ->> 'role', '')), company_size = (_facts ->> 'company_size')::integer,
    country = coalesce(_facts ->> 'country', ''), is_customer = (_facts ->> 'is_customer')::boolean,
    minutes = (_facts ->> 'minutes')::integer
  where client_id = _client_id and id = _id and _facts is not null
$$;

-- Throws unless a dispute names a criterion in force or 'other'. Without criteria in force, it names none.
create function private.check_disputed_criterion(_meeting public.client_meetings, _criterion text) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  _judgement constant jsonb := private.check_meeting_criteria(_meeting);
begin
  if _criterion is null and _judgement is not null then
    raise exception 'Please choose the criterion that is not met, or “Other”.' using errcode = 'P0001';
  elsif _criterion <> 'other' and not coalesce(
    _judgement -> 'results' @> jsonb_build_array(jsonb_build_object('key', _criterion)), false
  ) then
    raise exception 'This criterion is not in force for this meeting. Reload the page.' using errcode = 'P0001';
  end if;
end
$$;

-- Adds a change of the outcome or the answer to the history. Meetings that were added from a figure have no entry at
-- first.
create function private.log_meeting_change() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _number constant integer := 1 + (
    select count(*) from public.client_meeting_changes where client_id = new.client_id and meeting_id = new.id
  );
begin
  if _number > 200 then
    raise exception 'A meeting can change at most 200 times.' using errcode = 'P0001';
  end if;
  insert into public.client_meeting_changes (client_id, meeting_id, number, status, reason, criterion, changed_by)
  values (
    new.client_id, new.id, _number, coalesce(new.answer, new.outcome), new.reason, new.criterion, private.user_id()
  );
  return null;
end
$$;

create trigger log_added after insert on public.client_meetings
  for each row when (new.origin = 'person') execute function private.log_meeting_change();
create trigger log_changed after update of outcome, answer, reason, criterion on public.client_meetings
  for each row when ((old.outcome, old.answer, old.reason, old.criterion) is distinct from (new.outcome, new.answer, new.reason, new.criterion))
  execute function private.log_meeting_change();

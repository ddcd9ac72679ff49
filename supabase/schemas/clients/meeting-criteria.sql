-- Criteria of a meeting, which a client and its team agree on as an approval of the kind 'criteria'. The text of a
-- version is a JSON document in the form of read_meeting_criteria(), so its hash covers what is judged.

-- History of a meeting's outcome and answer. A trigger writes it, so that a dispute remains after the meeting changed.
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

-- Asks a client to approve criteria for meetings: new ones, or with `_approval_id` the next version. Returns the approval.
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

-- Returns criteria with all keys and sorted lists, so that equal criteria have equal texts: {"roles": [], "minimum_size",
-- "maximum_size", "countries": [] of ISO 3166 codes, "excludes_customers", "minimum_minutes"}. An empty list or null means
-- that there is no such criterion. Throws P0001 if a value is invalid or all criteria are empty.
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

-- Returns the criteria in force at a time: the version that was approved last before it. Null if there was none.
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

-- Judges a meeting by the criteria in force at its time: {"approval_id", "number", "text", "results": [{"key", "state":
-- "met", "not_met" or "unknown"}]}. Null if no criteria were in force. A role matches if it is one of the agreed roles,
-- regardless of case and spaces.
create function private.judge_meeting(_meeting public.client_meetings) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('approval_id', version.approval_id, 'number', version.number, 'text', version.text, 'results', (
    select jsonb_agg(jsonb_build_object(
      'key', key, 'state', case when is_met then 'met' when not is_met then 'not_met' else 'unknown' end
    ) order by position)
    from (values
      (1, 'role', criteria -> 'roles' <> '[]', case when _meeting.role <> '' then private.fold_role(_meeting.role) in (
        select private.fold_role(role) from jsonb_array_elements_text(criteria -> 'roles') as role
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

create function private.fold_role(_role text) returns text language sql immutable set search_path = '' as $$
  select lower(regexp_replace(trim(_role), '\s+', ' ', 'g'))
$$;

-- Returns the facts, judgement and history of a meeting for list_client_meetings().
create function private.meeting_details(_client_id uuid, _id uuid, _works_for boolean) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'role', role, 'company_size', company_size, 'country', country, 'is_customer', is_customer, 'minutes', minutes,
    'criterion', criterion, 'judgement', private.judge_meeting(meeting), 'lead', (
      select jsonb_build_object('id', lead.id, 'name', coalesce(nullif(lead.name, ''), nullif(lead.email, ''), lead.company))
      from public.client_leads as lead where lead.client_id = _client_id and lead.id = meeting.lead_id
    ),
    'changes', coalesce((
      select jsonb_agg(jsonb_build_object(
        'number', number, 'status', status, 'reason', change.reason, 'criterion', change.criterion, 'at', change.created_at,
        'by', coalesce(private.shown_name(changed_by, _works_for), '')
      ) order by number desc)
      from public.client_meeting_changes as change where change.client_id = _client_id and change.meeting_id = _id
    ), '[]')
  )
  from public.client_meetings as meeting where client_id = _client_id and id = _id
$$;

-- Stores the facts of a meeting: {"role", "company_size", "country", "is_customer", "minutes"}. Null keeps those that are
-- stored. Does not check rights, because the caller has already done so.
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
  _judgement constant jsonb := private.judge_meeting(_meeting);
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

-- Adds a change of the outcome or the answer to the history. Meetings that a figure added begin without one.
create function private.note_meeting_change() returns trigger language plpgsql security definer set search_path = '' as $$
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

create trigger note_added after insert on public.client_meetings
  for each row when (new.origin = 'person') execute function private.note_meeting_change();
create trigger note_changed after update of outcome, answer, reason, criterion on public.client_meetings
  for each row when ((old.outcome, old.answer, old.reason, old.criterion) is distinct from (new.outcome, new.answer, new.reason, new.criterion))
  execute function private.note_meeting_change();

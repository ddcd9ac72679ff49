-- Results of held meetings, as the client or its team reported them. The latest one counts. Only
-- report_meeting_result() inserts rows.
create table public.client_meeting_results (
  client_id uuid not null,
  meeting_id uuid not null,
  number integer not null check (number between 1 and 200),
  status text not null check (status in ('nothing_yet', 'opportunity', 'won', 'lost')),
  -- Value of the deal in the client's currency. Hidden from viewers.
  amount numeric(15, 2) check (amount between 0 and 1000000000000),
  -- Why the deal was lost.
  reason text not null default '' check (length(reason) <= 2000),
  reported_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
    constraint client_meeting_results_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, meeting_id, number),
  foreign key (client_id, meeting_id) references public.client_meetings (client_id, id) on delete cascade,
  constraint client_meeting_results_amount_check1 check (
    case status when 'won' then amount is not null when 'opportunity' then true else amount is null end
  ),
  constraint client_meeting_results_reason_check1 check ((status = 'lost') = (reason ~ '\S'))
);
create index client_meeting_results_reported_by_idx on public.client_meeting_results (reported_by);
-- Without the amount, because a policy cannot hide a column from viewers. Functions return it to those who may see it.
grant select (client_id, meeting_id, number, status, reason, reported_by, created_at) on public.client_meeting_results
  to authenticated;
grant all on public.client_meeting_results to service_role;
alter table public.client_meeting_results enable row level security;
create policy "Admins read the results of all meetings" on public.client_meeting_results for select to authenticated
  using ((select private.is_admin()));
create policy "Members read the results of their clients' meetings" on public.client_meeting_results for select to authenticated
  using (client_id in (select private.clients_of_member()));
create policy "Team members read the results of their clients' meetings" on public.client_meeting_results
  for select to authenticated using (client_id in (select private.clients_of_team_member()));

create trigger reject_impersonated_writes before insert or update or delete on public.client_meeting_results
  for each statement execute function private.reject_impersonated_writes();

-- Mails that asked a person for the result of a meeting, one row per step.
create table private.result_requests (
  client_id uuid not null,
  meeting_id uuid not null,
  step integer not null,
  user_id uuid not null references auth.users (id) on delete cascade,
  asked_at timestamptz not null default now()
    constraint result_requests_asked_at_calendar check (asked_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, meeting_id, step, user_id),
  foreign key (client_id, meeting_id) references public.client_meetings (client_id, id) on delete cascade
);
create index result_requests_user_idx on private.result_requests (user_id, asked_at);
alter table private.result_requests enable row level security;

create index client_meetings_held_idx on public.client_meetings (starts_at) where outcome = 'held';

-- Meetings whose result is awaited. The client is asked 30, 60 and 90 days after a held meeting, at 8:00 in its time
-- zone, until 120 days after it. A report ends a step, and a won or lost deal ends all steps. Excludes meetings that
-- are disputed or can still be disputed, and those of the sample client.
create view private.awaited_results with (security_invoker = true) as
select meeting.client_id, meeting.id as meeting_id, meeting.met_with, meeting.starts_at, current_step.step, current_step.due_at
from public.client_meetings as meeting
  join public.clients on clients.id = meeting.client_id and not clients.is_sample
  cross join lateral (
    select steps.step, steps.due_at
    from (
      select step, ((meeting.starts_at at time zone clients.time_zone)::date + step + time '08:00') at time zone clients.time_zone
      from unnest(array[30, 60, 90]) as step
    ) as steps (step, due_at)
    where steps.due_at <= now() order by steps.step desc limit 1
  ) as current_step
  left join lateral (
    select result.status, result.created_at from public.client_meeting_results as result
    where result.client_id = meeting.client_id and result.meeting_id = meeting.id order by result.number desc limit 1
  ) as latest on true
where meeting.outcome = 'held' and meeting.starts_at between now() - interval '120 days' and now() - interval '29 days'
  and (meeting.answer = 'accepted' or meeting.answer is null and meeting.answer_until <= now())
  and (latest.status is null or latest.status in ('nothing_yet', 'opportunity') and latest.created_at < current_step.due_at);
grant select on private.awaited_results to authenticated, service_role;

-- Returns true for a client's approvers and team, who see amounts.
create function private.can_see_amounts(_client_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select private.is_admin() or _client_id in (select private.clients_of_team_member())
    or _client_id in (select private.clients_read_by_approver())
$$;

-- Reports the result of a held meeting, as an approver or as the client's team. `_expected_number` is the number of the
-- latest report that the caller read, 0 for none.
create function public.report_meeting_result(
  _client_id uuid, _meeting_id uuid, _expected_number integer, _status text, _amount numeric default null, _reason text default ''
) returns void language plpgsql security definer set search_path = '' as $$
begin
  if not private.works_for_client(_client_id) and _client_id not in (select private.clients_of_approver()) then
    raise exception 'You can read this, but only approvers can report results.' using errcode = '42501';
  end if;
  perform private.add_meeting_result(_client_id, _meeting_id, _expected_number, _status, _amount, _reason, private.user_id());
end
$$;
grant execute on function public.report_meeting_result to authenticated, service_role;

-- Adds a report without checking the rights of the person, and returns its number. The month of the meeting may be
-- closed, because results are not part of its sheet.
create function private.add_meeting_result(
  _client_id uuid, _meeting_id uuid, _expected_number integer, _status text, _amount numeric, _reason text, _user_id uuid
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
  if _number is distinct from _expected_number then
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

-- Sets the status of the meeting's lead after a report. A won or lost deal sets it to won or lost. A lead that an
-- earlier report set to won or lost becomes 'meeting' again with an opportunity or "nothing yet", unless another of its
-- meetings has that result. The correction of a won deal does not change a lead that someone has changed since.
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

-- Returns the results of a meeting for meeting_details(), latest first: {"is_awaited", "reports": [{"number", "status",
-- "amount", "reason", "at", "by"}]}. Amounts are null for viewers.
create function private.results_of_meeting(_client_id uuid, _meeting_id uuid, _is_team boolean) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'is_awaited', exists (
      select from private.awaited_results as awaited where awaited.client_id = _client_id and awaited.meeting_id = _meeting_id
    ),
    'reports', coalesce((
      select jsonb_agg(jsonb_build_object(
        'number', number, 'status', status, 'amount', case when private.can_see_amounts(_client_id) then amount end,
        'reason', result.reason, 'at', created_at, 'by', coalesce(private.display_name(reported_by, _is_team), '')
      ) order by number desc)
      from public.client_meeting_results as result where client_id = _client_id and meeting_id = _meeting_id
    ), '[]')
  )
$$;

-- Awaited results that an approver is not yet asked about at this step. Empty for a person who was mailed within a day.
create view private.result_requests_due with (security_invoker = true) as
select users.id as user_id, users.email::text as email, clients.name as client, clients.time_zone, awaited.*
from private.awaited_results as awaited
  join public.clients on clients.id = awaited.client_id
  cross join lateral private.members_to_mail(awaited.client_id, 'waiting') as member
  join auth.users on users.id = member.user_id and coalesce(users.banned_until <= now(), true)
where not exists (
    select from private.result_requests as request
    where (request.client_id, request.meeting_id, request.step, request.user_id)
      = (awaited.client_id, awaited.meeting_id, awaited.step, users.id)
  )
  and not exists (
    select from private.result_requests as request where request.user_id = users.id and request.asked_at > now() - interval '1 day'
  );

-- Mails the next approver about the awaited results of their clients, and returns false if no one is due. One mail a
-- day per person. It lists at most 20 meetings, each with a link that reports its result (result-links.sql).
create function private.mail_next_meeting_results() returns boolean
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
      'text', met_with, 'detail', to_char(starts_at at time zone time_zone, 'FMDD FMMonth YYYY') || ', for ' || client,
      'action', 'Add result', 'path', '/result/' || token, 'client_id', client_id
    )
  end order by place))
  from due cross join (select count(*) from due) as counted
  where place <= 21
  group by email;
  return true;
end
$$;

-- Emails to the team link to the item. Every Monday each admin and team member gets one list of all drafts and tasks.

create function private.team_path(_user_id uuid, _client_id uuid, _item text) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when exists (select from public.user_roles where user_id = _user_id and role = 'admin') then '/admin/clients/'
    else '/team-dashboard/clients/'
  end || _client_id || '#' || _item
$$;
revoke all on function private.team_path(uuid, uuid, text) from public;

create or replace function private.tell_asker_of_decision(_decision approval_decisions)
returns void language sql security definer set search_path = ''
as $$
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
$$;

create or replace function public.answer_client_meeting(_client_id uuid, _id uuid, _outcome text, _answer text, _reason text default '')
returns void language plpgsql security definer set search_path = ''
as $$
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
$$;

create or replace function private.tell_unread_approvals(_at_most integer default null::integer)
returns integer language plpgsql security definer set search_path = ''
as $$
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
$$;

create or replace function private.tell_workers_of_alarm(_client_id uuid, _text text)
returns void language sql security definer set search_path = ''
as $$
  with assigned as (
    select user_id from public.client_assignments
      join public.user_roles using (user_id)
    where client_id = _client_id and role in ('team', 'admin') and approved
  ), people as materialized (
    -- Found first, or the planner could count for addresses of others.
    select users.id, users.email, clients.name as client
    from auth.users join public.user_roles on user_roles.user_id = users.id, public.clients
    where clients.id = _client_id and users.email <> '' and (
      users.id in (select user_id from assigned)
      or not exists (select from assigned) and user_roles.role = 'admin' and user_roles.approved
    )
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'client_alarm', jsonb_build_object('Email', email, 'Client', client, 'Message', _text,
    'Path', private.team_path(id, _client_id, 'alarms'))
  from people where private.count_for_subject('alarm mail', lower(email), 20, interval '1 day')
$$;

-- Mondays whose list was sent.
create table private.monday_lists (monday date primary key);
revoke all on table private.monday_lists from anon, authenticated, service_role;
alter table private.monday_lists enable row level security;

-- What waits for the people who work for a client: drafts of reports, refused approvals, disputed meetings and open alarms.
create function private.team_tasks()
returns table (client_id uuid, kind text, item_id uuid, words text)
language sql stable security definer set search_path = '' as $$
  with tasks (client_id, kind, item_id, words) as (
    select report.client_id, 'report', report.id, 'draft report, ' || case report.span
      when 'month' then to_char(report.first_day, 'FMMonth YYYY')
      else to_char(report.first_day, 'FMDD FMMonth') || ' to ' || to_char(report.last_day, 'FMDD FMMonth YYYY') end
    from public.client_reports as report where report.sent_at is null and report.discarded_at is null
    union all
    select approval.client_id, 'approval', approval.id,
      '“' || approval.title || '”, ' || case decision.verdict when 'no' then 'declined' else 'changes asked for' end
    from public.approvals as approval
      join lateral (
        select any_version.number from public.approval_versions as any_version
        where any_version.client_id = approval.client_id and any_version.approval_id = approval.id
        order by any_version.number desc limit 1
      ) as version on true
      join public.approval_decisions as decision on decision.client_id = approval.client_id
        and decision.approval_id = approval.id and decision.number = version.number and decision.verdict in ('no', 'changes')
    union all
    select meeting.client_id, 'meeting', meeting.id, 'meeting with ' || meeting.met_with || ', disputed'
    from public.client_meetings as meeting where meeting.answer = 'disputed'
    union all
    select alarm.client_id, 'alarm', alarm.id, alarm.text from public.client_alarms as alarm where alarm.settled_at is null
  )
  select tasks.client_id, tasks.kind, tasks.item_id, clients.name || ': ' || tasks.words
  from tasks join public.clients on clients.id = tasks.client_id where not clients.is_sample
$$;
revoke all on function private.team_tasks() from public;

-- Sends the list once, from Monday 9:00 to the end of Tuesday in the time zone of the site. Returns whether it was due.
create function private.send_monday_list(_now timestamptz default now()) returns boolean
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
    'Items', jsonb_agg(jsonb_build_object('text', task.words, 'path', case task.kind
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
revoke all on function private.send_monday_list(timestamptz) from public;

-- A project on Supabase has one job for both.
create or replace function private.make_due_reports() returns void
language plpgsql security definer set search_path = '' as $$
begin
  while private.make_next_due_report() loop
  end loop;
  perform private.send_monday_list();
end
$$;

-- Reports to clients: made for each on its day and hour as a draft with the figures of the week filled in, also by hand for a
-- week or a month. Somebody who works for the client writes the summary and approves; from then on nothing of the row
-- changes, and a correction is a report of its own. What was approved is one text with one SHA-256, and that stands in the mail
-- to the people of the client: a hash beside the figures alone would prove nothing against somebody who can write both.

alter table public.clients
  -- The day on which reports are made, 1 for Monday to 7 for Sunday; null for none.
  add column report_weekday integer check (report_weekday between 1 and 7),
  -- The hour of that day, by the clocks of the client.
  add column report_hour integer not null default 8 check (report_hour between 0 and 23);
grant insert (report_weekday, report_hour), update (report_weekday, report_hour) on table public.clients to authenticated;

create table public.client_reports (
  client_id uuid not null references public.clients (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  span text not null check (span in ('week', 'month')),
  first_day date not null,
  last_day date not null check (last_day > first_day),
  -- All that the sheet shows, with the imports behind it: private.report_figures().
  figures jsonb not null,
  summary text not null default '' check (length(summary) <= 5000),
  -- The report that this one corrects.
  corrects uuid,
  created_at timestamptz not null default now(),
  -- When a draft was set aside, so that it is not made again.
  discarded_at timestamptz,
  -- SHA-256 of private.report_document(); nothing of the row changes once it is there.
  hash text check (hash ~ '^[0-9a-f]{64}$'),
  -- The hash of the report that was sent before this one, which this one's hash covers.
  previous_hash text check (previous_hash ~ '^[0-9a-f]{64}$'),
  approved_by uuid references auth.users (id) on delete set null,
  sent_at timestamptz,
  primary key (client_id, id),
  foreign key (client_id, corrects) references public.client_reports (client_id, id),
  check ((hash is null) = (sent_at is null)),
  check (sent_at is null or discarded_at is null)
);
create unique index client_reports_once_idx on public.client_reports (client_id, span, first_day) where corrects is null;
create unique index client_reports_corrects_idx on public.client_reports (client_id, corrects);
-- A mail names a report alone.
create index client_reports_id_idx on public.client_reports (id);
create index client_reports_sent_idx on public.client_reports (client_id, sent_at);
create index client_reports_approved_by_idx on public.client_reports (approved_by);

revoke all on table public.client_reports from anon, authenticated;
grant select on table public.client_reports to authenticated;
grant all on table public.client_reports to service_role;
alter table public.client_reports enable row level security;

create policy "Admins read all reports" on public.client_reports
  for select to authenticated using ((select private.is_admin()));
create policy "Members read the reports that their clients were sent" on public.client_reports
  for select to authenticated using (sent_at is not null and client_id in (select private.clients_of_member()));
create policy "Team members read the reports of their clients" on public.client_reports
  for select to authenticated using (client_id in (select private.clients_of_team_member()));

-- Keeps what was sent as it was sent, against the secret key too. An account that is deleted leaves the report it approved;
-- a client that is deleted takes its reports along.
create function private.keep_sent_report() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if old.hash is null then
    return coalesce(new, old);
  elsif tg_op = 'DELETE' then
    if not exists (select from public.clients where id = old.client_id) then
      return old;
    end if;
  elsif to_jsonb(new) - 'approved_by' = to_jsonb(old) - 'approved_by'
    and (new.approved_by is null or new.approved_by = old.approved_by) then
    return new;
  end if;
  raise exception 'A report that was sent stays as it is. Correct it with a new one.' using errcode = 'P0001';
end
$$;
revoke all on function private.keep_sent_report() from public;
create trigger keep_sent before update or delete on public.client_reports
  for each row execute function private.keep_sent_report();

-- Returns the first day of the week that a client's latest report is due for. The moment on which it is due is one by the
-- clocks of the client, so that no change of the clocks makes it early or late.
create function private.due_report_week(_client public.clients, _now timestamptz default now()) returns date
language sql stable set search_path = ''
as $$
  select day - (extract(isodow from day)::integer - _client.first_weekday + 7) % 7 - 7
  from (select (_now at time zone _client.time_zone)::date) as now_there (today),
    lateral (select today - (extract(isodow from today)::integer - _client.report_weekday + 7) % 7) as latest (weekday),
    lateral (
      select case
        when (weekday + make_interval(hours => _client.report_hour)) at time zone _client.time_zone <= _now then weekday
        else weekday - 7
      end
    ) as due (day)
$$;
revoke all on function private.due_report_week(public.clients, timestamptz) from public;

-- Returns what a report of a client says: {"client": {"name", "currency"}, "result": [{"metric", "value", "before"}],
-- "campaigns": [{"name", "channel", "figures"}], "meetings": {"held", "no_show", "booked", "disputed"}, "goals": [{"metric",
-- "goal", "value"}], "changes": [{"kind", "name", "detail"}], "next": [{"campaign", "step", "due_on"}], "wishes": [{"kind",
-- "name", "due_on"}], "imports": [{"id", "file", "hash", "at"}]}. A week of figures counts where it begins; no figure is null.
create function private.report_figures(_client public.clients, _span text, _first_day date, _last_day date) returns jsonb
language sql stable security definer set search_path = ''
as $$
  with days as (
    select case _span when 'week' then _first_day - 7 else (_first_day - interval '1 month')::date end as before,
      date_trunc('month', _first_day)::date as month,
      _first_day::timestamp at time zone _client.time_zone as begins,
      (_last_day + 1)::timestamp at time zone _client.time_zone as ends
  ), counted as (
    select campaign_id, batch_id, metric, value, first_day between _first_day and _last_day as is_now,
      first_day between days.before and _first_day - 1 as is_before,
      first_day between days.month and (days.month + interval '1 month - 1 day')::date as is_month
    from public.campaign_figures, days
    where client_id = _client.id and replaced_by is null
      and first_day between least(days.before, days.month) and greatest(_last_day, (days.month + interval '1 month')::date)
  ), changes as (
    -- The state at the end of the time against the one before it: a day that was set and taken back is no change.
    select 1 as rank, case
      when campaign.created_at >= days.begins then 'added' when latest.action = 'deleted' then 'ended' else 'phase'
    end as kind, campaign.name, coalesce(latest.campaign ->> 'phase', campaign.phase) as detail
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
    select 2, 'text', approvals.title, verdict
    from public.approval_decisions as decision join public.approvals
      on approvals.client_id = decision.client_id and approvals.id = decision.approval_id, days
    where decision.client_id = _client.id and decision.created_at >= days.begins and decision.created_at < days.ends
      and verdict <> 'no'
  ), wishes as (
    select 1 as rank, 'text' as kind, approvals.title as name, version.due_on
    from public.approvals join lateral (
      select * from public.approval_versions as any_version
      where any_version.client_id = approvals.client_id and any_version.approval_id = approvals.id
      order by number desc limit 1
    ) as version on true
    where approvals.client_id = _client.id and not exists (
      select from public.approval_decisions as decision
      where decision.client_id = approvals.client_id and decision.approval_id = approvals.id and decision.number = version.number
    )
    union all
    select 2, 'meetings', count(*)::text, null from public.client_meetings
    where client_id = _client.id and answer is null and answer_until > now() having count(*) > 0
    union all
    select 3, 'goals', '', null where num_nonnulls(_client.meetings_goal, _client.replies_goal, _client.delivered_goal) = 0
    union all
    select 4, 'leave_alone', '', null where not exists (select from public.do_not_contact where client_id = _client.id)
  )
  select jsonb_build_object(
    'client', jsonb_build_object('name', _client.name, 'currency', _client.currency),
    'result', (
      select jsonb_agg(jsonb_build_object(
        'metric', shown.metric,
        'value', (select sum(value) from counted where counted.metric = shown.metric and is_now),
        'before', (select sum(value) from counted where counted.metric = shown.metric and is_before)
      ) order by shown.at)
      from unnest(array['delivered', 'replies', 'positive_replies', 'meetings']) with ordinality as shown (metric, at)
    ),
    'campaigns', coalesce((
      select jsonb_agg(jsonb_build_object('name', name, 'channel', channel, 'figures', figures) order by name, id)
      from (
        select campaign_id, jsonb_object_agg(metric, value) from (
          select campaign_id, metric, sum(value) from counted where is_now group by campaign_id, metric
        ) as sums (campaign_id, metric, value) group by campaign_id
      ) as totals (campaign_id, figures) join public.campaigns on client_id = _client.id and id = campaign_id
    ), '[]'),
    'meetings', (
      select jsonb_build_object(
        'held', count(*) filter (where outcome = 'held'), 'no_show', count(*) filter (where outcome = 'no_show'),
        'booked', count(*) filter (where outcome = 'booked'), 'disputed', count(*) filter (where answer = 'disputed'))
      from public.client_meetings, days where client_id = _client.id and starts_at >= days.begins and starts_at < days.ends
    ),
    'goals', coalesce((
      select jsonb_agg(jsonb_build_object('metric', goal.metric, 'goal', goal.value, 'value',
        coalesce((select sum(value) from counted where counted.metric = goal.metric and is_month), 0)) order by goal.at)
      from (values (1, 'meetings', _client.meetings_goal), (2, 'replies', _client.replies_goal),
        (3, 'delivered', _client.delivered_goal)) as goal (at, metric, value)
      where goal.value is not null
    ), '[]'),
    'changes', coalesce((
      select jsonb_agg(jsonb_build_object('kind', kind, 'name', name, 'detail', detail) order by rank, name) from changes
    ), '[]'),
    'next', coalesce((
      select jsonb_agg(jsonb_build_object('campaign', name, 'step', next_step, 'due_on', due_on) order by due_on nulls last, name)
      from public.campaigns where client_id = _client.id and deleted_at is null and phase <> 'done' and next_step <> ''
    ), '[]'),
    'wishes', coalesce((
      select jsonb_agg(jsonb_build_object('kind', kind, 'name', name, 'due_on', due_on) order by rank, due_on nulls last, name)
      from wishes
    ), '[]'),
    'imports', coalesce((
      select jsonb_agg(jsonb_build_object('id', id, 'file', file_name, 'hash', file_hash, 'at', created_at) order by created_at, id)
      from public.import_batches where client_id = _client.id and id in (select batch_id from counted where is_now)
    ), '[]')
  )
$$;
revoke all on function private.report_figures(public.clients, text, date, date) from public;

-- Returns the text that a report's hash is of: everything but who approved it, which an account that is deleted takes along.
create function private.report_document(_report public.client_reports) returns text
language sql stable set search_path = ''
as $$
  select jsonb_pretty(jsonb_build_object(
    'report', _report.id, 'client', _report.client_id, 'span', _report.span, 'first_day', _report.first_day,
    'last_day', _report.last_day, 'figures', _report.figures, 'summary', _report.summary, 'corrects', _report.corrects,
    'previous', _report.previous_hash,
    'approved_at', to_char(_report.sent_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
  ))
$$;
revoke all on function private.report_document(public.client_reports) from public;

-- Returns the SHA-256 of a report as it is now.
create function private.report_hash(_report public.client_reports) returns text
language sql stable set search_path = ''
as $$
  select encode(sha256(convert_to(private.report_document(_report), 'UTF8')), 'hex')
$$;
revoke all on function private.report_hash(public.client_reports) from public;

-- Makes the next report that is due. Two processes that look at once take turns by the client, and the index
-- client_reports_once_idx has one report of a week. @returns false when none is due
create function private.make_next_due_report() returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  _client public.clients;
  _week date;
begin
  select clients.* into _client
  from public.clients cross join lateral (select private.due_report_week(clients)) as due (week)
  where clients.report_weekday is not null
    and exists (select from public.campaigns where campaigns.client_id = clients.id and deleted_at is null)
    and not exists (
      select from public.client_reports as report
      where report.client_id = clients.id and report.span = 'week' and report.first_day = due.week and report.corrects is null
    )
  order by clients.id limit 1 for no key update of clients skip locked;
  if not found then
    return false;
  end if;
  _week := private.due_report_week(_client);
  insert into public.client_reports (client_id, span, first_day, last_day, figures)
  values (_client.id, 'week', _week, _week + 6, private.report_figures(_client, 'week', _week, _week + 6))
  on conflict do nothing;
  return true;
end
$$;
revoke all on function private.make_next_due_report() from public;

-- For pg_cron on a hosted project; the built-in backend asks for one after the other.
create function private.make_due_reports() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  while private.make_next_due_report() loop
  end loop;
end
$$;
revoke all on function private.make_due_reports() from public;

-- Lets the process look at once when a day was set.
create function private.tell_of_report_day() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_notify('report_planned', '');
  return null;
end
$$;
revoke all on function private.tell_of_report_day() from public;
create trigger tell_of_report_day after insert or update of report_weekday, report_hour, time_zone on public.clients
  for each statement execute function private.tell_of_report_day();

-- Locks a draft of a client that who asks works for. @throws P0001 when it was sent or is gone
create function private.lock_report_draft(_client_id uuid, _id uuid) returns public.client_reports
language plpgsql security definer set search_path = ''
as $$
declare
  _report public.client_reports;
begin
  perform private.lock_client_of_worker(_client_id);
  select * into _report from public.client_reports where client_id = _client_id and id = _id for update;
  if not found then
    raise exception 'There is no such report any more.' using errcode = 'P0001';
  elsif _report.hash is not null then
    raise exception 'This report was sent. It stays as it is.' using errcode = 'P0001';
  end if;
  return _report;
end
$$;
revoke all on function private.lock_report_draft(uuid, uuid) from public;

-- Makes a report of a week or a month that is over, or finds its draft. Returns its id.
create function public.start_client_report(_client_id uuid, _span text, _first_day date) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  _client constant public.clients := private.lock_client_of_worker(_client_id);
  _last_day constant date := case _span when 'week' then _first_day + 6 else (_first_day + interval '1 month - 1 day')::date end;
  _report public.client_reports;
begin
  if _span = 'week' and extract(isodow from _first_day) <> _client.first_weekday
    or _span = 'month' and extract(day from _first_day) <> 1 then
    raise exception 'This is not how a week or a month of this client begins.' using errcode = '22023';
  elsif _last_day >= (now() at time zone _client.time_zone)::date then
    raise exception 'A report is of a time that is over.' using errcode = 'P0001';
  end if;
  select * into _report from public.client_reports
  where client_id = _client_id and span = _span and first_day = _first_day and corrects is null for update;
  if _report.hash is not null then
    raise exception 'There is a report of this time. Open it and correct it.' using errcode = 'P0001';
  elsif found then
    if _report.discarded_at is not null then
      update public.client_reports set discarded_at = null, summary = '',
        figures = private.report_figures(_client, _span, _first_day, _last_day)
      where client_id = _client_id and id = _report.id;
    end if;
    return _report.id;
  end if;
  insert into public.client_reports (client_id, span, first_day, last_day, figures)
  values (_client_id, _span, _first_day, _last_day, private.report_figures(_client, _span, _first_day, _last_day))
  returning id into _report.id;
  return _report.id;
end
$$;
revoke all on function public.start_client_report(uuid, text, date) from public, anon, authenticated;
grant execute on function public.start_client_report(uuid, text, date) to authenticated, service_role;

-- Begins a new report that says that it corrects one that was sent, or finds the one that was begun. Returns its id.
create function public.correct_client_report(_client_id uuid, _id uuid) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  _client constant public.clients := private.lock_client_of_worker(_client_id);
  _report public.client_reports;
  _new uuid;
begin
  select * into _report from public.client_reports where client_id = _client_id and id = _id;
  if _report.hash is null then
    raise exception 'This report was not sent. Change it instead.' using errcode = 'P0001';
  end if;
  insert into public.client_reports (client_id, span, first_day, last_day, figures, summary, corrects)
  values (_client_id, _report.span, _report.first_day, _report.last_day,
    private.report_figures(_client, _report.span, _report.first_day, _report.last_day), _report.summary, _id)
  on conflict do nothing returning id into _new;
  return coalesce(_new, (select id from public.client_reports where client_id = _client_id and corrects = _id));
end
$$;
revoke all on function public.correct_client_report(uuid, uuid) from public, anon, authenticated;
grant execute on function public.correct_client_report(uuid, uuid) to authenticated, service_role;

-- Fills the figures as they are now into a draft.
create function public.refill_client_report(_client_id uuid, _id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  _draft constant public.client_reports := private.lock_report_draft(_client_id, _id);
begin
  update public.client_reports set figures = private.report_figures(clients, _draft.span, _draft.first_day, _draft.last_day)
  from public.clients where clients.id = _client_id and client_reports.client_id = _client_id and client_reports.id = _id;
end
$$;
revoke all on function public.refill_client_report(uuid, uuid) from public, anon, authenticated;
grant execute on function public.refill_client_report(uuid, uuid) to authenticated, service_role;

-- Saves the summary of a draft over the one that was read, _former.
create function public.save_report_summary(_client_id uuid, _id uuid, _summary text, _former text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  _draft constant public.client_reports := private.lock_report_draft(_client_id, _id);
begin
  if _draft.summary is distinct from _former then
    raise exception 'A colleague has changed the summary meanwhile. Please read it first.' using errcode = 'P0001';
  end if;
  update public.client_reports set summary = btrim(_summary, E' \t\r\n') where client_id = _client_id and id = _id;
end
$$;
revoke all on function public.save_report_summary(uuid, uuid, text, text) from public, anon, authenticated;
grant execute on function public.save_report_summary(uuid, uuid, text, text) to authenticated, service_role;

-- Sets a draft aside: it is not made again by itself. A correction that nobody sent is deleted.
create function public.discard_client_report(_client_id uuid, _id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if (private.lock_report_draft(_client_id, _id)).corrects is null then
    update public.client_reports set discarded_at = now() where client_id = _client_id and id = _id;
  else
    delete from public.client_reports where client_id = _client_id and id = _id;
  end if;
end
$$;
revoke all on function public.discard_client_report(uuid, uuid) from public, anon, authenticated;
grant execute on function public.discard_client_report(uuid, uuid) to authenticated, service_role;

-- Mails those of a client who want to be told that a report is there, with its hash. Past 20 a day to one address the dashboard is read.
create function private.tell_client_of_report(_report public.client_reports) returns void
language sql security definer set search_path = ''
as $$
  -- Found first, or the planner could count for addresses of others.
  with people as materialized (
    select member.email, clients.name as client
    from private.members_to_tell(_report.client_id, 'report') as member join public.clients on clients.id = _report.client_id
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'client_report', jsonb_build_object(
    'Email', email, 'Client', client, 'ReportId', _report.id, 'Hash', _report.hash, 'Message', _report.summary,
    'Period', case _report.span when 'month' then to_char(_report.first_day, 'FMMonth YYYY')
      else to_char(_report.first_day, 'FMDD FMMonth') || ' to ' || to_char(_report.last_day, 'FMDD FMMonth YYYY') end,
    'Correction', case when _report.corrects is null then '' else 'It corrects the report that we sent before.' end
  )
  from people where private.count_for_subject('report mail', lower(email), 20, interval '1 day')
$$;
revoke all on function private.tell_client_of_report(public.client_reports) from public;

-- Approves a draft as it was read: _seal is the one that client_report() told of it. From here on it stays as it is, and the
-- people of the client are mailed. Returns its hash.
create function public.approve_client_report(_client_id uuid, _id uuid, _seal text) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  _report public.client_reports := private.lock_report_draft(_client_id, _id);
begin
  if _report.discarded_at is not null then
    raise exception 'This draft was set aside.' using errcode = 'P0001';
  elsif private.report_hash(_report) is distinct from _seal then
    raise exception 'The report has changed meanwhile. Please read it again.' using errcode = 'P0001';
  end if;
  _report.approved_by := private.user_id();
  -- After the lock on the client, so that reports have one order.
  _report.sent_at := clock_timestamp();
  _report.previous_hash := (
    select hash from public.client_reports where client_id = _client_id and sent_at is not null order by sent_at desc limit 1
  );
  _report.hash := private.report_hash(_report);
  update public.client_reports set
    approved_by = _report.approved_by, sent_at = _report.sent_at, previous_hash = _report.previous_hash, hash = _report.hash
  where client_id = _client_id and id = _id;
  perform private.tell_client_of_report(_report);
  return _report.hash;
end
$$;
revoke all on function public.approve_client_report(uuid, uuid, text) from public, anon, authenticated;
grant execute on function public.approve_client_report(uuid, uuid, text) to authenticated, service_role;

-- Reads a report: {"client_id", "client", "span", "first_day", "last_day", "figures", "summary", "corrects", "corrected_by",
-- "hash", "is_genuine", "sent_at", "approved_by"}; for those who work for the client also "may_change", "seal" and
-- "is_current": whether a draft has the figures as they are now. To the client no address of a person is told. Null when there
-- is none, or none for whoever asks.
create function public.client_report(_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  _report public.client_reports;
  _client public.clients;
  _works_for boolean;
begin
  select * into _report from public.client_reports
  where id = _id and (
    private.is_admin() or client_id in (select private.clients_of_team_member())
    or sent_at is not null and client_id in (select private.clients_of_member())
  );
  if not found then
    return null;
  end if;
  _works_for := private.is_admin() or _report.client_id in (select private.clients_of_team_member());
  select * into _client from public.clients where id = _report.client_id;
  return jsonb_build_object(
    'client_id', _client.id, 'client', _report.figures -> 'client' ->> 'name', 'span', _report.span,
    'first_day', _report.first_day, 'last_day', _report.last_day, 'figures', _report.figures, 'summary', _report.summary,
    'corrects', _report.corrects, 'hash', _report.hash, 'sent_at', _report.sent_at,
    'is_genuine', _report.hash = private.report_hash(_report),
    'corrected_by', (
      select id from public.client_reports
      where client_id = _client.id and corrects = _report.id and (_works_for or sent_at is not null)
    ),
    'approved_by', (
      select coalesce(nullif(private.name_of(raw_user_meta_data), ''), case when _works_for then email end, '')
      from auth.users where id = _report.approved_by
    ),
    'may_change', _works_for and _report.sent_at is null,
    'seal', case when _works_for then private.report_hash(_report) end,
    'is_current', _report.sent_at is not null or _works_for
      and _report.figures = private.report_figures(_client, _report.span, _report.first_day, _report.last_day)
  );
end
$$;
revoke all on function public.client_report(uuid) from public, anon, authenticated;
grant execute on function public.client_report(uuid) to authenticated, service_role;

-- Holds the reports that a client was sent against their hashes, and each against the one before it. Returns those that were
-- changed, and those before which one is missing.
create function public.check_client_reports(_client_id uuid) returns table (id uuid, first_day date, problem text)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.works_for_client(_client_id);
  return query
    select report.id, report.first_day, case
      when report.hash <> report.now_hash then 'This report is not what was sent: its hash is another.'
      else 'The report that was sent before this one is missing, or another.'
    end
    from (
      select any_report.id, any_report.first_day, any_report.hash, any_report.previous_hash, any_report.sent_at,
        private.report_hash(any_report) as now_hash, lag(any_report.hash) over (order by any_report.sent_at) as former
      from public.client_reports as any_report where any_report.client_id = _client_id and any_report.hash is not null
    ) as report
    where report.hash <> report.now_hash or report.previous_hash is distinct from report.former
    order by report.sent_at;
end
$$;
revoke all on function public.check_client_reports(uuid) from public, anon, authenticated;
grant execute on function public.check_client_reports(uuid) to authenticated, service_role;

insert into private.personal_data (table_name, ids, section, given, sorted_by, on_deletion) values
  ('client_reports', '{approved_by}', 'approved_reports',
    '{"at": "sent_at", "client": "client_id", "first_day": "first_day", "hash": "hash"}', 'sent_at', 'follow');

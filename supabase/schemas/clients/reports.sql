-- Reports to clients: scheduled or manual drafts, for a week or a month. A person writes the summary and approves.
-- After that, the row is immutable, and a correction is a new report. The mail contains the SHA-256 of the report,
-- including decisions since the last one, because a hash that is stored only with the figures could be rewritten
-- together with them.
create table public.client_reports (
  client_id uuid not null references public.clients (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  span text not null check (span in ('week', 'month')),
  first_day date not null constraint client_reports_first_day_calendar check (first_day between '1900-01-01' and '2999-12-31'),
  last_day date not null constraint client_reports_last_day_calendar check (last_day between '1900-01-01' and '2999-12-31'),
  -- Content of the report, with its imports: private.report_figures().
  figures jsonb not null,
  summary text not null default '' check (length(summary) <= 5000),
  -- The report that this one corrects.
  corrects uuid,
  created_at timestamptz not null default now()
    constraint client_reports_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  -- Time at which the draft was discarded. The row stays, so that the draft is not created again.
  discarded_at timestamptz
    constraint client_reports_discarded_at_calendar check (discarded_at between '1900-01-01' and '2999-12-31'),
  -- SHA-256 of private.report_document(). The row is immutable once it is set.
  hash text check (hash ~ '^[0-9a-f]{64}$'),
  -- Hash of the previous report, which this hash includes.
  previous_hash text check (previous_hash ~ '^[0-9a-f]{64}$'),
  approved_by uuid references auth.users (id) on delete set null,
  sent_at timestamptz constraint client_reports_sent_at_calendar check (sent_at between '1900-01-01' and '2999-12-31'),
  decisions jsonb,
  primary key (client_id, id),
  foreign key (client_id, corrects) references public.client_reports (client_id, id),
  check (last_day > first_day),
  constraint client_reports_check1 check ((hash is null) = (sent_at is null)),
  constraint client_reports_check2 check (sent_at is null or discarded_at is null)
);
create unique index client_reports_once_idx on public.client_reports (client_id, span, first_day) where corrects is null;
create unique index client_reports_corrects_idx on public.client_reports (client_id, corrects);
-- Mails refer to a report by its id only.
create index client_reports_id_idx on public.client_reports (id);
create index client_reports_sent_idx on public.client_reports (client_id, sent_at);
create index client_reports_approved_by_idx on public.client_reports (approved_by);
grant select on public.client_reports to authenticated;
grant all on public.client_reports to service_role;
alter table public.client_reports enable row level security;
create policy "Admins read all reports" on public.client_reports for select to authenticated
  using ((select private.is_admin()));
create policy "Members read the sent reports of their clients" on public.client_reports for select to authenticated
  using (sent_at is not null and client_id in (select private.clients_of_member()));
create policy "Team members read the reports of their clients" on public.client_reports for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

-- Summaries of scheduled drafts, requested from the language model if there is one. The draft is available before its
-- summary. The row shows the state until a person saves a summary.
create table private.summary_requests (
  client_id uuid not null,
  report_id uuid not null,
  -- 'empty': the guard removed every sentence of the model.
  state text not null default 'pending' check (state in ('pending', 'done', 'empty', 'unavailable')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  primary key (client_id, report_id),
  foreign key (client_id, report_id) references public.client_reports (client_id, id) on delete cascade
);
alter table private.summary_requests enable row level security;

-- Mondays whose list of pending tasks was sent.
create table private.monday_lists (
  monday date primary key
);
alter table private.monday_lists enable row level security;

-- Approves a draft as it was read: `_content_hash` is from client_report(). The report becomes immutable, and members
-- are mailed. Returns its hash.
create function public.approve_client_report(_client_id uuid, _id uuid, _content_hash text) returns text
language plpgsql security definer set search_path = '' as $$
declare
  _draft constant public.client_reports := private.lock_report_draft(_client_id, _id);
  _report public.client_reports := private.with_current_figures(_draft);
begin
  if _report.discarded_at is not null then
    raise exception 'This draft was discarded.' using errcode = 'P0001';
  elsif private.report_hash(_report) is distinct from _content_hash then
    raise exception 'The report has changed. Reload the page to read it again.' using errcode = 'P0001';
  elsif _report.summary <> '' and _report.figures <> _draft.figures then
    raise exception 'The figures changed after the summary was saved. Check the summary and save it again.'
      using errcode = 'P0001';
  end if;
  _report.approved_by := private.user_id();
  -- Read after the client is locked, so that reports form one chain.
  _report.sent_at := clock_timestamp();
  _report.previous_hash := (
    select hash from public.client_reports where client_id = _client_id and sent_at is not null order by sent_at desc limit 1
  );
  _report.decisions := private.unreported_decisions(_client_id);
  _report.hash := private.report_hash(_report);
  update public.client_reports set
    figures = _report.figures, approved_by = _report.approved_by, sent_at = _report.sent_at,
    previous_hash = _report.previous_hash, decisions = _report.decisions, hash = _report.hash
  where client_id = _client_id and id = _id;
  perform private.mail_client_about_report(_report);
  return _report.hash;
end
$$;
grant execute on function public.approve_client_report to authenticated, service_role;

-- Verifies a client's sent reports by their hashes. Returns changed reports, and reports whose predecessor is missing.
create function public.check_client_reports(_client_id uuid) returns table (id uuid, first_day date, problem text)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.works_for_client(_client_id);
  return query
    select report.id, report.first_day, case
      when report.hash <> report.now_hash then 'This report was changed after it was sent: its hash does not match.'
      else 'The previous report is missing or was changed.'
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
grant execute on function public.check_client_reports to authenticated, service_role;

-- Returns a page of one part of a client's archive. Includes only the figures that count, and for meetings their day
-- and campaign.
create function public.client_archive(_client_id uuid, _part text, _offset integer default 0) returns setof jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  _is_team constant boolean := private.works_for_client(_client_id);
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
        'same', same_count, 'refused', refused_count, 'by', private.display_name(imported_by, _is_team), 'at', batch.created_at,
        'undone_at', undone_at)
      from public.import_batches as batch where client_id = _client_id
      order by batch.created_at, batch.id limit 1000 offset _from;
    when 'approvals' then return query
      select jsonb_build_object('title', version.title, 'version', version.number, 'text', text, 'due_on', due_on,
        'asked_by', private.display_name(asked_by, _is_team), 'asked_at', version.created_at, 'decision', verdict,
        'comment', comment, 'decided_by', coalesce(
          nullif(decision.decided_by_name, ''), case when _is_team then nullif(decision.decided_by_address, '') end,
          private.display_name(decided_by, _is_team)
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
        'answer', answer, 'reason', reason, 'answered_by', private.display_name(answered_by, _is_team),
        'answered_at', answered_at, 'answer_until', answer_until, 'role', role, 'company_size', company_size, 'country', country,
        'is_customer', case is_customer when true then 'yes' when false then 'no' end, 'minutes', minutes,
        'criterion', criterion, 'lead', lead_id, 'meeting', meeting.id)
      from public.client_meetings as meeting
        left join public.campaigns on campaigns.client_id = meeting.client_id and campaigns.id = meeting.campaign_id
      where meeting.client_id = _client_id order by booked_on, meeting.id limit 1000 offset _from;
    when 'meeting_changes' then return query
      select jsonb_build_object('meeting', meeting_id, 'at', created_at, 'status', status, 'reason', reason, 'criterion', criterion,
        'by', private.display_name(changed_by, _is_team))
      from public.client_meeting_changes where client_id = _client_id order by meeting_id, number limit 1000 offset _from;
    when 'meeting_results' then return query
      select jsonb_build_object('meeting', meeting_id, 'at', created_at, 'status', status,
        'amount', case when private.can_see_amounts(_client_id) then amount end, 'reason', reason,
        'by', private.display_name(reported_by, _is_team))
      from public.client_meeting_results where client_id = _client_id order by meeting_id, number limit 1000 offset _from;
    when 'fees' then
      if private.can_see_amounts(_client_id) then
        return query
          select jsonb_build_object('number', number, 'from', first_month, 'amount', amount,
            'by', private.display_name(set_by, _is_team), 'at', created_at)
          from public.client_fees where client_id = _client_id order by number limit 1000 offset _from;
      end if;
    when 'meeting_months' then return query
      select jsonb_build_object('name', to_char(first_day, 'YYYY-MM'), 'hash', hash, 'closed_at', closed_at,
        'closed_by', private.display_name(closed_by, _is_team), 'document', sheet)
      from public.client_meeting_months where client_id = _client_id order by first_day limit 100 offset _from;
    when 'leads' then return query
      select jsonb_build_object('received_at', received_at, 'name', lead.name, 'email', email, 'company', company, 'title', lead.title,
        'campaign', campaigns.name, 'step', step, 'text', approvals.title, 'words', words, 'status', status, 'reason', reason,
        'taken_by', private.display_name(taken_by, _is_team), 'taken_at', taken_at, 'lead', lead.id)
      from public.client_leads as lead
        left join public.campaigns on campaigns.client_id = lead.client_id and campaigns.id = lead.campaign_id
        left join public.approvals on approvals.client_id = lead.client_id and approvals.id = lead.approval_id
      where lead.client_id = _client_id order by received_at, lead.id limit 200 offset _from;
    when 'lead_changes' then return query
      select jsonb_build_object('lead', lead_id, 'at', created_at, 'status', status, 'reason', reason,
        'by', private.display_name(changed_by, _is_team))
      from public.client_lead_changes where client_id = _client_id order by lead_id, number limit 1000 offset _from;
    when 'leave_alone' then return query
      select jsonb_build_object('kind', kind, 'entry', hint, 'added_at', created_at)
      from public.do_not_contact where client_id = _client_id order by created_at, id limit 1000 offset _from;
    when 'figures_on_the_site' then return query
      select jsonb_build_object('figure', private.format_figure_quote(quote), 'page', coalesce(projects.title, 'a page that was deleted'),
        'asked_by', private.display_name(asked_by, _is_team), 'asked_at', asked_at, 'answer', answer,
        'answered_by', private.display_name(answered_by, _is_team), 'answered_at', answered_at,
        'withdrawn_by', private.display_name(withdrawn_by, _is_team), 'withdrawn_at', withdrawn_at, 'ended_at', ended_at,
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
grant execute on function public.client_archive to authenticated, service_role;

-- Returns a report: {"client_id", "client", "span", "first_day", "last_day", "figures", "summary", "corrects",
-- "corrected_by", "hash", "is_genuine", "sent_at", "approved_by"}. The client's team also receives "may_change",
-- "content_hash" and "is_current" (whether a draft has the present figures). Members do not see addresses of people.
-- Null if the report is missing or not visible to the caller.
create function public.client_report(_id uuid) returns jsonb language plpgsql stable security definer set search_path = '' as $$
declare
  _report public.client_reports;
  _stored jsonb;
  _client public.clients;
  _is_team boolean;
begin
  select * into _report from public.client_reports
  where id = _id and (
    private.is_admin() or client_id in (select private.clients_of_team_member())
    or sent_at is not null and client_id in (select private.clients_of_member())
  );
  if not found then
    return null;
  end if;
  _is_team := private.is_admin() or _report.client_id in (select private.clients_of_team_member());
  _stored := _report.figures;
  _report := private.with_current_figures(_report);
  select * into _client from public.clients where id = _report.client_id;
  return jsonb_build_object(
    'client_id', _client.id, 'time_zone', _client.time_zone, 'logo', _client.logo, 'client', _report.figures -> 'client' ->> 'name', 'span', _report.span,
    'first_day', _report.first_day, 'last_day', _report.last_day, 'figures', _report.figures, 'summary', _report.summary,
    'corrects', _report.corrects, 'hash', _report.hash, 'sent_at', _report.sent_at,
    'is_genuine', _report.hash = private.report_hash(_report),
    'corrected_by', (
      select id from public.client_reports
      where client_id = _client.id and corrects = _report.id and (_is_team or sent_at is not null)
    ),
    'approved_by', (
      select coalesce(nullif(private.name_of(raw_user_meta_data), ''), case when _is_team then email end, '')
      from auth.users where id = _report.approved_by
    ),
    'may_change', _is_team and _report.sent_at is null,
    'by_model', case when _is_team and _report.sent_at is null then (
      select jsonb_build_object('state', request.state) from private.summary_requests as request
      where request.client_id = _client.id and request.report_id = _report.id
    ) end,
    'content_hash', case when _is_team then private.report_hash(_report) end,
    'is_summary_current', _report.summary = '' or _report.figures = _stored
  );
end
$$;
grant execute on function public.client_report to authenticated, service_role;

-- Creates a correction of a sent report, or returns its draft. Returns the id.
create function public.correct_client_report(_client_id uuid, _id uuid) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  _client constant public.clients := private.lock_assigned_client(_client_id);
  _report public.client_reports;
  _new uuid;
begin
  select * into _report from public.client_reports where client_id = _client_id and id = _id;
  if _report.hash is null then
    raise exception 'This report has not been sent yet. Edit it instead.' using errcode = 'P0001';
  end if;
  insert into public.client_reports (client_id, span, first_day, last_day, figures, summary, corrects)
  values (_client_id, _report.span, _report.first_day, _report.last_day,
    private.report_figures(_client, _report.span, _report.first_day, _report.last_day), _report.summary, _id)
  on conflict do nothing returning id into _new;
  return coalesce(_new, (select id from public.client_reports where client_id = _client_id and corrects = _id));
end
$$;
grant execute on function public.correct_client_report to authenticated, service_role;

-- Discards a draft, so that it is not created again. A correction is deleted.
create function public.discard_client_report(_client_id uuid, _id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if (private.lock_report_draft(_client_id, _id)).corrects is null then
    update public.client_reports set discarded_at = now() where client_id = _client_id and id = _id;
  else
    delete from public.client_reports where client_id = _client_id and id = _id;
  end if;
end
$$;
grant execute on function public.discard_client_report to authenticated, service_role;

-- Saves a draft's summary, unless the saved one no longer matches `_expected_summary`.
create function public.save_report_summary(_client_id uuid, _id uuid, _summary text, _expected_summary text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _draft constant public.client_reports := private.lock_report_draft(_client_id, _id);
begin
  if _draft.summary is distinct from _expected_summary then
    raise exception 'A colleague has changed the summary. Please read it first.' using errcode = 'P0001';
  end if;
  update public.client_reports set
    summary = btrim(_summary, E' \t\r\n'), figures = (private.with_current_figures(_draft)).figures
  where client_id = _client_id and id = _id;
  -- An edited draft is no longer overwritten by the model's summary.
  delete from private.summary_requests where client_id = _client_id and report_id = _id;
end
$$;
grant execute on function public.save_report_summary to authenticated, service_role;

-- Creates a report of a past week or month, or returns its draft. Returns the id.
create function public.start_client_report(_client_id uuid, _span text, _first_day date) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  _client constant public.clients := private.lock_assigned_client(_client_id);
  _last_day constant date := case _span when 'week' then _first_day + 6 else (_first_day + interval '1 month - 1 day')::date end;
  _report public.client_reports;
begin
  if _span = 'week' and extract(isodow from _first_day) <> _client.first_weekday
    or _span = 'month' and extract(day from _first_day) <> 1 then
    raise exception 'The first day must be the start of a week or month for this client.' using errcode = '22023';
  elsif _last_day >= (now() at time zone _client.time_zone)::date then
    raise exception 'A report can only cover a period that has ended.' using errcode = 'P0001';
  end if;
  select * into _report from public.client_reports
  where client_id = _client_id and span = _span and first_day = _first_day and corrects is null for update;
  if _report.hash is not null then
    raise exception 'A report for this period already exists. Open it and correct it.' using errcode = 'P0001';
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
grant execute on function public.start_client_report to authenticated, service_role;

-- Returns the first day of the week that the latest report is due for. The due time is in the client's time zone, even
-- on days of a clock change.
create function private.due_report_week(_client public.clients, _now timestamptz default now()) returns date
language sql stable set search_path = '' as $$
  select day - (extract(isodow from day)::integer - _client.first_weekday + 7) % 7 - 7
  from (select (_now at time zone _client.time_zone)::date) as local_now (today),
    lateral (select today - (extract(isodow from today)::integer - _client.report_weekday + 7) % 7) as latest (weekday),
    lateral (
      select case
        when (weekday + make_interval(hours => _client.report_hour)) at time zone _client.time_zone <= _now then weekday
        else weekday - 7
      end
    ) as due (day)
$$;

-- Stores a requested summary, unless the draft has changed. Null means that the model was unavailable.
create function private.store_requested_summary(_client_id uuid, _id uuid, _content_hash text, _summary text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if _summary <> '' then
    update public.client_reports as draft set summary = _summary, figures = (private.with_current_figures(draft)).figures
    where draft.client_id = _client_id and draft.id = _id and draft.sent_at is null and draft.discarded_at is null
      and draft.summary = '' and private.report_hash(private.with_current_figures(draft)) = _content_hash;
    if not found then
      return;
    end if;
  end if;
  update private.summary_requests set state = case when _summary is null then 'unavailable' when _summary = '' then 'empty' else 'done' end
  where client_id = _client_id and report_id = _id;
end
$$;

-- Makes sent reports immutable, even for the secret key. Deleting an account only clears `approved_by`. Deleting a
-- client deletes its reports.
create function private.guard_sent_report() returns trigger language plpgsql security definer set search_path = '' as $$
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
  raise exception 'A sent report cannot be changed. Correct it with a new one.' using errcode = 'P0001';
end
$$;

-- Locks a draft of a client that the caller works for. Throws P0001 if it was sent or deleted.
create function private.lock_report_draft(_client_id uuid, _id uuid) returns public.client_reports
language plpgsql security definer set search_path = '' as $$
declare
  _report public.client_reports;
begin
  perform private.lock_assigned_client(_client_id);
  select * into _report from public.client_reports where client_id = _client_id and id = _id for update;
  if not found then
    raise exception 'This report no longer exists.' using errcode = 'P0001';
  elsif _report.hash is not null then
    raise exception 'This report has been sent and cannot be changed.' using errcode = 'P0001';
  end if;
  return _report;
end
$$;

-- Returns the figures of a report for its mail: "Figure1" to "Figure3", their names "Metric1" to "Metric3", and
-- "Before1" to "Before3". The order is that of app/clients/reports/tiles.tsx.
create function private.mailed_figures(_report public.client_reports) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_object_agg(key || number, text), '{}')
  from (
    select row_number() over (order by place), metrics.plural, result.value, result.before
    from unnest(array['meetings', 'replies', 'delivered', 'positive_replies', 'sent']) with ordinality as wanted (metric, place)
      join jsonb_to_recordset(_report.figures -> 'result') as result (metric text, value bigint, before bigint) using (metric)
      join private.metrics on metrics.name = metric
    order by place limit 3
  ) as shown (number, plural, value, before), lateral (values
    ('Figure', coalesce(to_char(value, 'FM999,999,999,999,990'), '–')),
    ('Metric', plural),
    ('Before', case when before is null then 'no figure' else to_char(before, 'FM999,999,999,999,990') end
      || ' the ' || _report.span || ' before'),
    ('Rise', case when value > before then '+' || to_char(value - before, 'FM999,999,999,999,990') else '' end),
    ('Fall', case when value < before then '−' || to_char(before - value, 'FM999,999,999,999,990') else '' end)
  ) as variables (key, text)
$$;

-- Creates the next due draft. A client created after the week gets no draft, unless figures of that week were imported.
create function private.make_next_due_report() returns boolean language plpgsql security definer set search_path = '' as $$
declare
  _client public.clients;
  _week date;
  _id uuid;
begin
  select clients.* into _client
  from public.clients cross join lateral (select private.due_report_week(clients)) as due (week)
  where clients.report_weekday is not null
    and exists (select from public.campaigns where campaigns.client_id = clients.id and deleted_at is null)
    and not exists (
      select from public.client_reports as report
      where report.client_id = clients.id and report.span = 'week' and report.first_day = due.week and report.corrects is null
    )
    and (
      clients.created_at < (due.week + 7)::timestamp at time zone clients.time_zone
      or exists (
        select from public.campaign_figures as figure
        where figure.client_id = clients.id and figure.replaced_by is null
          and figure.first_day between due.week and due.week + 6
      )
    )
  order by clients.id limit 1 for no key update of clients skip locked;
  if not found then
    return false;
  end if;
  _week := private.due_report_week(_client);
  insert into public.client_reports (client_id, span, first_day, last_day, figures)
  values (_client.id, 'week', _week, _week + 6, private.report_figures(_client, 'week', _week, _week + 6))
  on conflict do nothing returning id into _id;
  if _id is not null then
    insert into private.summary_requests (client_id, report_id) values (_client.id, _id);
    perform pg_notify('report_drafted', '');
  end if;
  return true;
end
$$;

-- Claims the next draft whose summary the language model should write. A draft is claimed at most three times, ten
-- minutes apart, so that a crash does not lose it. Returns the draft and the hash of its content. Null if no draft is
-- pending.
create function private.claim_requested_summary() returns jsonb language sql security definer set search_path = '' as $$
  with next as (
    select request.client_id, request.report_id
    from private.summary_requests as request join public.client_reports as report
      on report.client_id = request.client_id and report.id = request.report_id
    where request.state in ('pending', 'unavailable') and request.attempts < 3 and request.next_attempt_at <= now()
      and report.sent_at is null and report.discarded_at is null and report.summary = ''
    order by request.next_attempt_at limit 1 for update of request skip locked
  ), taken as (
    update private.summary_requests as request set attempts = request.attempts + 1, next_attempt_at = now() + interval '10 minutes'
    from next where (request.client_id, request.report_id) = (next.client_id, next.report_id)
    returning request.client_id, request.report_id
  )
  select jsonb_build_object(
    'client_id', report.client_id, 'id', report.id, 'client', report.figures -> 'client' ->> 'name', 'span', report.span,
    'first_day', report.first_day, 'last_day', report.last_day, 'figures', report.figures, 'may_change', true,
    'content_hash', private.report_hash(report)
  )
  from taken join public.client_reports as draft on draft.client_id = taken.client_id and draft.id = taken.report_id,
    lateral private.with_current_figures(draft) as report
$$;

-- Returns the text that a report's hash covers: everything but `approved_by`, which is cleared when the account is
-- deleted.
create function private.report_document(_report public.client_reports) returns text
language sql stable set search_path = '' as $$
  select jsonb_pretty(jsonb_build_object(
    'report', _report.id, 'client', _report.client_id, 'span', _report.span, 'first_day', _report.first_day,
    'last_day', _report.last_day, 'figures', _report.figures, 'summary', _report.summary, 'corrects', _report.corrects,
    'previous', _report.previous_hash,
    'approved_at', to_char(_report.sent_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
  ) || case when _report.decisions is null then '{}' else jsonb_build_object('decisions', _report.decisions) end)
$$;

-- Returns the content of a report: private.report_figures_of_period(), "weeks" of private.report_weeks(), and "funnel"
-- of private.funnel_of_period(). The funnel covers the 90 days up to the last day, because results follow meetings by
-- weeks, and has no amounts, because viewers read reports. Reports that were sent before lack these.
create function private.report_figures(_client public.clients, _span text, _first_day date, _last_day date) returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.report_figures_of_period(_client, _span, _first_day, _last_day)
    || jsonb_build_object(
      'weeks', private.report_weeks(_client, _last_day), 'funnel', private.funnel_of_period(_client, _last_day - 89, _last_day)
    )
$$;

-- Returns the content of a report without its weeks: {"client": {"name", "currency"}, "result": [{"metric", "value",
-- "before"}], "campaigns": [{"name", "channel", "figures"}], "meetings": {"held", "no_show", "booked", "disputed"},
-- "goals": [{"metric", "goal", "value"}], "changes": [{"kind", "name", "detail"}], "next": [{"campaign", "step",
-- "due_on"}], "wishes": [{"kind", "name", "due_on"}], "imports": [{"id", "file", "hash", "at"}]}. A weekly figure
-- counts in the period in which it begins. A missing figure is null.
create function private.report_figures_of_period(_client public.clients, _span text, _first_day date, _last_day date) returns jsonb
language sql stable security definer set search_path = '' as $$
  with days as (
    select case _span when 'week' then _first_day - 7 else (_first_day - interval '1 month')::date end as before,
      date_trunc('month', _first_day)::date as month
  ), counted as (
    select campaign_id, batch_id, metric, value, first_day between _first_day and _last_day as is_now,
      first_day between days.before and _first_day - 1 as is_before,
      first_day between days.month and (days.month + interval '1 month - 1 day')::date as is_month
    from private.counted_figures, days
    where client_id = _client.id
      and first_day between least(days.before, days.month) and greatest(_last_day, (days.month + interval '1 month')::date)
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
        'value', (select case when shown.metric = 'meetings' and count(*) > 0 then coalesce(sum(value) filter (where metric = 'meetings'), 0)
          else sum(value) filter (where counted.metric = shown.metric) end from counted where is_now),
        'before', (select case when shown.metric = 'meetings' and count(*) > 0 then coalesce(sum(value) filter (where metric = 'meetings'), 0)
          else sum(value) filter (where counted.metric = shown.metric) end from counted where is_before)
      ) order by shown.at)
      from (select name, position from private.metrics where is_reported) as shown (metric, at)
      where shown.metric = 'meetings' or exists (select from counted where counted.metric = shown.metric)
    ),
    'campaigns', coalesce((
      select jsonb_agg(jsonb_build_object(
        'name', coalesce(name, 'No campaign'), 'channel', coalesce(channel, 'other'), 'figures', figures
      ) order by name, id)
      from (
        select campaign_id, jsonb_object_agg(metric, value) from (
          select campaign_id, metric, sum(value) from counted where is_now group by campaign_id, metric
        ) as sums (campaign_id, metric, value) group by campaign_id
      ) as totals (campaign_id, figures) left join public.campaigns on client_id = _client.id and id = campaign_id
    ), '[]'),
    'meetings', (
      select jsonb_build_object(
        'held', count(*) filter (where outcome = 'held'), 'no_show', count(*) filter (where outcome = 'no_show'),
        'booked', count(*) filter (where outcome = 'booked'), 'disputed', count(*) filter (where answer = 'disputed'))
      from public.client_meetings where client_id = _client.id and booked_on between _first_day and _last_day
    ),
    'goals', coalesce((
      select jsonb_agg(jsonb_build_object('metric', goal.metric, 'goal', goal.value, 'value',
        coalesce((select sum(value) from counted where counted.metric = goal.metric and is_month), 0)) order by goal.at)
      from (values (1, 'meetings', _client.meetings_goal), (2, 'replies', _client.replies_goal),
        (3, 'delivered', _client.delivered_goal)) as goal (at, metric, value)
      where goal.value is not null
    ), '[]'),
    'changes', coalesce((
      select jsonb_agg(jsonb_build_object('kind', kind, 'name', name, 'detail', detail) order by rank, name)
      from private.changes_of_client(_client, _first_day, _last_day)
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

-- Returns the SHA-256 of a report's present content.
create function private.report_hash(_report public.client_reports) returns text language sql stable set search_path = '' as $$
  select encode(sha256(convert_to(private.report_document(_report), 'UTF8')), 'hex')
$$;

-- Returns the sums of the twelve weeks up to the last week that ends by that day, oldest first: [{"first_day",
-- "figures"}].
create function private.report_weeks(_client public.clients, _last_day date) returns jsonb
language sql stable security definer set search_path = '' as $$
  with start as (
    select _last_day - 6 - (extract(isodow from _last_day - 6)::integer - _client.first_weekday + 7) % 7 - 77 as first_day
  ), sums as (
    select (figures.first_day - start.first_day) / 7 as week, metric, sum(value) as value
    from private.counted_figures as figures, start
    where client_id = _client.id and figures.first_day between start.first_day and start.first_day + 83
    group by 1, 2
  )
  select jsonb_agg(jsonb_build_object('first_day', start.first_day + 7 * number, 'figures', coalesce(
    (select jsonb_object_agg(metric, value) from sums where week = number), '{}'
  )) order by number)
  from start, generate_series(0, 11) as number
$$;

-- Sends the list of pending tasks once, from Monday 9:00 to the end of Tuesday in the site's time zone. Returns true if
-- it was due.
create function private.send_monday_list(_now timestamptz default now()) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  _local_time constant timestamp := _now at time zone coalesce(
    (select time_zone from public.booking_rules limit 1), 'Europe/Oslo'
  );
  _monday constant date := date_trunc('week', _local_time)::date;
begin
  if _local_time < _monday + interval '9 hours' or _local_time >= _monday + interval '2 days' then
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
    'Path', case roles.role when 'admin' then '/admin/dashboard' else '/team-dashboard' end,
    'Items', jsonb_agg(jsonb_build_object(
      'group', task.client, 'text', task.words, 'detail', task.detail, 'client_id', task.client_id, 'path', case task.kind
        when 'report' then '/reports/' || task.item_id
        when 'alarm' then private.team_path(users.id, task.client_id, 'alarms')
        else private.team_path(users.id, task.client_id, task.kind || '-' || task.item_id)
      end
    ) order by task.client, task.client_id, task.kind <> 'report', task.words, task.detail)
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
  group by users.id, users.email, roles.role;
  return true;
end
$$;

-- Returns a person's name for exports, with the address only for the client's team.
create function private.display_name(_person uuid, _with_address boolean) returns text
language sql stable security definer set search_path = '' as $$
  select coalesce(nullif(private.name_of(raw_user_meta_data), ''), case when _with_address then email end, '')
  from auth.users where id = _person
$$;

-- Lists pending tasks per client for its admins and team members: report drafts, declined approvals, disputed meetings
-- and open alarms.
create function private.team_tasks() returns table (
  client_id uuid, client text, kind text, item_id uuid, words text, detail text
)
language sql stable security definer set search_path = '' as $$
  with tasks (client_id, kind, item_id, words, detail) as (
    select report.client_id, 'report', report.id, 'Draft report', case report.span
      when 'month' then to_char(report.first_day, 'FMMonth YYYY')
      else to_char(report.first_day, 'FMDD FMMonth') || ' to ' || to_char(report.last_day, 'FMDD FMMonth YYYY') end
    from public.client_reports as report where report.sent_at is null and report.discarded_at is null
    union all
    select approval.client_id, 'approval', approval.id,
      approval.title, case decision.verdict when 'no' then 'Approval declined' else 'Changes requested' end
    from public.approvals as approval
      join lateral (
        select any_version.number from public.approval_versions as any_version
        where any_version.client_id = approval.client_id and any_version.approval_id = approval.id
        order by any_version.number desc limit 1
      ) as version on true
      join public.approval_decisions as decision on decision.client_id = approval.client_id
        and decision.approval_id = approval.id and decision.number = version.number and decision.verdict in ('no', 'changes')
    union all
    select meeting.client_id, 'meeting', meeting.id, 'Meeting with ' || meeting.met_with, 'Disputed'
    from public.client_meetings as meeting where meeting.answer = 'disputed'
    union all
    select alarm.client_id, 'alarm', alarm.id, alarm.text, 'Open alarm' from public.client_alarms as alarm where alarm.resolved_at is null
  )
  select tasks.client_id, clients.name, tasks.kind, tasks.item_id, tasks.words, tasks.detail
  from tasks join public.clients on clients.id = tasks.client_id where not clients.is_sample
$$;

-- Mails the members who want reports, with the report's hash. At most 20 mails a day per address.
create function private.mail_client_about_report(_report public.client_reports) returns void
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

-- Notifies the server when a report day is set.
create function private.notify_report_planned() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform pg_notify('report_planned', '');
  return null;
end
$$;

-- Compares ids instead of times, because a decision may be committed after a report with a later time.
create function private.unreported_decisions(_client_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'approval', version.approval_id, 'version', version.number, 'decision', decision.verdict,
    'decided_at', to_char(decision.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    'sha256', private.approval_version_hash(version, decision.file_sha256)
  ) order by decision.created_at, version.approval_id, version.number), '[]')
  from public.approval_decisions as decision join public.approval_versions as version
    on version.client_id = decision.client_id and version.approval_id = decision.approval_id and version.number = decision.number
  where decision.client_id = _client_id and not exists (
    select from public.client_reports as report
    where report.client_id = _client_id and report.sent_at is not null
      and report.decisions @> jsonb_build_array(jsonb_build_object('approval', version.approval_id, 'version', version.number))
  )
$$;

create function private.with_current_figures(_report public.client_reports) returns public.client_reports
language plpgsql stable security definer set search_path = '' as $$
begin
  if _report.sent_at is null then
    _report.figures := (
      select private.report_figures(clients, _report.span, _report.first_day, _report.last_day)
      from public.clients where clients.id = _report.client_id
    );
  end if;
  return _report;
end
$$;

create trigger guard_sent before update or delete on public.client_reports
  for each row execute function private.guard_sent_report();

create trigger notify_report_planned after insert or update of report_weekday, report_hour, time_zone on public.clients
  for each statement execute function private.notify_report_planned();

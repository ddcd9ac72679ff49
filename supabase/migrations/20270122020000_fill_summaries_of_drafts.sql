-- The summary of a draft that is made on its day: the language model is asked for it, where the process has one. The draft does not
-- wait for it. The row tells how it went, until a person saves a summary.
create table private.asked_summaries (
  client_id uuid not null,
  report_id uuid not null,
  -- 'empty': nothing that the model wrote is borne out by the report.
  state text not null default 'wanted' check (state in ('wanted', 'filled', 'empty', 'away')),
  left_out integer not null default 0,
  tries integer not null default 0,
  next_try_at timestamptz not null default now(),
  primary key (client_id, report_id),
  foreign key (client_id, report_id) references public.client_reports (client_id, id) on delete cascade
);
revoke all on table private.asked_summaries from anon, authenticated, service_role;
alter table private.asked_summaries enable row level security;

create or replace function private.make_next_due_report()
returns boolean language plpgsql security definer set search_path = ''
as $$
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
  order by clients.id limit 1 for no key update of clients skip locked;
  if not found then
    return false;
  end if;
  _week := private.due_report_week(_client);
  insert into public.client_reports (client_id, span, first_day, last_day, figures)
  values (_client.id, 'week', _week, _week + 6, private.report_figures(_client, 'week', _week, _week + 6))
  on conflict do nothing returning id into _id;
  if _id is not null then
    insert into private.asked_summaries (client_id, report_id) values (_client.id, _id);
    perform pg_notify('report_drafted', '');
  end if;
  return true;
end
$$;

-- Takes the next draft whose summary the language model is asked for: at most three times, ten minutes apart, so that what was taken by
-- a process that ended is taken again. @returns the draft with the hash of what was read, null when none waits
create function private.next_asked_summary()
returns jsonb language sql security definer set search_path = ''
as $$
  with next as (
    select asked.client_id, asked.report_id
    from private.asked_summaries as asked join public.client_reports as report
      on report.client_id = asked.client_id and report.id = asked.report_id
    where asked.state in ('wanted', 'away') and asked.tries < 3 and asked.next_try_at <= now()
      and report.sent_at is null and report.discarded_at is null and report.summary = ''
    order by asked.next_try_at limit 1 for update of asked skip locked
  ), taken as (
    update private.asked_summaries as asked set tries = asked.tries + 1, next_try_at = now() + interval '10 minutes'
    from next where (asked.client_id, asked.report_id) = (next.client_id, next.report_id)
    returning asked.client_id, asked.report_id
  )
  select jsonb_build_object(
    'client_id', report.client_id, 'id', report.id, 'client', report.figures -> 'client' ->> 'name', 'span', report.span,
    'first_day', report.first_day, 'last_day', report.last_day, 'figures', report.figures, 'may_change', true,
    'seal', private.report_hash(report)
  )
  from taken join public.client_reports as report on report.client_id = taken.client_id and report.id = taken.report_id
$$;
revoke all on function private.next_asked_summary() from public;

-- Fills in a summary that was asked for, unless the draft is another meanwhile; null says that the model was away.
create function private.fill_asked_summary(_client_id uuid, _id uuid, _seal text, _summary text, _left_out integer)
returns void language plpgsql security definer set search_path = ''
as $$
begin
  if _summary <> '' then
    update public.client_reports as report set summary = _summary
    where report.client_id = _client_id and report.id = _id and report.sent_at is null and report.discarded_at is null
      and report.summary = '' and private.report_hash(report) = _seal;
    if not found then
      return;
    end if;
  end if;
  update private.asked_summaries set left_out = _left_out,
    state = case when _summary is null then 'away' when _summary = '' then 'empty' else 'filled' end
  where client_id = _client_id and report_id = _id;
end
$$;
revoke all on function private.fill_asked_summary(uuid, uuid, text, text, integer) from public;

create or replace function public.save_report_summary(_client_id uuid, _id uuid, _summary text, _former text)
returns void language plpgsql security definer set search_path = ''
as $$
declare
  _draft constant public.client_reports := private.lock_report_draft(_client_id, _id);
begin
  if _draft.summary is distinct from _former then
    raise exception 'A colleague has changed the summary meanwhile. Please read it first.' using errcode = 'P0001';
  end if;
  update public.client_reports set summary = btrim(_summary, E' \t\r\n') where client_id = _client_id and id = _id;
  -- From now on it is this person's.
  delete from private.asked_summaries where client_id = _client_id and report_id = _id;
end
$$;

create or replace function public.client_report(_id uuid)
returns jsonb language plpgsql stable security definer set search_path = ''
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
    'client_id', _client.id, 'logo', _client.logo, 'client', _report.figures -> 'client' ->> 'name', 'span', _report.span,
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
    'by_model', case when _works_for and _report.sent_at is null then (
      select jsonb_build_object('state', asked.state, 'left_out', asked.left_out) from private.asked_summaries as asked
      where asked.client_id = _client.id and asked.report_id = _report.id
    ) end,
    'seal', case when _works_for then private.report_hash(_report) end,
    'is_current', _report.sent_at is not null or _works_for
      and _report.figures = private.report_figures(_client, _report.span, _report.first_day, _report.last_day)
  );
end
$$;

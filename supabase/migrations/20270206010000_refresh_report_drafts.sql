-- A draft shows the figures of the moment until it is approved. Its stored figures are those for which the summary was saved.

drop function public.refill_client_report(uuid, uuid);

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
revoke all on function private.with_current_figures(public.client_reports) from public;

create or replace function public.client_report(_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  _report public.client_reports;
  _stored jsonb;
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
  _stored := _report.figures;
  _report := private.with_current_figures(_report);
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
    'is_summary_current', _report.summary = '' or _report.figures = _stored
  );
end
$$;

create or replace function public.approve_client_report(_client_id uuid, _id uuid, _seal text) returns text
language plpgsql security definer set search_path = '' as $$
declare
  _draft constant public.client_reports := private.lock_report_draft(_client_id, _id);
  _report public.client_reports := private.with_current_figures(_draft);
begin
  if _report.discarded_at is not null then
    raise exception 'This draft was set aside.' using errcode = 'P0001';
  elsif private.report_hash(_report) is distinct from _seal then
    raise exception 'The report has changed meanwhile. Please read it again.' using errcode = 'P0001';
  elsif _report.summary <> '' and _report.figures <> _draft.figures then
    raise exception 'The figures changed after the summary was saved. Check the summary and save it again.'
      using errcode = 'P0001';
  end if;
  _report.approved_by := private.user_id();
  -- After the lock on the client, so that reports have one order.
  _report.sent_at := clock_timestamp();
  _report.previous_hash := (
    select hash from public.client_reports where client_id = _client_id and sent_at is not null order by sent_at desc limit 1
  );
  _report.hash := private.report_hash(_report);
  update public.client_reports set
    figures = _report.figures, approved_by = _report.approved_by, sent_at = _report.sent_at,
    previous_hash = _report.previous_hash, hash = _report.hash
  where client_id = _client_id and id = _id;
  perform private.tell_client_of_report(_report);
  return _report.hash;
end
$$;

create or replace function public.save_report_summary(_client_id uuid, _id uuid, _summary text, _former text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _draft constant public.client_reports := private.lock_report_draft(_client_id, _id);
begin
  if _draft.summary is distinct from _former then
    raise exception 'A colleague has changed the summary meanwhile. Please read it first.' using errcode = 'P0001';
  end if;
  update public.client_reports set
    summary = btrim(_summary, E' \t\r\n'), figures = (private.with_current_figures(_draft)).figures
  where client_id = _client_id and id = _id;
  -- From now on it is this person's.
  delete from private.asked_summaries where client_id = _client_id and report_id = _id;
end
$$;

create or replace function private.next_asked_summary() returns jsonb
language sql security definer set search_path = '' as $$
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
  from taken join public.client_reports as draft on draft.client_id = taken.client_id and draft.id = taken.report_id,
    lateral private.with_current_figures(draft) as report
$$;

create or replace function private.fill_asked_summary(_client_id uuid, _id uuid, _seal text, _summary text, _left_out integer)
returns void language plpgsql security definer set search_path = '' as $$
begin
  if _summary <> '' then
    update public.client_reports as draft set summary = _summary, figures = (private.with_current_figures(draft)).figures
    where draft.client_id = _client_id and draft.id = _id and draft.sent_at is null and draft.discarded_at is null
      and draft.summary = '' and private.report_hash(private.with_current_figures(draft)) = _seal;
    if not found then
      return;
    end if;
  end if;
  update private.asked_summaries set left_out = _left_out,
    state = case when _summary is null then 'away' when _summary = '' then 'empty' else 'filled' end
  where client_id = _client_id and report_id = _id;
end
$$;

-- A client that was created after the week has no draft of it, unless figures of that week were imported.
create or replace function private.make_next_due_report() returns boolean
language plpgsql security definer set search_path = '' as $$
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
    insert into private.asked_summaries (client_id, report_id) values (_client.id, _id);
    perform pg_notify('report_drafted', '');
  end if;
  return true;
end
$$;

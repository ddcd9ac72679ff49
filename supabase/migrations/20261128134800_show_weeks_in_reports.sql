create function private.mailed_figures(_report public.client_reports) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_object_agg(key || number, text), '{}')
  from (
    select row_number() over (order by place), metrics.many, result.value, result.before
    from unnest(array['meetings', 'replies', 'delivered', 'positive_replies', 'sent']) with ordinality as wanted (metric, place)
      join jsonb_to_recordset(_report.figures -> 'result') as result (metric text, value bigint, before bigint) using (metric)
      join private.metrics on metrics.name = metric
    order by place limit 3
  ) as shown (number, many, value, before), lateral (values
    ('Figure', coalesce(to_char(value, 'FM999,999,999,999,990'), '–')),
    ('Metric', many),
    ('Before', case when before is null then 'no figure' else to_char(before, 'FM999,999,999,999,990') end
      || ' the ' || _report.span || ' before')
  ) as variables (key, text)
$$;
revoke all on function private.mailed_figures(_report client_reports) from public, anon, authenticated, service_role;

alter function private.report_figures(public.clients, text, date, date) rename to report_figures_of_period;

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
revoke all on function private.report_weeks(_client clients, _last_day date) from public, anon, authenticated, service_role;

create or replace function private.mail_client_about_report(_report public.client_reports) returns void
language sql security definer set search_path = '' as $$
  -- Materialized, because the planner could otherwise call count_for_subject() for other people's addresses.
  with people as materialized (
    select member.email, clients.name as client
    from private.members_to_mail(_report.client_id, 'report') as member join public.clients on clients.id = _report.client_id
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'client_report', jsonb_build_object(
    'Email', email, 'Client', client, 'ReportId', _report.id, 'Hash', _report.hash, 'Message', _report.summary,
    'Period', case _report.span when 'month' then to_char(_report.first_day, 'FMMonth YYYY')
      else to_char(_report.first_day, 'FMDD FMMonth') || ' to ' || to_char(_report.last_day, 'FMDD FMMonth YYYY') end,
    'Correction', case when _report.corrects is null then '' else 'It replaces the report that we sent before.' end
  ) || private.mailed_figures(_report)
  from people where private.count_for_subject('report mail', lower(email), 20, interval '1 day')
$$;

create function private.report_figures(_client public.clients, _span text, _first_day date, _last_day date) returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.report_figures_of_period(_client, _span, _first_day, _last_day)
    || jsonb_build_object('weeks', private.report_weeks(_client, _last_day))
$$;
revoke all on function private.report_figures(_client clients, _span text, _first_day date, _last_day date) from public, anon, authenticated, service_role;

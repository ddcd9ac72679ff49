alter table public.inbound_events drop constraint inbound_events_metric_check;

alter table public.figure_quotes drop constraint figure_quotes_metric_check;

alter table public.campaign_figures drop constraint campaign_figures_metric_check;

create table private.metrics (
  name text primary key,
  position smallint not null unique,
  -- Words after a number in a quote. {currency} is replaced with the currency of the client.
  one text not null,
  many text not null,
  is_event boolean not null,
  is_reported boolean not null
);
revoke all on table private.metrics from anon, authenticated, service_role;

insert into private.metrics (name, position, one, many, is_event, is_reported) values
  ('sent', 1, 'message sent', 'messages sent', true, true),
  ('delivered', 2, 'message delivered', 'messages delivered', true, true),
  ('bounced', 3, 'message returned', 'messages returned', true, false),
  ('replies', 4, 'reply', 'replies', true, true),
  ('positive_replies', 5, 'reply with interest', 'replies with interest', true, true),
  ('meetings', 6, 'meeting booked', 'meetings booked', true, true),
  ('pipeline', 7, '{currency} in pipeline', '{currency} in pipeline', false, false);

create or replace function private.quote_in_words(_quote public.figure_quotes) returns text language sql stable set search_path = '' as $$
  select to_char(value, 'FM999,999,999,999,999') || ' '
    || replace(case value when 1 then metrics.one else metrics.many end, '{currency}', clients.currency) || ', ' || case
    when _quote.last_day < _quote.first_day + 31 then ''
    when extract(year from _quote.first_day) = extract(year from _quote.last_day) then to_char(_quote.first_day, 'FMMonth') || '–'
    else to_char(_quote.first_day, 'FMMonth YYYY') || '–'
  end || to_char(_quote.last_day, 'FMMonth YYYY')
  from (select private.value_of_quote(_quote)) as counted (value), private.metrics, public.clients
  where metrics.name = _quote.metric and clients.id = _quote.client_id
$$;

create or replace function private.report_figures(_client public.clients, _span text, _first_day date, _last_day date) returns jsonb
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

create function private.require_event_metrics() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _unknown constant text := (
    select string_agg(coalesce(given, 'null'), ', ') from unnest(new.metrics) as given
    where given is null or given not in (select name from private.metrics where is_event)
  );
begin
  if _unknown is not null then
    raise exception 'Events cannot count %', _unknown using errcode = '23514';
  end if;
  return new;
end
$$;
revoke all on function private.require_event_metrics() from public, anon, authenticated, service_role;

alter table public.campaign_figures add constraint campaign_figures_metric_fkey FOREIGN KEY (metric) REFERENCES private.metrics(name);

alter table public.campaign_sources drop constraint campaign_sources_metrics_check;
alter table public.campaign_sources add constraint campaign_sources_metrics_check CHECK ((metrics <> '{}'::text[]));

alter table public.figure_quotes add constraint figure_quotes_metric_fkey FOREIGN KEY (metric) REFERENCES private.metrics(name);

alter table public.inbound_events add constraint inbound_events_metric_fkey FOREIGN KEY (metric) REFERENCES private.metrics(name);

alter table public.source_totals add constraint source_totals_metric_fkey FOREIGN KEY (metric) REFERENCES private.metrics(name);

create trigger require_event_metrics before insert or update of metrics on public.campaign_sources
  for each row execute function private.require_event_metrics();

alter table private.metrics enable row level security;

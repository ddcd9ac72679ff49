-- What we changed for a client, from the versions of its campaigns: the first screen and a report of today tell it as reports do
-- that were sent. A campaign whose due date was touched, or that was read anew, did not change.

-- Lists what changed for a client in some days, by the clocks of the client: campaigns that were added, ended or came into
-- another phase, each as it stood at the end against how it stood before, and what was agreed on. detail is the phase, or the verdict.
create function private.changes_of_client(_client public.clients, _first_day date, _last_day date)
returns table (rank integer, kind text, name text, detail text, at timestamptz)
language sql stable set search_path = ''
as $$
  with days as (
    select _first_day::timestamp at time zone _client.time_zone as begins,
      (_last_day + 1)::timestamp at time zone _client.time_zone as ends
  )
  select 1, case
    when campaign.created_at >= days.begins then 'added' when latest.action = 'deleted' then 'ended' else 'phase'
  end, campaign.name, coalesce(latest.campaign ->> 'phase', campaign.phase), coalesce((
    select max(created_at) from (
      select version.created_at, version.action, version.campaign ->> 'phase' as phase,
        lag(version.campaign ->> 'phase') over (order by version.number) as phase_before
      from public.campaign_versions as version
      where version.client_id = campaign.client_id and version.campaign_id = campaign.id
    ) as steps
    where created_at >= days.begins and created_at < days.ends
      and (action = 'deleted' or action <> 'before' and phase is distinct from phase_before)
  ), campaign.created_at)
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
  select 2, 'text', approvals.title, verdict, decision.created_at
  from public.approval_decisions as decision join public.approvals
    on approvals.client_id = decision.client_id and approvals.id = decision.approval_id, days
  where decision.client_id = _client.id and decision.created_at >= days.begins and decision.created_at < days.ends
    and verdict <> 'no'
$$;
revoke all on function private.changes_of_client(public.clients, date, date) from public;

-- Lists what changed for a client from one day to another, the latest first, for its people and those who work for it.
create function public.client_changes(_client_id uuid, _from date, _until date)
returns table (kind text, name text, detail text, day date)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.works_for_client(_client_id);
  return query
    select changes.kind, changes.name, changes.detail, (changes.at at time zone clients.time_zone)::date
    from public.clients cross join lateral private.changes_of_client(clients, _from, _until) as changes
    where clients.id = _client_id order by changes.at desc, changes.name limit 200;
end
$$;
revoke all on function public.client_changes(uuid, date, date) from public, anon, authenticated;
grant execute on function public.client_changes(uuid, date, date) to authenticated, service_role;

-- Returns what a report of a client says: {"client": {"name", "currency"}, "result": [{"metric", "value", "before"}],
-- "campaigns": [{"name", "channel", "figures"}], "meetings": {"held", "no_show", "booked", "disputed"}, "goals": [{"metric",
-- "goal", "value"}], "changes": [{"kind", "name", "detail"}], "next": [{"campaign", "step", "due_on"}], "wishes": [{"kind",
-- "name", "due_on"}], "imports": [{"id", "file", "hash", "at"}]}. A week of figures counts where it begins; no figure is null.
create or replace function private.report_figures(_client public.clients, _span text, _first_day date, _last_day date) returns jsonb
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

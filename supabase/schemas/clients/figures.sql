-- Figures, one row per import. A row that a later import replaced is kept until that import is undone, and no policy
-- shows it.
create table public.campaign_figures (
  client_id uuid not null,
  batch_id uuid not null,
  campaign_id uuid not null,
  metric text not null references private.metrics (name),
  first_day date not null constraint campaign_figures_first_day_calendar check (first_day between '1900-01-01' and '2999-12-31'),
  -- The first day, or six days later, because a weekly figure is stored as it was imported.
  last_day date not null constraint campaign_figures_last_day_calendar check (last_day between '1900-01-01' and '2999-12-31'),
  value bigint not null check (value between 0 and 1000000000000),
  replaced_by uuid,
  primary key (client_id, batch_id, campaign_id, metric, first_day),
  foreign key (client_id, campaign_id) references public.campaigns (client_id, id) on delete cascade,
  check (last_day in (first_day, first_day + 6))
);
create unique index campaign_figures_current_idx
  on public.campaign_figures (client_id, campaign_id, metric, first_day) include (last_day, value, batch_id)
  where replaced_by is null;
create index campaign_figures_replaced_by_idx on public.campaign_figures (client_id, replaced_by);
create index campaign_figures_days_idx on public.campaign_figures (client_id, first_day)
  include (campaign_id, metric, last_day, value) where replaced_by is null;
grant select on public.campaign_figures to authenticated;
grant all on public.campaign_figures to service_role;
alter table public.campaign_figures enable row level security;

-- Created after the foreign key of campaign_figures, whose triggers find meetings by their campaign, because foreign
-- keys cascade in the order of their creation.
alter table public.client_meetings add foreign key (client_id, campaign_id)
  references public.campaigns (client_id, id) on delete set null (campaign_id);

-- Excludes replaced rows, so that sums do not count them.
create policy "Admins read all current figures" on public.campaign_figures for select to authenticated
  using (replaced_by is null and (select private.is_admin()));
create policy "Members read the figures of their clients" on public.campaign_figures for select to authenticated
  using (replaced_by is null and client_id in (select private.clients_of_member()));
create policy "Team members read the figures of their clients" on public.campaign_figures for select to authenticated
  using (replaced_by is null and client_id in (select private.clients_of_team_member()));

create trigger match_meetings_deleted after delete on public.campaign_figures referencing old table as changed
  for each statement execute function private.match_meetings();
create trigger match_meetings_inserted after insert on public.campaign_figures referencing new table as changed
  for each statement execute function private.match_meetings();
create trigger match_meetings_updated after update on public.campaign_figures referencing new table as changed
  for each statement execute function private.match_meetings();

-- Figures that count: those of imports and events, and the meetings of the ledger. `delivered` is sent minus bounced if
-- it is not reported.
create view private.counted_figures with (security_invoker = true) as
select client_id, campaign_id, batch_id, metric, first_day, last_day, value
from public.campaign_figures
where replaced_by is null and metric <> 'meetings'
union all
select sent.client_id, sent.campaign_id, sent.batch_id, 'delivered', sent.first_day, sent.last_day, greatest(sent.value - bounced.value, 0)
from public.campaign_figures as sent
  join public.campaign_figures as bounced on bounced.client_id = sent.client_id and bounced.campaign_id = sent.campaign_id
    and bounced.metric = 'bounced' and bounced.first_day = sent.first_day and bounced.last_day = sent.last_day
    and bounced.replaced_by is null
where sent.metric = 'sent' and sent.replaced_by is null and not exists (
  select from public.campaign_figures as reported
  where reported.client_id = sent.client_id and reported.campaign_id = sent.campaign_id
    and reported.metric = 'delivered'
    and reported.first_day between sent.first_day - 6 and sent.last_day and reported.last_day >= sent.first_day
    and reported.replaced_by is null
)
union all
select client_id, campaign_id, batch_id, 'meetings', booked_on, booked_on, count(*)
from public.client_meetings
group by client_id, campaign_id, batch_id, booked_on;
grant select on private.counted_figures to authenticated, service_role;

create function public.figure_sums(_client_id uuid, _from date, _until date, _metrics text[] default null) returns table (
  metric text, first_day date, last_day date, value bigint
) language sql stable set search_path = '' as $$
  -- Aggregates before ordering. Otherwise Postgres sorts all rows for the grouping, which doubled the time.
  with sums as materialized (
    select metric, first_day, last_day, sum(value)::bigint as value from private.counted_figures
    where client_id = _client_id and first_day between _from and _until
      and (_metrics is null or metric = any (_metrics))
    group by metric, first_day, last_day
  )
  select metric, first_day, last_day, value from sums order by metric, first_day
$$;
grant execute on function public.figure_sums to authenticated, service_role;

-- Sums the figures of all clients that the caller may see, by campaign, with the meetings held according to the ledger.
create function public.figure_totals(_from date, _until date) returns jsonb language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', clients.id, 'name', clients.name, 'time_zone', clients.time_zone, 'first_weekday', clients.first_weekday,
    'is_running', exists (select from public.campaigns where client_id = clients.id and phase = 'running'),
    'latest', (
      select max(last_day) from public.campaign_figures
      where client_id = clients.id and replaced_by is null and first_day >= (
        select max(first_day) - 6 from public.campaign_figures where client_id = clients.id and replaced_by is null
      )
    ),
    'campaigns', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', coalesce(campaigns.id::text, ''), 'name', coalesce(campaigns.name, 'No campaign'),
        'channel', coalesce(campaigns.channel, 'other'), 'figures', figures, 'held', held
      ) order by campaigns.name, campaigns.id)
      from (
        select campaign_id, jsonb_object_agg(metric, value), (
          select count(*) from public.client_meetings as meeting
          where meeting.client_id = clients.id and meeting.campaign_id is not distinct from sums.campaign_id
            and outcome = 'held' and booked_on between _from and _until
        )
        from (
          select campaign_id, metric, sum(value) from private.counted_figures
          where client_id = clients.id and first_day between _from and _until
          group by campaign_id, metric
        ) as sums (campaign_id, metric, value)
        group by campaign_id
      ) as totals (campaign_id, figures, held)
      left join public.campaigns on client_id = clients.id and id = totals.campaign_id
    ), '[]')
  ) order by clients.name, clients.id), '[]')
  from public.clients
$$;
grant execute on function public.figure_totals to authenticated, service_role;

-- Includes whether an import belongs to a source, because its rows then link to their events.
create function public.figure_details(_client_id uuid, _metric text, _from date, _until date) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  _is_team constant boolean := private.is_admin() or _client_id in (select private.clients_of_team_member());
begin
  if not (_is_team or _client_id in (select private.clients_of_member())) then
    raise exception 'Only this client''s own people can do this' using errcode = '42501';
  end if;
  return (
    with figures as (
      select * from private.counted_figures
      where client_id = _client_id and metric = _metric and first_day between _from and _until
    )
    select jsonb_build_object('campaigns', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', coalesce(campaigns.id::text, ''), 'name', coalesce(campaigns.name, 'No campaign'), 'rows', rows
      ) order by campaigns.name)
      from (
        select campaign_id, jsonb_agg(jsonb_build_object(
          'first_day', first_day, 'last_day', last_day, 'value', value, 'batch', batch_id
        ) order by first_day, batch_id) from figures group by campaign_id
      ) as grouped (campaign_id, rows)
      left join public.campaigns on campaigns.client_id = _client_id and campaigns.id = grouped.campaign_id
    ), '[]'), 'imports', coalesce((
      select jsonb_agg(jsonb_build_object('id', batches.id, 'file_name', file_name, 'created_at', batches.created_at,
        'is_source', source_id is not null,
        'imported_by', coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), case when _is_team then users.email end, '')))
      from public.import_batches as batches left join auth.users on users.id = batches.imported_by
      where batches.client_id = _client_id and batches.id in (select batch_id from figures)
    ), '[]'))
  );
end
$$;
grant execute on function public.figure_details to authenticated, service_role;

-- Computed field of projects: the quoted figure while the client consents, otherwise the metric that was entered
-- manually. Its unnamed parameter keeps it from being called as a function of the API.
create function public.key_metric(public.projects) returns text language sql stable security definer set search_path = '' as $$
  select coalesce((
    select private.format_figure_quote(quote) from public.figure_quotes as quote
    where quote.project_id = $1.id and answer = 'yes' and withdrawn_at is null and ended_at is null
    order by asked_at desc limit 1
  ), $1.metric)
$$;
grant execute on function public.key_metric to anon, authenticated, service_role;

-- Checks only the days around the change, because events change one day at a time.
create function private.reject_overlapping_days() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  _touched record;
begin
  for _touched in
    select client_id, array_agg(distinct campaign_id) as campaigns, min(first_day) - 6 as first, max(last_day) as last
    from changed group by client_id order by client_id
  loop
    perform from public.clients where id = _touched.client_id for no key update;
    if exists (
      select from (
        select first_day, lag(last_day) over (partition by campaign_id, metric order by first_day)
        from public.campaign_figures
        where replaced_by is null and client_id = _touched.client_id and campaign_id = any (_touched.campaigns)
          and first_day between _touched.first and _touched.last
      ) as figures (first_day, end_of_former)
      where end_of_former >= first_day
    ) then
      raise exception 'A week cannot have a figure for the whole week and for one of its days.' using errcode = '23P01';
    end if;
  end loop;
  return null;
end
$$;

create trigger reject_overlapping_days_inserted after insert on public.campaign_figures referencing new table as changed
  for each statement execute function private.reject_overlapping_days();
create trigger reject_overlapping_days_updated after update on public.campaign_figures referencing new table as changed
  for each statement execute function private.reject_overlapping_days();

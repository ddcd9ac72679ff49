-- Adds up the figures of every client that somebody may see, for periods that begin from _from to _until, by campaign, and
-- says how far the figures of each client reach: [{"id", "name", "time_zone", "first_weekday", "is_running", "latest",
-- "campaigns": [{"id", "name", "channel", "figures": {"sent": 10}}]}]. The policies decide for whoever asks.
create function public.figure_totals(_from date, _until date) returns jsonb
language sql stable set search_path = ''
as $$
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
      select jsonb_agg(jsonb_build_object('id', id, 'name', name, 'channel', channel, 'figures', figures) order by name, id)
      from (
        select campaign_id, jsonb_object_agg(metric, value) from (
          select campaign_id, metric, sum(value) from public.campaign_figures
          where client_id = clients.id and replaced_by is null and first_day between _from and _until
          group by campaign_id, metric
        ) as sums (campaign_id, metric, value)
        group by campaign_id
      ) as totals (campaign_id, figures)
      join public.campaigns on client_id = clients.id and id = campaign_id
    ), '[]')
  ) order by clients.name, clients.id), '[]')
  from public.clients
$$;
revoke all on function public.figure_totals(date, date) from public, anon, authenticated;
grant execute on function public.figure_totals(date, date) to authenticated, service_role;

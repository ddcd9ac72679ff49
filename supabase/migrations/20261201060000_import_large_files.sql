-- Keeps the time of an import in proportion to its size. The planner knows the size of no file, and asked for each figure by
-- itself, once through all those of the same days.

-- Also refuses a day that a week fills: in the order of their first days, figures that overlap have neighbours that do.
create or replace function private.refuse_days_twice() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform from public.clients where id in (select client_id from changed) order by id for no key update;
  if exists (
    select from (
      select first_day, lag(last_day) over (partition by client_id, campaign_id, metric order by first_day)
      from public.campaign_figures
      where replaced_by is null and client_id in (select client_id from changed)
        and campaign_id in (select campaign_id from changed)
    ) as figures (first_day, end_of_former)
    where end_of_former >= first_day
  ) then
    raise exception 'A week and one of its days cannot both have a figure.' using errcode = '23P01';
  end if;
  return null;
end
$$;

create or replace function private.judge_figures(_client public.clients, _length integer, _rows jsonb)
returns setof private.judged_figure
language sql stable security definer set search_path = '' set enable_nestloop = off
as $$
  with given as materialized (
    select line, campaign_id, metric, first_day, value,
      count(*) over (partition by campaign_id, metric, first_day) as times
    from (
      select (item ->> 'line')::integer, (item ->> 'campaign')::uuid, figure.key, (item ->> 'day')::date,
        figure.value::bigint
      from jsonb_array_elements(_rows) as item, jsonb_each_text(item -> 'values') as figure
    ) as figures (line, campaign_id, metric, first_day, value)
  ), present as materialized (
    select campaign_id, metric, first_day, last_day, value from public.campaign_figures
    where client_id = _client.id and replaced_by is null
      and first_day between (select min(first_day) from given) - 6 and (select max(first_day) from given) + _length
  ), crossed as (
    -- The first days of periods that would overlap a figure without being of the same period.
    select distinct campaign_id, metric, day::date as first_day
    from present, generate_series((first_day - _length)::timestamp, last_day::timestamp, '1 day') as day
    where day::date <> first_day or last_day <> first_day + _length
  )
  select given.line, given.campaign_id, given.metric, given.first_day, given.first_day + _length, given.value,
    present.value, case
      when campaigns.id is null then 'There is no such campaign.'
      when given.first_day > (now() at time zone _client.time_zone)::date then 'This day has not come yet.'
      when given.first_day < '2000-01-01' then 'This day is too long ago.'
      when _length = 6 and extract(isodow from given.first_day) <> _client.first_weekday
        then 'Weeks of this client begin on ' || trim(to_char('2024-01-01'::date + _client.first_weekday - 1, 'Day')) || '.'
      when given.times > 1 then 'Another line has a figure for the same campaign and time.'
      when crossed.first_day is not null and _length = 6 then 'Some days of this week have figures of their own.'
      when crossed.first_day is not null then 'The week of this day has a figure as a whole.'
    end
  from given
  left join public.campaigns on campaigns.client_id = _client.id and campaigns.id = given.campaign_id
  left join present on present.campaign_id = given.campaign_id and present.metric = given.metric
    and present.first_day = given.first_day and present.last_day = given.first_day + _length
  left join crossed on crossed.campaign_id = given.campaign_id and crossed.metric = given.metric
    and crossed.first_day = given.first_day
$$;

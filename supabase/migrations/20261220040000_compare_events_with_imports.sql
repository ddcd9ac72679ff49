-- Keeps events and imports from counting a day twice: where a source counts, an import has its figure kept and compared with
-- theirs, every night. Figures of events open to their events, as those of imports to their rows.

-- Also looks only at the days around what changed: events change one day at a time.
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
        and first_day between (select min(first_day) - 6 from changed) and (select max(last_day) from changed)
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
  ), counted as (
    -- The first days of periods of which events count a day, or every day.
    select given.campaign_id, given.metric, given.first_day,
      bool_or(given.first_day >= counts_from and given.first_day + _length <= coalesce(ends_on, 'infinity')) as is_whole
    from given join public.campaign_sources as source on source.client_id = _client.id
      and source.campaign_id = given.campaign_id and given.metric = any (source.metrics)
      and given.first_day + _length >= counts_from and given.first_day <= coalesce(ends_on, 'infinity')
    group by given.campaign_id, given.metric, given.first_day
  )
  select given.line, given.campaign_id, given.metric, given.first_day, given.first_day + _length, given.value,
    present.value, case
      when campaigns.id is null then 'There is no such campaign.'
      when given.first_day > (now() at time zone _client.time_zone)::date then 'This day has not come yet.'
      when given.first_day < '2000-01-01' then 'This day is too long ago.'
      when _length = 6 and extract(isodow from given.first_day) <> _client.first_weekday
        then 'Weeks of this client begin on ' || trim(to_char('2024-01-01'::date + _client.first_weekday - 1, 'Day')) || '.'
      when given.times > 1 then 'Another line has a figure for the same campaign and time.'
      when counted.is_whole then 'Events count this. Your figure is kept and compared with theirs.'
      when counted.first_day is not null then 'Events count some days of this week.'
      when crossed.first_day is not null and _length = 6 then 'Some days of this week have figures of their own.'
      when crossed.first_day is not null then 'The week of this day has a figure as a whole.'
    end
  from given
  left join public.campaigns on campaigns.client_id = _client.id and campaigns.id = given.campaign_id
  left join counted on counted.campaign_id = given.campaign_id and counted.metric = given.metric
    and counted.first_day = given.first_day
  left join present on present.campaign_id = given.campaign_id and present.metric = given.metric
    and present.first_day = given.first_day and present.last_day = given.first_day + _length
  left join crossed on crossed.campaign_id = given.campaign_id and crossed.metric = given.metric
    and crossed.first_day = given.first_day
$$;

-- Keeps what an import says of periods that events count as a whole; the latest import is right.
create function private.keep_totals(_client_id uuid, _file_name text, _judged private.judged_figure[]) returns void
language sql security definer set search_path = ''
as $$
  insert into public.source_totals as former (client_id, source_id, metric, first_day, last_day, value, file_name, added_by)
  select _client_id, source.id, metric, first_day, last_day, value, _file_name, private.user_id()
  from unnest(_judged) join public.campaign_sources as source on source.client_id = _client_id
    and source.campaign_id = unnest.campaign_id and metric = any (source.metrics)
    and first_day >= counts_from and last_day <= coalesce(ends_on, 'infinity')
  where reason like 'Events count this.%'
  on conflict (client_id, source_id, metric, first_day, last_day) do update set
    value = excluded.value, file_name = excluded.file_name, added_by = excluded.added_by, created_at = now()
  where former.value <> excluded.value
$$;
revoke all on function private.keep_totals(uuid, text, private.judged_figure[]) from public;

create or replace function public.import_figures(_client_id uuid, _file jsonb, _rows jsonb, _is_trial boolean) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  _client constant public.clients := private.lock_client_of_worker(_client_id);
  _batch_id constant uuid := gen_random_uuid();
  _judged private.judged_figure[];
  _answer jsonb;
begin
  if jsonb_typeof(_rows) is distinct from 'array' or jsonb_array_length(_rows) > 20000 then
    raise exception 'A file has at most 20,000 lines.' using errcode = '22023';
  end if;
  if _file ->> 'period' is null or _file ->> 'period' not in ('day', 'week') then
    raise exception 'The figures of a file are those of days or of weeks.' using errcode = '22023';
  end if;
  _judged := array(
    select judged from private.judge_figures(_client, case _file ->> 'period' when 'week' then 6 else 0 end, _rows) as judged
  );
  _answer := private.sum_up_judgement(_judged);
  if not _is_trial then
    perform private.keep_totals(_client_id, _file ->> 'name', _judged);
  end if;
  if _is_trial or (_answer ->> 'new')::integer + (_answer ->> 'changed')::integer = 0 then
    return _answer;
  end if;
  insert into public.import_batches (
    client_id, id, file_name, file_hash, column_map, new_count, changed_count, same_count, refused_count, imported_by
  ) values (
    _client_id, _batch_id, _file ->> 'name', _file ->> 'hash', _file -> 'column_map', (_answer ->> 'new')::integer,
    (_answer ->> 'changed')::integer, (_answer ->> 'same')::integer,
    (_answer ->> 'refused')::integer + coalesce((_file ->> 'refused')::integer, 0), private.user_id()
  );
  update public.campaign_figures as former set replaced_by = _batch_id
  from unnest(_judged) as judged
  where judged.reason is null and judged.before <> judged.value and former.replaced_by is null
    and former.client_id = _client_id and former.campaign_id = judged.campaign_id and former.metric = judged.metric
    and former.first_day = judged.first_day;
  insert into public.campaign_figures (client_id, batch_id, campaign_id, metric, first_day, last_day, value)
  select _client_id, _batch_id, campaign_id, metric, first_day, last_day, value
  from unnest(_judged) where reason is null and before is distinct from value;
  return _answer || jsonb_build_object('batch', _batch_id);
end
$$;

-- Also leaves out what sources count: they have a list of their own.
create or replace function public.client_imports(_client_id uuid) returns table (
  id uuid, file_name text, file_hash text, column_map jsonb, new_count integer, changed_count integer, same_count integer,
  refused_count integer, imported_by text, created_at timestamptz, undone_at timestamptz
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  _works_for constant boolean := private.is_admin() or _client_id in (select private.clients_of_team_member());
begin
  if not (_works_for or _client_id in (select private.clients_of_member())) then
    raise exception 'Only the people of this client may do this' using errcode = '42501';
  end if;
  return query
    select batches.id, batches.file_name, batches.file_hash, batches.column_map, batches.new_count, batches.changed_count,
      batches.same_count, batches.refused_count,
      coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), case when _works_for then users.email end, '')::text,
      batches.created_at, batches.undone_at
    from public.import_batches as batches left join auth.users on users.id = batches.imported_by
    where batches.client_id = _client_id and source_id is null order by batches.created_at desc, batches.id limit 50;
end
$$;

-- Also says of an import whether it is that of a source: its rows open to events.
create or replace function public.figures_behind(_client_id uuid, _metric text, _from date, _until date) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  _works_for constant boolean := private.is_admin() or _client_id in (select private.clients_of_team_member());
begin
  if not (_works_for or _client_id in (select private.clients_of_member())) then
    raise exception 'Only the people of this client may do this' using errcode = '42501';
  end if;
  return (
    with figures as (
      select * from public.campaign_figures
      where client_id = _client_id and metric = _metric and first_day between _from and _until and replaced_by is null
    )
    select jsonb_build_object('campaigns', coalesce((
      select jsonb_agg(jsonb_build_object('id', campaigns.id, 'name', campaigns.name, 'rows', rows) order by campaigns.name)
      from (
        select campaign_id, jsonb_agg(jsonb_build_object(
          'first_day', first_day, 'last_day', last_day, 'value', value, 'batch', batch_id
        ) order by first_day) from figures group by campaign_id
      ) as grouped (campaign_id, rows)
      join public.campaigns on campaigns.client_id = _client_id and campaigns.id = grouped.campaign_id
    ), '[]'), 'imports', coalesce((
      select jsonb_agg(jsonb_build_object('id', batches.id, 'file_name', file_name, 'created_at', batches.created_at,
        'is_source', source_id is not null,
        'imported_by', coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), case when _works_for then users.email end, '')))
      from public.import_batches as batches left join auth.users on users.id = batches.imported_by
      where batches.client_id = _client_id and batches.id in (select batch_id from figures)
    ), '[]'))
  );
end
$$;

-- Lists the events behind the figure of a source and day, in their order from _offset on, with the number of all: when, as the
-- provider calls it, and of whom no more than a hint.
create function public.events_behind(
  _client_id uuid, _batch_id uuid, _metric text, _day date, _limit integer default 50, _offset integer default 0
) returns table (happened_at timestamptz, kind text, hint text, total integer)
language plpgsql stable security definer set search_path = ''
as $$
declare
  _source public.campaign_sources;
begin
  perform private.works_for_client(_client_id);
  select source.* into _source from public.import_batches as batch
    join public.campaign_sources as source on source.client_id = batch.client_id and source.id = batch.source_id
  where batch.client_id = _client_id and batch.id = _batch_id;
  return query
    select event.happened_at, event.kind, event.hint, count(*) over ()::integer
    from public.inbound_events as event
    where event.client_id = _client_id and event.source_id = _source.id and event.state = 'counted' and event.day = _day
      and event.metric = case when _metric = 'delivered' and _source.provider <> 'json' then 'sent' else _metric end
      and (_metric <> 'delivered' or _source.provider = 'json' or not exists (
        select from public.inbound_events as bounce
        where bounce.client_id = _client_id and bounce.source_id = _source.id and bounce.metric = 'bounced'
          and bounce.person_hash = event.person_hash
      ))
    order by event.happened_at, event.event_key
    limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0);
end
$$;
revoke all on function public.events_behind(uuid, uuid, text, date, integer, integer) from public, anon, authenticated;
grant execute on function public.events_behind(uuid, uuid, text, date, integer, integer) to authenticated, service_role;

-- Holds what was imported against what events count, of periods that are over since a day. What differs is an alarm, until it
-- agrees; one that somebody put aside stays aside as long as both figures stay. Returns how many differ.
create function private.compare_source_totals() returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  _differ integer;
begin
  with compared as materialized (
    select total.client_id, concat_ws(' ', total.source_id, total.metric, total.first_day, total.last_day) as subject,
      total.value as imported, coalesce(sum(figure.value), 0) as counted, format(
        'Of the campaign “%s”, events count %s as %s for %s, and %s says %s.', campaigns.name, coalesce(sum(figure.value), 0),
        replace(total.metric, '_', ' '), case when total.first_day = total.last_day then '' else to_char(total.first_day, 'FMDD FMMonth') || ' to ' end
        || to_char(total.last_day, 'FMDD FMMonth YYYY'), total.file_name, total.value
      ) as text
    from public.source_totals as total
      join public.clients on clients.id = total.client_id
      join public.campaign_sources as source on source.client_id = total.client_id and source.id = total.source_id
      join public.campaigns on campaigns.client_id = total.client_id and campaigns.id = source.campaign_id
      join public.import_batches as batch on batch.client_id = total.client_id and batch.source_id = total.source_id
      left join public.campaign_figures as figure on figure.client_id = total.client_id and figure.batch_id = batch.id
        and figure.campaign_id = source.campaign_id and figure.metric = total.metric
        and figure.first_day between total.first_day and total.last_day
    where total.last_day < (now() at time zone clients.time_zone)::date - 1
    group by total.client_id, total.source_id, total.metric, total.first_day, total.last_day, campaigns.name
  ), agreed as (
    delete from public.client_alarms as alarm using compared
    where alarm.client_id = compared.client_id and alarm.kind = 'difference' and alarm.subject = compared.subject
      and imported = counted
  ), told as (
    insert into public.client_alarms as former (client_id, kind, subject, text)
    select client_id, 'difference', subject, text from compared where imported <> counted
    on conflict (client_id, kind, subject) do update set
      text = excluded.text, latest_at = now(), settled_at = null, settled_by = null
    where former.text <> excluded.text
  )
  select count(*) into _differ from compared where imported <> counted;
  return _differ;
end
$$;
revoke all on function private.compare_source_totals() from public;

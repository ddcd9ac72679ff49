-- Imports of figures from files. Queries are set-based, because row-by-row queries took quadratic time.
create type private.validated_figure as (
  line integer, campaign_id uuid, metric text, first_day date, last_day date, value bigint,
  -- The current value. Null for a new figure.
  before bigint,
  -- The reason why the row is refused. Null if it is accepted.
  reason text
);

-- Imports of figures, which are counts per day or week. Members read those of their clients. Only import_figures() and
-- undo_import() write, so that the origin of every figure is recorded.
create table public.import_batches (
  client_id uuid not null references public.clients (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  file_name text not null check (length(file_name) between 1 and 255 and file_name !~ '[[:cntrl:]]'),
  -- SHA-256, hexadecimal.
  file_hash text check (file_hash ~ '^[0-9a-f]{64}$'),
  -- Column mapping, reused for files with the same columns.
  column_map jsonb not null check (jsonb_typeof(column_map) = 'object' and length(column_map::text) <= 20000),
  new_count integer not null,
  changed_count integer not null,
  same_count integer not null,
  refused_count integer not null,
  imported_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
    constraint import_batches_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  undone_by uuid references auth.users (id) on delete set null,
  undone_at timestamptz constraint import_batches_undone_at_calendar check (undone_at between '1900-01-01' and '2999-12-31'),
  -- Event source whose figures this import holds. Null for a file import.
  source_id uuid,
  primary key (client_id, id)
);
create index import_batches_latest_idx on public.import_batches (client_id, created_at desc);
create index import_batches_imported_by_idx on public.import_batches (imported_by);
create index import_batches_undone_by_idx on public.import_batches (undone_by);
create unique index import_batches_of_source_idx on public.import_batches (client_id, source_id) where source_id is not null;
grant select on public.import_batches to authenticated;
grant all on public.import_batches to service_role;
alter table public.import_batches enable row level security;

alter table public.campaign_figures
  add foreign key (client_id, batch_id) references public.import_batches (client_id, id) on delete cascade;
alter table public.campaign_figures add foreign key (client_id, replaced_by) references public.import_batches (client_id, id);
alter table public.client_meetings
  add foreign key (client_id, batch_id) references public.import_batches (client_id, id) on delete set null (batch_id);

create policy "Admins read all imports" on public.import_batches for select to authenticated
  using ((select private.is_admin()));
create policy "Members read the imports of their clients" on public.import_batches for select to authenticated
  using (client_id in (select private.clients_of_member()));
create policy "Team members read the imports of their clients" on public.import_batches for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

-- Lists a client's imports, without those of sources.
create function public.client_imports(_client_id uuid) returns table (
  id uuid, file_name text, file_hash text, column_map jsonb, new_count integer, changed_count integer, same_count integer,
  refused_count integer, imported_by text, created_at timestamptz, undone_at timestamptz
) language plpgsql stable security definer set search_path = '' as $$
declare
  _is_team constant boolean := private.is_admin() or _client_id in (select private.clients_of_team_member());
begin
  if not (_is_team or _client_id in (select private.clients_of_member())) then
    raise exception 'Only this client''s own people can do this' using errcode = '42501';
  end if;
  return query
    select batches.id, batches.file_name, batches.file_hash, batches.column_map, batches.new_count, batches.changed_count,
      batches.same_count, batches.refused_count,
      coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), case when _is_team then users.email end, '')::text,
      batches.created_at, batches.undone_at
    from public.import_batches as batches left join auth.users on users.id = batches.imported_by
    where batches.client_id = _client_id and source_id is null order by batches.created_at desc, batches.id limit 50;
end
$$;
grant execute on function public.client_imports to authenticated, service_role;

-- Imports figures. Creates missing campaigns if the caller asked for it. A trial also creates them, so that the
-- validation is the same, and rolls them back.
create function public.import_figures(_client_id uuid, _file jsonb, _rows jsonb, _is_dry_run boolean) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  _client constant public.clients := private.lock_assigned_client(_client_id);
  _batch_id constant uuid := gen_random_uuid();
  _validated private.validated_figure[];
  _answer jsonb;
begin
  if jsonb_typeof(_rows) is distinct from 'array' or jsonb_array_length(_rows) > 20000 then
    raise exception 'A file can have at most 20,000 lines.' using errcode = '22023';
  end if;
  if _file ->> 'period' is null or _file ->> 'period' not in ('day', 'week') then
    raise exception 'A file must contain either daily or weekly figures.' using errcode = '22023';
  end if;
  if jsonb_typeof(_file -> 'campaigns') = 'array' and jsonb_array_length(_file -> 'campaigns') > 50 then
    raise exception 'An import can create at most 50 campaigns.' using errcode = '22023';
  end if;
  begin
    insert into public.campaigns (client_id, id, name, channel, phase)
    select _client_id, id, trim(name), channel, 'running'
    from jsonb_to_recordset(coalesce(_file -> 'campaigns', '[]')) as created (id uuid, name text, channel text);
    _validated := array(
      select judged from private.validate_figures(_client, case _file ->> 'period' when 'week' then 6 else 0 end, _rows) as judged
    );
    _answer := private.summarise_import(_validated);
    if 10000 < (select count(*) from public.client_meetings where client_id = _client_id) + (
      select coalesce(sum(value - coalesce(before, 0)), 0) from unnest(_validated)
      where reason is null and metric = 'meetings' and value > coalesce(before, 0)
    ) then
      raise exception 'A client can have at most 10,000 meetings.' using errcode = 'P0001';
    end if;
    if _is_dry_run or (_answer ->> 'new')::integer + (_answer ->> 'changed')::integer = 0 then
      -- Rolls back the new campaigns. Variables keep their values.
      raise exception using errcode = 'SF001';
    end if;
  exception when sqlstate 'SF001' then
    null;
  end;
  if not _is_dry_run then
    perform private.store_source_totals(_client_id, _file ->> 'name', _validated);
  end if;
  if _is_dry_run or (_answer ->> 'new')::integer + (_answer ->> 'changed')::integer = 0 then
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
  from unnest(_validated) as judged
  where judged.reason is null and judged.before <> judged.value and former.replaced_by is null
    and former.client_id = _client_id and former.campaign_id = judged.campaign_id and former.metric = judged.metric
    and former.first_day = judged.first_day;
  insert into public.campaign_figures (client_id, batch_id, campaign_id, metric, first_day, last_day, value)
  select _client_id, _batch_id, campaign_id, metric, first_day, last_day, value
  from unnest(_validated) where reason is null and before is distinct from value;
  return _answer || jsonb_build_object('batch', _batch_id);
end
$$;
grant execute on function public.import_figures to authenticated, service_role;

-- Undoes an import, so that the figures that it replaced count again. Figures of later imports are kept. Returns the
-- number of kept figures, with the first 100 as examples.
create function public.undo_import(_client_id uuid, _batch_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  _kept jsonb;
  _removed integer;
  _restored integer;
begin
  perform private.lock_assigned_client(_client_id);
  update public.import_batches set undone_at = now(), undone_by = private.user_id()
  where client_id = _client_id and id = _batch_id and undone_at is null;
  if not found then
    raise exception 'This import was not found or has already been undone.' using errcode = 'P0001';
  end if;
  select jsonb_build_object('count', count(*), 'examples', coalesce(jsonb_agg(jsonb_build_object(
    'campaign', campaigns.name, 'metric', later.metric, 'day', later.first_day, 'value', later.value, 'file', file_name
  ) order by campaigns.name, later.metric, later.first_day) filter (where number <= 100), '[]')) into _kept
  from (
    select *, row_number() over (order by campaign_id, metric, first_day) as number from public.campaign_figures
    where client_id = _client_id and batch_id = _batch_id and replaced_by is not null
  ) as mine
  join public.campaign_figures as later using (client_id, campaign_id, metric, first_day)
  join public.campaigns on campaigns.client_id = later.client_id and campaigns.id = later.campaign_id
  join public.import_batches on import_batches.client_id = later.client_id and import_batches.id = later.batch_id
  where later.replaced_by is null;
  -- Rows that this import replaced become current again, or are replaced by the next import.
  with gone as (
    delete from public.campaign_figures where client_id = _client_id and batch_id = _batch_id returning *
  ), former as (
    update public.campaign_figures as former set replaced_by = gone.replaced_by
    from gone
    where former.client_id = _client_id and former.replaced_by = _batch_id and former.campaign_id = gone.campaign_id
      and former.metric = gone.metric and former.first_day = gone.first_day
    returning former.replaced_by
  )
  select (select count(*) from gone where replaced_by is null), (select count(*) from former where replaced_by is null)
    into _removed, _restored;
  return jsonb_build_object('removed', _removed - _restored, 'restored', _restored, 'kept', _kept);
end
$$;
grant execute on function public.undo_import to authenticated, service_role;

-- Validates rows. Rejects meetings that the ledger cannot store.
create function private.validate_figures(_client public.clients, _length integer, _rows jsonb)
returns setof private.validated_figure
language sql stable security definer set search_path = '' set enable_nestloop = off as $$
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
    -- Periods that events cover partly or completely.
    select given.campaign_id, given.metric, given.first_day,
      bool_or(given.first_day >= counts_from and given.first_day + _length <= coalesce(ends_on, 'infinity')) as is_whole
    from given join public.campaign_sources as source on source.client_id = _client.id
      and source.campaign_id = given.campaign_id and given.metric = any (source.metrics)
      and given.first_day + _length >= counts_from and given.first_day <= coalesce(ends_on, 'infinity')
    group by given.campaign_id, given.metric, given.first_day
  )
  select given.line, given.campaign_id, given.metric, given.first_day, given.first_day + _length, given.value,
    present.value, case
      when campaigns.id is null then 'Campaign not found.'
      when campaigns.deleted_at is not null then 'This campaign was deleted. Restore it first.'
      when given.first_day > (now() at time zone _client.time_zone)::date then 'This day is in the future.'
      when given.first_day < '2000-01-01' then 'This day is before 2000.'
      when _length = 6 and extract(isodow from given.first_day) <> _client.first_weekday
        then 'This client''s weeks start on ' || trim(to_char('2024-01-01'::date + _client.first_weekday - 1, 'Day')) || '.'
      when given.metric = 'meetings' and given.value > 1000 then 'A day or week can have at most 1,000 meetings.'
      when given.times > 1 then 'Another line has a figure for the same campaign and period.'
      when counted.is_whole then 'Events count this. Your figure is kept and compared with theirs.'
      when counted.first_day is not null then 'Events already provide figures for some days of this week.'
      when crossed.first_day is not null and _length = 6 then 'Some days of this week already have their own figures.'
      when crossed.first_day is not null then 'This day''s week already has a weekly figure.'
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

-- Summarises an import: the numbers of new, changed, unchanged and refused figures, and the first hundred of each by
-- line, except unchanged ones.
create function private.summarise_import(_validated private.validated_figure[]) returns jsonb
language sql stable set search_path = '' as $$
  with figures as (
    select line, campaign_id, metric, first_day, value, before, reason, case
      when reason is not null then 'refused' when before is null then 'new' when before <> value then 'changed' else 'same'
    end as state
    from unnest(_validated)
  ), numbered as (
    select *, row_number() over (partition by state order by line, metric) as number from figures
  )
  select jsonb_build_object(
    'new', count(*) filter (where state = 'new'), 'changed', count(*) filter (where state = 'changed'),
    'same', count(*) filter (where state = 'same'), 'refused', count(*) filter (where state = 'refused'),
    'examples', coalesce(jsonb_agg(jsonb_build_object(
      'state', state, 'line', line, 'campaign', campaign_id, 'metric', metric, 'day', first_day, 'value', value,
      'before', before, 'reason', reason
    ) order by line, metric) filter (where number <= 100 and state <> 'same'), '[]')
  ) from numbered
$$;

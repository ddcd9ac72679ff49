-- Brings the figures of a file in one transaction, says beforehand what it would do, and takes them back.

create type private.judged_figure as (
  line integer, campaign_id uuid, metric text, first_day date, last_day date, value bigint,
  -- What counts now; null for nothing.
  before bigint,
  -- Why it is refused; null when it is not.
  reason text
);

-- Refuses whoever does not work for the client, and makes imports of one client wait for each other.
create function private.lock_client_of_worker(_client_id uuid) returns public.clients
language plpgsql security definer set search_path = ''
as $$
declare
  _client public.clients;
begin
  if not (private.is_admin() or _client_id in (select private.clients_of_team_member())) then
    raise exception 'Only those who work for this client may do this' using errcode = '42501';
  end if;
  select * into _client from public.clients where id = _client_id for no key update;
  if not found then
    raise exception 'There is no such client.' using errcode = 'P0001';
  end if;
  return _client;
end
$$;
revoke all on function private.lock_client_of_worker(uuid) from public;

-- Holds the figures of a file against those that count. _length is that of a period less one: 0 for days, 6 for weeks.
create function private.judge_figures(_client public.clients, _length integer, _rows jsonb)
returns setof private.judged_figure
language sql stable security definer set search_path = ''
as $$
  select given.line, given.campaign_id, given.metric, given.first_day, given.first_day + _length, given.value,
    former.value, case
      when not exists (select from public.campaigns where client_id = _client.id and id = given.campaign_id)
        then 'There is no such campaign.'
      when given.first_day > (now() at time zone _client.time_zone)::date then 'This day has not come yet.'
      when given.first_day < '2000-01-01' then 'This day is too long ago.'
      when _length = 6 and extract(isodow from given.first_day) <> _client.first_weekday
        then 'Weeks of this client begin on ' || trim(to_char('2024-01-01'::date + _client.first_weekday - 1, 'Day')) || '.'
      when given.times > 1 then 'Another line has a figure for the same campaign and time.'
      when former.is_crossed and _length = 6 then 'Some days of this week have figures of their own.'
      when former.is_crossed then 'The week of this day has a figure as a whole.'
    end
  from (
    select (item ->> 'line')::integer, (item ->> 'campaign')::uuid, figure.key, (item ->> 'day')::date,
      figure.value::bigint,
      count(*) over (partition by (item ->> 'campaign')::uuid, figure.key, (item ->> 'day')::date)
    from jsonb_array_elements(_rows) as item, jsonb_each_text(item -> 'values') as figure
  ) as given (line, campaign_id, metric, first_day, value, times)
  cross join lateral (
    select max(figures.value) filter (where is_same), coalesce(bool_or(not is_same), false)
    from public.campaign_figures as figures,
      lateral (select figures.first_day = given.first_day and figures.last_day = given.first_day + _length) as sameness (is_same)
    where figures.client_id = _client.id and figures.campaign_id = given.campaign_id and figures.metric = given.metric
      and figures.replaced_by is null and figures.last_day >= given.first_day
      and figures.first_day between given.first_day - 6 and given.first_day + _length
  ) as former (value, is_crossed)
$$;
revoke all on function private.judge_figures(public.clients, integer, jsonb) from public;

-- Says what becomes of the figures of a file: how many are new, changed, the same and refused, and the first hundred of each
-- that is not the same, by line.
create function private.sum_up_judgement(_judged private.judged_figure[]) returns jsonb
language sql stable set search_path = ''
as $$
  with figures as (
    select line, campaign_id, metric, first_day, value, before, reason, case
      when reason is not null then 'refused' when before is null then 'new' when before <> value then 'changed' else 'same'
    end as state
    from unnest(_judged)
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
revoke all on function private.sum_up_judgement(private.judged_figure[]) from public;

-- Brings the figures of a file, or says with _is_trial what it would do. _file: {"name", "hash", "period": "day" | "week",
-- "column_map", "refused"}, where refused counts the lines that were no figures; _rows: [{"line": 2, "campaign": id,
-- "day": "2026-11-16", "values": {"sent": 10}}]. What is there already is not brought again, so a file that changes nothing
-- leaves nothing.
create function public.import_figures(_client_id uuid, _file jsonb, _rows jsonb, _is_trial boolean) returns jsonb
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
revoke all on function public.import_figures(uuid, jsonb, jsonb, boolean) from public, anon, authenticated;
grant execute on function public.import_figures(uuid, jsonb, jsonb, boolean) to authenticated, service_role;

-- Takes back what an import brought: what it replaced counts again. What a later import replaced stays as that one brought
-- it, and is named: how many figures, and the first hundred.
create function public.undo_import(_client_id uuid, _batch_id uuid) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  _kept jsonb;
  _brought integer;
  _restored integer;
begin
  perform private.lock_client_of_worker(_client_id);
  update public.import_batches set undone_at = now(), undone_by = private.user_id()
  where client_id = _client_id and id = _batch_id and undone_at is null;
  if not found then
    raise exception 'This import is undone already, or there is none.' using errcode = 'P0001';
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
  -- Each row that this import had replaced is replaced by what came after this import, or by nothing.
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
    into _brought, _restored;
  return jsonb_build_object('removed', _brought - _restored, 'restored', _restored, 'kept', _kept);
end
$$;
revoke all on function public.undo_import(uuid, uuid) from public, anon, authenticated;
grant execute on function public.undo_import(uuid, uuid) to authenticated, service_role;

-- A deleted campaign takes no figure any more: not from a file, not from events, and no source is added to it. Restoring it lets
-- all of it go on.

create function private.is_deleted_campaign(_client_id uuid, _campaign_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from public.campaigns where client_id = _client_id and id = _campaign_id and deleted_at is not null)
$$;
revoke all on function private.is_deleted_campaign(uuid, uuid) from public;

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
      when campaigns.deleted_at is not null then 'This campaign was deleted. Restore it first.'
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

-- Adds a source to a campaign that has none. It counts from today on, or from the first day that no figure of the campaign
-- fills. Returns what goes into its address, which is told this once.
create or replace function public.add_campaign_source(
  _client_id uuid, _campaign_id uuid, _provider text, _metrics text[], _external_id text default '', _secret text default ''
) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  _client constant public.clients := private.lock_client_of_worker(_client_id);
  _token text;
  _hash text;
  _id uuid;
begin
  if not exists (select from public.campaigns where client_id = _client_id and id = _campaign_id) then
    raise exception 'There is no such campaign any more.' using errcode = 'P0001';
  elsif private.is_deleted_campaign(_client_id, _campaign_id) then
    raise exception 'This campaign was deleted. Restore it first.' using errcode = 'P0001';
  elsif exists (
    select from public.campaign_sources where client_id = _client_id and campaign_id = _campaign_id and ends_on is null
  ) then
    raise exception 'This campaign has a source already. End it first.' using errcode = 'P0001';
  end if;
  select * into _token, _hash from private.new_source_token();
  insert into public.campaign_sources (
    client_id, campaign_id, provider, external_id, token_hash, secret_hash, metrics, counts_from, added_by
  )
  select _client_id, _campaign_id, _provider, trim(_external_id), _hash, private.hash_of_secret(_secret), _metrics, greatest(
    (now() at time zone _client.time_zone)::date,
    (
      select max(last_day) + 1 from public.campaign_figures
      where client_id = _client_id and campaign_id = _campaign_id and metric = any (_metrics)
    ),
    (
      select max(ends_on) + 1 from public.campaign_sources
      where client_id = _client_id and campaign_id = _campaign_id and metrics && _metrics
    )
  ), private.user_id()
  returning id into _id;
  insert into public.import_batches (
    client_id, file_name, file_hash, column_map, new_count, changed_count, same_count, refused_count, imported_by, source_id
  ) values (_client_id, 'Events of ' || case _provider
    when 'smartlead' then 'Smartlead' when 'instantly' then 'Instantly' when 'lemlist' then 'lemlist' else 'our own'
  end, _hash, '{}', 0, 0, 0, 0, private.user_id(), _id);
  return _token;
end
$$;

-- Returns the source of an address that takes events. The hashes are compared below a fresh salt, so that the time that it
-- takes tells nothing of how much of a guess is right.
create or replace function private.open_source(_token_hash text, _secret_hash text, out source public.campaign_sources, out is_allowed boolean)
language plpgsql stable security definer set search_path = ''
as $$
declare
  _salt constant text := gen_random_uuid()::text;
begin
  select * into source from public.campaign_sources where token_hash = _token_hash and ends_on is null;
  is_allowed := source.id is not null and (source.secret_hash is null
    or sha256(convert_to(_salt || source.secret_hash, 'UTF8')) = sha256(convert_to(_salt || coalesce(_secret_hash, ''), 'UTF8')))
    and not private.is_deleted_campaign(source.client_id, source.campaign_id);
end
$$;

-- Tells what the function campaign-events needs before it reads events: null for no source, else {"provider", "is_allowed",
-- "is_deleted", "texts"}. The texts are those that the campaign sends, each as the client last said yes to it: {"title", "step",
-- "number", "text"}, the latter two null before the first yes.
create or replace function public.open_campaign_source(_token_hash text, _secret_hash text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('provider', (opened.source).provider, 'is_allowed', opened.is_allowed,
    'is_deleted', private.is_deleted_campaign((opened.source).client_id, (opened.source).campaign_id), 'texts', coalesce((
    select jsonb_agg(jsonb_build_object('title', title, 'step', step, 'number', approved.number, 'text', approved.text) order by step)
    from public.campaign_texts as sent
      join public.approvals on approvals.client_id = sent.client_id and approvals.id = sent.approval_id
      left join lateral (
        select version.number, version.text from public.approval_versions as version
          join public.approval_decisions as decision using (client_id, approval_id, number)
        where version.client_id = sent.client_id and version.approval_id = sent.approval_id and verdict = 'yes'
        order by version.number desc limit 1
      ) as approved on true
    where opened.is_allowed and sent.client_id = (opened.source).client_id and sent.campaign_id = (opened.source).campaign_id
  ), '[]'))
  from private.open_source(_token_hash, _secret_hash) as opened
  where (opened.source).id is not null
$$;

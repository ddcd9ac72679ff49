-- One truth for meetings: the ledger. A figure "meetings" of an import or of events says how many meetings of a campaign were
-- booked on a day; the ledger has a row for each of them, and everything that shows meetings counts its rows. A row counts on the
-- day on which the meeting was booked.
alter table public.client_meetings
  add column booked_on date not null default current_date,
  -- 'figure': added for an import or event, without more than that; 'completed': a person has added the rest.
  add column origin text not null default 'person' check (origin in ('person', 'figure', 'completed')),
  -- The import or source whose figure added it.
  add column batch_id uuid,
  add foreign key (client_id, batch_id) references public.import_batches (client_id, id) on delete set null (batch_id),
  alter column starts_at drop not null,
  drop constraint client_meetings_met_with_check,
  add constraint client_meetings_met_with_check check (
    (met_with ~ '\S' or origin = 'figure') and length(met_with) <= 200 and met_with !~ '[[:cntrl:]]'
  ),
  add constraint client_meetings_time_check check (starts_at is not null or origin = 'figure' and outcome = 'booked');

update public.client_meetings as meeting
set booked_on = least(meeting.created_at at time zone time_zone, starts_at at time zone time_zone)::date
from public.clients where clients.id = meeting.client_id;

create index client_meetings_booked_idx on public.client_meetings (client_id, booked_on) include (campaign_id, batch_id);
create index client_meetings_batch_idx on public.client_meetings (client_id, batch_id);

-- What counts: figures of imports and events, delivered as sent minus bounced where nobody tells it, and the rows of the ledger.
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
  select from public.campaign_figures as told
  where told.client_id = sent.client_id and told.campaign_id = sent.campaign_id and told.metric = 'delivered'
    and told.first_day between sent.first_day - 6 and sent.last_day and told.last_day >= sent.first_day
    and told.replaced_by is null
)
union all
select client_id, campaign_id, batch_id, 'meetings', booked_on, booked_on, count(*)
from public.client_meetings
group by client_id, campaign_id, batch_id, booked_on;
revoke all on private.counted_figures from public, anon, authenticated;
grant select on private.counted_figures to authenticated, service_role;

-- Makes the ledger have as many meetings of a campaign and time as the figure says. Rows that somebody added count for it; of a
-- campaign that nobody named, they get this one. It never fails: events are stored whatever the ledger can hold.
create function private.match_meetings() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  _figure record;
  _missing integer;
begin
  for _figure in
    select touched.*, coalesce(figure.value, 0) as value, figure.batch_id, batch.source_id, ledger.count
    from (select distinct client_id, campaign_id, first_day, last_day from changed where metric = 'meetings') as touched
      left join public.campaign_figures as figure on figure.client_id = touched.client_id
        and figure.campaign_id = touched.campaign_id and figure.metric = 'meetings' and figure.first_day = touched.first_day
        and figure.last_day = touched.last_day and figure.replaced_by is null
      left join public.import_batches as batch on batch.client_id = figure.client_id and batch.id = figure.batch_id
      cross join lateral (
        select count(*), coalesce(bool_or(origin = 'figure' and meeting.batch_id is distinct from figure.batch_id), false) as is_of_former
        from public.client_meetings as meeting
        where meeting.client_id = touched.client_id and meeting.campaign_id = touched.campaign_id
          and booked_on between touched.first_day and touched.last_day
      ) as ledger
    where (least(coalesce(figure.value, 0), 1000) <> ledger.count or ledger.is_of_former or batch.source_id is not null)
    -- A row that gives way to another has a follower, which is matched when it is added.
      and (figure.value is not null or not exists (
        select from public.campaign_figures as replaced
        where replaced.client_id = touched.client_id and replaced.campaign_id = touched.campaign_id
          and replaced.metric = 'meetings' and replaced.first_day = touched.first_day and replaced.replaced_by is not null
      ))
    order by touched.client_id, touched.campaign_id, touched.first_day
  loop
    _missing := least(_figure.value, 1000) - _figure.count;
    if _missing > 0 then
      with nameless as (
        select id from public.client_meetings
        where client_id = _figure.client_id and campaign_id is null
          and booked_on between _figure.first_day and _figure.last_day
        order by booked_on, created_at, id limit _missing
      ), adopted as (
        update public.client_meetings as meeting set campaign_id = _figure.campaign_id
        from nameless where meeting.client_id = _figure.client_id and meeting.id = nameless.id
        returning meeting.id
      )
      insert into public.client_meetings (client_id, campaign_id, batch_id, booked_on, met_with, outcome, origin)
      select _figure.client_id, _figure.campaign_id, _figure.batch_id, _figure.first_day, '', 'booked', 'figure'
      from generate_series(1, least(
        _missing - (select count(*) from adopted),
        10000 - (select count(*) from public.client_meetings where client_id = _figure.client_id)
      ));
    elsif _missing < 0 then
      delete from public.client_meetings where client_id = _figure.client_id and id in (
        select id from public.client_meetings
        where client_id = _figure.client_id and campaign_id = _figure.campaign_id and origin = 'figure'
          and booked_on between _figure.first_day and _figure.last_day
        order by met_with <> '', created_at desc, id limit - _missing
      );
    end if;
    update public.client_meetings set batch_id = _figure.batch_id
    where client_id = _figure.client_id and campaign_id = _figure.campaign_id and origin = 'figure'
      and booked_on between _figure.first_day and _figure.last_day and batch_id is distinct from _figure.batch_id;
    if _figure.source_id is not null then
      perform private.name_meetings_of_events(_figure.client_id, _figure.campaign_id, _figure.source_id, _figure.first_day);
    end if;
  end loop;
  return null;
end
$$;
revoke all on function private.match_meetings() from public, anon, authenticated;

-- Names the rows of a day that events have added, by as much of the person as both sides see of one: 'k***@example.com'.
create function private.name_meetings_of_events(_client_id uuid, _campaign_id uuid, _source_id uuid, _day date) returns void
language sql security definer set search_path = ''
as $$
  with hints as (
    select hint, row_number() over (order by min(happened_at), hint) as number from (
      select left(regexp_replace(event.hint, '[[:cntrl:]]', '', 'g'), 200) as hint, happened_at
      from public.inbound_events as event
      where event.client_id = _client_id and event.source_id = _source_id and event.metric = 'meetings'
        and event.state = 'counted' and event.day = _day
    ) as told
    where hint ~ '\S' and not exists (
      select from public.client_meetings
      where client_id = _client_id and campaign_id = _campaign_id and booked_on = _day and met_with = told.hint
    )
    group by hint
  ), nameless as (
    select id, row_number() over (order by created_at, id) as number from public.client_meetings
    where client_id = _client_id and campaign_id = _campaign_id and booked_on = _day and origin = 'figure' and met_with = ''
  )
  update public.client_meetings as meeting set met_with = hint
  from nameless join hints using (number)
  where meeting.client_id = _client_id and meeting.id = nameless.id
$$;
revoke all on function private.name_meetings_of_events(uuid, uuid, uuid, date) from public, anon, authenticated;

create trigger match_meetings_deleted after delete on public.campaign_figures referencing old table as changed
  for each statement execute function private.match_meetings();
create trigger match_meetings_inserted after insert on public.campaign_figures referencing new table as changed
  for each statement execute function private.match_meetings();
create trigger match_meetings_updated after update on public.campaign_figures referencing new table as changed
  for each statement execute function private.match_meetings();

-- Forgets the pages that quote meetings of the days that changed.
create function private.notify_quoted_meetings() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if exists (
    select from public.figure_quotes as quote join changed
      on changed.client_id = quote.client_id and changed.booked_on between quote.first_day and quote.last_day
    where quote.metric = 'meetings' and quote.answer = 'yes' and withdrawn_at is null and ended_at is null
  ) then
    perform pg_notify('content_changed', 'figure_quotes');
  end if;
  return null;
end
$$;
revoke all on function private.notify_quoted_meetings() from public, anon, authenticated;
create trigger notify_quoted_added after insert on public.client_meetings referencing new table as changed
  for each statement execute function private.notify_quoted_meetings();
create trigger notify_quoted_changed after update on public.client_meetings referencing new table as changed
  for each statement execute function private.notify_quoted_meetings();
create trigger notify_quoted_moved after update on public.client_meetings referencing old table as changed
  for each statement execute function private.notify_quoted_meetings();
create trigger notify_quoted_removed after delete on public.client_meetings referencing old table as changed
  for each statement execute function private.notify_quoted_meetings();

-- Meetings that figures have counted so far.
update public.campaign_figures set value = value where metric = 'meetings' and replaced_by is null;

-- Refuses what the ledger cannot hold.
create or replace function private.judge_figures(_client clients, _length integer, _rows jsonb)
returns SETOF private.judged_figure
language sql
stable security definer
set search_path = ''
set enable_nestloop = off
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
      when given.metric = 'meetings' and given.value > 1000 then 'A day or a week has at most 1,000 meetings.'
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

create or replace function public.import_figures(_client_id uuid, _file jsonb, _rows jsonb, _is_trial boolean)
returns jsonb
language plpgsql
security definer
set search_path = ''
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
  if jsonb_typeof(_file -> 'campaigns') = 'array' and jsonb_array_length(_file -> 'campaigns') > 50 then
    raise exception 'An import creates at most 50 campaigns.' using errcode = '22023';
  end if;
  begin
    insert into public.campaigns (client_id, id, name, channel, phase)
    select _client_id, id, trim(name), channel, 'running'
    from jsonb_to_recordset(coalesce(_file -> 'campaigns', '[]')) as created (id uuid, name text, channel text);
    _judged := array(
      select judged from private.judge_figures(_client, case _file ->> 'period' when 'week' then 6 else 0 end, _rows) as judged
    );
    _answer := private.sum_up_judgement(_judged);
    if 10000 < (select count(*) from public.client_meetings where client_id = _client_id) + (
      select coalesce(sum(value - coalesce(before, 0)), 0) from unnest(_judged)
      where reason is null and metric = 'meetings' and value > coalesce(before, 0)
    ) then
      raise exception 'A client has at most 10,000 meetings.' using errcode = 'P0001';
    end if;
    if _is_trial or (_answer ->> 'new')::integer + (_answer ->> 'changed')::integer = 0 then
      -- Takes the new campaigns back. Variables keep their values.
      raise exception using errcode = 'SF001';
    end if;
  exception when sqlstate 'SF001' then
    null;
  end;
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

-- The readers of figures, which now read what counts.
create or replace function public.figure_sums(_client_id uuid, _from date, _until date, _metrics text[] DEFAULT NULL::text[])
returns TABLE(metric text, first_day date, last_day date, value bigint)
language sql
stable
set search_path = ''
as $$
  -- Added up before they are ordered: otherwise Postgres sorts every row by metric and day to group them, which took as long as the rest.
  with sums as materialized (
    select metric, first_day, last_day, sum(value)::bigint as value from private.counted_figures
    where client_id = _client_id and first_day between _from and _until
      and (_metrics is null or metric = any (_metrics))
    group by metric, first_day, last_day
  )
  select metric, first_day, last_day, value from sums order by metric, first_day
$$;

create or replace function public.figure_totals(_from date, _until date)
returns jsonb
language sql
stable
set search_path = ''
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

create or replace function public.figures_behind(_client_id uuid, _metric text, _from date, _until date)
returns jsonb
language plpgsql
stable security definer
set search_path = ''
as $$
declare
  _works_for constant boolean := private.is_admin() or _client_id in (select private.clients_of_team_member());
begin
  if not (_works_for or _client_id in (select private.clients_of_member())) then
    raise exception 'Only the people of this client may do this' using errcode = '42501';
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
        'imported_by', coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), case when _works_for then users.email end, '')))
      from public.import_batches as batches left join auth.users on users.id = batches.imported_by
      where batches.client_id = _client_id and batches.id in (select batch_id from figures)
    ), '[]'))
  );
end
$$;

create or replace function private.value_of_quote(_quote figure_quotes)
returns bigint
language sql
stable
set search_path = ''
as $$
  select sum(value)::bigint from private.counted_figures
  where client_id = _quote.client_id and metric = _quote.metric
    and first_day between _quote.first_day and _quote.last_day
$$;

create or replace function private.report_figures(_client clients, _span text, _first_day date, _last_day date)
returns jsonb
language sql
stable security definer
set search_path = ''
as $$
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
      from unnest(array['sent', 'delivered', 'replies', 'positive_replies', 'meetings']) with ordinality as shown (metric, at)
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

-- The archive has the figures that count, and of meetings the day and the campaign.
create or replace function public.client_archive(_client_id uuid, _part text, _offset integer DEFAULT 0)
returns SETOF jsonb
language plpgsql
stable security definer
set search_path = ''
as $$
declare
  _works_for constant boolean := private.works_for_client(_client_id);
  _from constant integer := greatest(_offset, 0);
begin
  case _part
    when 'campaigns' then return query
      select jsonb_build_object('name', name, 'channel', channel, 'phase', phase, 'next_step', next_step, 'due_on', due_on,
        'added_at', created_at, 'changed_at', updated_at, 'id', id)
      from public.campaigns where client_id = _client_id and deleted_at is null order by name, id limit 1000 offset _from;
    when 'figures' then return query
      select jsonb_build_object('campaign', campaigns.name, 'metric', metric, 'first_day', first_day, 'last_day', last_day,
        'value', value, 'import', batch_id)
      from private.counted_figures as figures
        left join public.campaigns on campaigns.client_id = figures.client_id and campaigns.id = figures.campaign_id
      where figures.client_id = _client_id
      order by campaign_id, metric, first_day, batch_id limit 5000 offset _from;
    when 'imports' then return query
      select jsonb_build_object('id', batch.id, 'file', file_name, 'sha256', file_hash, 'new', new_count, 'changed', changed_count,
        'same', same_count, 'refused', refused_count, 'by', private.shown_name(imported_by, _works_for), 'at', batch.created_at,
        'undone_at', undone_at)
      from public.import_batches as batch where client_id = _client_id
      order by batch.created_at, batch.id limit 1000 offset _from;
    when 'approvals' then return query
      select jsonb_build_object('title', title, 'version', version.number, 'text', text, 'due_on', due_on,
        'asked_by', private.shown_name(asked_by, _works_for), 'asked_at', version.created_at, 'decision', verdict,
        'comment', comment, 'decided_by', private.shown_name(decided_by, _works_for), 'decided_at', decision.created_at,
        'approval', version.approval_id)
      from public.approval_versions as version
        join public.approvals on approvals.client_id = version.client_id and approvals.id = version.approval_id
        left join public.approval_decisions as decision on decision.client_id = version.client_id
          and decision.approval_id = version.approval_id and decision.number = version.number
      where version.client_id = _client_id
      order by approvals.created_at, version.approval_id, version.number limit 200 offset _from;
    when 'meetings' then return query
      select jsonb_build_object('booked_on', booked_on, 'starts_at', starts_at, 'with', met_with, 'campaign', campaigns.name, 'outcome', outcome, 'evidence', evidence,
        'answer', answer, 'reason', reason, 'answered_by', private.shown_name(answered_by, _works_for),
        'answered_at', answered_at, 'answer_until', answer_until)
      from public.client_meetings as meeting
        left join public.campaigns on campaigns.client_id = meeting.client_id and campaigns.id = meeting.campaign_id
      where meeting.client_id = _client_id order by booked_on, meeting.id limit 1000 offset _from;
    when 'leave_alone' then return query
      select jsonb_build_object('kind', kind, 'entry', hint, 'added_at', created_at)
      from public.do_not_contact where client_id = _client_id order by created_at, id limit 1000 offset _from;
    when 'figures_on_the_site' then return query
      select jsonb_build_object('figure', private.quote_in_words(quote), 'page', coalesce(projects.title, 'a page that was deleted'),
        'asked_by', private.shown_name(asked_by, _works_for), 'asked_at', asked_at, 'answer', answer,
        'answered_by', private.shown_name(answered_by, _works_for), 'answered_at', answered_at,
        'withdrawn_by', private.shown_name(withdrawn_by, _works_for), 'withdrawn_at', withdrawn_at, 'ended_at', ended_at,
        'quote', quote.id)
      from public.figure_quotes as quote left join public.projects on projects.id = quote.project_id
      where quote.client_id = _client_id order by quote.asked_at, quote.id limit 200 offset _from;
    when 'reports' then return query
      select jsonb_build_object('name', first_day || '-' || span || case when corrects is null then '' else '-correction' end,
        'hash', hash, 'sent_at', sent_at, 'document', private.report_document(client_reports), 'id', id)
      from public.client_reports where client_id = _client_id and sent_at is not null order by sent_at, id
      limit 100 offset _from;
    else raise exception 'There is no such part of the archive.' using errcode = '22023';
  end case;
end
$$;

drop function public.list_client_meetings(uuid, integer, integer);
create function public.list_client_meetings(_client_id uuid, _limit integer DEFAULT 24, _offset integer DEFAULT 0)
returns TABLE(id uuid, starts_at timestamp with time zone, met_with text, outcome text, evidence text, answer_until timestamp with time zone, answer text, reason text, answered_by text, answered_at timestamp with time zone, is_open boolean, waiting integer, total integer, campaign_id uuid, campaign text, booked_on date, origin text)
language plpgsql
stable security definer
set search_path = ''
as $$
declare
  _works_for constant boolean := private.works_for_client(_client_id);
begin
  return query
    select meeting.id, meeting.starts_at, meeting.met_with, meeting.outcome, meeting.evidence, meeting.answer_until,
      meeting.answer, meeting.reason,
      coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), case when _works_for then users.email end, '')::text,
      meeting.answered_at, meeting.is_open, meeting.waiting, meeting.total, meeting.campaign_id, campaigns.name,
      meeting.booked_on, meeting.origin
    from (
      select *, count(*) over ()::integer as total,
        count(*) filter (where any_meeting.is_open and any_meeting.answer is null) over ()::integer as waiting
      from (
        select *, coalesce(client_meetings.answer_until > now(), false) and client_meetings.answer is distinct from 'accepted' as is_open
        from public.client_meetings where client_id = _client_id
      ) as any_meeting
      order by (any_meeting.is_open and any_meeting.answer is null) desc, coalesce(any_meeting.starts_at, any_meeting.booked_on) desc, any_meeting.id
      limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0)
    ) as meeting left join auth.users on users.id = meeting.answered_by
      left join public.campaigns on campaigns.client_id = _client_id and campaigns.id = meeting.campaign_id
    order by (meeting.is_open and meeting.answer is null) desc, coalesce(meeting.starts_at, meeting.booked_on) desc, meeting.id;
end
$$;
revoke all on function public.list_client_meetings(uuid, integer, integer) from public, anon, authenticated;
grant execute on function public.list_client_meetings(uuid, integer, integer) to authenticated, service_role;

-- Adds a meeting, or changes one. Adding one that a figure has counted already completes that.
drop function public.save_client_meeting(uuid, timestamptz, text, text, text, uuid, uuid);
create function public.save_client_meeting(_client_id uuid, _starts_at timestamp with time zone, _met_with text, _outcome text, _evidence text DEFAULT ''::text, _id uuid DEFAULT NULL::uuid, _campaign_id uuid DEFAULT NULL::uuid, _booked_on date DEFAULT NULL::date)
returns uuid
language plpgsql
security definer
set search_path = ''
as $$
declare
  _old public.client_meetings;
  _zone constant text := (select time_zone from public.clients where id = _client_id);
  _today constant date := (now() at time zone _zone)::date;
  _until constant timestamptz := case when _outcome <> 'booked' then now() + interval '14 days' end;
  _saved uuid;
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only those who work for this client keep its meetings' using errcode = '42501';
  elsif _outcome <> 'booked' and _starts_at > now() then
    raise exception 'This meeting is still to come: it is booked.' using errcode = 'P0001';
  elsif _booked_on > _today then
    raise exception 'A meeting was booked today or before.' using errcode = 'P0001';
  end if;
  if _id is null then
    -- Two who add at the same time wait for each other, so that the ledger stays under its limit.
    perform from public.clients where id = _client_id for no key update;
    _booked_on := coalesce(_booked_on, least(_today, (_starts_at at time zone _zone)::date));
    -- A meeting that an import or an event has counted for the campaign and that day, or its week, is completed instead.
    select meeting.id into _id from public.client_meetings as meeting
      left join public.campaign_figures as figure on figure.client_id = _client_id and figure.campaign_id = _campaign_id
        and metric = 'meetings' and replaced_by is null and meeting.booked_on between first_day and last_day
    where meeting.client_id = _client_id and meeting.campaign_id = _campaign_id and origin = 'figure'
      and _booked_on between coalesce(first_day, booked_on) and coalesce(last_day, booked_on)
    order by meeting.booked_on, meeting.created_at, meeting.id limit 1;
  end if;
  if _id is null then
    if (select count(*) from public.client_meetings where client_id = _client_id) >= 10000 then
      raise exception 'A client has at most 10,000 meetings.' using errcode = 'P0001';
    end if;
    insert into public.client_meetings (
      client_id, starts_at, met_with, outcome, evidence, answer_until, kept_by, campaign_id, booked_on
    ) values (_client_id, _starts_at, trim(_met_with), _outcome, _evidence, _until, private.user_id(), _campaign_id, _booked_on)
    returning id into _saved;
    return _saved;
  end if;
  select * into _old from public.client_meetings where client_id = _client_id and id = _id for update;
  if not found then
    raise exception 'There is no such meeting any more.' using errcode = 'P0001';
  elsif _old.answer = 'accepted' then
    raise exception 'The client has accepted this meeting. It stays as it is.' using errcode = 'P0001';
  end if;
  update public.client_meetings set
    starts_at = _starts_at, met_with = trim(_met_with), outcome = _outcome, evidence = _evidence, kept_by = private.user_id(),
    campaign_id = _campaign_id,
    -- The day of one that a figure has counted stays, so that the figure finds it again.
    booked_on = case origin when 'person' then coalesce(_booked_on, booked_on) else booked_on end,
    origin = case origin when 'figure' then 'completed' else origin end,
    answer_until = case when outcome = _outcome then answer_until else _until end,
    answer = case when outcome = _outcome then answer end,
    reason = case when outcome = _outcome then reason else '' end,
    answered_by = case when outcome = _outcome then answered_by end,
    answered_at = case when outcome = _outcome then answered_at end
  where client_id = _client_id and id = _id;
  return _id;
end
$$;
revoke all on function public.save_client_meeting(uuid, timestamptz, text, text, text, uuid, uuid, date) from public, anon, authenticated;
grant execute on function public.save_client_meeting(uuid, timestamptz, text, text, text, uuid, uuid, date) to authenticated, service_role;

-- The meetings of the sample are those of its figures, with made-up names.
create or replace function public.add_sample_client()
returns uuid
language plpgsql
security definer
set search_path = ''
as $$
declare
  _person constant uuid := private.user_id();
  _monday constant date := date_trunc('week', now() at time zone 'Europe/Oslo')::date;
  _client uuid;
  _first constant uuid := gen_random_uuid();
  _second constant uuid := gen_random_uuid();
  _batch constant uuid := gen_random_uuid();
  _declined constant uuid := gen_random_uuid();
  _approved constant uuid := gen_random_uuid();
  _list constant uuid := gen_random_uuid();
  _report public.client_reports;
begin
  if not private.is_admin() then
    raise exception 'Only admins add the sample client.' using errcode = '42501';
  end if;
  insert into public.clients (name, domain, meetings_goal, replies_goal, delivered_goal, is_sample)
  values ('Nordlys Energy', 'nordlys.example', 20, 120, 2000, true)
  on conflict do nothing returning id into _client;
  if _client is null then
    select id into _client from public.clients where is_sample;
    return _client;
  end if;
  insert into public.campaigns (client_id, id, name, channel, phase, next_step, due_on) values
    (_client, _first, 'Heads of facilities, Oslo', 'email', 'running', 'Try a shorter second mail', _monday + 9),
    (_client, _second, 'Founders of bakeries', 'linkedin', 'running', 'Add forty companies from Bergen', _monday + 16),
    (_client, gen_random_uuid(), 'Hotels on the coast', 'email', 'planned', 'Choose the first hundred hotels', _monday + 23);

  insert into public.import_batches (
    client_id, id, file_name, file_hash, column_map, new_count, changed_count, same_count, refused_count, imported_by
  ) values (_client, _batch, 'twelve-weeks.csv', repeat('0', 64), '{}', 120, 0, 0, 0, _person);
  insert into public.campaign_figures (client_id, batch_id, campaign_id, metric, first_day, last_day, value)
  select _client, _batch, campaign, metric, _monday - 7 * weeks_ago, _monday - 7 * weeks_ago + 6, value
  from generate_series(1, 12) as week (weeks_ago),
    lateral (values (_first, 260 - 9 * weeks_ago), (_second, 110 - 3 * weeks_ago)) as share (campaign, sent),
    lateral (values
      ('sent', sent), ('delivered', sent - 4 - weeks_ago % 3), ('replies', sent / 16 + weeks_ago % 4),
      ('positive_replies', sent / 40 + weeks_ago % 2), ('meetings', sent / 90 + (12 - weeks_ago) % 2)
    ) as counted (metric, value);

  -- The figures have counted these meetings. They were held and accepted.
  update public.client_meetings as meeting set origin = 'completed', kept_by = _person, starts_at = planned.at,
    met_with = names[1 + number % 8] || ', ' || companies[1 + number / 8 % 6],
    outcome = 'held', answer_until = planned.at + interval '14 days', answer = 'accepted', answered_at = planned.at + interval '1 day'
  from (
    select id, row_number() over (order by booked_on, id)::integer as number,
      (booked_on + 3 + time '10:00') at time zone 'Europe/Oslo' as at
    from public.client_meetings where client_id = _client
  ) as planned, (values (
    array['Anne Vik', 'Bjørn Aas', 'Camilla Ruud', 'David Holt', 'Eva Lien', 'Frode Bakk', 'Grete Sand', 'Henrik Moen'],
    array['Torget Offices', 'Solsiden Bakery', 'Parken Facilities', 'Elva Bread', 'Bryn Properties', 'Havna Ovens']
  )) as made_up (names, companies)
  where meeting.client_id = _client and meeting.id = planned.id;

  insert into public.approvals (client_id, id, title) values
    (_client, _declined, 'First mail to hotels'), (_client, _approved, 'Second mail to heads of facilities');
  insert into public.approval_versions (client_id, approval_id, number, text, due_on, asked_by, created_at) values
    (_client, _declined, 1, E'Hello {{first_name}},\n\nwe noticed that {{company}} heats with oil. Do you have time for a call?\n\nKari',
      _monday + 2, _person, now() - interval '4 days'),
    (_client, _declined, 2, E'Hello {{first_name}},\n\n{{company}} has forty rooms by the sea and an oven from 1987. Three hotels near you pay '
      'a third less since they changed theirs. Should I send you how they did it?\n\nKari',
      _monday + 9, _person, now() - interval '1 day'),
    (_client, _approved, 1, E'Hello {{first_name}},\n\nshort again: may I send the figures of the building next door?\n\nKari',
      _monday - 4, _person, now() - interval '9 days');
  insert into public.approval_decisions (client_id, approval_id, number, verdict, comment, created_at) values
    (_client, _declined, 1, 'no', 'Say something about the hotel first.', now() - interval '3 days'),
    (_client, _approved, 1, 'yes', '', now() - interval '8 days');

  insert into public.client_meetings (
    client_id, booked_on, starts_at, met_with, outcome, evidence, answer_until, answer, reason, answered_at, kept_by
  ) values
    (_client, _monday - 3, now() + interval '3 days', 'Ingrid Berg, Havn Hotel', 'booked', 'Accepted the invitation.', null, null, '', null, _person),
    (_client, _monday - 5, now() - interval '2 days', 'Jonas Lie, Brygga Bakery', 'held', 'Recorded, 28 minutes.', now() + interval '12 days',
      null, '', null, _person),
    (_client, _monday - 10, now() - interval '6 days', 'Siri Moe, Fjordbygg', 'no_show', 'Waited ten minutes; a new time is asked for.',
      now() + interval '8 days', 'disputed', 'We had agreed on another day.', now() - interval '5 days', _person),
    (_client, _monday - 12, now() - interval '9 days', 'Per Dahl, Sentrum Offices', 'held', 'Recorded, 41 minutes.', now() + interval '5 days',
      'accepted', '', now() - interval '8 days', _person);

  insert into public.do_not_contact (client_id, kind, value, hint, added_by)
  select _client, 'domain', domain, domain, _person
  from unnest(array['customer.example', 'partner.example', 'rival.example']) as domain;
  insert into public.approvals (client_id, id, title, kind) values (_client, _list, 'Hotels on the coast', 'list');
  insert into public.approval_versions (client_id, approval_id, number, text, due_on, asked_by, created_at) values
    (_client, _list, 1, 'Hotels with 30 rooms and more between Stavanger and Bodø that heat with oil.', _monday + 10, _person,
      now() - interval '1 day');
  insert into public.approval_rows (client_id, approval_id, number, line, company, domain, person)
  select _client, _list, 1, line, company, domain, person
  from (values
    (2, 'Havn Hotel', 'havn-hotel.example', 'Ingrid Berg, Owner'), (3, 'Havn Hotel', 'havn-hotel.example', 'Tor Ness, Operations'),
    (4, 'Skjær Hotel', 'skjaer.example', 'Lise Holm, Director'), (5, 'Fyret Hotel', 'fyret.example', 'Odd Strand, Owner'),
    (6, 'Vik Hotel', 'vik.example', 'Nora Sund, Director'), (7, 'Brygga Rooms', 'brygga.example', 'Jan Eide, Operations')
  ) as listed (line, company, domain, person);
  insert into public.approval_vetoes (client_id, approval_id, number, line) values (_client, _list, 1, 5);

  insert into public.client_reports (client_id, span, first_day, last_day, figures, summary)
  select _client, 'week', _monday - 7, _monday - 1, private.report_figures(clients, 'week', _monday - 7, _monday - 1),
    'Facilities answer more since the second mail became shorter. Hotels wait for your yes to the list.'
  from public.clients where id = _client
  returning * into _report;
  _report.approved_by := _person;
  _report.sent_at := now() - interval '1 hour';
  _report.hash := private.report_hash(_report);
  update public.client_reports set approved_by = _report.approved_by, sent_at = _report.sent_at, hash = _report.hash
  where client_id = _client and id = _report.id;
  return _client;
end
$$;



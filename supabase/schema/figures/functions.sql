-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.answer_figure_quote(_client_id uuid, _id uuid, _answer text, _value bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _quote public.figure_quotes;
begin
  perform private.require_approver(_client_id);
  select * into _quote from public.figure_quotes where client_id = _client_id and id = _id and ended_at is null for update;
  if not found then
    raise exception 'This question was taken back.' using errcode = 'P0001';
  elsif _quote.answer is not null then
    raise exception 'A colleague has answered this already.' using errcode = 'P0001';
  elsif _answer = 'yes' and private.value_of_quote(_quote) is distinct from _value then
    raise exception 'This figure has changed. Please read it again.' using errcode = 'P0001';
  end if;
  update public.figure_quotes set answer = coalesce(_answer, ''), answered_by = private.user_id(), answered_at = now()
  where client_id = _client_id and id = _id;
  perform private.tell_asker_of_quote(_quote, case _answer when 'yes' then 'Agreed' else 'Declined' end);
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.ask_to_quote_figure(_project_id uuid, _client_id uuid, _metric text, _first_day date, _last_day date)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _client public.clients;
  _quote public.figure_quotes;
begin
  perform private.require_admin();
  _client := private.lock_client_of_worker(_client_id);
  -- Two who ask for one page at the same time wait for each other.
  perform from public.projects where id = _project_id for update;
  if not found then
    raise exception 'There is no such project any more.' using errcode = 'P0001';
  elsif _client.is_sample then
    raise exception 'The figures of the sample client are made up. No page quotes them.' using errcode = 'P0001';
  elsif _last_day >= (now() at time zone _client.time_zone)::date then
    raise exception 'A page quotes months that are over.' using errcode = 'P0001';
  elsif exists (
    select from public.figure_quotes
    where project_id = _project_id and ended_at is null and withdrawn_at is null and answer is distinct from 'no'
  ) then
    raise exception 'This page quotes a figure, or waits for a yes to one. Take it off first.' using errcode = 'P0001';
  end if;
  update public.figure_quotes set ended_at = now() where project_id = _project_id and ended_at is null;
  insert into public.figure_quotes (client_id, project_id, metric, first_day, last_day, asked_by)
  values (_client_id, _project_id, _metric, _first_day, _last_day, private.user_id()) returning * into _quote;
  if private.value_of_quote(_quote) is null then
    raise exception 'There is no such figure of this time.' using errcode = 'P0001';
  end if;
  perform private.tell_client_of_quote(_quote);
  return _quote.id;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.client_imports(_client_id uuid)
 RETURNS TABLE(id uuid, file_name text, file_hash text, column_map jsonb, new_count integer, changed_count integer, same_count integer, refused_count integer, imported_by text, created_at timestamp with time zone, undone_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.end_figure_quote(_project_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_admin();
  update public.figure_quotes set ended_at = now() where project_id = _project_id and ended_at is null;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.figure_sums(_client_id uuid, _from date, _until date, _metrics text[] DEFAULT NULL::text[])
 RETURNS TABLE(metric text, first_day date, last_day date, value bigint)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  -- Added up before they are ordered: otherwise Postgres sorts every row by metric and day to group them, which took as long as the rest.
  with sums as materialized (
    select metric, first_day, last_day, sum(value)::bigint as value from private.counted_figures
    where client_id = _client_id and first_day between _from and _until
      and (_metrics is null or metric = any (_metrics))
    group by metric, first_day, last_day
  )
  select metric, first_day, last_day, value from sums order by metric, first_day
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.figure_totals(_from date, _until date)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.figures_behind(_client_id uuid, _metric text, _from date, _until date)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.import_figures(_client_id uuid, _file jsonb, _rows jsonb, _is_trial boolean)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by anon, authenticated, service_role.
CREATE OR REPLACE FUNCTION public.key_metric(projects)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce((
    select private.quote_in_words(quote) from public.figure_quotes as quote
    where quote.project_id = $1.id and answer = 'yes' and withdrawn_at is null and ended_at is null
    order by asked_at desc limit 1
  ), $1.metric)
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.list_figure_quotes(_client_id uuid)
 RETURNS TABLE(id uuid, words text, value bigint, title text, path text, asked_at timestamp with time zone, answer text, answered_by text, answered_at timestamp with time zone, withdrawn_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _works_for constant boolean := private.works_for_client(_client_id);
begin
  return query
    select quote.id, private.quote_in_words(quote), private.value_of_quote(quote), coalesce(projects.title, 'a page that was deleted'),
      case when projects.status = 'published' then '/projects?case=' || projects.slug end, quote.asked_at, quote.answer,
      coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), case when _works_for then users.email end, '')::text,
      quote.answered_at, quote.withdrawn_at
    from public.figure_quotes as quote left join public.projects on projects.id = quote.project_id
      left join auth.users on users.id = coalesce(quote.withdrawn_by, quote.answered_by)
    where quote.client_id = _client_id and quote.ended_at is null and (quote.answer is not null or projects.id is not null)
    order by quote.answer is not null, quote.asked_at desc, quote.id limit 200;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.quote_of_project(_project_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_admin();
  return (
    select jsonb_build_object('client', clients.name, 'words', private.quote_in_words(quote), 'answer', quote.answer,
      'answered_at', quote.answered_at, 'withdrawn_at', quote.withdrawn_at, 'asked_at', quote.asked_at)
    from public.figure_quotes as quote join public.clients on clients.id = quote.client_id
    where quote.project_id = _project_id and quote.ended_at is null order by quote.asked_at desc limit 1
  );
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.undo_import(_client_id uuid, _batch_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.withdraw_figure_quote(_client_id uuid, _id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _quote public.figure_quotes;
begin
  perform private.require_approver(_client_id);
  update public.figure_quotes set withdrawn_by = private.user_id(), withdrawn_at = now()
  where client_id = _client_id and id = _id and answer = 'yes' and withdrawn_at is null returning * into _quote;
  if not found then
    raise exception 'This yes was withdrawn already.' using errcode = 'P0001';
  end if;
  perform private.tell_asker_of_quote(_quote, 'Withdrawn');
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.judge_figures(_client clients, _length integer, _rows jsonb)
 RETURNS SETOF private.judged_figure
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_nestloop TO 'off'
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.match_meetings()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _figure record;
  _missing integer;
  _changed integer;
begin
  for _figure in
    with touched as materialized (
      select touched.*, least(coalesce(figure.value, 0), 1000) as value, figure.batch_id, batch.source_id, ledger.*
      from (select distinct client_id, campaign_id, first_day, last_day from changed where metric = 'meetings') as touched
        left join public.campaign_figures as figure on figure.client_id = touched.client_id
          and figure.campaign_id = touched.campaign_id and figure.metric = 'meetings' and figure.first_day = touched.first_day
          and figure.last_day = touched.last_day and figure.replaced_by is null
        left join public.import_batches as batch on batch.client_id = figure.client_id and batch.id = figure.batch_id
        cross join lateral (
          select count(*) filter (where meeting.campaign_id = touched.campaign_id) as count,
            coalesce(bool_or(meeting.campaign_id = touched.campaign_id and origin = 'figure'
              and meeting.batch_id is distinct from figure.batch_id), false) as is_of_former,
            coalesce(bool_or(meeting.campaign_id is null), false) as has_nameless
          from public.client_meetings as meeting
          where meeting.client_id = touched.client_id and booked_on between touched.first_day and touched.last_day
        ) as ledger
      -- A row that gives way to another has a follower, which is matched when it is added.
      where figure.value is not null or not exists (
        select from public.campaign_figures as replaced
        where replaced.client_id = touched.client_id and replaced.campaign_id = touched.campaign_id
          and replaced.metric = 'meetings' and replaced.first_day = touched.first_day and replaced.replaced_by is not null
      )
    ), room as materialized (
      select client_id, 10000 - (
        select count(*) from public.client_meetings as meeting where meeting.client_id = clients.client_id
      ) as room
      from (select distinct client_id from touched) as clients
    ), missing as (
      select touched.*, row_number() over (partition by client_id order by campaign_id, first_day, number) as place
      from touched, generate_series(1, value - count) as number
      where not has_nameless
    ), added as (
      insert into public.client_meetings (client_id, campaign_id, batch_id, booked_on, met_with, outcome, origin)
      select client_id, campaign_id, batch_id, first_day, '', 'booked', 'figure'
      from missing join room using (client_id)
      where place <= room
    )
    select * from touched
    where value < count or has_nameless and value > count or is_of_former or source_id is not null
    order by client_id, campaign_id, first_day
  loop
    _missing := _figure.value - _figure.count;
    if _missing > 0 and _figure.has_nameless then
      update public.client_meetings set campaign_id = _figure.campaign_id
      where client_id = _figure.client_id and id in (
        select id from public.client_meetings
        where client_id = _figure.client_id and campaign_id is null
          and booked_on between _figure.first_day and _figure.last_day
        order by booked_on, created_at, id limit _missing
      );
      get diagnostics _changed = row_count;
      insert into public.client_meetings (client_id, campaign_id, batch_id, booked_on, met_with, outcome, origin)
      select _figure.client_id, _figure.campaign_id, _figure.batch_id, _figure.first_day, '', 'booked', 'figure'
      from generate_series(1, least(
        _missing - _changed,
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
    if _figure.is_of_former then
      update public.client_meetings set batch_id = _figure.batch_id
      where client_id = _figure.client_id and campaign_id = _figure.campaign_id and origin = 'figure'
        and booked_on between _figure.first_day and _figure.last_day and batch_id is distinct from _figure.batch_id;
    end if;
    if _figure.source_id is not null then
      perform private.name_meetings_of_events(_figure.client_id, _figure.campaign_id, _figure.source_id, _figure.first_day);
    end if;
  end loop;
  return null;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.name_meetings_of_events(_client_id uuid, _campaign_id uuid, _source_id uuid, _day date)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.notify_quoted_figures()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if exists (
    select from public.figure_quotes as quote join changed
      on changed.client_id = quote.client_id and changed.metric = quote.metric
      and changed.first_day between quote.first_day and quote.last_day
    where answer = 'yes' and withdrawn_at is null and ended_at is null
  ) then
    perform pg_notify('content_changed', 'figure_quotes');
  end if;
  return null;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.notify_quoted_meetings()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.quote_in_words(_quote figure_quotes)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select to_char(value, 'FM999,999,999,999,999') || ' ' || case _quote.metric
    when 'sent' then 'message' || more || ' sent'
    when 'delivered' then 'message' || more || ' delivered'
    when 'bounced' then 'message' || more || ' returned'
    when 'replies' then case value when 1 then 'reply' else 'replies' end
    when 'positive_replies' then case value when 1 then 'reply' else 'replies' end || ' with interest'
    when 'meetings' then 'meeting' || more || ' booked'
    else (select currency from public.clients where id = _quote.client_id) || ' in pipeline'
  end || ', ' || case
    when _quote.last_day < _quote.first_day + 31 then ''
    when extract(year from _quote.first_day) = extract(year from _quote.last_day) then to_char(_quote.first_day, 'FMMonth') || '–'
    else to_char(_quote.first_day, 'FMMonth YYYY') || '–'
  end || to_char(_quote.last_day, 'FMMonth YYYY')
  from (select private.value_of_quote(_quote)) as counted (value), lateral (select case value when 1 then '' else 's' end) as plural (more)
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.refuse_days_twice()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
      raise exception 'A week and one of its days cannot both have a figure.' using errcode = '23P01';
    end if;
  end loop;
  return null;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.sum_up_judgement(_judged private.judged_figure[])
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.tell_asker_of_quote(_quote figure_quotes, _verdict text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  -- Found first, or the planner could count for addresses of others.
  with asker as materialized (
    select users.email, clients.name as client, private.quote_in_words(_quote) as words
    from public.user_roles join auth.users on users.id = user_roles.user_id, public.clients
    where user_roles.user_id = _quote.asked_by and user_roles.role = 'admin' and approved and clients.id = _quote.client_id and users.email <> ''
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'approval_decided', jsonb_build_object(
    'Email', email, 'Client', client, 'Verdict', _verdict, 'Title', coalesce(words, 'A figure'), 'Message', case _verdict
      when 'Agreed' then 'The page shows the figure from now on.' else 'The page shows nothing of it.'
    end
  )
  from asker where private.count_for_subject('decision mail', lower(email), 100, interval '1 day')
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.tell_client_of_quote(_quote figure_quotes)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with people as materialized (
    select email, clients.name as client, private.quote_in_words(_quote) as words, projects.title
    from private.members_to_tell(_quote.client_id, 'waiting'), public.clients, public.projects
    where clients.id = _quote.client_id and projects.id = _quote.project_id
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'quote_asked', jsonb_build_object('Email', email, 'Client', client, 'Figure', words, 'Title', title)
  from people where private.count_for_subject('approval mail', lower(email), 20, interval '1 day')
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.value_of_quote(_quote figure_quotes)
 RETURNS bigint
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select sum(value)::bigint from private.counted_figures
  where client_id = _quote.client_id and metric = _quote.metric
    and first_day between _quote.first_day and _quote.last_day
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.add_campaign_source(_client_id uuid, _campaign_id uuid, _provider text, _metrics text[], _external_id text DEFAULT ''::text, _secret text DEFAULT ''::text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
    client_id, campaign_id, provider, external_id, token_hash, secret_hash, signing_secret, metrics, counts_from, added_by
  )
  select _client_id, _campaign_id, _provider, trim(_external_id), _hash, private.hash_of_secret(_secret),
    case _provider when 'smartlead' then nullif(trim(_secret), '') end, _metrics, greatest(
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
  end, null, '{}', 0, 0, 0, 0, private.user_id(), _id);
  return _token;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.end_campaign_source(_client_id uuid, _id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _client constant public.clients := private.lock_client_of_worker(_client_id);
begin
  update public.campaign_sources set ends_on = (now() at time zone _client.time_zone)::date
  where client_id = _client_id and id = _id and ends_on is null;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.events_behind(_client_id uuid, _batch_id uuid, _metric text, _day date, _limit integer DEFAULT 50, _offset integer DEFAULT 0)
 RETURNS TABLE(happened_at timestamp with time zone, kind text, hint text, total integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
        select from (
          select client_id, source_id from public.inbound_events
          where person_hash = event.person_hash and metric = 'bounced' offset 0
        ) as bounce
        where bounce.client_id = _client_id and bounce.source_id = _source.id
      ))
    order by event.happened_at, event.event_key
    limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0);
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.list_campaign_sources(_client_id uuid)
 RETURNS TABLE(id uuid, campaign_id uuid, campaign text, provider text, external_id text, has_secret boolean, metrics text[], counts_from date, ends_on date, created_at timestamp with time zone, latest_at timestamp with time zone, not_counted jsonb)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only those who work for this client may do this' using errcode = '42501';
  end if;
  return query
    select source.id, source.campaign_id, campaigns.name, source.provider, source.external_id, source.secret_hash is not null,
      source.metrics, source.counts_from, source.ends_on, source.created_at, (
        select max(event.received_at) from public.inbound_events as event
        where event.client_id = _client_id and event.source_id = source.id
      ), (
        select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'state', state, 'count', count, 'latest', latest)
          order by latest desc, kind), '[]')
        from (
          select event.kind, event.state, count(*), max(event.received_at) from public.inbound_events as event
          where event.client_id = _client_id and event.source_id = source.id
            and event.state in ('unknown', 'elsewhere', 'untimely')
          group by event.kind, event.state order by max(event.received_at) desc limit 50
        ) as kinds (kind, state, count, latest)
      )
    from public.campaign_sources as source
      join public.campaigns on campaigns.client_id = _client_id and campaigns.id = source.campaign_id
    where source.client_id = _client_id
    order by source.ends_on is not null, source.created_at desc, source.id limit 200;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.list_campaign_texts(_client_id uuid, _campaign_id uuid)
 RETURNS TABLE(id uuid, title text, is_approved boolean, is_sent boolean, step integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only those who work for this client may do this' using errcode = '42501';
  end if;
  return query
    select approval.id, approval.title, exists (
        select from public.approval_decisions as decision
        where decision.client_id = _client_id and decision.approval_id = approval.id and decision.verdict = 'yes'
      ), sent.approval_id is not null, sent.step
    from public.approvals as approval
      left join public.campaign_texts as sent on sent.client_id = _client_id and sent.campaign_id = _campaign_id
        and sent.approval_id = approval.id
    where approval.client_id = _client_id
    order by sent.approval_id is null, sent.step nulls last, approval.created_at desc, approval.id limit 200;
end
$function$;

-- Called by service_role.
CREATE OR REPLACE FUNCTION public.open_campaign_source(_token_hash text, _secret_hash text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.rotate_campaign_source(_client_id uuid, _id uuid, _secret text DEFAULT ''::text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _token text;
  _hash text;
begin
  perform private.lock_client_of_worker(_client_id);
  select * into _token, _hash from private.new_source_token();
  update public.campaign_sources set token_hash = _hash, secret_hash = private.hash_of_secret(_secret),
    signing_secret = case provider when 'smartlead' then nullif(trim(_secret), '') end
  where client_id = _client_id and id = _id and ends_on is null;
  if not found then
    raise exception 'This source has ended.' using errcode = 'P0001';
  end if;
  return _token;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.set_campaign_text(_client_id uuid, _campaign_id uuid, _approval_id uuid, _is_sent boolean, _step integer DEFAULT NULL::integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.lock_client_of_worker(_client_id);
  if _is_sent then
    insert into public.campaign_texts (client_id, campaign_id, approval_id, step, added_by)
    values (_client_id, _campaign_id, _approval_id, _step, private.user_id())
    on conflict (client_id, campaign_id, approval_id) do update set step = excluded.step;
  else
    delete from public.campaign_texts
    where client_id = _client_id and campaign_id = _campaign_id and approval_id = _approval_id;
  end if;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.settle_client_alarm(_client_id uuid, _id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only those who work for this client may do this' using errcode = '42501';
  end if;
  update public.client_alarms set settled_at = now(), settled_by = private.user_id()
  where client_id = _client_id and id = _id and settled_at is null;
end
$function$;

-- Called by service_role.
CREATE OR REPLACE FUNCTION public.signing_secret_of_source(_token_hash text)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select signing_secret from public.campaign_sources where token_hash = _token_hash and ends_on is null
$function$;

-- Called by service_role.
CREATE OR REPLACE FUNCTION public.take_campaign_events(_token_hash text, _secret_hash text, _events jsonb)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _opened record;
  _source public.campaign_sources;
  _client public.clients;
  _new private.taken_event[];
  _today constant date := (now() at time zone 'UTC')::date;
  _stored bigint;
  _added bigint;
begin
  select * into _opened from private.open_source(_token_hash, _secret_hash);
  if not _opened.is_allowed then
    return null;
  end if;
  _source := _opened.source;
  select * into _client from public.clients where id = _source.client_id for no key update;
  select case when stored_on = _today then stored_bytes else 0 end into _stored from public.campaign_sources
  where client_id = _source.client_id and id = _source.id for no key update;
  if _stored >= 256 * 1024 * 1024 then
    perform private.tell_of_full_source(_source, jsonb_array_length(_events));
    return -1;
  end if;
  with given as (
    select distinct on (key) key, kind, metric, is_known, coalesce(at, now()) as happened_at, campaign, step,
      lower(trim(recipient)) as recipient, raw
    from jsonb_to_recordset(_events) as given (
      key text, kind text, metric text, is_known boolean, at timestamptz, campaign text, step integer, recipient text, raw jsonb
    )
    order by key
  ), placed as (
    select *, (happened_at at time zone _client.time_zone)::date as day,
      _stored + sum(500 + octet_length(raw::text)) over (order by key) <= 32 * 1024 * 1024 as keeps_raw
    from given
  ), taken as (
    insert into public.inbound_events (
      client_id, source_id, event_key, kind, metric, state, day, happened_at, step, person_hash, hint, recipient, raw
    )
    select _client.id, _source.id, key, kind, metric, case
        when not is_known then 'unknown'
        when _source.external_id <> '' and campaign <> '' and campaign <> _source.external_id then 'elsewhere'
        when happened_at > now() + interval '10 minutes' then 'untimely'
        when metric is not null and day >= _source.counts_from then 'counted'
        else 'noted'
      end, day, happened_at, step, case when recipient <> '' then private.hash_of_address(recipient) end,
      case when recipient like '%@%' then left(recipient, 1) || '***@' || left(split_part(recipient, '@', 2), 250) else '' end,
      nullif(recipient, ''), case when keeps_raw then raw end
    from placed
    on conflict do nothing
    returning event_key, metric, state, day, happened_at, step, person_hash, recipient,
      500 + coalesce(octet_length(raw::text), 0) as size
  )
  select array_agg((event_key, metric, state, day, happened_at, step, person_hash, recipient)::private.taken_event), sum(size)
  into _new, _added from taken where true;
  update public.campaign_sources set stored_on = _today, stored_bytes = _stored + _added
  where client_id = _source.client_id and id = _source.id and _added > 0;
  perform private.count_events(_source, _new);
  perform private.tell_of_left_alone(_client, _source, array(
    select event from unnest(_new) as event where event.metric = 'sent' and event.state in ('counted', 'noted')
  ));
  perform private.tell_of_deviations(_source, _new, _events);
  return coalesce(array_length(_new, 1), 0);
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.compare_source_totals()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.count_events(_source campaign_sources, _new private.taken_event[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with changes as materialized (
    select metric, day, sum(value)::bigint as value from (
      select metric, day, 1 from unnest(_new) where state = 'counted'
      union all
      select 'delivered', fresh.day, 1 from unnest(_new) as fresh
      where _source.provider <> 'json' and fresh.metric = 'sent' and fresh.state = 'counted' and not exists (
        select from (
          -- No other condition may get into the search for an address, which offset keeps out.
          select client_id, source_id from public.inbound_events
          where person_hash = fresh.person_hash and metric = 'bounced' offset 0
        ) as bounce
        where bounce.client_id = _source.client_id and bounce.source_id = _source.id
      )
      union all
      select 'delivered', message.day, -1
      from (select distinct person_hash from unnest(_new) where metric = 'bounced') as bounced
        cross join lateral (
          select client_id, source_id, event_key, state, day from public.inbound_events
          where person_hash = bounced.person_hash and metric = 'sent' offset 0
        ) as message
      where _source.provider <> 'json'
        and message.client_id = _source.client_id and message.source_id = _source.id and message.state = 'counted'
        and not exists (select from unnest(_new) as fresh where fresh.event_key = message.event_key)
        and not exists (
          select from (
            select client_id, source_id, event_key from public.inbound_events
            where person_hash = bounced.person_hash and metric = 'bounced' offset 0
          ) as former
          where former.client_id = _source.client_id and former.source_id = _source.id
            and not exists (select from unnest(_new) as fresh where fresh.event_key = former.event_key)
        )
    ) as changes (metric, day, value)
    where metric = any (_source.metrics)
    group by metric, day having sum(value) <> 0
  ), batch as (
    select id from public.import_batches where client_id = _source.client_id and source_id = _source.id
  ), added as (
    update public.campaign_figures as figure set value = figure.value + changes.value
    from changes, batch
    where figure.client_id = _source.client_id and figure.batch_id = batch.id and figure.campaign_id = _source.campaign_id
      and figure.metric = changes.metric and figure.first_day = changes.day
    returning figure.metric, figure.first_day
  )
  insert into public.campaign_figures (client_id, batch_id, campaign_id, metric, first_day, last_day, value)
  select _source.client_id, batch.id, _source.campaign_id, metric, day, day, value from changes, batch
  where not exists (select from added where added.metric = changes.metric and added.first_day = changes.day)
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.empty_old_events(_at_most integer DEFAULT NULL::integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _emptied integer;
begin
  update public.inbound_events set raw = null, recipient = null
  where (client_id, source_id, event_key) in (
    select client_id, source_id, event_key from public.inbound_events
    where raw is not null and received_at < now() - interval '30 days' limit _at_most
  );
  get diagnostics _emptied = row_count;
  return _emptied;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.hash_of_secret(_secret text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$ select encode(sha256(convert_to(nullif(trim(_secret), ''), 'UTF8')), 'hex') $function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.keep_figures_of_events()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  raise exception 'Figures of events cannot be undone. End the source instead.' using errcode = 'P0001';
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.keep_totals(_client_id uuid, _file_name text, _judged private.judged_figure[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into public.source_totals as former (client_id, source_id, metric, first_day, last_day, value, file_name, added_by)
  select _client_id, source.id, metric, first_day, last_day, value, _file_name, private.user_id()
  from unnest(_judged) join public.campaign_sources as source on source.client_id = _client_id
    and source.campaign_id = unnest.campaign_id and metric = any (source.metrics)
    and first_day >= counts_from and last_day <= coalesce(ends_on, 'infinity')
  where reason like 'Events count this.%'
  on conflict (client_id, source_id, metric, first_day, last_day) do update set
    value = excluded.value, file_name = excluded.file_name, added_by = excluded.added_by, created_at = now()
  where former.value <> excluded.value
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.new_source_token(OUT token text, OUT hash text)
 RETURNS record
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select made, encode(sha256(convert_to(made, 'UTF8')), 'hex')
  from (select replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')) as tokens (made)
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.open_source(_token_hash text, _secret_hash text, OUT source campaign_sources, OUT is_allowed boolean)
 RETURNS record
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _salt constant text := gen_random_uuid()::text;
begin
  select * into source from public.campaign_sources where token_hash = _token_hash and ends_on is null;
  is_allowed := source.id is not null and (source.secret_hash is null
    or sha256(convert_to(_salt || source.secret_hash, 'UTF8')) = sha256(convert_to(_salt || coalesce(_secret_hash, ''), 'UTF8')))
    and not private.is_deleted_campaign(source.client_id, source.campaign_id);
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.raise_alarm(_client_id uuid, _kind text, _subject text, _text text, _times integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _was_open constant boolean := exists (
    select from public.client_alarms
    where client_id = _client_id and kind = _kind and subject = _subject and settled_at is null
  );
begin
  if not _was_open and 200 <= (
    select count(*) from public.client_alarms where client_id = _client_id and kind = _kind and settled_at is null
  ) then
    _subject := 'more';
    _text := 'More of these than are listed. Settle some to see others.';
  end if;
  insert into public.client_alarms as former (client_id, kind, subject, text, times)
  values (_client_id, _kind, left(_subject, 400), left(_text, 2000), _times)
  on conflict (client_id, kind, subject) do update set
    times = former.times + excluded.times, text = excluded.text, latest_at = now(), settled_at = null, settled_by = null;
  return not _was_open and _subject <> 'more';
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.tell_of_deviations(_source campaign_sources, _new private.taken_event[], _events jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _campaign constant text := (
    select name from public.campaigns where client_id = _source.client_id and id = _source.campaign_id
  );
  _found record;
begin
  for _found in
    select deviation ->> 'kind' as kind, deviation ->> 'subject' as subject, min(deviation ->> 'text') as text,
      count(*)::integer as times
    from (
      select distinct on (key) deviation from jsonb_to_recordset(_events) as given (key text, deviation jsonb)
      where jsonb_typeof(deviation) = 'object' and exists (
        select from unnest(_new) as fresh
        where fresh.event_key = given.key and fresh.state in ('counted', 'noted')
      )
      order by key
    ) as found
    group by 1, 2 order by 1, 2
  loop
    perform private.raise_alarm(
      _source.client_id, _found.kind, _source.campaign_id || ' ' || _found.subject,
      'The campaign “' || _campaign || '”: ' || _found.text, _found.times
    );
  end loop;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.tell_of_full_source(_source campaign_sources, _times integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _text constant text := 'The source of the campaign “' || (
    select name from public.campaigns where client_id = _source.client_id and id = _source.campaign_id
  ) || '” has sent more events today than can be stored. Further events are not counted until tomorrow (UTC). Providers send'
    || ' them again. Rotate the address of the source if they are not yours.';
begin
  if private.raise_alarm(_source.client_id, 'incomplete', _source.campaign_id || ' full', _text, _times) then
    perform private.tell_workers_of_alarm(_source.client_id, _text);
  end if;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.tell_of_left_alone(_client clients, _source campaign_sources, _new private.taken_event[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _campaign constant text := (
    select name from public.campaigns where client_id = _source.client_id and id = _source.campaign_id
  );
  _found record;
  _text text;
begin
  for _found in
    select id, entry_hint, count(*)::integer as times, max(happened_at) as latest from (
      select distinct on (event.event_key) entry.id, entry.hint as entry_hint, event.happened_at
      from unnest(_new) as event
        cross join lateral (
          select event.person_hash
          union all
          select array_to_string(labels[n:], '.')
          from (select string_to_array(regexp_replace(event.recipient, '^.*@', ''), '.')) as parts (labels),
            generate_subscripts(labels, 1) as n
        ) as spelled (value)
        join public.do_not_contact as entry on entry.client_id = _client.id and entry.value = spelled.value
      where event.metric = 'sent' and entry.created_at < event.happened_at
      order by event.event_key, length(entry.hint) desc
    ) as found group by id, entry_hint
  loop
    _text := 'The campaign “' || _campaign || '” wrote to ' || _found.entry_hint || ', which is on the list of whom to leave alone, on '
      || to_char(_found.latest at time zone _client.time_zone, 'FMDD FMMonth YYYY') || '.';
    if private.raise_alarm(_client.id, 'left_alone', _source.campaign_id || ' ' || _found.id, _text, _found.times) then
      perform private.tell_workers_of_alarm(_client.id, _text);
    end if;
  end loop;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.tell_workers_of_alarm(_client_id uuid, _text text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with assigned as (
    select user_id from public.client_assignments
      join public.user_roles using (user_id)
    where client_id = _client_id and role in ('team', 'admin') and approved
  ), people as materialized (
    -- Found first, or the planner could count for addresses of others.
    select users.id, users.email, clients.name as client
    from auth.users join public.user_roles on user_roles.user_id = users.id, public.clients
    where clients.id = _client_id and users.email <> '' and (
      users.id in (select user_id from assigned)
      or not exists (select from assigned) and user_roles.role = 'admin' and user_roles.approved
    )
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'client_alarm', jsonb_build_object('Email', email, 'Client', client, 'Message', _text,
    'Path', private.team_path(id, _client_id, 'alarms'))
  from people where private.count_for_subject('alarm mail', lower(email), 20, interval '1 day')
$function$;

-- Bytes that events of a source have stored today (UTC). 500 a row stand for its columns and indexes; payloads are kept up to
-- 32 MB, and the source is full at 256 MB, so that no source can fill the disk.
alter table public.campaign_sources
  add column stored_on date,
  add column stored_bytes bigint not null default 0 check (stored_bytes >= 0);

alter table public.client_alarms drop constraint client_alarms_kind_check,
  add constraint client_alarms_kind_check check (kind in ('not_approved', 'left_alone', 'difference', 'incomplete'));

create function private.tell_of_full_source(_source public.campaign_sources, _times integer) returns void
language plpgsql security definer set search_path = '' as $$
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
$$;
revoke all on function private.tell_of_full_source(public.campaign_sources, integer) from public;

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

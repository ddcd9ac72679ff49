-- Takes what providers tell of campaigns. An event counts once however often and in whatever order it comes: what is new is
-- what its key says, and only that changes a figure.

-- Returns the source of an address that takes events. The hashes are compared below a fresh salt, so that the time that it
-- takes tells nothing of how much of a guess is right.
create function private.open_source(_token_hash text, _secret_hash text, out source public.campaign_sources, out is_allowed boolean)
language plpgsql stable security definer set search_path = ''
as $$
declare
  _salt constant text := gen_random_uuid()::text;
begin
  select * into source from public.campaign_sources where token_hash = _token_hash and ends_on is null;
  is_allowed := source.id is not null and (source.secret_hash is null
    or sha256(convert_to(_salt || source.secret_hash, 'UTF8')) = sha256(convert_to(_salt || coalesce(_secret_hash, ''), 'UTF8')));
end
$$;
revoke all on function private.open_source(text, text) from public;

create type private.taken_event as (
  event_key text, metric text, state text, day date, happened_at timestamptz, step integer, person_hash text, recipient text
);

-- Adds what is new to the figures of its days. Smartlead, Instantly and lemlist tell of no delivery but of what came back: there
-- a message counts as delivered as long as nothing came back from its address, whichever of both was told first.
create function private.count_events(_source public.campaign_sources, _new private.taken_event[]) returns void
language sql security definer set search_path = ''
as $$
  with changes as materialized (
    select metric, day, sum(value)::bigint as value from (
      select metric, day, 1 from unnest(_new) where state = 'counted'
      union all
      select 'delivered', fresh.day, 1 from unnest(_new) as fresh
      where _source.provider <> 'json' and fresh.metric = 'sent' and fresh.state = 'counted' and not exists (
        select from public.inbound_events as bounce
        where bounce.client_id = _source.client_id and bounce.source_id = _source.id and bounce.metric = 'bounced'
          and bounce.person_hash = fresh.person_hash
      )
      union all
      select 'delivered', message.day, -1
      from (select distinct person_hash from unnest(_new) where metric = 'bounced') as bounced
        join public.inbound_events as message on message.client_id = _source.client_id and message.source_id = _source.id
          and message.metric = 'sent' and message.person_hash = bounced.person_hash and message.state = 'counted'
      where _source.provider <> 'json'
        and not exists (select from unnest(_new) as fresh where fresh.event_key = message.event_key)
        and not exists (
          select from public.inbound_events as former
          where former.client_id = _source.client_id and former.source_id = _source.id and former.metric = 'bounced'
            and former.person_hash = message.person_hash
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
$$;
revoke all on function private.count_events(public.campaign_sources, private.taken_event[]) from public;

-- Raises an alarm for what went to somebody who was on the client's list before: themselves, their domain, or one above.
create function private.tell_of_left_alone(
  _client public.clients, _source public.campaign_sources, _new private.taken_event[]
) returns void
language plpgsql security definer set search_path = ''
as $$
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
$$;
revoke all on function private.tell_of_left_alone(public.clients, public.campaign_sources, private.taken_event[]) from public;

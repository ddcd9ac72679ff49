-- Events from campaign providers. The key of an event is unique, so each event counts once, even if it is sent again or
-- out of order.
create type private.received_event as (
  event_key text, metric text, state text, day date, happened_at timestamptz, step integer, person_hash text, recipient text
);

create table public.inbound_events (
  client_id uuid not null,
  source_id uuid not null,
  -- The provider's id, or a hash of kind, recipient, step and time.
  event_key text not null check (length(event_key) between 1 and 200),
  -- The provider's name for the event.
  kind text not null check (length(kind) <= 100),
  metric text references private.metrics (name),
  -- Only `counted` events change figures. `ignored` events are of a kind without a metric, such as an opened mail, or
  -- from before the source began to count. The kind of an `unknown` event is unknown.
  state text not null check (state in ('counted', 'ignored', 'unknown', 'other_campaign', 'in_future')),
  -- In the client's time zone.
  day date not null constraint inbound_events_day_calendar check (day between '1900-01-01' and '2999-12-31'),
  happened_at timestamptz not null
    constraint inbound_events_happened_at_calendar check (happened_at between '1900-01-01' and '2999-12-31'),
  step integer check (step between 1 and 1000),
  -- Hash and hint, as in do_not_contact.
  person_hash text check (person_hash ~ '^[0-9a-f]{64}$'),
  hint text not null default '' check (length(hint) <= 260),
  -- The address and the original event. Both are set to null after thirty days.
  recipient text check (length(recipient) <= 320),
  raw jsonb check (length(raw::text) <= 400000),
  received_at timestamptz not null default now()
    constraint inbound_events_received_at_calendar check (received_at between '1900-01-01' and '2999-12-31'),
  -- The person and the text of their reply, as parsed by the function campaign-events: {"name", "company", "title",
  -- "text"}. Set to null together with the original event.
  reply jsonb check (length(reply::text) <= 20000),
  -- The approved text that a sent message consists of. Null if no text or more than one could match.
  approval_id uuid,
  version_number integer,
  primary key (client_id, source_id, event_key),
  foreign key (client_id, source_id) references public.campaign_sources (client_id, id) on delete cascade,
  foreign key (client_id, approval_id, version_number)
    references public.approval_versions (client_id, approval_id, number) on delete set null (approval_id, version_number),
  check ((approval_id is null) = (version_number is null))
);
create index inbound_events_version_idx on public.inbound_events (client_id, approval_id, version_number)
  where approval_id is not null;
create index inbound_events_counted_idx on public.inbound_events (client_id, source_id, metric, day) where state = 'counted';
create index inbound_events_latest_idx on public.inbound_events (client_id, source_id, received_at);
create index inbound_events_not_counted_idx on public.inbound_events (client_id, source_id, state, kind)
  where state in ('unknown', 'other_campaign', 'in_future');
create index inbound_events_raw_idx on public.inbound_events (received_at) where raw is not null;
create index inbound_events_recipient_idx on public.inbound_events (lower(recipient)) where recipient is not null;
-- Without the columns of the source: until statistics exist (analyze), the planner prefers any index on client and
-- source, and would read all events of the source for each event of a batch.
create index inbound_events_address_idx on public.inbound_events (person_hash, metric) where metric in ('sent', 'bounced');
grant all on public.inbound_events to service_role;
grant
  select (
    client_id, source_id, event_key, kind, metric, state, day, happened_at, step, hint, recipient, raw, received_at,
    approval_id, version_number
  ) on public.inbound_events to authenticated;
alter table public.inbound_events enable row level security;
create policy "Admins read all events" on public.inbound_events for select to authenticated using ((select private.is_admin()));
create policy "Team members read the events of their clients" on public.inbound_events for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

create trigger add_do_not_contact_by_event after insert on public.inbound_events
  for each row
  when (
    new.person_hash is not null and new.hint <> '' and new.state <> 'other_campaign' and replace(lower(new.kind), '_', '') in (
      'unsubscribed', 'leadunsubscribed', 'emailunsubscribed', 'emailsunsubscribed'
    )
  )
  execute function private.add_do_not_contact_by_event();

-- Lists the events of a figure of a source and day, with the total: time, the provider's name of the event, and a hint
-- of the person.
create function public.figure_events(
  _client_id uuid, _batch_id uuid, _metric text, _day date, _limit integer default 50, _offset integer default 0
) returns table (
  happened_at timestamptz, kind text, hint text, total integer
) language plpgsql stable security definer set search_path = '' as $$
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
$$;
grant execute on function public.figure_events to authenticated, service_role;

-- Lists the results of the texts that a client's campaigns sent, by version and step, those with the most messages
-- first. A bounce, reply or meeting counts for the last message that the person had received from the source before it.
-- A message counts once for each kind of result. Messages whose text is unknown are not listed.
create function public.text_results(_client_id uuid) returns table (
  approval_id uuid, title text, number integer, step integer,
  sent integer, bounced integer, replied integer, interested integer, meetings integer
) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.works_for_client(_client_id);
  return query
    with placed as (
      select event.source_id, event.metric, event.approval_id, event.version_number, event.step,
        coalesce(event.person_hash, event.event_key) as person,
        count(*) filter (where event.metric = 'sent') over (
          partition by event.source_id, coalesce(event.person_hash, event.event_key)
          order by event.happened_at, event.metric <> 'sent', event.event_key
        ) as message
      from public.inbound_events as event
      where event.client_id = _client_id and event.state = 'counted'
        and event.metric in ('sent', 'bounced', 'replies', 'positive_replies', 'meetings')
    ), answered as (
      select min(placed.approval_id::text) filter (where metric = 'sent')::uuid as approval_id,
        min(placed.version_number) filter (where metric = 'sent') as number, min(placed.step) filter (where metric = 'sent') as step,
        bool_or(metric = 'bounced') as is_bounced, bool_or(metric = 'replies') as is_replied,
        bool_or(metric = 'positive_replies') as is_interested, bool_or(metric = 'meetings') as has_meeting
      from placed where message > 0
      group by source_id, person, message
    )
    select answered.approval_id, approvals.title, answered.number, answered.step, count(*)::integer,
      (count(*) filter (where is_bounced))::integer, (count(*) filter (where is_replied))::integer,
      (count(*) filter (where is_interested))::integer, (count(*) filter (where has_meeting))::integer
    from answered join public.approvals on approvals.client_id = _client_id and approvals.id = answered.approval_id
    group by 1, 2, 3, 4
    order by 5 desc, 2, 3, 4 nulls first, 1
    limit 100;
end
$$;
grant execute on function public.text_results to authenticated, service_role;

-- Stores events that the function campaign-events has parsed, and counts new ones: [{"key", "kind", "metric",
-- "is_known", "at", "campaign", "step", "recipient", "raw", "deviation", "approval_id", "version_number", "reply"}].
-- Returns the number of new events. Null if the token or secret is no longer valid.
create function public.store_campaign_events(_token_hash text, _secret_hash text, _events jsonb) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  _opened record;
  _source public.campaign_sources;
  _client public.clients;
  _new private.received_event[];
  _today constant date := (now() at time zone 'UTC')::date;
  _stored bigint;
  _added bigint;
begin
  select * into _opened from private.find_active_source(_token_hash, _secret_hash);
  if not _opened.is_allowed then
    return null;
  end if;
  _source := _opened.source;
  select * into _client from public.clients where id = _source.client_id for no key update;
  select case when stored_on = _today then stored_bytes else 0 end into _stored from public.campaign_sources
  where client_id = _source.client_id and id = _source.id for no key update;
  if _stored >= 256 * 1024 * 1024 then
    perform private.raise_full_source_alarm(_source, jsonb_array_length(_events));
    return -1;
  end if;
  with given as (
    select distinct on (key) key, kind, metric, is_known, coalesce(at, now()) as happened_at, campaign, step,
      lower(trim(recipient)) as recipient, raw, approval_id, version_number
    from jsonb_to_recordset(_events) as given (
      key text, kind text, metric text, is_known boolean, at timestamptz, campaign text, step integer, recipient text, raw jsonb,
      approval_id uuid, version_number integer
    )
    order by key
  ), placed as (
    select *, (happened_at at time zone _client.time_zone)::date as day,
      _stored + sum(500 + octet_length(raw::text)) over (order by key) <= 32 * 1024 * 1024 as keeps_raw
    from given
  ), taken as (
    insert into public.inbound_events (
      client_id, source_id, event_key, kind, metric, state, day, happened_at, step, person_hash, hint, recipient, raw,
      approval_id, version_number
    )
    select _client.id, _source.id, key, kind, metric, case
        when not is_known then 'unknown'
        when _source.external_id <> '' and campaign <> '' and campaign <> _source.external_id then 'other_campaign'
        when happened_at > now() + interval '10 minutes' then 'in_future'
        when metric is not null and day >= _source.counts_from then 'counted'
        else 'ignored'
      end, day, happened_at, step, case when recipient <> '' then private.hash_of_address(recipient) end,
      case when recipient like '%@%' then left(recipient, 1) || '***@' || left(split_part(recipient, '@', 2), 250) else '' end,
      nullif(recipient, ''), case when keeps_raw then raw end, approval_id, version_number
    from placed
    on conflict do nothing
    returning event_key, metric, state, day, happened_at, step, person_hash, recipient,
      500 + coalesce(octet_length(raw::text), 0) as size
  )
  select array_agg((event_key, metric, state, day, happened_at, step, person_hash, recipient)::private.received_event), sum(size)
  into _new, _added from taken where true;
  update public.campaign_sources set stored_on = _today, stored_bytes = _stored + _added
  where client_id = _source.client_id and id = _source.id and _added > 0;
  perform private.count_events(_source, _new);
  perform private.raise_do_not_contact_alarm(_client, _source, array(
    select event from unnest(_new) as event where event.metric = 'sent' and event.state in ('counted', 'ignored')
  ));
  perform private.raise_deviation_alarm(_source, _new, _events);
  perform private.raise_list_alarm(_source, _new);
  perform private.add_leads_of_events(_source, _new, _events);
  return coalesce(array_length(_new, 1), 0);
end
$$;
grant execute on function public.store_campaign_events to service_role;

-- Adds new events to the figures of their days. Smartlead, Instantly and lemlist report bounces but no deliveries, so a
-- message counts as delivered unless its address bounces before or after it.
create function private.count_events(_source public.campaign_sources, _new private.received_event[]) returns void
language sql security definer set search_path = '' as $$
  with changes as materialized (
    select metric, day, sum(value)::bigint as value from (
      select metric, day, 1 from unnest(_new) where state = 'counted'
      union all
      select 'delivered', fresh.day, 1 from unnest(_new) as fresh
      where _source.provider <> 'json' and fresh.metric = 'sent' and fresh.state = 'counted' and not exists (
        select from (
          -- offset 0 stops the planner from adding other conditions, so that the index on person_hash is used.
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
$$;

-- Clears the personal data of events after thirty days, at most `_at_most`, and returns their number.
create function private.clear_old_events(_at_most integer default null) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  _emptied integer;
begin
  update public.inbound_events set raw = null, recipient = null, reply = null
  where (client_id, source_id, event_key) in (
    select client_id, source_id, event_key from public.inbound_events
    where raw is not null and received_at < now() - interval '30 days' limit _at_most
  );
  get diagnostics _emptied = row_count;
  return _emptied;
end
$$;

create function private.reject_undo_of_events() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  raise exception 'Figures from events cannot be undone. Disconnect the source instead.' using errcode = 'P0001';
end
$$;

-- Raises an alarm for messages to people who were on the client's blocklist by their address, their domain, or a parent
-- domain.
create function private.raise_do_not_contact_alarm(
  _client public.clients, _source public.campaign_sources, _new private.received_event[]
) returns void language plpgsql security definer set search_path = '' as $$
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
    _text := 'The campaign “' || _campaign || '” wrote to ' || _found.entry_hint || ', which is on the blocklist, on '
      || to_char(_found.latest at time zone _client.time_zone, 'FMDD FMMonth YYYY') || '.';
    if private.raise_alarm(_client.id, 'do_not_contact', _source.campaign_id || ' ' || _found.id, _text, _found.times) then
      perform private.mail_team_about_alarm(_client.id, _text);
    end if;
  end loop;
end
$$;

-- Raises an alarm for each person who got a message but was on no approved list of the campaign at that time, or whose
-- row the client had removed. The text is about the person's latest message of the call. Mails at most one alarm per
-- call.
create function private.raise_list_alarm(_source public.campaign_sources, _new private.received_event[]) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _campaign constant text := (
    select name from public.campaigns where client_id = _source.client_id and id = _source.campaign_id
  );
  _found record;
  _text text;
  _mailed text;
  _others integer := -1;
begin
  for _found in select * from private.unlisted_recipients(_source, _new) order by person_hash loop
    _text := 'The campaign “' || _campaign || '” wrote to ' || _found.hint || case
      when _found.line is null then ', who is not on its approved lists: ' || _found.lists
      else '. The client removed this person (line ' || _found.line || ') from ' || _found.label
    end || '.';
    if private.raise_alarm(
      _source.client_id, 'not_listed', _source.campaign_id || ' ' || _found.person_hash, _text, _found.times
    ) then
      _mailed := coalesce(_mailed, _text);
      _others := _others + 1;
    end if;
  end loop;
  if _mailed is not null then
    perform private.mail_team_about_alarm(
      _source.client_id, _mailed || case when _others > 0 then ' Other people concerned: ' || _others || '.' else '' end
    );
  end if;
end
$$;

-- Lists the versions of lists that a campaign contacts or contacted, each with its period and the decision in words.
-- `number` is null before the first approval. The clocks of providers differ, so a list counts from ten minutes before
-- it was added.
create function private.lists_of_campaign(_client_id uuid, _campaign_id uuid) returns table (
  approval_id uuid, number integer, decided_at timestamptz, starts_at timestamptz, ends_at timestamptz, label text
) language sql stable security definer set search_path = '' as $$
  select used.approval_id, approved.number, approved.decided_at, period.starts_at, period.ends_at, case
      when approved.number is null then '“' || approval.title || '”, not approved yet'
      else 'version ' || approved.number || ' of “' || approval.title || '”, approved by ' || approved.decided_by
        || ' on ' || to_char(approved.decided_at at time zone clients.time_zone, 'FMDD FMMonth YYYY')
    end
  from public.campaign_lists as used
    join public.clients on clients.id = used.client_id
    join public.approvals as approval on approval.client_id = used.client_id and approval.id = used.approval_id
    cross join lateral private.approved_versions(used.client_id, used.approval_id) as approved
    cross join lateral (
      select greatest(used.created_at - interval '10 minutes', approved.starts_at), coalesce(least(used.replaced_at, approved.ends_at), 'infinity')
    ) as period (starts_at, ends_at)
  where used.client_id = _client_id and used.campaign_id = _campaign_id and period.starts_at < period.ends_at
$$;

-- Lists recipients of messages who were on no approved list of the campaign when the message was sent, or whose row the
-- client had removed. `line` and `label` are null for recipients on no list. `lists` are the lists at that time.
-- Messages from a time without lists are not compared. A row with an address covers that address, a row without one its
-- domain and subdomains. A match by address takes precedence over a match by domain, and the latest decision over
-- earlier ones.
create function private.unlisted_recipients(_source public.campaign_sources, _new private.received_event[]) returns table (
  person_hash text, hint text, times integer, line integer, label text, lists text
) language sql stable security definer set search_path = '' as $$
  with list as materialized (
    select * from private.lists_of_campaign(_source.client_id, _source.campaign_id)
  ), message as materialized (
    select event_key, person_hash, recipient, happened_at, (
      select string_agg(list.label, '; ' order by list.label) from list
      where event.happened_at >= list.starts_at and event.happened_at < list.ends_at
    ) as lists
    from unnest(_new) as event
    where metric = 'sent' and state in ('counted', 'ignored') and recipient like '%@%'
  )
  select distinct on (message.person_hash) message.person_hash,
    left(recipient, 1) || '***@' || left(split_part(recipient, '@', 2), 250),
    count(*) over (partition by message.person_hash)::integer, found.line, found.label, message.lists
  from message left join lateral (
    select item.line, list.label, exists (
      select from public.approval_vetoes as veto
      where veto.client_id = item.client_id and veto.approval_id = item.approval_id and veto.number = item.number
        and veto.line = item.line
      -- offset 0 stops the planner from hashing the removals of all clients.
      offset 0
    ) as is_removed
    from (
      (
        -- offset 0 stops the planner from adding other conditions, so that the index on fingerprint is used.
        select client_id, approval_id, number, line, null::integer as domain_length from public.approval_rows
        where fingerprint = message.person_hash offset 0
      )
      union all
      select company.* from (select string_to_array(regexp_replace(recipient, '^.*@', ''), '.')) as parts (labels)
        cross join lateral generate_subscripts(labels, 1) as n
        cross join lateral (select array_to_string(labels[n:], '.')) as spelled (value)
        cross join lateral (
          select client_id, approval_id, number, line, length(domain) from public.approval_rows
          where domain = spelled.value and fingerprint is null offset 0
        ) as company
    ) as item
      join list on list.approval_id = item.approval_id and list.number = item.number
        and message.happened_at >= list.starts_at and message.happened_at < list.ends_at
    where item.client_id = _source.client_id
    order by item.domain_length is null desc, list.decided_at desc, item.domain_length desc, is_removed
    limit 1
  ) as found on true
  where message.lists is not null and (found.line is null or found.is_removed)
  order by message.person_hash, message.happened_at desc, message.event_key
$$;

-- Raises an alarm for new messages that match no approved text. The function campaign-events compares them. `deviation`
-- of an event: {"subject", "text"}.
create function private.raise_deviation_alarm(
  _source public.campaign_sources, _new private.received_event[], _events jsonb
) returns void language plpgsql security definer set search_path = '' as $$
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
        where fresh.event_key = given.key and fresh.state in ('counted', 'ignored')
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
$$;

create trigger reject_undo_of_events before update on public.import_batches
  for each row when (old.source_id is not null and new.undone_at is not null)
  execute function private.reject_undo_of_events();

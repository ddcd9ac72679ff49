-- Holds what goes out against what the client approved. Those who work for the client name which approved texts a campaign sends,
-- and at which step; the function campaign-events compares, and a message that is none of them is an alarm.

create table public.campaign_texts (
  client_id uuid not null,
  campaign_id uuid not null,
  approval_id uuid not null,
  -- Null for any step.
  step integer check (step between 1 and 100),
  added_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  primary key (client_id, campaign_id, approval_id),
  foreign key (client_id, campaign_id) references public.campaigns (client_id, id) on delete cascade,
  foreign key (client_id, approval_id) references public.approvals (client_id, id) on delete cascade
);
create index campaign_texts_approval_idx on public.campaign_texts (client_id, approval_id);
create index campaign_texts_added_by_idx on public.campaign_texts (added_by);

revoke all on table public.campaign_texts from anon, authenticated;
grant select on table public.campaign_texts to authenticated;
grant all on table public.campaign_texts to service_role;
alter table public.campaign_texts enable row level security;

create policy "Admins read all texts of campaigns" on public.campaign_texts
  for select to authenticated using ((select private.is_admin()));
create policy "Team members read the texts of their clients' campaigns" on public.campaign_texts
  for select to authenticated using (client_id in (select private.clients_of_team_member()));

-- Says that a campaign sends a text, at a step or at any, or with _is_sent false that it does not.
create function public.set_campaign_text(
  _client_id uuid, _campaign_id uuid, _approval_id uuid, _is_sent boolean, _step integer default null
) returns void
language plpgsql security definer set search_path = ''
as $$
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
$$;
revoke all on function public.set_campaign_text(uuid, uuid, uuid, boolean, integer) from public, anon, authenticated;
grant execute on function public.set_campaign_text(uuid, uuid, uuid, boolean, integer) to authenticated, service_role;

-- Lists the two hundred latest texts of a client, first those that the campaign sends, and whether the client said yes to any
-- version.
create function public.list_campaign_texts(_client_id uuid, _campaign_id uuid)
returns table (id uuid, title text, is_approved boolean, is_sent boolean, step integer)
language plpgsql stable security definer set search_path = ''
as $$
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
$$;
revoke all on function public.list_campaign_texts(uuid, uuid) from public, anon, authenticated;
grant execute on function public.list_campaign_texts(uuid, uuid) to authenticated, service_role;

-- Tells what the function campaign-events needs before it reads events: null for no source, else {"provider", "is_allowed", "texts"}.
-- The texts are those that the campaign sends, each as the client last said yes to it: {"title", "step", "number", "text"}, the
-- latter two null before the first yes.
create function public.open_campaign_source(_token_hash text, _secret_hash text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('provider', (opened.source).provider, 'is_allowed', opened.is_allowed, 'texts', coalesce((
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
revoke all on function public.open_campaign_source(text, text) from public, anon, authenticated;
grant execute on function public.open_campaign_source(text, text) to service_role;

-- Raises an alarm for what is new and none of the approved texts, as the function campaign-events found: the field "deviation" of
-- an event, {"subject", "text"}.
create function private.tell_of_deviations(
  _source public.campaign_sources, _new private.taken_event[], _events jsonb
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  _campaign constant text := (
    select name from public.campaigns where client_id = _source.client_id and id = _source.campaign_id
  );
  _found record;
begin
  for _found in
    select deviation ->> 'subject' as subject, min(deviation ->> 'text') as text, count(*)::integer as times from (
      select distinct on (key) deviation from jsonb_to_recordset(_events) as given (key text, deviation jsonb)
      where jsonb_typeof(deviation) = 'object' and exists (
        select from unnest(_new) as fresh
        where fresh.event_key = given.key and fresh.metric = 'sent' and fresh.state in ('counted', 'noted')
      )
      order by key
    ) as found
    group by 1 order by 1
  loop
    perform private.raise_alarm(
      _source.client_id, 'not_approved', _source.campaign_id || ' ' || _found.subject,
      'The campaign “' || _campaign || '”: ' || _found.text, _found.times
    );
  end loop;
end
$$;
revoke all on function private.tell_of_deviations(public.campaign_sources, private.taken_event[], jsonb) from public;

-- Takes events of a source as the function campaign-events reads them, and counts those that are new: [{"key", "kind", "metric",
-- "is_known", "at", "campaign", "step", "recipient", "raw", "deviation"}]. Returns how many are new; null when the address or the secret
-- does not hold any more.
create function public.take_campaign_events(_token_hash text, _secret_hash text, _events jsonb) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  _opened record;
  _source public.campaign_sources;
  _client public.clients;
  _new private.taken_event[];
begin
  select * into _opened from private.open_source(_token_hash, _secret_hash);
  if not _opened.is_allowed then
    return null;
  end if;
  _source := _opened.source;
  select * into _client from public.clients where id = _source.client_id for no key update;
  with given as (
    select distinct on (key) key, kind, metric, is_known, coalesce(at, now()) as happened_at, campaign, step,
      lower(trim(recipient)) as recipient, raw
    from jsonb_to_recordset(_events) as given (
      key text, kind text, metric text, is_known boolean, at timestamptz, campaign text, step integer, recipient text, raw jsonb
    )
    order by key
  ), placed as (
    select *, (happened_at at time zone _client.time_zone)::date as day from given
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
      nullif(recipient, ''), raw
    from placed
    on conflict do nothing
    returning event_key, metric, state, day, happened_at, step, person_hash, recipient
  )
  select array_agg((event_key, metric, state, day, happened_at, step, person_hash, recipient)::private.taken_event) into _new
  from taken where true;
  perform private.count_events(_source, _new);
  perform private.tell_of_left_alone(_client, _source, array(
    select event from unnest(_new) as event where event.metric = 'sent' and event.state in ('counted', 'noted')
  ));
  perform private.tell_of_deviations(_source, _new, _events);
  return coalesce(array_length(_new, 1), 0);
end
$$;
revoke all on function public.take_campaign_events(text, text, jsonb) from public, anon, authenticated;
grant execute on function public.take_campaign_events(text, text, jsonb) to service_role;

insert into private.personal_data (table_name, ids, section, given, sorted_by, on_deletion) values
  ('campaign_texts', '{added_by}', 'texts_of_campaigns', '{"at": "created_at", "client": "client_id"}', 'created_at', 'follow');

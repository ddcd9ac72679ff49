-- Sources of events: addresses at which a provider of campaigns tells what was sent, answered and booked. What comes is kept
-- as it came for thirty days, and counted by day into the figures of the campaign, as the only import of its source. Those who
-- work for the client read and make sources; events come by take_campaign_events() alone. Members read the events that are
-- behind their figures by events_behind(), without what was written.

create table public.campaign_sources (
  client_id uuid not null,
  id uuid not null default gen_random_uuid(),
  campaign_id uuid not null,
  provider text not null check (provider in ('smartlead', 'instantly', 'lemlist', 'json')),
  -- The campaign's name for the provider. Events of another one are listed and not counted; '' takes all.
  external_id text not null default '' check (length(external_id) <= 200 and external_id !~ '[[:cntrl:]]'),
  -- SHA-256 of what is unguessable in the address, and of the secret that the provider sends along, if it does.
  token_hash text not null unique check (token_hash ~ '^[0-9a-f]{64}$'),
  secret_hash text check (secret_hash ~ '^[0-9a-f]{64}$'),
  metrics text[] not null check (
    metrics <> '{}' and metrics <@ '{sent,delivered,bounced,replies,positive_replies,meetings}'::text[]
  ),
  -- These metrics are counted from events, and not from imports, from this day on until the last one; null for no end.
  counts_from date not null,
  ends_on date,
  added_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  primary key (client_id, id),
  foreign key (client_id, campaign_id) references public.campaigns (client_id, id) on delete cascade
);
create unique index campaign_sources_one_idx on public.campaign_sources (client_id, campaign_id) where ends_on is null;
create index campaign_sources_campaign_idx on public.campaign_sources (client_id, campaign_id);
create index campaign_sources_added_by_idx on public.campaign_sources (added_by);

-- The import that the figures of a source name, so that they are added up and opened like all others.
alter table public.import_batches
  add column source_id uuid,
  add foreign key (client_id, source_id) references public.campaign_sources (client_id, id) on delete cascade;
create unique index import_batches_of_source_idx on public.import_batches (client_id, source_id) where source_id is not null;

create function private.keep_figures_of_events() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  raise exception 'Figures of events cannot be undone. End the source instead.' using errcode = 'P0001';
end
$$;
revoke all on function private.keep_figures_of_events() from public;
create trigger keep_figures_of_events before update on public.import_batches
  for each row when (old.source_id is not null and new.undone_at is not null)
  execute function private.keep_figures_of_events();

create table public.inbound_events (
  client_id uuid not null,
  source_id uuid not null,
  -- The provider's id of it, or the hash of what makes it one: what, to whom, which step, when.
  event_key text not null check (length(event_key) between 1 and 200),
  -- As the provider calls it.
  kind text not null check (length(kind) <= 100),
  metric text check (metric in ('sent', 'delivered', 'bounced', 'replies', 'positive_replies', 'meetings')),
  -- Noted is known and counted nowhere, such as an opened mail, or one from before the source counts.
  state text not null check (state in ('counted', 'noted', 'unknown', 'elsewhere', 'untimely')),
  -- In the client's time zone.
  day date not null,
  happened_at timestamptz not null,
  step integer check (step between 1 and 1000),
  -- Hash and hint as in the list of whom to leave alone.
  person_hash text check (person_hash ~ '^[0-9a-f]{64}$'),
  hint text not null default '' check (length(hint) <= 260),
  -- The address, and all of the event as it came; both for thirty days.
  recipient text check (length(recipient) <= 320),
  raw jsonb check (length(raw::text) <= 400000),
  received_at timestamptz not null default now(),
  primary key (client_id, source_id, event_key),
  foreign key (client_id, source_id) references public.campaign_sources (client_id, id) on delete cascade
);
create index inbound_events_behind_idx on public.inbound_events (client_id, source_id, metric, day) where state = 'counted';
-- Which messages came back.
create index inbound_events_person_idx on public.inbound_events (client_id, source_id, person_hash, metric)
  where metric in ('sent', 'bounced');
create index inbound_events_latest_idx on public.inbound_events (client_id, source_id, received_at);
create index inbound_events_not_counted_idx on public.inbound_events (client_id, source_id, state, kind)
  where state in ('unknown', 'elsewhere', 'untimely');
create index inbound_events_raw_idx on public.inbound_events (received_at) where raw is not null;
create index inbound_events_recipient_idx on public.inbound_events (lower(recipient)) where recipient is not null;

-- Figures that an import had for days which events count. They are compared, and never added up.
create table public.source_totals (
  client_id uuid not null,
  source_id uuid not null,
  metric text not null,
  first_day date not null,
  last_day date not null check (last_day in (first_day, first_day + 6)),
  value bigint not null check (value between 0 and 1000000000000),
  file_name text not null check (length(file_name) between 1 and 255 and file_name !~ '[[:cntrl:]]'),
  added_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  primary key (client_id, source_id, metric, first_day, last_day),
  foreign key (client_id, source_id) references public.campaign_sources (client_id, id) on delete cascade
);
create index source_totals_added_by_idx on public.source_totals (added_by);

revoke all on table public.campaign_sources, public.inbound_events, public.source_totals from anon, authenticated;
grant select (client_id, id, campaign_id, provider, external_id, metrics, counts_from, ends_on, added_by, created_at)
  on table public.campaign_sources to authenticated;
grant select (client_id, source_id, event_key, kind, metric, state, day, happened_at, step, hint, recipient, raw, received_at)
  on table public.inbound_events to authenticated;
grant select on table public.source_totals to authenticated;
grant all on table public.campaign_sources, public.inbound_events, public.source_totals to service_role;
alter table public.campaign_sources enable row level security;
alter table public.inbound_events enable row level security;
alter table public.source_totals enable row level security;

create policy "Admins read all sources" on public.campaign_sources
  for select to authenticated using ((select private.is_admin()));
create policy "Team members read the sources of their clients" on public.campaign_sources
  for select to authenticated using (client_id in (select private.clients_of_team_member()));
create policy "Admins read all events" on public.inbound_events
  for select to authenticated using ((select private.is_admin()));
create policy "Team members read the events of their clients" on public.inbound_events
  for select to authenticated using (client_id in (select private.clients_of_team_member()));
create policy "Admins read all totals to compare with" on public.source_totals
  for select to authenticated using ((select private.is_admin()));
create policy "Team members read the totals of their clients" on public.source_totals
  for select to authenticated using (client_id in (select private.clients_of_team_member()));

-- Makes the address of a source, and keeps its hash. @returns what is unguessable in it, this once
create function private.new_source_token(out token text, out hash text)
language sql volatile set search_path = ''
as $$
  select made, encode(sha256(convert_to(made, 'UTF8')), 'hex')
  from (select replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')) as tokens (made)
$$;
revoke all on function private.new_source_token() from public;

create function private.hash_of_secret(_secret text) returns text
language sql immutable set search_path = ''
as $$ select encode(sha256(convert_to(nullif(trim(_secret), ''), 'UTF8')), 'hex') $$;
revoke all on function private.hash_of_secret(text) from public;

-- Adds a source to a campaign that has none. It counts from today on, or from the first day that no figure of the campaign
-- fills. Returns what goes into its address, which is told this once.
create function public.add_campaign_source(
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
revoke all on function public.add_campaign_source(uuid, uuid, text, text[], text, text) from public, anon, authenticated;
grant execute on function public.add_campaign_source(uuid, uuid, text, text[], text, text) to authenticated, service_role;

-- Gives a source another address, after which nothing is taken at the one before, and another secret, or none. Returns what
-- goes into the address.
create function public.rotate_campaign_source(_client_id uuid, _id uuid, _secret text default '') returns text
language plpgsql security definer set search_path = ''
as $$
declare
  _token text;
  _hash text;
begin
  perform private.lock_client_of_worker(_client_id);
  select * into _token, _hash from private.new_source_token();
  update public.campaign_sources set token_hash = _hash, secret_hash = private.hash_of_secret(_secret)
  where client_id = _client_id and id = _id and ends_on is null;
  if not found then
    raise exception 'This source has ended.' using errcode = 'P0001';
  end if;
  return _token;
end
$$;
revoke all on function public.rotate_campaign_source(uuid, uuid, text) from public, anon, authenticated;
grant execute on function public.rotate_campaign_source(uuid, uuid, text) to authenticated, service_role;

-- Ends a source: nothing is taken from now on, and imports count again from tomorrow. What it counted stays.
create function public.end_campaign_source(_client_id uuid, _id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  _client constant public.clients := private.lock_client_of_worker(_client_id);
begin
  update public.campaign_sources set ends_on = (now() at time zone _client.time_zone)::date
  where client_id = _client_id and id = _id and ends_on is null;
end
$$;
revoke all on function public.end_campaign_source(uuid, uuid) from public, anon, authenticated;
grant execute on function public.end_campaign_source(uuid, uuid) to authenticated, service_role;

-- Lists the sources of a client, those that have ended last, each with its latest event and, by kind, with what it could not
-- count: {"kind", "state", "count", "latest"}.
create function public.list_campaign_sources(_client_id uuid) returns table (
  id uuid, campaign_id uuid, campaign text, provider text, external_id text, has_secret boolean, metrics text[],
  counts_from date, ends_on date, created_at timestamptz, latest_at timestamptz, not_counted jsonb
)
language plpgsql stable security definer set search_path = ''
as $$
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
$$;
revoke all on function public.list_campaign_sources(uuid) from public, anon, authenticated;
grant execute on function public.list_campaign_sources(uuid) to authenticated, service_role;

-- Empties what is kept of events for thirty days, of as many as it is told, and returns of how many.
create function private.empty_old_events(_at_most integer default null) returns integer
language plpgsql security definer set search_path = ''
as $$
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
$$;
revoke all on function private.empty_old_events(integer) from public;

insert into private.personal_data (table_name, ids, section, given, sorted_by, on_deletion) values
  ('campaign_sources', '{added_by}', 'sources_of_events', '{"at": "created_at", "client": "client_id", "provider": "provider"}',
    'created_at', 'follow'),
  ('source_totals', '{added_by}', 'totals_of_sources', '{"at": "created_at", "client": "client_id", "file": "file_name"}',
    'created_at', 'follow');
-- Whom campaigns wrote to, as long as the address is kept.
insert into private.personal_data (table_name, addresses, needs_proof, section, given, sorted_by, on_deletion, emptied) values
  ('inbound_events', '{recipient}', true, 'campaign_messages', '{"at": "happened_at", "kind": "kind"}', 'happened_at',
    'empty', '{recipient,raw}');

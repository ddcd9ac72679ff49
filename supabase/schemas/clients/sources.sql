-- Sources of events: webhook URLs for a campaign provider. The provider reports sent and answered messages, and booked
-- meetings. Original events are kept for thirty days and counted by day in the campaign's figures. The client's team
-- manages sources. Only store_campaign_events() stores events. Members list the events of their figures with
-- figure_events(), without message texts.
create table public.campaign_sources (
  client_id uuid not null,
  id uuid not null default gen_random_uuid(),
  campaign_id uuid not null,
  provider text not null check (provider in ('smartlead', 'instantly', 'lemlist', 'json')),
  -- The provider's name for the campaign. Events of other campaigns are listed but not counted. '' accepts all
  -- campaigns.
  external_id text not null default '' check (length(external_id) <= 200 and external_id !~ '[[:cntrl:]]'),
  -- SHA-256 of the secret part of the URL, and of the secret that the provider sends, if any.
  token_hash text not null unique check (token_hash ~ '^[0-9a-f]{64}$'),
  secret_hash text check (secret_hash ~ '^[0-9a-f]{64}$'),
  -- require_event_metrics() checks the elements.
  metrics text[] not null check (metrics <> '{}'),
  -- First and last day on which events are counted instead of imports. `ends_on` is null while the source is in use.
  counts_from date not null
    constraint campaign_sources_counts_from_calendar check (counts_from between '1900-01-01' and '2999-12-31'),
  ends_on date constraint campaign_sources_ends_on_calendar check (ends_on between '1900-01-01' and '2999-12-31'),
  added_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
    constraint campaign_sources_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  signing_secret text check (length(signing_secret) <= 500),
  stored_on date constraint campaign_sources_stored_on_calendar check (stored_on between '1900-01-01' and '2999-12-31'),
  stored_bytes bigint not null default 0 check (stored_bytes >= 0),
  primary key (client_id, id),
  foreign key (client_id, campaign_id) references public.campaigns (client_id, id) on delete cascade
);
create unique index campaign_sources_one_idx on public.campaign_sources (client_id, campaign_id) where ends_on is null;
create index campaign_sources_campaign_idx on public.campaign_sources (client_id, campaign_id);
create index campaign_sources_added_by_idx on public.campaign_sources (added_by);
grant all on public.campaign_sources to service_role;
grant
  select (client_id, id, campaign_id, provider, external_id, metrics, counts_from, ends_on, added_by, created_at)
  on public.campaign_sources to authenticated;
alter table public.campaign_sources enable row level security;

alter table public.import_batches
  add foreign key (client_id, source_id) references public.campaign_sources (client_id, id) on delete cascade;

-- Postgres has no foreign keys on the elements of an array.
create function private.require_event_metrics() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _unknown constant text := (
    select string_agg(coalesce(given, 'null'), ', ') from unnest(new.metrics) as given
    where given is null or given not in (select name from private.metrics where is_event)
  );
begin
  if _unknown is not null then
    raise exception 'Events cannot count %', _unknown using errcode = '23514';
  end if;
  return new;
end
$$;
create trigger require_event_metrics before insert or update of metrics on public.campaign_sources
  for each row execute function private.require_event_metrics();

create policy "Admins read all sources" on public.campaign_sources for select to authenticated
  using ((select private.is_admin()));
create policy "Team members read the sources of their clients" on public.campaign_sources for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

-- Texts that a campaign sends, by step. The function campaign-events compares messages with the texts that were
-- approved and in use when they were sent. A message without a matching text raises an alarm.
create table public.campaign_texts (
  client_id uuid not null,
  campaign_id uuid not null,
  approval_id uuid not null,
  -- Null for any step.
  step integer check (step between 1 and 100),
  added_by uuid references auth.users (id) on delete set null,
  -- Later than the start of the transaction, because a transaction can end a row and add the next one.
  created_at timestamptz not null default clock_timestamp()
    constraint campaign_texts_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  -- End of the use. Ended rows are kept, because events can arrive late.
  replaced_at timestamptz
    constraint campaign_texts_replaced_at_calendar check (replaced_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, campaign_id, approval_id, created_at),
  foreign key (client_id, campaign_id) references public.campaigns (client_id, id) on delete cascade,
  foreign key (client_id, approval_id) references public.approvals (client_id, id) on delete cascade
);
create unique index campaign_texts_current_idx on public.campaign_texts (client_id, campaign_id, approval_id) where replaced_at is null;
create index campaign_texts_approval_idx on public.campaign_texts (client_id, approval_id);
create index campaign_texts_added_by_idx on public.campaign_texts (added_by);
grant select on public.campaign_texts to authenticated;
grant all on public.campaign_texts to service_role;
alter table public.campaign_texts enable row level security;
create policy "Admins read all campaign texts" on public.campaign_texts for select to authenticated
  using ((select private.is_admin()));
create policy "Team members read the texts of their clients' campaigns" on public.campaign_texts for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

-- Approved lists of the people that a campaign may contact. A message to another person raises an alarm.
create table public.campaign_lists (
  client_id uuid not null,
  campaign_id uuid not null,
  approval_id uuid not null,
  added_by uuid references auth.users (id) on delete set null,
  -- Later than the start of the transaction, because a transaction can end a row and add the next one.
  created_at timestamptz not null default clock_timestamp()
    constraint campaign_lists_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  -- End of the use. Ended rows are kept, because events can arrive late.
  replaced_at timestamptz
    constraint campaign_lists_replaced_at_calendar check (replaced_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, campaign_id, approval_id, created_at),
  foreign key (client_id, campaign_id) references public.campaigns (client_id, id) on delete cascade,
  foreign key (client_id, approval_id) references public.approvals (client_id, id) on delete cascade
);
create unique index campaign_lists_current_idx on public.campaign_lists (client_id, campaign_id, approval_id) where replaced_at is null;
create index campaign_lists_approval_idx on public.campaign_lists (client_id, approval_id);
create index campaign_lists_added_by_idx on public.campaign_lists (added_by);
grant select on public.campaign_lists to authenticated;
grant all on public.campaign_lists to service_role;
alter table public.campaign_lists enable row level security;
create policy "Admins read all campaign lists" on public.campaign_lists for select to authenticated
  using ((select private.is_admin()));
create policy "Team members read the lists of their clients' campaigns" on public.campaign_lists for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

-- Imported figures for days that events count. They are compared, never added.
create table public.source_totals (
  client_id uuid not null,
  source_id uuid not null,
  metric text not null references private.metrics (name),
  first_day date not null constraint source_totals_first_day_calendar check (first_day between '1900-01-01' and '2999-12-31'),
  last_day date not null constraint source_totals_last_day_calendar check (last_day between '1900-01-01' and '2999-12-31'),
  value bigint not null check (value between 0 and 1000000000000),
  file_name text not null check (length(file_name) between 1 and 255 and file_name !~ '[[:cntrl:]]'),
  added_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
    constraint source_totals_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, source_id, metric, first_day, last_day),
  foreign key (client_id, source_id) references public.campaign_sources (client_id, id) on delete cascade,
  check (last_day in (first_day, first_day + 6))
);
create index source_totals_added_by_idx on public.source_totals (added_by);
grant select on public.source_totals to authenticated;
grant all on public.source_totals to service_role;
alter table public.source_totals enable row level security;
create policy "Admins read all imported totals" on public.source_totals for select to authenticated
  using ((select private.is_admin()));
create policy "Team members read the totals of their clients" on public.source_totals for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

-- Adds a source to a campaign without one. It counts from today, or from the first day without figures. Returns the
-- secret part of its URL, once.
create function public.add_campaign_source(
  _client_id uuid, _campaign_id uuid, _provider text, _metrics text[], _external_id text default '', _secret text default ''
) returns text language plpgsql security definer set search_path = '' as $$
declare
  _client constant public.clients := private.lock_assigned_client(_client_id);
  _token text;
  _hash text;
  _id uuid;
begin
  if not exists (select from public.campaigns where client_id = _client_id and id = _campaign_id) then
    raise exception 'This campaign no longer exists.' using errcode = 'P0001';
  elsif private.is_deleted_campaign(_client_id, _campaign_id) then
    raise exception 'This campaign was deleted. Restore it first.' using errcode = 'P0001';
  elsif exists (
    select from public.campaign_sources where client_id = _client_id and campaign_id = _campaign_id and ends_on is null
  ) then
    raise exception 'This campaign already has a source. Disconnect it first.' using errcode = 'P0001';
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
$$;
grant execute on function public.add_campaign_source to authenticated, service_role;

-- Ends a source. It accepts no more events, and imports count again from tomorrow. Its figures stay.
create function public.end_campaign_source(_client_id uuid, _id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _client constant public.clients := private.lock_assigned_client(_client_id);
begin
  update public.campaign_sources set ends_on = (now() at time zone _client.time_zone)::date
  where client_id = _client_id and id = _id and ends_on is null;
end
$$;
grant execute on function public.end_campaign_source to authenticated, service_role;

-- Returns the data that the function campaign-events needs to parse events: {"provider", "is_allowed", "is_deleted",
-- "texts"}, or null for an unknown source. Texts are the versions that the campaign could or can send, each with its
-- time: {"id", "title", "step", "number", "text", "starts_at", "ends_at"}. Number and text are null before the first
-- approval, and the end is null for a text in use. The clocks of providers differ, so a text counts from ten minutes
-- before it was added.
create function public.open_campaign_source(_token_hash text, _secret_hash text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('provider', (opened.source).provider, 'is_allowed', opened.is_allowed,
    'is_deleted', private.is_deleted_campaign((opened.source).client_id, (opened.source).campaign_id), 'texts', coalesce((
    select jsonb_agg(jsonb_build_object(
      'id', approvals.id, 'title', approvals.title, 'step', step, 'number', approved.number, 'text', version.text,
      'starts_at', period.starts_at, 'ends_at', period.ends_at
    ) order by step, sent.created_at, approved.number)
    from public.campaign_texts as sent
      join public.approvals on approvals.client_id = sent.client_id and approvals.id = sent.approval_id
      cross join lateral private.approved_versions(sent.client_id, sent.approval_id) as approved
      cross join lateral (
        select greatest(sent.created_at - interval '10 minutes', approved.starts_at), least(sent.replaced_at, approved.ends_at)
      ) as period (starts_at, ends_at)
      left join public.approval_versions as version on version.client_id = sent.client_id
        and version.approval_id = sent.approval_id and version.number = approved.number
    where period.starts_at < coalesce(period.ends_at, 'infinity') and opened.is_allowed and sent.client_id = (opened.source).client_id and sent.campaign_id = (opened.source).campaign_id
  ), '[]'))
  from private.find_active_source(_token_hash, _secret_hash) as opened
  where (opened.source).id is not null
$$;
grant execute on function public.open_campaign_source to service_role;

-- Replaces the URL of a source, and its secret. Returns the secret part of the URL.
create function public.rotate_campaign_source(_client_id uuid, _id uuid, _secret text default '') returns text
language plpgsql security definer set search_path = '' as $$
declare
  _token text;
  _hash text;
begin
  perform private.lock_assigned_client(_client_id);
  select * into _token, _hash from private.new_source_token();
  update public.campaign_sources set token_hash = _hash, secret_hash = private.hash_of_secret(_secret),
    signing_secret = case provider when 'smartlead' then nullif(trim(_secret), '') end
  where client_id = _client_id and id = _id and ends_on is null;
  if not found then
    raise exception 'This source has been disconnected.' using errcode = 'P0001';
  end if;
  return _token;
end
$$;
grant execute on function public.rotate_campaign_source to authenticated, service_role;

-- Lists a client's sources, ended ones last, with their latest event and the events that were not counted: {"kind",
-- "state", "count", "latest"}.
create function public.list_campaign_sources(_client_id uuid) returns table (
  id uuid, campaign_id uuid, campaign text, provider text, external_id text, has_secret boolean, metrics text[],
  counts_from date, ends_on date, created_at timestamptz, latest_at timestamptz, not_counted jsonb
) language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only admins and assigned team members can do this' using errcode = '42501';
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
            and event.state in ('unknown', 'other_campaign', 'in_future')
          group by event.kind, event.state order by max(event.received_at) desc limit 50
        ) as kinds (kind, state, count, latest)
      )
    from public.campaign_sources as source
      join public.campaigns on campaigns.client_id = _client_id and campaigns.id = source.campaign_id
    where source.client_id = _client_id
    order by source.ends_on is not null, source.created_at desc, source.id limit 200;
end
$$;
grant execute on function public.list_campaign_sources to authenticated, service_role;

-- Lists the latest two hundred lists of a client, those of the campaign first, with the number and size of the last
-- approved version. The number is null before the first approval.
create function public.list_campaign_lists(_client_id uuid, _campaign_id uuid) returns table (
  id uuid, title text, number integer, row_count integer, is_used boolean
) language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only admins and assigned team members can do this' using errcode = '42501';
  end if;
  return query
    select approval.id, approval.title, approved.number, (
        select count(*)::integer from public.approval_rows as item
        where item.client_id = _client_id and item.approval_id = approval.id and item.number = approved.number
      ) - (
        select count(*)::integer from public.approval_vetoes as veto
        where veto.client_id = _client_id and veto.approval_id = approval.id and veto.number = approved.number
      ), used.approval_id is not null
    from public.approvals as approval
      left join public.campaign_lists as used on used.client_id = _client_id and used.campaign_id = _campaign_id
        and used.approval_id = approval.id and used.replaced_at is null
      left join lateral (
        select max(decision.number) as number from public.approval_decisions as decision
        where decision.client_id = _client_id and decision.approval_id = approval.id and decision.verdict = 'yes'
      ) as approved on true
    where approval.client_id = _client_id and approval.kind = 'list'
    order by used.approval_id is null, approval.created_at desc, approval.id limit 200;
end
$$;
grant execute on function public.list_campaign_lists to authenticated, service_role;

-- Sets whether a campaign contacts the people of a list.
create function public.set_campaign_list(
  _client_id uuid, _campaign_id uuid, _approval_id uuid, _is_used boolean
) returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.lock_assigned_client(_client_id);
  if not _is_used then
    update public.campaign_lists set replaced_at = clock_timestamp()
    where client_id = _client_id and campaign_id = _campaign_id and approval_id = _approval_id and replaced_at is null;
  elsif exists (select from public.approvals where client_id = _client_id and id = _approval_id and kind = 'list') then
    insert into public.campaign_lists (client_id, campaign_id, approval_id, added_by)
    values (_client_id, _campaign_id, _approval_id, private.user_id())
    on conflict do nothing;
  else
    raise exception 'This list no longer exists.' using errcode = 'P0001';
  end if;
end
$$;
grant execute on function public.set_campaign_list to authenticated, service_role;

-- Lists the latest two hundred texts of a client, those of the campaign first, and whether any version was approved.
create function public.list_campaign_texts(_client_id uuid, _campaign_id uuid) returns table (
  id uuid, title text, is_approved boolean, is_sent boolean, step integer
) language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only admins and assigned team members can do this' using errcode = '42501';
  end if;
  return query
    select approval.id, approval.title, exists (
        select from public.approval_decisions as decision
        where decision.client_id = _client_id and decision.approval_id = approval.id and decision.verdict = 'yes'
      ), sent.approval_id is not null, sent.step
    from public.approvals as approval
      left join public.campaign_texts as sent on sent.client_id = _client_id and sent.campaign_id = _campaign_id
        and sent.approval_id = approval.id and sent.replaced_at is null
    where approval.client_id = _client_id and (approval.kind = 'text' or sent.approval_id is not null)
    order by sent.approval_id is null, sent.step nulls last, approval.created_at desc, approval.id limit 200;
end
$$;
grant execute on function public.list_campaign_texts to authenticated, service_role;

-- Sets whether a campaign sends a text, at a step or at any.
create function public.set_campaign_text(
  _client_id uuid, _campaign_id uuid, _approval_id uuid, _is_sent boolean, _step integer default null
) returns void language plpgsql security definer set search_path = '' as $$
declare
  _now timestamptz;
begin
  perform private.lock_assigned_client(_client_id);
  -- Read after the lock, so that the new row begins after the former one.
  _now := clock_timestamp();
  update public.campaign_texts set replaced_at = _now
  where client_id = _client_id and campaign_id = _campaign_id and approval_id = _approval_id and replaced_at is null
    and not (_is_sent and step is not distinct from _step);
  if _is_sent then
    insert into public.campaign_texts (client_id, campaign_id, approval_id, step, added_by, created_at)
    values (_client_id, _campaign_id, _approval_id, _step, private.user_id(), _now)
    on conflict (client_id, campaign_id, approval_id) where replaced_at is null do nothing;
  end if;
end
$$;
grant execute on function public.set_campaign_text to authenticated, service_role;

-- Returns the secret that signs a source's events. Null for an unknown source or a source without a secret.
create function public.signing_secret_of_source(_token_hash text) returns text
language sql stable security definer set search_path = '' as $$
  select signing_secret from public.campaign_sources where token_hash = _token_hash and ends_on is null
$$;
grant execute on function public.signing_secret_of_source to service_role;

create function private.hash_of_secret(_secret text) returns text
language sql immutable set search_path = '' as $$ select encode(sha256(convert_to(nullif(trim(_secret), ''), 'UTF8')), 'hex') $$;

-- Creates the secret part of a source's URL, and returns it with its hash.
create function private.new_source_token(out token text, out hash text) returns record language sql set search_path = '' as $$
  select made, encode(sha256(convert_to(made, 'UTF8')), 'hex')
  from (select replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')) as tokens (made)
$$;

-- Returns the source of a URL that accepts events. Hashes are salted before they are compared, so that the duration
-- does not reveal how much of a guess is right.
create function private.find_active_source(
  _token_hash text, _secret_hash text, out source public.campaign_sources, out is_allowed boolean
) returns record language plpgsql stable security definer set search_path = '' as $$
declare
  _salt constant text := gen_random_uuid()::text;
begin
  select * into source from public.campaign_sources where token_hash = _token_hash and ends_on is null;
  is_allowed := source.id is not null and (source.secret_hash is null
    or sha256(convert_to(_salt || source.secret_hash, 'UTF8')) = sha256(convert_to(_salt || coalesce(_secret_hash, ''), 'UTF8')))
    and not private.is_deleted_campaign(source.client_id, source.campaign_id);
end
$$;

create function private.raise_full_source_alarm(_source public.campaign_sources, _times integer) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _text constant text := 'The source of the campaign “' || (
    select name from public.campaigns where client_id = _source.client_id and id = _source.campaign_id
  ) || '” has sent more events today than can be stored. Further events are not counted until tomorrow (UTC). Providers send'
    || ' them again. Rotate the address of the source if they are not yours.';
begin
  if private.raise_alarm(_source.client_id, 'incomplete', _source.campaign_id || ' full', _text, _times) then
    perform private.mail_team_about_alarm(_source.client_id, _text);
  end if;
end
$$;

-- Compares imported figures with counted events, for periods that have ended. A difference raises an alarm until both
-- figures agree. A settled alarm is not reopened while the figures stay the same. Returns the number of differences.
create function private.compare_source_totals() returns integer language plpgsql security definer set search_path = '' as $$
declare
  _differ integer;
begin
  with compared as materialized (
    select total.client_id, concat_ws(' ', total.source_id, total.metric, total.first_day, total.last_day) as subject,
      total.value as imported, coalesce(sum(figure.value), 0) as counted, format(
        'Campaign “%s”: events count %s as %s for %s, but %s has %s.', campaigns.name, coalesce(sum(figure.value), 0),
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
  ), raised as (
    insert into public.client_alarms as former (client_id, kind, subject, text)
    select client_id, 'difference', subject, text from compared where imported <> counted
    on conflict (client_id, kind, subject) do update set
      text = excluded.text, latest_at = now(), resolved_at = null, resolved_by = null
    where former.text <> excluded.text
  )
  select count(*) into _differ from compared where imported <> counted;
  return _differ;
end
$$;

-- Stores imported figures of periods that events count completely. The latest import wins.
create function private.store_source_totals(_client_id uuid, _file_name text, _validated private.validated_figure[])
returns void language sql security definer set search_path = '' as $$
  insert into public.source_totals as former (client_id, source_id, metric, first_day, last_day, value, file_name, added_by)
  select _client_id, source.id, metric, first_day, last_day, value, _file_name, private.user_id()
  from unnest(_validated) join public.campaign_sources as source on source.client_id = _client_id
    and source.campaign_id = unnest.campaign_id and metric = any (source.metrics)
    and first_day >= counts_from and last_day <= coalesce(ends_on, 'infinity')
  where reason like 'Events count this.%'
  on conflict (client_id, source_id, metric, first_day, last_day) do update set
    value = excluded.value, file_name = excluded.file_name, added_by = excluded.added_by, created_at = now()
  where former.value <> excluded.value
$$;

revoke select on table public.approval_decisions from authenticated;

drop trigger copy_client_file_hash on public.approval_decisions;

drop function public.ask_for_list_approval(_client_id uuid, _title text, _text text, _rows jsonb, _is_trial boolean, _due_on date, _approval_id uuid);

drop function private.read_list_rows(_client_id uuid, _approval_id uuid, _rows jsonb);

drop function private.copy_client_file_hash();

drop function private.add_approval_version(_client_id uuid, _kind text, _title text, _text text, _due_on date, _approval_id uuid, _file_id uuid);

create table public.campaign_lists (
  client_id uuid not null,
  campaign_id uuid not null,
  approval_id uuid not null,
  added_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
    constraint campaign_lists_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, campaign_id, approval_id),
  foreign key (client_id, campaign_id) references public.campaigns (client_id, id) on delete cascade,
  foreign key (client_id, approval_id) references public.approvals (client_id, id) on delete cascade
);
revoke all on table public.campaign_lists from anon, authenticated, service_role;

create table public.client_leads (
  client_id uuid not null references public.clients (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  -- Null if the team does not know it. A campaign in the trash keeps its leads until it is deleted for good.
  campaign_id uuid,
  -- Address in lower case, or the provider's name of the person on other channels. '' if unknown.
  email text not null default '' check (length(email) <= 320 and email = lower(email) and email !~ '[[:cntrl:]]'),
  name text not null default '' check (length(name) <= 200 and name !~ '[[:cntrl:]]'),
  company text not null default '' check (length(company) <= 200 and company !~ '[[:cntrl:]]'),
  title text not null default '' check (length(title) <= 200 and title !~ '[[:cntrl:]]'),
  -- The beginning of their reply.
  words text not null default '' check (length(words) <= 4000),
  step integer check (step between 1 and 1000),
  -- The approved text of the last message before the reply.
  approval_id uuid,
  received_at timestamptz not null
    constraint client_leads_received_at_calendar check (received_at between '1900-01-01' and '2999-12-31'),
  -- 'reply': added by an event of a source; 'person': added by a team member.
  origin text not null check (origin in ('reply', 'person')),
  added_by uuid references auth.users (id) on delete set null,
  status text not null default 'new' check (status in ('new', 'taken', 'meeting', 'won', 'not_fit', 'lost')),
  reason text not null default '' check (length(reason) <= 2000),
  taken_by uuid references auth.users (id) on delete set null,
  taken_at timestamptz constraint client_leads_taken_at_calendar check (taken_at between '1900-01-01' and '2999-12-31'),
  -- When the team was mailed that no one has taken it.
  reminded_at timestamptz
    constraint client_leads_reminded_at_calendar check (reminded_at between '1900-01-01' and '2999-12-31'),
  created_at timestamptz not null default now()
    constraint client_leads_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  -- The last change of status. The lead expires from here.
  changed_at timestamptz not null default now()
    constraint client_leads_changed_at_calendar check (changed_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, id),
  foreign key (client_id, campaign_id) references public.campaigns (client_id, id) on delete cascade,
  foreign key (client_id, approval_id) references public.approvals (client_id, id) on delete set null (approval_id),
  constraint client_leads_person_check check (email || name || company ~ '\S'),
  constraint client_leads_not_fit_check check (status <> 'not_fit' or reason ~ '\S'),
  constraint client_leads_taken_check check ((status = 'new') = (taken_at is null))
);
revoke all on table public.client_leads from anon, authenticated, service_role;

alter table public.client_members alter column notifications set default '{waiting,report,lead}'::text[];

alter table public.approval_decisions add column title text not null default '' check (length(title) <= 200);

alter table public.approval_decisions add column text_sha256 text check (text_sha256 ~ '^[0-9a-f]{64}$');

alter table public.approval_versions add column title text not null default '' check (length(title) <= 200 and title !~ '[[:cntrl:]]');

alter table public.approval_decisions add column decided_by_name text not null default '' check (length(decided_by_name) <= 200);

alter table public.approval_versions add column file_sha256 text check (file_sha256 ~ '^[0-9a-f]{64}$');

alter table public.approval_decisions add column decided_by_address text not null default '' check (length(decided_by_address) <= 320);

alter table public.inbound_events add column reply jsonb check (length(reply::text) <= 20000);

alter table public.inbound_events add column approval_id uuid;

alter table public.clients add column lead_months integer not null default 12 check (lead_months between 1 and 60);

alter table public.inbound_events add column version_number integer;

insert into private.personal_data (schema_name, table_name, ids, ids_from, addresses, needs_proof, section, given, sorted_by, given_by, on_deletion, emptied, hashes) values ('public', 'client_leads', '{}', NULL, '{email}', 'true', 'leads_of_clients', '{"at": "received_at", "name": "name", "email": "email", "title": "title", "words": "words", "client": "client_id", "reason": "reason", "status": "status", "company": "company"}', 'received_at', NULL, 'delete', NULL, '{}');

create table public.client_lead_changes (
  client_id uuid not null,
  lead_id uuid not null,
  number integer not null check (number between 1 and 200),
  status text not null check (status in ('new', 'taken', 'meeting', 'won', 'not_fit', 'lost')),
  reason text not null default '' check (length(reason) <= 2000),
  changed_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
    constraint client_lead_changes_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, lead_id, number),
  foreign key (client_id, lead_id) references public.client_leads (client_id, id) on delete cascade
);
revoke all on table public.client_lead_changes from anon, authenticated, service_role;

insert into private.personal_data (schema_name, table_name, ids, ids_from, addresses, needs_proof, section, given, sorted_by, given_by, on_deletion, emptied, hashes) values ('public', 'client_leads', '{added_by,taken_by}', NULL, '{}', 'false', 'leads_taken', '{"at": "taken_at", "client": "client_id", "status": "status"}', 'created_at', NULL, 'follow', NULL, '{}');

insert into private.personal_data (schema_name, table_name, ids, ids_from, addresses, needs_proof, section, given, sorted_by, given_by, on_deletion, emptied, hashes) values ('public', 'client_lead_changes', '{changed_by}', NULL, '{}', 'false', 'changes_of_leads', '{"at": "created_at", "lead": "lead_id", "client": "client_id", "reason": "reason", "status": "status"}', 'created_at', NULL, 'follow', NULL, '{}');

insert into private.personal_data (schema_name, table_name, ids, ids_from, addresses, needs_proof, section, given, sorted_by, given_by, on_deletion, emptied, hashes) values ('public', 'campaign_lists', '{added_by}', NULL, '{}', 'false', 'lists_of_campaigns', '{"at": "created_at", "client": "client_id"}', 'created_at', NULL, 'follow', NULL, '{}');

insert into private.personal_data (schema_name, table_name, ids, ids_from, addresses, needs_proof, section, given, sorted_by, given_by, on_deletion, emptied, hashes) values ('public', 'approval_decisions', '{}', NULL, '{decided_by_address}', 'true', 'decisions_under_this_address', '{"at": "created_at", "name": "decided_by_name", "title": "title", "client": "client_id", "address": "decided_by_address", "verdict": "verdict"}', 'created_at', NULL, 'keep', NULL, '{}');

create function private.add_approval_version(
  _client_id uuid, _kind text, _title text, _text text, _due_on date, _approval_id uuid, _file_id uuid default null,
  _file_sha256 text default null
) returns public.approval_versions language plpgsql security definer set search_path = '' as $$
declare
  _id uuid := _approval_id;
  _newest integer := 0;
  _version public.approval_versions;
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only admins and assigned team members can ask for approval' using errcode = '42501';
  end if;
  if _id is null then
    -- Locks the client, so that concurrent calls cannot exceed the limit.
    perform from public.clients where id = _client_id for no key update;
    if (select count(*) from public.approvals where client_id = _client_id) >= 2000 then
      raise exception 'A client can have at most 2,000 approvals. Withdraw some that are still open.' using errcode = 'P0001';
    end if;
    insert into public.approvals (client_id, title, kind) values (_client_id, trim(_title), _kind) returning id into _id;
  else
    select number into _newest from private.lock_approval(_client_id, _id);
    if not exists (select from public.approvals where client_id = _client_id and id = _id and kind = _kind) then
      raise exception 'The next version must have the same type as the first.' using errcode = '22023';
    elsif _newest >= 100 then
      raise exception 'An approval can have at most 100 versions. Create a new approval.' using errcode = 'P0001';
    end if;
    update public.approvals set title = trim(_title) where client_id = _client_id and id = _id and title <> trim(_title);
  end if;
  insert into public.approval_versions (client_id, approval_id, number, text, file_id, due_on, asked_by, file_sha256)
  values (_client_id, _id, _newest + 1, _text, _file_id, _due_on, private.user_id(), _file_sha256) returning * into _version;
  return _version;
end
$$;
revoke all on function private.add_approval_version(_client_id uuid, _kind text, _title text, _text text, _due_on date, _approval_id uuid, _file_id uuid, _file_sha256 text) from public, anon, authenticated, service_role;

create function private.add_leads_of_events(
  _source public.campaign_sources, _new private.taken_event[], _events jsonb
) returns void language plpgsql security definer set search_path = '' as $$
begin
  update public.inbound_events as event set reply = given.reply
  from jsonb_to_recordset(_events) as given (key text, reply jsonb)
  where event.client_id = _source.client_id and event.source_id = _source.id and event.event_key = given.key
    and jsonb_typeof(given.reply) = 'object' and event.raw is not null
    and exists (select from unnest(_new) as fresh where fresh.event_key = given.key);
  with people as materialized (
    select lower(fresh.recipient) as email, bool_or(fresh.metric = 'positive_replies') as is_interested
    from unnest(_new) as fresh
    where fresh.state = 'counted' and fresh.recipient <> '' and fresh.recipient !~ '[[:cntrl:]]'
      and fresh.metric in ('sent', 'replies', 'positive_replies')
    group by lower(fresh.recipient)
  ), wanted as materialized (
    select email from people
    where exists (
      select from public.client_leads as lead
      where lead.client_id = _source.client_id and lead.campaign_id = _source.campaign_id and lead.email = people.email
    ) or is_interested and 10000 > (select count(*) from public.client_leads where client_id = _source.client_id)
  ), read as (
    select wanted.email, min(seen.received_at) as received_at,
      (array_agg(seen.reply ->> 'name' order by seen.rank, seen.distance, seen.event_key)
        filter (where seen.reply ->> 'name' <> ''))[1] as name,
      (array_agg(seen.reply ->> 'company' order by seen.rank, seen.distance, seen.event_key)
        filter (where seen.reply ->> 'company' <> ''))[1] as company,
      (array_agg(seen.reply ->> 'title' order by seen.rank, seen.distance, seen.event_key)
        filter (where seen.reply ->> 'title' <> ''))[1] as title,
      (array_agg(seen.reply ->> 'text' order by seen.rank, seen.distance, seen.event_key)
        filter (where seen.reply ->> 'text' <> ''))[1] as words,
      (array_agg(seen.step order by seen.rank, seen.distance, seen.event_key)
        filter (where seen.step is not null and (seen.rank < 3 or seen.happened_at <= seen.received_at)))[1] as step,
      (array_agg(seen.approval_id order by seen.distance, seen.event_key)
        filter (where seen.approval_id is not null and seen.happened_at <= seen.received_at))[1] as approval_id
    from wanted cross join lateral (
      select event.event_key, event.reply, event.step, event.approval_id, event.happened_at, interest.received_at,
        case event.metric when 'positive_replies' then 1 when 'replies' then 2 else 3 end as rank,
        abs(extract(epoch from event.happened_at - interest.received_at)) as distance
      from (
        -- offset 0 stops the planner from adding other conditions, so that the index on the address is used.
        select * from public.inbound_events where lower(recipient) = wanted.email and recipient is not null offset 0
      ) as event cross join lateral (
        select min(any_event.happened_at) as received_at
        from (
          select * from public.inbound_events where lower(recipient) = wanted.email and recipient is not null offset 0
        ) as any_event
        where any_event.client_id = _source.client_id and any_event.source_id = _source.id
          and any_event.state = 'counted' and any_event.metric = 'positive_replies'
      ) as interest
      where event.client_id = _source.client_id and event.source_id = _source.id and event.state = 'counted'
        and event.metric in ('sent', 'replies', 'positive_replies')
    ) as seen
    where seen.received_at is not null
    group by wanted.email
  )
  insert into public.client_leads as lead (
    client_id, campaign_id, email, name, company, title, words, step, approval_id, received_at, origin
  )
  select _source.client_id, _source.campaign_id, email, coalesce(name, ''), coalesce(company, ''), coalesce(title, ''),
    coalesce(words, ''), step, approval_id, received_at, 'reply'
  from read order by received_at, email
  on conflict (client_id, campaign_id, email) where email <> '' do update set
    -- What a person wrote stays. An event without a part keeps the former value.
    name = case when lead.origin = 'person' and lead.name <> '' or excluded.name = '' then lead.name else excluded.name end,
    company = case
      when lead.origin = 'person' and lead.company <> '' or excluded.company = '' then lead.company else excluded.company
    end,
    title = case when lead.origin = 'person' and lead.title <> '' or excluded.title = '' then lead.title else excluded.title end,
    words = case when lead.origin = 'person' and lead.words <> '' or excluded.words = '' then lead.words else excluded.words end,
    step = case when lead.origin = 'person' then coalesce(lead.step, excluded.step) else coalesce(excluded.step, lead.step) end,
    approval_id = case
      when lead.origin = 'person' then coalesce(lead.approval_id, excluded.approval_id)
      else coalesce(excluded.approval_id, lead.approval_id)
    end,
    received_at = least(lead.received_at, excluded.received_at);
end
$$;
revoke all on function private.add_leads_of_events(_source campaign_sources, _new private.taken_event[], _events jsonb) from public, anon, authenticated, service_role;

create function private.copy_approval_title() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.title := coalesce((select title from public.approvals where client_id = new.client_id and id = new.approval_id), '');
  return new;
end
$$;
revoke all on function private.copy_approval_title() from public, anon, authenticated, service_role;

create function private.copy_decided_content() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  select version.title, encode(sha256(convert_to(version.text, 'UTF8')), 'hex'), coalesce(file.sha256, version.file_sha256)
  into new.title, new.text_sha256, new.file_sha256
  from public.approval_versions as version
    left join public.client_files as file on file.client_id = version.client_id and file.id = version.file_id
  where version.client_id = new.client_id and version.approval_id = new.approval_id and version.number = new.number;
  -- Empty if the version does not exist, which the foreign key rejects.
  new.title := coalesce(new.title, '');
  if new.decided_by is not null then
    select private.one_line(private.name_of(raw_user_meta_data), 200), left(coalesce(email, ''), 320)
    into new.decided_by_name, new.decided_by_address
    from auth.users where id = new.decided_by;
  end if;
  return new;
end
$$;
revoke all on function private.copy_decided_content() from public, anon, authenticated, service_role;

create function private.delete_old_client_leads(_at_most integer default null) returns integer
language sql security definer set search_path = '' as $$
  with deleted as (
    delete from public.client_leads where (client_id, id) in (
      select lead.client_id, lead.id
      from public.client_leads as lead join public.clients on clients.id = lead.client_id
      where lead.changed_at < now() - make_interval(months => clients.lead_months)
      limit _at_most
    ) returning 1
  )
  select count(*)::integer from deleted
$$;
revoke all on function private.delete_old_client_leads(_at_most integer) from public, anon, authenticated, service_role;

create or replace function private.empty_old_events(_at_most integer default null) returns integer
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

create function private.end_of_working_day(_from timestamptz, _zone text) returns timestamptz
language sql stable set search_path = '' as $$
  select (begins + case extract(isodow from begins) when 5 then interval '3 days' else interval '1 day' end) at time zone _zone
  from (
    select case
      when extract(isodow from there) > 5 then date_trunc('week', there) + interval '7 days'
      else there
    end as begins
    from (select _from at time zone _zone as there) as given
  ) as day
$$;
revoke all on function private.end_of_working_day(_from timestamp with time zone, _zone text) from public, anon, authenticated, service_role;

create function private.lists_of_campaign(_client_id uuid, _campaign_id uuid) returns table (
  approval_id uuid, number integer, decided_at timestamptz, label text
) language sql stable security definer set search_path = '' as $$
  select used.approval_id, approved.number, approved.created_at, case
      when approved.number is null then '“' || approval.title || '”, not approved yet'
      else 'version ' || approved.number || ' of “' || approved.title || '”, approved by '
        || coalesce(nullif(approved.decided_by_name, ''), nullif(approved.decided_by_address, ''), 'the client')
        || ' on ' || to_char(approved.created_at at time zone clients.time_zone, 'FMDD FMMonth YYYY')
    end
  from public.campaign_lists as used
    join public.clients on clients.id = used.client_id
    join public.approvals as approval on approval.client_id = used.client_id and approval.id = used.approval_id
    left join lateral (
      select decision.* from public.approval_decisions as decision
      where decision.client_id = used.client_id and decision.approval_id = used.approval_id and decision.verdict = 'yes'
      order by decision.number desc limit 1
    ) as approved on true
  where used.client_id = _client_id and used.campaign_id = _campaign_id
$$;
revoke all on function private.lists_of_campaign(_client_id uuid, _campaign_id uuid) from public, anon, authenticated, service_role;

create function private.mail_client_about_lead() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Materialized, because the planner could otherwise call count_for_subject() for other people's addresses.
  with people as materialized (
    select member.email, clients.name as client, (
      select campaigns.name from public.campaigns where campaigns.client_id = new.client_id and campaigns.id = new.campaign_id
    ) as campaign
    from private.members_to_mail(new.client_id, 'lead') as member
      join auth.users on users.id = member.user_id and coalesce(users.banned_until <= now(), true)
      join public.clients on clients.id = new.client_id
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'client_lead', jsonb_build_object(
    'Email', email, 'Client', client, 'Title', private.name_of_lead(new),
    'What', case when campaign is null then 'A new lead for ' || client || '.'
      else 'They answered the campaign “' || campaign || '” of ' || client || '.' end,
    'Message', case when new.words = '' then '' else '“' || left(new.words, 1500) || case when length(new.words) > 1500 then '…' else '' end || '”' end,
    'Path', '/client-dashboard?client=' || new.client_id || '#lead-' || new.id
  )
  from people where private.count_for_subject('lead mail', lower(email), 20, interval '1 day');
  return null;
end
$$;
revoke all on function private.mail_client_about_lead() from public, anon, authenticated, service_role;

create function private.mail_next_waiting_lead(_now timestamptz default now()) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  _lead public.client_leads;
begin
  select lead.* into _lead from public.client_leads as lead join public.clients on clients.id = lead.client_id
  where lead.status = 'new' and lead.reminded_at is null and lead.changed_at <= _now - interval '20 hours'
    and not clients.is_sample and private.end_of_working_day(lead.changed_at, clients.time_zone) <= _now
  order by lead.changed_at limit 1 for update of lead skip locked;
  if not found then
    return false;
  end if;
  update public.client_leads set reminded_at = now() where client_id = _lead.client_id and id = _lead.id;
  with assigned as (
    select user_id from public.client_assignments
      join public.user_roles using (user_id)
      join auth.users on users.id = user_id and coalesce(users.banned_until <= now(), true)
    where client_id = _lead.client_id and user_roles.role in ('team', 'admin') and approved
  ), people as materialized (
    select users.id, users.email, clients.name as client
    from auth.users join public.user_roles on user_roles.user_id = users.id, public.clients
    where clients.id = _lead.client_id and users.email <> '' and coalesce(users.banned_until <= now(), true) and (
      users.id in (select user_id from assigned)
      or not exists (select from assigned) and user_roles.role = 'admin' and user_roles.approved
    )
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'lead_waiting', jsonb_build_object(
    'Email', email, 'Client', client, 'Title', private.name_of_lead(_lead),
    'Path', private.team_path(id, _lead.client_id, 'lead-' || _lead.id)
  )
  from people where private.count_for_subject('waiting lead mail', lower(email), 20, interval '1 day');
  return true;
end
$$;
revoke all on function private.mail_next_waiting_lead(_now timestamp with time zone) from public, anon, authenticated, service_role;

create function private.name_of_lead(_lead public.client_leads) returns text
language sql immutable set search_path = '' as $$
  select concat_ws(', ', coalesce(nullif(_lead.name, ''), nullif(_lead.email, '')), nullif(_lead.company, ''))
$$;
revoke all on function private.name_of_lead(_lead client_leads) from public, anon, authenticated, service_role;

create or replace function private.pending_client_tasks(_client_id uuid) returns text
language sql stable security definer set search_path = '' as $$
  with texts as (
    select '“' || approval.title || '”' || case
      when version.due_on is null then ''
      else ', by ' || to_char(version.due_on, 'FMDD FMMonth YYYY')
    end as line, version.due_on, version.created_at
    from public.approvals as approval
      join lateral (
        select * from public.approval_versions as any_version
        where any_version.client_id = _client_id and any_version.approval_id = approval.id
        order by any_version.number desc limit 1
      ) as version on true
    where approval.client_id = _client_id and not exists (
      select from public.approval_decisions as decision
      where decision.client_id = _client_id and decision.approval_id = approval.id and decision.number = version.number
    )
  ), meetings as (
    select count(*) as waiting from public.client_meetings
    where client_id = _client_id and answer is null and answer_until > now()
  ), lines (place, line) as (
    (select 1, 'To approve: ' || line from texts order by due_on nulls last, created_at limit 5)
    union all
    select 2, 'And ' || count(*) - 5 || ' more to approve' from texts having count(*) > 5
    union all
    select 3, case waiting when 1 then 'A meeting' else waiting || ' meetings' end || ' to confirm' from meetings where waiting > 0
    union all
    select 4, case count(*) when 1 then 'A new lead' else count(*) || ' new leads' end
    from public.client_leads where client_id = _client_id and status = 'new' having count(*) > 0
    union all
    select 5, case count(*) when 1 then 'A report' else count(*) || ' reports' end || ' to read'
    from public.client_reports where client_id = _client_id and sent_at is not null having count(*) > 0
  )
  select coalesce(string_agg(line, E'\n' order by place), '') from lines
$$;

create function private.raise_list_alarm(_source public.campaign_sources, _new private.taken_event[]) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _campaign constant text := (
    select name from public.campaigns where client_id = _source.client_id and id = _source.campaign_id
  );
  _lists constant text := (
    select string_agg(label, '; ' order by label) from private.lists_of_campaign(_source.client_id, _source.campaign_id)
  );
  _found record;
  _text text;
  _mailed text;
  _others integer := -1;
begin
  if _lists is null then
    return;
  end if;
  for _found in select * from private.unlisted_recipients(_source, _new) order by person_hash loop
    _text := 'The campaign “' || _campaign || '” wrote to ' || _found.hint || case
      when _found.line is null then ', who is not on its approved lists: ' || _lists
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
revoke all on function private.raise_list_alarm(_source campaign_sources, _new private.taken_event[]) from public, anon, authenticated, service_role;

create function private.removed_people(_client_id uuid) returns table (who text, reason text)
language sql stable security definer set search_path = '' set enable_nestloop = on as $$
  with removed as (
    select distinct on (1) coalesce(item.fingerprint, item.domain || ' ' || lower(item.person)) as who, item.fingerprint,
      item.domain, lower(item.person) as person, veto.vetoed_by, veto.created_at as removed_at, version.title
    from public.approval_vetoes as veto
      join public.approval_rows as item using (client_id, approval_id, number, line)
      join public.approval_versions as version using (client_id, approval_id, number)
    where veto.client_id = _client_id
    order by 1, veto.created_at desc
  )
  select who, 'Removed by ' || coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), users.email, 'the client')
    || ' on ' || to_char(removed_at at time zone clients.time_zone, 'FMDD FMMonth YYYY') || ' from “' || removed.title || '”.'
  from removed join public.clients on clients.id = _client_id left join auth.users on users.id = vetoed_by
  where not exists (
    select from (
      select client_id, approval_id, number, line from public.approval_rows where fingerprint = removed.fingerprint
      union all
      select client_id, approval_id, number, line from public.approval_rows
      where fingerprint is null and domain = removed.domain and lower(person) = removed.person and removed.fingerprint is null
      offset 0
    ) as again
      join public.approval_decisions as decision using (client_id, approval_id, number)
    where client_id = _client_id and decision.verdict = 'yes' and decision.created_at > removed_at and not exists (
      select from public.approval_vetoes as veto
      where veto.client_id = again.client_id and veto.approval_id = again.approval_id and veto.number = again.number
        and veto.line = again.line
    )
  )
$$;
revoke all on function private.removed_people(_client_id uuid) from public, anon, authenticated, service_role;

CREATE OR REPLACE PROCEDURE private.run_due_jobs()
 LANGUAGE plpgsql
AS $procedure$
declare
  _name text;
begin
  loop
    select job.name into _name from private.run_due_job() as job;
    exit when _name is null;
    commit;
  end loop;
  while private.publish_next_due_release() loop
    commit;
  end loop;
  while private.make_next_due_report() loop
    commit;
  end loop;
  while private.mail_next_waiting_lead() loop
    commit;
  end loop;
  perform private.send_monday_list();
end
$procedure$;

create function private.unlisted_recipients(_source public.campaign_sources, _new private.taken_event[]) returns table (
  person_hash text, hint text, times integer, line integer, label text
) language sql stable security definer set search_path = '' as $$
  with list as materialized (
    select * from private.lists_of_campaign(_source.client_id, _source.campaign_id) where number is not null
  ), person as materialized (
    select person_hash, min(recipient) as recipient, count(*)::integer as times from unnest(_new)
    where metric = 'sent' and state in ('counted', 'noted') and recipient like '%@%'
    group by person_hash
  )
  select person.person_hash, left(recipient, 1) || '***@' || left(split_part(recipient, '@', 2), 250), person.times,
    found.line, found.label
  from person left join lateral (
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
        where fingerprint = person.person_hash offset 0
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
    where item.client_id = _source.client_id
    order by item.domain_length is null desc, list.decided_at desc, item.domain_length desc, is_removed
    limit 1
  ) as found on true
  where found.line is null or found.is_removed
$$;
revoke all on function private.unlisted_recipients(_source campaign_sources, _new private.taken_event[]) from public, anon, authenticated, service_role;

create function public.add_client_lead(
  _client_id uuid, _name text, _email text default '', _company text default '', _title text default '', _words text default '',
  _campaign_id uuid default null
) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  _address constant text := lower(trim(coalesce(_email, '')));
  _added uuid;
begin
  perform private.lock_assigned_client(_client_id);
  if (select count(*) from public.client_leads where client_id = _client_id) >= 10000 then
    raise exception 'A client can have at most 10,000 leads.' using errcode = 'P0001';
  elsif exists (
    select from public.client_leads
    where client_id = _client_id and campaign_id = _campaign_id and email = _address and email <> ''
  ) then
    raise exception 'This person is already a lead of this campaign.' using errcode = 'P0001';
  end if;
  insert into public.client_leads (
    client_id, campaign_id, email, name, company, title, words, received_at, origin, added_by
  )
  values (
    _client_id, _campaign_id, _address, trim(coalesce(_name, '')), trim(coalesce(_company, '')), trim(coalesce(_title, '')),
    btrim(coalesce(_words, ''), E' \t\r\n'), now(), 'person', private.user_id()
  )
  returning id into _added;
  return _added;
end
$$;
revoke all on function public.add_client_lead(_client_id uuid, _name text, _email text, _company text, _title text, _words text, _campaign_id uuid) from public, anon, authenticated, service_role;

create or replace function public.add_sample_client() returns uuid language plpgsql security definer set search_path = '' as $$
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
    raise exception 'Only admins can add the sample client.' using errcode = '42501';
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

  -- The figures already include these meetings. They were held and accepted.
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
  insert into public.approval_decisions (client_id, approval_id, number, verdict, comment, created_at, decided_by_name) values
    (_client, _declined, 1, 'no', 'Say something about the hotel first.', now() - interval '3 days', 'Ingrid Berg'),
    (_client, _approved, 1, 'yes', '', now() - interval '8 days', 'Ingrid Berg');

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

  insert into public.client_leads (
    client_id, campaign_id, email, name, company, title, words, step, received_at, origin, status, taken_by, taken_at
  ) values
    (_client, _first, 'nina@kaia.example', 'Nina Strand', 'Kaia Offices', 'Head of facilities',
      'Yes, send me the figures of the building next door. We decide in January.', 2, now() - interval '3 hours', 'reply',
      'new', null, null),
    (_client, _second, 'lars@morgen.example', 'Lars Vik', 'Morgen Bakery', 'Founder', 'Call me on Thursday after ten.', 1,
      now() - interval '2 days', 'reply', 'taken', _person, now() - interval '1 day');

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
    'Facilities answer more since the second mail became shorter. The hotel campaign starts when you approve the list.'
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

create function public.ask_for_list_approval(
  _client_id uuid, _title text, _text text, _rows jsonb, _is_trial boolean, _due_on date default null,
  _approval_id uuid default null, _restored_lines integer[] default '{}'::integer[], _file_sha256 text default null
) returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  _version public.approval_versions;
  _answer jsonb;
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only admins and assigned team members can ask for approval' using errcode = '42501';
  elsif jsonb_typeof(_rows) is distinct from 'array' or jsonb_array_length(_rows) > 5000 then
    raise exception 'A list can have at most 5,000 rows. Split it into several approvals.' using errcode = '22023';
  end if;
  if not _is_trial then
    _version := private.add_approval_version(
      _client_id, 'list', _title, _text, _due_on, _approval_id, null, _file_sha256
    );
  end if;
  with judged as materialized (
    select *, row_number() over (partition by state order by line) as place
    from private.read_list_rows(_client_id, _rows, _restored_lines)
  ), added as (
    insert into public.approval_rows (client_id, approval_id, number, line, company, domain, person, note, fingerprint, hint)
    select _client_id, _version.approval_id, _version.number, line, company, domain, person, coalesce(note, ''), fingerprint, hint
    from judged
      left join (
        select (item ->> 'line')::integer as line, private.one_line(item ->> 'note', 500) as note
        from jsonb_array_elements(_rows) as item
      ) as given using (line)
    where state = 'new' and not _is_trial
  )
  select jsonb_build_object(
    'id', _version.approval_id, 'new', count(*) filter (where state = 'new'),
    'refused', count(*) filter (where state = 'refused'), 'removed', count(*) filter (where state = 'removed'),
    'companies', count(distinct nullif(domain, '')) filter (where state = 'new'),
    'examples', coalesce(jsonb_agg(jsonb_build_object(
      'line', line, 'state', state, 'reason', reason,
      'text', left(coalesce(nullif(concat_ws(', ', nullif(person, ''), nullif(company, ''), nullif(hint, '')), ''), domain), 200)
    ) order by line) filter (where place <= 100), '[]')
  ) into _answer from judged;
  if not _is_trial then
    if (_answer ->> 'new')::integer = 0 then
      raise exception 'This list has no valid rows to approve.' using errcode = 'P0001';
    end if;
    perform private.mail_client_about_approval(_version);
  end if;
  return _answer;
end
$$;
revoke all on function public.ask_for_list_approval(_client_id uuid, _title text, _text text, _rows jsonb, _is_trial boolean, _due_on date, _approval_id uuid, _restored_lines integer[], _file_sha256 text) from public, anon, authenticated, service_role;

create function public.change_client_lead(
  _client_id uuid, _id uuid, _former_status text, _status text, _reason text default ''
) returns void language plpgsql security definer set search_path = '' as $$
declare
  _lead public.client_leads;
  _said constant text := btrim(coalesce(_reason, ''), E' \t\r\n');
  _number integer;
begin
  if not private.works_for_client(_client_id) and _client_id not in (select private.clients_of_approver()) then
    raise exception 'You can read this, but only approvers can change leads.' using errcode = '42501';
  end if;
  select * into _lead from public.client_leads where client_id = _client_id and id = _id for update;
  if not found then
    raise exception 'This lead no longer exists.' using errcode = 'P0001';
  elsif _lead.status is distinct from _former_status then
    raise exception using errcode = 'P0001', message = case
      when _lead.status = 'taken' and _status = 'taken' then 'Someone else has already taken this lead.'
      else 'This lead has changed. Reload the page to read it again.'
    end;
  elsif _status = 'not_fit' and _said = '' then
    raise exception 'Please say why this lead does not fit.' using errcode = 'P0001';
  end if;
  select coalesce(max(number), 0) + 1 into _number from public.client_lead_changes where client_id = _client_id and lead_id = _id;
  if _number > 200 then
    raise exception 'A lead can change at most 200 times.' using errcode = 'P0001';
  end if;
  update public.client_leads set
    status = coalesce(_status, ''), reason = _said, changed_at = now(),
    taken_by = case when _status <> 'new' then case when taken_at is null then private.user_id() else taken_by end end,
    taken_at = case when _status <> 'new' then coalesce(taken_at, now()) end,
    -- A lead that is new again waits from now on.
    reminded_at = case when _status <> 'new' then reminded_at end
  where client_id = _client_id and id = _id;
  insert into public.client_lead_changes (client_id, lead_id, number, status, reason, changed_by)
  values (_client_id, _id, _number, _status, _said, private.user_id());
end
$$;
revoke all on function public.change_client_lead(_client_id uuid, _id uuid, _former_status text, _status text, _reason text) from public, anon, authenticated, service_role;

create or replace function public.client_archive(_client_id uuid, _part text, _offset integer default 0) returns setof jsonb
language plpgsql stable security definer set search_path = '' as $$
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
      select jsonb_build_object('title', version.title, 'version', version.number, 'text', text, 'due_on', due_on,
        'asked_by', private.shown_name(asked_by, _works_for), 'asked_at', version.created_at, 'decision', verdict,
        'comment', comment, 'decided_by', coalesce(
          nullif(decision.decided_by_name, ''), case when _works_for then nullif(decision.decided_by_address, '') end,
          private.shown_name(decided_by, _works_for)
        ), 'decided_at', decision.created_at,
        'approval', version.approval_id, 'sha256', private.approval_version_hash(version, decision.file_sha256))
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
    when 'leads' then return query
      select jsonb_build_object('received_at', received_at, 'name', lead.name, 'email', email, 'company', company, 'title', lead.title,
        'campaign', campaigns.name, 'step', step, 'text', approvals.title, 'words', words, 'status', status, 'reason', reason,
        'taken_by', private.shown_name(taken_by, _works_for), 'taken_at', taken_at, 'lead', lead.id)
      from public.client_leads as lead
        left join public.campaigns on campaigns.client_id = lead.client_id and campaigns.id = lead.campaign_id
        left join public.approvals on approvals.client_id = lead.client_id and approvals.id = lead.approval_id
      where lead.client_id = _client_id order by received_at, lead.id limit 200 offset _from;
    when 'lead_changes' then return query
      select jsonb_build_object('lead', lead_id, 'at', created_at, 'status', status, 'reason', reason,
        'by', private.shown_name(changed_by, _works_for))
      from public.client_lead_changes where client_id = _client_id order by lead_id, number limit 1000 offset _from;
    when 'leave_alone' then return query
      select jsonb_build_object('kind', kind, 'entry', hint, 'added_at', created_at)
      from public.do_not_contact where client_id = _client_id order by created_at, id limit 1000 offset _from;
    when 'figures_on_the_site' then return query
      select jsonb_build_object('figure', private.format_figure_quote(quote), 'page', coalesce(projects.title, 'a page that was deleted'),
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
    else raise exception 'This part of the archive does not exist.' using errcode = '22023';
  end case;
end
$$;

create or replace function public.client_home(_client_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.works_for_client(_client_id);
  return (
    with texts as (
      select approval.id, approval.title, version.number, version.due_on, version.created_at
      from public.approvals as approval
        join lateral (
          select * from public.approval_versions as any_version
          where any_version.client_id = _client_id and any_version.approval_id = approval.id
          order by any_version.number desc limit 1
        ) as version on true
      where approval.client_id = _client_id and not exists (
        select from public.approval_decisions as decision
        where decision.client_id = _client_id and decision.approval_id = approval.id and decision.number = version.number
      )
    ), meetings as (
      select meeting.id, meeting.met_with, (meeting.answer_until at time zone clients.time_zone)::date as due_on, meeting.starts_at
      from public.client_meetings as meeting join public.clients on clients.id = meeting.client_id
      where meeting.client_id = _client_id and meeting.answer is null and meeting.answer_until > now()
    ), quotes as (
      select quote.id, private.format_figure_quote(quote) as words, quote.asked_at
      from public.figure_quotes as quote join public.projects on projects.id = quote.project_id
      where quote.client_id = _client_id and quote.answer is null and quote.ended_at is null
    ), fresh as (
      select lead.id, private.name_of_lead(lead) as words, lead.received_at
      from public.client_leads as lead where lead.client_id = _client_id and lead.status = 'new'
    ), waiting (place, due_on, since, line) as (
      (select 1, due_on, created_at, jsonb_build_object(
        'kind', 'approval', 'id', id, 'title', title, 'number', number, 'due_on', due_on
      ) from texts order by due_on nulls last, created_at, id limit 24)
      union all
      (select 2, due_on, starts_at, jsonb_build_object('kind', 'meeting', 'id', id, 'title', met_with, 'due_on', due_on)
      from meetings order by starts_at desc, id limit 24)
      union all
      (select 3, null, asked_at, jsonb_build_object('kind', 'quote', 'id', id, 'title', coalesce(words, 'A figure'), 'due_on', null)
      from quotes order by asked_at, id limit 24)
      union all
      (select 4, null, received_at, jsonb_build_object('kind', 'lead', 'id', id, 'title', words, 'due_on', null)
      from fresh order by received_at, id limit 24)
    )
    select jsonb_build_object(
      'waiting', coalesce((select jsonb_agg(line order by due_on nulls last, place, since) from waiting), '[]'),
      'waiting_count', (select count(*) from texts) + (select count(*) from meetings) + (select count(*) from quotes)
        + (select count(*) from fresh),
      'next_call', (
        select min(booking.starts_at) from public.bookings as booking
        where booking.state = 'booked' and booking.ends_at > now() and lower(booking.email) in (
          select proven.address from private.proven_addresses as proven join auth.users on users.id = proven.user_id
          where proven.user_id = private.reader_id() and proven.address = users.email
        )
      )
    )
  );
end
$$;

create function public.client_lead(_client_id uuid, _id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  _works_for constant boolean := private.works_for_client(_client_id);
begin
  return (
    select jsonb_build_object(
      'id', lead.id, 'name', lead.name, 'email', lead.email, 'company', lead.company, 'title', lead.title,
      'words', lead.words, 'campaign', campaigns.name, 'step', lead.step, 'approval_id', lead.approval_id,
      'text', approvals.title, 'received_at', lead.received_at, 'origin', lead.origin, 'status', lead.status,
      'reason', lead.reason, 'taken_by', coalesce(private.shown_name(lead.taken_by, _works_for), ''), 'taken_at', lead.taken_at,
      'added_by', coalesce(private.shown_name(lead.added_by, _works_for), ''),
      'changes', coalesce((
        select jsonb_agg(jsonb_build_object(
          'number', number, 'status', change.status, 'reason', change.reason, 'at', change.created_at,
          'by', coalesce(private.shown_name(change.changed_by, _works_for), '')
        ) order by number desc)
        from public.client_lead_changes as change where change.client_id = lead.client_id and change.lead_id = lead.id
      ), '[]')
    )
    from public.client_leads as lead
      left join public.campaigns on campaigns.client_id = lead.client_id and campaigns.id = lead.campaign_id
      left join public.approvals on approvals.client_id = lead.client_id and approvals.id = lead.approval_id
    where lead.client_id = _client_id and lead.id = _id
  );
end
$$;
revoke all on function public.client_lead(_client_id uuid, _id uuid) from public, anon, authenticated, service_role;

create function public.list_approval_versions(_client_id uuid, _approval_id uuid) returns table (
  number integer, title text, text text, is_wording boolean, created_at timestamptz, file jsonb, verdict text, comment text,
  decided_by text, decided_at timestamptz, text_sha256 text, file_sha256 text
) language plpgsql stable security definer set search_path = '' as $$
declare
  _works_for constant boolean := private.works_for_client(_client_id);
begin
  return query
    select version.number, version.title, version.text, version.is_wording, version.created_at,
      case when file.id is not null then
        jsonb_build_object('object_name', file.object_name, 'name', file.name, 'mimetype', file.mimetype, 'size', file.size)
      end,
      decision.verdict, decision.comment,
      concat_ws(', ', nullif(decision.decided_by_name, ''), case when _works_for then nullif(decision.decided_by_address, '') end),
      decision.created_at, decision.text_sha256, decision.file_sha256
    from public.approval_versions as version
      left join public.client_files as file on file.client_id = _client_id and file.id = version.file_id
      left join public.approval_decisions as decision
        on decision.client_id = _client_id and decision.approval_id = _approval_id and decision.number = version.number
    where version.client_id = _client_id and version.approval_id = _approval_id
    order by version.number desc;
end
$$;
revoke all on function public.list_approval_versions(_client_id uuid, _approval_id uuid) from public, anon, authenticated, service_role;

drop function public.list_approvals(_client_id uuid, _limit integer, _offset integer);
create function public.list_approvals(_client_id uuid, _limit integer default 24, _offset integer default 0) returns table (
  id uuid, kind text, title text, number integer, text text, former_text text, is_wording boolean, row_count integer,
  veto_count integer, file jsonb, comment_count integer, due_on date, asked_by text, asked_at timestamptz, verdict text,
  comment text, decided_by text, decided_at timestamptz, may_withdraw boolean, waiting integer, total integer,
  list_sha256 text
) language plpgsql stable security definer set search_path = '' as $$
declare
  _works_for constant boolean := private.works_for_client(_client_id);
begin
  return query
    with newest as (
      select approval.id, approval.kind, approval.title, version.number, version.text, version.is_wording, version.file_id, version.due_on, version.asked_by,
        version.file_sha256,
        version.created_at as asked_at, decision.verdict, decision.comment, decision.decided_by_name, decision.decided_by_address,
        decision.created_at as decided_at
      from public.approvals as approval
        join lateral (
          select * from public.approval_versions as any_version
          where any_version.client_id = _client_id and any_version.approval_id = approval.id
          order by any_version.number desc limit 1
        ) as version on true
        left join public.approval_decisions as decision
          on decision.client_id = _client_id and decision.approval_id = approval.id and decision.number = version.number
      where approval.client_id = _client_id
    ), shown as (
      select *, count(*) over ()::integer as total, count(*) filter (where newest.verdict is null) over ()::integer as waiting
      from newest
      order by newest.verdict is not null, newest.decided_at desc, newest.due_on nulls last, newest.asked_at, newest.id
      limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0)
    )
    select shown.id, shown.kind, shown.title, shown.number, shown.text, former.text, shown.is_wording,
      (
        select count(*)::integer from public.approval_rows as item
        where item.client_id = _client_id and item.approval_id = shown.id and item.number = shown.number
      ),
      (
        select count(*)::integer from public.approval_vetoes as veto
        where veto.client_id = _client_id and veto.approval_id = shown.id and veto.number = shown.number
      ),
      (
        select jsonb_build_object('object_name', file.object_name, 'name', file.name, 'mimetype', file.mimetype, 'size', file.size)
        from public.client_files as file where file.client_id = _client_id and file.id = shown.file_id
      ),
      (
        select count(*)::integer from public.approval_comments as comment
        where comment.client_id = _client_id and comment.approval_id = shown.id
      ),
      shown.due_on,
      coalesce(nullif(private.name_of(asker.raw_user_meta_data), ''), case when _works_for then asker.email end, '')::text,
      shown.asked_at, shown.verdict, shown.comment,
      coalesce(nullif(shown.decided_by_name, ''), case when _works_for then shown.decided_by_address end, ''),
      shown.decided_at,
      _works_for and not exists (
        select from public.approval_decisions as any_decision
        where any_decision.client_id = _client_id and any_decision.approval_id = shown.id
      ),
      shown.waiting, shown.total, shown.file_sha256
    from shown
      left join public.approval_versions as former
        on former.client_id = _client_id and former.approval_id = shown.id and former.number = shown.number - 1
      left join auth.users as asker on asker.id = shown.asked_by
    order by shown.verdict is not null, shown.decided_at desc, shown.due_on nulls last, shown.asked_at, shown.id;
end
$$;
revoke all on function public.list_approvals(_client_id uuid, _limit integer, _offset integer) from public, anon, authenticated, service_role;

create function public.list_approved_lines(
  _client_id uuid, _approval_id uuid, _number integer, out file_sha256 text, out lines integer[]
) returns record language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only admins and assigned team members can download approved rows' using errcode = '42501';
  end if;
  select decision.file_sha256, array(
    select item.line from public.approval_rows as item
    where item.client_id = _client_id and item.approval_id = _approval_id and item.number = _number and not exists (
      select from public.approval_vetoes as veto
      where veto.client_id = _client_id and veto.approval_id = _approval_id and veto.number = _number and veto.line = item.line
    )
    order by item.line
  ) into list_approved_lines.file_sha256, list_approved_lines.lines
  from public.approval_decisions as decision
  where decision.client_id = _client_id and decision.approval_id = _approval_id and decision.number = _number
    and decision.verdict = 'yes';
  if not found then
    raise exception 'The client has not approved this version.' using errcode = 'P0001';
  end if;
end
$$;
revoke all on function public.list_approved_lines(_client_id uuid, _approval_id uuid, _number integer, OUT file_sha256 text, OUT lines integer[]) from public, anon, authenticated, service_role;

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
        and used.approval_id = approval.id
      left join lateral (
        select max(decision.number) as number from public.approval_decisions as decision
        where decision.client_id = _client_id and decision.approval_id = approval.id and decision.verdict = 'yes'
      ) as approved on true
    where approval.client_id = _client_id and approval.kind = 'list'
    order by used.approval_id is null, approval.created_at desc, approval.id limit 200;
end
$$;
revoke all on function public.list_campaign_lists(_client_id uuid, _campaign_id uuid) from public, anon, authenticated, service_role;

create or replace function public.list_campaign_texts(_client_id uuid, _campaign_id uuid) returns table (
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
        and sent.approval_id = approval.id
    where approval.client_id = _client_id and (approval.kind = 'text' or sent.approval_id is not null)
    order by sent.approval_id is null, sent.step nulls last, approval.created_at desc, approval.id limit 200;
end
$$;

create function public.list_client_leads(
  _client_id uuid, _search text default '', _status text default null, _limit integer default 24, _offset integer default 0
) returns jsonb language plpgsql stable security definer set search_path = '' as $$
declare
  _works_for constant boolean := private.works_for_client(_client_id);
  _text constant text := lower(left(trim(coalesce(_search, '')), 200));
begin
  return (
    with found as materialized (
      select * from public.client_leads
      where client_id = _client_id and (_status is null or status = _status)
        and position(_text in lower(concat_ws(' ', name, email, company, title))) > 0
    ), page as (
      select * from found order by (found.status = 'new') desc, found.received_at desc, found.id
      limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0)
    )
    select jsonb_build_object(
      'items', coalesce((
        select jsonb_agg(jsonb_build_object(
          'id', page.id, 'name', page.name, 'email', page.email, 'company', page.company, 'title', page.title,
          'campaign', campaigns.name, 'status', page.status, 'received_at', page.received_at,
          'taken_by', coalesce(private.shown_name(page.taken_by, _works_for), '')
        ) order by (page.status = 'new') desc, page.received_at desc, page.id)
        from page left join public.campaigns on campaigns.client_id = page.client_id and campaigns.id = page.campaign_id
      ), '[]'),
      'count', (select count(*) from found),
      'new_count', (select count(*) from public.client_leads where client_id = _client_id and status = 'new'),
      'all_count', (select count(*) from public.client_leads where client_id = _client_id)
    )
  );
end
$$;
revoke all on function public.list_client_leads(_client_id uuid, _search text, _status text, _limit integer, _offset integer) from public, anon, authenticated, service_role;

create or replace function public.open_campaign_source(_token_hash text, _secret_hash text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('provider', (opened.source).provider, 'is_allowed', opened.is_allowed,
    'is_deleted', private.is_deleted_campaign((opened.source).client_id, (opened.source).campaign_id), 'texts', coalesce((
    select jsonb_agg(jsonb_build_object('id', approvals.id, 'title', title, 'step', step, 'number', approved.number, 'text', approved.text) order by step)
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

create function public.set_campaign_list(
  _client_id uuid, _campaign_id uuid, _approval_id uuid, _is_used boolean
) returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.lock_assigned_client(_client_id);
  if not _is_used then
    delete from public.campaign_lists
    where client_id = _client_id and campaign_id = _campaign_id and approval_id = _approval_id;
  elsif exists (select from public.approvals where client_id = _client_id and id = _approval_id and kind = 'list') then
    insert into public.campaign_lists (client_id, campaign_id, approval_id, added_by)
    values (_client_id, _campaign_id, _approval_id, private.user_id())
    on conflict do nothing;
  else
    raise exception 'This list no longer exists.' using errcode = 'P0001';
  end if;
end
$$;
revoke all on function public.set_campaign_list(_client_id uuid, _campaign_id uuid, _approval_id uuid, _is_used boolean) from public, anon, authenticated, service_role;

create or replace function public.store_campaign_events(_token_hash text, _secret_hash text, _events jsonb) returns integer
language plpgsql security definer set search_path = '' as $$
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
        when _source.external_id <> '' and campaign <> '' and campaign <> _source.external_id then 'elsewhere'
        when happened_at > now() + interval '10 minutes' then 'untimely'
        when metric is not null and day >= _source.counts_from then 'counted'
        else 'noted'
      end, day, happened_at, step, case when recipient <> '' then private.hash_of_address(recipient) end,
      case when recipient like '%@%' then left(recipient, 1) || '***@' || left(split_part(recipient, '@', 2), 250) else '' end,
      nullif(recipient, ''), case when keeps_raw then raw end, approval_id, version_number
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
  perform private.raise_do_not_contact_alarm(_client, _source, array(
    select event from unnest(_new) as event where event.metric = 'sent' and event.state in ('counted', 'noted')
  ));
  perform private.raise_deviation_alarm(_source, _new, _events);
  perform private.raise_list_alarm(_source, _new);
  perform private.add_leads_of_events(_source, _new, _events);
  return coalesce(array_length(_new, 1), 0);
end
$$;

create or replace function public.team_overview() returns jsonb language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', clients.id, 'name', clients.name, 'domain', clients.domain, 'time_zone', clients.time_zone,
    'first_weekday', clients.first_weekday,
    'is_running', exists (select from public.campaigns where client_id = clients.id and phase = 'running'),
    'latest', (
      select max(last_day) from public.campaign_figures
      where client_id = clients.id and replaced_by is null and first_day >= (
        select max(first_day) - 6 from public.campaign_figures where client_id = clients.id and replaced_by is null
      )
    ),
    'waits_for_client', texts.open + meetings.open + quotes.open + leads.fresh, 'due_on', texts.due_on,
    'waits_for_us', texts.refused + meetings.disputed, 'unread', texts.unread,
    'read_at', (select max(last_at) from public.client_reads where client_id = clients.id and what = 'rooms')
  ) order by clients.name, clients.id), '[]')
  from public.clients
    cross join lateral (
      select count(*) filter (where decision.number is null) as open,
        count(*) filter (where decision.verdict in ('no', 'changes')) as refused,
        min(version.due_on) filter (where decision.number is null) as due_on,
        count(*) filter (
          where decision.number is null and version.created_at < now() - interval '7 days'
            and exists (select from public.client_members where client_id = clients.id)
            and not exists (
              select from public.client_reads as noted
              where noted.client_id = clients.id and noted.what = 'approval' and noted.item_id = approval.id
                and noted.last_at >= version.created_at
            )
        ) as unread
      from public.approvals as approval
        join lateral (
          select * from public.approval_versions as any_version
          where any_version.client_id = clients.id and any_version.approval_id = approval.id
          order by any_version.number desc limit 1
        ) as version on true
        left join public.approval_decisions as decision
          on decision.client_id = clients.id and decision.approval_id = approval.id and decision.number = version.number
      where approval.client_id = clients.id
    ) as texts
    cross join lateral (
      select count(*) filter (where answer is null and answer_until > now()) as open,
        count(*) filter (where answer = 'disputed') as disputed
      from public.client_meetings where client_id = clients.id
    ) as meetings
    cross join lateral (
      select count(*) as open from public.figure_quotes as quote join public.projects on projects.id = quote.project_id
      where quote.client_id = clients.id and quote.answer is null and quote.ended_at is null
    ) as quotes
    cross join lateral (
      select count(*) filter (where status = 'new') as fresh from public.client_leads where client_id = clients.id
    ) as leads
  where (select private.is_admin()) or clients.id in (select private.clients_of_team_member())
$$;

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
revoke all on function public.text_results(_client_id uuid) from public, anon, authenticated, service_role;

alter table public.client_alarms drop constraint client_alarms_kind_check;
alter table public.client_alarms add constraint client_alarms_kind_check CHECK ((kind = ANY (ARRAY['not_approved'::text, 'left_alone'::text, 'difference'::text, 'incomplete'::text, 'not_listed'::text])));

alter table public.client_members drop constraint client_members_notifications_check;
alter table public.client_members add constraint client_members_notifications_check CHECK ((notifications <@ '{waiting,report,lead}'::text[]));
-- People who turned off all emails get none about leads either.
update public.client_members set notifications = notifications || '{lead}'::text[] where notifications <> '{}';

alter table public.inbound_events add constraint inbound_events_check CHECK (((approval_id IS NULL) = (version_number IS NULL)));

alter table public.inbound_events add constraint inbound_events_client_id_approval_id_version_number_fkey FOREIGN KEY (client_id, approval_id, version_number) REFERENCES approval_versions(client_id, approval_id, number) ON DELETE SET NULL (approval_id, version_number);

create index approval_decisions_address_idx on public.approval_decisions (lower(decided_by_address));

create index approval_rows_domain_idx on public.approval_rows (domain)
  include (client_id, approval_id, number, line) where fingerprint is null;

create index approval_rows_fingerprint_idx on public.approval_rows (fingerprint)
  include (client_id, approval_id, number, line) where fingerprint is not null;

create index campaign_lists_added_by_idx on public.campaign_lists (added_by);

create index campaign_lists_approval_idx on public.campaign_lists (client_id, approval_id);

create index client_lead_changes_changed_by_idx on public.client_lead_changes (changed_by);

create index client_leads_added_by_idx on public.client_leads (added_by);

create index client_leads_approval_idx on public.client_leads (client_id, approval_id);

create index client_leads_campaign_idx on public.client_leads (client_id, campaign_id);

create index client_leads_email_idx on public.client_leads (lower(email));

create index client_leads_latest_idx on public.client_leads (client_id, received_at desc, id);

create unique index client_leads_person_idx on public.client_leads (client_id, campaign_id, email) where email <> '';

create index client_leads_taken_by_idx on public.client_leads (taken_by);

create index client_leads_waiting_idx on public.client_leads (changed_at) where status = 'new' and reminded_at is null;

create index inbound_events_version_idx on public.inbound_events (client_id, approval_id, version_number)
  where approval_id is not null;

create trigger copy_approval_title before insert on public.approval_versions
  for each row when (new.title = '') execute function private.copy_approval_title();

create trigger copy_decided_content before insert on public.approval_decisions
  for each row execute function private.copy_decided_content();

create trigger mail_client after insert on public.client_leads
  for each row execute function private.mail_client_about_lead();

create trigger reject_impersonated_writes before insert or update or delete on public.client_leads
  for each statement execute function private.reject_impersonated_writes();

alter table public.campaign_lists enable row level security;

alter table public.client_lead_changes enable row level security;

alter table public.client_leads enable row level security;

create policy "Admins and assigned team members delete leads of clients" on public.client_leads for delete to authenticated
  using ((select private.is_admin()) or client_id in (select private.clients_of_team_member()));

create policy "Admins read all campaign lists" on public.campaign_lists for select to authenticated
  using ((select private.is_admin()));

create policy "Admins read all leads of clients" on public.client_leads for select to authenticated
  using ((select private.is_admin()));

create policy "Admins read the history of all leads of clients" on public.client_lead_changes for select to authenticated
  using ((select private.is_admin()));

create policy "Members read the history of their clients' leads" on public.client_lead_changes for select to authenticated
  using (client_id in (select private.clients_of_member()));

create policy "Members read the leads of their clients" on public.client_leads for select to authenticated
  using (client_id in (select private.clients_of_member()));

create policy "Team members read the history of their clients' leads" on public.client_lead_changes for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

create policy "Team members read the leads of their clients" on public.client_leads for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

create policy "Team members read the lists of their clients' campaigns" on public.campaign_lists for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

grant execute on function public.add_client_lead(_client_id uuid, _name text, _email text, _company text, _title text, _words text, _campaign_id uuid) to authenticated;

grant execute on function public.add_client_lead(_client_id uuid, _name text, _email text, _company text, _title text, _words text, _campaign_id uuid) to service_role;

grant execute on function public.ask_for_list_approval(_client_id uuid, _title text, _text text, _rows jsonb, _is_trial boolean, _due_on date, _approval_id uuid, _restored_lines integer[], _file_sha256 text) to authenticated;

grant execute on function public.ask_for_list_approval(_client_id uuid, _title text, _text text, _rows jsonb, _is_trial boolean, _due_on date, _approval_id uuid, _restored_lines integer[], _file_sha256 text) to service_role;

grant execute on function public.change_client_lead(_client_id uuid, _id uuid, _former_status text, _status text, _reason text) to authenticated;

grant execute on function public.change_client_lead(_client_id uuid, _id uuid, _former_status text, _status text, _reason text) to service_role;

grant execute on function public.client_lead(_client_id uuid, _id uuid) to authenticated;

grant execute on function public.client_lead(_client_id uuid, _id uuid) to service_role;

grant execute on function public.list_approval_versions(_client_id uuid, _approval_id uuid) to authenticated;

grant execute on function public.list_approval_versions(_client_id uuid, _approval_id uuid) to service_role;

grant execute on function public.list_approved_lines(_client_id uuid, _approval_id uuid, _number integer, OUT file_sha256 text, OUT lines integer[]) to authenticated;

grant execute on function public.list_approved_lines(_client_id uuid, _approval_id uuid, _number integer, OUT file_sha256 text, OUT lines integer[]) to service_role;

grant execute on function public.list_campaign_lists(_client_id uuid, _campaign_id uuid) to authenticated;

grant execute on function public.list_campaign_lists(_client_id uuid, _campaign_id uuid) to service_role;

grant execute on function public.list_client_leads(_client_id uuid, _search text, _status text, _limit integer, _offset integer) to authenticated;

grant execute on function public.list_client_leads(_client_id uuid, _search text, _status text, _limit integer, _offset integer) to service_role;

grant execute on function public.set_campaign_list(_client_id uuid, _campaign_id uuid, _approval_id uuid, _is_used boolean) to authenticated;

grant execute on function public.set_campaign_list(_client_id uuid, _campaign_id uuid, _approval_id uuid, _is_used boolean) to service_role;

grant execute on function public.text_results(_client_id uuid) to authenticated;

grant execute on function public.text_results(_client_id uuid) to service_role;

revoke insert (name, domain, time_zone, first_weekday, currency, meetings_goal, replies_goal, delivered_goal, report_weekday, report_hour) on table public.clients from authenticated;
grant insert (name, domain, time_zone, first_weekday, currency, meetings_goal, replies_goal, delivered_goal, report_weekday, report_hour, lead_months) on table public.clients to authenticated;

grant select (client_id, approval_id, number, verdict, comment, decided_by, created_at, file_sha256, title, text_sha256, decided_by_name) on table public.approval_decisions to authenticated;

revoke select (client_id, source_id, event_key, kind, metric, state, day, happened_at, step, hint, recipient, raw, received_at) on table public.inbound_events from authenticated;
grant select (client_id, source_id, event_key, kind, metric, state, day, happened_at, step, hint, recipient, raw, received_at, approval_id, version_number) on table public.inbound_events to authenticated;

grant select on table public.campaign_lists to authenticated;

grant all on table public.campaign_lists to service_role;

grant select on table public.client_lead_changes to authenticated;

grant all on table public.client_lead_changes to service_role;

grant delete, select on table public.client_leads to authenticated;

grant all on table public.client_leads to service_role;

revoke update (name, domain, time_zone, first_weekday, currency, meetings_goal, replies_goal, delivered_goal, report_weekday, report_hour) on table public.clients from authenticated;
grant update (name, domain, time_zone, first_weekday, currency, meetings_goal, replies_goal, delivered_goal, report_weekday, report_hour, lead_months) on table public.clients to authenticated;

create function private.read_list_rows(_client_id uuid, _rows jsonb, _restored_lines integer[]) returns table (
  line integer, company text, domain text, person text, fingerprint text, hint text, state text, reason text
) language sql stable security definer set search_path = '' set enable_nestloop = off as $$
  with given as materialized (
    select (item ->> 'line')::integer as line, private.one_line(item ->> 'company', 200) as company,
      private.one_line(item ->> 'person', 400) as person,
      coalesce(item ->> 'address', '') as address,
      case when private.is_mail_provider(lower(trim(item ->> 'domain'))) then '' else coalesce(item ->> 'domain', '') end as domain
    from jsonb_array_elements(_rows) as item
  ), read_address as (
    select line, kind, value, hint, reason from private.read_do_not_contact(_client_id, (
      select jsonb_agg(jsonb_build_object('line', line, 'text', address)) from given where address <> ''
    ))
  ), read_domain as (
    select line, kind, value, reason from private.read_do_not_contact(_client_id, (
      select jsonb_agg(jsonb_build_object('line', line, 'text', domain)) from given where domain <> ''
    ))
  ), read as materialized (
    select given.line, given.company, given.person,
      case when read_address.kind = 'address' then read_address.value end as fingerprint,
      case when read_address.kind = 'address' then read_address.hint else '' end as hint,
      coalesce(
        case when read_domain.kind = 'domain' then read_domain.value end,
        case
          when read_address.kind = 'address' and not private.is_mail_provider(split_part(read_address.hint, '@', 2))
            then split_part(read_address.hint, '@', 2)
        end, ''
      ) as domain,
      case
        when address = '' and given.domain = '' then 'The row has no email address and no domain.'
        when address <> '' and read_address.kind is distinct from 'address' then
          case when address ~ '^\s*[=+@-]' then 'Starts with =, +, - or @ like a formula.' else 'Not a valid email address.' end
        when given.domain <> '' and read_domain.kind is distinct from 'domain' then
          'Not a valid domain. Use a domain such as example.com.'
      end as fault
    from given left join read_address using (line) left join read_domain using (line)
  ), kept_off as (
    -- Each domain with its parent domains: an entry also blocks subdomains.
    select named.line, min(entry.hint) as hint
    from (
      select line, array_to_string((string_to_array(name, '.'))[n:], '.') as value
      from (
        select line, domain as name from read where domain <> ''
        union select line, split_part(hint, '@', 2) from read where hint <> ''
      ) as names, lateral generate_subscripts(string_to_array(name, '.'), 1) as n
      union all
      select line, fingerprint from read where fingerprint is not null
    ) as named
      join public.do_not_contact as entry on entry.client_id = _client_id and entry.value = named.value
    group by named.line
  ), judged as (
    select read.*, min(read.line) over (partition by coalesce(fingerprint, domain || ' ' || lower(person)), fault) as first_line,
      kept_off.hint as kept_off_by, removed.reason as removal
    from read
      left join kept_off using (line)
      left join private.removed_people(_client_id) as removed on removed.who = coalesce(fingerprint, domain || ' ' || lower(person))
  )
  select line, company, domain, person, fingerprint, hint,
    case
      when fault is not null or kept_off_by is not null or line > first_line then 'refused'
      when removal is not null and line <> all (coalesce(_restored_lines, '{}')) then 'removed'
      else 'new'
    end,
    case
      when fault is not null then fault
      when kept_off_by is not null then 'On the blocklist: ' || kept_off_by || '.'
      when line > first_line then 'Same as line ' || first_line || '.'
      else removal
    end
  from judged
$$;
revoke all on function private.read_list_rows(_client_id uuid, _rows jsonb, _restored_lines integer[]) from public, anon, authenticated, service_role;

grant execute on function public.list_approvals(_client_id uuid, _limit integer, _offset integer) to authenticated;

grant execute on function public.list_approvals(_client_id uuid, _limit integer, _offset integer) to service_role;

-- Existing versions get the present title, and existing decisions what is known about them.
update public.approval_versions as version set title = approvals.title
from public.approvals where approvals.client_id = version.client_id and approvals.id = version.approval_id;
update public.approval_decisions as decision
set title = version.title, text_sha256 = encode(sha256(convert_to(version.text, 'UTF8')), 'hex')
from public.approval_versions as version
where version.client_id = decision.client_id and version.approval_id = decision.approval_id and version.number = decision.number;
update public.approval_decisions as decision
set decided_by_name = private.one_line(private.name_of(users.raw_user_meta_data), 200),
  decided_by_address = left(coalesce(users.email, ''), 320)
from auth.users where users.id = decision.decided_by;

update private.personal_data set emptied = '{recipient,raw,reply}' where section = 'campaign_messages';

insert into private.jobs (name, function_name, rows_per_step) values ('delete old client leads', 'delete_old_client_leads', 200)
on conflict do nothing;

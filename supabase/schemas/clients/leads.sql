-- Leads of a client: people who answered a campaign with interest. Members and the client's team read them. Approvers
-- and the team change their status. Only the functions below insert and update rows. A policy allows the team to delete
-- them. The leads in public.leads are enquiries to the agency.
create table public.client_leads (
  client_id uuid not null references public.clients (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  -- Null if unknown. A campaign in the trash keeps its leads until it is permanently deleted.
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
  -- Time of the mail to the team that no one has taken the lead.
  reminded_at timestamptz
    constraint client_leads_reminded_at_calendar check (reminded_at between '1900-01-01' and '2999-12-31'),
  created_at timestamptz not null default now()
    constraint client_leads_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  -- Last change of the status. The retention period begins here.
  changed_at timestamptz not null default now()
    constraint client_leads_changed_at_calendar check (changed_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, id),
  foreign key (client_id, campaign_id) references public.campaigns (client_id, id) on delete cascade,
  foreign key (client_id, approval_id) references public.approvals (client_id, id) on delete set null (approval_id),
  constraint client_leads_person_check check (email || name || company ~ '\S'),
  constraint client_leads_not_fit_check check (status <> 'not_fit' or reason ~ '\S'),
  constraint client_leads_taken_check check ((status = 'new') = (taken_at is null))
);
create unique index client_leads_person_idx on public.client_leads (client_id, campaign_id, email) where email <> '';
create index client_leads_latest_idx on public.client_leads (client_id, received_at desc, id);
create index client_leads_waiting_idx on public.client_leads (changed_at) where status = 'new' and reminded_at is null;
create index client_leads_email_idx on public.client_leads (lower(email));
create index client_leads_approval_idx on public.client_leads (client_id, approval_id);
create index client_leads_campaign_idx on public.client_leads (client_id, campaign_id);
create index client_leads_added_by_idx on public.client_leads (added_by);
create index client_leads_taken_by_idx on public.client_leads (taken_by);
grant select, delete on public.client_leads to authenticated;
grant all on public.client_leads to service_role;
alter table public.client_leads enable row level security;
create policy "Admins read all leads of clients" on public.client_leads for select to authenticated
  using ((select private.is_admin()));
create policy "Members read the leads of their clients" on public.client_leads for select to authenticated
  using (client_id in (select private.clients_of_member()));
create policy "Team members read the leads of their clients" on public.client_leads for select to authenticated
  using (client_id in (select private.clients_of_team_member()));
create policy "Admins and assigned team members delete leads of clients" on public.client_leads for delete to authenticated
  using ((select private.is_admin()) or client_id in (select private.clients_of_team_member()));

create trigger reject_impersonated_writes before insert or update or delete on public.client_leads
  for each statement execute function private.reject_impersonated_writes();

-- History of a lead's status.
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
create index client_lead_changes_changed_by_idx on public.client_lead_changes (changed_by);
grant select on public.client_lead_changes to authenticated;
grant all on public.client_lead_changes to service_role;
alter table public.client_lead_changes enable row level security;
create policy "Admins read the history of all leads of clients" on public.client_lead_changes for select to authenticated
  using ((select private.is_admin()));
create policy "Members read the history of their clients' leads" on public.client_lead_changes for select to authenticated
  using (client_id in (select private.clients_of_member()));
create policy "Team members read the history of their clients' leads" on public.client_lead_changes for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

-- Adds a lead by hand, as the client's team. Returns its id.
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
grant execute on function public.add_client_lead to authenticated, service_role;

-- Changes the status that the caller read, as an approver or as the client's team. The first person who changes it
-- takes the lead.
create function public.change_client_lead(
  _client_id uuid, _id uuid, _expected_status text, _status text, _reason text default ''
) returns void language plpgsql security definer set search_path = '' as $$
begin
  if not private.works_for_client(_client_id) and _client_id not in (select private.clients_of_approver()) then
    raise exception 'You can read this, but only approvers can change leads.' using errcode = '42501';
  end if;
  perform private.change_lead(_client_id, _id, _expected_status, _status, _reason, private.user_id());
end
$$;
grant execute on function public.change_client_lead to authenticated, service_role;

-- Changes the status of a lead as a person who has the right to.
create function private.change_lead(
  _client_id uuid, _id uuid, _expected_status text, _status text, _reason text, _user_id uuid
) returns void language plpgsql security definer set search_path = '' as $$
declare
  _lead public.client_leads;
  _said constant text := btrim(coalesce(_reason, ''), E' \t\r\n');
  _number integer;
begin
  select * into _lead from public.client_leads where client_id = _client_id and id = _id for update;
  if not found then
    raise exception 'This lead no longer exists.' using errcode = 'P0001';
  elsif _lead.status is distinct from _expected_status then
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
    taken_by = case when _status <> 'new' then case when taken_at is null then _user_id else taken_by end end,
    taken_at = case when _status <> 'new' then coalesce(taken_at, now()) end,
    -- A lead that becomes new again gets another reminder.
    reminded_at = case when _status <> 'new' then reminded_at end
  where client_id = _client_id and id = _id;
  insert into public.client_lead_changes (client_id, lead_id, number, status, reason, changed_by)
  values (_client_id, _id, _number, _status, _said, _user_id);
end
$$;

-- Lists a client's leads, new ones first, then the latest: {"items": [{"id", "name", "email", "company", "title",
-- "campaign", "status", "received_at", "taken_by"}], "count": matching leads, "new_count", "all_count"}. Members do not
-- see addresses of colleagues.
create function public.list_client_leads(
  _client_id uuid, _search text default '', _status text default null, _limit integer default 24, _offset integer default 0
) returns jsonb language plpgsql stable security definer set search_path = '' as $$
declare
  _is_team constant boolean := private.works_for_client(_client_id);
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
          'taken_by', coalesce(private.display_name(page.taken_by, _is_team), '')
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
grant execute on function public.list_client_leads to authenticated, service_role;

-- Returns a lead with its reply and history. Null if it no longer exists.
create function public.client_lead(_client_id uuid, _id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.lead_with_history(_client_id, _id, private.works_for_client(_client_id));
end
$$;
grant execute on function public.client_lead to authenticated, service_role;

-- Returns the approved row that a lead is from: {"approval_id", "title", "number", "decided_at", "line", "company",
-- "domain", "person", "hint"}. It is in a version that was approved for the campaign before the reply, and the client
-- did not remove it. An address counts before a domain, and the latest decision before earlier ones. Null if no row
-- matches.
create function private.list_row_of_lead(_lead public.client_leads) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'approval_id', item.approval_id, 'title', version.title, 'number', item.number, 'decided_at', list.decided_at,
    'line', item.line, 'company', item.company, 'domain', item.domain, 'person', item.person, 'hint', item.hint
  )
  from (
      -- offset 0 stops the planner from adding other conditions, so that the indexes are used.
      (
        select any_row.*, null::integer as domain_length from public.approval_rows as any_row
        where fingerprint = private.hash_of_address(_lead.email) offset 0
      )
      union all
      select company.* from (select string_to_array(regexp_replace(_lead.email, '^.*@', ''), '.')) as parts (labels)
        cross join lateral generate_subscripts(labels, 1) as n
        cross join lateral (
          select any_row.*, length(domain) from public.approval_rows as any_row
          where domain = array_to_string(labels[n:], '.') and fingerprint is null offset 0
        ) as company
    ) as item
    join private.lists_of_campaign(_lead.client_id, _lead.campaign_id) as list
      on list.approval_id = item.approval_id and list.number = item.number and list.starts_at <= _lead.received_at
    join public.approval_versions as version
      on version.client_id = item.client_id and version.approval_id = item.approval_id and version.number = item.number
  where _lead.email like '%@%' and item.client_id = _lead.client_id and not exists (
    select from public.approval_vetoes as veto
    where veto.client_id = item.client_id and veto.approval_id = item.approval_id and veto.number = item.number
      and veto.line = item.line
  )
  order by item.domain_length is null desc, list.decided_at desc, item.domain_length desc, item.line limit 1
$$;

-- Returns a lead with its reply, list row, meetings and history, as the client's team or its members see it.
create function private.lead_with_history(_client_id uuid, _id uuid, _is_team boolean) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select jsonb_build_object(
      'id', lead.id, 'name', lead.name, 'email', lead.email, 'company', lead.company, 'title', lead.title,
      'words', lead.words, 'campaign_id', lead.campaign_id, 'campaign', campaigns.name, 'step', lead.step, 'approval_id', lead.approval_id,
      'text', approvals.title, 'received_at', lead.received_at, 'origin', lead.origin, 'status', lead.status,
      'reason', lead.reason, 'taken_by', coalesce(private.display_name(lead.taken_by, _is_team), ''), 'taken_at', lead.taken_at,
      'added_by', coalesce(private.display_name(lead.added_by, _is_team), ''),
      'list_row', private.list_row_of_lead(lead),
      'meetings', coalesce((
        select jsonb_agg(jsonb_build_object(
          'id', meeting.id, 'starts_at', meeting.starts_at, 'outcome', meeting.outcome
        ) order by meeting.starts_at desc, meeting.id)
        from public.client_meetings as meeting where meeting.client_id = lead.client_id and meeting.lead_id = lead.id
      ), '[]'),
      'changes', coalesce((
        select jsonb_agg(jsonb_build_object(
          'number', number, 'status', change.status, 'reason', change.reason, 'at', change.created_at,
          'by', coalesce(private.display_name(change.changed_by, _is_team), '')
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

alter table public.client_meetings add foreign key (client_id, lead_id)
  references public.client_leads (client_id, id) on delete set null (lead_id);

-- Stores the lead of a meeting. The status of the lead becomes 'meeting', unless it is won. Null keeps the stored lead.
-- Does not check rights, because the caller has already done so.
create function private.set_lead_of_meeting(_client_id uuid, _meeting_id uuid, _lead_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _lead public.client_leads;
begin
  if _lead_id is null then
    return;
  end if;
  select * into _lead from public.client_leads where client_id = _client_id and id = _lead_id for update;
  if not found then
    raise exception 'This lead no longer exists.' using errcode = 'P0001';
  end if;
  update public.client_meetings set lead_id = _lead_id where client_id = _client_id and id = _meeting_id;
  if _lead.status not in ('meeting', 'won') then
    perform private.change_lead(_client_id, _lead_id, _lead.status, 'meeting', '', private.user_id());
  end if;
end
$$;

-- Turns new events that show interest into leads, one per person and campaign. Each lead is read from all events of its
-- person, so that their order does not matter: a reply may arrive after its classification. `_events` are those of
-- store_campaign_events(), with "reply": {"name", "company", "title", "text"}.
create function private.add_leads_of_events(
  _source public.campaign_sources, _new private.received_event[], _events jsonb
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
    select interest.email, interest.received_at,
      (array_agg(seen.reply ->> 'name' order by seen.rank, seen.distance, seen.event_key)
        filter (where seen.reply ->> 'name' <> ''))[1] as name,
      (array_agg(seen.reply ->> 'company' order by seen.rank, seen.distance, seen.event_key)
        filter (where seen.reply ->> 'company' <> ''))[1] as company,
      (array_agg(seen.reply ->> 'title' order by seen.rank, seen.distance, seen.event_key)
        filter (where seen.reply ->> 'title' <> ''))[1] as title,
      (array_agg(seen.reply ->> 'text' order by seen.rank, seen.distance, seen.event_key)
        filter (where seen.reply ->> 'text' <> ''))[1] as words,
      (array_agg(seen.step order by seen.rank, seen.distance, seen.event_key)
        filter (where seen.step is not null and (seen.rank < 3 or seen.happened_at <= interest.received_at)))[1] as step,
      (array_agg(seen.approval_id order by seen.distance, seen.event_key)
        filter (where seen.approval_id is not null and seen.happened_at <= interest.received_at))[1] as approval_id
    -- Read once per person, not once per event of the person.
    from (
      select wanted.email, min(event.happened_at) as received_at
      from wanted cross join lateral (
        -- offset 0 stops the planner from adding other conditions, so that the index on the address is used.
        select * from public.inbound_events where lower(recipient) = wanted.email and recipient is not null offset 0
      ) as event
      where event.client_id = _source.client_id and event.source_id = _source.id
        and event.state = 'counted' and event.metric = 'positive_replies'
      group by wanted.email
    ) as interest cross join lateral (
      select event.event_key, event.reply, event.step, event.approval_id, event.happened_at,
        case event.metric when 'positive_replies' then 1 when 'replies' then 2 else 3 end as rank,
        abs(extract(epoch from event.happened_at - interest.received_at)) as distance
      from (
        select * from public.inbound_events where lower(recipient) = interest.email and recipient is not null offset 0
      ) as event
      where event.client_id = _source.client_id and event.source_id = _source.id and event.state = 'counted'
        and event.metric in ('sent', 'replies', 'positive_replies')
    ) as seen
    group by interest.email, interest.received_at
  )
  insert into public.client_leads as lead (
    client_id, campaign_id, email, name, company, title, words, step, approval_id, received_at, origin
  )
  select _source.client_id, _source.campaign_id, email, coalesce(name, ''), coalesce(company, ''), coalesce(title, ''),
    coalesce(words, ''), step, approval_id, received_at, 'reply'
  from read order by received_at, email
  on conflict (client_id, campaign_id, email) where email <> '' do update set
    -- Keeps what a person entered, and the former value if the event lacks it.
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

-- Deletes leads whose status has not changed for the retention period of their client.
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

-- Returns the time one working day later: the same time on the next day from Monday to Friday. A time at the weekend
-- counts as the start of Monday.
create function private.add_working_day(_from timestamptz, _zone text) returns timestamptz
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

-- Name of a lead in a mail: 'Kari Moe, Kunde AS'.
create function private.name_of_lead(_lead public.client_leads) returns text
language sql immutable set search_path = '' as $$
  select concat_ws(', ', coalesce(nullif(_lead.name, ''), nullif(_lead.email, '')), nullif(_lead.company, ''))
$$;

-- Mails a new lead to the client's people who want it. The mail to an approver has a link for their present address. At
-- most 20 leads a day are mailed per address. After that, one more mail says where to read the others of that day.
create function private.mail_client_about_lead() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Materialized, because the planner could otherwise call count_for_subject() for other people's addresses.
  with people as materialized (
    select member.user_id, member.email, membership.kind = 'approver' as is_approver, clients.name as client, (
      select campaigns.name from public.campaigns where campaigns.client_id = new.client_id and campaigns.id = new.campaign_id
    ) as campaign
    from private.members_to_mail(new.client_id, 'lead') as member
      join public.client_members as membership
        on membership.client_id = new.client_id and membership.user_id = member.user_id
      join auth.users on users.id = member.user_id and coalesce(users.banned_until <= now(), true)
      join public.clients on clients.id = new.client_id
  ), mailed as materialized (
    select *, private.new_link_token() as token, '/client-dashboard?client=' || new.client_id as portal, case
      when private.count_for_subject('lead mail', lower(email), 20, interval '1 day') then 'client_lead'
      when private.count_for_subject('lead mail', lower(email), 21, interval '1 day') then 'more_leads'
    end as template
    from people
  ), linked as (
    insert into private.mailed_links (token_hash, client_id, lead_id, user_id, address_hash)
    select hash, new.client_id, new.id, user_id, private.hash_of_link(hash || lower(email))
    from mailed, private.hash_of_link(token) as hash where template = 'client_lead' and is_approver
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, template, jsonb_build_object('Email', email, 'ClientId', new.client_id, 'Client', client) || case
    when template = 'more_leads' then jsonb_build_object('Path', portal || '&tab=leads', 'Count', (
      select case count(*) when 1 then '1 lead' else to_char(count(*), 'FM999,999,990') || ' leads' end
      from public.client_leads as lead where lead.client_id = new.client_id and lead.status = 'new'
    ))
    else jsonb_build_object(
      'Title', private.name_of_lead(new),
      'What', case when campaign is null then 'A new lead for ' || client || '.'
        else 'They answered the campaign “' || campaign || '” of ' || client || '.' end,
      'Message', case when new.words = '' then '' else '“' || left(new.words, 1500) || case when length(new.words) > 1500 then '…' else '' end || '”' end
    ) || case
      when is_approver then jsonb_build_object(
        'Path', '/lead/' || token, 'Action', 'I will take it',
        'Items', jsonb_build_array(
          jsonb_build_object('text', 'Not a fit', 'path', '/lead/' || token || '?answer=not_fit'),
          jsonb_build_object('text', 'Open it in your dashboard', 'path', portal || '#lead-' || new.id)
        ),
        'Access', 'The button and “Not a fit” open a page where you confirm your answer. They work without a password for 14 days, in the first browser that answers. Do not forward this email.'
      )
      else jsonb_build_object(
        'Path', portal || '#lead-' || new.id, 'Action', 'Open the lead', 'Access', 'The button opens your dashboard.'
      )
    end
  end
  from mailed where template is not null;
  return null;
end
$$;

create trigger mail_client after insert on public.client_leads
  for each row execute function private.mail_client_about_lead();

-- Mails the team about the next lead that no one took within a working day of the client, and returns false if no lead
-- is due. Each lead is mailed once, to the assigned team members, or to the admins if no one is assigned. At most 20
-- mails a day per address.
create function private.mail_next_waiting_lead(_now timestamptz default now()) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  _lead public.client_leads;
begin
  select lead.* into _lead from public.client_leads as lead join public.clients on clients.id = lead.client_id
  where lead.status = 'new' and lead.reminded_at is null and lead.changed_at <= _now - interval '20 hours'
    and not clients.is_sample and private.add_working_day(lead.changed_at, clients.time_zone) <= _now
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
    'Email', email, 'ClientId', _lead.client_id, 'Client', client, 'Title', private.name_of_lead(_lead),
    'Path', private.team_path(id, _lead.client_id, 'lead-' || _lead.id)
  )
  from people where private.count_for_subject('waiting lead mail', lower(email), 20, interval '1 day');
  return true;
end
$$;

-- Copy that waits for a client's yes. A text is asked for in versions that never change, and each decision names the version
-- that the client had read. The people of the client decide; those who work for it ask. Rows come by the functions below
-- alone, which take turns by a lock on the approval, so that nobody decides on a text that was replaced meanwhile.

create table public.approvals (
  client_id uuid not null references public.clients (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  title text not null check (length(trim(title)) between 1 and 200 and title !~ '[[:cntrl:]]'),
  created_at timestamptz not null default now(),
  primary key (client_id, id)
);

create table public.approval_versions (
  client_id uuid not null,
  approval_id uuid not null,
  number integer not null check (number between 1 and 100),
  text text not null check (length(text) <= 20000 and text ~ '\S'),
  -- The day until which an answer is needed.
  due_on date,
  asked_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  primary key (client_id, approval_id, number),
  foreign key (client_id, approval_id) references public.approvals (client_id, id) on delete cascade
);
create index approval_versions_asked_by_idx on public.approval_versions (asked_by);

create table public.approval_decisions (
  client_id uuid not null,
  approval_id uuid not null,
  number integer not null,
  verdict text not null check (verdict in ('yes', 'changes', 'no')),
  comment text not null default '' check (length(comment) <= 2000),
  decided_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  primary key (client_id, approval_id, number),
  foreign key (client_id, approval_id, number)
    references public.approval_versions (client_id, approval_id, number) on delete cascade,
  check (verdict = 'yes' or comment ~ '\S')
);
create index approval_decisions_decided_by_idx on public.approval_decisions (decided_by);

revoke all on table public.approvals, public.approval_versions, public.approval_decisions from anon, authenticated;
grant select on table public.approvals, public.approval_versions, public.approval_decisions to authenticated;
grant all on table public.approvals, public.approval_versions, public.approval_decisions to service_role;
alter table public.approvals enable row level security;
alter table public.approval_versions enable row level security;
alter table public.approval_decisions enable row level security;

create policy "Admins read all approvals" on public.approvals
  for select to authenticated using ((select private.is_admin()));
create policy "Members read what their clients are asked to approve" on public.approvals
  for select to authenticated using (client_id in (select private.clients_of_member()));
create policy "Team members read the approvals of their clients" on public.approvals
  for select to authenticated using (client_id in (select private.clients_of_team_member()));

create policy "Admins read all versions" on public.approval_versions
  for select to authenticated using ((select private.is_admin()));
create policy "Members read the versions that their clients are asked for" on public.approval_versions
  for select to authenticated using (client_id in (select private.clients_of_member()));
create policy "Team members read the versions of their clients" on public.approval_versions
  for select to authenticated using (client_id in (select private.clients_of_team_member()));

create policy "Admins read all decisions" on public.approval_decisions
  for select to authenticated using ((select private.is_admin()));
create policy "Members read the decisions of their clients" on public.approval_decisions
  for select to authenticated using (client_id in (select private.clients_of_member()));
create policy "Team members read the decisions of their clients" on public.approval_decisions
  for select to authenticated using (client_id in (select private.clients_of_team_member()));

-- Locks an approval until the transaction ends. Returns the number of its newest version, and whether that was decided.
create function private.lock_approval(_client_id uuid, _approval_id uuid, out number integer, out is_decided boolean)
language plpgsql security definer set search_path = ''
as $$
begin
  perform from public.approvals where client_id = _client_id and id = _approval_id for update;
  if not found then
    raise exception 'There is no such approval any more.' using errcode = 'P0001';
  end if;
  select version.number, decision.number is not null into lock_approval.number, lock_approval.is_decided
  from public.approval_versions as version
    left join public.approval_decisions as decision using (client_id, approval_id, number)
  where version.client_id = _client_id and version.approval_id = _approval_id
  order by version.number desc limit 1;
end
$$;
revoke all on function private.lock_approval(uuid, uuid) from public;

-- Mails the people of a client that a text waits for them. Past 20 a day to one address the dashboard is read, not the mailbox.
create function private.tell_client_of_approval(_client_id uuid, _title text, _number integer, _due_on date) returns void
language sql security definer set search_path = ''
as $$
  -- Found first, or the planner could count for addresses of others.
  with people as materialized (
    select users.email, clients.name as client
    from public.client_members
      join public.clients on clients.id = client_members.client_id
      join public.user_roles on user_roles.user_id = client_members.user_id and role = 'client' and approved
      join auth.users on users.id = client_members.user_id
    where client_members.client_id = _client_id and users.email <> ''
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'approval_asked', jsonb_build_object(
    'Email', email, 'Title', _title, 'Client', client,
    'Version', case when _number = 1 then '' else 'This is version ' || _number || ', with what changed marked.' end,
    'Due', case when _due_on is null then '' else 'We need your answer by ' || to_char(_due_on, 'FMDD FMMonth YYYY') || '.' end
  )
  from people where private.count_for_subject('approval mail', lower(email), 20, interval '1 day')
$$;
revoke all on function private.tell_client_of_approval(uuid, text, integer, date) from public;

-- Mails who asked for a version how the client decided on it. Past 100 a day the dashboard is read.
create function private.tell_asker_of_decision(_decision public.approval_decisions) returns void
language sql security definer set search_path = ''
as $$
  with asker as materialized (
    select users.email, approvals.title, clients.name as client
    from public.approval_versions as version
      join public.approvals on approvals.client_id = version.client_id and approvals.id = version.approval_id
      join public.clients on clients.id = version.client_id
      join public.user_roles on user_roles.user_id = version.asked_by and role in ('team', 'admin') and approved
      join auth.users on users.id = version.asked_by
    where version.client_id = _decision.client_id and version.approval_id = _decision.approval_id
      and version.number = _decision.number and users.email <> ''
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'approval_decided', jsonb_build_object(
    'Email', email, 'Title', title, 'Client', client, 'Message', _decision.comment,
    'Verdict', case _decision.verdict when 'yes' then 'Approved' when 'changes' then 'Approved with changes' else 'Declined' end
  )
  from asker where private.count_for_subject('decision mail', lower(email), 100, interval '1 day')
$$;
revoke all on function private.tell_asker_of_decision(public.approval_decisions) from public;

-- Asks a client for a yes to a text: to a new one, or with _approval_id to the next version of one. Returns the approval.
create function public.ask_for_approval(
  _client_id uuid, _title text, _text text, _due_on date default null, _approval_id uuid default null
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  _id uuid := _approval_id;
  _newest integer := 0;
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only those who work for this client may ask' using errcode = '42501';
  end if;
  if _id is null then
    -- Two who ask at the same time wait for each other, so that the number stays under its limit.
    perform from public.clients where id = _client_id for no key update;
    if (select count(*) from public.approvals where client_id = _client_id) >= 2000 then
      raise exception 'A client has at most 2,000 approvals. Withdraw some that nobody decided.' using errcode = 'P0001';
    end if;
    insert into public.approvals (client_id, title) values (_client_id, trim(_title)) returning id into _id;
  else
    select number into _newest from private.lock_approval(_client_id, _id);
    if _newest >= 100 then
      raise exception 'A text has at most 100 versions. Ask for a new one.' using errcode = 'P0001';
    elsif exists (
      select from public.approval_versions
      where client_id = _client_id and approval_id = _id and number = _newest and text = _text
    ) then
      raise exception 'The text is the same as before.' using errcode = 'P0001';
    end if;
    update public.approvals set title = trim(_title) where client_id = _client_id and id = _id and title <> trim(_title);
  end if;
  insert into public.approval_versions (client_id, approval_id, number, text, due_on, asked_by)
  values (_client_id, _id, _newest + 1, _text, _due_on, private.user_id());
  perform private.tell_client_of_approval(_client_id, trim(_title), _newest + 1, _due_on);
  return _id;
end
$$;
revoke all on function public.ask_for_approval(uuid, text, text, date, uuid) from public, anon, authenticated;
grant execute on function public.ask_for_approval(uuid, text, text, date, uuid) to authenticated, service_role;

-- Decides on the version that a person of the client has read. Refuses when a newer one is there, or somebody was faster.
create function public.decide_approval(
  _client_id uuid, _approval_id uuid, _number integer, _verdict text, _comment text default ''
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  _newest integer;
  _is_decided boolean;
  _decision public.approval_decisions;
begin
  if private.works_for_client(_client_id) then
    raise exception 'Only the people of the client decide' using errcode = '42501';
  end if;
  select number, is_decided into _newest, _is_decided from private.lock_approval(_client_id, _approval_id);
  if _number is distinct from _newest then
    raise exception 'There is a newer version of this text. Please read it first.' using errcode = 'P0001';
  elsif _is_decided then
    raise exception 'A colleague has decided this already.' using errcode = 'P0001';
  elsif _verdict in ('no', 'changes') and coalesce(_comment, '') !~ '\S' then
    raise exception 'Please write what should be different.' using errcode = 'P0001';
  end if;
  insert into public.approval_decisions (client_id, approval_id, number, verdict, comment, decided_by)
  values (_client_id, _approval_id, _number, _verdict, btrim(coalesce(_comment, ''), E' \t\r\n'), private.user_id())
  returning * into _decision;
  perform private.tell_asker_of_decision(_decision);
end
$$;
revoke all on function public.decide_approval(uuid, uuid, integer, text, text) from public, anon, authenticated;
grant execute on function public.decide_approval(uuid, uuid, integer, text, text) to authenticated, service_role;

-- Takes back what was asked, as long as nobody of the client decided on any version of it.
create function public.withdraw_approval(_client_id uuid, _approval_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only those who work for this client may withdraw' using errcode = '42501';
  end if;
  perform private.lock_approval(_client_id, _approval_id);
  if exists (select from public.approval_decisions where client_id = _client_id and approval_id = _approval_id) then
    raise exception 'The client has decided on this. Decisions stay.' using errcode = 'P0001';
  end if;
  delete from public.approvals where client_id = _client_id and id = _approval_id;
end
$$;
revoke all on function public.withdraw_approval(uuid, uuid) from public, anon, authenticated;
grant execute on function public.withdraw_approval(uuid, uuid) to authenticated, service_role;

-- Lists what a client is asked to approve, with the newest version of each and the one before: first what waits, by the day on
-- which it is due, then what was decided, the latest first. To the client no address of a person is told.
create function public.list_approvals(_client_id uuid, _limit integer default 24, _offset integer default 0)
returns table (
  id uuid, title text, number integer, text text, former_text text, due_on date, asked_by text, asked_at timestamptz,
  verdict text, comment text, decided_by text, decided_at timestamptz, may_withdraw boolean, waiting integer, total integer
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  _works_for constant boolean := private.works_for_client(_client_id);
begin
  return query
    with newest as (
      select approval.id, approval.title, version.number, version.text, version.due_on, version.asked_by,
        version.created_at as asked_at, decision.verdict, decision.comment, decision.decided_by,
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
    select shown.id, shown.title, shown.number, shown.text, former.text, shown.due_on,
      coalesce(nullif(private.name_of(asker.raw_user_meta_data), ''), case when _works_for then asker.email end, '')::text,
      shown.asked_at, shown.verdict, shown.comment,
      coalesce(nullif(private.name_of(decider.raw_user_meta_data), ''), case when _works_for then decider.email end, '')::text,
      shown.decided_at,
      _works_for and not exists (
        select from public.approval_decisions as any_decision
        where any_decision.client_id = _client_id and any_decision.approval_id = shown.id
      ),
      shown.waiting, shown.total
    from shown
      left join public.approval_versions as former
        on former.client_id = _client_id and former.approval_id = shown.id and former.number = shown.number - 1
      left join auth.users as asker on asker.id = shown.asked_by
      left join auth.users as decider on decider.id = shown.decided_by
    order by shown.verdict is not null, shown.decided_at desc, shown.due_on nulls last, shown.asked_at, shown.id;
end
$$;
revoke all on function public.list_approvals(uuid, integer, integer) from public, anon, authenticated;
grant execute on function public.list_approvals(uuid, integer, integer) to authenticated, service_role;

insert into private.personal_data (table_name, ids, section, given, sorted_by, on_deletion) values
  ('approval_versions', '{asked_by}', 'asked_approvals',
    '{"at": "created_at", "client": "client_id", "version": "number", "text": "text"}', 'created_at', 'follow'),
  ('approval_decisions', '{decided_by}', 'decided_approvals',
    '{"at": "created_at", "client": "client_id", "version": "number", "verdict": "verdict", "comment": "comment"}',
    'created_at', 'follow');

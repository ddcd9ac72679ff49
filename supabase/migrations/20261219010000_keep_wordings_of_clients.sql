-- A yes with changes to a text. Where the person of the client wrote the text as they want it, their wording is the next version,
-- and their yes is to that one: nobody approves what no version holds. Where they only say what should change, the version that
-- was read is not approved; the changed text is the next version, which waits for a yes like every other. What decides takes
-- the person, for whoever has found out who that is.

alter table public.approvals add column kind text not null default 'text' check (kind in ('text', 'list', 'file'));
alter table public.approval_versions add column is_wording boolean not null default false;
comment on column public.approval_versions.is_wording is 'Written by the person of the client who said yes to it at once; asked_by names them.';

drop function private.tell_client_of_approval(uuid, text, integer, date);

-- Mails the approvers of a client that a version waits for them. The twentieth mail of a day to one address says that it is the last:
-- from then on the dashboard is read, not the mailbox.
create function private.tell_client_of_approval(_version public.approval_versions) returns void
language sql security definer set search_path = ''
as $$
  -- Found first, or the planner could count for addresses of others.
  with people as materialized (
    select email, clients.name as client, approvals.title, approvals.kind
    from private.members_to_tell(_version.client_id, 'waiting'), public.clients
      join public.approvals on approvals.client_id = clients.id and approvals.id = _version.approval_id
    where clients.id = _version.client_id
  ), mailed as materialized (
    select *, case
      when private.count_for_subject('approval mail', lower(email), 19, interval '1 day') then ''
      when private.count_for_subject('approval mail', lower(email), 20, interval '1 day')
        then 'This is the last of these mails today. Whatever else waits for you stands on your dashboard.'
    end as more
    from people
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'approval_asked', jsonb_build_object(
    'Email', email, 'Title', title, 'Client', client, 'More', more,
    'What', case kind when 'text' then 'We wrote a text' when 'list' then 'We made a list' else 'We have a file' end,
    'Version', case
      when _version.number = 1 then ''
      when kind = 'text' then 'This is version ' || _version.number || ', with what changed marked.'
      else 'This is version ' || _version.number || '.'
    end,
    'Due', case
      when _version.due_on is null then ''
      else 'We need your answer by ' || to_char(_version.due_on, 'FMDD FMMonth YYYY') || '.'
    end
  )
  from mailed where more is not null
$$;
revoke all on function private.tell_client_of_approval(public.approval_versions) from public;

-- Mails who asked last how the client decided. Past 100 a day the dashboard is read.
create or replace function private.tell_asker_of_decision(_decision public.approval_decisions) returns void
language sql security definer set search_path = ''
as $$
  with asker as materialized (
    select users.email, approvals.title, clients.name as client, decided.is_wording
    from public.approval_versions as decided
      join public.approvals on approvals.client_id = decided.client_id and approvals.id = decided.approval_id
      join public.clients on clients.id = decided.client_id
      join lateral (
        select asked_by from public.approval_versions as version
        where version.client_id = decided.client_id and version.approval_id = decided.approval_id
          and version.number <= decided.number and not version.is_wording
        order by version.number desc limit 1
      ) as asked on true
      join public.user_roles on user_roles.user_id = asked.asked_by and role in ('team', 'admin') and approved
      join auth.users on users.id = asked.asked_by
    where decided.client_id = _decision.client_id and decided.approval_id = _decision.approval_id
      and decided.number = _decision.number and users.email <> ''
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'approval_decided', jsonb_build_object(
    'Email', email, 'Title', title, 'Client', client, 'Message', _decision.comment,
    'Verdict', case
      when is_wording then 'Agreed in the client''s wording'
      when _decision.verdict = 'yes' then 'Approved'
      when _decision.verdict = 'changes' then 'Changes wanted'
      else 'Declined'
    end
  )
  from asker where private.count_for_subject('decision mail', lower(email), 100, interval '1 day')
$$;

-- Asks a client for a yes to a text: to a new one, or with _approval_id to the next version of one. Returns the approval.
create or replace function public.ask_for_approval(
  _client_id uuid, _title text, _text text, _due_on date default null, _approval_id uuid default null
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  _id uuid := _approval_id;
  _newest integer := 0;
  _version public.approval_versions;
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
  values (_client_id, _id, _newest + 1, _text, _due_on, private.user_id()) returning * into _version;
  perform private.tell_client_of_approval(_version);
  return _id;
end
$$;

-- Decides for a person of the client on the version that they have read. Refuses when a newer one is there, or somebody was
-- faster. With _wording, a text of theirs, that text is the next version and the decision is a yes to it. Asks for no rights:
-- who calls it has made sure that the person belongs to the client and decides.
create function private.decide_approval(
  _client_id uuid, _approval_id uuid, _number integer, _verdict text, _comment text, _wording text, _person uuid
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  _said constant text := btrim(coalesce(_comment, ''), E' \t\r\n');
  _version public.approval_versions;
  _newest integer;
  _is_decided boolean;
  _decision public.approval_decisions;
begin
  select number, is_decided into _newest, _is_decided from private.lock_approval(_client_id, _approval_id);
  if _number is distinct from _newest then
    raise exception 'There is a newer version. Please read it first.' using errcode = 'P0001';
  elsif _is_decided then
    raise exception 'A colleague has decided this already.' using errcode = 'P0001';
  elsif _wording is not null and _verdict is distinct from 'changes' then
    raise exception 'Only a yes with changes has another wording.' using errcode = '22023';
  elsif _wording is null and _verdict in ('no', 'changes') and _said = '' then
    raise exception 'Please write what should be different.' using errcode = 'P0001';
  end if;
  if _wording is not null then
    select * into _version from public.approval_versions
    where client_id = _client_id and approval_id = _approval_id and number = _newest;
    if _wording = _version.text then
      raise exception 'The text is the same as before.' using errcode = 'P0001';
    elsif _newest >= 100 then
      raise exception 'A text has at most 100 versions. Write what should be different instead.' using errcode = 'P0001';
    end if;
    insert into public.approval_versions (client_id, approval_id, number, text, asked_by, is_wording)
    values (_client_id, _approval_id, _newest + 1, _wording, _person, true);
  end if;
  insert into public.approval_decisions (client_id, approval_id, number, verdict, comment, decided_by)
  values (
    _client_id, _approval_id, case when _wording is null then _newest else _newest + 1 end,
    case when _wording is null then _verdict else 'yes' end, _said, _person
  )
  returning * into _decision;
  perform private.tell_asker_of_decision(_decision);
end
$$;
revoke all on function private.decide_approval(uuid, uuid, integer, text, text, text, uuid) from public;

drop function public.decide_approval(uuid, uuid, integer, text, text);

-- Decides on the version that a person of the client has read, see private.decide_approval().
create function public.decide_approval(
  _client_id uuid, _approval_id uuid, _number integer, _verdict text, _comment text default '', _wording text default null
) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_approver(_client_id);
  perform private.decide_approval(_client_id, _approval_id, _number, _verdict, _comment, _wording, private.user_id());
end
$$;
revoke all on function public.decide_approval(uuid, uuid, integer, text, text, text) from public, anon, authenticated;
grant execute on function public.decide_approval(uuid, uuid, integer, text, text, text) to authenticated, service_role;

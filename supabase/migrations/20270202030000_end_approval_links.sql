-- Links that approve without signing in end when all sessions of their recipient end, when the account is banned, and when
-- the account's address is no longer the one that the link was mailed to.

-- A digest of the address, salted with the digest of the token, so that no row repeats an address.
alter table private.approval_links add column address_hash text check (address_hash ~ '^[0-9a-f]{64}$');
update private.approval_links as link set address_hash = private.hash_of_link(link.token_hash || lower(users.email))
from auth.users where users.id = link.user_id;
delete from private.approval_links where address_hash is null;
alter table private.approval_links alter column address_hash set not null;

-- Whether the recipient of a link may still use it.
create function private.is_approval_link_live(_link private.approval_links) returns boolean
language sql stable security definer set search_path = ''
as $$
  select _link.expires_at >= now() and exists (
    select from public.client_members as member
      join public.user_roles as roles on roles.user_id = member.user_id
      join auth.users as person on person.id = member.user_id
    where member.client_id = _link.client_id and member.user_id = _link.user_id and member.kind = 'approver'
      and roles.role = 'client' and roles.approved
      and coalesce(person.banned_until <= now(), true)
      and private.hash_of_link(_link.token_hash || lower(person.email)) = _link.address_hash
  )
$$;
revoke all on function private.is_approval_link_live(private.approval_links) from public;

create or replace function private.approval_link_of(
  _token text, _holder text, out link private.approval_links, out refusal text
) returns record
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.count_for_address('approval link', private.client_address(), 60, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'Too many tries from your network. Please wait an hour, or sign in.';
  elsif coalesce(length(_holder), 0) not between 32 and 100 then
    raise exception 'A browser holds between 32 and 100 characters.' using errcode = '22023';
  end if;
  select found.* into link from private.approval_links as found
  where found.token_hash = private.hash_of_link(left(_token, 200)) for update;
  if link.token_hash is null or not private.is_approval_link_live(link) then
    refusal := 'This link has ended. Sign in to see what waits for you.';
  elsif link.holder_hash <> private.hash_of_link(_holder) then
    refusal := 'This link was opened in another browser. Use that one, or sign in.';
  end if;
end
$$;

create or replace function private.held_approval_link(_token text, _holder text) returns private.approval_links
language sql stable security definer set search_path = ''
as $$
  select link from private.approval_links as link
  where link.token_hash = private.hash_of_link(left(_token, 200))
    and link.holder_hash = private.hash_of_link(left(_holder, 200)) and private.is_approval_link_live(link)
$$;

-- As before, and a link notes the address that it is mailed to.
create or replace function private.tell_client_of_approval(_version public.approval_versions) returns void
language sql security definer set search_path = ''
as $$
  -- Found first, or the planner could count for addresses of others.
  with people as materialized (
    select user_id, email, clients.name as client, approvals.title, approvals.kind
    from private.members_to_tell(_version.client_id, 'waiting'), public.clients
      join public.approvals on approvals.client_id = clients.id and approvals.id = _version.approval_id
    where clients.id = _version.client_id
  ), mailed as materialized (
    select *, replace(gen_random_uuid()::text || gen_random_uuid(), '-', '') as token, case
      when private.count_for_subject('approval mail', lower(email), 19, interval '1 day') then ''
      when private.count_for_subject('approval mail', lower(email), 20, interval '1 day')
        then 'This is the last of these mails today. Whatever else waits for you stands on your dashboard.'
    end as more
    from people
  ), linked as (
    insert into private.approval_links (token_hash, client_id, approval_id, number, user_id, address_hash)
    select hash, _version.client_id, _version.approval_id, _version.number, user_id,
      private.hash_of_link(hash || lower(email))
    from mailed, private.hash_of_link(token) as hash where more is not null
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'approval_asked', jsonb_build_object(
    'Email', email, 'Title', title, 'Client', client, 'More', more,
    'Path', '/approve/' || token,
    'Access', 'The button needs no password for 14 days, in the browser that shows it first: do not forward this mail.',
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

-- Ends the sessions of a person, except for one if it is given, and the links that need no session.
drop function private.end_sessions_of(uuid);
create function private.end_sessions_of(_user_id uuid, _but_session uuid default null) returns void
language sql security definer set search_path = ''
as $$
  delete from auth.sessions where user_id = _user_id and id is distinct from _but_session;
  delete from auth.refresh_tokens where user_id = _user_id::text and session_id is distinct from _but_session;
  delete from private.approval_links where user_id = _user_id;
$$;
revoke all on function private.end_sessions_of(uuid, uuid) from public;

-- Signs the caller out everywhere else.
create function public.end_my_other_sessions() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if private.user_id() is null then
    raise exception 'Please sign in first.' using errcode = '42501';
  end if;
  perform private.refuse_applications();
  perform private.end_sessions_of(private.user_id(), ((select auth.jwt()) ->> 'session_id')::uuid);
end
$$;
revoke all on function public.end_my_other_sessions() from public, anon, authenticated;
grant execute on function public.end_my_other_sessions() to authenticated;

-- Lets an approver decide on one version of a text from the link in their mail, without a password, once.
create table private.approval_links (
  -- SHA-256 of the token, which is in the mail only.
  token_hash text primary key check (token_hash ~ '^[0-9a-f]{64}$'),
  client_id uuid not null,
  approval_id uuid not null,
  number integer not null,
  user_id uuid not null references auth.users (id) on delete cascade,
  -- SHA-256 of what the browser holds that showed the text first: a link that is forwarded afterwards shows nothing.
  holder_hash text check (holder_hash ~ '^[0-9a-f]{64}$'),
  used_at timestamptz,
  expires_at timestamptz not null default now() + interval '14 days',
  foreign key (client_id, approval_id, number)
    references public.approval_versions (client_id, approval_id, number) on delete cascade,
  -- The link ends with the place.
  foreign key (client_id, user_id) references public.client_members (client_id, user_id) on delete cascade
);
create index approval_links_version_idx on private.approval_links (client_id, approval_id, number);
create index approval_links_user_idx on private.approval_links (user_id, client_id);
create index approval_links_expires_idx on private.approval_links (expires_at);
comment on table private.approval_links is 'Links in mails that open one version for one approver.';
revoke all on table private.approval_links from anon, authenticated, service_role;
alter table private.approval_links enable row level security;
insert into private.personal_data (schema_name, table_name, ids, on_deletion) values
  ('private', 'approval_links', '{user_id}', 'follow');

create function private.hash_of_link(_secret text) returns text
language sql immutable set search_path = ''
as $$ select encode(sha256(convert_to(_secret, 'UTF8')), 'hex') $$;
revoke all on function private.hash_of_link(text) from public;

-- Mails the approvers, each with a link of their own where a text is asked about: a list and a file need the dashboard.
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
    insert into private.approval_links (token_hash, client_id, approval_id, number, user_id)
    select private.hash_of_link(token), _version.client_id, _version.approval_id, _version.number, user_id
    from mailed where more is not null and kind = 'text'
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'approval_asked', jsonb_build_object(
    'Email', email, 'Title', title, 'Client', client, 'More', more,
    'Path', case when kind = 'text' then '/approve/' || token else '/client-dashboard' end,
    'Access', case
      when kind = 'text' then 'The button needs no password for 14 days, in the browser that shows the text first: do not forward this mail.'
      else ''
    end,
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

-- Finds the link for the browser that holds it, and locks it. Whoever lost the right to decide has no link. Says why there is none
-- instead of raising it, or the try would not be counted.
create function private.approval_link_of(
  _token text, _holder text, out link private.approval_links, out refusal text
)
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.count_for_address('approval link', private.client_address(), 60, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'Too many tries from your network. Please wait an hour, or sign in.';
  elsif coalesce(length(_holder), 0) not between 32 and 100 then
    raise exception 'A browser holds between 32 and 100 characters.' using errcode = '22023';
  end if;
  select found.* into link from private.approval_links as found
    join public.client_members as member on member.client_id = found.client_id and member.user_id = found.user_id
    join public.user_roles as roles on roles.user_id = found.user_id
  where found.token_hash = private.hash_of_link(left(_token, 200)) and member.kind = 'approver'
    and roles.role = 'client' and roles.approved
  for update of found;
  if link.token_hash is null or link.expires_at < now() then
    refusal := 'This link has ended. Sign in to see what waits for you.';
  elsif link.holder_hash <> private.hash_of_link(_holder) then
    refusal := 'This link was opened in another browser. Use that one, or sign in.';
  end if;
end
$$;
revoke all on function private.approval_link_of(text, text) from public;

-- Shows the version to the browser that asks first, on a press of its reader: from then on to no other.
create function public.open_approval_link(_token text, _holder text) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  _found record;
  _link private.approval_links;
  _newest integer;
begin
  _found := private.approval_link_of(_token, _holder);
  _link := _found.link;
  if _found.refusal is not null then
    return jsonb_build_object('refusal', _found.refusal);
  end if;
  update private.approval_links set holder_hash = private.hash_of_link(_holder)
  where token_hash = _link.token_hash and holder_hash is null;
  select max(number) into _newest from public.approval_versions
  where client_id = _link.client_id and approval_id = _link.approval_id;
  return (
    select jsonb_build_object(
      'state', case
        when decision.verdict is not null then 'decided'
        when _link.used_at is not null then 'used'
        when _newest > _link.number then 'newer'
        else 'open'
      end,
      'title', approvals.title, 'client', clients.name, 'number', version.number, 'text', version.text,
      'former_text', former.text, 'due_on', version.due_on, 'verdict', decision.verdict,
      'person', coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), users.email::text)
    )
    from public.approval_versions as version
      join public.approvals on approvals.client_id = version.client_id and approvals.id = version.approval_id
      join public.clients on clients.id = version.client_id
      join auth.users on users.id = _link.user_id
      left join public.approval_versions as former on former.client_id = version.client_id
        and former.approval_id = version.approval_id and former.number = version.number - 1
      left join public.approval_decisions as decision on decision.client_id = version.client_id
        and decision.approval_id = version.approval_id and decision.number = version.number
    where version.client_id = _link.client_id and version.approval_id = _link.approval_id and version.number = _link.number
  );
end
$$;
revoke all on function public.open_approval_link(text, text) from public;
grant execute on function public.open_approval_link(text, text) to anon, authenticated, service_role;

-- Decides on the version that the link shows, as the person whose link it is. Returns why it did not, or null.
create function public.decide_by_link(_token text, _holder text, _verdict text, _comment text default '') returns text
language plpgsql security definer set search_path = ''
as $$
declare
  _found record;
  _link private.approval_links;
begin
  _found := private.approval_link_of(_token, _holder);
  _link := _found.link;
  if _found.refusal is not null then
    return _found.refusal;
  elsif _link.holder_hash is null then
    return 'Please read the text first.';
  elsif _link.used_at is not null then
    return 'This link was used already. Sign in to see what you decided.';
  end if;
  perform private.decide_approval(
    _link.client_id, _link.approval_id, _link.number, _verdict, _comment, null, _link.user_id
  );
  update private.approval_links set used_at = now() where token_hash = _link.token_hash;
  return null;
end
$$;
revoke all on function public.decide_by_link(text, text, text, text) from public;
grant execute on function public.decide_by_link(text, text, text, text) to anon, authenticated, service_role;

-- A link that ended says so for a month.
create function private.delete_old_approval_links(_at_most integer default null) returns integer
language sql security definer set search_path = ''
as $$
  with deleted as (
    delete from private.approval_links where token_hash in (
      select token_hash from private.approval_links
      where expires_at < now() - interval '30 days' order by expires_at limit _at_most
    ) returning 1
  )
  select count(*)::integer from deleted
$$;
revoke all on function private.delete_old_approval_links(integer) from public;

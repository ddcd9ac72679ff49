-- Mailed links. With each, an approver can decide once on one version without signing in.
create table private.approval_links (
  -- SHA-256 of the token, which only the mail contains.
  token_hash text primary key check (token_hash ~ '^[0-9a-f]{64}$'),
  client_id uuid not null,
  approval_id uuid not null,
  number integer not null,
  user_id uuid not null references auth.users (id) on delete cascade,
  -- SHA-256 of a secret in the browser that opened the link first, so that a forwarded link shows nothing.
  holder_hash text check (holder_hash ~ '^[0-9a-f]{64}$'),
  used_at timestamptz,
  expires_at timestamptz not null default (now() + '14 days'),
  address_hash text not null check (address_hash ~ '^[0-9a-f]{64}$'),
  foreign key (client_id, approval_id, number)
    references public.approval_versions (client_id, approval_id, number) on delete cascade,
  foreign key (client_id, user_id) references public.client_members (client_id, user_id) on delete cascade
);
create index approval_links_version_idx on private.approval_links (client_id, approval_id, number);
create index approval_links_user_idx on private.approval_links (user_id, client_id);
create index approval_links_expires_idx on private.approval_links (expires_at);
alter table private.approval_links enable row level security;
comment on table private.approval_links is 'Email links that open one approval version for one approver.';

-- Opens the link for one browser, after a click of its reader. Other browsers cannot open it afterwards.
create function public.open_approval_link(_token text, _holder text) returns jsonb
language plpgsql security definer set search_path = '' as $$
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
      'kind', approvals.kind, 'title', approvals.title, 'client', clients.name, 'number', version.number, 'text', version.text,
      'former_text', case when approvals.kind = 'text' then former.text end, 'due_on', version.due_on, 'verdict', decision.verdict,
      'file', (
        select jsonb_build_object('object_name', object_name, 'name', name, 'mimetype', mimetype, 'size', size)
        from public.client_files where client_id = version.client_id and id = version.file_id
      ),
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
grant execute on function public.open_approval_link to anon, authenticated, service_role;

-- Decides on the linked version as the link's recipient. Returns the reason if the decision is refused, otherwise null.
create function public.decide_by_link(
  _token text, _holder text, _verdict text, _comment text default '', _wording text default null
) returns text language plpgsql security definer set search_path = '' as $$
declare
  _found record;
  _link private.approval_links;
begin
  _found := private.approval_link_of(_token, _holder);
  _link := _found.link;
  if _found.refusal is not null then
    return _found.refusal;
  elsif _link.holder_hash is null then
    return 'Please read this version before you decide.';
  elsif _link.used_at is not null then
    return 'This link has already been used. Sign in to see your decision.';
  end if;
  perform private.decide_approval(
    _link.client_id, _link.approval_id, _link.number, _verdict, _comment, _wording, _link.user_id
  );
  update private.approval_links set used_at = now() where token_hash = _link.token_hash;
  return null;
end
$$;
grant execute on function public.decide_by_link to anon, authenticated, service_role;

-- Lists a page of the linked version's rows, for the browser that opened the link.
create function public.list_rows_by_link(
  _token text, _holder text, _search text default '', _only_vetoed boolean default false, _limit integer default 24,
  _offset integer default 0
) returns table (
  line integer, company text, domain text, person text, note text, hint text, is_vetoed boolean, of_company integer,
  total integer
) language sql stable security definer set search_path = '' as $$
  select page.* from private.held_approval_link(_token, _holder) as link,
    lateral private.list_approval_rows(
      link.client_id, link.approval_id, link.number, _search, _only_vetoed, _limit, _offset
    ) as page
$$;
grant execute on function public.list_rows_by_link to anon, authenticated, service_role;

-- Rejects rows of the linked list as the link's recipient, until the link has decided. Returns the number of rows.
create function public.veto_by_link(
  _token text, _holder text, _lines integer[] default '{}'::integer[], _domain text default null, _is_back boolean default false
) returns integer language plpgsql security definer set search_path = '' as $$
declare
  _link constant private.approval_links := private.held_approval_link(_token, _holder);
begin
  if _link.token_hash is null or _link.used_at is not null then
    raise exception 'This link has expired. Sign in to see your open approvals.' using errcode = 'P0001';
  end if;
  return private.veto_rows(
    _link.client_id, _link.approval_id, _link.number, _lines, _domain, _is_back, _link.user_id
  );
end
$$;
grant execute on function public.veto_by_link to anon, authenticated, service_role;

-- Finds and locks the link for the browser that holds it. Recipients who lost the right to decide have no link. Returns
-- the refusal instead of raising it, because an exception would roll back the count of attempts.
create function private.approval_link_of(
  _token text, _holder text, out link private.approval_links, out refusal text
) returns record language plpgsql security definer set search_path = '' as $$
begin
  if not private.count_for_address('approval link', private.client_address(), 60, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'Too many attempts from your network. Try again in an hour, or sign in.';
  elsif coalesce(length(_holder), 0) not between 32 and 100 then
    raise exception 'The browser secret must have between 32 and 100 characters.' using errcode = '22023';
  end if;
  select found.* into link from private.approval_links as found
  where found.token_hash = private.hash_of_link(left(_token, 200)) for update;
  if link.token_hash is null or not private.is_approval_link_live(link) then
    refusal := 'This link has expired. Sign in to see your open approvals.';
  elsif link.holder_hash <> private.hash_of_link(_holder) then
    refusal := 'This link was opened in another browser. Use that one, or sign in.';
  end if;
end
$$;

-- Finds the link that this browser opened. Does not count attempts, because a link shows nothing without the holder's
-- secret.
create function private.held_approval_link(_token text, _holder text) returns private.approval_links
language sql stable security definer set search_path = '' as $$
  select link from private.approval_links as link
  where link.token_hash = private.hash_of_link(left(_token, 200))
    and link.holder_hash = private.hash_of_link(left(_holder, 200)) and private.is_approval_link_live(link)
$$;

-- Returns true if the recipient may still use the link.
create function private.is_approval_link_live(_link private.approval_links) returns boolean
language sql stable security definer set search_path = '' as $$
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

-- Returns the file of the link in the request's header (token, slash, holder's secret). Null for other requests.
create function private.file_by_link() returns text language sql stable security definer set search_path = '' as $$
  select file.object_name
  from (select nullif(current_setting('request.headers', true), '')::json ->> 'x-approval-link') as request (header),
    lateral private.held_approval_link(split_part(header, '/', 1), split_part(header, '/', 2)) as link
    join public.approval_versions as version on version.client_id = link.client_id
      and version.approval_id = link.approval_id and version.number = link.number
    join public.client_files as file on file.client_id = version.client_id and file.id = version.file_id
  where header is not null
$$;
grant execute on function private.file_by_link to anon;

create function private.hash_of_link(_secret text) returns text
language sql immutable set search_path = '' as $$ select encode(sha256(convert_to(_secret, 'UTF8')), 'hex') $$;

-- Expired links are kept for a month, so that their page can say that they have expired.
create function private.delete_old_approval_links(_at_most integer default null) returns integer
language sql security definer set search_path = '' as $$
  with deleted as (
    delete from private.approval_links where token_hash in (
      select token_hash from private.approval_links
      where expires_at < now() - interval '30 days' order by expires_at limit _at_most
    ) returning 1
  )
  select count(*)::integer from deleted
$$;

create policy "Holders of an approval link read its file" on storage.objects for select to anon
  using (bucket_id = 'client-files' and name = (select private.file_by_link()));

-- Lets approvers decide on lists and files from the mail too, as on texts: the link shows the rows, which they take off or put
-- back, or the file, to the browser that asked first.
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
    from mailed where more is not null
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

create or replace function public.open_approval_link(_token text, _holder text) returns jsonb
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

create or replace function public.decide_by_link(_token text, _holder text, _verdict text, _comment text default '') returns text
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
    return 'Please read it first.';
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

-- Finds the link that this browser opened. It counts no tries: without the holder's secret a link shows nothing here.
create function private.held_approval_link(_token text, _holder text) returns private.approval_links
language sql stable security definer set search_path = ''
as $$
  select link from private.approval_links as link
    join public.client_members as member on member.client_id = link.client_id and member.user_id = link.user_id
    join public.user_roles as roles on roles.user_id = link.user_id
  where link.token_hash = private.hash_of_link(left(_token, 200))
    and link.holder_hash = private.hash_of_link(left(_holder, 200)) and link.expires_at >= now()
    and member.kind = 'approver' and roles.role = 'client' and roles.approved
$$;
revoke all on function private.held_approval_link(text, text) from public;

create function private.list_approval_rows(
  _client_id uuid, _approval_id uuid, _number integer, _search text, _only_vetoed boolean, _limit integer, _offset integer
) returns table (
  line integer, company text, domain text, person text, hint text, is_vetoed boolean, of_company integer, total integer
)
language sql stable security definer set search_path = ''
as $$
  with all_rows as materialized (
    select item.line, item.company, item.domain, item.person, item.hint, veto.line is not null as is_vetoed,
      case when item.domain = '' then 1 else count(*) over (partition by item.domain) end::integer as of_company
    from public.approval_rows as item
      left join public.approval_vetoes as veto
        on veto.client_id = _client_id and veto.approval_id = _approval_id and veto.number = _number
          and veto.line = item.line
    where item.client_id = _client_id and item.approval_id = _approval_id and item.number = _number
  )
  select all_rows.*, count(*) over ()::integer
  from all_rows
  where (not _only_vetoed or all_rows.is_vetoed)
    and position(lower(trim(left(_search, 200))) in lower(concat_ws(' ', all_rows.company, all_rows.domain, all_rows.person, all_rows.hint))) > 0
  order by all_rows.line
  limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0)
$$;
revoke all on function private.list_approval_rows(uuid, uuid, integer, text, boolean, integer, integer) from public;

create or replace function public.list_approval_rows(
  _client_id uuid, _approval_id uuid, _number integer, _search text default '', _only_vetoed boolean default false,
  _limit integer default 24, _offset integer default 0
) returns table (
  line integer, company text, domain text, person text, hint text, is_vetoed boolean, of_company integer, total integer
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.works_for_client(_client_id);
  return query
    select * from private.list_approval_rows(_client_id, _approval_id, _number, _search, _only_vetoed, _limit, _offset);
end
$$;

-- Returns a page of the rows of the version that a link is to, for the browser that opened it.
create function public.list_rows_by_link(
  _token text, _holder text, _search text default '', _only_vetoed boolean default false, _limit integer default 24,
  _offset integer default 0
) returns table (
  line integer, company text, domain text, person text, hint text, is_vetoed boolean, of_company integer, total integer
)
language sql stable security definer set search_path = ''
as $$
  select page.* from private.held_approval_link(_token, _holder) as link,
    lateral private.list_approval_rows(
      link.client_id, link.approval_id, link.number, _search, _only_vetoed, _limit, _offset
    ) as page
$$;
revoke all on function public.list_rows_by_link(text, text, text, boolean, integer, integer) from public;
grant execute on function public.list_rows_by_link(text, text, text, boolean, integer, integer) to anon, authenticated, service_role;

-- Takes rows off a list that waits, or puts them back. Whoever calls it has found out that _person may.
create function private.veto_rows(
  _client_id uuid, _approval_id uuid, _number integer, _lines integer[], _domain text, _is_back boolean, _person uuid
) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  _newest integer;
  _is_decided boolean;
  _count integer;
begin
  if cardinality(_lines) > 5000 then
    raise exception 'A list has at most 5,000 rows.' using errcode = '22023';
  end if;
  select number, is_decided into _newest, _is_decided from private.lock_approval(_client_id, _approval_id);
  if _number is distinct from _newest then
    raise exception 'There is a newer version. Please read it first.' using errcode = 'P0001';
  elsif _is_decided then
    raise exception 'A colleague has decided this already.' using errcode = 'P0001';
  end if;
  if _is_back then
    delete from public.approval_vetoes as veto using public.approval_rows as item
    where veto.client_id = _client_id and veto.approval_id = _approval_id and veto.number = _number
      and item.client_id = _client_id and item.approval_id = _approval_id and item.number = _number
      and item.line = veto.line and (item.line = any (_lines) or item.domain = nullif(_domain, ''));
    get diagnostics _count = row_count;
    return _count;
  end if;
  insert into public.approval_vetoes (client_id, approval_id, number, line, vetoed_by)
  select _client_id, _approval_id, _number, line, _person from public.approval_rows
  where client_id = _client_id and approval_id = _approval_id and number = _number
    and (line = any (_lines) or domain = nullif(_domain, ''))
  on conflict do nothing;
  get diagnostics _count = row_count;
  return _count;
end
$$;
revoke all on function private.veto_rows(uuid, uuid, integer, integer[], text, boolean, uuid) from public;

create or replace function public.veto_rows(
  _client_id uuid, _approval_id uuid, _number integer, _lines integer[] default '{}', _domain text default null,
  _and_leave_alone boolean default false, _is_back boolean default false
) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  _count integer;
begin
  perform private.require_approver(_client_id);
  _count := private.veto_rows(_client_id, _approval_id, _number, _lines, _domain, _is_back, private.user_id());
  if _and_leave_alone and not _is_back then
    perform private.leave_alone(_client_id, _approval_id, _number, _lines, _domain);
  end if;
  return _count;
end
$$;

-- Takes rows off the list that a link is to, as the person it was sent to, until the link has decided. @returns how many
create function public.veto_by_link(
  _token text, _holder text, _lines integer[] default '{}', _domain text default null, _is_back boolean default false
) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  _link constant private.approval_links := private.held_approval_link(_token, _holder);
begin
  if _link.token_hash is null or _link.used_at is not null then
    raise exception 'This link has ended. Sign in to see what waits for you.' using errcode = 'P0001';
  end if;
  return private.veto_rows(
    _link.client_id, _link.approval_id, _link.number, _lines, _domain, _is_back, _link.user_id
  );
end
$$;
revoke all on function public.veto_by_link(text, text, integer[], text, boolean) from public;
grant execute on function public.veto_by_link(text, text, integer[], text, boolean) to anon, authenticated, service_role;

-- Returns the name of the file that the link of the request is to: its header has the token, and after a slash the holder's
-- secret. Null for any other request.
create function private.file_by_link() returns text
language sql stable security definer set search_path = ''
as $$
  select file.object_name
  from (select nullif(current_setting('request.headers', true), '')::json ->> 'x-approval-link') as request (header),
    lateral private.held_approval_link(split_part(header, '/', 1), split_part(header, '/', 2)) as link
    join public.approval_versions as version on version.client_id = link.client_id
      and version.approval_id = link.approval_id and version.number = link.number
    join public.client_files as file on file.client_id = version.client_id and file.id = version.file_id
  where header is not null
$$;
revoke all on function private.file_by_link() from public;
grant execute on function private.file_by_link() to anon;

create policy "Holders of a link see the file that it is to" on storage.objects
  for select to anon using (bucket_id = 'client-files' and name = (select private.file_by_link()));

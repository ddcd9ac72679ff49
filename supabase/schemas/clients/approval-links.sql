-- Approval links in emails. Each lets one approver decide once on one version without signing in.

-- Binds the link to the browser in which its recipient clicked. Other browsers cannot open it afterwards.
create function public.open_approval_link(_token text, _holder text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  _found record;
  _link private.mailed_links;
  _newest integer;
begin
  _found := private.mailed_link_of(_token, _holder, 'approval');
  _link := _found.link;
  if _found.refusal is not null then
    return jsonb_build_object('refusal', _found.refusal);
  end if;
  update private.mailed_links set holder_hash = private.hash_of_link(_holder)
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
      'person', private.recipient_of_link(_link)
    )
    from public.approval_versions as version
      join public.approvals on approvals.client_id = version.client_id and approvals.id = version.approval_id
      join public.clients on clients.id = version.client_id
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
  _token text, _holder text, _verdict text, _comment text default '', _edited_text text default null
) returns text language plpgsql security definer set search_path = '' as $$
declare
  _found record;
  _link private.mailed_links;
begin
  _found := private.mailed_link_of(_token, _holder, 'approval');
  _link := _found.link;
  if _found.refusal is not null then
    return _found.refusal;
  elsif _link.holder_hash is null then
    return 'Please read this version before you decide.';
  elsif _link.used_at is not null then
    return 'This link has already been used. Sign in to see your decision.';
  end if;
  perform private.decide_approval(
    _link.client_id, _link.approval_id, _link.number, _verdict, _comment, _edited_text, _link.user_id
  );
  update private.mailed_links set used_at = now() where token_hash = _link.token_hash;
  return null;
end
$$;
grant execute on function public.decide_by_link to anon, authenticated, service_role;

-- Lists a page of the linked version's rows, for the browser that opened the link.
create function public.list_rows_by_link(
  _token text, _holder text, _search text default '', _only_vetoed boolean default false, _limit integer default 24,
  _offset integer default 0
) returns table (
  line integer, company text, domain text, person text, note text, hint text, is_vetoed boolean, company_rows integer,
  total integer
) language sql stable security definer set search_path = '' as $$
  select page.* from private.held_approval_link(_token, _holder) as link,
    lateral private.list_approval_rows(
      link.client_id, link.approval_id, link.number, _search, _only_vetoed, _limit, _offset
    ) as page
$$;
grant execute on function public.list_rows_by_link to anon, authenticated, service_role;

-- Removes or restores rows of the linked list as the link's recipient, until the link has decided. Returns the number
-- of rows.
create function public.veto_by_link(
  _token text, _holder text, _lines integer[] default '{}'::integer[], _domain text default null, _restore boolean default false
) returns integer language plpgsql security definer set search_path = '' as $$
declare
  _link constant private.mailed_links := private.held_approval_link(_token, _holder);
begin
  if _link.token_hash is null or _link.used_at is not null then
    raise exception 'This link has expired. Sign in to see your open approvals.' using errcode = 'P0001';
  end if;
  return private.veto_rows(
    _link.client_id, _link.approval_id, _link.number, _lines, _domain, _restore, _link.user_id
  );
end
$$;
grant execute on function public.veto_by_link to anon, authenticated, service_role;

-- Finds the link that this browser opened. Does not count attempts, because a token is useless without the holder's
-- secret.
create function private.held_approval_link(_token text, _holder text) returns private.mailed_links
language sql stable security definer set search_path = '' as $$
  select link from private.mailed_links as link
  where link.token_hash = private.hash_of_link(left(_token, 200)) and link.approval_id is not null
    and link.holder_hash = private.hash_of_link(left(_holder, 200)) and private.is_mailed_link_live(link)
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

create policy "Holders of an approval link read its file" on storage.objects for select to anon
  using (bucket_id = 'client-files' and name = (select private.file_by_link()));

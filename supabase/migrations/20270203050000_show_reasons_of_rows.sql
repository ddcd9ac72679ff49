-- Shows the client why a row is on a list: the column "Why" of the file was dropped without a word.

alter table public.approval_rows add column note text not null default '' check (length(note) <= 500);

create or replace function public.ask_for_list_approval(_client_id uuid, _title text, _text text, _rows jsonb, _is_trial boolean, _due_on date DEFAULT NULL::date, _approval_id uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $$
declare
  _version public.approval_versions;
  _answer jsonb;
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only those who work for this client may ask' using errcode = '42501';
  elsif jsonb_typeof(_rows) is distinct from 'array' or jsonb_array_length(_rows) > 5000 then
    raise exception 'A list has at most 5,000 rows. Ask for it in parts.' using errcode = '22023';
  end if;
  if not _is_trial then
    _version := private.add_approval_version(_client_id, 'list', _title, _text, _due_on, _approval_id);
  end if;
  with judged as materialized (
    select *, row_number() over (partition by state order by line) as place
    from private.read_list_rows(_client_id, _approval_id, _rows)
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
    'refused', count(*) filter (where state = 'refused'),
    'companies', count(distinct nullif(domain, '')) filter (where state = 'new'),
    'examples', coalesce(jsonb_agg(jsonb_build_object(
      'line', line, 'state', state, 'reason', reason,
      'text', left(coalesce(nullif(concat_ws(', ', nullif(person, ''), nullif(company, ''), nullif(hint, '')), ''), domain), 200)
    ) order by line) filter (where place <= 100), '[]')
  ) into _answer from judged;
  if not _is_trial then
    if (_answer ->> 'new')::integer = 0 then
      raise exception 'No row of this list can be asked for.' using errcode = 'P0001';
    end if;
    perform private.tell_client_of_approval(_version);
  end if;
  return _answer;
end
$$;

drop function public.list_approval_rows(uuid, uuid, integer, text, boolean, integer, integer);
drop function public.list_rows_by_link(text, text, text, boolean, integer, integer);
drop function private.list_approval_rows(uuid, uuid, integer, text, boolean, integer, integer);

create function private.list_approval_rows(_client_id uuid, _approval_id uuid, _number integer, _search text, _only_vetoed boolean, _limit integer, _offset integer)
 RETURNS TABLE(line integer, company text, domain text, person text, note text, hint text, is_vetoed boolean, of_company integer, total integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $$
  with all_rows as materialized (
    select item.line, item.company, item.domain, item.person, item.note, item.hint, veto.line is not null as is_vetoed,
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
    and position(lower(trim(left(_search, 200))) in lower(concat_ws(' ', all_rows.company, all_rows.domain, all_rows.person, all_rows.note, all_rows.hint))) > 0
  order by all_rows.line
  limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0)
$$;
revoke all on function private.list_approval_rows(uuid, uuid, integer, text, boolean, integer, integer) from public;

create function public.list_approval_rows(_client_id uuid, _approval_id uuid, _number integer, _search text DEFAULT ''::text, _only_vetoed boolean DEFAULT false, _limit integer DEFAULT 24, _offset integer DEFAULT 0)
 RETURNS TABLE(line integer, company text, domain text, person text, note text, hint text, is_vetoed boolean, of_company integer, total integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $$
begin
  perform private.works_for_client(_client_id);
  return query
    select * from private.list_approval_rows(_client_id, _approval_id, _number, _search, _only_vetoed, _limit, _offset);
end
$$;
revoke all on function public.list_approval_rows(uuid, uuid, integer, text, boolean, integer, integer) from public, anon, authenticated;
grant execute on function public.list_approval_rows(uuid, uuid, integer, text, boolean, integer, integer) to authenticated, service_role;

create function public.list_rows_by_link(_token text, _holder text, _search text DEFAULT ''::text, _only_vetoed boolean DEFAULT false, _limit integer DEFAULT 24, _offset integer DEFAULT 0)
 RETURNS TABLE(line integer, company text, domain text, person text, note text, hint text, is_vetoed boolean, of_company integer, total integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $$
  select page.* from private.held_approval_link(_token, _holder) as link,
    lateral private.list_approval_rows(
      link.client_id, link.approval_id, link.number, _search, _only_vetoed, _limit, _offset
    ) as page
$$;
revoke all on function public.list_rows_by_link(text, text, text, boolean, integer, integer) from public;
grant execute on function public.list_rows_by_link(text, text, text, boolean, integer, integer) to anon, authenticated, service_role;

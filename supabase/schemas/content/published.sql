-- Content for the assistant: the first 100 published items of each kind, under the caller's policies. Long texts are
-- truncated, because 100 articles of 200,000 characters exceed one response of the table API.
create function public.published_content() returns table (
  kind text, title text, public_path text, text_columns text[], item jsonb
) language plpgsql stable set search_path = '' as $$
declare
  _kind private.content_kinds;
  _columns text;
begin
  for _kind in select * from private.list_content_kinds() loop
    select coalesce(string_agg(format('%1$L, left(item.%1$I, 12000)', attname), ', '), '') into _columns
    from pg_catalog.pg_attribute
    where attrelid = format('public.%I', _kind.table_name)::regclass and attname = any (_kind.text_columns)
      and atttypid = 'text'::regtype;
    return query execute format(
      'select %1$L::text, item.%2$I::text, %3$L::text, $1, to_jsonb(item) || jsonb_build_object(%5$s)
       from public.%1$I as item where status = ''published'' order by %4$s, id limit 100',
      _kind.table_name, _kind.title_column, _kind.public_path, _kind.list_order, _columns
    ) using _kind.text_columns::text[];
  end loop;
end
$$;
grant execute on function public.published_content to anon, authenticated, service_role;

-- Returns the number of sitemap parts of 1,000 items for each kind with published items.
create function public.sitemap_parts() returns table (kind text, parts integer)
language plpgsql stable security definer set search_path = '' as $$
begin
  for kind in select table_name from private.content_kinds order by table_name::text loop
    execute format('select ceil(count(*) / 1000.0)::integer from public.%I where status = ''published''', kind) into parts;
    if parts > 0 then
      return next;
    end if;
  end loop;
end
$$;
grant execute on function public.sitemap_parts to anon, authenticated, service_role;

-- Returns a text as one trimmed line. Throws a sentence with the field's label.
create function private.require_one_line(_label text, _text text, _max_length integer) returns text
language plpgsql immutable set search_path = '' as $$
begin
  if length(trim(_text)) > _max_length then
    raise exception '% must be less than % characters', _label, _max_length using errcode = '22023';
  end if;
  if _text ~ '[[:cntrl:]]' then
    raise exception '% must be one line of text', _label using errcode = '22023';
  end if;
  return coalesce(trim(_text), '');
end
$$;

-- Returns an SQL condition for the rows of a table that visitors can read.
create function private.visitor_condition(_table text) returns text
language sql stable security definer set search_path = '' as $$
  select coalesce(string_agg(format('(%s)', qual), ' or '), 'false') from pg_catalog.pg_policies
  where schemaname = 'public' and tablename = _table and permissive = 'PERMISSIVE' and cmd in ('SELECT', 'ALL')
    and roles && '{anon,public}'
$$;

-- What the assistant knows of the kinds of content, in one call: the first 100 published items of each, in the order of
-- its list. The rows are read under the caller's own policies.

create function public.published_content()
returns table (kind text, title text, public_path text, text_columns text[], item jsonb)
language plpgsql stable set search_path = ''
as $$
declare
  _kind private.content_kinds;
begin
  for _kind in select * from private.list_content_kinds() loop
    return query execute format(
      'select %1$L::text, item.%2$I::text, %3$L::text, $1, to_jsonb(item)
       from public.%1$I as item where status = ''published'' order by %4$s, id limit 100',
      _kind.table_name, _kind.title_column, _kind.public_path, _kind.list_order
    ) using _kind.text_columns::text[];
  end loop;
end
$$;
revoke all on function public.published_content() from public, anon, authenticated;
grant execute on function public.published_content() to anon, authenticated, service_role;

-- The assistant reads the beginning of long texts only: a hundred articles of 200,000 characters were more than one answer
-- of the table API may have, and the assistant could not answer at all. Otherwise as before.

create or replace function public.published_content()
returns table (kind text, title text, public_path text, text_columns text[], item jsonb)
language plpgsql stable set search_path = ''
as $$
declare
  _kind private.content_kinds;
  _cut text;
begin
  for _kind in select * from private.list_content_kinds() loop
    select coalesce(string_agg(format('%1$L, left(item.%1$I, 12000)', attname), ', '), '') into _cut
    from pg_catalog.pg_attribute
    where attrelid = format('public.%I', _kind.table_name)::regclass and attname = any (_kind.text_columns)
      and atttypid = 'text'::regtype;
    return query execute format(
      'select %1$L::text, item.%2$I::text, %3$L::text, $1, to_jsonb(item) || jsonb_build_object(%5$s)
       from public.%1$I as item where status = ''published'' order by %4$s, id limit 100',
      _kind.table_name, _kind.title_column, _kind.public_path, _kind.list_order, _cut
    ) using _kind.text_columns::text[];
  end loop;
end
$$;

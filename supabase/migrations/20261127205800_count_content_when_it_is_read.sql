drop trigger make_kind_countable on private.content_kinds;

drop function public.count_content(_kind text, _status text, _category text);

drop function private.recount_content(_table text);

drop function private.make_kind_countable();

drop function private.make_countable(_table text);

-- Also drops its triggers on every kind of content.
drop function private.count_items() cascade;

drop function private.count_changes(_kind text, _changes jsonb[]);

create or replace function public.list_categories(_kind text) returns setof text
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  if exists (
    select from private.content_kinds join pg_catalog.pg_attribute on attrelid = format('public.%I', table_name)::regclass
    where table_name = _kind and attname = 'category'
  ) then
    return query execute format(
      'select distinct category from public.%I where category <> '''' order by category limit 200', _kind
    );
  end if;
end
$$;

create or replace function public.news_categories() returns table (category text, posts integer)
language sql stable security definer set search_path = '' as $$
  select post.category, count(*)::integer from public.posts as post
  where post.status = 'published' and post.published_date <= now() group by grouping sets ((post.category), ())
  order by post.category is null desc, count(*) desc, post.category limit 201
$$;

create or replace function public.sitemap_parts() returns table (kind text, parts integer)
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

drop table private.content_counts;

-- Links in content that lead nowhere within the site, and files of the media library that are gone. On request and for
-- admins only; the rows are reached under the caller's own policies. Nothing is asked of another host.

-- The addresses within the site in `text`: of Markdown links and pictures, and those alone on a line. A piece of a query
-- instead of a function, which would take ten times as long. Texts are split first, because searching many long ones for a
-- pattern takes seconds.
create function private.addresses_in_text() returns text
language sql immutable set search_path = ''
as $$
  select $query$
    select split_part(split_part(split_part(split_part(split_part(
      ltrim(piece, E' \n<'), ')', 1), ' ', 1), '>', 1), '"', 1), E'\n', 1) as address
    from string_to_table(text, '](') with ordinality as pieces (piece, place)
    where place > 1 and ltrim(piece, E' \n<') like '/%'
    union all
    select substring(piece from '^[ \t]*<?(/[^\s>"]*)')
    from string_to_table(text, ']:') with ordinality as pieces (piece, place)
    where place > 1 and ltrim(piece, E' \t<') like '/%'
    union all
    select trim(line, E' \t\r<>') from string_to_table(text, E'\n') as line
    where line like '%/storage/%' and trim(line, E' \t\r<>') ~ '^/storage/\S+$'
  $query$
$$;
revoke all on function private.addresses_in_text() from public, anon, authenticated;
grant execute on function private.addresses_in_text() to authenticated, service_role;

-- Where links can stand: a select of kind, item_id, title, status and text (Markdown) over all content. In JSON, line
-- breaks and quotes are unescaped, and each value that is an address is put on the way of a Markdown link.
create function private.places_of_links() returns text
language sql stable set search_path = ''
as $$
  select string_agg(format(
    'select %1$L::text as kind, id::text as item_id, %2$I::text as title, status::text as status, concat_ws(E''\n'', %3$s) as text
     from public.%1$I', kind.table_name, kind.title_column, columns.names
  ), ' union all ' order by kind.number) || $places$
    union all
    select 'page_content', page_slug || '/' || section_name, page_slug || '/' || section_name, 'published',
      regexp_replace(replace(replace(content, '\n', E'\n'), '\"', '"'), '"\s*:\s*"\s*((?:https?:/)?/[^"\s]+)"', '](\1)', 'g')
    from public.page_content
    union all
    select 'site_settings', setting_key, setting_key, 'published',
      regexp_replace(setting_value, '"\s*:\s*"\s*((?:https?:/)?/[^"\s]+)"', '](\1)', 'g')
    from public.site_settings
  $places$
  from private.list_content_kinds() as kind
  cross join lateral (
    select string_agg(format('%I', attname), ', ' order by attnum) as names from pg_catalog.pg_attribute
    where attrelid = format('public.%I', kind.table_name)::regclass and atttypid = 'text'::regtype
      and attname not in ('status', 'slug', kind.title_column) and not attisdropped
  ) as columns
$$;
revoke all on function private.places_of_links() from public, anon, authenticated;
grant execute on function private.places_of_links() to authenticated, service_role;

-- The items that have an address of their own: a select of kind, id, address, status and due (whether it is public by time).
create function private.addresses_of_items() returns text
language sql stable set search_path = ''
as $$
  select coalesce(string_agg(format(
    'select %1$L::text as kind, id, replace(%2$L, ''{slug}'', slug) as address, status::text as status,
       coalesce((to_jsonb(item) ->> ''published_date'')::timestamptz <= now(), true) as due
     from public.%1$I as item', table_name, public_path
  ), ' union all '), 'select null::text, null::uuid, null::text, null::text, null::boolean where false')
  from private.list_content_kinds() where public_path like '%{slug}%'
$$;
revoke all on function private.addresses_of_items() from public, anon, authenticated;
grant execute on function private.addresses_of_items() to authenticated, service_role;

-- `_origins`: how addresses of this site and of its files begin, without a trailing slash. `_pages`: LIKE patterns of the
-- pages that there are. `fault`: file (not in the media library), page (no such page), missing, deleted, draft, scheduled
-- or moved (of an item; `target_id` is where there is one). At most 500 rows, `total` says of how many.
create function public.dead_links(_origins text[], _pages text[])
returns table (
  kind text, item_id text, title text, status text, address text, fault text, target_kind text, target_id uuid, total bigint
)
language plpgsql stable set search_path = ''
as $$
declare
  _text text := 'text';
  _origin text;
begin
  perform private.require_admin();
  if cardinality(_origins) > 5 or cardinality(_pages) > 500 then
    raise exception 'Too many origins or pages' using errcode = '22023';
  end if;
  foreach _origin in array _origins loop
    _text := format('replace(%s, %L, ''/'')', _text, _origin || '/');
  end loop;
  return query execute format(
    'with link as materialized (
       select distinct place.kind, place.item_id, place.title, place.status, found.address,
         rtrim(split_part(split_part(found.address, ''#'', 1), ''?'', 1), ''/'') as path
       from (select kind, item_id, title, status, %2$s as text from (%1$s) as written offset 0) as place,
         lateral (%4$s) as found
       where found.address not like ''//%%''
     ),
     item as materialized (%3$s),
     prefix as (
       select table_name::text as kind, split_part(public_path, ''{slug}'', 1) as start
       from private.list_content_kinds() where public_path like ''%%{slug}%%''
     ),
     checked as (
       select link.*, prefix.kind as target_kind, coalesce(item.id, alias.item_id) as target_id,
         case
           when link.path like ''/storage/%%'' then
             case when link.path ~ ''/public/content-media/.'' and not exists (
               select from storage.objects where bucket_id = ''content-media''
                 and name = replace(substring(link.path from ''/public/content-media/(.*)$''), ''%%20'', '' '')
             ) then ''file'' end
           when prefix.kind is null then
             case when not exists (select from unnest($1) as page where coalesce(nullif(link.path, ''''), ''/'') like page)
               then ''page'' end
           when item.id is null then
             case
               when alias.item_id is null then ''missing''
               when renamed.id is null then ''deleted''
               else ''moved''
             end
           when item.status <> ''published'' then ''draft''
           when not item.due then ''scheduled''
         end as fault
       from link
       left join prefix on link.address like prefix.start || ''_%%'' and link.path <> prefix.start
       left join item on item.kind = prefix.kind
         and item.address = prefix.start || split_part(split_part(split_part(split_part(
           substr(link.address, length(prefix.start) + 1), ''#'', 1), ''?'', 1), ''&'', 1), ''/'', 1)
       left join public.slug_aliases as alias on item.id is null and alias.kind = prefix.kind
         and alias.slug = split_part(split_part(split_part(split_part(
           substr(link.address, length(prefix.start) + 1), ''#'', 1), ''?'', 1), ''&'', 1), ''/'', 1)
       left join item as renamed on renamed.kind = alias.kind and renamed.id = alias.item_id
     )
     select checked.kind, checked.item_id, checked.title, checked.status, checked.address, checked.fault,
       checked.target_kind, checked.target_id, count(*) over ()
     from checked where checked.fault is not null
     order by checked.kind, checked.title, checked.item_id, checked.address
     limit 500',
    private.places_of_links(), _text, private.addresses_of_items(), private.addresses_in_text()
  ) using _pages;
end
$$;
revoke all on function public.dead_links(text[], text[]) from public, anon, authenticated;
grant execute on function public.dead_links(text[], text[]) to authenticated, service_role;

-- URLs in content: former slugs, broken links, and other hosts that pages may load from.

-- Former public paths of items that were renamed, unpublished or deleted. The site redirects to the current path, or
-- responds with 410.
create table public.slug_aliases (
  kind text not null check (kind in ('posts', 'projects')),
  slug text not null,
  -- The last item with this slug. No foreign key, because a deleted item keeps its paths.
  item_id uuid not null,
  created_at timestamptz not null default now()
    constraint slug_aliases_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  primary key (kind, slug)
);
grant select on public.slug_aliases to anon, authenticated;
grant all on public.slug_aliases to service_role;
alter table public.slug_aliases enable row level security;
create policy "Everybody reads former public URLs" on public.slug_aliases for select to anon, authenticated
  using (true);

-- Other hosts that an item refers to, for the content security policy. Searching 100,000 articles after each change
-- would exceed a visitor's statement timeout. Only items with such hosts have a row.
create table private.item_origins (
  kind text not null,
  item_id uuid not null,
  origins text[] not null,
  primary key (kind, item_id)
);
alter table private.item_origins enable row level security;

create function private.record_former_slug() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  due_at timestamptz := to_jsonb(old) ->> 'published_date';
  is_still_public boolean := tg_op = 'UPDATE' and new.slug = old.slug and new.status = 'published';
begin
  if private.is_publish_dry_run() then
    return null;
  end if;
  if old.status = 'published' and coalesce(due_at <= now(), true) and not is_still_public then
    insert into public.slug_aliases (kind, slug, item_id) values (tg_table_name, old.slug, old.id)
    on conflict (kind, slug) do update set item_id = excluded.item_id, created_at = now();
  end if;
  return null;
end
$$;

-- Imports posts of another system in one transaction, and returns the created ones. Posts whose slug is in use are
-- skipped. `aliases` of a post are former slugs, and former paths without the slash at the start. An alias that belongs
-- to an existing post keeps it. Callers choose the ids, so that they can delete the posts of a request whose response
-- was lost.
create function public.import_posts(_posts jsonb) returns table (post_id uuid, post_slug text)
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return query
    with source as (
      select * from jsonb_to_recordset(_posts) as item (
        id uuid, title text, slug text, excerpt text, content text, category text, status text, featured_image text,
        published_date timestamptz, aliases text[]
      )
    ), created as (
      insert into public.posts (id, title, slug, excerpt, content, category, status, featured_image, published_date)
      select coalesce(id, gen_random_uuid()), title, slug, excerpt, content, category, status, featured_image,
        published_date
      from source
      on conflict do nothing
      returning id, slug
    ), redirects as (
      insert into public.slug_aliases (kind, slug, item_id)
      select distinct on (alias) 'posts', alias, created.id
      from created join source using (slug), unnest(source.aliases) as alias
      on conflict (kind, slug) do update set item_id = excluded.item_id, created_at = now()
      where not exists (select from public.posts where posts.id = slug_aliases.item_id)
    )
    select created.id, created.slug from created;
end
$$;
grant execute on function public.import_posts to authenticated, service_role;

create function public.content_origins() returns table (used_for text, origin text)
language plpgsql stable set search_path = '' as $$
declare
  _kind record;
begin
  for _kind in select table_name from private.list_content_kinds() loop
    return query execute format(
      'select distinct ''picture'', named.origin
       from private.list_item_origins(%1$L) as kept join public.%1$I as item on item.id = kept.item_id
         cross join unnest(kept.origins) as named (origin)
       where item.status = ''published''', _kind.table_name
    );
  end loop;
  -- Sections are JSON, but may contain invalid text.
  return query
    select distinct place.used_for, lower(hit[1])
    from public.page_content,
      (values ('picture', '(?:image|src)\w*'), ('frame', 'calendlyPlaceholder')) as place (used_for, key),
      regexp_matches(content, place.key || '"\s*:\s*"\s*(https://[^]/?#\\")>\s]+)', 'gi') as hit;
end
$$;
grant execute on function public.content_origins to anon, authenticated, service_role;

-- `_origins`: URL prefixes of this site and its files, without a trailing slash. `_pages`: LIKE patterns of existing
-- pages. `fault`: file (not in the media library), page (unknown page), or for a link to an item missing, deleted,
-- draft, scheduled or moved, with its `target_id` if it exists. Returns at most 500 rows. `total` is the number of all
-- rows.
create function public.dead_links(_origins text[], _pages text[]) returns table (
  kind text, item_id text, title text, status text, address text, fault text, target_kind text, target_id uuid, total bigint
) language plpgsql stable set search_path = '' as $$
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
    private.links_query(), _text, private.addresses_of_items(), private.addresses_in_text()
  ) using _pages;
end
$$;
grant execute on function public.dead_links to authenticated, service_role;

-- Returns a query for items with an address: kind, id, address, status and due (false before the publication time).
create function private.addresses_of_items() returns text language sql stable set search_path = '' as $$
  select coalesce(string_agg(format(
    'select %1$L::text as kind, id, replace(%2$L, ''{slug}'', slug) as address, status::text as status,
       coalesce((to_jsonb(item) ->> ''published_date'')::timestamptz <= now(), true) as due
     from public.%1$I as item', table_name, public_path
  ), ' union all '), 'select null::text, null::uuid, null::text, null::text, null::boolean where false')
  from private.list_content_kinds() where public_path like '%{slug}%'
$$;
grant execute on function private.addresses_of_items to authenticated, service_role;

-- For content_origins(), which applies the caller's policies to the items.
create function private.list_item_origins(_kind text) returns table (item_id uuid, origins text[])
language sql stable security definer rows 10 set search_path = '' as $$
  select kept.item_id, kept.origins from private.item_origins as kept where kept.kind = _kind
$$;
grant execute on function private.list_item_origins to anon, authenticated, service_role;

create function private.record_origins(_kind text, _item_id uuid, _item jsonb) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _origins constant text[] := private.origins_of(_item);
begin
  if _origins = '{}' then
    delete from private.item_origins where kind = _kind and item_id = _item_id;
  else
    insert into private.item_origins as kept (kind, item_id, origins) values (_kind, _item_id, _origins)
    on conflict (kind, item_id) do update set origins = excluded.origins where kept.origins <> excluded.origins;
  end if;
end
$$;

-- Finds hosts of image fields, and of images in other texts, which may be Markdown.
create function private.origins_of(_item jsonb) returns text[] language sql immutable set search_path = '' as $$
  select coalesce(array_agg(distinct lower(origin)), '{}') from (
    select substring(value from '(?i)^\s*(https://[^]/?#\\")>\s]+)') as origin
    from jsonb_each_text(_item) where key ~ '(image|avatar|src)'
    union all
    select hit.origin from jsonb_each_text(_item), lateral (
      select substring(piece from '(?i)^[^]]*\]\(\s*<?(https://[^]/?#\\")>\s]+)')
      from string_to_table(value, '![') with ordinality as pieces (piece, place) where place > 1
      union all
      select substring(piece from '(?i)^\s*<?(https://[^]/?#\\")>\s]+)') from string_to_table(value, ']:') as piece
    ) as hit (origin)
    where key !~ '(image|avatar|src)' and value like '%![%'
  ) as found where origin is not null
$$;

-- Returns a query for all texts with links: kind, item_id, title, status and text (Markdown). In JSON, line breaks and
-- quotes are unescaped, and values that are addresses become Markdown links.
create function private.links_query() returns text language sql stable set search_path = '' as $$
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
grant execute on function private.links_query to authenticated, service_role;

create trigger record_former_slug after update of slug, status or delete on public.posts
  for each row execute function private.record_former_slug();

create trigger record_former_slug after update of slug, status or delete on public.projects
  for each row execute function private.record_former_slug();

-- Called by anon, authenticated, service_role.
CREATE OR REPLACE FUNCTION public.content_origins()
 RETURNS TABLE(used_for text, origin text)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
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
  -- Sections of pages are JSON, or what somebody saved in its place.
  return query
    select distinct place.used_for, lower(hit[1])
    from public.page_content,
      (values ('picture', '(?:image|src)\w*'), ('frame', 'calendlyPlaceholder')) as place (used_for, key),
      regexp_matches(content, place.key || '"\s*:\s*"\s*(https://[^]/?#\\")>\s]+)', 'gi') as hit;
end
$function$;

-- Called by authenticated.
CREATE OR REPLACE FUNCTION public.count_content(_kind text, _status text DEFAULT ''::text, _category text DEFAULT ''::text)
 RETURNS integer
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_admin();
  return coalesce((
    select sum(items) from private.content_counts
    where kind = _kind and (_status = '' or status = _status) and (_category = '' or category = _category)
  ), 0);
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.dead_links(_origins text[], _pages text[])
 RETURNS TABLE(kind text, item_id text, title text, status text, address text, fault text, target_kind text, target_id uuid, total bigint)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by authenticated.
CREATE OR REPLACE FUNCTION public.list_categories(_kind text)
 RETURNS SETOF text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_admin();
  return query select counts.category from private.content_counts as counts
    where kind = _kind and counts.category <> '' group by counts.category having sum(items) > 0
    order by counts.category limit 200;
end
$function$;

-- Called by anon, authenticated, service_role.
CREATE OR REPLACE FUNCTION public.news_categories()
 RETURNS TABLE(category text, posts integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with counted as (
    select counts.category, counts.items from private.content_counts as counts
    where kind = 'posts' and status = 'published'
    union all
    select later.category, -1 from public.posts as later where later.status = 'published' and later.published_date > now()
  ), summed as (
    select counted.category, sum(items)::integer as posts from counted group by grouping sets ((counted.category), ())
  )
  select summed.category, coalesce(summed.posts, 0) from summed where summed.posts > 0 or summed.category is null
  order by summed.category is null desc, summed.posts desc, summed.category limit 201
$function$;

-- Called by anon, authenticated, service_role.
CREATE OR REPLACE FUNCTION public.published_content()
 RETURNS TABLE(kind text, title text, public_path text, text_columns text[], item jsonb)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.reorder_items(_table text, _ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  _order text;
  _ranked text;
  _free boolean;
begin
  if not private.is_admin() then
    raise exception 'Only admins put content in order' using errcode = '42501';
  end if;
  select list_order into _order from private.list_content_kinds()
  where table_name = _table and list_order like 'display\_order%';
  if _order is null then
    raise exception 'There is no order of display in %', coalesce(_table, 'null') using errcode = '22023';
  end if;

  -- What was deleted meanwhile has no place.
  execute format(
    'select coalesce(array_agg(item.id order by item.place), ''{}'')
     from unnest($1) with ordinality as item (id, place) join public.%1$I using (id)', _table
  ) into _ids using _ids;

  -- No two items share a place: the named ones swap theirs and nothing else changes.
  execute format(
    'select count(*) = count(distinct display_order) from public.%1$I
     where display_order in (select display_order from public.%1$I where id = any ($1))', _table
  ) into _free using _ids;
  if _free then
    _ranked := format('select id, display_order as place from public.%I', _table);
  else
    -- Otherwise the whole list is numbered, as the site shows it.
    _ranked := format(
      'select id, row_number() over (order by %s, id)::integer as place from public.%I', _order, _table
    );
  end if;

  execute format(
    'with ranked as (%2$s),
       slots as (select place, row_number() over (order by place) as number from ranked where id = any ($1)),
       target as (
         select ranked.id, coalesce(slots.place, ranked.place) as place
         from ranked left join slots on slots.number = array_position($1, ranked.id)
       )
     update public.%1$I as item set display_order = target.place
     from target where target.id = item.id and item.display_order <> target.place', _table, _ranked
  ) using _ids;
end
$function$;

-- Called by anon, authenticated, service_role.
CREATE OR REPLACE FUNCTION public.sitemap_parts()
 RETURNS TABLE(kind text, parts integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select counts.kind, ceil(sum(items) / 1000.0)::integer from private.content_counts as counts
  where status = 'published' group by counts.kind having sum(items) > 0 order by counts.kind
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION private.addresses_of_items()
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(string_agg(format(
    'select %1$L::text as kind, id, replace(%2$L, ''{slug}'', slug) as address, status::text as status,
       coalesce((to_jsonb(item) ->> ''published_date'')::timestamptz <= now(), true) as due
     from public.%1$I as item', table_name, public_path
  ), ' union all '), 'select null::text, null::uuid, null::text, null::text, null::boolean where false')
  from private.list_content_kinds() where public_path like '%{slug}%'
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.count_items()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _changes jsonb[] := '{}';
begin
  if private.tries_release() then
    return null;
  end if;
  if tg_op = 'TRUNCATE' then
    delete from private.content_counts where kind = tg_table_name::text;
    return null;
  end if;
  -- Only the columns that count, and one entry for all items that are alike.
  if tg_op in ('INSERT', 'UPDATE') then
    select array_agg(entry) into _changes from (
      select jsonb_build_object('status', item ->> 'status', 'category', item ->> 'category', 'items', count(*))
      from (select to_jsonb(added.*) from added) as items (item) group by item ->> 'status', item ->> 'category'
    ) as entries (entry);
  end if;
  if tg_op in ('DELETE', 'UPDATE') then
    _changes := _changes || (select array_agg(entry) from (
      select jsonb_build_object('status', item ->> 'status', 'category', item ->> 'category', 'items', -count(*))
      from (select to_jsonb(gone.*) from gone) as items (item) group by item ->> 'status', item ->> 'category'
    ) as entries (entry));
  end if;
  perform private.count_changes(tg_table_name::text, _changes);
  return null;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.document_key(_kind text, _row jsonb)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select case when bool_and(_row ? name::text and _row ->> name is not null)
    then string_agg(_row ->> name, '/' order by place) end
  from private.documents, unnest(key_columns) with ordinality as keys (name, place)
  where kind = _kind
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.document_key_in_sql(_kind text)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select string_agg(format('item.%I::text', name), ' || ''/'' || ' order by place)
  from private.documents, unnest(key_columns) with ordinality as keys (name, place)
  where kind = _kind
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.is_document_in_sql(_kind text)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select case when cardinality(key_columns) = 1 then (
    select format('item.%I = $1::pg_catalog.%I', attname, typname)
    from pg_catalog.pg_attribute join pg_catalog.pg_type on pg_type.oid = atttypid
    where attrelid = format('public.%I', kind)::regclass and attname = key_columns[1]
  ) else private.document_key_in_sql(kind) || ' = $1' end
  from private.documents where kind = _kind
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.is_editable_kind(_kind text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$ select exists (select from private.documents where kind = _kind) $function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.keep_kind_as_document()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op <> 'INSERT' then
    delete from private.documents where kind = old.table_name;
  end if;
  if tg_op <> 'DELETE' then
    insert into private.documents (kind, key_columns, title_column, is_item)
      values (new.table_name, '{id}', new.title_column, true);
  end if;
  return null;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.line_of(_label text, _text text, _most integer)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
begin
  if length(trim(_text)) > _most then
    raise exception '% must be less than % characters', _label, _most using errcode = '22023';
  end if;
  if _text ~ '[[:cntrl:]]' then
    raise exception '% must be one line of text', _label using errcode = '22023';
  end if;
  return coalesce(trim(_text), '');
end
$function$;

-- Called by anon, authenticated, service_role.
CREATE OR REPLACE FUNCTION private.list_content_kinds()
 RETURNS SETOF private.content_kinds
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select * from private.content_kinds order by number
$function$;

-- Called by anon, authenticated, service_role.
CREATE OR REPLACE FUNCTION private.list_item_origins(_kind text)
 RETURNS TABLE(item_id uuid, origins text[])
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 10
 SET search_path TO ''
AS $function$
  select kept.item_id, kept.origins from private.item_origins as kept where kept.kind = _kind
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.make_countable(_table text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  execute format('create trigger count_inserted after insert on public.%I referencing new table as added
    for each statement execute function private.count_items()', _table);
  execute format('create trigger count_updated after update on public.%I referencing old table as gone new table as added
    for each statement execute function private.count_items()', _table);
  execute format('create trigger count_deleted after delete on public.%I referencing old table as gone
    for each statement execute function private.count_items()', _table);
  execute format('create trigger count_truncated after truncate on public.%I
    for each statement execute function private.count_items()', _table);
  perform private.recount_content(_table);
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.make_kind_countable()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform private.make_countable(new.table_name);
  return null;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.make_origins_known(_table text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  execute format('create trigger origins_inserted after insert on public.%I referencing new table as added
    for each statement execute function private.note_origins()', _table);
  execute format('create trigger origins_updated after update on public.%I referencing new table as added
    for each statement execute function private.note_origins()', _table);
  execute format('create trigger origins_deleted after delete on public.%I referencing old table as gone
    for each statement execute function private.note_origins()', _table);
  execute format('create trigger origins_truncated after truncate on public.%I
    for each statement execute function private.note_origins()', _table);
  execute format(
    'insert into private.item_origins (kind, item_id, origins)
     select %1$L, id, origins from public.%1$I as item cross join lateral private.origins_of(to_jsonb(item.*)) as origins
     where origins <> ''{}''', _table
  );
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.make_origins_of_kind_known()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform private.make_origins_known(new.table_name);
  return null;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.note_origins()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if private.tries_release() then
    return null;
  end if;
  if tg_op = 'TRUNCATE' then
    delete from private.item_origins where kind = tg_table_name::text;
  elsif tg_op = 'DELETE' then
    delete from private.item_origins using gone where kind = tg_table_name::text and item_id = gone.id;
  else
    with found as materialized (
      select added.id, private.origins_of(to_jsonb(added.*)) as origins from added
    ), forgotten as (
      delete from private.item_origins using found
      where kind = tg_table_name::text and item_id = found.id and found.origins = '{}'
    )
    insert into private.item_origins as kept (kind, item_id, origins)
    select tg_table_name::text, id, origins from found where origins <> '{}'
    on conflict (kind, item_id) do update set origins = excluded.origins where kept.origins <> excluded.origins;
  end if;
  return null;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.notify_content_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform pg_notify('content_changed', tg_table_name);
  return null;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.origins_of(_item jsonb)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION private.places_of_links()
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.recount_content(_table text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  delete from private.content_counts where kind = _table;
  execute format(
    'insert into private.content_counts (kind, status, category, items)
     select %1$L, item ->> ''status'', coalesce(item ->> ''category'', ''''), count(*)
     from (select to_jsonb(kept.*) from public.%1$I as kept) as items (item) group by 2, 3', _table
  );
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.remember_slug()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  due_at timestamptz := to_jsonb(old) ->> 'published_date';
  is_still_public boolean := tg_op = 'UPDATE' and new.slug = old.slug and new.status = 'published';
begin
  if private.tries_release() then
    return null;
  end if;
  if old.status = 'published' and coalesce(due_at <= now(), true) and not is_still_public then
    insert into public.slug_aliases (kind, slug, item_id) values (tg_table_name, old.slug, old.id)
    on conflict (kind, slug) do update set item_id = excluded.item_id, created_at = now();
  end if;
  return null;
end
$function$;

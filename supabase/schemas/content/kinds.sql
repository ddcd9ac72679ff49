-- Kinds of content. Sorting, file usage, search and the assistant go through all of them. A test requires a row for
-- each content table.
create table private.content_kinds (
  -- In the schema public, with the columns id and status ('draft' or 'published').
  table_name name primary key,
  title_column name not null,
  -- Sort order of lists. Items are sorted manually if it begins with display_order.
  list_order text not null check (list_order ~ '^[a-z_]+( desc)?(, [a-z_]+( desc)?)*$'),
  -- Public path of an item, with {slug}. Null if the assistant does not search this kind.
  public_path text check (public_path like '/%'),
  -- Columns that the assistant searches besides the title, of type text or text[].
  text_columns name[] not null default '{}',
  -- Order of the kinds.
  number integer generated always as identity unique
);
alter table private.content_kinds enable row level security;

-- Kinds of documents, which editors open, save and schedule: items of content kinds, page sections and settings.
-- Versions, releases, previews and the trash read here how the kinds differ. A trigger of private.content_kinds adds
-- the rows of content kinds.
create table private.documents (
  -- Table in the schema public.
  kind name primary key,
  -- Key columns. Their values, joined by slashes, are the key in URLs.
  key_columns name[] not null check (key_columns <> '{}'),
  -- Null if the key is the title.
  title_column name,
  -- True for items, which have a status and a trash. False for page sections and settings.
  is_item boolean not null,
  -- Keys that take effect immediately and cannot be part of a release.
  keys_outside_releases text[] not null default '{}',
  -- Order of the kinds, items first.
  number integer generated always as identity unique
);
alter table private.documents enable row level security;

-- Security definer, so that security invoker functions can read the table.
create function private.list_content_kinds() returns setof private.content_kinds
language sql stable security definer set search_path = '' as $$
  select * from private.content_kinds order by number
$$;
grant execute on function private.list_content_kinds to anon, authenticated, service_role;

-- Returns the key of a row. Null if a part is missing.
create function private.document_key(_kind text, _row jsonb) returns text
language sql stable security definer set search_path = '' as $$
  select case when bool_and(_row ? name::text and _row ->> name is not null)
    then string_agg(_row ->> name, '/' order by place) end
  from private.documents, unnest(key_columns) with ordinality as keys (name, place)
  where kind = _kind
$$;

-- Returns SQL for the key of rows with the alias `item`.
create function private.document_key_in_sql(_kind text) returns text
language sql stable security definer set search_path = '' as $$
  select string_agg(format('item.%I::text', name), ' || ''/'' || ' order by place)
  from private.documents, unnest(key_columns) with ordinality as keys (name, place)
  where kind = _kind
$$;

-- Returns an SQL condition that the row with the alias `item` has the key $1. Uses the index if the key is one column.
create function private.is_document_in_sql(_kind text) returns text
language sql stable security definer set search_path = '' as $$
  select case when cardinality(key_columns) = 1 then (
    select format('item.%I = $1::pg_catalog.%I', attname, typname)
    from pg_catalog.pg_attribute join pg_catalog.pg_type on pg_type.oid = atttypid
    where attrelid = format('public.%I', kind)::regclass and attname = key_columns[1]
  ) else private.document_key_in_sql(kind) || ' = $1' end
  from private.documents where kind = _kind
$$;

-- Returns true if the kind has an editor.
create function private.is_editable_kind(_kind text) returns boolean
language sql stable security definer set search_path = '' as $$ select exists (select from private.documents where kind = _kind) $$;

create function private.copy_kind_to_documents() returns trigger
language plpgsql security definer set search_path = '' as $$
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
$$;

-- Notifies the server, which clears cached pages.
create function private.notify_content_changed() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform pg_notify('content_changed', tg_table_name);
  return null;
end
$$;

-- Sorts the given items in this order, within the positions that they already have.
create function public.reorder_items(_table text, _ids uuid[]) returns void language plpgsql set search_path = '' as $$
declare
  _order text;
  _ranked text;
  _free boolean;
begin
  if not private.is_admin() then
    raise exception 'Only admins can reorder content' using errcode = '42501';
  end if;
  select list_order into _order from private.list_content_kinds()
  where table_name = _table and list_order like 'display\_order%';
  if _order is null then
    raise exception '% cannot be reordered', coalesce(_table, 'null') using errcode = '22023';
  end if;

  -- Items that were deleted in the meantime are ignored.
  execute format(
    'select coalesce(array_agg(item.id order by item.place), ''{}'')
     from unnest($1) with ordinality as item (id, place) join public.%1$I using (id)', _table
  ) into _ids using _ids;

  -- If all positions are distinct, the given items swap theirs and no other row changes.
  execute format(
    'select count(*) = count(distinct display_order) from public.%1$I
     where display_order in (select display_order from public.%1$I where id = any ($1))', _table
  ) into _free using _ids;
  if _free then
    _ranked := format('select id, display_order as place from public.%I', _table);
  else
    -- Otherwise the whole list is renumbered in its current order.
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
$$;
grant execute on function public.reorder_items to authenticated, service_role;

create trigger copy_kind_to_documents after insert or update of table_name, title_column or delete on private.content_kinds
  for each row execute function private.copy_kind_to_documents();

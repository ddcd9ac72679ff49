-- Registers every kind of document, which is what editors open, save and plan: items of the kinds of content, sections of
-- pages, settings. What differs between them for locks, versions, releases, previews and the trash stands here, so that a
-- function asks the registry and not for names. A kind of content comes in by its row in private.content_kinds.

create table private.documents (
  -- Its table in the schema public.
  kind name primary key,
  -- What names one to people and in addresses, joined by slashes where there are several.
  key_columns name[] not null check (key_columns <> '{}'),
  -- Null: its key is its title.
  title_column name,
  -- An item is a draft or published, and goes to the trash; a text is always there.
  is_item boolean not null,
  -- Keys of those that count at once and cannot wait in a release.
  keys_outside_releases text[] not null default '{}',
  -- Kinds are gone through in the order of their numbers, items first.
  number integer generated always as identity unique
);
revoke all on table private.documents from anon, authenticated, service_role;
alter table private.documents enable row level security;

insert into private.documents (kind, key_columns, title_column, is_item)
  select table_name, '{id}', title_column, true from private.content_kinds order by number;
insert into private.documents (kind, key_columns, is_item, keys_outside_releases) values
  ('page_content', '{page_slug, section_name}', false, '{}'),
  -- Its own guard asks who switches it on, and nobody does at a planned time.
  ('site_settings', '{setting_key}', false, '{require_second_factor}');

create function private.keep_kind_as_document() returns trigger
language plpgsql security definer set search_path = ''
as $$
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
revoke all on function private.keep_kind_as_document() from public;
create trigger keep_kind_as_document after insert or update of table_name, title_column or delete on private.content_kinds
  for each row execute function private.keep_kind_as_document();

-- Returns the key of a row; null where a part of it is missing.
create function private.document_key(_kind text, _row jsonb) returns text
language sql stable security definer set search_path = ''
as $$
  select case when bool_and(_row ? name::text and _row ->> name is not null)
    then string_agg(_row ->> name, '/' order by place) end
  from private.documents, unnest(key_columns) with ordinality as keys (name, place)
  where kind = _kind
$$;
revoke all on function private.document_key(text, jsonb) from public;

-- Returns the key of the rows that are read as "item", in SQL.
create function private.document_key_in_sql(_kind text) returns text
language sql stable security definer set search_path = ''
as $$
  select string_agg(format('item.%I::text', name), ' || ''/'' || ' order by place)
  from private.documents, unnest(key_columns) with ordinality as keys (name, place)
  where kind = _kind
$$;
revoke all on function private.document_key_in_sql(text) from public;

-- Returns the condition in SQL under which the row that is read as "item" has the key $1: by an index where one column is it.
create function private.is_document_in_sql(_kind text) returns text
language sql stable security definer set search_path = ''
as $$
  select case when cardinality(key_columns) = 1 then (
    select format('item.%I = $1::pg_catalog.%I', attname, typname)
    from pg_catalog.pg_attribute join pg_catalog.pg_type on pg_type.oid = atttypid
    where attrelid = format('public.%I', kind)::regclass and attname = key_columns[1]
  ) else private.document_key_in_sql(kind) || ' = $1' end
  from private.documents where kind = _kind
$$;
revoke all on function private.is_document_in_sql(text) from public;

-- Whether there is a form for things of this kind.
create or replace function private.is_editable_kind(_kind text) returns boolean
language sql stable security definer set search_path = ''
as $$ select exists (select from private.documents where kind = _kind) $$;

-- History of items, page sections and settings: the state after each change, with its author. Only the trigger
-- keep_versions writes rows. Only admins read them.
create table public.content_versions (
  id bigint primary key generated always as identity,
  -- The table. The key is the id of an item, 'home/hero' for a page section, or the key of a setting, so that a section
  -- that is reset and saved again keeps its history.
  kind text not null,
  item_id text not null,
  -- The row after the change. For a deletion, the last state of the row.
  data jsonb not null,
  -- 'before': the state before the first recorded change.
  action text not null check (action in ('before', 'created', 'changed', 'deleted', 'restored')),
  -- Changed columns.
  changes text[] not null default '{}',
  -- Null for changes by scripts, and after the account is deleted.
  author_id uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default clock_timestamp()
    constraint content_versions_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31')
);
create index content_versions_author_idx on public.content_versions (author_id) where author_id is not null;
create index content_versions_age_idx on public.content_versions (created_at) include (kind, item_id, id);
create index content_versions_item_idx on public.content_versions (kind, item_id, id desc) include (created_at);
grant select on public.content_versions to authenticated, service_role;
alter table public.content_versions enable row level security;
create policy "Admins read the history of content" on public.content_versions for select to authenticated
  using ((select private.is_admin()));

-- Deletes versions whose next version is also older than 90 days, so that the state of each of the last 90 days is
-- kept.
create function private.delete_old_versions(_at_most integer default null) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  _deleted integer;
begin
  delete from public.content_versions where id in (
    select version.id from public.content_versions as version
    where version.created_at < now() - interval '90 days' and (
      select newer.created_at from public.content_versions as newer
      where newer.kind = version.kind and newer.item_id = version.item_id and newer.id > version.id
      order by newer.id limit 1
    ) < now() - interval '90 days'
    order by version.created_at limit _at_most
  );
  get diagnostics _deleted = row_count;
  return _deleted;
end
$$;

-- Lists the fields in which two rows of a kind differ, in column order, without those that the database writes.
create function private.differing_fields(_kind text, _one jsonb, _other jsonb) returns text[]
language sql stable set search_path = '' as $$
  select coalesce(array_agg(attname::text order by attnum), '{}')
  from pg_catalog.pg_attribute,
    private.typed_row(_kind, _one) as one (fields), private.typed_row(_kind, _other) as other (fields)
  where attrelid = format('public.%I', _kind)::regclass and attnum > 0 and not attisdropped
    and attgenerated = '' and attidentity = '' and attname not in ('id', 'created_at', 'updated_at')
    and one.fields -> attname::text is distinct from other.fields -> attname::text
$$;

create function private.keep_version(
  _kind text, _item_id text, _data jsonb, _action text, _changes text[], _author_id uuid
) returns void language sql security definer set search_path = '' as $$
  insert into public.content_versions (kind, item_id, data, action, changes, author_id)
    values (_kind, _item_id, _data, _action, _changes, _author_id);
  -- The newest 50 stay.
  delete from public.content_versions where kind = _kind and item_id = _item_id and id <= (
    select id from public.content_versions where kind = _kind and item_id = _item_id order by id desc offset 50 limit 1
  );
$$;

create function private.keep_versions() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _kind constant text := tg_table_name;
  _old jsonb;
  _data jsonb;
  _item_id text;
  _document private.documents;
  _author_id uuid;
  _action text := case tg_op when 'INSERT' then 'created' when 'UPDATE' then 'changed' else 'deleted' end;
  _changes text[] := '{}';
begin
  if private.is_publish_dry_run() then
    return null;
  end if;
  _old := private.without_generated_columns(to_jsonb(old), tg_relid);
  _data := coalesce(private.without_generated_columns(to_jsonb(new), tg_relid), _old);
  _item_id := private.document_key(_kind, _data);
  _author_id := private.user_id();
  select * into _document from private.documents where kind = _kind;
  if tg_op = 'UPDATE' then
    select coalesce(array_agg(key order by key), '{}') into _changes from jsonb_each(_data)
    where value is distinct from _old -> key and key <> 'updated_at';
    -- Reordering is not recorded as a change of the item.
    if _changes <@ array['display_order'] then
      return null;
    end if;
    if not exists (select from public.content_versions where kind = _kind and item_id = _item_id) then
      perform private.keep_version(_kind, _item_id, _old, 'before', '{}', null);
    end if;
  end if;
  if _document.is_item then
    if tg_op = 'DELETE' then
      insert into public.deleted_content as kept (kind, item_id, title, data, deleted_by)
        values (_kind, _item_id::uuid, coalesce(_data ->> _document.title_column, ''), _data, _author_id)
        on conflict (kind, item_id) do update set
          title = excluded.title, data = excluded.data, deleted_by = excluded.deleted_by, deleted_at = excluded.deleted_at;
    elsif tg_op = 'INSERT' then
      -- Any insert with this id counts as a restore, not only restore_item().
      delete from public.deleted_content where kind = _kind and item_id = _item_id::uuid;
      if found then
        _action := 'restored';
      end if;
    end if;
  end if;
  perform private.keep_version(_kind, _item_id, _data, _action, _changes, _author_id);
  return null;
end
$$;

create function private.keep_versions_of_kind() returns trigger language plpgsql set search_path = '' as $$
begin
  execute format(
    'create trigger keep_versions after insert or update or delete on public.%I
       for each row execute function private.keep_versions()', new.table_name
  );
  return null;
end
$$;

-- Rejects a save whose header x-opened-version (updated_at of its base, or 'none') is not current, so that the editor
-- can merge. A save without the header overwrites.
create function private.reject_stale_save() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _opened text := nullif(current_setting('request.headers', true), '')::json ->> 'x-opened-version';
  _is_stale boolean := false;
begin
  -- For other callers the answer would reveal whether a row exists. The policies reject their write anyway.
  if not private.is_admin() then
    _opened := null;
  end if;
  if _opened <> 'none' and tg_op = 'INSERT' then
    -- An upsert fires this INSERT trigger first. If the row exists, its UPDATE trigger checks the precondition.
    execute format(
      'select not exists (select from public.%I as item where %s)', tg_table_name, private.is_document_in_sql(tg_table_name)
    ) into _is_stale using private.document_key(tg_table_name, to_jsonb(new));
  elsif _opened is not null and tg_op <> 'INSERT' then
    _is_stale := _opened = 'none' or _opened::timestamptz <> old.updated_at;
  end if;
  if _is_stale then
    raise sqlstate 'PT412' using message = 'Another editor changed this after you opened it. Nothing was overwritten.';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end
$$;

-- Generated columns are not content.
create function private.without_generated_columns(_row jsonb, _table oid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select _row - coalesce(
    (select array_agg(attname::text) from pg_catalog.pg_attribute where attrelid = _table and attnum > 0 and attgenerated <> ''),
    '{}'
  )
$$;

create trigger keep_versions after insert or update or delete on public.page_content
  for each row execute function private.keep_versions();

create trigger keep_versions after insert or update or delete on public.site_settings
  for each row execute function private.keep_versions();

create trigger keep_versions_of_kind after insert on private.content_kinds
  for each row execute function private.keep_versions_of_kind();

create trigger reject_stale_save before insert or update or delete on public.page_content
  for each row execute function private.reject_stale_save();

create trigger reject_stale_save before insert or update or delete on public.site_settings
  for each row execute function private.reject_stale_save();

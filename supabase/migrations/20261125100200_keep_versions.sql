-- The one trigger that writes history and trash: on every kind of content, now and to come, on page sections and on settings.

-- Columns that the table computes are no part of what somebody wrote.
create function private.written_columns(_row jsonb, _table oid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select _row - coalesce(
    (select array_agg(attname::text) from pg_catalog.pg_attribute where attrelid = _table and attnum > 0 and attgenerated <> ''),
    '{}'
  )
$$;
revoke all on function private.written_columns(jsonb, oid) from public;

create function private.keep_version(
  _kind text, _item_id text, _data jsonb, _action text, _changes text[], _author_id uuid
) returns void
language sql security definer set search_path = ''
as $$
  insert into public.content_versions (kind, item_id, data, action, changes, author_id)
    values (_kind, _item_id, _data, _action, _changes, _author_id);
  -- The newest 50 stay.
  delete from public.content_versions where kind = _kind and item_id = _item_id and id <= (
    select id from public.content_versions where kind = _kind and item_id = _item_id order by id desc offset 50 limit 1
  );
$$;
revoke all on function private.keep_version(text, text, jsonb, text, text[], uuid) from public;

create function private.keep_versions() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  _old constant jsonb := private.written_columns(to_jsonb(old), tg_relid);
  _data constant jsonb := coalesce(private.written_columns(to_jsonb(new), tg_relid), _old);
  _item_id constant text := case tg_table_name
    when 'page_content' then concat(_data ->> 'page_slug', '/', _data ->> 'section_name')
    when 'site_settings' then _data ->> 'setting_key'
    else _data ->> 'id'
  end;
  _title_column constant name := (select title_column from private.content_kinds where table_name = tg_table_name);
  _author_id constant uuid := private.user_id();
  _action text := case tg_op when 'INSERT' then 'created' when 'UPDATE' then 'changed' else 'deleted' end;
  _changes text[] := '{}';
begin
  if tg_op = 'UPDATE' then
    select coalesce(array_agg(key order by key), '{}') into _changes from jsonb_each(_data)
    where value is distinct from _old -> key and key <> 'updated_at';
    -- Being moved among the others is no change of an item.
    if _changes <@ array['display_order'] then
      return null;
    end if;
    if not exists (select from public.content_versions where kind = tg_table_name and item_id = _item_id) then
      perform private.keep_version(tg_table_name, _item_id, _old, 'before', '{}', null);
    end if;
  end if;
  if _title_column is not null then
    if tg_op = 'DELETE' then
      insert into public.deleted_content as kept (kind, item_id, title, data, deleted_by)
        values (tg_table_name, _item_id::uuid, coalesce(_data ->> _title_column, ''), _data, _author_id)
        on conflict (kind, item_id) do update set
          title = excluded.title, data = excluded.data, deleted_by = excluded.deleted_by, deleted_at = excluded.deleted_at;
    elsif tg_op = 'INSERT' then
      -- However an item comes back, it is not deleted any more.
      delete from public.deleted_content where kind = tg_table_name and item_id = _item_id::uuid;
      if found then
        _action := 'restored';
      end if;
    end if;
  end if;
  perform private.keep_version(tg_table_name, _item_id, _data, _action, _changes, _author_id);
  return null;
end
$$;
revoke all on function private.keep_versions() from public;

create trigger keep_versions after insert or update or delete on public.page_content
  for each row execute function private.keep_versions();
create trigger keep_versions after insert or update or delete on public.site_settings
  for each row execute function private.keep_versions();

-- A kind gets its history with its line in the list.
create function private.keep_versions_of_kind() returns trigger
language plpgsql set search_path = ''
as $$
begin
  execute format(
    'create trigger keep_versions after insert or update or delete on public.%I
       for each row execute function private.keep_versions()', new.table_name
  );
  return null;
end
$$;
revoke all on function private.keep_versions_of_kind() from public;
create trigger keep_versions_of_kind after insert on private.content_kinds
  for each row execute function private.keep_versions_of_kind();

do $$
declare
  _table name;
begin
  for _table in select table_name from private.content_kinds loop
    execute format(
      'create trigger keep_versions after insert or update or delete on public.%I
         for each row execute function private.keep_versions()', _table
    );
  end loop;
end
$$;

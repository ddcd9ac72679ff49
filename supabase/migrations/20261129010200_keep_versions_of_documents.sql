-- History, the trash, and the refusal of what is stale read what they know of a kind from private.documents. What the trash
-- gives back is inserted as what a release creates is.

create or replace function private.keep_versions() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  _kind constant text := tg_table_name;
  _old constant jsonb := private.written_columns(to_jsonb(old), tg_relid);
  _data constant jsonb := coalesce(private.written_columns(to_jsonb(new), tg_relid), _old);
  _item_id constant text := private.document_key(_kind, _data);
  _of private.documents;
  _author_id constant uuid := private.user_id();
  _action text := case tg_op when 'INSERT' then 'created' when 'UPDATE' then 'changed' else 'deleted' end;
  _changes text[] := '{}';
begin
  select * into _of from private.documents where kind = _kind;
  if tg_op = 'UPDATE' then
    select coalesce(array_agg(key order by key), '{}') into _changes from jsonb_each(_data)
    where value is distinct from _old -> key and key <> 'updated_at';
    -- Being moved among the others is no change of an item.
    if _changes <@ array['display_order'] then
      return null;
    end if;
    if not exists (select from public.content_versions where kind = _kind and item_id = _item_id) then
      perform private.keep_version(_kind, _item_id, _old, 'before', '{}', null);
    end if;
  end if;
  if _of.is_item then
    if tg_op = 'DELETE' then
      insert into public.deleted_content as kept (kind, item_id, title, data, deleted_by)
        values (_kind, _item_id::uuid, coalesce(_data ->> _of.title_column, ''), _data, _author_id)
        on conflict (kind, item_id) do update set
          title = excluded.title, data = excluded.data, deleted_by = excluded.deleted_by, deleted_at = excluded.deleted_at;
    elsif tg_op = 'INSERT' then
      -- However an item comes back, it is not deleted any more.
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

create or replace function private.refuse_stale_text() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  _opened text := nullif(current_setting('request.headers', true), '')::json ->> 'x-opened-version';
  _is_stale boolean := false;
begin
  -- Nobody else may learn from the answer what is saved; the policies refuse them.
  if not private.is_admin() then
    _opened := null;
  end if;
  if _opened <> 'none' and tg_op = 'INSERT' then
    -- An upsert comes here before it finds the row, which then answers for itself.
    execute format(
      'select not exists (select from public.%I as item where %s)', tg_table_name, private.is_document_in_sql(tg_table_name)
    ) into _is_stale using private.document_key(tg_table_name, to_jsonb(new));
  elsif _opened is not null and tg_op <> 'INSERT' then
    _is_stale := _opened = 'none' or _opened::timestamptz <> old.updated_at;
  end if;
  if _is_stale then
    raise sqlstate 'PT412' using message = 'Somebody else changed this after you opened it. Nothing was overwritten.';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end
$$;

-- Inserts a row with the columns that the table still has. @returns the row as it stands
drop function private.insert_item(text, jsonb);
create function private.insert_item(_kind text, _row jsonb, _but name default 'updated_at') returns jsonb
language plpgsql set search_path = ''
as $$
declare
  _after jsonb;
begin
  execute format(
    'insert into public.%1$I as item (%2$s) select %2$s from jsonb_populate_record(null::public.%1$I, $1)
     returning to_jsonb(item)', _kind,
    (select string_agg(format('%I', attname), ', ') from pg_catalog.pg_attribute
     where attrelid = format('public.%I', _kind)::regclass and attnum > 0 and not attisdropped
       and attgenerated = '' and attidentity = '' and attname is distinct from _but and _row ? attname::text)
  ) into _after using _row;
  return _after;
end
$$;
revoke all on function private.insert_item(text, jsonb, name) from public;

create or replace function public.restore_item(_kind text, _item_id uuid) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  _data jsonb;
  _slug text;
  _number integer := 1;
  _is_taken boolean;
begin
  perform private.require_admin();
  if not exists (select from private.documents where kind = _kind and is_item) then
    raise exception 'There is no kind of content named %', coalesce(_kind, 'null') using errcode = '22023';
  end if;
  select data into _data from public.deleted_content where kind = _kind and item_id = _item_id for update;
  if not found then
    raise exception 'It is not among the deleted items any more. Somebody restored it, or deleted it for ever.';
  end if;
  if _data ? 'slug' then
    loop
      _slug := case _number when 1 then _data ->> 'slug' else left(_data ->> 'slug', 290) || '-' || _number end;
      execute format('select exists (select from public.%I where slug = $1)', _kind) into _is_taken using _slug;
      exit when not _is_taken;
      _number := _number + 1;
    end loop;
    _data := _data || jsonb_build_object('slug', _slug);
  end if;
  -- Since the item was deleted, columns may have come, which get their default, and gone.
  perform private.insert_item(_kind, _data, null);
  return case when _number > 1 then _slug end;
end
$$;

-- tg_table_name is a name, and a text column that is compared with one is read whole: no index helps. A save took 152 ms
-- beside 312,000 versions. The same functions with the kind as text.

create or replace function private.keep_versions() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  _kind constant text := tg_table_name;
  _old constant jsonb := private.written_columns(to_jsonb(old), tg_relid);
  _data constant jsonb := coalesce(private.written_columns(to_jsonb(new), tg_relid), _old);
  _item_id constant text := case _kind
    when 'page_content' then concat(_data ->> 'page_slug', '/', _data ->> 'section_name')
    when 'site_settings' then _data ->> 'setting_key'
    else _data ->> 'id'
  end;
  _title_column constant name := (select title_column from private.content_kinds where table_name = _kind);
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
    if not exists (select from public.content_versions where kind = _kind and item_id = _item_id) then
      perform private.keep_version(_kind, _item_id, _old, 'before', '{}', null);
    end if;
  end if;
  if _title_column is not null then
    if tg_op = 'DELETE' then
      insert into public.deleted_content as kept (kind, item_id, title, data, deleted_by)
        values (_kind, _item_id::uuid, coalesce(_data ->> _title_column, ''), _data, _author_id)
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

create or replace function private.track_media_mentions() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'DELETE' then
    delete from private.media_mentions where kind = tg_table_name::text and item_id = old.id::text;
  -- A row as text doubles quotes and backslashes, which no name of a file has, and changes nothing else.
  elsif tg_op = 'INSERT' or new::text <> old::text then
    perform private.note_mentions(tg_table_name, new.id::text, new::text);
  end if;
  return null;
end
$$;

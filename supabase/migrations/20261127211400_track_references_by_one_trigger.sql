drop trigger track_media_of_new_kind on private.content_kinds;

drop trigger make_origins_known on private.content_kinds;

drop function private.track_media_of_new_kind();

drop function private.track_media_of_kind(_table text);

-- Also drops its triggers on every kind of content.
drop function private.note_origins() cascade;

drop function private.make_origins_of_kind_known();

drop function private.make_origins_known(_table text);

create function private.note_origins(_kind text, _item_id uuid, _item jsonb) returns void
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
revoke all on function private.note_origins(_kind text, _item_id uuid, _item jsonb) from public, anon, authenticated, service_role;

create function private.track_references() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if private.tries_release() then
    return null;
  end if;
  if tg_op = 'DELETE' then
    delete from private.media_mentions where kind = tg_table_name::text and item_id = old.id::text;
    delete from private.item_origins where kind = tg_table_name::text and item_id = old.id;
  elsif tg_op = 'INSERT' or new::text <> old::text then
    perform private.note_mentions(tg_table_name, new.id::text, new::text);
    perform private.note_origins(tg_table_name, new.id, to_jsonb(new));
  end if;
  return null;
end
$$;
revoke all on function private.track_references() from public, anon, authenticated, service_role;

create function private.track_references_of_kind(_table text) returns void language plpgsql set search_path = '' as $$
begin
  execute format(
    'create trigger track_references after insert or update or delete on public.%I
       for each row execute function private.track_references()', _table
  );
  perform private.note_table_mentions(_table);
  execute format('select private.note_origins(%1$L, id, to_jsonb(item)) from public.%1$I as item', _table);
end
$$;
revoke all on function private.track_references_of_kind(_table text) from public, anon, authenticated, service_role;

create function private.track_references_of_new_kind() returns trigger language plpgsql set search_path = '' as $$
begin
  perform private.track_references_of_kind(new.table_name);
  return null;
end
$$;
revoke all on function private.track_references_of_new_kind() from public, anon, authenticated, service_role;

do $$
declare
  _kind name;
begin
  for _kind in select table_name from private.content_kinds loop
    execute format('drop trigger track_media_mentions on public.%I', _kind);
    execute format(
      'create trigger track_references after insert or update or delete on public.%I
         for each row execute function private.track_references()', _kind
    );
  end loop;
end
$$;

create trigger track_references_of_new_kind after insert on private.content_kinds
  for each row execute function private.track_references_of_new_kind();

-- Triggers track file usage, so that query time does not grow with the number of files and articles.

-- Keys of the files referenced by each item, page section, setting and release change.
create table private.media_mentions (
  kind text not null,
  item_id text not null,
  mention_key text not null,
  primary key (kind, item_id, mention_key)
);
create index media_mentions_key_idx on private.media_mentions (mention_key);
alter table private.media_mentions enable row level security;

-- Lists usages: items in the order of kinds, page sections, settings, then releases.
create function public.media_usage(_name text) returns table (kind text, id uuid, title text)
language plpgsql stable security definer set search_path = '' as $$
declare
  _document private.documents;
  _key constant text := private.media_key(_name);
begin
  perform private.require_admin();
  for _document in select * from private.documents order by is_item desc, number loop
    return query execute format(
      'select %1$L::text, item.id, %2$s
       from private.media_mentions as mention join public.%1$I as item on item.id = mention.item_id::uuid
       where mention.kind = %1$L and mention.mention_key = $2 and private.mentions_media(item::text, $1)
       order by item.ctid', _document.kind,
      case when _document.is_item then format('item.%I::text', _document.title_column) else private.document_key_in_sql(_document.kind) end
    ) using _name, _key;
  end loop;
  return query
    select distinct 'releases', releases.id, releases.name
      from private.media_mentions as mention
        join public.release_changes as change on change.id = mention.item_id::uuid
        join public.releases on releases.id = change.release_id
      where mention.kind = 'release_changes' and mention.mention_key = _key
        and private.mentions_media(change.data::text, _name);
end
$$;
grant execute on function public.media_usage to authenticated, service_role;

-- Uses relative updates, so that concurrent transactions are both counted.
create function private.count_mention() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    update private.media_files set uses = uses + 1 where mention_key = new.mention_key;
  else
    update private.media_files set uses = uses - 1 where mention_key = old.mention_key;
  end if;
  return null;
end
$$;

create function private.media_keys(_text text) returns setof text language sql immutable set search_path = '' as $$
  select distinct private.media_key(hit[1]) from regexp_matches(_text, 'content-media/([A-Za-z0-9_./-]*)', 'g') as hit
  where position('content-media/' in _text) > 0
$$;

-- Returns true if a text contains the URL of a file. Spaces in the name may be escaped. A longer name that starts with
-- this one does not match.
create function private.mentions_media(_text text, _name text) returns boolean language sql immutable set search_path = '' as $$
  select position('content-media/' in _text) > 0 and _text ~ (
    'content-media/('
    || regexp_replace(_name, '([^A-Za-z0-9_/ -])', '\\\1', 'g')
    || '|'
    || regexp_replace(replace(_name, ' ', '%20'), '([^A-Za-z0-9_/ -])', '\\\1', 'g')
    || ')(?![A-Za-z0-9_~%/-]|\.[A-Za-z0-9])'
  )
$$;
grant execute on function private.mentions_media to authenticated, service_role;

create function private.record_mentions(_kind text, _item_id text, _text text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  -- Mentions are only computed for texts that contain, or contained, such a URL.
  if position('content-media/' in _text) = 0 then
    delete from private.media_mentions where kind = _kind and item_id = _item_id;
    return;
  end if;
  delete from private.media_mentions where kind = _kind and item_id = _item_id
    and mention_key not in (select private.media_keys(_text));
  insert into private.media_mentions (kind, item_id, mention_key)
    select _kind, _item_id, key from private.media_keys(_text) as key
    on conflict do nothing;
end
$$;

-- Records the mentions in all existing rows of a table.
create function private.record_table_mentions(_table text) returns void language plpgsql set search_path = '' as $$
begin
  execute format(
    'insert into private.media_mentions (kind, item_id, mention_key)
     select %1$L, item.id::text, key from public.%1$I as item, private.media_keys(item::text) as key', _table
  );
end
$$;

create function private.track_media_mentions() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if private.is_publish_dry_run() then
    return null;
  end if;
  if tg_op = 'DELETE' then
    delete from private.media_mentions where kind = tg_table_name::text and item_id = old.id::text;
  -- A row cast to text doubles quotes and backslashes. File names contain neither.
  elsif tg_op = 'INSERT' or new::text <> old::text then
    perform private.record_mentions(tg_table_name, new.id::text, new::text);
  end if;
  return null;
end
$$;

-- Tracks the files and external hosts that an item refers to.
create function private.track_references() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if private.is_publish_dry_run() then
    return null;
  end if;
  if tg_op = 'DELETE' then
    delete from private.media_mentions where kind = tg_table_name::text and item_id = old.id::text;
    delete from private.item_origins where kind = tg_table_name::text and item_id = old.id;
  elsif tg_op = 'INSERT' or new::text <> old::text then
    perform private.record_mentions(tg_table_name, new.id::text, new::text);
    perform private.record_origins(tg_table_name, new.id, to_jsonb(new));
  end if;
  return null;
end
$$;

create function private.track_references_of_kind(_table text) returns void language plpgsql set search_path = '' as $$
begin
  execute format(
    'create trigger track_references after insert or update or delete on public.%I
       for each row execute function private.track_references()', _table
  );
  perform private.record_table_mentions(_table);
  execute format('select private.record_origins(%1$L, id, to_jsonb(item)) from public.%1$I as item', _table);
end
$$;

create function private.track_references_of_new_kind() returns trigger language plpgsql set search_path = '' as $$
begin
  perform private.track_references_of_kind(new.table_name);
  return null;
end
$$;

create trigger count_mention after insert or delete on private.media_mentions
  for each row execute function private.count_mention();

create trigger track_media_mentions after insert or update or delete on public.page_content
  for each row execute function private.track_media_mentions();

create trigger track_media_mentions after insert or update or delete on public.site_settings
  for each row execute function private.track_media_mentions();

create trigger track_references_of_new_kind after insert on private.content_kinds
  for each row execute function private.track_references_of_new_kind();

-- Where files are used, kept by triggers on every text that may name one, so that the question costs the same with 20,000
-- files and 10,000 articles as with ten.

create function private.media_keys(_text text) returns setof text
language sql immutable set search_path = ''
as $$
  select distinct private.media_key(hit[1]) from regexp_matches(_text, 'content-media/([A-Za-z0-9_./-]*)', 'g') as hit
  where position('content-media/' in _text) > 0
$$;
revoke all on function private.media_keys(text) from public;

create function private.note_mentions(_kind text, _item_id text, _text text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  -- What files are found by is only counted where there are such addresses, or were.
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
revoke all on function private.note_mentions(text, text, text) from public;

-- Added and subtracted, so that two who do it at once both count.
create function private.count_mention() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    update private.media_files set uses = uses + 1 where mention_key = new.mention_key;
  else
    update private.media_files set uses = uses - 1 where mention_key = old.mention_key;
  end if;
  return null;
end
$$;
revoke all on function private.count_mention() from public;
create trigger count_mention after insert or delete on private.media_mentions
  for each row execute function private.count_mention();

create function private.track_media_mentions() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'DELETE' then
    delete from private.media_mentions where kind = tg_table_name and item_id = old.id::text;
  -- A row as text doubles quotes and backslashes, which no name of a file has, and changes nothing else.
  elsif tg_op = 'INSERT' or new::text <> old::text then
    perform private.note_mentions(tg_table_name, new.id::text, new::text);
  end if;
  return null;
end
$$;
revoke all on function private.track_media_mentions() from public;

-- Of a release what it will write; what it has written is in the items themselves.
create function private.track_release_mentions() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'DELETE' then
    delete from private.media_mentions where kind = 'release_changes' and item_id = old.id::text;
  elsif exists (select from public.releases where id = new.release_id and published_at is null) then
    perform private.note_mentions('release_changes', new.id::text, coalesce(new.data::text, ''));
  end if;
  return null;
end
$$;
revoke all on function private.track_release_mentions() from public;

create function private.forget_release_mentions() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.media_mentions where kind = 'release_changes'
    and item_id in (select id::text from public.release_changes where release_id = new.id);
  return null;
end
$$;
revoke all on function private.forget_release_mentions() from public;

create trigger track_media_mentions after insert or update or delete on public.page_content
  for each row execute function private.track_media_mentions();
create trigger track_media_mentions after insert or update or delete on public.site_settings
  for each row execute function private.track_media_mentions();
create trigger track_media_mentions after insert or update or delete on public.release_changes
  for each row execute function private.track_release_mentions();
create trigger forget_media_mentions after update of published_at on public.releases
  for each row when (new.published_at is not null) execute function private.forget_release_mentions();

-- Notes what a table mentions by now.
create function private.note_table_mentions(_table text) returns void
language plpgsql set search_path = ''
as $$
begin
  execute format(
    'insert into private.media_mentions (kind, item_id, mention_key)
     select %1$L, item.id::text, key from public.%1$I as item, private.media_keys(item::text) as key', _table
  );
end
$$;
revoke all on function private.note_table_mentions(text) from public;

-- A kind is searched from its line in the list on.
create function private.track_media_of_kind(_table text) returns void
language plpgsql set search_path = ''
as $$
begin
  execute format(
    'create trigger track_media_mentions after insert or update or delete on public.%I
       for each row execute function private.track_media_mentions()', _table
  );
  perform private.note_table_mentions(_table);
end
$$;
revoke all on function private.track_media_of_kind(text) from public;

create function private.track_media_of_new_kind() returns trigger
language plpgsql set search_path = ''
as $$
begin
  perform private.track_media_of_kind(new.table_name);
  return null;
end
$$;
revoke all on function private.track_media_of_new_kind() from public;
create trigger track_media_of_new_kind after insert on private.content_kinds
  for each row execute function private.track_media_of_new_kind();

select private.track_media_of_kind(table_name) from private.content_kinds;
select private.note_table_mentions('page_content'), private.note_table_mentions('site_settings');
insert into private.media_mentions (kind, item_id, mention_key)
  select 'release_changes', change.id::text, key
  from public.release_changes as change join public.releases on releases.id = release_id,
    private.media_keys(change.data::text) as key
  where published_at is null;
insert into private.media_files
  select (private.media_file_of(objects)).* from storage.objects
  where bucket_id = 'content-media' and metadata ? 'mimetype';
update private.media_files set uses = (
  select count(*) from private.media_mentions where media_mentions.mention_key = media_files.mention_key
);

-- Items in the order of kinds, then page sections, settings, and releases that will use it.
create or replace function public.media_usage(_name text)
returns table (kind text, id uuid, title text)
language plpgsql stable security definer set search_path = ''
as $$
declare
  _kind private.content_kinds;
  _key constant text := private.media_key(_name);
begin
  perform private.require_admin();
  for _kind in select * from private.list_content_kinds() loop
    return query execute format(
      'select %1$L::text, item.id, item.%2$I::text
       from private.media_mentions as mention join public.%1$I as item on item.id = mention.item_id::uuid
       where mention.kind = %1$L and mention.mention_key = $2 and private.mentions_media(item::text, $1)
       order by item.ctid', _kind.table_name, _kind.title_column
    ) using _name, _key;
  end loop;
  return query
    select mention.kind, section.id, page_slug || '/' || section_name
      from private.media_mentions as mention join public.page_content as section on section.id = mention.item_id::uuid
      where mention.kind = 'page_content' and mention.mention_key = _key and private.mentions_media(content, _name)
    union all
    select mention.kind, setting.id, setting_key
      from private.media_mentions as mention join public.site_settings as setting on setting.id = mention.item_id::uuid
      where mention.kind = 'site_settings' and mention.mention_key = _key and private.mentions_media(setting_value, _name)
    union all
    select distinct 'releases', releases.id, releases.name
      from private.media_mentions as mention
        join public.release_changes as change on change.id = mention.item_id::uuid
        join public.releases on releases.id = change.release_id
      where mention.kind = 'release_changes' and mention.mention_key = _key
        and private.mentions_media(change.data::text, _name);
end
$$;
revoke all on function public.media_usage(text) from public, anon, authenticated;
grant execute on function public.media_usage(text) to authenticated, service_role;

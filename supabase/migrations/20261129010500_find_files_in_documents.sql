-- Looks for files, and replaces them, in every kind of document, and not in the kinds of content and two tables beside them.

create or replace function public.media_usage(_name text) returns table (kind text, id uuid, title text)
language plpgsql stable security definer set search_path = ''
as $$
declare
  _of private.documents;
  _key constant text := private.media_key(_name);
begin
  perform private.require_admin();
  for _of in select * from private.documents order by is_item desc, number loop
    return query execute format(
      'select %1$L::text, item.id, %2$s
       from private.media_mentions as mention join public.%1$I as item on item.id = mention.item_id::uuid
       where mention.kind = %1$L and mention.mention_key = $2 and private.mentions_media(item::text, $1)
       order by item.ctid', _of.kind,
      case when _of.is_item then format('item.%I::text', _of.title_column) else private.document_key_in_sql(_of.kind) end
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

create or replace function public.replace_media(_name text, _by text) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  _old private.media_files;
  _new private.media_files;
  _table text;
  _places integer := 0;
  _changed integer;
begin
  perform private.require_admin();
  -- Both in the same order everywhere, so that two who replace at once wait for each other and not for ever.
  perform from private.media_files where name in (_name, _by) order by name for update;
  select * into _old from private.media_files where name = _name;
  select * into _new from private.media_files where name = _by;
  if _old.name is null or _new.name is null then
    raise exception 'There is no file of that name';
  end if;
  if _name = _by then
    raise exception 'A file cannot be replaced by itself.' using errcode = '22023';
  end if;
  if _old.kind <> _new.kind then
    raise exception 'A file can only be replaced by one of its kind: this one is %, the other %.',
      case _old.kind when 'image' then 'a picture' when 'document' then 'a document' when 'video' then 'a video' else 'a sound' end,
      case _new.kind when 'image' then 'a picture' when 'document' then 'a document' when 'video' then 'a video' else 'a sound' end
      using errcode = '22023';
  end if;
  if _by !~ '^[A-Za-z0-9_./-]+$' then
    raise exception 'The new file has signs in its name that addresses write in more than one way. Upload it under another name.'
      using errcode = '22023';
  end if;

  for _table in select kind from private.documents loop
    execute format(
      'update public.%1$I as item set %2$s
       where id in (select item_id::uuid from private.media_mentions where kind = %1$L and mention_key = $3)
         and private.mentions_media(item::text, $1)', _table, private.readdressed_columns(_table)
    ) using _name, _by, _old.mention_key;
    get diagnostics _changed = row_count;
    _places := _places + _changed;
  end loop;
  update public.release_changes as change
  set data = private.readdress_media(data::text, _name, _by)::jsonb,
    base = private.readdress_media(base::text, _name, _by)::jsonb
  from public.releases
  where releases.id = release_id and published_at is null
    and private.mentions_media(concat(data::text, base::text), _name);
  get diagnostics _changed = row_count;

  update storage.objects
  set user_metadata = jsonb_strip_nulls(jsonb_build_object(
      'alt', nullif(_old.alt, ''), 'folder', nullif(_old.folder, ''),
      'focal_x', round(_old.focal_x::numeric, 3), 'focal_y', round(_old.focal_y::numeric, 3)
    )) || coalesce(user_metadata, '{}')
  where bucket_id = 'content-media' and name = _by;
  return _places + _changed;
end
$$;

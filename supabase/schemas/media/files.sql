-- Searchable index of the media library, one row per file, so that 20,000 files are as fast as 100. A trigger derives
-- it from storage.objects. What admins enter (alt text, folder, focal point) is in user_metadata and moves with the
-- file.
create table private.media_files (
  name text primary key,
  object_id uuid not null,
  original_name text not null,
  mimetype text not null,
  kind text not null check (kind in ('image', 'video', 'audio', 'document')),
  size bigint,
  width integer,
  height integer,
  alt text not null,
  -- Empty for no folder.
  folder text not null,
  -- Focal point from left and top, 0 to 1. Null for the centre.
  focal_x real,
  focal_y real,
  -- Hexadecimal hash of the original file. Null if the storage reports none, as on a hosted project.
  sha256 text,
  -- See media_key().
  mention_key text not null,
  -- Number of items, page sections, settings and pending changes that use the file.
  uses integer not null default 0,
  -- Lower case.
  search_text text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index media_files_newest_idx on private.media_files (created_at desc, name);
create index media_files_kind_idx on private.media_files (kind, created_at desc, name);
create index media_files_folder_idx on private.media_files (folder, created_at desc, name);
create index media_files_unused_idx on private.media_files (created_at desc, name) where uses = 0;
create index media_files_sha256_idx on private.media_files (sha256) where sha256 is not null;
create index media_files_mention_key_idx on private.media_files (mention_key);
alter table private.media_files enable row level security;

-- Returns the number of files. The backend deletes the bytes when it is notified.
create function public.delete_media_permanently(_ids uuid[]) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  _deleted integer := 0;
begin
  if public.can_restore_media() then
    execute 'update backend.deleted_objects set purge_at = now() where id = any ($1) and purge_at > now()' using _ids;
    get diagnostics _deleted = row_count;
    perform pg_notify('media_deleted_for_ever', '');
  end if;
  return _deleted;
end
$$;
grant execute on function public.delete_media_permanently to authenticated, service_role;

-- Lists a page of deleted files, latest first, with the total.
create function public.deleted_media(
  _search text default '', _limit integer default 24, _offset integer default 0
) returns table (
  id uuid, name text, original_name text, mimetype text, size bigint, deleted_by uuid, deleted_at timestamptz, total bigint
) language plpgsql stable security definer set search_path = '' as $$
begin
  if not public.can_restore_media() then
    return;
  end if;
  return query execute
    'select id, name, coalesce(user_metadata ->> ''original_name'', ''''), metadata ->> ''mimetype'',
       (metadata ->> ''size'')::bigint, deleted_by, deleted_at, count(*) over ()
     from backend.deleted_objects
     where purge_at > now()
       and position(lower($1) in lower(concat_ws('' '', name, user_metadata ->> ''original_name'', user_metadata ->> ''alt''))) > 0
     order by deleted_at desc, id limit $2 offset $3'
    using _search, least(greatest(_limit, 1), 200), greatest(_offset, 0);
end
$$;
grant execute on function public.deleted_media to authenticated, service_role;

-- Finds the file with the same bytes. If there are several, returns the oldest.
create function public.find_media(_sha256 text) returns table (
  name text, original_name text, mimetype text, folder text, created_at timestamptz
) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return query
    select files.name, files.original_name, files.mimetype, files.folder, files.created_at
    from private.media_files as files where files.sha256 = lower(_sha256) order by files.created_at, files.name limit 1;
end
$$;
grant execute on function public.find_media to authenticated, service_role;

create function public.can_restore_media() returns boolean language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return to_regclass('backend.deleted_objects') is not null;
end
$$;
grant execute on function public.can_restore_media to authenticated, service_role;

-- Lists folders by name. Jumps through the index instead of reading every file.
create function public.media_folders() returns setof text language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return query
    with recursive folders (folder) as (
      select min(files.folder) from private.media_files as files where files.folder <> ''
      union all
      select (select min(files.folder) from private.media_files as files where files.folder > folders.folder)
      from folders where folders.folder is not null
    )
    select folders.folder from folders where folders.folder is not null order by lower(folders.folder), 1 limit 1000;
end
$$;
grant execute on function public.media_folders to authenticated, service_role;

-- Reads pages near the end in reverse order, because an offset reads all skipped rows.
create function public.media_library(
  _search text default '', _kind text default '', _limit integer default 24, _offset integer default 0, _folder text default '',
  _unused boolean default false
) returns table (
  id uuid, name text, original_name text, mimetype text, size bigint, width integer, height integer, alt text, folder text,
  focal_x real, focal_y real, is_used boolean, created_at timestamptz, updated_at timestamptz, total bigint
) language plpgsql stable security definer set search_path = '' as $$
declare
  _where text := concat_ws(' and ', 'true',
    -- LIKE instead of position(), so that a trigram index can be used if there is one.
    case when _search <> '' then format('search_text like %L',
      '%' || regexp_replace(lower(_search), '([\\%_])', '\\\1', 'g') || '%') end,
    case when _kind <> '' then format('kind = %L', _kind) end,
    case _folder when '' then null when '-' then 'folder = ''''' else format('folder = %L', _folder) end,
    case when _unused then 'uses = 0' end);
  _total bigint;
  _first constant integer := greatest(_offset, 0);
  _length integer := least(greatest(_limit, 1), 200);
  _is_from_end boolean;
begin
  perform private.require_admin();
  execute 'select count(*) from private.media_files where ' || _where into _total;
  _is_from_end := _first > _total - _first;
  -- The last page may be shorter.
  _length := case when _is_from_end then least(_length, greatest(_total - _first, 0)) else _length end;
  return query execute format(
    'with page as materialized (
       select name from private.media_files where %s order by %s limit $2 offset $3
     )
     select object_id, name, original_name, mimetype, size, width, height, alt, folder, focal_x, focal_y, uses > 0,
       created_at, updated_at, $1
     from page join private.media_files using (name) order by created_at desc, name', _where,
    case when _is_from_end then 'created_at, name desc' else 'created_at desc, name' end
  ) using _total, _length, case when _is_from_end then greatest(_total - _first - _length, 0) else _first end;
end
$$;
grant execute on function public.media_library to authenticated, service_role;

-- Returns the original of a picture, for admins only because it contains location and camera data. No row without one.
create function public.media_original(_name text) returns table (name text, size bigint)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return query
    select original.name, (original.metadata ->> 'size')::bigint
    from storage.objects as file join storage.objects as original
      on original.bucket_id = 'media-originals' and original.name = file.id::text
    where file.bucket_id = 'content-media' and file.name = _name;
end
$$;
grant execute on function public.media_original to authenticated, service_role;

-- Moves files into a folder, or out of their folders if the name is empty. URLs do not change. Returns the number of
-- moved files.
create function public.move_media(_names text[], _folder text) returns integer language plpgsql set search_path = '' as $$
declare
  _moved integer;
begin
  perform private.require_admin();
  _folder := regexp_replace(trim(_folder), '\s+', ' ', 'g');
  if length(_folder) > 100 or _folder = '-' then
    raise exception 'A folder name must have at most 100 characters and cannot be “-”.' using errcode = '22023';
  end if;
  if cardinality(_names) > 1000 then
    raise exception 'At most 1,000 files can be moved at once.' using errcode = '22023';
  end if;
  update storage.objects
  set user_metadata = case _folder
    when '' then coalesce(user_metadata, '{}') - 'folder'
    else coalesce(user_metadata, '{}') || jsonb_build_object('folder', _folder)
  end
  where bucket_id = 'content-media' and name = any (_names);
  get diagnostics _moved = row_count;
  return _moved;
end
$$;
grant execute on function public.move_media to authenticated, service_role;

-- Returns the data that a page needs to render public pictures, by file name.
create function public.picture_facts(_names text[]) returns table (
  name text, width integer, height integer, alt text, focal_x real, focal_y real
) language sql stable security definer set search_path = '' as $$
  select files.name, files.width, files.height, files.alt, files.focal_x, files.focal_y
  from private.media_files as files where files.name = any (_names[1:200]) and files.kind = 'image'
$$;
grant execute on function public.picture_facts to anon, authenticated, service_role;

-- Replaces a file everywhere it is used. The new file gets the folder of the old one, and its alt text and focal point
-- unless the new file has these already. The old file stays in the library. Returns the number of places.
create function public.replace_media(_name text, _by text) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  _old private.media_files;
  _new private.media_files;
  _table text;
  _places integer := 0;
  _changed integer;
begin
  perform private.require_admin();
  -- Locks both rows in a fixed order, so that concurrent replacements do not deadlock.
  perform from private.media_files where name in (_name, _by) order by name for update;
  select * into _old from private.media_files where name = _name;
  select * into _new from private.media_files where name = _by;
  if _old.name is null or _new.name is null then
    raise exception 'File not found';
  end if;
  if _name = _by then
    raise exception 'A file cannot be replaced by itself.' using errcode = '22023';
  end if;
  if _old.kind <> _new.kind then
    raise exception 'A file can only be replaced by one of the same type: this one is %, the other is %.',
      case _old.kind when 'image' then 'a picture' when 'document' then 'a document' when 'video' then 'a video' else 'a sound' end,
      case _new.kind when 'image' then 'a picture' when 'document' then 'a document' when 'video' then 'a video' else 'a sound' end
      using errcode = '22023';
  end if;
  if _by !~ '^[A-Za-z0-9_./-]+$' then
    raise exception 'The new file''s name contains characters that can be encoded in several ways in a URL. Upload it under another name.'
      using errcode = '22023';
  end if;

  for _table in select kind from private.documents loop
    execute format(
      'update public.%1$I as item set %2$s
       where id in (select item_id::uuid from private.media_mentions where kind = %1$L and mention_key = $3)
         and private.mentions_media(item::text, $1)', _table, private.media_column_updates(_table)
    ) using _name, _by, _old.mention_key;
    get diagnostics _changed = row_count;
    _places := _places + _changed;
  end loop;
  update public.release_changes as change
  set data = private.replace_media_name(data::text, _name, _by)::jsonb,
    base = private.replace_media_name(base::text, _name, _by)::jsonb
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
grant execute on function public.replace_media to authenticated, service_role;

-- Restores a file at its URL, with its metadata. Returns its name.
create function public.restore_media(_id uuid) returns text language plpgsql security definer set search_path = '' as $$
declare
  _file jsonb;
begin
  if public.can_restore_media() then
    execute 'select to_jsonb(file) from backend.deleted_objects as file where id = $1 and purge_at > now() for update'
      into _file using _id;
  end if;
  if _file is null then
    raise exception 'This file is no longer in the trash. It was restored or permanently deleted.';
  end if;
  if exists (
    select from storage.objects where bucket_id = _file ->> 'bucket_id' and name = _file ->> 'name'
  ) then
    raise exception 'Another file now has this URL. Delete that file first.';
  end if;
  insert into storage.objects
    (id, bucket_id, name, version, metadata, user_metadata, created_at, updated_at, owner, owner_id)
  select id, bucket_id, name, version, metadata, user_metadata, created_at, updated_at, owner_id::uuid, owner_id
  from jsonb_populate_record(null::storage.objects, _file);
  -- Pages show the alt text and focal point of pictures.
  perform pg_notify('content_changed', 'media');
  return _file ->> 'name';
end
$$;
grant execute on function public.restore_media to authenticated, service_role;

create function public.set_media_alt(_name text, _alt text) returns void language plpgsql set search_path = '' as $$
begin
  perform private.require_admin();
  if length(_alt) > 1000 then
    raise exception 'The alternative text must be less than 1000 characters' using errcode = '22001';
  end if;
  update storage.objects
  set user_metadata = coalesce(user_metadata, '{}') || jsonb_build_object('alt', trim(_alt))
  where bucket_id = 'content-media' and name = _name;
  if not found then
    raise exception 'File not found';
  end if;
end
$$;
grant execute on function public.set_media_alt to authenticated, service_role;

-- Sets the focal point. Null for both is the centre.
create function public.set_media_focus(_name text, _x real, _y real) returns void language plpgsql set search_path = '' as $$
begin
  perform private.require_admin();
  if (_x is null) <> (_y is null) or _x not between 0 and 1 or _y not between 0 and 1 then
    raise exception 'The focal point must be inside the picture: both values must be between 0 and 1.' using errcode = '22023';
  end if;
  update storage.objects
  set user_metadata = coalesce(user_metadata, '{}') - array['focal_x', 'focal_y']
    || case when _x is null then '{}' else jsonb_build_object('focal_x', round(_x::numeric, 3), 'focal_y', round(_y::numeric, 3)) end
  where bucket_id = 'content-media' and name = _name and metadata ->> 'mimetype' like 'image/%';
  if not found then
    raise exception 'Picture not found';
  end if;
end
$$;
grant execute on function public.set_media_focus to authenticated, service_role;

create function private.media_file_of(_object storage.objects) returns private.media_files
language plpgsql stable set search_path = '' as $$
declare
  _file private.media_files;
  _metadata constant jsonb := coalesce(_object.user_metadata, '{}');
begin
  _file.name := _object.name;
  _file.object_id := _object.id;
  _file.original_name := left(coalesce(_metadata ->> 'original_name', ''), 500);
  _file.mimetype := _object.metadata ->> 'mimetype';
  _file.kind := case when _file.mimetype ~ '^(image|video|audio)/' then split_part(_file.mimetype, '/', 1) else 'document' end;
  _file.size := (_object.metadata ->> 'size')::bigint;
  _file.width := private.parse_pixels(_object.metadata -> 'width');
  _file.height := private.parse_pixels(_object.metadata -> 'height');
  _file.alt := left(coalesce(_metadata ->> 'alt', ''), 1000);
  _file.folder := left(trim(coalesce(_metadata ->> 'folder', '')), 100);
  _file.focal_x := private.parse_fraction(_metadata -> 'focal_x');
  _file.focal_y := private.parse_fraction(_metadata -> 'focal_y');
  -- If the storage reports no hash, uses the one that the uploading browser computed.
  _file.sha256 := substring(lower(coalesce(_object.metadata ->> 'sha256', _metadata ->> 'sha256')) from '^[0-9a-f]{64}$');
  _file.mention_key := private.media_key(_object.name);
  _file.uses := 0;
  _file.search_text := lower(concat_ws(' ', _file.name, _file.original_name, _file.alt, _file.folder));
  _file.created_at := coalesce(_object.created_at, now());
  _file.updated_at := coalesce(_object.updated_at, now());
  return _file;
end
$$;

-- Returns the key that links texts and files: the start of a name up to the first character that can be encoded in
-- several ways in a URL. mentions_media() then compares the whole name. Trailing full stops are removed, because they
-- may end a sentence.
create function private.media_key(_name text) returns text language sql immutable set search_path = '' as $$
  select rtrim(substring(_name from '^[A-Za-z0-9_./-]*'), '.')
$$;

create function private.parse_pixels(_value jsonb) returns integer language sql immutable set search_path = '' as $$
  select case when jsonb_typeof(_value) = 'number' and _value::numeric between 1 and 1000000 then _value::numeric::integer end
$$;

-- Accepts any JSON, because clients write it.
create function private.parse_fraction(_value jsonb) returns real language sql immutable set search_path = '' as $$
  select case when jsonb_typeof(_value) = 'number' then least(greatest(_value::numeric, 0), 1)::real end
$$;

create function private.track_media_file() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _before private.media_files;
  _file private.media_files;
begin
  if tg_op <> 'INSERT' and old.bucket_id = 'content-media' then
    select * into _before from private.media_files where name = old.name;
    if tg_op = 'DELETE' or new.bucket_id <> 'content-media' or new.name <> old.name then
      delete from private.media_files where name = old.name;
    end if;
  end if;
  if tg_op <> 'DELETE' and new.bucket_id = 'content-media' and new.metadata ? 'mimetype' then
    _file := private.media_file_of(new);
    select count(*) into _file.uses from private.media_mentions where mention_key = _file.mention_key;
    insert into private.media_files select _file.*
    on conflict (name) do update set
      object_id = excluded.object_id, original_name = excluded.original_name, mimetype = excluded.mimetype,
      kind = excluded.kind, size = excluded.size, width = excluded.width, height = excluded.height, alt = excluded.alt,
      folder = excluded.folder, focal_x = excluded.focal_x, focal_y = excluded.focal_y, sha256 = excluded.sha256,
      search_text = excluded.search_text, created_at = excluded.created_at, updated_at = excluded.updated_at;
    -- Pages are rendered with these values.
    if (_before.alt, _before.focal_x, _before.focal_y, _before.width, _before.height)
      is distinct from (_file.alt, _file.focal_x, _file.focal_y, _file.width, _file.height) and _before.name is not null then
      perform pg_notify('content_changed', 'media');
    end if;
  end if;
  return null;
end
$$;

-- Replaces one file name by another in a text. The new one contains no special characters of URLs.
create function private.replace_media_name(_text text, _name text, _by text) returns text
language sql immutable set search_path = '' as $$
  select case when position('content-media/' in _text) = 0 then _text else regexp_replace(_text,
    'content-media/('
    || regexp_replace(_name, '([^A-Za-z0-9_/ -])', '\\\1', 'g')
    || '|'
    || regexp_replace(replace(_name, ' ', '%20'), '([^A-Za-z0-9_/ -])', '\\\1', 'g')
    || ')(?![A-Za-z0-9_~%/-]|\.[A-Za-z0-9])',
    'content-media/' || _by, 'g') end
$$;

-- Returns SQL that updates each text column of a table.
create function private.media_column_updates(_table text) returns text language sql stable set search_path = '' as $$
  select string_agg(
    format('%1$I = private.replace_media_name(%1$I::text, $1, $2)::%2$s', attname, format_type(atttypid, atttypmod)), ', '
  )
  from pg_catalog.pg_attribute
  where attrelid = format('public.%I', _table)::regclass and attnum > 0 and not attisdropped and attgenerated = ''
    and atttypid = any ('{text,varchar,json,jsonb,text[]}'::regtype[])
$$;

create policy "Admins see the content media bucket" on storage.buckets for select to authenticated
  using (id = 'content-media' and (select private.is_admin()));

create policy "Admins list content media" on storage.objects for select to authenticated
  using (bucket_id = 'content-media' and (select private.is_admin()));
create policy "Admins upload content media" on storage.objects for insert to authenticated
  with check (bucket_id = 'content-media' and (select private.is_admin()));
create policy "Admins change content media" on storage.objects for update to authenticated
  using (bucket_id = 'content-media' and (select private.is_admin()))
  with check (bucket_id = 'content-media' and (select private.is_admin()));
create policy "Admins delete content media" on storage.objects for delete to authenticated
  using (bucket_id = 'content-media' and (select private.is_admin()));

create policy "Admins see the bucket of originals" on storage.buckets for select to authenticated
  using (id = 'media-originals' and (select private.is_admin()));

create policy "Admins read originals" on storage.objects for select to authenticated
  using (bucket_id = 'media-originals' and (select private.is_admin()));
create policy "Admins upload originals" on storage.objects for insert to authenticated
  with check (bucket_id = 'media-originals' and (select private.is_admin()));
create policy "Admins replace originals" on storage.objects for update to authenticated
  using (bucket_id = 'media-originals' and (select private.is_admin()))
  with check (bucket_id = 'media-originals' and (select private.is_admin()));
create policy "Admins delete originals" on storage.objects for delete to authenticated
  using (bucket_id = 'media-originals' and (select private.is_admin()));

create trigger track_media_file after insert or update or delete on storage.objects
  for each row execute function private.track_media_file();

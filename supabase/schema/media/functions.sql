-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.delete_media_for_ever(_ids uuid[])
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _deleted integer := 0;
begin
  if public.keeps_deleted_media() then
    execute 'update backend.deleted_objects set purge_at = now() where id = any ($1) and purge_at > now()' using _ids;
    get diagnostics _deleted = row_count;
    perform pg_notify('media_deleted_for_ever', '');
  end if;
  return _deleted;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.deleted_media(_search text DEFAULT ''::text, _limit integer DEFAULT 24, _offset integer DEFAULT 0)
 RETURNS TABLE(id uuid, name text, original_name text, mimetype text, size bigint, deleted_by uuid, deleted_at timestamp with time zone, total bigint)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not public.keeps_deleted_media() then
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
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.find_media(_sha256 text)
 RETURNS TABLE(name text, original_name text, mimetype text, folder text, created_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_admin();
  return query
    select files.name, files.original_name, files.mimetype, files.folder, files.created_at
    from private.media_files as files where files.sha256 = lower(_sha256) order by files.created_at, files.name limit 1;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.keeps_deleted_media()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_admin();
  return to_regclass('backend.deleted_objects') is not null;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.media_folders()
 RETURNS SETOF text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.media_library(_search text DEFAULT ''::text, _kind text DEFAULT ''::text, _limit integer DEFAULT 24, _offset integer DEFAULT 0, _folder text DEFAULT ''::text, _unused boolean DEFAULT false)
 RETURNS TABLE(id uuid, name text, original_name text, mimetype text, size bigint, width integer, height integer, alt text, folder text, focal_x real, focal_y real, is_used boolean, created_at timestamp with time zone, updated_at timestamp with time zone, total bigint)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _where text := concat_ws(' and ', 'true',
    -- A pattern rather than position(), so that an index of three-letter parts serves it where there is one.
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
  -- Fewer than a page are left at the end.
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
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.media_original(_name text)
 RETURNS TABLE(name text, size bigint)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_admin();
  return query
    select original.name, (original.metadata ->> 'size')::bigint
    from storage.objects as file join storage.objects as original
      on original.bucket_id = 'media-originals' and original.name = file.id::text
    where file.bucket_id = 'content-media' and file.name = _name;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.media_usage(_name text)
 RETURNS TABLE(kind text, id uuid, title text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.move_media(_names text[], _folder text)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  _moved integer;
begin
  perform private.require_admin();
  _folder := regexp_replace(trim(_folder), '\s+', ' ', 'g');
  if length(_folder) > 100 or _folder = '-' then
    raise exception 'The name of a folder has at most 100 characters, and is not “-”.' using errcode = '22023';
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
$function$;

-- Called by anon, authenticated, service_role.
CREATE OR REPLACE FUNCTION public.picture_facts(_names text[])
 RETURNS TABLE(name text, width integer, height integer, alt text, focal_x real, focal_y real)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select files.name, files.width, files.height, files.alt, files.focal_x, files.focal_y
  from private.media_files as files where files.name = any (_names[1:200]) and files.kind = 'image'
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.replace_media(_name text, _by text)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.restore_media(_id uuid)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _file jsonb;
begin
  if public.keeps_deleted_media() then
    execute 'select to_jsonb(file) from backend.deleted_objects as file where id = $1 and purge_at > now() for update'
      into _file using _id;
  end if;
  if _file is null then
    raise exception 'It is not among the deleted files any more. Somebody restored it, or deleted it for ever.';
  end if;
  if exists (
    select from storage.objects where bucket_id = _file ->> 'bucket_id' and name = _file ->> 'name'
  ) then
    raise exception 'Another file has this address now. Delete that one first.';
  end if;
  insert into storage.objects
    (id, bucket_id, name, version, metadata, user_metadata, created_at, updated_at, owner, owner_id)
  select id, bucket_id, name, version, metadata, user_metadata, created_at, updated_at, owner_id::uuid, owner_id
  from jsonb_populate_record(null::storage.objects, _file);
  -- Pages are drawn with what is said of a picture.
  perform pg_notify('content_changed', 'media');
  return _file ->> 'name';
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.set_media_alt(_name text, _alt text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform private.require_admin();
  if length(_alt) > 1000 then
    raise exception 'The alternative text must be less than 1000 characters' using errcode = '22001';
  end if;
  update storage.objects
  set user_metadata = coalesce(user_metadata, '{}') || jsonb_build_object('alt', trim(_alt))
  where bucket_id = 'content-media' and name = _name;
  if not found then
    raise exception 'There is no file of that name';
  end if;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.set_media_focus(_name text, _x real, _y real)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform private.require_admin();
  if (_x is null) <> (_y is null) or _x not between 0 and 1 or _y not between 0 and 1 then
    raise exception 'The focal point must be within the picture: from 0 to 1 both ways.' using errcode = '22023';
  end if;
  update storage.objects
  set user_metadata = coalesce(user_metadata, '{}') - array['focal_x', 'focal_y']
    || case when _x is null then '{}' else jsonb_build_object('focal_x', round(_x::numeric, 3), 'focal_y', round(_y::numeric, 3)) end
  where bucket_id = 'content-media' and name = _name and metadata ->> 'mimetype' like 'image/%';
  if not found then
    raise exception 'There is no picture of that name';
  end if;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.count_mention()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'INSERT' then
    update private.media_files set uses = uses + 1 where mention_key = new.mention_key;
  else
    update private.media_files set uses = uses - 1 where mention_key = old.mention_key;
  end if;
  return null;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION private.is_brand_picture(_picture jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select coalesce(
    jsonb_typeof(_picture) = 'object'
    and _picture ->> 'address' ~ '^(https?://[A-Za-z0-9.:-]+)?/storage/v1/object/public/content-media/[A-Za-z0-9_./%-]+$'
    and _picture ->> 'address' !~ '\.\.'
    and jsonb_typeof(_picture -> 'width') = 'number' and jsonb_typeof(_picture -> 'height') = 'number',
    false
  )
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.media_file_of(_object storage.objects)
 RETURNS private.media_files
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  _file private.media_files;
  _said constant jsonb := coalesce(_object.user_metadata, '{}');
begin
  _file.name := _object.name;
  _file.object_id := _object.id;
  _file.original_name := left(coalesce(_said ->> 'original_name', ''), 500);
  _file.mimetype := _object.metadata ->> 'mimetype';
  _file.kind := case when _file.mimetype ~ '^(image|video|audio)/' then split_part(_file.mimetype, '/', 1) else 'document' end;
  _file.size := (_object.metadata ->> 'size')::bigint;
  _file.width := private.pixels_of(_object.metadata -> 'width');
  _file.height := private.pixels_of(_object.metadata -> 'height');
  _file.alt := left(coalesce(_said ->> 'alt', ''), 1000);
  _file.folder := left(trim(coalesce(_said ->> 'folder', '')), 100);
  _file.focal_x := private.share_of(_said -> 'focal_x');
  _file.focal_y := private.share_of(_said -> 'focal_y');
  -- Where the storage does not say it, the screen that uploaded the file has.
  _file.sha256 := substring(lower(coalesce(_object.metadata ->> 'sha256', _said ->> 'sha256')) from '^[0-9a-f]{64}$');
  _file.mention_key := private.media_key(_object.name);
  _file.uses := 0;
  _file.search_text := lower(concat_ws(' ', _file.name, _file.original_name, _file.alt, _file.folder));
  _file.created_at := coalesce(_object.created_at, now());
  _file.updated_at := coalesce(_object.updated_at, now());
  return _file;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.media_key(_name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select rtrim(substring(_name from '^[A-Za-z0-9_./-]*'), '.')
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.media_keys(_text text)
 RETURNS SETOF text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select distinct private.media_key(hit[1]) from regexp_matches(_text, 'content-media/([A-Za-z0-9_./-]*)', 'g') as hit
  where position('content-media/' in _text) > 0
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION private.mentions_media(_text text, _name text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select position('content-media/' in _text) > 0 and _text ~ (
    'content-media/('
    || regexp_replace(_name, '([^A-Za-z0-9_/ -])', '\\\1', 'g')
    || '|'
    || regexp_replace(replace(_name, ' ', '%20'), '([^A-Za-z0-9_/ -])', '\\\1', 'g')
    || ')(?![A-Za-z0-9_~%/-]|\.[A-Za-z0-9])'
  )
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.note_mentions(_kind text, _item_id text, _text text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.note_table_mentions(_table text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  execute format(
    'insert into private.media_mentions (kind, item_id, mention_key)
     select %1$L, item.id::text, key from public.%1$I as item, private.media_keys(item::text) as key', _table
  );
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.pictures_without_alt(_table text, _row jsonb)
 RETURNS TABLE(column_name text, title text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with texts as (
    select attname::text as name, attname ~ '(image|src)' as is_picture, _row ->> attname as value
    from pg_catalog.pg_attribute
    where attrelid = format('public.%I', _table)::regclass and attnum > 0 and not attisdropped and attgenerated = ''
      and atttypid = any ('{text,jsonb,text[]}'::regtype[]) and _row ->> attname is not null
  )
  select texts.name, coalesce(nullif(files.original_name, ''), files.name)
  from texts
    cross join lateral private.media_keys(texts.value) as key
    join private.media_files as files on files.mention_key = key
  where texts.is_picture and files.kind = 'image' and trim(files.alt) = '' and private.mentions_media(texts.value, files.name)
  union
  select texts.name, null from texts where not texts.is_picture and texts.value ~ '!\[\s*\]\('
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.pixels_of(_value jsonb)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select case when jsonb_typeof(_value) = 'number' and _value::numeric between 1 and 1000000 then _value::numeric::integer end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.readdress_media(_text text, _name text, _by text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select case when position('content-media/' in _text) = 0 then _text else regexp_replace(_text,
    'content-media/('
    || regexp_replace(_name, '([^A-Za-z0-9_/ -])', '\\\1', 'g')
    || '|'
    || regexp_replace(replace(_name, ' ', '%20'), '([^A-Za-z0-9_/ -])', '\\\1', 'g')
    || ')(?![A-Za-z0-9_~%/-]|\.[A-Za-z0-9])',
    'content-media/' || _by, 'g') end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.readdressed_columns(_table text)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select string_agg(
    format('%1$I = private.readdress_media(%1$I::text, $1, $2)::%2$s', attname, format_type(atttypid, atttypmod)), ', '
  )
  from pg_catalog.pg_attribute
  where attrelid = format('public.%I', _table)::regclass and attnum > 0 and not attisdropped and attgenerated = ''
    and atttypid = any ('{text,varchar,json,jsonb,text[]}'::regtype[])
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.require_alt_texts()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _missing record;
  _title text;
begin
  if to_jsonb(new) ->> 'status' <> 'published' or not exists (
    select from public.site_settings where setting_key = 'require_alt_text' and trim(setting_value) = 'on'
  ) then
    return new;
  end if;
  select * into _missing from (
    select column_name, title from private.pictures_without_alt(tg_table_name, to_jsonb(new))
    except
    select column_name, title from private.pictures_without_alt(tg_table_name, to_jsonb(old))
    where tg_op = 'UPDATE' and to_jsonb(old) ->> 'status' = 'published'
  ) as missing order by column_name, title limit 1;
  if not found then
    return new;
  end if;
  select to_jsonb(new) ->> title_column into _title from private.content_kinds where table_name = tg_table_name;
  raise sqlstate 'PT422' using
    message = case when _missing.title is null
      then format('“%s” was not published: a picture in its text has no alt text. Write it between the brackets: ![what it shows](address).', _title)
      else format('“%s” was not published: the picture “%s” has no alt text. Describe it in the media library first.', _title, _missing.title)
    end,
    detail = _missing.column_name;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.require_alt_texts_of_kind()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  execute format(
    'create trigger require_alt_texts before insert or update on public.%I
       for each row execute function private.require_alt_texts()', new.table_name
  );
  return null;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.share_of(_value jsonb)
 RETURNS real
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select case when jsonb_typeof(_value) = 'number' then least(greatest(_value::numeric, 0), 1)::real end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.track_media_file()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
    -- Pages are drawn with these.
    if (_before.alt, _before.focal_x, _before.focal_y, _before.width, _before.height)
      is distinct from (_file.alt, _file.focal_x, _file.focal_y, _file.width, _file.height) and _before.name is not null then
      perform pg_notify('content_changed', 'media');
    end if;
  end if;
  return null;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.track_media_mentions()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if private.tries_release() then
    return null;
  end if;
  if tg_op = 'DELETE' then
    delete from private.media_mentions where kind = tg_table_name::text and item_id = old.id::text;
  -- A row as text doubles quotes and backslashes, which no name of a file has, and changes nothing else.
  elsif tg_op = 'INSERT' or new::text <> old::text then
    perform private.note_mentions(tg_table_name, new.id::text, new::text);
  end if;
  return null;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.track_media_of_kind(_table text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  execute format(
    'create trigger track_media_mentions after insert or update or delete on public.%I
       for each row execute function private.track_media_mentions()', _table
  );
  perform private.note_table_mentions(_table);
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.track_media_of_new_kind()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform private.track_media_of_kind(new.table_name);
  return null;
end
$function$;

-- What the media library searches: one line for each file of the bucket, so that 20,000 files are as fast as 100. The lines
-- are derived from storage.objects by a trigger and nobody writes them otherwise; what admins say of a file (alternative
-- text, folder, focal point) is in its user_metadata and goes wherever the file goes.

create table private.media_files (
  name text collate "C" primary key,
  object_id uuid not null,
  original_name text not null,
  mimetype text not null,
  kind text not null check (kind in ('image', 'video', 'audio', 'document')),
  size bigint,
  width integer,
  height integer,
  alt text not null,
  -- Empty: in none.
  folder text not null,
  -- Where the subject of a picture is, from the left and from the top, 0 to 1; null: nobody said, so in the middle.
  focal_x real,
  focal_y real,
  -- Of the file as it came, hexadecimal; null where the storage does not tell, as on a hosted project.
  sha256 text,
  -- See media_key().
  mention_key text collate "C" not null,
  -- How many items, page sections, settings and waiting changes mention the key.
  uses integer not null default 0,
  -- In lower case.
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
revoke all on table private.media_files from public, anon, authenticated, service_role;
alter table private.media_files enable row level security;

-- By which a text and a file find each other: the beginning of a name up to the first sign that may be written in more than
-- one way in an address. mentions_media() then tells for certain. A full stop may end the sentence.
create function private.media_key(_name text) returns text
language sql immutable set search_path = ''
as $$
  select rtrim(substring(_name from '^[A-Za-z0-9_./-]*'), '.')
$$;
revoke all on function private.media_key(text) from public;

-- From what clients may have written in any form.
create function private.share_of(_value jsonb) returns real
language sql immutable set search_path = ''
as $$
  select case when jsonb_typeof(_value) = 'number' then least(greatest(_value::numeric, 0), 1)::real end
$$;
revoke all on function private.share_of(jsonb) from public;

create function private.pixels_of(_value jsonb) returns integer
language sql immutable set search_path = ''
as $$
  select case when jsonb_typeof(_value) = 'number' and _value::numeric between 1 and 1000000 then _value::numeric::integer end
$$;
revoke all on function private.pixels_of(jsonb) from public;

create function private.media_file_of(_object storage.objects) returns private.media_files
language plpgsql stable set search_path = ''
as $$
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
$$;
revoke all on function private.media_file_of(storage.objects) from public;

-- Every item, page section, setting and change of a release with the keys that it mentions.
create table private.media_mentions (
  kind text not null,
  item_id text not null,
  mention_key text collate "C" not null,
  primary key (kind, item_id, mention_key)
);
create index media_mentions_key_idx on private.media_mentions (mention_key);
revoke all on table private.media_mentions from public, anon, authenticated, service_role;
alter table private.media_mentions enable row level security;

create function private.track_media_file() returns trigger
language plpgsql security definer set search_path = ''
as $$
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
$$;
revoke all on function private.track_media_file() from public;
create trigger track_media_file after insert or update or delete on storage.objects
  for each row execute function private.track_media_file();

-- The page of the library, and how many files there are in all. A filter that is null or empty is none; the folder '-'
-- stands for the files that are in no folder.
drop function public.media_library(text, text, integer, integer);
create function public.media_library(
  _search text default '',
  -- image, video, audio or document; empty for all
  _kind text default '',
  _limit integer default 24,
  _offset integer default 0,
  _folder text default '',
  _unused boolean default false
)
returns table (
  id uuid, name text, original_name text, mimetype text, size bigint, width integer, height integer, alt text,
  folder text, focal_x real, focal_y real, is_used boolean, created_at timestamptz, updated_at timestamptz, total bigint
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  _where text := concat_ws(' and ', 'true',
    -- A pattern rather than position(), so that an index of three-letter parts serves it where there is one.
    case when _search <> '' then format('search_text like %L',
      '%' || regexp_replace(lower(_search), '([\\%_])', '\\\1', 'g') || '%') end,
    case when _kind <> '' then format('kind = %L', _kind) end,
    case _folder when '' then null when '-' then 'folder = ''''' else format('folder = %L', _folder) end,
    case when _unused then 'uses = 0' end);
  _total bigint;
begin
  perform private.require_admin();
  execute 'select count(*) from private.media_files where ' || _where into _total;
  return query execute format(
    'select object_id, name, original_name, mimetype, size, width, height, alt, folder, focal_x, focal_y, uses > 0,
       created_at, updated_at, $1
     from private.media_files where %s order by created_at desc, name limit $2 offset $3', _where
  ) using _total, least(greatest(_limit, 1), 200), greatest(_offset, 0);
end
$$;
revoke all on function public.media_library(text, text, integer, integer, text, boolean) from public, anon, authenticated;
grant execute on function public.media_library(text, text, integer, integer, text, boolean) to authenticated, service_role;

-- By name. It jumps from one to the next through the index instead of reading every file.
create function public.media_folders() returns setof text
language plpgsql stable security definer set search_path = ''
as $$
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
revoke all on function public.media_folders() from public, anon, authenticated;
grant execute on function public.media_folders() to authenticated, service_role;

-- The file that came with the same bytes; the oldest, if there are several.
create function public.find_media(_sha256 text)
returns table (name text, original_name text, mimetype text, folder text, created_at timestamptz)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return query
    select files.name, files.original_name, files.mimetype, files.folder, files.created_at
    from private.media_files as files where files.sha256 = lower(_sha256) order by files.created_at, files.name limit 1;
end
$$;
revoke all on function public.find_media(text) from public, anon, authenticated;
grant execute on function public.find_media(text) to authenticated, service_role;

-- Of pictures whose names somebody knows, what a page needs to draw them: the pictures themselves are public as well.
create function public.picture_facts(_names text[])
returns table (name text, width integer, height integer, alt text, focal_x real, focal_y real)
language sql stable security definer set search_path = ''
as $$
  select files.name, files.width, files.height, files.alt, files.focal_x, files.focal_y
  from private.media_files as files where files.name = any (_names[1:200]) and files.kind = 'image'
$$;
revoke all on function public.picture_facts(text[]) from public, anon, authenticated;
grant execute on function public.picture_facts(text[]) to anon, authenticated, service_role;

-- Where the subject of a picture is. Null for both: in the middle.
create function public.set_media_focus(_name text, _x real, _y real) returns void
language plpgsql set search_path = ''
as $$
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
$$;
revoke all on function public.set_media_focus(text, real, real) from public, anon, authenticated;
grant execute on function public.set_media_focus(text, real, real) to authenticated, service_role;

-- Puts files into a folder, or with an empty name into none. Addresses stay as they are. @returns how many there were
create function public.move_media(_names text[], _folder text) returns integer
language plpgsql set search_path = ''
as $$
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
$$;
revoke all on function public.move_media(text[], text) from public, anon, authenticated;
grant execute on function public.move_media(text[], text) to authenticated, service_role;

-- Puts one file in the place of another wherever it is used: all in one transaction, so that no page has both.

-- A text in which the one name is replaced by the other; the latter has no sign that means anything in an address.
create function private.readdress_media(_text text, _name text, _by text) returns text
language sql immutable set search_path = ''
as $$
  select case when position('content-media/' in _text) = 0 then _text else regexp_replace(_text,
    'content-media/('
    || regexp_replace(_name, '([^A-Za-z0-9_/ -])', '\\\1', 'g')
    || '|'
    || regexp_replace(replace(_name, ' ', '%20'), '([^A-Za-z0-9_/ -])', '\\\1', 'g')
    || ')(?![A-Za-z0-9_~%/-]|\.[A-Za-z0-9])',
    'content-media/' || _by, 'g') end
$$;
revoke all on function private.readdress_media(text, text, text) from public;

-- The columns of a table that hold text, each with what it becomes.
create function private.readdressed_columns(_table text) returns text
language sql stable set search_path = ''
as $$
  select string_agg(
    format('%1$I = private.readdress_media(%1$I::text, $1, $2)::%2$s', attname, format_type(atttypid, atttypmod)), ', '
  )
  from pg_catalog.pg_attribute
  where attrelid = format('public.%I', _table)::regclass and attnum > 0 and not attisdropped and attgenerated = ''
    and atttypid = any ('{text,varchar,json,jsonb,text[]}'::regtype[])
$$;
revoke all on function private.readdressed_columns(text) from public;

-- The new file takes over the folder, and where it has none of its own the alternative text and the focal point. The old
-- one stays in the library, used by nobody. @returns in how many places
create function public.replace_media(_name text, _by text) returns integer
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

  for _table in
    select table_name::text from private.content_kinds union all values ('page_content'), ('site_settings')
  loop
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
revoke all on function public.replace_media(text, text) from public, anon, authenticated;
grant execute on function public.replace_media(text, text) to authenticated, service_role;

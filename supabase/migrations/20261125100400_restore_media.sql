-- Trash for files of the library. The backend of this repository keeps what was deleted for 30 days; the storage of a hosted
-- project keeps nothing, so there these functions find nothing.

create function public.keeps_deleted_media() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return to_regclass('backend.deleted_objects') is not null;
end
$$;
revoke all on function public.keeps_deleted_media() from public, anon, authenticated;
grant execute on function public.keeps_deleted_media() to authenticated, service_role;

-- A page of the deleted files, the last deleted first, and how many there are.
create function public.deleted_media(_search text default '', _limit integer default 24, _offset integer default 0)
returns table (
  id uuid, name text, original_name text, mimetype text, size bigint, deleted_by uuid, deleted_at timestamptz, total bigint
)
language plpgsql stable security definer set search_path = ''
as $$
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
$$;
revoke all on function public.deleted_media(text, integer, integer) from public, anon, authenticated;
grant execute on function public.deleted_media(text, integer, integer) to authenticated, service_role;

-- Brings a file back to its address, with all that was said of it. @returns its name
create function public.restore_media(_id uuid) returns text
language plpgsql security definer set search_path = ''
as $$
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
$$;
revoke all on function public.restore_media(uuid) from public, anon, authenticated;
grant execute on function public.restore_media(uuid) to authenticated, service_role;

-- The backend removes the bytes as soon as it hears of it. @returns how many files there were
create function public.delete_media_for_ever(_ids uuid[]) returns integer
language plpgsql security definer set search_path = ''
as $$
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
$$;
revoke all on function public.delete_media_for_ever(uuid[]) from public, anon, authenticated;
grant execute on function public.delete_media_for_ever(uuid[]) to authenticated, service_role;

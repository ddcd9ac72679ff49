-- The application names the buckets whose deleted files can be restored. createBackend() replaces this function.
create function backend.keeps_deleted_files(_bucket_id text) returns boolean
language sql immutable set search_path = ''
as $$ select false $$;
revoke all on function backend.keeps_deleted_files(text) from public;

create or replace function backend.note_unnamed_bytes() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op in ('INSERT', 'UPDATE') then
    delete from backend.unnamed_bytes where version = new.version;
    -- A restored file is no longer deleted.
    delete from backend.deleted_objects where version = new.version;
  end if;
  if tg_op = 'INSERT' or old.version is null or exists (select from storage.objects where version = old.version) then
    return null;
  end if;
  if tg_op = 'DELETE' and backend.keeps_deleted_files(old.bucket_id) then
    insert into backend.deleted_objects
      (id, bucket_id, name, version, metadata, user_metadata, created_at, updated_at, owner_id, deleted_by)
    values (
      old.id, old.bucket_id, old.name, old.version, old.metadata, old.user_metadata, old.created_at, old.updated_at,
      (select id from auth.users where id = old.owner), (select id from auth.users where id = auth.uid())
    );
  else
    insert into backend.unnamed_bytes (version) values (old.version) on conflict do nothing;
  end if;
  return null;
end
$$;

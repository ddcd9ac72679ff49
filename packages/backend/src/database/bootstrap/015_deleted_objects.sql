-- Deleted files of the site rest for 30 days: their rows are here, out of reach of every address, and their bytes where they
-- were. A row comes and goes in the transaction that deletes or restores the file, so no crash loses one of the two.

create table backend.deleted_objects (
  id uuid primary key,
  bucket_id text not null,
  name text not null,
  version text not null unique,
  metadata jsonb,
  user_metadata jsonb,
  created_at timestamptz,
  updated_at timestamptz,
  owner_id uuid references auth.users (id) on delete set null,
  deleted_by uuid references auth.users (id) on delete set null,
  deleted_at timestamptz not null default clock_timestamp(),
  -- From when on the bytes may be removed.
  purge_at timestamptz not null default clock_timestamp() + interval '30 days'
);
create index deleted_objects_newest_idx on backend.deleted_objects (deleted_at desc);
create index deleted_objects_purge_idx on backend.deleted_objects (purge_at);
create index deleted_objects_owner_idx on backend.deleted_objects (owner_id) where owner_id is not null;
create index deleted_objects_person_idx on backend.deleted_objects (deleted_by) where deleted_by is not null;

create or replace function backend.note_unnamed_bytes() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op in ('INSERT', 'UPDATE') then
    delete from backend.unnamed_bytes where version = new.version;
    -- However a file comes back, it is not deleted any more.
    delete from backend.deleted_objects where version = new.version;
  end if;
  if tg_op = 'INSERT' or old.version is null or exists (select from storage.objects where version = old.version) then
    return null;
  end if;
  if tg_op = 'DELETE' and old.bucket_id = 'content-media' then
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
revoke all on function backend.note_unnamed_bytes() from public;

-- When a file leaves the deleted ones, its bytes have no name, unless it was restored.
create function backend.note_purged_bytes() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into backend.unnamed_bytes (version)
  select old.version where not exists (select from storage.objects where version = old.version)
  on conflict do nothing;
  return null;
end
$$;
revoke all on function backend.note_purged_bytes() from public;
create trigger note_purged_bytes after delete on backend.deleted_objects
  for each row execute function backend.note_purged_bytes();

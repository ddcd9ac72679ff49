-- Which stored bytes no row of storage.objects names: those of an upload before its row is written, and those of a file
-- after its row is gone. The bytes live outside the database, so a crash between the two steps is cleaned up from here.

create table backend.unnamed_bytes (
  version text primary key,
  created_at timestamptz not null default clock_timestamp()
);

create function backend.note_unnamed_bytes() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op in ('INSERT', 'UPDATE') then
    delete from backend.unnamed_bytes where version = new.version;
  end if;
  if tg_op in ('UPDATE', 'DELETE') and old.version is not null then
    insert into backend.unnamed_bytes (version)
    select old.version where not exists (select from storage.objects where version = old.version)
    on conflict do nothing;
  end if;
  return null;
end
$$;
revoke all on function backend.note_unnamed_bytes() from public;

create trigger note_unnamed_bytes after insert or delete or update of version on storage.objects
  for each row execute function backend.note_unnamed_bytes();

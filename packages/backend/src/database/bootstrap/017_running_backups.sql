-- Exports and backups that run: the bytes of a file that was deleted meanwhile stay until they have been copied.

create table backend.running_backups (
  id uuid primary key,
  -- A backup that was killed says nothing more, and holds bytes until then.
  until timestamptz not null
);
alter table backend.running_backups enable row level security;

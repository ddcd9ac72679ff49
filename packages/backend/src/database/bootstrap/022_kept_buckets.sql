-- Buckets whose deleted files can be restored. createBackend() writes here what the application names, so that the function
-- is the same in every database.
create table backend.kept_buckets (bucket_id text primary key);

create or replace function backend.keeps_deleted_files(_bucket_id text) returns boolean
language sql stable set search_path = ''
as $$ select exists (select from backend.kept_buckets where bucket_id = _bucket_id) $$;

-- Uploads that arrive in several requests (TUS), until they are whole. Their bytes are kept in pieces in the byte store.
-- Nobody but the owner gets at this schema.

create table backend.resumable_uploads (
  id uuid primary key,
  bucket_id text not null references storage.buckets (id) on delete cascade,
  name text not null,
  -- Who began it: the account, and the kind of credentials. Only they go on with it.
  owner_id text,
  credentials text not null check (credentials in ('anon', 'authenticated', 'service_role', 'signature')),
  -- Whose unfinished uploads are counted together: an account, or a network; null for the service role.
  counted_as text,
  -- Whether it may take the place of a file of that name.
  upsert boolean not null,
  -- Upload-Metadata, as it was sent.
  metadata jsonb not null,
  -- Bytes: announced, and stored so far. They are equal only when the file is in its bucket.
  size bigint not null check (size > 0),
  received bigint not null default 0 check (received between 0 and size),
  pieces integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  touched_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);
create index resumable_uploads_counted_as_idx on backend.resumable_uploads (counted_as) where received < size;
create index resumable_uploads_expires_at_idx on backend.resumable_uploads (expires_at);
create index resumable_uploads_bucket_id_idx on backend.resumable_uploads (bucket_id);
alter table backend.resumable_uploads enable row level security;

create table backend.resumable_pieces (
  upload_id uuid not null references backend.resumable_uploads (id) on delete cascade,
  -- Where it begins in the file, in bytes.
  start bigint not null,
  version text not null,
  primary key (upload_id, start)
);
alter table backend.resumable_pieces enable row level security;

-- As with storage.objects: bytes that no row names are noted, so that a crash leaves none behind.
create function backend.note_unnamed_piece() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    delete from backend.unnamed_bytes where version = new.version;
  else
    insert into backend.unnamed_bytes (version) values (old.version) on conflict do nothing;
  end if;
  return null;
end
$$;
revoke all on function backend.note_unnamed_piece() from public;

create trigger note_unnamed_piece after insert or delete on backend.resumable_pieces
  for each row execute function backend.note_unnamed_piece();

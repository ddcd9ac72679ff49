-- A file of a client never changes, also not by the service role or a signed upload, and a decision about a file keeps the
-- SHA-256 of its bytes.

alter table public.client_files
  -- Hexadecimal; null if the storage that received the file reports no hash, as a hosted project.
  add column sha256 text check (sha256 ~ '^[0-9a-f]{64}$');
alter table public.approval_decisions
  -- That of the file as it was decided; null for texts and lists.
  add column file_sha256 text check (file_sha256 ~ '^[0-9a-f]{64}$');

create or replace function private.track_client_file() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  _client uuid;
begin
  if tg_op = 'DELETE' then
    delete from public.client_files where object_name = old.name;
    return null;
  end if;
  select id into _client from public.clients where id::text = split_part(new.name, '/', 1) for no key update;
  if not found then
    return null;
  elsif (select count(*) from public.client_files where client_id = _client) >= 2000 then
    raise exception 'A client has at most 2,000 files. Delete some that no approval names.' using errcode = '42501';
  end if;
  insert into public.client_files (client_id, id, object_name, name, mimetype, size, sha256, added_by, created_at)
  values (
    _client, new.id, new.name,
    coalesce(nullif(private.one_line(new.user_metadata ->> 'name', 200), ''), right(split_part(new.name, '/', 2), 200)),
    coalesce(new.metadata ->> 'mimetype', ''), coalesce((new.metadata ->> 'size')::bigint, 0), new.metadata ->> 'sha256',
    (select id from auth.users where id::text = coalesce(new.owner_id, new.owner::text)), new.created_at
  )
  on conflict (client_id, id) do update set
    mimetype = excluded.mimetype, size = excluded.size, sha256 = excluded.sha256;
  return null;
end
$$;

-- Rejects every change of a stored file. A row without a size is an upload that has not been stored yet.
create function private.reject_changed_client_file() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  raise exception 'Files of clients cannot be changed. Upload the new file under another name.' using errcode = '42501';
end
$$;
revoke all on function private.reject_changed_client_file() from public;
create trigger reject_changed_client_file before update of bucket_id, name, version, metadata on storage.objects
  for each row
  when (
    (old.bucket_id = 'client-files' or new.bucket_id = 'client-files')
    and (old.metadata ->> 'size' is not null or old.bucket_id <> new.bucket_id or old.name <> new.name)
  )
  execute function private.reject_changed_client_file();

create function private.keep_hash_of_client_file() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  select file.sha256 into new.file_sha256
  from public.approval_versions as version
    join public.client_files as file on file.client_id = version.client_id and file.id = version.file_id
  where version.client_id = new.client_id and version.approval_id = new.approval_id and version.number = new.number;
  return new;
end
$$;
revoke all on function private.keep_hash_of_client_file() from public;
create trigger keep_hash_of_client_file before insert on public.approval_decisions
  for each row execute function private.keep_hash_of_client_file();

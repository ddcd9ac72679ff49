-- Files in the bucket client-files, in a folder per client. They are immutable, so that a decision about a file is
-- about its bytes. A trigger writes the rows.
create table public.client_files (
  client_id uuid not null,
  -- Id of the storage object.
  id uuid not null,
  object_name text not null unique,
  -- Original name.
  name text not null check (length(name) between 1 and 200 and name !~ '[[:cntrl:]]'),
  mimetype text not null,
  -- In bytes.
  size bigint not null check (size >= 0),
  added_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
    constraint client_files_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  -- Hexadecimal. Null if the storage reports no hash, as on a hosted project.
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  primary key (client_id, id),
  unique (client_id, object_name),
  check (object_name like client_id::text || '/%')
);
create index client_files_latest_idx on public.client_files (client_id, created_at desc, id);
create index client_files_added_by_idx on public.client_files (added_by);
grant select on public.client_files to authenticated;
grant all on public.client_files to service_role;
alter table public.client_files enable row level security;

alter table public.clients
  add foreign key (id, logo) references public.client_files (client_id, object_name) on delete set null (logo);

create policy "Admins read the file records of all clients" on public.client_files for select to authenticated
  using ((select private.is_admin()));
create policy "Members read the file records of their clients" on public.client_files for select to authenticated
  using (client_id in (select private.clients_of_member()));
create policy "Team members read the file records of their clients" on public.client_files for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

-- Deletes a client's file, unless a version of an approval uses it.
create function public.delete_client_file(_client_id uuid, _file_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only admins and assigned team members can delete files' using errcode = '42501';
  elsif exists (select from public.approval_versions where client_id = _client_id and file_id = _file_id) then
    raise exception 'This file belongs to an approval and cannot be deleted.' using errcode = 'P0001';
  end if;
  delete from public.client_files where client_id = _client_id and id = _file_id;
end
$$;
grant execute on function public.delete_client_file to authenticated, service_role;

-- Deletes the bytes of a file when its row is deleted, including with its client.
create function private.delete_client_file_object() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  -- Hosted Supabase storage rejects deletions outside its API without this setting.
  perform set_config('storage.allow_delete_query', 'true', true);
  delete from storage.objects where bucket_id = 'client-files' and name = old.object_name;
  return null;
end
$$;

-- Adds or updates the row of a file, at most 2,000 per client. Policies check that the client exists.
create function private.track_client_file() returns trigger language plpgsql security definer set search_path = '' as $$
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
    raise exception 'A client can have at most 2,000 files. Delete some that do not belong to an approval.' using errcode = '42501';
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

-- Rejects changes of a stored file. A row without a size is an unfinished upload.
create function private.reject_changed_client_file() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  raise exception 'Shared files cannot be replaced. Upload the new file under another name.' using errcode = '42501';
end
$$;

create policy "Admins read all files of clients" on storage.objects for select to authenticated
  using (bucket_id = 'client-files' and (select private.is_admin()));
create policy "Members read the files of their clients" on storage.objects for select to authenticated
  using (bucket_id = 'client-files' and split_part(name, '/', 1) in (select id::text from private.clients_of_member() as id));
create policy "Team members read the files of their clients" on storage.objects
  for select to authenticated using (
    bucket_id = 'client-files' and split_part(name, '/', 1) in (select id::text from private.clients_of_team_member() as id)
  );
create policy "Admins and assigned team members upload files for clients" on storage.objects
  for insert to authenticated with check (
    bucket_id = 'client-files' and name ~ '^[^/]+/[^/]+$' and (
      (select private.is_admin()) and split_part(name, '/', 1) in (select id::text from public.clients)
      or split_part(name, '/', 1) in (select id::text from private.clients_of_team_member() as id)
    )
  );

create trigger track_client_file after insert or update of name, metadata on storage.objects
  for each row when (new.bucket_id = 'client-files') execute function private.track_client_file();
create trigger forget_client_file after delete on storage.objects
  for each row when (old.bucket_id = 'client-files') execute function private.track_client_file();

create trigger delete_client_file_object after delete on public.client_files for each row execute function private.delete_client_file_object();

create trigger reject_changed_client_file before update of bucket_id, name, version, metadata on storage.objects
  for each row
  when (
    (old.bucket_id = 'client-files' or new.bucket_id = 'client-files')
    and (old.metadata ->> 'size' is not null or old.bucket_id <> new.bucket_id or old.name <> new.name)
  )
  execute function private.reject_changed_client_file();

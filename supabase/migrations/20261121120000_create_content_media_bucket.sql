-- The bucket of the site's pictures, films and documents. Public: whoever has a URL reads the file. The rows (that is,
-- lists and details) and every change are for admins.

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('content-media', 'content-media', true, 52428800, array[
  'image/*', 'video/*', 'audio/*', 'application/pdf', 'application/msword',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
])
on conflict (id) do update set
  public = excluded.public,
  file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

create policy "Admins see the content media bucket" on storage.buckets
  for select to authenticated using (id = 'content-media' and (select private.is_admin()));

create policy "Admins list content media" on storage.objects
  for select to authenticated using (bucket_id = 'content-media' and (select private.is_admin()));
create policy "Admins upload content media" on storage.objects
  for insert to authenticated with check (bucket_id = 'content-media' and (select private.is_admin()));
create policy "Admins change content media" on storage.objects
  for update to authenticated using (bucket_id = 'content-media' and (select private.is_admin()))
  with check (bucket_id = 'content-media' and (select private.is_admin()));
create policy "Admins delete content media" on storage.objects
  for delete to authenticated using (bucket_id = 'content-media' and (select private.is_admin()));

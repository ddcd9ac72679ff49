-- Pictures as they were sent, where somebody asked for that: with the place and the camera, and in full size. So nobody but
-- admins reads them. Each is named by the id of the picture that was made of it. (The storage of a hosted project changes no
-- picture, so it has none.)
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('media-originals', 'media-originals', false, 52428800, array['image/*'])
on conflict (id) do update set
  public = excluded.public,
  file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

create policy "Admins see the bucket of originals" on storage.buckets
  for select to authenticated using (id = 'media-originals' and (select private.is_admin()));
create policy "Admins read originals" on storage.objects
  for select to authenticated using (bucket_id = 'media-originals' and (select private.is_admin()));
create policy "Admins keep originals" on storage.objects
  for insert to authenticated with check (bucket_id = 'media-originals' and (select private.is_admin()));
create policy "Admins replace originals" on storage.objects
  for update to authenticated using (bucket_id = 'media-originals' and (select private.is_admin()))
  with check (bucket_id = 'media-originals' and (select private.is_admin()));
create policy "Admins delete originals" on storage.objects
  for delete to authenticated using (bucket_id = 'media-originals' and (select private.is_admin()));

-- The original of a picture of the library: its name in the bucket of originals and its size in bytes. Nothing where none is kept.
create function public.media_original(_name text) returns table (name text, size bigint)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return query
    select original.name, (original.metadata ->> 'size')::bigint
    from storage.objects as file join storage.objects as original
      on original.bucket_id = 'media-originals' and original.name = file.id::text
    where file.bucket_id = 'content-media' and file.name = _name;
end
$$;
revoke all on function public.media_original(text) from public, anon, authenticated;
grant execute on function public.media_original(text) to authenticated, service_role;

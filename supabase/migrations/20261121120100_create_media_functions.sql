-- What the media library needs beyond Supabase Storage's own calls: search with a count, alternative texts, and where a
-- file is used. All for admins only; the rows are reached under the caller's own policies.

create function private.require_admin() returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_admin() and (select auth.role()) is distinct from 'service_role' then
    raise exception 'Only admins may do this' using errcode = '42501';
  end if;
end
$$;
revoke all on function private.require_admin() from public;
grant execute on function private.require_admin() to authenticated, service_role;

-- Whether a text contains the address of a file: its name, plain or with escaped spaces, and nothing that would make it
-- a longer name.
create function private.mentions_media(_text text, _name text) returns boolean
language sql immutable set search_path = ''
as $$
  select position('content-media/' in _text) > 0 and _text ~ (
    'content-media/('
    || regexp_replace(_name, '([^A-Za-z0-9_/ -])', '\\\1', 'g')
    || '|'
    || regexp_replace(replace(_name, ' ', '%20'), '([^A-Za-z0-9_/ -])', '\\\1', 'g')
    || ')(?![A-Za-z0-9_~%/-]|\.[A-Za-z0-9])'
  )
$$;
revoke all on function private.mentions_media(text, text) from public;
grant execute on function private.mentions_media(text, text) to authenticated, service_role;

create function public.media_library(
  _search text default '',
  -- image, video, audio or document; empty for all
  _kind text default '',
  _limit integer default 24,
  _offset integer default 0
)
returns table (
  id uuid, name text, original_name text, mimetype text, size bigint, width integer, height integer, alt text,
  created_at timestamptz, updated_at timestamptz, total bigint
)
language plpgsql stable set search_path = ''
as $$
begin
  perform private.require_admin();
  return query
    with files as (
      -- Names are random; what the file was called where it came from is kept beside.
      select objects.id, objects.name, coalesce(objects.user_metadata ->> 'original_name', '') as original_name,
        objects.metadata ->> 'mimetype' as mimetype,
        (objects.metadata ->> 'size')::bigint as size, (objects.metadata ->> 'width')::integer as width,
        (objects.metadata ->> 'height')::integer as height, coalesce(objects.user_metadata ->> 'alt', '') as alt,
        objects.created_at, objects.updated_at
      from storage.objects
      where objects.bucket_id = 'content-media' and objects.metadata ? 'mimetype'
    )
    select files.*, count(*) over ()
    from files
    where position(lower(_search) in lower(concat_ws(' ', files.name, files.original_name, files.alt))) > 0
      and case _kind
        when '' then true
        when 'document' then files.mimetype !~ '^(image|video|audio)/'
        else split_part(files.mimetype, '/', 1) = _kind
      end
    order by files.created_at desc, files.name
    limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0);
end
$$;
revoke all on function public.media_library(text, text, integer, integer) from public, anon, authenticated;
grant execute on function public.media_library(text, text, integer, integer) to authenticated, service_role;

create function public.set_media_alt(_name text, _alt text) returns void
language plpgsql set search_path = ''
as $$
begin
  perform private.require_admin();
  if length(_alt) > 1000 then
    raise exception 'The alternative text must be less than 1000 characters' using errcode = '22001';
  end if;
  update storage.objects
  set user_metadata = coalesce(user_metadata, '{}') || jsonb_build_object('alt', trim(_alt))
  where bucket_id = 'content-media' and name = _name;
  if not found then
    raise exception 'There is no file of that name';
  end if;
end
$$;
revoke all on function public.set_media_alt(text, text) from public, anon, authenticated;
grant execute on function public.set_media_alt(text, text) to authenticated, service_role;

create function public.media_usage(_name text)
returns table (kind text, id uuid, title text)
language plpgsql stable set search_path = ''
as $$
begin
  perform private.require_admin();
  return query
    select 'post', posts.id, posts.title from public.posts
      where private.mentions_media(concat_ws(E'\n', featured_image, excerpt, content), _name)
    union all
    select 'project', projects.id, projects.title from public.projects
      where private.mentions_media(concat_ws(E'\n', featured_image, description, full_content, gallery_images::text), _name)
    union all
    select 'service', services.id, services.title from public.services
      where private.mentions_media(concat_ws(E'\n', icon_name, short_description, long_description), _name)
    union all
    select 'review', reviews.id, reviews.author_name from public.reviews
      where private.mentions_media(concat_ws(E'\n', avatar_url, quote), _name)
    union all
    select 'team_member', team_members.id, team_members.name from public.team_members
      where private.mentions_media(concat_ws(E'\n', avatar_url, bio, social_links::text), _name)
    union all
    select 'page_content', page_content.id, page_slug || '/' || section_name from public.page_content
      where private.mentions_media(content, _name)
    union all
    select 'site_setting', site_settings.id, setting_key from public.site_settings
      where private.mentions_media(setting_value, _name);
end
$$;
revoke all on function public.media_usage(text) from public, anon, authenticated;
grant execute on function public.media_usage(text) to authenticated, service_role;

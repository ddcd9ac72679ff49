create function public.import_posts(_posts jsonb) returns table (post_id uuid, post_slug text)
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return query
    with source as (
      select * from jsonb_to_recordset(_posts) as item (
        title text, slug text, excerpt text, content text, category text, status text, featured_image text,
        published_date timestamptz, aliases text[]
      )
    ), created as (
      insert into public.posts (title, slug, excerpt, content, category, status, featured_image, published_date)
      select title, slug, excerpt, content, category, status, featured_image, published_date from source
      on conflict (slug) do nothing
      returning id, slug
    ), redirects as (
      insert into public.slug_aliases (kind, slug, item_id)
      select distinct on (alias) 'posts', alias, created.id
      from created join source using (slug), unnest(source.aliases) as alias
      on conflict (kind, slug) do update set item_id = excluded.item_id, created_at = now()
      where not exists (select from public.posts where posts.id = slug_aliases.item_id)
    )
    select created.id, created.slug from created;
end
$$;
revoke all on function public.import_posts(_posts jsonb) from public, anon, authenticated, service_role;

grant execute on function public.import_posts(_posts jsonb) to authenticated;

grant execute on function public.import_posts(_posts jsonb) to service_role;

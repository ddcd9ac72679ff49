-- Posts. Drafts are visible only to admins, published posts to everyone.
create table public.posts (
  id uuid primary key default gen_random_uuid(),
  title text not null check (length(title) between 1 and 300),
  slug text not null unique check (length(slug) between 1 and 300),
  excerpt text not null default '' check (length(excerpt) <= 2000),
  content text not null default '' check (length(content) <= 200000),
  category text not null default '' check (length(category) <= 100),
  status text not null default 'draft' check (status in ('draft', 'published')),
  featured_image text check (length(featured_image) <= 2000),
  published_date timestamptz not null default now()
    constraint posts_published_date_calendar check (published_date between '1900-01-01' and '2999-12-31'),
  created_at timestamptz not null default now()
    constraint posts_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  updated_at timestamptz not null default now()
    constraint posts_updated_at_calendar check (updated_at between '1900-01-01' and '2999-12-31')
);
create index posts_newest_idx on public.posts (status, published_date desc, created_at desc);
create index posts_category_idx on public.posts (category);
create index posts_changed_idx on public.posts (updated_at desc);
create index posts_news_idx on public.posts (category, published_date desc, created_at desc) where status = 'published';
-- For the admin list and the parts of the sitemap. Without the id that ends each sort order: with it, a planner without
-- statistics would use these to find single posts.
create index posts_listed_idx on public.posts (published_date desc, created_at desc);
create index posts_created_idx on public.posts (created_at desc);
create index posts_title_idx on public.posts (title);
create index posts_sitemap_idx on public.posts (created_at) where status = 'published';
grant select on public.posts to anon;
grant select, insert, update, delete on public.posts to authenticated;
grant all on public.posts to service_role;
alter table public.posts enable row level security;
create policy "Visitors read published posts that are due" on public.posts for select to anon, authenticated
  using (status = 'published' and published_date <= now());
create policy "Admins read all posts" on public.posts for select to authenticated using ((select private.is_admin()));
create policy "Admins create posts" on public.posts for insert to authenticated with check ((select private.is_admin()));
create policy "Admins change posts" on public.posts for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "Admins delete posts" on public.posts for delete to authenticated using ((select private.is_admin()));

create trigger touch_updated_at before update on public.posts for each row execute function private.touch_updated_at();
create trigger notify_content_changed after insert or update or delete or truncate on public.posts
  for each statement execute function private.notify_content_changed();

-- Lists the categories of a kind, for the filter of its list. Empty for kinds without a category.
create function public.list_categories(_kind text) returns setof text
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  if exists (
    select from private.content_kinds join pg_catalog.pg_attribute on attrelid = format('public.%I', table_name)::regclass
    where table_name = _kind and attname = 'category'
  ) then
    return query execute format(
      'select distinct category from public.%I where category <> '''' order by category limit 200', _kind
    );
  end if;
end
$$;
grant execute on function public.list_categories to authenticated;

-- Counts the posts that visitors read by category, and all of them with the category null.
create function public.news_categories() returns table (category text, posts integer)
language sql stable security definer set search_path = '' as $$
  select post.category, count(*)::integer from public.posts as post
  where post.status = 'published' and post.published_date <= now() group by grouping sets ((post.category), ())
  order by post.category is null desc, count(*) desc, post.category limit 201
$$;
grant execute on function public.news_categories to anon, authenticated, service_role;

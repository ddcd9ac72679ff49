-- Posts: drafts are for admins, everybody reads what is published.

create table public.posts (
  id uuid primary key default gen_random_uuid(),
  title text not null check (length(title) between 1 and 300),
  slug text not null unique check (length(slug) between 1 and 300),
  excerpt text not null default '' check (length(excerpt) <= 2000),
  content text not null default '' check (length(content) <= 200000),
  category text not null default '' check (length(category) <= 100),
  status text not null default 'draft' check (status in ('draft', 'published')),
  featured_image text check (length(featured_image) <= 2000),
  published_date timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index posts_newest_idx on public.posts (status, published_date desc, created_at desc);

revoke all on table public.posts from anon, authenticated;
grant select on table public.posts to anon;
grant select, insert, update, delete on table public.posts to authenticated;
grant all on table public.posts to service_role;
alter table public.posts enable row level security;

create policy "Visitors read published posts" on public.posts
  for select to anon, authenticated using (status = 'published');
create policy "Admins read all posts" on public.posts
  for select to authenticated using ((select private.is_admin()));
create policy "Admins create posts" on public.posts
  for insert to authenticated with check ((select private.is_admin()));
create policy "Admins change posts" on public.posts
  for update to authenticated using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "Admins delete posts" on public.posts
  for delete to authenticated using ((select private.is_admin()));

create trigger touch_updated_at before update on public.posts
  for each row execute function private.touch_updated_at();
create trigger notify_content_changed after insert or update or delete or truncate on public.posts
  for each statement execute function private.notify_content_changed();

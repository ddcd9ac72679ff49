-- A published post with a date in the future is scheduled: nobody but admins reads it before it is due.

alter policy "Visitors read published posts" on public.posts
  using (status = 'published' and published_date <= now());
alter policy "Visitors read published posts" on public.posts
  rename to "Visitors read published posts that are due";

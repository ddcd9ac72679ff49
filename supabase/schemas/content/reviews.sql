-- Reviews. Drafts are visible only to admins, published reviews to everyone.
create table public.reviews (
  id uuid primary key default gen_random_uuid(),
  author_name text not null check (length(author_name) between 1 and 300),
  author_role text not null default '' check (length(author_role) <= 300),
  company text not null default '' check (length(company) <= 300),
  rating smallint not null default 5 check (rating between 1 and 5),
  quote text not null default '' check (length(quote) <= 5000),
  avatar_url text check (length(avatar_url) <= 2000),
  status text not null default 'published' check (status in ('draft', 'published')),
  display_order integer not null default 0,
  created_at timestamptz not null default now()
    constraint reviews_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  updated_at timestamptz not null default now()
    constraint reviews_updated_at_calendar check (updated_at between '1900-01-01' and '2999-12-31')
);
create index reviews_order_idx on public.reviews (status, display_order);
grant select on public.reviews to anon;
grant select, insert, update, delete on public.reviews to authenticated;
grant all on public.reviews to service_role;
alter table public.reviews enable row level security;
create policy "Visitors read published reviews" on public.reviews for select to anon, authenticated
  using (status = 'published');
create policy "Admins read all reviews" on public.reviews for select to authenticated using ((select private.is_admin()));
create policy "Admins create reviews" on public.reviews for insert to authenticated with check ((select private.is_admin()));
create policy "Admins change reviews" on public.reviews for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "Admins delete reviews" on public.reviews for delete to authenticated using ((select private.is_admin()));

create trigger touch_updated_at before update on public.reviews for each row execute function private.touch_updated_at();
create trigger notify_content_changed after insert or update or delete or truncate on public.reviews
  for each statement execute function private.notify_content_changed();

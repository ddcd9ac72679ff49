-- Case studies. Only admins can read drafts. Published case studies are public.
create table public.case_studies (
  id uuid primary key default gen_random_uuid(),
  headline text not null check (length(headline) between 1 and 300),
  slug text not null unique check (length(slug) between 1 and 300),
  story text not null default '' check (length(story) <= 200000),
  cover_image text check (length(cover_image) <= 2000),
  status text not null default 'draft' check (status in ('draft', 'published')),
  display_order integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index case_studies_order_idx on public.case_studies (status, display_order);
grant select on public.case_studies to anon;
grant select, insert, update, delete on public.case_studies to authenticated;
grant all on public.case_studies to service_role;
alter table public.case_studies enable row level security;

create policy "Visitors read published case studies" on public.case_studies for select to anon, authenticated
  using (status = 'published');
create policy "Admins read all case studies" on public.case_studies for select to authenticated
  using ((select private.is_admin()));
create policy "Admins create case studies" on public.case_studies for insert to authenticated
  with check ((select private.is_admin()));
create policy "Admins change case studies" on public.case_studies for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "Admins delete case studies" on public.case_studies for delete to authenticated
  using ((select private.is_admin()));

create trigger touch_updated_at before update on public.case_studies for each row execute function private.touch_updated_at();
create trigger notify_content_changed after insert or update or delete or truncate on public.case_studies
  for each statement execute function private.notify_content_changed();

-- Projects. Drafts are visible only to admins, published projects to everyone.
create table public.projects (
  id uuid primary key default gen_random_uuid(),
  title text not null check (length(title) between 1 and 300),
  slug text not null unique check (length(slug) between 1 and 300),
  company text not null default '' check (length(company) <= 300),
  metric text not null default '' check (length(metric) <= 300),
  description text not null default '' check (length(description) <= 5000),
  full_content text not null default '' check (length(full_content) <= 200000),
  featured_image text check (length(featured_image) <= 2000),
  gallery_images jsonb not null default '[]' check (jsonb_typeof(gallery_images) = 'array'),
  status text not null default 'draft' check (status in ('draft', 'published')),
  display_order integer not null default 0,
  created_at timestamptz not null default now()
    constraint projects_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  updated_at timestamptz not null default now()
    constraint projects_updated_at_calendar check (updated_at between '1900-01-01' and '2999-12-31')
);
create index projects_order_idx on public.projects (status, display_order);
grant select on public.projects to anon;
grant select, insert, update, delete on public.projects to authenticated;
grant all on public.projects to service_role;
alter table public.projects enable row level security;
create policy "Visitors read published projects" on public.projects for select to anon, authenticated
  using (status = 'published');
create policy "Admins read all projects" on public.projects for select to authenticated using ((select private.is_admin()));
create policy "Admins create projects" on public.projects for insert to authenticated with check ((select private.is_admin()));
create policy "Admins change projects" on public.projects for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "Admins delete projects" on public.projects for delete to authenticated using ((select private.is_admin()));

create trigger touch_updated_at before update on public.projects for each row execute function private.touch_updated_at();
create trigger notify_content_changed after insert or update or delete or truncate on public.projects
  for each statement execute function private.notify_content_changed();

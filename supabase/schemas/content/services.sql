-- Services. Drafts are visible only to admins, published services to everyone.
create table public.services (
  id uuid primary key default gen_random_uuid(),
  title text not null check (length(title) between 1 and 300),
  slug text not null unique check (length(slug) between 1 and 300),
  icon_name text check (length(icon_name) <= 100),
  short_description text not null default '' check (length(short_description) <= 5000),
  long_description text not null default '' check (length(long_description) <= 200000),
  timeline text not null default '' check (length(timeline) <= 300),
  pricing text not null default '' check (length(pricing) <= 300),
  deliverables text[] not null default '{}',
  status text not null default 'published' check (status in ('draft', 'published')),
  display_order integer not null default 0,
  created_at timestamptz not null default now()
    constraint services_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  updated_at timestamptz not null default now()
    constraint services_updated_at_calendar check (updated_at between '1900-01-01' and '2999-12-31')
);
create index services_order_idx on public.services (status, display_order);
grant select on public.services to anon;
grant select, insert, update, delete on public.services to authenticated;
grant all on public.services to service_role;
alter table public.services enable row level security;
create policy "Visitors read published services" on public.services for select to anon, authenticated
  using (status = 'published');
create policy "Admins read all services" on public.services for select to authenticated using ((select private.is_admin()));
create policy "Admins create services" on public.services for insert to authenticated with check ((select private.is_admin()));
create policy "Admins change services" on public.services for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "Admins delete services" on public.services for delete to authenticated using ((select private.is_admin()));

create trigger touch_updated_at before update on public.services for each row execute function private.touch_updated_at();
create trigger notify_content_changed after insert or update or delete or truncate on public.services
  for each statement execute function private.notify_content_changed();

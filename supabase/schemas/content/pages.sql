-- Texts of page sections, one JSON document per page and section.
create table public.page_content (
  id uuid primary key default gen_random_uuid(),
  page_slug text not null check (length(page_slug) between 1 and 100),
  section_name text not null check (length(section_name) between 1 and 100),
  -- Text instead of jsonb, because the application uses its defaults for invalid JSON.
  content text not null default '' check (length(content) <= 500000),
  content_type text not null default 'json' check (content_type in ('json')),
  created_at timestamptz not null default now()
    constraint page_content_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  updated_at timestamptz not null default now()
    constraint page_content_updated_at_calendar check (updated_at between '1900-01-01' and '2999-12-31'),
  unique (page_slug, section_name)
);
grant select on public.page_content to anon;
grant select, insert, update, delete on public.page_content to authenticated;
grant all on public.page_content to service_role;
alter table public.page_content enable row level security;
create policy "Visitors read page content" on public.page_content for select to anon, authenticated using (true);
create policy "Admins read all page content" on public.page_content for select to authenticated
  using ((select private.is_admin()));
create policy "Admins create page content" on public.page_content for insert to authenticated
  with check ((select private.is_admin()));
create policy "Admins change page content" on public.page_content for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "Admins delete page content" on public.page_content for delete to authenticated
  using ((select private.is_admin()));

create trigger touch_updated_at before update on public.page_content for each row execute function private.touch_updated_at();
create trigger notify_content_changed after insert or update or delete or truncate on public.page_content
  for each statement execute function private.notify_content_changed();

create table public.page_content (
  id uuid default gen_random_uuid() not null,
  page_slug text not null,
  section_name text not null,
  content text default ''::text not null,
  content_type text default 'json'::text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint page_content_pkey PRIMARY KEY (id),
  constraint page_content_content_check CHECK (length(content) <= 500000),
  constraint page_content_content_type_check CHECK (content_type = 'json'::text),
  constraint page_content_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint page_content_page_slug_check CHECK (length(page_slug) >= 1 AND length(page_slug) <= 100),
  constraint page_content_page_slug_section_name_key UNIQUE (page_slug, section_name),
  constraint page_content_section_name_check CHECK (length(section_name) >= 1 AND length(section_name) <= 100),
  constraint page_content_updated_at_calendar CHECK (updated_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND updated_at <= '2999-12-31 00:00:00+00'::timestamp with time zone)
);

grant select on public.page_content to anon;

grant delete, insert, select, update on public.page_content to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.page_content to service_role;

alter table public.page_content enable row level security;

create policy "Admins delete page content" on public.page_content for delete to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Admins create page content" on public.page_content for insert to authenticated
  with check (( SELECT private.is_admin() AS is_admin));

create policy "Admins read all page content" on public.page_content for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Visitors read page content" on public.page_content for select to anon, authenticated
  using (true);

create policy "Admins change page content" on public.page_content for update to authenticated
  using (( SELECT private.is_admin() AS is_admin))
  with check (( SELECT private.is_admin() AS is_admin));

-- Triggers, in the order in which they fire.
CREATE TRIGGER refuse_stale_text BEFORE INSERT OR DELETE OR UPDATE ON page_content FOR EACH ROW EXECUTE FUNCTION private.refuse_stale_text();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON page_content FOR EACH ROW EXECUTE FUNCTION private.touch_updated_at();
CREATE TRIGGER keep_versions AFTER INSERT OR DELETE OR UPDATE ON page_content FOR EACH ROW EXECUTE FUNCTION private.keep_versions();
CREATE TRIGGER track_media_mentions AFTER INSERT OR DELETE OR UPDATE ON page_content FOR EACH ROW EXECUTE FUNCTION private.track_media_mentions();
CREATE TRIGGER notify_content_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON page_content FOR EACH STATEMENT EXECUTE FUNCTION private.notify_content_changed();
CREATE TRIGGER switch_booking AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON page_content FOR EACH STATEMENT EXECUTE FUNCTION private.switch_booking();

create table public.projects (
  id uuid default gen_random_uuid() not null,
  title text not null,
  slug text not null,
  company text default ''::text not null,
  metric text default ''::text not null,
  description text default ''::text not null,
  full_content text default ''::text not null,
  featured_image text,
  gallery_images jsonb default '[]'::jsonb not null,
  status text default 'draft'::text not null,
  display_order integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint projects_pkey PRIMARY KEY (id),
  constraint projects_company_check CHECK (length(company) <= 300),
  constraint projects_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint projects_description_check CHECK (length(description) <= 5000),
  constraint projects_featured_image_check CHECK (length(featured_image) <= 2000),
  constraint projects_full_content_check CHECK (length(full_content) <= 200000),
  constraint projects_gallery_images_check CHECK (jsonb_typeof(gallery_images) = 'array'::text),
  constraint projects_metric_check CHECK (length(metric) <= 300),
  constraint projects_slug_check CHECK (length(slug) >= 1 AND length(slug) <= 300),
  constraint projects_slug_key UNIQUE (slug),
  constraint projects_status_check CHECK (status = ANY (ARRAY['draft'::text, 'published'::text])),
  constraint projects_title_check CHECK (length(title) >= 1 AND length(title) <= 300),
  constraint projects_updated_at_calendar CHECK (updated_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND updated_at <= '2999-12-31 00:00:00+00'::timestamp with time zone)
);

CREATE INDEX projects_order_idx ON public.projects USING btree (status, display_order);

grant select on public.projects to anon;

grant delete, insert, select, update on public.projects to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.projects to service_role;

alter table public.projects enable row level security;

create policy "Admins delete projects" on public.projects for delete to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Admins create projects" on public.projects for insert to authenticated
  with check (( SELECT private.is_admin() AS is_admin));

create policy "Admins read all projects" on public.projects for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Visitors read published projects" on public.projects for select to anon, authenticated
  using ((status = 'published'::text));

create policy "Admins change projects" on public.projects for update to authenticated
  using (( SELECT private.is_admin() AS is_admin))
  with check (( SELECT private.is_admin() AS is_admin));

-- Triggers, in the order in which they fire.
CREATE TRIGGER require_alt_texts BEFORE INSERT OR UPDATE ON projects FOR EACH ROW EXECUTE FUNCTION private.require_alt_texts();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON projects FOR EACH ROW EXECUTE FUNCTION private.touch_updated_at();
CREATE TRIGGER keep_versions AFTER INSERT OR DELETE OR UPDATE ON projects FOR EACH ROW EXECUTE FUNCTION private.keep_versions();
CREATE TRIGGER remember_slug AFTER DELETE OR UPDATE OF slug, status ON projects FOR EACH ROW EXECUTE FUNCTION private.remember_slug();
CREATE TRIGGER track_media_mentions AFTER INSERT OR DELETE OR UPDATE ON projects FOR EACH ROW EXECUTE FUNCTION private.track_media_mentions();
CREATE TRIGGER count_deleted AFTER DELETE ON projects REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION private.count_items();
CREATE TRIGGER count_inserted AFTER INSERT ON projects REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.count_items();
CREATE TRIGGER count_truncated AFTER TRUNCATE ON projects FOR EACH STATEMENT EXECUTE FUNCTION private.count_items();
CREATE TRIGGER count_updated AFTER UPDATE ON projects REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.count_items();
CREATE TRIGGER index_deleted AFTER DELETE ON projects REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION private.index_content();
CREATE TRIGGER index_inserted AFTER INSERT ON projects REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.index_content();
CREATE TRIGGER index_truncated AFTER TRUNCATE ON projects FOR EACH STATEMENT EXECUTE FUNCTION private.index_content();
CREATE TRIGGER index_updated AFTER UPDATE ON projects REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.index_content();
CREATE TRIGGER notify_content_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON projects FOR EACH STATEMENT EXECUTE FUNCTION private.notify_content_changed();
CREATE TRIGGER origins_deleted AFTER DELETE ON projects REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION private.note_origins();
CREATE TRIGGER origins_inserted AFTER INSERT ON projects REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.note_origins();
CREATE TRIGGER origins_truncated AFTER TRUNCATE ON projects FOR EACH STATEMENT EXECUTE FUNCTION private.note_origins();
CREATE TRIGGER origins_updated AFTER UPDATE ON projects REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.note_origins();

create table public.services (
  id uuid default gen_random_uuid() not null,
  title text not null,
  slug text not null,
  icon_name text,
  short_description text default ''::text not null,
  long_description text default ''::text not null,
  timeline text default ''::text not null,
  pricing text default ''::text not null,
  deliverables text[] default '{}'::text[] not null,
  status text default 'published'::text not null,
  display_order integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint services_pkey PRIMARY KEY (id),
  constraint services_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint services_icon_name_check CHECK (length(icon_name) <= 100),
  constraint services_long_description_check CHECK (length(long_description) <= 200000),
  constraint services_pricing_check CHECK (length(pricing) <= 300),
  constraint services_short_description_check CHECK (length(short_description) <= 5000),
  constraint services_slug_check CHECK (length(slug) >= 1 AND length(slug) <= 300),
  constraint services_slug_key UNIQUE (slug),
  constraint services_status_check CHECK (status = ANY (ARRAY['draft'::text, 'published'::text])),
  constraint services_timeline_check CHECK (length(timeline) <= 300),
  constraint services_title_check CHECK (length(title) >= 1 AND length(title) <= 300),
  constraint services_updated_at_calendar CHECK (updated_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND updated_at <= '2999-12-31 00:00:00+00'::timestamp with time zone)
);

CREATE INDEX services_order_idx ON public.services USING btree (status, display_order);

grant select on public.services to anon;

grant delete, insert, select, update on public.services to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.services to service_role;

alter table public.services enable row level security;

create policy "Admins delete services" on public.services for delete to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Admins create services" on public.services for insert to authenticated
  with check (( SELECT private.is_admin() AS is_admin));

create policy "Admins read all services" on public.services for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Visitors read published services" on public.services for select to anon, authenticated
  using ((status = 'published'::text));

create policy "Admins change services" on public.services for update to authenticated
  using (( SELECT private.is_admin() AS is_admin))
  with check (( SELECT private.is_admin() AS is_admin));

-- Triggers, in the order in which they fire.
CREATE TRIGGER require_alt_texts BEFORE INSERT OR UPDATE ON services FOR EACH ROW EXECUTE FUNCTION private.require_alt_texts();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON services FOR EACH ROW EXECUTE FUNCTION private.touch_updated_at();
CREATE TRIGGER keep_versions AFTER INSERT OR DELETE OR UPDATE ON services FOR EACH ROW EXECUTE FUNCTION private.keep_versions();
CREATE TRIGGER track_media_mentions AFTER INSERT OR DELETE OR UPDATE ON services FOR EACH ROW EXECUTE FUNCTION private.track_media_mentions();
CREATE TRIGGER count_deleted AFTER DELETE ON services REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION private.count_items();
CREATE TRIGGER count_inserted AFTER INSERT ON services REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.count_items();
CREATE TRIGGER count_truncated AFTER TRUNCATE ON services FOR EACH STATEMENT EXECUTE FUNCTION private.count_items();
CREATE TRIGGER count_updated AFTER UPDATE ON services REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.count_items();
CREATE TRIGGER index_deleted AFTER DELETE ON services REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION private.index_content();
CREATE TRIGGER index_inserted AFTER INSERT ON services REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.index_content();
CREATE TRIGGER index_truncated AFTER TRUNCATE ON services FOR EACH STATEMENT EXECUTE FUNCTION private.index_content();
CREATE TRIGGER index_updated AFTER UPDATE ON services REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.index_content();
CREATE TRIGGER notify_content_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON services FOR EACH STATEMENT EXECUTE FUNCTION private.notify_content_changed();
CREATE TRIGGER origins_deleted AFTER DELETE ON services REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION private.note_origins();
CREATE TRIGGER origins_inserted AFTER INSERT ON services REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.note_origins();
CREATE TRIGGER origins_truncated AFTER TRUNCATE ON services FOR EACH STATEMENT EXECUTE FUNCTION private.note_origins();
CREATE TRIGGER origins_updated AFTER UPDATE ON services REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.note_origins();

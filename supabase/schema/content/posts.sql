create table public.posts (
  id uuid default gen_random_uuid() not null,
  title text not null,
  slug text not null,
  excerpt text default ''::text not null,
  content text default ''::text not null,
  category text default ''::text not null,
  status text default 'draft'::text not null,
  featured_image text,
  published_date timestamp with time zone default now() not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint posts_pkey PRIMARY KEY (id),
  constraint posts_category_check CHECK (length(category) <= 100),
  constraint posts_content_check CHECK (length(content) <= 200000),
  constraint posts_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint posts_excerpt_check CHECK (length(excerpt) <= 2000),
  constraint posts_featured_image_check CHECK (length(featured_image) <= 2000),
  constraint posts_published_date_calendar CHECK (published_date >= '1900-01-01 00:00:00+00'::timestamp with time zone AND published_date <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint posts_slug_check CHECK (length(slug) >= 1 AND length(slug) <= 300),
  constraint posts_slug_key UNIQUE (slug),
  constraint posts_status_check CHECK (status = ANY (ARRAY['draft'::text, 'published'::text])),
  constraint posts_title_check CHECK (length(title) >= 1 AND length(title) <= 300),
  constraint posts_updated_at_calendar CHECK (updated_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND updated_at <= '2999-12-31 00:00:00+00'::timestamp with time zone)
);

CREATE INDEX posts_category_idx ON public.posts USING btree (category);

CREATE INDEX posts_changed_idx ON public.posts USING btree (updated_at DESC);

CREATE INDEX posts_created_idx ON public.posts USING btree (created_at DESC);

CREATE INDEX posts_listed_idx ON public.posts USING btree (published_date DESC, created_at DESC);

CREATE INDEX posts_newest_idx ON public.posts USING btree (status, published_date DESC, created_at DESC);

CREATE INDEX posts_news_idx ON public.posts USING btree (category, published_date DESC, created_at DESC) WHERE (status = 'published'::text);

CREATE INDEX posts_sitemap_idx ON public.posts USING btree (created_at) WHERE (status = 'published'::text);

CREATE INDEX posts_title_idx ON public.posts USING btree (title);

grant select on public.posts to anon;

grant delete, insert, select, update on public.posts to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.posts to service_role;

alter table public.posts enable row level security;

create policy "Admins delete posts" on public.posts for delete to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Admins create posts" on public.posts for insert to authenticated
  with check (( SELECT private.is_admin() AS is_admin));

create policy "Admins read all posts" on public.posts for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Visitors read published posts that are due" on public.posts for select to anon, authenticated
  using (((status = 'published'::text) AND (published_date <= now())));

create policy "Admins change posts" on public.posts for update to authenticated
  using (( SELECT private.is_admin() AS is_admin))
  with check (( SELECT private.is_admin() AS is_admin));

-- Triggers, in the order in which they fire.
CREATE TRIGGER require_alt_texts BEFORE INSERT OR UPDATE ON posts FOR EACH ROW EXECUTE FUNCTION private.require_alt_texts();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON posts FOR EACH ROW EXECUTE FUNCTION private.touch_updated_at();
CREATE TRIGGER keep_versions AFTER INSERT OR DELETE OR UPDATE ON posts FOR EACH ROW EXECUTE FUNCTION private.keep_versions();
CREATE TRIGGER remember_slug AFTER DELETE OR UPDATE OF slug, status ON posts FOR EACH ROW EXECUTE FUNCTION private.remember_slug();
CREATE TRIGGER track_media_mentions AFTER INSERT OR DELETE OR UPDATE ON posts FOR EACH ROW EXECUTE FUNCTION private.track_media_mentions();
CREATE TRIGGER count_deleted AFTER DELETE ON posts REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION private.count_items();
CREATE TRIGGER count_inserted AFTER INSERT ON posts REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.count_items();
CREATE TRIGGER count_truncated AFTER TRUNCATE ON posts FOR EACH STATEMENT EXECUTE FUNCTION private.count_items();
CREATE TRIGGER count_updated AFTER UPDATE ON posts REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.count_items();
CREATE TRIGGER index_deleted AFTER DELETE ON posts REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION private.index_content();
CREATE TRIGGER index_inserted AFTER INSERT ON posts REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.index_content();
CREATE TRIGGER index_truncated AFTER TRUNCATE ON posts FOR EACH STATEMENT EXECUTE FUNCTION private.index_content();
CREATE TRIGGER index_updated AFTER UPDATE ON posts REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.index_content();
CREATE TRIGGER notify_content_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON posts FOR EACH STATEMENT EXECUTE FUNCTION private.notify_content_changed();
CREATE TRIGGER origins_deleted AFTER DELETE ON posts REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION private.note_origins();
CREATE TRIGGER origins_inserted AFTER INSERT ON posts REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.note_origins();
CREATE TRIGGER origins_truncated AFTER TRUNCATE ON posts FOR EACH STATEMENT EXECUTE FUNCTION private.note_origins();
CREATE TRIGGER origins_updated AFTER UPDATE ON posts REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.note_origins();

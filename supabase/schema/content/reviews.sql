create table public.reviews (
  id uuid default gen_random_uuid() not null,
  author_name text not null,
  author_role text default ''::text not null,
  company text default ''::text not null,
  rating smallint default 5 not null,
  quote text default ''::text not null,
  avatar_url text,
  status text default 'published'::text not null,
  display_order integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint reviews_pkey PRIMARY KEY (id),
  constraint reviews_author_name_check CHECK (length(author_name) >= 1 AND length(author_name) <= 300),
  constraint reviews_author_role_check CHECK (length(author_role) <= 300),
  constraint reviews_avatar_url_check CHECK (length(avatar_url) <= 2000),
  constraint reviews_company_check CHECK (length(company) <= 300),
  constraint reviews_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint reviews_quote_check CHECK (length(quote) <= 5000),
  constraint reviews_rating_check CHECK (rating >= 1 AND rating <= 5),
  constraint reviews_status_check CHECK (status = ANY (ARRAY['draft'::text, 'published'::text])),
  constraint reviews_updated_at_calendar CHECK (updated_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND updated_at <= '2999-12-31 00:00:00+00'::timestamp with time zone)
);

CREATE INDEX reviews_order_idx ON public.reviews USING btree (status, display_order);

grant select on public.reviews to anon;

grant delete, insert, select, update on public.reviews to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.reviews to service_role;

alter table public.reviews enable row level security;

create policy "Admins delete reviews" on public.reviews for delete to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Admins create reviews" on public.reviews for insert to authenticated
  with check (( SELECT private.is_admin() AS is_admin));

create policy "Admins read all reviews" on public.reviews for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Visitors read published reviews" on public.reviews for select to anon, authenticated
  using ((status = 'published'::text));

create policy "Admins change reviews" on public.reviews for update to authenticated
  using (( SELECT private.is_admin() AS is_admin))
  with check (( SELECT private.is_admin() AS is_admin));

-- Triggers, in the order in which they fire.
CREATE TRIGGER require_alt_texts BEFORE INSERT OR UPDATE ON reviews FOR EACH ROW EXECUTE FUNCTION private.require_alt_texts();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON reviews FOR EACH ROW EXECUTE FUNCTION private.touch_updated_at();
CREATE TRIGGER keep_versions AFTER INSERT OR DELETE OR UPDATE ON reviews FOR EACH ROW EXECUTE FUNCTION private.keep_versions();
CREATE TRIGGER track_media_mentions AFTER INSERT OR DELETE OR UPDATE ON reviews FOR EACH ROW EXECUTE FUNCTION private.track_media_mentions();
CREATE TRIGGER count_deleted AFTER DELETE ON reviews REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION private.count_items();
CREATE TRIGGER count_inserted AFTER INSERT ON reviews REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.count_items();
CREATE TRIGGER count_truncated AFTER TRUNCATE ON reviews FOR EACH STATEMENT EXECUTE FUNCTION private.count_items();
CREATE TRIGGER count_updated AFTER UPDATE ON reviews REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.count_items();
CREATE TRIGGER index_deleted AFTER DELETE ON reviews REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION private.index_content();
CREATE TRIGGER index_inserted AFTER INSERT ON reviews REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.index_content();
CREATE TRIGGER index_truncated AFTER TRUNCATE ON reviews FOR EACH STATEMENT EXECUTE FUNCTION private.index_content();
CREATE TRIGGER index_updated AFTER UPDATE ON reviews REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.index_content();
CREATE TRIGGER notify_content_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON reviews FOR EACH STATEMENT EXECUTE FUNCTION private.notify_content_changed();
CREATE TRIGGER origins_deleted AFTER DELETE ON reviews REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION private.note_origins();
CREATE TRIGGER origins_inserted AFTER INSERT ON reviews REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.note_origins();
CREATE TRIGGER origins_truncated AFTER TRUNCATE ON reviews FOR EACH STATEMENT EXECUTE FUNCTION private.note_origins();
CREATE TRIGGER origins_updated AFTER UPDATE ON reviews REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.note_origins();

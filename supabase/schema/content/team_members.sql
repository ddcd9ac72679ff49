create table public.team_members (
  id uuid default gen_random_uuid() not null,
  name text not null,
  "position" text default ''::text not null,
  bio text default ''::text not null,
  avatar_url text,
  social_links jsonb default '{}'::jsonb not null,
  status text default 'published'::text not null,
  display_order integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint team_members_pkey PRIMARY KEY (id),
  constraint team_members_avatar_url_check CHECK (length(avatar_url) <= 2000),
  constraint team_members_bio_check CHECK (length(bio) <= 5000),
  constraint team_members_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint team_members_name_check CHECK (length(name) >= 1 AND length(name) <= 300),
  constraint team_members_position_check CHECK (length("position") <= 300),
  constraint team_members_social_links_check CHECK (jsonb_typeof(social_links) = 'object'::text),
  constraint team_members_status_check CHECK (status = ANY (ARRAY['draft'::text, 'published'::text])),
  constraint team_members_updated_at_calendar CHECK (updated_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND updated_at <= '2999-12-31 00:00:00+00'::timestamp with time zone)
);

CREATE INDEX team_members_order_idx ON public.team_members USING btree (status, display_order);

grant select on public.team_members to anon;

grant delete, insert, select, update on public.team_members to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.team_members to service_role;

alter table public.team_members enable row level security;

create policy "Admins delete team members" on public.team_members for delete to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Admins create team members" on public.team_members for insert to authenticated
  with check (( SELECT private.is_admin() AS is_admin));

create policy "Admins read all team members" on public.team_members for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Visitors read published team members" on public.team_members for select to anon, authenticated
  using ((status = 'published'::text));

create policy "Admins change team members" on public.team_members for update to authenticated
  using (( SELECT private.is_admin() AS is_admin))
  with check (( SELECT private.is_admin() AS is_admin));

-- Triggers, in the order in which they fire.
CREATE TRIGGER require_alt_texts BEFORE INSERT OR UPDATE ON team_members FOR EACH ROW EXECUTE FUNCTION private.require_alt_texts();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON team_members FOR EACH ROW EXECUTE FUNCTION private.touch_updated_at();
CREATE TRIGGER keep_versions AFTER INSERT OR DELETE OR UPDATE ON team_members FOR EACH ROW EXECUTE FUNCTION private.keep_versions();
CREATE TRIGGER track_media_mentions AFTER INSERT OR DELETE OR UPDATE ON team_members FOR EACH ROW EXECUTE FUNCTION private.track_media_mentions();
CREATE TRIGGER count_deleted AFTER DELETE ON team_members REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION private.count_items();
CREATE TRIGGER count_inserted AFTER INSERT ON team_members REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.count_items();
CREATE TRIGGER count_truncated AFTER TRUNCATE ON team_members FOR EACH STATEMENT EXECUTE FUNCTION private.count_items();
CREATE TRIGGER count_updated AFTER UPDATE ON team_members REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.count_items();
CREATE TRIGGER index_deleted AFTER DELETE ON team_members REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION private.index_content();
CREATE TRIGGER index_inserted AFTER INSERT ON team_members REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.index_content();
CREATE TRIGGER index_truncated AFTER TRUNCATE ON team_members FOR EACH STATEMENT EXECUTE FUNCTION private.index_content();
CREATE TRIGGER index_updated AFTER UPDATE ON team_members REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.index_content();
CREATE TRIGGER notify_content_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON team_members FOR EACH STATEMENT EXECUTE FUNCTION private.notify_content_changed();
CREATE TRIGGER origins_deleted AFTER DELETE ON team_members REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION private.note_origins();
CREATE TRIGGER origins_inserted AFTER INSERT ON team_members REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.note_origins();
CREATE TRIGGER origins_truncated AFTER TRUNCATE ON team_members FOR EACH STATEMENT EXECUTE FUNCTION private.note_origins();
CREATE TRIGGER origins_updated AFTER UPDATE ON team_members REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.note_origins();

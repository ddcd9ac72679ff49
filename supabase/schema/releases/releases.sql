create table public.releases (
  id uuid default gen_random_uuid() not null,  -- insert to authenticated
  name text not null,  -- insert to authenticated, update to authenticated
  publish_at timestamp with time zone,  -- insert to authenticated, update to authenticated
  scheduled_by uuid,
  published_at timestamp with time zone,
  published_by uuid,
  failure text,
  failed_at timestamp with time zone,
  created_by uuid default private.user_id(),
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint releases_pkey PRIMARY KEY (id),
  constraint releases_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint releases_created_by_fkey FOREIGN KEY (created_by) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint releases_failed_at_calendar CHECK (failed_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND failed_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint releases_failure_check CHECK (length(failure) <= 4000),
  constraint releases_name_check CHECK (length(TRIM(BOTH FROM name)) >= 1 AND length(TRIM(BOTH FROM name)) <= 120),
  constraint releases_publish_at_calendar CHECK (publish_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND publish_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint releases_published_at_calendar CHECK (published_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND published_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint releases_published_by_fkey FOREIGN KEY (published_by) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint releases_scheduled_by_fkey FOREIGN KEY (scheduled_by) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint releases_updated_at_calendar CHECK (updated_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND updated_at <= '2999-12-31 00:00:00+00'::timestamp with time zone)
);

CREATE INDEX releases_created_by_idx ON public.releases USING btree (created_by);

CREATE INDEX releases_due_idx ON public.releases USING btree (publish_at) WHERE ((published_at IS NULL) AND (publish_at IS NOT NULL));

CREATE INDEX releases_newest_idx ON public.releases USING btree (created_at DESC);

CREATE INDEX releases_published_by_idx ON public.releases USING btree (published_by);

CREATE INDEX releases_scheduled_by_idx ON public.releases USING btree (scheduled_by);

grant delete, select on public.releases to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.releases to service_role;

alter table public.releases enable row level security;

create policy "Admins delete releases" on public.releases for delete to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Admins create releases" on public.releases for insert to authenticated
  with check (( SELECT private.is_admin() AS is_admin));

create policy "Admins read releases" on public.releases for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Admins change releases" on public.releases for update to authenticated
  using (( SELECT private.is_admin() AS is_admin))
  with check (( SELECT private.is_admin() AS is_admin));

-- Triggers, in the order in which they fire.
CREATE TRIGGER keep_published BEFORE UPDATE OF name, publish_at ON releases FOR EACH ROW EXECUTE FUNCTION private.keep_published_release();
CREATE TRIGGER note_planned BEFORE INSERT OR UPDATE OF publish_at ON releases FOR EACH ROW EXECUTE FUNCTION private.note_planned_release();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON releases FOR EACH ROW EXECUTE FUNCTION private.touch_updated_at();
CREATE TRIGGER forget_media_mentions AFTER UPDATE OF published_at ON releases FOR EACH ROW WHEN (new.published_at IS NOT NULL) EXECUTE FUNCTION private.forget_release_mentions();

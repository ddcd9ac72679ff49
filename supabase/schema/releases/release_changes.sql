create table public.release_changes (
  id uuid default gen_random_uuid() not null,  -- insert to authenticated
  release_id uuid not null,  -- insert to authenticated
  kind text not null,  -- insert to authenticated
  item_id text not null,  -- insert to authenticated
  action text not null,  -- insert to authenticated, update to authenticated
  data jsonb,  -- insert to authenticated, update to authenticated
  base jsonb,  -- insert to authenticated, update to authenticated
  before jsonb,
  after jsonb,
  changed_by uuid,
  changed_at timestamp with time zone default now() not null,
  constraint release_changes_pkey PRIMARY KEY (id),
  constraint release_changes_action_check CHECK (action = ANY (ARRAY['create'::text, 'update'::text, 'delete'::text])),
  constraint release_changes_base_check CHECK (jsonb_typeof(base) = 'object'::text AND octet_length(base::text) <= 2000000),
  constraint release_changes_changed_at_calendar CHECK (changed_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND changed_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint release_changes_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint release_changes_check CHECK ((action = 'delete'::text) = (data IS NULL)),
  constraint release_changes_check1 CHECK ((action = 'create'::text) = (base IS NULL)),
  constraint release_changes_data_check CHECK (jsonb_typeof(data) = 'object'::text AND octet_length(data::text) <= 2000000),
  constraint release_changes_item_id_check CHECK (length(item_id) >= 1 AND length(item_id) <= 250),
  constraint release_changes_release_id_fkey FOREIGN KEY (release_id) REFERENCES releases(id) ON DELETE CASCADE,
  constraint release_changes_release_id_kind_item_id_key UNIQUE (release_id, kind, item_id)
);

CREATE INDEX release_changes_changed_by_idx ON public.release_changes USING btree (changed_by);

CREATE INDEX release_changes_item_idx ON public.release_changes USING btree (kind, item_id);

grant delete, select on public.release_changes to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.release_changes to service_role;

alter table public.release_changes enable row level security;

create policy "Admins remove from releases" on public.release_changes for delete to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Admins add to releases" on public.release_changes for insert to authenticated
  with check (( SELECT private.is_admin() AS is_admin));

create policy "Admins read what waits in releases" on public.release_changes for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Admins change what waits in releases" on public.release_changes for update to authenticated
  using (( SELECT private.is_admin() AS is_admin))
  with check (( SELECT private.is_admin() AS is_admin));

-- Triggers, in the order in which they fire.
CREATE TRIGGER guard_change BEFORE INSERT OR UPDATE OF action, data, base ON release_changes FOR EACH ROW EXECUTE FUNCTION private.guard_release_change();
CREATE TRIGGER guard_removed BEFORE DELETE ON release_changes FOR EACH ROW EXECUTE FUNCTION private.guard_removed_change();
CREATE TRIGGER track_media_mentions AFTER INSERT OR DELETE OR UPDATE ON release_changes FOR EACH ROW EXECUTE FUNCTION private.track_release_mentions();

create table public.import_batches (
  client_id uuid not null,
  id uuid default gen_random_uuid() not null,
  file_name text not null,
  file_hash text,
  column_map jsonb not null,
  new_count integer not null,
  changed_count integer not null,
  same_count integer not null,
  refused_count integer not null,
  imported_by uuid,
  created_at timestamp with time zone default now() not null,
  undone_by uuid,
  undone_at timestamp with time zone,
  source_id uuid,
  constraint import_batches_pkey PRIMARY KEY (client_id, id),
  constraint import_batches_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(id) ON DELETE CASCADE,
  constraint import_batches_client_id_source_id_fkey FOREIGN KEY (client_id, source_id) REFERENCES campaign_sources(client_id, id) ON DELETE CASCADE,
  constraint import_batches_column_map_check CHECK (jsonb_typeof(column_map) = 'object'::text AND length(column_map::text) <= 20000),
  constraint import_batches_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint import_batches_file_hash_check CHECK (file_hash ~ '^[0-9a-f]{64}$'::text),
  constraint import_batches_file_name_check CHECK (length(file_name) >= 1 AND length(file_name) <= 255 AND file_name !~ '[[:cntrl:]]'::text),
  constraint import_batches_imported_by_fkey FOREIGN KEY (imported_by) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint import_batches_undone_at_calendar CHECK (undone_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND undone_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint import_batches_undone_by_fkey FOREIGN KEY (undone_by) REFERENCES auth.users(id) ON DELETE SET NULL
);

CREATE INDEX import_batches_imported_by_idx ON public.import_batches USING btree (imported_by);

CREATE INDEX import_batches_latest_idx ON public.import_batches USING btree (client_id, created_at DESC);

CREATE UNIQUE INDEX import_batches_of_source_idx ON public.import_batches USING btree (client_id, source_id) WHERE (source_id IS NOT NULL);

CREATE INDEX import_batches_undone_by_idx ON public.import_batches USING btree (undone_by);

grant select on public.import_batches to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.import_batches to service_role;

alter table public.import_batches enable row level security;

create policy "Admins read all imports" on public.import_batches for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Members read the imports of their clients" on public.import_batches for select to authenticated
  using ((client_id IN ( SELECT private.clients_of_member() AS clients_of_member)));

create policy "Team members read the imports of their clients" on public.import_batches for select to authenticated
  using ((client_id IN ( SELECT private.clients_of_team_member() AS clients_of_team_member)));

-- Triggers, in the order in which they fire.
CREATE TRIGGER keep_figures_of_events BEFORE UPDATE ON import_batches FOR EACH ROW WHEN (old.source_id IS NOT NULL AND new.undone_at IS NOT NULL) EXECUTE FUNCTION private.keep_figures_of_events();

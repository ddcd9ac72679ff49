create table public.client_files (
  client_id uuid not null,
  id uuid not null,
  object_name text not null,
  name text not null,
  mimetype text not null,
  size bigint not null,
  added_by uuid,
  created_at timestamp with time zone default now() not null,
  sha256 text,
  constraint client_files_pkey PRIMARY KEY (client_id, id),
  constraint client_files_added_by_fkey FOREIGN KEY (added_by) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint client_files_check CHECK (object_name ~~ (client_id::text || '/%'::text)),
  constraint client_files_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(id) ON DELETE CASCADE,
  constraint client_files_client_id_object_name_key UNIQUE (client_id, object_name),
  constraint client_files_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint client_files_name_check CHECK (length(name) >= 1 AND length(name) <= 200 AND name !~ '[[:cntrl:]]'::text),
  constraint client_files_object_name_key UNIQUE (object_name),
  constraint client_files_sha256_check CHECK (sha256 ~ '^[0-9a-f]{64}$'::text),
  constraint client_files_size_check CHECK (size >= 0)
);

CREATE INDEX client_files_added_by_idx ON public.client_files USING btree (added_by);

CREATE INDEX client_files_latest_idx ON public.client_files USING btree (client_id, created_at DESC, id);

grant select on public.client_files to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.client_files to service_role;

alter table public.client_files enable row level security;

create policy "Admins read what files all clients have" on public.client_files for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Members read what files their clients have" on public.client_files for select to authenticated
  using ((client_id IN ( SELECT private.clients_of_member() AS clients_of_member)));

create policy "Team members read what files their clients have" on public.client_files for select to authenticated
  using ((client_id IN ( SELECT private.clients_of_team_member() AS clients_of_team_member)));

-- Triggers, in the order in which they fire.
CREATE TRIGGER drop_client_file AFTER DELETE ON client_files FOR EACH ROW EXECUTE FUNCTION private.drop_client_file();

create table public.client_notes (
  client_id uuid not null,  -- insert to authenticated
  id uuid default gen_random_uuid() not null,
  text text not null,  -- insert to authenticated
  written_by uuid default private.user_id(),
  created_at timestamp with time zone default now() not null,
  constraint client_notes_pkey PRIMARY KEY (client_id, id),
  constraint client_notes_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(id) ON DELETE CASCADE,
  constraint client_notes_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint client_notes_text_check CHECK (text ~ '\S'::text AND length(text) <= 5000),
  constraint client_notes_written_by_fkey FOREIGN KEY (written_by) REFERENCES auth.users(id) ON DELETE SET NULL
);

CREATE INDEX client_notes_latest_idx ON public.client_notes USING btree (client_id, created_at DESC, id);

CREATE INDEX client_notes_written_by_idx ON public.client_notes USING btree (written_by);

grant delete, select on public.client_notes to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.client_notes to service_role;

alter table public.client_notes enable row level security;

create policy "Admins delete all notes" on public.client_notes for delete to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Team members delete their own notes" on public.client_notes for delete to authenticated
  using (((written_by = ( SELECT private.user_id() AS user_id)) AND (client_id IN ( SELECT private.clients_of_team_member() AS clients_of_team_member))));

create policy "Admins and assigned team members write notes" on public.client_notes for insert to authenticated
  with check ((( SELECT private.is_admin() AS is_admin) OR (client_id IN ( SELECT private.clients_of_team_member() AS clients_of_team_member))));

create policy "Admins read all notes" on public.client_notes for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Team members read the notes on their clients" on public.client_notes for select to authenticated
  using ((client_id IN ( SELECT private.clients_of_team_member() AS clients_of_team_member)));

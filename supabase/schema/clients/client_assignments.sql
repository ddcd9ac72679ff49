create table public.client_assignments (
  client_id uuid not null,  -- insert to authenticated
  user_id uuid not null,  -- insert to authenticated
  created_at timestamp with time zone default now() not null,
  constraint client_assignments_pkey PRIMARY KEY (client_id, user_id),
  constraint client_assignments_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(id) ON DELETE CASCADE,
  constraint client_assignments_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint client_assignments_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_roles(user_id) ON DELETE CASCADE
);

CREATE INDEX client_assignments_user_idx ON public.client_assignments USING btree (user_id);

grant delete, select on public.client_assignments to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.client_assignments to service_role;

alter table public.client_assignments enable row level security;

create policy "Admins end assignments" on public.client_assignments for delete to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Admins assign team members" on public.client_assignments for insert to authenticated
  with check (( SELECT private.is_admin() AS is_admin));

create policy "Admins read all assignments" on public.client_assignments for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Team members read who works for their clients" on public.client_assignments for select to authenticated
  using ((client_id IN ( SELECT private.clients_of_team_member() AS clients_of_team_member)));

-- Triggers, in the order in which they fire.
CREATE TRIGGER check_place AFTER INSERT OR UPDATE ON client_assignments FOR EACH ROW EXECUTE FUNCTION private.check_client_place('team', 'admin');
CREATE TRIGGER note_place AFTER INSERT OR DELETE ON client_assignments FOR EACH ROW EXECUTE FUNCTION private.note_client_place();

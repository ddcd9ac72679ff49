create table public.client_invitations (
  client_id uuid not null,
  user_id uuid not null,
  address text not null,
  kind text not null,  -- update to authenticated
  created_at timestamp with time zone default now() not null,
  constraint client_invitations_pkey PRIMARY KEY (client_id, user_id),
  constraint client_invitations_address_check CHECK (address <> ''::text AND length(address) <= 255),
  constraint client_invitations_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(id) ON DELETE CASCADE,
  constraint client_invitations_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint client_invitations_kind_check CHECK (kind = ANY (ARRAY['viewer'::text, 'approver'::text])),
  constraint client_invitations_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_roles(user_id) ON DELETE CASCADE
);

CREATE INDEX client_invitations_user_idx ON public.client_invitations USING btree (user_id);

grant delete, select on public.client_invitations to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.client_invitations to service_role;

alter table public.client_invitations enable row level security;

create policy "Admins withdraw invitations of clients" on public.client_invitations for delete to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Admins read all invitations of clients" on public.client_invitations for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Team members read the invitations of their clients" on public.client_invitations for select to authenticated
  using ((client_id IN ( SELECT private.clients_of_team_member() AS clients_of_team_member)));

create policy "Admins change what invited people may do" on public.client_invitations for update to authenticated
  using (( SELECT private.is_admin() AS is_admin))
  with check (( SELECT private.is_admin() AS is_admin));

-- Triggers, in the order in which they fire.
CREATE TRIGGER note_place AFTER INSERT OR DELETE ON client_invitations FOR EACH ROW EXECUTE FUNCTION private.note_client_place();

create table public.client_members (
  client_id uuid not null,
  user_id uuid not null,
  created_at timestamp with time zone default now() not null,
  kind text default 'approver'::text not null,  -- update to authenticated
  told_of text[] default '{waiting,report}'::text[] not null,
  constraint client_members_pkey PRIMARY KEY (client_id, user_id),
  constraint client_members_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(id) ON DELETE CASCADE,
  constraint client_members_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint client_members_kind_check CHECK (kind = ANY (ARRAY['viewer'::text, 'approver'::text])),
  constraint client_members_told_of_check CHECK (told_of <@ '{waiting,report}'::text[]),
  constraint client_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_roles(user_id) ON DELETE CASCADE
);

CREATE INDEX client_members_user_idx ON public.client_members USING btree (user_id);

grant delete, select on public.client_members to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.client_members to service_role;

alter table public.client_members enable row level security;

create policy "Admins remove members" on public.client_members for delete to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Admins read all members" on public.client_members for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Members read where they belong" on public.client_members for select to authenticated
  using (((user_id = ( SELECT private.reader_id() AS reader_id)) AND (client_id IN ( SELECT private.clients_of_member() AS clients_of_member))));

create policy "Team members read the members of their clients" on public.client_members for select to authenticated
  using ((client_id IN ( SELECT private.clients_of_team_member() AS clients_of_team_member)));

create policy "Admins change what members may do" on public.client_members for update to authenticated
  using (( SELECT private.is_admin() AS is_admin))
  with check (( SELECT private.is_admin() AS is_admin));

-- Triggers, in the order in which they fire.
CREATE TRIGGER refuse_lookers BEFORE INSERT OR DELETE OR UPDATE ON client_members FOR EACH STATEMENT EXECUTE FUNCTION private.refuse_lookers();
CREATE TRIGGER check_place AFTER INSERT OR UPDATE OF client_id, user_id ON client_members FOR EACH ROW EXECUTE FUNCTION private.check_client_place('client');
CREATE TRIGGER note_place AFTER INSERT OR DELETE ON client_members FOR EACH ROW EXECUTE FUNCTION private.note_client_place();

create table public.do_not_contact (
  client_id uuid not null,
  id uuid default gen_random_uuid() not null,
  kind text not null,
  value text not null,
  hint text not null,
  added_by uuid,
  created_at timestamp with time zone default now() not null,
  constraint do_not_contact_pkey PRIMARY KEY (client_id, id),
  constraint do_not_contact_added_by_fkey FOREIGN KEY (added_by) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint do_not_contact_check CHECK (
CASE kind
    WHEN 'address'::text THEN length(value) = 64 AND value ~ '^[0-9a-f]+$'::text
    ELSE length(value) <= 253 AND value ~ '^[a-z0-9.-]+$'::text
END),
  constraint do_not_contact_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(id) ON DELETE CASCADE,
  constraint do_not_contact_client_id_value_key UNIQUE (client_id, value),
  constraint do_not_contact_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint do_not_contact_hint_check CHECK (length(hint) <= 260),
  constraint do_not_contact_kind_check CHECK (kind = ANY (ARRAY['domain'::text, 'address'::text]))
);

CREATE INDEX do_not_contact_added_by_idx ON public.do_not_contact USING btree (added_by);

CREATE INDEX do_not_contact_latest_idx ON public.do_not_contact USING btree (client_id, created_at DESC, id);

grant delete, select on public.do_not_contact to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.do_not_contact to service_role;

alter table public.do_not_contact enable row level security;

create policy "Admins and assigned team members take entries off" on public.do_not_contact for delete to authenticated
  using ((( SELECT private.is_admin() AS is_admin) OR (client_id IN ( SELECT private.clients_of_team_member() AS clients_of_team_member))));

create policy "Members take off what they added" on public.do_not_contact for delete to authenticated
  using (((added_by = ( SELECT private.user_id() AS user_id)) AND (client_id IN ( SELECT private.clients_of_member() AS clients_of_member))));

create policy "Admins read all lists of whom to leave alone" on public.do_not_contact for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Members read whom their clients leave alone" on public.do_not_contact for select to authenticated
  using ((client_id IN ( SELECT private.clients_of_member() AS clients_of_member)));

create policy "Team members read whom their clients leave alone" on public.do_not_contact for select to authenticated
  using ((client_id IN ( SELECT private.clients_of_team_member() AS clients_of_team_member)));

-- Triggers, in the order in which they fire.
CREATE TRIGGER refuse_lookers BEFORE INSERT OR DELETE OR UPDATE ON do_not_contact FOR EACH STATEMENT EXECUTE FUNCTION private.refuse_lookers();

create table public.client_reads (
  client_id uuid not null,
  user_id uuid not null,
  what text not null,
  item_id uuid not null,
  first_at timestamp with time zone default now() not null,
  last_at timestamp with time zone default now() not null,
  constraint client_reads_pkey PRIMARY KEY (client_id, user_id, what, item_id),
  constraint client_reads_client_id_user_id_fkey FOREIGN KEY (client_id, user_id) REFERENCES client_members(client_id, user_id) ON DELETE CASCADE,
  constraint client_reads_first_at_calendar CHECK (first_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND first_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint client_reads_last_at_calendar CHECK (last_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND last_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint client_reads_what_check CHECK (what = ANY (ARRAY['rooms'::text, 'approval'::text, 'report'::text]))
);

CREATE INDEX client_reads_latest_idx ON public.client_reads USING btree (client_id, what, last_at DESC);

grant select on public.client_reads to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.client_reads to service_role;

alter table public.client_reads enable row level security;

create policy "Admins read what clients opened" on public.client_reads for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Team members read what their clients opened" on public.client_reads for select to authenticated
  using ((client_id IN ( SELECT private.clients_of_team_member() AS clients_of_team_member)));

-- Triggers, in the order in which they fire.
CREATE TRIGGER refuse_lookers BEFORE INSERT OR DELETE OR UPDATE ON client_reads FOR EACH STATEMENT EXECUTE FUNCTION private.refuse_lookers();

create table public.approval_vetoes (
  client_id uuid not null,
  approval_id uuid not null,
  number integer not null,
  line integer not null,
  vetoed_by uuid,
  created_at timestamp with time zone default now() not null,
  constraint approval_vetoes_pkey PRIMARY KEY (client_id, approval_id, number, line),
  constraint approval_vetoes_client_id_approval_id_number_line_fkey FOREIGN KEY (client_id, approval_id, number, line) REFERENCES approval_rows(client_id, approval_id, number, line) ON DELETE CASCADE,
  constraint approval_vetoes_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint approval_vetoes_vetoed_by_fkey FOREIGN KEY (vetoed_by) REFERENCES auth.users(id) ON DELETE SET NULL
);

CREATE INDEX approval_vetoes_vetoed_by_idx ON public.approval_vetoes USING btree (vetoed_by);

grant select on public.approval_vetoes to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.approval_vetoes to service_role;

alter table public.approval_vetoes enable row level security;

create policy "Admins read what all clients took off" on public.approval_vetoes for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Members read what their clients took off" on public.approval_vetoes for select to authenticated
  using ((client_id IN ( SELECT private.clients_of_member() AS clients_of_member)));

create policy "Team members read what their clients took off" on public.approval_vetoes for select to authenticated
  using ((client_id IN ( SELECT private.clients_of_team_member() AS clients_of_team_member)));

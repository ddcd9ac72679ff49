create table public.approval_rows (
  client_id uuid not null,
  approval_id uuid not null,
  number integer not null,
  line integer not null,
  company text default ''::text not null,
  domain text default ''::text not null,
  person text default ''::text not null,
  fingerprint text,
  hint text default ''::text not null,
  note text default ''::text not null,
  constraint approval_rows_pkey PRIMARY KEY (client_id, approval_id, number, line),
  constraint approval_rows_client_id_approval_id_number_fkey FOREIGN KEY (client_id, approval_id, number) REFERENCES approval_versions(client_id, approval_id, number) ON DELETE CASCADE,
  constraint approval_rows_company_check CHECK (length(company) <= 200),
  constraint approval_rows_domain_check CHECK (length(domain) <= 253 AND domain ~ '^[a-z0-9.-]*$'::text),
  constraint approval_rows_fingerprint_check CHECK (fingerprint ~ '^[0-9a-f]{64}$'::text),
  constraint approval_rows_hint_check CHECK (length(hint) <= 260),
  constraint approval_rows_line_check CHECK (line >= 1 AND line <= 1000000),
  constraint approval_rows_note_check CHECK (length(note) <= 500),
  constraint approval_rows_person_check CHECK (length(person) <= 400)
);

grant select on public.approval_rows to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.approval_rows to service_role;

alter table public.approval_rows enable row level security;

create policy "Admins read the rows of all lists" on public.approval_rows for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Members read the rows that their clients are asked for" on public.approval_rows for select to authenticated
  using ((client_id IN ( SELECT private.clients_of_member() AS clients_of_member)));

create policy "Team members read the rows of their clients" on public.approval_rows for select to authenticated
  using ((client_id IN ( SELECT private.clients_of_team_member() AS clients_of_team_member)));

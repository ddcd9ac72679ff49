create table public.approvals (
  client_id uuid not null,
  id uuid default gen_random_uuid() not null,
  title text not null,
  created_at timestamp with time zone default now() not null,
  kind text default 'text'::text not null,
  constraint approvals_pkey PRIMARY KEY (client_id, id),
  constraint approvals_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(id) ON DELETE CASCADE,
  constraint approvals_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint approvals_kind_check CHECK (kind = ANY (ARRAY['text'::text, 'list'::text, 'file'::text])),
  constraint approvals_title_check CHECK (length(TRIM(BOTH FROM title)) >= 1 AND length(TRIM(BOTH FROM title)) <= 200 AND title !~ '[[:cntrl:]]'::text)
);

grant select on public.approvals to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.approvals to service_role;

alter table public.approvals enable row level security;

create policy "Admins read all approvals" on public.approvals for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Members read what their clients are asked to approve" on public.approvals for select to authenticated
  using ((client_id IN ( SELECT private.clients_of_member() AS clients_of_member)));

create policy "Team members read the approvals of their clients" on public.approvals for select to authenticated
  using ((client_id IN ( SELECT private.clients_of_team_member() AS clients_of_team_member)));

create table public.approval_decisions (
  client_id uuid not null,
  approval_id uuid not null,
  number integer not null,
  verdict text not null,
  comment text default ''::text not null,
  decided_by uuid,
  created_at timestamp with time zone default now() not null,
  file_sha256 text,
  constraint approval_decisions_pkey PRIMARY KEY (client_id, approval_id, number),
  constraint approval_decisions_check CHECK (verdict = 'yes'::text OR comment ~ '\S'::text),
  constraint approval_decisions_client_id_approval_id_number_fkey FOREIGN KEY (client_id, approval_id, number) REFERENCES approval_versions(client_id, approval_id, number) ON DELETE CASCADE,
  constraint approval_decisions_comment_check CHECK (length(comment) <= 2000),
  constraint approval_decisions_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint approval_decisions_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint approval_decisions_file_sha256_check CHECK (file_sha256 ~ '^[0-9a-f]{64}$'::text),
  constraint approval_decisions_verdict_check CHECK (verdict = ANY (ARRAY['yes'::text, 'changes'::text, 'no'::text]))
);

CREATE INDEX approval_decisions_decided_by_idx ON public.approval_decisions USING btree (decided_by);

grant select on public.approval_decisions to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.approval_decisions to service_role;

alter table public.approval_decisions enable row level security;

create policy "Admins read all decisions" on public.approval_decisions for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Members read the decisions of their clients" on public.approval_decisions for select to authenticated
  using ((client_id IN ( SELECT private.clients_of_member() AS clients_of_member)));

create policy "Team members read the decisions of their clients" on public.approval_decisions for select to authenticated
  using ((client_id IN ( SELECT private.clients_of_team_member() AS clients_of_team_member)));

-- Triggers, in the order in which they fire.
CREATE TRIGGER keep_hash_of_client_file BEFORE INSERT ON approval_decisions FOR EACH ROW EXECUTE FUNCTION private.keep_hash_of_client_file();

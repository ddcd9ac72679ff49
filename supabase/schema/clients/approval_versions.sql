create table public.approval_versions (
  client_id uuid not null,
  approval_id uuid not null,
  number integer not null,
  text text not null,
  due_on date,
  asked_by uuid,
  created_at timestamp with time zone default now() not null,
  is_wording boolean default false not null,
  file_id uuid,
  constraint approval_versions_pkey PRIMARY KEY (client_id, approval_id, number),
  constraint approval_versions_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint approval_versions_client_id_approval_id_fkey FOREIGN KEY (client_id, approval_id) REFERENCES approvals(client_id, id) ON DELETE CASCADE,
  constraint approval_versions_client_id_file_id_fkey FOREIGN KEY (client_id, file_id) REFERENCES client_files(client_id, id),
  constraint approval_versions_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint approval_versions_due_on_calendar CHECK (due_on >= '1900-01-01'::date AND due_on <= '2999-12-31'::date),
  constraint approval_versions_number_check CHECK (number >= 1 AND number <= 100),
  constraint approval_versions_text_check CHECK (length(text) <= 20000 AND text ~ '\S'::text)
);

CREATE INDEX approval_versions_asked_by_idx ON public.approval_versions USING btree (asked_by);

CREATE INDEX approval_versions_file_idx ON public.approval_versions USING btree (client_id, file_id);

grant select on public.approval_versions to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.approval_versions to service_role;

alter table public.approval_versions enable row level security;

create policy "Admins read all versions" on public.approval_versions for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Members read the versions that their clients are asked for" on public.approval_versions for select to authenticated
  using ((client_id IN ( SELECT private.clients_of_member() AS clients_of_member)));

create policy "Team members read the versions of their clients" on public.approval_versions for select to authenticated
  using ((client_id IN ( SELECT private.clients_of_team_member() AS clients_of_team_member)));

-- Triggers, in the order in which they fire.
CREATE TRIGGER check_wording AFTER INSERT ON approval_versions FOR EACH ROW WHEN (new.is_wording) EXECUTE FUNCTION private.check_wording();

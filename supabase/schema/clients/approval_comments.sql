create table public.approval_comments (
  client_id uuid not null,
  id uuid default gen_random_uuid() not null,
  approval_id uuid not null,
  number integer not null,
  quote text default ''::text not null,
  text text not null,
  written_by uuid,
  created_at timestamp with time zone default now() not null,
  constraint approval_comments_pkey PRIMARY KEY (client_id, id),
  constraint approval_comments_client_id_approval_id_number_fkey FOREIGN KEY (client_id, approval_id, number) REFERENCES approval_versions(client_id, approval_id, number) ON DELETE CASCADE,
  constraint approval_comments_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint approval_comments_quote_check CHECK (length(quote) <= 2000),
  constraint approval_comments_text_check CHECK (text ~ '\S'::text AND length(text) <= 2000),
  constraint approval_comments_written_by_fkey FOREIGN KEY (written_by) REFERENCES auth.users(id) ON DELETE SET NULL
);

CREATE INDEX approval_comments_version_idx ON public.approval_comments USING btree (client_id, approval_id, number, created_at);

CREATE INDEX approval_comments_written_by_idx ON public.approval_comments USING btree (written_by);

grant select on public.approval_comments to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.approval_comments to service_role;

alter table public.approval_comments enable row level security;

create policy "Admins read all comments" on public.approval_comments for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Members read the comments on what their clients approve" on public.approval_comments for select to authenticated
  using ((client_id IN ( SELECT private.clients_of_member() AS clients_of_member)));

create policy "Team members read the comments of their clients" on public.approval_comments for select to authenticated
  using ((client_id IN ( SELECT private.clients_of_team_member() AS clients_of_team_member)));

-- Triggers, in the order in which they fire.
CREATE TRIGGER refuse_lookers BEFORE INSERT OR DELETE OR UPDATE ON approval_comments FOR EACH STATEMENT EXECUTE FUNCTION private.refuse_lookers();

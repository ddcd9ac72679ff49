create table public.campaign_texts (
  client_id uuid not null,
  campaign_id uuid not null,
  approval_id uuid not null,
  step integer,
  added_by uuid,
  created_at timestamp with time zone default now() not null,
  constraint campaign_texts_pkey PRIMARY KEY (client_id, campaign_id, approval_id),
  constraint campaign_texts_added_by_fkey FOREIGN KEY (added_by) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint campaign_texts_client_id_approval_id_fkey FOREIGN KEY (client_id, approval_id) REFERENCES approvals(client_id, id) ON DELETE CASCADE,
  constraint campaign_texts_client_id_campaign_id_fkey FOREIGN KEY (client_id, campaign_id) REFERENCES campaigns(client_id, id) ON DELETE CASCADE,
  constraint campaign_texts_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint campaign_texts_step_check CHECK (step >= 1 AND step <= 100)
);

CREATE INDEX campaign_texts_added_by_idx ON public.campaign_texts USING btree (added_by);

CREATE INDEX campaign_texts_approval_idx ON public.campaign_texts USING btree (client_id, approval_id);

grant select on public.campaign_texts to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.campaign_texts to service_role;

alter table public.campaign_texts enable row level security;

create policy "Admins read all texts of campaigns" on public.campaign_texts for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Team members read the texts of their clients' campaigns" on public.campaign_texts for select to authenticated
  using ((client_id IN ( SELECT private.clients_of_team_member() AS clients_of_team_member)));

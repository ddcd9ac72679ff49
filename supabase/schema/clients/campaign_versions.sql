create table public.campaign_versions (
  client_id uuid not null,
  campaign_id uuid not null,
  number integer not null,
  action text not null,
  campaign jsonb not null,
  changed_by uuid,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint campaign_versions_pkey PRIMARY KEY (client_id, campaign_id, number),
  constraint campaign_versions_action_check CHECK (action = ANY (ARRAY['before'::text, 'created'::text, 'changed'::text, 'deleted'::text, 'restored'::text])),
  constraint campaign_versions_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint campaign_versions_client_id_campaign_id_fkey FOREIGN KEY (client_id, campaign_id) REFERENCES campaigns(client_id, id) ON DELETE CASCADE,
  constraint campaign_versions_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint campaign_versions_number_check CHECK (number > 0)
);

CREATE INDEX campaign_versions_changed_by_idx ON public.campaign_versions USING btree (changed_by);

grant select on public.campaign_versions to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.campaign_versions to service_role;

alter table public.campaign_versions enable row level security;

create policy "Admins read the versions of all campaigns" on public.campaign_versions for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Team members read the versions of their clients' campaigns" on public.campaign_versions for select to authenticated
  using ((client_id IN ( SELECT private.clients_of_team_member() AS clients_of_team_member)));

create table public.campaigns (
  client_id uuid not null,  -- insert to authenticated
  id uuid default gen_random_uuid() not null,
  name text not null,  -- insert to authenticated, update to authenticated
  channel text not null,  -- insert to authenticated, update to authenticated
  phase text default 'planned'::text not null,  -- insert to authenticated, update to authenticated
  next_step text default ''::text not null,  -- insert to authenticated, update to authenticated
  due_on date,  -- insert to authenticated, update to authenticated
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  constraint campaigns_pkey PRIMARY KEY (client_id, id),
  constraint campaigns_channel_check CHECK (channel = ANY (ARRAY['email'::text, 'linkedin'::text, 'phone'::text, 'other'::text])),
  constraint campaigns_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(id) ON DELETE CASCADE,
  constraint campaigns_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint campaigns_deleted_at_calendar CHECK (deleted_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND deleted_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint campaigns_due_on_calendar CHECK (due_on >= '1900-01-01'::date AND due_on <= '2999-12-31'::date),
  constraint campaigns_name_check CHECK (length(TRIM(BOTH FROM name)) >= 1 AND length(TRIM(BOTH FROM name)) <= 200 AND name !~ '[[:cntrl:]]'::text),
  constraint campaigns_next_step_check CHECK (length(next_step) <= 500 AND next_step !~ '[[:cntrl:]]'::text),
  constraint campaigns_phase_check CHECK (phase = ANY (ARRAY['planned'::text, 'building'::text, 'running'::text, 'paused'::text, 'done'::text])),
  constraint campaigns_updated_at_calendar CHECK (updated_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND updated_at <= '2999-12-31 00:00:00+00'::timestamp with time zone)
);

CREATE INDEX campaigns_deleted_idx ON public.campaigns USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

grant select on public.campaigns to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.campaigns to service_role;

alter table public.campaigns enable row level security;

create policy "Admins and assigned team members add campaigns" on public.campaigns for insert to authenticated
  with check ((( SELECT private.is_admin() AS is_admin) OR (client_id IN ( SELECT private.clients_of_team_member() AS clients_of_team_member))));

create policy "Admins read all campaigns" on public.campaigns for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Members read the campaigns of their clients" on public.campaigns for select to authenticated
  using (((deleted_at IS NULL) AND (client_id IN ( SELECT private.clients_of_member() AS clients_of_member))));

create policy "Team members read the campaigns of their clients" on public.campaigns for select to authenticated
  using ((client_id IN ( SELECT private.clients_of_team_member() AS clients_of_team_member)));

create policy "Admins and assigned team members change campaigns" on public.campaigns for update to authenticated
  using (((deleted_at IS NULL) AND (( SELECT private.is_admin() AS is_admin) OR (client_id IN ( SELECT private.clients_of_team_member() AS clients_of_team_member)))))
  with check ((( SELECT private.is_admin() AS is_admin) OR (client_id IN ( SELECT private.clients_of_team_member() AS clients_of_team_member))));

-- Triggers, in the order in which they fire.
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON campaigns FOR EACH ROW EXECUTE FUNCTION private.touch_updated_at();
CREATE TRIGGER keep_version AFTER INSERT OR UPDATE ON campaigns FOR EACH ROW EXECUTE FUNCTION private.keep_campaign_version();

create table public.client_alarms (
  client_id uuid not null,
  id uuid default gen_random_uuid() not null,
  kind text not null,
  subject text not null,
  text text not null,
  times integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  latest_at timestamp with time zone default now() not null,
  settled_by uuid,
  settled_at timestamp with time zone,
  constraint client_alarms_pkey PRIMARY KEY (client_id, id),
  constraint client_alarms_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(id) ON DELETE CASCADE,
  constraint client_alarms_client_id_kind_subject_key UNIQUE (client_id, kind, subject),
  constraint client_alarms_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint client_alarms_kind_check CHECK (kind = ANY (ARRAY['not_approved'::text, 'left_alone'::text, 'difference'::text, 'incomplete'::text])),
  constraint client_alarms_latest_at_calendar CHECK (latest_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND latest_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint client_alarms_settled_at_calendar CHECK (settled_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND settled_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint client_alarms_settled_by_fkey FOREIGN KEY (settled_by) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint client_alarms_subject_check CHECK (length(subject) <= 400),
  constraint client_alarms_text_check CHECK (length(text) <= 2000)
);

CREATE INDEX client_alarms_open_idx ON public.client_alarms USING btree (client_id, kind) WHERE (settled_at IS NULL);

CREATE INDEX client_alarms_settled_by_idx ON public.client_alarms USING btree (settled_by);

grant select on public.client_alarms to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.client_alarms to service_role;

alter table public.client_alarms enable row level security;

create policy "Admins read all alarms" on public.client_alarms for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Team members read the alarms of their clients" on public.client_alarms for select to authenticated
  using ((client_id IN ( SELECT private.clients_of_team_member() AS clients_of_team_member)));

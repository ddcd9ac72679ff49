create table public.people_log (
  id bigint generated always as identity not null,
  at timestamp with time zone default clock_timestamp() not null,
  actor_id uuid,
  person_id uuid,
  action text not null,
  role text,
  constraint people_log_pkey PRIMARY KEY (id),
  constraint people_log_action_check CHECK (action = ANY (ARRAY['invited'::text, 'approved'::text, 'declined'::text, 'restored'::text, 'made_client'::text, 'made_admin'::text, 'revoked'::text, 'ended_sessions'::text, 'reset_factors'::text, 'downloaded_data'::text, 'deleted'::text, 'deleted_own_account'::text])),
  constraint people_log_at_calendar CHECK (at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint people_log_role_check CHECK (role = ANY (ARRAY['client'::text, 'team'::text, 'admin'::text]))
);

CREATE INDEX people_log_person_idx ON public.people_log USING btree (person_id, at DESC);

CREATE INDEX people_log_time_idx ON public.people_log USING btree (at DESC);

grant select on public.people_log to authenticated, service_role;

alter table public.people_log enable row level security;

create policy "Admins read what was done to accounts" on public.people_log for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

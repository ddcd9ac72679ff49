create table public.registration_decisions (
  id uuid default gen_random_uuid() not null,
  user_id uuid,
  email text default ''::text not null,
  approved boolean not null,
  decided_by uuid,
  decided_at timestamp with time zone default now() not null,
  registered_at timestamp with time zone,
  withdrawn_by uuid,
  withdrawn_at timestamp with time zone,
  role text default 'team'::text not null,
  revoked boolean default false not null,
  constraint registration_decisions_pkey PRIMARY KEY (id),
  constraint registration_decisions_decided_at_calendar CHECK (decided_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND decided_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint registration_decisions_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint registration_decisions_registered_at_calendar CHECK (registered_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND registered_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint registration_decisions_role_check CHECK (role = ANY (ARRAY['client'::text, 'team'::text])),
  constraint registration_decisions_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint registration_decisions_withdrawn_at_calendar CHECK (withdrawn_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND withdrawn_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint registration_decisions_withdrawn_by_fkey FOREIGN KEY (withdrawn_by) REFERENCES auth.users(id) ON DELETE SET NULL
);

CREATE INDEX registration_decisions_admin_idx ON public.registration_decisions USING btree (decided_by);

CREATE INDEX registration_decisions_time_idx ON public.registration_decisions USING btree (decided_at DESC);

CREATE INDEX registration_decisions_user_idx ON public.registration_decisions USING btree (user_id, decided_at DESC);

CREATE INDEX registration_decisions_withdrawer_idx ON public.registration_decisions USING btree (withdrawn_by);

grant select on public.registration_decisions to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.registration_decisions to service_role;

alter table public.registration_decisions enable row level security;

create policy "Admins read all decisions" on public.registration_decisions for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

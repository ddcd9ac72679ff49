create table public.user_roles (
  user_id uuid not null,
  role text not null,
  approved boolean default false not null,
  created_at timestamp with time zone default now() not null,
  constraint user_roles_pkey PRIMARY KEY (user_id),
  constraint user_roles_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint user_roles_role_check CHECK (role = ANY (ARRAY['client'::text, 'team'::text, 'admin'::text])),
  constraint user_roles_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);

CREATE INDEX user_roles_pending_idx ON public.user_roles USING btree (created_at) WHERE ((role = 'team'::text) AND (NOT approved));

grant select on public.user_roles to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.user_roles to service_role;

alter table public.user_roles enable row level security;

create policy "Admins read all roles" on public.user_roles for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "People read their own role" on public.user_roles for select to authenticated
  using ((user_id = ( SELECT private.user_id() AS user_id)));

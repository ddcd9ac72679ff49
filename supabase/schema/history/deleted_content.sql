create table public.deleted_content (
  kind text not null,
  item_id uuid not null,
  title text not null,
  data jsonb not null,
  deleted_by uuid,
  deleted_at timestamp with time zone default clock_timestamp() not null,
  constraint deleted_content_pkey PRIMARY KEY (kind, item_id),
  constraint deleted_content_deleted_at_calendar CHECK (deleted_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND deleted_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint deleted_content_deleted_by_fkey FOREIGN KEY (deleted_by) REFERENCES auth.users(id) ON DELETE SET NULL
);

CREATE INDEX deleted_content_age_idx ON public.deleted_content USING btree (deleted_at);

CREATE INDEX deleted_content_newest_idx ON public.deleted_content USING btree (kind, deleted_at DESC);

CREATE INDEX deleted_content_person_idx ON public.deleted_content USING btree (deleted_by) WHERE (deleted_by IS NOT NULL);

grant select on public.deleted_content to authenticated, service_role;

alter table public.deleted_content enable row level security;

create policy "Admins read deleted content" on public.deleted_content for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create table public.content_versions (
  id bigint generated always as identity not null,
  kind text not null,
  item_id text not null,
  data jsonb not null,
  action text not null,
  changes text[] default '{}'::text[] not null,
  author_id uuid,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint content_versions_pkey PRIMARY KEY (id),
  constraint content_versions_action_check CHECK (action = ANY (ARRAY['before'::text, 'created'::text, 'changed'::text, 'deleted'::text, 'restored'::text])),
  constraint content_versions_author_id_fkey FOREIGN KEY (author_id) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint content_versions_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone)
);

CREATE INDEX content_versions_age_idx ON public.content_versions USING btree (created_at) INCLUDE (kind, item_id, id);

CREATE INDEX content_versions_author_idx ON public.content_versions USING btree (author_id) WHERE (author_id IS NOT NULL);

CREATE INDEX content_versions_item_idx ON public.content_versions USING btree (kind, item_id, id DESC) INCLUDE (created_at);

grant select on public.content_versions to authenticated, service_role;

alter table public.content_versions enable row level security;

create policy "Admins read the history of content" on public.content_versions for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

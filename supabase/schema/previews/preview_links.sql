create table public.preview_links (
  id uuid default gen_random_uuid() not null,
  token_hash text not null,
  kind text,
  item_id text,
  shows_drafts boolean default false not null,
  as_of timestamp with time zone,
  created_by uuid,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  release_id uuid,
  constraint preview_links_pkey PRIMARY KEY (id),
  constraint preview_links_as_of_calendar CHECK (as_of >= '1900-01-01 00:00:00+00'::timestamp with time zone AND as_of <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint preview_links_check CHECK ((kind IS NULL) = (item_id IS NULL)),
  constraint preview_links_check1 CHECK (expires_at >= (created_at + '01:00:00'::interval) AND expires_at <= (created_at + '14 days'::interval)),
  constraint preview_links_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint preview_links_created_by_fkey FOREIGN KEY (created_by) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint preview_links_expires_at_calendar CHECK (expires_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND expires_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint preview_links_item_id_check CHECK (length(item_id) <= 250),
  constraint preview_links_release_id_fkey FOREIGN KEY (release_id) REFERENCES releases(id) ON DELETE CASCADE,
  constraint preview_links_revoked_at_calendar CHECK (revoked_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND revoked_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint preview_links_token_hash_check CHECK (token_hash ~ '^[0-9a-f]{64}$'::text),
  constraint preview_links_token_hash_key UNIQUE (token_hash)
);

CREATE INDEX preview_links_created_by_idx ON public.preview_links USING btree (created_by);

CREATE INDEX preview_links_expires_at_idx ON public.preview_links USING btree (expires_at);

CREATE INDEX preview_links_release_id_idx ON public.preview_links USING btree (release_id);

grant select on public.preview_links to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.preview_links to service_role;

alter table public.preview_links enable row level security;

create policy "Admins read preview links" on public.preview_links for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create table public.campaign_sources (
  client_id uuid not null,  -- select to authenticated
  id uuid default gen_random_uuid() not null,  -- select to authenticated
  campaign_id uuid not null,  -- select to authenticated
  provider text not null,  -- select to authenticated
  external_id text default ''::text not null,  -- select to authenticated
  token_hash text not null,
  secret_hash text,
  metrics text[] not null,  -- select to authenticated
  counts_from date not null,  -- select to authenticated
  ends_on date,  -- select to authenticated
  added_by uuid,  -- select to authenticated
  created_at timestamp with time zone default now() not null,  -- select to authenticated
  signing_secret text,
  stored_on date,
  stored_bytes bigint default 0 not null,
  constraint campaign_sources_pkey PRIMARY KEY (client_id, id),
  constraint campaign_sources_added_by_fkey FOREIGN KEY (added_by) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint campaign_sources_client_id_campaign_id_fkey FOREIGN KEY (client_id, campaign_id) REFERENCES campaigns(client_id, id) ON DELETE CASCADE,
  constraint campaign_sources_counts_from_calendar CHECK (counts_from >= '1900-01-01'::date AND counts_from <= '2999-12-31'::date),
  constraint campaign_sources_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint campaign_sources_ends_on_calendar CHECK (ends_on >= '1900-01-01'::date AND ends_on <= '2999-12-31'::date),
  constraint campaign_sources_external_id_check CHECK (length(external_id) <= 200 AND external_id !~ '[[:cntrl:]]'::text),
  constraint campaign_sources_metrics_check CHECK (metrics <> '{}'::text[] AND metrics <@ '{sent,delivered,bounced,replies,positive_replies,meetings}'::text[]),
  constraint campaign_sources_provider_check CHECK (provider = ANY (ARRAY['smartlead'::text, 'instantly'::text, 'lemlist'::text, 'json'::text])),
  constraint campaign_sources_secret_hash_check CHECK (secret_hash ~ '^[0-9a-f]{64}$'::text),
  constraint campaign_sources_signing_secret_check CHECK (length(signing_secret) <= 500),
  constraint campaign_sources_stored_bytes_check CHECK (stored_bytes >= 0),
  constraint campaign_sources_stored_on_calendar CHECK (stored_on >= '1900-01-01'::date AND stored_on <= '2999-12-31'::date),
  constraint campaign_sources_token_hash_check CHECK (token_hash ~ '^[0-9a-f]{64}$'::text),
  constraint campaign_sources_token_hash_key UNIQUE (token_hash)
);

CREATE INDEX campaign_sources_added_by_idx ON public.campaign_sources USING btree (added_by);

CREATE INDEX campaign_sources_campaign_idx ON public.campaign_sources USING btree (client_id, campaign_id);

CREATE UNIQUE INDEX campaign_sources_one_idx ON public.campaign_sources USING btree (client_id, campaign_id) WHERE (ends_on IS NULL);

grant delete, insert, maintain, references, select, trigger, truncate, update on public.campaign_sources to service_role;

alter table public.campaign_sources enable row level security;

create policy "Admins read all sources" on public.campaign_sources for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Team members read the sources of their clients" on public.campaign_sources for select to authenticated
  using ((client_id IN ( SELECT private.clients_of_team_member() AS clients_of_team_member)));

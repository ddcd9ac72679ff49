create table public.newsletter_subscribers (
  id uuid default gen_random_uuid() not null,  -- select to authenticated
  email text not null,  -- select to authenticated
  confirmed_at timestamp with time zone,  -- select to authenticated
  confirm_token_hash text,
  created_at timestamp with time zone default now() not null,  -- select to authenticated
  requested_at timestamp with time zone default now() not null,
  constraint newsletter_subscribers_pkey PRIMARY KEY (id),
  constraint newsletter_subscribers_confirmed_at_calendar CHECK (confirmed_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND confirmed_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint newsletter_subscribers_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint newsletter_subscribers_email_check CHECK (length(email) >= 3 AND length(email) <= 255 AND email !~ '[[:cntrl:][:space:]]'::text),
  constraint newsletter_subscribers_requested_at_calendar CHECK (requested_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND requested_at <= '2999-12-31 00:00:00+00'::timestamp with time zone)
);

CREATE UNIQUE INDEX newsletter_subscribers_email_idx ON public.newsletter_subscribers USING btree (lower(email));

CREATE INDEX newsletter_subscribers_newest_idx ON public.newsletter_subscribers USING btree (created_at DESC);

CREATE INDEX newsletter_subscribers_token_idx ON public.newsletter_subscribers USING btree (confirm_token_hash);

grant delete on public.newsletter_subscribers to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.newsletter_subscribers to service_role;

alter table public.newsletter_subscribers enable row level security;

create policy "Admins delete subscribers" on public.newsletter_subscribers for delete to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Admins read who subscribed" on public.newsletter_subscribers for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

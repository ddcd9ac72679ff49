create table public.lead_webhook_deliveries (
  id bigint generated always as identity not null,
  lead_id uuid,
  status text default 'waiting'::text not null,
  attempts integer default 0 not null,
  next_attempt_at timestamp with time zone default now() not null,
  response_status integer,
  last_error text,
  created_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  constraint lead_webhook_deliveries_pkey PRIMARY KEY (id),
  constraint lead_webhook_deliveries_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint lead_webhook_deliveries_ended_at_calendar CHECK (ended_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND ended_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint lead_webhook_deliveries_lead_id_fkey FOREIGN KEY (lead_id) REFERENCES leads(id) ON DELETE CASCADE,
  constraint lead_webhook_deliveries_next_attempt_at_calendar CHECK (next_attempt_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND next_attempt_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint lead_webhook_deliveries_status_check CHECK (status = ANY (ARRAY['waiting'::text, 'delivered'::text, 'failed'::text]))
);

CREATE INDEX lead_webhook_deliveries_lead_idx ON public.lead_webhook_deliveries USING btree (lead_id);

CREATE INDEX lead_webhook_deliveries_next_idx ON public.lead_webhook_deliveries USING btree (next_attempt_at) WHERE (status = 'waiting'::text);

grant select on public.lead_webhook_deliveries to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.lead_webhook_deliveries to service_role;

alter table public.lead_webhook_deliveries enable row level security;

create policy "Admins read what the webhook was told" on public.lead_webhook_deliveries for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

-- Triggers, in the order in which they fire.
CREATE TRIGGER notify_webhook_queued AFTER INSERT ON lead_webhook_deliveries FOR EACH STATEMENT EXECUTE FUNCTION private.notify_webhook_queued();

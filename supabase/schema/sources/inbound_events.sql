create table public.inbound_events (
  client_id uuid not null,  -- select to authenticated
  source_id uuid not null,  -- select to authenticated
  event_key text not null,  -- select to authenticated
  kind text not null,  -- select to authenticated
  metric text,  -- select to authenticated
  state text not null,  -- select to authenticated
  day date not null,  -- select to authenticated
  happened_at timestamp with time zone not null,  -- select to authenticated
  step integer,  -- select to authenticated
  person_hash text,
  hint text default ''::text not null,  -- select to authenticated
  recipient text,  -- select to authenticated
  raw jsonb,  -- select to authenticated
  received_at timestamp with time zone default now() not null,  -- select to authenticated
  constraint inbound_events_pkey PRIMARY KEY (client_id, source_id, event_key),
  constraint inbound_events_client_id_source_id_fkey FOREIGN KEY (client_id, source_id) REFERENCES campaign_sources(client_id, id) ON DELETE CASCADE,
  constraint inbound_events_day_calendar CHECK (day >= '1900-01-01'::date AND day <= '2999-12-31'::date),
  constraint inbound_events_event_key_check CHECK (length(event_key) >= 1 AND length(event_key) <= 200),
  constraint inbound_events_happened_at_calendar CHECK (happened_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND happened_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint inbound_events_hint_check CHECK (length(hint) <= 260),
  constraint inbound_events_kind_check CHECK (length(kind) <= 100),
  constraint inbound_events_metric_check CHECK (metric = ANY (ARRAY['sent'::text, 'delivered'::text, 'bounced'::text, 'replies'::text, 'positive_replies'::text, 'meetings'::text])),
  constraint inbound_events_person_hash_check CHECK (person_hash ~ '^[0-9a-f]{64}$'::text),
  constraint inbound_events_raw_check CHECK (length(raw::text) <= 400000),
  constraint inbound_events_received_at_calendar CHECK (received_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND received_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint inbound_events_recipient_check CHECK (length(recipient) <= 320),
  constraint inbound_events_state_check CHECK (state = ANY (ARRAY['counted'::text, 'noted'::text, 'unknown'::text, 'elsewhere'::text, 'untimely'::text])),
  constraint inbound_events_step_check CHECK (step >= 1 AND step <= 1000)
);

CREATE INDEX inbound_events_address_idx ON public.inbound_events USING btree (person_hash, metric) WHERE (metric = ANY (ARRAY['sent'::text, 'bounced'::text]));

CREATE INDEX inbound_events_behind_idx ON public.inbound_events USING btree (client_id, source_id, metric, day) WHERE (state = 'counted'::text);

CREATE INDEX inbound_events_latest_idx ON public.inbound_events USING btree (client_id, source_id, received_at);

CREATE INDEX inbound_events_not_counted_idx ON public.inbound_events USING btree (client_id, source_id, state, kind) WHERE (state = ANY (ARRAY['unknown'::text, 'elsewhere'::text, 'untimely'::text]));

CREATE INDEX inbound_events_raw_idx ON public.inbound_events USING btree (received_at) WHERE (raw IS NOT NULL);

CREATE INDEX inbound_events_recipient_idx ON public.inbound_events USING btree (lower(recipient)) WHERE (recipient IS NOT NULL);

grant delete, insert, maintain, references, select, trigger, truncate, update on public.inbound_events to service_role;

alter table public.inbound_events enable row level security;

create policy "Admins read all events" on public.inbound_events for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Team members read the events of their clients" on public.inbound_events for select to authenticated
  using ((client_id IN ( SELECT private.clients_of_team_member() AS clients_of_team_member)));

-- Triggers, in the order in which they fire.
CREATE TRIGGER add_do_not_contact_by_event AFTER INSERT ON inbound_events FOR EACH ROW WHEN (new.person_hash IS NOT NULL AND new.hint <> ''::text AND new.state <> 'elsewhere'::text AND (replace(lower(new.kind), '_'::text, ''::text) = ANY (ARRAY['unsubscribed'::text, 'leadunsubscribed'::text, 'emailunsubscribed'::text, 'emailsunsubscribed'::text]))) EXECUTE FUNCTION private.add_do_not_contact_by_event();

create table public.bookings (
  id uuid default gen_random_uuid() not null,  -- select to authenticated
  slot tstzrange not null,
  starts_at timestamp with time zone generated always as (lower(slot)) stored not null,  -- select to authenticated
  ends_at timestamp with time zone generated always as (upper(slot)) stored not null,  -- select to authenticated
  name text not null,  -- select to authenticated
  email text not null,  -- select to authenticated
  phone text default ''::text not null,  -- select to authenticated
  message text default ''::text not null,  -- select to authenticated
  service text default ''::text not null,  -- select to authenticated
  time_zone text not null,  -- select to authenticated
  state text default 'booked'::text not null,  -- select to authenticated
  cancelled_by text,  -- select to authenticated
  token_hash text not null,
  sequence integer default 0 not null,  -- select to authenticated
  reminder_mail_id bigint,
  created_at timestamp with time zone default now() not null,  -- select to authenticated
  updated_at timestamp with time zone default now() not null,  -- select to authenticated
  is_proven boolean default false not null,
  constraint bookings_pkey PRIMARY KEY (id),
  constraint bookings_cancelled_by_check CHECK (cancelled_by = ANY (ARRAY['visitor'::text, 'owner'::text])),
  constraint bookings_check CHECK ((state = 'cancelled'::text) = (cancelled_by IS NOT NULL)),
  constraint bookings_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint bookings_do_not_overlap EXCLUDE USING gist (slot WITH &&) WHERE (state = 'booked'::text),
  constraint bookings_email_check CHECK (length(email) >= 3 AND length(email) <= 255),
  constraint bookings_message_check CHECK (length(message) <= 1000),
  constraint bookings_name_check CHECK (length(name) >= 1 AND length(name) <= 100),
  constraint bookings_phone_check CHECK (phone ~ '^[0-9+()./ -]{0,40}$'::text),
  constraint bookings_service_check CHECK (length(service) <= 200),
  constraint bookings_slot_check CHECK (lower_inc(slot) AND NOT upper_inc(slot) AND isfinite(lower(slot)) AND isfinite(upper(slot))),
  constraint bookings_state_check CHECK (state = ANY (ARRAY['booked'::text, 'cancelled'::text])),
  constraint bookings_time_zone_check CHECK (length(time_zone) >= 1 AND length(time_zone) <= 64),
  constraint bookings_token_hash_check CHECK (token_hash ~ '^[0-9a-f]{64}$'::text),
  constraint bookings_token_hash_key UNIQUE (token_hash),
  constraint bookings_updated_at_calendar CHECK (updated_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND updated_at <= '2999-12-31 00:00:00+00'::timestamp with time zone)
);

CREATE INDEX bookings_created_idx ON public.bookings USING btree (created_at);

CREATE INDEX bookings_email_idx ON public.bookings USING btree (lower(email), created_at);

CREATE INDEX bookings_time_idx ON public.bookings USING btree (starts_at);

grant delete, insert, maintain, references, select, trigger, truncate, update on public.bookings to service_role;

alter table public.bookings enable row level security;

create policy "Admins read bookings" on public.bookings for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Team members read the calls of their leads" on public.bookings for select to authenticated
  using ((( SELECT private.is_team() AS is_team) AND (lower(email) IN ( SELECT lower(lead.email) AS lower
   FROM leads lead
  WHERE ((lead.owner_id = ( SELECT private.user_id() AS user_id)) AND (lead.email <> ''::text))))));

-- Triggers, in the order in which they fire.
CREATE TRIGGER make_lead_of_booking AFTER INSERT ON bookings FOR EACH ROW EXECUTE FUNCTION private.make_lead_of_booking();

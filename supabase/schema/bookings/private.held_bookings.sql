create table private.held_bookings (
  token_hash text not null,
  slot tstzrange not null,
  call jsonb not null,
  expires_at timestamp with time zone default (now() + '00:15:00'::interval) not null,
  constraint held_bookings_pkey PRIMARY KEY (token_hash),
  constraint held_bookings_call_check CHECK (jsonb_typeof(call) = 'object'::text),
  constraint held_bookings_token_hash_check CHECK (token_hash ~ '^[0-9a-f]{64}$'::text)
);

CREATE INDEX held_bookings_expiry_idx ON private.held_bookings USING btree (expires_at);

alter table private.held_bookings enable row level security;

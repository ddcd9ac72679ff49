create table private.booking_feed (
  id boolean default true not null,
  key_hash text not null,
  created_at timestamp with time zone default now() not null,
  constraint booking_feed_pkey PRIMARY KEY (id),
  constraint booking_feed_id_check CHECK (id),
  constraint booking_feed_key_hash_check CHECK (key_hash ~ '^[0-9a-f]{64}$'::text)
);

alter table private.booking_feed enable row level security;

create table private.request_keys (
  key_hash text not null,
  created_at timestamp with time zone default now() not null,
  constraint request_keys_pkey PRIMARY KEY (key_hash),
  constraint request_keys_key_hash_check CHECK (key_hash ~ '^[0-9a-f]{64}$'::text)
);

CREATE INDEX request_keys_created_idx ON private.request_keys USING btree (created_at);

-- Without row level security.

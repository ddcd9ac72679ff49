create table private.reply_hashes (
  conversation_id uuid not null,
  hash text not null,
  noted_at timestamp with time zone default clock_timestamp() not null,
  constraint reply_hashes_pkey PRIMARY KEY (conversation_id, hash),
  constraint reply_hashes_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE,
  constraint reply_hashes_hash_check CHECK (hash ~ '^[0-9a-f]{64}$'::text)
);

alter table private.reply_hashes enable row level security;

create table private.chat_counts (
  subject text not null,
  count integer not null,
  expires_at timestamp with time zone not null,
  constraint chat_counts_pkey PRIMARY KEY (subject)
);

CREATE INDEX chat_counts_expiry_idx ON private.chat_counts USING btree (expires_at);

alter table private.chat_counts enable row level security;

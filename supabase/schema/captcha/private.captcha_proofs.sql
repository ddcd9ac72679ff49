create table private.captcha_proofs (
  token_hash text not null,
  expires_at timestamp with time zone default (now() + '00:15:00'::interval) not null,
  constraint captcha_proofs_pkey PRIMARY KEY (token_hash),
  constraint captcha_proofs_token_hash_check CHECK (token_hash ~ '^[0-9a-f]{64}$'::text)
);

CREATE INDEX captcha_proofs_expiry_idx ON private.captcha_proofs USING btree (expires_at);

alter table private.captcha_proofs enable row level security;

create table private.held_leads (
  token_hash text not null,
  lead jsonb not null,
  expires_at timestamp with time zone default (now() + '00:15:00'::interval) not null,
  constraint held_leads_pkey PRIMARY KEY (token_hash),
  constraint held_leads_lead_check CHECK (jsonb_typeof(lead) = 'object'::text),
  constraint held_leads_token_hash_check CHECK (token_hash ~ '^[0-9a-f]{64}$'::text)
);

CREATE INDEX held_leads_expiry_idx ON private.held_leads USING btree (expires_at);

alter table private.held_leads enable row level security;

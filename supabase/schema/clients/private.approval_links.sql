create table private.approval_links (
  token_hash text not null,
  client_id uuid not null,
  approval_id uuid not null,
  number integer not null,
  user_id uuid not null,
  holder_hash text,
  used_at timestamp with time zone,
  expires_at timestamp with time zone default (now() + '14 days'::interval) not null,
  address_hash text not null,
  constraint approval_links_pkey PRIMARY KEY (token_hash),
  constraint approval_links_address_hash_check CHECK (address_hash ~ '^[0-9a-f]{64}$'::text),
  constraint approval_links_client_id_approval_id_number_fkey FOREIGN KEY (client_id, approval_id, number) REFERENCES approval_versions(client_id, approval_id, number) ON DELETE CASCADE,
  constraint approval_links_client_id_user_id_fkey FOREIGN KEY (client_id, user_id) REFERENCES client_members(client_id, user_id) ON DELETE CASCADE,
  constraint approval_links_holder_hash_check CHECK (holder_hash ~ '^[0-9a-f]{64}$'::text),
  constraint approval_links_token_hash_check CHECK (token_hash ~ '^[0-9a-f]{64}$'::text),
  constraint approval_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);

CREATE INDEX approval_links_expires_idx ON private.approval_links USING btree (expires_at);

CREATE INDEX approval_links_user_idx ON private.approval_links USING btree (user_id, client_id);

CREATE INDEX approval_links_version_idx ON private.approval_links USING btree (client_id, approval_id, number);

alter table private.approval_links enable row level security;

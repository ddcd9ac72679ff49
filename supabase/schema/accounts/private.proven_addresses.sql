create table private.proven_addresses (
  user_id uuid not null,
  address text not null,
  proven_at timestamp with time zone default now() not null,
  constraint proven_addresses_pkey PRIMARY KEY (user_id, address),
  constraint proven_addresses_address_check CHECK (address <> ''::text),
  constraint proven_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);

alter table private.proven_addresses enable row level security;

-- Triggers, in the order in which they fire.
CREATE TRIGGER take_places AFTER INSERT ON private.proven_addresses FOR EACH ROW EXECUTE FUNCTION private.take_client_places();

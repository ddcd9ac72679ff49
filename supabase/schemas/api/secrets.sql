-- Secrets of this database, created with its rows. Changing `rate_limits` only resets the counters. Changing another
-- secret breaks mailed links, webhooks or stored hashes of addresses.
create table private.secrets (
  name text primary key,
  value bytea not null check (length(value) >= 32)
);
alter table private.secrets enable row level security;

-- Returns 32 random bytes. gen_random_bytes() would need pgcrypto.
create function private.new_secret() returns bytea language sql volatile set search_path = '' as $$
  select sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
$$;

-- Sign-in with providers and wallets. The columns of flow_state and the table of client states are Supabase Auth's.

alter table auth.flow_state
  alter column auth_code drop not null,
  alter column code_challenge_method drop not null,
  alter column code_challenge drop not null,
  add column invite_token text,
  add column referrer text,
  add column oauth_client_state_id uuid,
  add column linking_target_id uuid,
  add column email_optional boolean not null default false;

create table auth.oauth_client_states (
  id uuid primary key,
  provider_type text not null,
  code_verifier text,
  created_at timestamptz not null
);
create index idx_oauth_client_states_created_at on auth.oauth_client_states (created_at);
alter table auth.oauth_client_states enable row level security;
grant all on auth.oauth_client_states to service_role;

-- What Supabase Auth has no column for.
create table backend.provider_flows (
  flow_id uuid primary key references auth.flow_state (id) on delete cascade,
  -- SHA-256 of the cookie of the browser that the answer has to come from; null when its code challenge binds the flow.
  browser_hash text,
  -- What the provider said about the person, when it is linked only with the code.
  profile jsonb
);
alter table backend.provider_flows enable row level security;

-- Each signed message of a wallet counts once.
create table backend.used_wallet_messages (
  -- SHA-256 of chain and message.
  message_hash text primary key,
  used_at timestamptz not null default clock_timestamp()
);
create index used_wallet_messages_used_at_idx on backend.used_wallet_messages (used_at);
alter table backend.used_wallet_messages enable row level security;

-- Accounts whose address is confirmed because confirmation is off, and which nobody has proved to read.
create table backend.unproven_addresses (
  user_id uuid primary key references auth.users (id) on delete cascade
);
alter table backend.unproven_addresses enable row level security;

-- Confirmed in the moment in which the account was created: nobody can tell any more whether by a mail.
insert into backend.unproven_addresses (user_id)
select id from auth.users where email is not null and email_confirmed_at = created_at;

-- Secrets in mails (a link and a code each), and the networks that people signed in from. Nobody but the owner gets at
-- this schema. auth.one_time_tokens stays empty: Supabase Auth derives the link from the code and keeps one row for each
-- account and type, so that guessing the code opens the link, and a stranger's sign-up replaces the owner's.

create table backend.mailed_tokens (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  token_type auth.one_time_token_type not null,
  -- The mailbox that it was sent to.
  email text not null,
  link_hash text not null unique,
  code_hash text not null,
  -- The code challenge that the mail was asked for with.
  flow_id uuid,
  -- What the sign-up that this mail confirms asked for.
  encrypted_password text,
  user_metadata jsonb,
  wrong_tries smallint not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  -- Used, or replaced by a later one. The row stays for a day, because wrong tries count for that long.
  ended_at timestamptz
);
create index mailed_tokens_email_idx on backend.mailed_tokens (email, token_type);
create index mailed_tokens_user_idx on backend.mailed_tokens (user_id, token_type);
create index mailed_tokens_created_idx on backend.mailed_tokens (created_at);
alter table backend.mailed_tokens enable row level security;

create table backend.known_networks (
  user_id uuid not null references auth.users (id) on delete cascade,
  -- SHA-256 of the account's id and the network.
  network_hash text not null,
  last_seen timestamptz not null default clock_timestamp(),
  primary key (user_id, network_hash)
);
alter table backend.known_networks enable row level security;

-- Links and codes that are on their way end with this change. So do passwords that wait for the confirmation of an
-- address: they may be those of a stranger who signed up with it, and whoever reads the mail signs up again.
delete from auth.one_time_tokens;
update auth.users set encrypted_password = '' where email_confirmed_at is null and encrypted_password <> '';
update auth.users set confirmation_token = '', recovery_token = '', email_change_token_new = '',
  email_change_token_current = '', reauthentication_token = ''
where coalesce(confirmation_token, '') || coalesce(recovery_token, '') || coalesce(email_change_token_new, '')
  || coalesce(email_change_token_current, '') || coalesce(reauthentication_token, '') <> '';

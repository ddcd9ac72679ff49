-- Verified addresses of accounts. auth.users.email_confirmed_at is not enough, because without mailed confirmation it
-- is set for any address that is entered.
create table private.proven_addresses (
  user_id uuid not null references auth.users (id) on delete cascade,
  -- An email address, or a phone number as E.164 without the plus sign.
  address text not null check (address <> ''),
  proven_at timestamptz not null default now(),
  primary key (user_id, address)
);
revoke all on table private.proven_addresses from anon, authenticated, service_role;
alter table private.proven_addresses enable row level security;

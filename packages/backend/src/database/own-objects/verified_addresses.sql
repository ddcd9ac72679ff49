-- Verified addresses of accounts. auth.users.email_confirmed_at is not enough, because without mailed confirmation it
-- is set for any address that is entered.
do $$
begin
  -- The table's name in earlier versions.
  if to_regclass('private.proven_addresses') is not null then
    alter table private.proven_addresses rename to verified_addresses;
    alter table private.verified_addresses rename column proven_at to verified_at;
    return;
  end if;
  create table private.verified_addresses (
    user_id uuid not null references auth.users (id) on delete cascade,
    -- An email address, or a phone number as E.164 without the plus sign.
    address text not null check (address <> ''),
    verified_at timestamptz not null default now(),
    primary key (user_id, address)
  );
  revoke all on table private.verified_addresses from anon, authenticated, service_role;
  alter table private.verified_addresses enable row level security;
end
$$;

-- Which addresses somebody has shown to be theirs. email_confirmed_at does not tell: where sign-ups count without a mail, it
-- is set for whoever types an address. Nothing lasting is added to an account with an address that nobody has proven
-- (docs/decisions/0035-whom-an-address-links.md).

create table private.proven_addresses (
  user_id uuid not null references auth.users (id) on delete cascade,
  -- As auth.users has it: an e-mail address, or a phone number as E.164 without the plus sign. A proof is for this address
  -- and for no other that the account takes later.
  address text not null check (address <> ''),
  proven_at timestamptz not null default now(),
  primary key (user_id, address)
);
revoke all on table private.proven_addresses from anon, authenticated, service_role;
alter table private.proven_addresses enable row level security;

-- Whether every address of the account is proven. One without any address is proven by what opens it, such as a wallet; an
-- anonymous one is not. A Supabase project records proofs only where the site asks it to (confirm_my_address), so what its
-- service stores about a mail that was opened, or a provider that vouches, counts as well.
create function private.has_proven_address(_user_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from auth.users as person
    where person.id = _user_id and not person.is_anonymous and (
      person.is_sso_user or not exists (
        select from (values
          (person.email::text, person.email_confirmed_at), (person.phone::text, person.phone_confirmed_at)
        ) as given (address, confirmed_at)
        where given.address <> ''
          and not exists (
            select from private.proven_addresses as proven
            where proven.user_id = person.id and proven.address = given.address
          )
          -- Confirmed by a message: without one nothing was sent before.
          and not coalesce(given.confirmed_at > person.confirmation_sent_at, false)
          -- Made by a provider that vouches for the address, and never opened by a password.
          and not exists (
            select from auth.identities as identity
            where identity.user_id = person.id and identity.email = given.address
              and identity.identity_data @> '{"email_verified": true}'
              and not exists (
                select from auth.identities as own
                where own.user_id = person.id and own.provider in ('email', 'phone')
              )
          )
      )
    )
  )
$$;
revoke all on function private.has_proven_address(uuid) from public;
grant execute on function private.has_proven_address(uuid) to service_role;

-- The built-in backend kept the opposite list until now.
do $$
begin
  if to_regclass('backend.unproven_addresses') is null then
    return;
  end if;
  execute $sql$
    insert into private.proven_addresses (user_id, address, proven_at)
    select person.id, given.address, given.confirmed_at
    from auth.users as person cross join lateral (values
      (person.email::text, person.email_confirmed_at), (person.phone::text, person.phone_confirmed_at)
    ) as given (address, confirmed_at)
    where given.address <> '' and given.confirmed_at is not null
      and not exists (select from backend.unproven_addresses as unproven where unproven.user_id = person.id)
  $sql$;
  execute 'drop table backend.unproven_addresses';
end
$$;

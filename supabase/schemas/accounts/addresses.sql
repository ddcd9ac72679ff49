-- Verified email addresses and phone numbers of accounts. `email_confirmed_at` does not mean that an address is
-- verified, because it is also set on sign-up if confirmation mails are off. Nothing permanent is added to an account
-- with an unverified address (docs/decisions/identities.md).
create table private.verified_addresses (
  user_id uuid not null references auth.users (id) on delete cascade,
  -- In the spelling of auth.users: an email address, or a phone number as E.164 without the plus sign. Each address of
  -- an account is verified separately.
  address text not null check (address <> ''),
  verified_at timestamptz not null default now(),
  primary key (user_id, address)
);
alter table private.verified_addresses enable row level security;

-- Returns true if all addresses of the account are verified. An account without an address counts as verified by its
-- credential, such as a wallet. An anonymous account is never verified. A Supabase project records verified addresses
-- only in confirm_my_address(), so a confirmed message and a provider's verified email count as well.
create function private.has_verified_address(_user_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from auth.users as person
    where person.id = _user_id and not person.is_anonymous and (
      person.is_sso_user or not exists (
        select from (values
          (person.email::text, person.email_confirmed_at), (person.phone::text, person.phone_confirmed_at)
        ) as given (address, confirmed_at)
        where given.address <> ''
          and not exists (
            select from private.verified_addresses as verified
            where verified.user_id = person.id and verified.address = given.address
          )
          -- Not confirmed by a message: a message would have been sent before the confirmation.
          and not coalesce(given.confirmed_at > person.confirmation_sent_at, false)
          -- Not created by a provider that verified the address, unless the account also has a password.
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
grant execute on function private.has_verified_address to service_role;

-- Returns true if this session began with a mail to the account's present address. A password or a phone code does not
-- count, because without confirmation mails anyone can sign up with any address.
create function private.is_signed_in_by_mail() returns boolean language sql stable security definer set search_path = '' as $$
  select exists (
    select from auth.users as person join auth.mfa_amr_claims as claim
      on claim.session_id = ((select auth.jwt()) ->> 'session_id')::uuid
    where person.id = (select private.user_id()) and person.email <> '' and person.email_confirmed_at is not null
      and (
        claim.authentication_method in ('magiclink', 'recovery', 'invite', 'email/signup')
        or (claim.authentication_method = 'otp' and coalesce(person.phone, '') = '')
      )
      -- The address has not changed since.
      and not exists (
        select from auth.identities
        where user_id = person.id and provider = 'email' and updated_at > claim.updated_at
      )
  )
$$;

-- Checks the `aal` of both the token and the session, because a token that was stolen before the second factor was
-- verified still has the lower level.
create function private.is_recently_authenticated() returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from auth.sessions as session join auth.mfa_amr_claims as claim on claim.session_id = session.id
    where session.id = ((select auth.jwt()) ->> 'session_id')::uuid and session.user_id = (select private.user_id())
      and claim.authentication_method <> 'token_refresh'
      and claim.updated_at > now() - interval '5 minutes'
      and (
        (session.aal::text = 'aal2' and (select auth.jwt()) ->> 'aal' = 'aal2')
        or not exists (select from auth.mfa_factors where user_id = session.user_id and status = 'verified')
      )
  )
$$;

-- Records that the caller has verified their address and accepts their pending invitations.
create function public.confirm_my_address() returns boolean language plpgsql security definer set search_path = '' as $$
declare
  _id constant uuid := private.user_id();
  _email constant text := (select email from auth.users where id = _id);
begin
  if _id is null then
    raise exception 'Please sign in first.' using errcode = '42501';
  end if;
  perform private.reject_oauth_applications();
  if not private.has_verified_address(_id) and private.is_signed_in_by_mail() then
    perform private.delete_credentials(_id, _email, ((select auth.jwt()) ->> 'session_id')::uuid);
    insert into private.verified_addresses (user_id, address) values (_id, _email) on conflict do nothing;
  elsif private.has_verified_address(_id) and exists (select from public.client_invitations where user_id = _id) then
    -- The insert fires the trigger that turns invitations into memberships.
    insert into private.verified_addresses (user_id, address)
    select _id, _email where _email <> '' on conflict do nothing;
  end if;
  return private.has_verified_address(_id);
end
$$;
grant execute on function public.confirm_my_address to authenticated;

-- Lists pending team registrations with an unverified address.
create function public.unverified_registrations() returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.is_admin() then
    raise exception 'Only admins can see registrations.' using errcode = '42501';
  end if;
  return query
    select roles.user_id from public.user_roles as roles
    where roles.role = 'team' and not roles.approved and not private.has_verified_address(roles.user_id);
end
$$;
grant execute on function public.unverified_registrations to authenticated;

-- The token must have shown the factor, and not only its session: one that was stolen before the session was raised has not.
create or replace function private.has_just_proven_identity() returns boolean
language sql stable security definer set search_path = ''
as $$
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

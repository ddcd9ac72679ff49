-- Applications could make the address that calendar programs read bookings from. It works without a sign-in, so it outlasts
-- the consent, and does not tell by whom it was made: it goes where an admin had let an application in before, also where
-- that was taken back since. Admins make a new one.
do $$
begin
  -- Not every version of the authentication service has consents.
  if to_regclass('auth.oauth_consents') is null then
    return;
  end if;
  execute $sql$
    delete from private.booking_feed as feed
    where exists (
      select from auth.oauth_consents as consent join public.user_roles as roles on roles.user_id = consent.user_id
      where roles.role = 'admin' and consent.granted_at <= feed.created_at
    )
  $sql$;
end
$$;

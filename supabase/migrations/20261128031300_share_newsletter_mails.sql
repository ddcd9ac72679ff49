-- The link in the mail is the proof that the newsletter asks of everybody, so the site's bound is one of mails. From the
-- hundredth in an hour on each address has one more and the network around it four, so that those who ask for many leave
-- room for others, up to 2,000 mails an hour.

create or replace function public.subscribe_to_newsletter(_email text, _website text default '') returns void
language plpgsql security definer set search_path = ''
as $$
declare
  _address constant text := trim(_email);
  _token constant text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  _id uuid;
begin
  if not private.is_on('newsletter_signup') then
    raise exception 'There is no newsletter at the moment.';
  end if;
  if not private.count_for_address('newsletter', private.client_address(), 5, interval '1 hour') or not (
    private.count_for_subject('newsletter', '', 100, interval '1 hour') or (
      private.count_for_networks('newsletter in a crowd', private.client_address(), 1, interval '1 hour')
      and private.count_for_subject('newsletter in a crowd', '', 1900, interval '1 hour')
    )
  ) then
    raise sqlstate 'PT429' using message = 'That was a lot at once. Please wait an hour.';
  end if;
  if coalesce(_website, '') <> '' then
    return;
  end if;
  if not coalesce(private.is_email(_address), false) then
    raise exception 'Invalid email address';
  end if;
  if private.count_for_subject('newsletter to', lower(_address), 3, interval '1 day') then
    insert into public.newsletter_subscribers as known (email, confirm_token_hash)
      values (_address, encode(sha256(convert_to(_token, 'UTF8')), 'hex'))
      on conflict (lower(email)) do update
        set confirm_token_hash = excluded.confirm_token_hash, requested_at = now()
        where known.confirmed_at is null
      returning id into _id;
  end if;
  insert into private.mail_queue (recipient, template, variables) values (
    case when _id is null then 'nobody@signalfjord.invalid' else _address end, 'newsletter_confirm',
    jsonb_build_object(
      'Email', _address, 'Token', _token,
      'UnsubscribeToken', private.unsubscribe_token(coalesce(_id, gen_random_uuid()))
    )
  );
end
$$;

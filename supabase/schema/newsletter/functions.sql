-- Called by anon, authenticated, service_role.
CREATE OR REPLACE FUNCTION public.confirm_newsletter(_token text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _confirmed public.newsletter_subscribers;
begin
  perform private.limit_newsletter_links();
  update public.newsletter_subscribers set confirmed_at = now(), confirm_token_hash = null
  where confirm_token_hash = encode(sha256(convert_to(_token, 'UTF8')), 'hex')
    and confirmed_at is null and requested_at > now() - interval '7 days'
  returning * into _confirmed;
  if _confirmed.id is null then
    return false;
  end if;
  insert into private.mail_queue (recipient, template, variables) values (
    _confirmed.email, 'newsletter_welcome', jsonb_build_object(
      'Email', _confirmed.email, 'UnsubscribeToken', private.unsubscribe_token(_confirmed.id)
    )
  );
  return true;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.export_newsletter()
 RETURNS TABLE(email text, confirmed_at timestamp with time zone, unsubscribe_token text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_admin();
  return query
    select known.email, known.confirmed_at, private.unsubscribe_token(known.id)
    from public.newsletter_subscribers as known where known.confirmed_at is not null
    order by known.confirmed_at, known.id;
end
$function$;

-- Called by anon, authenticated, service_role.
CREATE OR REPLACE FUNCTION public.subscribe_to_newsletter(_email text, _website text DEFAULT ''::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _address constant text := trim(_email);
  _token constant text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  _id uuid;
begin
  if not private.is_on('newsletter_signup') then
    raise exception 'There is no newsletter at the moment.';
  end if;
  if not private.claim_request('newsletter') then
    return;
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
$function$;

-- Called by anon, authenticated, service_role.
CREATE OR REPLACE FUNCTION public.unsubscribe_from_newsletter(_token text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.limit_newsletter_links();
  if _token !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}[.][0-9a-f]{64}$' then
    return;
  end if;
  -- Compared by their hashes, so that the time tells nothing about the token.
  delete from public.newsletter_subscribers
  where id = split_part(_token, '.', 1)::uuid
    and sha256(convert_to(private.unsubscribe_token(id), 'UTF8')) = sha256(convert_to(_token, 'UTF8'));
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.limit_newsletter_links()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.count_for_address('newsletter link', private.client_address(), 60, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'That was a lot at once. Please wait an hour.';
  end if;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.unsubscribe_token(_id uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select _id || '.' || encode(sha256(convert_to(
    key || encode(sha256(convert_to(key || _id, 'UTF8')), 'hex'), 'UTF8'
  )), 'hex')
  from private.newsletter_key
$function$;

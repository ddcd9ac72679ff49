-- A browser that got no answer sends a form again with the same header idempotency-key: 64 random hexadecimal digits.
create table private.request_keys (
  key_hash text primary key check (key_hash ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null default now()
);
create index request_keys_created_idx on private.request_keys (created_at);

-- Returns 64 hexadecimal digits made of the key of the request and the purpose, null without a valid key.
create function private.token_of_request(_purpose text) returns text
language sql stable set search_path = '' as $$
  select encode(sha256(convert_to(_purpose || ' ' || key, 'UTF8')), 'hex')
  from (select nullif(current_setting('request.headers', true), '')::json ->> 'idempotency-key') as headers (key)
  where key ~ '^[0-9a-f]{64}$'
$$;
revoke all on function private.token_of_request(text) from public;

-- Returns false if the same request was carried out in the last day. Keys expire a few at a time.
create function private.claim_request(_purpose text) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  _key constant text := private.token_of_request(_purpose);
begin
  if _key is null then
    return true;
  end if;
  delete from private.request_keys where key_hash in (
    select key_hash from private.request_keys where created_at < now() - interval '1 day'
    order by created_at limit 10 for update skip locked
  );
  insert into private.request_keys (key_hash) values (_key) on conflict do nothing;
  return found;
end
$$;
revoke all on function private.claim_request(text) from public;

CREATE OR REPLACE FUNCTION public.book(_starts_at timestamp with time zone, _name text, _email text, _phone text DEFAULT ''::text, _message text DEFAULT ''::text, _service text DEFAULT ''::text, _time_zone text DEFAULT ''::text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _token text := private.token_of_request('booking');
  _known public.bookings;
  _call public.bookings;
  _wants_proof boolean;
begin
  if _token is not null then
    perform private.lock_bookings();
    select * into _known from public.bookings where token_hash = private.booking_token_hash(_token);
    if _known.state = 'booked' and lower(_known.slot) = _starts_at then
      return private.booking_as_told(_known) || jsonb_build_object('token', _token);
    end if;
  end if;
  _call := private.new_booking(_starts_at, _name, _email, _phone, _message, _service, _time_zone);
  _wants_proof := private.are_bookings_crowded() or _call.slot && any (array(select private.held_slots()));
  if _wants_proof and not private.use_captcha_proof() then
    raise sqlstate 'PT428' using
      message = 'Many calls are being booked at the moment. Please confirm your address with a link by mail.',
      hint = 'Call hold_booking with the same values: it sends the link. Or send the proof of a captcha in x-captcha-proof.';
  end if;
  perform private.limit_bookings(_call.email);
  return private.save_booking(
    _call, case when _token is null or _known.id is not null then private.new_booking_token() else _token end, _wants_proof
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.take_lead(_source text, _email text, _name text DEFAULT ''::text, _phone text DEFAULT ''::text, _call_time text DEFAULT ''::text, _message text DEFAULT ''::text, _page text DEFAULT ''::text, _service text DEFAULT ''::text, _website text DEFAULT ''::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _lead constant public.leads :=
    private.new_lead(_source, _email, _name, _phone, _call_time, _message, _page, _service, _website);
begin
  if _lead.source is null then
    return;
  end if;
  if not private.claim_request('take_lead') then
    return;
  end if;
  if not private.count_for_subject('lead', '', 500, interval '1 day') then
    if not private.use_captcha_proof() then
      raise sqlstate 'PT428' using
        message = 'Many people are writing at the moment. Please confirm your address with a link by mail.',
        hint = 'Call hold_lead with the same values: it sends the link. Or send the proof of a captcha in x-captcha-proof.';
    end if;
    if not private.count_for_subject('proven lead', '', 10000, interval '1 day') then
      raise sqlstate 'PT429' using message = 'Too many people are writing at the moment. Please write an e-mail.';
    end if;
  end if;
  perform private.save_lead(_lead);
end
$function$;

CREATE OR REPLACE FUNCTION public.hold_lead(_source text, _email text, _name text DEFAULT ''::text, _phone text DEFAULT ''::text, _call_time text DEFAULT ''::text, _message text DEFAULT ''::text, _page text DEFAULT ''::text, _service text DEFAULT ''::text, _website text DEFAULT ''::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _token constant text := private.new_booking_token();
  _lead constant public.leads :=
    private.new_lead(_source, _email, _name, _phone, _call_time, _message, _page, _service, _website);
begin
  if _lead.source is null then
    return;
  end if;
  if not private.claim_request('hold_lead') then
    return;
  end if;
  perform private.limit_proof_mails(_lead.email);
  insert into private.held_leads (token_hash, lead)
    values (private.booking_token_hash(_token), jsonb_strip_nulls(to_jsonb(_lead)));
  -- Keeps the newest 1,000.
  delete from private.held_leads where expires_at <= now() or token_hash in (
    select token_hash from private.held_leads order by expires_at desc, token_hash offset 1000
  );
  insert into private.mail_queue (recipient, template, variables) values (
    _lead.email, 'lead_proof', jsonb_build_object('Email', _lead.email, 'Token', _token)
  );
end
$function$;

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

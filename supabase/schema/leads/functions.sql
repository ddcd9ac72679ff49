-- Called by anon, authenticated, service_role.
CREATE OR REPLACE FUNCTION public.confirm_lead(_token text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _held private.held_leads;
begin
  delete from private.held_leads
    where token_hash = private.booking_token_hash(coalesce(_token, '')) and expires_at > now()
    returning * into _held;
  if not found then
    return false;
  end if;
  if not private.count_for_subject('proven lead', '', 10000, interval '1 day') then
    raise sqlstate 'PT429' using message = 'Too many people are writing at the moment. Please write an e-mail.';
  end if;
  perform private.save_lead(jsonb_populate_record(null::public.leads, _held.lead));
  return true;
end
$function$;

-- Called by authenticated.
CREATE OR REPLACE FUNCTION public.count_leads_of(_user_id uuid)
 RETURNS integer
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_admin();
  return (select count(*) from auth.users, private.leads_of(users.email) where users.id = _user_id);
end
$function$;

-- Called by anon, authenticated, service_role.
CREATE OR REPLACE FUNCTION public.has_left_address()
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (
    select from public.leads where conversation_id = private.held_conversation() and source = 'assistant'
  )
$function$;

-- Called by anon, authenticated, service_role.
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

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.lead_owners()
 RETURNS TABLE(id uuid, name text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not (private.is_admin() or private.is_team()) then
    raise exception 'Only admins and team members may do this' using errcode = '42501';
  end if;
  return query
    select users.id, coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), users.email::text, 'Unknown')
    from public.user_roles join auth.users on users.id = user_roles.user_id
    where user_roles.role in ('admin', 'team') and user_roles.approved
    order by 2;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.lead_webhook_secret()
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_admin();
  perform private.refuse_applications();
  return (select secret from private.lead_webhook_secret);
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.renew_lead_webhook_secret()
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _secret text;
begin
  perform private.require_admin();
  perform private.refuse_applications();
  update private.lead_webhook_secret set secret = private.new_webhook_secret() where true returning secret into _secret;
  return _secret;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.send_test_webhook()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_admin();
  if private.lead_webhook_url() is null then
    raise exception 'Save the address of the webhook first.';
  end if;
  if not private.count_for_subject('test webhook', '', 20, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'That were many tests. Please wait an hour.';
  end if;
  insert into public.lead_webhook_deliveries default values;
end
$function$;

-- Called by anon, authenticated, service_role.
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

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.check_lead_owner()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not exists (
    select from public.user_roles where user_id = new.owner_id and role in ('admin', 'team') and approved
  ) then
    raise exception 'Only admins and team members can own a lead.' using errcode = '23514';
  end if;
  return new;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.guard_lead_webhook_url()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if trim(new.setting_value) !~ '^(https://[^[:space:][:cntrl:]]+)?$' or length(new.setting_value) > 2000 then
    raise exception 'The address of a webhook begins with https://' using errcode = '23514';
  end if;
  return new;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.lead_webhook_url()
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select nullif(trim(setting_value), '') from public.site_settings where setting_key = 'lead_webhook_url'
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.leads_of(_email text)
 RETURNS SETOF leads
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select * from public.leads where _email <> '' and lower(email) = lower(_email)
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.make_lead_of_booking()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.leads (source, name, email, phone, call_time, message, page, service)
    select 'booking', new.name, new.email, new.phone,
      left(private.time_in_words(new.slot, (select time_zone from public.booking_rules)), 100), new.message, '/#booking',
      new.service
    where not exists (
      select from public.leads where lower(email) = lower(new.email) and status in ('new', 'contacted')
    );
  return null;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.new_lead(_source text, _email text, _name text, _phone text, _call_time text, _message text, _page text, _service text, _website text)
 RETURNS leads
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _lead public.leads;
  _said text;
begin
  if _source is null or _source not in ('contact', 'assistant') or not private.is_on(
    case _source when 'contact' then 'keep_contact_messages' else 'leads_from_chat' end
  ) then
    raise exception 'Messages are not taken here. Please write an e-mail.';
  end if;
  if not private.count_for_address('lead', private.client_address(), 5, interval '1 hour') then
    raise sqlstate 'PT429' using
      message = 'You have sent several messages already. Please wait an hour, or write an e-mail.';
  end if;
  if coalesce(_website, '') <> '' then
    return null;
  end if;
  if not coalesce(private.is_email(trim(_email)), false) then
    raise exception 'Invalid email address';
  end if;
  if _source = 'contact' and (coalesce(trim(_name), '') = '' or coalesce(trim(_message), '') = '') then
    raise exception 'Name and message are required';
  end if;
  if length(_message) > 1000 then
    raise exception 'Message must be less than 1000 characters';
  end if;
  if trim(_phone) !~ '^[0-9+()./ -]{0,40}$' then
    raise exception 'Enter a phone number with digits, such as +47 22 00 00 00.';
  end if;
  if _source = 'assistant' then
    select id into _lead.conversation_id from public.conversations
    where id = private.held_conversation() and message_count > 0;
    if not found then
      raise exception 'This conversation is gone. Please write an e-mail.';
    end if;
    select left(content, 1000) into _said from public.chat_messages
    where conversation_id = _lead.conversation_id and role = 'user' order by created_at desc limit 1;
  end if;
  _lead.source := _source;
  _lead.name := private.one_line(_name, 100);
  _lead.email := trim(_email);
  _lead.phone := coalesce(trim(_phone), '');
  _lead.call_time := private.one_line(_call_time, 100);
  _lead.message := coalesce(nullif(trim(_message), ''), _said, '');
  _lead.page := private.one_line(_page, 500);
  _lead.service := private.one_line(_service, 200);
  return _lead;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.new_webhook_secret()
 RETURNS text
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select 'whsec_' || encode(sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')), 'base64')
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.notify_webhook_queued()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform pg_notify('webhook_queued', '');
  return null;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.save_lead(_lead leads)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into public.leads (source, name, email, phone, call_time, message, page, service, conversation_id)
  values (
    _lead.source, _lead.name, _lead.email, _lead.phone, _lead.call_time, _lead.message, _lead.page, _lead.service,
    -- Deleted meanwhile, perhaps.
    (select id from public.conversations where id = _lead.conversation_id)
  )
  on conflict (conversation_id) where source = 'assistant' do nothing
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.tell_about_lead()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _to constant text := trim((select setting_value from public.site_settings where setting_key = 'contact_email'));
begin
  -- Who makes a lead of a transcript knows of it. Past 60 an hour the list is read, not the mailbox.
  if new.source not in ('transcript', 'booking') and private.is_email(_to)
    and private.count_for_subject('lead mail', '', 60, interval '1 hour') then
    insert into private.mail_queue (recipient, template, variables) values (_to, 'new_lead', jsonb_build_object(
      'Email', new.email, 'ReplyTo', new.email, 'Name', coalesce(nullif(new.name, ''), nullif(new.email, ''), new.phone),
      'Phone', coalesce(nullif(new.phone, ''), '-'), 'CallTime', coalesce(nullif(new.call_time, ''), '-'),
      'Message', new.message, 'LeadId', new.id
    ));
  end if;
  if private.lead_webhook_url() is not null then
    insert into public.lead_webhook_deliveries (lead_id) values (new.id);
  end if;
  return null;
end
$function$;

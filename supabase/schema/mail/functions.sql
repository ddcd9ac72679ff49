-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.dismiss_failed_mail(_id bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.is_admin() then
    raise exception 'Only admins dismiss mails' using errcode = '42501';
  end if;
  delete from private.mail_queue where id = _id and failed_at is not null;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.list_failed_mails()
 RETURNS TABLE(id bigint, recipient text, template text, reason text, failed_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.is_admin() then
    raise exception 'Only admins see mails that could not be sent' using errcode = '42501';
  end if;
  return query
    select mail.id, mail.recipient, mail.template, coalesce(mail.last_error, ''), mail.failed_at
    from private.mail_queue as mail
    where mail.failed_at is not null
    order by mail.failed_at desc, mail.id desc limit 100;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.send_failed_mail(_id bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.is_admin() then
    raise exception 'Only admins send mails again' using errcode = '42501';
  end if;
  update private.mail_queue set failed_at = null, attempts = 0, next_attempt_at = now()
  where id = _id and failed_at is not null;
  if found then
    perform pg_notify('mail_queued', '');
  end if;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.is_email(text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select length($1) between 3 and 255
    and $1 ~ '^[^][[:space:][:cntrl:]<>",;:()@\\]+@[^][[:space:][:cntrl:]<>",;:()@\\]+\.[^][[:space:][:cntrl:]<>",;:()@\\.]+$'
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.is_mail_provider(_domain text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select coalesce(_domain = any (array[
    'gmail.com', 'googlemail.com', 'outlook.com', 'hotmail.com', 'hotmail.no', 'hotmail.co.uk', 'hotmail.fr', 'hotmail.de',
    'live.com', 'live.no', 'msn.com', 'yahoo.com', 'yahoo.no', 'yahoo.co.uk', 'yahoo.fr', 'yahoo.de', 'ymail.com', 'icloud.com',
    'me.com', 'mac.com', 'aol.com', 'proton.me', 'protonmail.com', 'pm.me', 'gmx.com', 'gmx.de', 'gmx.net', 'web.de', 't-online.de',
    'mail.com', 'mail.ru', 'yandex.ru', 'yandex.com', 'zoho.com', 'fastmail.com', 'hey.com', 'tutanota.com', 'tuta.com',
    'online.no', 'broadpark.no', 'frisurf.no', 'orange.fr', 'free.fr', 'laposte.net', 'libero.it', 'comcast.net', 'btinternet.com',
    'qq.com', '163.com', '126.com', 'foxmail.com', 'naver.com'
  ]), false)
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.limit_proof_mails(_email text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.count_for_networks('proof', private.client_address(), 3, interval '15 minutes') then
    raise sqlstate 'PT429' using
      message = 'We have sent several links already. Please open one of them, or try again in 15 minutes.';
  end if;
  if not private.count_for_subject('proof to', lower(_email), 5, interval '1 day') then
    raise sqlstate 'PT429' using
      message = 'Several links were sent to this address today. Please open the last of them, or write to us.';
  end if;
  if not private.count_for_subject('proof', '', 1000, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'Too many people are writing at the moment. Please write an e-mail.';
  end if;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.notify_mail_queued()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform pg_notify('mail_queued', '');
  return null;
end
$function$;

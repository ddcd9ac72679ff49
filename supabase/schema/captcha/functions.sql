-- Called by service_role.
CREATE OR REPLACE FUNCTION public.make_captcha_proof()
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _token constant text := private.new_booking_token();
begin
  insert into private.captcha_proofs (token_hash) values (private.booking_token_hash(_token));
  -- Keeps the newest 10,000.
  delete from private.captcha_proofs where expires_at <= now() or token_hash in (
    select token_hash from private.captcha_proofs order by expires_at desc, token_hash offset 10000
  );
  return _token;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.use_captcha_proof()
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _token constant text := nullif(current_setting('request.headers', true), '')::json ->> 'x-captcha-proof';
begin
  delete from private.captcha_proofs
    where token_hash = private.booking_token_hash(coalesce(_token, '')) and expires_at > now();
  return found;
end
$function$;

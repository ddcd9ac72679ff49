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

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.is_on(key text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (select from public.site_settings where setting_key = key and setting_value = 'on')
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.number_setting(key text, fallback integer)
 RETURNS integer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(
    (select setting_value::integer from public.site_settings where setting_key = key and setting_value ~ '^\d{1,7}$'),
    fallback
  )
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.guard_brand_accent()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if new.setting_value = '' then
    return new;
  end if;
  if new.setting_value !~ '^#[0-9a-f]{6}$' then
    raise exception 'The accent colour is written as #rrggbb' using errcode = '23514';
  end if;
  if (private.luminance('#f0ece4') + 0.05) / (private.luminance(new.setting_value) + 0.05) < 4.5 then
    raise exception 'The accent colour is too light: text needs a contrast of 4.5 to 1' using errcode = '23514';
  end if;
  return new;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.guard_brand_logo()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  _logo jsonb;
begin
  if new.setting_value = '' then
    return new;
  end if;
  begin
    _logo := new.setting_value::jsonb;
  exception when others then
    _logo := null;
  end;
  if length(new.setting_value) > 2000 or not private.is_brand_picture(_logo -> 'light')
     or (coalesce(jsonb_typeof(_logo -> 'dark'), 'null') <> 'null' and not private.is_brand_picture(_logo -> 'dark')) then
    raise exception 'The logo is a picture that was uploaded to this site' using errcode = '23514';
  end if;
  return new;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION private.luminance(_colour text)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select sum(weight * case when share <= 0.04045 then share / 12.92 else power((share + 0.055) / 1.055, 2.4) end)
  from (
    select weight, get_byte(decode(substr(_colour, at, 2), 'hex'), 0) / 255.0::double precision as share
    from (values (0.2126::double precision, 2), (0.7152, 4), (0.0722, 6)) as channel (weight, at)
  ) as channels
$function$;

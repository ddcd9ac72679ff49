-- The owner's accent colour and logo, shown in all pages, mails and sharing images. Invalid values are rejected.

-- As in app/settings/brand/accent.ts: contrast of 4.5 to 1 on the darkest background of the light theme.
create function private.guard_brand_accent() returns trigger language plpgsql set search_path = '' as $$
begin
  if new.setting_value = '' then
    return new;
  end if;
  if new.setting_value !~ '^#[0-9a-f]{6}$' then
    raise exception 'The accent colour must have the format #rrggbb' using errcode = '23514';
  end if;
  if (private.luminance('#f0ece4') + 0.05) / (private.luminance(new.setting_value) + 0.05) < 4.5 then
    raise exception 'The accent colour is too light: text needs a contrast ratio of at least 4.5:1' using errcode = '23514';
  end if;
  return new;
end
$$;

create function private.guard_brand_logo() returns trigger language plpgsql set search_path = '' as $$
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
    raise exception 'The logo must be a picture that was uploaded to this site' using errcode = '23514';
  end if;
  return new;
end
$$;

-- Relative luminance of a colour, #rrggbb, by WCAG 2.
create function private.luminance(_colour text) returns double precision language sql immutable set search_path = '' as $$
  select sum(weight * case when share <= 0.04045 then share / 12.92 else power((share + 0.055) / 1.055, 2.4) end)
  from (
    select weight, get_byte(decode(substr(_colour, at, 2), 'hex'), 0) / 255.0::double precision as share
    from (values (0.2126::double precision, 2), (0.7152, 4), (0.0722, 6)) as channel (weight, at)
  ) as channels
$$;
grant execute on function private.luminance to authenticated, service_role;

-- A logo must be an uploaded file, so that SVGs are sanitised.
create function private.is_brand_picture(_picture jsonb) returns boolean language sql immutable set search_path = '' as $$
  select coalesce(
    jsonb_typeof(_picture) = 'object'
    and _picture ->> 'address' ~ '^(https?://[A-Za-z0-9.:-]+)?/storage/v1/object/public/content-media/[A-Za-z0-9_./%-]+$'
    and _picture ->> 'address' !~ '\.\.'
    and jsonb_typeof(_picture -> 'width') = 'number' and jsonb_typeof(_picture -> 'height') = 'number',
    false
  )
$$;
grant execute on function private.is_brand_picture to authenticated, service_role;

create trigger guard_brand_accent before insert or update on public.site_settings
  for each row when (new.setting_key = 'brand_accent') execute function private.guard_brand_accent();
create trigger guard_brand_logo before insert or update on public.site_settings
  for each row when (new.setting_key = 'brand_logo') execute function private.guard_brand_logo();

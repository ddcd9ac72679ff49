-- Booking is off until an admin saves weekly hours, and while the booking section links a scheduling page of another
-- provider.

-- Weekly hours for calls, in the time zone of booking_rules.
create table public.availability (
  id uuid primary key default gen_random_uuid(),
  -- ISO 8601: 1 is Monday, 7 is Sunday.
  weekday smallint not null check (weekday between 1 and 7),
  starts_at time without time zone not null,
  -- Up to 24:00.
  ends_at time without time zone not null,
  check (ends_at > starts_at)
);
grant select on public.availability to authenticated;
grant all on public.availability to service_role;
alter table public.availability enable row level security;
create policy "Admins read the hours for calls" on public.availability for select to authenticated
  using ((select private.is_admin()));

-- Has only one row, because weekly hours in several time zones could not be shown together.
create table public.booking_rules (
  id boolean primary key default true check (id),
  time_zone text not null default 'Europe/Oslo' check (length(time_zone) between 1 and 64),
  -- Minimum time between booking and call.
  notice_minutes integer not null default 720 check (notice_minutes between 0 and 43200),
  days_ahead integer not null default 30 check (days_ahead between 1 and 365),
  length_minutes integer not null default 30 check (length_minutes between 10 and 480),
  -- Place of the call, as visitors read it: 'We call you', or the URL of a video room.
  place text not null default '' check (length(place) <= 300),
  updated_at timestamptz not null default now()
    constraint booking_rules_updated_at_calendar check (updated_at between '1900-01-01' and '2999-12-31')
);
grant select on public.booking_rules to authenticated;
grant all on public.booking_rules to service_role;
alter table public.booking_rules enable row level security;
create policy "Admins read the rules for calls" on public.booking_rules for select to authenticated
  using ((select private.is_admin()));

-- Days, or parts of days, without calls. In the time zone of booking_rules.
create table public.booking_exceptions (
  id uuid primary key default gen_random_uuid(),
  first_day date not null
    constraint booking_exceptions_first_day_calendar check (first_day between '1900-01-01' and '2999-12-31'),
  last_day date not null constraint booking_exceptions_last_day_calendar check (last_day between '1900-01-01' and '2999-12-31'),
  -- Default: the whole day.
  starts_at time without time zone not null default '00:00:00'::time without time zone,
  ends_at time without time zone not null default '24:00:00'::time without time zone,
  note text not null default '' check (length(note) <= 200),
  check (last_day + ends_at > first_day + starts_at)
);
grant select, insert, delete on public.booking_exceptions to authenticated;
grant all on public.booking_exceptions to service_role;
alter table public.booking_exceptions enable row level security;
create policy "Admins read days without calls" on public.booking_exceptions for select to authenticated
  using ((select private.is_admin()));
create policy "Admins add days without calls" on public.booking_exceptions for insert to authenticated
  with check ((select private.is_admin()));
create policy "Admins remove days without calls" on public.booking_exceptions for delete to authenticated
  using ((select private.is_admin()));

-- Replaces the weekly hours and rules. `_hours`: [{"weekday": 1, "starts_at": "09:00", "ends_at": "16:00"}]. Without
-- hours, booking is off. Existing bookings stay.
create function public.save_availability(
  _hours jsonb, _time_zone text, _notice_minutes integer, _days_ahead integer, _length_minutes integer, _place text
) returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  if jsonb_typeof(_hours) is distinct from 'array' or jsonb_array_length(_hours) > 100 then
    raise exception 'Weekly hours can have at most 100 entries.' using errcode = '22023';
  end if;
  if not private.is_time_zone(_time_zone) then
    raise exception 'Unknown time zone: %', left(_time_zone, 64) using errcode = '22023';
  end if;
  if _notice_minutes is null or _notice_minutes not between 0 and 43200 then
    raise exception 'The minimum notice must be between 0 minutes and 30 days.' using errcode = '22023';
  end if;
  if _days_ahead is null or _days_ahead not between 1 and 365 then
    raise exception 'Calls can be booked 1 to 365 days ahead.' using errcode = '22023';
  end if;
  if _length_minutes is null or _length_minutes not between 10 and 480 then
    raise exception 'A call must last between 10 minutes and 8 hours.' using errcode = '22023';
  end if;
  if length(_place) > 300 then
    raise exception 'The place must have at most 300 characters.' using errcode = '22023';
  end if;
  update public.booking_rules set time_zone = _time_zone, notice_minutes = _notice_minutes, days_ahead = _days_ahead,
    length_minutes = _length_minutes, place = coalesce(trim(_place), ''), updated_at = now()
    where true;
  delete from public.availability where true;
  insert into public.availability (weekday, starts_at, ends_at)
    select weekday, starts_at, ends_at
    from jsonb_to_recordset(_hours) as hours (weekday smallint, starts_at time, ends_at time);
  if exists (
    select from public.availability as one join public.availability as other
      on one.id <> other.id and one.weekday = other.weekday
      and one.starts_at < other.ends_at and other.starts_at < one.ends_at
  ) then
    raise exception 'Two of the hours on the same day overlap.' using errcode = '22023';
  end if;
end
$$;
grant execute on function public.save_availability to authenticated, service_role;

create function private.update_booking_setting() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.site_settings (setting_key) values ('booking')
    on conflict (setting_key) do update set setting_value = excluded.setting_value
    where site_settings.setting_value <> excluded.setting_value;
  return null;
end
$$;

create function private.publish_booking_zone() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.site_settings (setting_key) values ('site_time_zone')
    on conflict (setting_key) do update set setting_value = excluded.setting_value
    where site_settings.setting_value <> excluded.setting_value;
  return null;
end
$$;

create function private.set_booking_zone() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  new.setting_value := coalesce((select time_zone from public.booking_rules limit 1), 'Europe/Oslo');
  return new;
end
$$;

create function private.set_booking_status() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.setting_value := case
    when exists (select from public.availability) and not private.has_scheduling_page() then 'on' else 'off'
  end;
  return new;
end
$$;

create function private.has_scheduling_page() returns boolean language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.page_content
    where page_slug = 'home' and section_name = 'booking' and content ~* 'calendlyPlaceholder"\s*:\s*"\s*https://'
  )
$$;

create trigger set_booking_status before insert or update on public.site_settings
  for each row when (new.setting_key = 'booking') execute function private.set_booking_status();

create trigger update_booking_setting after insert or update or delete or truncate on public.availability
  for each statement execute function private.update_booking_setting();

create trigger update_booking_setting after insert or update or delete or truncate on public.page_content
  for each statement execute function private.update_booking_setting();

create trigger set_booking_zone before insert or update on public.site_settings
  for each row when (new.setting_key = 'site_time_zone') execute function private.set_booking_zone();

create trigger publish_booking_zone after insert or delete or update of time_zone on public.booking_rules
  for each row execute function private.publish_booking_zone();

-- Which times are free. Zones and their summer time are Postgres's own data. Times lie on a grid that begins with each of
-- the hours, in elapsed time: on the day on which clocks change there are as many calls as there are hours.

-- The times of the weekly hours that begin in [_from, _to), whether they are free or not.
create function private.offered_times(_from timestamptz, _to timestamptz)
  returns table (starts_at timestamptz, ends_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select distinct time.starts_at, time.starts_at + length
  from public.booking_rules as rules
    cross join lateral (select make_interval(mins => length_minutes)) as call (length)
    cross join lateral generate_series(
      ((_from at time zone time_zone)::date - 1)::timestamp, (_to at time zone time_zone)::date::timestamp, '1 day'
    ) as days (day)
    join public.availability as hours on hours.weekday = extract(isodow from day)
    cross join lateral generate_series(
      (day::date + hours.starts_at) at time zone time_zone,
      (day::date + hours.ends_at) at time zone time_zone - length,
      length
    ) as time (starts_at)
  where time.starts_at >= _from and time.starts_at < _to
$$;
revoke all on function private.offered_times(timestamptz, timestamptz) from public;

-- Whether nothing stands in the way of a call: no other call than `_but`, no day off, no calendar.
create function private.is_free(_slot tstzrange, _but uuid default null) returns boolean
language sql stable security definer set search_path = ''
as $$
  select not exists (
    select from public.bookings where slot && _slot and state = 'booked' and id is distinct from _but
  ) and not exists (
    select from public.booking_busy where during && _slot
  ) and not exists (
    select from public.booking_exceptions, public.booking_rules
    where tstzrange(
      (first_day + starts_at) at time zone time_zone,
      -- A day may begin later than it ends where clocks change.
      greatest((first_day + starts_at) at time zone time_zone, (last_day + ends_at) at time zone time_zone)
    ) && _slot
  )
$$;
revoke all on function private.is_free(tstzrange, uuid) from public;

-- The times that can be booked at `_now` and begin in [_from, _to).
create function private.bookable_times(_from timestamptz, _to timestamptz, _now timestamptz, _but uuid default null)
  returns table (starts_at timestamptz, ends_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select time.starts_at, time.ends_at
  from public.booking_rules, lateral private.offered_times(
    greatest(_from, _now + make_interval(mins => notice_minutes)),
    least(_to, _now + make_interval(days => days_ahead))
  ) as time
  where private.is_free(tstzrange(time.starts_at, time.ends_at), _but)
  order by 1
$$;
revoke all on function private.bookable_times(timestamptz, timestamptz, timestamptz, uuid) from public;

-- For everybody. At most 62 days at once.
create function public.free_slots(_from timestamptz, _to timestamptz)
  returns table (starts_at timestamptz, ends_at timestamptz)
language plpgsql stable security definer set search_path = ''
as $$
begin
  if _from is null or _to is null or not isfinite(_from) or not isfinite(_to) or _to <= _from then
    raise exception 'Please ask for the time between two moments.' using errcode = '22023';
  end if;
  if _to - _from > interval '62 days' then
    raise exception 'Please ask for at most 62 days at once.' using errcode = '22023';
  end if;
  return query select * from private.bookable_times(_from, _to, now());
end
$$;
revoke all on function public.free_slots(timestamptz, timestamptz) from public, anon, authenticated;
grant execute on function public.free_slots(timestamptz, timestamptz) to anon, authenticated, service_role;

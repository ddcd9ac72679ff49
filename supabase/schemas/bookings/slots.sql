-- Times are spaced by elapsed time from the start of each row of hours, so that a day with a clock change has as many
-- calls as hours.

-- Public. At most 62 days per call.
create function public.free_slots(_from timestamptz, _to timestamptz) returns table (starts_at timestamptz, ends_at timestamptz)
language plpgsql stable security definer set search_path = '' as $$
declare
  _held constant tstzrange[] := array(select private.held_slots());
begin
  if _from is null or _to is null or not isfinite(_from) or not isfinite(_to) or _to <= _from then
    raise exception 'The end of the period must be after its start.' using errcode = '22023';
  end if;
  if _to - _from > interval '62 days' then
    raise exception 'A request can cover at most 62 days.' using errcode = '22023';
  end if;
  return query
    select time.starts_at, time.ends_at from private.bookable_times(_from, _to, now()) as time
    where not tstzrange(time.starts_at, time.ends_at) && any (_held);
end
$$;
grant execute on function public.free_slots to anon, authenticated, service_role;

-- Lists the times in [_from, _to) that can be booked at `_now`.
create function private.bookable_times(
  _from timestamptz, _to timestamptz, _now timestamptz, _except uuid default null
) returns table (
  starts_at timestamptz, ends_at timestamptz
) language sql stable security definer set search_path = '' as $$
  select time.starts_at, time.ends_at
  from public.booking_rules, lateral private.offered_times(
    greatest(_from, _now + make_interval(mins => notice_minutes)),
    least(_to, _now + make_interval(days => days_ahead))
  ) as time
  where private.is_setting_on('booking') and private.is_slot_free(tstzrange(time.starts_at, time.ends_at), _except)
  order by 1
$$;

-- Estimates the number of offered times from the weekly hours, ignoring days off.
create function private.count_offered_times() returns integer language sql stable security definer set search_path = '' as $$
  select coalesce(floor(
    extract(epoch from sum(ends_at - starts_at)) / 60 / min(length_minutes) * min(days_ahead) / 7
  ), 0)::integer
  from public.availability, public.booking_rules
$$;

-- Lists the times of the weekly hours that begin in [_from, _to), free or not.
create function private.offered_times(_from timestamptz, _to timestamptz) returns table (
  starts_at timestamptz, ends_at timestamptz
) language sql stable security definer set search_path = '' as $$
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

-- Returns true if the time is free of calls (except `_except`), days off and busy calendars.
create function private.is_slot_free(_slot tstzrange, _except uuid default null) returns boolean
language sql stable security definer set search_path = '' as $$
  select not exists (
    select from public.bookings where slot && _slot and state = 'booked' and id is distinct from _except
  ) and not exists (
    select from public.booking_busy where during && _slot
  ) and not exists (
    select from public.booking_exceptions, public.booking_rules
    where tstzrange(
      (first_day + starts_at) at time zone time_zone,
      -- On clock changes a day may start after it ends.
      greatest((first_day + starts_at) at time zone time_zone, (last_day + ends_at) at time zone time_zone)
    ) && _slot
  )
$$;

-- Checks that a time can be booked. Throws like book().
create function private.require_bookable_time(_starts_at timestamptz, _except uuid default null) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  _rules public.booking_rules := (select rules from public.booking_rules as rules);
  _slot tstzrange;
begin
  if not private.is_setting_on('booking') then
    raise exception 'Calls cannot be booked here at the moment.' using errcode = '22023';
  end if;
  if _starts_at is null or not isfinite(_starts_at) then
    raise exception 'Please choose a time.' using errcode = '22023';
  end if;
  if _starts_at <= now() then
    raise exception 'This time has passed. Please choose another.' using errcode = '22023';
  end if;
  if _starts_at < now() + make_interval(mins => _rules.notice_minutes) then
    raise exception 'This time is too soon. Please choose a later one.' using errcode = '22023';
  end if;
  if _starts_at >= now() + make_interval(days => _rules.days_ahead) then
    raise exception 'This time is too far ahead. Calls can be booked at most % days ahead.', _rules.days_ahead
      using errcode = '22023';
  end if;
  _slot := (
    select tstzrange(starts_at, ends_at)
    from private.offered_times(_starts_at, _starts_at + interval '1 microsecond')
  );
  if _slot is null then
    raise exception 'No call can start at this time. Please choose one of the available times.' using errcode = '22023';
  end if;
  if not private.is_slot_free(_slot, _except) then
    raise sqlstate 'PT409' using message = 'This time was just taken. Please choose another.';
  end if;
end
$$;

-- Lists the held times that are not offered to other visitors: the oldest, up to a quarter of all times, so that holds
-- alone cannot block every time.
create function private.held_slots() returns setof tstzrange language sql stable security definer set search_path = '' as $$
  select slot from private.held_bookings where expires_at > now()
  order by expires_at limit private.count_offered_times() / 4
$$;

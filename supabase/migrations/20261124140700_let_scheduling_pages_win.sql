-- An https address of a scheduling page in the booking section wins over our own calls, whatever hours are saved: then the
-- setting says off, and nothing is offered or booked here.

create function private.has_scheduling_page() returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.page_content
    where page_slug = 'home' and section_name = 'booking' and content ~* 'calendlyPlaceholder"\s*:\s*"\s*https://'
  )
$$;
revoke all on function private.has_scheduling_page() from public;

create or replace function private.state_whether_booking_is_on() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.setting_value := case
    when exists (select from public.availability) and not private.has_scheduling_page() then 'on' else 'off'
  end;
  return new;
end
$$;

create trigger switch_booking after insert or update or delete or truncate on public.page_content
  for each statement execute function private.switch_booking();

create or replace function private.bookable_times(
  _from timestamptz, _to timestamptz, _now timestamptz, _but uuid default null
) returns table (starts_at timestamptz, ends_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select time.starts_at, time.ends_at
  from public.booking_rules, lateral private.offered_times(
    greatest(_from, _now + make_interval(mins => notice_minutes)),
    least(_to, _now + make_interval(days => days_ahead))
  ) as time
  where private.is_on('booking') and private.is_free(tstzrange(time.starts_at, time.ends_at), _but)
  order by 1
$$;

create or replace function private.refuse_time(_starts_at timestamptz, _but uuid default null) returns void
language plpgsql stable security definer set search_path = ''
as $$
declare
  _rules public.booking_rules := (select rules from public.booking_rules as rules);
  _slot tstzrange;
begin
  if not private.is_on('booking') then
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
    raise exception 'This time is too far ahead. Calls are booked at most % days ahead.', _rules.days_ahead
      using errcode = '22023';
  end if;
  _slot := (
    select tstzrange(starts_at, ends_at)
    from private.offered_times(_starts_at, _starts_at + interval '1 microsecond')
  );
  if _slot is null then
    raise exception 'No call begins at this time. Please choose one of the free times.' using errcode = '22023';
  end if;
  if not private.is_free(_slot, _but) then
    raise sqlstate 'PT409' using message = 'This time was just taken. Please choose another.';
  end if;
end
$$;

-- For the owner's own programs, too.
grant execute on function public.save_availability(jsonb, text, integer, integer, integer, text) to service_role;

create or replace function private.raise_alarm(_client_id uuid, _kind text, _subject text, _text text, _times integer) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  _was_open constant boolean := exists (
    select from public.client_alarms
    where client_id = _client_id and kind = _kind and subject = _subject and settled_at is null
  );
begin
  if not _was_open and 200 <= (
    select count(*) from public.client_alarms where client_id = _client_id and kind = _kind and settled_at is null
  ) then
    _subject := 'more';
    _text := 'There are more alarms of this kind than are listed. Dismiss some to see the others.';
  end if;
  insert into public.client_alarms as former (client_id, kind, subject, text, times)
  values (_client_id, _kind, left(_subject, 400), left(_text, 2000), _times)
  on conflict (client_id, kind, subject) do update set
    times = former.times + excluded.times, text = excluded.text, latest_at = now(), settled_at = null, settled_by = null;
  return not _was_open and _subject <> 'more';
end
$$;

create or replace function public.save_availability(
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

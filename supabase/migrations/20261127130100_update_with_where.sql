-- A hosted project refuses an update of all rows that does not say so, also inside of functions (pg-safeupdate, in every
-- session of the table API). Both are as they were but for that.

create or replace function public.save_availability(
  _hours jsonb, _time_zone text, _notice_minutes integer, _days_ahead integer, _length_minutes integer, _place text
) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  if jsonb_typeof(_hours) is distinct from 'array' or jsonb_array_length(_hours) > 100 then
    raise exception 'The hours are a list of at most 100 entries.' using errcode = '22023';
  end if;
  if not private.is_time_zone(_time_zone) then
    raise exception 'This time zone is not known: %', left(_time_zone, 64) using errcode = '22023';
  end if;
  if _notice_minutes is null or _notice_minutes not between 0 and 43200 then
    raise exception 'The notice is 0 minutes to 30 days.' using errcode = '22023';
  end if;
  if _days_ahead is null or _days_ahead not between 1 and 365 then
    raise exception 'Calls are booked 1 to 365 days ahead.' using errcode = '22023';
  end if;
  if _length_minutes is null or _length_minutes not between 10 and 480 then
    raise exception 'A call takes 10 minutes to 8 hours.' using errcode = '22023';
  end if;
  if length(_place) > 300 then
    raise exception 'The place has at most 300 characters.' using errcode = '22023';
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
    raise exception 'Two of the hours of a day overlap.' using errcode = '22023';
  end if;
end
$$;

create or replace function public.renew_lead_webhook_secret() returns text
language plpgsql security definer set search_path = ''
as $$
declare
  _secret text;
begin
  perform private.require_admin();
  perform private.refuse_applications();
  update private.lead_webhook_secret set secret = private.new_webhook_secret() where true returning secret into _secret;
  return _secret;
end
$$;

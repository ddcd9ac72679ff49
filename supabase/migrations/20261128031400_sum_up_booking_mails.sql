-- A call is moved five times. The owner gets twenty notices an hour, a visitor ten mails; what comes on top waits until the
-- hour is over: the owner then gets one summary, a visitor the last state of each call.

-- When the hour of a count ends.
create function private.count_ends_at(kind text, subject_name text) returns timestamptz
language sql stable security definer set search_path = ''
as $$
  select coalesce((
    select expires_at from private.chat_counts, private.chat_salt
    where subject = encode(sha256(convert_to(salt || kind || ' of ' || subject_name, 'UTF8')), 'hex')
  ), now())
$$;
revoke all on function private.count_ends_at(text, text) from public;

-- Tells the owner of a change: at once, or in the summary at the end of the hour, which names no visitor.
create function private.tell_owner_about_booking(_booking public.bookings, _change text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  _owner constant text := (
    select setting_value from public.site_settings
    where setting_key = 'contact_email' and private.is_email(setting_value)
  );
  _when constant text := private.time_in_words(_booking.slot, (select time_zone from public.booking_rules));
  _what constant text := case _change
    when 'confirmed' then 'A call was booked' when 'moved' then 'A call was moved' else 'A call was cancelled'
  end;
  _waiting bigint;
  _number integer;
begin
  if _owner is null then
    return;
  end if;
  if private.count_for_subject('booking notice', lower(_owner), 20, interval '1 hour') then
    insert into private.mail_queue (recipient, template, variables) values (
      _owner, 'booking_notice', jsonb_build_object(
        'Email', _booking.email, 'ReplyTo', _booking.email, 'Name', _booking.name, 'Phone', _booking.phone,
        'Message', _booking.message, 'Service', _booking.service, 'When', _when, 'Change', _what
      )
    );
    return;
  end if;
  select id, coalesce((variables ->> 'Count')::integer, 0) into _waiting, _number from private.mail_queue
    where template = 'booking_summary' and recipient = _owner and attempts = 0
    order by id desc limit 1 for update skip locked;
  _number := coalesce(_number, 0) + 1;
  if _waiting is null then
    insert into private.mail_queue (recipient, template, next_attempt_at)
      values (_owner, 'booking_summary', private.count_ends_at('booking notice', lower(_owner)))
      returning id into _waiting;
  end if;
  -- The first twenty are named, or a flood would make a long mail.
  update private.mail_queue set variables = variables || jsonb_build_object(
    'Email', _owner, 'Count', _number,
    'Change', case _number when 1 then 'one further change' else _number || ' further changes' end
  ) || case when _number <= 20 then jsonb_build_object(
    'Message', concat_ws(E'\n', variables ->> 'Message', _what || ': ' || _when)
  ) else '{}' end
  where id = _waiting;
end
$$;
revoke all on function private.tell_owner_about_booking(public.bookings, text) from public;

create or replace function private.tell_about_booking(_booking public.bookings, _change text, _token text default null)
returns void
language plpgsql security definer set search_path = ''
as $$
declare
  _variables constant jsonb := jsonb_build_object(
    'Email', _booking.email, 'Token', _token, 'When', private.time_in_words(_booking.slot, _booking.time_zone),
    'Place', (select place from public.booking_rules)
  );
  _is_late boolean;
begin
  if private.count_for_subject('booking mail', lower(_booking.email), 20, interval '1 day') then
    _is_late := not private.count_for_subject('hourly booking mail', lower(_booking.email), 10, interval '1 hour');
    if _is_late then
      delete from private.mail_queue
        where template in ('booking_confirmed', 'booking_moved', 'booking_cancelled') and next_attempt_at > now()
          and attempts = 0 and variables -> 'Calendar' ->> 'uid' = _booking.id::text;
    end if;
    insert into private.mail_queue (recipient, template, variables, next_attempt_at) values (
      _booking.email, 'booking_' || _change, _variables || jsonb_build_object(
        'Calendar', private.calendar_event(_booking, case when _change = 'cancelled' then 'CANCEL' else 'REQUEST' end)
      ),
      case when _is_late then private.count_ends_at('hourly booking mail', lower(_booking.email)) else now() end
    );
  end if;
  perform private.tell_owner_about_booking(_booking, _change);
  delete from private.mail_queue where id = _booking.reminder_mail_id;
  -- The queue keeps it until its time, so that it is sent once, whatever restarts meanwhile.
  if _change <> 'cancelled' and lower(_booking.slot) - interval '24 hours' > now() then
    with reminder as (
      insert into private.mail_queue (recipient, template, variables, next_attempt_at)
      values (_booking.email, 'booking_reminder', _variables, lower(_booking.slot) - interval '24 hours')
      returning id
    )
    update public.bookings set reminder_mail_id = (select id from reminder) where id = _booking.id;
  end if;
end
$$;

create or replace function public.move_booking(_token text, _starts_at timestamptz) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  _booking public.bookings := private.open_booking(_token);
begin
  if _starts_at = _booking.starts_at then
    raise exception 'Your call is at this time already.' using errcode = '22023';
  end if;
  if _booking.sequence >= 5 then
    raise sqlstate 'PT429' using
      message = 'This call was moved five times. Please write to us, and we find a time together.';
  end if;
  perform private.refuse_time(_starts_at, _booking.id);
  begin
    update public.bookings
      set slot = tstzrange(_starts_at, _starts_at + (
          select make_interval(mins => length_minutes) from public.booking_rules
        )), sequence = sequence + 1, updated_at = now()
      where id = _booking.id returning * into _booking;
  exception when exclusion_violation then
    raise sqlstate 'PT409' using message = 'This time was just taken. Please choose another.';
  end;
  perform private.tell_about_booking(_booking, 'moved', _token);
  return private.booking_as_told(_booking);
end
$$;

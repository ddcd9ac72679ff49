-- Visitors book, move and cancel a call. Every act ends in mails, queued in the same transaction (docs/decisions/0003).

-- Bookings are made one after the other. Many at once for one time would otherwise wait for each other in the exclusion
-- constraint, which Postgres ends as a deadlock.
create function private.lock_bookings() returns void
language sql set search_path = ''
as $$ select pg_advisory_xact_lock(hashtext('private.bookings')) $$;
revoke all on function private.lock_bookings() from public;

-- Two uuids: 244 random bits.
create function private.new_booking_token() returns text
language sql volatile set search_path = ''
as $$ select replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '') $$;
revoke all on function private.new_booking_token() from public;

create function private.booking_token_hash(_token text) returns text
language sql immutable set search_path = ''
as $$ select encode(sha256(convert_to(_token, 'UTF8')), 'hex') $$;
revoke all on function private.booking_token_hash(text) from public;

-- As mails name a time: Tuesday 24 November 2026, 10:00 to 10:30 (Europe/Oslo)
create function private.time_in_words(_slot tstzrange, _zone text) returns text
language sql stable set search_path = ''
as $$
  select to_char(lower(_slot) at time zone _zone, 'FMDay FMDD FMMonth YYYY, HH24:MI') || ' to '
    || to_char(upper(_slot) at time zone _zone, 'HH24:MI') || ' (' || _zone || ')'
$$;
revoke all on function private.time_in_words(tstzrange, text) from public;

-- Lets a time pass that can be booked. @throws why it cannot, as book()
create function private.refuse_time(_starts_at timestamptz, _but uuid default null) returns void
language plpgsql stable security definer set search_path = ''
as $$
declare
  _rules public.booking_rules := (select rules from public.booking_rules as rules);
  _slot tstzrange;
begin
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
revoke all on function private.refuse_time(timestamptz, uuid) from public;

-- What calendar programs are told: of `_method` REQUEST or CANCEL (RFC 5546). The backend makes the file of it.
create function private.calendar_event(_booking public.bookings, _method text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'method', _method, 'uid', _booking.id, 'sequence', _booking.sequence, 'starts_at', lower(_booking.slot),
    'ends_at', upper(_booking.slot), 'place', (select place from public.booking_rules), 'attendee', _booking.email,
    'organizer', (select setting_value from public.site_settings where setting_key = 'contact_email')
  )
$$;
revoke all on function private.calendar_event(public.bookings, text) from public;

-- Tells the visitor and the owner. Nothing that a visitor wrote goes to the visitor's address, because it need not be
-- theirs. `_token` null: without the link to move or cancel.
create function private.tell_about_booking(_booking public.bookings, _change text, _token text default null)
  returns void
language plpgsql security definer set search_path = ''
as $$
declare
  _place constant text := (select place from public.booking_rules);
  _own_zone constant text := (select time_zone from public.booking_rules);
  _owner constant text := (
    select setting_value from public.site_settings
    where setting_key = 'contact_email' and private.is_email(setting_value)
  );
  _variables constant jsonb := jsonb_build_object(
    'Email', _booking.email, 'Token', _token, 'When', private.time_in_words(_booking.slot, _booking.time_zone),
    'Place', _place
  );
begin
  insert into private.mail_queue (recipient, template, variables) values (
    _booking.email, 'booking_' || _change, _variables || jsonb_build_object(
      'Calendar', private.calendar_event(_booking, case when _change = 'cancelled' then 'CANCEL' else 'REQUEST' end)
    )
  );
  if _owner is not null then
    insert into private.mail_queue (recipient, template, variables) values (
      _owner, 'booking_notice', jsonb_build_object(
        'Email', _booking.email, 'ReplyTo', _booking.email, 'Name', _booking.name, 'Phone', _booking.phone,
        'Message', _booking.message, 'Service', _booking.service,
        'When', private.time_in_words(_booking.slot, _own_zone), 'Change', case _change
          when 'confirmed' then 'A call was booked' when 'moved' then 'A call was moved' else 'A call was cancelled'
        end
      )
    );
  end if;
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
revoke all on function private.tell_about_booking(public.bookings, text, text) from public;

-- What whoever holds the token is told.
create function private.booking_as_told(_booking public.bookings) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'starts_at', lower(_booking.slot), 'ends_at', upper(_booking.slot), 'state', _booking.state,
    'time_zone', _booking.time_zone, 'service', _booking.service, 'place', (select place from public.booking_rules)
  )
$$;
revoke all on function private.booking_as_told(public.bookings) from public;

-- A text of one line, trimmed. @throws a sentence that names the field
create function private.line_of(_label text, _text text, _most integer) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  if length(trim(_text)) > _most then
    raise exception '% must be less than % characters', _label, _most using errcode = '22023';
  end if;
  if _text ~ '[[:cntrl:]]' then
    raise exception '% must be one line of text', _label using errcode = '22023';
  end if;
  return coalesce(trim(_text), '');
end
$$;
revoke all on function private.line_of(text, text, integer) from public;

-- How much strangers may book: an address 5 calls an hour, one e-mail address 3 calls to come and 6 a day, the site 300 a
-- day. Each booking sends mails to an address that need not be the visitor's.
create function private.limit_bookings(_email text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.count_for_address('booking', private.client_address(), 5, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'You have booked several calls. Please wait an hour, or write to us.';
  end if;
  if (
    select count(*) >= 3 from public.bookings
    where lower(email) = lower(_email) and state = 'booked' and ends_at > now()
  ) then
    raise sqlstate 'PT429' using
      message = 'Three calls are booked with this address already. Move or cancel one of them with the link in its mail.';
  end if;
  if (
    select count(*) >= 6 from public.bookings
    where lower(email) = lower(_email) and created_at > now() - interval '1 day'
  ) then
    raise sqlstate 'PT429' using
      message = 'Many calls were booked with this address today. Please try again tomorrow, or write to us.';
  end if;
  if (select count(*) >= 300 from public.bookings where created_at > now() - interval '1 day') then
    raise sqlstate 'PT429' using message = 'No more calls can be booked today. Please write to us.';
  end if;
end
$$;
revoke all on function private.limit_bookings(text) from public;

-- Books a call for a visitor. `_time_zone` is theirs; one that is not known becomes the site's.
-- @returns what booking_as_told() gives, and the token, which is told here and in the mails only
-- @throws PT409 taken meanwhile, PT429 a limit, 22023 what was entered, each with a sentence for the visitor
create function public.book(
  _starts_at timestamptz, _name text, _email text, _phone text default '', _message text default '',
  _service text default '', _time_zone text default ''
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  _rules public.booking_rules := (select rules from public.booking_rules as rules);
  _token constant text := private.new_booking_token();
  _visitor text := private.line_of('Name', _name, 100);
  _address text := private.line_of('Email', _email, 255);
  _booking public.bookings;
begin
  if _visitor = '' then
    raise exception 'Name is required' using errcode = '22023';
  end if;
  if not private.is_email(_address) then
    raise exception 'Invalid email address' using errcode = '22023';
  end if;
  if length(_message) > 1000 then
    raise exception 'Message must be less than 1000 characters' using errcode = '22023';
  end if;
  if trim(_phone) !~ '^[0-9+()./ -]{0,40}$' then
    raise exception 'Enter a phone number with digits, such as +47 22 00 00 00.' using errcode = '22023';
  end if;
  if not exists (select from public.availability) then
    raise exception 'Calls cannot be booked here at the moment.' using errcode = '22023';
  end if;
  perform private.lock_bookings();
  perform private.refuse_time(_starts_at);
  perform private.limit_bookings(_address);
  begin
    insert into public.bookings (slot, name, email, phone, message, service, time_zone, token_hash) values (
      tstzrange(_starts_at, _starts_at + make_interval(mins => _rules.length_minutes)), _visitor, _address,
      coalesce(trim(_phone), ''), coalesce(trim(_message), ''), private.line_of('Service', _service, 200),
      case when private.is_time_zone(_time_zone) then _time_zone else _rules.time_zone end,
      private.booking_token_hash(_token)
    ) returning * into _booking;
  exception when exclusion_violation then
    raise sqlstate 'PT409' using message = 'This time was just taken. Please choose another.';
  end;
  perform private.tell_about_booking(_booking, 'confirmed', _token);
  return private.booking_as_told(_booking) || jsonb_build_object('token', _token);
end
$$;
revoke all on function public.book(timestamptz, text, text, text, text, text, text) from public, anon, authenticated;
grant execute on function public.book(timestamptz, text, text, text, text, text, text)
  to anon, authenticated, service_role;

-- The booking of a token. @throws when there is none
create function private.booking_of(_token text) returns public.bookings
language plpgsql stable security definer set search_path = ''
as $$
declare
  _booking public.bookings;
begin
  select * into _booking from public.bookings where token_hash = private.booking_token_hash(coalesce(_token, ''));
  if not found then
    raise exception 'There is no such booking. It may have been deleted.' using errcode = 'P0002';
  end if;
  return _booking;
end
$$;
revoke all on function private.booking_of(text) from public;

create function public.read_booking(_token text) returns jsonb
language sql stable security definer set search_path = ''
as $$ select private.booking_as_told(private.booking_of(_token)) $$;
revoke all on function public.read_booking(text) from public, anon, authenticated;
grant execute on function public.read_booking(text) to anon, authenticated, service_role;

-- A call that can still be moved or cancelled, locked until the end of the transaction.
create function private.open_booking(_token text) returns public.bookings
language plpgsql security definer set search_path = ''
as $$
declare
  _booking public.bookings;
begin
  perform private.lock_bookings();
  _booking := private.booking_of(_token);
  if _booking.state = 'cancelled' then
    raise exception 'This call is cancelled already.' using errcode = '22023';
  end if;
  if _booking.starts_at <= now() then
    raise exception 'This call has begun already.' using errcode = '22023';
  end if;
  return _booking;
end
$$;
revoke all on function private.open_booking(text) from public;

-- @returns what booking_as_told() gives @throws as book()
create function public.move_booking(_token text, _starts_at timestamptz) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  _booking public.bookings := private.open_booking(_token);
begin
  if _starts_at = _booking.starts_at then
    raise exception 'Your call is at this time already.' using errcode = '22023';
  end if;
  if _booking.sequence >= 10 then
    raise sqlstate 'PT429' using
      message = 'This call was moved many times. Please cancel it and book another, or write to us.';
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
revoke all on function public.move_booking(text, timestamptz) from public, anon, authenticated;
grant execute on function public.move_booking(text, timestamptz) to anon, authenticated, service_role;

create function private.cancel(_booking_id uuid, _by text) returns public.bookings
language plpgsql security definer set search_path = ''
as $$
declare
  _booking public.bookings;
begin
  update public.bookings set state = 'cancelled', cancelled_by = _by, sequence = sequence + 1, updated_at = now()
    where id = _booking_id and state = 'booked' returning * into _booking;
  if not found then
    raise exception 'This call is cancelled already.' using errcode = '22023';
  end if;
  perform private.tell_about_booking(_booking, 'cancelled');
  return _booking;
end
$$;
revoke all on function private.cancel(uuid, text) from public;

create function public.cancel_booking(_token text) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  _booking public.bookings := private.open_booking(_token);
begin
  return private.booking_as_told(private.cancel(_booking.id, 'visitor'));
end
$$;
revoke all on function public.cancel_booking(text) from public, anon, authenticated;
grant execute on function public.cancel_booking(text) to anon, authenticated, service_role;

-- By an admin; the visitor is told.
create function public.cancel_booking_of_visitor(_booking_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  perform private.lock_bookings();
  if not exists (select from public.bookings where id = _booking_id) then
    raise exception 'There is no such booking any more.' using errcode = 'P0002';
  end if;
  perform private.cancel(_booking_id, 'owner');
end
$$;
revoke all on function public.cancel_booking_of_visitor(uuid) from public, anon, authenticated;
grant execute on function public.cancel_booking_of_visitor(uuid) to authenticated, service_role;

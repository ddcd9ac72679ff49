-- Bookings of calls. Visitors call the functions below and cannot read the table. Each change queues its mails in the
-- same transaction. Unconfirmed calls may fill at most half of the offered times and 150 a day. Beyond that, the
-- visitor must confirm by a mailed link. A hold does not block a visitor with a verified address.
create table public.bookings (
  id uuid primary key default gen_random_uuid(),
  slot tstzrange not null check (lower_inc(slot) and not upper_inc(slot) and isfinite(lower(slot)) and isfinite(upper(slot))),
  starts_at timestamptz generated always as (lower(slot)) stored not null,
  ends_at timestamptz generated always as (upper(slot)) stored not null,
  name text not null check (length(name) between 1 and 100),
  email text not null check (length(email) between 3 and 255),
  phone text not null default '' check (phone ~ '^[0-9+()./ -]{0,40}$'),
  message text not null default '' check (length(message) <= 1000),
  -- Title of the service that the visitor chose.
  service text not null default '' check (length(service) <= 200),
  -- The visitor's time zone, for mails.
  time_zone text not null check (length(time_zone) between 1 and 64),
  state text not null default 'booked' check (state in ('booked', 'cancelled')),
  cancelled_by text check (cancelled_by in ('visitor', 'owner')),
  -- SHA-256 of the token that moves and cancels the booking. Only the visitor's mails contain the token.
  token_hash text not null unique check (token_hash ~ '^[0-9a-f]{64}$'),
  -- Number of changes (SEQUENCE of iCalendar).
  sequence integer not null default 0,
  -- The mail in private.mail_queue that reminds of the call the day before.
  reminder_mail_id bigint,
  created_at timestamptz not null default now()
    constraint bookings_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  updated_at timestamptz not null default now()
    constraint bookings_updated_at_calendar check (updated_at between '1900-01-01' and '2999-12-31'),
  is_verified boolean not null default false,
  constraint bookings_do_not_overlap exclude using gist (slot with &&) where (state = 'booked'),
  check ((state = 'cancelled') = (cancelled_by is not null))
);
create index bookings_time_idx on public.bookings (starts_at);
create index bookings_email_idx on public.bookings (lower(email), created_at);
create index bookings_created_idx on public.bookings (created_at);
grant all on public.bookings to service_role;
grant
  select (id, starts_at, ends_at, name, email, phone, message, service, time_zone, state, cancelled_by, sequence, created_at,
  updated_at) on public.bookings to authenticated;
alter table public.bookings enable row level security;
comment on column public.bookings.is_verified is 'True if the visitor confirmed the booking with the link in an email.';

create policy "Admins read bookings" on public.bookings for select to authenticated using ((select private.is_admin()));
create policy "Team members read the calls of their leads" on public.bookings for select to authenticated
  using (
    (select private.is_team())
    and lower(email) in (
      select lower(lead.email) from public.leads as lead
      where lead.owner_id = (select private.user_id()) and lead.email <> ''
    )
  );

create trigger make_lead_of_booking after insert on public.bookings
  for each row execute function private.make_lead_of_booking();

create table private.held_bookings (
  token_hash text primary key check (token_hash ~ '^[0-9a-f]{64}$'),
  slot tstzrange not null,
  -- The future row of public.bookings.
  call jsonb not null check (jsonb_typeof(call) = 'object'),
  expires_at timestamptz not null default (now() + '00:15:00')
);
create index held_bookings_expiry_idx on private.held_bookings (expires_at);
alter table private.held_bookings enable row level security;

-- Books a call for a visitor. An unknown `_time_zone` becomes the site's. Returns booking_details() and the token.
-- Throws PT409 if the time is taken, PT429 at a limit, 22023 for invalid input, each with a sentence for the visitor.
create function public.book(
  _starts_at timestamptz, _name text, _email text, _phone text default '', _message text default '', _service text default '',
  _time_zone text default ''
) returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  _token text := private.token_of_request('booking');
  _known public.bookings;
  _call public.bookings;
  _wants_proof boolean;
begin
  if _token is not null then
    perform private.lock_bookings();
    select * into _known from public.bookings where token_hash = private.booking_token_hash(_token);
    if _known.state = 'booked' and lower(_known.slot) = _starts_at then
      return private.booking_details(_known) || jsonb_build_object('token', _token);
    end if;
  end if;
  _call := private.new_booking(_starts_at, _name, _email, _phone, _message, _service, _time_zone);
  _wants_proof := private.is_booking_limit_reached() or _call.slot && any (array(select private.held_slots()));
  if _wants_proof and not private.use_captcha_proof() then
    raise sqlstate 'PT428' using
      message = 'Many calls are being booked right now. Please confirm your address with the link that we email you.',
      hint = 'Call hold_booking with the same values to send the link, or pass a captcha proof in the x-captcha-proof header.';
  end if;
  perform private.limit_bookings(_call.email);
  return private.save_booking(
    _call, case when _token is null or _known.id is not null then private.new_booking_token() else _token end, _wants_proof
  );
end
$$;
grant execute on function public.book to anon, authenticated, service_role;

-- Holds a time for 15 minutes and mails the link that books it.
create function public.hold_booking(
  _starts_at timestamptz, _name text, _email text, _phone text default '', _message text default '', _service text default '',
  _time_zone text default ''
) returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  _token constant text := private.new_booking_token();
  _call constant public.bookings :=
    private.new_booking(_starts_at, _name, _email, _phone, _message, _service, _time_zone);
  _held private.held_bookings;
begin
  perform private.limit_confirmation_mails(_call.email);
  perform private.limit_bookings_of(_call.email);
  insert into private.held_bookings (token_hash, slot, call)
    values (private.booking_token_hash(_token), _call.slot, jsonb_strip_nulls(to_jsonb(_call)))
    returning * into _held;
  -- Keeps the newest 1,000. Expired rows stay for an hour, so that their link can say that it has expired.
  delete from private.held_bookings where expires_at < now() - interval '1 hour' or token_hash in (
    select token_hash from private.held_bookings order by expires_at desc, token_hash offset 1000
  );
  insert into private.mail_queue (recipient, template, variables) values (_call.email, 'booking_proof', jsonb_build_object(
    'Email', _call.email, 'Token', _token, 'When', private.format_slot(_call.slot, _call.time_zone)
  ));
  return jsonb_build_object(
    'starts_at', lower(_call.slot), 'ends_at', upper(_call.slot), 'expires_at', _held.expires_at
  );
end
$$;
grant execute on function public.hold_booking to anon, authenticated, service_role;

-- Books a held call, or books it at `_starts_at` if the held time was taken. A repeated call returns the booking.
create function public.confirm_booking(_token text, _starts_at timestamptz default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  _held private.held_bookings;
  _call public.bookings;
  _start timestamptz;
begin
  perform private.lock_bookings();
  _held := private.held_booking_of(_token);
  if _held.token_hash is null then
    return private.booking_details(private.booking_of(_token)) || jsonb_build_object('token', _token);
  end if;
  _call := jsonb_populate_record(null::public.bookings, _held.call);
  _start := coalesce(_starts_at, lower(_held.slot));
  perform private.require_bookable_time(_start);
  perform private.limit_bookings_of(_call.email);
  _call.slot := (select tstzrange(_start, _start + make_interval(mins => length_minutes)) from public.booking_rules);
  -- Also deletes repeated requests of this address for the same time.
  delete from private.held_bookings where token_hash = _held.token_hash
    or (slot = _held.slot and lower(call ->> 'email') = lower(_call.email));
  return private.save_booking(_call, _token, true);
end
$$;
grant execute on function public.confirm_booking to anon, authenticated, service_role;

create function public.read_booking(_token text) returns jsonb language sql stable security definer set search_path = '' as $$
  select coalesce(
    private.held_booking_details(private.held_booking_of(_token)), private.booking_details(private.booking_of(_token))
  )
$$;
grant execute on function public.read_booking to anon, authenticated, service_role;

-- Returns booking_details(). Throws like book().
create function public.move_booking(_token text, _starts_at timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  _booking public.bookings := private.lock_active_booking(_token);
begin
  if _starts_at = _booking.starts_at then
    raise exception 'Your call is already at this time.' using errcode = '22023';
  end if;
  if _booking.sequence >= 5 then
    raise sqlstate 'PT429' using
      message = 'This call has been moved five times. Please write to us to find another time.';
  end if;
  perform private.require_bookable_time(_starts_at, _booking.id);
  begin
    update public.bookings
      set slot = tstzrange(_starts_at, _starts_at + (
          select make_interval(mins => length_minutes) from public.booking_rules
        )), sequence = sequence + 1, updated_at = now()
      where id = _booking.id returning * into _booking;
  exception when exclusion_violation then
    raise sqlstate 'PT409' using message = 'This time was just taken. Please choose another.';
  end;
  perform private.mail_about_booking(_booking, 'moved', _token);
  return private.booking_details(_booking);
end
$$;
grant execute on function public.move_booking to anon, authenticated, service_role;

create function public.cancel_booking(_token text) returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  _booking public.bookings := private.lock_active_booking(_token);
begin
  return private.booking_details(private.cancel_booking(_booking.id, 'visitor'));
end
$$;
grant execute on function public.cancel_booking to anon, authenticated, service_role;

-- Cancels a call as an admin and mails the visitor.
create function public.cancel_booking_of_visitor(_booking_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  perform private.lock_bookings();
  if not exists (select from public.bookings where id = _booking_id) then
    raise sqlstate 'PT404' using message = 'This booking no longer exists.';
  end if;
  perform private.cancel_booking(_booking_id, 'owner');
end
$$;
grant execute on function public.cancel_booking_of_visitor to authenticated, service_role;

-- Lists the caller's upcoming calls, booked with an address that they have verified, next first. The token is not
-- included.
create function public.my_calls() returns table (id uuid, starts_at timestamptz, ends_at timestamptz, service text)
language sql stable security definer set search_path = '' as $$
  select booking.id, booking.starts_at, booking.ends_at, booking.service
  from public.bookings as booking
  where booking.state = 'booked' and booking.ends_at > now() and lower(booking.email) in (
    select verified.address from private.verified_addresses as verified join auth.users on users.id = verified.user_id
    where verified.user_id = (select private.user_id()) and verified.address = users.email
  )
  order by booking.starts_at limit 20
$$;
grant execute on function public.my_calls to authenticated;

create function private.is_booking_limit_reached() returns boolean
language sql stable security definer set search_path = '' as $$
  select count(*) >= greatest(1, least(150, private.count_offered_times() / 2))
  from public.bookings
  where not is_verified and (created_at > now() - interval '1 day' or (state = 'booked' and ends_at > now()))
$$;

-- Returns the details that the holder of the token sees.
create function private.booking_details(_booking public.bookings) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'starts_at', lower(_booking.slot), 'ends_at', upper(_booking.slot), 'state', _booking.state,
    'time_zone', _booking.time_zone, 'service', _booking.service, 'place', (select place from public.booking_rules)
  )
$$;

-- Returns the booking of a token. Throws if the token is unknown.
create function private.booking_of(_token text) returns public.bookings
language plpgsql stable security definer set search_path = '' as $$
declare
  _booking public.bookings;
begin
  select * into _booking from public.bookings where token_hash = private.booking_token_hash(coalesce(_token, ''));
  if not found then
    raise sqlstate 'PT404' using message = 'Booking not found. It may have been deleted.';
  end if;
  return _booking;
end
$$;

create function private.booking_token_hash(_token text) returns text
language sql immutable set search_path = '' as $$ select encode(sha256(convert_to(_token, 'UTF8')), 'hex') $$;

create function private.cancel_booking(_booking_id uuid, _by text) returns public.bookings
language plpgsql security definer set search_path = '' as $$
declare
  _booking public.bookings;
begin
  update public.bookings set state = 'cancelled', cancelled_by = _by, sequence = sequence + 1, updated_at = now()
    where id = _booking_id and state = 'booked' returning * into _booking;
  if not found then
    raise exception 'This call has already been cancelled.' using errcode = '22023';
  end if;
  perform private.mail_about_booking(_booking, 'cancelled');
  return _booking;
end
$$;

-- Reads the retention setting once. The condition on starts_at, which is true for every finished call, lets the query
-- use the index.
create function private.delete_expired_bookings(_at_most integer default null) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  _before constant timestamptz := private.retention_cutoff();
  _deleted integer;
begin
  delete from private.held_bookings where expires_at < now() - interval '1 hour';
  delete from public.bookings where id in (
    select id from public.bookings where starts_at < _before and ends_at < _before order by starts_at limit _at_most
  );
  get diagnostics _deleted = row_count;
  return _deleted;
end
$$;

-- Returns the details of a held call for the page of its link. Null for an unknown token.
create function private.held_booking_details(_held private.held_bookings) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'starts_at', lower(_held.slot), 'ends_at', upper(_held.slot), 'time_zone', _held.call ->> 'time_zone',
    'service', _held.call ->> 'service', 'place', (select place from public.booking_rules),
    'state', case when private.is_slot_free(_held.slot) then 'held' else 'taken' end
  )
  where _held.token_hash is not null
$$;

-- Returns the held call of a token. No row for an unknown token. Throws PT404 if it has expired.
create function private.held_booking_of(_token text) returns private.held_bookings
language plpgsql stable security definer set search_path = '' as $$
declare
  _held private.held_bookings;
begin
  select * into _held from private.held_bookings where token_hash = private.booking_token_hash(coalesce(_token, ''));
  if _held.expires_at <= now() then
    raise sqlstate 'PT404' using
      message = 'This link expired after 15 minutes. Please choose a time again.';
  end if;
  return _held;
end
$$;

-- Limits of unconfirmed bookings: 5 an hour for a network address, 3 upcoming calls and 6 a day for an email address,
-- 300 a day for the site. Each booking sends mails to an address that may not be the visitor's.
create function private.limit_bookings(_email text) returns void language plpgsql security definer set search_path = '' as $$
begin
  if not private.count_for_address('booking', private.client_address(), 5, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'You have booked several calls. Try again in an hour, or write to us.';
  end if;
  perform private.limit_bookings_of(_email);
end
$$;

-- Limits of an email address, confirmed or not.
create function private.limit_bookings_of(_email text) returns void language plpgsql security definer set search_path = '' as $$
begin
  if (
    select count(*) >= 3 from public.bookings
    where lower(email) = lower(_email) and state = 'booked' and ends_at > now()
  ) then
    raise sqlstate 'PT429' using
      message = 'This address already has three booked calls. Move or cancel one of them with the link in its confirmation email.';
  end if;
  if (
    select count(*) >= 6 from public.bookings
    where lower(email) = lower(_email) and created_at > now() - interval '1 day'
  ) then
    raise sqlstate 'PT429' using
      message = 'Too many calls were booked with this address today. Try again tomorrow, or write to us.';
  end if;
end
$$;

-- Serialises bookings. Otherwise, concurrent bookings of the same time could deadlock in the exclusion constraint.
create function private.lock_bookings() returns void
language sql set search_path = '' as $$ select pg_advisory_xact_lock(hashtext('private.bookings')) $$;

-- Validates a call and returns the row to insert. Does not check rate limits. Acquires the booking lock.
create function private.new_booking(
  _starts_at timestamptz, _name text, _email text, _phone text, _message text, _service text, _time_zone text
) returns public.bookings language plpgsql security definer set search_path = '' as $$
declare
  _rules public.booking_rules := (select rules from public.booking_rules as rules);
  _booking public.bookings;
begin
  _booking.name := private.require_one_line('Name', _name, 100);
  _booking.email := private.require_one_line('Email', _email, 255);
  if _booking.name = '' then
    raise exception 'Name is required' using errcode = '22023';
  end if;
  if not private.is_email(_booking.email) then
    raise exception 'Invalid email address' using errcode = '22023';
  end if;
  if length(_message) > 1000 then
    raise exception 'Message must be less than 1000 characters' using errcode = '22023';
  end if;
  if trim(_phone) !~ '^[0-9+()./ -]{0,40}$' then
    raise exception 'Enter a valid phone number, such as +47 22 00 00 00.' using errcode = '22023';
  end if;
  if not exists (select from public.availability) then
    raise exception 'Calls cannot be booked here at the moment.' using errcode = '22023';
  end if;
  perform private.lock_bookings();
  perform private.require_bookable_time(_starts_at);
  _booking.slot := tstzrange(_starts_at, _starts_at + make_interval(mins => _rules.length_minutes));
  _booking.phone := coalesce(trim(_phone), '');
  _booking.message := coalesce(trim(_message), '');
  _booking.service := private.require_one_line('Service', _service, 200);
  _booking.time_zone := case when private.is_time_zone(_time_zone) then _time_zone else _rules.time_zone end;
  return _booking;
end
$$;

-- Two UUIDs have 244 random bits.
create function private.new_booking_token() returns text
language sql set search_path = '' as $$ select replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '') $$;

-- Returns a call that can be moved or cancelled, locked until the transaction ends.
create function private.lock_active_booking(_token text) returns public.bookings
language plpgsql security definer set search_path = '' as $$
declare
  _booking public.bookings;
begin
  perform private.lock_bookings();
  _booking := private.booking_of(_token);
  if _booking.state = 'cancelled' then
    raise exception 'This call has already been cancelled.' using errcode = '22023';
  end if;
  if _booking.starts_at <= now() then
    raise exception 'This call has already started.' using errcode = '22023';
  end if;
  return _booking;
end
$$;

-- Books the call and mails both sides. Returns the details that the visitor sees, with the token.
create function private.save_booking(_call public.bookings, _token text, _is_verified boolean) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  _booking public.bookings;
begin
  begin
    insert into public.bookings (slot, name, email, phone, message, service, time_zone, token_hash, is_verified) values (
      _call.slot, _call.name, _call.email, _call.phone, _call.message, _call.service, _call.time_zone,
      private.booking_token_hash(_token), _is_verified
    ) returning * into _booking;
  exception when exclusion_violation then
    raise sqlstate 'PT409' using message = 'This time was just taken. Please choose another.';
  end;
  perform private.mail_about_booking(_booking, 'confirmed', _token);
  return private.booking_details(_booking) || jsonb_build_object('token', _token);
end
$$;

-- Mails the visitor and the owner. The visitor's own text is left out of the visitor's mail, because the address may
-- belong to another person. Without `_token` the mail has no link.
create function private.mail_about_booking(_booking public.bookings, _change text, _token text default null) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _variables constant jsonb := jsonb_build_object(
    'Email', _booking.email, 'Token', _token, 'When', private.format_slot(_booking.slot, _booking.time_zone),
    'Place', (select place from public.booking_rules),
    -- Anyone can enter the name and address of another person. Only a name of plain words is used, so that the mail
    -- cannot carry their message.
    'Greeting', case
      when _booking.name ~ '^[^[:space:][:cntrl:]0-9!-&(-,./:-@\[-`{-~]{1,20}( [^[:space:][:cntrl:]0-9!-&(-,./:-@\[-`{-~]{1,20}){0,2}$'
      then 'Hello ' || _booking.name || ',' else 'Hello,'
    end,
    'Topic', coalesce((
      select 'About ' || title || '.' from public.services where title = _booking.service and status = 'published' limit 1
    ), '')
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
  perform private.mail_owner_about_booking(_booking, _change);
  delete from private.mail_queue where id = _booking.reminder_mail_id;
  -- The queue stores the reminder, so that it is sent exactly once, even after restarts.
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

-- Mails to the owner are limited per customer, so that frequent changes by one customer do not delay the mail about
-- another.
create function private.mail_owner_about_booking(_booking public.bookings, _change text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _owner constant text := (
    select setting_value from public.site_settings
    where setting_key = 'contact_email' and private.is_email(setting_value)
  );
  _when constant text := private.format_slot(_booking.slot, (select time_zone from public.booking_rules));
  _what constant text := case _change
    when 'confirmed' then 'A call was booked' when 'moved' then 'A call was moved' else 'A call was cancelled'
  end;
  _waiting bigint;
  _number integer;
begin
  if _owner is null then
    return;
  end if;
  -- The first notice about a customer is always sent immediately and is exempt from the shared limits.
  if private.count_for_subject('first booking notice', lower(_booking.email), 1, interval '1 hour') or (
    private.count_for_subject('booking notice about', lower(_booking.email), 3, interval '1 hour')
    and private.count_for_subject('booking notice', lower(_owner), 20, interval '1 hour')
  ) then
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
  -- Lists only the first twenty, to limit the length of the mail.
  update private.mail_queue set variables = variables || jsonb_build_object(
    'Email', _owner, 'Count', _number,
    'Change', case _number when 1 then 'one more booking change' else _number || ' more booking changes' end
  ) || case when _number <= 20 then jsonb_build_object(
    'Message', concat_ws(E'\n', variables ->> 'Message', _what || ': ' || _when)
  ) else '{}' end
  where id = _waiting;
end
$$;

-- Returns the event for calendar programs. `_method` is REQUEST or CANCEL (RFC 5546). The backend writes the file.
create function private.calendar_event(_booking public.bookings, _method text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'method', _method, 'uid', _booking.id, 'sequence', _booking.sequence, 'starts_at', lower(_booking.slot),
    'ends_at', upper(_booking.slot), 'place', (select place from public.booking_rules), 'attendee', _booking.email,
    'organizer', (select setting_value from public.site_settings where setting_key = 'contact_email')
  )
$$;

-- Called by anon, authenticated, service_role.
CREATE OR REPLACE FUNCTION public.book(_starts_at timestamp with time zone, _name text, _email text, _phone text DEFAULT ''::text, _message text DEFAULT ''::text, _service text DEFAULT ''::text, _time_zone text DEFAULT ''::text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
      return private.booking_as_told(_known) || jsonb_build_object('token', _token);
    end if;
  end if;
  _call := private.new_booking(_starts_at, _name, _email, _phone, _message, _service, _time_zone);
  _wants_proof := private.are_bookings_crowded() or _call.slot && any (array(select private.held_slots()));
  if _wants_proof and not private.use_captcha_proof() then
    raise sqlstate 'PT428' using
      message = 'Many calls are being booked at the moment. Please confirm your address with a link by mail.',
      hint = 'Call hold_booking with the same values: it sends the link. Or send the proof of a captcha in x-captcha-proof.';
  end if;
  perform private.limit_bookings(_call.email);
  return private.save_booking(
    _call, case when _token is null or _known.id is not null then private.new_booking_token() else _token end, _wants_proof
  );
end
$function$;

-- Called by authenticated.
CREATE OR REPLACE FUNCTION public.booking_feed_made_at()
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_admin();
  return (select created_at from private.booking_feed);
end
$function$;

-- Called by service_role.
CREATE OR REPLACE FUNCTION public.calendar_events(_secret text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select case
    when exists (select from private.booking_feed where key_hash = private.booking_token_hash(_secret)) then coalesce((
      select jsonb_agg(private.calendar_event(booking, 'PUBLISH') || jsonb_build_object(
        'name', name, 'phone', phone, 'message', message, 'service', service, 'state', state
      ) order by starts_at)
      from public.bookings as booking
      where starts_at > now() - interval '90 days' and (state = 'booked' or updated_at > now() - interval '30 days')
    ), '[]')
    else (
      select jsonb_agg(private.calendar_event(booking, 'PUBLISH') || jsonb_build_object('state', state))
      from public.bookings as booking where token_hash = private.booking_token_hash(_secret)
    )
  end
$function$;

-- Called by anon, authenticated, service_role.
CREATE OR REPLACE FUNCTION public.cancel_booking(_token text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _booking public.bookings := private.open_booking(_token);
begin
  return private.booking_as_told(private.cancel(_booking.id, 'visitor'));
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.cancel_booking_of_visitor(_booking_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_admin();
  perform private.lock_bookings();
  if not exists (select from public.bookings where id = _booking_id) then
    raise sqlstate 'PT404' using message = 'There is no such booking any more.';
  end if;
  perform private.cancel(_booking_id, 'owner');
end
$function$;

-- Called by anon, authenticated, service_role.
CREATE OR REPLACE FUNCTION public.confirm_booking(_token text, _starts_at timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _held private.held_bookings;
  _call public.bookings;
  _start timestamptz;
begin
  perform private.lock_bookings();
  _held := private.held_booking_of(_token);
  if _held.token_hash is null then
    return private.booking_as_told(private.booking_of(_token)) || jsonb_build_object('token', _token);
  end if;
  _call := jsonb_populate_record(null::public.bookings, _held.call);
  _start := coalesce(_starts_at, lower(_held.slot));
  perform private.refuse_time(_start);
  perform private.limit_bookings_of(_call.email);
  _call.slot := (select tstzrange(_start, _start + make_interval(mins => length_minutes)) from public.booking_rules);
  -- Also what they asked for again because the mail took its time.
  delete from private.held_bookings where token_hash = _held.token_hash
    or (slot = _held.slot and lower(call ->> 'email') = lower(_call.email));
  return private.save_booking(_call, _token, true);
end
$function$;

-- Called by authenticated.
CREATE OR REPLACE FUNCTION public.end_booking_feed()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_admin();
  delete from private.booking_feed where true;
end
$function$;

-- Called by anon, authenticated, service_role.
CREATE OR REPLACE FUNCTION public.free_slots(_from timestamp with time zone, _to timestamp with time zone)
 RETURNS TABLE(starts_at timestamp with time zone, ends_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _held constant tstzrange[] := array(select private.held_slots());
begin
  if _from is null or _to is null or not isfinite(_from) or not isfinite(_to) or _to <= _from then
    raise exception 'Please ask for the time between two moments.' using errcode = '22023';
  end if;
  if _to - _from > interval '62 days' then
    raise exception 'Please ask for at most 62 days at once.' using errcode = '22023';
  end if;
  return query
    select time.starts_at, time.ends_at from private.bookable_times(_from, _to, now()) as time
    where not tstzrange(time.starts_at, time.ends_at) && any (_held);
end
$function$;

-- Called by anon, authenticated, service_role.
CREATE OR REPLACE FUNCTION public.hold_booking(_starts_at timestamp with time zone, _name text, _email text, _phone text DEFAULT ''::text, _message text DEFAULT ''::text, _service text DEFAULT ''::text, _time_zone text DEFAULT ''::text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _token constant text := private.new_booking_token();
  _call constant public.bookings :=
    private.new_booking(_starts_at, _name, _email, _phone, _message, _service, _time_zone);
  _held private.held_bookings;
begin
  perform private.limit_proof_mails(_call.email);
  perform private.limit_bookings_of(_call.email);
  insert into private.held_bookings (token_hash, slot, call)
    values (private.booking_token_hash(_token), _call.slot, jsonb_strip_nulls(to_jsonb(_call)))
    returning * into _held;
  -- Keeps the newest 1,000. An hour after its end a link no longer says that it has expired.
  delete from private.held_bookings where expires_at < now() - interval '1 hour' or token_hash in (
    select token_hash from private.held_bookings order by expires_at desc, token_hash offset 1000
  );
  insert into private.mail_queue (recipient, template, variables) values (_call.email, 'booking_proof', jsonb_build_object(
    'Email', _call.email, 'Token', _token, 'When', private.time_in_words(_call.slot, _call.time_zone)
  ));
  return jsonb_build_object(
    'starts_at', lower(_call.slot), 'ends_at', upper(_call.slot), 'expires_at', _held.expires_at
  );
end
$function$;

-- Called by authenticated.
CREATE OR REPLACE FUNCTION public.make_booking_feed()
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _key constant text := private.new_booking_token();
begin
  perform private.require_admin();
  insert into private.booking_feed (key_hash) values (private.booking_token_hash(_key))
    on conflict (id) do update set key_hash = excluded.key_hash, created_at = now();
  return _key;
end
$function$;

-- Called by anon, authenticated, service_role.
CREATE OR REPLACE FUNCTION public.move_booking(_token text, _starts_at timestamp with time zone)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by authenticated.
CREATE OR REPLACE FUNCTION public.my_calls()
 RETURNS TABLE(id uuid, starts_at timestamp with time zone, ends_at timestamp with time zone, service text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select booking.id, booking.starts_at, booking.ends_at, booking.service
  from public.bookings as booking
  where booking.state = 'booked' and booking.ends_at > now() and lower(booking.email) in (
    select proven.address from private.proven_addresses as proven join auth.users on users.id = proven.user_id
    where proven.user_id = (select private.user_id()) and proven.address = users.email
  )
  order by booking.starts_at limit 20
$function$;

-- Called by anon, authenticated, service_role.
CREATE OR REPLACE FUNCTION public.read_booking(_token text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(
    private.held_booking_as_told(private.held_booking_of(_token)), private.booking_as_told(private.booking_of(_token))
  )
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.save_availability(_hours jsonb, _time_zone text, _notice_minutes integer, _days_ahead integer, _length_minutes integer, _place text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.are_bookings_crowded()
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select count(*) >= greatest(1, least(150, private.count_offered_times() / 2))
  from public.bookings
  where not is_proven and (created_at > now() - interval '1 day' or (state = 'booked' and ends_at > now()))
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.bookable_times(_from timestamp with time zone, _to timestamp with time zone, _now timestamp with time zone, _but uuid DEFAULT NULL::uuid)
 RETURNS TABLE(starts_at timestamp with time zone, ends_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select time.starts_at, time.ends_at
  from public.booking_rules, lateral private.offered_times(
    greatest(_from, _now + make_interval(mins => notice_minutes)),
    least(_to, _now + make_interval(days => days_ahead))
  ) as time
  where private.is_on('booking') and private.is_free(tstzrange(time.starts_at, time.ends_at), _but)
  order by 1
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.booking_as_told(_booking bookings)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'starts_at', lower(_booking.slot), 'ends_at', upper(_booking.slot), 'state', _booking.state,
    'time_zone', _booking.time_zone, 'service', _booking.service, 'place', (select place from public.booking_rules)
  )
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.booking_of(_token text)
 RETURNS bookings
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _booking public.bookings;
begin
  select * into _booking from public.bookings where token_hash = private.booking_token_hash(coalesce(_token, ''));
  if not found then
    raise sqlstate 'PT404' using message = 'There is no such booking. It may have been deleted.';
  end if;
  return _booking;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.booking_token_hash(_token text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$ select encode(sha256(convert_to(_token, 'UTF8')), 'hex') $function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.calendar_event(_booking bookings, _method text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'method', _method, 'uid', _booking.id, 'sequence', _booking.sequence, 'starts_at', lower(_booking.slot),
    'ends_at', upper(_booking.slot), 'place', (select place from public.booking_rules), 'attendee', _booking.email,
    'organizer', (select setting_value from public.site_settings where setting_key = 'contact_email')
  )
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.cancel(_booking_id uuid, _by text)
 RETURNS bookings
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.count_offered_times()
 RETURNS integer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(floor(
    extract(epoch from sum(ends_at - starts_at)) / 60 / min(length_minutes) * min(days_ahead) / 7
  ), 0)::integer
  from public.availability, public.booking_rules
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.delete_expired_bookings(_at_most integer DEFAULT NULL::integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.has_scheduling_page()
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (
    select from public.page_content
    where page_slug = 'home' and section_name = 'booking' and content ~* 'calendlyPlaceholder"\s*:\s*"\s*https://'
  )
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.held_booking_as_told(_held private.held_bookings)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'starts_at', lower(_held.slot), 'ends_at', upper(_held.slot), 'time_zone', _held.call ->> 'time_zone',
    'service', _held.call ->> 'service', 'place', (select place from public.booking_rules),
    'state', case when private.is_free(_held.slot) then 'held' else 'taken' end
  )
  where _held.token_hash is not null
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.held_booking_of(_token text)
 RETURNS private.held_bookings
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _held private.held_bookings;
begin
  select * into _held from private.held_bookings where token_hash = private.booking_token_hash(coalesce(_token, ''));
  if _held.expires_at <= now() then
    raise sqlstate 'PT404' using
      message = 'This link was good for 15 minutes, which are over. Please choose your time again.';
  end if;
  return _held;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.held_slots()
 RETURNS SETOF tstzrange
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select slot from private.held_bookings where expires_at > now()
  order by expires_at limit private.count_offered_times() / 4
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.is_free(_slot tstzrange, _but uuid DEFAULT NULL::uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.is_time_zone(_name text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  if _name is null or length(_name) > 64 or _name !~ '^(UTC|[A-Za-z_]+(/[A-Za-z0-9_+-]+)+)$' then
    return false;
  end if;
  perform now() at time zone _name;
  return true;
exception when invalid_parameter_value then
  return false;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.keep_busy_times(_calendar_id uuid, _events jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _own_zone constant text := (select time_zone from public.booking_rules);
begin
  update public.booking_calendars set read_at = now(), failure = null where id = _calendar_id;
  if not found then
    return;
  end if;
  delete from public.booking_busy where calendar_id = _calendar_id;
  insert into public.booking_busy (calendar_id, during)
    select _calendar_id, tstzrange(starts_at, ends_at)
    from jsonb_to_recordset(_events) as event (uid text, starts text, ends text, zone text),
      lateral (
        select case
          when zone = '' then _own_zone when private.is_time_zone(zone) then zone else 'UTC'
        end, case
          when zone <> '' and not private.is_time_zone(zone) then interval '14 hours' else interval '0'
        end
      ) as known (zone_name, doubt),
      lateral (
        select case when zone is null then starts::timestamptz else starts::timestamp at time zone zone_name - doubt end,
          case when zone is null then ends::timestamptz else ends::timestamp at time zone zone_name + doubt end
      ) as times (starts_at, ends_at)
    where ends_at > starts_at and not exists (select from public.bookings where id::text = uid)
    limit 5000;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.limit_bookings(_email text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.count_for_address('booking', private.client_address(), 5, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'You have booked several calls. Please wait an hour, or write to us.';
  end if;
  perform private.limit_bookings_of(_email);
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.limit_bookings_of(_email text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
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
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.limit_calendars()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if (select count(*) from public.booking_calendars) >= 20 then
    raise exception 'At most 20 calendars are read.';
  end if;
  return new;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.lock_bookings()
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select pg_advisory_xact_lock(hashtext('private.bookings')) $function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.new_booking(_starts_at timestamp with time zone, _name text, _email text, _phone text, _message text, _service text, _time_zone text)
 RETURNS bookings
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _rules public.booking_rules := (select rules from public.booking_rules as rules);
  _booking public.bookings;
begin
  _booking.name := private.line_of('Name', _name, 100);
  _booking.email := private.line_of('Email', _email, 255);
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
    raise exception 'Enter a phone number with digits, such as +47 22 00 00 00.' using errcode = '22023';
  end if;
  if not exists (select from public.availability) then
    raise exception 'Calls cannot be booked here at the moment.' using errcode = '22023';
  end if;
  perform private.lock_bookings();
  perform private.refuse_time(_starts_at);
  _booking.slot := tstzrange(_starts_at, _starts_at + make_interval(mins => _rules.length_minutes));
  _booking.phone := coalesce(trim(_phone), '');
  _booking.message := coalesce(trim(_message), '');
  _booking.service := private.line_of('Service', _service, 200);
  _booking.time_zone := case when private.is_time_zone(_time_zone) then _time_zone else _rules.time_zone end;
  return _booking;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.new_booking_token()
 RETURNS text
 LANGUAGE sql
 SET search_path TO ''
AS $function$ select replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '') $function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.notify_calendar_added()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform pg_notify('booking_calendars', '');
  return null;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.offered_times(_from timestamp with time zone, _to timestamp with time zone)
 RETURNS TABLE(starts_at timestamp with time zone, ends_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.open_booking(_token text)
 RETURNS bookings
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.publish_booking_zone()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.site_settings (setting_key) values ('site_time_zone')
    on conflict (setting_key) do update set setting_value = excluded.setting_value
    where site_settings.setting_value <> excluded.setting_value;
  return null;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.refuse_time(_starts_at timestamp with time zone, _but uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.save_booking(_call bookings, _token text, _is_proven boolean)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _booking public.bookings;
begin
  begin
    insert into public.bookings (slot, name, email, phone, message, service, time_zone, token_hash, is_proven) values (
      _call.slot, _call.name, _call.email, _call.phone, _call.message, _call.service, _call.time_zone,
      private.booking_token_hash(_token), _is_proven
    ) returning * into _booking;
  exception when exclusion_violation then
    raise sqlstate 'PT409' using message = 'This time was just taken. Please choose another.';
  end;
  perform private.tell_about_booking(_booking, 'confirmed', _token);
  return private.booking_as_told(_booking) || jsonb_build_object('token', _token);
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.state_booking_zone()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  new.setting_value := coalesce((select time_zone from public.booking_rules limit 1), 'Europe/Oslo');
  return new;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.state_whether_booking_is_on()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  new.setting_value := case
    when exists (select from public.availability) and not private.has_scheduling_page() then 'on' else 'off'
  end;
  return new;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.switch_booking()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.site_settings (setting_key) values ('booking')
    on conflict (setting_key) do update set setting_value = excluded.setting_value
    where site_settings.setting_value <> excluded.setting_value;
  return null;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.tell_about_booking(_booking bookings, _change text, _token text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _variables constant jsonb := jsonb_build_object(
    'Email', _booking.email, 'Token', _token, 'When', private.time_in_words(_booking.slot, _booking.time_zone),
    'Place', (select place from public.booking_rules),
    -- Strangers type the name and the address: a name of words without numbers and links greets, and nothing else of theirs.
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.tell_owner_about_booking(_booking bookings, _change text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
  -- The first notice about a customer is always sent at once, whatever others did before.
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
  -- The first twenty are named, or a flood would make a long mail.
  update private.mail_queue set variables = variables || jsonb_build_object(
    'Email', _owner, 'Count', _number,
    'Change', case _number when 1 then 'one further change' else _number || ' further changes' end
  ) || case when _number <= 20 then jsonb_build_object(
    'Message', concat_ws(E'\n', variables ->> 'Message', _what || ': ' || _when)
  ) else '{}' end
  where id = _waiting;
end
$function$;

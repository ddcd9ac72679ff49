-- Calls without proof of an address fill at most half of what is offered, and 150 a day. From then on the visitor is
-- sent a link that holds the time for 15 minutes, and whoever presses its button has the call. A hold keeps nobody from
-- a time who proves more: the first who presses gets it.

alter table public.bookings add column is_proven boolean not null default false;
comment on column public.bookings.is_proven is 'Whether the visitor opened a link in a mail to book.';

create table private.held_bookings (
  token_hash text primary key check (token_hash ~ '^[0-9a-f]{64}$'),
  slot tstzrange not null,
  -- The row of public.bookings that it becomes.
  call jsonb not null check (jsonb_typeof(call) = 'object'),
  expires_at timestamptz not null default now() + interval '15 minutes'
);
create index held_bookings_expiry_idx on private.held_bookings (expires_at);
alter table private.held_bookings enable row level security;
revoke all on table private.held_bookings from public, anon, authenticated;

-- About as many times as are offered in the days ahead: the sum of the weekly hours, without days off.
create function private.count_offered_times() returns integer
language sql stable security definer set search_path = ''
as $$
  select coalesce(floor(
    extract(epoch from sum(ends_at - starts_at)) / 60 / min(length_minutes) * min(days_ahead) / 7
  ), 0)::integer
  from public.availability, public.booking_rules
$$;
revoke all on function private.count_offered_times() from public;

create function private.are_bookings_crowded() returns boolean
language sql stable security definer set search_path = ''
as $$
  select count(*) >= greatest(1, least(150, private.count_offered_times() / 2))
  from public.bookings
  where not is_proven and (created_at > now() - interval '1 day' or (state = 'booked' and ends_at > now()))
$$;
revoke all on function private.are_bookings_crowded() from public;

-- Times that are held and therefore not offered to others: the oldest, up to a quarter of all, so that holds by
-- themselves never empty the list.
create function private.held_slots() returns setof tstzrange
language sql stable security definer set search_path = ''
as $$
  select slot from private.held_bookings where expires_at > now()
  order by expires_at limit private.count_offered_times() / 4
$$;
revoke all on function private.held_slots() from public;

create or replace function public.free_slots(_from timestamptz, _to timestamptz)
returns table (starts_at timestamptz, ends_at timestamptz)
language plpgsql stable security definer set search_path = ''
as $$
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
$$;

-- What an e-mail address may book, with or without proof.
create function private.limit_bookings_of(_email text) returns void
language plpgsql security definer set search_path = ''
as $$
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
$$;
revoke all on function private.limit_bookings_of(text) from public;

create or replace function private.limit_bookings(_email text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.count_for_address('booking', private.client_address(), 5, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'You have booked several calls. Please wait an hour, or write to us.';
  end if;
  perform private.limit_bookings_of(_email);
end
$$;

-- The call as it would be booked, after every check that needs no count. Takes the lock of bookings.
create function private.new_booking(
  _starts_at timestamptz, _name text, _email text, _phone text, _message text, _service text, _time_zone text
) returns public.bookings
language plpgsql security definer set search_path = ''
as $$
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
$$;
revoke all on function private.new_booking(timestamptz, text, text, text, text, text, text) from public;

-- Books the call and tells both sides. @returns what the visitor is told, with the token
create function private.save_booking(_call public.bookings, _token text, _is_proven boolean) returns jsonb
language plpgsql security definer set search_path = ''
as $$
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
$$;
revoke all on function private.save_booking(public.bookings, text, boolean) from public;

create or replace function public.book(
  _starts_at timestamptz, _name text, _email text, _phone text default '', _message text default '',
  _service text default '', _time_zone text default ''
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  _call constant public.bookings :=
    private.new_booking(_starts_at, _name, _email, _phone, _message, _service, _time_zone);
begin
  if private.are_bookings_crowded() or _call.slot && any (array(select private.held_slots())) then
    raise sqlstate 'PT428' using
      message = 'Many calls are being booked at the moment. Please confirm your address with a link by mail.',
      hint = 'Call hold_booking with the same values: it sends the link.';
  end if;
  perform private.limit_bookings(_call.email);
  return private.save_booking(_call, private.new_booking_token(), false);
end
$$;

-- Holds a time for 15 minutes and mails the link that books it, which nothing but the mail has.
create function public.hold_booking(
  _starts_at timestamptz, _name text, _email text, _phone text default '', _message text default '',
  _service text default '', _time_zone text default ''
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
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
$$;
revoke all on function public.hold_booking(timestamptz, text, text, text, text, text, text) from public;
grant execute on function public.hold_booking(timestamptz, text, text, text, text, text, text)
  to anon, authenticated, service_role;

-- The held call of a token, no row without one. @throws PT404 when its time is over
create function private.held_booking_of(_token text) returns private.held_bookings
language plpgsql stable security definer set search_path = ''
as $$
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
$$;
revoke all on function private.held_booking_of(text) from public;

-- What the page behind the link shows of a held call, null where the token holds none.
create function private.held_booking_as_told(_held private.held_bookings) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'starts_at', lower(_held.slot), 'ends_at', upper(_held.slot), 'time_zone', _held.call ->> 'time_zone',
    'service', _held.call ->> 'service', 'place', (select place from public.booking_rules),
    'state', case when private.is_free(_held.slot) then 'held' else 'taken' end
  )
  where _held.token_hash is not null
$$;
revoke all on function private.held_booking_as_told(private.held_bookings) from public;

create or replace function public.read_booking(_token text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(
    private.held_booking_as_told(private.held_booking_of(_token)), private.booking_as_told(private.booking_of(_token))
  )
$$;

-- Books what a link holds, at another time if that was taken meanwhile. The link of a call that is booked answers with
-- that call, so that pressing twice books once.
create function public.confirm_booking(_token text, _starts_at timestamptz default null) returns jsonb
language plpgsql security definer set search_path = ''
as $$
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
$$;
revoke all on function public.confirm_booking(text, timestamptz) from public;
grant execute on function public.confirm_booking(text, timestamptz) to anon, authenticated, service_role;

create or replace function private.delete_expired_bookings() returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  deleted integer;
begin
  delete from private.held_bookings where expires_at < now() - interval '1 hour';
  delete from public.bookings
    where ends_at < now() - make_interval(days => greatest(1, private.number_setting('chat_retention_days', 365)));
  get diagnostics deleted = row_count;
  return deleted;
end
$$;

create or replace function private.forget_person(_user_id uuid, _with_chats boolean) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if _with_chats then
    delete from public.bookings using auth.users as person
      where person.id = _user_id and person.email <> '' and lower(bookings.email) = lower(person.email);
    delete from private.held_bookings using auth.users as person
      where person.id = _user_id and person.email <> '' and lower(call ->> 'email') = lower(person.email);
  end if;
  perform private.forget_person_but_bookings(_user_id, _with_chats);
end
$$;

-- Calls that visitors book without a third party. Everything here is off until an admin saves weekly hours. Visitors reach
-- no table: they call the functions of the migrations that follow.

-- When calls are offered, in the time zone of booking_rules. Whole weeks repeat.
create table public.availability (
  id uuid primary key default gen_random_uuid(),
  -- As in ISO 8601: 1 is Monday, 7 is Sunday.
  weekday smallint not null check (weekday between 1 and 7),
  starts_at time not null,
  -- May be 24:00.
  ends_at time not null,
  check (ends_at > starts_at)
);

-- One row, because the hours of a week in several zones could not be told from one another on a screen.
create table public.booking_rules (
  id boolean primary key default true check (id),
  time_zone text not null default 'Europe/Oslo' check (length(time_zone) between 1 and 64),
  -- Calls begin at the earliest so long after they are booked.
  notice_minutes integer not null default 720 check (notice_minutes between 0 and 43200),
  days_ahead integer not null default 30 check (days_ahead between 1 and 365),
  length_minutes integer not null default 30 check (length_minutes between 10 and 480),
  -- Where the call happens, as visitors are told: 'We call you', or the address of a video room.
  place text not null default '' check (length(place) <= 300),
  updated_at timestamptz not null default now()
);
insert into public.booking_rules default values;

-- Days, or hours of them, on which no calls are offered although the week says so; in the zone of booking_rules.
create table public.booking_exceptions (
  id uuid primary key default gen_random_uuid(),
  first_day date not null check (first_day between '2000-01-01' and '2200-01-01'),
  last_day date not null check (last_day between '2000-01-01' and '2200-01-01'),
  -- Whole days without them.
  starts_at time not null default '00:00',
  ends_at time not null default '24:00',
  note text not null default '' check (length(note) <= 200),
  check (last_day + ends_at > first_day + starts_at)
);

create table public.bookings (
  id uuid primary key default gen_random_uuid(),
  slot tstzrange not null check (
    lower_inc(slot) and not upper_inc(slot) and isfinite(lower(slot)) and isfinite(upper(slot))
  ),
  starts_at timestamptz not null generated always as (lower(slot)) stored,
  ends_at timestamptz not null generated always as (upper(slot)) stored,
  name text not null check (length(name) between 1 and 100),
  email text not null check (length(email) between 3 and 255),
  phone text not null default '' check (phone ~ '^[0-9+()./ -]{0,40}$'),
  message text not null default '' check (length(message) <= 1000),
  -- Title of the service that the visitor chose for the call.
  service text not null default '' check (length(service) <= 200),
  -- In which the visitor is told the time.
  time_zone text not null check (length(time_zone) between 1 and 64),
  state text not null default 'booked' check (state in ('booked', 'cancelled')),
  cancelled_by text check (cancelled_by in ('visitor', 'owner')),
  check ((state = 'cancelled') = (cancelled_by is not null)),
  -- SHA-256 of the token that moves and cancels it; the token itself is in the visitor's mails only.
  token_hash text not null unique check (token_hash ~ '^[0-9a-f]{64}$'),
  -- How often it changed, as calendars count.
  sequence integer not null default 0,
  -- The mail that waits in private.mail_queue for the day before.
  reminder_mail_id bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Two calls at once are impossible, whoever writes.
  constraint bookings_do_not_overlap exclude using gist (slot with &&) where (state = 'booked')
);
create index bookings_time_idx on public.bookings (starts_at);
create index bookings_email_idx on public.bookings (lower(email), created_at);
create index bookings_created_idx on public.bookings (created_at);

revoke all on table public.availability, public.booking_rules, public.booking_exceptions, public.bookings
  from anon, authenticated;
grant all on table public.availability, public.booking_rules, public.booking_exceptions, public.bookings to service_role;
grant select on table public.availability, public.booking_rules to authenticated;
grant select, insert, delete on table public.booking_exceptions to authenticated;
-- All but the hash of the token.
grant select (
  id, starts_at, ends_at, name, email, phone, message, service, time_zone, state, cancelled_by, sequence, created_at,
  updated_at
) on table public.bookings to authenticated;
alter table public.availability enable row level security;
alter table public.booking_rules enable row level security;
alter table public.booking_exceptions enable row level security;
alter table public.bookings enable row level security;

create policy "Admins read the hours for calls" on public.availability
  for select to authenticated using ((select private.is_admin()));
create policy "Admins read the rules for calls" on public.booking_rules
  for select to authenticated using ((select private.is_admin()));
create policy "Admins read days without calls" on public.booking_exceptions
  for select to authenticated using ((select private.is_admin()));
create policy "Admins add days without calls" on public.booking_exceptions
  for insert to authenticated with check ((select private.is_admin()));
create policy "Admins remove days without calls" on public.booking_exceptions
  for delete to authenticated using ((select private.is_admin()));
create policy "Admins read bookings" on public.bookings
  for select to authenticated using ((select private.is_admin()));

-- Whether calls can be booked is a public setting, so that pages know it without another call. It follows the hours.
create policy "Visitors read whether calls can be booked" on public.site_settings
  for select to anon, authenticated using (setting_key = 'booking');

create function private.state_whether_booking_is_on() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.setting_value := case when exists (select from public.availability) then 'on' else 'off' end;
  return new;
end
$$;
revoke all on function private.state_whether_booking_is_on() from public;
create trigger state_whether_booking_is_on before insert or update on public.site_settings
  for each row when (new.setting_key = 'booking') execute function private.state_whether_booking_is_on();

create function private.switch_booking() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.site_settings (setting_key) values ('booking')
    on conflict (setting_key) do update set setting_value = excluded.setting_value
    where site_settings.setting_value <> excluded.setting_value;
  return null;
end
$$;
revoke all on function private.switch_booking() from public;
create trigger switch_booking after insert or update or delete or truncate on public.availability
  for each statement execute function private.switch_booking();

-- A name of the time zone database that this Postgres knows. Other spellings, such as POSIX rules, are none.
create function private.is_time_zone(_name text) returns boolean
language plpgsql stable set search_path = ''
as $$
begin
  if _name is null or length(_name) > 64 or _name !~ '^(UTC|[A-Za-z_]+(/[A-Za-z0-9_+-]+)+)$' then
    return false;
  end if;
  perform now() at time zone _name;
  return true;
exception when invalid_parameter_value then
  return false;
end
$$;
revoke all on function private.is_time_zone(text) from public;

-- Replaces the week and its rules in one step. `_hours`: [{"weekday": 1, "starts_at": "09:00", "ends_at": "16:00"}];
-- none switches booking off. What is booked already stays.
create function public.save_availability(
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
    length_minutes = _length_minutes, place = coalesce(trim(_place), ''), updated_at = now();
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
revoke all on function public.save_availability(jsonb, text, integer, integer, integer, text)
  from public, anon, authenticated;
grant execute on function public.save_availability(jsonb, text, integer, integer, integer, text) to authenticated;

-- External calendars whose busy times are not offered. The server reads them. A hosted project has no such server
-- (docs/leads-and-bookings.md).
create table public.booking_calendars (
  id uuid primary key default gen_random_uuid(),
  label text not null check (length(label) between 1 and 100),
  -- Secret of the calendar's owner.
  address text not null unique check (address ~ '^https://[^[:space:][:cntrl:]]+$' and length(address) <= 2000),
  next_read_at timestamptz not null default now()
    constraint booking_calendars_next_read_at_calendar check (next_read_at between '1900-01-01' and '2999-12-31'),
  read_at timestamptz constraint booking_calendars_read_at_calendar check (read_at between '1900-01-01' and '2999-12-31'),
  -- Error of the last fetch. Busy times from earlier fetches stay valid.
  failure text,
  created_at timestamptz not null default now()
    constraint booking_calendars_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31')
);
grant select, delete on public.booking_calendars to authenticated;
grant all on public.booking_calendars to service_role;
grant insert (label, address) on public.booking_calendars to authenticated;
alter table public.booking_calendars enable row level security;
create policy "Admins read calendars" on public.booking_calendars for select to authenticated
  using ((select private.is_admin()));
create policy "Admins add calendars" on public.booking_calendars for insert to authenticated
  with check ((select private.is_admin()));
create policy "Admins remove calendars" on public.booking_calendars for delete to authenticated
  using ((select private.is_admin()));

-- Stores only busy times, and no other data of a calendar.
create table public.booking_busy (
  calendar_id uuid not null references public.booking_calendars (id) on delete cascade,
  during tstzrange not null
);
create index booking_busy_during_idx on public.booking_busy using gist (during);
create index booking_busy_calendar_idx on public.booking_busy (calendar_id);
grant all on public.booking_busy to service_role;
alter table public.booking_busy enable row level security;

-- Feed of bookings for calendar programs. They cannot send headers, so the URL contains a secret, which is shown once
-- and stored as a hash.
create table private.booking_feed (
  id boolean primary key default true check (id),
  key_hash text not null check (key_hash ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null default now()
);
alter table private.booking_feed enable row level security;

-- Returns the time at which the feed's URL was created. Null without a feed.
create function public.booking_feed_created_at() returns timestamptz
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (select created_at from private.booking_feed);
end
$$;
grant execute on function public.booking_feed_created_at to authenticated;

-- Returns the events for the function booking-calendar: those of the feed's secret, or the one of a booking token. Null
-- for any other text.
create function public.calendar_events(_secret text) returns jsonb
language sql stable security definer set search_path = '' as $$
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
$$;
grant execute on function public.calendar_events to service_role;

create function public.end_booking_feed() returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  delete from private.booking_feed where true;
end
$$;
grant execute on function public.end_booking_feed to authenticated;

-- Creates a new secret, which revokes the old URL, and returns it.
create function public.make_booking_feed() returns text language plpgsql security definer set search_path = '' as $$
declare
  _key constant text := private.new_booking_token();
begin
  perform private.require_admin();
  insert into private.booking_feed (key_hash) values (private.booking_token_hash(_key))
    on conflict (id) do update set key_hash = excluded.key_hash, created_at = now();
  return _key;
end
$$;
grant execute on function public.make_booking_feed to authenticated;

-- Replaces the busy times of a calendar. A local time in an unknown time zone counts as busy in every zone.
create function private.store_busy_times(_calendar_id uuid, _events jsonb) returns void
language plpgsql security definer set search_path = '' as $$
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
$$;

create function private.limit_calendars() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if (select count(*) from public.booking_calendars) >= 20 then
    raise exception 'You can connect at most 20 calendars.';
  end if;
  return new;
end
$$;

create function private.notify_calendar_added() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform pg_notify('booking_calendars', '');
  return null;
end
$$;

create trigger limit_calendars before insert on public.booking_calendars
  for each row execute function private.limit_calendars();
create trigger notify_calendar_added after insert on public.booking_calendars
  for each statement execute function private.notify_calendar_added();

-- Calendars of the people who take the calls: what is in them is not offered. The server reads them; a hosted project has
-- no such server (docs/booking.md).

create table public.booking_calendars (
  id uuid primary key default gen_random_uuid(),
  label text not null check (length(label) between 1 and 100),
  -- A secret of whoever owns the calendar.
  address text not null unique check (address ~ '^https://[^[:space:][:cntrl:]]+$' and length(address) <= 2000),
  next_read_at timestamptz not null default now(),
  read_at timestamptz,
  -- Why the last reading failed; what was read before still counts.
  failure text,
  created_at timestamptz not null default now()
);

-- Nothing of what is in a calendar but when it is busy.
create table public.booking_busy (
  calendar_id uuid not null references public.booking_calendars (id) on delete cascade,
  during tstzrange not null
);
create index booking_busy_during_idx on public.booking_busy using gist (during);
create index booking_busy_calendar_idx on public.booking_busy (calendar_id);

revoke all on table public.booking_calendars, public.booking_busy from anon, authenticated;
grant all on table public.booking_calendars, public.booking_busy to service_role;
grant select, delete on table public.booking_calendars to authenticated;
grant insert (label, address) on table public.booking_calendars to authenticated;
alter table public.booking_calendars enable row level security;
alter table public.booking_busy enable row level security;
create policy "Admins read calendars" on public.booking_calendars
  for select to authenticated using ((select private.is_admin()));
create policy "Admins add calendars" on public.booking_calendars
  for insert to authenticated with check ((select private.is_admin()));
create policy "Admins remove calendars" on public.booking_calendars
  for delete to authenticated using ((select private.is_admin()));

create function private.limit_calendars() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if (select count(*) from public.booking_calendars) >= 20 then
    raise exception 'At most 20 calendars are read.';
  end if;
  return new;
end
$$;
revoke all on function private.limit_calendars() from public;
create trigger limit_calendars before insert on public.booking_calendars
  for each row execute function private.limit_calendars();

create function private.notify_calendar_added() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_notify('booking_calendars', '');
  return null;
end
$$;
revoke all on function private.notify_calendar_added() from public;
create trigger notify_calendar_added after insert on public.booking_calendars
  for each statement execute function private.notify_calendar_added();

-- Replaces what is known of a calendar. `_events`: [{"uid", "starts", "ends", "zone"}] with times as ISO 8601; `zone` is
-- null for times with an offset, a name for local times, '' for times in the zone of booking_rules. Our own bookings that
-- came back by way of an invitation do not count.
create function private.keep_busy_times(_calendar_id uuid, _events jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
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
      lateral (select case when private.is_time_zone(zone) then zone else _own_zone end) as known (zone_name),
      lateral (
        select case when zone is null then starts::timestamptz else starts::timestamp at time zone zone_name end,
          case when zone is null then ends::timestamptz else ends::timestamp at time zone zone_name end
      ) as times (starts_at, ends_at)
    where ends_at > starts_at and not exists (select from public.bookings where id::text = uid)
    limit 5000;
end
$$;
revoke all on function private.keep_busy_times(uuid, jsonb) from public;

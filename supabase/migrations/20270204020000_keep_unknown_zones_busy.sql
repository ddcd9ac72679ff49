-- A local time of a zone that Postgres does not have is busy in every zone.
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

-- Bookings for calendar programs, which can send no headers: an address with a secret in it. The secret is shown once, when
-- it is made, and kept as a hash.

create table private.booking_feed (
  id boolean primary key default true check (id),
  key_hash text not null check (key_hash ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null default now()
);
alter table private.booking_feed enable row level security;
revoke all on table private.booking_feed from public, anon, authenticated;

-- Makes the secret anew, after which the address before it shows nothing. @returns it
create function public.make_booking_feed() returns text
language plpgsql security definer set search_path = ''
as $$
declare
  _key constant text := private.new_booking_token();
begin
  perform private.require_admin();
  insert into private.booking_feed (key_hash) values (private.booking_token_hash(_key))
    on conflict (id) do update set key_hash = excluded.key_hash, created_at = now();
  return _key;
end
$$;
revoke all on function public.make_booking_feed() from public, anon, authenticated;
grant execute on function public.make_booking_feed() to authenticated;

create function public.end_booking_feed() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  delete from private.booking_feed where true;
end
$$;
revoke all on function public.end_booking_feed() from public, anon, authenticated;
grant execute on function public.end_booking_feed() to authenticated;

-- When the feed's address was made; null when there is none.
create function public.booking_feed_made_at() returns timestamptz
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return (select created_at from private.booking_feed);
end
$$;
revoke all on function public.booking_feed_made_at() from public, anon, authenticated;
grant execute on function public.booking_feed_made_at() to authenticated;

-- What the function booking-calendar makes a file of: the events of the feed's secret, or the one of a booking's token.
-- Null for any other text.
create function public.calendar_events(_secret text) returns jsonb
language sql stable security definer set search_path = ''
as $$
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
revoke all on function public.calendar_events(text) from public, anon, authenticated;
grant execute on function public.calendar_events(text) to service_role;

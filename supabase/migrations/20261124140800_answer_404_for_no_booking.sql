-- A booking that is none is answered with 404, not as a fault of the server.

create or replace function private.booking_of(_token text) returns public.bookings
language plpgsql stable security definer set search_path = ''
as $$
declare
  _booking public.bookings;
begin
  select * into _booking from public.bookings where token_hash = private.booking_token_hash(coalesce(_token, ''));
  if not found then
    raise sqlstate 'PT404' using message = 'There is no such booking. It may have been deleted.';
  end if;
  return _booking;
end
$$;

create or replace function public.cancel_booking_of_visitor(_booking_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  perform private.lock_bookings();
  if not exists (select from public.bookings where id = _booking_id) then
    raise sqlstate 'PT404' using message = 'There is no such booking any more.';
  end if;
  perform private.cancel(_booking_id, 'owner');
end
$$;

-- Bookings end as chats do, and belong to the data of whoever shows that the e-mail address is theirs.

-- Run once a day. @returns how many bookings were deleted
create function private.delete_expired_bookings() returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  deleted integer;
begin
  delete from public.bookings
    where ends_at < now() - make_interval(days => greatest(1, private.number_setting('chat_retention_days', 365)));
  get diagnostics deleted = row_count;
  return deleted;
end
$$;
revoke all on function private.delete_expired_bookings() from public;

alter function private.data_of(uuid, boolean) rename to data_without_bookings_of;

create function private.data_of(_user_id uuid, _with_chats boolean) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select private.data_without_bookings_of(_user_id, _with_chats) || jsonb_build_object(
    -- Null where they were left out.
    'bookings', case when _with_chats then coalesce((
      select jsonb_agg(jsonb_build_object(
        'starts_at', starts_at, 'ends_at', ends_at, 'state', state, 'name', name, 'email', booking.email,
        'phone', booking.phone, 'message', message, 'service', service, 'time_zone', time_zone,
        'created_at', booking.created_at
      ) order by starts_at)
      from public.bookings as booking join auth.users as person on lower(booking.email) = lower(person.email)
      where person.id = _user_id and person.email <> ''
    ), '[]') end
  )
$$;
revoke all on function private.data_of(uuid, boolean) from public;

alter function private.forget_person(uuid, boolean) rename to forget_person_but_bookings;

create function private.forget_person(_user_id uuid, _with_chats boolean) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if _with_chats then
    delete from public.bookings using auth.users as person
      where person.id = _user_id and person.email <> '' and lower(bookings.email) = lower(person.email);
  end if;
  perform private.forget_person_but_bookings(_user_id, _with_chats);
end
$$;
revoke all on function private.forget_person(uuid, boolean) from public;

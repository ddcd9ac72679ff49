-- Who books with somebody else's address, and moves the calls again and again, sends that person at most 20 mails a day. As
-- before otherwise: tells the visitor and the owner, and nothing that a visitor wrote goes to the visitor's address.

create or replace function private.tell_about_booking(_booking public.bookings, _change text, _token text default null)
  returns void
language plpgsql security definer set search_path = ''
as $$
declare
  _place constant text := (select place from public.booking_rules);
  _own_zone constant text := (select time_zone from public.booking_rules);
  _owner constant text := (
    select setting_value from public.site_settings
    where setting_key = 'contact_email' and private.is_email(setting_value)
  );
  _variables constant jsonb := jsonb_build_object(
    'Email', _booking.email, 'Token', _token, 'When', private.time_in_words(_booking.slot, _booking.time_zone),
    'Place', _place
  );
begin
  if private.count_for_subject('booking mail', lower(_booking.email), 20, interval '1 day') then
    insert into private.mail_queue (recipient, template, variables) values (
      _booking.email, 'booking_' || _change, _variables || jsonb_build_object(
        'Calendar', private.calendar_event(_booking, case when _change = 'cancelled' then 'CANCEL' else 'REQUEST' end)
      )
    );
  end if;
  if _owner is not null then
    insert into private.mail_queue (recipient, template, variables) values (
      _owner, 'booking_notice', jsonb_build_object(
        'Email', _booking.email, 'ReplyTo', _booking.email, 'Name', _booking.name, 'Phone', _booking.phone,
        'Message', _booking.message, 'Service', _booking.service,
        'When', private.time_in_words(_booking.slot, _own_zone), 'Change', case _change
          when 'confirmed' then 'A call was booked' when 'moved' then 'A call was moved' else 'A call was cancelled'
        end
      )
    );
  end if;
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
$$;

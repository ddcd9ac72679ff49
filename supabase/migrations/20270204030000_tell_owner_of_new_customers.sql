-- Notices to the owner about calls are limited for each customer, so that one who books and moves often does not delay the notice
-- about another.
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

-- Who books a call may become a client: a lead, unless one with the same address is being followed up.

create function private.make_lead_of_booking() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.leads (source, name, email, phone, call_time, message, page, service)
    select 'booking', new.name, new.email, new.phone,
      left(private.time_in_words(new.slot, (select time_zone from public.booking_rules)), 100), new.message, '/#booking',
      new.service
    where not exists (
      select from public.leads where lower(email) = lower(new.email) and status in ('new', 'contacted')
    );
  return null;
end
$$;
revoke all on function private.make_lead_of_booking() from public;
create trigger make_lead_of_booking after insert on public.bookings
  for each row execute function private.make_lead_of_booking();

-- As before, but without a mail about the lead of a booking, because the mail about the booking says more.
create or replace function private.tell_about_lead() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  _to constant text := trim((select setting_value from public.site_settings where setting_key = 'contact_email'));
begin
  -- Who makes a lead of a transcript knows of it. Past 60 an hour the list is read, not the mailbox.
  if new.source not in ('transcript', 'booking') and private.is_email(_to)
    and private.count_for_subject('lead mail', '', 60, interval '1 hour') then
    insert into private.mail_queue (recipient, template, variables) values (_to, 'new_lead', jsonb_build_object(
      'Email', new.email, 'ReplyTo', new.email, 'Name', coalesce(nullif(new.name, ''), nullif(new.email, ''), new.phone),
      'Phone', coalesce(nullif(new.phone, ''), '-'), 'CallTime', coalesce(nullif(new.call_time, ''), '-'),
      'Message', new.message, 'LeadId', new.id
    ));
  end if;
  if private.lead_webhook_url() is not null then
    insert into public.lead_webhook_deliveries (lead_id) values (new.id);
  end if;
  return null;
end
$$;

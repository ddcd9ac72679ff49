-- Mails that were given up stay for 30 days, so that admins see that somebody waits for one in vain, and send it again.

alter table private.mail_queue add column failed_at timestamptz;
comment on column private.mail_queue.failed_at is 'Set when the mail was given up; it is not due any more then.';

-- Lists mails that were given up, the latest first, at most 100. Texts of mails, which hold links and codes, are not told.
create function public.list_failed_mails()
returns table (id bigint, recipient text, template text, reason text, failed_at timestamptz)
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_admin() then
    raise exception 'Only admins see mails that could not be sent' using errcode = '42501';
  end if;
  return query
    select mail.id, mail.recipient, mail.template, coalesce(mail.last_error, ''), mail.failed_at
    from private.mail_queue as mail
    where mail.failed_at is not null
    order by mail.failed_at desc, mail.id desc limit 100;
end
$$;
revoke all on function public.list_failed_mails() from public, anon, authenticated;
grant execute on function public.list_failed_mails() to authenticated, service_role;

-- Sends a mail that was given up once more. One that was sent or dismissed meanwhile is left alone.
create function public.send_failed_mail(_id bigint) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.is_admin() then
    raise exception 'Only admins send mails again' using errcode = '42501';
  end if;
  update private.mail_queue set failed_at = null, attempts = 0, next_attempt_at = now()
  where id = _id and failed_at is not null;
  if found then
    perform pg_notify('mail_queued', '');
  end if;
end
$$;
revoke all on function public.send_failed_mail(bigint) from public, anon, authenticated;
grant execute on function public.send_failed_mail(bigint) to authenticated, service_role;

-- Deletes a mail that was given up.
create function public.dismiss_failed_mail(_id bigint) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.is_admin() then
    raise exception 'Only admins dismiss mails' using errcode = '42501';
  end if;
  delete from private.mail_queue where id = _id and failed_at is not null;
end
$$;
revoke all on function public.dismiss_failed_mail(bigint) from public, anon, authenticated;
grant execute on function public.dismiss_failed_mail(bigint) to authenticated, service_role;

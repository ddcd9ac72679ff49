-- Queued mails, written in the transaction that causes them. The backend sends and deletes them. Only the owner can
-- read them, because they contain sign-in links. On a hosted project a database webhook passes them to an edge function
-- (docs/accounts.md).
create table private.mail_queue (
  id bigint primary key generated always as identity,
  recipient text not null check (length(recipient) between 3 and 255 and recipient !~ '[[:cntrl:]]'),
  template text not null check (length(template) between 1 and 100),
  variables jsonb not null default '{}' check (jsonb_typeof(variables) = 'object'),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  last_error text,
  created_at timestamptz not null default now(),
  failed_at timestamptz
);
create index mail_queue_next_idx on private.mail_queue (next_attempt_at);
grant select, insert, update, delete on private.mail_queue to service_role;
alter table private.mail_queue enable row level security;
comment on column private.mail_queue.failed_at is 'Time of the last failed attempt. A failed mail is not sent again unless an admin retries it.';

create function private.notify_mail_queued() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform pg_notify('mail_queued', '');
  return null;
end
$$;

-- Lists failed mails, latest first, at most 100. Omits their content, because it contains links and codes.
create function public.list_failed_mails() returns table (
  id bigint, recipient text, template text, reason text, failed_at timestamptz
) language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.is_admin() then
    raise exception 'Only admins can see failed emails' using errcode = '42501';
  end if;
  return query
    select mail.id, mail.recipient, mail.template, coalesce(mail.last_error, ''), mail.failed_at
    from private.mail_queue as mail
    where mail.failed_at is not null
    order by mail.failed_at desc, mail.id desc limit 100;
end
$$;
grant execute on function public.list_failed_mails to authenticated, service_role;

-- Deletes a failed mail.
create function public.dismiss_failed_mail(_id bigint) returns void language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_admin() then
    raise exception 'Only admins can dismiss failed emails' using errcode = '42501';
  end if;
  delete from private.mail_queue where id = _id and failed_at is not null;
end
$$;
grant execute on function public.dismiss_failed_mail to authenticated, service_role;

-- Retries a failed mail, unless it was sent or dismissed.
create function public.send_failed_mail(_id bigint) returns void language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_admin() then
    raise exception 'Only admins can retry failed emails' using errcode = '42501';
  end if;
  update private.mail_queue set failed_at = null, attempts = 0, next_attempt_at = now()
  where id = _id and failed_at is not null;
  if found then
    perform pg_notify('mail_queued', '');
  end if;
end
$$;
grant execute on function public.send_failed_mail to authenticated, service_role;

-- Returns true if the text is an email address on one line. Allows almost any local part, because each domain has its
-- own rules.
create function private.is_email(text) returns boolean language sql immutable set search_path = '' as $$
  select length($1) between 3 and 255
    and $1 ~ '^[^][[:space:][:cntrl:]<>",;:()@\\]+@[^][[:space:][:cntrl:]<>",;:()@\\]+\.[^][[:space:][:cntrl:]<>",;:()@\\.]+$'
$$;

-- Returns true if the domain is a mail provider's. Such a domain does not identify a company, so blocking it would
-- block unrelated people.
create function private.is_mail_provider(_domain text) returns boolean language sql immutable set search_path = '' as $$
  select coalesce(_domain = any (array[
    'gmail.com', 'googlemail.com', 'outlook.com', 'hotmail.com', 'hotmail.no', 'hotmail.co.uk', 'hotmail.fr', 'hotmail.de',
    'live.com', 'live.no', 'msn.com', 'yahoo.com', 'yahoo.no', 'yahoo.co.uk', 'yahoo.fr', 'yahoo.de', 'ymail.com', 'icloud.com',
    'me.com', 'mac.com', 'aol.com', 'proton.me', 'protonmail.com', 'pm.me', 'gmx.com', 'gmx.de', 'gmx.net', 'web.de', 't-online.de',
    'mail.com', 'mail.ru', 'yandex.ru', 'yandex.com', 'zoho.com', 'fastmail.com', 'hey.com', 'tutanota.com', 'tuta.com',
    'online.no', 'broadpark.no', 'frisurf.no', 'orange.fr', 'free.fr', 'laposte.net', 'libero.it', 'comcast.net', 'btinternet.com',
    'qq.com', '163.com', '126.com', 'foxmail.com', 'naver.com'
  ]), false)
$$;

-- Counts one link for the caller, the mailbox and the site. Links are valid for 15 minutes, so this also limits the
-- number of held messages and bookings.
create function private.limit_confirmation_mails(_email text) returns void language plpgsql security definer set search_path = '' as $$
begin
  if not private.count_for_networks('proof', private.client_address(), 3, interval '15 minutes') then
    raise sqlstate 'PT429' using
      message = 'We have already sent several links. Please open one of them, or try again in 15 minutes.';
  end if;
  if not private.count_for_subject('proof to', lower(_email), 5, interval '1 day') then
    raise sqlstate 'PT429' using
      message = 'Several links were sent to this address today. Please open the latest one, or write to us.';
  end if;
  if not private.count_for_subject('proof', '', 1000, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'Too many people are writing right now. Please send us an email instead.';
  end if;
end
$$;

create trigger notify_mail_queued after insert on private.mail_queue
  for each statement execute function private.notify_mail_queued();

-- A new lead is mailed to the contact address and sent to one webhook. Both are queued in its transaction. A hosted
-- project has database webhooks instead.

-- Webhook deliveries, pending and done. The body is built on sending, so that the queue has no copy of a deleted lead.
-- A delivery without a lead is a test.
create table public.lead_webhook_deliveries (
  id bigint primary key generated always as identity,
  lead_id uuid references public.leads (id) on delete cascade,
  status text not null default 'waiting' check (status in ('waiting', 'delivered', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now()
    constraint lead_webhook_deliveries_next_attempt_at_calendar check (next_attempt_at between '1900-01-01' and '2999-12-31'),
  response_status integer,
  last_error text,
  created_at timestamptz not null default now()
    constraint lead_webhook_deliveries_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  ended_at timestamptz
    constraint lead_webhook_deliveries_ended_at_calendar check (ended_at between '1900-01-01' and '2999-12-31')
);
create index lead_webhook_deliveries_next_idx on public.lead_webhook_deliveries (next_attempt_at) where status = 'waiting';
create index lead_webhook_deliveries_lead_idx on public.lead_webhook_deliveries (lead_id);
grant select on public.lead_webhook_deliveries to authenticated;
grant all on public.lead_webhook_deliveries to service_role;
alter table public.lead_webhook_deliveries enable row level security;
create policy "Admins read webhook deliveries" on public.lead_webhook_deliveries for select to authenticated
  using ((select private.is_admin()));

-- Returns the signing secret as in standardwebhooks.com: 'whsec_' and base64.
create function private.lead_webhook_secret() returns text language sql stable set search_path = '' as $$
  select 'whsec_' || encode(value, 'base64') from private.secrets where name = 'lead_webhook'
$$;

create function public.lead_webhook_secret() returns text language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  perform private.reject_oauth_applications();
  return private.lead_webhook_secret();
end
$$;
grant execute on function public.lead_webhook_secret to authenticated, service_role;

-- Revokes the old secret and returns a new one.
create function public.renew_lead_webhook_secret() returns text language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  perform private.reject_oauth_applications();
  update private.secrets set value = private.new_secret() where name = 'lead_webhook';
  return private.lead_webhook_secret();
end
$$;
grant execute on function public.renew_lead_webhook_secret to authenticated, service_role;

create function public.send_test_webhook() returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  if private.lead_webhook_url() is null then
    raise exception 'Save the webhook URL first.';
  end if;
  if not private.count_for_subject('test webhook', '', 20, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'Too many test requests. Try again in an hour.';
  end if;
  insert into public.lead_webhook_deliveries default values;
end
$$;
grant execute on function public.send_test_webhook to authenticated, service_role;

create function private.guard_lead_webhook_url() returns trigger language plpgsql set search_path = '' as $$
begin
  if trim(new.setting_value) !~ '^(https://[^[:space:][:cntrl:]]+)?$' or length(new.setting_value) > 2000 then
    raise exception 'The webhook URL must start with https://' using errcode = '23514';
  end if;
  return new;
end
$$;

-- Returns the webhook URL. Null if none is set.
create function private.lead_webhook_url() returns text language sql stable security definer set search_path = '' as $$
  select nullif(trim(setting_value), '') from public.site_settings where setting_key = 'lead_webhook_url'
$$;

create function private.notify_webhook_queued() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform pg_notify('webhook_queued', '');
  return null;
end
$$;

-- Queues the webhook and the mail about a lead. The lead of a booking has no mail, because the mail about the booking
-- contains more details.
create function private.notify_about_lead() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _to constant text := trim((select setting_value from public.site_settings where setting_key = 'contact_email'));
begin
  -- No mail for leads that an admin created from a transcript. At most 60 mails an hour.
  if new.source not in ('transcript', 'booking') and private.is_email(_to)
    and private.count_for_subject('lead mail', '', 60, interval '1 hour') then
    insert into private.mail_queue (recipient, template, variables) values (_to, 'new_lead', jsonb_build_object(
      'Email', new.email, 'ReplyTo', new.email, 'Name', coalesce(nullif(new.name, ''), nullif(new.email, ''), new.phone),
      'Phone', new.phone, 'CallTime', new.call_time,
      'Message', new.message, 'LeadId', new.id
    ));
  end if;
  if private.lead_webhook_url() is not null then
    insert into public.lead_webhook_deliveries (lead_id) values (new.id);
  end if;
  return null;
end
$$;

create trigger notify_webhook_queued after insert on public.lead_webhook_deliveries
  for each statement execute function private.notify_webhook_queued();

create trigger guard_lead_webhook_url before insert or update on public.site_settings
  for each row when (new.setting_key = 'lead_webhook_url') execute function private.guard_lead_webhook_url();

create trigger notify_about_lead after insert on public.leads for each row execute function private.notify_about_lead();

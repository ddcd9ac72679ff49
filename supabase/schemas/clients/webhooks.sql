-- Webhook of a client, such as its CRM: receives new and changed leads. Approvers and the client's team set it up. The
-- webhook of public.leads is a different one, for enquiries to the agency.
create table private.client_webhooks (
  client_id uuid primary key references public.clients (id) on delete cascade,
  url text not null check (url ~ '^https://[^[:space:][:cntrl:]]+$' and length(url) <= 2000),
  secret bytea not null default private.new_secret(),
  changed_by uuid references auth.users (id) on delete set null,
  changed_at timestamptz not null default now(),
  -- When a delivery was last sent. The job picks the client that has waited longest.
  last_sent_at timestamptz,
  -- After a failure, the whole webhook pauses, so that a server that is down does not delay other clients.
  paused_until timestamptz
);
create index client_webhooks_changed_by_idx on private.client_webhooks (changed_by);
create trigger reject_impersonated_writes before insert or update or delete on private.client_webhooks
  for each statement execute function private.reject_impersonated_writes();

-- Deliveries to these webhooks, pending and done. Several changes of a lead before the first attempt are sent as one
-- delivery.
create table public.client_webhook_deliveries (
  id bigint primary key generated always as identity,
  client_id uuid not null references public.clients (id) on delete cascade,
  -- Null for a test.
  lead_id uuid,
  event text not null check (event in ('lead.created', 'lead.changed', 'test')),
  payload jsonb not null,
  status text not null default 'waiting' check (status in ('waiting', 'delivered', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now()
    constraint client_webhook_deliveries_next_attempt_at_calendar check (next_attempt_at between '1900-01-01' and '2999-12-31'),
  response_status integer,
  -- The beginning of the last response.
  response text not null default '' check (length(response) <= 2000),
  last_error text,
  created_at timestamptz not null default now()
    constraint client_webhook_deliveries_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  ended_at timestamptz
    constraint client_webhook_deliveries_ended_at_calendar check (ended_at between '1900-01-01' and '2999-12-31'),
  foreign key (client_id, lead_id) references public.client_leads (client_id, id) on delete cascade
);
create index client_webhook_deliveries_next_idx on public.client_webhook_deliveries (client_id, id) where status = 'waiting';
create index client_webhook_deliveries_latest_idx on public.client_webhook_deliveries (client_id, id);
create index client_webhook_deliveries_lead_idx on public.client_webhook_deliveries (client_id, lead_id);
grant select on public.client_webhook_deliveries to authenticated;
grant all on public.client_webhook_deliveries to service_role;
alter table public.client_webhook_deliveries enable row level security;
create policy "Admins read the webhook deliveries of all clients" on public.client_webhook_deliveries
  for select to authenticated using ((select private.is_admin()));
create policy "Approvers read the webhook deliveries of their clients" on public.client_webhook_deliveries
  for select to authenticated using (client_id in (select private.clients_read_by_approver()));
create policy "Team members read the webhook deliveries of their clients" on public.client_webhook_deliveries
  for select to authenticated using (client_id in (select private.clients_of_team_member()));

-- Throws unless the caller may manage the webhook of the client.
create function private.require_webhook_manager(_client_id uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.reject_oauth_applications();
  if not private.works_for_client(_client_id) and _client_id not in (select private.clients_of_approver()) then
    raise exception 'Only approvers can manage the webhook.' using errcode = '42501';
  end if;
end
$$;

-- Returns the webhook with its signing secret as in standardwebhooks.com, {"url", "secret"}, or null without a webhook.
create function public.client_webhook(_client_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.reject_oauth_applications();
  if not private.works_for_client(_client_id) and _client_id not in (select private.clients_read_by_approver()) then
    raise exception 'Only approvers can manage the webhook.' using errcode = '42501';
  end if;
  return (
    select jsonb_build_object('url', url, 'secret', 'whsec_' || encode(secret, 'base64'))
    from private.client_webhooks where client_id = _client_id
  );
end
$$;
grant execute on function public.client_webhook to authenticated, service_role;

-- Sets the URL. An empty one removes the webhook with its secret.
create function public.save_client_webhook(_client_id uuid, _url text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _address constant text := trim(coalesce(_url, ''));
begin
  perform private.require_webhook_manager(_client_id);
  if _address = '' then
    delete from private.client_webhooks where client_id = _client_id;
    update public.client_webhook_deliveries set status = 'failed', last_error = 'The webhook was removed.', ended_at = now()
    where client_id = _client_id and status = 'waiting';
    return;
  elsif _address !~ '^https://[^[:space:][:cntrl:]]+$' or length(_address) > 2000 then
    raise exception 'The webhook URL must start with https://' using errcode = '23514';
  end if;
  insert into private.client_webhooks (client_id, url, changed_by) values (_client_id, _address, private.user_id())
  on conflict (client_id) do update set
    url = excluded.url, changed_by = excluded.changed_by, changed_at = now(), paused_until = null;
end
$$;
grant execute on function public.save_client_webhook to authenticated, service_role;

-- Revokes the old secret.
create function public.renew_client_webhook_secret(_client_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_webhook_manager(_client_id);
  update private.client_webhooks set secret = private.new_secret(), changed_by = private.user_id(), changed_at = now()
  where client_id = _client_id;
end
$$;
grant execute on function public.renew_client_webhook_secret to authenticated, service_role;

create function public.send_test_client_webhook(_client_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_webhook_manager(_client_id);
  if not exists (select from private.client_webhooks where client_id = _client_id) then
    raise exception 'Save the webhook URL first.' using errcode = 'P0001';
  elsif not private.count_for_subject('test webhook', _client_id::text, 20, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'Too many test requests. Try again in an hour.';
  end if;
  insert into public.client_webhook_deliveries (client_id, event, payload)
  select id, 'test', jsonb_build_object('client', jsonb_build_object('id', id, 'name', name))
  from public.clients where id = _client_id;
end
$$;
grant execute on function public.send_test_client_webhook to authenticated, service_role;

-- Queues a new or changed lead for the webhook of its client.
create function private.queue_client_webhook() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _payload jsonb;
begin
  if not exists (select from private.client_webhooks where client_id = new.client_id) then
    return null;
  end if;
  select jsonb_build_object(
    'client', jsonb_build_object('id', clients.id, 'name', clients.name),
    'lead', jsonb_build_object(
      'id', new.id, 'name', new.name, 'email', new.email, 'company', new.company, 'title', new.title, 'words', new.words,
      'campaign', campaigns.name, 'status', new.status, 'reason', new.reason, 'received_at', new.received_at
    )
  ) into _payload
  from public.clients left join public.campaigns on campaigns.client_id = clients.id and campaigns.id = new.campaign_id
  where clients.id = new.client_id and not clients.is_sample;
  if not found then
    return null;
  end if;
  update public.client_webhook_deliveries set payload = _payload
  where client_id = new.client_id and lead_id = new.id and status = 'waiting' and attempts = 0;
  if not found then
    insert into public.client_webhook_deliveries (client_id, lead_id, event, payload)
    values (new.client_id, new.id, case tg_op when 'INSERT' then 'lead.created' else 'lead.changed' end, _payload);
  end if;
  return null;
end
$$;

create trigger queue_client_webhook after insert on public.client_leads
  for each row execute function private.queue_client_webhook();
create trigger queue_client_webhook_change after update on public.client_leads for each row when (
  (old.name, old.email, old.company, old.title, old.words, old.status, old.reason)
  is distinct from (new.name, new.email, new.company, new.title, new.words, new.status, new.reason)
) execute function private.queue_client_webhook();

create trigger notify_webhook_queued after insert on public.client_webhook_deliveries
  for each statement execute function private.notify_webhook_queued();

-- Claims the next due delivery, of the client that has waited longest. Deliveries of a lead keep their order. Returns
-- null if no delivery is due.
create function private.claim_client_webhook(_claim_seconds integer) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  _delivery public.client_webhook_deliveries;
begin
  select delivery.* into _delivery
  from private.client_webhooks as webhook cross join lateral (
    select waiting.id from public.client_webhook_deliveries as waiting
    where waiting.client_id = webhook.client_id and waiting.status = 'waiting' and waiting.next_attempt_at <= now()
      and not exists (
        select from public.client_webhook_deliveries as earlier
        where earlier.client_id = waiting.client_id and earlier.lead_id = waiting.lead_id and earlier.status = 'waiting'
          and earlier.id < waiting.id
      )
    order by waiting.id limit 1
  ) as next join public.client_webhook_deliveries as delivery using (id)
  where coalesce(webhook.paused_until <= now(), true)
  order by webhook.last_sent_at nulls first, delivery.id limit 1
  for update of webhook, delivery skip locked;
  if not found then
    return null;
  end if;
  update private.client_webhooks set last_sent_at = clock_timestamp() where client_id = _delivery.client_id;
  update public.client_webhook_deliveries set
    attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => _claim_seconds)
  where id = _delivery.id;
  return (
    select jsonb_build_object(
      'id', _delivery.id, 'client', _delivery.client_id, 'lead', _delivery.lead_id, 'event', _delivery.event,
      'payload', _delivery.payload, 'attempts', _delivery.attempts + 1, 'url', webhook.url,
      'secret', 'whsec_' || encode(webhook.secret, 'base64')
    )
    from private.client_webhooks as webhook where webhook.client_id = _delivery.client_id
  );
end
$$;

-- Deletes finished deliveries after 30 days.
create function private.delete_old_client_webhooks(_at_most integer default null) returns integer
language sql security definer set search_path = '' as $$
  with deleted as (
    delete from public.client_webhook_deliveries where id in (
      select id from public.client_webhook_deliveries
      where status <> 'waiting' and created_at < now() - interval '30 days' limit _at_most
    ) returning 1
  )
  select count(*)::integer from deleted
$$;

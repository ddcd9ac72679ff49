-- Newsletter subscribers, with double opt-in and one-click unsubscribe. Another program sends the newsletter, from a
-- CSV export with unsubscribe links. Answers do not reveal whether an address is known.
create table public.newsletter_subscribers (
  id uuid primary key default gen_random_uuid(),
  email text not null check (length(email) between 3 and 255 and email !~ '[[:cntrl:][:space:]]'),
  -- Null until confirmed.
  confirmed_at timestamptz
    constraint newsletter_subscribers_confirmed_at_calendar check (confirmed_at between '1900-01-01' and '2999-12-31'),
  -- Hash of the latest link's token. Null after use.
  confirm_token_hash text,
  created_at timestamptz not null default now()
    constraint newsletter_subscribers_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  requested_at timestamptz not null default now()
    constraint newsletter_subscribers_requested_at_calendar check (requested_at between '1900-01-01' and '2999-12-31')
);
create unique index newsletter_subscribers_email_idx on public.newsletter_subscribers (lower(email));
create index newsletter_subscribers_token_idx on public.newsletter_subscribers (confirm_token_hash);
create index newsletter_subscribers_newest_idx on public.newsletter_subscribers (created_at desc);
grant delete on public.newsletter_subscribers to authenticated;
grant all on public.newsletter_subscribers to service_role;
grant select (id, email, confirmed_at, created_at) on public.newsletter_subscribers to authenticated;
alter table public.newsletter_subscribers enable row level security;
create policy "Admins read newsletter subscribers" on public.newsletter_subscribers for select to authenticated
  using ((select private.is_admin()));
create policy "Admins delete subscribers" on public.newsletter_subscribers for delete to authenticated
  using ((select private.is_admin()));

-- Returns true if the link confirmed a subscription. A link is valid once, for a week.
create function public.confirm_newsletter(_token text) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  _confirmed public.newsletter_subscribers;
begin
  perform private.limit_newsletter_links();
  update public.newsletter_subscribers set confirmed_at = now(), confirm_token_hash = null
  where confirm_token_hash = encode(sha256(convert_to(_token, 'UTF8')), 'hex')
    and confirmed_at is null and requested_at > now() - interval '7 days'
  returning * into _confirmed;
  if _confirmed.id is null then
    return false;
  end if;
  insert into private.mail_queue (recipient, template, variables) values (
    _confirmed.email, 'newsletter_welcome', jsonb_build_object(
      'Email', _confirmed.email, 'UnsubscribeToken', private.unsubscribe_token(_confirmed.id)
    )
  );
  return true;
end
$$;
grant execute on function public.confirm_newsletter to anon, authenticated, service_role;

-- Exports confirmed subscribers.
create function public.export_newsletter() returns table (email text, confirmed_at timestamptz, unsubscribe_token text)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return query
    select known.email, known.confirmed_at, private.unsubscribe_token(known.id)
    from public.newsletter_subscribers as known where known.confirmed_at is not null
    order by known.confirmed_at, known.id;
end
$$;
grant execute on function public.export_newsletter to authenticated, service_role;

-- Mails a confirmation link to an address that is not subscribed: three a day per address, 200 an hour for the site.
-- For other addresses a mail without recipient is queued, so that the response time does not reveal whether the address
-- is known.
create function public.subscribe_to_newsletter(_email text, _website text default '') returns void
language plpgsql security definer set search_path = '' as $$
declare
  _address constant text := trim(_email);
  _token constant text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  _id uuid;
begin
  if not private.is_setting_on('newsletter_signup') then
    raise exception 'The newsletter is currently disabled.';
  end if;
  if not private.claim_request('newsletter') then
    return;
  end if;
  if not private.count_for_address('newsletter', private.client_address(), 5, interval '1 hour') or not (
    private.count_for_subject('newsletter', '', 100, interval '1 hour') or (
      private.count_for_networks('newsletter in a crowd', private.client_address(), 1, interval '1 hour')
      and private.count_for_subject('newsletter in a crowd', '', 1900, interval '1 hour')
    )
  ) then
    raise sqlstate 'PT429' using message = 'Too many requests. Try again in an hour.';
  end if;
  if coalesce(_website, '') <> '' then
    return;
  end if;
  if not coalesce(private.is_email(_address), false) then
    raise exception 'Invalid email address';
  end if;
  if private.count_for_subject('newsletter to', lower(_address), 3, interval '1 day') then
    insert into public.newsletter_subscribers as known (email, confirm_token_hash)
      values (_address, encode(sha256(convert_to(_token, 'UTF8')), 'hex'))
      on conflict (lower(email)) do update
        set confirm_token_hash = excluded.confirm_token_hash, requested_at = now()
        where known.confirmed_at is null
      returning id into _id;
  end if;
  insert into private.mail_queue (recipient, template, variables) values (
    case when _id is null then 'nobody@signalfjord.invalid' else _address end, 'newsletter_confirm',
    jsonb_build_object(
      'Email', _address, 'Token', _token,
      'UnsubscribeToken', private.unsubscribe_token(coalesce(_id, gen_random_uuid()))
    )
  );
end
$$;
grant execute on function public.subscribe_to_newsletter to anon, authenticated, service_role;

-- Returns the same result without a subscription, so that the link can be opened again.
create function public.unsubscribe_from_newsletter(_token text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.limit_newsletter_links();
  if _token !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}[.][0-9a-f]{64}$' then
    return;
  end if;
  -- Compares hashes, so that the duration reveals nothing about the token.
  delete from public.newsletter_subscribers
  where id = split_part(_token, '.', 1)::uuid
    and sha256(convert_to(private.unsubscribe_token(id), 'UTF8')) = sha256(convert_to(_token, 'UTF8'));
end
$$;
grant execute on function public.unsubscribe_from_newsletter to anon, authenticated, service_role;

create function private.limit_newsletter_links() returns void language plpgsql security definer set search_path = '' as $$
begin
  if not private.count_for_address('newsletter link', private.client_address(), 60, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'Too many requests. Try again in an hour.';
  end if;
end
$$;

-- Returns the id with its signature. Constant for the life of the subscription, and not stored.
create function private.unsubscribe_token(_id uuid) returns text language sql stable security definer set search_path = '' as $$
  select _id || '.' || encode(sha256(value || convert_to(
    encode(sha256(value || convert_to(_id::text, 'UTF8')), 'hex'), 'UTF8'
  )), 'hex')
  from private.secrets where name = 'newsletter_links'
$$;

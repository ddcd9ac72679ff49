-- Leads: potential clients. Visitors leave an address through submit_lead() if its setting is on. Admins manage all
-- leads. Team members read them and change status, note and owner.
create table public.leads (
  id uuid primary key default gen_random_uuid(),
  source text not null check (source in ('assistant', 'contact', 'booking', 'newsletter', 'transcript')),
  -- Single lines, because mails contain them.
  name text not null default '' check (length(name) <= 100 and name !~ '[[:cntrl:]]'),
  email text not null default '' check (length(email) <= 255 and email !~ '[[:cntrl:][:space:]]'),
  phone text not null default '' check (length(phone) <= 40 and phone ~ '^[0-9+()./ -]*$'),
  -- Preferred time for a call, as entered.
  call_time text not null default '' check (length(call_time) <= 100 and call_time !~ '[[:cntrl:]]'),
  message text not null default '' check (length(message) <= 4000),
  -- The page with the form.
  page text not null default '' check (length(page) <= 500 and page !~ '[[:cntrl:]]'),
  service text not null default '' check (length(service) <= 200 and service !~ '[[:cntrl:]]'),
  -- Null if the chat was deleted. The lead stays without its transcript.
  conversation_id uuid references public.conversations (id) on delete set null,
  status text not null default 'new' check (status in ('new', 'contacted', 'won', 'lost')),
  note text not null default '' check (length(note) <= 4000),
  owner_id uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
    constraint leads_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  updated_at timestamptz not null default now()
    constraint leads_updated_at_calendar check (updated_at between '1900-01-01' and '2999-12-31'),
  changed_by uuid references auth.users (id) on delete set null,
  search_text text generated always as (lower(translate(
    name || ' ' || email || ' ' || phone || ' ' || message || ' ' || note,
    'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞ', 'àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþ'
  ))) stored,
  check (email <> '' or phone <> '')
);
create index leads_email_idx on public.leads (lower(email));
create index leads_owner_idx on public.leads (owner_id);
create index leads_conversation_idx on public.leads (conversation_id);
-- One lead per conversation, even if two requests arrive at the same time.
create unique index leads_one_per_chat_idx on public.leads (conversation_id) where source = 'assistant';
create index leads_changed_by_idx on public.leads (changed_by);
create index leads_newest_idx on public.leads (created_at desc, id);
create index leads_status_idx on public.leads (status, created_at desc, id);
grant select, delete on public.leads to authenticated;
grant all on public.leads to service_role;
grant
  insert (source, name, email, phone, call_time, message, page, service, conversation_id, status, note, owner_id),
  update (status, note, owner_id) on public.leads to authenticated;
alter table public.leads enable row level security;
create policy "Admins read all leads" on public.leads for select to authenticated using ((select private.is_admin()));
create policy "Team members read all leads" on public.leads for select to authenticated using ((select private.is_team()));
create policy "Admins create leads from transcripts" on public.leads for insert to authenticated
  with check ((select private.is_admin()) and source = 'transcript');
create policy "Admins and team members update leads" on public.leads for update to authenticated
  using ((select private.is_admin()) or (select private.is_team()))
  with check ((select private.is_admin()) or (select private.is_team()));
create policy "Admins delete leads" on public.leads for delete to authenticated using ((select private.is_admin()));

create trigger touch_updated_at before update on public.leads for each row execute function private.touch_updated_at();

-- The site accepts 500 messages a day without a verified address. Beyond that, a message is held for 15 minutes until
-- its writer opens the link in a mail, at most 10,000 a day.
create table private.held_leads (
  token_hash text primary key check (token_hash ~ '^[0-9a-f]{64}$'),
  -- The future row of public.leads.
  lead jsonb not null check (jsonb_typeof(lead) = 'object'),
  expires_at timestamptz not null default (now() + '00:15:00')
);
create index held_leads_expiry_idx on private.held_leads (expires_at);
alter table private.held_leads enable row level security;

-- Stores a lead from the contact form ('contact'), or once for the conversation whose id the caller holds
-- ('assistant'). `_website` is a honeypot field: if it is filled in, nothing is stored and the answer is the same.
-- Limits: 5 an hour per network address, 1,000 a day in total.
create function public.submit_lead(
  _source text, _email text, _name text default '', _phone text default '', _call_time text default '',
  _message text default '', _page text default '', _service text default '', _website text default ''
) returns void language plpgsql security definer set search_path = '' as $$
declare
  _lead constant public.leads :=
    private.new_lead(_source, _email, _name, _phone, _call_time, _message, _page, _service, _website);
begin
  if _lead.source is null then
    return;
  end if;
  if not private.claim_request('submit_lead') then
    return;
  end if;
  if not private.count_for_subject('lead', '', 500, interval '1 day') then
    if not private.use_captcha_proof() then
      raise sqlstate 'PT428' using
        message = 'Many people are writing right now. Please confirm your address with the link that we email you.',
        hint = 'Call hold_lead with the same values to send the link, or pass a captcha proof in the x-captcha-proof header.';
    end if;
    if not private.count_for_subject('proven lead', '', 10000, interval '1 day') then
      raise sqlstate 'PT429' using message = 'Too many people are writing right now. Please send us an email instead.';
    end if;
  end if;
  perform private.save_lead(_lead);
end
$$;
grant execute on function public.submit_lead to anon, authenticated, service_role;

-- Holds a message for 15 minutes and mails the link that submits it.
create function public.hold_lead(
  _source text, _email text, _name text default '', _phone text default '', _call_time text default '',
  _message text default '', _page text default '', _service text default '', _website text default ''
) returns void language plpgsql security definer set search_path = '' as $$
declare
  _token constant text := private.new_booking_token();
  _lead constant public.leads :=
    private.new_lead(_source, _email, _name, _phone, _call_time, _message, _page, _service, _website);
begin
  if _lead.source is null then
    return;
  end if;
  if not private.claim_request('hold_lead') then
    return;
  end if;
  perform private.limit_confirmation_mails(_lead.email);
  insert into private.held_leads (token_hash, lead)
    values (private.booking_token_hash(_token), jsonb_strip_nulls(to_jsonb(_lead)));
  -- Keeps the newest 1,000.
  delete from private.held_leads where expires_at <= now() or token_hash in (
    select token_hash from private.held_leads order by expires_at desc, token_hash offset 1000
  );
  insert into private.mail_queue (recipient, template, variables) values (
    _lead.email, 'lead_proof', jsonb_build_object('Email', _lead.email, 'Token', _token)
  );
end
$$;
grant execute on function public.hold_lead to anon, authenticated, service_role;

-- Submits a held message. Returns true if the link was valid. It works once.
create function public.confirm_lead(_token text) returns boolean language plpgsql security definer set search_path = '' as $$
declare
  _held private.held_leads;
begin
  delete from private.held_leads
    where token_hash = private.booking_token_hash(coalesce(_token, '')) and expires_at > now()
    returning * into _held;
  if not found then
    return false;
  end if;
  if not private.count_for_subject('proven lead', '', 10000, interval '1 day') then
    raise sqlstate 'PT429' using message = 'Too many people are writing right now. Please send us an email instead.';
  end if;
  perform private.save_lead(jsonb_populate_record(null::public.leads, _held.lead));
  return true;
end
$$;
grant execute on function public.confirm_lead to anon, authenticated, service_role;

-- Returns the lead to store. No row if the honeypot field is filled in.
create function private.new_lead(
  _source text, _email text, _name text, _phone text, _call_time text, _message text, _page text, _service text, _website text
) returns public.leads language plpgsql security definer set search_path = '' as $$
declare
  _lead public.leads;
  _said text;
begin
  if _source is null or _source not in ('contact', 'assistant') or not private.is_setting_on(
    case _source when 'contact' then 'keep_contact_messages' else 'leads_from_chat' end
  ) then
    raise exception 'The contact form is disabled. Please send us an email instead.';
  end if;
  if not private.count_for_address('lead', private.client_address(), 5, interval '1 hour') then
    raise sqlstate 'PT429' using
      message = 'You have already sent several messages. Try again in an hour, or send us an email.';
  end if;
  if coalesce(_website, '') <> '' then
    return null;
  end if;
  if not coalesce(private.is_email(trim(_email)), false) then
    raise exception 'Invalid email address';
  end if;
  if _source = 'contact' and (coalesce(trim(_name), '') = '' or coalesce(trim(_message), '') = '') then
    raise exception 'Name and message are required';
  end if;
  if length(_message) > 1000 then
    raise exception 'Message must be less than 1000 characters';
  end if;
  if trim(_phone) !~ '^[0-9+()./ -]{0,40}$' then
    raise exception 'Enter a valid phone number, such as +47 22 00 00 00.';
  end if;
  if _source = 'assistant' then
    select id into _lead.conversation_id from public.conversations
    where id = private.current_conversation_id() and message_count > 0;
    if not found then
      raise exception 'This conversation no longer exists. Please send us an email instead.';
    end if;
    select left(content, 1000) into _said from public.chat_messages
    where conversation_id = _lead.conversation_id and role = 'user' order by created_at desc limit 1;
  end if;
  _lead.source := _source;
  _lead.name := private.one_line(_name, 100);
  _lead.email := trim(_email);
  _lead.phone := coalesce(trim(_phone), '');
  _lead.call_time := private.one_line(_call_time, 100);
  _lead.message := coalesce(nullif(trim(_message), ''), _said, '');
  _lead.page := private.one_line(_page, 500);
  _lead.service := private.one_line(_service, 200);
  return _lead;
end
$$;

create function private.save_lead(_lead public.leads) returns void language sql security definer set search_path = '' as $$
  insert into public.leads (source, name, email, phone, call_time, message, page, service, conversation_id)
  values (
    _lead.source, _lead.name, _lead.email, _lead.phone, _lead.call_time, _lead.message, _lead.page, _lead.service,
    -- Null if the conversation has been deleted.
    (select id from public.conversations where id = _lead.conversation_id)
  )
  on conflict (conversation_id) where source = 'assistant' do nothing
$$;

-- Lists possible owners of a lead. Team members cannot read each other's names otherwise.
create function public.lead_owners() returns table (id uuid, name text)
language plpgsql stable security definer set search_path = '' as $$
begin
  if not (private.is_admin() or private.is_team()) then
    raise exception 'Only admins and team members can do this' using errcode = '42501';
  end if;
  return query
    select users.id, coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), users.email::text, 'Unknown')
    from public.user_roles join auth.users on users.id = user_roles.user_id
    where user_roles.role in ('admin', 'team') and user_roles.approved
    order by 2;
end
$$;
grant execute on function public.lead_owners to authenticated, service_role;

-- Counts the leads that are deleted with an account.
create function public.count_leads_of(_user_id uuid) returns integer
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (select count(*) from auth.users, private.leads_of(users.email) where users.id = _user_id);
end
$$;
grant execute on function public.count_leads_of to authenticated;

-- Returns true if the conversation whose id the caller holds has a lead, so that the chat asks for contact details only
-- once.
create function public.has_chat_lead() returns boolean language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.leads where conversation_id = private.current_conversation_id() and source = 'assistant'
  )
$$;
grant execute on function public.has_chat_lead to anon, authenticated, service_role;

create function private.check_lead_owner() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if not exists (
    select from public.user_roles where user_id = new.owner_id and role in ('admin', 'team') and approved
  ) then
    raise exception 'Only admins and team members can own a lead.' using errcode = '23514';
  end if;
  return new;
end
$$;

create function private.leads_of(_email text) returns setof public.leads
language sql stable security definer set search_path = '' as $$
  select * from public.leads where _email <> '' and lower(email) = lower(_email)
$$;

create function private.make_lead_of_booking() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.leads (source, name, email, phone, call_time, message, page, service)
    select 'booking', new.name, new.email, new.phone,
      left(private.format_slot(new.slot, (select time_zone from public.booking_rules)), 100), new.message, '/#booking',
      new.service
    where not exists (
      select from public.leads where lower(email) = lower(new.email) and status in ('new', 'contacted')
    );
  return null;
end
$$;

create trigger check_owner before insert or update of owner_id on public.leads
  for each row when (new.owner_id is not null) execute function private.check_lead_owner();

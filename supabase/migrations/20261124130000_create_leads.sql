-- Leads: who may become a client. Visitors leave an address through take_lead(), while the setting for it is on, and see
-- nothing of the table. Admins have all of it; approved team members read it and change status, note and owner.

-- Whether who asks is an approved team member. As private.is_admin(), it looks on every request.
create function private.is_team() returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.user_roles
    where user_id = (select private.user_id()) and role = 'team' and approved
  )
$$;
revoke all on function private.is_team() from public;
grant execute on function private.is_team() to anon, authenticated, service_role;

create table public.leads (
  id uuid primary key default gen_random_uuid(),
  source text not null check (source in ('assistant', 'contact', 'booking', 'newsletter', 'transcript')),
  -- One line each: they go into mails.
  name text not null default '' check (length(name) <= 100 and name !~ '[[:cntrl:]]'),
  email text not null default '' check (length(email) <= 255 and email !~ '[[:cntrl:][:space:]]'),
  phone text not null default '' check (length(phone) <= 40 and phone ~ '^[0-9+()./ -]*$'),
  -- When they want to be called, in their words.
  call_time text not null default '' check (length(call_time) <= 100 and call_time !~ '[[:cntrl:]]'),
  message text not null default '' check (length(message) <= 4000),
  -- The page that they wrote from.
  page text not null default '' check (length(page) <= 500 and page !~ '[[:cntrl:]]'),
  service text not null default '' check (length(service) <= 200 and service !~ '[[:cntrl:]]'),
  -- A deleted chat leaves the lead without its transcript.
  conversation_id uuid references public.conversations (id) on delete set null,
  status text not null default 'new' check (status in ('new', 'contacted', 'won', 'lost')),
  note text not null default '' check (length(note) <= 4000),
  owner_id uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (email <> '' or phone <> '')
);
create index leads_newest_idx on public.leads (created_at desc);
create index leads_status_idx on public.leads (status, created_at desc);
create index leads_email_idx on public.leads (lower(email));
create index leads_owner_idx on public.leads (owner_id);
create index leads_conversation_idx on public.leads (conversation_id);
-- Once per conversation, also when two requests race.
create unique index leads_one_per_chat_idx on public.leads (conversation_id) where source = 'assistant';

revoke all on table public.leads from anon, authenticated;
grant select, delete, update (status, note, owner_id),
  insert (source, name, email, phone, call_time, message, page, service, conversation_id, status, note, owner_id)
  on table public.leads to authenticated;
grant all on table public.leads to service_role;
alter table public.leads enable row level security;

create policy "Admins read all leads" on public.leads
  for select to authenticated using ((select private.is_admin()));
create policy "Team members read all leads" on public.leads
  for select to authenticated using ((select private.is_team()));
create policy "Admins make leads from transcripts" on public.leads
  for insert to authenticated with check ((select private.is_admin()) and source = 'transcript');
create policy "Admins and team members follow leads up" on public.leads
  for update to authenticated
  using ((select private.is_admin()) or (select private.is_team()))
  with check ((select private.is_admin()) or (select private.is_team()));
create policy "Admins delete leads" on public.leads
  for delete to authenticated using ((select private.is_admin()));

create trigger touch_updated_at before update on public.leads
  for each row execute function private.touch_updated_at();

create function private.check_lead_owner() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not exists (
    select from public.user_roles where user_id = new.owner_id and role in ('admin', 'team') and approved
  ) then
    raise exception 'Only admins and team members can own a lead.' using errcode = '23514';
  end if;
  return new;
end
$$;
revoke all on function private.check_lead_owner() from public;
create trigger check_owner before insert or update of owner_id on public.leads
  for each row when (new.owner_id is not null) execute function private.check_lead_owner();

-- Who can own a lead. Team members have no other way to each other's names.
create function public.lead_owners() returns table (id uuid, name text)
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not (private.is_admin() or private.is_team()) then
    raise exception 'Only admins and team members may do this' using errcode = '42501';
  end if;
  return query
    select users.id, coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), users.email::text, 'Unknown')
    from public.user_roles join auth.users on users.id = user_roles.user_id
    where user_roles.role in ('admin', 'team') and user_roles.approved
    order by 2;
end
$$;
revoke all on function public.lead_owners() from public, anon, authenticated;
grant execute on function public.lead_owners() to authenticated, service_role;

-- Pages read these to know whether to send anything at all; take_lead() asks them again.
create policy "Visitors read what they may leave" on public.site_settings
  for select to anon, authenticated using (setting_key in (
    'keep_contact_messages', 'newsletter_signup', 'leads_from_chat'
  ));

-- Whether an on-off setting is on. All are off until somebody saves them.
create function private.is_on(key text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from public.site_settings where setting_key = key and setting_value = 'on')
$$;
revoke all on function private.is_on(text) from public;

-- As private.count_for_address(), for something else than an address: an e-mail address, or '' for the whole site.
create function private.count_for_subject(kind text, subject_name text, allowed integer, period interval) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.chat_counts as counted (subject, count, expires_at)
    select encode(sha256(convert_to(salt || kind || ' of ' || subject_name, 'UTF8')), 'hex'), 1, now() + period
    from private.chat_salt
    on conflict (subject) do update set
      count = case when counted.expires_at <= now() then 1 else counted.count + 1 end,
      expires_at = case when counted.expires_at <= now() then excluded.expires_at else counted.expires_at end
    where counted.expires_at <= now() or counted.count < allowed;
  return found;
end
$$;
revoke all on function private.count_for_subject(text, text, integer, interval) from public;

-- An address that mail can be sent to, in one line. What is in it is the concern of whoever owns the domain.
create function private.is_email(text) returns boolean
language sql immutable set search_path = ''
as $$
  select length($1) between 3 and 255
    and $1 ~ '^[^][[:space:][:cntrl:]<>",;:()@\\]+@[^][[:space:][:cntrl:]<>",;:()@\\]+\.[^][[:space:][:cntrl:]<>",;:()@\\.]+$'
$$;
revoke all on function private.is_email(text) from public;

-- A text as one line of at most that many characters.
create function private.one_line(text, integer) returns text
language sql immutable set search_path = ''
as $$
  select left(trim(regexp_replace(coalesce($1, ''), '[[:cntrl:]]+', ' ', 'g')), $2)
$$;
revoke all on function private.one_line(text, integer) from public;

-- Takes a lead: from the contact form ('contact'), or for the conversation whose id the caller holds ('assistant'), once
-- for each. `_website` is a field that people do not see: who fills it in is answered like everybody, and nothing is kept.
-- One address leaves 5 an hour, all together 1,000 a day.
create function public.take_lead(
  _source text, _email text, _name text default '', _phone text default '', _call_time text default '',
  _message text default '', _page text default '', _service text default '', _website text default ''
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  _chat uuid;
  _said text;
begin
  if _source is null or _source not in ('contact', 'assistant') or not private.is_on(
    case _source when 'contact' then 'keep_contact_messages' else 'leads_from_chat' end
  ) then
    raise exception 'Messages are not taken here. Please write an e-mail.';
  end if;
  if not private.count_for_address('lead', private.client_address(), 5, interval '1 hour') then
    raise sqlstate 'PT429' using
      message = 'You have sent several messages already. Please wait an hour, or write an e-mail.';
  end if;
  if coalesce(_website, '') <> '' then
    return;
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
    raise exception 'Enter a phone number with digits, such as +47 22 00 00 00.';
  end if;
  if _source = 'assistant' then
    select id into _chat from public.conversations where id = private.held_conversation() and message_count > 0;
    if not found then
      raise exception 'This conversation is gone. Please write an e-mail.';
    end if;
    select left(content, 1000) into _said from public.chat_messages
    where conversation_id = _chat and role = 'user' order by created_at desc limit 1;
  end if;
  if not private.count_for_subject('lead', '', 1000, interval '1 day') then
    raise sqlstate 'PT429' using message = 'Too many people are writing at the moment. Please write an e-mail.';
  end if;
  insert into public.leads (source, name, email, phone, call_time, message, page, service, conversation_id)
  values (
    _source, private.one_line(_name, 100), trim(_email), coalesce(trim(_phone), ''), private.one_line(_call_time, 100),
    coalesce(nullif(trim(_message), ''), _said, ''), private.one_line(_page, 500), private.one_line(_service, 200), _chat
  )
  on conflict (conversation_id) where source = 'assistant' do nothing;
end
$$;
revoke all on function public.take_lead(text, text, text, text, text, text, text, text, text)
  from public, anon, authenticated;
grant execute on function public.take_lead(text, text, text, text, text, text, text, text, text)
  to anon, authenticated, service_role;

-- Whether somebody left an address in the conversation whose id the caller holds, so that it is asked for once.
create function public.has_left_address() returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.leads where conversation_id = private.held_conversation() and source = 'assistant'
  )
$$;
revoke all on function public.has_left_address() from public, anon, authenticated;
grant execute on function public.has_left_address() to anon, authenticated, service_role;

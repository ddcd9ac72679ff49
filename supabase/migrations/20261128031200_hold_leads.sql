-- 500 messages a day are taken without proof of an address, half of what the site took until now. From then on a message
-- waits for 15 minutes until its writer presses the button behind a link by mail; ten thousand a day may.

create table private.held_leads (
  token_hash text primary key check (token_hash ~ '^[0-9a-f]{64}$'),
  -- The row of public.leads that it becomes.
  lead jsonb not null check (jsonb_typeof(lead) = 'object'),
  expires_at timestamptz not null default now() + interval '15 minutes'
);
create index held_leads_expiry_idx on private.held_leads (expires_at);
alter table private.held_leads enable row level security;
revoke all on table private.held_leads from public, anon, authenticated;

-- The lead as it would be kept. No row for whoever filled in the field that people do not see.
create function private.new_lead(
  _source text, _email text, _name text, _phone text, _call_time text, _message text, _page text, _service text,
  _website text
) returns public.leads
language plpgsql security definer set search_path = ''
as $$
declare
  _lead public.leads;
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
    raise exception 'Enter a phone number with digits, such as +47 22 00 00 00.';
  end if;
  if _source = 'assistant' then
    select id into _lead.conversation_id from public.conversations
    where id = private.held_conversation() and message_count > 0;
    if not found then
      raise exception 'This conversation is gone. Please write an e-mail.';
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
revoke all on function private.new_lead(text, text, text, text, text, text, text, text, text) from public;

create function private.save_lead(_lead public.leads) returns void
language sql security definer set search_path = ''
as $$
  insert into public.leads (source, name, email, phone, call_time, message, page, service, conversation_id)
  values (
    _lead.source, _lead.name, _lead.email, _lead.phone, _lead.call_time, _lead.message, _lead.page, _lead.service,
    -- Deleted meanwhile, perhaps.
    (select id from public.conversations where id = _lead.conversation_id)
  )
  on conflict (conversation_id) where source = 'assistant' do nothing
$$;
revoke all on function private.save_lead(public.leads) from public;

create or replace function public.take_lead(
  _source text, _email text, _name text default '', _phone text default '', _call_time text default '',
  _message text default '', _page text default '', _service text default '', _website text default ''
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  _lead constant public.leads :=
    private.new_lead(_source, _email, _name, _phone, _call_time, _message, _page, _service, _website);
begin
  if _lead.source is null then
    return;
  end if;
  if not private.count_for_subject('lead', '', 500, interval '1 day') then
    raise sqlstate 'PT428' using
      message = 'Many people are writing at the moment. Please confirm your address with a link by mail.',
      hint = 'Call hold_lead with the same values: it sends the link.';
  end if;
  perform private.save_lead(_lead);
end
$$;

-- Keeps a message for 15 minutes and mails the link that hands it over.
create function public.hold_lead(
  _source text, _email text, _name text default '', _phone text default '', _call_time text default '',
  _message text default '', _page text default '', _service text default '', _website text default ''
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  _token constant text := private.new_booking_token();
  _lead constant public.leads :=
    private.new_lead(_source, _email, _name, _phone, _call_time, _message, _page, _service, _website);
begin
  if _lead.source is null then
    return;
  end if;
  perform private.limit_proof_mails(_lead.email);
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
revoke all on function public.hold_lead(text, text, text, text, text, text, text, text, text) from public;
grant execute on function public.hold_lead(text, text, text, text, text, text, text, text, text)
  to anon, authenticated, service_role;

-- Hands over what a link holds. @returns whether the link was good, once
create function public.confirm_lead(_token text) returns boolean
language plpgsql security definer set search_path = ''
as $$
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
    raise sqlstate 'PT429' using message = 'Too many people are writing at the moment. Please write an e-mail.';
  end if;
  perform private.save_lead(jsonb_populate_record(null::public.leads, _held.lead));
  return true;
end
$$;
revoke all on function public.confirm_lead(text) from public;
grant execute on function public.confirm_lead(text) to anon, authenticated, service_role;

create or replace function private.forget_person_but_bookings(_user_id uuid, _with_chats boolean) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  _email constant text := coalesce((select lower(email) from auth.users where id = _user_id), '');
begin
  if _with_chats and _email <> '' then
    delete from public.leads where lower(email) = _email
      -- Made of a chat that goes too.
      or conversation_id in (select private.chats_naming(_email));
    delete from private.held_leads where lower(lead ->> 'email') = _email;
    delete from public.newsletter_subscribers where lower(email) = _email;
  end if;
  perform private.forget_person_without_leads(_user_id, _with_chats);
end
$$;

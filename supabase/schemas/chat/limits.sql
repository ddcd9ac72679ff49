-- Visitors write without signing in, so the database limits writes per network address, per conversation and for the
-- site, across all server processes.
create table public.chat_usage (
  day date primary key constraint chat_usage_day_calendar check (day between '1900-01-01' and '2999-12-31'),
  replies integer not null default 0
);
grant select on public.chat_usage to authenticated;
grant all on public.chat_usage to service_role;
alter table public.chat_usage enable row level security;
create policy "Admins read the usage of the chat" on public.chat_usage for select to authenticated
  using ((select private.is_admin()));

-- Runs before anything is stored. Only holders of the id learn that a conversation is full.
create function private.limit_chat_messages() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(current_setting('chat.new_message', true), '') <> '' then
    raise exception 'Only one message can be sent per request';
  end if;
  perform set_config('chat.new_message', 'written', true);
  if exists (
    select from public.conversations
    where id = new.conversation_id and id = private.current_conversation_id()
      and (message_count >= 500 or content_bytes + octet_length(new.content) > 200000)
  ) then
    raise exception 'This conversation is full. Please start a new one.';
  end if;
  if not private.count_for_address('message', private.client_address(), 60, interval '1 minute') then
    raise sqlstate 'PT429' using
      message = 'Too many messages. Wait a minute, or book a meeting to talk to a person.';
  end if;
  return new;
end
$$;

create function private.limit_conversations() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if not private.count_for_address('conversation', private.client_address(), 10, interval '1 hour') then
    raise sqlstate 'PT429' using
      message = 'You have started many conversations. Try again in an hour, or book a meeting to talk to a person.';
  end if;
  perform private.delete_oldest_conversations();
  return new;
end
$$;

-- Keeps the site below 10,000 conversations and 200 MB. Beyond that, it deletes 1% of them, at most 100 per message,
-- because the visitor's message is stored afterwards.
create function private.delete_oldest_conversations() returns void
language plpgsql security definer set search_path = '' as $$
declare
  _items bigint;
  _bytes bigint;
begin
  delete from private.rate_limit_counters where subject in (
    select subject from private.rate_limit_counters where expires_at <= now() limit 1000 for update skip locked
  );
  select count(*), coalesce(sum(content_bytes), 0) into _items, _bytes from public.conversations;
  if (_items <= 10000 and _bytes <= 200000000)
    -- Another session is already cleaning up.
    or not pg_try_advisory_xact_lock(hashtext('private.delete_oldest_conversations')) then
    return;
  end if;
  with held as materialized (
    select private.current_conversation_id() as id
  ), empty as (
    select conversation.id, content_bytes, last_message_at from public.conversations as conversation, held
    where message_count = 0 and created_at <= now() - interval '1 hour' and conversation.id is distinct from held.id
    order by last_message_at, conversation.id desc limit 100
  ), said as (
    select conversation.id, content_bytes, last_message_at from public.conversations as conversation, held
    where (message_count > 0 or created_at > now() - interval '1 hour') and conversation.id is distinct from held.id
    order by last_message_at, conversation.id desc limit 100
  ), tail as (
    select id, row_number() over oldest_first - 1 as items, sum(content_bytes) over oldest_first - content_bytes as bytes
    from (select true as is_empty, * from empty union all select false, * from said) as candidate
    window oldest_first as (order by is_empty desc, last_message_at, id desc rows unbounded preceding)
    limit 100
  )
  delete from public.conversations where id in (
    select id from tail where _items - items > 9900 or _bytes - bytes > 198000000
  );
end
$$;

-- Postgres runs triggers in the order of their names. start_conversation must run first, because it rejects inserts of
-- several rows.
create trigger start_conversation_limit before insert on public.conversations
  for each row when (current_user in ('anon', 'authenticated')) execute function private.limit_conversations();

create trigger limit_chat_messages before insert on public.chat_messages
  for each row when (current_user in ('anon', 'authenticated')) execute function private.limit_chat_messages();

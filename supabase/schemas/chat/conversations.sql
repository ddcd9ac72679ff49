-- Chat conversations. The id is the secret of its visitor, sent in the header `x-conversation-id`. Visitors and
-- signed-in users see only that row. Admins read and delete all.
create table public.conversations (
  id uuid primary key default gen_random_uuid(),
  created_at timestamptz not null default now()
    constraint conversations_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  last_message_at timestamptz not null default now()
    constraint conversations_last_message_at_calendar check (last_message_at between '1900-01-01' and '2999-12-31'),
  message_count integer not null default 0,
  content_bytes integer not null default 0
);
create index conversations_newest_idx on public.conversations (last_message_at desc);
grant select on public.conversations to anon;
grant select, delete on public.conversations to authenticated;
grant all on public.conversations to service_role;
grant update (last_message_at), insert (last_message_at) on public.conversations to anon;
grant insert (last_message_at), update (last_message_at) on public.conversations to authenticated;
alter table public.conversations enable row level security;
create policy "Anyone can start a conversation" on public.conversations for insert to anon, authenticated with check (true);
create policy "Admins read all conversations" on public.conversations for select to authenticated
  using ((select private.is_admin()));
create policy "Admins delete conversations" on public.conversations for delete to authenticated
  using ((select private.is_admin()));

-- Messages of a conversation, for holders of its id. Append-only.
create table public.chat_messages (
  id uuid primary key default gen_random_uuid(),
  conversation_id uuid not null references public.conversations (id) on delete cascade,
  role text not null check (role in ('user', 'assistant')),
  content text not null,
  -- clock_timestamp() keeps the order of messages within one transaction.
  created_at timestamptz not null default clock_timestamp()
    constraint chat_messages_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  check (length(content) between 1 and case role when 'user' then 4000 else 16000 end)
);
create index chat_messages_conversation_idx on public.chat_messages (conversation_id, created_at);
create index chat_messages_asked_idx on public.chat_messages (created_at desc) where role = 'user';
grant select on public.chat_messages to anon, authenticated;
grant all on public.chat_messages to service_role;
grant insert (conversation_id, role, content) on public.chat_messages to anon, authenticated;
alter table public.chat_messages enable row level security;
create policy "Admins read all chat messages" on public.chat_messages for select to authenticated
  using ((select private.is_admin()));

create function public.find_conversations(_search text, _limit integer default 24, _offset integer default 0) returns table (
  id uuid, created_at timestamptz, last_message_at timestamptz, message_count integer, excerpt text, total integer
) language sql stable set search_path = '' as $$
  with asked as materialized (
    select '%' || regexp_replace(_search, '([\\%_])', '\\\1', 'g') || '%' as pattern, octet_length(_search) = length(_search) as is_ascii
  ), said as materialized (
    -- ASCII compares the same in every collation, and twice as fast in "C".
    select distinct message.conversation_id as id from public.chat_messages as message cross join asked
    where case when is_ascii then message.content collate "C" ilike pattern else message.content ilike pattern end
  ), found as materialized (
    select conversation.id, conversation.created_at, conversation.last_message_at, conversation.message_count
    from said join public.conversations as conversation using (id) where conversation.message_count > 0
  )
  select page.id, page.created_at, page.last_message_at, page.message_count,
    (
      select message.content from public.chat_messages as message
      where message.conversation_id = page.id and message.content ilike pattern order by message.created_at limit 1
    ),
    (select count(*)::integer from found)
  from (
    select * from found order by last_message_at desc, id limit least(greatest(_limit, 1), 100) offset greatest(_offset, 0)
  ) as page cross join asked
  order by page.last_message_at desc, page.id
$$;
grant execute on function public.find_conversations to authenticated, service_role;

-- Records the new conversation in a setting that the API cannot set and that ends with the transaction. Used by
-- private.current_conversation_id().
create function private.start_conversation() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(current_setting('chat.new_conversation', true), '') <> '' then
    raise exception 'Only one conversation can be started per request';
  end if;
  perform set_config('chat.new_conversation', new.id::text, true);
  new.last_message_at := now();
  return new;
end
$$;

-- Uses the server's time, because the visitor's clock may be wrong.
create function private.touch_last_message_at() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  new.last_message_at := now();
  return new;
end
$$;

-- Limits updates of last_message_at. The browser sends one after each message.
create function private.limit_conversation_updates() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if not private.count_for_address('touch', private.client_address(), 60, interval '1 minute') then
    raise sqlstate 'PT429' using
      message = 'Too many messages. Wait a minute, or book a meeting to talk to a person.';
  end if;
  return new;
end
$$;

-- Returns the conversation that this transaction may access: the one it created, so that the insert can return the id,
-- or the one in the request's header. Null for an invalid id.
create function private.current_conversation_id() returns uuid language plpgsql stable security definer set search_path = '' as $$
declare
  held text := coalesce(
    nullif(current_setting('chat.new_conversation', true), ''),
    nullif(current_setting('request.headers', true), '')::json ->> 'x-conversation-id'
  );
begin
  if held ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
    return held::uuid;
  end if;
  return null;
end
$$;
grant execute on function private.current_conversation_id to anon, authenticated, service_role;

-- Runs after the insert and its policies, so that only the holder of the id learns that a conversation is full.
create function private.count_chat_message() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  added constant integer := octet_length(new.content);
  total integer;
begin
  update public.conversations
    set message_count = message_count + 1, content_bytes = content_bytes + added, last_message_at = now()
    where id = new.conversation_id and message_count < 500 and content_bytes + added <= 200000
    returning content_bytes into total;
  if not found then
    raise exception 'This conversation is full. Please start a new one.';
  end if;
  -- Summing up all sizes is slow, so it is done once per 20 kB of a conversation.
  if total / 20000 > (total - added) / 20000 then
    perform private.delete_oldest_conversations();
  end if;
  return null;
end
$$;

create function private.chats_of(_user_id uuid) returns setof uuid
language sql stable security definer set search_path = '' as $$ select private.chats_mentioning(email) from auth.users where id = _user_id $$;

-- Lists conversations that mention the address. First skips messages without any address, because searching 200 MB
-- takes seconds.
create function private.chats_mentioning(_email text) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select distinct conversation_id from public.chat_messages
  where _email <> '' and content like '%@%' and position(lower(_email) in lower(content)) > 0 and lower(content) ~ (
    '(?<![[:alnum:]_%+-])(?<![[:alnum:]][.])'
    || regexp_replace(lower(_email), '([!$()*+.:<=>?[\\\]^{|}-])', '\\\1', 'g')
    || '(?![[:alnum:]]|[.-][[:alnum:]])'
  )
$$;

create function private.chats_with_messages_of(_user_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', chat.id, 'created_at', chat.created_at, 'messages', (
      select jsonb_agg(jsonb_build_object('role', role, 'content', content, 'created_at', created_at) order by created_at)
      from public.chat_messages where conversation_id = chat.id
    )
  ) order by chat.created_at), '[]')
  from public.conversations as chat where chat.id in (select private.chats_of(_user_id))
$$;

-- Counts the chats that are deleted with an account.
create function public.count_chats_mentioning(_user_id uuid) returns integer
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (select count(*) from auth.users, private.chats_mentioning(users.email) where users.id = _user_id);
end
$$;
grant execute on function public.count_chats_mentioning to authenticated;

-- Runs daily. Returns the number of deleted conversations.
create function private.delete_expired_conversations(_at_most integer default null) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  _before constant timestamptz := private.retention_cutoff();
  _deleted integer;
  _sum integer := 0;
begin
  delete from public.conversations where id in (
    select id from public.conversations
    where last_message_at < _before or (message_count = 0 and created_at < now() - interval '1 day')
    limit _at_most
  );
  get diagnostics _deleted = row_count;
  _sum := _sum + _deleted;
  delete from public.leads where id in (select id from public.leads where updated_at < _before limit _at_most);
  get diagnostics _deleted = row_count;
  _sum := _sum + _deleted;
  -- Subscribers who never confirmed.
  delete from public.newsletter_subscribers where id in (
    select id from public.newsletter_subscribers
    where confirmed_at is null and requested_at < now() - interval '7 days' limit _at_most
  );
  get diagnostics _deleted = row_count;
  _sum := _sum + _deleted;
  delete from public.lead_webhook_deliveries where id in (
    select id from public.lead_webhook_deliveries
    where status <> 'waiting' and created_at < now() - interval '30 days' limit _at_most
  );
  get diagnostics _deleted = row_count;
  _sum := _sum + _deleted;
  -- One row per day.
  delete from public.chat_usage where day < (now() at time zone 'utc')::date - 400;
  return _sum;
end
$$;

create policy "Visitors read their own conversation" on public.conversations for select to anon, authenticated
  using (id = (select private.current_conversation_id()));
create policy "Visitors update their own conversation" on public.conversations for update to anon, authenticated
  using (id = (select private.current_conversation_id())) with check (id = (select private.current_conversation_id()));

create policy "Visitors read the messages of their own conversation" on public.chat_messages
  for select to anon, authenticated using (conversation_id = (select private.current_conversation_id()));
create policy "Visitors add messages to their own conversation" on public.chat_messages for insert to anon, authenticated
  with check (conversation_id = (select private.current_conversation_id()));

create trigger start_conversation before insert on public.conversations
  for each row when (current_user in ('anon', 'authenticated')) execute function private.start_conversation();
create trigger touch_last_message_at before update on public.conversations
  for each row when (current_user in ('anon', 'authenticated')) execute function private.touch_last_message_at();

create trigger count_chat_message after insert on public.chat_messages
  for each row execute function private.count_chat_message();

create trigger limit_conversation_updates before update on public.conversations
  for each row when (current_user in ('anon', 'authenticated')) execute function private.limit_conversation_updates();

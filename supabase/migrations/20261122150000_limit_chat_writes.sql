-- Visitors write conversations and messages without signing in, so what they may write is bounded here, where it holds
-- over all copies of the process: per network address, per conversation, and for the site as a whole.

-- How often something was done, under a hash of who did it. Short-lived, and for this file's functions only.
create table private.chat_counts (
  subject text primary key,
  count integer not null,
  expires_at timestamptz not null
);
create index chat_counts_expiry_idx on private.chat_counts (expires_at);
alter table private.chat_counts enable row level security;
revoke all on table private.chat_counts from public, anon, authenticated;

-- Keeps the hashes from being turned back into addresses by trying them all.
create table private.chat_salt (salt text not null);
insert into private.chat_salt values (gen_random_uuid()::text || gen_random_uuid()::text);
alter table private.chat_salt enable row level security;
revoke all on table private.chat_salt from public, anon, authenticated;

-- The client's address. Our backend says it in request.address ('none' where no limit applies), which no request can
-- set. A hosted project has no such setting; there the platform's proxy writes the headers.
create function private.client_address() returns text
language sql stable set search_path = ''
as $$
  select coalesce(
    nullif(current_setting('request.address', true), ''),
    headers ->> 'cf-connecting-ip',
    split_part(headers ->> 'x-forwarded-for', ',', 1)
  )
  from (select nullif(current_setting('request.headers', true), '')::json) as request (headers)
$$;
revoke all on function private.client_address() from public;

-- What an address counts as, and how many times the allowance of one address that has. One customer gets a /64 of IPv6,
-- and whoever gets a /48 has 65,536 of them. No rows for what is no address.
create function private.networks_of(address text) returns table (network text, allowances integer)
language plpgsql immutable set search_path = ''
as $$
declare
  parsed inet;
begin
  begin
    parsed := trim(address)::inet;
  exception when others then
    return;
  end;
  if parsed is null then
    return;
  elsif family(parsed) = 4 then
    return query select host(parsed), 1;
  else
    return query select network(set_masklen(parsed, 64))::text, 1
      union all select network(set_masklen(parsed, 48))::text, 4;
  end if;
end
$$;
revoke all on function private.networks_of(text) from public;

-- Counts one more of `kind` for an address, unless it has had as many as allowed since the first within `period`.
-- @returns whether it was counted; always true where there is no address
create function private.count_for_address(kind text, address text, allowed integer, period interval) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  one record;
begin
  for one in select * from private.networks_of(address) loop
    insert into private.chat_counts as counted (subject, count, expires_at)
      select encode(sha256(convert_to(salt || kind || one.network, 'UTF8')), 'hex'), 1, now() + period
      from private.chat_salt
      on conflict (subject) do update set
        count = case when counted.expires_at <= now() then 1 else counted.count + 1 end,
        expires_at = case when counted.expires_at <= now() then excluded.expires_at else counted.expires_at end
      where counted.expires_at <= now() or counted.count < allowed * one.allowances;
    if not found then
      return false;
    end if;
  end loop;
  return true;
end
$$;
revoke all on function private.count_for_address(text, text, integer, interval) from public;

alter table public.conversations add column content_bytes integer not null default 0;
update public.conversations set content_bytes = written.bytes
  from (
    select conversation_id, sum(octet_length(content)) as bytes from public.chat_messages group by conversation_id
  ) as written
  where written.conversation_id = id;

-- Keeps the site's conversations below 10,000 and 200 MB: past either, a tenth goes. First those in which nothing was
-- said for an hour, then those that have been quiet for the longest. The one that this transaction writes to stays.
create function private.make_room_for_chat() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.chat_counts where subject in (
    select subject from private.chat_counts where expires_at <= now() limit 1000 for update skip locked
  );
  if (select count(*) <= 10000 and coalesce(sum(content_bytes), 0) <= 200000000 from public.conversations)
    -- Somebody else is at it.
    or not pg_try_advisory_xact_lock(hashtext('private.make_room_for_chat')) then
    return;
  end if;
  delete from public.conversations where id in (
    select id from (
      select id, row_number() over newest_first as place, sum(content_bytes) over newest_first as bytes
      from public.conversations
      window newest_first as (
        order by message_count > 0 or created_at > now() - interval '1 hour' desc, last_message_at desc, id
      )
    ) as ranked
    where (place > 9000 or bytes > 180000000) and id is distinct from private.held_conversation()
  );
end
$$;
revoke all on function private.make_room_for_chat() from public;

create function private.limit_conversations() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.count_for_address('conversation', private.client_address(), 10, interval '1 hour') then
    raise sqlstate 'PT429' using
      message = 'You have started many conversations. Please wait an hour, or book a meeting to talk to a person.';
  end if;
  perform private.make_room_for_chat();
  return new;
end
$$;
revoke all on function private.limit_conversations() from public;
-- Named so that it runs after start_conversation, which refuses several rows at once.
create trigger start_conversation_limit before insert on public.conversations
  for each row when (current_user in ('anon', 'authenticated')) execute function private.limit_conversations();

-- Before anything reaches the disk. Whether a conversation is full is told only to those who hold its id.
create function private.limit_chat_messages() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if coalesce(current_setting('chat.new_message', true), '') <> '' then
    raise exception 'One message can be written at a time';
  end if;
  perform set_config('chat.new_message', 'written', true);
  if exists (
    select from public.conversations
    where id = new.conversation_id and id = private.held_conversation()
      and (message_count >= 500 or content_bytes + octet_length(new.content) > 200000)
  ) then
    raise exception 'This conversation is full. Please start a new one.';
  end if;
  if not private.count_for_address('message', private.client_address(), 60, interval '1 minute') then
    raise sqlstate 'PT429' using
      message = 'That was a lot at once. Please wait a minute, or book a meeting to talk to a person.';
  end if;
  return new;
end
$$;
revoke all on function private.limit_chat_messages() from public;
create trigger limit_chat_messages before insert on public.chat_messages
  for each row when (current_user in ('anon', 'authenticated')) execute function private.limit_chat_messages();

-- Each message moves last_message_at once more by the client's own call.
create function private.limit_touches() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.count_for_address('touch', private.client_address(), 60, interval '1 minute') then
    raise sqlstate 'PT429' using
      message = 'That was a lot at once. Please wait a minute, or book a meeting to talk to a person.';
  end if;
  return new;
end
$$;
revoke all on function private.limit_touches() from public;
create trigger limit_touches before update on public.conversations
  for each row when (current_user in ('anon', 'authenticated')) execute function private.limit_touches();

create or replace function private.count_chat_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
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
  -- Adding everything up takes a moment, so it is done at every 20 kB of a conversation.
  if total / 20000 > (total - added) / 20000 then
    perform private.make_room_for_chat();
  end if;
  return null;
end
$$;

-- Hashes of the replies that the chat function sent. The visitor's browser saves the messages, so it could forge a
-- reply. Transcripts mark replies without a matching hash.
create table private.reply_hashes (
  conversation_id uuid not null references public.conversations (id) on delete cascade,
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  recorded_at timestamptz not null default clock_timestamp(),
  primary key (conversation_id, hash)
);
alter table private.reply_hashes enable row level security;

create function private.reply_hash(content text) returns text
language sql immutable set search_path = '' as $$ select encode(sha256(convert_to(content, 'UTF8')), 'hex') $$;

-- Claims one of today's model replies before the model is called. If the call fails, release_chat_reply() releases the
-- claim. Each network may use at most a tenth of the daily limit. Returns 'claimed', 'site' if today's limit (UTC) is
-- reached, or 'address'.
create function public.claim_chat_reply(_address text) returns text language plpgsql security definer set search_path = '' as $$
declare
  cap constant integer := private.number_setting('chat_daily_cap', 1000);
  today constant date := (now() at time zone 'utc')::date;
begin
  if cap <= 0 then
    return 'site';
  end if;
  insert into public.chat_usage as usage (day, replies) values (today, 1)
    on conflict (day) do update set replies = usage.replies + 1 where usage.replies < cap;
  if not found then
    return 'site';
  end if;
  if private.count_for_address('reply of ' || today, _address, greatest(1, cap / 10), interval '1 day') then
    return 'claimed';
  end if;
  update public.chat_usage set replies = replies - 1 where day = today;
  return 'address';
end
$$;
grant execute on function public.claim_chat_reply to service_role;

create function public.release_chat_reply(_address text) returns void language plpgsql security definer set search_path = '' as $$
declare
  today constant date := (now() at time zone 'utc')::date;
begin
  update public.chat_usage set replies = replies - 1 where day = today and replies > 0;
  update private.rate_limit_counters set count = count - 1
    where count > 0 and subject in (
      select private.counter_key('reply of ' || today || network) from private.networks_of(_address)
    );
end
$$;
grant execute on function public.release_chat_reply to service_role;

-- Records the hashes of a reply. If the visitor stopped it, there is one hash for each possible end. Only the newest
-- 2,000 hashes per conversation are stored.
create function public.record_chat_reply(_conversation_id uuid, _hashes text[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.reply_hashes (conversation_id, hash)
    select id, noted.hash from public.conversations, unnest(_hashes) as noted (hash) where id = _conversation_id
    on conflict do nothing;
  delete from private.reply_hashes where conversation_id = _conversation_id and hash in (
    select hash from private.reply_hashes where conversation_id = _conversation_id
    order by recorded_at desc offset 2000
  );
end
$$;
grant execute on function public.record_chat_reply to service_role;

-- Lists messages with the assistant role that have no recorded hash. Empty for non-admins.
create function public.forged_chat_replies(_conversation_id uuid) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select id from public.chat_messages as message
  where conversation_id = _conversation_id and role = 'assistant' and (select private.is_admin())
    and not exists (
      select from private.reply_hashes as noted
      where noted.conversation_id = message.conversation_id and noted.hash = private.reply_hash(message.content)
    )
$$;
grant execute on function public.forged_chat_replies to authenticated, service_role;

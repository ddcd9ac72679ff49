-- The visitor's browser stores the assistant's replies, so it could store replies that the assistant never gave. The chat
-- function notes a hash of each that it gave, and transcripts mark what has none. Hashes go with their conversation.

create table private.reply_hashes (
  conversation_id uuid not null references public.conversations (id) on delete cascade,
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  noted_at timestamptz not null default clock_timestamp(),
  primary key (conversation_id, hash)
);
alter table private.reply_hashes enable row level security;
revoke all on table private.reply_hashes from public, anon, authenticated;

create function private.reply_hash(content text) returns text
language sql immutable set search_path = ''
as $$ select encode(sha256(convert_to(content, 'UTF8')), 'hex') $$;
revoke all on function private.reply_hash(text) from public;

-- Nothing was noted so far; what is stored is taken for genuine.
insert into private.reply_hashes (conversation_id, hash)
  select distinct conversation_id, private.reply_hash(content) from public.chat_messages where role = 'assistant';

-- A reply that was stopped has a hash for each of the places at which it may have ended for the visitor. The newest 2,000
-- of a conversation are kept.
create function public.note_chat_reply(_conversation_id uuid, _hashes text[]) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.reply_hashes (conversation_id, hash)
    select id, noted.hash from public.conversations, unnest(_hashes) as noted (hash) where id = _conversation_id
    on conflict do nothing;
  delete from private.reply_hashes where conversation_id = _conversation_id and hash in (
    select hash from private.reply_hashes where conversation_id = _conversation_id
    order by noted_at desc offset 2000
  );
end
$$;
revoke all on function public.note_chat_reply(uuid, text[]) from public, anon, authenticated;
grant execute on function public.note_chat_reply(uuid, text[]) to service_role;

-- The messages of a conversation that say they are the assistant's and are not. Nothing for anybody but admins.
create function public.forged_chat_replies(_conversation_id uuid) returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select id from public.chat_messages as message
  where conversation_id = _conversation_id and role = 'assistant' and (select private.is_admin())
    and not exists (
      select from private.reply_hashes as noted
      where noted.conversation_id = message.conversation_id and noted.hash = private.reply_hash(message.content)
    )
$$;
revoke all on function public.forged_chat_replies(uuid) from public, anon;
grant execute on function public.forged_chat_replies(uuid) to authenticated, service_role;

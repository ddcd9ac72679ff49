-- The messages of a conversation, for those who hold its id (see create_conversations). Written once, never changed.

create table public.chat_messages (
  id uuid primary key default gen_random_uuid(),
  conversation_id uuid not null references public.conversations (id) on delete cascade,
  role text not null check (role in ('user', 'assistant')),
  content text not null check (length(content) between 1 and case role when 'user' then 4000 else 16000 end),
  -- clock_timestamp, so that messages written in one transaction keep their order.
  created_at timestamptz not null default clock_timestamp()
);
create index chat_messages_conversation_idx on public.chat_messages (conversation_id, created_at);

revoke all on table public.chat_messages from anon, authenticated;
grant select, insert (conversation_id, role, content) on table public.chat_messages to anon, authenticated;
grant all on table public.chat_messages to service_role;
alter table public.chat_messages enable row level security;

create policy "People read the messages of the conversation whose id they hold" on public.chat_messages
  for select to anon, authenticated using (conversation_id = (select private.held_conversation()));
create policy "People write to the conversation whose id they hold" on public.chat_messages
  for insert to anon, authenticated with check (conversation_id = (select private.held_conversation()));
create policy "Admins read all chat messages" on public.chat_messages
  for select to authenticated using ((select private.is_admin()));

-- After the insert, so that the policies have spoken first and a full conversation cannot be told from a foreign one.
create function private.count_chat_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.conversations set message_count = message_count + 1, last_message_at = now()
    where id = new.conversation_id and message_count < 500;
  if not found then
    raise exception 'This conversation is full. Please start a new one.';
  end if;
  return null;
end
$$;
revoke all on function private.count_chat_message() from public;
create trigger count_chat_message after insert on public.chat_messages
  for each row execute function private.count_chat_message();

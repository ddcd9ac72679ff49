-- Chat: a conversation belongs to whoever holds its id. The client sends the id in the header x-conversation-id;
-- visitors and signed-in people see the row with that id and nothing else. Admins read and delete all.

create table public.conversations (
  id uuid primary key default gen_random_uuid(),
  created_at timestamptz not null default now(),
  last_message_at timestamptz not null default now(),
  message_count integer not null default 0
);
create index conversations_newest_idx on public.conversations (last_message_at desc);

-- The conversation that this transaction may touch: the one that it has just created, so that its insert can return
-- the id, or else the one that the request's header names. A header that is no uuid names none.
create function private.held_conversation() returns uuid
language plpgsql stable security definer set search_path = ''
as $$
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
revoke all on function private.held_conversation() from public;
grant execute on function private.held_conversation() to anon, authenticated, service_role;

revoke all on table public.conversations from anon, authenticated;
grant select, insert (last_message_at), update (last_message_at) on table public.conversations to anon;
grant select, insert (last_message_at), update (last_message_at), delete on table public.conversations to authenticated;
grant all on table public.conversations to service_role;
alter table public.conversations enable row level security;

create policy "People read the conversation whose id they hold" on public.conversations
  for select to anon, authenticated using (id = (select private.held_conversation()));
create policy "Anybody starts a conversation" on public.conversations
  for insert to anon, authenticated with check (true);
create policy "People touch the conversation whose id they hold" on public.conversations
  for update to anon, authenticated
  using (id = (select private.held_conversation())) with check (id = (select private.held_conversation()));
create policy "Admins read all conversations" on public.conversations
  for select to authenticated using ((select private.is_admin()));
create policy "Admins delete conversations" on public.conversations
  for delete to authenticated using ((select private.is_admin()));

-- Nobody can make this setting through the API, and it ends with the transaction.
create function private.start_conversation() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if coalesce(current_setting('chat.new_conversation', true), '') <> '' then
    raise exception 'One conversation can be started at a time';
  end if;
  perform set_config('chat.new_conversation', new.id::text, true);
  new.last_message_at := now();
  return new;
end
$$;
revoke all on function private.start_conversation() from public;
create trigger start_conversation before insert on public.conversations
  for each row when (current_user in ('anon', 'authenticated')) execute function private.start_conversation();

-- The time is the database's: a visitor's clock may be wrong.
create function private.touch_last_message_at() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.last_message_at := now();
  return new;
end
$$;
revoke all on function private.touch_last_message_at() from public;
create trigger touch_last_message_at before update on public.conversations
  for each row when (current_user in ('anon', 'authenticated')) execute function private.touch_last_message_at();

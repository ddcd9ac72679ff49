create table public.chat_messages (
  id uuid default gen_random_uuid() not null,
  conversation_id uuid not null,  -- insert to anon, insert to authenticated
  role text not null,  -- insert to anon, insert to authenticated
  content text not null,  -- insert to anon, insert to authenticated
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint chat_messages_pkey PRIMARY KEY (id),
  constraint chat_messages_check CHECK (length(content) >= 1 AND length(content) <=
CASE role
    WHEN 'user'::text THEN 4000
    ELSE 16000
END),
  constraint chat_messages_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE,
  constraint chat_messages_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint chat_messages_role_check CHECK (role = ANY (ARRAY['user'::text, 'assistant'::text]))
);

CREATE INDEX chat_messages_asked_idx ON public.chat_messages USING btree (created_at DESC) WHERE (role = 'user'::text);

CREATE INDEX chat_messages_conversation_idx ON public.chat_messages USING btree (conversation_id, created_at);

grant select on public.chat_messages to anon, authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.chat_messages to service_role;

alter table public.chat_messages enable row level security;

create policy "People write to the conversation whose id they hold" on public.chat_messages for insert to anon, authenticated
  with check ((conversation_id = ( SELECT private.held_conversation() AS held_conversation)));

create policy "Admins read all chat messages" on public.chat_messages for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "People read the messages of the conversation whose id they hold" on public.chat_messages for select to anon, authenticated
  using ((conversation_id = ( SELECT private.held_conversation() AS held_conversation)));

-- Triggers, in the order in which they fire.
CREATE TRIGGER limit_chat_messages BEFORE INSERT ON chat_messages FOR EACH ROW WHEN (CURRENT_USER = ANY (ARRAY['anon'::name, 'authenticated'::name])) EXECUTE FUNCTION private.limit_chat_messages();
CREATE TRIGGER count_chat_message AFTER INSERT ON chat_messages FOR EACH ROW EXECUTE FUNCTION private.count_chat_message();

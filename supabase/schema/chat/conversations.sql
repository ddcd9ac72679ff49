create table public.conversations (
  id uuid default gen_random_uuid() not null,
  created_at timestamp with time zone default now() not null,
  last_message_at timestamp with time zone default now() not null,  -- insert to anon, insert to authenticated, update to anon, update to authenticated
  message_count integer default 0 not null,
  content_bytes integer default 0 not null,
  constraint conversations_pkey PRIMARY KEY (id),
  constraint conversations_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint conversations_last_message_at_calendar CHECK (last_message_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND last_message_at <= '2999-12-31 00:00:00+00'::timestamp with time zone)
);

CREATE INDEX conversations_newest_idx ON public.conversations USING btree (last_message_at DESC);

grant select on public.conversations to anon;

grant delete, select on public.conversations to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.conversations to service_role;

alter table public.conversations enable row level security;

create policy "Admins delete conversations" on public.conversations for delete to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Anybody starts a conversation" on public.conversations for insert to anon, authenticated
  with check (true);

create policy "Admins read all conversations" on public.conversations for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "People read the conversation whose id they hold" on public.conversations for select to anon, authenticated
  using ((id = ( SELECT private.held_conversation() AS held_conversation)));

create policy "People touch the conversation whose id they hold" on public.conversations for update to anon, authenticated
  using ((id = ( SELECT private.held_conversation() AS held_conversation)))
  with check ((id = ( SELECT private.held_conversation() AS held_conversation)));

-- Triggers, in the order in which they fire.
CREATE TRIGGER limit_touches BEFORE UPDATE ON conversations FOR EACH ROW WHEN (CURRENT_USER = ANY (ARRAY['anon'::name, 'authenticated'::name])) EXECUTE FUNCTION private.limit_touches();
CREATE TRIGGER start_conversation BEFORE INSERT ON conversations FOR EACH ROW WHEN (CURRENT_USER = ANY (ARRAY['anon'::name, 'authenticated'::name])) EXECUTE FUNCTION private.start_conversation();
CREATE TRIGGER start_conversation_limit BEFORE INSERT ON conversations FOR EACH ROW WHEN (CURRENT_USER = ANY (ARRAY['anon'::name, 'authenticated'::name])) EXECUTE FUNCTION private.limit_conversations();
CREATE TRIGGER touch_last_message_at BEFORE UPDATE ON conversations FOR EACH ROW WHEN (CURRENT_USER = ANY (ARRAY['anon'::name, 'authenticated'::name])) EXECUTE FUNCTION private.touch_last_message_at();

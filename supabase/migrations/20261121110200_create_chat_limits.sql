-- What the chat function and the operator need: a count of replies per day, and the end of old conversations.
-- Settings (site_settings): chat_instructions, chat_daily_cap, chat_retention_days are for admins only.

-- The server writes these origins into the frame-ancestors header of /chat-embed, which everybody sees anyway.
create policy "Visitors read which sites may embed the chat" on public.site_settings
  for select to anon, authenticated using (setting_key = 'chat_allowed_origins');

create table public.chat_usage (
  day date primary key,
  replies integer not null default 0
);
revoke all on table public.chat_usage from anon, authenticated;
grant all on table public.chat_usage to service_role;
alter table public.chat_usage enable row level security;
create policy "Admins read how much the chat is used" on public.chat_usage
  for select to authenticated using ((select private.is_admin()));
grant select on table public.chat_usage to authenticated;

-- A whole number saved as a setting, or the default when there is none or it is something else.
create function private.number_setting(key text, fallback integer) returns integer
language sql stable security definer set search_path = ''
as $$
  select coalesce(
    (select setting_value::integer from public.site_settings where setting_key = key and setting_value ~ '^\d{1,7}$'),
    fallback
  )
$$;
revoke all on function private.number_setting(text, integer) from public;

-- Called by the chat function before each reply: counts it, unless today's cap (UTC) is reached.
create function public.claim_chat_reply() returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.chat_usage as usage (day, replies) values ((now() at time zone 'utc')::date, 1)
    on conflict (day) do update set replies = usage.replies + 1
    where usage.replies < private.number_setting('chat_daily_cap', 1000);
  return found and private.number_setting('chat_daily_cap', 1000) > 0;
end
$$;
revoke all on function public.claim_chat_reply() from public, anon, authenticated;
grant execute on function public.claim_chat_reply() to service_role;

-- Run once a day. Conversations in which nobody ever wrote go after a day.
-- @returns how many conversations were deleted
create function private.delete_expired_conversations() returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  deleted integer;
begin
  delete from public.conversations
    where last_message_at < now() - make_interval(days => greatest(1, private.number_setting('chat_retention_days', 365)))
      or (message_count = 0 and created_at < now() - interval '1 day');
  get diagnostics deleted = row_count;
  delete from public.chat_usage where day < (now() at time zone 'utc')::date - 400;
  return deleted;
end
$$;
revoke all on function private.delete_expired_conversations() from public;

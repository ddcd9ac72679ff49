-- Conversations in which a text was said: every message is compared once, for the page and the count of all together.

create function public.find_conversations(_search text, _limit integer default 24, _offset integer default 0)
returns table (
  id uuid, created_at timestamptz, last_message_at timestamptz, message_count integer, excerpt text, total integer
)
language sql stable security invoker set search_path = ''
as $$
  with asked as materialized (
    select '%' || regexp_replace(_search, '([\\%_])', '\\\1', 'g') || '%' as pattern, octet_length(_search) = length(_search) as is_ascii
  ), said as materialized (
    -- Letters of ASCII are the same in every collation, and compared in half the time in this one.
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

revoke all on function public.find_conversations(text, integer, integer) from public, anon;
grant execute on function public.find_conversations(text, integer, integer) to authenticated, service_role;

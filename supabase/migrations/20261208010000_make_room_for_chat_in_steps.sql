-- Keeps the site's conversations below 10,000 and 200 MB: past either, a hundredth goes, and at most a hundred at once. A
-- visitor's message deleted a thousand before, for which everybody waited on the built-in database.
create or replace function private.make_room_for_chat() returns void
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
    where (place > 9900 or bytes > 198000000) and id is distinct from private.held_conversation()
    order by place desc
    limit 100
  );
end
$$;

-- As before, and messages without any address are passed over at once: to look through 200 MB in any case takes seconds.
create or replace function private.chats_naming(_email text) returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select distinct conversation_id from public.chat_messages
  where _email <> '' and content like '%@%' and position(lower(_email) in lower(content)) > 0 and lower(content) ~ (
    '(?<![[:alnum:]_%+-])(?<![[:alnum:]][.])'
    || regexp_replace(lower(_email), '([!$()*+.:<=>?[\\\]^{|}-])', '\\\1', 'g')
    || '(?![[:alnum:]]|[.-][[:alnum:]])'
  )
$$;

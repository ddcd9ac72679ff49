-- Called by service_role.
CREATE OR REPLACE FUNCTION public.claim_chat_reply(_address text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.count_asked_questions(_days integer DEFAULT 30, OUT asked integer, OUT answered integer, OUT unanswered integer)
 RETURNS record
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select count(*)::integer,
    (count(*) filter (where noted.id is null and cardinality(source.urls) > 0))::integer,
    (count(*) filter (where noted.id is not null))::integer
  from public.chat_messages as question
  left join lateral (
    select next.role, next.content from public.chat_messages as next
    where next.conversation_id = question.conversation_id and next.created_at > question.created_at
    order by next.created_at limit 1
  ) as reply on reply.role = 'assistant'
  left join public.unanswered_questions as noted on noted.conversation_id = question.conversation_id
    and noted.question_hash = encode(sha256(convert_to(question.content, 'UTF8')), 'hex')
  cross join lateral private.sources_in(coalesce(reply.content, '')) as source
  where question.role = 'user' and question.created_at > now() - make_interval(days => least(greatest(_days, 1), 366))
$function$;

-- Called by authenticated.
CREATE OR REPLACE FUNCTION public.count_chats_naming(_user_id uuid)
 RETURNS integer
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_admin();
  return (select count(*) from auth.users, private.chats_naming(users.email) where users.id = _user_id);
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.dismiss_unanswered_questions(_ids uuid[], _dismissed boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_admin();
  update public.unanswered_questions set dismissed_at = case when _dismissed then now() end where id = any (_ids);
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.find_conversations(_search text, _limit integer DEFAULT 24, _offset integer DEFAULT 0)
 RETURNS TABLE(id uuid, created_at timestamp with time zone, last_message_at timestamp with time zone, message_count integer, excerpt text, total integer)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.forged_chat_replies(_conversation_id uuid)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select id from public.chat_messages as message
  where conversation_id = _conversation_id and role = 'assistant' and (select private.is_admin())
    and not exists (
      select from private.reply_hashes as noted
      where noted.conversation_id = message.conversation_id and noted.hash = private.reply_hash(message.content)
    )
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.list_asked_questions(_search text DEFAULT ''::text, _before timestamp with time zone DEFAULT NULL::timestamp with time zone, _limit integer DEFAULT 24)
 RETURNS TABLE(id uuid, conversation_id uuid, question text, asked_at timestamp with time zone, reason text, source_titles text[], source_urls text[])
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select asked.id, asked.conversation_id, asked.content, asked.created_at, noted.reason, source.titles, source.urls
  from (
    select * from public.chat_messages
    where role = 'user' and (_before is null or created_at < _before)
      and (coalesce(_search, '') = '' or position(lower(_search) in lower(content)) > 0)
    order by created_at desc limit least(greatest(_limit, 1), 100)
  ) as asked
  left join lateral (
    select next.role, next.content from public.chat_messages as next
    where next.conversation_id = asked.conversation_id and next.created_at > asked.created_at
    order by next.created_at limit 1
  ) as reply on reply.role = 'assistant'
  left join public.unanswered_questions as noted on noted.conversation_id = asked.conversation_id
    and noted.question_hash = encode(sha256(convert_to(asked.content, 'UTF8')), 'hex')
  cross join lateral private.sources_in(coalesce(reply.content, '')) as source
  order by asked.created_at desc
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.list_unanswered_questions()
 RETURNS TABLE(id uuid, conversation_id uuid, question text, reason text, asked_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select noted.id, noted.conversation_id, asked.content, noted.reason, asked.created_at
  from (
    select * from public.unanswered_questions
    where dismissed_at is null and (select private.is_admin())
    order by noted_at desc limit 1000
  ) as noted,
  lateral (
    select content, created_at from public.chat_messages as message
    where message.conversation_id = noted.conversation_id and role = 'user'
      and private.reply_hash(content) = noted.question_hash
    order by created_at desc limit 1
  ) as asked
  order by asked.created_at desc
$function$;

-- Called by service_role.
CREATE OR REPLACE FUNCTION public.note_chat_reply(_conversation_id uuid, _hashes text[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.reply_hashes (conversation_id, hash)
    select id, noted.hash from public.conversations, unnest(_hashes) as noted (hash) where id = _conversation_id
    on conflict do nothing;
  delete from private.reply_hashes where conversation_id = _conversation_id and hash in (
    select hash from private.reply_hashes where conversation_id = _conversation_id
    order by noted_at desc offset 2000
  );
end
$function$;

-- Called by service_role.
CREATE OR REPLACE FUNCTION public.note_check_results(_results jsonb)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  update public.assistant_checks as kept
  set passed = result.passed, answer = result.answer, ran_at = clock_timestamp()
  from jsonb_to_recordset(_results) as result (id uuid, updated_at timestamptz, passed boolean, answer text)
  where kept.id = result.id and kept.updated_at = result.updated_at
$function$;

-- Called by service_role.
CREATE OR REPLACE FUNCTION public.note_unanswered_question(_conversation_id uuid, _hash text, _reason text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.unanswered_questions (conversation_id, question_hash, reason)
    select id, _hash, _reason from public.conversations
    where id = _conversation_id
      and (select count(*) from public.unanswered_questions where conversation_id = _conversation_id) < 20
    on conflict do nothing;
  delete from public.unanswered_questions where id in (
    select id from public.unanswered_questions order by noted_at desc offset 5000
  );
end
$function$;

-- Called by service_role.
CREATE OR REPLACE FUNCTION public.return_chat_reply(_address text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  today constant date := (now() at time zone 'utc')::date;
begin
  update public.chat_usage set replies = replies - 1 where day = today and replies > 0;
  update private.chat_counts set count = count - 1
    where count > 0 and subject in (
      select encode(sha256(convert_to(salt || 'reply of ' || today || network, 'UTF8')), 'hex')
      from private.chat_salt, private.networks_of(_address)
    );
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.chats_naming(_email text)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select distinct conversation_id from public.chat_messages
  where _email <> '' and content like '%@%' and position(lower(_email) in lower(content)) > 0 and lower(content) ~ (
    '(?<![[:alnum:]_%+-])(?<![[:alnum:]][.])'
    || regexp_replace(lower(_email), '([!$()*+.:<=>?[\\\]^{|}-])', '\\\1', 'g')
    || '(?![[:alnum:]]|[.-][[:alnum:]])'
  )
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.chats_of(_user_id uuid)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$ select private.chats_naming(email) from auth.users where id = _user_id $function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.chats_with_messages_of(_user_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', chat.id, 'created_at', chat.created_at, 'messages', (
      select jsonb_agg(jsonb_build_object('role', role, 'content', content, 'created_at', created_at) order by created_at)
      from public.chat_messages where conversation_id = chat.id
    )
  ) order by chat.created_at), '[]')
  from public.conversations as chat where chat.id in (select private.chats_of(_user_id))
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.count_chat_message()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  added constant integer := octet_length(new.content);
  total integer;
begin
  update public.conversations
    set message_count = message_count + 1, content_bytes = content_bytes + added, last_message_at = now()
    where id = new.conversation_id and message_count < 500 and content_bytes + added <= 200000
    returning content_bytes into total;
  if not found then
    raise exception 'This conversation is full. Please start a new one.';
  end if;
  -- Adding everything up takes a moment, so it is done at every 20 kB of a conversation.
  if total / 20000 > (total - added) / 20000 then
    perform private.make_room_for_chat();
  end if;
  return null;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.delete_expired_conversations(_at_most integer DEFAULT NULL::integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _before constant timestamptz := private.retention_cutoff();
  _deleted integer;
  _sum integer := 0;
begin
  delete from public.conversations where id in (
    select id from public.conversations
    where last_message_at < _before or (message_count = 0 and created_at < now() - interval '1 day')
    limit _at_most
  );
  get diagnostics _deleted = row_count;
  _sum := _sum + _deleted;
  delete from public.leads where id in (select id from public.leads where updated_at < _before limit _at_most);
  get diagnostics _deleted = row_count;
  _sum := _sum + _deleted;
  -- Who never confirmed.
  delete from public.newsletter_subscribers where id in (
    select id from public.newsletter_subscribers
    where confirmed_at is null and requested_at < now() - interval '7 days' limit _at_most
  );
  get diagnostics _deleted = row_count;
  _sum := _sum + _deleted;
  delete from public.lead_webhook_deliveries where id in (
    select id from public.lead_webhook_deliveries
    where status <> 'waiting' and created_at < now() - interval '30 days' limit _at_most
  );
  get diagnostics _deleted = row_count;
  _sum := _sum + _deleted;
  -- A row a day.
  delete from public.chat_usage where day < (now() at time zone 'utc')::date - 400;
  return _sum;
end
$function$;

-- Called by anon, authenticated, service_role.
CREATE OR REPLACE FUNCTION private.held_conversation()
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.limit_chat_messages()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if coalesce(current_setting('chat.new_message', true), '') <> '' then
    raise exception 'One message can be written at a time';
  end if;
  perform set_config('chat.new_message', 'written', true);
  if exists (
    select from public.conversations
    where id = new.conversation_id and id = private.held_conversation()
      and (message_count >= 500 or content_bytes + octet_length(new.content) > 200000)
  ) then
    raise exception 'This conversation is full. Please start a new one.';
  end if;
  if not private.count_for_address('message', private.client_address(), 60, interval '1 minute') then
    raise sqlstate 'PT429' using
      message = 'That was a lot at once. Please wait a minute, or book a meeting to talk to a person.';
  end if;
  return new;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.limit_conversations()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.count_for_address('conversation', private.client_address(), 10, interval '1 hour') then
    raise sqlstate 'PT429' using
      message = 'You have started many conversations. Please wait an hour, or book a meeting to talk to a person.';
  end if;
  perform private.make_room_for_chat();
  return new;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.limit_touches()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.count_for_address('touch', private.client_address(), 60, interval '1 minute') then
    raise sqlstate 'PT429' using
      message = 'That was a lot at once. Please wait a minute, or book a meeting to talk to a person.';
  end if;
  return new;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.make_room_for_chat()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _items bigint;
  _bytes bigint;
begin
  delete from private.chat_counts where subject in (
    select subject from private.chat_counts where expires_at <= now() limit 1000 for update skip locked
  );
  select count(*), coalesce(sum(content_bytes), 0) into _items, _bytes from public.conversations;
  if (_items <= 10000 and _bytes <= 200000000)
    -- Somebody else is at it.
    or not pg_try_advisory_xact_lock(hashtext('private.make_room_for_chat')) then
    return;
  end if;
  with held as materialized (
    select private.held_conversation() as id
  ), empty as (
    select conversation.id, content_bytes, last_message_at from public.conversations as conversation, held
    where message_count = 0 and created_at <= now() - interval '1 hour' and conversation.id is distinct from held.id
    order by last_message_at, conversation.id desc limit 100
  ), said as (
    select conversation.id, content_bytes, last_message_at from public.conversations as conversation, held
    where (message_count > 0 or created_at > now() - interval '1 hour') and conversation.id is distinct from held.id
    order by last_message_at, conversation.id desc limit 100
  ), tail as (
    select id, row_number() over oldest_first - 1 as items, sum(content_bytes) over oldest_first - content_bytes as bytes
    from (select true as is_empty, * from empty union all select false, * from said) as candidate
    window oldest_first as (order by is_empty desc, last_message_at, id desc rows unbounded preceding)
    limit 100
  )
  delete from public.conversations where id in (
    select id from tail where _items - items > 9900 or _bytes - bytes > 198000000
  );
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.reply_hash(content text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$ select encode(sha256(convert_to(content, 'UTF8')), 'hex') $function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.reset_check()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.updated_at := clock_timestamp();
  new.passed := null;
  new.answer := '';
  new.ran_at := null;
  return new;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.show_first_question()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.site_settings (setting_key, setting_value) values ('faq_on_contact', 'on')
    on conflict (setting_key) do nothing;
  return null;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION private.sources_in(_reply text, OUT titles text[], OUT urls text[])
 RETURNS record
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select coalesce(array_agg(title order by place), '{}'), coalesce(array_agg(url order by place), '{}')
  from (
    select regexp_replace(found[1], '\\(.)', '\1', 'g') as title, found[2] as url, min(place) as place
    from regexp_matches(_reply, '\[((?:[^\]\\]|\\.)+)\]\((/[^)\s]*)\)', 'g') with ordinality as link (found, place)
    where found[2] !~ '^/(#booking|contact\y)' group by 1, 2
  ) as links
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.start_conversation()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if coalesce(current_setting('chat.new_conversation', true), '') <> '' then
    raise exception 'One conversation can be started at a time';
  end if;
  perform set_config('chat.new_conversation', new.id::text, true);
  new.last_message_at := now();
  return new;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.touch_last_message_at()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  new.last_message_at := now();
  return new;
end
$function$;

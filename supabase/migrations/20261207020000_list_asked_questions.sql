-- What visitors asked the assistant, and from which pages it answered, for admins: policies decide who reads messages.

create index chat_messages_asked_idx on public.chat_messages (created_at desc) where role = 'user';

-- The pages that a reply links, in their order; the ways to a person, which stand under most refusals, are no sources.
create function private.sources_in(_reply text, out titles text[], out urls text[])
language sql immutable set search_path = ''
as $$
  select coalesce(array_agg(title order by place), '{}'), coalesce(array_agg(url order by place), '{}')
  from (
    select regexp_replace(found[1], '\\(.)', '\1', 'g') as title, found[2] as url, min(place) as place
    from regexp_matches(_reply, '\[((?:[^\]\\]|\\.)+)\]\((/[^)\s]*)\)', 'g') with ordinality as link (found, place)
    where found[2] !~ '^/(#booking|contact\y)' group by 1, 2
  ) as links
$$;
revoke all on function private.sources_in(text) from public;
grant execute on function private.sources_in(text) to authenticated, service_role;

-- A page of questions, the newest first, each with what was replied to it; the next page is before the last of this one.
-- `reason` is null where the reply was not noted as none.
create function public.list_asked_questions(
  _search text default '', _before timestamptz default null, _limit integer default 24
)
returns table (
  id uuid, conversation_id uuid, question text, asked_at timestamptz, reason text, source_titles text[], source_urls text[]
)
language sql stable security invoker set search_path = ''
as $$
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
$$;

-- Of the questions of the last days: how many, how many were answered from a page, and how many were not answered.
create function public.count_asked_questions(_days integer default 30, out asked integer, out answered integer, out unanswered integer)
language sql stable security invoker set search_path = ''
as $$
  select
    (select count(*)::integer from public.chat_messages where role = 'user' and created_at > since),
    (select count(*)::integer from public.chat_messages
      where role = 'assistant' and created_at > since and content ~ '\]\(/(?!#booking|contact\y)'),
    (select count(*)::integer from public.unanswered_questions where noted_at > since)
  from (select now() - make_interval(days => least(greatest(_days, 1), 366)) as since) as period
$$;

revoke all on function public.list_asked_questions(text, timestamptz, integer) from public, anon;
revoke all on function public.count_asked_questions(integer) from public, anon;
grant execute on function public.list_asked_questions(text, timestamptz, integer), public.count_asked_questions(integer)
  to authenticated, service_role;

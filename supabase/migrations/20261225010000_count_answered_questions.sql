-- A reply that says that it does not know may name pages nearby, so links alone do not tell what was answered: counted
-- are the questions whose reply links a page, and which nobody noted as unanswered, as the list shows them.
create or replace function public.count_asked_questions(_days integer default 30, out asked integer, out answered integer, out unanswered integer)
language sql stable security invoker set search_path = ''
as $$
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
$$;

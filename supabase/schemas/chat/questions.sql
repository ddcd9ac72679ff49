-- Questions without an answer. The table stores a hash. The text is in the conversation's messages and is deleted with
-- them. Written by the chat function, read by admins.
create table public.unanswered_questions (
  id uuid primary key default gen_random_uuid(),
  conversation_id uuid not null references public.conversations (id) on delete cascade,
  -- private.reply_hash() of the message.
  question_hash text not null check (question_hash ~ '^[0-9a-f]{64}$'),
  -- 'nothing found' if no published text matches, 'kept back' if the guard withheld the model's reply.
  reason text not null check (reason in ('nothing found', 'kept back')),
  recorded_at timestamptz not null default clock_timestamp()
    constraint unanswered_questions_recorded_at_calendar check (recorded_at between '1900-01-01' and '2999-12-31'),
  dismissed_at timestamptz
    constraint unanswered_questions_dismissed_at_calendar check (dismissed_at between '1900-01-01' and '2999-12-31'),
  unique (conversation_id, question_hash)
);
create index unanswered_questions_newest_idx on public.unanswered_questions (recorded_at desc);
grant select on public.unanswered_questions to authenticated;
grant all on public.unanswered_questions to service_role;
alter table public.unanswered_questions enable row level security;
create policy "Admins read unanswered questions" on public.unanswered_questions for select to authenticated
  using ((select private.is_admin()));

-- Counts questions whose reply links a page and that are not recorded as unanswered. Links alone are not enough,
-- because a refusal may link related pages.
create function public.count_asked_questions(
  _days integer default 30, out asked integer, out answered integer, out unanswered integer
) returns record language sql stable set search_path = '' as $$
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
  cross join lateral private.linked_pages(coalesce(reply.content, '')) as source
  where question.role = 'user' and question.created_at > now() - make_interval(days => least(greatest(_days, 1), 366))
$$;
grant execute on function public.count_asked_questions to authenticated, service_role;

-- Lists a page of questions with their replies, newest first. `_before` is the time of the last question of the
-- previous page. `reason` is null for an answered question.
create function public.list_asked_questions(
  _search text default '', _before timestamptz default null, _limit integer default 24
) returns table (
  id uuid, conversation_id uuid, question text, asked_at timestamptz, reason text, source_titles text[], source_urls text[]
) language sql stable set search_path = '' as $$
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
  cross join lateral private.linked_pages(coalesce(reply.content, '')) as source
  order by asked.created_at desc
$$;
grant execute on function public.list_asked_questions to authenticated, service_role;

-- Lists the newest 1,000 open questions with their text. Empty for non-admins.
create function public.list_unanswered_questions() returns table (
  id uuid, conversation_id uuid, question text, reason text, asked_at timestamptz
) language sql stable security definer set search_path = '' as $$
  select noted.id, noted.conversation_id, asked.content, noted.reason, asked.created_at
  from (
    select * from public.unanswered_questions
    where dismissed_at is null and (select private.is_admin())
    order by recorded_at desc limit 1000
  ) as noted,
  lateral (
    select content, created_at from public.chat_messages as message
    where message.conversation_id = noted.conversation_id and role = 'user'
      and private.reply_hash(content) = noted.question_hash
    order by created_at desc limit 1
  ) as asked
  order by asked.created_at desc
$$;
grant execute on function public.list_unanswered_questions to authenticated, service_role;

-- Dismisses questions, or restores them.
create function public.dismiss_unanswered_questions(_ids uuid[], _dismissed boolean) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  update public.unanswered_questions set dismissed_at = case when _dismissed then now() end where id = any (_ids);
end
$$;
grant execute on function public.dismiss_unanswered_questions to authenticated, service_role;

-- Keeps at most 20 per conversation and the newest 5,000 in total.
create function public.record_unanswered_question(_conversation_id uuid, _hash text, _reason text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.unanswered_questions (conversation_id, question_hash, reason)
    select id, _hash, _reason from public.conversations
    where id = _conversation_id
      and (select count(*) from public.unanswered_questions where conversation_id = _conversation_id) < 20
    on conflict do nothing;
  delete from public.unanswered_questions where id in (
    select id from public.unanswered_questions order by recorded_at desc offset 5000
  );
end
$$;
grant execute on function public.record_unanswered_question to service_role;

create function private.show_first_question() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.site_settings (setting_key, setting_value) values ('faq_on_contact', 'on')
    on conflict (setting_key) do nothing;
  return null;
end
$$;

-- Returns the pages that a reply links, in order. Contact links, which most refusals have, are left out.
create function private.linked_pages(_reply text, out titles text[], out urls text[]) returns record
language sql immutable set search_path = '' as $$
  select coalesce(array_agg(title order by place), '{}'), coalesce(array_agg(url order by place), '{}')
  from (
    select regexp_replace(found[1], '\\(.)', '\1', 'g') as title, found[2] as url, min(place) as place
    from regexp_matches(_reply, '\[((?:[^\]\\]|\\.)+)\]\((/[^)\s]*)\)', 'g') with ordinality as link (found, place)
    where found[2] !~ '^/(#booking|contact\y)' group by 1, 2
  ) as links
$$;
grant execute on function private.linked_pages to authenticated, service_role;

create trigger show_first_question after insert or update on public.faq
  for each row when (new.status = 'published') execute function private.show_first_question();

-- Questions that the assistant could not answer. Only what was asked in a conversation is kept here, as a hash: the text
-- stays in the conversation's messages, so it goes with them, and who stores no question records none. The chat function
-- writes, admins read.

create table public.unanswered_questions (
  id uuid primary key default gen_random_uuid(),
  conversation_id uuid not null references public.conversations (id) on delete cascade,
  -- private.reply_hash() of the message.
  question_hash text not null check (question_hash ~ '^[0-9a-f]{64}$'),
  -- Nothing published fits it, or the guard kept back what a language model said.
  reason text not null check (reason in ('nothing found', 'kept back')),
  noted_at timestamptz not null default clock_timestamp(),
  dismissed_at timestamptz,
  unique (conversation_id, question_hash)
);
create index unanswered_questions_newest_idx on public.unanswered_questions (noted_at desc);

revoke all on table public.unanswered_questions from anon, authenticated;
grant select on table public.unanswered_questions to authenticated;
grant all on table public.unanswered_questions to service_role;
alter table public.unanswered_questions enable row level security;

create policy "Admins read unanswered questions" on public.unanswered_questions
  for select to authenticated using ((select private.is_admin()));

-- At most 20 of a conversation, so that none fills the list, and the newest 5,000 of all.
create function public.note_unanswered_question(_conversation_id uuid, _hash text, _reason text) returns void
language plpgsql security definer set search_path = ''
as $$
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
$$;
revoke all on function public.note_unanswered_question(uuid, text, text) from public, anon, authenticated;
grant execute on function public.note_unanswered_question(uuid, text, text) to service_role;

-- The newest 1,000 that nobody dismissed, with their words. Nothing for anybody but admins.
create function public.list_unanswered_questions()
returns table (id uuid, conversation_id uuid, question text, reason text, asked_at timestamptz)
language sql stable security definer set search_path = ''
as $$
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
$$;
revoke all on function public.list_unanswered_questions() from public, anon;
grant execute on function public.list_unanswered_questions() to authenticated, service_role;

-- Puts questions aside, or back on the list.
create function public.dismiss_unanswered_questions(_ids uuid[], _dismissed boolean) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  update public.unanswered_questions set dismissed_at = case when _dismissed then now() end where id = any (_ids);
end
$$;
revoke all on function public.dismiss_unanswered_questions(uuid[], boolean) from public, anon, authenticated;
grant execute on function public.dismiss_unanswered_questions(uuid[], boolean) to authenticated, service_role;

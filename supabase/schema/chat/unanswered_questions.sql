create table public.unanswered_questions (
  id uuid default gen_random_uuid() not null,
  conversation_id uuid not null,
  question_hash text not null,
  reason text not null,
  noted_at timestamp with time zone default clock_timestamp() not null,
  dismissed_at timestamp with time zone,
  constraint unanswered_questions_pkey PRIMARY KEY (id),
  constraint unanswered_questions_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE,
  constraint unanswered_questions_conversation_id_question_hash_key UNIQUE (conversation_id, question_hash),
  constraint unanswered_questions_dismissed_at_calendar CHECK (dismissed_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND dismissed_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint unanswered_questions_noted_at_calendar CHECK (noted_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND noted_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint unanswered_questions_question_hash_check CHECK (question_hash ~ '^[0-9a-f]{64}$'::text),
  constraint unanswered_questions_reason_check CHECK (reason = ANY (ARRAY['nothing found'::text, 'kept back'::text]))
);

CREATE INDEX unanswered_questions_newest_idx ON public.unanswered_questions USING btree (noted_at DESC);

grant select on public.unanswered_questions to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.unanswered_questions to service_role;

alter table public.unanswered_questions enable row level security;

create policy "Admins read unanswered questions" on public.unanswered_questions for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create table public.assistant_checks (
  id uuid default gen_random_uuid() not null,
  question text not null,  -- insert to authenticated, update to authenticated
  must_name text[] default '{}'::text[] not null,  -- insert to authenticated, update to authenticated
  must_not_name text[] default '{}'::text[] not null,  -- insert to authenticated, update to authenticated
  passed boolean,
  answer text default ''::text not null,
  ran_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  changed_by uuid,
  constraint assistant_checks_pkey PRIMARY KEY (id),
  constraint assistant_checks_answer_check CHECK (length(answer) <= 100000),
  constraint assistant_checks_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint assistant_checks_check CHECK (cardinality(must_name) >= 0 AND cardinality(must_name) <= 20 AND cardinality(must_not_name) >= 0 AND cardinality(must_not_name) <= 20),
  constraint assistant_checks_check1 CHECK ((cardinality(must_name) + cardinality(must_not_name)) > 0),
  constraint assistant_checks_check2 CHECK ((length(must_name::text) + length(must_not_name::text)) <= 10000),
  constraint assistant_checks_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint assistant_checks_question_check CHECK (length(question) >= 1 AND length(question) <= 1000),
  constraint assistant_checks_ran_at_calendar CHECK (ran_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND ran_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint assistant_checks_updated_at_calendar CHECK (updated_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND updated_at <= '2999-12-31 00:00:00+00'::timestamp with time zone)
);

CREATE INDEX assistant_checks_changed_by_idx ON public.assistant_checks USING btree (changed_by);

grant delete, select on public.assistant_checks to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.assistant_checks to service_role;

alter table public.assistant_checks enable row level security;

create policy "Admins delete checks" on public.assistant_checks for delete to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Admins create checks" on public.assistant_checks for insert to authenticated
  with check (( SELECT private.is_admin() AS is_admin));

create policy "Admins read checks" on public.assistant_checks for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Admins change checks" on public.assistant_checks for update to authenticated
  using (( SELECT private.is_admin() AS is_admin))
  with check (( SELECT private.is_admin() AS is_admin));

-- Triggers, in the order in which they fire.
CREATE TRIGGER note_changer BEFORE UPDATE OF question, must_name, must_not_name ON assistant_checks FOR EACH ROW EXECUTE FUNCTION private.note_changer();
CREATE TRIGGER reset_check BEFORE UPDATE ON assistant_checks FOR EACH ROW WHEN (old.question IS DISTINCT FROM new.question OR old.must_name IS DISTINCT FROM new.must_name OR old.must_not_name IS DISTINCT FROM new.must_not_name) EXECUTE FUNCTION private.reset_check();

-- Test questions for the assistant, with the terms that each answer must and must not contain, and the result of the
-- last run. For admins only. This table has no change trigger, because a test run writes its results here and must not
-- start another run.
create table public.assistant_checks (
  id uuid primary key default gen_random_uuid(),
  question text not null check (length(question) between 1 and 1000),
  must_name text[] not null default '{}',
  must_not_name text[] not null default '{}',
  -- Null before the first run.
  passed boolean,
  answer text not null default '' check (length(answer) <= 100000),
  ran_at timestamptz constraint assistant_checks_ran_at_calendar check (ran_at between '1900-01-01' and '2999-12-31'),
  created_at timestamptz not null default now()
    constraint assistant_checks_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  updated_at timestamptz not null default now()
    constraint assistant_checks_updated_at_calendar check (updated_at between '1900-01-01' and '2999-12-31'),
  changed_by uuid references auth.users (id) on delete set null,
  check (cardinality(must_name) between 0 and 20 and cardinality(must_not_name) between 0 and 20),
  constraint assistant_checks_check1 check (cardinality(must_name) + cardinality(must_not_name) > 0),
  constraint assistant_checks_check2 check (length(must_name::text) + length(must_not_name::text) <= 10000)
);
create index assistant_checks_changed_by_idx on public.assistant_checks (changed_by);
grant select, delete on public.assistant_checks to authenticated;
grant all on public.assistant_checks to service_role;
grant
  insert (question, must_name, must_not_name), update (question, must_name, must_not_name)
  on public.assistant_checks to authenticated;
alter table public.assistant_checks enable row level security;
create policy "Admins read checks" on public.assistant_checks for select to authenticated using ((select private.is_admin()));
create policy "Admins create checks" on public.assistant_checks for insert to authenticated
  with check ((select private.is_admin()));
create policy "Admins change checks" on public.assistant_checks for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "Admins delete checks" on public.assistant_checks for delete to authenticated using ((select private.is_admin()));

-- Stores the results of questions that have not changed since the run: [{id, updated_at, passed, answer}].
create function public.record_check_results(_results jsonb) returns void language sql security definer set search_path = '' as $$
  update public.assistant_checks as kept
  set passed = result.passed, answer = result.answer, ran_at = clock_timestamp()
  from jsonb_to_recordset(_results) as result (id uuid, updated_at timestamptz, passed boolean, answer text)
  where kept.id = result.id and kept.updated_at = result.updated_at
$$;
grant execute on function public.record_check_results to service_role;

-- Clears the result when a question or its terms are edited.
create function private.reset_check() returns trigger language plpgsql set search_path = '' as $$
begin
  new.updated_at := clock_timestamp();
  new.passed := null;
  new.answer := '';
  new.ran_at := null;
  return new;
end
$$;

create trigger reset_check before update on public.assistant_checks
  for each row when (
    (old.question, old.must_name, old.must_not_name) is distinct from (new.question, new.must_name, new.must_not_name)
  ) execute function private.reset_check();

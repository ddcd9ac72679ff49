-- The test box of the assistant: questions with what the answer must name, and what the last run gave. For admins only.
-- Nothing here is published, so nothing tells the server of changes: a run writes, and must not cause the next.

create table public.assistant_checks (
  id uuid primary key default gen_random_uuid(),
  question text not null check (length(question) between 1 and 1000),
  must_name text[] not null default '{}',
  must_not_name text[] not null default '{}',
  -- Null until it ran.
  passed boolean,
  answer text not null default '' check (length(answer) <= 100000),
  ran_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (cardinality(must_name) between 0 and 20 and cardinality(must_not_name) between 0 and 20),
  check (cardinality(must_name) + cardinality(must_not_name) > 0),
  check (length(must_name::text) + length(must_not_name::text) <= 10000)
);

revoke all on table public.assistant_checks from anon, authenticated;
grant select, delete, insert (question, must_name, must_not_name), update (question, must_name, must_not_name)
  on table public.assistant_checks to authenticated;
grant all on table public.assistant_checks to service_role;
alter table public.assistant_checks enable row level security;

create policy "Admins read checks" on public.assistant_checks
  for select to authenticated using ((select private.is_admin()));
create policy "Admins create checks" on public.assistant_checks
  for insert to authenticated with check ((select private.is_admin()));
create policy "Admins change checks" on public.assistant_checks
  for update to authenticated using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "Admins delete checks" on public.assistant_checks
  for delete to authenticated using ((select private.is_admin()));

-- What was found for other words says nothing about these.
create function private.reset_check() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.updated_at := clock_timestamp();
  new.passed := null;
  new.answer := '';
  new.ran_at := null;
  return new;
end
$$;
revoke all on function private.reset_check() from public;
create trigger reset_check before update on public.assistant_checks
  for each row when (
    (old.question, old.must_name, old.must_not_name) is distinct from (new.question, new.must_name, new.must_not_name)
  ) execute function private.reset_check();

-- Writes what a run found, for the checks as they were when it read them: [{id, updated_at, passed, answer}].
create function public.note_check_results(_results jsonb) returns void
language sql security definer set search_path = ''
as $$
  update public.assistant_checks as kept
  set passed = result.passed, answer = result.answer, ran_at = clock_timestamp()
  from jsonb_to_recordset(_results) as result (id uuid, updated_at timestamptz, passed boolean, answer text)
  where kept.id = result.id and kept.updated_at = result.updated_at
$$;
revoke all on function public.note_check_results(jsonb) from public, anon, authenticated;
grant execute on function public.note_check_results(jsonb) to service_role;

-- Time at which each periodic job is due. All processes share the table, so each run happens once.
create table private.jobs (
  name text primary key,
  next_run_at timestamptz not null default now(),
  last_run_at timestamptz,
  last_error text
);
revoke all on table private.jobs from anon, authenticated, service_role;
alter table private.jobs enable row level security;

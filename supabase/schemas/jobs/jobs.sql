-- Periodic jobs. The table is shared by all processes, so each run happens once. Jobs without a function are run by the
-- server, which adds their rows.
create table private.jobs (
  name text primary key,
  -- A function in this schema. If rows_per_step is set, the function receives it as the maximum number of rows per step
  -- and returns how many rows it changed.
  function_name name,
  rows_per_step integer,
  next_run_at timestamptz not null default now(),
  last_run_at timestamptz,
  last_error text
);
alter table private.jobs enable row level security;

-- Does one step of the work that is due: a release, a report, the Monday list, or a daily function. Returns false if
-- nothing is due. A daily function that fails is tried again after an hour.
create function private.run_due_job() returns boolean language plpgsql security definer set search_path = '' as $$
declare
  _job private.jobs;
  _changed integer := 0;
begin
  if private.publish_next_due_release() or private.make_next_due_report() or private.send_monday_list() then
    return true;
  end if;
  select * into _job from private.jobs where function_name is not null and next_run_at <= now()
  order by next_run_at, name limit 1 for update skip locked;
  if not found then
    return false;
  end if;
  begin
    if _job.rows_per_step is null then
      execute format('select private.%I()', _job.function_name);
    else
      execute format('select private.%I($1)', _job.function_name) into _changed using _job.rows_per_step;
    end if;
    if _changed = 0 then
      update private.jobs set next_run_at = now() + interval '1 day', last_run_at = now(), last_error = null
      where name = _job.name;
    end if;
  exception when others then
    update private.jobs set next_run_at = now() + interval '1 hour', last_run_at = now(), last_error = sqlerrm
    where name = _job.name;
  end;
  return true;
end
$$;

-- Does everything that is due, for pg_cron on a hosted project. Each step is a transaction.
create procedure private.run_due_jobs() language plpgsql as $$
begin
  while private.run_due_job() loop
    commit;
  end loop;
end
$$;

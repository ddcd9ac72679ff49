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

-- Runs one step of a daily function that is due. Returns its name, and the error if it failed. Returns nulls if no
-- function is due. A function that failed is due again after an hour.
create function private.run_due_job(out name text, out error text) language plpgsql security definer set search_path = '' as $$
declare
  _job private.jobs;
  _changed integer := 0;
begin
  select * into _job from private.jobs where function_name is not null and next_run_at <= now()
  order by next_run_at, jobs.name limit 1 for update skip locked;
  if not found then
    return;
  end if;
  name := _job.name;
  begin
    if _job.rows_per_step is null then
      execute format('select private.%I()', _job.function_name);
    else
      execute format('select private.%I($1)', _job.function_name) into _changed using _job.rows_per_step;
    end if;
    if coalesce(_changed, 0) = 0 then
      update private.jobs set next_run_at = now() + interval '1 day', last_run_at = now(), last_error = null
      where jobs.name = _job.name;
    end if;
  exception when others then
    error := sqlerrm;
    update private.jobs set next_run_at = now() + interval '1 hour', last_run_at = now(), last_error = error
    where jobs.name = _job.name;
  end;
end
$$;

-- Runs everything that is due, for pg_cron on a hosted project. Each step is a transaction.
create procedure private.run_due_jobs() language plpgsql as $$
declare
  _name text;
begin
  loop
    select job.name into _name from private.run_due_job() as job;
    exit when _name is null;
    commit;
  end loop;
  while private.publish_next_due_release() loop
    commit;
  end loop;
  while private.make_next_due_report() loop
    commit;
  end loop;
  while private.mail_next_waiting_lead() loop
    commit;
  end loop;
  while private.mail_next_meeting_results() loop
    commit;
  end loop;
  perform private.send_monday_list();
end
$$;

drop function private.run_due_job();

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
revoke all on function private.run_due_job(OUT name text, OUT error text) from public, anon, authenticated, service_role;

create or replace procedure private.run_due_jobs() language plpgsql as $$
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
  perform private.send_monday_list();
end
$$;

drop function private.publish_due_releases();

drop function private.make_due_reports();

create table private.jobs (
  name text primary key,
  -- A function of this schema. With rows_per_step it takes the most rows of one step, and returns how many it changed.
  function_name name,
  rows_per_step integer,
  next_run_at timestamptz not null default now(),
  last_run_at timestamptz,
  last_error text
);
revoke all on table private.jobs from anon, authenticated, service_role;

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
revoke all on function private.run_due_job() from public, anon, authenticated, service_role;

alter table private.jobs enable row level security;

create procedure private.run_due_jobs() language plpgsql as $$
begin
  while private.run_due_job() loop
    commit;
  end loop;
end
$$;
revoke all on procedure private.run_due_jobs() from public, anon, authenticated, service_role;

insert into private.jobs (name, function_name, rows_per_step) values
  ('delete expired conversations', 'delete_expired_conversations', 200),
  ('delete expired bookings', 'delete_expired_bookings', 200),
  ('delete old visit counts', 'delete_old_visit_counts', 200),
  ('delete old versions', 'delete_old_versions', 200),
  ('delete old trash', 'delete_old_trash', 200),
  ('delete old campaigns', 'delete_old_campaigns', 200),
  ('delete old approval links', 'delete_old_approval_links', 200),
  ('empty old events', 'empty_old_events', 200),
  ('remind of unread approvals', 'tell_unread_approvals', 200),
  ('compare events with imports', 'compare_source_totals', null);

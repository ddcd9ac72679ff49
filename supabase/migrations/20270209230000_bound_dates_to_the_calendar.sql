-- Bounds every date and time of the public tables to the years 1900 to 2999. 'infinity' and other values that no calendar
-- shows were stored, and one of them broke every screen that reads the row.

-- A range instead of isfinite(): JavaScript cannot read years beyond 9999 in the form that Postgres writes them.
do $$
declare
  _table record;
begin
  for _table in
    select attrelid::regclass as name,
      string_agg(format('%1$I = least(greatest(%1$I, ''1900-01-01''), ''2999-12-31'')', attname), ', ') as clamped,
      string_agg(format('%1$I not between ''1900-01-01'' and ''2999-12-31''', attname), ' or ') as is_outside,
      string_agg(format(
        'add constraint %1$I check (%2$I between ''1900-01-01'' and ''2999-12-31'')', relname || '_' || attname || '_calendar', attname
      ), ', ') as constraints
    from pg_catalog.pg_attribute join pg_catalog.pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped and attgenerated = ''
      and atttypid in ('date'::regtype, 'timestamptz'::regtype)
    group by attrelid
  loop
    -- No version of the history and no switch of bookings comes from a repair.
    execute format('alter table %s disable trigger user', _table.name);
    execute format('update %s set %s where %s', _table.name, _table.clamped, _table.is_outside);
    execute format('alter table %s enable trigger user', _table.name);
    execute format('alter table %s %s', _table.name, _table.constraints);
  end loop;
end
$$;

alter table public.preview_links drop constraint preview_links_as_of_check;
alter table public.booking_exceptions
  drop constraint booking_exceptions_first_day_check,
  drop constraint booking_exceptions_last_day_check;

create table public.availability (
  id uuid default gen_random_uuid() not null,
  weekday smallint not null,
  starts_at time without time zone not null,
  ends_at time without time zone not null,
  constraint availability_pkey PRIMARY KEY (id),
  constraint availability_check CHECK (ends_at > starts_at),
  constraint availability_weekday_check CHECK (weekday >= 1 AND weekday <= 7)
);

grant select on public.availability to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.availability to service_role;

alter table public.availability enable row level security;

create policy "Admins read the hours for calls" on public.availability for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

-- Triggers, in the order in which they fire.
CREATE TRIGGER switch_booking AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON availability FOR EACH STATEMENT EXECUTE FUNCTION private.switch_booking();

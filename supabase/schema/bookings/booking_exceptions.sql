create table public.booking_exceptions (
  id uuid default gen_random_uuid() not null,
  first_day date not null,
  last_day date not null,
  starts_at time without time zone default '00:00:00'::time without time zone not null,
  ends_at time without time zone default '24:00:00'::time without time zone not null,
  note text default ''::text not null,
  constraint booking_exceptions_pkey PRIMARY KEY (id),
  constraint booking_exceptions_check CHECK ((last_day + ends_at) > (first_day + starts_at)),
  constraint booking_exceptions_first_day_calendar CHECK (first_day >= '1900-01-01'::date AND first_day <= '2999-12-31'::date),
  constraint booking_exceptions_last_day_calendar CHECK (last_day >= '1900-01-01'::date AND last_day <= '2999-12-31'::date),
  constraint booking_exceptions_note_check CHECK (length(note) <= 200)
);

grant delete, insert, select on public.booking_exceptions to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.booking_exceptions to service_role;

alter table public.booking_exceptions enable row level security;

create policy "Admins remove days without calls" on public.booking_exceptions for delete to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Admins add days without calls" on public.booking_exceptions for insert to authenticated
  with check (( SELECT private.is_admin() AS is_admin));

create policy "Admins read days without calls" on public.booking_exceptions for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

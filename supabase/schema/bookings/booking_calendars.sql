create table public.booking_calendars (
  id uuid default gen_random_uuid() not null,
  label text not null,  -- insert to authenticated
  address text not null,  -- insert to authenticated
  next_read_at timestamp with time zone default now() not null,
  read_at timestamp with time zone,
  failure text,
  created_at timestamp with time zone default now() not null,
  constraint booking_calendars_pkey PRIMARY KEY (id),
  constraint booking_calendars_address_check CHECK (address ~ '^https://[^[:space:][:cntrl:]]+$'::text AND length(address) <= 2000),
  constraint booking_calendars_address_key UNIQUE (address),
  constraint booking_calendars_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint booking_calendars_label_check CHECK (length(label) >= 1 AND length(label) <= 100),
  constraint booking_calendars_next_read_at_calendar CHECK (next_read_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND next_read_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint booking_calendars_read_at_calendar CHECK (read_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND read_at <= '2999-12-31 00:00:00+00'::timestamp with time zone)
);

grant delete, select on public.booking_calendars to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.booking_calendars to service_role;

alter table public.booking_calendars enable row level security;

create policy "Admins remove calendars" on public.booking_calendars for delete to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Admins add calendars" on public.booking_calendars for insert to authenticated
  with check (( SELECT private.is_admin() AS is_admin));

create policy "Admins read calendars" on public.booking_calendars for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

-- Triggers, in the order in which they fire.
CREATE TRIGGER limit_calendars BEFORE INSERT ON booking_calendars FOR EACH ROW EXECUTE FUNCTION private.limit_calendars();
CREATE TRIGGER notify_calendar_added AFTER INSERT ON booking_calendars FOR EACH STATEMENT EXECUTE FUNCTION private.notify_calendar_added();

create table public.booking_busy (
  calendar_id uuid not null,
  during tstzrange not null,
  constraint booking_busy_calendar_id_fkey FOREIGN KEY (calendar_id) REFERENCES booking_calendars(id) ON DELETE CASCADE
);

CREATE INDEX booking_busy_calendar_idx ON public.booking_busy USING btree (calendar_id);

CREATE INDEX booking_busy_during_idx ON public.booking_busy USING gist (during);

grant delete, insert, maintain, references, select, trigger, truncate, update on public.booking_busy to service_role;

alter table public.booking_busy enable row level security;

create table public.booking_rules (
  id boolean default true not null,
  time_zone text default 'Europe/Oslo'::text not null,
  notice_minutes integer default 720 not null,
  days_ahead integer default 30 not null,
  length_minutes integer default 30 not null,
  place text default ''::text not null,
  updated_at timestamp with time zone default now() not null,
  constraint booking_rules_pkey PRIMARY KEY (id),
  constraint booking_rules_days_ahead_check CHECK (days_ahead >= 1 AND days_ahead <= 365),
  constraint booking_rules_id_check CHECK (id),
  constraint booking_rules_length_minutes_check CHECK (length_minutes >= 10 AND length_minutes <= 480),
  constraint booking_rules_notice_minutes_check CHECK (notice_minutes >= 0 AND notice_minutes <= 43200),
  constraint booking_rules_place_check CHECK (length(place) <= 300),
  constraint booking_rules_time_zone_check CHECK (length(time_zone) >= 1 AND length(time_zone) <= 64),
  constraint booking_rules_updated_at_calendar CHECK (updated_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND updated_at <= '2999-12-31 00:00:00+00'::timestamp with time zone)
);

grant select on public.booking_rules to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.booking_rules to service_role;

alter table public.booking_rules enable row level security;

create policy "Admins read the rules for calls" on public.booking_rules for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

-- Triggers, in the order in which they fire.
CREATE TRIGGER publish_booking_zone AFTER INSERT OR DELETE OR UPDATE OF time_zone ON booking_rules FOR EACH ROW EXECUTE FUNCTION private.publish_booking_zone();

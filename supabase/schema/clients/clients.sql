create table public.clients (
  id uuid default gen_random_uuid() not null,
  name text not null,  -- insert to authenticated, update to authenticated
  domain text default ''::text not null,  -- insert to authenticated, update to authenticated
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  time_zone text default 'Europe/Oslo'::text not null,  -- insert to authenticated, update to authenticated
  first_weekday integer default 1 not null,  -- insert to authenticated, update to authenticated
  currency text default 'NOK'::text not null,  -- insert to authenticated, update to authenticated
  meetings_goal integer,  -- insert to authenticated, update to authenticated
  replies_goal integer,  -- insert to authenticated, update to authenticated
  delivered_goal integer,  -- insert to authenticated, update to authenticated
  is_sample boolean default false not null,
  changed_by uuid,
  report_weekday integer,  -- insert to authenticated, update to authenticated
  report_hour integer default 8 not null,  -- insert to authenticated, update to authenticated
  logo text,
  constraint clients_pkey PRIMARY KEY (id),
  constraint clients_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint clients_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint clients_currency_check CHECK (currency ~ '^[A-Z]{3}$'::text),
  constraint clients_delivered_goal_check CHECK (delivered_goal >= 1 AND delivered_goal <= 1000000000),
  constraint clients_domain_check CHECK (length(domain) <= 253 AND domain ~ '^[a-z0-9.-]*$'::text),
  constraint clients_first_weekday_check CHECK (first_weekday >= 1 AND first_weekday <= 7),
  constraint clients_id_logo_fkey FOREIGN KEY (id, logo) REFERENCES client_files(client_id, object_name) ON DELETE SET NULL (logo),
  constraint clients_meetings_goal_check CHECK (meetings_goal >= 1 AND meetings_goal <= 1000000000),
  constraint clients_name_check CHECK (length(TRIM(BOTH FROM name)) >= 1 AND length(TRIM(BOTH FROM name)) <= 200 AND name !~ '[[:cntrl:]]'::text),
  constraint clients_replies_goal_check CHECK (replies_goal >= 1 AND replies_goal <= 1000000000),
  constraint clients_report_hour_check CHECK (report_hour >= 0 AND report_hour <= 23),
  constraint clients_report_weekday_check CHECK (report_weekday >= 1 AND report_weekday <= 7),
  constraint clients_updated_at_calendar CHECK (updated_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND updated_at <= '2999-12-31 00:00:00+00'::timestamp with time zone)
);

CREATE INDEX clients_changed_by_idx ON public.clients USING btree (changed_by);

CREATE INDEX clients_logo_idx ON public.clients USING btree (id, logo) WHERE (logo IS NOT NULL);

CREATE UNIQUE INDEX clients_one_sample_idx ON public.clients USING btree (is_sample) WHERE is_sample;

grant delete, select on public.clients to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.clients to service_role;

alter table public.clients enable row level security;

create policy "Admins delete clients" on public.clients for delete to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Admins add clients" on public.clients for insert to authenticated
  with check (( SELECT private.is_admin() AS is_admin));

create policy "Admins read all clients" on public.clients for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Members read their clients" on public.clients for select to authenticated
  using ((id IN ( SELECT private.clients_of_member() AS clients_of_member)));

create policy "Team members read the clients they are assigned to" on public.clients for select to authenticated
  using ((id IN ( SELECT private.clients_of_team_member() AS clients_of_team_member)));

create policy "Admins change clients" on public.clients for update to authenticated
  using (( SELECT private.is_admin() AS is_admin))
  with check (( SELECT private.is_admin() AS is_admin));

-- Triggers, in the order in which they fire.
CREATE TRIGGER note_changer BEFORE UPDATE OF name, domain, time_zone, first_weekday, currency, meetings_goal, replies_goal, delivered_goal ON clients FOR EACH ROW EXECUTE FUNCTION private.note_changer();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON clients FOR EACH ROW EXECUTE FUNCTION private.touch_updated_at();
CREATE TRIGGER check_time_zone AFTER INSERT OR UPDATE OF time_zone ON clients FOR EACH ROW EXECUTE FUNCTION private.check_client_time_zone();
CREATE TRIGGER tell_of_report_day AFTER INSERT OR UPDATE OF report_weekday, report_hour, time_zone ON clients FOR EACH STATEMENT EXECUTE FUNCTION private.tell_of_report_day();

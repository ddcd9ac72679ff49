create table public.client_reports (
  client_id uuid not null,
  id uuid default gen_random_uuid() not null,
  span text not null,
  first_day date not null,
  last_day date not null,
  figures jsonb not null,
  summary text default ''::text not null,
  corrects uuid,
  created_at timestamp with time zone default now() not null,
  discarded_at timestamp with time zone,
  hash text,
  previous_hash text,
  approved_by uuid,
  sent_at timestamp with time zone,
  decisions jsonb,
  constraint client_reports_pkey PRIMARY KEY (client_id, id),
  constraint client_reports_approved_by_fkey FOREIGN KEY (approved_by) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint client_reports_check CHECK (last_day > first_day),
  constraint client_reports_check1 CHECK ((hash IS NULL) = (sent_at IS NULL)),
  constraint client_reports_check2 CHECK (sent_at IS NULL OR discarded_at IS NULL),
  constraint client_reports_client_id_corrects_fkey FOREIGN KEY (client_id, corrects) REFERENCES client_reports(client_id, id),
  constraint client_reports_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(id) ON DELETE CASCADE,
  constraint client_reports_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint client_reports_discarded_at_calendar CHECK (discarded_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND discarded_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint client_reports_first_day_calendar CHECK (first_day >= '1900-01-01'::date AND first_day <= '2999-12-31'::date),
  constraint client_reports_hash_check CHECK (hash ~ '^[0-9a-f]{64}$'::text),
  constraint client_reports_last_day_calendar CHECK (last_day >= '1900-01-01'::date AND last_day <= '2999-12-31'::date),
  constraint client_reports_previous_hash_check CHECK (previous_hash ~ '^[0-9a-f]{64}$'::text),
  constraint client_reports_sent_at_calendar CHECK (sent_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND sent_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint client_reports_span_check CHECK (span = ANY (ARRAY['week'::text, 'month'::text])),
  constraint client_reports_summary_check CHECK (length(summary) <= 5000)
);

CREATE INDEX client_reports_approved_by_idx ON public.client_reports USING btree (approved_by);

CREATE UNIQUE INDEX client_reports_corrects_idx ON public.client_reports USING btree (client_id, corrects);

CREATE INDEX client_reports_id_idx ON public.client_reports USING btree (id);

CREATE UNIQUE INDEX client_reports_once_idx ON public.client_reports USING btree (client_id, span, first_day) WHERE (corrects IS NULL);

CREATE INDEX client_reports_sent_idx ON public.client_reports USING btree (client_id, sent_at);

grant select on public.client_reports to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.client_reports to service_role;

alter table public.client_reports enable row level security;

create policy "Admins read all reports" on public.client_reports for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Members read the reports that their clients were sent" on public.client_reports for select to authenticated
  using (((sent_at IS NOT NULL) AND (client_id IN ( SELECT private.clients_of_member() AS clients_of_member))));

create policy "Team members read the reports of their clients" on public.client_reports for select to authenticated
  using ((client_id IN ( SELECT private.clients_of_team_member() AS clients_of_team_member)));

-- Triggers, in the order in which they fire.
CREATE TRIGGER keep_sent BEFORE DELETE OR UPDATE ON client_reports FOR EACH ROW EXECUTE FUNCTION private.keep_sent_report();

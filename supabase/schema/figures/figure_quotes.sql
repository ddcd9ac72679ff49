create table public.figure_quotes (
  client_id uuid not null,
  id uuid default gen_random_uuid() not null,
  project_id uuid not null,
  metric text not null,
  first_day date not null,
  last_day date not null,
  asked_by uuid,
  asked_at timestamp with time zone default now() not null,
  answer text,
  answered_by uuid,
  answered_at timestamp with time zone,
  withdrawn_by uuid,
  withdrawn_at timestamp with time zone,
  ended_at timestamp with time zone,
  constraint figure_quotes_pkey PRIMARY KEY (client_id, id),
  constraint figure_quotes_answer_check CHECK (answer = ANY (ARRAY['yes'::text, 'no'::text])),
  constraint figure_quotes_answered_at_calendar CHECK (answered_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND answered_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint figure_quotes_answered_by_fkey FOREIGN KEY (answered_by) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint figure_quotes_asked_at_calendar CHECK (asked_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND asked_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint figure_quotes_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint figure_quotes_check CHECK (last_day > first_day AND EXTRACT(day FROM last_day + 1) = 1::numeric),
  constraint figure_quotes_check1 CHECK ((answer IS NULL) = (answered_at IS NULL)),
  constraint figure_quotes_check2 CHECK (withdrawn_at IS NULL OR answer = 'yes'::text),
  constraint figure_quotes_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(id) ON DELETE CASCADE,
  constraint figure_quotes_ended_at_calendar CHECK (ended_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND ended_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint figure_quotes_first_day_calendar CHECK (first_day >= '1900-01-01'::date AND first_day <= '2999-12-31'::date),
  constraint figure_quotes_first_day_check CHECK (EXTRACT(day FROM first_day) = 1::numeric),
  constraint figure_quotes_last_day_calendar CHECK (last_day >= '1900-01-01'::date AND last_day <= '2999-12-31'::date),
  constraint figure_quotes_metric_check CHECK (metric = ANY (ARRAY['sent'::text, 'delivered'::text, 'bounced'::text, 'replies'::text, 'positive_replies'::text, 'meetings'::text, 'pipeline'::text])),
  constraint figure_quotes_withdrawn_at_calendar CHECK (withdrawn_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND withdrawn_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint figure_quotes_withdrawn_by_fkey FOREIGN KEY (withdrawn_by) REFERENCES auth.users(id) ON DELETE SET NULL
);

CREATE INDEX figure_quotes_answered_by_idx ON public.figure_quotes USING btree (answered_by);

CREATE INDEX figure_quotes_asked_by_idx ON public.figure_quotes USING btree (asked_by);

CREATE INDEX figure_quotes_project_idx ON public.figure_quotes USING btree (project_id) WHERE (ended_at IS NULL);

CREATE INDEX figure_quotes_shown_idx ON public.figure_quotes USING btree (client_id, metric) WHERE ((answer = 'yes'::text) AND (withdrawn_at IS NULL) AND (ended_at IS NULL));

CREATE INDEX figure_quotes_withdrawn_by_idx ON public.figure_quotes USING btree (withdrawn_by);

grant select on public.figure_quotes to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.figure_quotes to service_role;

alter table public.figure_quotes enable row level security;

create policy "Admins read all quotes" on public.figure_quotes for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Members read the quotes of their clients" on public.figure_quotes for select to authenticated
  using ((client_id IN ( SELECT private.clients_of_member() AS clients_of_member)));

create policy "Team members read the quotes of their clients" on public.figure_quotes for select to authenticated
  using ((client_id IN ( SELECT private.clients_of_team_member() AS clients_of_team_member)));

-- Triggers, in the order in which they fire.
CREATE TRIGGER notify_content_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON figure_quotes FOR EACH STATEMENT EXECUTE FUNCTION private.notify_content_changed();

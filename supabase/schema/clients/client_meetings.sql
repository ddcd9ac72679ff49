create table public.client_meetings (
  client_id uuid not null,
  id uuid default gen_random_uuid() not null,
  starts_at timestamp with time zone,
  met_with text not null,
  outcome text not null,
  evidence text default ''::text not null,
  answer_until timestamp with time zone,
  answer text,
  reason text default ''::text not null,
  answered_by uuid,
  answered_at timestamp with time zone,
  kept_by uuid,
  created_at timestamp with time zone default now() not null,
  campaign_id uuid,
  booked_on date default CURRENT_DATE not null,
  origin text default 'person'::text not null,
  batch_id uuid,
  constraint client_meetings_pkey PRIMARY KEY (client_id, id),
  constraint client_meetings_answer_check CHECK (answer = ANY (ARRAY['accepted'::text, 'disputed'::text])),
  constraint client_meetings_answer_until_calendar CHECK (answer_until >= '1900-01-01 00:00:00+00'::timestamp with time zone AND answer_until <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint client_meetings_answered_at_calendar CHECK (answered_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND answered_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint client_meetings_answered_by_fkey FOREIGN KEY (answered_by) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint client_meetings_booked_on_calendar CHECK (booked_on >= '1900-01-01'::date AND booked_on <= '2999-12-31'::date),
  constraint client_meetings_check CHECK ((outcome = 'booked'::text) = (answer_until IS NULL)),
  constraint client_meetings_check1 CHECK (answer IS NULL OR outcome <> 'booked'::text),
  constraint client_meetings_check2 CHECK (answer IS DISTINCT FROM 'disputed'::text OR reason ~ '\S'::text),
  constraint client_meetings_client_id_batch_id_fkey FOREIGN KEY (client_id, batch_id) REFERENCES import_batches(client_id, id) ON DELETE SET NULL (batch_id),
  constraint client_meetings_client_id_campaign_id_fkey FOREIGN KEY (client_id, campaign_id) REFERENCES campaigns(client_id, id) ON DELETE SET NULL (campaign_id),
  constraint client_meetings_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(id) ON DELETE CASCADE,
  constraint client_meetings_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint client_meetings_evidence_check CHECK (length(evidence) <= 2000),
  constraint client_meetings_kept_by_fkey FOREIGN KEY (kept_by) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint client_meetings_met_with_check CHECK ((met_with ~ '\S'::text OR origin = 'figure'::text) AND length(met_with) <= 200 AND met_with !~ '[[:cntrl:]]'::text),
  constraint client_meetings_origin_check CHECK (origin = ANY (ARRAY['person'::text, 'figure'::text, 'completed'::text])),
  constraint client_meetings_outcome_check CHECK (outcome = ANY (ARRAY['booked'::text, 'held'::text, 'no_show'::text])),
  constraint client_meetings_reason_check CHECK (length(reason) <= 2000),
  constraint client_meetings_starts_at_calendar CHECK (starts_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND starts_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint client_meetings_time_check CHECK (starts_at IS NOT NULL OR origin = 'figure'::text AND outcome = 'booked'::text)
);

CREATE INDEX client_meetings_answered_by_idx ON public.client_meetings USING btree (answered_by);

CREATE INDEX client_meetings_batch_idx ON public.client_meetings USING btree (client_id, batch_id);

CREATE INDEX client_meetings_booked_idx ON public.client_meetings USING btree (client_id, booked_on) INCLUDE (campaign_id, batch_id);

CREATE INDEX client_meetings_campaign_idx ON public.client_meetings USING btree (client_id, campaign_id);

CREATE INDEX client_meetings_kept_by_idx ON public.client_meetings USING btree (kept_by);

CREATE INDEX client_meetings_latest_idx ON public.client_meetings USING btree (client_id, starts_at DESC, id);

grant delete, select on public.client_meetings to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.client_meetings to service_role;

alter table public.client_meetings enable row level security;

create policy "Admins and assigned team members delete what nobody answered" on public.client_meetings for delete to authenticated
  using (((answer IS NULL) AND (( SELECT private.is_admin() AS is_admin) OR (client_id IN ( SELECT private.clients_of_team_member() AS clients_of_team_member)))));

create policy "Admins read all meetings of clients" on public.client_meetings for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Members read the meetings of their clients" on public.client_meetings for select to authenticated
  using ((client_id IN ( SELECT private.clients_of_member() AS clients_of_member)));

create policy "Team members read the meetings of their clients" on public.client_meetings for select to authenticated
  using ((client_id IN ( SELECT private.clients_of_team_member() AS clients_of_team_member)));

-- Triggers, in the order in which they fire.
CREATE TRIGGER notify_quoted_added AFTER INSERT ON client_meetings REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.notify_quoted_meetings();
CREATE TRIGGER notify_quoted_changed AFTER UPDATE ON client_meetings REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.notify_quoted_meetings();
CREATE TRIGGER notify_quoted_moved AFTER UPDATE ON client_meetings REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.notify_quoted_meetings();
CREATE TRIGGER notify_quoted_removed AFTER DELETE ON client_meetings REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.notify_quoted_meetings();

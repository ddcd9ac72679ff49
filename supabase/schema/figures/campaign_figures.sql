create table public.campaign_figures (
  client_id uuid not null,
  batch_id uuid not null,
  campaign_id uuid not null,
  metric text not null,
  first_day date not null,
  last_day date not null,
  value bigint not null,
  replaced_by uuid,
  constraint campaign_figures_pkey PRIMARY KEY (client_id, batch_id, campaign_id, metric, first_day),
  constraint campaign_figures_check CHECK (last_day = first_day OR last_day = (first_day + 6)),
  constraint campaign_figures_client_id_batch_id_fkey FOREIGN KEY (client_id, batch_id) REFERENCES import_batches(client_id, id) ON DELETE CASCADE,
  constraint campaign_figures_client_id_campaign_id_fkey FOREIGN KEY (client_id, campaign_id) REFERENCES campaigns(client_id, id) ON DELETE CASCADE,
  constraint campaign_figures_client_id_replaced_by_fkey FOREIGN KEY (client_id, replaced_by) REFERENCES import_batches(client_id, id),
  constraint campaign_figures_first_day_calendar CHECK (first_day >= '1900-01-01'::date AND first_day <= '2999-12-31'::date),
  constraint campaign_figures_last_day_calendar CHECK (last_day >= '1900-01-01'::date AND last_day <= '2999-12-31'::date),
  constraint campaign_figures_metric_check CHECK (metric = ANY (ARRAY['sent'::text, 'delivered'::text, 'bounced'::text, 'replies'::text, 'positive_replies'::text, 'meetings'::text, 'pipeline'::text])),
  constraint campaign_figures_value_check CHECK (value >= 0 AND value <= '1000000000000'::bigint)
);

CREATE UNIQUE INDEX campaign_figures_current_idx ON public.campaign_figures USING btree (client_id, campaign_id, metric, first_day) INCLUDE (last_day, value, batch_id) WHERE (replaced_by IS NULL);

CREATE INDEX campaign_figures_days_idx ON public.campaign_figures USING btree (client_id, first_day) INCLUDE (campaign_id, metric, last_day, value) WHERE (replaced_by IS NULL);

CREATE INDEX campaign_figures_replaced_by_idx ON public.campaign_figures USING btree (client_id, replaced_by);

grant select on public.campaign_figures to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.campaign_figures to service_role;

alter table public.campaign_figures enable row level security;

create policy "Admins read all figures that count" on public.campaign_figures for select to authenticated
  using (((replaced_by IS NULL) AND ( SELECT private.is_admin() AS is_admin)));

create policy "Members read the figures of their clients" on public.campaign_figures for select to authenticated
  using (((replaced_by IS NULL) AND (client_id IN ( SELECT private.clients_of_member() AS clients_of_member))));

create policy "Team members read the figures of their clients" on public.campaign_figures for select to authenticated
  using (((replaced_by IS NULL) AND (client_id IN ( SELECT private.clients_of_team_member() AS clients_of_team_member))));

-- Triggers, in the order in which they fire.
CREATE TRIGGER match_meetings_deleted AFTER DELETE ON campaign_figures REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.match_meetings();
CREATE TRIGGER match_meetings_inserted AFTER INSERT ON campaign_figures REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.match_meetings();
CREATE TRIGGER match_meetings_updated AFTER UPDATE ON campaign_figures REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.match_meetings();
CREATE TRIGGER notify_quoted_deleted AFTER DELETE ON campaign_figures REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.notify_quoted_figures();
CREATE TRIGGER notify_quoted_inserted AFTER INSERT ON campaign_figures REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.notify_quoted_figures();
CREATE TRIGGER notify_quoted_updated AFTER UPDATE ON campaign_figures REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.notify_quoted_figures();
CREATE TRIGGER refuse_days_twice_inserted AFTER INSERT ON campaign_figures REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.refuse_days_twice();
CREATE TRIGGER refuse_days_twice_updated AFTER UPDATE ON campaign_figures REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.refuse_days_twice();

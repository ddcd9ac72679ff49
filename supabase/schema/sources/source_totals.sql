create table public.source_totals (
  client_id uuid not null,
  source_id uuid not null,
  metric text not null,
  first_day date not null,
  last_day date not null,
  value bigint not null,
  file_name text not null,
  added_by uuid,
  created_at timestamp with time zone default now() not null,
  constraint source_totals_pkey PRIMARY KEY (client_id, source_id, metric, first_day, last_day),
  constraint source_totals_added_by_fkey FOREIGN KEY (added_by) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint source_totals_check CHECK (last_day = first_day OR last_day = (first_day + 6)),
  constraint source_totals_client_id_source_id_fkey FOREIGN KEY (client_id, source_id) REFERENCES campaign_sources(client_id, id) ON DELETE CASCADE,
  constraint source_totals_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint source_totals_file_name_check CHECK (length(file_name) >= 1 AND length(file_name) <= 255 AND file_name !~ '[[:cntrl:]]'::text),
  constraint source_totals_first_day_calendar CHECK (first_day >= '1900-01-01'::date AND first_day <= '2999-12-31'::date),
  constraint source_totals_last_day_calendar CHECK (last_day >= '1900-01-01'::date AND last_day <= '2999-12-31'::date),
  constraint source_totals_value_check CHECK (value >= 0 AND value <= '1000000000000'::bigint)
);

CREATE INDEX source_totals_added_by_idx ON public.source_totals USING btree (added_by);

grant select on public.source_totals to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.source_totals to service_role;

alter table public.source_totals enable row level security;

create policy "Admins read all totals to compare with" on public.source_totals for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Team members read the totals of their clients" on public.source_totals for select to authenticated
  using ((client_id IN ( SELECT private.clients_of_team_member() AS clients_of_team_member)));

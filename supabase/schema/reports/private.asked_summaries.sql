create table private.asked_summaries (
  client_id uuid not null,
  report_id uuid not null,
  state text default 'wanted'::text not null,
  left_out integer default 0 not null,
  tries integer default 0 not null,
  next_try_at timestamp with time zone default now() not null,
  constraint asked_summaries_pkey PRIMARY KEY (client_id, report_id),
  constraint asked_summaries_client_id_report_id_fkey FOREIGN KEY (client_id, report_id) REFERENCES client_reports(client_id, id) ON DELETE CASCADE,
  constraint asked_summaries_state_check CHECK (state = ANY (ARRAY['wanted'::text, 'filled'::text, 'empty'::text, 'away'::text]))
);

alter table private.asked_summaries enable row level security;

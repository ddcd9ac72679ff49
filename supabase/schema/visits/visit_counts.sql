create table public.visit_counts (
  day date not null,
  kind text not null,
  name text not null,
  count bigint not null,
  reads bigint default 0 not null,
  read_seconds bigint default 0 not null,
  constraint visit_counts_pkey PRIMARY KEY (day, kind, name),
  constraint visit_counts_check CHECK (reads >= 0 AND reads <= count),
  constraint visit_counts_check1 CHECK (read_seconds >= 0 AND read_seconds <= (reads * 1800)),
  constraint visit_counts_count_check CHECK (count > 0),
  constraint visit_counts_day_calendar CHECK (day >= '1900-01-01'::date AND day <= '2999-12-31'::date),
  constraint visit_counts_kind_check CHECK (kind = ANY (ARRAY['page'::text, 'referrer'::text, 'device'::text, 'chat'::text])),
  constraint visit_counts_name_check CHECK (length(name) <= 310)
);

grant select on public.visit_counts to authenticated, service_role;

alter table public.visit_counts enable row level security;

create policy "Admins read how often the site is visited" on public.visit_counts for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

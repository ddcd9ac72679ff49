create table public.chat_usage (
  day date not null,
  replies integer default 0 not null,
  constraint chat_usage_pkey PRIMARY KEY (day),
  constraint chat_usage_day_calendar CHECK (day >= '1900-01-01'::date AND day <= '2999-12-31'::date)
);

grant select on public.chat_usage to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.chat_usage to service_role;

alter table public.chat_usage enable row level security;

create policy "Admins read how much the chat is used" on public.chat_usage for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

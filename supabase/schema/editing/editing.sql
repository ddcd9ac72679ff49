create table public.editing (
  kind text not null,
  item_id text not null,
  user_id uuid not null,
  seen_at timestamp with time zone default now() not null,
  constraint editing_pkey PRIMARY KEY (user_id, kind, item_id),
  constraint editing_item_id_check CHECK (length(item_id) >= 1 AND length(item_id) <= 200),
  constraint editing_kind_check CHECK (length(kind) >= 1 AND length(kind) <= 63),
  constraint editing_seen_at_calendar CHECK (seen_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND seen_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint editing_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);

grant delete, insert, maintain, references, select, trigger, truncate, update on public.editing to service_role;

alter table public.editing enable row level security;

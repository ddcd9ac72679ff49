create table public.slug_aliases (
  kind text not null,
  slug text not null,
  item_id uuid not null,
  created_at timestamp with time zone default now() not null,
  constraint slug_aliases_pkey PRIMARY KEY (kind, slug),
  constraint slug_aliases_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint slug_aliases_kind_check CHECK (kind = ANY (ARRAY['posts'::text, 'projects'::text]))
);

grant select on public.slug_aliases to anon, authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.slug_aliases to service_role;

alter table public.slug_aliases enable row level security;

create policy "Everybody reads addresses that were public" on public.slug_aliases for select to anon, authenticated
  using (true);

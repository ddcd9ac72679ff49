-- Figures of campaigns as counts of a day or a week, each with the import that brought it. Members read those of their
-- clients, assigned team members and admins also bring them: by import_figures() and undo_import() alone, so that no figure
-- is without a source.

create table public.import_batches (
  client_id uuid not null references public.clients (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  file_name text not null check (length(file_name) between 1 and 255 and file_name !~ '[[:cntrl:]]'),
  -- SHA-256 in hexadecimal digits.
  file_hash text not null check (file_hash ~ '^[0-9a-f]{64}$'),
  -- Which column is what, for the next file with the same columns.
  column_map jsonb not null check (jsonb_typeof(column_map) = 'object' and length(column_map::text) <= 20000),
  new_count integer not null,
  changed_count integer not null,
  same_count integer not null,
  refused_count integer not null,
  imported_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  undone_by uuid references auth.users (id) on delete set null,
  undone_at timestamptz,
  primary key (client_id, id)
);
create index import_batches_latest_idx on public.import_batches (client_id, created_at desc);
create index import_batches_imported_by_idx on public.import_batches (imported_by);
create index import_batches_undone_by_idx on public.import_batches (undone_by);

-- One row for each figure of each import. A row that a later import replaced says so and rests, for the day on which that
-- import is undone; nobody reads it.
create table public.campaign_figures (
  client_id uuid not null,
  batch_id uuid not null,
  campaign_id uuid not null,
  metric text not null
    check (metric in ('sent', 'delivered', 'bounced', 'replies', 'positive_replies', 'meetings', 'pipeline')),
  first_day date not null,
  -- The first day, or six days later: a week is stored as it came, and fills its days.
  last_day date not null check (last_day in (first_day, first_day + 6)),
  value bigint not null check (value between 0 and 1000000000000),
  replaced_by uuid,
  primary key (client_id, batch_id, campaign_id, metric, first_day),
  foreign key (client_id, batch_id) references public.import_batches (client_id, id) on delete cascade,
  foreign key (client_id, campaign_id) references public.campaigns (client_id, id) on delete cascade,
  foreign key (client_id, replaced_by) references public.import_batches (client_id, id)
);
create unique index campaign_figures_current_idx
  on public.campaign_figures (client_id, campaign_id, metric, first_day) include (last_day, value, batch_id)
  where replaced_by is null;
create index campaign_figures_days_idx on public.campaign_figures (client_id, first_day) where replaced_by is null;
create index campaign_figures_replaced_by_idx on public.campaign_figures (client_id, replaced_by);

-- Refuses a day that a week of the same campaign and metric fills already, and the other way round. The lock makes imports
-- of one client come one after the other.
create function private.refuse_days_twice() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform from public.clients where id in (select client_id from changed) order by id for no key update;
  if exists (
    select from changed
    join public.campaign_figures as other using (client_id, campaign_id, metric)
    where changed.replaced_by is null and other.replaced_by is null
      and other.first_day between changed.first_day - 6 and changed.last_day
      and other.last_day >= changed.first_day and other.first_day <> changed.first_day
  ) then
    raise exception 'A week and one of its days cannot both have a figure.' using errcode = '23P01';
  end if;
  return null;
end
$$;
revoke all on function private.refuse_days_twice() from public;
create trigger refuse_days_twice_inserted after insert on public.campaign_figures
  referencing new table as changed for each statement execute function private.refuse_days_twice();
create trigger refuse_days_twice_updated after update on public.campaign_figures
  referencing new table as changed for each statement execute function private.refuse_days_twice();

revoke all on table public.import_batches, public.campaign_figures from anon, authenticated;
grant select on table public.import_batches, public.campaign_figures to authenticated;
grant all on table public.import_batches, public.campaign_figures to service_role;
alter table public.import_batches enable row level security;
alter table public.campaign_figures enable row level security;

create policy "Admins read all imports" on public.import_batches
  for select to authenticated using ((select private.is_admin()));
create policy "Members read the imports of their clients" on public.import_batches
  for select to authenticated using (client_id in (select private.clients_of_member()));
create policy "Team members read the imports of their clients" on public.import_batches
  for select to authenticated using (client_id in (select private.clients_of_team_member()));

-- Without what was replaced, so that no sum counts it.
create policy "Admins read all figures that count" on public.campaign_figures
  for select to authenticated using (replaced_by is null and (select private.is_admin()));
create policy "Members read the figures of their clients" on public.campaign_figures
  for select to authenticated using (replaced_by is null and client_id in (select private.clients_of_member()));
create policy "Team members read the figures of their clients" on public.campaign_figures
  for select to authenticated using (replaced_by is null and client_id in (select private.clients_of_team_member()));

insert into private.personal_data (table_name, ids, section, given, sorted_by, on_deletion) values
  ('import_batches', '{imported_by}', 'imports_of_figures', '{"at": "created_at", "client": "client_id",
    "file": "file_name", "undone_at": "undone_at"}', 'created_at', 'follow');
insert into private.personal_data (table_name, ids, section, given_by, on_deletion) values
  ('import_batches', '{undone_by}', null, null, 'follow');

create table public.notes (
  id bigint generated always as identity primary key,
  text text not null
);
grant select, insert on table public.notes to anon, authenticated;
alter table public.notes enable row level security;
create policy "Anyone can read notes" on public.notes for select using (true);
create policy "Anyone can add notes" on public.notes for insert with check (true);

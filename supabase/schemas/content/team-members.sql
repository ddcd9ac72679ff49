-- Team members. Drafts are visible only to admins, published team members to everyone.
create table public.team_members (
  id uuid primary key default gen_random_uuid(),
  name text not null check (length(name) between 1 and 300),
  position text not null default '' check (length("position") <= 300),
  bio text not null default '' check (length(bio) <= 5000),
  avatar_url text check (length(avatar_url) <= 2000),
  social_links jsonb not null default '{}' check (jsonb_typeof(social_links) = 'object'),
  status text not null default 'published' check (status in ('draft', 'published')),
  display_order integer not null default 0,
  created_at timestamptz not null default now()
    constraint team_members_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  updated_at timestamptz not null default now()
    constraint team_members_updated_at_calendar check (updated_at between '1900-01-01' and '2999-12-31')
);
create index team_members_order_idx on public.team_members (status, display_order);
grant select on public.team_members to anon;
grant select, insert, update, delete on public.team_members to authenticated;
grant all on public.team_members to service_role;
alter table public.team_members enable row level security;
create policy "Visitors read published team members" on public.team_members for select to anon, authenticated
  using (status = 'published');
create policy "Admins read all team members" on public.team_members for select to authenticated
  using ((select private.is_admin()));
create policy "Admins create team members" on public.team_members for insert to authenticated
  with check ((select private.is_admin()));
create policy "Admins change team members" on public.team_members for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "Admins delete team members" on public.team_members for delete to authenticated
  using ((select private.is_admin()));

create trigger touch_updated_at before update on public.team_members for each row execute function private.touch_updated_at();
create trigger notify_content_changed after insert or update or delete or truncate on public.team_members
  for each statement execute function private.notify_content_changed();

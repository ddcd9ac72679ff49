-- Releases: changes of content that wait under a name and are published together. A change is the whole row as it will be
-- (data) and as it was when somebody edited it (base), both as to_jsonb() gives them; publishing writes what differs.

create table public.releases (
  id uuid primary key default gen_random_uuid(),
  name text not null check (length(trim(name)) between 1 and 120),
  -- When it is published by itself; null: when somebody says so.
  publish_at timestamptz,
  scheduled_by uuid references auth.users (id) on delete set null,
  published_at timestamptz,
  -- Who said so, or planned it; null also when that account is gone.
  published_by uuid references auth.users (id) on delete set null,
  -- Why it was not published at its time, in sentences for editors, and when that was.
  failure text check (length(failure) <= 4000),
  failed_at timestamptz,
  created_by uuid default private.user_id() references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index releases_due_idx on public.releases (publish_at) where published_at is null and publish_at is not null;
create index releases_newest_idx on public.releases (created_at desc);
create index releases_created_by_idx on public.releases (created_by);
create index releases_scheduled_by_idx on public.releases (scheduled_by);
create index releases_published_by_idx on public.releases (published_by);

create table public.release_changes (
  id uuid primary key default gen_random_uuid(),
  release_id uuid not null references public.releases (id) on delete cascade,
  -- The table: one of private.content_kinds, page_content or site_settings.
  kind text not null,
  -- The item's id; 'home/hero' for a section of a page and the key of a setting, which may not have been saved yet.
  item_id text not null check (length(item_id) between 1 and 250),
  action text not null check (action in ('create', 'update', 'delete')),
  data jsonb check (jsonb_typeof(data) = 'object' and octet_length(data::text) <= 2000000),
  base jsonb check (jsonb_typeof(base) = 'object' and octet_length(base::text) <= 2000000),
  -- The row before and after publishing, for the record.
  before jsonb,
  after jsonb,
  changed_by uuid references auth.users (id) on delete set null,
  changed_at timestamptz not null default now(),
  check ((action = 'delete') = (data is null)),
  check ((action = 'create') = (base is null)),
  unique (release_id, kind, item_id)
);
create index release_changes_item_idx on public.release_changes (kind, item_id);
create index release_changes_changed_by_idx on public.release_changes (changed_by);

revoke all on table public.releases, public.release_changes from anon, authenticated;
grant select, delete on table public.releases, public.release_changes to authenticated;
-- Who did it and what was published are for the database to say.
grant insert (id, name, publish_at), update (name, publish_at) on table public.releases to authenticated;
grant insert (id, release_id, kind, item_id, action, data, base), update (action, data, base)
  on table public.release_changes to authenticated;
grant all on table public.releases, public.release_changes to service_role;
alter table public.releases enable row level security;
alter table public.release_changes enable row level security;

create policy "Admins read releases" on public.releases
  for select to authenticated using ((select private.is_admin()));
create policy "Admins create releases" on public.releases
  for insert to authenticated with check ((select private.is_admin()));
create policy "Admins change releases" on public.releases
  for update to authenticated using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "Admins delete releases" on public.releases
  for delete to authenticated using ((select private.is_admin()));
create policy "Admins read what waits in releases" on public.release_changes
  for select to authenticated using ((select private.is_admin()));
create policy "Admins add to releases" on public.release_changes
  for insert to authenticated with check ((select private.is_admin()));
create policy "Admins change what waits in releases" on public.release_changes
  for update to authenticated using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "Admins remove from releases" on public.release_changes
  for delete to authenticated using ((select private.is_admin()));

create trigger touch_updated_at before update on public.releases
  for each row execute function private.touch_updated_at();

-- What was published stays as it was; it can only be forgotten as a whole. The lock makes whoever adds something wait for
-- a publication under way, and it for them.
create function private.require_open_release(_release_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  _release public.releases;
begin
  select * into _release from public.releases where id = _release_id for share;
  if _release.published_at is not null then
    raise exception 'The release “%” was published already and no longer changes.', _release.name using errcode = 'PT409';
  end if;
end
$$;
revoke all on function private.require_open_release(uuid) from public;

create function private.keep_published_release() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if old.published_at is not null then
    raise exception 'The release “%” was published already and no longer changes.', old.name using errcode = 'PT409';
  end if;
  return new;
end
$$;
revoke all on function private.keep_published_release() from public;
create trigger keep_published before update of name, publish_at on public.releases
  for each row execute function private.keep_published_release();

create function private.guard_removed_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- A release that is gone takes its changes along.
  perform private.require_open_release(old.release_id);
  return old;
end
$$;
revoke all on function private.guard_removed_change() from public;
create trigger guard_removed before delete on public.release_changes
  for each row execute function private.guard_removed_change();

create function private.guard_release_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_open_release(new.release_id);
  if new.kind not in ('page_content', 'site_settings')
    and not exists (select from private.content_kinds where table_name = new.kind) then
    raise exception 'There is no kind of content %.', new.kind using errcode = '22023';
  end if;
  new.changed_by := private.user_id();
  new.changed_at := clock_timestamp();
  return new;
end
$$;
revoke all on function private.guard_release_change() from public;
create trigger guard_change before insert or update of action, data, base on public.release_changes
  for each row execute function private.guard_release_change();

-- Addresses at which something was public and is no more: it was renamed, unpublished or deleted. The site leads from
-- there to the present address of the item, or says that it is gone. What was never public is not remembered.

create table public.slug_aliases (
  kind text not null check (kind in ('posts', 'projects')),
  slug text not null,
  -- The item that had the slug last. No foreign key, because a deleted item keeps its addresses.
  item_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (kind, slug)
);

revoke all on table public.slug_aliases from anon, authenticated;
grant select on table public.slug_aliases to anon, authenticated;
grant all on table public.slug_aliases to service_role;
alter table public.slug_aliases enable row level security;

create policy "Everybody reads addresses that were public" on public.slug_aliases
  for select to anon, authenticated using (true);

create function private.remember_slug() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  due_at timestamptz := to_jsonb(old) ->> 'published_date';
  is_still_public boolean := tg_op = 'UPDATE' and new.slug = old.slug and new.status = 'published';
begin
  if old.status = 'published' and coalesce(due_at <= now(), true) and not is_still_public then
    insert into public.slug_aliases (kind, slug, item_id) values (tg_table_name, old.slug, old.id)
    on conflict (kind, slug) do update set item_id = excluded.item_id, created_at = now();
  end if;
  return null;
end
$$;
revoke all on function private.remember_slug() from public, anon, authenticated;

create trigger remember_slug after update of slug, status or delete on public.posts
  for each row execute function private.remember_slug();
create trigger remember_slug after update of slug, status or delete on public.projects
  for each row execute function private.remember_slug();

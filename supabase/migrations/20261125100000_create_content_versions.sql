-- History: what every item, page section and setting was after each change, by whom and when. One trigger writes it (see
-- keep_versions); admins read it, and nobody else writes.

create table public.content_versions (
  id bigint generated always as identity primary key,
  -- The table, and in it the id; of page sections 'home/hero' and of settings the key, so that a section that was reset
  -- and saved again keeps its history.
  kind text not null,
  item_id text not null,
  -- The row after the change; of a deleted one, as it was last.
  data jsonb not null,
  -- 'before': as it was before the first change that is kept.
  action text not null check (action in ('before', 'created', 'changed', 'deleted', 'restored')),
  -- The columns that changed.
  changes text[] not null default '{}',
  -- Null where no account did it, such as a script, and once the account is deleted.
  author_id uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default clock_timestamp()
);
create index content_versions_item_idx on public.content_versions (kind, item_id, id desc);
create index content_versions_age_idx on public.content_versions (created_at);
create index content_versions_author_idx on public.content_versions (author_id) where author_id is not null;

revoke all on table public.content_versions from anon, authenticated, service_role;
grant select on table public.content_versions to authenticated, service_role;
alter table public.content_versions enable row level security;
create policy "Admins read the history of content" on public.content_versions
  for select to authenticated using ((select private.is_admin()));

-- Run once a day. A version goes 90 days after it was replaced: the newest stays, and the one that stood 90 days ago.
-- @returns how many versions were deleted
create function private.delete_old_versions() returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  _deleted integer;
begin
  delete from public.content_versions as version
  using (
    select kind, item_id, max(id) as id from public.content_versions
    where created_at < now() - interval '90 days' group by kind, item_id
  ) as standing
  where version.kind = standing.kind and version.item_id = standing.item_id and version.id < standing.id;
  get diagnostics _deleted = row_count;
  return _deleted;
end
$$;
revoke all on function private.delete_old_versions() from public;

-- What editors are called: the name of the account, or its address.
create function public.editor_names(_user_ids uuid[]) returns table (user_id uuid, name text)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return query
    select person.id, coalesce(nullif(private.name_of(person.raw_user_meta_data), ''), nullif(person.email, ''), person.phone, '')::text
    from auth.users as person where person.id = any (_user_ids);
end
$$;
revoke all on function public.editor_names(uuid[]) from public, anon, authenticated;
grant execute on function public.editor_names(uuid[]) to authenticated;

-- Releases are sets of content changes that are published together. Each change stores two copies of the whole row as
-- JSON: `data` is the new row, and `base` is the row when editing began. Publishing writes only the columns that
-- differ.
create table public.releases (
  id uuid primary key default gen_random_uuid(),
  name text not null check (length(trim(name)) between 1 and 120),
  -- Time of automatic publication. Null if the release is published manually.
  publish_at timestamptz constraint releases_publish_at_calendar check (publish_at between '1900-01-01' and '2999-12-31'),
  scheduled_by uuid references auth.users (id) on delete set null,
  published_at timestamptz constraint releases_published_at_calendar check (published_at between '1900-01-01' and '2999-12-31'),
  -- User who published the release. Null if the account was deleted.
  published_by uuid references auth.users (id) on delete set null,
  -- Error message shown to editors if the scheduled publication failed.
  failure text check (length(failure) <= 4000),
  failed_at timestamptz constraint releases_failed_at_calendar check (failed_at between '1900-01-01' and '2999-12-31'),
  created_by uuid default private.user_id() references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
    constraint releases_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  updated_at timestamptz not null default now()
    constraint releases_updated_at_calendar check (updated_at between '1900-01-01' and '2999-12-31')
);
create index releases_due_idx on public.releases (publish_at) where published_at is null and publish_at is not null;
create index releases_newest_idx on public.releases (created_at desc);
create index releases_created_by_idx on public.releases (created_by);
create index releases_scheduled_by_idx on public.releases (scheduled_by);
create index releases_published_by_idx on public.releases (published_by);
grant select, delete on public.releases to authenticated;
grant all on public.releases to service_role;
grant insert (id, name, publish_at), update (name, publish_at) on public.releases to authenticated;
alter table public.releases enable row level security;
create policy "Admins read releases" on public.releases for select to authenticated using ((select private.is_admin()));
create policy "Admins create releases" on public.releases for insert to authenticated with check ((select private.is_admin()));
create policy "Admins change releases" on public.releases for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "Admins delete releases" on public.releases for delete to authenticated using ((select private.is_admin()));

create trigger touch_updated_at before update on public.releases for each row execute function private.touch_updated_at();

create table public.release_changes (
  id uuid primary key default gen_random_uuid(),
  release_id uuid not null references public.releases (id) on delete cascade,
  -- A content table, page_content or site_settings.
  kind text not null,
  -- The id of an item, 'home/hero' for a page section, or the key of a setting. The section or setting may not exist
  -- yet.
  item_id text not null check (length(item_id) between 1 and 250),
  action text not null check (action in ('create', 'update', 'delete')),
  data jsonb check (jsonb_typeof(data) = 'object' and octet_length(data::text) <= 2000000),
  base jsonb check (jsonb_typeof(base) = 'object' and octet_length(base::text) <= 2000000),
  -- The row before and after publishing.
  before jsonb,
  after jsonb,
  changed_by uuid references auth.users (id) on delete set null,
  changed_at timestamptz not null default now()
    constraint release_changes_changed_at_calendar check (changed_at between '1900-01-01' and '2999-12-31'),
  unique (release_id, kind, item_id),
  check ((action = 'delete') = (data is null)),
  constraint release_changes_check1 check ((action = 'create') = (base is null))
);
create index release_changes_item_idx on public.release_changes (kind, item_id);
create index release_changes_changed_by_idx on public.release_changes (changed_by);
grant select, delete on public.release_changes to authenticated;
grant all on public.release_changes to service_role;
grant
  insert (id, release_id, kind, item_id, action, data, base), update (action, data, base)
  on public.release_changes to authenticated;
alter table public.release_changes enable row level security;
create policy "Admins read changes in releases" on public.release_changes for select to authenticated
  using ((select private.is_admin()));
create policy "Admins add changes to releases" on public.release_changes for insert to authenticated
  with check ((select private.is_admin()));
create policy "Admins edit changes in releases" on public.release_changes for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "Admins remove changes from releases" on public.release_changes for delete to authenticated
  using ((select private.is_admin()));

-- Adds a change to the release `_release_id`, or to a new release called `_name`. The policies of both tables apply.
-- `_expected_changed_at` is the changed_at of the change that it replaces. Returns the release.
create function public.save_to_release(
  _kind text, _item_id text, _action text, _data jsonb default null, _base jsonb default null, _release_id uuid default null,
  _name text default null, _expected_changed_at timestamptz default null
) returns uuid language plpgsql set search_path = '' as $$
declare
  _existing public.release_changes;
begin
  if _release_id is null then
    insert into public.releases (name) values (_name) returning id into _release_id;
  end if;
  select * into _existing from public.release_changes
  where release_id = _release_id and kind = _kind and item_id = _item_id for update;
  if _existing.changed_at is distinct from _expected_changed_at then
    raise exception 'Another editor changed this in the release. Nothing was overwritten.' using errcode = 'PT409';
  end if;
  if _existing.id is null then
    insert into public.release_changes (release_id, kind, item_id, action, data, base)
    values (_release_id, _kind, _item_id, _action, _data, _base);
  else
    update public.release_changes set action = _action, data = _data, base = _base where id = _existing.id;
  end if;
  return _release_id;
end
$$;
grant execute on function public.save_to_release to authenticated, service_role;

-- Resolves a conflict by keeping the release's version of the fields, or the site's. `_expected_updated_at` is the
-- updated_at of the item that was shown. Null if the item was deleted.
create function public.resolve_release_conflict(_change_id uuid, _keep text, _expected_updated_at timestamptz default null) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _change public.release_changes;
  _live jsonb;
  _own_fields text[];
begin
  perform private.require_admin();
  if _keep not in ('release', 'site') then
    raise exception 'Choose which version to keep: the one in the release or the one on the site.' using errcode = '22023';
  end if;
  select * into _change from public.release_changes where id = _change_id for update;
  if not found then
    raise exception 'This change is no longer in the release.' using errcode = 'PT404';
  end if;
  _live := private.lock_item(_change.kind, _change.item_id);
  if (_live ->> 'updated_at')::timestamptz is distinct from _expected_updated_at then
    raise exception 'This was changed on the site again. Please check it again.' using errcode = 'PT409';
  end if;
  _own_fields := private.differing_fields(_change.kind, _change.data, coalesce(_change.base, '{}'));
  if _keep = 'site' and _live is not null and _change.action = 'update' then
    _own_fields := array(
      select field from unnest(_own_fields) as field
      where field <> all (private.differing_fields(_change.kind, _live, _change.base))
    );
  elsif _keep = 'site' or (_live is null and _change.action = 'delete') then
    _own_fields := '{}';
  end if;

  if _change.action = 'delete' and _keep = 'release' and _live is not null then
    update public.release_changes set base = _live where id = _change_id;
  elsif _change.action = 'delete' or cardinality(_own_fields) = 0 then
    delete from public.release_changes where id = _change_id;
  elsif _live is null then
    update public.release_changes set action = 'create', base = null, data = _change.data where id = _change_id;
  else
    update public.release_changes set action = 'update', base = _live, data = _live || (
      select jsonb_object_agg(field, _change.data -> field) from unnest(_own_fields) as field
    ) where id = _change_id;
  end if;
end
$$;
grant execute on function public.resolve_release_conflict to authenticated, service_role;

-- A published release cannot be edited, only deleted. The lock serialises edits and publication.
create function private.require_open_release(_release_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _release public.releases;
begin
  select * into _release from public.releases where id = _release_id for share;
  if _release.published_at is not null then
    raise exception 'The release “%” has already been published and cannot be changed.', _release.name using errcode = 'PT409';
  end if;
end
$$;

create function private.releases_of(_user_id uuid) returns jsonb language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'name', name, 'created', created_by = _user_id, 'created_at', created_at,
    'planned', scheduled_by = _user_id, 'published', published_by = _user_id, 'published_at', published_at
  ) order by created_at), '[]')
  from public.releases where _user_id in (created_by, scheduled_by, published_by)
$$;

-- Returns the name of an item for messages: its title, 'home/hero' or the key of a setting.
create function private.change_title(_change public.release_changes) returns text
language sql stable set search_path = '' as $$
  select left(coalesce(
    (select coalesce(_change.data, _change.base) ->> title_column::text from private.documents where kind = _change.kind),
    _change.item_id
  ), 100)
$$;

-- Validates a change when it is saved. Applies the rest of the release and then this change, keeps the resulting row,
-- and rolls back.
create function private.guard_release_change() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _document private.documents;
  _result record;
  _with_all boolean;
begin
  -- A release that reverts another one contains earlier rows of the database, and is tested as a whole.
  if current_setting('releases.is_undoing', true) = 'yes' then
    new.changed_by := private.user_id();
    new.changed_at := clock_timestamp();
    return new;
  end if;
  perform private.require_open_release(new.release_id);
  select * into _document from private.documents where kind = new.kind;
  if not found then
    raise exception 'Unknown kind of content: %.', new.kind using errcode = '22023';
  end if;
  if new.item_id = any (_document.keys_outside_releases) then
    raise exception 'This setting takes effect immediately and cannot be part of a release.' using errcode = '22023';
  end if;
  if tg_op = 'INSERT' and (
    select count(*) from public.release_changes where release_id = new.release_id
  ) >= 200 then
    raise exception 'A release can contain at most 200 changes.' using errcode = '54000';
  end if;
  new.changed_by := private.user_id();
  new.changed_at := clock_timestamp();
  if _document.is_item and new.action <> 'delete' then
    new.data := new.data || jsonb_build_object('id', new.item_id::uuid);
  end if;
  if new.action = 'update' then
    new.data := new.base || new.data;
  end if;
  new.base := case when new.base is not null then private.typed_row(new.kind, new.base) end;
  if private.document_key(new.kind, coalesce(new.data, new.base)) is distinct from new.item_id then
    raise exception 'The changed data belongs to a different item.' using errcode = '22023';
  end if;
  -- Tests the change with the changes that may affect it. If that fails, tests it with all changes of the release.
  foreach _with_all in array '{false,true}'::boolean[] loop
    begin
      perform set_config('releases.is_tried', 'yes', true);
      perform private.apply_changes(array(
        select other.id from public.release_changes as other
        where other.release_id = new.release_id and other.id <> new.id
          and (_with_all or private.can_changes_conflict(other, new))
      ));
      _result := private.apply_change(new);
      if _result.problem = 'schema' then
        raise exception '%', private.problem_sentence(new, _result.problem, _result.fields, null) using errcode = '42703';
      end if;
      raise exception 'undo' using errcode = 'RB001';
    exception
      when sqlstate 'RB001' then
        exit;
      when unique_violation then
        if _with_all then
          raise;
        end if;
    end;
  end loop;
  if new.action = 'create' then
    new.data := coalesce(_result.after, new.data);
  elsif new.action = 'update' then
    new.data := private.typed_row(new.kind, new.data);
  end if;
  return new;
end
$$;

create function private.guard_removed_change() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  -- If the release was deleted, the changes are deleted by the foreign key.
  perform private.require_open_release(old.release_id);
  return old;
end
$$;

create function private.guard_published_release() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_open_release(old.id);
  return new;
end
$$;

-- The user who scheduled the release is emailed if publishing fails. Rescheduling clears the last failure.
create function private.record_release_schedule() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if new.publish_at is not null then
    new.scheduled_by := private.user_id();
    new.failure := null;
    new.failed_at := null;
    perform pg_notify('release_planned', '');
  end if;
  return new;
end
$$;

create function private.delete_release_mentions() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.media_mentions where kind = 'release_changes'
    and item_id in (select id::text from public.release_changes where release_id = new.id);
  return null;
end
$$;

-- Records which media files unpublished changes use. After publishing, the usage is recorded for the items instead.
create function private.track_release_mentions() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'DELETE' then
    delete from private.media_mentions where kind = 'release_changes' and item_id = old.id::text;
  elsif exists (select from public.releases where id = new.release_id and published_at is null) then
    perform private.record_mentions('release_changes', new.id::text, coalesce(new.data::text, ''));
  end if;
  return null;
end
$$;

create trigger guard_published before update of name, publish_at on public.releases
  for each row execute function private.guard_published_release();

create trigger guard_removed before delete on public.release_changes
  for each row execute function private.guard_removed_change();
create trigger guard_change before insert or update of action, data, base on public.release_changes
  for each row execute function private.guard_release_change();

create trigger record_schedule before insert or update of publish_at on public.releases
  for each row execute function private.record_release_schedule();

create trigger track_media_mentions after insert or update or delete on public.release_changes
  for each row execute function private.track_release_mentions();

create trigger delete_release_mentions after update of published_at on public.releases
  for each row when (new.published_at is not null) execute function private.delete_release_mentions();

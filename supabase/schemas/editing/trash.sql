-- Trash: deleted items for 30 days. Only admins can restore them or delete them permanently. The trigger keep_versions
-- fills it on every delete.
create table public.deleted_content (
  kind text not null,
  item_id uuid not null,
  title text not null,
  data jsonb not null,
  deleted_by uuid references auth.users (id) on delete set null,
  deleted_at timestamptz not null default clock_timestamp()
    constraint deleted_content_deleted_at_calendar check (deleted_at between '1900-01-01' and '2999-12-31'),
  primary key (kind, item_id)
);
create index deleted_content_newest_idx on public.deleted_content (kind, deleted_at desc);
create index deleted_content_age_idx on public.deleted_content (deleted_at);
create index deleted_content_person_idx on public.deleted_content (deleted_by) where deleted_by is not null;
grant select on public.deleted_content to authenticated, service_role;
alter table public.deleted_content enable row level security;
create policy "Admins read deleted content" on public.deleted_content for select to authenticated
  using ((select private.is_admin()));

-- Returns the number of deleted items.
create function public.delete_permanently(_kind text, _item_ids uuid[]) returns integer
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return private.delete_items(_kind, _item_ids);
end
$$;
grant execute on function public.delete_permanently to authenticated, service_role;

-- Restores a deleted item with its id. A second caller gets an error. Returns the new slug if another item has the old
-- one, otherwise null.
create function public.restore_item(_kind text, _item_id uuid) returns text
language plpgsql security definer set search_path = '' as $$
declare
  _data jsonb;
  _slug text;
  _number integer := 1;
  _is_taken boolean;
begin
  perform private.require_admin();
  if not exists (select from private.documents where kind = _kind and is_item) then
    raise exception 'Unknown kind of content: %', coalesce(_kind, 'null') using errcode = '22023';
  end if;
  select data into _data from public.deleted_content where kind = _kind and item_id = _item_id for update;
  if not found then
    raise exception 'This item is no longer in the trash. It was restored or permanently deleted.';
  end if;
  if _data ? 'slug' then
    loop
      _slug := case _number when 1 then _data ->> 'slug' else left(_data ->> 'slug', 290) || '-' || _number end;
      execute format('select exists (select from public.%I where slug = $1)', _kind) into _is_taken using _slug;
      exit when not _is_taken;
      _number := _number + 1;
    end loop;
    _data := _data || jsonb_build_object('slug', _slug);
  end if;
  -- Columns added since the deletion get their default. Dropped columns are ignored.
  perform private.insert_item(_kind, _data, null);
  return case when _number > 1 then _slug end;
end
$$;
grant execute on function public.restore_item to authenticated, service_role;

-- Runs daily. Returns the number of deleted items.
create function private.delete_old_trash(_at_most integer default null) returns integer
language sql security definer set search_path = '' as $$
  select coalesce(sum(private.delete_items(kind, item_ids)), 0)::integer
  from (
    select kind, array_agg(item_id) from (
      select kind, item_id from public.deleted_content
      where deleted_at < now() - interval '30 days' order by deleted_at limit _at_most
    ) as due group by kind
  ) as old (kind, item_ids)
$$;

-- Also deletes the history. Returns the number of deleted items.
create function private.delete_items(_kind text, _item_ids uuid[]) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  _deleted integer;
begin
  with gone as (
    delete from public.deleted_content where kind = _kind and item_id = any (_item_ids) returning kind, item_id::text as item_id
  ), versions as (
    delete from public.content_versions as version using gone
    where version.kind = gone.kind and version.item_id = gone.item_id
  )
  select count(*) into _deleted from gone;
  return _deleted;
end
$$;

-- Open forms, shown to other admins. Nothing is locked. The browser reports an open form every few seconds. Without a
-- report, the form expires after two minutes.
create table public.editing (
  -- A content table, page_content or site_settings.
  kind text not null check (length(kind) between 1 and 63),
  -- The id of an item, page/section, or the key of a setting.
  item_id text not null check (length(item_id) between 1 and 200),
  user_id uuid not null references auth.users (id) on delete cascade,
  seen_at timestamptz not null default now()
    constraint editing_seen_at_calendar check (seen_at between '1900-01-01' and '2999-12-31'),
  primary key (user_id, kind, item_id)
);
grant all on public.editing to service_role;
alter table public.editing enable row level security;

-- Returns display names of editors: name or address.
create function public.editor_names(_user_ids uuid[]) returns table (user_id uuid, name text)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return query
    select person.id, coalesce(nullif(private.name_of(person.raw_user_meta_data), ''), nullif(person.email, ''), person.phone, '')::text
    from auth.users as person where person.id = any (_user_ids);
end
$$;
grant execute on function public.editor_names to authenticated;

-- Lists who else has items of a kind open. Empty for former admins, whose next save is rejected.
create function public.list_editing(_kind text) returns table (item_id text, name text)
language sql stable security definer set search_path = '' as $$
  select others.item_id, others.name from private.other_editors(_kind) as others where private.is_admin()
$$;
grant execute on function public.list_editing to authenticated;

-- Reports that the caller closed a form.
create function public.stop_editing(_kind text, _item_id text) returns void
language sql security definer set search_path = '' as $$
  delete from public.editing where user_id = (select private.user_id()) and kind = _kind and item_id = _item_id
$$;
grant execute on function public.stop_editing to authenticated;

-- Reports that the caller has a form open, and returns who else has. At most 20 forms per person.
create function public.announce_editing(_kind text, _item_id text) returns table (name text)
language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_admin() then
    return;
  end if;
  if not private.is_editable_kind(_kind) or coalesce(length(_item_id), 0) not between 1 and 200 then
    raise exception 'Unknown form' using errcode = '22023';
  end if;
  insert into public.editing (kind, item_id, user_id) values (_kind, _item_id, auth.uid())
    on conflict (user_id, kind, item_id) do update set seen_at = excluded.seen_at;
  delete from public.editing where ctid in (
    select kept.ctid from public.editing as kept
    where kept.seen_at < now() - interval '2 minutes' or (kept.user_id = auth.uid() and (kept.kind, kept.item_id) in (
      select mine.kind, mine.item_id from public.editing as mine
      where mine.user_id = auth.uid() order by mine.seen_at desc, mine.kind, mine.item_id offset 20
    ))
    -- skip locked, so that concurrent cleanups do not wait for each other.
    for update skip locked
  );
  return query
    select others.name from private.other_editors(_kind) as others where others.item_id = _item_id;
end
$$;
grant execute on function public.announce_editing to authenticated;

-- Lists other editors who reported within the last minute.
create function private.other_editors(_kind text) returns table (item_id text, name text)
language sql stable security definer set search_path = '' as $$
  select editing.item_id, left(coalesce(
    nullif(private.name_of(person.raw_user_meta_data), ''), nullif(person.email, ''), nullif(person.phone, ''), 'Another editor'
  ), 200)
  from public.editing join auth.users as person on person.id = editing.user_id
  where editing.kind = _kind and editing.user_id <> (select auth.uid())
    and editing.seen_at > now() - interval '1 minute'
  order by editing.seen_at, editing.user_id limit 200
$$;

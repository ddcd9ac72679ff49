-- A form says every few seconds that it is open. Whoever is no admin any more, because their session ended or their role was
-- taken, is told so when they save, not in the middle of typing: to them these functions answer nothing and do nothing.

create or replace function public.tell_editing(_kind text, _item_id text) returns table (name text)
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.is_admin() then
    return;
  end if;
  if not private.is_editable_kind(_kind) or coalesce(length(_item_id), 0) not between 1 and 200 then
    raise exception 'There is no such form' using errcode = '22023';
  end if;
  insert into public.editing (kind, item_id, user_id) values (_kind, _item_id, auth.uid())
    on conflict (user_id, kind, item_id) do update set seen_at = excluded.seen_at;
  delete from public.editing where ctid in (
    select kept.ctid from public.editing as kept
    where kept.seen_at < now() - interval '2 minutes' or (kept.user_id = auth.uid() and (kept.kind, kept.item_id) in (
      select mine.kind, mine.item_id from public.editing as mine
      where mine.user_id = auth.uid() order by mine.seen_at desc, mine.kind, mine.item_id offset 20
    ))
    -- Two who tidy up at once leave each other's rows alone.
    for update skip locked
  );
  return query
    select others.name from private.others_editing(_kind) as others where others.item_id = _item_id;
end
$$;

create or replace function public.stop_editing(_kind text, _item_id text) returns void
language sql security definer set search_path = ''
as $$
  delete from public.editing where user_id = auth.uid() and kind = _kind and item_id = _item_id
$$;

create or replace function public.list_editing(_kind text) returns table (item_id text, name text)
language sql stable security definer set search_path = ''
as $$
  select others.item_id, others.name from private.others_editing(_kind) as others where private.is_admin()
$$;

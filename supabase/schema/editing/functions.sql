-- Called by authenticated.
CREATE OR REPLACE FUNCTION public.editor_names(_user_ids uuid[])
 RETURNS TABLE(user_id uuid, name text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_admin();
  return query
    select person.id, coalesce(nullif(private.name_of(person.raw_user_meta_data), ''), nullif(person.email, ''), person.phone, '')::text
    from auth.users as person where person.id = any (_user_ids);
end
$function$;

-- Called by authenticated.
CREATE OR REPLACE FUNCTION public.list_editing(_kind text)
 RETURNS TABLE(item_id text, name text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select others.item_id, others.name from private.others_editing(_kind) as others where private.is_admin()
$function$;

-- Called by authenticated.
CREATE OR REPLACE FUNCTION public.stop_editing(_kind text, _item_id text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  delete from public.editing where user_id = (select private.user_id()) and kind = _kind and item_id = _item_id
$function$;

-- Called by authenticated.
CREATE OR REPLACE FUNCTION public.tell_editing(_kind text, _item_id text)
 RETURNS TABLE(name text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.others_editing(_kind text)
 RETURNS TABLE(item_id text, name text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select editing.item_id, left(coalesce(
    nullif(private.name_of(person.raw_user_meta_data), ''), nullif(person.email, ''), nullif(person.phone, ''), 'Somebody'
  ), 200)
  from public.editing join auth.users as person on person.id = editing.user_id
  where editing.kind = _kind and editing.user_id <> (select auth.uid())
    and editing.seen_at > now() - interval '1 minute'
  order by editing.seen_at, editing.user_id limit 200
$function$;

-- Items that all share one place, such as the 0 of new items, were left as they were when every one of them was named.

-- Puts the named items, in this order, on the places that they now share among themselves.
create or replace function public.reorder_items(_table text, _ids uuid[]) returns void
language plpgsql security invoker set search_path = ''
as $$
declare
  _order text;
  _ranked text;
  _free boolean;
begin
  if not private.is_admin() then
    raise exception 'Only admins put content in order' using errcode = '42501';
  end if;
  select list_order into _order from private.list_content_kinds()
  where table_name = _table and list_order like 'display\_order%';
  if _order is null then
    raise exception 'There is no order of display in %', coalesce(_table, 'null') using errcode = '22023';
  end if;

  -- What was deleted meanwhile has no place.
  execute format(
    'select coalesce(array_agg(item.id order by item.place), ''{}'')
     from unnest($1) with ordinality as item (id, place) join public.%1$I using (id)', _table
  ) into _ids using _ids;

  -- No two items share a place: the named ones swap theirs and nothing else changes.
  execute format(
    'select count(*) = count(distinct display_order) from public.%1$I
     where display_order in (select display_order from public.%1$I where id = any ($1))', _table
  ) into _free using _ids;
  if _free then
    _ranked := format('select id, display_order as place from public.%I', _table);
  else
    -- Otherwise the whole list is numbered, as the site shows it.
    _ranked := format(
      'select id, row_number() over (order by %s, id)::integer as place from public.%I', _order, _table
    );
  end if;

  execute format(
    'with ranked as (%2$s),
       slots as (select place, row_number() over (order by place) as number from ranked where id = any ($1)),
       target as (
         select ranked.id, coalesce(slots.place, ranked.place) as place
         from ranked left join slots on slots.number = array_position($1, ranked.id)
       )
     update public.%1$I as item set display_order = target.place
     from target where target.id = item.id and item.display_order <> target.place', _table, _ranked
  ) using _ids;
end
$$;
revoke all on function public.reorder_items(text, uuid[]) from public, anon, authenticated;
grant execute on function public.reorder_items(text, uuid[]) to authenticated, service_role;

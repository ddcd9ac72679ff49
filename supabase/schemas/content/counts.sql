-- Number of items by kind, status and category. Counting 100,000 posts would take longer than the rest of a list.
create table private.content_counts (
  kind text not null,
  status text not null,
  category text not null,
  items integer not null
);
create index content_counts_idx on private.content_counts (kind);
alter table private.content_counts enable row level security;

-- Counts the items of a kind, drafts included, or those of a status and category; for lists of the admin area.
create function public.count_content(_kind text, _status text default '', _category text default '') returns integer
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return coalesce((
    select sum(items) from private.content_counts
    where kind = _kind and (_status = '' or status = _status) and (_category = '' or category = _category)
  ), 0);
end
$$;
grant execute on function public.count_content to authenticated;

create function private.count_items() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _changes jsonb[] := '{}';
begin
  if private.tries_release() then
    return null;
  end if;
  if tg_op = 'TRUNCATE' then
    delete from private.content_counts where kind = tg_table_name::text;
    return null;
  end if;
  -- One entry per status and category.
  if tg_op in ('INSERT', 'UPDATE') then
    select array_agg(entry) into _changes from (
      select jsonb_build_object('status', item ->> 'status', 'category', item ->> 'category', 'items', count(*))
      from (select to_jsonb(added.*) from added) as items (item) group by item ->> 'status', item ->> 'category'
    ) as entries (entry);
  end if;
  if tg_op in ('DELETE', 'UPDATE') then
    _changes := _changes || (select array_agg(entry) from (
      select jsonb_build_object('status', item ->> 'status', 'category', item ->> 'category', 'items', -count(*))
      from (select to_jsonb(gone.*) from gone) as items (item) group by item ->> 'status', item ->> 'category'
    ) as entries (entry));
  end if;
  perform private.count_changes(tg_table_name::text, _changes);
  return null;
end
$$;

-- Recounts a kind, after items were loaded without triggers.
create function private.recount_content(_table text) returns void language plpgsql set search_path = '' as $$
begin
  delete from private.content_counts where kind = _table;
  execute format(
    'insert into private.content_counts (kind, status, category, items)
     select %1$L, item ->> ''status'', coalesce(item ->> ''category'', ''''), count(*)
     from (select to_jsonb(kept.*) from public.%1$I as kept) as items (item) group by 2, 3', _table
  );
end
$$;

create function private.make_countable(_table text) returns void language plpgsql set search_path = '' as $$
begin
  execute format('create trigger count_inserted after insert on public.%I referencing new table as added
    for each statement execute function private.count_items()', _table);
  execute format('create trigger count_updated after update on public.%I referencing old table as gone new table as added
    for each statement execute function private.count_items()', _table);
  execute format('create trigger count_deleted after delete on public.%I referencing old table as gone
    for each statement execute function private.count_items()', _table);
  execute format('create trigger count_truncated after truncate on public.%I
    for each statement execute function private.count_items()', _table);
  perform private.recount_content(_table);
end
$$;

create function private.make_kind_countable() returns trigger language plpgsql set search_path = '' as $$
begin
  perform private.make_countable(new.table_name);
  return null;
end
$$;

create trigger make_kind_countable after insert on private.content_kinds
  for each row execute function private.make_kind_countable();

-- Adds a statement's changes to the counts. Merges the rows of a kind if no other transaction does: nobody waits, and a
-- count is the sum of its rows.
create function private.count_changes(_kind text, _changes jsonb[]) returns void language sql set search_path = '' as $$
  with changes as (
    select item ->> 'status' as status, coalesce(item ->> 'category', '') as category, sum((item ->> 'items')::integer) as items
    from unnest(_changes) as item group by 1, 2 having sum((item ->> 'items')::integer) <> 0
  ), merged as (
    delete from private.content_counts where exists (select from changes) and ctid = any (array(
      select ctid from private.content_counts where kind = _kind for update skip locked
    )) returning status, category, items
  )
  insert into private.content_counts (kind, status, category, items)
  select _kind, status, category, sum(items) from (
    select * from changes union all select * from merged
  ) as counted (status, category, items)
  group by status, category having sum(items) <> 0
$$;

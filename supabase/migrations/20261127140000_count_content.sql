-- How many items of each kind there are, by status and category: kept beside them, because counting 100,000 posts takes
-- longer than everything else that a list does.

create table private.content_counts (
  kind text not null,
  status text not null,
  category text not null,
  items integer not null
);
create index content_counts_idx on private.content_counts (kind);
revoke all on table private.content_counts from public, anon, authenticated, service_role;
alter table private.content_counts enable row level security;

-- What a statement added to each count. The rows of a kind are summed up on the way, as far as nobody else is doing so:
-- nobody waits for anybody, and what is counted is the sum of all rows.
create function private.count_changes(_kind text, _changes jsonb[]) returns void
language sql set search_path = ''
as $$
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
revoke all on function private.count_changes(text, jsonb[]) from public;

create function private.count_items() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  _changes jsonb[] := '{}';
begin
  if tg_op = 'TRUNCATE' then
    delete from private.content_counts where kind = tg_table_name::text;
    return null;
  end if;
  -- Only the columns that count, and one entry for all items that are alike.
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
revoke all on function private.count_items() from public;

-- Counts a kind from the beginning: once, or after items were loaded past the triggers.
create function private.recount_content(_table text) returns void
language plpgsql set search_path = ''
as $$
begin
  delete from private.content_counts where kind = _table;
  execute format(
    'insert into private.content_counts (kind, status, category, items)
     select %1$L, item ->> ''status'', coalesce(item ->> ''category'', ''''), count(*)
     from (select to_jsonb(kept.*) from public.%1$I as kept) as items (item) group by 2, 3', _table
  );
end
$$;
revoke all on function private.recount_content(text) from public;

create function private.make_countable(_table text) returns void
language plpgsql set search_path = ''
as $$
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
revoke all on function private.make_countable(text) from public;

-- A kind is counted with its line in the list.
create function private.make_kind_countable() returns trigger
language plpgsql set search_path = ''
as $$
begin
  perform private.make_countable(new.table_name);
  return null;
end
$$;
revoke all on function private.make_kind_countable() from public;
create trigger make_kind_countable after insert on private.content_kinds
  for each row execute function private.make_kind_countable();

do $$
declare
  _table name;
begin
  for _table in select table_name from private.content_kinds loop
    perform private.make_countable(_table);
  end loop;
end
$$;

-- How many items of a kind there are, drafts included, or those of a status and a category; for the lists of the admin area.
create function public.count_content(_kind text, _status text default '', _category text default '') returns integer
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return coalesce((
    select sum(items) from private.content_counts
    where kind = _kind and (_status = '' or status = _status) and (_category = '' or category = _category)
  ), 0);
end
$$;
revoke all on function public.count_content(text, text, text) from public, anon, authenticated;
grant execute on function public.count_content(text, text, text) to authenticated;

-- How many parts of 1,000 items the sitemap has for a kind; only kinds with published items.
create function public.sitemap_parts() returns table (kind text, parts integer)
language sql stable security definer set search_path = ''
as $$
  select counts.kind, ceil(sum(items) / 1000.0)::integer from private.content_counts as counts
  where status = 'published' group by counts.kind having sum(items) > 0 order by counts.kind
$$;
revoke all on function public.sitemap_parts() from public, anon, authenticated;
grant execute on function public.sitemap_parts() to anon, authenticated, service_role;

-- As before, from the counts. Posts for later are counted as published there; they are few and found by an index.
create or replace function public.news_categories() returns table (category text, posts integer)
language sql stable security definer set search_path = ''
as $$
  with counted as (
    select counts.category, counts.items from private.content_counts as counts
    where kind = 'posts' and status = 'published'
    union all
    select later.category, -1 from public.posts as later where later.status = 'published' and later.published_date > now()
  ), summed as (
    select counted.category, sum(items)::integer as posts from counted group by grouping sets ((counted.category), ())
  )
  select summed.category, coalesce(summed.posts, 0) from summed where summed.posts > 0 or summed.category is null
  order by summed.category is null desc, summed.posts desc, summed.category limit 201
$$;

create or replace function public.list_categories(_kind text) returns setof text
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return query select counts.category from private.content_counts as counts
    where kind = _kind and counts.category <> '' group by counts.category having sum(items) > 0
    order by counts.category limit 200;
end
$$;

-- The orders of the admin list, and of the parts of the sitemap. Without the id, which ends each order: with it, a planner
-- that has no statistics takes these for a way to find single posts.
create index posts_listed_idx on public.posts (published_date desc, created_at desc);
create index posts_created_idx on public.posts (created_at desc);
create index posts_title_idx on public.posts (title);
create index posts_sitemap_idx on public.posts (created_at) where status = 'published';

-- A word that most of 100,000 posts have took the search of the admin area 750 ms: it read all of them. Now it looks at 1,000
-- items of any kind that have the words in the title, 1,000 that have them anywhere, and, where there were that many, at
-- the 300 of the kind that were changed last; it counts no further. With a filter it looks at 10,000 each, because the
-- filter comes after. Without statistics the planner would sort where an index has the order: hence enable_sort.

create index content_title_words_idx on private.content_words using gin (title_words) with (fastupdate = off);

create or replace function public.search_content(
  _kind text, _query text, _columns text[],
  _status text default '', _category text default '', _sort text default '',
  _limit integer default 24, _offset integer default 0
)
returns table (item jsonb, excerpt text, words text[], total integer)
language plpgsql stable security definer set search_path = '' set enable_seqscan = off set enable_sort = off
as $$
declare
  _known private.content_kinds;
  _found record;
  _columns_of_order text;
  _order text;
  _filter text := 'true';
  _most integer := 1000;
begin
  perform private.require_admin();
  select * into _known from private.content_kinds where table_name = _kind;
  if _known is null then
    raise exception 'There is no kind of content named %', coalesce(_kind, 'null') using errcode = '22023';
  end if;
  select * into _found from private.search_for(_query);
  select string_agg(format('item.%I as order_%s', split_part(part, ' ', 1), place), ', ' order by place),
    string_agg(format('order_%s%s', place, case when part like '% desc' then ' desc' end), ', ' order by place)
  into _columns_of_order, _order
  from unnest(string_to_array(
    case _sort
      when 'changed' then 'updated_at desc'
      when 'newest' then 'created_at desc'
      when 'title' then _known.title_column
      else _known.list_order
    end, ', '
  )) with ordinality as parts (part, place);
  if _sort not in ('changed', 'newest', 'title') then
    -- Ranking reads all words of an item, which is worth it where there are few.
    _order := 'is_title desc, in_title desc, case when total <= 300 then (
        select ts_rank(found.words, $1) from private.content_words as found where found.kind = $9 and found.item_id = matches.id
      ) end desc nulls last, ' || _order;
  end if;
  if coalesce(_status, '') <> '' or coalesce(_category, '') <> '' then
    _most := 10000;
    _filter := '($4 = '''' or item.status = $4) and ($5 = '''' or to_jsonb(item) ->> ''category'' = $5)';
  end if;
  return query execute format(
    'with titled as materialized (
       select found.kind, found.item_id from private.content_words as found where found.title_words @@ $1 limit %7$s
     ), hits as materialized (
       select found.kind, found.item_id from private.content_words as found where found.words @@ $1 limit %7$s
     ), newest as materialized (
       select item.id, coalesce(found.title_words @@ $1, false) as in_title, %5$s as is_match from public.%1$I as item
         join private.content_words as found on found.kind = $9 and found.item_id = item.id
       where (select count(*) from hits) in (0, %7$s) order by item.updated_at desc limit %8$s
     ), candidates as materialized (
       select either.id, bool_or(either.in_title) as in_title from (
         select item_id as id, true as in_title from titled where kind = $9
         union all select item_id, false from hits where kind = $9
         union all select id, in_title from newest where is_match
       ) as either group by either.id
     ), matches as materialized (
       select item.id, candidates.in_title, lower(item.%2$I) = lower($2) as is_title, %3$s
       from candidates join public.%1$I as item using (id)
       where %6$s
     ), counted as materialized (
       select least(count(*), %7$s)::integer as total from matches
     ), page as (
       select id, total, row_number() over (order by %4$s, id) as place
       from matches cross join counted
       order by place limit least(greatest($6, 1), 200) offset greatest($7, 0)
     )
     select (
         select jsonb_object_agg(key, value) from jsonb_each(to_jsonb(item)) where key = any ($8)
       ),
       private.excerpt_of(private.searchable_text(to_jsonb(item) - ''slug'', %2$L), $3), $3, page.total
     from page join public.%1$I as item using (id) order by page.place',
    _known.table_name, _known.title_column, _columns_of_order, _order,
    case when _found.query is null then format('position(lower($2) in lower(item.%I)) > 0', _known.title_column)
      else 'found.words @@ $1' end,
    -- Without a word, such as a sign alone, titles are gone through one after the other.
    _filter, _most, case when _found.query is null then 10000 else 300 end
  ) using _found.query, trim(_query), _found.words, coalesce(_status, ''), coalesce(_category, ''), _limit, _offset, _columns,
    _known.table_name;
end
$$;

create or replace function public.search_everywhere(_query text) returns table (kind text, id uuid, title text)
language plpgsql stable security definer set search_path = '' set enable_seqscan = off set enable_sort = off
as $$
declare
  _known private.content_kinds;
  _found record;
  _hits record;
begin
  perform private.require_admin();
  select * into _found from private.search_for(_query);
  if _found.query is null then
    return;
  end if;
  -- The ids of each kind, looked for once for all of them, as few as those of the kind that are looked at in any case.
  with titled as materialized (
    select found.kind, found.item_id from private.content_words as found where found.title_words @@ _found.query limit 300
  ), hits as materialized (
    select found.kind, found.item_id from private.content_words as found where found.words @@ _found.query limit 300
  )
  select (select count(*) from hits) = 300 as are_many, (
    select jsonb_object_agg(found.kind, found.ids) from (
      select titled.kind, jsonb_agg(titled.item_id) as ids from titled group by titled.kind
    ) as found
  ) as titled, (
    select jsonb_object_agg(found.kind, found.ids) from (
      select hits.kind, jsonb_agg(hits.item_id) as ids from hits group by hits.kind
    ) as found
  ) as anywhere into _hits;
  for _known in select * from private.content_kinds order by number loop
    return query execute format(
      'with newest as materialized (
         select item.id, found.title_words @@ $1 as in_title, found.words @@ $1 as is_match from public.%1$I as item
           join private.content_words as found on found.kind = %1$L and found.item_id = item.id
         where $5 order by item.updated_at desc limit 300
       ), candidates as materialized (
         select either.id, bool_or(either.in_title) as in_title from (
           select hits.id::uuid, true as in_title from jsonb_array_elements_text($3) as hits (id)
           union all select hits.id::uuid, false from jsonb_array_elements_text($4) as hits (id)
           union all select id, in_title from newest where is_match
         ) as either group by either.id
       )
       select %1$L::text, item.id, item.%2$I::text from candidates join public.%1$I as item using (id)
       order by lower(item.%2$I) = lower($2) desc, candidates.in_title desc, item.updated_at desc, item.id limit 5',
      _known.table_name, _known.title_column
    ) using _found.query, trim(_query), coalesce(_hits.titled -> _known.table_name::text, '[]'),
      coalesce(_hits.anywhere -> _known.table_name::text, '[]'), _hits.are_many;
  end loop;
  return query select 'people'::text, people.id, people.told from private.people_named(_query) as people;
end
$$;

create or replace function public.search_news(
  _query text, _category text default '', _limit integer default 24, _offset integer default 0
)
returns table (id uuid, total integer)
language plpgsql stable security definer set search_path = '' set enable_seqscan = off set enable_sort = off
as $$
declare
  _asked constant tsquery := private.typed_words(_query);
begin
  return query
  with titled as materialized (
    select found.item_id from private.content_words as found
    -- As a text, for which there is no index: that of kinds would be read whole beside that of words.
    where found.kind::text = 'posts' and found.title_words @@ _asked limit 1000
  ), hits as materialized (
    select found.item_id from private.content_words as found
    where found.kind::text = 'posts' and found.words @@ _asked limit 1000
  ), newest as materialized (
    select posts.id from public.posts
    where posts.status = 'published' and posts.published_date <= now() and (select count(*) from hits) = 1000
    order by posts.published_date desc, posts.created_at desc limit 300
  ), newest_hits as materialized (
    select found.item_id, found.title_words @@ _asked as in_title, found.words @@ _asked as is_match
    from newest join private.content_words as found on found.kind = 'posts' and found.item_id = newest.id
  ), candidates as materialized (
    select either.item_id, bool_or(either.in_title) as in_title from (
      select titled.item_id, true as in_title from titled
      union all select hits.item_id, false from hits
      union all select newest_hits.item_id, newest_hits.in_title from newest_hits where newest_hits.is_match
    ) as either group by either.item_id
  ), found_posts as materialized (
    -- Without a condition, for which the planner would rather read all published posts.
    select posts.id, posts.status, posts.category, posts.published_date, posts.created_at, candidates.in_title
    from candidates join public.posts on posts.id = candidates.item_id
  ), matches as materialized (
    select found_posts.id, row_number() over (
      order by found_posts.in_title desc, found_posts.published_date desc, found_posts.created_at desc, found_posts.id
    ) as place
    from found_posts
    where found_posts.status = 'published' and found_posts.published_date <= now()
      and (coalesce(_category, '') = '' or found_posts.category = _category)
  )
  select matches.id, least((select count(*) from matches), 240)::integer from matches
  where matches.place > greatest(_offset, 0) and matches.place <= least(greatest(_offset, 0) + least(greatest(_limit, 0), 100), 240)
  order by matches.place;
end
$$;

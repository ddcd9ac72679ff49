-- Search of items and news: an index of the words of all kinds, and a list of words that corrects typing errors. A
-- frequent word is ranked among 1,000 matches, because ranking 100,000 posts took 750 ms.

-- Available on hosted projects and most servers. Without it the search does not tolerate typing errors.
do $$
begin
  create extension if not exists pg_trgm with schema extensions;
exception when others then
  raise notice 'Searching without pg_trgm: %', sqlerrm;
end
$$;

create table private.content_words (
  kind name not null,
  item_id uuid not null,
  title_words tsvector not null,
  words tsvector not null,
  primary key (kind, item_id)
);
-- fastupdate is off, because every search would read the pending list until the next vacuum.
create index content_words_idx on private.content_words using gin (words) with (fastupdate = off);
create index content_title_words_idx on private.content_words using gin (title_words) with (fastupdate = off);
alter table private.content_words enable row level security;

-- Not unique, so that concurrent saves do not wait for each other.
create table private.known_words (
  word text not null
);
create index known_words_idx on private.known_words (word text_pattern_ops);
alter table private.known_words enable row level security;

-- Returns the schema of pg_trgm. Null if it is not installed.
create function private.trigram_schema() returns name language sql stable security definer set search_path = '' as $$
  select namespace.nspname from pg_catalog.pg_extension as extension
    join pg_catalog.pg_namespace as namespace on namespace.oid = extension.extnamespace
  where extension.extname = 'pg_trgm'
$$;
do $$
begin
  if private.trigram_schema() is not null then
    execute format(
      'create index known_words_similar_idx on private.known_words using gin (word %I.gin_trgm_ops) with (fastupdate = off)',
      private.trigram_schema()
    );
  end if;
end
$$;

-- Lists a page of a kind's items that contain the words: best match first, or sorted by changed, newest or title.
-- Returns the named columns, an excerpt if the match is outside the title, and the words to highlight. enable_seqscan
-- is off, because a planner without statistics would read all words of all items.
create function public.search_content(
  _kind text, _query text, _columns text[], _status text default '', _category text default '', _sort text default '',
  _limit integer default 24, _offset integer default 0
) returns table (
  item jsonb, excerpt text, words text[], total integer
) language plpgsql stable security definer set search_path = '' set enable_seqscan = off set enable_sort = off as $$
declare
  _known private.content_kinds;
  _found record;
  _columns_of_order text;
  _order text;
  _filter text := 'true';
  _max_matches integer := 1000;
begin
  perform private.require_admin();
  select * into _known from private.content_kinds where table_name = _kind;
  if _known is null then
    raise exception 'Unknown kind of content: %', coalesce(_kind, 'null') using errcode = '22023';
  end if;
  select * into _found from private.parse_search(_query);
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
    -- Ranking reads all words of each match, so it is limited to 300 matches.
    _order := 'is_title desc, in_title desc, case when total <= 300 then (
        select ts_rank(found.words, $1) from private.content_words as found where found.kind = $9 and found.item_id = matches.id
      ) end desc nulls last, ' || _order;
  end if;
  if coalesce(_status, '') <> '' or coalesce(_category, '') <> '' then
    _max_matches := 10000;
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
    -- A query without a word, such as punctuation, is matched against all titles.
    _filter, _max_matches, case when _found.query is null then 10000 else 300 end
  ) using _found.query, trim(_query), _found.words, coalesce(_status, ''), coalesce(_category, ''), _limit, _offset, _columns,
    _known.table_name;
end
$$;
grant execute on function public.search_content to authenticated;

-- Returns the best matches of every kind, and people by name or address (kind 'people'), for the command palette.
create function public.search_everywhere(_query text) returns table (kind text, id uuid, title text)
language plpgsql stable security definer set search_path = '' set enable_seqscan = off set enable_sort = off as $$
declare
  _known private.content_kinds;
  _found record;
  _hits record;
begin
  perform private.require_admin();
  select * into _found from private.parse_search(_query);
  if _found.query is null then
    return;
  end if;
  -- Searches all kinds at once, up to the number of ids that a search of one kind reads anyway.
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
  return query select 'people'::text, people.id, people.label from private.find_people(_query) as people;
end
$$;
grant execute on function public.search_everywhere to authenticated;

-- Lists a page of published posts that contain all words: matches in the title first, then the newest. `total` is at
-- most 240. Frequent words are searched in 1,000 posts and in the newest 300, so that the cost does not grow with the
-- number of posts. Each step is materialized, because a planner without statistics would probe the word index for each
-- post. Security definer, because the index covers drafts and all kinds. Only published posts are returned.
create function public.search_news(
  _query text, _category text default '', _limit integer default 24, _offset integer default 0
) returns table (
  id uuid, total integer
) language plpgsql stable security definer set search_path = '' set enable_seqscan = off set enable_sort = off as $$
declare
  _asked constant tsquery := private.parse_prefix_search(_query);
begin
  return query
  with titled as materialized (
    select found.item_id from private.content_words as found
    -- The cast to text prevents the planner from combining the index on kind with the one on words.
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
    -- No condition on status here: with one, the planner reads all published posts.
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
grant execute on function public.search_news to anon, authenticated, service_role;

-- Returns the columns of published_content for at most 8 posts, best first. Long texts are truncated.
create function public.search_posts(_words text[]) returns table (
  kind text, title text, public_path text, text_columns text[], item jsonb
) language sql stable set search_path = '' as $$
  select kinds.table_name::text, posts.title, kinds.public_path, kinds.text_columns::text[],
    to_jsonb(posts) || jsonb_build_object('content', left(posts.content, 20000))
  from private.posts_matching(_words) with ordinality as found (id, place)
    join public.posts using (id)
    cross join (select * from private.list_content_kinds() where table_name = 'posts') as kinds
  order by found.place limit 8
$$;
grant execute on function public.search_posts to anon, authenticated, service_role;

-- Returns an excerpt around the first of the words. Null without a match.
create function private.excerpt_of(_text text, _words text[]) returns text language sql immutable set search_path = '' as $$
  select case when min(place) > 0 then substr(_text, greatest(1, min(place) - 60), 240) end
  from (select position(word in lower(_text)) as place from unnest(_words) as word) as places
  where place > 0
$$;

-- Reads the text of a changed item once.
create function private.index_content() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _title name;
  _ids uuid[];
  _titles text[];
  _bodies text[];
begin
  if private.is_publish_dry_run() then
    return null;
  elsif tg_op = 'TRUNCATE' then
    delete from private.content_words where kind = tg_table_name::text;
    return null;
  elsif tg_op = 'DELETE' then
    delete from private.content_words using gone where kind = tg_table_name::text and item_id = gone.id;
    return null;
  end if;
  select title_column into _title from private.content_kinds where table_name = tg_table_name;
  if tg_op = 'INSERT' then
    select array_agg(id), array_agg(to_jsonb(added) ->> _title), array_agg(private.searchable_text(to_jsonb(added), _title))
    into _ids, _titles, _bodies from added;
  else
    with texts as materialized (
      select added.id, to_jsonb(added) ->> _title as title, private.searchable_text(to_jsonb(added), _title) as body,
        to_jsonb(gone) as former
      from added left join gone using (id)
    )
    select array_agg(id), array_agg(title), array_agg(body) into _ids, _titles, _bodies from texts
    where title is distinct from former ->> _title or body is distinct from private.searchable_text(former, _title);
  end if;
  with texts as materialized (
    select id, to_tsvector('pg_catalog.simple'::regconfig, title) as title, to_tsvector('pg_catalog.simple'::regconfig, body) as body
    from unnest(_ids, _titles, _bodies) as changed (id, title, body)
  ), indexed as (
    insert into private.content_words as kept (kind, item_id, title_words, words)
    select tg_table_name, id, title, setweight(title, 'A') || body from texts
    on conflict (kind, item_id) do update set title_words = excluded.title_words, words = excluded.words
    where kept.words <> excluded.words
    returning kept.words
  )
  insert into private.known_words (word)
  select distinct lexeme from indexed cross join unnest(tsvector_to_array(indexed.words)) as lexeme
  where length(lexeme) between 3 and 40
    and not exists (select from private.known_words as known where known.word = lexeme);
  return null;
end
$$;

create function private.make_kind_searchable() returns trigger language plpgsql set search_path = '' as $$
begin
  perform private.make_searchable(new.table_name);
  return null;
end
$$;

create function private.make_searchable(_table text) returns void language plpgsql set search_path = '' as $$
begin
  execute format('create trigger index_inserted after insert on public.%I referencing new table as added
    for each statement execute function private.index_content()', _table);
  execute format('create trigger index_updated after update on public.%I referencing old table as gone new table as added
    for each statement execute function private.index_content()', _table);
  execute format('create trigger index_deleted after delete on public.%I referencing old table as gone
    for each statement execute function private.index_content()', _table);
  execute format('create trigger index_truncated after truncate on public.%I
    for each statement execute function private.index_content()', _table);
  -- Indexes existing items.
  execute format(
    'insert into private.content_words (kind, item_id, title_words, words)
     select kinds.table_name, item.id, texts.title, setweight(texts.title, ''A'')
       || to_tsvector(''pg_catalog.simple''::regconfig, private.searchable_text(to_jsonb(item), kinds.title_column))
     from public.%1$I as item join private.content_kinds as kinds on kinds.table_name = %1$L
       cross join lateral (
         select to_tsvector(''pg_catalog.simple''::regconfig, to_jsonb(item) ->> kinds.title_column)
       ) as texts (title)', _table
  );
  insert into private.known_words (word)
  select distinct lexeme from private.content_words cross join unnest(tsvector_to_array(words)) as lexeme
  where kind = _table and length(lexeme) between 3 and 40
    and not exists (select from private.known_words as known where known.word = lexeme);
end
$$;

-- Returns matching words besides those that begin with the typed word: words that contain it or, for a likely typing
-- error, similar words by trigrams or with the same letters in another order.
create function private.matching_words(_typed text) returns text[]
language plpgsql stable security definer set search_path = '' as $$
declare
  _pattern text := replace(replace(replace(_typed, '\', '\\'), '%', '\%'), '_', '\_');
  _words text[];
begin
  if length(_typed) < 3 or length(_typed) > 40 then
    return '{}';
  end if;
  select array_agg(word) into _words from (
    select distinct word from private.known_words where word like '%' || _pattern || '%' limit 30
  ) as containing;
  if _words is not null or private.trigram_schema() is null then
    return coalesce(_words, '{}');
  end if;
  perform set_config('pg_trgm.similarity_threshold', '0.2', true);
  execute format(
    'select array_agg(word) from (
       select word from private.known_words
       where word operator(%1$I.%%) $1 and (%1$I.similarity(word, $1) >= 0.4 or (
         length(word) = length($1)
         and array(select unnest(string_to_array(word, null)) order by 1) = array(select unnest(string_to_array($1, null)) order by 1)
       ))
       group by word order by %1$I.similarity(word, $1) desc limit 8
     ) as similar_words', private.trigram_schema()
  ) into _words using _typed;
  return coalesce(_words, '{}');
end
$$;

-- Both searches of posts share one index of words, because indexing a text twice cost a fifth of each save.
create function private.posts_matching(_words text[]) returns setof uuid
language sql stable security definer set search_path = '' set enable_seqscan = off set enable_indexscan = off as $$
  with asked as (
    -- Quoted, so that any text is a single word of the query. Longer words also match as a prefix.
    select distinct to_tsquery('pg_catalog.simple'::regconfig,
      '''' || replace(replace(lower(word), '\', '\\'), '''', '''''') || case when length(word) > 3 then ''':*' else '''' end
    ) as query
    from unnest(_words[1:12]) as word where length(word) between 2 and 60
  ),
  hits as (
    select query, item_id as id, count(*) over (partition by query) as posts
    from asked cross join lateral (
      select item_id from private.content_words where kind = 'posts' and words @@ asked.query limit 2000
    ) as hit
  ),
  -- Only the best matches are checked for their status. Checking all took longer than the search.
  best as materialized (
    select id, sum(1 / sqrt(posts)) as rank from hits group by id order by rank desc, id limit 1000
  )
  select best.id from best join public.posts using (id) where status = 'published' order by rank desc, best.id limit 20
$$;
grant execute on function private.posts_matching to anon, authenticated, service_role;

-- Returns the search query: each typed word as a prefix, or similar words. Null without a word.
create function private.parse_search(_typed text, out query tsquery, out words text[]) returns record
language plpgsql stable security definer set search_path = '' as $$
declare
  _word text;
  _similar_words text[];
  _alternatives tsquery;
begin
  words := '{}';
  for _word in
    select lexeme from unnest(to_tsvector('pg_catalog.simple'::regconfig, left(_typed, 200))) order by positions[1] limit 8
  loop
    _similar_words := private.matching_words(_word);
    _alternatives := to_tsquery('pg_catalog.simple'::regconfig,
      '''' || replace(replace(_word, '\', '\\'), '''', '''''') || ''':*');
    select coalesce(_alternatives || to_tsquery('pg_catalog.simple'::regconfig, string_agg(
      '''' || replace(replace(alternative, '\', '\\'), '''', '''''') || '''', ' | '
    )), _alternatives) into _alternatives from unnest(_similar_words) as alternative;
    query := coalesce(query && _alternatives, _alternatives);
    words := words || _word || _similar_words;
  end loop;
end
$$;

-- Returns all texts of an item except its title, without URLs of images and without times.
create function private.searchable_text(_item jsonb, _title name) returns text language sql immutable set search_path = '' as $$
  select left(coalesce(string_agg(
    case jsonb_typeof(value)
      when 'array' then (select string_agg(entry, ' ') from jsonb_array_elements_text(value) as entry)
      else value #>> '{}'
    end, E'\n' order by length(value::text)
  ), ''), 200000)
  from jsonb_each(_item)
  where key <> _title and key not in ('id', 'status', 'icon_name') and jsonb_typeof(value) in ('string', 'array')
    and key !~ '_(at|date|image|images|url|links|id|by)$'
$$;

-- Returns a query of all typed words as prefixes. Null without a word.
create function private.parse_prefix_search(_typed text) returns tsquery language sql immutable set search_path = '' as $$
  select to_tsquery('pg_catalog.simple'::regconfig, string_agg(
    '''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || case when length(lexeme) > 2 then ''':*' else '''' end, ' & '
  ))
  from (
    select lexeme from unnest(to_tsvector('pg_catalog.simple'::regconfig, left(_typed, 100))) order by positions[1] limit 8
  ) as words
$$;

create trigger make_kind_searchable after insert on private.content_kinds
  for each row execute function private.make_kind_searchable();

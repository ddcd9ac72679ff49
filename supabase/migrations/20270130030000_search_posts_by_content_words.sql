-- The words of a post are kept once, for both searches: the index of their own that the assistant's search had cost a fifth of every
-- changed text, since the words were made twice.
create or replace function private.posts_with_words(_words text[])
returns setof uuid language sql stable security definer set search_path = '' set enable_seqscan = off set enable_indexscan = off
as $$
  with asked as (
    -- Quoted, so that it is one word of the query whatever is in it; long ones stand for their other endings too.
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
  -- Whether they are published is asked of the best alone: of all it took longer than the search.
  best as materialized (
    select id, sum(1 / sqrt(posts)) as rank from hits group by id order by rank desc, id limit 1000
  )
  select best.id from best join public.posts using (id) where status = 'published' order by rank desc, best.id limit 20
$$;

drop index public.posts_words_idx;
drop function private.post_words(text, text, text, text);

-- Reads the text of a changed item once instead of twice.
create or replace function private.index_content()
returns trigger language plpgsql security definer set search_path = ''
as $$
declare
  _title name;
  _ids uuid[];
  _titles text[];
  _bodies text[];
begin
  if private.tries_release() then
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

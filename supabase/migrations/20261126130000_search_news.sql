-- The News page: what its filter offers, and its search. Both tell numbers and ids only; the posts themselves are read
-- under their policies.

create index posts_news_idx on public.posts (category, published_date desc, created_at desc) where status = 'published';

-- The categories of published posts with how many posts they have, the largest first; in the first row, whose category is
-- null, all posts are counted.
create function public.news_categories() returns table (category text, posts integer)
language sql stable set search_path = ''
as $$
  select posts.category, count(*)::integer
  from public.posts
  where posts.status = 'published' and posts.published_date <= now()
  group by grouping sets ((posts.category), ())
  order by posts.category is null desc, count(*) desc, posts.category
  limit 201
$$;
revoke all on function public.news_categories() from public, anon, authenticated;
grant execute on function public.news_categories() to anon, authenticated, service_role;

-- All words that somebody typed, each as the beginning of one; null when there is none.
create function private.typed_words(_typed text) returns tsquery
language sql immutable set search_path = ''
as $$
  select to_tsquery('pg_catalog.simple'::regconfig, string_agg(
    '''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || case when length(lexeme) > 2 then ''':*' else '''' end, ' & '
  ))
  from (
    select lexeme from unnest(to_tsvector('pg_catalog.simple'::regconfig, left(_typed, 100))) order by positions[1] limit 8
  ) as words
$$;
revoke all on function private.typed_words(text) from public;

-- A page of the published posts that have all the words, those with them in the title first, then the newest; `total` counts
-- all of them, up to 240. Words that are everywhere are looked for in 1,000 posts and in the newest 300, so that the
-- search costs a stranger the same however many posts there are; each step is materialized, because without statistics the
-- planner would look into the index of words for each post. Reads the index as its owner, whose kinds and drafts are
-- nobody's business: what it gives is published.
create function public.search_news(
  _query text, _category text default '', _limit integer default 24, _offset integer default 0
)
returns table (id uuid, total integer)
language plpgsql stable security definer set search_path = '' set enable_seqscan = off
as $$
declare
  _asked constant tsquery := private.typed_words(_query);
begin
  return query
  with hits as materialized (
    select found.item_id from private.content_words as found
    -- As a text, for which there is no index: that of kinds would be read whole beside that of words.
    where found.kind::text = 'posts' and found.words @@ _asked limit 1000
  ), newest as materialized (
    select posts.id from public.posts
    where posts.status = 'published' and posts.published_date <= now() and (select count(*) from hits) = 1000
    order by posts.published_date desc, posts.created_at desc limit 300
  ), newest_words as materialized (
    select found.item_id, found.words
    from newest join private.content_words as found on found.kind = 'posts' and found.item_id = newest.id
  ), candidates as materialized (
    select hits.item_id from hits
    union
    select newest_words.item_id from newest_words where newest_words.words @@ _asked
  ), matches as materialized (
    select posts.id, row_number() over (
      order by found.title_words @@ _asked desc, posts.published_date desc, posts.created_at desc, posts.id
    ) as place
    from candidates
      join public.posts on posts.id = candidates.item_id
      join private.content_words as found on found.kind = 'posts' and found.item_id = posts.id
    where posts.status = 'published' and posts.published_date <= now()
      and (coalesce(_category, '') = '' or posts.category = _category)
  )
  select matches.id, least((select count(*) from matches), 240)::integer from matches
  where matches.place > greatest(_offset, 0) and matches.place <= least(greatest(_offset, 0) + least(greatest(_limit, 0), 100), 240)
  order by matches.place;
end
$$;
revoke all on function public.search_news(text, text, integer, integer) from public, anon, authenticated;
grant execute on function public.search_news(text, text, integer, integer) to anon, authenticated, service_role;

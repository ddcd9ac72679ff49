-- What the assistant finds among more posts than it keeps in memory (see published_content), however many there are.

-- Its cost keeps the planner from computing it for each post where the index has it.
create function private.post_words(_title text, _category text, _excerpt text, _content text) returns tsvector
language sql immutable parallel safe cost 10000 set search_path = ''
as $$
  select to_tsvector('pg_catalog.simple'::regconfig,
    _title || ' ' || _category || ' ' || _excerpt || ' ' || left(_content, 50000))
$$;
revoke all on function private.post_words(text, text, text, text) from public;
-- Whoever writes a post writes its line of the index.
grant execute on function private.post_words(text, text, text, text) to authenticated, service_role;

create index posts_words_idx on public.posts using gin (private.post_words(title, category, excerpt, content));

-- The ids of posts with any of the words or their beginnings, best first: a word that few posts have counts most. Its
-- owner reads past the policies, because their conditions would come before the index; whoever asks reads the posts
-- themselves, under their policies. A word that is everywhere is looked for in some of the posts only.
create function private.posts_with_words(_words text[]) returns setof uuid
language sql stable security definer set search_path = ''
as $$
  with asked as (
    -- Quoted, so that it is one word of the query whatever is in it; long ones stand for their other endings too.
    select distinct to_tsquery('pg_catalog.simple'::regconfig,
      '''' || replace(replace(lower(word), '\', '\\'), '''', '''''') || case when length(word) > 3 then ''':*' else '''' end
    ) as query
    from unnest(_words[1:12]) as word where length(word) between 2 and 60
  ),
  hits as (
    select asked.query, hit.id, count(*) over (partition by asked.query) as posts
    from asked cross join lateral (
      select posts.id from public.posts
      where private.post_words(title, category, excerpt, content) @@ asked.query and status = 'published'
      limit 2000
    ) as hit
  )
  select id from hits group by id order by sum(1 / sqrt(posts)) desc, id limit 20
$$;
revoke all on function private.posts_with_words(text[]) from public;
grant execute on function private.posts_with_words(text[]) to anon, authenticated, service_role;

-- The same columns as published_content gives, of at most 8 posts, best first. Long texts are cut.
create function public.search_posts(_words text[])
returns table (kind text, title text, public_path text, text_columns text[], item jsonb)
language sql stable set search_path = ''
as $$
  select kinds.table_name::text, posts.title, kinds.public_path, kinds.text_columns::text[],
    to_jsonb(posts) || jsonb_build_object('content', left(posts.content, 20000))
  from private.posts_with_words(_words) with ordinality as found (id, place)
    join public.posts using (id)
    cross join (select * from private.list_content_kinds() where table_name = 'posts') as kinds
  order by found.place limit 8
$$;
revoke all on function public.search_posts(text[]) from public, anon, authenticated;
grant execute on function public.search_posts(text[]) to anon, authenticated, service_role;

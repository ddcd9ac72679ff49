-- Finding items in the admin area: all words of all kinds in one index, and the words themselves in a list, by which a word
-- that was mistyped finds those it may have meant. A kind is added with its
-- line in private.content_kinds.

-- Hosted projects and most servers have it; where it is missing only typing errors are not forgiven.
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
-- Without waiting entries: the embedded database has nobody who tidies them up, and every search would read them.
create index content_words_idx on private.content_words using gin (words) with (fastupdate = off);
revoke all on table private.content_words from public, anon, authenticated, service_role;
alter table private.content_words enable row level security;

-- Not unique, so that two who save at once never wait for each other.
create table private.known_words (word text not null);
create index known_words_idx on private.known_words (word text_pattern_ops);
revoke all on table private.known_words from public, anon, authenticated, service_role;
alter table private.known_words enable row level security;

-- Where pg_trgm is; null: nowhere.
create function private.trigram_schema() returns name
language sql stable security definer set search_path = ''
as $$
  select namespace.nspname from pg_catalog.pg_extension as extension
    join pg_catalog.pg_namespace as namespace on namespace.oid = extension.extnamespace
  where extension.extname = 'pg_trgm'
$$;
revoke all on function private.trigram_schema() from public;

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

-- Every text of an item but its title, whatever its columns are called; no addresses of pictures, no times.
create function private.searchable_text(_item jsonb, _title name) returns text
language sql immutable set search_path = ''
as $$
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
revoke all on function private.searchable_text(jsonb, name) from public;

create function private.index_content() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  _title name;
begin
  if tg_op = 'TRUNCATE' then
    delete from private.content_words where kind = tg_table_name::text;
    return null;
  elsif tg_op = 'DELETE' then
    delete from private.content_words using gone where kind = tg_table_name::text and item_id = gone.id;
    return null;
  end if;
  select title_column into _title from private.content_kinds where table_name = tg_table_name;
  with texts as (
    select added.id, to_jsonb(added) ->> _title as title, private.searchable_text(to_jsonb(added), _title) as body from added
  ), indexed as (
    insert into private.content_words as kept (kind, item_id, title_words, words)
    select tg_table_name, id, to_tsvector('pg_catalog.simple'::regconfig, title),
      setweight(to_tsvector('pg_catalog.simple'::regconfig, title), 'A')
        || to_tsvector('pg_catalog.simple'::regconfig, body)
    from texts
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
revoke all on function private.index_content() from public;

create function private.make_searchable(_table text) returns void
language plpgsql set search_path = ''
as $$
begin
  execute format('create trigger index_inserted after insert on public.%I referencing new table as added
    for each statement execute function private.index_content()', _table);
  execute format('create trigger index_updated after update on public.%I referencing new table as added
    for each statement execute function private.index_content()', _table);
  execute format('create trigger index_deleted after delete on public.%I referencing old table as gone
    for each statement execute function private.index_content()', _table);
  execute format('create trigger index_truncated after truncate on public.%I
    for each statement execute function private.index_content()', _table);
  -- What is there already.
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
revoke all on function private.make_searchable(text) from public;

-- A kind is searched with its line in the list.
create function private.make_kind_searchable() returns trigger
language plpgsql set search_path = ''
as $$
begin
  perform private.make_searchable(new.table_name);
  return null;
end
$$;
revoke all on function private.make_kind_searchable() from public;
create trigger make_kind_searchable after insert on private.content_kinds
  for each row execute function private.make_kind_searchable();

do $$
declare
  _table name;
begin
  for _table in select table_name from private.content_kinds loop
    perform private.make_searchable(_table);
  end loop;
end
$$;

-- The words that a typed one stands for, beside those that begin with it: words that have it inside, or else, where it
-- seems mistyped, similar ones: most trigrams in common, or the same letters in another order.
create function private.meant_words(_typed text) returns text[]
language plpgsql stable security definer set search_path = ''
as $$
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
revoke all on function private.meant_words(text) from public;

-- What is searched for: every word that was typed, as the beginning of one, or what it may have meant. Null: no word.
create function private.search_for(_typed text, out query tsquery, out words text[])
language plpgsql stable security definer set search_path = ''
as $$
declare
  _word text;
  _meant text[];
  _either tsquery;
begin
  words := '{}';
  for _word in
    select lexeme from unnest(to_tsvector('pg_catalog.simple'::regconfig, left(_typed, 200))) order by positions[1] limit 8
  loop
    _meant := private.meant_words(_word);
    _either := to_tsquery('pg_catalog.simple'::regconfig,
      '''' || replace(replace(_word, '\', '\\'), '''', '''''') || ''':*');
    select coalesce(_either || to_tsquery('pg_catalog.simple'::regconfig, string_agg(
      '''' || replace(replace(meant, '\', '\\'), '''', '''''') || '''', ' | '
    )), _either) into _either from unnest(_meant) as meant;
    query := coalesce(query && _either, _either);
    words := words || _word || _meant;
  end loop;
end
$$;
revoke all on function private.search_for(text) from public;

-- A piece of a text around the first of the words in it; null where none is.
create function private.excerpt_of(_text text, _words text[]) returns text
language sql immutable set search_path = ''
as $$
  select case when min(place) > 0 then substr(_text, greatest(1, min(place) - 60), 240) end
  from (select position(word in lower(_text)) as place from unnest(_words) as word) as places
  where place > 0
$$;
revoke all on function private.excerpt_of(text, text[]) from public;

-- Without statistics, which the embedded database has none of, the planner would read all words of all items: hence
-- enable_seqscan.
--
-- A page of the items of a kind that have the words: best match first, or sorted by changed, newest or title. Of each item
-- the named columns, where else than in its title it matches, and the words to mark in that.
create function public.search_content(
  _kind text, _query text, _columns text[],
  _status text default '', _category text default '', _sort text default '',
  _limit integer default 24, _offset integer default 0
)
returns table (item jsonb, excerpt text, words text[], total integer)
language plpgsql stable security definer set search_path = '' set enable_seqscan = off
as $$
declare
  _known private.content_kinds;
  _found record;
  _columns_of_order text;
  _order text;
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
  return query execute format(
    'with matches as materialized (
       select item.id, coalesce(found.title_words @@ $1, false) as in_title, lower(item.%2$I) = lower($2) as is_title, %3$s
       from private.content_words as found join public.%1$I as item on item.id = found.item_id
       where found.kind = $9 and %5$s
         and ($4 = '''' or item.status = $4) and ($5 = '''' or to_jsonb(item) ->> ''category'' = $5)
     ), page as (
       select id, total, row_number() over (order by %4$s, id) as place
       from matches cross join (select count(*)::integer as total from matches) as counted
       order by place limit least(greatest($6, 1), 200) offset greatest($7, 0)
     )
     select (
         select jsonb_object_agg(key, value) from jsonb_each(to_jsonb(item)) where key = any ($8)
       ),
       private.excerpt_of(private.searchable_text(to_jsonb(item) - ''slug'', %2$L), $3), $3, page.total
     from page join public.%1$I as item using (id) order by page.place',
    _known.table_name, _known.title_column, _columns_of_order, _order,
    case when _found.query is null then format('position(lower($2) in lower(item.%I)) > 0', _known.title_column)
      else 'found.words @@ $1' end
  ) using _found.query, trim(_query), _found.words, coalesce(_status, ''), coalesce(_category, ''), _limit, _offset, _columns, _kind;
end
$$;
revoke all on function public.search_content(text, text, text[], text, text, text, integer, integer) from public, anon, authenticated;
grant execute on function public.search_content(text, text, text[], text, text, text, integer, integer) to authenticated;

-- The first five accounts with that in their name, address or number; if there are none, those that read alike.
create function private.people_named(_query text) returns table (id uuid, told text)
language plpgsql stable security definer set search_path = ''
as $$
declare
  _typed constant text := lower(trim(left(_query, 200)));
  _people constant text := $people$
    select person.id, told from auth.users as person cross join lateral (select left(concat_ws(' ',
      nullif(private.name_of(person.raw_user_meta_data), ''), nullif(person.email, ''), nullif(person.phone, '')
    ), 300)) as names (told)
    where person.deleted_at is null and %s order by told, person.id limit 5
  $people$;
begin
  return query execute format(_people, 'position($1 in lower(told)) > 0') using _typed;
  if not found and private.trigram_schema() is not null then
    return query execute format(
      _people, format('%I.word_similarity($1, lower(told)) >= 0.5', private.trigram_schema())
    ) using _typed;
  end if;
end
$$;
revoke all on function private.people_named(text) from public;

-- The best few items of every kind, and people by name or address, for the palette. Of people the kind is 'people'.
create function public.search_everywhere(_query text) returns table (kind text, id uuid, title text)
language plpgsql stable security definer set search_path = '' set enable_seqscan = off
as $$
declare
  _known private.content_kinds;
  _found record;
begin
  perform private.require_admin();
  select * into _found from private.search_for(_query);
  if _found.query is null then
    return;
  end if;
  for _known in select * from private.content_kinds order by number loop
    return query execute format(
      'select %1$L::text, item.id, item.%2$I::text
       from private.content_words as found join public.%1$I as item on item.id = found.item_id
       where found.kind = %1$L and found.words @@ $1
       order by lower(item.%2$I) = lower($2) desc, found.title_words @@ $1 desc, item.updated_at desc, item.id limit 5',
      _known.table_name, _known.title_column
    ) using _found.query, trim(_query);
  end loop;
  return query select 'people'::text, people.id, people.told from private.people_named(_query) as people;
end
$$;
revoke all on function public.search_everywhere(text) from public, anon, authenticated;
grant execute on function public.search_everywhere(text) to authenticated;

-- The categories that items of a kind have, for the filter of its list; none where a kind has no such column.
create function public.list_categories(_kind text) returns setof text
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  if not exists (
    select from private.content_kinds as known join information_schema.columns as kept
      on kept.table_schema = 'public' and kept.table_name = known.table_name and kept.column_name = 'category'
    where known.table_name = _kind
  ) then
    return;
  end if;
  return query execute format(
    'select distinct category from public.%I where category <> '''' order by category limit 200', _kind
  );
end
$$;
revoke all on function public.list_categories(text) from public, anon, authenticated;
grant execute on function public.list_categories(text) to authenticated;
create index posts_category_idx on public.posts (category);
create index posts_changed_idx on public.posts (updated_at desc);

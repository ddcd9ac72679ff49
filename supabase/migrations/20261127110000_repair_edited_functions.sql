-- Two functions whose migrations were edited before migrations were frozen: databases that had applied the earlier form
-- get the one that new databases have.

create or replace function private.require_admin() returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_admin() and (select auth.role()) is distinct from 'service_role' then
    raise exception 'Only admins may do this' using errcode = '42501';
  end if;
end
$$;

create or replace function private.index_content() returns trigger
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

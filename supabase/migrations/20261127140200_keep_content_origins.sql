-- The other hosts that an item names, kept beside it: to look for them in 100,000 articles after each change took longer than a
-- visitor's statement may, and no page could be shown. Only items that name one have a row.

create table private.item_origins (
  kind text not null,
  item_id uuid not null,
  origins text[] not null,
  primary key (kind, item_id)
);
revoke all on table private.item_origins from public, anon, authenticated, service_role;
alter table private.item_origins enable row level security;

-- As content_origins() looked for them: an address in a field of pictures, and pictures in any other text, which may be
-- Markdown.
create function private.origins_of(_item jsonb) returns text[]
language sql immutable set search_path = ''
as $$
  select coalesce(array_agg(distinct lower(origin)), '{}') from (
    select substring(value from '(?i)^\s*(https://[^]/?#\\")>\s]+)') as origin
    from jsonb_each_text(_item) where key ~ '(image|avatar|src)'
    union all
    select hit.origin from jsonb_each_text(_item), lateral (
      select substring(piece from '(?i)^[^]]*\]\(\s*<?(https://[^]/?#\\")>\s]+)')
      from string_to_table(value, '![') with ordinality as pieces (piece, place) where place > 1
      union all
      select substring(piece from '(?i)^\s*<?(https://[^]/?#\\")>\s]+)') from string_to_table(value, ']:') as piece
    ) as hit (origin)
    where key !~ '(image|avatar|src)' and value like '%![%'
  ) as found where origin is not null
$$;
revoke all on function private.origins_of(jsonb) from public;

create function private.note_origins() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'TRUNCATE' then
    delete from private.item_origins where kind = tg_table_name::text;
  elsif tg_op = 'DELETE' then
    delete from private.item_origins using gone where kind = tg_table_name::text and item_id = gone.id;
  else
    with found as materialized (
      select added.id, private.origins_of(to_jsonb(added.*)) as origins from added
    ), forgotten as (
      delete from private.item_origins using found
      where kind = tg_table_name::text and item_id = found.id and found.origins = '{}'
    )
    insert into private.item_origins as kept (kind, item_id, origins)
    select tg_table_name::text, id, origins from found where origins <> '{}'
    on conflict (kind, item_id) do update set origins = excluded.origins where kept.origins <> excluded.origins;
  end if;
  return null;
end
$$;
revoke all on function private.note_origins() from public;

create function private.make_origins_known(_table text) returns void
language plpgsql set search_path = ''
as $$
begin
  execute format('create trigger origins_inserted after insert on public.%I referencing new table as added
    for each statement execute function private.note_origins()', _table);
  execute format('create trigger origins_updated after update on public.%I referencing new table as added
    for each statement execute function private.note_origins()', _table);
  execute format('create trigger origins_deleted after delete on public.%I referencing old table as gone
    for each statement execute function private.note_origins()', _table);
  execute format('create trigger origins_truncated after truncate on public.%I
    for each statement execute function private.note_origins()', _table);
  execute format(
    'insert into private.item_origins (kind, item_id, origins)
     select %1$L, id, origins from public.%1$I as item cross join lateral private.origins_of(to_jsonb(item.*)) as origins
     where origins <> ''{}''', _table
  );
end
$$;
revoke all on function private.make_origins_known(text) from public;

create function private.make_origins_of_kind_known() returns trigger
language plpgsql set search_path = ''
as $$
begin
  perform private.make_origins_known(new.table_name);
  return null;
end
$$;
revoke all on function private.make_origins_of_kind_known() from public;
create trigger make_origins_known after insert on private.content_kinds
  for each row execute function private.make_origins_of_kind_known();

do $$
declare
  _table name;
begin
  for _table in select table_name from private.content_kinds loop
    perform private.make_origins_known(_table);
  end loop;
end
$$;

-- For content_origins(), which asks under the caller's policies which of the items they may read.
create function private.list_item_origins(_kind text) returns table (item_id uuid, origins text[])
language sql stable security definer set search_path = '' rows 10
as $$
  select kept.item_id, kept.origins from private.item_origins as kept where kept.kind = _kind
$$;
revoke all on function private.list_item_origins(text) from public, anon, authenticated;
grant execute on function private.list_item_origins(text) to anon, authenticated, service_role;

create or replace function public.content_origins() returns table (used_for text, origin text)
language plpgsql stable set search_path = ''
as $$
declare
  _kind record;
begin
  for _kind in select table_name from private.list_content_kinds() loop
    return query execute format(
      'select distinct ''picture'', named.origin
       from private.list_item_origins(%1$L) as kept join public.%1$I as item on item.id = kept.item_id
         cross join unnest(kept.origins) as named (origin)
       where item.status = ''published''', _kind.table_name
    );
  end loop;
  -- Sections of pages are JSON, or what somebody saved in its place.
  return query
    select distinct place.used_for, lower(hit[1])
    from public.page_content,
      (values ('picture', '(?:image|src)\w*'), ('frame', 'calendlyPlaceholder')) as place (used_for, key),
      regexp_matches(content, place.key || '"\s*:\s*"\s*(https://[^]/?#\\")>\s]+)', 'gi') as hit;
end
$$;

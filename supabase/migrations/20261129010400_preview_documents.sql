-- Previews read what they know of a kind from private.documents, and one function writes the query for all of them.

create function private.changed_rows(_kind text) returns text
language sql stable security definer set search_path = ''
as $$
  select format(
    'patches as materialized (select * from private.preview_patches(%1$L, $1)),
     changed as (
       select item as it from public.%1$I as item
       where not exists (select from patches where patches.item_id = %2$s)
       union all
       select jsonb_populate_record(item, patch) from patches left join public.%1$I as item on %2$s = patches.item_id
       where not is_deleted and (item.id is not null or is_new)
     )', _kind, private.document_key_in_sql(_kind)
  )
$$;
revoke all on function private.changed_rows(text) from public;

-- The rows of a table as the preview $1 shows them.
create or replace function private.preview_query(_table text) returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  _is_public text := '(it).status = ''published''';
begin
  if not (select is_item from private.documents where kind = _table) then
    return format(
      'with %2$s select %1$I.* from (select (it).* from changed) as %1$I where %3$s',
      _table, private.changed_rows(_table), private.visitors_read(_table)
    );
  end if;
  if exists (
    select from pg_catalog.pg_attribute
    where attrelid = format('public.%I', _table)::regclass and attname = 'published_date' and not attisdropped
  ) then
    _is_public := _is_public || ' and (it).published_date <= greatest(now(), ($1).as_of)';
  end if;
  return format(
    'with %3$s
     select (it).* from (
       select case when %2$s then it else jsonb_populate_record(it, ''{"status": "published"}'') end as it from changed
       where (%2$s) or (($1).kind = %1$L and ($1).item_id = (it).id::text)
         or (($1).shows_drafts and ((it).status = ''draft'' or ($1).as_of is null))
       -- Computes each row once, and not once for each of its columns.
       offset 0
     ) as shown', _table, _is_public, private.changed_rows(_table)
  );
end
$$;

create or replace function public.preview_page_content() returns setof public.page_content
language plpgsql stable security definer set search_path = '' rows 20
as $$
begin
  return query execute private.preview_query('page_content') using private.shown_preview();
end
$$;

create or replace function public.preview_site_settings() returns setof public.site_settings
language plpgsql stable security definer set search_path = '' rows 20
as $$
begin
  return query execute private.preview_query('site_settings') using private.shown_preview();
end
$$;

drop function private.changed_rows(text, text);

create or replace function private.preview_as_told(_token text) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  _link public.preview_links;
begin
  select * into _link from private.preview_link_of(_token);
  if _link.id is null then
    return jsonb_build_object('state', 'unknown');
  end if;
  if not private.is_live(_link) then
    return jsonb_build_object('state', 'ended');
  end if;
  return jsonb_build_object(
    'state', 'open', 'id', _link.id, 'expires_at', _link.expires_at, 'shows_drafts', _link.shows_drafts,
    'as_of', _link.as_of, 'kind', _link.kind, 'item', private.previewed_item(_link.kind, _link.item_id),
    'release', (select name from public.releases where id = _link.release_id),
    -- The tables that public.preview_<table>() is read for.
    'tables', (
      select jsonb_agg(kind order by is_item desc, number) from private.documents
      where is_item or private.shows_releases(_link)
    )
  );
end
$$;

-- What a preview shows of each kind of content: the rows that visitors read at this moment or by a date, and over them
-- those that the link shows beside. Functions, and no views or further policies: the tables and all that is read of them
-- stay exactly as they are, and columns may change without a thought for previews.

-- Selects what the link in $1 shows of a table. What is not public yet has the status 'published' there, because that is
-- what pages ask for.
create function private.preview_query(_table text) returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  _is_public text := 'item.status = ''published''';
begin
  if exists (
    select from pg_catalog.pg_attribute
    where attrelid = format('public.%I', _table)::regclass and attname = 'published_date' and not attisdropped
  ) then
    _is_public := _is_public || ' and item.published_date <= greatest(now(), ($1).as_of)';
  end if;
  return format(
    'select item.* from public.%1$I as item where %2$s
     union all
     select shown.* from public.%1$I as item,
       lateral jsonb_populate_record(item, ''{"status": "published"}'') as shown
     where not (%2$s) and (
       (($1).kind = %1$L and ($1).item_id = item.id::text)
       or (($1).shows_drafts and (item.status = ''draft'' or ($1).as_of is null))
     )', _table, _is_public
  );
end
$$;
revoke all on function private.preview_query(text) from public;

-- public.preview_<table>(): the table as the preview has it whose token the request carries. @throws PT404, PT410
create function private.create_preview_reader() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  execute format(
    'create or replace function public.%1$I() returns setof public.%2$I
     language plpgsql stable security definer set search_path = '''' rows 100
     as $body$
     begin
       return query execute private.preview_query(%2$L) using private.shown_preview();
     end
     $body$', 'preview_' || new.table_name, new.table_name
  );
  execute format('revoke all on function public.%I() from public, anon, authenticated', 'preview_' || new.table_name);
  execute format('grant execute on function public.%I() to anon, authenticated, service_role', 'preview_' || new.table_name);
  return null;
end
$$;
revoke all on function private.create_preview_reader() from public;

-- A kind that is added has its reader at once.
create trigger create_preview_reader after insert on private.content_kinds
  for each row execute function private.create_preview_reader();
create trigger create_preview_reader_again after update on private.content_kinds
  for each row execute function private.create_preview_reader();
update private.content_kinds set table_name = table_name;
drop trigger create_preview_reader_again on private.content_kinds;

-- With the setting require_alt_text, items with an image without alt text cannot be published. Published ones can still
-- be edited.

-- Lists images of an item without alt text: the column and the file name, which is null for an image in a text.
-- Portraits (avatar) are described by the name beside them.
create function private.pictures_without_alt(_table text, _row jsonb) returns table (column_name text, title text)
language sql stable security definer set search_path = '' as $$
  with texts as (
    select attname::text as name, attname ~ '(image|src)' as is_picture, _row ->> attname as value
    from pg_catalog.pg_attribute
    where attrelid = format('public.%I', _table)::regclass and attnum > 0 and not attisdropped and attgenerated = ''
      and atttypid = any ('{text,jsonb,text[]}'::regtype[]) and _row ->> attname is not null
  )
  select texts.name, coalesce(nullif(files.original_name, ''), files.name)
  from texts
    cross join lateral private.media_keys(texts.value) as key
    join private.media_files as files on files.mention_key = key
  where texts.is_picture and files.kind = 'image' and trim(files.alt) = '' and private.mentions_media(texts.value, files.name)
  union
  select texts.name, null from texts where not texts.is_picture and texts.value ~ '!\[\s*\]\('
$$;

create function private.require_alt_texts() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _missing record;
  _title text;
begin
  if to_jsonb(new) ->> 'status' <> 'published' or not exists (
    select from public.site_settings where setting_key = 'require_alt_text' and trim(setting_value) = 'on'
  ) then
    return new;
  end if;
  select * into _missing from (
    select column_name, title from private.pictures_without_alt(tg_table_name, to_jsonb(new))
    except
    select column_name, title from private.pictures_without_alt(tg_table_name, to_jsonb(old))
    where tg_op = 'UPDATE' and to_jsonb(old) ->> 'status' = 'published'
  ) as missing order by column_name, title limit 1;
  if not found then
    return new;
  end if;
  select to_jsonb(new) ->> title_column into _title from private.content_kinds where table_name = tg_table_name;
  raise sqlstate 'PT422' using
    message = case when _missing.title is null
      then format('“%s” was not published: a picture in its text has no alt text. Write it between the brackets: ![what it shows](address).', _title)
      else format('“%s” was not published: the picture “%s” has no alt text. Describe it in the media library first.', _title, _missing.title)
    end,
    detail = _missing.column_name;
end
$$;

create function private.require_alt_texts_of_kind() returns trigger language plpgsql set search_path = '' as $$
begin
  execute format(
    'create trigger require_alt_texts before insert or update on public.%I
       for each row execute function private.require_alt_texts()', new.table_name
  );
  return null;
end
$$;

create trigger require_alt_texts_of_kind after insert on private.content_kinds
  for each row execute function private.require_alt_texts_of_kind();

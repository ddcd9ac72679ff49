-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.delete_for_ever(_kind text, _item_ids uuid[])
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_admin();
  return private.forget_items(_kind, _item_ids);
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.restore_item(_kind text, _item_id uuid)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _data jsonb;
  _slug text;
  _number integer := 1;
  _is_taken boolean;
begin
  perform private.require_admin();
  if not exists (select from private.documents where kind = _kind and is_item) then
    raise exception 'There is no kind of content named %', coalesce(_kind, 'null') using errcode = '22023';
  end if;
  select data into _data from public.deleted_content where kind = _kind and item_id = _item_id for update;
  if not found then
    raise exception 'It is not among the deleted items any more. Somebody restored it, or deleted it for ever.';
  end if;
  if _data ? 'slug' then
    loop
      _slug := case _number when 1 then _data ->> 'slug' else left(_data ->> 'slug', 290) || '-' || _number end;
      execute format('select exists (select from public.%I where slug = $1)', _kind) into _is_taken using _slug;
      exit when not _is_taken;
      _number := _number + 1;
    end loop;
    _data := _data || jsonb_build_object('slug', _slug);
  end if;
  -- Since the item was deleted, columns may have come, which get their default, and gone.
  perform private.insert_item(_kind, _data, null);
  return case when _number > 1 then _slug end;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.delete_old_trash(_at_most integer DEFAULT NULL::integer)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(sum(private.forget_items(kind, item_ids)), 0)::integer
  from (
    select kind, array_agg(item_id) from (
      select kind, item_id from public.deleted_content
      where deleted_at < now() - interval '30 days' order by deleted_at limit _at_most
    ) as due group by kind
  ) as old (kind, item_ids)
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.delete_old_versions(_at_most integer DEFAULT NULL::integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _deleted integer;
begin
  delete from public.content_versions where id in (
    select version.id from public.content_versions as version
    where version.created_at < now() - interval '90 days' and (
      select newer.created_at from public.content_versions as newer
      where newer.kind = version.kind and newer.item_id = version.item_id and newer.id > version.id
      order by newer.id limit 1
    ) < now() - interval '90 days'
    order by version.created_at limit _at_most
  );
  get diagnostics _deleted = row_count;
  return _deleted;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.differing_fields(_kind text, _one jsonb, _other jsonb)
 RETURNS text[]
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(array_agg(attname::text order by attnum), '{}')
  from pg_catalog.pg_attribute,
    private.typed_row(_kind, _one) as one (fields), private.typed_row(_kind, _other) as other (fields)
  where attrelid = format('public.%I', _kind)::regclass and attnum > 0 and not attisdropped
    and attgenerated = '' and attidentity = '' and attname not in ('id', 'created_at', 'updated_at')
    and one.fields -> attname::text is distinct from other.fields -> attname::text
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.forget_items(_kind text, _item_ids uuid[])
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _deleted integer;
begin
  with gone as (
    delete from public.deleted_content where kind = _kind and item_id = any (_item_ids) returning kind, item_id::text as item_id
  ), versions as (
    delete from public.content_versions as version using gone
    where version.kind = gone.kind and version.item_id = gone.item_id
  )
  select count(*) into _deleted from gone;
  return _deleted;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.keep_version(_kind text, _item_id text, _data jsonb, _action text, _changes text[], _author_id uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into public.content_versions (kind, item_id, data, action, changes, author_id)
    values (_kind, _item_id, _data, _action, _changes, _author_id);
  -- The newest 50 stay.
  delete from public.content_versions where kind = _kind and item_id = _item_id and id <= (
    select id from public.content_versions where kind = _kind and item_id = _item_id order by id desc offset 50 limit 1
  );
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.keep_versions()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _kind constant text := tg_table_name;
  _old jsonb;
  _data jsonb;
  _item_id text;
  _of private.documents;
  _author_id uuid;
  _action text := case tg_op when 'INSERT' then 'created' when 'UPDATE' then 'changed' else 'deleted' end;
  _changes text[] := '{}';
begin
  if private.tries_release() then
    return null;
  end if;
  _old := private.written_columns(to_jsonb(old), tg_relid);
  _data := coalesce(private.written_columns(to_jsonb(new), tg_relid), _old);
  _item_id := private.document_key(_kind, _data);
  _author_id := private.user_id();
  select * into _of from private.documents where kind = _kind;
  if tg_op = 'UPDATE' then
    select coalesce(array_agg(key order by key), '{}') into _changes from jsonb_each(_data)
    where value is distinct from _old -> key and key <> 'updated_at';
    -- Being moved among the others is no change of an item.
    if _changes <@ array['display_order'] then
      return null;
    end if;
    if not exists (select from public.content_versions where kind = _kind and item_id = _item_id) then
      perform private.keep_version(_kind, _item_id, _old, 'before', '{}', null);
    end if;
  end if;
  if _of.is_item then
    if tg_op = 'DELETE' then
      insert into public.deleted_content as kept (kind, item_id, title, data, deleted_by)
        values (_kind, _item_id::uuid, coalesce(_data ->> _of.title_column, ''), _data, _author_id)
        on conflict (kind, item_id) do update set
          title = excluded.title, data = excluded.data, deleted_by = excluded.deleted_by, deleted_at = excluded.deleted_at;
    elsif tg_op = 'INSERT' then
      -- However an item comes back, it is not deleted any more.
      delete from public.deleted_content where kind = _kind and item_id = _item_id::uuid;
      if found then
        _action := 'restored';
      end if;
    end if;
  end if;
  perform private.keep_version(_kind, _item_id, _data, _action, _changes, _author_id);
  return null;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.keep_versions_of_kind()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  execute format(
    'create trigger keep_versions after insert or update or delete on public.%I
       for each row execute function private.keep_versions()', new.table_name
  );
  return null;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.refuse_stale_text()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _opened text := nullif(current_setting('request.headers', true), '')::json ->> 'x-opened-version';
  _is_stale boolean := false;
begin
  -- Nobody else may learn from the answer what is saved; the policies refuse them.
  if not private.is_admin() then
    _opened := null;
  end if;
  if _opened <> 'none' and tg_op = 'INSERT' then
    -- An upsert comes here before it finds the row, which then answers for itself.
    execute format(
      'select not exists (select from public.%I as item where %s)', tg_table_name, private.is_document_in_sql(tg_table_name)
    ) into _is_stale using private.document_key(tg_table_name, to_jsonb(new));
  elsif _opened is not null and tg_op <> 'INSERT' then
    _is_stale := _opened = 'none' or _opened::timestamptz <> old.updated_at;
  end if;
  if _is_stale then
    raise sqlstate 'PT412' using message = 'Somebody else changed this after you opened it. Nothing was overwritten.';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end
$function$;

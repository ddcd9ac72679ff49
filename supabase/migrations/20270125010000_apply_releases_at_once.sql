-- What a release changes is written in one statement for each kind and action, and what is only tried keeps no version, word or
-- count of it: a release of many posts held the embedded database for seconds, making its undoing for many.

-- True in a transaction's part that tries a release and is undone.
create function private.tries_release()
returns boolean language sql stable set search_path = '' as $$
  select coalesce(current_setting('releases.is_tried', true), '') = 'yes'
$$;

revoke all on function private.tries_release() from public, anon, authenticated, service_role;

create or replace function private.count_items()
returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  _changes jsonb[] := '{}';
begin
  if private.tries_release() then
    return null;
  end if;
  if tg_op = 'TRUNCATE' then
    delete from private.content_counts where kind = tg_table_name::text;
    return null;
  end if;
  -- Only the columns that count, and one entry for all items that are alike.
  if tg_op in ('INSERT', 'UPDATE') then
    select array_agg(entry) into _changes from (
      select jsonb_build_object('status', item ->> 'status', 'category', item ->> 'category', 'items', count(*))
      from (select to_jsonb(added.*) from added) as items (item) group by item ->> 'status', item ->> 'category'
    ) as entries (entry);
  end if;
  if tg_op in ('DELETE', 'UPDATE') then
    _changes := _changes || (select array_agg(entry) from (
      select jsonb_build_object('status', item ->> 'status', 'category', item ->> 'category', 'items', -count(*))
      from (select to_jsonb(gone.*) from gone) as items (item) group by item ->> 'status', item ->> 'category'
    ) as entries (entry));
  end if;
  perform private.count_changes(tg_table_name::text, _changes);
  return null;
end
$$;

create or replace function private.note_origins()
returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.tries_release() then
    return null;
  end if;
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

create or replace function private.track_media_mentions()
returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.tries_release() then
    return null;
  end if;
  if tg_op = 'DELETE' then
    delete from private.media_mentions where kind = tg_table_name::text and item_id = old.id::text;
  -- A row as text doubles quotes and backslashes, which no name of a file has, and changes nothing else.
  elsif tg_op = 'INSERT' or new::text <> old::text then
    perform private.note_mentions(tg_table_name, new.id::text, new::text);
  end if;
  return null;
end
$$;

create or replace function private.remember_slug()
returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  due_at timestamptz := to_jsonb(old) ->> 'published_date';
  is_still_public boolean := tg_op = 'UPDATE' and new.slug = old.slug and new.status = 'published';
begin
  if private.tries_release() then
    return null;
  end if;
  if old.status = 'published' and coalesce(due_at <= now(), true) and not is_still_public then
    insert into public.slug_aliases (kind, slug, item_id) values (tg_table_name, old.slug, old.id)
    on conflict (kind, slug) do update set item_id = excluded.item_id, created_at = now();
  end if;
  return null;
end
$$;

create or replace function private.keep_versions()
returns trigger
language plpgsql security definer set search_path = '' as $$
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
$$;

create or replace function private.index_content()
returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  _title name;
  _ids uuid[];
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
    _ids := array(select id from added);
  else
    _ids := array(
      select added.id from added left join gone using (id)
      where to_jsonb(added) ->> _title is distinct from to_jsonb(gone) ->> _title
        or private.searchable_text(to_jsonb(added), _title) is distinct from private.searchable_text(to_jsonb(gone), _title)
    );
  end if;
  with texts as materialized (
    select id, to_tsvector('pg_catalog.simple'::regconfig, to_jsonb(added) ->> _title) as title,
      to_tsvector('pg_catalog.simple'::regconfig, private.searchable_text(to_jsonb(added), _title)) as body
    from added where id = any (_ids)
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

create or replace function private.make_searchable(_table text)
returns void
language plpgsql set search_path = '' as $$
begin
  execute format('create trigger index_inserted after insert on public.%I referencing new table as added
    for each statement execute function private.index_content()', _table);
  execute format('create trigger index_updated after update on public.%I referencing old table as gone new table as added
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

do $$
declare
  _table name;
begin
  for _table in select table_name from private.content_kinds loop
    execute format('drop trigger index_updated on public.%I', _table);
    execute format('create trigger index_updated after update on public.%I referencing old table as gone new table as added
      for each statement execute function private.index_content()', _table);
  end loop;
end
$$;

-- Writes changes of a kind that nobody touched since they were made, with one action, and returns which they are.
create function private.apply_ready_changes(_kind name, _action text, _ids uuid[])
returns uuid[] language plpgsql set search_path = '' as $$
declare
  _known text[];
  -- Those that a release does not write: they differ, or the database fills them in.
  _left text[];
  _names text;
  _ready text;
  _written text;
  _done uuid[];
begin
  select array_agg(attname::text),
    array_agg(attname::text) filter (
      where attname in ('id', 'created_at', 'updated_at') or attgenerated <> '' or attidentity <> ''
    )
  into _known, _left
  from pg_catalog.pg_attribute where attrelid = format('public.%I', _kind)::regclass and attnum > 0 and not attisdropped;
  select string_agg(format(case _action when 'update' then '%1$I = changed.%1$I' else '%I' end, attname), ', ') into _names
  from pg_catalog.pg_attribute
  where attrelid = format('public.%I', _kind)::regclass and attnum > 0 and not attisdropped and attgenerated = ''
    and attidentity = '' and attname <> 'updated_at' and (_action = 'create' or attname <> all (_left));
  _ready := case _action when 'create' then format(
    'select change.id, null::jsonb as live, change.data, change.item_id::uuid as item_id
     from public.release_changes as change
     where change.id = any ($1) and change.action = $2 and change.data - $3 = ''{}'' and change.data ?& $3
       and not exists (select from public.%1$I as item where item.id = change.item_id::uuid)', _kind
  ) else format(
    'select change.id, to_jsonb(item) as live, change.data, item.id as item_id
     from public.release_changes as change join public.%1$I as item on item.id = change.item_id::uuid
     where change.id = any ($1) and change.action = $2 and coalesce(change.data, change.base) - $3 = ''{}''
       and to_jsonb(item) - $4 = to_jsonb(jsonb_populate_record(null::public.%1$I, change.base)) - $4
       and (change.data is null
         or to_jsonb(item) - $4 <> to_jsonb(jsonb_populate_record(null::public.%1$I, change.data)) - $4)
     order by item.id for update of item', _kind
  ) end;
  _written := format(case _action
    when 'delete' then 'delete from public.%1$I as item using ready where item.id = ready.item_id
      returning ready.id, ready.live, null::jsonb as after'
    when 'update' then 'update public.%1$I as item set %2$s
      from ready, jsonb_populate_record(null::public.%1$I, ready.data) as changed where item.id = ready.item_id
      returning ready.id, ready.live, to_jsonb(item) as after'
    else 'insert into public.%1$I as item (%2$s)
      select %2$s from (select changed.* from ready, jsonb_populate_record(null::public.%1$I, ready.data) as changed) as new
      returning (select ready.id from ready where ready.item_id = item.id) as id, null::jsonb as live, to_jsonb(item) as after'
  end, _kind, _names);
  execute format('with ready as materialized (%s), written as (%s), noted as (
    update public.release_changes as change set before = written.live, after = written.after from written
    where change.id = written.id and not private.tries_release()
  ) select array_agg(id) from written', _ready, _written) into _done using _ids, _action, _known, _left;
  return coalesce(_done, '{}');
end
$$;

revoke all on function private.apply_ready_changes(name, text, uuid[]) from public, anon, authenticated, service_role;

/*
Writes changes of a release, and returns what stands in the way of the others. The usual ones, of items that nobody touched
since, are written together. Where one of them meets a rule, and in any other case, each is tried by itself.
*/
create function private.apply_changes(_ids uuid[])
returns jsonb language plpgsql set search_path = '' as $$
declare
  _group record;
  _change public.release_changes;
  _result record;
  _problems jsonb := '[]';
  _postponed jsonb;
  _done uuid[] := '{}';
  _waiting uuid[];
  _before integer;
begin
  -- One at a time, and rows in one order: nobody waits in a circle.
  perform pg_advisory_xact_lock(7462205);
  begin
    for _group in
      select kind, action from public.release_changes as change join private.documents using (kind)
      where change.id = any (_ids) and is_item and to_regclass(format('public.%I', kind)) is not null
      group by kind, action order by array_position('{delete,update,create}'::text[], action), kind
    loop
      _done := _done || private.apply_ready_changes(_group.kind, _group.action, _ids);
    end loop;
  exception when others then
    -- The machine's faults, such as a deadlock or a full disk, are not the editor's.
    if left(sqlstate, 2) in ('40', '53', '54', '55', '57', '58', 'XX') then
      raise;
    end if;
    _done := '{}';
  end;
  for _change in
    select * from public.release_changes where id = any (_ids) and id <> all (_done) order by kind, item_id
  loop
    _waiting := _waiting || _change.id;
    perform private.lock_item(_change.kind, _change.item_id);
  end loop;
  -- A slug may be free only once another item of the release has given it up: what it stands in the way of comes again.
  loop
    _before := cardinality(_waiting);
    _postponed := '[]';
    for _change in
      select * from public.release_changes where id = any (_waiting)
      order by array_position('{delete,update,create}'::text[], action), kind, item_id
    loop
      begin
        _result := private.apply_change(_change);
        if _result.problem is null then
          update public.release_changes set before = _result.live, after = _result.after
          where id = _change.id and not private.tries_release();
        else
          _problems := _problems || jsonb_build_object(
            'change_id', _change.id, 'problem', _result.problem, 'fields', _result.fields, 'live', _result.live,
            'sentence', private.problem_sentence(_change, _result.problem, _result.fields, null)
          );
        end if;
        _waiting := array_remove(_waiting, _change.id);
      exception
        when unique_violation then
          _postponed := _postponed || jsonb_build_object(
            'change_id', _change.id, 'problem', 'taken',
            'sentence', private.problem_sentence(_change, 'taken', null, sqlerrm)
          );
        when others then
          if left(sqlstate, 2) in ('40', '53', '54', '55', '57', '58', 'XX') then
            raise;
          end if;
          _problems := _problems || jsonb_build_object(
            'change_id', _change.id, 'problem', 'refused',
            'sentence', private.problem_sentence(_change, 'refused', null, sqlerrm)
          );
          _waiting := array_remove(_waiting, _change.id);
      end;
    end loop;
    exit when coalesce(cardinality(_waiting), 0) = 0 or cardinality(_waiting) = _before;
  end loop;
  return _problems || _postponed;
end
$$;

revoke all on function private.apply_changes(uuid[]) from public, anon, authenticated, service_role;

drop function private.apply_release(uuid, uuid);

create function private.apply_release(_release_id uuid)
returns jsonb language sql set search_path = '' as $$
  select private.apply_changes(array(select id from public.release_changes where release_id = _release_id))
$$;

revoke all on function private.apply_release(uuid) from public, anon, authenticated, service_role;

-- True when one change may decide whether the database takes the other: by a value that must be unique, or by a setting.
create function private.may_meet_change(_one public.release_changes, _other public.release_changes)
returns boolean language sql stable set search_path = '' as $$
  select _one.kind = 'site_settings' or _one.kind = _other.kind and exists (
    select from pg_catalog.pg_index join pg_catalog.pg_attribute on attrelid = indrelid and attnum = any (indkey)
    where indrelid = to_regclass(format('public.%I', _one.kind)) and indisunique and not indisprimary
      and _other.data -> attname::text in (_one.data -> attname::text, _one.base -> attname::text)
  )
$$;

revoke all on function private.may_meet_change(public.release_changes, public.release_changes)
  from public, anon, authenticated, service_role;

create or replace function private.guard_release_change()
returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  _of private.documents;
  _result record;
  _with_all boolean;
begin
  -- A release that takes another back is made of rows that the database had, and is tried as a whole.
  if current_setting('releases.is_undoing', true) = 'yes' then
    new.changed_by := private.user_id();
    new.changed_at := clock_timestamp();
    return new;
  end if;
  perform private.require_open_release(new.release_id);
  select * into _of from private.documents where kind = new.kind;
  if not found then
    raise exception 'There is no kind of content %.', new.kind using errcode = '22023';
  end if;
  if new.item_id = any (_of.keys_outside_releases) then
    raise exception 'This setting counts at once and cannot wait in a release.' using errcode = '22023';
  end if;
  if tg_op = 'INSERT' and (
    select count(*) from public.release_changes where release_id = new.release_id
  ) >= 200 then
    raise exception 'A release holds at most 200 changes.' using errcode = '54000';
  end if;
  new.changed_by := private.user_id();
  new.changed_at := clock_timestamp();
  if _of.is_item and new.action <> 'delete' then
    new.data := new.data || jsonb_build_object('id', new.item_id::uuid);
  end if;
  if new.action = 'update' then
    new.data := new.base || new.data;
  end if;
  new.base := case when new.base is not null then private.typed_row(new.kind, new.base) end;
  if private.document_key(new.kind, coalesce(new.data, new.base)) is distinct from new.item_id then
    raise exception 'The change is about another item than it says.' using errcode = '22023';
  end if;
  -- With those that it may meet, or, where one of them needs others in its turn, with all of the release.
  foreach _with_all in array '{false,true}'::boolean[] loop
    begin
      perform set_config('releases.is_tried', 'yes', true);
      perform private.apply_changes(array(
        select other.id from public.release_changes as other
        where other.release_id = new.release_id and other.id <> new.id and (_with_all or private.may_meet_change(other, new))
      ));
      _result := private.apply_change(new);
      if _result.problem = 'schema' then
        raise exception '%', private.problem_sentence(new, _result.problem, _result.fields, null) using errcode = '42703';
      end if;
      raise exception 'undo' using errcode = 'RB001';
    exception
      when sqlstate 'RB001' then
        exit;
      when unique_violation then
        if _with_all then
          raise;
        end if;
    end;
  end loop;
  if new.action = 'create' then
    new.data := coalesce(_result.after, new.data);
  elsif new.action = 'update' then
    new.data := private.typed_row(new.kind, new.data);
  end if;
  return new;
end
$$;

create or replace function public.check_release(_id uuid)
returns TABLE(change_id uuid, problem text, sentence text, fields text[], live jsonb)
language plpgsql security definer set search_path = '' as $$
declare
  _problems jsonb;
begin
  perform private.require_admin();
  begin
    -- Waits for a publication under way.
    perform from public.releases where id = _id and published_at is null for share;
    if not found then
      return;
    end if;
    perform set_config('releases.is_tried', 'yes', true);
    _problems := private.apply_release(_id);
    raise exception 'undo' using errcode = 'RB001';
  exception when sqlstate 'RB001' then
    null;
  end;
  return query
    select found.change_id, found.problem, found.sentence, found.fields, found.live
    from jsonb_to_recordset(_problems)
      as found (change_id uuid, problem text, sentence text, fields text[], live jsonb);
end
$$;

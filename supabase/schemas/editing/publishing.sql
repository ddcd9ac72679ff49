-- A release is published as a whole or not at all, by ordinary inserts, updates and deletes, so that triggers run. A
-- change writes the fields in which data differs from base. Edits by others are kept. If they change the same field, an
-- editor resolves the conflict.

-- Lists the problems that block publishing now, by a trial that is rolled back. Empty for a published release, so that
-- an open screen does not fail.
create function public.check_release(_id uuid) returns table (
  change_id uuid, problem text, sentence text, fields text[], live jsonb
) language plpgsql security definer set search_path = '' as $$
declare
  _problems jsonb;
begin
  perform private.require_admin();
  begin
    -- Waits for a running publication.
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
grant execute on function public.check_release to authenticated, service_role;

-- Publishes the whole release, or returns the problems and publishes nothing.
create function public.publish_release(_id uuid) returns void language plpgsql security definer set search_path = '' as $$
declare
  _problems jsonb;
begin
  perform private.require_admin();
  _problems := private.publish_claimed_release(_id, private.user_id());
  if jsonb_array_length(_problems) > 0 then
    raise exception 'Nothing was published. %', private.problem_sentences(_problems) using errcode = 'PT409';
  end if;
end
$$;
grant execute on function public.publish_release to authenticated, service_role;

-- Creates a release that reverts a published one, and that is reviewed and published like any other. Later changes by
-- others are conflicts. Returns the new release.
create function public.undo_release(_id uuid) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  _release public.releases;
  _undoing uuid;
begin
  perform private.require_admin();
  select * into _release from public.releases where id = _id and published_at is not null;
  if not found then
    raise exception 'Only a published release can be reverted.' using errcode = 'PT404';
  end if;
  if not exists (
    select from public.release_changes where release_id = _id and before is distinct from after
  ) then
    raise exception 'This release has no changes to revert.' using errcode = 'PT409';
  end if;
  insert into public.releases (name, created_by) values (left('Undo: ' || _release.name, 120), private.user_id())
    returning id into _undoing;
  perform set_config('releases.is_undoing', 'yes', true);
  insert into public.release_changes (release_id, kind, item_id, action, data, base)
    select _undoing, kind, item_id,
      case when after is null then 'create' when before is null then 'delete' else 'update' end, before, after
    from public.release_changes where release_id = _id and before is distinct from after;
  perform set_config('releases.is_undoing', '', true);
  return _undoing;
end
$$;
grant execute on function public.undo_release to authenticated, service_role;

-- Writes one change to the site, or returns the problem: conflict (others changed the same fields), edited (others
-- changed the item that the release would publish), gone (the item was deleted), schema (the change has a dropped
-- column).
create function private.apply_change(
  _change public.release_changes, out problem text, out fields text[], out live jsonb, out after jsonb
) returns record language plpgsql set search_path = '' as $$
declare
  _kind constant text := _change.kind;
  _own_fields text[];
  _site_fields text[];
begin
  if to_regclass(format('public.%I', _kind)) is null then
    problem := 'schema';
    fields := array[_kind];
    return;
  end if;
  live := private.lock_item(_kind, _change.item_id);
  select array_agg(key) into fields from jsonb_object_keys(_change.data) as key
  where _change.data -> key is distinct from coalesce(_change.base -> key, 'null')
    and _change.data -> key not in ('null', '""', '[]', '{}') and not exists (
    select from pg_catalog.pg_attribute
    where attrelid = format('public.%I', _kind)::regclass and attname = key and attnum > 0 and not attisdropped
  );
  if fields is not null then
    problem := 'schema';
  elsif live is null then
    if _change.action = 'create' then
      after := private.insert_item(_kind, _change.data);
    elsif _change.action = 'update' then
      problem := 'gone';
    end if;
  elsif _change.action = 'delete' then
    fields := private.differing_fields(_kind, live, _change.base);
    if cardinality(fields) > 0 then
      problem := 'conflict';
    else
      execute format('delete from public.%I where id = $1::uuid', _kind) using live ->> 'id';
    end if;
  else
    _own_fields := private.differing_fields(_kind, _change.data, coalesce(_change.base, '{}'));
    _site_fields := private.differing_fields(_kind, live, coalesce(_change.base, '{}'));
    fields := array(
      select field from unnest(private.differing_fields(_kind, _change.data, live)) as field where field = any (_own_fields)
    );
    if fields && _site_fields then
      fields := array(select field from unnest(fields) as field where field = any (_site_fields));
      problem := 'conflict';
    elsif 'status' = any (fields) and _change.data ->> 'status' = 'published'
      and cardinality(array_remove(_site_fields, 'display_order')) > 0 then
      fields := array_remove(_site_fields, 'display_order');
      problem := 'edited';
    elsif cardinality(fields) > 0 then
      after := private.update_item(_kind, live ->> 'id', _change.data, fields);
    else
      after := live;
    end if;
  end if;
end
$$;

create function private.apply_changes(_ids uuid[]) returns jsonb language plpgsql set search_path = '' as $$
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
  -- One publication at a time, with rows in a fixed order, to avoid deadlocks.
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
    -- Rethrows faults of the server, such as a deadlock or a full disk: the editor cannot fix them.
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
  -- A slug may only be free after another change of the release was applied. Postponed changes are tried again.
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
          where id = _change.id and not private.is_publish_dry_run();
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

-- Writes changes of a kind whose items are unchanged since, with one action, and returns them.
create function private.apply_ready_changes(_kind name, _action text, _ids uuid[]) returns uuid[]
language plpgsql set search_path = '' as $$
declare
  _columns text[];
  -- Columns that a release does not write, because their values differ or the database generates them.
  _skipped_columns text[];
  _names text;
  _ready text;
  _written text;
  _done uuid[];
begin
  select array_agg(attname::text),
    array_agg(attname::text) filter (
      where attname in ('id', 'created_at', 'updated_at') or attgenerated <> '' or attidentity <> ''
    )
  into _columns, _skipped_columns
  from pg_catalog.pg_attribute where attrelid = format('public.%I', _kind)::regclass and attnum > 0 and not attisdropped;
  select string_agg(format(case _action when 'update' then '%1$I = changed.%1$I' else '%I' end, attname), ', ') into _names
  from pg_catalog.pg_attribute
  where attrelid = format('public.%I', _kind)::regclass and attnum > 0 and not attisdropped and attgenerated = ''
    and attidentity = '' and attname <> 'updated_at' and (_action = 'create' or attname <> all (_skipped_columns));
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
    where change.id = written.id and not private.is_publish_dry_run()
  ) select array_agg(id) from written', _ready, _written) into _done using _ids, _action, _columns, _skipped_columns;
  return coalesce(_done, '{}');
end
$$;

-- Writes the changes of a release and records the rows before and after. Returns problems as a list of {change_id,
-- problem, sentence, fields, live}. If there are any, the caller rolls back.
create function private.apply_release(_release_id uuid) returns jsonb language sql set search_path = '' as $$
  select private.apply_changes(array(select id from public.release_changes where release_id = _release_id))
$$;

-- Returns a table with the changes of releases applied, as a common table expression `changed (it)`.
create function private.changed_rows(_kind text) returns text language sql stable security definer set search_path = '' as $$
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

create function private.insert_item(_kind text, _row jsonb, _except name default 'updated_at') returns jsonb
language plpgsql set search_path = '' as $$
declare
  _after jsonb;
begin
  execute format(
    'insert into public.%1$I as item (%2$s) select %2$s from jsonb_populate_record(null::public.%1$I, $1)
     returning to_jsonb(item)', _kind,
    (select string_agg(format('%I', attname), ', ') from pg_catalog.pg_attribute
     where attrelid = format('public.%I', _kind)::regclass and attnum > 0 and not attisdropped
       and attgenerated = '' and attidentity = '' and attname is distinct from _except and _row ? attname::text)
  ) into _after using _row;
  return _after;
end
$$;

-- Returns the item on the site, locked until the transaction ends. Null if it does not exist.
create function private.lock_item(_kind text, _item_id text) returns jsonb language plpgsql set search_path = '' as $$
declare
  _live jsonb;
begin
  if to_regclass(format('public.%I', _kind)) is null then
    return null;
  end if;
  execute format(
    'select to_jsonb(item) from public.%I as item where %s for update', _kind, private.is_document_in_sql(_kind)
  ) into _live using _item_id;
  return _live;
end
$$;

create function private.update_item(_kind text, _id text, _row jsonb, _fields text[]) returns jsonb
language plpgsql set search_path = '' as $$
declare
  _after jsonb;
begin
  execute format(
    'update public.%1$I as item set %2$s from jsonb_populate_record(null::public.%1$I, $1) as changed
     where item.id = $2::uuid returning to_jsonb(item)', _kind,
    (select string_agg(format('%1$I = changed.%1$I', field), ', ') from unnest(_fields) as field)
  ) into _after using _row, _id;
  return _after;
end
$$;

-- Returns true if one change can make the database reject the other, because of a unique value or a setting.
create function private.can_changes_conflict(_one public.release_changes, _other public.release_changes) returns boolean
language sql stable set search_path = '' as $$
  select _one.kind = 'site_settings' or _one.kind = _other.kind and exists (
    select from pg_catalog.pg_index join pg_catalog.pg_attribute on attrelid = indrelid and attnum = any (indkey)
    where indrelid = to_regclass(format('public.%I', _one.kind)) and indisunique and not indisprimary
      and _other.data -> attname::text in (_one.data -> attname::text, _one.base -> attname::text)
  )
$$;

-- Returns the sentence for an editor about a change that cannot be published.
create function private.problem_sentence(
  _change public.release_changes, _problem text, _fields text[], _error text
) returns text language sql stable set search_path = '' as $$
  select format('“%s” ', private.change_title(_change)) || case
    when _problem = 'conflict' and _change.action = 'delete' then
      'cannot be deleted: it was changed on the site since then (' || named.fields || ').'
    when _problem = 'conflict' and _change.action = 'create' then
      'already exists on the site with different content (' || named.fields || ').'
    when _problem = 'conflict' then 'was changed on the site in the same fields (' || named.fields || ').'
    when _problem = 'edited' then
      'cannot be published: it was changed on the site since then (' || named.fields || ').'
    when _problem = 'gone' then 'was deleted on the site.'
    when _problem = 'schema' then 'has fields that no longer exist (' || named.fields || ').'
    when _problem = 'taken' and _error like '%slug%' then
      format('needs the slug “%s”, which another item already uses.', _change.data ->> 'slug')
    when _problem = 'taken' then 'has the same value as another item in a field that must be unique.'
    else 'was rejected by the database: ' || _error
  end
  from (select replace(array_to_string(_fields, ', '), '_', ' ')) as named (fields)
$$;

-- Publishes the next release that is due. On a problem nothing is published: the release is unscheduled with the
-- reason, and the person who scheduled it gets a mail. Returns false if none is due.
create function private.publish_next_due_release() returns boolean language plpgsql security definer set search_path = '' as $$
declare
  _release public.releases;
  _problems jsonb;
  _to text;
begin
  select * into _release from public.releases where published_at is null and publish_at <= now()
  order by publish_at, id limit 1 for update skip locked;
  if not found then
    return false;
  end if;
  begin
    _problems := private.publish_claimed_release(_release.id, _release.scheduled_by);
    if jsonb_array_length(_problems) = 0 then
      return true;
    end if;
    raise exception 'undo' using errcode = 'RB001';
  exception when sqlstate 'RB001' then
    null;
  end;
  update public.releases set publish_at = null, failed_at = clock_timestamp(), failure = private.problem_sentences(_problems)
  where id = _release.id;
  _to := coalesce(
    (select email from auth.users where id = _release.scheduled_by and email <> ''),
    (select email from auth.users where id = _release.created_by and email <> ''),
    (select trim(setting_value) from public.site_settings where setting_key = 'contact_email')
  );
  if private.is_email(_to) then
    insert into private.mail_queue (recipient, template, variables) values (_to, 'release_failed', jsonb_build_object(
      'Email', _to, 'Name', _release.name, 'Message', private.problem_sentences(_problems), 'ReleaseId', _release.id,
      'PlannedTime', to_char(_release.publish_at at time zone 'utc', 'FMDD FMMonth YYYY, HH24:MI "UTC"')
    ));
  end if;
  return true;
end
$$;

-- Claims the release, so that it is published once, and writes it. Returns the problems.
create function private.publish_claimed_release(_release_id uuid, _by uuid) returns jsonb
language plpgsql set search_path = '' as $$
begin
  update public.releases
  set published_at = clock_timestamp(), published_by = _by, failure = null, failed_at = null
  where id = _release_id and published_at is null;
  if not found then
    raise exception 'This release has already been published or was deleted.' using errcode = 'PT409';
  end if;
  if not exists (select from public.release_changes where release_id = _release_id) then
    return jsonb_build_array(jsonb_build_object('problem', 'empty', 'sentence', 'This release is empty.'));
  end if;
  return private.apply_release(_release_id);
end
$$;

create function private.problem_sentences(_problems jsonb) returns text language sql immutable set search_path = '' as $$
  select left(string_agg(problem ->> 'sentence', ' ' order by place), 2000)
  from jsonb_array_elements(_problems) with ordinality as list (problem, place)
$$;

-- Returns true if the current subtransaction is a trial of a release, which is rolled back.
create function private.is_publish_dry_run() returns boolean language sql stable set search_path = '' as $$
  select coalesce(current_setting('releases.is_tried', true), '') = 'yes'
$$;

-- Casts each value to the type of its column, so that times in different notations are equal.
create function private.typed_row(_kind text, _row jsonb) returns jsonb language plpgsql stable set search_path = '' as $$
declare
  _typed jsonb;
begin
  execute format('select to_jsonb(jsonb_populate_record(null::public.%I, $1))', _kind) into _typed using _row;
  return _typed;
end
$$;

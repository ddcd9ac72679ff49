-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.check_release(_id uuid)
 RETURNS TABLE(change_id uuid, problem text, sentence text, fields text[], live jsonb)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.publish_release(_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _problems jsonb;
begin
  perform private.require_admin();
  _problems := private.publish_taken(_id, private.user_id());
  if jsonb_array_length(_problems) > 0 then
    raise exception 'Nothing was published. %', private.sentences_of(_problems) using errcode = 'PT409';
  end if;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.save_to_release(_kind text, _item_id text, _action text, _data jsonb DEFAULT NULL::jsonb, _base jsonb DEFAULT NULL::jsonb, _release_id uuid DEFAULT NULL::uuid, _name text DEFAULT NULL::text, _seen timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  _there public.release_changes;
begin
  if _release_id is null then
    insert into public.releases (name) values (_name) returning id into _release_id;
  end if;
  select * into _there from public.release_changes
  where release_id = _release_id and kind = _kind and item_id = _item_id for update;
  if _there.changed_at is distinct from _seen then
    raise exception 'Somebody changed this in the release meanwhile. Nothing was overwritten.' using errcode = 'PT409';
  end if;
  if _there.id is null then
    insert into public.release_changes (release_id, kind, item_id, action, data, base)
    values (_release_id, _kind, _item_id, _action, _data, _base);
  else
    update public.release_changes set action = _action, data = _data, base = _base where id = _there.id;
  end if;
  return _release_id;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.settle_release_change(_change_id uuid, _keep text, _seen timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _change public.release_changes;
  _live jsonb;
  _mine text[];
begin
  perform private.require_admin();
  if _keep not in ('release', 'site') then
    raise exception 'Keep what stands in the release or on the site.' using errcode = '22023';
  end if;
  select * into _change from public.release_changes where id = _change_id for update;
  if not found then
    raise exception 'This change is not in the release any more.' using errcode = 'PT404';
  end if;
  _live := private.lock_item(_change.kind, _change.item_id);
  if (_live ->> 'updated_at')::timestamptz is distinct from _seen then
    raise exception 'It was changed on the site once more. Please look at it again.' using errcode = 'PT409';
  end if;
  _mine := private.differing_fields(_change.kind, _change.data, coalesce(_change.base, '{}'));
  if _keep = 'site' and _live is not null and _change.action = 'update' then
    _mine := array(
      select field from unnest(_mine) as field
      where field <> all (private.differing_fields(_change.kind, _live, _change.base))
    );
  elsif _keep = 'site' or (_live is null and _change.action = 'delete') then
    _mine := '{}';
  end if;

  if _change.action = 'delete' and _keep = 'release' and _live is not null then
    update public.release_changes set base = _live where id = _change_id;
  elsif _change.action = 'delete' or cardinality(_mine) = 0 then
    delete from public.release_changes where id = _change_id;
  elsif _live is null then
    update public.release_changes set action = 'create', base = null, data = _change.data where id = _change_id;
  else
    update public.release_changes set action = 'update', base = _live, data = _live || (
      select jsonb_object_agg(field, _change.data -> field) from unnest(_mine) as field
    ) where id = _change_id;
  end if;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.undo_release(_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _release public.releases;
  _undoing uuid;
begin
  perform private.require_admin();
  select * into _release from public.releases where id = _id and published_at is not null;
  if not found then
    raise exception 'Only a release that was published can be taken back.' using errcode = 'PT404';
  end if;
  if not exists (
    select from public.release_changes where release_id = _id and before is distinct from after
  ) then
    raise exception 'This release changed nothing that could be taken back.' using errcode = 'PT409';
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.apply_change(_change release_changes, OUT problem text, OUT fields text[], OUT live jsonb, OUT after jsonb)
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  _kind constant text := _change.kind;
  _mine text[];
  _theirs text[];
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
    _mine := private.differing_fields(_kind, _change.data, coalesce(_change.base, '{}'));
    _theirs := private.differing_fields(_kind, live, coalesce(_change.base, '{}'));
    fields := array(
      select field from unnest(private.differing_fields(_kind, _change.data, live)) as field where field = any (_mine)
    );
    if fields && _theirs then
      fields := array(select field from unnest(fields) as field where field = any (_theirs));
      problem := 'conflict';
    elsif 'status' = any (fields) and _change.data ->> 'status' = 'published'
      and cardinality(array_remove(_theirs, 'display_order')) > 0 then
      fields := array_remove(_theirs, 'display_order');
      problem := 'edited';
    elsif cardinality(fields) > 0 then
      after := private.update_item(_kind, live ->> 'id', _change.data, fields);
    else
      after := live;
    end if;
  end if;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.apply_changes(_ids uuid[])
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.apply_ready_changes(_kind name, _action text, _ids uuid[])
 RETURNS uuid[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.apply_release(_release_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.apply_changes(array(select id from public.release_changes where release_id = _release_id))
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.changed_rows(_kind text)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.count_changes(_kind text, _changes jsonb[])
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  with changes as (
    select item ->> 'status' as status, coalesce(item ->> 'category', '') as category, sum((item ->> 'items')::integer) as items
    from unnest(_changes) as item group by 1, 2 having sum((item ->> 'items')::integer) <> 0
  ), merged as (
    delete from private.content_counts where exists (select from changes) and ctid = any (array(
      select ctid from private.content_counts where kind = _kind for update skip locked
    )) returning status, category, items
  )
  insert into private.content_counts (kind, status, category, items)
  select _kind, status, category, sum(items) from (
    select * from changes union all select * from merged
  ) as counted (status, category, items)
  group by status, category having sum(items) <> 0
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.forget_release_mentions()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from private.media_mentions where kind = 'release_changes'
    and item_id in (select id::text from public.release_changes where release_id = new.id);
  return null;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.guard_release_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.guard_removed_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- A release that is gone takes its changes along.
  perform private.require_open_release(old.release_id);
  return old;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.insert_item(_kind text, _row jsonb, _but name DEFAULT 'updated_at'::name)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  _after jsonb;
begin
  execute format(
    'insert into public.%1$I as item (%2$s) select %2$s from jsonb_populate_record(null::public.%1$I, $1)
     returning to_jsonb(item)', _kind,
    (select string_agg(format('%I', attname), ', ') from pg_catalog.pg_attribute
     where attrelid = format('public.%I', _kind)::regclass and attnum > 0 and not attisdropped
       and attgenerated = '' and attidentity = '' and attname is distinct from _but and _row ? attname::text)
  ) into _after using _row;
  return _after;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.keep_published_release()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_open_release(old.id);
  return new;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.lock_item(_kind text, _item_id text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.may_meet_change(_one release_changes, _other release_changes)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select _one.kind = 'site_settings' or _one.kind = _other.kind and exists (
    select from pg_catalog.pg_index join pg_catalog.pg_attribute on attrelid = indrelid and attnum = any (indkey)
    where indrelid = to_regclass(format('public.%I', _one.kind)) and indisunique and not indisprimary
      and _other.data -> attname::text in (_one.data -> attname::text, _one.base -> attname::text)
  )
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.note_planned_release()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if new.publish_at is not null then
    new.scheduled_by := private.user_id();
    new.failure := null;
    new.failed_at := null;
    perform pg_notify('release_planned', '');
  end if;
  return new;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.problem_sentence(_change release_changes, _problem text, _fields text[], _error text)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select format('“%s” ', private.title_of_change(_change)) || case
    when _problem = 'conflict' and _change.action = 'delete' then
      'is to be deleted, but was changed on the site since then (' || named.fields || ').'
    when _problem = 'conflict' and _change.action = 'create' then
      'is on the site already, and differs there (' || named.fields || ').'
    when _problem = 'conflict' then 'was changed on the site in the same place since then (' || named.fields || ').'
    when _problem = 'edited' then
      'is to be published, but was changed on the site since then (' || named.fields || ').'
    when _problem = 'gone' then 'was deleted on the site.'
    when _problem = 'schema' then 'has what the database does not know any more (' || named.fields || ').'
    when _problem = 'taken' and _error like '%slug%' then
      format('needs the slug “%s”, which another item has.', _change.data ->> 'slug')
    when _problem = 'taken' then 'clashes with another item that has the same value in a field that must be unique.'
    else 'is not accepted by the database: ' || _error
  end
  from (select replace(array_to_string(_fields, ', '), '_', ' ')) as named (fields)
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.publish_due_releases()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  while private.publish_next_due_release() loop
  end loop;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.publish_next_due_release()
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
    _problems := private.publish_taken(_release.id, _release.scheduled_by);
    if jsonb_array_length(_problems) = 0 then
      return true;
    end if;
    raise exception 'undo' using errcode = 'RB001';
  exception when sqlstate 'RB001' then
    null;
  end;
  update public.releases set publish_at = null, failed_at = clock_timestamp(), failure = private.sentences_of(_problems)
  where id = _release.id;
  _to := coalesce(
    (select email from auth.users where id = _release.scheduled_by and email <> ''),
    (select email from auth.users where id = _release.created_by and email <> ''),
    (select trim(setting_value) from public.site_settings where setting_key = 'contact_email')
  );
  if private.is_email(_to) then
    insert into private.mail_queue (recipient, template, variables) values (_to, 'release_failed', jsonb_build_object(
      'Email', _to, 'Name', _release.name, 'Message', private.sentences_of(_problems), 'ReleaseId', _release.id,
      'PlannedTime', to_char(_release.publish_at at time zone 'utc', 'FMDD FMMonth YYYY, HH24:MI "UTC"')
    ));
  end if;
  return true;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.publish_taken(_release_id uuid, _by uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  update public.releases
  set published_at = clock_timestamp(), published_by = _by, failure = null, failed_at = null
  where id = _release_id and published_at is null;
  if not found then
    raise exception 'This release was published already, or deleted.' using errcode = 'PT409';
  end if;
  if not exists (select from public.release_changes where release_id = _release_id) then
    return jsonb_build_array(jsonb_build_object('problem', 'empty', 'sentence', 'There is nothing in this release.'));
  end if;
  return private.apply_release(_release_id);
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.releases_of(_user_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object(
    'name', name, 'created', created_by = _user_id, 'created_at', created_at,
    'planned', scheduled_by = _user_id, 'published', published_by = _user_id, 'published_at', published_at
  ) order by created_at), '[]')
  from public.releases where _user_id in (created_by, scheduled_by, published_by)
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.require_open_release(_release_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _release public.releases;
begin
  select * into _release from public.releases where id = _release_id for share;
  if _release.published_at is not null then
    raise exception 'The release “%” was published already and no longer changes.', _release.name using errcode = 'PT409';
  end if;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.sentences_of(_problems jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select left(string_agg(problem ->> 'sentence', ' ' order by place), 2000)
  from jsonb_array_elements(_problems) with ordinality as list (problem, place)
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.shows_releases(_link preview_links)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$ select _link.as_of is not null or _link.release_id is not null $function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.title_of_change(_change release_changes)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select left(coalesce(
    (select coalesce(_change.data, _change.base) ->> title_column::text from private.documents where kind = _change.kind),
    _change.item_id
  ), 100)
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.track_release_mentions()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'DELETE' then
    delete from private.media_mentions where kind = 'release_changes' and item_id = old.id::text;
  elsif exists (select from public.releases where id = new.release_id and published_at is null) then
    perform private.note_mentions('release_changes', new.id::text, coalesce(new.data::text, ''));
  end if;
  return null;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.tries_release()
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(current_setting('releases.is_tried', true), '') = 'yes'
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.typed_row(_kind text, _row jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  _typed jsonb;
begin
  execute format('select to_jsonb(jsonb_populate_record(null::public.%I, $1))', _kind) into _typed using _row;
  return _typed;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.update_item(_kind text, _id text, _row jsonb, _fields text[])
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.written_columns(_row jsonb, _table oid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select _row - coalesce(
    (select array_agg(attname::text) from pg_catalog.pg_attribute where attrelid = _table and attnum > 0 and attgenerated <> ''),
    '{}'
  )
$function$;

-- Taking a published release back, and arguments that may be left out.

-- What would stand in the way of publishing it now: everything is tried and undone. Of a published one nothing, so that a
-- screen that is still open does not fail.
create or replace function public.check_release(_id uuid)
returns table (change_id uuid, problem text, sentence text, fields text[], live jsonb)
language plpgsql security definer set search_path = ''
as $$
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

-- Puts a change into a release, or a new release of that name, under the policies of both tables. `_seen` is the changed_at
-- of the change that it replaces. @returns the release
drop function public.save_to_release(uuid, text, text, text, text, jsonb, jsonb, timestamptz);
create function public.save_to_release(
  _kind text, _item_id text, _action text, _data jsonb default null, _base jsonb default null,
  _release_id uuid default null, _name text default null, _seen timestamptz default null
) returns uuid
language plpgsql security invoker set search_path = ''
as $$
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
$$;
revoke all on function public.save_to_release(text, text, text, jsonb, jsonb, uuid, text, timestamptz)
  from public, anon, authenticated;
grant execute on function public.save_to_release(text, text, text, jsonb, jsonb, uuid, text, timestamptz)
  to authenticated, service_role;

create or replace function public.settle_release_change(
  _change_id uuid, _keep text, _seen timestamptz default null
) returns void
language plpgsql security definer set search_path = ''
as $$
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
$$;

-- Makes a release that takes a published one back, to look at and to publish like any other: what others changed since then
-- is a conflict there, and nothing of it is lost. @returns the new release
create function public.undo_release(_id uuid) returns uuid
language plpgsql security definer set search_path = ''
as $$
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
  -- First what gives up its slug.
  insert into public.release_changes (release_id, kind, item_id, action, data, base)
    select _undoing, kind, item_id,
      case when after is null then 'create' when before is null then 'delete' else 'update' end, before, after
    from public.release_changes where release_id = _id and before is distinct from after
    order by after is null, before is not null, kind, item_id;
  return _undoing;
end
$$;
revoke all on function public.undo_release(uuid) from public, anon, authenticated;
grant execute on function public.undo_release(uuid) to authenticated, service_role;

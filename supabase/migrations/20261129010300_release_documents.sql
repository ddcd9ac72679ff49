-- Releases read what they know of a kind from private.documents. That a published release no longer changes is said in one
-- place, private.require_open_release, for the release itself as for its changes.

create or replace function private.lock_item(_kind text, _item_id text) returns jsonb
language plpgsql set search_path = ''
as $$
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

create or replace function private.title_of_change(_change public.release_changes) returns text
language sql stable set search_path = ''
as $$
  select left(coalesce(
    (select coalesce(_change.data, _change.base) ->> title_column::text from private.documents where kind = _change.kind),
    _change.item_id
  ), 100)
$$;

create or replace function private.guard_release_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  _of private.documents;
  _after jsonb;
  _result record;
begin
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
  begin
    perform private.apply_release(new.release_id, new.id);
    _result := private.apply_change(new);
    _after := _result.after;
    if _result.problem = 'schema' then
      raise exception '%', private.problem_sentence(new, _result.problem, _result.fields, null) using errcode = '42703';
    end if;
    raise exception 'undo' using errcode = 'RB001';
  exception
    when sqlstate 'RB001' then
      null;
    when unique_violation then
      -- A release that takes another back is made as a whole: what stands in its way is shown there.
      if current_setting('releases.is_undoing', true) is distinct from 'yes' then
        raise;
      end if;
      _after := null;
  end;
  if new.action = 'create' then
    new.data := coalesce(_after, new.data);
  elsif new.action = 'update' then
    new.data := private.typed_row(new.kind, new.data);
  end if;
  return new;
end
$$;

create or replace function private.keep_published_release() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_open_release(old.id);
  return new;
end
$$;

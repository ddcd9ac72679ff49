-- Taking a release back failed when slugs had gone from one item to another, or were taken since: its changes were tried one
-- by one while they were added. Now they are added as they are, and checked together.

create or replace function private.guard_release_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  _row jsonb;
  _about text;
  _after jsonb;
  _result record;
begin
  perform private.require_open_release(new.release_id);
  if new.kind not in ('page_content', 'site_settings')
    and not exists (select from private.content_kinds where table_name = new.kind) then
    raise exception 'There is no kind of content %.', new.kind using errcode = '22023';
  end if;
  if new.kind = 'site_settings' and new.item_id = 'require_second_factor' then
    -- Its own guard asks who switches it on, and nobody does at a planned time.
    raise exception 'This setting counts at once and cannot wait in a release.' using errcode = '22023';
  end if;
  if tg_op = 'INSERT' and (
    select count(*) from public.release_changes where release_id = new.release_id
  ) >= 200 then
    raise exception 'A release holds at most 200 changes.' using errcode = '54000';
  end if;
  new.changed_by := private.user_id();
  new.changed_at := clock_timestamp();
  if new.kind not in ('page_content', 'site_settings') and new.action <> 'delete' then
    new.data := new.data || jsonb_build_object('id', new.item_id::uuid);
  end if;
  if new.action = 'update' then
    new.data := new.base || new.data;
  end if;
  new.base := case when new.base is not null then private.typed_row(new.kind, new.base) end;
  _row := coalesce(new.data, new.base);
  _about := case new.kind
    when 'page_content' then (_row ->> 'page_slug') || '/' || (_row ->> 'section_name')
    when 'site_settings' then _row ->> 'setting_key'
    else _row ->> 'id'
  end;
  if _about is distinct from new.item_id then
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

create or replace function public.undo_release(_id uuid) returns uuid
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
  perform set_config('releases.is_undoing', 'yes', true);
  insert into public.release_changes (release_id, kind, item_id, action, data, base)
    select _undoing, kind, item_id,
      case when after is null then 'create' when before is null then 'delete' else 'update' end, before, after
    from public.release_changes where release_id = _id and before is distinct from after;
  perform set_config('releases.is_undoing', '', true);
  return _undoing;
end
$$;

-- Two admins at one section or setting: a save that names the version it is based on is refused when somebody else saved
-- since, so that the editor can merge both. The header x-opened-version has the `updated_at` of that version, or 'none' when
-- nothing was saved. A save without the header takes the place of whatever is there, as before.

create function private.refuse_stale_text() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  _opened text := nullif(current_setting('request.headers', true), '')::json ->> 'x-opened-version';
  _is_stale boolean := false;
begin
  -- Nobody else may learn from the answer what is saved; the policies refuse them.
  if not private.is_admin() then
    _opened := null;
  end if;
  if _opened is not null and tg_op = 'INSERT' then
    -- An upsert comes here before it finds the row, which then answers for itself.
    _is_stale := _opened <> 'none' and case tg_table_name
      when 'page_content' then not exists (
        select from public.page_content
        where page_slug = to_jsonb(new) ->> 'page_slug' and section_name = to_jsonb(new) ->> 'section_name'
      )
      else not exists (
        select from public.site_settings where setting_key = to_jsonb(new) ->> 'setting_key'
      )
    end;
  elsif _opened is not null then
    _is_stale := _opened = 'none' or _opened::timestamptz <> old.updated_at;
  end if;
  if _is_stale then
    raise sqlstate 'PT412' using message = 'Somebody else changed this after you opened it. Nothing was overwritten.';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end
$$;
revoke all on function private.refuse_stale_text() from public;

create trigger refuse_stale_text before insert or update or delete on public.page_content
  for each row execute function private.refuse_stale_text();
create trigger refuse_stale_text before insert or update or delete on public.site_settings
  for each row execute function private.refuse_stale_text();

-- Previews with releases: as of a date with all that are planned by then, or with one of them. What a release changes lies
-- over the rows of the site as publishing would write it; a release that was published is on the site already.

alter table public.preview_links
  -- The site with this release; a link to a release that is deleted goes with it.
  add column release_id uuid references public.releases (id) on delete cascade;
create index preview_links_release_id_idx on public.preview_links (release_id);

-- Whether more than single items differ from what visitors read.
create function private.shows_releases(_link public.preview_links) returns boolean
language sql immutable set search_path = ''
as $$ select _link.as_of is not null or _link.release_id is not null $$;
revoke all on function private.shows_releases(public.preview_links) from public;

-- What the releases of a link change of a table, one row for each item, the last release winning.
create function private.preview_patches(_table text, _link public.preview_links)
returns table (item_id text, patch jsonb, is_new boolean, is_deleted boolean)
language plpgsql stable security definer set search_path = ''
as $$
declare
  _change public.release_changes;
  _items jsonb := '{}';
  _item jsonb;
begin
  if not private.shows_releases(_link) then
    return;
  end if;
  for _change in
    select change.* from public.release_changes as change join public.releases as release on release.id = release_id
    where change.kind = _table and release.published_at is null
      and (release.id = _link.release_id or release.publish_at <= _link.as_of)
    order by release.publish_at nulls last, release.created_at, change.changed_at
  loop
    _item := coalesce(_items -> _change.item_id, '{"patch": {}, "is_new": false, "is_deleted": false}');
    _item := case
      when _change.action = 'delete' then _item || '{"is_deleted": true}'
      else _item || jsonb_build_object(
        'is_deleted', false, 'is_new', (_item ->> 'is_new')::boolean or _change.action = 'create',
        'patch', (_item -> 'patch') || case
          when _change.action = 'create' then _change.data
          else coalesce((
            select jsonb_object_agg(field, _change.data -> field)
            from unnest(private.differing_fields(_table, _change.data, coalesce(_change.base, '{}'))) as field
          ), '{}')
        end
      )
    end;
    _items := jsonb_set(_items, array[_change.item_id], _item);
  end loop;
  return query
    select key, value -> 'patch', (value ->> 'is_new')::boolean, (value ->> 'is_deleted')::boolean
    from jsonb_each(_items);
end
$$;
revoke all on function private.preview_patches(text, public.preview_links) from public;

-- What a visitor may read of a table, as its policies say.
create function private.visitors_read(_table text) returns text
language sql stable security definer set search_path = ''
as $$
  select coalesce(string_agg(format('(%s)', qual), ' or '), 'false') from pg_catalog.pg_policies
  where schemaname = 'public' and tablename = _table and permissive = 'PERMISSIVE' and cmd in ('SELECT', 'ALL')
    and roles && '{anon,public}'
$$;
revoke all on function private.visitors_read(text) from public;

-- The rows of a table with the changes of releases over them, as a common table expression `changed (it)`.
create function private.changed_rows(_table text, _key text) returns text
language sql immutable set search_path = ''
as $$
  select format(
    'patches as materialized (select * from private.preview_patches(%1$L, $1)),
     changed as (
       select item as it from public.%1$I as item
       where not exists (select from patches where patches.item_id = %2$s)
       union all
       select jsonb_populate_record(item, patch) from patches left join public.%1$I as item on %2$s = patches.item_id
       where not is_deleted and (item.id is not null or is_new)
     )', _table, _key
  )
$$;
revoke all on function private.changed_rows(text, text) from public;

create or replace function private.preview_query(_table text) returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  _is_public text := '(it).status = ''published''';
begin
  if exists (
    select from pg_catalog.pg_attribute
    where attrelid = format('public.%I', _table)::regclass and attname = 'published_date' and not attisdropped
  ) then
    _is_public := _is_public || ' and (it).published_date <= greatest(now(), ($1).as_of)';
  end if;
  return format(
    'with %3$s
     select (it).* from (
       select case when %2$s then it else jsonb_populate_record(it, ''{"status": "published"}'') end as it from changed
       where (%2$s) or (($1).kind = %1$L and ($1).item_id = (it).id::text)
         or (($1).shows_drafts and ((it).status = ''draft'' or ($1).as_of is null))
       -- Computes each row once, and not once for each of its columns.
       offset 0
     ) as shown', _table, _is_public, private.changed_rows(_table, 'item.id::text')
  );
end
$$;

-- Sections of pages and settings have no drafts, but releases change them. What visitors may not read stays closed.
create function public.preview_page_content() returns setof public.page_content
language plpgsql stable security definer set search_path = '' rows 20
as $$
begin
  return query execute format(
    'with %s select (it).* from changed', private.changed_rows('page_content', 'item.page_slug || ''/'' || item.section_name')
  ) using private.shown_preview();
end
$$;
revoke all on function public.preview_page_content() from public, anon, authenticated;
grant execute on function public.preview_page_content() to anon, authenticated, service_role;

create function public.preview_site_settings() returns setof public.site_settings
language plpgsql stable security definer set search_path = '' rows 20
as $$
begin
  return query execute format(
    'with %s select site_settings.* from (select (it).* from changed) as site_settings where %s',
    private.changed_rows('site_settings', 'item.setting_key'), private.visitors_read('site_settings')
  ) using private.shown_preview();
end
$$;
revoke all on function public.preview_site_settings() from public, anon, authenticated;
grant execute on function public.preview_site_settings() to anon, authenticated, service_role;

create or replace function private.preview_as_told(_token text) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  _link public.preview_links;
begin
  select * into _link from private.preview_link_of(_token);
  if _link.id is null then
    return jsonb_build_object('state', 'unknown');
  end if;
  if not private.is_live(_link) then
    return jsonb_build_object('state', 'ended');
  end if;
  return jsonb_build_object(
    'state', 'open', 'id', _link.id, 'expires_at', _link.expires_at, 'shows_drafts', _link.shows_drafts,
    'as_of', _link.as_of, 'kind', _link.kind, 'item', private.previewed_item(_link.kind, _link.item_id),
    'release', (select name from public.releases where id = _link.release_id),
    -- The tables that public.preview_<table>() is read for.
    'tables', (
      select jsonb_agg(table_name order by number) || case
        when private.shows_releases(_link) then '["page_content", "site_settings"]' else '[]'
      end::jsonb
      from private.content_kinds
    )
  );
end
$$;

drop function public.create_preview_link(text, text, boolean, timestamptz, integer);
-- Makes a link to an item (_kind and _item_id), or to the whole site. @returns its id, token and end
-- @throws 42501 for others than admins, 22023 what cannot be previewed, PT429 too many links
create function public.create_preview_link(
  _kind text default null, _item_id text default null, _shows_drafts boolean default false,
  _as_of timestamptz default null, _hours integer default 24, _release_id uuid default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  _id constant uuid := gen_random_uuid();
  _token text;
  _link public.preview_links;
begin
  perform private.require_admin();
  perform private.refuse_applications();
  if _hours is null or _hours not between 1 and 336 then
    raise exception 'A preview link is valid for an hour to 14 days.' using errcode = '22023';
  end if;
  if not isfinite(_as_of) or _as_of < now() - interval '1 day' or _as_of > now() + interval '5 years' then
    raise exception 'Please choose a date from today on, within five years.' using errcode = '22023';
  end if;
  if (_kind is null) <> (_item_id is null) or (_kind is not null and private.previewed_item(_kind, _item_id) is null) then
    raise exception 'There is no such item.' using errcode = '22023';
  end if;
  if _release_id is not null and not exists (
    select from public.releases where id = _release_id and published_at is null
  ) then
    raise exception 'There is no such release, or it was published already.' using errcode = '22023';
  end if;
  if _kind is null and _as_of is null and _release_id is null and not coalesce(_shows_drafts, false) then
    raise exception 'Please choose what the preview shows.' using errcode = '22023';
  end if;
  perform pg_advisory_xact_lock(hashtext('public.preview_links'));
  delete from public.preview_links where expires_at < now() - interval '30 days';
  if (select count(*) >= 100 from public.preview_links where revoked_at is null and expires_at > now()) then
    raise sqlstate 'PT429' using message = 'There are 100 preview links already. Please revoke some of them first.';
  end if;
  if (
    select count(*) >= 60 from public.preview_links
    where created_by = private.user_id() and created_at > now() - interval '1 hour'
  ) then
    raise sqlstate 'PT429' using message = 'You made many preview links. Please wait an hour.';
  end if;
  _token := private.preview_token(_id);
  insert into public.preview_links (id, token_hash, kind, item_id, shows_drafts, as_of, release_id, created_by, expires_at)
  values (
    _id, encode(sha256(convert_to(_token, 'UTF8')), 'hex'), _kind, _item_id,
    coalesce(_shows_drafts, false) and _kind is null, _as_of, _release_id, private.user_id(),
    now() + make_interval(hours => _hours)
  ) returning * into _link;
  return jsonb_build_object('id', _link.id, 'token', _token, 'expires_at', _link.expires_at);
end
$$;
revoke all on function public.create_preview_link(text, text, boolean, timestamptz, integer, uuid)
  from public, anon, authenticated;
grant execute on function public.create_preview_link(text, text, boolean, timestamptz, integer, uuid) to authenticated;

drop function public.list_preview_links();
-- The links that show something now, the newest first, each with its token for copying.
create function public.list_preview_links() returns table (
  id uuid, token text, kind text, item_id text, title text, release text, shows_drafts boolean, as_of timestamptz,
  created_by_email text, created_at timestamptz, expires_at timestamptz
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  perform private.refuse_applications();
  return query
    select link.id, private.preview_token(link.id), link.kind, link.item_id,
      private.previewed_item(link.kind, link.item_id) ->> 'title', releases.name, link.shows_drafts, link.as_of,
      person.email::text, link.created_at, link.expires_at
    from public.preview_links as link join auth.users as person on person.id = link.created_by
      left join public.releases on releases.id = link.release_id
    where link.expires_at > now() and link.revoked_at is null and private.is_live(link)
    order by link.created_at desc, link.id;
end
$$;
revoke all on function public.list_preview_links() from public, anon, authenticated;
grant execute on function public.list_preview_links() to authenticated;

-- The links that somebody made are in their data; what they show belongs to the site.
alter function private.data_of(uuid, boolean) rename to data_without_previews_of;
create function private.data_of(_user_id uuid, _with_chats boolean) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select private.data_without_previews_of(_user_id, _with_chats) || jsonb_build_object(
    'preview_links', coalesce((
      select jsonb_agg(
        jsonb_build_object('at', created_at, 'until', expires_at, 'revoked_at', revoked_at) order by created_at
      )
      from public.preview_links where created_by = person.id
    ), '[]')
  )
  from auth.users as person where person.id = _user_id
$$;
revoke all on function private.data_of(uuid, boolean) from public;

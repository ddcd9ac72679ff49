-- Previews show drafts and releases over the rows that visitors read. They are functions instead of views or more
-- policies, so that tables and their columns can change without regard to previews.

-- A token is a signature of the link's id, so that admins can copy a link again. The row holds only a hash.
create table public.preview_links (
  id uuid primary key default gen_random_uuid(),
  token_hash text not null unique check (token_hash ~ '^[0-9a-f]{64}$'),
  -- One item: its table and its id. Null for the whole site.
  kind text,
  item_id text check (length(item_id) <= 250),
  -- True to show all drafts. Without as_of, scheduled items are shown, too.
  shows_drafts boolean not null default false,
  -- Shows the site at this time. Null for the current time.
  as_of timestamptz constraint preview_links_as_of_calendar check (as_of between '1900-01-01' and '2999-12-31'),
  -- Links of former admins are not live.
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
    constraint preview_links_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  expires_at timestamptz not null
    constraint preview_links_expires_at_calendar check (expires_at between '1900-01-01' and '2999-12-31'),
  revoked_at timestamptz constraint preview_links_revoked_at_calendar check (revoked_at between '1900-01-01' and '2999-12-31'),
  -- Shows the site with this release. Deleting the release deletes the link.
  release_id uuid references public.releases (id) on delete cascade,
  check ((kind is null) = (item_id is null)),
  constraint preview_links_check1 check (expires_at between created_at + interval '1 hour' and created_at + interval '14 days')
);
create index preview_links_created_by_idx on public.preview_links (created_by);
create index preview_links_expires_at_idx on public.preview_links (expires_at);
create index preview_links_release_id_idx on public.preview_links (release_id);
grant select on public.preview_links to authenticated;
grant all on public.preview_links to service_role;
alter table public.preview_links enable row level security;
create policy "Admins read preview links" on public.preview_links for select to authenticated
  using ((select private.is_admin()));

-- Creates a link to an item, or to the whole site. Returns id, token and expiry. Throws 42501 for non-admins, 22023 if
-- it cannot be previewed, PT429 for too many links.
create function public.create_preview_link(
  _kind text default null, _item_id text default null, _shows_drafts boolean default false, _as_of timestamptz default null,
  _hours integer default 24, _release_id uuid default null
) returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  _id constant uuid := gen_random_uuid();
  _token text;
  _link public.preview_links;
begin
  perform private.require_admin();
  perform private.reject_oauth_applications();
  if _hours is null or _hours not between 1 and 336 then
    raise exception 'A preview link must be valid for between 1 hour and 14 days.' using errcode = '22023';
  end if;
  if not isfinite(_as_of) or _as_of < now() - interval '1 day' or _as_of > now() + interval '5 years' then
    raise exception 'Please choose a date between today and five years from now.' using errcode = '22023';
  end if;
  if (_kind is null) <> (_item_id is null) or (_kind is not null and private.previewed_item(_kind, _item_id) is null) then
    raise exception 'Item not found.' using errcode = '22023';
  end if;
  if _release_id is not null and not exists (
    select from public.releases where id = _release_id and published_at is null
  ) then
    raise exception 'This release was not found or has already been published.' using errcode = '22023';
  end if;
  if _kind is null and _as_of is null and _release_id is null and not coalesce(_shows_drafts, false) then
    raise exception 'Please choose what the preview shows.' using errcode = '22023';
  end if;
  perform pg_advisory_xact_lock(hashtext('public.preview_links'));
  delete from public.preview_links where expires_at < now() - interval '30 days';
  if (select count(*) >= 100 from public.preview_links where revoked_at is null and expires_at > now()) then
    raise sqlstate 'PT429' using message = 'There are already 100 preview links. Revoke some of them first.';
  end if;
  if (
    select count(*) >= 60 from public.preview_links
    where created_by = private.user_id() and created_at > now() - interval '1 hour'
  ) then
    raise sqlstate 'PT429' using message = 'You created too many preview links. Try again in an hour.';
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
grant execute on function public.create_preview_link to authenticated;

-- Lists live links, newest first, each with its token.
create function public.list_preview_links() returns table (
  id uuid, token text, kind text, item_id text, title text, release text, shows_drafts boolean, as_of timestamptz,
  created_by_email text, created_at timestamptz, expires_at timestamptz
) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  perform private.reject_oauth_applications();
  return query
    select link.id, private.preview_token(link.id), link.kind, link.item_id,
      private.previewed_item(link.kind, link.item_id) ->> 'title', releases.name, link.shows_drafts, link.as_of,
      person.email::text, link.created_at, link.expires_at
    from public.preview_links as link join auth.users as person on person.id = link.created_by
      left join public.releases on releases.id = link.release_id
    where link.expires_at > now() and link.revoked_at is null and private.is_preview_live(link)
    order by link.created_at desc, link.id;
end
$$;
grant execute on function public.list_preview_links to authenticated;

-- Opens a link for anyone. Throws PT429 after 30 wrong tokens an hour from a network address.
create function public.open_preview(_token text) returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  _details constant jsonb := private.preview_details(_token);
begin
  if _details ->> 'state' = 'unknown'
    and not private.count_for_address('preview', private.client_address(), 30, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'Too many invalid preview links. Try again in an hour.';
  end if;
  return _details;
end
$$;
grant execute on function public.open_preview to anon, authenticated, service_role;

-- Page sections and settings have no drafts, but releases change them. Visitors see only public ones.
create function public.preview_page_content() returns setof public.page_content
language plpgsql stable security definer rows 20 set search_path = '' as $$
begin
  return query execute private.preview_query('page_content') using private.require_live_preview();
end
$$;
grant execute on function public.preview_page_content to anon, authenticated, service_role;

create function public.preview_site_settings() returns setof public.site_settings
language plpgsql stable security definer rows 20 set search_path = '' as $$
begin
  return query execute private.preview_query('site_settings') using private.require_live_preview();
end
$$;
grant execute on function public.preview_site_settings to anon, authenticated, service_role;

-- Returns private.preview_details() of the token in the header, for each page of a preview.
create function public.preview_state() returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.preview_details(private.request_preview_token())
$$;
grant execute on function public.preview_state to anon, authenticated, service_role;

-- Revokes a link. Succeeds even if it has expired.
create function public.revoke_preview_link(_id uuid) returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  perform private.reject_oauth_applications();
  update public.preview_links set revoked_at = now() where id = _id and revoked_at is null;
end
$$;
grant execute on function public.revoke_preview_link to authenticated;

-- Creates public.preview_<table>(), which returns the table as the request's preview shows it. Throws PT404, PT410.
create function private.create_preview_reader() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  execute format(
    'create or replace function public.%1$I() returns setof public.%2$I
     language plpgsql stable security definer set search_path = '''' rows 100
     as $body$
     begin
       return query execute private.preview_query(%2$L) using private.require_live_preview();
     end
     $body$', 'preview_' || new.table_name, new.table_name
  );
  execute format('revoke all on function public.%I() from public, anon, authenticated', 'preview_' || new.table_name);
  execute format('grant execute on function public.%I() to anon, authenticated, service_role', 'preview_' || new.table_name);
  return null;
end
$$;

-- Returns true if a link is not revoked or expired, and its creator is still an admin.
create function private.is_preview_live(_link public.preview_links) returns boolean
language sql stable security definer set search_path = '' as $$
  select _link.revoked_at is null and _link.expires_at > now() and exists (
    select from public.user_roles where user_id = _link.created_by and role = 'admin' and approved
  )
$$;

-- Returns the details of a link for the holder of its token. `state` is open, ended or unknown. The other fields exist
-- only while it is open.
create function private.preview_details(_token text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  _link public.preview_links;
begin
  select * into _link from private.preview_link_of(_token);
  if _link.id is null then
    return jsonb_build_object('state', 'unknown');
  end if;
  if not private.is_preview_live(_link) then
    return jsonb_build_object('state', 'ended');
  end if;
  return jsonb_build_object(
    'state', 'open', 'id', _link.id, 'expires_at', _link.expires_at, 'shows_drafts', _link.shows_drafts,
    'as_of', _link.as_of, 'kind', _link.kind, 'item', private.previewed_item(_link.kind, _link.item_id),
    'release', (select name from public.releases where id = _link.release_id),
    -- Pages read these tables from public.preview_<table>().
    'tables', (
      select jsonb_agg(kind order by is_item desc, number) from private.documents
      where is_item or private.is_site_preview(_link)
    )
  );
end
$$;

-- Finds the link of a token, live or not. Looked up by hash, so that the duration reveals nothing.
create function private.preview_link_of(_token text) returns setof public.preview_links
language sql stable security definer set search_path = '' as $$
  select * from public.preview_links
  where length(_token) = 43 and token_hash = encode(sha256(convert_to(_token, 'UTF8')), 'hex')
$$;

-- Lists the rows that the link's releases change in a table, one row per item. The last release wins.
create function private.preview_patches(_table text, _link public.preview_links) returns table (
  item_id text, patch jsonb, is_new boolean, is_deleted boolean
) language plpgsql stable security definer set search_path = '' as $$
declare
  _change public.release_changes;
  _items jsonb := '{}';
  _item jsonb;
begin
  if not private.is_site_preview(_link) then
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

-- Returns SQL for the rows of a table as the preview $1 shows them.
create function private.preview_query(_table text) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  _is_public text := '(it).status = ''published''';
begin
  if not (select is_item from private.documents where kind = _table) then
    return format(
      'with %2$s select %1$I.* from (select (it).* from changed) as %1$I where %3$s',
      _table, private.changed_rows(_table), private.visitor_condition(_table)
    );
  end if;
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
       -- Calls the function once per row instead of once per column.
       offset 0
     ) as shown', _table, _is_public, private.changed_rows(_table)
  );
end
$$;

-- 43 characters of base64url for 32 bytes. Signed twice, so that tokens reveal nothing about each other.
create function private.preview_token(_id uuid) returns text language sql stable security definer set search_path = '' as $$
  select translate(encode(sha256(value || sha256(value || uuid_send(_id))), 'base64'), '+/=', '-_')
  from private.secrets where name = 'preview_links'
$$;

-- Returns the title of an item, and its slug if it has one. Null if the item is deleted.
create function private.previewed_item(_kind text, _item_id text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  _content_kind private.content_kinds;
  _item jsonb;
begin
  select * into _content_kind from private.content_kinds where table_name = _kind;
  if _content_kind.table_name is null then
    return null;
  end if;
  execute format('select to_jsonb(item) from public.%I as item where item.id::text = $1', _content_kind.table_name)
    into _item using _item_id;
  return case when _item is not null then jsonb_build_object(
    'title', _item ->> _content_kind.title_column, 'slug', _item ->> 'slug', 'path', coalesce(_content_kind.public_path, '/')
  ) end;
end
$$;

-- Reads the header x-preview-token.
create function private.request_preview_token() returns text language sql stable set search_path = '' as $$
  select nullif(current_setting('request.headers', true), '')::json ->> 'x-preview-token'
$$;

-- Returns the link of the request's token. Throws PT404 if unknown, PT410 if expired.
create function private.require_live_preview() returns public.preview_links
language plpgsql stable security definer set search_path = '' as $$
declare
  _link public.preview_links;
begin
  select * into _link from private.preview_link_of(private.request_preview_token());
  if _link.id is null then
    raise sqlstate 'PT404' using message = 'Preview not found.';
  end if;
  if not private.is_preview_live(_link) then
    raise sqlstate 'PT410' using message = 'This preview has expired.';
  end if;
  return _link;
end
$$;

-- Returns true if the preview shows more than a single item.
create function private.is_site_preview(_link public.preview_links) returns boolean
language sql immutable set search_path = '' as $$ select _link.as_of is not null or _link.release_id is not null $$;

create trigger create_preview_reader after insert on private.content_kinds
  for each row execute function private.create_preview_reader();

-- No step of a job holds the built-in database for a tenth of a second.

-- Reads the days of the setting once instead of for each call. An index finds those that may be over: a call that is over has begun.
create or replace function private.delete_expired_bookings(_at_most integer default null)
returns integer language plpgsql security definer set search_path = ''
as $$
declare
  _before constant timestamptz := private.retention_cutoff();
  _deleted integer;
begin
  delete from private.held_bookings where expires_at < now() - interval '1 hour';
  delete from public.bookings where id in (
    select id from public.bookings where starts_at < _before and ends_at < _before order by starts_at limit _at_most
  );
  get diagnostics _deleted = row_count;
  return _deleted;
end
$$;

-- Asks only the version that followed, instead of all that did: of an item that was changed 50 times since, none of these is old enough.
create or replace function private.delete_old_versions(_at_most integer default null)
returns integer language plpgsql security definer set search_path = ''
as $$
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
$$;

-- A step looks at all versions that have to stay, one for each item, from the indexes alone.
drop index public.content_versions_age_idx;
create index content_versions_age_idx on public.content_versions (created_at) include (kind, item_id, id);
drop index public.content_versions_item_idx;
create index content_versions_item_idx on public.content_versions (kind, item_id, id desc) include (created_at);

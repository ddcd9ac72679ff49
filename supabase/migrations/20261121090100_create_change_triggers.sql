-- What every content table shares: updated_at moves with each change, and the server hears of changes so that it drops
-- its cached pages.

create function private.touch_updated_at() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.updated_at := clock_timestamp();
  return new;
end
$$;
revoke all on function private.touch_updated_at() from public;

create function private.notify_content_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_notify('content_changed', tg_table_name);
  return null;
end
$$;
revoke all on function private.notify_content_changed() from public;

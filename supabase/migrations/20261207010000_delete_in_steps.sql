-- What is kept too long is deleted in steps: a year of it in one statement held up everybody on the built-in database.
-- Each function deletes as many rows of a table as it is told, all of them when it is told nothing, as a scheduled job on
-- a hosted project calls it, and returns how many went. The oldest go first.

create function private.retention_cutoff() returns timestamptz
language sql stable security definer set search_path = ''
as $$ select now() - make_interval(days => greatest(1, private.number_setting('chat_retention_days', 365))) $$;
revoke all on function private.retention_cutoff() from public;

drop function private.delete_expired_conversations();
drop function private.delete_expired_chats();
create function private.delete_expired_conversations(_at_most integer default null) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  _before constant timestamptz := private.retention_cutoff();
  _deleted integer;
  _sum integer := 0;
begin
  delete from public.conversations where id in (
    select id from public.conversations
    where last_message_at < _before or (message_count = 0 and created_at < now() - interval '1 day')
    limit _at_most
  );
  get diagnostics _deleted = row_count;
  _sum := _sum + _deleted;
  delete from public.leads where id in (select id from public.leads where updated_at < _before limit _at_most);
  get diagnostics _deleted = row_count;
  _sum := _sum + _deleted;
  -- Who never confirmed.
  delete from public.newsletter_subscribers where id in (
    select id from public.newsletter_subscribers
    where confirmed_at is null and requested_at < now() - interval '7 days' limit _at_most
  );
  get diagnostics _deleted = row_count;
  _sum := _sum + _deleted;
  delete from public.lead_webhook_deliveries where id in (
    select id from public.lead_webhook_deliveries
    where status <> 'waiting' and created_at < now() - interval '30 days' limit _at_most
  );
  get diagnostics _deleted = row_count;
  _sum := _sum + _deleted;
  -- A row a day.
  delete from public.chat_usage where day < (now() at time zone 'utc')::date - 400;
  return _sum;
end
$$;

drop function private.delete_expired_bookings();
create function private.delete_expired_bookings(_at_most integer default null) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  _deleted integer;
begin
  delete from private.held_bookings where expires_at < now() - interval '1 hour';
  delete from public.bookings where id in (
    select id from public.bookings
    where ends_at < private.retention_cutoff() order by starts_at limit _at_most
  );
  get diagnostics _deleted = row_count;
  return _deleted;
end
$$;

drop function private.delete_old_visit_counts();
create function private.delete_old_visit_counts(_at_most integer default null) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  _deleted integer;
begin
  delete from public.visit_counts where (day, kind, name) in (
    select day, kind, name from public.visit_counts
    where day < ((now() at time zone 'utc') - interval '25 months')::date order by day limit _at_most
  );
  get diagnostics _deleted = row_count;
  return _deleted;
end
$$;

-- The newest version of each item that is older than 90 days says what stood there then, and stays.
drop function private.delete_old_versions();
create function private.delete_old_versions(_at_most integer default null) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  _deleted integer;
begin
  delete from public.content_versions where id in (
    select version.id from public.content_versions as version
    where version.created_at < now() - interval '90 days' and exists (
      select from public.content_versions as newer
      where newer.kind = version.kind and newer.item_id = version.item_id and newer.id > version.id
        and newer.created_at < now() - interval '90 days'
    )
    order by version.created_at limit _at_most
  );
  get diagnostics _deleted = row_count;
  return _deleted;
end
$$;

drop function private.delete_old_trash();
create function private.delete_old_trash(_at_most integer default null) returns integer
language sql security definer set search_path = ''
as $$
  select coalesce(sum(private.forget_items(kind, item_ids)), 0)::integer
  from (
    select kind, array_agg(item_id) from (
      select kind, item_id from public.deleted_content
      where deleted_at < now() - interval '30 days' order by deleted_at limit _at_most
    ) as due group by kind
  ) as old (kind, item_ids)
$$;

revoke all on function private.delete_expired_conversations(integer), private.delete_expired_bookings(integer),
  private.delete_old_visit_counts(integer), private.delete_old_versions(integer), private.delete_old_trash(integer)
  from public;

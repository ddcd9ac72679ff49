-- What the figures of a client are held against: its weeks, its goals for a month, and the currency of its pipeline. No goal
-- is null.
alter table public.clients
  add column time_zone text not null default 'Europe/Oslo',
  -- 1 for Monday to 7 for Sunday.
  add column first_weekday integer not null default 1 check (first_weekday between 1 and 7),
  add column currency text not null default 'NOK' check (currency ~ '^[A-Z]{3}$'),
  add column meetings_goal integer check (meetings_goal between 1 and 1000000000),
  add column replies_goal integer check (replies_goal between 1 and 1000000000),
  add column delivered_goal integer check (delivered_goal between 1 and 1000000000);

grant insert (time_zone, first_weekday, currency, meetings_goal, replies_goal, delivered_goal),
  update (time_zone, first_weekday, currency, meetings_goal, replies_goal, delivered_goal)
  on table public.clients to authenticated;

create function private.check_client_time_zone() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.is_time_zone(new.time_zone) then
    raise exception 'This time zone is not known: %', left(new.time_zone, 64) using errcode = '22023';
  end if;
  return null;
end
$$;
revoke all on function private.check_client_time_zone() from public;
-- After the policies have spoken.
create trigger check_time_zone after insert or update of time_zone on public.clients
  for each row execute function private.check_client_time_zone();

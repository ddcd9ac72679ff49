-- Figures of visits: how often pages were viewed, from where and on what, as sums of a day (UTC). A row never joins two
-- facts, so no row tells about one person. Off until an admin switches the setting count_visits on.

create policy "Visitors read whether visits are counted" on public.site_settings
  for select to anon, authenticated using (setting_key = 'count_visits');

create table public.visit_counts (
  day date not null,
  kind text not null check (kind in ('page', 'referrer', 'device', 'chat')),
  -- The path of a page; the host that led here, '' when none did, or 'other'; phone, tablet or desktop; '' for chats.
  name text not null check (length(name) <= 310),
  count bigint not null check (count > 0),
  -- Of articles: how many of the views said how long the article was on the screen, and for how long in all.
  reads bigint not null default 0 check (reads between 0 and count),
  read_seconds bigint not null default 0 check (read_seconds between 0 and reads * 1800),
  primary key (day, kind, name)
);
revoke all on table public.visit_counts from anon, authenticated, service_role;
grant select on table public.visit_counts to authenticated, service_role;
alter table public.visit_counts enable row level security;
create policy "Admins read how often the site is visited" on public.visit_counts
  for select to authenticated using ((select private.is_admin()));

-- Adds what the server has counted: a JSON list of {kind, name, count, reads, seconds}. The only way into the table.
-- @returns false, and adds nothing, while the setting count_visits is off
create function public.add_visit_counts(_counts jsonb) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  _today constant date := (now() at time zone 'utc')::date;
  _hosts_a_day constant integer := 200;
begin
  if not exists (
    select from public.site_settings where setting_key = 'count_visits' and setting_value = 'on'
  ) then
    return false;
  end if;
  if jsonb_typeof(_counts) is distinct from 'array' or jsonb_array_length(_counts) > 5000 then
    raise exception 'Visits are counted in lists of at most 5000 entries' using errcode = '22023';
  end if;
  -- Copies of the server write one after the other, so that none exceeds the hosts of a day and none waits in a circle.
  lock table public.visit_counts in share row exclusive mode;
  insert into public.visit_counts as kept (day, kind, name, count, reads, read_seconds)
    with entry as (
      select given.kind, given.name, least(given.count, 1000000) as count,
        greatest(0, least(given.reads, given.count, 1000000)) as reads, given.seconds,
        given.kind = 'referrer' and given.name not in ('', 'other') and not exists (
          select from public.visit_counts as before
          where before.day = _today and before.kind = 'referrer' and before.name = given.name
        ) as is_new_host
      from jsonb_to_recordset(_counts) as given (kind text, name text, count bigint, reads bigint, seconds bigint)
      where given.count > 0 and case given.kind
        -- The server knows its pages; which articles there are is known here. A draft is none.
        when 'page' then given.name !~ '^/news/.' or exists (
          select from public.posts
          where slug = substr(given.name, length('/news/') + 1) and status = 'published' and published_date <= now()
        )
        when 'referrer' then given.name ~ '^[a-z0-9.-]{0,100}$'
        when 'device' then given.name in ('phone', 'tablet', 'desktop')
        when 'chat' then given.name = ''
        else false
      end
    ), placed as (
      select *, row_number() over (partition by is_new_host order by count desc, name) as place from entry
    ), named as (
      select kind, count, reads, seconds, case
        when is_new_host and place > _hosts_a_day - (
          select count(*) from public.visit_counts where day = _today and kind = 'referrer' and name not in ('', 'other')
        ) then 'other'
        else name
      end as name
      from placed
    )
    select _today, kind, name, sum(count), coalesce(sum(reads), 0),
      greatest(0, least(coalesce(sum(seconds), 0), coalesce(sum(reads), 0) * 1800))
    from named group by kind, name
    on conflict (day, kind, name) do update set
      count = kept.count + excluded.count,
      reads = kept.reads + excluded.reads,
      read_seconds = kept.read_seconds + excluded.read_seconds;
  return true;
end
$$;
revoke all on function public.add_visit_counts(jsonb) from public, anon, authenticated;
grant execute on function public.add_visit_counts(jsonb) to service_role;

-- Run once a day. @returns how many rows were deleted
create function private.delete_old_visit_counts() returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  _deleted integer;
begin
  delete from public.visit_counts where day < ((now() at time zone 'utc') - interval '25 months')::date;
  get diagnostics _deleted = row_count;
  return _deleted;
end
$$;
revoke all on function private.delete_old_visit_counts() from public;

-- Daily sums (UTC) of page views, by page, referrer and device. A row never combines two facts, so that no row
-- describes a person. Off until the setting count_visits is on.
create table public.visit_counts (
  day date not null constraint visit_counts_day_calendar check (day between '1900-01-01' and '2999-12-31'),
  kind text not null check (kind in ('page', 'referrer', 'device', 'chat')),
  -- For a page: its path. For a referrer: the host, '' for none, or 'other'. For a device: phone, tablet or desktop.
  -- For chats: ''.
  name text not null check (length(name) <= 310),
  count bigint not null check (count > 0),
  -- Of articles: how many views reported a reading time, and their sum.
  reads bigint not null default 0,
  read_seconds bigint not null default 0,
  primary key (day, kind, name),
  check (reads between 0 and count),
  constraint visit_counts_check1 check (read_seconds between 0 and reads * 1800)
);
grant select on public.visit_counts to authenticated, service_role;
alter table public.visit_counts enable row level security;
create policy "Admins read visit counts" on public.visit_counts for select to authenticated
  using ((select private.is_admin()));

-- Adds the server's counts: a JSON list of {kind, name, count, reads, seconds}. The only writer of the table. While the
-- setting count_visits is off, adds nothing and returns false.
create function public.add_visit_counts(_counts jsonb) returns boolean
language plpgsql security definer set search_path = '' as $$
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
    raise exception 'A batch of visits can have at most 5000 entries' using errcode = '22023';
  end if;
  -- Serialises writes of several servers, so that the limit of hosts per day holds and no deadlock occurs.
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
        -- The server validates pages. Articles are validated here, and drafts are rejected.
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
grant execute on function public.add_visit_counts to service_role;

create function public.report_visits() returns jsonb language plpgsql stable security definer set search_path = '' as $$
declare
  _since constant date := (now() at time zone 'utc')::date - 29;
begin
  perform private.require_admin();
  return jsonb_build_object(
    'is_counting', exists (
      select from public.site_settings where setting_key = 'count_visits' and setting_value = 'on'
    ),
    'days', (
      select jsonb_agg(
        jsonb_build_object(
          'day', day,
          'views', coalesce(views.count, 0),
          'chats', coalesce(chats.count, 0),
          'leads', coalesce(leads.count, 0),
          'bookings', coalesce(bookings.count, 0)
        ) order by day
      )
      from (select _since + ago as day from generate_series(0, 29) as ago) as days
      left join (
        select day, sum(count) as count from public.visit_counts where kind = 'page' and day >= _since group by day
      ) as views using (day)
      left join (
        select day, sum(count) as count from public.visit_counts where kind = 'chat' and day >= _since group by day
      ) as chats using (day)
      left join (
        select (created_at at time zone 'utc')::date as day, count(*) as count from public.leads
        where created_at >= _since::timestamp at time zone 'utc' group by 1
      ) as leads using (day)
      left join (
        select (created_at at time zone 'utc')::date as day, count(*) as count from public.bookings
        where created_at >= _since::timestamp at time zone 'utc' group by 1
      ) as bookings using (day)
    ),
    'pages', (
      select coalesce(jsonb_agg(top order by top.views desc, top.path), '[]')
      from (
        select name as path, sum(count) as views, sum(reads) as reads, sum(read_seconds) as seconds
        from public.visit_counts where kind = 'page' and day >= _since
        group by name order by sum(count) desc, name limit 10
      ) as top
    ),
    'referrers', (
      select coalesce(jsonb_agg(top order by top.visits desc, top.host), '[]')
      from (
        select name as host, sum(count) as visits
        from public.visit_counts where kind = 'referrer' and day >= _since
        group by name order by sum(count) desc, name limit 10
      ) as top
    ),
    'devices', (
      select coalesce(jsonb_agg(device order by device.views desc, device.name), '[]')
      from (
        select name, sum(count) as views
        from public.visit_counts where kind = 'device' and day >= _since group by name
      ) as device
    ),
    'publications', (
      select coalesce(jsonb_agg(post order by post.day, post.title), '[]')
      from (
        select (published_date at time zone 'utc')::date as day, title, slug
        from public.posts
        where status = 'published' and published_date <= now()
          and published_date >= _since::timestamp at time zone 'utc'
        order by published_date desc limit 100
      ) as post
    )
  );
end
$$;
grant execute on function public.report_visits to authenticated, service_role;

-- Runs daily. Returns the number of deleted rows.
create function private.delete_old_visit_counts(_at_most integer default null) returns integer
language plpgsql security definer set search_path = '' as $$
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

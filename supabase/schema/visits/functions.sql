-- Called by service_role.
CREATE OR REPLACE FUNCTION public.add_visit_counts(_counts jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION public.report_visits()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.delete_old_visit_counts(_at_most integer DEFAULT NULL::integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.visitors_read(_table text)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(string_agg(format('(%s)', qual), ' or '), 'false') from pg_catalog.pg_policies
  where schemaname = 'public' and tablename = _table and permissive = 'PERMISSIVE' and cmd in ('SELECT', 'ALL')
    and roles && '{anon,public}'
$function$;

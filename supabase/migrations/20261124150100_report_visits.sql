-- What the dashboard shows of the last 30 days, today among them, in one answer. Days begin at midnight UTC. Leads and
-- bookings are counted where they are kept, so they are there for days on which visits were not counted.

create function public.report_visits() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
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
revoke all on function public.report_visits() from public, anon, authenticated;
grant execute on function public.report_visits() to authenticated, service_role;

-- Holds new figures against those of their client alone. The planner took the days of all clients first: with 200 of them an
-- import of 1,040 rows ran out of time.

create or replace function private.refuse_days_twice() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  _touched record;
begin
  for _touched in
    select client_id, array_agg(distinct campaign_id) as campaigns, min(first_day) - 6 as first, max(last_day) as last
    from changed group by client_id order by client_id
  loop
    perform from public.clients where id = _touched.client_id for no key update;
    if exists (
      select from (
        select first_day, lag(last_day) over (partition by campaign_id, metric order by first_day)
        from public.campaign_figures
        where replaced_by is null and client_id = _touched.client_id and campaign_id = any (_touched.campaigns)
          and first_day between _touched.first and _touched.last
      ) as figures (first_day, end_of_former)
      where end_of_former >= first_day
    ) then
      raise exception 'A week and one of its days cannot both have a figure.' using errcode = '23P01';
    end if;
  end loop;
  return null;
end
$$;

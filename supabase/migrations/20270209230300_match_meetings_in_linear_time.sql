-- Adds the meetings of an import in one statement. One statement for each day read all meetings of the client, with a plan made while
-- the table was empty, so a year's figures ran into the deadline.

create or replace function private.match_meetings() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  _figure record;
  _missing integer;
  _changed integer;
begin
  for _figure in
    with touched as materialized (
      select touched.*, least(coalesce(figure.value, 0), 1000) as value, figure.batch_id, batch.source_id, ledger.*
      from (select distinct client_id, campaign_id, first_day, last_day from changed where metric = 'meetings') as touched
        left join public.campaign_figures as figure on figure.client_id = touched.client_id
          and figure.campaign_id = touched.campaign_id and figure.metric = 'meetings' and figure.first_day = touched.first_day
          and figure.last_day = touched.last_day and figure.replaced_by is null
        left join public.import_batches as batch on batch.client_id = figure.client_id and batch.id = figure.batch_id
        cross join lateral (
          select count(*) filter (where meeting.campaign_id = touched.campaign_id) as count,
            coalesce(bool_or(meeting.campaign_id = touched.campaign_id and origin = 'figure'
              and meeting.batch_id is distinct from figure.batch_id), false) as is_of_former,
            coalesce(bool_or(meeting.campaign_id is null), false) as has_nameless
          from public.client_meetings as meeting
          where meeting.client_id = touched.client_id and booked_on between touched.first_day and touched.last_day
        ) as ledger
      -- A row that gives way to another has a follower, which is matched when it is added.
      where figure.value is not null or not exists (
        select from public.campaign_figures as replaced
        where replaced.client_id = touched.client_id and replaced.campaign_id = touched.campaign_id
          and replaced.metric = 'meetings' and replaced.first_day = touched.first_day and replaced.replaced_by is not null
      )
    ), room as materialized (
      select client_id, 10000 - (
        select count(*) from public.client_meetings as meeting where meeting.client_id = clients.client_id
      ) as room
      from (select distinct client_id from touched) as clients
    ), missing as (
      select touched.*, row_number() over (partition by client_id order by campaign_id, first_day, number) as place
      from touched, generate_series(1, value - count) as number
      where not has_nameless
    ), added as (
      insert into public.client_meetings (client_id, campaign_id, batch_id, booked_on, met_with, outcome, origin)
      select client_id, campaign_id, batch_id, first_day, '', 'booked', 'figure'
      from missing join room using (client_id)
      where place <= room
    )
    select * from touched
    where value < count or has_nameless and value > count or is_of_former or source_id is not null
    order by client_id, campaign_id, first_day
  loop
    _missing := _figure.value - _figure.count;
    if _missing > 0 and _figure.has_nameless then
      update public.client_meetings set campaign_id = _figure.campaign_id
      where client_id = _figure.client_id and id in (
        select id from public.client_meetings
        where client_id = _figure.client_id and campaign_id is null
          and booked_on between _figure.first_day and _figure.last_day
        order by booked_on, created_at, id limit _missing
      );
      get diagnostics _changed = row_count;
      insert into public.client_meetings (client_id, campaign_id, batch_id, booked_on, met_with, outcome, origin)
      select _figure.client_id, _figure.campaign_id, _figure.batch_id, _figure.first_day, '', 'booked', 'figure'
      from generate_series(1, least(
        _missing - _changed,
        10000 - (select count(*) from public.client_meetings where client_id = _figure.client_id)
      ));
    elsif _missing < 0 then
      delete from public.client_meetings where client_id = _figure.client_id and id in (
        select id from public.client_meetings
        where client_id = _figure.client_id and campaign_id = _figure.campaign_id and origin = 'figure'
          and booked_on between _figure.first_day and _figure.last_day
        order by met_with <> '', created_at desc, id limit - _missing
      );
    end if;
    if _figure.is_of_former then
      update public.client_meetings set batch_id = _figure.batch_id
      where client_id = _figure.client_id and campaign_id = _figure.campaign_id and origin = 'figure'
        and booked_on between _figure.first_day and _figure.last_day and batch_id is distinct from _figure.batch_id;
    end if;
    if _figure.source_id is not null then
      perform private.name_meetings_of_events(_figure.client_id, _figure.campaign_id, _figure.source_id, _figure.first_day);
    end if;
  end loop;
  return null;
end
$$;

-- The funnel of a client, from delivered messages to won deals.

-- Leads and meetings of a funnel, each with the steps that it counts in. In all steps, a lead counts on the day of its
-- reply, and a meeting on the day it was booked, as in the figures. The latest result of a held meeting counts. A
-- meeting is not held while the client disputes it.
create function private.funnel_items(_client public.clients, _from date, _until date) returns table (
  id uuid, steps text[], name text, at timestamptz, day date, status text, result text, amount numeric, lead_id uuid
) language sql stable security definer set search_path = '' as $$
  select lead.id, array['interested'], private.name_of_lead(lead), lead.received_at,
    (lead.received_at at time zone _client.time_zone)::date, lead.status, null, null::numeric, null::uuid
  from public.client_leads as lead
  where lead.client_id = _client.id and lead.received_at >= _from::timestamp at time zone _client.time_zone
    and lead.received_at < (_until + 1)::timestamp at time zone _client.time_zone
  union all
  select meeting.id,
    array['booked'] || case when meeting.state <> 'held' then '{}'::text[] else array['held'] || case
      when latest.status is null then array['not_reported']
      when latest.status = 'opportunity' then array['opportunities']
      when latest.status = 'won' then array['won']
      else '{}'
    end end,
    meeting.met_with, meeting.starts_at, meeting.booked_on, meeting.state,
    case when meeting.state = 'held' then latest.status end, case when meeting.state = 'held' then latest.amount end,
    meeting.lead_id
  from (
      select *, case when client_meetings.answer = 'disputed' then 'disputed' else client_meetings.outcome end as state
      from public.client_meetings
    ) as meeting
    left join lateral (
      select result.status, result.amount from public.client_meeting_results as result
      where result.client_id = meeting.client_id and result.meeting_id = meeting.id order by result.number desc limit 1
    ) as latest on true
  where meeting.client_id = _client.id and meeting.booked_on between _from and _until
$$;

-- Returns the funnel of a range of days, without amounts: {"first_day", "last_day", "delivered", "replies",
-- "interested", "booked", "held", "opportunities", "won", "not_reported"}. The last one counts held meetings without a
-- result. A missing figure is null.
create function private.funnel_of_period(_client public.clients, _from date, _until date) returns jsonb
language sql stable security definer set search_path = '' as $$
  with items as materialized (
    select steps from private.funnel_items(_client, _from, _until)
  )
  select jsonb_build_object('first_day', _from, 'last_day', _until)
    || (
      select jsonb_object_agg(figure.metric, (
        select sum(counted.value) from private.counted_figures as counted
        where counted.client_id = _client.id and counted.metric = figure.metric and counted.first_day between _from and _until
      ))
      from unnest(array['delivered', 'replies']) as figure (metric)
    )
    || (
      select jsonb_object_agg(step, (select count(*) from items where step = any (items.steps)))
      from unnest(array['interested', 'booked', 'held', 'opportunities', 'won', 'not_reported']) as step
    )
$$;

-- Returns private.funnel_of_period() with its costs for those who see amounts: {"cost": {"fee", "since", "per_held",
-- "per_won"}}. `since` is the first day with a fee if it is later than the first day. The cost is null without a fee.
create function public.client_funnel(_client_id uuid, _from date, _until date) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  _client public.clients;
  _funnel jsonb;
  _fee numeric;
  _since date;
begin
  perform private.works_for_client(_client_id);
  if not coalesce(_until - _from between 0 and 3660, false) then
    raise exception 'A period can have at most ten years.' using errcode = '22023';
  end if;
  select * into _client from public.clients where id = _client_id;
  _funnel := private.funnel_of_period(_client, _from, _until);
  if private.can_see_amounts(_client_id) then
    select fee, since into _fee, _since from private.fee_of_period(_client_id, _from, _until);
  end if;
  return _funnel || jsonb_build_object('cost', case when _fee is not null then jsonb_build_object(
    'fee', _fee, 'since', nullif(_since, _from),
    'per_held', round(_fee / nullif((_funnel ->> 'held')::numeric, 0), 2),
    'per_won', round(_fee / nullif((_funnel ->> 'won')::numeric, 0), 2)
  ) end);
end
$$;
grant execute on function public.client_funnel to authenticated, service_role;

-- Lists the leads or meetings that a step of a funnel counts, latest first, with the number of all. Amounts are null
-- for viewers.
create function public.list_funnel_items(
  _client_id uuid, _from date, _until date, _step text, _limit integer default 24, _offset integer default 0
) returns table (
  id uuid, name text, at timestamptz, day date, status text, result text, amount numeric, lead_id uuid, lead text, total integer
) language plpgsql stable security definer set search_path = '' as $$
declare
  _can_see_amounts boolean;
begin
  perform private.works_for_client(_client_id);
  _can_see_amounts := private.can_see_amounts(_client_id);
  return query
    select item.id, item.name, item.at, item.day, item.status, item.result, case when _can_see_amounts then item.amount end,
      item.lead_id, private.name_of_lead(client_leads), item.total
    from (
      select found.*, count(*) over ()::integer as total
      from public.clients cross join lateral private.funnel_items(clients, _from, _until) as found
      where clients.id = _client_id and _step = any (found.steps)
      order by found.day desc, found.at desc nulls last, found.id
      limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0)
    ) as item
      left join public.client_leads on client_leads.client_id = _client_id and client_leads.id = item.lead_id
    order by item.day desc, item.at desc nulls last, item.id;
end
$$;
grant execute on function public.list_funnel_items to authenticated, service_role;

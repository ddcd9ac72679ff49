-- A meeting names the campaign that brought it, where that is known, so that campaigns are told apart by what came of them.

alter table public.client_meetings
  add column campaign_id uuid,
  add foreign key (client_id, campaign_id) references public.campaigns (client_id, id) on delete set null (campaign_id);
create index client_meetings_campaign_idx on public.client_meetings (client_id, campaign_id);

-- Adds a meeting, or with _id changes one. With another outcome the client's time to answer begins anew; what the client
-- accepted stays as it is.
drop function public.save_client_meeting(uuid, timestamptz, text, text, text, uuid);
create function public.save_client_meeting(
  _client_id uuid, _starts_at timestamptz, _met_with text, _outcome text, _evidence text default '', _id uuid default null,
  _campaign_id uuid default null
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  _old public.client_meetings;
  _until constant timestamptz := case when _outcome <> 'booked' then now() + interval '14 days' end;
  _saved uuid;
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only those who work for this client keep its meetings' using errcode = '42501';
  elsif _outcome <> 'booked' and _starts_at > now() then
    raise exception 'This meeting is still to come: it is booked.' using errcode = 'P0001';
  end if;
  if _id is null then
    -- Two who add at the same time wait for each other, so that the ledger stays under its limit.
    perform from public.clients where id = _client_id for no key update;
    if (select count(*) from public.client_meetings where client_id = _client_id) >= 10000 then
      raise exception 'A client has at most 10,000 meetings.' using errcode = 'P0001';
    end if;
    insert into public.client_meetings (client_id, starts_at, met_with, outcome, evidence, answer_until, kept_by, campaign_id)
    values (_client_id, _starts_at, trim(_met_with), _outcome, _evidence, _until, private.user_id(), _campaign_id)
    returning id into _saved;
    return _saved;
  end if;
  select * into _old from public.client_meetings where client_id = _client_id and id = _id for update;
  if not found then
    raise exception 'There is no such meeting any more.' using errcode = 'P0001';
  elsif _old.answer = 'accepted' then
    raise exception 'The client has accepted this meeting. It stays as it is.' using errcode = 'P0001';
  end if;
  update public.client_meetings set
    starts_at = _starts_at, met_with = trim(_met_with), outcome = _outcome, evidence = _evidence, kept_by = private.user_id(),
    campaign_id = _campaign_id,
    answer_until = case when outcome = _outcome then answer_until else _until end,
    answer = case when outcome = _outcome then answer end,
    reason = case when outcome = _outcome then reason else '' end,
    answered_by = case when outcome = _outcome then answered_by end,
    answered_at = case when outcome = _outcome then answered_at end
  where client_id = _client_id and id = _id;
  return _id;
end
$$;
revoke all on function public.save_client_meeting(uuid, timestamptz, text, text, text, uuid, uuid) from public, anon, authenticated;
grant execute on function public.save_client_meeting(uuid, timestamptz, text, text, text, uuid, uuid) to authenticated, service_role;

-- Lists the meetings of a client, first those that wait for the client's answer, then the latest, with the numbers of those
-- and of all. To the client no address of a person is told.
drop function public.list_client_meetings(uuid, integer, integer);
create function public.list_client_meetings(_client_id uuid, _limit integer default 24, _offset integer default 0)
returns table (
  id uuid, starts_at timestamptz, met_with text, outcome text, evidence text, answer_until timestamptz, answer text,
  reason text, answered_by text, answered_at timestamptz, is_open boolean, waiting integer, total integer,
  campaign_id uuid, campaign text
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  _works_for constant boolean := private.works_for_client(_client_id);
begin
  return query
    select meeting.id, meeting.starts_at, meeting.met_with, meeting.outcome, meeting.evidence, meeting.answer_until,
      meeting.answer, meeting.reason,
      coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), case when _works_for then users.email end, '')::text,
      meeting.answered_at, meeting.is_open, meeting.waiting, meeting.total, meeting.campaign_id, campaigns.name
    from (
      select *, count(*) over ()::integer as total,
        count(*) filter (where any_meeting.is_open and any_meeting.answer is null) over ()::integer as waiting
      from (
        select *, coalesce(client_meetings.answer_until > now(), false) and client_meetings.answer is distinct from 'accepted' as is_open
        from public.client_meetings where client_id = _client_id
      ) as any_meeting
      order by (any_meeting.is_open and any_meeting.answer is null) desc, any_meeting.starts_at desc, any_meeting.id
      limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0)
    ) as meeting left join auth.users on users.id = meeting.answered_by
      left join public.campaigns on campaigns.client_id = _client_id and campaigns.id = meeting.campaign_id
    order by (meeting.is_open and meeting.answer is null) desc, meeting.starts_at desc, meeting.id;
end
$$;
revoke all on function public.list_client_meetings(uuid, integer, integer) from public, anon, authenticated;
grant execute on function public.list_client_meetings(uuid, integer, integer) to authenticated, service_role;

-- Adds up the figures of all clients that who asks may see, by campaign, with the meetings that were held of each: those of the
-- ledger, not of imports.
create or replace function public.figure_totals(_from date, _until date) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', clients.id, 'name', clients.name, 'time_zone', clients.time_zone, 'first_weekday', clients.first_weekday,
    'is_running', exists (select from public.campaigns where client_id = clients.id and phase = 'running'),
    'latest', (
      select max(last_day) from public.campaign_figures
      where client_id = clients.id and replaced_by is null and first_day >= (
        select max(first_day) - 6 from public.campaign_figures where client_id = clients.id and replaced_by is null
      )
    ),
    'campaigns', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', id, 'name', name, 'channel', channel, 'figures', coalesce(figures, '{}'), 'held', coalesce(held, 0)
      ) order by name, id)
      from (
        select campaign_id, jsonb_object_agg(metric, value) from (
          select campaign_id, metric, sum(value) from public.campaign_figures
          where client_id = clients.id and replaced_by is null and first_day between _from and _until
          group by campaign_id, metric
        ) as sums (campaign_id, metric, value)
        group by campaign_id
      ) as totals (campaign_id, figures)
      full join (
        select campaign_id, count(*) from public.client_meetings
        where client_id = clients.id and outcome = 'held' and campaign_id is not null
          and (starts_at at time zone clients.time_zone)::date between _from and _until
        group by campaign_id
      ) as ledger (campaign_id, held) using (campaign_id)
      join public.campaigns on client_id = clients.id and id = campaign_id
    ), '[]')
  ) order by clients.name, clients.id), '[]')
  from public.clients
$$;

-- What a client's first screen asks for: {"waiting": [{"kind": "approval", "id", "title", "number", "due_on"}, {"kind": "meeting",
-- "id", "title", "due_on"}, {"kind": "quote", "id", "title", "due_on": null}], "waiting_count", "next_call"}, by the day on which it is
-- due, at most 24 of each kind. The call is one that whoever asks has booked with an address that they have proven, and only its
-- time is told.
create or replace function public.client_home(_client_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.works_for_client(_client_id);
  return (
    with texts as (
      select approval.id, approval.title, version.number, version.due_on, version.created_at
      from public.approvals as approval
        join lateral (
          select * from public.approval_versions as any_version
          where any_version.client_id = _client_id and any_version.approval_id = approval.id
          order by any_version.number desc limit 1
        ) as version on true
      where approval.client_id = _client_id and not exists (
        select from public.approval_decisions as decision
        where decision.client_id = _client_id and decision.approval_id = approval.id and decision.number = version.number
      )
    ), meetings as (
      select meeting.id, meeting.met_with, (meeting.answer_until at time zone clients.time_zone)::date as due_on, meeting.starts_at
      from public.client_meetings as meeting join public.clients on clients.id = meeting.client_id
      where meeting.client_id = _client_id and meeting.answer is null and meeting.answer_until > now()
    ), quotes as (
      select quote.id, private.quote_in_words(quote) as words, quote.asked_at
      from public.figure_quotes as quote join public.projects on projects.id = quote.project_id
      where quote.client_id = _client_id and quote.answer is null and quote.ended_at is null
    ), waiting (place, due_on, since, line) as (
      (select 1, due_on, created_at, jsonb_build_object(
        'kind', 'approval', 'id', id, 'title', title, 'number', number, 'due_on', due_on
      ) from texts order by due_on nulls last, created_at, id limit 24)
      union all
      (select 2, due_on, starts_at, jsonb_build_object('kind', 'meeting', 'id', id, 'title', met_with, 'due_on', due_on)
      from meetings order by starts_at desc, id limit 24)
      union all
      (select 3, null, asked_at, jsonb_build_object('kind', 'quote', 'id', id, 'title', coalesce(words, 'A figure'), 'due_on', null)
      from quotes order by asked_at, id limit 24)
    )
    select jsonb_build_object(
      'waiting', coalesce((select jsonb_agg(line order by due_on nulls last, place, since) from waiting), '[]'),
      'waiting_count', (select count(*) from texts) + (select count(*) from meetings) + (select count(*) from quotes),
      'next_call', (
        select min(booking.starts_at) from public.bookings as booking
        where booking.state = 'booked' and booking.ends_at > now() and lower(booking.email) in (
          select proven.address from private.proven_addresses as proven join auth.users on users.id = proven.user_id
          where proven.user_id = private.reader_id() and proven.address = users.email
        )
      )
    )
  );
end
$$;

-- Result links. With each, an approver can report the result of one held meeting without signing in.

-- Returns the meeting of the link and its latest report. Changes nothing, so that the page can show the meeting before
-- the first click. The meeting can be read by every browser until one of them answers. The recipient is an approver, so
-- the report contains its amount.
create function public.open_result_link(_token text, _holder text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  _found constant record := private.mailed_link_of(_token, _holder, 'result');
  _link constant private.mailed_links := _found.link;
begin
  if _found.refusal is not null then
    return jsonb_build_object('refusal', _found.refusal);
  end if;
  return (
    select jsonb_build_object(
      'client', clients.name, 'currency', clients.currency,
      'person', private.recipient_of_link(_link), 'met_with', meeting.met_with, 'starts_at', meeting.starts_at,
      'report', (
        select jsonb_build_object(
          'number', number, 'status', status, 'amount', amount, 'reason', reason, 'at', created_at,
          'by', coalesce(private.display_name(reported_by, false), '')
        )
        from public.client_meeting_results as result
        where result.client_id = meeting.client_id and result.meeting_id = meeting.id and result.number = _link.number
      )
    )
    from public.client_meetings as meeting join public.clients on clients.id = meeting.client_id
    where meeting.client_id = _link.client_id and meeting.id = _link.meeting_id
  );
end
$$;
grant execute on function public.open_result_link to anon, authenticated, service_role;

-- Reports the result of the link's meeting. The first browser that does this holds the link, and can correct its report
-- until someone else reports another. Returns the reason if the link is refused, otherwise null.
create function public.report_result_by_link(
  _token text, _holder text, _expected_number integer, _status text, _amount numeric default null, _reason text default ''
) returns text language plpgsql security definer set search_path = '' as $$
declare
  _found constant record := private.mailed_link_of(_token, _holder, 'result');
  _link constant private.mailed_links := _found.link;
  _number integer;
begin
  if _found.refusal is not null then
    return _found.refusal;
  end if;
  _number := private.add_meeting_result(
    _link.client_id, _link.meeting_id, _expected_number, _status, _amount, _reason, _link.user_id
  );
  update private.mailed_links set holder_hash = private.hash_of_link(_holder), number = _number
  where token_hash = _link.token_hash;
  return null;
end
$$;
grant execute on function public.report_result_by_link to anon, authenticated, service_role;

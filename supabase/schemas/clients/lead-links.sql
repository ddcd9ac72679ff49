-- Lead links in emails. Each lets one approver set the status of one lead without signing in.

-- Returns the lead of the link. Changes nothing, so that the page can show the lead before the first click. Every
-- browser can read the lead until one of them sets its status.
create function public.open_lead_link(_token text, _holder text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  _found constant record := private.mailed_link_of(_token, _holder, 'lead');
  _link constant private.mailed_links := _found.link;
begin
  if _found.refusal is not null then
    return jsonb_build_object('refusal', _found.refusal);
  end if;
  return jsonb_build_object(
    'client', (select name from public.clients where id = _link.client_id),
    'person', private.recipient_of_link(_link),
    'lead', private.lead_with_history(_link.client_id, _link.lead_id, false)
  );
end
$$;
grant execute on function public.open_lead_link to anon, authenticated, service_role;

-- Changes the status that the link's recipient read. Binds the link to the first browser that does so. Returns the
-- reason if the link is refused, otherwise null.
create function public.change_lead_by_link(
  _token text, _holder text, _expected_status text, _status text, _reason text default ''
) returns text language plpgsql security definer set search_path = '' as $$
declare
  _found constant record := private.mailed_link_of(_token, _holder, 'lead');
  _link constant private.mailed_links := _found.link;
begin
  if _found.refusal is not null then
    return _found.refusal;
  end if;
  perform private.change_lead(_link.client_id, _link.lead_id, _expected_status, _status, _reason, _link.user_id);
  update private.mailed_links set holder_hash = private.hash_of_link(_holder)
  where token_hash = _link.token_hash and holder_hash is null;
  return null;
end
$$;
grant execute on function public.change_lead_by_link to anon, authenticated, service_role;

-- Asks a client for a yes to a file of theirs: to a new one, or with _approval_id to the next version. Returns the approval.
create function public.ask_for_file_approval(
  _client_id uuid, _title text, _text text, _file_id uuid, _due_on date default null, _approval_id uuid default null
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  _version public.approval_versions;
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only those who work for this client may ask' using errcode = '42501';
  elsif not exists (select from public.client_files where client_id = _client_id and id = _file_id) then
    raise exception 'There is no such file any more.' using errcode = 'P0001';
  end if;
  _version := private.add_approval_version(_client_id, 'file', _title, _text, _due_on, _approval_id, _file_id);
  perform private.tell_client_of_approval(_version);
  return _version.approval_id;
end
$$;
revoke all on function public.ask_for_file_approval(uuid, text, text, uuid, date, uuid) from public, anon, authenticated;
grant execute on function public.ask_for_file_approval(uuid, text, text, uuid, date, uuid) to authenticated, service_role;

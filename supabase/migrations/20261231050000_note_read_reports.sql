-- A report that a member opened, also from its mail, is read: whoever works for the client sees when they last read.

alter table public.client_reads drop constraint client_reads_what_check;
alter table public.client_reads add constraint client_reads_what_check check (what in ('rooms', 'approval', 'report'));

drop function public.note_client_read(uuid, uuid[]);
create function public.note_client_read(
  _client_id uuid, _approval_ids uuid[] default '{}', _report_ids uuid[] default '{}'
) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if _client_id not in (select private.clients_of_member()) then
    raise exception 'Only the people of this client read as its people' using errcode = '42501';
  end if;
  insert into public.client_reads as noted (client_id, user_id, what, item_id)
  select _client_id, private.user_id(), 'rooms', _client_id
  union all
  select _client_id, private.user_id(), 'approval', id
  from public.approvals where client_id = _client_id and id = any (_approval_ids)
  union all
  select _client_id, private.user_id(), 'report', id
  from public.client_reports where client_id = _client_id and id = any (_report_ids) and sent_at is not null
  on conflict (client_id, user_id, what, item_id) do update set last_at = now();
end
$$;
revoke all on function public.note_client_read(uuid, uuid[], uuid[]) from public, anon, authenticated;
grant execute on function public.note_client_read(uuid, uuid[], uuid[]) to authenticated, service_role;

-- An admin can make another person an admin, under People. The person and all other admins are notified by email.

alter table public.people_log drop constraint people_log_action_check;
alter table public.people_log add constraint people_log_action_check check (action in (
  'invited', 'approved', 'declined', 'restored', 'made_client', 'made_admin', 'revoked', 'ended_sessions', 'reset_factors',
  'downloaded_data', 'deleted', 'deleted_own_account'
));

create function public.make_admin(_user_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _role text;
begin
  perform private.begin_act_on(_user_id);
  select role into _role from public.user_roles where user_id = _user_id and approved for update;
  if not found then
    raise exception 'Only clients and approved team members can become admins.';
  elsif _role = 'admin' then
    raise exception 'This person is an admin already.';
  elsif not private.has_proven_address(_user_id) then
    raise exception 'This person has not confirmed their address. Only people with a confirmed address can become admins.';
  end if;
  update public.user_roles set role = 'admin' where user_id = _user_id;
  -- Admins work for every client, so they cannot decide as one of its people.
  delete from public.client_members where user_id = _user_id;
  delete from public.client_invitations where user_id = _user_id;
  perform private.note_act('made_admin', _user_id, 'admin');
  insert into private.mail_queue (recipient, template, variables)
  select told.email, 'admin_added', jsonb_build_object(
    'Email', told.email, 'Name', added.email, 'Inviter', coalesce(private.shown_name(private.user_id(), true), 'The owner'),
    'UserId', _user_id
  )
  from auth.users as added, public.user_roles as roles join auth.users as told on told.id = roles.user_id
  where added.id = _user_id and roles.role = 'admin' and roles.approved and told.email <> '';
end
$$;
revoke all on function public.make_admin(uuid) from public, anon, authenticated;
grant execute on function public.make_admin(uuid) to authenticated;

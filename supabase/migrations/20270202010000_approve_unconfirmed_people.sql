-- An approval takes effect at once, also for a person who has not confirmed their email address: the admin sees that and
-- decides. Approvals that waited for a confirmation take effect now. A client's figures still require a confirmed address.

with waiting as (
  update public.user_roles as roles set approved = true
  where roles.role = 'team' and not roles.approved and private.approval_waits(roles.user_id)
  returning roles.user_id
)
select private.mail_about_registration(users.email, 'registration_approved')
from waiting join auth.users on users.id = waiting.user_id;
update private.mail_queue set template = 'registration_approved' where template = 'registration_unproven';

drop trigger let_approval_count on private.proven_addresses;
drop function private.let_approval_count();

create or replace function public.approve_team_member(_user_id uuid, _approved boolean) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  _email text := (select email from auth.users where id = _user_id);
  _registered_at timestamptz;
begin
  if not private.is_admin() then
    raise exception 'Only admins decide about registrations.' using errcode = '42501';
  end if;
  if _approved is null then
    raise exception 'A decision is yes or no.' using errcode = '22004';
  end if;
  -- Of two admins who decide at once, the second waits here for the first and then finds nothing that waits.
  perform from public.user_roles where user_id = _user_id for update;
  if _approved then
    update public.user_roles set approved = true where user_id = _user_id and role = 'team' and not approved
    returning created_at into _registered_at;
  else
    delete from public.user_roles where user_id = _user_id and role = 'team' and not approved
    returning created_at into _registered_at;
  end if;
  if not found then
    if exists (select from public.registration_decisions where user_id = _user_id) then
      raise exception 'Somebody has decided about this registration already.';
    end if;
    raise exception 'This person is not waiting for approval.';
  end if;
  insert into public.registration_decisions (user_id, email, approved, decided_by, registered_at)
  values (_user_id, coalesce(_email, ''), _approved, private.user_id(), _registered_at);
  perform private.note_act(case when _approved then 'approved' else 'declined' end, _user_id, 'team');
  if _approved then
    perform private.mail_about_registration(_email, 'registration_approved');
  else
    perform private.mail_about_registration(_email, 'registration_declined', interval '10 seconds');
  end if;
end
$$;

-- Pending team members whose email address is not confirmed.
drop function public.unproven_registrations();
create function public.unproven_registrations() returns setof uuid
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_admin() then
    raise exception 'Only admins see registrations.' using errcode = '42501';
  end if;
  return query
    select roles.user_id from public.user_roles as roles
    where roles.role = 'team' and not roles.approved and not private.has_proven_address(roles.user_id);
end
$$;
revoke all on function public.unproven_registrations() from public, anon, authenticated;
grant execute on function public.unproven_registrations() to authenticated;

-- Returns whether the addresses of the signed-in person are confirmed. On a Supabase project a session that began with a
-- mail is the proof, and this function records it. The project does not report in which browser the mail was opened, so
-- credentials that were set up before are deleted, and other sessions end. The built-in backend has recorded the proof
-- when the mail was opened.
drop function public.confirm_my_address();
create function public.confirm_my_address() returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  _id constant uuid := private.user_id();
  _email constant text := (select email from auth.users where id = _id);
begin
  if _id is null then
    raise exception 'Please sign in first.' using errcode = '42501';
  end if;
  perform private.refuse_applications();
  if not private.has_proven_address(_id) and private.has_proven_mailbox() then
    perform private.drop_ways_in(_id, _email, ((select auth.jwt()) ->> 'session_id')::uuid);
    insert into private.proven_addresses (user_id, address) values (_id, _email) on conflict do nothing;
  elsif private.has_proven_address(_id) and exists (select from public.client_invitations where user_id = _id) then
    -- The insert fires the trigger that turns invitations into memberships.
    insert into private.proven_addresses (user_id, address)
    select _id, _email where _email <> '' on conflict do nothing;
  end if;
  return private.has_proven_address(_id);
end
$$;
revoke all on function public.confirm_my_address() from public, anon, authenticated;
grant execute on function public.confirm_my_address() to authenticated;

drop function private.approval_waits(uuid);

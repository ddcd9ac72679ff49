-- An admin approves a person by their address, so the approval counts only when the address is proven. Before that it is
-- recorded, the person is asked by mail to show that the address is theirs, and it counts from that moment on.

-- Whether an admin has approved this waiting person.
create function private.approval_waits(_user_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from public.user_roles where user_id = _user_id and role = 'team' and not approved)
    and coalesce((
      select approved from public.registration_decisions where user_id = _user_id order by decided_at desc limit 1
    ), false)
$$;
revoke all on function private.approval_waits(uuid) from public;

create function private.mail_about_registration(_email text, _template text, _after interval default '0') returns void
language sql security definer set search_path = ''
as $$
  insert into private.mail_queue (recipient, template, variables, next_attempt_at)
  select _email, _template, jsonb_build_object('Email', _email), now() + _after where _email <> ''
$$;
revoke all on function private.mail_about_registration(text, text, interval) from public;

-- As before, and an approval waits for the proof of the address.
create or replace function public.approve_team_member(_user_id uuid, _approved boolean) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  _email text := (select email from auth.users where id = _user_id);
  _is_proven constant boolean := private.has_proven_address(_user_id);
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
    update public.user_roles set approved = _is_proven
    where user_id = _user_id and role = 'team' and not approved and (_is_proven or not private.approval_waits(_user_id))
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
  if not _approved then
    perform private.mail_about_registration(_email, 'registration_declined', interval '10 seconds');
  else
    perform private.mail_about_registration(
      _email, case when _is_proven then 'registration_approved' else 'registration_unproven' end
    );
  end if;
end
$$;

-- An approval that waited counts with the proof.
create function private.let_approval_count() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if private.approval_waits(new.user_id) and private.has_proven_address(new.user_id) then
    update public.user_roles set approved = true where user_id = new.user_id and role = 'team';
    perform private.mail_about_registration(
      (select email from auth.users where id = new.user_id), 'registration_approved'
    );
  end if;
  return null;
end
$$;
revoke all on function private.let_approval_count() from public;
create trigger let_approval_count after insert on private.proven_addresses
  for each row execute function private.let_approval_count();

-- The waiting people whose address nobody has proven, and whether an admin has approved them all the same.
create function public.unproven_registrations() returns table (user_id uuid, is_approved boolean)
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_admin() then
    raise exception 'Only admins see registrations.' using errcode = '42501';
  end if;
  return query
    select roles.user_id, private.approval_waits(roles.user_id) from public.user_roles as roles
    where roles.role = 'team' and not roles.approved and not private.has_proven_address(roles.user_id);
end
$$;
revoke all on function public.unproven_registrations() from public, anon, authenticated;
grant execute on function public.unproven_registrations() to authenticated;

-- Whether the addresses of the signed-in person are proven, and whether an approval waits for it. On a Supabase project a
-- session that a mail began is the proof, and this notes it; there nothing tells in which browser the mail was opened, so
-- what was set up before goes, and with it the other sessions. The built-in backend has noted it when the mail was opened.
create function public.confirm_my_address() returns table (is_proven boolean, approval_waits boolean)
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
  elsif private.has_proven_address(_id) and private.approval_waits(_id) then
    insert into private.proven_addresses (user_id, address)
    select _id, _email where _email <> '' on conflict do nothing;
  end if;
  return query select private.has_proven_address(_id), private.approval_waits(_id);
end
$$;
revoke all on function public.confirm_my_address() from public, anon, authenticated;
grant execute on function public.confirm_my_address() to authenticated;

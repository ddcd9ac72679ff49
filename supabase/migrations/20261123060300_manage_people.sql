-- What admins do to the account of somebody else. Each function notes it in people_log.

-- Makes anybody a client: somebody without a role, a team member, a declined person, another admin.
create function public.make_client(_user_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  _email constant text := (select email from auth.users where id = _user_id);
begin
  perform private.begin_act_on(_user_id);
  insert into public.user_roles as roles (user_id, role, approved) values (_user_id, 'client', true)
  on conflict (user_id) do update set role = 'client', approved = true where roles.role <> 'client' or not roles.approved;
  if not found then
    raise exception 'This person is a client already.';
  end if;
  -- A no that still stood is taken back, with the mail about it.
  update public.registration_decisions set withdrawn_at = now(), withdrawn_by = private.user_id()
  where user_id = _user_id and not approved and withdrawn_at is null;
  delete from private.mail_queue where recipient = _email and template = 'registration_declined';
  perform private.note_act('made_client', _user_id, 'client');
end
$$;
revoke all on function public.make_client(uuid) from public, anon, authenticated;
grant execute on function public.make_client(uuid) to authenticated;

-- Takes the role of a client or of an approved team member away, which they cannot take again by themselves.
create function public.revoke_access(_user_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  _role text;
  _registered_at timestamptz;
begin
  perform private.begin_act_on(_user_id);
  delete from public.user_roles where user_id = _user_id and role in ('client', 'team') and approved
  returning role, created_at into _role, _registered_at;
  if not found then
    raise exception 'Only the access of clients and approved team members can be revoked.';
  end if;
  insert into public.registration_decisions (user_id, email, approved, revoked, role, decided_by, registered_at)
  select id, coalesce(email, ''), false, true, _role, private.user_id(), _registered_at
  from auth.users where id = _user_id;
  perform private.note_act('revoked', _user_id, _role);
end
$$;
revoke all on function public.revoke_access(uuid) from public, anon, authenticated;
grant execute on function public.revoke_access(uuid) to authenticated;

-- Signs an account out everywhere, at once.
create function private.end_sessions_of(_user_id uuid) returns void
language sql security definer set search_path = ''
as $$
  delete from auth.sessions where user_id = _user_id;
  delete from auth.refresh_tokens where user_id = _user_id::text;
$$;
revoke all on function private.end_sessions_of(uuid) from public;

create function public.end_person_sessions(_user_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.begin_act_on(_user_id);
  perform private.end_sessions_of(_user_id);
  perform private.note_act('ended_sessions', _user_id);
end
$$;
revoke all on function public.end_person_sessions(uuid) from public, anon, authenticated;
grant execute on function public.end_person_sessions(uuid) to authenticated;

-- For whoever lost their factors: these go, with recovery codes and passkeys, and the sessions that they opened.
create function public.reset_person_factors(_user_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.begin_act_on(_user_id);
  delete from auth.mfa_factors where user_id = _user_id;
  -- Not every version of the authentication service has passkeys.
  if to_regclass('auth.webauthn_credentials') is not null then
    execute 'delete from auth.webauthn_credentials where user_id = $1' using _user_id;
  end if;
  perform private.end_sessions_of(_user_id);
  perform private.note_act('reset_factors', _user_id);
end
$$;
revoke all on function public.reset_person_factors(uuid) from public, anon, authenticated;
grant execute on function public.reset_person_factors(uuid) to authenticated;

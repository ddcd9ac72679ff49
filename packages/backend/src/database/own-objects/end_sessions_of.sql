-- Ends the sessions of an account, except for _except_session.
create function private.end_sessions_of(_user_id uuid, _except_session uuid default null) returns void
language sql security definer set search_path = ''
as $$
  delete from auth.sessions where user_id = _user_id and id is distinct from _except_session;
  delete from auth.refresh_tokens where user_id = _user_id::text and session_id is distinct from _except_session;
$$;
revoke all on function private.end_sessions_of(uuid, uuid) from public;

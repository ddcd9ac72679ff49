-- People see where they are signed in, and end one session. /auth/v1 ends this one, the others or all.

create function public.my_sessions()
returns table (
  id uuid, created_at timestamptz, last_active_at timestamptz, user_agent text, ip_address text, is_current boolean
)
language sql stable security definer set search_path = ''
as $$
  select session.id, session.created_at,
    coalesce(session.refreshed_at at time zone 'utc', session.created_at),
    coalesce(session.user_agent, ''), coalesce(host(session.ip), ''),
    session.id::text = (select auth.jwt()) ->> 'session_id'
  from auth.sessions as session
  where session.user_id = (select private.user_id())
  order by 3 desc
$$;
revoke all on function public.my_sessions() from public, anon, authenticated;
grant execute on function public.my_sessions() to authenticated;

create function public.end_my_session(_session_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  delete from auth.sessions where id = _session_id and user_id = (select private.user_id());
  if not found then
    raise exception 'This session has ended already.';
  end if;
end
$$;
revoke all on function public.end_my_session(uuid) from public, anon, authenticated;
grant execute on function public.end_my_session(uuid) to authenticated;

-- An application has what its scopes name and nothing else (docs/decisions/0041-oauth-server.md). Scopes name what it is
-- told about a person, so on tables, files and functions it is a visitor: this is the one function that tells policies and
-- functions who asks, and for the token of an application, which says so in client_id, it tells nobody.
create or replace function private.user_id() returns uuid
language sql stable security definer set search_path = ''
as $$
  select session.user_id
  from auth.sessions as session
  where session.id = ((select auth.jwt()) ->> 'session_id')::uuid
    and session.user_id = (select auth.uid())
    and (session.not_after is null or session.not_after > now())
    and (select auth.jwt()) ->> 'client_id' is null
$$;

-- As before, by the function that knows applications.
create or replace function public.stop_editing(_kind text, _item_id text) returns void
language sql security definer set search_path = ''
as $$
  delete from public.editing where user_id = (select private.user_id()) and kind = _kind and item_id = _item_id
$$;

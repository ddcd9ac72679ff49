-- Those who work for a client look at its rooms as its people see them. A request says so with the header x-as-member: the id
-- of the client, and after a slash that of the member, where one is meant. Such a request has no account of its own: it reads
-- what that member reads of that client, and changes nothing, whoever sends it.

create function private.session_user_id() returns uuid
language sql stable security definer set search_path = ''
as $$
  select session.user_id
  from auth.sessions as session
  where session.id = ((select auth.jwt()) ->> 'session_id')::uuid
    and session.user_id = (select auth.uid())
    and (session.not_after is null or session.not_after > now())
    and (select auth.jwt()) ->> 'client_id' is null
$$;
revoke execute on function private.session_user_id() from public, anon, authenticated;

create function private.is_looking() returns boolean
language sql stable set search_path = ''
as $$
  select nullif(current_setting('request.headers', true), '')::json ->> 'x-as-member' is not null
$$;
revoke execute on function private.is_looking() from public, anon, authenticated;

-- Nobody while they look: whatever an account may do asks this.
create or replace function private.user_id() returns uuid
language sql stable security definer set search_path = ''
as $$
  select case when not private.is_looking() then private.session_user_id() end
$$;

create function private.has_admin_rights(_user_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.user_roles where user_id = _user_id and role = 'admin' and approved
  ) and (
    private.has_second_factor() or not exists (
      select from public.site_settings where setting_key = 'require_second_factor' and setting_value = 'on'
    )
  )
$$;
revoke execute on function private.has_admin_rights(uuid) from public, anon, authenticated;

create or replace function private.is_admin() returns boolean
language sql stable security definer set search_path = ''
as $$ select private.has_admin_rights((select private.user_id())) $$;

-- The client that the request looks at, and as whom; no row where it looks at none, or may not.
create function private.looked_at() returns table (client_id uuid, user_id uuid)
language sql stable security definer set search_path = ''
as $$
  with asked as materialized (
    select split_part(header, '/', 1)::uuid as client_id, nullif(split_part(header, '/', 2), '')::uuid as user_id
    from (select nullif(current_setting('request.headers', true), '')::json ->> 'x-as-member') as request (header)
    where header ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})?$'
  ), looker as materialized (
    select private.session_user_id() as id where exists (select from asked)
  )
  select asked.client_id, asked.user_id
  from asked, looker
  where (
      private.has_admin_rights(looker.id) or exists (
        select from public.client_assignments as assignment
          join public.user_roles as roles on roles.user_id = assignment.user_id and roles.role = 'team' and roles.approved
        where assignment.client_id = asked.client_id and assignment.user_id = looker.id
      )
    )
    and (asked.user_id is null or exists (
      select from public.client_members as member
        join public.user_roles as roles on roles.user_id = member.user_id and roles.role = 'client' and roles.approved
      where member.client_id = asked.client_id and member.user_id = asked.user_id
    ))
$$;
revoke execute on function private.looked_at() from public, anon, authenticated;

create or replace function private.clients_of_member() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select client_id from public.client_members
  join public.user_roles on user_roles.user_id = client_members.user_id and role = 'client' and approved
  where client_members.user_id = (select private.user_id())
  union all
  select client_id from private.looked_at()
$$;

-- Whose own lines of a client's rooms the request reads.
create function private.reader_id() returns uuid
language sql stable security definer set search_path = ''
as $$
  select coalesce(private.user_id(), (select user_id from private.looked_at()))
$$;
revoke execute on function private.reader_id() from public;
grant execute on function private.reader_id() to anon, authenticated, service_role;

drop policy "Members read where they belong" on public.client_members;
create policy "Members read where they belong" on public.client_members
  for select to authenticated
  using (user_id = (select private.reader_id()) and client_id in (select private.clients_of_member()));

create function private.refuse_lookers() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if private.is_looking() then
    raise exception 'You look at these rooms as somebody else sees them. Nothing is changed.' using errcode = '42501';
  end if;
  return null;
end
$$;
revoke execute on function private.refuse_lookers() from public;

-- Everything that members write as members. All else asks for an account or for a place as an approver, which a looker has not.
create trigger refuse_lookers before insert or update or delete on public.approval_comments
  for each statement execute function private.refuse_lookers();
create trigger refuse_lookers before insert or update or delete on public.client_members
  for each statement execute function private.refuse_lookers();
create trigger refuse_lookers before insert or update or delete on public.client_reads
  for each statement execute function private.refuse_lookers();
create trigger refuse_lookers before insert or update or delete on public.do_not_contact
  for each statement execute function private.refuse_lookers();

-- The next call on the first screen is that of the reader. The rest of the function stays as it is.
do $$
begin
  execute replace(pg_get_functiondef('public.client_home(uuid)'::regprocedure), 'private.user_id()', 'private.reader_id()');
end
$$;

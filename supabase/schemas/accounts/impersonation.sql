-- Impersonation: a client's team can view its portal as a member, with the header x-as-member (client id, slash,
-- member id). Such a request has the read access of the member, no account of its own, and no write access.
create function private.is_impersonating() returns boolean language sql stable set search_path = '' as $$
  select nullif(current_setting('request.headers', true), '')::json ->> 'x-as-member' is not null
$$;

-- Returns the client and member of an impersonation request. Returns no row for other requests, or if the caller does
-- not work for the client.
create function private.impersonated_member() returns table (client_id uuid, user_id uuid)
language sql stable security definer set search_path = '' as $$
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

create function private.reject_impersonated_writes() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.is_impersonating() then
    raise exception 'You are viewing the site as another person. Changes are not allowed.' using errcode = '42501';
  end if;
  return null;
end
$$;

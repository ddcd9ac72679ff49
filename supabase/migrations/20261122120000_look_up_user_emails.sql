-- The addresses of accounts, which no table tells. The pending list reads user_roles itself and asks for these once.

create function public.user_emails(_user_ids uuid[]) returns table (user_id uuid, email text)
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_admin() then
    raise exception 'Only admins look up addresses.' using errcode = '42501';
  end if;
  return query
    select users.id, users.email::text from auth.users as users
    where users.id = any(_user_ids) and users.email <> '';
end
$$;
revoke all on function public.user_emails(uuid[]) from public, anon, authenticated;
grant execute on function public.user_emails(uuid[]) to authenticated;

drop function public.pending_team_members();

-- Admins get one mail for each team registration. After 60 mails within an hour the list on the dashboard must do, so that
-- a stranger who registers many accounts cannot fill their mailboxes.

create function private.tell_admins_about_registration(_email text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.count_for_subject('registration mail', '', 60, interval '1 hour') then
    return;
  end if;
  insert into private.mail_queue (recipient, template, variables)
  select users.email, 'registration_pending', jsonb_build_object('Email', coalesce(nullif(_email, ''), 'Unknown'))
  from public.user_roles as roles join auth.users on users.id = roles.user_id
  where roles.role = 'admin' and roles.approved and users.email <> ''
  order by roles.created_at limit 10;
end
$$;
revoke all on function private.tell_admins_about_registration(text) from public;

-- As before, and a team registration is announced to the admins.
create or replace function public.register_with_role(_user_id uuid, _role text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if private.user_id() is null or _user_id is distinct from private.user_id() then
    raise exception 'You can only register yourself.' using errcode = '42501';
  end if;
  if _role is null or _role not in ('client', 'team') then
    raise exception 'You can register as a client or as a team member.' using errcode = '42501';
  end if;
  if private.is_declined(_user_id) then
    raise exception 'Your registration was declined.' using errcode = '42501';
  end if;
  insert into public.user_roles (user_id, role, approved) values (_user_id, _role, _role = 'client')
  on conflict (user_id) do nothing;
  if not found then
    raise exception 'You have registered already.' using errcode = '23505';
  end if;
  if _role = 'team' then
    perform private.tell_admins_about_registration((select email from auth.users where id = _user_id));
  end if;
end
$$;

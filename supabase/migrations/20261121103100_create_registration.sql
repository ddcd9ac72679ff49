-- Registration: everybody takes a role once, team members wait for an admin, and every decision is recorded.

create table public.registration_decisions (
  id uuid primary key default gen_random_uuid(),
  -- The person and the admin may be deleted later; what was decided stays on record.
  user_id uuid references auth.users (id) on delete set null,
  email text not null default '',
  approved boolean not null,
  decided_by uuid references auth.users (id) on delete set null,
  decided_at timestamptz not null default now()
);
create index registration_decisions_user_idx on public.registration_decisions (user_id, decided_at desc);
create index registration_decisions_admin_idx on public.registration_decisions (decided_by);

revoke all on table public.registration_decisions from anon, authenticated;
grant select on table public.registration_decisions to authenticated;
grant all on table public.registration_decisions to service_role;
alter table public.registration_decisions enable row level security;
create policy "Admins read all decisions" on public.registration_decisions
  for select to authenticated using ((select private.is_admin()));

-- Whether the last word about this person was no.
create function private.is_declined(_user_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select coalesce((
    select not approved from public.registration_decisions
    where user_id = _user_id order by decided_at desc limit 1
  ), false)
$$;
revoke all on function private.is_declined(uuid) from public;

create function public.register_with_role(_user_id uuid, _role text) returns void
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
end
$$;
revoke all on function public.register_with_role(uuid, text) from public, anon, authenticated;
grant execute on function public.register_with_role(uuid, text) to authenticated;

-- Whether the signed-in person asked to join the team and was told no.
create function public.registration_declined() returns boolean
language sql stable security definer set search_path = ''
as $$
  select private.is_declined((select private.user_id()))
    and not exists (select from public.user_roles where user_id = (select private.user_id()))
$$;
revoke all on function public.registration_declined() from public, anon, authenticated;
grant execute on function public.registration_declined() to authenticated;

-- Approves or rejects a waiting team member, notes the decision and queues the mail, all or nothing.
create function public.approve_team_member(_user_id uuid, _approved boolean) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  _email text := (select email from auth.users where id = _user_id);
begin
  if not private.is_admin() then
    raise exception 'Only admins decide about registrations.' using errcode = '42501';
  end if;
  if _approved is null then
    raise exception 'A decision is yes or no.' using errcode = '22004';
  end if;
  -- Of two admins who decide at once, the second waits here for the first and then finds nothing that waits.
  if _approved then
    update public.user_roles set approved = true where user_id = _user_id and role = 'team' and not approved;
  else
    delete from public.user_roles where user_id = _user_id and role = 'team' and not approved;
  end if;
  if not found then
    if exists (select from public.registration_decisions where user_id = _user_id) then
      raise exception 'Somebody has decided about this registration already.';
    end if;
    raise exception 'This person is not waiting for approval.';
  end if;
  insert into public.registration_decisions (user_id, email, approved, decided_by)
  values (_user_id, coalesce(_email, ''), _approved, private.user_id());
  if _email <> '' then
    insert into private.mail_queue (recipient, template, variables)
    values (
      _email,
      case when _approved then 'registration_approved' else 'registration_declined' end,
      jsonb_build_object('Email', _email)
    );
  end if;
end
$$;
revoke all on function public.approve_team_member(uuid, boolean) from public, anon, authenticated;
grant execute on function public.approve_team_member(uuid, boolean) to authenticated;

-- The waiting team members with their addresses, which no other call tells. Others than admins get an error.
create function public.pending_team_members() returns table (user_id uuid, email text, created_at timestamptz)
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_admin() then
    raise exception 'Only admins see registrations.' using errcode = '42501';
  end if;
  return query
    select roles.user_id, coalesce(nullif(users.email, ''), 'Unknown')::text, roles.created_at
    from public.user_roles as roles left join auth.users as users on users.id = roles.user_id
    where roles.role = 'team' and not roles.approved
    order by roles.created_at;
end
$$;
revoke all on function public.pending_team_members() from public, anon, authenticated;
grant execute on function public.pending_team_members() to authenticated;

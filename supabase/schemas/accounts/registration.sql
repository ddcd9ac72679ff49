-- Decisions about registrations. Users choose a role once. Team members need approval by an admin.
create table public.registration_decisions (
  id uuid primary key default gen_random_uuid(),
  -- Kept when the account of the person or of the admin is deleted.
  user_id uuid references auth.users (id) on delete set null,
  email text not null default '',
  approved boolean not null,
  decided_by uuid references auth.users (id) on delete set null,
  decided_at timestamptz not null default now()
    constraint registration_decisions_decided_at_calendar check (decided_at between '1900-01-01' and '2999-12-31'),
  -- Time of the registration. Restoring the registration also restores its position in the list.
  registered_at timestamptz
    constraint registration_decisions_registered_at_calendar check (registered_at between '1900-01-01' and '2999-12-31'),
  withdrawn_by uuid references auth.users (id) on delete set null,
  withdrawn_at timestamptz
    constraint registration_decisions_withdrawn_at_calendar check (withdrawn_at between '1900-01-01' and '2999-12-31'),
  -- The role that is restored when the decision is withdrawn.
  role text not null default 'team' check (role in ('client', 'team')),
  -- True if an existing role was revoked, false if a registration was declined.
  revoked boolean not null default false
);
create index registration_decisions_user_idx on public.registration_decisions (user_id, decided_at desc);
create index registration_decisions_admin_idx on public.registration_decisions (decided_by);
create index registration_decisions_withdrawer_idx on public.registration_decisions (withdrawn_by);
create index registration_decisions_time_idx on public.registration_decisions (decided_at desc);
grant select on public.registration_decisions to authenticated;
grant all on public.registration_decisions to service_role;
alter table public.registration_decisions enable row level security;
create policy "Admins read all decisions" on public.registration_decisions for select to authenticated
  using ((select private.is_admin()));

-- Registers the caller with a role, and mails the admins about a new team member.
create function public.register_with_role(_user_id uuid, _role text) returns void
language plpgsql security definer set search_path = '' as $$
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
    raise exception 'You have already registered.' using errcode = '23505';
  end if;
  if _role = 'team' then
    perform private.mail_admins_about_registration((select email from auth.users where id = _user_id));
  end if;
end
$$;
grant execute on function public.register_with_role to authenticated;

-- Returns true if the caller's registration as a team member was declined.
create function public.registration_declined() returns boolean language sql stable security definer set search_path = '' as $$
  select private.is_declined((select private.user_id()))
    and not exists (select from public.user_roles where user_id = (select private.user_id()))
$$;
grant execute on function public.registration_declined to authenticated;

-- Returns true if the person's registration was declined, and the decision was not withdrawn.
create function private.is_declined(_user_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce((
    select not approved and withdrawn_at is null from public.registration_decisions
    where user_id = _user_id order by decided_at desc limit 1
  ), false)
$$;

-- Approves or declines a registration, and mails the person.
create function public.approve_team_member(_user_id uuid, _approved boolean) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _email text := (select email from auth.users where id = _user_id);
  _registered_at timestamptz;
begin
  if not private.is_admin() then
    raise exception 'Only admins can approve or decline registrations.' using errcode = '42501';
  end if;
  if _approved is null then
    raise exception 'The decision must be true or false.' using errcode = '22004';
  end if;
  -- Serialises concurrent decisions: the second caller finds no pending registration.
  perform from public.user_roles where user_id = _user_id for update;
  if _approved then
    update public.user_roles set approved = true where user_id = _user_id and role = 'team' and not approved
    returning created_at into _registered_at;
  else
    delete from public.user_roles where user_id = _user_id and role = 'team' and not approved
    returning created_at into _registered_at;
  end if;
  if not found then
    if exists (select from public.registration_decisions where user_id = _user_id) then
      raise exception 'Someone has already decided on this registration.';
    end if;
    raise exception 'This person is not waiting for approval.';
  end if;
  insert into public.registration_decisions (user_id, email, approved, decided_by, registered_at)
  values (_user_id, coalesce(_email, ''), _approved, private.user_id(), _registered_at);
  perform private.log_account_action(case when _approved then 'approved' else 'declined' end, _user_id, 'team');
  if _approved then
    perform private.mail_about_registration(_email, 'registration_approved');
  else
    perform private.mail_about_registration(_email, 'registration_declined', interval '10 seconds');
  end if;
end
$$;
grant execute on function public.approve_team_member to authenticated;

-- Withdraws a decision. A team member is pending again, and a client is approved again. Returns true if the mail about
-- the decision had not been sent yet.
create function public.restore_team_member(_user_id uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  _decision public.registration_decisions;
  _is_unsent boolean;
begin
  if not private.is_admin() then
    raise exception 'Only admins can approve or decline registrations.' using errcode = '42501';
  end if;
  -- Serialises concurrent calls: the second caller finds no decision to withdraw.
  update public.registration_decisions set withdrawn_at = now(), withdrawn_by = private.user_id()
  where not approved and withdrawn_at is null and id = (
    select id from public.registration_decisions where user_id = _user_id order by decided_at desc limit 1
  )
  returning * into _decision;
  if not found then
    raise exception 'This registration has not been declined.';
  end if;
  insert into public.user_roles (user_id, role, approved, created_at)
  values (_user_id, _decision.role, _decision.role = 'client', coalesce(_decision.registered_at, now()))
  on conflict (user_id) do nothing;
  if not found then
    raise exception 'This person already has a role.';
  end if;
  perform private.log_account_action('restored', _user_id, _decision.role);
  with withdrawn as (
    delete from private.mail_queue where recipient = _decision.email and template = 'registration_declined'
    returning attempts
  )
  -- After a delivery attempt the mail may have arrived. A revoked role has no mail.
  select coalesce(bool_and(attempts = 0), false) into _is_unsent from withdrawn;
  return _is_unsent;
end
$$;
grant execute on function public.restore_team_member to authenticated;

create function private.mail_about_registration(_email text, _template text, _after interval default '00:00:00') returns void
language sql security definer set search_path = '' as $$
  insert into private.mail_queue (recipient, template, variables, next_attempt_at)
  select _email, _template, jsonb_build_object('Email', _email), now() + _after where _email <> ''
$$;

create function private.mail_admins_about_registration(_email text) returns void
language plpgsql security definer set search_path = '' as $$
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

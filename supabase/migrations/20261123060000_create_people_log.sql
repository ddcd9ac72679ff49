-- What admins do to accounts, and who did it when. Rows name people by id only, so that the record outlives an account
-- and then tells no more than that id.

create table public.people_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  -- No references: both may be deleted later. Null where no person did it, such as the service role.
  actor_id uuid,
  person_id uuid,
  action text not null check (action in (
    'invited', 'approved', 'declined', 'restored', 'made_client', 'revoked', 'ended_sessions', 'reset_factors',
    'downloaded_data', 'deleted', 'deleted_own_account'
  )),
  -- The role before or after, where the action is about one.
  role text check (role in ('client', 'team', 'admin'))
);
create index people_log_person_idx on public.people_log (person_id, at desc);
create index people_log_time_idx on public.people_log (at desc);

revoke all on table public.people_log from anon, authenticated;
grant select on table public.people_log to authenticated;
revoke all on table public.people_log from service_role;
grant select on table public.people_log to service_role;
alter table public.people_log enable row level security;
create policy "Admins read what was done to accounts" on public.people_log
  for select to authenticated using ((select private.is_admin()));

create function private.note_act(_action text, _person_id uuid, _role text default null) returns void
language sql security definer set search_path = ''
as $$
  insert into public.people_log (actor_id, person_id, action, role)
  values (private.user_id(), _person_id, _action, _role)
$$;
revoke all on function private.note_act(text, uuid, text) from public;

-- One at a time changes who is an admin, so that of two admins who remove each other at once one remains.
create function private.lock_admins() returns void
language sql security definer set search_path = ''
as $$
  select from public.user_roles where role = 'admin' order by user_id for update
$$;
revoke all on function private.lock_admins() from public;

-- Opens every act of an admin on the account of somebody else. Because nobody acts on their own account here, and who acts
-- is an admin while the lock is held, no act removes the last admin.
create function private.begin_act_on(_user_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  perform private.lock_admins();
  -- Somebody else may have been faster.
  perform private.require_admin();
  if _user_id = private.user_id() then
    raise exception 'This is your own account. You manage it on your account page.';
  end if;
  if not exists (select from auth.users where id = _user_id) then
    raise exception 'There is no such account any more.';
  end if;
end
$$;
revoke all on function private.begin_act_on(uuid) from public;

alter table public.registration_decisions
  -- What the person is again when a no is taken back.
  add column role text not null default 'team' check (role in ('client', 'team')),
  -- Whether the person had the role already when it was taken from them.
  add column revoked boolean not null default false;

insert into public.people_log (at, actor_id, person_id, action, role)
  select decided_at, decided_by, user_id, case when approved then 'approved' else 'declined' end, 'team'
  from public.registration_decisions where user_id is not null
  union all
  select withdrawn_at, withdrawn_by, user_id, 'restored', 'team'
  from public.registration_decisions where user_id is not null and withdrawn_at is not null
  order by 1;

-- As before, and notes it in the log.
create or replace function public.approve_team_member(_user_id uuid, _approved boolean) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  _email text := (select email from auth.users where id = _user_id);
  _registered_at timestamptz;
begin
  if not private.is_admin() then
    raise exception 'Only admins decide about registrations.' using errcode = '42501';
  end if;
  if _approved is null then
    raise exception 'A decision is yes or no.' using errcode = '22004';
  end if;
  -- Of two admins who decide at once, the second waits here for the first and then finds nothing that waits.
  if _approved then
    update public.user_roles set approved = true where user_id = _user_id and role = 'team' and not approved
    returning created_at into _registered_at;
  else
    delete from public.user_roles where user_id = _user_id and role = 'team' and not approved
    returning created_at into _registered_at;
  end if;
  if not found then
    if exists (select from public.registration_decisions where user_id = _user_id) then
      raise exception 'Somebody has decided about this registration already.';
    end if;
    raise exception 'This person is not waiting for approval.';
  end if;
  insert into public.registration_decisions (user_id, email, approved, decided_by, registered_at)
  values (_user_id, coalesce(_email, ''), _approved, private.user_id(), _registered_at);
  perform private.note_act(case when _approved then 'approved' else 'declined' end, _user_id, 'team');
  if _email <> '' then
    insert into private.mail_queue (recipient, template, variables, next_attempt_at)
    values (
      _email,
      case when _approved then 'registration_approved' else 'registration_declined' end,
      jsonb_build_object('Email', _email),
      case when _approved then now() else now() + interval '10 seconds' end
    );
  end if;
end
$$;

-- Takes the no about a person back: a team member waits for a decision again, a client is in again. True when the mail
-- about it had not left.
create or replace function public.restore_team_member(_user_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  _decision public.registration_decisions;
  _untold boolean;
begin
  if not private.is_admin() then
    raise exception 'Only admins decide about registrations.' using errcode = '42501';
  end if;
  -- Of two admins who restore at once, the second waits here for the first and then finds nothing to withdraw.
  update public.registration_decisions set withdrawn_at = now(), withdrawn_by = private.user_id()
  where not approved and withdrawn_at is null and id = (
    select id from public.registration_decisions where user_id = _user_id order by decided_at desc limit 1
  )
  returning * into _decision;
  if not found then
    raise exception 'This person is not declined.';
  end if;
  insert into public.user_roles (user_id, role, approved, created_at)
  values (_user_id, _decision.role, _decision.role = 'client', coalesce(_decision.registered_at, now()))
  on conflict (user_id) do nothing;
  if not found then
    raise exception 'This person has a role already.';
  end if;
  perform private.note_act('restored', _user_id, _decision.role);
  with withdrawn as (
    delete from private.mail_queue where recipient = _decision.email and template = 'registration_declined'
    returning attempts
  )
  -- A mail that was tried may have arrived; of a role that was revoked there is none.
  select coalesce(bool_and(attempts = 0), false) into _untold from withdrawn;
  return _untold;
end
$$;

-- A rejection can be taken back. Its mail waits some seconds, so that a slip is undone before anybody hears of it; later
-- the person is put back on the list all the same. Who took it back, and when, stays on record with the decision.

alter table public.registration_decisions
  -- When the person had registered; they get their old place on the list back.
  add column registered_at timestamptz,
  add column withdrawn_by uuid references auth.users (id) on delete set null,
  add column withdrawn_at timestamptz;
create index registration_decisions_withdrawer_idx on public.registration_decisions (withdrawn_by);
create index registration_decisions_time_idx on public.registration_decisions (decided_at desc);

-- Whether the last word about this person was no, and still is.
create or replace function private.is_declined(_user_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select coalesce((
    select not approved and withdrawn_at is null from public.registration_decisions
    where user_id = _user_id order by decided_at desc limit 1
  ), false)
$$;

-- Approves or rejects a waiting team member, notes the decision and queues the mail, all or nothing. The mail about a
-- rejection leaves after ten seconds.
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

-- Takes the rejection of a person back: they wait for a decision again. True when the mail about it had not left.
create function public.restore_team_member(_user_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  _email text;
  _registered_at timestamptz;
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
  returning email, registered_at into _email, _registered_at;
  if not found then
    raise exception 'This person is not declined.';
  end if;
  insert into public.user_roles (user_id, role, approved, created_at)
  values (_user_id, 'team', false, coalesce(_registered_at, now()))
  on conflict (user_id) do nothing;
  if not found then
    raise exception 'This person has a role already.';
  end if;
  with withdrawn as (
    delete from private.mail_queue where recipient = _email and template = 'registration_declined' returning attempts
  )
  -- A mail that was tried may have arrived.
  select coalesce(bool_and(attempts = 0), false) into _untold from withdrawn;
  return _untold;
end
$$;
revoke all on function public.restore_team_member(uuid) from public, anon, authenticated;
grant execute on function public.restore_team_member(uuid) to authenticated;

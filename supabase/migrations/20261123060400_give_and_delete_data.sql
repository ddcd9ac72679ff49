-- Everything that names a person: as JSON, and deleted. Chats belong to whoever holds their id and to no account
-- (docs/decisions/0014-chat-privacy.md), so theirs are those in which somebody wrote their address.

-- The conversations that contain an address, whole and not as a part of a longer one.
create function private.chats_naming(_email text) returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select distinct conversation_id from public.chat_messages
  where _email <> '' and position(lower(_email) in lower(content)) > 0 and lower(content) ~ (
    '(?<![[:alnum:]_%+-])(?<![[:alnum:]][.])'
    || regexp_replace(lower(_email), '([!$()*+.:<=>?[\\\]^{|}-])', '\\\1', 'g')
    || '(?![[:alnum:]]|[.-][[:alnum:]])'
  )
$$;
revoke all on function private.chats_naming(text) from public;

-- How many chats go with an account.
create function public.count_chats_naming(_user_id uuid) returns integer
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return (select count(*) from auth.users, private.chats_naming(users.email) where users.id = _user_id);
end
$$;
revoke all on function public.count_chats_naming(uuid) from public, anon, authenticated;
grant execute on function public.count_chats_naming(uuid) to authenticated;

-- The entries of the authentication service's log that are about an account.
create function private.audit_entries_of(_user_id uuid) returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select entry.id from auth.audit_log_entries as entry, auth.users as person
  where person.id = _user_id and (
    entry.payload ->> 'actor_id' = person.id::text
    or entry.payload -> 'traits' ->> 'user_id' = person.id::text
    or (person.email <> '' and lower(person.email) in (
      lower(entry.payload ->> 'actor_username'), lower(entry.payload -> 'traits' ->> 'user_email')
    ))
  )
$$;
revoke all on function private.audit_entries_of(uuid) from public;

-- What others than the person did is told without who did it.
create function private.data_of(_user_id uuid, _with_chats boolean) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'account', private.account_of(person.id) || jsonb_build_object(
      'user_metadata', person.raw_user_meta_data, 'app_metadata', person.raw_app_meta_data
    ),
    'role', (select to_jsonb(roles) - 'user_id' from public.user_roles as roles where user_id = person.id),
    'decisions', coalesce((
      select jsonb_agg(jsonb_build_object(
        'approved', approved, 'revoked', revoked, 'role', role, 'decided_at', decided_at,
        'registered_at', registered_at, 'withdrawn_at', withdrawn_at
      ) order by decided_at)
      from public.registration_decisions where user_id = person.id
    ), '[]'),
    'acts_on_the_account', coalesce((
      select jsonb_agg(jsonb_build_object('at', at, 'action', action, 'role', role) order by at)
      from public.people_log where person_id = person.id
    ), '[]'),
    'acts_on_other_accounts', coalesce((
      select jsonb_agg(jsonb_build_object('at', at, 'action', action, 'role', role) order by at)
      from public.people_log where actor_id = person.id and person_id is distinct from person.id
    ), '[]'),
    'mails_waiting', coalesce((
      select jsonb_agg(jsonb_build_object('template', template, 'created_at', created_at) order by created_at)
      from private.mail_queue where lower(recipient) = lower(person.email)
    ), '[]'),
    'files', coalesce((
      select jsonb_agg(jsonb_build_object(
        'bucket', bucket_id, 'name', name, 'metadata', metadata, 'user_metadata', user_metadata, 'created_at', created_at
      ) order by created_at)
      from storage.objects where owner_id = person.id::text or owner = person.id
    ), '[]'),
    'log_of_the_authentication_service', coalesce((
      select jsonb_agg(jsonb_build_object(
        'at', entry.created_at, 'action', entry.payload ->> 'action', 'ip_address', entry.ip_address
      ) order by entry.created_at)
      from auth.audit_log_entries as entry where entry.id in (select private.audit_entries_of(person.id))
    ), '[]'),
    -- Null where they were left out.
    'chats', case when _with_chats then coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', chat.id, 'created_at', chat.created_at, 'messages', (
          select jsonb_agg(jsonb_build_object('role', role, 'content', content, 'created_at', created_at)
            order by created_at)
          from public.chat_messages where conversation_id = chat.id
        )
      ) order by chat.created_at)
      from public.conversations as chat where chat.id in (select private.chats_naming(person.email))
    ), '[]') end
  )
  from auth.users as person where person.id = _user_id
$$;
revoke all on function private.data_of(uuid, boolean) from public;

-- Whether this session began with a mail to the address that the account has now. A password does not tell: where sign-ups
-- are confirmed without a mail, anybody signs up with anybody's address. Nor does a code that came by phone.
create function private.has_proven_mailbox() returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from auth.users as person join auth.mfa_amr_claims as claim
      on claim.session_id = ((select auth.jwt()) ->> 'session_id')::uuid
    where person.id = (select private.user_id()) and person.email <> '' and person.email_confirmed_at is not null
      and (
        claim.authentication_method in ('magiclink', 'recovery', 'invite', 'email/signup')
        or (claim.authentication_method = 'otp' and coalesce(person.phone, '') = '')
      )
      -- The address was not changed since.
      and not exists (
        select from auth.identities
        where user_id = person.id and provider = 'email' and updated_at > claim.updated_at
      )
  )
$$;
revoke all on function private.has_proven_mailbox() from public;

create function public.export_person(_user_id uuid) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  _data jsonb;
begin
  perform private.require_admin();
  _data := private.data_of(_user_id, true);
  if _data is null then
    raise exception 'There is no such account any more.';
  end if;
  perform private.note_act('downloaded_data', _user_id);
  return _data;
end
$$;
revoke all on function public.export_person(uuid) from public, anon, authenticated;
grant execute on function public.export_person(uuid) to authenticated;

-- One's own data. Chats are found by the address, so only a session that proves it gets them: anybody may have signed up
-- with it, and chats are what other people wrote.
create function public.my_data() returns jsonb
language plpgsql security definer set search_path = ''
as $$
begin
  if private.user_id() is null then
    raise exception 'Please sign in first.' using errcode = '42501';
  end if;
  if not private.count_for_address('my data', private.client_address(), 30, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'That was a lot at once. Please wait an hour.';
  end if;
  return private.data_of(private.user_id(), private.has_proven_mailbox());
end
$$;
revoke all on function public.my_data() from public, anon, authenticated;
grant execute on function public.my_data() to authenticated;

-- Deletes an account and what names its person elsewhere. Files stay, since pages show them, without who uploaded them.
create function private.forget_person(_user_id uuid, _with_chats boolean) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  _email constant text := coalesce((select lower(email) from auth.users where id = _user_id), '');
begin
  if _with_chats then
    delete from public.conversations where id in (select private.chats_naming(_email));
  end if;
  delete from private.mail_queue where _email <> '' and (
    lower(recipient) = _email or lower(variables ->> 'Email') = _email or lower(variables ->> 'NewEmail') = _email
  );
  update public.registration_decisions set email = ''
  where user_id = _user_id or (_email <> '' and lower(email) = _email);
  update storage.objects set owner = null, owner_id = null where owner_id = _user_id::text or owner = _user_id;
  delete from auth.audit_log_entries where id in (select private.audit_entries_of(_user_id));
  delete from auth.flow_state where user_id = _user_id;
  perform private.end_sessions_of(_user_id);
  delete from auth.users where id = _user_id;
end
$$;
revoke all on function private.forget_person(uuid, boolean) from public;

create function public.delete_person(_user_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.begin_act_on(_user_id);
  perform private.note_act('deleted', _user_id, (select role from public.user_roles where user_id = _user_id));
  perform private.forget_person(_user_id, true);
end
$$;
revoke all on function public.delete_person(uuid) from public, anon, authenticated;
grant execute on function public.delete_person(uuid) to authenticated;

-- Whether the person has shown within five minutes, in this session, that it is them: by signing in to it, or by a factor.
-- Who has factors shows one.
create function private.has_just_proven_identity() returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from auth.sessions as session join auth.mfa_amr_claims as claim on claim.session_id = session.id
    where session.id = ((select auth.jwt()) ->> 'session_id')::uuid and session.user_id = (select private.user_id())
      and claim.authentication_method <> 'token_refresh'
      and claim.updated_at > now() - interval '5 minutes'
      and (session.aal::text <> 'aal1' or not exists (
        select from auth.mfa_factors where user_id = session.user_id and status = 'verified'
      ))
  )
$$;
revoke all on function private.has_just_proven_identity() from public;

-- A session that was found or stolen is not enough: it began too long ago, and refreshing does not make it younger.
create function public.delete_my_account() returns void
language plpgsql security definer set search_path = ''
as $$
declare
  _id constant uuid := private.user_id();
  _role text;
begin
  if _id is null then
    raise exception 'Please sign in first.' using errcode = '42501';
  end if;
  if not private.has_just_proven_identity() then
    raise exception 'Please show that it is you: sign in again, then delete the account within five minutes.';
  end if;
  perform private.lock_admins();
  select role into _role from public.user_roles where user_id = _id and approved;
  if _role = 'admin'
    and not exists (select from public.user_roles where role = 'admin' and approved and user_id <> _id) then
    raise exception 'You are the last admin. Make somebody else an admin first.';
  end if;
  perform private.note_act('deleted_own_account', _id, _role);
  perform private.forget_person(_id, private.has_proven_mailbox());
end
$$;
revoke all on function public.delete_my_account() from public, anon, authenticated;
grant execute on function public.delete_my_account() to authenticated;

-- An invitation creates the account with its role and without a password. Only the link in the mail opens the account,
-- and the address cannot be used for another sign-up.

-- Returns false if the authentication service must send the link.
create function public.invite_person(_email text, _role text) returns boolean
language sql security definer set search_path = '' as $$
  select private.mail_invitation(private.create_invited_account(_email, _role), _role)
$$;
grant execute on function public.invite_person to authenticated;

-- Queues the mail about access to a client, or about an account without one. Returns false if the authentication
-- service must send the link.
create function private.mail_invitation(
  _user_id uuid, _role text, _client_id uuid default null, _kind text default null
) returns boolean language plpgsql security definer set search_path = '' as $$
declare
  _email constant text := (select email from auth.users where id = _user_id);
  _client constant text := (select name from public.clients where id = _client_id);
  _is_verified constant boolean := private.has_verified_address(_user_id);
  _link text;
  _code text;
begin
  if coalesce(_email, '') = '' then
    return true;
  elsif not private.count_for_subject('invitation mail', lower(_email), 20, interval '1 day') then
    raise exception '20 invitations were sent to this address today. Try again tomorrow.' using errcode = 'P0001';
  end if;
  if not _is_verified then
    select made.link, made.code into _link, _code from private.new_sign_in_link(_user_id, lower(_email)) as made;
    if _link is null then
      return false;
    end if;
  end if;
  insert into private.mail_queue (recipient, template, variables)
  values (_email, case when _is_verified then 'client_added' else 'invitation' end, jsonb_build_object(
    'Email', _email,
    'Inviter', coalesce(nullif(private.display_name(private.user_id(), true), ''), 'Our team'),
    'Place', case when _client is not null then 'the client portal of ' || _client
      when _role = 'team' then 'the team' else 'the client portal' end,
    'Reason', case
      when _kind = 'approver'
        then 'You can follow your campaigns, approve texts and lists before we use them, and confirm meetings.'
      when _kind = 'viewer' then 'You can follow your campaigns and read reports and shared files.'
      when _role = 'team' then 'You can use the team dashboard. An admin assigns clients to you.'
      else 'You will have an account with your own dashboard.'
    end,
    'Message', case when _client_id is null then '' else private.pending_client_tasks(_client_id) end,
    'RedirectTo', case
      when _client_id is not null then '/client-dashboard?client=' || _client_id
      when _role = 'team' then '/team-dashboard' else '/client-dashboard'
    end
  ) || case when _link is null then '{}' else jsonb_build_object('TokenHash', _link, 'Token', _code) end);
  return true;
end
$$;

-- Creates the account of an invited person. Returns the existing account if the person has not signed in yet.
create function private.create_invited_account(_email text, _role text) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  _address constant text := lower(trim(_email));
  _id uuid := gen_random_uuid();
  _claims constant jsonb := jsonb_build_object(
    'sub', _id, 'email', _address, 'email_verified', true, 'phone_verified', false
  );
begin
  perform private.require_admin();
  if _role is null or _role not in ('client', 'team') then
    raise exception 'Choose a role for the invitation: client or team member.' using errcode = '22023';
  end if;
  if _address is null or _address !~ '^[^@[:space:][:cntrl:]]+@[^@[:space:][:cntrl:]]+$' or length(_address) > 255 then
    raise exception 'Invalid email address' using errcode = '22023';
  end if;
  insert into auth.users (
    instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, invited_at,
    confirmation_token, recovery_token, email_change_token_new, email_change,
    raw_app_meta_data, raw_user_meta_data, created_at, updated_at
  ) values (
    '00000000-0000-0000-0000-000000000000', _id, 'authenticated', 'authenticated', _address, '', now(), now(),
    '', '', '', '', '{"provider": "email", "providers": ["email"]}', _claims, now(), now()
  ) on conflict (email) where is_sso_user = false do nothing;
  if found then
    insert into auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
    values (_id::text, _id, _claims, 'email', now(), now());
  else
    select id into _id from auth.users
    where email = _address and not is_sso_user and invited_at is not null and last_sign_in_at is null;
    if not found then
      raise exception 'This address already has an account. Find it in the list and change its role there.'
        using errcode = '23505';
    end if;
  end if;
  -- Does not demote an invited admin who has not signed in yet.
  insert into public.user_roles as roles (user_id, role, approved) values (_id, _role, true)
  on conflict (user_id) do update set role = excluded.role, approved = true where roles.role <> 'admin';
  perform private.log_account_action('invited', _id, _role);
  return _id;
end
$$;

-- Stores a link and a code that sign in for seven days. Returns null on a Supabase project, which sends its own links.
create function private.new_sign_in_link(_user_id uuid, _address text, out link text, out code text) returns record
language plpgsql security definer set search_path = '' as $$
declare
  _id constant uuid := gen_random_uuid();
begin
  if to_regclass('backend.mailed_tokens') is null then
    return;
  end if;
  link := replace(gen_random_uuid()::text || gen_random_uuid(), '-', '');
  -- The first 32 bits of a version 4 UUID are random.
  code := lpad((('x' || left(gen_random_uuid()::text, 8))::bit(32)::bigint % 1000000)::text, 6, '0');
  execute $sql$
    insert into backend.mailed_tokens (id, user_id, token_type, recipient, link_hash, code_hash, expires_at)
    values ($1, $2, 'confirmation_token', $3, $4, $5, now() + interval '7 days')
  $sql$ using _id, _user_id, _address, encode(sha256(convert_to(link, 'UTF8')), 'hex'),
    encode(sha256(convert_to(_id || code, 'UTF8')), 'hex');
end
$$;

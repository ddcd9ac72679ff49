-- An invitation makes the account, with its role and without a password, so that nothing but a mail to its address opens it
-- and nobody can sign up with the address meanwhile. The mail is an ordinary sign-in link of the authentication service,
-- which the admin's browser asks for (docs/decisions/0039-people.md). Somebody who has not come yet is invited again.

create function public.invite_person(_email text, _role text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  _address constant text := lower(trim(_email));
  _id uuid := gen_random_uuid();
  _claims constant jsonb := jsonb_build_object(
    'sub', _id, 'email', _address, 'email_verified', true, 'phone_verified', false
  );
begin
  perform private.require_admin();
  if _role is null or _role not in ('client', 'team') then
    raise exception 'People are invited as clients or as team members.' using errcode = '22023';
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
      raise exception 'This address has an account already. Find it in the list and change its role there.'
        using errcode = '23505';
    end if;
  end if;
  -- Never lowers an admin who has not come yet.
  insert into public.user_roles as roles (user_id, role, approved) values (_id, _role, true)
  on conflict (user_id) do update set role = excluded.role, approved = true where roles.role <> 'admin';
  perform private.note_act('invited', _id, _role);
end
$$;
revoke all on function public.invite_person(text, text) from public, anon, authenticated;
grant execute on function public.invite_person(text, text) to authenticated;

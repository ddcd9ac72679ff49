-- Called by authenticated.
CREATE OR REPLACE FUNCTION public.approve_team_member(_user_id uuid, _approved boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
      raise exception 'Somebody has decided about this registration already.';
    end if;
    raise exception 'This person is not waiting for approval.';
  end if;
  insert into public.registration_decisions (user_id, email, approved, decided_by, registered_at)
  values (_user_id, coalesce(_email, ''), _approved, private.user_id(), _registered_at);
  perform private.note_act(case when _approved then 'approved' else 'declined' end, _user_id, 'team');
  if _approved then
    perform private.mail_about_registration(_email, 'registration_approved');
  else
    perform private.mail_about_registration(_email, 'registration_declined', interval '10 seconds');
  end if;
end
$function$;

-- Called by authenticated.
CREATE OR REPLACE FUNCTION public.delete_person(_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.begin_act_on(_user_id);
  perform private.note_act('deleted', _user_id, (select role from public.user_roles where user_id = _user_id));
  perform private.forget_person(_user_id, true);
end
$function$;

-- Called by authenticated.
CREATE OR REPLACE FUNCTION public.end_person_sessions(_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.begin_act_on(_user_id);
  perform private.end_sessions_of(_user_id);
  perform private.note_act('ended_sessions', _user_id);
end
$function$;

-- Called by authenticated.
CREATE OR REPLACE FUNCTION public.export_person(_user_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by authenticated.
CREATE OR REPLACE FUNCTION public.invite_person(_email text, _role text)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.mail_invitation(private.create_invited_account(_email, _role), _role)
$function$;

-- Called by authenticated.
CREATE OR REPLACE FUNCTION public.list_people(_search text DEFAULT ''::text, _standing text DEFAULT ''::text, _limit integer DEFAULT 24, _offset integer DEFAULT 0)
 RETURNS TABLE(id uuid, email text, name text, standing text, created_at timestamp with time zone, last_sign_in_at timestamp with time zone, invited boolean, factors integer, sessions integer, total integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _found text := concat_ws(' and ',
    'select person.id, person.created_at from auth.users as person
       left join public.user_roles as place on place.user_id = person.id
     where person.deleted_at is null',
    case when trim(_search) <> '' then 'position($1 in lower(
      concat_ws('' '', person.email, person.phone, person.raw_user_meta_data ->> ''name'',
        case when coalesce(person.raw_user_meta_data ->> ''name'', '''') = '''' then person.raw_user_meta_data ->> ''full_name'' end)
    )) > 0' end,
    case _standing
      when '' then null
      when 'invited' then 'person.invited_at is not null and person.last_sign_in_at is null'
      when 'declined' then 'place.role is null and person.id in (select user_id from declined)'
      when 'none' then 'place.role is null and person.id not in (select user_id from declined)'
      else '$2 = case when place.approved then place.role else ''pending'' end and place.role is not null'
    end);
  _ids uuid[];
  _total integer;
  _first constant integer := greatest(_offset, 0);
  _length constant integer := least(greatest(_limit, 1), 200);
begin
  perform private.require_admin();
  if trim(_search) = '' and _standing = '' then
    select count(*) into _total from auth.users as person where person.deleted_at is null;
    if _first > _total - _first then
      _ids := array(
        select person.id from auth.users as person where person.deleted_at is null
        order by person.created_at nulls first, person.id desc
        limit least(_length, greatest(_total - _first, 0)) offset greatest(_total - _first - _length, 0)
      );
    else
      _ids := array(
        select person.id from auth.users as person where person.deleted_at is null
        order by person.created_at desc nulls last, person.id limit _length offset _first
      );
    end if;
  else
    execute format(
      'with declined as materialized (
         select last.user_id from (
           select distinct on (decision.user_id) decision.user_id, decision.approved, decision.withdrawn_at
           from public.registration_decisions as decision order by decision.user_id, decision.decided_at desc
         ) as last
         where not last.approved and last.withdrawn_at is null
       ), found as materialized (%s)
       select (select count(*) from found), array(
         select id from found order by created_at desc nulls last, id limit $3 offset $4
       )', _found
    ) into _total, _ids using lower(trim(_search)), _standing, _length, _first;
  end if;
  return query
    select person.id, coalesce(nullif(person.email, ''), person.phone, '')::text,
      private.name_of(person.raw_user_meta_data), private.standing(person.id), person.created_at, person.last_sign_in_at,
      person.invited_at is not null and person.last_sign_in_at is null,
      (
        select count(*)::integer from auth.mfa_factors
        where user_id = person.id and status = 'verified' and factor_type::text <> 'recovery_code'
      ),
      (select count(*)::integer from private.sessions_of(person.id)),
      _total
    from auth.users as person where person.id = any (_ids)
    order by person.created_at desc nulls last, person.id;
end
$function$;

-- Called by authenticated.
CREATE OR REPLACE FUNCTION public.make_admin(_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _role text;
begin
  perform private.begin_act_on(_user_id);
  select role into _role from public.user_roles where user_id = _user_id and approved for update;
  if not found then
    raise exception 'Only clients and approved team members can become admins.';
  elsif _role = 'admin' then
    raise exception 'This person is an admin already.';
  elsif not private.has_proven_address(_user_id) then
    raise exception 'This person has not confirmed their address. Only people with a confirmed address can become admins.';
  end if;
  update public.user_roles set role = 'admin' where user_id = _user_id;
  -- Admins work for every client, so they cannot decide as one of its people.
  delete from public.client_members where user_id = _user_id;
  delete from public.client_invitations where user_id = _user_id;
  perform private.note_act('made_admin', _user_id, 'admin');
  insert into private.mail_queue (recipient, template, variables)
  select told.email, 'admin_added', jsonb_build_object(
    'Email', told.email, 'Name', added.email, 'Inviter', coalesce(private.shown_name(private.user_id(), true), 'The owner'),
    'UserId', _user_id
  )
  from auth.users as added, public.user_roles as roles join auth.users as told on told.id = roles.user_id
  where added.id = _user_id and roles.role = 'admin' and roles.approved and told.email <> '';
end
$function$;

-- Called by authenticated.
CREATE OR REPLACE FUNCTION public.make_client(_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _email constant text := (select email from auth.users where id = _user_id);
begin
  perform private.begin_act_on(_user_id);
  insert into public.user_roles as roles (user_id, role, approved) values (_user_id, 'client', true)
  on conflict (user_id) do update set role = 'client', approved = true where roles.role <> 'client' or not roles.approved;
  if not found then
    raise exception 'This person is a client already.';
  end if;
  -- A no that still stood is taken back, with the mail about it.
  update public.registration_decisions set withdrawn_at = now(), withdrawn_by = private.user_id()
  where user_id = _user_id and not approved and withdrawn_at is null;
  delete from private.mail_queue where recipient = _email and template = 'registration_declined';
  perform private.note_act('made_client', _user_id, 'client');
end
$function$;

-- Called by authenticated.
CREATE OR REPLACE FUNCTION public.read_person(_user_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_admin();
  return private.account_of(_user_id);
end
$function$;

-- Called by authenticated.
CREATE OR REPLACE FUNCTION public.register_with_role(_user_id uuid, _role text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by authenticated.
CREATE OR REPLACE FUNCTION public.registration_declined()
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.is_declined((select private.user_id()))
    and not exists (select from public.user_roles where user_id = (select private.user_id()))
$function$;

-- Called by authenticated.
CREATE OR REPLACE FUNCTION public.restore_team_member(_user_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by authenticated.
CREATE OR REPLACE FUNCTION public.revoke_access(_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _role text;
  _registered_at timestamptz;
begin
  perform private.begin_act_on(_user_id);
  delete from public.user_roles where user_id = _user_id and role in ('client', 'team') and approved
  returning role, created_at into _role, _registered_at;
  if not found then
    raise exception 'Only the access of clients and approved team members can be revoked.';
  end if;
  insert into public.registration_decisions (user_id, email, approved, revoked, role, decided_by, registered_at)
  select id, coalesce(email, ''), false, true, _role, private.user_id(), _registered_at
  from auth.users where id = _user_id;
  perform private.note_act('revoked', _user_id, _role);
end
$function$;

-- Called by authenticated.
CREATE OR REPLACE FUNCTION public.user_emails(_user_ids uuid[])
 RETURNS TABLE(user_id uuid, email text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.is_admin() then
    raise exception 'Only admins look up addresses.' using errcode = '42501';
  end if;
  return query
    select users.id, users.email::text from auth.users as users
    where users.id = any(_user_ids) and users.email <> '';
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.acts_on_others_of(_user_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('at', at, 'action', action, 'role', role) order by at), '[]')
  from public.people_log where actor_id = _user_id and person_id is distinct from _user_id
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.approval_version_hash(_version approval_versions, _file_sha256 text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select case when _version.file_id is null then encode(sha256(convert_to(_version.text, 'UTF8')), 'hex') else _file_sha256 end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.begin_act_on(_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by anon, authenticated, service_role.
CREATE OR REPLACE FUNCTION private.is_admin()
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$ select private.has_admin_rights((select private.user_id())) $function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.is_declined(_user_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce((
    select not approved and withdrawn_at is null from public.registration_decisions
    where user_id = _user_id order by decided_at desc limit 1
  ), false)
$function$;

-- Called by anon, authenticated, service_role.
CREATE OR REPLACE FUNCTION private.is_team()
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (
    select from public.user_roles
    where user_id = (select private.user_id()) and role = 'team' and approved
  )
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.lock_admins()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select from public.user_roles where role = 'admin' order by user_id for update
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.mail_about_registration(_email text, _template text, _after interval DEFAULT '00:00:00'::interval)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into private.mail_queue (recipient, template, variables, next_attempt_at)
  select _email, _template, jsonb_build_object('Email', _email), now() + _after where _email <> ''
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.mail_invitation(_user_id uuid, _role text, _client_id uuid DEFAULT NULL::uuid, _kind text DEFAULT NULL::text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _email constant text := (select email from auth.users where id = _user_id);
  _client constant text := (select name from public.clients where id = _client_id);
  _is_proven constant boolean := private.has_proven_address(_user_id);
  _link text;
  _code text;
begin
  if coalesce(_email, '') = '' then
    return true;
  elsif not private.count_for_subject('invitation mail', lower(_email), 20, interval '1 day') then
    raise exception 'This address got 20 invitations today. Try again tomorrow.' using errcode = 'P0001';
  end if;
  if not _is_proven then
    select made.link, made.code into _link, _code from private.new_sign_in_link(_user_id, lower(_email)) as made;
    if _link is null then
      return false;
    end if;
  end if;
  insert into private.mail_queue (recipient, template, variables)
  values (_email, case when _is_proven then 'client_added' else 'invitation' end, jsonb_build_object(
    'Email', _email,
    'Inviter', coalesce(nullif(private.shown_name(private.user_id(), true), ''), 'Our team'),
    'Place', case when _client is not null then 'the client portal of ' || _client
      when _role = 'team' then 'the team' else 'the client portal' end,
    'Reason', case
      when _kind = 'approver'
        then 'You can see how your campaigns are doing, approve texts and lists before we use them, and confirm meetings.'
      when _kind = 'viewer' then 'You can see how your campaigns are doing, and read reports and everything else that we share.'
      when _role = 'team' then 'You get the team dashboard, with the clients that an admin assigns to you.'
      else 'You get an account with its own dashboard.'
    end,
    'Message', case when _client_id is null then '' else private.waiting_at_client(_client_id) end,
    'RedirectTo', case
      when _client_id is not null then '/client-dashboard?client=' || _client_id
      when _role = 'team' then '/team-dashboard' else '/client-dashboard'
    end
  ) || case when _link is null then '{}' else jsonb_build_object('TokenHash', _link, 'Token', _code) end);
  return true;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.new_sign_in_link(_user_id uuid, _address text, OUT link text, OUT code text)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.note_act(_action text, _person_id uuid, _role text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.refuse_applications();
  insert into public.people_log (actor_id, person_id, action, role)
  values (private.user_id(), _person_id, _action, _role);
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.people_named(_query text)
 RETURNS TABLE(id uuid, told text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _typed constant text := lower(trim(left(_query, 200)));
  _people constant text := $people$
    select person.id, told from auth.users as person cross join lateral (select left(concat_ws(' ',
      nullif(private.name_of(person.raw_user_meta_data), ''), nullif(person.email, ''), nullif(person.phone, '')
    ), 300)) as names (told)
    where person.deleted_at is null and %s order by told, person.id limit 5
  $people$;
begin
  return query execute format(_people, 'position($1 in lower(told)) > 0') using _typed;
  if not found and private.trigram_schema() is not null then
    return query execute format(
      _people, format('%I.word_similarity($1, lower(told)) >= 0.5', private.trigram_schema())
    ) using _typed;
  end if;
end
$function$;

-- Called by authenticated, service_role.
CREATE OR REPLACE FUNCTION private.require_admin()
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.is_admin() and (select auth.role()) is distinct from 'service_role' then
    raise exception 'Only admins may do this' using errcode = '42501';
  end if;
end
$function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.role_of_person(_user_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$ select to_jsonb(roles) - 'user_id' from public.user_roles as roles where user_id = _user_id $function$;

-- Called by nobody but its owner.
CREATE OR REPLACE FUNCTION private.tell_admins_about_registration(_email text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

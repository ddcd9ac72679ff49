-- Log of actions of admins on accounts. Rows hold ids only, so that they can outlive an account.
create table public.people_log (
  id bigint primary key generated always as identity,
  at timestamptz not null default clock_timestamp()
    constraint people_log_at_calendar check (at between '1900-01-01' and '2999-12-31'),
  -- No foreign keys: both accounts may be deleted. Null for the service role.
  actor_id uuid,
  person_id uuid,
  action text not null
    check (
      action in ( 'invited', 'approved', 'declined', 'restored', 'made_client', 'made_admin', 'revoked', 'ended_sessions',
        'reset_factors', 'downloaded_data', 'deleted', 'deleted_own_account' )
    ),
  -- The role that the action granted, declined or removed.
  role text check (role in ('client', 'team', 'admin'))
);
create index people_log_person_idx on public.people_log (person_id, at desc);
create index people_log_time_idx on public.people_log (at desc);
grant select on public.people_log to authenticated, service_role;
alter table public.people_log enable row level security;
create policy "Admins read the account log" on public.people_log for select to authenticated
  using ((select private.is_admin()));

-- Logs an action. Every action on an account is logged here, so OAuth applications are rejected here, too. Their tokens
-- have a `client_id`.
create function private.log_account_action(_action text, _person_id uuid, _role text default null) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.reject_oauth_applications();
  insert into public.people_log (actor_id, person_id, action, role)
  values (private.user_id(), _person_id, _action, _role);
end
$$;

-- Checks an action of an admin on another account. Every such action calls this first. Admins cannot act on their own
-- account. The lock keeps the caller an admin until the transaction ends, so the last admin cannot be removed.
create function private.begin_account_action(_user_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  perform private.lock_admins();
  -- Another admin may have revoked the caller's role before the lock was acquired.
  perform private.require_admin();
  if _user_id = private.user_id() then
    raise exception 'This is your own account. Manage it on your account page.';
  end if;
  if not exists (select from auth.users where id = _user_id) then
    raise exception 'This account no longer exists.';
  end if;
end
$$;

-- Returns the first five accounts whose name, address or phone number contains the text. If there are no such accounts,
-- returns those with similar values.
create function private.find_people(_query text) returns table (id uuid, label text)
language plpgsql stable security definer set search_path = '' as $$
declare
  _typed constant text := lower(trim(left(_query, 200)));
  _people constant text := $people$
    select person.id, label from auth.users as person cross join lateral (select left(concat_ws(' ',
      nullif(private.name_of(person.raw_user_meta_data), ''), nullif(person.email, ''), nullif(person.phone, '')
    ), 300)) as labels (label)
    where person.deleted_at is null and %s order by label, person.id limit 5
  $people$;
begin
  return query execute format(_people, 'position($1 in lower(label)) > 0') using _typed;
  if not found and private.trigram_schema() is not null then
    return query execute format(
      _people, format('%I.word_similarity($1, lower(label)) >= 0.5', private.trigram_schema())
    ) using _typed;
  end if;
end
$$;

-- Joins, sorts and counts only the rows that the filter needs. Otherwise, the first page would read every account.
create function public.list_people(
  _search text default '', _status text default '', _limit integer default 24, _offset integer default 0
) returns table (
  id uuid, email text, name text, status text, created_at timestamptz, last_sign_in_at timestamptz, invited boolean,
  factors integer, sessions integer, total integer
) language plpgsql stable security definer set search_path = '' as $$
declare
  _found text := concat_ws(' and ',
    'select person.id, person.created_at from auth.users as person
       left join public.user_roles as place on place.user_id = person.id
     where person.deleted_at is null',
    case when trim(_search) <> '' then 'position($1 in lower(
      concat_ws('' '', person.email, person.phone, person.raw_user_meta_data ->> ''name'',
        case when coalesce(person.raw_user_meta_data ->> ''name'', '''') = '''' then person.raw_user_meta_data ->> ''full_name'' end)
    )) > 0' end,
    case _status
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
  if trim(_search) = '' and _status = '' then
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
    ) into _total, _ids using lower(trim(_search)), _status, _length, _first;
  end if;
  return query
    select person.id, coalesce(nullif(person.email, ''), person.phone, '')::text,
      private.name_of(person.raw_user_meta_data), private.account_status(person.id), person.created_at, person.last_sign_in_at,
      person.invited_at is not null and person.last_sign_in_at is null,
      (
        select count(*)::integer from auth.mfa_factors as factor
        where user_id = person.id and factor.status = 'verified' and factor_type::text <> 'recovery_code'
      ),
      (select count(*)::integer from private.sessions_of(person.id)),
      _total
    from auth.users as person where person.id = any (_ids)
    order by person.created_at desc nulls last, person.id;
end
$$;
grant execute on function public.list_people to authenticated;

-- Returns null if the account does not exist.
create function public.read_person(_user_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return private.account_of(_user_id);
end
$$;
grant execute on function public.read_person to authenticated;

create function public.user_emails(_user_ids uuid[]) returns table (user_id uuid, email text)
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.is_admin() then
    raise exception 'Only admins can look up addresses.' using errcode = '42501';
  end if;
  return query
    select users.id, users.email::text from auth.users as users
    where users.id = any(_user_ids) and users.email <> '';
end
$$;
grant execute on function public.user_emails to authenticated;

-- Removes the role of a client or an approved team member. They cannot register for it again.
create function public.revoke_access(_user_id uuid) returns void language plpgsql security definer set search_path = '' as $$
declare
  _role text;
  _registered_at timestamptz;
begin
  perform private.begin_account_action(_user_id);
  delete from public.user_roles where user_id = _user_id and role in ('client', 'team') and approved
  returning role, created_at into _role, _registered_at;
  if not found then
    raise exception 'You can only revoke the access of clients and approved team members.';
  end if;
  insert into public.registration_decisions (user_id, email, approved, revoked, role, decided_by, registered_at)
  select id, coalesce(email, ''), false, true, _role, private.user_id(), _registered_at
  from auth.users where id = _user_id;
  perform private.log_account_action('revoked', _user_id, _role);
end
$$;
grant execute on function public.revoke_access to authenticated;

create function public.delete_person(_user_id uuid) returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.begin_account_action(_user_id);
  perform private.log_account_action('deleted', _user_id, (select role from public.user_roles where user_id = _user_id));
  perform private.delete_personal_data(_user_id, true);
end
$$;
grant execute on function public.delete_person to authenticated;

create function public.export_person(_user_id uuid) returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  _data jsonb;
begin
  perform private.require_admin();
  _data := private.personal_data_of(_user_id, true);
  if _data is null then
    raise exception 'This account no longer exists.';
  end if;
  perform private.log_account_action('downloaded_data', _user_id);
  return _data;
end
$$;
grant execute on function public.export_person to authenticated;

-- Returns the role of an account: 'pending' if it is not approved, 'declined' or 'none' without a role.
create function private.account_status(_user_id uuid) returns text
language sql stable security definer set search_path = '' as $$
  select coalesce(
    (select case when approved then role else 'pending' end from public.user_roles where user_id = _user_id),
    case when private.is_declined(_user_id) then 'declined' else 'none' end
  )
$$;

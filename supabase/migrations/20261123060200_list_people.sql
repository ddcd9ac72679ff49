-- Every account as admins see it: a list with search, and one account in full.

-- Where an account stands: its role, or why it has none that counts.
create function private.standing(_user_id uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select coalesce(
    (select case when approved then role else 'pending' end from public.user_roles where user_id = _user_id),
    case when private.is_declined(_user_id) then 'declined' else 'none' end
  )
$$;
revoke all on function private.standing(uuid) from public;

-- The name that a person gave, or that a provider told.
create function private.name_of(_metadata jsonb) returns text
language sql immutable set search_path = ''
as $$ select coalesce(nullif(_metadata ->> 'name', ''), _metadata ->> 'full_name', '') $$;
revoke all on function private.name_of(jsonb) from public;

create function private.sessions_of(_user_id uuid) returns setof uuid
language sql stable security definer set search_path = ''
as $$ select id from auth.sessions where user_id = _user_id and (not_after is null or not_after > now()) $$;
revoke all on function private.sessions_of(uuid) from public;

-- A page of the accounts, the newest first, and how many there are.
create function public.list_people(
  -- Part of an address, a name or a phone number, in any case.
  _search text default '',
  -- client, team, admin, pending, declined or none; invited for those who have not come yet; empty for all
  _standing text default '',
  _limit integer default 24,
  _offset integer default 0
)
returns table (
  id uuid, email text, name text, standing text, created_at timestamptz, last_sign_in_at timestamptz,
  invited boolean, factors integer, sessions integer, total integer
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return query
    with found as (
      select person.id, coalesce(nullif(person.email, ''), person.phone, '')::text as email,
        private.name_of(person.raw_user_meta_data) as name, place.standing, person.created_at, person.last_sign_in_at,
        person.invited_at is not null and person.last_sign_in_at is null as invited,
        (count(*) over ())::integer as total
      from auth.users as person cross join lateral (select private.standing(person.id)) as place (standing)
      where person.deleted_at is null
        and position(lower(trim(_search)) in lower(
          concat_ws(' ', person.email, person.phone, private.name_of(person.raw_user_meta_data))
        )) > 0
        and case _standing
          when '' then true
          when 'invited' then person.invited_at is not null and person.last_sign_in_at is null
          else place.standing = _standing
        end
      order by person.created_at desc nulls last, person.id
      limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0)
    )
    select found.id, found.email, found.name, found.standing, found.created_at, found.last_sign_in_at,
      found.invited,
      (
        select count(*)::integer from auth.mfa_factors
        where user_id = found.id and status = 'verified' and factor_type::text <> 'recovery_code'
      ),
      (select count(*)::integer from private.sessions_of(found.id)),
      found.total
    from found
    order by found.created_at desc nulls last, found.id;
end
$$;
revoke all on function public.list_people(text, text, integer, integer) from public, anon, authenticated;
grant execute on function public.list_people(text, text, integer, integer) to authenticated;

-- What an account is, without secrets.
create function private.account_of(_user_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'id', person.id,
    'email', coalesce(person.email, ''),
    'phone', coalesce(person.phone, ''),
    'name', private.name_of(person.raw_user_meta_data),
    'standing', private.standing(person.id),
    'created_at', person.created_at,
    'invited', person.invited_at is not null and person.last_sign_in_at is null,
    'email_confirmed_at', person.email_confirmed_at,
    'last_sign_in_at', person.last_sign_in_at,
    'banned_until', person.banned_until,
    'sessions', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', session.id, 'created_at', session.created_at,
        'last_active_at', coalesce(session.refreshed_at at time zone 'utc', session.created_at),
        'user_agent', coalesce(session.user_agent, ''), 'ip_address', coalesce(host(session.ip), '')
      ) order by coalesce(session.refreshed_at at time zone 'utc', session.created_at) desc)
      from auth.sessions as session where session.id in (select private.sessions_of(person.id))
    ), '[]'),
    'factors', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', factor.id, 'name', coalesce(factor.friendly_name, ''), 'type', factor.factor_type,
        'status', factor.status, 'created_at', factor.created_at
      ) order by factor.created_at)
      from auth.mfa_factors as factor where factor.user_id = person.id
    ), '[]'),
    'identities', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', identity.id, 'provider', identity.provider, 'email', coalesce(identity.email, ''),
        'created_at', identity.created_at, 'last_sign_in_at', identity.last_sign_in_at
      ) order by identity.created_at)
      from auth.identities as identity where identity.user_id = person.id
    ), '[]')
  )
  from auth.users as person where person.id = _user_id
$$;
revoke all on function private.account_of(uuid) from public;

-- @returns null when there is no such account
create function public.read_person(_user_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return private.account_of(_user_id);
end
$$;
revoke all on function public.read_person(uuid) from public, anon, authenticated;
grant execute on function public.read_person(uuid) to authenticated;

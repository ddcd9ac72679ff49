-- Finds the accounts of a page before it works out what each of them is: with 100,000 accounts a page took a second and a
-- half, the last one seven, because the standing of every account was looked up.

create or replace function public.list_people(
  _search text default '', _standing text default '', _limit integer default 24, _offset integer default 0
)
returns table (
  id uuid, email text, name text, standing text, created_at timestamptz, last_sign_in_at timestamptz, invited boolean,
  factors integer, sessions integer, total integer
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return query
    with declined as materialized (
      select last.user_id from (
        select distinct on (decision.user_id) decision.user_id, decision.approved, decision.withdrawn_at
        from public.registration_decisions as decision order by decision.user_id, decision.decided_at desc
      ) as last
      where not last.approved and last.withdrawn_at is null
    ), found as materialized (
      select person.id, person.created_at
      from auth.users as person left join public.user_roles as place on place.user_id = person.id
      where person.deleted_at is null
        and (trim(_search) = '' or position(lower(trim(_search)) in lower(
          concat_ws(' ', person.email, person.phone, person.raw_user_meta_data ->> 'name',
            case when coalesce(person.raw_user_meta_data ->> 'name', '') = '' then person.raw_user_meta_data ->> 'full_name' end)
        )) > 0)
        and case _standing
          when '' then true
          when 'invited' then person.invited_at is not null and person.last_sign_in_at is null
          when 'declined' then place.role is null and person.id in (select declined.user_id from declined)
          when 'none' then place.role is null and person.id not in (select declined.user_id from declined)
          else _standing = case when place.approved then place.role else 'pending' end and place.role is not null
        end
    ), page as (
      select found.id from found order by found.created_at desc nulls last, found.id
      limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0)
    )
    select person.id, coalesce(nullif(person.email, ''), person.phone, '')::text,
      private.name_of(person.raw_user_meta_data), private.standing(person.id), person.created_at, person.last_sign_in_at,
      person.invited_at is not null and person.last_sign_in_at is null,
      (
        select count(*)::integer from auth.mfa_factors
        where user_id = person.id and status = 'verified' and factor_type::text <> 'recovery_code'
      ),
      (select count(*)::integer from private.sessions_of(person.id)),
      (select count(*)::integer from found)
    from page join auth.users as person on person.id = page.id
    order by person.created_at desc nulls last, person.id;
end
$$;

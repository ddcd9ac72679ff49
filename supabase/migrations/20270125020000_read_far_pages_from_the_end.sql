-- An offset costs what it skips: a page that is nearer to the end of the list is read from there, in the opposite order.
create or replace function public.media_library(
  _search text default '', _kind text default '', _limit integer default 24, _offset integer default 0,
  _folder text default '', _unused boolean default false
)
returns table (
  id uuid, name text, original_name text, mimetype text, size bigint, width integer, height integer, alt text, folder text,
  focal_x real, focal_y real, is_used boolean, created_at timestamptz, updated_at timestamptz, total bigint
)
language plpgsql stable security definer set search_path = '' as $$
declare
  _where text := concat_ws(' and ', 'true',
    -- A pattern rather than position(), so that an index of three-letter parts serves it where there is one.
    case when _search <> '' then format('search_text like %L',
      '%' || regexp_replace(lower(_search), '([\\%_])', '\\\1', 'g') || '%') end,
    case when _kind <> '' then format('kind = %L', _kind) end,
    case _folder when '' then null when '-' then 'folder = ''''' else format('folder = %L', _folder) end,
    case when _unused then 'uses = 0' end);
  _total bigint;
  _first constant integer := greatest(_offset, 0);
  _length integer := least(greatest(_limit, 1), 200);
  _is_from_end boolean;
begin
  perform private.require_admin();
  execute 'select count(*) from private.media_files where ' || _where into _total;
  _is_from_end := _first > _total - _first;
  -- Fewer than a page are left at the end.
  _length := case when _is_from_end then least(_length, greatest(_total - _first, 0)) else _length end;
  return query execute format(
    'with page as materialized (
       select name from private.media_files where %s order by %s limit $2 offset $3
     )
     select object_id, name, original_name, mimetype, size, width, height, alt, folder, focal_x, focal_y, uses > 0,
       created_at, updated_at, $1
     from page join private.media_files using (name) order by created_at desc, name', _where,
    case when _is_from_end then 'created_at, name desc' else 'created_at desc, name' end
  ) using _total, _length, case when _is_from_end then greatest(_total - _first - _length, 0) else _first end;
end
$$;

create or replace function public.list_people(
  _search text default '', _standing text default '', _limit integer default 24, _offset integer default 0
)
returns table (
  id uuid, email text, name text, standing text, created_at timestamptz, last_sign_in_at timestamptz, invited boolean,
  factors integer, sessions integer, total integer
)
language plpgsql stable security definer set search_path = '' as $$
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
$$;

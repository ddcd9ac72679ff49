-- Criteria of a meeting, which a client and its team agree on as an approval of the kind 'criteria'. The text of a
-- version is a JSON document in the form of read_meeting_criteria(), so its hash covers what is judged.

-- Asks a client to approve criteria for meetings: new ones, or with `_approval_id` the next version. Returns the approval.
create function public.ask_for_criteria_approval(
  _client_id uuid, _title text, _criteria jsonb, _due_on date default null, _approval_id uuid default null
) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  _version public.approval_versions;
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only admins and assigned team members can ask for approval' using errcode = '42501';
  end if;
  _version := private.add_approval_version(
    _client_id, 'criteria', _title, private.read_meeting_criteria(_criteria)::text, _due_on, _approval_id
  );
  if exists (
    select from public.approval_versions as former
    where former.client_id = _client_id and former.approval_id = _version.approval_id
      and former.number = _version.number - 1 and former.text = _version.text
  ) then
    raise exception 'The criteria are the same as before.' using errcode = 'P0001';
  end if;
  perform private.mail_client_about_approval(_version);
  return _version.approval_id;
end
$$;
grant execute on function public.ask_for_criteria_approval to authenticated, service_role;

-- Returns criteria with all keys and sorted lists, so that equal criteria have equal texts: {"roles": [], "minimum_size",
-- "maximum_size", "countries": [] of ISO 3166 codes, "excludes_customers", "minimum_minutes"}. An empty list or null means
-- that there is no such criterion. Throws P0001 if a value is invalid or all criteria are empty.
create function private.read_meeting_criteria(_criteria jsonb) returns jsonb
language plpgsql immutable set search_path = '' as $$
declare
  _roles constant text[] := array(
    select distinct private.one_line(role, 200) from jsonb_array_elements_text(_criteria -> 'roles') as role
    where role ~ '\S' order by 1
  );
  _countries constant text[] := array(
    select distinct country from jsonb_array_elements_text(_criteria -> 'countries') as country order by 1
  );
  _minimum_size constant integer := _criteria ->> 'minimum_size';
  _maximum_size constant integer := _criteria ->> 'maximum_size';
  _minimum_minutes constant integer := _criteria ->> 'minimum_minutes';
  _excludes_customers constant boolean := coalesce((_criteria ->> 'excludes_customers')::boolean, false);
begin
  if cardinality(_roles) > 50 then
    raise exception 'Criteria can name at most 50 roles.' using errcode = 'P0001';
  elsif exists (select from unnest(_countries) as country where country !~ '^[A-Z]{2}$') then
    raise exception 'A country must be a code of two capital letters.' using errcode = 'P0001';
  elsif _minimum_size not between 1 and 10000000 or _maximum_size not between 1 and 10000000 then
    raise exception 'A company size must be between 1 and 10,000,000.' using errcode = 'P0001';
  elsif _minimum_size > _maximum_size then
    raise exception 'The minimum company size must not exceed the maximum.' using errcode = 'P0001';
  elsif _minimum_minutes not between 1 and 1440 then
    raise exception 'A duration must be between 1 and 1,440 minutes.' using errcode = 'P0001';
  elsif cardinality(_roles) = 0 and cardinality(_countries) = 0 and not _excludes_customers
    and coalesce(_minimum_size, _maximum_size, _minimum_minutes) is null then
    raise exception 'Set at least one criterion.' using errcode = 'P0001';
  end if;
  return jsonb_build_object(
    'roles', _roles, 'minimum_size', _minimum_size, 'maximum_size', _maximum_size, 'countries', _countries,
    'excludes_customers', _excludes_customers, 'minimum_minutes', _minimum_minutes
  );
end
$$;

-- Lists of people and companies for approval. The rows of a version are immutable. The version's text describes the
-- list. Members can remove rows and companies, and add them to the blocklist. Only a hash and a hint of each address
-- are stored, as in do_not_contact.
create table public.approval_rows (
  client_id uuid not null,
  approval_id uuid not null,
  number integer not null,
  -- Line in the imported file.
  line integer not null check (line between 1 and 1000000),
  company text not null default '' check (length(company) <= 200),
  domain text not null default '' check (length(domain) <= 253 and domain ~ '^[a-z0-9.-]*$'),
  -- Name and position.
  person text not null default '' check (length(person) <= 400),
  -- private.hash_of_address() of the address.
  fingerprint text check (fingerprint ~ '^[0-9a-f]{64}$'),
  hint text not null default '' check (length(hint) <= 260),
  note text not null default '' check (length(note) <= 500),
  primary key (client_id, approval_id, number, line),
  foreign key (client_id, approval_id, number)
    references public.approval_versions (client_id, approval_id, number) on delete cascade
);
-- Without the columns of the list, for the reason given at inbound_events_address_idx.
create index approval_rows_fingerprint_idx on public.approval_rows (fingerprint)
  include (client_id, approval_id, number, line) where fingerprint is not null;
create index approval_rows_domain_idx on public.approval_rows (domain)
  include (client_id, approval_id, number, line) where fingerprint is null;
grant select on public.approval_rows to authenticated;
grant all on public.approval_rows to service_role;
alter table public.approval_rows enable row level security;
create policy "Admins read the rows of all lists" on public.approval_rows for select to authenticated
  using ((select private.is_admin()));
create policy "Members read the list rows of their clients" on public.approval_rows for select to authenticated
  using (client_id in (select private.clients_of_member()));
create policy "Team members read the list rows of their clients" on public.approval_rows for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

-- Rows that the client removed. They can be restored until the decision.
create table public.approval_vetoes (
  client_id uuid not null,
  approval_id uuid not null,
  number integer not null,
  line integer not null,
  vetoed_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
    constraint approval_vetoes_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, approval_id, number, line),
  foreign key (client_id, approval_id, number, line)
    references public.approval_rows (client_id, approval_id, number, line) on delete cascade
);
create index approval_vetoes_vetoed_by_idx on public.approval_vetoes (vetoed_by);
grant select on public.approval_vetoes to authenticated;
grant all on public.approval_vetoes to service_role;
alter table public.approval_vetoes enable row level security;
create policy "Admins read the removed rows of all clients" on public.approval_vetoes for select to authenticated
  using ((select private.is_admin()));
create policy "Members read the removed rows of their clients" on public.approval_vetoes for select to authenticated
  using (client_id in (select private.clients_of_member()));
create policy "Team members read the removed rows of their clients" on public.approval_vetoes for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

-- Asks a client to approve a list, or with `_is_dry_run` returns the result without saving it: {"id", "new", "removed",
-- "refused", "companies", "examples": [{"line", "state", "text", "reason"}]}, with the first hundred examples of each
-- state. Addresses are shown as hints. Rows that the client removed before are left out, except for `_restored_lines`.
create function public.ask_for_list_approval(
  _client_id uuid, _title text, _text text, _rows jsonb, _is_dry_run boolean, _due_on date default null,
  _approval_id uuid default null, _restored_lines integer[] default '{}'::integer[], _file_sha256 text default null
) returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  _version public.approval_versions;
  _answer jsonb;
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only admins and assigned team members can ask for approval' using errcode = '42501';
  elsif jsonb_typeof(_rows) is distinct from 'array' or jsonb_array_length(_rows) > 5000 then
    raise exception 'A list can have at most 5,000 rows. Split it into several approvals.' using errcode = '22023';
  end if;
  if not _is_dry_run then
    _version := private.add_approval_version(
      _client_id, 'list', _title, _text, _due_on, _approval_id, null, _file_sha256
    );
  end if;
  with judged as materialized (
    select *, row_number() over (partition by state order by line) as place
    from private.read_list_rows(_client_id, _rows, _restored_lines)
  ), added as (
    insert into public.approval_rows (client_id, approval_id, number, line, company, domain, person, note, fingerprint, hint)
    select _client_id, _version.approval_id, _version.number, line, company, domain, person, coalesce(note, ''), fingerprint, hint
    from judged
      left join (
        select (item ->> 'line')::integer as line, private.one_line(item ->> 'note', 500) as note
        from jsonb_array_elements(_rows) as item
      ) as given using (line)
    where state = 'new' and not _is_dry_run
  )
  select jsonb_build_object(
    'id', _version.approval_id, 'new', count(*) filter (where state = 'new'),
    'refused', count(*) filter (where state = 'refused'), 'removed', count(*) filter (where state = 'removed'),
    'companies', count(distinct nullif(domain, '')) filter (where state = 'new'),
    'examples', coalesce(jsonb_agg(jsonb_build_object(
      'line', line, 'state', state, 'reason', reason,
      'text', left(coalesce(nullif(concat_ws(', ', nullif(person, ''), nullif(company, ''), nullif(hint, '')), ''), domain), 200)
    ) order by line) filter (where place <= 100), '[]')
  ) into _answer from judged;
  if not _is_dry_run then
    if (_answer ->> 'new')::integer = 0 then
      raise exception 'This list has no valid rows to approve.' using errcode = 'P0001';
    end if;
    perform private.mail_client_about_approval(_version);
  end if;
  return _answer;
end
$$;
grant execute on function public.ask_for_list_approval to authenticated, service_role;

create function private.list_approval_rows(
  _client_id uuid, _approval_id uuid, _number integer, _search text, _only_vetoed boolean, _limit integer, _offset integer
) returns table (
  line integer, company text, domain text, person text, note text, hint text, is_vetoed boolean, company_rows integer,
  total integer
) language sql stable security definer set search_path = '' as $$
  with all_rows as materialized (
    select item.line, item.company, item.domain, item.person, item.note, item.hint, veto.line is not null as is_vetoed,
      case when item.domain = '' then 1 else count(*) over (partition by item.domain) end::integer as company_rows
    from public.approval_rows as item
      left join public.approval_vetoes as veto
        on veto.client_id = _client_id and veto.approval_id = _approval_id and veto.number = _number
          and veto.line = item.line
    where item.client_id = _client_id and item.approval_id = _approval_id and item.number = _number
  )
  select all_rows.*, count(*) over ()::integer
  from all_rows
  where (not _only_vetoed or all_rows.is_vetoed)
    and position(lower(trim(left(_search, 200))) in lower(concat_ws(' ', all_rows.company, all_rows.domain, all_rows.person, all_rows.note, all_rows.hint))) > 0
  order by all_rows.line
  limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0)
$$;

-- Lists rows of a version by line, optionally only rows that match `_search` or that were removed. Includes the number
-- of rows of each company, of all rows, and of removed rows.
create function public.list_approval_rows(
  _client_id uuid, _approval_id uuid, _number integer, _search text default '', _only_vetoed boolean default false,
  _limit integer default 24, _offset integer default 0
) returns table (
  line integer, company text, domain text, person text, note text, hint text, is_vetoed boolean, company_rows integer,
  total integer
) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.works_for_client(_client_id);
  return query
    select * from private.list_approval_rows(_client_id, _approval_id, _number, _search, _only_vetoed, _limit, _offset);
end
$$;
grant execute on function public.list_approval_rows to authenticated, service_role;

-- Removes rows of a pending list: those on `_lines`, or all of a company with `_domain`. `_add_to_blocklist` also adds
-- them to the client's blocklist, companies by domain and people by address. `_restore` restores the rows, but does not
-- change the blocklist. Returns the number of rows.
create function public.veto_rows(
  _client_id uuid, _approval_id uuid, _number integer, _lines integer[] default '{}'::integer[], _domain text default null,
  _add_to_blocklist boolean default false, _restore boolean default false
) returns integer language plpgsql security definer set search_path = '' as $$
declare
  _count integer;
begin
  perform private.require_approver(_client_id);
  _count := private.veto_rows(_client_id, _approval_id, _number, _lines, _domain, _restore, private.user_id());
  if _add_to_blocklist and not _restore then
    perform private.add_do_not_contact_of_rows(_client_id, _approval_id, _number, _lines, _domain);
  end if;
  return _count;
end
$$;
grant execute on function public.veto_rows to authenticated, service_role;

-- Removes or restores rows of a pending list. The caller has checked the rights of `_person`.
create function private.veto_rows(
  _client_id uuid, _approval_id uuid, _number integer, _lines integer[], _domain text, _restore boolean, _person uuid
) returns integer language plpgsql security definer set search_path = '' as $$
declare
  _newest integer;
  _is_decided boolean;
  _count integer;
begin
  if cardinality(_lines) > 5000 then
    raise exception 'A list can have at most 5,000 rows.' using errcode = '22023';
  end if;
  select number, is_decided into _newest, _is_decided from private.lock_approval(_client_id, _approval_id);
  if _number is distinct from _newest then
    raise exception 'There is a newer version. Please read it first.' using errcode = 'P0001';
  elsif _is_decided then
    raise exception 'A colleague has already decided on this version.' using errcode = 'P0001';
  end if;
  if _restore then
    delete from public.approval_vetoes as veto using public.approval_rows as item
    where veto.client_id = _client_id and veto.approval_id = _approval_id and veto.number = _number
      and item.client_id = _client_id and item.approval_id = _approval_id and item.number = _number
      and item.line = veto.line and (item.line = any (_lines) or item.domain = nullif(_domain, ''));
    get diagnostics _count = row_count;
    return _count;
  end if;
  insert into public.approval_vetoes (client_id, approval_id, number, line, vetoed_by)
  select _client_id, _approval_id, _number, line, _person from public.approval_rows
  where client_id = _client_id and approval_id = _approval_id and number = _number
    and (line = any (_lines) or domain = nullif(_domain, ''))
  on conflict do nothing;
  get diagnostics _count = row_count;
  return _count;
end
$$;

-- Classifies lines of a list as new, removed by the client before, or refused with a reason. _rows: [{"line": 2,
-- "company": "Acme", "domain": "acme.no", "person": "Kari Moe, CEO", "address": "kari@acme.no"}]. The joins are
-- efficient for any number of lines, because the planner cannot estimate it.
create function private.read_list_rows(_client_id uuid, _rows jsonb, _restored_lines integer[]) returns table (
  line integer, company text, domain text, person text, fingerprint text, hint text, state text, reason text
) language sql stable security definer set search_path = '' set enable_nestloop = off as $$
  with given as materialized (
    select (item ->> 'line')::integer as line, private.one_line(item ->> 'company', 200) as company,
      private.one_line(item ->> 'person', 400) as person,
      coalesce(item ->> 'address', '') as address,
      case when private.is_mail_provider(lower(trim(item ->> 'domain'))) then '' else coalesce(item ->> 'domain', '') end as domain
    from jsonb_array_elements(_rows) as item
  ), read_address as (
    select line, kind, value, hint, reason from private.read_do_not_contact(_client_id, (
      select jsonb_agg(jsonb_build_object('line', line, 'text', address)) from given where address <> ''
    ))
  ), read_domain as (
    select line, kind, value, reason from private.read_do_not_contact(_client_id, (
      select jsonb_agg(jsonb_build_object('line', line, 'text', domain)) from given where domain <> ''
    ))
  ), read as materialized (
    select given.line, given.company, given.person,
      case when read_address.kind = 'address' then read_address.value end as fingerprint,
      case when read_address.kind = 'address' then read_address.hint else '' end as hint,
      coalesce(
        case when read_domain.kind = 'domain' then read_domain.value end,
        case
          when read_address.kind = 'address' and not private.is_mail_provider(split_part(read_address.hint, '@', 2))
            then split_part(read_address.hint, '@', 2)
        end, ''
      ) as domain,
      case
        when address = '' and given.domain = '' then 'The row has no email address and no domain.'
        when address <> '' and read_address.kind is distinct from 'address' then
          case when address ~ '^\s*[=+@-]' then 'Starts with =, +, - or @ like a formula.' else 'Not a valid email address.' end
        when given.domain <> '' and read_domain.kind is distinct from 'domain' then
          'Not a valid domain. Use a domain such as example.com.'
      end as fault
    from given left join read_address using (line) left join read_domain using (line)
  ), kept_off as (
    -- Each domain with its parent domains: an entry also blocks subdomains.
    select named.line, min(entry.hint) as hint
    from (
      select line, array_to_string((string_to_array(name, '.'))[n:], '.') as value
      from (
        select line, domain as name from read where domain <> ''
        union select line, split_part(hint, '@', 2) from read where hint <> ''
      ) as names, lateral generate_subscripts(string_to_array(name, '.'), 1) as n
      union all
      select line, fingerprint from read where fingerprint is not null
    ) as named
      join public.do_not_contact as entry on entry.client_id = _client_id and entry.value = named.value
    group by named.line
  ), judged as (
    select read.*, min(read.line) over (partition by coalesce(fingerprint, domain || ' ' || lower(person)), fault) as first_line,
      kept_off.hint as kept_off_by, removed.reason as removal
    from read
      left join kept_off using (line)
      left join private.removed_people(_client_id) as removed on removed.who = coalesce(fingerprint, domain || ' ' || lower(person))
  )
  select line, company, domain, person, fingerprint, hint,
    case
      when fault is not null or kept_off_by is not null or line > first_line then 'refused'
      when removal is not null and line <> all (coalesce(_restored_lines, '{}')) then 'removed'
      else 'new'
    end,
    case
      when fault is not null then fault
      when kept_off_by is not null then 'On the blocklist: ' || kept_off_by || '.'
      when line > first_line then 'Same as line ' || first_line || '.'
      else removal
    end
  from judged
$$;

-- Lists people and companies that the client removed from a list, each with the latest removal, unless a later approval
-- includes them. Enables nested loops again, which the caller disables, because there are few removals among many rows.
create function private.removed_people(_client_id uuid) returns table (who text, reason text)
language sql stable security definer set search_path = '' set enable_nestloop = on as $$
  with removed as (
    select distinct on (1) coalesce(item.fingerprint, item.domain || ' ' || lower(item.person)) as who, item.fingerprint,
      item.domain, lower(item.person) as person, veto.vetoed_by, veto.created_at as removed_at, version.title
    from public.approval_vetoes as veto
      join public.approval_rows as item using (client_id, approval_id, number, line)
      join public.approval_versions as version using (client_id, approval_id, number)
    where veto.client_id = _client_id
    order by 1, veto.created_at desc
  )
  select who, 'Removed by ' || coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), users.email, 'the client')
    || ' on ' || to_char(removed_at at time zone clients.time_zone, 'FMDD FMMonth YYYY') || ' from “' || removed.title || '”.'
  from removed join public.clients on clients.id = _client_id left join auth.users on users.id = vetoed_by
  where not exists (
    select from (
      select client_id, approval_id, number, line from public.approval_rows where fingerprint = removed.fingerprint
      union all
      select client_id, approval_id, number, line from public.approval_rows
      where fingerprint is null and domain = removed.domain and lower(person) = removed.person and removed.fingerprint is null
      offset 0
    ) as again
      join public.approval_decisions as decision using (client_id, approval_id, number)
    where client_id = _client_id and decision.verdict = 'yes' and decision.created_at > removed_at and not exists (
      select from public.approval_vetoes as veto
      where veto.client_id = again.client_id and veto.approval_id = again.approval_id and veto.number = again.number
        and veto.line = again.line
    )
  )
$$;

-- Returns the lines of the file that the client approved, with the hash of the file. The team's browser copies these
-- lines from the file, because addresses are stored only as hashes.
create function public.list_approved_lines(
  _client_id uuid, _approval_id uuid, _number integer, out file_sha256 text, out lines integer[]
) returns record language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only admins and assigned team members can download approved rows' using errcode = '42501';
  end if;
  select decision.file_sha256, array(
    select item.line from public.approval_rows as item
    where item.client_id = _client_id and item.approval_id = _approval_id and item.number = _number and not exists (
      select from public.approval_vetoes as veto
      where veto.client_id = _client_id and veto.approval_id = _approval_id and veto.number = _number and veto.line = item.line
    )
    order by item.line
  ) into list_approved_lines.file_sha256, list_approved_lines.lines
  from public.approval_decisions as decision
  where decision.client_id = _client_id and decision.approval_id = _approval_id and decision.number = _number
    and decision.verdict = 'yes';
  if not found then
    raise exception 'The client has not approved this version.' using errcode = 'P0001';
  end if;
end
$$;
grant execute on function public.list_approved_lines to authenticated, service_role;

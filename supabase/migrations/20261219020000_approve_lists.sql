-- Lists of people and companies that wait for a client's yes, beside texts. The rows of a version never change; its text says what
-- the list is. The client takes off rows and companies before they decide, and may have them left alone from now on. Of an
-- address the hash and a hint are kept, as in do_not_contact.

create table public.approval_rows (
  client_id uuid not null,
  approval_id uuid not null,
  number integer not null,
  -- Of the file that it came from.
  line integer not null check (line between 1 and 1000000),
  company text not null default '' check (length(company) <= 200),
  domain text not null default '' check (length(domain) <= 253 and domain ~ '^[a-z0-9.-]*$'),
  -- Name and position, by which the client knows who it is.
  person text not null default '' check (length(person) <= 400),
  -- The hash of the address, see private.hash_of_address().
  fingerprint text check (fingerprint ~ '^[0-9a-f]{64}$'),
  hint text not null default '' check (length(hint) <= 260),
  primary key (client_id, approval_id, number, line),
  foreign key (client_id, approval_id, number)
    references public.approval_versions (client_id, approval_id, number) on delete cascade
);

-- Rows that the client took off. They are put back as long as nobody decided.
create table public.approval_vetoes (
  client_id uuid not null,
  approval_id uuid not null,
  number integer not null,
  line integer not null,
  vetoed_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  primary key (client_id, approval_id, number, line),
  foreign key (client_id, approval_id, number, line)
    references public.approval_rows (client_id, approval_id, number, line) on delete cascade
);
create index approval_vetoes_vetoed_by_idx on public.approval_vetoes (vetoed_by);

revoke all on table public.approval_rows, public.approval_vetoes from anon, authenticated;
grant select on table public.approval_rows, public.approval_vetoes to authenticated;
grant all on table public.approval_rows, public.approval_vetoes to service_role;
alter table public.approval_rows enable row level security;
alter table public.approval_vetoes enable row level security;

create policy "Admins read the rows of all lists" on public.approval_rows
  for select to authenticated using ((select private.is_admin()));
create policy "Members read the rows that their clients are asked for" on public.approval_rows
  for select to authenticated using (client_id in (select private.clients_of_member()));
create policy "Team members read the rows of their clients" on public.approval_rows
  for select to authenticated using (client_id in (select private.clients_of_team_member()));

create policy "Admins read what all clients took off" on public.approval_vetoes
  for select to authenticated using ((select private.is_admin()));
create policy "Members read what their clients took off" on public.approval_vetoes
  for select to authenticated using (client_id in (select private.clients_of_member()));
create policy "Team members read what their clients took off" on public.approval_vetoes
  for select to authenticated using (client_id in (select private.clients_of_team_member()));

-- A wording is one of a text: a list is changed by taking rows off.
create function private.check_wording() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not exists (select from public.approvals where client_id = new.client_id and id = new.approval_id and kind = 'text') then
    raise exception 'Only a text is worded anew. Please write what should be different.' using errcode = 'P0001';
  end if;
  return null;
end
$$;
revoke all on function private.check_wording() from public;
create trigger check_wording after insert on public.approval_versions
  for each row when (new.is_wording) execute function private.check_wording();

-- Adds a version that waits for the client's yes, of a new approval or of the one that is given. Refuses whoever does not work
-- for the client. Tells nobody.
create function private.add_approval_version(
  _client_id uuid, _kind text, _title text, _text text, _due_on date, _approval_id uuid, _file_id uuid default null
) returns public.approval_versions
language plpgsql security definer set search_path = ''
as $$
declare
  _id uuid := _approval_id;
  _newest integer := 0;
  _version public.approval_versions;
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only those who work for this client may ask' using errcode = '42501';
  end if;
  if _id is null then
    -- Two who ask at the same time wait for each other, so that the number stays under its limit.
    perform from public.clients where id = _client_id for no key update;
    if (select count(*) from public.approvals where client_id = _client_id) >= 2000 then
      raise exception 'A client has at most 2,000 approvals. Withdraw some that nobody decided.' using errcode = 'P0001';
    end if;
    insert into public.approvals (client_id, title, kind) values (_client_id, trim(_title), _kind) returning id into _id;
  else
    select number into _newest from private.lock_approval(_client_id, _id);
    if not exists (select from public.approvals where client_id = _client_id and id = _id and kind = _kind) then
      raise exception 'The next version is of the same kind.' using errcode = '22023';
    elsif _newest >= 100 then
      raise exception 'There are at most 100 versions. Ask for something new.' using errcode = 'P0001';
    end if;
    update public.approvals set title = trim(_title) where client_id = _client_id and id = _id and title <> trim(_title);
  end if;
  insert into public.approval_versions (client_id, approval_id, number, text, file_id, due_on, asked_by)
  values (_client_id, _id, _newest + 1, _text, _file_id, _due_on, private.user_id()) returning * into _version;
  return _version;
end
$$;
revoke all on function private.add_approval_version(uuid, text, text, text, date, uuid, uuid) from public;

-- Asks a client for a yes to a text: to a new one, or with _approval_id to the next version of one. Returns the approval.
create or replace function public.ask_for_approval(
  _client_id uuid, _title text, _text text, _due_on date default null, _approval_id uuid default null
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  _version public.approval_versions;
begin
  _version := private.add_approval_version(_client_id, 'text', _title, _text, _due_on, _approval_id);
  if exists (
    select from public.approval_versions as former
    where former.client_id = _client_id and former.approval_id = _version.approval_id
      and former.number = _version.number - 1 and former.text = _text
  ) then
    raise exception 'The text is the same as before.' using errcode = 'P0001';
  end if;
  perform private.tell_client_of_approval(_version);
  return _version.approval_id;
end
$$;

-- Reads lines of a list, and says of each whether it is new or refused, and why. _rows: [{"line": 2, "company": "Acme", "domain":
-- "acme.no", "person": "Kari Moe, CEO", "address": "kari@acme.no"}]. The planner knows the number of lines of no file, and would
-- go through all entries for each.
create function private.read_list_rows(_client_id uuid, _approval_id uuid, _rows jsonb)
returns table (
  line integer, company text, domain text, person text, fingerprint text, hint text, state text, reason text
)
language sql stable security definer set search_path = '' set enable_nestloop = off
as $$
  with given as materialized (
    select (item ->> 'line')::integer as line, private.one_line(item ->> 'company', 200) as company,
      private.one_line(item ->> 'person', 400) as person,
      coalesce(item ->> 'address', '') as address, coalesce(item ->> 'domain', '') as domain
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
        case when read_address.kind = 'address' then split_part(read_address.hint, '@', 2) end, ''
      ) as domain,
      case
        when address = '' and given.domain = '' then 'There is neither an email address nor a domain.'
        when address <> '' and read_address.kind is distinct from 'address' then
          case when address ~ '^\s*[=+@-]' then 'This begins like a formula.' else 'This is no email address.' end
        when given.domain <> '' and read_domain.kind is distinct from 'domain' then
          'This is no domain such as example.com.'
      end as fault
    from given left join read_address using (line) left join read_domain using (line)
  ), kept_off as (
    -- Each domain with those above it: an entry counts for all that is below.
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
  ), vetoed as (
    select coalesce(item.fingerprint, item.domain || ' ' || lower(item.person)) as who, max(item.number) as number
    from public.approval_rows as item
      join public.approval_vetoes as veto using (client_id, approval_id, number, line)
    where item.client_id = _client_id and item.approval_id = _approval_id
    group by 1
  ), judged as (
    select read.*, min(read.line) over (partition by coalesce(fingerprint, domain || ' ' || lower(person)), fault) as first_line,
      kept_off.hint as kept_off_by, vetoed.number as vetoed_in
    from read
      left join kept_off using (line)
      left join vetoed on vetoed.who = coalesce(fingerprint, domain || ' ' || lower(person))
  )
  select line, company, domain, person, fingerprint, hint,
    case when fault is null and kept_off_by is null and vetoed_in is null and line = first_line then 'new' else 'refused' end,
    case
      when fault is not null then fault
      when kept_off_by is not null then 'Not to be contacted: ' || kept_off_by || '.'
      when vetoed_in is not null then 'The client took this off version ' || vetoed_in || '.'
      when line > first_line then 'As on line ' || first_line || '.'
    end
  from judged
$$;
revoke all on function private.read_list_rows(uuid, uuid, jsonb) from public;

-- Asks a client for a yes to a list, or says with _is_trial what it would ask for: {"id", "new", "refused", "companies",
-- "examples": [{"line", "state", "text", "reason"}]}, of each state the first hundred by line. Of an address only its hint is told.
create function public.ask_for_list_approval(
  _client_id uuid, _title text, _text text, _rows jsonb, _is_trial boolean, _due_on date default null,
  _approval_id uuid default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  _version public.approval_versions;
  _answer jsonb;
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only those who work for this client may ask' using errcode = '42501';
  elsif jsonb_typeof(_rows) is distinct from 'array' or jsonb_array_length(_rows) > 5000 then
    raise exception 'A list has at most 5,000 rows. Ask for it in parts.' using errcode = '22023';
  end if;
  if not _is_trial then
    _version := private.add_approval_version(_client_id, 'list', _title, _text, _due_on, _approval_id);
  end if;
  with judged as materialized (
    select *, row_number() over (partition by state order by line) as place
    from private.read_list_rows(_client_id, _approval_id, _rows)
  ), added as (
    insert into public.approval_rows (client_id, approval_id, number, line, company, domain, person, fingerprint, hint)
    select _client_id, _version.approval_id, _version.number, line, company, domain, person, fingerprint, hint
    from judged where state = 'new' and not _is_trial
  )
  select jsonb_build_object(
    'id', _version.approval_id, 'new', count(*) filter (where state = 'new'),
    'refused', count(*) filter (where state = 'refused'),
    'companies', count(distinct domain) filter (where state = 'new'),
    'examples', coalesce(jsonb_agg(jsonb_build_object(
      'line', line, 'state', state, 'reason', reason,
      'text', left(coalesce(nullif(concat_ws(', ', nullif(person, ''), nullif(company, ''), nullif(hint, '')), ''), domain), 200)
    ) order by line) filter (where place <= 100), '[]')
  ) into _answer from judged;
  if not _is_trial then
    if (_answer ->> 'new')::integer = 0 then
      raise exception 'No row of this list can be asked for.' using errcode = 'P0001';
    end if;
    perform private.tell_client_of_approval(_version);
  end if;
  return _answer;
end
$$;
revoke all on function public.ask_for_list_approval(uuid, text, text, jsonb, boolean, date, uuid) from public, anon, authenticated;
grant execute on function public.ask_for_list_approval(uuid, text, text, jsonb, boolean, date, uuid) to authenticated, service_role;

-- Puts rows of a list on the list of whom to leave alone: with _domain that company, and the people on the lines, whose addresses
-- must be known.
create function private.leave_alone(
  _client_id uuid, _approval_id uuid, _number integer, _lines integer[], _domain text
) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if exists (
    select from public.approval_rows
    where client_id = _client_id and approval_id = _approval_id and number = _number and line = any (_lines)
      and fingerprint is null
  ) then
    raise exception 'No address is known of this row. Take off its company to leave it alone.' using errcode = 'P0001';
  end if;
  -- As in add_do_not_contact(): under its lock the list stays under its limit.
  perform from public.clients where id = _client_id for no key update;
  insert into public.do_not_contact (client_id, kind, value, hint, added_by)
  select distinct on (entry.value) _client_id, entry.kind, entry.value, entry.hint, private.user_id()
  from public.approval_rows as item, lateral (
    select 'domain', item.domain, item.domain where item.domain = _domain and item.domain <> ''
    union all
    select 'address', item.fingerprint, item.hint where item.line = any (_lines) and item.fingerprint is not null
  ) as entry (kind, value, hint)
  where item.client_id = _client_id and item.approval_id = _approval_id and item.number = _number
  on conflict do nothing;
  if (select count(*) from public.do_not_contact where client_id = _client_id) > 20000 then
    raise exception 'A list has at most 20,000 entries. Name domains instead of their addresses.' using errcode = 'P0001';
  end if;
end
$$;
revoke all on function private.leave_alone(uuid, uuid, integer, integer[], text) from public;

-- Takes rows off a list that waits: those on _lines, or with _domain all of a company. With _and_leave_alone, no campaign of the
-- client may write to them from now on: a company by its domain, a person by their address. Returns how many rows went off.
-- With _is_back they come back instead; who is left alone stays so.
create function public.veto_rows(
  _client_id uuid, _approval_id uuid, _number integer, _lines integer[] default '{}', _domain text default null,
  _and_leave_alone boolean default false, _is_back boolean default false
) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  _newest integer;
  _is_decided boolean;
  _count integer;
begin
  perform private.require_approver(_client_id);
  if cardinality(_lines) > 5000 then
    raise exception 'A list has at most 5,000 rows.' using errcode = '22023';
  end if;
  select number, is_decided into _newest, _is_decided from private.lock_approval(_client_id, _approval_id);
  if _number is distinct from _newest then
    raise exception 'There is a newer version. Please read it first.' using errcode = 'P0001';
  elsif _is_decided then
    raise exception 'A colleague has decided this already.' using errcode = 'P0001';
  end if;
  if _is_back then
    delete from public.approval_vetoes as veto using public.approval_rows as item
    where veto.client_id = _client_id and veto.approval_id = _approval_id and veto.number = _number
      and item.client_id = _client_id and item.approval_id = _approval_id and item.number = _number
      and item.line = veto.line and (item.line = any (_lines) or item.domain = nullif(_domain, ''));
    get diagnostics _count = row_count;
    return _count;
  end if;
  insert into public.approval_vetoes (client_id, approval_id, number, line, vetoed_by)
  select _client_id, _approval_id, _number, line, private.user_id() from public.approval_rows
  where client_id = _client_id and approval_id = _approval_id and number = _number
    and (line = any (_lines) or domain = nullif(_domain, ''))
  on conflict do nothing;
  get diagnostics _count = row_count;
  if _and_leave_alone then
    perform private.leave_alone(_client_id, _approval_id, _number, _lines, _domain);
  end if;
  return _count;
end
$$;
revoke all on function public.veto_rows(uuid, uuid, integer, integer[], text, boolean, boolean) from public, anon, authenticated;
grant execute on function public.veto_rows(uuid, uuid, integer, integer[], text, boolean, boolean) to authenticated, service_role;

-- Lists rows of a version, by line from _offset on, those in which _search is found, with _only_vetoed only those that the client
-- took off. Says with each how many rows the company has, and in all how many there are and how many are off.
create function public.list_approval_rows(
  _client_id uuid, _approval_id uuid, _number integer, _search text default '', _only_vetoed boolean default false,
  _limit integer default 24, _offset integer default 0
)
returns table (
  line integer, company text, domain text, person text, hint text, is_vetoed boolean, of_company integer, total integer
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  _part constant text := lower(trim(left(_search, 200)));
begin
  perform private.works_for_client(_client_id);
  return query
    with all_rows as materialized (
      select item.line, item.company, item.domain, item.person, item.hint, veto.line is not null as is_vetoed,
        case when item.domain = '' then 1 else count(*) over (partition by item.domain) end::integer as of_company
      from public.approval_rows as item
        left join public.approval_vetoes as veto
          on veto.client_id = _client_id and veto.approval_id = _approval_id and veto.number = _number
            and veto.line = item.line
      where item.client_id = _client_id and item.approval_id = _approval_id and item.number = _number
    )
    select all_rows.*, count(*) over ()::integer
    from all_rows
    where (not _only_vetoed or all_rows.is_vetoed)
      and position(_part in lower(concat_ws(' ', all_rows.company, all_rows.domain, all_rows.person, all_rows.hint))) > 0
    order by all_rows.line
    limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0);
end
$$;
revoke all on function public.list_approval_rows(uuid, uuid, integer, text, boolean, integer, integer)
  from public, anon, authenticated;
grant execute on function public.list_approval_rows(uuid, uuid, integer, text, boolean, integer, integer)
  to authenticated, service_role;

insert into private.personal_data (table_name, ids, section, given, sorted_by, on_deletion) values
  ('approval_vetoes', '{vetoed_by}', 'rows_taken_off', '{"at": "created_at", "client": "client_id", "version": "number", "line": "line"}',
    'created_at', 'follow');

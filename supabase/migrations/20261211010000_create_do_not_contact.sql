-- The list of whom the campaigns of a client must leave alone: domains, and addresses as their hash, so that the list is no address book
-- of people who want no mail. The people of the client and those who work for it read and add; an entry is taken off by those
-- who work for the client, or by whoever added it. Entries come by add_do_not_contact() alone, so that each is spelled and
-- hashed in one way.

create table public.do_not_contact (
  client_id uuid not null references public.clients (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  kind text not null check (kind in ('domain', 'address')),
  -- The domain; of an address, the SHA-256 of its lower-cased form in hexadecimal digits.
  value text not null check (
    case kind when 'address' then length(value) = 64 and value ~ '^[0-9a-f]+$' else length(value) <= 253 and value ~ '^[a-z0-9.-]+$' end
  ),
  -- The domain, or as much of an address as tells people which it is: a***@example.com.
  hint text not null check (length(hint) <= 260),
  added_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  primary key (client_id, id),
  -- A domain has a point and a hash has none.
  unique (client_id, value)
);
create index do_not_contact_latest_idx on public.do_not_contact (client_id, created_at desc, id);
create index do_not_contact_added_by_idx on public.do_not_contact (added_by);

revoke all on table public.do_not_contact from anon, authenticated;
grant select, delete on table public.do_not_contact to authenticated;
grant all on table public.do_not_contact to service_role;
alter table public.do_not_contact enable row level security;

create policy "Admins read all lists of whom to leave alone" on public.do_not_contact
  for select to authenticated using ((select private.is_admin()));
create policy "Members read whom their clients leave alone" on public.do_not_contact
  for select to authenticated using (client_id in (select private.clients_of_member()));
create policy "Team members read whom their clients leave alone" on public.do_not_contact
  for select to authenticated using (client_id in (select private.clients_of_team_member()));
create policy "Admins and assigned team members take entries off" on public.do_not_contact
  for delete to authenticated
  using ((select private.is_admin()) or client_id in (select private.clients_of_team_member()));
create policy "Members take off what they added" on public.do_not_contact
  for delete to authenticated
  using (added_by = (select private.user_id()) and client_id in (select private.clients_of_member()));

-- Returns how an address is kept.
create function private.hash_of_address(_address text) returns text
language sql immutable set search_path = ''
as $$
  select encode(sha256(convert_to(lower(trim(_address)), 'UTF8')), 'hex')
$$;
revoke all on function private.hash_of_address(text) from public;
grant execute on function private.hash_of_address(text) to authenticated, service_role;

-- Reads lines as entries of a list, and says of each whether it is new, known or refused, and why. _lines: [{"line": 2,
-- "text": "a@example.com"}]. The planner knows the number of lines of no file, and would go through all entries
-- for each.
create function private.read_do_not_contact(_client_id uuid, _lines jsonb)
returns table (line integer, kind text, value text, hint text, state text, reason text)
language sql stable security definer set search_path = '' set enable_nestloop = off
as $$
  with given as (
    select (item ->> 'line')::integer as line, lower(trim(item ->> 'text')) as text
    from jsonb_array_elements(_lines) as item
  ), sorted as (
    -- No counted repetitions: they make these expressions slower by the factor of the count.
    select line, text, case
      when length(text) > 320 or text ~ '^[=+@-]' or domain !~ '^([a-z0-9]([a-z0-9-]*[a-z0-9])?[.])+[a-z][a-z0-9-]*[a-z0-9]$'
        or length(domain) > 253 then null
      when text = domain then 'domain'
      when length(text) - length(domain) <= 65 and text ~ '^[a-z0-9.!#$%&''*+/=?^_`{|}~-]+@[^@]+$' then 'address'
    end as kind
    from given, lateral (select regexp_replace(text, '^[^@]*@', '')) as part (domain)
  ), read as (
    select line, text, kind, case kind when 'address' then private.hash_of_address(text) else text end as value,
      case kind when 'address' then left(text, 1) || '***@' || split_part(text, '@', 2) else left(text, 253) end as hint,
      min(line) over (partition by kind, text) as first_line
    from sorted
  )
  select read.line, read.kind, read.value, read.hint, case
      when read.kind is null then 'refused'
      when entry.id is not null or read.line > first_line then 'known'
      else 'new'
    end, case
      when read.kind is null and text ~ '^[=+@-]' then 'This begins like a formula.'
      when read.kind is null and text ~ '@' then 'This is no email address.'
      when read.kind is null then 'This is neither an email address nor a domain such as example.com.'
      when entry.id is not null then 'On the list already.'
      when read.line > first_line then 'As on line ' || first_line || '.'
    end
  from read left join public.do_not_contact as entry
    on entry.client_id = _client_id and entry.value = read.value
$$;
revoke all on function private.read_do_not_contact(uuid, jsonb) from public;

-- Refuses whoever neither belongs to the client nor works for it; tells whether they work for it.
create function private.works_for_client(_client_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  if private.is_admin() or _client_id in (select private.clients_of_team_member()) then
    return true;
  elsif _client_id in (select private.clients_of_member()) then
    return false;
  end if;
  raise exception 'Only the people of this client may do this' using errcode = '42501';
end
$$;
revoke all on function private.works_for_client(uuid) from public;

-- Adds entries to the list of a client, or says with _is_trial what it would do: {"new", "known", "refused", "examples":
-- [{"line", "state", "text", "reason"}]}, of each state the first hundred by line. Of an address only its hint is told.
create function public.add_do_not_contact(_client_id uuid, _lines jsonb, _is_trial boolean) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  _most constant integer := 20000;
  _person constant uuid := private.user_id();
  _before integer;
  _answer jsonb;
begin
  perform private.works_for_client(_client_id);
  if jsonb_typeof(_lines) is distinct from 'array' or jsonb_array_length(_lines) > 5000 then
    raise exception 'Add at most 5,000 lines at a time.' using errcode = '22023';
  end if;
  -- Two who add at the same time wait for each other, so that the list stays under its limit.
  perform from public.clients where id = _client_id for no key update;
  select count(*) into _before from public.do_not_contact where client_id = _client_id;
  with judged as materialized (
    select *, row_number() over (partition by state order by line) as number
    from private.read_do_not_contact(_client_id, _lines)
  ), added as (
    insert into public.do_not_contact (client_id, kind, value, hint, added_by)
    select _client_id, kind, value, hint, _person from judged where state = 'new' and not _is_trial order by line
  )
  select jsonb_build_object(
    'new', count(*) filter (where state = 'new'), 'known', count(*) filter (where state = 'known'),
    'refused', count(*) filter (where state = 'refused'),
    'examples', coalesce(jsonb_agg(jsonb_build_object(
      'line', line, 'state', state, 'text', left(hint, 100), 'reason', reason
    ) order by line) filter (where number <= 100), '[]')
  ) into _answer from judged;
  if (_answer ->> 'new')::integer > 0 and _before + (_answer ->> 'new')::integer > _most then
    raise exception 'A list has at most 20,000 entries. Name domains instead of their addresses.' using errcode = 'P0001';
  end if;
  return _answer;
end
$$;
revoke all on function public.add_do_not_contact(uuid, jsonb, boolean) from public, anon, authenticated;
grant execute on function public.add_do_not_contact(uuid, jsonb, boolean) to authenticated, service_role;

-- Lists the entries of a client, the newest first, from _offset on, with the names of those who added them and the number of
-- all. To the client no address of a person is told.
create function public.list_do_not_contact(_client_id uuid, _limit integer default 24, _offset integer default 0)
returns table (
  id uuid, kind text, hint text, added_by text, created_at timestamptz, may_remove boolean, total integer
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  _works_for constant boolean := private.works_for_client(_client_id);
begin
  return query
    select entry.id, entry.kind, entry.hint,
      coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), case when _works_for then users.email end, '')::text,
      entry.created_at, _works_for or coalesce(entry.added_by = private.user_id(), false),
      (select count(*)::integer from public.do_not_contact where client_id = _client_id)
    from (
      select * from public.do_not_contact where client_id = _client_id
      order by do_not_contact.created_at desc, do_not_contact.id
      limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0)
    ) as entry left join auth.users on users.id = entry.added_by
    order by entry.created_at desc, entry.id;
end
$$;
revoke all on function public.list_do_not_contact(uuid, integer, integer) from public, anon, authenticated;
grant execute on function public.list_do_not_contact(uuid, integer, integer) to authenticated, service_role;

-- Finds what keeps an address or a domain from being written to: itself, its domain, or a domain above. The policies decide
-- for whoever asks.
create function public.find_do_not_contact(_client_id uuid, _text text)
returns table (id uuid, kind text, hint text, created_at timestamptz)
language sql stable set search_path = ''
as $$
  select id, kind, hint, created_at from public.do_not_contact
  where client_id = _client_id and (
    kind = 'address' and value = private.hash_of_address(_text)
    or kind = 'domain' and value in (
      select array_to_string(labels[n:], '.')
      from (select string_to_array(regexp_replace(lower(trim(left(_text, 320))), '^.*@', ''), '.')) as parts (labels),
        generate_subscripts(labels, 1) as n
    )
  )
  order by kind, length(value) desc
$$;
revoke all on function public.find_do_not_contact(uuid, text) from public, anon, authenticated;
grant execute on function public.find_do_not_contact(uuid, text) to authenticated, service_role;

insert into private.personal_data (table_name, ids, section, given, sorted_by, on_deletion) values
  ('do_not_contact', '{added_by}', 'left_alone', '{"at": "created_at", "client": "client_id", "entry": "hint"}',
    'created_at', 'follow');

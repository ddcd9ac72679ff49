-- Blocklist of a client: domains, and addresses as hashes, so that the list does not reveal addresses. Members and
-- the client's team read and add entries. The team, or the person who added an entry, can remove it. Only
-- add_do_not_contact() inserts, so that entries are normalised and hashed in one way.
create table public.do_not_contact (
  client_id uuid not null references public.clients (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  kind text not null check (kind in ('domain', 'address')),
  -- The domain, or private.hash_of_address() of an address.
  value text not null,
  -- The domain, or a masked address: a***@example.com.
  hint text not null check (length(hint) <= 260),
  added_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
    constraint do_not_contact_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, id),
  unique (client_id, value),
  check (
    case kind when 'address' then length(value) = 64 and value ~ '^[0-9a-f]+$' else length(value) <= 253 and value ~
      '^[a-z0-9.-]+$' end
  )
);
create index do_not_contact_latest_idx on public.do_not_contact (client_id, created_at desc, id);
create index do_not_contact_added_by_idx on public.do_not_contact (added_by);
grant select, delete on public.do_not_contact to authenticated;
grant all on public.do_not_contact to service_role;
alter table public.do_not_contact enable row level security;
create policy "Admins read all blocklists" on public.do_not_contact for select to authenticated
  using ((select private.is_admin()));
create policy "Members read the blocklists of their clients" on public.do_not_contact for select to authenticated
  using (client_id in (select private.clients_of_member()));
create policy "Team members read the blocklists of their clients" on public.do_not_contact for select to authenticated
  using (client_id in (select private.clients_of_team_member()));
create policy "Admins and assigned team members remove blocklist entries" on public.do_not_contact for delete to authenticated
  using ((select private.is_admin()) or client_id in (select private.clients_of_team_member()));
create policy "Members remove blocklist entries that they added" on public.do_not_contact for delete to authenticated
  using (added_by = (select private.user_id()) and client_id in (select private.clients_of_member()));

create trigger reject_impersonated_writes before insert or update or delete on public.do_not_contact
  for each statement execute function private.reject_impersonated_writes();

-- Adds entries to a client's blocklist, or with `_is_dry_run` returns the result without saving it: {"new", "known",
-- "refused", "examples": [{"line", "state", "text", "reason"}]}, with the first hundred examples of each state.
-- Addresses are shown as hints.
create function public.add_do_not_contact(_client_id uuid, _lines jsonb, _is_dry_run boolean) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  _max_entries constant integer := 20000;
  _person constant uuid := private.user_id();
  _before integer;
  _answer jsonb;
begin
  perform private.works_for_client(_client_id);
  if jsonb_typeof(_lines) is distinct from 'array' or jsonb_array_length(_lines) > 5000 then
    raise exception 'You can add at most 5,000 lines at a time.' using errcode = '22023';
  end if;
  -- Locks the client, so that concurrent calls cannot exceed the limit.
  perform from public.clients where id = _client_id for no key update;
  select count(*) into _before from public.do_not_contact where client_id = _client_id;
  with judged as materialized (
    select *, row_number() over (partition by state order by line) as number
    from private.read_do_not_contact(_client_id, _lines)
  ), added as (
    insert into public.do_not_contact (client_id, kind, value, hint, added_by)
    select _client_id, kind, value, hint, _person from judged where state = 'new' and not _is_dry_run order by line
  )
  select jsonb_build_object(
    'new', count(*) filter (where state = 'new'), 'known', count(*) filter (where state = 'known'),
    'refused', count(*) filter (where state = 'refused'),
    'examples', coalesce(jsonb_agg(jsonb_build_object(
      'line', line, 'state', state, 'text', left(hint, 100), 'reason', reason
    ) order by line) filter (where number <= 100), '[]')
  ) into _answer from judged;
  if (_answer ->> 'new')::integer > 0 and _before + (_answer ->> 'new')::integer > _max_entries then
    raise exception 'A blocklist can have at most 20,000 entries. Add domains instead of single addresses.' using errcode = 'P0001';
  end if;
  return _answer;
end
$$;
grant execute on function public.add_do_not_contact to authenticated, service_role;

-- Finds the entry that blocks an address or domain: an entry for itself, its domain, or a parent domain. Policies
-- apply.
create function public.find_do_not_contact(_client_id uuid, _text text) returns table (
  id uuid, kind text, hint text, created_at timestamptz
) language sql stable set search_path = '' as $$
  select id, kind, hint, created_at from public.do_not_contact
  where client_id = _client_id and (
    kind = 'address' and value = private.hash_of_address(private.normalise_entry(_text))
    or kind = 'domain' and value in (
      select array_to_string(labels[n:], '.')
      from (select string_to_array(regexp_replace(private.normalise_entry(_text), '^.*@', ''), '.')) as parts (labels),
        generate_subscripts(labels, 1) as n
    )
  )
  order by kind, length(value) desc
$$;
grant execute on function public.find_do_not_contact to authenticated, service_role;

-- Lists a client's entries, newest first, each with the person who added it, and the total. Members do not see
-- addresses of people.
create function public.list_do_not_contact(
  _client_id uuid, _limit integer default 24, _offset integer default 0
) returns table (
  id uuid, kind text, hint text, added_by text, created_at timestamptz, may_remove boolean, total integer
) language plpgsql stable security definer set search_path = '' as $$
declare
  _is_team constant boolean := private.works_for_client(_client_id);
begin
  return query
    select entry.id, entry.kind, entry.hint,
      coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), case when _is_team then users.email end, '')::text,
      entry.created_at, _is_team or coalesce(entry.added_by = private.user_id(), false),
      (select count(*)::integer from public.do_not_contact where client_id = _client_id)
    from (
      select * from public.do_not_contact where client_id = _client_id
      order by do_not_contact.created_at desc, do_not_contact.id
      limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0)
    ) as entry left join auth.users on users.id = entry.added_by
    order by entry.created_at desc, entry.id;
end
$$;
grant execute on function public.list_do_not_contact to authenticated, service_role;

-- Classifies lines as new, known or refused entries, with a reason. _lines: [{"line": 2, "text": "a@example.com"}]. The
-- joins are efficient for any number of lines, because the planner cannot estimate it.
create function private.read_do_not_contact(_client_id uuid, _lines jsonb) returns table (
  line integer, kind text, value text, hint text, state text, reason text
) language sql stable security definer set search_path = '' set enable_nestloop = off as $$
  with given as materialized (
    select (item ->> 'line')::integer as line, private.normalise_entry(item ->> 'text') as text
    from jsonb_array_elements(_lines) as item
  ), sorted as (
    -- No bounded repetitions: they slow down the expression by their count.
    select line, text, case
      when length(text) > 320 or text ~ '^[=+@-]' or domain !~ '^([a-z0-9]([a-z0-9-]*[a-z0-9])?[.])+[a-z][a-z0-9-]*[a-z0-9]$'
        or length(domain) > 253 then null
      when text = domain then case when not private.is_mail_provider(text) then 'domain' end
      when length(text) - length(domain) <= 65 and text ~ '^[a-z0-9.!#$%&''+/=?^_`{|}~-]+@[^@]+$' then 'address'
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
      when read.kind is null and text ~ '^[=+@-]' then 'Starts with =, +, - or @ like a formula.'
      when read.kind is null and text ~ '[*]' then 'Wildcards (*) are not supported. Enter the full address or domain.'
      when private.is_mail_provider(text) then 'This is a shared email provider. Enter single addresses instead.'
      when read.kind is null and text ~ '@' then 'Not a valid email address.'
      when read.kind is null then 'Not a valid email address or domain. Use a domain such as example.com.'
      when entry.id is not null then 'Already on the list.'
      when read.line > first_line then 'Same as line ' || first_line || '.'
    end
  from read left join public.do_not_contact as entry
    on entry.client_id = _client_id and entry.value = read.value
$$;

-- Adds rows of a list to the blocklist: the company of `_domain`, and the people on `_lines`, whose addresses must be
-- known.
create function private.add_do_not_contact_of_rows(
  _client_id uuid, _approval_id uuid, _number integer, _lines integer[], _domain text
) returns void language plpgsql security definer set search_path = '' as $$
begin
  if exists (
    select from public.approval_rows
    where client_id = _client_id and approval_id = _approval_id and number = _number and line = any (_lines)
      and fingerprint is null
  ) then
    raise exception 'This row has no email address. Remove its company to block it.' using errcode = 'P0001';
  end if;
  -- Locks the client, so that concurrent calls cannot exceed the limit.
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
    raise exception 'A blocklist can have at most 20,000 entries. Add domains instead of single addresses.' using errcode = 'P0001';
  end if;
end
$$;

-- Normalises an entry: 'kari@rival.no' for 'Kari <Kari@rival.no>' and 'mailto:kari@rival.no?subject=x'; 'rival.no' for
-- '*@rival.no', '@rival.no', '*.rival.no', 'https://www.rival.no:443/x', '"rival.no"' and 'rival.no.'. A domain
-- includes its subdomains.
create function private.normalise_entry(_text text) returns text language plpgsql immutable set search_path = '' as $$
declare
  _entry text := lower(btrim(left(_text, 400), E' \t\r\n'));
begin
  _entry := btrim(coalesce(substring(_entry from '<([^<>]*)>$'), _entry), E' \t\r\n"\'„“”‘’«»,;');
  if _entry ~ '^mailto:' then
    _entry := regexp_replace(_entry, '^mailto:|[?].*$', '', 'g');
  elsif _entry ~ '^[a-z][a-z0-9+.-]*://' then
    _entry := regexp_replace(regexp_replace(_entry, '^[^:]*://', ''), '^[^/?#@]*@|[/?#].*$', '', 'g');
  end if;
  if _entry !~ '@' or _entry ~ '^[*]?@' then
    _entry := regexp_replace(regexp_replace(_entry, '[/?#:].*$', ''), '^([*]?@)?([*]?[.])*', '');
    -- Except www.no, which is a domain of its own.
    if _entry ~ '^www[.][^.]+[.]' then
      _entry := right(_entry, -4);
    end if;
  end if;
  return rtrim(_entry, '.');
end
$$;
grant execute on function private.normalise_entry to authenticated, service_role;

-- Returns the stored hash of an address.
create function private.hash_of_address(_address text) returns text
language sql stable security definer set search_path = '' as $$
  select private.keyed_address_hash(encode(sha256(convert_to(lower(trim(_address)), 'UTF8')), 'hex'))
$$;
grant execute on function private.hash_of_address to authenticated, service_role;

-- HMAC-SHA256 of an SHA-256 hash. Without a key, an address could be guessed from its hash and hint. Hashes from before
-- the key existed were converted with it. The secret is the two padded keys of HMAC (RFC 2104), 64 bytes each, so that
-- a hash costs two digests and no padding.
create function private.keyed_address_hash(_hash text) returns text
language sql stable security definer set search_path = '' as $$
  select encode(sha256(substr(value, 65) || sha256(substr(value, 1, 64) || convert_to(_hash, 'UTF8'))), 'hex')
  from private.secrets where name = 'address_hashes'
$$;

-- Blocks a person when a provider reports that they unsubscribed. The size limit of the list does not apply to
-- objections.
create function private.add_do_not_contact_by_event() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.do_not_contact (client_id, kind, value, hint)
  values (new.client_id, 'address', new.person_hash, new.hint)
  on conflict do nothing;
  return null;
end
$$;

-- Where everybody has an address is no company: taken off a list as one, or named to be left alone, it would reach people whom
-- nobody meant. An address there is a person without a company; as a domain it is refused with the reason.

create function private.is_mail_provider(_domain text) returns boolean
language sql immutable set search_path = ''
as $$
  select coalesce(_domain = any (array[
    'gmail.com', 'googlemail.com', 'outlook.com', 'hotmail.com', 'hotmail.no', 'hotmail.co.uk', 'hotmail.fr', 'hotmail.de',
    'live.com', 'live.no', 'msn.com', 'yahoo.com', 'yahoo.no', 'yahoo.co.uk', 'yahoo.fr', 'yahoo.de', 'ymail.com', 'icloud.com',
    'me.com', 'mac.com', 'aol.com', 'proton.me', 'protonmail.com', 'pm.me', 'gmx.com', 'gmx.de', 'gmx.net', 'web.de', 't-online.de',
    'mail.com', 'mail.ru', 'yandex.ru', 'yandex.com', 'zoho.com', 'fastmail.com', 'hey.com', 'tutanota.com', 'tuta.com',
    'online.no', 'broadpark.no', 'frisurf.no', 'orange.fr', 'free.fr', 'laposte.net', 'libero.it', 'comcast.net', 'btinternet.com',
    'qq.com', '163.com', '126.com', 'foxmail.com', 'naver.com'
  ]), false)
$$;
revoke execute on function private.is_mail_provider(text) from public, anon, authenticated;

create or replace function private.read_do_not_contact(_client_id uuid, _lines jsonb)
 RETURNS TABLE(line integer, kind text, value text, hint text, state text, reason text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_nestloop TO 'off'
AS $$
  with given as (
    select (item ->> 'line')::integer as line, lower(trim(item ->> 'text')) as text
    from jsonb_array_elements(_lines) as item
  ), sorted as (
    -- No counted repetitions: they make these expressions slower by the factor of the count.
    select line, text, case
      when length(text) > 320 or text ~ '^[=+@-]' or domain !~ '^([a-z0-9]([a-z0-9-]*[a-z0-9])?[.])+[a-z][a-z0-9-]*[a-z0-9]$'
        or length(domain) > 253 then null
      when text = domain then case when not private.is_mail_provider(text) then 'domain' end
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
      when private.is_mail_provider(text) then 'Many people have their mail there. Name their addresses.'
      when read.kind is null and text ~ '@' then 'This is no email address.'
      when read.kind is null then 'This is neither an email address nor a domain such as example.com.'
      when entry.id is not null then 'On the list already.'
      when read.line > first_line then 'As on line ' || first_line || '.'
    end
  from read left join public.do_not_contact as entry
    on entry.client_id = _client_id and entry.value = read.value
$$;

create or replace function private.read_list_rows(_client_id uuid, _approval_id uuid, _rows jsonb)
 RETURNS TABLE(line integer, company text, domain text, person text, fingerprint text, hint text, state text, reason text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_nestloop TO 'off'
AS $$
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

create or replace function public.ask_for_list_approval(_client_id uuid, _title text, _text text, _rows jsonb, _is_trial boolean, _due_on date DEFAULT NULL::date, _approval_id uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $$
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
    'companies', count(distinct nullif(domain, '')) filter (where state = 'new'),
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

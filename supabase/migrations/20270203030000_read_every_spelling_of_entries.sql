-- Reads every spelling of an address or of "everyone at this domain", and adds people to the list who unsubscribe.

-- Returns an entry as the list stores it: 'kari@rival.no' for 'Kari <Kari@rival.no>' and 'mailto:kari@rival.no?subject=x', and
-- 'rival.no' for '*@rival.no', '@rival.no', '*.rival.no', 'https://www.rival.no:443/x', '"rival.no"' and 'rival.no.'. A domain on the
-- list includes the domains below it.
create function private.plain_entry(_text text) returns text
language plpgsql immutable set search_path = ''
as $$
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
    -- Not www.no, which is a domain itself.
    if _entry ~ '^www[.][^.]+[.]' then
      _entry := right(_entry, -4);
    end if;
  end if;
  return rtrim(_entry, '.');
end
$$;
revoke all on function private.plain_entry(text) from public;
grant execute on function private.plain_entry(text) to authenticated, service_role;

create or replace function private.read_do_not_contact(_client_id uuid, _lines jsonb)
 RETURNS TABLE(line integer, kind text, value text, hint text, state text, reason text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_nestloop TO 'off'
AS $$
  with given as materialized (
    select (item ->> 'line')::integer as line, private.plain_entry(item ->> 'text') as text
    from jsonb_array_elements(_lines) as item
  ), sorted as (
    -- No counted repetitions: they make these expressions slower by the factor of the count.
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
      when read.kind is null and text ~ '^[=+@-]' then 'This begins like a formula.'
      when read.kind is null and text ~ '[*]' then 'Write the whole address, or the domain: * cannot replace a part of them.'
      when private.is_mail_provider(text) then 'Many people have their mail there. Name their addresses.'
      when read.kind is null and text ~ '@' then 'This is no email address.'
      when read.kind is null then 'This is neither an email address nor a domain such as example.com.'
      when entry.id is not null then 'On the list already.'
      when read.line > first_line then 'As on line ' || first_line || '.'
    end
  from read left join public.do_not_contact as entry
    on entry.client_id = _client_id and entry.value = read.value
$$;

create or replace function public.find_do_not_contact(_client_id uuid, _text text)
 RETURNS TABLE(id uuid, kind text, hint text, created_at timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $$
  select id, kind, hint, created_at from public.do_not_contact
  where client_id = _client_id and (
    kind = 'address' and value = private.hash_of_address(private.plain_entry(_text))
    or kind = 'domain' and value in (
      select array_to_string(labels[n:], '.')
      from (select string_to_array(regexp_replace(private.plain_entry(_text), '^.*@', ''), '.')) as parts (labels),
        generate_subscripts(labels, 1) as n
    )
  )
  order by kind, length(value) desc
$$;

-- Adds a person to the client's list when a provider reports that they unsubscribed. The limit of the list is for entries that
-- people add: an objection always counts.
create function private.add_do_not_contact_by_event() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.do_not_contact (client_id, kind, value, hint)
  values (new.client_id, 'address', new.person_hash, new.hint)
  on conflict do nothing;
  return null;
end
$$;
revoke all on function private.add_do_not_contact_by_event() from public;
create trigger add_do_not_contact_by_event after insert on public.inbound_events
  for each row
  when (
    new.person_hash is not null and new.hint <> '' and new.state <> 'elsewhere' and replace(lower(new.kind), '_', '') in (
      'unsubscribed', 'leadunsubscribed', 'emailunsubscribed', 'emailsunsubscribed'
    )
  )
  execute function private.add_do_not_contact_by_event();

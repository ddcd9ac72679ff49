-- Rate limit counters, keyed by a hash of the subject.
create table private.rate_limit_counters (
  subject text primary key,
  count integer not null,
  expires_at timestamptz not null
);
create index rate_limit_counters_expiry_idx on private.rate_limit_counters (expires_at);
alter table private.rate_limit_counters enable row level security;

-- Returns the hash under which a subject is counted. It is salted, so that an address cannot be found by hashing all
-- addresses.
create function private.counter_key(_subject text) returns text language sql stable set search_path = '' as $$
  select encode(sha256(value || convert_to(_subject, 'UTF8')), 'hex') from private.secrets where name = 'rate_limits'
$$;

-- Returns the end of the window of a counter.
create function private.count_ends_at(kind text, subject_name text) returns timestamptz
language sql stable security definer set search_path = '' as $$
  select coalesce((
    select expires_at from private.rate_limit_counters where subject = private.counter_key(kind || ' of ' || subject_name)
  ), now())
$$;

-- Counts one `kind` for an address, at most `allowed` within `period`. Returns false if the limit is reached, and true
-- without an address.
create function private.count_for_address(kind text, address text, allowed integer, period interval) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  one record;
begin
  for one in select * from private.networks_of(address) loop
    insert into private.rate_limit_counters as counted (subject, count, expires_at)
      values (private.counter_key(kind || one.network), 1, now() + period)
      on conflict (subject) do update set
        count = case when counted.expires_at <= now() then 1 else counted.count + 1 end,
        expires_at = case when counted.expires_at <= now() then excluded.expires_at else counted.expires_at end
      where counted.expires_at <= now() or counted.count < allowed * one.allowances;
    if not found then
      return false;
    end if;
  end loop;
  return true;
end
$$;

-- Counts for the address and for the network around it, which has four times the limit. Returns false if a limit is
-- reached, and true without an address.
create function private.count_for_networks(kind text, address text, allowed integer, period interval) returns boolean
language sql security definer set search_path = '' as $$
  select private.count_for_address(kind, address, allowed, period) and (
    private.wide_network_of(address) is null
    or private.count_for_subject(kind || ' around', private.wide_network_of(address), allowed * 4, period)
  )
$$;

-- Like private.count_for_address(), but for another subject: an email address, or '' for the whole site.
create function private.count_for_subject(kind text, subject_name text, allowed integer, period interval) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.rate_limit_counters as counted (subject, count, expires_at)
    values (private.counter_key(kind || ' of ' || subject_name), 1, now() + period)
    on conflict (subject) do update set
      count = case when counted.expires_at <= now() then 1 else counted.count + 1 end,
      expires_at = case when counted.expires_at <= now() then excluded.expires_at else counted.expires_at end
    where counted.expires_at <= now() or counted.count < allowed;
  return found;
end
$$;

-- Returns the networks in which an address is counted, each with its multiple of the limit. A customer gets a /64 of
-- IPv6, and a /48 contains 65,536 of them. Returns no rows for an invalid address.
create function private.networks_of(address text) returns table (network text, allowances integer)
language plpgsql immutable set search_path = '' as $$
declare
  parsed inet;
begin
  if address = 'unknown' then
    return query select address, 20;
    return;
  end if;
  begin
    parsed := trim(address)::inet;
  exception when others then
    return;
  end;
  if parsed is null then
    return;
  elsif family(parsed) = 4 then
    return query select host(parsed), 1;
  else
    return query select network(set_masklen(parsed, 64))::text, 1
      union all select network(set_masklen(parsed, 48))::text, 4;
  end if;
end
$$;

-- Returns the largest network that a single customer usually has: /24 of IPv4, /48 of IPv6. Null if the address is not
-- counted.
create function private.wide_network_of(address text) returns text language plpgsql immutable set search_path = '' as $$
declare
  parsed inet;
begin
  begin
    parsed := trim(address)::inet;
  exception when others then
    return null;
  end;
  return network(set_masklen(parsed, case family(parsed) when 4 then 24 else 48 end))::text;
end
$$;

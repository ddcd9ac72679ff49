-- X-Forwarded-For begins with what the visitor wrote, so nobody is counted by it any more. On the platform the edge puts
-- CF-Connecting-IP in place of whatever was sent. A request without it has no address that could be believed: all of them
-- are counted as one that may do twenty times as much, which nobody evades by writing another header.

create or replace function private.client_address() returns text
language sql stable set search_path = ''
as $$
  select coalesce(
    nullif(current_setting('request.address', true), ''),
    headers ->> 'cf-connecting-ip',
    case when headers is not null then 'unknown' end
  )
  from (select nullif(current_setting('request.headers', true), '')::json) as request (headers)
$$;

create or replace function private.networks_of(address text) returns table (network text, allowances integer)
language plpgsql immutable set search_path = ''
as $$
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

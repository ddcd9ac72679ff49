-- Whoever has many addresses can use up what is bounded for the whole site. Near such a bound the site asks for proof
-- instead of refusing everybody: a link by mail, which only whoever reads the mailbox can press. What is bounded here is
-- how many of those links are sent, or they would be the next thing to use up.

-- The network around an address that one customer of a provider may have whole: /24 of IPv4, /48 of IPv6. Null where
-- nobody is counted.
create function private.wide_network_of(address text) returns text
language plpgsql immutable set search_path = ''
as $$
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
revoke all on function private.wide_network_of(text) from public;

-- Counts one more of `kind` for the address and for the network around it, which has four times as many.
-- @returns whether it was counted; always true where there is no address
create function private.count_for_networks(kind text, address text, allowed integer, period interval) returns boolean
language sql security definer set search_path = ''
as $$
  select private.count_for_address(kind, address, allowed, period) and (
    private.wide_network_of(address) is null
    or private.count_for_subject(kind || ' around', private.wide_network_of(address), allowed * 4, period)
  )
$$;
revoke all on function private.count_for_networks(text, text, integer, interval) from public;

-- Counts one link for whoever asks, for the mailbox, and for the site. A link is good for 15 minutes, so these are also
-- bounds of what is held at once.
create function private.limit_proof_mails(_email text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.count_for_networks('proof', private.client_address(), 3, interval '15 minutes') then
    raise sqlstate 'PT429' using
      message = 'We have sent several links already. Please open one of them, or try again in 15 minutes.';
  end if;
  if not private.count_for_subject('proof to', lower(_email), 5, interval '1 day') then
    raise sqlstate 'PT429' using
      message = 'Several links were sent to this address today. Please open the last of them, or write to us.';
  end if;
  if not private.count_for_subject('proof', '', 1000, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'Too many people are writing at the moment. Please write an e-mail.';
  end if;
end
$$;
revoke all on function private.limit_proof_mails(text) from public;

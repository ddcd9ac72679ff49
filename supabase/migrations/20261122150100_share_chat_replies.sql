-- The daily cap is for what costs: replies of a language model that were delivered. A reply is claimed before the model is
-- asked, so that no two claim the last one, and given back when nothing comes of it. One address has a tenth of the cap.

drop function public.claim_chat_reply();

-- @returns claimed, 'site' when today's cap (UTC) is reached, or 'address' when its share of it is
create function public.claim_chat_reply(_address text) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  cap constant integer := private.number_setting('chat_daily_cap', 1000);
  today constant date := (now() at time zone 'utc')::date;
begin
  if cap <= 0 then
    return 'site';
  end if;
  insert into public.chat_usage as usage (day, replies) values (today, 1)
    on conflict (day) do update set replies = usage.replies + 1 where usage.replies < cap;
  if not found then
    return 'site';
  end if;
  if private.count_for_address('reply of ' || today, _address, greatest(1, cap / 10), interval '1 day') then
    return 'claimed';
  end if;
  update public.chat_usage set replies = replies - 1 where day = today;
  return 'address';
end
$$;
revoke all on function public.claim_chat_reply(text) from public, anon, authenticated;
grant execute on function public.claim_chat_reply(text) to service_role;

create function public.return_chat_reply(_address text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  today constant date := (now() at time zone 'utc')::date;
begin
  update public.chat_usage set replies = replies - 1 where day = today and replies > 0;
  update private.chat_counts set count = count - 1
    where count > 0 and subject in (
      select encode(sha256(convert_to(salt || 'reply of ' || today || network, 'UTF8')), 'hex')
      from private.chat_salt, private.networks_of(_address)
    );
end
$$;
revoke all on function public.return_chat_reply(text) from public, anon, authenticated;
grant execute on function public.return_chat_reply(text) to service_role;

drop function private.new_webhook_secret();

create table private.secrets (
  name text primary key,
  value bytea not null check (length(value) >= 32)
);
revoke all on table private.secrets from anon, authenticated, service_role;

insert into private.secrets (name, value)
select 'rate_limits', convert_to(salt, 'UTF8') from private.chat_salt
union all select 'newsletter_links', convert_to(key, 'UTF8') from private.newsletter_key
union all select 'lead_webhook', decode(substr(secret, 7), 'base64') from private.lead_webhook_secret
union all select 'preview_links', key from private.preview_key
union all select 'address_hashes', inner_key || outer_key from private.address_key;

create or replace function private.count_for_address(kind text, address text, allowed integer, period interval) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  one record;
begin
  for one in select * from private.networks_of(address) loop
    insert into private.chat_counts as counted (subject, count, expires_at)
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

create or replace function private.count_for_subject(kind text, subject_name text, allowed integer, period interval) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.chat_counts as counted (subject, count, expires_at)
    values (private.counter_key(kind || ' of ' || subject_name), 1, now() + period)
    on conflict (subject) do update set
      count = case when counted.expires_at <= now() then 1 else counted.count + 1 end,
      expires_at = case when counted.expires_at <= now() then excluded.expires_at else counted.expires_at end
    where counted.expires_at <= now() or counted.count < allowed;
  return found;
end
$$;

create function private.counter_key(_subject text) returns text language sql stable set search_path = '' as $$
  select encode(sha256(value || convert_to(_subject, 'UTF8')), 'hex') from private.secrets where name = 'rate_limits'
$$;
revoke all on function private.counter_key(_subject text) from public, anon, authenticated, service_role;

create or replace function private.keyed_address_hash(_hash text) returns text
language sql stable security definer set search_path = '' as $$
  select encode(sha256(substr(value, 65) || sha256(substr(value, 1, 64) || convert_to(_hash, 'UTF8'))), 'hex')
  from private.secrets where name = 'address_hashes'
$$;

create function private.lead_webhook_secret() returns text language sql stable set search_path = '' as $$
  select 'whsec_' || encode(value, 'base64') from private.secrets where name = 'lead_webhook'
$$;
revoke all on function private.lead_webhook_secret() from public, anon, authenticated, service_role;

create function private.new_secret() returns bytea language sql volatile set search_path = '' as $$
  select sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
$$;
revoke all on function private.new_secret() from public, anon, authenticated, service_role;

create or replace function private.preview_token(_id uuid) returns text language sql stable security definer set search_path = '' as $$
  select translate(encode(sha256(value || sha256(value || uuid_send(_id))), 'base64'), '+/=', '-_')
  from private.secrets where name = 'preview_links'
$$;

create or replace function private.unsubscribe_token(_id uuid) returns text language sql stable security definer set search_path = '' as $$
  select _id || '.' || encode(sha256(value || convert_to(
    encode(sha256(value || convert_to(_id::text, 'UTF8')), 'hex'), 'UTF8'
  )), 'hex')
  from private.secrets where name = 'newsletter_links'
$$;

create or replace function public.lead_webhook_secret() returns text language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  perform private.refuse_applications();
  return private.lead_webhook_secret();
end
$$;

create or replace function public.renew_lead_webhook_secret() returns text language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  perform private.refuse_applications();
  update private.secrets set value = private.new_secret() where name = 'lead_webhook';
  return private.lead_webhook_secret();
end
$$;

create or replace function public.return_chat_reply(_address text) returns void language plpgsql security definer set search_path = '' as $$
declare
  today constant date := (now() at time zone 'utc')::date;
begin
  update public.chat_usage set replies = replies - 1 where day = today and replies > 0;
  update private.chat_counts set count = count - 1
    where count > 0 and subject in (
      select private.counter_key('reply of ' || today || network) from private.networks_of(_address)
    );
end
$$;

alter table private.secrets enable row level security;

create or replace function private.count_ends_at(kind text, subject_name text) returns timestamptz
language sql stable security definer set search_path = '' as $$
  select coalesce((
    select expires_at from private.chat_counts where subject = private.counter_key(kind || ' of ' || subject_name)
  ), now())
$$;

drop table private.preview_key;

drop table private.newsletter_key;

drop table private.lead_webhook_secret;

drop table private.chat_salt;

drop table private.address_key;

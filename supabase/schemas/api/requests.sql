-- Keys of the header `idempotency-key` (64 random hexadecimal digits). A browser that receives no response sends the
-- form again with the same key.
create table private.idempotency_keys (
  key_hash text primary key check (key_hash ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null default now()
);
create index idempotency_keys_created_idx on private.idempotency_keys (created_at);

-- Returns false if the request was already processed within the last day. Deletes a few expired keys.
create function private.claim_request(_purpose text) returns boolean language plpgsql security definer set search_path = '' as $$
declare
  _key constant text := private.token_of_request(_purpose);
begin
  if _key is null then
    return true;
  end if;
  delete from private.idempotency_keys where key_hash in (
    select key_hash from private.idempotency_keys where created_at < now() - interval '1 day'
    order by created_at limit 10 for update skip locked
  );
  insert into private.idempotency_keys (key_hash) values (_key) on conflict do nothing;
  return found;
end
$$;

-- Derives 64 hexadecimal digits from the key of the request and the purpose. Null without a valid key.
create function private.token_of_request(_purpose text) returns text language sql stable set search_path = '' as $$
  select encode(sha256(convert_to(_purpose || ' ' || key, 'UTF8')), 'hex')
  from (select nullif(current_setting('request.headers', true), '')::json ->> 'idempotency-key') as headers (key)
  where key ~ '^[0-9a-f]{64}$'
$$;

-- Returns the user whose own rows the request reads: the caller or the impersonated member.
create function private.effective_user_id() returns uuid language sql stable security definer set search_path = '' as $$
  select coalesce(private.user_id(), (select user_id from private.impersonated_member()))
$$;
grant execute on function private.effective_user_id to anon, authenticated, service_role;

-- Returns the client's address. The built-in backend sets `request.address`, which requests cannot set ('none' if no
-- limit applies). On a hosted project the proxy of the platform writes the headers.
create function private.client_address() returns text language sql stable set search_path = '' as $$
  select coalesce(
    nullif(current_setting('request.address', true), ''),
    headers ->> 'cf-connecting-ip',
    case when headers is not null then 'unknown' end
  )
  from (select nullif(current_setting('request.headers', true), '')::json) as request (headers)
$$;

create function private.has_admin_rights(_user_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.user_roles where user_id = _user_id and role = 'admin' and approved
  ) and (
    private.has_second_factor() or not exists (
      select from public.site_settings where setting_key = 'require_second_factor' and setting_value = 'on'
    )
  )
$$;

-- Lists what the table API exposes to any role, for `npm run attack`. The API's own description omits objects that the
-- secret key cannot use.
create function public.list_exposed_objects() returns jsonb language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'tables', (
      select coalesce(jsonb_object_agg(c.relname, (
        select jsonb_agg(jsonb_build_object(
          'name', a.attname,
          'isRequired', a.attnotnull,
          'isKey', exists (
            select from pg_catalog.pg_index i where i.indrelid = c.oid and i.indisprimary and a.attnum = any (i.indkey)
          )
        ) order by a.attnum)
        from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      )), '{}')
      from pg_catalog.pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'm', 'f', 'p')
    ),
    'functions', (
      select coalesce(jsonb_object_agg(p.proname, (
        select coalesce(jsonb_object_agg(argument.name, pg_catalog.format_type(argument.type, null)), '{}')
        from unnest(p.proargnames[1:p.pronargs], p.proargtypes::oid[]) as argument (name, type)
        where argument.name <> ''
      )), '{}')
      from pg_catalog.pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
        and p.prorettype not in ('pg_catalog.trigger'::regtype, 'pg_catalog.event_trigger'::regtype)
    )
  )
$$;
grant execute on function public.list_exposed_objects to service_role;

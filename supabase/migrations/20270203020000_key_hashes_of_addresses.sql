-- Addresses that are kept as hashes are hashed with a secret key. The unsalted SHA-256 of an address beside a hint such as
-- k***@example.com could be guessed by everyone who reads the row.

-- The two padded keys of HMAC (RFC 2104), so that each hash costs two digests and no padding.
create table private.address_key (
  is_only boolean primary key default true check (is_only),
  inner_key bytea not null check (length(inner_key) = 64),
  outer_key bytea not null check (length(outer_key) = 64)
);
comment on table private.address_key is 'Key of the hashes of email addresses.';
alter table private.address_key enable row level security;
revoke all on table private.address_key from public, anon, authenticated, service_role;

insert into private.address_key (inner_key, outer_key)
with secret as materialized (
  select uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
    || uuid_send(gen_random_uuid()) as key
)
select
  string_agg(decode(lpad(to_hex(get_byte(key, byte) # 54), 2, '0'), 'hex'), ''::bytea order by byte),
  string_agg(decode(lpad(to_hex(get_byte(key, byte) # 92), 2, '0'), 'hex'), ''::bytea order by byte)
from secret, generate_series(0, 63) as byte;

-- HMAC-SHA256 of a former hash, so that the hashes of before can be migrated: their addresses are not stored.
create function private.keyed_address_hash(_hash text) returns text
language sql stable security definer set search_path = ''
as $$
  select encode(sha256(outer_key || sha256(inner_key || convert_to(_hash, 'UTF8'))), 'hex') from private.address_key
$$;
revoke all on function private.keyed_address_hash(text) from public;

create or replace function private.hash_of_address(_address text) returns text
language sql stable security definer set search_path = ''
as $$
  select private.keyed_address_hash(encode(sha256(convert_to(lower(trim(_address)), 'UTF8')), 'hex'))
$$;

update public.do_not_contact set value = private.keyed_address_hash(value) where kind = 'address';
update public.approval_rows set fingerprint = private.keyed_address_hash(fingerprint) where fingerprint is not null;
update public.inbound_events set person_hash = private.keyed_address_hash(person_hash) where person_hash is not null;

-- The import of a source is no file, and had the hash of the secret address instead.
alter table public.import_batches alter column file_hash drop not null;
update public.import_batches set file_hash = null where source_id is not null;

create or replace function public.add_campaign_source(_client_id uuid, _campaign_id uuid, _provider text, _metrics text[], _external_id text DEFAULT ''::text, _secret text DEFAULT ''::text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $$
declare
  _client constant public.clients := private.lock_client_of_worker(_client_id);
  _token text;
  _hash text;
  _id uuid;
begin
  if not exists (select from public.campaigns where client_id = _client_id and id = _campaign_id) then
    raise exception 'There is no such campaign any more.' using errcode = 'P0001';
  elsif private.is_deleted_campaign(_client_id, _campaign_id) then
    raise exception 'This campaign was deleted. Restore it first.' using errcode = 'P0001';
  elsif exists (
    select from public.campaign_sources where client_id = _client_id and campaign_id = _campaign_id and ends_on is null
  ) then
    raise exception 'This campaign has a source already. End it first.' using errcode = 'P0001';
  end if;
  select * into _token, _hash from private.new_source_token();
  insert into public.campaign_sources (
    client_id, campaign_id, provider, external_id, token_hash, secret_hash, signing_secret, metrics, counts_from, added_by
  )
  select _client_id, _campaign_id, _provider, trim(_external_id), _hash, private.hash_of_secret(_secret),
    case _provider when 'smartlead' then nullif(trim(_secret), '') end, _metrics, greatest(
    (now() at time zone _client.time_zone)::date,
    (
      select max(last_day) + 1 from public.campaign_figures
      where client_id = _client_id and campaign_id = _campaign_id and metric = any (_metrics)
    ),
    (
      select max(ends_on) + 1 from public.campaign_sources
      where client_id = _client_id and campaign_id = _campaign_id and metrics && _metrics
    )
  ), private.user_id()
  returning id into _id;
  insert into public.import_batches (
    client_id, file_name, file_hash, column_map, new_count, changed_count, same_count, refused_count, imported_by, source_id
  ) values (_client_id, 'Events of ' || case _provider
    when 'smartlead' then 'Smartlead' when 'instantly' then 'Instantly' when 'lemlist' then 'lemlist' else 'our own'
  end, null, '{}', 0, 0, 0, 0, private.user_id(), _id);
  return _token;
end
$$;

-- People who are named on lists and in the ledger of meetings can have an account.
alter table private.personal_data
  -- Columns with private.hash_of_address() of the person's address.
  add column hashes name[] not null default '{}',
  drop constraint personal_data_check,
  add constraint personal_data_check check (ids <> '{}' or addresses <> '{}' or hashes <> '{}');

create or replace function private.naming_in_sql(_source private.personal_data)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $$
  select string_agg(condition, ' or ') from (
    select case
      when _source.ids_from is null then format('item.%I = $1::pg_catalog.%I', attname, typname)
      else format('item.%I in (select private.%I($1))', attname, _source.ids_from)
    end
    from pg_catalog.pg_attribute join pg_catalog.pg_type on pg_type.oid = atttypid
    where attrelid = format('%I.%I', _source.schema_name, _source.table_name)::regclass and attname = any (_source.ids)
    union all
    select format('($2 <> '''' and lower(%s) = $2)', private.column_in_sql(address)) from unnest(_source.addresses) as address
    union all
    select format('($2 <> '''' and item.%I = (select private.hash_of_address($2)))', hash) from unnest(_source.hashes) as hash
  ) as conditions (condition)
$$;

insert into private.personal_data (table_name, addresses, hashes, section, given, sorted_by, on_deletion) values
  ('approval_rows', '{person}', '{fingerprint}', 'listed_by_clients',
    '{"client": "client_id", "company": "company", "domain": "domain", "person": "person"}', 'line', 'follow'),
  ('client_meetings', '{met_with}', '{}', 'meetings_with_clients',
    '{"at": "starts_at", "client": "client_id", "with": "met_with", "outcome": "outcome"}', 'starts_at', 'follow');

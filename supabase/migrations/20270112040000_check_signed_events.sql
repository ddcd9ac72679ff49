-- Lets Smartlead prove who it is by its signature over the body, X-Smartlead-Signature, where an event has no secret_key: that
-- needs the secret itself. Nobody but the service role reads it, and without the address, kept as a hash, it opens nothing.
alter table public.campaign_sources add column signing_secret text check (length(signing_secret) <= 500);

create or replace function public.add_campaign_source(
  _client_id uuid, _campaign_id uuid, _provider text, _metrics text[], _external_id text default '', _secret text default ''
) returns text
language plpgsql security definer set search_path = ''
as $$
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
  end, _hash, '{}', 0, 0, 0, 0, private.user_id(), _id);
  return _token;
end
$$;

create or replace function public.rotate_campaign_source(_client_id uuid, _id uuid, _secret text default '') returns text
language plpgsql security definer set search_path = ''
as $$
declare
  _token text;
  _hash text;
begin
  perform private.lock_client_of_worker(_client_id);
  select * into _token, _hash from private.new_source_token();
  update public.campaign_sources set token_hash = _hash, secret_hash = private.hash_of_secret(_secret),
    signing_secret = case provider when 'smartlead' then nullif(trim(_secret), '') end
  where client_id = _client_id and id = _id and ends_on is null;
  if not found then
    raise exception 'This source has ended.' using errcode = 'P0001';
  end if;
  return _token;
end
$$;

-- Returns the secret with which events of a source are signed; null for none, and for a source that is none.
create function public.signing_secret_of_source(_token_hash text) returns text
language sql stable security definer set search_path = ''
as $$
  select signing_secret from public.campaign_sources where token_hash = _token_hash and ends_on is null
$$;
revoke all on function public.signing_secret_of_source(text) from public, anon, authenticated;
grant execute on function public.signing_secret_of_source(text) to service_role;

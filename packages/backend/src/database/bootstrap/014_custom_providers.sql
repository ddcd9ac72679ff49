-- Providers that are added through the administration interface: the table of Supabase Auth. Its constraints for https are
-- looser here: whether private networks, and plain HTTP with them, are allowed is a setting of the server.

create table auth.custom_oauth_providers (
  id uuid primary key default gen_random_uuid(),
  provider_type text not null,
  identifier text not null,
  name text not null,
  client_id text not null,
  client_secret text not null,
  acceptable_client_ids text[] not null default '{}',
  scopes text[] not null default '{}',
  pkce_enabled boolean not null default true,
  attribute_mapping jsonb not null default '{}',
  authorization_params jsonb not null default '{}',
  enabled boolean not null default true,
  email_optional boolean not null default false,
  issuer text,
  discovery_url text,
  skip_nonce_check boolean not null default false,
  cached_discovery jsonb,
  discovery_cached_at timestamptz,
  authorization_url text,
  token_url text,
  userinfo_url text,
  jwks_uri text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  custom_claims_allowlist text[] not null default '{}',
  constraint custom_oauth_providers_identifier_key unique (identifier),
  constraint custom_oauth_providers_authorization_url_https check (authorization_url ~ '^https?://'),
  constraint custom_oauth_providers_authorization_url_length check (char_length(authorization_url) <= 2048),
  constraint custom_oauth_providers_client_id_length check (char_length(client_id) between 1 and 512),
  constraint custom_oauth_providers_discovery_url_length check (char_length(discovery_url) <= 2048),
  constraint custom_oauth_providers_identifier_format check (identifier ~ '^[a-z0-9][a-z0-9:-]{0,48}[a-z0-9]$'),
  constraint custom_oauth_providers_issuer_length check (char_length(issuer) between 1 and 2048),
  constraint custom_oauth_providers_jwks_uri_https check (jwks_uri ~ '^https?://'),
  constraint custom_oauth_providers_jwks_uri_length check (char_length(jwks_uri) <= 2048),
  constraint custom_oauth_providers_name_length check (char_length(name) between 1 and 100),
  constraint custom_oauth_providers_oauth2_requires_endpoints check (
    provider_type <> 'oauth2' or (authorization_url is not null and token_url is not null and userinfo_url is not null)
  ),
  constraint custom_oauth_providers_oidc_discovery_url_https check (discovery_url ~ '^https?://'),
  constraint custom_oauth_providers_oidc_issuer_https check (issuer ~ '^https?://'),
  constraint custom_oauth_providers_oidc_requires_issuer check (provider_type <> 'oidc' or issuer is not null),
  constraint custom_oauth_providers_provider_type_check check (provider_type in ('oauth2', 'oidc')),
  constraint custom_oauth_providers_token_url_https check (token_url ~ '^https?://'),
  constraint custom_oauth_providers_token_url_length check (char_length(token_url) <= 2048),
  constraint custom_oauth_providers_userinfo_url_https check (userinfo_url ~ '^https?://'),
  constraint custom_oauth_providers_userinfo_url_length check (char_length(userinfo_url) <= 2048)
);
create index custom_oauth_providers_provider_type_idx on auth.custom_oauth_providers (provider_type);
create index custom_oauth_providers_enabled_idx on auth.custom_oauth_providers (enabled);
create index custom_oauth_providers_created_at_idx on auth.custom_oauth_providers (created_at);
alter table auth.custom_oauth_providers enable row level security;
grant all on auth.custom_oauth_providers to service_role;

-- Recovery codes and passkeys: tables of Supabase Auth that 002_auth.sql leaves out. Below them what only we keep: which
-- codes of an authenticator app were used, and how often somebody guessed.

alter type auth.factor_type add value if not exists 'recovery_code';

create table auth.mfa_recovery_code_sets (
  id uuid primary key,
  user_id uuid not null unique references auth.users (id) on delete cascade,
  mfa_factor_id uuid not null unique references auth.mfa_factors (id) on delete cascade,
  failed_verification_count integer not null default 0 check (failed_verification_count >= 0),
  verification_locked_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table auth.mfa_recovery_codes (
  id uuid primary key,
  mfa_recovery_code_set_id uuid not null references auth.mfa_recovery_code_sets (id) on delete cascade,
  code_hash text not null,
  consumed_at timestamptz,
  created_at timestamptz not null default now()
);
create index mfa_recovery_codes_mfa_recovery_code_set_id_idx on auth.mfa_recovery_codes (mfa_recovery_code_set_id);

create table auth.webauthn_credentials (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  credential_id bytea not null,
  public_key bytea not null,
  attestation_type text not null default '',
  aaguid uuid,
  sign_count bigint not null default 0,
  transports jsonb not null default '[]',
  backup_eligible boolean not null default false,
  backed_up boolean not null default false,
  friendly_name text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_used_at timestamptz
);
create unique index webauthn_credentials_credential_id_key on auth.webauthn_credentials (credential_id);
create index webauthn_credentials_user_id_idx on auth.webauthn_credentials (user_id);

create table auth.webauthn_challenges (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references auth.users (id) on delete cascade,
  challenge_type text not null check (challenge_type in ('signup', 'registration', 'authentication')),
  session_data jsonb not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index webauthn_challenges_user_id_idx on auth.webauthn_challenges (user_id);
create index webauthn_challenges_expires_at_idx on auth.webauthn_challenges (expires_at);

do $$
declare
  name text;
begin
  foreach name in array array['mfa_recovery_code_sets', 'mfa_recovery_codes', 'webauthn_credentials', 'webauthn_challenges']
  loop
    execute format('alter table auth.%I enable row level security', name);
    execute format('grant all on auth.%I to service_role', name);
  end loop;
end $$;

-- The latest time step of which a code was accepted. A code of that step or of an earlier one is not accepted again.
create table backend.totp_steps (
  factor_id uuid primary key references auth.mfa_factors (id) on delete cascade,
  last_step bigint not null
);
alter table backend.totp_steps enable row level security;

-- Codes that were tried for the factors of an account since the last right one, in this hour and in this day.
create table backend.factor_guesses (
  user_id uuid primary key references auth.users (id) on delete cascade,
  hour_begins timestamptz not null default clock_timestamp(),
  in_hour integer not null default 1,
  day_begins timestamptz not null default clock_timestamp(),
  in_day integer not null default 1
);
alter table backend.factor_guesses enable row level security;

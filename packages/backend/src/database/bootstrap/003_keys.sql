-- Keys of the embedded backend. Nobody but the owner gets at this schema.

create table backend.signing_keys (
  kid text primary key,
  private_jwk jsonb not null,
  created_at timestamptz not null default clock_timestamp()
);

create table backend.secrets (
  name text primary key,
  value text not null
);

revoke all on schema backend from public;

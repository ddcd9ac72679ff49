-- Nothing is accessible by default: each file grants what its callers need. Supabase projects created before May 2026
-- grant the API roles everything on each new table and function.
alter default privileges revoke execute on functions from public;
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;

-- Helpers that the API does not expose. Policies call them with the caller's rights.
create schema if not exists private;
grant usage on schema private to anon, authenticated, service_role;

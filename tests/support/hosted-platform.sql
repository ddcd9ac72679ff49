-- The state of a Supabase project before its first migration, reduced to the parts that affect migrations and policies.
-- Roles, owners and privileges are those in supabase/postgres (migrations/db and nix/tests/expected, autumn 2026). Run as
-- supabase_admin, the platform's superuser, after packages/backend/src/database/bootstrap has created the services'
-- tables.

create role postgres login nosuperuser createdb createrole replication bypassrls;
create role authenticator login noinherit;
create role supabase_auth_admin login noinherit createrole;
create role supabase_storage_admin login noinherit createrole;
create role supabase_realtime_admin nologin noinherit;
create role dashboard_user createdb createrole replication;
alter role anon inherit;
alter role authenticated inherit;
alter role service_role inherit;
grant anon, authenticated, service_role to authenticator;
grant anon, authenticated, service_role, authenticator to postgres with admin option;
alter role postgres set search_path to "$user", public, extensions;
alter role authenticator set statement_timeout = '8s';

-- Only our own backend has this schema.
drop schema backend cascade;
alter default privileges grant execute on functions to public;

create schema graphql_public;
create schema realtime;
do $$
declare
  _service record;
  _name text;
begin
  execute format('alter database %I owner to postgres', current_database());
  for _service in
    select * from (values ('auth', 'supabase_auth_admin'), ('storage', 'supabase_storage_admin')) as service (schema, owner)
  loop
    execute format('grant create on database %I to %I', current_database(), _service.owner);
    execute format('grant all on schema %I to %I', _service.schema, _service.owner);
    for _name in
      select format('%s %s', case when relkind = 'S' then 'sequence' else 'table' end, oid::regclass) from pg_class
      where relnamespace = _service.schema::regnamespace and (relkind = 'r' or relkind = 'S' and not exists (
        select from pg_depend where objid = pg_class.oid and deptype in ('a', 'i')
      ))
    loop
      execute format('alter %s owner to %I', _name, _service.owner);
    end loop;
    for _name in
      select format('function %s', oid::regprocedure) from pg_proc where pronamespace = _service.schema::regnamespace
    loop
      execute format('alter %s owner to %I', _name, _service.owner);
      execute format('grant execute on %s to public', _name);
    end loop;
  end loop;
end $$;

alter schema extensions owner to postgres;
grant usage on schema auth to postgres, dashboard_user;
grant usage on schema storage, realtime, graphql_public to postgres with grant option;
grant usage on schema storage, realtime, graphql_public to anon, authenticated, service_role, dashboard_user;
grant all on all tables in schema auth to postgres, dashboard_user;
grant all on all sequences in schema auth to postgres, dashboard_user;
grant all on storage.buckets, storage.objects to postgres with grant option;
grant all on storage.buckets, storage.objects to anon, authenticated, service_role;

-- Only the storage service sets this parameter, so only it can delete rows.
create function storage.protect_delete() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('storage.allow_delete_query', true), 'false') <> 'true' then
    raise exception 'Direct deletion from storage tables is not allowed. Use the Storage API instead.' using errcode = '42501';
  end if;
  return null;
end
$$;
create trigger protect_buckets_delete before delete on storage.buckets
  for each statement execute function storage.protect_delete();
create trigger protect_objects_delete before delete on storage.objects
  for each statement execute function storage.protect_delete();

grant usage on schema public to anon, authenticated, service_role;

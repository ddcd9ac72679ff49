-- What the table API could be asked for, whoever may: the description that it gives of itself leaves out what the secret
-- key has no privilege on, such as functions for people. `npm run attack` and nobody else asks for it.

create function public.list_exposed_objects() returns jsonb
language sql stable security invoker set search_path = ''
as $$
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
revoke all on function public.list_exposed_objects() from public, anon, authenticated;
grant execute on function public.list_exposed_objects() to service_role;

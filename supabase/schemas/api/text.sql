-- Returns the name that the person entered, or that the provider sent.
create function private.name_of(_metadata jsonb) returns text
language sql immutable set search_path = '' as $$ select coalesce(nullif(_metadata ->> 'name', ''), _metadata ->> 'full_name', '') $$;

-- Returns a text as one line, cut to a length.
create function private.one_line(text, integer) returns text language sql immutable set search_path = '' as $$
  select left(trim(regexp_replace(coalesce($1, ''), '[[:cntrl:]]+', ' ', 'g')), $2)
$$;

-- Returns a subquery for the site's own URLs in `text`: in Markdown links and images, and alone on a line. A subquery,
-- because a function would take ten times as long. Splits texts first, because a regular expression on many long texts
-- takes seconds.
create function private.addresses_in_text() returns text language sql immutable set search_path = '' as $$
  select $query$
    select split_part(split_part(split_part(split_part(split_part(
      ltrim(piece, E' \n<'), ')', 1), ' ', 1), '>', 1), '"', 1), E'\n', 1) as address
    from string_to_table(text, '](') with ordinality as pieces (piece, place)
    where place > 1 and ltrim(piece, E' \n<') like '/%'
    union all
    select substring(piece from '^[ \t]*<?(/[^\s>"]*)')
    from string_to_table(text, ']:') with ordinality as pieces (piece, place)
    where place > 1 and ltrim(piece, E' \t<') like '/%'
    union all
    select trim(line, E' \t\r<>') from string_to_table(text, E'\n') as line
    where line like '%/storage/%' and trim(line, E' \t\r<>') ~ '^/storage/\S+$'
  $query$
$$;
grant execute on function private.addresses_in_text to authenticated, service_role;

create function private.touch_updated_at() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  new.updated_at := clock_timestamp();
  return new;
end
$$;

create function private.retention_cutoff() returns timestamptz
language sql stable security definer set search_path = '' as $$ select now() - make_interval(days => greatest(1, private.number_setting('chat_retention_days', 365))) $$;

-- Returns a setting as an integer, or the fallback if it is missing or invalid.
create function private.number_setting(key text, fallback integer) returns integer
language sql stable security definer set search_path = '' as $$
  select coalesce(
    (select setting_value::integer from public.site_settings where setting_key = key and setting_value ~ '^\d{1,7}$'),
    fallback
  )
$$;

-- Returns true if an on/off setting is on. The default is off.
create function private.is_setting_on(key text) returns boolean language sql stable security definer set search_path = '' as $$
  select exists (select from public.site_settings where setting_key = key and setting_value = 'on')
$$;

-- Returns true if Postgres knows the name from the time zone database. Other spellings, such as POSIX rules, are
-- rejected.
create function private.is_time_zone(_name text) returns boolean language plpgsql stable set search_path = '' as $$
begin
  if _name is null or length(_name) > 64 or _name !~ '^(UTC|[A-Za-z_]+(/[A-Za-z0-9_+-]+)+)$' then
    return false;
  end if;
  perform now() at time zone _name;
  return true;
exception when invalid_parameter_value then
  return false;
end
$$;

-- Formats a time for mails: Tuesday 24 November 2026, 10:00 to 10:30 (Europe/Oslo)
create function private.format_slot(_slot tstzrange, _zone text) returns text
language sql stable set search_path = '' as $$
  select to_char(lower(_slot) at time zone _zone, 'FMDay FMDD FMMonth YYYY, HH24:MI') || ' to '
    || to_char(upper(_slot) at time zone _zone, 'HH24:MI') || ' (' || _zone || ')'
$$;

-- Returns SQL for a column, or a JSON field, of rows with the alias `item`.
create function private.column_in_sql(_column text) returns text language sql immutable set search_path = '' as $$
  select case split_part(_column, '.', 2)
    when '' then format('item.%I', _column)
    else format('item.%I ->> %L', split_part(_column, '.', 1), split_part(_column, '.', 2))
  end
$$;

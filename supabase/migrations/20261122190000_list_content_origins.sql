-- The other hosts whose pictures and scheduling page belong to what visitors read: pages may load from these and no others.
-- The rows are reached under the caller's own policies, so a draft's are not among them.

create function public.content_origins() returns table (used_for text, origin text)
language plpgsql stable set search_path = ''
as $$
declare
  _host constant text := '(https://[^]/?#\\")>\s]+)';
  _column record;
begin
  for _column in
    select kind.table_name as of_table, attname as name, attname ~ '(image|avatar|src)' as is_picture
    from private.list_content_kinds() as kind
    join pg_catalog.pg_attribute on attrelid = format('public.%I', kind.table_name)::regclass
    where atttypid = 'text'::regtype and not attisdropped
  loop
    if _column.is_picture then
      return query execute format(
        'select distinct ''picture'', lower(substring(%2$I from $1)) from public.%1$I
         where status = ''published'' and %2$I ~* ''^\s*https:''', _column.of_table, _column.name
      ) using '(?i)^\s*' || _host;
    else
      -- Any other text may be Markdown. It is split first, because searching 10,000 articles for a pattern takes a second.
      return query execute format(
        'select distinct ''picture'', lower(hit.origin)
         from public.%1$I, lateral (
           select substring(piece from $1)
           from string_to_table(%2$I, ''!['') with ordinality as pieces (piece, place) where place > 1
           union all
           select substring(piece from $2) from string_to_table(%2$I, '']:'') as piece
         ) as hit (origin)
         where status = ''published'' and %2$I like ''%%![%%'' and hit.origin is not null', _column.of_table, _column.name
      ) using '(?i)^[^]]*\]\(\s*<?' || _host, '(?i)^\s*<?' || _host;
    end if;
  end loop;
  -- Sections of pages are JSON, or what somebody saved in its place.
  return query
    select distinct place.used_for, lower(hit[1])
    from public.page_content,
      (values ('picture', '(?:image|src)\w*'), ('frame', 'calendlyPlaceholder')) as place (used_for, key),
      regexp_matches(content, place.key || '"\s*:\s*"\s*' || _host, 'gi') as hit;
end
$$;
revoke all on function public.content_origins() from public, anon, authenticated;
grant execute on function public.content_origins() to anon, authenticated, service_role;

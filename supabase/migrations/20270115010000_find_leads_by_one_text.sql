-- A search among 50,000 leads compared five columns without regard to case, which took half a second on PGlite. One text in
-- small letters is compared five times faster. In a database of the locale C lower() knows the letters of ASCII alone.
alter table public.leads add column search_text text
  generated always as (lower(translate(
    name || ' ' || email || ' ' || phone || ' ' || message || ' ' || note,
    'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞ', 'àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþ'
  ))) stored;

-- In the order of the list, so that a deep page is counted off and not sorted.
drop index public.leads_newest_idx;
create index leads_newest_idx on public.leads (created_at desc, id);
drop index public.leads_status_idx;
create index leads_status_idx on public.leads (status, created_at desc, id);

-- The kinds of content, in one table: what puts items in order, finds where a file is used and tells the assistant what is
-- published goes through all of them. A table of content that is missing here fails a test.

create table private.content_kinds (
  -- In the schema public; it has the columns id and status ('draft' or 'published').
  table_name name primary key,
  title_column name not null,
  -- How lists sort the items. People choose the order where it begins with display_order.
  list_order text not null check (list_order ~ '^[a-z_]+( desc)?(, [a-z_]+( desc)?)*$'),
  -- Where visitors read an item, {slug} being its own; null: the assistant does not search this kind.
  public_path text check (public_path like '/%'),
  -- What the assistant searches beside the title: columns of type text or text[].
  text_columns name[] not null default '{}',
  -- Kinds are gone through in the order of their numbers.
  number integer generated always as identity unique
);
revoke all on table private.content_kinds from public, anon, authenticated, service_role;
alter table private.content_kinds enable row level security;

-- For functions that run with the rights of the caller.
create function private.list_content_kinds() returns setof private.content_kinds
language sql stable security definer set search_path = ''
as $$
  select * from private.content_kinds order by number
$$;
revoke all on function private.list_content_kinds() from public;
grant execute on function private.list_content_kinds() to anon, authenticated, service_role;

insert into private.content_kinds (table_name, title_column, list_order, public_path, text_columns) values
  ('posts', 'title', 'published_date desc, created_at desc', '/news/{slug}', '{category,excerpt,content}'),
  ('projects', 'title', 'display_order, created_at desc', '/projects', '{company,metric,description,full_content}'),
  ('services', 'title', 'display_order, created_at', '/services', '{short_description,long_description,deliverables}'),
  ('reviews', 'author_name', 'display_order, created_at', null, '{}'),
  ('team_members', 'name', 'display_order, created_at', '/about', '{position,bio}');

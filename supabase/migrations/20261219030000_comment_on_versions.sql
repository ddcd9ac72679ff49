-- Comments of both sides on a version of what waits for a yes, on the whole or at a passage of its text. They decide nothing, stay
-- with the version that was read, and nobody changes one. What only we see is no comment: it has a table of its own.

create table public.approval_comments (
  client_id uuid not null,
  id uuid not null default gen_random_uuid(),
  approval_id uuid not null,
  number integer not null,
  -- The passage as it stands in the version; empty for the whole.
  quote text not null default '' check (length(quote) <= 2000),
  text text not null check (text ~ '\S' and length(text) <= 2000),
  written_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  primary key (client_id, id),
  foreign key (client_id, approval_id, number)
    references public.approval_versions (client_id, approval_id, number) on delete cascade
);
create index approval_comments_version_idx on public.approval_comments (client_id, approval_id, number, created_at);
create index approval_comments_written_by_idx on public.approval_comments (written_by);

revoke all on table public.approval_comments from anon, authenticated;
grant select on table public.approval_comments to authenticated;
grant all on table public.approval_comments to service_role;
alter table public.approval_comments enable row level security;

create policy "Admins read all comments" on public.approval_comments
  for select to authenticated using ((select private.is_admin()));
create policy "Members read the comments on what their clients approve" on public.approval_comments
  for select to authenticated using (client_id in (select private.clients_of_member()));
create policy "Team members read the comments of their clients" on public.approval_comments
  for select to authenticated using (client_id in (select private.clients_of_team_member()));

-- Says something to a version, with _quote to that passage of it. Also viewers and those who work for the client do. Returns the
-- comment.
create function public.comment_on_version(
  _client_id uuid, _approval_id uuid, _number integer, _text text, _quote text default ''
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  _id uuid;
begin
  perform private.works_for_client(_client_id);
  perform private.lock_approval(_client_id, _approval_id);
  if _quote <> '' and not exists (
    select from public.approval_versions
    where client_id = _client_id and approval_id = _approval_id and number = _number and position(_quote in text) > 0
  ) then
    raise exception 'This passage is not in that version. Please read it again.' using errcode = 'P0001';
  elsif (select count(*) from public.approval_comments where client_id = _client_id and approval_id = _approval_id) >= 500 then
    raise exception 'There are 500 comments. Please talk to each other.' using errcode = 'P0001';
  end if;
  insert into public.approval_comments (client_id, approval_id, number, quote, text, written_by)
  values (_client_id, _approval_id, _number, coalesce(_quote, ''), btrim(_text, E' \t\r\n'), private.user_id()) returning id into _id;
  return _id;
end
$$;
revoke all on function public.comment_on_version(uuid, uuid, integer, text, text) from public, anon, authenticated;
grant execute on function public.comment_on_version(uuid, uuid, integer, text, text) to authenticated, service_role;

-- Lists the comments on all versions of an approval, the oldest first. To the client no address of a person is told.
create function public.list_comments(_client_id uuid, _approval_id uuid)
returns table (id uuid, number integer, quote text, text text, written_by text, is_team boolean, created_at timestamptz)
language plpgsql stable security definer set search_path = ''
as $$
declare
  _works_for constant boolean := private.works_for_client(_client_id);
begin
  return query
    select comment.id, comment.number, comment.quote, comment.text,
      coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), case when _works_for then users.email end, '')::text,
      coalesce(roles.role in ('team', 'admin'), false), comment.created_at
    from public.approval_comments as comment
      left join auth.users on users.id = comment.written_by
      left join public.user_roles as roles on roles.user_id = comment.written_by
    where comment.client_id = _client_id and comment.approval_id = _approval_id
    order by comment.created_at, comment.id;
end
$$;
revoke all on function public.list_comments(uuid, uuid) from public, anon, authenticated;
grant execute on function public.list_comments(uuid, uuid) to authenticated, service_role;

insert into private.personal_data (table_name, ids, section, given, sorted_by, on_deletion) values
  ('approval_comments', '{written_by}', 'approval_comments',
    '{"at": "created_at", "client": "client_id", "version": "number", "text": "text"}', 'created_at', 'follow');

-- Internal notes about a client. A separate table without a policy for members, so that a missing filter cannot expose
-- internal notes.
create table public.client_notes (
  client_id uuid not null references public.clients (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  text text not null check (text ~ '\S' and length(text) <= 5000),
  written_by uuid default private.user_id() references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
    constraint client_notes_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, id)
);
create index client_notes_latest_idx on public.client_notes (client_id, created_at desc, id);
create index client_notes_written_by_idx on public.client_notes (written_by);
grant select, delete on public.client_notes to authenticated;
grant all on public.client_notes to service_role;
grant insert (client_id, text) on public.client_notes to authenticated;
alter table public.client_notes enable row level security;
create policy "Admins read all notes" on public.client_notes for select to authenticated using ((select private.is_admin()));
create policy "Team members read the notes on their clients" on public.client_notes for select to authenticated
  using (client_id in (select private.clients_of_team_member()));
create policy "Admins and assigned team members write notes" on public.client_notes for insert to authenticated
  with check ((select private.is_admin()) or client_id in (select private.clients_of_team_member()));
create policy "Admins delete all notes" on public.client_notes for delete to authenticated using ((select private.is_admin()));
create policy "Team members delete their own notes" on public.client_notes for delete to authenticated
  using (written_by = (select private.user_id()) and client_id in (select private.clients_of_team_member()));

-- Lists the notes about a client, newest first, with their authors and the total.
create function public.list_client_notes(_client_id uuid, _limit integer default 24, _offset integer default 0) returns table (
  id uuid, text text, written_by text, created_at timestamptz, may_delete boolean, total integer
) language plpgsql stable security definer set search_path = '' as $$
declare
  _is_admin constant boolean := private.is_admin();
begin
  if not (_is_admin or _client_id in (select private.clients_of_team_member())) then
    raise exception 'Only admins and assigned team members can do this' using errcode = '42501';
  end if;
  return query
    select note.id, note.text, coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), users.email, '')::text,
      note.created_at, _is_admin or coalesce(note.written_by = private.user_id(), false), note.total
    from (
      select *, count(*) over ()::integer as total from public.client_notes
      where client_id = _client_id order by client_notes.created_at desc, client_notes.id
      limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0)
    ) as note left join auth.users on users.id = note.written_by
    order by note.created_at desc, note.id;
end
$$;
grant execute on function public.list_client_notes to authenticated, service_role;

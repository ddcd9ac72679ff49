-- Names who saved a client, a lead or a check last, so that somebody who saves over it is told whose change they met.
alter table public.clients add column changed_by uuid references auth.users (id) on delete set null;
alter table public.leads add column changed_by uuid references auth.users (id) on delete set null;
alter table public.assistant_checks add column changed_by uuid references auth.users (id) on delete set null;
create index clients_changed_by_idx on public.clients (changed_by);
create index leads_changed_by_idx on public.leads (changed_by);
create index assistant_checks_changed_by_idx on public.assistant_checks (changed_by);

insert into private.personal_data (table_name, ids, section, given_by, on_deletion) values
  ('clients', '{changed_by}', null, null, 'follow'),
  ('leads', '{changed_by}', null, null, 'follow'),
  ('assistant_checks', '{changed_by}', null, null, 'follow');

create function private.note_changer() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.changed_by := private.user_id();
  return new;
end
$$;
revoke all on function private.note_changer() from public;

-- Of what a person edits: an account that is deleted empties the column, which is no change of theirs.
create trigger note_changer before update of name, domain, time_zone, first_weekday, currency, meetings_goal, replies_goal,
  delivered_goal on public.clients
  for each row execute function private.note_changer();
create trigger note_changer before update of status, note on public.leads
  for each row execute function private.note_changer();
create trigger note_changer before update of question, must_name, must_not_name on public.assistant_checks
  for each row execute function private.note_changer();

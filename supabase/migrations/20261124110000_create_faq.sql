-- Questions and answers: drafts are for admins, everybody reads what is published. The assistant answers from them first.

create table public.faq (
  id uuid primary key default gen_random_uuid(),
  question text not null check (length(question) between 1 and 300),
  answer text not null default '' check (length(answer) <= 20000),
  status text not null default 'draft' check (status in ('draft', 'published')),
  display_order integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index faq_order_idx on public.faq (status, display_order);

revoke all on table public.faq from anon, authenticated;
grant select on table public.faq to anon;
grant select, insert, update, delete on table public.faq to authenticated;
grant all on table public.faq to service_role;
alter table public.faq enable row level security;

create policy "Visitors read published questions" on public.faq
  for select to anon, authenticated using (status = 'published');
create policy "Admins read all questions" on public.faq
  for select to authenticated using ((select private.is_admin()));
create policy "Admins create questions" on public.faq
  for insert to authenticated with check ((select private.is_admin()));
create policy "Admins change questions" on public.faq
  for update to authenticated using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "Admins delete questions" on public.faq
  for delete to authenticated using ((select private.is_admin()));

create trigger touch_updated_at before update on public.faq
  for each row execute function private.touch_updated_at();
create trigger notify_content_changed after insert or update or delete or truncate on public.faq
  for each statement execute function private.notify_content_changed();

insert into private.content_kinds (table_name, title_column, list_order, public_path, text_columns)
  values ('faq', 'question', 'display_order, created_at', '/contact#questions', '{answer}');

-- Whether the contact page shows them. Before the first one is published nobody has asked for it, and the page must not
-- even look for any; then it is on, until an admin switches it off.
create policy "Visitors read whether the contact page has questions" on public.site_settings
  for select to anon, authenticated using (setting_key = 'faq_on_contact');

create function private.show_first_question() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.site_settings (setting_key, setting_value) values ('faq_on_contact', 'on')
    on conflict (setting_key) do nothing;
  return null;
end
$$;
revoke all on function private.show_first_question() from public;
create trigger show_first_question after insert or update on public.faq
  for each row when (new.status = 'published') execute function private.show_first_question();

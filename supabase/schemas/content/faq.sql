-- Questions and answers. Drafts are visible only to admins, published entries to everyone. The assistant prefers them.
create table public.faq (
  id uuid primary key default gen_random_uuid(),
  question text not null check (length(question) between 1 and 300),
  answer text not null default '' check (length(answer) <= 20000),
  status text not null default 'draft' check (status in ('draft', 'published')),
  display_order integer not null default 0,
  created_at timestamptz not null default now()
    constraint faq_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  updated_at timestamptz not null default now()
    constraint faq_updated_at_calendar check (updated_at between '1900-01-01' and '2999-12-31')
);
create index faq_order_idx on public.faq (status, display_order);
grant select on public.faq to anon;
grant select, insert, update, delete on public.faq to authenticated;
grant all on public.faq to service_role;
alter table public.faq enable row level security;
create policy "Visitors read published questions" on public.faq for select to anon, authenticated using (status = 'published');
create policy "Admins read all questions" on public.faq for select to authenticated using ((select private.is_admin()));
create policy "Admins create questions" on public.faq for insert to authenticated with check ((select private.is_admin()));
create policy "Admins change questions" on public.faq for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "Admins delete questions" on public.faq for delete to authenticated using ((select private.is_admin()));

create trigger touch_updated_at before update on public.faq for each row execute function private.touch_updated_at();
create trigger notify_content_changed after insert or update or delete or truncate on public.faq
  for each statement execute function private.notify_content_changed();

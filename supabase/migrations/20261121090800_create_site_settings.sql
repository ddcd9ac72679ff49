-- Settings by key. Only the keys listed in the policy are public; every other setting is for admins.

create table public.site_settings (
  id uuid primary key default gen_random_uuid(),
  setting_key text not null unique check (length(setting_key) between 1 and 100),
  setting_value text not null default '' check (length(setting_value) <= 100000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

revoke all on table public.site_settings from anon, authenticated;
grant select on table public.site_settings to anon;
grant select, insert, update, delete on table public.site_settings to authenticated;
grant all on table public.site_settings to service_role;
alter table public.site_settings enable row level security;

create policy "Visitors read public settings" on public.site_settings
  for select to anon, authenticated using (setting_key in (
    'site_name', 'site_tagline', 'contact_email', 'contact_phone', 'social_links', 'seo_description', 'seo_keywords'
  ));
create policy "Admins read all settings" on public.site_settings
  for select to authenticated using ((select private.is_admin()));
create policy "Admins create settings" on public.site_settings
  for insert to authenticated with check ((select private.is_admin()));
create policy "Admins change settings" on public.site_settings
  for update to authenticated using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "Admins delete settings" on public.site_settings
  for delete to authenticated using ((select private.is_admin()));

create trigger touch_updated_at before update on public.site_settings
  for each row execute function private.touch_updated_at();
create trigger notify_content_changed after insert or update or delete or truncate on public.site_settings
  for each statement execute function private.notify_content_changed();

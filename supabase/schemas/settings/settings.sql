-- Settings by key. Visitors read only the keys in the policies below.
create table public.site_settings (
  id uuid primary key default gen_random_uuid(),
  setting_key text not null unique check (length(setting_key) between 1 and 100),
  setting_value text not null default '' check (length(setting_value) <= 100000),
  created_at timestamptz not null default now()
    constraint site_settings_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  updated_at timestamptz not null default now()
    constraint site_settings_updated_at_calendar check (updated_at between '1900-01-01' and '2999-12-31')
);
grant select on public.site_settings to anon;
grant select, insert, update, delete on public.site_settings to authenticated;
grant all on public.site_settings to service_role;
alter table public.site_settings enable row level security;
create policy "Visitors read public settings" on public.site_settings
  for select to anon, authenticated using (setting_key in (
    'site_name', 'site_tagline', 'contact_email', 'contact_phone', 'social_links', 'seo_description', 'seo_keywords'
  ));
create policy "Admins read all settings" on public.site_settings for select to authenticated
  using ((select private.is_admin()));
create policy "Admins create settings" on public.site_settings for insert to authenticated
  with check ((select private.is_admin()));
create policy "Admins change settings" on public.site_settings for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "Admins delete settings" on public.site_settings for delete to authenticated using ((select private.is_admin()));
create policy "Visitors read which sites may embed the chat" on public.site_settings for select to anon, authenticated
  using (setting_key = 'chat_allowed_origins');

-- Off until the first question is published, then on until an admin switches it off. While the setting is missing, the
-- page makes no query.
create policy "Visitors read whether the contact page has questions" on public.site_settings for select to anon, authenticated
  using (setting_key = 'faq_on_contact');

-- Pages read these to show their forms. submit_lead() checks them again.
create policy "Visitors read which forms are enabled" on public.site_settings for select to anon, authenticated
  using (setting_key in ('keep_contact_messages', 'newsletter_signup', 'leads_from_chat'));

-- Public, so that pages need no other call. It follows the weekly hours.
create policy "Visitors read whether calls can be booked" on public.site_settings for select to anon, authenticated
  using (setting_key = 'booking');
create policy "Visitors read whether visits are counted" on public.site_settings for select to anon, authenticated
  using (setting_key = 'count_visits');
create policy "Visitors read the retention period" on public.site_settings for select to anon, authenticated
  using (setting_key = 'chat_retention_days');
create policy "Visitors read the brand" on public.site_settings for select to anon, authenticated
  using (setting_key in ('brand_accent', 'brand_logo'));
create policy "Visitors read whether the chat is disabled" on public.site_settings for select to anon, authenticated
  using (setting_key = 'chat_daily_cap' and setting_value ~ '^0{1,7}$');
create policy "Visitors read whether domains can be checked" on public.site_settings for select to anon, authenticated
  using (setting_key = 'domain_check');
create policy "Visitors read the answer time" on public.site_settings for select to anon, authenticated
  using (setting_key = 'answer_time');
create policy "Visitors read the time zone of the site" on public.site_settings for select to anon, authenticated
  using (setting_key = 'site_time_zone');

create trigger touch_updated_at before update on public.site_settings for each row execute function private.touch_updated_at();
create trigger notify_content_changed after insert or update or delete or truncate on public.site_settings
  for each statement execute function private.notify_content_changed();
create trigger guard_second_factor before insert or update on public.site_settings
  for each row when (new.setting_key = 'require_second_factor') execute function private.guard_second_factor_setting();

create table public.site_settings (
  id uuid default gen_random_uuid() not null,
  setting_key text not null,
  setting_value text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint site_settings_pkey PRIMARY KEY (id),
  constraint site_settings_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint site_settings_setting_key_check CHECK (length(setting_key) >= 1 AND length(setting_key) <= 100),
  constraint site_settings_setting_key_key UNIQUE (setting_key),
  constraint site_settings_setting_value_check CHECK (length(setting_value) <= 100000),
  constraint site_settings_updated_at_calendar CHECK (updated_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND updated_at <= '2999-12-31 00:00:00+00'::timestamp with time zone)
);

grant select on public.site_settings to anon;

grant delete, insert, select, update on public.site_settings to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.site_settings to service_role;

alter table public.site_settings enable row level security;

create policy "Admins delete settings" on public.site_settings for delete to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Admins create settings" on public.site_settings for insert to authenticated
  with check (( SELECT private.is_admin() AS is_admin));

create policy "Admins read all settings" on public.site_settings for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Visitors read how long things are kept" on public.site_settings for select to anon, authenticated
  using ((setting_key = 'chat_retention_days'::text));

create policy "Visitors read public settings" on public.site_settings for select to anon, authenticated
  using ((setting_key = ANY (ARRAY['site_name'::text, 'site_tagline'::text, 'contact_email'::text, 'contact_phone'::text, 'social_links'::text, 'seo_description'::text, 'seo_keywords'::text])));

create policy "Visitors read that the chat is switched off" on public.site_settings for select to anon, authenticated
  using (((setting_key = 'chat_daily_cap'::text) AND (setting_value ~ '^0{1,7}$'::text)));

create policy "Visitors read the brand" on public.site_settings for select to anon, authenticated
  using ((setting_key = ANY (ARRAY['brand_accent'::text, 'brand_logo'::text])));

create policy "Visitors read the time zone of the site" on public.site_settings for select to anon, authenticated
  using ((setting_key = 'site_time_zone'::text));

create policy "Visitors read what they may leave" on public.site_settings for select to anon, authenticated
  using ((setting_key = ANY (ARRAY['keep_contact_messages'::text, 'newsletter_signup'::text, 'leads_from_chat'::text])));

create policy "Visitors read when somebody answers" on public.site_settings for select to anon, authenticated
  using ((setting_key = 'answer_time'::text));

create policy "Visitors read whether calls can be booked" on public.site_settings for select to anon, authenticated
  using ((setting_key = 'booking'::text));

create policy "Visitors read whether domains can be checked" on public.site_settings for select to anon, authenticated
  using ((setting_key = 'domain_check'::text));

create policy "Visitors read whether the contact page has questions" on public.site_settings for select to anon, authenticated
  using ((setting_key = 'faq_on_contact'::text));

create policy "Visitors read whether visits are counted" on public.site_settings for select to anon, authenticated
  using ((setting_key = 'count_visits'::text));

create policy "Visitors read which sites may embed the chat" on public.site_settings for select to anon, authenticated
  using ((setting_key = 'chat_allowed_origins'::text));

create policy "Admins change settings" on public.site_settings for update to authenticated
  using (( SELECT private.is_admin() AS is_admin))
  with check (( SELECT private.is_admin() AS is_admin));

-- Triggers, in the order in which they fire.
CREATE TRIGGER guard_brand_accent BEFORE INSERT OR UPDATE ON site_settings FOR EACH ROW WHEN (new.setting_key = 'brand_accent'::text) EXECUTE FUNCTION private.guard_brand_accent();
CREATE TRIGGER guard_brand_logo BEFORE INSERT OR UPDATE ON site_settings FOR EACH ROW WHEN (new.setting_key = 'brand_logo'::text) EXECUTE FUNCTION private.guard_brand_logo();
CREATE TRIGGER guard_lead_webhook_url BEFORE INSERT OR UPDATE ON site_settings FOR EACH ROW WHEN (new.setting_key = 'lead_webhook_url'::text) EXECUTE FUNCTION private.guard_lead_webhook_url();
CREATE TRIGGER guard_second_factor BEFORE INSERT OR UPDATE ON site_settings FOR EACH ROW WHEN (new.setting_key = 'require_second_factor'::text) EXECUTE FUNCTION private.guard_second_factor_setting();
CREATE TRIGGER refuse_stale_text BEFORE INSERT OR DELETE OR UPDATE ON site_settings FOR EACH ROW EXECUTE FUNCTION private.refuse_stale_text();
CREATE TRIGGER state_booking_zone BEFORE INSERT OR UPDATE ON site_settings FOR EACH ROW WHEN (new.setting_key = 'site_time_zone'::text) EXECUTE FUNCTION private.state_booking_zone();
CREATE TRIGGER state_whether_booking_is_on BEFORE INSERT OR UPDATE ON site_settings FOR EACH ROW WHEN (new.setting_key = 'booking'::text) EXECUTE FUNCTION private.state_whether_booking_is_on();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON site_settings FOR EACH ROW EXECUTE FUNCTION private.touch_updated_at();
CREATE TRIGGER keep_versions AFTER INSERT OR DELETE OR UPDATE ON site_settings FOR EACH ROW EXECUTE FUNCTION private.keep_versions();
CREATE TRIGGER track_media_mentions AFTER INSERT OR DELETE OR UPDATE ON site_settings FOR EACH ROW EXECUTE FUNCTION private.track_media_mentions();
CREATE TRIGGER notify_content_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON site_settings FOR EACH STATEMENT EXECUTE FUNCTION private.notify_content_changed();

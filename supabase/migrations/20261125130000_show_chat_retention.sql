-- The privacy page says how long chats, leads and bookings are kept, so whoever reads it may read the setting.
create policy "Visitors read how long things are kept" on public.site_settings
  for select to anon, authenticated using (setting_key = 'chat_retention_days');

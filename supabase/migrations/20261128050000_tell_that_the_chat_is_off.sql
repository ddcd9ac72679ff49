-- A daily cap of 0 switches the chat off, so that its launcher goes from every page. Any other cap stays with the admins.
create policy "Visitors read that the chat is switched off" on public.site_settings for select to anon, authenticated
  using (setting_key = 'chat_daily_cap' and setting_value ~ '^0{1,7}$');

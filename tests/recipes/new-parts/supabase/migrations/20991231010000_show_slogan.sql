create policy "Visitors read the slogan" on public.site_settings
  for select to anon, authenticated using (setting_key = 'slogan');

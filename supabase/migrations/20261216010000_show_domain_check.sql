-- Visitors may check a domain while the owner has the setting domain_check on: pages show the form then, and the server,
-- which reads the setting as a visitor, answers it.
create policy "Visitors read whether domains can be checked" on public.site_settings for select to anon, authenticated
  using (setting_key = 'domain_check');

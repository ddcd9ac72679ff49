-- The contact form says when somebody answers, in the words of the owner.
create policy "Visitors read when somebody answers" on public.site_settings for select to anon, authenticated
  using (setting_key = 'answer_time');

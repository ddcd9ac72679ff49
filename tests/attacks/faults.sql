-- Thirty-eight mistakes that a migration could make, each in a database of its own. The line above the statements names the
-- mistake and, after the bar, what of supabase/access.json it can touch.

-- Row level security is off for leads | leads
alter table public.leads disable row level security;

-- Everybody with an account reads leads | leads
create policy "Anybody" on public.leads for select to authenticated using (true);

-- Drafts of posts are public | posts
alter policy "Visitors read published posts that are due" on public.posts using (true);

-- Planned posts are public before their time | posts
alter policy "Visitors read published posts that are due" on public.posts using (status = 'published');

-- A policy for all where it should be for select | faq
drop policy "Visitors read published questions" on public.faq;
create policy "Visitors read published questions" on public.faq to anon, authenticated using (status = 'published');

-- An update has using (true) | reviews
alter policy "Admins change reviews" on public.reviews using (true) with check (true);

-- An insert has no check worth its name | services
alter policy "Admins create services" on public.services with check (true);

-- Everybody with an account deletes projects | projects
alter policy "Admins delete projects" on public.projects using (true);

-- The policy that lets admins work is gone | team_members
drop policy "Admins read all team members" on public.team_members;

-- Visitors hold a privilege on bookings | bookings
grant select on public.bookings to anon;

-- A hash of a secret is readable | bookings
grant select (token_hash) on public.bookings to authenticated;

-- Ids of leads can be chosen | leads
grant insert (id) on public.leads to authenticated;

-- People approve themselves | user_roles
grant update (role, approved) on public.user_roles to authenticated;
create policy "People change their own role" on public.user_roles for update to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));

-- Visitors read every setting | site_settings
create policy "Visitors read settings" on public.site_settings for select to anon, authenticated using (true);

-- Every conversation is open | conversations
alter policy "Visitors read their own conversation" on public.conversations using (true);

-- Everybody writes into every conversation | chat_messages
alter policy "Visitors add messages to their own conversation" on public.chat_messages with check (true);

-- A function for admins forgot to ask who calls | user_emails
create or replace function public.user_emails(_user_ids uuid[]) returns table (user_id uuid, email text)
language sql stable security definer set search_path = ''
as 'select id, email::text from auth.users where id = any (_user_ids)';

-- Anybody registers anybody as anything | register_with_role
create or replace function public.register_with_role(_user_id uuid, _role text) returns void
language sql security definer set search_path = ''
as 'insert into public.user_roles (user_id, role, approved) values (_user_id, _role, true)';

-- A definer function without search path, for everybody, as functions are by default | all_leads
create function public.all_leads() returns setof public.leads language sql stable security definer
as 'select * from public.leads';

-- A function of the server is granted to visitors | claim_chat_reply
grant execute on function public.claim_chat_reply(text) to anon;

-- Waiting team members count as team members | leads lead_owners
create or replace function private.is_team() returns boolean
language sql stable security definer set search_path = ''
as $$ select exists (select from public.user_roles where user_id = (select private.user_id()) and role = 'team') $$;

-- Team members count as admins | leads posts list_people media-originals
create or replace function private.is_admin() returns boolean
language sql stable security definer set search_path = ''
as $$ select exists (
  select from public.user_roles where user_id = (select private.user_id()) and role in ('admin', 'team') and approved
) $$;

-- A view that asks with its owner's rights | post_titles
create view public.post_titles as select id, title from public.posts;
grant select on public.post_titles to anon;

-- Default privileges give new tables away, and one comes without row level security | notes
alter default privileges in schema public grant all on tables to anon, authenticated;
create table public.notes (id uuid primary key default gen_random_uuid(), note text);

-- Visitors list the files | content-media
create policy "Visitors list files" on storage.objects for select to anon using (bucket_id = 'content-media');

-- The bucket of originals is public | media-originals
update storage.buckets set public = true where id = 'media-originals';

-- Everybody with an account uploads | content-media
create policy "People upload" on storage.objects for insert to authenticated with check (bucket_id = 'content-media');

-- Everybody with an account has every file | content-media (any new bucket)
create policy "People work with files" on storage.objects to authenticated using (true) with check (true);

-- Row level security is off for files | media-originals (any new bucket)
alter table storage.objects disable row level security;

-- A public bucket that nobody declared | downloads
insert into storage.buckets (id, name, public) values ('downloads', 'downloads', true);

-- Applications act as the person who let them in | leads list_people make_booking_feed
create or replace function private.user_id() returns uuid
language sql stable security definer set search_path = ''
as $$
  select session.user_id from auth.sessions as session
  where session.id = ((select auth.jwt()) ->> 'session_id')::uuid and session.user_id = (select auth.uid())
$$;

-- A function that answers everybody answers with what is somebody else's | preview_state
create or replace function public.preview_state() returns jsonb
language sql stable security definer set search_path = ''
as 'select to_jsonb(lead) from public.leads as lead limit 1';

-- Members read the campaigns of every client | campaigns
alter policy "Members read the campaigns of their clients" on public.campaigns
  using (exists (select from private.clients_of_member()));

-- Team members work for every client that has a name | campaigns client_people
create or replace function private.clients_of_team_member() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select clients.id from public.clients, public.user_roles
  where user_id = (select private.user_id()) and role = 'team' and approved
$$;

-- People who are assigned somewhere change the campaigns of all | campaigns
alter policy "Team members read the campaigns of their clients" on public.campaigns
  using (exists (select from private.clients_of_team_member()));
alter policy "Admins and assigned team members change campaigns" on public.campaigns
  using (exists (select from private.clients_of_team_member())) with check (true);

-- Meetings are deleted by those who work for another client | client_meetings
alter policy "Team members read the meetings of their clients" on public.client_meetings
  using (exists (select from private.clients_of_team_member()));
alter policy "Admins and assigned team members delete unanswered meetings" on public.client_meetings
  using (exists (select from private.clients_of_team_member()));

-- Whoever asks works for every client | save_client_meeting withdraw_approval
create or replace function private.works_for_client(_client_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$ select true $$;

-- Whom to leave alone is told to whoever asks | do_not_contact
create policy "Everybody checks the lists" on public.do_not_contact for select to authenticated using (true);

-- Thirty-eight mistakes that a migration could make, each tested in a separate database. The line above the statements names
-- the mistake and, after the bar, the tables, functions and buckets of supabase/access.json that it affects.

-- Row level security is disabled for leads | leads
alter table public.leads disable row level security;

-- Every signed-in user can read leads | leads
create policy "Users read leads" on public.leads for select to authenticated using (true);

-- Drafts of posts are public | posts
alter policy "Visitors read published posts that are due" on public.posts using (true);

-- Scheduled posts are public before their time | posts
alter policy "Visitors read published posts that are due" on public.posts using (status = 'published');

-- A policy applies to all commands instead of select | faq
drop policy "Visitors read published questions" on public.faq;
create policy "Visitors read published questions" on public.faq to anon, authenticated using (status = 'published');

-- An update policy has using (true) | reviews
alter policy "Admins change reviews" on public.reviews using (true) with check (true);

-- An insert policy has with check (true) | services
alter policy "Admins create services" on public.services with check (true);

-- Every signed-in user can delete projects | projects
alter policy "Admins delete projects" on public.projects using (true);

-- The policy for admins is missing | team_members
drop policy "Admins read all team members" on public.team_members;

-- Visitors have a privilege on bookings | bookings
grant select on public.bookings to anon;

-- The hash of a secret is readable | bookings
grant select (token_hash) on public.bookings to authenticated;

-- Users can set the ids of leads | leads
grant insert (id) on public.leads to authenticated;

-- Users can approve themselves | user_roles
grant update (role, approved) on public.user_roles to authenticated;
create policy "People change their own role" on public.user_roles for update to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));

-- Visitors can read every setting | site_settings
create policy "Visitors read settings" on public.site_settings for select to anon, authenticated using (true);

-- Every conversation is readable | conversations
alter policy "Visitors read their own conversation" on public.conversations using (true);

-- Visitors can write to every conversation | chat_messages
alter policy "Visitors add messages to their own conversation" on public.chat_messages with check (true);

-- A function for admins does not check its caller | user_emails
create or replace function public.user_emails(_user_ids uuid[]) returns table (user_id uuid, email text)
language sql stable security definer set search_path = ''
as 'select id, email::text from auth.users where id = any (_user_ids)';

-- Any caller can register any user with any role | register_with_role
create or replace function public.register_with_role(_user_id uuid, _role text) returns void
language sql security definer set search_path = ''
as 'insert into public.user_roles (user_id, role, approved) values (_user_id, _role, true)';

-- A security definer function without search_path has the default execute privilege | all_leads
create function public.all_leads() returns setof public.leads language sql stable security definer
as 'select * from public.leads';

-- A server function is granted to visitors | claim_chat_reply
grant execute on function public.claim_chat_reply(text) to anon;

-- Pending team members count as team members | leads lead_owners
create or replace function private.is_team() returns boolean
language sql stable security definer set search_path = ''
as $$ select exists (select from public.user_roles where user_id = (select private.user_id()) and role = 'team') $$;

-- Team members count as admins | leads posts list_people media-originals
create or replace function private.is_admin() returns boolean
language sql stable security definer set search_path = ''
as $$ select exists (
  select from public.user_roles where user_id = (select private.user_id()) and role in ('admin', 'team') and approved
) $$;

-- A view has the privileges of its owner | post_titles
create view public.post_titles as select id, title from public.posts;
grant select on public.post_titles to anon;

-- Default privileges expose new tables, and one has no row level security | notes
alter default privileges in schema public grant all on tables to anon, authenticated;
create table public.notes (id uuid primary key default gen_random_uuid(), note text);

-- Visitors can list the files | content-media
create policy "Visitors list files" on storage.objects for select to anon using (bucket_id = 'content-media');

-- The bucket of originals is public | media-originals
update storage.buckets set public = true where id = 'media-originals';

-- Every signed-in user can upload | content-media
create policy "People upload" on storage.objects for insert to authenticated with check (bucket_id = 'content-media');

-- Every signed-in user can access every file | content-media (any new bucket)
create policy "Users access files" on storage.objects to authenticated using (true) with check (true);

-- Row level security is disabled for files | media-originals (any new bucket)
alter table storage.objects disable row level security;

-- A public bucket is not declared | downloads
insert into storage.buckets (id, name, public) values ('downloads', 'downloads', true);

-- OAuth applications have the access of their user | leads list_people make_booking_feed
create or replace function private.user_id() returns uuid
language sql stable security definer set search_path = ''
as $$
  select session.user_id from auth.sessions as session
  where session.id = ((select auth.jwt()) ->> 'session_id')::uuid and session.user_id = (select auth.uid())
$$;

-- A public function returns data of other users | preview_state
create or replace function public.preview_state() returns jsonb
language sql stable security definer set search_path = ''
as 'select to_jsonb(lead) from public.leads as lead limit 1';

-- Members can read the campaigns of every client | campaigns
alter policy "Members read the campaigns of their clients" on public.campaigns
  using (exists (select from private.clients_of_member()));

-- Team members are assigned to every client | campaigns client_people
create or replace function private.clients_of_team_member() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select clients.id from public.clients, public.user_roles
  where user_id = (select private.user_id()) and role = 'team' and approved
$$;

-- Team members with any assignment can change the campaigns of every client | campaigns
alter policy "Team members read the campaigns of their clients" on public.campaigns
  using (exists (select from private.clients_of_team_member()));
alter policy "Admins and assigned team members change campaigns" on public.campaigns
  using (exists (select from private.clients_of_team_member())) with check (true);

-- Team members can delete the meetings of other clients | client_meetings
alter policy "Team members read the meetings of their clients" on public.client_meetings
  using (exists (select from private.clients_of_team_member()));
alter policy "Admins and assigned team members delete unanswered meetings" on public.client_meetings
  using (exists (select from private.clients_of_team_member()));

-- Every caller is assigned to every client | save_client_meeting withdraw_approval
create or replace function private.works_for_client(_client_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$ select true $$;

-- Every signed-in user can read the blocklist | do_not_contact
create policy "Users read the blocklist" on public.do_not_contact for select to authenticated using (true);

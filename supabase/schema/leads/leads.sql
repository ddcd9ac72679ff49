create table public.leads (
  id uuid default gen_random_uuid() not null,
  source text not null,  -- insert to authenticated
  name text default ''::text not null,  -- insert to authenticated
  email text default ''::text not null,  -- insert to authenticated
  phone text default ''::text not null,  -- insert to authenticated
  call_time text default ''::text not null,  -- insert to authenticated
  message text default ''::text not null,  -- insert to authenticated
  page text default ''::text not null,  -- insert to authenticated
  service text default ''::text not null,  -- insert to authenticated
  conversation_id uuid,  -- insert to authenticated
  status text default 'new'::text not null,  -- insert to authenticated, update to authenticated
  note text default ''::text not null,  -- insert to authenticated, update to authenticated
  owner_id uuid,  -- insert to authenticated, update to authenticated
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  changed_by uuid,
  search_text text generated always as (lower(translate(((((((((name || ' '::text) || email) || ' '::text) || phone) || ' '::text) || message) || ' '::text) || note), 'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞ'::text, 'àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþ'::text))) stored,
  constraint leads_pkey PRIMARY KEY (id),
  constraint leads_call_time_check CHECK (length(call_time) <= 100 AND call_time !~ '[[:cntrl:]]'::text),
  constraint leads_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint leads_check CHECK (email <> ''::text OR phone <> ''::text),
  constraint leads_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE SET NULL,
  constraint leads_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint leads_email_check CHECK (length(email) <= 255 AND email !~ '[[:cntrl:][:space:]]'::text),
  constraint leads_message_check CHECK (length(message) <= 4000),
  constraint leads_name_check CHECK (length(name) <= 100 AND name !~ '[[:cntrl:]]'::text),
  constraint leads_note_check CHECK (length(note) <= 4000),
  constraint leads_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint leads_page_check CHECK (length(page) <= 500 AND page !~ '[[:cntrl:]]'::text),
  constraint leads_phone_check CHECK (length(phone) <= 40 AND phone ~ '^[0-9+()./ -]*$'::text),
  constraint leads_service_check CHECK (length(service) <= 200 AND service !~ '[[:cntrl:]]'::text),
  constraint leads_source_check CHECK (source = ANY (ARRAY['assistant'::text, 'contact'::text, 'booking'::text, 'newsletter'::text, 'transcript'::text])),
  constraint leads_status_check CHECK (status = ANY (ARRAY['new'::text, 'contacted'::text, 'won'::text, 'lost'::text])),
  constraint leads_updated_at_calendar CHECK (updated_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND updated_at <= '2999-12-31 00:00:00+00'::timestamp with time zone)
);

CREATE INDEX leads_changed_by_idx ON public.leads USING btree (changed_by);

CREATE INDEX leads_conversation_idx ON public.leads USING btree (conversation_id);

CREATE INDEX leads_email_idx ON public.leads USING btree (lower(email));

CREATE INDEX leads_newest_idx ON public.leads USING btree (created_at DESC, id);

CREATE UNIQUE INDEX leads_one_per_chat_idx ON public.leads USING btree (conversation_id) WHERE (source = 'assistant'::text);

CREATE INDEX leads_owner_idx ON public.leads USING btree (owner_id);

CREATE INDEX leads_status_idx ON public.leads USING btree (status, created_at DESC, id);

grant delete, select on public.leads to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.leads to service_role;

alter table public.leads enable row level security;

create policy "Admins delete leads" on public.leads for delete to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Admins make leads from transcripts" on public.leads for insert to authenticated
  with check ((( SELECT private.is_admin() AS is_admin) AND (source = 'transcript'::text)));

create policy "Admins read all leads" on public.leads for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Team members read all leads" on public.leads for select to authenticated
  using (( SELECT private.is_team() AS is_team));

create policy "Admins and team members follow leads up" on public.leads for update to authenticated
  using ((( SELECT private.is_admin() AS is_admin) OR ( SELECT private.is_team() AS is_team)))
  with check ((( SELECT private.is_admin() AS is_admin) OR ( SELECT private.is_team() AS is_team)));

-- Triggers, in the order in which they fire.
CREATE TRIGGER check_owner BEFORE INSERT OR UPDATE OF owner_id ON leads FOR EACH ROW WHEN (new.owner_id IS NOT NULL) EXECUTE FUNCTION private.check_lead_owner();
CREATE TRIGGER note_changer BEFORE UPDATE OF status, note ON leads FOR EACH ROW EXECUTE FUNCTION private.note_changer();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON leads FOR EACH ROW EXECUTE FUNCTION private.touch_updated_at();
CREATE TRIGGER tell_about_lead AFTER INSERT ON leads FOR EACH ROW EXECUTE FUNCTION private.tell_about_lead();

create table public.faq (
  id uuid default gen_random_uuid() not null,
  question text not null,
  answer text default ''::text not null,
  status text default 'draft'::text not null,
  display_order integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint faq_pkey PRIMARY KEY (id),
  constraint faq_answer_check CHECK (length(answer) <= 20000),
  constraint faq_created_at_calendar CHECK (created_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND created_at <= '2999-12-31 00:00:00+00'::timestamp with time zone),
  constraint faq_question_check CHECK (length(question) >= 1 AND length(question) <= 300),
  constraint faq_status_check CHECK (status = ANY (ARRAY['draft'::text, 'published'::text])),
  constraint faq_updated_at_calendar CHECK (updated_at >= '1900-01-01 00:00:00+00'::timestamp with time zone AND updated_at <= '2999-12-31 00:00:00+00'::timestamp with time zone)
);

CREATE INDEX faq_order_idx ON public.faq USING btree (status, display_order);

grant select on public.faq to anon;

grant delete, insert, select, update on public.faq to authenticated;

grant delete, insert, maintain, references, select, trigger, truncate, update on public.faq to service_role;

alter table public.faq enable row level security;

create policy "Admins delete questions" on public.faq for delete to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Admins create questions" on public.faq for insert to authenticated
  with check (( SELECT private.is_admin() AS is_admin));

create policy "Admins read all questions" on public.faq for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));

create policy "Visitors read published questions" on public.faq for select to anon, authenticated
  using ((status = 'published'::text));

create policy "Admins change questions" on public.faq for update to authenticated
  using (( SELECT private.is_admin() AS is_admin))
  with check (( SELECT private.is_admin() AS is_admin));

-- Triggers, in the order in which they fire.
CREATE TRIGGER require_alt_texts BEFORE INSERT OR UPDATE ON faq FOR EACH ROW EXECUTE FUNCTION private.require_alt_texts();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON faq FOR EACH ROW EXECUTE FUNCTION private.touch_updated_at();
CREATE TRIGGER keep_versions AFTER INSERT OR DELETE OR UPDATE ON faq FOR EACH ROW EXECUTE FUNCTION private.keep_versions();
CREATE TRIGGER show_first_question AFTER INSERT OR UPDATE ON faq FOR EACH ROW WHEN (new.status = 'published'::text) EXECUTE FUNCTION private.show_first_question();
CREATE TRIGGER track_media_mentions AFTER INSERT OR DELETE OR UPDATE ON faq FOR EACH ROW EXECUTE FUNCTION private.track_media_mentions();
CREATE TRIGGER count_deleted AFTER DELETE ON faq REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION private.count_items();
CREATE TRIGGER count_inserted AFTER INSERT ON faq REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.count_items();
CREATE TRIGGER count_truncated AFTER TRUNCATE ON faq FOR EACH STATEMENT EXECUTE FUNCTION private.count_items();
CREATE TRIGGER count_updated AFTER UPDATE ON faq REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.count_items();
CREATE TRIGGER index_deleted AFTER DELETE ON faq REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION private.index_content();
CREATE TRIGGER index_inserted AFTER INSERT ON faq REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.index_content();
CREATE TRIGGER index_truncated AFTER TRUNCATE ON faq FOR EACH STATEMENT EXECUTE FUNCTION private.index_content();
CREATE TRIGGER index_updated AFTER UPDATE ON faq REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.index_content();
CREATE TRIGGER notify_content_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON faq FOR EACH STATEMENT EXECUTE FUNCTION private.notify_content_changed();
CREATE TRIGGER origins_deleted AFTER DELETE ON faq REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION private.note_origins();
CREATE TRIGGER origins_inserted AFTER INSERT ON faq REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.note_origins();
CREATE TRIGGER origins_truncated AFTER TRUNCATE ON faq FOR EACH STATEMENT EXECUTE FUNCTION private.note_origins();
CREATE TRIGGER origins_updated AFTER UPDATE ON faq REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.note_origins();

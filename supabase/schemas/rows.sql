-- Rows that the application needs on every database. They are in the baseline. A schema comparison does not detect
-- rows, so write each change by hand, both here and in a migration.

-- Inserting a row fires triggers that create everything else for its kind: its row in private.documents, triggers for
-- history, search, counts, links and media, and the function preview_<table>().
insert into private.content_kinds (table_name, title_column, list_order, public_path, text_columns) values
  ('posts', 'title', 'published_date desc, created_at desc', '/news/{slug}', '{category,excerpt,content}'),
  ('projects', 'title', 'display_order, created_at desc', '/projects?case={slug}', '{company,metric,description,full_content}'),
  ('services', 'title', 'display_order, created_at', '/services', '{short_description,long_description,deliverables}'),
  ('reviews', 'author_name', 'display_order, created_at', null, '{}'),
  ('team_members', 'name', 'display_order, created_at', '/about', '{position,bio}'),
  ('faq', 'question', 'display_order, created_at', '/contact#questions', '{answer}');
insert into private.documents (kind, key_columns, is_item, keys_outside_releases) values
  ('page_content', '{page_slug, section_name}', false, '{}'),
  -- A trigger checks the second factor of the admin who turns the setting on. A scheduled release has no caller to
  -- check.
  ('site_settings', '{setting_key}', false, '{require_second_factor}');

-- The triggers of booking_rules publish its time zone as a setting.
insert into public.booking_rules default values;

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
  ('content-media', 'content-media', true, 52428800, array[
    'image/*', 'video/*', 'audio/*', 'application/pdf', 'application/msword',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
  ]),
  ('media-originals', 'media-originals', false, 52428800, array['image/*']),
  ('client-files', 'client-files', false, 26214400, array['image/*', 'application/pdf', 'text/csv', 'text/plain'])
on conflict (id) do update set
  public = excluded.public, file_size_limit = excluded.file_size_limit, allowed_mime_types = excluded.allowed_mime_types;

insert into private.secrets (name, value)
select name, private.new_secret() from unnest(array['rate_limits', 'newsletter_links', 'lead_webhook', 'preview_links']) as name;
-- The two padded keys of HMAC-SHA256, derived from one key.
insert into private.secrets (name, value)
with secret as materialized (select private.new_secret() || private.new_secret() as key), padded as (
  select
    string_agg(decode(lpad(to_hex(get_byte(key, byte) # 54), 2, '0'), 'hex'), ''::bytea order by byte) as inner_key,
    string_agg(decode(lpad(to_hex(get_byte(key, byte) # 92), 2, '0'), 'hex'), ''::bytea order by byte) as outer_key
  from secret, generate_series(0, 63) as byte
)
select 'address_hashes', inner_key || outer_key from padded;

-- Personal data by table: the exported fields, and what happens to the rows when the account is deleted. The order is
-- that of the sections in an export.
insert into private.personal_data (table_name, addresses, needs_verified_address, section, export_fields, export_order, on_deletion) values
  ('bookings', '{email}', true, 'bookings', '{"starts_at": "starts_at", "ends_at": "ends_at", "state": "state",
    "name": "name", "email": "email", "phone": "phone", "message": "message", "service": "service",
    "time_zone": "time_zone", "created_at": "created_at"}', 'starts_at', 'delete'),
  ('leads', '{email}', true, 'leads', '{"source": "source", "name": "name", "email": "email", "phone": "phone",
    "call_time": "call_time", "message": "message", "page": "page", "service": "service", "status": "status",
    "note": "note", "created_at": "created_at", "updated_at": "updated_at"}', 'created_at', 'delete'),
  ('newsletter_subscribers', '{email}', true, 'newsletter', '{"email": "email", "created_at": "created_at",
    "confirmed_at": "confirmed_at"}', 'created_at', 'delete');
insert into private.personal_data (schema_name, table_name, addresses, needs_verified_address, on_deletion) values
  ('private', 'held_bookings', '{call.email}', true, 'delete'),
  ('private', 'held_leads', '{lead.email}', true, 'delete'),
  ('public', 'client_webhook_deliveries', '{payload.lead.email}', true, 'delete'),
  ('private', 'mail_queue', '{variables.Email, variables.NewEmail}', false, 'delete');
insert into private.personal_data (schema_name, table_name, addresses, section, export_fields, export_order, on_deletion) values
  ('private', 'mail_queue', '{recipient}', 'queued_mails', '{"template": "template", "created_at": "created_at"}',
    'created_at', 'delete');
-- A lead is deleted with the chat that created it.
insert into private.personal_data (table_name, ids, ids_function, needs_verified_address, section, export_function, on_deletion) values
  ('leads', '{conversation_id}', 'chats_of', true, null, null, 'delete'),
  ('conversations', '{id}', 'chats_of', true, 'chats', 'chats_with_messages_of', 'delete');
insert into private.personal_data (table_name, ids, section, export_fields, export_order, on_deletion) values
  ('registration_decisions', '{user_id}', 'decisions', '{"approved": "approved", "revoked": "revoked", "role": "role",
    "decided_at": "decided_at", "registered_at": "registered_at", "withdrawn_at": "withdrawn_at"}', 'decided_at', 'cascade'),
  -- The log contains only ids, so it is kept.
  ('people_log', '{person_id}', 'account_log', '{"at": "at", "action": "action", "role": "role"}', 'at', 'keep'),
  -- Only the metadata of a change is exported. Its content belongs to the site.
  ('content_versions', '{author_id}', 'changes_of_content', '{"at": "created_at", "kind": "kind", "item": "item_id",
    "action": "action"}', 'created_at', 'cascade'),
  ('release_changes', '{changed_by}', 'changes_in_releases', '{"kind": "kind", "item": "item_id", "action": "action",
    "at": "changed_at"}', 'changed_at', 'cascade'),
  ('preview_links', '{created_by}', 'preview_links', '{"at": "created_at", "until": "expires_at",
    "revoked_at": "revoked_at"}', 'created_at', 'cascade');
insert into private.personal_data (table_name, ids, section, export_function, on_deletion) values
  ('user_roles', '{user_id}', 'role', 'role_of_person', 'cascade'),
  ('people_log', '{actor_id}', 'account_actions', 'actions_on_others', 'keep'),
  ('releases', '{created_by, scheduled_by, published_by}', 'releases', 'releases_of', 'cascade'),
  ('registration_decisions', '{decided_by, withdrawn_by}', null, null, 'cascade'),
  ('deleted_content', '{deleted_by}', null, null, 'cascade'),
  ('editing', '{user_id}', null, null, 'cascade'),
  ('leads', '{owner_id}', null, null, 'cascade');
insert into private.personal_data (table_name, ids, addresses, on_deletion, cleared_columns) values
  ('registration_decisions', '{user_id}', '{email}', 'clear', '{email}');
insert into private.personal_data (schema_name, table_name, ids, addresses, on_deletion) values
  ('private', 'verified_addresses', '{user_id}', '{address}', 'cascade');
-- Files are kept, because pages show them.
insert into private.personal_data (schema_name, table_name, ids, section, export_fields, export_order, on_deletion, cleared_columns) values
  ('storage', 'objects', '{owner, owner_id}', 'files', '{"bucket": "bucket_id", "name": "name", "metadata": "metadata",
    "user_metadata": "user_metadata", "created_at": "created_at"}', 'created_at', 'clear', '{owner, owner_id}');
insert into private.personal_data (schema_name, table_name, ids, ids_function, section, export_fields, export_order, on_deletion) values
  ('auth', 'audit_log_entries', '{id}', 'audit_entries_of', 'authentication_log',
    '{"at": "created_at", "action": "payload.action", "ip_address": "ip_address"}', 'created_at', 'delete'),
  ('auth', 'webauthn_credentials', '{user_id}', null, 'passkeys', '{"name": "friendly_name", "created_at": "created_at",
    "last_used_at": "last_used_at"}', 'created_at', 'cascade');
insert into private.personal_data (schema_name, table_name, ids, section, export_function, on_deletion) values
  ('auth', 'users', '{id}', 'account', 'account_with_metadata_of', 'cascade'),
  ('auth', 'oauth_consents', '{user_id}', 'applications', 'applications_of', 'cascade'),
  ('auth', 'flow_state', '{user_id}', null, null, 'delete'),
  ('auth', 'sessions', '{user_id}', null, null, 'delete'),
  ('auth', 'refresh_tokens', '{user_id}', null, null, 'delete');
insert into private.personal_data (table_name, ids, section, export_fields, export_order, on_deletion) values
  ('client_members', '{user_id}', 'clients',
    '{"client": "client_id", "since": "created_at", "kind": "kind", "notifications": "notifications"}', 'created_at', 'delete'),
  ('client_assignments', '{user_id}', 'client_assignments', '{"client": "client_id", "since": "created_at"}', 'created_at', 'delete'),
  ('import_batches', '{imported_by}', 'imports_of_figures', '{"at": "created_at", "client": "client_id",
    "file": "file_name", "undone_at": "undone_at"}', 'created_at', 'cascade');
insert into private.personal_data (table_name, ids, section, export_function, on_deletion) values
  ('import_batches', '{undone_by}', null, null, 'cascade');
insert into private.personal_data (table_name, ids, section, export_fields, export_order, on_deletion) values
  ('do_not_contact', '{added_by}', 'do_not_contact', '{"at": "created_at", "client": "client_id", "entry": "hint"}',
    'created_at', 'cascade'),
  ('approval_versions', '{asked_by}', 'asked_approvals',
    '{"at": "created_at", "client": "client_id", "version": "number", "text": "text"}', 'created_at', 'cascade'),
  ('approval_decisions', '{decided_by}', 'decided_approvals',
    '{"at": "created_at", "client": "client_id", "version": "number", "verdict": "verdict", "comment": "comment"}',
    'created_at', 'cascade'),
  ('client_meetings', '{answered_by,recorded_by}', 'client_meetings',
    '{"at": "starts_at", "client": "client_id", "outcome": "outcome", "answer": "answer", "reason": "reason"}',
    'created_at', 'cascade');
insert into private.personal_data (table_name, ids, addresses, section, export_fields, export_order, on_deletion) values
  ('client_invitations', '{user_id}', '{address}', 'client_invitations', '{"since": "created_at"}', 'created_at', 'delete');
insert into private.personal_data (table_name, ids, section, export_fields, export_order, on_deletion) values
  ('client_reads', '{user_id}', 'client_reads', '{"client": "client_id", "kind": "kind", "first": "first_at", "last": "last_at"}',
    'last_at', 'delete'),
  ('client_files', '{added_by}', 'client_files', '{"at": "created_at", "client": "client_id", "name": "name"}', 'created_at', 'cascade'),
  ('approval_vetoes', '{vetoed_by}', 'removed_list_rows', '{"at": "created_at", "client": "client_id", "version": "number", "line": "line"}',
    'created_at', 'cascade'),
  ('approval_comments', '{written_by}', 'approval_comments',
    '{"at": "created_at", "client": "client_id", "version": "number", "text": "text"}', 'created_at', 'cascade'),
  ('client_notes', '{written_by}', 'client_notes', '{"at": "created_at", "client": "client_id", "text": "text"}', 'created_at', 'cascade'),
  ('campaign_sources', '{added_by}', 'sources_of_events', '{"at": "created_at", "client": "client_id", "provider": "provider"}',
    'created_at', 'cascade'),
  ('source_totals', '{added_by}', 'totals_of_sources', '{"at": "created_at", "client": "client_id", "file": "file_name"}',
    'created_at', 'cascade');
-- Recipients of campaigns, while the address is stored.
insert into private.personal_data (table_name, addresses, needs_verified_address, section, export_fields, export_order, on_deletion, cleared_columns) values
  ('inbound_events', '{recipient}', true, 'campaign_messages', '{"at": "happened_at", "kind": "kind"}', 'happened_at',
    'clear', '{recipient,raw,reply}'),
  ('client_leads', '{email}', true, 'leads_of_clients', '{"at": "received_at", "client": "client_id", "name": "name",
    "email": "email", "company": "company", "title": "title", "words": "words", "status": "status", "reason": "reason"}',
    'received_at', 'delete', null);
insert into private.personal_data (table_name, ids, section, export_fields, export_order, on_deletion) values
  ('client_leads', '{added_by,taken_by}', 'client_lead_assignments', '{"at": "taken_at", "client": "client_id", "status": "status"}',
    'created_at', 'cascade'),
  ('client_lead_changes', '{changed_by}', 'changes_of_leads', '{"at": "created_at", "client": "client_id", "lead": "lead_id",
    "status": "status", "reason": "reason"}', 'created_at', 'cascade');
insert into private.personal_data (table_name, ids, section, export_fields, export_order, on_deletion) values
  ('client_meeting_changes', '{changed_by}', 'changes_of_meetings', '{"at": "created_at", "client": "client_id", "meeting": "meeting_id",
    "status": "status", "reason": "reason"}', 'created_at', 'cascade'),
  ('client_meeting_results', '{reported_by}', 'results_of_meetings', '{"at": "created_at", "client": "client_id",
    "meeting": "meeting_id", "status": "status", "amount": "amount", "reason": "reason"}', 'created_at', 'cascade'),
  ('client_fees', '{set_by}', 'changes_of_fees', '{"at": "created_at", "client": "client_id", "month": "first_month",
    "amount": "amount"}', 'created_at', 'cascade'),
  ('client_meeting_months', '{closed_by}', 'closed_months', '{"at": "closed_at", "client": "client_id", "month": "first_day"}',
    'closed_at', 'cascade');
insert into private.personal_data (table_name, ids, section, export_fields, export_order, on_deletion) values
  ('client_alarms', '{resolved_by}', 'resolved_alarms', '{"at": "resolved_at", "client": "client_id", "kind": "kind"}',
    'resolved_at', 'cascade'),
  ('campaign_texts', '{added_by}', 'texts_of_campaigns', '{"at": "created_at", "client": "client_id"}', 'created_at', 'cascade'),
  ('campaign_lists', '{added_by}', 'lists_of_campaigns', '{"at": "created_at", "client": "client_id"}', 'created_at', 'cascade'),
  ('library_texts', '{created_by,changed_by}', 'texts_of_the_library', '{"at": "created_at", "title": "title", "note": "note"}',
    'created_at', 'cascade');
insert into private.personal_data (table_name, ids, section, export_function, on_deletion) values
  ('clients', '{changed_by}', null, null, 'cascade'),
  ('leads', '{changed_by}', null, null, 'cascade'),
  ('assistant_checks', '{changed_by}', null, null, 'cascade');
insert into private.personal_data (table_name, ids, section, export_fields, export_order, on_deletion) values
  ('campaign_versions', '{changed_by}', 'changes_of_campaigns', '{"at": "created_at", "client": "client_id",
    "campaign": "campaign_id", "action": "action"}', 'created_at', 'cascade');
insert into private.personal_data (schema_name, table_name, ids, on_deletion) values
  ('private', 'mailed_links', '{user_id}', 'cascade'),
  ('private', 'client_webhooks', '{changed_by}', 'cascade'),
  ('private', 'result_requests', '{user_id}', 'cascade');
insert into private.personal_data (table_name, ids, section, export_fields, export_order, on_deletion) values
  ('client_reports', '{approved_by}', 'approved_reports',
    '{"at": "sent_at", "client": "client_id", "first_day": "first_day", "hash": "hash"}', 'sent_at', 'cascade'),
  ('figure_quotes', '{asked_by,answered_by,withdrawn_by}', 'quotes_of_figures',
    '{"at": "asked_at", "client": "client_id", "metric": "metric", "answer": "answer"}', 'asked_at', 'cascade');
insert into private.personal_data (table_name, addresses, hashes, section, export_fields, export_order, on_deletion) values
  ('approval_rows', '{person}', '{fingerprint}', 'list_rows',
    '{"client": "client_id", "company": "company", "domain": "domain", "person": "person"}', 'line', 'cascade'),
  ('client_meetings', '{met_with}', '{}', 'meetings_with_clients',
    '{"at": "starts_at", "client": "client_id", "with": "met_with", "outcome": "outcome"}', 'starts_at', 'cascade');
-- A decision keeps the address when the account is deleted, because it is the client's evidence.
insert into private.personal_data (table_name, addresses, needs_verified_address, section, export_fields, export_order, on_deletion) values
  ('approval_decisions', '{decided_by_address}', true, 'decisions_under_this_address',
    '{"at": "created_at", "client": "client_id", "title": "title", "verdict": "verdict", "name": "decided_by_name",
    "address": "decided_by_address"}', 'created_at', 'keep');

insert into private.metrics (name, position, singular, plural, is_event, is_reported) values
  ('sent', 1, 'message sent', 'messages sent', true, true),
  ('delivered', 2, 'message delivered', 'messages delivered', true, true),
  ('bounced', 3, 'message returned', 'messages returned', true, false),
  ('replies', 4, 'reply', 'replies', true, true),
  ('positive_replies', 5, 'reply with interest', 'replies with interest', true, true),
  ('meetings', 6, 'meeting booked', 'meetings booked', true, true),
  ('pipeline', 7, '{currency} in pipeline', '{currency} in pipeline', false, false);

insert into private.jobs (name, function_name, rows_per_step) values
  ('delete expired conversations', 'delete_expired_conversations', 200),
  ('delete expired bookings', 'delete_expired_bookings', 200),
  ('delete old visit counts', 'delete_old_visit_counts', 200),
  ('delete old versions', 'delete_old_versions', 200),
  ('delete old trash', 'delete_old_trash', 200),
  ('delete old campaigns', 'delete_old_campaigns', 200),
  ('delete old mailed links', 'delete_old_mailed_links', 200),
  ('clear old events', 'clear_old_events', 200),
  ('delete old client leads', 'delete_old_client_leads', 200),
  ('delete old client webhooks', 'delete_old_client_webhooks', 200),
  ('remind of unread approvals', 'mail_unread_reminders', 200),
  ('compare events with imports', 'compare_source_totals', null);

-- Three people with rows in every source of personal data: Kari, Ola, and Per, who has a phone and no address. Everybody has
-- two rows where that is possible, of different times, and is mentioned by the next one.

insert into auth.users (id, email, phone, raw_user_meta_data, raw_app_meta_data, created_at) values
  ('c0000000-0000-4000-8000-000000000001', 'kari@example.com', null, '{"name": "Kari"}', '{"provider": "email"}', '2026-01-01'),
  ('c0000000-0000-4000-8000-000000000002', 'ola@example.com', '4711111111', '{}', '{}', '2026-01-02'),
  ('c0000000-0000-4000-8000-000000000003', null, '4722222222', '{"name": "Per"}', '{}', '2026-01-03');

insert into auth.oauth_clients (id, registration_type, redirect_uris, grant_types, client_name, token_endpoint_auth_method)
  values ('c0000000-0000-4000-8000-0000000000a1', 'manual', 'https://example.com', 'authorization_code', 'Calendar', 'none');
insert into public.releases (id, name) values ('c0000000-0000-4000-8000-0000000000b1', 'Everybody');

do $$
declare
  _person uuid;
  _next uuid;
  _number integer;
  _address text;
  _at timestamptz;
  _session uuid;
  _chat uuid;
begin
  for _number in 1..6 loop
    _person := ('c0000000-0000-4000-8000-00000000000' || (_number - 1) % 3 + 1)::uuid;
    _next := ('c0000000-0000-4000-8000-00000000000' || _number % 3 + 1)::uuid;
    _address := (array['Kari@Example.com', 'ola@example.com', 'nobody@example.com'])[(_number - 1) % 3 + 1];
    _at := '2026-03-07'::timestamptz - make_interval(days => _number);
    _session := gen_random_uuid();

    insert into auth.sessions (id, user_id, created_at, refreshed_at, user_agent, ip, aal)
      values (_session, _person, _at, _at, 'Browser', '203.0.113.7', 'aal1');
    insert into auth.refresh_tokens (token, user_id, session_id) values (_number::text, _person::text, _session);
    insert into auth.refresh_tokens (token, user_id) values ('loose' || _number, _person::text);
    insert into auth.identities (provider_id, user_id, identity_data, provider, created_at)
      values (_number::text, _person, jsonb_build_object('email', _address), 'github', _at);
    insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at)
      values (gen_random_uuid(), _person, 'Factor ' || _number, 'totp', 'verified', _at, _at);
    insert into auth.flow_state (id, user_id, auth_code, code_challenge_method, code_challenge, provider_type, authentication_method)
      values (gen_random_uuid(), _person, 'code', 's256', 'challenge', 'email', 'magiclink');
    insert into auth.webauthn_credentials (user_id, credential_id, public_key, friendly_name, created_at)
      values (_person, decode('0' || _number, 'hex'), '\x02', 'Key ' || _number, _at);
    insert into auth.oauth_consents (id, user_id, client_id, scopes, granted_at)
      values (gen_random_uuid(), _person, 'c0000000-0000-4000-8000-0000000000a1', 'email', _at) on conflict do nothing;
    insert into auth.audit_log_entries (id, payload, created_at, ip_address) values
      (gen_random_uuid(), json_build_object('action', 'login', 'actor_id', _person, 'traits', json_build_object('user_id', _person)), _at, '203.0.113.7'),
      (gen_random_uuid(), json_build_object('action', 'invite', 'traits', json_build_object('user_email', _address)), _at - interval '1 hour', '');
    insert into private.proven_addresses (user_id, address) values (_person, _address) on conflict do nothing;

    insert into public.user_roles (user_id, role, approved, created_at)
      values (_person, (array['admin', 'team', 'client'])[(_number - 1) % 3 + 1], true, _at) on conflict do nothing;
    insert into public.registration_decisions (user_id, email, approved, decided_by, withdrawn_by, decided_at)
      values (_person, _address, _number < 4, _next, _next, _at), (null, _address, false, _person, _person, _at - interval '1 hour');
    insert into public.people_log (at, actor_id, person_id, action, role) values
      (_at, _next, _person, 'approved', 'team'), (_at - interval '1 hour', _person, _person, 'downloaded_data', null),
      (_at - interval '2 hours', _person, null, 'invited', 'client');
    insert into private.mail_queue (recipient, template, variables, created_at) values
      (_address, 'magic_link', '{}', _at), ('other@example.com', 'lead', jsonb_build_object('Email', _address), _at),
      ('other@example.com', 'email_change', jsonb_build_object('NewEmail', _address), _at);
    insert into storage.objects (bucket_id, name, owner, owner_id, created_at, metadata) values
      ('content-media', 'both-' || _number, _person, _person::text, _at, '{"size": 1}'),
      ('content-media', 'text-' || _number, null, _person::text, _at - interval '1 hour', '{}'),
      ('content-media', 'old-' || _number, _person, null, _at - interval '2 hours', null);

    insert into public.conversations (created_at) values (_at) returning id into _chat;
    insert into public.chat_messages (conversation_id, role, content, created_at) values
      (_chat, 'user', 'I am ' || _address, _at), (_chat, 'assistant', 'Hello', _at + interval '1 minute');
    insert into public.leads (source, name, email, phone, conversation_id, owner_id, created_at, updated_at) values
      ('contact', 'Lead ' || _number, _address, '1', null, null, _at, _at),
      ('assistant', 'Chat ' || _number, '', '2', _chat, case when (_number + 1) % 3 <> 1 then null else _next end, _at - interval '1 hour', _at);
    insert into private.held_leads (token_hash, lead) values (repeat(_number::text, 64), jsonb_build_object('email', _address));
    insert into public.newsletter_subscribers (email, confirmed_at, created_at)
      select _address, _at, _at where _number < 4;
    insert into public.bookings (slot, name, email, time_zone, token_hash, created_at)
      values (tstzrange(_at, _at + interval '30 minutes'), 'Call ' || _number, _address, 'Europe/Oslo', repeat(_number::text, 64), _at);
    insert into private.held_bookings (token_hash, slot, call)
      values (repeat(_number::text, 64), tstzrange(_at, _at + interval '30 minutes'), jsonb_build_object('email', _address));

    insert into public.content_versions (kind, item_id, data, action, author_id, created_at)
      values ('posts', _number::text, '{}', 'changed', _person, _at);
    insert into public.deleted_content (kind, item_id, title, data, deleted_by)
      values ('posts', gen_random_uuid(), 'Deleted ' || _number, '{}', _person);
    insert into public.editing (kind, item_id, user_id) values ('posts', _number::text, _person);
    insert into public.preview_links (token_hash, created_by, created_at, expires_at)
      values (repeat(_number::text, 64), _person, _at, _at + interval '1 day');
    insert into public.releases (name, created_by, scheduled_by, published_by, published_at, created_at)
      values ('Release ' || _number, _person, _next, case when _number > 3 then _person end, case when _number > 3 then _at end, _at);
    insert into public.release_changes (release_id, kind, item_id, action, data)
      values ('c0000000-0000-4000-8000-0000000000b1', 'faq', gen_random_uuid()::text, 'create', '{"question": "New?", "answer": "Yes"}');
    update public.release_changes set changed_by = _person, changed_at = _at
      where changed_by is null and release_id = 'c0000000-0000-4000-8000-0000000000b1';
  end loop;
end $$;

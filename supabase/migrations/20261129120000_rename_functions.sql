-- Renames functions and triggers to the terms of the field, and adds the facts that emails show.

alter function private.chats_naming rename to chats_mentioning;
alter function private.data_of rename to personal_data_of;
alter function private.drop_client_file rename to delete_client_file_object;
alter function private.fill_asked_summary rename to store_requested_summary;
alter function private.fold_role rename to normalise_role;
alter function private.has_just_proven_identity rename to is_recently_authenticated;
alter function private.has_proven_address rename to has_verified_address;
alter function private.has_proven_mailbox rename to is_signed_in_by_mail;
alter function private.held_conversation rename to current_conversation_id;
alter function private.is_free rename to is_slot_free;
alter function private.is_live rename to is_preview_live;
alter function private.is_on rename to is_setting_on;
alter function private.keep_closed_meeting rename to guard_closed_meeting;
alter function private.keep_closed_month rename to guard_closed_month;
alter function private.keep_published_release rename to guard_published_release;
alter function private.keep_sent_report rename to guard_sent_report;
alter function private.limit_proof_mails rename to limit_confirmation_mails;
alter function private.limit_touches rename to limit_conversation_updates;
alter function private.line_of rename to require_one_line;
alter function private.name_meetings_of_events rename to label_event_meetings;
alter function private.next_asked_summary rename to claim_requested_summary;
alter function private.note_changer rename to set_changed_by;
alter function private.note_meeting_change rename to log_meeting_change;
alter function private.note_mentions rename to record_mentions;
alter function private.note_origins rename to record_origins;
alter function private.note_planned_release rename to record_release_schedule;
alter function private.note_table_mentions rename to record_table_mentions;
alter function private.open_booking rename to lock_active_booking;
alter function private.open_source rename to find_active_source;
alter function private.others_editing rename to other_editors;
alter function private.pixels_of rename to parse_pixels;
alter function private.places_of_links rename to links_query;
alter function private.posts_with_words rename to posts_matching;
alter function private.reader_id rename to effective_user_id;
alter function private.remember_slug rename to record_former_slug;
alter function private.search_for rename to parse_search;
alter function private.sees_amounts rename to can_see_amounts;
alter function private.sentences_of rename to problem_sentences;
alter function private.share_of rename to parse_fraction;
alter function private.shown_name rename to display_name;
alter function private.shown_preview rename to require_live_preview;
alter function private.shows_releases rename to is_site_preview;
alter function private.state_of_campaign rename to campaign_state;
alter function private.title_of_change rename to change_title;
alter function private.typed_words rename to parse_prefix_search;
alter function private.words_of rename to normalised_words;
alter function private.written_columns rename to without_generated_columns;
alter function public.count_chats_naming rename to count_chats_mentioning;
alter function public.keeps_deleted_media rename to can_restore_media;
alter function public.note_chat_reply rename to record_chat_reply;
alter function public.note_check_results rename to record_check_results;
alter function public.note_client_read rename to record_client_read;
alter function public.note_unanswered_question rename to record_unanswered_question;
alter function public.unproven_registrations rename to unverified_registrations;

alter trigger drop_client_file on public.client_files rename to delete_client_file_object;
alter trigger keep_closed on public.client_meeting_months rename to guard_closed;
alter trigger keep_closed_added on public.client_meetings rename to guard_closed_added;
alter trigger keep_closed_changed on public.client_meetings rename to guard_closed_changed;
alter trigger keep_closed_deleted on public.client_meetings rename to guard_closed_deleted;
alter trigger note_added on public.client_meetings rename to log_added;
alter trigger note_changed on public.client_meetings rename to log_changed;
alter trigger keep_sent on public.client_reports rename to guard_sent;
alter trigger keep_published on public.releases rename to guard_published;
alter trigger note_planned on public.releases rename to record_schedule;
alter trigger limit_touches on public.conversations rename to limit_conversation_updates;
alter trigger remember_slug on public.posts rename to record_former_slug;
alter trigger remember_slug on public.projects rename to record_former_slug;
alter trigger note_changer on public.clients rename to set_changed_by;
alter trigger note_changer on public.leads rename to set_changed_by;
alter trigger note_changer on public.assistant_checks rename to set_changed_by;

alter index public.inbound_events_behind_idx rename to inbound_events_counted_idx;

drop function public.veto_rows(_client_id uuid, _approval_id uuid, _number integer, _lines integer[], _domain text, _and_leave_alone boolean, _is_back boolean);

drop function public.veto_by_link(_token text, _holder text, _lines integer[], _domain text, _is_back boolean);

drop function public.set_my_client_mails(_client_id uuid, _told_of text[]);

drop function private.veto_rows(_client_id uuid, _approval_id uuid, _number integer, _lines integer[], _domain text, _is_back boolean, _person uuid);

drop function private.results_of_meeting(_client_id uuid, _meeting_id uuid, _works_for boolean);

drop function private.require_one_line(_label text, _text text, _most integer);

drop function private.require_bookable_time(_starts_at timestamp with time zone, _but uuid);

drop function private.meeting_details(_client_id uuid, _id uuid, _works_for boolean);

drop function private.lead_with_history(_client_id uuid, _id uuid, _works_for boolean);

drop function private.is_slot_free(_slot tstzrange, _but uuid);

drop function private.insert_item(_kind text, _row jsonb, _but name);

drop function private.end_sessions_of(_user_id uuid, _but_session uuid);

drop function private.delete_credentials(_user_id uuid, _address text, _but_session uuid);

drop function private.bookable_times(_from timestamp with time zone, _to timestamp with time zone, _now timestamp with time zone, _but uuid);

create or replace function private.accept_client_invitations() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  with taken as (
    delete from public.client_invitations as invitation
    using auth.users as person, public.user_roles as roles
    where invitation.user_id = new.user_id and person.id = new.user_id and lower(person.email) = invitation.address
      and roles.user_id = new.user_id and roles.role = 'client' and roles.approved
      and private.has_verified_address(new.user_id)
    returning invitation.client_id, invitation.user_id, invitation.kind
  )
  insert into public.client_members (client_id, user_id, kind)
  select client_id, user_id, kind from taken on conflict do nothing;
  return null;
end
$$;

create or replace function private.apply_change(
  _change public.release_changes, out problem text, out fields text[], out live jsonb, out after jsonb
) returns record language plpgsql set search_path = '' as $$
declare
  _kind constant text := _change.kind;
  _own_fields text[];
  _site_fields text[];
begin
  if to_regclass(format('public.%I', _kind)) is null then
    problem := 'schema';
    fields := array[_kind];
    return;
  end if;
  live := private.lock_item(_kind, _change.item_id);
  select array_agg(key) into fields from jsonb_object_keys(_change.data) as key
  where _change.data -> key is distinct from coalesce(_change.base -> key, 'null')
    and _change.data -> key not in ('null', '""', '[]', '{}') and not exists (
    select from pg_catalog.pg_attribute
    where attrelid = format('public.%I', _kind)::regclass and attname = key and attnum > 0 and not attisdropped
  );
  if fields is not null then
    problem := 'schema';
  elsif live is null then
    if _change.action = 'create' then
      after := private.insert_item(_kind, _change.data);
    elsif _change.action = 'update' then
      problem := 'gone';
    end if;
  elsif _change.action = 'delete' then
    fields := private.differing_fields(_kind, live, _change.base);
    if cardinality(fields) > 0 then
      problem := 'conflict';
    else
      execute format('delete from public.%I where id = $1::uuid', _kind) using live ->> 'id';
    end if;
  else
    _own_fields := private.differing_fields(_kind, _change.data, coalesce(_change.base, '{}'));
    _site_fields := private.differing_fields(_kind, live, coalesce(_change.base, '{}'));
    fields := array(
      select field from unnest(private.differing_fields(_kind, _change.data, live)) as field where field = any (_own_fields)
    );
    if fields && _site_fields then
      fields := array(select field from unnest(fields) as field where field = any (_site_fields));
      problem := 'conflict';
    elsif 'status' = any (fields) and _change.data ->> 'status' = 'published'
      and cardinality(array_remove(_site_fields, 'display_order')) > 0 then
      fields := array_remove(_site_fields, 'display_order');
      problem := 'edited';
    elsif cardinality(fields) > 0 then
      after := private.update_item(_kind, live ->> 'id', _change.data, fields);
    else
      after := live;
    end if;
  end if;
end
$$;

create or replace function private.apply_ready_changes(_kind name, _action text, _ids uuid[]) returns uuid[]
language plpgsql set search_path = '' as $$
declare
  _columns text[];
  -- Columns that a release does not write, because their values differ or the database generates them.
  _skipped_columns text[];
  _names text;
  _ready text;
  _written text;
  _done uuid[];
begin
  select array_agg(attname::text),
    array_agg(attname::text) filter (
      where attname in ('id', 'created_at', 'updated_at') or attgenerated <> '' or attidentity <> ''
    )
  into _columns, _skipped_columns
  from pg_catalog.pg_attribute where attrelid = format('public.%I', _kind)::regclass and attnum > 0 and not attisdropped;
  select string_agg(format(case _action when 'update' then '%1$I = changed.%1$I' else '%I' end, attname), ', ') into _names
  from pg_catalog.pg_attribute
  where attrelid = format('public.%I', _kind)::regclass and attnum > 0 and not attisdropped and attgenerated = ''
    and attidentity = '' and attname <> 'updated_at' and (_action = 'create' or attname <> all (_skipped_columns));
  _ready := case _action when 'create' then format(
    'select change.id, null::jsonb as live, change.data, change.item_id::uuid as item_id
     from public.release_changes as change
     where change.id = any ($1) and change.action = $2 and change.data - $3 = ''{}'' and change.data ?& $3
       and not exists (select from public.%1$I as item where item.id = change.item_id::uuid)', _kind
  ) else format(
    'select change.id, to_jsonb(item) as live, change.data, item.id as item_id
     from public.release_changes as change join public.%1$I as item on item.id = change.item_id::uuid
     where change.id = any ($1) and change.action = $2 and coalesce(change.data, change.base) - $3 = ''{}''
       and to_jsonb(item) - $4 = to_jsonb(jsonb_populate_record(null::public.%1$I, change.base)) - $4
       and (change.data is null
         or to_jsonb(item) - $4 <> to_jsonb(jsonb_populate_record(null::public.%1$I, change.data)) - $4)
     order by item.id for update of item', _kind
  ) end;
  _written := format(case _action
    when 'delete' then 'delete from public.%1$I as item using ready where item.id = ready.item_id
      returning ready.id, ready.live, null::jsonb as after'
    when 'update' then 'update public.%1$I as item set %2$s
      from ready, jsonb_populate_record(null::public.%1$I, ready.data) as changed where item.id = ready.item_id
      returning ready.id, ready.live, to_jsonb(item) as after'
    else 'insert into public.%1$I as item (%2$s)
      select %2$s from (select changed.* from ready, jsonb_populate_record(null::public.%1$I, ready.data) as changed) as new
      returning (select ready.id from ready where ready.item_id = item.id) as id, null::jsonb as live, to_jsonb(item) as after'
  end, _kind, _names);
  execute format('with ready as materialized (%s), written as (%s), noted as (
    update public.release_changes as change set before = written.live, after = written.after from written
    where change.id = written.id and not private.is_trial_publish()
  ) select array_agg(id) from written', _ready, _written) into _done using _ids, _action, _columns, _skipped_columns;
  return coalesce(_done, '{}');
end
$$;

create or replace function private.chats_of(_user_id uuid) returns setof uuid
language sql stable security definer set search_path = '' as $$ select private.chats_mentioning(email) from auth.users where id = _user_id $$;

create or replace function private.check_client_role() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if not exists (
    select from public.user_roles where user_id = new.user_id and role = any (tg_argv) and approved
  ) then
    raise exception using errcode = '23514', message = case tg_table_name
      when 'client_members' then 'Only people with the client role can be members of a client.'
      else 'Only admins and approved team members can be assigned to a client.'
    end;
  end if;
  if not private.has_verified_address(new.user_id) then
    raise exception 'This person has not confirmed their email address. They can confirm it on their account page.'
      using errcode = '23514';
  end if;
  return null;
end
$$;

create or replace function private.create_preview_reader() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  execute format(
    'create or replace function public.%1$I() returns setof public.%2$I
     language plpgsql stable security definer set search_path = '''' rows 100
     as $body$
     begin
       return query execute private.preview_query(%2$L) using private.require_live_preview();
     end
     $body$', 'preview_' || new.table_name, new.table_name
  );
  execute format('revoke all on function public.%I() from public, anon, authenticated', 'preview_' || new.table_name);
  execute format('grant execute on function public.%I() to anon, authenticated, service_role', 'preview_' || new.table_name);
  return null;
end
$$;

create function private.delete_credentials(_user_id uuid, _address text, _except_session uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _dropped text[] := '{}';
  _table text;
  _count integer;
begin
  update auth.users set encrypted_password = '' where id = _user_id and encrypted_password <> '';
  if found then _dropped := _dropped || 'password'::text; end if;
  update auth.users set email = null, email_confirmed_at = null
    where id = _user_id and email <> '' and email is distinct from _address;
  if found then _dropped := _dropped || 'email'::text; end if;
  update auth.users set phone = null, phone_confirmed_at = null
    where id = _user_id and phone <> '' and phone is distinct from _address;
  if found then _dropped := _dropped || 'phone'::text; end if;
  delete from auth.identities as identity using auth.users as person
    where person.id = _user_id and identity.user_id = _user_id
      and not (identity.provider = 'email' and person.email is not null)
      and not (identity.provider = 'phone' and person.phone is not null);
  get diagnostics _count = row_count;
  if _count > 0 and not _dropped && array['email', 'phone'] then _dropped := _dropped || 'identities'::text; end if;
  delete from auth.mfa_factors where user_id = _user_id;
  if found then _dropped := _dropped || 'factors'::text; end if;
  -- Not every version of the authentication service has these.
  foreach _table in array array['webauthn_credentials', 'oauth_consents', 'webauthn_challenges', 'oauth_authorizations'] loop
    continue when to_regclass('auth.' || _table) is null;
    execute format('delete from auth.%I where user_id = $1', _table) using _user_id;
    get diagnostics _count = row_count;
    if _count > 0 then
      _dropped := _dropped || case _table
        when 'webauthn_credentials' then array['passkeys'] when 'oauth_consents' then array['applications'] else '{}' end;
    end if;
  end loop;
  delete from auth.one_time_tokens where user_id = _user_id;
  -- Authorization codes that have not been exchanged for a session.
  delete from auth.flow_state where user_id = _user_id and auth_code_issued_at is not null;
  delete from auth.sessions where user_id = _user_id and id is distinct from _except_session;
  if found then _dropped := _dropped || 'sessions'::text; end if;
  update auth.users as person set
    email_change = '', email_change_confirm_status = 0, phone_change = '', is_anonymous = false,
    raw_user_meta_data = jsonb_strip_nulls(jsonb_build_object(
      'sub', id, 'email', email, 'phone', phone, 'email_verified', email is not null, 'phone_verified', phone is not null
    )),
    raw_app_meta_data = coalesce(raw_app_meta_data, '{}') - 'provider' - 'providers'
      || coalesce((
        select jsonb_build_object('provider', min(provider), 'providers', jsonb_agg(distinct provider))
        from auth.identities where user_id = person.id having count(*) > 0
      ), '{}')
      || case when _dropped = '{}' then '{}'
        else jsonb_build_object('setup_dropped', jsonb_build_object('at', now(), 'what', to_jsonb(_dropped))) end,
    updated_at = now()
  where id = _user_id;
end
$$;
revoke all on function private.delete_credentials(_user_id uuid, _address text, _except_session uuid) from public, anon, authenticated, service_role;

create or replace function private.delete_oldest_conversations() returns void
language plpgsql security definer set search_path = '' as $$
declare
  _items bigint;
  _bytes bigint;
begin
  delete from private.chat_counts where subject in (
    select subject from private.chat_counts where expires_at <= now() limit 1000 for update skip locked
  );
  select count(*), coalesce(sum(content_bytes), 0) into _items, _bytes from public.conversations;
  if (_items <= 10000 and _bytes <= 200000000)
    -- Another session is already cleaning up.
    or not pg_try_advisory_xact_lock(hashtext('private.delete_oldest_conversations')) then
    return;
  end if;
  with held as materialized (
    select private.current_conversation_id() as id
  ), empty as (
    select conversation.id, content_bytes, last_message_at from public.conversations as conversation, held
    where message_count = 0 and created_at <= now() - interval '1 hour' and conversation.id is distinct from held.id
    order by last_message_at, conversation.id desc limit 100
  ), said as (
    select conversation.id, content_bytes, last_message_at from public.conversations as conversation, held
    where (message_count > 0 or created_at > now() - interval '1 hour') and conversation.id is distinct from held.id
    order by last_message_at, conversation.id desc limit 100
  ), tail as (
    select id, row_number() over oldest_first - 1 as items, sum(content_bytes) over oldest_first - content_bytes as bytes
    from (select true as is_empty, * from empty union all select false, * from said) as candidate
    window oldest_first as (order by is_empty desc, last_message_at, id desc rows unbounded preceding)
    limit 100
  )
  delete from public.conversations where id in (
    select id from tail where _items - items > 9900 or _bytes - bytes > 198000000
  );
end
$$;

create or replace function private.due_report_week(_client public.clients, _now timestamptz default now()) returns date
language sql stable set search_path = '' as $$
  select day - (extract(isodow from day)::integer - _client.first_weekday + 7) % 7 - 7
  from (select (_now at time zone _client.time_zone)::date) as local_now (today),
    lateral (select today - (extract(isodow from today)::integer - _client.report_weekday + 7) % 7) as latest (weekday),
    lateral (
      select case
        when (weekday + make_interval(hours => _client.report_hour)) at time zone _client.time_zone <= _now then weekday
        else weekday - 7
      end
    ) as due (day)
$$;

create function private.end_sessions_of(_user_id uuid, _except_session uuid default null) returns void
language sql security definer set search_path = '' as $$
  delete from auth.sessions where user_id = _user_id and id is distinct from _except_session;
  delete from auth.refresh_tokens where user_id = _user_id::text and session_id is distinct from _except_session;
  delete from private.mailed_links where user_id = _user_id;
$$;
revoke all on function private.end_sessions_of(_user_id uuid, _except_session uuid) from public, anon, authenticated, service_role;

create or replace function private.guard_release_change() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _document private.documents;
  _result record;
  _with_all boolean;
begin
  -- A release that reverts another one contains earlier rows of the database, and is tested as a whole.
  if current_setting('releases.is_undoing', true) = 'yes' then
    new.changed_by := private.user_id();
    new.changed_at := clock_timestamp();
    return new;
  end if;
  perform private.require_open_release(new.release_id);
  select * into _document from private.documents where kind = new.kind;
  if not found then
    raise exception 'Unknown kind of content: %.', new.kind using errcode = '22023';
  end if;
  if new.item_id = any (_document.keys_outside_releases) then
    raise exception 'This setting takes effect immediately and cannot be part of a release.' using errcode = '22023';
  end if;
  if tg_op = 'INSERT' and (
    select count(*) from public.release_changes where release_id = new.release_id
  ) >= 200 then
    raise exception 'A release can contain at most 200 changes.' using errcode = '54000';
  end if;
  new.changed_by := private.user_id();
  new.changed_at := clock_timestamp();
  if _document.is_item and new.action <> 'delete' then
    new.data := new.data || jsonb_build_object('id', new.item_id::uuid);
  end if;
  if new.action = 'update' then
    new.data := new.base || new.data;
  end if;
  new.base := case when new.base is not null then private.typed_row(new.kind, new.base) end;
  if private.document_key(new.kind, coalesce(new.data, new.base)) is distinct from new.item_id then
    raise exception 'The changed data belongs to a different item.' using errcode = '22023';
  end if;
  -- Tests the change with the changes that may affect it. If that fails, tests it with all changes of the release.
  foreach _with_all in array '{false,true}'::boolean[] loop
    begin
      perform set_config('releases.is_tried', 'yes', true);
      perform private.apply_changes(array(
        select other.id from public.release_changes as other
        where other.release_id = new.release_id and other.id <> new.id
          and (_with_all or private.may_changes_conflict(other, new))
      ));
      _result := private.apply_change(new);
      if _result.problem = 'schema' then
        raise exception '%', private.problem_sentence(new, _result.problem, _result.fields, null) using errcode = '42703';
      end if;
      raise exception 'undo' using errcode = 'RB001';
    exception
      when sqlstate 'RB001' then
        exit;
      when unique_violation then
        if _with_all then
          raise;
        end if;
    end;
  end loop;
  if new.action = 'create' then
    new.data := coalesce(_result.after, new.data);
  elsif new.action = 'update' then
    new.data := private.typed_row(new.kind, new.data);
  end if;
  return new;
end
$$;

create function private.insert_item(_kind text, _row jsonb, _except name default 'updated_at') returns jsonb
language plpgsql set search_path = '' as $$
declare
  _after jsonb;
begin
  execute format(
    'insert into public.%1$I as item (%2$s) select %2$s from jsonb_populate_record(null::public.%1$I, $1)
     returning to_jsonb(item)', _kind,
    (select string_agg(format('%I', attname), ', ') from pg_catalog.pg_attribute
     where attrelid = format('public.%I', _kind)::regclass and attnum > 0 and not attisdropped
       and attgenerated = '' and attidentity = '' and attname is distinct from _except and _row ? attname::text)
  ) into _after using _row;
  return _after;
end
$$;
revoke all on function private.insert_item(_kind text, _row jsonb, _except name) from public, anon, authenticated, service_role;

create function private.is_slot_free(_slot tstzrange, _except uuid default null) returns boolean
language sql stable security definer set search_path = '' as $$
  select not exists (
    select from public.bookings where slot && _slot and state = 'booked' and id is distinct from _except
  ) and not exists (
    select from public.booking_busy where during && _slot
  ) and not exists (
    select from public.booking_exceptions, public.booking_rules
    where tstzrange(
      (first_day + starts_at) at time zone time_zone,
      -- On clock changes a day may start after it ends.
      greatest((first_day + starts_at) at time zone time_zone, (last_day + ends_at) at time zone time_zone)
    ) && _slot
  )
$$;
revoke all on function private.is_slot_free(_slot tstzrange, _except uuid) from public, anon, authenticated, service_role;

create or replace function private.judge_meeting(_meeting public.client_meetings) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('approval_id', version.approval_id, 'number', version.number, 'text', version.text, 'results', (
    select jsonb_agg(jsonb_build_object(
      'key', key, 'state', case when is_met then 'met' when not is_met then 'not_met' else 'unknown' end
    ) order by position)
    from (values
      (1, 'role', criteria -> 'roles' <> '[]', case when _meeting.role <> '' then private.normalise_role(_meeting.role) in (
        select private.normalise_role(role) from jsonb_array_elements_text(criteria -> 'roles') as role
      ) end),
      (2, 'size', coalesce(criteria ->> 'minimum_size', criteria ->> 'maximum_size') is not null,
        _meeting.company_size >= coalesce((criteria ->> 'minimum_size')::integer, 1)
          and _meeting.company_size <= coalesce((criteria ->> 'maximum_size')::integer, 10000000)),
      (3, 'country', criteria -> 'countries' <> '[]', case when _meeting.country <> '' then
        criteria -> 'countries' @> to_jsonb(_meeting.country)
      end),
      (4, 'customer', (criteria ->> 'excludes_customers')::boolean, not _meeting.is_customer),
      (5, 'minutes', criteria ->> 'minimum_minutes' is not null,
        _meeting.minutes >= (criteria ->> 'minimum_minutes')::integer)
    ) as judged (position, key, is_set, is_met)
    where is_set
  ))
  from private.criteria_at(_meeting.client_id, _meeting.starts_at) as version, lateral (select version.text::jsonb) as document (criteria)
  where version.number is not null
$$;

create or replace function private.keep_campaign_version() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _newest integer;
  _action constant text := case
    when tg_op = 'INSERT' then 'created'
    when (new.deleted_at is null) = (old.deleted_at is null) then 'changed'
    when new.deleted_at is null then 'restored'
    else 'deleted'
  end;
begin
  if _action = 'changed' and private.campaign_state(old) = private.campaign_state(new) then
    return null;
  end if;
  select max(number) into _newest from public.campaign_versions where client_id = new.client_id and campaign_id = new.id;
  -- The first change of a campaign that is older than this table also records its previous state.
  if tg_op = 'UPDATE' and _newest is null then
    insert into public.campaign_versions (client_id, campaign_id, number, action, campaign, created_at)
    values (new.client_id, new.id, 1, 'before', private.campaign_state(old), old.updated_at);
    _newest := 1;
  end if;
  insert into public.campaign_versions (client_id, campaign_id, number, action, campaign, changed_by)
  values (new.client_id, new.id, coalesce(_newest, 0) + 1, _action, private.campaign_state(new), private.user_id());
  delete from public.campaign_versions
  where client_id = new.client_id and campaign_id = new.id and number <= coalesce(_newest, 0) + 1 - 50;
  return null;
end
$$;

create or replace function private.keep_versions() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _kind constant text := tg_table_name;
  _old jsonb;
  _data jsonb;
  _item_id text;
  _document private.documents;
  _author_id uuid;
  _action text := case tg_op when 'INSERT' then 'created' when 'UPDATE' then 'changed' else 'deleted' end;
  _changes text[] := '{}';
begin
  if private.is_trial_publish() then
    return null;
  end if;
  _old := private.without_generated_columns(to_jsonb(old), tg_relid);
  _data := coalesce(private.without_generated_columns(to_jsonb(new), tg_relid), _old);
  _item_id := private.document_key(_kind, _data);
  _author_id := private.user_id();
  select * into _document from private.documents where kind = _kind;
  if tg_op = 'UPDATE' then
    select coalesce(array_agg(key order by key), '{}') into _changes from jsonb_each(_data)
    where value is distinct from _old -> key and key <> 'updated_at';
    -- Reordering is not recorded as a change of the item.
    if _changes <@ array['display_order'] then
      return null;
    end if;
    if not exists (select from public.content_versions where kind = _kind and item_id = _item_id) then
      perform private.keep_version(_kind, _item_id, _old, 'before', '{}', null);
    end if;
  end if;
  if _document.is_item then
    if tg_op = 'DELETE' then
      insert into public.deleted_content as kept (kind, item_id, title, data, deleted_by)
        values (_kind, _item_id::uuid, coalesce(_data ->> _document.title_column, ''), _data, _author_id)
        on conflict (kind, item_id) do update set
          title = excluded.title, data = excluded.data, deleted_by = excluded.deleted_by, deleted_at = excluded.deleted_at;
    elsif tg_op = 'INSERT' then
      -- Any insert with this id counts as a restore, not only restore_item().
      delete from public.deleted_content where kind = _kind and item_id = _item_id::uuid;
      if found then
        _action := 'restored';
      end if;
    end if;
  end if;
  perform private.keep_version(_kind, _item_id, _data, _action, _changes, _author_id);
  return null;
end
$$;

create function private.lead_with_history(_client_id uuid, _id uuid, _is_team boolean) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select jsonb_build_object(
      'id', lead.id, 'name', lead.name, 'email', lead.email, 'company', lead.company, 'title', lead.title,
      'words', lead.words, 'campaign_id', lead.campaign_id, 'campaign', campaigns.name, 'step', lead.step, 'approval_id', lead.approval_id,
      'text', approvals.title, 'received_at', lead.received_at, 'origin', lead.origin, 'status', lead.status,
      'reason', lead.reason, 'taken_by', coalesce(private.display_name(lead.taken_by, _is_team), ''), 'taken_at', lead.taken_at,
      'added_by', coalesce(private.display_name(lead.added_by, _is_team), ''),
      'list_row', private.list_row_of_lead(lead),
      'meetings', coalesce((
        select jsonb_agg(jsonb_build_object(
          'id', meeting.id, 'starts_at', meeting.starts_at, 'outcome', meeting.outcome
        ) order by meeting.starts_at desc, meeting.id)
        from public.client_meetings as meeting where meeting.client_id = lead.client_id and meeting.lead_id = lead.id
      ), '[]'),
      'changes', coalesce((
        select jsonb_agg(jsonb_build_object(
          'number', number, 'status', change.status, 'reason', change.reason, 'at', change.created_at,
          'by', coalesce(private.display_name(change.changed_by, _is_team), '')
        ) order by number desc)
        from public.client_lead_changes as change where change.client_id = lead.client_id and change.lead_id = lead.id
      ), '[]')
    )
    from public.client_leads as lead
      left join public.campaigns on campaigns.client_id = lead.client_id and campaigns.id = lead.campaign_id
      left join public.approvals on approvals.client_id = lead.client_id and approvals.id = lead.approval_id
    where lead.client_id = _client_id and lead.id = _id
  );
end
$$;
revoke all on function private.lead_with_history(_client_id uuid, _id uuid, _is_team boolean) from public, anon, authenticated, service_role;

create or replace function private.limit_chat_messages() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(current_setting('chat.new_message', true), '') <> '' then
    raise exception 'Only one message can be sent per request';
  end if;
  perform set_config('chat.new_message', 'written', true);
  if exists (
    select from public.conversations
    where id = new.conversation_id and id = private.current_conversation_id()
      and (message_count >= 500 or content_bytes + octet_length(new.content) > 200000)
  ) then
    raise exception 'This conversation is full. Please start a new one.';
  end if;
  if not private.count_for_address('message', private.client_address(), 60, interval '1 minute') then
    raise sqlstate 'PT429' using
      message = 'Too many messages. Wait a minute, or book a meeting to talk to a person.';
  end if;
  return new;
end
$$;

drop function private.list_approval_rows(_client_id uuid, _approval_id uuid, _number integer, _search text, _only_vetoed boolean, _limit integer, _offset integer);
create function private.list_approval_rows(
  _client_id uuid, _approval_id uuid, _number integer, _search text, _only_vetoed boolean, _limit integer, _offset integer
) returns table (
  line integer, company text, domain text, person text, note text, hint text, is_vetoed boolean, company_rows integer,
  total integer
) language sql stable security definer set search_path = '' as $$
  with all_rows as materialized (
    select item.line, item.company, item.domain, item.person, item.note, item.hint, veto.line is not null as is_vetoed,
      case when item.domain = '' then 1 else count(*) over (partition by item.domain) end::integer as company_rows
    from public.approval_rows as item
      left join public.approval_vetoes as veto
        on veto.client_id = _client_id and veto.approval_id = _approval_id and veto.number = _number
          and veto.line = item.line
    where item.client_id = _client_id and item.approval_id = _approval_id and item.number = _number
  )
  select all_rows.*, count(*) over ()::integer
  from all_rows
  where (not _only_vetoed or all_rows.is_vetoed)
    and position(lower(trim(left(_search, 200))) in lower(concat_ws(' ', all_rows.company, all_rows.domain, all_rows.person, all_rows.note, all_rows.hint))) > 0
  order by all_rows.line
  limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0)
$$;
revoke all on function private.list_approval_rows(_client_id uuid, _approval_id uuid, _number integer, _search text, _only_vetoed boolean, _limit integer, _offset integer) from public, anon, authenticated, service_role;

create or replace function private.mail_client_about_approval(_version public.approval_versions) returns void
language sql security definer set search_path = '' as $$
  -- Materialized, because the planner could otherwise call count_for_subject() for other people's addresses.
  with people as materialized (
    select user_id, email, clients.name as client, approvals.title, approvals.kind
    from private.members_to_mail(_version.client_id, 'waiting'), public.clients
      join public.approvals on approvals.client_id = clients.id and approvals.id = _version.approval_id
    where clients.id = _version.client_id
  ), mailed as materialized (
    select *, private.new_link_token() as token, case
      when private.count_for_subject('approval mail', lower(email), 19, interval '1 day') then ''
      when private.count_for_subject('approval mail', lower(email), 20, interval '1 day')
        then 'This is the last approval email today. See your dashboard for further approvals.'
    end as more
    from people
  ), linked as (
    insert into private.mailed_links (token_hash, client_id, approval_id, number, user_id, address_hash)
    select hash, _version.client_id, _version.approval_id, _version.number, user_id,
      private.hash_of_link(hash || lower(email))
    from mailed, private.hash_of_link(token) as hash where more is not null
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'approval_asked', jsonb_build_object(
    'Email', email, 'ClientId', _version.client_id, 'Title', title, 'Client', client, 'More', more,
    'Message', case when kind = 'text' then private.first_lines(_version.text) else '' end,
    'Path', '/approve/' || token,
    'Asker', coalesce(nullif(private.display_name(_version.asked_by, false), ''), 'Our team'),
    'Access', 'The button works without a password for 14 days, in the first browser that opens it. Do not forward this email.',
    'What', case kind
      when 'text' then 'We wrote a text' when 'list' then 'We prepared a list'
      when 'criteria' then 'We wrote criteria for meetings' else 'We prepared a file'
    end,
    'Version', case
      when _version.number = 1 then ''
      when kind = 'text' then 'This is version ' || _version.number || ', with the changes marked.'
      else 'This is version ' || _version.number || '.'
    end,
    'Due', case
      when _version.due_on is null then ''
      else to_char(_version.due_on, 'FMDD FMMonth YYYY')
    end
  )
  from mailed where more is not null
$$;

create or replace function private.mail_client_about_lead() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Materialized, because the planner could otherwise call count_for_subject() for other people's addresses.
  with people as materialized (
    select member.user_id, member.email, membership.kind = 'approver' as is_approver, clients.name as client, (
      select campaigns.name from public.campaigns where campaigns.client_id = new.client_id and campaigns.id = new.campaign_id
    ) as campaign
    from private.members_to_mail(new.client_id, 'lead') as member
      join public.client_members as membership
        on membership.client_id = new.client_id and membership.user_id = member.user_id
      join auth.users on users.id = member.user_id and coalesce(users.banned_until <= now(), true)
      join public.clients on clients.id = new.client_id
  ), mailed as materialized (
    select *, private.new_link_token() as token, '/client-dashboard?client=' || new.client_id as portal, case
      when private.count_for_subject('lead mail', lower(email), 20, interval '1 day') then 'client_lead'
      when private.count_for_subject('lead mail', lower(email), 21, interval '1 day') then 'more_leads'
    end as template
    from people
  ), linked as (
    insert into private.mailed_links (token_hash, client_id, lead_id, user_id, address_hash)
    select hash, new.client_id, new.id, user_id, private.hash_of_link(hash || lower(email))
    from mailed, private.hash_of_link(token) as hash where template = 'client_lead' and is_approver
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, template, jsonb_build_object('Email', email, 'ClientId', new.client_id, 'Client', client) || case
    when template = 'more_leads' then jsonb_build_object('Path', portal || '&tab=leads', 'Count', (
      select case count(*) when 1 then '1 lead' else to_char(count(*), 'FM999,999,990') || ' leads' end
      from public.client_leads as lead where lead.client_id = new.client_id and lead.status = 'new'
    ))
    else jsonb_build_object(
      'Title', private.name_of_lead(new),
      'What', case when campaign is null then 'A new lead for ' || client || '.'
        else 'They answered the campaign “' || campaign || '” of ' || client || '.' end,
      'Message', case when new.words = '' then '' else '“' || left(new.words, 1500) || case when length(new.words) > 1500 then '…' else '' end || '”' end
    ) || case
      when is_approver then jsonb_build_object(
        'Path', '/lead/' || token, 'Action', 'I will take it',
        'Items', jsonb_build_array(
          jsonb_build_object('text', 'Not a fit', 'path', '/lead/' || token || '?answer=not_fit'),
          jsonb_build_object('text', 'Open it in your dashboard', 'path', portal || '#lead-' || new.id)
        ),
        'Access', 'The button and “Not a fit” open a page where you confirm your answer. They work without a password for 14 days, in the first browser that answers. Do not forward this email.'
      )
      else jsonb_build_object(
        'Path', portal || '#lead-' || new.id, 'Action', 'Open the lead', 'Access', 'The button opens your dashboard.'
      )
    end
  end
  from mailed where template is not null;
  return null;
end
$$;

create or replace function private.mail_invitation(
  _user_id uuid, _role text, _client_id uuid default null, _kind text default null
) returns boolean language plpgsql security definer set search_path = '' as $$
declare
  _email constant text := (select email from auth.users where id = _user_id);
  _client constant text := (select name from public.clients where id = _client_id);
  _is_proven constant boolean := private.has_verified_address(_user_id);
  _link text;
  _code text;
begin
  if coalesce(_email, '') = '' then
    return true;
  elsif not private.count_for_subject('invitation mail', lower(_email), 20, interval '1 day') then
    raise exception '20 invitations were sent to this address today. Try again tomorrow.' using errcode = 'P0001';
  end if;
  if not _is_proven then
    select made.link, made.code into _link, _code from private.new_sign_in_link(_user_id, lower(_email)) as made;
    if _link is null then
      return false;
    end if;
  end if;
  insert into private.mail_queue (recipient, template, variables)
  values (_email, case when _is_proven then 'client_added' else 'invitation' end, jsonb_build_object(
    'Email', _email,
    'Inviter', coalesce(nullif(private.display_name(private.user_id(), true), ''), 'Our team'),
    'Place', case when _client is not null then 'the client portal of ' || _client
      when _role = 'team' then 'the team' else 'the client portal' end,
    'Reason', case
      when _kind = 'approver'
        then 'You can follow your campaigns, approve texts and lists before we use them, and confirm meetings.'
      when _kind = 'viewer' then 'You can follow your campaigns and read reports and shared files.'
      when _role = 'team' then 'You can use the team dashboard. An admin assigns clients to you.'
      else 'You will have an account with your own dashboard.'
    end,
    'Message', case when _client_id is null then '' else private.pending_client_tasks(_client_id) end,
    'RedirectTo', case
      when _client_id is not null then '/client-dashboard?client=' || _client_id
      when _role = 'team' then '/team-dashboard' else '/client-dashboard'
    end
  ) || case when _link is null then '{}' else jsonb_build_object('TokenHash', _link, 'Token', _code) end);
  return true;
end
$$;

create or replace function private.mail_next_meeting_results() returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  _user_id constant uuid := (select user_id from private.result_requests_due order by due_at limit 1);
begin
  if _user_id is null then
    return false;
  end if;
  -- Serialises the processes, so that the next statement sees the mail of another one.
  perform from public.user_roles where user_id = _user_id for update;
  with due as materialized (
    select *, row_number() over (order by starts_at desc, client_id, meeting_id) as place, private.new_link_token() as token
    from private.result_requests_due where user_id = _user_id
  ), noted as (
    insert into private.result_requests (client_id, meeting_id, step, user_id)
    select client_id, meeting_id, step, user_id from due
  ), linked as (
    insert into private.mailed_links (token_hash, client_id, meeting_id, number, user_id, address_hash)
    select hash, client_id, meeting_id, (
      select coalesce(max(result.number), 0) from public.client_meeting_results as result
      where result.client_id = due.client_id and result.meeting_id = due.meeting_id
    ), user_id, private.hash_of_link(hash || lower(email))
    from due, private.hash_of_link(token) as hash where place <= 20
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'meeting_results', jsonb_build_object('Email', email, 'Items', jsonb_agg(case
    when place > 20 then jsonb_build_object('text', 'And ' || count - 20 || ' more', 'path', '/client-dashboard')
    else jsonb_build_object(
      'text', met_with, 'detail', to_char(starts_at at time zone time_zone, 'FMDD FMMonth YYYY') || ', for ' || client,
      'action', 'Add result', 'path', '/result/' || token, 'client_id', client_id
    )
  end order by place))
  from due cross join (select count(*) from due) as counted
  where place <= 21
  group by email;
  return true;
end
$$;

create or replace function private.mail_unread_reminders(_at_most integer default null) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  _count integer;
begin
  with news as (
    insert into private.unread_reminders (client_id, approval_id, number)
    select unread.client_id, unread.approval_id, unread.number
    from private.unread_approvals() as unread
    where not exists (
      select from private.unread_reminders as reminder
      where (reminder.client_id, reminder.approval_id, reminder.number) = (unread.client_id, unread.approval_id, unread.number)
    )
    limit _at_most
    on conflict do nothing
    returning *
  ), mails as (
    insert into private.mail_queue (recipient, template, variables)
    select users.email, 'approval_unread', jsonb_build_object(
      'Email', users.email, 'ClientId', clients.id, 'Client', clients.name, 'Items', jsonb_agg(jsonb_build_object(
        'text', unread.title, 'path', private.team_path(users.id, clients.id, 'approval-' || unread.approval_id)
      ) order by unread.title)
    )
    from news join private.unread_approvals() as unread using (client_id, approval_id, number)
      join public.clients on clients.id = unread.client_id
      join public.user_roles as roles on roles.user_id = unread.asked_by and roles.role in ('team', 'admin') and roles.approved
      join auth.users on users.id = unread.asked_by
    where users.email <> ''
    group by users.id, users.email, clients.id, clients.name
    returning id
  )
  select count(*) into _count from news;
  return _count;
end
$$;

create or replace function private.mailed_figures(_report public.client_reports) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_object_agg(key || number, text), '{}')
  from (
    select row_number() over (order by place), metrics.many, result.value, result.before
    from unnest(array['meetings', 'replies', 'delivered', 'positive_replies', 'sent']) with ordinality as wanted (metric, place)
      join jsonb_to_recordset(_report.figures -> 'result') as result (metric text, value bigint, before bigint) using (metric)
      join private.metrics on metrics.name = metric
    order by place limit 3
  ) as shown (number, many, value, before), lateral (values
    ('Figure', coalesce(to_char(value, 'FM999,999,999,999,990'), '–')),
    ('Metric', many),
    ('Before', case when before is null then 'no figure' else to_char(before, 'FM999,999,999,999,990') end
      || ' the ' || _report.span || ' before'),
    ('Rise', case when value > before then '+' || to_char(value - before, 'FM999,999,999,999,990') else '' end),
    ('Fall', case when value < before then '−' || to_char(before - value, 'FM999,999,999,999,990') else '' end)
  ) as variables (key, text)
$$;

create or replace function private.match_meetings() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _figure record;
  _missing integer;
  _changed integer;
begin
  for _figure in
    with touched as materialized (
      select touched.*, least(coalesce(figure.value, 0), 1000) as value, figure.batch_id, batch.source_id, ledger.*
      from (select distinct client_id, campaign_id, first_day, last_day from changed where metric = 'meetings') as touched
        left join public.campaign_figures as figure on figure.client_id = touched.client_id
          and figure.campaign_id = touched.campaign_id and figure.metric = 'meetings' and figure.first_day = touched.first_day
          and figure.last_day = touched.last_day and figure.replaced_by is null
        left join public.import_batches as batch on batch.client_id = figure.client_id and batch.id = figure.batch_id
        cross join lateral (
          select count(*) filter (where meeting.campaign_id = touched.campaign_id) as count,
            coalesce(bool_or(meeting.campaign_id = touched.campaign_id and origin = 'figure'
              and meeting.batch_id is distinct from figure.batch_id), false) as is_of_former,
            coalesce(bool_or(meeting.campaign_id is null), false) as has_nameless
          from public.client_meetings as meeting
          where meeting.client_id = touched.client_id and booked_on between touched.first_day and touched.last_day
        ) as ledger
      -- A replaced figure is skipped. Its replacement is matched when it is inserted.
      where figure.value is not null or not exists (
        select from public.campaign_figures as replaced
        where replaced.client_id = touched.client_id and replaced.campaign_id = touched.campaign_id
          and replaced.metric = 'meetings' and replaced.first_day = touched.first_day and replaced.replaced_by is not null
      )
    ), room as materialized (
      select client_id, 10000 - (
        select count(*) from public.client_meetings as meeting where meeting.client_id = clients.client_id
      ) as room
      from (select distinct client_id from touched) as clients
    ), missing as (
      select touched.*, row_number() over (partition by client_id order by campaign_id, first_day, number) as place
      from touched, generate_series(1, value - count) as number
      where not has_nameless
    ), added as (
      insert into public.client_meetings (client_id, campaign_id, batch_id, booked_on, met_with, outcome, origin)
      select client_id, campaign_id, batch_id, first_day, '', 'booked', 'figure'
      from missing join room using (client_id)
      where place <= room
    )
    select * from touched
    where value < count or has_nameless and value > count or is_of_former or source_id is not null
    order by client_id, campaign_id, first_day
  loop
    _missing := _figure.value - _figure.count;
    if _missing > 0 and _figure.has_nameless then
      update public.client_meetings set campaign_id = _figure.campaign_id
      where client_id = _figure.client_id and id in (
        select id from public.client_meetings
        where client_id = _figure.client_id and campaign_id is null
          and booked_on between _figure.first_day and _figure.last_day
        order by booked_on, created_at, id limit _missing
      );
      get diagnostics _changed = row_count;
      insert into public.client_meetings (client_id, campaign_id, batch_id, booked_on, met_with, outcome, origin)
      select _figure.client_id, _figure.campaign_id, _figure.batch_id, _figure.first_day, '', 'booked', 'figure'
      from generate_series(1, least(
        _missing - _changed,
        10000 - (select count(*) from public.client_meetings where client_id = _figure.client_id)
      ));
    elsif _missing < 0 then
      delete from public.client_meetings where client_id = _figure.client_id and id in (
        select id from public.client_meetings
        where client_id = _figure.client_id and campaign_id = _figure.campaign_id and origin = 'figure'
          and booked_on between _figure.first_day and _figure.last_day
        order by met_with <> '', created_at desc, id limit - _missing
      );
    end if;
    if _figure.is_of_former then
      update public.client_meetings set batch_id = _figure.batch_id
      where client_id = _figure.client_id and campaign_id = _figure.campaign_id and origin = 'figure'
        and booked_on between _figure.first_day and _figure.last_day and batch_id is distinct from _figure.batch_id;
    end if;
    if _figure.source_id is not null then
      perform private.label_event_meetings(_figure.client_id, _figure.campaign_id, _figure.source_id, _figure.first_day);
    end if;
  end loop;
  return null;
end
$$;

create or replace function private.media_file_of(_object storage.objects) returns private.media_files
language plpgsql stable set search_path = '' as $$
declare
  _file private.media_files;
  _metadata constant jsonb := coalesce(_object.user_metadata, '{}');
begin
  _file.name := _object.name;
  _file.object_id := _object.id;
  _file.original_name := left(coalesce(_metadata ->> 'original_name', ''), 500);
  _file.mimetype := _object.metadata ->> 'mimetype';
  _file.kind := case when _file.mimetype ~ '^(image|video|audio)/' then split_part(_file.mimetype, '/', 1) else 'document' end;
  _file.size := (_object.metadata ->> 'size')::bigint;
  _file.width := private.parse_pixels(_object.metadata -> 'width');
  _file.height := private.parse_pixels(_object.metadata -> 'height');
  _file.alt := left(coalesce(_metadata ->> 'alt', ''), 1000);
  _file.folder := left(trim(coalesce(_metadata ->> 'folder', '')), 100);
  _file.focal_x := private.parse_fraction(_metadata -> 'focal_x');
  _file.focal_y := private.parse_fraction(_metadata -> 'focal_y');
  -- If the storage reports no hash, uses the one that the uploading browser computed.
  _file.sha256 := substring(lower(coalesce(_object.metadata ->> 'sha256', _metadata ->> 'sha256')) from '^[0-9a-f]{64}$');
  _file.mention_key := private.media_key(_object.name);
  _file.uses := 0;
  _file.search_text := lower(concat_ws(' ', _file.name, _file.original_name, _file.alt, _file.folder));
  _file.created_at := coalesce(_object.created_at, now());
  _file.updated_at := coalesce(_object.updated_at, now());
  return _file;
end
$$;

create or replace function private.new_booking(
  _starts_at timestamptz, _name text, _email text, _phone text, _message text, _service text, _time_zone text
) returns public.bookings language plpgsql security definer set search_path = '' as $$
declare
  _rules public.booking_rules := (select rules from public.booking_rules as rules);
  _booking public.bookings;
begin
  _booking.name := private.require_one_line('Name', _name, 100);
  _booking.email := private.require_one_line('Email', _email, 255);
  if _booking.name = '' then
    raise exception 'Name is required' using errcode = '22023';
  end if;
  if not private.is_email(_booking.email) then
    raise exception 'Invalid email address' using errcode = '22023';
  end if;
  if length(_message) > 1000 then
    raise exception 'Message must be less than 1000 characters' using errcode = '22023';
  end if;
  if trim(_phone) !~ '^[0-9+()./ -]{0,40}$' then
    raise exception 'Enter a valid phone number, such as +47 22 00 00 00.' using errcode = '22023';
  end if;
  if not exists (select from public.availability) then
    raise exception 'Calls cannot be booked here at the moment.' using errcode = '22023';
  end if;
  perform private.lock_bookings();
  perform private.require_bookable_time(_starts_at);
  _booking.slot := tstzrange(_starts_at, _starts_at + make_interval(mins => _rules.length_minutes));
  _booking.phone := coalesce(trim(_phone), '');
  _booking.message := coalesce(trim(_message), '');
  _booking.service := private.require_one_line('Service', _service, 200);
  _booking.time_zone := case when private.is_time_zone(_time_zone) then _time_zone else _rules.time_zone end;
  return _booking;
end
$$;

create or replace function private.new_lead(
  _source text, _email text, _name text, _phone text, _call_time text, _message text, _page text, _service text, _website text
) returns public.leads language plpgsql security definer set search_path = '' as $$
declare
  _lead public.leads;
  _said text;
begin
  if _source is null or _source not in ('contact', 'assistant') or not private.is_setting_on(
    case _source when 'contact' then 'keep_contact_messages' else 'leads_from_chat' end
  ) then
    raise exception 'The contact form is disabled. Please send us an email instead.';
  end if;
  if not private.count_for_address('lead', private.client_address(), 5, interval '1 hour') then
    raise sqlstate 'PT429' using
      message = 'You have already sent several messages. Try again in an hour, or send us an email.';
  end if;
  if coalesce(_website, '') <> '' then
    return null;
  end if;
  if not coalesce(private.is_email(trim(_email)), false) then
    raise exception 'Invalid email address';
  end if;
  if _source = 'contact' and (coalesce(trim(_name), '') = '' or coalesce(trim(_message), '') = '') then
    raise exception 'Name and message are required';
  end if;
  if length(_message) > 1000 then
    raise exception 'Message must be less than 1000 characters';
  end if;
  if trim(_phone) !~ '^[0-9+()./ -]{0,40}$' then
    raise exception 'Enter a valid phone number, such as +47 22 00 00 00.';
  end if;
  if _source = 'assistant' then
    select id into _lead.conversation_id from public.conversations
    where id = private.current_conversation_id() and message_count > 0;
    if not found then
      raise exception 'This conversation no longer exists. Please send us an email instead.';
    end if;
    select left(content, 1000) into _said from public.chat_messages
    where conversation_id = _lead.conversation_id and role = 'user' order by created_at desc limit 1;
  end if;
  _lead.source := _source;
  _lead.name := private.one_line(_name, 100);
  _lead.email := trim(_email);
  _lead.phone := coalesce(trim(_phone), '');
  _lead.call_time := private.one_line(_call_time, 100);
  _lead.message := coalesce(nullif(trim(_message), ''), _said, '');
  _lead.page := private.one_line(_page, 500);
  _lead.service := private.one_line(_service, 200);
  return _lead;
end
$$;

create or replace function private.notify_about_lead() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _to constant text := trim((select setting_value from public.site_settings where setting_key = 'contact_email'));
begin
  -- No mail for leads that an admin created from a transcript. At most 60 mails an hour.
  if new.source not in ('transcript', 'booking') and private.is_email(_to)
    and private.count_for_subject('lead mail', '', 60, interval '1 hour') then
    insert into private.mail_queue (recipient, template, variables) values (_to, 'new_lead', jsonb_build_object(
      'Email', new.email, 'ReplyTo', new.email, 'Name', coalesce(nullif(new.name, ''), nullif(new.email, ''), new.phone),
      'Phone', new.phone, 'CallTime', new.call_time,
      'Message', new.message, 'LeadId', new.id
    ));
  end if;
  if private.lead_webhook_url() is not null then
    insert into public.lead_webhook_deliveries (lead_id) values (new.id);
  end if;
  return null;
end
$$;

create or replace function private.parse_search(_typed text, out query tsquery, out words text[]) returns record
language plpgsql stable security definer set search_path = '' as $$
declare
  _word text;
  _similar_words text[];
  _alternatives tsquery;
begin
  words := '{}';
  for _word in
    select lexeme from unnest(to_tsvector('pg_catalog.simple'::regconfig, left(_typed, 200))) order by positions[1] limit 8
  loop
    _similar_words := private.matching_words(_word);
    _alternatives := to_tsquery('pg_catalog.simple'::regconfig,
      '''' || replace(replace(_word, '\', '\\'), '''', '''''') || ''':*');
    select coalesce(_alternatives || to_tsquery('pg_catalog.simple'::regconfig, string_agg(
      '''' || replace(replace(alternative, '\', '\\'), '''', '''''') || '''', ' | '
    )), _alternatives) into _alternatives from unnest(_similar_words) as alternative;
    query := coalesce(query && _alternatives, _alternatives);
    words := words || _word || _similar_words;
  end loop;
end
$$;

create or replace function private.preview_details(_token text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  _link public.preview_links;
begin
  select * into _link from private.preview_link_of(_token);
  if _link.id is null then
    return jsonb_build_object('state', 'unknown');
  end if;
  if not private.is_preview_live(_link) then
    return jsonb_build_object('state', 'ended');
  end if;
  return jsonb_build_object(
    'state', 'open', 'id', _link.id, 'expires_at', _link.expires_at, 'shows_drafts', _link.shows_drafts,
    'as_of', _link.as_of, 'kind', _link.kind, 'item', private.previewed_item(_link.kind, _link.item_id),
    'release', (select name from public.releases where id = _link.release_id),
    -- The tables that public.preview_<table>() is read for.
    'tables', (
      select jsonb_agg(kind order by is_item desc, number) from private.documents
      where is_item or private.is_site_preview(_link)
    )
  );
end
$$;

create or replace function private.preview_patches(_table text, _link public.preview_links) returns table (
  item_id text, patch jsonb, is_new boolean, is_deleted boolean
) language plpgsql stable security definer set search_path = '' as $$
declare
  _change public.release_changes;
  _items jsonb := '{}';
  _item jsonb;
begin
  if not private.is_site_preview(_link) then
    return;
  end if;
  for _change in
    select change.* from public.release_changes as change join public.releases as release on release.id = release_id
    where change.kind = _table and release.published_at is null
      and (release.id = _link.release_id or release.publish_at <= _link.as_of)
    order by release.publish_at nulls last, release.created_at, change.changed_at
  loop
    _item := coalesce(_items -> _change.item_id, '{"patch": {}, "is_new": false, "is_deleted": false}');
    _item := case
      when _change.action = 'delete' then _item || '{"is_deleted": true}'
      else _item || jsonb_build_object(
        'is_deleted', false, 'is_new', (_item ->> 'is_new')::boolean or _change.action = 'create',
        'patch', (_item -> 'patch') || case
          when _change.action = 'create' then _change.data
          else coalesce((
            select jsonb_object_agg(field, _change.data -> field)
            from unnest(private.differing_fields(_table, _change.data, coalesce(_change.base, '{}'))) as field
          ), '{}')
        end
      )
    end;
    _items := jsonb_set(_items, array[_change.item_id], _item);
  end loop;
  return query
    select key, value -> 'patch', (value ->> 'is_new')::boolean, (value ->> 'is_deleted')::boolean
    from jsonb_each(_items);
end
$$;

create or replace function private.previewed_item(_kind text, _item_id text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  _content_kind private.content_kinds;
  _item jsonb;
begin
  select * into _content_kind from private.content_kinds where table_name = _kind;
  if _content_kind.table_name is null then
    return null;
  end if;
  execute format('select to_jsonb(item) from public.%I as item where item.id::text = $1', _content_kind.table_name)
    into _item using _item_id;
  return case when _item is not null then jsonb_build_object(
    'title', _item ->> _content_kind.title_column, 'slug', _item ->> 'slug', 'path', coalesce(_content_kind.public_path, '/')
  ) end;
end
$$;

create or replace function private.problem_sentence(
  _change public.release_changes, _problem text, _fields text[], _error text
) returns text language sql stable set search_path = '' as $$
  select format('“%s” ', private.change_title(_change)) || case
    when _problem = 'conflict' and _change.action = 'delete' then
      'cannot be deleted: it was changed on the site since then (' || named.fields || ').'
    when _problem = 'conflict' and _change.action = 'create' then
      'already exists on the site with different content (' || named.fields || ').'
    when _problem = 'conflict' then 'was changed on the site in the same fields (' || named.fields || ').'
    when _problem = 'edited' then
      'cannot be published: it was changed on the site since then (' || named.fields || ').'
    when _problem = 'gone' then 'was deleted on the site.'
    when _problem = 'schema' then 'has fields that no longer exist (' || named.fields || ').'
    when _problem = 'taken' and _error like '%slug%' then
      format('needs the slug “%s”, which another item already uses.', _change.data ->> 'slug')
    when _problem = 'taken' then 'has the same value as another item in a field that must be unique.'
    else 'was rejected by the database: ' || _error
  end
  from (select replace(array_to_string(_fields, ', '), '_', ' ')) as named (fields)
$$;

create or replace function private.publish_next_due_release() returns boolean language plpgsql security definer set search_path = '' as $$
declare
  _release public.releases;
  _problems jsonb;
  _to text;
begin
  select * into _release from public.releases where published_at is null and publish_at <= now()
  order by publish_at, id limit 1 for update skip locked;
  if not found then
    return false;
  end if;
  begin
    _problems := private.publish_claimed_release(_release.id, _release.scheduled_by);
    if jsonb_array_length(_problems) = 0 then
      return true;
    end if;
    raise exception 'undo' using errcode = 'RB001';
  exception when sqlstate 'RB001' then
    null;
  end;
  update public.releases set publish_at = null, failed_at = clock_timestamp(), failure = private.problem_sentences(_problems)
  where id = _release.id;
  _to := coalesce(
    (select email from auth.users where id = _release.scheduled_by and email <> ''),
    (select email from auth.users where id = _release.created_by and email <> ''),
    (select trim(setting_value) from public.site_settings where setting_key = 'contact_email')
  );
  if private.is_email(_to) then
    insert into private.mail_queue (recipient, template, variables) values (_to, 'release_failed', jsonb_build_object(
      'Email', _to, 'Name', _release.name, 'Message', private.problem_sentences(_problems), 'ReleaseId', _release.id,
      'PlannedTime', to_char(_release.publish_at at time zone 'utc', 'FMDD FMMonth YYYY, HH24:MI "UTC"')
    ));
  end if;
  return true;
end
$$;

create function private.require_bookable_time(_starts_at timestamptz, _except uuid default null) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  _rules public.booking_rules := (select rules from public.booking_rules as rules);
  _slot tstzrange;
begin
  if not private.is_setting_on('booking') then
    raise exception 'Calls cannot be booked here at the moment.' using errcode = '22023';
  end if;
  if _starts_at is null or not isfinite(_starts_at) then
    raise exception 'Please choose a time.' using errcode = '22023';
  end if;
  if _starts_at <= now() then
    raise exception 'This time has passed. Please choose another.' using errcode = '22023';
  end if;
  if _starts_at < now() + make_interval(mins => _rules.notice_minutes) then
    raise exception 'This time is too soon. Please choose a later one.' using errcode = '22023';
  end if;
  if _starts_at >= now() + make_interval(days => _rules.days_ahead) then
    raise exception 'This time is too far ahead. Calls can be booked at most % days ahead.', _rules.days_ahead
      using errcode = '22023';
  end if;
  _slot := (
    select tstzrange(starts_at, ends_at)
    from private.offered_times(_starts_at, _starts_at + interval '1 microsecond')
  );
  if _slot is null then
    raise exception 'No call can start at this time. Please choose one of the available times.' using errcode = '22023';
  end if;
  if not private.is_slot_free(_slot, _except) then
    raise sqlstate 'PT409' using message = 'This time was just taken. Please choose another.';
  end if;
end
$$;
revoke all on function private.require_bookable_time(_starts_at timestamp with time zone, _except uuid) from public, anon, authenticated, service_role;

create or replace function private.require_live_preview() returns public.preview_links
language plpgsql stable security definer set search_path = '' as $$
declare
  _link public.preview_links;
begin
  select * into _link from private.preview_link_of(private.request_preview_token());
  if _link.id is null then
    raise sqlstate 'PT404' using message = 'Preview not found.';
  end if;
  if not private.is_preview_live(_link) then
    raise sqlstate 'PT410' using message = 'This preview has expired.';
  end if;
  return _link;
end
$$;

create or replace function private.require_no_client_name(_client_id uuid, _title text, _subject text, _body text, _note text) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  _name constant text := (select name from public.clients where id = _client_id);
  _words constant text := private.normalised_words(_name);
  _short constant text := regexp_replace(
    _words, '( (as|asa|ab|aps|a s|gmbh|mbh|ag|kg|co|se|ug|ltd|limited|llp|inc|llc|plc|corp|bv|b v|nv|oy|oyj|sa|sas|sarl|srl|spa|group))+$', ''
  );
  _fields constant text := (
    select string_agg(field, ' and the ' order by place)
    from (values (1, 'title', _title), (2, 'subject', _subject), (3, 'text', _body), (4, 'note', _note)) as part (place, field, content)
    where position(
      ' ' || _short || case when length(_short) < 4 then ' ' else '' end in ' ' || private.normalised_words(content) || ' '
    ) > 0
  );
begin
  if _short <> '' and _fields is not null then
    raise exception 'Remove the client’s name (%) from the %. Texts in the library do not name clients.', _name, _fields
      using errcode = 'P0001';
  end if;
end
$$;

create function private.require_one_line(_label text, _text text, _max_length integer) returns text
language plpgsql immutable set search_path = '' as $$
begin
  if length(trim(_text)) > _max_length then
    raise exception '% must be less than % characters', _label, _max_length using errcode = '22023';
  end if;
  if _text ~ '[[:cntrl:]]' then
    raise exception '% must be one line of text', _label using errcode = '22023';
  end if;
  return coalesce(trim(_text), '');
end
$$;
revoke all on function private.require_one_line(_label text, _text text, _max_length integer) from public, anon, authenticated, service_role;

create function private.results_of_meeting(_client_id uuid, _meeting_id uuid, _is_team boolean) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'is_awaited', exists (
      select from private.awaited_results as awaited where awaited.client_id = _client_id and awaited.meeting_id = _meeting_id
    ),
    'reports', coalesce((
      select jsonb_agg(jsonb_build_object(
        'number', number, 'status', status, 'amount', case when private.can_see_amounts(_client_id) then amount end,
        'reason', result.reason, 'at', created_at, 'by', coalesce(private.display_name(reported_by, _is_team), '')
      ) order by number desc)
      from public.client_meeting_results as result where client_id = _client_id and meeting_id = _meeting_id
    ), '[]')
  )
$$;
revoke all on function private.results_of_meeting(_client_id uuid, _meeting_id uuid, _is_team boolean) from public, anon, authenticated, service_role;

create or replace function private.send_monday_list(_now timestamptz default now()) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  _local_time constant timestamp := _now at time zone coalesce(
    (select time_zone from public.booking_rules limit 1), 'Europe/Oslo'
  );
  _monday constant date := date_trunc('week', _local_time)::date;
begin
  if _local_time < _monday + interval '9 hours' or _local_time >= _monday + interval '2 days' then
    return false;
  end if;
  insert into private.monday_lists (monday) values (_monday) on conflict do nothing;
  if not found then
    return false;
  end if;
  insert into private.mail_queue (recipient, template, variables)
  select users.email, 'monday_list', jsonb_build_object(
    'Email', users.email,
    'Count', case count(*) when 1 then '1 task' else count(*) || ' tasks' end,
    'Path', case roles.role when 'admin' then '/admin/dashboard' else '/team-dashboard' end,
    'Items', jsonb_agg(jsonb_build_object(
      'group', task.client, 'text', task.words, 'detail', task.detail, 'client_id', task.client_id, 'path', case task.kind
        when 'report' then '/reports/' || task.item_id
        when 'alarm' then private.team_path(users.id, task.client_id, 'alarms')
        else private.team_path(users.id, task.client_id, task.kind || '-' || task.item_id)
      end
    ) order by task.client, task.client_id, task.kind <> 'report', task.words, task.detail)
  )
  from private.team_tasks() as task
    join public.user_roles as roles on roles.approved and (
      roles.role = 'admin'
      or roles.role = 'team' and exists (
        select from public.client_assignments as assignment
        where assignment.client_id = task.client_id and assignment.user_id = roles.user_id
      )
    )
    join auth.users on users.id = roles.user_id
  where users.email <> ''
  group by users.id, users.email, roles.role;
  return true;
end
$$;

drop function private.team_tasks();
create function private.team_tasks() returns table (
  client_id uuid, client text, kind text, item_id uuid, words text, detail text
)
language sql stable security definer set search_path = '' as $$
  with tasks (client_id, kind, item_id, words, detail) as (
    select report.client_id, 'report', report.id, 'Draft report', case report.span
      when 'month' then to_char(report.first_day, 'FMMonth YYYY')
      else to_char(report.first_day, 'FMDD FMMonth') || ' to ' || to_char(report.last_day, 'FMDD FMMonth YYYY') end
    from public.client_reports as report where report.sent_at is null and report.discarded_at is null
    union all
    select approval.client_id, 'approval', approval.id,
      approval.title, case decision.verdict when 'no' then 'Approval declined' else 'Changes requested' end
    from public.approvals as approval
      join lateral (
        select any_version.number from public.approval_versions as any_version
        where any_version.client_id = approval.client_id and any_version.approval_id = approval.id
        order by any_version.number desc limit 1
      ) as version on true
      join public.approval_decisions as decision on decision.client_id = approval.client_id
        and decision.approval_id = approval.id and decision.number = version.number and decision.verdict in ('no', 'changes')
    union all
    select meeting.client_id, 'meeting', meeting.id, 'Meeting with ' || meeting.met_with, 'Disputed'
    from public.client_meetings as meeting where meeting.answer = 'disputed'
    union all
    select alarm.client_id, 'alarm', alarm.id, alarm.text, 'Open alarm' from public.client_alarms as alarm where alarm.settled_at is null
  )
  select tasks.client_id, clients.name, tasks.kind, tasks.item_id, tasks.words, tasks.detail
  from tasks join public.clients on clients.id = tasks.client_id where not clients.is_sample
$$;
revoke all on function private.team_tasks() from public, anon, authenticated, service_role;

create or replace function private.track_media_mentions() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if private.is_trial_publish() then
    return null;
  end if;
  if tg_op = 'DELETE' then
    delete from private.media_mentions where kind = tg_table_name::text and item_id = old.id::text;
  -- A row cast to text doubles quotes and backslashes. File names contain neither.
  elsif tg_op = 'INSERT' or new::text <> old::text then
    perform private.record_mentions(tg_table_name, new.id::text, new::text);
  end if;
  return null;
end
$$;

create or replace function private.track_references() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if private.is_trial_publish() then
    return null;
  end if;
  if tg_op = 'DELETE' then
    delete from private.media_mentions where kind = tg_table_name::text and item_id = old.id::text;
    delete from private.item_origins where kind = tg_table_name::text and item_id = old.id;
  elsif tg_op = 'INSERT' or new::text <> old::text then
    perform private.record_mentions(tg_table_name, new.id::text, new::text);
    perform private.record_origins(tg_table_name, new.id, to_jsonb(new));
  end if;
  return null;
end
$$;

create or replace function private.track_references_of_kind(_table text) returns void language plpgsql set search_path = '' as $$
begin
  execute format(
    'create trigger track_references after insert or update or delete on public.%I
       for each row execute function private.track_references()', _table
  );
  perform private.record_table_mentions(_table);
  execute format('select private.record_origins(%1$L, id, to_jsonb(item)) from public.%1$I as item', _table);
end
$$;

create or replace function private.track_release_mentions() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'DELETE' then
    delete from private.media_mentions where kind = 'release_changes' and item_id = old.id::text;
  elsif exists (select from public.releases where id = new.release_id and published_at is null) then
    perform private.record_mentions('release_changes', new.id::text, coalesce(new.data::text, ''));
  end if;
  return null;
end
$$;

create function private.veto_rows(
  _client_id uuid, _approval_id uuid, _number integer, _lines integer[], _domain text, _restore boolean, _person uuid
) returns integer language plpgsql security definer set search_path = '' as $$
declare
  _newest integer;
  _is_decided boolean;
  _count integer;
begin
  if cardinality(_lines) > 5000 then
    raise exception 'A list can have at most 5,000 rows.' using errcode = '22023';
  end if;
  select number, is_decided into _newest, _is_decided from private.lock_approval(_client_id, _approval_id);
  if _number is distinct from _newest then
    raise exception 'There is a newer version. Please read it first.' using errcode = 'P0001';
  elsif _is_decided then
    raise exception 'A colleague has already decided on this version.' using errcode = 'P0001';
  end if;
  if _restore then
    delete from public.approval_vetoes as veto using public.approval_rows as item
    where veto.client_id = _client_id and veto.approval_id = _approval_id and veto.number = _number
      and item.client_id = _client_id and item.approval_id = _approval_id and item.number = _number
      and item.line = veto.line and (item.line = any (_lines) or item.domain = nullif(_domain, ''));
    get diagnostics _count = row_count;
    return _count;
  end if;
  insert into public.approval_vetoes (client_id, approval_id, number, line, vetoed_by)
  select _client_id, _approval_id, _number, line, _person from public.approval_rows
  where client_id = _client_id and approval_id = _approval_id and number = _number
    and (line = any (_lines) or domain = nullif(_domain, ''))
  on conflict do nothing;
  get diagnostics _count = row_count;
  return _count;
end
$$;
revoke all on function private.veto_rows(_client_id uuid, _approval_id uuid, _number integer, _lines integer[], _domain text, _restore boolean, _person uuid) from public, anon, authenticated, service_role;

create or replace function public.add_client_member(_client_id uuid, _email text, _kind text default 'approver') returns text
language plpgsql security definer set search_path = '' as $$
declare
  _address constant text := lower(trim(_email));
  _person uuid;
begin
  perform private.require_admin();
  select id into _person from auth.users where lower(email) = _address and not is_sso_user;
  if not found then
    _person := private.create_invited_account(_address, 'client');
  end if;
  if not exists (select from public.user_roles where user_id = _person and role = 'client' and approved) then
    raise exception 'Only people with the client role can be members of a client.' using errcode = '23514';
  elsif exists (select from public.client_members where client_id = _client_id and user_id = _person) then
    return 'added';
  end if;
  if private.has_verified_address(_person) then
    insert into public.client_members (client_id, user_id, kind) values (_client_id, _person, _kind) on conflict do nothing;
    if found then
      perform private.mail_invitation(_person, 'client', _client_id, _kind);
    end if;
    return 'added';
  end if;
  insert into public.client_invitations (client_id, user_id, address, kind)
  values (_client_id, _person, _address, _kind) on conflict do nothing;
  return case when private.mail_invitation(_person, 'client', _client_id, _kind) then 'invited' else 'unlinked' end;
end
$$;

create or replace function public.add_do_not_contact(_client_id uuid, _lines jsonb, _is_trial boolean) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  _max_entries constant integer := 20000;
  _person constant uuid := private.user_id();
  _before integer;
  _answer jsonb;
begin
  perform private.works_for_client(_client_id);
  if jsonb_typeof(_lines) is distinct from 'array' or jsonb_array_length(_lines) > 5000 then
    raise exception 'You can add at most 5,000 lines at a time.' using errcode = '22023';
  end if;
  -- Locks the client, so that concurrent calls cannot exceed the limit.
  perform from public.clients where id = _client_id for no key update;
  select count(*) into _before from public.do_not_contact where client_id = _client_id;
  with judged as materialized (
    select *, row_number() over (partition by state order by line) as number
    from private.read_do_not_contact(_client_id, _lines)
  ), added as (
    insert into public.do_not_contact (client_id, kind, value, hint, added_by)
    select _client_id, kind, value, hint, _person from judged where state = 'new' and not _is_trial order by line
  )
  select jsonb_build_object(
    'new', count(*) filter (where state = 'new'), 'known', count(*) filter (where state = 'known'),
    'refused', count(*) filter (where state = 'refused'),
    'examples', coalesce(jsonb_agg(jsonb_build_object(
      'line', line, 'state', state, 'text', left(hint, 100), 'reason', reason
    ) order by line) filter (where number <= 100), '[]')
  ) into _answer from judged;
  if (_answer ->> 'new')::integer > 0 and _before + (_answer ->> 'new')::integer > _max_entries then
    raise exception 'A blocklist can have at most 20,000 entries. Add domains instead of single addresses.' using errcode = 'P0001';
  end if;
  return _answer;
end
$$;

create or replace function public.announce_editing(_kind text, _item_id text) returns table (name text)
language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_admin() then
    return;
  end if;
  if not private.is_editable_kind(_kind) or coalesce(length(_item_id), 0) not between 1 and 200 then
    raise exception 'Unknown form' using errcode = '22023';
  end if;
  insert into public.editing (kind, item_id, user_id) values (_kind, _item_id, auth.uid())
    on conflict (user_id, kind, item_id) do update set seen_at = excluded.seen_at;
  delete from public.editing where ctid in (
    select kept.ctid from public.editing as kept
    where kept.seen_at < now() - interval '2 minutes' or (kept.user_id = auth.uid() and (kept.kind, kept.item_id) in (
      select mine.kind, mine.item_id from public.editing as mine
      where mine.user_id = auth.uid() order by mine.seen_at desc, mine.kind, mine.item_id offset 20
    ))
    -- skip locked, so that concurrent cleanups do not wait for each other.
    for update skip locked
  );
  return query
    select others.name from private.other_editors(_kind) as others where others.item_id = _item_id;
end
$$;

create or replace function public.cancel_booking(_token text) returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  _booking public.bookings := private.lock_active_booking(_token);
begin
  return private.booking_details(private.cancel(_booking.id, 'visitor'));
end
$$;

create or replace function public.client_archive(_client_id uuid, _part text, _offset integer default 0) returns setof jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  _is_team constant boolean := private.works_for_client(_client_id);
  _from constant integer := greatest(_offset, 0);
begin
  case _part
    when 'campaigns' then return query
      select jsonb_build_object('name', name, 'channel', channel, 'phase', phase, 'next_step', next_step, 'due_on', due_on,
        'added_at', created_at, 'changed_at', updated_at, 'id', id)
      from public.campaigns where client_id = _client_id and deleted_at is null order by name, id limit 1000 offset _from;
    when 'figures' then return query
      select jsonb_build_object('campaign', campaigns.name, 'metric', metric, 'first_day', first_day, 'last_day', last_day,
        'value', value, 'import', batch_id)
      from private.counted_figures as figures
        left join public.campaigns on campaigns.client_id = figures.client_id and campaigns.id = figures.campaign_id
      where figures.client_id = _client_id
      order by campaign_id, metric, first_day, batch_id limit 5000 offset _from;
    when 'imports' then return query
      select jsonb_build_object('id', batch.id, 'file', file_name, 'sha256', file_hash, 'new', new_count, 'changed', changed_count,
        'same', same_count, 'refused', refused_count, 'by', private.display_name(imported_by, _is_team), 'at', batch.created_at,
        'undone_at', undone_at)
      from public.import_batches as batch where client_id = _client_id
      order by batch.created_at, batch.id limit 1000 offset _from;
    when 'approvals' then return query
      select jsonb_build_object('title', version.title, 'version', version.number, 'text', text, 'due_on', due_on,
        'asked_by', private.display_name(asked_by, _is_team), 'asked_at', version.created_at, 'decision', verdict,
        'comment', comment, 'decided_by', coalesce(
          nullif(decision.decided_by_name, ''), case when _is_team then nullif(decision.decided_by_address, '') end,
          private.display_name(decided_by, _is_team)
        ), 'decided_at', decision.created_at,
        'approval', version.approval_id, 'sha256', private.approval_version_hash(version, decision.file_sha256))
      from public.approval_versions as version
        join public.approvals on approvals.client_id = version.client_id and approvals.id = version.approval_id
        left join public.approval_decisions as decision on decision.client_id = version.client_id
          and decision.approval_id = version.approval_id and decision.number = version.number
      where version.client_id = _client_id
      order by approvals.created_at, version.approval_id, version.number limit 200 offset _from;
    when 'meetings' then return query
      select jsonb_build_object('booked_on', booked_on, 'starts_at', starts_at, 'with', met_with, 'campaign', campaigns.name, 'outcome', outcome, 'evidence', evidence,
        'answer', answer, 'reason', reason, 'answered_by', private.display_name(answered_by, _is_team),
        'answered_at', answered_at, 'answer_until', answer_until, 'role', role, 'company_size', company_size, 'country', country,
        'is_customer', case is_customer when true then 'yes' when false then 'no' end, 'minutes', minutes,
        'criterion', criterion, 'lead', lead_id, 'meeting', meeting.id)
      from public.client_meetings as meeting
        left join public.campaigns on campaigns.client_id = meeting.client_id and campaigns.id = meeting.campaign_id
      where meeting.client_id = _client_id order by booked_on, meeting.id limit 1000 offset _from;
    when 'meeting_changes' then return query
      select jsonb_build_object('meeting', meeting_id, 'at', created_at, 'status', status, 'reason', reason, 'criterion', criterion,
        'by', private.display_name(changed_by, _is_team))
      from public.client_meeting_changes where client_id = _client_id order by meeting_id, number limit 1000 offset _from;
    when 'meeting_results' then return query
      select jsonb_build_object('meeting', meeting_id, 'at', created_at, 'status', status,
        'amount', case when private.can_see_amounts(_client_id) then amount end, 'reason', reason,
        'by', private.display_name(reported_by, _is_team))
      from public.client_meeting_results where client_id = _client_id order by meeting_id, number limit 1000 offset _from;
    when 'fees' then
      if private.can_see_amounts(_client_id) then
        return query
          select jsonb_build_object('number', number, 'from', first_month, 'amount', amount,
            'by', private.display_name(set_by, _is_team), 'at', created_at)
          from public.client_fees where client_id = _client_id order by number limit 1000 offset _from;
      end if;
    when 'meeting_months' then return query
      select jsonb_build_object('name', to_char(first_day, 'YYYY-MM'), 'hash', hash, 'closed_at', closed_at,
        'closed_by', private.display_name(closed_by, _is_team), 'document', sheet)
      from public.client_meeting_months where client_id = _client_id order by first_day limit 100 offset _from;
    when 'leads' then return query
      select jsonb_build_object('received_at', received_at, 'name', lead.name, 'email', email, 'company', company, 'title', lead.title,
        'campaign', campaigns.name, 'step', step, 'text', approvals.title, 'words', words, 'status', status, 'reason', reason,
        'taken_by', private.display_name(taken_by, _is_team), 'taken_at', taken_at, 'lead', lead.id)
      from public.client_leads as lead
        left join public.campaigns on campaigns.client_id = lead.client_id and campaigns.id = lead.campaign_id
        left join public.approvals on approvals.client_id = lead.client_id and approvals.id = lead.approval_id
      where lead.client_id = _client_id order by received_at, lead.id limit 200 offset _from;
    when 'lead_changes' then return query
      select jsonb_build_object('lead', lead_id, 'at', created_at, 'status', status, 'reason', reason,
        'by', private.display_name(changed_by, _is_team))
      from public.client_lead_changes where client_id = _client_id order by lead_id, number limit 1000 offset _from;
    when 'leave_alone' then return query
      select jsonb_build_object('kind', kind, 'entry', hint, 'added_at', created_at)
      from public.do_not_contact where client_id = _client_id order by created_at, id limit 1000 offset _from;
    when 'figures_on_the_site' then return query
      select jsonb_build_object('figure', private.format_figure_quote(quote), 'page', coalesce(projects.title, 'a page that was deleted'),
        'asked_by', private.display_name(asked_by, _is_team), 'asked_at', asked_at, 'answer', answer,
        'answered_by', private.display_name(answered_by, _is_team), 'answered_at', answered_at,
        'withdrawn_by', private.display_name(withdrawn_by, _is_team), 'withdrawn_at', withdrawn_at, 'ended_at', ended_at,
        'quote', quote.id)
      from public.figure_quotes as quote left join public.projects on projects.id = quote.project_id
      where quote.client_id = _client_id order by quote.asked_at, quote.id limit 200 offset _from;
    when 'reports' then return query
      select jsonb_build_object('name', first_day || '-' || span || case when corrects is null then '' else '-correction' end,
        'hash', hash, 'sent_at', sent_at, 'document', private.report_document(client_reports), 'id', id)
      from public.client_reports where client_id = _client_id and sent_at is not null order by sent_at, id
      limit 100 offset _from;
    else raise exception 'This part of the archive does not exist.' using errcode = '22023';
  end case;
end
$$;

create or replace function public.client_funnel(_client_id uuid, _from date, _until date) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  _client public.clients;
  _funnel jsonb;
  _fee numeric;
  _since date;
begin
  perform private.works_for_client(_client_id);
  if not coalesce(_until - _from between 0 and 3660, false) then
    raise exception 'A period can have at most ten years.' using errcode = '22023';
  end if;
  select * into _client from public.clients where id = _client_id;
  _funnel := private.funnel_of_period(_client, _from, _until);
  if private.can_see_amounts(_client_id) then
    select fee, since into _fee, _since from private.fee_of_period(_client_id, _from, _until);
  end if;
  return _funnel || jsonb_build_object('cost', case when _fee is not null then jsonb_build_object(
    'fee', _fee, 'since', nullif(_since, _from),
    'per_held', round(_fee / nullif((_funnel ->> 'held')::numeric, 0), 2),
    'per_won', round(_fee / nullif((_funnel ->> 'won')::numeric, 0), 2)
  ) end);
end
$$;

create or replace function public.client_home(_client_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.works_for_client(_client_id);
  return (
    with texts as (
      select approval.id, approval.title, version.number, version.due_on, version.created_at
      from public.approvals as approval
        join lateral (
          select * from public.approval_versions as any_version
          where any_version.client_id = _client_id and any_version.approval_id = approval.id
          order by any_version.number desc limit 1
        ) as version on true
      where approval.client_id = _client_id and not exists (
        select from public.approval_decisions as decision
        where decision.client_id = _client_id and decision.approval_id = approval.id and decision.number = version.number
      )
    ), meetings as (
      select meeting.id, meeting.met_with, (meeting.answer_until at time zone clients.time_zone)::date as due_on, meeting.starts_at
      from public.client_meetings as meeting join public.clients on clients.id = meeting.client_id
      where meeting.client_id = _client_id and meeting.answer is null and meeting.answer_until > now()
    ), quotes as (
      select quote.id, private.format_figure_quote(quote) as words, quote.asked_at
      from public.figure_quotes as quote join public.projects on projects.id = quote.project_id
      where quote.client_id = _client_id and quote.answer is null and quote.ended_at is null
    ), fresh as (
      select lead.id, private.name_of_lead(lead) as words, lead.received_at
      from public.client_leads as lead where lead.client_id = _client_id and lead.status = 'new'
    ), results as (
      select meeting_id, met_with, due_at from private.awaited_results where client_id = _client_id
    ), waiting (place, due_on, since, line) as (
      (select 1, due_on, created_at, jsonb_build_object(
        'kind', 'approval', 'id', id, 'title', title, 'number', number, 'due_on', due_on
      ) from texts order by due_on nulls last, created_at, id limit 24)
      union all
      (select 2, due_on, starts_at, jsonb_build_object('kind', 'meeting', 'id', id, 'title', met_with, 'due_on', due_on)
      from meetings order by starts_at desc, id limit 24)
      union all
      (select 3, null, asked_at, jsonb_build_object('kind', 'quote', 'id', id, 'title', coalesce(words, 'A figure'), 'due_on', null)
      from quotes order by asked_at, id limit 24)
      union all
      (select 4, null, received_at, jsonb_build_object('kind', 'lead', 'id', id, 'title', words, 'due_on', null)
      from fresh order by received_at, id limit 24)
      union all
      (select 5, null, due_at, jsonb_build_object('kind', 'result', 'id', meeting_id, 'title', met_with, 'due_on', null)
      from results order by due_at, meeting_id limit 24)
    )
    select jsonb_build_object(
      'waiting', coalesce((select jsonb_agg(line order by due_on nulls last, place, since) from waiting), '[]'),
      'waiting_count', (select count(*) from texts) + (select count(*) from meetings) + (select count(*) from quotes)
        + (select count(*) from fresh) + (select count(*) from results),
      'next_call', (
        select min(booking.starts_at) from public.bookings as booking
        where booking.state = 'booked' and booking.ends_at > now() and lower(booking.email) in (
          select proven.address from private.proven_addresses as proven join auth.users on users.id = proven.user_id
          where proven.user_id = private.effective_user_id() and proven.address = users.email
        )
      )
    )
  );
end
$$;

create or replace function public.client_imports(_client_id uuid) returns table (
  id uuid, file_name text, file_hash text, column_map jsonb, new_count integer, changed_count integer, same_count integer,
  refused_count integer, imported_by text, created_at timestamptz, undone_at timestamptz
) language plpgsql stable security definer set search_path = '' as $$
declare
  _is_team constant boolean := private.is_admin() or _client_id in (select private.clients_of_team_member());
begin
  if not (_is_team or _client_id in (select private.clients_of_member())) then
    raise exception 'Only this client''s own people can do this' using errcode = '42501';
  end if;
  return query
    select batches.id, batches.file_name, batches.file_hash, batches.column_map, batches.new_count, batches.changed_count,
      batches.same_count, batches.refused_count,
      coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), case when _is_team then users.email end, '')::text,
      batches.created_at, batches.undone_at
    from public.import_batches as batches left join auth.users on users.id = batches.imported_by
    where batches.client_id = _client_id and source_id is null order by batches.created_at desc, batches.id limit 50;
end
$$;

create or replace function public.client_report(_id uuid) returns jsonb language plpgsql stable security definer set search_path = '' as $$
declare
  _report public.client_reports;
  _stored jsonb;
  _client public.clients;
  _is_team boolean;
begin
  select * into _report from public.client_reports
  where id = _id and (
    private.is_admin() or client_id in (select private.clients_of_team_member())
    or sent_at is not null and client_id in (select private.clients_of_member())
  );
  if not found then
    return null;
  end if;
  _is_team := private.is_admin() or _report.client_id in (select private.clients_of_team_member());
  _stored := _report.figures;
  _report := private.with_current_figures(_report);
  select * into _client from public.clients where id = _report.client_id;
  return jsonb_build_object(
    'client_id', _client.id, 'time_zone', _client.time_zone, 'logo', _client.logo, 'client', _report.figures -> 'client' ->> 'name', 'span', _report.span,
    'first_day', _report.first_day, 'last_day', _report.last_day, 'figures', _report.figures, 'summary', _report.summary,
    'corrects', _report.corrects, 'hash', _report.hash, 'sent_at', _report.sent_at,
    'is_genuine', _report.hash = private.report_hash(_report),
    'corrected_by', (
      select id from public.client_reports
      where client_id = _client.id and corrects = _report.id and (_is_team or sent_at is not null)
    ),
    'approved_by', (
      select coalesce(nullif(private.name_of(raw_user_meta_data), ''), case when _is_team then email end, '')
      from auth.users where id = _report.approved_by
    ),
    'may_change', _is_team and _report.sent_at is null,
    'by_model', case when _is_team and _report.sent_at is null then (
      select jsonb_build_object('state', asked.state, 'left_out', asked.left_out) from private.asked_summaries as asked
      where asked.client_id = _client.id and asked.report_id = _report.id
    ) end,
    'seal', case when _is_team then private.report_hash(_report) end,
    'is_summary_current', _report.summary = '' or _report.figures = _stored
  );
end
$$;

create or replace function public.confirm_my_address() returns boolean language plpgsql security definer set search_path = '' as $$
declare
  _id constant uuid := private.user_id();
  _email constant text := (select email from auth.users where id = _id);
begin
  if _id is null then
    raise exception 'Please sign in first.' using errcode = '42501';
  end if;
  perform private.reject_oauth_applications();
  if not private.has_verified_address(_id) and private.is_signed_in_by_mail() then
    perform private.delete_credentials(_id, _email, ((select auth.jwt()) ->> 'session_id')::uuid);
    insert into private.proven_addresses (user_id, address) values (_id, _email) on conflict do nothing;
  elsif private.has_verified_address(_id) and exists (select from public.client_invitations where user_id = _id) then
    -- The insert fires the trigger that turns invitations into memberships.
    insert into private.proven_addresses (user_id, address)
    select _id, _email where _email <> '' on conflict do nothing;
  end if;
  return private.has_verified_address(_id);
end
$$;

create or replace function public.count_chats_mentioning(_user_id uuid) returns integer
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (select count(*) from auth.users, private.chats_mentioning(users.email) where users.id = _user_id);
end
$$;

create or replace function public.dead_links(_origins text[], _pages text[]) returns table (
  kind text, item_id text, title text, status text, address text, fault text, target_kind text, target_id uuid, total bigint
) language plpgsql stable set search_path = '' as $$
declare
  _text text := 'text';
  _origin text;
begin
  perform private.require_admin();
  if cardinality(_origins) > 5 or cardinality(_pages) > 500 then
    raise exception 'Too many origins or pages' using errcode = '22023';
  end if;
  foreach _origin in array _origins loop
    _text := format('replace(%s, %L, ''/'')', _text, _origin || '/');
  end loop;
  return query execute format(
    'with link as materialized (
       select distinct place.kind, place.item_id, place.title, place.status, found.address,
         rtrim(split_part(split_part(found.address, ''#'', 1), ''?'', 1), ''/'') as path
       from (select kind, item_id, title, status, %2$s as text from (%1$s) as written offset 0) as place,
         lateral (%4$s) as found
       where found.address not like ''//%%''
     ),
     item as materialized (%3$s),
     prefix as (
       select table_name::text as kind, split_part(public_path, ''{slug}'', 1) as start
       from private.list_content_kinds() where public_path like ''%%{slug}%%''
     ),
     checked as (
       select link.*, prefix.kind as target_kind, coalesce(item.id, alias.item_id) as target_id,
         case
           when link.path like ''/storage/%%'' then
             case when link.path ~ ''/public/content-media/.'' and not exists (
               select from storage.objects where bucket_id = ''content-media''
                 and name = replace(substring(link.path from ''/public/content-media/(.*)$''), ''%%20'', '' '')
             ) then ''file'' end
           when prefix.kind is null then
             case when not exists (select from unnest($1) as page where coalesce(nullif(link.path, ''''), ''/'') like page)
               then ''page'' end
           when item.id is null then
             case
               when alias.item_id is null then ''missing''
               when renamed.id is null then ''deleted''
               else ''moved''
             end
           when item.status <> ''published'' then ''draft''
           when not item.due then ''scheduled''
         end as fault
       from link
       left join prefix on link.address like prefix.start || ''_%%'' and link.path <> prefix.start
       left join item on item.kind = prefix.kind
         and item.address = prefix.start || split_part(split_part(split_part(split_part(
           substr(link.address, length(prefix.start) + 1), ''#'', 1), ''?'', 1), ''&'', 1), ''/'', 1)
       left join public.slug_aliases as alias on item.id is null and alias.kind = prefix.kind
         and alias.slug = split_part(split_part(split_part(split_part(
           substr(link.address, length(prefix.start) + 1), ''#'', 1), ''?'', 1), ''&'', 1), ''/'', 1)
       left join item as renamed on renamed.kind = alias.kind and renamed.id = alias.item_id
     )
     select checked.kind, checked.item_id, checked.title, checked.status, checked.address, checked.fault,
       checked.target_kind, checked.target_id, count(*) over ()
     from checked where checked.fault is not null
     order by checked.kind, checked.title, checked.item_id, checked.address
     limit 500',
    private.links_query(), _text, private.addresses_of_items(), private.addresses_in_text()
  ) using _pages;
end
$$;

create or replace function public.delete_media_permanently(_ids uuid[]) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  _deleted integer := 0;
begin
  if public.can_restore_media() then
    execute 'update backend.deleted_objects set purge_at = now() where id = any ($1) and purge_at > now()' using _ids;
    get diagnostics _deleted = row_count;
    perform pg_notify('media_deleted_for_ever', '');
  end if;
  return _deleted;
end
$$;

create or replace function public.delete_my_account() returns void language plpgsql security definer set search_path = '' as $$
declare
  _id constant uuid := private.user_id();
  _role text;
begin
  if _id is null then
    raise exception 'Please sign in first.' using errcode = '42501';
  end if;
  if not private.is_recently_authenticated() then
    raise exception 'Please confirm your identity: sign in again, then delete the account within five minutes.';
  end if;
  perform private.lock_admins();
  select role into _role from public.user_roles where user_id = _id and approved;
  if _role = 'admin'
    and not exists (select from public.user_roles where role = 'admin' and approved and user_id <> _id) then
    raise exception 'You are the only admin. Make someone else an admin first.';
  end if;
  perform private.log_account_action('deleted_own_account', _id, _role);
  perform private.delete_personal_data(_id, private.is_signed_in_by_mail());
end
$$;

create or replace function public.deleted_media(
  _search text default '', _limit integer default 24, _offset integer default 0
) returns table (
  id uuid, name text, original_name text, mimetype text, size bigint, deleted_by uuid, deleted_at timestamptz, total bigint
) language plpgsql stable security definer set search_path = '' as $$
begin
  if not public.can_restore_media() then
    return;
  end if;
  return query execute
    'select id, name, coalesce(user_metadata ->> ''original_name'', ''''), metadata ->> ''mimetype'',
       (metadata ->> ''size'')::bigint, deleted_by, deleted_at, count(*) over ()
     from backend.deleted_objects
     where purge_at > now()
       and position(lower($1) in lower(concat_ws('' '', name, user_metadata ->> ''original_name'', user_metadata ->> ''alt''))) > 0
     order by deleted_at desc, id limit $2 offset $3'
    using _search, least(greatest(_limit, 1), 200), greatest(_offset, 0);
end
$$;

create or replace function public.export_person(_user_id uuid) returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  _data jsonb;
begin
  perform private.require_admin();
  _data := private.personal_data_of(_user_id, true);
  if _data is null then
    raise exception 'This account no longer exists.';
  end if;
  perform private.log_account_action('downloaded_data', _user_id);
  return _data;
end
$$;

create or replace function public.figure_details(_client_id uuid, _metric text, _from date, _until date) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  _is_team constant boolean := private.is_admin() or _client_id in (select private.clients_of_team_member());
begin
  if not (_is_team or _client_id in (select private.clients_of_member())) then
    raise exception 'Only this client''s own people can do this' using errcode = '42501';
  end if;
  return (
    with figures as (
      select * from private.counted_figures
      where client_id = _client_id and metric = _metric and first_day between _from and _until
    )
    select jsonb_build_object('campaigns', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', coalesce(campaigns.id::text, ''), 'name', coalesce(campaigns.name, 'No campaign'), 'rows', rows
      ) order by campaigns.name)
      from (
        select campaign_id, jsonb_agg(jsonb_build_object(
          'first_day', first_day, 'last_day', last_day, 'value', value, 'batch', batch_id
        ) order by first_day, batch_id) from figures group by campaign_id
      ) as grouped (campaign_id, rows)
      left join public.campaigns on campaigns.client_id = _client_id and campaigns.id = grouped.campaign_id
    ), '[]'), 'imports', coalesce((
      select jsonb_agg(jsonb_build_object('id', batches.id, 'file_name', file_name, 'created_at', batches.created_at,
        'is_source', source_id is not null,
        'imported_by', coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), case when _is_team then users.email end, '')))
      from public.import_batches as batches left join auth.users on users.id = batches.imported_by
      where batches.client_id = _client_id and batches.id in (select batch_id from figures)
    ), '[]'))
  );
end
$$;

create or replace function public.has_chat_lead() returns boolean language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.leads where conversation_id = private.current_conversation_id() and source = 'assistant'
  )
$$;

create or replace function public.hold_booking(
  _starts_at timestamptz, _name text, _email text, _phone text default '', _message text default '', _service text default '',
  _time_zone text default ''
) returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  _token constant text := private.new_booking_token();
  _call constant public.bookings :=
    private.new_booking(_starts_at, _name, _email, _phone, _message, _service, _time_zone);
  _held private.held_bookings;
begin
  perform private.limit_confirmation_mails(_call.email);
  perform private.limit_bookings_of(_call.email);
  insert into private.held_bookings (token_hash, slot, call)
    values (private.booking_token_hash(_token), _call.slot, jsonb_strip_nulls(to_jsonb(_call)))
    returning * into _held;
  -- Keeps the newest 1,000. Expired rows stay for an hour, so that their link can say that it has expired.
  delete from private.held_bookings where expires_at < now() - interval '1 hour' or token_hash in (
    select token_hash from private.held_bookings order by expires_at desc, token_hash offset 1000
  );
  insert into private.mail_queue (recipient, template, variables) values (_call.email, 'booking_proof', jsonb_build_object(
    'Email', _call.email, 'Token', _token, 'When', private.format_slot(_call.slot, _call.time_zone)
  ));
  return jsonb_build_object(
    'starts_at', lower(_call.slot), 'ends_at', upper(_call.slot), 'expires_at', _held.expires_at
  );
end
$$;

create or replace function public.hold_lead(
  _source text, _email text, _name text default '', _phone text default '', _call_time text default '',
  _message text default '', _page text default '', _service text default '', _website text default ''
) returns void language plpgsql security definer set search_path = '' as $$
declare
  _token constant text := private.new_booking_token();
  _lead constant public.leads :=
    private.new_lead(_source, _email, _name, _phone, _call_time, _message, _page, _service, _website);
begin
  if _lead.source is null then
    return;
  end if;
  if not private.claim_request('hold_lead') then
    return;
  end if;
  perform private.limit_confirmation_mails(_lead.email);
  insert into private.held_leads (token_hash, lead)
    values (private.booking_token_hash(_token), jsonb_strip_nulls(to_jsonb(_lead)));
  -- Keeps the newest 1,000.
  delete from private.held_leads where expires_at <= now() or token_hash in (
    select token_hash from private.held_leads order by expires_at desc, token_hash offset 1000
  );
  insert into private.mail_queue (recipient, template, variables) values (
    _lead.email, 'lead_proof', jsonb_build_object('Email', _lead.email, 'Token', _token)
  );
end
$$;

drop function public.list_approval_rows(_client_id uuid, _approval_id uuid, _number integer, _search text, _only_vetoed boolean, _limit integer, _offset integer);
create function public.list_approval_rows(
  _client_id uuid, _approval_id uuid, _number integer, _search text default '', _only_vetoed boolean default false,
  _limit integer default 24, _offset integer default 0
) returns table (
  line integer, company text, domain text, person text, note text, hint text, is_vetoed boolean, company_rows integer,
  total integer
) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.works_for_client(_client_id);
  return query
    select * from private.list_approval_rows(_client_id, _approval_id, _number, _search, _only_vetoed, _limit, _offset);
end
$$;
revoke all on function public.list_approval_rows(_client_id uuid, _approval_id uuid, _number integer, _search text, _only_vetoed boolean, _limit integer, _offset integer) from public, anon, authenticated, service_role;

create or replace function public.list_approval_versions(_client_id uuid, _approval_id uuid) returns table (
  number integer, title text, text text, is_wording boolean, created_at timestamptz, file jsonb, verdict text, comment text,
  decided_by text, decided_at timestamptz, text_sha256 text, file_sha256 text
) language plpgsql stable security definer set search_path = '' as $$
declare
  _is_team constant boolean := private.works_for_client(_client_id);
begin
  return query
    select version.number, version.title, version.text, version.is_wording, version.created_at,
      case when file.id is not null then
        jsonb_build_object('object_name', file.object_name, 'name', file.name, 'mimetype', file.mimetype, 'size', file.size)
      end,
      decision.verdict, decision.comment,
      concat_ws(', ', nullif(decision.decided_by_name, ''), case when _is_team then nullif(decision.decided_by_address, '') end),
      decision.created_at, decision.text_sha256, decision.file_sha256
    from public.approval_versions as version
      left join public.client_files as file on file.client_id = _client_id and file.id = version.file_id
      left join public.approval_decisions as decision
        on decision.client_id = _client_id and decision.approval_id = _approval_id and decision.number = version.number
    where version.client_id = _client_id and version.approval_id = _approval_id
    order by version.number desc;
end
$$;

create or replace function public.list_approvals(_client_id uuid, _limit integer default 24, _offset integer default 0) returns table (
  id uuid, kind text, title text, number integer, text text, former_text text, is_wording boolean, row_count integer,
  veto_count integer, file jsonb, comment_count integer, due_on date, asked_by text, asked_at timestamptz, verdict text,
  comment text, decided_by text, decided_at timestamptz, may_withdraw boolean, waiting integer, total integer,
  list_sha256 text
) language plpgsql stable security definer set search_path = '' as $$
declare
  _is_team constant boolean := private.works_for_client(_client_id);
begin
  return query
    with newest as (
      select approval.id, approval.kind, approval.title, version.number, version.text, version.is_wording, version.file_id, version.due_on, version.asked_by,
        version.file_sha256,
        version.created_at as asked_at, decision.verdict, decision.comment, decision.decided_by_name, decision.decided_by_address,
        decision.created_at as decided_at
      from public.approvals as approval
        join lateral (
          select * from public.approval_versions as any_version
          where any_version.client_id = _client_id and any_version.approval_id = approval.id
          order by any_version.number desc limit 1
        ) as version on true
        left join public.approval_decisions as decision
          on decision.client_id = _client_id and decision.approval_id = approval.id and decision.number = version.number
      where approval.client_id = _client_id
    ), shown as (
      select *, count(*) over ()::integer as total, count(*) filter (where newest.verdict is null) over ()::integer as waiting
      from newest
      order by newest.verdict is not null, newest.decided_at desc, newest.due_on nulls last, newest.asked_at, newest.id
      limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0)
    )
    select shown.id, shown.kind, shown.title, shown.number, shown.text, former.text, shown.is_wording,
      (
        select count(*)::integer from public.approval_rows as item
        where item.client_id = _client_id and item.approval_id = shown.id and item.number = shown.number
      ),
      (
        select count(*)::integer from public.approval_vetoes as veto
        where veto.client_id = _client_id and veto.approval_id = shown.id and veto.number = shown.number
      ),
      (
        select jsonb_build_object('object_name', file.object_name, 'name', file.name, 'mimetype', file.mimetype, 'size', file.size)
        from public.client_files as file where file.client_id = _client_id and file.id = shown.file_id
      ),
      (
        select count(*)::integer from public.approval_comments as comment
        where comment.client_id = _client_id and comment.approval_id = shown.id
      ),
      shown.due_on,
      coalesce(nullif(private.name_of(asker.raw_user_meta_data), ''), case when _is_team then asker.email end, '')::text,
      shown.asked_at, shown.verdict, shown.comment,
      coalesce(nullif(shown.decided_by_name, ''), case when _is_team then shown.decided_by_address end, ''),
      shown.decided_at,
      _is_team and not exists (
        select from public.approval_decisions as any_decision
        where any_decision.client_id = _client_id and any_decision.approval_id = shown.id
      ),
      shown.waiting, shown.total, shown.file_sha256
    from shown
      left join public.approval_versions as former
        on former.client_id = _client_id and former.approval_id = shown.id and former.number = shown.number - 1
      left join auth.users as asker on asker.id = shown.asked_by
    order by shown.verdict is not null, shown.decided_at desc, shown.due_on nulls last, shown.asked_at, shown.id;
end
$$;

create or replace function public.list_client_fees(_client_id uuid) returns table (
  number integer, first_month date, amount numeric, set_by text, created_at timestamptz
) language plpgsql stable security definer set search_path = '' as $$
declare
  _is_team constant boolean := private.works_for_client(_client_id);
begin
  if not private.can_see_amounts(_client_id) then
    raise exception 'Only approvers can read the fee.' using errcode = '42501';
  end if;
  return query
    select fee.number, fee.first_month, fee.amount, coalesce(private.display_name(fee.set_by, _is_team), '')::text, fee.created_at
    from public.client_fees as fee where fee.client_id = _client_id order by fee.number desc;
end
$$;

create or replace function public.list_client_leads(
  _client_id uuid, _search text default '', _status text default null, _limit integer default 24, _offset integer default 0
) returns jsonb language plpgsql stable security definer set search_path = '' as $$
declare
  _is_team constant boolean := private.works_for_client(_client_id);
  _text constant text := lower(left(trim(coalesce(_search, '')), 200));
begin
  return (
    with found as materialized (
      select * from public.client_leads
      where client_id = _client_id and (_status is null or status = _status)
        and position(_text in lower(concat_ws(' ', name, email, company, title))) > 0
    ), page as (
      select * from found order by (found.status = 'new') desc, found.received_at desc, found.id
      limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0)
    )
    select jsonb_build_object(
      'items', coalesce((
        select jsonb_agg(jsonb_build_object(
          'id', page.id, 'name', page.name, 'email', page.email, 'company', page.company, 'title', page.title,
          'campaign', campaigns.name, 'status', page.status, 'received_at', page.received_at,
          'taken_by', coalesce(private.display_name(page.taken_by, _is_team), '')
        ) order by (page.status = 'new') desc, page.received_at desc, page.id)
        from page left join public.campaigns on campaigns.client_id = page.client_id and campaigns.id = page.campaign_id
      ), '[]'),
      'count', (select count(*) from found),
      'new_count', (select count(*) from public.client_leads where client_id = _client_id and status = 'new'),
      'all_count', (select count(*) from public.client_leads where client_id = _client_id)
    )
  );
end
$$;

create or replace function public.list_client_meetings(
  _client_id uuid, _limit integer default 24, _offset integer default 0, _id uuid default null
) returns table (
  id uuid, starts_at timestamptz, met_with text, outcome text, evidence text, answer_until timestamptz, answer text,
  reason text, answered_by text, answered_at timestamptz, is_open boolean, waiting integer, total integer, campaign_id uuid,
  campaign text, booked_on date, origin text, details jsonb
) language plpgsql stable security definer set search_path = '' as $$
declare
  _is_team constant boolean := private.works_for_client(_client_id);
begin
  return query
    select meeting.id, meeting.starts_at, meeting.met_with, meeting.outcome, meeting.evidence, meeting.answer_until,
      meeting.answer, meeting.reason,
      coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), case when _is_team then users.email end, '')::text,
      meeting.answered_at, meeting.is_open, meeting.waiting, meeting.total, meeting.campaign_id, campaigns.name,
      meeting.booked_on, meeting.origin, private.meeting_details(_client_id, meeting.id, _is_team)
    from (
      select *, count(*) over ()::integer as total,
        count(*) filter (where any_meeting.is_open and any_meeting.answer is null) over ()::integer as waiting
      from (
        select *, coalesce(client_meetings.answer_until > now(), false) and client_meetings.answer is distinct from 'accepted' as is_open,
          client_meetings.id in (select meeting_id from private.awaited_results where awaited_results.client_id = _client_id) as is_awaited
        from public.client_meetings where client_id = _client_id and (_id is null or client_meetings.id = _id)
      ) as any_meeting
      order by (any_meeting.is_open and any_meeting.answer is null) desc, any_meeting.is_awaited desc,
        coalesce(any_meeting.starts_at, any_meeting.booked_on) desc, any_meeting.id
      limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0)
    ) as meeting left join auth.users on users.id = meeting.answered_by
      left join public.campaigns on campaigns.client_id = _client_id and campaigns.id = meeting.campaign_id
    order by (meeting.is_open and meeting.answer is null) desc, meeting.is_awaited desc,
      coalesce(meeting.starts_at, meeting.booked_on) desc, meeting.id;
end
$$;

create or replace function public.list_comments(_client_id uuid, _approval_id uuid) returns table (
  id uuid, number integer, quote text, text text, written_by text, is_team boolean, created_at timestamptz
) language plpgsql stable security definer set search_path = '' as $$
declare
  _is_team constant boolean := private.works_for_client(_client_id);
begin
  return query
    select comment.id, comment.number, comment.quote, comment.text,
      coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), case when _is_team then users.email end, '')::text,
      coalesce(roles.role in ('team', 'admin'), false), comment.created_at
    from public.approval_comments as comment
      left join auth.users on users.id = comment.written_by
      left join public.user_roles as roles on roles.user_id = comment.written_by
    where comment.client_id = _client_id and comment.approval_id = _approval_id
    order by comment.created_at, comment.id;
end
$$;

create or replace function public.list_do_not_contact(
  _client_id uuid, _limit integer default 24, _offset integer default 0
) returns table (
  id uuid, kind text, hint text, added_by text, created_at timestamptz, may_remove boolean, total integer
) language plpgsql stable security definer set search_path = '' as $$
declare
  _is_team constant boolean := private.works_for_client(_client_id);
begin
  return query
    select entry.id, entry.kind, entry.hint,
      coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), case when _is_team then users.email end, '')::text,
      entry.created_at, _is_team or coalesce(entry.added_by = private.user_id(), false),
      (select count(*)::integer from public.do_not_contact where client_id = _client_id)
    from (
      select * from public.do_not_contact where client_id = _client_id
      order by do_not_contact.created_at desc, do_not_contact.id
      limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0)
    ) as entry left join auth.users on users.id = entry.added_by
    order by entry.created_at desc, entry.id;
end
$$;

create or replace function public.list_editing(_kind text) returns table (item_id text, name text)
language sql stable security definer set search_path = '' as $$
  select others.item_id, others.name from private.other_editors(_kind) as others where private.is_admin()
$$;

create or replace function public.list_figure_quotes(_client_id uuid) returns table (
  id uuid, words text, value bigint, title text, path text, asked_at timestamptz, answer text, answered_by text,
  answered_at timestamptz, withdrawn_at timestamptz
) language plpgsql stable security definer set search_path = '' as $$
declare
  _is_team constant boolean := private.works_for_client(_client_id);
begin
  return query
    select quote.id, private.format_figure_quote(quote), private.value_of_quote(quote), coalesce(projects.title, 'a page that was deleted'),
      case when projects.status = 'published' then '/projects?case=' || projects.slug end, quote.asked_at, quote.answer,
      coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), case when _is_team then users.email end, '')::text,
      quote.answered_at, quote.withdrawn_at
    from public.figure_quotes as quote left join public.projects on projects.id = quote.project_id
      left join auth.users on users.id = coalesce(quote.withdrawn_by, quote.answered_by)
    where quote.client_id = _client_id and quote.ended_at is null and (quote.answer is not null or projects.id is not null)
    order by quote.answer is not null, quote.asked_at desc, quote.id limit 200;
end
$$;

create or replace function public.list_funnel_items(
  _client_id uuid, _from date, _until date, _step text, _limit integer default 24, _offset integer default 0
) returns table (
  id uuid, name text, at timestamptz, day date, status text, result text, amount numeric, lead_id uuid, lead text, total integer
) language plpgsql stable security definer set search_path = '' as $$
declare
  _can_see_amounts boolean;
begin
  perform private.works_for_client(_client_id);
  _can_see_amounts := private.can_see_amounts(_client_id);
  return query
    select item.id, item.name, item.at, item.day, item.status, item.result, case when _can_see_amounts then item.amount end,
      item.lead_id, private.name_of_lead(client_leads), item.total
    from (
      select found.*, count(*) over ()::integer as total
      from public.clients cross join lateral private.funnel_items(clients, _from, _until) as found
      where clients.id = _client_id and _step = any (found.steps)
      order by found.day desc, found.at desc nulls last, found.id
      limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0)
    ) as item
      left join public.client_leads on client_leads.client_id = _client_id and client_leads.id = item.lead_id
    order by item.day desc, item.at desc nulls last, item.id;
end
$$;

create or replace function public.list_meeting_months(_client_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  _is_team constant boolean := private.works_for_client(_client_id);
begin
  return jsonb_build_object(
    'closed', coalesce((
      select jsonb_agg(jsonb_build_object(
        'first_day', first_day, 'count', sheet::jsonb -> 'count', 'hash', hash, 'closed_at', closed_at,
        'closed_by', coalesce(private.display_name(closed_by, _is_team), '')
      ) order by first_day desc)
      from public.client_meeting_months where client_id = _client_id
    ), '[]'),
    'open', coalesce((
      select jsonb_agg(first_day order by first_day desc)
      from (
        select distinct private.month_of_meeting(client_id, starts_at) as first_day
        from public.client_meetings where client_id = _client_id
      ) as months
      where _is_team and first_day + interval '1 month' <= (
        select (now() at time zone time_zone)::date from public.clients where id = _client_id
      ) and not exists (
        select from public.client_meeting_months as month
        where month.client_id = _client_id and month.first_day = months.first_day
      )
    ), '[]')
  );
end
$$;

create or replace function public.list_preview_links() returns table (
  id uuid, token text, kind text, item_id text, title text, release text, shows_drafts boolean, as_of timestamptz,
  created_by_email text, created_at timestamptz, expires_at timestamptz
) language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  perform private.reject_oauth_applications();
  return query
    select link.id, private.preview_token(link.id), link.kind, link.item_id,
      private.previewed_item(link.kind, link.item_id) ->> 'title', releases.name, link.shows_drafts, link.as_of,
      person.email::text, link.created_at, link.expires_at
    from public.preview_links as link join auth.users as person on person.id = link.created_by
      left join public.releases on releases.id = link.release_id
    where link.expires_at > now() and link.revoked_at is null and private.is_preview_live(link)
    order by link.created_at desc, link.id;
end
$$;

drop function public.list_rows_by_link(_token text, _holder text, _search text, _only_vetoed boolean, _limit integer, _offset integer);
create function public.list_rows_by_link(
  _token text, _holder text, _search text default '', _only_vetoed boolean default false, _limit integer default 24,
  _offset integer default 0
) returns table (
  line integer, company text, domain text, person text, note text, hint text, is_vetoed boolean, company_rows integer,
  total integer
) language sql stable security definer set search_path = '' as $$
  select page.* from private.held_approval_link(_token, _holder) as link,
    lateral private.list_approval_rows(
      link.client_id, link.approval_id, link.number, _search, _only_vetoed, _limit, _offset
    ) as page
$$;
revoke all on function public.list_rows_by_link(_token text, _holder text, _search text, _only_vetoed boolean, _limit integer, _offset integer) from public, anon, authenticated, service_role;

create or replace function public.make_admin(_user_id uuid) returns void language plpgsql security definer set search_path = '' as $$
declare
  _role text;
begin
  perform private.begin_account_action(_user_id);
  select role into _role from public.user_roles where user_id = _user_id and approved for update;
  if not found then
    raise exception 'Only clients and approved team members can become admins.';
  elsif _role = 'admin' then
    raise exception 'This person is already an admin.';
  elsif not private.has_verified_address(_user_id) then
    raise exception 'This person has not confirmed their email address. Only people with a confirmed address can become admins.';
  end if;
  update public.user_roles set role = 'admin' where user_id = _user_id;
  -- Admins work for every client, so they cannot decide as one of its people.
  delete from public.client_members where user_id = _user_id;
  delete from public.client_invitations where user_id = _user_id;
  perform private.log_account_action('made_admin', _user_id, 'admin');
  insert into private.mail_queue (recipient, template, variables)
  select recipient.email, 'admin_added', jsonb_build_object(
    'Email', recipient.email, 'Name', added.email, 'Inviter', coalesce(private.display_name(private.user_id(), true), 'The owner'),
    'UserId', _user_id
  )
  from auth.users as added, public.user_roles as roles join auth.users as recipient on recipient.id = roles.user_id
  where added.id = _user_id and roles.role = 'admin' and roles.approved and recipient.email <> '';
end
$$;

create or replace function public.media_usage(_name text) returns table (kind text, id uuid, title text)
language plpgsql stable security definer set search_path = '' as $$
declare
  _document private.documents;
  _key constant text := private.media_key(_name);
begin
  perform private.require_admin();
  for _document in select * from private.documents order by is_item desc, number loop
    return query execute format(
      'select %1$L::text, item.id, %2$s
       from private.media_mentions as mention join public.%1$I as item on item.id = mention.item_id::uuid
       where mention.kind = %1$L and mention.mention_key = $2 and private.mentions_media(item::text, $1)
       order by item.ctid', _document.kind,
      case when _document.is_item then format('item.%I::text', _document.title_column) else private.document_key_in_sql(_document.kind) end
    ) using _name, _key;
  end loop;
  return query
    select distinct 'releases', releases.id, releases.name
      from private.media_mentions as mention
        join public.release_changes as change on change.id = mention.item_id::uuid
        join public.releases on releases.id = change.release_id
      where mention.kind = 'release_changes' and mention.mention_key = _key
        and private.mentions_media(change.data::text, _name);
end
$$;

create or replace function public.move_booking(_token text, _starts_at timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  _booking public.bookings := private.lock_active_booking(_token);
begin
  if _starts_at = _booking.starts_at then
    raise exception 'Your call is already at this time.' using errcode = '22023';
  end if;
  if _booking.sequence >= 5 then
    raise sqlstate 'PT429' using
      message = 'This call has been moved five times. Please write to us to find another time.';
  end if;
  perform private.require_bookable_time(_starts_at, _booking.id);
  begin
    update public.bookings
      set slot = tstzrange(_starts_at, _starts_at + (
          select make_interval(mins => length_minutes) from public.booking_rules
        )), sequence = sequence + 1, updated_at = now()
      where id = _booking.id returning * into _booking;
  exception when exclusion_violation then
    raise sqlstate 'PT409' using message = 'This time was just taken. Please choose another.';
  end;
  perform private.mail_about_booking(_booking, 'moved', _token);
  return private.booking_details(_booking);
end
$$;

create or replace function public.my_data() returns jsonb language plpgsql security definer set search_path = '' as $$
begin
  if private.user_id() is null then
    raise exception 'Please sign in first.' using errcode = '42501';
  end if;
  perform private.reject_oauth_applications();
  if not private.count_for_address('my data', private.client_address(), 30, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'Too many requests. Try again in an hour.';
  end if;
  return private.personal_data_of(private.user_id(), private.is_signed_in_by_mail());
end
$$;

create or replace function public.open_campaign_source(_token_hash text, _secret_hash text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('provider', (opened.source).provider, 'is_allowed', opened.is_allowed,
    'is_deleted', private.is_deleted_campaign((opened.source).client_id, (opened.source).campaign_id), 'texts', coalesce((
    select jsonb_agg(jsonb_build_object(
      'id', approvals.id, 'title', approvals.title, 'step', step, 'number', approved.number, 'text', version.text,
      'starts_at', period.starts_at, 'ends_at', period.ends_at
    ) order by step, sent.created_at, approved.number)
    from public.campaign_texts as sent
      join public.approvals on approvals.client_id = sent.client_id and approvals.id = sent.approval_id
      cross join lateral private.approved_versions(sent.client_id, sent.approval_id) as approved
      cross join lateral (
        select greatest(sent.created_at - interval '10 minutes', approved.starts_at), least(sent.replaced_at, approved.ends_at)
      ) as period (starts_at, ends_at)
      left join public.approval_versions as version on version.client_id = sent.client_id
        and version.approval_id = sent.approval_id and version.number = approved.number
    where period.starts_at < coalesce(period.ends_at, 'infinity') and opened.is_allowed and sent.client_id = (opened.source).client_id and sent.campaign_id = (opened.source).campaign_id
  ), '[]'))
  from private.find_active_source(_token_hash, _secret_hash) as opened
  where (opened.source).id is not null
$$;

create or replace function public.open_preview(_token text) returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  _details constant jsonb := private.preview_details(_token);
begin
  if _details ->> 'state' = 'unknown'
    and not private.count_for_address('preview', private.client_address(), 30, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'Too many invalid preview links. Try again in an hour.';
  end if;
  return _details;
end
$$;

create or replace function public.open_result_link(_token text, _holder text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  _found constant record := private.mailed_link_of(_token, _holder, 'result');
  _link constant private.mailed_links := _found.link;
begin
  if _found.refusal is not null then
    return jsonb_build_object('refusal', _found.refusal);
  end if;
  return (
    select jsonb_build_object(
      'client', clients.name, 'currency', clients.currency,
      'person', private.recipient_of_link(_link), 'met_with', meeting.met_with, 'starts_at', meeting.starts_at,
      'report', (
        select jsonb_build_object(
          'number', number, 'status', status, 'amount', amount, 'reason', reason, 'at', created_at,
          'by', coalesce(private.display_name(reported_by, false), '')
        )
        from public.client_meeting_results as result
        where result.client_id = meeting.client_id and result.meeting_id = meeting.id and result.number = _link.number
      )
    )
    from public.client_meetings as meeting join public.clients on clients.id = meeting.client_id
    where meeting.client_id = _link.client_id and meeting.id = _link.meeting_id
  );
end
$$;

CREATE OR REPLACE FUNCTION public.preview_faq()
 RETURNS SETOF faq
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 100
 SET search_path TO ''
AS $function$
     begin
       return query execute private.preview_query('faq') using private.require_live_preview();
     end
     $function$;

create or replace function public.preview_page_content() returns setof public.page_content
language plpgsql stable security definer rows 20 set search_path = '' as $$
begin
  return query execute private.preview_query('page_content') using private.require_live_preview();
end
$$;

CREATE OR REPLACE FUNCTION public.preview_posts()
 RETURNS SETOF posts
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 100
 SET search_path TO ''
AS $function$
     begin
       return query execute private.preview_query('posts') using private.require_live_preview();
     end
     $function$;

CREATE OR REPLACE FUNCTION public.preview_projects()
 RETURNS SETOF projects
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 100
 SET search_path TO ''
AS $function$
     begin
       return query execute private.preview_query('projects') using private.require_live_preview();
     end
     $function$;

CREATE OR REPLACE FUNCTION public.preview_reviews()
 RETURNS SETOF reviews
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 100
 SET search_path TO ''
AS $function$
     begin
       return query execute private.preview_query('reviews') using private.require_live_preview();
     end
     $function$;

CREATE OR REPLACE FUNCTION public.preview_services()
 RETURNS SETOF services
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 100
 SET search_path TO ''
AS $function$
     begin
       return query execute private.preview_query('services') using private.require_live_preview();
     end
     $function$;

create or replace function public.preview_site_settings() returns setof public.site_settings
language plpgsql stable security definer rows 20 set search_path = '' as $$
begin
  return query execute private.preview_query('site_settings') using private.require_live_preview();
end
$$;

CREATE OR REPLACE FUNCTION public.preview_team_members()
 RETURNS SETOF team_members
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 100
 SET search_path TO ''
AS $function$
     begin
       return query execute private.preview_query('team_members') using private.require_live_preview();
     end
     $function$;

create or replace function public.publish_release(_id uuid) returns void language plpgsql security definer set search_path = '' as $$
declare
  _problems jsonb;
begin
  perform private.require_admin();
  _problems := private.publish_claimed_release(_id, private.user_id());
  if jsonb_array_length(_problems) > 0 then
    raise exception 'Nothing was published. %', private.problem_sentences(_problems) using errcode = 'PT409';
  end if;
end
$$;

create or replace function public.published_content() returns table (
  kind text, title text, public_path text, text_columns text[], item jsonb
) language plpgsql stable set search_path = '' as $$
declare
  _kind private.content_kinds;
  _columns text;
begin
  for _kind in select * from private.list_content_kinds() loop
    select coalesce(string_agg(format('%1$L, left(item.%1$I, 12000)', attname), ', '), '') into _columns
    from pg_catalog.pg_attribute
    where attrelid = format('public.%I', _kind.table_name)::regclass and attname = any (_kind.text_columns)
      and atttypid = 'text'::regtype;
    return query execute format(
      'select %1$L::text, item.%2$I::text, %3$L::text, $1, to_jsonb(item) || jsonb_build_object(%5$s)
       from public.%1$I as item where status = ''published'' order by %4$s, id limit 100',
      _kind.table_name, _kind.title_column, _kind.public_path, _kind.list_order, _columns
    ) using _kind.text_columns::text[];
  end loop;
end
$$;

create or replace function public.restore_media(_id uuid) returns text language plpgsql security definer set search_path = '' as $$
declare
  _file jsonb;
begin
  if public.can_restore_media() then
    execute 'select to_jsonb(file) from backend.deleted_objects as file where id = $1 and purge_at > now() for update'
      into _file using _id;
  end if;
  if _file is null then
    raise exception 'This file is no longer in the trash. It was restored or permanently deleted.';
  end if;
  if exists (
    select from storage.objects where bucket_id = _file ->> 'bucket_id' and name = _file ->> 'name'
  ) then
    raise exception 'Another file now has this URL. Delete that file first.';
  end if;
  insert into storage.objects
    (id, bucket_id, name, version, metadata, user_metadata, created_at, updated_at, owner, owner_id)
  select id, bucket_id, name, version, metadata, user_metadata, created_at, updated_at, owner_id::uuid, owner_id
  from jsonb_populate_record(null::storage.objects, _file);
  -- Pages show the alt text and focal point of pictures.
  perform pg_notify('content_changed', 'media');
  return _file ->> 'name';
end
$$;

create or replace function public.restore_team_member(_user_id uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  _decision public.registration_decisions;
  _is_unsent boolean;
begin
  if not private.is_admin() then
    raise exception 'Only admins can approve or decline registrations.' using errcode = '42501';
  end if;
  -- Serialises concurrent calls: the second caller finds no decision to withdraw.
  update public.registration_decisions set withdrawn_at = now(), withdrawn_by = private.user_id()
  where not approved and withdrawn_at is null and id = (
    select id from public.registration_decisions where user_id = _user_id order by decided_at desc limit 1
  )
  returning * into _decision;
  if not found then
    raise exception 'This registration has not been declined.';
  end if;
  insert into public.user_roles (user_id, role, approved, created_at)
  values (_user_id, _decision.role, _decision.role = 'client', coalesce(_decision.registered_at, now()))
  on conflict (user_id) do nothing;
  if not found then
    raise exception 'This person already has a role.';
  end if;
  perform private.log_account_action('restored', _user_id, _decision.role);
  with withdrawn as (
    delete from private.mail_queue where recipient = _decision.email and template = 'registration_declined'
    returning attempts
  )
  -- After a delivery attempt the mail may have arrived. A revoked role has no mail.
  select coalesce(bool_and(attempts = 0), false) into _is_unsent from withdrawn;
  return _is_unsent;
end
$$;

create or replace function public.save_to_release(
  _kind text, _item_id text, _action text, _data jsonb default null, _base jsonb default null, _release_id uuid default null,
  _name text default null, _seen timestamptz default null
) returns uuid language plpgsql set search_path = '' as $$
declare
  _existing public.release_changes;
begin
  if _release_id is null then
    insert into public.releases (name) values (_name) returning id into _release_id;
  end if;
  select * into _existing from public.release_changes
  where release_id = _release_id and kind = _kind and item_id = _item_id for update;
  if _existing.changed_at is distinct from _seen then
    raise exception 'Another editor changed this in the release. Nothing was overwritten.' using errcode = 'PT409';
  end if;
  if _existing.id is null then
    insert into public.release_changes (release_id, kind, item_id, action, data, base)
    values (_release_id, _kind, _item_id, _action, _data, _base);
  else
    update public.release_changes set action = _action, data = _data, base = _base where id = _existing.id;
  end if;
  return _release_id;
end
$$;

create or replace function public.search_content(
  _kind text, _query text, _columns text[], _status text default '', _category text default '', _sort text default '',
  _limit integer default 24, _offset integer default 0
) returns table (
  item jsonb, excerpt text, words text[], total integer
) language plpgsql stable security definer set search_path = '' set enable_seqscan = off set enable_sort = off as $$
declare
  _known private.content_kinds;
  _found record;
  _columns_of_order text;
  _order text;
  _filter text := 'true';
  _max_matches integer := 1000;
begin
  perform private.require_admin();
  select * into _known from private.content_kinds where table_name = _kind;
  if _known is null then
    raise exception 'Unknown kind of content: %', coalesce(_kind, 'null') using errcode = '22023';
  end if;
  select * into _found from private.parse_search(_query);
  select string_agg(format('item.%I as order_%s', split_part(part, ' ', 1), place), ', ' order by place),
    string_agg(format('order_%s%s', place, case when part like '% desc' then ' desc' end), ', ' order by place)
  into _columns_of_order, _order
  from unnest(string_to_array(
    case _sort
      when 'changed' then 'updated_at desc'
      when 'newest' then 'created_at desc'
      when 'title' then _known.title_column
      else _known.list_order
    end, ', '
  )) with ordinality as parts (part, place);
  if _sort not in ('changed', 'newest', 'title') then
    -- Ranking reads all words of each match, so it is limited to 300 matches.
    _order := 'is_title desc, in_title desc, case when total <= 300 then (
        select ts_rank(found.words, $1) from private.content_words as found where found.kind = $9 and found.item_id = matches.id
      ) end desc nulls last, ' || _order;
  end if;
  if coalesce(_status, '') <> '' or coalesce(_category, '') <> '' then
    _max_matches := 10000;
    _filter := '($4 = '''' or item.status = $4) and ($5 = '''' or to_jsonb(item) ->> ''category'' = $5)';
  end if;
  return query execute format(
    'with titled as materialized (
       select found.kind, found.item_id from private.content_words as found where found.title_words @@ $1 limit %7$s
     ), hits as materialized (
       select found.kind, found.item_id from private.content_words as found where found.words @@ $1 limit %7$s
     ), newest as materialized (
       select item.id, coalesce(found.title_words @@ $1, false) as in_title, %5$s as is_match from public.%1$I as item
         join private.content_words as found on found.kind = $9 and found.item_id = item.id
       where (select count(*) from hits) in (0, %7$s) order by item.updated_at desc limit %8$s
     ), candidates as materialized (
       select either.id, bool_or(either.in_title) as in_title from (
         select item_id as id, true as in_title from titled where kind = $9
         union all select item_id, false from hits where kind = $9
         union all select id, in_title from newest where is_match
       ) as either group by either.id
     ), matches as materialized (
       select item.id, candidates.in_title, lower(item.%2$I) = lower($2) as is_title, %3$s
       from candidates join public.%1$I as item using (id)
       where %6$s
     ), counted as materialized (
       select least(count(*), %7$s)::integer as total from matches
     ), page as (
       select id, total, row_number() over (order by %4$s, id) as place
       from matches cross join counted
       order by place limit least(greatest($6, 1), 200) offset greatest($7, 0)
     )
     select (
         select jsonb_object_agg(key, value) from jsonb_each(to_jsonb(item)) where key = any ($8)
       ),
       private.excerpt_of(private.searchable_text(to_jsonb(item) - ''slug'', %2$L), $3), $3, page.total
     from page join public.%1$I as item using (id) order by page.place',
    _known.table_name, _known.title_column, _columns_of_order, _order,
    case when _found.query is null then format('position(lower($2) in lower(item.%I)) > 0', _known.title_column)
      else 'found.words @@ $1' end,
    -- A query without a word, such as punctuation, is matched against all titles.
    _filter, _max_matches, case when _found.query is null then 10000 else 300 end
  ) using _found.query, trim(_query), _found.words, coalesce(_status, ''), coalesce(_category, ''), _limit, _offset, _columns,
    _known.table_name;
end
$$;

create or replace function public.search_everywhere(_query text) returns table (kind text, id uuid, title text)
language plpgsql stable security definer set search_path = '' set enable_seqscan = off set enable_sort = off as $$
declare
  _known private.content_kinds;
  _found record;
  _hits record;
begin
  perform private.require_admin();
  select * into _found from private.parse_search(_query);
  if _found.query is null then
    return;
  end if;
  -- Searches all kinds at once, up to the number of ids that a search of one kind reads anyway.
  with titled as materialized (
    select found.kind, found.item_id from private.content_words as found where found.title_words @@ _found.query limit 300
  ), hits as materialized (
    select found.kind, found.item_id from private.content_words as found where found.words @@ _found.query limit 300
  )
  select (select count(*) from hits) = 300 as are_many, (
    select jsonb_object_agg(found.kind, found.ids) from (
      select titled.kind, jsonb_agg(titled.item_id) as ids from titled group by titled.kind
    ) as found
  ) as titled, (
    select jsonb_object_agg(found.kind, found.ids) from (
      select hits.kind, jsonb_agg(hits.item_id) as ids from hits group by hits.kind
    ) as found
  ) as anywhere into _hits;
  for _known in select * from private.content_kinds order by number loop
    return query execute format(
      'with newest as materialized (
         select item.id, found.title_words @@ $1 as in_title, found.words @@ $1 as is_match from public.%1$I as item
           join private.content_words as found on found.kind = %1$L and found.item_id = item.id
         where $5 order by item.updated_at desc limit 300
       ), candidates as materialized (
         select either.id, bool_or(either.in_title) as in_title from (
           select hits.id::uuid, true as in_title from jsonb_array_elements_text($3) as hits (id)
           union all select hits.id::uuid, false from jsonb_array_elements_text($4) as hits (id)
           union all select id, in_title from newest where is_match
         ) as either group by either.id
       )
       select %1$L::text, item.id, item.%2$I::text from candidates join public.%1$I as item using (id)
       order by lower(item.%2$I) = lower($2) desc, candidates.in_title desc, item.updated_at desc, item.id limit 5',
      _known.table_name, _known.title_column
    ) using _found.query, trim(_query), coalesce(_hits.titled -> _known.table_name::text, '[]'),
      coalesce(_hits.anywhere -> _known.table_name::text, '[]'), _hits.are_many;
  end loop;
  return query select 'people'::text, people.id, people.label from private.find_people(_query) as people;
end
$$;

create or replace function public.search_news(
  _query text, _category text default '', _limit integer default 24, _offset integer default 0
) returns table (
  id uuid, total integer
) language plpgsql stable security definer set search_path = '' set enable_seqscan = off set enable_sort = off as $$
declare
  _asked constant tsquery := private.parse_prefix_search(_query);
begin
  return query
  with titled as materialized (
    select found.item_id from private.content_words as found
    -- The cast to text prevents the planner from combining the index on kind with the one on words.
    where found.kind::text = 'posts' and found.title_words @@ _asked limit 1000
  ), hits as materialized (
    select found.item_id from private.content_words as found
    where found.kind::text = 'posts' and found.words @@ _asked limit 1000
  ), newest as materialized (
    select posts.id from public.posts
    where posts.status = 'published' and posts.published_date <= now() and (select count(*) from hits) = 1000
    order by posts.published_date desc, posts.created_at desc limit 300
  ), newest_hits as materialized (
    select found.item_id, found.title_words @@ _asked as in_title, found.words @@ _asked as is_match
    from newest join private.content_words as found on found.kind = 'posts' and found.item_id = newest.id
  ), candidates as materialized (
    select either.item_id, bool_or(either.in_title) as in_title from (
      select titled.item_id, true as in_title from titled
      union all select hits.item_id, false from hits
      union all select newest_hits.item_id, newest_hits.in_title from newest_hits where newest_hits.is_match
    ) as either group by either.item_id
  ), found_posts as materialized (
    -- No condition on status here: with one, the planner reads all published posts.
    select posts.id, posts.status, posts.category, posts.published_date, posts.created_at, candidates.in_title
    from candidates join public.posts on posts.id = candidates.item_id
  ), matches as materialized (
    select found_posts.id, row_number() over (
      order by found_posts.in_title desc, found_posts.published_date desc, found_posts.created_at desc, found_posts.id
    ) as place
    from found_posts
    where found_posts.status = 'published' and found_posts.published_date <= now()
      and (coalesce(_category, '') = '' or found_posts.category = _category)
  )
  select matches.id, least((select count(*) from matches), 240)::integer from matches
  where matches.place > greatest(_offset, 0) and matches.place <= least(greatest(_offset, 0) + least(greatest(_limit, 0), 100), 240)
  order by matches.place;
end
$$;

create or replace function public.search_posts(_words text[]) returns table (
  kind text, title text, public_path text, text_columns text[], item jsonb
) language sql stable set search_path = '' as $$
  select kinds.table_name::text, posts.title, kinds.public_path, kinds.text_columns::text[],
    to_jsonb(posts) || jsonb_build_object('content', left(posts.content, 20000))
  from private.posts_matching(_words) with ordinality as found (id, place)
    join public.posts using (id)
    cross join (select * from private.list_content_kinds() where table_name = 'posts') as kinds
  order by found.place limit 8
$$;

create function public.set_my_client_mails(_client_id uuid, _notifications text[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if _client_id not in (select private.clients_of_member()) then
    raise exception 'Only this client''s own people can do this' using errcode = '42501';
  end if;
  update public.client_members set notifications = _notifications where client_id = _client_id and user_id = private.user_id();
end
$$;
revoke all on function public.set_my_client_mails(_client_id uuid, _notifications text[]) from public, anon, authenticated, service_role;

create or replace function public.settle_release_change(_change_id uuid, _keep text, _seen timestamptz default null) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _change public.release_changes;
  _live jsonb;
  _own_fields text[];
begin
  perform private.require_admin();
  if _keep not in ('release', 'site') then
    raise exception 'Choose which version to keep: the one in the release or the one on the site.' using errcode = '22023';
  end if;
  select * into _change from public.release_changes where id = _change_id for update;
  if not found then
    raise exception 'This change is no longer in the release.' using errcode = 'PT404';
  end if;
  _live := private.lock_item(_change.kind, _change.item_id);
  if (_live ->> 'updated_at')::timestamptz is distinct from _seen then
    raise exception 'This was changed on the site again. Please check it again.' using errcode = 'PT409';
  end if;
  _own_fields := private.differing_fields(_change.kind, _change.data, coalesce(_change.base, '{}'));
  if _keep = 'site' and _live is not null and _change.action = 'update' then
    _own_fields := array(
      select field from unnest(_own_fields) as field
      where field <> all (private.differing_fields(_change.kind, _live, _change.base))
    );
  elsif _keep = 'site' or (_live is null and _change.action = 'delete') then
    _own_fields := '{}';
  end if;

  if _change.action = 'delete' and _keep = 'release' and _live is not null then
    update public.release_changes set base = _live where id = _change_id;
  elsif _change.action = 'delete' or cardinality(_own_fields) = 0 then
    delete from public.release_changes where id = _change_id;
  elsif _live is null then
    update public.release_changes set action = 'create', base = null, data = _change.data where id = _change_id;
  else
    update public.release_changes set action = 'update', base = _live, data = _live || (
      select jsonb_object_agg(field, _change.data -> field) from unnest(_own_fields) as field
    ) where id = _change_id;
  end if;
end
$$;

create or replace function public.store_campaign_events(_token_hash text, _secret_hash text, _events jsonb) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  _opened record;
  _source public.campaign_sources;
  _client public.clients;
  _new private.taken_event[];
  _today constant date := (now() at time zone 'UTC')::date;
  _stored bigint;
  _added bigint;
begin
  select * into _opened from private.find_active_source(_token_hash, _secret_hash);
  if not _opened.is_allowed then
    return null;
  end if;
  _source := _opened.source;
  select * into _client from public.clients where id = _source.client_id for no key update;
  select case when stored_on = _today then stored_bytes else 0 end into _stored from public.campaign_sources
  where client_id = _source.client_id and id = _source.id for no key update;
  if _stored >= 256 * 1024 * 1024 then
    perform private.raise_full_source_alarm(_source, jsonb_array_length(_events));
    return -1;
  end if;
  with given as (
    select distinct on (key) key, kind, metric, is_known, coalesce(at, now()) as happened_at, campaign, step,
      lower(trim(recipient)) as recipient, raw, approval_id, version_number
    from jsonb_to_recordset(_events) as given (
      key text, kind text, metric text, is_known boolean, at timestamptz, campaign text, step integer, recipient text, raw jsonb,
      approval_id uuid, version_number integer
    )
    order by key
  ), placed as (
    select *, (happened_at at time zone _client.time_zone)::date as day,
      _stored + sum(500 + octet_length(raw::text)) over (order by key) <= 32 * 1024 * 1024 as keeps_raw
    from given
  ), taken as (
    insert into public.inbound_events (
      client_id, source_id, event_key, kind, metric, state, day, happened_at, step, person_hash, hint, recipient, raw,
      approval_id, version_number
    )
    select _client.id, _source.id, key, kind, metric, case
        when not is_known then 'unknown'
        when _source.external_id <> '' and campaign <> '' and campaign <> _source.external_id then 'elsewhere'
        when happened_at > now() + interval '10 minutes' then 'untimely'
        when metric is not null and day >= _source.counts_from then 'counted'
        else 'noted'
      end, day, happened_at, step, case when recipient <> '' then private.hash_of_address(recipient) end,
      case when recipient like '%@%' then left(recipient, 1) || '***@' || left(split_part(recipient, '@', 2), 250) else '' end,
      nullif(recipient, ''), case when keeps_raw then raw end, approval_id, version_number
    from placed
    on conflict do nothing
    returning event_key, metric, state, day, happened_at, step, person_hash, recipient,
      500 + coalesce(octet_length(raw::text), 0) as size
  )
  select array_agg((event_key, metric, state, day, happened_at, step, person_hash, recipient)::private.taken_event), sum(size)
  into _new, _added from taken where true;
  update public.campaign_sources set stored_on = _today, stored_bytes = _stored + _added
  where client_id = _source.client_id and id = _source.id and _added > 0;
  perform private.count_events(_source, _new);
  perform private.raise_do_not_contact_alarm(_client, _source, array(
    select event from unnest(_new) as event where event.metric = 'sent' and event.state in ('counted', 'noted')
  ));
  perform private.raise_deviation_alarm(_source, _new, _events);
  perform private.raise_list_alarm(_source, _new);
  perform private.add_leads_of_events(_source, _new, _events);
  return coalesce(array_length(_new, 1), 0);
end
$$;

create or replace function public.subscribe_to_newsletter(_email text, _website text default '') returns void
language plpgsql security definer set search_path = '' as $$
declare
  _address constant text := trim(_email);
  _token constant text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  _id uuid;
begin
  if not private.is_setting_on('newsletter_signup') then
    raise exception 'The newsletter is currently disabled.';
  end if;
  if not private.claim_request('newsletter') then
    return;
  end if;
  if not private.count_for_address('newsletter', private.client_address(), 5, interval '1 hour') or not (
    private.count_for_subject('newsletter', '', 100, interval '1 hour') or (
      private.count_for_networks('newsletter in a crowd', private.client_address(), 1, interval '1 hour')
      and private.count_for_subject('newsletter in a crowd', '', 1900, interval '1 hour')
    )
  ) then
    raise sqlstate 'PT429' using message = 'Too many requests. Try again in an hour.';
  end if;
  if coalesce(_website, '') <> '' then
    return;
  end if;
  if not coalesce(private.is_email(_address), false) then
    raise exception 'Invalid email address';
  end if;
  if private.count_for_subject('newsletter to', lower(_address), 3, interval '1 day') then
    insert into public.newsletter_subscribers as known (email, confirm_token_hash)
      values (_address, encode(sha256(convert_to(_token, 'UTF8')), 'hex'))
      on conflict (lower(email)) do update
        set confirm_token_hash = excluded.confirm_token_hash, requested_at = now()
        where known.confirmed_at is null
      returning id into _id;
  end if;
  insert into private.mail_queue (recipient, template, variables) values (
    case when _id is null then 'nobody@signalfjord.invalid' else _address end, 'newsletter_confirm',
    jsonb_build_object(
      'Email', _address, 'Token', _token,
      'UnsubscribeToken', private.unsubscribe_token(coalesce(_id, gen_random_uuid()))
    )
  );
end
$$;

create or replace function public.undo_import(_client_id uuid, _batch_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  _kept jsonb;
  _removed integer;
  _restored integer;
begin
  perform private.lock_assigned_client(_client_id);
  update public.import_batches set undone_at = now(), undone_by = private.user_id()
  where client_id = _client_id and id = _batch_id and undone_at is null;
  if not found then
    raise exception 'This import was not found or has already been undone.' using errcode = 'P0001';
  end if;
  select jsonb_build_object('count', count(*), 'examples', coalesce(jsonb_agg(jsonb_build_object(
    'campaign', campaigns.name, 'metric', later.metric, 'day', later.first_day, 'value', later.value, 'file', file_name
  ) order by campaigns.name, later.metric, later.first_day) filter (where number <= 100), '[]')) into _kept
  from (
    select *, row_number() over (order by campaign_id, metric, first_day) as number from public.campaign_figures
    where client_id = _client_id and batch_id = _batch_id and replaced_by is not null
  ) as mine
  join public.campaign_figures as later using (client_id, campaign_id, metric, first_day)
  join public.campaigns on campaigns.client_id = later.client_id and campaigns.id = later.campaign_id
  join public.import_batches on import_batches.client_id = later.client_id and import_batches.id = later.batch_id
  where later.replaced_by is null;
  -- Rows that this import replaced become current again, or are replaced by the next import.
  with gone as (
    delete from public.campaign_figures where client_id = _client_id and batch_id = _batch_id returning *
  ), former as (
    update public.campaign_figures as former set replaced_by = gone.replaced_by
    from gone
    where former.client_id = _client_id and former.replaced_by = _batch_id and former.campaign_id = gone.campaign_id
      and former.metric = gone.metric and former.first_day = gone.first_day
    returning former.replaced_by
  )
  select (select count(*) from gone where replaced_by is null), (select count(*) from former where replaced_by is null)
    into _removed, _restored;
  return jsonb_build_object('removed', _removed - _restored, 'restored', _restored, 'kept', _kept);
end
$$;

create or replace function public.unverified_registrations() returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.is_admin() then
    raise exception 'Only admins can see registrations.' using errcode = '42501';
  end if;
  return query
    select roles.user_id from public.user_roles as roles
    where roles.role = 'team' and not roles.approved and not private.has_verified_address(roles.user_id);
end
$$;

create function public.veto_by_link(
  _token text, _holder text, _lines integer[] default '{}'::integer[], _domain text default null, _restore boolean default false
) returns integer language plpgsql security definer set search_path = '' as $$
declare
  _link constant private.mailed_links := private.held_approval_link(_token, _holder);
begin
  if _link.token_hash is null or _link.used_at is not null then
    raise exception 'This link has expired. Sign in to see your open approvals.' using errcode = 'P0001';
  end if;
  return private.veto_rows(
    _link.client_id, _link.approval_id, _link.number, _lines, _domain, _restore, _link.user_id
  );
end
$$;
revoke all on function public.veto_by_link(_token text, _holder text, _lines integer[], _domain text, _restore boolean) from public, anon, authenticated, service_role;

create function public.veto_rows(
  _client_id uuid, _approval_id uuid, _number integer, _lines integer[] default '{}'::integer[], _domain text default null,
  _add_to_blocklist boolean default false, _restore boolean default false
) returns integer language plpgsql security definer set search_path = '' as $$
declare
  _count integer;
begin
  perform private.require_approver(_client_id);
  _count := private.veto_rows(_client_id, _approval_id, _number, _lines, _domain, _restore, private.user_id());
  if _add_to_blocklist and not _restore then
    perform private.add_do_not_contact_of_rows(_client_id, _approval_id, _number, _lines, _domain);
  end if;
  return _count;
end
$$;
revoke all on function public.veto_rows(_client_id uuid, _approval_id uuid, _number integer, _lines integer[], _domain text, _add_to_blocklist boolean, _restore boolean) from public, anon, authenticated, service_role;

drop policy "Members read their own memberships" on public.client_members;
create policy "Members read their own memberships" on public.client_members for select to authenticated
  using (user_id = (select private.effective_user_id()) and client_id in (select private.clients_of_member()));

drop policy "Visitors add messages to their own conversation" on public.chat_messages;
create policy "Visitors add messages to their own conversation" on public.chat_messages for insert to anon, authenticated
  with check (conversation_id = (select private.current_conversation_id()));

drop policy "Visitors read the messages of their own conversation" on public.chat_messages;
create policy "Visitors read the messages of their own conversation" on public.chat_messages as permissive for select to anon, authenticated
  using ((conversation_id = ( SELECT private.current_conversation_id() AS current_conversation_id)));

drop policy "Visitors read their own conversation" on public.conversations;
create policy "Visitors read their own conversation" on public.conversations for select to anon, authenticated
  using (id = (select private.current_conversation_id()));

drop policy "Visitors update their own conversation" on public.conversations;
create policy "Visitors update their own conversation" on public.conversations for update to anon, authenticated
  using (id = (select private.current_conversation_id())) with check (id = (select private.current_conversation_id()));

grant execute on function public.set_my_client_mails(_client_id uuid, _notifications text[]) to authenticated;

grant execute on function public.set_my_client_mails(_client_id uuid, _notifications text[]) to service_role;

grant execute on function public.veto_by_link(_token text, _holder text, _lines integer[], _domain text, _restore boolean) to anon;

grant execute on function public.veto_by_link(_token text, _holder text, _lines integer[], _domain text, _restore boolean) to authenticated;

grant execute on function public.veto_by_link(_token text, _holder text, _lines integer[], _domain text, _restore boolean) to service_role;

grant execute on function public.veto_rows(_client_id uuid, _approval_id uuid, _number integer, _lines integer[], _domain text, _add_to_blocklist boolean, _restore boolean) to authenticated;

grant execute on function public.veto_rows(_client_id uuid, _approval_id uuid, _number integer, _lines integer[], _domain text, _add_to_blocklist boolean, _restore boolean) to service_role;

create function private.bookable_times(
  _from timestamptz, _to timestamptz, _now timestamptz, _except uuid default null
) returns table (
  starts_at timestamptz, ends_at timestamptz
) language sql stable security definer set search_path = '' as $$
  select time.starts_at, time.ends_at
  from public.booking_rules, lateral private.offered_times(
    greatest(_from, _now + make_interval(mins => notice_minutes)),
    least(_to, _now + make_interval(days => days_ahead))
  ) as time
  where private.is_setting_on('booking') and private.is_slot_free(tstzrange(time.starts_at, time.ends_at), _except)
  order by 1
$$;
revoke all on function private.bookable_times(_from timestamp with time zone, _to timestamp with time zone, _now timestamp with time zone, _except uuid) from public, anon, authenticated, service_role;

create or replace function private.held_booking_details(_held private.held_bookings) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'starts_at', lower(_held.slot), 'ends_at', upper(_held.slot), 'time_zone', _held.call ->> 'time_zone',
    'service', _held.call ->> 'service', 'place', (select place from public.booking_rules),
    'state', case when private.is_slot_free(_held.slot) then 'held' else 'taken' end
  )
  where _held.token_hash is not null
$$;

create function private.meeting_details(_client_id uuid, _id uuid, _is_team boolean) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'role', role, 'company_size', company_size, 'country', country, 'is_customer', is_customer, 'minutes', minutes,
    'criterion', criterion, 'judgement', private.judge_meeting(meeting), 'lead', (
      select jsonb_build_object('id', lead.id, 'name', coalesce(nullif(lead.name, ''), nullif(lead.email, ''), lead.company))
      from public.client_leads as lead where lead.client_id = _client_id and lead.id = meeting.lead_id
    ), 'is_closed', private.is_meeting_closed(_client_id, starts_at), 'result', private.results_of_meeting(_client_id, _id, _is_team),
    'changes', coalesce((
      select jsonb_agg(jsonb_build_object(
        'number', number, 'status', status, 'reason', change.reason, 'criterion', change.criterion, 'at', change.created_at,
        'by', coalesce(private.display_name(changed_by, _is_team), '')
      ) order by number desc)
      from public.client_meeting_changes as change where change.client_id = _client_id and change.meeting_id = _id
    ), '[]')
  )
  from public.client_meetings as meeting where client_id = _client_id and id = _id
$$;
revoke all on function private.meeting_details(_client_id uuid, _id uuid, _is_team boolean) from public, anon, authenticated, service_role;

grant execute on function public.list_approval_rows(_client_id uuid, _approval_id uuid, _number integer, _search text, _only_vetoed boolean, _limit integer, _offset integer) to authenticated;

grant execute on function public.list_approval_rows(_client_id uuid, _approval_id uuid, _number integer, _search text, _only_vetoed boolean, _limit integer, _offset integer) to service_role;

grant execute on function public.list_rows_by_link(_token text, _holder text, _search text, _only_vetoed boolean, _limit integer, _offset integer) to anon;

grant execute on function public.list_rows_by_link(_token text, _holder text, _search text, _only_vetoed boolean, _limit integer, _offset integer) to authenticated;

grant execute on function public.list_rows_by_link(_token text, _holder text, _search text, _only_vetoed boolean, _limit integer, _offset integer) to service_role;

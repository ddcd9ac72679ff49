-- Renames objects whose names were not terms of the field.

alter table private.told_unread rename to unread_reminders;
alter table private.unread_reminders rename constraint told_unread_pkey to unread_reminders_pkey;
alter table private.unread_reminders
  rename constraint told_unread_client_id_approval_id_number_fkey to unread_reminders_client_id_approval_id_number_fkey;
alter table public.client_members rename column told_of to notifications;
alter table public.client_members rename constraint client_members_told_of_check to client_members_notifications_check;
alter type private.judged_figure rename to validated_figure;

alter function private.acts_on_others_of rename to actions_on_others;
alter function private.are_bookings_crowded rename to is_booking_limit_reached;
alter function private.begin_act_on rename to begin_account_action;
alter function private.booking_as_told rename to booking_details;
alter function private.check_client_place rename to check_client_role;
alter function private.drop_ways_in rename to delete_credentials;
alter function private.forget_items rename to delete_items;
alter function private.forget_person rename to delete_personal_data;
alter function private.forget_release_mentions rename to delete_release_mentions;
alter function private.held_booking_as_told rename to held_booking_details;
alter function private.is_looking rename to is_impersonating;
alter function private.judge_figures rename to validate_figures;
alter function private.keep_busy_times rename to store_busy_times;
alter function private.keep_figures_of_events rename to reject_undo_of_events;
alter function private.keep_hash_of_client_file rename to copy_client_file_hash;
alter function private.keep_kind_as_document rename to copy_kind_to_documents;
alter function private.keep_totals rename to store_source_totals;
alter function private.leave_alone rename to add_do_not_contact_of_rows;
alter function private.lock_client_of_worker rename to lock_assigned_client;
alter function private.looked_at rename to impersonated_member;
alter function private.make_room_for_chat rename to delete_oldest_conversations;
alter function private.may_meet_change rename to may_changes_conflict;
alter function private.meant_words rename to matching_words;
alter function private.members_to_tell rename to members_to_mail;
alter function private.naming_in_sql rename to person_condition_in_sql;
alter function private.note_act rename to log_account_action;
alter function private.note_client_place rename to update_has_client;
alter function private.people_named rename to find_people;
alter function private.plain_entry rename to normalise_entry;
alter function private.preview_as_told rename to preview_details;
alter function private.publish_taken rename to publish_claimed_release;
alter function private.quote_in_words rename to format_figure_quote;
alter function private.readdress_media rename to replace_media_name;
alter function private.readdressed_columns rename to media_column_updates;
alter function private.refuse_applications rename to reject_oauth_applications;
alter function private.refuse_days_twice rename to reject_overlapping_days;
alter function private.refuse_lookers rename to reject_impersonated_writes;
alter function private.refuse_stale_text rename to reject_stale_save;
alter function private.refuse_time rename to require_bookable_time;
alter function private.sources_in rename to linked_pages;
alter function private.standing rename to account_status;
alter function private.state_booking_zone rename to set_booking_zone;
alter function private.state_whether_booking_is_on rename to set_booking_status;
alter function private.sum_up_judgement rename to summarise_import;
alter function private.switch_booking rename to update_booking_setting;
alter function private.take_client_places rename to accept_client_invitations;
alter function private.tell_about_booking rename to mail_about_booking;
alter function private.tell_about_lead rename to notify_about_lead;
alter function private.tell_admins_about_registration rename to mail_admins_about_registration;
alter function private.tell_asker_of_decision rename to mail_requester_about_decision;
alter function private.tell_asker_of_quote rename to mail_requester_about_quote;
alter function private.tell_client_of_approval rename to mail_client_about_approval;
alter function private.tell_client_of_quote rename to mail_client_about_quote;
alter function private.tell_client_of_report rename to mail_client_about_report;
alter function private.tell_of_deviations rename to raise_deviation_alarm;
alter function private.tell_of_full_source rename to raise_full_source_alarm;
alter function private.tell_of_left_alone rename to raise_do_not_contact_alarm;
alter function private.tell_of_report_day rename to notify_report_planned;
alter function private.tell_owner_about_booking rename to mail_owner_about_booking;
alter function private.tell_unread_approvals rename to mail_unread_reminders;
alter function private.tell_workers_of_alarm rename to mail_team_about_alarm;
alter function private.time_in_words rename to format_slot;
alter function private.tries_release rename to is_trial_publish;
alter function private.visitors_read rename to visitor_condition;
alter function private.waiting_at_client rename to pending_client_tasks;
alter function public.count_waiting rename to count_pending_tasks;
alter function public.delete_for_ever rename to delete_permanently;
alter function public.delete_media_for_ever rename to delete_media_permanently;
alter function public.events_behind rename to figure_events;
alter function public.figures_behind rename to figure_details;
alter function public.has_left_address rename to has_chat_lead;
alter function public.take_campaign_events rename to store_campaign_events;
alter function public.take_lead rename to submit_lead;
alter function public.tell_editing rename to announce_editing;

alter trigger keep_kind_as_document on private.content_kinds rename to copy_kind_to_documents;
alter trigger take_places on private.proven_addresses rename to accept_client_invitations;
alter trigger refuse_lookers on public.approval_comments rename to reject_impersonated_writes;
alter trigger keep_hash_of_client_file on public.approval_decisions rename to copy_client_file_hash;
alter trigger switch_booking on public.availability rename to update_booking_setting;
alter trigger refuse_days_twice_inserted on public.campaign_figures rename to reject_overlapping_days_inserted;
alter trigger refuse_days_twice_updated on public.campaign_figures rename to reject_overlapping_days_updated;
alter trigger check_place on public.client_assignments rename to check_client_role;
alter trigger note_place on public.client_assignments rename to update_has_client;
alter trigger note_place on public.client_invitations rename to update_has_client;
alter trigger check_place on public.client_members rename to check_client_role;
alter trigger note_place on public.client_members rename to update_has_client;
alter trigger refuse_lookers on public.client_members rename to reject_impersonated_writes;
alter trigger refuse_lookers on public.client_reads rename to reject_impersonated_writes;
alter trigger tell_of_report_day on public.clients rename to notify_report_planned;
alter trigger refuse_lookers on public.do_not_contact rename to reject_impersonated_writes;
alter trigger keep_figures_of_events on public.import_batches rename to reject_undo_of_events;
alter trigger tell_about_lead on public.leads rename to notify_about_lead;
alter trigger refuse_stale_text on public.page_content rename to reject_stale_save;
alter trigger switch_booking on public.page_content rename to update_booking_setting;
alter trigger forget_media_mentions on public.releases rename to delete_release_mentions;
alter trigger refuse_stale_text on public.site_settings rename to reject_stale_save;
alter trigger state_booking_zone on public.site_settings rename to set_booking_zone;
alter trigger state_whether_booking_is_on on public.site_settings rename to set_booking_status;

update private.personal_data set given_by = 'actions_on_others' where given_by = 'acts_on_others_of';
update private.personal_data set given = given - 'told_of' || '{"notifications": "notifications"}'
where schema_name = 'public' and table_name = 'client_members';
update private.jobs set function_name = 'mail_unread_reminders' where function_name = 'tell_unread_approvals';

create or replace function private.account_of(_user_id uuid) returns jsonb language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', person.id,
    'email', coalesce(person.email, ''),
    'phone', coalesce(person.phone, ''),
    'name', private.name_of(person.raw_user_meta_data),
    'standing', private.account_status(person.id),
    'created_at', person.created_at,
    'invited', person.invited_at is not null and person.last_sign_in_at is null,
    'email_confirmed_at', person.email_confirmed_at,
    'last_sign_in_at', person.last_sign_in_at,
    'banned_until', person.banned_until,
    'sessions', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', session.id, 'created_at', session.created_at,
        'last_active_at', coalesce(session.refreshed_at at time zone 'utc', session.created_at),
        'user_agent', coalesce(session.user_agent, ''), 'ip_address', coalesce(host(session.ip), '')
      ) order by coalesce(session.refreshed_at at time zone 'utc', session.created_at) desc)
      from auth.sessions as session where session.id in (select private.sessions_of(person.id))
    ), '[]'),
    'factors', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', factor.id, 'name', coalesce(factor.friendly_name, ''), 'type', factor.factor_type,
        'status', factor.status, 'created_at', factor.created_at
      ) order by factor.created_at)
      from auth.mfa_factors as factor where factor.user_id = person.id
    ), '[]'),
    'identities', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', identity.id, 'provider', identity.provider, 'email', coalesce(identity.email, ''),
        'created_at', identity.created_at, 'last_sign_in_at', identity.last_sign_in_at
      ) order by identity.created_at)
      from auth.identities as identity where identity.user_id = person.id
    ), '[]')
  )
  from auth.users as person where person.id = _user_id
$$;

create or replace function private.apply_changes(_ids uuid[]) returns jsonb language plpgsql set search_path = '' as $$
declare
  _group record;
  _change public.release_changes;
  _result record;
  _problems jsonb := '[]';
  _postponed jsonb;
  _done uuid[] := '{}';
  _waiting uuid[];
  _before integer;
begin
  -- One publication at a time, with rows in a fixed order, to avoid deadlocks.
  perform pg_advisory_xact_lock(7462205);
  begin
    for _group in
      select kind, action from public.release_changes as change join private.documents using (kind)
      where change.id = any (_ids) and is_item and to_regclass(format('public.%I', kind)) is not null
      group by kind, action order by array_position('{delete,update,create}'::text[], action), kind
    loop
      _done := _done || private.apply_ready_changes(_group.kind, _group.action, _ids);
    end loop;
  exception when others then
    -- Rethrows faults of the server, such as a deadlock or a full disk: the editor cannot fix them.
    if left(sqlstate, 2) in ('40', '53', '54', '55', '57', '58', 'XX') then
      raise;
    end if;
    _done := '{}';
  end;
  for _change in
    select * from public.release_changes where id = any (_ids) and id <> all (_done) order by kind, item_id
  loop
    _waiting := _waiting || _change.id;
    perform private.lock_item(_change.kind, _change.item_id);
  end loop;
  -- A slug may only be free after another change of the release was applied. Postponed changes are tried again.
  loop
    _before := cardinality(_waiting);
    _postponed := '[]';
    for _change in
      select * from public.release_changes where id = any (_waiting)
      order by array_position('{delete,update,create}'::text[], action), kind, item_id
    loop
      begin
        _result := private.apply_change(_change);
        if _result.problem is null then
          update public.release_changes set before = _result.live, after = _result.after
          where id = _change.id and not private.is_trial_publish();
        else
          _problems := _problems || jsonb_build_object(
            'change_id', _change.id, 'problem', _result.problem, 'fields', _result.fields, 'live', _result.live,
            'sentence', private.problem_sentence(_change, _result.problem, _result.fields, null)
          );
        end if;
        _waiting := array_remove(_waiting, _change.id);
      exception
        when unique_violation then
          _postponed := _postponed || jsonb_build_object(
            'change_id', _change.id, 'problem', 'taken',
            'sentence', private.problem_sentence(_change, 'taken', null, sqlerrm)
          );
        when others then
          if left(sqlstate, 2) in ('40', '53', '54', '55', '57', '58', 'XX') then
            raise;
          end if;
          _problems := _problems || jsonb_build_object(
            'change_id', _change.id, 'problem', 'refused',
            'sentence', private.problem_sentence(_change, 'refused', null, sqlerrm)
          );
          _waiting := array_remove(_waiting, _change.id);
      end;
    end loop;
    exit when coalesce(cardinality(_waiting), 0) = 0 or cardinality(_waiting) = _before;
  end loop;
  return _problems || _postponed;
end
$$;

create or replace function private.apply_ready_changes(_kind name, _action text, _ids uuid[]) returns uuid[]
language plpgsql set search_path = '' as $$
declare
  _known text[];
  -- Columns that a release does not write, because their values differ or the database generates them.
  _left text[];
  _names text;
  _ready text;
  _written text;
  _done uuid[];
begin
  select array_agg(attname::text),
    array_agg(attname::text) filter (
      where attname in ('id', 'created_at', 'updated_at') or attgenerated <> '' or attidentity <> ''
    )
  into _known, _left
  from pg_catalog.pg_attribute where attrelid = format('public.%I', _kind)::regclass and attnum > 0 and not attisdropped;
  select string_agg(format(case _action when 'update' then '%1$I = changed.%1$I' else '%I' end, attname), ', ') into _names
  from pg_catalog.pg_attribute
  where attrelid = format('public.%I', _kind)::regclass and attnum > 0 and not attisdropped and attgenerated = ''
    and attidentity = '' and attname <> 'updated_at' and (_action = 'create' or attname <> all (_left));
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
  ) select array_agg(id) from written', _ready, _written) into _done using _ids, _action, _known, _left;
  return coalesce(_done, '{}');
end
$$;

create or replace function private.cancel(_booking_id uuid, _by text) returns public.bookings
language plpgsql security definer set search_path = '' as $$
declare
  _booking public.bookings;
begin
  update public.bookings set state = 'cancelled', cancelled_by = _by, sequence = sequence + 1, updated_at = now()
    where id = _booking_id and state = 'booked' returning * into _booking;
  if not found then
    raise exception 'This call has already been cancelled.' using errcode = '22023';
  end if;
  perform private.mail_about_booking(_booking, 'cancelled');
  return _booking;
end
$$;

create or replace function private.clients_of_member() returns setof uuid language sql stable security definer set search_path = '' as $$
  select client_id from public.client_members
  join public.user_roles on user_roles.user_id = client_members.user_id and role = 'client' and approved
  where client_members.user_id = (select private.user_id())
  union all
  select client_id from private.impersonated_member()
$$;

create or replace function private.count_chat_message() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  added constant integer := octet_length(new.content);
  total integer;
begin
  update public.conversations
    set message_count = message_count + 1, content_bytes = content_bytes + added, last_message_at = now()
    where id = new.conversation_id and message_count < 500 and content_bytes + added <= 200000
    returning content_bytes into total;
  if not found then
    raise exception 'This conversation is full. Please start a new one.';
  end if;
  -- Summing up all sizes is slow, so it is done once per 20 kB of a conversation.
  if total / 20000 > (total - added) / 20000 then
    perform private.delete_oldest_conversations();
  end if;
  return null;
end
$$;

create or replace function private.create_invited_account(_email text, _role text) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  _address constant text := lower(trim(_email));
  _id uuid := gen_random_uuid();
  _claims constant jsonb := jsonb_build_object(
    'sub', _id, 'email', _address, 'email_verified', true, 'phone_verified', false
  );
begin
  perform private.require_admin();
  if _role is null or _role not in ('client', 'team') then
    raise exception 'Choose a role for the invitation: client or team member.' using errcode = '22023';
  end if;
  if _address is null or _address !~ '^[^@[:space:][:cntrl:]]+@[^@[:space:][:cntrl:]]+$' or length(_address) > 255 then
    raise exception 'Invalid email address' using errcode = '22023';
  end if;
  insert into auth.users (
    instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, invited_at,
    confirmation_token, recovery_token, email_change_token_new, email_change,
    raw_app_meta_data, raw_user_meta_data, created_at, updated_at
  ) values (
    '00000000-0000-0000-0000-000000000000', _id, 'authenticated', 'authenticated', _address, '', now(), now(),
    '', '', '', '', '{"provider": "email", "providers": ["email"]}', _claims, now(), now()
  ) on conflict (email) where is_sso_user = false do nothing;
  if found then
    insert into auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
    values (_id::text, _id, _claims, 'email', now(), now());
  else
    select id into _id from auth.users
    where email = _address and not is_sso_user and invited_at is not null and last_sign_in_at is null;
    if not found then
      raise exception 'This address already has an account. Find it in the list and change its role there.'
        using errcode = '23505';
    end if;
  end if;
  -- Does not demote an invited admin who has not signed in yet.
  insert into public.user_roles as roles (user_id, role, approved) values (_id, _role, true)
  on conflict (user_id) do update set role = excluded.role, approved = true where roles.role <> 'admin';
  perform private.log_account_action('invited', _id, _role);
  return _id;
end
$$;

create or replace function private.data_of(_user_id uuid, _with_chats boolean) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  _email constant text := (select coalesce(lower(email), '') from auth.users where id = _user_id);
  _source private.personal_data;
  _rows jsonb;
  _data jsonb := '{}';
begin
  if _email is null then
    return null;
  end if;
  for _source in select * from private.personal_data_sources() where section is not null loop
    if _source.needs_proof and not _with_chats then
      _rows := null;
    elsif _source.given_by is not null then
      execute format('select private.%I($1)', _source.given_by) into _rows using _user_id;
    else
      execute format(
        'select coalesce(jsonb_agg(jsonb_build_object(%s) order by item.%I), ''[]'') from %I.%I as item where %s',
        (select string_agg(format('%L, %s', key, private.column_in_sql(value)), ', ') from jsonb_each_text(_source.given)),
        _source.sorted_by, _source.schema_name, _source.table_name, private.person_condition_in_sql(_source)
      ) into _rows using _user_id, _email;
    end if;
    _data := _data || jsonb_build_object(_source.section, _rows);
  end loop;
  return _data;
end
$$;

create or replace function private.decide_approval(
  _client_id uuid, _approval_id uuid, _number integer, _verdict text, _comment text, _wording text, _person uuid
) returns void language plpgsql security definer set search_path = '' as $$
declare
  _said constant text := btrim(coalesce(_comment, ''), E' \t\r\n');
  _version public.approval_versions;
  _newest integer;
  _is_decided boolean;
  _decision public.approval_decisions;
begin
  select number, is_decided into _newest, _is_decided from private.lock_approval(_client_id, _approval_id);
  if _number is distinct from _newest then
    raise exception 'There is a newer version. Please read it first.' using errcode = 'P0001';
  elsif _is_decided then
    raise exception 'A colleague has already decided on this version.' using errcode = 'P0001';
  elsif _wording is not null and _verdict is distinct from 'changes' then
    raise exception 'Only a decision with changes can include an edited text.' using errcode = '22023';
  elsif _wording is null and _verdict in ('no', 'changes') and _said = '' then
    raise exception 'Please describe what should change.' using errcode = 'P0001';
  end if;
  if _wording is not null then
    select * into _version from public.approval_versions
    where client_id = _client_id and approval_id = _approval_id and number = _newest;
    if _wording = _version.text then
      raise exception 'The text is the same as before.' using errcode = 'P0001';
    elsif _newest >= 100 then
      raise exception 'A text can have at most 100 versions. Describe in a comment what should change instead.' using errcode = 'P0001';
    end if;
    insert into public.approval_versions (client_id, approval_id, number, text, asked_by, is_wording)
    values (_client_id, _approval_id, _newest + 1, _wording, _person, true);
  end if;
  insert into public.approval_decisions (client_id, approval_id, number, verdict, comment, decided_by)
  values (
    _client_id, _approval_id, case when _wording is null then _newest else _newest + 1 end,
    case when _wording is null then _verdict else 'yes' end, _said, _person
  )
  returning * into _decision;
  perform private.mail_requester_about_decision(_decision);
end
$$;

create or replace function private.delete_old_trash(_at_most integer default null) returns integer
language sql security definer set search_path = '' as $$
  select coalesce(sum(private.delete_items(kind, item_ids)), 0)::integer
  from (
    select kind, array_agg(item_id) from (
      select kind, item_id from public.deleted_content
      where deleted_at < now() - interval '30 days' order by deleted_at limit _at_most
    ) as due group by kind
  ) as old (kind, item_ids)
$$;

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
    select private.held_conversation() as id
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

create or replace function private.delete_personal_data(_user_id uuid, _with_chats boolean) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _email constant text := coalesce((select lower(email) from auth.users where id = _user_id), '');
  _source private.personal_data;
begin
  for _source in select * from private.personal_data_sources() where _with_chats or not needs_proof loop
    if _source.on_deletion = 'delete' then
      execute format(
        'delete from %I.%I as item where %s', _source.schema_name, _source.table_name, private.person_condition_in_sql(_source)
      ) using _user_id, _email;
    elsif _source.on_deletion = 'empty' then
      execute format(
        'update %I.%I as item set %s where %s', _source.schema_name, _source.table_name,
        (select string_agg(format('%I = default', name), ', ') from unnest(_source.emptied) as emptied (name)),
        private.person_condition_in_sql(_source)
      ) using _user_id, _email;
    end if;
  end loop;
  delete from auth.users where id = _user_id;
end
$$;

create or replace function private.guard_release_change() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _of private.documents;
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
  select * into _of from private.documents where kind = new.kind;
  if not found then
    raise exception 'Unknown kind of content: %.', new.kind using errcode = '22023';
  end if;
  if new.item_id = any (_of.keys_outside_releases) then
    raise exception 'This setting takes effect immediately and cannot be part of a release.' using errcode = '22023';
  end if;
  if tg_op = 'INSERT' and (
    select count(*) from public.release_changes where release_id = new.release_id
  ) >= 200 then
    raise exception 'A release can contain at most 200 changes.' using errcode = '54000';
  end if;
  new.changed_by := private.user_id();
  new.changed_at := clock_timestamp();
  if _of.is_item and new.action <> 'delete' then
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

create or replace function private.index_content() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _title name;
  _ids uuid[];
  _titles text[];
  _bodies text[];
begin
  if private.is_trial_publish() then
    return null;
  elsif tg_op = 'TRUNCATE' then
    delete from private.content_words where kind = tg_table_name::text;
    return null;
  elsif tg_op = 'DELETE' then
    delete from private.content_words using gone where kind = tg_table_name::text and item_id = gone.id;
    return null;
  end if;
  select title_column into _title from private.content_kinds where table_name = tg_table_name;
  if tg_op = 'INSERT' then
    select array_agg(id), array_agg(to_jsonb(added) ->> _title), array_agg(private.searchable_text(to_jsonb(added), _title))
    into _ids, _titles, _bodies from added;
  else
    with texts as materialized (
      select added.id, to_jsonb(added) ->> _title as title, private.searchable_text(to_jsonb(added), _title) as body,
        to_jsonb(gone) as former
      from added left join gone using (id)
    )
    select array_agg(id), array_agg(title), array_agg(body) into _ids, _titles, _bodies from texts
    where title is distinct from former ->> _title or body is distinct from private.searchable_text(former, _title);
  end if;
  with texts as materialized (
    select id, to_tsvector('pg_catalog.simple'::regconfig, title) as title, to_tsvector('pg_catalog.simple'::regconfig, body) as body
    from unnest(_ids, _titles, _bodies) as changed (id, title, body)
  ), indexed as (
    insert into private.content_words as kept (kind, item_id, title_words, words)
    select tg_table_name, id, title, setweight(title, 'A') || body from texts
    on conflict (kind, item_id) do update set title_words = excluded.title_words, words = excluded.words
    where kept.words <> excluded.words
    returning kept.words
  )
  insert into private.known_words (word)
  select distinct lexeme from indexed cross join unnest(tsvector_to_array(indexed.words)) as lexeme
  where length(lexeme) between 3 and 40
    and not exists (select from private.known_words as known where known.word = lexeme);
  return null;
end
$$;

create or replace function private.keep_versions() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _kind constant text := tg_table_name;
  _old jsonb;
  _data jsonb;
  _item_id text;
  _of private.documents;
  _author_id uuid;
  _action text := case tg_op when 'INSERT' then 'created' when 'UPDATE' then 'changed' else 'deleted' end;
  _changes text[] := '{}';
begin
  if private.is_trial_publish() then
    return null;
  end if;
  _old := private.written_columns(to_jsonb(old), tg_relid);
  _data := coalesce(private.written_columns(to_jsonb(new), tg_relid), _old);
  _item_id := private.document_key(_kind, _data);
  _author_id := private.user_id();
  select * into _of from private.documents where kind = _kind;
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
  if _of.is_item then
    if tg_op = 'DELETE' then
      insert into public.deleted_content as kept (kind, item_id, title, data, deleted_by)
        values (_kind, _item_id::uuid, coalesce(_data ->> _of.title_column, ''), _data, _author_id)
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

create or replace function private.limit_conversations() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if not private.count_for_address('conversation', private.client_address(), 10, interval '1 hour') then
    raise sqlstate 'PT429' using
      message = 'You have started many conversations. Try again in an hour, or book a meeting to talk to a person.';
  end if;
  perform private.delete_oldest_conversations();
  return new;
end
$$;

create or replace function private.lock_report_draft(_client_id uuid, _id uuid) returns public.client_reports
language plpgsql security definer set search_path = '' as $$
declare
  _report public.client_reports;
begin
  perform private.lock_assigned_client(_client_id);
  select * into _report from public.client_reports where client_id = _client_id and id = _id for update;
  if not found then
    raise exception 'This report no longer exists.' using errcode = 'P0001';
  elsif _report.hash is not null then
    raise exception 'This report has been sent and cannot be changed.' using errcode = 'P0001';
  end if;
  return _report;
end
$$;

create or replace function private.log_account_action(_action text, _person_id uuid, _role text default null) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.reject_oauth_applications();
  insert into public.people_log (actor_id, person_id, action, role)
  values (private.user_id(), _person_id, _action, _role);
end
$$;

create or replace function private.mail_about_booking(_booking public.bookings, _change text, _token text default null) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _variables constant jsonb := jsonb_build_object(
    'Email', _booking.email, 'Token', _token, 'When', private.format_slot(_booking.slot, _booking.time_zone),
    'Place', (select place from public.booking_rules),
    -- Anyone can enter the name and address of another person. Only a name of plain words is used, so that the mail
    -- cannot carry their message.
    'Greeting', case
      when _booking.name ~ '^[^[:space:][:cntrl:]0-9!-&(-,./:-@\[-`{-~]{1,20}( [^[:space:][:cntrl:]0-9!-&(-,./:-@\[-`{-~]{1,20}){0,2}$'
      then 'Hello ' || _booking.name || ',' else 'Hello,'
    end,
    'Topic', coalesce((
      select 'About ' || title || '.' from public.services where title = _booking.service and status = 'published' limit 1
    ), '')
  );
  _is_late boolean;
begin
  if private.count_for_subject('booking mail', lower(_booking.email), 20, interval '1 day') then
    _is_late := not private.count_for_subject('hourly booking mail', lower(_booking.email), 10, interval '1 hour');
    if _is_late then
      delete from private.mail_queue
        where template in ('booking_confirmed', 'booking_moved', 'booking_cancelled') and next_attempt_at > now()
          and attempts = 0 and variables -> 'Calendar' ->> 'uid' = _booking.id::text;
    end if;
    insert into private.mail_queue (recipient, template, variables, next_attempt_at) values (
      _booking.email, 'booking_' || _change, _variables || jsonb_build_object(
        'Calendar', private.calendar_event(_booking, case when _change = 'cancelled' then 'CANCEL' else 'REQUEST' end)
      ),
      case when _is_late then private.count_ends_at('hourly booking mail', lower(_booking.email)) else now() end
    );
  end if;
  perform private.mail_owner_about_booking(_booking, _change);
  delete from private.mail_queue where id = _booking.reminder_mail_id;
  -- The queue stores the reminder, so that it is sent exactly once, even after restarts.
  if _change <> 'cancelled' and lower(_booking.slot) - interval '24 hours' > now() then
    with reminder as (
      insert into private.mail_queue (recipient, template, variables, next_attempt_at)
      values (_booking.email, 'booking_reminder', _variables, lower(_booking.slot) - interval '24 hours')
      returning id
    )
    update public.bookings set reminder_mail_id = (select id from reminder) where id = _booking.id;
  end if;
end
$$;

create or replace function private.mail_client_about_approval(_version public.approval_versions) returns void
language sql security definer set search_path = '' as $$
  -- Materialized, because the planner could otherwise call count_for_subject() for other people's addresses.
  with people as materialized (
    select user_id, email, clients.name as client, approvals.title, approvals.kind
    from private.members_to_mail(_version.client_id, 'waiting'), public.clients
      join public.approvals on approvals.client_id = clients.id and approvals.id = _version.approval_id
    where clients.id = _version.client_id
  ), mailed as materialized (
    select *, replace(gen_random_uuid()::text || gen_random_uuid(), '-', '') as token, case
      when private.count_for_subject('approval mail', lower(email), 19, interval '1 day') then ''
      when private.count_for_subject('approval mail', lower(email), 20, interval '1 day')
        then 'This is the last approval email today. See your dashboard for further approvals.'
    end as more
    from people
  ), linked as (
    insert into private.approval_links (token_hash, client_id, approval_id, number, user_id, address_hash)
    select hash, _version.client_id, _version.approval_id, _version.number, user_id,
      private.hash_of_link(hash || lower(email))
    from mailed, private.hash_of_link(token) as hash where more is not null
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'approval_asked', jsonb_build_object(
    'Email', email, 'Title', title, 'Client', client, 'More', more,
    'Path', '/approve/' || token,
    'Access', 'The button works without a password for 14 days, in the first browser that opens it. Do not forward this email.',
    'What', case kind when 'text' then 'We wrote a text' when 'list' then 'We prepared a list' else 'We prepared a file' end,
    'Version', case
      when _version.number = 1 then ''
      when kind = 'text' then 'This is version ' || _version.number || ', with the changes marked.'
      else 'This is version ' || _version.number || '.'
    end,
    'Due', case
      when _version.due_on is null then ''
      else 'Please answer by ' || to_char(_version.due_on, 'FMDD FMMonth YYYY') || '.'
    end
  )
  from mailed where more is not null
$$;

create or replace function private.mail_client_about_quote(_quote public.figure_quotes) returns void
language sql security definer set search_path = '' as $$
  with people as materialized (
    select email, clients.name as client, private.format_figure_quote(_quote) as words, projects.title
    from private.members_to_mail(_quote.client_id, 'waiting'), public.clients, public.projects
    where clients.id = _quote.client_id and projects.id = _quote.project_id
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'quote_asked', jsonb_build_object('Email', email, 'Client', client, 'Figure', words, 'Title', title)
  from people where private.count_for_subject('approval mail', lower(email), 20, interval '1 day')
$$;

create or replace function private.mail_client_about_report(_report public.client_reports) returns void
language sql security definer set search_path = '' as $$
  -- Materialized, because the planner could otherwise call count_for_subject() for other people's addresses.
  with people as materialized (
    select member.email, clients.name as client
    from private.members_to_mail(_report.client_id, 'report') as member join public.clients on clients.id = _report.client_id
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'client_report', jsonb_build_object(
    'Email', email, 'Client', client, 'ReportId', _report.id, 'Hash', _report.hash, 'Message', _report.summary,
    'Period', case _report.span when 'month' then to_char(_report.first_day, 'FMMonth YYYY')
      else to_char(_report.first_day, 'FMDD FMMonth') || ' to ' || to_char(_report.last_day, 'FMDD FMMonth YYYY') end,
    'Correction', case when _report.corrects is null then '' else 'It replaces the report that we sent before.' end
  )
  from people where private.count_for_subject('report mail', lower(email), 20, interval '1 day')
$$;

create or replace function private.mail_invitation(
  _user_id uuid, _role text, _client_id uuid default null, _kind text default null
) returns boolean language plpgsql security definer set search_path = '' as $$
declare
  _email constant text := (select email from auth.users where id = _user_id);
  _client constant text := (select name from public.clients where id = _client_id);
  _is_proven constant boolean := private.has_proven_address(_user_id);
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
    'Inviter', coalesce(nullif(private.shown_name(private.user_id(), true), ''), 'Our team'),
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

create or replace function private.mail_owner_about_booking(_booking public.bookings, _change text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _owner constant text := (
    select setting_value from public.site_settings
    where setting_key = 'contact_email' and private.is_email(setting_value)
  );
  _when constant text := private.format_slot(_booking.slot, (select time_zone from public.booking_rules));
  _what constant text := case _change
    when 'confirmed' then 'A call was booked' when 'moved' then 'A call was moved' else 'A call was cancelled'
  end;
  _waiting bigint;
  _number integer;
begin
  if _owner is null then
    return;
  end if;
  -- The first notice about a customer is always sent immediately and is exempt from the shared limits.
  if private.count_for_subject('first booking notice', lower(_booking.email), 1, interval '1 hour') or (
    private.count_for_subject('booking notice about', lower(_booking.email), 3, interval '1 hour')
    and private.count_for_subject('booking notice', lower(_owner), 20, interval '1 hour')
  ) then
    insert into private.mail_queue (recipient, template, variables) values (
      _owner, 'booking_notice', jsonb_build_object(
        'Email', _booking.email, 'ReplyTo', _booking.email, 'Name', _booking.name, 'Phone', _booking.phone,
        'Message', _booking.message, 'Service', _booking.service, 'When', _when, 'Change', _what
      )
    );
    return;
  end if;
  select id, coalesce((variables ->> 'Count')::integer, 0) into _waiting, _number from private.mail_queue
    where template = 'booking_summary' and recipient = _owner and attempts = 0
    order by id desc limit 1 for update skip locked;
  _number := coalesce(_number, 0) + 1;
  if _waiting is null then
    insert into private.mail_queue (recipient, template, next_attempt_at)
      values (_owner, 'booking_summary', private.count_ends_at('booking notice', lower(_owner)))
      returning id into _waiting;
  end if;
  -- Lists only the first twenty, to limit the length of the mail.
  update private.mail_queue set variables = variables || jsonb_build_object(
    'Email', _owner, 'Count', _number,
    'Change', case _number when 1 then 'one further change' else _number || ' further changes' end
  ) || case when _number <= 20 then jsonb_build_object(
    'Message', concat_ws(E'\n', variables ->> 'Message', _what || ': ' || _when)
  ) else '{}' end
  where id = _waiting;
end
$$;

create or replace function private.mail_requester_about_quote(_quote public.figure_quotes, _verdict text) returns void
language sql security definer set search_path = '' as $$
  -- Materialized, because the planner could otherwise call count_for_subject() for other people's addresses.
  with asker as materialized (
    select users.email, clients.name as client, private.format_figure_quote(_quote) as words
    from public.user_roles join auth.users on users.id = user_roles.user_id, public.clients
    where user_roles.user_id = _quote.asked_by and user_roles.role = 'admin' and approved and clients.id = _quote.client_id and users.email <> ''
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'approval_decided', jsonb_build_object(
    'Email', email, 'Client', client, 'Verdict', _verdict, 'Title', coalesce(words, 'A figure'), 'Message', case _verdict
      when 'Agreed' then 'The page now shows the figure.' else 'The page does not show the figure.'
    end
  )
  from asker where private.count_for_subject('decision mail', lower(email), 100, interval '1 day')
$$;

create or replace function private.mail_unread_reminders(_at_most integer default null) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  _told integer;
begin
  with news as (
    insert into private.unread_reminders (client_id, approval_id, number)
    select unread.client_id, unread.approval_id, unread.number
    from private.unread_approvals() as unread
    where not exists (
      select from private.unread_reminders as told
      where (told.client_id, told.approval_id, told.number) = (unread.client_id, unread.approval_id, unread.number)
    )
    limit _at_most
    on conflict do nothing
    returning *
  ), mails as (
    insert into private.mail_queue (recipient, template, variables)
    select users.email, 'approval_unread', jsonb_build_object(
      'Email', users.email, 'Client', clients.name, 'Items', jsonb_agg(jsonb_build_object(
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
  select count(*) into _told from news;
  return _told;
end
$$;

create or replace function private.make_lead_of_booking() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.leads (source, name, email, phone, call_time, message, page, service)
    select 'booking', new.name, new.email, new.phone,
      left(private.format_slot(new.slot, (select time_zone from public.booking_rules)), 100), new.message, '/#booking',
      new.service
    where not exists (
      select from public.leads where lower(email) = lower(new.email) and status in ('new', 'contacted')
    );
  return null;
end
$$;

create or replace function private.media_column_updates(_table text) returns text language sql stable set search_path = '' as $$
  select string_agg(
    format('%1$I = private.replace_media_name(%1$I::text, $1, $2)::%2$s', attname, format_type(atttypid, atttypmod)), ', '
  )
  from pg_catalog.pg_attribute
  where attrelid = format('public.%I', _table)::regclass and attnum > 0 and not attisdropped and attgenerated = ''
    and atttypid = any ('{text,varchar,json,jsonb,text[]}'::regtype[])
$$;

create or replace function private.members_to_mail(_client_id uuid, _of text) returns table (user_id uuid, email text)
language sql stable security definer set search_path = '' as $$
  select users.id, users.email::text
  from public.client_members as member
    join public.user_roles as roles on roles.user_id = member.user_id and roles.role = 'client' and roles.approved
    join auth.users on users.id = member.user_id
  where member.client_id = _client_id and _of = any (member.notifications) and (member.kind = 'approver' or _of <> 'waiting')
    and users.email <> ''
$$;

create or replace function private.new_booking(
  _starts_at timestamptz, _name text, _email text, _phone text, _message text, _service text, _time_zone text
) returns public.bookings language plpgsql security definer set search_path = '' as $$
declare
  _rules public.booking_rules := (select rules from public.booking_rules as rules);
  _booking public.bookings;
begin
  _booking.name := private.line_of('Name', _name, 100);
  _booking.email := private.line_of('Email', _email, 255);
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
  _booking.service := private.line_of('Service', _service, 200);
  _booking.time_zone := case when private.is_time_zone(_time_zone) then _time_zone else _rules.time_zone end;
  return _booking;
end
$$;

create or replace function private.preview_query(_table text) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  _is_public text := '(it).status = ''published''';
begin
  if not (select is_item from private.documents where kind = _table) then
    return format(
      'with %2$s select %1$I.* from (select (it).* from changed) as %1$I where %3$s',
      _table, private.changed_rows(_table), private.visitor_condition(_table)
    );
  end if;
  if exists (
    select from pg_catalog.pg_attribute
    where attrelid = format('public.%I', _table)::regclass and attname = 'published_date' and not attisdropped
  ) then
    _is_public := _is_public || ' and (it).published_date <= greatest(now(), ($1).as_of)';
  end if;
  return format(
    'with %3$s
     select (it).* from (
       select case when %2$s then it else jsonb_populate_record(it, ''{"status": "published"}'') end as it from changed
       where (%2$s) or (($1).kind = %1$L and ($1).item_id = (it).id::text)
         or (($1).shows_drafts and ((it).status = ''draft'' or ($1).as_of is null))
       -- Calls the function once per row instead of once per column.
       offset 0
     ) as shown', _table, _is_public, private.changed_rows(_table)
  );
end
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
  update public.releases set publish_at = null, failed_at = clock_timestamp(), failure = private.sentences_of(_problems)
  where id = _release.id;
  _to := coalesce(
    (select email from auth.users where id = _release.scheduled_by and email <> ''),
    (select email from auth.users where id = _release.created_by and email <> ''),
    (select trim(setting_value) from public.site_settings where setting_key = 'contact_email')
  );
  if private.is_email(_to) then
    insert into private.mail_queue (recipient, template, variables) values (_to, 'release_failed', jsonb_build_object(
      'Email', _to, 'Name', _release.name, 'Message', private.sentences_of(_problems), 'ReleaseId', _release.id,
      'PlannedTime', to_char(_release.publish_at at time zone 'utc', 'FMDD FMMonth YYYY, HH24:MI "UTC"')
    ));
  end if;
  return true;
end
$$;

create or replace function private.raise_do_not_contact_alarm(
  _client public.clients, _source public.campaign_sources, _new private.taken_event[]
) returns void language plpgsql security definer set search_path = '' as $$
declare
  _campaign constant text := (
    select name from public.campaigns where client_id = _source.client_id and id = _source.campaign_id
  );
  _found record;
  _text text;
begin
  for _found in
    select id, entry_hint, count(*)::integer as times, max(happened_at) as latest from (
      select distinct on (event.event_key) entry.id, entry.hint as entry_hint, event.happened_at
      from unnest(_new) as event
        cross join lateral (
          select event.person_hash
          union all
          select array_to_string(labels[n:], '.')
          from (select string_to_array(regexp_replace(event.recipient, '^.*@', ''), '.')) as parts (labels),
            generate_subscripts(labels, 1) as n
        ) as spelled (value)
        join public.do_not_contact as entry on entry.client_id = _client.id and entry.value = spelled.value
      where event.metric = 'sent' and entry.created_at < event.happened_at
      order by event.event_key, length(entry.hint) desc
    ) as found group by id, entry_hint
  loop
    _text := 'The campaign “' || _campaign || '” wrote to ' || _found.entry_hint || ', which is on the blocklist, on '
      || to_char(_found.latest at time zone _client.time_zone, 'FMDD FMMonth YYYY') || '.';
    if private.raise_alarm(_client.id, 'left_alone', _source.campaign_id || ' ' || _found.id, _text, _found.times) then
      perform private.mail_team_about_alarm(_client.id, _text);
    end if;
  end loop;
end
$$;

create or replace function private.raise_full_source_alarm(_source public.campaign_sources, _times integer) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _text constant text := 'The source of the campaign “' || (
    select name from public.campaigns where client_id = _source.client_id and id = _source.campaign_id
  ) || '” has sent more events today than can be stored. Further events are not counted until tomorrow (UTC). Providers send'
    || ' them again. Rotate the address of the source if they are not yours.';
begin
  if private.raise_alarm(_source.client_id, 'incomplete', _source.campaign_id || ' full', _text, _times) then
    perform private.mail_team_about_alarm(_source.client_id, _text);
  end if;
end
$$;

create or replace function private.read_do_not_contact(_client_id uuid, _lines jsonb) returns table (
  line integer, kind text, value text, hint text, state text, reason text
) language sql stable security definer set search_path = '' set enable_nestloop = off as $$
  with given as materialized (
    select (item ->> 'line')::integer as line, private.normalise_entry(item ->> 'text') as text
    from jsonb_array_elements(_lines) as item
  ), sorted as (
    -- No bounded repetitions: they slow down the expression by their count.
    select line, text, case
      when length(text) > 320 or text ~ '^[=+@-]' or domain !~ '^([a-z0-9]([a-z0-9-]*[a-z0-9])?[.])+[a-z][a-z0-9-]*[a-z0-9]$'
        or length(domain) > 253 then null
      when text = domain then case when not private.is_mail_provider(text) then 'domain' end
      when length(text) - length(domain) <= 65 and text ~ '^[a-z0-9.!#$%&''+/=?^_`{|}~-]+@[^@]+$' then 'address'
    end as kind
    from given, lateral (select regexp_replace(text, '^[^@]*@', '')) as part (domain)
  ), read as (
    select line, text, kind, case kind when 'address' then private.hash_of_address(text) else text end as value,
      case kind when 'address' then left(text, 1) || '***@' || split_part(text, '@', 2) else left(text, 253) end as hint,
      min(line) over (partition by kind, text) as first_line
    from sorted
  )
  select read.line, read.kind, read.value, read.hint, case
      when read.kind is null then 'refused'
      when entry.id is not null or read.line > first_line then 'known'
      else 'new'
    end, case
      when read.kind is null and text ~ '^[=+@-]' then 'Starts with =, +, - or @ like a formula.'
      when read.kind is null and text ~ '[*]' then 'Wildcards (*) are not supported. Enter the full address or domain.'
      when private.is_mail_provider(text) then 'This is a shared email provider. Enter single addresses instead.'
      when read.kind is null and text ~ '@' then 'Not a valid email address.'
      when read.kind is null then 'Not a valid email address or domain. Use a domain such as example.com.'
      when entry.id is not null then 'Already on the list.'
      when read.line > first_line then 'Same as line ' || first_line || '.'
    end
  from read left join public.do_not_contact as entry
    on entry.client_id = _client_id and entry.value = read.value
$$;

create or replace function private.reader_id() returns uuid language sql stable security definer set search_path = '' as $$
  select coalesce(private.user_id(), (select user_id from private.impersonated_member()))
$$;

create or replace function private.reject_impersonated_writes() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.is_impersonating() then
    raise exception 'You are viewing the site as another person. Changes are not allowed.' using errcode = '42501';
  end if;
  return null;
end
$$;

create or replace function private.remember_slug() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  due_at timestamptz := to_jsonb(old) ->> 'published_date';
  is_still_public boolean := tg_op = 'UPDATE' and new.slug = old.slug and new.status = 'published';
begin
  if private.is_trial_publish() then
    return null;
  end if;
  if old.status = 'published' and coalesce(due_at <= now(), true) and not is_still_public then
    insert into public.slug_aliases (kind, slug, item_id) values (tg_table_name, old.slug, old.id)
    on conflict (kind, slug) do update set item_id = excluded.item_id, created_at = now();
  end if;
  return null;
end
$$;

create or replace function private.save_booking(_call public.bookings, _token text, _is_proven boolean) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  _booking public.bookings;
begin
  begin
    insert into public.bookings (slot, name, email, phone, message, service, time_zone, token_hash, is_proven) values (
      _call.slot, _call.name, _call.email, _call.phone, _call.message, _call.service, _call.time_zone,
      private.booking_token_hash(_token), _is_proven
    ) returning * into _booking;
  exception when exclusion_violation then
    raise sqlstate 'PT409' using message = 'This time was just taken. Please choose another.';
  end;
  perform private.mail_about_booking(_booking, 'confirmed', _token);
  return private.booking_details(_booking) || jsonb_build_object('token', _token);
end
$$;

create or replace function private.search_for(_typed text, out query tsquery, out words text[]) returns record
language plpgsql stable security definer set search_path = '' as $$
declare
  _word text;
  _meant text[];
  _either tsquery;
begin
  words := '{}';
  for _word in
    select lexeme from unnest(to_tsvector('pg_catalog.simple'::regconfig, left(_typed, 200))) order by positions[1] limit 8
  loop
    _meant := private.matching_words(_word);
    _either := to_tsquery('pg_catalog.simple'::regconfig,
      '''' || replace(replace(_word, '\', '\\'), '''', '''''') || ''':*');
    select coalesce(_either || to_tsquery('pg_catalog.simple'::regconfig, string_agg(
      '''' || replace(replace(meant, '\', '\\'), '''', '''''') || '''', ' | '
    )), _either) into _either from unnest(_meant) as meant;
    query := coalesce(query && _either, _either);
    words := words || _word || _meant;
  end loop;
end
$$;

create or replace function private.track_media_mentions() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if private.is_trial_publish() then
    return null;
  end if;
  if tg_op = 'DELETE' then
    delete from private.media_mentions where kind = tg_table_name::text and item_id = old.id::text;
  -- A row cast to text doubles quotes and backslashes. File names contain neither.
  elsif tg_op = 'INSERT' or new::text <> old::text then
    perform private.note_mentions(tg_table_name, new.id::text, new::text);
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
    perform private.note_mentions(tg_table_name, new.id::text, new::text);
    perform private.note_origins(tg_table_name, new.id, to_jsonb(new));
  end if;
  return null;
end
$$;

create or replace function private.user_id() returns uuid language sql stable security definer set search_path = '' as $$
  select case when not private.is_impersonating() then private.session_user_id() end
$$;

create or replace function public.add_campaign_source(
  _client_id uuid, _campaign_id uuid, _provider text, _metrics text[], _external_id text default '', _secret text default ''
) returns text language plpgsql security definer set search_path = '' as $$
declare
  _client constant public.clients := private.lock_assigned_client(_client_id);
  _token text;
  _hash text;
  _id uuid;
begin
  if not exists (select from public.campaigns where client_id = _client_id and id = _campaign_id) then
    raise exception 'This campaign no longer exists.' using errcode = 'P0001';
  elsif private.is_deleted_campaign(_client_id, _campaign_id) then
    raise exception 'This campaign was deleted. Restore it first.' using errcode = 'P0001';
  elsif exists (
    select from public.campaign_sources where client_id = _client_id and campaign_id = _campaign_id and ends_on is null
  ) then
    raise exception 'This campaign already has a source. Disconnect it first.' using errcode = 'P0001';
  end if;
  select * into _token, _hash from private.new_source_token();
  insert into public.campaign_sources (
    client_id, campaign_id, provider, external_id, token_hash, secret_hash, signing_secret, metrics, counts_from, added_by
  )
  select _client_id, _campaign_id, _provider, trim(_external_id), _hash, private.hash_of_secret(_secret),
    case _provider when 'smartlead' then nullif(trim(_secret), '') end, _metrics, greatest(
    (now() at time zone _client.time_zone)::date,
    (
      select max(last_day) + 1 from public.campaign_figures
      where client_id = _client_id and campaign_id = _campaign_id and metric = any (_metrics)
    ),
    (
      select max(ends_on) + 1 from public.campaign_sources
      where client_id = _client_id and campaign_id = _campaign_id and metrics && _metrics
    )
  ), private.user_id()
  returning id into _id;
  insert into public.import_batches (
    client_id, file_name, file_hash, column_map, new_count, changed_count, same_count, refused_count, imported_by, source_id
  ) values (_client_id, 'Events of ' || case _provider
    when 'smartlead' then 'Smartlead' when 'instantly' then 'Instantly' when 'lemlist' then 'lemlist' else 'our own'
  end, null, '{}', 0, 0, 0, 0, private.user_id(), _id);
  return _token;
end
$$;

create or replace function public.answer_figure_quote(_client_id uuid, _id uuid, _answer text, _value bigint) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _quote public.figure_quotes;
begin
  perform private.require_approver(_client_id);
  select * into _quote from public.figure_quotes where client_id = _client_id and id = _id and ended_at is null for update;
  if not found then
    raise exception 'This request was withdrawn.' using errcode = 'P0001';
  elsif _quote.answer is not null then
    raise exception 'A colleague has already answered this request.' using errcode = 'P0001';
  elsif _answer = 'yes' and private.value_of_quote(_quote) is distinct from _value then
    raise exception 'This figure has changed. Reload the page to read it again.' using errcode = 'P0001';
  end if;
  update public.figure_quotes set answer = coalesce(_answer, ''), answered_by = private.user_id(), answered_at = now()
  where client_id = _client_id and id = _id;
  perform private.mail_requester_about_quote(_quote, case _answer when 'yes' then 'Agreed' else 'Declined' end);
end
$$;

create or replace function public.approve_client_report(_client_id uuid, _id uuid, _seal text) returns text
language plpgsql security definer set search_path = '' as $$
declare
  _draft constant public.client_reports := private.lock_report_draft(_client_id, _id);
  _report public.client_reports := private.with_current_figures(_draft);
begin
  if _report.discarded_at is not null then
    raise exception 'This draft was discarded.' using errcode = 'P0001';
  elsif private.report_hash(_report) is distinct from _seal then
    raise exception 'The report has changed. Reload the page to read it again.' using errcode = 'P0001';
  elsif _report.summary <> '' and _report.figures <> _draft.figures then
    raise exception 'The figures changed after the summary was saved. Check the summary and save it again.'
      using errcode = 'P0001';
  end if;
  _report.approved_by := private.user_id();
  -- Read after the client is locked, so that reports form one chain.
  _report.sent_at := clock_timestamp();
  _report.previous_hash := (
    select hash from public.client_reports where client_id = _client_id and sent_at is not null order by sent_at desc limit 1
  );
  _report.decisions := private.unreported_decisions(_client_id);
  _report.hash := private.report_hash(_report);
  update public.client_reports set
    figures = _report.figures, approved_by = _report.approved_by, sent_at = _report.sent_at,
    previous_hash = _report.previous_hash, decisions = _report.decisions, hash = _report.hash
  where client_id = _client_id and id = _id;
  perform private.mail_client_about_report(_report);
  return _report.hash;
end
$$;

create or replace function public.approve_team_member(_user_id uuid, _approved boolean) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _email text := (select email from auth.users where id = _user_id);
  _registered_at timestamptz;
begin
  if not private.is_admin() then
    raise exception 'Only admins can approve or decline registrations.' using errcode = '42501';
  end if;
  if _approved is null then
    raise exception 'The decision must be true or false.' using errcode = '22004';
  end if;
  -- Serialises concurrent decisions: the second caller finds no pending registration.
  perform from public.user_roles where user_id = _user_id for update;
  if _approved then
    update public.user_roles set approved = true where user_id = _user_id and role = 'team' and not approved
    returning created_at into _registered_at;
  else
    delete from public.user_roles where user_id = _user_id and role = 'team' and not approved
    returning created_at into _registered_at;
  end if;
  if not found then
    if exists (select from public.registration_decisions where user_id = _user_id) then
      raise exception 'Someone has already decided on this registration.';
    end if;
    raise exception 'This person is not waiting for approval.';
  end if;
  insert into public.registration_decisions (user_id, email, approved, decided_by, registered_at)
  values (_user_id, coalesce(_email, ''), _approved, private.user_id(), _registered_at);
  perform private.log_account_action(case when _approved then 'approved' else 'declined' end, _user_id, 'team');
  if _approved then
    perform private.mail_about_registration(_email, 'registration_approved');
  else
    perform private.mail_about_registration(_email, 'registration_declined', interval '10 seconds');
  end if;
end
$$;

create or replace function public.ask_for_approval(
  _client_id uuid, _title text, _text text, _due_on date default null, _approval_id uuid default null
) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  _version public.approval_versions;
begin
  _version := private.add_approval_version(_client_id, 'text', _title, _text, _due_on, _approval_id);
  if exists (
    select from public.approval_versions as former
    where former.client_id = _client_id and former.approval_id = _version.approval_id
      and former.number = _version.number - 1 and former.text = _text
  ) then
    raise exception 'The text is the same as before.' using errcode = 'P0001';
  end if;
  perform private.mail_client_about_approval(_version);
  return _version.approval_id;
end
$$;

create or replace function public.ask_for_file_approval(
  _client_id uuid, _title text, _text text, _file_id uuid, _due_on date default null, _approval_id uuid default null
) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  _version public.approval_versions;
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only admins and assigned team members can ask for approval' using errcode = '42501';
  elsif not exists (select from public.client_files where client_id = _client_id and id = _file_id) then
    raise exception 'This file no longer exists.' using errcode = 'P0001';
  end if;
  _version := private.add_approval_version(_client_id, 'file', _title, _text, _due_on, _approval_id, _file_id);
  perform private.mail_client_about_approval(_version);
  return _version.approval_id;
end
$$;

create or replace function public.ask_for_list_approval(
  _client_id uuid, _title text, _text text, _rows jsonb, _is_trial boolean, _due_on date default null,
  _approval_id uuid default null
) returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  _version public.approval_versions;
  _answer jsonb;
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only admins and assigned team members can ask for approval' using errcode = '42501';
  elsif jsonb_typeof(_rows) is distinct from 'array' or jsonb_array_length(_rows) > 5000 then
    raise exception 'A list can have at most 5,000 rows. Split it into several approvals.' using errcode = '22023';
  end if;
  if not _is_trial then
    _version := private.add_approval_version(_client_id, 'list', _title, _text, _due_on, _approval_id);
  end if;
  with judged as materialized (
    select *, row_number() over (partition by state order by line) as place
    from private.read_list_rows(_client_id, _approval_id, _rows)
  ), added as (
    insert into public.approval_rows (client_id, approval_id, number, line, company, domain, person, note, fingerprint, hint)
    select _client_id, _version.approval_id, _version.number, line, company, domain, person, coalesce(note, ''), fingerprint, hint
    from judged
      left join (
        select (item ->> 'line')::integer as line, private.one_line(item ->> 'note', 500) as note
        from jsonb_array_elements(_rows) as item
      ) as given using (line)
    where state = 'new' and not _is_trial
  )
  select jsonb_build_object(
    'id', _version.approval_id, 'new', count(*) filter (where state = 'new'),
    'refused', count(*) filter (where state = 'refused'),
    'companies', count(distinct nullif(domain, '')) filter (where state = 'new'),
    'examples', coalesce(jsonb_agg(jsonb_build_object(
      'line', line, 'state', state, 'reason', reason,
      'text', left(coalesce(nullif(concat_ws(', ', nullif(person, ''), nullif(company, ''), nullif(hint, '')), ''), domain), 200)
    ) order by line) filter (where place <= 100), '[]')
  ) into _answer from judged;
  if not _is_trial then
    if (_answer ->> 'new')::integer = 0 then
      raise exception 'This list has no valid rows to approve.' using errcode = 'P0001';
    end if;
    perform private.mail_client_about_approval(_version);
  end if;
  return _answer;
end
$$;

create or replace function public.ask_to_quote_figure(
  _project_id uuid, _client_id uuid, _metric text, _first_day date, _last_day date
) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  _client public.clients;
  _quote public.figure_quotes;
begin
  perform private.require_admin();
  _client := private.lock_assigned_client(_client_id);
  -- Serialises concurrent requests for the same page.
  perform from public.projects where id = _project_id for update;
  if not found then
    raise exception 'This project no longer exists.' using errcode = 'P0001';
  elsif _client.is_sample then
    raise exception 'The sample client''s figures are fictional and cannot be quoted.' using errcode = 'P0001';
  elsif _last_day >= (now() at time zone _client.time_zone)::date then
    raise exception 'Only figures of past months can be quoted.' using errcode = 'P0001';
  elsif exists (
    select from public.figure_quotes
    where project_id = _project_id and ended_at is null and withdrawn_at is null and answer is distinct from 'no'
  ) then
    raise exception 'This page already quotes a figure or has an open request for one. Remove it first.' using errcode = 'P0001';
  end if;
  update public.figure_quotes set ended_at = now() where project_id = _project_id and ended_at is null;
  insert into public.figure_quotes (client_id, project_id, metric, first_day, last_day, asked_by)
  values (_client_id, _project_id, _metric, _first_day, _last_day, private.user_id()) returning * into _quote;
  if private.value_of_quote(_quote) is null then
    raise exception 'There is no figure for this period.' using errcode = 'P0001';
  end if;
  perform private.mail_client_about_quote(_quote);
  return _quote.id;
end
$$;

create or replace function public.book(
  _starts_at timestamptz, _name text, _email text, _phone text default '', _message text default '', _service text default '',
  _time_zone text default ''
) returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  _token text := private.token_of_request('booking');
  _known public.bookings;
  _call public.bookings;
  _wants_proof boolean;
begin
  if _token is not null then
    perform private.lock_bookings();
    select * into _known from public.bookings where token_hash = private.booking_token_hash(_token);
    if _known.state = 'booked' and lower(_known.slot) = _starts_at then
      return private.booking_details(_known) || jsonb_build_object('token', _token);
    end if;
  end if;
  _call := private.new_booking(_starts_at, _name, _email, _phone, _message, _service, _time_zone);
  _wants_proof := private.is_booking_limit_reached() or _call.slot && any (array(select private.held_slots()));
  if _wants_proof and not private.use_captcha_proof() then
    raise sqlstate 'PT428' using
      message = 'Many calls are being booked right now. Please confirm your address with the link that we email you.',
      hint = 'Call hold_booking with the same values to send the link, or pass a captcha proof in the x-captcha-proof header.';
  end if;
  perform private.limit_bookings(_call.email);
  return private.save_booking(
    _call, case when _token is null or _known.id is not null then private.new_booking_token() else _token end, _wants_proof
  );
end
$$;

create or replace function public.cancel_booking(_token text) returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  _booking public.bookings := private.open_booking(_token);
begin
  return private.booking_details(private.cancel(_booking.id, 'visitor'));
end
$$;

create or replace function public.client_archive(_client_id uuid, _part text, _offset integer default 0) returns setof jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  _works_for constant boolean := private.works_for_client(_client_id);
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
        'same', same_count, 'refused', refused_count, 'by', private.shown_name(imported_by, _works_for), 'at', batch.created_at,
        'undone_at', undone_at)
      from public.import_batches as batch where client_id = _client_id
      order by batch.created_at, batch.id limit 1000 offset _from;
    when 'approvals' then return query
      select jsonb_build_object('title', title, 'version', version.number, 'text', text, 'due_on', due_on,
        'asked_by', private.shown_name(asked_by, _works_for), 'asked_at', version.created_at, 'decision', verdict,
        'comment', comment, 'decided_by', private.shown_name(decided_by, _works_for), 'decided_at', decision.created_at,
        'approval', version.approval_id, 'sha256', private.approval_version_hash(version, decision.file_sha256))
      from public.approval_versions as version
        join public.approvals on approvals.client_id = version.client_id and approvals.id = version.approval_id
        left join public.approval_decisions as decision on decision.client_id = version.client_id
          and decision.approval_id = version.approval_id and decision.number = version.number
      where version.client_id = _client_id
      order by approvals.created_at, version.approval_id, version.number limit 200 offset _from;
    when 'meetings' then return query
      select jsonb_build_object('booked_on', booked_on, 'starts_at', starts_at, 'with', met_with, 'campaign', campaigns.name, 'outcome', outcome, 'evidence', evidence,
        'answer', answer, 'reason', reason, 'answered_by', private.shown_name(answered_by, _works_for),
        'answered_at', answered_at, 'answer_until', answer_until)
      from public.client_meetings as meeting
        left join public.campaigns on campaigns.client_id = meeting.client_id and campaigns.id = meeting.campaign_id
      where meeting.client_id = _client_id order by booked_on, meeting.id limit 1000 offset _from;
    when 'leave_alone' then return query
      select jsonb_build_object('kind', kind, 'entry', hint, 'added_at', created_at)
      from public.do_not_contact where client_id = _client_id order by created_at, id limit 1000 offset _from;
    when 'figures_on_the_site' then return query
      select jsonb_build_object('figure', private.format_figure_quote(quote), 'page', coalesce(projects.title, 'a page that was deleted'),
        'asked_by', private.shown_name(asked_by, _works_for), 'asked_at', asked_at, 'answer', answer,
        'answered_by', private.shown_name(answered_by, _works_for), 'answered_at', answered_at,
        'withdrawn_by', private.shown_name(withdrawn_by, _works_for), 'withdrawn_at', withdrawn_at, 'ended_at', ended_at,
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
    )
    select jsonb_build_object(
      'waiting', coalesce((select jsonb_agg(line order by due_on nulls last, place, since) from waiting), '[]'),
      'waiting_count', (select count(*) from texts) + (select count(*) from meetings) + (select count(*) from quotes),
      'next_call', (
        select min(booking.starts_at) from public.bookings as booking
        where booking.state = 'booked' and booking.ends_at > now() and lower(booking.email) in (
          select proven.address from private.proven_addresses as proven join auth.users on users.id = proven.user_id
          where proven.user_id = private.reader_id() and proven.address = users.email
        )
      )
    )
  );
end
$$;

create or replace function public.confirm_booking(_token text, _starts_at timestamptz default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  _held private.held_bookings;
  _call public.bookings;
  _start timestamptz;
begin
  perform private.lock_bookings();
  _held := private.held_booking_of(_token);
  if _held.token_hash is null then
    return private.booking_details(private.booking_of(_token)) || jsonb_build_object('token', _token);
  end if;
  _call := jsonb_populate_record(null::public.bookings, _held.call);
  _start := coalesce(_starts_at, lower(_held.slot));
  perform private.require_bookable_time(_start);
  perform private.limit_bookings_of(_call.email);
  _call.slot := (select tstzrange(_start, _start + make_interval(mins => length_minutes)) from public.booking_rules);
  -- Also deletes repeated requests of this address for the same time.
  delete from private.held_bookings where token_hash = _held.token_hash
    or (slot = _held.slot and lower(call ->> 'email') = lower(_call.email));
  return private.save_booking(_call, _token, true);
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
  if not private.has_proven_address(_id) and private.has_proven_mailbox() then
    perform private.delete_credentials(_id, _email, ((select auth.jwt()) ->> 'session_id')::uuid);
    insert into private.proven_addresses (user_id, address) values (_id, _email) on conflict do nothing;
  elsif private.has_proven_address(_id) and exists (select from public.client_invitations where user_id = _id) then
    -- The insert fires the trigger that turns invitations into memberships.
    insert into private.proven_addresses (user_id, address)
    select _id, _email where _email <> '' on conflict do nothing;
  end if;
  return private.has_proven_address(_id);
end
$$;

create or replace function public.correct_client_report(_client_id uuid, _id uuid) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  _client constant public.clients := private.lock_assigned_client(_client_id);
  _report public.client_reports;
  _new uuid;
begin
  select * into _report from public.client_reports where client_id = _client_id and id = _id;
  if _report.hash is null then
    raise exception 'This report has not been sent yet. Edit it instead.' using errcode = 'P0001';
  end if;
  insert into public.client_reports (client_id, span, first_day, last_day, figures, summary, corrects)
  values (_client_id, _report.span, _report.first_day, _report.last_day,
    private.report_figures(_client, _report.span, _report.first_day, _report.last_day), _report.summary, _id)
  on conflict do nothing returning id into _new;
  return coalesce(_new, (select id from public.client_reports where client_id = _client_id and corrects = _id));
end
$$;

create or replace function public.count_asked_questions(
  _days integer default 30, out asked integer, out answered integer, out unanswered integer
) returns record language sql stable set search_path = '' as $$
  select count(*)::integer,
    (count(*) filter (where noted.id is null and cardinality(source.urls) > 0))::integer,
    (count(*) filter (where noted.id is not null))::integer
  from public.chat_messages as question
  left join lateral (
    select next.role, next.content from public.chat_messages as next
    where next.conversation_id = question.conversation_id and next.created_at > question.created_at
    order by next.created_at limit 1
  ) as reply on reply.role = 'assistant'
  left join public.unanswered_questions as noted on noted.conversation_id = question.conversation_id
    and noted.question_hash = encode(sha256(convert_to(question.content, 'UTF8')), 'hex')
  cross join lateral private.linked_pages(coalesce(reply.content, '')) as source
  where question.role = 'user' and question.created_at > now() - make_interval(days => least(greatest(_days, 1), 366))
$$;

create or replace function public.create_preview_link(
  _kind text default null, _item_id text default null, _shows_drafts boolean default false, _as_of timestamptz default null,
  _hours integer default 24, _release_id uuid default null
) returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  _id constant uuid := gen_random_uuid();
  _token text;
  _link public.preview_links;
begin
  perform private.require_admin();
  perform private.reject_oauth_applications();
  if _hours is null or _hours not between 1 and 336 then
    raise exception 'A preview link must be valid for between 1 hour and 14 days.' using errcode = '22023';
  end if;
  if not isfinite(_as_of) or _as_of < now() - interval '1 day' or _as_of > now() + interval '5 years' then
    raise exception 'Please choose a date between today and five years from now.' using errcode = '22023';
  end if;
  if (_kind is null) <> (_item_id is null) or (_kind is not null and private.previewed_item(_kind, _item_id) is null) then
    raise exception 'Item not found.' using errcode = '22023';
  end if;
  if _release_id is not null and not exists (
    select from public.releases where id = _release_id and published_at is null
  ) then
    raise exception 'This release was not found or has already been published.' using errcode = '22023';
  end if;
  if _kind is null and _as_of is null and _release_id is null and not coalesce(_shows_drafts, false) then
    raise exception 'Please choose what the preview shows.' using errcode = '22023';
  end if;
  perform pg_advisory_xact_lock(hashtext('public.preview_links'));
  delete from public.preview_links where expires_at < now() - interval '30 days';
  if (select count(*) >= 100 from public.preview_links where revoked_at is null and expires_at > now()) then
    raise sqlstate 'PT429' using message = 'There are already 100 preview links. Revoke some of them first.';
  end if;
  if (
    select count(*) >= 60 from public.preview_links
    where created_by = private.user_id() and created_at > now() - interval '1 hour'
  ) then
    raise sqlstate 'PT429' using message = 'You created too many preview links. Try again in an hour.';
  end if;
  _token := private.preview_token(_id);
  insert into public.preview_links (id, token_hash, kind, item_id, shows_drafts, as_of, release_id, created_by, expires_at)
  values (
    _id, encode(sha256(convert_to(_token, 'UTF8')), 'hex'), _kind, _item_id,
    coalesce(_shows_drafts, false) and _kind is null, _as_of, _release_id, private.user_id(),
    now() + make_interval(hours => _hours)
  ) returning * into _link;
  return jsonb_build_object('id', _link.id, 'token', _token, 'expires_at', _link.expires_at);
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
  if not private.has_just_proven_identity() then
    raise exception 'Please confirm your identity: sign in again, then delete the account within five minutes.';
  end if;
  perform private.lock_admins();
  select role into _role from public.user_roles where user_id = _id and approved;
  if _role = 'admin'
    and not exists (select from public.user_roles where role = 'admin' and approved and user_id <> _id) then
    raise exception 'You are the only admin. Make someone else an admin first.';
  end if;
  perform private.log_account_action('deleted_own_account', _id, _role);
  perform private.delete_personal_data(_id, private.has_proven_mailbox());
end
$$;

create or replace function public.delete_permanently(_kind text, _item_ids uuid[]) returns integer
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return private.delete_items(_kind, _item_ids);
end
$$;

create or replace function public.delete_person(_user_id uuid) returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.begin_account_action(_user_id);
  perform private.log_account_action('deleted', _user_id, (select role from public.user_roles where user_id = _user_id));
  perform private.delete_personal_data(_user_id, true);
end
$$;

create or replace function public.end_campaign_source(_client_id uuid, _id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _client constant public.clients := private.lock_assigned_client(_client_id);
begin
  update public.campaign_sources set ends_on = (now() at time zone _client.time_zone)::date
  where client_id = _client_id and id = _id and ends_on is null;
end
$$;

create or replace function public.end_my_other_sessions() returns void language plpgsql security definer set search_path = '' as $$
begin
  if private.user_id() is null then
    raise exception 'Please sign in first.' using errcode = '42501';
  end if;
  perform private.reject_oauth_applications();
  perform private.end_sessions_of(private.user_id(), ((select auth.jwt()) ->> 'session_id')::uuid);
end
$$;

create or replace function public.end_my_session(_session_id uuid) returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.reject_oauth_applications();
  delete from auth.sessions where id = _session_id and user_id = (select private.user_id());
  if not found then
    raise exception 'This session has already ended.';
  end if;
end
$$;

create or replace function public.end_person_sessions(_user_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.begin_account_action(_user_id);
  perform private.end_sessions_of(_user_id);
  perform private.log_account_action('ended_sessions', _user_id);
end
$$;

create or replace function public.export_person(_user_id uuid) returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  _data jsonb;
begin
  perform private.require_admin();
  _data := private.data_of(_user_id, true);
  if _data is null then
    raise exception 'This account no longer exists.';
  end if;
  perform private.log_account_action('downloaded_data', _user_id);
  return _data;
end
$$;

create or replace function public.find_do_not_contact(_client_id uuid, _text text) returns table (
  id uuid, kind text, hint text, created_at timestamptz
) language sql stable set search_path = '' as $$
  select id, kind, hint, created_at from public.do_not_contact
  where client_id = _client_id and (
    kind = 'address' and value = private.hash_of_address(private.normalise_entry(_text))
    or kind = 'domain' and value in (
      select array_to_string(labels[n:], '.')
      from (select string_to_array(regexp_replace(private.normalise_entry(_text), '^.*@', ''), '.')) as parts (labels),
        generate_subscripts(labels, 1) as n
    )
  )
  order by kind, length(value) desc
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
  perform private.limit_proof_mails(_call.email);
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

create or replace function public.import_figures(_client_id uuid, _file jsonb, _rows jsonb, _is_trial boolean) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  _client constant public.clients := private.lock_assigned_client(_client_id);
  _batch_id constant uuid := gen_random_uuid();
  _judged private.validated_figure[];
  _answer jsonb;
begin
  if jsonb_typeof(_rows) is distinct from 'array' or jsonb_array_length(_rows) > 20000 then
    raise exception 'A file can have at most 20,000 lines.' using errcode = '22023';
  end if;
  if _file ->> 'period' is null or _file ->> 'period' not in ('day', 'week') then
    raise exception 'A file must contain either daily or weekly figures.' using errcode = '22023';
  end if;
  if jsonb_typeof(_file -> 'campaigns') = 'array' and jsonb_array_length(_file -> 'campaigns') > 50 then
    raise exception 'An import can create at most 50 campaigns.' using errcode = '22023';
  end if;
  begin
    insert into public.campaigns (client_id, id, name, channel, phase)
    select _client_id, id, trim(name), channel, 'running'
    from jsonb_to_recordset(coalesce(_file -> 'campaigns', '[]')) as created (id uuid, name text, channel text);
    _judged := array(
      select judged from private.validate_figures(_client, case _file ->> 'period' when 'week' then 6 else 0 end, _rows) as judged
    );
    _answer := private.summarise_import(_judged);
    if 10000 < (select count(*) from public.client_meetings where client_id = _client_id) + (
      select coalesce(sum(value - coalesce(before, 0)), 0) from unnest(_judged)
      where reason is null and metric = 'meetings' and value > coalesce(before, 0)
    ) then
      raise exception 'A client can have at most 10,000 meetings.' using errcode = 'P0001';
    end if;
    if _is_trial or (_answer ->> 'new')::integer + (_answer ->> 'changed')::integer = 0 then
      -- Rolls back the new campaigns. Variables keep their values.
      raise exception using errcode = 'SF001';
    end if;
  exception when sqlstate 'SF001' then
    null;
  end;
  if not _is_trial then
    perform private.store_source_totals(_client_id, _file ->> 'name', _judged);
  end if;
  if _is_trial or (_answer ->> 'new')::integer + (_answer ->> 'changed')::integer = 0 then
    return _answer;
  end if;
  insert into public.import_batches (
    client_id, id, file_name, file_hash, column_map, new_count, changed_count, same_count, refused_count, imported_by
  ) values (
    _client_id, _batch_id, _file ->> 'name', _file ->> 'hash', _file -> 'column_map', (_answer ->> 'new')::integer,
    (_answer ->> 'changed')::integer, (_answer ->> 'same')::integer,
    (_answer ->> 'refused')::integer + coalesce((_file ->> 'refused')::integer, 0), private.user_id()
  );
  update public.campaign_figures as former set replaced_by = _batch_id
  from unnest(_judged) as judged
  where judged.reason is null and judged.before <> judged.value and former.replaced_by is null
    and former.client_id = _client_id and former.campaign_id = judged.campaign_id and former.metric = judged.metric
    and former.first_day = judged.first_day;
  insert into public.campaign_figures (client_id, batch_id, campaign_id, metric, first_day, last_day, value)
  select _client_id, _batch_id, campaign_id, metric, first_day, last_day, value
  from unnest(_judged) where reason is null and before is distinct from value;
  return _answer || jsonb_build_object('batch', _batch_id);
end
$$;

create or replace function public.key_metric(public.projects) returns text language sql stable security definer set search_path = '' as $$
  select coalesce((
    select private.format_figure_quote(quote) from public.figure_quotes as quote
    where quote.project_id = $1.id and answer = 'yes' and withdrawn_at is null and ended_at is null
    order by asked_at desc limit 1
  ), $1.metric)
$$;

create or replace function public.lead_webhook_secret() returns text language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  perform private.reject_oauth_applications();
  return private.lead_webhook_secret();
end
$$;

create or replace function public.list_asked_questions(
  _search text default '', _before timestamptz default null, _limit integer default 24
) returns table (
  id uuid, conversation_id uuid, question text, asked_at timestamptz, reason text, source_titles text[], source_urls text[]
) language sql stable set search_path = '' as $$
  select asked.id, asked.conversation_id, asked.content, asked.created_at, noted.reason, source.titles, source.urls
  from (
    select * from public.chat_messages
    where role = 'user' and (_before is null or created_at < _before)
      and (coalesce(_search, '') = '' or position(lower(_search) in lower(content)) > 0)
    order by created_at desc limit least(greatest(_limit, 1), 100)
  ) as asked
  left join lateral (
    select next.role, next.content from public.chat_messages as next
    where next.conversation_id = asked.conversation_id and next.created_at > asked.created_at
    order by next.created_at limit 1
  ) as reply on reply.role = 'assistant'
  left join public.unanswered_questions as noted on noted.conversation_id = asked.conversation_id
    and noted.question_hash = encode(sha256(convert_to(asked.content, 'UTF8')), 'hex')
  cross join lateral private.linked_pages(coalesce(reply.content, '')) as source
  order by asked.created_at desc
$$;

create or replace function public.list_figure_quotes(_client_id uuid) returns table (
  id uuid, words text, value bigint, title text, path text, asked_at timestamptz, answer text, answered_by text,
  answered_at timestamptz, withdrawn_at timestamptz
) language plpgsql stable security definer set search_path = '' as $$
declare
  _works_for constant boolean := private.works_for_client(_client_id);
begin
  return query
    select quote.id, private.format_figure_quote(quote), private.value_of_quote(quote), coalesce(projects.title, 'a page that was deleted'),
      case when projects.status = 'published' then '/projects?case=' || projects.slug end, quote.asked_at, quote.answer,
      coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), case when _works_for then users.email end, '')::text,
      quote.answered_at, quote.withdrawn_at
    from public.figure_quotes as quote left join public.projects on projects.id = quote.project_id
      left join auth.users on users.id = coalesce(quote.withdrawn_by, quote.answered_by)
    where quote.client_id = _client_id and quote.ended_at is null and (quote.answer is not null or projects.id is not null)
    order by quote.answer is not null, quote.asked_at desc, quote.id limit 200;
end
$$;

create or replace function public.list_people(
  _search text default '', _standing text default '', _limit integer default 24, _offset integer default 0
) returns table (
  id uuid, email text, name text, standing text, created_at timestamptz, last_sign_in_at timestamptz, invited boolean,
  factors integer, sessions integer, total integer
) language plpgsql stable security definer set search_path = '' as $$
declare
  _found text := concat_ws(' and ',
    'select person.id, person.created_at from auth.users as person
       left join public.user_roles as place on place.user_id = person.id
     where person.deleted_at is null',
    case when trim(_search) <> '' then 'position($1 in lower(
      concat_ws('' '', person.email, person.phone, person.raw_user_meta_data ->> ''name'',
        case when coalesce(person.raw_user_meta_data ->> ''name'', '''') = '''' then person.raw_user_meta_data ->> ''full_name'' end)
    )) > 0' end,
    case _standing
      when '' then null
      when 'invited' then 'person.invited_at is not null and person.last_sign_in_at is null'
      when 'declined' then 'place.role is null and person.id in (select user_id from declined)'
      when 'none' then 'place.role is null and person.id not in (select user_id from declined)'
      else '$2 = case when place.approved then place.role else ''pending'' end and place.role is not null'
    end);
  _ids uuid[];
  _total integer;
  _first constant integer := greatest(_offset, 0);
  _length constant integer := least(greatest(_limit, 1), 200);
begin
  perform private.require_admin();
  if trim(_search) = '' and _standing = '' then
    select count(*) into _total from auth.users as person where person.deleted_at is null;
    if _first > _total - _first then
      _ids := array(
        select person.id from auth.users as person where person.deleted_at is null
        order by person.created_at nulls first, person.id desc
        limit least(_length, greatest(_total - _first, 0)) offset greatest(_total - _first - _length, 0)
      );
    else
      _ids := array(
        select person.id from auth.users as person where person.deleted_at is null
        order by person.created_at desc nulls last, person.id limit _length offset _first
      );
    end if;
  else
    execute format(
      'with declined as materialized (
         select last.user_id from (
           select distinct on (decision.user_id) decision.user_id, decision.approved, decision.withdrawn_at
           from public.registration_decisions as decision order by decision.user_id, decision.decided_at desc
         ) as last
         where not last.approved and last.withdrawn_at is null
       ), found as materialized (%s)
       select (select count(*) from found), array(
         select id from found order by created_at desc nulls last, id limit $3 offset $4
       )', _found
    ) into _total, _ids using lower(trim(_search)), _standing, _length, _first;
  end if;
  return query
    select person.id, coalesce(nullif(person.email, ''), person.phone, '')::text,
      private.name_of(person.raw_user_meta_data), private.account_status(person.id), person.created_at, person.last_sign_in_at,
      person.invited_at is not null and person.last_sign_in_at is null,
      (
        select count(*)::integer from auth.mfa_factors
        where user_id = person.id and status = 'verified' and factor_type::text <> 'recovery_code'
      ),
      (select count(*)::integer from private.sessions_of(person.id)),
      _total
    from auth.users as person where person.id = any (_ids)
    order by person.created_at desc nulls last, person.id;
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
    where link.expires_at > now() and link.revoked_at is null and private.is_live(link)
    order by link.created_at desc, link.id;
end
$$;

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
  elsif not private.has_proven_address(_user_id) then
    raise exception 'This person has not confirmed their email address. Only people with a confirmed address can become admins.';
  end if;
  update public.user_roles set role = 'admin' where user_id = _user_id;
  -- Admins work for every client, so they cannot decide as one of its people.
  delete from public.client_members where user_id = _user_id;
  delete from public.client_invitations where user_id = _user_id;
  perform private.log_account_action('made_admin', _user_id, 'admin');
  insert into private.mail_queue (recipient, template, variables)
  select told.email, 'admin_added', jsonb_build_object(
    'Email', told.email, 'Name', added.email, 'Inviter', coalesce(private.shown_name(private.user_id(), true), 'The owner'),
    'UserId', _user_id
  )
  from auth.users as added, public.user_roles as roles join auth.users as told on told.id = roles.user_id
  where added.id = _user_id and roles.role = 'admin' and roles.approved and told.email <> '';
end
$$;

create or replace function public.make_client(_user_id uuid) returns void language plpgsql security definer set search_path = '' as $$
declare
  _email constant text := (select email from auth.users where id = _user_id);
begin
  perform private.begin_account_action(_user_id);
  insert into public.user_roles as roles (user_id, role, approved) values (_user_id, 'client', true)
  on conflict (user_id) do update set role = 'client', approved = true where roles.role <> 'client' or not roles.approved;
  if not found then
    raise exception 'This person is already a client.';
  end if;
  -- Withdraws an earlier rejection and its unsent mail.
  update public.registration_decisions set withdrawn_at = now(), withdrawn_by = private.user_id()
  where user_id = _user_id and not approved and withdrawn_at is null;
  delete from private.mail_queue where recipient = _email and template = 'registration_declined';
  perform private.log_account_action('made_client', _user_id, 'client');
end
$$;

create or replace function public.move_booking(_token text, _starts_at timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  _booking public.bookings := private.open_booking(_token);
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
  return private.data_of(private.user_id(), private.has_proven_mailbox());
end
$$;

create or replace function public.open_preview(_token text) returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  _told constant jsonb := private.preview_details(_token);
begin
  if _told ->> 'state' = 'unknown'
    and not private.count_for_address('preview', private.client_address(), 30, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'Too many invalid preview links. Try again in an hour.';
  end if;
  return _told;
end
$$;

create or replace function public.preview_state() returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.preview_details(private.request_preview_token())
$$;

create or replace function public.publish_release(_id uuid) returns void language plpgsql security definer set search_path = '' as $$
declare
  _problems jsonb;
begin
  perform private.require_admin();
  _problems := private.publish_claimed_release(_id, private.user_id());
  if jsonb_array_length(_problems) > 0 then
    raise exception 'Nothing was published. %', private.sentences_of(_problems) using errcode = 'PT409';
  end if;
end
$$;

create or replace function public.quote_of_project(_project_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (
    select jsonb_build_object('client', clients.name, 'words', private.format_figure_quote(quote), 'answer', quote.answer,
      'answered_at', quote.answered_at, 'withdrawn_at', quote.withdrawn_at, 'asked_at', quote.asked_at)
    from public.figure_quotes as quote join public.clients on clients.id = quote.client_id
    where quote.project_id = _project_id and quote.ended_at is null order by quote.asked_at desc limit 1
  );
end
$$;

create or replace function public.read_booking(_token text) returns jsonb language sql stable security definer set search_path = '' as $$
  select coalesce(
    private.held_booking_details(private.held_booking_of(_token)), private.booking_details(private.booking_of(_token))
  )
$$;

create or replace function public.register_with_role(_user_id uuid, _role text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if private.user_id() is null or _user_id is distinct from private.user_id() then
    raise exception 'You can only register yourself.' using errcode = '42501';
  end if;
  if _role is null or _role not in ('client', 'team') then
    raise exception 'You can register as a client or as a team member.' using errcode = '42501';
  end if;
  if private.is_declined(_user_id) then
    raise exception 'Your registration was declined.' using errcode = '42501';
  end if;
  insert into public.user_roles (user_id, role, approved) values (_user_id, _role, _role = 'client')
  on conflict (user_id) do nothing;
  if not found then
    raise exception 'You have already registered.' using errcode = '23505';
  end if;
  if _role = 'team' then
    perform private.mail_admins_about_registration((select email from auth.users where id = _user_id));
  end if;
end
$$;

create or replace function public.renew_lead_webhook_secret() returns text language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  perform private.reject_oauth_applications();
  update private.secrets set value = private.new_secret() where name = 'lead_webhook';
  return private.lead_webhook_secret();
end
$$;

create or replace function public.replace_media(_name text, _by text) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  _old private.media_files;
  _new private.media_files;
  _table text;
  _places integer := 0;
  _changed integer;
begin
  perform private.require_admin();
  -- Locks both rows in a fixed order, so that concurrent replacements do not deadlock.
  perform from private.media_files where name in (_name, _by) order by name for update;
  select * into _old from private.media_files where name = _name;
  select * into _new from private.media_files where name = _by;
  if _old.name is null or _new.name is null then
    raise exception 'File not found';
  end if;
  if _name = _by then
    raise exception 'A file cannot be replaced by itself.' using errcode = '22023';
  end if;
  if _old.kind <> _new.kind then
    raise exception 'A file can only be replaced by one of the same type: this one is %, the other is %.',
      case _old.kind when 'image' then 'a picture' when 'document' then 'a document' when 'video' then 'a video' else 'a sound' end,
      case _new.kind when 'image' then 'a picture' when 'document' then 'a document' when 'video' then 'a video' else 'a sound' end
      using errcode = '22023';
  end if;
  if _by !~ '^[A-Za-z0-9_./-]+$' then
    raise exception 'The new file''s name contains characters that can be encoded in several ways in a URL. Upload it under another name.'
      using errcode = '22023';
  end if;

  for _table in select kind from private.documents loop
    execute format(
      'update public.%1$I as item set %2$s
       where id in (select item_id::uuid from private.media_mentions where kind = %1$L and mention_key = $3)
         and private.mentions_media(item::text, $1)', _table, private.media_column_updates(_table)
    ) using _name, _by, _old.mention_key;
    get diagnostics _changed = row_count;
    _places := _places + _changed;
  end loop;
  update public.release_changes as change
  set data = private.replace_media_name(data::text, _name, _by)::jsonb,
    base = private.replace_media_name(base::text, _name, _by)::jsonb
  from public.releases
  where releases.id = release_id and published_at is null
    and private.mentions_media(concat(data::text, base::text), _name);
  get diagnostics _changed = row_count;

  update storage.objects
  set user_metadata = jsonb_strip_nulls(jsonb_build_object(
      'alt', nullif(_old.alt, ''), 'folder', nullif(_old.folder, ''),
      'focal_x', round(_old.focal_x::numeric, 3), 'focal_y', round(_old.focal_y::numeric, 3)
    )) || coalesce(user_metadata, '{}')
  where bucket_id = 'content-media' and name = _by;
  return _places + _changed;
end
$$;

create or replace function public.reset_person_factors(_user_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.begin_account_action(_user_id);
  delete from auth.mfa_factors where user_id = _user_id;
  -- Not every version of the authentication service has passkeys.
  if to_regclass('auth.webauthn_credentials') is not null then
    execute 'delete from auth.webauthn_credentials where user_id = $1' using _user_id;
  end if;
  perform private.end_sessions_of(_user_id);
  perform private.log_account_action('reset_factors', _user_id);
end
$$;

create or replace function public.restore_team_member(_user_id uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  _decision public.registration_decisions;
  _untold boolean;
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
  select coalesce(bool_and(attempts = 0), false) into _untold from withdrawn;
  return _untold;
end
$$;

create or replace function public.revoke_access(_user_id uuid) returns void language plpgsql security definer set search_path = '' as $$
declare
  _role text;
  _registered_at timestamptz;
begin
  perform private.begin_account_action(_user_id);
  delete from public.user_roles where user_id = _user_id and role in ('client', 'team') and approved
  returning role, created_at into _role, _registered_at;
  if not found then
    raise exception 'You can only revoke the access of clients and approved team members.';
  end if;
  insert into public.registration_decisions (user_id, email, approved, revoked, role, decided_by, registered_at)
  select id, coalesce(email, ''), false, true, _role, private.user_id(), _registered_at
  from auth.users where id = _user_id;
  perform private.log_account_action('revoked', _user_id, _role);
end
$$;

create or replace function public.revoke_preview_link(_id uuid) returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  perform private.reject_oauth_applications();
  update public.preview_links set revoked_at = now() where id = _id and revoked_at is null;
end
$$;

create or replace function public.rotate_campaign_source(_client_id uuid, _id uuid, _secret text default '') returns text
language plpgsql security definer set search_path = '' as $$
declare
  _token text;
  _hash text;
begin
  perform private.lock_assigned_client(_client_id);
  select * into _token, _hash from private.new_source_token();
  update public.campaign_sources set token_hash = _hash, secret_hash = private.hash_of_secret(_secret),
    signing_secret = case provider when 'smartlead' then nullif(trim(_secret), '') end
  where client_id = _client_id and id = _id and ends_on is null;
  if not found then
    raise exception 'This source has been disconnected.' using errcode = 'P0001';
  end if;
  return _token;
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
  select * into _found from private.search_for(_query);
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
  return query select 'people'::text, people.id, people.told from private.find_people(_query) as people;
end
$$;

create or replace function public.set_campaign_text(
  _client_id uuid, _campaign_id uuid, _approval_id uuid, _is_sent boolean, _step integer default null
) returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.lock_assigned_client(_client_id);
  if _is_sent then
    insert into public.campaign_texts (client_id, campaign_id, approval_id, step, added_by)
    values (_client_id, _campaign_id, _approval_id, _step, private.user_id())
    on conflict (client_id, campaign_id, approval_id) do update set step = excluded.step;
  else
    delete from public.campaign_texts
    where client_id = _client_id and campaign_id = _campaign_id and approval_id = _approval_id;
  end if;
end
$$;

create or replace function public.set_my_client_mails(_client_id uuid, _told_of text[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if _client_id not in (select private.clients_of_member()) then
    raise exception 'Only this client''s own people can do this' using errcode = '42501';
  end if;
  update public.client_members set notifications = _told_of where client_id = _client_id and user_id = private.user_id();
end
$$;

create or replace function public.start_client_report(_client_id uuid, _span text, _first_day date) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  _client constant public.clients := private.lock_assigned_client(_client_id);
  _last_day constant date := case _span when 'week' then _first_day + 6 else (_first_day + interval '1 month - 1 day')::date end;
  _report public.client_reports;
begin
  if _span = 'week' and extract(isodow from _first_day) <> _client.first_weekday
    or _span = 'month' and extract(day from _first_day) <> 1 then
    raise exception 'The first day must be the start of a week or month for this client.' using errcode = '22023';
  elsif _last_day >= (now() at time zone _client.time_zone)::date then
    raise exception 'A report can only cover a period that has ended.' using errcode = 'P0001';
  end if;
  select * into _report from public.client_reports
  where client_id = _client_id and span = _span and first_day = _first_day and corrects is null for update;
  if _report.hash is not null then
    raise exception 'A report for this period already exists. Open it and correct it.' using errcode = 'P0001';
  elsif found then
    if _report.discarded_at is not null then
      update public.client_reports set discarded_at = null, summary = '',
        figures = private.report_figures(_client, _span, _first_day, _last_day)
      where client_id = _client_id and id = _report.id;
    end if;
    return _report.id;
  end if;
  insert into public.client_reports (client_id, span, first_day, last_day, figures)
  values (_client_id, _span, _first_day, _last_day, private.report_figures(_client, _span, _first_day, _last_day))
  returning id into _report.id;
  return _report.id;
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
  select * into _opened from private.open_source(_token_hash, _secret_hash);
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
      lower(trim(recipient)) as recipient, raw
    from jsonb_to_recordset(_events) as given (
      key text, kind text, metric text, is_known boolean, at timestamptz, campaign text, step integer, recipient text, raw jsonb
    )
    order by key
  ), placed as (
    select *, (happened_at at time zone _client.time_zone)::date as day,
      _stored + sum(500 + octet_length(raw::text)) over (order by key) <= 32 * 1024 * 1024 as keeps_raw
    from given
  ), taken as (
    insert into public.inbound_events (
      client_id, source_id, event_key, kind, metric, state, day, happened_at, step, person_hash, hint, recipient, raw
    )
    select _client.id, _source.id, key, kind, metric, case
        when not is_known then 'unknown'
        when _source.external_id <> '' and campaign <> '' and campaign <> _source.external_id then 'elsewhere'
        when happened_at > now() + interval '10 minutes' then 'untimely'
        when metric is not null and day >= _source.counts_from then 'counted'
        else 'noted'
      end, day, happened_at, step, case when recipient <> '' then private.hash_of_address(recipient) end,
      case when recipient like '%@%' then left(recipient, 1) || '***@' || left(split_part(recipient, '@', 2), 250) else '' end,
      nullif(recipient, ''), case when keeps_raw then raw end
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
  return coalesce(array_length(_new, 1), 0);
end
$$;

create or replace function public.submit_lead(
  _source text, _email text, _name text default '', _phone text default '', _call_time text default '',
  _message text default '', _page text default '', _service text default '', _website text default ''
) returns void language plpgsql security definer set search_path = '' as $$
declare
  _lead constant public.leads :=
    private.new_lead(_source, _email, _name, _phone, _call_time, _message, _page, _service, _website);
begin
  if _lead.source is null then
    return;
  end if;
  if not private.claim_request('submit_lead') then
    return;
  end if;
  if not private.count_for_subject('lead', '', 500, interval '1 day') then
    if not private.use_captcha_proof() then
      raise sqlstate 'PT428' using
        message = 'Many people are writing right now. Please confirm your address with the link that we email you.',
        hint = 'Call hold_lead with the same values to send the link, or pass a captcha proof in the x-captcha-proof header.';
    end if;
    if not private.count_for_subject('proven lead', '', 10000, interval '1 day') then
      raise sqlstate 'PT429' using message = 'Too many people are writing right now. Please send us an email instead.';
    end if;
  end if;
  perform private.save_lead(_lead);
end
$$;

create or replace function public.undo_import(_client_id uuid, _batch_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  _kept jsonb;
  _brought integer;
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
    into _brought, _restored;
  return jsonb_build_object('removed', _brought - _restored, 'restored', _restored, 'kept', _kept);
end
$$;

create or replace function public.veto_rows(
  _client_id uuid, _approval_id uuid, _number integer, _lines integer[] default '{}'::integer[], _domain text default null,
  _and_leave_alone boolean default false, _is_back boolean default false
) returns integer language plpgsql security definer set search_path = '' as $$
declare
  _count integer;
begin
  perform private.require_approver(_client_id);
  _count := private.veto_rows(_client_id, _approval_id, _number, _lines, _domain, _is_back, private.user_id());
  if _and_leave_alone and not _is_back then
    perform private.add_do_not_contact_of_rows(_client_id, _approval_id, _number, _lines, _domain);
  end if;
  return _count;
end
$$;

create or replace function public.withdraw_figure_quote(_client_id uuid, _id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _quote public.figure_quotes;
begin
  perform private.require_approver(_client_id);
  update public.figure_quotes set withdrawn_by = private.user_id(), withdrawn_at = now()
  where client_id = _client_id and id = _id and answer = 'yes' and withdrawn_at is null returning * into _quote;
  if not found then
    raise exception 'This consent has already been withdrawn.' using errcode = 'P0001';
  end if;
  perform private.mail_requester_about_quote(_quote, 'Withdrawn');
end
$$;

drop policy "Visitors read when somebody answers" on public.site_settings;

drop policy "Visitors read what they may leave" on public.site_settings;

drop policy "Visitors read that the chat is switched off" on public.site_settings;

drop policy "Visitors read how long things are kept" on public.site_settings;

drop policy "Team members read whom their clients leave alone" on public.do_not_contact;

drop policy "Team members read who works for their clients" on public.client_assignments;

drop policy "Team members read what their clients took off" on public.approval_vetoes;

drop policy "Team members read what their clients opened" on public.client_reads;

drop policy "Team members read what files their clients have" on public.client_files;

drop policy "People write to the conversation whose id they hold" on public.chat_messages;

drop policy "People touch the conversation whose id they hold" on public.conversations;

drop policy "People read the messages of the conversation whose id they hold" on public.chat_messages;

drop policy "People read the conversation whose id they hold" on public.conversations;

drop policy "Members take off what they added" on public.do_not_contact;

drop policy "Members read whom their clients leave alone" on public.do_not_contact;

drop policy "Members read where they belong" on public.client_members;

drop policy "Members read what their clients took off" on public.approval_vetoes;

drop policy "Members read what their clients are asked to approve" on public.approvals;

drop policy "Members read what files their clients have" on public.client_files;

drop policy "Members read the versions that their clients are asked for" on public.approval_versions;

drop policy "Members read the rows that their clients are asked for" on public.approval_rows;

drop policy "Members read the reports that their clients were sent" on public.client_reports;

drop policy "Members read the comments on what their clients approve" on public.approval_comments;

drop policy "Holders of a link see the file that it is to" on storage.objects;

drop policy "Everybody reads addresses that were public" on public.slug_aliases;

drop policy "Admins remove from releases" on public.release_changes;

drop policy "Admins read who subscribed" on public.newsletter_subscribers;

drop policy "Admins read what was done to accounts" on public.people_log;

drop policy "Admins read what waits in releases" on public.release_changes;

drop policy "Admins read what the webhook was told" on public.lead_webhook_deliveries;

drop policy "Admins read what files all clients have" on public.client_files;

drop policy "Admins read what clients opened" on public.client_reads;

drop policy "Admins read what all clients took off" on public.approval_vetoes;

drop policy "Admins read how often the site is visited" on public.visit_counts;

drop policy "Admins read how much the chat is used" on public.chat_usage;

drop policy "Admins read all totals to compare with" on public.source_totals;

drop policy "Admins read all texts of campaigns" on public.campaign_texts;

drop policy "Admins read all lists of whom to leave alone" on public.do_not_contact;

drop policy "Admins read all figures that count" on public.campaign_figures;

drop policy "Admins make leads from transcripts" on public.leads;

drop policy "Admins keep originals" on storage.objects;

drop policy "Admins end assignments" on public.client_assignments;

drop policy "Admins change what waits in releases" on public.release_changes;

drop policy "Admins change what members may do" on public.client_members;

drop policy "Admins change what invited people may do" on public.client_invitations;

drop policy "Admins and team members follow leads up" on public.leads;

drop policy "Admins and assigned team members take entries off" on public.do_not_contact;

drop policy "Admins and assigned team members delete what nobody answered" on public.client_meetings;

drop policy "Admins and assigned team members bring files to clients" on storage.objects;

drop policy "Admins add to releases" on public.release_changes;

create or replace function private.add_approval_version(
  _client_id uuid, _kind text, _title text, _text text, _due_on date, _approval_id uuid, _file_id uuid default null
) returns public.approval_versions language plpgsql security definer set search_path = '' as $$
declare
  _id uuid := _approval_id;
  _newest integer := 0;
  _version public.approval_versions;
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only admins and assigned team members can ask for approval' using errcode = '42501';
  end if;
  if _id is null then
    -- Locks the client, so that concurrent calls cannot exceed the limit.
    perform from public.clients where id = _client_id for no key update;
    if (select count(*) from public.approvals where client_id = _client_id) >= 2000 then
      raise exception 'A client can have at most 2,000 approvals. Withdraw some that are still open.' using errcode = 'P0001';
    end if;
    insert into public.approvals (client_id, title, kind) values (_client_id, trim(_title), _kind) returning id into _id;
  else
    select number into _newest from private.lock_approval(_client_id, _id);
    if not exists (select from public.approvals where client_id = _client_id and id = _id and kind = _kind) then
      raise exception 'The next version must have the same type as the first.' using errcode = '22023';
    elsif _newest >= 100 then
      raise exception 'An approval can have at most 100 versions. Create a new approval.' using errcode = 'P0001';
    end if;
    update public.approvals set title = trim(_title) where client_id = _client_id and id = _id and title <> trim(_title);
  end if;
  insert into public.approval_versions (client_id, approval_id, number, text, file_id, due_on, asked_by)
  values (_client_id, _id, _newest + 1, _text, _file_id, _due_on, private.user_id()) returning * into _version;
  return _version;
end
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
          where id = _change.id and not private.tries_release();
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
    where change.id = written.id and not private.tries_release()
  ) select array_agg(id) from written', _ready, _written) into _done using _ids, _action, _known, _left;
  return coalesce(_done, '{}');
end
$$;

create or replace function private.approval_link_of(
  _token text, _holder text, out link private.approval_links, out refusal text
) returns record language plpgsql security definer set search_path = '' as $$
begin
  if not private.count_for_address('approval link', private.client_address(), 60, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'Too many attempts from your network. Try again in an hour, or sign in.';
  elsif coalesce(length(_holder), 0) not between 32 and 100 then
    raise exception 'The browser secret must have between 32 and 100 characters.' using errcode = '22023';
  end if;
  select found.* into link from private.approval_links as found
  where found.token_hash = private.hash_of_link(left(_token, 200)) for update;
  if link.token_hash is null or not private.is_approval_link_live(link) then
    refusal := 'This link has expired. Sign in to see your open approvals.';
  elsif link.holder_hash <> private.hash_of_link(_holder) then
    refusal := 'This link was opened in another browser. Use that one, or sign in.';
  end if;
end
$$;

create or replace function private.begin_act_on(_user_id uuid) returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  perform private.lock_admins();
  -- Another admin may have revoked the caller's role before the lock was acquired.
  perform private.require_admin();
  if _user_id = private.user_id() then
    raise exception 'This is your own account. Manage it on your account page.';
  end if;
  if not exists (select from auth.users where id = _user_id) then
    raise exception 'This account no longer exists.';
  end if;
end
$$;

create or replace function private.booking_of(_token text) returns public.bookings
language plpgsql stable security definer set search_path = '' as $$
declare
  _booking public.bookings;
begin
  select * into _booking from public.bookings where token_hash = private.booking_token_hash(coalesce(_token, ''));
  if not found then
    raise sqlstate 'PT404' using message = 'Booking not found. It may have been deleted.';
  end if;
  return _booking;
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
  perform private.tell_about_booking(_booking, 'cancelled');
  return _booking;
end
$$;

create or replace function private.check_client_place() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if not exists (
    select from public.user_roles where user_id = new.user_id and role = any (tg_argv) and approved
  ) then
    raise exception using errcode = '23514', message = case tg_table_name
      when 'client_members' then 'Only people with the client role can be members of a client.'
      else 'Only admins and approved team members can be assigned to a client.'
    end;
  end if;
  if not private.has_proven_address(new.user_id) then
    raise exception 'This person has not confirmed their email address. They can confirm it on their account page.'
      using errcode = '23514';
  end if;
  return null;
end
$$;

create or replace function private.check_client_time_zone() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_time_zone(new.time_zone) then
    raise exception 'Unknown time zone: %', left(new.time_zone, 64) using errcode = '22023';
  end if;
  return null;
end
$$;

create or replace function private.check_wording() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from public.approvals where client_id = new.client_id and id = new.approval_id and kind = 'text') then
    raise exception 'Only texts can be edited here. Please describe what should change.' using errcode = 'P0001';
  end if;
  return null;
end
$$;

create or replace function private.compare_source_totals() returns integer language plpgsql security definer set search_path = '' as $$
declare
  _differ integer;
begin
  with compared as materialized (
    select total.client_id, concat_ws(' ', total.source_id, total.metric, total.first_day, total.last_day) as subject,
      total.value as imported, coalesce(sum(figure.value), 0) as counted, format(
        'Campaign “%s”: events count %s as %s for %s, but %s has %s.', campaigns.name, coalesce(sum(figure.value), 0),
        replace(total.metric, '_', ' '), case when total.first_day = total.last_day then '' else to_char(total.first_day, 'FMDD FMMonth') || ' to ' end
        || to_char(total.last_day, 'FMDD FMMonth YYYY'), total.file_name, total.value
      ) as text
    from public.source_totals as total
      join public.clients on clients.id = total.client_id
      join public.campaign_sources as source on source.client_id = total.client_id and source.id = total.source_id
      join public.campaigns on campaigns.client_id = total.client_id and campaigns.id = source.campaign_id
      join public.import_batches as batch on batch.client_id = total.client_id and batch.source_id = total.source_id
      left join public.campaign_figures as figure on figure.client_id = total.client_id and figure.batch_id = batch.id
        and figure.campaign_id = source.campaign_id and figure.metric = total.metric
        and figure.first_day between total.first_day and total.last_day
    where total.last_day < (now() at time zone clients.time_zone)::date - 1
    group by total.client_id, total.source_id, total.metric, total.first_day, total.last_day, campaigns.name
  ), agreed as (
    delete from public.client_alarms as alarm using compared
    where alarm.client_id = compared.client_id and alarm.kind = 'difference' and alarm.subject = compared.subject
      and imported = counted
  ), told as (
    insert into public.client_alarms as former (client_id, kind, subject, text)
    select client_id, 'difference', subject, text from compared where imported <> counted
    on conflict (client_id, kind, subject) do update set
      text = excluded.text, latest_at = now(), settled_at = null, settled_by = null
    where former.text <> excluded.text
  )
  select count(*) into _differ from compared where imported <> counted;
  return _differ;
end
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
    perform private.make_room_for_chat();
  end if;
  return null;
end
$$;

create or replace function private.count_events(_source public.campaign_sources, _new private.taken_event[]) returns void
language sql security definer set search_path = '' as $$
  with changes as materialized (
    select metric, day, sum(value)::bigint as value from (
      select metric, day, 1 from unnest(_new) where state = 'counted'
      union all
      select 'delivered', fresh.day, 1 from unnest(_new) as fresh
      where _source.provider <> 'json' and fresh.metric = 'sent' and fresh.state = 'counted' and not exists (
        select from (
          -- offset 0 stops the planner from adding other conditions, so that the index on person_hash is used.
          select client_id, source_id from public.inbound_events
          where person_hash = fresh.person_hash and metric = 'bounced' offset 0
        ) as bounce
        where bounce.client_id = _source.client_id and bounce.source_id = _source.id
      )
      union all
      select 'delivered', message.day, -1
      from (select distinct person_hash from unnest(_new) where metric = 'bounced') as bounced
        cross join lateral (
          select client_id, source_id, event_key, state, day from public.inbound_events
          where person_hash = bounced.person_hash and metric = 'sent' offset 0
        ) as message
      where _source.provider <> 'json'
        and message.client_id = _source.client_id and message.source_id = _source.id and message.state = 'counted'
        and not exists (select from unnest(_new) as fresh where fresh.event_key = message.event_key)
        and not exists (
          select from (
            select client_id, source_id, event_key from public.inbound_events
            where person_hash = bounced.person_hash and metric = 'bounced' offset 0
          ) as former
          where former.client_id = _source.client_id and former.source_id = _source.id
            and not exists (select from unnest(_new) as fresh where fresh.event_key = former.event_key)
        )
    ) as changes (metric, day, value)
    where metric = any (_source.metrics)
    group by metric, day having sum(value) <> 0
  ), batch as (
    select id from public.import_batches where client_id = _source.client_id and source_id = _source.id
  ), added as (
    update public.campaign_figures as figure set value = figure.value + changes.value
    from changes, batch
    where figure.client_id = _source.client_id and figure.batch_id = batch.id and figure.campaign_id = _source.campaign_id
      and figure.metric = changes.metric and figure.first_day = changes.day
    returning figure.metric, figure.first_day
  )
  insert into public.campaign_figures (client_id, batch_id, campaign_id, metric, first_day, last_day, value)
  select _source.client_id, batch.id, _source.campaign_id, metric, day, day, value from changes, batch
  where not exists (select from added where added.metric = changes.metric and added.first_day = changes.day)
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
  perform private.note_act('invited', _id, _role);
  return _id;
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
  perform private.tell_asker_of_decision(_decision);
end
$$;

create or replace function private.delete_expired_conversations(_at_most integer default null) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  _before constant timestamptz := private.retention_cutoff();
  _deleted integer;
  _sum integer := 0;
begin
  delete from public.conversations where id in (
    select id from public.conversations
    where last_message_at < _before or (message_count = 0 and created_at < now() - interval '1 day')
    limit _at_most
  );
  get diagnostics _deleted = row_count;
  _sum := _sum + _deleted;
  delete from public.leads where id in (select id from public.leads where updated_at < _before limit _at_most);
  get diagnostics _deleted = row_count;
  _sum := _sum + _deleted;
  -- Subscribers who never confirmed.
  delete from public.newsletter_subscribers where id in (
    select id from public.newsletter_subscribers
    where confirmed_at is null and requested_at < now() - interval '7 days' limit _at_most
  );
  get diagnostics _deleted = row_count;
  _sum := _sum + _deleted;
  delete from public.lead_webhook_deliveries where id in (
    select id from public.lead_webhook_deliveries
    where status <> 'waiting' and created_at < now() - interval '30 days' limit _at_most
  );
  get diagnostics _deleted = row_count;
  _sum := _sum + _deleted;
  -- One row per day.
  delete from public.chat_usage where day < (now() at time zone 'utc')::date - 400;
  return _sum;
end
$$;

create or replace function private.drop_client_file() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  -- Hosted Supabase storage rejects deletions outside its API without this setting.
  perform set_config('storage.allow_delete_query', 'true', true);
  delete from storage.objects where bucket_id = 'client-files' and name = old.object_name;
  return null;
end
$$;

create or replace function private.drop_ways_in(_user_id uuid, _address text, _but_session uuid) returns void
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
  delete from auth.sessions where user_id = _user_id and id is distinct from _but_session;
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

create or replace function private.guard_brand_accent() returns trigger language plpgsql set search_path = '' as $$
begin
  if new.setting_value = '' then
    return new;
  end if;
  if new.setting_value !~ '^#[0-9a-f]{6}$' then
    raise exception 'The accent colour must have the format #rrggbb' using errcode = '23514';
  end if;
  if (private.luminance('#f0ece4') + 0.05) / (private.luminance(new.setting_value) + 0.05) < 4.5 then
    raise exception 'The accent colour is too light: text needs a contrast ratio of at least 4.5:1' using errcode = '23514';
  end if;
  return new;
end
$$;

create or replace function private.guard_brand_logo() returns trigger language plpgsql set search_path = '' as $$
declare
  _logo jsonb;
begin
  if new.setting_value = '' then
    return new;
  end if;
  begin
    _logo := new.setting_value::jsonb;
  exception when others then
    _logo := null;
  end;
  if length(new.setting_value) > 2000 or not private.is_brand_picture(_logo -> 'light')
     or (coalesce(jsonb_typeof(_logo -> 'dark'), 'null') <> 'null' and not private.is_brand_picture(_logo -> 'dark')) then
    raise exception 'The logo must be a picture that was uploaded to this site' using errcode = '23514';
  end if;
  return new;
end
$$;

create or replace function private.guard_lead_webhook_url() returns trigger language plpgsql set search_path = '' as $$
begin
  if trim(new.setting_value) !~ '^(https://[^[:space:][:cntrl:]]+)?$' or length(new.setting_value) > 2000 then
    raise exception 'The webhook URL must start with https://' using errcode = '23514';
  end if;
  return new;
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
        where other.release_id = new.release_id and other.id <> new.id and (_with_all or private.may_meet_change(other, new))
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

create or replace function private.guard_removed_change() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  -- If the release was deleted, the changes are deleted by the foreign key.
  perform private.require_open_release(old.release_id);
  return old;
end
$$;

create or replace function private.guard_second_factor_setting() returns trigger language plpgsql set search_path = '' as $$
begin
  if new.setting_value not in ('on', 'off') then
    raise exception 'The setting require_second_factor must be on or off.' using errcode = '23514';
  end if;
  if new.setting_value = 'on' and (select auth.role()) in ('anon', 'authenticated') and not private.has_second_factor() then
    raise exception 'Set up a second factor on your account page and sign in with it first. Otherwise you would lock yourself out.'
      using errcode = '42501';
  end if;
  return new;
end
$$;

create or replace function private.has_proven_address(_user_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from auth.users as person
    where person.id = _user_id and not person.is_anonymous and (
      person.is_sso_user or not exists (
        select from (values
          (person.email::text, person.email_confirmed_at), (person.phone::text, person.phone_confirmed_at)
        ) as given (address, confirmed_at)
        where given.address <> ''
          and not exists (
            select from private.proven_addresses as proven
            where proven.user_id = person.id and proven.address = given.address
          )
          -- Not confirmed by a message: a message would have been sent before the confirmation.
          and not coalesce(given.confirmed_at > person.confirmation_sent_at, false)
          -- Not created by a provider that verified the address, unless the account also has a password.
          and not exists (
            select from auth.identities as identity
            where identity.user_id = person.id and identity.email = given.address
              and identity.identity_data @> '{"email_verified": true}'
              and not exists (
                select from auth.identities as own
                where own.user_id = person.id and own.provider in ('email', 'phone')
              )
          )
      )
    )
  )
$$;

create or replace function private.has_proven_mailbox() returns boolean language sql stable security definer set search_path = '' as $$
  select exists (
    select from auth.users as person join auth.mfa_amr_claims as claim
      on claim.session_id = ((select auth.jwt()) ->> 'session_id')::uuid
    where person.id = (select private.user_id()) and person.email <> '' and person.email_confirmed_at is not null
      and (
        claim.authentication_method in ('magiclink', 'recovery', 'invite', 'email/signup')
        or (claim.authentication_method = 'otp' and coalesce(person.phone, '') = '')
      )
      -- The address has not changed since.
      and not exists (
        select from auth.identities
        where user_id = person.id and provider = 'email' and updated_at > claim.updated_at
      )
  )
$$;

create or replace function private.held_booking_of(_token text) returns private.held_bookings
language plpgsql stable security definer set search_path = '' as $$
declare
  _held private.held_bookings;
begin
  select * into _held from private.held_bookings where token_hash = private.booking_token_hash(coalesce(_token, ''));
  if _held.expires_at <= now() then
    raise sqlstate 'PT404' using
      message = 'This link expired after 15 minutes. Please choose a time again.';
  end if;
  return _held;
end
$$;

create or replace function private.is_free(_slot tstzrange, _but uuid default null) returns boolean
language sql stable security definer set search_path = '' as $$
  select not exists (
    select from public.bookings where slot && _slot and state = 'booked' and id is distinct from _but
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

create or replace function private.judge_figures(_client public.clients, _length integer, _rows jsonb) returns setof private.judged_figure
language sql stable security definer set search_path = '' set enable_nestloop = off as $$
  with given as materialized (
    select line, campaign_id, metric, first_day, value,
      count(*) over (partition by campaign_id, metric, first_day) as times
    from (
      select (item ->> 'line')::integer, (item ->> 'campaign')::uuid, figure.key, (item ->> 'day')::date,
        figure.value::bigint
      from jsonb_array_elements(_rows) as item, jsonb_each_text(item -> 'values') as figure
    ) as figures (line, campaign_id, metric, first_day, value)
  ), present as materialized (
    select campaign_id, metric, first_day, last_day, value from public.campaign_figures
    where client_id = _client.id and replaced_by is null
      and first_day between (select min(first_day) from given) - 6 and (select max(first_day) from given) + _length
  ), crossed as (
    -- The first days of periods that would overlap a figure without being of the same period.
    select distinct campaign_id, metric, day::date as first_day
    from present, generate_series((first_day - _length)::timestamp, last_day::timestamp, '1 day') as day
    where day::date <> first_day or last_day <> first_day + _length
  ), counted as (
    -- Periods that events cover partly or completely.
    select given.campaign_id, given.metric, given.first_day,
      bool_or(given.first_day >= counts_from and given.first_day + _length <= coalesce(ends_on, 'infinity')) as is_whole
    from given join public.campaign_sources as source on source.client_id = _client.id
      and source.campaign_id = given.campaign_id and given.metric = any (source.metrics)
      and given.first_day + _length >= counts_from and given.first_day <= coalesce(ends_on, 'infinity')
    group by given.campaign_id, given.metric, given.first_day
  )
  select given.line, given.campaign_id, given.metric, given.first_day, given.first_day + _length, given.value,
    present.value, case
      when campaigns.id is null then 'Campaign not found.'
      when campaigns.deleted_at is not null then 'This campaign was deleted. Restore it first.'
      when given.first_day > (now() at time zone _client.time_zone)::date then 'This day is in the future.'
      when given.first_day < '2000-01-01' then 'This day is before 2000.'
      when _length = 6 and extract(isodow from given.first_day) <> _client.first_weekday
        then 'This client''s weeks start on ' || trim(to_char('2024-01-01'::date + _client.first_weekday - 1, 'Day')) || '.'
      when given.metric = 'meetings' and given.value > 1000 then 'A day or week can have at most 1,000 meetings.'
      when given.times > 1 then 'Another line has a figure for the same campaign and period.'
      when counted.is_whole then 'Events count this. Your figure is kept and compared with theirs.'
      when counted.first_day is not null then 'Events already provide figures for some days of this week.'
      when crossed.first_day is not null and _length = 6 then 'Some days of this week already have their own figures.'
      when crossed.first_day is not null then 'This day''s week already has a weekly figure.'
    end
  from given
  left join public.campaigns on campaigns.client_id = _client.id and campaigns.id = given.campaign_id
  left join counted on counted.campaign_id = given.campaign_id and counted.metric = given.metric
    and counted.first_day = given.first_day
  left join present on present.campaign_id = given.campaign_id and present.metric = given.metric
    and present.first_day = given.first_day and present.last_day = given.first_day + _length
  left join crossed on crossed.campaign_id = given.campaign_id and crossed.metric = given.metric
    and crossed.first_day = given.first_day
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
  if _action = 'changed' and private.state_of_campaign(old) = private.state_of_campaign(new) then
    return null;
  end if;
  select max(number) into _newest from public.campaign_versions where client_id = new.client_id and campaign_id = new.id;
  -- The first change of a campaign that is older than this table also records its previous state.
  if tg_op = 'UPDATE' and _newest is null then
    insert into public.campaign_versions (client_id, campaign_id, number, action, campaign, created_at)
    values (new.client_id, new.id, 1, 'before', private.state_of_campaign(old), old.updated_at);
    _newest := 1;
  end if;
  insert into public.campaign_versions (client_id, campaign_id, number, action, campaign, changed_by)
  values (new.client_id, new.id, coalesce(_newest, 0) + 1, _action, private.state_of_campaign(new), private.user_id());
  delete from public.campaign_versions
  where client_id = new.client_id and campaign_id = new.id and number <= coalesce(_newest, 0) + 1 - 50;
  return null;
end
$$;

create or replace function private.keep_figures_of_events() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  raise exception 'Figures from events cannot be undone. Disconnect the source instead.' using errcode = 'P0001';
end
$$;

create or replace function private.keep_sent_report() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if old.hash is null then
    return coalesce(new, old);
  elsif tg_op = 'DELETE' then
    if not exists (select from public.clients where id = old.client_id) then
      return old;
    end if;
  elsif to_jsonb(new) - 'approved_by' = to_jsonb(old) - 'approved_by'
    and (new.approved_by is null or new.approved_by = old.approved_by) then
    return new;
  end if;
  raise exception 'A sent report cannot be changed. Correct it with a new one.' using errcode = 'P0001';
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
  if private.tries_release() then
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

create or replace function private.leave_alone(
  _client_id uuid, _approval_id uuid, _number integer, _lines integer[], _domain text
) returns void language plpgsql security definer set search_path = '' as $$
begin
  if exists (
    select from public.approval_rows
    where client_id = _client_id and approval_id = _approval_id and number = _number and line = any (_lines)
      and fingerprint is null
  ) then
    raise exception 'This row has no email address. Remove its company to block it.' using errcode = 'P0001';
  end if;
  -- Locks the client, so that concurrent calls cannot exceed the limit.
  perform from public.clients where id = _client_id for no key update;
  insert into public.do_not_contact (client_id, kind, value, hint, added_by)
  select distinct on (entry.value) _client_id, entry.kind, entry.value, entry.hint, private.user_id()
  from public.approval_rows as item, lateral (
    select 'domain', item.domain, item.domain where item.domain = _domain and item.domain <> ''
    union all
    select 'address', item.fingerprint, item.hint where item.line = any (_lines) and item.fingerprint is not null
  ) as entry (kind, value, hint)
  where item.client_id = _client_id and item.approval_id = _approval_id and item.number = _number
  on conflict do nothing;
  if (select count(*) from public.do_not_contact where client_id = _client_id) > 20000 then
    raise exception 'A blocklist can have at most 20,000 entries. Add domains instead of single addresses.' using errcode = 'P0001';
  end if;
end
$$;

create or replace function private.limit_bookings(_email text) returns void language plpgsql security definer set search_path = '' as $$
begin
  if not private.count_for_address('booking', private.client_address(), 5, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'You have booked several calls. Try again in an hour, or write to us.';
  end if;
  perform private.limit_bookings_of(_email);
end
$$;

create or replace function private.limit_bookings_of(_email text) returns void language plpgsql security definer set search_path = '' as $$
begin
  if (
    select count(*) >= 3 from public.bookings
    where lower(email) = lower(_email) and state = 'booked' and ends_at > now()
  ) then
    raise sqlstate 'PT429' using
      message = 'This address already has three booked calls. Move or cancel one of them with the link in its confirmation email.';
  end if;
  if (
    select count(*) >= 6 from public.bookings
    where lower(email) = lower(_email) and created_at > now() - interval '1 day'
  ) then
    raise sqlstate 'PT429' using
      message = 'Too many calls were booked with this address today. Try again tomorrow, or write to us.';
  end if;
end
$$;

create or replace function private.limit_calendars() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if (select count(*) from public.booking_calendars) >= 20 then
    raise exception 'You can connect at most 20 calendars.';
  end if;
  return new;
end
$$;

create or replace function private.limit_chat_messages() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(current_setting('chat.new_message', true), '') <> '' then
    raise exception 'Only one message can be sent per request';
  end if;
  perform set_config('chat.new_message', 'written', true);
  if exists (
    select from public.conversations
    where id = new.conversation_id and id = private.held_conversation()
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

create or replace function private.limit_conversations() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if not private.count_for_address('conversation', private.client_address(), 10, interval '1 hour') then
    raise sqlstate 'PT429' using
      message = 'You have started many conversations. Try again in an hour, or book a meeting to talk to a person.';
  end if;
  perform private.make_room_for_chat();
  return new;
end
$$;

create or replace function private.limit_newsletter_links() returns void language plpgsql security definer set search_path = '' as $$
begin
  if not private.count_for_address('newsletter link', private.client_address(), 60, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'Too many requests. Try again in an hour.';
  end if;
end
$$;

create or replace function private.limit_proof_mails(_email text) returns void language plpgsql security definer set search_path = '' as $$
begin
  if not private.count_for_networks('proof', private.client_address(), 3, interval '15 minutes') then
    raise sqlstate 'PT429' using
      message = 'We have already sent several links. Please open one of them, or try again in 15 minutes.';
  end if;
  if not private.count_for_subject('proof to', lower(_email), 5, interval '1 day') then
    raise sqlstate 'PT429' using
      message = 'Several links were sent to this address today. Please open the latest one, or write to us.';
  end if;
  if not private.count_for_subject('proof', '', 1000, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'Too many people are writing right now. Please send us an email instead.';
  end if;
end
$$;

create or replace function private.limit_touches() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if not private.count_for_address('touch', private.client_address(), 60, interval '1 minute') then
    raise sqlstate 'PT429' using
      message = 'Too many messages. Wait a minute, or book a meeting to talk to a person.';
  end if;
  return new;
end
$$;

create or replace function private.lock_approval(
  _client_id uuid, _approval_id uuid, out number integer, out is_decided boolean
) returns record language plpgsql security definer set search_path = '' as $$
begin
  perform from public.approvals where client_id = _client_id and id = _approval_id for update;
  if not found then
    raise exception 'This approval no longer exists.' using errcode = 'P0001';
  end if;
  select version.number, decision.number is not null into lock_approval.number, lock_approval.is_decided
  from public.approval_versions as version
    left join public.approval_decisions as decision using (client_id, approval_id, number)
  where version.client_id = _client_id and version.approval_id = _approval_id
  order by version.number desc limit 1;
end
$$;

create or replace function private.lock_client_of_worker(_client_id uuid) returns public.clients
language plpgsql security definer set search_path = '' as $$
declare
  _client public.clients;
begin
  if not (private.is_admin() or _client_id in (select private.clients_of_team_member())) then
    raise exception 'Only admins and assigned team members can do this' using errcode = '42501';
  end if;
  select * into _client from public.clients where id = _client_id for no key update;
  if not found then
    raise exception 'Client not found.' using errcode = 'P0001';
  end if;
  return _client;
end
$$;

create or replace function private.lock_report_draft(_client_id uuid, _id uuid) returns public.client_reports
language plpgsql security definer set search_path = '' as $$
declare
  _report public.client_reports;
begin
  perform private.lock_client_of_worker(_client_id);
  select * into _report from public.client_reports where client_id = _client_id and id = _id for update;
  if not found then
    raise exception 'This report no longer exists.' using errcode = 'P0001';
  elsif _report.hash is not null then
    raise exception 'This report has been sent and cannot be changed.' using errcode = 'P0001';
  end if;
  return _report;
end
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
    'Message', case when _client_id is null then '' else private.waiting_at_client(_client_id) end,
    'RedirectTo', case
      when _client_id is not null then '/client-dashboard?client=' || _client_id
      when _role = 'team' then '/team-dashboard' else '/client-dashboard'
    end
  ) || case when _link is null then '{}' else jsonb_build_object('TokenHash', _link, 'Token', _code) end);
  return true;
end
$$;

create or replace function private.make_room_for_chat() returns void language plpgsql security definer set search_path = '' as $$
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
    or not pg_try_advisory_xact_lock(hashtext('private.make_room_for_chat')) then
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

create or replace function private.make_searchable(_table text) returns void language plpgsql set search_path = '' as $$
begin
  execute format('create trigger index_inserted after insert on public.%I referencing new table as added
    for each statement execute function private.index_content()', _table);
  execute format('create trigger index_updated after update on public.%I referencing old table as gone new table as added
    for each statement execute function private.index_content()', _table);
  execute format('create trigger index_deleted after delete on public.%I referencing old table as gone
    for each statement execute function private.index_content()', _table);
  execute format('create trigger index_truncated after truncate on public.%I
    for each statement execute function private.index_content()', _table);
  -- Indexes existing items.
  execute format(
    'insert into private.content_words (kind, item_id, title_words, words)
     select kinds.table_name, item.id, texts.title, setweight(texts.title, ''A'')
       || to_tsvector(''pg_catalog.simple''::regconfig, private.searchable_text(to_jsonb(item), kinds.title_column))
     from public.%1$I as item join private.content_kinds as kinds on kinds.table_name = %1$L
       cross join lateral (
         select to_tsvector(''pg_catalog.simple''::regconfig, to_jsonb(item) ->> kinds.title_column)
       ) as texts (title)', _table
  );
  insert into private.known_words (word)
  select distinct lexeme from private.content_words cross join unnest(tsvector_to_array(words)) as lexeme
  where kind = _table and length(lexeme) between 3 and 40
    and not exists (select from private.known_words as known where known.word = lexeme);
end
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
      perform private.name_meetings_of_events(_figure.client_id, _figure.campaign_id, _figure.source_id, _figure.first_day);
    end if;
  end loop;
  return null;
end
$$;

create or replace function private.media_file_of(_object storage.objects) returns private.media_files
language plpgsql stable set search_path = '' as $$
declare
  _file private.media_files;
  _said constant jsonb := coalesce(_object.user_metadata, '{}');
begin
  _file.name := _object.name;
  _file.object_id := _object.id;
  _file.original_name := left(coalesce(_said ->> 'original_name', ''), 500);
  _file.mimetype := _object.metadata ->> 'mimetype';
  _file.kind := case when _file.mimetype ~ '^(image|video|audio)/' then split_part(_file.mimetype, '/', 1) else 'document' end;
  _file.size := (_object.metadata ->> 'size')::bigint;
  _file.width := private.pixels_of(_object.metadata -> 'width');
  _file.height := private.pixels_of(_object.metadata -> 'height');
  _file.alt := left(coalesce(_said ->> 'alt', ''), 1000);
  _file.folder := left(trim(coalesce(_said ->> 'folder', '')), 100);
  _file.focal_x := private.share_of(_said -> 'focal_x');
  _file.focal_y := private.share_of(_said -> 'focal_y');
  -- If the storage reports no hash, uses the one that the uploading browser computed.
  _file.sha256 := substring(lower(coalesce(_object.metadata ->> 'sha256', _said ->> 'sha256')) from '^[0-9a-f]{64}$');
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
  perform private.refuse_time(_starts_at);
  _booking.slot := tstzrange(_starts_at, _starts_at + make_interval(mins => _rules.length_minutes));
  _booking.phone := coalesce(trim(_phone), '');
  _booking.message := coalesce(trim(_message), '');
  _booking.service := private.line_of('Service', _service, 200);
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
  if _source is null or _source not in ('contact', 'assistant') or not private.is_on(
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
    where id = private.held_conversation() and message_count > 0;
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

create or replace function private.note_mentions(_kind text, _item_id text, _text text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  -- Mentions are only computed for texts that contain, or contained, such a URL.
  if position('content-media/' in _text) = 0 then
    delete from private.media_mentions where kind = _kind and item_id = _item_id;
    return;
  end if;
  delete from private.media_mentions where kind = _kind and item_id = _item_id
    and mention_key not in (select private.media_keys(_text));
  insert into private.media_mentions (kind, item_id, mention_key)
    select _kind, _item_id, key from private.media_keys(_text) as key
    on conflict do nothing;
end
$$;

create or replace function private.open_booking(_token text) returns public.bookings
language plpgsql security definer set search_path = '' as $$
declare
  _booking public.bookings;
begin
  perform private.lock_bookings();
  _booking := private.booking_of(_token);
  if _booking.state = 'cancelled' then
    raise exception 'This call has already been cancelled.' using errcode = '22023';
  end if;
  if _booking.starts_at <= now() then
    raise exception 'This call has already started.' using errcode = '22023';
  end if;
  return _booking;
end
$$;

create or replace function private.plain_entry(_text text) returns text language plpgsql immutable set search_path = '' as $$
declare
  _entry text := lower(btrim(left(_text, 400), E' \t\r\n'));
begin
  _entry := btrim(coalesce(substring(_entry from '<([^<>]*)>$'), _entry), E' \t\r\n"\'„“”‘’«»,;');
  if _entry ~ '^mailto:' then
    _entry := regexp_replace(_entry, '^mailto:|[?].*$', '', 'g');
  elsif _entry ~ '^[a-z][a-z0-9+.-]*://' then
    _entry := regexp_replace(regexp_replace(_entry, '^[^:]*://', ''), '^[^/?#@]*@|[/?#].*$', '', 'g');
  end if;
  if _entry !~ '@' or _entry ~ '^[*]?@' then
    _entry := regexp_replace(regexp_replace(_entry, '[/?#:].*$', ''), '^([*]?@)?([*]?[.])*', '');
    -- Except www.no, which is a domain of its own.
    if _entry ~ '^www[.][^.]+[.]' then
      _entry := right(_entry, -4);
    end if;
  end if;
  return rtrim(_entry, '.');
end
$$;

create or replace function private.posts_with_words(_words text[]) returns setof uuid
language sql stable security definer set search_path = '' set enable_seqscan = off set enable_indexscan = off as $$
  with asked as (
    -- Quoted, so that any text is a single word of the query. Longer words also match as a prefix.
    select distinct to_tsquery('pg_catalog.simple'::regconfig,
      '''' || replace(replace(lower(word), '\', '\\'), '''', '''''') || case when length(word) > 3 then ''':*' else '''' end
    ) as query
    from unnest(_words[1:12]) as word where length(word) between 2 and 60
  ),
  hits as (
    select query, item_id as id, count(*) over (partition by query) as posts
    from asked cross join lateral (
      select item_id from private.content_words where kind = 'posts' and words @@ asked.query limit 2000
    ) as hit
  ),
  -- Only the best matches are checked for their status. Checking all took longer than the search.
  best as materialized (
    select id, sum(1 / sqrt(posts)) as rank from hits group by id order by rank desc, id limit 1000
  )
  select best.id from best join public.posts using (id) where status = 'published' order by rank desc, best.id limit 20
$$;

create or replace function private.preview_query(_table text) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  _is_public text := '(it).status = ''published''';
begin
  if not (select is_item from private.documents where kind = _table) then
    return format(
      'with %2$s select %1$I.* from (select (it).* from changed) as %1$I where %3$s',
      _table, private.changed_rows(_table), private.visitors_read(_table)
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

create or replace function private.problem_sentence(
  _change public.release_changes, _problem text, _fields text[], _error text
) returns text language sql stable set search_path = '' as $$
  select format('“%s” ', private.title_of_change(_change)) || case
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

create or replace function private.publish_taken(_release_id uuid, _by uuid) returns jsonb language plpgsql set search_path = '' as $$
begin
  update public.releases
  set published_at = clock_timestamp(), published_by = _by, failure = null, failed_at = null
  where id = _release_id and published_at is null;
  if not found then
    raise exception 'This release has already been published or was deleted.' using errcode = 'PT409';
  end if;
  if not exists (select from public.release_changes where release_id = _release_id) then
    return jsonb_build_array(jsonb_build_object('problem', 'empty', 'sentence', 'This release is empty.'));
  end if;
  return private.apply_release(_release_id);
end
$$;

create or replace function private.raise_alarm(_client_id uuid, _kind text, _subject text, _text text, _times integer) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  _was_open constant boolean := exists (
    select from public.client_alarms
    where client_id = _client_id and kind = _kind and subject = _subject and settled_at is null
  );
begin
  if not _was_open and 200 <= (
    select count(*) from public.client_alarms where client_id = _client_id and kind = _kind and settled_at is null
  ) then
    _subject := 'more';
    _text := 'There are more alarms of this kind than are listed. Settle some to see the others.';
  end if;
  insert into public.client_alarms as former (client_id, kind, subject, text, times)
  values (_client_id, _kind, left(_subject, 400), left(_text, 2000), _times)
  on conflict (client_id, kind, subject) do update set
    times = former.times + excluded.times, text = excluded.text, latest_at = now(), settled_at = null, settled_by = null;
  return not _was_open and _subject <> 'more';
end
$$;

create or replace function private.read_do_not_contact(_client_id uuid, _lines jsonb) returns table (
  line integer, kind text, value text, hint text, state text, reason text
) language sql stable security definer set search_path = '' set enable_nestloop = off as $$
  with given as materialized (
    select (item ->> 'line')::integer as line, private.plain_entry(item ->> 'text') as text
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

create or replace function private.read_list_rows(_client_id uuid, _approval_id uuid, _rows jsonb) returns table (
  line integer, company text, domain text, person text, fingerprint text, hint text, state text, reason text
) language sql stable security definer set search_path = '' set enable_nestloop = off as $$
  with given as materialized (
    select (item ->> 'line')::integer as line, private.one_line(item ->> 'company', 200) as company,
      private.one_line(item ->> 'person', 400) as person,
      coalesce(item ->> 'address', '') as address,
      case when private.is_mail_provider(lower(trim(item ->> 'domain'))) then '' else coalesce(item ->> 'domain', '') end as domain
    from jsonb_array_elements(_rows) as item
  ), read_address as (
    select line, kind, value, hint, reason from private.read_do_not_contact(_client_id, (
      select jsonb_agg(jsonb_build_object('line', line, 'text', address)) from given where address <> ''
    ))
  ), read_domain as (
    select line, kind, value, reason from private.read_do_not_contact(_client_id, (
      select jsonb_agg(jsonb_build_object('line', line, 'text', domain)) from given where domain <> ''
    ))
  ), read as materialized (
    select given.line, given.company, given.person,
      case when read_address.kind = 'address' then read_address.value end as fingerprint,
      case when read_address.kind = 'address' then read_address.hint else '' end as hint,
      coalesce(
        case when read_domain.kind = 'domain' then read_domain.value end,
        case
          when read_address.kind = 'address' and not private.is_mail_provider(split_part(read_address.hint, '@', 2))
            then split_part(read_address.hint, '@', 2)
        end, ''
      ) as domain,
      case
        when address = '' and given.domain = '' then 'The row has no email address and no domain.'
        when address <> '' and read_address.kind is distinct from 'address' then
          case when address ~ '^\s*[=+@-]' then 'Starts with =, +, - or @ like a formula.' else 'Not a valid email address.' end
        when given.domain <> '' and read_domain.kind is distinct from 'domain' then
          'Not a valid domain. Use a domain such as example.com.'
      end as fault
    from given left join read_address using (line) left join read_domain using (line)
  ), kept_off as (
    -- Each domain with its parent domains: an entry also blocks subdomains.
    select named.line, min(entry.hint) as hint
    from (
      select line, array_to_string((string_to_array(name, '.'))[n:], '.') as value
      from (
        select line, domain as name from read where domain <> ''
        union select line, split_part(hint, '@', 2) from read where hint <> ''
      ) as names, lateral generate_subscripts(string_to_array(name, '.'), 1) as n
      union all
      select line, fingerprint from read where fingerprint is not null
    ) as named
      join public.do_not_contact as entry on entry.client_id = _client_id and entry.value = named.value
    group by named.line
  ), vetoed as (
    select coalesce(item.fingerprint, item.domain || ' ' || lower(item.person)) as who, max(item.number) as number
    from public.approval_rows as item
      join public.approval_vetoes as veto using (client_id, approval_id, number, line)
    where item.client_id = _client_id and item.approval_id = _approval_id
    group by 1
  ), judged as (
    select read.*, min(read.line) over (partition by coalesce(fingerprint, domain || ' ' || lower(person)), fault) as first_line,
      kept_off.hint as kept_off_by, vetoed.number as vetoed_in
    from read
      left join kept_off using (line)
      left join vetoed on vetoed.who = coalesce(fingerprint, domain || ' ' || lower(person))
  )
  select line, company, domain, person, fingerprint, hint,
    case when fault is null and kept_off_by is null and vetoed_in is null and line = first_line then 'new' else 'refused' end,
    case
      when fault is not null then fault
      when kept_off_by is not null then 'On the blocklist: ' || kept_off_by || '.'
      when vetoed_in is not null then 'The client removed this in version ' || vetoed_in || '.'
      when line > first_line then 'Same as line ' || first_line || '.'
    end
  from judged
$$;

create or replace function private.refuse_applications() returns void language plpgsql stable security definer set search_path = '' as $$
begin
  if (select auth.jwt()) ->> 'client_id' is not null then
    raise exception 'Connected applications cannot change accounts.' using errcode = '42501';
  end if;
end
$$;

create or replace function private.refuse_days_twice() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _touched record;
begin
  for _touched in
    select client_id, array_agg(distinct campaign_id) as campaigns, min(first_day) - 6 as first, max(last_day) as last
    from changed group by client_id order by client_id
  loop
    perform from public.clients where id = _touched.client_id for no key update;
    if exists (
      select from (
        select first_day, lag(last_day) over (partition by campaign_id, metric order by first_day)
        from public.campaign_figures
        where replaced_by is null and client_id = _touched.client_id and campaign_id = any (_touched.campaigns)
          and first_day between _touched.first and _touched.last
      ) as figures (first_day, end_of_former)
      where end_of_former >= first_day
    ) then
      raise exception 'A week cannot have a figure for the whole week and for one of its days.' using errcode = '23P01';
    end if;
  end loop;
  return null;
end
$$;

create or replace function private.refuse_lookers() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if private.is_looking() then
    raise exception 'You are viewing the site as another person. Changes are not allowed.' using errcode = '42501';
  end if;
  return null;
end
$$;

create or replace function private.refuse_stale_text() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _opened text := nullif(current_setting('request.headers', true), '')::json ->> 'x-opened-version';
  _is_stale boolean := false;
begin
  -- For other callers the answer would reveal whether a row exists. The policies reject their write anyway.
  if not private.is_admin() then
    _opened := null;
  end if;
  if _opened <> 'none' and tg_op = 'INSERT' then
    -- An upsert fires this INSERT trigger first. If the row exists, its UPDATE trigger checks the precondition.
    execute format(
      'select not exists (select from public.%I as item where %s)', tg_table_name, private.is_document_in_sql(tg_table_name)
    ) into _is_stale using private.document_key(tg_table_name, to_jsonb(new));
  elsif _opened is not null and tg_op <> 'INSERT' then
    _is_stale := _opened = 'none' or _opened::timestamptz <> old.updated_at;
  end if;
  if _is_stale then
    raise sqlstate 'PT412' using message = 'Somebody else changed this after you opened it. Nothing was overwritten.';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end
$$;

create or replace function private.refuse_time(_starts_at timestamptz, _but uuid default null) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  _rules public.booking_rules := (select rules from public.booking_rules as rules);
  _slot tstzrange;
begin
  if not private.is_on('booking') then
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
  if not private.is_free(_slot, _but) then
    raise sqlstate 'PT409' using message = 'This time was just taken. Please choose another.';
  end if;
end
$$;

create or replace function private.reject_changed_client_file() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  raise exception 'Shared files cannot be replaced. Upload the new file under another name.' using errcode = '42501';
end
$$;

create or replace function private.require_admin() returns void language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.is_admin() and (select auth.role()) is distinct from 'service_role' then
    raise exception 'Only admins can do this' using errcode = '42501';
  end if;
end
$$;

create or replace function private.require_approver(_client_id uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.works_for_client(_client_id) then
    raise exception 'Only this client''s approvers can decide' using errcode = '42501';
  elsif _client_id not in (select private.clients_of_approver()) then
    raise exception 'You can read this, but only approvers can decide.' using errcode = '42501';
  end if;
end
$$;

create or replace function private.require_open_release(_release_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _release public.releases;
begin
  select * into _release from public.releases where id = _release_id for share;
  if _release.published_at is not null then
    raise exception 'The release “%” has already been published and cannot be changed.', _release.name using errcode = 'PT409';
  end if;
end
$$;

create or replace function private.save_lead(_lead public.leads) returns void language sql security definer set search_path = '' as $$
  insert into public.leads (source, name, email, phone, call_time, message, page, service, conversation_id)
  values (
    _lead.source, _lead.name, _lead.email, _lead.phone, _lead.call_time, _lead.message, _lead.page, _lead.service,
    -- Null if the conversation has been deleted.
    (select id from public.conversations where id = _lead.conversation_id)
  )
  on conflict (conversation_id) where source = 'assistant' do nothing
$$;

create or replace function private.shown_preview() returns public.preview_links
language plpgsql stable security definer set search_path = '' as $$
declare
  _link public.preview_links;
begin
  select * into _link from private.preview_link_of(private.request_preview_token());
  if _link.id is null then
    raise sqlstate 'PT404' using message = 'Preview not found.';
  end if;
  if not private.is_live(_link) then
    raise sqlstate 'PT410' using message = 'This preview has expired.';
  end if;
  return _link;
end
$$;

create or replace function private.start_conversation() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(current_setting('chat.new_conversation', true), '') <> '' then
    raise exception 'Only one conversation can be started per request';
  end if;
  perform set_config('chat.new_conversation', new.id::text, true);
  new.last_message_at := now();
  return new;
end
$$;

create or replace function private.team_tasks() returns table (client_id uuid, kind text, item_id uuid, words text)
language sql stable security definer set search_path = '' as $$
  with tasks (client_id, kind, item_id, words) as (
    select report.client_id, 'report', report.id, 'draft report, ' || case report.span
      when 'month' then to_char(report.first_day, 'FMMonth YYYY')
      else to_char(report.first_day, 'FMDD FMMonth') || ' to ' || to_char(report.last_day, 'FMDD FMMonth YYYY') end
    from public.client_reports as report where report.sent_at is null and report.discarded_at is null
    union all
    select approval.client_id, 'approval', approval.id,
      '“' || approval.title || '”, ' || case decision.verdict when 'no' then 'declined' else 'changes requested' end
    from public.approvals as approval
      join lateral (
        select any_version.number from public.approval_versions as any_version
        where any_version.client_id = approval.client_id and any_version.approval_id = approval.id
        order by any_version.number desc limit 1
      ) as version on true
      join public.approval_decisions as decision on decision.client_id = approval.client_id
        and decision.approval_id = approval.id and decision.number = version.number and decision.verdict in ('no', 'changes')
    union all
    select meeting.client_id, 'meeting', meeting.id, 'meeting with ' || meeting.met_with || ', disputed'
    from public.client_meetings as meeting where meeting.answer = 'disputed'
    union all
    select alarm.client_id, 'alarm', alarm.id, alarm.text from public.client_alarms as alarm where alarm.settled_at is null
  )
  select tasks.client_id, tasks.kind, tasks.item_id, clients.name || ': ' || tasks.words
  from tasks join public.clients on clients.id = tasks.client_id where not clients.is_sample
$$;

create or replace function private.tell_about_booking(_booking public.bookings, _change text, _token text default null) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _variables constant jsonb := jsonb_build_object(
    'Email', _booking.email, 'Token', _token, 'When', private.time_in_words(_booking.slot, _booking.time_zone),
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
  perform private.tell_owner_about_booking(_booking, _change);
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

create or replace function private.tell_about_lead() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _to constant text := trim((select setting_value from public.site_settings where setting_key = 'contact_email'));
begin
  -- No mail for leads that an admin created from a transcript. At most 60 mails an hour.
  if new.source not in ('transcript', 'booking') and private.is_email(_to)
    and private.count_for_subject('lead mail', '', 60, interval '1 hour') then
    insert into private.mail_queue (recipient, template, variables) values (_to, 'new_lead', jsonb_build_object(
      'Email', new.email, 'ReplyTo', new.email, 'Name', coalesce(nullif(new.name, ''), nullif(new.email, ''), new.phone),
      'Phone', coalesce(nullif(new.phone, ''), '-'), 'CallTime', coalesce(nullif(new.call_time, ''), '-'),
      'Message', new.message, 'LeadId', new.id
    ));
  end if;
  if private.lead_webhook_url() is not null then
    insert into public.lead_webhook_deliveries (lead_id) values (new.id);
  end if;
  return null;
end
$$;

create or replace function private.tell_asker_of_decision(_decision public.approval_decisions) returns void
language sql security definer set search_path = '' as $$
  with asker as materialized (
    select users.id, users.email, approvals.title, clients.name as client, decided.is_wording
    from public.approval_versions as decided
      join public.approvals on approvals.client_id = decided.client_id and approvals.id = decided.approval_id
      join public.clients on clients.id = decided.client_id
      join lateral (
        select asked_by from public.approval_versions as version
        where version.client_id = decided.client_id and version.approval_id = decided.approval_id
          and version.number <= decided.number and not version.is_wording
        order by version.number desc limit 1
      ) as asked on true
      join public.user_roles on user_roles.user_id = asked.asked_by and role in ('team', 'admin') and approved
      join auth.users on users.id = asked.asked_by
    where decided.client_id = _decision.client_id and decided.approval_id = _decision.approval_id
      and decided.number = _decision.number and users.email <> ''
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'approval_decided', jsonb_build_object(
    'Email', email, 'Title', title, 'Client', client, 'Message', _decision.comment,
    'Path', private.team_path(id, _decision.client_id, 'approval-' || _decision.approval_id),
    'Verdict', case
      when is_wording then 'Approved with changes'
      when _decision.verdict = 'yes' then 'Approved'
      when _decision.verdict = 'changes' then 'Changes requested'
      else 'Declined'
    end
  )
  from asker where private.count_for_subject('decision mail', lower(email), 100, interval '1 day')
$$;

create or replace function private.tell_asker_of_quote(_quote public.figure_quotes, _verdict text) returns void
language sql security definer set search_path = '' as $$
  -- Materialized, because the planner could otherwise call count_for_subject() for other people's addresses.
  with asker as materialized (
    select users.email, clients.name as client, private.quote_in_words(_quote) as words
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

create or replace function private.tell_client_of_approval(_version public.approval_versions) returns void
language sql security definer set search_path = '' as $$
  -- Materialized, because the planner could otherwise call count_for_subject() for other people's addresses.
  with people as materialized (
    select user_id, email, clients.name as client, approvals.title, approvals.kind
    from private.members_to_tell(_version.client_id, 'waiting'), public.clients
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

create or replace function private.tell_client_of_report(_report public.client_reports) returns void
language sql security definer set search_path = '' as $$
  -- Materialized, because the planner could otherwise call count_for_subject() for other people's addresses.
  with people as materialized (
    select member.email, clients.name as client
    from private.members_to_tell(_report.client_id, 'report') as member join public.clients on clients.id = _report.client_id
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

create or replace function private.tell_of_left_alone(
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
      perform private.tell_workers_of_alarm(_client.id, _text);
    end if;
  end loop;
end
$$;

create or replace function private.tell_owner_about_booking(_booking public.bookings, _change text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _owner constant text := (
    select setting_value from public.site_settings
    where setting_key = 'contact_email' and private.is_email(setting_value)
  );
  _when constant text := private.time_in_words(_booking.slot, (select time_zone from public.booking_rules));
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

create or replace function private.tell_workers_of_alarm(_client_id uuid, _text text) returns void
language sql security definer set search_path = '' as $$
  with assigned as (
    select user_id from public.client_assignments
      join public.user_roles using (user_id)
    where client_id = _client_id and role in ('team', 'admin') and approved
  ), people as materialized (
    -- Materialized, because the planner could otherwise call count_for_subject() for other people's addresses.
    select users.id, users.email, clients.name as client
    from auth.users join public.user_roles on user_roles.user_id = users.id, public.clients
    where clients.id = _client_id and users.email <> '' and (
      users.id in (select user_id from assigned)
      or not exists (select from assigned) and user_roles.role = 'admin' and user_roles.approved
    )
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'client_alarm', jsonb_build_object('Email', email, 'Client', client, 'Message', _text,
    'Path', private.team_path(id, _client_id, 'alarms'))
  from people where private.count_for_subject('alarm mail', lower(email), 20, interval '1 day')
$$;

create or replace function private.track_client_file() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _client uuid;
begin
  if tg_op = 'DELETE' then
    delete from public.client_files where object_name = old.name;
    return null;
  end if;
  select id into _client from public.clients where id::text = split_part(new.name, '/', 1) for no key update;
  if not found then
    return null;
  elsif (select count(*) from public.client_files where client_id = _client) >= 2000 then
    raise exception 'A client can have at most 2,000 files. Delete some that do not belong to an approval.' using errcode = '42501';
  end if;
  insert into public.client_files (client_id, id, object_name, name, mimetype, size, sha256, added_by, created_at)
  values (
    _client, new.id, new.name,
    coalesce(nullif(private.one_line(new.user_metadata ->> 'name', 200), ''), right(split_part(new.name, '/', 2), 200)),
    coalesce(new.metadata ->> 'mimetype', ''), coalesce((new.metadata ->> 'size')::bigint, 0), new.metadata ->> 'sha256',
    (select id from auth.users where id::text = coalesce(new.owner_id, new.owner::text)), new.created_at
  )
  on conflict (client_id, id) do update set
    mimetype = excluded.mimetype, size = excluded.size, sha256 = excluded.sha256;
  return null;
end
$$;

create or replace function private.track_media_file() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _before private.media_files;
  _file private.media_files;
begin
  if tg_op <> 'INSERT' and old.bucket_id = 'content-media' then
    select * into _before from private.media_files where name = old.name;
    if tg_op = 'DELETE' or new.bucket_id <> 'content-media' or new.name <> old.name then
      delete from private.media_files where name = old.name;
    end if;
  end if;
  if tg_op <> 'DELETE' and new.bucket_id = 'content-media' and new.metadata ? 'mimetype' then
    _file := private.media_file_of(new);
    select count(*) into _file.uses from private.media_mentions where mention_key = _file.mention_key;
    insert into private.media_files select _file.*
    on conflict (name) do update set
      object_id = excluded.object_id, original_name = excluded.original_name, mimetype = excluded.mimetype,
      kind = excluded.kind, size = excluded.size, width = excluded.width, height = excluded.height, alt = excluded.alt,
      folder = excluded.folder, focal_x = excluded.focal_x, focal_y = excluded.focal_y, sha256 = excluded.sha256,
      search_text = excluded.search_text, created_at = excluded.created_at, updated_at = excluded.updated_at;
    -- Pages are rendered with these values.
    if (_before.alt, _before.focal_x, _before.focal_y, _before.width, _before.height)
      is distinct from (_file.alt, _file.focal_x, _file.focal_y, _file.width, _file.height) and _before.name is not null then
      perform pg_notify('content_changed', 'media');
    end if;
  end if;
  return null;
end
$$;

create or replace function private.track_media_mentions() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if private.tries_release() then
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

create or replace function private.veto_rows(
  _client_id uuid, _approval_id uuid, _number integer, _lines integer[], _domain text, _is_back boolean, _person uuid
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
  if _is_back then
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

create or replace function private.works_for_client(_client_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.is_admin() or _client_id in (select private.clients_of_team_member()) then
    return true;
  elsif _client_id in (select private.clients_of_member()) then
    return false;
  end if;
  raise exception 'Only this client''s own people can do this' using errcode = '42501';
end
$$;

create or replace function public.add_campaign_source(
  _client_id uuid, _campaign_id uuid, _provider text, _metrics text[], _external_id text default '', _secret text default ''
) returns text language plpgsql security definer set search_path = '' as $$
declare
  _client constant public.clients := private.lock_client_of_worker(_client_id);
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
  if private.has_proven_address(_person) then
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
  _most constant integer := 20000;
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
  if (_answer ->> 'new')::integer > 0 and _before + (_answer ->> 'new')::integer > _most then
    raise exception 'A blocklist can have at most 20,000 entries. Add domains instead of single addresses.' using errcode = 'P0001';
  end if;
  return _answer;
end
$$;

create or replace function public.add_sample_client() returns uuid language plpgsql security definer set search_path = '' as $$
declare
  _person constant uuid := private.user_id();
  _monday constant date := date_trunc('week', now() at time zone 'Europe/Oslo')::date;
  _client uuid;
  _first constant uuid := gen_random_uuid();
  _second constant uuid := gen_random_uuid();
  _batch constant uuid := gen_random_uuid();
  _declined constant uuid := gen_random_uuid();
  _approved constant uuid := gen_random_uuid();
  _list constant uuid := gen_random_uuid();
  _report public.client_reports;
begin
  if not private.is_admin() then
    raise exception 'Only admins can add the sample client.' using errcode = '42501';
  end if;
  insert into public.clients (name, domain, meetings_goal, replies_goal, delivered_goal, is_sample)
  values ('Nordlys Energy', 'nordlys.example', 20, 120, 2000, true)
  on conflict do nothing returning id into _client;
  if _client is null then
    select id into _client from public.clients where is_sample;
    return _client;
  end if;
  insert into public.campaigns (client_id, id, name, channel, phase, next_step, due_on) values
    (_client, _first, 'Heads of facilities, Oslo', 'email', 'running', 'Try a shorter second mail', _monday + 9),
    (_client, _second, 'Founders of bakeries', 'linkedin', 'running', 'Add forty companies from Bergen', _monday + 16),
    (_client, gen_random_uuid(), 'Hotels on the coast', 'email', 'planned', 'Choose the first hundred hotels', _monday + 23);

  insert into public.import_batches (
    client_id, id, file_name, file_hash, column_map, new_count, changed_count, same_count, refused_count, imported_by
  ) values (_client, _batch, 'twelve-weeks.csv', repeat('0', 64), '{}', 120, 0, 0, 0, _person);
  insert into public.campaign_figures (client_id, batch_id, campaign_id, metric, first_day, last_day, value)
  select _client, _batch, campaign, metric, _monday - 7 * weeks_ago, _monday - 7 * weeks_ago + 6, value
  from generate_series(1, 12) as week (weeks_ago),
    lateral (values (_first, 260 - 9 * weeks_ago), (_second, 110 - 3 * weeks_ago)) as share (campaign, sent),
    lateral (values
      ('sent', sent), ('delivered', sent - 4 - weeks_ago % 3), ('replies', sent / 16 + weeks_ago % 4),
      ('positive_replies', sent / 40 + weeks_ago % 2), ('meetings', sent / 90 + (12 - weeks_ago) % 2)
    ) as counted (metric, value);

  -- The figures already include these meetings. They were held and accepted.
  update public.client_meetings as meeting set origin = 'completed', kept_by = _person, starts_at = planned.at,
    met_with = names[1 + number % 8] || ', ' || companies[1 + number / 8 % 6],
    outcome = 'held', answer_until = planned.at + interval '14 days', answer = 'accepted', answered_at = planned.at + interval '1 day'
  from (
    select id, row_number() over (order by booked_on, id)::integer as number,
      (booked_on + 3 + time '10:00') at time zone 'Europe/Oslo' as at
    from public.client_meetings where client_id = _client
  ) as planned, (values (
    array['Anne Vik', 'Bjørn Aas', 'Camilla Ruud', 'David Holt', 'Eva Lien', 'Frode Bakk', 'Grete Sand', 'Henrik Moen'],
    array['Torget Offices', 'Solsiden Bakery', 'Parken Facilities', 'Elva Bread', 'Bryn Properties', 'Havna Ovens']
  )) as made_up (names, companies)
  where meeting.client_id = _client and meeting.id = planned.id;

  insert into public.approvals (client_id, id, title) values
    (_client, _declined, 'First mail to hotels'), (_client, _approved, 'Second mail to heads of facilities');
  insert into public.approval_versions (client_id, approval_id, number, text, due_on, asked_by, created_at) values
    (_client, _declined, 1, E'Hello {{first_name}},\n\nwe noticed that {{company}} heats with oil. Do you have time for a call?\n\nKari',
      _monday + 2, _person, now() - interval '4 days'),
    (_client, _declined, 2, E'Hello {{first_name}},\n\n{{company}} has forty rooms by the sea and an oven from 1987. Three hotels near you pay '
      'a third less since they changed theirs. Should I send you how they did it?\n\nKari',
      _monday + 9, _person, now() - interval '1 day'),
    (_client, _approved, 1, E'Hello {{first_name}},\n\nshort again: may I send the figures of the building next door?\n\nKari',
      _monday - 4, _person, now() - interval '9 days');
  insert into public.approval_decisions (client_id, approval_id, number, verdict, comment, created_at) values
    (_client, _declined, 1, 'no', 'Say something about the hotel first.', now() - interval '3 days'),
    (_client, _approved, 1, 'yes', '', now() - interval '8 days');

  insert into public.client_meetings (
    client_id, booked_on, starts_at, met_with, outcome, evidence, answer_until, answer, reason, answered_at, kept_by
  ) values
    (_client, _monday - 3, now() + interval '3 days', 'Ingrid Berg, Havn Hotel', 'booked', 'Accepted the invitation.', null, null, '', null, _person),
    (_client, _monday - 5, now() - interval '2 days', 'Jonas Lie, Brygga Bakery', 'held', 'Recorded, 28 minutes.', now() + interval '12 days',
      null, '', null, _person),
    (_client, _monday - 10, now() - interval '6 days', 'Siri Moe, Fjordbygg', 'no_show', 'Waited ten minutes; a new time is asked for.',
      now() + interval '8 days', 'disputed', 'We had agreed on another day.', now() - interval '5 days', _person),
    (_client, _monday - 12, now() - interval '9 days', 'Per Dahl, Sentrum Offices', 'held', 'Recorded, 41 minutes.', now() + interval '5 days',
      'accepted', '', now() - interval '8 days', _person);

  insert into public.do_not_contact (client_id, kind, value, hint, added_by)
  select _client, 'domain', domain, domain, _person
  from unnest(array['customer.example', 'partner.example', 'rival.example']) as domain;
  insert into public.approvals (client_id, id, title, kind) values (_client, _list, 'Hotels on the coast', 'list');
  insert into public.approval_versions (client_id, approval_id, number, text, due_on, asked_by, created_at) values
    (_client, _list, 1, 'Hotels with 30 rooms and more between Stavanger and Bodø that heat with oil.', _monday + 10, _person,
      now() - interval '1 day');
  insert into public.approval_rows (client_id, approval_id, number, line, company, domain, person)
  select _client, _list, 1, line, company, domain, person
  from (values
    (2, 'Havn Hotel', 'havn-hotel.example', 'Ingrid Berg, Owner'), (3, 'Havn Hotel', 'havn-hotel.example', 'Tor Ness, Operations'),
    (4, 'Skjær Hotel', 'skjaer.example', 'Lise Holm, Director'), (5, 'Fyret Hotel', 'fyret.example', 'Odd Strand, Owner'),
    (6, 'Vik Hotel', 'vik.example', 'Nora Sund, Director'), (7, 'Brygga Rooms', 'brygga.example', 'Jan Eide, Operations')
  ) as listed (line, company, domain, person);
  insert into public.approval_vetoes (client_id, approval_id, number, line) values (_client, _list, 1, 5);

  insert into public.client_reports (client_id, span, first_day, last_day, figures, summary)
  select _client, 'week', _monday - 7, _monday - 1, private.report_figures(clients, 'week', _monday - 7, _monday - 1),
    'Facilities answer more since the second mail became shorter. The hotel campaign starts when you approve the list.'
  from public.clients where id = _client
  returning * into _report;
  _report.approved_by := _person;
  _report.sent_at := now() - interval '1 hour';
  _report.hash := private.report_hash(_report);
  update public.client_reports set approved_by = _report.approved_by, sent_at = _report.sent_at, hash = _report.hash
  where client_id = _client and id = _report.id;
  return _client;
end
$$;

create or replace function public.add_visit_counts(_counts jsonb) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  _today constant date := (now() at time zone 'utc')::date;
  _hosts_a_day constant integer := 200;
begin
  if not exists (
    select from public.site_settings where setting_key = 'count_visits' and setting_value = 'on'
  ) then
    return false;
  end if;
  if jsonb_typeof(_counts) is distinct from 'array' or jsonb_array_length(_counts) > 5000 then
    raise exception 'A batch of visits can have at most 5000 entries' using errcode = '22023';
  end if;
  -- Serialises writes of several servers, so that the limit of hosts per day holds and no deadlock occurs.
  lock table public.visit_counts in share row exclusive mode;
  insert into public.visit_counts as kept (day, kind, name, count, reads, read_seconds)
    with entry as (
      select given.kind, given.name, least(given.count, 1000000) as count,
        greatest(0, least(given.reads, given.count, 1000000)) as reads, given.seconds,
        given.kind = 'referrer' and given.name not in ('', 'other') and not exists (
          select from public.visit_counts as before
          where before.day = _today and before.kind = 'referrer' and before.name = given.name
        ) as is_new_host
      from jsonb_to_recordset(_counts) as given (kind text, name text, count bigint, reads bigint, seconds bigint)
      where given.count > 0 and case given.kind
        -- The server validates pages. Articles are validated here, and drafts are rejected.
        when 'page' then given.name !~ '^/news/.' or exists (
          select from public.posts
          where slug = substr(given.name, length('/news/') + 1) and status = 'published' and published_date <= now()
        )
        when 'referrer' then given.name ~ '^[a-z0-9.-]{0,100}$'
        when 'device' then given.name in ('phone', 'tablet', 'desktop')
        when 'chat' then given.name = ''
        else false
      end
    ), placed as (
      select *, row_number() over (partition by is_new_host order by count desc, name) as place from entry
    ), named as (
      select kind, count, reads, seconds, case
        when is_new_host and place > _hosts_a_day - (
          select count(*) from public.visit_counts where day = _today and kind = 'referrer' and name not in ('', 'other')
        ) then 'other'
        else name
      end as name
      from placed
    )
    select _today, kind, name, sum(count), coalesce(sum(reads), 0),
      greatest(0, least(coalesce(sum(seconds), 0), coalesce(sum(reads), 0) * 1800))
    from named group by kind, name
    on conflict (day, kind, name) do update set
      count = kept.count + excluded.count,
      reads = kept.reads + excluded.reads,
      read_seconds = kept.read_seconds + excluded.read_seconds;
  return true;
end
$$;

create or replace function public.answer_client_meeting(
  _client_id uuid, _id uuid, _outcome text, _answer text, _reason text default ''
) returns void language plpgsql security definer set search_path = '' as $$
declare
  _meeting public.client_meetings;
begin
  perform private.require_approver(_client_id);
  select * into _meeting from public.client_meetings where client_id = _client_id and id = _id for update;
  if not found then
    raise exception 'This meeting no longer exists.' using errcode = 'P0001';
  elsif _meeting.outcome is distinct from _outcome or _outcome = 'booked' then
    raise exception 'This meeting has changed. Reload the page to read it again.' using errcode = 'P0001';
  elsif _meeting.answer = 'accepted' then
    raise exception 'A colleague has already accepted this meeting.' using errcode = 'P0001';
  elsif _meeting.answer_until < now() then
    raise exception 'The time limit for an answer has passed. Please write to us.' using errcode = 'P0001';
  elsif _answer = 'disputed' and coalesce(_reason, '') !~ '\S' then
    raise exception 'Please describe what is wrong.' using errcode = 'P0001';
  end if;
  update public.client_meetings set
    answer = coalesce(_answer, ''), reason = btrim(coalesce(_reason, ''), E' \t\r\n'), answered_by = private.user_id(), answered_at = now()
  where client_id = _client_id and id = _id;
  -- Materialized, because the planner could otherwise call count_for_subject() for other people's addresses.
  if _answer = 'disputed' then
    with keeper as materialized (
      select users.id, users.email, clients.name as client
      from public.user_roles join auth.users on users.id = user_roles.user_id, public.clients
      where user_roles.user_id = _meeting.kept_by and user_roles.role in ('team', 'admin') and approved
        and clients.id = _client_id and users.email <> ''
    )
    insert into private.mail_queue (recipient, template, variables)
    select email, 'meeting_disputed', jsonb_build_object(
      'Email', email, 'Client', client, 'Title', _meeting.met_with, 'Message', _reason,
      'Path', private.team_path(keeper.id, _client_id, 'meeting-' || _id)
    )
    from keeper where private.count_for_subject('dispute mail', lower(email), 50, interval '1 day');
  end if;
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
  perform private.tell_asker_of_quote(_quote, case _answer when 'yes' then 'Agreed' else 'Declined' end);
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
  perform private.tell_client_of_report(_report);
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
  perform private.note_act(case when _approved then 'approved' else 'declined' end, _user_id, 'team');
  if _approved then
    perform private.mail_about_registration(_email, 'registration_approved');
  else
    perform private.mail_about_registration(_email, 'registration_declined', interval '10 seconds');
  end if;
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
  perform private.tell_client_of_approval(_version);
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
    perform private.tell_client_of_approval(_version);
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
  _client := private.lock_client_of_worker(_client_id);
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
  perform private.tell_client_of_quote(_quote);
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
      return private.booking_as_told(_known) || jsonb_build_object('token', _token);
    end if;
  end if;
  _call := private.new_booking(_starts_at, _name, _email, _phone, _message, _service, _time_zone);
  _wants_proof := private.are_bookings_crowded() or _call.slot && any (array(select private.held_slots()));
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

create or replace function public.cancel_booking_of_visitor(_booking_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  perform private.lock_bookings();
  if not exists (select from public.bookings where id = _booking_id) then
    raise sqlstate 'PT404' using message = 'This booking no longer exists.';
  end if;
  perform private.cancel(_booking_id, 'owner');
end
$$;

create or replace function public.check_client_reports(_client_id uuid) returns table (id uuid, first_day date, problem text)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.works_for_client(_client_id);
  return query
    select report.id, report.first_day, case
      when report.hash <> report.now_hash then 'This report was changed after it was sent: its hash does not match.'
      else 'The previous report is missing or was changed.'
    end
    from (
      select any_report.id, any_report.first_day, any_report.hash, any_report.previous_hash, any_report.sent_at,
        private.report_hash(any_report) as now_hash, lag(any_report.hash) over (order by any_report.sent_at) as former
      from public.client_reports as any_report where any_report.client_id = _client_id and any_report.hash is not null
    ) as report
    where report.hash <> report.now_hash or report.previous_hash is distinct from report.former
    order by report.sent_at;
end
$$;

create or replace function public.check_release(_id uuid) returns table (
  change_id uuid, problem text, sentence text, fields text[], live jsonb
) language plpgsql security definer set search_path = '' as $$
declare
  _problems jsonb;
begin
  perform private.require_admin();
  begin
    -- Waits for a running publication.
    perform from public.releases where id = _id and published_at is null for share;
    if not found then
      return;
    end if;
    perform set_config('releases.is_tried', 'yes', true);
    _problems := private.apply_release(_id);
    raise exception 'undo' using errcode = 'RB001';
  exception when sqlstate 'RB001' then
    null;
  end;
  return query
    select found.change_id, found.problem, found.sentence, found.fields, found.live
    from jsonb_to_recordset(_problems)
      as found (change_id uuid, problem text, sentence text, fields text[], live jsonb);
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
      select jsonb_build_object('figure', private.quote_in_words(quote), 'page', coalesce(projects.title, 'a page that was deleted'),
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

create or replace function public.client_imports(_client_id uuid) returns table (
  id uuid, file_name text, file_hash text, column_map jsonb, new_count integer, changed_count integer, same_count integer,
  refused_count integer, imported_by text, created_at timestamptz, undone_at timestamptz
) language plpgsql stable security definer set search_path = '' as $$
declare
  _works_for constant boolean := private.is_admin() or _client_id in (select private.clients_of_team_member());
begin
  if not (_works_for or _client_id in (select private.clients_of_member())) then
    raise exception 'Only this client''s own people can do this' using errcode = '42501';
  end if;
  return query
    select batches.id, batches.file_name, batches.file_hash, batches.column_map, batches.new_count, batches.changed_count,
      batches.same_count, batches.refused_count,
      coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), case when _works_for then users.email end, '')::text,
      batches.created_at, batches.undone_at
    from public.import_batches as batches left join auth.users on users.id = batches.imported_by
    where batches.client_id = _client_id and source_id is null order by batches.created_at desc, batches.id limit 50;
end
$$;

create or replace function public.client_people(_client_id uuid) returns table (
  id uuid, name text, email text, is_team boolean, kind text, is_waiting boolean, read_at timestamptz
) language plpgsql stable security definer set search_path = '' as $$
begin
  if not (private.is_admin() or _client_id in (select private.clients_of_team_member())) then
    raise exception 'Only admins and assigned team members can do this' using errcode = '42501';
  end if;
  return query
    select users.id, private.name_of(users.raw_user_meta_data), coalesce(users.email::text, 'Unknown'),
      places.kind is null, places.kind, places.of_invited, (
        select last_at from public.client_reads as noted
        where noted.client_id = _client_id and noted.user_id = places.user_id and noted.what = 'rooms'
      )
    from (
      select user_id, member.kind, false from public.client_members as member where client_id = _client_id
      union all
      select user_id, invitation.kind, true from public.client_invitations as invitation where client_id = _client_id
      union all
      select user_id, null, false from public.client_assignments where client_id = _client_id
    ) as places (user_id, kind, of_invited)
    join auth.users on users.id = places.user_id
    order by places.kind is null, places.of_invited, users.email;
end
$$;

create or replace function public.comment_on_version(
  _client_id uuid, _approval_id uuid, _number integer, _text text, _quote text default ''
) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  _id uuid;
begin
  perform private.works_for_client(_client_id);
  perform private.lock_approval(_client_id, _approval_id);
  if _quote <> '' and not exists (
    select from public.approval_versions
    where client_id = _client_id and approval_id = _approval_id and number = _number and position(_quote in text) > 0
  ) then
    raise exception 'This passage is not in the version that you commented on. Reload the page to read it again.' using errcode = 'P0001';
  elsif (select count(*) from public.approval_comments where client_id = _client_id and approval_id = _approval_id) >= 500 then
    raise exception 'An approval can have at most 500 comments. Please talk to your contact directly.' using errcode = 'P0001';
  end if;
  insert into public.approval_comments (client_id, approval_id, number, quote, text, written_by)
  values (_client_id, _approval_id, _number, coalesce(_quote, ''), btrim(_text, E' \t\r\n'), private.user_id()) returning id into _id;
  return _id;
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
    return private.booking_as_told(private.booking_of(_token)) || jsonb_build_object('token', _token);
  end if;
  _call := jsonb_populate_record(null::public.bookings, _held.call);
  _start := coalesce(_starts_at, lower(_held.slot));
  perform private.refuse_time(_start);
  perform private.limit_bookings_of(_call.email);
  _call.slot := (select tstzrange(_start, _start + make_interval(mins => length_minutes)) from public.booking_rules);
  -- Also deletes repeated requests of this address for the same time.
  delete from private.held_bookings where token_hash = _held.token_hash
    or (slot = _held.slot and lower(call ->> 'email') = lower(_call.email));
  return private.save_booking(_call, _token, true);
end
$$;

create or replace function public.confirm_lead(_token text) returns boolean language plpgsql security definer set search_path = '' as $$
declare
  _held private.held_leads;
begin
  delete from private.held_leads
    where token_hash = private.booking_token_hash(coalesce(_token, '')) and expires_at > now()
    returning * into _held;
  if not found then
    return false;
  end if;
  if not private.count_for_subject('proven lead', '', 10000, interval '1 day') then
    raise sqlstate 'PT429' using message = 'Too many people are writing right now. Please send us an email instead.';
  end if;
  perform private.save_lead(jsonb_populate_record(null::public.leads, _held.lead));
  return true;
end
$$;

create or replace function public.content_origins() returns table (used_for text, origin text)
language plpgsql stable set search_path = '' as $$
declare
  _kind record;
begin
  for _kind in select table_name from private.list_content_kinds() loop
    return query execute format(
      'select distinct ''picture'', named.origin
       from private.list_item_origins(%1$L) as kept join public.%1$I as item on item.id = kept.item_id
         cross join unnest(kept.origins) as named (origin)
       where item.status = ''published''', _kind.table_name
    );
  end loop;
  -- Sections are JSON, but may contain invalid text.
  return query
    select distinct place.used_for, lower(hit[1])
    from public.page_content,
      (values ('picture', '(?:image|src)\w*'), ('frame', 'calendlyPlaceholder')) as place (used_for, key),
      regexp_matches(content, place.key || '"\s*:\s*"\s*(https://[^]/?#\\")>\s]+)', 'gi') as hit;
end
$$;

create or replace function public.correct_client_report(_client_id uuid, _id uuid) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  _client constant public.clients := private.lock_client_of_worker(_client_id);
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
  perform private.refuse_applications();
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

create or replace function public.decide_by_link(
  _token text, _holder text, _verdict text, _comment text default '', _wording text default null
) returns text language plpgsql security definer set search_path = '' as $$
declare
  _found record;
  _link private.approval_links;
begin
  _found := private.approval_link_of(_token, _holder);
  _link := _found.link;
  if _found.refusal is not null then
    return _found.refusal;
  elsif _link.holder_hash is null then
    return 'Please read this version before you decide.';
  elsif _link.used_at is not null then
    return 'This link has already been used. Sign in to see your decision.';
  end if;
  perform private.decide_approval(
    _link.client_id, _link.approval_id, _link.number, _verdict, _comment, _wording, _link.user_id
  );
  update private.approval_links set used_at = now() where token_hash = _link.token_hash;
  return null;
end
$$;

create or replace function public.delete_campaign(_client_id uuid, _campaign_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only admins and assigned team members can delete campaigns' using errcode = '42501';
  end if;
  update public.campaigns set deleted_at = now(), phase = 'done'
  where client_id = _client_id and id = _campaign_id and deleted_at is null;
end
$$;

create or replace function public.delete_client_file(_client_id uuid, _file_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only admins and assigned team members can delete files' using errcode = '42501';
  elsif exists (select from public.approval_versions where client_id = _client_id and file_id = _file_id) then
    raise exception 'This file belongs to an approval and cannot be deleted.' using errcode = 'P0001';
  end if;
  delete from public.client_files where client_id = _client_id and id = _file_id;
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
  perform private.note_act('deleted_own_account', _id, _role);
  perform private.forget_person(_id, private.has_proven_mailbox());
end
$$;

create or replace function public.dismiss_failed_mail(_id bigint) returns void language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_admin() then
    raise exception 'Only admins can dismiss failed emails' using errcode = '42501';
  end if;
  delete from private.mail_queue where id = _id and failed_at is not null;
end
$$;

create or replace function public.end_my_session(_session_id uuid) returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.refuse_applications();
  delete from auth.sessions where id = _session_id and user_id = (select private.user_id());
  if not found then
    raise exception 'This session has already ended.';
  end if;
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
  perform private.note_act('downloaded_data', _user_id);
  return _data;
end
$$;

create or replace function public.figure_sums(_client_id uuid, _from date, _until date, _metrics text[] default null) returns table (
  metric text, first_day date, last_day date, value bigint
) language sql stable set search_path = '' as $$
  -- Aggregates before ordering. Otherwise Postgres sorts all rows for the grouping, which doubled the time.
  with sums as materialized (
    select metric, first_day, last_day, sum(value)::bigint as value from private.counted_figures
    where client_id = _client_id and first_day between _from and _until
      and (_metrics is null or metric = any (_metrics))
    group by metric, first_day, last_day
  )
  select metric, first_day, last_day, value from sums order by metric, first_day
$$;

create or replace function public.figures_behind(_client_id uuid, _metric text, _from date, _until date) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  _works_for constant boolean := private.is_admin() or _client_id in (select private.clients_of_team_member());
begin
  if not (_works_for or _client_id in (select private.clients_of_member())) then
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
        'imported_by', coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), case when _works_for then users.email end, '')))
      from public.import_batches as batches left join auth.users on users.id = batches.imported_by
      where batches.client_id = _client_id and batches.id in (select batch_id from figures)
    ), '[]'))
  );
end
$$;

create or replace function public.find_conversations(_search text, _limit integer default 24, _offset integer default 0) returns table (
  id uuid, created_at timestamptz, last_message_at timestamptz, message_count integer, excerpt text, total integer
) language sql stable set search_path = '' as $$
  with asked as materialized (
    select '%' || regexp_replace(_search, '([\\%_])', '\\\1', 'g') || '%' as pattern, octet_length(_search) = length(_search) as is_ascii
  ), said as materialized (
    -- ASCII compares the same in every collation, and twice as fast in "C".
    select distinct message.conversation_id as id from public.chat_messages as message cross join asked
    where case when is_ascii then message.content collate "C" ilike pattern else message.content ilike pattern end
  ), found as materialized (
    select conversation.id, conversation.created_at, conversation.last_message_at, conversation.message_count
    from said join public.conversations as conversation using (id) where conversation.message_count > 0
  )
  select page.id, page.created_at, page.last_message_at, page.message_count,
    (
      select message.content from public.chat_messages as message
      where message.conversation_id = page.id and message.content ilike pattern order by message.created_at limit 1
    ),
    (select count(*)::integer from found)
  from (
    select * from found order by last_message_at desc, id limit least(greatest(_limit, 1), 100) offset greatest(_offset, 0)
  ) as page cross join asked
  order by page.last_message_at desc, page.id
$$;

create or replace function public.free_slots(_from timestamptz, _to timestamptz) returns table (starts_at timestamptz, ends_at timestamptz)
language plpgsql stable security definer set search_path = '' as $$
declare
  _held constant tstzrange[] := array(select private.held_slots());
begin
  if _from is null or _to is null or not isfinite(_from) or not isfinite(_to) or _to <= _from then
    raise exception 'The end of the period must be after its start.' using errcode = '22023';
  end if;
  if _to - _from > interval '62 days' then
    raise exception 'A request can cover at most 62 days.' using errcode = '22023';
  end if;
  return query
    select time.starts_at, time.ends_at from private.bookable_times(_from, _to, now()) as time
    where not tstzrange(time.starts_at, time.ends_at) && any (_held);
end
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
    'Email', _call.email, 'Token', _token, 'When', private.time_in_words(_call.slot, _call.time_zone)
  ));
  return jsonb_build_object(
    'starts_at', lower(_call.slot), 'ends_at', upper(_call.slot), 'expires_at', _held.expires_at
  );
end
$$;

create or replace function public.import_figures(_client_id uuid, _file jsonb, _rows jsonb, _is_trial boolean) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  _client constant public.clients := private.lock_client_of_worker(_client_id);
  _batch_id constant uuid := gen_random_uuid();
  _judged private.judged_figure[];
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
      select judged from private.judge_figures(_client, case _file ->> 'period' when 'week' then 6 else 0 end, _rows) as judged
    );
    _answer := private.sum_up_judgement(_judged);
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
    perform private.keep_totals(_client_id, _file ->> 'name', _judged);
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

create or replace function public.lead_owners() returns table (id uuid, name text)
language plpgsql stable security definer set search_path = '' as $$
begin
  if not (private.is_admin() or private.is_team()) then
    raise exception 'Only admins and team members can do this' using errcode = '42501';
  end if;
  return query
    select users.id, coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), users.email::text, 'Unknown')
    from public.user_roles join auth.users on users.id = user_roles.user_id
    where user_roles.role in ('admin', 'team') and user_roles.approved
    order by 2;
end
$$;

create or replace function public.list_campaign_sources(_client_id uuid) returns table (
  id uuid, campaign_id uuid, campaign text, provider text, external_id text, has_secret boolean, metrics text[],
  counts_from date, ends_on date, created_at timestamptz, latest_at timestamptz, not_counted jsonb
) language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only admins and assigned team members can do this' using errcode = '42501';
  end if;
  return query
    select source.id, source.campaign_id, campaigns.name, source.provider, source.external_id, source.secret_hash is not null,
      source.metrics, source.counts_from, source.ends_on, source.created_at, (
        select max(event.received_at) from public.inbound_events as event
        where event.client_id = _client_id and event.source_id = source.id
      ), (
        select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'state', state, 'count', count, 'latest', latest)
          order by latest desc, kind), '[]')
        from (
          select event.kind, event.state, count(*), max(event.received_at) from public.inbound_events as event
          where event.client_id = _client_id and event.source_id = source.id
            and event.state in ('unknown', 'elsewhere', 'untimely')
          group by event.kind, event.state order by max(event.received_at) desc limit 50
        ) as kinds (kind, state, count, latest)
      )
    from public.campaign_sources as source
      join public.campaigns on campaigns.client_id = _client_id and campaigns.id = source.campaign_id
    where source.client_id = _client_id
    order by source.ends_on is not null, source.created_at desc, source.id limit 200;
end
$$;

create or replace function public.list_campaign_texts(_client_id uuid, _campaign_id uuid) returns table (
  id uuid, title text, is_approved boolean, is_sent boolean, step integer
) language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only admins and assigned team members can do this' using errcode = '42501';
  end if;
  return query
    select approval.id, approval.title, exists (
        select from public.approval_decisions as decision
        where decision.client_id = _client_id and decision.approval_id = approval.id and decision.verdict = 'yes'
      ), sent.approval_id is not null, sent.step
    from public.approvals as approval
      left join public.campaign_texts as sent on sent.client_id = _client_id and sent.campaign_id = _campaign_id
        and sent.approval_id = approval.id
    where approval.client_id = _client_id
    order by sent.approval_id is null, sent.step nulls last, approval.created_at desc, approval.id limit 200;
end
$$;

create or replace function public.list_campaign_versions(_client_id uuid, _campaign_id uuid) returns table (
  number integer, action text, campaign jsonb, changed_by text, created_at timestamptz
) language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only admins and assigned team members can see earlier versions of campaigns' using errcode = '42501';
  end if;
  return query
    select version.number, version.action, version.campaign,
      coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), users.email::text, ''), version.created_at
    from public.campaign_versions as version left join auth.users on users.id = version.changed_by
    where version.client_id = _client_id and version.campaign_id = _campaign_id
    order by version.number desc;
end
$$;

create or replace function public.list_client_notes(_client_id uuid, _limit integer default 24, _offset integer default 0) returns table (
  id uuid, text text, written_by text, created_at timestamptz, may_delete boolean, total integer
) language plpgsql stable security definer set search_path = '' as $$
declare
  _is_admin constant boolean := private.is_admin();
begin
  if not (_is_admin or _client_id in (select private.clients_of_team_member())) then
    raise exception 'Only admins and assigned team members can do this' using errcode = '42501';
  end if;
  return query
    select note.id, note.text, coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), users.email, '')::text,
      note.created_at, _is_admin or coalesce(note.written_by = private.user_id(), false), note.total
    from (
      select *, count(*) over ()::integer as total from public.client_notes
      where client_id = _client_id order by client_notes.created_at desc, client_notes.id
      limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0)
    ) as note left join auth.users on users.id = note.written_by
    order by note.created_at desc, note.id;
end
$$;

create or replace function public.list_failed_mails() returns table (
  id bigint, recipient text, template text, reason text, failed_at timestamptz
) language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.is_admin() then
    raise exception 'Only admins can see failed emails' using errcode = '42501';
  end if;
  return query
    select mail.id, mail.recipient, mail.template, coalesce(mail.last_error, ''), mail.failed_at
    from private.mail_queue as mail
    where mail.failed_at is not null
    order by mail.failed_at desc, mail.id desc limit 100;
end
$$;

create or replace function public.make_admin(_user_id uuid) returns void language plpgsql security definer set search_path = '' as $$
declare
  _role text;
begin
  perform private.begin_act_on(_user_id);
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
  perform private.note_act('made_admin', _user_id, 'admin');
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
  perform private.begin_act_on(_user_id);
  insert into public.user_roles as roles (user_id, role, approved) values (_user_id, 'client', true)
  on conflict (user_id) do update set role = 'client', approved = true where roles.role <> 'client' or not roles.approved;
  if not found then
    raise exception 'This person is already a client.';
  end if;
  -- Withdraws an earlier rejection and its unsent mail.
  update public.registration_decisions set withdrawn_at = now(), withdrawn_by = private.user_id()
  where user_id = _user_id and not approved and withdrawn_at is null;
  delete from private.mail_queue where recipient = _email and template = 'registration_declined';
  perform private.note_act('made_client', _user_id, 'client');
end
$$;

create or replace function public.media_library(
  _search text default '', _kind text default '', _limit integer default 24, _offset integer default 0, _folder text default '',
  _unused boolean default false
) returns table (
  id uuid, name text, original_name text, mimetype text, size bigint, width integer, height integer, alt text, folder text,
  focal_x real, focal_y real, is_used boolean, created_at timestamptz, updated_at timestamptz, total bigint
) language plpgsql stable security definer set search_path = '' as $$
declare
  _where text := concat_ws(' and ', 'true',
    -- LIKE instead of position(), so that a trigram index can be used if there is one.
    case when _search <> '' then format('search_text like %L',
      '%' || regexp_replace(lower(_search), '([\\%_])', '\\\1', 'g') || '%') end,
    case when _kind <> '' then format('kind = %L', _kind) end,
    case _folder when '' then null when '-' then 'folder = ''''' else format('folder = %L', _folder) end,
    case when _unused then 'uses = 0' end);
  _total bigint;
  _first constant integer := greatest(_offset, 0);
  _length integer := least(greatest(_limit, 1), 200);
  _is_from_end boolean;
begin
  perform private.require_admin();
  execute 'select count(*) from private.media_files where ' || _where into _total;
  _is_from_end := _first > _total - _first;
  -- The last page may be shorter.
  _length := case when _is_from_end then least(_length, greatest(_total - _first, 0)) else _length end;
  return query execute format(
    'with page as materialized (
       select name from private.media_files where %s order by %s limit $2 offset $3
     )
     select object_id, name, original_name, mimetype, size, width, height, alt, folder, focal_x, focal_y, uses > 0,
       created_at, updated_at, $1
     from page join private.media_files using (name) order by created_at desc, name', _where,
    case when _is_from_end then 'created_at, name desc' else 'created_at desc, name' end
  ) using _total, _length, case when _is_from_end then greatest(_total - _first - _length, 0) else _first end;
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
  perform private.refuse_time(_starts_at, _booking.id);
  begin
    update public.bookings
      set slot = tstzrange(_starts_at, _starts_at + (
          select make_interval(mins => length_minutes) from public.booking_rules
        )), sequence = sequence + 1, updated_at = now()
      where id = _booking.id returning * into _booking;
  exception when exclusion_violation then
    raise sqlstate 'PT409' using message = 'This time was just taken. Please choose another.';
  end;
  perform private.tell_about_booking(_booking, 'moved', _token);
  return private.booking_as_told(_booking);
end
$$;

create or replace function public.move_media(_names text[], _folder text) returns integer language plpgsql set search_path = '' as $$
declare
  _moved integer;
begin
  perform private.require_admin();
  _folder := regexp_replace(trim(_folder), '\s+', ' ', 'g');
  if length(_folder) > 100 or _folder = '-' then
    raise exception 'A folder name must have at most 100 characters and cannot be “-”.' using errcode = '22023';
  end if;
  if cardinality(_names) > 1000 then
    raise exception 'At most 1,000 files can be moved at once.' using errcode = '22023';
  end if;
  update storage.objects
  set user_metadata = case _folder
    when '' then coalesce(user_metadata, '{}') - 'folder'
    else coalesce(user_metadata, '{}') || jsonb_build_object('folder', _folder)
  end
  where bucket_id = 'content-media' and name = any (_names);
  get diagnostics _moved = row_count;
  return _moved;
end
$$;

create or replace function public.my_data() returns jsonb language plpgsql security definer set search_path = '' as $$
begin
  if private.user_id() is null then
    raise exception 'Please sign in first.' using errcode = '42501';
  end if;
  perform private.refuse_applications();
  if not private.count_for_address('my data', private.client_address(), 30, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'Too many requests. Try again in an hour.';
  end if;
  return private.data_of(private.user_id(), private.has_proven_mailbox());
end
$$;

create or replace function public.note_client_read(
  _client_id uuid, _approval_ids uuid[] default '{}'::uuid[], _report_ids uuid[] default '{}'::uuid[]
) returns void language plpgsql security definer set search_path = '' as $$
begin
  if _client_id not in (select private.clients_of_member()) then
    raise exception 'Only this client''s own people can mark items as read' using errcode = '42501';
  end if;
  insert into public.client_reads as noted (client_id, user_id, what, item_id)
  select _client_id, private.user_id(), 'rooms', _client_id
  union all
  select _client_id, private.user_id(), 'approval', id
  from public.approvals where client_id = _client_id and id = any (_approval_ids)
  union all
  select _client_id, private.user_id(), 'report', id
  from public.client_reports where client_id = _client_id and id = any (_report_ids) and sent_at is not null
  on conflict (client_id, user_id, what, item_id) do update set last_at = now();
end
$$;

create or replace function public.open_preview(_token text) returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  _told constant jsonb := private.preview_as_told(_token);
begin
  if _told ->> 'state' = 'unknown'
    and not private.count_for_address('preview', private.client_address(), 30, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'Too many invalid preview links. Try again in an hour.';
  end if;
  return _told;
end
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
    perform private.tell_admins_about_registration((select email from auth.users where id = _user_id));
  end if;
end
$$;

create or replace function public.reorder_items(_table text, _ids uuid[]) returns void language plpgsql set search_path = '' as $$
declare
  _order text;
  _ranked text;
  _free boolean;
begin
  if not private.is_admin() then
    raise exception 'Only admins can reorder content' using errcode = '42501';
  end if;
  select list_order into _order from private.list_content_kinds()
  where table_name = _table and list_order like 'display\_order%';
  if _order is null then
    raise exception '% cannot be reordered', coalesce(_table, 'null') using errcode = '22023';
  end if;

  -- Items that were deleted in the meantime are ignored.
  execute format(
    'select coalesce(array_agg(item.id order by item.place), ''{}'')
     from unnest($1) with ordinality as item (id, place) join public.%1$I using (id)', _table
  ) into _ids using _ids;

  -- If all positions are distinct, the given items swap theirs and no other row changes.
  execute format(
    'select count(*) = count(distinct display_order) from public.%1$I
     where display_order in (select display_order from public.%1$I where id = any ($1))', _table
  ) into _free using _ids;
  if _free then
    _ranked := format('select id, display_order as place from public.%I', _table);
  else
    -- Otherwise the whole list is renumbered in its current order.
    _ranked := format(
      'select id, row_number() over (order by %s, id)::integer as place from public.%I', _order, _table
    );
  end if;

  execute format(
    'with ranked as (%2$s),
       slots as (select place, row_number() over (order by place) as number from ranked where id = any ($1)),
       target as (
         select ranked.id, coalesce(slots.place, ranked.place) as place
         from ranked left join slots on slots.number = array_position($1, ranked.id)
       )
     update public.%1$I as item set display_order = target.place
     from target where target.id = item.id and item.display_order <> target.place', _table, _ranked
  ) using _ids;
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
         and private.mentions_media(item::text, $1)', _table, private.readdressed_columns(_table)
    ) using _name, _by, _old.mention_key;
    get diagnostics _changed = row_count;
    _places := _places + _changed;
  end loop;
  update public.release_changes as change
  set data = private.readdress_media(data::text, _name, _by)::jsonb,
    base = private.readdress_media(base::text, _name, _by)::jsonb
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

create or replace function public.restore_campaign(_client_id uuid, _campaign_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only admins and assigned team members can restore campaigns' using errcode = '42501';
  end if;
  update public.campaigns set deleted_at = null, phase = coalesce((
    select campaign ->> 'phase' from public.campaign_versions
    where client_id = _client_id and campaign_id = _campaign_id and action <> 'deleted' order by number desc limit 1
  ), phase)
  where client_id = _client_id and id = _campaign_id and deleted_at > now() - interval '30 days';
  if not found then
    raise exception 'This campaign is no longer in the trash.' using errcode = 'P0001';
  end if;
end
$$;

create or replace function public.restore_item(_kind text, _item_id uuid) returns text
language plpgsql security definer set search_path = '' as $$
declare
  _data jsonb;
  _slug text;
  _number integer := 1;
  _is_taken boolean;
begin
  perform private.require_admin();
  if not exists (select from private.documents where kind = _kind and is_item) then
    raise exception 'Unknown kind of content: %', coalesce(_kind, 'null') using errcode = '22023';
  end if;
  select data into _data from public.deleted_content where kind = _kind and item_id = _item_id for update;
  if not found then
    raise exception 'This item is no longer in the trash. It was restored or permanently deleted.';
  end if;
  if _data ? 'slug' then
    loop
      _slug := case _number when 1 then _data ->> 'slug' else left(_data ->> 'slug', 290) || '-' || _number end;
      execute format('select exists (select from public.%I where slug = $1)', _kind) into _is_taken using _slug;
      exit when not _is_taken;
      _number := _number + 1;
    end loop;
    _data := _data || jsonb_build_object('slug', _slug);
  end if;
  -- Columns added since the deletion get their default. Dropped columns are ignored.
  perform private.insert_item(_kind, _data, null);
  return case when _number > 1 then _slug end;
end
$$;

create or replace function public.restore_media(_id uuid) returns text language plpgsql security definer set search_path = '' as $$
declare
  _file jsonb;
begin
  if public.keeps_deleted_media() then
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
  perform private.note_act('restored', _user_id, _decision.role);
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
  perform private.begin_act_on(_user_id);
  delete from public.user_roles where user_id = _user_id and role in ('client', 'team') and approved
  returning role, created_at into _role, _registered_at;
  if not found then
    raise exception 'You can only revoke the access of clients and approved team members.';
  end if;
  insert into public.registration_decisions (user_id, email, approved, revoked, role, decided_by, registered_at)
  select id, coalesce(email, ''), false, true, _role, private.user_id(), _registered_at
  from auth.users where id = _user_id;
  perform private.note_act('revoked', _user_id, _role);
end
$$;

create or replace function public.rotate_campaign_source(_client_id uuid, _id uuid, _secret text default '') returns text
language plpgsql security definer set search_path = '' as $$
declare
  _token text;
  _hash text;
begin
  perform private.lock_client_of_worker(_client_id);
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

create or replace function public.save_availability(
  _hours jsonb, _time_zone text, _notice_minutes integer, _days_ahead integer, _length_minutes integer, _place text
) returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  if jsonb_typeof(_hours) is distinct from 'array' or jsonb_array_length(_hours) > 100 then
    raise exception 'Opening hours can have at most 100 entries.' using errcode = '22023';
  end if;
  if not private.is_time_zone(_time_zone) then
    raise exception 'Unknown time zone: %', left(_time_zone, 64) using errcode = '22023';
  end if;
  if _notice_minutes is null or _notice_minutes not between 0 and 43200 then
    raise exception 'The minimum notice must be between 0 minutes and 30 days.' using errcode = '22023';
  end if;
  if _days_ahead is null or _days_ahead not between 1 and 365 then
    raise exception 'Calls can be booked 1 to 365 days ahead.' using errcode = '22023';
  end if;
  if _length_minutes is null or _length_minutes not between 10 and 480 then
    raise exception 'A call must last between 10 minutes and 8 hours.' using errcode = '22023';
  end if;
  if length(_place) > 300 then
    raise exception 'The place must have at most 300 characters.' using errcode = '22023';
  end if;
  update public.booking_rules set time_zone = _time_zone, notice_minutes = _notice_minutes, days_ahead = _days_ahead,
    length_minutes = _length_minutes, place = coalesce(trim(_place), ''), updated_at = now()
    where true;
  delete from public.availability where true;
  insert into public.availability (weekday, starts_at, ends_at)
    select weekday, starts_at, ends_at
    from jsonb_to_recordset(_hours) as hours (weekday smallint, starts_at time, ends_at time);
  if exists (
    select from public.availability as one join public.availability as other
      on one.id <> other.id and one.weekday = other.weekday
      and one.starts_at < other.ends_at and other.starts_at < one.ends_at
  ) then
    raise exception 'Two of the hours on the same day overlap.' using errcode = '22023';
  end if;
end
$$;

create or replace function public.save_client_meeting(
  _client_id uuid, _starts_at timestamptz, _met_with text, _outcome text, _evidence text default '', _id uuid default null,
  _campaign_id uuid default null, _booked_on date default null
) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  _old public.client_meetings;
  _zone constant text := (select time_zone from public.clients where id = _client_id);
  _today constant date := (now() at time zone _zone)::date;
  _until constant timestamptz := case when _outcome <> 'booked' then now() + interval '14 days' end;
  _saved uuid;
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only admins and assigned team members can record meetings' using errcode = '42501';
  elsif _outcome <> 'booked' and _starts_at > now() then
    raise exception 'This meeting is in the future. Its outcome must be “booked”.' using errcode = 'P0001';
  elsif _booked_on > _today then
    raise exception 'The booking date cannot be in the future.' using errcode = 'P0001';
  end if;
  if _id is null then
    -- Locks the client, so that concurrent calls cannot exceed the limit.
    perform from public.clients where id = _client_id for no key update;
    _booked_on := coalesce(_booked_on, least(_today, (_starts_at at time zone _zone)::date));
    -- If a figure already counts a meeting of this campaign on that day or in that week, its row is completed instead.
    select meeting.id into _id from public.client_meetings as meeting
      left join public.campaign_figures as figure on figure.client_id = _client_id and figure.campaign_id = _campaign_id
        and metric = 'meetings' and replaced_by is null and meeting.booked_on between first_day and last_day
    where meeting.client_id = _client_id and meeting.campaign_id = _campaign_id and origin = 'figure'
      and _booked_on between coalesce(first_day, booked_on) and coalesce(last_day, booked_on)
    order by meeting.booked_on, meeting.created_at, meeting.id limit 1;
  end if;
  if _id is null then
    if (select count(*) from public.client_meetings where client_id = _client_id) >= 10000 then
      raise exception 'A client can have at most 10,000 meetings.' using errcode = 'P0001';
    end if;
    insert into public.client_meetings (
      client_id, starts_at, met_with, outcome, evidence, answer_until, kept_by, campaign_id, booked_on
    ) values (_client_id, _starts_at, trim(_met_with), _outcome, _evidence, _until, private.user_id(), _campaign_id, _booked_on)
    returning id into _saved;
    return _saved;
  end if;
  select * into _old from public.client_meetings where client_id = _client_id and id = _id for update;
  if not found then
    raise exception 'This meeting no longer exists.' using errcode = 'P0001';
  elsif _old.answer = 'accepted' then
    raise exception 'The client has accepted this meeting, so it cannot be changed.' using errcode = 'P0001';
  end if;
  update public.client_meetings set
    starts_at = _starts_at, met_with = trim(_met_with), outcome = _outcome, evidence = _evidence, kept_by = private.user_id(),
    campaign_id = _campaign_id,
    -- Keeps the day of a meeting that a figure added, so that the figure still matches it.
    booked_on = case origin when 'person' then coalesce(_booked_on, booked_on) else booked_on end,
    origin = case origin when 'figure' then 'completed' else origin end,
    answer_until = case when outcome = _outcome then answer_until else _until end,
    answer = case when outcome = _outcome then answer end,
    reason = case when outcome = _outcome then reason else '' end,
    answered_by = case when outcome = _outcome then answered_by end,
    answered_at = case when outcome = _outcome then answered_at end
  where client_id = _client_id and id = _id;
  return _id;
end
$$;

create or replace function public.save_report_summary(_client_id uuid, _id uuid, _summary text, _former text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _draft constant public.client_reports := private.lock_report_draft(_client_id, _id);
begin
  if _draft.summary is distinct from _former then
    raise exception 'A colleague has changed the summary. Please read it first.' using errcode = 'P0001';
  end if;
  update public.client_reports set
    summary = btrim(_summary, E' \t\r\n'), figures = (private.with_current_figures(_draft)).figures
  where client_id = _client_id and id = _id;
  -- An edited draft is no longer overwritten by the model's summary.
  delete from private.asked_summaries where client_id = _client_id and report_id = _id;
end
$$;

create or replace function public.save_to_release(
  _kind text, _item_id text, _action text, _data jsonb default null, _base jsonb default null, _release_id uuid default null,
  _name text default null, _seen timestamptz default null
) returns uuid language plpgsql set search_path = '' as $$
declare
  _there public.release_changes;
begin
  if _release_id is null then
    insert into public.releases (name) values (_name) returning id into _release_id;
  end if;
  select * into _there from public.release_changes
  where release_id = _release_id and kind = _kind and item_id = _item_id for update;
  if _there.changed_at is distinct from _seen then
    raise exception 'Somebody else changed this in the release. Nothing was overwritten.' using errcode = 'PT409';
  end if;
  if _there.id is null then
    insert into public.release_changes (release_id, kind, item_id, action, data, base)
    values (_release_id, _kind, _item_id, _action, _data, _base);
  else
    update public.release_changes set action = _action, data = _data, base = _base where id = _there.id;
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
  _most integer := 1000;
begin
  perform private.require_admin();
  select * into _known from private.content_kinds where table_name = _kind;
  if _known is null then
    raise exception 'Unknown kind of content: %', coalesce(_kind, 'null') using errcode = '22023';
  end if;
  select * into _found from private.search_for(_query);
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
    _most := 10000;
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
    _filter, _most, case when _found.query is null then 10000 else 300 end
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
  return query select 'people'::text, people.id, people.told from private.people_named(_query) as people;
end
$$;

create or replace function public.search_news(
  _query text, _category text default '', _limit integer default 24, _offset integer default 0
) returns table (
  id uuid, total integer
) language plpgsql stable security definer set search_path = '' set enable_seqscan = off set enable_sort = off as $$
declare
  _asked constant tsquery := private.typed_words(_query);
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

create or replace function public.send_failed_mail(_id bigint) returns void language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_admin() then
    raise exception 'Only admins can retry failed emails' using errcode = '42501';
  end if;
  update private.mail_queue set failed_at = null, attempts = 0, next_attempt_at = now()
  where id = _id and failed_at is not null;
  if found then
    perform pg_notify('mail_queued', '');
  end if;
end
$$;

create or replace function public.send_test_webhook() returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  if private.lead_webhook_url() is null then
    raise exception 'Save the webhook URL first.';
  end if;
  if not private.count_for_subject('test webhook', '', 20, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'Too many test requests. Try again in an hour.';
  end if;
  insert into public.lead_webhook_deliveries default values;
end
$$;

create or replace function public.set_client_logo(_client_id uuid, _file_id uuid default null) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _object_name text;
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only admins and assigned team members can choose the logo' using errcode = '42501';
  end if;
  if _file_id is not null then
    select object_name into _object_name from public.client_files
    where client_id = _client_id and id = _file_id and mimetype like 'image/%';
    if not found then
      raise exception 'The logo must be one of this client''s pictures.' using errcode = 'P0001';
    end if;
  end if;
  update public.clients set logo = _object_name where id = _client_id;
end
$$;

create or replace function public.set_media_alt(_name text, _alt text) returns void language plpgsql set search_path = '' as $$
begin
  perform private.require_admin();
  if length(_alt) > 1000 then
    raise exception 'The alternative text must be less than 1000 characters' using errcode = '22001';
  end if;
  update storage.objects
  set user_metadata = coalesce(user_metadata, '{}') || jsonb_build_object('alt', trim(_alt))
  where bucket_id = 'content-media' and name = _name;
  if not found then
    raise exception 'File not found';
  end if;
end
$$;

create or replace function public.set_media_focus(_name text, _x real, _y real) returns void language plpgsql set search_path = '' as $$
begin
  perform private.require_admin();
  if (_x is null) <> (_y is null) or _x not between 0 and 1 or _y not between 0 and 1 then
    raise exception 'The focal point must be inside the picture: both values must be between 0 and 1.' using errcode = '22023';
  end if;
  update storage.objects
  set user_metadata = coalesce(user_metadata, '{}') - array['focal_x', 'focal_y']
    || case when _x is null then '{}' else jsonb_build_object('focal_x', round(_x::numeric, 3), 'focal_y', round(_y::numeric, 3)) end
  where bucket_id = 'content-media' and name = _name and metadata ->> 'mimetype' like 'image/%';
  if not found then
    raise exception 'Picture not found';
  end if;
end
$$;

create or replace function public.set_my_client_mails(_client_id uuid, _told_of text[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if _client_id not in (select private.clients_of_member()) then
    raise exception 'Only this client''s own people can do this' using errcode = '42501';
  end if;
  update public.client_members set told_of = _told_of where client_id = _client_id and user_id = private.user_id();
end
$$;

create or replace function public.settle_client_alarm(_client_id uuid, _id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only admins and assigned team members can do this' using errcode = '42501';
  end if;
  update public.client_alarms set settled_at = now(), settled_by = private.user_id()
  where client_id = _client_id and id = _id and settled_at is null;
end
$$;

create or replace function public.settle_release_change(_change_id uuid, _keep text, _seen timestamptz default null) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _change public.release_changes;
  _live jsonb;
  _mine text[];
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
    raise exception 'It was changed on the site again. Please check it once more.' using errcode = 'PT409';
  end if;
  _mine := private.differing_fields(_change.kind, _change.data, coalesce(_change.base, '{}'));
  if _keep = 'site' and _live is not null and _change.action = 'update' then
    _mine := array(
      select field from unnest(_mine) as field
      where field <> all (private.differing_fields(_change.kind, _live, _change.base))
    );
  elsif _keep = 'site' or (_live is null and _change.action = 'delete') then
    _mine := '{}';
  end if;

  if _change.action = 'delete' and _keep = 'release' and _live is not null then
    update public.release_changes set base = _live where id = _change_id;
  elsif _change.action = 'delete' or cardinality(_mine) = 0 then
    delete from public.release_changes where id = _change_id;
  elsif _live is null then
    update public.release_changes set action = 'create', base = null, data = _change.data where id = _change_id;
  else
    update public.release_changes set action = 'update', base = _live, data = _live || (
      select jsonb_object_agg(field, _change.data -> field) from unnest(_mine) as field
    ) where id = _change_id;
  end if;
end
$$;

create or replace function public.start_client_report(_client_id uuid, _span text, _first_day date) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  _client constant public.clients := private.lock_client_of_worker(_client_id);
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

create or replace function public.subscribe_to_newsletter(_email text, _website text default '') returns void
language plpgsql security definer set search_path = '' as $$
declare
  _address constant text := trim(_email);
  _token constant text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  _id uuid;
begin
  if not private.is_on('newsletter_signup') then
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

create or replace function public.take_lead(
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
  if not private.claim_request('take_lead') then
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

create or replace function public.tell_editing(_kind text, _item_id text) returns table (name text)
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
    select others.name from private.others_editing(_kind) as others where others.item_id = _item_id;
end
$$;

create or replace function public.undo_import(_client_id uuid, _batch_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  _kept jsonb;
  _brought integer;
  _restored integer;
begin
  perform private.lock_client_of_worker(_client_id);
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

create or replace function public.undo_release(_id uuid) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  _release public.releases;
  _undoing uuid;
begin
  perform private.require_admin();
  select * into _release from public.releases where id = _id and published_at is not null;
  if not found then
    raise exception 'Only a published release can be reverted.' using errcode = 'PT404';
  end if;
  if not exists (
    select from public.release_changes where release_id = _id and before is distinct from after
  ) then
    raise exception 'This release has no changes to revert.' using errcode = 'PT409';
  end if;
  insert into public.releases (name, created_by) values (left('Undo: ' || _release.name, 120), private.user_id())
    returning id into _undoing;
  perform set_config('releases.is_undoing', 'yes', true);
  insert into public.release_changes (release_id, kind, item_id, action, data, base)
    select _undoing, kind, item_id,
      case when after is null then 'create' when before is null then 'delete' else 'update' end, before, after
    from public.release_changes where release_id = _id and before is distinct from after;
  perform set_config('releases.is_undoing', '', true);
  return _undoing;
end
$$;

create or replace function public.unproven_registrations() returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.is_admin() then
    raise exception 'Only admins can see registrations.' using errcode = '42501';
  end if;
  return query
    select roles.user_id from public.user_roles as roles
    where roles.role = 'team' and not roles.approved and not private.has_proven_address(roles.user_id);
end
$$;

create or replace function public.unsubscribe_from_newsletter(_token text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.limit_newsletter_links();
  if _token !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}[.][0-9a-f]{64}$' then
    return;
  end if;
  -- Compares hashes, so that the duration reveals nothing about the token.
  delete from public.newsletter_subscribers
  where id = split_part(_token, '.', 1)::uuid
    and sha256(convert_to(private.unsubscribe_token(id), 'UTF8')) = sha256(convert_to(_token, 'UTF8'));
end
$$;

create or replace function public.user_emails(_user_ids uuid[]) returns table (user_id uuid, email text)
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.is_admin() then
    raise exception 'Only admins can look up addresses.' using errcode = '42501';
  end if;
  return query
    select users.id, users.email::text from auth.users as users
    where users.id = any(_user_ids) and users.email <> '';
end
$$;

create or replace function public.veto_by_link(
  _token text, _holder text, _lines integer[] default '{}'::integer[], _domain text default null, _is_back boolean default false
) returns integer language plpgsql security definer set search_path = '' as $$
declare
  _link constant private.approval_links := private.held_approval_link(_token, _holder);
begin
  if _link.token_hash is null or _link.used_at is not null then
    raise exception 'This link has expired. Sign in to see your open approvals.' using errcode = 'P0001';
  end if;
  return private.veto_rows(
    _link.client_id, _link.approval_id, _link.number, _lines, _domain, _is_back, _link.user_id
  );
end
$$;

create or replace function public.withdraw_approval(_client_id uuid, _approval_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only admins and assigned team members can withdraw an approval' using errcode = '42501';
  end if;
  perform private.lock_approval(_client_id, _approval_id);
  if exists (select from public.approval_decisions where client_id = _client_id and approval_id = _approval_id) then
    raise exception 'The client has already decided on this, so it cannot be withdrawn.' using errcode = 'P0001';
  end if;
  delete from public.approvals where client_id = _client_id and id = _approval_id;
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
  perform private.tell_asker_of_quote(_quote, 'Withdrawn');
end
$$;

create policy "Admins add changes to releases" on public.release_changes for insert to authenticated
  with check ((select private.is_admin()));

create policy "Admins and assigned team members delete unanswered meetings" on public.client_meetings as permissive for delete to authenticated
  using (((answer IS NULL) AND (( SELECT private.is_admin() AS is_admin) OR (client_id IN ( SELECT private.clients_of_team_member() AS clients_of_team_member)))));

create policy "Admins and assigned team members remove blocklist entries" on public.do_not_contact for delete to authenticated
  using ((select private.is_admin()) or client_id in (select private.clients_of_team_member()));

create policy "Admins and assigned team members upload files for clients" on storage.objects as permissive for insert to authenticated
  with check (((bucket_id = 'client-files'::text) AND (name ~ '^[^/]+/[^/]+$'::text) AND ((( SELECT private.is_admin() AS is_admin) AND (split_part(name, '/'::text, 1) IN ( SELECT (clients.id)::text AS id
   FROM clients))) OR (split_part(name, '/'::text, 1) IN ( SELECT (id.id)::text AS id
   FROM private.clients_of_team_member() id(id))))));

create policy "Admins and team members update leads" on public.leads for update to authenticated
  using ((select private.is_admin()) or (select private.is_team()))
  with check ((select private.is_admin()) or (select private.is_team()));

create policy "Admins change the rights of invited people" on public.client_invitations for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));

create policy "Admins change the rights of members" on public.client_members for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));

create policy "Admins create leads from transcripts" on public.leads for insert to authenticated
  with check ((select private.is_admin()) and source = 'transcript');

create policy "Admins delete assignments" on public.client_assignments for delete to authenticated
  using ((select private.is_admin()));

create policy "Admins edit changes in releases" on public.release_changes for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));

create policy "Admins read all blocklists" on public.do_not_contact for select to authenticated
  using ((select private.is_admin()));

create policy "Admins read all campaign texts" on public.campaign_texts for select to authenticated
  using ((select private.is_admin()));

create policy "Admins read all current figures" on public.campaign_figures for select to authenticated
  using (replaced_by is null and (select private.is_admin()));

create policy "Admins read all imported totals" on public.source_totals for select to authenticated
  using ((select private.is_admin()));

create policy "Admins read changes in releases" on public.release_changes for select to authenticated
  using ((select private.is_admin()));

create policy "Admins read newsletter subscribers" on public.newsletter_subscribers for select to authenticated
  using ((select private.is_admin()));

create policy "Admins read the account log" on public.people_log for select to authenticated
  using ((select private.is_admin()));

create policy "Admins read the file records of all clients" on public.client_files for select to authenticated
  using ((select private.is_admin()));

create policy "Admins read the read receipts of all clients" on public.client_reads for select to authenticated
  using ((select private.is_admin()));

create policy "Admins read the rejected rows of all clients" on public.approval_vetoes for select to authenticated
  using ((select private.is_admin()));

create policy "Admins read the usage of the chat" on public.chat_usage for select to authenticated
  using ((select private.is_admin()));

create policy "Admins read visit counts" on public.visit_counts for select to authenticated
  using ((select private.is_admin()));

create policy "Admins read webhook deliveries" on public.lead_webhook_deliveries for select to authenticated
  using ((select private.is_admin()));

create policy "Admins remove changes from releases" on public.release_changes for delete to authenticated
  using ((select private.is_admin()));

create policy "Admins upload originals" on storage.objects for insert to authenticated
  with check (bucket_id = 'media-originals' and (select private.is_admin()));

create policy "Everybody reads former public URLs" on public.slug_aliases for select to anon, authenticated
  using (true);

create policy "Holders of an approval link read its file" on storage.objects for select to anon
  using (bucket_id = 'client-files' and name = (select private.file_by_link()));

create policy "Members read the approval versions of their clients" on public.approval_versions as permissive for select to authenticated
  using ((client_id IN ( SELECT private.clients_of_member() AS clients_of_member)));

create policy "Members read the approvals of their clients" on public.approvals for select to authenticated
  using (client_id in (select private.clients_of_member()));

create policy "Members read the blocklists of their clients" on public.do_not_contact for select to authenticated
  using (client_id in (select private.clients_of_member()));

create policy "Members read the comments on approvals of their clients" on public.approval_comments for select to authenticated
  using (client_id in (select private.clients_of_member()));

create policy "Members read the file records of their clients" on public.client_files for select to authenticated
  using (client_id in (select private.clients_of_member()));

create policy "Members read the list rows of their clients" on public.approval_rows for select to authenticated
  using (client_id in (select private.clients_of_member()));

create policy "Members read the rejected rows of their clients" on public.approval_vetoes for select to authenticated
  using (client_id in (select private.clients_of_member()));

create policy "Members read the sent reports of their clients" on public.client_reports for select to authenticated
  using (sent_at is not null and client_id in (select private.clients_of_member()));

create policy "Members read their own memberships" on public.client_members for select to authenticated
  using (user_id = (select private.reader_id()) and client_id in (select private.clients_of_member()));

create policy "Members remove blocklist entries that they added" on public.do_not_contact for delete to authenticated
  using (added_by = (select private.user_id()) and client_id in (select private.clients_of_member()));

create policy "Team members read the assignments of their clients" on public.client_assignments for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

create policy "Team members read the blocklists of their clients" on public.do_not_contact for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

create policy "Team members read the file records of their clients" on public.client_files for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

create policy "Team members read the read receipts of their clients" on public.client_reads for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

create policy "Team members read the rejected rows of their clients" on public.approval_vetoes for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

create policy "Visitors add messages to their own conversation" on public.chat_messages for insert to anon, authenticated
  with check (conversation_id = (select private.held_conversation()));

create policy "Visitors read the answer time" on public.site_settings for select to anon, authenticated
  using (setting_key = 'answer_time');

create policy "Visitors read the messages of their own conversation" on public.chat_messages as permissive for select to anon, authenticated
  using ((conversation_id = ( SELECT private.held_conversation() AS held_conversation)));

create policy "Visitors read the retention period" on public.site_settings for select to anon, authenticated
  using (setting_key = 'chat_retention_days');

create policy "Visitors read their own conversation" on public.conversations for select to anon, authenticated
  using (id = (select private.held_conversation()));

create policy "Visitors read whether the chat is disabled" on public.site_settings for select to anon, authenticated
  using (setting_key = 'chat_daily_cap' and setting_value ~ '^0{1,7}$');

create policy "Visitors read which forms are enabled" on public.site_settings for select to anon, authenticated
  using (setting_key in ('keep_contact_messages', 'newsletter_signup', 'leads_from_chat'));

create policy "Visitors update their own conversation" on public.conversations for update to anon, authenticated
  using (id = (select private.held_conversation())) with check (id = (select private.held_conversation()));

comment on column private.mail_queue.failed_at is 'Time of the last failed attempt. A failed mail is not sent again unless an admin retries it.';

comment on column public.approval_versions.is_wording is 'True if an approver wrote this version and approved it in the same step. asked_by is that approver.';

comment on column public.bookings.is_proven is 'True if the visitor confirmed the booking with the link in an email.';

comment on table private.approval_links is 'Email links that open one approval version for one approver.';

comment on table private.captcha_proofs is 'Captcha proofs that have not been used yet. Only the service role can write them, after the captcha provider confirmed the solution.';

comment on table public.campaign_versions is 'Earlier states of campaigns, visible to admins and assigned team members.';

comment on table public.figure_quotes is 'Client figures quoted on case studies, with the client''s answer.';

-- Renames tables, columns, functions, parameters and values to the terms of the field, and adds a button to the mail
-- about unread approvals.

alter table private.proven_addresses rename to verified_addresses;
alter table private.verified_addresses rename column proven_at to verified_at;
alter table private.verified_addresses rename constraint proven_addresses_pkey to verified_addresses_pkey;
alter table private.verified_addresses rename constraint proven_addresses_user_id_fkey to verified_addresses_user_id_fkey;
alter table private.verified_addresses rename constraint proven_addresses_address_check to verified_addresses_address_check;
alter table private.chat_counts rename to rate_limit_counters;
alter table private.rate_limit_counters rename constraint chat_counts_pkey to rate_limit_counters_pkey;
alter index private.chat_counts_expiry_idx rename to rate_limit_counters_expiry_idx;
alter table private.request_keys rename to idempotency_keys;
alter table private.idempotency_keys rename constraint request_keys_pkey to idempotency_keys_pkey;
alter table private.idempotency_keys rename constraint request_keys_key_hash_check to idempotency_keys_key_hash_check;
alter index private.request_keys_created_idx rename to idempotency_keys_created_idx;
alter type private.taken_event rename to received_event;

alter table private.asked_summaries rename to summary_requests;
alter table private.summary_requests rename constraint asked_summaries_pkey to summary_requests_pkey;
alter table private.summary_requests
  rename constraint asked_summaries_client_id_report_id_fkey to summary_requests_client_id_report_id_fkey;
alter table private.summary_requests rename column tries to attempts;
alter table private.summary_requests rename column next_try_at to next_attempt_at;
alter table private.summary_requests drop column left_out;
alter table private.summary_requests drop constraint asked_summaries_state_check;
alter table private.summary_requests alter column state set default 'pending';
update private.summary_requests set state = case state
  when 'wanted' then 'pending' when 'filled' then 'done' when 'away' then 'unavailable' else state
end;
alter table private.summary_requests
  add constraint summary_requests_state_check check (state in ('pending', 'done', 'empty', 'unavailable'));

alter table public.bookings rename column is_proven to is_verified;
alter table public.approval_versions rename column is_wording to is_client_edit;
alter table public.unanswered_questions rename column noted_at to recorded_at;
alter table public.unanswered_questions
  rename constraint unanswered_questions_noted_at_calendar to unanswered_questions_recorded_at_calendar;
alter table private.reply_hashes rename column noted_at to recorded_at;
alter table public.client_meetings rename column kept_by to recorded_by;
alter table public.client_meetings rename constraint client_meetings_kept_by_fkey to client_meetings_recorded_by_fkey;
alter index public.client_meetings_kept_by_idx rename to client_meetings_recorded_by_idx;
alter table private.client_webhooks rename column served_at to last_sent_at;
alter table private.metrics rename column one to singular;
alter table private.metrics rename column many to plural;

alter table public.client_alarms rename column settled_by to resolved_by;
alter table public.client_alarms rename column settled_at to resolved_at;
alter table public.client_alarms rename constraint client_alarms_settled_by_fkey to client_alarms_resolved_by_fkey;
alter table public.client_alarms rename constraint client_alarms_settled_at_calendar to client_alarms_resolved_at_calendar;
alter index public.client_alarms_settled_by_idx rename to client_alarms_resolved_by_idx;
alter table public.client_alarms drop constraint client_alarms_kind_check;
update public.client_alarms set kind = 'do_not_contact' where kind = 'left_alone';
alter table public.client_alarms add constraint client_alarms_kind_check
  check (kind in ('not_approved', 'do_not_contact', 'difference', 'incomplete', 'not_listed'));

alter table public.client_reads rename column what to kind;
alter table public.client_reads drop constraint client_reads_what_check;
update public.client_reads set kind = 'portal' where kind = 'rooms';
alter table public.client_reads add constraint client_reads_kind_check check (kind in ('portal', 'approval', 'report'));

alter table public.inbound_events drop constraint inbound_events_state_check;
update public.inbound_events set state = case state
  when 'noted' then 'ignored' when 'elsewhere' then 'other_campaign' else 'in_future'
end
where state in ('noted', 'elsewhere', 'untimely');
alter table public.inbound_events add constraint inbound_events_state_check
  check (state in ('counted', 'ignored', 'unknown', 'other_campaign', 'in_future'));

alter table private.personal_data rename column ids_from to ids_function;
alter table private.personal_data rename column needs_proof to needs_verified_address;
alter table private.personal_data rename column given to export_fields;
alter table private.personal_data rename column sorted_by to export_order;
alter table private.personal_data rename column given_by to export_function;
alter table private.personal_data rename column emptied to cleared_columns;
alter table private.personal_data rename constraint personal_data_given_check to personal_data_export_fields_check;
alter table private.personal_data drop constraint personal_data_on_deletion_check;
alter table private.personal_data drop constraint personal_data_check3;
update private.personal_data set
  table_name = case table_name when 'proven_addresses' then 'verified_addresses' else table_name end,
  on_deletion = case on_deletion when 'empty' then 'clear' when 'follow' then 'cascade' else on_deletion end,
  ids = array_replace(array_replace(ids, 'kept_by', 'recorded_by'), 'settled_by', 'resolved_by'),
  export_order = case export_order when 'settled_at' then 'resolved_at' else export_order end,
  export_fields = case table_name
    when 'client_alarms' then export_fields || '{"at": "resolved_at"}'
    when 'client_reads' then export_fields - 'what' || '{"kind": "kind"}'
    else export_fields
  end,
  section = case section
    when 'mails_waiting' then 'queued_mails'
    when 'acts_on_the_account' then 'account_log'
    when 'acts_on_other_accounts' then 'account_actions'
    when 'log_of_the_authentication_service' then 'authentication_log'
    when 'works_for' then 'client_assignments'
    when 'left_alone' then 'do_not_contact'
    when 'brought_files' then 'client_files'
    when 'rows_taken_off' then 'removed_list_rows'
    when 'listed_by_clients' then 'list_rows'
    when 'leads_taken' then 'client_lead_assignments'
    when 'settled_alarms' then 'resolved_alarms'
    else section
  end;
alter table private.personal_data add constraint personal_data_on_deletion_check
  check (on_deletion in ('delete', 'clear', 'cascade', 'keep'));
alter table private.personal_data
  add constraint personal_data_check3 check ((on_deletion = 'clear') = (cleared_columns is not null));

alter function private.cancel rename to cancel_booking;
alter function private.check_wording rename to check_client_edit;
alter function private.empty_old_events rename to clear_old_events;
alter function private.end_of_working_day rename to add_working_day;
alter function private.is_trial_publish rename to is_publish_dry_run;
alter function private.judge_meeting rename to check_meeting_criteria;
alter function private.may_changes_conflict rename to can_changes_conflict;
alter function public.booking_feed_made_at rename to booking_feed_created_at;
alter function public.return_chat_reply rename to release_chat_reply;
alter function public.settle_client_alarm rename to resolve_client_alarm;
alter trigger check_wording on public.approval_versions rename to check_client_edit;
update private.jobs set name = 'clear old events', function_name = 'clear_old_events' where name = 'empty old events';

alter policy "Admins read the rejected rows of all clients" on public.approval_vetoes
  rename to "Admins read the removed rows of all clients";
alter policy "Members read the rejected rows of their clients" on public.approval_vetoes
  rename to "Members read the removed rows of their clients";
alter policy "Team members read the rejected rows of their clients" on public.approval_vetoes
  rename to "Team members read the removed rows of their clients";
alter policy "Team members read the rows of their clients" on public.approval_rows
  rename to "Team members read the list rows of their clients";
alter policy "Admins read all versions" on public.approval_versions rename to "Admins read all approval versions";
alter policy "Team members read the versions of their clients" on public.approval_versions
  rename to "Team members read the approval versions of their clients";

-- Queued mails get the variables of the new templates.
update private.mail_queue set variables = variables || jsonb_build_object(
  'Path', variables -> 'Items' -> 0 ->> 'path',
  'Action', case jsonb_array_length(variables -> 'Items') when 1 then 'Open the approval' else 'Open the approvals' end
)
where template = 'approval_unread' and jsonb_typeof(variables -> 'Items') = 'array';
update private.mail_queue
set variables = jsonb_set(variables, '{Change}', to_jsonb(replace(variables ->> 'Change', 'further', 'more booking')))
where template = 'booking_summary' and variables ? 'Change';

drop function public.settle_release_change(_change_id uuid, _keep text, _seen timestamp with time zone);

drop function public.set_client_fee(_client_id uuid, _first_month date, _amount numeric, _former_number integer);

drop function public.save_to_release(_kind text, _item_id text, _action text, _data jsonb, _base jsonb, _release_id uuid, _name text, _seen timestamp with time zone);

drop function public.save_report_summary(_client_id uuid, _id uuid, _summary text, _former text);

drop function public.report_result_by_link(_token text, _holder text, _former_number integer, _status text, _amount numeric, _reason text);

drop function public.report_meeting_result(_client_id uuid, _meeting_id uuid, _former_number integer, _status text, _amount numeric, _reason text);

drop function public.list_people(_search text, _standing text, _limit integer, _offset integer);

drop function public.import_figures(_client_id uuid, _file jsonb, _rows jsonb, _is_trial boolean);

drop function public.decide_by_link(_token text, _holder text, _verdict text, _comment text, _wording text);

drop function public.decide_approval(_client_id uuid, _approval_id uuid, _number integer, _verdict text, _comment text, _wording text);

drop function public.change_lead_by_link(_token text, _holder text, _former_status text, _status text, _reason text);

drop function public.change_client_lead(_client_id uuid, _id uuid, _former_status text, _status text, _reason text);

drop function public.ask_for_list_approval(_client_id uuid, _title text, _text text, _rows jsonb, _is_trial boolean, _due_on date, _approval_id uuid, _restored_lines integer[], _file_sha256 text);

drop function public.approve_client_report(_client_id uuid, _id uuid, _seal text);

drop function public.add_do_not_contact(_client_id uuid, _lines jsonb, _is_trial boolean);

drop function private.summarise_import(_judged private.validated_figure[]);

drop function private.store_source_totals(_client_id uuid, _file_name text, _judged private.validated_figure[]);

drop function private.store_requested_summary(_client_id uuid, _id uuid, _seal text, _summary text, _left_out integer);

drop function private.save_booking(_call bookings, _token text, _is_proven boolean);

drop function private.decide_approval(_client_id uuid, _approval_id uuid, _number integer, _verdict text, _comment text, _wording text, _person uuid);

drop function private.change_lead(_client_id uuid, _id uuid, _former_status text, _status text, _reason text, _user_id uuid);

drop function private.add_meeting_result(_client_id uuid, _meeting_id uuid, _former_number integer, _status text, _amount numeric, _reason text, _user_id uuid);

create or replace function private.account_of(_user_id uuid) returns jsonb language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', person.id,
    'email', coalesce(person.email, ''),
    'phone', coalesce(person.phone, ''),
    'name', private.name_of(person.raw_user_meta_data),
    'status', private.account_status(person.id),
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

create or replace function private.add_leads_of_events(
  _source public.campaign_sources, _new private.received_event[], _events jsonb
) returns void language plpgsql security definer set search_path = '' as $$
begin
  update public.inbound_events as event set reply = given.reply
  from jsonb_to_recordset(_events) as given (key text, reply jsonb)
  where event.client_id = _source.client_id and event.source_id = _source.id and event.event_key = given.key
    and jsonb_typeof(given.reply) = 'object' and event.raw is not null
    and exists (select from unnest(_new) as fresh where fresh.event_key = given.key);
  with people as materialized (
    select lower(fresh.recipient) as email, bool_or(fresh.metric = 'positive_replies') as is_interested
    from unnest(_new) as fresh
    where fresh.state = 'counted' and fresh.recipient <> '' and fresh.recipient !~ '[[:cntrl:]]'
      and fresh.metric in ('sent', 'replies', 'positive_replies')
    group by lower(fresh.recipient)
  ), wanted as materialized (
    select email from people
    where exists (
      select from public.client_leads as lead
      where lead.client_id = _source.client_id and lead.campaign_id = _source.campaign_id and lead.email = people.email
    ) or is_interested and 10000 > (select count(*) from public.client_leads where client_id = _source.client_id)
  ), read as (
    select interest.email, interest.received_at,
      (array_agg(seen.reply ->> 'name' order by seen.rank, seen.distance, seen.event_key)
        filter (where seen.reply ->> 'name' <> ''))[1] as name,
      (array_agg(seen.reply ->> 'company' order by seen.rank, seen.distance, seen.event_key)
        filter (where seen.reply ->> 'company' <> ''))[1] as company,
      (array_agg(seen.reply ->> 'title' order by seen.rank, seen.distance, seen.event_key)
        filter (where seen.reply ->> 'title' <> ''))[1] as title,
      (array_agg(seen.reply ->> 'text' order by seen.rank, seen.distance, seen.event_key)
        filter (where seen.reply ->> 'text' <> ''))[1] as words,
      (array_agg(seen.step order by seen.rank, seen.distance, seen.event_key)
        filter (where seen.step is not null and (seen.rank < 3 or seen.happened_at <= interest.received_at)))[1] as step,
      (array_agg(seen.approval_id order by seen.distance, seen.event_key)
        filter (where seen.approval_id is not null and seen.happened_at <= interest.received_at))[1] as approval_id
    -- Read once per person, not once per event of the person.
    from (
      select wanted.email, min(event.happened_at) as received_at
      from wanted cross join lateral (
        -- offset 0 stops the planner from adding other conditions, so that the index on the address is used.
        select * from public.inbound_events where lower(recipient) = wanted.email and recipient is not null offset 0
      ) as event
      where event.client_id = _source.client_id and event.source_id = _source.id
        and event.state = 'counted' and event.metric = 'positive_replies'
      group by wanted.email
    ) as interest cross join lateral (
      select event.event_key, event.reply, event.step, event.approval_id, event.happened_at,
        case event.metric when 'positive_replies' then 1 when 'replies' then 2 else 3 end as rank,
        abs(extract(epoch from event.happened_at - interest.received_at)) as distance
      from (
        select * from public.inbound_events where lower(recipient) = interest.email and recipient is not null offset 0
      ) as event
      where event.client_id = _source.client_id and event.source_id = _source.id and event.state = 'counted'
        and event.metric in ('sent', 'replies', 'positive_replies')
    ) as seen
    group by interest.email, interest.received_at
  )
  insert into public.client_leads as lead (
    client_id, campaign_id, email, name, company, title, words, step, approval_id, received_at, origin
  )
  select _source.client_id, _source.campaign_id, email, coalesce(name, ''), coalesce(company, ''), coalesce(title, ''),
    coalesce(words, ''), step, approval_id, received_at, 'reply'
  from read order by received_at, email
  on conflict (client_id, campaign_id, email) where email <> '' do update set
    -- Keeps what a person entered, and the former value if the event lacks it.
    name = case when lead.origin = 'person' and lead.name <> '' or excluded.name = '' then lead.name else excluded.name end,
    company = case
      when lead.origin = 'person' and lead.company <> '' or excluded.company = '' then lead.company else excluded.company
    end,
    title = case when lead.origin = 'person' and lead.title <> '' or excluded.title = '' then lead.title else excluded.title end,
    words = case when lead.origin = 'person' and lead.words <> '' or excluded.words = '' then lead.words else excluded.words end,
    step = case when lead.origin = 'person' then coalesce(lead.step, excluded.step) else coalesce(excluded.step, lead.step) end,
    approval_id = case
      when lead.origin = 'person' then coalesce(lead.approval_id, excluded.approval_id)
      else coalesce(excluded.approval_id, lead.approval_id)
    end,
    received_at = least(lead.received_at, excluded.received_at);
end
$$;

create function private.add_meeting_result(
  _client_id uuid, _meeting_id uuid, _expected_number integer, _status text, _amount numeric, _reason text, _user_id uuid
) returns integer language plpgsql security definer set search_path = '' as $$
declare
  _meeting public.client_meetings;
  _number integer;
  _said constant text := case _status when 'lost' then btrim(coalesce(_reason, ''), E' \t\r\n') else '' end;
begin
  select * into _meeting from public.client_meetings where client_id = _client_id and id = _meeting_id for update;
  if not found then
    raise exception 'This meeting no longer exists.' using errcode = 'P0001';
  elsif _meeting.outcome <> 'held' then
    raise exception 'Only a meeting that was held has a result.' using errcode = 'P0001';
  elsif _meeting.answer = 'disputed' then
    raise exception 'This meeting is disputed. Settle the dispute first.' using errcode = 'P0001';
  end if;
  select coalesce(max(number), 0) into _number from public.client_meeting_results
  where client_id = _client_id and meeting_id = _meeting_id;
  if _number is distinct from _expected_number then
    raise exception 'Someone else has already reported a result of this meeting. Reload the page to read it.' using errcode = 'P0001';
  elsif _number >= 200 then
    raise exception 'A meeting can have at most 200 reported results.' using errcode = 'P0001';
  elsif _status = 'won' and _amount is null then
    raise exception 'Please enter the amount of the deal.' using errcode = 'P0001';
  elsif _status in ('won', 'opportunity') and not coalesce(_amount between 0 and 1000000000000, true) then
    raise exception 'An amount must be between 0 and 1,000,000,000,000.' using errcode = 'P0001';
  elsif _status = 'lost' and _said = '' then
    raise exception 'Please say why the deal was lost.' using errcode = 'P0001';
  end if;
  insert into public.client_meeting_results (client_id, meeting_id, number, status, amount, reason, reported_by)
  values (
    _client_id, _meeting_id, _number + 1, _status, case when _status in ('won', 'opportunity') then _amount end, _said,
    _user_id
  );
  perform private.set_lead_of_result(_meeting, _number + 1, _user_id);
  return _number + 1;
end
$$;
revoke all on function private.add_meeting_result(_client_id uuid, _meeting_id uuid, _expected_number integer, _status text, _amount numeric, _reason text, _user_id uuid) from public, anon, authenticated, service_role;

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
          where id = _change.id and not private.is_publish_dry_run();
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
    where change.id = written.id and not private.is_publish_dry_run()
  ) select array_agg(id) from written', _ready, _written) into _done using _ids, _action, _columns, _skipped_columns;
  return coalesce(_done, '{}');
end
$$;

create function private.change_lead(
  _client_id uuid, _id uuid, _expected_status text, _status text, _reason text, _user_id uuid
) returns void language plpgsql security definer set search_path = '' as $$
declare
  _lead public.client_leads;
  _said constant text := btrim(coalesce(_reason, ''), E' \t\r\n');
  _number integer;
begin
  select * into _lead from public.client_leads where client_id = _client_id and id = _id for update;
  if not found then
    raise exception 'This lead no longer exists.' using errcode = 'P0001';
  elsif _lead.status is distinct from _expected_status then
    raise exception using errcode = 'P0001', message = case
      when _lead.status = 'taken' and _status = 'taken' then 'Someone else has already taken this lead.'
      else 'This lead has changed. Reload the page to read it again.'
    end;
  elsif _status = 'not_fit' and _said = '' then
    raise exception 'Please say why this lead does not fit.' using errcode = 'P0001';
  end if;
  select coalesce(max(number), 0) + 1 into _number from public.client_lead_changes where client_id = _client_id and lead_id = _id;
  if _number > 200 then
    raise exception 'A lead can change at most 200 times.' using errcode = 'P0001';
  end if;
  update public.client_leads set
    status = coalesce(_status, ''), reason = _said, changed_at = now(),
    taken_by = case when _status <> 'new' then case when taken_at is null then _user_id else taken_by end end,
    taken_at = case when _status <> 'new' then coalesce(taken_at, now()) end,
    -- A lead that becomes new again gets another reminder.
    reminded_at = case when _status <> 'new' then reminded_at end
  where client_id = _client_id and id = _id;
  insert into public.client_lead_changes (client_id, lead_id, number, status, reason, changed_by)
  values (_client_id, _id, _number, _status, _said, _user_id);
end
$$;
revoke all on function private.change_lead(_client_id uuid, _id uuid, _expected_status text, _status text, _reason text, _user_id uuid) from public, anon, authenticated, service_role;

create or replace function private.check_disputed_criterion(_meeting public.client_meetings, _criterion text) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  _judgement constant jsonb := private.check_meeting_criteria(_meeting);
begin
  if _criterion is null and _judgement is not null then
    raise exception 'Please choose the criterion that is not met, or “Other”.' using errcode = 'P0001';
  elsif _criterion <> 'other' and not coalesce(
    _judgement -> 'results' @> jsonb_build_array(jsonb_build_object('key', _criterion)), false
  ) then
    raise exception 'This criterion is not in force for this meeting. Reload the page.' using errcode = 'P0001';
  end if;
end
$$;

create or replace function private.claim_client_webhook(_claim_seconds integer) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  _delivery public.client_webhook_deliveries;
begin
  select delivery.* into _delivery
  from private.client_webhooks as webhook cross join lateral (
    select waiting.id from public.client_webhook_deliveries as waiting
    where waiting.client_id = webhook.client_id and waiting.status = 'waiting' and waiting.next_attempt_at <= now()
      and not exists (
        select from public.client_webhook_deliveries as earlier
        where earlier.client_id = waiting.client_id and earlier.lead_id = waiting.lead_id and earlier.status = 'waiting'
          and earlier.id < waiting.id
      )
    order by waiting.id limit 1
  ) as next join public.client_webhook_deliveries as delivery using (id)
  where coalesce(webhook.paused_until <= now(), true)
  order by webhook.last_sent_at nulls first, delivery.id limit 1
  for update of webhook, delivery skip locked;
  if not found then
    return null;
  end if;
  update private.client_webhooks set last_sent_at = clock_timestamp() where client_id = _delivery.client_id;
  update public.client_webhook_deliveries set
    attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => _claim_seconds)
  where id = _delivery.id;
  return (
    select jsonb_build_object(
      'id', _delivery.id, 'client', _delivery.client_id, 'lead', _delivery.lead_id, 'event', _delivery.event,
      'payload', _delivery.payload, 'attempts', _delivery.attempts + 1, 'url', webhook.url,
      'secret', 'whsec_' || encode(webhook.secret, 'base64')
    )
    from private.client_webhooks as webhook where webhook.client_id = _delivery.client_id
  );
end
$$;

create or replace function private.claim_request(_purpose text) returns boolean language plpgsql security definer set search_path = '' as $$
declare
  _key constant text := private.token_of_request(_purpose);
begin
  if _key is null then
    return true;
  end if;
  delete from private.idempotency_keys where key_hash in (
    select key_hash from private.idempotency_keys where created_at < now() - interval '1 day'
    order by created_at limit 10 for update skip locked
  );
  insert into private.idempotency_keys (key_hash) values (_key) on conflict do nothing;
  return found;
end
$$;

create or replace function private.claim_requested_summary() returns jsonb language sql security definer set search_path = '' as $$
  with next as (
    select request.client_id, request.report_id
    from private.summary_requests as request join public.client_reports as report
      on report.client_id = request.client_id and report.id = request.report_id
    where request.state in ('pending', 'unavailable') and request.attempts < 3 and request.next_attempt_at <= now()
      and report.sent_at is null and report.discarded_at is null and report.summary = ''
    order by request.next_attempt_at limit 1 for update of request skip locked
  ), taken as (
    update private.summary_requests as request set attempts = request.attempts + 1, next_attempt_at = now() + interval '10 minutes'
    from next where (request.client_id, request.report_id) = (next.client_id, next.report_id)
    returning request.client_id, request.report_id
  )
  select jsonb_build_object(
    'client_id', report.client_id, 'id', report.id, 'client', report.figures -> 'client' ->> 'name', 'span', report.span,
    'first_day', report.first_day, 'last_day', report.last_day, 'figures', report.figures, 'may_change', true,
    'content_hash', private.report_hash(report)
  )
  from taken join public.client_reports as draft on draft.client_id = taken.client_id and draft.id = taken.report_id,
    lateral private.with_current_figures(draft) as report
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
  ), raised as (
    insert into public.client_alarms as former (client_id, kind, subject, text)
    select client_id, 'difference', subject, text from compared where imported <> counted
    on conflict (client_id, kind, subject) do update set
      text = excluded.text, latest_at = now(), resolved_at = null, resolved_by = null
    where former.text <> excluded.text
  )
  select count(*) into _differ from compared where imported <> counted;
  return _differ;
end
$$;

create or replace function private.count_ends_at(kind text, subject_name text) returns timestamptz
language sql stable security definer set search_path = '' as $$
  select coalesce((
    select expires_at from private.rate_limit_counters where subject = private.counter_key(kind || ' of ' || subject_name)
  ), now())
$$;

create or replace function private.count_for_address(kind text, address text, allowed integer, period interval) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  one record;
begin
  for one in select * from private.networks_of(address) loop
    insert into private.rate_limit_counters as counted (subject, count, expires_at)
      values (private.counter_key(kind || one.network), 1, now() + period)
      on conflict (subject) do update set
        count = case when counted.expires_at <= now() then 1 else counted.count + 1 end,
        expires_at = case when counted.expires_at <= now() then excluded.expires_at else counted.expires_at end
      where counted.expires_at <= now() or counted.count < allowed * one.allowances;
    if not found then
      return false;
    end if;
  end loop;
  return true;
end
$$;

create or replace function private.count_for_subject(kind text, subject_name text, allowed integer, period interval) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.rate_limit_counters as counted (subject, count, expires_at)
    values (private.counter_key(kind || ' of ' || subject_name), 1, now() + period)
    on conflict (subject) do update set
      count = case when counted.expires_at <= now() then 1 else counted.count + 1 end,
      expires_at = case when counted.expires_at <= now() then excluded.expires_at else counted.expires_at end
    where counted.expires_at <= now() or counted.count < allowed;
  return found;
end
$$;

create function private.decide_approval(
  _client_id uuid, _approval_id uuid, _number integer, _verdict text, _comment text, _edited_text text, _person uuid
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
  elsif _edited_text is not null and _verdict is distinct from 'changes' then
    raise exception 'Only a decision with changes can include an edited text.' using errcode = '22023';
  elsif _edited_text is null and _verdict in ('no', 'changes') and _said = '' then
    raise exception 'Please describe what should change.' using errcode = 'P0001';
  end if;
  if _edited_text is not null then
    select * into _version from public.approval_versions
    where client_id = _client_id and approval_id = _approval_id and number = _newest;
    if _edited_text = _version.text then
      raise exception 'The text is the same as before.' using errcode = 'P0001';
    elsif _newest >= 100 then
      raise exception 'A text can have at most 100 versions. Describe in a comment what should change instead.' using errcode = 'P0001';
    end if;
    insert into public.approval_versions (client_id, approval_id, number, text, asked_by, is_client_edit)
    values (_client_id, _approval_id, _newest + 1, _edited_text, _person, true);
  end if;
  insert into public.approval_decisions (client_id, approval_id, number, verdict, comment, decided_by)
  values (
    _client_id, _approval_id, case when _edited_text is null then _newest else _newest + 1 end,
    case when _edited_text is null then _verdict else 'yes' end, _said, _person
  )
  returning * into _decision;
  perform private.mail_requester_about_decision(_decision);
end
$$;
revoke all on function private.decide_approval(_client_id uuid, _approval_id uuid, _number integer, _verdict text, _comment text, _edited_text text, _person uuid) from public, anon, authenticated, service_role;

create or replace function private.delete_oldest_conversations() returns void
language plpgsql security definer set search_path = '' as $$
declare
  _items bigint;
  _bytes bigint;
begin
  delete from private.rate_limit_counters where subject in (
    select subject from private.rate_limit_counters where expires_at <= now() limit 1000 for update skip locked
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

create or replace function private.delete_personal_data(_user_id uuid, _with_chats boolean) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _email constant text := coalesce((select lower(email) from auth.users where id = _user_id), '');
  _source private.personal_data;
begin
  for _source in select * from private.personal_data_sources() where _with_chats or not needs_verified_address loop
    if _source.on_deletion = 'delete' then
      execute format(
        'delete from %I.%I as item where %s', _source.schema_name, _source.table_name, private.person_condition_in_sql(_source)
      ) using _user_id, _email;
    elsif _source.on_deletion = 'clear' then
      execute format(
        'update %I.%I as item set %s where %s', _source.schema_name, _source.table_name,
        (select string_agg(format('%I = default', name), ', ') from unnest(_source.cleared_columns) as cleared (name)),
        private.person_condition_in_sql(_source)
      ) using _user_id, _email;
    end if;
  end loop;
  delete from auth.users where id = _user_id;
end
$$;

create or replace function private.format_figure_quote(_quote public.figure_quotes) returns text
language sql stable set search_path = '' as $$
  select to_char(value, 'FM999,999,999,999,999') || ' '
    || replace(case value when 1 then metrics.singular else metrics.plural end, '{currency}', clients.currency) || ', ' || case
    when _quote.last_day < _quote.first_day + 31 then ''
    when extract(year from _quote.first_day) = extract(year from _quote.last_day) then to_char(_quote.first_day, 'FMMonth') || '–'
    else to_char(_quote.first_day, 'FMMonth YYYY') || '–'
  end || to_char(_quote.last_day, 'FMMonth YYYY')
  from (select private.value_of_quote(_quote)) as counted (value), private.metrics, public.clients
  where metrics.name = _quote.metric and clients.id = _quote.client_id
$$;

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
          and (_with_all or private.can_changes_conflict(other, new))
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

create or replace function private.has_verified_address(_user_id uuid) returns boolean
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
            select from private.verified_addresses as verified
            where verified.user_id = person.id and verified.address = given.address
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

create or replace function private.index_content() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  _title name;
  _ids uuid[];
  _titles text[];
  _bodies text[];
begin
  if private.is_publish_dry_run() then
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

create or replace function private.is_booking_limit_reached() returns boolean
language sql stable security definer set search_path = '' as $$
  select count(*) >= greatest(1, least(150, private.count_offered_times() / 2))
  from public.bookings
  where not is_verified and (created_at > now() - interval '1 day' or (state = 'booked' and ends_at > now()))
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
  if private.is_publish_dry_run() then
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

create or replace function private.list_row_of_lead(_lead public.client_leads) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'approval_id', item.approval_id, 'title', version.title, 'number', item.number, 'decided_at', list.decided_at,
    'line', item.line, 'company', item.company, 'domain', item.domain, 'person', item.person, 'hint', item.hint
  )
  from (
      -- offset 0 stops the planner from adding other conditions, so that the indexes are used.
      (
        select any_row.*, null::integer as domain_length from public.approval_rows as any_row
        where fingerprint = private.hash_of_address(_lead.email) offset 0
      )
      union all
      select company.* from (select string_to_array(regexp_replace(_lead.email, '^.*@', ''), '.')) as parts (labels)
        cross join lateral generate_subscripts(labels, 1) as n
        cross join lateral (
          select any_row.*, length(domain) from public.approval_rows as any_row
          where domain = array_to_string(labels[n:], '.') and fingerprint is null offset 0
        ) as company
    ) as item
    join private.lists_of_campaign(_lead.client_id, _lead.campaign_id) as list
      on list.approval_id = item.approval_id and list.number = item.number and list.starts_at <= _lead.received_at
    join public.approval_versions as version
      on version.client_id = item.client_id and version.approval_id = item.approval_id and version.number = item.number
  where _lead.email like '%@%' and item.client_id = _lead.client_id and not exists (
    select from public.approval_vetoes as veto
    where veto.client_id = item.client_id and veto.approval_id = item.approval_id and veto.number = item.number
      and veto.line = item.line
  )
  order by item.domain_length is null desc, list.decided_at desc, item.domain_length desc, item.line limit 1
$$;

create or replace function private.mail_invitation(
  _user_id uuid, _role text, _client_id uuid default null, _kind text default null
) returns boolean language plpgsql security definer set search_path = '' as $$
declare
  _email constant text := (select email from auth.users where id = _user_id);
  _client constant text := (select name from public.clients where id = _client_id);
  _is_verified constant boolean := private.has_verified_address(_user_id);
  _link text;
  _code text;
begin
  if coalesce(_email, '') = '' then
    return true;
  elsif not private.count_for_subject('invitation mail', lower(_email), 20, interval '1 day') then
    raise exception '20 invitations were sent to this address today. Try again tomorrow.' using errcode = 'P0001';
  end if;
  if not _is_verified then
    select made.link, made.code into _link, _code from private.new_sign_in_link(_user_id, lower(_email)) as made;
    if _link is null then
      return false;
    end if;
  end if;
  insert into private.mail_queue (recipient, template, variables)
  values (_email, case when _is_verified then 'client_added' else 'invitation' end, jsonb_build_object(
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

create or replace function private.mail_next_waiting_lead(_now timestamptz default now()) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  _lead public.client_leads;
begin
  select lead.* into _lead from public.client_leads as lead join public.clients on clients.id = lead.client_id
  where lead.status = 'new' and lead.reminded_at is null and lead.changed_at <= _now - interval '20 hours'
    and not clients.is_sample and private.add_working_day(lead.changed_at, clients.time_zone) <= _now
  order by lead.changed_at limit 1 for update of lead skip locked;
  if not found then
    return false;
  end if;
  update public.client_leads set reminded_at = now() where client_id = _lead.client_id and id = _lead.id;
  with assigned as (
    select user_id from public.client_assignments
      join public.user_roles using (user_id)
      join auth.users on users.id = user_id and coalesce(users.banned_until <= now(), true)
    where client_id = _lead.client_id and user_roles.role in ('team', 'admin') and approved
  ), people as materialized (
    select users.id, users.email, clients.name as client
    from auth.users join public.user_roles on user_roles.user_id = users.id, public.clients
    where clients.id = _lead.client_id and users.email <> '' and coalesce(users.banned_until <= now(), true) and (
      users.id in (select user_id from assigned)
      or not exists (select from assigned) and user_roles.role = 'admin' and user_roles.approved
    )
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'lead_waiting', jsonb_build_object(
    'Email', email, 'ClientId', _lead.client_id, 'Client', client, 'Title', private.name_of_lead(_lead),
    'Path', private.team_path(id, _lead.client_id, 'lead-' || _lead.id)
  )
  from people where private.count_for_subject('waiting lead mail', lower(email), 20, interval '1 day');
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
    'Change', case _number when 1 then 'one more booking change' else _number || ' more booking changes' end
  ) || case when _number <= 20 then jsonb_build_object(
    'Message', concat_ws(E'\n', variables ->> 'Message', _what || ': ' || _when)
  ) else '{}' end
  where id = _waiting;
end
$$;

create or replace function private.mail_requester_about_decision(_decision public.approval_decisions) returns void
language sql security definer set search_path = '' as $$
  with asker as materialized (
    select users.id, users.email, approvals.title, clients.name as client, decided.is_client_edit
    from public.approval_versions as decided
      join public.approvals on approvals.client_id = decided.client_id and approvals.id = decided.approval_id
      join public.clients on clients.id = decided.client_id
      join lateral (
        select asked_by from public.approval_versions as version
        where version.client_id = decided.client_id and version.approval_id = decided.approval_id
          and version.number <= decided.number and not version.is_client_edit
        order by version.number desc limit 1
      ) as asked on true
      join public.user_roles on user_roles.user_id = asked.asked_by and role in ('team', 'admin') and approved
      join auth.users on users.id = asked.asked_by
    where decided.client_id = _decision.client_id and decided.approval_id = _decision.approval_id
      and decided.number = _decision.number and users.email <> ''
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'approval_decided', jsonb_build_object(
    'Email', email, 'ClientId', _decision.client_id, 'Title', title, 'Client', client, 'Message', _decision.comment,
    'Path', private.team_path(id, _decision.client_id, 'approval-' || _decision.approval_id),
    'Verdict', case
      when is_client_edit then 'Approved with changes'
      when _decision.verdict = 'yes' then 'Approved'
      when _decision.verdict = 'changes' then 'Changes requested'
      else 'Declined'
    end
  )
  from asker where private.count_for_subject('decision mail', lower(email), 100, interval '1 day')
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
      ) order by unread.title),
      'Path', private.team_path(
        users.id, clients.id, 'approval-' || (array_agg(unread.approval_id order by unread.title))[1]
      ),
      'Action', case count(*) when 1 then 'Open the approval' else 'Open the approvals' end
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
    select row_number() over (order by place), metrics.plural, result.value, result.before
    from unnest(array['meetings', 'replies', 'delivered', 'positive_replies', 'sent']) with ordinality as wanted (metric, place)
      join jsonb_to_recordset(_report.figures -> 'result') as result (metric text, value bigint, before bigint) using (metric)
      join private.metrics on metrics.name = metric
    order by place limit 3
  ) as shown (number, plural, value, before), lateral (values
    ('Figure', coalesce(to_char(value, 'FM999,999,999,999,990'), '–')),
    ('Metric', plural),
    ('Before', case when before is null then 'no figure' else to_char(before, 'FM999,999,999,999,990') end
      || ' the ' || _report.span || ' before'),
    ('Rise', case when value > before then '+' || to_char(value - before, 'FM999,999,999,999,990') else '' end),
    ('Fall', case when value < before then '−' || to_char(before - value, 'FM999,999,999,999,990') else '' end)
  ) as variables (key, text)
$$;

create or replace function private.make_next_due_report() returns boolean language plpgsql security definer set search_path = '' as $$
declare
  _client public.clients;
  _week date;
  _id uuid;
begin
  select clients.* into _client
  from public.clients cross join lateral (select private.due_report_week(clients)) as due (week)
  where clients.report_weekday is not null
    and exists (select from public.campaigns where campaigns.client_id = clients.id and deleted_at is null)
    and not exists (
      select from public.client_reports as report
      where report.client_id = clients.id and report.span = 'week' and report.first_day = due.week and report.corrects is null
    )
    and (
      clients.created_at < (due.week + 7)::timestamp at time zone clients.time_zone
      or exists (
        select from public.campaign_figures as figure
        where figure.client_id = clients.id and figure.replaced_by is null
          and figure.first_day between due.week and due.week + 6
      )
    )
  order by clients.id limit 1 for no key update of clients skip locked;
  if not found then
    return false;
  end if;
  _week := private.due_report_week(_client);
  insert into public.client_reports (client_id, span, first_day, last_day, figures)
  values (_client.id, 'week', _week, _week + 6, private.report_figures(_client, 'week', _week, _week + 6))
  on conflict do nothing returning id into _id;
  if _id is not null then
    insert into private.summary_requests (client_id, report_id) values (_client.id, _id);
    perform pg_notify('report_drafted', '');
  end if;
  return true;
end
$$;

create or replace function private.meeting_details(_client_id uuid, _id uuid, _is_team boolean) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'role', role, 'company_size', company_size, 'country', country, 'is_customer', is_customer, 'minutes', minutes,
    'criterion', criterion, 'judgement', private.check_meeting_criteria(meeting), 'lead', (
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

create or replace function private.meeting_sheet(_client public.clients, _first_day date) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'client', _client.name, 'client_id', _client.id, 'month', to_char(_first_day, 'YYYY-MM'), 'time_zone', _client.time_zone,
    'count', count(*), 'meetings', coalesce(jsonb_agg(jsonb_build_object(
      'id', meeting.id, 'starts_at', to_char(starts_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'met_with', met_with,
      'campaign', campaigns.name, 'answer', answer, 'role', role, 'company_size', company_size, 'country', country,
      'is_customer', is_customer, 'minutes', minutes,
      'criteria', judgement - 'text' || jsonb_build_object('sha256', private.hash_of_link(judgement ->> 'text'))
    ) order by starts_at, meeting.id), '[]')
  )
  from public.client_meetings as meeting
    cross join lateral private.check_meeting_criteria(meeting) as judgement
    left join public.campaigns on campaigns.client_id = meeting.client_id and campaigns.id = meeting.campaign_id
  where meeting.client_id = _client.id and private.month_of_meeting(meeting.client_id, starts_at) = _first_day
    -- After a change of the time zone, a meeting could otherwise count in two months.
    and not private.is_meeting_closed(meeting.client_id, starts_at)
    and outcome = 'held' and (answer = 'accepted' or not coalesce(judgement -> 'results' @> '[{"state": "not_met"}]', false))
$$;

create or replace function private.person_condition_in_sql(_source private.personal_data) returns text
language sql stable set search_path = '' as $$
  select string_agg(condition, ' or ') from (
    select case
      when _source.ids_function is null then format('item.%I = $1::pg_catalog.%I', attname, typname)
      else format('item.%I in (select private.%I($1))', attname, _source.ids_function)
    end
    from pg_catalog.pg_attribute join pg_catalog.pg_type on pg_type.oid = atttypid
    where attrelid = format('%I.%I', _source.schema_name, _source.table_name)::regclass and attname = any (_source.ids)
    union all
    select format('($2 <> '''' and lower(%s) = $2)', private.column_in_sql(address)) from unnest(_source.addresses) as address
    union all
    select format('($2 <> '''' and item.%I = (select private.hash_of_address($2)))', hash) from unnest(_source.hashes) as hash
  ) as conditions (condition)
$$;

create or replace function private.personal_data_of(_user_id uuid, _with_chats boolean) returns jsonb
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
    if _source.needs_verified_address and not _with_chats then
      _rows := null;
    elsif _source.export_function is not null then
      execute format('select private.%I($1)', _source.export_function) into _rows using _user_id;
    else
      execute format(
        'select coalesce(jsonb_agg(jsonb_build_object(%s) order by item.%I), ''[]'') from %I.%I as item where %s',
        (select string_agg(format('%L, %s', key, private.column_in_sql(value)), ', ') from jsonb_each_text(_source.export_fields)),
        _source.export_order, _source.schema_name, _source.table_name, private.person_condition_in_sql(_source)
      ) into _rows using _user_id, _email;
    end if;
    _data := _data || jsonb_build_object(_source.section, _rows);
  end loop;
  return _data;
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
    -- Pages read these tables from public.preview_<table>().
    'tables', (
      select jsonb_agg(kind order by is_item desc, number) from private.documents
      where is_item or private.is_site_preview(_link)
    )
  );
end
$$;

create or replace function private.raise_alarm(_client_id uuid, _kind text, _subject text, _text text, _times integer) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  _was_open constant boolean := exists (
    select from public.client_alarms
    where client_id = _client_id and kind = _kind and subject = _subject and resolved_at is null
  );
begin
  if not _was_open and 200 <= (
    select count(*) from public.client_alarms where client_id = _client_id and kind = _kind and resolved_at is null
  ) then
    _subject := 'more';
    _text := 'There are more alarms of this kind than are listed. Dismiss some to see the others.';
  end if;
  insert into public.client_alarms as former (client_id, kind, subject, text, times)
  values (_client_id, _kind, left(_subject, 400), left(_text, 2000), _times)
  on conflict (client_id, kind, subject) do update set
    times = former.times + excluded.times, text = excluded.text, latest_at = now(), resolved_at = null, resolved_by = null;
  return not _was_open and _subject <> 'more';
end
$$;

create or replace function private.raise_deviation_alarm(
  _source public.campaign_sources, _new private.received_event[], _events jsonb
) returns void language plpgsql security definer set search_path = '' as $$
declare
  _campaign constant text := (
    select name from public.campaigns where client_id = _source.client_id and id = _source.campaign_id
  );
  _found record;
begin
  for _found in
    select deviation ->> 'kind' as kind, deviation ->> 'subject' as subject, min(deviation ->> 'text') as text,
      count(*)::integer as times
    from (
      select distinct on (key) deviation from jsonb_to_recordset(_events) as given (key text, deviation jsonb)
      where jsonb_typeof(deviation) = 'object' and exists (
        select from unnest(_new) as fresh
        where fresh.event_key = given.key and fresh.state in ('counted', 'ignored')
      )
      order by key
    ) as found
    group by 1, 2 order by 1, 2
  loop
    perform private.raise_alarm(
      _source.client_id, _found.kind, _source.campaign_id || ' ' || _found.subject,
      'The campaign “' || _campaign || '”: ' || _found.text, _found.times
    );
  end loop;
end
$$;

create or replace function private.raise_do_not_contact_alarm(
  _client public.clients, _source public.campaign_sources, _new private.received_event[]
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
    if private.raise_alarm(_client.id, 'do_not_contact', _source.campaign_id || ' ' || _found.id, _text, _found.times) then
      perform private.mail_team_about_alarm(_client.id, _text);
    end if;
  end loop;
end
$$;

create or replace function private.record_former_slug() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  due_at timestamptz := to_jsonb(old) ->> 'published_date';
  is_still_public boolean := tg_op = 'UPDATE' and new.slug = old.slug and new.status = 'published';
begin
  if private.is_publish_dry_run() then
    return null;
  end if;
  if old.status = 'published' and coalesce(due_at <= now(), true) and not is_still_public then
    insert into public.slug_aliases (kind, slug, item_id) values (tg_table_name, old.slug, old.id)
    on conflict (kind, slug) do update set item_id = excluded.item_id, created_at = now();
  end if;
  return null;
end
$$;

create function private.save_booking(_call public.bookings, _token text, _is_verified boolean) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  _booking public.bookings;
begin
  begin
    insert into public.bookings (slot, name, email, phone, message, service, time_zone, token_hash, is_verified) values (
      _call.slot, _call.name, _call.email, _call.phone, _call.message, _call.service, _call.time_zone,
      private.booking_token_hash(_token), _is_verified
    ) returning * into _booking;
  exception when exclusion_violation then
    raise sqlstate 'PT409' using message = 'This time was just taken. Please choose another.';
  end;
  perform private.mail_about_booking(_booking, 'confirmed', _token);
  return private.booking_details(_booking) || jsonb_build_object('token', _token);
end
$$;
revoke all on function private.save_booking(_call bookings, _token text, _is_verified boolean) from public, anon, authenticated, service_role;

create function private.store_requested_summary(_client_id uuid, _id uuid, _content_hash text, _summary text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if _summary <> '' then
    update public.client_reports as draft set summary = _summary, figures = (private.with_current_figures(draft)).figures
    where draft.client_id = _client_id and draft.id = _id and draft.sent_at is null and draft.discarded_at is null
      and draft.summary = '' and private.report_hash(private.with_current_figures(draft)) = _content_hash;
    if not found then
      return;
    end if;
  end if;
  update private.summary_requests set state = case when _summary is null then 'unavailable' when _summary = '' then 'empty' else 'done' end
  where client_id = _client_id and report_id = _id;
end
$$;
revoke all on function private.store_requested_summary(_client_id uuid, _id uuid, _content_hash text, _summary text) from public, anon, authenticated, service_role;

create function private.store_source_totals(_client_id uuid, _file_name text, _validated private.validated_figure[])
returns void language sql security definer set search_path = '' as $$
  insert into public.source_totals as former (client_id, source_id, metric, first_day, last_day, value, file_name, added_by)
  select _client_id, source.id, metric, first_day, last_day, value, _file_name, private.user_id()
  from unnest(_validated) join public.campaign_sources as source on source.client_id = _client_id
    and source.campaign_id = unnest.campaign_id and metric = any (source.metrics)
    and first_day >= counts_from and last_day <= coalesce(ends_on, 'infinity')
  where reason like 'Events count this.%'
  on conflict (client_id, source_id, metric, first_day, last_day) do update set
    value = excluded.value, file_name = excluded.file_name, added_by = excluded.added_by, created_at = now()
  where former.value <> excluded.value
$$;
revoke all on function private.store_source_totals(_client_id uuid, _file_name text, _validated private.validated_figure[]) from public, anon, authenticated, service_role;

create function private.summarise_import(_validated private.validated_figure[]) returns jsonb
language sql stable set search_path = '' as $$
  with figures as (
    select line, campaign_id, metric, first_day, value, before, reason, case
      when reason is not null then 'refused' when before is null then 'new' when before <> value then 'changed' else 'same'
    end as state
    from unnest(_validated)
  ), numbered as (
    select *, row_number() over (partition by state order by line, metric) as number from figures
  )
  select jsonb_build_object(
    'new', count(*) filter (where state = 'new'), 'changed', count(*) filter (where state = 'changed'),
    'same', count(*) filter (where state = 'same'), 'refused', count(*) filter (where state = 'refused'),
    'examples', coalesce(jsonb_agg(jsonb_build_object(
      'state', state, 'line', line, 'campaign', campaign_id, 'metric', metric, 'day', first_day, 'value', value,
      'before', before, 'reason', reason
    ) order by line, metric) filter (where number <= 100 and state <> 'same'), '[]')
  ) from numbered
$$;
revoke all on function private.summarise_import(_validated private.validated_figure[]) from public, anon, authenticated, service_role;

create or replace function private.team_tasks() returns table (
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
    select alarm.client_id, 'alarm', alarm.id, alarm.text, 'Open alarm' from public.client_alarms as alarm where alarm.resolved_at is null
  )
  select tasks.client_id, clients.name, tasks.kind, tasks.item_id, tasks.words, tasks.detail
  from tasks join public.clients on clients.id = tasks.client_id where not clients.is_sample
$$;

create or replace function private.track_media_mentions() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if private.is_publish_dry_run() then
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
  if private.is_publish_dry_run() then
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

create or replace function private.unlisted_recipients(_source public.campaign_sources, _new private.received_event[]) returns table (
  person_hash text, hint text, times integer, line integer, label text, lists text
) language sql stable security definer set search_path = '' as $$
  with list as materialized (
    select * from private.lists_of_campaign(_source.client_id, _source.campaign_id)
  ), message as materialized (
    select event_key, person_hash, recipient, happened_at, (
      select string_agg(list.label, '; ' order by list.label) from list
      where event.happened_at >= list.starts_at and event.happened_at < list.ends_at
    ) as lists
    from unnest(_new) as event
    where metric = 'sent' and state in ('counted', 'ignored') and recipient like '%@%'
  )
  select distinct on (message.person_hash) message.person_hash,
    left(recipient, 1) || '***@' || left(split_part(recipient, '@', 2), 250),
    count(*) over (partition by message.person_hash)::integer, found.line, found.label, message.lists
  from message left join lateral (
    select item.line, list.label, exists (
      select from public.approval_vetoes as veto
      where veto.client_id = item.client_id and veto.approval_id = item.approval_id and veto.number = item.number
        and veto.line = item.line
      -- offset 0 stops the planner from hashing the removals of all clients.
      offset 0
    ) as is_removed
    from (
      (
        -- offset 0 stops the planner from adding other conditions, so that the index on fingerprint is used.
        select client_id, approval_id, number, line, null::integer as domain_length from public.approval_rows
        where fingerprint = message.person_hash offset 0
      )
      union all
      select company.* from (select string_to_array(regexp_replace(recipient, '^.*@', ''), '.')) as parts (labels)
        cross join lateral generate_subscripts(labels, 1) as n
        cross join lateral (select array_to_string(labels[n:], '.')) as spelled (value)
        cross join lateral (
          select client_id, approval_id, number, line, length(domain) from public.approval_rows
          where domain = spelled.value and fingerprint is null offset 0
        ) as company
    ) as item
      join list on list.approval_id = item.approval_id and list.number = item.number
        and message.happened_at >= list.starts_at and message.happened_at < list.ends_at
    where item.client_id = _source.client_id
    order by item.domain_length is null desc, list.decided_at desc, item.domain_length desc, is_removed
    limit 1
  ) as found on true
  where message.lists is not null and (found.line is null or found.is_removed)
  order by message.person_hash, message.happened_at desc, message.event_key
$$;

create or replace function private.unread_approvals() returns table (
  client_id uuid, approval_id uuid, number integer, title text, asked_by uuid
) language sql stable security definer set search_path = '' as $$
  select approval.client_id, approval.id, version.number, approval.title, version.asked_by
  from public.approvals as approval
    join lateral (
      select * from public.approval_versions as any_version
      where any_version.client_id = approval.client_id and any_version.approval_id = approval.id
      order by any_version.number desc limit 1
    ) as version on version.created_at < now() - interval '7 days'
  where not exists (
      select from public.approval_decisions as decision
      where decision.client_id = approval.client_id and decision.approval_id = approval.id and decision.number = version.number
    )
    and not exists (
      select from public.client_reads as noted
      where noted.client_id = approval.client_id and noted.kind = 'approval' and noted.item_id = approval.id
        and noted.last_at >= version.created_at
    )
    and exists (select from public.client_members as member where member.client_id = approval.client_id)
$$;

create function public.add_do_not_contact(_client_id uuid, _lines jsonb, _is_dry_run boolean) returns jsonb
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
    select _client_id, kind, value, hint, _person from judged where state = 'new' and not _is_dry_run order by line
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
revoke all on function public.add_do_not_contact(_client_id uuid, _lines jsonb, _is_dry_run boolean) from public, anon, authenticated, service_role;

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
  _criteria constant uuid := gen_random_uuid();
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
  update public.client_meetings as meeting set origin = 'completed', recorded_by = _person, starts_at = planned.at,
    met_with = names[1 + number % 8] || ', ' || companies[1 + number / 8 % 6],
    outcome = 'held', answer_until = planned.at + interval '14 days', answer = 'accepted', answered_at = planned.at + interval '1 day',
    role = (array['Head of facilities', 'Founder', 'Director'])[1 + number % 3], country = 'NO', minutes = 22 + number % 25
  from (
    select id, row_number() over (order by booked_on, id)::integer as number,
      (booked_on + 3 + time '10:00') at time zone 'Europe/Oslo' as at
    from public.client_meetings where client_id = _client
  ) as planned, (values (
    array['Anne Vik', 'Bjørn Aas', 'Camilla Ruud', 'David Holt', 'Eva Lien', 'Frode Bakk', 'Grete Sand', 'Henrik Moen'],
    array['Torget Offices', 'Solsiden Bakery', 'Parken Facilities', 'Elva Bread', 'Bryn Properties', 'Havna Ovens']
  )) as made_up (names, companies)
  where meeting.client_id = _client and meeting.id = planned.id;
  insert into public.client_meeting_results (client_id, meeting_id, number, status, amount, reason)
  select _client, meeting.id, 1, reported.status, reported.amount, reported.reason
  from (
    select id, row_number() over (order by booked_on, id) % 6 as turn
    from public.client_meetings where client_id = _client and booked_on < _monday - 30
  ) as meeting join (values
    (1, 'won', 180000, ''), (2, 'opportunity', 250000, ''), (3, 'nothing_yet', null, ''), (4, 'lost', null, 'They chose a supplier nearby.')
  ) as reported (turn, status, amount, reason) using (turn);

  -- The criteria were in force before the first meeting.
  insert into public.approvals (client_id, id, title, kind) values (_client, _criteria, 'Meetings that count', 'criteria');
  insert into public.approval_versions (client_id, approval_id, number, text, asked_by, created_at) values (
    _client, _criteria, 1, private.read_meeting_criteria(
      '{"roles": ["Head of facilities", "Founder", "Director"], "countries": ["NO"], "minimum_minutes": 20}'
    )::text, _person, now() - interval '15 weeks'
  );
  insert into public.approval_decisions (client_id, approval_id, number, verdict, comment, created_at, decided_by_name)
  values (_client, _criteria, 1, 'yes', '', now() - interval '14 weeks', 'Ingrid Berg');
  perform public.close_meeting_month(_client, (date_trunc('month', now() at time zone 'Europe/Oslo') - interval '2 months')::date);

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
  insert into public.approval_decisions (client_id, approval_id, number, verdict, comment, created_at, decided_by_name) values
    (_client, _declined, 1, 'no', 'Say something about the hotel first.', now() - interval '3 days', 'Ingrid Berg'),
    (_client, _approved, 1, 'yes', '', now() - interval '8 days', 'Ingrid Berg');

  insert into public.client_meetings (
    client_id, booked_on, starts_at, met_with, outcome, evidence, answer_until, answer, reason, answered_at, recorded_by
  ) values
    (_client, _monday - 3, now() + interval '3 days', 'Ingrid Berg, Havn Hotel', 'booked', 'Accepted the invitation.', null, null, '', null, _person),
    (_client, _monday - 5, now() - interval '2 days', 'Jonas Lie, Brygga Bakery', 'held', 'Recorded, 28 minutes.', now() + interval '12 days',
      null, '', null, _person),
    (_client, _monday - 10, now() - interval '6 days', 'Siri Moe, Fjordbygg', 'no_show', 'Waited ten minutes; a new time is asked for.',
      now() + interval '8 days', 'disputed', 'We had agreed on another day.', now() - interval '5 days', _person),
    (_client, _monday - 12, now() - interval '9 days', 'Per Dahl, Sentrum Offices', 'held', 'Recorded, 41 minutes.', now() + interval '5 days',
      'accepted', '', now() - interval '8 days', _person);

  insert into public.client_leads (
    client_id, campaign_id, email, name, company, title, words, step, received_at, origin, status, taken_by, taken_at
  ) values
    (_client, _first, 'nina@kaia.example', 'Nina Strand', 'Kaia Offices', 'Head of facilities',
      'Yes, send me the figures of the building next door. We decide in January.', 2, now() - interval '3 hours', 'reply',
      'new', null, null),
    (_client, _second, 'lars@morgen.example', 'Lars Vik', 'Morgen Bakery', 'Founder', 'Call me on Thursday after ten.', 1,
      now() - interval '2 days', 'reply', 'taken', _person, now() - interval '1 day');

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

create or replace function public.answer_client_meeting(
  _client_id uuid, _id uuid, _outcome text, _answer text, _reason text default '', _criterion text default null
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
  elsif _answer = 'disputed' then
    perform private.check_disputed_criterion(_meeting, _criterion);
  end if;
  update public.client_meetings set
    criterion = case when _answer = 'disputed' then _criterion end,
    answer = coalesce(_answer, ''), reason = btrim(coalesce(_reason, ''), E' \t\r\n'), answered_by = private.user_id(), answered_at = now()
  where client_id = _client_id and id = _id;
  -- Materialized, because the planner could otherwise call count_for_subject() for other people's addresses.
  if _answer = 'disputed' then
    with keeper as materialized (
      select users.id, users.email, clients.name as client
      from public.user_roles join auth.users on users.id = user_roles.user_id, public.clients
      where user_roles.user_id = _meeting.recorded_by and user_roles.role in ('team', 'admin') and approved
        and clients.id = _client_id and users.email <> ''
    )
    insert into private.mail_queue (recipient, template, variables)
    select email, 'meeting_disputed', jsonb_build_object(
      'Email', email, 'ClientId', _client_id, 'Client', client, 'Title', _meeting.met_with, 'Message', _reason,
      'Path', private.team_path(keeper.id, _client_id, 'meeting-' || _id)
    )
    from keeper where private.count_for_subject('dispute mail', lower(email), 50, interval '1 day');
  end if;
end
$$;

create function public.approve_client_report(_client_id uuid, _id uuid, _content_hash text) returns text
language plpgsql security definer set search_path = '' as $$
declare
  _draft constant public.client_reports := private.lock_report_draft(_client_id, _id);
  _report public.client_reports := private.with_current_figures(_draft);
begin
  if _report.discarded_at is not null then
    raise exception 'This draft was discarded.' using errcode = 'P0001';
  elsif private.report_hash(_report) is distinct from _content_hash then
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
revoke all on function public.approve_client_report(_client_id uuid, _id uuid, _content_hash text) from public, anon, authenticated, service_role;

create function public.ask_for_list_approval(
  _client_id uuid, _title text, _text text, _rows jsonb, _is_dry_run boolean, _due_on date default null,
  _approval_id uuid default null, _restored_lines integer[] default '{}'::integer[], _file_sha256 text default null
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
  if not _is_dry_run then
    _version := private.add_approval_version(
      _client_id, 'list', _title, _text, _due_on, _approval_id, null, _file_sha256
    );
  end if;
  with judged as materialized (
    select *, row_number() over (partition by state order by line) as place
    from private.read_list_rows(_client_id, _rows, _restored_lines)
  ), added as (
    insert into public.approval_rows (client_id, approval_id, number, line, company, domain, person, note, fingerprint, hint)
    select _client_id, _version.approval_id, _version.number, line, company, domain, person, coalesce(note, ''), fingerprint, hint
    from judged
      left join (
        select (item ->> 'line')::integer as line, private.one_line(item ->> 'note', 500) as note
        from jsonb_array_elements(_rows) as item
      ) as given using (line)
    where state = 'new' and not _is_dry_run
  )
  select jsonb_build_object(
    'id', _version.approval_id, 'new', count(*) filter (where state = 'new'),
    'refused', count(*) filter (where state = 'refused'), 'removed', count(*) filter (where state = 'removed'),
    'companies', count(distinct nullif(domain, '')) filter (where state = 'new'),
    'examples', coalesce(jsonb_agg(jsonb_build_object(
      'line', line, 'state', state, 'reason', reason,
      'text', left(coalesce(nullif(concat_ws(', ', nullif(person, ''), nullif(company, ''), nullif(hint, '')), ''), domain), 200)
    ) order by line) filter (where place <= 100), '[]')
  ) into _answer from judged;
  if not _is_dry_run then
    if (_answer ->> 'new')::integer = 0 then
      raise exception 'This list has no valid rows to approve.' using errcode = 'P0001';
    end if;
    perform private.mail_client_about_approval(_version);
  end if;
  return _answer;
end
$$;
revoke all on function public.ask_for_list_approval(_client_id uuid, _title text, _text text, _rows jsonb, _is_dry_run boolean, _due_on date, _approval_id uuid, _restored_lines integer[], _file_sha256 text) from public, anon, authenticated, service_role;

create or replace function public.cancel_booking(_token text) returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  _booking public.bookings := private.lock_active_booking(_token);
begin
  return private.booking_details(private.cancel_booking(_booking.id, 'visitor'));
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
  perform private.cancel_booking(_booking_id, 'owner');
end
$$;

create function public.change_client_lead(
  _client_id uuid, _id uuid, _expected_status text, _status text, _reason text default ''
) returns void language plpgsql security definer set search_path = '' as $$
begin
  if not private.works_for_client(_client_id) and _client_id not in (select private.clients_of_approver()) then
    raise exception 'You can read this, but only approvers can change leads.' using errcode = '42501';
  end if;
  perform private.change_lead(_client_id, _id, _expected_status, _status, _reason, private.user_id());
end
$$;
revoke all on function public.change_client_lead(_client_id uuid, _id uuid, _expected_status text, _status text, _reason text) from public, anon, authenticated, service_role;

create function public.change_lead_by_link(
  _token text, _holder text, _expected_status text, _status text, _reason text default ''
) returns text language plpgsql security definer set search_path = '' as $$
declare
  _found constant record := private.mailed_link_of(_token, _holder, 'lead');
  _link constant private.mailed_links := _found.link;
begin
  if _found.refusal is not null then
    return _found.refusal;
  end if;
  perform private.change_lead(_link.client_id, _link.lead_id, _expected_status, _status, _reason, _link.user_id);
  update private.mailed_links set holder_hash = private.hash_of_link(_holder)
  where token_hash = _link.token_hash and holder_hash is null;
  return null;
end
$$;
revoke all on function public.change_lead_by_link(_token text, _holder text, _expected_status text, _status text, _reason text) from public, anon, authenticated, service_role;

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
          select verified.address from private.verified_addresses as verified join auth.users on users.id = verified.user_id
          where verified.user_id = private.effective_user_id() and verified.address = users.email
        )
      )
    )
  );
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
        where noted.client_id = _client_id and noted.user_id = places.user_id and noted.kind = 'portal'
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
      select jsonb_build_object('state', request.state) from private.summary_requests as request
      where request.client_id = _client.id and request.report_id = _report.id
    ) end,
    'content_hash', case when _is_team then private.report_hash(_report) end,
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
    insert into private.verified_addresses (user_id, address) values (_id, _email) on conflict do nothing;
  elsif private.has_verified_address(_id) and exists (select from public.client_invitations where user_id = _id) then
    -- The insert fires the trigger that turns invitations into memberships.
    insert into private.verified_addresses (user_id, address)
    select _id, _email where _email <> '' on conflict do nothing;
  end if;
  return private.has_verified_address(_id);
end
$$;

create function public.decide_approval(
  _client_id uuid, _approval_id uuid, _number integer, _verdict text, _comment text default '', _edited_text text default null
) returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_approver(_client_id);
  perform private.decide_approval(_client_id, _approval_id, _number, _verdict, _comment, _edited_text, private.user_id());
end
$$;
revoke all on function public.decide_approval(_client_id uuid, _approval_id uuid, _number integer, _verdict text, _comment text, _edited_text text) from public, anon, authenticated, service_role;

create function public.decide_by_link(
  _token text, _holder text, _verdict text, _comment text default '', _edited_text text default null
) returns text language plpgsql security definer set search_path = '' as $$
declare
  _found record;
  _link private.mailed_links;
begin
  _found := private.mailed_link_of(_token, _holder, 'approval');
  _link := _found.link;
  if _found.refusal is not null then
    return _found.refusal;
  elsif _link.holder_hash is null then
    return 'Please read this version before you decide.';
  elsif _link.used_at is not null then
    return 'This link has already been used. Sign in to see your decision.';
  end if;
  perform private.decide_approval(
    _link.client_id, _link.approval_id, _link.number, _verdict, _comment, _edited_text, _link.user_id
  );
  update private.mailed_links set used_at = now() where token_hash = _link.token_hash;
  return null;
end
$$;
revoke all on function public.decide_by_link(_token text, _holder text, _verdict text, _comment text, _edited_text text) from public, anon, authenticated, service_role;

create function public.import_figures(_client_id uuid, _file jsonb, _rows jsonb, _is_dry_run boolean) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  _client constant public.clients := private.lock_assigned_client(_client_id);
  _batch_id constant uuid := gen_random_uuid();
  _validated private.validated_figure[];
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
    _validated := array(
      select judged from private.validate_figures(_client, case _file ->> 'period' when 'week' then 6 else 0 end, _rows) as judged
    );
    _answer := private.summarise_import(_validated);
    if 10000 < (select count(*) from public.client_meetings where client_id = _client_id) + (
      select coalesce(sum(value - coalesce(before, 0)), 0) from unnest(_validated)
      where reason is null and metric = 'meetings' and value > coalesce(before, 0)
    ) then
      raise exception 'A client can have at most 10,000 meetings.' using errcode = 'P0001';
    end if;
    if _is_dry_run or (_answer ->> 'new')::integer + (_answer ->> 'changed')::integer = 0 then
      -- Rolls back the new campaigns. Variables keep their values.
      raise exception using errcode = 'SF001';
    end if;
  exception when sqlstate 'SF001' then
    null;
  end;
  if not _is_dry_run then
    perform private.store_source_totals(_client_id, _file ->> 'name', _validated);
  end if;
  if _is_dry_run or (_answer ->> 'new')::integer + (_answer ->> 'changed')::integer = 0 then
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
  from unnest(_validated) as judged
  where judged.reason is null and judged.before <> judged.value and former.replaced_by is null
    and former.client_id = _client_id and former.campaign_id = judged.campaign_id and former.metric = judged.metric
    and former.first_day = judged.first_day;
  insert into public.campaign_figures (client_id, batch_id, campaign_id, metric, first_day, last_day, value)
  select _client_id, _batch_id, campaign_id, metric, first_day, last_day, value
  from unnest(_validated) where reason is null and before is distinct from value;
  return _answer || jsonb_build_object('batch', _batch_id);
end
$$;
revoke all on function public.import_figures(_client_id uuid, _file jsonb, _rows jsonb, _is_dry_run boolean) from public, anon, authenticated, service_role;

drop function public.list_approval_versions(_client_id uuid, _approval_id uuid);
create function public.list_approval_versions(_client_id uuid, _approval_id uuid) returns table (
  number integer, title text, text text, is_client_edit boolean, created_at timestamptz, file jsonb, verdict text, comment text,
  decided_by text, decided_at timestamptz, text_sha256 text, file_sha256 text
) language plpgsql stable security definer set search_path = '' as $$
declare
  _is_team constant boolean := private.works_for_client(_client_id);
begin
  return query
    select version.number, version.title, version.text, version.is_client_edit, version.created_at,
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
revoke all on function public.list_approval_versions(_client_id uuid, _approval_id uuid) from public, anon, authenticated, service_role;

drop function public.list_approvals(_client_id uuid, _limit integer, _offset integer);
create function public.list_approvals(_client_id uuid, _limit integer default 24, _offset integer default 0) returns table (
  id uuid, kind text, title text, number integer, text text, former_text text, is_client_edit boolean, row_count integer,
  veto_count integer, file jsonb, comment_count integer, due_on date, asked_by text, asked_at timestamptz, verdict text,
  comment text, decided_by text, decided_at timestamptz, may_withdraw boolean, waiting integer, total integer,
  list_sha256 text
) language plpgsql stable security definer set search_path = '' as $$
declare
  _is_team constant boolean := private.works_for_client(_client_id);
begin
  return query
    with newest as (
      select approval.id, approval.kind, approval.title, version.number, version.text, version.is_client_edit, version.file_id, version.due_on, version.asked_by,
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
    select shown.id, shown.kind, shown.title, shown.number, shown.text, former.text, shown.is_client_edit,
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
revoke all on function public.list_approvals(_client_id uuid, _limit integer, _offset integer) from public, anon, authenticated, service_role;

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
            and event.state in ('unknown', 'other_campaign', 'in_future')
          group by event.kind, event.state order by max(event.received_at) desc limit 50
        ) as kinds (kind, state, count, latest)
      )
    from public.campaign_sources as source
      join public.campaigns on campaigns.client_id = _client_id and campaigns.id = source.campaign_id
    where source.client_id = _client_id
    order by source.ends_on is not null, source.created_at desc, source.id limit 200;
end
$$;

create function public.list_people(
  _search text default '', _status text default '', _limit integer default 24, _offset integer default 0
) returns table (
  id uuid, email text, name text, status text, created_at timestamptz, last_sign_in_at timestamptz, invited boolean,
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
    case _status
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
  if trim(_search) = '' and _status = '' then
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
    ) into _total, _ids using lower(trim(_search)), _status, _length, _first;
  end if;
  return query
    select person.id, coalesce(nullif(person.email, ''), person.phone, '')::text,
      private.name_of(person.raw_user_meta_data), private.account_status(person.id), person.created_at, person.last_sign_in_at,
      person.invited_at is not null and person.last_sign_in_at is null,
      (
        select count(*)::integer from auth.mfa_factors as factor
        where user_id = person.id and factor.status = 'verified' and factor_type::text <> 'recovery_code'
      ),
      (select count(*)::integer from private.sessions_of(person.id)),
      _total
    from auth.users as person where person.id = any (_ids)
    order by person.created_at desc nulls last, person.id;
end
$$;
revoke all on function public.list_people(_search text, _status text, _limit integer, _offset integer) from public, anon, authenticated, service_role;

create or replace function public.list_unanswered_questions() returns table (
  id uuid, conversation_id uuid, question text, reason text, asked_at timestamptz
) language sql stable security definer set search_path = '' as $$
  select noted.id, noted.conversation_id, asked.content, noted.reason, asked.created_at
  from (
    select * from public.unanswered_questions
    where dismissed_at is null and (select private.is_admin())
    order by recorded_at desc limit 1000
  ) as noted,
  lateral (
    select content, created_at from public.chat_messages as message
    where message.conversation_id = noted.conversation_id and role = 'user'
      and private.reply_hash(content) = noted.question_hash
    order by created_at desc limit 1
  ) as asked
  order by asked.created_at desc
$$;

create or replace function public.my_calls() returns table (id uuid, starts_at timestamptz, ends_at timestamptz, service text)
language sql stable security definer set search_path = '' as $$
  select booking.id, booking.starts_at, booking.ends_at, booking.service
  from public.bookings as booking
  where booking.state = 'booked' and booking.ends_at > now() and lower(booking.email) in (
    select verified.address from private.verified_addresses as verified join auth.users on users.id = verified.user_id
    where verified.user_id = (select private.user_id()) and verified.address = users.email
  )
  order by booking.starts_at limit 20
$$;

create or replace function public.record_chat_reply(_conversation_id uuid, _hashes text[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.reply_hashes (conversation_id, hash)
    select id, noted.hash from public.conversations, unnest(_hashes) as noted (hash) where id = _conversation_id
    on conflict do nothing;
  delete from private.reply_hashes where conversation_id = _conversation_id and hash in (
    select hash from private.reply_hashes where conversation_id = _conversation_id
    order by recorded_at desc offset 2000
  );
end
$$;

create or replace function public.record_client_read(
  _client_id uuid, _approval_ids uuid[] default '{}'::uuid[], _report_ids uuid[] default '{}'::uuid[]
) returns void language plpgsql security definer set search_path = '' as $$
begin
  if _client_id not in (select private.clients_of_member()) then
    raise exception 'Only this client''s own people can mark items as read' using errcode = '42501';
  end if;
  insert into public.client_reads as noted (client_id, user_id, kind, item_id)
  select _client_id, private.user_id(), 'portal', _client_id
  union all
  select _client_id, private.user_id(), 'approval', id
  from public.approvals where client_id = _client_id and id = any (_approval_ids)
  union all
  select _client_id, private.user_id(), 'report', id
  from public.client_reports where client_id = _client_id and id = any (_report_ids) and sent_at is not null
  on conflict (client_id, user_id, kind, item_id) do update set last_at = now();
end
$$;

create or replace function public.record_unanswered_question(_conversation_id uuid, _hash text, _reason text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.unanswered_questions (conversation_id, question_hash, reason)
    select id, _hash, _reason from public.conversations
    where id = _conversation_id
      and (select count(*) from public.unanswered_questions where conversation_id = _conversation_id) < 20
    on conflict do nothing;
  delete from public.unanswered_questions where id in (
    select id from public.unanswered_questions order by recorded_at desc offset 5000
  );
end
$$;

create or replace function public.release_chat_reply(_address text) returns void language plpgsql security definer set search_path = '' as $$
declare
  today constant date := (now() at time zone 'utc')::date;
begin
  update public.chat_usage set replies = replies - 1 where day = today and replies > 0;
  update private.rate_limit_counters set count = count - 1
    where count > 0 and subject in (
      select private.counter_key('reply of ' || today || network) from private.networks_of(_address)
    );
end
$$;

create function public.report_meeting_result(
  _client_id uuid, _meeting_id uuid, _expected_number integer, _status text, _amount numeric default null, _reason text default ''
) returns void language plpgsql security definer set search_path = '' as $$
begin
  if not private.works_for_client(_client_id) and _client_id not in (select private.clients_of_approver()) then
    raise exception 'You can read this, but only approvers can report results.' using errcode = '42501';
  end if;
  perform private.add_meeting_result(_client_id, _meeting_id, _expected_number, _status, _amount, _reason, private.user_id());
end
$$;
revoke all on function public.report_meeting_result(_client_id uuid, _meeting_id uuid, _expected_number integer, _status text, _amount numeric, _reason text) from public, anon, authenticated, service_role;

create function public.report_result_by_link(
  _token text, _holder text, _expected_number integer, _status text, _amount numeric default null, _reason text default ''
) returns text language plpgsql security definer set search_path = '' as $$
declare
  _found constant record := private.mailed_link_of(_token, _holder, 'result');
  _link constant private.mailed_links := _found.link;
  _number integer;
begin
  if _found.refusal is not null then
    return _found.refusal;
  end if;
  _number := private.add_meeting_result(
    _link.client_id, _link.meeting_id, _expected_number, _status, _amount, _reason, _link.user_id
  );
  update private.mailed_links set holder_hash = private.hash_of_link(_holder), number = _number
  where token_hash = _link.token_hash;
  return null;
end
$$;
revoke all on function public.report_result_by_link(_token text, _holder text, _expected_number integer, _status text, _amount numeric, _reason text) from public, anon, authenticated, service_role;

create or replace function public.resolve_client_alarm(_client_id uuid, _id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only admins and assigned team members can do this' using errcode = '42501';
  end if;
  update public.client_alarms set resolved_at = now(), resolved_by = private.user_id()
  where client_id = _client_id and id = _id and resolved_at is null;
end
$$;

create function public.resolve_release_conflict(_change_id uuid, _keep text, _expected_updated_at timestamptz default null) returns void
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
  if (_live ->> 'updated_at')::timestamptz is distinct from _expected_updated_at then
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
revoke all on function public.resolve_release_conflict(_change_id uuid, _keep text, _expected_updated_at timestamp with time zone) from public, anon, authenticated, service_role;

create or replace function public.save_client_meeting(
  _client_id uuid, _starts_at timestamptz, _met_with text, _outcome text, _evidence text default '', _id uuid default null,
  _campaign_id uuid default null, _booked_on date default null, _facts jsonb default null, _lead_id uuid default null
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
      client_id, starts_at, met_with, outcome, evidence, answer_until, recorded_by, campaign_id, booked_on
    ) values (_client_id, _starts_at, trim(_met_with), _outcome, _evidence, _until, private.user_id(), _campaign_id, _booked_on)
    returning id into _saved;
    perform private.save_meeting_facts(_client_id, _saved, _facts);
    perform private.set_lead_of_meeting(_client_id, _saved, _lead_id);
    return _saved;
  end if;
  select * into _old from public.client_meetings where client_id = _client_id and id = _id for update;
  if not found then
    raise exception 'This meeting no longer exists.' using errcode = 'P0001';
  elsif _old.answer = 'accepted' then
    raise exception 'The client has accepted this meeting, so it cannot be changed.' using errcode = 'P0001';
  end if;
  update public.client_meetings set
    starts_at = _starts_at, met_with = trim(_met_with), outcome = _outcome, evidence = _evidence, recorded_by = private.user_id(),
    campaign_id = _campaign_id,
    -- Keeps the day of a meeting that a figure added, so that the figure still matches it.
    booked_on = case origin when 'person' then coalesce(_booked_on, booked_on) else booked_on end,
    origin = case origin when 'figure' then 'completed' else origin end,
    answer_until = case when outcome = _outcome then answer_until else _until end,
    answer = case when outcome = _outcome then answer end,
    reason = case when outcome = _outcome then reason else '' end,
    answered_by = case when outcome = _outcome then answered_by end,
    answered_at = case when outcome = _outcome then answered_at end,
    criterion = case when outcome = _outcome then criterion end
  where client_id = _client_id and id = _id;
  perform private.save_meeting_facts(_client_id, _id, _facts);
  perform private.set_lead_of_meeting(_client_id, _id, _lead_id);
  return _id;
end
$$;

create function public.save_report_summary(_client_id uuid, _id uuid, _summary text, _expected_summary text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _draft constant public.client_reports := private.lock_report_draft(_client_id, _id);
begin
  if _draft.summary is distinct from _expected_summary then
    raise exception 'A colleague has changed the summary. Please read it first.' using errcode = 'P0001';
  end if;
  update public.client_reports set
    summary = btrim(_summary, E' \t\r\n'), figures = (private.with_current_figures(_draft)).figures
  where client_id = _client_id and id = _id;
  -- An edited draft is no longer overwritten by the model's summary.
  delete from private.summary_requests where client_id = _client_id and report_id = _id;
end
$$;
revoke all on function public.save_report_summary(_client_id uuid, _id uuid, _summary text, _expected_summary text) from public, anon, authenticated, service_role;

create function public.save_to_release(
  _kind text, _item_id text, _action text, _data jsonb default null, _base jsonb default null, _release_id uuid default null,
  _name text default null, _expected_changed_at timestamptz default null
) returns uuid language plpgsql set search_path = '' as $$
declare
  _existing public.release_changes;
begin
  if _release_id is null then
    insert into public.releases (name) values (_name) returning id into _release_id;
  end if;
  select * into _existing from public.release_changes
  where release_id = _release_id and kind = _kind and item_id = _item_id for update;
  if _existing.changed_at is distinct from _expected_changed_at then
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
revoke all on function public.save_to_release(_kind text, _item_id text, _action text, _data jsonb, _base jsonb, _release_id uuid, _name text, _expected_changed_at timestamp with time zone) from public, anon, authenticated, service_role;

create function public.set_client_fee(_client_id uuid, _first_month date, _amount numeric, _expected_number integer) returns void
language plpgsql security definer set search_path = '' as $$
declare
  _number integer;
begin
  perform private.lock_assigned_client(_client_id);
  select coalesce(max(number), 0) into _number from public.client_fees where client_id = _client_id;
  if _number is distinct from _expected_number then
    raise exception 'Someone else has changed the fee. Reload the page to read it.' using errcode = 'P0001';
  elsif _number >= 200 then
    raise exception 'The fee of a client can change at most 200 times.' using errcode = 'P0001';
  elsif _first_month is null or date_trunc('month', _first_month::timestamp) <> _first_month then
    raise exception 'A month is named by its first day.' using errcode = '22023';
  elsif _amount is null or _amount not between 0 and 1000000000000 then
    raise exception 'An amount must be between 0 and 1,000,000,000,000.' using errcode = 'P0001';
  end if;
  insert into public.client_fees (client_id, number, first_month, amount, set_by)
  values (_client_id, _number + 1, _first_month, _amount, private.user_id());
end
$$;
revoke all on function public.set_client_fee(_client_id uuid, _first_month date, _amount numeric, _expected_number integer) from public, anon, authenticated, service_role;

create or replace function public.store_campaign_events(_token_hash text, _secret_hash text, _events jsonb) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  _opened record;
  _source public.campaign_sources;
  _client public.clients;
  _new private.received_event[];
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
        when _source.external_id <> '' and campaign <> '' and campaign <> _source.external_id then 'other_campaign'
        when happened_at > now() + interval '10 minutes' then 'in_future'
        when metric is not null and day >= _source.counts_from then 'counted'
        else 'ignored'
      end, day, happened_at, step, case when recipient <> '' then private.hash_of_address(recipient) end,
      case when recipient like '%@%' then left(recipient, 1) || '***@' || left(split_part(recipient, '@', 2), 250) else '' end,
      nullif(recipient, ''), case when keeps_raw then raw end, approval_id, version_number
    from placed
    on conflict do nothing
    returning event_key, metric, state, day, happened_at, step, person_hash, recipient,
      500 + coalesce(octet_length(raw::text), 0) as size
  )
  select array_agg((event_key, metric, state, day, happened_at, step, person_hash, recipient)::private.received_event), sum(size)
  into _new, _added from taken where true;
  update public.campaign_sources set stored_on = _today, stored_bytes = _stored + _added
  where client_id = _source.client_id and id = _source.id and _added > 0;
  perform private.count_events(_source, _new);
  perform private.raise_do_not_contact_alarm(_client, _source, array(
    select event from unnest(_new) as event where event.metric = 'sent' and event.state in ('counted', 'ignored')
  ));
  perform private.raise_deviation_alarm(_source, _new, _events);
  perform private.raise_list_alarm(_source, _new);
  perform private.add_leads_of_events(_source, _new, _events);
  return coalesce(array_length(_new, 1), 0);
end
$$;

create or replace function public.team_overview() returns jsonb language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', clients.id, 'name', clients.name, 'domain', clients.domain, 'time_zone', clients.time_zone,
    'first_weekday', clients.first_weekday,
    'is_running', exists (select from public.campaigns where client_id = clients.id and phase = 'running'),
    'latest', (
      select max(last_day) from public.campaign_figures
      where client_id = clients.id and replaced_by is null and first_day >= (
        select max(first_day) - 6 from public.campaign_figures where client_id = clients.id and replaced_by is null
      )
    ),
    'waits_for_client', texts.open + meetings.open + quotes.open + leads.fresh + results.awaited, 'due_on', texts.due_on,
    'waits_for_us', texts.refused + meetings.disputed, 'unread', texts.unread,
    'read_at', (select max(last_at) from public.client_reads where client_id = clients.id and kind = 'portal')
  ) order by clients.name, clients.id), '[]')
  from public.clients
    cross join lateral (
      select count(*) filter (where decision.number is null) as open,
        count(*) filter (where decision.verdict in ('no', 'changes')) as refused,
        min(version.due_on) filter (where decision.number is null) as due_on,
        count(*) filter (
          where decision.number is null and version.created_at < now() - interval '7 days'
            and exists (select from public.client_members where client_id = clients.id)
            and not exists (
              select from public.client_reads as noted
              where noted.client_id = clients.id and noted.kind = 'approval' and noted.item_id = approval.id
                and noted.last_at >= version.created_at
            )
        ) as unread
      from public.approvals as approval
        join lateral (
          select * from public.approval_versions as any_version
          where any_version.client_id = clients.id and any_version.approval_id = approval.id
          order by any_version.number desc limit 1
        ) as version on true
        left join public.approval_decisions as decision
          on decision.client_id = clients.id and decision.approval_id = approval.id and decision.number = version.number
      where approval.client_id = clients.id
    ) as texts
    cross join lateral (
      select count(*) filter (where answer is null and answer_until > now()) as open,
        count(*) filter (where answer = 'disputed') as disputed
      from public.client_meetings where client_id = clients.id
    ) as meetings
    cross join lateral (
      select count(*) as open from public.figure_quotes as quote join public.projects on projects.id = quote.project_id
      where quote.client_id = clients.id and quote.answer is null and quote.ended_at is null
    ) as quotes
    cross join lateral (
      select count(*) filter (where status = 'new') as fresh from public.client_leads where client_id = clients.id
    ) as leads
    cross join lateral (
      select count(*) as awaited from private.awaited_results where client_id = clients.id
    ) as results
  where (select private.is_admin()) or clients.id in (select private.clients_of_team_member())
$$;

drop index public.inbound_events_not_counted_idx;
create index inbound_events_not_counted_idx on public.inbound_events (client_id, source_id, state, kind)
  where state in ('unknown', 'other_campaign', 'in_future');

drop trigger add_do_not_contact_by_event on public.inbound_events;
create trigger add_do_not_contact_by_event after insert on public.inbound_events
  for each row
  when (
    new.person_hash is not null and new.hint <> '' and new.state <> 'other_campaign' and replace(lower(new.kind), '_', '') in (
      'unsubscribed', 'leadunsubscribed', 'emailunsubscribed', 'emailsunsubscribed'
    )
  )
  execute function private.add_do_not_contact_by_event();

grant execute on function public.add_do_not_contact(_client_id uuid, _lines jsonb, _is_dry_run boolean) to authenticated;

grant execute on function public.add_do_not_contact(_client_id uuid, _lines jsonb, _is_dry_run boolean) to service_role;

grant execute on function public.approve_client_report(_client_id uuid, _id uuid, _content_hash text) to authenticated;

grant execute on function public.approve_client_report(_client_id uuid, _id uuid, _content_hash text) to service_role;

grant execute on function public.ask_for_list_approval(_client_id uuid, _title text, _text text, _rows jsonb, _is_dry_run boolean, _due_on date, _approval_id uuid, _restored_lines integer[], _file_sha256 text) to authenticated;

grant execute on function public.ask_for_list_approval(_client_id uuid, _title text, _text text, _rows jsonb, _is_dry_run boolean, _due_on date, _approval_id uuid, _restored_lines integer[], _file_sha256 text) to service_role;

grant execute on function public.change_client_lead(_client_id uuid, _id uuid, _expected_status text, _status text, _reason text) to authenticated;

grant execute on function public.change_client_lead(_client_id uuid, _id uuid, _expected_status text, _status text, _reason text) to service_role;

grant execute on function public.change_lead_by_link(_token text, _holder text, _expected_status text, _status text, _reason text) to anon;

grant execute on function public.change_lead_by_link(_token text, _holder text, _expected_status text, _status text, _reason text) to authenticated;

grant execute on function public.change_lead_by_link(_token text, _holder text, _expected_status text, _status text, _reason text) to service_role;

grant execute on function public.decide_approval(_client_id uuid, _approval_id uuid, _number integer, _verdict text, _comment text, _edited_text text) to authenticated;

grant execute on function public.decide_approval(_client_id uuid, _approval_id uuid, _number integer, _verdict text, _comment text, _edited_text text) to service_role;

grant execute on function public.decide_by_link(_token text, _holder text, _verdict text, _comment text, _edited_text text) to anon;

grant execute on function public.decide_by_link(_token text, _holder text, _verdict text, _comment text, _edited_text text) to authenticated;

grant execute on function public.decide_by_link(_token text, _holder text, _verdict text, _comment text, _edited_text text) to service_role;

grant execute on function public.import_figures(_client_id uuid, _file jsonb, _rows jsonb, _is_dry_run boolean) to authenticated;

grant execute on function public.import_figures(_client_id uuid, _file jsonb, _rows jsonb, _is_dry_run boolean) to service_role;

grant execute on function public.list_people(_search text, _status text, _limit integer, _offset integer) to authenticated;

grant execute on function public.report_meeting_result(_client_id uuid, _meeting_id uuid, _expected_number integer, _status text, _amount numeric, _reason text) to authenticated;

grant execute on function public.report_meeting_result(_client_id uuid, _meeting_id uuid, _expected_number integer, _status text, _amount numeric, _reason text) to service_role;

grant execute on function public.report_result_by_link(_token text, _holder text, _expected_number integer, _status text, _amount numeric, _reason text) to anon;

grant execute on function public.report_result_by_link(_token text, _holder text, _expected_number integer, _status text, _amount numeric, _reason text) to authenticated;

grant execute on function public.report_result_by_link(_token text, _holder text, _expected_number integer, _status text, _amount numeric, _reason text) to service_role;

grant execute on function public.resolve_release_conflict(_change_id uuid, _keep text, _expected_updated_at timestamp with time zone) to authenticated;

grant execute on function public.resolve_release_conflict(_change_id uuid, _keep text, _expected_updated_at timestamp with time zone) to service_role;

grant execute on function public.save_report_summary(_client_id uuid, _id uuid, _summary text, _expected_summary text) to authenticated;

grant execute on function public.save_report_summary(_client_id uuid, _id uuid, _summary text, _expected_summary text) to service_role;

grant execute on function public.save_to_release(_kind text, _item_id text, _action text, _data jsonb, _base jsonb, _release_id uuid, _name text, _expected_changed_at timestamp with time zone) to authenticated;

grant execute on function public.save_to_release(_kind text, _item_id text, _action text, _data jsonb, _base jsonb, _release_id uuid, _name text, _expected_changed_at timestamp with time zone) to service_role;

grant execute on function public.set_client_fee(_client_id uuid, _first_month date, _amount numeric, _expected_number integer) to authenticated;

grant execute on function public.set_client_fee(_client_id uuid, _first_month date, _amount numeric, _expected_number integer) to service_role;

grant execute on function public.list_approval_versions(_client_id uuid, _approval_id uuid) to authenticated;

grant execute on function public.list_approval_versions(_client_id uuid, _approval_id uuid) to service_role;

grant execute on function public.list_approvals(_client_id uuid, _limit integer, _offset integer) to authenticated;

grant execute on function public.list_approvals(_client_id uuid, _limit integer, _offset integer) to service_role;

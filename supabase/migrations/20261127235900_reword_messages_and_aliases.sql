alter policy "Anybody starts a conversation" on public.conversations rename to "Anyone can start a conversation";

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
      text = excluded.text, latest_at = now(), settled_at = null, settled_by = null
    where former.text <> excluded.text
  )
  select count(*) into _differ from compared where imported <> counted;
  return _differ;
end
$$;

drop function private.find_people(_query text);
create function private.find_people(_query text) returns table (id uuid, label text)
language plpgsql stable security definer set search_path = '' as $$
declare
  _typed constant text := lower(trim(left(_query, 200)));
  _people constant text := $people$
    select person.id, label from auth.users as person cross join lateral (select left(concat_ws(' ',
      nullif(private.name_of(person.raw_user_meta_data), ''), nullif(person.email, ''), nullif(person.phone, '')
    ), 300)) as labels (label)
    where person.deleted_at is null and %s order by label, person.id limit 5
  $people$;
begin
  return query execute format(_people, 'position($1 in lower(label)) > 0') using _typed;
  if not found and private.trigram_schema() is not null then
    return query execute format(
      _people, format('%I.word_similarity($1, lower(label)) >= 0.5', private.trigram_schema())
    ) using _typed;
  end if;
end
$$;
revoke all on function private.find_people(_query text) from public, anon, authenticated, service_role;

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
      select from private.unread_reminders as reminder
      where (reminder.client_id, reminder.approval_id, reminder.number) = (unread.client_id, unread.approval_id, unread.number)
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

create or replace function private.name_meetings_of_events(_client_id uuid, _campaign_id uuid, _source_id uuid, _day date) returns void
language sql security definer set search_path = '' as $$
  with hints as (
    select hint, row_number() over (order by min(happened_at), hint) as number from (
      select left(regexp_replace(event.hint, '[[:cntrl:]]', '', 'g'), 200) as hint, happened_at
      from public.inbound_events as event
      where event.client_id = _client_id and event.source_id = _source_id and event.metric = 'meetings'
        and event.state = 'counted' and event.day = _day
    ) as events
    where hint ~ '\S' and not exists (
      select from public.client_meetings
      where client_id = _client_id and campaign_id = _campaign_id and booked_on = _day and met_with = events.hint
    )
    group by hint
  ), nameless as (
    select id, row_number() over (order by created_at, id) as number from public.client_meetings
    where client_id = _client_id and campaign_id = _campaign_id and booked_on = _day and origin = 'figure' and met_with = ''
  )
  update public.client_meetings as meeting set met_with = hint
  from nameless join hints using (number)
  where meeting.client_id = _client_id and meeting.id = nameless.id
$$;

create or replace function private.others_editing(_kind text) returns table (item_id text, name text)
language sql stable security definer set search_path = '' as $$
  select editing.item_id, left(coalesce(
    nullif(private.name_of(person.raw_user_meta_data), ''), nullif(person.email, ''), nullif(person.phone, ''), 'Another editor'
  ), 200)
  from public.editing join auth.users as person on person.id = editing.user_id
  where editing.kind = _kind and editing.user_id <> (select auth.uid())
    and editing.seen_at > now() - interval '1 minute'
  order by editing.seen_at, editing.user_id limit 200
$$;

create or replace function private.reject_stale_save() returns trigger language plpgsql security definer set search_path = '' as $$
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
    raise sqlstate 'PT412' using message = 'Another editor changed this after you opened it. Nothing was overwritten.';
  end if;
  return case tg_op when 'DELETE' then old else new end;
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
  select recipient.email, 'admin_added', jsonb_build_object(
    'Email', recipient.email, 'Name', added.email, 'Inviter', coalesce(private.shown_name(private.user_id(), true), 'The owner'),
    'UserId', _user_id
  )
  from auth.users as added, public.user_roles as roles join auth.users as recipient on recipient.id = roles.user_id
  where added.id = _user_id and roles.role = 'admin' and roles.approved and recipient.email <> '';
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
    raise exception 'Another editor changed this in the release. Nothing was overwritten.' using errcode = 'PT409';
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
  return query select 'people'::text, people.id, people.label from private.find_people(_query) as people;
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
    raise exception 'This was changed on the site again. Please check it again.' using errcode = 'PT409';
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

create or replace view private.counted_figures with (security_invoker = true) as
select client_id, campaign_id, batch_id, metric, first_day, last_day, value
from public.campaign_figures
where replaced_by is null and metric <> 'meetings'
union all
select sent.client_id, sent.campaign_id, sent.batch_id, 'delivered', sent.first_day, sent.last_day, greatest(sent.value - bounced.value, 0)
from public.campaign_figures as sent
  join public.campaign_figures as bounced on bounced.client_id = sent.client_id and bounced.campaign_id = sent.campaign_id
    and bounced.metric = 'bounced' and bounced.first_day = sent.first_day and bounced.last_day = sent.last_day
    and bounced.replaced_by is null
where sent.metric = 'sent' and sent.replaced_by is null and not exists (
  select from public.campaign_figures as reported
  where reported.client_id = sent.client_id and reported.campaign_id = sent.campaign_id
    and reported.metric = 'delivered'
    and reported.first_day between sent.first_day - 6 and sent.last_day and reported.last_day >= sent.first_day
    and reported.replaced_by is null
)
union all
select client_id, campaign_id, batch_id, 'meetings', booked_on, booked_on, count(*)
from public.client_meetings
group by client_id, campaign_id, batch_id, booked_on;

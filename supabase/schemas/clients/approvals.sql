-- Texts, lists, files and criteria for a client's approval. Versions are immutable, and a decision names the version
-- that the client read. The client's team requests approvals, and members decide. Only the functions below write rows.
-- They lock the approval, so that a replaced version cannot be decided.
create table public.approvals (
  client_id uuid not null references public.clients (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  title text not null check (length(trim(title)) between 1 and 200 and title !~ '[[:cntrl:]]'),
  created_at timestamptz not null default now()
    constraint approvals_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  kind text not null default 'text' check (kind in ('text', 'list', 'file', 'criteria')),
  primary key (client_id, id)
);
grant select on public.approvals to authenticated;
grant all on public.approvals to service_role;
alter table public.approvals enable row level security;
create policy "Admins read all approvals" on public.approvals for select to authenticated using ((select private.is_admin()));
create policy "Members read the approvals of their clients" on public.approvals for select to authenticated
  using (client_id in (select private.clients_of_member()));
create policy "Team members read the approvals of their clients" on public.approvals for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

-- Foreign keys cascade in the order of their creation. A client's approvals are deleted before the files that they
-- refer to.
alter table public.client_files add foreign key (client_id) references public.clients (id) on delete cascade;

create table public.approval_versions (
  client_id uuid not null,
  approval_id uuid not null,
  number integer not null check (number between 1 and 100),
  text text not null check (length(text) <= 20000 and text ~ '\S'),
  -- Due date of the decision.
  due_on date constraint approval_versions_due_on_calendar check (due_on between '1900-01-01' and '2999-12-31'),
  asked_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
    constraint approval_versions_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  is_client_edit boolean not null default false,
  file_id uuid,
  -- Title at the time of the request. A later version can have another one.
  title text not null default '' check (length(title) <= 200 and title !~ '[[:cntrl:]]'),
  -- Hash of the CSV file of a list. The file itself is not stored.
  file_sha256 text check (file_sha256 ~ '^[0-9a-f]{64}$'),
  primary key (client_id, approval_id, number),
  foreign key (client_id, approval_id) references public.approvals (client_id, id) on delete cascade,
  foreign key (client_id, file_id) references public.client_files (client_id, id)
);
create index approval_versions_asked_by_idx on public.approval_versions (asked_by);
create index approval_versions_file_idx on public.approval_versions (client_id, file_id);
grant select on public.approval_versions to authenticated;
grant all on public.approval_versions to service_role;
alter table public.approval_versions enable row level security;
comment on column public.approval_versions.is_client_edit is
  'True if an approver wrote this version and approved it in the same step. asked_by is that approver.';

alter table private.unread_reminders
  add foreign key (client_id, approval_id, number) references public.approval_versions (client_id, approval_id, number) on delete cascade;

create policy "Admins read all approval versions" on public.approval_versions for select to authenticated
  using ((select private.is_admin()));
create policy "Members read the approval versions of their clients" on public.approval_versions
  for select to authenticated using (client_id in (select private.clients_of_member()));
create policy "Team members read the approval versions of their clients" on public.approval_versions for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

create table public.approval_decisions (
  client_id uuid not null,
  approval_id uuid not null,
  number integer not null,
  verdict text not null check (verdict in ('yes', 'changes', 'no')),
  comment text not null default '' check (length(comment) <= 2000),
  decided_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
    constraint approval_decisions_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  -- Hash of the file, or of the CSV file of a list, at the time of the decision. Null for texts.
  file_sha256 text check (file_sha256 ~ '^[0-9a-f]{64}$'),
  -- Title and hash of the text that was decided.
  title text not null default '' check (length(title) <= 200),
  text_sha256 text check (text_sha256 ~ '^[0-9a-f]{64}$'),
  -- Name and address of the person at the time of the decision. They are evidence, so they are kept when the account
  -- changes or is deleted.
  decided_by_name text not null default '' check (length(decided_by_name) <= 200),
  decided_by_address text not null default '' check (length(decided_by_address) <= 320),
  primary key (client_id, approval_id, number),
  foreign key (client_id, approval_id, number)
    references public.approval_versions (client_id, approval_id, number) on delete cascade,
  check (verdict = 'yes' or comment ~ '\S')
);
create index approval_decisions_decided_by_idx on public.approval_decisions (decided_by);
create index approval_decisions_address_idx on public.approval_decisions (lower(decided_by_address));
-- Members do not see addresses of people.
grant
  select (
    client_id, approval_id, number, verdict, comment, decided_by, created_at, file_sha256, title, text_sha256, decided_by_name
  )
  on public.approval_decisions to authenticated;
grant all on public.approval_decisions to service_role;
alter table public.approval_decisions enable row level security;
create policy "Admins read all decisions" on public.approval_decisions for select to authenticated
  using ((select private.is_admin()));
create policy "Members read the decisions of their clients" on public.approval_decisions for select to authenticated
  using (client_id in (select private.clients_of_member()));
create policy "Team members read the decisions of their clients" on public.approval_decisions for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

-- Copies the decided content and the person who decided into a decision, as they are now.
create function private.copy_decided_content() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  select version.title, encode(sha256(convert_to(version.text, 'UTF8')), 'hex'), coalesce(file.sha256, version.file_sha256)
  into new.title, new.text_sha256, new.file_sha256
  from public.approval_versions as version
    left join public.client_files as file on file.client_id = version.client_id and file.id = version.file_id
  where version.client_id = new.client_id and version.approval_id = new.approval_id and version.number = new.number;
  -- Empty if the version does not exist, which the foreign key rejects.
  new.title := coalesce(new.title, '');
  if new.decided_by is not null then
    select private.one_line(private.name_of(raw_user_meta_data), 200), left(coalesce(email, ''), 320)
    into new.decided_by_name, new.decided_by_address
    from auth.users where id = new.decided_by;
  end if;
  return new;
end
$$;
create trigger copy_decided_content before insert on public.approval_decisions
  for each row execute function private.copy_decided_content();

create function private.copy_approval_title() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.title := coalesce((select title from public.approvals where client_id = new.client_id and id = new.approval_id), '');
  return new;
end
$$;
create trigger copy_approval_title before insert on public.approval_versions
  for each row when (new.title = '') execute function private.copy_approval_title();

-- Comments by the client and its team on a version, or on a passage of its text. They are immutable and do not change
-- the decision. Internal notes are in a table of their own.
create table public.approval_comments (
  client_id uuid not null,
  id uuid not null default gen_random_uuid(),
  approval_id uuid not null,
  number integer not null,
  -- The passage in the version. Empty for the whole version.
  quote text not null default '' check (length(quote) <= 2000),
  text text not null check (text ~ '\S' and length(text) <= 2000),
  written_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
    constraint approval_comments_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, id),
  foreign key (client_id, approval_id, number)
    references public.approval_versions (client_id, approval_id, number) on delete cascade
);
create index approval_comments_version_idx on public.approval_comments (client_id, approval_id, number, created_at);
create index approval_comments_written_by_idx on public.approval_comments (written_by);
grant select on public.approval_comments to authenticated;
grant all on public.approval_comments to service_role;
alter table public.approval_comments enable row level security;
create policy "Admins read all comments" on public.approval_comments for select to authenticated
  using ((select private.is_admin()));
create policy "Members read the comments on approvals of their clients" on public.approval_comments for select to authenticated
  using (client_id in (select private.clients_of_member()));
create policy "Team members read the comments of their clients" on public.approval_comments for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

-- Rejects writes during impersonation. Tables without this trigger have writes that require an account or the rights of
-- an approver, which an impersonation request lacks.
create trigger reject_impersonated_writes before insert or update or delete on public.approval_comments
  for each statement execute function private.reject_impersonated_writes();

-- Asks a client to approve a text: a new one, or with `_approval_id` the next version. Returns the approval.
create function public.ask_for_approval(
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
grant execute on function public.ask_for_approval to authenticated, service_role;

-- Asks a client to approve one of its files: a new one, or with `_approval_id` the next version. Returns the approval.
create function public.ask_for_file_approval(
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
grant execute on function public.ask_for_file_approval to authenticated, service_role;

-- Decides on the version that a member read. Throws if there is a newer one or a decision. With `_edited_text`, that
-- text becomes the next version and is approved. Does not check rights, because the caller has already done so.
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

-- Decides on the version that the caller read, see private.decide_approval().
create function public.decide_approval(
  _client_id uuid, _approval_id uuid, _number integer, _verdict text, _comment text default '', _edited_text text default null
) returns void language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_approver(_client_id);
  perform private.decide_approval(_client_id, _approval_id, _number, _verdict, _comment, _edited_text, private.user_id());
end
$$;
grant execute on function public.decide_approval to authenticated, service_role;

-- Withdraws an approval, unless a version has been decided.
create function public.withdraw_approval(_client_id uuid, _approval_id uuid) returns void
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
grant execute on function public.withdraw_approval to authenticated, service_role;

-- Lists a client's approvals with their newest and previous version: pending ones by due date, then decided ones,
-- latest first. Members do not see addresses of people.
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
grant execute on function public.list_approvals to authenticated, service_role;

-- Lists the versions of an approval, newest first, each with its decision as it was made. Members do not see addresses
-- of people.
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
grant execute on function public.list_approval_versions to authenticated, service_role;

-- Comments on a version, or with `_quote` on a passage. Open to viewers and the client's team. Returns the comment.
create function public.comment_on_version(
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
grant execute on function public.comment_on_version to authenticated, service_role;

-- Lists the comments on all versions of an approval, oldest first. Members do not see addresses of people.
create function public.list_comments(_client_id uuid, _approval_id uuid) returns table (
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
grant execute on function public.list_comments to authenticated, service_role;

-- Adds a pending version to a new approval or to the given one. Throws unless the caller works for the client. Sends no
-- mail.
create function private.add_approval_version(
  _client_id uuid, _kind text, _title text, _text text, _due_on date, _approval_id uuid, _file_id uuid default null,
  _file_sha256 text default null
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
  insert into public.approval_versions (client_id, approval_id, number, text, file_id, due_on, asked_by, file_sha256)
  values (_client_id, _id, _newest + 1, _text, _file_id, _due_on, private.user_id(), _file_sha256) returning * into _version;
  return _version;
end
$$;

-- Rejects edited versions of lists and files. An approver's edited text becomes the next version, which the same
-- decision approves.
create function private.check_client_edit() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from public.approvals where client_id = new.client_id and id = new.approval_id and kind = 'text') then
    raise exception 'Only texts can be edited here. Please describe what should change.' using errcode = 'P0001';
  end if;
  return null;
end
$$;

-- Locks an approval until the transaction ends. Returns its newest version, and true if that version is decided.
create function private.lock_approval(
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

-- Returns the first three lines of a text that are not empty. Long lines end after 200 characters.
create function private.first_lines(_text text) returns text language sql immutable set search_path = '' as $$
  select coalesce(string_agg(
    case when length(line) > 200 then trim(left(line, 199)) || '…' else line end, E'\n' order by place
  ), '')
  from (
    select private.one_line(given, 20000) as line, place
    from regexp_split_to_table(_text, E'\r\n?|\n') with ordinality as lines (given, place)
    where private.one_line(given, 20000) <> '' order by place limit 3
  ) as first
$$;

-- Mails the approvers about a version, each with a link for their present address. The mail begins with the text.
create function private.mail_client_about_approval(_version public.approval_versions) returns void
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

-- Mails the decision to the person who asked last. At most 100 mails a day.
create function private.mail_requester_about_decision(_decision public.approval_decisions) returns void
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

-- Lists the periods in which each version of an approval was the last approved one. The first row has no number and is
-- the period before the first approval. The end is null for the current version. The clocks of providers differ, so the
-- first approval counts from ten minutes earlier, the difference that store_campaign_events() also allows.
create function private.approved_versions(_client_id uuid, _approval_id uuid) returns table (
  number integer, decided_at timestamptz, decided_by text, starts_at timestamptz, ends_at timestamptz
) language sql stable security definer set search_path = '' as $$
  with approved as materialized (
    select * from public.approval_decisions
    where client_id = _client_id and approval_id = _approval_id and verdict = 'yes'
  ), first as (
    select min(created_at) - interval '10 minutes' as starts_at from approved
  )
  select null::integer, null::timestamptz, null::text, '-infinity'::timestamptz, starts_at from first
  union all
  select number, created_at, coalesce(nullif(decided_by_name, ''), nullif(decided_by_address, ''), 'the client'),
    case when row_number() over by_number = 1 then first.starts_at else created_at end, lead(created_at) over by_number
  from approved, first
  window by_number as (order by number)
$$;

create function private.approval_version_hash(_version public.approval_versions, _file_sha256 text) returns text
language sql immutable set search_path = '' as $$
  select case when _version.file_id is null then encode(sha256(convert_to(_version.text, 'UTF8')), 'hex') else _file_sha256 end
$$;

create trigger check_client_edit after insert on public.approval_versions
  for each row when (new.is_client_edit) execute function private.check_client_edit();

-- Figures of clients that case studies quote. The page refers to a figure, calculates it on each read, and shows it
-- only while the client consents. The reference is not part of the project, so that visitors who read projects cannot
-- see the client, and restoring an old version does not restore the consent.
create table public.figure_quotes (
  client_id uuid not null references public.clients (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  -- No foreign key, because a project in the trash keeps its quote.
  project_id uuid not null,
  metric text not null references private.metrics (name),
  -- Whole months. A weekly figure counts in the month in which it begins.
  first_day date not null check (extract(day from first_day) = 1)
    constraint figure_quotes_first_day_calendar check (first_day between '1900-01-01' and '2999-12-31'),
  last_day date not null constraint figure_quotes_last_day_calendar check (last_day between '1900-01-01' and '2999-12-31'),
  asked_by uuid references auth.users (id) on delete set null,
  asked_at timestamptz not null default now()
    constraint figure_quotes_asked_at_calendar check (asked_at between '1900-01-01' and '2999-12-31'),
  answer text check (answer in ('yes', 'no')),
  answered_by uuid references auth.users (id) on delete set null,
  answered_at timestamptz
    constraint figure_quotes_answered_at_calendar check (answered_at between '1900-01-01' and '2999-12-31'),
  -- Member who withdrew the consent.
  withdrawn_by uuid references auth.users (id) on delete set null,
  withdrawn_at timestamptz
    constraint figure_quotes_withdrawn_at_calendar check (withdrawn_at between '1900-01-01' and '2999-12-31'),
  -- Time at which an admin removed the quote from the page or requested another one.
  ended_at timestamptz constraint figure_quotes_ended_at_calendar check (ended_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, id),
  check (last_day > first_day and extract(day from last_day + 1) = 1),
  constraint figure_quotes_check1 check ((answer is null) = (answered_at is null)),
  constraint figure_quotes_check2 check (withdrawn_at is null or answer = 'yes')
);
create index figure_quotes_project_idx on public.figure_quotes (project_id) where ended_at is null;
create index figure_quotes_shown_idx on public.figure_quotes (client_id, metric)
  where answer = 'yes' and withdrawn_at is null and ended_at is null;
create index figure_quotes_asked_by_idx on public.figure_quotes (asked_by);
create index figure_quotes_answered_by_idx on public.figure_quotes (answered_by);
create index figure_quotes_withdrawn_by_idx on public.figure_quotes (withdrawn_by);
grant select on public.figure_quotes to authenticated;
grant all on public.figure_quotes to service_role;
alter table public.figure_quotes enable row level security;
comment on table public.figure_quotes is 'Client figures quoted on case studies, with the client''s answer.';

create policy "Admins read all quotes" on public.figure_quotes for select to authenticated using ((select private.is_admin()));
create policy "Members read the quotes of their clients" on public.figure_quotes for select to authenticated
  using (client_id in (select private.clients_of_member()));
create policy "Team members read the quotes of their clients" on public.figure_quotes for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

-- Clears cached pages on every answer and withdrawal, and when a quoted figure changes.
create trigger notify_content_changed after insert or update or delete or truncate on public.figure_quotes
  for each statement execute function private.notify_content_changed();

-- Stores the client's answer. Consent applies to the figure that the member read, `_value`.
create function public.answer_figure_quote(_client_id uuid, _id uuid, _answer text, _value bigint) returns void
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
grant execute on function public.answer_figure_quote to authenticated, service_role;

-- Asks a client for consent to quote a figure of past whole months in a case study. Returns the quote.
create function public.ask_to_quote_figure(
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
grant execute on function public.ask_to_quote_figure to authenticated, service_role;

-- Removes the quote of a project from its page, or cancels the request.
create function public.end_figure_quote(_project_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  update public.figure_quotes set ended_at = now() where project_id = _project_id and ended_at is null;
end
$$;
grant execute on function public.end_figure_quote to authenticated, service_role;

-- Lists a client's current quotes: pending ones first, then the latest. `words` is null without a figure. `path` is set
-- if the page is public.
create function public.list_figure_quotes(_client_id uuid) returns table (
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
grant execute on function public.list_figure_quotes to authenticated, service_role;

-- Returns the quote of a project for its editor: {"client", "words", "answer", "answered_at", "withdrawn_at",
-- "asked_at"}, or null.
create function public.quote_of_project(_project_id uuid) returns jsonb
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
grant execute on function public.quote_of_project to authenticated, service_role;

-- Withdraws the consent at any time. The page no longer shows the figure.
create function public.withdraw_figure_quote(_client_id uuid, _id uuid) returns void
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
grant execute on function public.withdraw_figure_quote to authenticated, service_role;

create function private.notify_quoted_figures() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if exists (
    select from public.figure_quotes as quote join changed
      on changed.client_id = quote.client_id and changed.metric = quote.metric
      and changed.first_day between quote.first_day and quote.last_day
    where answer = 'yes' and withdrawn_at is null and ended_at is null
  ) then
    perform pg_notify('content_changed', 'figure_quotes');
  end if;
  return null;
end
$$;

-- Clears the pages that quote meetings of the changed days.
create function private.notify_quoted_meetings() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if exists (
    select from public.figure_quotes as quote join changed
      on changed.client_id = quote.client_id and changed.booked_on between quote.first_day and quote.last_day
    where quote.metric = 'meetings' and quote.answer = 'yes' and withdrawn_at is null and ended_at is null
  ) then
    perform pg_notify('content_changed', 'figure_quotes');
  end if;
  return null;
end
$$;

-- Returns the text of a quote: '41 meetings booked, August–October 2026'. Null without a figure.
create function private.format_figure_quote(_quote public.figure_quotes) returns text
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

-- Mails the client's answer to the person who requested the quote. At most 100 mails a day.
create function private.mail_requester_about_quote(_quote public.figure_quotes, _verdict text) returns void
language sql security definer set search_path = '' as $$
  -- Materialized, because the planner could otherwise call count_for_subject() for other people's addresses.
  with asker as materialized (
    select users.email, clients.name as client, private.format_figure_quote(_quote) as words
    from public.user_roles join auth.users on users.id = user_roles.user_id, public.clients
    where user_roles.user_id = _quote.asked_by and user_roles.role = 'admin' and approved and clients.id = _quote.client_id and users.email <> ''
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'approval_decided', jsonb_build_object(
    'Email', email, 'ClientId', _quote.client_id, 'Client', client, 'Verdict', _verdict, 'Title', coalesce(words, 'A figure'), 'Message', case _verdict
      when 'Agreed' then 'The page now shows the figure.' else 'The page does not show the figure.'
    end
  )
  from asker where private.count_for_subject('decision mail', lower(email), 100, interval '1 day')
$$;

-- Mails the request to the approvers of a client. At most 20 mails a day per address.
create function private.mail_client_about_quote(_quote public.figure_quotes) returns void
language sql security definer set search_path = '' as $$
  with people as materialized (
    select email, clients.name as client, private.format_figure_quote(_quote) as words, projects.title
    from private.members_to_mail(_quote.client_id, 'waiting'), public.clients, public.projects
    where clients.id = _quote.client_id and projects.id = _quote.project_id
  )
  insert into private.mail_queue (recipient, template, variables)
  select email, 'quote_asked', jsonb_build_object(
    'Email', email, 'ClientId', _quote.client_id, 'Client', client, 'Figure', words, 'Title', title
  )
  from people where private.count_for_subject('approval mail', lower(email), 20, interval '1 day')
$$;

-- Returns the current value of a quoted figure, or null if it was deleted.
create function private.value_of_quote(_quote public.figure_quotes) returns bigint language sql stable set search_path = '' as $$
  select sum(value)::bigint from private.counted_figures
  where client_id = _quote.client_id and metric = _quote.metric
    and first_day between _quote.first_day and _quote.last_day
$$;

create trigger notify_quoted_inserted after insert on public.campaign_figures referencing new table as changed
  for each statement execute function private.notify_quoted_figures();
create trigger notify_quoted_updated after update on public.campaign_figures referencing new table as changed
  for each statement execute function private.notify_quoted_figures();
create trigger notify_quoted_deleted after delete on public.campaign_figures referencing old table as changed
  for each statement execute function private.notify_quoted_figures();

create trigger notify_quoted_added after insert on public.client_meetings referencing new table as changed
  for each statement execute function private.notify_quoted_meetings();
create trigger notify_quoted_changed after update on public.client_meetings referencing new table as changed
  for each statement execute function private.notify_quoted_meetings();
create trigger notify_quoted_moved after update on public.client_meetings referencing old table as changed
  for each statement execute function private.notify_quoted_meetings();
create trigger notify_quoted_removed after delete on public.client_meetings referencing old table as changed
  for each statement execute function private.notify_quoted_meetings();

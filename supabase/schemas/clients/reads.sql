-- Times at which members opened pending items in the portal. Mails have no tracking pixels, and impersonation does not
-- count. If a text was not opened for a week, the person who requested the approval gets one reminder.
create table public.client_reads (
  client_id uuid not null,
  user_id uuid not null,
  kind text not null check (kind in ('portal', 'approval', 'report')),
  -- The approval, or the client for its portal.
  item_id uuid not null,
  first_at timestamptz not null default now()
    constraint client_reads_first_at_calendar check (first_at between '1900-01-01' and '2999-12-31'),
  last_at timestamptz not null default now()
    constraint client_reads_last_at_calendar check (last_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, user_id, kind, item_id),
  foreign key (client_id, user_id) references public.client_members (client_id, user_id) on delete cascade
);
create index client_reads_latest_idx on public.client_reads (client_id, kind, last_at desc);
grant select on public.client_reads to authenticated;
grant all on public.client_reads to service_role;
alter table public.client_reads enable row level security;
create policy "Admins read the read receipts of all clients" on public.client_reads for select to authenticated
  using ((select private.is_admin()));
create policy "Team members read the read receipts of their clients" on public.client_reads for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

create trigger reject_impersonated_writes before insert or update or delete on public.client_reads
  for each statement execute function private.reject_impersonated_writes();

-- Versions with a mailed reminder that no one has opened them.
create table private.unread_reminders (
  client_id uuid not null,
  approval_id uuid not null,
  number integer not null,
  primary key (client_id, approval_id, number)
);
alter table private.unread_reminders enable row level security;

-- Records that a member opened a client's portal, and the texts shown there.
create function public.record_client_read(
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
grant execute on function public.record_client_read to authenticated, service_role;

-- Lists pending texts that no member has opened for a week, with the person who requested the approval.
create function private.unread_approvals() returns table (
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

-- Mails reminders about unread texts, one per person and client. Returns the number of texts. The server passes
-- `_at_most` to work in steps. A scheduled job calls the function without it.
create function private.mail_unread_reminders(_at_most integer default null) returns integer
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

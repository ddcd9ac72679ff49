-- Campaigns keep their versions, and rest for 30 days when they are deleted. Their figures stay: past weeks, months and reports
-- do not change because a campaign ended.
alter table public.campaigns add column deleted_at timestamptz;
create index campaigns_deleted_idx on public.campaigns (deleted_at) where deleted_at is not null;

alter policy "Members read the campaigns of their clients" on public.campaigns
  using (deleted_at is null and client_id in (select private.clients_of_member()));
alter policy "Admins and assigned team members change campaigns" on public.campaigns
  using (
    deleted_at is null
    and ((select private.is_admin()) or client_id in (select private.clients_of_team_member()))
  );
drop policy "Admins and assigned team members delete campaigns" on public.campaigns;
revoke delete on public.campaigns from authenticated;

create table public.campaign_versions (
  client_id uuid not null,
  campaign_id uuid not null,
  number integer not null check (number > 0),
  action text not null check (action in ('before', 'created', 'changed', 'deleted', 'restored')),
  -- The campaign as it was from then on.
  campaign jsonb not null,
  changed_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (client_id, campaign_id, number),
  foreign key (client_id, campaign_id) references public.campaigns (client_id, id) on delete cascade
);
create index campaign_versions_changed_by_idx on public.campaign_versions (changed_by);
comment on table public.campaign_versions is 'Each state of a campaign, for those who work for its client.';
revoke all on table public.campaign_versions from anon, authenticated;
grant all on table public.campaign_versions to service_role;
grant select on public.campaign_versions to authenticated;
alter table public.campaign_versions enable row level security;
create policy "Admins read the versions of all campaigns" on public.campaign_versions
  for select to authenticated using ((select private.is_admin()));
create policy "Team members read the versions of their clients' campaigns" on public.campaign_versions
  for select to authenticated using (client_id in (select private.clients_of_team_member()));
insert into private.personal_data (table_name, ids, section, given, sorted_by, on_deletion) values
  ('campaign_versions', '{changed_by}', 'changes_of_campaigns', '{"at": "created_at", "client": "client_id",
    "campaign": "campaign_id", "action": "action"}', 'created_at', 'follow');

create function private.state_of_campaign(_campaign public.campaigns) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_build_object('name', _campaign.name, 'channel', _campaign.channel, 'phase', _campaign.phase,
    'next_step', _campaign.next_step, 'due_on', _campaign.due_on)
$$;
revoke all on function private.state_of_campaign(public.campaigns) from public;

create function private.keep_campaign_version() returns trigger
language plpgsql security definer set search_path = ''
as $$
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
  -- A campaign from before this table shows what it was.
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
revoke all on function private.keep_campaign_version() from public;
create trigger keep_version after insert or update on public.campaigns
  for each row execute function private.keep_campaign_version();

-- A deleted campaign runs no longer, whatever phase it was in.
create function public.delete_campaign(_client_id uuid, _campaign_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only those who work for this client delete its campaigns' using errcode = '42501';
  end if;
  update public.campaigns set deleted_at = now(), phase = 'done'
  where client_id = _client_id and id = _campaign_id and deleted_at is null;
end
$$;
revoke all on function public.delete_campaign(uuid, uuid) from public, anon;
grant execute on function public.delete_campaign(uuid, uuid) to authenticated, service_role;

create function public.restore_campaign(_client_id uuid, _campaign_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only those who work for this client restore its campaigns' using errcode = '42501';
  end if;
  update public.campaigns set deleted_at = null, phase = coalesce((
    select campaign ->> 'phase' from public.campaign_versions
    where client_id = _client_id and campaign_id = _campaign_id and action <> 'deleted' order by number desc limit 1
  ), phase)
  where client_id = _client_id and id = _campaign_id and deleted_at > now() - interval '30 days';
  if not found then
    raise exception 'This campaign is not under Deleted any more.' using errcode = 'P0001';
  end if;
end
$$;
revoke all on function public.restore_campaign(uuid, uuid) from public, anon;
grant execute on function public.restore_campaign(uuid, uuid) to authenticated, service_role;

create function public.list_campaign_versions(_client_id uuid, _campaign_id uuid)
returns table (number integer, action text, campaign jsonb, changed_by text, created_at timestamptz)
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only those who work for this client see what its campaigns were' using errcode = '42501';
  end if;
  return query
    select version.number, version.action, version.campaign,
      coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), users.email::text, ''), version.created_at
    from public.campaign_versions as version left join auth.users on users.id = version.changed_by
    where version.client_id = _client_id and version.campaign_id = _campaign_id
    order by version.number desc;
end
$$;
revoke all on function public.list_campaign_versions(uuid, uuid) from public, anon;
grant execute on function public.list_campaign_versions(uuid, uuid) to authenticated, service_role;

-- A campaign with figures stays as what they are counted for; it only leaves Deleted.
create function private.delete_old_campaigns(_at_most integer default null) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  _deleted integer;
begin
  delete from public.campaigns where (client_id, id) in (
    select client_id, id from public.campaigns as resting
    where deleted_at < now() - interval '30 days'
      and not exists (
        select from public.campaign_figures where client_id = resting.client_id and campaign_id = resting.id
      )
    order by deleted_at limit _at_most for update skip locked
  );
  get diagnostics _deleted = row_count;
  return _deleted;
end
$$;
revoke all on function private.delete_old_campaigns(integer) from public;

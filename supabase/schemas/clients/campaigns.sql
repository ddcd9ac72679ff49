-- The key begins with the client, so that a reference cannot name another client's campaign.
create table public.campaigns (
  client_id uuid not null references public.clients (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  name text not null check (length(trim(name)) between 1 and 200 and name !~ '[[:cntrl:]]'),
  channel text not null check (channel in ('email', 'linkedin', 'phone', 'other')),
  phase text not null default 'planned' check (phase in ('planned', 'building', 'running', 'paused', 'done')),
  next_step text not null default '' check (length(next_step) <= 500 and next_step !~ '[[:cntrl:]]'),
  -- Due date of the next step.
  due_on date constraint campaigns_due_on_calendar check (due_on between '1900-01-01' and '2999-12-31'),
  created_at timestamptz not null default now()
    constraint campaigns_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  updated_at timestamptz not null default now()
    constraint campaigns_updated_at_calendar check (updated_at between '1900-01-01' and '2999-12-31'),
  deleted_at timestamptz constraint campaigns_deleted_at_calendar check (deleted_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, id)
);
create index campaigns_deleted_idx on public.campaigns (deleted_at) where deleted_at is not null;
grant select on public.campaigns to authenticated;
grant all on public.campaigns to service_role;
grant
  insert (client_id, name, channel, phase, next_step, due_on), update (name, channel, phase, next_step, due_on)
  on public.campaigns to authenticated;
alter table public.campaigns enable row level security;
create policy "Admins read all campaigns" on public.campaigns for select to authenticated using ((select private.is_admin()));
create policy "Members read the campaigns of their clients" on public.campaigns for select to authenticated
  using (deleted_at is null and client_id in (select private.clients_of_member()));
create policy "Team members read the campaigns of their clients" on public.campaigns for select to authenticated
  using (client_id in (select private.clients_of_team_member()));
create policy "Admins and assigned team members add campaigns" on public.campaigns for insert to authenticated
  with check ((select private.is_admin()) or client_id in (select private.clients_of_team_member()));
create policy "Admins and assigned team members change campaigns" on public.campaigns for update to authenticated
  using (deleted_at is null and ((select private.is_admin()) or client_id in (select private.clients_of_team_member())))
  with check ((select private.is_admin()) or client_id in (select private.clients_of_team_member()));

create trigger touch_updated_at before update on public.campaigns for each row execute function private.touch_updated_at();

create table public.campaign_versions (
  client_id uuid not null,
  campaign_id uuid not null,
  number integer not null check (number > 0),
  action text not null check (action in ('before', 'created', 'changed', 'deleted', 'restored')),
  -- The campaign after the change.
  campaign jsonb not null,
  changed_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default clock_timestamp()
    constraint campaign_versions_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, campaign_id, number),
  foreign key (client_id, campaign_id) references public.campaigns (client_id, id) on delete cascade
);
create index campaign_versions_changed_by_idx on public.campaign_versions (changed_by);
grant select on public.campaign_versions to authenticated;
grant all on public.campaign_versions to service_role;
alter table public.campaign_versions enable row level security;
comment on table public.campaign_versions is 'Earlier states of campaigns, visible to admins and assigned team members.';

create policy "Admins read the versions of all campaigns" on public.campaign_versions for select to authenticated
  using ((select private.is_admin()));
create policy "Team members read the versions of their clients' campaigns" on public.campaign_versions
  for select to authenticated using (client_id in (select private.clients_of_team_member()));

-- Sets the phase to 'done', so that the deleted campaign does not count as running.
create function public.delete_campaign(_client_id uuid, _campaign_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only admins and assigned team members can delete campaigns' using errcode = '42501';
  end if;
  update public.campaigns set deleted_at = now(), phase = 'done'
  where client_id = _client_id and id = _campaign_id and deleted_at is null;
end
$$;
grant execute on function public.delete_campaign to authenticated, service_role;

create function public.restore_campaign(_client_id uuid, _campaign_id uuid) returns void
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
grant execute on function public.restore_campaign to authenticated, service_role;

create function public.list_campaign_versions(_client_id uuid, _campaign_id uuid) returns table (
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
grant execute on function public.list_campaign_versions to authenticated, service_role;

-- Deletes campaigns permanently after 30 days in the trash. Rows of campaigns with figures are kept, but leave the
-- trash.
create function private.delete_old_campaigns(_at_most integer default null) returns integer
language plpgsql security definer set search_path = '' as $$
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

create function private.is_deleted_campaign(_client_id uuid, _campaign_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.campaigns where client_id = _client_id and id = _campaign_id and deleted_at is not null)
$$;

create function private.keep_campaign_version() returns trigger language plpgsql security definer set search_path = '' as $$
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

create function private.campaign_state(_campaign public.campaigns) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object('name', _campaign.name, 'channel', _campaign.channel, 'phase', _campaign.phase,
    'next_step', _campaign.next_step, 'due_on', _campaign.due_on)
$$;

create trigger keep_version after insert or update on public.campaigns
  for each row execute function private.keep_campaign_version();

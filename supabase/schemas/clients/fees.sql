-- Monthly fees that a client pays, in its currency. Each row is a change. The latest row of a month sets the fee from
-- that month until the next month with a row. An amount of 0 ends the fee. Viewers do not see fees. Only
-- set_client_fee() inserts rows.
create table public.client_fees (
  client_id uuid not null references public.clients (id) on delete cascade,
  number integer not null check (number between 1 and 200),
  first_month date not null check (date_trunc('month', first_month::timestamp) = first_month)
    constraint client_fees_first_month_calendar check (first_month between '1900-01-01' and '2999-12-31'),
  amount numeric(15, 2) not null check (amount between 0 and 1000000000000),
  set_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
    constraint client_fees_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  primary key (client_id, number)
);
create index client_fees_set_by_idx on public.client_fees (set_by);
grant select on public.client_fees to authenticated;
grant all on public.client_fees to service_role;
alter table public.client_fees enable row level security;
create policy "Admins read all fees" on public.client_fees for select to authenticated using ((select private.is_admin()));
create policy "Approvers read the fees of their clients" on public.client_fees for select to authenticated
  using (client_id in (select private.clients_read_by_approver()));
create policy "Team members read the fees of their clients" on public.client_fees for select to authenticated
  using (client_id in (select private.clients_of_team_member()));

create trigger reject_impersonated_writes before insert or update or delete on public.client_fees
  for each statement execute function private.reject_impersonated_writes();

-- Sets the monthly fee from a month on, as the client's team. `_expected_number` is the number of the latest change
-- that the caller read, 0 for none.
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
grant execute on function public.set_client_fee to authenticated, service_role;

-- Lists the changes of a client's fee, latest first, for its team and approvers. Members do not see addresses of
-- people.
create function public.list_client_fees(_client_id uuid) returns table (
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
grant execute on function public.list_client_fees to authenticated, service_role;

-- Returns the fee for a range of days, by the share of days in each month, and the first of the days with a fee. Null
-- without a fee.
create function private.fee_of_period(_client_id uuid, _from date, _until date, out fee numeric, out since date)
language sql stable security definer set search_path = '' as $$
  select
    round(sum(
      latest.amount * (least(_until, month.last_day) - greatest(_from, month.first_day) + 1)
        / (month.last_day - month.first_day + 1)
    ), 2),
    min(greatest(_from, month.first_day))
  from (
      select day::date as first_day, (day + interval '1 month - 1 day')::date as last_day
      from generate_series(date_trunc('month', _from::timestamp), _until::timestamp, interval '1 month') as day
    ) as month
    cross join lateral (
      select amount from public.client_fees
      where client_id = _client_id and first_month <= month.first_day order by first_month desc, number desc limit 1
    ) as latest
  where latest.amount > 0
$$;

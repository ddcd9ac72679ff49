-- A call belongs to who follows up the lead of the person that booked it. Team members read all leads already.
create policy "Team members read the calls of their leads" on public.bookings for select to authenticated
  using (
    (select private.is_team())
    and lower(email) in (
      select lower(lead.email) from public.leads as lead
      where lead.owner_id = (select private.user_id()) and lead.email <> ''
    )
  );

-- Lists the calls that the asker has booked with an address that they have shown to be theirs, the next first. The token
-- that moves and cancels a call stays in the mail.
create function public.my_calls()
returns table (id uuid, starts_at timestamptz, ends_at timestamptz, service text)
language sql stable security definer set search_path = ''
as $$
  select booking.id, booking.starts_at, booking.ends_at, booking.service
  from public.bookings as booking
  where booking.state = 'booked' and booking.ends_at > now() and lower(booking.email) in (
    select proven.address from private.proven_addresses as proven join auth.users on users.id = proven.user_id
    where proven.user_id = (select private.user_id()) and proven.address = users.email
  )
  order by booking.starts_at limit 20
$$;
revoke all on function public.my_calls() from public, anon, authenticated;
grant execute on function public.my_calls() to authenticated;

-- Counts the badges of the admin sidebar in one call. Policies apply, so rows that the caller cannot read are not
-- counted. Questions are only reported as present or not, because similar ones are grouped elsewhere.
create function public.count_pending_tasks(
  _from timestamptz, _to timestamptz, out leads integer, out calls integer, out releases integer, out checks integer,
  out registrations integer, out has_questions boolean
) returns record language sql stable set search_path = '' as $$
  select
    (select count(*)::integer from public.leads where status = 'new'),
    (select count(*)::integer from public.bookings where state = 'booked' and starts_at < _to and ends_at > greatest(_from, now())),
    (select count(*)::integer from public.releases
      where published_at is null and (failure is not null or publish_at < _to)),
    (select count(*)::integer from public.assistant_checks where not passed),
    (select count(*)::integer from public.user_roles where role = 'team' and not approved),
    exists (select from public.unanswered_questions where dismissed_at is null)
$$;
grant execute on function public.count_pending_tasks to authenticated, service_role;
comment on function public.count_pending_tasks is
  'Counts new leads, calls that are not over, releases that failed or are due, failed checks of the assistant, and people who ask to join the team.';

-- Articles show the day of their date in the zone of the agency's bookings instead of a constant. Visitors read the zone
-- from a setting that the database writes by itself. The sheet of a report shows its day in the zone of its client.

create policy "Visitors read the time zone of the site" on public.site_settings
  for select to anon, authenticated using (setting_key = 'site_time_zone');

create function private.state_booking_zone() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.setting_value := coalesce((select time_zone from public.booking_rules limit 1), 'Europe/Oslo');
  return new;
end
$$;

revoke all on function private.state_booking_zone() from public;

create trigger state_booking_zone before insert or update on public.site_settings
  for each row when (new.setting_key = 'site_time_zone') execute function private.state_booking_zone();

create function private.publish_booking_zone() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.site_settings (setting_key) values ('site_time_zone')
    on conflict (setting_key) do update set setting_value = excluded.setting_value
    where site_settings.setting_value <> excluded.setting_value;
  return null;
end
$$;

revoke all on function private.publish_booking_zone() from public;

create trigger publish_booking_zone after insert or delete or update of time_zone on public.booking_rules
  for each row execute function private.publish_booking_zone();

insert into public.site_settings (setting_key) select 'site_time_zone' from public.booking_rules
  on conflict (setting_key) do update set setting_value = excluded.setting_value;

create or replace function public.client_report(_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _report public.client_reports;
  _stored jsonb;
  _client public.clients;
  _works_for boolean;
begin
  select * into _report from public.client_reports
  where id = _id and (
    private.is_admin() or client_id in (select private.clients_of_team_member())
    or sent_at is not null and client_id in (select private.clients_of_member())
  );
  if not found then
    return null;
  end if;
  _works_for := private.is_admin() or _report.client_id in (select private.clients_of_team_member());
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
      where client_id = _client.id and corrects = _report.id and (_works_for or sent_at is not null)
    ),
    'approved_by', (
      select coalesce(nullif(private.name_of(raw_user_meta_data), ''), case when _works_for then email end, '')
      from auth.users where id = _report.approved_by
    ),
    'may_change', _works_for and _report.sent_at is null,
    'by_model', case when _works_for and _report.sent_at is null then (
      select jsonb_build_object('state', asked.state, 'left_out', asked.left_out) from private.asked_summaries as asked
      where asked.client_id = _client.id and asked.report_id = _report.id
    ) end,
    'seal', case when _works_for then private.report_hash(_report) end,
    'is_summary_current', _report.summary = '' or _report.figures = _stored
  );
end
$function$;

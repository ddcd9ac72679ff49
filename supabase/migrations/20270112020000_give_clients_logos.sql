-- Gives a client a logo: one of its pictures, which stands at the head of its rooms and on its reports. Those who work for the
-- client choose it.
alter table public.client_files add unique (client_id, object_name);
alter table public.clients
  add column logo text,
  -- Of the client's own files only.
  add foreign key (id, logo) references public.client_files (client_id, object_name) on delete set null (logo);
create index clients_logo_idx on public.clients (id, logo) where logo is not null;

-- Chooses a picture among the files of a client as its logo; without one it has none any more.
create function public.set_client_logo(_client_id uuid, _file_id uuid default null) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  _object_name text;
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only those who work for this client may choose its logo' using errcode = '42501';
  end if;
  if _file_id is not null then
    select object_name into _object_name from public.client_files
    where client_id = _client_id and id = _file_id and mimetype like 'image/%';
    if not found then
      raise exception 'A logo is one of the pictures of this client.' using errcode = 'P0001';
    end if;
  end if;
  update public.clients set logo = _object_name where id = _client_id;
end
$$;
revoke all on function public.set_client_logo(uuid, uuid) from public, anon, authenticated;
grant execute on function public.set_client_logo(uuid, uuid) to authenticated, service_role;

create or replace function public.client_report(_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  _report public.client_reports;
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
  select * into _client from public.clients where id = _report.client_id;
  return jsonb_build_object(
    'client_id', _client.id, 'logo', _client.logo, 'client', _report.figures -> 'client' ->> 'name', 'span', _report.span,
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
    'seal', case when _works_for then private.report_hash(_report) end,
    'is_current', _report.sent_at is not null or _works_for
      and _report.figures = private.report_figures(_client, _report.span, _report.first_day, _report.last_day)
  );
end
$$;

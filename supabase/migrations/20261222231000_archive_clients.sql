-- Everything of a client for its people and those who work for it, by parts and pages, for the archive that the browser makes.
-- Nothing is in it that they do not read on their screens: no drafts, to the client no addresses of people, and of addresses to
-- leave alone the hint.

-- Lists a part from a row on, at most a page of it: 'campaigns', 'figures', 'imports', 'approvals' (each version with its
-- decision), 'meetings', 'leave_alone' or 'reports'. A page that is empty is the end.
create function public.client_archive(_client_id uuid, _part text, _offset integer default 0) returns setof jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  _works_for constant boolean := private.works_for_client(_client_id);
  _from constant integer := greatest(_offset, 0);
begin
  case _part
    when 'campaigns' then return query
      select jsonb_build_object('name', name, 'channel', channel, 'phase', phase, 'next_step', next_step, 'due_on', due_on,
        'added_at', created_at, 'changed_at', updated_at, 'id', id)
      from public.campaigns where client_id = _client_id and deleted_at is null order by name, id limit 1000 offset _from;
    when 'figures' then return query
      select jsonb_build_object('campaign', campaigns.name, 'metric', metric, 'first_day', first_day, 'last_day', last_day,
        'value', value, 'import', batch_id)
      from public.campaign_figures as figures
        join public.campaigns on campaigns.client_id = figures.client_id and campaigns.id = figures.campaign_id
      where figures.client_id = _client_id and replaced_by is null
      order by campaign_id, metric, first_day limit 5000 offset _from;
    when 'imports' then return query
      select jsonb_build_object('id', batch.id, 'file', file_name, 'sha256', file_hash, 'new', new_count, 'changed', changed_count,
        'same', same_count, 'refused', refused_count, 'by', private.shown_name(imported_by, _works_for), 'at', batch.created_at,
        'undone_at', undone_at)
      from public.import_batches as batch where client_id = _client_id
      order by batch.created_at, batch.id limit 1000 offset _from;
    when 'approvals' then return query
      select jsonb_build_object('title', title, 'version', version.number, 'text', text, 'due_on', due_on,
        'asked_by', private.shown_name(asked_by, _works_for), 'asked_at', version.created_at, 'decision', verdict,
        'comment', comment, 'decided_by', private.shown_name(decided_by, _works_for), 'decided_at', decision.created_at,
        'approval', version.approval_id)
      from public.approval_versions as version
        join public.approvals on approvals.client_id = version.client_id and approvals.id = version.approval_id
        left join public.approval_decisions as decision on decision.client_id = version.client_id
          and decision.approval_id = version.approval_id and decision.number = version.number
      where version.client_id = _client_id
      order by approvals.created_at, version.approval_id, version.number limit 200 offset _from;
    when 'meetings' then return query
      select jsonb_build_object('starts_at', starts_at, 'with', met_with, 'outcome', outcome, 'evidence', evidence,
        'answer', answer, 'reason', reason, 'answered_by', private.shown_name(answered_by, _works_for),
        'answered_at', answered_at, 'answer_until', answer_until)
      from public.client_meetings where client_id = _client_id order by starts_at, id limit 1000 offset _from;
    when 'leave_alone' then return query
      select jsonb_build_object('kind', kind, 'entry', hint, 'added_at', created_at)
      from public.do_not_contact where client_id = _client_id order by created_at, id limit 1000 offset _from;
    when 'reports' then return query
      select jsonb_build_object('name', first_day || '-' || span || case when corrects is null then '' else '-correction' end,
        'hash', hash, 'sent_at', sent_at, 'document', private.report_document(client_reports), 'id', id)
      from public.client_reports where client_id = _client_id and sent_at is not null order by sent_at, id
      limit 100 offset _from;
    else raise exception 'There is no such part of the archive.' using errcode = '22023';
  end case;
end
$$;
revoke all on function public.client_archive(uuid, text, integer) from public, anon, authenticated;
grant execute on function public.client_archive(uuid, text, integer) to authenticated, service_role;

-- Returns the name of a person as the archive tells it: with the address only to those who work for the client.
create function private.shown_name(_person uuid, _with_address boolean) returns text
language sql stable security definer set search_path = ''
as $$
  select coalesce(nullif(private.name_of(raw_user_meta_data), ''), case when _with_address then email end, '')
  from auth.users where id = _person
$$;
revoke all on function private.shown_name(uuid, boolean) from public;

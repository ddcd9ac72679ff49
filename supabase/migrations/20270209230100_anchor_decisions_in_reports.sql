-- A report lists the decisions of the client that no report before it lists, with the SHA-256 of what was decided. Its own
-- hash is in its mail, so the mail proves the files and texts in the archive of the client, not the report alone.

-- Null in drafts, and in reports that were sent before this migration: their hashes must not change.
alter table public.client_reports add column decisions jsonb;

create function private.approval_version_hash(_version public.approval_versions, _file_sha256 text) returns text
language sql immutable set search_path = '' as $$
  select case when _version.file_id is null then encode(sha256(convert_to(_version.text, 'UTF8')), 'hex') else _file_sha256 end
$$;

revoke all on function private.approval_version_hash(public.approval_versions, text) from public;

-- By what is listed, not by time: a decision may be committed after a report whose time is later.
create function private.unreported_decisions(_client_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'approval', version.approval_id, 'version', version.number, 'decision', decision.verdict,
    'decided_at', to_char(decision.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    'sha256', private.approval_version_hash(version, decision.file_sha256)
  ) order by decision.created_at, version.approval_id, version.number), '[]')
  from public.approval_decisions as decision join public.approval_versions as version
    on version.client_id = decision.client_id and version.approval_id = decision.approval_id and version.number = decision.number
  where decision.client_id = _client_id and not exists (
    select from public.client_reports as report
    where report.client_id = _client_id and report.sent_at is not null
      and report.decisions @> jsonb_build_array(jsonb_build_object('approval', version.approval_id, 'version', version.number))
  )
$$;

revoke all on function private.unreported_decisions(uuid) from public;

create or replace function private.report_document(_report client_reports)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_pretty(jsonb_build_object(
    'report', _report.id, 'client', _report.client_id, 'span', _report.span, 'first_day', _report.first_day,
    'last_day', _report.last_day, 'figures', _report.figures, 'summary', _report.summary, 'corrects', _report.corrects,
    'previous', _report.previous_hash,
    'approved_at', to_char(_report.sent_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
  ) || case when _report.decisions is null then '{}' else jsonb_build_object('decisions', _report.decisions) end)
$function$;

create or replace function public.approve_client_report(_client_id uuid, _id uuid, _seal text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  _draft constant public.client_reports := private.lock_report_draft(_client_id, _id);
  _report public.client_reports := private.with_current_figures(_draft);
begin
  if _report.discarded_at is not null then
    raise exception 'This draft was set aside.' using errcode = 'P0001';
  elsif private.report_hash(_report) is distinct from _seal then
    raise exception 'The report has changed meanwhile. Please read it again.' using errcode = 'P0001';
  elsif _report.summary <> '' and _report.figures <> _draft.figures then
    raise exception 'The figures changed after the summary was saved. Check the summary and save it again.'
      using errcode = 'P0001';
  end if;
  _report.approved_by := private.user_id();
  -- After the lock on the client, so that reports have one order.
  _report.sent_at := clock_timestamp();
  _report.previous_hash := (
    select hash from public.client_reports where client_id = _client_id and sent_at is not null order by sent_at desc limit 1
  );
  _report.decisions := private.unreported_decisions(_client_id);
  _report.hash := private.report_hash(_report);
  update public.client_reports set
    figures = _report.figures, approved_by = _report.approved_by, sent_at = _report.sent_at,
    previous_hash = _report.previous_hash, decisions = _report.decisions, hash = _report.hash
  where client_id = _client_id and id = _id;
  perform private.tell_client_of_report(_report);
  return _report.hash;
end
$function$;

create or replace function public.client_archive(_client_id uuid, _part text, _offset integer DEFAULT 0)
 RETURNS SETOF jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
      from private.counted_figures as figures
        left join public.campaigns on campaigns.client_id = figures.client_id and campaigns.id = figures.campaign_id
      where figures.client_id = _client_id
      order by campaign_id, metric, first_day, batch_id limit 5000 offset _from;
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
        'approval', version.approval_id, 'sha256', private.approval_version_hash(version, decision.file_sha256))
      from public.approval_versions as version
        join public.approvals on approvals.client_id = version.client_id and approvals.id = version.approval_id
        left join public.approval_decisions as decision on decision.client_id = version.client_id
          and decision.approval_id = version.approval_id and decision.number = version.number
      where version.client_id = _client_id
      order by approvals.created_at, version.approval_id, version.number limit 200 offset _from;
    when 'meetings' then return query
      select jsonb_build_object('booked_on', booked_on, 'starts_at', starts_at, 'with', met_with, 'campaign', campaigns.name, 'outcome', outcome, 'evidence', evidence,
        'answer', answer, 'reason', reason, 'answered_by', private.shown_name(answered_by, _works_for),
        'answered_at', answered_at, 'answer_until', answer_until)
      from public.client_meetings as meeting
        left join public.campaigns on campaigns.client_id = meeting.client_id and campaigns.id = meeting.campaign_id
      where meeting.client_id = _client_id order by booked_on, meeting.id limit 1000 offset _from;
    when 'leave_alone' then return query
      select jsonb_build_object('kind', kind, 'entry', hint, 'added_at', created_at)
      from public.do_not_contact where client_id = _client_id order by created_at, id limit 1000 offset _from;
    when 'figures_on_the_site' then return query
      select jsonb_build_object('figure', private.quote_in_words(quote), 'page', coalesce(projects.title, 'a page that was deleted'),
        'asked_by', private.shown_name(asked_by, _works_for), 'asked_at', asked_at, 'answer', answer,
        'answered_by', private.shown_name(answered_by, _works_for), 'answered_at', answered_at,
        'withdrawn_by', private.shown_name(withdrawn_by, _works_for), 'withdrawn_at', withdrawn_at, 'ended_at', ended_at,
        'quote', quote.id)
      from public.figure_quotes as quote left join public.projects on projects.id = quote.project_id
      where quote.client_id = _client_id order by quote.asked_at, quote.id limit 200 offset _from;
    when 'reports' then return query
      select jsonb_build_object('name', first_day || '-' || span || case when corrects is null then '' else '-correction' end,
        'hash', hash, 'sent_at', sent_at, 'document', private.report_document(client_reports), 'id', id)
      from public.client_reports where client_id = _client_id and sent_at is not null order by sent_at, id
      limit 100 offset _from;
    else raise exception 'There is no such part of the archive.' using errcode = '22023';
  end case;
end
$function$;

-- Puts what a client was asked to say yes to on the site, and what it said, into its archive; a question that waits counts as
-- waiting for the client on the team's screen, as on the client's own.
create or replace function public.client_archive(_client_id uuid, _part text, _offset integer default 0) returns setof jsonb
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
$$;

create or replace function public.team_overview() returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', clients.id, 'name', clients.name, 'domain', clients.domain, 'time_zone', clients.time_zone,
    'first_weekday', clients.first_weekday,
    'is_running', exists (select from public.campaigns where client_id = clients.id and phase = 'running'),
    'latest', (
      select max(last_day) from public.campaign_figures
      where client_id = clients.id and replaced_by is null and first_day >= (
        select max(first_day) - 6 from public.campaign_figures where client_id = clients.id and replaced_by is null
      )
    ),
    'waits_for_client', texts.open + meetings.open + quotes.open, 'due_on', texts.due_on,
    'waits_for_us', texts.refused + meetings.disputed, 'unread', texts.unread,
    'read_at', (select max(last_at) from public.client_reads where client_id = clients.id and what = 'rooms')
  ) order by clients.name, clients.id), '[]')
  from public.clients
    cross join lateral (
      select count(*) filter (where decision.number is null) as open,
        count(*) filter (where decision.verdict in ('no', 'changes')) as refused,
        min(version.due_on) filter (where decision.number is null) as due_on,
        count(*) filter (
          where decision.number is null and version.created_at < now() - interval '7 days'
            and exists (select from public.client_members where client_id = clients.id)
            and not exists (
              select from public.client_reads as noted
              where noted.client_id = clients.id and noted.what = 'approval' and noted.item_id = approval.id
                and noted.last_at >= version.created_at
            )
        ) as unread
      from public.approvals as approval
        join lateral (
          select * from public.approval_versions as any_version
          where any_version.client_id = clients.id and any_version.approval_id = approval.id
          order by any_version.number desc limit 1
        ) as version on true
        left join public.approval_decisions as decision
          on decision.client_id = clients.id and decision.approval_id = approval.id and decision.number = version.number
      where approval.client_id = clients.id
    ) as texts
    cross join lateral (
      select count(*) filter (where answer is null and answer_until > now()) as open,
        count(*) filter (where answer = 'disputed') as disputed
      from public.client_meetings where client_id = clients.id
    ) as meetings
    cross join lateral (
      select count(*) as open from public.figure_quotes as quote join public.projects on projects.id = quote.project_id
      where quote.client_id = clients.id and quote.answer is null and quote.ended_at is null
    ) as quotes
  where (select private.is_admin()) or clients.id in (select private.clients_of_team_member())
$$;

-- The list of what a client is asked to approve says also of what kind each is and who worded it.

drop function public.list_approvals(uuid, integer, integer);

-- Lists what a client is asked to approve, with the newest version of each and the one before: first what waits, by the day on
-- which it is due, then what was decided, the latest first. To the client no address of a person is told.
create function public.list_approvals(_client_id uuid, _limit integer default 24, _offset integer default 0)
returns table (
  id uuid, kind text, title text, number integer, text text, former_text text, is_wording boolean, row_count integer,
  veto_count integer, file jsonb, comment_count integer, due_on date, asked_by text, asked_at timestamptz, verdict text, comment text, decided_by text,
  decided_at timestamptz, may_withdraw boolean, waiting integer, total integer
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  _works_for constant boolean := private.works_for_client(_client_id);
begin
  return query
    with newest as (
      select approval.id, approval.kind, approval.title, version.number, version.text, version.is_wording, version.file_id, version.due_on, version.asked_by,
        version.created_at as asked_at, decision.verdict, decision.comment, decision.decided_by,
        decision.created_at as decided_at
      from public.approvals as approval
        join lateral (
          select * from public.approval_versions as any_version
          where any_version.client_id = _client_id and any_version.approval_id = approval.id
          order by any_version.number desc limit 1
        ) as version on true
        left join public.approval_decisions as decision
          on decision.client_id = _client_id and decision.approval_id = approval.id and decision.number = version.number
      where approval.client_id = _client_id
    ), shown as (
      select *, count(*) over ()::integer as total, count(*) filter (where newest.verdict is null) over ()::integer as waiting
      from newest
      order by newest.verdict is not null, newest.decided_at desc, newest.due_on nulls last, newest.asked_at, newest.id
      limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0)
    )
    select shown.id, shown.kind, shown.title, shown.number, shown.text, former.text, shown.is_wording,
      (
        select count(*)::integer from public.approval_rows as item
        where item.client_id = _client_id and item.approval_id = shown.id and item.number = shown.number
      ),
      (
        select count(*)::integer from public.approval_vetoes as veto
        where veto.client_id = _client_id and veto.approval_id = shown.id and veto.number = shown.number
      ),
      (
        select jsonb_build_object('object_name', file.object_name, 'name', file.name, 'mimetype', file.mimetype, 'size', file.size)
        from public.client_files as file where file.client_id = _client_id and file.id = shown.file_id
      ),
      (
        select count(*)::integer from public.approval_comments as comment
        where comment.client_id = _client_id and comment.approval_id = shown.id
      ),
      shown.due_on,
      coalesce(nullif(private.name_of(asker.raw_user_meta_data), ''), case when _works_for then asker.email end, '')::text,
      shown.asked_at, shown.verdict, shown.comment,
      coalesce(nullif(private.name_of(decider.raw_user_meta_data), ''), case when _works_for then decider.email end, '')::text,
      shown.decided_at,
      _works_for and not exists (
        select from public.approval_decisions as any_decision
        where any_decision.client_id = _client_id and any_decision.approval_id = shown.id
      ),
      shown.waiting, shown.total
    from shown
      left join public.approval_versions as former
        on former.client_id = _client_id and former.approval_id = shown.id and former.number = shown.number - 1
      left join auth.users as asker on asker.id = shown.asked_by
      left join auth.users as decider on decider.id = shown.decided_by
    order by shown.verdict is not null, shown.decided_at desc, shown.due_on nulls last, shown.asked_at, shown.id;
end
$$;
revoke all on function public.list_approvals(uuid, integer, integer) from public, anon, authenticated;
grant execute on function public.list_approvals(uuid, integer, integer) to authenticated, service_role;

-- Reads figures with their sources. The sums follow the policies of whoever asks. A week counts where it begins.

-- Lists the latest fifty imports of a client with the names of those who made them; to the client no address is told.
create function public.client_imports(_client_id uuid) returns table (
  id uuid, file_name text, file_hash text, column_map jsonb, new_count integer, changed_count integer, same_count integer,
  refused_count integer, imported_by text, created_at timestamptz, undone_at timestamptz
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  _works_for constant boolean := private.is_admin() or _client_id in (select private.clients_of_team_member());
begin
  if not (_works_for or _client_id in (select private.clients_of_member())) then
    raise exception 'Only the people of this client may do this' using errcode = '42501';
  end if;
  return query
    select batches.id, batches.file_name, batches.file_hash, batches.column_map, batches.new_count, batches.changed_count,
      batches.same_count, batches.refused_count,
      coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), case when _works_for then users.email end, '')::text,
      batches.created_at, batches.undone_at
    from public.import_batches as batches left join auth.users on users.id = batches.imported_by
    where batches.client_id = _client_id order by batches.created_at desc, batches.id limit 50;
end
$$;
revoke all on function public.client_imports(uuid) from public, anon, authenticated;
grant execute on function public.client_imports(uuid) to authenticated, service_role;

-- Adds up the figures of a client over its campaigns, by metric and period, for periods that begin from _from to _until.
create function public.figure_sums(_client_id uuid, _from date, _until date)
returns table (metric text, first_day date, last_day date, value bigint)
language sql stable set search_path = ''
as $$
  select metric, first_day, last_day, sum(value)::bigint from public.campaign_figures
  where client_id = _client_id and first_day between _from and _until and replaced_by is null
  group by metric, first_day, last_day order by metric, first_day
$$;
revoke all on function public.figure_sums(uuid, date, date) from public, anon, authenticated;
grant execute on function public.figure_sums(uuid, date, date) to authenticated, service_role;

-- Lists the figures behind a sum, by campaign, each with the id of its import, and those imports:
-- {"campaigns": [{"id", "name", "rows": [{"first_day", "last_day", "value", "batch"}]}], "imports": [{"id", "file_name",
-- "created_at", "imported_by"}]}. One value, because a sum must never be shown with a page of its rows.
create function public.figures_behind(_client_id uuid, _metric text, _from date, _until date) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  _works_for constant boolean := private.is_admin() or _client_id in (select private.clients_of_team_member());
begin
  if not (_works_for or _client_id in (select private.clients_of_member())) then
    raise exception 'Only the people of this client may do this' using errcode = '42501';
  end if;
  return (
    with figures as (
      select * from public.campaign_figures
      where client_id = _client_id and metric = _metric and first_day between _from and _until and replaced_by is null
    )
    select jsonb_build_object('campaigns', coalesce((
      select jsonb_agg(jsonb_build_object('id', campaigns.id, 'name', campaigns.name, 'rows', rows) order by campaigns.name)
      from (
        select campaign_id, jsonb_agg(jsonb_build_object(
          'first_day', first_day, 'last_day', last_day, 'value', value, 'batch', batch_id
        ) order by first_day) from figures group by campaign_id
      ) as grouped (campaign_id, rows)
      join public.campaigns on campaigns.client_id = _client_id and campaigns.id = grouped.campaign_id
    ), '[]'), 'imports', coalesce((
      select jsonb_agg(jsonb_build_object('id', batches.id, 'file_name', file_name, 'created_at', batches.created_at,
        'imported_by', coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), case when _works_for then users.email end, '')))
      from public.import_batches as batches left join auth.users on users.id = batches.imported_by
      where batches.client_id = _client_id and batches.id in (select batch_id from figures)
    ), '[]'))
  );
end
$$;
revoke all on function public.figures_behind(uuid, text, date, date) from public, anon, authenticated;
grant execute on function public.figures_behind(uuid, text, date, date) to authenticated, service_role;

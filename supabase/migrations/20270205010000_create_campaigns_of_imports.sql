-- An import creates the campaigns of its file that the client does not have, where the person said so. A trial creates them too,
-- so that their lines are judged like all others, and takes them back.
create or replace function public.import_figures(_client_id uuid, _file jsonb, _rows jsonb, _is_trial boolean)
returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  _client constant public.clients := private.lock_client_of_worker(_client_id);
  _batch_id constant uuid := gen_random_uuid();
  _judged private.judged_figure[];
  _answer jsonb;
begin
  if jsonb_typeof(_rows) is distinct from 'array' or jsonb_array_length(_rows) > 20000 then
    raise exception 'A file has at most 20,000 lines.' using errcode = '22023';
  end if;
  if _file ->> 'period' is null or _file ->> 'period' not in ('day', 'week') then
    raise exception 'The figures of a file are those of days or of weeks.' using errcode = '22023';
  end if;
  if jsonb_typeof(_file -> 'campaigns') = 'array' and jsonb_array_length(_file -> 'campaigns') > 50 then
    raise exception 'An import creates at most 50 campaigns.' using errcode = '22023';
  end if;
  begin
    insert into public.campaigns (client_id, id, name, channel, phase)
    select _client_id, id, trim(name), channel, 'running'
    from jsonb_to_recordset(coalesce(_file -> 'campaigns', '[]')) as created (id uuid, name text, channel text);
    _judged := array(
      select judged from private.judge_figures(_client, case _file ->> 'period' when 'week' then 6 else 0 end, _rows) as judged
    );
    _answer := private.sum_up_judgement(_judged);
    if _is_trial or (_answer ->> 'new')::integer + (_answer ->> 'changed')::integer = 0 then
      -- Takes the new campaigns back. Variables keep their values.
      raise exception using errcode = 'SF001';
    end if;
  exception when sqlstate 'SF001' then
    null;
  end;
  if not _is_trial then
    perform private.keep_totals(_client_id, _file ->> 'name', _judged);
  end if;
  if _is_trial or (_answer ->> 'new')::integer + (_answer ->> 'changed')::integer = 0 then
    return _answer;
  end if;
  insert into public.import_batches (
    client_id, id, file_name, file_hash, column_map, new_count, changed_count, same_count, refused_count, imported_by
  ) values (
    _client_id, _batch_id, _file ->> 'name', _file ->> 'hash', _file -> 'column_map', (_answer ->> 'new')::integer,
    (_answer ->> 'changed')::integer, (_answer ->> 'same')::integer,
    (_answer ->> 'refused')::integer + coalesce((_file ->> 'refused')::integer, 0), private.user_id()
  );
  update public.campaign_figures as former set replaced_by = _batch_id
  from unnest(_judged) as judged
  where judged.reason is null and judged.before <> judged.value and former.replaced_by is null
    and former.client_id = _client_id and former.campaign_id = judged.campaign_id and former.metric = judged.metric
    and former.first_day = judged.first_day;
  insert into public.campaign_figures (client_id, batch_id, campaign_id, metric, first_day, last_day, value)
  select _client_id, _batch_id, campaign_id, metric, first_day, last_day, value
  from unnest(_judged) where reason is null and before is distinct from value;
  return _answer || jsonb_build_object('batch', _batch_id);
end
$$;

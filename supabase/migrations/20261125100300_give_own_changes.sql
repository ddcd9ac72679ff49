-- What somebody changed of the content belongs to their data; what it says belongs to the site. When their account goes,
-- history forgets who it was (the foreign keys of content_versions and deleted_content).

alter function private.data_of(uuid, boolean) rename to data_without_changes_of;

create function private.data_of(_user_id uuid, _with_chats boolean) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select private.data_without_changes_of(_user_id, _with_chats) || jsonb_build_object(
    'changes_of_content', coalesce((
      select jsonb_agg(
        jsonb_build_object('at', created_at, 'kind', kind, 'item', item_id, 'action', action) order by created_at
      )
      from public.content_versions where author_id = person.id
    ), '[]')
  )
  from auth.users as person where person.id = _user_id
$$;
revoke all on function private.data_of(uuid, boolean) from public;

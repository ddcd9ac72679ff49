-- Leads and subscriptions are among what names a person: in their data, and gone when they are deleted, or when nobody has
-- touched a lead for as long as chats are kept. What others add to these functions stays, because each wraps what was there.

create function private.leads_of(_email text) returns setof public.leads
language sql stable security definer set search_path = ''
as $$
  select * from public.leads where _email <> '' and lower(email) = lower(_email)
$$;
revoke all on function private.leads_of(text) from public;

alter function private.data_of(uuid, boolean) rename to data_without_leads_of;

-- As chats, they are found by the address, so they go with the chats: to whoever has proven that it is theirs.
create function private.data_of(_user_id uuid, _with_chats boolean) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select private.data_without_leads_of(_user_id, _with_chats) || jsonb_build_object(
    'leads', case when _with_chats then coalesce((
      select jsonb_agg(jsonb_build_object(
        'source', source, 'name', name, 'email', email, 'phone', phone, 'call_time', call_time, 'message', message,
        'page', page, 'service', service, 'status', status, 'note', note, 'created_at', created_at,
        'updated_at', updated_at
      ) order by created_at)
      from private.leads_of(person.email)
    ), '[]') end,
    'newsletter', case when _with_chats then coalesce((
      select jsonb_agg(jsonb_build_object('email', email, 'created_at', created_at, 'confirmed_at', confirmed_at))
      from public.newsletter_subscribers where lower(email) = lower(person.email)
    ), '[]') end
  )
  from auth.users as person where person.id = _user_id
$$;
revoke all on function private.data_of(uuid, boolean) from public;

alter function private.forget_person(uuid, boolean) rename to forget_person_without_leads;

create function private.forget_person(_user_id uuid, _with_chats boolean) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  _email constant text := coalesce((select lower(email) from auth.users where id = _user_id), '');
begin
  if _with_chats and _email <> '' then
    delete from public.leads where lower(email) = _email
      -- Made of a chat that goes too.
      or conversation_id in (select private.chats_naming(_email));
    delete from public.newsletter_subscribers where lower(email) = _email;
  end if;
  perform private.forget_person_without_leads(_user_id, _with_chats);
end
$$;
revoke all on function private.forget_person(uuid, boolean) from public;

-- How many leads go with an account.
create function public.count_leads_of(_user_id uuid) returns integer
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return (select count(*) from auth.users, private.leads_of(users.email) where users.id = _user_id);
end
$$;
revoke all on function public.count_leads_of(uuid) from public, anon, authenticated;
grant execute on function public.count_leads_of(uuid) to authenticated;

alter function private.delete_expired_conversations() rename to delete_expired_chats;

-- Run once a day. @returns how many conversations were deleted
create function private.delete_expired_conversations() returns integer
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.leads
    where updated_at < now() - make_interval(days => greatest(1, private.number_setting('chat_retention_days', 365)));
  -- Who never confirmed.
  delete from public.newsletter_subscribers where confirmed_at is null and requested_at < now() - interval '7 days';
  delete from public.lead_webhook_deliveries where status <> 'waiting' and created_at < now() - interval '30 days';
  return private.delete_expired_chats();
end
$$;
revoke all on function private.delete_expired_conversations() from public;

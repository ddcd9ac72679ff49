-- Applications that people let in act for them on tables, and change nothing about accounts (docs/decisions/0041). Their
-- tokens say so in client_id. Every act on an account is noted, so this one place refuses them all.
create or replace function private.note_act(_action text, _person_id uuid, _role text default null) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.refuse_applications();
  insert into public.people_log (actor_id, person_id, action, role)
  values (private.user_id(), _person_id, _action, _role);
end
$$;

create function private.refuse_applications() returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if (select auth.jwt()) ->> 'client_id' is not null then
    raise exception 'Applications change nothing about accounts.' using errcode = '42501';
  end if;
end
$$;
revoke all on function private.refuse_applications() from public;

create or replace function public.my_data() returns jsonb
language plpgsql security definer set search_path = ''
as $$
begin
  if private.user_id() is null then
    raise exception 'Please sign in first.' using errcode = '42501';
  end if;
  perform private.refuse_applications();
  if not private.count_for_address('my data', private.client_address(), 30, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'That was a lot at once. Please wait an hour.';
  end if;
  return private.data_of(private.user_id(), private.has_proven_mailbox());
end
$$;

create or replace function public.end_my_session(_session_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.refuse_applications();
  delete from auth.sessions where id = _session_id and user_id = (select private.user_id());
  if not found then
    raise exception 'This session has ended already.';
  end if;
end
$$;

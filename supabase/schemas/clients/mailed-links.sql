-- Mailed links. With each, an approver can answer without signing in: decide on one approval version, set the status of
-- one lead, or report the result of one meeting. See approval-links.sql, lead-links.sql and result-links.sql.
create table private.mailed_links (
  -- SHA-256 of the token, which only the mail contains.
  token_hash text primary key check (token_hash ~ '^[0-9a-f]{64}$'),
  client_id uuid not null,
  approval_id uuid,
  -- Version of the approval, or number of the meeting's latest report that the recipient read, 0 for none.
  number integer,
  lead_id uuid,
  user_id uuid not null references auth.users (id) on delete cascade,
  -- SHA-256 of a secret in the browser that holds the link, so that a forwarded link shows nothing. An approval link is
  -- held by the browser that opened it first, the other links by the browser that answered first.
  holder_hash text check (holder_hash ~ '^[0-9a-f]{64}$'),
  -- The decision. The other links can be used several times.
  used_at timestamptz,
  expires_at timestamptz not null default (now() + '14 days'),
  address_hash text not null check (address_hash ~ '^[0-9a-f]{64}$'),
  meeting_id uuid,
  foreign key (client_id, approval_id, number)
    references public.approval_versions (client_id, approval_id, number) on delete cascade,
  foreign key (client_id, lead_id) references public.client_leads (client_id, id) on delete cascade,
  foreign key (client_id, meeting_id) references public.client_meetings (client_id, id) on delete cascade,
  foreign key (client_id, user_id) references public.client_members (client_id, user_id) on delete cascade,
  constraint mailed_links_subject_check1
    check (num_nonnulls(approval_id, lead_id, meeting_id) = 1 and (lead_id is null) = (number is not null))
);
create index mailed_links_version_idx on private.mailed_links (client_id, approval_id, number);
create index mailed_links_lead_idx on private.mailed_links (client_id, lead_id);
create index mailed_links_meeting_idx on private.mailed_links (client_id, meeting_id);
create index mailed_links_user_idx on private.mailed_links (user_id, client_id);
create index mailed_links_expires_idx on private.mailed_links (expires_at);
alter table private.mailed_links enable row level security;
comment on table private.mailed_links is 'Email links that open one approval version, one lead or one meeting for one approver.';

-- Finds and locks the link to an 'approval', a 'lead' or a 'result' for the browser that holds it. Recipients who lost
-- the right to answer have no link. Returns the refusal instead of raising it, because an exception would roll back the
-- count of attempts.
create function private.mailed_link_of(
  _token text, _holder text, _subject text, out link private.mailed_links, out refusal text
) returns record language plpgsql security definer set search_path = '' as $$
begin
  if not private.count_for_address(_subject || ' link', private.client_address(), 60, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'Too many attempts from your network. Try again in an hour, or sign in.';
  elsif coalesce(length(_holder), 0) not between 32 and 100 then
    raise exception 'The browser secret must have between 32 and 100 characters.' using errcode = '22023';
  end if;
  select found.* into link from private.mailed_links as found
  where found.token_hash = private.hash_of_link(left(_token, 200))
    and case _subject when 'lead' then found.lead_id when 'result' then found.meeting_id else found.approval_id end is not null
  for update;
  if link.token_hash is null or not private.is_mailed_link_live(link) then
    refusal := case _subject
      when 'lead' then 'This link has expired, or the lead was deleted. Sign in to see your leads.'
      when 'result' then 'This link has expired, or the result was reported in the meantime. Sign in to see your meetings.'
      else 'This link has expired. Sign in to see your open approvals.'
    end;
  elsif link.holder_hash <> private.hash_of_link(_holder) then
    refusal := 'This link was opened in another browser. Use that one, or sign in.';
  end if;
end
$$;

-- Returns true if the recipient may still use the link. A link to a meeting ends when someone else reports its result.
create function private.is_mailed_link_live(_link private.mailed_links) returns boolean
language sql stable security definer set search_path = '' as $$
  select _link.expires_at >= now() and exists (
    select from public.client_members as member
      join public.user_roles as roles on roles.user_id = member.user_id
      join auth.users as person on person.id = member.user_id
    where member.client_id = _link.client_id and member.user_id = _link.user_id and member.kind = 'approver'
      and roles.role = 'client' and roles.approved
      and coalesce(person.banned_until <= now(), true)
      and private.hash_of_link(_link.token_hash || lower(person.email)) = _link.address_hash
  ) and (_link.meeting_id is null or exists (
    select from public.client_meetings as meeting
    where meeting.client_id = _link.client_id and meeting.id = _link.meeting_id and meeting.outcome = 'held'
      and meeting.answer is distinct from 'disputed' and _link.number = (
        select coalesce(max(result.number), 0) from public.client_meeting_results as result
        where result.client_id = meeting.client_id and result.meeting_id = meeting.id
      )
  ))
$$;

create function private.hash_of_link(_secret text) returns text
language sql immutable set search_path = '' as $$ select encode(sha256(convert_to(_secret, 'UTF8')), 'hex') $$;

-- Returns the token of a new link.
create function private.new_link_token() returns text
language sql volatile set search_path = '' as $$ select replace(gen_random_uuid()::text || gen_random_uuid(), '-', '') $$;

-- Returns the name of the link's recipient, for the page of the link.
create function private.recipient_of_link(_link private.mailed_links) returns text
language sql stable security definer set search_path = '' as $$
  select coalesce(nullif(private.name_of(raw_user_meta_data), ''), email::text) from auth.users where id = _link.user_id
$$;

-- Expired links are kept for a month, so that their page can say that they have expired.
create function private.delete_old_mailed_links(_at_most integer default null) returns integer
language sql security definer set search_path = '' as $$
  with deleted as (
    delete from private.mailed_links where token_hash in (
      select token_hash from private.mailed_links
      where expires_at < now() - interval '30 days' order by expires_at limit _at_most
    ) returning 1
  )
  select count(*)::integer from deleted
$$;

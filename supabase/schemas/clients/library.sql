-- The team's library of proven texts, as a starting point for new ones. A text contains no client's name, so that it
-- can be used for every client. Only the functions below write texts, because they check this.
create table public.library_texts (
  id uuid primary key default gen_random_uuid(),
  title text not null check (length(trim(title)) between 1 and 200 and title !~ '[[:cntrl:]]'),
  subject text not null default '' check (length(subject) <= 200 and subject !~ '[[:cntrl:]]'),
  body text not null check (length(body) <= 20000 and body ~ '\S'),
  -- When to use the text.
  note text not null default '' check (length(note) <= 1000),
  -- The client that the text was written for. Not readable, because it would name the client.
  origin_id uuid references public.clients (id) on delete set null,
  created_by uuid references auth.users (id) on delete set null,
  changed_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
    constraint library_texts_created_at_calendar check (created_at between '1900-01-01' and '2999-12-31'),
  changed_at timestamptz not null default now()
    constraint library_texts_changed_at_calendar check (changed_at between '1900-01-01' and '2999-12-31')
);
create index library_texts_origin_idx on public.library_texts (origin_id);
create index library_texts_created_by_idx on public.library_texts (created_by);
create index library_texts_changed_by_idx on public.library_texts (changed_by);
grant select (id, title, subject, body, note, created_by, changed_by, created_at, changed_at), delete
  on public.library_texts to authenticated;
grant all on public.library_texts to service_role;
alter table public.library_texts enable row level security;
create policy "Team members and admins read the library" on public.library_texts for select to authenticated
  using ((select private.is_admin()) or (select private.is_team()));
create policy "Team members and admins delete texts of the library" on public.library_texts for delete to authenticated
  using ((select private.is_admin()) or (select private.is_team()));

create trigger reject_impersonated_writes before insert or update or delete on public.library_texts
  for each statement execute function private.reject_impersonated_writes();

-- Adds an approved text of a client. Returns its id. Throws if it contains the name of the client.
create function public.add_library_text(
  _client_id uuid, _approval_id uuid, _title text, _subject text, _body text, _note text
) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  _added uuid;
begin
  if not private.works_for_client(_client_id) then
    raise exception 'Only admins and assigned team members can save a text of this client' using errcode = '42501';
  elsif not exists (
    select from public.approvals as approval
      join public.approval_decisions as decision on decision.client_id = approval.client_id and decision.approval_id = approval.id
    where approval.client_id = _client_id and approval.id = _approval_id and approval.kind = 'text' and decision.verdict = 'yes'
  ) then
    raise exception 'Only texts that the client approved can be saved to the library.' using errcode = 'P0001';
  end if;
  perform private.require_no_client_name(_client_id, _title, _subject, _body, _note);
  -- Locks the table, so that concurrent calls cannot exceed the limit.
  lock table public.library_texts in share row exclusive mode;
  if (select count(*) from public.library_texts) >= 1000 then
    raise exception 'The library can have at most 1,000 texts. Delete some that you no longer use.' using errcode = 'P0001';
  end if;
  insert into public.library_texts (title, subject, body, note, origin_id, created_by, changed_by)
  values (trim(_title), trim(_subject), _body, trim(_note), _client_id, private.user_id(), private.user_id())
  returning id into _added;
  return _added;
end
$$;
grant execute on function public.add_library_text to authenticated, service_role;

-- Saves a text unless it has changed since `_read_at`. Throws if it contains the name of the client that it was written
-- for.
create function public.save_library_text(
  _id uuid, _read_at timestamptz, _title text, _subject text, _body text, _note text
) returns void language plpgsql security definer set search_path = '' as $$
declare
  _text public.library_texts;
begin
  if not (private.is_admin() or private.is_team()) then
    raise exception 'Only approved team members and admins can save texts to the library' using errcode = '42501';
  end if;
  select * into _text from public.library_texts where id = _id for update;
  if not found then
    raise exception 'This text is no longer in the library.' using errcode = 'P0001';
  elsif _text.changed_at is distinct from _read_at then
    raise exception 'Someone else has changed this text. Close the form and open it again to see the changes.' using errcode = 'P0001';
  end if;
  perform private.require_no_client_name(_text.origin_id, _title, _subject, _body, _note);
  update public.library_texts set title = trim(_title), subject = trim(_subject), body = _body, note = trim(_note),
    changed_by = private.user_id(), changed_at = clock_timestamp()
  where id = _id;
end
$$;
grant execute on function public.save_library_text to authenticated, service_role;

-- Lists the texts of the library that contain `_search`, most recently changed first, with their total number.
create function public.list_library_texts(_search text default '', _limit integer default 24, _offset integer default 0)
returns table (
  id uuid, title text, subject text, body text, note text, changed_by text, changed_at timestamptz, total integer
) language plpgsql stable security definer set search_path = '' as $$
begin
  if not (private.is_admin() or private.is_team()) then
    raise exception 'Only approved team members and admins can read the library' using errcode = '42501';
  end if;
  return query
    select found.id, found.title, found.subject, found.body, found.note,
      coalesce(nullif(private.name_of(users.raw_user_meta_data), ''), users.email, '')::text, found.changed_at, found.total
    from (
      select *, count(*) over ()::integer as total from public.library_texts as item
      where position(
        lower(trim(left(_search, 200))) in lower(concat_ws(' ', item.title, item.subject, item.body, item.note))
      ) > 0
      order by item.changed_at desc, item.id limit least(greatest(_limit, 1), 200) offset greatest(_offset, 0)
    ) as found left join auth.users on users.id = found.changed_by
    order by found.changed_at desc, found.id;
end
$$;
grant execute on function public.list_library_texts to authenticated, service_role;

-- Throws if a field contains the name of the client, with or without its legal form. Case, spaces and punctuation do
-- not matter. A short name matches whole words only. A longer one also matches the beginning of a word, such as a
-- genitive.
create function private.require_no_client_name(_client_id uuid, _title text, _subject text, _body text, _note text) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  _name constant text := (select name from public.clients where id = _client_id);
  _words constant text := private.normalised_words(_name);
  _short constant text := regexp_replace(
    _words, '( (as|asa|ab|aps|a s|gmbh|mbh|ag|kg|co|se|ug|ltd|limited|llp|inc|llc|plc|corp|bv|b v|nv|oy|oyj|sa|sas|sarl|srl|spa|group))+$', ''
  );
  _fields constant text := (
    select string_agg(field, ' and the ' order by place)
    from (values (1, 'title', _title), (2, 'subject', _subject), (3, 'text', _body), (4, 'note', _note)) as part (place, field, content)
    where position(
      ' ' || _short || case when length(_short) < 4 then ' ' else '' end in ' ' || private.normalised_words(content) || ' '
    ) > 0
  );
begin
  if _short <> '' and _fields is not null then
    raise exception 'Remove the client’s name (%) from the %. Texts in the library do not name clients.', _name, _fields
      using errcode = 'P0001';
  end if;
end
$$;

-- Returns the words of a text in lower case, separated by one space.
create function private.normalised_words(_text text) returns text language sql immutable set search_path = '' as $$
  select trim(regexp_replace(lower(normalize(coalesce(_text, ''), nfkc)), '[^[:alnum:]]+', ' ', 'g'))
$$;

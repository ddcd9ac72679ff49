-- The link in a mail takes the same four answers as the dashboard: approve, approve with changes, ask for changes, decline.

drop function public.decide_by_link(text, text, text, text);

create function public.decide_by_link(
  _token text, _holder text, _verdict text, _comment text default '', _wording text default null
) returns text
language plpgsql security definer set search_path = '' as $$
declare
  _found record;
  _link private.approval_links;
begin
  _found := private.approval_link_of(_token, _holder);
  _link := _found.link;
  if _found.refusal is not null then
    return _found.refusal;
  elsif _link.holder_hash is null then
    return 'Please read it first.';
  elsif _link.used_at is not null then
    return 'This link was used already. Sign in to see what you decided.';
  end if;
  perform private.decide_approval(
    _link.client_id, _link.approval_id, _link.number, _verdict, _comment, _wording, _link.user_id
  );
  update private.approval_links set used_at = now() where token_hash = _link.token_hash;
  return null;
end
$$;
revoke all on function public.decide_by_link(text, text, text, text, text) from public;
grant execute on function public.decide_by_link(text, text, text, text, text) to anon, authenticated, service_role;

-- A solved captcha is proof, too: near the site's bound of messages and calls it takes the place of the link by mail. The
-- function captcha-proof asks the provider and makes a proof here, which the visitor sends along with the same call again.

create table private.captcha_proofs (
  token_hash text primary key check (token_hash ~ '^[0-9a-f]{64}$'),
  expires_at timestamptz not null default now() + interval '15 minutes'
);
create index captcha_proofs_expiry_idx on private.captcha_proofs (expires_at);
alter table private.captcha_proofs enable row level security;
revoke all on table private.captcha_proofs from public, anon, authenticated;
comment on table private.captcha_proofs is
  'Captchas that were solved and not used yet. Written with the secret key only, after the provider confirmed them.';

-- Makes a proof of a captcha that the provider confirmed. @returns its token, good once in 15 minutes
create function public.make_captcha_proof() returns text
language plpgsql security definer set search_path = ''
as $$
declare
  _token constant text := private.new_booking_token();
begin
  insert into private.captcha_proofs (token_hash) values (private.booking_token_hash(_token));
  -- Keeps the newest 10,000.
  delete from private.captcha_proofs where expires_at <= now() or token_hash in (
    select token_hash from private.captcha_proofs order by expires_at desc, token_hash offset 10000
  );
  return _token;
end
$$;
revoke all on function public.make_captcha_proof() from public, anon, authenticated;
grant execute on function public.make_captcha_proof() to service_role;

-- Uses up the proof that the request carries in x-captcha-proof; it stays good when the transaction fails.
-- @returns whether there was one
create function private.use_captcha_proof() returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  _token constant text := nullif(current_setting('request.headers', true), '')::json ->> 'x-captcha-proof';
begin
  delete from private.captcha_proofs
    where token_hash = private.booking_token_hash(coalesce(_token, '')) and expires_at > now();
  return found;
end
$$;
revoke all on function private.use_captcha_proof() from public;

create or replace function public.take_lead(
  _source text, _email text, _name text default '', _phone text default '', _call_time text default '',
  _message text default '', _page text default '', _service text default '', _website text default ''
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  _lead constant public.leads :=
    private.new_lead(_source, _email, _name, _phone, _call_time, _message, _page, _service, _website);
begin
  if _lead.source is null then
    return;
  end if;
  if not private.count_for_subject('lead', '', 500, interval '1 day') then
    if not private.use_captcha_proof() then
      raise sqlstate 'PT428' using
        message = 'Many people are writing at the moment. Please confirm your address with a link by mail.',
        hint = 'Call hold_lead with the same values: it sends the link. Or send the proof of a captcha in x-captcha-proof.';
    end if;
    if not private.count_for_subject('proven lead', '', 10000, interval '1 day') then
      raise sqlstate 'PT429' using message = 'Too many people are writing at the moment. Please write an e-mail.';
    end if;
  end if;
  perform private.save_lead(_lead);
end
$$;

create or replace function public.book(
  _starts_at timestamptz, _name text, _email text, _phone text default '', _message text default '',
  _service text default '', _time_zone text default ''
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  _call constant public.bookings :=
    private.new_booking(_starts_at, _name, _email, _phone, _message, _service, _time_zone);
  _wants_proof constant boolean :=
    private.are_bookings_crowded() or _call.slot && any (array(select private.held_slots()));
begin
  if _wants_proof and not private.use_captcha_proof() then
    raise sqlstate 'PT428' using
      message = 'Many calls are being booked at the moment. Please confirm your address with a link by mail.',
      hint = 'Call hold_booking with the same values: it sends the link. Or send the proof of a captcha in x-captcha-proof.';
  end if;
  perform private.limit_bookings(_call.email);
  return private.save_booking(_call, private.new_booking_token(), _wants_proof);
end
$$;

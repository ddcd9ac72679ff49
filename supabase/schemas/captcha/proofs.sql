-- Tokens for solved captchas. Near the site's limits, visitors can solve a captcha instead of opening a mailed link.
-- The function captcha-proof verifies it and creates a token, which the visitor sends with the repeated call.
create table private.captcha_proofs (
  token_hash text primary key check (token_hash ~ '^[0-9a-f]{64}$'),
  expires_at timestamptz not null default (now() + '00:15:00')
);
create index captcha_proofs_expiry_idx on private.captcha_proofs (expires_at);
alter table private.captcha_proofs enable row level security;
comment on table private.captcha_proofs is
  'Captcha proofs that have not been used yet. Only the service role can write them, after the captcha provider confirmed the solution.';

-- Creates a token for a verified captcha. It is valid once, for 15 minutes.
create function public.make_captcha_proof() returns text language plpgsql security definer set search_path = '' as $$
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
grant execute on function public.make_captcha_proof to service_role;

-- Consumes the token in the header `x-captcha-proof`. A rollback makes it valid again. Returns true if the token was
-- valid.
create function private.use_captcha_proof() returns boolean language plpgsql security definer set search_path = '' as $$
declare
  _token constant text := nullif(current_setting('request.headers', true), '')::json ->> 'x-captcha-proof';
begin
  delete from private.captcha_proofs
    where token_hash = private.booking_token_hash(coalesce(_token, '')) and expires_at > now();
  return found;
end
$$;

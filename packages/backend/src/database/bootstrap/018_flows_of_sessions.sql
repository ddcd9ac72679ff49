-- The session in which somebody asked for a mail with a code challenge: who redeems its code has both, so that what the
-- session set up stays when the mail proves the address.
alter table backend.provider_flows add column session_id uuid;

-- Links in invitations work for seven days, all others for an hour.
alter table backend.mailed_tokens add column expires_at timestamptz not null default clock_timestamp() + interval '1 hour';
update backend.mailed_tokens set expires_at = created_at + interval '1 hour';

-- Queued mails, written in the transaction that triggers them. They contain sign-in links.
create table private.mail_queue (
  id bigint generated always as identity primary key,
  recipient text not null check (length(recipient) between 3 and 255 and recipient !~ '[[:cntrl:]]'),
  template text not null check (length(template) between 1 and 100),
  variables jsonb not null default '{}' check (jsonb_typeof(variables) = 'object'),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  last_error text,
  created_at timestamptz not null default now(),
  -- Set when delivery has failed permanently.
  failed_at timestamptz
);
create index mail_queue_next_idx on private.mail_queue (next_attempt_at);
revoke all on table private.mail_queue from anon, authenticated;
alter table private.mail_queue enable row level security;

create function private.notify_mail_queued() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_notify('mail_queued', '');
  return null;
end
$$;
revoke all on function private.notify_mail_queued() from public;
create trigger notify_mail_queued after insert on private.mail_queue
  for each statement execute function private.notify_mail_queued();

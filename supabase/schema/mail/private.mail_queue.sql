create table private.mail_queue (
  id bigint generated always as identity not null,
  recipient text not null,
  template text not null,
  variables jsonb default '{}'::jsonb not null,
  attempts integer default 0 not null,
  next_attempt_at timestamp with time zone default now() not null,
  last_error text,
  created_at timestamp with time zone default now() not null,
  failed_at timestamp with time zone,
  constraint mail_queue_pkey PRIMARY KEY (id),
  constraint mail_queue_recipient_check CHECK (length(recipient) >= 3 AND length(recipient) <= 255 AND recipient !~ '[[:cntrl:]]'::text),
  constraint mail_queue_template_check CHECK (length(template) >= 1 AND length(template) <= 100),
  constraint mail_queue_variables_check CHECK (jsonb_typeof(variables) = 'object'::text)
);

CREATE INDEX mail_queue_next_idx ON private.mail_queue USING btree (next_attempt_at);

grant delete, insert, select, update on private.mail_queue to service_role;

alter table private.mail_queue enable row level security;

-- Triggers, in the order in which they fire.
CREATE TRIGGER notify_mail_queued AFTER INSERT ON private.mail_queue FOR EACH STATEMENT EXECUTE FUNCTION private.notify_mail_queued();

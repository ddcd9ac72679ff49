create table private.lead_webhook_secret (
  is_only boolean default true not null,
  secret text not null,
  constraint lead_webhook_secret_pkey PRIMARY KEY (is_only),
  constraint lead_webhook_secret_is_only_check CHECK (is_only)
);

grant select on private.lead_webhook_secret to service_role;

alter table private.lead_webhook_secret enable row level security;

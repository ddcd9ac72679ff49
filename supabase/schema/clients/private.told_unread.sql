create table private.told_unread (
  client_id uuid not null,
  approval_id uuid not null,
  number integer not null,
  constraint told_unread_pkey PRIMARY KEY (client_id, approval_id, number),
  constraint told_unread_client_id_approval_id_number_fkey FOREIGN KEY (client_id, approval_id, number) REFERENCES approval_versions(client_id, approval_id, number) ON DELETE CASCADE
);

alter table private.told_unread enable row level security;

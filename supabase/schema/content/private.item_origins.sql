create table private.item_origins (
  kind text not null,
  item_id uuid not null,
  origins text[] not null,
  constraint item_origins_pkey PRIMARY KEY (kind, item_id)
);

alter table private.item_origins enable row level security;

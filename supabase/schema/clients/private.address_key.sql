create table private.address_key (
  is_only boolean default true not null,
  inner_key bytea not null,
  outer_key bytea not null,
  constraint address_key_pkey PRIMARY KEY (is_only),
  constraint address_key_inner_key_check CHECK (length(inner_key) = 64),
  constraint address_key_is_only_check CHECK (is_only),
  constraint address_key_outer_key_check CHECK (length(outer_key) = 64)
);

alter table private.address_key enable row level security;

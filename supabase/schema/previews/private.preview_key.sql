create table private.preview_key (
  is_only boolean default true not null,
  key bytea not null,
  constraint preview_key_pkey PRIMARY KEY (is_only),
  constraint preview_key_is_only_check CHECK (is_only),
  constraint preview_key_key_check CHECK (length(key) = 32)
);

alter table private.preview_key enable row level security;

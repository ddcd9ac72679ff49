create table private.documents (
  kind name not null,
  key_columns name[] not null,
  title_column name,
  is_item boolean not null,
  keys_outside_releases text[] default '{}'::text[] not null,
  number integer generated always as identity not null,
  constraint documents_pkey PRIMARY KEY (kind),
  constraint documents_key_columns_check CHECK (key_columns <> '{}'::name[]),
  constraint documents_number_key UNIQUE (number)
);

alter table private.documents enable row level security;

create table private.personal_data (
  number integer generated always as identity not null,
  schema_name name default 'public'::name not null,
  table_name name not null,
  ids name[] default '{}'::name[] not null,
  ids_from name,
  addresses text[] default '{}'::text[] not null,
  needs_proof boolean default false not null,
  section text,
  given jsonb,
  sorted_by name,
  given_by name,
  on_deletion text not null,
  emptied name[],
  hashes name[] default '{}'::name[] not null,
  constraint personal_data_pkey PRIMARY KEY (number),
  constraint personal_data_check CHECK (ids <> '{}'::name[] OR addresses <> '{}'::text[] OR hashes <> '{}'::name[]),
  constraint personal_data_check1 CHECK (section IS NULL OR (given IS NULL) <> (given_by IS NULL)),
  constraint personal_data_check2 CHECK ((given IS NULL) = (sorted_by IS NULL)),
  constraint personal_data_check3 CHECK ((on_deletion = 'empty'::text) = (emptied IS NOT NULL)),
  constraint personal_data_given_check CHECK (jsonb_typeof(given) = 'object'::text),
  constraint personal_data_on_deletion_check CHECK (on_deletion = ANY (ARRAY['delete'::text, 'empty'::text, 'follow'::text, 'keep'::text])),
  constraint personal_data_section_key UNIQUE (section)
);

alter table private.personal_data enable row level security;

create table private.media_files (
  name text not null,
  object_id uuid not null,
  original_name text not null,
  mimetype text not null,
  kind text not null,
  size bigint,
  width integer,
  height integer,
  alt text not null,
  folder text not null,
  focal_x real,
  focal_y real,
  sha256 text,
  mention_key text not null,
  uses integer default 0 not null,
  search_text text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint media_files_pkey PRIMARY KEY (name),
  constraint media_files_kind_check CHECK (kind = ANY (ARRAY['image'::text, 'video'::text, 'audio'::text, 'document'::text]))
);

CREATE INDEX media_files_folder_idx ON private.media_files USING btree (folder, created_at DESC, name);

CREATE INDEX media_files_kind_idx ON private.media_files USING btree (kind, created_at DESC, name);

CREATE INDEX media_files_mention_key_idx ON private.media_files USING btree (mention_key);

CREATE INDEX media_files_newest_idx ON private.media_files USING btree (created_at DESC, name);

CREATE INDEX media_files_sha256_idx ON private.media_files USING btree (sha256) WHERE (sha256 IS NOT NULL);

CREATE INDEX media_files_unused_idx ON private.media_files USING btree (created_at DESC, name) WHERE (uses = 0);

alter table private.media_files enable row level security;

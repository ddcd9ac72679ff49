create table private.content_words (
  kind name not null,
  item_id uuid not null,
  title_words tsvector not null,
  words tsvector not null,
  constraint content_words_pkey PRIMARY KEY (kind, item_id)
);

CREATE INDEX content_title_words_idx ON private.content_words USING gin (title_words) WITH (fastupdate=off);

CREATE INDEX content_words_idx ON private.content_words USING gin (words) WITH (fastupdate=off);

alter table private.content_words enable row level security;

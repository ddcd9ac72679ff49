create table private.known_words (
  word text not null
);

CREATE INDEX known_words_idx ON private.known_words USING btree (word text_pattern_ops);

CREATE INDEX known_words_similar_idx ON private.known_words USING gin (word extensions.gin_trgm_ops) WITH (fastupdate=off);

alter table private.known_words enable row level security;

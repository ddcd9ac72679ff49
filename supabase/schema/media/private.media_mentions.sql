create table private.media_mentions (
  kind text not null,
  item_id text not null,
  mention_key text not null,
  constraint media_mentions_pkey PRIMARY KEY (kind, item_id, mention_key)
);

CREATE INDEX media_mentions_key_idx ON private.media_mentions USING btree (mention_key);

alter table private.media_mentions enable row level security;

-- Triggers, in the order in which they fire.
CREATE TRIGGER count_mention AFTER INSERT OR DELETE ON private.media_mentions FOR EACH ROW EXECUTE FUNCTION private.count_mention();

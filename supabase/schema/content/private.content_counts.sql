create table private.content_counts (
  kind text not null,
  status text not null,
  category text not null,
  items integer not null
);

CREATE INDEX content_counts_idx ON private.content_counts USING btree (kind);

alter table private.content_counts enable row level security;

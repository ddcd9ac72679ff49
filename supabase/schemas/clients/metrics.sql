-- Metrics of campaigns, as in supabase/functions/metrics.ts. tests/policies/metrics.test.ts compares the two.
create table private.metrics (
  name text primary key,
  position smallint not null unique,
  -- Words after a number in a quote. {currency} is replaced with the currency of the client.
  one text not null,
  many text not null,
  is_event boolean not null,
  is_reported boolean not null
);
alter table private.metrics enable row level security;

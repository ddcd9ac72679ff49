-- Metrics of campaigns, as in supabase/functions/metrics.ts. tests/policies/metrics.test.ts compares the two.
create table private.metrics (
  name text primary key,
  position smallint not null unique,
  -- Unit after a number, such as 'reply' or 'replies'. {currency} is replaced with the currency of the client.
  singular text not null,
  plural text not null,
  is_event boolean not null,
  is_reported boolean not null
);
alter table private.metrics enable row level security;

create table private.newsletter_key (
  key text not null
);

alter table private.newsletter_key enable row level security;

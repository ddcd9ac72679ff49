create table private.monday_lists (
  monday date not null,
  constraint monday_lists_pkey PRIMARY KEY (monday)
);

alter table private.monday_lists enable row level security;

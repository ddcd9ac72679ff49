create table private.chat_salt (
  salt text not null
);

alter table private.chat_salt enable row level security;

-- The admin area lists accounts, the newest first: without it, each page sorts all of them.
create index users_newest_idx on auth.users (created_at desc nulls last, id) where deleted_at is null;

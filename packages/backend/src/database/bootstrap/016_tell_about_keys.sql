-- Every copy of the process hears at once of a key that was added or revoked, whoever did it (backend/http/keys.ts).
create function backend.tell_about_keys() returns trigger language plpgsql as $$
begin
  perform pg_notify('signing_keys_changed', '');
  return null;
end $$;

create trigger tell_about_keys after insert or update or delete or truncate on backend.signing_keys
for each statement execute function backend.tell_about_keys();

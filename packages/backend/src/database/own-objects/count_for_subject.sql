-- Counts for limits that all processes share, by a hash of their subject.
create table private.subject_counts (
  subject text primary key,
  count integer not null,
  expires_at timestamptz not null
);
create index subject_counts_expiry_idx on private.subject_counts (expires_at);
revoke all on table private.subject_counts from anon, authenticated, service_role;
alter table private.subject_counts enable row level security;

-- Counts an event. Returns false without counting it if the limit of the period is reached.
create function private.count_for_subject(kind text, subject_name text, allowed integer, period interval) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.subject_counts where subject in (
    select subject from private.subject_counts where expires_at <= now() limit 10 for update skip locked
  );
  insert into private.subject_counts as counted (subject, count, expires_at)
    values (encode(sha256(convert_to(kind || ' of ' || subject_name, 'UTF8')), 'hex'), 1, now() + period)
    on conflict (subject) do update set
      count = case when counted.expires_at <= now() then 1 else counted.count + 1 end,
      expires_at = case when counted.expires_at <= now() then excluded.expires_at else counted.expires_at end
    where counted.expires_at <= now() or counted.count < allowed;
  return found;
end
$$;
revoke all on function private.count_for_subject(text, text, integer, interval) from public;

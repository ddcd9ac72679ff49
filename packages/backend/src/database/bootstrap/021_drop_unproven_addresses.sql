-- 009_providers.sql created the list of unproven addresses. The application keeps the list of proven ones instead.
drop table if exists backend.unproven_addresses;

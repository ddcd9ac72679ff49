-- The sums of a client's weeks, and the team's of a month, are read from the index alone: without the columns that they add up, each of
-- 7,000 rows of twelve weeks was another page of the table, among those of all clients.
drop index public.campaign_figures_days_idx;
create index campaign_figures_days_idx on public.campaign_figures (client_id, first_day)
  include (campaign_id, metric, last_day, value) where replaced_by is null;

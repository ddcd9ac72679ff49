create view private.counted_figures as
 SELECT campaign_figures.client_id,
    campaign_figures.campaign_id,
    campaign_figures.batch_id,
    campaign_figures.metric,
    campaign_figures.first_day,
    campaign_figures.last_day,
    campaign_figures.value
   FROM campaign_figures
  WHERE campaign_figures.replaced_by IS NULL AND campaign_figures.metric <> 'meetings'::text
UNION ALL
 SELECT sent.client_id,
    sent.campaign_id,
    sent.batch_id,
    'delivered'::text AS metric,
    sent.first_day,
    sent.last_day,
    GREATEST(sent.value - bounced.value, 0::bigint) AS value
   FROM campaign_figures sent
     JOIN campaign_figures bounced ON bounced.client_id = sent.client_id AND bounced.campaign_id = sent.campaign_id AND bounced.metric = 'bounced'::text AND bounced.first_day = sent.first_day AND bounced.last_day = sent.last_day AND bounced.replaced_by IS NULL
  WHERE sent.metric = 'sent'::text AND sent.replaced_by IS NULL AND NOT (EXISTS ( SELECT
           FROM campaign_figures told
          WHERE told.client_id = sent.client_id AND told.campaign_id = sent.campaign_id AND told.metric = 'delivered'::text AND told.first_day >= (sent.first_day - 6) AND told.first_day <= sent.last_day AND told.last_day >= sent.first_day AND told.replaced_by IS NULL))
UNION ALL
 SELECT client_meetings.client_id,
    client_meetings.campaign_id,
    client_meetings.batch_id,
    'meetings'::text AS metric,
    client_meetings.booked_on AS first_day,
    client_meetings.booked_on AS last_day,
    count(*) AS value
   FROM client_meetings
  GROUP BY client_meetings.client_id, client_meetings.campaign_id, client_meetings.batch_id, client_meetings.booked_on;

grant select on private.counted_figures to authenticated, service_role;

-- Without row level security.

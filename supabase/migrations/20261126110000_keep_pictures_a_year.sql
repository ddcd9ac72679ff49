-- The library gives every file a random name that no other content ever gets, so browsers may keep it for a year, not for
-- an hour only. New files are stored so; these were before. (On a hosted project its own storage keeps what it was told.)
update storage.objects
set metadata = jsonb_set(metadata, '{cacheControl}', '"max-age=31536000"')
where bucket_id = 'content-media' and metadata ->> 'cacheControl' = 'max-age=3600'
  and name ~ '^([a-z-]+/)?[0-9a-f]{32}(\.[a-z0-9]{1,10})?$';

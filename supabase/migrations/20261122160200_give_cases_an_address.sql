-- The assistant leads to the case of a project instead of the list of all.

update private.content_kinds set public_path = '/projects?case={slug}' where table_name = 'projects';

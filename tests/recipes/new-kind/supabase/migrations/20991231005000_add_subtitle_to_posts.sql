-- A second line of the title, shown by the article.

alter table public.posts add column subtitle text not null default '' check (length(subtitle) <= 300);

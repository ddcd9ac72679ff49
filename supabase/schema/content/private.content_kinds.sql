create table private.content_kinds (
  table_name name not null,
  title_column name not null,
  list_order text not null,
  public_path text,
  text_columns name[] default '{}'::name[] not null,
  number integer generated always as identity not null,
  constraint content_kinds_pkey PRIMARY KEY (table_name),
  constraint content_kinds_list_order_check CHECK (list_order ~ '^[a-z_]+( desc)?(, [a-z_]+( desc)?)*$'::text),
  constraint content_kinds_number_key UNIQUE (number),
  constraint content_kinds_public_path_check CHECK (public_path ~~ '/%'::text)
);

alter table private.content_kinds enable row level security;

-- Triggers, in the order in which they fire.
CREATE TRIGGER create_preview_reader AFTER INSERT ON private.content_kinds FOR EACH ROW EXECUTE FUNCTION private.create_preview_reader();
CREATE TRIGGER keep_kind_as_document AFTER INSERT OR DELETE OR UPDATE OF table_name, title_column ON private.content_kinds FOR EACH ROW EXECUTE FUNCTION private.keep_kind_as_document();
CREATE TRIGGER keep_versions_of_kind AFTER INSERT ON private.content_kinds FOR EACH ROW EXECUTE FUNCTION private.keep_versions_of_kind();
CREATE TRIGGER make_kind_countable AFTER INSERT ON private.content_kinds FOR EACH ROW EXECUTE FUNCTION private.make_kind_countable();
CREATE TRIGGER make_kind_searchable AFTER INSERT ON private.content_kinds FOR EACH ROW EXECUTE FUNCTION private.make_kind_searchable();
CREATE TRIGGER make_origins_known AFTER INSERT ON private.content_kinds FOR EACH ROW EXECUTE FUNCTION private.make_origins_of_kind_known();
CREATE TRIGGER require_alt_texts_of_kind AFTER INSERT ON private.content_kinds FOR EACH ROW EXECUTE FUNCTION private.require_alt_texts_of_kind();
CREATE TRIGGER track_media_of_new_kind AFTER INSERT ON private.content_kinds FOR EACH ROW EXECUTE FUNCTION private.track_media_of_new_kind();

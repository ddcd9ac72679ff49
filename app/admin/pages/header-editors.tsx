import { MAIN_PAGES } from '../../api/places/public-pages.ts';
import type { Header } from '../../content/pages/headers.ts';
import { PageHeader } from '../../site/page-header.tsx';
import { TextareaField, TextField } from '../../ui/form/text-field.tsx';
import { EditorTabs } from './editor-tabs.tsx';
import { SectionEditor } from './section-editor.tsx';

export function HeaderEditors() {
  return (
    <EditorTabs
      title="Page Headers"
      tabs={MAIN_PAGES.filter((page) => page.header !== null).map(({ header: page, label }) => ({
        value: page,
        label,
        editor: (
          <SectionEditor
            page={page}
            name="header"
            Fields={HeaderFields}
            preview={(content) => <PageHeader eyebrow={label} header={content} />}
          />
        ),
      }))}
    />
  );
}

function HeaderFields() {
  return (
    <>
      <TextField<Header> name="title" />
      <TextareaField<Header> name="description" />
    </>
  );
}

import type { Header } from '../../data/page-content/headers.ts';
import { PAGES_WITH_HEADER } from '../../data/public-pages.ts';
import { PageHeader } from '../../site/page-header.tsx';
import { TextareaField, TextField } from '../form/text-field.tsx';
import { EditorTabs } from './editor-tabs.tsx';
import { SectionEditor } from './section-editor.tsx';

export function HeaderEditors() {
  return (
    <EditorTabs
      title="Page Headers"
      tabs={PAGES_WITH_HEADER.map(({ header: page, label }) => ({
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

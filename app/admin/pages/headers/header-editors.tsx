import type { Header } from '../../../data/page-content/headers.ts';
import { PageHeader } from '../../../site/page-header.tsx';
import { TextareaField, TextField } from '../../form/text-field.tsx';
import { EditorTabs } from '../editor-tabs.tsx';
import { SectionEditor } from '../section-editor.tsx';

const PAGES = [
  { page: 'about', label: 'About' },
  { page: 'services', label: 'Services' },
  { page: 'projects', label: 'Projects' },
  { page: 'news', label: 'News' },
  { page: 'contact', label: 'Contact' },
] as const;

export function HeaderEditors() {
  return (
    <EditorTabs
      title="Page Headers"
      tabs={PAGES.map(({ page, label }) => ({
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

import { useQuery } from '@tanstack/react-query';
import type { Legal } from '../../data/pages/legal.ts';
import { LEGAL_PAGES } from '../../data/pages/public-pages.ts';
import { siteSettingDefaults } from '../../data/settings/read.ts';
import { siteSettingsQuery } from '../../data/settings/site-settings.ts';
import { TextareaField, TextField } from '../../form/text-field.tsx';
import { LegalText } from '../../site/legal/legal-text.tsx';
import { MarkdownField } from '../../writer/markdown-field.tsx';
import { EditorTabs } from './editor-tabs.tsx';
import { SectionEditor } from './section-editor.tsx';

export function LegalEditors() {
  return (
    <EditorTabs
      title="Legal Pages"
      tabs={LEGAL_PAGES.map(({ header: page, label }) => ({
        value: page,
        label,
        editor: (
          <SectionEditor
            page={page}
            name="header"
            Fields={LegalFields}
            preview={(content) => <Preview label={label} content={content} />}
          />
        ),
      }))}
    />
  );
}

function LegalFields() {
  return (
    <>
      <p className="rounded-md bg-sunken px-4 py-3 text-sm">
        The built-in text says what this software does with data. Add who you are and which companies host the site,
        carry its mail and run its language model, and have it checked before the site opens.
      </p>
      <TextField<Legal> name="title" />
      <TextareaField<Legal> name="description" />
      <MarkdownField<Legal>
        name="text"
        help="{email} stands for the contact email, and {retention} for how long chats, leads and bookings are kept."
      />
    </>
  );
}

function Preview({ label, content }: { label: string; content: Legal }) {
  const { data: settings = siteSettingDefaults } = useQuery(siteSettingsQuery);
  return <LegalText label={label} content={content} settings={settings} />;
}

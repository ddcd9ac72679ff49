import { useQuery } from '@tanstack/react-query';
import { LEGAL_PAGES } from '../../api/places/public-pages.ts';
import { type Legal, legalSchema } from '../../content/pages/legal.ts';
import { rejectMissingPictures } from '../../content/schema-fields.ts';
import { MarkdownField } from '../../editing/rich-text/markdown-field.tsx';
import { siteSettingDefaults } from '../../settings/read-site-settings.ts';
import { siteSettingsQuery } from '../../settings/site-settings.ts';
import { LegalText } from '../../site/legal/legal-text.tsx';
import { TextareaField, TextField } from '../../ui/form/text-field.tsx';
import { EditorTabs } from './editor-tabs.tsx';
import { sectionTab } from './section-tab.tsx';

const EDITING_SCHEMA = rejectMissingPictures(legalSchema, 'text');

export const LEGAL_TABS = LEGAL_PAGES.map(({ header: page, label }) =>
  sectionTab(
    label,
    {
      page,
      name: 'header',
      schema: EDITING_SCHEMA,
      Fields: LegalFields,
      explainsSiteName: true,
      preview: (content) => <Preview label={label} content={content} />,
    },
    page,
  ),
);

export function LegalEditors() {
  return <EditorTabs title="Legal pages" tabs={LEGAL_TABS} />;
}

function LegalFields() {
  return (
    <>
      <p className="rounded-md bg-sunken px-4 py-3 text-sm">
        The built-in text describes how this software processes data. Add your company, and the companies that host the
        site, send its email and run its language model. Have the text reviewed before the site opens.
      </p>
      <TextField<Legal> name="title" />
      <TextareaField<Legal> name="description" />
      <MarkdownField<Legal>
        name="text"
        help="{site} is replaced with the name of the site, {email} with the contact email, and {retention} with the retention period of chats, leads and bookings."
      />
    </>
  );
}

function Preview({ label, content }: { label: string; content: Legal }) {
  const { data: settings = siteSettingDefaults } = useQuery(siteSettingsQuery);
  return <LegalText label={label} content={content} settings={settings} />;
}

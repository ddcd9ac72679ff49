import { useQuery } from '@tanstack/react-query';
import type { AboutCareers } from '../../content/pages/about-careers.ts';
import type { AboutTeam } from '../../content/pages/about-team.ts';
import type { Story } from '../../content/pages/story.ts';
import { publishedTeamMembersQuery } from '../../content/team-members/published.ts';
import { PictureField } from '../../media/picture-field.tsx';
import { siteSettingDefaults } from '../../settings/read-site-settings.ts';
import { siteSettingsQuery } from '../../settings/site-settings.ts';
import { Careers } from '../../site/about/careers.tsx';
import { Story as StorySection } from '../../site/about/story.tsx';
import { listTeam } from '../../site/about/team.ts';
import { TeamCarousel } from '../../site/about/team-carousel.tsx';
import { FieldRow } from '../../ui/form/field-row.tsx';
import { TextareaField, TextField } from '../../ui/form/text-field.tsx';
import { EditorTabs } from './editor-tabs.tsx';
import { ItemList, useOpenRow } from './item-list.tsx';
import { sectionTab } from './section-tab.tsx';

export const ABOUT_TABS = [
  sectionTab('Story', {
    page: 'about',
    name: 'story',
    Fields: StoryFields,
    preview: (content) => <StorySection content={content} />,
  }),
  sectionTab('Team', {
    page: 'about',
    name: 'team',
    Fields: TeamFields,
    preview: (content) => <TeamPreview content={content} />,
  }),
  sectionTab('Careers', {
    page: 'about',
    name: 'careers',
    Fields: CareersFields,
    preview: (content) => <CareersPreview content={content} />,
  }),
];

export function AboutEditors() {
  return <EditorTabs title="About" tabs={ABOUT_TABS} />;
}

function StoryFields() {
  const openRow = useOpenRow();
  return (
    <>
      <TextField<Story> name="heading" />
      <ItemList<Story>
        name="chapters"
        legend="Chapters"
        singular="Chapter"
        openRow={openRow}
        summary={({ year, title }) => ({ title: year, detail: title })}
        create={() => ({ year: '', title: '', text: '' })}
      >
        {(prefix) => (
          <>
            <FieldRow>
              <TextField<Story> name={`${prefix}.year`} label="Year" />
              <TextField<Story> name={`${prefix}.title`} label="Title" />
            </FieldRow>
            <TextareaField<Story> name={`${prefix}.text`} label="Text" />
          </>
        )}
      </ItemList>
    </>
  );
}

function TeamFields() {
  const openRow = useOpenRow();
  return (
    <>
      <FieldRow>
        <TextField<AboutTeam> name="eyebrow" label="Label above the heading" />
        <TextField<AboutTeam> name="heading" />
      </FieldRow>
      <ItemList<AboutTeam>
        name="members"
        legend="People"
        singular="Person"
        openRow={openRow}
        summary={({ name, designation }) => ({ title: name, detail: designation })}
        create={() => ({ quote: '', name: '', designation: '', src: '' })}
      >
        {(prefix) => (
          <>
            <FieldRow>
              <TextField<AboutTeam> name={`${prefix}.name`} label="Name" />
              <TextField<AboutTeam> name={`${prefix}.designation`} label="Designation" />
            </FieldRow>
            <TextareaField<AboutTeam> name={`${prefix}.quote`} label="Quote" rows={2} />
            <PictureField<AboutTeam>
              name={`${prefix}.src`}
              label="Picture"
              help="If empty, a portrait is generated from the name."
            />
          </>
        )}
      </ItemList>
    </>
  );
}

function TeamPreview({ content }: { content: AboutTeam }) {
  const { data: published, isPending } = useQuery(publishedTeamMembersQuery);
  const { eyebrow, heading, members } = content;
  return (
    <TeamCarousel {...{ eyebrow, heading }} members={listTeam(published ?? [], members, true)} isLoading={isPending} />
  );
}

function CareersFields() {
  return (
    <>
      <FieldRow>
        <TextField<AboutCareers> name="eyebrow" label="Label above the heading" />
        <TextField<AboutCareers> name="heading" />
      </FieldRow>
      <TextareaField<AboutCareers> name="description" />
      <TextField<AboutCareers> name="buttonText" label="Button text" />
    </>
  );
}

function CareersPreview({ content }: { content: AboutCareers }) {
  const { data: settings = siteSettingDefaults } = useQuery(siteSettingsQuery);
  return <Careers careers={content} email={settings.contact_email} />;
}

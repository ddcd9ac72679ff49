import { useQuery } from '@tanstack/react-query';
import { MAIN_PAGES } from '../../api/places/public-pages.ts';
import { publishedQuestionsQuery } from '../../content/faq/published.ts';
import type { ContactQuestions } from '../../content/pages/contact-questions.ts';
import type { DomainCheckTexts } from '../../content/pages/domain-check.ts';
import type { Header } from '../../content/pages/headers.ts';
import Questions from '../../site/contact/questions.tsx';
import DomainCheckSection from '../../site/domain-check/domain-check.tsx';
import { PageHeader } from '../../site/page-header.tsx';
import { TextareaField, TextField } from '../../ui/form/text-field.tsx';
import { EditorTabs } from './editor-tabs.tsx';
import { sectionTab } from './section-tab.tsx';

export const HEADER_TABS = [
  ...MAIN_PAGES.filter((page) => page.header !== null).map(({ header: page, label }) =>
    sectionTab(
      label,
      {
        page,
        name: 'header',
        Fields: HeaderFields,
        preview: (content) => <PageHeader eyebrow={label} header={content} />,
      },
      page,
    ),
  ),
  sectionTab('Domain check', {
    page: 'services',
    name: 'domain-check',
    Fields: DomainCheckFields,
    preview: (content) => <DomainCheckSection texts={content} />,
  }),
  sectionTab('Questions', {
    page: 'contact',
    name: 'questions',
    Fields: QuestionsFields,
    preview: ({ heading }) => <QuestionsPreview heading={heading} />,
  }),
];

export function HeaderEditors() {
  return <EditorTabs title="Page Headers" tabs={HEADER_TABS} />;
}

function HeaderFields() {
  return (
    <>
      <TextField<Header> name="title" />
      <TextareaField<Header> name="description" />
    </>
  );
}

function DomainCheckFields() {
  return (
    <>
      <TextField<DomainCheckTexts> name="heading" />
      <TextareaField<DomainCheckTexts> name="description" />
    </>
  );
}

function QuestionsFields() {
  return <TextField<ContactQuestions> name="heading" />;
}

function QuestionsPreview({ heading }: { heading: string }) {
  const { data: questions = [] } = useQuery(publishedQuestionsQuery);
  return <Questions heading={heading} questions={questions} />;
}

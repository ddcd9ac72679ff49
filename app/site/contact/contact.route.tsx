import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { type PublishedQuestion, publishedQuestionsQuery } from '../../content/faq/published.ts';
import { pageContentQuery } from '../../data/page-content.ts';
import { pageWithHeader } from '../../data/public-pages.ts';
import { prefetchLists } from '../../data/query-client.ts';
import type { SiteSettings } from '../../data/site-settings.ts';
import { faqJsonLd, organizationJsonLd } from '../../lib/seo.ts';
import { PageHeader } from '../page-header.tsx';
import { headOfPage, loadPage } from '../page-with-header.ts';
import { ContactForm } from './contact-form.tsx';
import { ContactSection } from './contact-section.tsx';
import { loadQuestions, QuestionsPiece } from './questions-piece.tsx';

const page = pageWithHeader('contact');
const content = pageContentQuery('contact');

export const Route = createFileRoute('/_gate/_site/contact')({
  loader: async ({ context: { queryClient } }) => {
    const loaded = await loadPage(queryClient, page);
    if (!hasQuestions(loaded.settings)) return { ...loaded, questions: [] };
    await prefetchLists(queryClient.prefetchQuery(publishedQuestionsQuery));
    return { ...loaded, questions: await questionsAsText(queryClient.getQueryData(publishedQuestionsQuery.queryKey)) };
  },
  head: ({ loaderData }) =>
    headOfPage(page, loaderData, (site) => [organizationJsonLd(site), ...faqJsonLd(loaderData?.questions ?? [])]),
  component: Contact,
});

function Contact() {
  const { settings } = Route.useLoaderData();
  const { sections } = useSuspenseQuery(content).data;
  const { data: questions = [] } = useQuery({ ...publishedQuestionsQuery, enabled: hasQuestions(settings) });
  return (
    <>
      <PageHeader eyebrow={page.label} header={sections.header} />
      {/* The assistant's links to a person lead here. */}
      <section id="person" aria-label="Write to us" className="page-grid scroll-mt-24 pb-[clamp(4rem,9vw,9rem)]">
        <ContactSection email={settings.contact_email} phone={settings.contact_phone}>
          <ContactForm email={settings.contact_email} keeps={settings.keep_contact_messages === 'on'} />
        </ContactSection>
      </section>
      {questions.length > 0 && <QuestionsPiece questions={questions} />}
    </>
  );
}

/** Unless it is switched on, the page does not even look for questions. */
function hasQuestions({ faq_on_contact }: SiteSettings): boolean {
  return faq_on_contact === 'on';
}

/** Without markup, for search engines, which read what the server renders. Waits for the code that draws them, too. */
async function questionsAsText(questions: PublishedQuestion[] = []): Promise<{ question: string; answer: string }[]> {
  if (typeof window !== 'undefined' || questions.length === 0) return [];
  const [{ markdownText }] = await Promise.all([import('../../lib/markdown-text.ts'), loadQuestions()]);
  return questions.map(({ question, answer }) => ({ question, answer: markdownText(answer) }));
}

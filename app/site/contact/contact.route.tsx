import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { pageWithHeader } from '../../api/places/public-pages.ts';
import { prefetchLists } from '../../api/query-client.ts';
import { publishedQuestionsQuery } from '../../content/faq/published.ts';
import { pageContentQuery } from '../../content/pages/page-content.ts';
import { findPlayers } from '../../content/pages/page-policy.ts';
import { publishedTeamMembersQuery } from '../../content/team-members/published.ts';
import { isChatOff, type SiteSettings } from '../../settings/site-settings.ts';
import { organizationJsonLd } from '../../ui/lib/seo.ts';
import { PageHeader } from '../page-header.tsx';
import { buildHead, loadPage } from '../page-with-header.ts';
import { ContactDetails } from './contact-details.tsx';
import { ContactForm } from './contact-form.tsx';
import { ContactSection } from './contact-section.tsx';
import { LazyQuestions } from './lazy-questions.ts';

const page = pageWithHeader('contact');
const content = pageContentQuery('contact');

export const Route = createFileRoute('/_gate/_site/contact')({
  loader: async ({ context: { queryClient } }) => {
    const loaded = await loadPage(queryClient, page, queryClient.prefetchQuery(publishedTeamMembersQuery));
    if (!hasQuestions(loaded.settings)) return { ...loaded, jsonLd: [] };
    await prefetchLists(queryClient.prefetchQuery(publishedQuestionsQuery));
    // JSON-LD is only needed in the server-rendered page.
    if (typeof window !== 'undefined') return { ...loaded, jsonLd: [] };
    const { prepareQuestions } = await import('./prepare-questions.ts');
    const questions = queryClient.getQueryData(publishedQuestionsQuery.queryKey) ?? [];
    const players = findPlayers(...questions.map(({ answer }) => answer));
    return { ...loaded, players, jsonLd: await prepareQuestions(questions) };
  },
  head: ({ loaderData }) =>
    buildHead(page, loaderData, (site) => [organizationJsonLd(site), ...(loaderData?.jsonLd ?? [])]),
  component: Contact,
});

function Contact() {
  const { settings } = Route.useLoaderData();
  const { sections } = useSuspenseQuery(content).data;
  const { data: members = [] } = useQuery(publishedTeamMembersQuery);
  const { data: questions = [] } = useQuery({ ...publishedQuestionsQuery, enabled: hasQuestions(settings) });
  return (
    <>
      <PageHeader eyebrow={page.label} header={sections.header} />
      {/* The assistant links to #person. */}
      <section id="person" aria-label="Write to us" className="page-grid scroll-mt-24 pb-[clamp(4rem,9vw,9rem)]">
        {isChatOff(settings) && (
          <p className="mb-8 measure">
            {`The chat is currently closed. Write to us${settings.contact_phone && ' or call'}, and a person will answer.`}
          </p>
        )}
        <ContactSection
          email={settings.contact_email}
          phone={settings.contact_phone}
          details={
            <ContactDetails
              replyTime={settings.answer_time}
              members={members}
              questions={questions.length > 0 ? sections.questions.heading : null}
            />
          }
        >
          <ContactForm
            email={settings.contact_email}
            storesMessages={settings.keep_contact_messages === 'on'}
            replyTime={settings.answer_time}
          />
        </ContactSection>
      </section>
      {questions.length > 0 && <LazyQuestions heading={sections.questions.heading} questions={questions} />}
    </>
  );
}

/** Returns whether the page shows questions. If not, they are not loaded. */
function hasQuestions({ faq_on_contact }: SiteSettings): boolean {
  return faq_on_contact === 'on';
}

import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { pageContentQuery } from '../../data/page-content.ts';
import { pageWithHeader } from '../../data/public-pages.ts';
import { organizationJsonLd } from '../../lib/seo.ts';
import { PageHeader } from '../page-header.tsx';
import { headOfPage, loadPage } from '../page-with-header.ts';
import { ContactForm } from './contact-form.tsx';
import { ContactSection } from './contact-section.tsx';

const page = pageWithHeader('contact');
const content = pageContentQuery('contact');

export const Route = createFileRoute('/_gate/_site/contact')({
  loader: ({ context: { queryClient } }) => loadPage(queryClient, page),
  head: ({ loaderData }) => headOfPage(page, loaderData, (site) => [organizationJsonLd(site)]),
  component: Contact,
});

function Contact() {
  const { settings } = Route.useLoaderData();
  const { sections } = useSuspenseQuery(content).data;
  return (
    <>
      <PageHeader eyebrow={page.label} header={sections.header} />
      <section aria-label="Write to us" className="page-grid pb-[clamp(4rem,9vw,9rem)]">
        <ContactSection email={settings.contact_email} phone={settings.contact_phone}>
          <ContactForm email={settings.contact_email} />
        </ContactSection>
      </section>
    </>
  );
}

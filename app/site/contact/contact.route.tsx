import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { pageContentQuery } from '../../data/page-content.ts';
import { siteSettingsQuery } from '../../data/site-settings.ts';
import { breadcrumbJsonLd, organizationJsonLd, pageHead } from '../../lib/seo.ts';
import { PageHeader } from '../page-header.tsx';
import { seoSite } from '../seo-site.ts';
import { ContactForm } from './contact-form.tsx';
import { ContactSection } from './contact-section.tsx';

const content = pageContentQuery('contact');

export const Route = createFileRoute('/_gate/_site/contact')({
  loader: async ({ context: { queryClient } }) => {
    const [settings, { sections }] = await Promise.all([
      queryClient.ensureQueryData(siteSettingsQuery),
      queryClient.ensureQueryData(content),
    ]);
    return { settings, description: sections.header.description };
  },
  head: ({ loaderData }) => {
    if (!loaderData) return {};
    const site = seoSite(loaderData.settings);
    return pageHead(site, {
      title: 'Contact',
      description: loaderData.description,
      path: '/contact',
      jsonLd: [organizationJsonLd(site), breadcrumbJsonLd(site, [{ name: 'Contact', path: '/contact' }])],
    });
  },
  component: Contact,
});

function Contact() {
  const { settings } = Route.useLoaderData();
  const { sections } = useSuspenseQuery(content).data;
  return (
    <>
      <PageHeader eyebrow="Contact" header={sections.header} />
      <section aria-label="Write to us" className="page-grid pb-[clamp(4rem,9vw,9rem)]">
        <ContactSection email={settings.contact_email} phone={settings.contact_phone}>
          <ContactForm email={settings.contact_email} />
        </ContactSection>
      </section>
    </>
  );
}

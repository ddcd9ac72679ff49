import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { pageWithHeader } from '../../api/places/public-pages.ts';
import { pageContentQuery } from '../../content/pages/page-content.ts';
import { findPlayers } from '../../content/pages/page-policy.ts';
import { publishedServicesQuery } from '../../content/services/published.ts';
import { serviceJsonLd } from '../../ui/lib/seo.ts';
import { ClosingBand } from '../closing-band.tsx';
import { LazyDomainCheck } from '../domain-check/lazy-domain-check.ts';
import { ListState } from '../list-state.tsx';
import { PageHeader } from '../page-header.tsx';
import { buildHead, loadPage } from '../page-with-header.ts';
import { ServiceList } from './service-list.tsx';

const page = pageWithHeader('services');
const content = pageContentQuery('services');

export const Route = createFileRoute('/_gate/_site/services')({
  loader: async ({ context: { queryClient } }) => {
    const loaded = await loadPage(queryClient, page, queryClient.prefetchQuery(publishedServicesQuery));
    if (loaded.settings.domain_check === 'on') await LazyDomainCheck.preload();
    const services = queryClient.getQueryData(publishedServicesQuery.queryKey) ?? [];
    return {
      ...loaded,
      players: findPlayers(...services.map(({ long_description }) => long_description)),
      services: services.map(({ title, slug, short_description }) => ({ title, slug, short_description })),
    };
  },
  head: ({ loaderData }) =>
    buildHead(page, loaderData, (site) => (loaderData?.services ?? []).map((service) => serviceJsonLd(site, service))),
  component: Services,
});

function Services() {
  const { settings } = Route.useLoaderData();
  const { sections } = useSuspenseQuery(content).data;
  const services = useQuery(publishedServicesQuery);
  const navigate = Route.useNavigate();
  return (
    <>
      <PageHeader eyebrow={page.label} header={sections.header} />
      <section aria-label="All services" className="page-grid pb-[clamp(4rem,9vw,9rem)]">
        <ListState
          query={services}
          loading="Loading..."
          empty={{ title: 'No services yet', description: 'They appear here as soon as they are published.' }}
        >
          {(items) => (
            <ServiceList services={items} heading="h2" onSelect={() => void navigate({ to: '/', hash: 'booking' })} />
          )}
        </ListState>
      </section>
      {settings.domain_check === 'on' && <LazyDomainCheck texts={sections['domain-check']} />}
      <ClosingBand />
    </>
  );
}

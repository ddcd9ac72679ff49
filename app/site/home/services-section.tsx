import { useQuery } from '@tanstack/react-query';
import type { Headings } from '../../content/pages/headings.ts';
import { publishedServicesQuery } from '../../content/services/published.ts';
import { scrollToSection } from '../../ui/lib/stable-scroll.ts';
import { SectionHeading } from '../../ui/section-heading.tsx';
import { ListState } from '../list-state.tsx';
import { ServiceList } from '../services/service-list.tsx';

export function ServicesSection({ heading }: { heading: Headings['services'] }) {
  const services = useQuery(publishedServicesQuery);
  return (
    <section id="services" aria-labelledby="services-heading" className="section-space">
      <div className="page-grid grid gap-x-12 gap-y-10 lg:grid-cols-12">
        <SectionHeading
          id="services-heading"
          {...heading}
          className="content-start lg:sticky lg:top-28 lg:col-span-4 lg:self-start"
        />
        <div className="lg:col-span-8">
          <ListState
            query={services}
            loading="Loading..."
            empty={{ title: 'No services yet', description: 'They appear here as soon as they are published.' }}
          >
            {(items) => <ServiceList services={items} heading="h3" onSelect={() => scrollToSection('booking')} />}
          </ListState>
        </div>
      </div>
    </section>
  );
}

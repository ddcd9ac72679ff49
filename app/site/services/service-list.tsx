import { Check } from 'lucide-react';
import { useState } from 'react';
import type { PublishedService } from '../../content/services/published.ts';
import { Button } from '../../ui/button.tsx';
import { ContentIcon } from '../../ui/content-icon.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { selectService, useSelectedService } from '../selected-service.ts';

const Markdown = lazy(async () => ({ default: (await import('../../ui/markdown.tsx')).Markdown }), {
  Loading: () => <p className="text-muted">Loading...</p>,
});

interface ServiceListProps {
  services: PublishedService[];
  /** Heading level of the service titles. */
  heading: 'h2' | 'h3';
  /** Called after a service is selected. Scrolls to the booking section. */
  onSelect: () => void;
}

/** Expandable rows. One service can be selected for the call. */
export function ServiceList({ services, heading, onSelect }: ServiceListProps) {
  const selected = useSelectedService();
  return (
    <ol className="border-t border-line-strong">
      {services.map((service, index) => (
        <ServiceRow
          key={service.id}
          service={service}
          number={index + 1}
          heading={heading}
          isSelected={selected === service.title}
          onSelect={() => {
            selectService(service.title);
            onSelect();
          }}
        />
      ))}
    </ol>
  );
}

interface ServiceRowProps {
  service: PublishedService;
  number: number;
  heading: 'h2' | 'h3';
  isSelected: boolean;
  onSelect: () => void;
}

function ServiceRow({ service, number, heading: Heading, isSelected, onSelect }: ServiceRowProps) {
  const [isOpen, setOpen] = useState(false);
  const detailsId = `${service.slug}-details`;
  return (
    <li
      id={service.slug}
      data-selected={isSelected || undefined}
      className="group grid gap-x-8 gap-y-5 border-b border-line py-7 transition-colors duration-200 data-selected:border-accent md:grid-cols-[3rem_1fr] md:py-10"
    >
      <span className="grid size-12 place-items-center rounded-md bg-accent-soft text-accent group-data-selected:bg-accent group-data-selected:text-on-accent">
        {isSelected ? <Check aria-hidden="true" className="size-6" /> : <ContentIcon name={service.icon_name} />}
      </span>
      <div className="grid gap-5">
        <div className="grid gap-x-10 gap-y-5 lg:grid-cols-[1fr_15rem]">
          <div className="grid content-start gap-3">
            <p className="font-mono text-label text-muted max-md:hidden" aria-hidden="true">
              {String(number).padStart(2, '0')}
            </p>
            <Heading className="text-display-3 wrap-anywhere">{service.title}</Heading>
            <p className="max-w-[54ch] text-muted wrap-anywhere">{service.short_description}</p>
          </div>
          <dl className="grid grid-cols-2 content-start gap-x-6 gap-y-3 text-sm lg:grid-cols-1">
            {service.timeline && (
              <div>
                <dt className="font-mono text-label text-muted">Timeline</dt>
                <dd className="font-medium tabular-nums">{service.timeline}</dd>
              </div>
            )}
            {service.pricing && (
              <div>
                <dt className="font-mono text-label text-muted">Pricing</dt>
                <dd className="font-medium">{service.pricing}</dd>
              </div>
            )}
          </dl>
        </div>
        <div id={detailsId} hidden={!isOpen} className="pt-2">
          {isOpen && <ServiceDetails service={service} />}
        </div>
        <div className="flex flex-wrap gap-3 print:hidden">
          <Button variant="secondary" aria-expanded={isOpen} aria-controls={detailsId} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Show less' : 'Learn more'}
            <span className="sr-only"> about {service.title}</span>
          </Button>
          <Button
            variant={isSelected ? 'primary' : 'secondary'}
            aria-pressed={isSelected}
            icon={isSelected ? Check : undefined}
            onClick={onSelect}
          >
            Select this service
            <span className="sr-only"> {service.title}</span>
          </Button>
        </div>
      </div>
    </li>
  );
}

function ServiceDetails({ service }: { service: PublishedService }) {
  return (
    <div className="grid animate-rise gap-x-10 gap-y-8 lg:grid-cols-[1fr_15rem]">
      <Markdown text={service.long_description} pictures={service.pictures} topLevel={4} mayReload />
      {service.deliverables.length > 0 && (
        <div className="grid content-start gap-3">
          <p className="font-mono text-label text-muted">Deliverables</p>
          <ul className="grid gap-2.5 text-sm">
            {[...new Set(service.deliverables)].map((deliverable) => (
              <li key={deliverable} className="flex gap-2.5">
                <Check aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-accent" />
                {deliverable}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

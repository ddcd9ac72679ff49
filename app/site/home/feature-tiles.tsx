import type { FeatureTiles as FeatureTilesContent } from '../../content/pages/feature-tiles.ts';
import { ContentIcon } from '../../ui/content-icon.tsx';

export function FeatureTiles({ content: { heading, tiles } }: { content: FeatureTilesContent }) {
  return (
    <section id="features" aria-labelledby="features-heading" className="pb-[clamp(4rem,9vw,9rem)]">
      <div className="page-grid">
        <h2 id="features-heading" className="sr-only">
          {heading}
        </h2>
        <ul className="grid gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-2 lg:grid-cols-4">
          {tiles.map(({ icon, title, description }) => (
            <li
              key={title}
              className="grid grid-cols-[1.5rem_1fr] content-start gap-x-4 gap-y-1 bg-canvas p-4 transition-colors duration-200 hover:bg-surface sm:grid-cols-1 sm:gap-y-3 sm:p-7"
            >
              <ContentIcon name={icon} className="row-span-2 size-6 text-accent sm:row-span-1 sm:mb-5" />
              <h3 className="font-semibold wrap-anywhere">{title}</h3>
              <p className="text-[0.9375rem] text-muted wrap-anywhere">{description}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

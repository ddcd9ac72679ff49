import type { AboutCareers } from '../../content/pages/about-careers.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Eyebrow } from '../../ui/section-heading.tsx';

export function Careers({ careers, email }: { careers: AboutCareers; email: string }) {
  return (
    <section aria-labelledby="careers-heading" className="section-space">
      <div className="page-grid grid gap-x-12 gap-y-8 lg:grid-cols-12">
        <div className="lg:col-span-4">
          <Eyebrow>{careers.eyebrow}</Eyebrow>
        </div>
        <div className="grid justify-items-start gap-6 lg:col-span-8">
          <h2 id="careers-heading" className="text-display-2 wrap-anywhere">
            {careers.heading}
          </h2>
          <p className="measure text-lead text-muted wrap-anywhere">{careers.description}</p>
          <a href={`mailto:${email}?subject=Careers`} className={buttonClass({ variant: 'secondary', size: 'lg' })}>
            {careers.buttonText}
          </a>
        </div>
      </div>
    </section>
  );
}

import { useQuery } from '@tanstack/react-query';
import { fillLegalText } from '../../content/pages/fill-legal-text.ts';
import type { Legal } from '../../content/pages/legal.ts';
import { textPicturesQuery } from '../../media/pictures-in-text.ts';
import type { SiteSettings } from '../../settings/site-settings.ts';
import { formatDayOf } from '../../ui/lib/format-date.ts';
import { LongText } from '../../ui/long-text.tsx';
import { PageHeader } from '../page-header.tsx';

interface LegalTextProps {
  label: string;
  content: Legal;
  settings: SiteSettings;
  /** Time of the last save. */
  changedAt?: string | null | undefined;
}

/** Legal text with a header, for the page and its preview. */
export function LegalText({ label, content, settings, changedAt }: LegalTextProps) {
  const { data: pictures } = useQuery(textPicturesQuery(content.text));
  return (
    <>
      <PageHeader eyebrow={label} header={content} />
      <div className="page-grid grid gap-8 pb-[clamp(4rem,9vw,9rem)] lg:pl-68">
        {changedAt && (
          <p className="font-mono text-label text-muted">
            Last changed on <time dateTime={changedAt}>{formatDayOf(changedAt, settings.site_time_zone)}</time>
          </p>
        )}
        <div className="relative min-w-0">
          <LongText
            text={fillLegalText(content.text, settings)}
            pictures={pictures ?? undefined}
            contents
            mayReload
            className="text-[1.0625rem] leading-[1.7] wrap-anywhere"
          />
        </div>
      </div>
    </>
  );
}

import { Badge } from '../../ui/badge.tsx';
import { SectionHeading } from '../../ui/section-heading.tsx';

interface SampleHeadingProps {
  id: string;
  content: { mark: string; eyebrow: string; heading: string; description: string };
  className?: string;
}

/** Heading of an example section. A badge marks the content as a sample. */
export function SampleHeading({ id, content, className }: SampleHeadingProps) {
  return (
    <div className={className}>
      <SectionHeading id={id} eyebrow={content.eyebrow} heading={content.heading} description={content.description} />
      {content.mark && (
        <Badge tone="signal" className="mt-5">
          {content.mark}
        </Badge>
      )}
    </div>
  );
}

import { Badge } from '../../ui/badge.tsx';
import { SectionHeading } from '../../ui/section-heading.tsx';

interface ProofHeadingProps {
  id: string;
  eyebrow: string;
  content: { mark: string; heading: string; description: string };
  className?: string;
}

/** The heading of something that is shown in place of a claim, with the mark that says that it is a sample. */
export function ProofHeading({ id, eyebrow, content, className }: ProofHeadingProps) {
  return (
    <div className={className}>
      <SectionHeading id={id} eyebrow={eyebrow} heading={content.heading} description={content.description} />
      {content.mark && (
        <Badge tone="signal" className="mt-5">
          {content.mark}
        </Badge>
      )}
    </div>
  );
}

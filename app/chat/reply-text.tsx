import { type ComponentProps, useId } from 'react';
import { withinPreview } from '../api/host/preview-base.ts';
import { Markdown } from '../ui/markdown.tsx';
import { splitReply } from './split-reply.ts';

interface ReplyTextProps extends ComponentProps<typeof Markdown> {
  isStreaming?: boolean;
}

/** The assistant's reply, with its sources as chips. */
export function ReplyText({ text, isStreaming = false, ...rest }: ReplyTextProps) {
  const headingId = useId();
  const { body, heading, sources } = splitReply(text, isStreaming);
  return (
    <>
      <Markdown {...rest} text={body} images={false} />
      {sources.length > 0 && (
        <div className="mt-3 flex items-baseline gap-3 text-sm">
          <p id={headingId} className="text-muted">
            {heading}
          </p>
          <ul aria-labelledby={headingId} className="flex min-w-0 flex-wrap gap-2">
            {sources.map(({ title, url }) => (
              <li key={url}>
                <a
                  href={withinPreview(url)}
                  className="inline-flex min-h-7 items-center rounded-full border border-line-strong px-3 text-ink wrap-anywhere transition-colors hover:border-ink hover:bg-sunken pointer-coarse:min-h-9"
                >
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

import { listSamples, shortList } from '../../content/pages/samples.ts';
import type { PageSlug } from '../../content/pages/sections.ts';

interface SampleNoticeProps {
  page: PageSlug;
  name: string;
  /** Content of the preview. */
  content: unknown;
}

/** Warns that a preview contains invented customers, people or figures. */
export function SampleNotice({ page, name, content }: SampleNoticeProps) {
  const names = listSamples(page, name, content);
  if (names.length === 0) return null;
  return (
    <p className="rounded-md bg-warning-soft px-4 py-3 text-sm [overflow-wrap:anywhere]">
      <strong className="font-semibold">Sample:</strong> {shortList(names)}{' '}
      {names.length === 1 ? 'is invented.' : 'are invented.'}
    </p>
  );
}

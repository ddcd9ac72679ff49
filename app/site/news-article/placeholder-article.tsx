import { BackToNews } from './back-to-news.tsx';
import { PLACEHOLDER_TITLE } from './placeholder-title.ts';

const PLACEHOLDER_DATE = '2025-01-15';

/** Shown for /news URLs without a published post: fixed title, fixed date and the slug. */
export function PlaceholderArticle({ slug }: { slug: string }) {
  return (
    <article className="page-grid grid gap-8 pt-[clamp(2.5rem,5vw,5rem)] pb-[clamp(5rem,12vw,12rem)] lg:grid-cols-12">
      <div className="lg:col-span-2">
        <BackToNews />
      </div>
      <div className="grid gap-6 lg:col-span-9">
        <p className="font-mono text-label text-muted">
          <time dateTime={PLACEHOLDER_DATE}>15 January 2025</time>
        </p>
        <h1 className="text-display-2">{PLACEHOLDER_TITLE}</h1>
        <div className="measure grid gap-4 text-lead text-muted">
          <p>
            Nothing is published under <code className="font-mono text-[0.9em] text-ink wrap-anywhere">{slug}</code>{' '}
            yet. Once published, the article will appear at this address.
          </p>
          <p>Until then, you can read our other posts.</p>
        </div>
      </div>
    </article>
  );
}

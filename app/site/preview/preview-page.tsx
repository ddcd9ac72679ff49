import type { ReactNode } from 'react';
import { Logo } from '../../settings/brand/logo.tsx';
import { THEME_SCRIPT } from '../../settings/theme/theme.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Eyebrow } from '../../ui/section-heading.tsx';

/** Reason why somebody is not in a preview: they are on the way, or there is none. */
export type PreviewNotice = 'opening' | 'unknown' | 'elsewhere' | 'ended' | 'busy' | 'failed';

const NOTICES: Record<PreviewNotice, { title: string; text: string }> = {
  opening: { title: 'Open a preview', text: 'Paste the code of your link: what stands behind the # in it.' },
  unknown: {
    title: 'Preview not found',
    text: 'The link may have been cut when it was copied. Open the whole link once more, or ask whoever sent it to you.',
  },
  elsewhere: {
    title: 'This preview is not open here',
    text: 'Open it with the link that was sent to you. The address of one of its pages is not enough.',
  },
  ended: { title: 'This preview has expired', text: 'Ask whoever sent you the link for a new one.' },
  busy: { title: 'Too many links that lead nowhere', text: 'Please wait an hour, then open the whole link once more.' },
  failed: { title: 'The preview could not be opened', text: 'Please try again in a moment.' },
};

/** The theme follows the system while the page is open, as it does on the pages of the application. */
const FOLLOW_SCRIPT = `
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () =>
  showThemeMode(document.documentElement.dataset.themeMode)
);`;

/**
 * Hands the code on that came behind the #, which no server, log or referrer ever sees, and forgets it: neither the
 * address bar nor the history keeps it.
 */
const OPEN_SCRIPT = `
const token = location.hash.slice(1);
if (token) {
  history.replaceState(null, '', location.pathname);
  const form = document.forms[0];
  form.elements.token.value = token;
  form.submit();
}`;

interface PreviewPageProps {
  notice: PreviewNotice;
  siteName: string;
  /** The texts of its style elements. */
  styles: string[];
  /** '?v=…' of the owner's brand. */
  iconVersion: string;
}

/** A page of its own, because a preview is opened outside of the application. */
export function PreviewPage({ notice, siteName, styles, iconVersion }: PreviewPageProps) {
  const { title, text } = NOTICES[notice];
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{`${title} · ${siteName}`}</title>
        <link rel="icon" href={`/favicon.svg${iconVersion}`} type="image/svg+xml" />
        {styles.map((text) => (
          <Raw key={text} as="style" text={text} />
        ))}
        <Raw as="script" text={THEME_SCRIPT + FOLLOW_SCRIPT} />
      </head>
      <body>
        <div className="page-grid flex min-h-svh flex-col gap-12 py-6 sm:py-8">
          <header>
            <a href="/" aria-label={`${siteName}, home`} className="inline-flex min-h-11 items-center">
              <Logo name={siteName} />
            </a>
          </header>
          <main className="my-auto grid max-w-2xl justify-items-start gap-5 pb-24">
            <Eyebrow>Preview</Eyebrow>
            <h1 className="text-display-2">{title}</h1>
            <p className="text-lead text-muted">{text}</p>
            {notice === 'opening' ? (
              <CodeForm />
            ) : (
              <a href="/" className={buttonClass({ size: 'lg' }, 'mt-3')}>
                Go to the site
              </a>
            )}
          </main>
        </div>
        {notice === 'opening' && <Raw as="script" text={OPEN_SCRIPT} />}
      </body>
    </html>
  );
}

/** Fills itself where scripts run. */
function CodeForm(): ReactNode {
  return (
    <form method="post" action="/preview" className="mt-3 grid w-full max-w-md gap-4">
      <Field label="Code">
        <Input name="token" required autoComplete="off" spellCheck={false} />
      </Field>
      <button type="submit" className={buttonClass({ size: 'lg' })}>
        Open the preview
      </button>
    </form>
  );
}

/** Writes a text that React would otherwise escape. */
function Raw({ as: Element, text }: { as: 'style' | 'script'; text: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: it is a text of our own
  return <Element dangerouslySetInnerHTML={{ __html: text }} />;
}

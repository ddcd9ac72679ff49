import type { ReactNode } from 'react';
import { Logo } from '../../settings/brand/logo.tsx';
import { THEME_SCRIPT } from '../../settings/theme/theme.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Eyebrow } from '../../ui/section-heading.tsx';

/** State of a preview that is not open yet, or the reason why it cannot be opened. */
export type PreviewNotice = 'opening' | 'unknown' | 'elsewhere' | 'ended' | 'busy' | 'failed';

const NOTICES: Record<PreviewNotice, { title: string; text: string }> = {
  opening: { title: 'Open a preview', text: 'Paste the code from your link. It is the part after the #.' },
  unknown: {
    title: 'Preview not found',
    text: 'The link may be incomplete. Open the full link again, or ask the person who sent it to you.',
  },
  elsewhere: {
    title: 'This preview is not open in this browser',
    text: 'Open it with the link that was sent to you. The URL of a page in the preview is not enough.',
  },
  ended: { title: 'This preview has expired', text: 'Ask the person who sent you the link for a new one.' },
  busy: { title: 'Too many invalid links', text: 'Please wait an hour, then open the full link again.' },
  failed: { title: 'The preview could not be opened', text: 'Please try again in a moment.' },
};

/** Applies changes to the system theme while the page is open, as the app does. */
const FOLLOW_THEME_SCRIPT = `
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () =>
  showThemeMode(document.documentElement.dataset.themeMode)
);`;

/**
 * Submits the code from the URL fragment, which is never sent to a server, log or referrer. Removes it from the address
 * bar and the history.
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
  /** Contents of the style elements. */
  styles: string[];
  /** '?v=…' with the version of the brand. */
  iconVersion: string;
}

/** Standalone page, because a preview is opened outside the app. */
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
        <Raw as="script" text={THEME_SCRIPT + FOLLOW_THEME_SCRIPT} />
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

/** Filled in by the script if JavaScript is available. */
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

/** Renders a style or script unescaped, because React escapes text. */
function Raw({ as: Element, text }: { as: 'style' | 'script'; text: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: constant text, not user input
  return <Element dangerouslySetInnerHTML={{ __html: text }} />;
}

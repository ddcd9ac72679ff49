import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { Monitor, Smartphone } from 'lucide-react';
import { type ReactNode, startTransition, useEffect, useMemo, useRef, useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { fillSiteName } from '../../settings/site-name.ts';
import { siteSettingsQuery } from '../../settings/site-settings.ts';
import { PreviewFrame } from '../../ui/form/preview-frame.tsx';
import { useMediaQuery } from '../../ui/lib/use-media-query.ts';
import { useFollowFocus } from './follow-focus.ts';

/** Debounce delay, so that rendering the preview does not slow down typing. */
const DEBOUNCE_MS = 120;

const DESKTOP = { label: 'Desktop', width: 1280, icon: Monitor };
const PHONE = { label: 'Phone', width: 390, icon: Smartphone };

interface LivePreviewProps<Content> {
  /** Width of the desktop preview in px. */
  desktopWidth?: number | undefined;
  draw: (content: Content) => ReactNode;
  /** Renders a notice about the content above the preview. */
  notice: (content: Content) => ReactNode;
}

/**
 * Previews a section with the values of the surrounding form, at the width of a desktop or a phone. Scrolls to the text
 * of the focused field.
 */
export function LivePreview<Content>({ desktopWidth = DESKTOP.width, draw, notice }: LivePreviewProps<Content>) {
  const content = useTypedContent<Content>();
  const isWide = useMediaQuery('(width >= 64rem)');
  const [chosenScreen, setScreen] = useState<typeof DESKTOP>();
  const screen = chosenScreen ?? (isWide ? DESKTOP : PHONE);
  const siteName = useQuery(siteSettingsQuery).data?.site_name ?? '';
  const preview = useMemo(() => draw(fillSiteName(content, siteName)), [draw, content, siteName]);
  const section = useRef<HTMLElement>(null);
  useFollowFocus(section, preview);
  return (
    <section ref={section} aria-labelledby="preview-heading" className="grid grid-cols-1 gap-3 lg:sticky lg:top-20">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="preview-heading" className="font-mono text-label text-muted">
          Preview
        </h2>
        <div className="flex flex-wrap gap-1">
          {[DESKTOP, PHONE].map((option) => (
            <button
              key={option.label}
              type="button"
              aria-pressed={option === screen}
              onClick={() => setScreen(option)}
              className={clsx(
                'inline-flex min-h-9 items-center gap-2 rounded-md px-3 text-sm transition-colors duration-150',
                option === screen ? 'bg-accent-soft font-medium text-ink' : 'text-muted hover:text-ink',
              )}
            >
              <option.icon aria-hidden="true" className="size-4" />
              {option.label}
            </button>
          ))}
        </div>
      </div>
      {notice(content)}
      <PreviewFrame width={screen === DESKTOP ? desktopWidth : screen.width}>{preview}</PreviewFrame>
    </section>
  );
}

function useTypedContent<Content>(): Content {
  const { getValues } = useFormContext();
  const formValues = useWatch();
  const [previewedValues, setPreviewedValues] = useState(() => getValues());
  useEffect(() => {
    const timer = setTimeout(() => startTransition(() => setPreviewedValues(formValues)), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [formValues]);
  // The cast is safe, because the form is initialized with the section's content and its fields keep the types.
  return previewedValues as Content;
}

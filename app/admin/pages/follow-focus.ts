import { type RefObject, useEffect } from 'react';

/** Number of characters compared. The preview may render the rest of a text as Markdown or as several paragraphs. */
const COMPARED_LENGTH = 40;

/** Scrolls the preview to the edited part when another field is focused or `content` changes. */
export function useFollowFocus(preview: RefObject<HTMLElement | null>, content: unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the part may have moved when the content changes
  useEffect(() => {
    const follow = () => {
      const page = preview.current?.querySelector('iframe')?.contentDocument;
      if (page && document.activeElement) scrollTo(page, findEditedElement(page, document.activeElement));
    };
    follow();
    document.addEventListener('focusin', follow);
    return () => document.removeEventListener('focusin', follow);
  }, [preview, content]);
}

/** Returns the section named by `data-shows` around the field, or else the element with the text of the field. */
function findEditedElement(page: Document, field: Element): Element | null {
  const section = field.closest<HTMLElement>('[data-shows]')?.dataset['shows'];
  if (section) return page.querySelector(`[aria-labelledby^="${section}"]`);
  const isText = field instanceof HTMLTextAreaElement || (field instanceof HTMLInputElement && field.type === 'text');
  const text = isText ? firstLine(field.value) : '';
  if (text === '') return null;
  const contains = (element: Element) => element.textContent.includes(text);
  const candidates = [...page.body.querySelectorAll('*')].filter(contains);
  return candidates.find((element) => ![...element.children].some(contains)) ?? null;
}

function firstLine(text: string): string {
  return (text.replace(/^[#\s]+/, '').split('\n')[0] ?? '').slice(0, COMPARED_LENGTH).trim();
}

/** Scrolls only the frame. `scrollIntoView` would also scroll the page around it. */
function scrollTo(page: Document, part: Element | null): void {
  const view = page.defaultView;
  if (!part || !view) return;
  const { top } = part.getBoundingClientRect();
  const isInView = top >= 0 && top < view.innerHeight / 2;
  if (!isInView) view.scrollBy({ top: top - view.innerHeight / 8, behavior: 'instant' });
}

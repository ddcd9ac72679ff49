/** Context of a paste: its source, and the pictures found. */
import type { Element } from 'hast';
import { safeHref } from '../../../ui/lib/safe-href.ts';
import { cocoaHeadings } from './cocoa-headings.ts';
import { attribute, type CleanNode, element, hasClass, styleOf } from './element.ts';

/** A pasted picture that is not stored on this site. */
export interface PastedPicture {
  /** Placeholder URL in the Markdown. */
  url: string;
  /** A data: or http(s) URL. Null if the clipboard only has a local file path. */
  source: string | null;
  alt: string;
}

export type Source = 'docs' | 'word' | 'notion' | 'web';

export interface Paste {
  source: Source;
  /** Levels of paragraphs that are headings, by class. */
  headings: ReadonlyMap<string, number>;
  pictures: PastedPicture[];
  text: (value: string) => string;
  /** Returns the URL of a link, or '' if readers cannot open it. */
  url: (href: string) => string;
  /** Returns a picture as an element or replacement text. Returns null if the picture has no content. */
  picture: (image: Element) => CleanNode | string | null;
  ignoresStyle: (node: Element) => boolean;
  isMonospaced: (node: Element) => boolean;
}

function sourceOf(html: string): Source {
  if (html.includes('docs-internal-guid')) return 'docs';
  if (/urn:schemas-microsoft-com:office|class="?Mso|mso-|ListContainerWrapper/i.test(html)) return 'word';
  return html.includes('notionvc:') ? 'notion' : 'web';
}

/**
 * @param origin origin of this site, which is removed from its URLs
 * @param lastNumber highest number of the pasted pictures in the target text
 */
export function beginPaste(html: string, origin: string, lastNumber = 0): Paste {
  const source = sourceOf(html);
  const pictures: PastedPicture[] = [];
  const isWordProcessor = source === 'docs' || source === 'word';
  const withoutOrigin = (url: string) => (url.startsWith(`${origin}/`) ? url.slice(origin.length) : url);
  return {
    source,
    headings: cocoaHeadings(html),
    pictures,
    text: (value) => {
      const visible = value.replace(/[\u200b\ufeff]/g, '');
      // Word processors export multiple spaces as non-breaking spaces. In other sources, non-breaking spaces are
      // intentional.
      return isWordProcessor ? visible.replaceAll('\u00a0', ' ') : visible;
    },
    url: (href) => linkUrl(href, withoutOrigin),
    picture: (image) => {
      const alt = attribute(image, 'alt').replace(/\s+/g, ' ').trim();
      if (isIconOrPixel(image)) return /\p{Extended_Pictographic}/u.test(alt) ? alt : slackEmoji(image);
      const src = pictureSource(image);
      const localSrc = withoutOrigin(src);
      if (localSrc.startsWith('/') && !localSrc.startsWith('//')) return element('img', [], { src: localSrc, alt });
      if (!src) return null;
      const isReachable = /^(https?:|data:image\/)/i.test(src);
      const existingPicture = pictures.find((picture) => isReachable && picture.source === src);
      const url = /^https?:/i.test(src)
        ? src
        : (existingPicture?.url ?? `#pasted-picture-${lastNumber + pictures.length + 1}`);
      if (!existingPicture) pictures.push({ url, source: isReachable ? src : null, alt });
      return element('img', [], { src: url, alt });
    },
    // Google Docs wraps everything in <b style="font-weight:normal">. Some mail programs drop the style.
    ignoresStyle: (node) => attribute(node, 'id').startsWith('docs-internal-guid'),
    isMonospaced: (node) =>
      isWordProcessor &&
      /^["']?(consolas|courier|menlo|monaco|source code|roboto mono|fira code|jetbrains mono|cascadia|lucida console|[\w ]*\bmono\b)/.test(
        styleOf(node, 'font-family'),
      ),
  };
}

/** Returns true for icons, emoji and tracking pixels. */
function isIconOrPixel(image: Element): boolean {
  const size = (name: string) => Number.parseFloat(attribute(image, name) || styleOf(image, name) || 'NaN');
  const isSmall = size('width') <= 32 && !(size('height') > 32);
  const isCheckbox = /^(un)?checked$/.test(attribute(image, 'alt'));
  return (
    isSmall ||
    isCheckbox ||
    hasClass(image, /emoji/i) ||
    /^https:\/\/www\.notion\.so\/icons\//.test(attribute(image, 'src'))
  );
}

/** Returns the emoji of a picture in Slack, whose file name has the code points. */
function slackEmoji(image: Element): string | null {
  const codes = /^https:\/\/a\.slack-edge\.com\/.*\/([\da-f-]{2,40})(?:@2x)?\.png$/.exec(attribute(image, 'src'))?.[1];
  const points = codes?.split('-').map((code) => Number.parseInt(code, 16));
  return points?.every((point) => point <= 0x10ffff) ? String.fromCodePoint(...points) : null;
}

/** Returns the URL of a picture. Lazy-loading pages keep it in another attribute. */
function pictureSource(image: Element): string {
  const src = attribute(image, 'src');
  const lazySrc = attribute(image, 'dataSrc');
  return /^https?:/i.test(lazySrc) && (src === '' || src.startsWith('data:')) ? lazySrc : src;
}

function linkUrl(href: string, withoutOrigin: (url: string) => string): string {
  const target = unwrapGoogleRedirect(href.trim());
  if (/^(https?:\/\/|mailto:|tel:)/i.test(target)) return safeHref(withoutOrigin(target)) ?? '';
  // Relative URLs, anchors, file URLs and scripts do not work on this site.
  return '';
}

/** Unwraps Google's redirect links. */
function unwrapGoogleRedirect(href: string): string {
  if (!/^https:\/\/www\.google\.com\/url\?/.test(href) || !URL.canParse(href)) return href;
  return new URL(href).searchParams.get('q') ?? href;
}

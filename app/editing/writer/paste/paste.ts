/** Facts about one paste: where it comes from, and the pictures found in it. */
import type { Element } from 'hast';
import { safeHref } from '../../../ui/lib/safe-href.ts';
import { attribute, type Clean, element, hasClass, styleOf } from './element.ts';

/** A picture of a paste that is not on this site. */
export interface PastedPicture {
  /** Address that stands for it in the Markdown. */
  address: string;
  /** A data: or http(s) address; null when the clipboard holds only the way to a file of the other program. */
  source: string | null;
  alt: string;
}

export type Source = 'docs' | 'word' | 'notion' | 'web';

export interface Paste {
  source: Source;
  pictures: PastedPicture[];
  text: (value: string) => string;
  /** The address to link to; '' when there is none that readers could follow. */
  address: (href: string) => string;
  /** The picture as an element, or the text that stands for it, or null when it says nothing. */
  picture: (image: Element) => Clean | string | null;
  ignoresStyle: (node: Element) => boolean;
  isMonospaced: (node: Element) => boolean;
}

export function sourceOf(html: string): Source {
  if (html.includes('docs-internal-guid')) return 'docs';
  if (/urn:schemas-microsoft-com:office|class="?Mso|mso-|ListContainerWrapper/i.test(html)) return 'word';
  return html.includes('notionvc:') ? 'notion' : 'web';
}

/** @param origin of this site: addresses within it lose it */
export function beginPaste(source: Source, origin: string): Paste {
  const pictures: PastedPicture[] = [];
  const isWordProcessor = source === 'docs' || source === 'word';
  const local = (url: string) => (url.startsWith(`${origin}/`) ? url.slice(origin.length) : url);
  return {
    source,
    pictures,
    text: (value) => {
      const visible = value.replace(/[\u200b\ufeff]/g, '');
      // Word processors write several spaces in a row as hard ones; elsewhere somebody meant them.
      return isWordProcessor ? visible.replaceAll('\u00a0', ' ') : visible;
    },
    address: (href) => linkAddress(href, local),
    picture: (image) => {
      const alt = attribute(image, 'alt').replace(/\s+/g, ' ').trim();
      if (isSign(image)) return /\p{Extended_Pictographic}/u.test(alt) ? alt : null;
      const src = pictureSource(image);
      const url = local(src);
      if (url.startsWith('/') && !url.startsWith('//')) return element('img', [], { src: url, alt });
      if (!src) return null;
      const isReachable = /^(https?:|data:image\/)/i.test(src);
      const known = pictures.find((picture) => isReachable && picture.source === src);
      const address = /^https?:/i.test(src) ? src : (known?.address ?? `#pasted-picture-${pictures.length + 1}`);
      if (!known) pictures.push({ address, source: isReachable ? src : null, alt });
      return element('img', [], { src: address, alt });
    },
    // Google Docs wraps everything in <b style="font-weight:normal">, which its style undoes already; some mail
    // programs forget the style.
    ignoresStyle: (node) => attribute(node, 'id').startsWith('docs-internal-guid'),
    isMonospaced: (node) =>
      isWordProcessor &&
      /^["']?(consolas|courier|menlo|monaco|source code|roboto mono|fira code|jetbrains mono|cascadia|lucida console|[\w ]*\bmono\b)/.test(
        styleOf(node, 'font-family'),
      ),
  };
}

/** Tells whether an image is an icon, an emoji or a counting pixel rather than a picture of the text. */
function isSign(image: Element): boolean {
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

/** Pages that load pictures late keep the real address beside a small one of their own. */
function pictureSource(image: Element): string {
  const src = attribute(image, 'src');
  const late = attribute(image, 'dataSrc');
  return /^https?:/i.test(late) && (src === '' || src.startsWith('data:')) ? late : src;
}

function linkAddress(href: string, local: (url: string) => string): string {
  const target = throughGoogle(href.trim());
  if (/^(https?:\/\/|mailto:|tel:)/i.test(target)) return safeHref(local(target)) ?? '';
  // A relative address, an anchor, a file or a script leads nowhere from here.
  return '';
}

/** Google Docs sends links through a page of its own. */
function throughGoogle(href: string): string {
  if (!/^https:\/\/www\.google\.com\/url\?/.test(href) || !URL.canParse(href)) return href;
  return new URL(href).searchParams.get('q') ?? href;
}

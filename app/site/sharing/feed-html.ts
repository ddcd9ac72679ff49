/** Renders Markdown for feed readers, with absolute URLs and without scripts or frames. Videos become links. Server only. */
import { Marked, type RendererThis, type Tokens } from 'marked';
import { type NoteMarkToken, parseCallout, readMarkdown, type VideoToken } from '../../ui/lib/markdown.ts';
import { safeHref } from '../../ui/lib/safe-href.ts';

/** @param url absolute URL of the page with the text */
export function feedHtml(markdown: string, url: string): string {
  const { tokens, notes } = readMarkdown(markdown);
  const writer = createWriter(url);
  const text = writer.parser(tokens);
  if (notes.length === 0) return text;
  const items = notes.map((note) => `<li>${writer.parser(note.tokens)}</li>`);
  return `${text}<hr><ol>${items.join('')}</ol>`;
}

function createWriter(url: string): Marked {
  const absoluteUrl = (href: string): string | null => {
    const safe = safeHref(href);
    return safe !== null && URL.canParse(safe, url) ? escapeHtml(new URL(safe, url).href) : null;
  };
  return new Marked({
    renderer: {
      html: ({ text }) => escapeHtml(text),
      checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
      link({ href, tokens }) {
        const target = absoluteUrl(href);
        const label = this.parser.parseInline(tokens);
        return target === null ? label : `<a href="${target}">${label}</a>`;
      },
      image({ href, text }) {
        const source = absoluteUrl(href);
        return source?.startsWith('http') ? `<img src="${source}" alt="${escapeHtml(text)}">` : escapeHtml(text);
      },
      blockquote(token) {
        return quote(this, token);
      },
    },
    extensions: [
      { name: 'note', renderer: () => '' },
      { name: 'noteMark', renderer: (token) => renderNoteMark(token.raw, token['number']) },
      { name: 'video', renderer: (token) => videoLink(token['video'], absoluteUrl) },
    ],
  });
}

function quote({ parser }: RendererThis, token: Tokens.Blockquote): string {
  const callout = parseCallout(token);
  if (!callout) return `<blockquote>${parser.parse(token.tokens)}</blockquote>`;
  const title = callout.kind.charAt(0).toUpperCase() + callout.kind.slice(1);
  return `<blockquote><p><strong>${title}</strong></p>${parser.parse(callout.tokens)}</blockquote>`;
}

function renderNoteMark(raw: string, number: NoteMarkToken['number']): string {
  return number === null ? escapeHtml(raw) : `<sup>${number}</sup>`;
}

function videoLink(video: VideoToken['video'], absoluteUrl: (href: string) => string | null): string {
  const [href, label] = video.host ? [video.page, `Watch the video on ${video.host}`] : [video.file, 'Watch the video'];
  return `<p><a href="${absoluteUrl(href) ?? ''}">${label}</a></p>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/**
 * Prepares the text of WordPress posts for conversion. Replaces shortcodes, and adds the paragraph tags that the
 * classic editor does not store.
 */
import { escapeMarkup } from '../../ui/lib/escape-markup.ts';

interface Context {
  findPictureUrl: (attachmentId: string) => string;
  note: (text: string) => void;
}

export function wordpressHtml(content: string, context: Context): string {
  const isClassic = !content.includes('<!-- wp:');
  return content
    .replace(/\r\n?/g, '\n')
    .split(/(<pre\b[\s\S]*?<\/pre>)/i)
    .map((part, index) => {
      if (index % 2 === 1) return part;
      const html = replaceShortcodes(part, context);
      return isClassic ? addParagraphs(html) : html;
    })
    .join('');
}

function addParagraphs(html: string): string {
  return html
    .split(/\n[ \t]*\n\s*/)
    .map((paragraph) => paragraph.replace(/([^>\n])\n(?=[^<\n])/g, '$1<br>\n'))
    .join('\n<p>')
    .replace(/^\s*(?=[^<\s])/, '<p>');
}

const OPENING = /\[(\w[\w-]*)((?:\s+[\w-]+=(?:"[^"]*"|'[^']*'|[^\s"'\]]+))*)\s*\/?\]/g;

function replaceShortcodes(content: string, context: Context): string {
  const unclosed = new Set<string>();
  let html = '';
  let position = 0;
  for (const { 0: source, 1: name = '', 2: attributes = '', index } of content.matchAll(OPENING)) {
    if (index < position) continue;
    const start = index + source.length;
    const end = unclosed.has(name) ? -1 : content.indexOf(`[/${name}]`, start);
    if (end < 0) unclosed.add(name);
    // A name with neither attributes nor a closing tag is a word in brackets, such as [sic].
    if (end < 0 && attributes.trim() === '' && !/[-_]/.test(name)) continue;
    html += content.slice(position, index);
    html += replacement(name, attributes, end < 0 ? '' : content.slice(start, end), context);
    position = end < 0 ? start : end + name.length + 3;
  }
  return html + content.slice(position);
}

function replacement(name: string, attributes: string, inner: string, context: Context): string {
  const value = (key: string) =>
    new RegExp(`\\s${key}=(?:"([^"]*)|'([^']*)|([^\\s"']*))`).exec(attributes)?.slice(1).join('') ?? '';
  if (name === 'caption' || name === 'wp_caption') return captioned(inner, value('caption'));
  if (name === 'embed' && inner) return `\n\n${inner.trim()}\n\n`;
  if (name === 'gallery' && value('ids')) {
    const pictures = value('ids')
      .split(',')
      .map((id) => context.findPictureUrl(id.trim()));
    return pictures.map((url) => `<p><img src="${escapeMarkup(url)}" alt=""></p>`).join('');
  }
  if (name === 'audio' || name === 'video') {
    return `<${name} src="${escapeMarkup(value('src') || value('mp4') || value('mp3'))}"></${name}>`;
  }
  context.note(`Shortcode removed: [${name}].`);
  return replaceShortcodes(inner, context);
}

function captioned(inner: string, attribute: string): string {
  const [, picture = inner, text = ''] =
    /^\s*((?:<a\b[^>]*>)?\s*<img\b[^>]*>\s*(?:<\/a>)?)([\s\S]*)$/i.exec(inner) ?? [];
  return `<figure>${picture}<figcaption>${text.trim() || escapeMarkup(attribute)}</figcaption></figure>`;
}

/** Renders Lexical and mobiledoc as HTML, for Ghost exports whose posts have no rendered HTML. */
import { Marked } from 'marked';
import { escapeMarkup } from '../../ui/lib/escape-markup.ts';

type AddNote = (text: string) => void;

interface Node {
  [key: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;
const toNodes = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const toText = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');
const escaped = (value: unknown) => escapeMarkup(toText(value));

/** @throws RangeError if the content is nested too deeply */
export function lexicalToHtml(source: string, addNote: AddNote): string {
  return lexicalChildren(parse(source, addNote)['root'], addNote);
}

function lexicalChildren(node: unknown, addNote: AddNote): string {
  const children = isNode(node) ? toNodes(node['children']).filter(isNode) : [];
  return children.map((child) => lexicalNode(child, addNote)).join('');
}

/** HTML elements by bit of `format`. Omits underline, subscript, superscript and highlight, which Markdown lacks. */
const FORMATS = [
  [1, 'strong'],
  [2, 'em'],
  [4, 's'],
  [16, 'code'],
] as const;

const ELEMENTS: Record<string, string> = {
  paragraph: 'p',
  listitem: 'li',
  quote: 'blockquote',
  'extended-quote': 'blockquote',
  aside: 'blockquote',
};

function lexicalNode(node: Node, addNote: AddNote): string {
  const type = toText(node['type']);
  const wrap = (tag: string) => `<${tag}>${lexicalChildren(node, addNote)}</${tag}>`;
  switch (type) {
    case 'text':
    case 'extended-text':
      return FORMATS.reduceRight(
        (html, [bit, tag]) => (Number(node['format']) & bit ? `<${tag}>${html}</${tag}>` : html),
        escaped(node['text']),
      );
    case 'linebreak':
      return '<br>';
    case 'heading':
    case 'extended-heading':
      return wrap(/^h[1-6]$/.exec(toText(node['tag']))?.[0] ?? 'p');
    case 'list':
      // Lexical stores a nested list in a separate item after its parent item. Merge the two.
      return wrap(node['tag'] === 'ol' ? 'ol' : 'ul').replaceAll(/<\/li><li>(?=<[ou]l>)/g, '');
    case 'link':
    case 'autolink':
      return `<a href="${escaped(node['url'])}">${lexicalChildren(node, addNote)}</a>`;
    default:
      return ELEMENTS[type] ? wrap(ELEMENTS[type]) : cardToHtml(type, node, addNote);
  }
}

/** Cards have the same fields in both formats. Captions and long texts are HTML. */
function cardToHtml(type: string, card: Node, addNote: AddNote): string {
  if (isMembersOnly(card)) {
    addNote('Removed: a section for members only.');
    return '';
  }
  const html = (name: string) => toText(card[name]);
  const value = (name: string) => escaped(card[name]);
  const figure = (content: string) => `<figure>${content}<figcaption>${html('caption')}</figcaption></figure>`;
  const button = card['buttonEnabled'] === false || card['showButton'] === false ? '' : linkTo(card, 'button');
  switch (type) {
    case 'image':
      return figure(pictureHtml(card));
    case 'gallery':
      return figure(toNodes(card['images']).filter(isNode).map(pictureHtml).join(''));
    case 'codeblock':
    case 'code':
      return figure(`<pre><code class="language-${value('language')}">${value('code')}</code></pre>`);
    case 'horizontalrule':
    case 'hr':
      return '<hr>';
    case 'html':
      return `<!--kg-card-begin: html-->${html('html')}`;
    case 'markdown':
    case 'card-markdown':
      return new Marked().parse(html('markdown'), { async: false });
    case 'embed':
      return figure(html('html') || `<p>${value('url')}</p>`);
    case 'bookmark': {
      const metadata = isNode(card['metadata']) ? card['metadata'] : {};
      return figure(`<a href="${value('url')}">${escaped(metadata['title']) || value('url')}</a>`);
    }
    case 'callout':
      return `<div class="kg-callout-card"><div class="kg-callout-emoji">${value('calloutEmoji')}</div><div class="kg-callout-text">${html('calloutText')}</div></div>`;
    case 'toggle':
      return `<h4>${html('heading')}</h4>${html('content')}`;
    case 'button':
      return button;
    case 'header':
      return `<h2>${html('header')}</h2><p>${html('subheader')}</p>${button}`;
    case 'call-to-action':
      return `${html('textValue')}${button}`;
    case 'product':
      return `${pictureHtml({ src: card['productImageSrc'] })}<h4>${html('productTitle')}</h4>${html('productDescription')}${linkTo(card, 'product')}`;
    case 'file':
    case 'audio':
      return `<div class="kg-file-card"><a href="${value('src')}">${value('fileTitle') || value('title') || value('fileName')}</a></div>`;
    case 'video':
      return figure(`<video src="${value('src')}"></video>`);
    default:
      if (type) addNote(`Removed: ${type} card.`);
      return '';
  }
}

function pictureHtml({ src, alt }: Node): string {
  return src ? `<p><img src="${escaped(src)}" alt="${escaped(alt)}"></p>` : '';
}

function linkTo(card: Node, name: 'button' | 'product'): string {
  const url = escaped(card[`${name}Url`]);
  const label = escaped(card[name === 'button' ? 'buttonText' : 'productButton']);
  return url && label ? `<p><a href="${url}">${label}</a></p>` : '';
}

function isMembersOnly({ visibility }: Node): boolean {
  const web = isNode(visibility) ? visibility['web'] : undefined;
  return isNode(web) && web['nonMember'] === false;
}

/** @see https://github.com/bustle/mobiledoc-kit/blob/master/MOBILEDOC.md */
export function mobiledocToHtml(source: string, addNote: AddNote): string {
  const document = parse(source, addNote);
  const html = toNodes(document['sections']).map((section) => {
    const [kind, value, content] = toNodes(section);
    if (kind === 10) {
      const [type, card] = toNodes(toNodes(document['cards'])[Number(value)]);
      return cardToHtml(toText(type), isNode(card) ? card : {}, addNote);
    }
    const tag = /^(h[1-6]|p|blockquote|aside|ol|ul)$/.exec(toText(value))?.[0].replace('aside', 'blockquote') ?? 'p';
    const items = kind === 3 ? toNodes(content).map((item) => `<li>${markersToHtml(item, document)}</li>`) : null;
    return `<${tag}>${items ? items.join('') : markersToHtml(content, document)}</${tag}>`;
  });
  return html.join('');
}

/** Renders mobiledoc markers. Each opens elements, adds a text or an atom, and closes some of the open elements. */
function markersToHtml(markers: unknown, { markups, atoms }: Node): string {
  const openTags: string[] = [];
  let html = '';
  for (const marker of toNodes(markers)) {
    const [kind, opened, closed, value] = toNodes(marker);
    for (const index of toNodes(opened)) {
      const [name, attributes] = toNodes(toNodes(markups)[Number(index)]);
      const tag = /^(a|b|strong|i|em|s|del|code)$/i.exec(toText(name))?.[0] ?? 'span';
      const pairs = toNodes(attributes);
      openTags.push(tag);
      html += tag === 'a' ? `<a href="${escaped(pairs[pairs.indexOf('href') + 1])}">` : `<${tag}>`;
    }
    const [atom, atomText] = kind === 1 ? toNodes(toNodes(atoms)[Number(value)]) : [undefined, value];
    html += atom === 'soft-return' ? '<br>' : escaped(atomText);
    for (const tag of openTags.splice(Math.max(openTags.length - (Number(closed) || 0), 0)).reverse())
      html += `</${tag}>`;
  }
  return html;
}

function parse(source: string, addNote: AddNote): Node {
  try {
    const value: unknown = JSON.parse(source);
    if (isNode(value)) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  addNote('Imported without its text, because the text is damaged.');
  return {};
}
